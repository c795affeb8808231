"""Data of one browser session: held in memory, known by a random address alone, forgotten when there is no room."""

from __future__ import annotations

import io
import os
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

from msgspec import field

from assent.errors import InputError
from assent.limits import WEB_CACHED, WEB_FILES, WEB_HELD, WEB_SESSIONS
from assent.records import Struct
from assent.text import counted

__all__ = ["Session", "Sessions", "Upload"]

T = TypeVar("T")


class Upload(Struct, frozen=True):
    """A file: its bytes, or its path if it was named on the command line."""

    name: str
    content: bytes = b""
    path: str | None = None

    @property
    def base(self) -> str:
        """Its name without the folders it lies in."""
        return os.path.basename(self.name.rstrip("/")) or self.name

    def opened(self) -> Any:
        """Return what `assent.read` takes."""
        if self.path is not None:
            return self.path
        stream = io.BytesIO(self.content)
        stream.name = self.name
        return stream


class Session(Struct, eq=False):
    """Files, what was said of them at first, and what was worked out of them.

    Parameters
    ----------
    name : str
        Random: whoever knows it sees the data.
    files, others : list of Upload
        The data, and data to compare them with.
    settings : str
        Query of the address that they are shown with at first.
    example : str
        Name of the example that they are, if they are one.
    typed : bool
        They are the numbers of a table that was typed.
    """

    name: str
    files: list[Upload] = field(default_factory=list)
    others: list[Upload] = field(default_factory=list)
    settings: str = ""
    example: str = ""
    typed: bool = False
    decisions: dict[str, dict[str, str]] = field(default_factory=dict)
    used: float = field(default_factory=time.monotonic)
    lock: threading.Lock = field(default_factory=threading.Lock)
    _kept: OrderedDict[Hashable, _Kept] = field(default_factory=OrderedDict)

    @property
    def size(self) -> int:
        """Bytes of its files."""
        return sum(len(one.content) for one in (*self.files, *self.others))

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what was made under a key, or make it: once, even if two requests ask at the same time."""
        while True:
            with self.lock:
                kept = self._kept.get(key)
                if kept is None:
                    kept = self._kept[key] = _Kept()
                self._kept.move_to_end(key)
                while len(self._kept) > WEB_CACHED:
                    self._kept.popitem(last=False)
            with kept.lock:
                if kept.failed:
                    # Whoever was at it gave up, and nobody holds this any more: what is made now is to be kept.
                    continue
                if not kept.made:
                    try:
                        kept.value, kept.made = make(), True
                    except BaseException:
                        kept.failed = True
                        with self.lock:
                            if self._kept.get(key) is kept:
                                del self._kept[key]
                        raise
                value: T = kept.value
                return value

    def drop(self, key: Hashable) -> None:
        """Forget what was made under a key."""
        with self.lock:
            self._kept.pop(key, None)

    def forget(self) -> None:
        """Forget what was worked out: the files are others now."""
        with self.lock:
            self._kept.clear()


class _Kept(Struct, eq=False):
    lock: threading.Lock = field(default_factory=threading.Lock)
    made: bool = False
    failed: bool = False
    value: Any = None


class Sessions:
    """All sessions of a server; the longest unused ones make room for new ones."""

    def __init__(self, held: int = WEB_HELD, most: int = WEB_SESSIONS) -> None:
        self._held, self._most = held, most
        self._all: dict[str, Session] = {}
        self._lock = threading.Lock()

    def new(self, files: Sequence[Upload] = (), **parts: Any) -> Session:
        """Begin a session."""
        made = Session(secrets.token_urlsafe(16), list(files), **parts)
        with self._lock:
            self._all[made.name] = made
            self._make_room(made)
        return made

    def add(self, session: Session, upload: Upload, *, other: bool = False) -> None:
        """Add a file to a session."""
        files = session.others if other else session.files
        if len(files) >= WEB_FILES:
            raise InputError(f"There are {counted(len(files), 'file')} already: put them into a zip.")
        with self._lock:
            files.append(upload)
            self._make_room(session)
        session.forget()

    def find(self, name: str) -> Session | None:
        """Return a session by its name."""
        found = self._all.get(name)
        if found is not None:
            found.used = time.monotonic()
        return found

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._all.clear()

    def _make_room(self, kept: Session) -> None:
        others = sorted((one for one in self._all.values() if one is not kept and one.size), key=lambda one: one.used)
        while others and (len(self._all) > self._most or sum(one.size for one in self._all.values()) > self._held):
            del self._all[others.pop(0).name]
