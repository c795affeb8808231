"""The blocks a page is made of. They hold raw text: the template escapes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from assent.text import number, percent, visible

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = [
    "Block",
    "Card",
    "Cards",
    "Cell",
    "Column",
    "Copyable",
    "Facts",
    "Fold",
    "Heading",
    "Notes",
    "Picture",
    "Prose",
    "Section",
    "Table",
    "Terms",
    "at",
    "between",
    "count",
    "crossed",
    "joined",
    "name",
    "names",
    "share",
    "table_of",
    "value",
    "words",
]


class Block:
    """Something that stands on the page; `kind` says which macro of the template draws it."""

    kind: ClassVar[str]


@dataclass(frozen=True)
class Prose(Block):
    """Paragraphs."""

    kind = "prose"
    sentences: Sequence[str]


@dataclass(frozen=True)
class Notes(Block):
    """What a reader should know, in small print."""

    kind = "notes"
    sentences: Sequence[str]


@dataclass(frozen=True)
class Heading(Block):
    """A heading within a section."""

    kind = "heading"
    text: str


@dataclass(frozen=True)
class Facts(Block):
    """Numbers side by side: what, how many, and a remark."""

    kind = "facts"
    facts: Sequence[tuple[str, str, str]]


@dataclass(frozen=True)
class Picture(Block):
    """A chart, and the same for a phone if it was drawn anew."""

    kind = "picture"
    name: str
    wide: Markup
    narrow: Markup | None
    caption: str


@dataclass(frozen=True)
class Card:
    """Something found or advised."""

    title: str
    sentences: Sequence[str]
    #: "warning", "info" or "step".
    tone: str = "info"
    #: A word or number in the corner.
    mark: str = ""


@dataclass(frozen=True)
class Cards(Block):
    """Things found or advised, one below the other."""

    kind = "cards"
    cards: Sequence[Card]
    ordered: bool = False


@dataclass(frozen=True)
class Copyable(Block):
    """A text to be copied; code keeps its lines."""

    kind = "copyable"
    name: str
    title: str
    text: str
    code: bool = False


@dataclass(frozen=True)
class Terms(Block):
    """Names and what they mean."""

    kind = "terms"
    terms: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Fold(Block):
    """Blocks behind a line that opens them."""

    kind = "fold"
    summary: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Parameters
    ----------
    title : str
    meaning : str
        One sentence, shown with the table.
    term : str
        Name under which the report defines it, if it does; that comes first.
    figures : bool
        It holds numbers.
    wide : bool
        It holds text of some length.
    data : bool
        Its title comes from the data.
    """

    title: str
    meaning: str = ""
    term: str = ""
    figures: bool = False
    wide: bool = False
    data: bool = False


@dataclass(frozen=True)
class Cell:
    """A cell of a table.

    Parameters
    ----------
    text : str
    sort : float, str or None
        What the column is sorted by, if that is not the text; None comes last.
    data : bool
        The text comes from the data: it may be of any script, and runs in its own direction.
    parts : sequence of (text, remark)
        In place of the text: several texts of the data, each with a remark.
    joined : bool
        The parts make one phrase, as in "this or that".
    tone : str
        "warning", "strong" or nothing.
    term : str
        Name under which the report defines it, if it does.
    link : str
        Id of a place on the page that it leads to.
    mark : str
        A word beside it.
    """

    text: str = ""
    sort: float | str | None = None
    data: bool = False
    parts: Sequence[tuple[str, str]] = ()
    joined: bool = False
    tone: str = ""
    term: str = ""
    link: str = ""
    mark: str = ""


@dataclass(frozen=True)
class Table(Block):
    """A table whose first column names the rows.

    Parameters
    ----------
    name : str
        For ids.
    caption : str
    columns : sequence of Column
    rows : sequence of sequences of Cell
    more : str
        What was left out, below the table.
    quiet : bool
        The line above the table says what it is: its caption is for those who do not see that.
    """

    kind = "table"
    name: str
    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    more: str = ""
    quiet: bool = False


