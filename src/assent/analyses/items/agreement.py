"""Item by item: which ones the annotators disagree on, by how much, and between which labels.

Everything is worked out for all items at once, from a sparse table of items x labels; names, labels and texts are put
together for the items that are shown or written alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from assent.analyses.items.table import DIGITS, ItemAgreement
from assent.data import Annotations, as_annotations
from assent.data.long_rows import LongRows
from assent.engines import Rows
from assent.errors import choose
from assent.profiles import Array, Matrix
from assent.scales import SCALES, Identity, agreement_weights, numbers
from assent.text import counted, shown

__all__ = ["ItemAgreement", "ItemSpread", "disputed_items", "item_agreement", "item_spread"]

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
    listing = data.to_rows() if text is None else data.to_rows(text)
    made = of_listing(listing, scale=scale, ordered=data.order_given, decimal=data.decimal, text=text)
    return replace(made, notes=(*_about(data), *made.notes))


def of_listing(
    listing: LongRows, *, scale: str = "nominal", ordered: bool = False, decimal: str = ".", text: str | None = None
) -> ItemAgreement:
    """Work out the agreement on every item of a listing; the options are those of `item_agreement`."""
    found = Figures.of(listing.counts, listing.labels, scale=scale, ordered=ordered, decimal=decimal)
    texts, torn = (None, 0) if text is None else _texts(listing, text)
    made = ItemAgreement(
        names=listing.items,
        labels=listing.labels,
        text=texts,
        scale=scale,
        chosen=np.arange(len(found.annotations)),
        notes=(*_notes(found, listing.labels), *_torn(torn)),
        **vars(found),
    )
    return made.sorted_by("disagreement")


@dataclass(frozen=True, kw_only=True, eq=False)
class Figures:
    """What is known of each item, or of each profile, without its name; the parameters are those of `ItemAgreement`."""

    annotations: Array
    agreement: Array
    entropy: Array
    margin: Array
    starts: Array
    given: Array
    times: Array
    weighted_agreement: Array | None
    spread: Array | None

    @classmethod
    def of(cls, counts: Matrix, labels: tuple[str, ...], *, scale: str, ordered: bool, decimal: str) -> Figures:
        """Work out what there is to know from label counts: (items, labels)."""
        from scipy.sparse import csr_array

        cells = csr_array(counts)
        cells.sum_duplicates()
        sizes = np.asarray(cells.sum(axis=1), dtype=np.int64).ravel()
        row = np.repeat(np.arange(len(sizes)), np.diff(cells.indptr))
        ranked = np.lexsort((cells.indices, -cells.data, row))
        given, times = cells.indices[ranked].astype(np.int64), cells.data[ranked].astype(np.int64)
        starts = cells.indptr.astype(np.int64)
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
            agree = agreement_weights(labels, scale=scale, ordered=ordered, decimal=decimal)
            step = max(1, CHUNK // max(1, len(labels)))
            blocks = [agree.pairs(cells[first : first + step]) for first in range(0, len(sizes), step)]
            weighted = np.where(single, np.nan, np.concatenate(blocks) / pairs)
            # Fractions that sum up to one may miss it by the last bit, and an agreement above 1 would look wrong.
            weighted = np.where(several, weighted, np.where(single, np.nan, 1.0))
            spread = _spread(given, starts, _positions(labels, scale, decimal))
        return cls(
            annotations=sizes,
            agreement=np.where(single, np.nan, Identity().pairs(cells) / pairs),
            entropy=entropy,
            margin=(times[starts[:-1]] - second) / sizes,
            starts=starts,
            given=given,
            times=times,
            weighted_agreement=weighted,
            spread=spread,
        )

    @property
    def closeness(self) -> Array:
        """The agreement that items are ranked by, on a scale the weighted one: (items,)."""
        return self.agreement if self.weighted_agreement is None else np.round(self.weighted_agreement, DIGITS)

    @property
    def ranks(self) -> Array:
        """Place of each item among all, those that only a name would tell apart at the same; -1 for one annotation: (items,)."""
        known = np.flatnonzero(self.annotations > 1)
        keys = np.stack(
            [self.closeness[known], -self.annotations[known], -np.round(self.entropy[known], DIGITS)], axis=1
        )
        ranks = np.full(len(self.annotations), -1, dtype=np.int64)
        order = np.lexsort(keys.T[::-1])
        ranks[known[order]] = np.cumsum(np.any(np.diff(keys[order], axis=0, prepend=keys[order][:1]) != 0, axis=1))
        return ranks


@dataclass(frozen=True, kw_only=True, eq=False)
class ItemSpread:
    """How agreement is spread over all items, none of which is named.

    Parameters
    ----------
    figures : Figures
        Of each profile.
    items : array (profiles,) of integers
        How many items have it.
    scale : str
    notes : tuple of str
    """

    figures: Figures = field(repr=False)
    items: Array = field(repr=False)
    scale: str
    notes: tuple[str, ...]

    @property
    def total(self) -> int:
        """Items with a label."""
        return int(self.items.sum())

    @property
    def single(self) -> int:
        """Items with one annotation, whose agreement nobody knows."""
        return int(self.items[self.figures.annotations < 2].sum())

    @property
    def full(self) -> int:
        """Items whose annotations all have the same label."""
        return int(self.items[self.figures.agreement == 1.0].sum())

    @property
    def mean(self) -> float:
        """Mean agreement of the items for which it is known; NaN if there are none."""
        known = self.figures.annotations > 1
        number = int(self.items[known].sum())
        return float(self.items[known] @ self.figures.agreement[known] / number) if number else math.nan

    def histogram(self, bins: int = 10) -> Array:
        """Count items by agreement in bins of equal width from 0 to 1: (bins,). Full agreement is in the last."""
        known = self.figures.annotations > 1
        closeness, items = self.figures.closeness[known], self.items[known]
        return np.histogram(closeness, bins=bins, range=(0.0, 1.0), weights=items)[0].astype(np.int64)


def item_spread(data: Annotations, *, scale: str | None = None) -> ItemSpread:
    """Return how agreement is spread over items, from profiles: no item comes here.

    Examples
    --------
    >>> import assent
    >>> spread = item_spread(assent.Annotations.from_array([["a", "a", "a"], ["a", "b", "b"], ["a", "b", None]]))
    >>> spread.total, spread.full, round(spread.mean, 2), spread.histogram(2).tolist()
    (3, 1, 0.44, [2, 1])
    """
    scale = choose("scale", scale or "nominal", SCALES)
    counts = data.counts
    found = Figures.of(counts.counts, data.labels, scale=scale, ordered=data.order_given, decimal=data.decimal)
    notes = (*_about(data), *_notes(found, data.labels, counts.multiplicities))
    return ItemSpread(figures=found, items=counts.multiplicities, scale=scale, notes=notes)


def disputed_items(
    data: Annotations, spread: ItemSpread, number: int, *, text: str | None = None
) -> tuple[Annotations, ItemAgreement]:
    """Return the items on which the annotators agree least, the most disputed first, and their annotations.

    Wherever the data live, only these items come here. Items with one annotation are not among them.

    Parameters
    ----------
    data : Annotations
    spread : ItemSpread
        What `item_spread` says of them.
    number : int
        How many items at most.
    text : str, optional
        Column with the content of the items.
    """
    some, notes = _disputed(data, spread, number)
    listing = some.to_rows() if text is None else some.to_rows(text)
    ways: dict[str, Any] = {"scale": spread.scale, "ordered": data.order_given, "decimal": data.decimal}
    made = of_listing(listing, text=text, **ways).filtered(min_annotations=2).head(number)
    torn = 0 if text is None else _texts(listing, text)[1]
    return some, replace(made, notes=(*notes, *_torn(torn)))


def _disputed(data: Annotations, spread: ItemSpread, number: int) -> tuple[Annotations, tuple[str, ...]]:
    """Return annotations among which those of the most disputed items are, and what is to be said about it."""
    if not isinstance(data.source, Rows) or spread.single == spread.total:
        return data, ()
    found = data.first_items(spread.figures.ranks, number)
    if found is not None:
        return found, ()
    # So many labels or kinds of items are not told apart by the engine; it can count equal labels, but knows no scale.
    if spread.scale == "nominal":
        return data.most_disputed(number), ()
    if data.local:
        return data, ()
    note = (
        "With so many labels the engine finds the items to list by how many labels are equal, not by how near they are."
    )
    return data.most_disputed(number), (note,)


def _positions(labels: Sequence[str], scale: str, decimal: str) -> Array:
    """Return where the labels stand: ranks on an ordinal scale, else their own values."""
    values = None if scale == "ordinal" else numbers(labels, decimal)
    return np.arange(len(labels), dtype=np.float64) if values is None else np.asarray(values)


def _spread(given: Array, starts: Array, positions: Array) -> Array:
    """Return how far the lowest and the highest label of each item are apart: (items,)."""
    at = positions[given]
    return np.asarray(np.maximum.reduceat(at, starts[:-1]) - np.minimum.reduceat(at, starts[:-1]))


def _texts(listing: LongRows, column: str) -> tuple[list[str | None], int]:
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


def _notes(found: Figures, labels: Sequence[str], items: Array | None = None) -> tuple[str, ...]:
    """Say what a reader of the table must know; `items` says how many each row stands for, one if not given."""
    notes = []
    times = np.ones(len(found.annotations), dtype=np.int64) if items is None else items
    single = int(times[found.annotations < 2].sum())
    if single:
        noun, their = ("item has", "its") if single == 1 else ("items have", "their")
        notes.append(f"{single:,} {noun} one annotation: {their} agreement is not known.")
    tied = int(times[found.margin == 0].sum())
    if tied:
        noun = "item has" if tied == 1 else "items have"
        notes.append(f"{tied:,} {noun} no majority: two or more labels are given equally often.")
    used = np.unique(found.given)
    if len(used) == 1:
        notes.append(f"Every annotation is {shown(labels[int(used[0])])}: there is no disagreement to look at.")
    return tuple(notes)


def _torn(items: int) -> tuple[str, ...]:
    """Say how many items have several texts."""
    return (f"{counted(items, 'item')} with different texts in different rows: the first is shown.",) if items else ()
