"""What inference works on: a statistic, the weights it is a function of, and the units that were sampled."""

from __future__ import annotations

import numpy as np

from assent.inference.derivatives import Recorder, Statistic, influence
from assent.profiles import Array, Matrix, Multiplicities
from assent.records import Struct, cached_property

__all__ = ["PaddedSample", "Sample"]


class Sample(Struct, frozen=True, eq=False, dict=True):
    """A statistic of weighted profiles and the units that a new sample would draw anew.

    Parameters
    ----------
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
    def base(self) -> Array:
        """How much each profile counts: (profiles,)."""
        return np.asarray(self.multiplicities, dtype=np.float64)

    @cached_property
    def slopes(self) -> Array:
        """Influence of an item of each profile on the statistic: (profiles,)."""
        return influence(self.statistic, self.base)

    def slopes_at(self, weights: Array) -> Array:
        """Return the same where profiles count `weights`."""
        return self.slopes if np.array_equal(weights, self.base) else influence(self.statistic, weights)

    @cached_property
    def unit_count(self) -> int:
        """Number of units."""
        return int(self.multiplicities.sum()) if self.units is None else int(self.units.shape[0])

    @cached_property
    def width(self) -> int:
        """Numbers that one replicate needs: weights of profiles, or totals the statistic asks for."""
        return max(len(self.multiplicities), self.total_width)

    @cached_property
    def total_width(self) -> int:
        """Numbers that one replicate needs if no weights are held for it: totals, or terms that differ by replicate."""
        recorder = Recorder(np.asarray(self.multiplicities, dtype=np.float64))
        self.statistic(recorder)
        return max(1, recorder.width, len(self.multiplicities) if recorder.varying else 0)

    @cached_property
    def degrees(self) -> int:
        """Degrees of freedom of the standard error: informative units less one."""
        if self.informative is None:
            return self.unit_count - 1
        if self.units is None:
            return int((self.multiplicities * self.informative).sum()) - 1
        return int(np.count_nonzero(np.asarray(self.units @ self.informative))) - 1

    @cached_property
    def influences(self) -> tuple[Array, Array]:
        """Influence of each (kind of) unit on the statistic, and how many units have it: (units,) each."""
        return self.influences_by(self.slopes)

    def influences_by(self, slopes: Array) -> tuple[Array, Array]:
        """Return the same, where the influence of an item of each profile is known."""
        if self.units is None:
            return slopes, self.base
        return np.asarray(self.units @ slopes), np.ones(self.unit_count)


class PaddedSample(Struct, frozen=True, eq=False, dict=True):
    """A statistic and the weights it is tilted from: those of the data, and of a pseudo-unit.

    Parameters
    ----------
    weights : array (profiles,)
        How many items have each profile; the fractions of a pseudo-item among them.
    units : matrix (units, profiles), optional
        How many items of each profile belong to each unit; without it each item is a unit.
    unit_weights : array (units,), optional
        How many units each row of `units` stands for: 1, or a fraction for parts of a pseudo-unit.
    plain : array (profiles of the data,), optional
        Their weights without a pseudo-unit, if the statistic is that of the data where the other profiles, which come after them, weigh nothing.
    """

    statistic: Statistic
    weights: Array
    units: Matrix | None = None
    unit_weights: Array | None = None
    plain: Array | None = None

    @property
    def base(self) -> Array:
        """How much each profile counts: (profiles,)."""
        return self.weights

    @cached_property
    def _both_slopes(self) -> Array:
        """Influence of an item of each profile on the statistic, and without a pseudo-unit if that is asked, in one evaluation."""
        ways = np.zeros((1 if self.plain is None else 2, len(self.weights)))
        ways[0] = self.weights
        if self.plain is not None:
            ways[1, : len(self.plain)] = self.plain
        with np.errstate(divide="ignore", invalid="ignore"):
            return influence(self.statistic, ways)

    @property
    def slopes(self) -> Array:
        """Influence of an item of each profile on the statistic, NaN where there is none: (profiles,)."""
        return np.asarray(self._both_slopes[0])

    @property
    def plain_slopes(self) -> Array | None:
        """The same without a pseudo-unit, of the profiles of the data, if the statistic is theirs: (profiles of the data,)."""
        return None if self.plain is None else self._both_slopes[1, : len(self.plain)]

    def slopes_at(self, weights: Array) -> Array:
        """Return the same where profiles count `weights`."""
        return self.slopes if np.array_equal(weights, self.weights) else influence(self.statistic, weights)

    def values(self, base: Array) -> Array:
        """Return the statistic where units count `base` (replicates, units): (replicates,)."""
        weights = base if self.units is None else np.asarray(base @ self.units)
        values = np.asarray(self.statistic(Multiplicities(weights)), dtype=np.float64)
        # A statistic that does not look at the weights is one number.
        return values if len(values.shape) else np.full(len(base), values)
