"""Is a delimited file exactly what a fast parser takes it for?

polars splits well-formed files correctly and quickly, but of malformed ones it fills short rows with nulls,
drops carriage returns at the end of a cell and guesses where a stray quote mark ends.  This check says, in one
vectorised pass, whether a file is well-formed; whatever is not goes to the slow and strict parser.
"""

from __future__ import annotations

import mmap

import numpy as np
import numpy.typing as npt

__all__ = ["well_formed"]

_QUOTE, _LF, _CR = 34, 10, 13
_CHUNK = 1 << 23

Bytes = npt.NDArray[np.uint8]


def well_formed(content: bytes | mmap.mmap, *, separator: str, columns: int, start: int = 0) -> bool:
    """Return whether every row has as many cells as there are columns and all quoting is regular.

    Regular means that a quote mark opens a cell at its very beginning, closes it at its very end and is
    doubled in between, and that lines end in LF or CRLF and no cell holds a bare CR outside quotes.
    Blank lines are allowed.

    Parameters
    ----------
    content
        The bytes of the file, UTF-8.
    separator
        One ASCII character.
    columns
        The number of cells that each row must have.
    start
        Where the table begins, such as after a byte order mark.
    """
    data = np.frombuffer(content, dtype=np.uint8)[start:]
    between = ord(separator)
    inside = False
    cells = 0  # separators so far in the line that the chunk boundary cut
    line_start = 0
    for offset in range(0, data.size, _CHUNK):
        chunk = data[offset : offset + _CHUNK]
        quotes = chunk == _QUOTE
        breaks, gaps = chunk == _LF, chunk == between
        returns = chunk == _CR
        if inside or quotes.any():
            within = np.logical_xor.accumulate(quotes) ^ inside
            if not _regular(data, np.flatnonzero(quotes) + offset, inside, between):
                return False
            inside = bool(within[-1])
            for mask in (breaks, gaps, returns):
                mask &= ~within
        if returns.any() and not _before_line_feed(data, np.flatnonzero(returns) + offset):
            return False
        ends = np.flatnonzero(breaks)
        before = np.searchsorted(np.flatnonzero(gaps), ends)
        if ends.size:
            per_line = np.diff(before, prepend=0)
            per_line[0] += cells
            cells = int(np.count_nonzero(gaps[ends[-1] :]))
            starts = np.concatenate(([line_start], ends[:-1] + offset + 1))
            line_start = int(ends[-1]) + offset + 1
            length = ends + offset - starts
            blank = (length == 0) | ((length == 1) & (data[starts] == _CR))
            if not (blank | (per_line == columns - 1)).all():
                return False
        else:
            cells += int(np.count_nonzero(gaps))
    return not inside and (line_start == data.size or cells == columns - 1)


def _regular(data: Bytes, quotes: npt.NDArray[np.intp], inside: bool, separator: int) -> bool:
    opening, closing = (quotes[1::2], quotes[::2]) if inside else (quotes[::2], quotes[1::2])
    before = data[opening[opening > 0] - 1]
    after = data[closing[closing + 1 < data.size] + 1]
    # A quote mark next to a quote mark is a doubled one: it closes and opens again.
    starts_well = (before == separator) | (before == _LF) | (before == _QUOTE)
    ends_well = (after == separator) | (after == _LF) | (after == _CR) | (after == _QUOTE)
    return bool(starts_well.all() and ends_well.all())


def _before_line_feed(data: Bytes, returns: npt.NDArray[np.intp]) -> bool:
    return bool(returns[-1] + 1 < data.size and (data[returns + 1] == _LF).all())
