"""A table with one row an item and one column an annotator: equal rows are counted before anything else is done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from assent.engines.collect import record_transfer
from assent.engines.columns import UNUSED
from assent.engines.rows import Rows
from assent.engines.sorting import LocalSums
from assent.engines.survey import Seen, Survey
from assent.profiles import Array
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
#: So few rows are quickly counted even if all of them differ.
FEW = 100


class WideTable(Struct, frozen=True, eq=False):
    """A table of polars with one row an item and one column an annotator.

    Parameters
    ----------
    items : Series (items,)
        Names of the items.
    cells : mapping of str to Series (items,)
        What each annotator said, by name; null where they said nothing. All of one type.
    further : mapping of str to Series (items,)
        Columns that are kept beside the annotations.
    """

    items: pl.Series
    cells: Mapping[str, pl.Series]
    further: Mapping[str, pl.Series]

    def long(self) -> pl.DataFrame:
        """Return one row for each cell, row by row as the table was filled."""
        import polars as pl

        # The names of the columns may be anything, so they come in after the table has been turned.
        cells = {f"\x00{i}": cell for i, cell in enumerate(self.cells.values())}
        turned = pl.DataFrame({"item": self.items, **self.further, **cells}).unpivot(
            on=list(cells), index=["item", *self.further], variable_name="annotator", value_name="label"
        )
        names = pl.Series("annotator", list(self.cells), dtype=pl.String)
        turned = turned.with_columns(names.gather(np.repeat(np.arange(len(cells)), len(self.items))))
        return turned[np.arange(turned.height).reshape(len(cells), -1).T.ravel()]

    def kinds(self) -> pl.DataFrame | None:
        """Count equal rows of cells, as `times`; None if items have no name of their own, or hardly two rows are equal."""
        import polars as pl

        if len(self.cells) > WIDEST:
            return None
        table = pl.DataFrame([cell.alias(f"\x00{i}") for i, cell in enumerate(self.cells.values())])
        if len(set(table.dtypes)) > 1:
            return None
        first = table.head(FIRST)
        if first.height < 2 or (first.height > FEW and first.n_unique() > max(FEW, MOST_DIFFERENT * first.height)):
            return None
        if self.items.null_count() or not _all_different(self.items):
            return None
        return table.lazy().group_by(table.columns).agg(pl.len().cast(pl.Int64).alias("times")).collect()


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
    kinds : DataFrame
        Its distinct rows, with how often each occurs as the last column.
    missing : collection of str
        Label texts that mean that there is no label.
    columns : mapping of str to str
        Further columns: what they are called, and their names in the table.
    """

    def __init__(
        self, table: WideTable, kinds: pl.DataFrame, *, missing: Collection[str], columns: Mapping[str, str]
    ) -> None:
        roles = {"item": "item", "annotator": "annotator", "label": "label"}
        super().__init__(table, cluster=None, missing=missing, columns=columns, check_pairs=False, **roles)
        self._kinds = kinds
        *cells, times = kinds.get_columns()
        self._cells = dict(zip(table.cells, (cell.to_list() for cell in cells), strict=True))
        self._times = times.to_numpy()

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
        seen = Seen(self._missing)
        annotator_rows: dict[str, int] = {}
        for name, cells in self._cells.items():
            held: Counter[Any] = Counter()
            for label, times in zip(cells, self._times.tolist(), strict=True):
                held[label] += times
            annotator_rows[name] = sum(rows for label, rows in held.items() if seen.add(label, rows))
        record_transfer(self._kinds, "labels", self._kinds.height)
        return Survey(
            labels=seen.labels,
            annotators=[(text, text) for text in sorted(annotator_rows)],
            label_rows=seen.label_rows,
            annotator_rows=annotator_rows,
            missing=seen.gaps,
            no_labels=list(seen.no_labels),
            without_item=0,
            without_annotator=0,
            repeated=(0, 0),
        )

    def duplicates(self) -> None:
        """Return None: the names of the items differ, and each annotator has one cell of each."""

    def _summed(self, here: LocalSums) -> tuple[Array, Array]:
        """Add up by item what its cells hold, and count items with the same sums.

        Returns
        -------
        sums : array (kinds, columns); items : array (kinds,)
            Items without a label are left out.
        """
        known = {value: i for i, value in enumerate(here.values["label"]) if value is not UNUSED}
        seats = {name: i for i, name in enumerate(here.values.get("annotator", ()))}
        sums = np.zeros((len(self._times), here.adds.shape[-1]), dtype=np.int64)
        some = np.zeros(len(sums), dtype=bool)
        for name, cells in self._cells.items():
            if seats and name not in seats:
                continue
            adds = here.adds[seats[name]] if seats else here.adds
            at = np.array([known.get(value, -1) for value in cells], dtype=np.int64)
            there = at >= 0
            sums[there] += adds[at[there]]
            some |= there
        record_transfer(self._kinds, "profiles", int(some.sum()))
        return sums[some], self._times[some]
