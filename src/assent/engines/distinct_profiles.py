"""Items that look alike, counted together where they live."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np

from assent.engines import collect
from assent.engines.collect import collected
from assent.engines.columns import counted, flag, is_local, named, numbered, whole
from assent.engines.hashes import item_keys
from assent.engines.texts import text_of
from assent.errors import InputError, TooMany
from assent.limits import MOST_KINDS
from assent.profiles import Array

if TYPE_CHECKING:
    import polars as pl

__all__ = ["counted_sums", "one_of_each", "positions"]


def counted_sums(
    frame: nw.LazyFrame[Any], columns: Sequence[nw.Expr], *, clustered: bool, instead: str
) -> tuple[Array, Array, Array | None]:
    """Add up integer columns by item and count the items with the same sums (and cluster): one pass.

    If an engine finds too many kinds of items to bring over, `instead` says what else can be asked.

    Returns
    -------
    sums : array (kinds, columns); items : array (kinds,); units : array (kinds,) or None
    """
    names = numbered(columns)
    marked, items = item_keys(frame.with_columns(*named(columns)))
    grouped, keys = _by_item(marked, items, names, clustered=clustered)
    kinds = counted(grouped.group_by(*names, *keys), "items")
    if not is_local(frame):
        kinds = kinds.head(MOST_KINDS + 1)
    found = collected(kinds, [*names, "items", *keys], "profiles")
    if not is_local(frame) and found.height > MOST_KINDS:
        raise TooMany(
            f"There are more than {MOST_KINDS:,} kinds of items, too many to be brought here: take a sample of the items there, or "
            f"{instead}."
        )
    sums = np.ascontiguousarray(found.select(names).to_numpy(), dtype=np.int64)
    return sums, found["items"].to_numpy(), _units(found) if clustered else None


def _by_item(
    frame: nw.LazyFrame[Any], items: Sequence[str], names: Sequence[str], *, clustered: bool
) -> tuple[nw.LazyFrame[Any], list[str]]:
    """Group rows by the columns `items`, adding up the columns `names`; with the item's cluster if there is one."""
    sums = [nw.col(name).sum() for name in names]
    if not clustered:
        return frame.group_by(*items).agg(*sums).with_columns(*whole(*names)), []
    # An item in two clusters would be drawn twice; the count of such items comes along with the sums.
    both = [nw.col("cluster").min().alias("unit"), nw.col("cluster").max().alias("other_unit")]
    grouped = frame.group_by(*items).agg(*sums, *both)
    torn = flag(nw.col("unit") != nw.col("other_unit"))
    return grouped.with_columns(torn.alias("torn"), *whole(*names)), ["torn", "unit"]


def _units(found: pl.DataFrame) -> Array:
    """Give the clusters of kinds numbers, in the order of their texts."""
    torn = int(found["items"].filter(found["torn"] == 1).sum())
    if torn:
        raise InputError(
            f"{torn:,} {'item stands' if torn == 1 else 'items stand'} in more than one cluster: an item must belong to one."
        )
    values = found["unit"].unique()
    texts = [text_of(value) or "" for value in values.to_list()]
    places = {text: i for i, text in enumerate(sorted(set(texts)))}
    units = positions(found["unit"], values.to_list(), [places[text] for text in texts])
    if "" in places:
        homeless = int(found["items"].to_numpy()[units == places[""]].sum())
        raise InputError(
            f"{homeless:,} {'item has' if homeless == 1 else 'items have'} no cluster: fill the gaps of the cluster column, or leave it out."
        )
    return units


def positions(column: pl.Series, values: Sequence[Any], places: Sequence[int]) -> Array:
    """Replace the values of a column by integers; all of them must be among `values`."""
    import polars as pl

    if column.dtype == pl.String and not column.null_count():
        codes: Array = column.cast(pl.Enum(values)).to_physical().to_numpy()
        return np.array(places, dtype=np.int64)[codes]
    old = pl.Series(column.name, values, dtype=column.dtype)
    return column.replace_strict(old, pl.Series(places, dtype=pl.Int64), return_dtype=pl.Int64).to_numpy()


def one_of_each(
    frame: nw.LazyFrame[Any], prints: Sequence[nw.Expr], *, clustered: bool, annotations: int, instead: str
) -> tuple[Array, Array | None, pl.DataFrame]:
    """Count items by fingerprint and fetch the rows of one item of each kind: two passes.

    Of a crowd that is nearly every row: where there are so many `annotations` that these might be too many, the engine counts
    them first, and `instead` says what else can be asked.

    Returns
    -------
    items : array (kinds,)
    units : array (kinds,) or None
    rows : table of kind, annotator, label
        Every annotation of one item of each kind.
    """
    names = numbered(prints)
    marked = frame.with_columns(*named(prints), size=nw.lit(1))
    grouped, keys = _by_item(marked, ["item"], [*names, "size"], clustered=clustered)
    kinds = counted(grouped.group_by(*names, *keys), "items", nw.col("item").min().alias("shown"), nw.col("size").max())
    if annotations > collect.MOST_ANNOTATIONS and not is_local(frame):
        size = kinds.select(nw.col("size").sum()).select(*whole("size"))
        rows = collect.tuples(size, ["size"], "size of kinds")[0][0]
        collect.check_amount(frame, rows, what="This needs the annotations of one item of each kind", instead=instead)
    found = collected(kinds, ["shown", "items", *keys], "kinds")
    units = _units(found) if clustered else None
    known = found.select(item="shown").with_row_index("kind")
    theirs = frame.select("item", "annotator", "label")
    if frame.implementation.is_polars():
        # The kinds are here already and need not be counted again.
        chosen = nw.from_native(known.lazy()).join(theirs, on="item", how="inner")
        rows = collected(chosen, ["kind", "annotator", "label"], "one of each kind")
    else:
        chosen = kinds.select(nw.col("shown").alias("item")).join(theirs, on="item", how="inner")
        rows = collected(chosen, ["item", "annotator", "label"], "one of each kind").join(known, on="item")
    return found["items"].to_numpy(), units, rows
