"""What a document is made of. Blocks hold raw text; each renderer escapes it for its own medium.

A sentence is a text of ours in which names from the data are quoted (`assent.text.quoted`). A cell that shows a name of
the data by itself is made with `name` and marked as such. Numbers become text here, by `assent.text`, so that every
medium shows the same digits; a cell keeps the number it shows for sorting.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Literal, TypeVar

from msgspec import field

import assent.text as written
from assent.records import Struct
from assent.text import visible

__all__ = [
    "Block",
    "Card",
    "Cards",
    "Cell",
    "Code",
    "Column",
    "Document",
    "Facts",
    "Figure",
    "Find",
    "Fold",
    "Formula",
    "Formulas",
    "Heading",
    "Headline",
    "Marked",
    "MarkedPiece",
    "Notes",
    "Prose",
    "Section",
    "Table",
    "Terms",
    "between",
    "coefficient",
    "count",
    "crossed",
    "joined",
    "name",
    "names",
    "notes",
    "number",
    "share",
    "table_of",
    "tables_with_rows_to_find",
    "words",
]

Row = TypeVar("Row")


class Block(Struct, frozen=True):
    """Something that stands in a document; `kind` says which part of a renderer writes it."""

    kind: ClassVar[str]


class Prose(Block, frozen=True):
    """Paragraphs, one a sentence or a few; `strong` ones are read first."""

    kind = "prose"
    sentences: Sequence[str]
    strong: bool = False


class Notes(Block, frozen=True):
    """What a reader should know, in small print."""

    kind = "notes"
    sentences: Sequence[str]


class Heading(Block, frozen=True):
    """A heading within a section."""

    kind = "heading"
    text: str


class Facts(Block, frozen=True):
    """Numbers side by side: what, how many, and a remark."""

    kind = "facts"
    facts: Sequence[tuple[str, str, str]]


class Find(Struct, frozen=True):
    """Rows to look for in a table that says who gave which label (`Table.given`).

    Parameters
    ----------
    labels : tuple of str
        All of them were given.
    annotators : tuple of str
        One who gave another label than most, or two who gave different labels.
    """

    labels: tuple[str, ...] = ()
    annotators: tuple[str, ...] = ()

    def fits(self, given: Sequence[tuple[str, str]]) -> bool:
        """Tell whether a row is one of these.

        Examples
        --------
        >>> given = [("ana", "yes"), ("ben", "yes"), ("cem", "no")]
        >>> (
        ...     Find(labels=("yes", "no")).fits(given),
        ...     Find(annotators=("ana",)).fits(given),
        ...     Find(annotators=("cem",)).fits(given),
        ... )
        (True, False, True)
        >>> Find(annotators=("ana", "cem")).fits(given), Find(annotators=("ana", "ben")).fits(given)
        (True, False)
        """
        times = Counter(label for _, label in given)
        mine = dict(given)
        if not all(label in times for label in self.labels) or not all(who in mine for who in self.annotators):
            return False
        if len(self.annotators) > 1:
            return len({mine[who] for who in self.annotators}) > 1
        return all(_not_with_most(mine[who], times) for who in self.annotators)

    @property
    def said(self) -> str:
        """What the rows have in common, as a clause."""
        named = [written.quoted(one) for one in self.annotators or self.labels]
        if len(self.annotators) > 1:
            return f"on which {named[0]} and {named[1]} differ"
        if self.annotators:
            return f"on which {named[0]} differs from most"
        return f"that have {'both ' if len(named) > 1 else ''}{' and '.join(named)}"


def _not_with_most(label: str, times: Mapping[str, int]) -> bool:
    """Tell whether a label is not the one that was given most often; of a tie none is."""
    most = max(times.values())
    return times[label] < most or sum(one == most for one in times.values()) > 1


class Figure(Block, frozen=True):
    """A chart, drawn where it is shown.

    Parameters
    ----------
    name : str
        By which the page and the files know it.
    draw : callable
        From a width in pixels to a chart (`assent.documents.charts.Chart`), or to None if there is nothing to draw.
    title : str
        What it is, for those who cannot see it.
    caption : str
        How to read it.
    twice : bool
        It is drawn anew for a phone; else it keeps its size and can be scrolled.
    plain : callable, optional
        From a number of columns to lines of text, for a terminal; without it a terminal shows nothing.
    find : mapping of str to Find
        Which rows a mark leads to, by what the mark says (`assent.documents.charts.TIP`).
    """

    kind = "figure"
    name: str
    draw: Callable[[int], Any | None]
    title: str
    caption: str = ""
    twice: bool = True
    plain: Callable[[int], Sequence[str]] | None = None
    find: Mapping[str, Find] = field(default_factory=dict)


class Card(Struct, frozen=True):
    """Something found or advised.

    Parameters
    ----------
    tone : {"warning", "info", "step"}
    mark : str
        A word or number beside the title.
    data : bool
        The title is a name from the data.
    """

    title: str
    sentences: Sequence[str]
    tone: Literal["warning", "info", "step"] = "info"
    mark: str = ""
    data: bool = False


class Cards(Block, frozen=True):
    """Things found or advised, one below the other."""

    kind = "cards"
    cards: Sequence[Card]
    ordered: bool = False


class Code(Block, frozen=True):
    """A text to be copied; code keeps its lines."""

    kind = "code"
    name: str
    title: str
    text: str
    code: bool = True
    language: str = ""


class Formula(Struct, frozen=True):
    """One line of arithmetic: what is on the left, then each sign with what follows it, as text and as LaTeX."""

    pieces: Sequence[str]
    latex: Sequence[str]

    @property
    def text(self) -> str:
        """The formula on one line."""
        return " ".join(self.pieces)


class Formulas(Block, frozen=True):
    """Arithmetic, line by line."""

    kind = "formulas"
    formulas: Sequence[Formula]


class Terms(Block, frozen=True):
    """Names and what they mean."""

    kind = "terms"
    terms: Sequence[tuple[str, str]]


class Fold(Block, frozen=True):
    """Blocks behind a line that opens them; a terminal leaves them out."""

    kind = "fold"
    summary: str
    blocks: Sequence[Block]


class Column(Struct, frozen=True):
    """A column of a table.

    Parameters
    ----------
    holds : {"number", "words", "name", "text"}
        Numbers stand to the right. Names come from the data and, like text of some length, may be cut short.
    meaning : str
        One sentence, shown with the table.
    term : str
        Name under which the document defines it, if it does; that comes first.
    data : bool
        Its title comes from the data.
    optional : bool
        It is left out where there is no room.
    minor : bool
        On a phone it makes room for the others.
    """

    title: str
    holds: Literal["number", "words", "name", "text"] = "number"
    meaning: str = ""
    term: str = ""
    data: bool = False
    optional: bool = False
    minor: bool = False


class Cell(Struct, frozen=True):
    """A cell of a table; made with `words`, `name`, `coefficient`, `share` and the other functions here.

    Parameters
    ----------
    sort : float, str or None
        What the column is sorted by, if that is not the text; None comes last.
    data : bool
        The text comes from the data: it may be of any script, and runs in its own direction.
    parts : sequence of (text, remark)
        In place of the text: several texts of the data, each with a remark.
    joined : bool
        The parts make one phrase, as in "this or that".
    tone : {"", "warning", "strong"}
    term : str
        Name under which the document defines it, if it does.
    link : str
        Name of a place in the document that it leads to.
    mark : str
        A word beside it.
    find : Find, optional
        Rows of a table in the document that it leads to.
    """

    text: str = ""
    sort: float | str | None = None
    data: bool = False
    parts: Sequence[tuple[str, str]] = ()
    joined: bool = False
    tone: Literal["", "warning", "strong"] = ""
    term: str = ""
    link: str = ""
    mark: str = ""
    find: Find | None = None

    @property
    def empty(self) -> bool:
        """It says nothing."""
        return not self.parts and self.text in ("", written.DASH)


class Table(Block, frozen=True):
    """A table whose first column names the rows.

    Parameters
    ----------
    name : str
        For ids and links.
    more : str
        What was left out, below the table.
    quiet : bool
        The line above the table says what it is: its caption is for those who do not see that.
    total : bool
        The last row adds up the others.
    given : sequence of sequences of (annotator, label)
        For each row who gave which label, if its rows can be found by that; an annotator may be empty.
    """

    kind = "table"
    name: str
    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    more: str = ""
    quiet: bool = False
    total: bool = False
    given: Sequence[Sequence[tuple[str, str]]] = ()


class MarkedPiece(Struct, frozen=True):
    """A piece of a text of the data, over which nothing changes.

    Parameters
    ----------
    within : sequence of int
        Numbers of the labels of the marks that it lies in.
    opens : int
        Marks that begin with it.
    closes : sequence of str
        Labels of the marks that end with it.
    """

    text: str
    within: Sequence[int] = ()
    opens: int = 0
    closes: Sequence[str] = ()

    @property
    def bracketed(self) -> str:
        """The piece with its marks as brackets, each with its label."""
        return f"{'[' * self.opens}{self.text}{''.join(f'|{label}]' for label in self.closes)}"


class Marked(Block, frozen=True):
    """A text of the data as several annotators marked it, a line each.

    Parameters
    ----------
    title : str
        Of the data.
    remark : str
        Ours, beside the title.
    lines : sequence of (name, pieces)
        The name is of the data.
    """

    kind = "marked"
    title: str
    remark: str
    lines: Sequence[tuple[str, Sequence[MarkedPiece]]]

    def told(self) -> list[tuple[str, str]]:
        """Return each name and the text with brackets."""
        return [(who, "".join(one.bracketed for one in pieces)) for who, pieces in self.lines]


class Section(Block, frozen=True):
    """A section: what it says in one sentence, then its blocks."""

    kind = "section"
    name: str
    title: str
    takeaway: str = ""
    blocks: Sequence[Block] = ()


class Headline(Block, frozen=True):
    """The first thing of a report: what the number is, why, and what to do next.

    Parameters
    ----------
    why : str
        A line before the causes.
    causes : sequence of str
        A clause each.
    next : str
        What to do.
    status : str
        How the number stands to the target, in a few words.
    tone : {"", "good", "bad"}
    """

    kind = "headline"
    sentence: str
    why: str = ""
    causes: Sequence[str] = ()
    next: str = ""
    status: str = ""
    tone: Literal["", "good", "bad"] = ""
    figure: Figure | None = None

    @property
    def whole(self) -> str:
        """The sentence with its causes, as one paragraph."""
        if not self.causes:
            return self.sentence
        *most, last = self.causes
        said = "; ".join([*most, f"and {last}"]) if most else last
        return f"{self.sentence} {self.why}: {said}."


class Document(Block, frozen=True):
    """What a person reads of a result. A document among the blocks of another is a chapter of it.

    Parameters
    ----------
    name : str
        Put before the ids of a chapter.
    summary : str
        A line below the title: how much data there are.
    label : str
        A line above the title: what kind of document it is, if the title is the user's own.
    terms : mapping of str to str
        What names mean, for columns and cells that have a `term`.
    made : str
        When, as an ISO date; empty if that does not matter.
    """

    kind = "document"
    title: str
    blocks: Sequence[Block] = ()
    name: str = ""
    summary: str = ""
    label: str = ""
    terms: Mapping[str, str] = field(default_factory=dict)
    made: str = ""

    def figures(self) -> dict[str, Figure]:
        """Return every figure of the document by name; those of chapters begin with the chapter's name."""
        return {f"{prefix}{one.name}": one for prefix, one in _figures(self.blocks, self.name)}


