"""The same numbers the long way: by listing every annotation, every pair and every outcome."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

Array = Any


def mean_over_pairs(kernel: Array, labels: Sequence[int]) -> float:
    """Average the kernel over all pairs of annotations of an item."""
    pairs = list(itertools.combinations(labels, 2))
    return float(sum(kernel[x, y] for x, y in pairs) / len(pairs))


def sequences(labels: int, length: int) -> Iterable[tuple[int, ...]]:
    """Every way in which so many annotations can turn out."""
    return itertools.product(range(labels), repeat=length)


def mixture(classes: Array, given: Array) -> Callable[[Sequence[int]], float]:
    """Probability of a sequence of annotations of an item that belongs to a latent class."""
    return lambda drawn: float(sum(c * math.prod(p[x] for x in drawn) for c, p in zip(classes, given, strict=True)))


def urn(shares: Sequence[float], kappa: float) -> Callable[[Sequence[int]], float]:
    """Probability of a sequence drawn from a Dirichlet distribution whose draws correlate by `kappa`: Pólya's urn."""
    concentration = (1 - kappa) / kappa

    def chance(drawn: Sequence[int]) -> float:
        result = 1.0
        for i, x in enumerate(drawn):
            result *= (concentration * shares[x] + list(drawn[:i]).count(x)) / (concentration + i)
        return result

    return chance


def variance(kernel: Array, chance: Callable[[Sequence[int]], float], annotations: int) -> float:
    """Variance of the mean over pairs for so many annotations of an item, over everything that can happen."""
    first = second = 0.0
    for drawn in sequences(len(kernel), annotations):
        value, weight = mean_over_pairs(kernel, drawn), chance(drawn)
        first += weight * value
        second += weight * value**2
    return second - first**2


def pair_table(labels: int, chance: Callable[[Sequence[int]], float]) -> Array:
    """Probability of each pair of labels of two annotations."""
    return np.array([[chance((x, y)) for y in range(labels)] for x in range(labels)])


def profiles(labels: int, chance: Callable[[Sequence[int]], float], annotations: int) -> tuple[Array, Array]:
    """Every count vector of so many annotations, and its probability."""
    found: dict[tuple[int, ...], float] = {}
    for drawn in sequences(labels, annotations):
        counts = tuple(drawn.count(c) for c in range(labels))
        found[counts] = found.get(counts, 0.0) + chance(drawn)
    return np.array(list(found)), np.array(list(found.values()))
