r"""A document as LaTeX, to be read into one that loads amsmath, booktabs and longtable; whatever comes from the data is escaped."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from assent.documents.blocks import Cell, Code, Document, Formulas, Table
from assent.documents.cut import cell_text, fitted, lines, meanings
from assent.documents.tex_letters import beyond, known, spelled
from assent.documents.walk import Markup
from assent.limits import LATEX, WHOLE
from assent.text import for_latex, visible

__all__ = ["render", "table_float"]

#: A formula with more characters takes a line for each sign.
LINE = 100
_LEVELS = ("section", "subsection", "subsubsection", "paragraph", "subparagraph")


def render(document: Document) -> str:
    """Return a document as LaTeX."""
    head = "% Needs \\usepackage{amsmath}, \\usepackage{booktabs} and \\usepackage{longtable}."
    text = spelled("\n\n".join(filter(None, _Latex().pieces([document], 0))))
    if any(not c.isascii() for c in text):
        head += "\n% For pdfLaTeX also \\usepackage[T1]{fontenc}."
    other = beyond(text)
    if other:
        which = f"U+{ord(other):04X} {unicodedata.name(other, '')}".strip()
        head += (
            f"\n% It has characters that pdfLaTeX does not know, such as {which}: compile it with XeLaTeX or LuaLaTeX,"
        )
        head += "\n% and a font that has them (\\usepackage{fontspec}\\setmainfont{...})."
    return f"{head}\n\n{text}\n"


def table_float(table: Table, caption: str, label: str = "tab:agreement") -> str:
    """Return a table as a float with a caption, for a document that loads booktabs."""
    writer, table = _Latex(), fitted(table, LATEX)
    grid = [r"\toprule", writer.head(table), r"\midrule", *writer.rows(table), r"\bottomrule"]
    lines = "\n".join(
        [
            r"\begin{table}",
            r"  \centering",
            rf"  \caption{{{writer.said(caption)}}}",
            rf"  \label{{{label}}}",
            rf"  \begin{{tabular}}{{{_alignment(table)}}}",
            *(f"    {line}" for line in grid),
            r"  \end{tabular}",
            r"\end{table}",
            "",
        ]
    )
    return spelled(lines)


def _alignment(table: Table) -> str:
    return "".join("r" if column.holds == "number" else "l" for column in table.columns)


class _Latex(Markup):
    surface = LATEX

    def said(self, text: str) -> str:
        return for_latex(text, WHOLE, sentence=True)

    def data(self, text: str) -> str:
        return for_latex(text, LATEX.cell)

    def whole(self, text: str) -> str:
        return for_latex(text, WHOLE)

    def title(self, text: str, depth: int) -> Iterator[str]:
        yield rf"\{_LEVELS[min(depth, len(_LEVELS) - 1)]}*{{{for_latex(text, WHOLE)}}}"

    def bold(self, text: str) -> str:
        return rf"\textbf{{{text}}}" if text else ""

    def listed(self, items: Sequence[str], *, ordered: bool = False) -> str:
        # A list without items would be an error.
        if not items:
            return ""
        kind, inside = "enumerate" if ordered else "itemize", "\n".join(rf"  \item {{}}{one}" for one in items)
        return f"\\begin{{{kind}}}\n{inside}\n\\end{{{kind}}}"

    def verbatim(self, block: Code) -> str:
        # As it is, unless it would end the environment it stands in.
        shown = [visible(line.replace("\t", "    ")) for line in lines(block.text)]
        if all(known(line) and r"\end{verbatim}" not in line for line in shown):
            return "\n".join([r"\begin{verbatim}", *shown, r"\end{verbatim}"])
        return "\n\n".join(rf"\noindent\texttt{{{self._indented(line)}}}" for line in shown)

    def _indented(self, line: str) -> str:
        inner = line.lstrip(" ")
        return "~" * (len(line) - len(inner)) + self.said(inner)

    def formulas(self, block: Formulas, depth: int) -> Iterator[str]:
        # Below each other, aligned at their first sign; a long one takes a line for each sign.
        made = []
        for formula in block.formulas:
            left, *links = formula.latex
            if len(formula.text) <= LINE:
                made.append(f"{left} &{' '.join(links)}")
            else:
                made += [f"{left if i == 0 else ''} &{link}".strip() for i, link in enumerate(links or [""])]
        # A blank line inside align* would be an error, so the lines are joined without one.
        yield "\\begin{align*}\n" + " \\\\\n".join(made) + "\n\\end{align*}" if made else ""

    def table(self, block: Table, depth: int) -> Iterator[str]:
        # It may break over pages.
        if block.caption and not block.quiet:
            yield self.said(block.caption)
        block = fitted(block, LATEX)
        head = [r"\toprule", self.head(block), r"\midrule", r"\endhead", r"\bottomrule", r"\endfoot"]
        yield "\n".join([rf"\begin{{longtable}}{{{_alignment(block)}}}", *head, *self.rows(block), r"\end{longtable}"])
        yield self.said(block.more)
        yield self.defined(meanings(block))

    def head(self, table: Table) -> str:
        return " & ".join(self.data(column.title) for column in table.columns) + r" \\"

    def rows(self, table: Table) -> list[str]:
        made = [" & ".join(map(self._cell, row)) + r" \\" for row in table.rows]
        if table.total and len(made) > 1:
            made.insert(len(made) - 1, r"\midrule")
        return made

    def _cell(self, cell: Cell) -> str:
        return self.line(self.data(cell_text(cell, LATEX)), strong=bool(cell.tone))
