"""Runs of one judge among the annotators: how far it repeats itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assent.data.judge_names import runs_by_name
from assent.documents import Document, Result
from assent.documents.blocks import Section, notes
from assent.reports.context import ReportContext, attempt

if TYPE_CHECKING:
    from assent.analyses.repeat import Repeatability

__all__ = ["RepeatsSection", "repeats_section"]


@dataclass(frozen=True, kw_only=True, eq=False)
class RepeatsSection(Result):
    """Repeats in a report."""

    found: Repeatability

    def to_dict(self) -> dict[str, Any]:
        """Return the section as plain values; what the data are stands elsewhere in the report."""
        return {name: value for name, value in self.found.to_dict().items() if name != "data"}

    def document(self) -> Document:
        """Return the section of the report."""
        from assent.analyses.repeat.document import repeat_blocks, takeaway

        title = "Runs of one judge"
        told = takeaway(self.found)
        blocks = [*repeat_blocks(self.found), *notes(self.found.notes)]
        return Document(title, [Section("repeats", title, told, blocks)])


def repeats_section(context: ReportContext) -> RepeatsSection | None:
    """Return how far a judge repeats itself; None if no annotators are called like runs of one."""
    data = context.data
    if not runs_by_name(data.annotators or ()) or not data.local:
        return None
    # Few reports have repeats, and the others need not wait for it.
    from assent.analyses.repeat import repeat

    found = attempt(lambda: repeat(data, scale=context.settings.scale, level=context.settings.level))
    return None if found is None else RepeatsSection(found=found)
