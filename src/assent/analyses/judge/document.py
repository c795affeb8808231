"""Judges beside people as a document: sentences in the order of the questions, tables, a figure."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

from assent.analyses.judge import sentences
from assent.analyses.judge.alternative_result import AlternativeTest, HumanTest, MeanDifference
from assent.analyses.judge.chart import draw, draw_stability
from assent.analyses.judge.reference import LabelErrors, ReferenceErrors, ShareEstimate
from assent.analyses.judge.result import JudgeComparison, JudgeVerdict
from assent.analyses.judge.team import Team
from assent.documents.blocks import (
    Block,
    Cell,
    Column,
    Document,
    Figure,
    Fold,
    Prose,
    Section,
    Table,
    between,
    coefficient,
    count,
    crossed,
    name,
    notes,
    number,
    share,
    table_of,
    words,
)
from assent.limits import LABELS_IN_JUDGE_TABLE
from assent.text import counted, interval_method, level, probability, quoted

__all__ = ["blocks_of", "document_of", "takeaway"]


def document_of(found: JudgeComparison) -> Document:
    """Return the answers, in the order of the questions."""
    who = f"{counted(len(found.judges), 'judge')} beside {counted(len(found.people), 'person', 'people')}"
    return Document(
        title="Judges beside people",
        summary=f"{found.data.describe()}; {who}",
        blocks=[
            Prose([sentences.closeness(one, found.options["level"]) for one in found.judges], strong=True),
            *blocks_of(found),
            *notes(
                _gated(found),
                found.notes,
                *(one.notes for one in found.judges),
                _intervals(found),
                found.data._reading_notes(),
            ),
        ],
    )


def _gated(found: JudgeComparison) -> list[str]:
    """Say what gates say, and how the judges compare with an earlier result."""
    gates = [f"Gate {one.gate}: {one.outcome}. {one.sentence}" for one in found.gates]
    return [*gates, *(one.sentence[:1].upper() + one.sentence[1:] for one in found.against)]


def takeaway(found: JudgeComparison) -> str:
    """Say in one paragraph whether the judges are as close to the people as these are to each other."""
    return " ".join(sentences.closeness(one, found.options["level"]) for one in found.judges[:3])


def blocks_of(found: JudgeComparison) -> list[Block]:
    """Return the tables and the figure that go with the first sentences, and a section for each further question."""
    sure, judges = found.options["level"], found.judges
    heading = f"{level(sure)} interval"
    made: list[Block] = [
        *(
            []
            if all(math.isnan(one.team.human_judge) for one in judges)
            else [_closeness(found, heading), _figure(found)]
        ),
        Section(
            "stand-in",
            "Could it stand in for a person?",
            "",
            [
                Prose([line for one in judges for line in sentences.stand_in(one, found.data.unit, sure)]),
                _tests(found, heading),
                *([_stability(found)] if any(one.alt_test.humans for one in judges) else []),
                *(_humans(one, at, several=len(judges) > 1) for at, one in enumerate(judges) if one.alt_test.humans),
            ],
        ),
    ]
    if any(one.pool is not None for one in judges):
        made += [
            Section(
                "errors", "Where does it err?", "", [Prose([sentences.errors(one) for one in judges]), *_errors(judges)]
            ),
            Section("leaning", "Where does it lean?", "", _leaning(found, sure)),
        ]
    rated = [(one, one.rate) for one in judges if one.rate is not None]
    if rated:
        lines = [line for one, rate in rated for line in sentences.rate(rate, one.judge)]
        made.append(Section("rate", "The rate that people would have found", "", [Prose(list(dict.fromkeys(lines)))]))
    again = [line for one in judges for line in sentences.repeats(one)]
    if again:
        made.append(Section("repeats", "Does it repeat itself?", "", [Prose(again)]))
    soft = [sentences.soft(one.soft, _distribution(one)) for one in judges if one.soft is not None]
    if soft:
        made.append(Section("soft-labels", "Soft labels", "", [Prose(soft)]))
    if found.jury is not None:
        made.append(Section("jury", "The judges beside each other", "", _jury(found, heading)))
    return made


def _distribution(one: JudgeVerdict) -> str:
    """Say what is taken as the judge's distribution."""
    if one.repeats is None:
        return f"the verdicts of {quoted(one.judge)}"
    return f"the shares of labels over the runs of {quoted(one.judge)}"


def _rows(found: JudgeComparison) -> list[tuple[Cell, Team, AlternativeTest, MeanDifference]]:
    """Return the judges, and the constant judge that goes with them: one if it is the same for all."""
    rows = [(name(one.judge), one.team, one.alt_test, one.mean_difference) for one in found.judges]
    # One line for each label: of several judges the one with the most items.
    for label in dict.fromkeys(one.constant.label for one in found.judges):
        made = max((one for one in found.judges if one.constant.label == label), key=lambda one: one.n_items).constant
        rows.append((words(f"always {quoted(label)}"), made.team, made.alt_test, made.mean_difference))
    return rows


