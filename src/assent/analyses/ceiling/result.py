"""The human ceiling: how an annotator scores against the consensus of the others."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assent.analyses.ceiling.loo_majority import LeftOut, macro_f1_of, scores_by_annotator
from assent.data import Annotations, as_annotations
from assent.errors import NothingToCompare, UnsuitableData
from assent.inference import Sample
from assent.measures.results import Estimate, Interval, plain
from assent.profiles import Array, Matrix, Multiplicities, Weighting, scale_rows, units_left
from assent.text import percent

__all__ = ["AnnotatorScore", "Ceiling", "Score", "human_ceiling"]

#: Fewest annotations of an item: one to be scored and two others who can have a consensus.
LEAST = 3
#: Best annotator is nobody who was scored on fewer items than this.
LEAST_ITEMS = 10
#: At most so many annotators, those with the most items, get an interval.
MOST_WITH_INTERVAL = 100
#: With more labels than this, macro F1 has no analytic interval: it would take a derivative in as many totals.
MOST_LABELS = 500
#: Cells of a table that is kept dense, which is faster: 8 MB.
DENSE_CELLS = 1_000_000


@dataclass(frozen=True, kw_only=True, eq=False)
class Score(Estimate):
    """A score between 0 and 1, with standard error and interval.

    Parameters
    ----------
    mean : bool
        It is a mean over items, each of which scores between 0 and 1.
    """

    mean: bool = False

    def _unseen_disagreement(self, level: float) -> float | None:
        """Return a lower end of a mean if nobody ever missed: N items show no miss with probability p**N."""
        if not self.mean or abs(self.value - 1.0) > 1e-12:
            return None
        return math.pow((1.0 - level) / 2.0, 1.0 / (self.sample.degrees + 1))

    def to_dict(self, interval: Interval | None = None) -> dict[str, Any]:
        """Return the score as plain values."""
        return {
            "value": plain(self.value),
            "standard_error": None if interval is None else plain(interval.standard_error),
            "ci": None if interval is None else interval.to_dict(),
            "notes": [] if interval is None else list(interval.notes),
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class AnnotatorScore:
    """One annotator against the consensus of the others.

    Parameters
    ----------
    annotator : str
    items : int
        Items on which the annotator was scored.
    accuracy : Score
    macro_f1 : float
        Mean over the labels that the annotator or the consensus gave to these items.
    """

    annotator: str
    items: int
    accuracy: Score
    macro_f1: float

    def to_dict(self, interval: Interval | None = None) -> dict[str, Any]:
        """Return the scores as plain values."""
        return {
            "annotator": self.annotator,
            "items": self.items,
            "accuracy": self.accuracy.to_dict(interval),
            "macro_f1": plain(self.macro_f1),
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class Ceiling:
    """How annotators score against the consensus of the others.

    Parameters
    ----------
    accuracy : Score
        Each item counts once, as it does when a model is scored; within an item each annotation counts alike.
    macro_f1 : Score
        Mean over labels of 2 x hits / (given by the annotator + given by the consensus), with the same weights.
    majority_share : Score
        Mean share of an item's most frequent label. This one is a limit by logic: whatever gives each of these items one label
        cannot agree with more of these annotations.
    items, annotations : int
        Items with three or more annotations, and their annotations.
    left_out : int
        Items with fewer.
    tied : float
        Share of comparisons in which the others were tied.
    labels : int
        Labels in use on these items.
    annotators : tuple of AnnotatorScore or None
        The best first; None if the table does not say who annotated.
    best : AnnotatorScore or None
        The best of those who were scored on ten items or more.
    notes : tuple of str
        What the numbers are and are not.
    """

    accuracy: Score
    macro_f1: Score
    majority_share: Score
    items: int
    annotations: int
    left_out: int
    tied: float
    labels: int
    annotators: tuple[AnnotatorScore, ...] | None = field(repr=False)
    best: AnnotatorScore | None = field(repr=False)
    notes: tuple[str, ...] = field(default=(), repr=False)

    def to_dict(
        self, *, confidence_level: float = 0.95, interval: str | None = "analytic", **options: Any
    ) -> dict[str, Any]:
        """Return everything as plain values, in the shape the command line prints as JSON.

        Parameters
        ----------
        confidence_level : float
        interval : {"analytic", "jackknife", "bootstrap"} or None
            How intervals are made; None for none.
        **options
            Of the intervals: kind, replicates and seed of a bootstrap.
        """

        def certainty(score: Score) -> Interval | None:
            if interval is None or (score is self.macro_f1 and self.labels > MOST_LABELS and interval != "bootstrap"):
                return None
            return score.confidence_interval(confidence_level, method=interval, **options)

        often = sorted(self.annotators or (), key=lambda one: -one.items)[:MOST_WITH_INTERVAL]
        scored = {one.annotator: one.to_dict(certainty(one.accuracy)) for one in often}
        everyone = None
        if self.annotators is not None:
            everyone = [scored.get(one.annotator) or one.to_dict() for one in self.annotators]
        return {
            "accuracy": self.accuracy.to_dict(certainty(self.accuracy)),
            "macro_f1": self.macro_f1.to_dict(certainty(self.macro_f1)),
            "majority_share": self.majority_share.to_dict(certainty(self.majority_share)),
            "items": self.items,
            "annotations": self.annotations,
            "items_left_out": self.left_out,
            "tied_share": self.tied,
            "labels": self.labels,
            "best": None if self.best is None else scored.get(self.best.annotator) or self.best.to_dict(),
            "annotators": everyone,
            "notes": list(self.notes),
        }


def human_ceiling(data: Any) -> Ceiling:
    """Score each annotator against the consensus of the others: what is often quoted as the best a model could do.

    Only items with three or more annotations can tell: one to be scored, and two others or more to make a consensus. The
    consensus is the majority of the others; where they are tied it is a fair draw among the tied labels, of which the exact
    mean is taken.

    Parameters
    ----------
    data : Annotations, or whatever they can be made from

    Returns
    -------
    Ceiling
        A ceiling by habit, not by logic: the consensus of all annotators is less noisy than one annotator, so a model
        that learns the consensus can score higher.

    Examples
    --------
    >>> import assent
    >>> ceiling = assent.human_ceiling([["a", "a", "a"], ["b", "b", "b"], ["a", "b", "b"], ["b", "b", "b"]])
    >>> round(ceiling.accuracy.value, 3)  # the items score 1, 1, 1/3 and 1
    0.833
    """
    data = as_annotations(data)
    if data.sets is not None:
        raise UnsuitableData(
            "These annotations are sets of labels, which have no majority label: read the table with --single-label."
        )
    everything = data.counts
    items = everything.kept(everything.sizes >= LEAST)
    if not items.items:
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

    annotators = None if data.annotators is None else _annotators(data)
    known = [one for one in annotators or () if one.items >= LEAST_ITEMS]
    weights = items.multiplicities
    annotations = float(weights @ tops.sizes)
    tied = float(weights @ tops.tied / annotations)
    left_out = everything.items - items.items
    limit = _mean(tops.largest * each, weights, items.units, data.unit)
    return Ceiling(
        accuracy=_mean(np.asarray(tops.hits.sum(axis=1)).ravel() * each, weights, items.units, data.unit),
        macro_f1=_score(macro_f1, weights, items.units, data.unit),
        majority_share=limit,
        items=items.items,
        annotations=round(annotations),
        left_out=left_out,
        tied=tied,
        labels=len(used),
        annotators=annotators,
        best=known[0] if known else None,
        notes=_notes(data, limit.value, left_out, tied, len(used), bool(known)),
    )


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
) -> Score:
    """Make a score of a statistic of items."""
    value = float(statistic(Multiplicities(multiplicities)))
    return Score(value=value, sample=Sample(statistic, multiplicities, units), unit=unit, mean=mean)


def _mean(terms: Array, multiplicities: Array, units: Matrix | None, unit: str) -> Score:
    """Make a score that is the mean of terms over items."""
    ones = np.ones(len(terms))

    def statistic(weighting: Weighting) -> Array:
        return np.asarray(weighting.total(terms) / weighting.total(ones))

    return _score(statistic, multiplicities, units, unit, mean=True)


def _annotators(data: Annotations) -> tuple[AnnotatorScore, ...]:
    """Score each annotator, the best first."""
    ratings = data.ratings
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
                annotator=name, items=int(multiplicities.sum()), accuracy=accuracy, macro_f1=float(macro_f1[i])
            )
        )
    return tuple(sorted(scores, key=lambda one: (-one.accuracy.value, -one.items)))


def _notes(data: Annotations, limit: float, left_out: int, tied: float, labels: int, best: bool) -> tuple[str, ...]:
    """Say what the numbers are and are not."""
    notes = [
        "This is how an annotator scores against the majority of the others, the upper bound that is usually quoted. It is none by "
        "logic: one annotator is noisier than the consensus of all, so a model that learns the consensus can score higher.",
    ]
    notes.append(
        f"What is a limit by logic: whatever gives each of these items one label agrees with {percent(limit)} of their annotations at most "
        "(the mean share of the majority label)."
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
        notes.append("All annotations of these items have the same label: whoever always gives it scores 1.")
    if labels > MOST_LABELS:
        notes.append(f"Macro F1 of {labels:,} labels has an interval by the bootstrap alone (--ci bootstrap).")
    if data.annotators is None:
        notes.append("The table does not say who annotated, so there is no best annotator.")
    elif best:
        notes.append("The best of several annotators also had the most luck: expect less on new items.")
    else:
        notes.append(f"No annotator was scored on {LEAST_ITEMS} items, too few to call one the best.")
    return tuple(notes)
