"""Lines of a CSV or JSONL file that grows, as annotations; a line that cannot be read says why and is left out."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from assent.errors import InputError, UnreadableFile
from assent.text import shown

__all__ = ["Malformed", "MissingPart", "Row", "RowReader"]

#: A quoted cell may hold so many line ends; more than that, and its quote mark was never closed.
MOST_LINES = 100
#: So much of the beginning of a file is looked at to find its columns.
_HEAD = 256 * 1024

_DECODER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str, strict=False)


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


@dataclass(frozen=True)
class _Columns:
    item: str
    annotator: str
    label: str
    moment: str | None

    @property
    def names(self) -> list[str]:
        return [name for name in (self.item, self.annotator, self.label, self.moment) if name is not None]


class RowReader:
    """Turns lines into annotations, one after the other.

    Which column is what is recognised from the beginning of the file, as `assent.read` does it, unless it is said.

    Parameters
    ----------
    name : str
        Of the file.
    kind : {"csv", "tsv", "jsonl"}
    item, annotator, label, time : str or None
        Names of columns.
    missing : collection of str
        Label texts that mean "no label".
    delimiter : str or None
    encoding : str

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
        self._header: list[str] = []
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
        whole = rows if self.kind == "jsonl" else _whole(rows)
        if not whole and len(rows) <= MOST_LINES:
            return False
        table = self._table(header, whole or rows, rows)
        self._columns, self.notes = _recognised(table, self._said, self._time)
        self._delimiter = table.delimiter
        return True

    def _table(self, header: Sequence[bytes], whole: Sequence[bytes], rows: Sequence[bytes]) -> Any:
        """Read the first rows as a table; if some of them are broken, the first that is not."""
        size, some = 0, list[bytes]()
        for row in whole:
            size += len(row) + 1
            if some and size > _HEAD:
                break
            some.append(row)
        try:
            return self._read([*header, *some])
        except UnreadableFile as error:
            for row in (*some[:MOST_LINES], *rows[:MOST_LINES]):
                with suppress(UnreadableFile):
                    return self._read([*header, row])
            raise error from None

    def _read(self, lines: Sequence[bytes]) -> Any:
        from assent.readers.delimited import read_delimited
        from assent.readers.records import read_records
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
        if self.kind == "jsonl":
            return [self._record(text, number)] if text.strip() else []
        return self._cells(text, number)

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

    def _record(self, text: str, number: int) -> Row | MissingPart | Malformed:
        try:
            record = _DECODER.decode(text.strip())
        except (json.JSONDecodeError, RecursionError):
            return Malformed(number, "is broken JSON")
        if not isinstance(record, dict):
            return Malformed(number, "is not a record {…}")
        return self._row({name: record.get(name) for name in self._names}, number)

    def _cells(self, text: str, number: int) -> list[Row | MissingPart | Malformed]:
        if not self._open:
            if not text.strip():
                return []
            self._open_at = number
        self._open.append(text)
        cells = self._split("\n".join(self._open))
        if cells is None:
            if len(self._open) <= MOST_LINES:
                return []
            # The mark was a slip: its line is lost, the others are read for themselves.
            lines, start = self._open[1:], self._open_at + 1
            slip = self._give_up()
            found: list[Row | MissingPart | Malformed] = [] if slip is None else [slip]
            for place, line in enumerate(lines):
                found += self._cells(line, start + place)
            return found
        self._open = []
        if isinstance(cells, str):
            return [Malformed(self._open_at, cells)]
        if self._expects_header:
            # Spreadsheets write a line before the header that says what separates cells.
            if number == 1 and cells[0].lower().startswith("sep="):
                return []
            self._expects_header = False
            if all(cells.count(name) == 1 for name in self._names):
                self._header = cells
                return []
            self.remarks.append("The new file begins without a line of column names; they are taken to be as before.")
        if len(cells) != len(self._header):
            return [Malformed(self._open_at, f"has {len(cells)} cells and not {len(self._header)}")]
        return [self._row(dict(zip(self._header, cells, strict=True)), self._open_at)]

    def _split(self, text: str) -> list[str] | str | None:
        """Return the cells of a row, None if a quoted cell is still open, or what is wrong."""
        try:
            rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=self._delimiter or ",", strict=True))
        except csv.Error as problem:
            if "end of data" in str(problem):
                return None
            return "has a cell that is too long" if "field larger" in str(problem) else "has a quote mark out of place"
        return rows[0] if len(rows) == 1 else "has a line end in a cell that is not quoted"

    @property
    def _names(self) -> list[str]:
        return [] if self._columns is None else self._columns.names

    def _row(self, cells: dict[str, Any], number: int) -> Row | MissingPart | Malformed:
        columns = self._columns
        if columns is None:
            raise InputError(f"{shown(self.name)} has not begun: its columns are not known yet.")
        values = {name: _text(cells[name]) for name in columns.names}
        if any(isinstance(value, list) for value in values.values()):
            return Malformed(number, "has a list or a record in a cell")
        label = values[columns.label]
        for value, reason in ((values[columns.item], "no item"), (values[columns.annotator], "no annotator")):
            if not value:
                return MissingPart(reason)
        if not label or label in self._missing:
            return MissingPart(f"missing label ({shown(label)})" if label else "missing label")
        moment = None if columns.moment is None else values[columns.moment] or None
        return Row(
            str(values[columns.item]),
            str(values[columns.annotator]),
            str(label),
            None if moment is None else str(moment),
        )


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


def _text(value: Any) -> str | list[Any] | None:
    """Return a cell as text; a list stands for whatever is not one value."""
    if value is None or isinstance(value, str):
        return value
    return ("true" if value else "false") if isinstance(value, bool) else []


def _recognised(table: Any, said: dict[str, str | None], time: str | None) -> tuple[_Columns, tuple[str, ...]]:
    """Find the columns of a long table."""
    from assent.readers.layouts import Overrides, recognise
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
        raise OptionError(f"encoding is {shown(encoding)}, which is not known; try utf-8, latin-1 or cp1252.") from None
    if codec == "utf-8-sig":
        return "utf-8"
    if plain != b'\n,;"{':
        raise OptionError(f"A file in {codec} cannot be followed line by line; write it in UTF-8.")
    return codec
