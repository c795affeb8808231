"""Numbers that are statistics of weighted items and no coefficients, with an interval each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from msgspec.structs import replace

from assent.inference.pseudo import padded_units
from assent.inference.sample import PaddedSample, Sample
from assent.measures.results import Estimate, Interval, error_and_ci
from assent.profiles import Array, Matrix, Multiplicities, Weighting, collapse
from assent.records import plain

__all__ = ["Quantity", "mean_quantity", "quantity"]


class Quantity(Estimate, frozen=True, kw_only=True, eq=False):
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
        return {"value": plain(self.value), **error_and_ci(self.interval), "items": self.n_items}


def quantity(
    statistic: Callable[[Weighting], Array], multiplicities: Array, units: Matrix | None, unit: str, informative: Array
) -> Quantity:
    """Make a number of a statistic of profiles.

    Parameters
    ----------
    multiplicities : array (profiles,)
        How many items have each profile.
    units : matrix (units, profiles) or None
        How many items of each profile belong to each unit of resampling; None if these are the items.
    unit : str
        What the units are called.
    informative : array (profiles,)
        Above 0 for profiles that say something about the number.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(np.real(statistic(Multiplicities(np.asarray(multiplicities, dtype=np.float64)))))
    return Quantity(
        value=value,
        sample=Sample(statistic, multiplicities, units, (informative > 0).astype(np.float64)),
        unit=unit,
        n_items=int(multiplicities[informative > 0].sum()),
    )


def mean_quantity(part: Array, whole: Array, cluster: Array | None, unit: str, *, bounded: bool = True) -> Quantity:
    """Make the ratio of two sums over items.

    Parameters
    ----------
    part, whole : array (items,)
        What is added up; items of which the whole is 0 say nothing.
    cluster : array (items,) or None
        Unit of resampling of each item.
    unit : str
        What the units are called.
    bounded : bool
        The part lies between 0 and the whole. The tilted interval then counts one pseudo-item more, half of it nothing and half of it
        everything.
    """
    seen = np.flatnonzero(whole > 0)
    table = np.column_stack([part, whole])[seen]
    # Equal items are counted together: what is worked out for each of them is so for all.
    distinct, multiplicities, units = collapse(table, units=None if cluster is None else cluster[seen])
    parts, wholes = np.asarray(distinct)[:, 0], np.asarray(distinct)[:, 1]

    def ratio(above: Array, below: Array) -> Callable[[Weighting], Array]:
        def statistic(weighting: Weighting) -> Array:
            return np.asarray(weighting.total(above) / weighting.total(below))

        return statistic

    made = quantity(ratio(parts, wholes), multiplicities, units, unit, wholes)
    if not len(seen) or not bounded:
        return made

    def padded() -> PaddedSample:
        usual = float(table[:, 1].mean())
        statistic = ratio(np.concatenate([parts, [0.0, usual]]), np.concatenate([wholes, [usual, usual]]))
        half, weights = np.full(2, 0.5), np.asarray(multiplicities, dtype=np.float64)
        if units is None:
            return PaddedSample(statistic, np.concatenate([weights, half]))
        size = len(seen) / units.shape[0]
        return PaddedSample(
            statistic,
            np.concatenate([weights, size * half]),
            padded_units(units, 2, size),
            np.concatenate([np.ones(units.shape[0]), half]),
        )

    return replace(made, padded=padded)
