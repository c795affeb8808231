"""How much an item counts by its number of annotations: figures 4 and 5, and what the paper could not show."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assent.measures.spa import agreement_variance, size_weights
from assent.profiles import Array

__all__ = ["ANNOTATIONS", "ClassWeights", "class_weights", "edges_error", "normalised", "uniform_weights", "weights"]

#: Numbers of annotations on the axis of figures 4 and 5.
ANNOTATIONS = np.arange(2, 11)


def weights(scheme: str, sizes: Array, shares: Array | None = None) -> Array:
    """Return what items with these numbers of annotations count: (..., sizes).

    Parameters
    ----------
    scheme : str
        One of `assent.measures.spa.SCHEMES`.
    sizes : array (sizes,)
        Two or more.
    shares : array (..., labels), optional
        Shares of the labels, for inv-var-class.
    """
    if scheme != "inv-var-class":
        return size_weights(scheme, sizes)
    shares = np.asarray(shares)
    variance = agreement_variance(sizes, (shares**2).sum(-1)[..., None], (shares**3).sum(-1)[..., None])
    # With one label in use there is no variance to weigh by, and any weights give the same answer.
    return np.asarray(1.0 / np.where(variance == 0, 1.0, variance))


def uniform_weights(classes: int, sizes: Array) -> Array:
    """Return inv-var as the paper defines it: one over the variance under `classes` equally likely labels: (sizes,)."""
    return weights("inv-var-class", sizes, np.full(classes, 1.0 / classes))


def normalised(curve: Array) -> Array:
    """Scale curves (..., sizes) so that the largest number of annotations counts 1."""
    return np.asarray(curve / curve[..., -1:])


def edges_error(most_classes: int = 10, most_annotations: int = 50) -> float:
    """Return the largest relative difference between inv-var and edges over all numbers of classes and annotations."""
    sizes = np.arange(2, most_annotations + 1)
    edges = normalised(weights("edges", sizes))
    return max(
        float(np.abs(normalised(uniform_weights(classes, sizes)) / edges - 1.0).max())
        for classes in range(2, most_classes + 1)
    )


@dataclass(frozen=True, eq=False)
class ClassWeights:
    """Weights inv-var-class of many random label distributions.

    Parameters
    ----------
    classes : array (distributions,)
    entropy : array (distributions,)
        In nats.
    lean : array (distributions,)
        2 (s3 - s2²) / (s2 - s2²), from 0 (edges) to 1 (annotations).
    curves : array (distributions, sizes)
        Normalised weights of items with `ANNOTATIONS` annotations.
    """

    classes: Array
    entropy: Array
    lean: Array
    curves: Array

    @property
    def area(self) -> Array:
        """The sum under each curve; an item with one annotation counts 0: (distributions,)."""
        return np.asarray(self.curves.sum(1))


def class_weights(rng: np.random.Generator, each: int = 250) -> ClassWeights:
    """Draw label distributions as the paper does (logits uniform between -2 and 4, 2 to 10 labels) and weigh by them.

    Parameters
    ----------
    rng : Generator
    each : int
        Distributions for each number of labels.
    """
    classes, entropy, lean, curves = [], [], [], []
    for labels in range(2, 11):
        shares = np.exp(rng.uniform(-2.0, 4.0, size=(each, labels)))
        shares /= shares.sum(1, keepdims=True)
        squares, cubes = (shares**2).sum(1), (shares**3).sum(1)
        classes.append(np.full(each, labels))
        entropy.append(-(shares * np.log(shares)).sum(1))
        lean.append(2 * (cubes - squares**2) / (squares - squares**2))
        curves.append(normalised(weights("inv-var-class", ANNOTATIONS, shares)))
    return ClassWeights(*(np.concatenate(parts) for parts in (classes, entropy, lean, curves)))
