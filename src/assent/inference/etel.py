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


def etel_interval(sample: PaddedSample, *, level: float, degrees: int) -> tuple[float, float]:
    """Return the ends of the interval; NaN where the statistic is undefined even with a pseudo-unit.

    Parameters
    ----------
    sample : PaddedSample
    level : float
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
    if not np.isfinite(slopes).all():
        return math.nan, math.nan
    total = float(base.sum())
    shares = base / total
    centred = slopes - shares @ slopes
    spread = math.sqrt(float(shares @ centred**2))
    if spread * total < NO_SPREAD:
        value = float(sample.values(base[None, :])[0])
        return value, value
    enough = _t_quantile((1.0 + level) / 2.0, degrees) ** 2 / (2.0 * total)
    standard = centred / spread
    tilts = [-_tilt(shares, -standard, enough), _tilt(shares, standard, enough)]
    ends = sample.values(np.stack([total * _tilted(shares, standard, tilt) for tilt in tilts]))
    low, high = (
        float(end) if math.isfinite(end) else _last_defined(sample, total, shares, standard, tilt)
        for end, tilt in zip(ends, tilts, strict=True)
    )
    return min(low, high), max(low, high)


def _tilt(shares: Array, influences: Array, enough: float) -> float:
    """Return the tilt > 0 at which the log of the mean of exp(tilt * influence) is `enough`.

    For centred influences twice that log, times the number of units, is the deviance. It is convex, so that Newton's steps from
    beyond the solution come down to it and never pass it.
    """
    tilt = min(math.sqrt(2.0 * enough), 1.0 / float(influences.max()))
    while _log_mean(shares, influences, tilt) < enough:
        tilt *= 1.5
    for _ in range(100):
        slope = float(_tilted(shares, influences, tilt) @ influences)
        step = (_log_mean(shares, influences, tilt) - enough) / slope
        tilt -= step
        # Steps shrink as their squares do: what a step this small leaves is less than rounding.
        if abs(step) <= 1e-10 * tilt:
            break
    return tilt


def _log_mean(shares: Array, influences: Array, tilt: float) -> float:
    """Log of the mean of exp(tilt * influence), exact for the small tilts of large samples, and finite for the large ones of two units."""
    powers = tilt * influences
    top = float(powers.max())
    if top > 1.0:
        return top + math.log(float(shares @ np.exp(powers - top)))
    return math.log1p(float(shares @ np.expm1(powers)))


def _tilted(shares: Array, influences: Array, tilt: float) -> Array:
    """Shares weighed by exp(tilt * influence), with the same sum."""
    powers = tilt * influences
    grown = shares * np.exp(powers - powers.max())
    return np.asarray(grown / grown.sum())


def _last_defined(sample: PaddedSample, total: float, shares: Array, influences: Array, tilt: float) -> float:
    """Return the value farthest along the tilt where there still is one: two items leave no label but one at the end."""
    parts = np.stack([total * _tilted(shares, influences, tilt * part / PARTS) for part in range(PARTS)])
    values = sample.values(parts)
    defined = np.flatnonzero(np.isfinite(values))
    return float(values[defined[-1]]) if len(defined) else math.nan
