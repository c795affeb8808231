"""Two schools of reading: groups of annotators who agree among themselves and not with each other.

Different skill alone never looks like that. If annotators were right with probabilities of their own and wrong at random, the
agreement of two would be a product of their skills; so good annotators would agree among themselves, but poor ones
would agree with good ones more than with each other. Two groups, *both* of which agree among themselves more than with
the other, need two readings.

The groups are sought on one half of the items and tested on the other half, so that the search cannot flatter the test.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assent.diagnostics.team.table import Team
from assent.profiles import Array

__all__ = ["MOST_ANNOTATORS", "Schools", "schools"]

#: Schools are sought among so many annotators, those with the most shared items.
MOST_ANNOTATORS = 200
#: Annotators with fewer items shared with these are left aside.
LEAST_SHARED = 10
#: Fewer items than this to test on, and nothing is said.
LEAST_ITEMS = 20
#: A pair of annotators counts as if they had so many more items on which they are like everybody: few items say little.
DOUBT = 5.0
#: Pairs of annotations that are looked at to find groups.
MOST_PAIRS = 20_000_000
#: Groups are split again at most so often.
DEEPEST = 3


@dataclass(frozen=True, eq=False, kw_only=True)
class Schools:
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


def schools(team: Team, *, level: float = 0.05, margin: float = 0.05, seed: int = 0) -> Schools | None:
    """Look for groups of annotators who agree among themselves and not with the others.

    Parameters
    ----------
    team : Team
    level : float
        How often a team of one school may be taken for two.
    margin : float
        Both groups must agree among themselves by at least this much more than with each other.
    seed : int
        Decides which items are for finding groups and which for testing them.

    Returns
    -------
    Schools or None
        None if there is one school, or too little to tell.
    """
    chosen = np.zeros(len(team.annotators), dtype=bool)
    chosen[np.argsort(-team.shared, kind="stable")[:MOST_ANNOTATORS]] = True
    found, p_values = _split(team, chosen & (team.shared >= LEAST_SHARED), level, margin, seed, 0)
    if len(found) < 2:
        return None
    found.sort(key=lambda group: -len(group))
    within = tuple(_mean_agreement(team, group, group) for group in found)
    pairs = [(one, other) for i, one in enumerate(found) for other in found[i + 1 :]]
    weights = [len(one) * len(other) for one, other in pairs]
    between = [_mean_agreement(team, one, other) for one, other in pairs]
    known = [(mean, weight) for mean, weight in zip(between, weights, strict=True) if not np.isnan(mean)]
    return Schools(
        groups=tuple(tuple(int(one) for one in group) for group in found),
        within=within,
        between=float(np.average([mean for mean, _ in known], weights=[weight for _, weight in known]))
        if known
        else np.nan,
        p_value=max(p_values),
        differ=_differ(team, found[0], found[1]),
    )


def _split(
    team: Team, wanted: Array, level: float, margin: float, seed: int, depth: int
) -> tuple[list[Array], list[float]]:
    """Split annotators into groups, and these again, as long as the items that were kept back bear it out."""
    whole = [np.flatnonzero(wanted)]
    if depth == DEEPEST or len(whole[0]) < 4:
        return whole, []
    inside = team.only(wanted)
    if inside.items < 2 * LEAST_ITEMS:
        return whole, []
    first = _half(inside, seed)
    # Half of the level each way: whichever half the groups are sought on.
    p_value = min(1.0, 2.0 * min(_tested(inside, first, margin), _tested(inside, ~first, margin)))
    sides = _sides(inside)
    if p_value > level or sides is None:
        return whole, []
    groups, p_values = [], [p_value]
    for side in (1, -1):
        # What is split again has half the level left: all splits together keep to it.
        more, further = _split(team, sides == side, level / 2.0, margin, seed, depth + 1)
        groups += more
        p_values += further
    return groups, p_values


def _half(team: Team, seed: int) -> Array:
    """Choose half of the items, or of the clusters: (items,) of bool."""
    unit = np.arange(team.items) if team.unit is None else team.unit
    return np.asarray(np.random.default_rng(seed).permutation(int(unit.max()) + 1)[unit] % 2 == 0)


def _sides(team: Team) -> Array | None:
    """Put annotators on two sides, 1 and -1, or on none, 0: (annotators,). None if there are no two sides."""
    here = np.flatnonzero(team.shared > 0)
    if len(here) < 4:
        return None
    excess, items = _excess(team, here)
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


def _excess(team: Team, here: Array) -> tuple[Array, Array]:
    """Sum for every two annotators over shared items: agreement less the item's mean agreement, and how many items.

    Parameters
    ----------
    team : Team
    here : array (present,)
        Annotators who have annotations.

    Returns
    -------
    excess, items : array (present, present)
        0 on the diagonal.
    """
    from scipy.sparse import csr_array

    column = np.full(len(team.annotators), -1)
    column[here] = np.arange(len(here))
    enough = int(np.searchsorted(np.cumsum(team.sizes.astype(np.float64) ** 2), MOST_PAIRS)) + 1
    rows = np.flatnonzero(team.item < enough)
    item, who = team.item[rows], column[team.annotator[rows]]
    agreed = np.bincount(team.cell_item, weights=team.cell_count * (team.cell_count - 1.0), minlength=team.items)
    mean = agreed / (team.sizes * (team.sizes - 1.0))
    # One pair is its own mean: such items are held against all items of their kind.
    if (team.sizes == 2).any():
        mean = np.where(team.sizes == 2, mean[team.sizes == 2].mean(), mean)
    size = (team.items, len(here))
    present = csr_array((np.ones(len(rows)), (item, who)), shape=size)
    usual = csr_array((mean[item], (item, who)), shape=size)
    same = csr_array((np.ones(len(rows)), (team.cell[rows], who)), shape=(len(team.cell_count), len(here)))
    items, excess = (present.T @ present).toarray(), (same.T @ same).toarray() - (present.T @ usual).toarray()
    for matrix in (excess, items):
        np.fill_diagonal(matrix, 0.0)
    return excess, items


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


def _tested(team: Team, first: Array, margin: float) -> float:
    """Find two sides on one half of the items, and return the p-value on the other half that both are schools."""
    everyone = np.ones(len(team.annotators), dtype=bool)
    sides = _sides(team.only(everyone, first))
    if sides is None:
        return 1.0
    rest = team.only(sides != 0, ~first)
    if rest.items < LEAST_ITEMS:
        return 1.0
    inside = [_item_agreement(rest, sides, one, one) for one in (1, -1)]
    across = _item_agreement(rest, sides, 1, -1)
    return max(_higher(rest, one, across, margin) for one in inside)


def _item_agreement(team: Team, sides: Array, one: int, other: int) -> Array:
    """Return the share of pairs of annotations, one of each side, that agree on an item; NaN without a pair: (items,)."""
    cells = len(team.cell_count)
    mine, theirs = (np.bincount(team.cell[sides[team.annotator] == side], minlength=cells) for side in (one, other))
    m, n = (np.bincount(team.cell_item, weights=side, minlength=team.items) for side in (mine, theirs))
    agree = np.bincount(team.cell_item, weights=mine * (theirs - (1.0 if one == other else 0.0)), minlength=team.items)
    pairs = m * (n - 1.0) if one == other else m * n
    return np.asarray(np.where(pairs > 0, agree / np.where(pairs > 0, pairs, 1.0), np.nan))


def _higher(team: Team, inside: Array, across: Array, margin: float) -> float:
    """Return the p-value that the mean of `inside` is not above that of `across`; 1 if not by the margin.

    Items that have both are compared with themselves; if there are too few of them, all items are compared.
    """
    both = ~np.isnan(inside) & ~np.isnan(across)
    if np.count_nonzero(both) >= LEAST_ITEMS:
        inside, across = np.where(both, inside, np.nan), np.where(both, across, np.nan)
    one, other = ~np.isnan(inside), ~np.isnan(across)
    if min(np.count_nonzero(one), np.count_nonzero(other)) < LEAST_ITEMS:
        return 1.0
    high, low = inside[one].mean(), across[other].mean()
    if high - low < margin:
        return 1.0
    slope = np.where(one, (inside - high) / np.count_nonzero(one), 0.0) - np.where(
        other, (across - low) / np.count_nonzero(other), 0.0
    )
    slope = slope[one | other]
    if team.unit is not None:
        slope = np.bincount(np.unique(team.unit[one | other], return_inverse=True)[1].ravel(), weights=slope)
    units = len(slope)
    if units < 2:
        return 1.0
    from scipy.special import stdtr

    error = float(np.sqrt(units / (units - 1.0) * (slope**2).sum()))
    return float(stdtr(units - 1, -(high - low) / error)) if error > 0 else 0.0


def _mean_agreement(team: Team, one: Array, other: Array) -> float:
    """Return the mean over items of the agreement of two annotators, one of each group; NaN if they share no item."""
    sides = np.zeros(len(team.annotators), dtype=np.int64)
    same = one is other
    sides[one] = 1
    if not same:
        sides[other] = -1
    shares = _item_agreement(team, sides, 1, 1 if same else -1)
    known = shares[~np.isnan(shares)]
    return float(known.mean()) if len(known) else float("nan")


def _differ(team: Team, one: Array, other: Array) -> tuple[int, int, float] | None:
    """Return the two labels that two groups give to the same items most often, and on what share of the items."""
    from scipy.sparse import csr_array

    sides = np.zeros(len(team.annotators), dtype=np.int64)
    sides[one], sides[other] = 1, -1
    shares = []
    for side in (1, -1):
        times = np.bincount(team.cell[sides[team.annotator] == side], minlength=len(team.cell_count)).astype(np.float64)
        size = np.bincount(team.cell_item, weights=times, minlength=team.items)
        times /= np.maximum(size, 1.0)[team.cell_item]
        shares.append(csr_array((times, (team.cell_item, team.cell_label)), shape=(team.items, len(team.labels))))
    met = (shares[0].T @ shares[1]).tocoo()
    total = float(met.data.sum())
    first, second = met.coords
    apart = np.where(first != second, met.data, 0.0)
    if not len(apart) or apart.max() == 0:
        return None
    most = int(np.argmax(apart))
    return int(first[most]), int(second[most]), float(apart[most] / total)
