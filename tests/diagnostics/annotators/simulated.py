"""Teams of annotators as they might be: who labels which items, and what they say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from msgspec.structs import replace

from assent import Annotations
from assent.analyses.annotators.table import AnnotatorTable
from assent.data.long_rows import LongRows
from assent.profiles import Ratings


def listing(who: Any, said: Any, annotators: int, labels: int) -> LongRows:
    """Annotations of (items, annotations an item) arrays of positions."""
    items, each = who.shape
    return LongRows(
        items=[f"i{i}" for i in range(items)],
        labels=tuple("abcdefghijklmnopqrstuvwxyz"[:labels]),
        annotators=tuple(f"w{i}" for i in range(annotators)),
        item=np.repeat(np.arange(items), each),
        label=np.asarray(said).ravel(),
        annotator=np.asarray(who).ravel(),
    )


def drawn(
    rng: np.random.Generator,
    *,
    annotators: int,
    items: int,
    each: int,
    shares: Sequence[float],
    skill: float | Sequence[float] = 0.8,
) -> tuple[Any, Any, Any]:
    """Draw who labels what, what they say, and the truth; a wrong label is drawn from the shares."""
    chances = np.asarray(shares) / np.sum(shares)
    truth = rng.choice(len(chances), items, p=chances)
    who = np.argsort(rng.random((items, annotators)), axis=1)[:, :each]
    right = rng.random((items, each)) < np.broadcast_to(skill, (annotators,))[who]
    said = np.where(right, truth[:, None], rng.choice(len(chances), (items, each), p=chances))
    return who, said, truth


def annotations(who: Any, said: Any, annotators: int, labels: int) -> Annotations:
    """The same as a data set."""
    made = listing(who, said, annotators, labels)
    return Annotations.from_frame(
        pl.DataFrame(
            {
                "item": [made.items[i] for i in made.item.tolist()],
                "annotator": [f"w{i}" for i in np.asarray(made.annotator).tolist()],
                "label": [made.labels[i] for i in made.label.tolist()],
            }
        )
    )


def gaps(
    rng: np.random.Generator, items: int, annotators: int, labels: int, share: float = 0.6
) -> list[list[str | None]]:
    """A table of items x annotators with gaps, in which annotators agree more than by chance."""
    truth = rng.integers(0, labels, items)
    said = np.where(rng.random((items, annotators)) < 0.6, truth[:, None], rng.integers(0, labels, (items, annotators)))
    there = rng.random((items, annotators)) < share
    return [["abcdefgh"[said[i, j]] if there[i, j] else None for j in range(annotators)] for i in range(items)]


def team(rows: Sequence[Sequence[str | None]]) -> AnnotatorTable:
    """A team of a table of items x annotators."""
    return AnnotatorTable.of_listing(Annotations.from_array([list(row) for row in rows]).to_rows())


def ratings(made: LongRows, unit: Any = None) -> Ratings:
    """Who said what, with every item by itself, even if it is like others; `unit` is the cluster of each item."""
    assert made.annotator is not None
    assert made.annotators is not None
    from scipy.sparse import csr_array

    order, items = np.lexsort((made.annotator, made.item)), len(made.items)
    units = None
    if unit is not None:
        names, place = np.unique(unit, return_inverse=True)
        units = csr_array((np.ones(items, dtype=np.int64), (place, np.arange(items))), shape=(len(names), items))
    return Ratings(
        profile=made.item[order],
        annotator=made.annotator[order],
        label=made.label[order],
        multiplicities=np.ones(items, dtype=np.int64),
        labels=made.labels,
        annotators=made.annotators,
        origin=np.arange(items),
        units=units,
    )


def one_by_one(data: Annotations, cluster: str | None = None) -> Annotations:
    """The same data, whose items are left apart however alike they are; the cluster column must have been kept."""
    made = data.to_rows(*([] if cluster is None else [cluster]))
    unit = None
    if cluster is not None:
        unit = np.empty(len(made.items), dtype=object)
        unit[made.item] = np.array(made.columns[cluster], dtype=object)
    apart = replace(data)
    apart.__dict__["_ratings"] = ratings(made, unit)
    return apart
