"""What monitoring shows: agreement so far, alerts, drift, and where it stopped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from assent.analyses.monitor.drift import AnnotatorDrift, Shift
from assent.analyses.monitor.sequence import Standing
from assent.data import Annotations, Dropped
from assent.documents.result import Result
from assent.errors import OptionError
from assent.profiles import Array
from assent.records import Record, Struct, plain

if TYPE_CHECKING:
    from assent.documents.blocks import Document
    from assent.measures.results import Agreement, Interval

__all__ = ["WINDOW", "Alert", "FollowedData", "Monitoring", "Stopped", "Trajectory", "checked_window"]

#: Items that the moving agreement looks back.
WINDOW = 100

#: What the sequence is about, in one sentence; the second is for the method that needs a constant mean.
ABOUT = {
    "mixture": "The sequence is valid however often you look. If agreement changes over time, it is about the mean of what it has "
    "been so far.",
    "betting": "The sequence is valid however often you look, provided that agreement does not change over time.",
}
SCALE = (
    "Agreement is the share of items whose first two annotations have the same label. It is not corrected for chance, and a target is "
    "on this scale too."
)


class Alert(Struct, frozen=True, kw_only=True):
    """The sequence as a whole came to lie below or above the target.

    Parameters
    ----------
    kind : {"below", "above"}
    n_items : int
        How many items there were.
    item : str
        Name of the last of them.
    moment : str or None
        When it entered, as written.
    agreement, low, high : float
        At that moment.
    """

    kind: Standing
    n_items: int
    item: str
    moment: str | None
    agreement: float
    low: float
    high: float


class FollowedData(Struct, frozen=True, kw_only=True):
    """What was read of a file that is followed; `Annotations` has the same names."""

    n_items: int
    n_annotators: int
    n_annotations: int
    labels: tuple[str, ...]
    dropped: tuple[Dropped, ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `Annotations.to_dict` does."""
        return {
            "items": self.n_items,
            "annotators": self.n_annotators,
            "annotations": self.n_annotations,
            "labels": list(self.labels),
            "layout": "long",
            "multilabel": None,
            "dropped": [{"reason": one.reason, "rows": one.rows} for one in self.dropped],
            "notes": list(self.notes),
        }


class Stopped(Record, frozen=True, kw_only=True):
    """Where following a file came to an end.

    Parameters
    ----------
    offset : int
        Bytes of complete lines that were read from the file as it is now.
    line : int
        Number of the last of these lines.
    unfinished : int
        Bytes after them: a line without an end, which was not counted.
    reason : str
        interrupted, idle or stopped.
    events : tuple of str
        What happened to the file: rotations and the like.
    malformed : int
        Lines that could not be read.
    examples : tuple of str
        Some of them, with the number of the line and what is wrong.
    """

    file: str
    offset: int
    line: int
    unfinished: int
    reason: str
    events: tuple[str, ...] = ()
    malformed: int = 0
    examples: tuple[str, ...] = ()


class Trajectory(Struct, frozen=True, kw_only=True, eq=False):
    """Agreement over time, at some hundred points.

    Parameters
    ----------
    items : array (points,) of integers
        How many items there were.
    moments : list of str or None
        When the last of them entered, as written.
    agreement, low, high : array (points,)
        Agreement so far and its confidence sequence.
    recent : array (points,)
        Agreement of the last items, as many as the window; NaN before there are so many.
    """

    items: Array
    moments: Sequence[str | None]
    agreement: Array
    low: Array
    high: Array
    recent: Array

    def to_dict(self) -> list[dict[str, Any]]:
        """Return the points as plain values; NaN becomes None."""
        names = ("items", "moment", "agreement", "low", "high", "recent")
        columns = (self.items, self.moments, self.agreement, self.low, self.high, self.recent)
        return [dict(zip(names, point, strict=True)) for point in zip(*map(plain, columns), strict=True)]


class Monitoring(Result, frozen=True, kw_only=True, eq=False):
    """Agreement while annotation runs.

    Parameters
    ----------
    n_items : int
        Items whose first two annotations are there.
    agreement : float
        Share of them on which the two agree; NaN if there are none.
    low, high : float
        The confidence sequence now; NaN if every constant agreement is refuted (method ``betting``).
    level : float
    method : {"mixture", "betting"}
    target : float or None
    standing : {"below", "above", "undecided"} or None
        Where the sequence lies, as a whole, to the target now; None without a target.
    alerts : tuple of Alert
    window : int
        How many items the moving agreement looks back.
    recent : float
        Agreement of the last of them; NaN if there are not yet so many.
    shifts : tuple of Shift
        Changes of agreement that were noticed.
    annotators : tuple of AnnotatorDrift
    trajectory : Trajectory
    alpha : Agreement or None
        Krippendorff's alpha of the first two annotations of each item; None if there are too many labels for it.
    alpha_interval : Interval or None
        Its plain interval, which is *not* valid if looked at again and again.
    waiting : int
        Items that have one annotation.
    further : int
        Annotations beyond the second of an item, which do not enter.
    duplicates : int
        Annotations left out because their annotator was one of the first two already.
    notes : tuple of str
        What a reader must know.
    stopped : Stopped or None
        Where following came to an end; None if no file was followed.
    data : Annotations or FollowedData
        What the data are.
    unit : str
        What enters the sequence: items, or the name of the cluster column.
    """

    n_items: int
    agreement: float
    low: float
    high: float
    level: float
    method: str
    target: float | None
    standing: Standing | None
    alerts: tuple[Alert, ...]
    window: int
    recent: float
    shifts: tuple[Shift, ...]
    annotators: tuple[AnnotatorDrift, ...]
    trajectory: Trajectory
    alpha: Agreement | None
    alpha_interval: Interval | None
    waiting: int
    further: int
    duplicates: int
    notes: tuple[str, ...]
    stopped: Stopped | None
    data: Annotations | FollowedData
    unit: str = "items"

    @property
    def sentences(self) -> list[str]:
        """What was found, in plain sentences."""
        from assent.analyses.monitor.document import sentences

        return sentences(self)

    def document(self) -> Document:
        """Return where agreement stands, its alerts and changes, every annotator, and what to know."""
        from assent.analyses.monitor.document import document

        return document(self)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, in the shape the command line prints as JSON; NaN becomes None."""
        alpha = None
        if self.alpha is not None:
            alpha = {**self.alpha.to_dict(self.alpha_interval), "anytime_valid": False}
        found = {
            "items": self.n_items,
            "agreement": self.agreement,
            "sequence": {"low": self.low, "high": self.high, "level": self.level, "method": self.method},
            "about": ABOUT[self.method],
            "target": self.target,
            "standing": self.standing,
            "alerts": [asdict(one) for one in self.alerts],
            "window": self.window,
            "recent": self.recent,
            "drift": plain(self.shifts),
            "annotators": plain(self.annotators),
            "alpha": alpha,
            "waiting": self.waiting,
            "further": self.further,
            "duplicates": self.duplicates,
            "sentences": self.sentences,
            "notes": list(self.notes),
            "stopped": plain(self.stopped),
            "trajectory": self.trajectory.to_dict(),
        }
        return {"data": self.data.to_dict(), "monitor": plain(found)}


def checked_window(window: int) -> int:
    """Refuse a window that shows nothing."""
    if window < 2:
        raise OptionError(f"The window is {window}; it must be 2 items at least, and 100 is usual.")
    return window
