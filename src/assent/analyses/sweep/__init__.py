"""How agreement depends on the weight of the primary label, and what that says of each item.

References
----------
Rosenberg, A. and Binkowski, E. (2004). Augmenting the kappa statistic to determine interannotator reliability for multiply
labeled data points. HLT-NAACL 2004: Short Papers, 77-80. https://aclanthology.org/N04-4020
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
from msgspec.structs import replace

from assent.analyses.difference import difference
from assent.analyses.sweep.classes import CLASSES, EQUAL, ONLY
from assent.analyses.sweep.curves import Curves, KnownInfluences
from assent.analyses.sweep.result import ItemClass, Sweep, SweepPoint, SweptItems
from assent.data import Annotations, as_annotations
from assent.data.long_rows import LongRows
from assent.errors import OptionError, UnsuitableData, choose
from assent.limits import INTERVAL_METHODS, SWEPT_POINTS
from assent.measures import augmented_kappa
from assent.measures.paired import AVERAGES
from assent.measures.results import DEFAULT_METHOD, Agreement, Estimate, Interval
from assent.profiles import Array, Ratings, Weighting
from assent.text import counted

__all__ = ["CLASSES", "ItemClass", "Sweep", "SweepPoint", "SweptItems", "sweep"]

#: Differences of agreement below this are rounding.
ROUNDING = 1e-9
#: Why there is nothing to sweep, by the kind of data.
_UNRANKED = {
    "labels": (
        "A sweep is about primary and secondary labels, but every annotation here is one label: say what separates labels in a "
        "cell with `separator` and that the first is the primary one with `ranked`, or name the rank column with `rank`."
    ),
    "label-sets": (
        "A sweep is about primary and secondary labels, but the table does not say which one is primary: name the rank column with "
        "`rank`, or say with `ranked` that the first label of a cell is the primary one."
    ),
}


def sweep(
    data: Any,
    *,
    points: int | None = None,
    step: float | None = None,
    high: float = 0.6,
    constant: float = 0.1,
    average: str = "overlap",
    level: float = 0.95,
    ci: str = DEFAULT_METHOD,
    replicates: int = 1000,
    seed: int = 0,
    show: int = 3,
) -> Sweep:
    """Measure augmented kappa for every weight of the primary label, and sort the items into four classes.

    An annotator may give an item a primary and a secondary label. The primary one counts p, the secondary one 1 - p. With
    p = 1 secondary labels are ignored, with p = 0.5 both count alike. What agreement does in between, on the whole and on
    each item, shows how annotators use secondary labels (Rosenberg and Binkowski 2004).

    Parameters
    ----------
    data : Annotations, or whatever they can be made from
        Of ranked labels: read with ``rank=…`` or ``ranked=True``.
    points : int, optional
        Weights from 0.5 to 1 in as many equal steps; 11 if neither this nor `step` is given.
    step : float, optional
        Or the step between two weights; 1 is always among them.
    high : float
        An item whose value is constant is high above this. The paper calls items above 0.6 usable.
    constant : float
        The value of an item is constant if it differs by no more than this between p = 0.5 and p = 1. An item that only
        chance moved, whose annotators agree as before or the other way, is constant too.
    average : {"overlap", "plain"}
        How pairs of more than two annotators are averaged.
    level : float
        Confidence level.
    ci : {"etel", "analytic", "jackknife", "bootstrap", "none"}
        How intervals are made.
    replicates, seed : int
        Of the bootstrap.
    show : int
        Items of each class that the result names when it is printed; as plain values it has all of them.

    Returns
    -------
    Sweep

    Examples
    --------
    >>> import polars as pl
    >>> import assent
    >>> rows = [
    ...     ("1", "question", "question"),
    ...     ("2", "question;answer", "answer;question"),
    ...     ("3", "answer;chat", "answer"),
    ... ]
    >>> frame = pl.DataFrame(
    ...     [(item, who, label) for item, *labels in rows for who, label in zip("ab", labels)],
    ...     schema=["item", "annotator", "label"],
    ...     orient="row",
    ... )
    >>> swept = assent.sweep(assent.Annotations.from_frame(frame, separator=";", ranked=True), points=3)
    >>> [(point.primary, round(point.value, 3)) for point in swept.points]
    [(0.5, 0.429), (0.75, 0.481), (1.0, 0.4)]
    >>> {one.name: swept.members(one.name) for one in swept.classes}
    {'constant-high': ['1'], 'constant-low': [], 'higher-at-1': ['3'], 'higher-at-0.5': ['2']}
    """
    data = as_annotations(data)
    weights = _grid(points, step)
    choose("average", average, AVERAGES)
    choose("ci", ci, (*INTERVAL_METHODS, "none"))
    _check(high, constant, show)
    if not data._ranked:
        raise UnsuitableData(_UNRANKED[data.kind])
    measured = [augmented_kappa(data, primary=p, average=average) for p in weights]
    curves = Curves(data._comparable_ratings, average)
    influences = [np.empty(0)] * len(weights) if ci == "none" else [curves.influence(p) for p in weights]
    # The measure knows the value and the notes; what one item more would do is known in closed form.
    known = [replace(one, sample=_sample(one, moved)) for one, moved in zip(measured, influences, strict=True)]
    gap = _gap(known[0], known[-1], influences[0] - influences[-1])

    def interval(estimate: Estimate) -> Interval | None:
        if ci == "none":
            return None
        return estimate.confidence_interval(level, method=ci, replicates=replicates, seed=seed)

    intervals, of_gap = [interval(one) for one in known], interval(gap)
    items = _items(data, curves, high=high, constant=constant)
    return Sweep(
        points=tuple(
            SweepPoint(primary=p, value=one.value, observed=one.observed, expected=one.expected, interval=interval)
            for p, one, interval in zip(weights, known, intervals, strict=True)
        ),
        change=gap.value,
        change_interval=of_gap,
        items=items,
        classes=_classes(items),
        unclassified=int(np.count_nonzero(items.kind[items.profile] < 0)),
        usable=int(np.count_nonzero(items.only[items.profile] > high)),
        high=high,
        constant=constant,
        average=average,
        level=level,
        show=show,
        data=data,
        notes=_notes(data, known, [*intervals, of_gap], items, constant),
    )


def _grid(points: int | None, step: float | None) -> list[float]:
    """Return the weights of the primary label, from 0.5 to 1."""
    if points is not None and step is not None:
        raise OptionError("points and step say in two ways how fine the sweep is: give one of them.")
    if step is not None:
        if not (ONLY - EQUAL) / (SWEPT_POINTS - 1) <= step <= ONLY - EQUAL:
            raise OptionError(
                f"step is {step:g}; it must lie between {(ONLY - EQUAL) / (SWEPT_POINTS - 1):g} and {ONLY - EQUAL:g}, as 0.05 does."
            )
        # Counted, not added up, so that the last step does not miss 1 by a rounding error.
        full = math.floor((ONLY - EQUAL) / step + ROUNDING)
        weights = [round(EQUAL + i * step, 12) for i in range(full + 1)]
        return weights if weights[-1] == ONLY else [*weights, ONLY]
    points = 11 if points is None else points
    if not 2 <= points <= SWEPT_POINTS:
        raise OptionError(f"points is {points}; a sweep has from 2 to {SWEPT_POINTS} points.")
    return [round(float(p), 12) for p in np.linspace(EQUAL, ONLY, points)]


def _check(high: float, constant: float, show: int) -> None:
    if not -1 <= high <= 1:
        raise OptionError(f"high is {high:g}; it is a value of kappa and must lie between -1 and 1, as 0.6 does.")
    if not 0 <= constant < math.inf:
        raise OptionError(
            f"constant is {constant:g}; it is a difference of kappa and must not be negative, as 0.1 is not."
        )
    if show < 0:
        raise OptionError(f"show is {show}; it must not be negative.")


def _sample(agreement: Agreement, influence: Array) -> KnownInfluences:
    given = agreement.sample
    return KnownInfluences(given.statistic, given.multiplicities, given.units, given.informative, influence)


def _gap(first: Agreement, last: Agreement, influence: Array) -> Estimate:
    """Compare the two ends on the same items."""

    def statistic(weighting: Weighting) -> Array:
        return np.asarray(first.sample.statistic(weighting) - last.sample.statistic(weighting))

    sample = replace(_sample(first, influence), statistic=statistic)
    padded = difference(first, last).padded
    return Estimate(value=first.value - last.value, sample=sample, unit=first.unit, padded=padded)


def _items(data: Annotations, curves: Curves, *, high: float, constant: float) -> SweptItems:
    """Work out the two ends of every profile and put items into classes."""
    ratings = curves.items
    (agreed_equal, equal), (agreed_only, only) = curves.of_profiles(EQUAL), curves.of_profiles(ONLY)
    kind = _kinds(equal, only, agreed_only - agreed_equal, high=high, constant=constant)
    starts = np.flatnonzero(np.diff(ratings.profile, prepend=-1))
    identical = np.maximum.reduceat(ratings.label, starts) == np.minimum.reduceat(ratings.label, starts)
    listing = data.to_rows()
    profile = _profiles(listing, ratings)
    return SweptItems(
        names=[listing.items[i] for i in np.flatnonzero(profile >= 0).tolist()],
        ratings=ratings,
        profile=profile[profile >= 0],
        pairs=curves.pair_counts,
        equal=equal,
        only=only,
        kind=kind,
        identical=identical,
    )


def _kinds(equal: Array, only: Array, moved: Array, *, high: float, constant: float) -> Array:
    """Return the class of each profile by its values at both ends, and how its agreement moved: (profiles,)."""
    change = only - equal
    # Chance moves every item. Only what the item's own labels did tells how they were used.
    rises = (change > constant + ROUNDING) & (moved > ROUNDING)
    falls = (change < -constant - ROUNDING) & (moved < -ROUNDING)
    lasting = np.where((equal + only) / 2.0 > high, 0, 1)
    kind = np.where(rises, 2, np.where(falls, 3, lasting))
    return np.where(np.isnan(change), -1, kind)


def _profiles(listing: LongRows, ratings: Ratings) -> Array:
    """Find the profile of every item of a listing; -1 for an item with one annotation: (items,)."""
    assert listing.annotator is not None
    order = np.lexsort((listing.annotator, listing.item))
    width = len(ratings.labels)
    known = {key: u for u, key in enumerate(_keys(ratings.profile, ratings.annotator * width + ratings.label))}
    given = (listing.annotator * width + listing.label)[order]
    found = [known.get(key, -1) for key in _keys(listing.item[order], given)]
    return np.array(found, dtype=np.int64)


def _keys(group: Array, codes: Array) -> list[bytes]:
    """Return the codes of each group, which stand together, as one key a group."""
    codes = codes.astype(np.int64)
    raw, bounds = codes.tobytes(), codes.itemsize * np.append(np.flatnonzero(np.diff(group, prepend=-1)), len(group))
    return [raw[first:last] for first, last in pairwise(bounds.tolist())]


def _classes(items: SweptItems) -> tuple[ItemClass, ...]:
    kind, identical = items.kind[items.profile], items.identical[items.profile]
    total = int(np.count_nonzero(kind >= 0))
    made = []
    for place, (name, (title, meaning)) in enumerate(CLASSES.items()):
        members = kind == place
        count = int(np.count_nonzero(members))
        made.append(
            ItemClass(
                name=name,
                title=title,
                meaning=meaning,
                n_items=count,
                share=count / total if total else math.nan,
                identical=int(np.count_nonzero(members & identical)),
            )
        )
    return tuple(made)


def _notes(
    data: Annotations,
    measured: list[Agreement],
    intervals: list[Interval | None],
    items: SweptItems,
    constant: float,
) -> tuple[str, ...]:
    """Say what a reader of the sweep must know."""
    notes = [note for one in measured for note in one.notes]
    notes += [note for one in intervals if one is not None for note in one.notes]
    used = np.asarray(data._counts.multiplicities @ data._counts.counts).ravel() > 0
    longest = int(data._parts.sizes[used].max(initial=0))
    if longest < 2:
        notes.append("No annotation holds a secondary label, so the weight of the primary one changes nothing.")
    if longest > 2:
        notes.append(
            f"Some annotations hold up to {longest} labels: the primary one counts p, and the others share 1 - p equally."
        )
    same = int(np.count_nonzero((items.kind == 2)[items.profile] & items.identical[items.profile]))
    if same:
        noun = "item of higher-at-1 has" if same == 1 else "items of higher-at-1 have"
        notes.append(
            f"{same:,} {noun} the same labels in the same order from all annotators: nothing is wrong with them, but augmented "
            "kappa counts a second label as doubt."
        )
    drift = np.abs(items.only - items.equal)
    adrift = int(
        np.count_nonzero(((drift > constant + ROUNDING) & (items.kind >= 0) & (items.kind < 2))[items.profile])
    )
    if adrift:
        noun = (
            "item is called constant though its value moves"
            if adrift == 1
            else "items are called constant though their values move"
        )
        notes.append(
            f"{adrift:,} {noun} by more than {constant:g}: there chance agreement moved, not what the annotators agree on."
        )
    lost = int(np.count_nonzero(items.kind[items.profile] < 0))
    if lost:
        notes.append(
            f"{counted(lost, 'item')} without a class: expected agreement of the annotators is complete at one end of the sweep."
        )
    return tuple(dict.fromkeys(notes))
