"""Whether a delimited file is exactly what a fast parser takes it for.

polars splits well-formed files correctly and quickly, but of malformed ones it fills short rows with nulls,
drops carriage returns at the end of a cell and guesses where a stray quote mark ends. These checks say, in a
vectorised pass each, whether a file is well-formed; whatever is not goes to the slow and strict parser.
"""

from __future__ import annotations

import mmap
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["rectangular", "regular"]

_QUOTE, _LF, _CR = 34, 10, 13
_CHUNK = 1 << 22

_Bytes: TypeAlias = npt.NDArray[np.uint8]
_Positions: TypeAlias = npt.NDArray[np.intp]


def regular(content: bytes | mmap.mmap, *, separator: str, start: int = 0) -> bool:
    """Return whether quote marks and line ends are where they should be.

    That is: a quote mark opens a cell at its very beginning, closes it at its very end and is doubled in
    between; lines end in LF or CRLF, and no cell holds a bare CR outside quote marks.

    Parameters
    ----------
    content
        The bytes of the file, UTF-8.
    separator
        One ASCII character.
    start
        Where the table begins, such as after a byte order mark.
    """
    data = np.frombuffer(content, dtype=np.uint8)[start:]
    inside = False
    for offset in range(0, data.size, _CHUNK):
        chunk = data[offset : offset + _CHUNK]
        quotes = np.flatnonzero(chunk == _QUOTE)
        if not _regular_quotes(data, quotes + offset, inside, ord(separator)):
            return False
        if not _regular_returns(data, chunk, offset, quotes, inside):
            return False
        inside ^= bool(quotes.size & 1)
    return not inside


def rectangular(content: bytes | mmap.mmap, *, separator: str, columns: int, start: int = 0) -> bool:
    """Return whether every row of a regular file has as many cells as there are `columns`, blank lines aside.

    Parameters
    ----------
    content, separator, start
        As for `regular`.
    columns
        The number of cells that each row must have.
    """
    data = np.frombuffer(content, dtype=np.uint8)[start:]
    lines = _Lines(data, ord(separator), columns)
    inside = False
    for offset in range(0, data.size, _CHUNK):
        chunk = data[offset : offset + _CHUNK]
        quotes = np.flatnonzero(chunk == _QUOTE)
        if not lines.take(chunk, offset, quotes, inside):
            return False
        inside ^= bool(quotes.size & 1)
    return lines.end()


def _regular_quotes(data: _Bytes, quotes: _Positions, inside: bool, separator: int) -> bool:
    opening, closing = (quotes[1::2], quotes[::2]) if inside else (quotes[::2], quotes[1::2])
    before = data[opening[opening > 0] - 1]
    after = data[closing[closing + 1 < data.size] + 1]
    # A quote mark next to a quote mark is a doubled one: it closes and opens again.
    starts_well = (before == separator) | (before == _LF) | (before == _QUOTE)
    ends_well = (after == separator) | (after == _LF) | (after == _CR) | (after == _QUOTE)
    return bool(starts_well.all() and ends_well.all())


def _regular_returns(data: _Bytes, chunk: _Bytes, offset: int, quotes: _Positions, inside: bool) -> bool:
    following = data[offset + 1 : offset + chunk.size + 1]
    bare = np.flatnonzero((chunk[: following.size] == _CR) & (following != _LF))
    if following.size < chunk.size and chunk[-1] == _CR:
        bare = np.append(bare, chunk.size - 1)
    return not _outside(bare, quotes, inside).size


def _outside(positions: _Positions, quotes: _Positions, inside: bool) -> _Positions:
    """Return those positions of a chunk that are not between quote marks."""
    if not quotes.size:
        return positions[:0] if inside else positions
    kept: _Positions = positions[(np.searchsorted(quotes, positions) & 1) == inside]
    return kept


class _Lines:
    """Counts the cells of every line, across the boundaries of chunks."""

    def __init__(self, data: _Bytes, separator: int, columns: int) -> None:
        self.data, self.separator, self.columns = data, separator, columns
        self.cells = 1
        self.start = 0

    def take(self, chunk: _Bytes, offset: int, quotes: _Positions, inside: bool) -> bool:
        """Return whether all lines that end in this chunk have as many cells as there are columns or are blank."""
        gaps = _outside(np.flatnonzero(chunk == self.separator), quotes, inside)
        ends = _outside(np.flatnonzero(chunk == _LF), quotes, inside)
        if not ends.size:
            self.cells += gaps.size
            return True
        before = np.searchsorted(gaps, ends)
        cells = np.diff(before, prepend=0) + 1
        cells[0] += self.cells - 1
        ends = ends + offset
        starts = np.concatenate(([self.start], ends[:-1] + 1))
        blank = (starts == ends) | ((starts + 1 == ends) & (self.data[starts] == _CR))
        self.cells = 1 + gaps.size - int(before[-1])
        self.start = int(ends[-1]) + 1
        return bool((blank | (cells == self.columns)).all())

    def end(self) -> bool:
        """Return whether the last line, if it has no line end, has as many cells as there are columns."""
        return self.start == self.data.size or self.cells == self.columns
