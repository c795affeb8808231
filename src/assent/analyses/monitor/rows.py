"""Lines of a CSV or JSONL file that grows, as annotations; a line that cannot be read says why and is left out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from assent.errors import UnreadableFile
from assent.limits import LINES_OF_A_CELL
from assent.readers.delimited import read_delimited, row_cells
from assent.readers.records import read_records, record_cells
from assent.readers.tables import BadRow, Table
from assent.records import Struct
from assent.text import shown

__all__ = ["Malformed", "MissingPart", "Row", "RowReader"]

#: So much of the beginning of a file is looked at to find its columns.
_HEAD = 256 * 1024


class Row(NamedTuple):
    """An annotation as written."""

    item: str
    annotator: str
    label: str
    moment: str | None


class MissingPart(NamedTuple):
    """A row that is no annotation, and why: as in `Annotations.dropped`."""

    reason: str


class Malformed(NamedTuple):
    """Lines that could not be read: the number of the first, and what is wrong with it."""

    line: int
    reason: str


class _Columns(Struct, frozen=True):
    item: str
    annotator: str
    label: str
    moment: str | None

    @property
    def names(self) -> list[str]:
        return [name for name in (self.item, self.annotator, self.label, self.moment) if name is not None]


class RowReader:
    """Turns lines into annotations, one after the other, each by the rules by which `assent.read` reads a file.

    Which column is what is recognised from the beginning of the file, as it does it, too, unless it is said.

    Parameters
    ----------
    name : str
        Of the file.
    kind : {"csv", "tsv", "jsonl"}
    item, annotator, label, time : str or None
        Names of columns.
    missing : collection of str
        Label texts that mean "no label".

    Attributes
    ----------
    notes : tuple of str
        What was recognised.
    remarks : list of str
        What must be said of files that came later.
    """

    def __init__(
        self,
        name: str,
        kind: str,
        *,
        item: str | None = None,
        annotator: str | None = None,
        label: str | None = None,
        time: str | None = None,
        missing: Collection[str] = (),
        delimiter: str | None = None,
        encoding: str = "utf-8",
    ) -> None:
        self.name, self.kind = name, kind
        self.notes: tuple[str, ...] = ()
        self.remarks: list[str] = []
        self._said = {"item": item, "annotator": annotator, "label": label}
        self._time = time
        self._missing = frozenset(missing)
        self._delimiter = delimiter
        self._encoding = _line_encoding(encoding)
        self._columns: _Columns | None = None
        self._header: list[str | None] = []
        self._expects_header = True
        self._open: list[str] = []
        self._open_at = 0

    @property
    def begun(self) -> bool:
        """Whether it is known which column is what."""
        return self._columns is not None

    def begin(self, lines: Sequence[bytes]) -> bool:
        """Find out which column is what from the first lines; return False if they are too few.

        Raises
        ------
        InputError
            If it cannot be told.
        """
        filled = [line for line in lines if line.strip()]
        before = 0 if self.kind == "jsonl" else 2 if filled and filled[0].lower().startswith(b"sep=") else 1
        header, rows = filled[:before], filled[before:]
        table = self._table(header, rows) if rows else None
        if table is None:
            return False
        self._columns, self.notes = _recognised(table, self._said, self._time)
        self._delimiter = table.delimiter
        return True

    def _table(self, header: Sequence[bytes], rows: Sequence[bytes]) -> Table | None:
        """Read the first rows as a table; if some of them are broken, the first that is not; None if one may still be completed."""
        size, some = 0, list[bytes]()
        for row in rows:
            size += len(row) + 1
            if some and size > _HEAD:
                break
            some.append(row)
        try:
            return self._read([*header, *some])
        except UnreadableFile as error:
            whole = rows if self.kind == "jsonl" else _whole(rows)
            for row in (*whole[:LINES_OF_A_CELL], *rows[:LINES_OF_A_CELL]):
                with suppress(UnreadableFile):
                    return self._read([*header, row])
            if not whole and len(rows) <= LINES_OF_A_CELL:
                return None
            raise error from None

    def _read(self, lines: Sequence[bytes]) -> Table:
        from assent.readers.sources import Source

        source = Source(self.name, data=b"\n".join(lines) + b"\n")
        if self.kind == "jsonl":
            return read_records(source, encoding=self._encoding, lines=True)
        tab = "\t" if self.kind == "tsv" else None
        return read_delimited(source, delimiter=self._delimiter, encoding=self._encoding, prefer=tab)

    def anew(self) -> Malformed | None:
        """Begin with another file, which may have a header of its own; return what the last one left open."""
        self._expects_header = True
        return self._give_up()

    def read(self, content: bytes | None, number: int) -> list[Row | MissingPart | Malformed]:
        """Take the next line: nothing comes of a blank one, a header, or a quoted cell that goes on."""
        if content is None:
            return [Malformed(number, "is too long to be a row")]
        try:
            text = content.decode(self._encoding)
        except UnicodeDecodeError:
            return [Malformed(number, f"is not {self._encoding} text")]
        if number == 1:
            text = text.removeprefix("\ufeff")
        try:
            if self.kind != "jsonl":
                return self._lines(text, number)
            record = record_cells(text, self._names)
            return [] if record is None else [self._row(record)]
        except BadRow as wrong:
            return [Malformed(number, str(wrong))]

    @property
    def waits_for(self) -> str | None:
        """What is still to come before the last lines can be read, as a sentence; None if nothing is."""
        if not self._open:
            return None
        return f"The quoted cell that begins in line {self._open_at:,} is not closed yet, so its row was not counted."

    def _give_up(self) -> Malformed | None:
        if not self._open:
            return None
        self._open = []
        return Malformed(self._open_at, "opens a quoted cell that is never closed")

    def _lines(self, text: str, number: int) -> list[Row | MissingPart | Malformed]:
        """Take a line of delimited text: a row, or a part of one whose quoted cell goes on."""
        if not self._open:
            self._open_at = number
        self._open.append(text)
        begun = self._open_at
        try:
            width = None if self._expects_header else len(self._header)
            cells = row_cells("\n".join(self._open), separator=self._delimiter or ",", width=width)
            if cells is not None:
                self._open = []
                return self._cells(cells, number)
        except BadRow as wrong:
            self._open = []
            return [Malformed(begun, str(wrong))]
        if len(self._open) <= LINES_OF_A_CELL:
            return []
        # The mark was a slip: its line is lost, the others are read for themselves.
        lines = self._open[1:]
        slip = self._give_up()
        found: list[Row | MissingPart | Malformed] = [] if slip is None else [slip]
        for place, line in enumerate(lines, begun + 1):
            found += self._lines(line, place)
        return found

    def _cells(self, cells: list[str | None], number: int) -> list[Row | MissingPart | Malformed]:
        if self._expects_header:
            # Spreadsheets write a line before the header that says what separates cells.
            if not cells or (number == 1 and (cells[0] or "").lower().startswith("sep=")):
                return []
            self._expects_header = False
            # The first column needs no name.
            header = [cells[0] or "", *cells[1:]]
            if all(header.count(name) == 1 for name in self._names):
                self._header = header
                return []
            self.remarks.append("The new file begins without a line of column names; they are taken to be as before.")
            if len(cells) != len(self._header):
                raise BadRow(f"has {len(cells)} cells and not {len(self._header)}")
        if not any(cells):
            return [MissingPart("empty row")]
        return [self._row({name: cells[self._header.index(name)] for name in self._names})]

    @property
    def _names(self) -> list[str]:
        return [] if self._columns is None else self._columns.names

    def _row(self, cells: Mapping[str, str | None]) -> Row | MissingPart:
        columns = self._columns
        assert columns is not None, "it has begun"
        item, annotator, label = cells[columns.item], cells[columns.annotator], cells[columns.label]
        if item is None or annotator is None:
            return MissingPart("no item" if item is None else "no annotator")
        if label is None or label in self._missing:
            return MissingPart("missing label" if label is None else f"missing label ({shown(label)})")
        return Row(item, annotator, label, None if columns.moment is None else cells[columns.moment])


def _whole(lines: Sequence[bytes]) -> list[bytes]:
    """Put lines together to rows whose quote marks are all closed; what is still open at the end is left out."""
    rows, held, quotes = list[bytes](), list[bytes](), 0
    for line in lines:
        held.append(line)
        quotes += line.count(b'"')
        if quotes % 2 == 0:
            rows.append(b"\n".join(held))
            held = []
    return rows


def _recognised(table: Table, said: dict[str, str | None], time: str | None) -> tuple[_Columns, tuple[str, ...]]:
    """Find the columns of a long table."""
    from assent.readers.layouts import recognise
    from assent.readers.overrides import Overrides
    from assent.readers.tables import column, further

    kept = further([] if time is None else [time], table.columns)
    free = [name for name in table.columns if name not in kept]
    sample = table.frame.lazy().select(map(column, free)).collect()
    found = recognise(free, sample, Overrides(layout="long", **said), whole=False, nested=table.nested - {*kept})  # type: ignore[arg-type]
    return _Columns(str(found.item), str(found.annotator), str(found.label), time), found.notes


def _line_encoding(encoding: str) -> str:
    """Refuse an encoding in which a line end is not one byte."""
    import codecs

    from assent.errors import OptionError

    try:
        codec = codecs.lookup(encoding).name
        plain = '\n,;"{'.encode(codec)
    except (LookupError, UnicodeError):
        raise OptionError(
            f"`encoding` is {shown(encoding)}, which is not known; try utf-8, latin-1 or cp1252."
        ) from None
    if codec == "utf-8-sig":
        return "utf-8"
    if plain != b'\n,;"{':
        raise OptionError(f"A file in {codec} cannot be followed line by line; write it in UTF-8.")
    return codec
