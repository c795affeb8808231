"""CSV and its kin: text with one row a line and a separator between cells, kept exactly as written."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import polars as pl

from assent.errors import EmptyTable, OptionError, UnreadableFile
from assent.limits import LONGEST_LINE
from assent.readers.csv_checks import rectangular, regular
from assent.readers.sources import HEAD, Source, decoded, invalid_byte
from assent.readers.tables import BadRow, Table, checked_header, skipping, without_empty_rows, without_unnamed
from assent.records import Struct
from assent.text import counted, shown

__all__ = ["read_delimited", "row_cells"]

_SEPARATORS = (",", ";", "\t", "|")
_SPELLED = {"\\t": "\t", "tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "}
_SNIFFED_ROWS = 500
#: So many lines at most stand above the names of the columns.
_TITLES = 20
_BATCH = 100_000
#: A file of so few bytes and columns has been read by the letter before polars has begun.
_SMALL, _NARROW = 1 << 15, 100
_BOM = b"\xef\xbb\xbf"
# Excel's own way to say which separator follows.
_HINT = re.compile(r"sep=(.)(?:\r\n|\n|\r)")


_RULE = re.compile(r"\s*[:+|]*-{2,}[-+:|]*\s*")


class _Dialect(Struct, frozen=True):
    separator: str
    header: list[str]
    start: int
    """Bytes before the header: a byte order mark, a line that names the separator."""


def read_delimited(source: Source, *, delimiter: str | None, encoding: str, prefer: str | None = None) -> Table:
    """Read delimited text into a table of text, null where a cell is empty.

    Parameters
    ----------
    source
        What to read.
    delimiter
        The separator; found from the text if None.
    encoding
        Name of the encoding; UTF-16 with a byte order mark is recognised without it.
    prefer
        The separator that the file's name speaks for.

    Raises
    ------
    UnreadableFile
        If the text is not a table: a row of another length, a quote mark left open, bytes that are not text.
    """
    source = decoded(source, encoding)
    dialect = _dialect(source, delimiter, prefer)
    # A blank line is a row of as many cells as there are columns.
    small = source.size <= _SMALL and len(dialect.header) <= _NARROW
    frame = None if small else _read_fast(source, dialect)
    if frame is None:
        frame = _read_strictly(source, dialect)
    _refuse_ruler(source.title, frame)
    frame, dropped = without_empty_rows(source.title, without_unnamed(source.title, frame))
    return Table(source.title, frame, delimiter=dialect.separator, dropped=dropped)


def _refuse_ruler(name: str, frame: pl.DataFrame) -> None:
    """Refuse a table whose names are underlined, as Markdown and the terminals of databases print it: blanks are part of its cells."""
    cells = [cell for cell in frame.row(0) if cell is not None] if frame.height else []
    if cells and all(_RULE.fullmatch(cell) for cell in cells):
        raise UnreadableFile(
            f"{name} has a line of dashes under its names, as a Markdown or printed table has; export it as CSV instead."
        )


def _dialect(source: Source, delimiter: str | None, prefer: str | None) -> _Dialect:
    raw = _opening(source)
    start = len(_BOM) if raw.startswith(_BOM) else 0
    text = raw[start:].decode(errors="ignore")
    whole = len(raw) == source.size
    hint = _HINT.match(text)
    if hint and hint[1].isascii() and delimiter in (None, hint[1]):
        delimiter, text, start = hint[1], text[hint.end() :], start + hint.end()
    if not text.strip():
        raise EmptyTable(f"{source.title} is empty; it must have a line of column names and at least one row.")
    if delimiter is None:
        delimiter = _separator(text, whole, prefer)
    else:
        delimiter = _SPELLED.get(delimiter, delimiter)
        if len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n\x00':
            raise OptionError(
                f"`delimiter` is {shown(delimiter)}; it must be one ASCII character, such as ; or | (tab for a tab)."
            )
    rows = _rows(text, delimiter, whole)
    header = next(rows, None)
    if header is None:
        raise UnreadableFile(
            f"{source.title} has a quote mark in its first line that is not closed; "
            "its first line must name the columns."
        )
    return _Dialect(delimiter, checked_header(source.title, header), start)


def _opening(source: Source) -> bytes:
    head = source.head()
    if len(head) < HEAD or b"\n" in head or b"\r" in head:
        return head
    head = source.head(LONGEST_LINE)
    if b"\n" not in head and b"\r" not in head and len(head) == LONGEST_LINE:
        raise UnreadableFile(
            f"{source.title} begins with a line of more than {LONGEST_LINE >> 20} MB; "
            "a table begins with a line of column names."
        )
    return head


def _rows(text: str, separator: str, whole: bool) -> Iterator[list[str]]:
    """Yield the rows of `text` that are there in full, blank lines aside."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    held: list[str] | None = None
    try:
        for row in reader:
            if row:
                if held is not None:
                    yield held
                held = row
    except csv.Error:
        whole = True  # the trouble is in the row after the one that is held
    if held is not None and (whole or text.endswith(("\n", "\r"))):
        yield held


