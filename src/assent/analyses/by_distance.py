"""Labels that only a distance can compare, one by one: which items they are far apart on, and who is far from the others.

Everything is in the terms of Krippendorff's alpha with the same distance. An item has the mean distance of its pairs of annotations, an
annotator the mean distance of their annotations to the others of the same items; agreement is one minus that over the expected distance,
which is the mean distance of any two annotations. The mean of either over annotations is alpha.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assent.analyses.by_kind import answers
from assent.data.distance_labels import DistanceLabels
from assent.documents.blocks import (
    Block,
    Cell,
    Column,
    Document,
    Prose,
    Table,
    between,
    count,
    name,
    names,
    notes,
    number,
    table_of,
)
from assent.documents.result import Result
from assent.errors import OptionError, UnsuitableData, choose, did_you_mean
from assent.inference.intervals import normal_interval
from assent.inference.linear import left_out
from assent.inference.sample import Sample
from assent.limits import ANNOTATORS_LISTED, LISTED_ITEMS, MOST_NAMED
from assent.measures import find
from assent.measures._by_distance import compared_labels, distance_weights, to_others
from assent.measures.results import NO_WIDTH, Agreement
from assent.plain import Record, plain
from assent.profiles import Array, Ratings, Weighting
from assent.text import counted, escaped, shown
from assent.text import level as level_text
from assent.text import number as in_words

__all__ = [
    "DistantAnnotator",
    "DistantAnnotators",
    "DistantItem",
    "DistantItems",
    "distant_annotators",
    "distant_items",
]

#: What can come first.
SORTS = ("disagreement", "annotations", "item")
DEFINED = (
    "Agreement of an item is one minus the mean distance of its pairs of annotations over the expected distance: 0 is what any two annotations "
    "have, and the mean over annotations is Krippendorff's alpha."
)


@dataclass(frozen=True, kw_only=True)
class DistantItem:
    """One item and how far apart its annotations are.

    Parameters
    ----------
    item : str
    n_annotations : int
    distance : float
        Mean of its pairs of annotations; NaN with one annotation.
    agreement : float
        One minus that over the expected distance.
    counts : mapping of str to int
        How often each label was given, the most frequent first.
    given : sequence of (str, str), optional
        Who gave which, if that was asked for.
    text : str, optional
        Content of the item.
    """

    item: str
    n_annotations: int
    distance: float
    agreement: float
    counts: Mapping[str, int]
    given: Sequence[tuple[str, str]] | None = None
    text: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "item": self.item,
            "annotations": self.n_annotations,
            "agreement": plain(self.agreement),
            "distance": plain(self.distance),
            "counts": dict(self.counts),
            "given": None if self.given is None else [{"annotator": who, "label": label} for who, label in self.given],
            "text": self.text,
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class DistantItems(Result):
    """The items, those whose annotations are farthest apart first.

    Parameters
    ----------
    data : DistanceLabels
    alpha : Agreement
        Krippendorff's alpha with the distance.
    items : tuple of DistantItem
    total, matching : int
        All items with a label, and those that were asked for.
    sort : str
    mean_agreement : float
        Of all items with two or more annotations, each counted once; NaN if it is undefined.
    notes : tuple of str
    """

    data: DistanceLabels
    alpha: Agreement
    items: tuple[DistantItem, ...]
    total: int
    matching: int
    sort: str
    mean_agreement: float
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        """Return how many items are looked at."""
        return len(self.items)

    def head(self, number: int) -> DistantItems:
        """Return the same with the first items alone."""
        return replace(self, items=self.items[: max(number, 0)])

    @property
    def expected_distance(self) -> float:
        """Mean distance of any two annotations of items with two or more."""
        return self.alpha.details["expected_distance"]

    def to_dict(self) -> dict[str, Any]:
        """Return the items that are looked at as plain values."""
        return {
            "data": self.data.to_dict(),
            "sort": self.sort,
            "items": [one.to_dict() for one in self.items],
            "total": self.total,
            "matching": self.matching,
            "scale": None,
            "distance": self.data.distance,
            "expected_distance": plain(self.expected_distance),
            "alpha": plain(self.alpha.value),
            "mean_agreement": plain(self.mean_agreement),
            "notes": list(self.notes),
        }

    def table(self, limit: int = LISTED_ITEMS) -> Table:
        """Return the first items with what was given to them."""
        rows = self.items[:limit]
        left = self.matching - len(rows)
        return table_of(
            "distant-items",
            "Items, the farthest apart first" if self.sort == "disagreement" else f"Items, by {self.sort}",
            rows,
            [
                (Column("item", "name"), lambda one: name(one.item)),
                (Column("text", "text"), lambda one: name(one.text or "")) if any(one.text for one in rows) else None,
                (Column("labels", "text", "Every label that was given, with who gave it or how often."), _labels),
                (Column("n", meaning="Its annotations.", minor=True), lambda one: count(one.n_annotations)),
                (
                    Column("distance", meaning="Mean distance of its pairs of annotations."),
                    lambda one: number(one.distance, 3),
                ),
                (
                    Column("agreement", meaning="One minus that over the expected distance."),
                    lambda one: number(one.agreement, 3),
                ),
            ],
            more=f"{counted(left, 'more item')} not listed." if left else "",
        )

    @property
    def takeaway(self) -> str:
        """Say what the distances are to be held against, in one sentence."""
        first = next((one for one in self.items if not math.isnan(one.distance)), None)
        chance = f"any two annotations have {in_words(self.expected_distance, 3)}"
        if first is None or self.sort != "disagreement":
            return f"{self.alpha.title}: {chance} in the mean."
        return f"Farthest apart are the annotations of {shown(first.item)}: mean distance {in_words(first.distance, 3)}, where {chance}."

    def document(self) -> Document:
        """Return the first items."""
        blocks: list[Block] = [Prose([self.takeaway])]
        if self.items:
            blocks.append(self.table())
        blocks += notes(self.data._reading_notes(), self.notes)
        return Document("Items", blocks, summary=self.data.describe())


def _labels(one: DistantItem) -> Cell:
    """Return what was given to an item, with who gave it or how often."""
    if one.given:
        return names([(f'"{label}"', f"({who})") for who, label in one.given])
    # A text may hold a comma.
    return names([(f'"{label}"', "" if times == 1 else f"×{times}") for label, times in one.counts.items()])


def measured(data: DistanceLabels) -> Agreement:
    """Measure Krippendorff's alpha with the distance of the data."""
    return find("krippendorff-alpha")(data, **data.options)


