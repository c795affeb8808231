"""Groups of annotators who agree among themselves and not with each other.

Different skill alone never looks like that. If annotators were right with probabilities of their own and wrong at random, the
agreement of two would be a product of their skills; so good annotators would agree among themselves, but poor ones
would agree with good ones more than with each other. Two groups, *both* of which agree among themselves more than with
the other, need two readings. Nor are the strict and the lenient two groups, nor people who click: both groups must agree among themselves
more than with the other beyond chance, and beyond what their leanings make (`leaning_model`).

The groups are sought on one half of the items and tested on the other half, so that the search cannot flatter the test. The halves are
drawn: how many items of each kind are in the first one (see `halved`), or which of the clusters.
"""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from assent.analyses.annotators.leaning_model import by_chance, by_leaning
from assent.analyses.annotators.table import TOLERANCE, AnnotatorTable, halved, rounded
from assent.limits import ANNOTATORS_CLUSTERED, CLUSTERED_PAIRS
from assent.profiles import Array
from assent.records import Struct

__all__ = ["AnnotatorClusters", "annotator_clusters"]

#: Annotators with fewer items shared with these are left aside.
LEAST_SHARED = 10
#: Fewer items than this to test on, and nothing is said.
LEAST_ITEMS = 20
#: A pair of annotators counts as if they had so many more items on which they are like everybody: few items say little.
DOUBT = 5.0
#: Groups are split again at most so often.
DEEPEST = 3


class AnnotatorClusters(Struct, frozen=True, kw_only=True, eq=False):
    """Groups of annotators who read alike.

    Parameters
    ----------
    groups : tuple of tuple of int
        Positions of the annotators, the largest group first.
    within : tuple of float
        Mean agreement of two annotators of a group, by group.
    between : float
        Mean agreement of two annotators of different groups.
    p_value : float
        How often one school would look like two, or two like three, if it is the weaker split.
    differ : tuple of (int, int, float), optional
        The labels that the two largest groups give to the same items most often, and on what share of the items they do.
    """

    groups: tuple[tuple[int, ...], ...]
    within: tuple[float, ...]
    between: float
    p_value: float
    differ: tuple[int, int, float] | None

    def group_of(self, annotator: int) -> int | None:
        """Return which group an annotator is in; None if in none."""
        return next((i for i, group in enumerate(self.groups) if annotator in group), None)


def annotator_clusters(
    team: AnnotatorTable, *, level: float = 0.05, margin: float = 0.05, seed: int = 0
) -> AnnotatorClusters | None:
    """Look for groups of annotators who agree among themselves and not with the others.

    They are sought and tested by equal labels, on a scale too: what is strict or lenient is then taken out whatever the steps are. What is said
    of the agreement within and between groups counts near labels in part.

    Parameters
    ----------
    level : float
        How often a team of one school may be taken for two.
    margin : float
        Both groups must agree among themselves by at least this much more than with each other.
    seed : int
        Decides which items are for finding groups and which for testing them.

    Returns
    -------
    AnnotatorClusters or None
        None if there is one school, or too little to tell.
    """
    whole, team = team, replace(team, near=None)
    chosen = np.zeros(len(team.annotators), dtype=bool)
    chosen[np.argsort(-team.shared, kind="stable")[:ANNOTATORS_CLUSTERED]] = True
    found, p_values = _split(team, chosen & (team.shared >= LEAST_SHARED), level, margin, seed, 0)
    if len(found) < 2:
        return None
    found.sort(key=lambda group: -len(group))
    within = tuple(_mean_agreement(whole, group, group) for group in found)
    pairs = [(one, other) for i, one in enumerate(found) for other in found[i + 1 :]]
    weights = [len(one) * len(other) for one, other in pairs]
    between = [_mean_agreement(whole, one, other) for one, other in pairs]
    known = [(mean, weight) for mean, weight in zip(between, weights, strict=True) if not np.isnan(mean)]
    return AnnotatorClusters(
        groups=tuple(tuple(int(one) for one in group) for group in found),
        within=within,
        between=float(np.average([mean for mean, _ in known], weights=[weight for _, weight in known]))
        if known
        else np.nan,
        p_value=max(p_values),
        differ=_differ(team, found[0], found[1]),
    )


