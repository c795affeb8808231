"""Best alignments of units, all continua at once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assent.continua.candidates import Dissimilarity, TooManyTuples, candidate_tuples
from assent.continua.packing import best_packing
from assent.continua.units import Units
from assent.profiles import Array
from assent.records import Struct

__all__ = ["Alignment", "best_alignment"]


class Alignment(Struct, frozen=True, kw_only=True, eq=False):
    """A best alignment of the units of each continuum.

    Parameters
    ----------
    aligned : array (units,) of integers
        Units with the same number are aligned with each other.
    unit_cost : array (units,)
        The mean dissimilarity of all pairs of annotators of a unit's tuple, where what has no partner counts 1, in equal parts for its units.
    """

    units: Units
    unlike: Dissimilarity
    aligned: Array
    unit_cost: Array

    @property
    def cost(self) -> Array:
        """The sum over all tuples: (continua,)."""
        return np.bincount(self.units.continuum, self.unit_cost, minlength=self.units.continua)

    @property
    def disorder(self) -> Array:
        """The cost over the mean number of units of an annotator; NaN without any: (continua,)."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.cost / self.units.means)

    def labels_apart(self, groups: Array | None = None) -> tuple[Array, Array]:
        """Return how often labels of aligned units differ, and how much these pairs weigh (Mathet, 2017).

        Parameters
        ----------
        groups : array (units,), optional
            What to add up by, in place of continua; a pair belongs to the group of its first unit.
        """
        group = self.units.continuum if groups is None else groups
        number = self.units.continua if groups is None else int(groups.max(initial=-1)) + 1
        order = np.argsort(self.aligned, kind="stable")
        sizes = np.bincount(self.aligned)[self.aligned[order]]
        ends = np.cumsum(np.bincount(self.aligned))[self.aligned[order]]
        apart, weight = np.zeros(number), np.zeros(number)
        for step in range(1, int(sizes.max(initial=1))):
            # Every unit with the one `step` places after it in the same tuple.
            at = np.flatnonzero(np.arange(len(order)) + step < ends)
            one, other = order[at], order[at + step]
            near = np.maximum(0.0, 1.0 - self.unlike.position(self.units, one, other)) / (sizes[at] - 1)
            differs = self.units.label[one] != self.units.label[other]
            apart += np.bincount(group[one], near * differs, minlength=number)
            weight += np.bincount(group[one], near, minlength=number)
        return apart, weight


def _packed(units: Units, places: Array, slots: int, unlike: Dissimilarity) -> Iterator[tuple[Array, Array]]:
    """Go through tuples of units, as places, that save most, and what each saves: all continua at once, or in halves if those are too many."""
    some = units.kept(places)
    try:
        tuples = candidate_tuples(some, slots, unlike)
    except TooManyTuples:
        continua = np.unique(some.continuum)
        if len(continua) < 2:
            raise
        first = some.continuum < continua[len(continua) // 2]
        yield from _packed(units, places[first], slots, unlike)
        yield from _packed(units, places[~first], slots, unlike)
        return
    chosen = best_packing(tuples, len(some))
    members = tuples.members[chosen]
    yield np.where(members >= 0, places[members], -1), tuples.gain[chosen]


def best_alignment(units: Units, unlike: Dissimilarity | None = None) -> Alignment:
    """Align the units of each continuum so that the cost is least, exactly.

    Raises
    ------
    UnsuitableData
        Where that takes too long: nothing is ever approximated.

    Examples
    --------
    >>> units = Units.of([("a", 0, 4, "X"), ("b", 0, 5, "X"), ("b", 9, 12, "Y")], annotators=("a", "b"))
    >>> found = best_alignment(units)
    >>> found.aligned, found.cost.round(4)
    (array([0, 0, 1]), array([1.0123]))
    """
    unlike = unlike or Dissimilarity()
    # Near units get near numbers, and the order of rows has no say among alignments of equal cost.
    order = np.lexsort((units.slot, units.label, units.end, units.start, units.continuum))
    aligned = np.arange(len(units))
    unit_cost = np.ones(len(units))
    ordered = units.kept(order)
    for slots, places, _ in ordered.by_slots():
        if slots < 2:
            continue
        for members, gain in _packed(ordered, places, slots, unlike):
            saved = gain * 2.0 / (slots * (slots - 1))
            real = members >= 0
            many = real.sum(axis=1)
            aligned[order[members[real]]] = np.repeat(order[members[:, 0]], many)
            unit_cost[order[members[real]]] -= np.repeat(saved / many, many)
    together = np.unique(aligned, return_inverse=True)[1].ravel()
    return Alignment(units=units, unlike=unlike, aligned=together, unit_cost=unit_cost)
