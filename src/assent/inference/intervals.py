"""From standard errors and replicates to intervals."""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from assent.profiles import Array

#: A larger skewness is taken as this.
MOST_SKEW = 0.5

__all__ = ["bca_interval", "normal_interval", "percentile_interval", "skewed_interval", "unskewed"]


def normal_interval(value: float, standard_error: float, level: float, degrees: int) -> tuple[float, float]:
    """Value plus and minus standard errors, by the t distribution with `degrees` of freedom."""
    if degrees < 1 or not np.isfinite(standard_error):
        return float("nan"), float("nan")
    reach = _t_quantile((1.0 + level) / 2.0, degrees) * standard_error
    return value - reach, value + reach


def skewed_interval(
    value: float, standard_error: float, skew: float, level: float, degrees: int
) -> tuple[float, float]:
    """Return ends that allow for a lopsided statistic: those of `normal_interval`, moved as Johnson's modified t asks for.

    Parameters
    ----------
    skew : float
        Skewness of the statistic (not of one unit); taken as half at most, since beyond that the correction has no meaning.

    References
    ----------
    Johnson, N. J. (1978). Modified t tests and confidence intervals for asymmetrical populations. Journal of the American Statistical
    Association 73, 536-544.

    Examples
    --------
    >>> [round(end, 3) for end in skewed_interval(0.0, 1.0, -0.3, 0.9, 1000)]
    [-1.967, 1.325]
    """
    if degrees < 1 or not np.isfinite(standard_error):
        return float("nan"), float("nan")
    reach = _t_quantile((1.0 + level) / 2.0, degrees)
    return value - standard_error * _skewed(reach, skew), value - standard_error * _skewed(-reach, skew)


def _skewed(quantile: float, skew: float) -> float:
    """Return how many errors a value lies from the truth at a quantile, if it is lopsided; it only grows."""
    bend = max(-MOST_SKEW, min(MOST_SKEW, skew)) / 6.0
    if bend * quantile > 0.0 and abs(quantile) > 1.0 / abs(4.0 * bend):
        # Beyond here the parabola would turn back.
        return quantile - 1.0 / (8.0 * bend) - bend
    return quantile - bend * (1.0 + 2.0 * quantile**2)


def unskewed(ratio: float, skew: float) -> float:
    """Return the quantile at which a lopsided value lies so many errors from the truth: `skewed_interval` the other way round.

    Examples
    --------
    >>> round(unskewed(1.967, -0.3), 2), unskewed(1.5, 0.0)
    (1.65, 1.5)
    """
    bend = max(-MOST_SKEW, min(MOST_SKEW, skew)) / 6.0
    if abs(bend) < 1e-12:
        return ratio
    room = 1.0 - 8.0 * bend * (ratio + bend)
    if room < 0.0:
        return ratio + 1.0 / (8.0 * bend) + bend
    # 1 - √room over 4 bend, without loss of digits where the bend is small.
    return 2.0 * (ratio + bend) / (1.0 + float(np.sqrt(room)))


@lru_cache(maxsize=256)
def _t_quantile(probability: float, degrees: float) -> float:
    """Quantile of the t distribution.

    scipy takes more time to import than a small table takes to be read and measured, so it is asked only where no short formula is exact.
    """
    z = NormalDist().inv_cdf(probability)
    if degrees > 1000:
        # Hill's expansion has no error a float can show here.
        terms = (
            (z**3 + z) / 4,
            (5 * z**5 + 16 * z**3 + 3 * z) / 96,
            (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
            (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
        )
        # From so many on no term is left that a float could show, and the powers of more are too large for one.
        degrees = min(degrees, 10**18)
        return float(z + sum(term / degrees**power for power, term in enumerate(terms, start=1)))
    if degrees != int(degrees):
        from scipy.special import stdtrit

        return float(stdtrit(degrees, probability))
    return math.copysign(_whole_t_quantile(abs(2.0 * probability - 1.0), abs(z), int(degrees)), z)


def _whole_t_quantile(middle: float, start: float, degrees: int) -> float:
    """Return the t that holds a share between -t and t, for whole degrees of freedom, whose distribution is a sum of cosines.

    References
    ----------
    Abramowitz, M. and Stegun, I. A. (1964). Handbook of mathematical functions, 26.7.3 and 26.7.4.
    """
    odd = degrees % 2
    steps = np.arange(2 + odd, degrees - 1, 2)
    factors = np.cumprod(np.concatenate([[1.0], (steps - 1.0) / steps]))[: degrees // 2]
    powers = np.arange(odd, degrees - 1, 2)
    slope = 2.0 * math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(math.pi)
    angle = math.atan(start / math.sqrt(degrees))
    # The share is concave in the angle and the normal quantile lies below, so every step goes up and none too far.
    for _ in range(100):
        cosine = math.cos(angle)
        share = math.sin(angle) * float(factors @ cosine**powers)
        if odd:
            share = (angle + share) * 2.0 / math.pi
        step = (middle - share) / (slope * cosine ** (degrees - 1))
        angle += step
        # A step down, or one this small, is what rounding makes of none.
        if step <= 1e-16 * angle:
            break
    return math.tan(angle) * math.sqrt(degrees)


def percentile_interval(replicates: Array, level: float) -> tuple[float, float]:
    """Take the middle part of the replicates."""
    low, high = np.quantile(replicates, [(1.0 - level) / 2.0, (1.0 + level) / 2.0])
    return float(low), float(high)


def bca_interval(
    replicates: Array, value: float, influences: Array, weights: Array, level: float
) -> tuple[float, float]:
    """Bias-corrected and accelerated percentiles (Efron 1987).

    Parameters
    ----------
    replicates : array (replicates,)
    value : float
        The statistic of the data.
    influences : array (units,)
        Influence of each (kind of) unit on the statistic; its skewness is the acceleration.
    weights : array (units,)
        How many units have each influence.
    """
    normal = NormalDist()
    # Ties count half, so that a coarse statistic is not called biased.
    below = (np.count_nonzero(replicates < value) + 0.5 * np.count_nonzero(replicates == value)) / len(replicates)
    influences = influences - weights @ influences / weights.sum()
    squares = float(weights @ influences**2)
    if not 0.0 < below < 1.0 or squares == 0.0:
        return percentile_interval(replicates, level)
    bias = normal.inv_cdf(below)
    acceleration = float(weights @ influences**3) / (6.0 * squares**1.5)
    levels = []
    for tail in ((1.0 - level) / 2.0, (1.0 + level) / 2.0):
        shifted = bias + normal.inv_cdf(tail)
        room = 1.0 - acceleration * shifted
        # So far out the correction has no meaning any more; the outermost replicate is the end.
        levels.append(normal.cdf(bias + shifted / room) if room > 0 else float(shifted > 0))
    low, high = np.quantile(replicates, levels)
    return float(low), float(high)
