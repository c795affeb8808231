"""A first look at a member of an export: what it is, and its first records or rows."""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

from assent.errors import UnreadableFile
from assent.readers.exports.delimited_rows import Rows
from assent.readers.exports.json_records import Pairs, Records, decoded
from assent.readers.exports.sources import Member
from assent.readers.exports.texts import open_text
from assent.records import Struct

__all__ = ["Peek", "look"]

#: Characters of a record that is looked at to recognise a format.
_LOOK = 1 << 23
#: Characters of an object that is looked at whole; of larger ones only the first pairs are.
_GLANCE = 1 << 18
#: Characters of such a larger object in which the starts of its values are looked for.
_STRETCH = 1 << 21
#: Characters of such a value that are looked at.
_START = 1 << 14
_TABLE = re.compile(r'[ \t\n\r]*\{[ \t\n\r]*"([^"\\\\]*)"[ \t\n\r]*:[ \t\n\r]*\{').match
_NEXT_TABLE = re.compile(r'\}[ \t\n\r]*,[ \t\n\r]*"([^"\\\\]*)"[ \t\n\r]*:[ \t\n\r]*\{').match


class Peek(Struct, frozen=True, kw_only=True):
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
    start: str = ""

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
            found = decoded(f"{{{start}}}")
        except (ValueError, RecursionError):
            return {}
        if any(isinstance(value, dict | list) for value in found.values()):
            return {}
        pairs[name[1]] = found
        name = _NEXT_TABLE(text, end)
    return pairs if len(pairs) > 1 else {}
