"""Sets of labels that meet on an item: what every measure that compares the sets of two annotators needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from assent.limits import MEETINGS_AT_ONCE
from assent.measures.components import Pairs
from assent.measures.paired import SharedItems
from assent.profiles import SPARSE_CELLS, Array, Matrix, Ratings
from assent.records import dataclass

__all__ = ["Meetings"]


@dataclass(frozen=True, eq=False)
class Meetings:
    """Every two annotators and each profile that both labelled, listed one by one: of many annotators every two share few items.

    Parameters
    ----------
    items : Ratings
    first, second : array (pairs,)
        Positions of the annotators of each pair.
    profile, pair : array (meetings,)
    sides : tuple of two arrays (meetings,)
        The sets that the first and the second annotator of the pair gave.
    """

    items: Ratings
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
            made = (shared.first, shared.second, profile, pair, sides)
            if len(profile) <= MEETINGS_AT_ONCE:
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

    def for_each(self, compare: Callable[[Array, Array], Array], width: int, sides: Sequence[Array] = ()) -> Array:
        """Compare both sets of every meeting, no more of them at a time than memory is to be taken for: (meetings,)."""
        one, two = sides or self.sides
        made = np.empty(len(one))
        step = max(1, MEETINGS_AT_ONCE // max(1, width))
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

    def total_of(self, table: Array, side: Array, name: str = "") -> Array:
        """Sum the row of `table` that each meeting has over the items of each pair: (..., pairs, columns)."""

        def made() -> Matrix:
            row, column = np.nonzero(table)
            times = np.bincount(row, minlength=len(table))
            first = np.cumsum(times) - times
            meeting = np.repeat(np.arange(len(side)), times[side])
            entry = np.arange(len(meeting)) + np.repeat(
                first[side] - (np.cumsum(times[side]) - times[side]), times[side]
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

    def _total(self, make: Callable[[], Matrix], name: str) -> Array:
        """Sum terms over items; those that have a name are made once for all ways to count the same profiles."""
        kept = self.items.kept_results
        terms = kept.get(f"meetings, {name}") if name else None
        if terms is None:
            terms = make()
            if name and len(self.profile) <= MEETINGS_AT_ONCE:
                kept[f"meetings, {name}"] = terms
        made = self.items.total(terms)
        return made.reshape(*made.shape[:-1], self.count, -1)

    def pairs(self, observed: Array, expected: Array) -> Pairs:
        """Put together what was found for every two annotators."""
        return Pairs(first=self.first, second=self.second, items=self.number, observed=observed, expected=expected)
