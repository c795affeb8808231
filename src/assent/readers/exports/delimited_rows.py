"""Rows of the members of an export that are delimited text."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from typing import TextIO

from assent.errors import UnreadableFile
from assent.readers.exports.sources import Member
from assent.readers.exports.texts import open_text, undecodable

__all__ = ["Rows"]

#: Characters of the longest cell that is read.
_CELL = 1 << 24


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
        try:
            start = self._file.read(1 << 16)
            self.delimiter = _delimiter(start)
            self._reader = csv.reader(_lines(start, self._file), delimiter=self.delimiter)
            with self._guarded():
                self.header: list[str] = next(self._reader, [])
        except UnreadableFile:
            self._file.close()
            raise

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
            raise undecodable(self._file.title, self._file.said) from None  # type: ignore[attr-defined]
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
        with rows._file:
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
