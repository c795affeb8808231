"""Tables that a program holds: frames, mappings of columns and lists of records, as careful as files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl
import polars.selectors as cs

from assent.engines.frames import cells_of, first_rows, is_frame, labels_in, lives_elsewhere, local_table
from assent.errors import EmptyTable, InputError
from assent.readers import detect_by_names
from assent.readers.tables import Table, column
from assent.text import shown

__all__ = ["listed_records", "object_table", "parallel_lists"]

_LOOKED_AT = 50
"""So many rows show what the lists of a column hold."""


def object_table(data: Any, sample_rows: int) -> tuple[Table, Any] | None:
    """Return a table that a program holds, and the rows themselves if they live in another engine; None if it is no table.

    Parameters
    ----------
    data : DataFrame, mapping of str to sequence, or sequence of mappings
    sample_rows : int
        So many rows are looked at of a table that lives elsewhere.
    """
    if is_frame(data):
        name = f"the {type(data).__name__}"
        if lives_elsewhere(data):
            frame, nested = first_rows(data, sample_rows)
            return Table(name, frame, nested=nested), data
        frame, nested = local_table(data)
        return _checked(Table(name, frame, nested=nested)), None
    if isinstance(data, Mapping):
        return _checked(_of_columns(data)), None
    if _are_records(data):
        return _checked(_of_records(list(data))), None
    return None


def _checked(table: Table) -> Table:
    if not table.columns:
        raise EmptyTable("The table has no columns: there is nothing to measure.")
    return table


def _are_records(data: Any) -> bool:
    """Return whether something is a sequence of mappings, such as a list of dicts or a data set of rows."""
    if isinstance(data, str | bytes) or not hasattr(data, "__len__") or not hasattr(data, "__getitem__"):
        return False
    try:
        return len(data) > 0 and isinstance(data[0], Mapping)
    except (KeyError, IndexError, TypeError, ValueError):
        return False


def _of_columns(data: Mapping[Any, Any]) -> Table:
    columns, nested = {}, set()
    lengths = {}
    _check_keys(data)
    for name, values in data.items():
        if isinstance(values, str | bytes | Mapping) or not hasattr(values, "__iter__"):
            raise InputError(
                f"The mapping has {shown(values, 40)} for {shown(name)}: each annotator needs a list of labels, one for each item."
            )
    for name, values in zip(data, labels_in(*data.values()), strict=True):
        series, lists = cells_of(values)
        columns[str(name)], lengths[str(name)] = series, len(series)
        if lists:
            nested.add(str(name))
    if len(set(lengths.values())) > 1:
        (first, one), (second, other) = next((a, b) for a in lengths.items() for b in lengths.items() if a[1] != b[1])
        raise InputError(
            f"{shown(first)} has {one:,} values and {shown(second)} {other:,}: each must have one for each item, None where there is none."
        )
    return Table("the mapping", pl.DataFrame(columns), nested=frozenset(nested))


def _check_keys(names: Iterable[Any]) -> None:
    """Refuse keys such as 1 and "1", which are one name of a column."""
    known: set[str] = set()
    for name in map(str, names):
        if name in known:
            raise InputError(
                f'Two keys are written {shown(name)}, as 1 and "1" are: give each column a name of its own.'
            )
        known.add(name)


def _of_records(records: Sequence[Any]) -> Table:
    names: dict[Any, None] = {}
    for i, row in enumerate(records):
        if not isinstance(row, Mapping):
            raise InputError(f"Record {i + 1} is {shown(row)}: each must be a mapping, as the first one is.")
        names |= dict.fromkeys(row)
    _check_keys(names)
    columns, nested = {}, set()
    for name in names:
        series, lists = cells_of([row.get(name) for row in records])
        columns[str(name)] = series
        if lists:
            nested.add(str(name))
    return Table("the list of records", pl.DataFrame(columns), nested=frozenset(nested))


def listed_records(table: Table) -> Table | None:
    """Return a table with a list of records in each row, each with an annotator and a label, as a long one; None if it has no such list."""
    plain = [name for name in table.columns if name not in table.nested]
    if not table.nested or detect_by_names.find("annotator", plain):
        return None
    found = [(name, keys) for name in table.columns if name in table.nested and (keys := _record_keys(table, name))]
    if len(found) != 1:
        return None
    name, keys = found[0]
    frame = table.frame.lazy().select(*map(column, plain), column(name)).collect()
    texts = [[] if cell is None else _records_in(cell) for cell in frame[name].to_list()]
    inner = {
        key: pl.Series(key, [[_cell(one.get(key)) for one in records] for records in texts], dtype=pl.List(pl.String))
        for key in keys
    }
    long = frame.select(map(column, plain)).with_columns(**inner).explode(keys)
    note = f"Each row holds a list of annotations in {shown(name)}: each of them was taken for a row."
    return replace(table, frame=long, nested=frozenset[str](), notes=(*table.notes, note))


def _record_keys(table: Table, name: str) -> list[str]:
    """Return the keys of the records in a column of lists, if all are records that say who said what."""
    some = (
        table.frame.lazy().select(column(name)).head(_LOOKED_AT).collect().to_series().alias("").drop_nulls().to_list()
    )
    records = [one for cell in some for one in _records_in(cell)]
    keys = list(dict.fromkeys(key for one in records for key in one))
    if not records or not all(any(detect_by_names.named(key, role) for key in keys) for role in ("annotator", "label")):
        return []
    simple = [key for key in keys if not any(isinstance(one.get(key), list | dict) for one in records)]
    return [key for key in simple if key not in set(table.columns) - {name}]


def _records_in(cell: Any) -> list[dict[str, Any]]:
    try:
        found = json.loads(cell) if isinstance(cell, str) else list(cell)
    except (json.JSONDecodeError, RecursionError, TypeError):
        return []
    return found if isinstance(found, list) and found and all(isinstance(one, dict) for one in found) else []


def _cell(value: Any) -> str | None:
    if value is None or value == "":
        return None
    return value if isinstance(value, str) else json.dumps(value) if isinstance(value, bool) else str(value)


def parallel_lists(table: Table) -> Table | None:
    """Return a table with lists of annotators and of their labels in each row as a long one; None if it has no such lists.

    Without a list of annotators, and without a column that says who annotated, the places in the lists are the annotators, if all lists
    are equally long.
    """
    kinds = table.frame.collect_schema()
    lists = [name for name in table.columns if isinstance(kinds[name], pl.List) and kinds[name].inner == pl.String]  # type: ignore[attr-defined]
    if not lists:
        return None
    who = [name for name in lists if detect_by_names.find("annotator", [name])]
    plain = [name for name in table.columns if name not in table.nested]
    frame = table.frame.lazy().collect()
    sizes = {name: frame[name].alias("").list.len().fill_null(0) for name in lists}
    if len(who) == 1:
        together = [name for name in lists if name not in who and (sizes[name] == sizes[who[0]]).all()]
        if not together:
            return None
        note = f"Each row holds lists: the annotators in {shown(who[0])}, what they said in {', '.join(map(shown, together))}."
        long = frame.select(map(column, [*plain, *who, *together])).explode(cs.by_name(*who, *together))
        return Table(table.name, long, notes=(*table.notes, note))
    labels = [name for name in lists if detect_by_names.find("label", [name])] or lists
    if who or len(labels) != 1 or detect_by_names.find("annotator", plain):
        return None
    if sizes[labels[0]].n_unique() != 1 or sizes[labels[0]][0] < 2:
        return None
    note = f"Each row holds a list of labels in {shown(labels[0])}: the places in it were taken for the annotators."
    place = pl.int_ranges(1, column(labels[0]).list.len() + 1).cast(pl.List(pl.String)).alias("annotator")
    items = (
        {"item": pl.Series(range(1, frame.height + 1)).cast(pl.String)}
        if not detect_by_names.find("item", plain)
        else {}
    )
    long = frame.select(map(column, [*plain, *labels])).with_columns(place, **items)
    long = long.explode(cs.by_name(labels[0], "annotator"))
    return Table(table.name, long, notes=(*table.notes, note))