def tables_with_rows_to_find(blocks: Iterable[Block]) -> Iterable[Table]:
    """Yield the tables among some blocks, not those of chapters, whose rows say who gave which label."""
    for block in blocks:
        if isinstance(block, Table) and block.given:
            yield block
        elif isinstance(block, Section | Fold):
            yield from tables_with_rows_to_find(block.blocks)


def _figures(blocks: Iterable[Block], prefix: str) -> Iterable[tuple[str, Figure]]:
    for block in blocks:
        if isinstance(block, Figure):
            yield prefix, block
        elif isinstance(block, Headline) and block.figure is not None:
            yield prefix, block.figure
        elif isinstance(block, Document):
            yield from _figures(block.blocks, block.name)
        elif isinstance(block, Section | Fold):
            yield from _figures(block.blocks, prefix)


def notes(*sentences: Iterable[str]) -> list[Block]:
    """Return notes, each once, as a block in a list; an empty list if there is nothing to say."""
    said = list(dict.fromkeys(one for some in sentences for one in some if one))
    return [Notes(said)] if said else []


def table_of(
    table: str,
    caption: str,
    rows: Iterable[Row],
    fields: Sequence[tuple[Column, Callable[[Row], Cell]] | None],
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
    told = [first, *((column, cells) for column, cells in others if not all(cell.empty for cell in cells))]
    cells = [list(row) for row in zip(*(cells for _, cells in told), strict=True)]
    return Table(table, caption, [column for column, _ in told], cells, more, quiet)


def crossed(
    *,
    table: str,
    caption: str,
    corner: str,
    rows: Sequence[Cell],
    columns: Sequence[Cell],
    cells: Sequence[Sequence[Cell]],
) -> Table:
    """Return a table of names crossed with names."""
    heads = [Column(one.text, data=True) for one in columns]
    lines = [[one, *line] for one, line in zip(rows, cells, strict=True)]
    return Table(table, caption, [Column(corner, "name"), *heads], lines, quiet=True)


def words(said: str, *, tone: Literal["", "warning", "strong"] = "", term: str = "", mark: str = "") -> Cell:
    """Return a cell of our own words."""
    return Cell(text=said, sort=said, tone=tone, term=term, mark=mark)


def name(said: object, *, limit: int = 200) -> Cell:
    """Return a cell with a name of the data, which may be empty or very long."""
    return Cell(text=written.display_name(said, limit), sort=str(said)[:limit], data=True)


def names(parts: Sequence[tuple[object, str]]) -> Cell:
    """Return a cell with several names of the data, each with a remark."""
    made = [(written.display_name(said), visible(remark)) for said, remark in parts]
    return Cell(parts=made, sort=" ".join(said for said, _ in made))


def joined(first: object, between: str, second: object) -> Cell:
    """Return a cell with two names of the data and a word of ours between them."""
    made = names([(first, between), (second, "")])
    return Cell(parts=made.parts, sort=made.sort, joined=True)


def number(
    known: float | None, digits: int = 2, *, signed: bool = False, tone: Literal["", "warning", "strong"] = ""
) -> Cell:
    """Return a cell with a number."""
    return Cell(text=written.number(known, digits, signed=signed), sort=_sorted_by(known), tone=tone)


def coefficient(known: float | None, *, tone: Literal["", "warning", "strong"] = "") -> Cell:
    """Return a cell with a coefficient: three digits, so that 0.698 is not taken for 0.7."""
    return number(known, 3, tone=tone)


def share(part: float | None) -> Cell:
    """Return a cell with a share."""
    return Cell(text=written.percent(part), sort=_sorted_by(part))


def count(many: float | None) -> Cell:
    """Return a cell with a count."""
    return Cell(text=written.amount(many), sort=_sorted_by(many))


def between(
    low: float | None, high: float | None, *, digits: int | None = None, percents: bool = False, signed: bool = False
) -> Cell:
    """Return a cell with an interval, which is sorted by its lower end."""
    if percents:
        return Cell(text=written.percent_interval(low, high), sort=_sorted_by(low))
    return Cell(text=written.interval(low, high, digits=digits, signed=signed), sort=_sorted_by(low))


def _sorted_by(known: float | None) -> float | None:
    return None if known is None or known != known else known
