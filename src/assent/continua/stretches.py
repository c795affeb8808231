"""Stretches of continua over which nothing changes: who says what there, and how long that lasts."""

from __future__ import annotations

import numpy as np

from assent.continua.units import Units
from assent.profiles import Array
from assent.records import Struct, cached_property

__all__ = ["Stretches", "joined", "overlapping"]


class Stretches(Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """Every continuum cut wherever a unit begins or ends.

    Parameters
    ----------
    lengths : array (continua,)
    continuum, width : array (stretches,)
        Which continuum a stretch lies on, and how long it is.
    unit, stretch : array (cells,)
        Every unit and every stretch that it covers.
    """

    units: Units
    lengths: Array
    continuum: Array
    width: Array
    unit: Array
    stretch: Array

    @classmethod
    def of(cls, units: Units, lengths: Array) -> Stretches:
        """Cut continua of these lengths."""
        offset = np.cumsum(lengths + 1) - (lengths + 1)
        start, end = units.start + offset[units.continuum], units.end + offset[units.continuum]
        cuts = np.unique(np.concatenate([start, end, offset, offset + lengths]))
        # Between the end of a continuum and the beginning of the next there is nothing.
        begin = cuts[:-1]
        continuum = np.searchsorted(offset, begin, side="right") - 1
        inside = begin < offset[continuum] + lengths[continuum]
        place = np.cumsum(inside) - 1
        low, high = np.searchsorted(cuts, start), np.searchsorted(cuts, end)
        many = high - low
        unit = np.repeat(np.arange(len(units)), many)
        stretch = np.arange(len(unit)) - np.repeat(np.cumsum(many) - many, many) + np.repeat(low, many)
        return cls(
            units=units,
            lengths=lengths,
            continuum=continuum[inside],
            width=np.diff(cuts)[inside],
            unit=unit,
            stretch=place[stretch],
        )

    def added(self, amounts: Array) -> Array:
        """Add up amounts of stretches over continua: (continua,)."""
        return np.bincount(self.continuum, amounts, minlength=self.units.continua)

    @cached_property
    def slots(self) -> Array:
        """How many annotators there are on each stretch: (stretches,)."""
        return self.units.slots[self.continuum]

    @cached_property
    def said(self) -> tuple[Array, Array, Array, tuple[tuple[int, ...], ...]]:
        """What each annotator says on each stretch, where it is something: stretch, slot, value, and what values stand for.

        A value is a set of labels: one label, unless units of the annotator overlap there.
        """
        most = int(self.units.slots.max(initial=1))
        slot, label = self.units.slot[self.unit], self.units.label[self.unit]
        labels = int(self.units.label.max(initial=0)) + 1
        owner, value, meaning = joined(self.stretch * most + slot, label, labels)
        return (*np.divmod(owner, most), value, meaning)

    @cached_property
    def counts(self) -> tuple[Array, Array, Array]:
        """How many annotators say the same on a stretch: stretch, value and number, where that is not nothing."""
        stretch, _, value, meaning = self.said
        cells, number = np.unique(stretch * len(meaning) + value, return_counts=True)
        stretch, value = np.divmod(cells, len(meaning))
        return stretch, value, number

    @cached_property
    def marked(self) -> Array:
        """How many annotators say something on each stretch: (stretches,)."""
        return np.bincount(self.said[0], minlength=len(self.width))


def joined(owner: Array, label: Array, labels: int) -> tuple[Array, Array, tuple[tuple[int, ...], ...]]:
    """Return who says something, in order, what it is, and what values stand for: one label, or several together.

    Examples
    --------
    >>> joined(np.array([4, 7, 4]), np.array([1, 0, 0]), 2)
    (array([4, 7]), array([2, 0]), ((0,), (1,), (0, 1)))
    """
    owners, said = np.divmod(np.unique(owner * labels + label), labels)
    begins = np.flatnonzero(np.diff(owners, prepend=-1))
    many = np.diff(np.append(begins, len(owners)))
    value = said[begins]
    several: dict[tuple[int, ...], int] = {}
    for at in np.flatnonzero(many > 1).tolist():
        together = tuple(said[begins[at] : begins[at] + many[at]].tolist())
        value[at] = labels + several.setdefault(together, len(several))
    return owners[begins], value, (*((one,) for one in range(labels)), *several)


def overlapping(units: Units) -> Array:
    """Return which units overlap one of the same annotator that begins before them: places in the order of the units."""
    order = np.lexsort((units.end, units.start, units.slot, units.continuum))
    owner = units.continuum[order] * (int(units.slots.max(initial=0)) + 1) + units.slot[order]
    reach = np.zeros(len(order))
    highest, last = -np.inf, -1
    for at, (who, end) in enumerate(zip(owner.tolist(), units.end[order].tolist(), strict=True)):
        highest = -np.inf if who != last else highest
        reach[at], highest, last = highest, max(highest, end), who
    return np.sort(order[units.start[order] < reach])
