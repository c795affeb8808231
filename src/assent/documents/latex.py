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
from assent.documents.cut import cell_text, fitted, fitted_cards, lines, meanings
from assent.limits import LATEX, WHOLE
from assent.text import for_latex, visible

__all__ = ["render", "table_float"]

#: A formula with more characters takes a line for each sign.
LINE = 100
_LEVELS = ("section", "subsection", "subsubsection", "paragraph", "subparagraph")


def render(document: Document) -> str:
    """Return a document as LaTeX."""
    head = "% Needs \\usepackage{amsmath}, \\usepackage{booktabs} and \\usepackage{longtable}."
    return "\n\n".join(filter(None, [head, *_document(document, 0)])) + "\n"


def table_float(table: Table, caption: str, label: str = "tab:agreement") -> str:
    """Return a table as a float with a caption, for a document that loads booktabs."""
    table = fitted(table, LATEX)
    rows = _rows(table)
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
            *(f"    {row}" for row in rows),
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
        yield from _cards(block)
    elif isinstance(block, Code):
        if block.title:
            yield _heading(block.title, depth)
        if block.code:
            yield _code(block.text)
        else:
            yield from map(_said, filter(str.strip, lines(block.text)))
    elif isinstance(block, Formulas):
        yield _equations(block.formulas)
    elif isinstance(block, Fold):
        yield _heading(block.summary, depth)
        yield from _blocks(block.blocks, depth)
    elif isinstance(block, Table):
        yield from _table(block)


def _heading(text: str, depth: int) -> str:
    return rf"\{_LEVELS[min(depth, len(_LEVELS) - 1)]}*{{{for_latex(text, WHOLE)}}}"


def _said(text: str) -> str:
    return for_latex(text, WHOLE, sentence=True)


def _list(kind: str, items: Sequence[str]) -> str:
    # A list without items would be an error.
    if not items:
        return ""
    inside = "\n".join(rf"  \item {{}}{one}" for one in items)
    return f"\\begin{{{kind}}}\n{inside}\n\\end{{{kind}}}"


def _cards(block: Cards) -> Iterator[str]:
    cards, more = fitted_cards(block, LATEX)
    said = []
    for card in cards:
        title = for_latex(card.title, LATEX.cell) if card.data else _said(card.title)
        mark = f"({_said(card.mark)})" if card.mark else ""
        said.append(" ".join(filter(None, [rf"\textbf{{{title}}}", mark, *map(_said, card.sentences)])))
    yield _list("enumerate" if block.ordered else "itemize", said)
    yield _said(more)


def _code(text: str) -> str:
    """Write a text as it is, unless it would end the environment it stands in."""
    shown = [visible(line.replace("\t", "    ")) for line in lines(text)]
    if not any(r"\end{verbatim}" in line for line in shown):
        return "\n".join([r"\begin{verbatim}", *shown, r"\end{verbatim}"])
    return "\n\n".join(rf"\noindent\texttt{{{_indented(line)}}}" for line in shown)


def _indented(line: str) -> str:
    inner = line.lstrip(" ")
    return "~" * (len(line) - len(inner)) + _said(inner)


def _equations(formulas: Sequence[Formula]) -> str:
    """Write formulas below each other, aligned at their first sign; a long one takes a line for each sign."""
    if not formulas:
        return ""
    made = []
    for formula in formulas:
        left, *links = formula.latex
        if len(formula.text) <= LINE:
            made.append(f"{left} &{' '.join(links)}")
        else:
            made += [f"{left if i == 0 else ''} &{link}".strip() for i, link in enumerate(links or [""])]
    # A blank line inside align* would be an error, so the lines are joined without one.
    return "\\begin{align*}\n" + " \\\\\n".join(made) + "\n\\end{align*}"


def _table(table: Table) -> Iterator[str]:
    """Write a table that may break over pages."""
    if table.caption and not table.quiet:
        yield _said(table.caption)
    table = fitted(table, LATEX)
    head = [r"\toprule", _head(table), r"\midrule", r"\endhead", r"\bottomrule", r"\endfoot"]
    yield "\n".join([rf"\begin{{longtable}}{{{_alignment(table)}}}", *head, *_rows(table), r"\end{longtable}"])
    yield _said(table.more)
    yield _list("itemize", [f"{_said(title)}: {_said(meaning)}" for title, meaning in meanings(table)])


def _rows(table: Table) -> list[str]:
    made = [_row(row) for row in table.rows]
    if table.total and len(made) > 1:
        made.insert(len(made) - 1, r"\midrule")
    return made


def _alignment(table: Table) -> str:
    return "".join("r" if column.holds == "number" else "l" for column in table.columns)


def _head(table: Table) -> str:
    return " & ".join(for_latex(column.title, LATEX.cell) for column in table.columns) + r" \\"


def _row(cells: Sequence[Cell]) -> str:
    return " & ".join(map(_cell, cells)) + r" \\"


def _cell(cell: Cell) -> str:
    said = for_latex(cell_text(cell, LATEX), LATEX.cell)
    return rf"\textbf{{{said}}}" if said and cell.tone else said
