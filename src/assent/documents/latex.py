r"""A document as LaTeX, to be read into one that loads amsmath, booktabs and longtable; whatever comes from the data is escaped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assent.documents.blocks import (
    Block,
    Cards,
    Cell,
    Code,
    Document,
    Facts,
    Fold,
    Formula,
    Formulas,
    Heading,
    Headline,
    Notes,
    Prose,
    Section,
    Table,
    Terms,
)
from assent.documents.cut import cell_text, fitted
from assent.limits import LATEX
from assent.text import for_latex

__all__ = ["render", "table_float"]

#: Sentences are not cut; cells of tables are.
WHOLE = 100_000
#: A formula with more characters takes a line for each sign.
LINE = 100
_LEVELS = ("section", "subsection", "subsubsection", "paragraph", "subparagraph")


def render(document: Document) -> str:
    """Return a document as LaTeX."""
    head = "% Needs \\usepackage{amsmath}, \\usepackage{booktabs} and \\usepackage{longtable}."
    return "\n\n".join([head, *_document(document, 0)]) + "\n"


def table_float(table: Table, caption: str, label: str = "tab:agreement") -> str:
    """Return a table as a float with a caption, for a document that loads booktabs."""
    return "\n".join(
        [
            r"\begin{table}",
            r"  \centering",
            rf"  \caption{{{_said(caption)}}}",
            rf"  \label{{{label}}}",
            rf"  \begin{{tabular}}{{{_alignment(table)}}}",
            r"    \toprule",
            f"    {_head(table)}",
            r"    \midrule",
            *(f"    {_row(row)}" for row in table.rows),
            r"    \bottomrule",
            r"  \end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def _document(document: Document, depth: int) -> Iterator[str]:
    yield _heading(document.title, depth)
    if document.summary:
        yield _said(document.summary)
    yield from _blocks(document.blocks, depth + 1)


def _blocks(blocks: Sequence[Block], depth: int) -> Iterator[str]:
    for block in blocks:
        yield from _block(block, depth)


def _block(block: Block, depth: int) -> Iterator[str]:
    if isinstance(block, Document):
        yield from _document(block, depth)
    elif isinstance(block, Section):
        yield _heading(block.title, depth)
        if block.takeaway:
            yield _said(block.takeaway)
        yield from _blocks(block.blocks, depth + 1)
    elif isinstance(block, Headline):
        yield rf"\textbf{{{_said(block.whole)}}}"
        if block.next:
            yield f"Next: {_said(block.next)}"
    elif isinstance(block, Heading):
        yield _heading(block.text, depth)
    elif isinstance(block, Prose):
        yield from (rf"\textbf{{{_said(one)}}}" if block.strong else _said(one) for one in block.sentences)
    elif isinstance(block, Notes):
        yield _list("itemize", [_said(one) for one in block.sentences])
    elif isinstance(block, Facts):
        facts = [
            f"{_said(what)}: {_said(many)}{f' ({_said(remark)})' if remark else ''}"
            for what, many, remark in block.facts
        ]
        yield _list("itemize", facts)
    elif isinstance(block, Terms):
        yield _list("itemize", [rf"\textbf{{{_said(term)}}}: {_said(meaning)}" for term, meaning in block.terms])
    elif isinstance(block, Cards):
        yield _cards(block)
    elif isinstance(block, Code):
        yield _heading(block.title, depth)
        yield _code(block.text) if block.code else _said(block.text)
    elif isinstance(block, Formulas):
        yield _equations(block.formulas)
    elif isinstance(block, Fold):
        yield _heading(block.summary, depth)
        yield from _blocks(block.blocks, depth)
    elif isinstance(block, Table):
        yield from _table(block)


def _heading(text: str, depth: int) -> str:
    return rf"\{_LEVELS[min(depth, len(_LEVELS) - 1)]}*{{{_said(text)}}}"


def _said(text: str) -> str:
    return for_latex(text, WHOLE)


def _list(kind: str, items: Sequence[str]) -> str:
    lines = "\n".join(rf"  \item {{}}{one}" for one in items)
    return f"\\begin{{{kind}}}\n{lines}\n\\end{{{kind}}}"


def _cards(block: Cards) -> str:
    said = []
    for card in block.cards:
        mark = f" ({_said(card.mark)})" if card.mark else ""
        said.append(rf"\textbf{{{_said(card.title)}}}{mark} {' '.join(map(_said, card.sentences))}".rstrip())
    return _list("enumerate" if block.ordered else "itemize", said)


def _code(text: str) -> str:
    """Write a text as it is, unless it would end the environment it stands in."""
    if r"\end{verbatim}" not in text:
        return f"\\begin{{verbatim}}\n{text.rstrip()}\n\\end{{verbatim}}"
    return "\n\n".join(rf"\noindent\texttt{{{_said(line)}}}" for line in text.rstrip().splitlines())


def _equations(formulas: Sequence[Formula]) -> str:
    """Write formulas below each other, aligned at their first sign; a long one takes a line for each sign."""
    lines = []
    for formula in formulas:
        left, *links = formula.latex
        if len(formula.text) <= LINE:
            lines.append(f"{left} &{' '.join(links)}")
        else:
            lines += [f"{left if i == 0 else ''} &{link}".strip() for i, link in enumerate(links)]
    # A blank line inside align* would be an error, so the lines are joined without one.
    return "\\begin{align*}\n" + " \\\\\n".join(lines) + "\n\\end{align*}"


def _table(table: Table) -> Iterator[str]:
    """Write a table that may break over pages."""
    table = fitted(table, LATEX)
    lines = [_row(row) for row in table.rows]
    if table.total and len(lines) > 1:
        lines.insert(len(lines) - 1, r"\midrule")
    head = [r"\toprule", _head(table), r"\midrule", r"\endhead", r"\bottomrule", r"\endfoot"]
    yield "\n".join([rf"\begin{{longtable}}{{{_alignment(table)}}}", *head, *lines, r"\end{longtable}"])
    if table.more:
        yield _said(table.more)


def _alignment(table: Table) -> str:
    return "".join("r" if column.holds == "number" else "l" for column in table.columns)


def _head(table: Table) -> str:
    return " & ".join(for_latex(column.title, LATEX.cell) for column in table.columns) + r" \\"


def _row(cells: Sequence[Cell]) -> str:
    return " & ".join(map(_cell, cells)) + r" \\"


def _cell(cell: Cell) -> str:
    said = for_latex(cell_text(cell, LATEX), LATEX.cell)
    return rf"\textbf{{{said}}}" if said and cell.tone else said
