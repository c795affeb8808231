"""Whether a workbook is as small as its file makes believe.

The reader of workbooks holds every cell up to the last one, and a text as often as cells name it. So a file of a few kilobytes can ask for
more memory than there is, and then the whole process ends. What a workbook asks for is added up first. Each of its parts is looked at:
any of them may be a sheet.
"""

from __future__ import annotations

import copy
import functools
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from assent.limits import LARGEST_SHEET, SHEET_TEXTS
from assent.readers.sources import BROKEN, FREE, RATIO

__all__ = ["workbook_fault"]

#: XML is looked at in capitals, in double quotes and without white space; a piece begins with the end of the one before.
_PLAIN = bytes(byte - 32 if 97 <= byte <= 122 else 34 if byte == 39 else byte for byte in range(256))
_PIECE, _END = 1 << 20, 256
#: Cells beyond the column Z or the row 999,999; cells and rows that do not say where they stand, and so stand after the one before.
_FAR = re.compile(rb'R="(?:[A-Z]{2}|[A-Z]?[0-9]{7})')
_BARE = tuple(
    re.compile(start + tag + rb'(?:[A-QS-Z][A-Z0-9:._-]*="[^"]*")*/?>')
    for tag in (b"C", b"ROW")
    for start in (b"<", b":")
)
_PLACE = re.compile(rb'R="([A-Z]*)([0-9]*)"')
_ROW_OR_CELL = re.compile(rb'[<:](ROW|C)(?=[A-Z0-9:._-]+="|/?>)')
#: A cell that names a text, its number, and the end of a text.
_NAMED, _NUMBER = b'T="S"', re.compile(rb'T="S"[^>]*><(?:[A-Z0-9]+:)?V>([0-9]{1,9})<')
_TEXT_END = re.compile(rb"</(?:\w+:)?si\s*>")


def workbook_fault(file: Path | BinaryIO) -> str | None:
    """Return what is wrong with a workbook, as the rest of a sentence, or None."""
    try:
        with zipfile.ZipFile(file) as book:
            return _fault(book)
    except BROKEN:
        return "is not a readable XLSX file (its archive is broken or encrypted); save it again."


def _fault(book: zipfile.ZipFile) -> str | None:
    if {"content.xml", "xl/workbook.bin"}.intersection(book.namelist()):
        return "is not a readable XLSX file but a workbook of another format; save it as .xlsx or .csv."
    named, size_of_texts = 0, 0
    sheets: list[zipfile.ZipInfo] = []
    texts: list[zipfile.ZipInfo] = []
    for part in book.infolist():
        size, far, is_sheet, is_texts = 0, False, False, False
        for piece in _pieces(book, part):
            size += len(piece)
            if size > max(FREE, RATIO * part.compress_size):
                return f"unpacks to more than {RATIO} times its size, as only a file made to fill memory does; save it as CSV if it is meant."
            # What lies on a border may be counted twice.
            plain = _plain(piece)
            is_sheet = is_sheet or b"SHEETDATA" in plain
            is_texts = is_texts or b"SST" in plain
            named += plain.count(_NAMED)
            far = far or bool(_FAR.search(plain)) or any(one.search(plain) for one in _BARE)
        if is_sheet:
            sheets.append(part)
            columns, rows = _extent(book, part) if far else (0, 0)
            if columns * rows > LARGEST_SHEET:
                return (
                    f"has a sheet of {rows:,} rows and {columns:,} columns, empty ones included, which is too much to hold: "
                    "delete the cells that stand apart, or save the sheet as CSV."
                )
        if is_texts:
            texts.append(part)
            size_of_texts += size
    if named * size_of_texts > SHEET_TEXTS and _told(book, sheets, texts) > SHEET_TEXTS:
        return "repeats its texts in so many cells that they are too much to hold; save its sheet as CSV."
    return None


def _pieces(book: zipfile.ZipFile, part: zipfile.ZipInfo) -> Iterator[bytes]:
    """Yield what a part unpacks to, whatever size it says it has."""
    whole = copy.copy(part)
    whole.file_size = max(FREE, RATIO * part.compress_size) + _PIECE
    del whole.CRC
    rest = b""
    with book.open(whole) as file:
        while read := file.read(_PIECE):
            yield rest + read
            rest = read[-_END:]


def _plain(piece: bytes) -> bytes:
    return piece.translate(_PLAIN, b" \t\r\n")


def _extent(book: zipfile.ZipFile, sheet: zipfile.ZipInfo) -> tuple[int, int]:
    """Return the columns and rows up to the last cell, or more where cells do not say where they stand."""
    column = row = rows = cells = longest = 0
    bare = False
    for piece in map(_plain, _pieces(book, sheet)):
        bare = bare or any(one.search(piece) for one in _BARE)
        places = _PLACE.findall(piece)
        row = max([row, *(int(digits or 0) for _, digits in places)])
        for letters in {letters for letters, _ in places}:
            # Each letter of a column is a digit from 1 to 26.
            column = max(column, functools.reduce(lambda known, letter: 26 * known + letter - 64, letters, 0))
        for what in _ROW_OR_CELL.findall(piece):
            cells = cells + 1 if what == b"C" else 0
            rows, longest = rows + (what == b"ROW"), max(longest, cells)
    return (column + longest, row + rows) if bare else (column, row)


def _told(book: zipfile.ZipFile, sheets: list[zipfile.ZipInfo], texts: list[zipfile.ZipInfo]) -> int:
    """Return the bytes of all texts that cells name, each as often as it is named."""
    lengths: list[int] = []
    for part in texts:
        start = last = 0
        for piece in _pieces(book, part):
            if b"<![CDATA[" in piece:
                # What looks like the end of a text may be none: all of them may be one.
                return SHEET_TEXTS + 1
            for end in _TEXT_END.finditer(piece):
                if start + end.end() > last:
                    lengths.append(start + end.end() - last)
                    last = start + end.end()
            start += len(piece) - _END
    sizes = np.array([*lengths, 0])
    total = 0
    for sheet in sheets:
        for piece in _pieces(book, sheet):
            numbers = np.array(_NUMBER.findall(_plain(piece)), dtype=np.int64)
            total += int(sizes[np.minimum(numbers, len(lengths))].sum())
    return total
