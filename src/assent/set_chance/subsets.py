"""Drawing different labels one after the other, followed through every set that can come of it.

The probability that the first |A| draws make up the set A is a sum over its last label::

    P(A) = Σ_{c in A} P(A without c) p_c / p(labels not in A without c)

Of sets of up to m labels there are few if m is small, whatever the number of labels: 24,158 of up to four out of 28. For these this takes a
small part of the time of the integrals in `assent.set_chance.exponential_times`. With x(J) the probability that the labels of J are all drawn, that of
drawing no label of A is::

    Σ_{J subset of A} (-1)^|J| x(J)

Signs cancel in this sum, and digits are lost in sets of more than a few labels. Such sets are followed only where the labels are so
few that all their sets can be listed: then it is a sum over the subsets of all other labels.

Everything is smooth in p and takes complex numbers; `Draws.slopes` goes the other way, from what a number owes to each P(A) to what it owes
to each share, for little more than the number itself takes. Replicates are the last axis, so that a step of the recursion is one
operation on all of them.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb

import numpy as np

from assent.profiles import Array
from assent.records import Struct, cached_property

__all__ = ["Draws", "Listing", "listing", "pairs_listed", "sets_listed"]

#: Sets times labels that are listed at most: 20 MB.
LISTED_CELLS = 20_000_000
#: Labels of which sets of any size are listed: 4,096 of them.
LISTED_LABELS = 12
#: Of more labels, sets of up to so many: sums with signs lose up to 2^7 units of the last place.
LARGEST_SIGNED = 7


def sets_listed(labels: int, largest: int) -> bool:
    """Say whether sets of up to `largest` of so many labels are few enough to be listed."""
    return labels * sum(comb(labels, m) for m in range(min(labels, largest) + 1)) <= LISTED_CELLS


def pairs_listed(labels: int, largest: int) -> bool:
    """Say whether they are, and small enough to be compared with each other without a loss of digits."""
    return (labels <= LISTED_LABELS or largest <= LARGEST_SIGNED) and sets_listed(labels, largest)


class Listing(Struct, frozen=True, eq=False, dict=True):
    """All sets of up to some number of labels, smaller ones first; of sets of more than LARGEST_SIGNED, those of all sizes.

    Parameters
    ----------
    starts : tuple of int
        Where the sets of each size begin, and where the last ones end.
    members : array (sets, labels) of bool
    holding, less : tuple, by size, of arrays (labels, sets)
        For each label the sets of a size that hold it, and the same sets without it. Nothing is at size 0.
    """

    labels: int
    largest: int
    starts: tuple[int, ...]
    members: Array
    holding: tuple[Array, ...]
    less: tuple[Array, ...]

    def of(self, size: int) -> slice:
        """Return where the sets of a size stand."""
        return slice(self.starts[size], self.starts[size + 1])

    def apart(self, values: Array) -> Array:
        """Add up, for each set, over all sets that have no label in common with it: (sets, ...)."""
        if self.largest == self.labels:
            return np.asarray(self.contained(values)[self._others])
        signs = np.repeat((-1.0) ** np.arange(self.largest + 1), np.diff(self.starts))
        return self.contained(signs.reshape(-1, *[1] * (values.ndim - 1)) * self.containing(values))

    @cached_property
    def _others(self) -> Array:
        """Where the set of all other labels stands, if all sets are listed: (sets,)."""
        number = self.members @ (1 << np.arange(self.labels))
        place = np.empty_like(number)
        place[number] = np.arange(len(number))
        return np.asarray(place[len(number) - 1 - number])

    def absent(self, size: int) -> Array:
        """Return 1 for the labels that are not in each set of a size, 0 for the others: (sets, labels)."""
        return (~self.members[self.of(size)]).astype(np.float64)

    def spread(self, by_size: Array) -> Array:
        """Give each set the number of its size: from (sizes, replicates) to (sets, replicates)."""
        return np.repeat(by_size, np.diff(self.starts), axis=0)

    def by_size(self, values: Array) -> Array:
        """Add up over the sets of each size: from (sets, replicates) to (sizes, replicates)."""
        return np.stack([values[self.of(m)].sum(axis=0) for m in range(self.largest + 1)])

    def containing(self, values: Array) -> Array:
        """Add up, for each set, over all sets that contain it: (sets, ...)."""
        added = np.array(values)
        for c in range(self.labels):
            for m in range(1, self.largest + 1):
                added[self.less[m][c]] += np.take(added, self.holding[m][c], axis=0)
        return added

    def contained(self, values: Array) -> Array:
        """Add up, for each set, over all sets that it contains, the converse of `containing`: (sets, ...)."""
        added = np.array(values)
        for c in range(self.labels):
            for m in range(1, self.largest + 1):
                added[self.holding[m][c]] += np.take(added, self.less[m][c], axis=0)
        return added


@lru_cache(maxsize=4)
def listing(labels: int, largest: int) -> Listing:
    """List all sets of up to `largest` of so many labels.

    Examples
    --------
    >>> listing(3, 2).members.astype(int).tolist()
    [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1]]
    """
    every = labels <= LISTED_LABELS and largest > LARGEST_SIGNED
    largest = labels if every else min(labels, largest)
    # Sets of a size in the order of their largest label, then of the next: those of labels below c are the first comb(c, size).
    sets = [np.zeros((1, 0), dtype=np.int64)]
    for m in range(1, largest + 1):
        grown = [
            np.column_stack([sets[-1][: comb(c, m - 1)], np.full(comb(c, m - 1), c)]) for c in range(m - 1, labels)
        ]
        sets.append(np.concatenate(grown))
    starts = np.cumsum([0, *map(len, sets)]).tolist()
    places = np.array([[comb(c, k) for k in range(largest + 1)] for c in range(labels)]).reshape(labels, largest + 1)
    members = np.zeros((starts[-1], labels), dtype=bool)
    holding, less = [np.zeros((labels, 0), dtype=np.int64)], [np.zeros((labels, 0), dtype=np.int64)]
    for m in range(1, largest + 1):
        own = sets[m]
        members[starts[m] + np.arange(len(own))[:, None], own] = True
        rank = np.stack([places[own[:, i], i + 1] for i in range(m)], axis=1)
        below = np.stack([places[own[:, i], i] for i in range(m)], axis=1)
        # Without the i-th label those above it come one place earlier.
        before = np.cumsum(rank, axis=1) - rank
        above = below[:, ::-1].cumsum(axis=1)[:, ::-1] - below
        order = np.argsort(own.ravel(), kind="stable")
        holding.append((starts[m] + order // m).reshape(labels, -1))
        less.append((starts[m - 1] + (before + above).ravel()[order]).reshape(labels, -1))
    return Listing(labels, largest, tuple(starts), members, tuple(holding), tuple(less))


class Draws:
    """How likely each set of a listing is what as many draws as it has labels make up.

    Parameters
    ----------
    rates : array (replicates, labels)
        Each row adds up to 1, or to 0; labels of 0 are never drawn.
    largest : int
        The largest size of interest.

    Examples
    --------
    >>> Draws(np.array([[0.5, 0.3, 0.2]]), 2).made[:, 0].round(3)
    array([1.   , 0.5  , 0.3  , 0.2  , 0.514, 0.325, 0.161])
    """

    def __init__(self, rates: Array, largest: int) -> None:
        self.sets = sets = listing(rates.shape[1], largest)
        self.rates = np.ascontiguousarray(rates.T)
        # Only what is not in a set is added up: taken from the total, rare labels would lose their digits.
        left = np.concatenate([sets.absent(m) @ self.rates for m in range(sets.largest + 1)])
        # What is left of labels that are all but impossible has no reciprocal that a float holds.
        none_left = left.real < np.finfo(np.float64).tiny
        self.share = np.where(none_left, 0.0, 1.0) / np.where(none_left, 1.0, left)
        self.made = np.zeros_like(left)
        self.made[0] = 1.0
        self.next = np.zeros_like(left)
        for m in range(sets.largest + 1):
            own = sets.of(m)
            if m:
                for c in range(sets.labels):
                    self.made[sets.holding[m][c]] += np.take(self.next, sets.less[m][c], axis=0) * self.rates[c]
            self.next[own] = self.made[own] * self.share[own]
        #: Of fewer labels than are asked for, the set is all of them.
        most = np.minimum(np.count_nonzero(rates.real, axis=1), sets.largest)
        self.drawn = np.minimum(np.arange(largest + 1)[:, None], most)

    def sizes(self, asked: Array) -> Array:
        """Turn shares of sizes that are asked for into those of sizes that are drawn: both (sizes, replicates)."""
        made = np.zeros((self.sets.largest + 1, asked.shape[1]), dtype=asked.dtype)
        for asked_for, drawn in zip(asked, self.drawn, strict=True):
            for size in np.unique(drawn):
                made[size] += np.where(drawn == size, asked_for, 0.0)
        return made

    def asked(self, by_size: Array) -> Array:
        """Look up for each size that is asked for what belongs to the one drawn, the converse of `sizes`: (sizes, replicates)."""
        return np.asarray(by_size[self.drawn, np.arange(by_size.shape[1])])

    def included(self, largest: int) -> Array:
        """Return how likely each label is among so many draws: (largest + 1, labels, replicates).

        It takes the sets of one label less than `largest`.
        """
        drawn = [np.zeros_like(self.rates), *(self.rates * one for one in self._next_without())]
        return np.asarray(np.cumsum(drawn, axis=0)[np.minimum(np.arange(largest + 1), self.sets.largest + 1)])

    def _next_without(self) -> list[Array]:
        """Add up, for each size and label, the sets without it that are about to get one more: (labels, replicates) each."""
        return [self.sets.absent(m).T @ self.next[self.sets.of(m)] for m in range(self.sets.largest + 1)]

    def slopes_of_included(self, owed: Array) -> Array:
        """Carry the derivative of a number in each of `included` to that in each share: (replicates, labels)."""
        last = self.sets.largest + 1
        by_draws = np.zeros((last + 1, *owed.shape[1:]))
        np.add.at(by_draws, np.minimum(np.arange(len(owed)), last), owed)
        each = np.cumsum(by_draws[:0:-1], axis=0)[::-1]
        found = sum(
            (one * more for one, more in zip(each, self._next_without(), strict=True)), np.zeros_like(self.rates)
        )
        by_next = [self.sets.absent(m) @ (one * self.rates) for m, one in enumerate(each)]
        return np.asarray(self.slopes(np.zeros_like(self.made), np.concatenate(by_next)) + found.T)

    def slopes(self, owed: Array, by_next: Array | None = None) -> Array:
        """Carry the derivative of a number in each P(A) (sets, replicates) to that in each share: (replicates, labels).

        `by_next` is its derivative in P(A) over the share of all labels not in A.
        """
        sets, owed = self.sets, np.array(owed)
        by_next = np.zeros_like(owed) if by_next is None else np.array(by_next)
        found = np.zeros_like(self.rates)
        for m in range(sets.largest, -1, -1):
            own = sets.of(m)
            if m < sets.largest:
                for c in range(sets.labels):
                    behind, ahead = sets.less[m + 1][c], np.take(owed, sets.holding[m + 1][c], axis=0)
                    found[c] += np.einsum("jr,jr->r", ahead, np.take(self.next, behind, axis=0))
                    by_next[behind] += ahead * self.rates[c]
            owed[own] += by_next[own] * self.share[own]
            found -= sets.absent(m).T @ (by_next[own] * self.next[own] * self.share[own])
        return np.asarray(found.T)
