"""A report as one HTML file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assent.reports.charts import figures as figures_of
from assent.reports.page import advice, coefficients, data, groups, items, labels, special
from assent.reports.page.blocks import Block, Section
from assent.reports.page.pictures import Pictures
from assent.reports.page.wording import counted
from assent.text import number, visible

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["page_of"]

#: How a verdict stands to the target, in a few words beside the sentence.
STANDS = {
    "above": ("clears", "Clears the target of {}"),
    "unclear": ("", "May or may not reach the target of {}"),
    "below": ("short", "Falls short of the target of {}"),
    "undefined": ("short", "No value"),
}
#: Of more questions than this the charts are drawn once, which halves the time and the size.
FEW = 3
#: Sentences with more characters than this are set smaller.
LENGTHY = 180
#: Blanks in "95 %" and in "p < 0.01".
_SIGNS = re.compile(r"(?<=\d) (?=%)|(?<=\bp) (?=[<=])|(?<=\bp [<=]) (?=\d)")
#: Commands of this program, as sentences for the terminal name them.
_COMMAND = re.compile("`(assent [a-z]+)`")
#: What stands between the verdict and its causes, which are listed below the sentence.
_CAUSES = re.compile(r" (What pulls .*? down): ")


@dataclass(frozen=True)
class Verdict:
    """The first thing on the page."""

    sentence: str
    #: It is long, and so in smaller letters.
    lengthy: bool
    #: A heading for the causes.
    why: str
    causes: list[str]
    next: str
    tone: str
    stands: str
    picture: list[Block]


@dataclass(frozen=True)
class Chapter:
    """A report, or that on one question: the verdict, then the sections."""

    #: Before every id.
    prefix: str
    title: str
    summary: str
    verdict: Verdict
    sections: list[Section]
    #: What names mean, by name.
    terms: dict[str, str]

    @staticmethod
    def prose(text: str) -> Markup:
        """Return a sentence, escaped, in which a number and its sign stay on one line and our commands look like commands."""
        from markupsafe import Markup, escape

        safe = str(escape(_SIGNS.sub("\u00a0", text)))
        return Markup(_COMMAND.sub(r"<code>\1</code>", safe))


def page_of(report: Mapping[str, Any], figures: Mapping[str, Any] | None = None) -> str:
    """Return a report as a page: one file, nothing fetched, everything from the data escaped.

    Parameters
    ----------
    report : mapping
        What `Report.to_dict` gives.
    figures : mapping of str to chart, optional
        What `assent.reports.charts.figures` makes of it; made here unless given.

    Returns
    -------
    str
    """
    from assent.documents.pages import page

    charts = figures_of(report) if figures is None else figures
    asked = report["questions"] or ()
    chapters = [
        _chapter(one["report"], figures_of(one["report"]), f"q{place}-", one["name"], twice=len(asked) <= FEW)
        for place, one in enumerate(asked, 1)
    ]
    return page(
        "report.html",
        chapter=_chapter(report, charts, "", report["title"]),
        questions=chapters,
        made=report["made"],
        version=report["assent"],
    )


def _chapter(
    report: Mapping[str, Any], charts: Mapping[str, Any], prefix: str, title: str, *, twice: bool = True
) -> Chapter:
    draw = Pictures(report, charts, prefix, twice=twice)
    picture = groups.questions_picture(draw) if report["questions"] else _picture(report["verdict"], draw)
    return Chapter(
        prefix=prefix,
        title=visible(title),
        summary=_summary(report["data"]),
        verdict=_verdict(report["verdict"], picture),
        sections=_sections(report, draw, prefix),
        terms={one["name"]: one["text"] for one in report["appendix"]["definitions"]},
    )


def _sections(report: Mapping[str, Any], draw: Pictures, prefix: str) -> list[Section]:
    """Return all sections that have something to say, in their order."""
    if report["questions"]:
        made: list[Section | None] = [
            groups.questions_section(report),
            advice.reporting_section(report, prefix),
            advice.appendix_section(report, prefix),
        ]
    else:
        made = [
            data.data_section(report, draw),
            coefficients.coefficients_section(report, draw),
            labels.labels_section(report, draw),
            items.items_section(report, draw),
            groups.groups_section(report, draw),
            special.multilabel_section(report, draw),
            special.sparse_section(report, draw),
            advice.advice_section(report),
            advice.reporting_section(report, prefix),
            advice.appendix_section(report, prefix),
        ]
    return [one for one in made if one is not None]


def _verdict(part: Mapping[str, Any], picture: list[Block]) -> Verdict:
    tone, stands = STANDS.get(part["status"] or "", ("", ""))
    sentence, *told = _CAUSES.split(part["sentence"], maxsplit=1)
    # Of several questions the sentence says how many stand where.
    known = "question" not in part and (part["target"] is not None or part["status"] == "undefined")
    return Verdict(
        sentence=sentence,
        lengthy=len(sentence) > LENGTHY,
        why=told[0] if told else "",
        causes=list(part["causes"]) if told else [],
        next=part["next"],
        tone=tone if known else "",
        stands=stands.format(number(part["target"])) if known else "",
        picture=picture,
    )


def _picture(part: Mapping[str, Any], draw: Pictures) -> list[Block]:
    title = f"{part['title']} {number(part['value'])} on a line from −0.1 to 1"
    if part["low"] is not None:
        title += f", interval {number(part['low'])} to {number(part['high'])}"
    if part["target"] is not None:
        title += f", target {number(part['target'])}"
    sure = "" if part["low"] is None else f" with its {100 * part['level']:g} % interval"
    caption = (
        f"{part['title']}{sure}. Words after {part['scale']}: conventions, not "
        "thresholds. Dashed lines are what kinds of tasks commonly ask for."
    )
    return draw("verdict", f"{title}.", caption)


def _summary(part: Mapping[str, Any] | None) -> str:
    """Say how much data there are."""
    if not part:
        return ""
    who = "" if not part["annotators"] else f"{counted(part['annotators'], 'annotator')}, "
    return f"{counted(part['items'], 'item')}, {who}{counted(part['annotations'], 'annotation')}"
