"""Drawing different labels one after the other, followed through every set that can come of it.

The probability that the first m draws make up the set A is a sum over its last label::

    P_m(A) = Σ_{c in A} P_{m-1}(A without c) p_c / p(labels not in A without c)

There are 2^labels sets: for few labels this takes a small part of the time of the integrals in `assent.set_chance.race`, and is as exact, since
only positive numbers are added. Everything is smooth in p and takes complex numbers and replicates.
"""

from __future__ import annotations

import numpy as np

from assent.profiles import Array

__all__ = ["LISTED_LABELS", "contained", "drawn", "sets_of"]

#: Labels of which all sets are followed: 4,096 of them.
LISTED_LABELS = 12


def drawn(rates: Array, largest: int) -> Array:
    """Return how likely each set is what so many draws make up.

    Parameters
    ----------
    rates : array (replicates, labels)
        Each row adds up to 1, or to 0; labels of 0 are never drawn.
    largest : int
        The largest size of interest.

    Returns
    -------
    array (replicates, largest + 1, 2^labels)
        Label c is in a set whose number has the bit c. If fewer labels than asked for can be drawn, the set is all of them.

    Examples
    --------
    >>> drawn(np.array([[0.5, 0.3, 0.2]]), 2)[0, 2].round(3)
    array([0.   , 0.   , 0.   , 0.514, 0.   , 0.325, 0.161, 0.   ])
    """
    number, labels = rates.shape
    within = np.zeros((number, 1), dtype=rates.dtype)
    for c in range(labels):
        within = np.concatenate([within, within + rates[:, c : c + 1]], axis=1)
    left = within[:, ::-1]
    none_left = left.real == 0
    share = np.where(none_left, 0.0, 1.0) / np.where(none_left, 1.0, left)
    made = np.zeros((number, largest + 1, 1 << labels), dtype=rates.dtype)
    made[:, 0, 0] = 1.0
    for size in range(1, largest + 1):
        before, after = made[:, size - 1] * share, made[:, size]
        for c in range(labels):
            shape = (number, -1, 2, 1 << c)
            after.reshape(shape)[:, :, 1] += before.reshape(shape)[:, :, 0] * rates[:, c, None, None]
        after += np.where(none_left, made[:, size - 1], 0.0)
    return made


def contained(table: Array) -> Array:
    """Add up, for each set, what belongs to its subsets: (..., sets)."""
    added = np.array(table)
    for c in range(added.shape[-1].bit_length() - 1):
        halves = added.reshape(*added.shape[:-1], -1, 2, 1 << c)
        halves[..., 1, :] += halves[..., 0, :]
    return added


def sets_of(labels: int) -> Array:
    """Return which labels are in each set: (2^labels, labels)."""
    return (np.arange(1 << labels)[:, None] >> np.arange(labels) & 1).astype(np.float64)
