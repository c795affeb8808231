"""Permutation test of "no agreement beyond chance"."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, Self, TypeVar

import numpy as np

__all__ = ["permutation_p_value"]


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
