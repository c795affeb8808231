"""The human ceiling: how an annotator scores against the consensus of the others."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace

from assent.analyses.ceiling.loo_majority import LeftOut, macro_f1_of, scores_by_annotator
from assent.data import Annotations, as_annotations
from assent.data.natural_order import many_numbers
from assent.documents import Document, Result
from assent.errors import NothingToCompare, OptionError, choose
from assent.inference.pseudo import ENOUGH, padded_units
from assent.inference.sample import PaddedSample, Sample
from assent.limits import DENSE_CELLS, INTERVAL_METHODS, LABELS_WITH_INTERVAL, SCORES_WITH_INTERVAL
from assent.measures.results import DEFAULT_METHOD, Interval, Share, error_and_ci
from assent.profiles import Array, Counts, Matrix, Multiplicities, Weighting, scale_rows, units_left
from assent.records import Record, Struct, plain
from assent.scales import SCALES, numbers
from assent.text import percent

__all__ = ["AnnotatorScore", "Ceiling", "Distance", "Score", "ceiling"]

#: Fewest annotations of an item: one to be scored and two others who can have a consensus.
LEAST = 3
#: Best annotator is nobody who was scored on fewer items than this.
LEAST_ITEMS = 10


class Score(Share, frozen=True, kw_only=True, eq=False):
    """A score between 0 and 1, with standard error and interval.

    Parameters
    ----------
    mean : bool
        It is a mean over items, each of which scores between 0 and 1.
    interval : Interval or None
        None if it was not worked out.
    """

    mean: bool = False
    interval: Interval | None = None

    def _unseen_disagreement(self, level: float) -> float | None:
        """Return a lower end of a mean if nobody ever missed: N items show no miss with probability p**N."""
        if not self.mean or abs(self.value - 1.0) > 1e-12:
            return None
        return math.pow((1.0 - level) / 2.0, 1.0 / (self.sample.degrees + 1))

    def to_dict(self) -> dict[str, Any]:
        """Return the score as plain values."""
        said = [] if self.interval is None else list(self.interval.notes)
        return {"value": plain(self.value), **error_and_ci(self.interval), "notes": said}


class AnnotatorScore(Record, frozen=True, kw_only=True, eq=False):
    """One annotator against the consensus of the others.

    Parameters
    ----------
    n_items : int
        Items on which the annotator was scored.
    macro_f1 : float
        Mean over the labels that the annotator or the consensus gave to these items.
    """

    annotator: str
    n_items: int
    accuracy: Score
    macro_f1: float


class Distance(Struct, frozen=True, kw_only=True, eq=False):
    """How far an annotator is from the mean of the others, on a scale.

    Parameters
    ----------
    score : Score
        The mean distance as a share of the range of the labels.
    span : float
        That range.
    unit : {"steps", "units"}
        Steps between neighbouring labels, or what the labels are numbers of.
    """

    score: Score
    span: float
    unit: str

    @property
    def value(self) -> float:
        """The mean distance."""
        return self.score.value * self.span

    @property
    def ends(self) -> tuple[float, float] | None:
        """Its interval; None if none was asked for."""
        interval = self.score.interval
        return None if interval is None else (interval.low * self.span, interval.high * self.span)

    def to_dict(self) -> dict[str, Any]:
        """Return the distance as plain values."""
        low, high = self.ends or (math.nan, math.nan)
        return {"value": plain(self.value), "low": plain(low), "high": plain(high), "unit": self.unit}


class Ceiling(Result, frozen=True, kw_only=True, eq=False):
    """How annotators score against the consensus of the others.

    Parameters
    ----------
    data : Annotations
        What it is about.
    accuracy : Score
        Each item counts once, as it does when a model is scored; within an item each annotation counts alike.
    macro_f1 : Score
        Mean over labels of 2 x hits / (given by the annotator + given by the consensus), with the same weights.
    majority_share : Score
        Mean share of an item's most frequent label. This one cannot be passed: a model that gives each of these items
        one label agrees with no more of these annotations.
    n_items, n_annotations : int
        Items with three or more annotations, and their annotations.
    n_left_out : int
        Items with fewer.
    tied_share : float
        Share of comparisons in which the others were tied.
    n_labels : int
        Labels in use on these items.
    annotators : tuple of AnnotatorScore or None
        The best first; None if the table does not say who annotated.
    best : AnnotatorScore or None
        The best of those who were scored on ten items or more.
    notes : tuple of str
        What the numbers are and are not.
    distance : Distance or None
        On a scale: how far an annotation is from the mean of the item's others.
    """

    data: Annotations
    accuracy: Score
    macro_f1: Score
    majority_share: Score
    n_items: int
    n_annotations: int
    n_left_out: int
    tied_share: float
    n_labels: int
    annotators: tuple[AnnotatorScore, ...] | None
    best: AnnotatorScore | None
    notes: tuple[str, ...] = ()
    distance: Distance | None = None

    @property
    def of_numbers(self) -> bool:
        """The labels are measured numbers, hardly two of which are the same: how near they are counts, and there is no majority to speak of."""
        far = self.distance is not None and self.distance.unit == "units"
        return far and many_numbers(self.data.labels, self.data._decimal)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, in the shape the command line prints as JSON."""
        return {
            "data": self.data.to_dict(),
            "distance": plain(self.distance),
            "accuracy": self.accuracy.to_dict(),
            "macro_f1": self.macro_f1.to_dict(),
            "majority_share": self.majority_share.to_dict(),
            "items": self.n_items,
            "annotations": self.n_annotations,
            "items_left_out": self.n_left_out,
            "tied_share": self.tied_share,
            "labels": self.n_labels,
            "best": plain(self.best),
            "annotators": plain(self.annotators),
            "notes": list(self.notes),
        }

    def document(self) -> Document:
        """Return the scores, the annotators, and what the numbers are and are not."""
        from assent.analyses.ceiling.document import document_of

        return document_of(self)


