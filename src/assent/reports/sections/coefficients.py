"""The coefficients: all that fit, which one to quote and why, and what makes them mislead."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from assent.analyses.findings.finding import Finding
from assent.analyses.findings.search import findings
from assent.analyses.interpretation import Target
from assent.analyses.measure.document import finding_cards
from assent.documents import Document, Result
from assent.documents.blocks import (
    Block,
    Cell,
    Column,
    Figure,
    Heading,
    Prose,
    Section,
    Table,
    between,
    count,
    notes,
    number,
    table_of,
    words,
)
from assent.measures import find
from assent.measures.results import Interval
from assent.records import plain
from assent.reports.charts.intervals import Row, intervals
from assent.reports.context import Measured, ReportContext
from assent.text import DASH, counted, interval, level, listed, value, visible

__all__ = [
    "CoefficientsSection",
    "coefficients_section",
    "label_coefficients_section",
    "rounded_table",
    "value_cell",
]


class CoefficientsSection(Result, frozen=True, kw_only=True, eq=False):
    """Every coefficient that fits, and what to think of it.

    Parameters
    ----------
    measured : sequence of Measured
        The one to quote first.
    quote : str
        Name of the measure to quote.
    reasons : sequence of str
        Why that one, and what was left out.
    findings : sequence of Finding
        What makes the numbers mislead.
    """

    measured: Sequence[Measured]
    quote: str
    reasons: Sequence[str]
    findings: Sequence[Finding] = ()
    target: Target | None = None

    @property
    def quoted(self) -> Measured:
        """The coefficient to quote."""
        return self.measured[0]

    def to_dict(self) -> dict[str, Any]:
        """Return the measures as `assent measure` prints them as JSON, the one to quote, and the findings."""
        return {
            "measures": [one.to_dict(self.target) for one in self.measured],
            "quote": self.quote,
            "reasons": list(self.reasons),
            "findings": plain(self.findings),
        }

    def document(self) -> Document:
        """Return all coefficients, which one to quote, and when the number misleads."""
        aim = None if self.target is None else self.target.value
        rows = [
            Row(
                name=one.agreement.title,
                value=plain(one.agreement.value),
                low=plain(one.interval.low),
                high=plain(one.interval.high),
                strong=one.agreement.measure == self.quote,
            )
            for one in self.measured
        ]
        figure = Figure(
            "coefficients",
            partial(_drawn, rows, aim),
            "Chart of all coefficients with their intervals; the table below has the numbers.",
            "Every coefficient that fits the data, with its interval; the one to quote is bold."
            + ("" if aim is None else " The dashed line is the target."),
        )
        blocks: list[Block] = [figure, self.table]
        if self.reasons:
            blocks += [Heading("Which one to quote, and why"), Prose(self.reasons)]
        if self.findings:
            misleads: Block = finding_cards(self.findings)
        else:
            misleads = Prose(
                ["Nothing was found that makes these numbers say less, or something else, than they seem to."]
            )
        said = [
            note if len(of) == len(self.measured) > 1 else f"{listed(of, len(of))}: {note}"
            for note, of in self._notes().items()
        ]
        blocks += [Heading("When the number misleads"), misleads, *notes(said)]
        return Document("Coefficients", [Section("coefficients", "Coefficients", self._takeaway, blocks)])

    @property
    def table(self) -> Table:
        """Every coefficient with its interval, the one to quote marked."""
        return rounded_table(self.measured, quote=self.quote)

    def misleading(self, *, besides: Collection[str]) -> list[Block]:
        """Return the findings but for those whose keys are told elsewhere."""
        found = [one for one in self.findings if one.key not in besides]
        return [finding_cards(found)] if found else []

    def _notes(self) -> dict[str, list[str]]:
        """Return every note once, with the coefficients that it is about."""
        found: dict[str, list[str]] = {}
        for one in self.measured:
            for note in one.notes:
                found.setdefault(note, []).append(one.agreement.title)
        return found

    @property
    def _takeaway(self) -> str:
        agreement, sure = self.quoted.agreement, self.quoted.interval
        if math.isnan(agreement.value):
            return "No coefficient can be quoted: the findings below say why."
        warnings = sum(one.severity == "warning" for one in self.findings)
        but = f"; {counted(warnings, 'thing makes', 'things make')} it say less than it seems to" if warnings else ""
        ends = "" if math.isnan(sure.low) else f" ({level(sure.level)} interval {interval(sure.low, sure.high)})"
        return f"Quote {agreement.title}, {value(agreement.value, sure.low, sure.high)}{ends}{but}."


def _drawn(rows: Sequence[Row], target: float | None, width: int) -> Any | None:
    return intervals(rows, title="value", width=width, target=target)


def coefficients_section(context: ReportContext) -> CoefficientsSection:
    """Measure data of any kind with every coefficient that fits."""
    return CoefficientsSection(
        measured=context.measured,
        quote=context.choice.quote,
        reasons=context.choice.reasons,
        target=context.settings.target,
    )


def label_coefficients_section(context: ReportContext) -> CoefficientsSection:
    """Measure annotations with every coefficient that fits, and look for what makes them mislead."""
    settings = context.settings
    made = coefficients_section(context)
    found = findings(context.data, scale=settings.scale, seed=settings.seed, gaps=context.gaps)
    return replace(made, reasons=[*made.reasons, *_left_out(context)], findings=found)


def _left_out(context: ReportContext) -> list[str]:
    """Say which measures are not in the report though they fit."""
    data = context.data
    return [
        f"{find(name).title} is left out: its interval needs the share of each of {len(data.labels):,} labels by each of "
        f"{counted(data.n_annotators or 0, 'annotator')}, and would take longer than all the rest (`assent measure`, with `measure` {name})."
        for name in context.left_out
    ]


def value_cell(measured: Measured) -> Cell:
    """Return a coefficient with as many digits as its interval bears."""
    known, sure = measured.agreement.value, measured.interval
    return Cell(text=value(known, sure.low, sure.high), sort=plain(known))


def rounded_table(measured: Sequence[Measured], *, quote: str | None = None) -> Table:
    """Return coefficients with as many digits as their intervals bear; a table for a paper marks none and does not say how each interval was made.

    Parameters
    ----------
    quote : str, optional
        The measure to mark; a table for a paper has none.
    """

    def title(one: Measured) -> Cell:
        said, marked = one.agreement.title, one.agreement.measure == quote and not math.isnan(one.agreement.value)
        return words(said, term=said, mark="to quote" if marked else "")

    made = table_of(
        "coefficients",
        "All coefficients",
        measured,
        [
            (Column("coefficient", "words"), title),
            (Column("value", term="value"), value_cell),
            (
                Column(f"{level(measured[0].interval.level)} interval", term="interval"),
                lambda one: between(one.interval.low, one.interval.high),
            ),
            (
                Column("observed", meaning="Agreement as it is, chance included.", term="observed agreement"),
                lambda one: number(one.agreement.observed),
            ),
            (
                Column(
                    "expected",
                    meaning="Agreement that chance alone would give; a dash where a measure asks for none.",
                ),
                _expected,
            ),
            (
                Column("items", meaning="Items that count: those with two or more annotations."),
                lambda one: count(one.agreement.n_items),
            ),
            (
                Column("method", "words", "How the interval was made.", optional=True),
                lambda one: words(_method(one.interval)),
            )
            if quote is not None
            else None,
        ],
    )
    if quote is not None:
        return made
    return replace(made, quiet=True, columns=[replace(column, meaning="", term="") for column in made.columns])


def _expected(one: Measured) -> Cell:
    known = one.agreement
    # Kendall's W and rbo are not corrected for chance, and what chance gives stands beside them.
    told = known.chance_corrected or math.isnan(known.value) or known.expected
    return number(known.expected if told else None)


def _method(sure: Interval) -> str:
    if math.isnan(sure.low):
        return DASH
    kind = f" ({sure.kind})" if sure.kind else ""
    unit = "" if sure.unit == "items" else f" over {visible(sure.unit)}"
    return f"{sure.method}{kind}{unit}"
