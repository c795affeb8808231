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
from assent.documents.cut import cell_text, fitted, fitted_cards, lines, meanings
from assent.limits import MARKDOWN, WHOLE
from assent.text import for_markdown, visible

__all__ = ["render", "table"]

DEEPEST = 6


def render(document: Document) -> str:
    """Return a document in Markdown."""
    parts = [part for one in _document(document, 1) if one for part in ([one] if one[0] == "`" else one.split("\n\n"))]
    return "\n\n".join(_told_apart(parts)) + "\n"


def _told_apart(parts: Sequence[str]) -> Iterator[str]:
    """Give the second of two neighbouring lists another sign, or they would be one."""
    before = ""
    for part in parts:
        for usual, other in ((r"- ", "* "), (r"(\d+)\. ", r"\1) ")):
            if re.match(usual, part) and re.match(usual, before):
                part = re.sub(rf"^{usual}", other, part, flags=re.MULTILINE)
        before = part
        yield part


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
        yield _bold(_said(block.whole))
        if block.next:
            yield f"Next: {_said(block.next)}"
    elif isinstance(block, Heading):
        yield _heading(block.text, depth)
    elif isinstance(block, Prose):
        yield from (_bold(_said(one)) if block.strong else _said(one) for one in block.sentences)
    elif isinstance(block, Notes):
        yield _list(block.sentences)
    elif isinstance(block, Facts):
        yield "\n".join(
            f"- {_said(what)}: {_said(many)}{f' ({_said(remark)})' if remark else ''}"
            for what, many, remark in block.facts
        )
    elif isinstance(block, Terms):
        yield "\n".join(f"- {_bold(_said(term))}: {_said(meaning)}" for term, meaning in block.terms)
    elif isinstance(block, Cards):
        yield from _cards(block)
    elif isinstance(block, Code):
        if block.title:
            yield _heading(block.title, depth)
        if block.code:
            yield _code(block.text, block.language)
        else:
            yield from map(_said, filter(str.strip, lines(block.text)))
    elif isinstance(block, Formulas):
        # Not code, which would need no escapes: in a list or a quotation it may turn into plain Markdown.
        yield "\n".join(f"- {for_markdown(one.text, WHOLE)}" for one in block.formulas)
    elif isinstance(block, Fold):
        yield _heading(block.summary, depth)
        yield from _blocks(block.blocks, depth)
    elif isinstance(block, Table):
        yield table(block)


def _heading(text: str, depth: int) -> str:
    return f"{'#' * min(depth, DEEPEST)} {for_markdown(text, WHOLE)}"


def _said(text: str) -> str:
    return for_markdown(text, WHOLE, sentence=True)


def _bold(text: str) -> str:
    return f"**{text}**" if text else ""


def _list(sentences: Sequence[str]) -> str:
    return "\n".join(f"- {_said(one)}" for one in sentences)


def _cards(block: Cards) -> Iterator[str]:
    cards, more = fitted_cards(block, MARKDOWN)
    items = []
    for place, card in enumerate(cards, 1):
        title = for_markdown(card.title, MARKDOWN.cell) if card.data else _said(card.title)
        mark = f"({_said(card.mark)})" if card.mark else ""
        lead = f"{place}." if block.ordered else "-"
        items.append(" ".join(filter(None, [lead, _bold(title), mark, *map(_said, card.sentences)])))
    yield "\n".join(items)
    yield _said(more)


def _code(text: str, language: str) -> str:
    """Fence a text with more backticks than it has in a row."""
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    # Within a fence nothing has a meaning, but a reader of the file may have a terminal.
    shown = "\n".join("\t".join(map(visible, line.split("\t"))) for line in lines(text))
    return f"{fence}{language}\n{shown}\n{fence}"


def table(block: Table) -> str:
    """Write a table with pipes; a row of totals is bold."""
    block = fitted(block, MARKDOWN)
    rows = [[for_markdown(column.title, MARKDOWN.cell) for column in block.columns]]
    last = len(block.rows) - 1
    rows += [[_cell(cell, strong=block.total and i == last) for cell in row] for i, row in enumerate(block.rows)]
    grid = [f"| {' | '.join(row)} |" for row in rows]
    grid.insert(1, f"|{'|'.join('---:' if column.holds == 'number' else ':---' for column in block.columns)}|")
    caption = "" if block.quiet else _said(block.caption)
    below = [f"- {_said(title)}: {_said(meaning)}" for title, meaning in meanings(block)]
    # Apart by empty lines, or they would be rows of the table.
    return "\n\n".join(filter(None, [caption, "\n".join(grid), _said(block.more), "\n".join(below)]))


def _cell(cell: Cell, *, strong: bool) -> str:
    said = for_markdown(cell_text(cell, MARKDOWN), MARKDOWN.cell)
    return _bold(said) if strong or cell.tone else said
