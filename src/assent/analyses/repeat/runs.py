"""Which judge said what of which item in which run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec.structs import replace
from scipy.sparse import csr_array

from assent.data import Annotations
from assent.data.judge_names import ONE_JUDGE, runs_by_name, runs_note
from assent.data.long_rows import LongRows
from assent.engines import Rows
from assent.errors import NothingToCompare, OptionError, UnsuitableData
from assent.profiles import Array, Matrix, collapse, distinct_rows, from_cells
from assent.readers.runs import JUDGE
from assent.records import Struct, cached_property
from assent.text import shown

__all__ = ["Runs", "runs_of"]


class Runs(Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """Labels by item, judge and run.

    Parameters
    ----------
    data : Annotations
        The same with each run as an annotator.
    judges : tuple of str
        Those who have an item more than once come first.
    runs : tuple of tuple of str
        The annotators of `data` that are the runs of each judge.
    cell : array (cells,)
        Item and judge of each cell as item * judges + judge, in order.
    counts : matrix (cells, labels)
        How many runs gave each label.
    cluster : array (items,) or None
        Unit of resampling of each item.
    rows : LongRows
        Every label, one by one.
    """

    data: Annotations
    items: Sequence[str]
    judges: tuple[str, ...]
    runs: tuple[tuple[str, ...], ...]
    cell: Array
    counts: Matrix
    cluster: Array | None
    rows: LongRows

    @cached_property
    def item(self) -> Array:
        """The item of each cell."""
        return self.cell // len(self.judges)

    @cached_property
    def judge(self) -> Array:
        """The judge of each cell."""
        return self.cell % len(self.judges)

    @cached_property
    def sizes(self) -> Array:
        """Runs of each cell."""
        return np.asarray(self.counts.sum(axis=1), dtype=np.float64).ravel()

    @cached_property
    def profiles(self) -> tuple[Array, Array, Matrix | None]:
        """Items of which every judge said the same: one of each kind, how many there are, and the units they belong to."""
        width = self.counts.shape[1]
        cells = csr_array(self.counts).tocoo()
        rows, columns = cells.coords
        shape = (len(self.items), len(self.judges) * width)
        by_item = from_cells(self.item[rows], self.judge[rows] * width + columns, cells.data, shape)
        _, place = distinct_rows(by_item)
        _, first = np.unique(place, return_index=True)
        _, multiplicities, units = collapse(place[:, None], units=self.cluster)
        return first, multiplicities, units

    @cached_property
    def repeated(self) -> tuple[int, ...]:
        """Judges who have some item more than once."""
        most = np.zeros(len(self.judges))
        np.maximum.at(most, self.judge, self.sizes)
        return tuple(int(one) for one in np.flatnonzero(most > 1))

    def over_items(self, values: Array, cells: Array | slice = slice(None)) -> Array:
        """Add up numbers of cells by item: (items,)."""
        return np.bincount(self.item[cells], weights=values[cells], minlength=len(self.items))


def runs_of(data: Annotations, columns: Sequence[str] | None = None) -> Runs:
    """Take apart annotators that are judges and runs.

    Parameters
    ----------
    data : Annotations
        As they were read with runs, or with annotators whose names say which run each is.
    columns : sequence of str, optional
        Annotators that are runs of one judge, whatever they are called.
    """
    data._check_single("and runs are compared by one label each: read the table with `multilabel=False`.")
    if data.annotators is None:
        raise UnsuitableData(
            "The table says how often each label was given, not in which run: give one row for each run."
        )
    rows = data.to_rows(*(JUDGE for known in getattr(data._source, "columns", ()) if known == JUDGE))
    assert rows.annotator is not None
    assert rows.annotators is not None
    judge_of = _judges(rows.annotators, rows.annotator, rows.columns, columns)
    order = sorted(set(judge_of.values()), key=lambda name: (-sum(one == name for one in judge_of.values()), name))
    judges = tuple(order)
    place = {name: i for i, name in enumerate(judges)}
    judge = np.array([place[judge_of[name]] for name in rows.annotators])[rows.annotator]
    cells, cell = np.unique(rows.item * len(judges) + judge, return_inverse=True)
    cluster = None
    if isinstance(data._source, Rows) and data._source.clustered:
        *_, of_row = data._source.listed_with_clusters(data._source_labels, data.annotators)
        assert of_row is not None
        # An item in two units has that of its first row.
        cluster = of_row[np.unique(rows.item, return_index=True)[1]].astype(str)
    found = Runs(
        data=replace(data, notes=tuple(note for note in data.notes if note not in runs_note(data.annotators))),
        items=rows.items,
        judges=judges,
        runs=tuple(tuple(name for name in rows.annotators if judge_of[name] == one) for one in judges),
        cell=cells,
        counts=_counted(cell.ravel(), rows.label, (len(cells), len(rows.labels))),
        cluster=cluster,
        rows=rows,
    )
    if not found.repeated:
        raise NothingToCompare(
            "Nobody has an item more than once, so there are no repeats: name the column that tells runs apart with `run`, or the "
            "columns that are runs of one judge with `runs`."
        )
    return found


def _judges(
    annotators: Sequence[str],
    annotator: Array,
    kept: Mapping[str, Sequence[str | None]],
    columns: Sequence[str] | None,
) -> dict[str, str]:
    """Return the judge of each annotator."""
    if columns is not None:
        unknown = [name for name in columns if name not in annotators]
        if unknown:
            raise OptionError(f"`runs` names {shown(unknown[0])}, which is no annotator of these data.")
        return {name: ONE_JUDGE if name in columns else name for name in annotators}
    named = {name: name for name in annotators}
    if JUDGE in kept:
        _, first = np.unique(annotator, return_index=True)
        named = {annotators[int(annotator[row])]: str(kept[JUDGE][row]) for row in first}
        if len(set(named.values())) < len(named):
            return named
    # Where every judge has one row an item, the names may still say that they are runs.
    by_name = runs_by_name(named.values())
    return {name: by_name[judge][0] if judge in by_name else judge for name, judge in named.items()}


def _counted(cell: Array, label: Array, shape: tuple[int, int]) -> Matrix:
    keys, counts = np.unique(cell * shape[1] + label, return_counts=True)
    rows, columns = np.divmod(keys, shape[1])
    return from_cells(rows, columns, counts, shape)
