"""Who rates higher or lower than the others do: the mean difference on a scale."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Literal

import numpy as np

from assent.analyses.findings.finding import holm
from assent.data import Annotations
from assent.profiles import Array, Ratings
from assent.scales import numbers

__all__ = ["Severity", "severity"]

#: A difference is clear if its corrected p-value is no larger.
LEVEL = 0.05
#: Rounds in which the severities of annotators are brought in line with each other.
ROUNDS = 50


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
    explains : float
        Share of the squared distances between annotations of an item that would be gone if nobody rated higher or lower than the others.
    position : array (labels,)
        Where the labels stand on the scale.
    """

    mean: Array
    low: Array
    high: Array
    spread: Array
    corrected: Array
    unit: Literal["steps", "units"]
    explains: float
    position: Array

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
        explains=_explained(at, ratings),
        position=position,
    )


def _explained(at: Array, ratings: Ratings) -> float:
    """Return the share of squared distances within items that an additive severity of each annotator takes away."""
    who, item = ratings.annotator, ratings.profile
    sizes = ratings.sizes.astype(np.float64)
    weight = (ratings.multiplicities * np.where(sizes > 1, sizes / np.maximum(sizes - 1.0, 1.0), 0.0))[item]

    def apart(values: Array) -> Array:
        mean = np.bincount(item, weights=values, minlength=len(sizes)) / np.maximum(sizes, 1.0)
        return np.asarray(values - mean[item])

    before = float(weight @ apart(at) ** 2)
    if not before > 0:
        return 0.0
    load = np.bincount(who, weights=weight, minlength=len(ratings.annotators))
    shift = np.zeros(len(load))
    for _ in range(ROUNDS):
        left = apart(at - shift[who])
        shift += np.bincount(who, weights=weight * left, minlength=len(load)) / np.maximum(load, 1e-300)
    return max(0.0, 1.0 - float(weight @ apart(at - shift[who]) ** 2) / before)
