"""Tables that a program holds: frames, mappings of columns and lists of records, as careful as files."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl
import polars.selectors as cs
from msgspec.structs import replace

from assent.engines.frames import cells_of, first_rows, is_frame, labels_in, lives_elsewhere, local_table
from assent.errors import EmptyTable, InputError
from assent.readers import detect_by_names
from assent.readers.tables import ANNOTATOR, Table, column, with_cells_of_text
from assent.text import shown

__all__ = ["flat_table", "object_table"]

_LOOKED_AT = 50
"""So many rows show what the lists of a column hold."""
_MOST_KEYS = 100
"""Objects with more keys than that are not taken apart into columns."""
#: What says who annotated within records of annotations, where another name would say nothing.
_WHO = ("name", "by", "who", "author", "email")


def object_table(data: Any, sample_rows: int) -> tuple[Table, Any] | None:
    """Return a table that a program holds, and the rows themselves if they live in another engine; None if it is no table.

    Parameters
    ----------
    sample_rows : int
        So many rows are looked at of a table that lives elsewhere.
    """
    if is_frame(data):
        name = f"the {type(data).__name__}"
        if lives_elsewhere(data):
            frame, nested = first_rows(data, sample_rows)
            return Table(name, frame, nested=nested), data
        frame, nested = local_table(data)
        return _checked(with_cells_of_text(Table(name, frame, nested=nested))), None
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


def flat_table(table: Table) -> Table:
    """Return a table without the lists and objects that annotations stand in, one of each row: records, parallel lists, labels by annotator."""
    return _listed_records(table) or _labels_by_annotator(table) or _parallel_lists(table) or _spread(table) or table


def _listed_records(table: Table) -> Table | None:
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
        called: pl.Series(
            called, [[_cell(one.get(key)) for one in records] for records in texts], dtype=pl.List(pl.String)
        )
        for key, called in keys.items()
    }
    # There may be no column besides, or one without a name.
    long = pl.DataFrame({one: frame[one] for one in plain} | inner).explode(cs.by_name(*inner))
    note = f"Each row holds a list of annotations in {shown(name)}: each of them was taken for a row."
    return replace(table, frame=long, nested=frozenset[str](), notes=(*table.notes, note))


def _record_keys(table: Table, name: str) -> dict[str, str]:
    """Return the keys of the records in a column of lists and what to call them, if all are records that say who said what."""
    records = [one for cell in _first_cells(table, name) for one in _records_in(cell)]
    keys = list(dict.fromkeys(key for one in records for key in one))
    others = set(table.columns) - {name}
    called = {key: key for key in keys if key not in others}
    if not any(detect_by_names.named(key, "annotator") for key in keys) and _of_annotations(name):
        # In "judges" a "name" is that of a judge.
        who = next((key for key in _WHO if key in keys), None)
        called |= {who: ANNOTATOR} if who is not None and ANNOTATOR not in {*keys, *others} else {}
    if not records or not all(
        any(detect_by_names.named(key, role) for key in called.values()) for role in ("annotator", "label")
    ):
        return {}
    nested = {key for one in records for key, value in one.items() if isinstance(value, list | dict)}
    return {key: text for key, text in called.items() if key not in nested}


def _labels_by_annotator(table: Table) -> Table | None:
    """Return a table with an object of labels in each row, by who gave them, with a column for each; None if it has no such object."""
    found = [
        (name, keys)
        for name in table.columns
        if name in table.nested and _of_annotations(name) and (keys := _object_keys(table, name))
    ]
    if len(found) != 1:
        return None
    name, keys = found[0]
    frame = table.frame.lazy().collect()
    cells = [_object_in(cell) or {} for cell in frame[name].to_list()]
    more = sorted({key for cell in cells for key in cell} - {*keys})
    keys = [*keys, *more]
    if len(keys) > _MOST_KEYS or any(isinstance(one, list | dict) for cell in cells for one in cell.values()):
        return None
    if not set(keys).isdisjoint(set(table.columns) - {name}):
        return None
    inner = {key: pl.Series(key, [_cell(cell.get(key)) for cell in cells], dtype=pl.String) for key in keys}
    wide = pl.DataFrame({one: frame[one] for one in table.columns if one != name} | inner)
    note = f"Each row holds an object in {shown(name)}: each of its keys was taken for a column."
    return replace(table, frame=wide, nested=table.nested - {name}, notes=(*table.notes, note))


def _spread(table: Table) -> Table | None:
    """Return a table whose objects are columns of their own, where these say who annotated or what and no other column does; None if none do."""
    plain = [name for name in table.columns if name not in table.nested]
    lacking = [role for role in ("annotator", "label") if not detect_by_names.find(role, plain)]
    found = {}
    for name in (one for one in table.columns if one in table.nested and lacking):
        keys = {key: f"{name}.{key}" for key in _object_keys(table, name)}
        if any(detect_by_names.find(role, keys.values()) for role in lacking) and plain:
            found[name] = keys
    if not found:
        return None
    frame = table.frame.lazy().collect()
    for name, keys in found.items():
        cells = [_object_in(cell) or {} for cell in frame[name].to_list()]
        if any(isinstance(one, list | dict) for cell in cells for one in cell.values()) or not set(
            keys.values()
        ).isdisjoint(frame.columns):
            return None
        inner = [
            pl.Series(text, [_cell(cell.get(key)) for cell in cells], dtype=pl.String) for key, text in keys.items()
        ]
        frame = frame.select(column(one) for one in frame.columns if one != name).with_columns(inner)
    notes = [f"Each row holds an object in {shown(name)}: each of its keys was taken for a column." for name in found]
    return replace(table, frame=frame, nested=table.nested - {*found}, notes=(*table.notes, *notes))


def _object_keys(table: Table, name: str) -> list[str]:
    """Return the keys of the objects in a column, if each is in several rows and all hold single values."""
    cells = [_object_in(cell) for cell in _first_cells(table, name)]
    counts = Counter(key for cell in cells for key in cell or ())
    flat = all(cell is not None and not any(isinstance(one, list | dict) for one in cell.values()) for cell in cells)
    return list(counts) if flat and len(counts) > 1 and min(counts.values()) > 1 else []


def _of_annotations(name: str) -> bool:
    """Return whether a column of lists or objects is called one of annotations or annotators."""
    return bool(detect_by_names.find("annotator", [name]) or detect_by_names.find("label", [name]))


def _first_cells(table: Table, name: str) -> list[Any]:
    some = table.frame.lazy().select(column(name)).head(_LOOKED_AT).collect().to_series()
    return some.alias("").drop_nulls().to_list()


def _object_in(cell: Any) -> dict[str, Any] | None:
    try:
        found = json.loads(cell) if isinstance(cell, str) else cell
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _records_in(cell: Any) -> list[dict[str, Any]]:
    try:
        found = json.loads(cell) if isinstance(cell, str) else list(cell)
        # Records in a list that a program holds are texts by now.
        found = [json.loads(one) if isinstance(one, str) and one.startswith("{") else one for one in found]
    except (ValueError, RecursionError, TypeError):
        return []
    return found if isinstance(found, list) and found and all(isinstance(one, dict) for one in found) else []


def _cell(value: Any) -> str | None:
    if value is None or value == "":
        return None
    return value if isinstance(value, str) else json.dumps(value) if isinstance(value, bool) else str(value)


def _parallel_lists(table: Table) -> Table | None:
    """Return a table with lists of annotators and of their labels in each row as a long one; None if it has no such lists.

    Without a list of annotators, and without a column that says who annotated, the places in the lists are the annotators, if all lists
    are equally long.
    """
    kinds = table.frame.collect_schema()
    inner = {name: kind.inner for name, kind in kinds.items() if isinstance(kind, pl.List)}
    lists = [name for name, kind in inner.items() if kind is not None and not kind.is_nested()]
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
    if who or len(labels) != 1 or detect_by_names.find("annotator", plain) or detect_by_names.find("item", labels):
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