def _about(alpha: Agreement) -> list[str]:
    """Say that the expected distance comes from a sample of pairs, or that there is no agreement beyond chance to measure."""
    error = alpha.details["monte_carlo_error"]
    drawn = f"The expected distance comes from random pairs of annotations (seed 0), which moves alpha by about {error:.1g} (Monte Carlo error)."
    return [*([drawn] if error > 0 else []), *([alpha.undefined] if alpha.undefined else [])]


@answers("items", "distance-labels")
def distant_items(
    data: DistanceLabels,
    *,
    text: str | None = None,
    sort: str = "disagreement",
    top: int | None = None,
    min_annotations: int = 1,
    min_agreement: float | None = None,
    max_agreement: float | None = None,
    has_label: str | None = None,
    from_annotator: str | Sequence[str] = (),
    by: str | None = None,
    group: str | None = None,
    only: Sequence[str] | None = None,
    who: bool = False,
) -> DistantItems:
    """Return how far apart the annotations of each item are; the options are those of `assent.items`.

    Examples
    --------
    >>> from assent.data.distance_labels import with_distance
    >>> found = distant_items(with_distance([["a cat", "a hat"], ["dogs", "dogs"]], "levenshtein"))
    >>> [(one.item, one.distance) for one in found.items]
    [('1', 0.2), ('2', 0.0)]
    """
    from assent.analyses.items.agreement import _texts, _torn, with_rows

    choose("sort", sort, SORTS)
    if top is not None and top < 1:
        raise OptionError(f"`top` is {top}; it must be 1 or more.")
    for which, bound in (("smallest", min_agreement), ("largest", max_agreement)):
        if bound is not None and not bound <= 1.0:
            raise OptionError(f"The {which} agreement is {bound:g}; with a distance it is 1 at most, and 0 is chance.")
    alpha = measured(data)
    compared = compared_labels(data, data.distance, tree=data.tree)
    listing = data.to_rows() if text is None else data.to_rows(text)
    sizes = listing.sizes
    far = to_others(compared, listing.item, listing.label)
    with np.errstate(invalid="ignore"):
        distance = np.bincount(listing.item, far, minlength=len(listing.items)) / sizes
    chance = alpha.details["expected_distance"]
    agreement = 1.0 - distance / chance if chance > 0 else np.full(len(distance), math.nan)
    kept = sizes >= min_annotations
    if min_agreement is not None:
        kept &= agreement >= min_agreement
    if max_agreement is not None:
        kept &= agreement <= max_agreement
    chosen = [from_annotator] if isinstance(from_annotator, str) else list(from_annotator)
    if has_label is not None or chosen or group is not None:
        kept &= with_rows(data, has_label=has_label, annotators=chosen, by=by, group=group)
    if only is not None:
        kept &= _named(listing.items, only)
    order = _ordered(np.flatnonzero(kept), sort, listing.items, distance, sizes)
    texts, torn = (None, 0) if text is None else _texts(listing, text)
    wanted = order if top is None else order[:top]
    rows_of: dict[int, list[int]] = {one: [] for one in wanted}
    for row, one in enumerate(listing.item.tolist()):
        if one in rows_of:
            rows_of[one].append(row)
    labels = listing.label.tolist()
    people = listing.annotator.tolist() if who and listing.annotator is not None else None

    def given(rows: list[int]) -> list[tuple[str, str]] | None:
        if people is None or len(rows) > MOST_NAMED:
            return None
        return sorted((str((listing.annotators or ())[people[row]]), listing.labels[labels[row]]) for row in rows)

    single = int((sizes == 1).sum())
    said = [DEFINED]
    if single:
        said.append(
            f"{counted(single, 'item has', 'items have')} one annotation, which there is nothing to compare with."
        )
    said += _torn(torn)
    said += _about(alpha)
    return DistantItems(
        data=data,
        alpha=alpha,
        items=tuple(
            DistantItem(
                item=str(listing.items[one]),
                n_annotations=int(sizes[one]),
                distance=float(distance[one]),
                agreement=float(agreement[one]),
                counts=dict(Counter(listing.labels[labels[row]] for row in rows_of[one]).most_common()),
                given=given(rows_of[one]),
                text=None if texts is None else texts[one],
            )
            for one in wanted
        ),
        total=len(listing.items),
        matching=len(order),
        sort=sort,
        mean_agreement=float(agreement[sizes > 1].mean()),
        notes=(*said, *compared.said),
    )


