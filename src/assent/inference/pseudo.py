"""One pseudo-item: what a sample has not shown, but one more item might have.

Half of it is an item on which everybody says the same, spread evenly over the labels that occur (two at least); half is an item that has two labels, as evenly
split as its number of annotations allows. That half is spread over pairs of labels as the items are that disagree; if fewer than ten do,
any two labels may be taken for each other, and one more item is spread evenly over all pairs. (Two labels are one pair, so
this matters for more labels, and most on a scale with many values, where a disagreement is then as small as those that
were seen, not as large as could be.) On a scale of few steps one more item may be a step farther apart than any that disagrees: it is spread over the pairs that are so far
from each other. The pseudo-item has the usual number of annotations, by annotators who did label an item together. Where label sets are compared, its
annotations are sets of one label.

The spread is complete as long as it needs no more than about five hundred profiles. Beyond that it is thinned in a fixed way: labels, pairs that
were seen and groups of annotators evenly spaced in an order, and other pairs of labels a few fixed distances apart. Each part
then stands for others like it; none of them weighs more than a hundredth of an item.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from itertools import combinations
from math import comb, prod
from typing import TypeAlias

import numpy as np
from msgspec.structs import replace

from assent.inference.derivatives import Statistic
from assent.inference.sample import PaddedSample
from assent.label_sets import LabelSets
from assent.limits import PSEUDO_GROUPS, PSEUDO_LABELS, PSEUDO_PAIRS, PSEUDO_PROFILES, PSEUDO_SPLITS
from assent.profiles import Array, Counts, Matrix, Profiles, Ratings, Sums, tabulated
from assent.records import Struct

__all__ = [
    "PaddedProfiles",
    "PseudoParts",
    "minority_items",
    "padded_counts",
    "padded_units",
    "pseudo_parts",
    "with_pseudo_item",
    "with_pseudo_sums",
]

#: From so many items that disagree on, which labels are taken for each other is known from them alone.
ENOUGH = 10
#: With so many profiles at most what the pseudo-item is made of is kept for the next interval.
KEPT_PROFILES = 10_000
#: Of larger tables nearly all is empty, and sums over what is there are much faster.
DENSE_CELLS = 200_000
#: What the label is called that nobody gave, where there is but one.
UNSEEN = "a label that nobody gave"
#: Profile, label and count of every label that a profile has.
Cells: TypeAlias = tuple[Array, Array, Array]


class PaddedProfiles(Struct, frozen=True, kw_only=True, eq=False):
    """Profiles with those of a pseudo-item, and how much each weighs.

    Parameters
    ----------
    profiles : Profiles
        The profiles of the data first. Its units, if any, hold a row for each part of the pseudo-unit.
    weights : array (profiles,)
    unit_weights : array (units,) or None
    pseudo : array (profiles of the pseudo-item,)
        Their fractions, which add up to 1.
    sets : LabelSets or None
        What the labels are made of, the sets of one label that did not occur included.
    """

    profiles: Profiles
    weights: Array
    unit_weights: Array | None
    pseudo: Array
    sets: LabelSets | None = None


def with_pseudo_item(items: Counts | Ratings, sets: LabelSets | None = None, *, steps: bool = False) -> PaddedProfiles:
    """Add a pseudo-item to profiles; unless these are many, once for all measures of the same profiles.

    Parameters
    ----------
    sets : LabelSets, optional
        What the labels are made of, if sets that share labels agree in part.
    steps : bool
        The labels are steps of a scale, and disagree the more the farther apart they stand.
    """
    if len(items.multiplicities) > KEPT_PROFILES:
        return _with_pseudo_item(items, sets, steps)
    name = f"with a pseudo-item{'' if sets is None else ' of sets'}{' of steps' if steps else ''}"
    if name not in items.kept_results:
        items.kept_results[name] = _with_pseudo_item(items, sets, steps)
    made: PaddedProfiles = items.kept_results[name]
    return made


def _with_pseudo_item(items: Counts | Ratings, sets: LabelSets | None, steps: bool = False) -> PaddedProfiles:
    """Add a pseudo-item to profiles."""
    cells = _cells(items)
    used = np.flatnonzero(np.bincount(cells[1]))
    if sets is None:
        labels = items.labels if len(items.labels) > 1 else (*items.labels, UNSEEN)
        codes = _two_or_more(used, len(labels))
    else:
        sets, codes = _with_single_labels(sets, used)
        labels = sets.texts()
    codes = _evenly_spaced(codes, PSEUDO_LABELS)
    base = np.asarray(items.multiplicities, dtype=np.float64)
    # A pseudo-cluster is as large as the usual one, so that clusters of copies of one item are worth what the item is.
    size = 1.0 if items.units is None else float(base.sum()) / items.units.shape[0]
    seen = None if sets is not None else _pairs_seen(items, cells)
    profiles: Counts | Ratings
    if isinstance(items, Counts):
        # Even halves are the same either way round.
        annotations = _usual_size(items)
        pairs = _pairs(seen, codes, len(labels), size, ordered=annotations % 2 == 1, steps=steps)
        profiles = _padded_counts(items, cells, labels, codes, annotations, pairs)
    else:
        pairs = _pairs(seen, codes, len(labels), size, steps=steps)
        profiles = _padded_ratings(items, labels, codes, pairs, sets)
    pseudo = profiles.multiplicities[len(base) :]
    if items.units is None:
        return PaddedProfiles(
            profiles=profiles, weights=profiles.multiplicities, unit_weights=None, pseudo=pseudo, sets=sets
        )
    return PaddedProfiles(
        profiles=replace(profiles, units=padded_units(items.units, len(pseudo), size)),
        weights=np.concatenate([base, size * pseudo]),
        unit_weights=np.concatenate([np.ones(items.units.shape[0]), pseudo]),
        pseudo=pseudo,
        sets=sets,
    )


class PseudoParts(Struct, frozen=True, kw_only=True, eq=False):
    """A pseudo-item as one of its annotators sees it: (parts,) each.

    Parameters
    ----------
    own, other : array
        Positions of the annotator's label, and of the label of those of the others who disagree.
    alike : array
        Share of the others who give the annotator's label.
    weight : array
        Fractions of the pseudo-item, which add up to 1.
    """

    own: Array
    other: Array
    alike: Array
    weight: Array


def pseudo_parts(items: Counts, *, unit: float, most: int) -> PseudoParts:
    """Return the parts of a pseudo-item, one annotator beside the others; for two annotators it is that of `with_pseudo_item`.

    Parameters
    ----------
    items : Counts
        Of two labels at least.
    unit : float
        Items of a unit.
    most : int
        More labels, or pairs of them, than this are thinned.
    """
    cells = _cells(items)
    used = np.flatnonzero(np.bincount(cells[1]))
    codes = _evenly_spaced(_two_or_more(used, len(items.labels)), min(most, PSEUDO_LABELS))
    first, second, seen = (
        _evenly_spaced(one, most) for one in _pairs(_pairs_seen(items, cells), codes, len(items.labels), unit)
    )
    size = _usual_size(items)
    half = size // 2
    # In the smaller half or in the larger one; halves of an even number are alike.
    alike = np.array([half - 1, size - half - 1]) / (size - 1)
    sides = np.array([half, size - half]) / size
    if size % 2 == 0:
        alike, sides = alike[:1], np.ones(1)
    apart = np.outer(seen, sides).ravel()
    return PseudoParts(
        own=np.concatenate([codes, np.repeat(first, len(sides))]),
        other=np.concatenate([codes, np.repeat(second, len(sides))]),
        alike=np.concatenate([np.ones(len(codes)), np.tile(alike, len(first))]),
        weight=np.concatenate(_halves(np.ones(len(codes)), apart)),
    )


def padded_counts(items: Counts, statistic_of: Callable[[Counts], Statistic]) -> PaddedSample:
    """Return a statistic of counts of labels as a sample with a pseudo-item.

    Parameters
    ----------
    statistic_of : callable
        Makes the statistic of profiles; those of the pseudo-item are among them.
    """
    made = with_pseudo_item(items)
    assert isinstance(made.profiles, Counts)
    return PaddedSample(statistic_of(made.profiles), made.weights, made.profiles.units, made.unit_weights)


def with_pseudo_sums(items: Sums, agreeing: Array, disagreeing: Array) -> PaddedProfiles:
    """Add a pseudo-item to sums: half of it an item on which all agree, half of it one on which nobody does.

    Parameters
    ----------
    agreeing, disagreeing : array (columns,)
        What such an item adds.
    """
    both = np.stack([agreeing, disagreeing])
    terms: Matrix
    if isinstance(items.terms, np.ndarray):
        terms = np.concatenate([items.terms, both])
    else:
        from scipy.sparse import csr_array, vstack

        terms = csr_array(vstack([items.terms, csr_array(both)]))
    half = np.array([0.5, 0.5])
    weights = np.concatenate([np.asarray(items.multiplicities, dtype=np.float64), half])
    annotators = None if items.annotators is None else np.concatenate([items.annotators, [2, 2]])
    profiles = replace(items, terms=terms, multiplicities=weights, annotators=annotators)
    return PaddedProfiles(profiles=profiles, weights=weights, unit_weights=None, pseudo=half, sets=None)


def minority_items(items: Counts | Ratings, *, enough: float = math.inf) -> int:
    """Return how many items carry a label that is not the one most items carry; or a smaller number that is `enough`."""
    if isinstance(items, Ratings) and len(items.label):
        # Items of several labels are among them, whichever it is.
        other = (items.label[1:] != items.label[:-1]) & (items.profile[1:] == items.profile[:-1])
        several = np.zeros(len(items.multiplicities), dtype=bool)
        several[items.profile[1:][other]] = True
        least = int(items.multiplicities[several].sum())
        if least >= enough:
            return least
    profile, label, _ = _cells(items)
    most = int(np.argmax(np.bincount(label, weights=items.multiplicities[profile], minlength=1)))
    alone = np.bincount(profile, minlength=len(items.multiplicities))[profile] == 1
    return int(items.multiplicities.sum() - items.multiplicities[profile[alone & (label == most)]].sum())


def _cells(items: Counts | Ratings) -> Cells:
    """Return which labels each profile has, and how many annotations gave it: (cells,) each, in the order of profiles and labels."""
    width = len(items.labels)
    if isinstance(items, Ratings):
        cell = items.profile * width + items.label
        if tabulated(len(items.sizes) * width, len(cell)):
            times = np.bincount(cell)
            cell = np.flatnonzero(times)
            count = times[cell]
        else:
            cell, count = np.unique(cell, return_counts=True)
    elif isinstance(items.counts, np.ndarray):
        cell = np.flatnonzero(items.counts)
        count = items.counts.ravel()[cell]
    else:
        rows = items.counts.tocsr().sorted_indices()
        profile = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
        there = rows.data > 0
        return profile[there], rows.indices[there].astype(np.int64), rows.data[there]
    return *np.divmod(cell, width), count


def _two_or_more(used: Array, count: int) -> Array:
    """Return the labels that occur; if it is but one, with the one of all that stands last, or else first; if none does, both of these."""
    if len(used) > 1:
        return used
    return np.unique([*(used if len(used) else [0]), 0 if count - 1 in used else count - 1])


def _with_single_labels(sets: LabelSets, used: Array) -> tuple[LabelSets, Array]:
    """Return the sets with those of one label that did not occur, and where the sets of one label stand whose label did."""
    # Where everybody says "none of these" there is no label at all.
    names = (*sets.labels, *(UNSEEN, "another label that nobody gave")[: max(0, 2 - len(sets.labels))])
    singles = _two_or_more(np.unique([at for one in used for at in sets.members[one]]).astype(np.int64), len(names))
    place = {one: at for at, one in enumerate(sets.members)}
    new = [(int(at),) for at in singles if (at,) not in place]
    extended = LabelSets(names, (*sets.members, *new), sets.ranked)
    place |= {one: len(sets.members) + at for at, one in enumerate(new)}
    return extended, np.array([place[at,] for at in singles])


def _usual_size(items: Counts | Ratings) -> int:
    """Return how many annotations most items have that have two or more; the larger number if two are as frequent."""
    known = items.sizes
    if (known == known[0]).all():
        return max(2, int(known[0]))
    sizes, place = np.unique(known, return_inverse=True)
    frequency = np.bincount(place.ravel(), weights=items.multiplicities * items.pairable)
    return max(2, int(sizes[frequency == frequency.max()].max()))


def _evenly_spaced(things: Array, most: int) -> Array:
    """Return at most so many of the things, evenly spaced in their order."""
    if len(things) <= most:
        return things
    return np.asarray(things[((np.arange(most) + 0.5) * len(things) / most).astype(np.int64)])


def _pairs(
    seen: tuple[Array, Array] | None,
    codes: Array,
    width: int,
    unit: float,
    *,
    ordered: bool = True,
    steps: bool = False,
) -> tuple[Array, Array, Array]:
    """Return pairs of different labels and how much each weighs, in items: (pairs,) each.

    Pairs of items that disagree weigh what these items do. If these are fewer than `ENOUGH` units of `unit` items each, all pairs
    together weigh one unit besides; else, on a scale with no more pairs than that, those that are a step farther apart than any of them.

    Parameters
    ----------
    seen : tuple of arrays, or None
        What `_pairs_seen` returns. Sets that were given overlap more or less; sets of one label are the same or have nothing in common: None.
    ordered : bool
        Every pair either way round, each of which weighs half.
    steps : bool
        The labels are steps of a scale.
    """
    code, weight = (np.empty(0, dtype=np.int64), np.empty(0)) if seen is None else seen
    # Shares of an item add up to 1 but for rounding, which must not decide.
    units = weight.sum() / unit * (1.0 + 1e-9)
    first = second = code[:0]
    if units < ENOUGH:
        first, second = _spread_pairs(len(codes))
    elif steps and len(codes) * (len(codes) - 1) <= 2.0 * units:
        first, second = _spread_pairs(len(codes))
        farthest = int(np.abs(np.subtract(*np.divmod(code, width))).max())
        apart = np.abs(codes[first] - codes[second])
        beyond = apart == apart[apart > farthest].min(initial=width)
        first, second = first[beyond], second[beyond]
    if ordered:
        lower, upper = np.divmod(code, width)
        code, weight = np.concatenate([code, upper * width + lower]), np.concatenate([weight, weight]) / 2.0
    if len(first):
        first, second = codes[first], codes[second]
        if not ordered:
            first, second = np.minimum(first, second), np.maximum(first, second)
        code = np.concatenate([code, first * width + second])
        weight = np.concatenate([weight, np.full(len(first), unit / len(first))])
    if ordered or len(first):
        code, weight = _added_up(code, weight, width)
    return *np.divmod(code, width), weight


def _added_up(code: Array, weight: Array, width: int) -> tuple[Array, Array]:
    """Return the distinct pairs of labels, given as one number each, and the sum of their weights: (pairs,) each."""
    if width <= PSEUDO_LABELS:
        # A table of so few labels is faster than sorting; every weight is above 0.
        table = np.bincount(code, weights=weight, minlength=width * width)
        code = np.flatnonzero(table)
        return code, table[code]
    code, place = np.unique(code, return_inverse=True)
    return code, np.bincount(place.ravel(), weights=weight)


@lru_cache(maxsize=16)
def _spread_pairs(count: int) -> tuple[Array, Array]:
    """Return ordered pairs of positions: all, or those at some distances around a circle: (pairs,) each."""
    distances = np.arange(1, count)
    if count * (count - 1) > PSEUDO_PAIRS:
        distances = _evenly_spaced(distances, PSEUDO_PAIRS // count)
    distance, first = np.divmod(np.arange(count * len(distances)), count)
    return first, (first + distances[distance]) % count


def _pairs_seen(items: Counts | Ratings, cells: Cells) -> tuple[Array, Array]:
    """Return pairs of labels that items have, as one number each with the lower label first, and how many items: (pairs,) each."""
    width = len(items.labels)
    profile, label, count = cells
    apart = items.sizes**2 - np.bincount(profile, weights=count * count, minlength=len(items.sizes))
    code, seen = np.empty(0, dtype=np.int64), np.empty(0)
    # Cells of one profile stand together: each is paired with the next one, then with that after it, and so on.
    first, step = np.flatnonzero(profile[1:] == profile[:-1]), 1
    while len(first):
        row, last = profile[first], first + step
        # An item with three labels shares itself out among three pairs, by how many pairs of annotations have each.
        share = 2.0 * items.multiplicities[row] / apart[row] * (count[first] * count[last])
        found = label[first] * width + label[last]
        code, seen = _added_up(np.concatenate([code, found]), np.concatenate([seen, share]), width)
        first, step = first[:-1][first[1:] == first[:-1] + 1], step + 1
    if len(seen) <= PSEUDO_PAIRS // 2:
        return code, seen
    # Evenly spaced in the order of how far apart the labels stand, which on a scale is how much they differ.
    lower, upper = np.divmod(code, width)
    near = np.lexsort((lower, upper - lower))
    total = float(seen.sum())
    at = np.searchsorted(np.cumsum(seen[near]), (np.arange(PSEUDO_PAIRS // 2) + 0.5) * total / (PSEUDO_PAIRS // 2))
    return _added_up(code[near[at]], np.full(len(at), total / len(at)), width)


@lru_cache(maxsize=16)
def _splits(size: int) -> Array:
    """Return ways to split so many annotators in halves, True for the (smaller) first one: (ways, size).

    For an even number one annotator is always in the first half: the other half is as good, and pairs of labels are ordered.
    """
    half = size // 2
    if comb(size, half) <= PSEUDO_SPLITS:
        chosen = [one for one in combinations(range(size), half) if size % 2 or 0 in one]
    else:
        turns = size if size % 2 else half
        chosen = [tuple((start + step) % size for step in range(half)) for start in range(turns)]
    ways = np.zeros((len(chosen), size), dtype=bool)
    for row, one in enumerate(chosen):
        ways[row, list(one)] = True
    return ways


def _combined(*lengths: int) -> tuple[Array, ...]:
    """Return positions in several lists: each with each, or, if that is too much, each at least once."""
    if prod(lengths) <= PSEUDO_PROFILES:
        return np.unravel_index(np.arange(prod(lengths)), lengths)
    every = np.arange(max(lengths))
    return tuple(every % length for length in lengths)


def _halves(agreeing: Array, apart: Array) -> tuple[Array, Array]:
    """Return fractions in proportion to weights, half for those that agree and half for those that do not."""
    return 0.5 * agreeing / agreeing.sum(), 0.5 * apart / apart.sum()


def _padded_counts(
    items: Counts, cells: Cells, labels: tuple[str, ...], codes: Array, size: int, pairs: tuple[Array, Array, Array]
) -> Counts:
    """Put the rows of the pseudo-item below the counts, and a column of nothing beside them if there is but one label."""
    first, second, weights = pairs
    known, apart, width = len(items.multiplicities), len(items.multiplicities) + len(codes), len(labels)
    rows, half = apart + len(first), size // 2
    counts: Matrix
    if isinstance(items.counts, np.ndarray) and rows * width <= DENSE_CELLS:
        counts = np.zeros((rows, width), dtype=np.int64)
        counts[:known, : len(items.labels)] = items.counts
        below = np.arange(known, rows)
        counts[below[: len(codes)], codes] = size
        counts[below[len(codes) :], first] = half
        counts[below[len(codes) :], second] = size - half
    else:
        from scipy.sparse import csr_array

        profile, label, count = cells
        each = np.bincount(profile, minlength=rows)
        each[known:apart], each[apart:] = 1, 2
        counts = csr_array(
            (
                np.concatenate([count, np.full(len(codes), size), np.tile([half, size - half], len(first))]),
                np.concatenate([label, codes, np.stack([first, second], axis=1).ravel()]),
                np.concatenate([[0], np.cumsum(each)]),
            ),
            shape=(rows, width),
        )
    halves = np.full(len(codes), 0.5 / len(codes)), 0.5 * weights / weights.sum()
    return Counts(counts=counts, multiplicities=np.concatenate([items.multiplicities, *halves]), labels=labels)


def _padded_ratings(
    items: Ratings,
    labels: tuple[str, ...],
    codes: Array,
    pairs: tuple[Array, Array, Array],
    sets: LabelSets | None,
) -> Ratings:
    """Add the profiles of the pseudo-item, annotation by annotation."""
    first, second, weights = pairs
    groups, shares = _groups(items)
    size = groups.shape[1]
    splits = _splits(size)
    label, group = _combined(len(codes), len(groups))
    pair, split, other = _combined(len(first), len(splits), len(groups))
    apart = np.where(splits[split], first[pair][:, None], second[pair][:, None])
    known, added = len(items.multiplicities), len(label) + len(pair)
    return replace(
        items,
        profile=np.concatenate([items.profile, np.repeat(np.arange(known, known + added), size)]),
        annotator=np.concatenate([items.annotator, groups[group].ravel(), groups[other].ravel()]),
        label=np.concatenate([items.label, np.repeat(codes[label], size), apart.ravel()]),
        multiplicities=np.concatenate([items.multiplicities, *_halves(shares[group], weights[pair] * shares[other])]),
        origin=np.concatenate([items.origin, np.full(added, -1)]),
        labels=labels,
        units=None,
        sets=sets if items.sets is not None else None,
    )


def _groups(items: Ratings) -> tuple[Array, Array]:
    """Return annotators who labelled an item together, as many as usual, and how many items: (groups, size), (groups,)."""
    size = _usual_size(items)
    usual = items.sizes == size
    members = items.annotator[usual[items.profile]].reshape(-1, size)
    if (members == members[0]).all():
        # The same people labelled everything: nothing to sort.
        return members[:1], np.ones(1)
    groups, inverse = np.unique(members, axis=0, return_inverse=True)
    shares = np.bincount(inverse.ravel(), weights=items.multiplicities[usual])
    if len(groups) <= PSEUDO_GROUPS:
        return groups, shares
    # Evenly spaced items, in the order of their groups.
    at = np.searchsorted(np.cumsum(shares), (np.arange(PSEUDO_GROUPS) + 0.5) * shares.sum() / PSEUDO_GROUPS)
    return groups[at], np.ones(PSEUDO_GROUPS)


def padded_units(units: Matrix, parts: int, size: float) -> Matrix:
    """Add a row for each part of a pseudo-unit."""
    from scipy.sparse import block_diag, csr_array, eye_array

    return csr_array(block_diag([csr_array(units).astype(np.float64), size * eye_array(parts)]))
