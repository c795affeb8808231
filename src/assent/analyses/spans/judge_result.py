"""Judges that mark spans beside people: the result, its document and its gates."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from assent.analyses.gates import GateOutcome, GateSettings, Outcome, gate, three_way
from assent.analyses.judge.alternative_result import AlternativeTest, MeanDifference
from assent.analyses.judge.result import Baseline
from assent.analyses.spans.differences import ERRORS, MEANS
from assent.data import Spans
from assent.documents.blocks import (
    Cell,
    Column,
    Document,
    Prose,
    between,
    coefficient,
    count,
    name,
    notes,
    share,
    table_of,
    words,
)
from assent.documents.result import Result
from assent.errors import OptionError
from assent.measures.results import Estimate, Interval
from assent.records import Struct, plain
from assent.text import counted, number, percent, quoted

__all__ = ["SpanJudge", "SpanJudges", "about_alternative"]


class SpanJudge(Struct, frozen=True, kw_only=True, eq=False):
    """One judge beside people.

    Parameters
    ----------
    n_documents : int
        That the judge and a person judged.
    n_spans : int
        Of the judge in these.
    with_people, people : Estimate
        Mean F1 of the judge with people, and of people with each other.
    with_people_interval, people_interval, interval : Interval
        Of these two, and of the first less the second.
    lower, upper : float
        Bounds of the difference, each of which holds at the level.
    margin : float
        How much less is still no worse.
    by_person : mapping of str to (float, float)
        F1 of each person with the judge, and with the other people.
    classes : mapping of str to int
        What becomes of the judge's spans compared with people.
    missed : int
        Spans of people that the judge has nothing for.
    constant : Baseline
        A judge that reads nothing: it marks nothing in the same documents.
    """

    judge: str
    n_documents: int
    n_spans: int
    with_people: Estimate
    people: Estimate
    with_people_interval: Interval
    people_interval: Interval
    difference: float
    interval: Interval
    lower: float
    upper: float
    margin: float
    by_person: dict[str, tuple[float, float]]
    classes: dict[str, int]
    missed: int
    missable: int
    alt_test: AlternativeTest
    mean_difference: MeanDifference
    constant: Baseline

    @property
    def noninferior(self) -> bool | None:
        """It is shown to agree with people as they do with each other, less the margin at most; None if there is no bound."""
        return None if math.isnan(self.lower) else self.lower > -self.margin

    @property
    def inferior(self) -> bool | None:
        """It is shown to agree less, by more than the margin."""
        return None if math.isnan(self.upper) else self.upper < -self.margin

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "judge": self.judge,
            "documents": self.n_documents,
            "spans": self.n_spans,
            "f1_with_people": {"value": plain(self.with_people.value), "ci": self.with_people_interval.to_dict()},
            "f1_of_people": {"value": plain(self.people.value), "ci": self.people_interval.to_dict()},
            "difference": {
                "value": plain(self.difference),
                "ci": self.interval.to_dict(),
                "lower": plain(self.lower),
                "upper": plain(self.upper),
                "margin": self.margin,
                "noninferior": self.noninferior,
                "inferior": self.inferior,
            },
            "people": [
                {"annotator": who, "f1_with_judge": plain(one), "f1_with_people": plain(two)}
                for who, (one, two) in self.by_person.items()
            ],
            "classes": self.classes,
            "missed": self.missed,
            "missable": self.missable,
            "alt_test": self.alt_test.to_dict(),
            "mean_difference": self.mean_difference.to_dict(),
            "constant_judge": self.constant.to_dict(),
        }


class SpanJudges(Result, frozen=True, kw_only=True, eq=False):
    """Judges beside people.

    Parameters
    ----------
    match : str
        When two spans count as the same.
    """

    data: Spans
    judges: tuple[SpanJudge, ...]
    match: str = "exact"
    level: float = 0.95
    gates: tuple[GateOutcome, ...] = ()
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return all judges as plain values."""
        return {
            "data": self.data.to_dict(),
            "match": self.match,
            "judges": plain(self.judges),
            "gates": plain(self.gates),
            "notes": list(self.notes),
        }

    def document(self) -> Document:
        """Return the comparison, person by person, and what becomes of the judge's spans."""
        blocks: list[Any] = [Prose([_verdict(one) for one in self.judges], strong=True)]
        blocks.append(
            table_of(
                "span-judges",
                f"Mean F1 ({self.match})",
                _rows(self.judges),
                [
                    (Column("judge", "name"), lambda row: row[0]),
                    (Column("with people"), lambda row: coefficient(row[1])),
                    (Column("interval"), lambda row: _ends(row[2])),
                    (Column("people with each other"), lambda row: coefficient(row[3])),
                    (Column("difference"), lambda row: coefficient(row[4])),
                    (Column("its interval"), lambda row: _ends(row[5])),
                    (Column("documents"), lambda row: count(row[6])),
                ],
            )
        )
        for one in self.judges:
            blocks += [
                table_of(
                    f"people-{one.judge}",
                    f"F1 of each person, with {one.judge} and with the other people",
                    one.by_person.items(),
                    [
                        (Column("person", "name"), lambda row: name(row[0])),
                        (Column("with the judge"), lambda row: coefficient(row[1][0])),
                        (Column("with the others"), lambda row: coefficient(row[1][1])),
                    ],
                ),
                table_of(
                    f"classes-{one.judge}",
                    f"What becomes of the spans of {one.judge}, compared with people",
                    ERRORS if sum(one.classes.values()) else (),
                    [
                        (Column("the span is", "words"), lambda kind: words(MEANS[kind])),
                        (Column("comparisons"), partial(_many, one.classes)),
                        (Column("share"), partial(_part, one.classes)),
                    ],
                ),
            ]
        return Document("Judges", [*blocks, *notes(self.notes, self.data._reading_notes())])


