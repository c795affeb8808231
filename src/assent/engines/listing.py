"""Every annotation one by one: the rows themselves come out, where profiles do not answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np

from assent.engines.collect import listed
from assent.engines.distinct_profiles import positions
from assent.engines.hashes import new_seed
from assent.engines.survey import Survey
from assent.engines.texts import column_texts, text_of
from assent.profiles import Array

if TYPE_CHECKING:
    import polars as pl

__all__ = ["item_names", "listed_annotations", "numbered_annotations", "with_numbered_items"]


def listed_annotations(
    frame: nw.LazyFrame[Any], survey: Survey, labels: Sequence[str], annotators: Sequence[str], columns: Sequence[str]
) -> tuple[list[str], Array, Array, Array, list[list[str | None]]]:
    """Bring every annotation over.

    Parameters
    ----------
    frame : LazyFrame
        Rows with an item, an annotator and a label.
    survey : Survey
        Which labels and annotators there are.
    labels, annotators : sequence of str
        Their texts, in the order in which they are counted.
    columns : sequence of str
        Further columns, by their names in the frame.

    Returns
    -------
    items : list of str
        In the order of their first row.
    item, annotator, label : array (annotations,)
        Positions among `items`, `annotators` and `labels`.
    columns : list of list of str or None
        The further columns, as text.
    """
    table, first, *places = _places(frame, survey, labels, annotators, columns)
    item, annotator, label = places
    return _names(table["item"], first), item, annotator, label, [column_texts(table[name]) for name in columns]


def numbered_annotations(
    frame: nw.LazyFrame[Any], survey: Survey, labels: Sequence[str], annotators: Sequence[str]
) -> tuple[int, Array, Array, Array]:
    """Do the same where nobody asks what items are called: how many items there are, and the positions."""
    _, first, *places = _places(frame, survey, labels, annotators, ())
    item, annotator, label = places
    return len(first), item, annotator, label


def _places(
    frame: nw.LazyFrame[Any], survey: Survey, labels: Sequence[str], annotators: Sequence[str], columns: Sequence[str]
) -> tuple[pl.DataFrame, Array, Array, Array, Array]:
    """Return the rows, the first row of each item, and the positions of the items, annotators and labels of all rows."""
    table = listed(frame, list(dict.fromkeys(["item", "annotator", "label", *columns])), survey.n_annotations)
    annotator = _seats(table["annotator"], survey.annotators, annotators)
    label = _seats(table["label"], survey.labels, labels)
    return table, *_numbered(table["item"]), annotator, label


def item_names(frame: nw.LazyFrame[Any], rows: int) -> list[str]:
    """Return the names of all items in the order of their first row; `rows` says how many rows there are."""
    table = listed(frame, ["item"], rows)
    return _texts(table["item"].unique(maintain_order=True))


def with_numbered_items(frame: nw.LazyFrame[Any], rows: int, numbers: Mapping[str, int] | None) -> pl.DataFrame:
    """Bring every row over with a number for its item: in the order of the table unless given by name."""
    table = listed(frame, frame.collect_schema().names(), rows)
    first, item = _numbered(table["item"])
    names = [] if numbers is None else _names(table["item"], first)
    given = np.array([numbers[name] for name in names], dtype=np.int64) if numbers is not None else None
    return table.with_columns(item=item + 1 if given is None else given[item])


def _names(column: pl.Series, rows: Array) -> list[str]:
    """Return the names of items that stand in some rows."""
    # A list, since polars imports a part of numpy to take an array.
    return _texts(column.gather(rows.tolist()))


def _texts(names: pl.Series) -> list[str]:
    """Return names of items, none of which is missing, as text."""
    import polars as pl

    values = names.to_list()
    return values if names.dtype == pl.String else [str(text_of(value)) for value in values]


def _numbered(column: pl.Series) -> tuple[Array, Array]:
    """Return the first row of each distinct value of a column, in order, and which of these values each row holds.

    A row becomes one integer, a part of the hash of its value above its own number: in order, the rows of a value stand
    side by side, the first one first. Another hash says whether two values stand together.
    """
    rows = len(column)
    low = np.uint64(rows.bit_length())
    keys = column.hash(new_seed()).to_numpy() >> low << low
    keys |= np.arange(rows, dtype=np.uint64)
    keys.sort()
    row = (keys & ((np.uint64(1) << low) - np.uint64(1))).astype(np.int64)
    keys >>= low
    begins = np.ones(rows, dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=begins[1:])
    del keys
    first = row[begins]
    shown = np.zeros(rows, dtype=bool)
    shown[first] = True
    number = np.empty(rows, dtype=np.int64)
    number[row] = (np.cumsum(shown) - 1)[first][np.cumsum(begins) - 1]
    first = np.flatnonzero(shown)
    again = column.hash(new_seed()).to_numpy()
    if np.array_equal(again, again[first][number]):
        return first, number
    names = column.unique(maintain_order=True)
    number = positions(column, names.to_list(), range(len(names)))
    return np.unique(number, return_index=True)[1], number


def _seats(column: pl.Series, known: Sequence[tuple[Any, str]], order: Sequence[str]) -> Array:
    """Replace values of a column by the position of their text in `order`."""
    seats = {text: i for i, text in enumerate(order)}
    used = [(value, seats[text]) for value, text in known if text in seats]
    return positions(column, [value for value, _ in used], [seat for _, seat in used])
