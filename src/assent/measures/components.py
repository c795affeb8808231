"""What a coefficient is made of."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from msgspec import field

from assent.profiles import Array
from assent.records import Struct

__all__ = ["NO_ROOM", "Components", "Pairs", "chance_corrected"]

#: Room for disagreement below this is rounding: sums of a million terms are exact to about so much.
NO_ROOM = 1e-12


def chance_corrected(observed: Array | float, expected: Array | float) -> Array:
    """Return (observed - expected) / (1 - expected); NaN where everything expected is agreement."""
    room = 1.0 - expected
    if isinstance(room, float) and room >= NO_ROOM:
        return np.asarray((observed - expected) / room)
    none = room.real < NO_ROOM
    # Where there was no pair to compare, 0 / 0 came in, and goes on as NaN.
    with np.errstate(invalid="ignore"):
        return np.where(none, np.nan, (observed - expected) / np.where(none, 1.0, room))


class Pairs(Struct, frozen=True, kw_only=True, eq=False):
    """Agreement of every two annotators, for every replicate of the weights.

    Parameters
    ----------
    first, second : array (pairs,)
        Positions of the annotators.
    items, observed, expected : array (..., pairs)
        Items both labelled, and the agreement on these.
    """

    first: Array
    second: Array
    items: Array
    observed: Array
    expected: Array

    @property
    def values(self) -> Array:
        """Coefficient of each pair; NaN where it is undefined."""
        return chance_corrected(self.observed, self.expected)


class Components(Struct, frozen=True, kw_only=True, eq=False):
    """Observed and expected agreement, for every replicate of the weights.

    Parameters
    ----------
    observed : array (...,)
    expected : array (...,) or 0.0
        Agreement expected by chance; 0 for a measure without chance correction.
    coefficient : array (...,), optional
        The value, where it is not (observed - expected) / (1 - expected): a mean of such values, or a ratio of variances.
    pairs : Pairs, optional
        What it is the mean of.
    drawing_error : array (...,) or 0.0
        Standard error of the value that comes from numbers drawn to compute it, such as samples of chance.
    undefined : str
        Why there is no value, if that is known here.
    details : mapping of str to number, optional
        Numbers that belong to the value, such as its coverage, by name.
    parts : tuple of two arrays (..., parts), optional
        Values and weights of which the coefficient is the weighted mean, if every total that was asked for comes in as many blocks as there are
        parts, each of which concerns one part alone: its derivative then takes far fewer steps.
    """

    observed: Array | float
    expected: Array | float = 0.0
    coefficient: Array | None = None
    pairs: Pairs | None = None
    drawing_error: Array | float = 0.0
    undefined: str = ""
    details: Mapping[str, Array | float] = field(default_factory=dict)
    parts: tuple[Array, Array] | None = None

    @property
    def value(self) -> Array:
        """The coefficient."""
        if self.coefficient is not None:
            # A ratio with nothing below the line is no number.
            return np.where(np.isfinite(self.coefficient), self.coefficient, np.nan)
        return chance_corrected(self.observed, self.expected)
