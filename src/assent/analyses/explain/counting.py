"""What an explanation counts: whole numbers out of profiles, and weights as fractions.

Nothing here is rounded. Sums over items are sums of whole numbers, so a table of a million items is
explained as exactly as one of ten.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from assent.errors import UnsuitableData
from assent.limits import EXPLAINED_LABELS, EXPLAINED_WEIGHTS
from assent.profiles import Array, Counts, Matrix, Ratings
from assent.records import Struct
from assent.scales import AgreementWeights, Identity, Scores

__all__ = ["Confusion", "ItemKinds", "Shares", "Shown", "Weights", "label_totals", "pick", "room"]


def room(count: int, most: int = EXPLAINED_LABELS) -> int:
    """Return how many of `count` things to show, so that none or at least two are left out.

    Examples
    --------
    >>> [room(count) for count in (3, 8, 9, 10, 99)]
    [3, 8, 7, 8, 8]
    """
    return count if count <= most else most - (count == most + 1)


class Shown(Struct, frozen=True):
    """Which labels have a row of their own; all others share the last one.

    Parameters
    ----------
    names : tuple of str
        Headings of the rows.
    place : array (labels,)
        Which row each label belongs to.
    own : tuple of int
        The labels with a row of their own.
    """

    names: tuple[str, ...]
    place: Array
    own: tuple[int, ...]

    @property
    def left_out(self) -> int:
        """Labels without a row of their own."""
        return len(self.place) - len(self.own)

    def gathered(self, amounts: Sequence[int] | Array) -> list[int]:
        """Add up one number per label to one per row."""
        rows = [0] * len(self.names)
        for place, amount in zip(self.place.tolist(), amounts, strict=True):
            rows[place] += int(amount)
        return rows


def pick(labels: Sequence[str], totals: Sequence[int] | Array) -> Shown:
    """Give a row to each label or, if there are many, to those used most."""
    count = len(labels)
    if count <= room(count):
        return Shown(tuple(labels), np.arange(count), tuple(range(count)))
    most = sorted(range(count), key=lambda i: (-int(totals[i]), i))[: room(count)]
    own = tuple(sorted(most))
    place = np.full(count, len(own))
    place[list(own)] = np.arange(len(own))
    return Shown((*(labels[i] for i in own), f"{count - len(own):,} others"), place, own)


def label_totals(items: Counts | Ratings) -> list[int]:
    """Count the annotations with each label."""
    return [int(one) for one in np.asarray(items.multiplicities @ items.counts).ravel()]


class Confusion(Struct, frozen=True):
    """How often one annotator gave one label and another annotator another.

    Parameters
    ----------
    first, second, items : array (cells,)
        Labels of the two, and how many items have them.
    first_totals, second_totals : list of int
        How often each gave each label; their sums may differ if labels on items that the other left out count.
    """

    labels: tuple[str, ...]
    first: Array
    second: Array
    items: Array
    first_totals: list[int]
    second_totals: list[int]

    @classmethod
    def of(cls, ratings: Ratings, one: int = 0, two: int = 1, *, incomplete: str = "listwise") -> Confusion:
        """Compare two annotators on the items that both labelled.

        Parameters
        ----------
        one, two : int
            Positions of the annotators.
        incomplete : {"listwise", "available", "category"}
            What becomes of items that one of them left out, as in Cohen's kappa.
        """
        labels = ratings.labels
        code = np.full((len(ratings.multiplicities), 2), -1, dtype=np.int64)
        for column, annotator in enumerate((one, two)):
            rows = ratings.annotator == annotator
            code[ratings.profile[rows], column] = ratings.label[rows]
        if incomplete == "category":
            code[code < 0] = len(labels)
            labels = (*labels, "no label")
        both = (code >= 0).all(axis=1)
        cells, place = np.unique(code[both, 0] * len(labels) + code[both, 1], return_inverse=True)
        items = np.zeros(len(cells), dtype=np.int64)
        np.add.at(items, place.ravel(), ratings.multiplicities[both])
        totals = []
        for column in (0, 1):
            counted = code[:, column] >= 0 if incomplete == "available" else both
            totals.append(_tallied(code[counted, column], ratings.multiplicities[counted], len(labels)))
        return cls(labels, *np.divmod(cells, len(labels)), items, *totals)

    @property
    def total(self) -> int:
        """Items that both labelled."""
        return int(self.items.sum())

    @property
    def diagonal(self) -> list[int]:
        """Items that both gave the same label, by label."""
        same = self.first == self.second
        return _tallied(self.first[same], self.items[same], len(self.labels))

    def block(self, shown: Shown) -> list[list[int]]:
        """Return the cells of the rows and columns that are shown."""
        size = len(shown.names)
        cells = np.zeros((size, size), dtype=np.int64)
        np.add.at(cells, (shown.place[self.first], shown.place[self.second]), self.items)
        return cells.tolist()

    def by_weight(self, weights: Weights) -> list[int]:
        """Count items by the weight of their two labels."""
        return _tallied(weights.group[self.first, self.second], self.items, len(weights.values))

    def observed(self, weights: Weights | None) -> Fraction:
        """Return the share of items with the same label, or the mean weight."""
        if weights is None:
            return Fraction(sum(self.diagonal), self.total)
        return weights.weighted(self.by_weight(weights)) / self.total

    def expected(self, weights: Weights | None) -> Fraction:
        """Return the same for annotators who keep their totals and give labels at random."""
        pairs = sum(self.first_totals) * sum(self.second_totals)
        if weights is None:
            same = (one * two for one, two in zip(self.first_totals, self.second_totals, strict=True))
            return Fraction(sum(same), pairs)
        return weights.weighted(weights.products(self.first_totals, self.second_totals)) / pairs


def _tallied(places: Array, amounts: Array, size: int) -> list[int]:
    counted = np.zeros(size, dtype=np.int64)
    np.add.at(counted, places, amounts)
    return counted.tolist()


class Shares(Struct, frozen=True):
    """The share of each label: whole numbers over a common denominator.

    Parameters
    ----------
    by_size : list of (int, list of int)
        For each number of annotations an item may have, how many annotations of such items carry each label.
    n_items : int
        Items that the shares are a mean over.
    """

    numerators: list[int]
    denominator: int
    by_size: list[tuple[int, list[int]]]
    n_items: int

    @classmethod
    def mean_over_items(cls, items: Counts) -> Shares:
        """Average the label's share of an item's annotations over all items."""
        by_size = [(size, label_totals(part)) for size, part in _by_size(items)]
        common = math.lcm(*(size for size, _ in by_size))
        numerators = [
            sum(total * (common // size) for (size, _), total in zip(by_size, totals, strict=True))
            for totals in zip(*(totals for _, totals in by_size), strict=True)
        ]
        return cls(numerators, common * items.n_items, by_size, items.n_items)

    def chances(self, weights: Weights) -> list[int]:
        """Add up the chance of each pair of labels by its weight, over the squared denominator."""
        return weights.products(self.numerators, self.numerators)


def _by_size(items: Counts) -> Iterator[tuple[int, Counts]]:
    for size in np.unique(items.sizes):
        yield int(size), items.kept(items.sizes == size)


class ItemKinds(Struct, frozen=True):
    """Items with two or more annotations, by how many annotations gave them each label.

    Parameters
    ----------
    by_size : list of (int, Counts)
        The same, by their number of annotations.
    """

    items: Counts
    by_size: list[tuple[int, Counts]]

    @classmethod
    def of(cls, items: Counts) -> ItemKinds:
        """Leave out items with one annotation."""
        comparable = items.comparable()
        return cls(comparable, list(_by_size(comparable)))

    def agreeing(self, part: Counts) -> list[tuple[int, int]]:
        """Return (pairs that agree, items with so many), most pairs first."""
        pairs = (Identity().pairs(part.counts) / 2).astype(np.int64)
        values = np.unique(pairs)[::-1]
        return [(int(one), int(part.multiplicities[pairs == one].sum())) for one in values]

    def coincidences(self) -> tuple[list[int], int]:
        """Return how often each label is paired with itself, as numerators, and their denominator."""
        common = math.lcm(*(size - 1 for size, _ in self.by_size))
        diagonal = [0] * len(self.items.labels)
        for size, part in self.by_size:
            squares = part.counts**2 if isinstance(part.counts, np.ndarray) else part.counts.power(2)
            once = np.asarray(part.multiplicities @ (squares - part.counts)).ravel().tolist()
            diagonal = [old + new * (common // (size - 1)) for old, new in zip(diagonal, once, strict=True)]
        return diagonal, common

    def coincidence_block(self, shown: Shown) -> list[list[Fraction]]:
        """Return the coincidences of the rows and columns that are shown."""
        rows = len(shown.names)
        block = [[Fraction(0)] * rows for _ in range(rows)]
        for size, part in self.by_size:
            counts = _gathered(part.counts, shown)
            for i, row in enumerate(_pair_counts(counts, part.multiplicities)):
                for j, amount in enumerate(row):
                    block[i][j] += Fraction(amount, size - 1)
        return block

    def pairs_by_weight(self, part: Counts, weights: Weights) -> list[int]:
        """Count the ordered pairs of annotations of the same item by the weight of their labels."""
        counts = part.counts if isinstance(part.counts, np.ndarray) else part.counts.toarray()
        pairs = np.array(_pair_counts(counts, part.multiplicities), dtype=np.int64)
        return _tallied(weights.group.ravel(), pairs.ravel(), len(weights.values))


def _gathered(counts: Matrix, shown: Shown) -> Array:
    """Add up columns of labels to columns of rows that are shown."""
    members = np.zeros((len(shown.place), len(shown.names)), dtype=np.int64)
    members[np.arange(len(shown.place)), shown.place] = 1
    return np.asarray(counts @ members)


def _pair_counts(counts: Array, multiplicities: Array) -> list[list[int]]:
    """Count ordered pairs of annotations of the same item by their labels."""
    pairs = counts.T @ (counts * multiplicities[:, None])
    return (pairs - np.diag(multiplicities @ counts)).tolist()  # type: ignore[no-any-return]


class Weights(Struct, frozen=True):
    """How much each two labels count, as fractions.

    Parameters
    ----------
    values : list of Fraction
        The different weights.
    group : array (labels, labels)
        Which of them each two labels have.
    """

    values: list[Fraction]
    group: Array

    @classmethod
    def agreement(cls, agree: AgreementWeights, labels: int) -> Weights:
        """Take agreement weights: 1 for the same label, less for others."""
        first, second = _grid(labels)
        if isinstance(agree, Scores):
            # Squaring fractions loses nothing; the weights as floating-point numbers have lost it already.
            apart = cls._distinct(np.abs(agree.scores[first] - agree.scores[second]))
            span = rational(float(agree.span))
            return cls([1 - (value / span) ** 2 for value in apart.values], apart.group)
        return cls._distinct(agree.of(first, second))

    @classmethod
    def distance(cls, agree: AgreementWeights, labels: int) -> Weights:
        """Take distances: squared differences on a scale, else one less the agreement weight."""
        if isinstance(agree, Scores):
            first, second = _grid(labels)
            apart = cls._distinct(np.abs(agree.scores[first] - agree.scores[second]))
            return cls([value**2 for value in apart.values], apart.group)
        near = cls.agreement(agree, labels)
        return cls([1 - value for value in near.values], near.group)

    @classmethod
    def _distinct(cls, matrix: Array) -> Weights:
        scale = float(np.abs(matrix).max()) or 1.0
        _, where, group = np.unique(np.round(matrix / scale, 12), return_index=True, return_inverse=True)
        flat = matrix.ravel()
        return cls([rational(float(flat[i])) for i in where], group.reshape(matrix.shape))

    def of(self, first: int, second: int) -> Fraction:
        """Return the weight of two labels."""
        return self.values[int(self.group[first, second])]

    def weighted(self, amounts: Sequence[int]) -> Fraction:
        """Add up amounts, one for each different weight, times their weight."""
        return sum((value * amount for value, amount in zip(self.values, amounts, strict=True)), Fraction(0))

    @property
    def total(self) -> Fraction:
        """Sum of the weights of all pairs of labels."""
        return self.weighted([int(one) for one in np.bincount(self.group.ravel(), minlength=len(self.values))])

    def products(self, first: Sequence[int], second: Sequence[int]) -> list[int]:
        """Multiply each number of the one with each of the other list and add up by weight."""
        found = [0] * len(self.values)
        for amount, row in zip(first, self.group.tolist(), strict=True):
            for other, place in zip(second, row, strict=True):
                found[place] += amount * other
        return found


def _grid(labels: int) -> Any:
    if labels > EXPLAINED_WEIGHTS:
        raise UnsuitableData(
            f"There are {labels:,} different labels, and weights compare each with each: "
            f"this can be explained for up to {EXPLAINED_WEIGHTS:,}."
        )
    return np.indices((labels, labels))


def rational(number: float) -> Fraction:
    """Return the simple fraction that a floating-point number stands for, or else the number as it is.

    Examples
    --------
    >>> rational(2 / 3), rational(0.1)
    (Fraction(2, 3), Fraction(1, 10))
    >>> rational(2**0.5) == 2**0.5
    True
    """
    simple = Fraction(number).limit_denominator(10_000)
    near = abs(simple - Fraction(number)) <= Fraction(1, 10**13) * max(Fraction(1), abs(simple))
    return simple if near else Fraction(number)
