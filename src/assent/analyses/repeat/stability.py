"""How often two majorities of k runs differ.

From 2k runs or more of an item it is estimated without bias and without a model: the mean over all ways to draw two sets of k
runs that share none. Beyond half the runs a model must stand in: chances of a label that follow a beta distribution over items.
The flip rate alone does not say: chances near one half stay unstable for any k, chances near 0.95 are settled by three runs.

A set of runs without one most frequent label settles the tie by a fair draw.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from assent.limits import PAIRS_OF_RUNS
from assent.profiles import Array

__all__ = ["beta_majority_change", "majority_change", "runs_for_reliability", "spearman_brown"]


@lru_cache(maxsize=4096)
def majority_change(counts: tuple[int, ...], k: int) -> float | None:
    """Return the chance that two majorities of k runs each differ, over all ways to draw the runs of an item.

    Parameters
    ----------
    counts : tuple of int
        How many runs gave each label.

    Returns
    -------
    float, or None if it would take too long: many runs with many labels.

    Examples
    --------
    >>> majority_change((3, 1), 1)
    0.5
    >>> majority_change((2, 2, 2), 1) == 1 - 3 * 2 / (6 * 5)
    True
    """
    runs = sum(counts)
    counts = tuple(sorted((one for one in counts if one), reverse=True))
    if len(counts) == 1:
        return 0.0
    if math.comb(k + len(counts) - 1, k) ** 2 > PAIRS_OF_RUNS:
        return None
    same = 0.0
    for first in _parts(counts, k):
        ways = math.prod(map(math.comb, counts, first))
        left = tuple(n - a for n, a in zip(counts, first, strict=True))
        mine = _top(first)
        agree = sum(math.prod(map(math.comb, left, second)) * float(mine @ _top(second)) for second in _parts(left, k))
        same += ways * agree
    return 1.0 - same / (math.comb(runs, k) * math.comb(runs - k, k))


def _parts(counts: Sequence[int], k: int) -> Iterator[tuple[int, ...]]:
    """Return all ways to take k of so many of each kind."""
    if len(counts) == 1:
        if k <= counts[0]:
            yield (k,)
        return
    rest = sum(counts[1:])
    for taken in range(max(0, k - rest), min(k, counts[0]) + 1):
        for others in _parts(counts[1:], k - taken):
            yield (taken, *others)


@lru_cache(maxsize=65536)
def _top(counts: tuple[int, ...]) -> Array:
    """Return how likely each label is the majority: 1, or a fair share of a tie."""
    held = np.asarray(counts)
    most = held == held.max()
    return np.asarray(most / most.sum())


def beta_majority_change(a: float, b: float, k: int) -> float:
    """Return the chance that two majorities of k runs differ if the chance of the label is Beta(a, b) over items.

    Examples
    --------
    >>> round(beta_majority_change(1, 1, 1), 6)
    0.333333
    """
    from scipy.special import betaln

    few, many = np.arange((k + 1) // 2), np.arange((k + 1) // 2, k + 1)
    ways = np.array([math.comb(k, i) for i in range(k + 1)], dtype=np.float64)
    ones = few[:, None] + many[None, :]
    chance = np.exp(betaln(a + ones, b + 2 * k - ones) - betaln(a, b))
    return float(2.0 * (ways[few][:, None] * ways[many][None, :] * chance).sum())


def fitted_majority_change(share: float, flips: float, k: int) -> float:
    """Return the same for the beta distribution that has this mean and this flip rate; NaN if there is none."""
    if flips <= 0.0 or share <= 0.0 or share >= 1.0:
        return 0.0 if flips <= 0.0 else math.nan
    spread = flips / (2.0 * share * (1.0 - share))
    if spread >= 1.0 - 1e-9:
        # Items are no more different than chance makes them: all have the same chance.
        wins = sum(math.comb(k, i) * share**i * (1.0 - share) ** (k - i) for i in range((k + 1) // 2, k + 1))
        return 2.0 * wins * (1.0 - wins)
    total = spread / (1.0 - spread)
    return beta_majority_change(total * share, total * (1.0 - share), k)


def spearman_brown(reliability: float, runs: float) -> float:
    """Return the reliability of the mean of several runs from that of one: for scores, not for verdicts.

    Examples
    --------
    >>> round(spearman_brown(0.4, 2), 4)
    0.5714
    """
    return runs * reliability / (1.0 + (runs - 1.0) * reliability)


def runs_for_reliability(reliability: float, target: float) -> float:
    """Return how many runs a mean score needs to be as reliable as the target: for scores, not for verdicts.

    Examples
    --------
    >>> round(runs_for_reliability(0.4, 0.8), 6)
    6.0
    """
    return target * (1.0 - reliability) / (reliability * (1.0 - target))
