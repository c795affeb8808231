"""Several rows of an annotator for an item, gathered into one annotation that holds several labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np

from assent.engines.columns import lookup, named, numbered
from assent.engines.profiling import PackedCounts
from assent.errors import InputError

__all__ = ["gathered"]

#: More columns of digits than this, and sets of labels are not spelled out: about 1,400 labels without ranks.
SET_COLUMNS = 24


def gathered(
    frame: nw.LazyFrame[Any],
    known: Sequence[tuple[Any, str]],
    ranks: Mapping[Any, int] | None,
    *,
    clustered: bool,
    columns: Sequence[str],
) -> tuple[nw.LazyFrame[Any], Callable[[str], list[tuple[int, str]]]]:
    """Gather the rows of each item and annotator into one.

    Each label is a digit of a positional number, and the digit holds its rank (1 if there are no ranks), so that a sum
    spells the whole set. The sum, as text, is the label of the gathered rows.

    Parameters
    ----------
    frame : LazyFrame
        Rows with an item, an annotator and a label.
    known : sequence of (value, text)
        The labels.
    ranks : mapping of value to int, optional
        Ranks by what stands in the rank column.
    clustered : bool
        There is a cluster column.
    columns : sequence of str
        Further columns to keep.

    Returns
    -------
    frame : LazyFrame
    spelled : callable
        From a label of these rows to the ranks and texts of the labels it stands for.
    """
    digits = PackedCounts(count=len(known), largest=max((ranks or {None: 1}).values()))
    if digits.columns > SET_COLUMNS:
        raise InputError(f"There are {len(known):,} different labels, too many for annotations of several labels.")
    place = nw.lit(1) if ranks is None else lookup(nw.col("rank"), ranks, 0)
    spelled = [column * place for column in digits.spell(nw.col("label"), [value for value, _ in known])]
    names = numbered(spelled)
    keys = ["item", "annotator", *(["cluster"] if clustered else [])]
    rows = frame.with_columns(*named(spelled))
    if rows.implementation.is_polars():
        import polars as pl

        # Where rows have an order, so have the annotations they are gathered into.
        ordered = rows.to_native().group_by(keys, maintain_order=True)
        grouped: nw.LazyFrame[Any] = nw.from_native(ordered.agg(pl.col(names).sum(), pl.col(list(columns)).min()))
    else:
        grouped = rows.group_by(*keys).agg(
            *(nw.col(name).sum() for name in names), *(nw.col(name).min() for name in columns)
        )
    texts = [nw.col(name).cast(nw.Int64).cast(nw.String) for name in names]
    whole = texts[0] if len(texts) == 1 else nw.concat_str(texts, separator="|")

    def decode(text: str) -> list[tuple[int, str]]:
        found = digits.read(np.array([[int(part) for part in text.split("|")]], dtype=np.int64))[0]
        return [(int(rank), known[i][1]) for i, rank in enumerate(found) if rank]

    return grouped.select(*keys, *columns, label=whole), decode
