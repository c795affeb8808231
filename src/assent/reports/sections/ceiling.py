"""What annotators score against each other, and so what a model is compared with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from assent.analyses.ceiling import Ceiling, ceiling
from assent.analyses.ceiling.document import ceiling_blocks, takeaway
from assent.documents import Document, Result
from assent.documents.blocks import Section, notes
from assent.limits import SCORED_IN_REPORT
from assent.reports.context import ReportContext, attempt

__all__ = ["CeilingSection", "ceiling_section"]


@dataclass(frozen=True, kw_only=True, eq=False)
class CeilingSection(Result):
    """The human ceiling in a report."""

    found: Ceiling

    def to_dict(self) -> dict[str, Any]:
        """Return the section as plain values; what the data are stands elsewhere in the report."""
        return {name: value for name, value in self.found.to_dict().items() if name != "data"}

    def document(self) -> Document:
        """Return the section of the report."""
        blocks = [*ceiling_blocks(self.found), *notes(() if self.found.of_numbers else self.found.notes)]
        title = "The human ceiling for models"
        return Document(title, [Section("ceiling", title, takeaway(self.found), blocks)])


def ceiling_section(context: ReportContext) -> CeilingSection | None:
    """Return how annotators score against the others; None if no item has three annotations."""
    data = context.data
    # Of a crowd nobody is the ceiling, and who agrees with the consensus stands in the section on annotators.
    crowd = data.annotators is not None and len(data.annotators) > SCORED_IN_REPORT
    settings = context.settings
    scored = replace(data, annotators=None) if crowd else data
    found = attempt(lambda: ceiling(scored, scale=settings.scale, level=settings.level))
    if found is None:
        return None
    if crowd:
        alone = f"Of more than {SCORED_IN_REPORT} annotators none is scored alone."
        found = replace(found, notes=(*found.notes[:-1], alone))
    return CeilingSection(found=found)
