"""A document in Markdown with pipe tables; whatever comes from the data is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from assent.documents.blocks import (
    Block,
    Cards,
    Cell,
    Code,
    Document,
    Facts,
    Fold,
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
from assent.limits import MARKDOWN
from assent.text import for_markdown

__all__ = ["render", "table"]

#: Sentences are not cut; cells of tables are.
WHOLE = 100_000
DEEPEST = 6


def render(document: Document) -> str:
    """Return a document in Markdown."""
    return "\n\n".join(_document(document, 1)) + "\n"


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
        yield f"**{_said(block.whole)}**"
        if block.next:
            yield f"Next: {_said(block.next)}"
    elif isinstance(block, Heading):
        yield _heading(block.text, depth)
    elif isinstance(block, Prose):
        yield from (f"**{_said(one)}**" if block.strong else _said(one) for one in block.sentences)
    elif isinstance(block, Notes):
        yield _list(block.sentences)
    elif isinstance(block, Facts):
        yield "\n".join(
            f"- {_said(what)}: {_said(many)}{f' ({_said(remark)})' if remark else ''}"
            for what, many, remark in block.facts
        )
    elif isinstance(block, Terms):
        yield "\n".join(f"- **{_said(term)}**: {_said(meaning)}" for term, meaning in block.terms)
    elif isinstance(block, Cards):
        yield from _cards(block)
    elif isinstance(block, Code):
        yield _heading(block.title, depth)
        yield _code(block.text, block.language) if block.code else _said(block.text)
    elif isinstance(block, Formulas):
        # Not code, which would need no escapes: in a list or a quotation it may turn into plain Markdown.
        yield _list([one.text for one in block.formulas])
    elif isinstance(block, Fold):
        yield _heading(block.summary, depth)
        yield from _blocks(block.blocks, depth)
    elif isinstance(block, Table):
        yield table(block)


def _heading(text: str, depth: int) -> str:
    return f"{'#' * min(depth, DEEPEST)} {_said(text)}"


def _said(text: str) -> str:
    return for_markdown(text, WHOLE)


def _list(sentences: Sequence[str]) -> str:
    return "\n".join(f"- {_said(one)}" for one in sentences)


def _cards(block: Cards) -> Iterator[str]:
    lines = []
    for place, card in enumerate(block.cards, 1):
        mark = f" ({_said(card.mark)})" if card.mark else ""
        lead = f"{place}." if block.ordered else "-"
        lines.append(f"{lead} **{_said(card.title)}**{mark} {' '.join(map(_said, card.sentences))}".rstrip())
    yield "\n".join(lines)


def _code(text: str, language: str) -> str:
    """Fence a text with more backticks than it has in a row."""
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def table(block: Table) -> str:
    """Write a table with pipes; a row of totals is bold."""
    block = fitted(block, MARKDOWN)
    rows = [[for_markdown(column.title, MARKDOWN.cell) for column in block.columns]]
    rows += [[_cell(cell) for cell in row] for row in block.rows]
    if block.total and len(rows) > 1:
        rows[-1] = [f"**{cell}**" if cell else "" for cell in rows[-1]]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, f"|{'|'.join('---:' if column.holds == 'number' else ':---' for column in block.columns)}|")
    # Behind an empty line, or it would be a row of the table.
    return "\n".join(lines) + (f"\n\n{_said(block.more)}" if block.more else "")


def _cell(cell: Cell) -> str:
    said = for_markdown(cell_text(cell, MARKDOWN), MARKDOWN.cell)
    return f"**{said}**" if said and cell.tone else said
