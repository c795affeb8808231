"""Which items annotators are far apart on, where a distance compares labels."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace

from assent.analyses.by_distance.alpha import about_alpha, alpha_of
from assent.analyses.by_kind import answers
from assent.analyses.items.agreement import about_texts, texts_of, with_rows
from assent.analyses.items.table import name_ranks, with_names
from assent.data.distance_labels import DistanceLabels
from assent.documents.blocks import (
    Block,
    Cell,
    Column,
    Document,
    Prose,
    Table,
    count,
    name,
    names,
    notes,
    number,
    table_of,
)
from assent.documents.result import Result
from assent.errors import OptionError, choose
from assent.limits import LISTED_ITEMS, MOST_NAMED
from assent.measures._by_distance import compared_labels, to_others
from assent.measures.results import Agreement
from assent.profiles import Array
from assent.records import Struct, plain
from assent.text import counted, shown
from assent.text import number as in_words

__all__ = ["DistantItem", "DistantItems", "distant_items"]

#: What can come first.
SORTS = ("disagreement", "annotations", "item")
DEFINED = (
    "Agreement of an item is one minus the mean distance of its pairs of annotations over the expected distance: 0 is what any two annotations "
    "have, and the mean over annotations is Krippendorff's alpha."
)


class DistantItem(Struct, frozen=True, kw_only=True):
    """One item and how far apart its annotations are.

    Parameters
    ----------
    distance : float
        Mean of its pairs of annotations; NaN with one annotation.
    agreement : float
        One minus that over the expected distance.
    counts : mapping of str to int
        How often each label was given, the most frequent first.
    given : sequence of (str, str), optional
        Who gave which, if that was asked for.
    text : str, optional
        Content of the item.
    """

    item: str
    n_annotations: int
    distance: float
    agreement: float
    counts: Mapping[str, int]
    given: Sequence[tuple[str, str]] | None = None
    text: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "item": self.item,
            "annotations": self.n_annotations,
            "agreement": plain(self.agreement),
            "distance": plain(self.distance),
            "counts": dict(self.counts),
            "given": None if self.given is None else [{"annotator": who, "label": label} for who, label in self.given],
            "text": self.text,
        }


class DistantItems(Result, frozen=True, kw_only=True, eq=False):
    """The items, those whose annotations are farthest apart first.

    Parameters
    ----------
    alpha : Agreement
        Krippendorff's alpha with the distance.
    total, matching : int
        All items with a label, and those that were asked for.
    mean_agreement : float
        Of all items with two or more annotations, each counted once; NaN if it is undefined.
    """

    data: DistanceLabels
    alpha: Agreement
    items: tuple[DistantItem, ...]
    total: int
    matching: int
    sort: str
    mean_agreement: float
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        """Return how many items are looked at."""
        return len(self.items)

    def head(self, number: int) -> DistantItems:
        """Return the same with the first items alone."""
        return replace(self, items=self.items[: max(number, 0)])

    @property
    def expected_distance(self) -> float:
        """Mean distance of any two annotations of items with two or more."""
        return self.alpha.details["expected_distance"]

    def to_dict(self) -> dict[str, Any]:
        """Return the items that are looked at as plain values."""
        return {
            "data": self.data.to_dict(),
            "sort": self.sort,
            "items": plain(self.items),
            "total": self.total,
            "matching": self.matching,
            "scale": None,
            "distance": self.data.distance,
            "expected_distance": plain(self.expected_distance),
            "alpha": plain(self.alpha.value),
            "mean_agreement": plain(self.mean_agreement),
            "notes": list(self.notes),
        }

    def table(self, limit: int = LISTED_ITEMS) -> Table:
        """Return the first items with what was given to them."""
        rows = self.items[:limit]
        left = self.matching - len(rows)
        return table_of(
            "distant-items",
            "Items, the farthest apart first" if self.sort == "disagreement" else f"Items, by {self.sort}",
            rows,
            [
                (Column("item", "name"), lambda one: name(one.item)),
                (Column("text", "text"), lambda one: name(one.text or "")) if any(one.text for one in rows) else None,
                (Column("labels", "text", "Every label that was given, with who gave it or how often."), _labels),
                (Column("n", meaning="Its annotations.", minor=True), lambda one: count(one.n_annotations)),
                (
                    Column("distance", meaning="Mean distance of its pairs of annotations."),
                    lambda one: number(one.distance, 3),
                ),
                (
                    Column("agreement", meaning="One minus that over the expected distance."),
                    lambda one: number(one.agreement, 3),
                ),
            ],
            more=f"{counted(left, 'more item')} not listed." if left else "",
        )

    @property
    def takeaway(self) -> str:
        """Say what the distances are to be held against, in one sentence."""
        first = next((one for one in self.items if not math.isnan(one.distance)), None)
        chance = f"any two annotations have {in_words(self.expected_distance, 3)}"
        if first is None or self.sort != "disagreement":
            return f"{self.alpha.title}: {chance} in the mean."
        return f"Farthest apart are the annotations of {shown(first.item)}: mean distance {in_words(first.distance, 3)}, where {chance}."

    def blocks(self) -> list[Block]:
        """Return the table, and what must be known to read it."""
        return [self.table(), *notes(self.notes)]

    def document(self) -> Document:
        """Return the first items."""
        blocks: list[Block] = [Prose([self.takeaway])]
        if self.items:
            blocks.append(self.table())
        blocks += notes(self.data._reading_notes(), self.notes)
        return Document("Items", blocks, summary=self.data.describe())


def _labels(one: DistantItem) -> Cell:
    """Return what was given to an item, with who gave it or how often."""
    if one.given:
        return names([(f'"{label}"', f"({who})") for who, label in one.given])
    # A text may hold a comma.
    return names([(f'"{label}"', "" if times == 1 else f"×{times}") for label, times in one.counts.items()])


@answers("items", "distance-labels")
def distant_items(
    data: DistanceLabels,
    *,
    text: str | None = None,
    sort: str = "disagreement",
    top: int | None = None,
    min_annotations: int = 1,
    min_agreement: float | None = None,
    max_agreement: float | None = None,
    has_label: str | None = None,
    from_annotator: str | Sequence[str] = (),
    by: str | None = None,
    group: str | None = None,
    only: Sequence[str] | None = None,
    who: bool = False,
) -> DistantItems:
    """Return how far apart the annotations of each item are; the options are those of `assent.items`.

    Examples
    --------
    >>> from assent.data.distance_labels import with_distance
    >>> found = distant_items(with_distance([["a cat", "a hat"], ["dogs", "dogs"]], "levenshtein"))
    >>> [(one.item, one.distance) for one in found.items]
    [('1', 0.2), ('2', 0.0)]
    """
    choose("sort", sort, SORTS)
    if top is not None and top < 1:
        raise OptionError(f"`top` is {top}; it must be 1 or more.")
    for which, bound in (("smallest", min_agreement), ("largest", max_agreement)):
        if bound is not None and not bound <= 1.0:
            raise OptionError(f"The {which} agreement is {bound:g}; with a distance it is 1 at most, and 0 is chance.")
    alpha = alpha_of(data)
    compared = compared_labels(data, data.distance, tree=data.tree)
    listing = data.to_rows() if text is None else data.to_rows(text)
    sizes = listing.sizes
    far = to_others(compared, listing.item, listing.label)
    with np.errstate(invalid="ignore"):
        distance = np.bincount(listing.item, far, minlength=len(listing.items)) / sizes
    chance = alpha.details["expected_distance"]
    agreement = 1.0 - distance / chance if chance > 0 else np.full(len(distance), math.nan)
    kept = sizes >= min_annotations
    if min_agreement is not None:
        kept &= agreement >= min_agreement
    if max_agreement is not None:
        kept &= agreement <= max_agreement
    chosen = [from_annotator] if isinstance(from_annotator, str) else list(from_annotator)
    if has_label is not None or chosen or group is not None:
        kept &= with_rows(data, has_label=has_label, annotators=chosen, by=by, group=group)
    if only is not None:
        kept &= with_names(listing.items, only)
    order = _ordered(np.flatnonzero(kept), sort, listing.items, distance, sizes)
    texts, torn = (None, 0) if text is None else texts_of(listing, text)
    wanted = order if top is None else order[:top]
    rows_of: dict[int, list[int]] = {one: [] for one in wanted}
    for row, one in enumerate(listing.item.tolist()):
        if one in rows_of:
            rows_of[one].append(row)
    labels = listing.label.tolist()
    people = listing.annotator.tolist() if who and listing.annotator is not None else None

    def given(rows: list[int]) -> list[tuple[str, str]] | None:
        if people is None or len(rows) > MOST_NAMED:
            return None
        return sorted((str((listing.annotators or ())[people[row]]), listing.labels[labels[row]]) for row in rows)

    single = int((sizes == 1).sum())
    said = [DEFINED]
    if single:
        said.append(
            f"{counted(single, 'item has', 'items have')} one annotation, which there is nothing to compare with."
        )
    said += about_texts(torn)
    said += about_alpha(alpha)
    return DistantItems(
        data=data,
        alpha=alpha,
        items=tuple(
            DistantItem(
                item=str(listing.items[one]),
                n_annotations=int(sizes[one]),
                distance=float(distance[one]),
                agreement=float(agreement[one]),
                counts=dict(Counter(listing.labels[labels[row]] for row in rows_of[one]).most_common()),
                given=given(rows_of[one]),
                text=None if texts is None else texts[one],
            )
            for one in wanted
        ),
        total=len(listing.items),
        matching=len(order),
        sort=sort,
        mean_agreement=float(agreement[sizes > 1].mean()),
        notes=(*said, *compared.said),
    )


def _ordered(kept: Array, sort: str, items: Sequence[str], distance: Array, sizes: Array) -> list[int]:
    """Put items in order; those that are the same in it by name."""
    place = name_ranks(items)[kept]
    # The same distances, added up in another order, are not other ones.
    far = np.nan_to_num(np.round(distance[kept], 12), nan=-1.0)
    keys = {"disagreement": (place, -far), "annotations": (place, -sizes[kept]), "item": (place,)}[sort]
    return [int(one) for one in kept[np.lexsort(keys)]]
