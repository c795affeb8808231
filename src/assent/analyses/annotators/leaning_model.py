"""What annotators who read alike agree on if some of them lean: are stricter, or use a label more often than others do.

An item has a weight for each of its labels and an annotator has one for each label, the same on all items: so that each item gets its labels
as often as it did, and each annotator gives every label as often as they do. Annotators who lean the same way agree more with each
other than with those who lean the other way, without reading any item differently. (With two labels this is the model of Rasch.)

References
----------
Rasch, G. (1960). Probabilistic models for some intelligence and attainment tests. Danish Institute for Educational Research.
"""

from __future__ import annotations

import numpy as np

from assent.analyses.annotators.table import AnnotatorTable
from assent.profiles import Array

__all__ = ["by_chance", "by_leaning"]

#: Rounds in which the weights of labels are brought in line with how often they are given.
ROUNDS = 100
#: Added to both counts, so that a label that is never given keeps a weight.
DOUBT = 0.5


def by_leaning(team: AnnotatorTable, sides: Array) -> dict[tuple[int, int], Array]:
    """Return the agreement of two annotations of an item that leaning alone would make, by the sides of the two: (kinds,) each.

    Parameters
    ----------
    sides : array (annotators,)
        1 and -1; 0 for who is on neither side.
    """
    rows = np.arange(len(team.item))
    row, cell = team.meetings(rows)
    chance = _chances(team, row, cell)
    size = team.sizes[team.cell_item].astype(np.float64)
    # Two annotations of an item cannot be the same one.
    factor = np.where(size > 1, size / np.maximum(size - 1.0, 1.0), 0.0) * (1.0 - 1.0 / team.cell_count)
    side = sides[team.annotator]
    sums, squares, number = {}, {}, {}
    for one in (1, -1):
        mine = (side == one)[row]
        sums[one] = np.bincount(cell[mine], weights=chance[mine], minlength=len(team.cell_count))
        squares[one] = np.bincount(cell[mine], weights=chance[mine] ** 2, minlength=len(team.cell_count))
        number[one] = np.bincount(team.item[side == one], minlength=team.kinds).astype(np.float64)
    found = {}
    for one, other in ((1, 1), (-1, -1), (1, -1)):
        same = one == other
        pairs = number[one] * (number[other] - 1.0) if same else number[one] * number[other]
        met = factor * (sums[one] * sums[other] - (squares[one] if same else 0.0))
        total = np.bincount(team.cell_item, weights=met, minlength=team.kinds)
        found[one, other] = np.where(pairs > 0, total / np.where(pairs > 0, pairs, 1.0), np.nan)
    # Of two annotations, the item's labels say all there is.
    two = team.sizes == 2
    if two.any():
        agreed = np.bincount(team.cell_item, weights=team.cell_count > 1, minlength=team.kinds)
        mean = float(np.average(agreed[two], weights=team.weight[two]))
        found = {key: np.where(two & ~np.isnan(values), mean, values) for key, values in found.items()}
    return found


def _chances(team: AnnotatorTable, row: Array, cell: Array) -> Array:
    """Return how likely each annotation is to have each of its item's labels: (meetings,)."""
    labels = len(team.labels)
    use = team.annotator[row] * labels + team.cell_label[cell]
    count = team.cell_count[cell].astype(np.float64)
    times = team.times[row].astype(np.float64)
    # Items on which all agree say nothing about who leans.
    disputed = count < team.sizes[team.item[row]]
    own = (team.cell[row] == cell)[disputed]
    use_disputed, times = use[disputed], times[disputed]
    given = np.bincount(use_disputed, weights=times * own, minlength=len(team.annotators) * labels)
    weight, of_item = np.ones(len(given)), team.cell_count.astype(np.float64)
    chance = count
    for _ in range(ROUNDS):
        share = of_item[cell] * weight[use]
        chance = share / np.bincount(row, weights=share, minlength=len(team.item))[row]
        expected = np.bincount(use_disputed, weights=times * chance[disputed], minlength=len(given))
        weight *= (given + DOUBT) / (expected + DOUBT)
        share = of_item[cell] * weight[use]
        chance = share / np.bincount(row, weights=share, minlength=len(team.item))[row]
        of_item *= team.cell_count / np.bincount(cell, weights=chance, minlength=len(of_item))
    return np.asarray(chance)


def by_chance(team: AnnotatorTable, sides: Array) -> dict[tuple[int, int], float]:
    """Return the agreement that the label shares of two annotators alone would make, on average, by the sides of the two."""
    labels = len(team.labels)
    used = np.bincount(
        team.annotator * labels + team.label, weights=team.times, minlength=len(team.annotators) * labels
    ).reshape(-1, labels)
    total = used.sum(axis=1)
    share = used / np.maximum(total, 1.0)[:, None]
    found = {}
    for one, other in ((1, 1), (-1, -1), (1, -1)):
        first, second = (np.flatnonzero((sides == side) & (total > 0)) for side in (one, other))
        met = share[first] @ share[second].T
        if one == other:
            count = len(first) * (len(first) - 1)
            found[one, other] = float((met.sum() - np.trace(met)) / count) if count else 0.0
        else:
            found[one, other] = float(met.mean()) if met.size else 0.0
    return found
