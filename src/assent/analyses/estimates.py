"""Numbers that are statistics of weighted items and no coefficients, with an interval each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assent.inference.pseudo import padded_units
from assent.inference.sample import PaddedSample, Sample
from assent.measures.results import Estimate, Interval, plain
from assent.profiles import Array, Matrix, Multiplicities, Weighting, units_left

__all__ = ["Quantity", "mean_quantity", "quantity"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Quantity(Estimate):
    """A number with its interval.

    Parameters
    ----------
    items : int
        How many items say something about it.
    interval : Interval or None
        None if none was asked for.
    """

    n_items: int
    interval: Interval | None = None

    def sure(self, make: Callable[[Estimate], Interval | None]) -> Quantity:
        """Return the same with an interval."""
        return replace(self, interval=make(self))

    def to_dict(self) -> dict[str, Any]:
        """Return the number as plain values."""
        interval = self.interval
        return {
            "value": plain(self.value),
            "standard_error": None if interval is None else plain(interval.standard_error),
            "ci": None if interval is None else interval.to_dict(),
            "items": self.n_items,
        }


def quantity(
    statistic: Callable[[Weighting], Array], items: int, units: Matrix | None, unit: str, informative: Array
) -> Quantity:
    """Make a number of a statistic of items that count once each."""
    ones = np.ones(items, dtype=np.int64)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(np.real(statistic(Multiplicities(ones))))
    return Quantity(
        value=value,
        sample=Sample(statistic, ones, units, (informative > 0).astype(np.float64)),
        unit=unit,
        n_items=int(np.count_nonzero(informative)),
    )


def mean_quantity(part: Array, whole: Array, units: Matrix | None, unit: str) -> Quantity:
    """Make the ratio of two sums over items, of which the first lies between 0 and the second: (items,) each.

    Its tilted interval counts one pseudo-item more, half of it nothing and half of it everything.
    """
    seen = np.flatnonzero(whole > 0)
    part, whole = part[seen], whole[seen]
    units = units_left(units, seen)

    def ratio(parts: Array, wholes: Array) -> Callable[[Weighting], Array]:
        def statistic(weighting: Weighting) -> Array:
            return np.asarray(weighting.total(parts) / weighting.total(wholes))

        return statistic

    made = quantity(ratio(part, whole), len(seen), units, unit, whole)
    if not len(seen):
        return made

    def padded() -> PaddedSample:
        usual = float(whole.mean())
        statistic = ratio(np.concatenate([part, [0.0, usual]]), np.concatenate([whole, [usual, usual]]))
        half = np.full(2, 0.5)
        if units is None:
            return PaddedSample(statistic, np.concatenate([np.ones(len(seen)), half]))
        size = len(seen) / units.shape[0]
        weights = np.concatenate([np.ones(len(seen)), size * half])
        return PaddedSample(
            statistic, weights, padded_units(units, 2, size), np.concatenate([np.ones(units.shape[0]), half])
        )

    return replace(made, padded=padded)