def _named(items: Sequence[str], only: Sequence[str]) -> Array:
    """Mark the items with these names; refuse a name that no item has."""
    known = {one: at for at, one in enumerate(items)}
    made = np.zeros(len(items), dtype=bool)
    for one in only:
        if one not in known:
            raise OptionError(f"There is no item {shown(one)} with a label: {did_you_mean(one, items)}")
        made[known[one]] = True
    return made


def _ordered(kept: Array, sort: str, items: Sequence[str], distance: Array, sizes: Array) -> list[int]:
    """Put items in order; those that are the same in it by name."""
    from assent.analyses.items.table import _ranks

    place = _ranks(items)[kept]
    # The same distances, added up in another order, are not other ones.
    far = np.nan_to_num(np.round(distance[kept], 12), nan=-1.0)
    keys = {"disagreement": (place, -far), "annotations": (place, -sizes[kept]), "item": (place,)}[sort]
    return [int(one) for one in kept[np.lexsort(keys)]]


@dataclass(frozen=True, kw_only=True)
class Between(Record):
    """A number with its interval; NaN where it is undefined."""

    value: float
    standard_error: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class DistantAnnotator(Record):
    """One annotator and how far their annotations are from those of the others.

    Parameters
    ----------
    annotator : str
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


@dataclass(frozen=True, kw_only=True, eq=False)
class DistantAnnotators(Result):
    """The annotators, the one farthest from the others first.

    Parameters
    ----------
    data : DistanceLabels
    alpha : Agreement
        Krippendorff's alpha with the distance.
    annotators : tuple of DistantAnnotator
    level : float
        Confidence level of the intervals.
    notes : tuple of str
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
            "annotators": [one.to_dict() for one in self.annotators],
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
        raise OptionError(f"level is {level:g}; it must lie between 0 and 1.")
    if data.annotators is None:
        raise UnsuitableData(
            "The table says how many annotators gave each label, not who, so there are no annotators to compare: give a table with "
            "one row for each annotation, or with one column for each annotator."
        )
    alpha = measured(data)
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
    said += _about(alpha)
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
    ratings : Ratings
    profile, far : array (their annotations,)
        Of which item, and how far from the others.
    chance : float
    left : array (units,)
        The expected distance without each unit.
    level : float
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
    value : float
    without, weights : array
        What it is without a unit of each kind, and how many such units there are.
    units : float
        Units that the annotator took part in.
    level, least, most : float
    """
    number, error = float(weights.sum()), math.nan
    if units > 1 and not np.isnan(without).any():
        error = math.sqrt((number - 1.0) / number * float(weights @ (without - weights @ without / number) ** 2))
    low, high = normal_interval(value, error, level, round(units) - 1)
    if high - low <= NO_WIDTH:
        low = high = math.nan
    # An end that is not known stays so.
    return Between(value=value, standard_error=error, low=max(low, least), high=min(high, most))
