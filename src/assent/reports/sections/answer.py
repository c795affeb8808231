"""A result as a section of a report, in its own words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from assent.analyses.by_kind import answer
from assent.documents import Document, Result
from assent.documents.blocks import Block, Section
from assent.reports.context import ReportContext, attempt

__all__ = ["AnswerSection", "answer_section"]


class AnswerSection(Result, frozen=True, kw_only=True, eq=False):
    """A result as a section of a report.

    Parameters
    ----------
    elsewhere : tuple of str
        Keys of the result that stand elsewhere in the report.
    """

    name: str
    title: str
    takeaway: str
    found: Any
    blocks: Sequence[Block]
    elsewhere: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values, without what stands elsewhere."""
        return {name: value for name, value in self.found.to_dict().items() if name not in self.elsewhere}

    def document(self) -> Document:
        """Return the section of the report."""
        return Document(self.title, [Section(self.name, self.title, self.takeaway, self.blocks)])


def answer_section(
    context: ReportContext,
    question: str,
    title: str,
    figures: Callable[[Any, Any], Sequence[Block]] | None = None,
    **options: Any,
) -> AnswerSection | None:
    """Answer one of the usual questions about data of any kind; None if there is nothing to compare.

    Parameters
    ----------
    question : {"annotators", "items", "labels"}
    figures : callable, optional
        From the data and the answer to the charts that come before its tables.
    **options
        Of the answer.
    """
    found: Any = attempt(lambda: answer(question, context.data, **options))
    if found is None:
        return None
    drawn = () if figures is None else figures(context.data, found)
    return AnswerSection(
        name=question, title=title, takeaway=found.takeaway, found=found, blocks=[*drawn, *found.blocks()]
    )
