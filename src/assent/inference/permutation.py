"""Permutation tests: of "no agreement beyond chance", and of "the two groups do not differ".

References
----------
Besag, J. and Clifford, P. (1991). Sequential Monte Carlo p-values. Biometrika 78(2), 301-304. https://doi.org/10.1093/biomet/78.2.301
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, Self, TypeVar

import numpy as np

from assent.inference.derivatives import CHUNK, Statistic
from assent.profiles import Array, Matrix, Multiplicities

__all__ = ["membership_p_value", "permutation_p_value", "swapping_p_value"]


class _Shuffles(Protocol):
    def shuffled(self, rng: np.random.Generator) -> Self: ...


Profiles = TypeVar("Profiles", bound=_Shuffles)


def permutation_p_value(
    statistic: Callable[[Profiles], float], profiles: Profiles, value: float, *, permutations: int, seed: int
) -> float:
    """Return how often labels dealt to items at random agree at least as much as they do in the data.

    The data are counted as one of the permutations, so the p-value is never 0 and the test keeps its level:
    ``(1 + how many permutations reach the value) / (1 + permutations)``.
    """
    rng = np.random.default_rng(seed)
    # Dealt labels may give the very value of the data; rounding must not decide whether they reach it.
    enough = value - 1e-12 * max(1.0, abs(value))
    reached = sum(statistic(profiles.shuffled(rng)) >= enough for _ in range(permutations))
    return (1 + reached) / (1 + permutations)


#: Draws that reach the observed difference after which it is known not to be a rare one.
ENOUGH_REACHED = 20
#: Differences that are the same but for rounding.
SAME = 1e-12


def membership_p_value(
    statistic: Statistic,
    first: Array,
    second: Array,
    units: tuple[Matrix, Matrix] | None = None,
    *,
    permutations: int,
    seed: int,
) -> float:
    """Return how often two groups to which items are dealt at random differ at least as much as these do.

    If the groups do not differ, it is chance which items are in which of them. A group of few items that all agree is then no
    proof: such groups are dealt often enough.

    Parameters
    ----------
    first, second : array (profiles,)
        How many items of each profile are in either group.
    units : tuple of matrix (units, profiles), optional
        How many items of each profile belong to each unit of either group: whole units are dealt.
    permutations : int
        At most so many; a difference that many of the first ones reach needs no more.
    """
    pooled, size = (first + second).astype(np.int64), int(first.sum())
    groups = [] if units is None else [_dense(one) for one in units]
    rows = np.concatenate(groups) if groups else None

    def dealt(rng: np.random.Generator, count: int) -> tuple[Array, Array]:
        if rows is None:
            mine = rng.multivariate_hypergeometric(pooled, size, size=count, method="marginals").astype(np.float64)
        else:
            order = np.argsort(rng.random((count, len(rows))), axis=1)[:, : len(groups[0])]
            chosen = np.zeros((count, len(rows)))
            np.put_along_axis(chosen, order, 1.0, axis=1)
            mine = chosen @ rows
        return mine, pooled - mine

    observed = first.astype(np.float64), second.astype(np.float64)
    return _difference_p_value(statistic, observed, dealt, permutations, seed)


def swapping_p_value(
    statistic: Statistic,
    first: Matrix,
    second: Matrix,
    times: Array,
    units: Matrix | None = None,
    *,
    permutations: int,
    seed: int,
) -> float:
    """Return how often two groups who annotated the same items differ so much if on each item chance says who is who.

    Parameters
    ----------
    first, second : matrix (pairs, profiles)
        1 where the item has the profile in either group.
    times : array (pairs,)
        How many items have each pair of profiles.
    units : matrix (units, pairs), optional
        How many items of each pair belong to each unit: whole units are swapped.
    """
    times = times.astype(np.int64)

    def dealt(rng: np.random.Generator, count: int) -> tuple[Array, Array]:
        if units is None:
            swapped = rng.binomial(times, 0.5, size=(count, len(times))).astype(np.float64)
        else:
            swapped = np.asarray(rng.integers(0, 2, size=(count, units.shape[0])) @ units, dtype=np.float64)
        kept = times - swapped
        return np.asarray(kept @ first + swapped @ second), np.asarray(kept @ second + swapped @ first)

    observed = np.asarray(times @ first, dtype=np.float64), np.asarray(times @ second, dtype=np.float64)
    return _difference_p_value(statistic, observed, dealt, permutations, seed)


def _difference_p_value(
    statistic: Statistic,
    observed: tuple[Array, Array],
    dealt: Callable[[np.random.Generator, int], tuple[Array, Array]],
    permutations: int,
    seed: int,
) -> float:
    """Deal, block by block, until the answer is known; the data are one of the ways to deal (Besag and Clifford 1991)."""

    def differences(mine: Array, others: Array) -> Array:
        return np.asarray(np.abs(statistic(Multiplicities(mine)) - statistic(Multiplicities(others))))

    enough = float(differences(*(one[None, :] for one in observed))[0]) - SAME
    if np.isnan(enough):
        return float("nan")
    rng = np.random.default_rng(seed)
    block = max(1, min(100, CHUNK // max(1, len(observed[0]))))
    reached = done = 0
    while done < permutations and reached < ENOUGH_REACHED:
        found = differences(*dealt(rng, min(block, permutations - done)))
        # A group that was dealt one label has no value, which says nothing either way.
        defined = found[~np.isnan(found)]
        done += len(found)
        reached += int(np.count_nonzero(defined >= enough)) + len(found) - len(defined)
    return (1 + reached) / (1 + done)


def _dense(matrix: Matrix) -> Array:
    return matrix if isinstance(matrix, np.ndarray) else np.asarray(matrix.toarray())
