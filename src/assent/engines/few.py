"""A few long rows in this process: they are counted one by one, before an engine has understood what is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from itertools import compress
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np

from assent.engines.collect import record_transfer
from assent.engines.columns import UNUSED
from assent.engines.sorting import DuplicateCheck, LocalSums
from assent.engines.survey import Seen, Survey, by_text
from assent.engines.texts import remember, text_of
from assent.profiles import Array, collapse

if TYPE_CHECKING:
    import polars as pl

__all__ = ["FewRows", "few_rows"]

#: Up to so many rows are counted here.
FEW = 2_000


class FewRows:
    """The cells of a few long rows.

    Parameters
    ----------
    native : DataFrame
        The table that they are of, for whoever watches.
    cells : list of list
        Items, annotators and labels, as the engine holds them, None where there is nothing.
    hashed : bool
        The engine has a hash function.
    """

    def __init__(self, native: Any, cells: list[list[Any]], *, hashed: bool) -> None:
        self._native = native
        self._cells = cells
        self._known: list[list[Any]] | None = None
        self.hashed = hashed

    def surveyed(self, missing: Collection[str], *, pairs: bool) -> Survey:
        """Look at the rows; see `assent.engines.survey.surveyed`."""
        items, whos, labels = self._cells
        without_item, here = items.count(None), self._cells
        if without_item or None in whos:
            here = self._kept([item is not None and who is not None for item, who in zip(items, whos, strict=True)])
        seen = Seen(missing)
        seen.add(Counter(here[2]).items())
        record_transfer(self._native, "labels", len(set(labels)))
        given = self._labelled(seen.no_labels)
        times = Counter(given[1])
        annotators: dict[str, Any] = {}
        annotator_rows: dict[str, int] = {}
        for who in dict.fromkeys(here[1]):
            name = str(text_of(who))
            remember(annotators, name, who, "annotator")
            annotator_rows[name] = annotator_rows.get(name, 0) + times[who]
        record_transfer(self._native, "annotators", len(annotators))
        often = Counter(zip(given[0], given[1], strict=True)) if pairs else {}
        twice = [rows for rows in often.values() if rows > 1]
        return seen.survey(
            by_text(annotators),
            annotator_rows,
            without_item=without_item,
            without_annotator=len(items) - len(here[0]) - without_item,
            repeated=(len(twice), sum(twice)) if pairs else None,
        )

    def labelled_once(self, survey: Survey) -> DuplicateCheck:
        """Find out whether no annotator labelled an item twice."""
        items, whos, _ = self._labelled(survey.no_labels)
        record_transfer(self._native, "repeated pairs", 1)
        return DuplicateCheck(sure=len(set(zip(items, whos, strict=True))) == len(items))

    def summed(self, survey: Survey, here: LocalSums) -> tuple[Array, Array]:
        """Add up by item what its rows hold, and count items with the same sums: (kinds, columns) and (kinds,)."""
        known = {
            role: {value: i for i, value in enumerate(values) if value is not UNUSED}
            for role, values in here.values.items()
        }
        items, (item, *at) = self._placed(survey, known)
        sums = np.zeros((items, here.adds.shape[-1]), dtype=np.int64)
        np.add.at(sums, item, here.adds[tuple(at)])
        found, times, _ = collapse(sums)
        record_transfer(self._native, "profiles", len(times))
        return np.asarray(found), times

    def _labelled(self, no_labels: Collection[Any]) -> list[list[Any]]:
        """Return the cells of the rows with an item, an annotator and a label."""
        if self._known is None:
            gaps = {None, *no_labels}
            rows = zip(*self._cells, strict=True)
            self._known = self._kept(
                [item is not None and who is not None and label not in gaps for item, who, label in rows]
            )
        return self._known

    def _kept(self, wanted: list[bool]) -> list[list[Any]]:
        """Return the cells of some rows."""
        return self._cells if all(wanted) else [list(compress(held, wanted)) for held in self._cells]

    def _placed(self, survey: Survey, known: Mapping[str, Mapping[Any, int]]) -> tuple[int, list[Array]]:
        """Return how many items there are, which of them each labelled row is about, and the places of what else it holds."""
        items, whos, labels = self._labelled(survey.no_labels)
        number = {item: i for i, item in enumerate(dict.fromkeys(items))}
        cells = {"annotator": whos, "label": labels}
        asked = [(number, items), *((places, cells[role]) for role, places in known.items())]
        return len(number), [np.fromiter(map(places.__getitem__, held), np.int64) for places, held in asked]


def few_rows(
    native: Any, roles: Mapping[str, str], further: Collection[str], frame: Callable[[], nw.LazyFrame[Any]]
) -> FewRows | None:
    """Return the rows of a table, if they are in this process and few, and hold texts, numbers and truth values; else None.

    Parameters
    ----------
    roles : mapping of str to str
        Our names of the columns that say something, and those of the table.
    further : collection of str
        Columns that are kept beside them.
    frame : callable
        Returns all of these by our names.
    """
    import polars as pl

    names, table = [*roles.values()], native
    hashed = isinstance(native, pl.DataFrame)
    if not hashed:
        held = nw.from_native(native, pass_through=True)
        if not isinstance(held, nw.DataFrame) or len(held) > FEW:
            return None
        names, table = [*roles], frame().select(*roles)
        if not all(map(_plain, table.collect_schema().dtypes())):
            return None
        table = table.collect(backend="polars").to_native()
    # What cannot be taken is refused by those who take columns of any table.
    elif native.height > FEW or len({*names}) < len(names) or not {*names, *further}.issubset(native.columns):
        return None
    columns = [table.get_column(name) for name in names]
    if not all(_plain(column.dtype) for column in columns):
        return None
    return FewRows(native, [_values(column) for column in columns[:3]], hashed=hashed)


def _plain(kind: Any) -> bool:
    """Return whether values of a type are equal in Python where they are to an engine."""
    return kind.is_integer() or kind.is_float() or str(kind) in ("String", "Boolean")


def _values(column: pl.Series) -> list[Any]:
    """Return the values of a column; what is no number is a gap."""
    values = column.to_list()
    return [None if value != value else value for value in values] if column.dtype.is_float() else values
