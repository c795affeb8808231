"""Whether a Parquet file is as long as it says itself.

polars trusts the sizes and counts that stand in a file. Where they are wrong, it stops with messages of its own, and a number of
values below 0 makes it ask for so much memory that the whole process ends. So what a file says of itself is added up first:
in the footer (the file's metadata) and before each page, both written in Thrift's compact protocol.
"""

from __future__ import annotations

import mmap
from typing import Any, TypeAlias

from assent.limits import PARQUET_BYTES, PARQUET_FOOTER, PARQUET_VALUES
from assent.readers.sources import FREE, RATIO
from assent.readers.tables import SAMPLE
from assent.records import Struct

__all__ = ["Pages", "parquet_pages"]

_Bytes: TypeAlias = bytes | mmap.mmap

_MAGIC = b"PAR1"
#: Structs and lists in each other: the format has fewer than ten levels.
_DEEPEST = 16
#: Kinds of pages that hold values, and where their headers stand.
_DATA_PAGES = {0: 5, 3: 8}
_DICTIONARY = 2
#: Types of columns that hold bytes.
_TEXTS = (6, 7)
_REPEATED, _UNCOMPRESSED = 2, 0
_ENCODINGS, _CODECS = range(10), range(8)


class _FaultyError(Exception):
    """A file that is not what it says."""


class Pages(Struct, frozen=True, kw_only=True):
    """What the pages of a Parquet file are like.

    Parameters
    ----------
    fault : str, optional
        What is wrong with their sizes.
    longest : int
        Bytes that the largest page of texts unpacks to: no cell is longer.
    named : int
        Bytes of the texts in the first rows, at most: each of them may name the longest text of a dictionary, which stands in the
        file once.
    """

    fault: str | None = None
    longest: int = 0
    named: int = 0


def parquet_pages(content: _Bytes) -> Pages:
    """Return what is wrong with the sizes of a Parquet file, and how long its texts may be.

    A file with a footer of more than `PARQUET_FOOTER` bytes (thousands of columns) is not looked at.
    """
    try:
        return _checked(content)
    except _FaultyError as fault:
        return Pages(fault=str(fault))
    except (AttributeError, IndexError, KeyError, TypeError):
        return Pages(fault="its metadata lack what every file has")


