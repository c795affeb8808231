"""What a stream, its sequence and the watch over it show together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from assent.analyses.monitor.drift import DriftWatch
from assent.analyses.monitor.result import Alert, FollowedData, Monitoring, Stopped, Trajectory
from assent.analyses.monitor.sequence import SequenceSoFar, Standing
from assent.analyses.monitor.stream import Stream
from assent.limits import MOST_PAIR_CELLS, TRAJECTORY_POINTS
from assent.profiles import Array
from assent.text import counted, shown

if TYPE_CHECKING:
    from assent.data import Annotations
    from assent.measures.results import Agreement

__all__ = ["monitoring_of"]

#: From this share of the items on, it is said that the first two are nearly always the same two.
SAME_TWO = 0.9


def monitoring_of(
    stream: Stream,
    sequence: SequenceSoFar,
    drift: DriftWatch,
    *,
    window: int,
    data: Annotations | FollowedData,
    notes: Sequence[str] = (),
    stopped: Stopped | None = None,
) -> Monitoring:
    """Put together what a stream shows now; without any item, everything between 0 and 1 is possible.

    Parameters
    ----------
    drift : DriftWatch
        Both have seen all of the stream.
    data : Annotations or FollowedData
        What the data are.
    """
    shifts = drift.shifts(stream)
    special = [*(one.n_items for one in sequence.crossings), *(one.after for one in shifts if one.after)]
    trajectory = _trajectory(stream, sequence, window, special)
    alpha, why_not = _alpha(stream.whole or stream)
    return Monitoring(
        n_items=sequence.n_items,
        agreement=_last(trajectory.agreement, np.nan),
        low=_last(trajectory.low, 0.0),
        high=_last(trajectory.high, 1.0),
        level=sequence.level,
        method=sequence.method,
        target=sequence.target,
        standing=None if sequence.target is None else sequence.standing,
        alerts=tuple(_alert(stream, trajectory, one.n_items, one.standing) for one in sequence.crossings),
        window=window,
        recent=_last(trajectory.recent, np.nan),
        shifts=shifts,
        annotators=drift.annotators(stream, window),
        trajectory=trajectory,
        alpha=alpha,
        alpha_interval=None if alpha is None else alpha.confidence_interval(sequence.level),
        waiting=stream.waiting,
        further=stream.further,
        duplicates=stream.duplicates,
        notes=(*notes, *_by_completion(stream), *_same_two(stream), *why_not),
        stopped=stopped,
        data=data,
        unit="items" if stream.means is None else str(getattr(data, "unit", "items")),
    )


def _trajectory(stream: Stream, sequence: SequenceSoFar, window: int, special: Sequence[int]) -> Trajectory:
    number = sequence.n_items
    even = np.linspace(1, number, min(number, TRAJECTORY_POINTS)).round().astype(np.int64)
    items = np.union1d(even, np.asarray(special, dtype=np.int64))
    low, high = sequence.interval(items)
    return Trajectory(
        items=items,
        moments=[stream.moments[i - 1] for i in items.tolist()],
        agreement=sequence.agreement(items),
        low=low,
        high=high,
        recent=sequence.moving(items, window),
    )


def _last(values: Array, otherwise: float) -> float:
    return float(values[-1]) if len(values) else otherwise


def _alert(stream: Stream, trajectory: Trajectory, items: int, kind: Standing) -> Alert:
    place = int(np.searchsorted(trajectory.items, items))
    return Alert(
        kind=kind,
        n_items=items,
        item=stream.items[items - 1],
        moment=stream.moments[items - 1],
        agreement=float(trajectory.agreement[place]),
        low=float(trajectory.low[place]),
        high=float(trajectory.high[place]),
    )


def _by_completion(stream: Stream) -> tuple[str, ...]:
    """Say what comes of items that enter when they are done, where some are not."""
    if not stream.waiting or not stream.items:
        return ()
    return (
        f"{counted(stream.waiting, 'item waits', 'items wait')} for a second annotation: where easy items are done first, agreement so far is that of easy items.",
    )


def _same_two(stream: Stream) -> tuple[str, ...]:
    """Say so if the stream is about two annotators, though there are more."""
    if len(stream.annotators) < 3 or not stream.items:
        return ()
    lower, upper = np.sort(np.stack([np.asarray(stream.first), np.asarray(stream.second)]), axis=0)
    pairs, times = np.unique(lower * len(stream.annotators) + upper, return_counts=True)
    most = int(times.argmax())
    if times[most] < SAME_TWO * len(lower):
        return ()
    names = list(stream.annotators)
    one, other = divmod(int(pairs[most]), len(names))
    return (
        f"The first two are {shown(names[one])} and {shown(names[other])} on {times[most]:,} of {counted(len(lower), 'item')}: this is about "
        "these two, whatever the others do.",
    )


def _alpha(stream: Stream) -> tuple[Agreement | None, tuple[str, ...]]:
    """Measure Krippendorff's alpha on the first two annotations, from how often two labels came together."""
    from assent.data import Annotations
    from assent.data.count_source import CountSource
    from assent.data.label_order import in_order
    from assent.measures import find

    if not stream.items:
        return None, ()
    labels = in_order({label for pair in stream.pairs for label in pair})
    if len(stream.pairs) * len(labels) > MOST_PAIR_CELLS:
        return None, (f"Krippendorff's alpha is left out: there are {len(labels):,} labels.",)
    place = {label: i for i, label in enumerate(labels)}
    counts = np.zeros((len(stream.pairs), len(labels)), dtype=np.int64)
    for row, (one, other) in enumerate(stream.pairs):
        counts[row, place[one]] += 1
        counts[row, place[other]] += 1
    tally = CountSource(counts, np.fromiter(stream.pairs.values(), dtype=np.int64))
    data = Annotations(
        labels=labels, annotators=None, n_annotations=2 * len(stream.items), layout="counts", _source=tally
    )
    return find("krippendorff-alpha")(data), ()
