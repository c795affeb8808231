"""Known labels: by item, from a file of their own, or from a column beside the annotations."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from assent.data import Annotations
from assent.engines import text_of
from assent.errors import InputError, OptionError, UnreadableFile
from assent.records import Struct
from assent.text import shown

__all__ = ["Known", "gold_beside", "known_labels", "read_gold"]

#: What the name of a column of known labels holds.
_TELLING = ("gold", "truth", "true", "correct")


class Known(Struct, frozen=True):
    """Known labels by item.

    Parameters
    ----------
    missing : int
        Items that are listed without a known label.
    """

    labels: dict[str, str]
    missing: int = 0


def known_labels(gold: Any, *, vocabulary: Collection[str] = ()) -> Known:
    """Take known labels as a mapping of items to labels, or from a file; see `read_gold`."""
    if isinstance(gold, Mapping):
        return _known(((text_of(item), text_of(label)) for item, label in gold.items()), ())
    if isinstance(gold, str | os.PathLike):
        return read_gold(os.fspath(gold), vocabulary=vocabulary)
    raise OptionError(
        f"`gold` is {shown(gold)}, a {type(gold).__name__}: give a mapping of items to their labels, or the name of a file."
    )


def read_gold(path: str, *, vocabulary: Collection[str] = ()) -> Known:
    """Read known labels from a file with a column of items and one of labels, in any format that annotations may have.

    Parameters
    ----------
    vocabulary : collection of str
        Labels of the data. A text such as NA is a missing label unless it is one of these.
    """
    import polars as pl

    from assent.readers import MISSING
    from assent.readers.opening import open_tables
    from assent.readers.tables import as_text

    tables = open_tables([path])
    if len(tables) != 1:
        raise UnreadableFile(f"{shown(path)} is {len(tables)} files: known labels are read from one.")
    table = tables[0]
    item, label = _columns([name for name in table.columns if name not in table.nested], table.name)
    kinds = table.frame.collect_schema()
    texts = table.frame.lazy().select(
        as_text(item, kinds[item]).alias("item"), as_text(label, kinds[label]).alias("label")
    )
    try:
        rows = texts.collect().rows()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        raise UnreadableFile(f"{table.name} is broken: its columns of items and labels cannot be read.") from None
    return _known(rows, set(MISSING) - set(vocabulary))


def gold_beside(data: Annotations, column: str) -> Known:
    """Take known labels from a column that was kept beside the annotations; all rows of an item must say the same."""
    listing = data.to_rows(column)
    values = listing.columns[column]
    return _known(((listing.items[i], value) for i, value in zip(listing.item.tolist(), values, strict=True)), set())


def _columns(names: list[str], title: str) -> tuple[str, str]:
    """Find the column of items and that of labels."""
    from assent.readers.detect_by_names import find

    telling = [name for name in names if any(word in name.casefold() for word in _TELLING)]
    items = [name for name in find("item", names) if name not in telling] or [
        one for one in names if one not in telling
    ]
    rest = [name for name in names if name != items[0]] if items else []
    labels = [name for name in telling if name in rest] or find("label", rest) or rest
    if not items or not labels or (len(labels) > 1 and labels == rest):
        raise InputError(f"{title} must have a column of items and one of known labels: call them item and label.")
    return items[0], labels[0]


def _known(rows: Iterable[tuple[str | None, str | None]], missing: Collection[str]) -> Known:
    """Collect labels by item; refuse an item with two of them."""
    labels: dict[str, str] = {}
    without: dict[str, None] = {}
    for item, label in rows:
        if item is None:
            continue
        if label is None or label in missing:
            without[item] = None
        elif labels.setdefault(item, label) != label:
            raise InputError(
                f"The item {shown(item)} has two known labels, {shown(labels[item])} and {shown(label)}: it can have one."
            )
    if not labels:
        raise InputError("There is no known label to compare with: all cells are empty.")
    return Known(labels, sum(item not in labels for item in without))
