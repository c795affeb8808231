"""The charts of the data: who annotated what, and which labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from assent.limits import DRAWN_ANNOTATORS, DRAWN_COLUMNS, DRAWN_COVERAGE, DRAWN_LABELS
from assent.reports.charts import bars, heat
from assent.text import percent

if TYPE_CHECKING:
    from assent.reports.sections.label_data import Coverage, LabelShare, LabelUse, PerItem

__all__ = ["annotations_per_item", "coverage", "label_shares", "labels_by_annotator", "uneven"]

#: Who has no larger share of any part of the items makes no pattern that a map would show.
LITTLE = 0.25


def uneven(part: Coverage) -> bool:
    """Tell whether there is a pattern in who annotated what: nobody has everything, and somebody much of some part."""
    shares = [share for line in part.blocks for share in line]
    return min(shares, default=1) < 1 and max(shares) > LITTLE


def coverage(part: Coverage, width: int) -> Any | None:
    """Who annotated which part of the items."""
    size = part.items_per_block
    title = "items" if size == 1 else f"items, in blocks of {size:,}"
    return heat.coverage(part.annotators[:DRAWN_COVERAGE], part.blocks[:DRAWN_COVERAGE], title=title, width=width)


def annotations_per_item(rows: Sequence[PerItem], width: int) -> Any | None:
    """How many items have how many annotations."""
    return bars.shares(_gathered(rows, DRAWN_COLUMNS), title="items", width=width)


def _gathered(rows: Sequence[PerItem], most: int) -> list[tuple[str, float, str]]:
    """Join neighbouring numbers of annotations until there are `most` groups, each with about as many numbers."""
    per = -(-len(rows) // most)
    made: list[tuple[str, float, str]] = []
    for chunk in (rows[i : i + per] for i in range(0, len(rows), per)):
        low, high = chunk[0].n_annotations, chunk[-1].n_annotations
        name = f"{low:,}" if low == high else f"{low:,}–{high:,}"
        items = sum(row.n_items for row in chunk)
        made.append((f"{name} annotation{'' if name == '1' else 's'}", items, f"{items:,}"))
    return made


def label_shares(rows: Sequence[LabelShare], width: int) -> Any | None:
    """How often each label was given."""
    told = [(row.label, row.share, f"{percent(row.share)}  ({row.n_annotations:,})") for row in rows[:DRAWN_LABELS]]
    return bars.shares(told, title="share of annotations", width=width)


def labels_by_annotator(part: LabelUse, width: int) -> Any | None:
    """How often each annotator gave each label."""
    who = part.annotators[:DRAWN_ANNOTATORS]
    narrow = len(part.labels) > 10
    return heat.heat_map(
        who,
        part.labels,
        heat.shares_of(part.shares[: len(who)]),
        size=(heat.cell_width(part.labels, 40 if narrow else 56), 24 if len(who) > 12 else 28),
        font=11 if narrow else 12,
    )
