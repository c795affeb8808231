"""Rows apart by what a column beside them says, such as the batch they came in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import narwhals as nw

from assent.engines.collect import collected, tuples
from assent.engines.columns import absent, counted, flag, whole
from assent.engines.survey import Survey
from assent.engines.texts import column_texts
from assent.records import Struct

__all__ = ["Part", "groups", "items_in_several", "split_by"]


class Part(Struct, frozen=True, eq=False):
    """Some of the rows, and what is known of them."""

    frame: nw.LazyFrame[Any]
    survey: Survey


def groups(frame: nw.LazyFrame[Any], column: str) -> list[tuple[Any, str | None, int]]:
    """Return the values of a column, as the engine holds them and as text, and how many rows have each: one pass.

    A value that says nothing, or is empty, has no text.
    """
    found = collected(counted(frame.group_by(column), "rows"), [column, "rows"], "groups")
    texts = [text or None for text in column_texts(found[column])]
    return list(zip(found[column].to_list(), texts, found["rows"].to_list(), strict=True))


def split_by(
    frame: nw.LazyFrame[Any], survey: Survey, column: str, values: Sequence[Any]
) -> Iterator[tuple[Part, Part]]:
    """Return for each of some values of a column the rows with it, and all others: two passes for all.

    Parameters
    ----------
    frame : LazyFrame
        Rows with an item, an annotator and a label.
    survey : Survey
        Which labels and annotators there are.
    values : sequence
        As `groups` returns them.
    """
    known = {"label": survey.labels, "annotator": survey.annotators}
    found: dict[str, dict[Any, dict[str, int]]] = {role: {value: {} for value in values} for role in known}
    grouped = frame.filter(nw.col(column).is_in(list(values)))
    for role, names in known.items():
        texts = dict(names)
        cells = counted(grouped.group_by(column, role), "rows")
        for value, what, rows in tuples(cells, [column, role, "rows"], f"{role}s"):
            found[role][value][texts[what]] = rows
    for value in values:
        labels, annotators = found["label"][value], found["annotator"][value]
        others = (
            {text: rows - some.get(text, 0) for text, rows in of_all.items()}
            for some, of_all in ((labels, survey.label_rows), (annotators, survey.annotator_rows))
        )
        here = nw.col(column) == nw.lit(value)
        yield (
            Part(frame.filter(here), survey.of_part(labels, annotators)),
            Part(frame.filter(~here | absent(frame, column)), survey.of_part(*others)),
        )


def items_in_several(frame: nw.LazyFrame[Any], column: str) -> int:
    """Count the items that have several values in a column, gaps and empty texts apart: one pass."""
    rows = frame.filter(~absent(frame, column))
    if rows.collect_schema()[column] == nw.String:
        rows = rows.filter(nw.col(column) != nw.lit(""))
    ends = rows.group_by("item").agg(nw.col(column).min().alias("low"), nw.col(column).max().alias("high"))
    torn = ends.with_columns(torn=flag(nw.col("low") != nw.col("high"))).select(nw.col("torn").sum())
    return int(tuples(torn.select(*whole("torn")), ["torn"], "items in several groups")[0][0] or 0)