def _separator(text: str, whole: bool, prefer: str | None) -> str:
    best, best_score = ",", (0.0, 0, False)
    for candidate in _SEPARATORS:
        if candidate not in text:
            continue
        widths = [len(row) for row, _ in zip(_rows(text, candidate, whole), range(_SNIFFED_ROWS), strict=False)]
        if not widths or widths[0] < 2:
            continue
        score = (widths.count(widths[0]) / len(widths), widths[0], candidate == prefer)
        if candidate == prefer and score[0] > 0.5:
            return candidate
        if score > best_score:
            best, best_score = candidate, score
    return best if best_score[0] else _below_titles(text, whole) or best


def _below_titles(text: str, whole: bool) -> str | None:
    """Return what separates the cells of most rows, where the first line is no row."""
    for candidate in _SEPARATORS:
        rows = [row for row, _ in zip(_rows(text, candidate, whole), range(_SNIFFED_ROWS), strict=False)]
        width, times = Counter(map(len, rows)).most_common(1)[0] if rows else (0, 0)
        if width > 1 and times > 0.5 * len(rows):
            return candidate
    return None


def _read_fast(source: Source, dialect: _Dialect) -> pl.DataFrame | None:
    """Read with polars; None if that cannot be trusted to be exact."""
    content = source.view()
    if content.find(b"\n") < 0:  # one line, or lines that end in carriage returns alone
        return None
    quoted = content.find(b'"') >= 0
    separator, start = dialect.separator, dialect.start
    if (quoted or content.find(b"\r") >= 0) and not regular(content, separator=separator, start=start):
        return None
    try:
        frame = pl.read_csv(
            source.path or source.data,
            separator=separator,
            skip_lines=1 if start > len(_BOM) else 0,
            infer_schema=False,
            glob=False,
        )
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError):
        return None
    if frame.width != len(dialect.header):
        return None
    frame.columns = dialect.header
    # polars refuses long rows but fills short ones with nulls and overlooks a separator that ends the file.
    doubtful = frame.to_series(-1).null_count() > 0 or content[-1:] == separator.encode()
    if doubtful and not rectangular(content, separator=separator, columns=frame.width, start=start):
        return None
    # A quoted empty cell is an empty cell; polars makes a text of it.
    return frame.with_columns(pl.when(pl.all() != "").then(pl.all()).name.keep()) if quoted else frame


