"""What a report on labels that a distance compares holds: nothing that compares them by name."""

from __future__ import annotations

from typing import Any

from assent.errors import NothingToCompare, OptionError
from assent.reports.anonymous import Names
from assent.reports.context import Settings, check_kept
from assent.reports.kinds import SectionMaker, register_report
from assent.reports.sections.baseline import baseline_section
from assent.reports.sections.data import data_section
from assent.reports.sections.distances import (
    distance_annotators_section,
    distance_coefficients_section,
    distance_items_section,
)

__all__: list[str] = []


def _prepared(data: Any, settings: Settings, names: Names | None) -> Any:
    """Refuse labels of which there is nothing to report, and what is not known of labels with a distance."""
    if settings.anonymise:
        raise OptionError(
            "An anonymous report does not show what annotators wrote, and labels with a `distance` are just that: leave out `anonymise`."
        )
    if settings.by is not None:
        raise OptionError(
            "A report with a `distance` compares no groups: leave out `by`, and see `assent compare` with the `distance`."
        )
    if data._counts.pairable_items == 0:
        raise NothingToCompare(data._nothing_to_compare())
    check_kept(data, settings.text, "text")
    return data


register_report(
    "distance-labels",
    (
        SectionMaker(name="data", stage="", make=data_section),
        SectionMaker(name="coefficients", stage="Measuring agreement", make=distance_coefficients_section),
        SectionMaker(name="baseline", stage="", make=baseline_section),
        SectionMaker(name="annotators", stage="Comparing annotators", make=distance_annotators_section),
        SectionMaker(name="items", stage="Looking for disputed items", make=distance_items_section),
    ),
    prepare=_prepared,
)
