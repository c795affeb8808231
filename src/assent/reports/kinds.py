"""What a report on each kind of data holds: a list of sections that the kind owns.

A kind without a list of its own gets the general one: the data, the coefficients, and the verdict on them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from assent.analyses.items import ItemAgreement
from assent.data import Dataset
from assent.data.dataset import kind_in_words
from assent.documents import Result
from assent.errors import OptionError
from assent.records import Struct
from assent.reports.anonymous import Names
from assent.reports.context import ReportContext, Settings
from assent.reports.sections.baseline import baseline_section
from assent.reports.sections.coefficients import coefficients_section
from assent.reports.sections.data import data_section
from assent.reports.sections.verdict import VerdictSection, verdict_section

__all__ = ["KINDS", "ReportKind", "SectionMaker", "kind_of", "register_report"]


class SectionMaker(Struct, frozen=True, kw_only=True):
    """One section of a report.

    Parameters
    ----------
    name : str
        Its key in the JSON.
    stage : str
        What is under way while it is made, for a progress bar; empty for what belongs to the stage before.
    make : callable
        From the context to the section, or to None where there is none.
    within : str
        Name of the section whose blocks these follow, under a heading; empty if it stands by itself.
    """

    name: str
    stage: str
    make: Callable[[ReportContext], Result | None]
    within: str = ""


def _unchanged(data: Any, settings: Settings, names: Names | None) -> Any:
    """Take data as they are, and refuse what only some kinds of data can do."""
    asked = {"anonymise": settings.anonymise, "text": settings.text is not None, "by": settings.by is not None}
    refused = next((option for option, given in asked.items() if given), None)
    if refused is not None:
        raise OptionError(f"A report on {kind_in_words(data.kind)} does not take the option {refused}: leave it out.")
    return data


class ReportKind(Struct, frozen=True, kw_only=True):
    """How data of a kind are reported on.

    Parameters
    ----------
    sections : sequence of SectionMaker
        In the order of the page.
    verdict : callable
        From the context, with all sections, to the verdict.
    prepare : callable
        From data, settings and the names of an anonymous report to the data that are reported on; it refuses what cannot be.
    every_item : callable, optional
        From data and settings to how far annotators agree on each item, which is written beside the report if that is asked for.
    shares_names : bool
        In an anonymous report on several questions, annotators and items have the same new names in all of them.
    """

    sections: Sequence[SectionMaker]
    verdict: Callable[[ReportContext], VerdictSection] = verdict_section
    prepare: Callable[[Any, Settings, Names | None], Any] = _unchanged
    every_item: Callable[[Any, Settings], ItemAgreement] | None = None
    shares_names: bool = False

    @property
    def stages(self) -> int:
        """How many stages there are to tell of: one for each section that names one, one before and one after."""
        return sum(bool(one.stage) for one in self.sections) + 2


#: Modules with the lists of our own kinds of data.
_LISTED_IN = {
    "labels": "label_kinds",
    "label-sets": "label_kinds",
    "distance-labels": "distance_kinds",
    "spans": "span_kinds",
    "rankings": "order_kinds",
    "preferences": "order_kinds",
    "best-worst": "order_kinds",
}
#: By the kind of data.
KINDS: dict[str, ReportKind] = {}
GENERAL = ReportKind(
    sections=(
        SectionMaker(name="data", stage="", make=data_section),
        SectionMaker(name="coefficients", stage="Measuring agreement", make=coefficients_section),
        SectionMaker(name="baseline", stage="", make=baseline_section),
    )
)


def register_report(kind: str, sections: Sequence[SectionMaker], **parts: Any) -> None:
    """Say what a report on a kind of data holds; the other parameters are those of `ReportKind`."""
    KINDS[kind] = ReportKind(sections=tuple(sections), **parts)


def kind_of(data: Dataset) -> ReportKind:
    """Return what a report on some data holds."""
    for kind in data.kinds:
        # The lists of our own kinds are read when the first report on such data is made.
        if kind not in KINDS and kind in _LISTED_IN:
            import_module(f"assent.reports.{_LISTED_IN[kind]}")
        if kind in KINDS:
            return KINDS[kind]
    return GENERAL
