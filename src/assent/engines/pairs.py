"""Annotators who labelled an item more than once."""

from __future__ import annotations

from typing import Any

import narwhals as nw

from assent.engines.collect import tuples
from assent.engines.columns import counted, whole
from assent.engines.hashes import has_hashes, hashed
from assent.engines.texts import text_of

__all__ = ["hashes_differ", "repeated_labels", "repeated_pairs"]


def repeated_pairs(frame: nw.LazyFrame[Any], known: tuple[int, int] | None) -> tuple[int, int, str, str] | None:
    """Look for annotators who labelled an item more than once.

    Parameters
    ----------
    frame : LazyFrame
        Rows with an item, an annotator and a label.
    known : tuple of two int, or None
        How many such pairs there are and how many rows they have, if somebody has counted them.

    Returns
    -------
    None if there are none, else how many (item, annotator) pairs, how many rows they have, and one of them.
    """
    if known == (0, 0):
        return None
    keys = ["item", "annotator"]
    repeated = counted(frame.group_by(*keys), "n").filter(nw.col("n") > 1)
    if known is None:
        total = repeated.select(nw.len().alias("pairs"), nw.col("n").sum().alias("rows")).select(
            *whole("pairs", "rows")
        )
        known = tuples(total, ["pairs", "rows"], "repeated pairs")[0]
    if not known[0]:
        return None
    item, annotator = tuples(repeated.select(*keys).sort(*keys).head(1), keys, "a repeated pair")[0]
    return int(known[0]), int(known[1]), str(text_of(item)), str(text_of(annotator))


def hashes_differ(frame: nw.LazyFrame[Any], *roles: str) -> bool:
    """Return whether surely no two rows hold the same in some columns: all hashes differ.

    Two equal hashes may be of different rows and decide nothing. They are a fraction of the size of what they stand for.
    """
    if not has_hashes(frame):
        return False
    rows = hashed(frame.select(*roles), roles, "hash").select("hash")
    if rows.implementation.is_polars():
        # Engines that spill to disk do so with groups only; in memory, to sort takes half the time.
        import polars as pl

        beside = pl.col("hash") == pl.col("hash").shift(1)
        number = nw.from_native(rows.to_native().select(pl.col("hash").sort()).select(hashes=beside.sum()))
    else:
        repeated = counted(rows.group_by("hash"), "n").filter(nw.col("n") > 1)
        number = repeated.select(nw.len().alias("hashes"))
    return not tuples(number.select(*whole("hashes")), ["hashes"], "repeated pairs")[0][0]


def repeated_labels(frame: nw.LazyFrame[Any]) -> tuple[int, str, str, str] | None:
    """Look for annotators who gave an item the same label twice: how many rows too many, and one case."""
    if hashes_differ(frame, "item", "annotator", "label"):
        return None
    keys = ["item", "annotator", "label"]
    repeated = counted(frame.group_by(*keys), "n").filter(nw.col("n") > 1)
    extra = repeated.select((nw.col("n") - 1).sum().alias("rows")).select(*whole("rows"))
    first = tuples(repeated.select(*keys).sort(*keys).head(1), keys, "a repeated label")
    if not first:
        return None
    item, annotator, label = (str(text_of(value)) for value in first[0])
    return int(tuples(extra, ["rows"], "repeated labels")[0][0]), item, annotator, label