def _checked(content: _Bytes) -> Pages:
    if len(content) < 12 or content[-4:] != _MAGIC:
        raise _FaultyError("it ends in the middle")
    footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    if footer < len(_MAGIC):
        raise _FaultyError("its metadata are longer than the file")
    if len(content) - footer > PARQUET_FOOTER:
        return Pages()
    metadata = _Thrift(content, footer, len(content) - 8).struct()
    groups = metadata[4]
    # Schema elements without children are columns, in the order in which row groups have them.
    leaves = [one for one in metadata[2][1:] if not one.get(5)]
    most, held = max(PARQUET_VALUES, RATIO * len(content) // 2), [0] * len(leaves)
    room = max(PARQUET_BYTES, RATIO * len(content))
    longest, named = 0, [0] * len(leaves)
    for group in groups:
        for number, (leaf, column) in enumerate(zip(leaves, group[1], strict=False)):
            pages, dictionary = _unpacked(content, footer, column[3], group[3], repeated=leaf.get(3) == _REPEATED)
            room -= sum(pages)
            if column[3][1] in _TEXTS:
                longest = max(longest, *pages, 0)
                # A row of a list holds many values.
                first = min(group[3], SAMPLE) if column[3][5] == group[3] else column[3][5]
                named[number] = max(named[number], dictionary * first)
            if room < 0:
                raise _FaultyError(
                    f"its pages unpack to more than {RATIO} times its size, as only a file made to fill memory does"
                )
            held[number] += column[3][5]
            if held[number] > most:
                raise _FaultyError("it repeats its values so often that only a file made to fill memory does")
    if sum(group[3] for group in groups) != metadata[3]:
        raise _FaultyError("its metadata count other rows than its parts have")
    return Pages(longest=longest, named=sum(named))


def _unpacked(
    content: _Bytes, footer: int, column: dict[int, Any], rows: int, *, repeated: bool
) -> tuple[list[int], int]:
    """Go from page to page of a column of a row group, and return how many bytes each unpacks to, and the largest dictionary."""
    # A dictionary stands before the values.
    start, size, values = column.get(11) or column[9], column[7], column[5]
    if size < 0 or start < len(_MAGIC) or start + size > footer or column[4] not in _CODECS:
        raise _FaultyError("a column does not stand where its metadata say")
    nested = repeated or len(column[3]) > 1
    if not 0 <= rows <= values or (rows < values and not nested):
        raise _FaultyError("a column has other rows than its metadata say")
    at, unpacked, dictionary = start, [], 0
    while values > 0:
        thrift = _Thrift(content, at, footer)
        page = thrift.struct()
        at = thrift.at + page[3]
        if page[2] < 0 or page[3] < 0 or at > footer or (column[4] == _UNCOMPRESSED and page[2] != page[3]):
            raise _FaultyError("a page is not as long as its metadata say")
        if page[2] > max(FREE, RATIO * page[3]):
            raise _FaultyError(
                f"a page unpacks to more than {RATIO} times its size, as only a file made to fill memory does"
            )
        unpacked.append(page[2])
        if page[1] in _DATA_PAGES:
            header = page[_DATA_PAGES[page[1]]]
            encoding = header[2] if page[1] == 0 else header[4]
            # Nulls, rows and the lengths of levels of pages of the second version.
            counts = (header[1], *(header[field] for field in (2, 3, 5, 6) if page[1] == 3))
            if min(counts) < 0 or max(counts[1:3], default=0) > header[1] or encoding not in _ENCODINGS:
                raise _FaultyError("a page has other values than its metadata say")
            values -= header[1]
        elif page[1] == _DICTIONARY:
            if page[7][1] < 0 or page[7][2] not in _ENCODINGS:
                raise _FaultyError("a page has other values than its metadata say")
            dictionary = max(dictionary, page[2])
    if values < 0:
        raise _FaultyError("a page has other values than its metadata say")
    return unpacked, dictionary


class _Thrift:
    """Numbers, lists and structs in Thrift's compact protocol; texts and fractions are passed over.

    Parameters
    ----------
    content : bytes
    at, end : int
        Where to begin, and where the file's other parts do.
    """

    def __init__(self, content: _Bytes, at: int, end: int) -> None:
        self.content, self.at, self.end = content, at, end

    def struct(self, depth: int = 0) -> dict[int, Any]:
        """Return a struct by the numbers of its fields."""
        fields: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._whole()
            kind = head & 15
            fields[number] = kind == 1 if kind in (1, 2) else self._value(kind, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        if depth > _DEEPEST:
            raise _FaultyError("its metadata cannot be read")
        if kind in (1, 2, 3):
            return self._byte()
        if kind in (4, 5, 6):
            return self._whole()
        if kind == 7:
            return self._pass(8)
        if kind == 8:
            return self._pass(self._number())
        if kind in (9, 10):
            head = self._byte()
            length = self._number() if head >> 4 == 15 else head >> 4
            if length > self.end - self.at:
                raise _FaultyError("its metadata do not end")
            return [self._value(head & 15, depth + 1) for _ in range(length)]
        if kind == 12:
            return self.struct(depth + 1)
        raise _FaultyError("its metadata cannot be read")

    def _byte(self) -> int:
        if self.at >= self.end:
            raise _FaultyError("its metadata do not end")
        self.at += 1
        return self.content[self.at - 1]

    def _number(self) -> int:
        value = shift = 0
        while (byte := self._byte()) >= 128:
            value |= (byte & 127) << shift
            shift += 7
            if shift > 63:
                raise _FaultyError("its metadata cannot be read")
        return value | byte << shift

    def _whole(self) -> int:
        value = self._number()
        return (value >> 1) ^ -(value & 1)

    def _pass(self, length: int) -> None:
        if length > self.end - self.at:
            raise _FaultyError("its metadata do not end")
        self.at += length