def ceiling(
    data: Any,
    *,
    scale: str | None = None,
    ci: str | None = DEFAULT_METHOD,
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
) -> Ceiling:
    """Score each annotator against the consensus of the others: what is often quoted as the best a model could do.

    Only items with three or more annotations can tell: one to be scored, and two others or more to make a consensus. The
    consensus is the majority of the others; where they are tied it is a fair draw among the tied labels, of which the exact
    mean is taken.

    Parameters
    ----------
    data : Annotations, or whatever they can be made from
    scale : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement. On a scale the distance of an annotation to the mean of the item's others is scored, too.
    ci : {"etel", "analytic", "jackknife", "bootstrap", "none"} or None
        How intervals are made.
    level : float
        Confidence level.
    replicates, seed : int
        Of the bootstrap.

    Returns
    -------
    Ceiling
        A usual bound that can be passed: the consensus of all annotators is less noisy than one annotator, so a model
        that learns the consensus can score higher.

    Examples
    --------
    >>> import assent
    >>> found = assent.ceiling([["a", "a", "a"], ["b", "b", "b"], ["a", "b", "b"], ["b", "b", "b"]])
    >>> round(found.accuracy.value, 3)  # the items score 1, 1, 1/3 and 1
    0.833
    """
    method = None if ci is None or choose("ci", ci, (*INTERVAL_METHODS, "none")) == "none" else ci
    if not 0 < level < 1:
        raise OptionError(f"The confidence level is {level}; it must lie between 0 and 1, as 0.95 does.")
    data = as_annotations(data)
    data._check_single("which have no majority label: read the table with `multilabel=False`.")
    everything = data._counts
    items = everything.kept(everything.sizes >= LEAST)
    if not items.n_items:
        raise NothingToCompare(
            f"No item has {LEAST} annotations, so there are no two others whose consensus an annotator could be scored against: "
            "with two annotations an item, quote their agreement (assent measure)."
        )
    tops = LeftOut(items.counts)
    each = 1.0 / tops.sizes
    hits, both = scale_rows(tops.hits, each), scale_rows(tops.truth + tops.counts, each)
    used = np.flatnonzero(np.asarray(items.multiplicities @ items.counts).ravel())
    hits, both = _narrow(hits, used), _narrow(both, used)

    def macro_f1(weighting: Weighting) -> Array:
        return macro_f1_of(weighting.total(hits), weighting.total(both))

    def sure(score: Score) -> Score:
        if method is None:
            return score
        interval = score.confidence_interval(level, method=method, replicates=replicates, seed=seed)
        return replace(score, interval=interval)

    weights = items.multiplicities
    annotations = float(weights @ tops.sizes)
    tied = float(weights @ tops.tied / annotations)
    left_out = everything.n_items - items.n_items
    limit = _mean(tops.largest * each, weights, items.units, data.unit, least=float(each.min()))
    of_labels = _score(macro_f1, weights, items.units, data.unit)
    annotators = None if data.annotators is None else _annotators(data, sure)
    known = [one for one in annotators or () if one.n_items >= LEAST_ITEMS]
    return Ceiling(
        data=data,
        accuracy=sure(_mean(np.asarray(tops.hits.sum(axis=1)).ravel() * each, weights, items.units, data.unit)),
        macro_f1=sure(of_labels) if len(used) <= LABELS_WITH_INTERVAL or method == "bootstrap" else of_labels,
        majority_share=sure(limit),
        n_items=items.n_items,
        n_annotations=round(annotations),
        n_left_out=left_out,
        tied_share=tied,
        n_labels=len(used),
        annotators=annotators,
        best=known[0] if known else None,
        notes=_notes(data, limit.value, left_out, tied, len(used), known),
        distance=_distance(data, items, choose("scale", scale or "nominal", SCALES), sure),
    )


