"""Several questions in one file: in rows of their own, or in columns of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl
from msgspec.structs import replace

from assent.errors import OptionError
from assent.limits import MOST_QUESTIONS
from assent.readers.opening import open_tables
from assent.readers.sources import Origin
from assent.readers.tables import Table, as_text, column, further, joined, readable
from assent.text import shown

__all__ = ["label_columns", "rows_by_question"]


def rows_by_question(*sources: Origin, question: str, **opening: Any) -> dict[str, Table]:
    r"""Split a table by a column that says which question a row answers.

    Parameters
    ----------
    question : str
        Name of the column.
    **opening
        Format, delimiter, encoding and sheet, as `assent.read` takes them.

    Returns
    -------
    dict of str to Table
        The rows of each question without that column, in the order of the table; `assent.read` takes these.

    Examples
    --------
    >>> import io
    >>> rows = b"item,annotator,label,field\n1,a,yes,polite\n1,a,no,true\n"
    >>> list(rows_by_question(io.BytesIO(rows), question="field"))
    ['polite', 'true']
    """
    table = joined(open_tables(sources, **opening))
    further([question], table.columns)
    with readable(table):
        frame = table.frame.lazy().collect()
    named = frame.with_columns(as_text(question, frame.schema[question]).alias(question))
    names = named[question].alias("").drop_nulls().unique(maintain_order=True).to_list()
    if len(names) < 2:
        found = "no value" if not names else f"one value, {shown(names[0])}"
        raise OptionError(
            f"The column of questions, {shown(question)}, has {found}: several questions need two or more."
        )
    if len(names) > MOST_QUESTIONS:
        raise OptionError(
            f"The column of questions, {shown(question)}, has {len(names):,} values, and {MOST_QUESTIONS} are the most: check that it "
            "says which question a row answers."
        )
    without = int(named[question].null_count())
    notes = table.notes
    if without:
        row, belong = ("row has", "belongs") if without == 1 else ("rows have", "belong")
        notes = (*notes, f"{without:,} {row} no value of {shown(question)} and {belong} to no question.")
    left = [name for name in frame.columns if name != question]
    return {
        name: replace(
            table,
            frame=named.filter(column(question) == pl.lit(name)).select(map(column, left)),
            nested=table.nested - {question},
            notes=notes,
        )
        for name in names
    }


def label_columns(*sources: Origin, columns: Sequence[str], **opening: Any) -> dict[str, Table]:
    r"""Split a long table with several label columns: one table each, without the label columns of the others.

    Parameters
    ----------
    columns : sequence of str
        Names of the label columns.
    **opening
        Format, delimiter, encoding and sheet, as `assent.read` takes them.

    Examples
    --------
    >>> import io
    >>> rows = b"item,annotator,polite,true\n1,a,yes,no\n"
    >>> {name: table.columns for name, table in label_columns(io.BytesIO(rows), columns=["polite", "true"]).items()}
    {'polite': ['item', 'annotator', 'polite'], 'true': ['item', 'annotator', 'true']}
    """
    if len(set(columns)) < 2:
        raise OptionError("Several questions need two or more label columns, as in polite,true.")
    table = joined(open_tables(sources, **opening))
    further(list(columns), table.columns)
    asked = dict.fromkeys(columns)
    kept = {name: [one for one in table.columns if one == name or one not in asked] for name in asked}
    return {
        name: replace(table, frame=table.frame.select(map(column, held)), nested=table.nested & {*held})
        for name, held in kept.items()
    }
