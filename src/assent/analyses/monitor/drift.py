"""Whether agreement changes while annotation runs: of all, and of single annotators."""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np
from msgspec import field
from msgspec.structs import asdict

from assent.analyses.monitor.stream import Stream
from assent.inference.changes import Change, ChangeWatch
from assent.limits import MOVING_POINTS
from assent.profiles import Array
from assent.records import Record, Struct, plain

__all__ = ["AnnotatorDrift", "DriftWatch", "Shift", "alpha_share"]


class Shift(Record, frozen=True, kw_only=True):
    """A change of agreement.

    Parameters
    ----------
    after : int
        How many items of the stream came before it, about.
    item : str
        Name of the first item after it.
    moment : str or None
        When that item entered, as written.
    noticed : int
        How many items of the stream there were when it was noticed.
    before, since : float
        Share of items that agree before it (from the change before this one on) and since (up to the next).
    items_before, items_since : int
        How many items these shares rest on.
    others_before, others_since : float
        The same for items that the annotator had no part in; NaN if there is no annotator or there are no such items.
    """

    after: int
    item: str
    moment: str | None
    noticed: int
    before: float
    since: float
    items_before: int
    items_since: int
    others_before: float = np.nan
    others_since: float = np.nan


class AnnotatorDrift(Struct, frozen=True, kw_only=True):
    """How far an annotator agrees with the other one of the first two, lately and before.

    Parameters
    ----------
    n_items : int
        Items of which the annotator is one of the first two.
    agreement : float
        Share of them on which the two agree.
    recent : float
        The same for the last `window` of them.
    earlier : float
        The same for all before these; NaN if there are none.
    places : tuple of int
        Some of the moments at which the annotator had at least `window` items: how many items the stream had.
    moving : tuple of float
        Agreement on the annotator's last `window` items at these moments.
    shifts : tuple of Shift
        Changes that were noticed.
    """

    annotator: str
    n_items: int
    agreement: float
    recent: float
    earlier: float
    places: tuple[int, ...] = ()
    moving: tuple[float, ...] = ()
    shifts: tuple[Shift, ...] = ()

    @property
    def alone(self) -> bool:
        """Whether the last change is the annotator's own: items without the annotator changed less than half as much."""
        if not self.shifts:
            return False
        last = self.shifts[-1]
        return not abs(last.others_since - last.others_before) >= abs(last.since - last.before) / 2.0

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values; NaN becomes None."""
        moving = [{"items": items, "recent": recent} for items, recent in zip(self.places, self.moving, strict=True)]
        own = {name.removeprefix("n_"): value for name, value in asdict(self).items() if name != "places"}
        shifts = plain(self.shifts)
        return dict(plain({**own, "moving": moving, "shifts": shifts, "alone": self.alone}))


class _Part(Struct):
    """The items that an annotator has a part in: their places in the stream, and a watch over them."""

    watch: ChangeWatch
    places: array[int] = field(default_factory=lambda: array("q"))


class DriftWatch:
    """Watches a stream for changes, as a whole and for each annotator.

    While nothing changes, the chance of an alarm for the whole is at most `alpha`, and so is the chance of an alarm for any
    annotator: they share it by the order in which they appear (`alpha_share`).
    """

    def __init__(self, alpha: float) -> None:
        self._alpha = alpha
        self._whole = ChangeWatch(alpha)
        self._parts: list[_Part] = []
        self._seen = 0

    def extend(self, stream: Stream) -> None:
        """Look at what has entered the stream since the last time."""
        start, values = self._seen, stream.agreed(self._seen)
        self._seen += len(values)
        if not len(values):
            return
        self._whole.extend(values)
        while len(self._parts) < len(stream.annotators):
            self._parts.append(_Part(ChangeWatch(self._alpha * alpha_share(len(self._parts) + 1))))
        who = np.stack([np.asarray(stream.first[start:]), np.asarray(stream.second[start:])])
        order = np.argsort(who, axis=None, kind="stable")
        sorted_who, place = who.ravel()[order], order % len(values)
        for one, of in zip(*_runs(sorted_who), strict=True):
            # An item has two different annotators, so no place comes twice; places are in order within either half.
            places = np.sort(place[of])
            self._parts[one].places.extend((start + places).tolist())
            self._parts[one].watch.extend(values[places])

    @property
    def noticed(self) -> int:
        """How many changes have been noticed, of the whole and of annotators."""
        return len(self._whole.changes) + sum(len(one.watch.changes) for one in self._parts)

    def shifts(self, stream: Stream) -> tuple[Shift, ...]:
        """Return the changes of the whole."""
        return _shifts(stream, self._whole.changes, np.arange(self._seen))

    def annotators(self, stream: Stream, window: int) -> tuple[AnnotatorDrift, ...]:
        """Return how each annotator stands, in the order in which they appeared.

        With two annotators every item is an item of both, so nothing is said about either that is not said about the whole.
        """
        found, values = [], stream.agreed()
        for name, one in zip(stream.annotators, self._parts, strict=False):
            places = np.asarray(one.places, dtype=np.int64)
            if not len(places):
                continue
            own = values[places]
            apart = len(self._parts) > 2
            at, moving = _moving(own, places, window)
            found.append(
                AnnotatorDrift(
                    annotator=name,
                    n_items=len(own),
                    agreement=float(own.mean()),
                    recent=float(own[-window:].mean()),
                    earlier=_share(own[:-window]),
                    places=at,
                    moving=moving,
                    shifts=_shifts(stream, one.watch.changes, places) if apart else (),
                )
            )
        return tuple(found)


def alpha_share(number: int) -> float:
    """Return what the `number`-th of a list without end gets of the probability of a false alarm.

    The shares 1/2, 1/6, 1/12, … sum to 1, so nobody needs to know beforehand how many annotators there will be.

    Examples
    --------
    >>> [round(alpha_share(k), 3) for k in (1, 2, 3)], round(sum(map(alpha_share, range(1, 10_000))), 3)
    ([0.5, 0.167, 0.083], 1.0)
    """
    return 1.0 / (number * (number + 1))


def _runs(values: Array) -> tuple[list[int], list[Array]]:
    """Return the distinct values of a sorted array, and the places of each."""
    distinct, starts = np.unique(values, return_index=True)
    return distinct.tolist(), np.split(np.arange(len(values)), starts[1:])


def _shifts(stream: Stream, changes: list[Change], places: Array) -> tuple[Shift, ...]:
    """Put changes of some of the items into terms of the stream: (items,) are their places in it."""
    values = stream.agreed()
    own = values[places]
    others = np.ones(len(values), dtype=bool)
    others[places] = False
    ends = [0, *(change.after for change in changes), len(own)]
    found = []
    for number, change in enumerate(changes, start=1):
        before, since = own[ends[number - 1] : ends[number]], own[ends[number] : ends[number + 1]]
        start, place = (int(places[ends[number - 1]]) if number > 1 else 0), int(places[change.after])
        stop = int(places[ends[number + 1]]) if number < len(changes) else len(values)
        found.append(
            Shift(
                after=place,
                item=stream.items[place],
                moment=stream.moments[place],
                noticed=int(places[change.noticed - 1]) + 1,
                before=float(before.mean()),
                since=float(since.mean()),
                items_before=len(before),
                items_since=len(since),
                others_before=_share(values[start:place][others[start:place]]),
                others_since=_share(values[place:stop][others[place:stop]]),
            )
        )
    return tuple(found)


def _moving(own: Array, places: Array, window: int) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return the agreement on the last `window` of an annotator's items, at some of them, and where in the stream that was."""
    if len(own) < window:
        return (), ()
    ends = np.linspace(window, len(own), min(MOVING_POINTS, len(own) - window + 1)).round().astype(np.int64)
    totals = np.append(0, np.cumsum(own, dtype=np.int64))
    moving = (totals[ends] - totals[ends - window]) / window
    return tuple((places[ends - 1] + 1).tolist()), tuple(moving.tolist())


def _share(values: Array) -> float:
    return float(values.mean()) if len(values) else np.nan
