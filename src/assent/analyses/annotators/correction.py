"""P-values of many tests, corrected for their number, in one go for thousands of annotators."""

from __future__ import annotations

import numpy as np

from assent.profiles import Array

__all__ = ["benjamini_hochberg", "holm_by_group"]


def benjamini_hochberg(p_values: Array) -> Array:
    """Return the least false discovery rate at which each test is a discovery: (tests,).

    Of the tests that are below a level, on average no more than this share are false alarms. It holds for independent tests
    and for many that lean the same way. NaN, a test that was not made, stays NaN and counts for nothing.

    References
    ----------
    Benjamini, Y. and Hochberg, Y. (1995). Controlling the false discovery rate: a practical and powerful approach to multiple
    testing. Journal of the Royal Statistical Society B 57(1), 289-300. https://doi.org/10.1111/j.2517-6161.1995.tb02031.x

    Examples
    --------
    >>> benjamini_hochberg(np.array([0.01, 0.04, np.nan, 0.03])).round(3).tolist()
    [0.03, 0.04, nan, 0.04]
    """
    corrected = np.full(len(p_values), np.nan)
    made = np.flatnonzero(~np.isnan(p_values))
    order = made[np.argsort(-p_values[made], kind="stable")]
    rank = len(order) - np.arange(len(order))
    corrected[order] = np.minimum(np.minimum.accumulate(p_values[order] * len(order) / rank), 1.0)
    return corrected


def holm_by_group(p_values: Array, group: Array) -> Array:
    """Correct p-values for the number of tests in their group by Holm's method: (tests,).

    Examples
    --------
    >>> holm_by_group(np.array([0.01, 0.04, 0.03, 0.04]), np.array([0, 0, 0, 1])).round(3).tolist()
    [0.03, 0.06, 0.06, 0.04]
    """
    if not len(p_values):
        return np.asarray(p_values, dtype=np.float64)
    order = np.lexsort((p_values, group))
    sorted_group = group[order]
    first = np.flatnonzero(np.diff(sorted_group, prepend=sorted_group[0] - 1))
    size = np.diff(np.append(first, len(order)))
    place = np.arange(len(order)) - np.repeat(first, size)
    raised = np.minimum(p_values[order] * (np.repeat(size, size) - place), 1.0)
    # The running maximum within groups, taken over ranks: whole numbers to which the group can be added without loss.
    values, rank = np.unique(raised, return_inverse=True)
    number = np.repeat(np.arange(len(first)), size)
    highest = np.maximum.accumulate(number * len(values) + rank.ravel()) - number * len(values)
    corrected = np.empty(len(order))
    corrected[order] = values[highest]
    return corrected
