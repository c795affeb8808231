"""Annotations from tables, triples, arrays and counts: checked and put in order, each kind once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec.structs import replace

from assent.data.judge_names import runs_note
from assent.data.label_order import distinct_texts, in_order, look_alikes, of_few
from assent.data.messages import Dropped, duplicates_message, empty_message, left_out, silent_annotators
from assent.data.missing_texts import missing_labels, missing_looking
from assent.data.relabel import made_of
from assent.engines import Coded, Rows, WideTable, coded, rows_of, text_of
from assent.engines.texts import spelled_alike
from assent.errors import DuplicateAnnotations, EmptyTable, InputError, OptionError
from assent.label_sets import JOINT, Parse, joined_cell
from assent.scales import numbers
from assent.text import shown

if TYPE_CHECKING:
    import polars as pl

    from assent.data.annotations import Annotations

__all__ = ["of_array", "of_contingency", "of_counts", "of_rows", "of_texts", "of_triples"]

#: So few cells are turned into text one by one before polars has begun.
QUICKLY = 2_000


def of_rows(
    kind: type[Annotations],
    rows: Rows,
    *,
    parse: Parse | None = None,
    multilabel: bool = False,
    ranked_rows: bool = False,
    ranked: bool = False,
    none: Collection[str] = (),
    duplicates: str = "error",
    layout: str = "long",
    decimal: str = ".",
    unit: str = "items",
    dropped: Sequence[Dropped] = (),
    notes: Sequence[str] = (),
) -> Annotations:
    """Take long rows; the options are those of `Annotations.from_frame`, where they are not said here.

    Parameters
    ----------
    kind : type
        What is made: Annotations.
    parse : callable, optional
        From the text of a cell to its labels; not needed where cells hold one.
    multilabel, ranked_rows : bool
        Several rows are one annotation; and there is a column that says which of them holds the primary label.
    """
    survey, found = rows.survey, list(dropped)
    if multilabel and survey.label_rows:
        from assent.data.multilabel_rows import gathered

        rows, parse = gathered(rows, none, ranked=ranked_rows)
        ranked = ranked_rows
    elif survey.label_rows:
        rows, repeated = _without_duplicates(rows, duplicates)
        found += repeated
    found = [*left_out(survey), *found]
    if not survey.label_rows:
        raise EmptyTable(empty_message(found))
    # Labels that stood only in duplicates which were not kept are not in use.
    kept = rows.survey
    named = [name for name, count in kept.annotator_rows.items() if count]
    labels, annotators, alike, missing, runs = _names(tuple(kept.label_rows), tuple(named), decimal)

    def told(alike: Sequence[str]) -> tuple[str, ...]:
        return (*notes, *silent_annotators(survey), *alike, *missing_looking(missing, kept.label_rows), *runs)

    made = kind(
        labels=labels,
        annotators=annotators,
        n_annotations=kept.n_annotations,
        layout=layout,
        dropped=tuple(found),
        notes=told(alike) if parse is None else (),
        _decimal=decimal,
        unit=unit,
        _source=rows,
    )
    if parse is None:
        return made
    names = [parse(text) for text in labels]
    made = made_of(made, names, in_order({one for some in names for one in some}, decimal), ranked=ranked)
    # Where nobody has a second row for an item, there are no sets, only labels.
    if multilabel and not ranked and made._sets is not None and (made._sets.sizes == 1).all():
        made = replace(made, labels=tuple(label for (label,) in made._sets.names()), _sets=None)
    return replace(made, notes=told(look_alikes(made.single_labels)))


@of_few
def _names(labels: Sequence[str], annotators: Sequence[str], decimal: str) -> tuple[tuple[str, ...], ...]:
    """Return labels and annotators in order, what is to be said of those that look alike, which usually mean that there is none, and of runs."""
    ordered, people = in_order(labels, decimal), in_order(annotators)
    return ordered, people, tuple(look_alikes(ordered)), missing_labels(ordered), tuple(runs_note(people))


def _without_duplicates(rows: Rows, duplicates: str) -> tuple[Rows, list[Dropped]]:
    """Keep the first or the last label that an annotator gave an item, or refuse several."""
    repeated = rows.duplicates()
    if repeated is None:
        return rows, []
    pairs, count, item, annotator = repeated
    if duplicates == "error":
        seen, remedy = duplicates_message(pairs, count, item, annotator, rows)
        raise DuplicateAnnotations(f"{seen}: {remedy}.", seen=seen)
    reason = f"duplicate (item, annotator), {duplicates} one kept"
    return rows.without_duplicates(duplicates), [Dropped(reason, count - pairs)]


def of_triples(kind: type[Annotations], triples: Iterable[Sequence[Any]], *, duplicates: str) -> Annotations:
    """Take (annotator, item, label) triples; see `Annotations.from_triples`."""
    columns: dict[str, list[str | None]] = {"annotator": [], "item": [], "label": []}
    sets = False
    for position, triple in enumerate(triples, start=1):
        if isinstance(triple, str) or len(triple) != 3:
            raise InputError(f"Triple {position} is {shown(triple)}: it must be (annotator, item, label).")
        who, item, label = triple
        columns["annotator"].append(text_of(who))
        columns["item"].append(text_of(item))
        sets = sets or isinstance(label, _SETS)
        columns["label"].append(_label_text(label))
    parse = joined_cell() if sets else None
    people, things = (len(set(columns[name]) - {None}) for name in ("annotator", "item"))
    notes = []
    if people > max(2, things):
        notes.append(
            f"There are more annotators ({people:,}) than items ({things:,}): the first of each triple is the annotator, the second the item."
        )
    return of_texts(kind, columns, duplicates=duplicates, parse=parse, notes=notes)


#: What holds several labels.
_SETS = (set, frozenset, list, tuple)


def _label_text(value: Any) -> str | None:
    """Return a label as text, or several labels as one text that is taken apart again."""
    if not isinstance(value, _SETS):
        return text_of(value)
    texts = [text_of(one) for one in value]
    if None in texts or "" in texts:
        raise InputError(f"{shown(value)} holds a label that is missing: leave it out of the set.")
    held = [str(text) for text in texts]
    return JOINT.join(sorted(held) if isinstance(value, set | frozenset) else held)


def of_texts(kind: type[Annotations], columns: dict[str, list[str | None]], **options: Any) -> Annotations:
    """Take the columns item, annotator and label as lists of texts; the options are those of `Annotations.from_frame`."""
    import polars as pl

    return kind.from_frame(pl.DataFrame(columns, schema_overrides=dict.fromkeys(columns, pl.String)), **options)


def of_array(
    kind: type[Annotations],
    array: Any,
    *,
    annotators: Sequence[str] | None,
    missing: Collection[str],
    notes: Sequence[str],
) -> Annotations:
    """Take one row an item and one column an annotator; see `Annotations.from_array`."""
    items, width, cells, sets = _cells(array)
    if not width:
        raise EmptyTable(empty_message([]))
    names = list(map(str, range(1, width + 1) if annotators is None else annotators))
    if annotators is not None and (len(names) != width or len(set(names)) < width):
        raise OptionError(f"annotators has {len(set(names))} different names for {width} columns.")
    table = WideTable(range(1, items + 1), names, cells, {})
    if width > max(2, items):
        turned = f"There are more annotators ({width:,} columns) than items ({items:,} rows): turn the array if its rows are the annotators."
        notes = (*notes, turned)
    rows = rows_of(
        table,
        item="item",
        annotator="annotator",
        label="label",
        cluster=None,
        missing=missing,
        columns={},
        check_pairs=True,
    )
    return of_rows(kind, rows, parse=joined_cell() if sets else None, layout="wide", notes=notes)


def _cells(array: Any) -> tuple[int, int, Sequence[pl.Series] | Coded, bool]:
    """Return how many rows and columns a 2-D array, or nested sequences, have, their cells as text, and whether these are sets of labels."""
    if isinstance(array, np.ndarray):
        if array.ndim != 2:
            raise InputError(f"The array has {array.ndim} dimension(s): it must have two, items x annotators.")
        if isinstance(array, np.ma.MaskedArray):
            hidden = np.ma.getmaskarray(array)
            array = np.asarray(np.ma.getdata(array), dtype=object)
            array = np.where(hidden, np.array(None, dtype=object), array)
        height, width = array.shape
        if array.dtype.kind in "biufU":
            if array.size <= QUICKLY:
                held = array.ravel().tolist()
                # A number that is none is not equal to itself: each gap would be a value of its own.
                some = [None if cell != cell else cell for cell in held] if array.dtype.kind == "f" else held
                return height, width, coded(some, width, text_of), False
            values, where = np.unique(array, return_inverse=True)
            made = Coded(list(map(text_of, values.tolist())), where.reshape(array.shape))
            return height, width, made.series(), False
        rows = array.tolist()
    else:
        rows = array if isinstance(array, list) and set(map(type, array)) <= {list, tuple} else list(map(list, array))
        widths = set(map(len, rows))
        height, width = len(rows), max(widths, default=0)
        if len(widths) > 1:
            ragged = next(i for i, row in enumerate(rows) if len(row) != width)
            raise InputError(
                f"Row {ragged} has {len(rows[ragged])} cells and another row {width}: fill gaps with None."
            )
    cells = list(chain.from_iterable(rows))
    kinds = set(map(type, cells))
    sets = False
    if not spelled_alike(kinds):
        sets = any(issubclass(kind, _SETS) for kind in kinds)
        cells = list(map(_label_text if sets else text_of, cells))
    made = coded(cells, width, text_of)
    return height, width, made if len(cells) <= QUICKLY else made.series(), sets


def of_counts(
    kind: type[Annotations], counts: Any, *, labels: Sequence[str], notes: Sequence[str], dropped: Sequence[Dropped]
) -> Annotations:
    """Take how many annotators gave each item each label; see `Annotations.from_counts`."""
    from assent.data.count_source import CountSource, whole_numbers

    table = whole_numbers(counts, "counts", len(labels))
    texts = distinct_texts(labels)
    order = [texts.index(text) for text in in_order(texts)]
    table = table[:, order]
    empty = int((table.sum(axis=1) == 0).sum())
    dropped = list(dropped)
    if empty:
        dropped.append(Dropped("item without a label", empty, "unlabelled-item"))
        table = table[table.sum(axis=1) > 0]
    if not len(table):
        raise EmptyTable("The table of counts holds no annotation: there must be a count above 0.")
    who = "The table says how many annotators gave each label, not who, so there are no annotators to compare."
    return kind(
        labels=tuple(texts[i] for i in order),
        annotators=None,
        n_annotations=int(table.sum()),
        layout="counts",
        dropped=tuple(dropped),
        notes=(*notes, who),
        _source=CountSource(table, np.ones(len(table), dtype=np.int64)),
    )


def of_contingency(
    kind: type[Annotations], table: Any, *, labels: Sequence[str], annotators: tuple[str, str], notes: Sequence[str]
) -> Annotations:
    """Take how often one annotator gave one label and the other another; see `Annotations.from_contingency`."""
    from assent.data.count_source import CountSource, whole_numbers

    cells = whole_numbers(table, "table", len(labels))
    if cells.shape[0] != cells.shape[1]:
        raise InputError(f"The table is {cells.shape[0]} x {cells.shape[1]}: two annotators need a square one.")
    texts = distinct_texts(labels)
    # Names stay in the order of the table, as it was drawn up; numbers go by value, which scales rely on.
    order = [texts.index(text) for text in (texts if numbers(texts) is None else in_order(texts))]
    cells = cells[np.ix_(order, order)]
    first, second = np.nonzero(cells)
    if not len(first):
        raise EmptyTable("The table holds no item: there must be a count above 0.")
    items = cells[first, second]
    counts = np.zeros((len(items), len(texts)), dtype=np.int64)
    np.add.at(counts, (np.arange(len(items)), first), 1)
    np.add.at(counts, (np.arange(len(items)), second), 1)
    return kind(
        labels=tuple(texts[i] for i in order),
        annotators=tuple(annotators),
        n_annotations=int(2 * items.sum()),
        layout="table",
        notes=tuple(notes),
        _source=CountSource(counts, items, np.stack([first, second], axis=1)),
    )
