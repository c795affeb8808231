"""Label sets drawn by chance, by listing every draw: two loops over all orders, no exponential times and no integral.

Numbers may be floats or fractions; fractions make every answer exact.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

Number: TypeAlias = float | Fraction
LabelSet: TypeAlias = frozenset[int]
Drawn: TypeAlias = tuple[Number, ...]


class Scores(NamedTuple):
    """Agreement of sets."""

    match: Number
    precision: Number
    recall: Number
    f1: Number


def orders(p: Sequence[Number], size: int) -> Iterator[tuple[tuple[int, ...], Number]]:
    """Every way to draw `size` different labels one after the other, with its probability.

    Once no label is left that can be drawn, drawing ends.
    """
    left = [c for c, share in enumerate(p) if share]
    if size == 0 or not left:
        yield (), 1
        return
    total = sum(p[c] for c in left)
    for c in left:
        for rest, probability in orders([0 if d == c else share for d, share in enumerate(p)], size - 1):
            yield (c, *rest), p[c] / total * probability


def sets(p: Sequence[Number], size: int) -> dict[LabelSet, Number]:
    """Every set of `size` labels that can be drawn, with its probability."""
    found: dict[LabelSet, Number] = {}
    for order, probability in orders(p, size):
        found[frozenset(order)] = found.get(frozenset(order), 0) + probability
    return found


def inclusion(p: Sequence[Number], size: int) -> list[Number]:
    """How likely each label is in a set of `size` labels."""
    drawn = sets(p, size).items()
    return [sum((probability for labels, probability in drawn if c in labels), start=0) for c in range(len(p))]


def disjoint(p: Sequence[Number], q: Sequence[Number], first: int, second: int) -> Number:
    """How likely a set of `first` and a set of `second` labels have none in common."""
    return sum(
        (a * b for one, a in sets(p, first).items() for two, b in sets(q, second).items() if not one & two), start=0
    )


def compare(one: LabelSet, two: LabelSet) -> Scores:
    """How much two sets agree: fully if both are empty, not at all if one is."""
    return _of_sizes(len(one), len(two), len(one & two))


@functools.cache
def _of_sizes(one: int, two: int, common: int) -> Scores:
    if not one and not two:
        return Scores(1, 1, 1, 1)
    if not one or not two:
        return Scores(0, 0, 0, 0)
    return Scores(
        match=int(common > 0),
        precision=Fraction(common, one),
        recall=Fraction(common, two),
        f1=Fraction(2 * common, one + two),
    )


def average(first: dict[LabelSet, Number], second: dict[LabelSet, Number]) -> Scores:
    """The mean agreement of two sets from two distributions of sets."""
    weights: dict[Scores, Number] = {}
    for one, a in first.items():
        for two, b in second.items():
            scores = compare(one, two)
            weights[scores] = weights.get(scores, 0) + a * b
    return Scores(*(sum((weight * scores[i] for scores, weight in weights.items()), start=0) for i in range(4)))


def expected(p: Sequence[Number], q: Sequence[Number], sizes_p: Sequence[Number], sizes_q: Sequence[Number]) -> Scores:
    """The mean agreement of two sets drawn by chance, with sizes drawn by chance."""
    return _expected(tuple(p), tuple(q), tuple(sizes_p), tuple(sizes_q))


# Each of the four scores is asked for by itself.
@functools.lru_cache(16)
def _expected(p: Drawn, q: Drawn, sizes_p: Drawn, sizes_q: Drawn) -> Scores:

    def mixed(shares: Sequence[Number], sizes: Sequence[Number]) -> dict[LabelSet, Number]:
        found: dict[LabelSet, Number] = {}
        for size, share in enumerate(sizes):
            for labels, probability in sets(shares, size).items() if share else ():
                found[labels] = found.get(labels, 0) + share * probability
        return found

    return average(mixed(p, sizes_p), mixed(q, sizes_q))
