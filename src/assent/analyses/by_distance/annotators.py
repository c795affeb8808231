"""Who is far from the others, where a distance compares labels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from assent.analyses.by_distance.alpha import about_alpha, alpha_of
from assent.analyses.by_kind import answers
from assent.data.distance_labels import DistanceLabels
from assent.documents.blocks import Block, Column, Document, Prose, Table, between, count, name, notes, number, table_of
from assent.documents.result import Result
from assent.errors import OptionError, UnsuitableData
from assent.inference.intervals import normal_interval
from assent.inference.linear import left_out
from assent.inference.sample import Sample
from assent.limits import ANNOTATORS_LISTED
from assent.measures._by_distance import compared_labels, distance_weights, to_others
from assent.measures.results import NO_WIDTH, Agreement
from assent.profiles import Array, Ratings, Weighting
from assent.records import Record, plain
from assent.text import escaped, shown
from assent.text import level as level_text
from assent.text import number as in_words

__all__ = ["DistantAnnotator", "DistantAnnotators", "distant_annotators"]


class Between(Record, frozen=True, kw_only=True):
    """A number with its interval; NaN where it is undefined."""

    value: float
    standard_error: float
    low: float
    high: float


class DistantAnnotator(Record, frozen=True, kw_only=True):
    """One annotator and how far their annotations are from those of the others.

    Parameters
    ----------
    n_annotations, n_items : int
        Given; and items among them that somebody else annotated, too.
    distance : Between
        Mean over these items of the mean distance to the others.
    agreement : Between
        One minus that over the expected distance.
    """

    annotator: str
    n_annotations: int
    n_items: int
    distance: Between
    agreement: Between


class DistantAnnotators(Result, frozen=True, kw_only=True, eq=False):
    """The annotators, the one farthest from the others first.

    Parameters
    ----------
    alpha : Agreement
        Krippendorff's alpha with the distance.
    level : float
        Confidence level of the intervals.
    """

    data: DistanceLabels
    alpha: Agreement
    annotators: tuple[DistantAnnotator, ...]
    level: float
    notes: tuple[str, ...] = ()

    @property
    def expected_distance(self) -> float:
        """Mean distance of any two annotations of items with two or more."""
        return self.alpha.details["expected_distance"]

    def to_dict(self) -> dict[str, Any]:
        """Return all annotators as plain values."""
        return {
            "data": self.data.to_dict(),
            "annotators": plain(self.annotators),
            "distance": self.data.distance,
            "expected_distance": plain(self.expected_distance),
            "overall": plain(self.alpha.value),
            "level": self.level,
            "notes": list(self.notes),
        }

    def table(self) -> Table:
        """Return how far each annotator is from the others, beside chance."""
        sure = f"{level_text(self.level)} interval"
        left = len(self.annotators) - ANNOTATORS_LISTED
        return table_of(
            "distant-annotators",
            "Mean distance to the others, the farthest first",
            self.annotators[:ANNOTATORS_LISTED],
            [
                (Column("annotator", "name"), lambda one: name(one.annotator)),
                (
                    Column("distance", meaning="Mean distance to the others on the same items."),
                    lambda one: number(one.distance.value, 3),
                ),
                (Column(sure), lambda one: between(one.distance.low, one.distance.high, digits=3)),
                (
                    Column("chance", meaning="Mean distance of any two annotations."),
                    lambda one: number(self.expected_distance, 3),
                ),
                (
                    Column("agreement", meaning="One minus the distance over that of chance."),
                    lambda one: number(one.agreement.value, 3),
                ),
                (
                    Column("its interval"),
                    lambda one: between(one.agreement.low, one.agreement.high, digits=3),
                ),
                (
                    Column("items", meaning="Items that somebody else annotated, too."),
                    lambda one: count(one.n_items),
                ),
            ],
            more=f"{left:,} more annotators are in the JSON." if left > 0 else "",
        )

    @property
    def takeaway(self) -> str:
        """Say who is farthest from the others, beside chance."""
        first = self.annotators[0]
        chance = f"any two annotations have {in_words(self.expected_distance, 3)}"
        if len(self.annotators) == 2:
            return f"The two are {in_words(first.distance.value, 3)} apart in the mean, where {chance}."
        return f"{shown(first.annotator)} is farthest from the others: mean distance {in_words(first.distance.value, 3)}, where {chance}."

    def blocks(self) -> list[Block]:
        """Return the table, and what must be known to read it."""
        return [self.table(), *notes(self.notes)]

    def document(self) -> Document:
        """Return the table of the annotators."""
        blocks = [Prose([self.takeaway]), self.table(), *notes(self.data._reading_notes(), self.notes)]
        return Document("Annotators", blocks, summary=self.data.describe())


@answers("annotators", "distance-labels")
def distant_annotators(data: DistanceLabels, *, level: float = 0.95) -> DistantAnnotators:
    """Return how far each annotator's labels are from those of the others on the same items.

    Examples
    --------
    >>> from assent.data.distance_labels import with_distance
    >>> rows = [["a cat", "a cat", "a hat"], ["dogs", "dogs", "fogs"]]
    >>> found = distant_annotators(with_distance(rows, "levenshtein"))
    >>> [(one.annotator, round(one.distance.value, 4)) for one in found.annotators]
    [('3', 0.225), ('1', 0.1125), ('2', 0.1125)]
    """
    if not 0 < level < 1:
        raise OptionError(f"`level` is {level:g}; it must lie between 0 and 1.")
    if data.annotators is None:
        raise UnsuitableData(
            "The table says how many annotators gave each label, not who, so there are no annotators to compare: give a table with "
            "one row for each annotation, or with one column for each annotator."
        )
    alpha = alpha_of(data)
    compared = compared_labels(data, data.distance, tree=data.tree)
    ratings = data._comparable_ratings
    far = to_others(compared, ratings.profile, ratings.label)
    chance = alpha.details["expected_distance"]
    left = _chance_without(data, ratings)
    every = data._ratings
    given = np.bincount(every.annotator, every.multiplicities[every.profile], minlength=len(data.annotators))
    order = np.argsort(ratings.annotator, kind="stable")
    ends = np.searchsorted(ratings.annotator[order], np.arange(len(data.annotators) + 1))
    rows = []
    for at, who in enumerate(data.annotators):
        mine = order[ends[at] : ends[at + 1]]
        distance, agreement, items = _apart(
            ratings, ratings.profile[mine], far[mine], chance, left, level, most=compared.most
        )
        rows.append(
            DistantAnnotator(
                annotator=who, n_annotations=int(given[at]), n_items=items, distance=distance, agreement=agreement
            )
        )
    rows.sort(key=lambda one: (math.isnan(one.distance.value), -round(one.distance.value, 12), one.annotator))
    said = [
        "Agreement of an annotator is one minus the mean distance to the others on the same items over the expected distance: 0 is what any two "
        "annotations have, and the mean over annotations is Krippendorff's alpha.",
        f"Intervals: jackknife, over {escaped(data.unit)}; there is none where nothing varies, which proves nothing.",
        "This says how far annotators are from the others, not who is right.",
    ]
    said += about_alpha(alpha)
    return DistantAnnotators(data=data, alpha=alpha, annotators=tuple(rows), level=level, notes=(*said, *compared.said))


def _chance_without(data: DistanceLabels, ratings: Ratings) -> Array:
    """Return the expected distance without each (kind of) item, or each cluster: (units,)."""
    near = distance_weights(data, data._comparable_counts, data.distance, tree=data.tree)
    features = near.features(ratings.counts)

    def statistic(weighting: Weighting) -> Array:
        items = ratings.weighted_by(weighting)
        totals, annotations = items.total(features), items.total(items.sizes)
        with np.errstate(divide="ignore", invalid="ignore"):
            agreed = (near.between(totals, totals) - annotations) / (annotations * (annotations - 1.0))
        return np.asarray((1.0 - agreed) * near.largest)

    return np.concatenate(list(left_out(Sample(statistic, ratings.multiplicities, ratings.units))))


def _apart(
    ratings: Ratings, profile: Array, far: Array, chance: float, left: Array, level: float, *, most: float
) -> tuple[Between, Between, int]:
    """Return the mean distance and the agreement of an annotator, and on how many items.

    Parameters
    ----------
    profile, far : array (their annotations,)
        Of which item, and how far from the others.
    left : array (units,)
        The expected distance without each unit.
    most : float
        No two labels are farther apart.
    """
    kinds = len(ratings.multiplicities)
    sums, times = np.bincount(profile, far, minlength=kinds), np.bincount(profile, minlength=kinds)
    total, items = float(ratings.multiplicities @ sums), float(ratings.multiplicities @ times)
    weights = np.asarray(ratings.multiplicities, dtype=np.float64)
    if ratings.units is not None:
        sums, times, weights = np.asarray(ratings.units @ sums), np.asarray(ratings.units @ times), np.ones(len(left))
    with np.errstate(divide="ignore", invalid="ignore"):
        without = (total - sums) / (items - times)
        agreed = 1.0 - without / left
    own = times > 0
    units = float(weights[own].sum())
    value = total / items if items else math.nan
    agreement = 1.0 - value / chance if chance > 0 else math.nan
    return (
        _between(value, without[own], weights[own], units, level, least=0.0, most=most),
        _between(agreement, agreed, weights, units, level, least=min(-1.0, agreement), most=1.0),
        round(items),
    )


def _between(
    value: float,
    without: Array,
    weights: Array,
    units: float,
    level: float,
    *,
    least: float,
    most: float,
) -> Between:
    """Return a number with its jackknife interval, cut to the values that there are; none if nothing varies.

    Parameters
    ----------
    without, weights : array
        What it is without a unit of each kind, and how many such units there are.
    units : float
        Units that the annotator took part in.
    """
    number, error = float(weights.sum()), math.nan
    if units > 1 and not np.isnan(without).any():
        error = math.sqrt((number - 1.0) / number * float(weights @ (without - weights @ without / number) ** 2))
    low, high = normal_interval(value, error, level, round(units) - 1)
    if high - low <= NO_WIDTH:
        low = high = math.nan
    # An end that is not known stays so.
    return Between(value=value, standard_error=error, low=max(low, least), high=min(high, most))