def _split(
    team: AnnotatorTable, wanted: Array, level: float, margin: float, seed: int, depth: int
) -> tuple[list[Array], list[float]]:
    """Split annotators into groups, and these again, as long as the items that were kept back bear it out."""
    whole = [np.flatnonzero(wanted)]
    if depth == DEEPEST or len(whole[0]) < 4:
        return whole, []
    inside = team.only(wanted)
    if inside.n_items < 2 * LEAST_ITEMS:
        return whole, []
    first = _half(inside, seed)
    # Half of the level each way: whichever half the groups are sought on.
    both_ways = (_tested(inside, half, margin, seed) for half in (first, inside.weight - first))
    p_value = min(1.0, 2.0 * min(both_ways))
    # Only groups that the test bears out are sought once more, on all items.
    sides = None if p_value > level else _sides(inside, seed)
    if sides is None:
        return whole, []
    groups, p_values = [], [p_value]
    for side in (1, -1):
        # What is split again has half the level left: all splits together keep to it.
        more, further = _split(team, sides == side, level / 2.0, margin, seed, depth + 1)
        groups += more
        p_values += further
    return groups, p_values


def _half(team: AnnotatorTable, seed: int) -> Array:
    """Draw half of the items, or of the clusters: how many of each kind: (kinds,)."""
    rng = np.random.default_rng(seed)
    if team.unit is None:
        return halved(team.weight, rng)
    return np.where(rng.permutation(int(team.unit.max()) + 1)[team.unit] % 2 == 0, team.weight, 0)


def _sides(team: AnnotatorTable, seed: int) -> Array | None:
    """Put annotators on two sides, 1 and -1, or on none, 0: (annotators,). None if there are no two sides."""
    here = np.flatnonzero(team.shared > 0)
    if len(here) < 4:
        return None
    excess, items = _excess(team, here, seed)
    # Who agrees with nobody more than people do in general is in no school, and would hide those of the others.
    friendly = (excess / (items + DOUBT)).max(axis=1) > 0
    if np.count_nonzero(friendly) < 4:
        return None
    here, excess, items = here[friendly], excess[np.ix_(friendly, friendly)], items[np.ix_(friendly, friendly)]
    mean = _without_main_effects(excess / (items + DOUBT), items)
    side = np.where(_main_axis(mean) >= 0, 1, -1)
    near = np.zeros((2, len(here)))
    for _ in range(20):
        near = np.stack(
            [excess[:, side == one].sum(axis=1) / (items[:, side == one].sum(axis=1) + DOUBT) for one in (1, -1)]
        )
        moved = np.where(near[0] >= near[1], 1, -1)
        if (moved == side).all():
            break
        side = moved
    # The same goes for the two sides.
    side = np.where(near.max(axis=0) > 0, side, 0)
    if min(np.count_nonzero(side == 1), np.count_nonzero(side == -1)) < 2:
        return None
    sides = np.zeros(len(team.annotators), dtype=np.int64)
    sides[here] = side
    return sides


def _excess(team: AnnotatorTable, here: Array, seed: int) -> tuple[Array, Array]:
    """Sum for every two annotators over shared items: agreement less the item's mean agreement, and how many items.

    Parameters
    ----------
    here : array (present,)
        Annotators who have annotations.
    seed : int
        Decides which kinds of items are looked at, if there are too many.

    Returns
    -------
    excess, items : array (present, present)
        0 on the diagonal.
    """
    column = np.full(len(team.annotators), -1)
    column[here] = np.arange(len(here))
    rows = _looked_at(team, seed)
    item, who = team.item[rows], column[team.annotator[rows]]
    agreed = np.bincount(team.cell_item, weights=team.cell_count * (team.cell_count - 1.0), minlength=team.kinds)
    mean = agreed / (team.sizes * (team.sizes - 1.0))
    # One pair is its own mean: such items are compared with all items of their kind.
    two = team.sizes == 2
    if two.any():
        mean = np.where(two, np.average(mean[two], weights=team.weight[two]), mean)
    weight = team.weight.astype(np.float64)
    items = _together(item, who, weight, len(here))
    excess = _together(team.cell[rows], who, weight[team.cell_item], len(here))
    excess -= _together(item, who, weight * mean, len(here))
    for matrix in (excess, items):
        np.fill_diagonal(matrix, 0.0)
    return excess, items


