"""The growing end of a file: complete lines as they are written, through truncation, rotation and rewriting."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path

from assent.errors import UnreadableFile
from assent.limits import LONGEST_LINE
from assent.records import Struct
from assent.text import shown

__all__ = ["Event", "Line", "Tail"]

_CHUNK = 1 << 20
#: So many bytes before the place that was reached are compared: a file that was rewritten differs there.
_MEMORY = 256


class Line(Struct, frozen=True):
    """A complete line without its line feed; None in place of one that is too long to be meant as a line.

    Parameters
    ----------
    number : int
        From 1, in the file as it is now.
    """

    content: bytes | None
    number: int


class Event(Struct, frozen=True):
    """Something happened to the file.

    Parameters
    ----------
    anew : bool
        A file begins after it: its first line may be a header again.
    """

    sentence: str
    anew: bool


class Tail:
    """Reads what has been added to a file since the last time.

    A line counts when its end is there; until then it waits. If the file was replaced by another (rotation), what is left of
    the old one is read first, then the new one from its beginning. If it became shorter or was rewritten in place,
    it is read from its beginning.

    Parameters
    ----------
    path : path
        The file must be there at first; later it may go and come again.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.offset = 0
        self.line = 0
        self._rest = bytearray()
        self._skipped = 0
        self._memory = b""
        self._seen: tuple[int, int] | None = None
        self._gone = False
        try:
            self._file = io.FileIO(self.path)
        except OSError as error:
            reason = (error.strerror or "it cannot be opened").lower()
            raise UnreadableFile(f"{shown(str(path), 120)} cannot be followed: {reason}.") from None
        if not self.path.is_file():
            self.close()
            raise UnreadableFile(f"{shown(str(path), 120)} cannot be followed: it is not a regular file.")

    @property
    def unfinished(self) -> int:
        """Bytes of a line whose end is not there yet."""
        return len(self._rest) + self._skipped

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def poll(self) -> Iterator[list[Line] | Event]:
        """Yield what is new: complete lines, some at a time, and events. One may stop after any of them and go on later."""
        yield from self._noticed_rewriting()
        yield from self._lines()
        try:
            there = os.stat(self.path)
        except OSError:
            # Between the two steps of a rotation there is no file; somebody may still write to the old one.
            if not self._gone:
                self._gone = True
                yield Event("The file is gone; waiting for it to come again.", anew=False)
            return
        ours = os.fstat(self._file.fileno())
        if (there.st_dev, there.st_ino) == (ours.st_dev, ours.st_ino):
            self._gone = False
            return
        # As long as nothing is in the new file, the writer may not have noticed the rotation.
        if there.st_size:
            yield from self._lines()
            yield from self._rotate()

    def _rotate(self) -> Iterator[list[Line] | Event]:
        try:
            new = io.FileIO(self.path)
        except OSError:
            return
        self._file.close()
        self._file, self._gone = new, False
        yield self._anew("The file was replaced by a new one (rotation), which is read from its beginning")
        yield from self._lines()

    def _noticed_rewriting(self) -> Iterator[Event]:
        now = os.fstat(self._file.fileno())
        seen, self._seen = self._seen, (now.st_size, now.st_mtime_ns)
        if self._seen == seen:
            return
        reached = self.offset + self.unfinished
        if now.st_size < reached:
            yield self._anew("The file became shorter and is read from its beginning again")
        elif not self._remembers(reached):
            yield self._anew("The file was rewritten and is read from its beginning again")

    def _remembers(self, reached: int) -> bool:
        """Tell whether what comes before the place reached is still what was read there."""
        self._file.seek(reached - len(self._memory))
        same = self._file.read(len(self._memory)) == self._memory
        self._file.seek(reached)
        return same

    def _anew(self, what: str) -> Event:
        """Begin at the beginning of a file."""
        lost = f"; its last line, line {self.line + 1:,}, had no end and was not counted" if self.unfinished else ""
        where = f" after line {self.line:,}" if self.line else ""
        self._file.seek(0)
        self.offset = self.line = 0
        self._rest.clear()
        self._memory, self._skipped = b"", 0
        return Event(f"{what}{where}{lost}.", anew=True)

    def _lines(self) -> Iterator[list[Line]]:
        """Yield the complete lines that are there, those of a piece of the file at a time."""
        while piece := self._file.read(_CHUNK):
            self._memory = (self._memory + piece[-_MEMORY:])[-_MEMORY:]
            *ended, rest = piece.split(b"\n")
            lines = [self._line(end) for end in ended]
            self._rest += rest
            if len(self._rest) > LONGEST_LINE:
                self._skipped += len(self._rest)
                self._rest.clear()
            yield lines

    def _line(self, end: bytes) -> Line:
        self.line += 1
        whole = bytes(self._rest) + end if self._rest else end
        self.offset += self._skipped + len(whole) + 1
        content = None if self._skipped or len(whole) > LONGEST_LINE else whole
        self._rest.clear()
        self._skipped = 0
        return Line(content, self.line)
