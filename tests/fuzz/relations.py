"""What must hold of every measure on a random table: the slow reference, and what order, names, layout, engine and copies change."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import polars as pl
from tests.fuzz.by_reference import grid, wanted
from tests.fuzz.runs import DONE
from tests.fuzz.tables import KINDS, Table
from tests.properties.test_invariance import FINITE_SAMPLE

import assent
from assent.errors import AssentError, EmptyTable, NothingToCompare, UnsuitableData

__all__ = ["CHECKED", "COMPARED", "apart_from_slow", "relations"]

#: How each kind of table is read; the others are read without a word.
OPTIONS: dict[str, dict[str, Any]] = {
    "sets": {"separator": ";"},
    "rankings": {"object": "object", "rank": "rank"},
    "spans": {"layout": "spans", "length": "last-end"},
    "best-worst": {"item": "item"},
}
#: Kinds whose measures are checked; counts, confusion tables and runs are labels in other layouts.
CHECKED = ("long", "long", "sets", "spans", "spans", "rankings", "preferences", "best-worst")
#: Measures that draw at random, pair each annotation with the n - 1 others, or take one document: copies change them.
GROWS = {
    *FINITE_SAMPLE, "krippendorff-alpha", "span-label-alpha", "span-attribute-alpha", "position-alpha", "alpha-u", "alpha-u-binary", "alpha-cu",
    "alpha-ku", "alpha-u-1995", "gamma", "gamma-cat",
}  # fmt: skip
#: Sums in another order differ in the last digits.
NEAR = {"rel_tol": 1e-9, "abs_tol": 1e-9}
#: How often each measure was held against its slow version.
COMPARED: Counter[str] = Counter()


def relations(number: int) -> tuple[str, str | None]:
    """Return the table of a case in words, and the first relation that does not hold on it, if one does not."""
    dice = random.Random(number)
    table = KINDS[dice.choice(CHECKED)](dice)
    return f"{table.kind} {table.columns} {table.rows[:40]}", next(_broken(table, dice), None)


def _broken(table: Table, dice: random.Random) -> Iterator[str]:
    before = _measured(_read(table, table.kind))
    for what, other in _turned(table, dice):
        after = _measured(other())
        for name, value in before.items():
            if what == "copies" and name in GROWS:
                continue
            if not _near(value, after.get(name)):
                yield f"{name} is {value!r}, and with other {what} {after.get(name)!r}"
    yield from _by_reference(table, before)


def apart_from_slow(table: Table) -> str | None:
    """Return what is not as its slow version has it, if anything is not."""
    return next(_by_reference(table, _measured(_read(table, table.kind))), None)


def _turned(table: Table, dice: random.Random) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield the same table with other rows, names and copies, and in other layouts and engines."""
    rows = list(table.rows)
    dice.shuffle(rows)
    yield "rows", lambda: _read(_with(table, rows), table.kind)
    # Names that sort as before: the first annotator stays the first.
    place = {"item": "z", "document": "z", "annotator": "\u00e9 "}
    first = table.columns[0] if table.columns[0] in ("item", "document") else None
    renamed = [
        tuple(
            f"{place[name]}{cell}" if name in ((first, "annotator") if first else ("annotator",)) else cell
            for name, cell in zip(table.columns, row, strict=True)
        )
        for row in table.rows
    ]
    yield "names", lambda: _read(_with(table, renamed), table.kind)
    frame = pl.DataFrame(table.rows, schema=_schema(table), orient="row")
    engine = dice.choice(("pandas", "pyarrow", "duckdb", "polars-lazy"))
    yield f"engine ({engine})", lambda: _read(_native(frame, engine), table.kind)
    if table.kind == "long" and table.rows:
        yield "layout", lambda: _wide(table)
    if first is not None:
        at = table.columns.index(first)
        copies = [(*row[:at], f"{row[at]}{copy}", *row[at + 1 :]) for copy in ("", " again") for row in table.rows]
        yield "copies", lambda: _read(_with(table, copies), table.kind)


def _with(table: Table, rows: list[Any]) -> Table:
    return Table(table.kind, table.columns, tuple(rows))


def _schema(table: Table) -> dict[str, Any]:
    return {name: pl.Int64 if name in ("start", "end", "rank") else pl.String for name in table.columns}


def _read(data: Any, kind: str) -> Any:
    """Return the data, or why they are refused."""
    options = dict(OPTIONS.get(kind, {}))
    if kind in ("long", "sets"):
        options |= {"item": "item", "annotator": "annotator", "label": "label"}
    if isinstance(data, Table):
        data = pl.DataFrame(data.rows, schema=_schema(data), orient="row")
    try:
        return assent.read(data, **options)
    except AssentError as error:
        return type(error)


def _native(frame: pl.DataFrame, engine: str) -> Any:
    if engine == "pandas":
        return frame.to_pandas()
    if engine == "pyarrow":
        return frame.to_arrow()
    if engine == "polars-lazy":
        return frame.lazy()
    import duckdb

    return duckdb.connect().from_arrow(frame.to_arrow())


def _wide(table: Table) -> Any:
    people, rows = grid(table)
    if len(people) < 2:
        return _read(table, table.kind)
    frame = pl.DataFrame(
        [(f"i{i}", *row) for i, row in enumerate(rows)],
        schema=dict.fromkeys(["item", *people], pl.String),
        orient="row",
    )
    try:
        return assent.read(frame, item="item", annotators=people)
    except AssentError as error:
        return type(error)


def _measured(data: Any) -> dict[str, float | str]:
    """Return the value of every measure that takes the data, NaN where it is undefined, or the name of what refused it."""
    if isinstance(data, type):
        return {"reading": data.__name__}
    found: dict[str, float | str] = {}
    for name, measure in assent.all_measures().items():
        if measure.kind not in data.kinds:
            continue
        DONE["measurements"] += 1
        try:
            result = measure(data)
            found[name] = result.value
            if name == "gamma":
                # Its chance is drawn, this is not.
                found["gamma observed"] = result.details["observed_disorder"]
        except EmptyTable:
            # Rows of an engine are fetched when they are measured.
            return {"reading": EmptyTable.__name__}
        except (UnsuitableData, NothingToCompare) as error:
            found[name] = type(error).__name__
    return found


def _near(one: float | str, other: float | str | None) -> bool:
    if isinstance(one, str) or other is None or isinstance(other, str):
        return one == other
    return (math.isnan(one) and math.isnan(other)) or math.isclose(one, other, **NEAR)


def _by_reference(table: Table, found: dict[str, float | str]) -> Iterator[str]:
    if all(isinstance(value, str) for value in found.values()):
        return
    for name, slow in wanted(table).items():
        value = found.get(name)
        if isinstance(value, float):
            COMPARED[name] += 1
            if not _near(value, math.nan if slow is None else float(slow)):
                yield f"{name} is {value!r}, by the reference {slow!r}"
