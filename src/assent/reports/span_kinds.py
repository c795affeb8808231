"""What a report on spans holds."""

from __future__ import annotations

from assent.reports.kinds import SectionMaker, register_report
from assent.reports.sections.baseline import baseline_section
from assent.reports.sections.coefficients import coefficients_section
from assent.reports.sections.data import data_section
from assent.reports.sections.spans import (
    span_annotators_section,
    span_differences_section,
    span_items_section,
    span_labels_section,
    span_verdict_section,
)

__all__: list[str] = []

register_report(
    "spans",
    (
        SectionMaker(name="data", stage="", make=data_section),
        SectionMaker(name="coefficients", stage="Measuring agreement", make=coefficients_section),
        SectionMaker(name="baseline", stage="", make=baseline_section),
        SectionMaker(name="differences", stage="Looking where they differ", make=span_differences_section),
        SectionMaker(name="labels", stage="Looking at the labels", make=span_labels_section),
        SectionMaker(name="annotators", stage="Comparing annotators", make=span_annotators_section),
        SectionMaker(name="items", stage="Looking for disputed documents", make=span_items_section),
    ),
    verdict=span_verdict_section,
)
