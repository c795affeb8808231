"""A document on a terminal; whatever comes from the data is escaped, and nothing in it is taken for markup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
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
from assent.documents.cut import cell_text, fitted, fitted_cards, lines, meanings
from assent.limits import TERMINAL, WHOLE
from assent.text import counted, escaped, for_terminal

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["ASCII", "render", "show"]

#: No column of names is cut to fewer characters; with this many most names can be told apart.
NARROWEST, NARROW = 8, 20
#: What pictures are drawn with, for a terminal that knows nothing but ASCII.
ASCII = str.maketrans("━░┄┤─└▲◆▁▂▃▄▅▆▇█", "*:-|-+^o12345678")


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
    """Print a document on standard output; `rows` and `unfold` as in `render`."""
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
            cards, more = fitted_cards(block, TERMINAL)
            for place, card in enumerate(cards, 1):
                self._card(card, f"{place}." if block.ordered else "!" if card.tone == "warning" else "·")
            if more:
                self._print(f"· {more}")
        elif isinstance(block, Code):
            if block.title:
                self._print(_said(block.title), "bold")
            for line in lines(block.text):
                self._print(f"  {escaped(line.replace(chr(9), '    '))}" if line else "")
        elif isinstance(block, Formulas):
            for formula in block.formulas:
                for line in _formula(formula, self._console.width - 4):
                    self._print(f"    {line}")
        elif isinstance(block, Figure):
            for line in () if block.plain is None else block.plain(self._console.width):
                drawn = line.translate(ASCII) if self._console.options.ascii_only else line
                # A line that is drawn with what the terminal cannot show would be a row of escapes.
                if drawn.isascii() or not self._console.options.ascii_only:
                    self._print(escaped(drawn))
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
        if table.caption and not table.quiet:
            self._print(_said(table.caption))
        shown = fitted(table, TERMINAL, self._rows)
        grid, kept = _grid(shown, self._console.width)
        self._console.print(grid)
        # Optional columns say more of the same; of any other it is said that the terminal has no room for it.
        missing = sum(not column.optional for place, column in enumerate(shown.columns) if place not in kept)
        wider = f"The terminal is too narrow for {counted(missing, 'more column')}." if missing else ""
        for said in filter(None, (shown.more, wider)):
            self._print(f"· {_said(said)}")
        columns = [shown.columns[place] for place in kept]
        meant = [f"{_said(title)}: {_said(meaning)}" for title, meaning in meanings(replace(shown, columns=columns))]
        if meant:
            self._print(f"· {' '.join(meant)}")

    def _print(self, line: str, style: str = "") -> None:
        from rich.text import Text

        self._console.print(Text(line, style=style), soft_wrap=True)


def _said(text: str) -> str:
    return for_terminal(text, WHOLE)


def _grid(table: Table, width: int) -> tuple[Any, list[int]]:
    """Build a table no wider than the terminal, and tell which columns it shows.

    Where there is no room, optional columns are left out and names and words are cut short; numbers never are.
    """
    from rich import box
    from rich.table import Table as Grid
    from rich.text import Text

    # A text takes what the other columns leave; a name does not take that much.
    most = [width if column.holds == "text" else TERMINAL.cell for column in table.columns]
    texts = [
        [for_terminal(cell_text(cell, TERMINAL), limit) for cell, limit in zip(row, most, strict=True)]
        for row in table.rows
    ]
    heads = [for_terminal(column.title, TERMINAL.cell) for column in table.columns]
    widths = _widths(table.columns, heads, texts, width)
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for place, room in widths.items():
        column = table.columns[place]
        side: Any = "right" if column.holds == "number" else "left"
        head = _cut(heads[place], room) if column.data else heads[place]
        grid.add_column(Text(head, overflow="ellipsis"), justify=side, vertical="bottom", width=room)
    for number, (row, cells) in enumerate(zip(texts, table.rows, strict=True)):
        if table.total and number and number == len(texts) - 1:
            grid.add_section()
        grid.add_row(*(Text(_cut(row[place], room), style=_style(cells[place])) for place, room in widths.items()))
    return grid, list(widths)


def _style(cell: Cell) -> str:
    return "bold" if cell.tone or cell.mark else ""


def _cut(text: str, width: int) -> str:
    """Cut the middle of a text that takes more columns of the terminal than there are."""
    from rich.cells import cell_len, set_cell_size

    if cell_len(text) <= width:
        return text
    tail = text[-max(1, width // 2 - 1) :] if width > 3 else ""
    while cell_len(tail) > width // 2 - 1:
        tail = tail[1:]
    return set_cell_size(text, width - 1 - cell_len(tail)).rstrip(" ") + "…" + tail


def _widths(
    columns: Sequence[Column], heads: Sequence[str], texts: Sequence[Sequence[str]], width: int
) -> dict[int, int]:
    """Return the columns that are shown by their places, and how wide each is."""
    from rich.cells import cell_len

    titles = [cell_len(head) for head in heads]
    # A title of ours is broken between words; one of the data is cut.
    words = [
        min(title, NARROWEST) if column.data else max(map(cell_len, head.split()), default=0)
        for column, head, title in zip(columns, heads, titles, strict=True)
    ]
    inside = [max((cell_len(row[place]) for row in texts), default=0) for place in range(len(columns))]
    cut = [column.holds in ("name", "text") for column in columns]
    least = [
        max(word, min(text, NARROWEST) if short else text) for word, text, short in zip(words, inside, cut, strict=True)
    ]
    kept = list(range(len(columns)))
    for place in reversed(kept[1:]):
        if _needed(kept, least) > width and columns[place].optional:
            kept.remove(place)
    # Words of ours are cut before a column is left out that is not optional.
    if _needed(kept, least) > width:
        cut = [column.holds != "number" for column in columns]
        least = [max(words[i], min(inside[i], NARROWEST)) if cut[i] else least[i] for i in range(len(columns))]
    while len(kept) > 1 and _needed(kept, least) > width:
        kept.pop()
    room = {place: least[place] for place in kept}
    # Then there is room to share: for names to be told apart, for titles on one line, for whole names.
    for most in (
        {i: min(inside[i], NARROW) for i in kept if cut[i]},
        {i: max(inside[i], titles[i]) for i in kept if not cut[i]},
        {i: max(inside[i], titles[i]) for i in kept if cut[i]},
    ):
        _grow(room, most, width - _needed(kept, [room.get(i, 0) for i in range(len(columns))]))
    if len(kept) == 1:
        room = {place: min(wide, max(1, width - 2)) for place, wide in room.items()}
    return room


def _needed(kept: Sequence[int], room: Sequence[int]) -> int:
    """Return the width of some columns: two blanks between them and one at either end."""
    return sum(room[place] for place in kept) + 2 * len(kept)


def _grow(room: dict[int, int], most: dict[int, int], left: int) -> None:
    """Share what is left among some columns: the narrow take what they need, and leave the others more than an even share."""
    for turn, place in enumerate(sorted(most, key=lambda one: most[one] - room[one])):
        more = max(0, min(most[place] - room[place], left // (len(most) - turn)))
        room[place] += more
        left -= more


def _formula(formula: Formula, width: int) -> list[str]:
    """Write a formula on one line or, if it is long, with each sign on a line of its own."""
    from rich.cells import cell_len

    left, *links = map(escaped, formula.pieces)
    whole = " ".join([left, *links])
    if cell_len(whole) <= width or not links:
        return [whole]
    indent = " " * (cell_len(left) + 1)
    return [f"{left} {links[0]}", *(indent + link for link in links[1:])]
