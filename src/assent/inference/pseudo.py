"""One pseudo-item: what a sample has not shown, but one more item might have.

Half of it is an item on which everybody says the same, spread evenly over the labels that occur (two at least); half is an item that has two labels, as evenly
split as its number of annotations allows. That half is spread over pairs of labels as the items are that disagree; if fewer than ten do,
any two labels may be taken for each other, and one more item is spread evenly over all pairs. (Two labels are one pair, so
this matters for more labels, and most on a scale with many values, where a disagreement is then as small as those that
were seen, not as large as could be.) The pseudo-item has the usual number of annotations, by annotators who did label an item together. Where label sets are compared, its
annotations are sets of one label.

The spread is complete as long as it needs no more than about five hundred profiles. Beyond that it is thinned in a fixed way: labels, pairs that
were seen and groups of annotators evenly spaced in an order, and other pairs of labels a few fixed distances apart. Each part
then stands for others like it; none of them weighs more than a hundredth of an item.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from math import comb

import numpy as np
from msgspec.structs import replace

from assent.inference.derivatives import Statistic
from assent.inference.sample import PaddedSample
from assent.label_sets import LabelSets
from assent.limits import PSEUDO_GROUPS, PSEUDO_LABELS, PSEUDO_PAIRS, PSEUDO_PROFILES, PSEUDO_SPLITS
from assent.profiles import Array, Counts, Matrix, Profiles, Ratings, Sums, distinct, scale_rows, squared
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

#: Pairs stand at so many distances at least, which is enough for the mean squared distance of two labels to be right to 3 %.
LEAST_DISTANCES = 4
#: From so many items that disagree on, which labels are taken for each other is known from them alone.
ENOUGH = 10
#: With so many profiles at most what the pseudo-item is made of is kept for the next interval.
KEPT_PROFILES = 10_000
#: Of larger tables nearly all is empty, and sums over what is there are much faster.
DENSE_CELLS = 200_000
#: What the label is called that nobody gave, where there is but one.
UNSEEN = "a label that nobody gave"


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


def with_pseudo_item(items: Counts | Ratings, sets: LabelSets | None = None) -> PaddedProfiles:
    """Add a pseudo-item to profiles; unless these are many, once for all measures of the same profiles.

    Parameters
    ----------
    sets : LabelSets, optional
        What the labels are made of, if sets that share labels agree in part.
    """
    if len(items.multiplicities) > KEPT_PROFILES:
        return _with_pseudo_item(items, sets)
    name = f"with a pseudo-item{'' if sets is None else ' of sets'}"
    if name not in items.kept_results:
        items.kept_results[name] = _with_pseudo_item(items, sets)
    made: PaddedProfiles = items.kept_results[name]
    return made


def _with_pseudo_item(items: Counts | Ratings, sets: LabelSets | None) -> PaddedProfiles:
    """Add a pseudo-item to profiles."""
    used = np.flatnonzero(np.asarray(items.counts.sum(axis=0)).ravel())
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
    pairs = _pairs(items, codes, len(labels), size, sets=sets is not None)
    profiles, pseudo = (
        _padded_counts(items, labels, codes, *pairs)
        if isinstance(items, Counts)
        else _padded_ratings(items, labels, codes, *pairs, sets)
    )
    if items.units is None:
        weights = np.concatenate([base, pseudo])
        return PaddedProfiles(profiles=profiles, weights=weights, unit_weights=None, pseudo=pseudo, sets=sets)
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
    used = np.flatnonzero(np.asarray(items.counts.sum(axis=0)).ravel())
    codes = _evenly_spaced(_two_or_more(used, len(items.labels)), min(most, PSEUDO_LABELS))
    pairs, seen = _pairs(items, codes, len(items.labels), unit, sets=False)
    place = _evenly_spaced(np.arange(len(pairs)), most)
    pairs, seen = pairs[place], seen[place]
    size = _usual_size(items)
    half = size // 2
    # In the smaller half or in the larger one; halves of an even number are alike.
    alike = np.array([half - 1, size - half - 1]) / (size - 1)
    sides = np.array([half, size - half]) / size
    if size % 2 == 0:
        alike, sides = alike[:1], np.ones(1)
    apart = np.outer(seen, sides).ravel()
    return PseudoParts(
        own=np.concatenate([codes, np.repeat(pairs[:, 0], len(sides))]),
        other=np.concatenate([codes, np.repeat(pairs[:, 1], len(sides))]),
        alike=np.concatenate([np.ones(len(codes)), np.tile(alike, len(pairs))]),
        weight=_halves(np.ones(len(codes)), apart),
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


def minority_items(items: Counts | Ratings) -> int:
    """Return how many items carry a label that is not the one most items carry."""
    profile, label = _cells(items)
    most = int(np.argmax(np.bincount(label, weights=items.multiplicities[profile], minlength=1)))
    alone = np.bincount(profile, minlength=len(items.multiplicities))[profile] == 1
    return int(items.multiplicities.sum() - items.multiplicities[profile[alone & (label == most)]].sum())


def _cells(items: Counts | Ratings) -> tuple[Array, Array]:
    """Return which labels each profile has: (cells,) each."""
    if isinstance(items, Counts):
        profile, label = items.counts.nonzero()
    else:
        width = len(items.labels)
        profile, label = np.divmod(distinct(items.profile * width + items.label, len(items.sizes) * width)[0], width)
    return profile, label


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
    known = np.asarray(items.sizes).astype(np.int64)
    if known.min() == known.max():
        return max(2, int(known[0]))
    sizes, place = np.unique(known, return_inverse=True)
    frequency = np.bincount(place.ravel(), weights=items.multiplicities * items.pairable)
    return max(2, int(sizes[frequency == frequency.max()].max()))


def _evenly_spaced(things: Array, most: int) -> Array:
    """Return at most so many of the things, evenly spaced in their order."""
    if len(things) <= most:
        return things
    return np.asarray(things[((np.arange(most) + 0.5) * len(things) / most).astype(np.int64)])


def _pairs(items: Counts | Ratings, codes: Array, width: int, unit: float, *, sets: bool) -> tuple[Array, Array]:
    """Return ordered pairs of different labels and how much each weighs, in items: (pairs, 2), (pairs,).

    Pairs of items that disagree weigh what these items do. If these are fewer than `ENOUGH` units of `unit` items each, all pairs
    together weigh one unit besides.
    """
    code, weight = np.empty(0, dtype=np.int64), np.empty(0)
    # Sets that were given overlap more or less; sets of one label are the same or have nothing in common.
    if not sets:
        first, second, seen = _pairs_seen(items)
        code, weight = np.concatenate([first * width + second, second * width + first]), np.tile(seen / 2.0, 2)
    # Shares of an item add up to 1 but for rounding, which must not decide.
    if weight.sum() < ENOUGH * unit * (1.0 - 1e-9):
        every = codes[_spread_pairs(len(codes))]
        code = np.concatenate([code, every[:, 0] * width + every[:, 1]])
        weight = np.concatenate([weight, np.full(len(every), unit / len(every))])
    return _added_up(code, weight, width)


def _added_up(code: Array, weight: Array, width: int) -> tuple[Array, Array]:
    """Return the distinct pairs of labels, given as one number each, and the sum of their weights: (pairs, 2), (pairs,)."""
    if width <= PSEUDO_LABELS:
        # A table of so few labels is faster than sorting; every weight is above 0.
        table = np.bincount(code, weights=weight, minlength=width * width)
        code = np.flatnonzero(table)
        weight = table[code]
    else:
        code, place = np.unique(code, return_inverse=True)
        weight = np.bincount(place.ravel(), weights=weight)
    return np.stack(np.divmod(code, width), axis=1), weight


def _spread_pairs(count: int) -> Array:
    """Return ordered pairs of positions: all, or those at some distances around a circle: (pairs, 2)."""
    first = np.arange(count)
    distances = np.arange(1, count)
    if count * (count - 1) > PSEUDO_PAIRS:
        distances = _evenly_spaced(distances, max(LEAST_DISTANCES, PSEUDO_PAIRS // count))
    return np.concatenate([np.stack([first, (first + distance) % count], axis=1) for distance in distances])


def _pairs_seen(items: Counts | Ratings) -> tuple[Array, Array, Array]:
    """Return pairs of labels, the first of them the lower, that items have, and how many items: (pairs,) each."""
    apart = items.sizes**2 - np.asarray(squared(items.counts).sum(axis=1), dtype=np.float64).ravel()
    rows = np.flatnonzero(apart > 0)
    # An item with three labels shares itself out among three pairs, by how many pairs of annotations have each.
    share = 2.0 * items.multiplicities[rows] / apart[rows]
    if isinstance(items.counts, np.ndarray) and items.counts.shape[1] <= PSEUDO_LABELS:
        counts = items.counts[rows].astype(np.float64)
        table = counts.T @ (share[:, None] * counts)
        first, second = np.nonzero(table)
        above = first < second
        first, second = first[above], second[above]
        data = table[first, second]
    else:
        from scipy.sparse import coo_array, csr_array, triu

        sparse = csr_array(items.counts[rows]).astype(np.float64)
        both = coo_array(triu(sparse.T @ scale_rows(sparse, share), k=1))
        first, second, data = *(np.asarray(one, dtype=np.int64) for one in both.coords), both.data
    near = np.lexsort((first, second - first))
    first, second, seen = first[near].astype(np.int64), second[near].astype(np.int64), data[near]
    first, second, seen = first[seen > 0], second[seen > 0], seen[seen > 0]
    if len(seen) <= PSEUDO_PAIRS // 2:
        return first, second, seen
    # Evenly spaced in the order of how far apart the labels stand, which on a scale is how much they differ.
    total = float(seen.sum())
    at = np.searchsorted(np.cumsum(seen), (np.arange(PSEUDO_PAIRS // 2) + 0.5) * total / (PSEUDO_PAIRS // 2))
    return first[at], second[at], np.full(PSEUDO_PAIRS // 2, total / (PSEUDO_PAIRS // 2))


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
    if np.prod(lengths, dtype=np.float64) <= PSEUDO_PROFILES:
        return tuple(one.ravel() for one in np.meshgrid(*map(np.arange, lengths), indexing="ij"))
    every = np.arange(max(lengths))
    return tuple(every % length for length in lengths)


def _halves(agreeing: Array, apart: Array) -> Array:
    """Return fractions in proportion to weights, half for those that agree and half for those that do not."""
    return np.concatenate([0.5 * agreeing / agreeing.sum(), 0.5 * apart / apart.sum()])


def _padded_counts(
    items: Counts, labels: tuple[str, ...], codes: Array, pairs: Array, weights: Array
) -> tuple[Counts, Array]:
    size = _usual_size(items)
    if size % 2 == 0:
        # Even halves are the same either way round.
        pairs, weights = _added_up(pairs.min(axis=1) * len(labels) + pairs.max(axis=1), weights, len(labels))
    rows = np.arange(len(codes) + len(pairs))
    agreeing, apart = rows[: len(codes)], rows[len(codes) :]
    first, last = size // 2, size - size // 2
    added = (
        np.concatenate([agreeing, apart, apart]),
        np.concatenate([codes, pairs[:, 0], pairs[:, 1]]),
        np.repeat([size, first, last], [len(codes), len(pairs), len(pairs)]),
    )
    counts = _stacked(items.counts, len(labels), len(rows), added)
    fractions = _halves(np.ones(len(agreeing)), weights)
    multiplicities = np.concatenate([items.multiplicities, fractions])
    return replace(items, counts=counts, multiplicities=multiplicities, labels=labels, units=None), fractions


def _stacked(counts: Matrix, width: int, rows: int, cells: tuple[Array, Array, Array]) -> Matrix:
    """Put rows, given by their cells, below a count matrix, and columns of nothing beside it."""
    below, columns, values = cells
    if isinstance(counts, np.ndarray) and (counts.shape[0] + rows) * width <= DENSE_CELLS:
        stacked = np.zeros((counts.shape[0] + rows, width), dtype=np.int64)
        stacked[: counts.shape[0], : counts.shape[1]] = counts
        stacked[counts.shape[0] + below, columns] = values
        return stacked
    from scipy.sparse import csr_array, vstack

    known = csr_array(counts)
    above = csr_array((known.data, known.indices, known.indptr), shape=(counts.shape[0], width))
    return csr_array(vstack([above, csr_array((values, (below, columns)), shape=(rows, width))]))


def _padded_ratings(
    items: Ratings, labels: tuple[str, ...], codes: Array, pairs: Array, weights: Array, sets: LabelSets | None
) -> tuple[Ratings, Array]:
    groups, shares = _groups(items)
    size = groups.shape[1]
    splits = _splits(size)
    label, group = _combined(len(codes), len(groups))
    pair, split, other = _combined(len(pairs), len(splits), len(groups))
    given = np.concatenate(
        [
            np.repeat(codes[label][:, None], size, axis=1),
            np.where(splits[split], pairs[pair][:, [0]], pairs[pair][:, [1]]),
        ]
    )
    fractions = _halves(shares[group], weights[pair] * shares[other])
    known = len(items.multiplicities)
    padded = replace(
        items,
        profile=np.concatenate([items.profile, known + np.repeat(np.arange(len(given)), size)]),
        annotator=np.concatenate([items.annotator, groups[np.concatenate([group, other])].ravel()]),
        label=np.concatenate([items.label, given.ravel()]),
        multiplicities=np.concatenate([items.multiplicities, fractions]),
        origin=np.concatenate([items.origin, np.full(len(given), -1)]),
        labels=labels,
        units=None,
        sets=sets if items.sets is not None else None,
    )
    return padded, fractions


def _groups(items: Ratings) -> tuple[Array, Array]:
    """Return annotators who labelled an item together, as many as usual, and their shares of items: (groups, size), (groups,)."""
    size = _usual_size(items)
    usual = items.sizes == size
    members = items.annotator[usual[items.profile]].reshape(-1, size)
    if (members == members[0]).all():
        # The same people labelled everything: nothing to sort.
        return members[:1], np.ones(1)
    groups, inverse = np.unique(members, axis=0, return_inverse=True)
    shares = np.bincount(inverse.ravel(), weights=items.multiplicities[usual])
    if len(groups) <= PSEUDO_GROUPS:
        return groups, shares / shares.sum()
    # Evenly spaced items, in the order of their groups.
    at = np.searchsorted(np.cumsum(shares), (np.arange(PSEUDO_GROUPS) + 0.5) * shares.sum() / PSEUDO_GROUPS)
    return groups[at], np.full(PSEUDO_GROUPS, 1.0 / PSEUDO_GROUPS)


def padded_units(units: Matrix, parts: int, size: float) -> Matrix:
    """Add a row for each part of a pseudo-unit."""
    from scipy.sparse import block_diag, csr_array, eye_array

    return csr_array(block_diag([csr_array(units).astype(np.float64), size * eye_array(parts)]))
