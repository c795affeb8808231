"""Is a difference more than chance? The test that goes with an interval: the level at which its end reaches 0."""

from __future__ import annotations

import math

import numpy as np

from assent.inference.tails import t_tail
from assent.measures.results import Estimate

__all__ = ["two_sided_p_value"]

#: Beyond this a p-value is as good as 0.
SMALLEST = 1e-12


def two_sided_p_value(
    estimate: Estimate, *, method: str = "analytic", kind: str = "bca", replicates: int = 1000, seed: int = 0
) -> float:
    """Return how likely an estimate as far from 0 is if it is 0; NaN if the estimate has no spread or no value.

    Parameters
    ----------
    estimate : Estimate
        Such as a `Difference`.
    method, kind, replicates, seed
        Of the interval that is inverted.

    Examples
    --------
    >>> import assent
    >>> data = assent.Annotations.from_array([["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"]])
    >>> gap = assent.difference(assent.percent_agreement(data), assent.krippendorff_alpha(data))
    >>> round(two_sided_p_value(gap), 3)
    0.413
    """
    if math.isnan(estimate.value) or estimate.sample.degrees < 1:
        return math.nan
    if method in ("analytic", "jackknife"):
        error = estimate.standard_error(method)
        if math.isnan(error) or error == 0:
            return math.nan
        return 2.0 * t_tail(-abs(estimate.value) / error, estimate.sample.degrees)
    if method == "bootstrap":
        drawn = estimate.bootstrap(replicates=replicates, seed=seed)
        drawn = drawn[~np.isnan(drawn)]
        below, above = ((np.count_nonzero(side) + 1) / (len(drawn) + 1) for side in (drawn <= 0, drawn >= 0))
        return float(min(1.0, 2.0 * min(below, above)))
    if estimate.value == 0:
        return 1.0

    def holds_zero(p_value: float) -> bool:
        interval = estimate.confidence_interval(1.0 - p_value, method=method, kind=kind)
        return interval.low <= 0.0 <= interval.high

    if not holds_zero(SMALLEST):
        return SMALLEST
    # The interval shrinks as p grows: halve the range of log p until its end lies on 0.
    low, high = math.log(SMALLEST), 0.0
    for _ in range(30):
        middle = (low + high) / 2.0
        low, high = (middle, high) if holds_zero(math.exp(middle)) else (low, middle)
    return math.exp((low + high) / 2.0)
