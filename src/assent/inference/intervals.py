"""From standard errors and replicates to intervals."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from assent.profiles import Array

__all__ = ["bca_interval", "normal_interval", "percentile_interval"]


def normal_interval(value: float, standard_error: float, level: float, units: int) -> tuple[float, float]:
    """Value plus and minus standard errors, by the t distribution with one degree of freedom per unit but one."""
    from scipy.special import stdtrit

    if units < 2 or not np.isfinite(standard_error):
        return float("nan"), float("nan")
    reach = float(stdtrit(units - 1, (1.0 + level) / 2.0)) * standard_error
    return value - reach, value + reach


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
    squares = float(weights @ influences**2)
    if not 0.0 < below < 1.0 or squares == 0.0:
        return percentile_interval(replicates, level)
    bias = normal.inv_cdf(below)
    acceleration = float(weights @ influences**3) / (6.0 * squares**1.5)
    levels = []
    for tail in ((1.0 - level) / 2.0, (1.0 + level) / 2.0):
        shifted = bias + normal.inv_cdf(tail)
        levels.append(normal.cdf(bias + shifted / (1.0 - acceleration * shifted)))
    low, high = np.quantile(replicates, levels)
    return float(low), float(high)
