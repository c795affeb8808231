"""What annotators score against each other, and so what a model is compared with."""

from __future__ import annotations

from msgspec.structs import replace

from assent.analyses.ceiling import ceiling
from assent.analyses.ceiling.document import ceiling_blocks, takeaway
from assent.documents.blocks import notes
from assent.limits import SCORED_IN_REPORT
from assent.reports.context import ReportContext, attempt
from assent.reports.sections.answer import AnswerSection

__all__ = ["ceiling_section"]


def ceiling_section(context: ReportContext) -> AnswerSection | None:
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
    return AnswerSection(
        name="ceiling",
        title="The human ceiling for models",
        takeaway=takeaway(found),
        found=found,
        blocks=[*ceiling_blocks(found), *notes(() if found.of_numbers else found.notes)],
        elsewhere=("data",),
    )