def _many(classes: Mapping[str, int], kind: str) -> Cell:
    return count(classes[kind])


def _part(classes: Mapping[str, int], kind: str) -> Cell:
    return share(classes[kind] / sum(classes.values()))


def _rows(judges: Sequence[SpanJudge]) -> list[tuple[Cell, float, Interval | None, float, float, Interval | None, int]]:
    """Return the judges; then the judge that reads nothing, in the documents of the one that has seen most of them."""
    rows: list[tuple[Cell, float, Interval | None, float, float, Interval | None, int]] = [
        (
            name(one.judge),
            one.with_people.value,
            one.with_people_interval,
            one.people.value,
            one.difference,
            one.interval,
            one.n_documents,
        )
        for one in judges
    ]
    most = max(judges, key=lambda one: one.n_documents)
    team = most.constant.team
    gap = math.nan if team.difference is None else team.difference.value
    idle = (team.human_judge, team.judge_interval, team.human_human, gap, team.interval, most.n_documents)
    return [*rows, (words("marks nothing"), *idle)]


def _ends(interval: Interval | None) -> Cell:
    return between(getattr(interval, "low", None), getattr(interval, "high", None))


def _idle(one: SpanJudge) -> bool:
    """Tell whether the judge is shown to be no worse, and one that marks nothing is as well."""
    return bool(one.noninferior and one.constant.team.noninferior)


def _verdict(one: SpanJudge) -> str:
    bounds = f"difference {number(one.difference, 3)}, one-sided bounds {number(one.lower, 3)} and {number(one.upper, 3)}, margin {number(one.margin, 3)}"
    if one.noninferior is None:
        return f"There are too few documents to tell how {quoted(one.judge)} compares with people."
    if _idle(one):
        return (
            f"{quoted(one.judge)} is shown not to be worse than a person, but so is a judge that marks nothing: people agree too little with each "
            f"other to tell ({bounds})."
        )
    if one.noninferior:
        return (
            f"{quoted(one.judge)} is shown to agree with people as they do with each other, less the margin at most, which a judge that marks nothing is "
            f"not ({bounds})."
        )
    if one.inferior:
        return f"{quoted(one.judge)} is shown to agree with people less than they do with each other, by more than the margin ({bounds})."
    return f"There are too few data to tell whether {quoted(one.judge)} is worse than a person by more than the margin ({bounds})."


def about_alternative(one: SpanJudge) -> str:
    """Say whether the judge passes the alternative annotator test, beside one that marks nothing."""
    test = one.alt_test
    if test.verdict is None:
        few = counted(test.min_items, "document")
        return f"Alternative annotator test: nobody has {few} beside others and {quoted(one.judge)}, so it was not run."
    idle = one.constant.alt_test
    score = f"it can stand in for {percent(test.winning_rate)} of people at epsilon {number(test.epsilon)}"
    theirs = f"{percent(idle.winning_rate)} of people"
    how = f"the alternative annotator test with closeness by F1 in a document ({score})"
    if test.verdict and idle.verdict:
        return f"{quoted(one.judge)} passes {how}, but so does a judge that marks nothing ({theirs}): on these data the test cannot tell."
    if test.verdict:
        return f"{quoted(one.judge)} passes {how}; a judge that marks nothing does not ({theirs})."
    also = "does" if idle.verdict else "does not either"
    return f"{quoted(one.judge)} does not pass {how}; a judge that marks nothing {also} ({theirs})."


@gate("noninferior", SpanJudges)
def _not_worse(result: SpanJudges, settings: GateSettings) -> list[GateOutcome]:
    """Judge whether each judge agrees with people as they do with each other, less the margin at most."""
    made = []
    for one in result.judges:
        outcome: Outcome = "pass" if one.noninferior else "fail" if one.inferior else "unclear"
        outcome = "unclear" if _idle(one) else outcome
        made.append(
            GateOutcome(
                gate="noninferior",
                title=f"{one.judge} beside people",
                outcome=outcome,
                sentence=_verdict(one),
                value=one.difference,
                low=one.lower,
                high=one.upper,
                threshold=-one.margin,
            )
        )
    return made


@gate("alt-test", SpanJudges)
def _stands_in(result: SpanJudges, settings: GateSettings) -> list[GateOutcome]:
    """Judge whether each judge passes the alternative annotator test where one that marks nothing does not."""
    made = []
    for one in result.judges:
        test, mean = one.alt_test, one.mean_difference
        outcome: Outcome = "unclear"
        if test.verdict is not None and not (test.verdict and one.constant.alt_test.verdict):
            outcome = "pass" if test.verdict else "fail" if mean.lower > test.epsilon else "unclear"
        made.append(
            GateOutcome(
                gate="alt-test",
                title=f"{one.judge}, alternative annotator test",
                outcome=outcome,
                sentence=about_alternative(one),
                value=test.winning_rate,
                threshold=0.5,
            )
        )
    return made


@gate("kappa", SpanJudges)
def _high_enough(result: SpanJudges, settings: GateSettings) -> list[GateOutcome]:
    """Judge whether the mean F1 of each judge with people reaches what was asked for."""
    if settings.least is None:
        raise OptionError("The `gate` kappa holds a coefficient against a number: give it with `fail_under`.")
    return [
        three_way(
            gate="kappa",
            title=f"Mean F1 of {one.judge} with people",
            what=f"The mean F1 of {quoted(one.judge)} with people",
            value=one.with_people.value,
            low=one.with_people_interval.low,
            high=one.with_people_interval.high,
            threshold=settings.least,
        )
        for one in result.judges
    ]
