"""Which columns of a table are taken, and expressions over them that every engine understands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw

from assent.engines.texts import object_texts
from assent.errors import InputError, UnknownColumn, did_you_mean
from assent.text import shown

__all__ = [
    "UNUSED",
    "absent",
    "counted",
    "flag",
    "is_local",
    "lookup",
    "named",
    "numbered",
    "replaced",
    "selected",
    "whole",
]

#: Up to so many choices a chain of comparisons is faster than a look-up table.
CHAIN = 48
#: Stands for a label of the vocabulary that no row holds.
UNUSED = object()


def selected(native: Any, roles: Mapping[str, str], further: Mapping[str, str]) -> nw.LazyFrame[Any]:
    """Take the columns that matter and give them our names.

    Parameters
    ----------
    roles, further : mapping of str to str
        Our names, and those of the columns in the table.
    """
    try:
        frame = nw.from_native(native)
    except TypeError:
        raise InputError(
            f"What is of the type {type(native).__name__} is not a table: give a path, a DataFrame (pandas, polars, pyarrow, DuckDB, "
            "Spark, Ibis), triples or a 2-D array."
        ) from None
    if not isinstance(frame, nw.DataFrame | nw.LazyFrame):
        raise InputError(f"What is of the type {type(native).__name__} is not a table of rows and columns.")
    schema = frame.collect_schema()
    for role, name in roles.items():
        if name not in schema:
            raise UnknownColumn(f"There is no {role} column {shown(name)}: {did_you_mean(name, schema.names())}")
    if len(set(roles.values())) < len(roles):
        raise UnknownColumn("Item, annotator and label must be different columns.")
    for name in further.values():
        if name not in schema:
            raise UnknownColumn(f"There is no column {shown(name)}: {did_you_mean(name, schema.names())}")
    chosen: list[Any] = [nw.col(name).alias(role) for role, name in further.items()]
    for role, name in roles.items():
        dtype = schema[name]
        column = nw.col(name)
        if isinstance(dtype, nw.Categorical | nw.Enum):
            column = column.cast(nw.String)
        elif dtype == nw.Object and isinstance(frame, nw.DataFrame):
            texts = object_texts(frame[name].to_list())
            chosen.append(nw.new_series(role, texts, nw.String, backend=frame.implementation))
            continue
        elif isinstance(dtype, nw.List | nw.Struct | nw.Array):
            raise InputError(f"The {role} column {shown(name)} holds {dtype} values: it must hold text or numbers.")
        chosen.append(column.alias(role))
    taken: nw.LazyFrame[Any] = frame.select(*chosen).lazy()
    return taken


def is_local(frame: nw.LazyFrame[Any]) -> bool:
    """Return whether the rows are in this process, so that looking at them one by one moves no data."""
    kind = frame.implementation
    return bool(kind.is_polars() or kind.is_pandas_like() or kind.is_pyarrow())


def absent(frame: nw.LazyFrame[Any], role: str) -> nw.Expr:
    """Return whether a column holds nothing; a NaN is what pandas makes of a gap in a column of numbers."""
    empty = nw.col(role).is_null()
    return empty | nw.col(role).is_nan() if frame.collect_schema()[role].is_float() else empty


def flag(condition: nw.Expr) -> nw.Expr:
    """Return 1 where a condition holds, else 0: not every engine can add up truth values."""
    return nw.when(condition).then(nw.lit(1)).otherwise(nw.lit(0))


def lookup(column: nw.Expr, table: Mapping[Any, int], otherwise: int) -> nw.Expr:
    """Replace values by integers; an engine takes a small number for one of 32 bits, and so all that it is multiplied with."""
    return replaced(column, table, nw.lit(otherwise), nw.Int64)


def replaced(column: nw.Expr, table: Mapping[Any, Any], otherwise: nw.Expr, dtype: Any) -> nw.Expr:
    """Replace values by others of some type, by whatever way is fast for so many of them."""
    values = [value for value in table if value is not UNUSED]
    if len(values) > CHAIN:
        return column.replace_strict(values, [table[value] for value in values], default=otherwise, return_dtype=dtype)
    result = otherwise
    for value in values:
        result = nw.when(column == nw.lit(value)).then(nw.lit(table[value])).otherwise(result)
    return result.cast(dtype)


def whole(*names: str) -> list[nw.Expr]:
    """Make counts and sums 64-bit integers: engines differ in their type, so they are cast after they are taken."""
    return [nw.col(name).cast(nw.Int64) for name in names]


def counted(groups: Any, name: str, *more: nw.Expr) -> nw.LazyFrame[Any]:
    """Count the rows of each group as `name`."""
    made: nw.LazyFrame[Any] = groups.agg(nw.len().alias(name), *more).with_columns(*whole(name))
    return made


def numbered(columns: Sequence[nw.Expr]) -> list[str]:
    """Return names for columns of integers that no other column has."""
    return [f"sum_{i}" for i in range(len(columns))]


def named(columns: Sequence[nw.Expr]) -> list[nw.Expr]:
    """Give columns of integers these names."""
    return [column.cast(nw.Int64).alias(name) for column, name in zip(columns, numbered(columns), strict=True)]
