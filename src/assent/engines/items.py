"""Agreement item by item, worked out and written by the engine itself: none but the items that are asked for come here."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np

from assent.engines.collect import collected, run_query, tuples
from assent.engines.columns import UNUSED, flag, is_local, lookup, named, numbered, replaced, whole
from assent.engines.profiling import DIGIT_COLUMNS, PackedCounts
from assent.engines.survey import Survey
from assent.errors import InputError
from assent.limits import MOST_LOOKED_UP
from assent.profiles import Array, Matrix
from assent.text import shown

if TYPE_CHECKING:
    import polars as pl

__all__ = ["COLUMNS", "NUMBER", "disputed", "first_items", "item_table", "rows_of_items", "write"]

#: What is known of each item.
COLUMNS = ("item", "annotations", "distinct_labels", "agreement", "entropy", "majority", "margin")
#: Names of items that are numbers, which go by value; none that would be too large for one.
NUMBER = r"^-?[0-9]{1,200}(?:\.[0-9]{1,200})?(?:e[+-]?[0-9]{1,2})?$"
#: Engines add up logarithms in an order of their own: what differs by less than this is the same.
DIGITS = 12


def item_table(frame: nw.LazyFrame[Any], names: Mapping[Any, str] | None) -> nw.LazyFrame[Any]:
    """Return one row for each item, with the columns `COLUMNS`.

    Parameters
    ----------
    frame : LazyFrame
        Rows with an item, an annotator and a label.
    names : mapping of value to str, optional
        What labels are called, where they are taken as other ones; by themselves if not given.
    """
    if names is not None:
        frame = frame.with_columns(label=replaced(nw.col("label"), names, nw.lit(None, nw.String), nw.String))
    cells = frame.group_by("item", "label").agg(nw.len().alias("times")).with_columns(*whole("times"))
    times, item = nw.col("times"), "item"
    cells = cells.with_columns(annotations=times.sum().over(item), top=times.max().over(item))
    cells = cells.with_columns(*whole("annotations", "top"))
    cells = cells.with_columns(share=times.cast(nw.Float64) / nw.col("annotations").cast(nw.Float64))
    first = times == nw.col("top")
    cells = cells.with_columns(
        bits=nw.col("share") * nw.col("share").log(2.0),
        square=times * times,
        first=flag(first),
        second=nw.when(first).then(nw.lit(0)).otherwise(times),
        majority=nw.when(first).then(nw.col("label")),
    )
    sums = ["square", "first", "second", "annotations", "top"]
    items = (
        cells.group_by("item")
        .agg(
            nw.len().alias("distinct_labels"),
            nw.col("square").sum(),
            nw.col("first").sum(),
            nw.col("bits").sum(),
            nw.col("second").max(),
            nw.col("annotations").max(),
            nw.col("top").max(),
            nw.col("majority").min(),
        )
        .with_columns(*whole("distinct_labels", *sums))
    )
    count = nw.col("annotations")
    pairs = (count * (count - 1)).cast(nw.Float64)
    alone = nw.col("first") == 1
    return items.with_columns(
        agreement=nw.when(count > 1).then((nw.col("square") - count).cast(nw.Float64) / pairs),
        # Less than nothing is nothing: one label alone gives 0, not -0.
        entropy=nw.when(nw.col("distinct_labels") > 1).then(-nw.col("bits")).otherwise(nw.lit(0.0)),
        majority=nw.when(alone).then(nw.col("majority")),
        margin=nw.when(alone)
        .then((nw.col("top") - nw.col("second")).cast(nw.Float64) / count.cast(nw.Float64))
        .otherwise(nw.lit(0.0)),
    ).select(*COLUMNS)


def disputed(items: nw.LazyFrame[Any], number: int) -> nw.LazyFrame[Any]:
    """Return the items with the least agreement; those with one annotation, whose agreement nobody knows, come last."""
    items, names = _by_name(items.with_columns(nw.col("entropy").round(DIGITS)))
    keys = ["agreement", "annotations", "entropy", *names]
    falling = [False, True, True, *[False] * len(names)]
    return items.sort(*keys, descending=falling, nulls_last=True).head(number)


def rows_of_items(frame: nw.LazyFrame[Any], items: nw.LazyFrame[Any]) -> pl.DataFrame:
    """Bring the rows of some items here, in order, with all their columns."""
    found = [row[0] for row in tuples(items, ["item"], "disputed items")]
    rows = frame.filter(nw.col("item").is_in(found))
    return collected(rows, rows.collect_schema().names(), "rows of disputed items", in_order=True)


def _by_name(items: nw.LazyFrame[Any]) -> tuple[nw.LazyFrame[Any], list[str]]:
    """Return items and the columns to sort them by: numbers by value, then all other names by code point."""
    if items.collect_schema()["item"] != nw.String:
        return items, ["item"]
    # What is no number is emptied before the cast: not every engine looks at the condition first.
    number = nw.when(nw.col("item").str.contains(NUMBER)).then(nw.col("item")).cast(nw.Float64)
    return items.with_columns(item_number=number), ["item_number", "item"]


def first_items(
    frame: nw.LazyFrame[Any],
    survey: Survey,
    labels: Sequence[str],
    kinds: tuple[Matrix, Array, Array],
    number: int,
) -> nw.LazyFrame[Any] | None:
    """Return the items of the kinds that come first, and of those that come last among them the first by name.

    Parameters
    ----------
    frame : LazyFrame
        Rows with an item, an annotator and a label.
    survey : Survey
        Which labels and annotators there are.
    labels : sequence of str
        Texts of the labels, in the order of the columns of the counts.
    kinds : tuple of matrix (kinds, labels), array (kinds,) and array (kinds,)
        Label counts of each kind of item, how many items are of it, and its rank: 0 comes first, and below 0 is not wanted.
    number : int
        How many items.

    Returns
    -------
    LazyFrame with a column item; None if so many labels or kinds cannot be told apart in this way.
    """
    counts, times, ranks = kinds
    order = np.argsort(ranks, kind="stable")
    order = order[ranks[order] >= 0]
    if not len(order):
        return None
    reached = min(int(np.searchsorted(np.cumsum(times[order]), number)), len(order) - 1)
    last = int(ranks[order[reached]])
    chosen = order[ranks[order] <= last]
    values = {text: value for value, text in survey.labels}
    keys = [values.get(text, UNUSED) for text in labels]
    # The kinds are those of all items, so no count is larger than theirs.
    digits = PackedCounts(count=len(keys), largest=int(counts.max()))
    if digits.columns > DIGIT_COLUMNS or len(chosen) > MOST_LOOKED_UP:
        return None
    columns = digits.spell(nw.col("label"), keys)
    sums = numbered(columns)
    items = frame.with_columns(*named(columns)).group_by("item").agg(*(nw.col(name).sum() for name in sums))
    spelled = nw.col(sums[0]).cast(nw.Int64)
    if len(sums) > 1:
        spelled = nw.concat_str([nw.col(name).cast(nw.Int64).cast(nw.String) for name in sums], separator=" ")
    known = {
        text: int(ranks[kind] == last) for kind, text in zip(chosen, _spelled(digits, counts[chosen]), strict=True)
    }
    items, names = _by_name(items.with_columns(item_kind=lookup(spelled, known, -1)))
    return items.filter(nw.col("item_kind") >= 0).sort("item_kind", *names, nulls_last=True).head(number)


def _spelled(digits: PackedCounts, counts: Matrix) -> list[Any]:
    """Spell label counts as the engine does, column by column: one number, or several as a text."""
    table = counts if isinstance(counts, np.ndarray) else counts.toarray()
    size = digits.per_column
    places = np.left_shift(1, digits.bits * np.arange(size, dtype=np.int64))
    starts = range(0, digits.count, size)
    columns = [table[:, first : first + size] @ places[: min(size, digits.count - first)] for first in starts]
    if len(columns) == 1:
        return list(columns[0].tolist())
    return [" ".join(map(str, row)) for row in np.stack(columns, axis=1).tolist()]


def write(items: nw.LazyFrame[Any], path: str | os.PathLike[str]) -> None:
    """Have the engine write a table as Parquet.

    Spark writes a folder. The others write a file if the name ends in ``.parquet``, else a folder with one file in it; it gets
    its name when it is whole.
    """
    target = os.fspath(path)
    kind = items.implementation
    if "://" in target or kind.is_pyspark() or kind.is_pyspark_connect():
        _check_free(target)
        run_query(lambda: items.sink_parquet(target))
        return
    place = Path(target)
    single = place.suffix.lower() == ".parquet"
    if not single:
        _check_free(target)
    if place.is_dir():
        raise InputError(f"{shown(target, 120)} is a folder: remove it, or give another name.")
    if not place.resolve().parent.is_dir():
        raise InputError(
            f"There is no folder {shown(str(place.parent), 120)} to write {shown(place.name)} into: make it first."
        )
    draft = place.resolve().with_name(f".{place.name[:80]}.{secrets.token_hex(4)}.part")
    try:
        if not single:
            draft.mkdir()
        _sink(items, draft if single else draft / "part-0.parquet")
        os.replace(draft, place.resolve())
    except OSError as error:
        raise InputError(
            f"{shown(target, 120)} cannot be written: {error.strerror or error}; write it somewhere else."
        ) from None
    finally:
        if draft.is_dir():
            shutil.rmtree(draft, ignore_errors=True)
        else:
            with contextlib.suppress(OSError):
                draft.unlink()


def _sink(items: nw.LazyFrame[Any], path: Path) -> None:
    if is_local(items) and not items.implementation.is_polars():
        items.collect(backend="polars").to_native().write_parquet(path)
    else:
        run_query(lambda: items.sink_parquet(str(path)))


def _check_free(target: str) -> None:
    """Refuse to write over a folder: what is in it may be all there is of somebody's work."""
    if Path(target).exists():
        raise InputError(f"There is already {shown(target, 120)}: remove it, or give another name.")
