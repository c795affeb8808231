"""JSON and JSONL: records whose values stay as they are written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

import polars as pl

from assent.errors import EmptyTable, UnreadableFile
from assent.readers.sources import Source, decoded, invalid_byte
from assent.readers.tables import BadRow, Table
from assent.text import shown

__all__ = ["read_records", "record_cells"]

_BATCH = 50_000
_BLANK = re.compile(r"[ \t\n\r]*")


class _RepeatedKey(ValueError):
    """A record has a key twice, so that one of the values would be lost."""


def _record(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _RepeatedKey(next(key for key in keys if keys.count(key) > 1))
    return record


# Numbers as text: 1, 1.0 and 1.00 are what the user wrote.
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str, object_pairs_hook=_record, strict=False)


def read_records(source: Source, *, encoding: str, lines: bool | None = None) -> Table:
    """Read records into a table of text, null where a record has null or no value.

    Parameters
    ----------
    source
        What to read: one record a line, an array of records, or an object with one such array in it.
    encoding
        Name of the encoding.
    lines
        Whether there is one record a line; found from the text if None.

    Raises
    ------
    UnreadableFile
        If it is not JSON, naming the line, or not records.
    """
    source = decoded(source, encoding)
    head = source.head().decode("utf-8-sig", errors="ignore").lstrip()
    name = source.title
    if not head:
        raise EmptyTable(f'{name} is empty; it must hold records such as {{"item": …, "annotator": …, "label": …}}.')
    try:
        if lines is None:
            lines = head.startswith("{") and _record_a_line(source)
        columns = _Columns()
        blank: list[int] = []
        columns.extend(_lines(source, name, blank) if lines else _document(source, name))
        frame = columns.frame()
    except UnicodeDecodeError:
        raise invalid_byte(source) or UnreadableFile(f"{name} is not UTF-8 text; name its encoding.") from None
    except UnicodeEncodeError:
        raise UnreadableFile(
            f"{name} holds half of a surrogate pair (\\ud800 to \\udfff), which is no character; write it again."
        ) from None
    except RecursionError:
        raise UnreadableFile(f"{name} is nested too deeply for a table; it must hold flat records.") from None
    except _RepeatedKey as error:
        raise UnreadableFile(
            f"{name} has a record with the key {shown(error)} twice; each key may occur once."
        ) from None
    if not frame.width:
        raise EmptyTable(f"{name} holds no records; there must be at least one with a value.")
    first_line = 1 if lines and not blank else None
    return Table(source.title, frame, nested=frozenset(columns.nested), first_line=first_line)


def _record_a_line(source: Source) -> bool:
    """Return whether the first line is a record on its own and another line follows."""
    with source.text(newline="\n") as text:
        filled = (line for line in text if line.strip())
        first = next(filled, "")
        try:
            complete = isinstance(_DECODER.decode(first.strip()), dict)
        except json.JSONDecodeError:
            # Only a line that could have been one is a broken record; the first line of a document is a brace.
            return len(first.strip()) > 1 and next(filled, "").lstrip().startswith("{")
        return complete and next(filled, None) is not None


def _lines(source: Source, name: str, blank: list[int]) -> Iterator[dict[str, Any]]:
    # Only \n ends a line: JSON strings may hold the other line separators of Unicode.
    with source.text(newline="\n") as file:
        for number, line in enumerate(file, start=1):
            text = line.strip(" \t\r\n")
            if not text:
                blank.append(number)
                continue
            try:
                record = _decoded(text)
            except json.JSONDecodeError as error:
                raise UnreadableFile(
                    f"{name} is broken JSON in line {number}: {_reason(error)}; export it again, or mend that line."
                ) from None
            if not isinstance(record, dict):
                raise UnreadableFile(f"{name} has {_kind(record)} in line {number}; every line must be a record {{…}}.")
            yield record


def _decoded(text: str) -> Any:
    value, end = _DECODER.raw_decode(text)
    if end != len(text):
        raise json.JSONDecodeError("Extra data", text, end)
    return value


def record_cells(text: str, names: Iterable[str]) -> dict[str, str | None] | None:
    """Read some cells of the record in one line, for a file that is read line by line; None if the line is blank.

    Raises
    ------
    BadRow
        If it is no record, or one of the cells is not one value.

    Examples
    --------
    >>> record_cells('{"item": 1.0, "label": true, "text": "x"}', ["item", "annotator", "label"])
    {'item': '1.0', 'annotator': None, 'label': 'true'}
    """
    text = text.strip(" \t\r\n")
    if not text:
        return None
    try:
        record = _decoded(text)
    except json.JSONDecodeError:
        raise BadRow("is broken JSON") from None
    except RecursionError:
        raise BadRow("is nested too deeply") from None
    except _RepeatedKey as error:
        raise BadRow(f"has the key {shown(error)} twice") from None
    if not isinstance(record, dict):
        raise BadRow("is not a record {…}")
    values = {name: record.get(name) for name in names}
    if any(isinstance(value, dict | list) for value in values.values()):
        raise BadRow("has a list or a record in a cell")
    cells = {name: _text(value) or None for name, value in values.items()}
    try:
        "".join(filter(None, cells.values())).encode()
    except UnicodeEncodeError:
        raise BadRow("holds half of a surrogate pair") from None
    return cells


def _text(value: str | bool | None) -> str | None:
    """Return one value as text; numbers are text already."""
    return ("true" if value else "false") if isinstance(value, bool) else value


def _document(source: Source, name: str) -> Iterable[dict[str, Any]]:
    text = source.content().decode("utf-8-sig")
    try:
        if text.lstrip(" \t\r\n").startswith("["):
            yield from _checked(_array(text), name)
            return
        document = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise UnreadableFile(
            f"{name} is broken JSON in line {error.lineno}: {_reason(error)}; export it again, or mend that line."
        ) from None
    if not isinstance(document, dict):
        raise UnreadableFile(f"{name} holds {_kind(document)}; it must hold an array of records.")
    lists = [key for key, value in document.items() if _records(value)]
    if len(lists) > 1:
        raise UnreadableFile(
            f"{name} has {len(lists)} lists of records ({', '.join(map(shown, lists[:8]))}); write one of them to a file of its own."
        )
    if lists:
        yield from _checked(document[lists[0]], name)
    elif (by_columns := _by_columns(document)) is not None:
        yield from by_columns
    elif any(isinstance(value, dict | list) for value in document.values()):
        raise UnreadableFile(f"{name} is an object without a list of records; it must hold an array of records.")
    else:
        yield document


def _by_columns(document: dict[str, Any]) -> Iterable[dict[str, Any]] | None:
    """Return the rows of a table that was written by columns, as pandas and polars do; None if it is none.

    That is a list of cells for each column, an object of cells by row for each column, or the names of the columns beside a list of rows.
    """
    names, rows = document.get("columns"), document.get("data")
    if isinstance(names, list) and isinstance(rows, list) and all(isinstance(name, str) for name in names):
        if rows and all(isinstance(row, list) and len(row) == len(names) for row in rows):
            return [dict(zip(names, row, strict=True)) for row in rows]
        return None
    columns = list(document.values())
    if len(columns) > 1 and all(isinstance(cells, list) and cells for cells in columns):
        if len(set(map(len, columns))) > 1:
            return None
        return [dict(zip(document, row, strict=True)) for row in zip(*columns, strict=True)]
    if len(columns) > 1 and all(isinstance(cells, dict) and cells for cells in columns):
        keys = list(columns[0])
        flat = not any(isinstance(cell, dict | list) for cells in columns for cell in cells.values())
        if not flat or any(cells.keys() != columns[0].keys() for cells in columns):
            return None
        # pandas numbers the rows unless they have names.
        index = {} if keys == [str(i) for i in range(len(keys))] else {"": keys}
        return [
            {
                **{name: held[i] for name, held in index.items()},
                **{name: cells[key] for name, cells in document.items()},
            }
            for i, key in enumerate(keys)
        ]
    return None


def _array(text: str) -> Iterator[Any]:
    """Yield the elements of a JSON array one by one: a million records need not be objects at once."""
    position = _skip(text, _skip(text, 0) + 1)
    if text[position : position + 1] != "]":
        while True:
            value, position = _DECODER.raw_decode(text, position)
            yield value
            position = _skip(text, position)
            mark = text[position : position + 1]
            if mark == "]":
                break
            if mark != ",":
                raise json.JSONDecodeError("Expecting ',' delimiter", text, position)
            position = _skip(text, position + 1)
    end = _skip(text, position + 1)
    if end != len(text):
        raise json.JSONDecodeError("Extra data", text, end)


def _skip(text: str, position: int) -> int:
    match = _BLANK.match(text, position)
    return match.end() if match else position


def _checked(values: Iterable[Any], name: str) -> Iterator[dict[str, Any]]:
    for number, value in enumerate(values, start=1):
        if not isinstance(value, dict):
            raise UnreadableFile(
                f"{name} has {_kind(value)} as element {number}; every element must be a record {{…}}."
            )
        yield value


def _records(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "an array", bool: "a truth value", type(None): "null"}
    return names.get(type(value), f"the value {shown(value)}")


def _reason(error: json.JSONDecodeError) -> str:
    # Some of the messages end in "at".
    return f"{error.msg[:1].lower()}{error.msg[1:].removesuffix(' at')} at column {error.colno}"


class _Columns:
    """Records turned into columns as they come; a key that comes late is empty in the records before."""

    def __init__(self) -> None:
        self.nested: set[str] = set()
        self._frames: list[pl.DataFrame] = []

    def extend(self, records: Iterable[dict[str, Any]]) -> None:
        batch: list[dict[str, Any]] = []
        for record in records:
            batch.append(record)
            if len(batch) == _BATCH:
                self._flush(batch)
                batch = []
        self._flush(batch)

    def _flush(self, batch: list[dict[str, Any]]) -> None:
        names: dict[str, Any] = {}
        for record in batch:
            names.update(record)
        cells = {}
        for name in names:
            values = [record.get(name) for record in batch]
            if not {str, type(None)}.issuperset(map(type, values)):
                values = [self._text(name, value) for value in values]
            cells[name] = values
        frame = pl.DataFrame(cells, schema=dict.fromkeys(names, pl.String))
        self._frames.append(frame.select(pl.when(pl.all() != "").then(pl.all()).name.keep()))

    def _text(self, name: str, value: Any) -> str | None:
        if not isinstance(value, dict | list):
            return _text(value)
        self.nested.add(name)
        return json.dumps(value, ensure_ascii=False)

    def frame(self) -> pl.DataFrame:
        """Return all records as one table."""
        return pl.concat(self._frames, how="diagonal")
