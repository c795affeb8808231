"""What a report on rankings, preferences and best-worst choices holds."""

from __future__ import annotations

from assent.reports.kinds import SectionMaker, register_report
from assent.reports.sections.coefficients import coefficients_section
from assent.reports.sections.data import data_section
from assent.reports.sections.orders import order_annotators_section, order_items_section

__all__: list[str] = []

_SECTIONS = (
    SectionMaker(name="data", stage="", make=data_section),
    SectionMaker(name="coefficients", stage="Measuring agreement", make=coefficients_section),
    SectionMaker(name="annotators", stage="Comparing annotators", make=order_annotators_section),
    SectionMaker(name="items", stage="Looking for what is disputed", make=order_items_section),
)
for _kind in ("rankings", "preferences", "best-worst"):
    register_report(_kind, _SECTIONS)
