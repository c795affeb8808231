"""Annotations from whatever a user holds."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from assent.data.annotations import Annotations
from assent.data.dataset import Dataset, kind_in_words
from assent.engines import Rows, text_of
from assent.engines.frames import category_order, is_frame, labels_in, named_columns
from assent.engines.texts import spelled_alike
from assent.errors import InputError, UnsuitableData
from assent.text import counted, listed, shown

__all__ = ["as_annotations", "as_dataset", "is_one_table", "of_sequences", "of_wide_frame"]

#: What a record must say.
ROLES = ("annotator", "item", "label")
#: What rows mostly are.
_ROWS = {list, tuple}
#: With so many times as many columns as rows, rows are surely not the items.
LOPSIDED = 3
#: So many items at least before two annotators without a common label are a mistake.
ENOUGH = 5
#: So many rows show what the columns of an array hold.
LOOKED_AT = 1_000


def as_annotations(data: Any) -> Annotations:
    """Make annotations of whatever a user may hold.

    A path; a DataFrame, a mapping of columns or a list of records, whose columns are recognised as in a file; (annotator, item, label)
    triples; a 2-D array, or rows, of items x annotators.

    Examples
    --------
    >>> as_annotations({"ann": ["x", "y", "x"], "bob": ["x", "y", "y"]}).annotators
    ('ann', 'bob')
    >>> as_annotations([("ann", 1, "x"), ("bob", 1, "x"), ("ann", 2, "y"), ("bob", 2, "x")]).n_items
    2
    """
    made = as_dataset(data)
    if isinstance(made, Annotations):
        return made
    raise UnsuitableData(
        f"The data are {kind_in_words(made.kind)}, and this is about labels: see `assent measure`, `assent annotators` and `assent items`."
    )


def as_dataset(data: Any) -> Dataset:
    """Return data of any kind as they are, read a path, and make annotations of everything else."""
    if isinstance(data, Dataset):
        return data
    if isinstance(data, np.ndarray):
        return _of_rows(data)
    if isinstance(data, (list, tuple)):
        return _of_list(data)
    if isinstance(data, (str, os.PathLike)):
        from assent.readers import read

        return read(data)
    if isinstance(data, Mapping):
        return _of_mapping(data)
    if is_frame(data):
        return _of_frame(data)
    if _of_mappings(data):
        return _of_table(data)
    # Whatever this is, the engines say that they cannot take it.
    return Annotations.from_frame(data)


def _of_list(data: Sequence[Any]) -> Dataset:
    """Take records, (annotator, item, label) triples, or rows of items x annotators."""
    kinds = set(map(type, data))
    if not kinds <= _ROWS and any(issubclass(kind, Mapping) for kind in kinds):
        return _of_table(data)
    if data and all(isinstance(row, tuple) and len(row) == 3 for row in data):
        return _of_threes(data)
    if data and all(isinstance(row, list) and len(row) == 3 for row in data) and _are_triples(data):
        raise InputError(
            "Rows of three could be triples or items: use Annotations.from_triples or Annotations.from_array."
        )
    flat = {kind for kind in kinds - _ROWS if issubclass(kind, (str, bytes)) or not hasattr(kind, "__iter__")}
    if flat:
        first = next(row for row in data if type(row) in flat)
        raise InputError(
            f"The list holds {shown(first, 40)}, not rows: give each annotator's labels as an argument of their own, or rows of "
            "items x annotators."
        )
    return _of_rows(data)


def _of_mappings(data: Any) -> bool:
    if not hasattr(data, "__len__") or not hasattr(data, "__getitem__"):
        return False
    try:
        return isinstance(data[0], Mapping)
    except (KeyError, IndexError, TypeError, ValueError):
        return False


def _of_table(data: Any, **options: Any) -> Dataset:
    """Recognise the columns of a table that is no file; its texts are what they are, and what is missing is None or NaN."""
    from assent.readers import MISSING, read

    return read(data, **{"not_missing": MISSING, **options})


def _of_frame(frame: Any) -> Dataset:
    names = named_columns(frame)
    # Beside a start and an end, a label is that of a span.
    if set(ROLES) <= set(names) and not {"start", "end"} <= set(names):
        return Annotations.from_frame(frame)
    return _of_table(frame)


def of_wide_frame(frame: Any, *, missing: Collection[str], notes: Sequence[str]) -> Annotations:
    """Take a DataFrame with one row an item and one column an annotator; see `Annotations.from_array`."""
    made = as_annotations(_of_table(frame, layout="wide", missing=list(missing)))
    return made if not notes else _with_notes(made, notes)


def _with_notes(data: Annotations, notes: Sequence[str]) -> Annotations:
    from msgspec.structs import replace

    return replace(data, notes=(*notes, *data.notes))


def is_one_table(data: Mapping[Any, Any]) -> bool:
    """Return whether a mapping is one table, of annotators or columns to labels, and not several data sets by name.

    >>> is_one_table({"ann": ["x", "y"], "bob": ["x", "x"]}), is_one_table({"tone": [["x", "x"], ["y", "x"]]})
    (True, False)
    """
    return bool(data) and all(map(_is_column, data.values()))


def _is_column(held: Any) -> bool:
    if not isinstance(held, Mapping | list | tuple):
        # An array or a Series; a path has no shape, and a frame has two sizes.
        return len(getattr(held, "shape", ())) == 1
    cells = held.values() if isinstance(held, Mapping) else held
    return all(isinstance(cell, str | set | frozenset) or not hasattr(cell, "__iter__") for cell in cells)


def _of_mapping(data: Mapping[Any, Any]) -> Dataset:
    """Take a mapping of annotator to labels, or of columns to values."""
    if data and all(isinstance(held, Mapping) for held in data.values()):
        # Of annotator to what they said of each item.
        triples = [(who, item, label) for who, held in data.items() for item, label in held.items()]
        items = len({item for _, item, _ in triples})
        if len(data) >= LOPSIDED * items:
            raise InputError(
                f"The mapping would be of {len(data):,} annotators to {counted(items, 'item')} each: the outer keys are the annotators, and the inner "
                "ones the items; turn it around, or use Annotations.from_triples."
            )
        return Annotations.from_triples(triples)
    from assent.readers import named_columns_of

    if len({str(name) for name in data}) < len(data):
        # The error names the key that stands twice.
        return _of_table(data)
    item, long = named_columns_of([str(name) for name in data])
    if long:
        return _of_table(data)
    annotators = [str(name) for name in data if str(name) != item]
    if len(annotators) < 2:
        raise InputError(f"The mapping has {len(annotators)} annotator(s): agreement needs at least two.")
    return _of_table(data, item=item, annotators=annotators)


def of_sequences(*labels: Any) -> Annotations:
    """Take the labels of several annotators, a sequence each, item by item.

    Examples
    --------
    >>> of_sequences(["x", "y", "x"], ["x", "y", "y"]).n_annotations
    6
    """
    names = []
    for place, one in enumerate(labels, start=1):
        if isinstance(one, str | bytes | Mapping) or is_frame(one) or not hasattr(one, "__iter__"):
            raise InputError(
                f"Argument {place} is {shown(one, 40)}: give each annotator's labels as a sequence, one label for each item."
            )
        if isinstance(one, np.ndarray) and one.ndim != 1:
            raise InputError(f"Argument {place} is an array of {one.ndim} dimensions: labels of an annotator have one.")
        name = getattr(one, "name", None)
        names.append(str(name) if name not in (None, "") else str(place))
    held = labels_in(*labels)
    if len(set(names)) < len(names):
        names = [str(i + 1) for i in range(len(held))]
    lengths = [len(one) for one in held]
    if len(set(lengths)) > 1:
        raise InputError(
            f"The annotators have {' and '.join(f'{n:,}' for n in lengths)} labels: each needs one for each item, None where there is none."
        )
    made = as_annotations(_of_table(dict(zip(names, held, strict=True)), annotators=names))
    _check_shared(held)
    order = _order_of(labels)
    return made if order is None or not set(made.labels) <= set(order) else made.ordered(order)


def _check_shared(held: Sequence[Sequence[Any]]) -> None:
    """Refuse two annotators who have no label in common, as True and 1 or "yes" and "Yes" are none."""
    if len(held) != 2:
        return
    # Truth values and numbers are never the same labels; of texts, a few may differ by chance.
    mixed = len({all(isinstance(value, bool | np.bool_) for value in one) for one in held}) > 1
    if len(held[0]) < (1 if mixed else ENOUGH):
        return
    try:
        first, second = ({text for value in set(one) if (text := text_of(value))} for one in held)
    except (InputError, TypeError):
        # Sets and lists of labels.
        return
    if first and second and first.isdisjoint(second):
        one, other = (listed([shown(text) for text in sorted(texts)], 3) for texts in (first, second))
        raise InputError(
            f"The two annotators have no label in common ({one}; {other}): write the same label in the same way."
        )


def _order_of(labels: Sequence[Any]) -> list[str] | None:
    """Return the order of ordered categoricals, if all are such and of the same categories."""
    found = []
    for one in labels:
        dtype = getattr(one, "dtype", None)
        if not getattr(dtype, "ordered", False) or not hasattr(dtype, "categories"):
            return None
        found.append([str(text_of(category)) for category in dtype.categories])  # type: ignore[union-attr]
    return found[0] if all(one == found[0] for one in found) else None


def _of_threes(rows: Sequence[tuple[Any, ...]]) -> Annotations:
    """Take rows of three: (annotator, item, label) triples, or three annotators, if it is clear which."""
    clear = _are_triples(rows)
    if clear:
        return Annotations.from_triples(rows)
    if clear is False:
        return _of_rows(rows)
    raise InputError("Rows of three could be triples or items: use Annotations.from_triples or Annotations.from_array.")


def _are_triples(rows: Sequence[Sequence[Any]]) -> bool | None:
    """Return whether rows of three are triples; None if it is not clear."""
    try:
        first, second, third = ([text_of(row[i]) for row in rows] for i in range(3))
    except InputError:
        # Labels that are sets can only stand in the third place of a triple.
        return True
    pairs = set(zip(first, second, strict=True))
    apart = set(third).isdisjoint({*first} | {*second})
    once = len(pairs) == len(rows)
    again = len(set(first)) < len(rows) and len(set(second)) < len(rows)
    # Annotators come again and again; two equal numbers among sixty come by chance.
    few = 2 <= len(set(first)) <= min(len(set(second)), 0.75 * len(rows))
    if apart and once and again and few:
        return True
    shared = {*first} & {*second} & {*third}
    return False if shared and not (once and again) else None


def _of_rows(rows: Any) -> Annotations:
    """Take rows of items x annotators; refuse those that look turned around."""
    height = len(rows)
    width = rows.shape[1] if isinstance(rows, np.ndarray) and rows.ndim == 2 else None
    if width is None:
        width = len(rows[0]) if height and hasattr(rows[0], "__len__") else 0
    if height >= 2 and width >= LOPSIDED * height:
        raise InputError(
            f"The rows would be {height:,} items and the columns {width:,} annotators: give the labels of each annotator as an argument of "
            "their own, as in cohen_kappa(human, judge), or turn the table (zip(*rows), array.T); Annotations.from_array takes it as it is."
        )
    made = Annotations.from_array(rows)
    assert isinstance(made._source, Rows)
    survey = made._source.survey
    # With fewer values than rows no column is different in every row.
    if height >= ENOUGH and 3 <= width <= 100 and len(survey.labels) + len(survey.no_labels) >= min(height, LOOKED_AT):
        _check_columns(rows[:LOOKED_AT], width)
    return made


def _check_columns(some: Any, width: int) -> None:
    """Refuse an array with a column that numbers the items: it is different in every row and holds no label of the others."""
    try:
        typed = isinstance(some, np.ndarray) and some.dtype.kind in "biufU"
        columns: Any = some.T.tolist() if typed else [[row[place] for row in some] for place in range(width)]
        if typed or spelled_alike({type(value) for column in columns for value in column}):
            columns = list(map(set, columns))
        held = [{text_of(value) for value in column} - {None} for column in columns]
    except (InputError, TypeError):
        # Sets and lists of labels.
        return
    for place, texts in enumerate(held):
        others = held[:place] + held[place + 1 :]
        # Labels come again; measured numbers are nearly all different, in every column.
        labels = all(2 * len(one) <= len(some) for one in others) and set.intersection(*others)
        if len(texts) == len(some) and texts.isdisjoint(set().union(*others)) and labels:
            raise InputError(
                f"Column {place + 1} of the array is different in every row and has no label of the others, as names of items have: leave it "
                "out; Annotations.from_array takes it as it is."
            )


def with_category_order(data: Annotations, frame: Any, columns: Sequence[str]) -> Annotations:
    """Return the annotations with their labels in the order of the categories, if the columns are ordered categoricals."""
    order = category_order(frame, columns)
    if order is None or data._sets is not None or not set(data.labels) <= set(order):
        return data
    return data.ordered(order)
