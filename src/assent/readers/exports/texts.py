"""Texts of the members of an export, and values as texts."""

from __future__ import annotations

import codecs
import io
import math
from typing import TextIO

from assent.errors import UnreadableFile
from assent.readers.exports.sources import Member
from assent.text import shown

__all__ = ["as_number", "as_text", "open_text", "read_text", "undecodable"]

_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class _Text(io.TextIOWrapper):
    """Text whose broken bytes are a sentence."""

    title = ""
    said = ""

    def read(self, size: int | None = -1, /) -> str:
        try:
            return super().read(size)
        except UnicodeError:
            raise undecodable(self.title, self.said) from None

    def __next__(self) -> str:  # type: ignore[override]
        try:
            return super().__next__()
        except UnicodeError:
            raise undecodable(self.title, self.said) from None


def undecodable(title: str, encoding: str) -> UnreadableFile:
    """Return the error for bytes that are not text."""
    return UnreadableFile(f"{title} is not text in {encoding.upper()}; say how it is encoded with `encoding`.")


def open_text(member: Member, *, newline: str | None = None) -> TextIO:
    """Return a member as text; a byte order mark decides the encoding, else it is what was said."""
    raw = member.open()
    start = raw.peek(4)[:4]  # type: ignore[attr-defined]
    encoding = next((name for mark, name in _BOMS if start.startswith(mark)), member.encoding)
    try:
        text = _Text(raw, encoding, newline=newline)
    except LookupError:
        raw.close()
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
