r"""A document as LaTeX, to be read into one that loads amsmath, array, booktabs and longtable; whatever comes from the data is escaped."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from types import MappingProxyType

from assent.documents.blocks import Cell, Code, Column, Document, Formulas, Table
from assent.documents.cut import cell_text, fitted, lines, meanings
from assent.documents.tex_letters import beyond, known, spelled
from assent.documents.walk import Markup
from assent.limits import LATEX, WHOLE
from assent.text import for_latex, visible

__all__ = ["render", "table_float"]

#: A formula with more characters takes a line for each sign.
LINE = 100
#: Characters that fit beside each other on a page of the class article: of a table, of code, and of a table in smaller letters.
WIDTH, CODE_WIDTH = 66, 65
SMALLER = {"footnotesize": 80, "scriptsize": 92}
#: Characters between two columns, the same with smaller letters, and the fewest that a column of words is narrowed to.
GAP, SMALL_GAP, NARROWEST = 2.5, 1.5, 10
#: A file that is compiled as it is begins and ends so; read into a document, in which sections are known, it does neither.
_BEGIN = r"""\ifx\section\undefined
\documentclass{article}
\ifx\pdftexversion\undefined\usepackage{fontspec}\else\usepackage[T1]{fontenc}\fi
\usepackage{amsmath}\usepackage{array}\usepackage{booktabs}\usepackage{longtable}
\tracinglostchars=3 % A letter that the font does not have is an error; it would be left out, and only the log would say so.
\gdef\AssentEnd{\end{document}}
\begin{document}
\else\gdef\AssentEnd{}\fi
"""
_LEVELS = ("section", "subsection", "subsubsection", "paragraph", "subparagraph")


def render(document: Document) -> str:
    """Return a document as LaTeX."""
    head = "% Needs \\usepackage{amsmath}, \\usepackage{array}, \\usepackage{booktabs} and \\usepackage{longtable}."
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


def render_file(document: Document) -> str:
    r"""Return a document as a file of LaTeX that is compiled as it is, or read by ``\\input`` into another."""
    head, blank, body = render(document).partition("\n\n")
    return f"% Compile it as it is, or \\input it.\n{head}\n{_BEGIN}{blank}{body}\n\\AssentEnd\n"


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


def _alignment(table: Table, shares: Mapping[int, float] = MappingProxyType({})) -> str:
    """Return the specification of the columns, some of which take a share of the line and break their own."""
    plain = ["r" if column.holds == "number" else "l" for column in table.columns]
    for place, share in shares.items():
        plain[place] = rf">{{\raggedright\arraybackslash}}p{{{share:.2f}\linewidth}}"
    return "".join(plain)


def _lengths(table: Table) -> list[int]:
    """Return how many characters the longest cell of each column has, its title aside."""
    cells = [[len(cell_text(cell, LATEX)) for cell in row] for row in table.rows]
    return [max(column, default=0) for column in zip(*cells, strict=True)] or [0] * len(table.columns)


def _narrowed(table: Table) -> tuple[str, dict[int, float]] | None:
    """Return the size of letters and the columns that break lines, so that a table fits a page; None if it fits as it is."""
    titles = [column.title for column in table.columns]
    cells = [min(one, LATEX.cell) for one in _lengths(table)]
    if sum(map(max, cells, map(len, titles))) + GAP * len(titles) <= WIDTH:
        return None
    # Titles are stacked, so their longest word counts.
    widths = [max(one, *map(len, title.split() or [""])) for one, title in zip(cells, titles, strict=True)]
    words = [i for i, column in enumerate(table.columns) if column.holds != "number"]
    narrowed: set[int] = set()
    for size, room in SMALLER.items():
        while (much := sum(widths) + SMALL_GAP * len(widths) - room) > 0:
            widest = max(words, key=widths.__getitem__, default=None)
            if widest is None or widths[widest] <= NARROWEST:
                break
            widths[widest] -= 1
            narrowed.add(widest)
        if much <= 0 or size == "scriptsize":
            return size, {place: widths[place] / room for place in narrowed}
    return None


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
        if all(known(line) and r"\end{verbatim}" not in line and len(line) <= CODE_WIDTH for line in shown):
            return "\n".join([r"\begin{verbatim}", *shown, r"\end{verbatim}"])
        # A line that is too long is broken at a space, and goes on further in.
        begin = r"\noindent\hangindent=3em\hangafter=1 "
        written = "\n\n".join(rf"{begin}\texttt{{{self._indented(line)}}}" for line in shown)
        return f"{{\\raggedright\\footnotesize\n{written}\n\n}}"

    def _indented(self, line: str) -> str:
        inner = line.lstrip(" ")
        # A letter of a typewriter is 0.525 em wide.
        indent = rf"\hspace*{{{0.525 * (len(line) - len(inner)):.2f}em}}" if inner != line else ""
        return indent + self.said(inner)

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
        narrowed = _narrowed(block)
        titles = self.head(block, stacked=narrowed is not None)
        head = [r"\toprule", titles, r"\midrule", r"\endhead", r"\bottomrule", r"\endfoot"]
        size, shares = narrowed or ("", {})
        table = "\n".join(
            [rf"\begin{{longtable}}{{{_alignment(block, shares)}}}", *head, *self.rows(block), r"\end{longtable}"]
        )
        yield rf"{{\{size}\setlength{{\tabcolsep}}{{3pt}}" + f"\n{table}}}" if narrowed else table
        yield self.said(block.more)
        yield self.defined(meanings(block))

    def head(self, table: Table, *, stacked: bool = False) -> str:
        longest = _lengths(table) if stacked else [WHOLE] * len(table.columns)
        return " & ".join(map(self._title, table.columns, longest)) + r" \\"

    def _title(self, column: Column, width: int) -> str:
        """Return a title in lines that are no wider than the cells below, if its words allow that."""
        words = column.title.split(" ")
        stack = [self.data(one) for one in wrap(column.title, max(width, *map(len, words), 1))]
        lines = r" \\ ".join(stack)
        side = "r" if column.holds == "number" else "l"
        return rf"\shortstack[{side}]{{{lines}}}" if len(stack) > 1 else self.data(column.title)

    def rows(self, table: Table) -> list[str]:
        made = [" & ".join(map(self._cell, row)) + r" \\" for row in table.rows]
        if table.total and len(made) > 1:
            made.insert(len(made) - 1, r"\midrule")
        return made

    def _cell(self, cell: Cell) -> str:
        return self.line(self.data(cell_text(cell, LATEX)), strong=bool(cell.tone))
