"""Analytic and jackknife standard errors: what one item more or less does to a statistic.

The influence of an item is the derivative of the statistic in the item's weight. A statistic reaches the weights only
through totals, so its derivative is taken in these few totals (by complex steps, which are exact to rounding)
and carried to the items by the chain rule: the cost is that of a few hundred evaluations of a formula, not of
one evaluation per item. Where there are fewer profiles than totals, each profile's weight is moved instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from assent.errors import OptionError
from assent.inference.sample import Recorder, Sample, Statistic
from assent.profiles import Array, Matrix, Multiplicities

__all__ = ["analytic_standard_error", "influence", "jackknife_standard_error", "skewness"]

#: Numbers held at once while replicates are evaluated: 64 MB.
CHUNK = 8_000_000
#: More totals than this, and their derivatives would take minutes.
MOST_TOTALS = 20_000
#: So small a step that its square is nothing beside 1, and no difference of near numbers is ever taken.
STEP = 1e-40


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


@dataclass(frozen=True, eq=False)
class _LeaveOneOut:
    """Totals without one item, for each of a range of profiles to take it from."""

    weights: Array
    rows: slice

    def total(self, terms: Matrix) -> Array:
        left_out = terms[self.rows]
        dense = left_out if isinstance(left_out, np.ndarray) else left_out.toarray()
        return np.asarray(self.weights @ terms - dense)

    def total_varying(self, terms: Array) -> Array:
        every = np.asarray(terms) @ self.weights
        return np.asarray(every - terms[np.arange(terms.shape[0]), np.arange(self.weights.shape[0])[self.rows]])


def influence(statistic: Statistic, multiplicities: Array) -> Array:
    """Return the derivative of `statistic` in the weight of an item of each profile: (profiles,)."""
    weights = np.asarray(multiplicities, dtype=np.float64)
    recorder = Recorder(weights)
    statistic(recorder)
    width = recorder.width
    if min(len(weights), width) * width > MOST_TOTALS**2:
        raise OptionError(
            f"An analytic interval would need the derivative in {width:,} totals (annotators times labels), "
            f"more than {MOST_TOTALS:,}: use the bootstrap (--ci bootstrap), or none (--ci none)."
        )
    if len(weights) < width:
        return _moved_one_by_one(statistic, weights, width)
    gradient = np.empty(width)
    step = max(1, CHUNK // max(width, len(weights)))
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


def skewness(sample: Sample) -> float:
    """Return how lopsided the units' influences are: the skewness of the statistic, near 0 for many units alike."""
    values, weights = sample.by_unit(influence(sample.statistic, sample.multiplicities))
    centred = values - (weights @ values) / sample.unit_count
    squares = float(weights @ centred**2)
    return float(weights @ centred**3) / squares**1.5 if squares > 0 else 0.0


def analytic_standard_error(sample: Sample) -> float:
    """Linearised standard error: the spread of the units' influences.

    With N units of centred influences u it is the root of ``N / (N - 1) * sum(u**2)``: the usual large-sample
    standard errors of kappa-like coefficients are this, without the small-sample factor N / (N - 1).
    """
    values, weights = sample.by_unit(influence(sample.statistic, sample.multiplicities))
    return _spread(values, weights, sample.unit_count) if sample.degrees > 0 else float("nan")


def _spread(values: Array, weights: Array, units: int) -> float:
    """Root of N / (N - 1) times the sum of squares about the mean."""
    centred = values - (weights @ values) / units
    return float(np.sqrt(units / (units - 1) * (weights @ centred**2)))


def jackknife_standard_error(sample: Sample) -> float:
    """Delete-one-unit jackknife: the spread of the statistic when each unit in turn is left out."""
    units = sample.unit_count
    if sample.degrees < 1:
        return float("nan")
    values = np.concatenate(list(_left_out(sample)))
    weights = np.ones(len(values)) if sample.units is not None else np.asarray(sample.multiplicities, dtype=np.float64)
    if np.isnan(values[weights > 0]).any():
        return float("nan")
    mean = weights @ values / units
    return float(np.sqrt((units - 1) / units * (weights @ (values - mean) ** 2)))


def _left_out(sample: Sample) -> Iterator[Array]:
    """Evaluate the statistic without one unit, a block of units at a time."""
    weights = np.asarray(sample.multiplicities, dtype=np.float64)
    rows = len(weights) if sample.units is None else sample.unit_count
    step = max(1, CHUNK // sample.width)
    for start in range(0, rows, step):
        block = slice(start, min(start + step, rows))
        if sample.units is None:
            yield np.broadcast_to(sample.statistic(_LeaveOneOut(weights, block)), (block.stop - block.start,))
        else:
            removed = sample.units[block]
            dense = removed if isinstance(removed, np.ndarray) else removed.toarray()
            yield np.broadcast_to(sample.statistic(Multiplicities(weights - dense)), (block.stop - block.start,))