def _distance(data: Annotations, items: Counts, scale: str, sure: Callable[[Score], Score]) -> Distance | None:
    """Score how far each annotation is from the mean of the item's others; None for names of labels."""
    if scale == "nominal":
        return None
    values = None if scale == "ordinal" else numbers(data.labels, data._decimal)
    place = np.arange(len(data.labels), dtype=np.float64) if values is None else np.asarray(values)
    span = float(np.ptp(place))
    if not span:
        return None
    counts = np.asarray(items.counts if isinstance(items.counts, np.ndarray) else items.counts.toarray(), dtype=float)
    total, size = counts @ place, counts.sum(axis=1)
    others = (total[:, None] - place) / (size[:, None] - 1.0)
    terms = (counts * np.abs(place - others)).sum(axis=1) / size / span
    # As far apart as can be says nothing of numbers whose range a few of them make: where enough items differ, the farthest of them does.
    enough = float(items.multiplicities[terms > 0].sum()) >= ENOUGH
    score = _mean(terms, items.multiplicities, items.units, data.unit, most=float(terms.max()) if enough else 1.0)
    return Distance(score=sure(score), span=span, unit="steps" if values is None else "units")


def _narrow(matrix: Matrix, labels: Array) -> Matrix:
    """Return the columns of some labels, dense if that is small."""
    chosen = matrix[:, labels]
    if isinstance(chosen, np.ndarray) or chosen.shape[0] * chosen.shape[1] > DENSE_CELLS:
        return chosen
    return np.asarray(chosen.toarray())


def _score(
    statistic: Callable[[Weighting], Array],
    multiplicities: Array,
    units: Matrix | None,
    unit: str,
    *,
    mean: bool = False,
    padded: Callable[[], PaddedSample] | None = None,
) -> Score:
    """Make a score of a statistic of items."""
    value = float(statistic(Multiplicities(multiplicities)))
    return Score(value=value, sample=Sample(statistic, multiplicities, units), unit=unit, mean=mean, padded=padded)


