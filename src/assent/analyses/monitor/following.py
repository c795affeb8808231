"""Following a file while annotations are written to it."""

from __future__ import annotations

import codecs
import os
import signal
import threading
import time as clock
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assent.analyses.monitor.assembling import monitoring_of
from assent.analyses.monitor.drift import DriftWatch
from assent.analyses.monitor.result import WINDOW, FollowedData, Monitoring, Stopped, checked_window
from assent.analyses.monitor.rows import Malformed, MissingPart, Row, RowReader
from assent.analyses.monitor.sequence import SequenceSoFar
from assent.analyses.monitor.stream import Stream
from assent.analyses.monitor.tail import Event, Line, Tail
from assent.data import Dropped
from assent.errors import OptionError, UnreadableFile
from assent.inference.betting import METHODS
from assent.limits import BAD_LINES_SHOWN, EVENTS_LISTED
from assent.text import shown

__all__ = ["Follower", "follow"]

_PACKED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PK\x03\x04")


class Follower:
    """Agreement in a file that grows.

    It keeps what `Stream` keeps (the names of the items, one byte and two annotators each), not the file.

    Parameters
    ----------
    path : path
        CSV or TSV with a line of column names, or JSON lines: one row an annotation.
    format : {"csv", "tsv", "jsonl"}, optional
        If the name does not say it.
    item, annotator, label : str, optional
        Names of the columns; recognised from what is there at the beginning if not given.
    time : str, optional
        Column that says when; it is shown, and the order stays that of the file.
    missing, not_missing : sequence of str
        Label texts that mean "no label" besides the usual ones, and those of the usual ones that are labels.
    target, level, method, window
        As in `assent.monitor`.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        format: str | None = None,
        item: str | None = None,
        annotator: str | None = None,
        label: str | None = None,
        time: str | None = None,
        missing: Sequence[str] = (),
        not_missing: Sequence[str] = (),
        delimiter: str | None = None,
        encoding: str = "utf-8",
        target: float | None = None,
        level: float = 0.95,
        method: str = METHODS[0],
        window: int = WINDOW,
    ) -> None:
        from assent.readers import MISSING

        self.window = checked_window(window)
        self.sequence = SequenceSoFar(level=level, method=method, target=target)
        self.stream = Stream()
        self.events: list[str] = []
        self.malformed = 0
        self.examples: list[str] = []
        self._drift = DriftWatch(1.0 - level)
        self._dropped: Counter[str] = Counter()
        self._head: list[Line] = []
        self._tail = Tail(path)
        try:
            self._reader = RowReader(
                str(path),
                _kind(Path(path), format),
                item=item,
                annotator=annotator,
                label=label,
                time=time,
                missing=(set(MISSING) | set(missing)) - set(not_missing),
                delimiter=delimiter,
                encoding=encoding,
            )
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the file."""
        self._tail.close()

    def poll(self, stop: Callable[[], bool] = lambda: False) -> bool:
        """Take what is new in the file; return whether anything is.

        Parameters
        ----------
        stop : callable
            Asked now and then; if it says so, the rest is left for another time.
        """
        news = False
        for one in self._tail.poll():
            news = True
            if isinstance(one, Event):
                self._note(one)
            else:
                for line in one:
                    self._take(line)
            self._begin()
            if stop():
                break
        self.events += self._reader.remarks
        self._reader.remarks.clear()
        self.sequence.extend(self.stream.agreed(self.sequence.n_items))
        self._drift.extend(self.stream)
        return news

    @property
    def news(self) -> int:
        """How many alerts and changes there have been."""
        return len(self.sequence.crossings) + self._drift.noticed

    def _begin(self) -> None:
        """Find the columns as soon as there are lines enough, and read these lines."""
        if self._reader.begun or not self._reader.begin([line.content or b"" for line in self._head]):
            return
        head, self._head = self._head, []
        for line in head:
            self._take(line)

    def _note(self, event: Event) -> None:
        self.events.append(event.sentence)
        if event.anew:
            self._head.clear()
            self._count(self._reader.anew())

    def _take(self, line: Line) -> None:
        if not self._reader.begun:
            self._head.append(line)
            return
        for found in self._reader.read(line.content, line.number):
            if isinstance(found, Row):
                self.stream.add(*found)
            elif isinstance(found, MissingPart):
                self._dropped[found.reason] += 1
            else:
                self._count(found)

    def _count(self, wrong: Malformed | None) -> None:
        if wrong is None:
            return
        self.malformed += 1
        if len(self.examples) < BAD_LINES_SHOWN:
            self.examples.append(f"line {wrong.line:,} {wrong.reason}")

    def result(self, reason: str = "stopped") -> Monitoring:
        """Return what the file shows so far.

        Parameters
        ----------
        reason : str
            Why it ends here: interrupted, idle or stopped.
        """
        events = self.events
        if len(events) > EVENTS_LISTED:
            events = [*events[:EVENTS_LISTED], f"{len(events) - EVENTS_LISTED:,} more such events are not listed."]
        if self._reader.waits_for is not None:
            events = [*events, self._reader.waits_for]
        stopped = Stopped(
            file=str(self._tail.path),
            offset=self._tail.offset,
            line=self._tail.line,
            unfinished=self._tail.unfinished,
            reason=reason,
            events=tuple(events),
            malformed=self.malformed,
            examples=tuple(self.examples),
        )
        return monitoring_of(
            self.stream, self.sequence, self._drift, window=self.window, data=self._data(), stopped=stopped
        )

    def _data(self) -> FollowedData:
        from assent.data.label_order import in_order

        dropped = dict(self._dropped)
        if self.stream.duplicates:
            dropped["duplicate (item, annotator), first one kept"] = self.stream.duplicates
        if self.malformed:
            dropped["line that could not be read"] = self.malformed
        return FollowedData(
            n_items=len(self.stream.items) + self.stream.waiting,
            n_annotators=len(self.stream.annotators),
            n_annotations=self.stream.n_annotations,
            labels=tuple(in_order(self.stream.labels)),
            dropped=tuple(Dropped(reason, rows) for reason, rows in dropped.items()),
            notes=tuple(self._reader.notes),
        )


