"""From standard errors and replicates to intervals."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from assent.profiles import Array

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
    """Return ends that allow for a lopsided statistic: those of `normal_interval`, taken back through Hall's transformation.

    Parameters
    ----------
    value, standard_error : float
    skew : float
        Skewness of the statistic (not of one unit).
    level : float
    degrees : int

    References
    ----------
    Hall, P. (1992). On the removal of skewness by transformation. Journal of the Royal Statistical Society B 54(1), 221-228.

    Examples
    --------
    >>> [round(end, 3) for end in skewed_interval(0.0, 1.0, -0.5, 0.9, 1000)]
    [-2.921, 1.274]
    """
    if degrees < 1 or not np.isfinite(standard_error):
        return float("nan"), float("nan")
    reach = _t_quantile((1.0 + level) / 2.0, degrees)
    return value - standard_error * _skewed(reach, skew), value - standard_error * _skewed(-reach, skew)


def unskewed(ratio: float, skew: float) -> float:
    """Return a ratio of an estimate to its error as one that is not lopsided (Hall's transformation, which only grows)."""
    return float(ratio + skew * ratio**2 / 3.0 + skew**2 * ratio**3 / 27.0 + skew / 6.0)


def _skewed(ratio: float, skew: float) -> float:
    """Undo `unskewed`."""
    if abs(skew) < 1e-8:
        return ratio
    return float(3.0 / skew * (np.cbrt(1.0 + skew * (ratio - skew / 6.0)) - 1.0))


def _t_quantile(probability: float, degrees: float) -> float:
    """Quantile of the t distribution."""
    if degrees <= 1000:
        from scipy.special import stdtrit

        return float(stdtrit(degrees, probability))
    # Hill's expansion has no error a float can show here, and scipy costs more time to import than all the rest.
    z = NormalDist().inv_cdf(probability)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(z + sum(term / degrees**power for power, term in enumerate(terms, start=1)))


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
    level : float
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
