"""How much is shown, and how much is computed: one table for each surface, one for computation."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "HTML",
    "LATEX",
    "MARKDOWN",
    "PERMUTED",
    "PLANNED_LABELS",
    "PLANNED_PER_ITEM",
    "SET_SIZES_LISTED",
    "SWEPT_ANNOTATORS",
    "SWEPT_DOTS",
    "SWEPT_MEMBERS",
    "SWEPT_POINTS",
    "TERMINAL",
    "Surface",
]


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

# Computation: what is missing, plans, sweeps and sets of labels.

#: Items or annotators whose numbers are permuted; of more, the permutation distribution is as good as normal.
PERMUTED = 5_000
#: Labels of which a plan knows how every two agree: tables of pairs x pairs.
PLANNED_LABELS = 150
#: Annotations per item among which a plan looks for the best number.
PLANNED_PER_ITEM = 50
#: Weights of the primary label in a sweep: more are no finer curve, only more work.
SWEPT_POINTS = 501
#: Different pairs of values in the chart of a sweep, the most frequent ones: more would make one blot.
SWEPT_DOTS = 2_000
#: Annotators whose sets a report sweeps: every two of them are compared.
SWEPT_ANNOTATORS = 64
#: Items of each class of a sweep that a report names.
SWEPT_MEMBERS = 10
#: Annotators, those with the largest sets, whose sets a report lists.
SET_SIZES_LISTED = 60
