"""A plan in sentences."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from assent.text import counted, escaped, level, percent, plus_minus, value
from assent.text import number as two_digits

if TYPE_CHECKING:
    from assent.analyses.plan.results import Design, ForBudget, ForHalfWidth, ForPower, Plan

__all__ = ["in_clusters", "noun", "summary", "units"]

#: Planned numbers whose uncertain range spans more than this factor are hardly known.
HARDLY_KNOWN = 3.0
#: If it spans more than this factor, the range itself says nothing.
UNKNOWN = 100.0
#: A smaller share of the cost is not worth another design.
WORTH_SAYING = 0.05


def _items(plan: Plan) -> str:
    """Say what the items of such data are called: documents, if spans are marked in them."""
    return "items" if plan.data is None else plan.data._unclustered


def _annotations(plan: Plan) -> str:
    """Say what annotations are called in such data: spans, ranks, votes."""
    return "annotations" if plan.data is None else f"{plan.data._nouns[1]}s"


def in_clusters(plan: Plan) -> bool:
    """Tell whether items are planned by the cluster."""
    return plan.unit != _items(plan)


def noun(plan: Plan) -> str:
    """Say what one of the planned units is."""
    return "cluster" if in_clusters(plan) else plan.unit.removesuffix("s")


def units(plan: Plan, number: int) -> str:
    """Show a number of units."""
    return f"{counted(number, noun(plan))}{f' ({escaped(plan.unit)})' if in_clusters(plan) else ''}"


def summary(plan: Plan) -> tuple[str, ...]:
    """Say the plan in a few sentences."""
    said = [_now(plan)]
    if plan.half_width is not None:
        said += _half_width(plan, plan.half_width)
    if plan.budget is not None:
        said += _budget(plan, plan.budget)
    if plan.power is not None:
        said += _power(plan, plan.power)
    return tuple(said)


def _now(plan: Plan) -> str:
    if plan.now is None:
        shares = ", ".join(percent(share) for share in plan.shares or ())
        return (
            f"Assumed: two annotators agree on {percent(plan.agreement or 0.0)} of the items, and the labels have shares of "
            f"{shares}; {plan.title} is then {two_digits(plan.value)}."
        )
    return (
        f"So far {plan.title} is {_value(plan)} {plus_minus(plan.now.half_width)} ({level(plan.level)} interval), from "
        f"{_design(plan, plan.now)}."
    )


def _value(plan: Plan) -> str:
    """Show the value with as many digits as its interval tells apart."""
    half = math.nan if plan.now is None else plan.now.half_width
    return value(plan.value, plan.value - half, plan.value + half)


def _design(plan: Plan, design: Design) -> str:
    """Say how many units with how many annotations each."""
    each = f"{design.annotations_per_item:g} {_annotations(plan)} each"
    if not (design.even and design.annotations_per_item.is_integer()):
        each = f"{two_digits(design.annotations_per_item, 1)} {_annotations(plan)} each on average"
    items = f", {counted(design.n_items, _items(plan).removesuffix('s'))}" if in_clusters(plan) else ""
    return f"{units(plan, design.n_units)}{items} with {each}"


def _half_width(plan: Plan, answer: ForHalfWidth) -> list[str]:
    needed, asked = answer.needed, plus_minus(answer.half_width)
    here = plan.now.n_units if plan.now is not None else 0
    if answer.more == 0 and needed.n_units < here:
        return [f"That is {asked} or better already: {_design(plan, needed)} would have been enough."]
    if answer.more == 0:
        return [f"That is the {asked} you want: no more are needed."]
    more = "" if answer.more is None else f", {units(plan, answer.more)} more than you have"
    said = [
        f"To know {plan.title} within {asked} you need about {_design(plan, needed)} "
        f"({needed.n_annotations:,} {_annotations(plan)}){more}."
    ]
    guess = False
    if answer.low is not None and answer.high is not None:
        guess = answer.high > HARDLY_KNOWN * answer.low
        far = answer.high > UNKNOWN * answer.low
        between = "" if far else f"; {answer.low:,} to {answer.high:,} are plausible"
        unsure = (
            " The data so far are too few for more than a guess: annotate some more, then plan again." if guess else ""
        )
        said.append(f"That number is an estimate from {units(plan, here)}{between}.{unsure}")
    best = answer.cheapest
    if best is not None and not guess and best.cost < (1.0 - WORTH_SAYING) * needed.cost:
        least = "costs least" if plan.item_cost else "takes the fewest annotations"
        said.append(f"It {least} with {_design(plan, best)} ({_spent(plan, best)}).")
    return said


def _spent(plan: Plan, design: Design) -> str:
    """Say what a design costs."""
    if plan.item_cost:
        return f"a cost of {design.cost:,.15g} annotations"
    return f"{design.n_annotations:,} annotations"


def _budget(plan: Plan, answer: ForBudget) -> list[str]:
    best = answer.best
    said = [
        f"A budget of {answer.budget:,.10g} annotations buys most with {_design(plan, best)}: {plus_minus(best.half_width)}."
    ]
    if answer.asked is not None and answer.asked.annotations_per_item != best.annotations_per_item:
        said.append(f"With {_design(plan, answer.asked)} it buys {plus_minus(answer.asked.half_width)}.")
    if best.annotations_per_item == 2:
        said.append(
            "Two annotations of an item tell the most about agreement for their price; labels decided by a vote need more, which "
            "is another question."
        )
    return said


def _power(plan: Plan, answer: ForPower) -> list[str]:
    above = f"{plan.title} is above {answer.target:g}"
    if answer.needed is None:
        hope = "Clearer guidelines, training or fewer labels may raise it."
        if answer.low is not None:
            hope = f"Its interval reaches beyond {answer.target:g}, though: plan again when it is known better."
        return [
            f"{plan.title} is {_value(plan)}, which is not above {answer.target:g}: no number of items will show that it "
            f"is. {hope}"
        ]
    said = (
        f"To show that {above} with a power of {percent(answer.power)} you need about {_design(plan, answer.needed)} "
        f"({answer.needed.n_annotations:,} annotations)"
    )
    if answer.now is None or plan.now is None:
        return [f"{said}."]
    said = f"{said}; with the {units(plan, plan.now.n_units)} you have the power is {percent(answer.now)}."
    stands = {"above": "is reached", "below": "is not reached", "unclear": "may or may not be reached"}[
        answer.status or "unclear"
    ]
    pilot = f"That takes {_value(plan)} for the true value, which {units(plan, plan.now.n_units)} do not prove: so far the target {stands}."
    if answer.assured is None:
        return [
            said,
            f"{pilot} Given these, the true value is above {answer.target:g} with a probability of {percent(answer.most or 0.0)}, so that no plan is "
            f"{percent(answer.power)} sure to show it yet: annotate a part and plan again.",
        ]
    return [
        said,
        f"{pilot} To be {percent(answer.power)} sure on average over the values they leave open you need about "
        f"{_design(plan, answer.assured)}.",
    ]
