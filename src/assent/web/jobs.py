"""Documents under way: each is made once in a thread, handed over piece by piece, and given up when nobody waits for it."""

from __future__ import annotations

import asyncio
import os
import threading
import traceback
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import Future
from typing import Any, TypeVar

from markupsafe import Markup

from assent.documents import Document, Result
from assent.documents.blocks import Figure
from assent.documents.charts import in_our_look
from assent.documents.html import fragments
from assent.errors import AssentError
from assent.limits import WEB_AT_ONCE, WEB_WAITING

__all__ = ["Abandoned", "Busy", "Job", "Workers", "drawn", "sentence", "still_wanted"]

T = TypeVar("T")


def sentence(error: Exception) -> str:
    """Return the sentence about an error: its own, or that it should not have been."""
    if isinstance(error, AssentError):
        return str(error)
    if isinstance(error, MemoryError):
        return "The data do not fit into memory: leave out rows or columns."
    if os.environ.get("ASSENT_DEBUG"):
        traceback.print_exception(error)
    return f"a defect in assent, {type(error).__name__} (set ASSENT_DEBUG=1 to see where, and please report it)."


class Abandoned(Exception):
    """Nobody waits for it any more."""


class Busy(AssentError):
    """More is asked for than can be worked out at once."""


#: Whether anybody still waits for what a thread works out.
_here = threading.local()


def still_wanted() -> None:
    """Give up what this thread works out if nobody waits for it any more.

    Raises
    ------
    Abandoned
    """
    if getattr(_here, "gone", None) is not None and _here.gone.is_set():
        raise Abandoned


class Workers:
    """Threads that work out what is asked for: some at once, some more waiting.

    What nobody waits for any more is not begun, and given up where it asks (`still_wanted`). They end with the program, whatever they
    are at: those of `concurrent.futures` would have it wait for an interval that takes minutes.
    """

    def __init__(self, at_once: int = WEB_AT_ONCE, waiting: int = WEB_WAITING) -> None:
        self._at_once = at_once
        self._threads: list[threading.Thread] = []
        self._waiting: dict[Future[Any], tuple[Callable[[], Any], threading.Event]] = {}
        self._running: set[threading.Event] = set()
        self._changed = threading.Condition()
        self._places = threading.BoundedSemaphore(at_once + waiting)
        self._closed = False

    def submit(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """Have something worked out; it is given up when what is returned is cancelled."""
        if not self._places.acquire(blocking=False):
            raise Busy("Too much is being worked out at the same time: wait a moment and ask again.")
        made: Future[T] = Future()
        made.add_done_callback(self._leave)
        gone = threading.Event()
        with self._changed:
            self._waiting[made] = work, gone
            self._changed.notify()
        if len(self._threads) < self._at_once:
            self._threads.append(threading.Thread(target=self._run, name="assent", daemon=True))
            self._threads[-1].start()
        asked = asyncio.wrap_future(made)
        asked.add_done_callback(lambda _: gone.set())
        return asked

    def _leave(self, made: Future[Any]) -> None:
        """Hold nothing more of what is done, or was cancelled before it was begun."""
        with self._changed:
            self._waiting.pop(made, None)
        self._places.release()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closed)
                if self._closed:
                    return
                made = next(iter(self._waiting))
                work, _here.gone = self._waiting.pop(made)
                self._running.add(_here.gone)
            if made.set_running_or_notify_cancel():
                try:
                    made.set_result(work())
                except BaseException as error:
                    made.set_exception(error)
            with self._changed:
                self._running.discard(_here.gone)
            # What was worked out is not held until there is something else to do.
            del made, work

    def close(self) -> None:
        """Wait for nothing: what has not begun is not begun, and the rest is given up where it asks."""
        with self._changed:
            self._closed = True
            for gone in self._running:
                gone.set()
            self._changed.notify_all()
        for one in list(self._waiting):
            one.cancel()


class Job:
    """One document under way.

    Parameters
    ----------
    make : callable
        From `progress` and `ready`, as `assent.report` takes them, to the result.
    """

    def __init__(self, make: Callable[[Mapping[str, Any]], Result]) -> None:
        self._make = make
        self._events: list[dict[str, Any]] = []
        self._changed = threading.Condition()
        self._started = False
        self._loops: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()
        self.figures: dict[str, Figure] = {}
        self.result: Result | None = None
        self.done = False
        self.abandoned = False

    @property
    def refused(self) -> str:
        """Why there is no document."""
        return str(next((one["error"] for one in self._events if "error" in one), "It was given up."))

    def start(self) -> bool:
        """Tell whether it is still to be run; true once."""
        with self._changed:
            first, self._started = not self._started, True
            return first

    def run(self) -> None:
        """Make the document; what goes wrong is an event, too."""
        try:
            self.result = self._make({"progress": self._progress, "ready": self._ready})
            document = self.result.document()
            self.figures |= document.figures()
            self._tell({"document": _pieces(document), "title": document.title, "summary": document.summary})
        except Abandoned:
            pass
        except Exception as error:
            self._tell({"error": sentence(error)})
        finally:
            self.done = True
            self._wake()

    async def events(self) -> AsyncIterator[dict[str, Any]]:
        """Yield what has been told so far, and what is told until the document is there."""
        wake = asyncio.Event()
        mine = (asyncio.get_running_loop(), wake)
        with self._changed:
            self._loops.add(mine)
        place = 0
        try:
            while True:
                wake.clear()
                finished = self.done
                while place < len(self._events):
                    yield self._events[place]
                    place += 1
                if finished:
                    return
                await wake.wait()
        finally:
            with self._changed:
                self._loops.discard(mine)
                if not self._loops and not self.done:
                    self.abandoned = True

    def _progress(self, share: float, stage: str) -> None:
        if self.abandoned:
            raise Abandoned
        self._tell({"share": share, "stage": stage})

    def _ready(self, name: str, section: Result | None) -> None:
        if section is not None:
            document = section.document()
            self.figures |= document.figures()
            self._tell({"section": name, "pieces": _pieces(document)})

    def _tell(self, event: dict[str, Any]) -> None:
        self._events.append(event)
        self._wake()

    def _wake(self) -> None:
        with self._changed:
            for loop, event in self._loops:
                loop.call_soon_threadsafe(event.set)


def _pieces(document: Document) -> list[tuple[str, str]]:
    return fragments(document, _place)


def _place(figure: Figure, chapter: Document) -> tuple[Markup, None]:
    """Return the place of a figure, which the browser draws when it is looked at."""
    made = '<div class="drawn" data-figure="{}" role="img" aria-label="{}"></div>'
    return Markup(made).format(f"{chapter.name}{figure.name}", figure.title), None


def drawn(figure: Figure, width: int) -> dict[str, Any] | None:
    """Return the specification of a figure for the browser; None if there is nothing to draw."""
    chart = figure.draw(width)
    return None if chart is None else in_our_look(chart.to_dict(validate=False))
