"""Whether annotators get better or worse as they go along."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

import numpy as np

from assent.analyses.annotators.table import AnnotatorTable
from assent.errors import InputError
from assent.profiles import Array
from assent.records import Struct
from assent.scales import numbers
from assent.text import shown

__all__ = ["Trend", "moments", "trend"]


class Trend(Struct, frozen=True, kw_only=True, eq=False):
    """How annotators change over their own sequence of annotations: (annotators,) each.

    Parameters
    ----------
    items : integers
        Annotations with a time and a yardstick.
    correlation
        Of the agreement with the others with the order in time; NaN if nothing varies or there are too few.
    first_half, second_half
        Mean difference to the others in the earlier and the later half.
    p_value
        Two-sided.
    without_time : int
        Annotations of the whole team that have no time.
    """

    items: Array
    correlation: Array
    first_half: Array
    second_half: Array
    p_value: Array
    without_time: int


def moments(values: Sequence[str | None], column: str) -> Array:
    """Read times: all numbers, or all dates and times as ISO 8601 writes them; NaN where there is none.

    Examples
    --------
    >>> moments(["2024-05-01", None, "2024-05-02T12:00"], "when").tolist()
    [0.0, nan, 129600.0]
    """
    there = [i for i, value in enumerate(values) if value is not None and value.strip()]
    texts = [str(values[i]).strip() for i in there]
    read: Sequence[float] | None = numbers(texts)
    if read is None:
        read = _dates(texts, column)
    found = np.full(len(values), np.nan)
    found[there] = read
    return found


def _dates(texts: Sequence[str], column: str) -> list[float]:
    dates = []
    for text in texts:
        try:
            dates.append(datetime.datetime.fromisoformat(text))
        except ValueError:
            raise InputError(
                f"The column {shown(column)} holds {shown(text)}, which is neither a number nor a time such as "
                "2024-05-31T14:05:00: write all times in one of these ways."
            ) from None
    zoned = {date.tzinfo is not None for date in dates}
    if len(zoned) > 1:
        raise InputError(
            f"Some times of the column {shown(column)} have a time zone and others do not, so they cannot be put in order: "
            "write all of them in one way."
        )
    start = min(dates)
    return [(date - start).total_seconds() for date in dates]


def trend(team: AnnotatorTable, residual: Array, when: Array, *, least: int) -> Trend:
    """Relate each annotator's agreement with the others to the order in which they annotated.

    Parameters
    ----------
    residual : array (annotations,)
        Relative agreement of each annotation: see `relative_agreement`. What is hard for everybody does not count.
    when : array (annotations,)
        Time of each; NaN where it is not known.
    least : int
        Annotators with fewer annotations are not judged.
    """
    from scipy.special import stdtr

    count = len(team.annotators)
    rows = np.flatnonzero(~np.isnan(residual) & ~np.isnan(when))
    order = rows[np.lexsort((when[rows], team.annotator[rows]))]
    who, time, value = team.annotator[order], when[order], residual[order]
    items = np.bincount(who, minlength=count)
    start = np.cumsum(items) - items
    # Equal times share the mean of their ranks.
    fresh = (
        np.concatenate([[True], (np.diff(who) != 0) | (np.diff(time) != 0)]) if len(order) else np.zeros(0, dtype=bool)
    )
    run = np.cumsum(fresh) - 1
    place = np.arange(len(order)) - start[who]
    rank = (np.bincount(run, weights=place) / np.bincount(run))[run] if len(order) else np.zeros(0)
    number = np.maximum(items, 1)

    def centred(values: Array) -> Array:
        return np.asarray(values - (np.bincount(who, weights=values, minlength=count) / number)[who])

    ranks, values = centred(rank), centred(value)
    products = np.bincount(who, weights=ranks * values, minlength=count)
    spreads = np.bincount(who, weights=ranks**2, minlength=count) * np.bincount(who, weights=values**2, minlength=count)
    known = (items >= max(least, 3)) & (spreads > 1e-12)
    correlation = np.where(known, products / np.sqrt(np.where(known, spreads, 1.0)), np.nan)
    room = np.maximum(1.0 - correlation**2, 1e-300)
    p_value = np.where(
        known, 2.0 * stdtr(np.maximum(items - 2, 1), -np.abs(correlation) * np.sqrt((items - 2) / room)), np.nan
    )
    later = 2 * rank >= items[who]
    halves = [
        np.bincount(who[half], weights=value[half], minlength=count)
        / np.where(np.bincount(who[half], minlength=count) > 0, np.bincount(who[half], minlength=count), np.nan)
        for half in (~later, later)
    ]
    return Trend(
        items=items,
        correlation=correlation,
        first_half=halves[0],
        second_half=halves[1],
        p_value=p_value,
        without_time=int(np.count_nonzero(np.isnan(when))),
    )
