"""Some of the annotations as a data set of their own, or all of them under other names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from assent.annotations import Annotations
from assent.engines import Rows
from assent.errors import OptionError, shown
from assent.profiles import Array
from assent.report.ground import cluster_column

__all__ = ["Names", "anonymous", "part_of"]


def part_of(data: Annotations, wanted: Array) -> Annotations:
    """Return some of the annotations; labels that none of them has are left out unless the user gave their order.

    Parameters
    ----------
    data : Annotations
    wanted : array (annotations,) of bool
        In the order of the listing.
    """
    return _made(data, np.flatnonzero(wanted), data.annotators, ())


@dataclass(frozen=True)
class Names:
    """What annotators and items are called in an anonymous report.

    Parameters
    ----------
    annotators : mapping of str to str
        A1, A2, …: A1 gave the most annotations; those with equally many keep their order.
    items : mapping of str to int
        Numbers from 1, in the order in which items first occur.
    """

    annotators: Mapping[str, str]
    items: Mapping[str, int]

    @classmethod
    def of(cls, *data: Annotations) -> Names:
        """Name the annotators and items of one data set, or of several about the same items."""
        work: Counter[str] = Counter()
        items: dict[str, int] = {}
        for one in data:
            listing = one.listing()
            for name in listing.items:
                items.setdefault(name, len(items) + 1)
            if listing.annotator is not None and one.annotators is not None:
                counts = np.bincount(listing.annotator, minlength=len(one.annotators)).tolist()
                work.update(dict(zip(one.annotators, counts, strict=True)))
        ranked = sorted(work, key=lambda name: -work[name])
        return cls({name: f"A{i}" for i, name in enumerate(ranked, start=1)}, items)


def anonymous(data: Annotations, names: Names, by: str | None = None) -> Annotations:
    """Return the same annotations under other names.

    Notes on how the table was read name columns, which may be names of annotators, so they are left out.

    Parameters
    ----------
    data : Annotations
    names : Names
    by : str, optional
        A column with groups, to be kept.
    """
    renamed = None if data.annotators is None else tuple(names.annotators[name] for name in data.annotators)
    if not isinstance(data.source, Rows):
        return replace(data, annotators=renamed, notes=())
    if data.source.clustered and cluster_column(data) is None:
        raise OptionError(
            f"The clusters ({shown(data.unit)}) must be kept to make the data anonymous: name that column in columns, too, when the "
            "table is read."
        )
    if by is not None and not names.annotators.keys().isdisjoint(data.listing(by).columns[by]):
        raise OptionError(
            f"The groups of {shown(by)} are names of annotators, which an anonymous report must not show."
        )
    numbers = np.array([names.items[name] for name in data.listing().items], dtype=np.int64)
    made = _made(data, np.arange(data.annotations), renamed, [] if by is None else [by], numbers)
    return replace(made, layout=data.layout, dropped=data.dropped)


def _made(
    data: Annotations,
    rows: Array,
    annotators: tuple[str, ...] | None,
    keep: Sequence[str],
    numbers: Array | None = None,
) -> Annotations:
    """Make annotations of some rows of the listing; items have numbers, from 1 in the order of the table unless given."""
    cluster = cluster_column(data)
    kept = list(dict.fromkeys([*keep, *([] if cluster is None else [cluster])]))
    listing = data.listing(*kept)
    columns = {
        "item": pl.Series(listing.item[rows] + 1 if numbers is None else numbers[listing.item[rows]]),
        "annotator": _texts(
            annotators or ("",), None if listing.annotator is None else listing.annotator[rows], len(rows)
        ),
        "label": _texts(data.labels, listing.label[rows], len(rows)),
    }
    further = {name: f"column {i}" for i, name in enumerate(kept)}
    for name, place in further.items():
        columns[place] = pl.Series(listing.columns[name], dtype=pl.String).gather(pl.Series(rows))
    parse = None
    if data.sets is not None:
        members = dict(zip(data.labels, data.sets.names(), strict=True))
        parse = members.__getitem__
    made = Annotations.from_frame(
        pl.DataFrame(columns),
        cluster=None if cluster is None else further[cluster],
        columns=further,
        decimal=data.decimal,
        parse=parse,
        ranked=data.sets is not None and data.sets.ranked,
    )
    made = replace(made, unit=data.unit if cluster is not None else "items")
    return made.ordered(data.single_labels) if data.order_given else made


def _texts(names: Sequence[str], places: Array | None, count: int) -> pl.Series:
    """Return the names at some places."""
    if places is None:
        return pl.repeat(names[0], count, eager=True)
    return pl.Series(names, dtype=pl.String).gather(pl.Series(places))
