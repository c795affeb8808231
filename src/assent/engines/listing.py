"""Every annotation one by one: the rows themselves come out, where profiles do not answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import narwhals as nw

from assent.engines.collect import listed
from assent.engines.distinct_profiles import positions
from assent.engines.survey import Survey
from assent.engines.texts import column_texts, text_of
from assent.profiles import Array

if TYPE_CHECKING:
    import polars as pl

__all__ = ["item_names", "listed_annotations", "with_numbered_items"]


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
    table = listed(frame, list(dict.fromkeys(["item", "annotator", "label", *columns])), survey.n_annotations)
    names = table["item"].unique(maintain_order=True)
    texts = _texts(names)
    annotator = _seats(table["annotator"], survey.annotators, annotators)
    label = _seats(table["label"], survey.labels, labels)
    item = _numbers(table["item"], names, range(len(names))).to_numpy()
    return texts, item, annotator, label, [column_texts(table[name]) for name in columns]


def item_names(frame: nw.LazyFrame[Any], rows: int) -> list[str]:
    """Return the names of all items in the order of their first row; `rows` says how many rows there are."""
    table = listed(frame, ["item"], rows)
    return _texts(table["item"].unique(maintain_order=True))


def with_numbered_items(frame: nw.LazyFrame[Any], rows: int, numbers: Mapping[str, int] | None) -> pl.DataFrame:
    """Bring every row over with a number for its item: in the order of the table unless given by name."""
    table = listed(frame, frame.collect_schema().names(), rows)
    names = table["item"].unique(maintain_order=True)
    given = range(1, len(names) + 1) if numbers is None else [numbers[name] for name in _texts(names)]
    return table.with_columns(item=_numbers(table["item"], names, given))


def _texts(names: pl.Series) -> list[str]:
    """Return names of items, none of which is missing, as text."""
    import polars as pl

    values = names.to_list()
    return values if names.dtype == pl.String else [str(text_of(value)) for value in values]


def _numbers(column: pl.Series, names: pl.Series, numbers: Sequence[int]) -> pl.Series:
    """Replace names by numbers."""
    import polars as pl

    return column.replace_strict(names, pl.Series(numbers, dtype=pl.Int64), return_dtype=pl.Int64)


def _seats(column: pl.Series, known: Sequence[tuple[Any, str]], order: Sequence[str]) -> Array:
    """Replace values of a column by the position of their text in `order`."""
    seats = {text: i for i, text in enumerate(order)}
    used = [(value, seats[text]) for value, text in known if text in seats]
    return positions(column, [value for value, _ in used], [seat for _, seat in used])
