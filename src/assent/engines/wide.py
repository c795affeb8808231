"""A table with one row an item and one column an annotator: equal rows are counted before anything else is done."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from assent.engines.collect import record_transfer
from assent.engines.columns import UNUSED
from assent.engines.profiling import BITS
from assent.engines.rows import Rows
from assent.engines.sorting import LocalSums
from assent.engines.survey import Seen, Survey
from assent.profiles import SPARSE_CELLS, Array, Matrix
from assent.records import Struct

if TYPE_CHECKING:
    import polars as pl

__all__ = ["WideRows", "WideTable", "rows_of"]

#: Hardly two rows with more columns than this are equal, and it would take long to find out.
WIDEST = 100
#: If more than this share of the first rows differ, equal rows are not worth counting.
MOST_DIFFERENT = 0.25
#: So many rows are looked at for that.
FIRST = 20_000
#: So few rows are taken as they are: it would take longer to tell them apart than to look at each.
FEW = 100


class WideTable(Struct, frozen=True, eq=False):
    """A table with one row an item and one column an annotator.

    Parameters
    ----------
    items : Series (items,) of polars, or range
        Names of the items.
    cells : mapping of str to Series (items,), or to list of str or None
        What each annotator said, by name; null where they said nothing. All of one type.
    further : mapping of str to Series (items,)
        Columns that are kept beside the annotations.
    """

    items: pl.Series | range
    cells: Mapping[str, pl.Series | list[str | None]]
    further: Mapping[str, pl.Series]

    def long(self) -> pl.DataFrame:
        """Return one row for each cell, row by row as the table was filled."""
        import polars as pl

        # The names of the columns may be anything, so they come in after the table has been turned.
        cells = {f"\x00{i}": cell for i, cell in enumerate(self._series())}
        turned = pl.DataFrame({"item": self.items, **self.further, **cells}).unpivot(
            on=list(cells), index=["item", *self.further], variable_name="annotator", value_name="label"
        )
        names = pl.Series("annotator", list(self.cells), dtype=pl.String)
        turned = turned.with_columns(names.gather(np.repeat(np.arange(len(cells)), len(self.items))))
        return turned[np.arange(turned.height).reshape(len(cells), -1).T.ravel()]

    def _series(self) -> list[pl.Series]:
        """Return the cells as columns of polars."""
        import polars as pl

        return [pl.Series(cell, dtype=pl.String) if isinstance(cell, list) else cell for cell in self.cells.values()]

    def kinds(self) -> tuple[list[Sequence[Any]], Array] | None:
        """Count equal rows of cells, unless they are few: the columns of the distinct ones, and how often each occurs.

        None if items have no name of their own, or hardly two rows are equal.
        """
        cells = list(self.cells.values())
        types = {None if isinstance(cell, list) else cell.dtype for cell in cells}
        if len(cells) > WIDEST or len(types) > 1 or len(self.items) < 2:
            return None
        kind = types.pop()
        if len(self.items) <= FEW and (kind is None or not kind.is_nested()):
            # So few rows need not be told apart before their labels are counted.
            few: list[Sequence[Any]] = [cell if isinstance(cell, list) else cell.to_list() for cell in cells]
            return (few, np.zeros(len(self.items), dtype=np.int64) + 1) if self._named() else None
        import polars as pl

        table = pl.DataFrame([cell.alias(f"\x00{i}") for i, cell in enumerate(self._series())])
        first = table.head(FIRST)
        if first.height > FEW and first.n_unique() > max(FEW, MOST_DIFFERENT * first.height):
            return None
        if not self._named():
            return None
        *columns, times = table.lazy().group_by(table.columns).agg(pl.len().cast(pl.Int64)).collect().get_columns()
        return [column.to_list() for column in columns], times.to_numpy()

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


def _all_different(names: pl.Series) -> bool:
    """Return whether surely no name occurs twice: as many hashes as names."""
    keys = names.hash(1).sort(multithreaded=False).to_numpy()
    return bool((keys[1:] != keys[:-1]).all())


class WideRows(Rows):
    """Annotations of a wide table: what can be known from its distinct rows is known from them.

    Parameters
    ----------
    kinds : list of sequence, array of integers
        The columns of its distinct rows, and how often each row occurs.
    missing : collection of str
        Label texts that mean that there is no label.
    columns : mapping of str to str
        Further columns: what they are called, and their names in the table.
    """

    def __init__(
        self,
        table: WideTable,
        kinds: tuple[list[Sequence[Any]], Array],
        *,
        missing: Collection[str],
        columns: Mapping[str, str],
    ) -> None:
        roles = {"item": "item", "annotator": "annotator", "label": "label"}
        super().__init__(table, cluster=None, missing=missing, columns=columns, check_pairs=False, **roles)
        cells, self._times = kinds
        # Each value once, and which of them each annotator gave each distinct row: (annotators, distinct rows).
        place = {value: i for i, value in enumerate(dict.fromkeys(chain.from_iterable(cells)))}
        each = map(place.__getitem__, chain.from_iterable(cells))
        self._values = list(place)
        self._codes = np.fromiter(each, np.int64).reshape(len(cells), len(self._times))

    @property
    def local(self) -> bool:
        """True: the table is in this process."""
        return True

    def _table(self) -> pl.DataFrame:
        """Return one row for each cell, for questions that distinct rows do not answer."""
        long: pl.DataFrame = self._native.long()
        return long

    def _surveyed(self) -> Survey:
        """Look at the distinct rows."""
        seen, names = Seen(self._missing), list(self._native.cells)
        rows = np.bincount(self._codes.ravel(), np.concatenate([self._times] * len(names))).astype(np.int64)
        labelled = np.array([seen.add(value, n) for value, n in zip(self._values, rows.tolist(), strict=True)])
        annotator_rows = dict(zip(names, (labelled[self._codes] @ self._times).tolist(), strict=True))
        record_transfer(None, "labels", len(self._times))
        by_name = {name: name for name in names}
        return seen.survey(by_name, annotator_rows, without_item=0, without_annotator=0, repeated=(0, 0))

    def duplicates(self) -> None:
        """Return None: the names of the items differ, and each annotator has one cell of each."""

    def count_profiles(self, labels: Sequence[str]) -> tuple[Matrix, Array, Matrix | None]:
        """Collapse items to how many annotations gave them each label."""
        bits = len(self._codes).bit_length()
        if bits * len(labels) > BITS or len(self._times) * len(labels) > SPARSE_CELLS:
            return super().count_profiles(labels)
        # How often an item has each label are the digits of one number, the first label the highest: they sort alike.
        places = range(bits * (len(labels) - 1), -1, -bits)
        adds = {text: 1 << place for text, place in zip(labels, places, strict=True)}
        known = {value: adds.get(text, 0) for value, text in self.survey.labels}
        sums = np.array([known.get(value, 0) for value in self._values])[self._codes].sum(axis=0)
        items: dict[int, int] = {}
        for number, times in zip(sums.tolist(), self._times.tolist(), strict=True):
            items[number] = items.get(number, 0) + times
        # Items without a label are left out.
        items.pop(0, None)
        found = np.array(sorted(items), dtype=np.int64)
        record_transfer(None, "profiles", len(found))
        counts = found[:, None] >> np.array(places) & ((1 << bits) - 1)
        return counts, np.array([items[number] for number in found.tolist()], dtype=np.int64), None

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
        for name, codes in zip(self._native.cells, self._codes, strict=True):
            if seats and name not in seats:
                continue
            adds = here.adds[seats[name]] if seats else here.adds
            at = place[codes]
            there = at >= 0
            sums[there] += adds[at[there]]
            some |= there
        record_transfer(None, "profiles", int(some.sum()))
        return sums[some], self._times[some]
