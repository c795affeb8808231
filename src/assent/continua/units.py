"""Units on continua: who marked from where to where as what, as columns of numbers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assent.profiles import Array
from assent.records import Struct, cached_property

__all__ = ["Units"]


class Units(Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """The units of some continua (documents, or documents made by chance).

    Parameters
    ----------
    continuum : array (units,) of integers
        Which continuum a unit lies on.
    slot : array (units,) of integers
        Whose unit it is: the position of the annotator among those who judged this continuum.
    start, end : array (units,)
        The end is exclusive and greater than the start.
    label : array (units,) of integers
    slots : array (continua,) of integers
        How many annotators judged each continuum, whether they marked something or not.

    Examples
    --------
    >>> Units.of([("a", 0, 4, "X"), ("b", 0, 5, "X")], annotators=("a", "b", "c")).slots
    array([3])
    """

    continuum: Array
    slot: Array
    start: Array
    end: Array
    label: Array
    slots: Array

    @classmethod
    def of(cls, rows: list[tuple[str, float, float, str]], annotators: tuple[str, ...]) -> Units:
        """Take the units of one continuum as rows of annotator, start, end and label."""
        labels = sorted({row[3] for row in rows})
        return cls(
            continuum=np.zeros(len(rows), dtype=np.int64),
            slot=np.array([annotators.index(row[0]) for row in rows], dtype=np.int64),
            start=np.array([row[1] for row in rows], dtype=np.float64),
            end=np.array([row[2] for row in rows], dtype=np.float64),
            label=np.array([labels.index(row[3]) for row in rows], dtype=np.int64),
            slots=np.array([len(annotators)]),
        )

    def __len__(self) -> int:
        return len(self.slot)

    @property
    def continua(self) -> int:
        """How many continua there are."""
        return len(self.slots)

    @cached_property
    def numbers(self) -> Array:
        """How many units each continuum has: (continua,)."""
        return np.bincount(self.continuum, minlength=self.continua)

    @property
    def means(self) -> Array:
        """The mean number of units of an annotator of each continuum: (continua,)."""
        return np.asarray(self.numbers / np.maximum(self.slots, 1))

    def kept(self, wanted: Array) -> Units:
        """Return the units for which `wanted` is true, or the units at these places, on the same continua."""
        return Units(
            continuum=self.continuum[wanted],
            slot=self.slot[wanted],
            start=self.start[wanted],
            end=self.end[wanted],
            label=self.label[wanted],
            slots=self.slots,
        )

    def nameless(self, low: Array) -> tuple[Units, Array]:
        """Return the units with continua, annotators and labels numbered by what was marked, and the new number of each continuum.

        Where units lie counts from `low` of their continuum. So nothing that depends on the order of numbers, as draws at random do, depends on
        how anything is called or where offsets begin.
        """
        begin, end = (np.asarray(one - low[self.continuum], dtype=np.int64) for one in (self.start, self.end))
        place = _mixed(_mixed(begin) + end.view(np.uint64))
        label = _ranks(_added(self.label, place, int(self.label.max(initial=-1)) + 1))[self.label]
        first = np.cumsum(self.slots) - self.slots
        owners = _added(first[self.continuum] + self.slot, _mixed(place + _mixed(label)), int(self.slots.sum()))
        owned = np.repeat(np.arange(self.continua), self.slots)
        slot = np.empty(len(owned), dtype=np.int64)
        order = np.lexsort((owners, owned))
        slot[order] = np.arange(len(owned)) - first[owned]
        continuum = _ranks(_added(owned, _mixed(owners), self.continua))
        slots = np.empty_like(self.slots)
        slots[continuum] = self.slots
        made = Units(
            continuum=continuum[self.continuum],
            slot=slot[first[self.continuum] + self.slot],
            start=self.start,
            end=self.end,
            label=label,
            slots=slots,
        )
        return made, continuum

    def by_slots(self) -> Iterator[tuple[int, Array, Units]]:
        """Go through numbers of annotators: the number, places of the units with it, and these units."""
        number = self.slots[self.continuum]
        for slots in np.unique(number):
            places = np.flatnonzero(number == slots)
            yield int(slots), places, self.kept(places)


def _mixed(numbers: Array) -> Array:
    """Return numbers spread over 64 bits (the finaliser of SplitMix64, Steele and others 2014)."""
    spread = numbers.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    spread = (spread ^ (spread >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    spread = (spread ^ (spread >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(spread ^ (spread >> np.uint64(31)))


def _added(groups: Array, numbers: Array, size: int) -> Array:
    """Return the sum over each group, modulo 2**64, which does not depend on an order."""
    sums = np.zeros(size, dtype=np.uint64)
    np.add.at(sums, groups, numbers)
    return sums


def _ranks(numbers: Array) -> Array:
    ranks = np.empty(len(numbers), dtype=np.int64)
    ranks[np.argsort(numbers, kind="stable")] = np.arange(len(numbers))
    return ranks
