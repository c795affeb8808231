"""Texts, JSON records and rows of the members of an export, in bounded memory.

A list of records is read record by record: memory holds the largest of them, not the file.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
import math
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, islice
from json.decoder import WHITESPACE  # type: ignore[attr-defined]
from typing import Any, TextIO

from assent.errors import UnreadableFile
from assent.readers.exports.sources import Member
from assent.text import shown

__all__ = [
    "Pairs", "Peek", "Records", "Rows", "as_number", "as_text", "load", "load_object", "loads", "look", "open_text", "read_text",
]  # fmt: skip

_CHUNK = 1 << 18
_SLICE = 1 << 18
"""Characters of an object whose pairs are taken at once."""
_STEP = 1 << 26
_WINDOW = 1 << 23
"""Characters of a large object that are read at once."""
_LARGEST = 1 << 28
"""Characters of the largest record that is read."""
_LOOK = 1 << 23
"""Characters of a record that is looked at to recognise a format."""
_GLANCE = 1 << 18
"""Characters of an object that is looked at whole; of larger ones only the first pairs are."""
_STRETCH = 1 << 21
"""Characters of such a larger object in which the starts of its values are looked for."""
_START = 1 << 14
"""Characters of such a value that are looked at."""
_CELL = 1 << 24
_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


_COMMA = re.compile(r"[ \t\n\r]*,[ \t\n\r]*(?=[^ \t\n\r])").match
_BEGINS = re.compile(r'\{[ \t\n\r]*"[^"\\\\]*"[ \t\n\r]*:').match
_PAIR = re.compile(r'[ \t\n\r]*,[ \t\n\r]*"([^"\\\\\x00-\x1f]*)"[ \t\n\r]*:[ \t\n\r]*(?=[^ \t\n\r])').match
_OBJECT = re.compile(r'[ \t\n\r]*,[ \t\n\r]*"[^"\\\\]*"[ \t\n\r]*:[ \t\n\r]*(\{[ \t\n\r]*"[^"\\\\]*"[ \t\n\r]*:)').match
_TABLE = re.compile(r'[ \t\n\r]*\{[ \t\n\r]*"([^"\\\\]*)"[ \t\n\r]*:[ \t\n\r]*\{').match
_NEXT_TABLE = re.compile(r'\}[ \t\n\r]*,[ \t\n\r]*"([^"\\\\]*)"[ \t\n\r]*:[ \t\n\r]*\{').match
_MISSES = 3
"""So often at most it is tried to take many records at once."""


class _NotJson(ValueError):
    """NaN and infinities, which JSON does not have."""


def _constant(name: str) -> Any:
    raise _NotJson(name)


_DECODER = json.JSONDecoder(parse_constant=_constant)


# --- texts ----------------------------------------------------------------------------------------------------------


class _Text(io.TextIOWrapper):
    """Text whose broken bytes are a sentence."""

    title = ""
    said = ""

    def read(self, size: int | None = -1, /) -> str:
        try:
            return super().read(size)
        except UnicodeError:
            raise _undecodable(self.title, self.said) from None

    def __next__(self) -> str:  # type: ignore[override]
        try:
            return super().__next__()
        except UnicodeError:
            raise _undecodable(self.title, self.said) from None


def _undecodable(title: str, encoding: str) -> UnreadableFile:
    return UnreadableFile(f"{title} is not text in {encoding.upper()}; say how it is encoded with `encoding`.")


def open_text(member: Member, *, newline: str | None = None) -> TextIO:
    """Return a member as text; a byte order mark decides the encoding, else it is what was said."""
    raw = member.open()
    start = raw.peek(4)[:4]  # type: ignore[attr-defined]
    encoding = next((name for mark, name in _BOMS if start.startswith(mark)), member.encoding)
    try:
        text = _Text(raw, encoding, newline=newline)
    except LookupError:
        raise UnreadableFile(f"{shown(encoding)} is no encoding that Python knows; try utf-8 or cp1252.") from None
    text.title, text.said = member.title, encoding.removesuffix("-sig")
    return text


def read_text(member: Member) -> str:
    """Return all text of a member, its line ends as they are."""
    with open_text(member, newline="") as file:
        return file.read()


def as_text(value: object) -> str | None:
    """Return a JSON scalar as text, or None for null, a list or an object.

    Examples
    --------
    >>> as_text("a"), as_text(True), as_text(1), as_text(2.5), as_text(None)
    ('a', 'true', '1', '2.5', None)
    """
    kind = type(value)
    if kind is str:
        return value  # type: ignore[return-value]
    if kind is bool:
        return "true" if value else "false"
    if kind is int:
        try:
            return str(value)
        except ValueError:  # more digits than Python writes
            return None
    if kind is float:
        return as_number(value)
    return None


def as_number(value: object) -> str | None:
    """Return a number as text, the same for 4 and 4.0, or None for anything else, NaN and infinities among it.

    Examples
    --------
    >>> as_number(4.0), as_number(4), as_number("4"), as_number(True)
    ('4', '4', None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    try:
        return str(value)
    except ValueError:
        return None


# --- JSON -----------------------------------------------------------------------------------------------------------


def _refusal(title: str, error: Exception, line: int) -> UnreadableFile:
    where = f" (line {line:,})" if line else ""
    if isinstance(error, RecursionError):
        return UnreadableFile(f"{title} is nested too deeply to be read{where}.")
    if isinstance(error, _NotJson):
        return UnreadableFile(f"{title} holds {error}, which JSON does not have{where}; write null in its place.")
    if isinstance(error, json.JSONDecodeError):
        reason = error.msg[:1].lower() + error.msg[1:]
        return UnreadableFile(f"{title} is not valid JSON: {reason}{where}; export it again.")
    return UnreadableFile(f"{title} holds a number that is too long to be read{where}.")


def loads(text: str, title: str) -> Any:
    """Return the JSON in a text; whatever is wrong with it is one sentence."""
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        raise _refusal(title, error, getattr(error, "lineno", 0)) from None


def load(member: Member) -> Any:
    """Return the JSON of a whole member that is known to be small."""
    return loads(read_text(member), member.title)


class _Stream:
    """A sliding window over a text, from which JSON values are taken one by one."""

    def __init__(self, member: Member, *, largest: int = _LARGEST, chunk: int = _CHUNK) -> None:
        self.file = open_text(member, newline="")
        self.title = member.title
        self.largest = largest
        self.chunk = chunk
        self.buffer = ""
        self.at = 0
        self.passed = 0
        self.ended = False
        self.lines = 1

    def line(self) -> int:
        """Return the number of the line on which the next value begins."""
        return self.lines + self.buffer.count("\n", 0, self.at)

    def more(self) -> bool:
        """Read on; return False at the end. What was consumed is let go."""
        if self.ended:
            return False
        # The window grows with the record, so that a long one is not scanned again for every chunk.
        new = self.file.read(max(self.chunk, min(3 * (len(self.buffer) - self.at), _STEP)))
        if not new:
            self.ended = True
            return False
        if self.at:
            self.lines += self.buffer.count("\n", 0, self.at)
            self.buffer = self.buffer[self.at :]
            self.passed += self.at
            self.at = 0
        self.buffer += new
        if len(self.buffer) > 2 * self.largest:
            raise UnreadableFile(f"{self.title} holds a record of more than {self.largest:,} characters; split it.")
        return True

    def next_mark(self) -> str:
        """Skip blanks; return the next character without taking it, or nothing at the end."""
        while True:
            self.at = WHITESPACE.match(self.buffer, self.at).end()
            if self.at < len(self.buffer):
                return self.buffer[self.at]
            if not self.more():
                return ""

    def value(self) -> Any:
        """Take the value that begins here."""
        scan = _DECODER.scan_once  # type: ignore[attr-defined]
        while True:
            buffer = self.buffer
            try:
                value, end = scan(buffer, self.at)
            except StopIteration as stop:
                if int(stop.value) < len(buffer) - 16 or not self.more():
                    raise self.wrong("expecting value", int(stop.value)) from None
                continue
            except json.JSONDecodeError as error:
                # A value cut off by the end of the window fails at its very end, or in a text that does not close.
                cut = error.pos >= len(buffer) - 16 or error.msg.startswith("Unterminated string")
                if not cut or not self.more():
                    raise self.wrong(error.msg[:1].lower() + error.msg[1:], error.pos) from None
                continue
            except (ValueError, RecursionError) as error:
                raise _refusal(self.title, error, self.line()) from None
            if end == len(buffer) and not self.ended and buffer[end - 1] not in '}]"' and self.more():
                continue  # a number may go on
            self.at = end
            return value

    def several(self) -> list[Any]:
        """Take many elements of a list at once, and the comma after them; nothing if that fails.

        They reach to the last place in the window where something begins as the next element does. If that is in the middle of a text or of an
        object the slice is no JSON, so that nothing is ever cut wrongly.
        """
        begins = _BEGINS(self.buffer, self.at)
        end = -1 if begins is None else self.buffer.rfind(begins[0], self.at + 1)
        elements = self.buffer[self.at : end].rstrip(" \t\n\r") if end > 0 else ""
        if not elements.endswith(","):
            return []
        try:
            found: list[Any] = _DECODER.decode(f"[{elements[:-1]}]")
        except (ValueError, RecursionError):
            return []
        self.at = end
        return found

    def take(self, mark: str, what: str) -> None:
        if self.next_mark() != mark:
            raise self.wrong(f"expecting {what}", self.at)
        self.at += 1

    def wrong(self, reason: str, position: int) -> UnreadableFile:
        """Return the error for what is not JSON."""
        line = self.lines + self.buffer.count("\n", 0, position)
        return UnreadableFile(f"{self.title} is not valid JSON: {reason} (line {line:,}); export it again.")

    def close(self) -> None:
        self.file.close()


class Records:
    """The records of a member, one by one: elements of a list, lines of JSONL, or the one value there is.

    Parameters
    ----------
    member : Member
    largest : int
        Characters of the largest record that is read.
    small : bool
        Records are small and flat, so that taking many of a list at once is faster than one by one.

    Attributes
    ----------
    shape : str
        ``list``, ``lines`` (also for one object alone) or ``empty``.
    """

    def __init__(self, member: Member, *, largest: int = _LARGEST, small: bool = False) -> None:
        self._stream = _Stream(member, largest=largest)
        self._tries = _MISSES if small else 0
        #: Where many elements that were taken at once go, if not one by one.
        self._whole: list[Any] | None = None
        mark = self._stream.next_mark()
        self.shape = "list" if mark == "[" else "lines" if mark else "empty"
        self._place = (1, 0, "", 0)
        self._member = member

    def __iter__(self) -> Iterator[Any]:
        stream = self._stream
        try:
            if self.shape == "list":
                yield from self._elements(stream)
                if stream.next_mark():
                    raise stream.wrong("something follows the list", stream.at)
            else:
                while stream.next_mark():
                    self._place = (stream.lines, stream.at, stream.buffer, 0)
                    yield stream.value()
        finally:
            stream.close()

    def batches(self, size: int) -> Iterator[list[Any]]:
        """Yield the records in lists of `size` or more, which is faster where they are small."""
        if not self._tries or self.shape != "list":
            records = iter(self)
            while some := list(islice(records, size)):
                yield some
            return
        batch: list[Any] = []
        self._whole = batch
        for record in self:
            batch.append(record)
            if len(batch) >= size:
                yield batch[:]
                batch.clear()
        if batch:
            yield batch

    def _elements(self, stream: _Stream) -> Iterator[Any]:
        stream.at += 1
        if stream.next_mark() == "]":
            stream.at += 1
            return
        stream.next_mark()
        while True:
            self._place = (stream.lines, stream.at, stream.buffer, 0)
            yield stream.value()
            following = _COMMA(stream.buffer, stream.at)
            if following is not None:
                stream.at = following.end()
                if self._tries:
                    begin, many = stream.at, stream.several()
                    self._tries -= not many
                    if self._whole is not None:
                        self._whole.extend(many)
                        continue
                    for number, one in enumerate(many):
                        self._place = (stream.lines, begin, stream.buffer, number)
                        yield one
                continue
            # The end of the list, of the window, or something that is no JSON.
            if stream.next_mark() == "]":
                stream.at += 1
                return
            stream.take(",", "a comma or the end of the list")
            stream.next_mark()

    def where(self) -> str:
        """Return the place of the record that was handed over last, for a message."""
        lines, at, buffer, after = self._place
        for _ in range(after):
            at = _DECODER.raw_decode(buffer, at)[1]
            at = buffer.index("{", at)
        return f"line {lines + buffer.count(chr(10), 0, at):,} of {self._member.title}"


def load_object(member: Member) -> dict[str, Any]:
    """Return a member that is one JSON object; of names that come twice the last counts, as everywhere in JSON."""
    with open_text(member, newline="") as file:
        text = file.read(_WINDOW)
    found = loads(text, member.title) if len(text) < _WINDOW else dict(Pairs(member))
    if not isinstance(found, dict):
        raise UnreadableFile(f"{member.title} is not a JSON object; export it again.")
    return found


class Pairs:
    """The keys and values of a member that is one JSON object, pair by pair."""

    def __init__(self, member: Member, *, largest: int = _LARGEST, window: int = _WINDOW) -> None:
        # An object of few large values is not read again and again as the window grows.
        self._stream = _Stream(member, largest=largest, chunk=min(max(_CHUNK, member.size), window))

    @property
    def passed(self) -> int:
        """How many characters were read."""
        return self._stream.passed + self._stream.at

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        stream = self._stream
        scan = _DECODER.scan_once  # type: ignore[attr-defined]
        for pair in self._first_of_stretches():
            yield pair
            buffer, at = stream.buffer, stream.at
            while (following := _PAIR(buffer, at)) is not None:
                try:
                    value, at = scan(buffer, following.end())
                except (StopIteration, ValueError, RecursionError):
                    break  # the end of the window, or no JSON
                if at == len(buffer):
                    break  # a number may go on
                stream.at = at
                yield following[1], value

    def batches(self) -> Iterator[dict[str, Any]]:
        """Yield the pairs in objects, which is faster where the values are small objects; a name that comes again is in another one."""
        tries = _MISSES
        for key, value in self._first_of_stretches():
            yield {key: value}
            while tries and (some := self._several()):
                yield some
            # At the end of the window there is nothing to take, which is no miss.
            tries -= self._stream.at + _SLICE < len(self._stream.buffer)

    def _first_of_stretches(self) -> Iterator[tuple[str, Any]]:
        """Yield pairs with all care; after each of them more may be taken from the window."""
        stream = self._stream
        try:
            stream.take("{", "an object")
            if stream.next_mark() == "}":
                return
            while True:
                if stream.next_mark() != '"':
                    raise stream.wrong("expecting a name in quote marks", stream.at)
                key = stream.value()
                stream.take(":", "a colon")
                stream.next_mark()
                yield key, stream.value()
                if stream.next_mark() == "}":
                    stream.at += 1
                    if stream.next_mark():
                        raise stream.wrong("something follows the object", stream.at)
                    return
                stream.take(",", "a comma or the end of the object")
        finally:
            stream.close()

    def _several(self) -> dict[str, Any]:
        """Take many pairs at once whose values begin alike; nothing if that fails.

        They reach to the last place where a value begins as the next one does. A slice that is cut elsewhere than between two pairs is no JSON.
        """
        stream = self._stream
        buffer, at = stream.buffer, stream.at
        begins = _OBJECT(buffer, at)
        end = -1 if begins is None else buffer.rfind(begins[1], begins.end(), at + _SLICE)
        if begins is None or end < 0:
            return {}
        name = buffer.rfind('"', at, buffer.rfind('"', at, end))
        pairs = buffer[at:name].strip(" \t\n\r")
        if not pairs.endswith(","):
            return {}
        try:
            found: dict[str, Any] = _DECODER.decode(f"{{{pairs[1:-1]}}}")
        except (ValueError, RecursionError):
            return {}
        if len(found) != pairs.count(begins[1]):
            return {}  # a name that comes twice, perhaps
        stream.at = buffer.rindex(",", at, name)
        return found


# --- tables ---------------------------------------------------------------------------------------------------------


class Rows:
    """The rows of a member that is delimited text.

    Attributes
    ----------
    header : list of str
    delimiter : str
    """

    def __init__(self, member: Member) -> None:
        self._member = member
        self._file = open_text(member, newline="")
        start = self._file.read(1 << 16)
        self.delimiter = _delimiter(start)
        self._reader = csv.reader(_lines(start, self._file), delimiter=self.delimiter)
        with self._guarded():
            self.header: list[str] = next(self._reader, [])

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        # Texts of documents stand in cells; the limit of the csv module, which all of a process share, is far below them.
        usual = csv.field_size_limit(_CELL)
        try:
            yield
        except csv.Error as error:
            reason = str(error)
            if "field limit" in reason:
                reason = f"a cell is longer than {_CELL:,} characters, most likely because a quote mark is not closed"
            raise UnreadableFile(f"{self._member.title}, line {self._reader.line_num:,}: {reason}.") from None
        except UnicodeError:
            raise _undecodable(self._file.title, self._file.said) from None  # type: ignore[attr-defined]
        finally:
            csv.field_size_limit(usual)

    @property
    def line(self) -> int:
        """The line on which the row that was handed over last ends."""
        return self._reader.line_num

    def __iter__(self) -> Iterator[list[str]]:
        """Yield the rows after the header, blank ones left out, short ones filled up."""
        width = len(self.header)
        try:
            with self._guarded():
                for row in self._reader:
                    if len(row) == width:
                        yield row
                    elif (filled := self._filled(row)) is not None:
                        yield filled
        finally:
            self._file.close()

    def batches(self, size: int) -> Iterator[list[list[str]]]:
        """Yield the rows in lists, as one by one, which is faster where they are all as wide as the header."""
        width = {len(self.header)}
        try:
            with self._guarded():
                while some := list(islice(self._reader, size)):
                    if set(map(len, some)) != width:
                        some = [row for one in some if (row := self._filled(one)) is not None]
                    if some:
                        yield some
        finally:
            self._file.close()

    def _filled(self, row: list[str]) -> list[str] | None:
        """Return a row with as many cells as the header, None for a blank one."""
        width = len(self.header)
        if len(row) <= width:
            return row + [""] * (width - len(row)) if len(row) == width or any(row) else None
        if not any(row[width:]):
            return row[:width]
        rows = Rows(self._member)
        wrong = next(one for one in rows._reader if any(one[width:]))
        raise UnreadableFile(
            f"{self._member.title}, line {rows.line:,}: the row has {len(wrong)} cells, the header {width}; export it again."
        )


def _lines(start: str, file: TextIO) -> Iterable[str]:
    """Return the lines of what was read and of what follows, with their ends: LF, CRLF or CR."""
    if start.endswith("\r"):
        # Whether that is the end of the line, the next character tells.
        start += file.read(1)
    lines = io.StringIO(start, newline="").readlines()
    if lines and not lines[-1].endswith(("\n", "\r")):
        lines[-1] += file.readline()
    return chain(lines, iter(file.readline, ""))


def _delimiter(start: str) -> str:
    first = next(iter(csv.reader([_first_line(start)])), []) if start else []
    counts = {",": len(first)}
    for other in ("\t", ";", "|"):
        counts[other] = len(next(iter(csv.reader([_first_line(start)], delimiter=other)), []))
    best = max(counts, key=lambda mark: counts[mark])
    return best if counts[best] > 1 else ","


def _first_line(text: str) -> str:
    return re.split(r"[\r\n]", text, maxsplit=1)[0]


# --- a first look ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Peek:
    """What a first look at a member shows.

    Parameters
    ----------
    shape : {"list", "lines", "object", "table", "text", "empty", "bytes"}
        ``object``: one JSON object and nothing after it; ``text``: neither JSON nor a table, such as XML.
    records : tuple
        The first records of a list or of lines; of an object, itself, or its first pairs if it is large.
    header : tuple of str
        Of a table.
    rows : tuple of tuple of str
        The first rows after the header.
    delimiter : str
    """

    shape: str
    records: tuple[Any, ...] = ()
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    delimiter: str = ","
    start: str = field(default="", repr=False)

    @property
    def first(self) -> dict[str, Any]:
        """The first record if it is an object, else an empty one."""
        record = next(iter(self.records), None)
        return record if isinstance(record, dict) else {}

    @property
    def objects(self) -> tuple[dict[str, Any], ...]:
        """The first records that are objects."""
        return tuple(r for r in self.records if isinstance(r, dict))


def look(member: Member) -> Peek:
    """Look at the first records or rows of a member; nothing in it can make this fail but that it cannot be opened."""
    head = member.head(4096)
    if not head:
        return Peek(shape="empty")
    try:
        with open_text(member, newline="") as file:
            start = file.read(2048)
    except UnreadableFile:
        return Peek(shape="bytes")
    mark = start.lstrip()[:1]
    try:
        if mark == "{":
            return _look_at_object(member, start)
        if mark == "[":
            return Peek(shape="list", records=_first_records(member), start=start)
        if mark == "<" or not mark:
            return Peek(shape="text" if mark else "empty", start=start)
        if "\0" in start:
            return Peek(shape="bytes", start=start)
        rows = Rows(member)
        first = tuple(tuple(row) for row in islice(iter(rows), 5))
        return Peek(shape="table", header=tuple(rows.header), rows=first, delimiter=rows.delimiter, start=start)
    except UnreadableFile:
        return Peek(shape="text", start=start)


def _first_records(member: Member, largest: int = _LOOK) -> tuple[Any, ...]:
    """Return the first records, as many as can be read before something is wrong."""
    found: list[Any] = []
    try:
        for record in islice(Records(member, largest=largest), 5):
            found.append(record)  # noqa: PERF402 - what was read before an error counts
    except UnreadableFile:
        pass
    return tuple(found)


def _look_at_object(member: Member, start: str) -> Peek:
    records = _first_records(member, _GLANCE)
    if records:
        return Peek(shape="object" if len(records) == 1 else "lines", records=records, start=start)
    # Too large for a look, or broken further on: the first pairs will do.
    pairs = _starts_of_tables(member)
    if pairs:
        return Peek(shape="object", records=(pairs,), start=start)
    try:
        found = Pairs(member, largest=_LOOK, window=_GLANCE)
        for key, value in islice(found, 20):
            pairs[key] = value
            if len(pairs) > 1 and found.passed > _GLANCE:
                break
    except UnreadableFile:
        pass
    return Peek(shape="object", records=(pairs,), start=start)


def _starts_of_tables(member: Member) -> dict[str, Any]:
    """Return the first pairs of an object of large flat objects, of each only the start; nothing if it is none."""
    with open_text(member, newline="") as file:
        text = file.read(_STRETCH)
    pairs: dict[str, Any] = {}
    name = _TABLE(text)
    while name is not None and len(pairs) < 20:
        cut = text.find(",", name.end() + _START)
        end = text.find("}", name.end())
        if cut < 0 or end < 0:
            break
        if end < cut:
            return {}
        # The last pair may be cut in the middle.
        start = text[name.end() : cut].rpartition(",")[0]
        try:
            found = _DECODER.decode(f"{{{start}}}")
        except (ValueError, RecursionError):
            return {}
        if any(isinstance(value, dict | list) for value in found.values()):
            return {}
        pairs[name[1]] = found
        name = _NEXT_TABLE(text, end)
    return pairs if len(pairs) > 1 else {}
