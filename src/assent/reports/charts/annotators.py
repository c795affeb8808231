"""Charts of the annotators: how far each agrees with the others, and every two of them."""

from __future__ import annotations

import math
from typing import Any

from assent.analyses.annotators import AnnotatorReport
from assent.analyses.annotators.pairs import PairMap
from assent.documents.blocks import Find
from assent.limits import DRAWN_ANNOTATORS
from assent.records import plain
from assent.reports.charts import heat
from assent.reports.charts.intervals import Row, intervals, tip_of
from assent.text import counted, number, shortened

__all__ = ["agreement", "drawn", "how_to_read", "items_of_pairs", "pairs", "their_items"]


def agreement(team: AnnotatorReport, width: int) -> Any | None:
    """How far each annotator agrees with the others, and the others among themselves on the same items."""
    if len(team) < 3:
        return None
    return intervals(_rows(team), title="agreement with the others", width=width, beside="others", share=True)


def their_items(team: AnnotatorReport) -> dict[str, Find]:
    """Return which items an annotator's mark leads to, by what it says."""
    return {tip_of(row, "others", share=True): Find(annotators=(row.name,)) for row in _rows(team)}


def _rows(team: AnnotatorReport) -> list[Row]:
    own, judged = team.agreement, [one for one in team.order.tolist() if team.judged[one]]
    return [
        Row(
            name=team.annotators[one],
            value=plain(float(own.observed[one])),
            low=plain(float(own.observed_low[one])),
            high=plain(float(own.observed_high[one])),
            strong=bool(team.flagged[one]),
            beside=plain(float(team.relative.others[one])),
        )
        for one in judged[:DRAWN_ANNOTATORS]
    ]


def how_to_read(team: AnnotatorReport) -> str:
    """Say what the chart of agreement shows."""
    return (
        "Agreement of each annotator with the others (point and interval), and that of the others among themselves on the same items (tick)."
        + (" Flagged annotators are orange and bold." if team.n_flagged else "")
        + (f" {DRAWN_ANNOTATORS} of those judged, flagged ones first." if team.n_judged > DRAWN_ANNOTATORS else "")
    )


def drawn(found: PairMap) -> bool:
    """Tell whether a map of pairs shows more than a number."""
    return len(found.annotators) > 2


def pairs(found: PairMap, width: int) -> Any | None:
    """Cohen's kappa of every two annotators, those who agree side by side; it has its size whatever the width."""
    if not drawn(found):
        return None
    names, many = found.annotators, len(found.annotators)
    cells = [
        [_pair(found, i, j, many > 25) if j < i else heat.Cell(None, "") for j in range(many - 1)]
        for i in range(1, many)
    ]
    size = (52, 30) if many <= 12 else (36, 22) if many <= 25 else (24, 18)
    return heat.heat_map(names[1:], names[:-1], cells, size=size, font=12 if many <= 12 else 10)


def items_of_pairs(found: PairMap) -> dict[str, Find]:
    """Return which items a cell of every two annotators leads to, by what it says."""
    names = found.annotators
    return {
        _pair(found, i, j, False).tip: Find(annotators=(names[i], names[j]))
        for i in range(len(names))
        for j in range(i)
        if found.items[i, j]
    }


def _pair(found: PairMap, i: int, j: int, short: bool) -> heat.Cell:
    value, items = float(found.values[i, j]), int(found.items[i, j])
    text = number(value)
    names = " and ".join(shortened(found.annotators[one], 24) for one in (i, j))
    tip = f"{names}: {text} on {counted(items, 'item')}"
    if math.isnan(value):
        return heat.Cell(0.0, text, items, tip)
    said = text.replace("0.", ".") if short and abs(value) < 0.995 else text
    return heat.Cell(max(-1.0, min(value, 1.0)), said, items, tip)
