"""How much is shown, and how much is computed: one table for each surface, one for computation."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["HTML", "LATEX", "LONGEST_LINE", "MARKDOWN", "MOST_PAIR_CELLS", "TERMINAL", "Surface"]


@dataclass(frozen=True, kw_only=True)
class Surface:
    """How much of a document is shown on a surface; what is cut is said, and the JSON has all of it.

    Parameters
    ----------
    rows : int
        Of a table.
    cell : int
        Characters of a cell.
    columns : int
        Of a table of names crossed with names.
    parts : int
        Names in one cell.
    cards : int
        Findings or flags, one below the other.
    """

    rows: int
    cell: int
    columns: int
    parts: int
    cards: int


TERMINAL = Surface(rows=20, cell=32, columns=12, parts=4, cards=10)
HTML = Surface(rows=200, cell=1000, columns=60, parts=12, cards=10)
MARKDOWN = Surface(rows=25, cell=120, columns=30, parts=8, cards=10)
LATEX = Surface(rows=25, cell=60, columns=12, parts=6, cards=10)

#: A line of a followed file that is longer (in bytes) is not read: memory must not grow with a line that never ends.
LONGEST_LINE = 1 << 24
#: While annotation runs, alpha is left out where its table of label pairs by labels would have more cells: it is made anew each time.
MOST_PAIR_CELLS = 5_000_000
