"""Runs of one judge among the annotators: how far it repeats itself."""

from __future__ import annotations

from assent.data.judge_names import runs_by_name
from assent.documents.blocks import notes
from assent.reports.context import ReportContext, attempt
from assent.reports.sections.answer import AnswerSection

__all__ = ["repeats_section"]


def repeats_section(context: ReportContext) -> AnswerSection | None:
    """Return how far a judge repeats itself; None if no annotators are called like runs of one."""
    data = context.data
    if not runs_by_name(data.annotators or ()) or not data.local:
        return None
    # Few reports have repeats, and the others need not wait for it.
    from assent.analyses.repeat import repeat
    from assent.analyses.repeat.document import repeat_blocks, takeaway

    found = attempt(lambda: repeat(data, scale=context.settings.scale, level=context.settings.level))
    if found is None:
        return None
    return AnswerSection(
        name="repeats",
        title="Runs of one judge",
        takeaway=takeaway(found),
        found=found,
        blocks=[*repeat_blocks(found), *notes(found.notes)],
        elsewhere=("data",),
    )
