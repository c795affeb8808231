"""The items: how agreement is spread over them, and the most disputed ones."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from msgspec.structs import replace

from assent.analyses.items import ItemRow
from assent.analyses.items.agreement import disputed_items, item_spread, who_gave
from assent.analyses.items.document import items_table, spread_line, takeaway
from assent.analyses.items.figures import STRONG, WEAK, ItemSpread
from assent.documents import Document, Result
from assent.documents.blocks import Block, Figure, Heading, Prose, Section, notes
from assent.limits import DISPUTED_ITEMS, LONGEST_TEXT
from assent.records import plain
from assent.reports.charts.items import agreement_histogram
from assent.reports.context import ReportContext
from assent.text import counted

__all__ = ["ItemsSection", "items_section"]

BINS = 10


class ItemsSection(Result, frozen=True, kw_only=True, eq=False):
    """How agreement is spread over all items, and the most disputed of them.

    Parameters
    ----------
    worst : tuple of ItemRow
        The most disputed first, with who gave which label.
    with_text : bool
        Their content was asked for.
    """

    spread: ItemSpread
    worst: tuple[ItemRow, ...]
    with_text: bool
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the section as plain values."""
        edges = np.linspace(0.0, 1.0, BINS + 1).tolist()
        return {
            "histogram": [
                {"low": edges[i], "high": edges[i + 1], "items": number}
                for i, number in enumerate(self.spread.histogram(BINS).tolist())
            ],
            "worst": [{**row.to_dict(), "given": _plain(row)} for row in self.worst],
            "total": self.spread.total,
            "single": self.spread.single,
            "full": self.spread.full,
            "strong": self.spread.strong,
            "weak": self.spread.weak,
            "mean_agreement": plain(self.spread.mean),
            "scale": self.spread.scale,
            "text": self.with_text,
            "notes": list(self.notes),
        }

    def document(self) -> Document:
        """Return the section of the report."""
        known = self.spread.total - self.spread.single
        counts = self.spread.histogram(BINS).tolist()
        blocks: list[Block] = []
        if known:
            blocks.append(
                Figure(
                    "items",
                    partial(agreement_histogram, counts),
                    "Bar chart: how many items have how much agreement.",
                    "How many items have how much agreement. Bars far to the left are items that annotators read differently.",
                    plain=lambda width: [spread_line(counts)],
                )
            )
        # An item on which everybody agrees is not disputed, however few are.
        worst = [row for row in self.worst if row.agreement is None or row.agreement < 1.0]
        if worst:
            more = f"The {len(worst):,} worst of {known:,} items with two or more annotations."
            table = items_table(
                worst,
                caption="Items, the most disputed first",
                more=more if known > len(worst) else "",
                quiet=True,
            )
            blocks += [Heading("The most disputed items"), table]
        if known:
            blocks.insert(
                0,
                Prose(
                    [
                        f"Annotators agree strongly (agreement {'beyond chance ' if self.spread.chance else ''}of {STRONG:g} or more) on {counted(self.spread.strong, 'item')} and weakly (below "
                        f"{WEAK:g}) on {counted(self.spread.weak, 'item')} of {known:,}."
                    ]
                ),
            )
        blocks += notes(self.notes)
        return Document(
            "Items",
            [
                Section(
                    "items",
                    "Items",
                    takeaway(known, self.spread.full, numbers=self.spread.scale in ("interval", "ratio")),
                    blocks,
                )
            ],
        )


def items_section(context: ReportContext) -> ItemsSection:
    """Return how agreement is spread over items, and the most disputed ones with their labels."""
    settings = context.settings
    spread = item_spread(context.data, scale=settings.scale)
    some, worst = disputed_items(context.data, spread, DISPUTED_ITEMS, text=settings.text)
    given = who_gave(some, worst)
    # Items that were not numbered before they came here are numbered now.
    hidden = settings.anonymise and not context.data.local
    rows = []
    for number, (place, row) in enumerate(zip(worst.chosen.tolist(), worst.rows(), strict=True), start=1):
        text = row.text
        cut = text if text is None or len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}…"
        rows.append(replace(row, item=str(number) if hidden else row.item, text=cut, given=given.get(place)))
    return ItemsSection(
        spread=spread, worst=tuple(rows), with_text=worst.texts is not None, notes=(*spread.notes, *worst.notes)
    )


def _plain(row: ItemRow) -> list[dict[str, str]] | None:
    return None if row.given is None else [{"annotator": who, "label": label} for who, label in row.given]
