"""Rows of this process put in order by one integer each: quicker than to group them by the texts of their items.

The integer of a row holds a hash of its item in the upper bits, and in the lower ones which annotator or label it has. In order,
the rows of an item stand side by side, and what they hold can be added up from one end to the other. Eight bytes a row are all
that is kept.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np

from assent.engines.collect import record_transfer, run_query
from assent.engines.columns import UNUSED
from assent.engines.hashes import new_seed
from assent.limits import REPEATED_HASHES
from assent.profiles import Array, distinct_rows
from assent.records import Struct

if TYPE_CHECKING:
    import polars as pl

__all__ = ["DuplicateCheck", "LocalSums", "item_sums", "labelled_once"]

#: More lower bits than this, and the look-up table of what they stand for would be larger than most data.
MOST_BITS = 20
#: Items have at least so many bits of their hash beside the annotator's.
LEAST_BITS = 20
#: If more items than this are expected to share a hash, their number is not to be trusted.
RARELY = 0.02
#: Up to so many values have some bits more than they need.
FEW = 16
#: More values than this are numbered where a look-up table by bits would become too large.
MANY = 64
#: So many seeds are tried until no two values share their bits; one in three will do.
TRIES = 100
#: More rows than this are read in pieces, which takes some milliseconds to begin with.
SMALL = 500_000
#: Rows that are put in order together: of more, those whose items have a hash within some range, one range after the other.
TOGETHER = 16_000_000
#: Rows that are added up together: numbers stay near the processor.
CHUNK = 250_000
#: So few items are sorted by numpy before an engine has begun.
FEW_ITEMS = 2_000
_LARGEST = (1 << 64) - 1
#: So often items that may share a hash are looked at with another one.
ATTEMPTS = 3


class LocalSums(Struct, frozen=True):
    """What is added up by item, for rows in this process.

    Parameters
    ----------
    values : mapping of str to sequence
        The columns that decide what a row adds, and the values they hold.
    adds : array (values of the first column, ..., columns) of integers
        What a row with these values adds to each column of the sums.
    """

    values: Mapping[str, Sequence[Any]]
    adds: Array


class DuplicateCheck(Struct, frozen=True):
    """Whether every annotator labelled every item once at most.

    Parameters
    ----------
    sure : bool
        False if it must be looked at more closely.
    n_items : int or None
        How many items there are; None if it was not counted on the way.
    among : LazyFrame, optional
        Rows among which there is every row of a pair that is there more than once; all of them unless given.
    """

    sure: bool
    n_items: int | None = None
    among: nw.LazyFrame[Any] | None = None


class _Slots(Struct, frozen=True):
    """Values of a column told apart by a few bits.

    Parameters
    ----------
    places : array (values,)
        What the bits are for each value.
    number : expression
        The bits, of each row.
    """

    bits: int
    places: Array
    number: pl.Expr


def item_sums(frame: nw.LazyFrame[Any], here: LocalSums, known: int | None, rows: int) -> tuple[Array, Array] | None:
    """Add up by item what its rows hold, and count items with the same sums: one pass, or two.

    Items that share a hash would be taken for one. Their number by another hash watches over that: if the two differ, both
    are taken anew.

    Parameters
    ----------
    frame : LazyFrame
        Rows of polars.
    known : int or None
        How many items there are, if somebody has counted them.
    rows : int
        How many rows.

    Returns
    -------
    sums : array (kinds, columns); items : array (kinds,)
        None if this is no way for these rows.
    """
    slots = {}
    for role, values in here.values.items():
        found = _slots(frame, role, [value for value in values if value is not UNUSED], exact=True)
        if found is None:
            return None
        slots[role] = found
    bits = sum(one.bits for one in slots.values())
    if bits > MOST_BITS:
        return None
    adds = _by_bits(here, slots, bits)
    for _ in range(ATTEMPTS):
        sums, items = _added_up(_ordered(frame, slots, new_seed(), rows), bits, adds)
        number = int(items.sum())
        if known is None:
            known = sum(_changes(keys, 0) for keys in _ordered(frame, {}, new_seed(), rows))
        if number == known:
            record_transfer(frame, "profiles", len(items))
            return sums, items
        known = None
    return None


def labelled_once(frame: nw.LazyFrame[Any], annotators: Sequence[Any], rows: int) -> DuplicateCheck:
    """Find out whether no annotator labelled an item twice, and count the items on the way: one pass.

    Two rows with the same integer may be two items that share a hash, and decide nothing: with 40 million items and 1,000 annotators there
    are such rows one time in three. But no others need to be looked at.

    Parameters
    ----------
    frame : LazyFrame
        Rows with an item and an annotator.
    annotators : sequence
        All annotators, as the rows hold them.
    rows : int
        How many rows.
    """
    slots = _slots(frame, "annotator", annotators)
    if slots is None:
        return DuplicateCheck(sure=False)
    record_transfer(frame, "repeated pairs", 1)
    by, seed = {"annotator": slots}, new_seed()
    items, again = 0, [np.zeros(0, dtype=np.uint64)]
    for keys in _ordered(frame, by, seed, rows):
        items += _changes(keys, slots.bits)
        again.append(_repeated(keys))
        if sum(map(len, again)) > REPEATED_HASHES:
            return DuplicateCheck(sure=False)
    repeated = np.concatenate(again)
    if len(repeated):
        import polars as pl

        key, _ = _key(by, seed)
        among = frame.to_native().lazy().filter(key.is_in(pl.Series(repeated).implode()))
        return DuplicateCheck(sure=False, among=nw.from_native(among))
    # How many pairs of items are expected to share the upper bits.
    shared = items**2 / 2.0 ** (65 - slots.bits)
    return DuplicateCheck(sure=True, n_items=items if shared < RARELY else None)


def _slots(frame: nw.LazyFrame[Any], role: str, values: Sequence[Any], *, exact: bool = False) -> _Slots | None:
    """Look for a seed by which the values differ in a few bits of their hash; with `exact`, number them if they are many.

    A hash costs nothing and takes twice the bits of a number, which has to be looked up.
    """
    import polars as pl

    series = pl.Series(role, values, dtype=frame.to_native().collect_schema()[role])
    if exact and len(values) > MANY:
        places = np.arange(len(values))
        if series.dtype == pl.String:
            # The engine's own way to number texts takes half the time.
            numbers = pl.col(role).cast(pl.Enum(series)).to_physical().cast(pl.UInt64)
        else:
            numbers = pl.col(role).replace_strict(series, pl.Series(places, dtype=pl.UInt64), return_dtype=pl.UInt64)
        return _Slots(int(len(values) - 1).bit_length(), places, numbers)
    bits = max(1, int(2 * np.log2(max(2, len(values)))) - 1)
    if len(values) <= FEW:
        # Then nearly every seed will do.
        bits += 3
    if bits > 64 - LEAST_BITS:
        return None
    for _ in range(TRIES):
        seed = new_seed()
        places = (series.hash(seed).to_numpy() & np.uint64((1 << bits) - 1)).astype(np.int64)
        ordered = np.sort(places)
        if (ordered[1:] != ordered[:-1]).all():
            return _Slots(bits, places, pl.col(role).hash(seed) & pl.lit((1 << bits) - 1, pl.UInt64))
    return None


def _key(slots: Mapping[str, _Slots], seed: int) -> tuple[pl.Expr, int]:
    """Return the integer of a row, and how many of its bits are not the item's."""
    import polars as pl

    low = 0
    parts: list[pl.Expr] = []
    for one in reversed(list(slots.values())):
        parts.append(one.number * pl.lit(1 << low, pl.UInt64))
        low += one.bits
    upper = _LARGEST >> low << low
    key = pl.col("item").hash(seed) & pl.lit(upper, pl.UInt64)
    for part in parts:
        key = key | part
    return key, low


