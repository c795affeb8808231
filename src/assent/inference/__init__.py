"""How sure a number is.

Everything here changes the weights of items and looks at what a statistic does. It knows no coefficient:
a statistic is any function from a `Weighting` to values, smooth in the weights.
"""

from __future__ import annotations

from assent.inference.bootstrap import bootstrap_replicates
from assent.inference.derivatives import Statistic, influence
from assent.inference.etel import PaddedSample, etel_interval
from assent.inference.intervals import bca_interval, normal_interval, percentile_interval
from assent.inference.linear import analytic_standard_error, jackknife_standard_error, skewness
from assent.inference.permutation import permutation_p_value
from assent.inference.sample import Sample

__all__ = [
    "PaddedSample",
    "Sample",
    "Statistic",
    "analytic_standard_error",
    "bca_interval",
    "bootstrap_replicates",
    "etel_interval",
    "influence",
    "jackknife_standard_error",
    "normal_interval",
    "percentile_interval",
    "permutation_p_value",
    "skewness",
]
