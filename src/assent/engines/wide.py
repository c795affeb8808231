"""A table with one row an item and one column an annotator: equal rows are counted before anything else is done."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from itertools import chain, count
from typing import TYPE_CHECKING, Any

import numpy as np

from assent.engines.collect import record_transfer
from assent.engines.columns import UNUSED
from assent.engines.profiling import BITS
from assent.engines.rows import Rows
from assent.engines.sorting import LocalSums
from assent.engines.survey import Seen, Survey
from assent.profiles import SPARSE_CELLS, Array, Matrix
from assent.records import Struct, cached_property

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Coded", "WideRows", "WideTable", "coded", "rows_of"]

#: Hardly two rows with more columns than this are equal, and it would take long to find out.
WIDEST = 100
#: If more than this share of the first rows differ, equal rows are not worth counting.
MOST_DIFFERENT = 0.25
#: So many rows are looked at for that.
FIRST = 20_000
#: So few rows are taken as they are: it would take longer to tell them apart than to look at each.
FEW = 100
#: How often each of them occurs.
_ONCE = np.ones(FEW, dtype=np.int64)
_ONCE.flags.writeable = False


class Coded(Struct, frozen=True, eq=False):
    """Cells of a table, each value of them once.

    Parameters
    ----------
    values : list
        What stands in some cell.
    codes : array (items, annotators)
        Which of the values each annotator gave each item.
    """

    values: list[Any]
    codes: Array

    def series(self) -> list[pl.Series]:
        """Return the columns of polars, of values that are texts."""
        import polars as pl

        rows, columns = self.codes.shape
        # By brackets: `gather` makes a query of it first.
        cells = pl.Series(self.values, dtype=pl.String)[self.codes.T.ravel()]
        return [cells.slice(i * rows, rows) for i in range(columns)]


def coded(cells: Sequence[Any], columns: int, spelled: Callable[[Any], Any] | None = None) -> Coded:
    """Return cells, which come row by row, as numbers of their distinct values.

    Parameters
    ----------
    cells : sequence
    columns : int
        How many of them make a row.
    spelled : callable, optional
        From a value to what is kept of it; the value itself if not given.

    Examples
    --------
    >>> made = coded(["x", "y", "y", "z"], 2)
    >>> made.values, made.codes.tolist()
    (['x', 'y', 'z'], [[0, 1], [1, 2]])
    """
    # A value gets the next number where it is first looked up.
    place: defaultdict[Any, int] = defaultdict(count().__next__)
    codes = np.fromiter(map(place.__getitem__, cells), np.int64, len(cells))
    values = list(place if spelled is None else map(spelled, place))
    return Coded(values, codes.reshape(len(cells) // max(1, columns), columns))


def _by_rows(columns: Sequence[pl.Series]) -> Coded:
    """Return the cells of columns as numbers of their distinct values."""
    rows = zip(*(column.to_list() for column in columns), strict=True)
    return coded(list(chain.from_iterable(rows)), len(columns))


class WideTable(Struct, frozen=True, eq=False):
    """A table with one row an item and one column an annotator.

    Parameters
    ----------
    items : Series (items,) of polars, or range
        Names of the items.
    annotators : sequence of str
        Names of the annotators.
    cells : sequence of Series (items,), or Coded
        What each annotator said; null where they said nothing. All of one type; what is numbered are texts.
    further : mapping of str to Series (items,)
        Columns that are kept beside the annotations.
    """

    items: pl.Series | range
    annotators: Sequence[str]
    cells: Sequence[pl.Series] | Coded
    further: Mapping[str, pl.Series]

    def long(self) -> pl.DataFrame:
        """Return one row for each cell, row by row as the table was filled."""
        import polars as pl

        # The names of the columns may be anything, so they come in after the table has been turned.
        cells = {f"\x00{i}": cell for i, cell in enumerate(self._series())}
        turned = pl.DataFrame({"item": self.items, **self.further, **cells}).unpivot(
            on=list(cells), index=["item", *self.further], variable_name="annotator", value_name="label"
        )
        names = pl.Series("annotator", list(self.annotators), dtype=pl.String)
        turned = turned.with_columns(names.gather(np.repeat(np.arange(len(cells)), len(self.items))))
        return turned[np.arange(turned.height).reshape(len(cells), -1).T.ravel()]

    def _series(self) -> Sequence[pl.Series]:
        """Return the cells as columns of polars."""
        return self.cells.series() if isinstance(self.cells, Coded) else self.cells

    def kinds(self) -> tuple[Coded, Array] | None:
        """Count equal rows of cells, unless they are few: the cells of the distinct ones, and how often each occurs.

        None if items have no name of their own, or hardly two rows are equal.
        """
        cells, wide, rows = self.cells, len(self.annotators), len(self.items)
        if wide > WIDEST or rows < 2:
            return None
        if not isinstance(cells, Coded):
            if len({cell.dtype for cell in cells}) > 1:
                return None
            if rows <= FEW and not cells[0].dtype.is_nested():
                cells = _by_rows(cells)
        if rows <= FEW and isinstance(cells, Coded):
            # So few rows need not be told apart before their labels are counted.
            return (cells, _ONCE[:rows]) if self._named() else None
        import polars as pl

        table = pl.DataFrame([cell.alias(f"\x00{i}") for i, cell in enumerate(self._series())])
        first = table.head(FIRST)
        if first.height > FEW and first.n_unique() > max(FEW, MOST_DIFFERENT * first.height):
            return None
        if not self._named():
            return None
        *columns, times = table.lazy().group_by(table.columns).agg(pl.len().cast(pl.Int64)).collect().get_columns()
        return _by_rows(columns), times.to_numpy()

    def _named(self) -> bool:
        """Return whether surely every item has a name of its own."""
        if isinstance(self.items, range):
            return True
        if len(self.items) <= FEW:
            names = set(self.items.to_list())
            return None not in names and len(names) == len(self.items)
        return not self.items.null_count() and _all_different(self.items)


def rows_of(table: Any, *, missing: Collection[str], columns: Mapping[str, str], **options: Any) -> Rows:
    """Take the rows of a table, whatever its shape; see `Rows` for the options."""
    if isinstance(table, WideTable):
        plain = options["cluster"] is None and options["check_pairs"]
        kinds = table.kinds() if plain else None
        if kinds is not None:
            return WideRows(table, kinds, missing=missing, columns=columns)
        table = table.long()
    return Rows(table, missing=missing, columns=columns, **options)


@lru_cache
def _digits(bits: int, digits: int) -> tuple[Array, Sequence[int]]:
    """Return where digits of so many bits begin in a number, the highest first, and the number that has a 1 there alone."""
    places = np.arange(bits * (digits - 1), -1, -bits)
    places.flags.writeable = False
    return places, tuple(1 << place for place in places.tolist())


def _all_different(names: pl.Series) -> bool:
    """Return whether surely no name occurs twice: as many hashes as names."""
    keys = names.hash(1).sort(multithreaded=False).to_numpy()
    return bool((keys[1:] != keys[:-1]).all())


class WideRows(Rows):
    """Annotations of a wide table: what can be known from its distinct rows is known from them.

    Parameters
    ----------
    kinds : Coded, array of integers
        The cells of its distinct rows, and how often each row occurs.
    missing : collection of str
        Label texts that mean that there is no label.
    columns : mapping of str to str
        Further columns: what they are called, and their names in the table.
    """

    def __init__(
        self,
        table: WideTable,
        kinds: tuple[Coded, Array],
        *,
        missing: Collection[str],
        columns: Mapping[str, str],
    ) -> None:
        super().__init__(
            table,
            item="item",
            annotator="annotator",
            label="label",
            cluster=None,
            missing=missing,
            columns=columns,
            check_pairs=False,
        )
        cells, self._times = kinds
        self._values, self._codes = cells.values, cells.codes

    @property
    def local(self) -> bool:
        """True: the table is in this process."""
        return True

    def _table(self) -> pl.DataFrame:
        """Return one row for each cell, for questions that distinct rows do not answer."""
        long: pl.DataFrame = self._native.long()
        return long

    @cached_property
    def _seen(self) -> tuple[Seen, list[str | None]]:
        """What the cells hold, and the labels that their values are, None for those that are none."""
        seen = Seen(self._missing)
        rows = np.bincount(self._codes.ravel())
        if len(self._times) < len(self._native.items):
            times = self._times.repeat(self._codes.shape[1])
            rows = np.bincount(self._codes.ravel(), times).astype(np.int64)
        return seen, seen.add(zip(self._values, rows.tolist(), strict=True))

    def _surveyed(self) -> Survey:
        """Look at the distinct rows."""
        (seen, texts), names = self._seen, self._native.annotators
        if seen.gaps:
            labelled = np.array([text is not None for text in texts], dtype=np.int64)
            annotator_rows = dict(zip(names, self._times.dot(labelled[self._codes]).tolist(), strict=True))
        else:
            annotator_rows = dict.fromkeys(names, sum(seen.label_rows.values()) // len(names))
        record_transfer(None, "labels", len(self._times))
        annotators = [(name, name) for name in sorted(names)]
        return seen.survey(annotators, annotator_rows, without_item=0, without_annotator=0, repeated=(0, 0))

    def duplicates(self) -> None:
        """Return None: the names of the items differ, and each annotator has one cell of each."""

    def count_profiles(self, labels: Sequence[str]) -> tuple[Matrix, Array, Matrix | None]:
        """Collapse items to how many annotations gave them each label."""
        bits = self._codes.shape[1].bit_length()
        if bits * len(labels) > BITS or len(self._times) * len(labels) > SPARSE_CELLS:
            return super().count_profiles(labels)
        # How often an item has each label are the digits of one number, the first label the highest: they sort alike.
        places, ones = _digits(bits, len(labels))
        adds = dict(zip(labels, ones, strict=True))
        # What is no label, or none of these, adds nothing.
        each = np.array([0 if text is None else adds.get(text, 0) for text in self._seen[1]], dtype=np.int64)
        sums = np.add.reduce(each[self._codes], 1)
        order = sums.argsort()
        sums = sums[order]
        first = np.empty(len(sums), dtype=bool)
        # Items without a label are left out.
        first[0] = sums[0] > 0
        np.not_equal(sums[1:], sums[:-1], out=first[1:])
        starts = first.nonzero()[0]
        record_transfer(None, "profiles", len(starts))
        counts = sums[starts][:, None] >> places & ((1 << bits) - 1)
        return counts, np.add.reduceat(self._times[order], starts), None

    def _summed(self, here: LocalSums) -> tuple[Array, Array]:
        """Add up by item what its cells hold, and count items with the same sums.

        Returns
        -------
        sums : array (kinds, columns); items : array (kinds,)
            Items without a label are left out.
        """
        known = {value: i for i, value in enumerate(here.values["label"]) if value is not UNUSED}
        seats = {name: i for i, name in enumerate(here.values.get("annotator", ()))}
        place = np.array([known.get(value, -1) for value in self._values], dtype=np.int64)
        sums = np.zeros((len(self._times), here.adds.shape[-1]), dtype=np.int64)
        some = np.zeros(len(sums), dtype=bool)
        for name, codes in zip(self._native.annotators, self._codes.T, strict=True):
            if seats and name not in seats:
                continue
            adds = here.adds[seats[name]] if seats else here.adds
            at = place[codes]
            there = at >= 0
            sums[there] += adds[at[there]]
            some |= there
        record_transfer(None, "profiles", int(some.sum()))
        return sums[some], self._times[some]
