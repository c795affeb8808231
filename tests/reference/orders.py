"""Slow, literal versions of what compares orders: loops over objects and over ways to break ties."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product

#: Tie groups from the first to the last.
Order = Sequence[Sequence[str]]


def mean_ranks(values: Sequence[float]) -> list[float]:
    return [sum(b < a for b in values) + (sum(b == a for b in values) + 1) / 2 for a in values]


def pearson(x: Sequence[float], y: Sequence[float]) -> float:
    mx, my = sum(x) / len(x), sum(y) / len(y)
    xx, yy = sum((a - mx) ** 2 for a in x), sum((b - my) ** 2 for b in y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y, strict=True)) / math.sqrt(xx * yy) if xx * yy else math.nan


def rho(x: Sequence[float], y: Sequence[float]) -> float:
    return pearson(mean_ranks(x), mean_ranks(y))


def tau_b(x: Sequence[float], y: Sequence[float]) -> float:
    pairs = list(combinations(range(len(x)), 2))
    signs = [((x[i] > x[j]) - (x[i] < x[j]), (y[i] > y[j]) - (y[i] < y[j])) for i, j in pairs]
    below = sum(a != 0 for a, _ in signs) * sum(b != 0 for _, b in signs)
    return sum(a * b for a, b in signs) / math.sqrt(below) if below else math.nan


def w(columns: Sequence[Sequence[float]]) -> float:
    """Kendall's W with ties by Kendall's formula; `columns` are annotators."""
    m, n = len(columns), len(columns[0])
    ranks = [mean_ranks(one) for one in columns]
    sums = [sum(rank[i] for rank in ranks) for i in range(n)]
    s = sum((one - m * (n + 1) / 2) ** 2 for one in sums)
    ties = sum(rank.count(value) ** 3 - rank.count(value) for rank in ranks for value in set(rank))
    below = m * m * (n**3 - n) - m * ties
    return 12 * s / below if below else math.nan


def broken(order: Order) -> Iterator[list[str]]:
    """Every way to break the ties of an order."""
    for way in product(*(permutations(group) for group in order)):
        yield [one for group in way for one in group]


def rbo_ext_without_ties(x: Sequence[str], y: Sequence[str], p: float) -> float:
    """Webber, Moffat and Zobel's extrapolated overlap (their equation 32), summed depth by depth."""
    short, long = sorted((x, y), key=len)
    s, far = len(short), len(long)
    common = [len({*short[:d]} & {*long[:d]}) for d in range(far + 1)]
    total = sum(common[d] / d * p**d for d in range(1, far + 1))
    total += sum(common[s] * (d - s) / (s * d) * p**d for d in range(s + 1, far + 1))
    return (1 - p) / p * total + ((common[far] - common[s]) / far + common[s] / s) * p**far


def tau_ap(truth: Sequence[str], estimate: Sequence[str]) -> float:
    place = {one: at for at, one in enumerate(truth)}
    n = len(estimate)
    shares = [sum(place[b] < place[estimate[i]] for b in estimate[:i]) / i for i in range(1, n)]
    return 2 * sum(shares) / (n - 1) - 1
