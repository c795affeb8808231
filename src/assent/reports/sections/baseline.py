"""The number to quote against that of an earlier report."""

from __future__ import annotations

from typing import Any

from assent.analyses.baseline import Against, against, read_baseline
from assent.documents import Document, Result
from assent.documents.blocks import Column, Section, between, coefficient, number, table_of, words
from assent.reports.context import ReportContext
from assent.reports.sections.judges import baseline_of_judges
from assent.text import level

__all__ = ["BaselineSection", "baseline_section"]


class BaselineSection(Result, frozen=True, kw_only=True, eq=False):
    """How the number to quote differs from that of an earlier result."""

    against: Against

    def to_dict(self) -> dict[str, Any]:
        """Return the section as plain values."""
        return {**self.against.to_dict(), "sentence": self.against.sentence}

    def document(self) -> Document:
        """Return the section of the report."""
        table = table_of(
            "baseline",
            "Now and then",
            [self.against],
            [
                (Column("measure", "words"), lambda one: words(one.title)),
                (Column("then"), lambda one: coefficient(one.baseline)),
                (Column("now"), lambda one: coefficient(one.value)),
                (Column("difference"), lambda one: number(one.difference, 3, signed=True)),
                (
                    Column(f"{level(self.against.level)} interval"),
                    lambda one: between(one.low, one.high, digits=3, signed=True),
                ),
            ],
        )
        title = "Against the baseline"
        return Document(title, [Section("baseline", title, self.against.sentence, [table])])


def baseline_section(context: ReportContext) -> BaselineSection | None:
    """Return how the number to quote differs from that of an earlier result; None if none was named."""
    path = context.settings.baseline
    if path is None:
        return None
    of, interval = context.quoted.agreement, context.quoted.interval
    earlier = read_baseline(path)
    if all(one.measure != of.measure for one in earlier) and baseline_of_judges(context) is not None:
        # The JSON of `assent judge` is about the judges, which are compared in their own section.
        return None
    return BaselineSection(
        against=against(
            earlier,
            path,
            measure=of.measure,
            title=of.title,
            value=of.value,
            interval=interval,
            options=of.options,
        )
    )
