"""The items: how agreement is spread over them, and the most disputed ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from assent.diagnostics.item_table import ItemAgreement
from assent.diagnostics.items import item_agreement
from assent.report.ground import Ground

__all__ = ["item_table", "items_section"]

#: Items that are listed.
MOST_ITEMS = 200
BINS = 10
#: Longer texts are cut: the page is to stay small, and the file of all items has the whole text.
LONGEST_TEXT = 600
#: An item with more annotations than this lists how often each label was given, not by whom.
MOST_NAMED = 30


def items_section(ground: Ground, table: ItemAgreement) -> dict[str, Any]:
    """Return how agreement is spread over items, and the most disputed ones with their labels."""
    counts = table.histogram(BINS)
    edges = np.linspace(0.0, 1.0, BINS + 1).tolist()
    worst = table.filtered(min_annotations=2).head(MOST_ITEMS)
    given = _given(ground, worst)
    rows = []
    for place, row in zip(worst.chosen.tolist(), worst.rows(), strict=True):
        text = row["text"]
        row["text"] = None if text is None else text[:LONGEST_TEXT] + ("…" if len(text) > LONGEST_TEXT else "")
        rows.append({**row, "given": given.get(place)})
    known = table.agreement[~np.isnan(table.agreement)]
    return {
        "histogram": [
            {"low": edges[i], "high": edges[i + 1], "items": int(number)} for i, number in enumerate(counts.tolist())
        ],
        "worst": rows,
        "total": len(table.names),
        "single": int(np.count_nonzero(table.annotations < 2)),
        "full": int(np.count_nonzero(known == 1.0)),
        "mean_agreement": float(known.mean()) if len(known) else None,
        "scale": table.scale,
        "text": table.text is not None,
        "notes": list(table.notes),
    }


def item_table(ground: Ground) -> ItemAgreement:
    """Look at every item."""
    return item_agreement(ground.data, text=ground.settings.text, scale=ground.settings.scale)


def _given(ground: Ground, items: ItemAgreement) -> dict[int, list[dict[str, str]]]:
    """Return who gave which label to some items, by the position of the item."""
    names = ground.data.annotators
    if names is None:
        return {}
    listing = ground.listing
    assert listing.annotator is not None
    wanted = np.zeros(len(listing.items), dtype=bool)
    wanted[items.chosen[items.annotations[items.chosen] <= MOST_NAMED]] = True
    found: dict[int, list[dict[str, str]]] = {}
    for row in np.flatnonzero(wanted[listing.item]).tolist():
        one = {"annotator": names[int(listing.annotator[row])], "label": listing.labels[int(listing.label[row])]}
        found.setdefault(int(listing.item[row]), []).append(one)
    return {place: sorted(some, key=lambda one: one["annotator"]) for place, some in found.items()}
