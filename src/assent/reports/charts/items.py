"""Charts of items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assent.reports.charts import bars
from assent.reports.charts.parts import NARROW

__all__ = ["agreement_histogram"]


def agreement_histogram(counts: Sequence[int], width: int, *, weighted: bool = False) -> Any | None:
    """Draw how many items have how much agreement, counted in ranges of equal width from 0 to 1."""
    edges = [place / len(counts) for place in range(len(counts) + 1)]
    rows = [
        {"name": f"{low:.2g}–{high:.2g}", "count": count}
        for low, high, count in zip(edges, edges[1:], counts, strict=False)
    ]
    what = "pairs of near labels agree in part" if weighted else "share of its pairs of annotations that agree"
    title = "agreement of an item"
    return bars.columns(rows, title=f"{title}: {what}" if width > NARROW else title, up="items", width=width)
