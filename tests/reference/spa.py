"""Sparse probability of agreement, Norregaard & Derczynski (2022), with the variance by full enumeration."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import factorial

from .tables import UNDEFINED, Components, Label, Number, Rows, given, multiplicities, vocabulary

SCHEMES = ("flat", "annotations", "annotations-m1", "edges", "inv-var", "inv-var-class")
CHANCE = ("none", "naive", "cross-item")


def item_agreement(counts: Sequence[int]) -> Fraction:
    """Eq. 7: the share of ordered pairs of an item's annotations that agree."""
    n = sum(counts)
    return Fraction(sum(c * (c - 1) for c in counts), n * (n - 1))


def compositions(n: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All ways to write n as an ordered sum of `parts` non-negative integers."""
    if parts == 1:
        yield (n,)
        return
    for first in range(n + 1):
        for rest in compositions(n - first, parts - 1):
            yield (first, *rest)


def agreement_variance(n: int, probabilities: Sequence[Number]) -> Number:
    """Variance of an item's agreement: n independent annotations from `probabilities`, all enumerated."""
    mean: Number = Fraction(0)
    square: Number = Fraction(0)
    for counts in compositions(n, len(probabilities)):
        chance: Number = Fraction(factorial(n))
        for count, p in zip(counts, probabilities, strict=True):
            chance = chance * p**count / factorial(count)
        agreement = item_agreement(counts)
        mean, square = mean + chance * agreement, square + chance * agreement**2
    return square - mean**2


def spa(
    rows: Rows,
    *,
    scheme: str = "flat",
    chance: str = "none",
    labels: Sequence[Label] | None = None,
    times: Sequence[Number] | None = None,
) -> Components:
    """The weighted mean of the items' agreement; items with fewer than two annotations have weight 0.

    inv-var takes every label of the vocabulary as equally likely, inv-var-class as likely as among all
    annotations of items that have two or more. `chance`: "naive" expects sum p_c^2 of the pooled labels, "cross-item" the
    agreement of two annotations of different items.
    """
    names, n = vocabulary(rows, labels), multiplicities(rows, times)
    counts = [[given(row).count(name) for name in names] for row in rows]
    pooled: list[Number] = [Fraction(0)] * len(names)
    for line, t in ((line, t) for line, t in zip(counts, n, strict=True) if sum(line) >= 2):
        pooled = [p + t * c for p, c in zip(pooled, line, strict=True)]
    annotations = sum(pooled, start=Fraction(0))
    if annotations == 0:
        return UNDEFINED
    share = [p / annotations for p in pooled]

    variance: dict[int, Number] = {}
    if scheme in ("inv-var", "inv-var-class"):
        uniform: list[Number] = [Fraction(1, len(names))] * len(names)
        for m in {sum(line) for line in counts if sum(line) >= 2}:
            variance[m] = agreement_variance(m, uniform if scheme == "inv-var" else share)

    def weight(m: int) -> Number:
        if m < 2:
            return Fraction(0)
        if scheme in ("inv-var", "inv-var-class"):
            return Fraction(1) if variance[m] == 0 else 1 / variance[m]  # one label: all agree, weights are moot
        return {
            "flat": Fraction(1),
            "annotations": Fraction(m),
            "annotations-m1": Fraction(m - 1),
            "edges": Fraction(m * (m - 1), 2),
        }[scheme]

    total: Number = Fraction(0)
    weights: Number = Fraction(0)
    for line, t in zip(counts, n, strict=True):
        k = weight(sum(line))
        if k != 0:
            total, weights = total + t * k * item_agreement(line), weights + t * k
    if weights == 0:
        return UNDEFINED
    return Components(total / weights, expected_agreement(counts, n, chance))


def expected_agreement(counts: Sequence[Sequence[int]], times: Sequence[Number], chance: str) -> Number | None:
    """0, sum_c p_c^2, or the agreement of pairs of annotations taken from different items."""
    if chance == "none":
        return Fraction(0)
    pooled: list[Number] = [Fraction(0)] * len(counts[0])
    same: Number = Fraction(0)
    own: Number = Fraction(0)
    for line, t in zip(counts, times, strict=True):
        pooled = [p + t * c for p, c in zip(pooled, line, strict=True)]
        same = same + t * sum(c * c for c in line)
        own = own + t * sum(line) ** 2
    total = sum(pooled, start=Fraction(0))
    squares = sum((p * p for p in pooled), start=Fraction(0))
    if chance == "naive":
        return squares / total**2
    return None if total**2 == own else (squares - same) / (total**2 - own)
