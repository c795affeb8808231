"""Influence: what a statistic does when an item counts a little more.

It is the derivative of the statistic in the item's weight. A statistic reaches the weights only through totals, so its
derivative is taken in these few totals (by complex steps, which are exact to rounding) and carried to the items by the
chain rule: the cost is that of a few hundred evaluations of a formula, not of one evaluation per item. Where there are
fewer profiles than totals, each profile's weight is moved instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from msgspec import field

from assent.errors import OptionError
from assent.limits import MOST_TOTALS
from assent.profiles import Array, Terms, Weighting
from assent.records import Struct

__all__ = ["CHUNK", "KnownInfluence", "PartedStatistic", "Recorder", "Statistic", "influence"]

#: Numbers held at once while replicates are evaluated: 64 MB.
CHUNK = 8_000_000
#: So small a step that its square is nothing beside 1, and no difference of near numbers is ever taken.
STEP = 1e-40
#: The weights of so few profiles are moved all at once, without asking first which totals there are.
FEW_PROFILES = 64

#: A function of the weights of items, smooth in them and vectorised over replicates.
Statistic: TypeAlias = Callable[[Weighting], Array]


class Recorder(Struct, eq=False):
    """Answers totals as they are, and remembers what was asked."""

    weights: Array
    terms: list[Terms] = field(default_factory=list)
    totals: list[Array] = field(default_factory=list)
    varying: bool = False

    def total(self, terms: Terms) -> Array:
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


class _Stepper(Struct, eq=False):
    """Answers the same totals, in each replicate with another one of them moved by an imaginary step."""

    weights: Array
    totals: list[Array]
    rows: range
    asked: int = 0
    first: int = 0

    def _moved(self, base: Array, width: int) -> Array:
        moved = np.repeat(base[None, :].astype(complex), len(self.rows), axis=0)
        for column in range(max(self.first, self.rows.start), min(self.first + width, self.rows.stop)):
            moved[column - self.rows.start, column - self.first] += STEP * 1j
        self.first += width
        self.asked += 1
        return moved

    def total(self, terms: Terms) -> Array:
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


class _TooWide(Exception):
    """More totals than can be moved at once."""


class _Nudged(Struct, frozen=True, eq=False):
    """Totals with the weight of one profile moved by an imaginary step, for each of a range of profiles and each way to weigh them."""

    weights: Array
    rows: slice
    most: float = math.inf

    def total(self, terms: Terms) -> Array:
        moved = terms[self.rows]
        if moved.shape[-1] * moved.shape[0] > self.most:
            raise _TooWide
        dense = moved if isinstance(moved, np.ndarray) else moved.toarray()
        base = np.asarray(self.weights @ terms)
        if self.weights.ndim > 1:
            base = base[:, None]
        return np.asarray(base + STEP * 1j * dense).reshape(-1, *dense.shape[1:])

    def total_varying(self, terms: Array) -> Array:
        ways, profiles = self.weights.reshape(-1, self.weights.shape[-1]).shape
        number = self.rows.stop - self.rows.start
        every = np.broadcast_to(terms, (ways * number, profiles)).reshape(ways, number, profiles)
        own = every[:, np.arange(number), np.arange(profiles)[self.rows]]
        return np.asarray((every @ self.weights.reshape(ways, profiles, 1))[..., 0] + STEP * 1j * own).ravel()


class KnownInfluence(Struct, frozen=True, eq=False):
    """A statistic whose derivative is known, such as one that is made of others.

    Parameters
    ----------
    whole : callable
        The statistic.
    slopes : callable
        From weights to the derivative in the weight of an item of each profile: (profiles,).
    """

    whole: Statistic
    slopes: Callable[[Array], Array]

    def __call__(self, weighting: Weighting) -> Array:
        """Return the statistic."""
        return self.whole(weighting)


class PartedStatistic(Struct, frozen=True, eq=False):
    """A statistic that is a weighted mean over parts, such as pairs of annotators.

    Parameters
    ----------
    whole : callable
        The statistic.
    parts : callable
        From weights to the values and the weights of the parts, (..., parts) each; None if there are none. Every total comes in as many blocks as
        there are parts, and each block concerns one part alone.
    at_once : bool
        The weights of few profiles may be moved all at once; else total by total, which keeps the rounding of long sums out of the derivative.
    """

    whole: Statistic
    parts: Callable[[Weighting], tuple[Array, Array] | None]
    at_once: bool = True

    def __call__(self, weighting: Weighting) -> Array:
        """Return the statistic."""
        return self.whole(weighting)


class _BlockStepper(Struct, eq=False):
    """Answers the same totals, in each replicate with one place of every block moved by an imaginary step."""

    totals: list[Array]
    blocks: int
    rows: range
    asked: int = 0
    first: int = 0

    def total(self, terms: Terms) -> Array:
        base = self.totals[self.asked]
        width = base.shape[0] // self.blocks
        moved = np.repeat(base[None, :].astype(complex), len(self.rows), axis=0)
        for row in range(max(self.first, self.rows.start), min(self.first + width, self.rows.stop)):
            moved[row - self.rows.start, row - self.first :: width] += STEP * 1j
        self.first += width
        self.asked += 1
        return moved

    def total_varying(self, terms: Array) -> Array:
        raise TypeError("Terms that vary with the totals concern more than one part.")


def _gradient_by_parts(statistic: Statistic, recorder: Recorder, known: tuple[Array, Array] | None) -> Array | None:
    """Return the derivative in each total, moving one place of all blocks at once; None if the statistic has no parts."""
    assert isinstance(statistic, PartedStatistic)
    if known is None or recorder.varying:
        return None
    values, weight = (np.asarray(one, dtype=np.float64) for one in known)
    blocks = len(values)
    if any(total.ndim == 0 or total.shape[0] % blocks for total in recorder.totals):
        return None
    widths = [total.shape[0] // blocks for total in recorder.totals]
    slope, shift = np.empty((2, sum(widths), blocks))
    step = max(1, CHUNK // (2 * blocks * max(widths)))
    for start in range(0, len(slope), step):
        rows = range(start, min(start + step, len(slope)))
        moved = statistic.parts(_BlockStepper(recorder.totals, blocks, rows))
        assert moved is not None
        slope[rows.start : rows.stop], shift[rows.start : rows.stop] = (np.imag(one) / STEP for one in moved)
    counts = weight > 0
    all_weights = float(weight[counts].sum())
    mean = float((weight[counts] * values[counts]).sum() / all_weights)
    held = np.where(counts, values, mean)
    rate = np.where(counts, weight * np.where(counts, slope, 0.0) + (held - mean) * shift, 0.0) / all_weights
    starts = np.cumsum([0, *widths])
    parts = [rate[start:stop].T.ravel() for start, stop in pairwise(starts.tolist())]
    return np.concatenate(parts)


def influence(statistic: Statistic, multiplicities: Array) -> Array:
    """Return the derivative of `statistic` in the weight of an item of each profile: (profiles,), or (ways, profiles) for several ways to weigh them."""
    weights = np.asarray(multiplicities, dtype=np.float64)
    profiles = weights.shape[-1]
    if profiles <= FEW_PROFILES and getattr(statistic, "at_once", True) and not isinstance(statistic, KnownInfluence):
        with suppress(_TooWide):
            moved = np.imag(statistic(_Nudged(weights, slice(0, profiles), CHUNK))) / STEP
            # A statistic that no total moves is one number.
            return np.full(weights.shape, moved) if moved.size < weights.size else moved.reshape(weights.shape)
    if weights.ndim > 1:
        return np.stack([influence(statistic, one) for one in weights])
    if isinstance(statistic, KnownInfluence):
        return statistic.slopes(weights)
    recorder = Recorder(weights)
    if isinstance(statistic, PartedStatistic):
        gradient = _gradient_by_parts(statistic, recorder, statistic.parts(recorder))
        if gradient is not None:
            return _carried(recorder, gradient)
    else:
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
    return _carried(recorder, gradient)


def _carried(recorder: Recorder, gradient: Array) -> Array:
    """Carry the derivative in totals to that in the weight of an item of each profile, by the chain rule."""
    result = np.zeros(len(recorder.weights))
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
