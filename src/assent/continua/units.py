"""Units on continua: who marked from where to where as what, as columns of numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assent.profiles import Array

__all__ = ["Units"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Units:
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

    def by_slots(self) -> Iterator[tuple[int, Array, Units]]:
        """Go through numbers of annotators: the number, places of the units with it, and these units."""
        number = self.slots[self.continuum]
        for slots in np.unique(number):
            places = np.flatnonzero(number == slots)
            yield int(slots), places, self.kept(places)
