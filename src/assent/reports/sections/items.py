"""The items: how agreement is spread over them, and the most disputed ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from assent.analyses.items.agreement import disputed_items, item_spread
from assent.analyses.items.table import ItemAgreement
from assent.data import Annotations
from assent.measures.results import plain
from assent.reports.context import ReportContext

__all__ = ["items_section"]

#: Items that are listed.
MOST_ITEMS = 200
BINS = 10
#: Longer texts are cut: the page is to stay small, and the file of all items has the whole text.
LONGEST_TEXT = 600
#: An item with more annotations than this lists how often each label was given, not by whom.
MOST_NAMED = 30


def items_section(ground: ReportContext) -> dict[str, Any]:
    """Return how agreement is spread over items, and the most disputed ones with their labels."""
    settings = ground.settings
    spread = item_spread(ground.data, scale=settings.scale)
    edges = np.linspace(0.0, 1.0, BINS + 1).tolist()
    some, worst = disputed_items(ground.data, spread, MOST_ITEMS, text=settings.text)
    given = _given(some, worst)
    rows = []
    for number, (place, row) in enumerate(zip(worst.chosen.tolist(), worst.rows(), strict=True), start=1):
        text = row["text"]
        row["text"] = None if text is None else text[:LONGEST_TEXT] + ("…" if len(text) > LONGEST_TEXT else "")
        # Items that were not numbered before they came here are numbered now.
        hidden = settings.anonymise and not ground.data.local
        rows.append({**row, **({"item": str(number)} if hidden else {}), "given": given.get(place)})
    return {
        "histogram": [
            {"low": edges[i], "high": edges[i + 1], "items": number}
            for i, number in enumerate(spread.histogram(BINS).tolist())
        ],
        "worst": rows,
        "total": spread.total,
        "single": spread.single,
        "full": spread.full,
        "mean_agreement": plain(spread.mean),
        "scale": spread.scale,
        "text": worst.text is not None,
        "notes": [*spread.notes, *worst.notes],
    }


def _given(data: Annotations, items: ItemAgreement) -> dict[int, list[dict[str, str]]]:
    """Return who gave which label to some items, by the position of the item."""
    names = data.annotators
    if names is None:
        return {}
    listing = data.to_rows()
    assert listing.annotator is not None
    wanted = np.zeros(len(listing.items), dtype=bool)
    wanted[items.chosen[items.annotations[items.chosen] <= MOST_NAMED]] = True
    found: dict[int, list[dict[str, str]]] = {}
    for row in np.flatnonzero(wanted[listing.item]).tolist():
        one = {"annotator": names[int(listing.annotator[row])], "label": listing.labels[int(listing.label[row])]}
        found.setdefault(int(listing.item[row]), []).append(one)
    return {place: sorted(some, key=lambda one: one["annotator"]) for place, some in found.items()}
