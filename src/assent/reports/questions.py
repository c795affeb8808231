"""Several questions about the same items: a report each, and what they say together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from assent.documents import Document, Result
from assent.documents.blocks import (
    Block,
    Column,
    Figure,
    Headline,
    Prose,
    Section,
    Table,
    between,
    count,
    name,
    table_of,
    words,
)
from assent.errors import NothingToCompare, OptionError
from assent.measures._preparation import as_dataset
from assent.reports.anonymous import Names
from assent.reports.building import Progress, Stages, report_of
from assent.reports.charts.intervals import Row, intervals
from assent.reports.context import Settings
from assent.reports.kinds import kind_of
from assent.reports.model import Report
from assent.reports.sections.appendix import AppendixSection
from assent.reports.sections.coefficients import value_cell
from assent.reports.sections.reporting import reporting_of_questions
from assent.reports.sections.verdict import VerdictSection
from assent.text import chosen, counted, interval, level, named, quoted, shown
from assent.text import value as value_text

__all__ = ["QuestionsSection", "QuestionsVerdict", "report_of_questions"]

#: The worst first.
_STATUS = ("undefined", "below", "unclear", None, "above")
#: How a verdict stands to its target, in two words.
_STANDS = {"above": "clears it", "unclear": "undecided", "below": "falls short", "undefined": "undefined"}


class QuestionsVerdict(Result, frozen=True, kw_only=True):
    """The verdict on the weakest of several questions, with a sentence about all.

    Parameters
    ----------
    verdicts : mapping of str to VerdictSection
        By question.
    skipped : sequence of str
        Questions that could not be measured.
    """

    verdicts: Mapping[str, VerdictSection]
    skipped: Sequence[str]

    @property
    def ranked(self) -> list[str]:
        """The questions, the weakest first."""

        def rank(question: str) -> tuple[int, float]:
            one = self.verdicts[question]
            return _STATUS.index(one.status), -2.0 if one.value is None else one.value

        return sorted(self.verdicts, key=rank)

    @property
    def headline(self) -> Headline:
        """The verdict as it stands at the top of a report."""
        ranked = self.ranked
        weakest, best = ranked[0], ranked[-1]
        one = self.verdicts[weakest]
        said = f"{counted(len(ranked), 'question')}: agreement is lowest on {shown(weakest)} {_number(one)}"
        if best != weakest:
            said += f" and highest on {shown(best)} {_number(self.verdicts[best])}"
        said += f"{self._standing}."
        if self.skipped:
            said += f" Nothing could be compared on {named(self.skipped)}."
        target = None if one.target is None else one.target.value
        rows = [Row(name=key, value=each.value, low=each.low, high=each.high) for key, each in self.verdicts.items()]
        return Headline(
            sentence=said,
            why=f"What pulls {shown(weakest)} down" if one.causes else "",
            causes=one.causes,
            next=f"Begin with {shown(weakest)}. {one.next}",
            figure=Figure(
                "questions",
                partial(_drawn, rows, target),
                "Chart of the value of every question with its interval; the table below has the numbers.",
                "The number to quote for every question, with its interval.",
            ),
        )

    @property
    def _standing(self) -> str:
        """Say how many questions reach the target, if there is one."""
        target = next(iter(self.verdicts.values())).target
        if target is None:
            return ""
        many = {key: sum(one.status == key for one in self.verdicts.values()) for key in ("above", "below", "unclear")}
        return (
            f"; of the {chosen(target.value)} that the task asks for, {many['above']} are above, {many['below']} below and "
            f"{many['unclear']} not clearly either"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict on the weakest, with the sentence about all."""
        weakest, headline = self.ranked[0], self.headline
        about = {"sentence": headline.whole, "question": weakest, "next": headline.next}
        return {**self.verdicts[weakest].to_dict(), **about}

    def document(self) -> Document:
        """Return the verdict alone."""
        return Document("Verdict", [self.headline])


def _drawn(rows: Sequence[Row], target: float | None, width: int) -> Any | None:
    return intervals(rows, title="value", width=width, target=target)


def _number(one: VerdictSection) -> str:
    title = one.quoted.agreement.title
    if one.value is None:
        return f"({title} is undefined)"
    sure = "" if one.low is None else f", {interval(one.low, one.high)}"
    return f"({title} {value_text(one.value, one.low, one.high)}{sure})"


