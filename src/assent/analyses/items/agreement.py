"""Item by item: which ones the annotators disagree on, by how much, and between which labels.

Everything is worked out for all items at once; names, labels and texts are put together for the items that are shown or
written alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec.structs import asdict, replace

from assent.analyses.by_kind import answer
from assent.analyses.items.figures import Figures, ItemSpread
from assent.analyses.items.table import SORTS, ItemAgreement
from assent.analyses.nearness import compared_as, near_labels
from assent.data import Annotations, as_annotations
from assent.data.distance_labels import with_distance
from assent.data.long_rows import LongRows
from assent.engines import Rows
from assent.errors import OptionError, UnsuitableData, choose, did_you_mean
from assent.label_distances import Tree
from assent.limits import MOST_NAMED
from assent.profiles import Array
from assent.scales import SCALES
from assent.text import counted, quoted, shown

if TYPE_CHECKING:
    from assent.analyses.by_distance import DistantItems
    from assent.analyses.orders import RankedLists
    from assent.analyses.preferences.tables import BestWorstItems, PreferenceItems
    from assent.analyses.spans.items import SpanItems

__all__ = ["about_texts", "disputed_items", "item_spread", "items", "texts_of", "who_gave", "with_rows"]


def items(
    data: Any,
    *,
    text: str | None = None,
    sort: str = "disagreement",
    top: int | None = None,
    min_annotations: int = 1,
    min_agreement: float | None = None,
    max_agreement: float | None = None,
    label_pair: tuple[str, str] | None = None,
    has_label: str | None = None,
    from_annotator: str | Sequence[str] = (),
    by: str | None = None,
    group: str | None = None,
    only: Sequence[str] | None = None,
    who: bool = False,
    scale: str | None = None,
    order: Sequence[str] | None = None,
    distance: str | None = None,
    tree: Tree | None = None,
) -> ItemAgreement | DistantItems | SpanItems | RankedLists | PreferenceItems | BestWorstItems:
    """Say of every item how far the annotators agree on it, the most disputed first.

    Parameters
    ----------
    data : Annotations, or whatever they can be made from
    text : str, optional
        Column with the content of the items; it must have been read along (``assent.read(…, columns=["text"])``).
    sort : {"disagreement", "entropy", "margin", "annotations", "item"}
        What comes first: see `ItemAgreement.sorted_by`.
    top : int, optional
        So many items, the first; all if not given. Where the data live in an engine such as DuckDB and nothing else is
        asked for, the engine looks these up and no others come here.
    min_annotations : int
        Only items with at least so many.
    min_agreement, max_agreement : float, optional
        Only items with at least and at most this much agreement, from 0 to 1; on a scale it is the weighted agreement.
    label_pair : tuple of two str, optional
        Only items that were given both labels.
    has_label : str, optional
        Only items that were given this label; with `from_annotator`, by each of these.
    from_annotator : str or sequence of str
        Only items that each of these annotated.
    by, group : str, optional
        Only items with this value, the group, in this column, which must have been read along.
    only : sequence of str, optional
        Only items with these names.
    who : bool
        Say who gave which label, for the items that are shown.
    scale : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement. On a scale near labels agree in part, by the same weights as for the kappa family.
    order : sequence of str, optional
        The labels from lowest to highest.
    distance : str, optional
        How labels are compared that are more than names, as in `assent.krippendorff_alpha`: levenshtein, token-jaccard, rouge-l, boxes,
        keypoints, taxonomy or package.module:function. Agreement is then one minus the mean distance of an item's pairs of annotations
        over the expected distance.
    tree : mapping or path, optional
        The parent of each label, for the distance taxonomy.

    Returns
    -------
    ItemAgreement
        With a distance `assent.analyses.by_distance.DistantItems`; other kinds of data have results of their own. Items that nobody labelled are not among them; `notes` say how many there are.

    Examples
    --------
    >>> import assent
    >>> found = assent.items([["a", "a", "a"], ["a", "b", "b"], ["a", "b", "c"], ["a", None, None]])
    >>> [(row.item, row.agreement, row.majority) for row in found.rows()]
    [('3', 0.0, None), ('2', 0.3333333333333333, 'b'), ('1', 1.0, 'a'), ('4', None, 'a')]
    """
    data = with_distance(data, distance, tree, scale=scale, order=order)
    other = answer(
        "items",
        data,
        offered={"text": text, "sort": sort, "top": top, "min_annotations": min_annotations, "by": by, "who": who},
        has_label=has_label,
        label_pair=label_pair,
        from_annotator=from_annotator,
        group=group,
        min_agreement=min_agreement,
        max_agreement=max_agreement,
        only=only,
    )
    if other is not None:
        return other  # type: ignore[return-value]
    data = as_annotations(data)
    choose("sort", sort, SORTS)
    scale = choose("scale", scale or "nominal", SCALES)
    chosen = [from_annotator] if isinstance(from_annotator, str) else list(from_annotator)
    filters: dict[str, Any] = {
        "min_annotations": min_annotations,
        "min_agreement": min_agreement,
        "max_agreement": max_agreement,
        "label_pair": label_pair,
        "only": only,
    }
    rows_asked = bool(has_label is not None or chosen or group is not None)
    plain = sort == "disagreement" and scale == "nominal" and order is None and data.kind == "labels"
    plain = plain and not rows_asked and not who
    if not data.local and top is not None and plain and list(filters.values()) == [1, None, None, None, None]:
        made, spread = _listed(data._most_disputed(top), scale, text), item_spread(data)
        first = f"These are the first of {counted(spread.total, 'item')}, which the engine looked up."
        return replace(made, data=data, looked_up=spread, notes=(first, *spread.notes, *made.notes))
    wanted = compared_as(data if order is None else data.ordered(order))
    made = _listed(wanted, scale, text)
    made = replace(made, data=data, notes=(*_about(wanted), *_notes(made, made.labels), *made.notes)).filtered(
        **filters
    )
    if rows_asked:
        kept = with_rows(wanted, has_label=has_label, annotators=chosen, by=by, group=group)[made.chosen]
        made = replace(made, chosen=made.chosen[kept], matched=made.chosen[kept])
    # The order of disagreement is the one they come in.
    made = made if sort == "disagreement" else made.sorted_by(sort)
    made = made if top is None else made.head(top)
    return replace(made, givers=partial(who_gave, wanted)) if who else made


def _listed(data: Annotations, scale: str, text: str | None) -> ItemAgreement:
    return of_listing(data, data.to_rows() if text is None else data.to_rows(text), scale=scale, text=text)


def of_listing(
    data: Annotations, listing: LongRows, *, scale: str = "nominal", text: str | None = None
) -> ItemAgreement:
    """Work out the agreement on every item of a listing; the options are those of `items`."""
    agree = near_labels(data, scale)
    found = Figures.of(listing.counts, listing.labels, scale=scale, decimal=data._decimal, agree=agree)
    texts, torn = (None, 0) if text is None else texts_of(listing, text)
    made = ItemAgreement(
        data=data,
        names=listing.items,
        labels=listing.labels,
        texts=texts,
        scale=scale,
        chosen=np.arange(len(found.annotations)),
        notes=about_texts(torn),
        **asdict(found),
    )
    return made.sorted_by("disagreement")


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
    data = compared_as(data)
    counts, agree = data._counts, near_labels(data, scale)
    found = Figures.of(counts.counts, data.labels, scale=scale, decimal=data._decimal, agree=agree)
    notes = (*_about(data), *_notes(found, data.labels, counts.multiplicities))
    chance = 0.0
    if agree is not None and scale != "nominal":
        given = np.asarray(counts.multiplicities @ counts.counts, dtype=np.float64)[None, :]
        all_labels = np.asarray(agree.features(given / given.sum()))
        chance = float(agree.between(all_labels, all_labels)[0])
    return ItemSpread(figures=found, items=counts.multiplicities, scale=scale, notes=notes, chance=chance)


def disputed_items(
    data: Annotations, spread: ItemSpread, number: int, *, text: str | None = None
) -> tuple[Annotations, ItemAgreement]:
    """Return the items on which the annotators agree least, the most disputed first, and their annotations.

    Wherever the data live, only these items come here. Items with one annotation are not among them.

    Parameters
    ----------
    spread : ItemSpread
        What `item_spread` says of them.
    number : int
        How many items at most.
    text : str, optional
        Column with the content of the items.
    """
    data = compared_as(data)
    some, notes = _disputed(data, spread, number)
    made = _listed(some, spread.scale, text).filtered(min_annotations=2).head(number)
    return some, replace(made, data=data, notes=(*notes, *made.notes))


def _disputed(data: Annotations, spread: ItemSpread, number: int) -> tuple[Annotations, tuple[str, ...]]:
    """Return annotations among which those of the most disputed items are, and what is to be said about it."""
    if not isinstance(data._source, Rows) or spread.single == spread.total:
        return data, ()
    found = data._first_items(spread.figures.ranks, number)
    if found is not None:
        return found, ()
    # So many labels or kinds of items are not told apart by the engine; it can count equal labels, but knows no scale.
    if spread.figures.weighted_agreement is None:
        return data._most_disputed(number), ()
    if data.local:
        return data, ()
    note = (
        "With so many labels the engine finds the items to list by how many labels are equal, not by how near they are."
    )
    return data._most_disputed(number), (note,)


def with_rows(
    data: Annotations, *, has_label: str | None, annotators: Sequence[str], by: str | None, group: str | None
) -> Array:
    """Mark the items with annotations of a kind: of a label, of each of some annotators, of a group; (items,)."""
    if (by is None) != (group is None) and group is not None:
        raise OptionError("`group` is a value of a column: name the column with `by`.")
    listing = data.to_rows() if group is None or by is None else data.to_rows(by)
    fits = np.ones(len(listing.item), dtype=bool)
    if has_label is not None:
        if has_label not in data.single_labels:
            raise OptionError(f"There is no label {shown(has_label)}: {did_you_mean(has_label, data.single_labels)}")
        parts = data._parts
        place = parts.labels.index(has_label)
        fits &= np.array([place in one for one in parts.members], dtype=bool)[listing.label]
    if group is not None and by is not None:
        fits &= np.fromiter((value == group for value in listing.columns[by]), dtype=bool, count=len(fits))
    kept = np.bincount(listing.item[fits], minlength=len(listing.items)) > 0
    for name in annotators:
        if listing.annotators is None or listing.annotator is None:
            raise UnsuitableData("The table does not say who annotated what, so nobody can be chosen.")
        if name not in listing.annotators:
            raise OptionError(f"There is no annotator {shown(name)}: {did_you_mean(name, listing.annotators)}")
        own = fits & (listing.annotator == listing.annotators.index(name))
        kept &= np.bincount(listing.item[own], minlength=len(listing.items)) > 0
    return kept


def who_gave(data: Annotations, items: ItemAgreement) -> dict[int, list[tuple[str, str]]]:
    """Return who gave which label to the items that are looked at, by the position of the item; nothing if that is not known."""
    names = data.annotators
    if names is None:
        return {}
    listing = data.to_rows()
    assert listing.annotator is not None
    wanted = np.zeros(len(listing.items), dtype=bool)
    wanted[items.chosen[items.annotations[items.chosen] <= MOST_NAMED]] = True
    found: dict[int, list[tuple[str, str]]] = {}
    for row in np.flatnonzero(wanted[listing.item]).tolist():
        one = (names[int(listing.annotator[row])], listing.labels[int(listing.label[row])])
        found.setdefault(int(listing.item[row]), []).append(one)
    return {place: sorted(some, key=lambda one: one[0]) for place, some in found.items()}


def texts_of(listing: LongRows, column: str) -> tuple[list[str | None], int]:
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
    notes = data._about_sets(
        "Sets of labels agree as far as they share labels (weighted: F1 of every two), in whatever order they were given; agreement asks for the same set."
    )
    if not isinstance(data._source, Rows):
        return [*notes, "This table does not name its items: the numbers shown are ours, not those of its rows."]
    # Without a gap there is no item without a label, and counting items would be another pass over all rows.
    silent = data._source.item_count() - data.n_items if data._source.survey.missing else 0
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
        notes.append(f"Every annotation is {quoted(labels[int(used[0])])}: there is no disagreement to look at.")
    return tuple(notes)


def about_texts(items: int) -> tuple[str, ...]:
    """Say how many items have several texts."""
    return (f"{counted(items, 'item')} with different texts in different rows: the first is shown.",) if items else ()
