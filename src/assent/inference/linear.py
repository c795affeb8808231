"""Analytic and jackknife standard errors: what one unit more or less does to a statistic."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assent.inference.derivatives import CHUNK
from assent.inference.sample import Sample
from assent.profiles import Array, Multiplicities, Terms
from assent.records import Struct

__all__ = ["analytic_standard_error", "jackknife_standard_error", "left_out", "skewness"]


class _LeaveOneOut(Struct, frozen=True, eq=False):
    """Totals without one item, for each of a range of profiles to take it from."""

    weights: Array
    rows: slice

    def total(self, terms: Terms) -> Array:
        left_out = terms[self.rows]
        dense = left_out if isinstance(left_out, np.ndarray) else left_out.toarray()
        return np.asarray(self.weights @ terms - dense)

    def total_varying(self, terms: Array) -> Array:
        every = np.asarray(terms) @ self.weights
        return np.asarray(every - terms[np.arange(terms.shape[0]), np.arange(self.weights.shape[0])[self.rows]])


def skewness(sample: Sample) -> float:
    """Return how lopsided the units' influences are: the skewness of the statistic, near 0 for many units alike."""
    values, weights = sample.influences
    centred = values - (weights @ values) / sample.unit_count
    squares = float(weights @ centred**2)
    return float(weights @ (centred * centred * centred)) / squares**1.5 if squares > 0 else 0.0


def analytic_standard_error(sample: Sample, slopes: Array | None = None) -> float:
    """Linearised standard error: the spread of the units' influences.

    With N units of centred influences u it is the root of ``N / (N - 1) * sum(u**2)``: the usual large-sample
    standard errors of kappa-like coefficients are this, without the small-sample factor N / (N - 1).

    Parameters
    ----------
    slopes : array (profiles,), optional
        Influence of an item of each profile, where it is known already.
    """
    values, weights = sample.influences if slopes is None else sample.influences_by(slopes)
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
    values = np.concatenate(list(left_out(sample)))
    weights = np.ones(len(values)) if sample.units is not None else np.asarray(sample.multiplicities, dtype=np.float64)
    if np.isnan(values[weights > 0]).any():
        return float("nan")
    mean = weights @ values / units
    return float(np.sqrt((units - 1) / units * (weights @ (values - mean) ** 2)))


def left_out(sample: Sample) -> Iterator[Array]:
    """Evaluate the statistic without one unit, a block of units at a time."""
    weights = np.asarray(sample.multiplicities, dtype=np.float64)
    rows = len(weights) if sample.units is None else sample.unit_count
    step = max(1, CHUNK // (sample.total_width if sample.units is None else sample.width))
    for start in range(0, rows, step):
        block = slice(start, min(start + step, rows))
        if sample.units is None:
            yield np.broadcast_to(sample.statistic(_LeaveOneOut(weights, block)), (block.stop - block.start,))
        else:
            removed = sample.units[block]
            dense = removed if isinstance(removed, np.ndarray) else removed.toarray()
            yield np.broadcast_to(sample.statistic(Multiplicities(weights - dense)), (block.stop - block.start,))
