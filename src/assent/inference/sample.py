"""What inference works on: a statistic, the weights it is a function of, and the units that were sampled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import numpy as np

from assent.profiles import Array, Matrix, Multiplicities, Weighting

__all__ = ["Recorder", "Sample", "Statistic"]

#: A function of the weights of items, smooth in them and vectorised over replicates.
Statistic: TypeAlias = Callable[[Weighting], Array]


@dataclass(eq=False)
class Recorder:
    """Answers totals as they are, and remembers what was asked."""

    weights: Array
    terms: list[Matrix] = field(default_factory=list)
    totals: list[Array] = field(default_factory=list)

    def total(self, terms: Matrix) -> Array:
        """Sum `terms` over items."""
        self.terms.append(terms)
        self.totals.append(np.asarray(self.weights @ terms))
        return self.totals[-1]

    def total_varying(self, terms: Array) -> Array:
        """Sum `terms` over items: in one replicate they are like any others."""
        return self.total(terms)

    @property
    def width(self) -> int:
        """How many numbers the statistic asked for."""
        return sum(max(1, total.size) for total in self.totals)


@dataclass(frozen=True, eq=False)
class Sample:
    """A statistic of weighted profiles and the units that a new sample would draw anew.

    Parameters
    ----------
    statistic : callable
    multiplicities : array (profiles,)
        How many items have each profile.
    units : matrix (units, profiles), optional
        How many items of each profile belong to each unit, such as a document; without it each item is a unit.
    informative : array (profiles,), optional
        1.0 for profiles that show agreement or disagreement, 0.0 for those that count towards chance alone; all
        are informative if it is not given. Only informative units say how much agreement varies.
    """

    statistic: Statistic
    multiplicities: Array
    units: Matrix | None = None
    informative: Array | None = None

    @cached_property
    def unit_count(self) -> int:
        """Number of units."""
        return int(self.multiplicities.sum()) if self.units is None else int(self.units.shape[0])

    @cached_property
    def width(self) -> int:
        """Numbers that one replicate needs: weights of profiles, or totals the statistic asks for."""
        recorder = Recorder(np.asarray(self.multiplicities, dtype=np.float64))
        self.statistic(recorder)
        return max(len(self.multiplicities), recorder.width)

    @cached_property
    def degrees(self) -> int:
        """Degrees of freedom of the standard error: informative units less one."""
        if self.informative is None:
            return self.unit_count - 1
        if self.units is None:
            return int((self.multiplicities * self.informative).sum()) - 1
        return int(np.count_nonzero(np.asarray(self.units @ self.informative))) - 1

    @cached_property
    def value(self) -> float:
        """The statistic of the data as they are."""
        return float(self.statistic(Multiplicities(self.multiplicities)))

    def by_unit(self, per_profile: Array) -> tuple[Array, Array]:
        """Sum an influence per item over units: the units' influences and how many units have each."""
        if self.units is None:
            return per_profile, np.asarray(self.multiplicities, dtype=np.float64)
        return np.asarray(self.units @ per_profile), np.ones(self.unit_count)
