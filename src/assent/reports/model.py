"""The report: one object that is plain values, a document, files, and a page in a notebook."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import field
from msgspec.structs import replace

from assent._version import __version__
from assent.documents import Document, Result
from assent.documents.blocks import Block, Heading, Headline, Prose, Section, notes
from assent.records import cached_property
from assent.reports.context import Settings
from assent.reports.sections.advice import AdviceSection
from assent.reports.sections.answer import AnswerSection
from assent.reports.sections.appendix import AppendixSection
from assent.reports.sections.coefficients import CoefficientsSection
from assent.reports.sections.data import DataSection
from assent.reports.sections.reporting import ReportingSection
from assent.reports.sections.verdict import VerdictSection
from assent.text import named

if TYPE_CHECKING:
    from assent.analyses.items.table import ItemAgreement
    from assent.documents.charts import Chart
    from assent.reports.questions import QuestionsVerdict

__all__ = ["Report"]

#: Names in the JSON, which every report has; a section that does not apply is None.
BEFORE = (
    "data",
    "coefficients",
    "labels",
    "annotators",
    "items",
    "multilabel",
    "sparse",
    "advice",
    "plan",
    "ceiling",
    "groups",
    "judges",
    "repeats",
    "baseline",
)
TITLE = "Agreement report"


class Report(Result, frozen=True, kw_only=True, eq=False, dict=True):
    """What is known of some annotations, in one object; made by `assent.report`.

    In a notebook it shows itself as a page. `save` writes HTML, Markdown, LaTeX or JSON, as the ending of the name says.

    Parameters
    ----------
    title : str
    made : str
        When, as an ISO date.
    kind : str
        single or multilabel, or what another kind of data is called.
    settings : Settings
        What was asked for.
    verdict : VerdictSection or QuestionsVerdict
    sections : mapping of str to Result or None
        By name, in the order of the page.
    within : mapping of str to str
        Sections that stand within another one, by name.
    reporting : ReportingSection
    appendix : AppendixSection
    questions : mapping of str to Report
        The report on each of several questions; empty if there is one.
    look : callable, optional
        Looks at every item when somebody asks for `items`; None for several questions.
    """

    title: str
    made: str
    kind: str
    settings: Settings
    verdict: VerdictSection | QuestionsVerdict
    sections: Mapping[str, Result | None]
    within: Mapping[str, str] = field(default_factory=dict)
    reporting: ReportingSection
    appendix: AppendixSection
    questions: Mapping[str, Report] = field(default_factory=dict)
    look: Callable[[], ItemAgreement] | None = None

    @cached_property
    def items(self) -> ItemAgreement | None:
        """Every item, for a table beside the report; None for several questions.

        Raises
        ------
        UnsuitableData
            If the data live in an engine such as DuckDB, which can write their items itself.
        """
        return None if self.look is None else self.look()

    @property
    def verdicts(self) -> dict[str, VerdictSection]:
        """The verdict on each question by its name, which is empty if there is one."""
        if isinstance(self.verdict, VerdictSection):
            return {"": self.verdict}
        return dict(self.verdict.verdicts)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values."""
        plain = {name: None if one is None else one.to_dict() for name, one in self.sections.items()}
        others = {name: one for name, one in plain.items() if name not in (*BEFORE, "questions")}
        return {
            "assent": __version__,
            "title": self.title,
            "made": self.made,
            "kind": self.kind,
            "verdict": self.verdict.to_dict(),
            **{name: plain.get(name, [] if name == "advice" else None) for name in BEFORE},
            **others,
            "questions": [
                {"name": name, "verdict": one.verdict.to_dict(), "report": one.to_dict()}
                for name, one in self.questions.items()
            ]
            or None,
            "how_to_report": self.reporting.to_dict(),
            "appendix": self.appendix.to_dict(),
        }

    def document(self) -> Document:
        """Return the verdict, every section, a chapter for each of several questions, how to report it, and the appendix."""
        chapters = [
            one._document(name=f"q{place}-", title=name) for place, (name, one) in enumerate(self.questions.items(), 1)
        ]
        return self._document(name="", title=self.title, chapters=chapters)

    def brief(self) -> Document:
        """Return the verdict, the coefficients, judges beside people, what to do and how the data were read: each thing once, without the rest."""
        headline: Headline = self.verdict.headline
        data, coefficients, advice, questions = map(self.sections.get, ("data", "coefficients", "advice", "questions"))
        judges = self.sections.get("judges")
        causes = advice.advice if isinstance(advice, AdviceSection) else ()
        parts: dict[str, list[Block]] = {}
        if isinstance(coefficients, CoefficientsSection):
            parts["Coefficients"] = [replace(coefficients.table, quiet=True)]
            parts["When the number misleads"] = coefficients.misleading(besides={one.key for one in causes})
        if isinstance(judges, AnswerSection):
            parts[judges.title] = [Prose([judges.takeaway])]
        if isinstance(advice, AdviceSection):
            parts["What to do"] = advice.brief(told=headline.next)
        parts["How it was read"] = notes(self._reading())
        return Document(
            self.title,
            [
                headline,
                *([] if questions is None else _untold(questions.document().blocks)),
                *(Section("", title, blocks=blocks) for title, blocks in parts.items() if blocks),
            ],
            summary=data.summary if isinstance(data, DataSection) else "",
            terms=self.appendix.definitions,
        )

    def _reading(self) -> list[str]:
        """Say how the data were read and what was left out; what is not true of every question names those it is about."""
        reports = self.questions or {"": self}
        said: dict[str, list[str]] = {}
        for name, one in reports.items():
            data = one.sections.get("data")
            for note in (*data.remarks, *data.losses) if isinstance(data, DataSection) else ():
                said.setdefault(note, []).append(name)
        return [note if len(of) == len(reports) else f"{named(of, len(of))}: {note}" for note, of in said.items()]

    def _document(self, *, name: str, title: str, chapters: list[Document] | None = None) -> Document:
        data = self.sections.get("data")
        return Document(
            title,
            [
                self.verdict.headline,
                *self._blocks(),
                *(chapters or ()),
                *self.reporting.document().blocks,
                *self.appendix.document().blocks,
            ],
            name=name,
            summary=data.summary if isinstance(data, DataSection) else "",
            label="" if name or title == TITLE else TITLE,
            terms=self.appendix.definitions,
            made=self.made,
        )

    def _blocks(self) -> list[Block]:
        """Return the sections in their order; one within another follows the other's blocks."""
        made: dict[str, list[Block]] = {}
        for name, one in self.sections.items():
            blocks = [] if one is None else list(one.document().blocks)
            host = made.get(self.within.get(name, ""), [])
            if host and isinstance(host[-1], Section):
                outer = host[-1]
                host[-1] = Section(outer.name, outer.title, outer.takeaway, [*outer.blocks, *_inner(blocks)])
            else:
                made[name] = blocks
        return [block for blocks in made.values() for block in blocks]

    def figures(self) -> dict[str, Chart]:
        """Return the charts of the report by name; those of a question begin with its number and name."""
        if not self.questions:
            return super().figures()
        from assent.documents.charts import WIDE

        figure = self.verdict.headline.figure
        drawn = None if figure is None else figure.draw(WIDE)
        made = {} if figure is None or drawn is None else {figure.name: drawn}
        for place, (name, one) in enumerate(self.questions.items(), 1):
            prefix = "-".join(["question", str(place), *filter(None, [_slug(name)])])
            made |= {f"{prefix}-{which}": chart for which, chart in one.figures().items()}
        return made

    def __str__(self) -> str:
        """Show the verdict and what to do next."""
        headline: Headline = self.verdict.headline
        return f"{headline.whole}\nNext: {headline.next}"


def _untold(blocks: Sequence[Block]) -> list[Block]:
    """Return sections without the sentence that introduces them."""
    return [replace(block, takeaway="") if isinstance(block, Section) else block for block in blocks]


def _inner(blocks: list[Block]) -> list[Block]:
    """Return what stands within another section, its title as a heading."""
    made: list[Block] = []
    for block in blocks:
        if isinstance(block, Section):
            told = [Prose([block.takeaway])] if block.takeaway else []
            made += [Heading(block.title), *told, *block.blocks]
        else:
            made.append(block)
    return made


def _slug(text: str) -> str:
    """Return what of a text can stand in the name of a file anywhere.

    Examples
    --------
    >>> _slug("../Ton & Höflichkeit?")
    'ton-hoflichkeit'
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub("[^a-z0-9]+", "-", plain)[:30].strip("-")
