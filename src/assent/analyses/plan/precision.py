"""How sure a value gets with a number of units: half-widths, units needed, power."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

import numpy as np
from msgspec.structs import replace

from assent.errors import InputError
from assent.inference.derivatives import influence
from assent.inference.intervals import normal_interval
from assent.inference.sample import Sample
from assent.measures.results import Agreement
from assent.profiles import Array
from assent.records import Struct
from assent.text import escaped

__all__ = ["Precision", "precision_of"]

#: How far weights are moved, relative to themselves, to see how a standard error changes.
STEP = 1e-4
#: Logarithm of a factor beyond which a number is not known at all.
MOST_DOUBT = 20.0
#: Intervals that are narrower than this share of a t interval are planned as if they were that wide: more units must not be worse.
LEAST_STRETCH = 2.0 / 3.0
#: A spread below this is rounding.
NOTHING = 1e-9


class Precision(Struct, frozen=True, kw_only=True):
    """What one unit (an item, or a cluster of items) tells about a value.

    Parameters
    ----------
    value : float
        The value that was measured, or that was assumed.
    variance : float
        Squared standard error times the number of units: n units give a standard error of ``sqrt(variance / n)``.
    wobble : float
        Relative standard error of that standard error for one unit; with n units it is ``wobble / sqrt(n)``.
    lean : float
        Correlation of the value and its standard error over samples: below 0 if samples that agree more also vary less.
    stretch, below : float
        Half-width of the interval, and its reach below the value, over those of a t interval, with `known` units. The more
        units there are, the less they differ.
    doubt : float
        Standard error of the value that is planned from; 0 to take it for the true one.
    """

    value: float
    variance: float
    wobble: float
    lean: float
    stretch: float = 1.0
    below: float = 1.0
    known: int = 1
    doubt: float = 0.0

    def times(self, factor: float) -> Precision:
        """Return the same with the variance multiplied."""
        return replace(self, variance=self.variance * factor)

    def moved(self, shift: float) -> Precision:
        """Return the same around another value."""
        return replace(self, value=self.value + shift)

    def standard_error(self, units: int) -> float:
        """Return the standard error that so many units give."""
        return math.sqrt(self.variance / units)

    def half_width(self, units: int, level: float) -> float:
        """Return half the width of the interval that so many units give."""
        plain = normal_interval(0.0, self.standard_error(units), level, units - 1)[1]
        # A pseudo-item is one unit among all. What it adds is that share of its own width, however little the units vary.
        of = plain
        if self.stretch > 1.0:
            of = normal_interval(0.0, self.standard_error(self.known), level, self.known - 1)[1]
        return plain + (self.stretch - 1.0) * of * min(1.0, self.known / units)

    def reach_below(self, units: int, level: float) -> float:
        """Return how far the interval of so many units reaches below the value."""
        # Skewness falls with the root of the number of units.
        wider = max(LEAST_STRETCH, 1.0 + (self.below - 1.0) * math.sqrt(self.known / units))
        return wider * normal_interval(0.0, self.standard_error(units), level, units - 1)[1]

    def units_for(self, half_width: float, level: float) -> int:
        """Return the least number of units whose interval is that narrow."""
        return _least(lambda units: self.half_width(units, level) <= half_width)

    def power(self, units: int, target: float, level: float) -> float:
        """Return the probability that the lower end of the interval lies above a target.

        The lower end is the value less a multiple of its standard error, and both are estimates: its own variance is that of
        the difference. With high agreement, samples that agree less also vary more, and power is lower than it seems.
        """
        error = self.standard_error(units)
        reach = self.reach_below(units, level)
        multiple, wobble = reach / error, self.wobble / math.sqrt(units)
        spread = error * math.sqrt(max(1.0 - 2.0 * multiple * self.lean * wobble + (multiple * wobble) ** 2, NOTHING))
        # What a pilot leaves open adds to it: power is then the mean over the true values that it leaves.
        return NormalDist().cdf((self.value - target - reach) / math.hypot(spread, self.doubt))

    def most_power(self, target: float) -> float:
        """Return the power that no number of units exceeds: the chance that the true value is above the target."""
        if not self.doubt:
            return float(self.value > target)
        return NormalDist().cdf((self.value - target) / self.doubt)

    def units_for_power(self, power: float, target: float, level: float) -> int | None:
        """Return the least number of units with that power; None if the value is not above the target."""
        if self.value <= target or self.most_power(target) <= power:
            return None
        return _least(lambda units: self.power(units, target, level) >= power)

    def uncertainty(self, units: int, level: float) -> float:
        """Return the factor by which a number of units planned from so many may be off, in either direction."""
        # The second term is what remains where the first vanishes: a variance that is at its largest, as at half and half.
        error = math.sqrt(4.0 * self.wobble**2 / units + 2.0 / units**2)
        return math.exp(min(normal_interval(0.0, error, level, units - 1)[1], MOST_DOUBT))


def _least(enough: Callable[[int], bool]) -> int:
    """Return the least number from 2 on that is enough, for a condition that stays true once it is."""
    low, high = 1, 2
    while not enough(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def precision_of(agreement: Agreement, level: float) -> Precision:
    """Take from a measured agreement what one unit tells about it."""
    error = agreement.standard_error()
    units = agreement.sample.degrees + 1
    if math.isnan(agreement.value):
        raise InputError(f"There is nothing to plan from: {agreement.title} is undefined for these labels.")
    if math.isnan(error):
        raise InputError(
            f"There is nothing to plan from: one unit ({escaped(agreement.unit)}) does not show how much agreement varies."
        )
    if error * math.sqrt(units) < NOTHING:
        raise InputError(
            f"There is nothing to plan from: {agreement.title} is {agreement.value:.2f} on every unit, so nothing varies yet; "
            "annotate more, or plan from an assumption such as `agreement` 0.95 with `shares`."
        )
    wobble, lean = _of_the_error(agreement.sample, units)
    interval = agreement.confidence_interval(level)
    if math.isnan(interval.low) or math.isnan(interval.high):
        raise InputError(
            f"There is nothing to plan from: {units} units ({escaped(agreement.unit)}) are too few for an interval; annotate more."
        )
    plain = normal_interval(0.0, error, level, agreement.sample.degrees)[1]
    return Precision(
        value=agreement.value,
        variance=error**2 * units,
        wobble=wobble,
        lean=lean,
        stretch=max((interval.high - interval.low) / 2.0 / plain, LEAST_STRETCH),
        below=max((agreement.value - interval.low) / plain, LEAST_STRETCH),
        known=units,
    )


def _of_the_error(sample: Sample, units: int) -> tuple[float, float]:
    """Return how much the standard error itself varies, and its correlation with the value.

    The squared standard error is a statistic of the weights too, the sum of the squared influences of the units. Its own
    influence needs the derivative of all influences in the weight of each unit; second derivatives are symmetric, so
    the sum it needs is the change of the influences along one direction, and two more evaluations give all of it.
    """
    weights = np.asarray(sample.multiplicities, dtype=np.float64)
    values, times = sample.influences
    values = values - (times @ values) / times.sum()
    direction = weights * values if sample.units is None else np.asarray(sample.units.T @ values)
    step = STEP / np.abs(values).max()
    ahead, behind = (influence(sample.statistic, weights + sign * step * direction) for sign in (1.0, -1.0))
    change = (ahead - behind) / (2.0 * step)
    change = change if sample.units is None else np.asarray(sample.units @ change)
    squares = float(times @ values**2)
    # Half, as the logarithm of a root.
    relative: Array = (values**2 + 2.0 * change) / squares / 2.0
    relative = relative - (times @ relative) / times.sum()
    wobble = math.sqrt(float(times @ relative**2))
    if wobble == 0:
        return 0.0, 0.0
    return math.sqrt(units) * wobble, float(times @ (values * relative)) / math.sqrt(squares) / wobble
