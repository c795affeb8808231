"""How near a judge that marks spans is to people, and they to each other: by F1, and by the alternative annotator test.

A judge that reads nothing is put to the same questions: it marks nothing in the documents that the judge has seen. What it passes, too, says nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from assent.analyses.judge.alternative import test_of_patterns
from assent.analyses.judge.alternative_result import AlternativeTest, MeanDifference
from assent.analyses.judge.result import Baseline
from assent.analyses.judge.team import Team
from assent.data import Spans
from assent.inference.sample import Sample
from assent.measures._span_pairs import MATCHES, Compared, MatchSums, f1_of
from assent.measures._span_preparation import LEAST_DOCUMENTS
from assent.measures.results import Estimate, Interval
from assent.measures.span_scores import span_f1
from assent.profiles import Array
from assent.records import Struct

__all__ = ["Asked", "Nearness", "marks_nothing", "tested"]

SCORE = "span-f1"
#: What the judge that reads nothing answers.
NOTHING = "nothing marked"
#: Scores that are as good as the same.
NEAR = 1e-12


class Asked(Struct, frozen=True, kw_only=True):
    """What is asked of every judge."""

    match: str
    margin: float
    margin_given: bool
    epsilon: float
    min_documents: int
    level: float
    replicates: int
    seed: int


class Nearness(Struct, frozen=True, kw_only=True, eq=False):
    """Mean F1 of a judge with people, and of people with each other.

    Parameters
    ----------
    with_people, people, difference : Estimate
        The last is the first less the second.
    intervals : tuple of Interval
        Of these three.
    lower, upper : float
        Bounds of the difference, each of which holds at the level.
    by_person : mapping of str to (float, float)
        F1 of each person with the judge, and with the other people.
    pairs : (int, int, int)
        Pairs of people, and of a person with the judge, that have an F1; and pairs that have none.
    """

    with_people: Estimate
    people: Estimate
    difference: Estimate
    intervals: tuple[Interval, ...]
    lower: float
    upper: float
    by_person: dict[str, tuple[float, float]]
    pairs: tuple[int, int, int]

    @classmethod
    def of(cls, data: Spans, code: int, ask: Asked) -> Nearness:
        """Compare annotator `code` with the others."""
        items = span_f1(data, match=ask.match).profiles
        if not isinstance(items, MatchSums) or len(data.documents) == 1:
            # One document is cut into blocks by the measure; a judge is compared over documents.
            items = MatchSums.of(
                data, match=ask.match, iou=0.5, span_label=None, reference=None, average="pairs", tokens="whitespace"
            )
        mine = (items.first == code) | (items.second == code)

        def estimate(of: Any) -> Estimate:
            sample = Sample(lambda weighting: of(items.weighted_by(weighting).values()), items.multiplicities)
            value = float(of(items.values()))
            return Estimate(value=value, sample=sample, unit="documents", least_units=LEAST_DOCUMENTS)

        every = (
            estimate(lambda values: _mean(values, mine)),
            estimate(lambda values: _mean(values, ~mine)),
            estimate(lambda values: _mean(values, mine) - _mean(values, ~mine)),
        )
        twice = every[2].confidence_interval(2.0 * ask.level - 1.0, method="jackknife")
        values = items.values()
        known = ~np.isnan(values)
        by_person = {}
        for person, who in enumerate(data.annotators):
            if person != code:
                own = (items.first == person) | (items.second == person)
                by_person[who] = (float(_mean(values, own & mine)), float(_mean(values, own & ~mine)))
        return cls(
            with_people=every[0],
            people=every[1],
            difference=every[2],
            intervals=tuple(one.confidence_interval(ask.level, method="jackknife") for one in every),
            lower=twice.low,
            upper=twice.high,
            by_person=by_person,
            pairs=(int((known & ~mine).sum()), int((known & mine).sum()), int((~known).sum())),
        )


def _mean(values: Array, chosen: Array) -> Array:
    """Mean over some pairs that have a value: (...,)."""
    some = values[..., chosen]
    known = ~np.isnan(some)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(known, some, 0.0).sum(-1) / known.sum(-1))


def marks_nothing(data: Spans, judge: str, names: Sequence[str], ask: Asked) -> Baseline:
    """Compare a judge that marks nothing with the people, in the documents of `judge`."""
    code = data.annotators.index(judge)
    idle = data.kept(data.annotator != code)
    near = Nearness.of(idle, code, ask)
    test, mean = tested(idle, judge, names, ask)
    documents = np.bincount(idle.judged[idle.judged[:, 1] == code, 0], minlength=len(idle.documents)) > 0
    people = np.bincount(idle.judged[idle.judged[:, 1] != code, 0], minlength=len(idle.documents))
    marking = np.unique(np.stack([idle.document, idle.annotator], axis=1), axis=0)
    marked = np.bincount(marking[:, 0], minlength=len(idle.documents))
    right = (2 * marked < people)[documents & (people > 0)]
    undefined = math.isnan(near.difference.value)
    team = Team(
        human_human=near.people.value,
        human_judge=near.with_people.value,
        difference=None if undefined else near.difference,
        interval=None if undefined else near.intervals[2],
        low=near.lower,
        high=near.upper,
        margin=ask.margin,
        margin_given=ask.margin_given,
        pairs_human=near.pairs[0],
        pairs_judge=near.pairs[1],
        pairs_left_out=near.pairs[2],
        human_human_judged=math.nan,
        agreement=(math.nan, math.nan),
        judge_interval=None if math.isnan(near.with_people.value) else near.intervals[0],
        by_person=tuple(
            (who, near.by_person[who][0], int((documents & _has(idle, who)).sum())) for who in near.by_person
        ),
        average="plain",
        weights="identity",
        min_shared=1,
        coefficient="mean F1",
        reason="People marked nothing either, so there is nothing to compare." if undefined else "",
    )
    accuracy = float(right.mean()) if len(right) else math.nan
    return Baseline(label=NOTHING, team=team, alt_test=test, mean_difference=mean, accuracy=accuracy)


def _has(data: Spans, who: str) -> Array:
    """Tell which documents an annotator has judged: (documents,)."""
    mine = data.judged[data.judged[:, 1] == data.annotators.index(who), 0]
    return np.bincount(mine, minlength=len(data.documents)) > 0


def tested(data: Spans, judge: str, names: Sequence[str], ask: Asked) -> tuple[AlternativeTest, MeanDifference]:
    """Run the alternative annotator test, closeness being the mean F1 in a document with the other people.

    Two annotators who both marked nothing are as close as can be.
    """
    compared = Compared.of(data)
    numbers = MATCHES[ask.match](compared, iou=0.5)
    scores = f1_of(*numbers)
    scores = np.where(np.isnan(scores), 1.0, scores)
    documents, people = len(data.documents), len(data.annotators)
    code = data.annotators.index(judge)
    shape = documents * people

    def added(rows: Array, who: Array, amounts: Array | None = None) -> Array:
        cells = np.bincount(compared.document[rows] * people + who[rows], amounts, minlength=shape)
        return cells.reshape(documents, people)

    first, second = compared.first, compared.second
    beside = (first == code) | (second == code)
    person = np.where(first == code, second, first)
    # What each person scores with the judge, and with the other people of the document.
    its, met = added(beside, person, scores[beside]), added(beside, person) > 0
    own = added(~beside, first, scores[~beside]) + added(~beside, second, scores[~beside])
    others = added(~beside, first) + added(~beside, second)
    valid = met & (others > 0)
    valid[:, code] = False
    # The judge with the same others: with all people of the document but this one.
    rest = its.sum(axis=1, keepdims=True) - its
    apart = np.where(valid, (own - rest) / np.maximum(others, 1), 0.0)
    apart = np.where(np.abs(apart) < NEAR, 0.0, apart)
    every = np.where(valid, 2 + np.sign(apart).astype(np.int64), 0)
    patterns = every[:, [data.annotators.index(one) for one in names]]
    gaps = [float(-apart[valid[:, one], one].mean()) for one in range(people) if valid[:, one].any()]
    return test_of_patterns(
        patterns,
        np.ones(documents),
        None,
        tuple(names),
        every=documents,
        gap=float(np.mean(gaps)) if gaps else math.nan,
        score=SCORE,
        epsilon=ask.epsilon,
        level=ask.level,
        ci="jackknife",
        replicates=ask.replicates,
        seed=ask.seed,
        unit="documents",
        min_items=ask.min_documents,
    )