def follow(
    path: str | os.PathLike[str],
    *,
    every: float = 1.0,
    idle: float | None = None,
    on_poll: Callable[[Follower, bool], None] | None = None,
    **options: Any,
) -> Monitoring:
    """Follow a file until somebody interrupts it (Ctrl-C, or the signal to terminate), or nothing new comes for a while.

    Parameters
    ----------
    every : float
        Seconds between two looks at the file.
    idle : float, optional
        Stop when nothing new has come for so many seconds; never if not given.
    on_poll : callable, optional
        Called after every look with the `Follower` and whether there was anything new.
    **options
        As `Follower` takes them.

    Returns
    -------
    Monitoring
        Its `stopped` says where and why it ended.
    """
    if not every > 0:
        raise OptionError(f"The time between two looks is {every:g} seconds; it must be above 0, and 1 is usual.")
    if idle is not None and not idle >= 0:
        raise OptionError(f"The time to wait for something new is {idle:g} seconds; it must not be negative.")
    with _until_interrupted() as interrupted:
        follower = Follower(path, **options)
        try:
            last_news = clock.monotonic()
            while True:
                news = follower.poll(interrupted.is_set)
                if on_poll is not None:
                    on_poll(follower, news)
                now = clock.monotonic()
                if news:
                    last_news = now
                elif idle is not None and now - last_news >= idle:
                    return follower.result("idle")
                if interrupted.wait(every):
                    return follower.result("interrupted")
        finally:
            follower.close()


@contextmanager
def _until_interrupted() -> Iterator[threading.Event]:
    """Take Ctrl-C and the signal to terminate as a wish to stop: an exception could strike in the middle of a row."""
    wish = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield wish
        return
    signals = (signal.SIGINT, signal.SIGTERM)
    before = {one: signal.getsignal(one) for one in signals}

    def stop(number: int, frame: Any) -> None:
        wish.set()
        # Who asks twice means it.
        for one in signals:
            signal.signal(one, before[one])

    for one in signals:
        signal.signal(one, stop)
    try:
        yield wish
    finally:
        for one in signals:
            signal.signal(one, before[one])


def _kind(path: Path, said: str | None) -> str:
    """Return the format of the file: csv, tsv or jsonl."""
    from assent.readers.formats import format_of
    from assent.readers.sources import Source

    source = Source(str(path), path, suffix=path.suffix.lower())
    head = source.head(4096)
    if said is None and head.startswith(_PACKED):
        raise UnreadableFile(f"{source.title} is compressed; only a plain text file can be followed.")
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise OptionError(f"{source.title} is UTF-16, which cannot be followed line by line; write it in UTF-8.")
    kind: str = format_of(source, said)
    if kind == "json" and said is None and head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        kind = "jsonl"
    if kind not in ("csv", "tsv", "jsonl"):
        raise OptionError(
            f"A {kind} file cannot be followed line by line: {shown(str(path))} must be CSV, TSV or JSONL."
        )
    return kind
