"""Relations between spans from a table of their own, and attributes from columns beside the spans."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from assent.errors import InputError, UnknownColumn, UnknownLayout, did_you_mean
from assent.readers import detect_by_names
from assent.readers.opening import open_tables
from assent.readers.span_columns import first_named
from assent.readers.tables import Table, as_text, columns_shown, joined
from assent.text import listed, shown

__all__ = ["read_relations", "span_ids", "spans_attributes"]

_IDS = ("id", "spanid", "annotationid", "annid", "entityid", "unitid", "tid")
_HEADS = ("head", "from", "fromid", "source", "arg1", "governor", "subject", "headid")
_TAILS = ("tail", "to", "toid", "target", "arg2", "dependent", "object", "tailid")
_TYPES = ("type", "relation", "label", "relationtype")
#: Rows that a message names.
_MOST = 5


def _texts(table: Table, names: Sequence[str]) -> pl.DataFrame:
    kinds = table.frame.collect_schema()
    return table.frame.lazy().select(as_text(name, kinds[name]).alias(name) for name in names).collect()


def span_ids(table: Table, taken: Sequence[str]) -> pl.Series:
    """Return the names by which relations call the spans of a table; raises UnknownLayout if there is no column of them."""
    found = first_named([name for name in table.columns if name not in taken], _IDS)
    if found is None:
        raise UnknownLayout(
            f"Relations name spans, and {table.name} has no column that does (id, or span_id) among {columns_shown(table.columns)}."
        )
    return _texts(table, [found]).to_series()


def spans_attributes(table: Table, names: Sequence[str]) -> dict[str, pl.Series]:
    """Return columns of attributes."""
    for name in names:
        if name not in table.columns:
            raise UnknownColumn(
                f"`attributes` names the column {shown(name)}, which the table does not have; {did_you_mean(name, table.columns)}"
            )
    frame = _texts(table, names) if names else pl.DataFrame()
    return {name: frame[name].str.strip_chars() for name in names}


def read_relations(path: str, encoding: str, spans: dict[tuple[str, str, str], int]) -> list[tuple[str, int, int]]:
    """Read relations: type, and the rows of both spans.

    Parameters
    ----------
    path : str
        Table of document, annotator, type, head and tail.
    spans : mapping of (document, annotator, name of a span) to row
    """
    table = joined(open_tables([path], encoding=encoding))
    columns = table.columns
    head, tail = first_named(columns, _HEADS), first_named(columns, _TAILS)
    rest = [name for name in columns if name not in (head, tail)]
    document = next(iter(detect_by_names.find("item", rest)), None)
    annotator = next(iter(detect_by_names.find("annotator", rest)), None)
    kind = first_named([name for name in rest if name not in (document, annotator)], _TYPES)
    found = {"document": document, "annotator": annotator, "type": kind, "head": head, "tail": tail}
    lacking = [role for role, name in found.items() if name is None]
    if lacking:
        raise UnknownLayout(
            f"{table.name} has the columns {columns_shown(columns)}; relations need document, annotator, type, head and tail, and "
            f"{' and '.join(lacking)} cannot be told."
        )
    frame = _texts(table, [str(name) for name in found.values()])
    made: list[tuple[str, int, int]] = []
    wrong: list[str] = []
    for row, (where, who, what, one, two) in enumerate(frame.iter_rows(), start=1):
        blank = [role for role, cell in zip(found, (where, who, what, one, two), strict=True) if not cell]
        ends = [spans.get((where, who, end)) for end in (one, two)]
        if blank:
            wrong.append(f"row {row} (no {blank[0]})")
        elif ends[0] is None or ends[1] is None:
            lost = one if ends[0] is None else two
            wrong.append(f"row {row} ({shown(who)} has no span {shown(lost)} in {shown(where)})")
        else:
            made.append((what, ends[0], ends[1]))
    if wrong:
        raise InputError(
            f"These relations of {table.name} cannot be used: {listed(wrong, _MOST)}; correct these rows, or remove them."
        )
    return made
