"""Items as blocks of a document: how agreement is spread over them, and the most disputed ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

import assent.text as written
from assent.documents.blocks import (
    Block,
    Cell,
    Column,
    Document,
    Figure,
    Prose,
    Table,
    count,
    name,
    names,
    notes,
    number,
    share,
    table_of,
    words,
)
from assent.limits import LISTED_ITEMS, MOST_NAMED_IN_TABLE
from assent.text import counted, percent

if TYPE_CHECKING:
    from assent.analyses.items.table import ItemAgreement, ItemRow

__all__ = ["document_of", "items_table", "spread_line", "takeaway"]

_BARS = " ▁▂▃▄▅▆▇█"


def document_of(found: ItemAgreement) -> Document:
    """Return how agreement is spread over items, and the first of them."""
    listed = found.head(LISTED_ITEMS)
    more = found.n_matching - len(listed)
    blocks: list[Block] = [*_spread(found)]
    if len(listed):
        said = f"{counted(more, 'more item')} not listed." if more else ""
        title = "Items, the most disputed first" if found.sort == "disagreement" else f"Items, by {_SORTED[found.sort]}"
        blocks.append(items_table(listed.rows(), caption=title, more=said))
    blocks += notes(found.data._reading_notes(), found.notes)
    return Document(title="Items", summary=found.data.describe(), blocks=blocks)


_SORTED = {"entropy": "entropy", "margin": "margin", "annotations": "number of annotations", "item": "name"}


def _spread(found: ItemAgreement) -> list[Block]:
    """Say how agreement is spread over the items that match, and draw it on one line."""
    if found.looked_up is not None:
        counts = found.looked_up.histogram()
        full = found.looked_up.full
    else:
        matching = replace(found, chosen=found.chosen if found.matched is None else found.matched)
        counts = matching.histogram()
        full = int((matching.closeness[matching.chosen] == 1.0).sum())
    known = int(counts.sum())
    if not known:
        return [Prose([f"{counted(found.n_matching, 'item')}; the agreement of none of them is known."])]
    drawn = spread_line(counts.tolist())
    figure = Figure("items", lambda width: None, "How many items have how much agreement.", plain=lambda width: [drawn])
    return [Prose([takeaway(known, full, numbers=found.scale in ("interval", "ratio"))]), figure]


def takeaway(known: int, full: int, *, numbers: bool = False) -> str:
    """Say how many items with two or more annotations are agreed on by everybody; of numbers, which may be as near as that, how many got one number.

    Examples
    --------
    >>> takeaway(60, 36), takeaway(0, 0)
    ('On 60 % of items everybody agrees; 24 items are disputed.', 'No item has two annotations, so no item can be disputed.')
    """
    if not known:
        return "No item has two annotations, so no item can be disputed."
    if full == known:
        return f"All {known:,} items with two or more annotations are agreed on by everybody."
    if numbers:
        return f"On {percent(full / known)} of items everybody gives the same number; on the others they are more or less apart."
    return f"On {percent(full / known)} of items everybody agrees; {counted(known - full, 'item is', 'items are')} disputed."


def spread_line(counts: Sequence[int]) -> str:
    """Draw how many items have how much agreement, from 0 to 1, in one line.

    Examples
    --------
    >>> spread_line([4, 0, 0, 20, 0, 0, 0, 0, 0, 36])
    'Agreement of 60 items, from 0 to 1: |▁  ▄     █|  4 below 0.1.'
    """
    most = max(counts)
    # Whatever is not empty shows at least the lowest bar.
    bars = "".join(_BARS[0 if not one else max(1, round(8 * one / most))] for one in counts)
    return f"Agreement of {counted(sum(counts), 'item')}, from 0 to 1: |{bars}|  {counts[0]:,} below 0.1."


def items_table(rows: Iterable[ItemRow], *, caption: str, more: str = "", quiet: bool = False) -> Table:
    """Return items with their labels; beside their text there is room for less."""
    rows = list(rows)
    text = any(row.text for row in rows)
    # A list of who said what is read beside the label that would be kept.
    who = any(row.given for row in rows) and not quiet
    table = table_of(
        "items",
        caption,
        rows,
        [
            (Column("item", "name"), lambda row: name(row.item)),
            (Column("text", "text"), _text) if text else None,
            (Column("labels", "text", _GIVEN if any(row.given for row in rows) else ""), _labels),
            (Column("n", meaning="Its annotations.", minor=True), lambda row: count(row.n_annotations)),
            (Column("agreement", term="agreement of an item", meaning=_AGREEMENT), lambda row: share(row.agreement)),
            (
                Column(
                    "weighted",
                    term="weighted agreement",
                    meaning="Agreement in which near labels, or sets that share labels, agree in part.",
                ),
                lambda row: share(row.weighted_agreement),
            ),
            (
                Column("spread", term="spread", meaning="How far its lowest and highest label are apart."),
                lambda row: Cell(text=written.DASH if row.spread is None else f"{row.spread:g}", sort=row.spread),
            ),
            (
                Column("entropy", term="entropy of an item", meaning=_ENTROPY, optional=text),
                lambda row: number(row.entropy),
            ),
            (Column("margin", term="margin", meaning=_MARGIN, optional=True), _margin),
            None
            if text and not who
            else (Column("majority", "name", "The most frequent label.", optional=not who), _majority),
        ],
        more=more,
        quiet=quiet,
    )
    return replace(table, given=[row.given or [("", label) for label in row.counts] for row in rows])


_GIVEN = "Every label that was given, with who gave it or how often."
_AGREEMENT = "The share of its pairs of annotations that have the same label."
_ENTROPY = "Of its labels, in bits: 0 if all are the same, 1 if two labels share it evenly."
_MARGIN = "Share of its most frequent label less that of the second."


def _text(row: ItemRow) -> Cell:
    """Return the content of an item in one paragraph, its control characters visible."""
    return name(" ".join(row.text.split()), limit=1000) if row.text else Cell(written.DASH)


def _margin(row: ItemRow) -> Cell:
    return replace(words("tie"), sort=0.0) if row.tied else number(row.margin)


def _majority(row: ItemRow) -> Cell:
    return Cell(written.DASH) if row.majority is None else name(row.majority, limit=60)


def _labels(row: ItemRow) -> Cell:
    """Name the labels of an item: with who gave each if that is known and few, else with how often."""
    if not row.given or len(row.given) > MOST_NAMED_IN_TABLE:
        return names([(label, f"({times:,})") for label, times in row.counts.items()])
    by_label: dict[str, list[str]] = {}
    for annotator, label in row.given:
        by_label.setdefault(label, []).append(name(annotator, limit=24).text)
    ordered = sorted(by_label.items(), key=lambda one: -len(one[1]))
    return names([(label, f"({', '.join(who)})") for label, who in ordered])