@dataclass(frozen=True)
class Section:
    """A section of the page: what it says in one sentence, then its blocks."""

    name: str
    title: str
    takeaway: str
    blocks: Sequence[Block]


def table_of(
    name: str,
    caption: str,
    rows: Iterable[Any],
    fields: Sequence[tuple[Column, Callable[[Any], Cell]] | None],
    *,
    more: str = "",
    quiet: bool = False,
) -> Table:
    """Return a table of some rows: each field is a column and what it takes from a row.

    A column that says nothing in any row is left out, and so is a field that is None.
    """
    rows = list(rows)
    made = [(column, [take(row) for row in rows]) for column, take in filter(None, fields)]
    first, *others = made
    told = [first, *((column, cells) for column, cells in others if any(map(_says, cells)))]
    cells = [list(row) for row in zip(*(cells for _, cells in told), strict=True)]
    return Table(name, caption, [column for column, _ in told], cells, more, quiet)


def crossed(
    *,
    name: str,
    caption: str,
    corner: str,
    rows: Sequence[Cell],
    columns: Sequence[Cell],
    cells: Sequence[Sequence[Cell]],
) -> Table:
    """Return a table of names crossed with names; a picture of it stands above."""
    heads = [Column(one.text, figures=True, data=True) for one in columns]
    lines = [[one, *line] for one, line in zip(rows, cells, strict=True)]
    return Table(name, caption, [Column(corner), *heads], lines, quiet=True)


def _says(cell: Cell) -> bool:
    return bool(cell.parts) or cell.text not in ("", "–")


def words(text: str, *, tone: str = "", term: str = "") -> Cell:
    """Return a cell of our own words."""
    return Cell(text=text, sort=text, tone=tone, term=term)


def name(text: object, *, limit: int = 200) -> Cell:
    """Return a cell with a name of the data, which may be empty or very long."""
    whole = visible(text) if str(text).strip() else "(empty)"
    return Cell(text=whole if len(whole) <= limit else f"{whole[:limit]}…", sort=str(text)[:limit], data=True)


def names(parts: Sequence[tuple[object, str]]) -> Cell:
    """Return a cell with several names of the data, each with a remark."""
    made = [(name(text, limit=48).text, visible(remark)) for text, remark in parts]
    return Cell(parts=made, sort=" ".join(text for text, _ in made))


def joined(first: object, between: str, second: object) -> Cell:
    """Return a cell with two names of the data and a word of ours between them."""
    return replace(names([(first, between), (second, "")]), joined=True)


def value(known: float | None, digits: int = 2, *, signed: bool = False, tone: str = "") -> Cell:
    """Return a cell with a number."""
    return Cell(text=number(known, digits, signed=signed), sort=known, tone=tone)


def share(part: float | None) -> Cell:
    """Return a cell with a share."""
    return Cell(text=percent(part), sort=part)


def count(many: float | None) -> Cell:
    """Return a cell with a count; halves and thirds of pairs are rounded."""
    return Cell(text="–" if many is None else f"{many:,.0f}", sort=many)


def between(low: float | None, high: float | None, *, percents: bool = False, signed: bool = False) -> Cell:
    """Return a cell with an interval, which is sorted by its lower end."""
    if low is None or high is None:
        return Cell(text="–")
    if percents:
        return Cell(text=f"{number(100 * low, 0)} to {number(100 * high, 0)} %", sort=low)
    return Cell(text=f"{number(low, signed=signed)} to {number(high, signed=signed)}", sort=low)


def at(holder: Mapping[str, Any] | None, *keys: str) -> Any:
    """Return what stands at the end of some keys; None if one of them is missing on the way."""
    for key in keys:
        if holder is None:
            return None
        holder = holder.get(key)
    return holder
