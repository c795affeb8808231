"""Sets of labels that meet on an item: what every measure that compares the sets of two annotators needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from assent.limits import MEETINGS_KEPT
from assent.measures.components import Pairs
from assent.measures.paired import SharedItems
from assent.profiles import SPARSE_CELLS, Array, Matrix, Ratings, RepeatedTerms, Terms
from assent.records import Struct, cached_property

__all__ = ["Meetings"]

#: From this share of meetings on, of all that there could be, rows of sets are not written out for every pair.
MOST_MEET = 0.25


class Meetings(Struct, frozen=True, eq=False, dict=True):
    """Every two annotators and each profile that both labelled, listed one by one: of many annotators every two share few items.

    Parameters
    ----------
    items : Ratings
    code : array (profiles, annotators)
        Which set each annotator gave, -1 where there is none.
    first, second : array (pairs,)
        Positions of the annotators of each pair.
    profile, pair : array (meetings,)
    sides : tuple of two arrays (meetings,)
        The sets that the first and the second annotator of the pair gave.
    """

    items: Ratings
    code: Array
    first: Array
    second: Array
    profile: Array
    pair: Array
    sides: tuple[Array, Array]

    @classmethod
    def of(cls, items: Ratings) -> Meetings:
        """List the meetings, once for all ways to count the same profiles unless they are very many."""
        made = items.kept_results.get("meetings")
        if made is None:
            shared = SharedItems.of(items)
            profile, pair = np.nonzero(shared.both)
            sides = (shared.one[profile, pair], shared.two[profile, pair])
            made = (shared.code, shared.first, shared.second, profile, pair, sides)
            if len(profile) <= MEETINGS_KEPT:
                items.kept_results["meetings"] = made
        return cls(items, *made)

    @property
    def count(self) -> int:
        """How many pairs of annotators there are."""
        return len(self.first)

    @cached_property
    def number(self) -> Array:
        """Items that both labelled: (..., pairs)."""
        return self.total(np.ones(len(self.profile)), "number")

    @cached_property
    def _compared_sets(self) -> Array:
        """Positions of the sets that meet another."""
        return np.unique(np.concatenate(self.sides))

    def for_each(self, compare: Callable[[Array, Array], Array], width: int, sides: Sequence[Array] = ()) -> Array:
        """Compare both sets of every meeting, or every two sets if these are fewer: (meetings,).

        Parameters
        ----------
        compare : callable
            From positions of sets, (comparisons,) each, to a number for each two.
        width : int
            Numbers that it takes for each comparison: no more of them are made at a time than memory is to be taken for.
        sides : sequence of two arrays, optional
        """
        one, two = sides or self.sides
        sets = len(self.items.parts.members)
        if sets**2 < len(one):
            every = np.arange(sets)
            table = self._compared(compare, width, np.repeat(every, sets), np.tile(every, sets))
            return np.asarray(table.reshape(sets, sets)[one, two])
        return self._compared(compare, width, one, two)

    @staticmethod
    def _compared(compare: Callable[[Array, Array], Array], width: int, one: Array, two: Array) -> Array:
        made = np.empty(len(one))
        step = max(1, MEETINGS_KEPT // max(1, width))
        for start in range(0, len(one), step):
            rows = slice(start, start + step)
            made[rows] = compare(one[rows], two[rows])
        return made

    def total(self, values: Array | Callable[[], Array], name: str = "") -> Array:
        """Sum a number of each meeting over the items of each pair: (..., pairs)."""

        def made() -> Matrix:
            each = values() if callable(values) else values
            return self._terms(np.arange(len(each)), 0, each, 1)

        return self._total(made, name)[..., 0]

    def total_by_set(self, table: Array, side: int, name: str = "") -> Array:
        """Sum the row of `table` that belongs to the set of the first or the second of each pair: (..., pairs, columns)."""
        if len(self.profile) < MOST_MEET * len(self.code) * self.count:
            return self.total_of(table, self.sides[side], name)
        own, other = (self.second, self.first) if side else (self.first, self.second)
        # What no compared set has would change the order of sums, and so their last digit.
        kept = np.flatnonzero(table[self._compared_sets].any(axis=0))
        found = self._total(
            lambda: RepeatedTerms(self.code, table[:, kept], own, other), name and f"{name}, not written out"
        )
        made = np.zeros((*found.shape[:-1], table.shape[1]), found.dtype)
        made[..., kept] = found
        return made

    def total_of(self, table: Array, place: Array, name: str = "") -> Array:
        """Sum the row of `table` that each meeting has over the items of each pair: (..., pairs, columns)."""

        def made() -> Matrix:
            row, column = np.nonzero(table)
            times = np.bincount(row, minlength=len(table))
            first = np.cumsum(times) - times
            meeting = np.repeat(np.arange(len(place)), times[place])
            entry = np.arange(len(meeting)) + np.repeat(
                first[place] - (np.cumsum(times[place]) - times[place]), times[place]
            )
            return self._terms(meeting, column[entry], table[row, column][entry], table.shape[1])

        return self._total(made, name)

    def _terms(self, meeting: Array, column: Array | int, values: Array, width: int) -> Matrix:
        profiles, columns = len(self.items.multiplicities), self.pair[meeting] * width + column
        if profiles * self.count * width <= SPARSE_CELLS:
            terms = np.zeros((profiles, self.count * width))
            terms[self.profile[meeting], columns] = values
            return terms
        from scipy.sparse import csr_array

        starts = np.searchsorted(self.profile[meeting], np.arange(profiles + 1))
        return csr_array((values, columns, starts), shape=(profiles, self.count * width))

    def _total(self, make: Callable[[], Terms], name: str) -> Array:
        """Sum terms over items; those that have a name are made once for all ways to count the same profiles."""
        kept = self.items.kept_results
        terms = kept.get(f"meetings, {name}") if name else None
        if terms is None:
            terms = make()
            if name and len(self.profile) <= MEETINGS_KEPT:
                kept[f"meetings, {name}"] = terms
        made = self.items.total(terms)
        return made.reshape(*made.shape[:-1], self.count, -1)

    def pairs(self, observed: Array, expected: Array) -> Pairs:
        """Put together what was found for every two annotators."""
        return Pairs(first=self.first, second=self.second, items=self.number, observed=observed, expected=expected)
