"""What was recognised, and the options that change it: two things, put into words in one place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

__all__ = ["ReadingNote", "reading_of"]

Code = Literal["", "table", "first-line"]


class ReadingNote(str):
    """A sentence on how something was read, which keeps its parts.

    Parameters
    ----------
    what : str
        What was taken for what.
    change : str
        The options that change it, each in backquotes; nothing if there are none.
    code : {"", "table", "first-line"}
        ``table`` says what the whole table was read as, ``first-line`` that its first line was taken for names.

    Examples
    --------
    >>> note = ReadingNote('Read as wide: item = "id"', "`item`, `annotators`", code="table")
    >>> str(note)
    'Read as wide: item = "id" (to change this, give `item`, `annotators`).'
    >>> note.what
    'Read as wide: item = "id"'
    """

    what: str
    change: str
    code: Code

    def __new__(cls, what: str, change: str = "", *, code: Code = "") -> ReadingNote:
        """Put the parts into a sentence."""
        made = super().__new__(cls, f"{what} (to change this, give {change})." if change else f"{what}.")
        made.what, made.change, made.code = what, change, code
        return made

    def __reduce__(self) -> tuple[object, tuple[str, str, Code]]:
        return _made, (self.what, self.change, self.code)


def _made(what: str, change: str, code: Code) -> ReadingNote:
    return ReadingNote(what, change, code=code)


def reading_of(notes: Sequence[str]) -> str:
    """Return how a table was read, for the end of a message; nothing if it was not recognised but said.

    Examples
    --------
    >>> reading_of([ReadingNote('Read as wide: item = "id"', "`item`", code="table")])
    ' (read as wide: item = "id")'
    """
    found = next((note for note in notes if isinstance(note, ReadingNote) and note.code == "table"), None)
    return "" if found is None else f" ({found.what[:1].lower()}{found.what[1:]})"
