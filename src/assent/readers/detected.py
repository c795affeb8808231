"""What each column of a table is, once its layout is known, and the sentences that say what of it was a guess."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence

import polars as pl
from msgspec import field

from assent.data.reading_notes import ReadingNote
from assent.errors import UnknownLayout
from assent.limits import COPIED_NAME
from assent.readers import detect_by_names, detect_by_values
from assent.readers.column_facts import Table
from assent.readers.overrides import Overrides
from assent.readers.tables import columns_shown
from assent.readers.wide_columns import MANY, annotator_columns, holds_labels_of
from assent.records import Struct
from assent.text import escaped, shortened, shown

__all__ = [
    "WAYS",
    "Detected",
    "as_options",
    "contingency_table",
    "counts_table",
    "csv_list",
    "long_table",
    "names_are_cells",
    "transposed_table",
    "wide_table",
]

WAYS = "say what the columns are with `layout`, `item`, `annotator`, `label` or `annotators`"
#: So many rows at least before what columns do not have in common says something.
ENOUGH = 5


class Detected(Struct, frozen=True, kw_only=True):
    """What a table is, and the sentences that say what of it was a guess."""

    layout: str
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
    gold: str | None = None
    """Column with what was decided in the end."""
    roles: Mapping[str, str] = field(default_factory=dict)
    """Of a table of another kind: what each column is."""
    notes: tuple[str, ...] = ()


def long_table(
    columns: Sequence[str],
    sample: pl.DataFrame,
    said: Overrides,
    roles: tuple[str, str, str] | None = None,
    others: Sequence[str] = (),
) -> Detected:
    """Return what the columns of a table are in which each row is an annotation."""
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
    notes: list[str] = []
    if None in (said.item, said.annotator, said.label):
        notes.append(
            ReadingNote(
                f"Read as long: item = {shown(item)}, annotator = {shown(annotator)}, label = {shown(label)}",
                "`item`, `annotator`, `label`",
                code="table",
            )
        )
    gold = _decided(sample, item, label, [name for name in free if name not in roles])
    others = [name for name in others if name != gold]
    if others and said.label is None:
        notes.append(f"{columns_shown(others)} may hold labels, too (take them with `label`).")
    if gold is not None:
        notes.append(_kept_as_gold([gold], "`label`"))
    notes += _header_note([item, annotator, label], sample)
    return Detected(
        layout="long", item=item, annotator=annotator, label=label, cluster=said.cluster, gold=gold, notes=tuple(notes)
    )


def _decided(sample: pl.DataFrame, item: str, label: str, columns: Sequence[str]) -> str | None:
    """Return the one column that holds what was decided on each item: by its name, one value for each, and a label as the others."""
    facts = Table(sample)
    named = [
        name
        for name in columns
        if detect_by_names.names_a_decision(name) and holds_labels_of(facts[name], facts[label])
    ]
    if len(named) != 1:
        return None
    pairs = set(zip(sample[item].to_list(), sample[named[0]].to_list(), strict=True))
    told = [thing for thing, decision in pairs if thing is not None and decision is not None]
    return named[0] if len(told) > 1 and len(set(told)) == len(told) else None


def _kept_as_gold(columns: Sequence[str], option: str) -> str:
    kept = "is kept as gold" if len(columns) == 1 else "can serve as gold"
    return (
        f"By its name {columns_shown(columns)} holds what was decided in the end, not what an annotator said: it {kept} "
        f"(take it for {'labels' if option == '`label`' else 'an annotator'} with {option})."
    )


def wide_table(facts: Table, said: Overrides, usable: list[str], nested: frozenset[str]) -> Detected:
    """Return what the columns of a table are in which each row is an item."""
    sample = facts.sample
    free = [name for name in usable if name not in (said.item, said.cluster, *(said.annotators or ()))]
    item, first = (
        (said.item, None) if said.item is not None else detect_by_values.item_column(sample, free, said.annotators)
    )
    if item is not None and said.item is None and item == first and facts[item].dated:
        item = None
    decisions: tuple[str, ...] = ()
    if said.annotators is not None:
        annotators, others = list(said.annotators), list[str]()
    else:
        left = [name for name in free if name not in (item, first)]
        found = annotator_columns(facts, left)
        annotators, others, decisions = list(found.columns), list(found.left_out), found.decisions
        if len(annotators) < 2:
            # It was said that the columns are annotators, whatever they hold.
            annotators = [name for name in left if name and not detect_by_names.is_other(name)]
            others, decisions = [name for name in left if name not in annotators], ()
        elif found.rivals and said.layout == "wide":
            groups = [found.columns, *found.rivals][:3]
            offered = ", or ".join(as_options({"annotators": csv_list(group)}) for group in groups)
            raise UnknownLayout(
                f"Several groups of columns hold labels of their own, as several questions do: say {offered}.",
                candidates=[{"annotators": csv_list(group)} for group in groups],
            )
        others += [name for name in (first,) if name is not None and name != item] + sorted(nested)
    if len(annotators) < 2:
        seen = columns_shown(list(sample.columns))
        raise UnknownLayout(f"It cannot be told who annotated and which column holds the labels among {seen}; {WAYS}.")
    notes: list[str] = []
    if said.item is None or said.annotators is None:
        where = (
            "the number of the row" if item is None else shown(item) if item else "the first column, which has no name"
        )
        notes.append(
            ReadingNote(
                f"Read as wide: item = {where}, annotators = {columns_shown(annotators)}",
                "`item`, `annotators`",
                code="table",
            )
        )
    others = [name for name in others if name not in decisions]
    if others:
        notes.append(ReadingNote(f"Left out as not being annotators: {columns_shown(others)}", "`annotators`"))
    if decisions:
        notes.append(_kept_as_gold(decisions, "`annotators`"))
    if said.annotators is None:
        notes += detect_by_values.stranger_notes(facts, annotators)
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
        gold=decisions[0] if len(decisions) == 1 else None,
        notes=tuple(notes),
    )


def transposed_table(columns: Sequence[str], sample: pl.DataFrame, said: Overrides) -> Detected:
    """Return what the columns of a table are in which each row is an annotator."""
    annotator = said.annotator
    if annotator is None and not detect_by_values.holds_labels(sample, columns[0], columns[1:]):
        annotator = columns[0]
    facts = Table(sample)
    items = [name for name in columns if name != annotator]
    answers = _answer_columns(facts, items) if len(items) <= MANY else items
    others = [name for name in items if name not in answers] if len(answers) > 1 else []
    items = [name for name in items if name not in others]
    where = "the number of the row" if annotator is None else shown(annotator) if annotator else "the first column"
    notes: list[str] = []
    if said.annotator is None:
        notes.append(
            ReadingNote(
                f"Read as wide with a row for each annotator: annotator = {where}, items = {columns_shown(items)}",
                "`layout` wide",
                code="table",
            )
        )
    if others:
        notes.append(f"Left out as not being items: {columns_shown(others)}.")
    return Detected(layout="wide", annotator=annotator, columns=tuple(items), transposed=True, notes=tuple(notes))


def _answer_columns(facts: Table, columns: Sequence[str]) -> list[str]:
    """Return the columns of a table of annotators in rows that hold their labels: not what is known of the annotators, or when they answered."""
    left = [
        name
        for name in columns
        if name and not detect_by_names.is_other(name) and not facts[name].never_labels and not facts[name].written
    ]
    # Beside numbered items or questions, what is called otherwise and holds other texts was not asked: age, gender, language.
    stems = Counter(map(detect_by_names.stem, left))
    asked = [
        name
        for name in left
        if detect_by_names.is_a_question(name)
        or (detect_by_names.stem(name) and 2 * stems[detect_by_names.stem(name)] > len(left))
    ]
    if 2 * len(asked) > len(left):
        held = frozenset[str]().union(*(facts[name].values for name in asked))
        return [name for name in left if name in asked or not held.isdisjoint(facts[name].values)]
    # So is what holds several texts that no other column holds, where every other column shares all of its own.
    times = Counter(text for name in left for text in facts[name].values)
    apart = [
        name for name in left if len(facts[name].values) > 1 and all(times[text] == 1 for text in facts[name].values)
    ]
    closed = all(times[text] > 1 for name in left if name not in apart for text in facts[name].values)
    return [name for name in left if name not in apart] if closed and facts.sample.height >= ENOUGH else left


def counts_table(columns: Sequence[str], sample: pl.DataFrame, said: Overrides, *, guessed: bool) -> Detected:
    """Return what the columns of a table are in which each cell says how many gave an item a label."""
    if said.counts:
        labels = kept = list(said.counts)
        named = detect_by_names.find("item", [name for name in columns if name not in labels])
        item, totals = said.item or next(iter(named), None), list[str]()
    else:
        item, labels = detect_by_values.count_columns(columns, Table(sample), said.item)
        kept, totals = detect_by_values.without_totals(sample, labels)
    taken = {item, *labels}
    others = [name for name in columns if name not in taken]
    notes: list[str] = [
        ReadingNote(
            f"Read as counts: each row an item, each of {columns_shown(kept)} a label with the number of annotators who gave it",
            "`layout` wide, or `labels`" if guessed else "" if said.counts else "`labels`",
            code="table",
        )
    ]
    if totals:
        notes.append(f"Left out as a total: {columns_shown(totals)}.")
    if others:
        notes.append(f"Left out as not being counts: {columns_shown(others)}.")
    if len(kept) < 2:
        raise UnknownLayout(f"A table of counts needs at least two label columns, not {len(kept)}; {WAYS}.")
    return Detected(layout="counts", item=item, columns=tuple(kept), notes=tuple(notes))


def contingency_table(columns: Sequence[str], *, guessed: bool) -> Detected:
    """Return what a table of two annotators is, one in its rows and one in its columns."""
    notes: list[str] = []
    if guessed:
        notes.append(
            ReadingNote(
                "Read as a table of two annotators, one in the rows and one in the columns",
                "`layout` wide",
                code="table",
            )
        )
    return Detected(layout="table", columns=tuple(columns), notes=tuple(notes))


def names_are_cells(names: Sequence[str], sample: pl.DataFrame) -> bool:
    """Return whether every name stands in a cell of its own column."""
    return all(name and name in detect_by_values.values(sample, name) for name in names)


def _header_note(columns: Sequence[str], sample: pl.DataFrame) -> list[str]:
    """Say so if the line that was taken for the names of the columns looks like a row."""
    if names_are_cells(columns, sample) or all(detect_by_values.is_number(name) for name in sample.columns):
        return [
            ReadingNote(
                f"The first line was read as the names of the columns ({columns_shown(list(sample.columns))}); "
                "if it is a row of data, put a line of names above it",
                code="first-line",
            )
        ]
    return []


def as_options(options: Mapping[str, str]) -> str:
    """Return options with their values as they are given; the command line makes flags of their names.

    A name of more than `COPIED_NAME` characters is cut: nobody copies it, and it would hide the sentence.

    Examples
    --------
    >>> as_options({"item": "id", "label": "my label"})
    "`item` id `label` 'my label'"
    """
    return " ".join(
        f"`{name}` {shlex.quote(escaped(_copied(value)))}" if value else f"`{name}`" for name, value in options.items()
    )


def _copied(value: str) -> str:
    return ",".join(shortened(one, COPIED_NAME) for one in value.split(","))


def csv_list(names: Sequence[str]) -> str:
    """Return names in one text, those with a comma in quotes."""
    return ",".join(f'"{name}"' if "," in name or name != name.strip() else name for name in names)
