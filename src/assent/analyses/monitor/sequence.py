"""Agreement so far, how sure it is at every moment, and when that settles the question of a target."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from assent.errors import OptionError, choose
from assent.inference.betting import GRID, METHODS, HedgedCapital, log_capital, mixture_interval
from assent.profiles import Array
from assent.records import Struct

__all__ = ["Crossing", "SequenceSoFar", "Standing", "checked_level", "checked_target"]

#: How the sequence stands to a target: all of it below, all of it above, or the target within it.
Standing = Literal["below", "above", "undecided"]
#: Items taken in one go, to bound memory.
_BLOCK = 50_000
_NAMES: tuple[Standing, ...] = ("undecided", "below", "above")


class Crossing(Struct, frozen=True):
    """The sequence came to lie below or above the target as a whole."""

    n_items: int
    standing: Standing


class SequenceSoFar:
    """A confidence sequence that grows with the stream.

    Parameters
    ----------
    method : {"mixture", "betting"}
    target : float or None
        A share of items that agree; it is not corrected for chance.
    pool : int, optional
        The items are drawn at random from so many, and the sequence is about all of these; by betting alone.
    """

    def __init__(
        self,
        *,
        level: float = 0.95,
        method: str = METHODS[0],
        target: float | None = None,
        pool: int | None = None,
    ) -> None:
        if pool is not None and pool < 1:
            raise OptionError(f"`of` is {pool}; it is how many items there are in all, 1 or more.")
        if pool is not None:
            method = "betting"
        self.pool = pool
        self.level = checked_level(level)
        self.method = choose("method", method, METHODS)
        self.target = None if target is None else checked_target(target)
        self.totals: Array = np.zeros(1)
        self.crossings: list[Crossing] = []
        self.standing: Standing = "undecided"
        self._betting = (
            HedgedCapital(level, GRID if target is None else np.union1d(GRID, target), pool=pool)
            if method == "betting"
            else None
        )
        self._low: list[Array] = []
        self._high: list[Array] = []

    @property
    def n_items(self) -> int:
        """Items so far."""
        return len(self.totals) - 1

    def extend(self, values: Array) -> None:
        """Take the values of more items: (items,) of 0 and 1."""
        for start in range(0, len(values), _BLOCK):
            self._extend(values[start : start + _BLOCK])

    def _extend(self, values: Array) -> None:
        before = self.n_items
        self.totals = np.append(self.totals, self.totals[-1] + np.cumsum(values, dtype=np.float64))
        if self.pool is not None and self.n_items > self.pool:
            raise OptionError(
                f"`of` says that there are {self.pool:,} items in all, and {self.n_items:,} have two annotations: give a larger number."
            )
        if self._betting is not None:
            low, high = self._betting.play(values)
            self._low.append(low)
            self._high.append(high)
        if self.target is not None:
            self._stand(self.target, np.arange(before + 1, self.n_items + 1))

    def _stand(self, target: float, items: Array) -> None:
        """Find where the sequence stands to the target after each of these numbers of items."""
        if self._betting is not None:
            # The ends of this sequence are refuted themselves.
            side = np.where(self._high[-1] <= target, 1, np.where(self._low[-1] >= target, 2, 0))
        else:
            refuted = log_capital(self.totals[items], items, target) >= -math.log(1.0 - self.level)
            side = np.where(refuted, np.where(self.totals[items] < target * items, 1, 2), 0)
        self.standing = _NAMES[side[-1]]
        turns = np.flatnonzero(np.diff(side, prepend=0) != 0)
        for place in turns[side[turns] != 0].tolist():
            standing = _NAMES[side[place]]
            # Only news: a sequence that touches the target and falls back has not changed sides.
            if not self.crossings or self.crossings[-1].standing != standing:
                self.crossings.append(Crossing(int(items[place]), standing))

    def agreement(self, items: Array) -> Array:
        """Return the share of items that agree after these numbers of items: (points,)."""
        return np.asarray(self.totals[items] / items)

    def interval(self, items: Array) -> tuple[Array, Array]:
        """Return the sequence after these numbers of items: (points,) each."""
        if self._betting is None:
            return mixture_interval(self.totals[items], items, self.level)
        self._low, self._high = [np.concatenate(self._low)], [np.concatenate(self._high)]
        return self._low[0][items - 1], self._high[0][items - 1]

    def moving(self, items: Array, window: int) -> Array:
        """Return the share that agrees among the last `window` items after these numbers of items; NaN before there are so many."""
        enough = items >= window
        start = np.where(enough, items - window, 0)
        return np.where(enough, (self.totals[items] - self.totals[start]) / window, np.nan)


def checked_level(level: float) -> float:
    """Refuse what is no confidence level."""
    if not 0 < level < 1:
        raise OptionError(f"The confidence level is {level}; it must lie between 0 and 1, as 0.95 does.")
    return level


def checked_target(target: float) -> float:
    """Refuse what is no share of items."""
    if not 0 < target < 1:
        raise OptionError(
            f"The target is {target:g}; it is a share of items that agree, so it must lie between 0 and 1, as 0.8 does."
        )
    return target
