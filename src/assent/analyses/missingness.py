"""Whether what is missing has to do with agreement, which sparse measures must assume it has not.

SPA is unbiased for the agreement that complete data would show if how often an item was annotated, and by whom, is
independent of how far annotators agree on it. Both halves can be looked at: agreement of items by their number of
annotations, and agreement of annotators by their workload. Each is summed up as a slope and tested by
permutation. Agreement is less certain for items with two annotations than for items with ten, so values that are merely
exchanged would not be exchangeable: the slope is divided by a standard error that allows for that (Janssen 1997),
in the data and in every permutation.

One item with two annotations among thousands with three shows nothing, and that standard error knows nothing of it: the slope of items is tested
only where 12 items or more carry it. With the distance x of an item from the mean number of annotations they are counted as (sum x²)² / sum x⁴: nearly as many as the
thin group has if there are two groups of items, and all of them if the groups are equal. With two items of other
size it would find a trend in one of five data sets that have none.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from assent.analyses.findings.finding import Finding, found, with_step
from assent.data import Annotations, as_annotations
from assent.documents import Document, Result
from assent.documents.blocks import Block, Cell, Column, Prose, count, number, share, table_of, words
from assent.limits import PERMUTED
from assent.measures.spa import SCHEMES, spa
from assent.profiles import Array, Counts, Ratings, distinct
from assent.records import Record
from assent.scales import Identity
from assent.text import number as written
from assent.text import percent, probability

__all__ = [
    "Missingness",
    "MissingnessGroup",
    "MissingnessTrend",
    "missingness",
    "missingness_finding",
    "testable",
    "trend_tables",
]

#: So many groups of workload are shown.
GROUPS = 4
#: A change in agreement from the fewest to the most annotations that is worth a finding.
MATTERS = 0.05
#: Fewer items or annotators than this show no trend.
FEWEST = 8
#: Items that must carry a slope: with fewer its standard error is no more than the accident of these.
FEWEST_APART = 12


class MissingnessGroup(Record, frozen=True, kw_only=True):
    """Items with so many annotations, or annotators with such a workload.

    Parameters
    ----------
    low, high : int
        Annotations, from and to.
    count : int
        Items or annotators.
    agreement : float
        Mean share of their pairs of annotations that agree.
    """

    low: int
    high: int
    count: int
    agreement: float

    @property
    def range(self) -> str:
        """The numbers of annotations, from and to."""
        return f"{self.low:,}" if self.low == self.high else f"{self.low:,} to {self.high:,}"


class MissingnessTrend(Record, frozen=True, kw_only=True):
    """How agreement changes with a number of annotations.

    Parameters
    ----------
    slope : float
        Change in agreement from the lowest to the highest number by a straight line; NaN if there is nothing to see.
    p_value : float
        How likely a slope so large, in either direction, is if there is none; NaN if it cannot be tested.
    method : str or None
        permutation or normal; None without a test.
    note : str or None
        Why there is no test.
    """

    groups: tuple[MissingnessGroup, ...]
    slope: float
    p_value: float
    method: str | None
    note: str | None = None


class Missingness(Result, frozen=True, kw_only=True):
    """Agreement by how often items were annotated and by how much annotators did. Print it to read it.

    Parameters
    ----------
    by_annotations, by_workload : MissingnessTrend
    by_scheme : mapping of str to float
        SPA with each way to weigh items: what the assumption decides.
    permutations, seed : int
    """

    by_annotations: MissingnessTrend
    by_workload: MissingnessTrend
    by_scheme: dict[str, float]
    permutations: int
    seed: int

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "by_annotations": self.by_annotations.to_dict(),
            "by_workload": self.by_workload.to_dict(),
            "by_scheme": dict(self.by_scheme),
            "permutations": self.permutations,
            "seed": self.seed,
            "sentences": list(self.sentences),
        }

    def document(self) -> Document:
        """Return what was found, agreement by numbers of annotations, and SPA with every way to weigh items."""
        schemes = table_of(
            "schemes",
            "SPA by how items are weighed",
            self.by_scheme.items(),
            [(Column("scheme", "words"), lambda one: words(one[0])), (Column("value"), lambda one: number(one[1], 3))],
        )
        return Document(
            "Does what is missing have to do with agreement?", [Prose(self.sentences), *trend_tables(self), schemes]
        )

    @property
    def sentences(self) -> tuple[str, ...]:
        """Say what was found, and what a violation does to the number."""
        return (
            with_step(*self._about_items()),
            *([] if self.by_workload.method is None else [self._about_annotators()]),
        )

    def _about_items(self) -> tuple[str, str]:
        """Say what was found, and what to do first."""
        trend = self.by_annotations
        if trend.method is None:
            return f"Missing annotations cannot be checked for a link with agreement: {trend.note}", ""
        few, many = trend.groups[0], trend.groups[-1]
        seen = (
            f"Items with {few.range} annotations ({few.count:,}) agree by {percent(few.agreement)}, with {many.range} ({many.count:,}) by "
            f"{percent(many.agreement)} "
            f"({probability(trend.p_value)} for no trend)"
        )
        if trend.p_value > 0.05:
            return f"{seen}: no sign that how often an item was annotated has to do with agreement, as SPA assumes.", ""
        weighed, flat = self.by_scheme["annotations-m1"], self.by_scheme["flat"]
        less = "less" if trend.slope < 0 else "more"
        way = "too low" if trend.slope < 0 else "too high"
        observation = (
            f"{seen}: items with more annotations agree {less}, so SPA's assumption is broken. Weights that grow with annotations then make "
            f"it {way} for the items at large: annotations-m1 gives {written(weighed)}, each item counted once (`scheme` flat) "
            f"{written(flat)}."
        )
        return observation, "Find out why these items were annotated more often."

    def _about_annotators(self) -> str:
        trend = self.by_workload
        few, many = trend.groups[0], trend.groups[-1]
        seen = (
            f"Annotators with {few.range} annotations agree with others by {percent(few.agreement)}, with {many.range} by "
            f"{percent(many.agreement)} ({probability(trend.p_value)} for no trend)"
        )
        if trend.p_value > 0.05:
            return f"{seen}: no sign that workload has to do with agreement."
        more = "more" if trend.slope > 0 else "less"
        way = "higher" if trend.slope > 0 else "lower"
        return f"{seen}: those who did more agree {more}, so the number is {way} than a team with equal shares of the work would show."


def trend_tables(check: Missingness) -> list[Block]:
    """Return agreement by the number of annotations of an item, and of an annotator."""
    told = (
        ("by-annotations", "items", "annotations of the item", check.by_annotations),
        ("by-workload", "annotators", "annotations of the annotator", check.by_workload),
    )
    return [
        table_of(
            table,
            f"Agreement by {title}",
            trend.groups,
            [
                (Column(title, "words"), lambda one: Cell(one.range, one.low)),
                (Column(what), lambda one: count(one.count)),
                (
                    Column("agreement", meaning="Mean share of pairs of annotations that agree."),
                    lambda one: share(one.agreement),
                ),
            ],
        )
        for table, what, title, trend in told
        if trend.groups
    ]


def missingness(data: Any, *, permutations: int = 999, seed: int = 0) -> Missingness:
    """Check whether agreement depends on how often items were annotated, or on how much annotators did.

    Items are tested only if 12 or more carry the slope: a few items with another number of annotations than all others show nothing.

    Parameters
    ----------
    data : Annotations, or whatever they can be made from
    permutations, seed : int
        Of the tests. The same seed gives the same digits.

    Examples
    --------
    Items that were annotated four times are the disputed ones:

    >>> import assent
    >>> easy = [["a", "a", None, None], ["b", "b", None, None]] * 20
    >>> hard = [["a", "b", "a", "b"], ["b", "a", "a", "c"]] * 20
    >>> check = missingness(assent.Annotations.from_array(easy + hard))
    >>> [(one.low, round(one.agreement, 2)) for one in check.by_annotations.groups], check.by_annotations.p_value
    ([(2, 1.0), (4, 0.25)], 0.001)
    """
    data = as_annotations(data)._without_ranks()
    items = data._comparable_counts
    rng = np.random.default_rng(seed)
    return Missingness(
        by_annotations=_by_annotations(items, permutations, rng),
        by_workload=_by_workload(data, permutations, rng),
        by_scheme={scheme: spa(data, scheme=scheme).value for scheme in SCHEMES},
        permutations=permutations,
        seed=seed,
    )


def _by_annotations(items: Counts, permutations: int, rng: np.random.Generator) -> MissingnessTrend:
    """Follow the agreement of items along their number of annotations."""
    agreement = np.asarray(Identity().pairs(items.counts) / items.pairs)
    times = items.multiplicities
    groups = []
    for size in np.unique(items.sizes):
        here = items.sizes == size
        mean = float(times[here] @ agreement[here] / times[here].sum())
        groups.append(MissingnessGroup(low=int(size), high=int(size), count=int(times[here].sum()), agreement=mean))
    centred = items.sizes - times @ items.sizes / max(times.sum(), 1)
    apart = float(times @ centred**2) ** 2 / max(float(times @ centred**4), 1e-300)
    if len(groups) > 1 and times.sum() >= FEWEST and apart < FEWEST_APART:
        return _untested(
            tuple(groups),
            f"too few items have another number of annotations than most (they count as {apart:.0f}, and {FEWEST_APART} are needed).",
        )
    return _trend(items.sizes, agreement, times, tuple(groups), "items", permutations, rng)


def _by_workload(data: Annotations, permutations: int, rng: np.random.Generator) -> MissingnessTrend:
    """Follow the agreement of annotators with others along their number of annotations."""
    if data.annotators is None:
        return _untested((), "the table does not say who annotated.")
    if data._sample_items() is not data:
        return _untested((), "there are too many annotations to look at who gave which label.")
    work, agreement = _annotators(data._comparable_ratings)
    order = np.argsort(work, kind="stable")
    # Annotators with the same workload stay in one group.
    edges = [0]
    for part in range(1, GROUPS):
        place = int(np.searchsorted(work[order], work[order][len(order) * part // GROUPS]))
        if place > edges[-1]:
            edges.append(place)
    groups = []
    for start, end in zip(edges, [*edges[1:], len(order)], strict=True):
        here = order[start:end]
        mean = float(work[here] @ agreement[here] / work[here].sum())
        groups.append(
            MissingnessGroup(low=int(work[here].min()), high=int(work[here].max()), count=len(here), agreement=mean)
        )
    # From 10 to 20 annotations is as far as from 100 to 200.
    return _trend(
        np.log(work), agreement, np.ones(len(work), dtype=np.int64), tuple(groups), "annotators", permutations, rng
    )


def _annotators(items: Ratings) -> tuple[Array, Array]:
    """Return annotations and mean agreement with others of each annotator who shares items: (annotators,) each."""
    labels = len(items.labels)
    _, place = distinct(items.profile * labels + items.label, len(items.multiplicities) * labels)
    count = np.bincount(place)
    times = items.multiplicities[items.profile].astype(np.float64)
    same = times * (count[place] - 1.0) / (items.sizes[items.profile] - 1.0)
    work, agreed = (np.bincount(items.annotator, weights=weights) for weights in (times, same))
    return work[work > 0], agreed[work > 0] / work[work > 0]


def _untested(groups: tuple[MissingnessGroup, ...], note: str) -> MissingnessTrend:
    return MissingnessTrend(groups=groups, slope=math.nan, p_value=math.nan, method=None, note=note)


def _trend(
    x: Array,
    y: Array,
    times: Array,
    groups: tuple[MissingnessGroup, ...],
    noun: str,
    permutations: int,
    rng: np.random.Generator,
) -> MissingnessTrend:
    """Fit a line of y on x, with `times` of each, and test whether it is level."""
    count = int(times.sum())
    if x.min(initial=math.inf) == x.max(initial=-math.inf) or count < FEWEST:
        why = f"only {count} {noun}" if count < FEWEST else f"all {noun} have the same number of annotations"
        return _untested(groups, f"{why}.")
    if y[times > 0].min() == y[times > 0].max():
        return _untested(groups, f"agreement is the same for all {noun}.")
    centred = x - times @ x / count
    slope = float(times @ (centred * y) / (times @ centred**2)) * float(x.max() - x.min())
    seen = _studentised(centred, y, times)
    if count > PERMUTED:
        p_value, method = math.erfc(abs(seen) / math.sqrt(2.0)), "normal"
    else:
        every_x, every_y = np.repeat(centred, times), np.repeat(y, times)
        reached = sum(
            abs(_studentised(rng.permutation(every_x), every_y)) >= abs(seen) - 1e-12 for _ in range(permutations)
        )
        p_value, method = (1 + reached) / (1 + permutations), "permutation"
    return MissingnessTrend(groups=groups, slope=slope, p_value=p_value, method=method)


def _studentised(x: Array, y: Array, times: Array | None = None) -> float:
    """Return the covariance of centred x with y over a standard error that lets the spread of y depend on x.

    Parameters
    ----------
    x, y : array (points,)
    times : array (points,) of integers, optional
        How often each point occurs; once if not given.
    """
    often = np.ones(len(x)) if times is None else times
    deviation = y - often @ y / often.sum()
    together = float(often @ (x * deviation))
    slope = together / float(often @ x**2)
    error = math.sqrt(float(often @ (x * (deviation - slope * x)) ** 2))
    # Where a line fits exactly there is no error to divide by: as clear as can be.
    return together / error if error > 0 else math.copysign(math.inf, slope) if slope else 0.0


def testable(data: Annotations) -> bool:
    """Tell whether items differ in their number of annotations, so that there is something to check."""
    sizes = data._comparable_counts.sizes
    return bool(len(sizes) and sizes.min() < sizes.max())


def missingness_finding(check: Missingness, corrected: float, level: float) -> Finding | None:
    """Report that how often items were annotated has to do with agreement, where it makes a difference."""
    trend = check.by_annotations
    if math.isnan(trend.p_value) or corrected > level or abs(trend.slope) < MATTERS:
        return None
    evidence = {**check.to_dict(), "p_value_corrected": corrected}
    observation, step = check._about_items()
    return found("missingness", observation, evidence, first_step=step, tested=True)