def _mean(
    terms: Array, multiplicities: Array, units: Matrix | None, unit: str, least: float = 0.0, most: float = 1.0
) -> Score:
    """Make a score that is the mean of terms over items, none of which is taken to be below `least` or above `most`."""

    def padded() -> PaddedSample:
        # Half an item at either end: of which everything is right, and one that is as bad as can be.
        more = np.array([0.5, 0.5])
        size = 1.0 if units is None else float(multiplicities.sum()) / units.shape[0]
        return PaddedSample(
            _mean_of(np.concatenate([terms, [most, least]])),
            np.concatenate([multiplicities, size * more]),
            None if units is None else padded_units(units, len(more), size),
            None if units is None else np.concatenate([np.ones(units.shape[0]), more]),
        )

    return _score(_mean_of(terms), multiplicities, units, unit, mean=True, padded=padded)


def _mean_of(terms: Array) -> Callable[[Weighting], Array]:
    ones = np.ones(len(terms))
    return lambda weighting: np.asarray(weighting.total(terms) / weighting.total(ones))


def _annotators(data: Annotations, sure: Callable[[Score], Score]) -> tuple[AnnotatorScore, ...]:
    """Score each annotator, the best first; those with the most items get an interval."""
    ratings = data._ratings
    ratings = ratings.kept(ratings.sizes >= LEAST)
    hits, macro_f1 = scores_by_annotator(ratings)
    order = np.lexsort((ratings.profile, ratings.annotator))
    bounds = np.searchsorted(ratings.annotator[order], np.arange(len(ratings.annotators) + 1))
    scores = []
    for i, name in enumerate(ratings.annotators):
        rows = order[bounds[i] : bounds[i + 1]]
        if not len(rows):
            continue
        profiles = ratings.profile[rows]
        multiplicities, units = ratings.multiplicities[profiles], units_left(ratings.units, profiles)
        accuracy = _mean(hits[rows], multiplicities, units, data.unit)
        scores.append(
            AnnotatorScore(
                annotator=name, n_items=int(multiplicities.sum()), accuracy=accuracy, macro_f1=float(macro_f1[i])
            )
        )
    scores.sort(key=lambda one: (-one.accuracy.value, -one.n_items))
    often = {one.annotator for one in sorted(scores, key=lambda one: -one.n_items)[:SCORES_WITH_INTERVAL]}
    return tuple(replace(one, accuracy=sure(one.accuracy)) if one.annotator in often else one for one in scores)


def _notes(
    data: Annotations, limit: float, left_out: int, tied: float, labels: int, known: Sequence[AnnotatorScore]
) -> tuple[str, ...]:
    """Say what the numbers are and are not."""
    notes = [
        "This is how an annotator scores against the majority of the others, the upper bound that is usually quoted. It can be "
        "passed: one annotator is noisier than the consensus of all, so a model that learns the consensus can score higher.",
    ]
    notes.append(
        f"What cannot be passed: a model that gives each of these items one label agrees with {percent(limit)} of their annotations at "
        "most (the mean share of the majority label)."
    )
    if left_out:
        whose = "item has" if left_out == 1 else "items have"
        notes.append(f"{left_out:,} {whose} fewer than {LEAST} annotations and cannot be scored.")
    if tied:
        notes.append(
            f"In {percent(tied)} of the comparisons the others were tied: the score is the mean over all ways to settle the tie by a fair "
            "draw. Few annotations an item make more ties, and a lower score."
        )
    if labels == 1:
        notes.append("All annotations of these items have the same label: a model that always gives it scores 1.")
    if labels > LABELS_WITH_INTERVAL:
        notes.append(f"Macro F1 of {labels:,} labels has an interval by the bootstrap alone.")
    if data.annotators is None:
        notes.append("The table does not say who annotated, so there is no best annotator.")
    elif known:
        # Where all score alike there is no best one.
        if known[0].accuracy.value > known[-1].accuracy.value:
            notes.append("The best of several annotators also had the most luck: expect less on new items.")
    else:
        notes.append(f"No annotator was scored on {LEAST_ITEMS} items, too few to call one the best.")
    return tuple(notes)
