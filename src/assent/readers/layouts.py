"""Which layout a table has and which column is what: said by the user, or recognised from names and shape.

Everything here looks at the names of the columns and a sample of rows, as text, and changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import polars as pl

from assent.errors import OptionError, UnknownColumn, UnknownLayout, did_you_mean
from assent.readers import detect_by_names, detect_by_values
from assent.readers.tables import columns_shown
from assent.text import shown

__all__ = ["LAYOUTS", "Detected", "Layout", "Overrides", "recognise"]

Layout: TypeAlias = Literal["long", "wide", "counts", "table"]
LAYOUTS: tuple[Layout, ...] = ("long", "wide", "counts", "table")

_WAYS = "say what the columns are with `layout`, `item`, `annotator`, `label` or `annotators`"


@dataclass(frozen=True, kw_only=True)
class Overrides:
    """What the user said about the table; None is for the table to show."""

    layout: str | None = None
    item: str | None = None
    annotator: str | None = None
    label: str | None = None
    annotators: tuple[str, ...] | None = None
    cluster: str | None = None
    transpose: bool = False

    @property
    def columns(self) -> set[str]:
        """The columns that were said to be something."""
        roles = (self.item, self.annotator, self.label, self.cluster, *(self.annotators or ()))
        return {name for name in roles if name is not None}

    def check(self, columns: Sequence[str]) -> Layout | None:
        """Return the layout that was said or follows from the columns that were; refuse what does not fit."""
        roles = {"item": self.item, "annotator": self.annotator, "label": self.label, "cluster": self.cluster}
        said = [(role, name) for role, name in roles.items() if name is not None]
        said += [("annotators", name) for name in self.annotators or ()]
        for role, name in said:
            if name not in columns:
                raise UnknownColumn(
                    f"{role} names the column {shown(name)}, which the table does not have; {did_you_mean(name, columns)}"
                )
        taken: dict[str, str] = {}
        for role, name in said:
            # Clusters of one item each are the items themselves, so these two may share a column.
            if name in taken and {role, taken[name]} != {"item", "cluster"}:
                raise OptionError(f"{role} and {taken[name]} both name the column {shown(name)}; each needs its own.")
            taken[name] = role
        if self.annotators is not None and len(self.annotators) < 2:
            raise OptionError(f"annotators names {len(self.annotators)} column(s); agreement needs at least two.")
        return self._layout()

    def _layout(self) -> Layout | None:
        given = {
            "annotator": self.annotator is not None,
            "label": self.label is not None,
            "annotators": self.annotators is not None,
            "cluster": self.cluster is not None,
            "transpose": self.transpose,
        }
        long = given["label"] or (given["annotator"] and not self.transpose)
        wide = given["annotators"] or given["transpose"]
        layout: Layout | None = "wide" if wide else "long" if long else None
        if self.layout is not None:
            layout = self.layout  # type: ignore[assignment]
        fitting = {
            "long": {"annotator", "label", "cluster"},
            "wide": {"annotator", "transpose"} if self.transpose else {"annotators", "cluster"},
            "counts": set[str](),
            "table": set[str](),
            None: {"cluster"},
        }[layout]
        wrong = [option for option, present in given.items() if present and option not in fitting]
        if wrong:
            shape = f"{layout} table" + (" whose rows are annotators" if self.transpose else "")
            raise OptionError(f"{wrong[0]} does not fit a {shape}; leave one of the two out.")
        if self.item is not None and (self.transpose or layout == "table"):
            raise OptionError("item does not fit a table without an item column; leave it out.")
        return layout


@dataclass(frozen=True, kw_only=True)
class Detected:
    """What a table is, and the sentences that say what of it was a guess."""

    layout: Layout
    item: str | None = None
    """Column with the items; None if the rows are numbered instead."""
    annotator: str | None = None
    label: str | None = None
    columns: tuple[str, ...] = ()
    """The annotators of a wide table, the labels of one of counts; the items if it is transposed."""
    cluster: str | None = None
    transposed: bool = False
    item_guessed: bool = False
    """The item column was chosen for its place, not for its name."""
    notes: tuple[str, ...] = ()


def recognise(
    columns: Sequence[str], sample: pl.DataFrame, said: Overrides, *, whole: bool, nested: frozenset[str] = frozenset()
) -> Detected:
    """Return the layout and the roles of the columns.

    Parameters
    ----------
    columns
        The names of all columns.
    sample
        Rows from the beginning of the table, as text, null where a cell is missing.
    said
        What the user said; it always wins.
    whole
        Whether the sample is the whole table.
    nested
        Columns with lists or records in their cells: they hold no label.

    Raises
    ------
    UnknownColumn
        If a column was said that is not there.
    UnknownLayout
        If it cannot be told what the table is.
    OptionError
        If options do not fit together.
    """
    layout = said.check(columns)
    usable = [name for name in columns if name not in nested]
    if len(columns) < 2:
        raise UnknownLayout(
            f"The table has only one column, {shown(columns[0])}; if its cells are separated by something else than "
            "comma, semicolon, tab or |, say so with `delimiter`."
        )
    if layout == "long":
        return _long(columns, sample, said)
    if layout == "wide":
        return _transposed(columns, sample, said) if said.transpose else _wide(sample, said, usable, nested)
    if layout == "counts":
        return _counts(columns, sample, said, guessed=False)
    if layout == "table":
        return _table(columns, guessed=False)
    return _guess(columns, sample, said, usable, whole=whole, nested=nested)


def _guess(
    columns: Sequence[str],
    sample: pl.DataFrame,
    said: Overrides,
    usable: list[str],
    *,
    whole: bool,
    nested: frozenset[str],
) -> Detected:
    roles = detect_by_values.long_roles(sample, said.item, None, None, [n for n in columns if n != said.cluster])
    if roles is not None and detect_by_values.looks_wide(sample, *roles):
        roles = None
    if roles is not None:
        return _long(columns, sample, said, roles)
    if detect_by_values.must_be_long(sample, said.item, usable):
        # It is not said who annotated, or what; the error asks for it.
        return _long(columns, sample, said)
    if said.cluster is None:
        if whole and said.item is None and detect_by_values.is_contingency(columns, sample):
            return _table(columns, guessed=True)
        if whole and said.item is None and detect_by_values.is_half_a_contingency(columns, sample):
            raise UnknownLayout(
                "The rows are named like the columns, as in a confusion table of two annotators, but it is not one of whole "
                "numbers with a row for every column: give such a table, or say `layout` wide if each row is an item."
            )
        if detect_by_values.is_counts(sample, *detect_by_values.count_columns(columns, sample, said.item)):
            return _counts(columns, sample, said, guessed=True)
    if said.item is None and said.cluster is None:
        if detect_by_values.rows_are_annotators(sample, usable):
            return _transposed(columns, sample, said)
        unnamed = detect_by_values.long_by_shape(sample, usable)
        if unnamed is not None:
            return _long(columns, sample, said, unnamed)
    return _wide(sample, said, usable, nested)


def _long(
    columns: Sequence[str],
    sample: pl.DataFrame,
    said: Overrides,
    roles: tuple[str, str, str] | None = None,
) -> Detected:
    free = [name for name in columns if name != said.cluster]
    roles = roles or detect_by_values.long_roles(sample, said.item, said.annotator, said.label, free)
    if roles is None:
        lacking = [
            role
            for role, name in (("item", said.item), ("annotator", said.annotator), ("label", said.label))
            if name is None and not detect_by_names.find(role, free)
        ] or ["item", "annotator", "label"]
        options = " and ".join(f"`{role}`" for role in lacking)
        raise UnknownLayout(
            f"It cannot be told which column holds the {' and the '.join(lacking)} among {columns_shown(columns)}; "
            f"say it with {options}."
        )
    item, annotator, label = roles
    notes = []
    if None in (said.item, said.annotator, said.label):
        notes.append(
            f"Read as long: item = {shown(item)}, annotator = {shown(annotator)}, label = {shown(label)} "
            "(say otherwise with `item`, `annotator`, `label`)."
        )
    notes += _header_note([item, annotator, label], sample)
    return Detected(
        layout="long", item=item, annotator=annotator, label=label, cluster=said.cluster, notes=tuple(notes)
    )


def _wide(sample: pl.DataFrame, said: Overrides, usable: list[str], nested: frozenset[str]) -> Detected:
    free = [name for name in usable if name not in (said.item, said.cluster, *(said.annotators or ()))]
    item, first = (
        (said.item, None) if said.item is not None else detect_by_values.item_column(sample, free, said.annotators)
    )
    if said.annotators is not None:
        annotators, others = list(said.annotators), list[str]()
    else:
        annotators, others = detect_by_values.annotator_columns(
            sample, [name for name in free if name not in (item, first)]
        )
        others += [name for name in (first,) if name is not None and name != item] + sorted(nested)
    if len(annotators) < 2 or (said == Overrides() and item is None and detect_by_values.is_a_list(sample, annotators)):
        seen = columns_shown(list(sample.columns))
        raise UnknownLayout(f"It cannot be told who annotated and which column holds the labels among {seen}; {_WAYS}.")
    notes = []
    if said.item is None or said.annotators is None:
        where = (
            "the number of the row" if item is None else shown(item) if item else "the first column, which has no name"
        )
        notes.append(
            f"Read as wide: item = {where}, annotators = {columns_shown(annotators)} "
            "(say otherwise with `item`, `annotators`)."
        )
    if others:
        notes.append(f"Left out as not being annotators: {columns_shown(others)} (say otherwise with `annotators`).")
    if said.annotators is None:
        notes += detect_by_values.stranger_notes(sample, annotators)
        notes += _header_note(annotators, sample)
        if len(annotators) > max(2, sample.height):
            notes.append(
                f"There are more annotators ({len(annotators)}) than items ({sample.height}): "
                "if the rows are annotators and the columns items, say `transpose`."
            )
    return Detected(
        layout="wide",
        item=item,
        columns=tuple(annotators),
        cluster=said.cluster,
        item_guessed=item is not None and item == first,
        notes=tuple(notes),
    )


def _transposed(columns: Sequence[str], sample: pl.DataFrame, said: Overrides) -> Detected:
    annotator = said.annotator
    if annotator is None and not detect_by_values.holds_labels(sample, columns[0], columns[1:]):
        annotator = columns[0]
    items = [name for name in columns if name != annotator]
    where = "the number of the row" if annotator is None else shown(annotator) if annotator else "the first column"
    notes = []
    if said.annotator is None:
        notes.append(
            f"Read as wide with a row for each annotator: annotator = {where}, items = {columns_shown(items)} "
            "(say otherwise with `layout` wide)."
        )
    return Detected(layout="wide", annotator=annotator, columns=tuple(items), transposed=True, notes=tuple(notes))


def _counts(columns: Sequence[str], sample: pl.DataFrame, said: Overrides, *, guessed: bool) -> Detected:
    item, labels = detect_by_values.count_columns(columns, sample, said.item)
    kept, totals = detect_by_values.without_totals(sample, labels)
    others = [name for name in columns if name not in {item, *labels}]
    notes = [
        f"Read as counts: each row an item, each of {columns_shown(kept)} a label with the number of annotators who gave it"
        + (" (say otherwise with `layout` wide)." if guessed else ".")
    ]
    if totals:
        notes.append(f"Left out as a total: {columns_shown(totals)}.")
    if others:
        notes.append(f"Left out as not being counts: {columns_shown(others)}.")
    if len(kept) < 2:
        raise UnknownLayout(f"A table of counts needs at least two label columns, not {len(kept)}; {_WAYS}.")
    return Detected(layout="counts", item=item, columns=tuple(kept), notes=tuple(notes))


def _table(columns: Sequence[str], *, guessed: bool) -> Detected:
    notes = []
    if guessed:
        notes.append(
            "Read as a table of two annotators, one in the rows and one in the columns (say otherwise with `layout` wide)."
        )
    return Detected(layout="table", columns=tuple(columns), notes=tuple(notes))


def _header_note(columns: Sequence[str], sample: pl.DataFrame) -> list[str]:
    """Say so if the line that was taken for the names of the columns looks like a row."""
    repeated = all(name and name in detect_by_values.values(sample, name) for name in columns)
    if repeated or all(detect_by_values.is_number(name) for name in sample.columns):
        return [
            f"The first line was read as the names of the columns ({columns_shown(list(sample.columns))}); "
            "if it is a row of data, put a line of names above it."
        ]
    return []
