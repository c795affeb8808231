"""Annotations one by one, some of them, or the same under other names: what only rows can answer."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec.structs import replace

from assent.data.label_order import in_order
from assent.data.relabel import without_unused
from assent.data.to_profiles import own_counts, places_among, regrouped_counts
from assent.engines import Rows, collect
from assent.errors import EmptyTable, OptionError, TooMany, UnsuitableData
from assent.limits import MOST_COLLAPSED, SAMPLED_ANNOTATIONS
from assent.profiles import Array
from assent.text import shown

if TYPE_CHECKING:
    from assent.data.annotations import Annotations
    from assent.data.long_rows import LongRows

__all__ = [
    "first_items",
    "groups",
    "items_in_several",
    "most_disputed",
    "of_items",
    "rename_annotators",
    "sample_items",
    "split_by",
    "to_rows",
    "without_annotators",
    "without_labels",
    "without_unused_labels",
    "write_items",
]


def to_rows(data: Annotations, columns: Sequence[str]) -> LongRows:
    """Return every annotation one by one; see `Annotations.to_rows`."""
    for name in columns:
        _keeping(data, name)
    items, item, annotator, label, values = data._source.listed(data._source_labels, data.annotators or (), columns)
    data._source.collapsed["n_items"] = len(items)
    if data._grouping is not None:
        label = np.asarray(data._grouping, dtype=np.int64)[label]
    from assent.data.long_rows import LongRows

    return LongRows(
        items=items,
        labels=data.labels,
        annotators=data.annotators,
        item=item,
        label=label,
        annotator=None if data.annotators is None else annotator,
        columns=dict(zip(columns, values, strict=True)),
    )


def write_items(
    data: Annotations, path: str | os.PathLike[str], *, min_annotations: int, max_agreement: float | None
) -> None:
    """Have the engine write how far the annotators agree on each item; see `Annotations.write_items`."""
    if max_agreement is not None and not 0.0 <= max_agreement <= 1.0:
        raise OptionError(f"The largest agreement is {max_agreement:g}; agreement lies between 0 and 1.")
    rows, names = _named_rows(data)
    rows.write_items(path, names, min_annotations=min_annotations, max_agreement=max_agreement)


def most_disputed(data: Annotations, number: int) -> Annotations:
    """Return the annotations of the items with the least agreement; see `Annotations.most_disputed`."""
    if number < 1:
        raise OptionError(f"The number of items is {number}; it must be 1 or more.")
    rows, names = _named_rows(data)
    return _among(data, rows.disputed(number, names))


def first_items(data: Annotations, ranks: Array, number: int) -> Annotations | None:
    """Return the annotations of the items that come first by rank; see `Annotations.first_items`."""
    rows, _ = _named_rows(data)
    own = own_counts(data)
    if own is not data._counts:
        ranks = ranks[places_among(data._counts, regrouped_counts(own.counts, data))]
    some = rows.first_items(data._source_labels, (own.counts, own.multiplicities, ranks), number)
    return None if some is None else _among(data, some)


def groups(data: Annotations, column: str) -> list[tuple[Any, str | None, int]]:
    """Return the values of a column that was kept; see `Annotations.groups`."""
    return sorted(_keeping(data, column).groups(column), key=lambda one: (-one[2], one[1] or ""))


def items_in_several(data: Annotations, column: str) -> int:
    """Count the items whose annotations have several values in a column that was kept."""
    return _keeping(data, column).items_in_several(column)


def split_by(data: Annotations, column: str, values: Sequence[Any]) -> Iterator[tuple[Annotations, Annotations]]:
    """Return for each value of a column the annotations with it, and all others; see `Annotations.split_by`."""
    for value, (mine, others) in zip(values, _keeping(data, column).split_by(column, values), strict=True):
        if not mine.survey.label_rows:
            raise EmptyTable(f"No annotation has {shown(str(value))} in the column {shown(column)}.")
        if not others.survey.label_rows:
            raise EmptyTable(
                f"Every annotation has {shown(str(value))} in the column {shown(column)}: there are no others to compare with."
            )
        yield _part(data, mine), _part(data, others)


def _part(data: Annotations, rows: Rows) -> Annotations:
    """Return some of the annotations as a data set of its own."""
    made = replace(_among(data, rows), dropped=(), notes=())
    return made if data._order_given else without_unused(made, rows.survey.label_rows)


def _among(data: Annotations, rows: Rows) -> Annotations:
    """Return some of the annotations, with the annotators who gave them; the labels stay."""
    survey = rows.survey
    left = None if data.annotators is None else tuple(name for name in data.annotators if name in survey.annotator_rows)
    return replace(data, _source=rows, annotators=left, n_annotations=survey.n_annotations)


def without_annotators(data: Annotations, names: Collection[str]) -> Annotations:
    """Return the annotations of all other annotators; see `Annotations.without_annotators`."""
    known = data.annotators
    if known is None or not isinstance(data._source, Rows):
        raise UnsuitableData("The table does not list annotations one by one, so none of an annotator can be left out.")
    unknown = [name for name in names if name not in set(known)]
    if unknown:
        raise OptionError(f"There is no annotator {shown(unknown[0])} to leave out.")
    if not names:
        return data
    rows = data._source.without_annotators(set(names))
    if not rows.survey.label_rows:
        raise EmptyTable("No annotation is left without these annotators.")
    return _among(data, rows)


def without_unused_labels(data: Annotations) -> Annotations:
    """Return the same annotations without labels that none of them has, unless their order was given."""
    if data._order_given or not isinstance(data._source, Rows):
        return data
    return without_unused(data, data._source.survey.label_rows)


def without_labels(data: Annotations, labels: Collection[str]) -> Annotations:
    """Return the annotations with other labels; see `Annotations.without_labels`."""
    if not isinstance(data._source, Rows):
        raise UnsuitableData("The table does not list annotations one by one, so none of a label can be left out.")
    _, names = _named_rows(data)
    gone = {text for text in data._source_labels if (text if names is None else names[text]) in labels}
    rows = data._source.without_labels(gone)
    if not rows.survey.label_rows:
        raise EmptyTable("No annotation is left without these labels.")
    return without_unused(_among(data, rows), rows.survey.label_rows)


def of_items(data: Annotations, names: Collection[str], *, keep: bool) -> Annotations:
    """Return the annotations of some items, or of all others; see `Annotations.only_items`."""
    if not isinstance(data._source, Rows):
        raise UnsuitableData("This table does not name its items, so they cannot be chosen.")
    rows = data._source.of_items(names, keep=keep)
    if not rows.survey.label_rows:
        raise EmptyTable(f"No annotation is left {'with' if keep else 'without'} these items.")
    return without_unused_labels(_among(data, rows))


def rename_annotators(data: Annotations, names: Mapping[str, str]) -> Annotations:
    """Return the same annotations with other names for the annotators; see `Annotations.rename_annotators`."""
    if data._export is not None:
        data = replace(data, _export=data._export.renamed(names))
    if data.annotators is None:
        return replace(data, notes=())
    if not isinstance(data._source, Rows):
        return replace(data, annotators=tuple(names[name] for name in data.annotators), notes=())
    annotators = in_order(names[name] for name in data.annotators)
    return replace(data, annotators=annotators, _source=data._source.rename_annotators(names), notes=())


def _keeping(data: Annotations, column: str) -> Rows:
    """Return the rows; refuse a column that was not kept beside them."""
    if not isinstance(data._source, Rows) or column not in data._source.columns:
        raise OptionError(f"The column {shown(column)} was not kept: name it in columns when the table is read.")
    return data._source


def _named_rows(data: Annotations) -> tuple[Rows, dict[str, str] | None]:
    """Return the rows, and what their labels are taken as if that is not themselves."""
    if not isinstance(data._source, Rows):
        raise UnsuitableData("This table does not name its items, so they cannot be looked up one by one.")
    if data._grouping is None:
        return data._source, None
    names = {text: data.labels[i] for text, i in zip(data._source_labels, data._grouping, strict=True)}
    return data._source, None if all(text == name for text, name in names.items()) else names


def sample_items(data: Annotations) -> Annotations:
    """Return these annotations or a sample of their items; see `Annotations.sample_items`."""
    rows = data._source
    if not isinstance(rows, Rows) or data.annotators is None or data.n_annotations <= collect.MOST_ANNOTATIONS:
        return data
    number = -(-data.n_annotations // SAMPLED_ANNOTATIONS)
    if "sample" not in rows.collapsed:
        rows.collapsed["sample"] = None if _within_reach(data) else rows.one_item_in(number)
    some = rows.collapsed["sample"]
    if some is None:
        return data
    sample = _among(data, some)
    note = (
        f"Who gave which label was looked at on {sample.n_items:,} of {data.n_items:,} items, about one in {number}, drawn by a hash of their names: "
        f"all {data.n_annotations:,} annotations would be too many."
    )
    return replace(sample, notes=(*data.notes, note))


def _within_reach(data: Annotations) -> bool:
    """Return whether who gave which label is of few enough kinds to be brought here; of a crowd that is not even tried."""
    if len(data.annotators or ()) > MOST_COLLAPSED:
        return False
    try:
        return bool(data._ratings.n_items)
    except TooMany:
        return False
