"""Whether annotators agree with themselves when they see an item again."""

from __future__ import annotations

import numpy as np

from assent.analyses.annotators.agreement import wilson
from assent.analyses.annotators.trend import moments
from assent.data.long_rows import LongRows
from assent.errors import DuplicateAnnotations, InputError, OptionError
from assent.measures.components import chance_corrected
from assent.profiles import Array, distinct
from assent.records import Struct
from assent.text import shown

__all__ = ["SelfConsistency", "both_passes", "self_consistency"]


class SelfConsistency(Struct, frozen=True, kw_only=True, eq=False):
    """Agreement of annotators with themselves: (annotators,) each; NaN where an annotator saw no item again.

    Parameters
    ----------
    items : integers
        Items that the annotator labelled more than once.
    observed, low, high
        Mean share of the later labels that are the first one, and its interval.
    expected, value
        Agreement that the annotator's label shares would give by chance, and the agreement beyond it.
    """

    annotators: tuple[str, ...]
    items: Array
    observed: Array
    low: Array
    high: Array
    expected: Array
    value: Array


def self_consistency(listing: LongRows, repeat: str, *, level: float = 0.95) -> SelfConsistency:
    """Compare what annotators said of an item first with what they said when they saw it again.

    Parameters
    ----------
    listing : LongRows
        Annotations in which an annotator may have an item more than once.
    repeat : str
        Column of the listing that tells the passes apart, by number or time: the lowest is the first label, the others are
        repeats.
    level : float
        Confidence level of the intervals.

    Examples
    --------
    >>> listing = LongRows(
    ...     items=["i", "j"],
    ...     labels=("a", "b"),
    ...     annotators=("ann",),
    ...     item=np.array([0, 0, 1, 1]),
    ...     label=np.array([0, 0, 1, 0]),
    ...     annotator=np.array([0, 0, 0, 0]),
    ...     columns={"pass": ["1", "2", "1", "2"]},
    ... )
    >>> found = self_consistency(listing, "pass")
    >>> found.items.tolist(), found.observed.tolist()
    ([2], [0.5])
    """
    from scipy.special import stdtrit

    if listing.annotator is None or listing.annotators is None:
        raise InputError("The table does not say who annotated, so nobody can be compared with themselves.")
    if repeat not in listing.columns:
        raise OptionError(f"The column {shown(repeat)} was not kept: name it in columns when the table is read.")
    order_in_time = moments(listing.columns[repeat], repeat)
    if np.isnan(order_in_time).any():
        raise InputError(
            f"The column {shown(repeat)} is empty in some rows, so it does not say which label came first: fill it."
        )
    count, labels = len(listing.annotators), len(listing.labels)
    pair = listing.item * count + listing.annotator
    order = np.lexsort((order_in_time, pair))
    pair, label, time = pair[order], listing.label[order], order_in_time[order]
    start = np.flatnonzero(np.diff(pair, prepend=-1))
    size = np.diff(np.append(start, len(pair)))
    twice = np.flatnonzero((np.diff(time) == 0) & (np.diff(pair) == 0))
    if len(twice):
        item, annotator = divmod(int(pair[twice[0]]), count)
        raise DuplicateAnnotations(
            f"Item {shown(listing.items[item])} has two labels by {shown(listing.annotators[annotator])} with the same "
            f"{shown(repeat)}, so neither came first: tell them apart in that column, or remove one."
        )
    many = size > 1
    who = pair[start[many]] % count
    later = np.ones(len(pair), dtype=bool)
    later[start] = False
    run = np.repeat(np.arange(len(start)), size)
    # The later labels of an item count one together.
    weight = 1.0 / np.maximum(size[run] - 1, 1)
    repeated = later & (label == np.repeat(label[start], size))
    same = np.bincount(run, weights=np.where(repeated, weight, 0.0), minlength=len(start))[many]
    items = np.bincount(who, minlength=count)
    number = np.where(items > 0, items, np.nan)
    observed = np.bincount(who, weights=same, minlength=count) / number
    begin, rest = start[many], np.flatnonzero(later)
    keys = np.concatenate([pair[begin], pair[rest]]) % count * labels + np.concatenate([label[begin], label[rest]])
    key, place = distinct(keys, count * labels)
    of_first = np.bincount(place[: len(begin)], minlength=len(key))
    of_later = np.bincount(place[len(begin) :], weights=weight[rest], minlength=len(key))
    expected = np.bincount(key // labels, weights=of_first * of_later, minlength=count) / number**2
    squares = np.bincount(who, weights=((same - observed[who]) / items[who]) ** 2, minlength=count)
    degrees = np.where(items > 1, items - 1.0, np.nan)
    quantile = np.asarray(stdtrit(degrees, (1.0 + level) / 2.0))
    low, high = wilson(observed, np.sqrt(items / degrees * squares), items, quantile)
    return SelfConsistency(
        annotators=listing.annotators,
        items=items,
        observed=observed,
        low=low,
        high=high,
        expected=expected,
        value=chance_corrected(observed, expected),
    )


def both_passes(first: LongRows, last: LongRows, repeat: str) -> LongRows:
    """Put the first and the last label of every item and annotator into one listing.

    Parameters
    ----------
    first, last : LongRows
        The same table, read with ``duplicates="first"`` and with ``duplicates="last"``.
    repeat : str
        Column that tells the passes apart. A row that is the first and the last one is there once.
    """
    names = [_names(one) for one in (first, last)]
    values = [list(one.columns[repeat]) for one in (first, last)]
    times = [moments(one, repeat) for one in values]
    known = {name[:2]: place for place, name in enumerate(names[0])}
    again = []
    for place, name in enumerate(names[1]):
        before = known[name[:2]]
        early, late = times[0][before], times[1][place]
        if late < early:
            raise InputError(
                f"Item {shown(name[0])} by {shown(name[1])} has a lower {shown(repeat)} further down in the table: sort its rows by "
                "that column, so that the first label of an item comes first."
            )
        if late > early or names[0][before][2] != name[2]:
            again.append(place)
    rows = [*names[0], *(names[1][place] for place in again)]
    items, annotators, labels = (
        {name: i for i, name in enumerate(dict.fromkeys(column))} for column in zip(*rows, strict=True)
    )
    return LongRows(
        items=list(items),
        labels=tuple(labels),
        annotators=tuple(annotators),
        item=np.array([items[row[0]] for row in rows]),
        annotator=np.array([annotators[row[1]] for row in rows]),
        label=np.array([labels[row[2]] for row in rows]),
        columns={repeat: [*values[0], *(values[1][place] for place in again)]},
    )


def _names(listing: LongRows) -> list[tuple[str, str, str]]:
    """Return item, annotator and label of every annotation by name."""
    if listing.annotator is None or listing.annotators is None:
        raise InputError("The table does not say who annotated, so nobody can be compared with themselves.")
    columns = (
        [names[i] for i in places.tolist()]
        for names, places in (
            (listing.items, listing.item),
            (listing.annotators, listing.annotator),
            (listing.labels, listing.label),
        )
    )
    return list(zip(*columns, strict=True))
