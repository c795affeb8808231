"""How much is shown, and how much is computed: one table for each surface, one for computation."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "ANNOTATORS_CLUSTERED",
    "ANNOTATORS_LISTED",
    "ANNOTATORS_MAPPED",
    "ANNOTATORS_PAIRED",
    "CROWD",
    "HTML",
    "LABELS_OF_AN_ANNOTATOR",
    "LABELS_OF_ONE_IN_A_CROWD",
    "LATEX",
    "MARKDOWN",
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

# Computation: annotators
#: Every two annotators are compared in teams of up to so many: it takes annotators x annotators x labels.
ANNOTATORS_PAIRED = 50
#: So many are in the map of every two of them, those with the most items: more cannot be read.
ANNOTATORS_MAPPED = 40
#: Groups who read alike are sought among so many, those with the most items: it takes annotators x annotators.
ANNOTATORS_CLUSTERED = 200
#: So many are in a document and in a report, the worst first; the JSON of the analysis has all.
ANNOTATORS_LISTED = 200
#: More annotators than this are a crowd: their JSON is one a line, and few labels of each are listed.
CROWD = 1_000
#: Labels of an annotator that are listed, those whose use differs most: with all of them the JSON would be labels x annotators.
LABELS_OF_AN_ANNOTATOR, LABELS_OF_ONE_IN_A_CROWD = 10, 3