def _looked_at(team: AnnotatorTable, seed: int) -> Array:
    """Return the annotations of kinds of items drawn at random, of as many as may be looked at: (rows,)."""
    pairs = team.sizes.astype(np.float64) ** 2
    if pairs.sum() <= CLUSTERED_PAIRS:
        return np.arange(len(team.item))
    order = np.random.default_rng(seed).permutation(team.kinds)
    taken = np.zeros(team.kinds, dtype=bool)
    taken[order[: int(np.searchsorted(np.cumsum(pairs[order]), CLUSTERED_PAIRS)) + 1]] = True
    return np.flatnonzero(taken[team.item])


def _together(place: Array, who: Array, weight: Array, count: int) -> Array:
    """Sum the weights of places that every two annotators share: (annotators, annotators).

    Parameters
    ----------
    place, who : array (annotations,)
        An annotator is in a place once.
    weight : array (places,)
    count : int
        Number of annotators.
    """
    from scipy.sparse import csr_array

    shape = (len(weight), count)
    there = csr_array((np.ones(len(place)), (place, who)), shape=shape)
    weighted = csr_array((weight[place], (place, who)), shape=shape)
    return np.asarray((there.T @ weighted).toarray())


def _without_main_effects(mean: Array, items: Array) -> Array:
    """Take from every pair what its two annotators do with everybody: a poor annotator is no school."""
    met = (items > 0).astype(np.float64)
    number = np.maximum(met.sum(axis=1), 1.0)
    effect = np.zeros(len(mean))
    for _ in range(50):
        effect += 0.5 * ((met * (mean - effect[:, None] - effect[None, :])).sum(axis=1) / number)
    return np.asarray(met * (mean - effect[:, None] - effect[None, :]))


def _main_axis(matrix: Array) -> Array:
    """Return, near enough, the eigenvector of the largest eigenvalue of a symmetric matrix: (rows,).

    Plain iteration: a decomposition of a hundred rows spends most of its time on starting threads.
    """
    shifted = matrix + np.abs(matrix).sum(axis=1).max() * np.eye(len(matrix))
    axis = shifted[:, int(np.argmax((matrix**2).sum(axis=1)))]
    for _ in range(200):
        axis = shifted @ axis
        axis = axis / max(float(np.abs(axis).max()), 1e-300)
    return np.asarray(axis)


def _tested(team: AnnotatorTable, half: Array, margin: float, seed: int) -> float:
    """Find two sides on one half of the items, and return the p-value on the other half that both are schools.

    Parameters
    ----------
    half : array (kinds,)
        How many items of each kind are for finding.
    """
    everyone = np.ones(len(team.annotators), dtype=bool)
    sides = _sides(team.only(everyone, half), seed)
    if sides is None:
        return 1.0
    rest = team.only(sides != 0, team.weight - half)
    if rest.n_items < LEAST_ITEMS:
        return 1.0
    leaning, chance = by_leaning(rest, sides), by_chance(rest, sides)
    across = _item_agreement(rest, sides, 1, -1)
    p_values = []
    for one in (1, -1):
        inside = _item_agreement(rest, sides, one, one)
        # Beyond chance: two who click alike are no school. Beyond leaning: neither are the strict and the lenient.
        p_values.append(_higher(rest, inside - chance[one, one], across - chance[1, -1], margin))
        p_values.append(_higher(rest, inside - leaning[one, one], across - leaning[1, -1], 0.0))
    return max(p_values)


