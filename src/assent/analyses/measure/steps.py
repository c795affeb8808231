"""Labels that were taken as names and look like steps of a scale."""

from __future__ import annotations

import math
import shlex
from typing import TYPE_CHECKING, Any

from assent.errors import AssentError
from assent.measures import find
from assent.records import Struct
from assent.text import value

if TYPE_CHECKING:
    from assent.measures.results import Agreement

__all__ = ["AsSteps", "about_steps", "as_steps", "compared_as_names", "misread_ratings"]

#: A difference between labels as names and as steps that is worth the first sentence.
APART = 0.02
#: So many words of a scale are ratings; fewer, as negative, neutral and positive, are as often names.
WORDS = 4


class AsSteps(Struct, frozen=True):
    """Labels that were taken as names and look like steps of a scale.

    Parameters
    ----------
    what : str
        The beginning of a sentence about them.
    scale : {"ordinal", "interval"}
        What they may be in place of names.
    order : tuple of str or None
        From lowest to highest, where that is not their order already.
    value : float
        The coefficient if they are.
    raises : float
        By how much that is above the coefficient of the names.
    rated : bool
        They are whole numbers in a row, more numbers than labels have names, or four or more words of a usual scale, as ratings are.
    """

    what: str
    scale: str
    order: tuple[str, ...] | None
    value: float
    raises: float
    rated: bool

    @property
    def be(self) -> str:
        """What they may be, in words."""
        return "numbers" if self.scale == "interval" else "steps from low to high"

    @property
    def say(self) -> str:
        """The options that take them so."""
        order = "" if self.order is None else f" `order` {shlex.quote(','.join(self.order))}"
        return f"`scale` {self.scale}{order}"

    @property
    def sentence(self) -> str:
        """What was done with them, to be ended by what the coefficient would be."""
        return f"{self.what} were compared as names: as {self.be}"


def as_steps(data: Any, first: Agreement, *, ordered: bool = False) -> AsSteps | None:
    """Return what a coefficient is if the labels, which were taken as names, are steps of a scale; None if they do not look like that.

    Parameters
    ----------
    first : Agreement
        Of the labels as names.
    ordered : bool
        An order was given for another reason.
    """
    from assent.data.natural_order import many_numbers, natural_order, whole_steps

    measure = find(first.measure)
    if data.kind != "labels" or not {"ordinal", "interval"} <= set(measure.scales):
        return None
    labels = data.single_labels
    order, scale, rated = None, "ordinal", True
    if whole_steps(labels, data._decimal):
        what = f"The labels {labels[0]} to {labels[-1]}"
    elif many_numbers(labels, data._decimal):
        scale, what = "interval", f"The labels, {len(labels):,} different numbers,"
    elif data._order_given and not ordered:
        what, rated = "The labels, which have an order of their own,", False
    elif (steps := natural_order(labels)) is not None:
        order, what, rated = steps, "The labels look like the steps of a scale and", len(steps) >= WORDS
    else:
        return None
    try:
        other = measure(data, scale=scale, order=order)
    except AssentError:
        return None
    if math.isnan(other.value):
        return None
    return AsSteps(what, scale, order, other.value, other.value - first.value, rated)


def misread_ratings(data: Any, first: Agreement) -> AsSteps | None:
    """Return what a coefficient of labels that are surely ratings would be; None if they are names, or if it hardly matters.

    Parameters
    ----------
    first : Agreement
        Of the labels as names.
    """
    if math.isnan(first.value):
        return None
    found = as_steps(data, first)
    # Steps of a few whole numbers may lower the value as well; other numbers that do are codes.
    if found is None or not found.rated:
        return None
    whole = found.scale == "ordinal" and found.order is None
    return found if (abs(found.raises) if whole else found.raises) >= APART else None


def compared_as_names(data: Any, first: Agreement) -> tuple[str, ...]:
    """Say that what is told of labels that are surely ratings takes them as names; nothing if they are names, or if it hardly matters."""
    found = misread_ratings(data, first)
    if found is None:
        return ()
    return (
        f"{found.sentence}, {first.title} would be {value(found.value)}, not {value(first.value)}. What is said here takes them as "
        f"names: if their order means something, set {found.say}.",
    )


def about_steps(data: Any, first: Agreement, *, ordered: bool) -> tuple[str, ...]:
    """Say what a coefficient of labels as names is if they are steps of a scale; nothing if they do not look like that."""
    found = as_steps(data, first, ordered=ordered)
    if found is None:
        return ()
    kind = "numbers" if found.scale == "interval" else "steps"
    return (
        f"{found.what} were taken as names, not as {found.be}: as {kind}, {first.title} is {value(found.value)} and not "
        f"{value(first.value)} (set {found.say}).",
    )