class QuestionsSection(Result, frozen=True, kw_only=True, eq=False):
    """An overview of several questions.

    Parameters
    ----------
    skipped : mapping of str to str
        Questions that could not be measured, and why.
    """

    reports: Mapping[str, Report]
    skipped: Mapping[str, str]

    def to_dict(self) -> dict[str, Any]:
        """Return which questions there are, and which could not be measured."""
        return {"measured": list(self.reports), "skipped": dict(self.skipped)}

    def document(self) -> Document:
        """Return the questions as a table; the report on each has a place of its own."""
        rows = [(place, key, _verdict(one)) for place, (key, one) in enumerate(self.reports.items(), 1)]
        table = table_of(
            "questions",
            "All questions",
            rows,
            [
                (Column("question", "name"), lambda row: replace(name(row[1]), link=f"q{row[0]}-title")),
                (Column("value", term="value"), lambda row: value_cell(row[2].quoted)),
                (Column("interval", term="interval"), lambda row: between(row[2].low, row[2].high)),
                (Column("called", "words"), lambda row: words(row[2].word or "–")),
                (Column("target", "words"), lambda row: words(_STANDS.get(row[2].status or "", "–"))),
                (Column("items"), lambda row: count(_items(self.reports[row[1]]))),
                (Column("coefficient", "words"), lambda row: words(row[2].quoted.agreement.title)),
            ],
            quiet=True,
        )
        blocks: list[Block] = [table]
        if self.skipped:
            blocks.append(Prose([f"{quoted(key)} could not be measured: {why}" for key, why in self.skipped.items()]))
        takeaway = f"{counted(len(rows), 'question')}; the report on each follows."
        return Document("Questions", [Section("questions", "Questions", takeaway, blocks)])

    def table(self) -> Table:
        """Return the overview for a paper."""
        rows = [(key, one, _verdict(one)) for key, one in self.reports.items()]
        sure = level(rows[0][2].quoted.interval.level)
        return table_of(
            "questions",
            "All questions",
            rows,
            [
                (Column("question", "name"), lambda row: name(row[0])),
                (Column("coefficient", "words"), lambda row: words(row[2].quoted.agreement.title)),
                (Column("value"), lambda row: value_cell(row[2].quoted)),
                (Column(f"{sure} interval"), lambda row: between(row[2].low, row[2].high)),
                (Column("items"), lambda row: count(_items(row[1]))),
            ],
            quiet=True,
        )


def _verdict(one: Report) -> VerdictSection:
    assert isinstance(one.verdict, VerdictSection)
    return one.verdict


def _items(one: Report) -> int:
    from assent.reports.sections.data import DataSection

    data = one.sections["data"]
    assert isinstance(data, DataSection)
    return data.n_items


def report_of_questions(
    data: Mapping[str, Any], settings: Settings, *, command: str | None = None, progress: Progress | None = None
) -> Report:
    """Make a report on several questions.

    Questions on which there is nothing to compare are named in the verdict and have no report.
    """
    if not data:
        raise OptionError("There is no question to report on: give a mapping of names to annotations.")
    reports: dict[str, Report] = {}
    skipped: dict[str, str] = {}
    part = 1.0 / len(data)
    given = {key: as_dataset(one) for key, one in data.items()}
    together: list[Any] = [one for one in given.values() if kind_of(one).shares_names]
    names = Names.of(*together) if settings.anonymise else None
    for place, (key, one) in enumerate(given.items()):
        stages = Stages(progress, kind_of(one).stages, start=place * part, share=part, what=key)
        about = replace(settings, title=key)
        try:
            reports[key] = report_of(one, about, command=command, stages=stages, names=names)
        except NothingToCompare as error:
            skipped[key] = str(error)
    if not reports:
        raise NothingToCompare(f"None of {len(data):,} questions can be measured: {next(iter(skipped.values()))}")
    first = next(iter(reports.values()))
    overview = QuestionsSection(reports=reports, skipped=skipped)
    caption = f"Inter-annotator agreement on {counted(len(reports), 'question')}."
    return Report(
        title=settings.title,
        made=first.made,
        kind=first.kind,
        settings=settings,
        verdict=QuestionsVerdict(verdicts={key: _verdict(one) for key, one in reports.items()}, skipped=list(skipped)),
        sections={"questions": overview},
        reporting=reporting_of_questions(
            {key: one.reporting for key, one in reports.items()}, overview.table(), caption
        ),
        appendix=AppendixSection(
            settings=settings,
            seconds=sum(one.appendix.seconds for one in reports.values()),
            definitions={key: text for one in reports.values() for key, text in one.appendix.definitions.items()},
            command=command,
            skipped=skipped,
        ),
        questions=reports,
    )