def _read_strictly(source: Source, dialect: _Dialect) -> pl.DataFrame:
    """Read by the letter: slowly, and with an error that names the line."""
    error = invalid_byte(source)
    if error is not None:
        raise error
    width = len(dialect.header)
    name = source.title
    frames: list[pl.DataFrame] = []
    batch: list[list[str | None]] = []
    with source.text(newline="", start=dialect.start) as text:
        reader = csv.reader(_bounded(text, name), delimiter=dialect.separator, strict=True)
        before = 1 if dialect.start > len(_BOM) else 0
        line = before + 1
        header = True
        above = before - 1
        try:
            for row in reader:
                above += 1
                if header:
                    header = not row
                else:
                    batch.append(_filled(row, width))
                line = before + reader.line_num + 1
                if len(batch) == _BATCH:
                    frames.append(_framed(dialect.header, batch))
                    batch = []
        except BadRow:
            told, remedies = "fill it up, or delete it if it stands below the table", list[dict[str, str]]()
            if len(row) > width:
                told = "quote a cell that holds the separator"
                if not frames and len(batch) < _TITLES and _widths(reader) == {len(row)}:
                    told, remedies = skipping(above, line)
            raise UnreadableFile(
                f"{name} has {counted(len(row), 'field')} in line {line} and {width} in its header; every row must have as many ({told}).",
                candidates=remedies,
            ) from None
        except csv.Error as problem:
            raise UnreadableFile(f"{name}, line {line}: {_reason(str(problem))}.") from None
    frames.append(_framed(dialect.header, batch))
    return pl.concat(frames)


def _framed(header: Sequence[str], rows: Sequence[Sequence[str | None]]) -> pl.DataFrame:
    """Return rows of text as a table."""
    columns = zip(*rows, strict=True) if rows else [()] * len(header)
    # By name: in a list, a column without a name would get one.
    return pl.DataFrame(dict(zip(header, columns, strict=True)), schema=dict.fromkeys(header, pl.String))


def _widths(reader: Iterable[list[str]]) -> set[int]:
    """Return how many cells the next rows have, blank lines aside; nothing if one is no row."""
    try:
        return {len(row) for row, _ in zip(reader, range(_SNIFFED_ROWS), strict=False) if row}
    except csv.Error:
        return set()


def _filled(row: list[str], width: int | None) -> list[str | None]:
    """Return the cells of a row, None where one is empty: all of them are in a blank line."""
    if row and width is not None and len(row) != width:
        raise BadRow(f"has {len(row)} cells and not {width}")
    return [cell or None for cell in row] or [None] * (width or 0)


def row_cells(text: str, *, separator: str, width: int | None = None) -> list[str | None] | None:
    r"""Read one row by the letter, for a file that is read line by line.

    Parameters
    ----------
    text : str
        The row; a quoted cell of it may hold line ends.
    width : int, optional
        How many cells it must have.

    Returns
    -------
    list of str or None, or None
        The cells, None where one is empty; None in place of all if a quoted cell is not closed yet.

    Raises
    ------
    BadRow
        If it is no row.

    Examples
    --------
    >>> row_cells('1,"a ""b"" c",', separator=","), row_cells('1,"two', separator=",")
    (['1', 'a "b" c', None], None)
    """
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    except csv.Error as problem:
        if "end of data" in str(problem):
            return None
        long = "field larger" in str(problem)
        raise BadRow("has a cell that is too long" if long else "has a quote mark out of place") from None
    if len(rows) > 1:
        raise BadRow("has a line end in a cell that is not quoted")
    return _filled(rows[0] if rows else [], width)


def _bounded(text: io.TextIOWrapper, name: str) -> Iterator[str]:
    """Yield the lines, but none that is too long to be meant as one."""
    number = 1
    while line := text.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE:
            raise UnreadableFile(
                f"{name} has more than {LONGEST_LINE >> 20} MB in line {number}; "
                "check its line ends, and whether a quote mark is not closed."
            )
        yield line
        number += 1


def _reason(problem: str) -> str:
    if "field larger" in problem:
        return (
            f"a cell is longer than {csv.field_size_limit():,} characters, most likely because a quote mark is not closed; "
            "close it, or double it if it is part of the text"
        )
    if "end of data" in problem:
        return "a quote mark opens a cell and is never closed; close it, or double it if it is part of the text"
    return 'a quoted cell goes on after its closing quote mark; write a quote mark inside a quoted cell twice ("")'
