"""Sections of a report on labels that a distance compares."""

from __future__ import annotations

import math

from msgspec.structs import replace

from assent.limits import DISPUTED_ITEMS
from assent.reports.context import ReportContext
from assent.reports.sections.answer import AnswerSection, answer_section
from assent.reports.sections.coefficients import CoefficientsSection, coefficients_section
from assent.text import percent, value

__all__ = ["distance_annotators_section", "distance_coefficients_section", "distance_items_section"]


def distance_coefficients_section(context: ReportContext) -> CoefficientsSection:
    """Measure alpha with the distance, and say sigma and KS beside it."""
    made = coefficients_section(context)
    found = context.quoted.agreement.details
    if math.isnan(found["sigma"]):
        return made
    beside = f"Quote sigma and KS beside it, which stay the same when the distance is stretched: sigma {percent(found['sigma'])}, KS {value(found['ks'])}."
    return replace(made, reasons=[*made.reasons, beside])


def distance_annotators_section(context: ReportContext) -> AnswerSection | None:
    """Return how far each annotator is from the others; None if it is not known who annotated."""
    if len(context.data.annotators or ()) < 2:
        return None
    return answer_section(context, "annotators", "Annotators", level=context.settings.level)


def distance_items_section(context: ReportContext) -> AnswerSection | None:
    """Return the items whose annotations are farthest apart, with what was given to them and by whom."""
    text = context.settings.text
    return answer_section(
        context, "items", "What is disputed", text=text, top=DISPUTED_ITEMS, min_annotations=2, who=True
    )