def _item_agreement(team: AnnotatorTable, sides: Array, one: int, other: int) -> Array:
    """Return the share of pairs of annotations, one of each side, that agree on an item; NaN without a pair: (kinds,)."""
    cells = len(team.cell_count)
    mine, theirs = (np.bincount(team.cell[sides[team.annotator] == side], minlength=cells) for side in (one, other))
    m, n = (np.bincount(team.cell_item, weights=side, minlength=team.kinds) for side in (mine, theirs))
    met = team.summed(theirs) - (1.0 if one == other else 0.0)
    agree = np.bincount(team.cell_item, weights=mine * met, minlength=team.kinds)
    pairs = m * (n - 1.0) if one == other else m * n
    return np.asarray(np.where(pairs > 0, agree / np.where(pairs > 0, pairs, 1.0), np.nan))


def _higher(team: AnnotatorTable, inside: Array, across: Array, margin: float) -> float:
    """Return the p-value that the mean of `inside` is not above that of `across`; 1 if not by the margin.

    Items that have both are compared with themselves; if there are too few of them, all items are compared.
    """
    weight = team.weight
    both = ~np.isnan(inside) & ~np.isnan(across)
    if weight[both].sum() >= LEAST_ITEMS:
        inside, across = np.where(both, inside, np.nan), np.where(both, across, np.nan)
    one, other = ~np.isnan(inside), ~np.isnan(across)
    with_inside, with_across = int(weight[one].sum()), int(weight[other].sum())
    if min(with_inside, with_across) < LEAST_ITEMS:
        return 1.0
    high, low = _mean(team, inside), _mean(team, across)
    if high - low < margin - TOLERANCE:
        return 1.0
    slope = np.where(one, (inside - high) / with_inside, 0.0) - np.where(other, (across - low) / with_across, 0.0)
    slope, weight = slope[one | other], weight[one | other]
    if team.unit is None:
        units, squares = int(weight.sum()), float((weight * slope**2).sum())
    else:
        clusters = np.unique(team.unit[one | other], return_inverse=True)[1].ravel()
        together = np.bincount(clusters, weights=weight * slope)
        units, squares = len(together), float((together**2).sum())
    if units < 2:
        return 1.0
    from scipy.special import stdtr

    error = float(np.sqrt(units / (units - 1.0) * squares))
    return float(stdtr(units - 1, -(high - low) / error)) if error > 0 else 0.0


def _mean(team: AnnotatorTable, values: Array) -> float:
    """Return the mean over items of what is known of each kind; NaN if nothing is."""
    known = ~np.isnan(values)
    return float(np.average(values[known], weights=team.weight[known])) if known.any() else float("nan")


def _mean_agreement(team: AnnotatorTable, one: Array, other: Array) -> float:
    """Return the mean over items of the agreement of two annotators, one of each group; NaN if they share no item."""
    sides = np.zeros(len(team.annotators), dtype=np.int64)
    same = one is other
    sides[one] = 1
    if not same:
        sides[other] = -1
    return _mean(team, _item_agreement(team, sides, 1, 1 if same else -1))


def _differ(team: AnnotatorTable, one: Array, other: Array) -> tuple[int, int, float] | None:
    """Return the two labels that two groups give to the same items most often, and on what share of the items."""
    from scipy.sparse import csr_array

    sides = np.zeros(len(team.annotators), dtype=np.int64)
    sides[one], sides[other] = 1, -1
    shares = []
    for side in (1, -1):
        times = np.bincount(team.cell[sides[team.annotator] == side], minlength=len(team.cell_count)).astype(np.float64)
        size = np.bincount(team.cell_item, weights=times, minlength=team.kinds)
        times /= np.maximum(size, 1.0)[team.cell_item]
        if side == -1:
            times *= team.weight[team.cell_item]
        shares.append(csr_array((times, (team.cell_item, team.cell_label)), shape=(team.kinds, len(team.labels))))
    met = (shares[0].T @ shares[1]).tocsr().sorted_indices().tocoo()
    total = float(met.data.sum())
    first, second = met.coords
    apart = np.where(first != second, met.data, 0.0)
    if not len(apart) or apart.max() == 0:
        return None
    most = int(np.argmax(rounded(apart / total)))
    return int(first[most]), int(second[most]), float(apart[most] / total)
