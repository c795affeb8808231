"""What layouts of other kinds of data share: columns that were named, and names as numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence

import polars as pl

from assent.errors import InputError, OptionError, UnknownColumn, did_you_mean
from assent.profiles import Array
from assent.readers.overrides import Overrides
from assent.readers.tables import Table, as_text
from assent.text import shown

__all__ = ["codes_of", "first_named", "refuse_empty", "said_columns", "word"]


def word(name: str) -> str:
    """Return the name of a column without case, blanks, punctuation and an "id" or "name" at its end.

    Examples
    --------
    >>> word("System_ID"), word("rank")
    ('system', 'rank')
    """
    plain = re.sub(r"[\W_]+", "", name).casefold()
    return plain.removesuffix("id").removesuffix("name") or plain


def first_named(columns: Sequence[str], words: Sequence[str], taken: Sequence[str | None] = ()) -> str | None:
    """Return the column with the likeliest of some names; None if none has one."""
    known = {word(name): name for name in reversed(columns) if name not in taken}
    return next((known[one] for one in words if one in known), None)


def said_columns(columns: Sequence[str], said: Overrides) -> dict[str, str]:
    """Return the columns that were named, by their role; refuse one that is not there, and one with two roles."""
    if said.label is not None or said.cluster is not None:
        wrong = "label" if said.label is not None else "cluster"
        raise OptionError(f"`{wrong}` does not fit a table of rankings or preferences; leave it out.")
    named = {"item": said.item, "annotator": said.annotator, **said.roles}
    found = {role: name for role, name in named.items() if name is not None}
    taken: dict[str, str] = {}
    for role, name in [*found.items(), *(("annotators", name) for name in said.annotators or ())]:
        if name not in columns and role != "shown":
            raise UnknownColumn(
                f"`{role}` names the column {shown(name)}, which the table does not have; {did_you_mean(name, columns)}"
            )
        if name in taken:
            raise OptionError(f"`{role}` and `{taken[name]}` both name the column {shown(name)}; each needs its own.")
        taken[name] = role
    return found


def refuse_empty(table: Table, texts: pl.Series, role: str, rows: Array | None = None) -> None:
    """Refuse an empty cell, with its line; `rows` are those of the table."""
    empty = texts.is_null() | (texts.str.strip_chars() == "")
    if empty.any():
        row = int(empty.fill_null(True).arg_max() or 0)
        row = row if rows is None else int(rows[row])
        raise InputError(
            f"{table.name}, {table.place(row)}: the {role} is missing; {shown(texts.name)} must hold one in every row."
        )


def codes_of(table: Table, cells: pl.Series, role: str, rows: Array | None = None) -> tuple[Array, list[str]]:
    """Return which name each cell holds, and the names in order; refuse an empty cell. `rows` are those of the table."""
    texts = cells.to_frame().select(as_text(cells.name, cells.dtype)).to_series()
    refuse_empty(table, texts, role, rows)
    names = texts.unique().sort()
    numeric = names.cast(pl.Int64, strict=False)
    if not numeric.null_count():
        # Annotator 10 comes after annotator 9.
        names = names.gather(numeric.arg_sort())
    return texts.cast(pl.Enum(names)).to_physical().to_numpy().astype("int64"), names.to_list()
