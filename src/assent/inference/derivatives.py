"""Influence: what a statistic does when an item counts a little more.

It is the derivative of the statistic in the item's weight. A statistic reaches the weights only through totals, so its
derivative is taken in these few totals (by complex steps, which are exact to rounding) and carried to the items by the
chain rule: the cost is that of a few hundred evaluations of a formula, not of one evaluation per item. Where there are
fewer profiles than totals, each profile's weight is moved instead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from assent.errors import OptionError
from assent.limits import MOST_TOTALS
from assent.profiles import Array, Matrix, Weighting

__all__ = ["CHUNK", "Recorder", "Statistic", "influence"]

#: Numbers held at once while replicates are evaluated: 64 MB.
CHUNK = 8_000_000
#: So small a step that its square is nothing beside 1, and no difference of near numbers is ever taken.
STEP = 1e-40

#: A function of the weights of items, smooth in them and vectorised over replicates.
Statistic: TypeAlias = Callable[[Weighting], Array]


@dataclass(eq=False)
class Recorder:
    """Answers totals as they are, and remembers what was asked."""

    weights: Array
    terms: list[Matrix] = field(default_factory=list)
    totals: list[Array] = field(default_factory=list)
    varying: bool = False

    def total(self, terms: Matrix) -> Array:
        """Sum `terms` over items."""
        self.terms.append(terms)
        self.totals.append(np.asarray(self.weights @ terms))
        return self.totals[-1]

    def total_varying(self, terms: Array) -> Array:
        """Sum `terms` over items: in one replicate they are like any others."""
        self.varying = True
        return self.total(terms)

    @property
    def width(self) -> int:
        """How many numbers the statistic asked for."""
        return sum(max(1, total.size) for total in self.totals)


@dataclass(eq=False)
class _Stepper:
    """Answers the same totals, in each replicate with another one of them moved by an imaginary step."""

    weights: Array
    totals: list[Array]
    rows: range
    asked: int = 0
    first: int = 0

    def _moved(self, base: Array, width: int) -> Array:
        moved = np.array(
            np.broadcast_to(base, (len(self.rows), *base.shape[-1:])) if base.ndim else base, dtype=complex
        )
        for column in range(max(self.first, self.rows.start), min(self.first + width, self.rows.stop)):
            moved[column - self.rows.start, column - self.first] += STEP * 1j
        self.first += width
        self.asked += 1
        return moved

    def total(self, terms: Matrix) -> Array:
        base = self.totals[self.asked]
        if base.ndim == 0:
            return self._moved(base.reshape(1), 1)[:, 0]
        return self._moved(base, base.shape[0])

    def total_varying(self, terms: Array) -> Array:
        # The terms depend on totals that moved before, so they are summed anew.
        moved = np.asarray(
            np.broadcast_to(terms, (len(self.rows), self.weights.shape[0])) @ self.weights, dtype=complex
        )
        here = self.first - self.rows.start
        if 0 <= here < len(self.rows):
            moved[here] += STEP * 1j
        self.first += 1
        self.asked += 1
        return moved


@dataclass(frozen=True, eq=False)
class _Nudged:
    """Totals with the weight of one profile moved by an imaginary step, for each of a range of profiles."""

    weights: Array
    rows: slice

    def total(self, terms: Matrix) -> Array:
        moved = terms[self.rows]
        dense = moved if isinstance(moved, np.ndarray) else moved.toarray()
        return np.asarray(self.weights @ terms + STEP * 1j * dense)

    def total_varying(self, terms: Array) -> Array:
        every = np.broadcast_to(terms, (self.rows.stop - self.rows.start, len(self.weights)))
        own = every[np.arange(len(every)), np.arange(len(self.weights))[self.rows]]
        return np.asarray(every @ self.weights + STEP * 1j * own)


def influence(statistic: Statistic, multiplicities: Array) -> Array:
    """Return the derivative of `statistic` in the weight of an item of each profile: (profiles,)."""
    weights = np.asarray(multiplicities, dtype=np.float64)
    recorder = Recorder(weights)
    statistic(recorder)
    width = recorder.width
    if min(len(weights), width) * width > MOST_TOTALS**2:
        raise OptionError(
            f"An analytic interval (or one by tilted weights) would need the derivative in {width:,} totals (annotators times labels), "
            f"more than {MOST_TOTALS:,}: use the bootstrap (`ci` bootstrap), or none (`ci` none)."
        )
    if len(weights) < width:
        return _moved_one_by_one(statistic, weights, width)
    gradient = np.empty(width)
    # Only terms that vary with the totals are held for every profile in every row; a complex number is two.
    step = max(1, CHUNK // (max(width, len(weights)) if recorder.varying else 2 * width))
    for start in range(0, width, step):
        rows = range(start, min(start + step, width))
        moved = statistic(_Stepper(weights, recorder.totals, rows))
        gradient[rows.start : rows.stop] = np.imag(moved) / STEP
    result = np.zeros(len(weights))
    first = 0
    for terms, total in zip(recorder.terms, recorder.totals, strict=True):
        if total.ndim == 0:
            result += np.asarray(terms) * gradient[first]
        else:
            result += np.asarray(terms @ gradient[first : first + total.size])
        first += max(1, total.size)
    return result


def _moved_one_by_one(statistic: Statistic, weights: Array, width: int) -> Array:
    """Take the derivative in the weight of each profile directly."""
    step = max(1, CHUNK // max(width, len(weights)))
    blocks = [slice(start, min(start + step, len(weights))) for start in range(0, len(weights), step)]
    return np.concatenate([np.imag(statistic(_Nudged(weights, block))) / STEP for block in blocks])
