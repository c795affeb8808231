"""A document on a terminal; whatever comes from the data is escaped, and nothing in it is taken for markup."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from assent.documents import blocks
from assent.documents.cut import cell_text, fitted, fitted_cards, lines, meanings
from assent.documents.walk import Walk
from assent.limits import TERMINAL, WHOLE
from assent.text import counted, escaped, for_terminal

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["ASCII", "render", "show"]

#: No column of names is cut to fewer characters; with this many most names can be told apart.
NARROWEST, NARROW = 8, 20
#: What pictures are drawn with, for a terminal that knows nothing but ASCII.
ASCII = str.maketrans("━░┄┤─└▲◆▁▂▃▄▅▆▇█", "*:-|-+^o12345678")


def render(document: blocks.Document, *, width: int = 100, rows: int | None = None, unfold: bool = False) -> str:
    """Return a document as lines of text, without colours.

    Parameters
    ----------
    width : int
        Columns of the terminal.
    rows : int, optional
        Rows of a table, in place of the usual number.
    unfold : bool
        What is folded on a page is shown, too.
    """
    from io import StringIO

    from rich.console import Console

    # In a notebook rich would show the text piece by piece, and return none of it.
    console = Console(
        file=StringIO(), width=width, highlight=False, color_system=None, legacy_windows=False, force_jupyter=False
    )
    _Terminal(console, rows=rows, unfold=unfold).show(document)
    assert isinstance(console.file, StringIO)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines()) + "\n"


def show(document: blocks.Document, *, rows: int | None = None, unfold: bool = False) -> None:
    """Print a document on standard output; `rows` and `unfold` as in `render`."""
    from rich.console import Console

    _Terminal(Console(highlight=False), rows=rows, unfold=unfold).show(document)


class _Terminal(Walk[Any]):
    """Its pieces are what rich prints."""

    surface = TERMINAL

    def __init__(self, console: Console, *, rows: int | None, unfold: bool) -> None:
        self._console, self._rows, self._unfold = console, rows, unfold

    def show(self, document: blocks.Document) -> None:
        from rich.text import Text

        # A person reads lines that break between words; a program, and what is copied, gets them whole.
        seen = self._console.is_terminal
        for piece in self.pieces([document], 0):
            self._console.print(piece, soft_wrap=isinstance(piece, Text) and (bool(piece.no_wrap) or not seen))

    def said(self, text: str) -> str:
        return for_terminal(text, WHOLE)

    def data(self, text: str) -> str:
        return for_terminal(text, TERMINAL.cell)

    def line(self, text: str, *, strong: bool = False, style: str = "", whole: bool = False) -> Any:
        from rich.text import Text

        return Text(text, style=style or ("bold" if strong else ""), no_wrap=whole or None)

    def title(self, text: str, depth: int, style: str = "bold") -> Iterator[Any]:
        if depth:
            yield self.line("")
        yield self.line(self.said(text), style=style)

    def section(self, block: blocks.Section, depth: int) -> Iterator[Any]:
        yield from self.title(block.title, depth, "bold underline")
        if block.takeaway:
            yield self.line(self.said(block.takeaway), strong=True)
        yield from self.pieces(block.blocks, depth + 1)

    def notes(self, block: blocks.Notes, depth: int) -> Iterator[Any]:
        return (self.line(f"· {self.said(one)}") for one in block.sentences)

    def facts(self, block: blocks.Facts, depth: int) -> Iterator[Any]:
        return map(self.line, self.told_facts(block))

    def terms(self, block: blocks.Terms, depth: int) -> Iterator[Any]:
        return (self.line(f"{self.said(term)}: {self.said(meaning)}") for term, meaning in block.terms)

    def cards(self, block: blocks.Cards, depth: int) -> Iterator[Any]:
        from rich.text import Text

        cards, more = fitted_cards(block, TERMINAL)
        for place, card in enumerate(cards, 1):
            lead = f"{place}." if block.ordered else "!" if card.tone == "warning" else "·"
            title, mark = self.card_head(card)
            end = "" if title.endswith((".", "?", "!")) else ":" if card.sentences else ""
            said = "".join(f" {self.said(one)}" for one in card.sentences)
            yield Text.assemble((f"{lead} {title}{f' {mark}' if mark else ''}{end}", "bold"), said)
        if more:
            yield self.line(f"· {more}")

    def marked(self, block: blocks.Marked, depth: int) -> Iterator[Any]:
        yield self.line(f"{self.data(block.title)} ({self.said(block.remark)})", strong=True)
        for who, text in block.told():
            yield self.line(f"  {self.data(who)}: {for_terminal(text, WHOLE)}")

    def code(self, block: blocks.Code, depth: int) -> Iterator[Any]:
        if block.title:
            yield self.line(self.said(block.title), strong=True)
        for line in lines(block.text):
            yield self.line(f"  {escaped(line.replace(chr(9), '    '))}" if line else "", whole=True)

    def formulas(self, block: blocks.Formulas, depth: int) -> Iterator[Any]:
        for formula in block.formulas:
            for line in _formula(formula, self._console.width - 4):
                yield self.line(f"    {line}", whole=True)

    def figure(self, block: blocks.Figure, depth: int) -> Iterator[Any]:
        ascii_only = self._console.options.ascii_only
        for line in () if block.plain is None else block.plain(self._console.width):
            drawn = line.translate(ASCII) if ascii_only else line
            # A line that is drawn with what the terminal cannot show would be a row of escapes.
            if drawn.isascii() or not ascii_only:
                yield self.line(escaped(drawn), whole=True)

    def fold(self, block: blocks.Fold, depth: int) -> Iterator[Any]:
        if self._unfold:
            yield self.line(self.said(block.summary), strong=True)
            yield from self.pieces(block.blocks, depth)

    def table(self, block: blocks.Table, depth: int) -> Iterator[Any]:
        if block.caption and not block.quiet:
            yield self.line(self.said(block.caption))
        shown = fitted(block, TERMINAL, self._rows)
        grid, kept = _grid(shown, self._console.width)
        yield grid
        # Optional columns say more of the same; of any other it is said that the terminal has no room for it.
        missing = sum(not column.optional for place, column in enumerate(shown.columns) if place not in kept)
        wider = f"The terminal is too narrow for {counted(missing, 'more column')}." if missing else ""
        columns = [shown.columns[place] for place in kept]
        meant = [
            f"{self.said(title)}: {self.said(means)}" for title, means in meanings(replace(shown, columns=columns))
        ]
        for said in filter(None, (self.said(shown.more), wider, " ".join(meant))):
            yield self.line(f"· {said}")


def _grid(table: blocks.Table, width: int) -> tuple[Any, list[int]]:
    """Build a table no wider than the terminal, and tell which columns it shows.

    Where there is no room, optional columns are left out and names and words are cut short; numbers never are.
    """
    from rich import box
    from rich.table import Table as Grid
    from rich.text import Text

    class Beginning(Text):
        """A cell of several lines begins on the line of its row; titles end on one."""

        vertical = "top"

    # A text takes what the other columns leave, and words of ours are whole; a name does not take that much.
    most = [width if column.holds in ("text", "words") else TERMINAL.cell for column in table.columns]
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
        grid.add_row(
            *(
                Beginning(_in_room(row[i], cells[i], table.columns[i], room), _style(cells[i]))
                for i, room in widths.items()
            )
        )
    return grid, list(widths)


def _style(cell: blocks.Cell) -> str:
    return "bold" if cell.tone or cell.mark else ""


def _in_room(text: str, cell: blocks.Cell, column: blocks.Column, width: int) -> str:
    """Cut a text of the data; words of ours take several lines, the mark or a remark on a name one of its own."""
    remark = cell.parts[0][1] if len(cell.parts) == 1 else ""
    if remark and len(text) > width and text.endswith(f" {remark}"):
        return f"{_cut(text.removesuffix(f' {remark}'), width)}\n{_cut(remark, width)}"
    if column.holds != "words":
        return _cut(text, width)
    return text.replace(f" ({cell.mark})", f"\n({cell.mark})") if cell.mark and len(text) > width else text


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
    columns: Sequence[blocks.Column], heads: Sequence[str], texts: Sequence[Sequence[str]], width: int
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
    # Words of ours take several lines before a column is left out that is not optional.
    if _needed(kept, least) > width:
        cut = [column.holds != "number" for column in columns]
        for i in (i for i in kept if columns[i].holds == "words"):
            least[i] = max(words[i], *(cell_len(word) for row in texts for word in row[i].split()), 0)
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


def _formula(formula: blocks.Formula, width: int) -> list[str]:
    """Write a formula on one line or, if it is long, with each sign on a line of its own."""
    from rich.cells import cell_len

    left, *links = map(escaped, formula.pieces)
    whole = " ".join([left, *links])
    if cell_len(whole) <= width or not links:
        return [whole]
    indent = " " * (cell_len(left) + 1)
    return [f"{left} {links[0]}", *(indent + link for link in links[1:])]
