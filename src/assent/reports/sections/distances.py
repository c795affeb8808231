"""Sections of a report on labels that a distance compares."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from assent.analyses.by_distance import DistantAnnotators, DistantItems
from assent.analyses.by_kind import answer
from assent.documents.blocks import notes
from assent.limits import DISPUTED_ITEMS
from assent.reports.context import ReportContext, attempt
from assent.reports.sections.coefficients import CoefficientsSection, coefficients_section
from assent.reports.sections.orders import OrderSection
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


def distance_annotators_section(context: ReportContext) -> OrderSection | None:
    """Return how far each annotator is from the others; None if it is not known who annotated."""
    data: Any = context.data
    if data.annotators is None or len(data.annotators) < 2:
        return None
    found = attempt(lambda: answer("annotators", data, level=context.settings.level))
    if not isinstance(found, DistantAnnotators):
        return None
    blocks = (found.table(), *notes(found.notes))
    return OrderSection(name="annotators", title="Annotators", takeaway=found.takeaway, found=found, blocks=blocks)


def distance_items_section(context: ReportContext) -> OrderSection | None:
    """Return the items whose annotations are farthest apart, with what was given to them and by whom."""
    data: Any = context.data
    found = attempt(
        lambda: answer("items", data, text=context.settings.text, top=DISPUTED_ITEMS, min_annotations=2, who=True)
    )
    if not isinstance(found, DistantItems):
        return None
    blocks = (found.table(), *notes(found.notes))
    return OrderSection(name="items", title="What is disputed", takeaway=found.takeaway, found=found, blocks=blocks)
