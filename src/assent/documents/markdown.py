"""A document in Markdown with pipe tables; whatever comes from the data is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from assent.documents.blocks import Cell, Code, Document, Formulas, Table
from assent.documents.cut import cell_text, fitted, lines, meanings
from assent.documents.walk import Markup
from assent.limits import MARKDOWN, WHOLE
from assent.text import for_markdown, visible

__all__ = ["render", "table"]

DEEPEST = 6


def render(document: Document) -> str:
    """Return a document in Markdown."""
    made = _Markdown().pieces([document], 1)
    parts = [part for one in made if one for part in ([one] if one[0] == "`" else one.split("\n\n"))]
    return "\n\n".join(_told_apart(parts)) + "\n"


def table(block: Table) -> str:
    """Write a table with pipes; a row of totals is bold."""
    return "\n\n".join(_Markdown().table(block, 1))


def _told_apart(parts: Sequence[str]) -> Iterator[str]:
    """Give the second of two neighbouring lists another sign, or they would be one."""
    before = ""
    for part in parts:
        for usual, other in ((r"- ", "* "), (r"(\d+)\. ", r"\1) ")):
            if re.match(usual, part) and re.match(usual, before):
                part = re.sub(rf"^{usual}", other, part, flags=re.MULTILINE)
        before = part
        yield part


class _Markdown(Markup):
    surface = MARKDOWN

    def said(self, text: str) -> str:
        return for_markdown(text, WHOLE, sentence=True)

    def data(self, text: str) -> str:
        return for_markdown(text, MARKDOWN.cell)

    def whole(self, text: str) -> str:
        return for_markdown(text, WHOLE)

    def title(self, text: str, depth: int) -> Iterator[str]:
        yield f"{'#' * min(depth, DEEPEST)} {for_markdown(text, WHOLE)}"

    def bold(self, text: str) -> str:
        return f"**{text}**" if text else ""

    def listed(self, items: Sequence[str], *, ordered: bool = False) -> str:
        return "\n".join(f"{f'{place}.' if ordered else '-'} {one}" for place, one in enumerate(items, 1))

    def verbatim(self, block: Code) -> str:
        # More backticks than the text has in a row.
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", block.text)), default=0))
        # Within a fence nothing has a meaning, but a reader of the file may have a terminal.
        shown = "\n".join("\t".join(map(visible, line.split("\t"))) for line in lines(block.text))
        return f"{fence}{block.language}\n{shown}\n{fence}"

    def formulas(self, block: Formulas, depth: int) -> Iterator[str]:
        # Not code, which would need no escapes: in a list or a quotation it may turn into plain Markdown.
        yield self.listed([for_markdown(one.text, WHOLE) for one in block.formulas])

    def table(self, block: Table, depth: int) -> Iterator[str]:
        block = fitted(block, MARKDOWN)
        rows = [[self.data(column.title) for column in block.columns]]
        last = len(block.rows) - 1
        rows += [
            [self._cell(cell, strong=block.total and i == last) for cell in row] for i, row in enumerate(block.rows)
        ]
        grid = [f"| {' | '.join(row)} |" for row in rows]
        grid.insert(1, f"|{'|'.join('---:' if column.holds == 'number' else ':---' for column in block.columns)}|")
        caption = "" if block.quiet else self.said(block.caption)
        # Apart by empty lines, or they would be rows of the table.
        yield from filter(None, [caption, "\n".join(grid), self.said(block.more), self.defined(meanings(block))])

    def _cell(self, cell: Cell, *, strong: bool) -> str:
        return self.line(self.data(cell_text(cell, MARKDOWN)), strong=strong or bool(cell.tone))
