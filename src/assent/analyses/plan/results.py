"""What a plan says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assent.analyses.plan.document import document_of
from assent.analyses.plan.wording import summary
from assent.data import Annotations
from assent.documents import Document, Result
from assent.records import Record

__all__ = ["Design", "ForBudget", "ForHalfWidth", "ForPower", "Plan"]


class Design(Record, frozen=True, kw_only=True):
    """So many items with so many annotations each, and how sure they make the value.

    Parameters
    ----------
    annotations_per_item : float
        The mean, where items differ.
    even : bool
        All items have that number.
    n_units : int
        Clusters if the data have some, else items.
    cost : float
        Annotations, plus what the items themselves cost in units of an annotation.
    half_width : float
        Half the width of the interval.
    """

    annotations_per_item: float
    even: bool
    n_units: int
    n_items: int
    n_annotations: int
    cost: float
    half_width: float


class ForHalfWidth(Record, frozen=True, kw_only=True):
    """What it takes to know the value within a half-width.

    Parameters
    ----------
    half_width : float
        What was asked for.
    needed : Design
        In the present design, or with the annotations per item that were asked for.
    low, high : int or None
        Between which the number of units may lie, for the data it comes from are a sample too; None for an assumption.
    more : int or None
        Units besides those that are there; None if what is there has another design.
    choices : tuple of Design
        The same for 2, 3, … annotations per item.
    cheapest : Design or None
        The one of all numbers of annotations per item that costs least.
    """

    half_width: float
    needed: Design
    low: int | None
    high: int | None
    more: int | None
    choices: tuple[Design, ...]
    cheapest: Design | None


class ForBudget(Record, frozen=True, kw_only=True):
    """How to spend a number of annotations.

    Parameters
    ----------
    budget : float
        In units of an annotation.
    asked : Design or None
        With the annotations per item that were asked for; None if none were.
    choices : tuple of Design
        For 2, 3, … annotations per item.
    best : Design
        The one of all numbers of annotations per item with the narrowest interval.
    """

    budget: float
    asked: Design | None
    choices: tuple[Design, ...]
    best: Design


class ForPower(Record, frozen=True, kw_only=True):
    """What it takes to show that the value is above a target.

    Parameters
    ----------
    power : float
        How probable it shall be that the lower end of the interval lies above the target.
    needed : Design or None
        None if the value is not above the target: no number of items will show it.
    low, high : int or None
        Units needed if the true value is the upper, or the lower, end of its present interval; None where no number is enough,
        and for an assumption.
    now : float or None
        Power of the present number of units; None for an assumption.
    choices : tuple of Design
        For 2, 3, … annotations per item.
    assured : Design or None
        What reaches the power on average over the true values that the data so far leave open (assurance): `needed` takes the value so far for the
        true one. None if no number of items does, and for an assumption.
    most : float or None
        The chance, given the data so far, that the true value is above the target: no number of items has more assurance.
    status : str or None
        Whether the interval so far is above, below, or unclear about the target; None for an assumption.
    """

    target: float
    power: float
    needed: Design | None
    low: int | None
    high: int | None
    now: float | None
    choices: tuple[Design, ...]
    assured: Design | None = None
    most: float | None = None
    status: str | None = None


class Plan(Result, frozen=True, kw_only=True):
    """How much to annotate. Print it to read it.

    Parameters
    ----------
    measure, title : str
        The measure that is planned for.
    options : mapping
        Settings it is measured with.
    value : float
        Measured on the data so far, or assumed.
    level : float
        Confidence level of the intervals.
    unit : str
        What is planned in: items, or the clusters of a column.
    now : Design or None
        The data so far; None for an assumption.
    agreement, shares : float, tuple of float, or None
        The assumption, if there are no data.
    item_cost : float
        Cost of an item beyond its annotations, in units of an annotation.
    per_item : tuple of Design
        What 2, 3, … annotations per item buy on the present number of items; empty for an assumption.
    known : int or None
        Annotations per item up to which the data say so; beyond, a model does. None if they cannot be varied.
    half_width : ForHalfWidth or None
    budget : ForBudget or None
    power : ForPower or None
        The answers to what was asked.
    notes : tuple of str
        What a reader of the plan must know.
    data : Annotations or None
        What it was planned from; None for an assumption.
    """

    measure: str
    title: str
    options: Mapping[str, Any]
    value: float
    level: float
    unit: str
    now: Design | None
    agreement: float | None
    shares: tuple[float, ...] | None
    item_cost: float
    per_item: tuple[Design, ...]
    known: int | None
    half_width: ForHalfWidth | None
    budget: ForBudget | None
    power: ForPower | None
    notes: tuple[str, ...]
    data: Annotations | None = None

    @property
    def sentences(self) -> tuple[str, ...]:
        """The plan in a few sentences, the answers to what was asked."""
        return summary(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the data and the plan as plain values, in the shape the command line prints as JSON."""
        made = super().to_dict()
        return {"data": made.pop("data"), "plan": {**made, "sentences": list(self.sentences)}}

    def document(self) -> Document:
        """Return the answers in sentences, the ways to get there, and what a reader must know."""
        return document_of(self)