def _closeness(found: JudgeComparison, heading: str) -> Table:
    weighted = "" if found.options["weights"] == "identity" else f", weighted ({found.options['weights']})"
    pairs = "alike" if found.options["average"] == "plain" else "by the items they share"
    return table_of(
        "judge-closeness",
        f"{_coefficient(found)}{weighted} of a person with the judge, less that of two people; pairs count {pairs}",
        _rows(found),
        [
            (Column("judge", "name"), lambda row: row[0]),
            (Column("with people"), lambda row: coefficient(row[1].human_judge)),
            (Column("among people"), lambda row: coefficient(row[1].human_human)),
            (
                Column("difference"),
                lambda row: number(None if row[1].difference is None else row[1].difference.value, 3),
            ),
            (Column(heading), lambda row: _ends(row[1].interval)),
            (
                Column("smallest margin", optional=True),
                lambda row: coefficient(sentences.rounded_up(row[1].smallest_margin)),
            ),
        ],
    )


def _coefficient(found: JudgeComparison) -> str:
    called = found.judges[0].team.coefficient
    return "Mean kappa" if called == "kappa" else called[:1].upper() + called[1:]


def _ends(interval: object) -> Cell:
    low, high = getattr(interval, "low", None), getattr(interval, "high", None)
    return between(low, high, digits=3)


def _figure(found: JudgeComparison) -> Figure:
    return Figure(
        "judge-closeness",
        partial(draw, found),
        "Judges beside people: the difference of agreement with its interval",
        f"Right of 0 a judge is closer to the people than they are to each other; the dashed line is the margin of {found.options['margin']:g}. The "
        "diamond is a judge that reads nothing and always gives the same answer.",
    )


def _stability(found: JudgeComparison) -> Figure:
    return Figure(
        "judge-stability",
        partial(draw_stability, found),
        "How often a judge passes the alternative annotator test on resampled items",
        "Near 0 or 100 % the verdict is stable; near the dashed line other items could well have given the other one. The diamond is a judge that "
        "always gives the commonest label.",
    )


def _tests(found: JudgeComparison, heading: str) -> Table:
    # Nothing passes by itself that a judge which reads nothing passes as well.
    idle = {id(one.alt_test): bool(one.constant.alt_test.passed) for one in found.judges}

    def verdict(test: AlternativeTest) -> Cell:
        if test.passed and idle.get(id(test)):
            return words("constant passes too")
        return words({True: "passes", False: "does not pass", None: "nobody tested"}[test.passed])

    return table_of(
        "judge-alternative",
        f"The alternative annotator test at epsilon {found.options['epsilon']:g}, with the judge that reads nothing",
        _rows(found),
        [
            (Column("judge", "name"), lambda row: row[0]),
            (Column("winning rate"), lambda row: number(row[2].winning_rate)),
            (Column("advantage"), lambda row: number(row[2].advantage)),
            (Column("verdict", "words"), lambda row: verdict(row[2])),
            (Column("holds in"), lambda row: share(row[2].stability)),
            (Column("with clusters", optional=True), lambda row: number(row[2].cluster_winning_rate)),
            (Column("mean difference"), lambda row: number(row[3].value, 3)),
            (Column(heading, optional=True), lambda row: _ends(row[3].interval)),
        ],
    )


def _table_of_judge(table: str, at: int) -> str:
    """Return the name of a table of which there is one for each judge: no two of a document have the same."""
    return f"{table}-{at + 1}" if at else table


def _humans(one: JudgeVerdict, at: int, *, several: bool) -> Block:
    whose = f" for {quoted(one.judge)}" if several else ""
    fields: list[tuple[Column, Callable[[HumanTest], Cell]] | None] = [
        (Column("person", "name"), lambda row: name(row.annotator)),
        (Column("items"), lambda row: count(row.n)),
        (Column("person closer"), lambda row: count(row.human_closer)),
        (Column("tie"), lambda row: count(row.tie)),
        (Column("judge closer"), lambda row: count(row.judge_closer)),
        (Column("p"), lambda row: _p(row.p)),
        (Column("p (Tango)"), lambda row: _p(row.p_tango)),
        (Column("p (clusters)", optional=True), lambda row: _p(row.p_cluster)),
        (Column("wins", "words"), lambda row: words("yes" if row.win else "no")),
    ]
    skipped = ", ".join(f"{quoted(who)} ({many:,})" for who, many in one.alt_test.skipped[:10])
    left = f"Not tested, with fewer than {one.alt_test.min_items} items: {skipped}." if skipped else ""
    return table_of(
        _table_of_judge("judge-humans", at),
        f"Each person held out{whose}: who is closer to the others?",
        one.alt_test.humans,
        fields,
        more=left,
    )


def _p(value: float) -> Cell:
    """Return a p-value without its letter, which the column has."""
    return Cell(text=probability(value).removeprefix("p = ").removeprefix("p "), sort=None if value != value else value)


def _share(one: ShareEstimate) -> Cell:
    return share(None if one.value != one.value else one.value)


