"""Exponentially tilted intervals: the values of a statistic at weights near those of the data.

The units are weighed anew along one curve, the one on which the statistic changes most for a given change of the weights: a unit of
influence u counts exp(tilt * u) times as much. How far weights lie from those of the data is their deviance, twice the log-likelihood
ratio; the ends of the interval are the values where it reaches what the square of a t variable may reach. Every value on
the curve is the statistic of some weights, so that no end lies outside the statistic's range, and none is symmetric by decree.

What was never seen has no weight and cannot be weighed up. Therefore the units hold one more than was drawn, a pseudo-unit that
half agrees and half disagrees (`assent.inference.pseudo`).

References
----------
Efron, B. (1981). Nonparametric standard errors and confidence intervals. Canadian Journal of Statistics 9(2), 139-158.
https://doi.org/10.2307/3314608
DiCiccio, T. J. and Romano, J. P. (1990). Nonparametric confidence limits by resampling methods and least favorable families.
International Statistical Review 58(1), 59-76. https://doi.org/10.2307/1403474
Schennach, S. M. (2007). Point estimation with exponentially tilted empirical likelihood. Annals of Statistics 35(2), 634-672.
https://doi.org/10.1214/009053606000001208
Agresti, A. and Coull, B. A. (1998). Approximate is better than "exact" for interval estimation of binomial proportions. The American
Statistician 52(2), 119-126. https://doi.org/10.1080/00031305.1998.10480550
"""

from __future__ import annotations

import math

import numpy as np

from assent.inference.intervals import _t_quantile
from assent.inference.sample import PaddedSample
from assent.profiles import Array

__all__ = ["etel_interval"]

#: A spread of influences below this is what rounding left: the statistic does not vary.
NO_SPREAD = 1e-13
#: Parts of a tilt that are tried where the statistic is undefined at its end.
PARTS = 64
#: Steps towards a tilt; three or four are enough.
STEPS = 100
#: A step that is this small beside the tilt is the last one: it leaves about its cube.
SMALL = 1e-5
#: Corrections by cumulants that are together less than this are taken.
NEARLY = 0.3
#: Exponents below this are exact as what they add to 1.
LARGE = 30.0


def etel_interval(sample: PaddedSample, *, level: float, degrees: int) -> tuple[float, float]:
    """Return the ends of the interval; NaN where the statistic is undefined even with a pseudo-unit.

    Parameters
    ----------
    degrees : int
        Degrees of freedom of the t variable whose square bounds the deviance.
    """
    if degrees < 1:
        return math.nan, math.nan
    slopes = sample.slopes
    base = sample.weights
    if sample.units is not None:
        base = np.ones(sample.units.shape[0]) if sample.unit_weights is None else sample.unit_weights
        slopes = np.asarray(sample.units @ slopes)
    total = float(base.sum())
    shares = base / total
    with np.errstate(invalid="ignore"):
        mean = float(shares @ slopes)
    if not math.isfinite(mean):
        return math.nan, math.nan
    centred = slopes - mean
    spread = math.sqrt(float(shares @ (centred * centred)))
    if spread * total < NO_SPREAD:
        value = float(sample.values(base[None, :])[0])
        return value, value
    enough = _t_quantile((1.0 + level) / 2.0, degrees) ** 2 / (2.0 * total)
    standard = centred / spread
    tilts = _tilts(shares, standard, enough)
    ends = sample.values(total * _tilted(shares, standard, tilts))
    low, high = (
        float(end) if math.isfinite(end) else _last_defined(sample, total, shares, standard, float(tilt))
        for end, tilt in zip(ends, tilts, strict=True)
    )
    return min(low, high), max(low, high)


def _tilts(shares: Array, influences: Array, enough: float) -> Array:
    """Return the tilts below and above 0 at which the log of the mean of exp(tilt * influence) is `enough`: (2,).

    For centred influences twice that log, times the number of units, is the deviance. It is convex, and nearly a parabola: where its first
    four cumulants would bring it is a good start. Steps are Halley's, which leave the cube of an error, and at most twice Newton's.
    """
    squares = shares * influences * influences
    moments = np.array([shares, shares * influences, squares])
    ends = float(influences[influences.argmin()]), float(influences[influences.argmax()])
    reach = math.sqrt(2.0 * enough)
    third, fourth = float(squares @ influences), float(squares @ (influences * influences))
    bend = -third / 6.0 * reach
    curl = (5.0 * third * third / 72.0 - (fourth - 3.0) / 24.0) * reach * reach
    # Far from a parabola the cumulants say nothing.
    near = abs(bend) + abs(curl) < NEARLY
    tilts = [side * reach * (1.0 + side * bend + curl if near else 1.0) for side in (-1.0, 1.0)]
    for _ in range(STEPS):
        last = True
        for side, known in enumerate(_log_mean(moments, influences, ends, tilts)):
            height, slope, curve = known
            above = height - enough
            step = above / slope / max(1.0 - above * curve / (2.0 * slope * slope), 0.5)
            tilts[side] -= step
            # What a step this small leaves is less than rounding.
            last = last and abs(step) <= SMALL * abs(tilts[side])
        if last:
            break
    return np.array(tilts)


def _log_mean(
    moments: Array, influences: Array, ends: tuple[float, float], tilts: list[float]
) -> list[tuple[float, float, float]]:
    """Log of the mean of exp(tilt * influence) and its first two derivatives at each tilt, exact for the small tilts of large samples.

    Parameters
    ----------
    moments : array (3, units)
        Shares, times the influences and times their squares; the second row adds up to 0.
    influences : array (units,)
    ends : tuple of two floats
        The least and the largest influence.
    tilts : list of float
    """
    powers = np.multiply.outer(tilts, influences)
    tops = [max(tilt * end for end in ends) for tilt in tilts]
    found = []
    if max(tops) < LARGE:
        for change, first, second in (moments @ np.expm1(powers).T).T.tolist():
            mean = 1.0 + change
            slope = first / mean
            found.append((math.log1p(change), slope, (1.0 + second) / mean - slope * slope))
        return found
    # The large tilts of two units: exponentials of what is below the top.
    below = np.exp(powers - np.array(tops)[:, None])
    for top, (mean, first, second) in zip(tops, (moments @ below.T).T.tolist(), strict=True):
        slope = first / mean
        found.append((top + math.log(mean), slope, second / mean - slope * slope))
    return found


def _tilted(shares: Array, influences: Array, tilts: Array) -> Array:
    """Shares weighed by exp(tilt * influence), with the same sum: (tilts, units)."""
    powers = np.multiply.outer(tilts, influences)
    grown = shares * np.exp(powers - powers.max(axis=1)[:, None])
    return np.asarray(grown / grown.sum(axis=1)[:, None])


def _last_defined(sample: PaddedSample, total: float, shares: Array, influences: Array, tilt: float) -> float:
    """Return the value farthest along the tilt where there still is one: two items leave no label but one at the end."""
    values = sample.values(total * _tilted(shares, influences, np.arange(PARTS) * (tilt / PARTS)))
    defined = np.flatnonzero(np.isfinite(values))
    return float(values[defined[-1]]) if len(defined) else math.nan
