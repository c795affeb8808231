"""Disagreement on a single continuum by squared differences of units (Krippendorff, 1995, in the form of 2004)."""

from __future__ import annotations

import numpy as np

from assent.continua.units import Units
from assent.profiles import Array

__all__ = ["squared_differences"]


def squared_differences(units: Units, length: float, labels: int) -> tuple[Array, Array]:
    """Return the observed and the expected disagreement of each label: (labels,) each.

    Two units that overlap differ by the squares of the differences of their ends, a unit that lies in a gap of another annotator
    by its squared length.

    Parameters
    ----------
    units : Units
        Of one continuum; units of one annotator with the same label do not overlap.
    """
    slots = int(units.slots[0])
    observed, expected = np.zeros(labels), np.zeros(labels)
    for label in range(labels):
        found = units.kept(units.label == label)
        start, end = found.start.astype(np.float64), found.end.astype(np.float64)
        size = end - start
        others = found.slot[:, None] != found.slot
        meet = others & (start[:, None] < end) & (start < end[:, None])
        apart = (start[:, None] - start) ** 2 + (end[:, None] - end) ** 2
        # A unit lies in a gap of every annotator of whom it meets no unit.
        met = np.zeros((len(size), slots), dtype=bool)
        one, other = np.nonzero(meet)
        met[one, found.slot[other]] = True
        met[np.arange(len(size)), found.slot] = True
        # Each pair of a unit and a gap counts in both orders, as each pair of units does.
        total = float((apart * meet).sum()) + 2.0 * float((size**2 * (~met).sum(axis=1)).sum())
        observed[label] = total / (slots * (slots - 1) * length**2)
        gaps = _gaps(found, length)
        room = np.maximum(0.0, gaps - size[:, None] + 1.0) * (gaps >= size[:, None])
        inside = (len(size) - 1) / 3.0 * (2.0 * size**3 - 3.0 * size**2 + size) + size**2 * room.sum(axis=1)
        whole = slots * length
        expected[label] = (
            2.0 / length * float(inside.sum()) / (whole * (whole - 1.0) - float((size * (size - 1)).sum()))
        )
    return observed, expected


def _gaps(units: Units, length: float) -> Array:
    """Return the lengths of the gaps of all annotators."""
    found = []
    for slot in range(int(units.slots[0])):
        own = units.kept(units.slot == slot)
        order = np.argsort(own.start)
        begins, ends = np.append(own.start[order], length), np.append(0.0, own.end[order])
        found.append(begins - ends)
    gaps = np.concatenate(found)
    return gaps[gaps > 0]
