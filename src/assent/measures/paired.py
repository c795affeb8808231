"""Two annotators at a time: what every measure that compares pairs of annotators needs."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from assent.errors import UnsuitableData
from assent.limits import PAIRS_COMPARED
from assent.measures.components import Components, Pairs
from assent.profiles import Array, Ratings
from assent.records import Struct, cached_property
from assent.registry import Takes

__all__ = ["AVERAGES", "Average", "SharedItems", "averaged", "mean_over_pairs"]

#: How pairs are averaged: by the items that both labelled, or all alike.
AVERAGES = ("overlap", "plain")
Average = Annotated[
    Literal["overlap", "plain"],
    Takes(help="How pairs of annotators are averaged: by the items they share, or plain (Light's kappa)."),
]


class SharedItems(Struct, frozen=True, eq=False, dict=True):
    """Every two annotators, and the items that both labelled.

    Parameters
    ----------
    items : Ratings
    code : array (profiles, annotators)
        Which label each annotator gave, -1 where there is none.
    first, second : array (pairs,)
        Positions of the annotators; pairs without a shared item are left out.
    """

    items: Ratings
    code: Array
    first: Array
    second: Array

    @classmethod
    def of(cls, items: Ratings) -> SharedItems:
        """Pair up the annotators."""
        count, profiles = len(items.annotators), len(items.multiplicities)
        if count * (count - 1) // 2 > PAIRS_COMPARED:
            raise UnsuitableData(
                f"There are {count:,} annotators and so {count * (count - 1) // 2:,} pairs to compare, more than {PAIRS_COMPARED:,}: "
                "use conger-kappa, fleiss-kappa or krippendorff-alpha."
            )
        code = np.full((profiles, count), -1, dtype=np.int32)
        code[items.profile, items.annotator] = items.label
        present = (code >= 0).astype(np.float32)
        first, second = np.nonzero(present.T @ present)
        first, second = first[first < second], second[first < second]
        return cls(items, code, first, second)

    @cached_property
    def one(self) -> Array:
        """Labels of the first of each pair, -1 where there is none: (profiles, pairs)."""
        return np.asarray(self.code[:, self.first])

    @cached_property
    def two(self) -> Array:
        """Labels of the second of each pair, -1 where there is none: (profiles, pairs)."""
        return np.asarray(self.code[:, self.second])

    @cached_property
    def both(self) -> Array:
        """True where both labelled the item: (profiles, pairs)."""
        return (self.one >= 0) & (self.two >= 0)

    @cached_property
    def number(self) -> Array:
        """Items that both labelled: (..., pairs)."""
        return self.items.total(self.both.astype(np.float64))


def mean_over_pairs(pairs: Pairs, average: str, *, blocks: bool = False) -> Components:
    """Average the agreement of pairs of annotators, without those whose value is undefined.

    Parameters
    ----------
    pairs : Pairs
    average : {"overlap", "plain"}
    blocks : bool
        Every total was asked for pair by pair, see `Components.parts`.
    """
    values = pairs.values
    defined = ~np.isnan(values)
    weight = np.where(defined, pairs.items if average == "overlap" else np.ones_like(pairs.items), 0.0)
    # Undefined pairs still agree or not; where all are undefined, that is what there is to show.
    shown = np.where(weight.sum(-1)[..., None] == 0, pairs.items, weight)
    return Components(
        observed=averaged(pairs.observed, shown),
        expected=averaged(pairs.expected, shown),
        coefficient=averaged(values, weight),
        pairs=pairs if len(pairs.first) > 1 else None,
        parts=(values, weight) if blocks and len(pairs.first) > 1 else None,
    )


def averaged(values: Array, weight: Array) -> Array:
    """Weighted mean over pairs, without the pairs that count for nothing."""
    return np.asarray(np.where(weight == 0, 0.0, values * weight).sum(-1) / weight.sum(-1))
