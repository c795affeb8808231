"""Whether a workbook is as small as its file makes believe.

The reader of workbooks holds every cell up to the last one, and a text as often as cells name it. So a file of a few kilobytes can ask for
more memory than there is, and then the whole process ends. What a workbook asks for is added up first. Each of its parts is looked at:
any of them may be a sheet.
"""

from __future__ import annotations

import copy
import functools
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO
from xml.parsers import expat

import numpy as np

from assent.limits import LARGEST_SHEET, SHEET_TEXTS
from assent.readers.sources import BROKEN, FREE, RATIO

__all__ = ["workbook_fault"]

#: XML is looked at in capitals, in double quotes, without white space that says nothing, and with names that begin after a prefix, which
#: ends in a colon, as they do without one. A piece begins with the end of the one before.
_PLAIN = bytes.maketrans(b"\t\r\n':abcdefghijklmnopqrstuvwxyz", b'   "<ABCDEFGHIJKLMNOPQRSTUVWXYZ')
_BLANKS = re.compile(rb" {2,}")
_PIECE, _END = 1 << 20, 256
#: Where a cell or a row stands, which is what the attribute r says, and not one that ends in an r; and if that is beyond Z or 999,999.
_PLACE = re.compile(rb'R="(?<=[ "]R=")([A-Z]*)([0-9]+)"')
_FAR = re.compile(rb'R="(?<=[ "]R=")(?:[A-Z]{2,}[0-9]|[A-Z]?[0-9]{7})')
#: Rows and cells; with what follows if that does not say where they stand, and so they stand after the one before.
_BARE = rb'((?: ?(?!R=)[^ "=>/]+="[^"]*")* ?/?>)'
_ROW_OR_CELL = re.compile(rb"<(ROW|C)(?=[ />])" + _BARE + b"?")
_ANY_BARE = re.compile(rb"<(?:ROW|C)(?=[ />])" + _BARE)
#: Where texts are, and a cell that names one, with its number.
_TEXTS, _NAMED = re.compile(rb"<SST[ />]"), b'T="S"'
_NUMBER = re.compile(rb'T="S"[^>]*><(?:[A-Z0-9]+<)?V ?> ?([0-9]{1,9}) ?<')


def workbook_fault(file: Path | BinaryIO) -> str | None:
    """Return what is wrong with a workbook, as the rest of a sentence, or None."""
    try:
        with zipfile.ZipFile(file) as book:
            return _fault(book)
    except (*BROKEN, expat.ExpatError):
        return "is not a readable XLSX file (its archive is broken or encrypted); save it again."


def _fault(book: zipfile.ZipFile) -> str | None:
    if {"content.xml", "xl/workbook.bin"}.intersection(book.namelist()):
        return "is not a readable XLSX file but a workbook of another format; save it as .xlsx or .csv."
    named, size_of_texts, unpacked, most = 0, 0, 0, max(FREE, RATIO * book.start_dir)
    sheets: list[zipfile.ZipInfo] = []
    texts: list[zipfile.ZipInfo] = []
    for part in book.infolist():
        size, far, is_sheet, is_texts, plain = 0, False, False, False, b""
        for piece in _pieces(book, part):
            size, unpacked = size + len(piece), unpacked + len(piece)
            if unpacked > most:
                return f"unpacks to more than {RATIO} times its size, as only a file made to fill memory does; save it as CSV if it is meant."
            # What lies on a border may be counted twice.
            plain = _plain(plain[-_END:] + piece)
            is_sheet = is_sheet or b"SHEETDATA" in plain
            is_texts = is_texts or bool(_TEXTS.search(plain))
            named += plain.count(_NAMED)
            far = far or bool(_FAR.search(plain) or _ANY_BARE.search(plain))
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
    whole.file_size = sys.maxsize
    del whole.CRC
    with book.open(whole) as file:
        while piece := file.read(_PIECE):
            yield piece


def _plain(xml: bytes) -> bytes:
    plain = xml.translate(_PLAIN)
    if b"  " in plain:
        plain = _BLANKS.sub(b" ", plain)
    return plain.replace(b" =", b"=").replace(b"= ", b"=")


def _extent(book: zipfile.ZipFile, sheet: zipfile.ZipInfo) -> tuple[int, int]:
    """Return the columns and rows up to the last cell, or more where cells do not say where they stand."""
    column = row = rows = cells = longest = 0
    plain = b""
    for piece in _pieces(book, sheet):
        plain = _plain(plain[-_END:] + piece)
        for letters, digits in set(_PLACE.findall(plain)):
            row = max(row, int(digits.lstrip(b"0")[:12] or 0))
            # Each letter of a column is a digit from 1 to 26.
            column = max(column, functools.reduce(lambda known, letter: 26 * known + letter - 64, letters[:8], 0))
        for what, bare in _ROW_OR_CELL.findall(plain):
            cells = 0 if what == b"ROW" else cells + bool(bare)
            rows, longest = rows + (what == b"ROW" and bool(bare)), max(longest, cells)
    return column + longest, row + rows


def _told(book: zipfile.ZipFile, sheets: list[zipfile.ZipInfo], texts: list[zipfile.ZipInfo]) -> int:
    """Return the bytes of all texts that cells name, each as often as it is named; where no number is found it may be the longest."""
    sizes = [np.array([*_lengths(book, part), 0]) for part in texts]
    totals = [0] * len(texts)
    for sheet in sheets:
        plain = b""
        for piece in _pieces(book, sheet):
            plain = _plain(plain[-_END:] + piece)
            numbers = np.array(_NUMBER.findall(plain), dtype=np.int64)
            others = max(0, plain.count(_NAMED) - len(numbers))
            for i, known in enumerate(sizes):
                totals[i] += int(known[np.minimum(numbers, len(known) - 1)].sum()) + others * int(known.max())
    return max(totals)


def _lengths(book: zipfile.ZipFile, part: zipfile.ZipInfo) -> list[int]:
    """Return the bytes of each text, its marks included; what a document type declares may be of any length."""
    ends = [0]

    def ended(name: str) -> None:
        if name.rpartition(":")[2] == "si":
            ends.append(parser.CurrentByteIndex)

    def declared(*_: object) -> None:
        ends.append(ends[-1] + SHEET_TEXTS + 1)

    parser = expat.ParserCreate()
    parser.EndElementHandler, parser.StartDoctypeDeclHandler = ended, declared
    for piece in _pieces(book, part):
        parser.Parse(piece)
    parser.Parse(b"", True)
    return np.diff(ends).tolist()
