"""Tuples of units that a best alignment may need.

A tuple holds at most one unit of each of n annotators. With C = n (n - 1) / 2 pairs and dissimilarities d, leaving k units unaligned
costs k C and aligning them C - sum (1 - d), so the tuple saves C (k - 1) + sum (1 - d). It is needed only if no split of it in two parts
A and B saves as much: the dissimilarities across must add up to less than C + |A| |B|. That leaves units near each other.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import numpy as np

from assent.continua.units import Units
from assent.errors import UnsuitableData
from assent.limits import MOST_TUPLES
from assent.profiles import Array
from assent.records import Struct

__all__ = ["Dissimilarity", "TooManyTuples", "Tuples", "candidate_tuples"]

#: Beyond so many members only splits into one and the rest are looked at: all of them would be thousands.
MOST_SPLIT = 9


class TooManyTuples(UnsuitableData):
    """More combinations of units would have to be looked at than can be held at once."""


class Dissimilarity(Struct, frozen=True, kw_only=True):
    """How unlike two units are: in place, ``((|ds| + |de|) / (length + length))**2``, and in label, 0 or 1.

    Parameters
    ----------
    position_weight, label_weight : float
        What each of the two counts; a unit without a partner counts 1.
    """

    position_weight: float = 1.0
    label_weight: float = 1.0

    def position(self, units: Units, first: Array, second: Array) -> Array:
        """Return how unlike the places of units are, times its weight."""
        start, end = units.start, units.end
        apart = np.abs(start[first] - start[second]) + np.abs(end[first] - end[second])
        both = end[first] - start[first] + end[second] - start[second]
        return np.asarray(self.position_weight * (apart / both) ** 2)

    def __call__(self, units: Units, first: Array, second: Array) -> Array:
        """Return how unlike units are."""
        differs = units.label[first] != units.label[second]
        return np.asarray(self.position(units, first, second) + self.label_weight * differs)


class Tuples(Struct, frozen=True, kw_only=True, eq=False):
    """Tuples of units, and what each of them saves.

    Parameters
    ----------
    members : array (tuples, annotators) of integers
        Units; -1 where a tuple has fewer than annotators.
    gain : array (tuples,)
    """

    members: Array
    gain: Array


def candidate_tuples(units: Units, slots: int, unlike: Dissimilarity) -> Tuples:
    """Return every tuple that a best alignment of units of `slots` annotators may need.

    Raises
    ------
    TooManyTuples
        If there are too many of them to be held at once.
    """
    pairs = slots * (slots - 1) // 2
    first, second, distance = _near(units, unlike, reach=pairs + slots - 1.0)
    # Units by the first of a pair: where those that follow it begin and end.
    order = np.argsort(first, kind="stable")
    first, second, distance = first[order], second[order], distance[order]
    begins = np.searchsorted(first, np.arange(len(units) + 1))
    members, distances = np.stack([first, second], axis=1), distance[:, None]
    found, gains = [], []
    for size in range(2, slots + 1):
        needed = (distances @ _splits(size) < _bounds(size, slots, final=True)).all(axis=1)
        padded = np.full((int(needed.sum()), slots), -1, dtype=np.int64)
        padded[:, :size] = members[needed]
        found.append(padded)
        gains.append(pairs * (size - 1) + size * (size - 1) / 2 - distances[needed].sum(axis=1))
        if size == slots or not len(members):
            break
        last = members[:, -1]
        more = begins[last + 1] - begins[last]
        _check(int(more.sum()) * (size + 1))
        row = np.repeat(np.arange(len(members)), more)
        at = np.arange(len(row)) - np.repeat(np.cumsum(more) - more, more) + np.repeat(begins[last], more)
        grown = np.column_stack([members[row], second[at]])
        columns = [unlike(units, grown[:, i], grown[:, -1]) for i in range(size - 1)]
        distances = np.column_stack([distances[row], *columns, distance[at]])
        possible = (distances @ _splits(size + 1) < _bounds(size + 1, slots, final=False)).all(axis=1)
        members, distances = grown[possible], distances[possible]
    return Tuples(members=np.concatenate(found), gain=np.concatenate(gains))


def _near(units: Units, unlike: Dissimilarity, *, reach: float) -> tuple[Array, Array, Array]:
    """Return all pairs of units of two annotators of a continuum that are less than `reach` apart, in the order of slots.

    Twice the distance of two midpoints is at most ``|ds| + |de|``, so a partner lies within a window about the midpoint. Units are
    sorted by midpoint in classes of length, and all continua lie one after the other, far apart.
    """
    root = float(np.sqrt(reach / unlike.position_weight))
    length = units.end - units.start
    lowest = np.full(units.continua, np.inf)
    np.minimum.at(lowest, units.continuum, units.start)
    middle = units.start + units.end - 2.0 * lowest[units.continuum]
    apart = float(middle.max(initial=0.0)) + 2.0 * root * float(length.max(initial=0.0)) + 1.0
    middle = middle + apart * units.continuum
    sizes = np.floor(np.log2(length)).astype(np.int64)
    parts: list[tuple[Array, Array, Array]] = []
    for size in np.unique(sizes):
        there = np.flatnonzero(sizes == size)
        there = there[np.argsort(middle[there], kind="stable")]
        window = root * (length + length[there].max())
        low = np.searchsorted(middle[there], middle - window, side="left")
        more = np.searchsorted(middle[there], middle + window, side="right") - low
        _check(int(more.sum()))
        one = np.repeat(np.arange(len(units)), more)
        other = there[np.arange(len(one)) - np.repeat(np.cumsum(more) - more, more) + np.repeat(low, more)]
        ordered = (units.slot[one] < units.slot[other]) & (units.continuum[one] == units.continuum[other])
        one, other = one[ordered], other[ordered]
        distance = unlike(units, one, other)
        near = distance < reach
        parts.append((one[near], other[near], distance[near]))
    if not parts:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0)
    first, second, distances = (np.concatenate(column) for column in zip(*parts, strict=True))
    return first, second, distances


def _check(number: int) -> None:
    if number > MOST_TUPLES:
        raise TooManyTuples(
            f"Gamma is not computed: its best alignment would need more than {MOST_TUPLES:,} combinations of units to be looked at, "
            "because many annotators marked many units in the same place; leave annotators out, or use span-f1."
        )


@lru_cache(maxsize=64)
def _parts(size: int) -> tuple[tuple[int, ...], ...]:
    """Return the smaller part of each split of `size` members in two."""
    most = size // 2 if size <= MOST_SPLIT else 1
    found = [one for number in range(1, most + 1) for one in combinations(range(size), number)]
    return tuple(one for one in found if 2 * len(one) < size or 0 in one)


def _order(size: int) -> list[tuple[int, int]]:
    """Return the pairs of members in the order of the columns of distances, which grow by a member at a time."""
    return [(i, j) for j in range(1, size) for i in range(j)]


@lru_cache(maxsize=64)
def _splits(size: int) -> Array:
    """Return for each pair of members and each split 1 if the split goes between them: (pairs, splits)."""
    return np.array([[(i in one) != (j in one) for one in _parts(size)] for i, j in _order(size)], dtype=np.float64)


@lru_cache(maxsize=256)
def _bounds(size: int, slots: int, *, final: bool) -> Array:
    """Return what dissimilarities across each split must stay below; for parts of larger tuples if not `final`."""
    pairs = slots * (slots - 1) // 2
    small = np.array([len(one) for one in _parts(size)])
    if final:
        return np.asarray(pairs + small * (size - small), dtype=np.float64)
    # The rest may join either side; both ways give a split of the larger tuple.
    return np.asarray(pairs + np.minimum(small * (slots - small), (size - small) * (slots - size + small)), dtype=float)
