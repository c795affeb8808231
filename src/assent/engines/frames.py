"""Whole tables of a dataframe engine, for readers that must look at all columns before it is known what they mean."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np

from assent.engines.columns import is_local
from assent.engines.texts import spelled_alike, text_of
from assent.errors import InputError
from assent.text import shown

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "category_order",
    "cells_of",
    "first_rows",
    "is_frame",
    "labels_in",
    "lives_elsewhere",
    "local_table",
    "named_columns",
]


def is_frame(data: Any) -> bool:
    """Return whether something is a table of rows and columns of an engine."""
    return _taken(data) is not None


def _taken(data: Any) -> nw.DataFrame[Any] | nw.LazyFrame[Any] | None:
    if isinstance(data, (str, bytes, list, tuple, dict, np.ndarray)):
        return None
    module = type(data).__module__.partition(".")[0]
    if module == "assent":
        return None
    if module == "pandas":
        _check_names(getattr(data, "columns", None))
    if module == "pyarrow" and type(data).__name__ == "RecordBatch":
        data = sys.modules["pyarrow"].Table.from_batches([data])
    frame = nw.from_native(data, pass_through=True)
    return frame if isinstance(frame, nw.DataFrame | nw.LazyFrame) else None


def _check_names(columns: Any) -> None:
    """Refuse names of columns that pandas has and no other table."""
    if getattr(columns, "nlevels", 1) > 1:
        raise InputError(
            'The names of the columns have several levels: give each column one name, such as "_".join(name) of its levels.'
        )
    if getattr(columns, "is_unique", True) is False:
        raise InputError("The table has two columns of the same name: give each its own.")


def lives_elsewhere(data: Any) -> bool:
    """Return whether the rows of a table are not in this process."""
    frame = _taken(data)
    return frame is not None and not is_local(frame.lazy())


def named_columns(data: Any) -> list[str]:
    """Return the names of the columns of a table."""
    frame = _taken(data)
    return [] if frame is None else [str(name) for name in frame.collect_schema().names()]


def first_rows(data: Any, number: int) -> tuple[pl.DataFrame, frozenset[str]]:
    """Bring the first rows here, and say which columns hold lists."""
    frame = _taken(data)
    assert frame is not None
    some = frame.head(number)
    return _texts(some.collect() if isinstance(some, nw.LazyFrame) else some)


def local_table(data: Any) -> tuple[pl.DataFrame, frozenset[str]]:
    """Return a table of this process as one of polars, and say which columns hold lists."""
    frame = _taken(data)
    assert frame is not None
    return _texts(frame.collect() if isinstance(frame, nw.LazyFrame) else frame)


def _texts(frame: nw.DataFrame[Any]) -> tuple[pl.DataFrame, frozenset[str]]:
    import polars as pl

    names = [str(name) for name in frame.columns]
    if len(set(names)) < len(names):
        raise InputError("The table has two columns of the same name: give each its own.")
    columns, nested = [], set()
    # By their place: a column may be called 0.
    for name, held in zip(names, frame.iter_columns(), strict=True):
        series, holds_lists = _column(held)
        columns.append(series.alias(name))
        if holds_lists:
            nested.add(name)
    return pl.DataFrame(columns), frozenset(nested)


def _column(series: nw.Series[Any]) -> tuple[pl.Series, bool]:
    import polars as pl

    native = series.to_native()
    if isinstance(native, pl.Series) and native.dtype != pl.Object:
        if native.dtype in (pl.Categorical, pl.Enum):
            native = native.cast(pl.String)
        if native.dtype == pl.String:
            # A text without a character is an empty cell, as in a file.
            native = native.set(native == "", None)
        if native.dtype.is_float():
            native = native.fill_nan(None)
        return native, native.dtype.is_nested()
    return cells_of(series.to_list())


def labels_in(*annotators: Any) -> list[list[Any]]:
    """Return the labels of annotators, a sequence each, as lists, if what they hold can be matched by its place.

    Raises
    ------
    InputError
        If two are series of pandas with different indexes: by these they would be matched otherwise.

    Examples
    --------
    >>> labels_in(("x", "y"), range(1, 3))
    [['x', 'y'], [1, 2]]
    """
    index = None
    held = []
    for one in annotators:
        own = getattr(one, "index", None)
        if own is not None and not callable(own):
            if index is not None and not index.equals(own):
                raise InputError("The series have different indexes: align them, or give their values.")
            index = own
        if isinstance(one, set | frozenset):
            raise InputError("A set has no order: give the labels of an annotator as a list, one for each item.")
        # What is masked in an array of numpy is None in its list.
        names = ("to_pylist", "to_list", *(("tolist",) if isinstance(one, np.ma.MaskedArray) else ()))
        listing = next((name for name in names if hasattr(one, name)), None)
        held.append(list(one) if listing is None else getattr(one, listing)())
    return held


def cells_of(values: Iterable[Any]) -> tuple[pl.Series, bool]:
    """Return Python values as a column of texts, or of lists of texts if one of them is a list or a set.

    Examples
    --------
    >>> cells_of([1, 2.0, None, "x", ""])[0].to_list()
    ['1', '2', None, 'x', None]
    >>> cells_of([{"b", "a"}, ["c"], None])[0].to_list()
    [['a', 'b'], ['c'], None]
    """
    import polars as pl

    held = list(values)
    kinds = set(map(type, held))
    if any(issubclass(kind, list | tuple | set | frozenset | np.ndarray) for kind in kinds):
        made = [_list(value) for value in held]
        return pl.Series(made, dtype=pl.List(pl.String)), True
    if any(issubclass(kind, Mapping) for kind in kinds):
        return pl.Series([None if v is None else json.dumps(v, default=str) for v in held], dtype=pl.String), True
    if spelled_alike(kinds):
        texts = {value: _text(value) for value in set(held)}
        return pl.Series([texts[value] for value in held], dtype=pl.String), False
    return pl.Series([_text(value) for value in held], dtype=pl.String), False


def _text(value: Any) -> str | None:
    if isinstance(value, bytes):
        raise InputError(f"A cell holds the bytes {shown(value)}: decode them to text.")
    return text_of(value) or None


def _list(value: Any) -> list[str | None] | None:
    if isinstance(value, set | frozenset):
        return sorted((text_of(one) for one in value), key=lambda text: text or "")
    if isinstance(value, list | tuple | np.ndarray):
        # A list in a list has no label of its own; what is missing in one is the gap of an annotator, whose place it keeps.
        return [json.dumps(one, default=str) if isinstance(one, Mapping) else text_of(one) for one in value]
    text = _text(value)
    return None if text is None else [text]


def category_order(data: Any, columns: Iterable[str]) -> list[str] | None:
    """Return the categories of columns in their order, if all of them are ordered categoricals of the same ones."""
    frame = _taken(data)
    if frame is None:
        return None
    found: list[list[str]] = []
    schema = frame.collect_schema()
    for name in columns:
        dtype = schema.get(name)
        if isinstance(dtype, nw.Enum):
            found.append([str(one) for one in dtype.categories])
            continue
        if frame.implementation.is_pyarrow():
            order = _arrow_order(frame.to_native().column(name))
            if order is None:
                return None
            found.append(order)
            continue
        if not frame.implementation.is_pandas():
            return None
        native = frame.to_native().dtypes.get(name)
        if not getattr(native, "ordered", False) or not hasattr(native, "categories"):
            return None
        found.append([str(text_of(one)) for one in getattr(native, "categories", ())])
    return found[0] if found and all(one == found[0] for one in found) else None


def _arrow_order(column: Any) -> list[str] | None:
    """Return the values of an ordered dictionary of pyarrow, if all chunks have the same; else None."""
    if not getattr(column.type, "ordered", False):
        return None
    found = [[str(text_of(one)) for one in chunk.dictionary.to_pylist()] for chunk in column.chunks]
    return found[0] if found and all(one == found[0] for one in found) else None
