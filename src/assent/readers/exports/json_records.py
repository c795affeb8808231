"""JSON of the members of an export, in bounded memory.

A list of records is read record by record: memory holds the largest of them, not the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from json.decoder import WHITESPACE  # type: ignore[attr-defined]
from typing import Any, Literal

from assent.errors import UnreadableFile
from assent.readers.exports.sources import Member
from assent.readers.exports.texts import open_text, read_text

__all__ = ["Pairs", "Records", "decoded", "load", "load_object", "loads"]

_CHUNK = 1 << 18
#: Characters of an object whose pairs are taken at once.
_SLICE = 1 << 18
_STEP = 1 << 26
#: Characters of a large object that are read at once.
_WINDOW = 1 << 23
#: Characters of the largest record that is read.
_LARGEST = 1 << 28
#: So often at most it is tried to take many records at once.
_MISSES = 3
_COMMA = re.compile(r"[ \t\n\r]*,[ \t\n\r]*(?=[^ \t\n\r])").match
_BEGINS = re.compile(r'\{[ \t\n\r]*"[^"\\\\]*"[ \t\n\r]*:').match
_PAIR = re.compile(r'[ \t\n\r]*,[ \t\n\r]*"([^"\\\\\x00-\x1f]*)"[ \t\n\r]*:[ \t\n\r]*(?=[^ \t\n\r])').match
_OBJECT = re.compile(r'[ \t\n\r]*,[ \t\n\r]*"[^"\\\\]*"[ \t\n\r]*:[ \t\n\r]*(\{[ \t\n\r]*"[^"\\\\]*"[ \t\n\r]*:)').match


class _NotJson(ValueError):
    """NaN and infinities, which JSON does not have."""


def _constant(name: str) -> Any:
    raise _NotJson(name)


_DECODER = json.JSONDecoder(parse_constant=_constant)


def decoded(text: str) -> Any:
    """Return the JSON in a text, as the standard library does.

    msgspec takes two thirds of the time. What it refuses, the standard library is asked about: that says what is wrong, and takes texts with half
    a surrogate and numbers too large for a float.
    """
    from msgspec import MsgspecError
    from msgspec.json import decode

    try:
        return decode(text)
    except (MsgspecError, UnicodeError):
        return _DECODER.decode(text)


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
        return decoded(text)
    except (ValueError, RecursionError) as error:
        raise _refusal(title, error, getattr(error, "lineno", 0)) from None


def _of_bytes(data: bytes, member: Member, known: Sequence[str]) -> Any:
    """Return the JSON in the bytes of a whole member, which need not become a text first where they are UTF-8."""
    from msgspec import MsgspecError
    from msgspec.json import decode

    # Texts that are known are not made anew for each value, which takes a third of the time; one that is not known ends the first try.
    expected: Any = dict[str, dict[str, Literal[tuple(known)]]] if known else Any  # type: ignore[misc]
    for kind in (expected, Any) if member.encoding == "utf-8" else ():
        try:
            return decode(data, type=kind)
        except (MsgspecError, UnicodeError):
            continue
    return load(member)


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
            found: list[Any] = decoded(f"[{elements[:-1]}]")
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


def load_object(member: Member, known: Sequence[str] = ()) -> dict[str, Any]:
    """Return a member that is one JSON object; of names that come twice the last counts, as everywhere in JSON.

    Parameters
    ----------
    known : sequence of str
        Texts that the values of its objects have, as far as a first look shows.
    """
    data = member.head(_WINDOW)
    found = _of_bytes(data, member, known) if len(data) < _WINDOW else dict(Pairs(member))
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
            found: dict[str, Any] = decoded(f"{{{pairs[1:-1]}}}")
        except (ValueError, RecursionError):
            return {}
        if len(found) != pairs.count(begins[1]):
            return {}  # a name that comes twice, perhaps
        stream.at = buffer.rindex(",", at, name)
        return found
