"""Item by item: which ones the annotators disagree on, by how much, and between which labels.

Everything is worked out for all items at once, from a sparse table of items x labels; names, labels and texts are put
together for the items that are shown or written alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assent.annotations import Annotations, as_annotations
from assent.diagnostics.finding import counted
from assent.diagnostics.item_table import ItemAgreement
from assent.engines import Rows
from assent.errors import choose, shown
from assent.listing import Listing
from assent.profiles import Array
from assent.scales import SCALES, Identity, agreement_weights, numbers

__all__ = ["ItemAgreement", "item_agreement"]

#: Numbers held at once while labels are compared on a scale: 64 MB.
CHUNK = 8_000_000


def item_agreement(
    data: Any, *, text: str | None = None, scale: str | None = None, order: Sequence[str] | None = None
) -> ItemAgreement:
    """Return how far the annotators agree on each item, the most disputed first.

    Parameters
    ----------
    data : Annotations, or whatever they can be made from
    text : str, optional
        Column with the content of the items; it must have been read along (``assent.read(…, columns=["text"])``).
    scale : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement. On a scale near labels agree in part, by the same weights as for the kappa family.
    order : sequence of str, optional
        The labels from lowest to highest.

    Returns
    -------
    ItemAgreement
        Items that nobody labelled are not among them; `notes` say how many there are.

    Examples
    --------
    >>> import assent
    >>> items = assent.item_agreement([["a", "a", "a"], ["a", "b", "b"], ["a", "b", "c"], ["a", None, None]])
    >>> [(row["item"], row["agreement"], row["majority"]) for row in items.rows()]
    [('3', 0.0, None), ('2', 0.3333333333333333, 'b'), ('1', 1.0, 'a'), ('4', None, 'a')]
    """
    data = as_annotations(data)
    if order is not None:
        data = data.ordered(order)
    scale = choose("scale", scale or "nominal", SCALES)
    listing = data.listing() if text is None else data.listing(text)
    made = of_listing(listing, scale=scale, ordered=data.order_given, decimal=data.decimal, text=text)
    return replace(made, notes=(*_about(data), *made.notes))


def of_listing(
    listing: Listing, *, scale: str = "nominal", ordered: bool = False, decimal: str = ".", text: str | None = None
) -> ItemAgreement:
    """Work out the agreement on every item of a listing; the options are those of `item_agreement`."""
    sizes = listing.sizes.astype(np.int64)
    counts = listing.counts.tocsr()
    counts.sum_duplicates()
    row = np.repeat(np.arange(len(sizes)), np.diff(counts.indptr))
    ranked = np.lexsort((counts.indices, -counts.data, row))
    given, times = counts.indices[ranked].astype(np.int64), counts.data[ranked].astype(np.int64)
    starts = counts.indptr.astype(np.int64)
    single = sizes < 2
    pairs = np.where(single, 1, sizes * (sizes - 1)).astype(np.float64)
    share = times / sizes[row]
    # Not log(n) less the mean of logs: one label alone must give 0 to the last bit.
    entropy = np.bincount(row, weights=-share * np.log2(share), minlength=len(sizes)) + 0.0
    several = np.diff(starts) > 1
    second = np.zeros(len(sizes), dtype=np.int64)
    second[several] = times[starts[:-1][several] + 1]
    weighted, spread = None, None
    if scale != "nominal":
        agree = agreement_weights(listing.labels, scale=scale, ordered=ordered, decimal=decimal)
        step = max(1, CHUNK // max(1, len(listing.labels)))
        blocks = [agree.pairs(counts[first : first + step]) for first in range(0, len(sizes), step)]
        weighted = np.where(single, np.nan, np.concatenate(blocks) / pairs)
        # Fractions that sum up to one may miss it by the last bit, and an agreement above 1 would look wrong.
        weighted = np.where(several, weighted, np.where(single, np.nan, 1.0))
        spread = _spread(given, starts, _positions(listing.labels, scale, decimal))
    texts, torn = (None, 0) if text is None else _texts(listing, text)
    made = ItemAgreement(
        names=listing.items,
        labels=listing.labels,
        annotations=sizes,
        agreement=np.where(single, np.nan, Identity().pairs(counts) / pairs),
        entropy=entropy,
        margin=(times[starts[:-1]] - second) / sizes,
        starts=starts,
        given=given,
        times=times,
        weighted_agreement=weighted,
        spread=spread,
        text=texts,
        scale=scale,
        chosen=np.arange(len(sizes)),
    )
    return replace(made, notes=_notes(made, torn)).sorted_by("disagreement")


def _positions(labels: Sequence[str], scale: str, decimal: str) -> Array:
    """Return where the labels stand: ranks on an ordinal scale, else their own values."""
    values = None if scale == "ordinal" else numbers(labels, decimal)
    return np.arange(len(labels), dtype=np.float64) if values is None else np.asarray(values)


def _spread(given: Array, starts: Array, positions: Array) -> Array:
    """Return how far the lowest and the highest label of each item are apart: (items,)."""
    at = positions[given]
    return np.asarray(np.maximum.reduceat(at, starts[:-1]) - np.minimum.reduceat(at, starts[:-1]))


def _texts(listing: Listing, column: str) -> tuple[list[str | None], int]:
    """Return the first text of each item, and how many items have several."""
    cells = listing.columns[column]
    known = np.fromiter((cell is not None for cell in cells), dtype=bool, count=len(cells))
    rows = np.flatnonzero(known)
    first = np.full(len(listing.items), -1, dtype=np.int64)
    # Written from the last to the first, so that the first remains.
    first[listing.item[rows[::-1]]] = rows[::-1]
    texts = [None if place < 0 else cells[place] for place in first.tolist()]
    differ = [row for row in rows.tolist() if cells[row] != texts[listing.item[row]]]
    return texts, len(np.unique(listing.item[differ])) if differ else 0


def _about(data: Annotations) -> list[str]:
    """Say what the listing of the items cannot: what stands behind it."""
    notes = []
    if data.sets is not None:
        notes.append("Each whole set of labels counts as one label here: sets that share some labels disagree.")
    if not isinstance(data.source, Rows):
        return [*notes, "This table does not name its items: the numbers shown are ours, not those of its rows."]
    # Without a gap there is no item without a label, and counting items would be another pass over all rows.
    silent = data.source.item_count() - data.items if data.source.survey.missing else 0
    if silent:
        noun = "item has" if silent == 1 else "items have"
        notes.append(f"{silent:,} {noun} no label at all and cannot be shown.")
    return notes


def _notes(made: ItemAgreement, torn: int) -> tuple[str, ...]:
    """Say what a reader of the table must know."""
    notes = []
    single = int(np.count_nonzero(made.annotations < 2))
    if single:
        noun, their = ("item has", "its") if single == 1 else ("items have", "their")
        notes.append(f"{single:,} {noun} one annotation: {their} agreement is not known.")
    tied = int(np.count_nonzero(made.margin == 0))
    if tied:
        noun = "item has" if tied == 1 else "items have"
        notes.append(f"{tied:,} {noun} no majority: two or more labels are given equally often.")
    used = np.unique(made.given)
    if len(used) == 1:
        notes.append(f"Every annotation is {shown(made.labels[int(used[0])])}: there is no disagreement to look at.")
    if torn:
        notes.append(f"{counted(torn, 'item')} with different texts in different rows: the first is shown.")
    return tuple(notes)