def _errors(judges: Sequence[JudgeVerdict]) -> list[Block]:
    made: list[Block] = []
    for at, one in enumerate(judges):
        if one.errors is None or not one.errors.by_label:
            continue
        whose = f" of {quoted(one.judge)}" if len(judges) > 1 else ""
        blocks: list[Block] = [_labels(one.errors, whose, at)]
        if one.errors.confusion is not None and len(one.errors.labels) <= LABELS_IN_JUDGE_TABLE:
            blocks.append(_confusion(one.errors, whose, at))
        made += blocks if len(judges) == 1 else [Fold(f"Errors{whose}", blocks)]
    return made


def _labels(found: ReferenceErrors, whose: str, at: int) -> Table:
    def ends(one: ShareEstimate) -> Cell:
        return between(one.low, one.high, percents=True)

    fields: list[tuple[Column, Callable[[LabelErrors], Cell]] | None] = [
        (Column("label", "name"), lambda row: name(row.label)),
        (Column("reference"), lambda row: count(row.n_reference)),
        (Column("judge"), lambda row: count(row.n_judge)),
        (
            Column("recall", meaning="Of the items with the label, the share that the judge finds: its sensitivity."),
            lambda row: _share(row.recall),
        ),
        (Column("interval", optional=True), lambda row: ends(row.recall)),
        (Column("precision"), lambda row: _share(row.precision)),
        (Column("interval", optional=True), lambda row: ends(row.precision)),
        (Column("specificity"), lambda row: _share(row.specificity)),
        (Column("interval", optional=True), lambda row: ends(row.specificity)),
    ]
    what = "the majority of the people" if found.reference == "majority" else "known labels"
    return table_of(
        _table_of_judge("judge-errors", at), f"Errors{whose} by label, against {what}", found.by_label, fields
    )


def _confusion(found: ReferenceErrors, whose: str, at: int) -> Table:
    assert found.confusion is not None
    cells = [name(label) for label in found.labels]
    return crossed(
        table=_table_of_judge("judge-confusion", at),
        caption=f"Rows are the reference, columns the verdicts{whose}",
        corner="reference",
        rows=cells,
        columns=cells,
        cells=[[count(int(many)) for many in row] for row in found.confusion],
    )


def _leaning(found: JudgeComparison, sure: float) -> list[Block]:
    said, made = [], []
    for at, one in enumerate(found.judges):
        said += sentences.leanings(one, one.leaning, one.severity, sure)
        said += [sentences.favoured(lean, one.judge, sure) for lean in one.favours]
        said += [] if one.seats is None else [sentences.seats(one.seats, one.judge)]
        if one.leaning is not None:
            whose = f" of {quoted(one.judge)}" if len(found.judges) > 1 else ""
            table = table_of(
                _table_of_judge("judge-leaning", at),
                f"Label shares{whose} beside those of the people on the same items",
                one.leaning.by_label,
                [
                    (Column("label", "name"), lambda row: name(row.label)),
                    (Column("judge"), lambda row: share(row.judge)),
                    (Column("people"), lambda row: share(row.humans)),
                    (Column("difference"), lambda row: number(row.difference, 3, signed=True)),
                    (Column("interval"), lambda row: between(row.low, row.high, digits=3)),
                ],
            )
            made.append(table if len(found.judges) == 1 else Fold(f"Label shares{whose}", [table]))
    return (
        [Prose(said), *made]
        if said
        else [Prose(["There is nothing to compare: the judges share no item with the people."])]
    )


def _jury(found: JudgeComparison, heading: str) -> list[Block]:
    made = found.jury
    assert made is not None
    table = table_of(
        "judge-jury",
        f"The judges on the {counted(made.n_items, 'item')} that all of them labelled, the closest to the people first",
        made.judges,
        [
            (Column("judge", "name"), lambda row: name(row.judge)),
            (Column("kappa with people"), lambda row: coefficient(row.kappa)),
            (Column(heading), lambda row: between(row.low, row.high, digits=3)),
            (Column("right"), lambda row: share(None if row.accuracy != row.accuracy else row.accuracy)),
        ],
    )
    pairs = table_of(
        "judge-pairs",
        "Every two judges: the difference of their kappas, with p corrected for all pairs (Holm)",
        made.pairs,
        [
            (Column("first", "name"), lambda row: name(row.first)),
            (Column("second", "name"), lambda row: name(row.second)),
            (Column("difference"), lambda row: number(row.difference, 3)),
            (Column(heading), lambda row: between(row.low, row.high, digits=3)),
            (Column("p"), lambda row: _p(row.p_holm)),
        ],
    )
    said = sentences.jury(found, made)
    if made.soft is not None:
        said.append(sentences.soft(made.soft, "the shares of the judges' labels"))
    known = [*([table] if any(one.kappa == one.kappa for one in made.judges) else [])]
    return [Prose(said), *known, *([pairs] if any(one.difference == one.difference for one in made.pairs) else [])]


def _intervals(found: JudgeComparison) -> list[str]:
    over = "items" if found.data.unit == "items" else f"clusters ({found.data.unit})"
    said = [
        f"Intervals: {interval_method(found.options['ci'])}, over {over}. Claims (not worse, equivalent) are one-sided, at {level(found.options['level'])} each."
    ]
    few = next((one.team.interval.notes for one in found.judges if one.team.interval is not None), ())
    return [*said, *few]
