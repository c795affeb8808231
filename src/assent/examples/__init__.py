"""Example data: published tables that the literature argues about, and small studies made by code with a known story each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from string import ascii_lowercase

from assent.errors import OptionError
from assent.examples.classic import CLASSIC
from assent.examples.example import Example, TableFile
from assent.examples.made import MADE
from assent.text import shown

__all__ = ["EXAMPLES", "Example", "TableFile", "example", "numbers_table"]

#: The examples by name.
EXAMPLES: Mapping[str, Example] = {one.name: one for one in (*CLASSIC, *MADE)}


def example(name: str) -> Example:
    """Return an example by its name.

    Examples
    --------
    >>> example("lecture").data().n_items
    50
    """
    if name not in EXAMPLES:
        near = [one for one in EXAMPLES if name and one.startswith(name)] or get_close_matches(name, EXAMPLES, n=1)
        meant = f" (did you mean {shown(near[0])}?)" if near else ""
        raise OptionError(f"There is no example {shown(name)}{meant}: choose one of {', '.join(EXAMPLES)}.")
    return EXAMPLES[name]


def numbers_table(text: str, *, labels: Sequence[str] | None = None, counts: bool = False) -> TableFile:
    """Return the file of a table that was written in one line: rows between semicolons, numbers between commas.

    Parameters
    ----------
    labels : sequence of str, optional
        Their names; a, b, c, … if not given.
    counts : bool
        Rows are items and columns labels; else two annotators are crossed, and there are as many rows as columns.

    Examples
    --------
    >>> print(numbers_table("80,10;5,5").getvalue().decode())
    ,a,b
    a,80,10
    b,5,5
    <BLANKLINE>
    """
    rows = [[cell.strip() for cell in row.split(",")] for row in text.strip().strip(";").split(";")]
    width = len(rows[0])
    whole = all(len(row) == width and all(cell.isascii() and cell.isdecimal() for cell in row) for row in rows)
    if not whole or width < 2 or (not counts and len(rows) != width):
        shape = "rows" if counts else "as many rows as columns"
        raise OptionError(f'`table` is {shown(text)}; it must be {shape} of whole numbers, as "80,10;5,5".')
    names = tuple(labels) if labels is not None else tuple(ascii_lowercase[:width])
    if len(names) != width:
        raise OptionError(
            f"`table` has {width} columns, so it needs {width} labels and not {len(names)}: name them with `labels`."
        )
    first = [str(place) for place in range(1, len(rows) + 1)] if counts else names
    return TableFile(
        (("item" if counts else "", *names), [(name, *row) for name, row in zip(first, rows, strict=True)]), "table.csv"
    )
