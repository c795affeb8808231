"""A document on a terminal; whatever comes from the data is escaped, and nothing in it is taken for markup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from assent.documents.blocks import (
    Block,
    Card,
    Cards,
    Cell,
    Code,
    Column,
    Document,
    Facts,
    Figure,
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
from assent.limits import TERMINAL
from assent.text import for_terminal

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["render", "show"]

#: Sentences are not cut; cells of tables are.
WHOLE = 100_000
#: No column is cut to fewer characters.
NARROWEST = 8


def render(document: Document, *, width: int = 100, rows: int | None = None, unfold: bool = False) -> str:
    """Return a document as lines of text, without colours.

    Parameters
    ----------
    document : Document
    width : int
        Columns of the terminal.
    rows : int, optional
        Rows of a table, in place of the usual number.
    unfold : bool
        What is folded on a page is shown, too.
    """
    from io import StringIO

    from rich.console import Console

    console = Console(file=StringIO(), width=width, highlight=False, color_system=None, legacy_windows=False)
    _Terminal(console, rows=rows, unfold=unfold).document(document)
    assert isinstance(console.file, StringIO)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines()) + "\n"


def show(document: Document, *, rows: int | None = None, unfold: bool = False) -> None:
    """Print a document on standard output; the parameters are those of `render`."""
    from rich.console import Console

    _Terminal(Console(highlight=False), rows=rows, unfold=unfold).document(document)


class _Terminal:
    """One way through a document."""

    def __init__(self, console: Console, *, rows: int | None, unfold: bool) -> None:
        self._console, self._rows, self._unfold = console, rows, unfold

    def document(self, document: Document, *, chapter: bool = False) -> None:
        if chapter:
            self._print("")
        self._print(_said(document.title), "bold")
        if document.summary:
            self._print(_said(document.summary))
        self.blocks(document.blocks)

    def blocks(self, blocks: Iterable[Block]) -> None:
        for block in blocks:
            self._block(block)

    def _block(self, block: Block) -> None:
        if isinstance(block, Document):
            self.document(block, chapter=True)
        elif isinstance(block, Section):
            self._print("")
            self._print(_said(block.title), "bold underline")
            if block.takeaway:
                self._print(_said(block.takeaway), "bold")
            self.blocks(block.blocks)
        elif isinstance(block, Headline):
            self._print(_said(block.whole), "bold")
            if block.figure is not None:
                self._block(block.figure)
            if block.next:
                self._print(f"Next: {_said(block.next)}")
        elif isinstance(block, Heading):
            self._print("")
            self._print(_said(block.text), "bold")
        elif isinstance(block, Prose):
            for one in block.sentences:
                self._print(_said(one), "bold" if block.strong else "")
        elif isinstance(block, Notes):
            for one in block.sentences:
                self._print(f"· {_said(one)}")
        elif isinstance(block, Facts):
            for what, many, remark in block.facts:
                self._print(f"{_said(what)}: {_said(many)}{f' ({_said(remark)})' if remark else ''}")
        elif isinstance(block, Terms):
            for term, meaning in block.terms:
                self._print(f"{_said(term)}: {_said(meaning)}")
        elif isinstance(block, Cards):
            for place, card in enumerate(block.cards, 1):
                self._card(card, f"{place}." if block.ordered else "!" if card.tone == "warning" else "·")
        elif isinstance(block, Code):
            self._print(_said(block.title), "bold")
            for line in block.text.rstrip().splitlines():
                self._print(f"  {for_terminal(line.replace(chr(9), '  '), WHOLE).replace('␣', ' ')}")
        elif isinstance(block, Formulas):
            for formula in block.formulas:
                for line in _formula(formula, self._console.width - 4):
                    self._print(f"    {line}")
        elif isinstance(block, Figure):
            for line in () if block.plain is None else block.plain(self._console.width):
                # A line that is drawn with what the terminal cannot show would be a row of escapes.
                if line.isascii() or not self._console.options.ascii_only:
                    self._print(line)
        elif isinstance(block, Fold):
            if self._unfold:
                self._print(_said(block.summary), "bold")
                self.blocks(block.blocks)
        elif isinstance(block, Table):
            self._table(block)

    def _card(self, card: Card, lead: str) -> None:
        from rich.text import Text

        mark = f" ({_said(card.mark)})" if card.mark else ""
        title = for_terminal(card.title, TERMINAL.cell) if card.data else _said(card.title)
        end = "" if title.endswith((".", "?", "!")) else ":" if card.sentences else ""
        said = " ".join(map(_said, card.sentences))
        line = Text.assemble((f"{lead} ", "bold"), (f"{title}{mark}{end}", "bold"), f" {said}" if said else "")
        self._console.print(line, soft_wrap=True)

    def _table(self, table: Table) -> None:
        if not table.quiet:
            self._print(_said(table.caption))
        shown = fitted(table, TERMINAL, self._rows)
        self._console.print(_grid(shown, self._console.width))
        if shown.more:
            self._print(f"· {_said(shown.more)}")
        meanings = [(column.title, column.meaning) for column in shown.columns if column.meaning]
        if meanings:
            self._print("· " + " ".join(f"{_said(title)}: {_said(meaning)}" for title, meaning in meanings))

    def _print(self, line: str, style: str = "") -> None:
        from rich.text import Text

        self._console.print(Text(line, style=style), soft_wrap=True)


def _said(text: str) -> str:
    return for_terminal(text, WHOLE)


def _grid(table: Table, width: int) -> Any:
    """Build a table in which names are cut short, and optional columns left out, where the terminal is too narrow."""
    from rich import box
    from rich.cells import cell_len
    from rich.table import Table as Grid
    from rich.text import Text

    # A text may take what room there is; all else is short.
    most = [width if column.holds == "text" else TERMINAL.cell for column in table.columns]
    texts = [
        [for_terminal(cell_text(cell, TERMINAL), limit) for cell, limit in zip(row, most, strict=True)]
        for row in table.rows
    ]
    heads = [for_terminal(column.title, TERMINAL.cell) for column in table.columns]
    room = [max(map(cell_len, column)) for column in zip(heads, *texts, strict=True)]
    kept = _columns(table.columns, room, width)
    room = _narrowed(table.columns, kept, room, width)
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for place in kept:
        side: Any = "right" if table.columns[place].holds == "number" else "left"
        grid.add_column(Text(heads[place]), justify=side, no_wrap=True, overflow="ellipsis", max_width=room[place])
    for number, (row, cells) in enumerate(zip(texts, table.rows, strict=True)):
        if table.total and number == len(texts) - 1:
            grid.add_section()
        grid.add_row(*(Text(row[place], style=_style(cells[place])) for place in kept))
    return grid


def _style(cell: Cell) -> str:
    return "bold" if cell.tone or cell.mark else ""


def _columns(columns: Sequence[Column], room: Sequence[int], width: int) -> list[int]:
    """Return the places of the columns that are shown: optional ones go, the last first, while there is no room."""
    kept = list(range(len(columns)))
    least = [
        min(wide, NARROWEST) if column.holds in ("name", "text") else wide
        for column, wide in zip(columns, room, strict=True)
    ]
    for place in reversed(range(len(columns))):
        if _needed(kept, least) <= width:
            break
        if columns[place].optional:
            kept.remove(place)
    return kept


def _needed(kept: Sequence[int], room: Sequence[int]) -> int:
    """Return the width of some columns: two blanks between them and one at either end."""
    return sum(room[place] for place in kept) + 2 * len(kept)


def _narrowed(columns: Sequence[Column], kept: Sequence[int], room: Sequence[int], width: int) -> list[int]:
    """Return how wide each column is: names and texts share what the others leave."""
    wide = list(room)
    cut = sorted((place for place in kept if columns[place].holds in ("name", "text")), key=lambda place: wide[place])
    left = width - _needed([place for place in kept if place not in cut], wide) - 2 * len(cut)
    for turn, place in enumerate(cut):
        # The narrow ones take what they need, and leave the others more than an even share.
        wide[place] = min(wide[place], max(NARROWEST, left // (len(cut) - turn)))
        left -= wide[place]
    return wide


def _formula(formula: Formula, width: int) -> list[str]:
    """Write a formula on one line or, if it is long, with each sign on a line of its own."""
    from rich.cells import cell_len

    if cell_len(formula.text) <= width:
        return [formula.text]
    left, *links = formula.pieces
    indent = " " * (cell_len(left) + 1)
    return [f"{left} {links[0]}", *(indent + link for link in links[1:])]
