"""What a sweep found: agreement by the weight of the primary label, and four classes of items."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from assent.analyses.sweep.classes import CLASSES
from assent.analyses.sweep.document import document_of
from assent.data import Annotations
from assent.documents import Document, Result
from assent.errors import choose
from assent.measures.results import Interval, error_and_ci
from assent.profiles import Array, Ratings
from assent.records import Record, Struct, plain
from assent.text import interval as between
from assent.text import level, number

if TYPE_CHECKING:
    from assent.documents.charts import Chart

__all__ = ["ItemClass", "Sweep", "SweepPoint", "SweptItems"]


class SweepPoint(Struct, frozen=True, kw_only=True):
    """Augmented kappa at one weight of the primary label.

    Parameters
    ----------
    value, observed, expected : float
        NaN if it is undefined.
    """

    primary: float
    value: float
    observed: float
    expected: float
    interval: Interval | None

    @property
    def ends(self) -> tuple[float, float]:
        """The two ends of the interval; NaN if there is none."""
        return (math.nan, math.nan) if self.interval is None else (self.interval.low, self.interval.high)

    def to_dict(self) -> dict[str, Any]:
        """Return the point as plain values; NaN becomes None."""
        return {
            "primary": self.primary,
            "value": plain(self.value),
            "observed": plain(self.observed),
            "expected": plain(self.expected),
            **error_and_ci(self.interval),
        }


class ItemClass(Record, frozen=True, kw_only=True):
    """One of the four classes of items.

    Parameters
    ----------
    name : str
        constant-high, constant-low, higher-at-1 or higher-at-0.5.
    title : str
        What its items are like.
    meaning : str
        What they say of the guidelines.
    share : float
        Of all items that have a class; NaN if none has.
    identical : int
        Items on which all annotators gave the same labels with the same ranks.
    """

    name: str
    title: str
    meaning: str
    n_items: int
    share: float
    identical: int


class SweptItems(Struct, frozen=True, kw_only=True, eq=False):
    """What is known of each item with two or more annotations.

    Parameters
    ----------
    ratings : Ratings
        What annotators gave, by profile.
    profile : array (items,) of integers
        Which of the profiles each item has.
    pairs : array (profiles,) of integers
        Pairs of annotators.
    equal, only : array (profiles,)
        Augmented kappa of the item with a weight of 0.5 and of 1 for the primary label; NaN if it is undefined.
    kind : array (profiles,) of integers
        Position of its class in `CLASSES`; -1 if one of the two values is undefined.
    identical : array (profiles,) of bool
        All annotators gave the same labels with the same ranks.
    """

    names: Sequence[str]
    ratings: Ratings
    profile: Array
    pairs: Array
    equal: Array
    only: Array
    kind: Array
    identical: Array

    def __len__(self) -> int:
        """Return how many items there are."""
        return len(self.names)

    def places(self, name: str) -> Array:
        """Return the positions of the items of a class, the most typical first, else in the order of the table.

        That is the largest change of those that change, and the highest or lowest value of those that do not.
        """
        choose("class", name, CLASSES)
        kind = list(CLASSES).index(name)
        found = np.flatnonzero(self.kind[self.profile] == kind)
        sort = (-(self.equal + self.only), self.equal + self.only, self.equal - self.only, self.only - self.equal)[kind]
        # What differs by rounding alone is alike.
        return found[np.argsort(sort[self.profile[found]].round(9), kind="stable")]

    def labels(self, place: int) -> dict[str, list[str]]:
        """Return what each annotator gave an item, the primary label first."""
        ratings, sets = self.ratings, self.ratings.parts
        rows = np.searchsorted(ratings.profile, [self.profile[place], self.profile[place] + 1])
        given = zip(ratings.annotator[slice(*rows)].tolist(), ratings.label[slice(*rows)].tolist(), strict=True)
        return {ratings.annotators[who]: [sets.labels[i] for i in sets.members[one]] for who, one in given}

    def columns(self, *, nested: bool = True) -> dict[str, list[Any]]:
        """Return the items as columns of a table; None where a value is undefined.

        Parameters
        ----------
        nested : bool
            Labels are mappings of annotators to lists; else they are JSON texts, for a format that knows no nesting.
        """
        profile = self.profile
        names = [*CLASSES, None]
        # Items of one profile share what their annotators gave.
        distinct, places = np.unique(profile, return_index=True)
        labels: list[Any] = [self.labels(place) for place in places.tolist()]
        if not nested:
            labels = [json.dumps(one, ensure_ascii=False) for one in labels]
        return {
            "item": list(self.names),
            "class": [names[i] for i in self.kind[profile].tolist()],
            "value_at_0.5": plain(self.equal[profile]),
            "value_at_1": plain(self.only[profile]),
            "change": plain((self.only - self.equal)[profile]),
            "annotations": self.ratings.sizes[profile].astype(np.int64).tolist(),
            "pairs": self.pairs[profile].tolist(),
            "identical": self.identical[profile].tolist(),
            "labels": [labels[i] for i in np.searchsorted(distinct, profile).tolist()],
        }


class Sweep(Result, frozen=True, kw_only=True, eq=False):
    """Augmented kappa by the weight of the primary label, and what that says of each item. Print it to read it.

    Parameters
    ----------
    points : tuple of SweepPoint
        From 0.5 (all labels of a pair count alike) to 1 (secondary labels are ignored).
    change : float
        Value at 0.5 less value at 1: what it does to count secondary labels like primary ones.
    change_interval : Interval or None
        Of this difference; both values rest on the same items, so it is narrower than those of the points suggest.
    items : SweptItems
    classes : tuple of ItemClass
        In the order of `CLASSES`.
    unclassified : int
        Items without a class, because a value is undefined.
    usable : int
        Items whose value at 1 is above `high`: those whose primary label can be used.
    high, constant : float
        Thresholds of the classes.
    average : str
        How pairs of annotators were averaged.
    level : float
        Confidence level of the intervals.
    show : int
        Items of each class that the document names.
    data : Annotations
        What was swept.
    notes : tuple of str
        What a reader must know.
    """

    points: tuple[SweepPoint, ...]
    change: float
    change_interval: Interval | None
    items: SweptItems
    classes: tuple[ItemClass, ...]
    unclassified: int
    usable: int
    high: float
    constant: float
    average: str
    level: float
    show: int
    data: Annotations
    notes: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """Whether secondary labels add to agreement or take from it."""
        first, last = self.points[0].value, self.points[-1].value
        if np.isnan(self.change):
            return "Agreement is undefined at one end of the sweep, so the two ends cannot be compared."
        values = f"{number(first, 3)} with all labels alike, {number(last, 3)} for primary labels alone"
        interval = self.change_interval
        if interval is None or np.isnan(interval.low):
            return f"Augmented kappa is {values}."
        ends = between(interval.low, interval.high, digits=3, signed=True)
        reach = f"difference {number(self.change, 3, signed=True)}, {level(self.level)} interval {ends}"
        if interval.low <= 0 <= interval.high:
            return f"Whether secondary labels count makes no clear difference: augmented kappa is {values} ({reach})."
        if self.change < 0:
            return f"Annotators agree more on primary labels alone: augmented kappa is {values} ({reach})."
        return f"Annotators agree more if all labels count alike: augmented kappa is {values} ({reach})."

    def members(self, name: str) -> list[str]:
        """Return the names of the items of a class, the most typical first (see `SweptItems.places`)."""
        return [self.items.names[i] for i in self.items.places(name).tolist()]

    def chart(self) -> Chart:
        """Draw the sweep, and every item by its value at both ends."""
        from assent.analyses.sweep.chart import draw

        return draw(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the data and the sweep as plain values, in the shape the command line prints as JSON."""
        columns = self.items.columns()
        items = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        found = self.summary(len(self.items))
        notes = found.pop("notes")
        return {"data": self.data.to_dict(), "sweep": {**found, "items": items, "notes": notes}}

    def summary(self, members: int) -> dict[str, Any]:
        """Return the sweep without its items as plain values; each class names so many of its members."""
        return {
            "points": plain(self.points),
            "change": {
                "value": plain(self.change),
                **error_and_ci(self.change_interval),
            },
            "sentence": self.sentence,
            "classes": [{**one.to_dict(), "members": self.members(one.name)[:members]} for one in self.classes],
            "unclassified": self.unclassified,
            "usable": self.usable,
            "high": self.high,
            "constant": self.constant,
            "average": self.average,
            "level": self.level,
            "notes": list(self.notes),
        }

    def document(self) -> Document:
        """Return the curve, the classes, some members of each, and what a reader must know."""
        return document_of(self)
