"""Charts of labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assent.analyses.labels import LabelRow
from assent.analyses.labels.matrix import LabelMatrix
from assent.documents.blocks import Find
from assent.limits import DRAWN_LABELS, DRAWN_WITH_ZEROS
from assent.reports.charts import heat
from assent.reports.charts.intervals import Row, intervals, tip_of
from assent.text import percent, shortened, visible

__all__ = ["agreement_on_labels", "confused_items", "confusions", "labelled_items"]


def agreement_on_labels(rows: Sequence[LabelRow], width: int) -> Any | None:
    """Draw the agreement on each label against all others; None for two labels, of which each is the rest of the other."""
    drawn = [_row(row) for row in rows[:DRAWN_LABELS]]
    return intervals(drawn, title="agreement on the label against all others", width=width) if len(drawn) > 2 else None


def _row(row: LabelRow) -> Row:
    value = None if row.agreement is None else _known(row.agreement.value)
    low, high = (None, None) if row.interval is None else (_known(row.interval.low), _known(row.interval.high))
    return Row(name=row.label, value=value, low=low, high=high)


def _known(value: float) -> float | None:
    return None if value != value else value


def confusions(matrix: LabelMatrix, width: int) -> Any | None:
    """Draw which labels are given to the same items, shaded by the share of a row; None for one label."""
    across = len(matrix.labels)
    if across < 2:
        return None
    two, every = matrix.kind == "confusion", across <= DRAWN_WITH_ZEROS
    cells = [
        [
            heat.Cell(
                count / total if total else 0.0,
                _cell(count, total, two) if count or every else "",
                total,
                _tip(matrix, i, j, count, total),
            )
            for j, count in enumerate(line)
        ]
        for i, (line, total) in enumerate(zip(matrix.counts.tolist(), matrix.totals.tolist(), strict=True))
    ]
    wide, high = (64, 36) if across <= 8 else (48, 28) if across <= 14 else (38, 24)
    return heat.heat_map(
        matrix.labels,
        matrix.labels,
        cells,
        down=visible(matrix.rows) if two else "",
        across=visible(matrix.columns) if two else "",
        size=(heat.cell_width(matrix.labels, wide), high),
        font=12 if across <= 14 else 10,
    )


def labelled_items(rows: Sequence[LabelRow]) -> dict[str, Find]:
    """Return which items the mark of a label leads to, by what it says."""
    return {tip_of(_row(row)): Find(labels=(row.label,)) for row in rows[:DRAWN_LABELS]}


def confused_items(matrix: LabelMatrix) -> dict[str, Find]:
    """Return which items a cell leads to, by what it says."""
    labels, found = matrix.labels, {}
    for i, (line, total) in enumerate(zip(matrix.counts.tolist(), matrix.totals.tolist(), strict=True)):
        for j, count in enumerate(line):
            if count and i != j:
                found[_tip(matrix, i, j, count, total)] = Find(labels=(labels[i], labels[j]))
    return found


def _cell(count: float, total: float, two: bool) -> str:
    if two:
        return f"{count:,.0f}" if count < 100_000 else f"{count / 1000:,.0f}k"
    return percent(count / total) if total else "–"


def _tip(matrix: LabelMatrix, i: int, j: int, count: float, total: float) -> str:
    """Say what a cell counts: items of two annotators, or pairs of annotations."""
    share = f", {percent(count / total)} of {_amount(total)}" if total else ""
    # A large map says it hundreds of times.
    longest = 60 if len(matrix.labels) <= DRAWN_WITH_ZEROS else 16
    first, second = (shortened(matrix.labels[one], longest) for one in (i, j))
    if matrix.kind == "confusion":
        first, second = f"{shortened(matrix.rows, 24)}: {first}", f"{shortened(matrix.columns, 24)}: {second}"
    return f"{first} and {second}: {_amount(count)}{share}"


def _amount(count: float) -> str:
    return f"{count:,.0f}" if float(count).is_integer() else f"{count:,.1f}"
