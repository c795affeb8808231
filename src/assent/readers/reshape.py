"""From a table whose columns are known to annotations."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
from msgspec.structs import replace

from assent.data import Annotations
from assent.data.judge_names import names_runs
from assent.data.reading_notes import ReadingNote
from assent.engines import WideTable
from assent.errors import DuplicateAnnotations, EmptyTable, InputError, OptionError, UnreadableFile
from assent.label_sets import Parse
from assent.readers import detect_by_names
from assent.readers.detect_by_values import WHOLE, without_totals
from assent.readers.detected import Detected, as_options, csv_list
from assent.readers.sets import SetOptions, looks_gathered
from assent.readers.tables import Table, as_text, column, columns_shown, readable
from assent.text import escaped, shown

__all__ = ["label_of_each", "to_annotations"]

#: Name of the rank column in the long table, which no other column has.
RANK = "\x00rank"
_DECIMAL_COMMA = r"^[+-]?[0-9]+(,[0-9]+)?$"


def to_annotations(
    table: Table,
    found: Detected,
    *,
    sample: pl.DataFrame,
    missing: Collection[str],
    duplicates: str,
    decimal: str | None,
    columns: Sequence[str] = (),
    sets: SetOptions | None = None,
    parse: Parse | None = None,
    elsewhere: Any = None,
) -> Annotations:
    """Hand the table over in the shape that its layout asks for.

    Parameters
    ----------
    table
        The table as read.
    found
        Its layout and the roles of its columns.
    sample
        Its first rows as text.
    missing
        Label texts that mean "no label".
    duplicates
        What to do with a second label by an annotator for an item.
    decimal
        The decimal mark; found from the labels if None.
    columns
        Further columns to keep beside the annotations.
    sets
        What was said about several labels per annotation.
    parse
        How the cells with labels are taken apart, if they hold several.
    elsewhere
        All rows as another engine holds them, if the table is only a sample of these.
    """
    notes = (*table.notes, *found.notes)
    sets = sets or SetOptions()
    if columns and (found.layout in ("counts", "table") or found.transposed):
        raise OptionError(
            f"The column {shown(columns[0])} has no place beside the labels of this {found.layout} table: "
            "give a table with one row for each item or annotation."
        )
    known = None
    if found.gold is not None:
        # What was decided is read as the labels are.
        asked: dict[str, Any] = {"columns": (found.gold,)} if found.label is None else {"label": found.gold}
        known = partial(
            _decided, table, replace(found, gold=None, **asked), sample=sample, missing=missing, duplicates="first", decimal=decimal,
            parse=parse, elsewhere=elsewhere,
        )  # fmt: skip
    if elsewhere is not None:
        made = _left_there(elsewhere, table, found, notes, columns, missing, duplicates, decimal or ".", sets, parse)
        return replace(made, _known=known)
    if found.layout in ("counts", "table"):
        _refuse_nested(table, found.columns if found.layout == "counts" else table.columns)
    if found.layout == "counts":
        return _counts(table, found, notes)
    if found.layout == "table":
        return _contingency(table, notes)
    labels = [found.label] if found.label is not None else list(found.columns)
    _refuse_nested(table, [name for name in (found.item, found.annotator, found.cluster, *labels) if name is not None])
    if decimal is None:
        decimal = "."
        if table.delimiter not in (None, ",") and _decimal_comma(sample, labels):
            decimal = ","
            notes += (ReadingNote("The labels are numbers with a decimal comma", "`decimal`"),)
    if found.layout == "long":
        long, names = _long(table, found, columns, sets.rank)
    else:
        long, names, more = _wide(table, found, columns)
        notes += more
    make = partial(
        Annotations.from_frame, long, cluster=_unit(found), missing=missing, layout=found.layout, decimal=decimal,
        dropped=table.dropped, columns=names, none=sets.none,
    )  # fmt: skip
    if sets.rank is not None or (sets.multilabel and parse is None):
        return replace(make(notes=notes, multilabel=True, rank=None if sets.rank is None else RANK), _known=known)
    try:
        made = make(notes=notes, duplicates=duplicates, parse=parse, ranked=sets.ranked)
        return replace(made, _locate=partial(_line_of, table, tuple(labels)), _known=known)
    except DuplicateAnnotations as error:
        if found.layout != "long" or parse is not None or sets.multilabel is False or not looks_gathered(table, found):
            run = next((name for name in table.columns if names_runs(name)), None)
            if run is not None and found.layout == "long":
                raise DuplicateAnnotations(
                    f"{str(error).removesuffix('.')}; the column {shown(run)} looks as if it told repeats apart: "
                    f"see `assent repeat`, with `run` {shlex.quote(escaped(run))}."
                ) from None
            if (other := _telling_apart(table, found)) is None:
                keeping = [{"duplicates": which} for which in ("first", "last")]
                raise DuplicateAnnotations(str(error), candidates=keeping) from None
            both = {"item": csv_list([str(found.item), other])}
            remedies = [both, {"questions": other}] if found.layout == "long" else [both]
            told = f"{shown(other)} tells them apart: say {as_options(both)} if both make an item"
            told += f", or {as_options(remedies[1])} if each is a question of its own" if found.layout == "long" else ""
            raise DuplicateAnnotations(f"{error.seen}; {told}.", candidates=remedies) from None
    note = ReadingNote(
        "Several rows of an annotator for an item are one annotation with several labels", "`multilabel=False`"
    )
    return replace(make(notes=[*notes, note], multilabel=True), _known=known)


def _telling_apart(table: Table, found: Detected) -> str | None:
    """Return the column with which the items make others that an annotator has once, and most of them several annotators."""
    taken = {found.item, found.annotator, found.label, found.cluster, *found.columns, *table.nested}
    for name in [one for one in table.columns if one and one not in taken and not detect_by_names.is_other(one)]:
        if found.item is None or "," in found.item + name or detect_by_names.is_score(name):
            continue
        keys = [name for name in (found.item, name, found.annotator) if name is not None]
        rows = table.frame.lazy().select(map(column, keys)).drop_nulls().collect()
        here, items = rows[name].n_unique(), rows[keys[:2]].n_unique()
        several = 3 * items <= 2 * rows.height if found.layout == "long" else items == rows.height
        if several and rows.n_unique() == rows.height and 1 < here < rows.height:
            return name
    return None


def _line_of(table: Table, columns: Sequence[str], label: str) -> str | None:
    """Say where a label stands first in the file; None if it cannot be found."""
    kinds = table.frame.collect_schema()
    for name in columns:
        cells = table.frame.lazy().select(as_text(name, kinds[name])).collect().to_series()
        at = (cells.str.strip_chars() == label.strip()).arg_max()
        if at is not None and cells[at] is not None and cells[at].strip() == label.strip():
            return f"{table.name}, {table.place(at)}"
    return None


def _decided(table: Table, found: Detected, **options: Any) -> dict[str, str]:
    """Return what was decided on each item, by its name, from the column that holds it in place of labels."""
    try:
        with readable(table):
            return label_of_each(to_annotations(table, found, **options))
    except EmptyTable:
        return {}


def label_of_each(data: Annotations) -> dict[str, str]:
    """Return the label of each item, by its name; nothing on an item that has two."""
    rows = data.to_rows()
    pairs = dict.fromkeys(zip(rows.item.tolist(), rows.label.tolist(), strict=True))
    times = Counter(item for item, _ in pairs)
    return {rows.items[item]: rows.labels[label] for item, label in pairs if times[item] == 1}


def _left_there(
    native: Any,
    table: Table,
    found: Detected,
    notes: Sequence[str],
    columns: Sequence[str],
    missing: Collection[str],
    duplicates: str,
    decimal: str,
    sets: SetOptions,
    parse: Parse | None,
) -> Annotations:
    """Hand over rows that stay in another engine."""
    if (
        found.layout != "long"
        or found.label is None
        or found.label not in native.columns
        or found.label in table.nested
    ):
        raise OptionError(
            f"{table.name} is not one row for each annotation with the label in a column of its own, which other engines than polars "
            "need: leave `engine` out."
        )
    return Annotations.from_frame(
        native, item=str(found.item), annotator=str(found.annotator), label=found.label, cluster=found.cluster, rank=sets.rank,
        missing=missing, duplicates=duplicates, decimal=decimal, notes=notes, columns=columns, parse=parse, ranked=sets.ranked,
        multilabel=bool(sets.multilabel) and parse is None, none=sets.none,
    )  # fmt: skip


def _refuse_nested(table: Table, columns: Sequence[str]) -> None:
    nested = [name for name in columns if name in table.nested]
    if nested:
        raise UnreadableFile(
            f"{table.name} has lists or objects in the column {shown(nested[0])}; "
            "each cell must hold one value, or a flat list of labels."
        )


def _decimal_comma(sample: pl.DataFrame, labels: Sequence[str]) -> bool:
    # What was made of columns of 0 and 1 is not in the sample, and is no number.
    held = [sample[name].alias("label") for name in labels if name in sample.columns]
    cells = pl.concat(held).drop_nulls() if held else pl.Series("label", [], dtype=pl.String)
    return bool(
        cells.len() and cells.str.contains(_DECIMAL_COMMA).all() and cells.str.contains(",", literal=True).any()
    )


def _long(table: Table, found: Detected, columns: Sequence[str], rank: str | None) -> tuple[Any, dict[str, str]]:
    """Return the rows under the names of their roles, and what the further columns are called there."""
    roles = {
        "item": found.item,
        "annotator": found.annotator,
        "label": found.label,
        _unit(found): found.cluster,
        RANK: rank,
    }
    names = {name: f"\x00further {i}" for i, name in enumerate(columns)}
    asked = [(name, role) for role, name in roles.items() if name is not None and role is not None]
    asked += names.items()
    if isinstance(table.frame, pl.DataFrame):
        return pl.DataFrame({place: table.frame.get_column(name) for name, place in asked}), names
    return table.frame.select([column(name).alias(place) for name, place in asked]), names


def _unit(found: Detected) -> str | None:
    """Return the name of the cluster column in the long table: its own, unless that is taken."""
    # To the engines "*" and "^a$" are patterns.
    name = found.cluster
    taken = name is not None and (name in ("item", "annotator", "label", "*") or name.startswith("^"))
    return "cluster" if taken else name


def _wide(
    table: Table, found: Detected, columns: Sequence[str]
) -> tuple[pl.DataFrame | WideTable, dict[str, str], tuple[str, ...]]:
    """Return the table by item and annotator, what the further columns are called there, and notes."""
    index = found.annotator if found.transposed else found.item
    schema = table.frame.collect_schema()
    needed = dict.fromkeys(n for n in (index, found.cluster, *found.columns, *columns) if n is not None)
    kinds = {schema[heading] for heading in found.columns}
    mixed = len(kinds) > 1 and not all(kind.is_numeric() for kind in kinds)
    texts = {*found.columns} if mixed else set[str]()
    if isinstance(table.frame, pl.DataFrame) and not texts:
        frame = pl.DataFrame({name: table.frame.get_column(name) for name in needed})
    else:
        picked = [as_text(n, schema[n]) if n in texts else column(n) for n in needed]
        frame = table.frame.select(picked).lazy().collect()
    notes: tuple[str, ...] = ()
    if index is not None and found.item_guessed and frame[index].alias("").n_unique() < frame.height:
        notes = (
            ReadingNote(f"The column {shown(index)} repeats itself, so the items are the rows, by number", "`item`"),
        )
        index = None
    if _hold_ranks(frame, found.columns, transposed=found.transposed):
        line, other, most = (
            ("row", "columns", len(found.columns)) if found.transposed else ("column", "rows", frame.height)
        )
        notes += (
            f"Every {line} holds each of 1 to {most:,} once, as ranks do, and they are taken as labels: if annotators put the {other} in order, say "
            f"`layout` rank-matrix{' and `transpose`' if found.transposed else ''}.",
        )
    keys = pl.Series(range(1, frame.height + 1)).cast(pl.String) if index is None else frame[index]
    unit = _unit(found)
    group = {} if unit is None or found.cluster is None else {unit: frame[found.cluster]}
    names = {name: f"\x00further {i}" for i, name in enumerate(columns)}
    group |= {place: frame[heading] for heading, place in names.items()}
    wide = WideTable(keys, found.columns, [frame[heading] for heading in found.columns], group)
    if found.transposed:
        return wide.long().rename({"item": "annotator", "annotator": "item"}), names, notes
    return wide, names, notes


def _hold_ranks(frame: pl.DataFrame, columns: Sequence[str], *, transposed: bool) -> bool:
    """Tell whether every annotator gave each of 1, 2, … up to the number of items once; of three items that happens by chance."""
    items, annotators = (len(columns), frame.height) if transposed else (frame.height, len(columns))
    if items < 4 or annotators < 2:
        return False
    # Most tables are settled by the first annotator, before the ranks of millions of items are written out.
    rows: Iterator[Sequence[Any]]
    if transposed:
        rows = frame.select(map(column, columns)).iter_rows()
    elif all(frame[name].n_unique() == items for name in columns):
        rows = (frame[name].to_list() for name in columns)
    else:
        return False
    places = set(map(str, range(1, items + 1)))
    return all(set(map(str, row)) == places for row in rows)


def _counts(table: Table, found: Detected, notes: Sequence[str]) -> Annotations:
    frame = table.frame.select(map(column, found.columns)).lazy().collect()
    counts = _whole_numbers(frame, "counts")
    totals = counts.sum(axis=1)
    if (totals != totals[0]).any():
        least, most = int(totals.min()), int(totals.max())
        notes = (*notes, f"The rows add up to between {least:,} and {most:,} annotations.")
    return Annotations.from_counts(counts, labels=found.columns, notes=notes, dropped=table.dropped)


def _contingency(table: Table, notes: Sequence[str]) -> Annotations:
    frame = table.frame.lazy().collect()
    names, labels = frame.to_series(0).alias("").cast(pl.String).to_list(), frame.columns[1:]
    square = frame.height == frame.width and all(_is_whole(cells) for cells in frame)
    if set(names) != set(labels) and square:
        # No row names: the rows come in the order of the columns.
        names, labels = frame.columns, frame.columns
        notes = (*notes, "The rows have no names and were taken in the order of the columns.")
    if len(set(names)) < len(names) or set(names) != set(labels):
        lacking = [str(name) for name in dict.fromkeys(names) if name not in labels] or [
            n for n in labels if n not in names
        ]
        problem = f"only one of them has {columns_shown(lacking)}" if lacking else "a row name occurs twice"
        raise InputError(
            f"A table of two annotators must have the same names in its first column and its first line; {problem}."
        )
    cells = frame[labels]
    # A margin is not a label.
    labels, totals = without_totals(cells.cast(pl.String), labels)
    cells = cells[[names.index(label) for label in [*labels, *totals]]]
    matrix = _whole_numbers(cells, "table")
    if totals:
        if (matrix[-1] == matrix[:-1].sum(axis=0)).all():
            notes = (*notes, f"Left out as a total: {columns_shown(totals)}.")
            matrix = matrix[:-1]
        else:
            labels = [*labels, *totals]
    matrix = matrix[:, [cells.columns.index(label) for label in labels]]
    return Annotations.from_contingency(matrix, labels=labels, notes=notes)


def _is_whole(cells: pl.Series) -> bool:
    text = cells.alias("").cast(pl.String)
    return not text.null_count() and bool(text.str.contains(WHOLE).all())


def _whole_numbers(frame: pl.DataFrame, what: str) -> npt.NDArray[np.int64]:
    for cells in frame:
        if not _is_whole(cells):
            text = cells.alias("").cast(pl.String)
            row = int((text.is_null() | ~text.str.contains(WHOLE)).fill_null(True).arg_max() or 0)
            held = "nothing" if text[row] is None else shown(text[row])
            raise InputError(
                f"The {what} must be whole numbers, 0 or more; row {row + 1} has {held} in the column {shown(cells.name)}."
            )
    # Categories have no numbers but in their texts.
    plain = frame.select(one if one.dtype.is_numeric() else one.cast(pl.String) for one in frame)
    return plain.select(pl.all().cast(pl.Float64).cast(pl.Int64)).to_numpy().astype(np.int64, copy=False)
