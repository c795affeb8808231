"""Populations of items whose every probability is known, and data sets drawn from them.

An item belongs to a latent class (its true label, how hard it is), and each of its annotations is drawn from the label
probabilities of that class. All count vectors an item can have are enumerated with their exact probabilities, so
that a data set is one multinomial draw and the true value of a coefficient is its value at the probabilities.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import factorial, prod
from typing import TypeAlias

import numpy as np

from assent import Annotations
from assent.engines import Rows
from assent.profiles import Array, Matrix

__all__ = ["Clustered", "Paired", "Plain", "Population", "answers"]

#: Stands for infinitely many items: a small-sample correction is beyond the digits of a float.
WHOLE = 1e12


class Drawn(Rows):
    """Profiles that pretend to be the rows they would have come from."""

    def __init__(self, counts: Array, items: Array, units: Array | None = None) -> None:
        self.counts, self.items, self.units = counts, items, units
        self.joint: tuple[Array, Array, Array] | None = None
        self.collapsed = {}

    def count_profiles(self, labels: Sequence[str]) -> tuple[Matrix, Array, Matrix | None]:
        """Return the profiles that occur."""
        seen = self.items > 0
        return self.counts[seen], self.items[seen], None if self.units is None else self.units[:, seen]

    def pairing(
        self, other: Rows, labels: Sequence[str], other_labels: Sequence[str]
    ) -> tuple[Matrix, Matrix, Array, Matrix | None]:
        """Return what was drawn for both data sets together."""
        if self.joint is None:
            raise TypeError("This data set was drawn alone.")
        return (*self.joint, None)


def data_set(labels: Sequence[str], source: Drawn) -> Annotations:
    """Wrap drawn profiles as annotations."""
    given = int((source.items * source.counts.sum(axis=1)).sum())
    unit = "items" if source.units is None else "document"
    return Annotations(labels=tuple(labels), annotators=None, n_annotations=given, unit=unit, _source=source)


def answers(shares: Sequence[float], accuracy: float, slip: float = 0.0) -> Array:
    """Label probabilities of an annotation for each true label: (true labels, labels).

    The true label is given with probability `accuracy`, a neighbour of it with probability `slip`, else a label
    drawn from the shares of the labels.
    """
    labels = len(shares)
    near = np.eye(labels, k=1) + np.eye(labels, k=-1)
    near = near / near.sum(axis=1, keepdims=True)
    return np.asarray(accuracy * np.eye(labels) + slip * near + (1.0 - accuracy - slip) * np.asarray(shares))


def _profiles(labels: int, sizes: Mapping[int, float]) -> Array:
    """Every count vector of so many annotations, in lexicographic order: (profiles, labels)."""
    every = itertools.product(range(max(sizes) + 1), repeat=labels)
    return np.array([counts for counts in every if sizes.get(sum(counts), 0.0) > 0], dtype=np.int64)


def _chances(counts: Array, given: Array, sizes: Mapping[int, float]) -> Array:
    """Probability of each profile in each latent class: (classes, profiles)."""
    ways = [sizes[sum(row)] * factorial(sum(row)) / prod(map(factorial, row)) for row in counts.tolist()]
    return np.asarray(np.asarray(ways) * np.prod(given[:, None, :] ** counts, axis=2))


@dataclass(frozen=True, kw_only=True, eq=False)
class Plain:
    """Items drawn one by one.

    Parameters
    ----------
    labels : sequence of str
    classes : array (classes,)
        Probability of each latent class.
    given : array (classes, labels)
        Label probabilities of an annotation in each class.
    sizes : mapping of int to float
        Probability of each number of annotations.
    """

    labels: Sequence[str]
    classes: Array
    given: Array
    sizes: Mapping[int, float]

    def _known(self) -> tuple[Array, Array]:
        counts = _profiles(len(self.labels), self.sizes)
        return counts, self.classes @ _chances(counts, self.given, self.sizes)

    def whole(self) -> tuple[Annotations]:
        """Return the population as one huge data set."""
        counts, chances = self._known()
        return (data_set(self.labels, Drawn(counts, WHOLE * chances)),)

    def draw(self, size: int, times: int, rng: np.random.Generator) -> Iterator[tuple[Annotations]]:
        """Draw data sets of `size` items."""
        counts, chances = self._known()
        for items in rng.multinomial(size, chances / chances.sum(), size=times):
            yield (data_set(self.labels, Drawn(counts, items)),)


@dataclass(frozen=True, kw_only=True, eq=False)
class Paired:
    """Items that two teams annotate: the same latent class, other label probabilities.

    With `same_items` False each team has items of its own, as many as the other.
    """

    labels: Sequence[str]
    classes: Array
    given: tuple[Array, Array]
    sizes: Mapping[int, float]
    same_items: bool = True

    def _known(self) -> tuple[Array, Array]:
        counts = _profiles(len(self.labels), self.sizes)
        first, second = (_chances(counts, given, self.sizes) for given in self.given)
        if not self.same_items:
            return counts, np.outer(self.classes @ first, self.classes @ second)
        return counts, np.einsum("c,cu,cv->uv", self.classes, first, second)

    def _both(self, counts: Array, items: Array) -> tuple[Annotations, Annotations]:
        first, second = Drawn(counts, items.sum(axis=1)), Drawn(counts, items.sum(axis=0))
        here, there = np.nonzero(items)
        first.joint = (counts[here], counts[there], items[here, there])
        return data_set(self.labels, first), data_set(self.labels, second)

    def whole(self) -> tuple[Annotations, Annotations]:
        """Return the population as two huge data sets on the same items."""
        counts, chances = self._known()
        return self._both(counts, WHOLE * chances)

    def draw(self, size: int, times: int, rng: np.random.Generator) -> Iterator[tuple[Annotations, Annotations]]:
        """Draw data sets of `size` items."""
        counts, chances = self._known()
        for items in rng.multinomial(size, (chances / chances.sum()).ravel(), size=times):
            yield self._both(counts, items.reshape(chances.shape))


@dataclass(frozen=True, kw_only=True, eq=False)
class Clustered:
    """Documents of several items; a document has its own mixture of latent classes.

    Parameters
    ----------
    kinds : array (kinds, classes)
        Probability of each latent class in each equally frequent kind of document.
    lengths : sequence of int
        Items of a document; each length is as frequent as the others.
    """

    labels: Sequence[str]
    kinds: Array
    given: Array
    sizes: Mapping[int, float]
    lengths: Sequence[int]

    def _known(self) -> tuple[Array, Array]:
        counts = _profiles(len(self.labels), self.sizes)
        return counts, self.kinds @ _chances(counts, self.given, self.sizes)

    def _both(self, counts: Array, units: Array) -> tuple[Annotations, Annotations]:
        items = units.sum(axis=0)
        return data_set(self.labels, Drawn(counts, items)), data_set(self.labels, Drawn(counts, items, units))

    def whole(self) -> tuple[Annotations, Annotations]:
        """Return the population, without and with its documents (here the kinds of documents)."""
        counts, chances = self._known()
        return self._both(counts, WHOLE * chances)

    def draw(self, size: int, times: int, rng: np.random.Generator) -> Iterator[tuple[Annotations, Annotations]]:
        """Draw data sets of `size` documents, each without and with the documents known."""
        counts, chances = self._known()
        chances = chances / chances.sum(axis=1, keepdims=True)
        for _ in range(times):
            kinds, lengths = rng.integers(len(chances), size=size), rng.choice(self.lengths, size=size)
            yield self._both(counts, rng.multinomial(lengths, chances[kinds]))


Population: TypeAlias = Plain | Paired | Clustered
