"""Does the judge favour a seat, length, or itself? What it chooses more often than people do on the same items."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from assent.data import Annotations
from assent.errors import OptionError
from assent.inference.intervals import normal_interval
from assent.records import Struct, plain
from assent.text import shown

__all__ = ["Favour", "SeatSwap", "favour", "seat_swap"]


class Favour(Struct, frozen=True, kw_only=True):
    """How often a judge chooses what a column names, beside the people.

    Parameters
    ----------
    what : {"seat", "longer", "own"}
        The object shown first, the longer one, or the judge's own.
    judge, humans : float
        Shares of items on which they chose it; of the people the mean over items of their share.
    difference, low, high : float
        The excess of the judge, with interval. Length, and even a seat, can go with quality: only the excess is a leaning.
    """

    what: str
    column: str
    judge: float
    humans: float
    difference: float
    low: float
    high: float
    n_items: int

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "what": self.what,
            "column": self.column,
            "judge": plain(self.judge),
            "humans": plain(self.humans),
            "difference": plain(self.difference),
            "ci": {"low": plain(self.low), "high": plain(self.high)},
            "items": self.n_items,
        }


def favour(data: Annotations, judge: str, people: Sequence[str], what: str, column: str, *, level: float) -> Favour:
    """Compare how often judge and people give the label that a column names, on items that both labelled."""
    listing = data.to_rows(column)
    assert listing.annotators is not None, "a judge has a name"
    place = {label: i for i, label in enumerate(listing.labels)}
    wanted = np.array([place.get(text or "", -1) for text in listing.columns[column]])
    if (wanted < 0).all():
        raise OptionError(
            f"The column {shown(column)} names none of the labels: each cell must hold the label that `{what}` is about."
        )
    named = wanted >= 0
    hit = (listing.label == wanted) & named
    own = (listing.annotator == listing.annotators.index(judge)) & named
    theirs = np.isin(np.asarray(listing.annotator), [listing.annotators.index(name) for name in people]) & named
    many = len(listing.items)
    its, each = np.bincount(listing.item[own], minlength=many), np.bincount(listing.item[theirs], minlength=many)
    both = np.flatnonzero((its > 0) & (each > 0))
    if not len(both):
        return Favour(
            what=what,
            column=column,
            judge=math.nan,
            humans=math.nan,
            difference=math.nan,
            low=math.nan,
            high=math.nan,
            n_items=0,
        )
    chosen = np.bincount(listing.item[own], weights=hit[own], minlength=many)[both] / its[both]
    crowd = np.bincount(listing.item[theirs], weights=hit[theirs], minlength=many)[both] / each[both]
    gap = chosen - crowd
    error = float(gap.std(ddof=1) / math.sqrt(len(gap))) if len(gap) > 1 else math.nan
    low, high = normal_interval(float(gap.mean()), error, level, len(gap) - 1)
    return Favour(
        what=what,
        column=column,
        judge=float(chosen.mean()),
        humans=float(crowd.mean()),
        difference=float(gap.mean()),
        low=low,
        high=high,
        n_items=len(both),
    )


class SeatSwap(Struct, frozen=True, kw_only=True):
    """The same pairs judged twice, with the seats swapped.

    Parameters
    ----------
    n : int
        Pairs judged in both orders.
    consistency : float
        Share of pairs in which the same object wins twice, or neither does.
    first_twice, second_twice : int
        Pairs in which the first seat wins twice, whoever sits there; and the second.
    first_share : float
        Share of the first seat among the verdicts that decide.
    p : float
        Exact binomial test of first twice against second twice.
    """

    n: int
    consistency: float
    first_twice: int
    second_twice: int
    first_share: float
    p: float

    @property
    def flip_rate(self) -> float:
        """Share of pairs in which swapping the seats changes the verdict."""
        return 1.0 - self.consistency

    @property
    def lean(self) -> float:
        """First twice less second twice, as a share of the pairs."""
        return (self.first_twice - self.second_twice) / self.n

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "pairs": self.n,
            "consistency": plain(self.consistency),
            "flip_rate": plain(self.flip_rate),
            "first_twice": self.first_twice,
            "second_twice": self.second_twice,
            "lean": plain(self.lean),
            "first_share_of_decided": plain(self.first_share),
            "p": plain(self.p),
        }


def seat_swap(
    before: Sequence[str | None], after: Sequence[str | None], *, seats: tuple[str, str] = ("first", "second")
) -> SeatSwap:
    """Compare the verdicts of a judge on pairs shown in one order and in the other.

    Parameters
    ----------
    before, after : sequence of str or None
        Which seat won; whatever is not a seat is a tie, None is missing.
    seats : (str, str)
        What the seats are called.

    Examples
    --------
    >>> found = seat_swap(["first", "first", "second", "tie"], ["second", "first", "first", "tie"])
    >>> found.consistency, found.first_twice, found.second_twice
    (0.75, 1, 0)
    """
    code = {seats[0]: 1, seats[1]: -1}
    pairs = [
        (code.get(a, 0), code.get(b, 0)) for a, b in zip(before, after, strict=True) if a is not None and b is not None
    ]
    if not pairs:
        raise OptionError("No pair was judged in both orders: there is nothing to compare.")
    one, two = np.array(pairs).T
    first, second = int(((one == 1) & (two == 1)).sum()), int(((one == -1) & (two == -1)).sum())
    decided = int((one != 0).sum() + (two != 0).sum())
    from scipy.special import bdtr

    return SeatSwap(
        n=len(pairs),
        consistency=float((one == -two).mean()),
        first_twice=first,
        second_twice=second,
        first_share=float(((one == 1).sum() + (two == 1).sum()) / decided) if decided else math.nan,
        p=min(1.0, 2.0 * float(bdtr(min(first, second), first + second, 0.5))) if first + second else math.nan,
    )