def _ordered(frame: nw.LazyFrame[Any], slots: Mapping[str, _Slots], seed: int, rows: int) -> Iterator[Array]:
    """Yield the integers of all rows in order, some at a time; those of an item come together."""
    key, low = _key(slots, seed)
    engine: Any = "streaming" if rows > SMALL else "in-memory"
    found: pl.DataFrame = run_query(lambda: frame.to_native().lazy().select(key.alias("key")).collect(engine=engine))
    keys = found.to_series()
    del found
    ranges = -(-len(keys) // TOGETHER)
    if ranges == 1:
        whole = _sorted(keys)
        del keys
        yield whole
        return
    edges = [_LARGEST * i // ranges >> low << low for i in range(ranges)] + [_LARGEST]
    for i, (first, end) in enumerate(itertools.pairwise(edges)):
        some = keys.is_between(first, end, closed="both" if i == ranges - 1 else "left")
        yield _sorted(keys.filter(some))


def _sorted(keys: pl.Series) -> Array:
    """Put integers in order; numpy takes half the time of polars."""
    ordered = keys.to_numpy(writable=True)
    ordered.sort()
    return ordered


def _by_bits(here: LocalSums, slots: Mapping[str, _Slots], bits: int) -> Array:
    """Return what a row adds, by its lower bits: (2 ** bits, columns)."""
    place: Any = np.zeros((), dtype=np.int64)
    for one in slots.values():
        place = (place[..., None] << one.bits) | one.places
    used = np.ix_(*(np.flatnonzero([value is not UNUSED for value in values]) for values in here.values.values()))
    adds = np.zeros((1 << bits, here.adds.shape[-1]), dtype=np.int64)
    adds[place.ravel()] = here.adds[used].reshape(place.size, -1)
    return adds


def _added_up(ordered: Iterator[Array], bits: int, adds: Array) -> tuple[Array, Array]:
    """Add up what the rows of each item hold, and count items with the same sums, some rows at a time."""
    step = max(1, CHUNK // adds.shape[1])
    mask, shift = np.uint64((1 << bits) - 1), np.uint64(bits)
    found = []
    for keys in ordered:
        start = 0
        while start < len(keys):
            end = _end_of_item(keys, start, min(start + step, len(keys)), shift)
            block = keys[start:end]
            item, code = block >> shift, (block & mask).view(np.int64)
            first = np.flatnonzero(np.concatenate([[True], item[1:] != item[:-1]]))
            found.append(_kinds([np.add.reduceat(column[code], first) for column in adds.T]))
            start = end
    if len(found) == 1:
        return found[0]
    sums = np.concatenate([np.zeros((0, adds.shape[1]), dtype=np.int64), *(one for one, _ in found)])
    return _kinds(list(sums.T), np.concatenate([np.zeros(0, dtype=np.int64), *(items for _, items in found)]))


def _kinds(sums: Sequence[Array], items: Array | None = None) -> tuple[Array, Array]:
    """Count items with the same sums.

    Parameters
    ----------
    sums : sequence of array (rows,)
        By column.
    items : array (rows,), optional
        How many items each row stands for, if not one.

    Returns
    -------
    sums : array (kinds, columns); items : array (kinds,)
    """
    if len(sums) == 1 and items is None:
        # To put numbers in order takes less than to group them.
        numbers, times = np.unique(sums[0], return_counts=True)
        return numbers[:, None], times
    if len(sums) == 1 or len(sums[0]) <= FEW_ITEMS:
        found, place = distinct_rows(np.stack(sums, axis=1))
        return np.asarray(found), np.bincount(place, weights=items, minlength=found.shape[0]).astype(np.int64)
    import polars as pl

    names = [f"sum_{i}" for i in range(len(sums))]
    table = pl.DataFrame(dict(zip(names, sums, strict=True)) | ({} if items is None else {"items": items}))
    number = pl.len().cast(pl.Int64).alias("items") if items is None else pl.col("items").sum()
    kinds = table.group_by(names).agg(number)
    return np.ascontiguousarray(kinds.select(names).to_numpy(), dtype=np.int64), kinds["items"].to_numpy()


def _end_of_item(keys: Array, start: int, end: int, shift: np.uint64) -> int:
    """Return a place near `end` where an item ends."""
    if end == len(keys):
        return end
    first = keys[end] >> shift << shift
    before = start + int(np.searchsorted(keys[start:end], first))
    if before > start:
        return before
    # An item with more rows than are added up together.
    last = first | ((np.uint64(1) << shift) - np.uint64(1))
    return end + int(np.searchsorted(keys[end:], last, side="right"))


def _repeated(keys: Array) -> Array:
    """Return the integers in order that follow their like."""
    again = [keys[:0]]
    for start in range(1, len(keys), CHUNK):
        block = keys[start : start + CHUNK]
        again.append(block[block == keys[start - 1 : start - 1 + len(block)]])
    return np.concatenate(again)


def _changes(keys: Array, bits: int) -> int:
    """Count the different integers in order, their lower bits aside."""
    shift = np.uint64(bits)
    number = 0
    before: Any = None
    for start in range(0, len(keys), CHUNK):
        block = keys[start : start + CHUNK] >> shift
        number += int(np.count_nonzero(block[1:] != block[:-1])) + int(before is None or before != block[0])
        before = block[-1]
    return number
