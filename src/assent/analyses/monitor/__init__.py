"""While annotation runs: agreement so far, valid however often one looks, alerts at a target, and drift."""

from __future__ import annotations

import os
from typing import Any

from assent.analyses.monitor.assembling import monitoring_of
from assent.analyses.monitor.drift import AnnotatorDrift, DriftWatch, Shift
from assent.analyses.monitor.following import Follower, follow
from assent.analyses.monitor.result import WINDOW, Alert, Monitoring, Stopped, Trajectory, checked_window
from assent.analyses.monitor.sequence import SequenceSoFar
from assent.analyses.monitor.stream import by_document, streamed
from assent.data import Annotations, as_annotations
from assent.errors import OptionError
from assent.inference.betting import METHODS
from assent.text import shown

__all__ = ["Alert", "AnnotatorDrift", "Follower", "Monitoring", "Shift", "Stopped", "Trajectory", "follow", "monitor"]

BY_DOCUMENT = (
    "Clusters ({}) enter, each with the mean of its items once its last one is there, and are what is counted as items here; drift is "
    "watched on the first item of each."
)
FROM_A_POOL = "The sequence is about all items there are, if those annotated so far were drawn from them at random; it is made by betting."


def monitor(
    data: Any,
    *,
    time: str | None = None,
    target: float | None = None,
    level: float = 0.95,
    method: str = METHODS[0],
    window: int = WINDOW,
    of: int | None = None,
) -> Monitoring:
    """Follow agreement through annotations in the order in which they were made.

    An item enters the stream when it has its second annotation, with the value 1 if the two have the same label, else 0. The mean
    of these values estimates percent agreement, and a confidence sequence says how sure it is after every item.
    Unlike a plain interval it stays valid if one looks at it after every item and stops whenever one likes.

    Parameters
    ----------
    data : Annotations, or whatever `Annotations` can be made from
        In the order in which the annotations were made, unless `time` is given.
    time : str, optional
        Column with the time of each annotation: ISO 8601 dates and times, or numbers. It must have been kept when the
        table was read (``assent.read(…, columns=["time"])``) unless `data` is a path or a DataFrame.
    target : float, optional
        A share of items that agree, such as 0.8: when the whole sequence lies below or above it, that is an alert. It is on
        the scale of percent agreement, not of a chance-corrected coefficient.
    level : float
        Confidence level of the sequence; 1 - level is also the chance of a false alarm about drift.
    method : {"mixture", "betting"}
        How the sequence is made (see `assent.inference.betting`).
    window : int
        How many items the moving agreement looks back.
    of : int, optional
        How many items there are in all, if these are drawn from them at random: the sequence (by betting) is then about all of these, and ends as
        narrow as what is left allows. With clusters it counts these.

    Returns
    -------
    Monitoring

    Examples
    --------
    >>> rows = [
    ...     {"item": i, "annotator": a, "label": "xy"[(i * 7 % 10 < 2) and a == "bob"]}
    ...     for i in range(300)
    ...     for a in ("ann", "bob")
    ... ]
    >>> result = monitor(rows, target=0.7)
    >>> result.agreement, round(result.low, 2), round(result.high, 2), result.standing
    (0.8, 0.72, 0.87, 'above')
    >>> result.alerts[0].n_items
    200
    """
    checked_window(window)
    sequence = SequenceSoFar(level=level, method=method, target=target, pool=of)
    annotations = _annotations(data, time)
    stream, notes = streamed(annotations, time)
    if annotations.unit != "items":
        listing = annotations.to_rows(annotations.unit)
        column = listing.columns[annotations.unit]
        where = {listing.items[item]: str(one) for item, one in zip(listing.item.tolist(), column, strict=True)}
        stream = by_document(stream, where)
        notes = (*notes, BY_DOCUMENT.format(shown(annotations.unit)))
    if of is not None:
        notes = (*notes, FROM_A_POOL)
    drift = DriftWatch(1.0 - level)
    sequence.extend(stream.agreed() if stream.means is None else stream.means)
    drift.extend(stream)
    return monitoring_of(stream, sequence, drift, window=window, data=annotations, notes=notes)


def _annotations(data: Any, time: str | None) -> Annotations:
    """Make annotations that keep the time column."""
    if time is None or isinstance(data, Annotations):
        return as_annotations(data)
    if isinstance(data, str | os.PathLike):
        from assent.readers import read

        return as_annotations(read(data, columns=[time]))
    if isinstance(data, list | tuple) or not hasattr(data, "columns"):
        raise OptionError("A time column needs a table that has one: give a DataFrame, or the path of a file.")
    return Annotations.from_frame(data, columns=[time])
