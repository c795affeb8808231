"""How to report it: sentences, tables and references for a paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import asdict

from assent._version import __version__
from assent.analyses.labels.document import matrix_blocks
from assent.analyses.published import PUBLISHED, Published
from assent.analyses.thresholds import BENCHMARKS
from assent.documents import Document, Result, latex, markdown
from assent.documents.blocks import Block, Code, Column, Heading, Prose, Section, Table, number, table_of, words
from assent.measures import find
from assent.reports.bibtex import bibtex
from assent.reports.sections.answer import AnswerSection
from assent.reports.sections.coefficients import CoefficientsSection, rounded_table
from assent.reports.sections.data import DataSection
from assent.reports.sections.labels import LabelsSection
from assent.reports.sections.verdict import VerdictSection
from assent.reports.wording import limitations, methods, results
from assent.text import counted, shown

__all__ = ["ReportingSection", "reporting_of_questions", "reporting_section"]

#: The work that set a scale of words.
_SCALES = {
    BENCHMARKS["landis-koch"].source: "landis1977",
    BENCHMARKS["krippendorff"].source: "krippendorff2004",
    BENCHMARKS["cicchetti"].source: "cicchetti1994",
    BENCHMARKS["mcbride"].source: "mcbride2005",
}
#: More labels than this make no table for a paper.
MATRIX_IN_PAPER = 12
#: Works behind what a section does.
_BEHIND = {"sparse": "norregaard2022", "groups": "holm1979", "annotators": "benjamini1995"}


class ReportingSection(Result, frozen=True, kw_only=True):
    """Texts to paste.

    Parameters
    ----------
    table : Table
        The coefficients.
    caption : str
        Of that table.
    works : sequence of str
        Keys of the works to cite.
    plain : str, optional
        All sentences; in their order if not given.
    matrix : Table, optional
        Labels against labels.
    published : sequence of Published
        What others reached by the same coefficients; on other kinds of data it is nothing to be named beside one's own.
    """

    methods: str
    results: str
    limitations: str
    table: Table
    caption: str
    works: Sequence[str]
    plain: str = ""
    matrix: Table | None = None
    published: Sequence[Published] = ()

    @property
    def latex_matrix(self) -> str | None:
        """Which labels are given for which, for LaTeX with booktabs; None if that is not shown."""
        return None if self.matrix is None else latex.table_float(self.matrix, f"{self.matrix.caption}.", "tab:labels")

    @property
    def markdown_matrix(self) -> str | None:
        """Which labels are given for which, in Markdown; None if that is not shown."""
        return None if self.matrix is None else markdown.table(self.matrix) + "\n"

    @property
    def latex_table(self) -> str:
        """The table for LaTeX with booktabs."""
        return latex.table_float(self.table, self.caption)

    @property
    def markdown_table(self) -> str:
        """The table in Markdown."""
        return markdown.table(self.table) + "\n"

    @property
    def bibtex(self) -> str:
        """The references."""
        return bibtex(self.works, version=__version__)

    def to_dict(self) -> dict[str, Any]:
        """Return the texts by name."""
        return {
            "methods": self.methods,
            "results": self.results,
            "limitations": self.limitations,
            "latex_table": self.latex_table,
            "markdown_table": self.markdown_table,
            "latex_matrix": self.latex_matrix,
            "markdown_matrix": self.markdown_matrix,
            "published": [asdict(one) for one in PUBLISHED],
            "bibtex": self.bibtex,
            "plain": self.plain or " ".join([self.methods, self.results, self.limitations]),
        }

    def document(self) -> Document:
        """Return the texts, each to be copied."""
        texts = [
            Code("methods", "Methods", self.methods, code=False),
            Code("results", "Results", self.results, code=False),
            Code("limitations", "Limitations", self.limitations, code=False),
            Code("latex-table", "Table in LaTeX (booktabs)", self.latex_table, language="latex"),
            Code("markdown-table", "Table in Markdown", self.markdown_table, language="markdown"),
            *self._matrices(),
            Code("bibtex", "References in BibTeX", self.bibtex, language="bibtex"),
        ]
        takeaway = (
            "Ready to paste: everything that a reviewer asks for. Add what only you know, such as who the annotators were and how "
            "they were trained."
        )
        blocks: list[Block] = [*texts]
        if self.published:
            blocks += [Heading("Agreement that others published"), Prose([_COMPARED]), _published(self.published)]
        return Document("How to report it", [Section("reporting", "How to report it", takeaway, blocks)])

    def _matrices(self) -> list[Code]:
        """Return the matrix of labels in LaTeX and in Markdown, if there is one."""
        if self.latex_matrix is None or self.markdown_matrix is None:
            return []
        return [
            Code("latex-matrix", "Labels against labels in LaTeX (booktabs)", self.latex_matrix, language="latex"),
            Code("markdown-matrix", "Labels against labels in Markdown", self.markdown_matrix, language="markdown"),
        ]


_COMPARED = "A few figures with their sources, to be named beside your own. They are no targets: tasks, labels, their shares and coefficients differ."


def _published(known: Sequence[Published]) -> Table:
    return table_of(
        "published",
        "Agreement that others published",
        known,
        [
            (Column("task", "words"), lambda one: words(one.task)),
            (Column("annotators and items", "words"), lambda one: words(one.setting)),
            (Column("coefficient", "words"), lambda one: words(one.title)),
            (Column("value"), lambda one: number(one.value)),
            (Column("source", "words"), lambda one: words(one.source)),
        ],
        quiet=True,
    )


def _matrix(sections: Mapping[str, Result | None]) -> Table | None:
    """Return the matrix of labels of a report, if it fits into a paper."""
    found = sections.get("labels")
    matrix = found.matrix if isinstance(found, LabelsSection) else None
    if matrix is None or not 2 <= len(matrix.labels) <= MATRIX_IN_PAPER:
        return None
    return next((block for block in matrix_blocks(matrix) if isinstance(block, Table)), None)


def reporting_section(
    data: DataSection,
    coefficients: CoefficientsSection,
    verdict: VerdictSection,
    sections: Mapping[str, Result | None],
    *,
    seed: int,
) -> ReportingSection:
    """Put a report into the sentences and the table of a paper."""
    titles = {find(one.agreement.measure).title for one in coefficients.measured}
    return ReportingSection(
        methods=methods(data, verdict.quoted, seed=seed),
        results=results(coefficients, verdict),
        limitations=limitations(data, coefficients, verdict),
        table=rounded_table(coefficients.measured),
        caption=f"Inter-annotator agreement of {data.who} on {data.what} ({counted(data.n_annotations, data.nouns[1])}).",
        works=_works(coefficients, verdict, sections),
        matrix=_matrix(sections),
        published=[one for one in PUBLISHED if one.title in titles],
    )


def reporting_of_questions(parts: Mapping[str, ReportingSection], table: Table, caption: str) -> ReportingSection:
    """Return what each question says, and one table of all."""

    def said(which: str) -> str:
        return "\n".join(f"{shown(name)}: {one.to_dict()[which]}" for name, one in parts.items())

    return ReportingSection(
        methods=said("methods"),
        results=said("results"),
        limitations=said("limitations"),
        plain=said("plain"),
        table=table,
        caption=caption,
        works=[key for one in parts.values() for key in one.works],
    )


def _works(
    coefficients: CoefficientsSection, verdict: VerdictSection, sections: Mapping[str, Result | None]
) -> list[str]:
    """List the works that define what was measured, how it was judged and how sure it is."""
    keys = [key for one in coefficients.measured for key in find(one.agreement.measure).references]
    if verdict.value is None or verdict.word is not None:
        keys.append(_SCALES[verdict.benchmark.source])
    if any(one.interval.method == "bootstrap" for one in coefficients.measured):
        keys.append("efron1987")
    if any(one.interval.method == "etel" for one in coefficients.measured):
        keys += ["efron1981", "diciccio1990", "agresti1998"]
    keys += [key for name, key in _BEHIND.items() if not isinstance(sections.get(name), AnswerSection | None)]
    return [*keys, *(["holm1979"] if any(one.tested for one in coefficients.findings) else [])]
