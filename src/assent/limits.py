"""How much is shown, and how much is computed: one table for each surface, one for computation."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "CONFUSION_BYTES",
    "CONSENSUS_LISTED",
    "HTML",
    "LATEX",
    "MARKDOWN",
    "MEETINGS",
    "TERMINAL",
    "TIED_LABELS",
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

# Computation: consensus.

#: More memory than this is not taken for confusion matrices and probabilities of Dawid and Skene's model.
CONFUSION_BYTES = 2_000_000_000
#: Meetings of annotators that CrowdTruth looks at together: memory must not grow with all of them.
MEETINGS = 5_000_000
#: Labels of a tied item that are named one by one: with all of them a file could be items x labels.
TIED_LABELS = 20
#: So many items and annotators are in a document, the least certain first; the JSON has all.
CONSENSUS_LISTED = 200
