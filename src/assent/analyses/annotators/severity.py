"""Who rates higher or lower than the others do: the mean difference on a scale."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Literal

import numpy as np

from assent.analyses.findings.finding import holm
from assent.data import Annotations
from assent.profiles import Array
from assent.scales import numbers

__all__ = ["Severity", "severity"]

#: A difference is clear if its corrected p-value is no larger.
LEVEL = 0.05


@dataclass(frozen=True, eq=False, kw_only=True)
class Severity:
    """How much higher or lower annotators rate than the others do on the same items.

    Parameters
    ----------
    mean, low, high : array (annotators,)
        Mean difference to the mean of the others, and its interval; NaN for who shares fewer than two items.
    spread : array (annotators,)
        How far apart they are item by item, once that mean is taken out: the standard deviation of the difference.
    corrected : array (annotators,)
        P-values, corrected for all annotators by Holm's method.
    unit : {"steps", "units"}
        Steps between neighbouring labels, or what the labels are numbers of.
    """

    mean: Array
    low: Array
    high: Array
    spread: Array
    corrected: Array
    unit: Literal["steps", "units"]

    def known(self, annotator: int) -> bool:
        """Tell whether there is a difference to speak of."""
        return not math.isnan(self.mean[annotator])

    def clear(self, annotator: int) -> bool:
        """Tell whether an annotator's difference is beyond 0 by more than luck would make it."""
        return bool(self.corrected[annotator] <= LEVEL)

    def of(self, annotator: int) -> dict[str, Any] | None:
        """Return what is known of one annotator as plain values."""
        if not self.known(annotator):
            return None
        return {
            "value": float(self.mean[annotator]),
            "low": float(self.low[annotator]),
            "high": float(self.high[annotator]),
            "spread": float(self.spread[annotator]),
            "p_corrected": float(self.corrected[annotator]),
            "clear": self.clear(annotator),
            "unit": self.unit,
        }


def severity(data: Annotations, *, scale: str | None, level: float) -> Severity | None:
    """Compare each annotator's labels on a scale with the mean of the others on the same items; None for names of labels.

    Parameters
    ----------
    data : Annotations
    scale : {"nominal", "ordinal", "interval", "ratio"}, optional
        On an ordinal one steps between labels are counted, on the others the labels are numbers.
    level : float
        Confidence level of the intervals.

    Examples
    --------
    >>> found = severity(Annotations.from_array([["1", "1", "3"], ["2", "2", "4"]]), scale="interval", level=0.95)
    >>> found.mean.tolist(), found.unit
    ([-1.0, -1.0, 2.0], 'units')
    """
    if scale in (None, "nominal") or data.annotators is None:
        return None
    values = None if scale == "ordinal" else numbers(data.labels, data._decimal)
    position = np.arange(len(data.labels), dtype=np.float64) if values is None else np.asarray(values)
    ratings = data._comparable_ratings
    at, sizes = position[ratings.label], ratings.sizes[ratings.profile]
    total = np.bincount(ratings.profile, weights=at, minlength=len(ratings.sizes))
    apart = at - (total[ratings.profile] - at) / (sizes - 1)
    times = ratings.multiplicities[ratings.profile]
    count, sums, squares = (
        np.bincount(ratings.annotator, weights=times * w, minlength=len(data.annotators))
        for w in (np.ones(len(at)), apart, apart**2)
    )
    found = np.flatnonzero(count > 1)
    mean, error, corrected = (np.full(len(data.annotators), np.nan) for _ in range(3))
    mean[found] = sums[found] / count[found]
    error[found] = np.sqrt(np.maximum(squares[found] / count[found] - mean[found] ** 2, 0.0) / (count[found] - 1))
    pairs = zip(mean[found].tolist(), error[found].tolist(), strict=True)
    corrected[found] = holm([math.erfc(abs(m) / e / math.sqrt(2.0)) if e > 0 else 1.0 for m, e in pairs])
    reach = NormalDist().inv_cdf(0.5 + level / 2.0)
    return Severity(
        mean=mean,
        low=mean - reach * error,
        high=mean + reach * error,
        spread=error * np.sqrt(np.maximum(count - 1.0, 0.0)),
        corrected=corrected,
        unit="steps" if values is None else "units",
    )
