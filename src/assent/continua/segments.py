"""Two segmentations of a text: boundaries that both have, that are near each other, and that only one has."""

from __future__ import annotations

import numpy as np

from assent.profiles import Array

__all__ = ["boundary_edits", "edit_cost", "window_counts", "window_errors"]


def boundary_edits(first: Array, second: Array, near: int = 2) -> tuple[int, float, int]:
    """Return how many edits turn boundaries into others, what they weigh, and how many boundaries both have (Fournier, 2013).

    A boundary that only one has is an edit that weighs 1. Two of them, one of each, less than `near` positions apart are one
    edit that weighs their distance over `near`; nearer ones are taken first, then those further left.

    Parameters
    ----------
    first, second : array
        Positions of boundaries.

    Examples
    --------
    >>> boundary_edits(np.array([4, 11]), np.array([5, 10, 20]))
    (3, 2.0, 0)
    """
    both = np.intersect1d(first, second)
    left = [set(np.setdiff1d(one, both).tolist()) for one in (first, second)]
    edits, weight = 0, 0.0
    for distance in range(1, near):
        for at in sorted(left[0] | left[1]):
            for one, other in (left, left[::-1]):
                if at in one and at + distance in other:
                    one.remove(at)
                    other.remove(at + distance)
                    edits, weight = edits + 1, weight + distance / near
                    break
    alone = len(left[0]) + len(left[1])
    return edits + alone, weight + alone, len(both)


#: What moving a boundary by one position costs; setting or removing one costs 1.
MOVE = 0.5


def edit_cost(first: Array, second: Array) -> float:
    """Return what it costs at least to turn boundaries into others: the generalised Hamming distance (Bookstein and others, 2002).

    Parameters
    ----------
    first, second : array
        Positions of boundaries, in order.

    Examples
    --------
    >>> edit_cost(np.array([1, 2, 5]), np.array([1, 2, 6])), edit_cost(np.array([1, 2, 5]), np.array([1, 2, 10]))
    (0.5, 2.0)
    """
    # Boundaries so far apart that removing and setting is as cheap as moving are never moved onto each other.
    every = np.union1d(first, second)
    cuts = every[1:][np.diff(every) * MOVE >= 2.0]
    parts = [np.split(one, np.searchsorted(one, cuts)) for one in (first, second)]
    return float(sum(_least_cost(one, two) for one, two in zip(*parts, strict=True)))


def _least_cost(first: Array, second: Array) -> float:
    """Return the least cost by going through the boundaries of both."""
    steps = np.arange(len(second) + 1, dtype=np.float64)
    row = steps
    for at in first.tolist():
        moved = row[:-1] + MOVE * np.abs(second - at)
        row = np.minimum(row + 1.0, np.concatenate([[np.inf], moved]))
        row = np.minimum.accumulate(row - steps) + steps
    return float(row[-1])


def window_counts(boundaries: Array, length: int, window: int) -> Array:
    """Return how many boundaries lie in each window of so many positions: (windows,)."""
    begins = np.arange(max(0, length - window + 1))
    ordered = np.sort(boundaries)
    return np.searchsorted(ordered, begins + window, side="right") - np.searchsorted(ordered, begins, side="right")


def window_errors(first: Array, second: Array, *, presence: bool) -> int:
    """Return in how many windows the numbers of boundaries differ, or whether there is one at all (`presence`)."""
    return int(np.count_nonzero((first > 0) != (second > 0) if presence else first != second))
