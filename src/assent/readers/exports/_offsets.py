"""Offsets of tools that count UTF-16 units, in code points."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate

__all__ = ["Utf16", "utf16_length"]


def utf16_length(text: str) -> int:
    r"""Return the number of UTF-16 units of `text`.

    Examples
    --------
    >>> utf16_length("a\N{GRINNING FACE}")
    3
    """
    return len(text) + sum(c > "\uffff" for c in text) if not text.isascii() else len(text)


class Utf16:
    r"""Places in a text as UTF-16 counts them, turned into places as Python counts them.

    Parameters
    ----------
    places : list of int
        Where, in UTF-16 units, the characters begin that take two of them, in rising order.

    Examples
    --------
    >>> Utf16.of("\N{GRINNING FACE} a").code_point(3)
    2
    """

    def __init__(self, places: list[int]) -> None:
        self._places = places

    @classmethod
    def of(cls, text: str, begin: int = 0) -> Utf16:
        """Return the counting of a `text` that begins at `begin`."""
        return cls(cls.wide_places(text, begin))

    @staticmethod
    def wide_places(text: str, begin: int = 0) -> list[int]:
        """Return where, in UTF-16 units, the characters of `text` begin that take two units."""
        if text.isascii() or max(text) <= "\uffff":
            return []
        ends = accumulate((2 if c > "\uffff" else 1 for c in text), initial=begin)
        return [place for place, c in zip(ends, text, strict=False) if c > "\uffff"]

    @property
    def differs(self) -> bool:
        """Whether the two ways to count differ anywhere."""
        return bool(self._places)

    def code_point(self, unit: int) -> int:
        """Return the place in code points; one inside a character counts as its beginning."""
        return unit - bisect_left(self._places, unit) if self._places else unit
