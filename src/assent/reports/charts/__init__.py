"""The charts of a report, by name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assent.reports.charts import sections
from assent.reports.charts.parts import NARROW, WIDE

if TYPE_CHECKING:
    import altair

__all__ = ["DRAWINGS", "NARROW", "WIDE", "Drawing", "drawings", "figures"]


@dataclass(frozen=True)
class Drawing:
    """One chart of a report.

    Parameters
    ----------
    name : str
        By which the page and the files know it.
    make : function of a report and a width
        Returns the chart, or None if there is nothing to draw.
    twice : bool
        It is drawn anew for a phone; else it keeps its size and can be scrolled.
    """

    name: str
    make: Callable[[Mapping[str, Any], int], Any | None]
    twice: bool = True


#: Every chart, in the order of the page.
DRAWINGS = (
    Drawing("verdict", sections.verdict),
    Drawing("questions", sections.questions),
    Drawing("groups", sections.groups),
    Drawing("group-differences", sections.differences),
    Drawing("annotations-per-item", sections.annotations_per_item),
    Drawing("coverage", sections.coverage),
    Drawing("label-shares", sections.label_shares),
    Drawing("labels-by-annotator", sections.labels_by_annotator, twice=False),
    Drawing("coefficients", sections.coefficients),
    Drawing("confusions", sections.confusions, twice=False),
    Drawing("labels", sections.labels),
    Drawing("items", sections.items),
    Drawing("sweep", sections.sweep),
    Drawing("sweep-classes", sections.sweep_classes),
    Drawing("schemes", sections.schemes),
)


def figures(report: Mapping[str, Any]) -> dict[str, altair.TopLevelMixin]:
    """Return every chart of a report by a name that is fit for a file.

    Parameters
    ----------
    report : mapping
        What `Report.to_dict` gives. Charts of its questions are named after them, as in ``question-1-tone-verdict``.
    """
    made = {one.name: chart for one in drawings(report) if (chart := one.make(report, WIDE)) is not None}
    for place, question in enumerate(report["questions"] or (), 1):
        prefix = "-".join(["question", str(place), *filter(None, [_slug(question["name"])])])
        made |= {f"{prefix}-{name}": chart for name, chart in figures(question["report"]).items()}
    return made


def drawings(report: Mapping[str, Any]) -> tuple[Drawing, ...]:
    """Return what can be drawn of a report: one on several questions has its overview alone."""
    return tuple(one for one in DRAWINGS if bool(report["questions"]) is (one.name == "questions"))


def _slug(text: str) -> str:
    """Return what of a text can stand in the name of a file anywhere.

    Examples
    --------
    >>> _slug("../Ton & Höflichkeit?")
    'ton-hoflichkeit'
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub("[^a-z0-9]+", "-", plain)[:30].strip("-")
