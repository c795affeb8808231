"""Annotator with annotator: with how many others each one shares items, and the agreement of every two of a small team."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from assent.analyses.annotators.table import AnnotatorTable
from assent.limits import ANNOTATORS_MAPPED, PAIRS_AT_ONCE
from assent.measures.components import chance_corrected
from assent.measures.results import PairAgreement
from assent.profiles import Array
from assent.records import Struct, plain

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["PairMap", "pair_agreements", "pair_map", "partners"]

#: What a pair of annotators costs that is listed, in terms of an annotation in a pass over bits.
PRICE = 6


def partners(team: AnnotatorTable) -> Array:
    """Count the others with whom each annotator shares an item: (annotators,)."""
    if int(team.sizes.max()) == len(team.annotators):
        # All are on one item, and so all have met.
        return np.full(len(team.annotators), len(team.annotators) - 1)
    pairs = float((team.sizes.astype(np.float64) ** 2).sum())
    passes = -(-len(team.annotators) // 64)
    # Many on few items: bits. Few on each of many items: pairs. Either is linear where the other is not.
    return _by_bits(team) if passes * len(team.item) < PRICE * pairs else _by_pairs(team)


def _by_pairs(team: AnnotatorTable) -> Array:
    """List every two annotators of an item as one number, put these in order and count different ones: a slice of annotators at a time."""
    count = len(team.annotators)
    rows = team.item * count + team.annotator
    rows.sort()
    item = rows // count
    # On an item annotators stand in order, and each is paired with those who follow; a pair is one number, no wider than it must be.
    who = (rows - item * count).astype(np.uint32 if count < 2**16 else np.int64)
    left = np.cumsum(team.sizes)[item] - np.arange(1, len(rows) + 1)
    load = np.concatenate([[0], np.cumsum(np.bincount(who, weights=left, minlength=count))])
    met = np.zeros(count, dtype=np.int64)
    first = 0
    while first < count:
        last = int(np.searchsorted(load, load[first] + PAIRS_AT_ONCE, side="right")) - 1
        last = min(max(last, first + 1), count)
        here = np.flatnonzero((left > 0) & (who >= first) & (who < last))
        found, step = [who[:0]], 1
        while len(here):
            found.append(who[here] * count + who[here + step])
            step += 1
            here = here[left[here] >= step]
        pairs = np.concatenate(found)
        pairs.sort()
        pairs = pairs[np.concatenate([pairs[:1] >= 0, pairs[1:] != pairs[:-1]])]
        met += np.bincount(pairs // count, minlength=count) + np.bincount(pairs % count, minlength=count)
        first = last
    return met


def _by_bits(team: AnnotatorTable) -> Array:
    """Let every annotation collect who else is on its item, 64 annotators at a time, each a bit."""
    here = np.flatnonzero(team.shared > 0)
    count = np.zeros(len(team.annotators), dtype=np.int64)
    for first in range(0, len(team.annotators), 64):
        mine = slice(team.bounds[first], team.bounds[min(first + 64, len(team.annotators))])
        on_item = np.zeros(team.kinds, dtype=np.uint64)
        bit = np.left_shift(np.uint64(1), (team.annotator[mine] - first).astype(np.uint64))
        np.bitwise_or.at(on_item, team.item[mine], bit)
        met = np.bitwise_or.reduceat(on_item[team.item], team.bounds[here])
        count[here] += np.bitwise_count(met)
    # Everyone was met by themselves, too.
    count[here] -= 1
    return count


def _present(team: AnnotatorTable) -> csr_array[Any, tuple[int, int]]:
    """Return 1 where an annotator labelled items of a kind: sparse (kinds, annotators)."""
    from scipy.sparse import csr_array

    cells = (np.ones(len(team.item), dtype=np.int32), (team.item, team.annotator))
    return csr_array(cells, shape=(team.kinds, len(team.annotators)))


def pair_agreements(team: AnnotatorTable) -> tuple[PairAgreement, ...]:
    """Measure Cohen's kappa of every two annotators who share items, on these items.

    The numbers are those of `assent.cohen_kappa`, which a test holds them to; here all pairs come from a few sparse products. It needs
    memory for annotators x annotators and time for the labels besides: it is for small teams.
    """
    from scipy.sparse import csr_array

    count, labels = len(team.annotators), len(team.labels)
    ones = np.ones(len(team.item), dtype=np.int64)
    present = _present(team).astype(np.int64)
    weighted = csr_array((team.times, (team.item, team.annotator)), shape=present.shape)
    same, same_weighted = (
        csr_array((times, (team.cell, team.annotator)), shape=(len(team.cell_count), count))
        for times in (ones, team.times)
    )
    together, agreed = (present.T @ weighted).toarray(), (same.T @ same_weighted).toarray()
    # How often an annotator gave each label on the items shared with each other one: sparse (annotators * labels, annotators).
    chosen = csr_array((ones, (team.annotator * labels + team.label, team.item)), shape=(count * labels, team.kinds))
    shares = (chosen @ weighted).tocoo()
    owner, label = np.divmod(shares.coords[0].astype(np.int64), labels)
    other = shares.coords[1].astype(np.int64)
    forth = csr_array((shares.data, (owner * count + other, label)), shape=(count**2, labels))
    back = csr_array((shares.data, (other * count + owner, label)), shape=(count**2, labels))
    products = np.asarray(forth.multiply(back).sum(axis=1)).reshape(count, count)
    first, second = np.nonzero(np.triu(together, 1))
    items = together[first, second]
    observed, expected = agreed[first, second] / items, products[first, second] / items.astype(np.float64) ** 2
    if team.near is not None:
        observed, expected = _near_pairs(team, forth, back, first, second, items)
    values = chance_corrected(observed, expected)
    return tuple(
        PairAgreement(
            first=team.annotators[int(first[i])],
            second=team.annotators[int(second[i])],
            n_items=int(items[i]),
            value=float(values[i]),
            observed=float(observed[i]),
            expected=float(expected[i]),
        )
        for i in range(len(first))
    )


def _near_pairs(
    team: AnnotatorTable, forth: Any, back: Any, first: Array, second: Array, items: Array
) -> tuple[Array, Array]:
    """Return observed and expected agreement of pairs where near labels agree in part: (pairs,) each."""
    assert team.near is not None
    count = len(team.annotators)
    labels = np.full((count, team.kinds), -1, dtype=np.int64)
    labels[team.annotator, team.item] = team.label
    observed, expected = np.empty(len(first)), np.empty(len(first))
    for place, (one, other) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        both = np.flatnonzero((labels[one] >= 0) & (labels[other] >= 0))
        observed[place] = team.near[labels[one, both], labels[other, both]] @ team.weight[both] / items[place]
        mine, theirs = (part[[one * count + other]].toarray()[0] for part in (forth, back))
        expected[place] = mine @ team.near @ theirs / float(items[place]) ** 2
    return observed, expected


class PairMap(Struct, frozen=True, kw_only=True, eq=False):
    """Cohen's kappa of every two annotators, those who agree with the same others side by side.

    Parameters
    ----------
    values, items : array (annotators, annotators)
        Kappa, NaN where there is none, and shared items.
    n_left_out : int
        Annotators with fewer shared items, who are not in it.
    """

    annotators: tuple[str, ...]
    values: Array
    items: Array
    n_left_out: int

    def to_dict(self) -> dict[str, Any]:
        """Return the map as plain values."""
        return {
            "annotators": list(self.annotators),
            "values": [[plain(cell) for cell in row] for row in self.values.tolist()],
            "items": self.items.tolist(),
            "measure": "cohen-kappa",
            "title": "Cohen's kappa",
            "more": self.n_left_out,
        }


def pair_map(annotators: Sequence[str], shared: Array, pairs: Sequence[PairAgreement]) -> PairMap:
    """Arrange pairs for a map.

    Parameters
    ----------
    shared : array (annotators,)
        How many items each of them shares with others.
    """
    busiest = sorted(np.argsort(-shared, kind="stable")[:ANNOTATORS_MAPPED].tolist())
    place = {annotators[i]: at for at, i in enumerate(busiest)}
    values = np.full((len(place), len(place)), np.nan)
    items = np.zeros(values.shape, dtype=np.int64)
    for pair in pairs:
        if pair.first in place and pair.second in place:
            i, j = place[pair.first], place[pair.second]
            values[i, j] = values[j, i] = pair.value
            items[i, j] = items[j, i] = pair.n_items
    order = _clustered(values)
    names = list(place)
    return PairMap(
        annotators=tuple(names[i] for i in order),
        values=values[np.ix_(order, order)],
        items=items[np.ix_(order, order)],
        n_left_out=len(annotators) - len(names),
    )


def _clustered(values: Array) -> list[int]:
    """Order annotators so that those who agree stand together (average linkage on one less the kappa)."""
    if len(values) < 3:
        return list(range(len(values)))
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    # Two who share nothing are as far apart as two on average.
    mean = np.nanmean(values) if not np.isnan(values).all() else 0.0
    distance = np.clip(1.0 - np.where(np.isnan(values), mean, values), 0.0, 2.0)
    np.fill_diagonal(distance, 0.0)
    return [int(i) for i in leaves_list(linkage(squareform(distance), "average", optimal_ordering=True))]
