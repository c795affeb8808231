"""Which layout a table has and which column is what: said by the user, or recognised from names and shape.

Everything here looks at the names of the columns and a sample of rows, as text, and changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import polars as pl

from assent.errors import InputError, UnknownLayout
from assent.limits import COLUMNS_RECOGNISED
from assent.readers import detect_by_names, detect_by_values
from assent.readers.column_facts import Table
from assent.readers.detected import (
    Detected,
    as_options,
    contingency_table,
    counts_table,
    csv_list,
    long_table,
    names_are_cells,
    transposed_table,
    wide_table,
)
from assent.readers.long_columns import long_readings
from assent.readers.overrides import Overrides
from assent.readers.tables import columns_shown
from assent.readers.ways import (
    CLEARLY,
    LEAST,
    Way,
    count_ways,
    long_ways,
    nothing_fits,
    transposed_ways,
    ways_by_shape,
    which,
    wide_ways,
    with_whole_items,
)
from assent.text import shown

__all__ = ["recognise"]


def recognise(
    columns: Sequence[str],
    sample: pl.DataFrame,
    said: Overrides,
    *,
    whole: bool,
    nested: frozenset[str] = frozenset(),
    without: Collection[str] = (),
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
    without
        Items that will be left out: a row of totals among them is looked past.

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
    if not columns:
        raise UnknownLayout("No column is left that could hold items, annotators and labels: give a table with these.")
    if len(columns) < 2:
        raise UnknownLayout(
            f"The table has only one column, {shown(columns[0])}; if its cells are separated by something else than "
            "comma, semicolon, tab or |, say so with `delimiter`."
        )
    if layout == "long":
        return long_table(columns, sample, said)
    if layout == "wide":
        return (
            transposed_table(columns, sample, said)
            if said.transpose
            else wide_table(Table(sample), said, usable, nested)
        )
    if layout == "counts":
        return counts_table(columns, sample, said, guessed=False)
    if layout == "table":
        return contingency_table(columns, guessed=False)
    if len(columns) > COLUMNS_RECOGNISED:
        raise UnknownLayout(
            f"The table has {len(columns):,} columns, too many to tell what each is: say `layout` wide if they are annotators and `transpose` "
            "if they are items, or give one row for each annotation."
        )
    if detect_by_values.second_line_of_names(sample):
        raise UnknownLayout(
            "The first row holds texts that no other row holds, as a second line of names does: delete it, "
            "or say what the table is with `layout` if it is an item."
        )
    sample = _without_summaries(sample, without) if whole else sample
    return _guess(columns, sample, said, usable, whole=whole, nested=nested)


def _without_summaries(sample: pl.DataFrame, without: Collection[str]) -> pl.DataFrame:
    """Return the rows above those at the end that sum them up, which must be among the items to leave out."""
    named: list[str] = []
    top = next((text for text in sample.row(0) if text is not None), "") if sample.height else ""
    if detect_by_names.sums_up(top):
        below = pl.concat([sample[1:], sample[:1]])
        found = detect_by_values.last_row_of_sums(below)
        if found is not None and top not in without:
            remedy = {"without": f"items={csv_list([top])}"}
            raise UnknownLayout(
                f"The first row, {shown(top)}, {found[1]}, so it is no item: leave it out with {as_options(remedy)}, "
                "or say what the table is with `layout` if it is one.",
                candidates=[remedy],
            )
        sample = sample if found is None else sample[1:]
    while (found := detect_by_values.last_row_of_sums(sample)) is not None:
        name, why = found
        if name is None:
            raise InputError(
                f"The last row {why}, so it is no item: delete it, or say what the table is with `layout` if it is one."
            )
        if name not in without:
            named.append(name)
        reason, sample = why, sample[:-1]
    if named:
        rows = (
            f"The last row, {shown(named[0])}," if len(named) == 1 else f"The last rows, {columns_shown(named[::-1])},"
        )
        verb, them = (
            (reason, "it is no item")
            if len(named) == 1
            else (f"hold{reason.removeprefix('holds')}", "they are no items")
        )
        remedy = {"without": f"items={csv_list(named[::-1])}"}
        raise UnknownLayout(
            f"{rows} {verb}, so {them}: leave {'it' if len(named) == 1 else 'them'} out with {as_options(remedy)}, "
            "or say what the table is with `layout` if it is one.",
            candidates=[remedy],
        )
    return sample


def _guess(
    columns: Sequence[str],
    sample: pl.DataFrame,
    said: Overrides,
    usable: list[str],
    *,
    whole: bool,
    nested: frozenset[str],
) -> Detected:
    """Compare the ways to read a table, and take the best if it is clearly the best."""
    facts = Table(sample)
    free = [name for name in columns if name != said.cluster and name not in nested]
    if said.cluster is None and whole and said.item is None:
        if detect_by_values.is_contingency(columns, sample):
            return contingency_table(columns, guessed=True)
        if detect_by_values.is_half_a_contingency(columns, sample) and not long_readings(facts, None, free):
            raise UnknownLayout(
                "The rows are named like the columns, as in a confusion table of two annotators, but it is not one of whole "
                "numbers with a row for every column: give such a table, or say `layout` wide if each row is an item."
            )
    ways = [
        *long_ways(columns, facts, said, free),
        *wide_ways(facts, said, usable, nested, whole=whole),
    ]
    if said.cluster is None:
        ways += count_ways(columns, facts, said)
    if said.item is None and said.cluster is None:
        ways += transposed_ways(columns, facts, said, usable, whole=whole)
    ways = sorted((way for way in ways if way.score > 0), key=lambda way: -way.score)
    asking = not ways or ways[0].score < LEAST or ways[0].asked
    by_shape = ways_by_shape(columns, facts, said, free) if asking else []
    if not ways or ways[0].score < LEAST:
        if by_shape and not ways:
            _refuse_first_row(by_shape[0].make(), sample)
            raise UnknownLayout(which(columns, by_shape), candidates=[way.options for way in by_shape])
        if (counting := _counts_below_each_other(facts, usable)) is not None:
            raise UnknownLayout(
                f"{shown(counting)} seems to say how many annotators gave an item each label: write one row for each item and one column for "
                "each label, and read it with `layout` counts."
            )
        if detect_by_values.must_be_long(sample, said.item, usable) and (
            detect_by_values.long_roles(sample, said.item, None, None, free) is None
        ):
            # It is not said who annotated, or what; the error asks for it.
            return long_table(columns, sample, said)
        if nested and detect_by_values.long_roles(sample, said.item, None, None, [*free, *sorted(nested)]) is not None:
            # What holds the labels holds lists of lists or records, which will be refused.
            return long_table(columns, sample, said)
        ways = _whole(ways, facts, free)
        raise UnknownLayout(nothing_fits(columns, facts, ways), candidates=[way.options for way in ways])
    if ways[0].asked or (len(ways) > 1 and ways[0].score - ways[1].score < CLEARLY):
        near = [way for way in ways if ways[0].score - way.score < CLEARLY or ways[0].asked]
        near = _whole(near[:3] + by_shape, facts, free)[:3] or near[:3]
        if all(way.name == "long" for way in near):
            _refuse_first_row(near[0].make(), sample)
        raise UnknownLayout(which(columns, near), candidates=[way.options for way in near])
    made = ways[0].make()
    _refuse_first_row(made, sample)
    return made


def _whole(ways: Sequence[Way], facts: Table, columns: Sequence[str]) -> list[Way]:
    """Return those of the ways whose items an annotator has once each."""
    return [one for way in ways if (one := with_whole_items(way, facts, columns)) is not None]


def _counts_below_each_other(facts: Table, columns: Sequence[str]) -> str | None:
    """Return the column that counts how often an item has a label, if each row is an item with one of its labels."""
    times = [name for name in columns if detect_by_names.names_frequencies(name) and facts[name].numeric]
    found = {
        role: detect_by_names.find(role, [name for name in columns if name not in times]) for role in ("item", "label")
    }
    if not times or not found["item"] or not found["label"] or detect_by_names.find("annotator", columns):
        return None
    item, label = found["item"][0], found["label"][0]
    return times[0] if facts.repeats(item) and not facts.repeats(item, label) else None


def _refuse_first_row(found: Detected, sample: pl.DataFrame) -> None:
    """Refuse a table whose names are cells of their own columns: its first line is a row."""
    roles = (found.item, found.annotator, found.label) if found.layout == "long" else found.columns
    names = [name for name in roles if name is not None]
    if found.layout not in ("long", "wide") or found.transposed or not names_are_cells(names, sample):
        return
    if found.layout == "wide" and detect_by_names.counted_through(names):
        # Annotators are numbered like that; a note says it.
        return
    raise InputError(
        f"The first line was read as the names of the columns, but {columns_shown(names)} are also in the cells below them, as in a row of "
        f"data: put a line of names above it, or say `layout` {found.layout} if they are names."
    )
