"""Sums over documents behind alphas of unitized continua (Krippendorff et al., 2016) and of positions.

With m annotators on a continuum, ``ell`` is how long two of them, in either order, say a value and another one, over m - 1; a gap is
a value, too. ``correction`` is what the small-sample correction takes off: the squared lengths of units, and the lengths of gaps.
A trailing ``*`` of the paper, "where two units meet", is ``met`` here.
"""

from __future__ import annotations

import numpy as np

from assent.continua.stretches import Stretches
from assent.profiles import Array

__all__ = ["met_sums", "position_sums", "unitized_sums"]


def _spread(continuum: Array, label: Array, amounts: Array, shape: tuple[int, int]) -> Array:
    """Add up amounts by continuum and label: (continua, labels)."""
    cells = np.bincount(continuum * shape[1] + label, amounts, minlength=shape[0] * shape[1])
    return cells.reshape(shape)


def _disagreement(known: Stretches) -> Array:
    """Return how long two annotators say different values, over m - 1: (continua,)."""
    stretch, _, number = known.counts
    silent = known.slots - known.marked
    same = np.bincount(stretch, number * (number - 1.0), minlength=len(known.width)) + silent * (silent - 1.0)
    return known.added(known.width * (known.slots - same / np.maximum(known.slots - 1, 1)))


def position_sums(known: Stretches) -> dict[str, Array]:
    """Return `apart`, `total`, and the length of each value, a gap first: positions are items, and no units are known."""
    stretch, value, number = known.counts
    shape = (known.units.continua, len(known.said[3]))
    lengths = _spread(known.continuum[stretch], value, number * known.width[stretch], shape)
    total = known.units.slots * known.lengths
    return {
        "apart": _disagreement(known),
        "total": total.astype(np.float64),
        "lengths": np.column_stack([total - lengths.sum(axis=1), lengths]),
    }


def unitized_sums(known: Stretches, labels: int) -> dict[str, Array]:
    """Return `apart`, `gap_apart` (a gap against a unit), `total`, `correction`, and the length of each label, a gap first."""
    units = known.units
    size = units.end - units.start
    total = units.slots * known.lengths
    lengths = _spread(units.continuum, units.label, size, (units.continua, labels))
    gaps = total - lengths.sum(axis=1)
    squares = np.bincount(units.continuum, size.astype(np.float64) ** 2, minlength=units.continua)
    silent = known.slots - known.marked
    return {
        "apart": _disagreement(known),
        "gap_apart": known.added(known.width * silent * known.marked / np.maximum(known.slots - 1, 1)),
        "total": total.astype(np.float64),
        "correction": squares + gaps,
        "lengths": np.column_stack([gaps, lengths]),
    }


def met_sums(known: Stretches, labels: int) -> dict[str, Array]:
    """Return for each label how long its units meet units of others (`met`), of the same label (`same`), and what is corrected (`mets`).

    The length that a unit brings is the mean over the other annotators of what meets a unit of theirs.
    """
    units = known.units
    shape = (units.continua, labels)
    others = np.maximum(known.slots - 1, 1)
    stretch, value, number = known.counts
    where = known.continuum[stretch]
    met = known.width * (known.marked - 1.0) / others
    of_unit = np.bincount(known.unit, met[known.stretch], minlength=len(units))
    return {
        "met": _spread(where, value, number * met[stretch], shape),
        "same": _spread(where, value, known.width[stretch] * number * (number - 1.0) / others[stretch], shape),
        "mets": _spread(units.continuum, units.label, of_unit**2, shape),
    }
