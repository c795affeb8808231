"""Tests of (human closer, tie, judge closer) counts: the one-sided t-test as published, Tango's score test, and many at once.

References
----------
Tango, T. (1998). Equivalence test and confidence interval for the difference in proportions for the paired-sample design.
Statistics in Medicine 17(8), 891-908.
Benjamini, Y. and Yekutieli, D. (2001). The control of the false discovery rate in multiple testing under dependency. Annals of
Statistics 29(4), 1165-1188. https://doi.org/10.1214/aos/1013699998
"""

from __future__ import annotations

import numpy as np

from assent.profiles import Array

__all__ = ["benjamini_yekutieli", "t_p", "tango_interval", "tango_p", "tango_z"]

#: A variance below this is what rounding left of none.
NO_VARIANCE = 1e-12
#: Halvings of the range of a difference.
HALVINGS = 60


def t_p(human: Array, tie: Array, judge: Array, epsilon: float) -> Array:
    """Return the p-value of the one-sided t-test that the mean difference lies below `epsilon`: the shape of the counts.

    A difference is 1 where the human is closer to the others, -1 where the judge is, and 0 for a tie. Without variance it is 0 or 1,
    and undefined exactly on `epsilon`.

    Parameters
    ----------
    human, tie, judge : array
        How many items of each kind.

    Examples
    --------
    >>> float(t_p(6, 30, 4, 0.1).round(3)), float(t_p(0, 40, 0, 0.2))
    (0.267, 0.0)
    """
    from scipy.special import stdtr

    human, tie, judge = (np.asarray(one, dtype=np.float64) for one in (human, tie, judge))
    number = human + tie + judge
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = (human - judge) / number
        variance = ((human + judge) - number * mean**2) / (number - 1.0)
        gap = mean - epsilon
        found = stdtr(number - 1.0, gap / np.sqrt(variance / number))
        # The mean is a fraction and the margin a decimal: they can be the same and differ in the last bit.
        without = np.where(np.abs(gap) < NO_VARIANCE, np.nan, np.where(gap < 0, 0.0, 1.0))
        return np.asarray(np.where(number < 2, np.nan, np.where(variance < NO_VARIANCE, without, found)))


def tango_z(human: Array, tie: Array, judge: Array, delta: Array | float) -> Array:
    """Return Tango's score statistic of "the difference of the two proportions is `delta`": large where it is more."""
    human, tie, judge, delta = (np.asarray(one, dtype=np.float64) for one in (human, tie, judge, delta))
    number = human + tie + judge
    a = 2.0 * number
    b = -human - judge + (2.0 * number - human + judge) * delta
    c = -judge * delta * (1.0 - delta)
    with np.errstate(divide="ignore", invalid="ignore"):
        discordant = (np.sqrt(np.maximum(b**2 - 4.0 * a * c, 0.0)) - b) / (2.0 * a)
        variance = number * (2.0 * discordant + delta * (1.0 - delta))
        return np.asarray((human - judge - number * delta) / np.sqrt(np.maximum(variance, 0.0)))


def tango_p(human: Array, tie: Array, judge: Array, epsilon: float) -> Array:
    """Return the p-value of Tango's score test that the difference lies below `epsilon`; sensible without variance, too.

    Examples
    --------
    >>> float(tango_p(0, 40, 0, 0.2).round(5))
    0.00078
    """
    from scipy.special import ndtr

    return np.asarray(ndtr(tango_z(human, tie, judge, epsilon)))


def tango_interval(human: Array, tie: Array, judge: Array, level: float = 0.95) -> tuple[Array, Array]:
    """Return Tango's interval of the share of items where the human is closer, less that where the judge is.

    Examples
    --------
    >>> low, high = tango_interval(6, 30, 4)
    >>> float(low.round(3)), float(high.round(3))
    (-0.115, 0.216)
    """
    from scipy.special import ndtri

    human, tie, judge = np.broadcast_arrays(*(np.asarray(one, dtype=np.float64) for one in (human, tie, judge)))
    reach = float(ndtri((1.0 + level) / 2.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        middle = (human - judge) / (human + tie + judge)
    ends = []
    for outermost, sign in ((-1.0, 1.0), (1.0, -1.0)):
        inside, outside = middle.copy(), np.full_like(middle, outermost)
        for _ in range(HALVINGS):
            half = (inside + outside) / 2.0
            within = sign * tango_z(human, tie, judge, half) < reach
            inside, outside = np.where(within, half, inside), np.where(within, outside, half)
        ends.append(np.where(np.isnan(middle), np.nan, inside))
    return ends[0], ends[1]


def benjamini_yekutieli(p_values: Array, q: float = 0.05) -> Array:
    """Return which hypotheses are rejected at a false discovery rate of `q` under any dependence: the shape of `p_values`.

    Parameters
    ----------
    p_values : array (…, tests)
        NaN is not rejected, and counts as a test.

    Examples
    --------
    >>> benjamini_yekutieli(np.array([0.001, 0.2, 0.02])).tolist()
    [True, False, False]
    """
    p_values = np.asarray(p_values, dtype=np.float64)
    tests = p_values.shape[-1]
    rank = np.arange(1, tests + 1)
    bound = rank * q / (tests * (1.0 / rank).sum())
    order = np.argsort(p_values, axis=-1)
    passing = np.take_along_axis(p_values, order, -1) <= bound
    last = np.where(passing, rank, 0).max(axis=-1, initial=0)
    places = np.empty_like(order)
    np.put_along_axis(places, order, np.broadcast_to(rank, order.shape), -1)
    return np.asarray(places <= last[..., None])
