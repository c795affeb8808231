"""Who rates higher or lower than the others do: the mean difference on a scale."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from assent.analyses.findings.finding import holm
from assent.data import Annotations
from assent.profiles import Array, Ratings
from assent.records import Struct
from assent.scales import numbers, unit_of
from assent.text import number

__all__ = ["Severity", "severity"]

#: A difference is clear if its corrected p-value is no larger.
LEVEL = 0.05
#: Rounds in which the severities of annotators are brought in line with each other.
ROUNDS = 50


class Severity(Struct, frozen=True, kw_only=True, eq=False):
    """How much higher or lower annotators rate than the others do on the same items.

    Parameters
    ----------
    mean, low, high : array (annotators,)
        Mean difference to the mean of the others, and its interval (by t, over items or clusters); NaN for who shares fewer than two items.
    spread : array (annotators,)
        How far apart they are item by item, once that mean is taken out: the standard deviation of the difference.
    corrected : array (annotators,)
        P-values, corrected for all annotators by Holm's method.
    unit : {"steps", "units"}
        Steps between neighbouring labels, or what the labels are numbers of.
    middle : array (annotators,)
        How far they are from the middle one of all annotators, once all are brought in line with each other; one who is strict makes all others
        look lenient beside the mean of the others, but not here.
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
    middle: Array
    explains: float
    position: Array

    def known(self, annotator: int) -> bool:
        """Tell whether there is a difference to speak of."""
        return not math.isnan(self.mean[annotator])

    def said(self, annotator: int) -> str:
        """Say how much higher or lower an annotator rates."""
        mean = float(self.mean[annotator])
        return f"rates {number(abs(mean), 1)} {self.unit} {'higher' if mean > 0 else 'lower'}"

    def clear(self, annotator: int) -> bool:
        """Tell whether an annotator's difference is beyond 0 by more than luck would make it."""
        return bool(self.corrected[annotator] <= LEVEL)

    @property
    def foremost(self) -> list[int]:
        """Annotators whose difference is clear, and who are at least half as far from the middle one as who is farthest, the farthest first."""
        clear = [one for one in range(len(self.mean)) if self.known(one) and self.clear(one)]
        farthest = max((abs(float(self.middle[one])) for one in clear), default=0.0)
        kept = [one for one in clear if abs(float(self.middle[one])) >= farthest / 2.0]
        return sorted(kept, key=lambda one: -abs(float(self.mean[one])))

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
    from scipy.special import stdtr, stdtrit

    values = None if scale == "ordinal" else numbers(data.labels, data._decimal)
    position = np.arange(len(data.labels), dtype=np.float64) if values is None else np.asarray(values)
    unit = unit_of(position)
    ratings = data._comparable_ratings
    at, sizes = (position / unit)[ratings.label], ratings.sizes[ratings.profile]
    total = np.bincount(ratings.profile, weights=at, minlength=len(ratings.sizes))
    apart = at - (total[ratings.profile] - at) / (sizes - 1)
    times = ratings.multiplicities[ratings.profile]
    count, sums, squares = (
        np.bincount(ratings.annotator, weights=times * w, minlength=len(data.annotators))
        for w in (np.ones(len(at)), apart, apart**2)
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.where(count > 1, sums / count, np.nan)
        size = np.sqrt(np.maximum(squares / count, _step(position / unit) ** 2))
        around = np.maximum(squares / count - mean**2, 0.0)
    error, degrees = _errors(ratings, apart - mean[ratings.annotator], count, mean**2 + size**2 / 2.0)
    corrected = np.full(len(mean), np.nan)
    found = np.flatnonzero(~np.isnan(mean))
    corrected[found] = holm((2.0 * stdtr(degrees[found], -np.abs(mean[found]) / error[found])).tolist())
    reach = stdtrit(degrees, 0.5 + level / 2.0) * error
    shift, explains = _explained(at, ratings)
    with np.errstate(over="ignore"):
        # A difference of two such numbers may be none any more.
        return Severity(
            mean=mean * unit,
            low=(mean - reach) * unit,
            high=(mean + reach) * unit,
            spread=np.sqrt(around) * unit,
            corrected=corrected,
            unit="steps" if values is None else "units",
            middle=(shift - np.median(shift[found]) if len(found) else shift) * unit,
            explains=explains,
            position=position,
        )


def _step(position: Array) -> float:
    """Return the mean distance between neighbouring labels."""
    return float(np.ptp(position)) / (len(position) - 1) if len(position) > 1 else 1.0


def _errors(ratings: Ratings, left: Array, count: Array, pseudo: Array) -> tuple[Array, Array]:
    """Return standard errors of mean differences over items or clusters, and their degrees of freedom: (annotators,) each.

    Differences that are all the same are no certainty: one pseudo-item (or cluster of the usual size) is among them, half of which does not differ and
    half of which differs either way by the usual difference, or by a step if that is more.

    Parameters
    ----------
    left : array (annotations,)
        Differences less an annotator's mean.
    count : array (annotators,)
    pseudo : array (annotators,)
        Squared distance of the pseudo-item from the mean.
    """
    if ratings.units is None:
        squares = np.bincount(
            ratings.annotator, weights=ratings.multiplicities[ratings.profile] * left**2, minlength=len(count)
        )
        units = count
    else:
        from scipy.sparse import csr_array

        place, shape = (ratings.profile, ratings.annotator), (len(ratings.multiplicities), len(count))
        in_units = csr_array(ratings.units)
        moved, seen = (in_units @ csr_array((of, place), shape=shape) for of in (left, np.ones(len(left))))
        squares = np.asarray(moved.power(2).sum(axis=0)).ravel()
        units = np.asarray((seen > 0).sum(axis=0)).ravel().astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        usual = (count / units) ** 2
        error = np.sqrt((squares + usual * pseudo) * units / (units - 1.0)) / count
    return np.where(units > 1, error, np.nan), np.maximum(units - 1.0, 1.0)


def _explained(at: Array, ratings: Ratings) -> tuple[Array, float]:
    """Return an additive severity of each annotator, and the share of squared distances within items that it takes away."""
    who, item = ratings.annotator, ratings.profile
    sizes = ratings.sizes.astype(np.float64)
    weight = (ratings.multiplicities * np.where(sizes > 1, sizes / np.maximum(sizes - 1.0, 1.0), 0.0))[item]

    def apart(values: Array) -> Array:
        mean = np.bincount(item, weights=values, minlength=len(sizes)) / np.maximum(sizes, 1.0)
        return np.asarray(values - mean[item])

    before = float(weight @ apart(at) ** 2)
    load = np.bincount(who, weights=weight, minlength=len(ratings.annotators))
    shift = np.zeros(len(load))
    if not before > 0:
        return shift, 0.0
    for _ in range(ROUNDS):
        left = apart(at - shift[who])
        shift += np.bincount(who, weights=weight * left, minlength=len(load)) / np.maximum(load, 1e-300)
    return shift, max(0.0, 1.0 - float(weight @ apart(at - shift[who]) ** 2) / before)
