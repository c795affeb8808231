"""What a reader of a plan must know."""

from __future__ import annotations

import math

from msgspec.structs import replace

from assent.analyses.plan.inputs import PlanInputs
from assent.analyses.plan.results import Design, Plan
from assent.analyses.plan.spread import ENOUGH
from assent.analyses.plan.wording import in_clusters, noun, units
from assent.inference.linear import skewness
from assent.measures.results import FEW_CLUSTERS, SKEWED
from assent.text import counted

__all__ = ["notes_of"]


def notes_of(plan: Plan, grounds: PlanInputs, asked: int | None) -> Plan:
    """Return the plan with its notes."""
    found = [
        _what_stays(grounds),
        _single(grounds),
        _model(grounds),
        _fixed(grounds),
        _clusters(plan, grounds),
        _lopsided(plan, grounds),
        _crew(plan, grounds, asked),
        _too_few(plan, grounds),
    ]
    return replace(plan, notes=tuple(note for note in found if note is not None))


def _what_stays(grounds: PlanInputs) -> str:
    if grounds.n_units is None:
        return "The plan is as good as the assumption: annotate some tens of items, then plan from these."
    return (
        "The plan takes new items to be like those so far, with the same guidelines and annotators as good, and annotations "
        "given without sight of each other."
    )


def _single(grounds: PlanInputs) -> str | None:
    """Say that items with one annotation do not count."""
    single = grounds.agreement.data._single_items(grounds.agreement.profiles)
    if not single or grounds.n_units is None:
        return None
    return f"Items are those with two or more annotations; {counted(single, 'item')} with one annotation not counted."


def _model(grounds: PlanInputs) -> str | None:
    """Say from where on a model speaks."""
    if grounds.spread is None:
        return None
    if grounds.n_units is None:
        return "Items are taken to differ in difficulty as a Dirichlet distribution with this agreement and these shares says."
    if grounds.spread.known >= 4:
        return None
    few = "two" if grounds.spread.known == 2 else "three"
    return (
        f"Fewer than {ENOUGH} items have more than {few} annotations, so what {grounds.spread.known + 1} or more per item buy is a "
        f"model's guess (items differ in difficulty as a Dirichlet distribution says): annotate {ENOUGH} items four times to know it."
    )


def _fixed(grounds: PlanInputs) -> str | None:
    """Say why there is one number of annotations per item alone."""
    if grounds.fixed is None:
        return None
    return f"Other numbers of annotations per item are not planned: {grounds.fixed}"


def _clusters(plan: Plan, grounds: PlanInputs) -> str | None:
    """Say what a plan in clusters takes for granted."""
    if plan.unit == "items" or grounds.n_units is None:
        return None
    few = f"{counted(grounds.n_units, noun(plan))} are few to plan from." if grounds.n_units < FEW_CLUSTERS else ""
    if not in_clusters(plan):
        return few or None
    return (
        f"Whole clusters are planned, of {grounds.items_per_unit:.1f} items each as so far; more items of the same clusters "
        f"would help less. {few}".rstrip()
    )


def _lopsided(plan: Plan, grounds: PlanInputs) -> str | None:
    """Say that so few units do not give a symmetric interval."""
    answers: list[Design | None] = [
        None if plan.half_width is None else plan.half_width.needed,
        None if plan.budget is None else plan.budget.best,
        None if plan.power is None else plan.power.needed,
    ]
    fewest = min((one.n_units for one in answers if one is not None), default=None)
    if fewest is None:
        return None
    # For n units the skewness of a mean is that of one unit over the root of n.
    one_unit = abs(skewness(grounds.agreement.sample)) * math.sqrt(grounds.agreement.sample.degrees + 1)
    if one_unit / math.sqrt(fewest) <= SKEWED:
        return None
    return (
        f"With {units(plan, fewest)} a few of them decide much of the value: the interval is then not symmetric, and ± is half of its "
        "width."
    )


def _too_few(plan: Plan, grounds: PlanInputs) -> str | None:
    """Say why a way that takes less than the cheapest is not called so."""
    answer = plan.half_width
    if answer is None or answer.cheapest is None or all(one.cost >= answer.cheapest.cost for one in answer.choices):
        return None
    return f"Ways with fewer than {units(plan, grounds.least_units)} are not said to cost least: with so few an interval may hold less often than it says."


def _crew(plan: Plan, grounds: PlanInputs, asked: int | None) -> str | None:
    """Say that there are not enough annotators for what was asked for, or for what is best."""
    count = grounds.agreement.n_annotators
    best = [
        None if plan.half_width is None else plan.half_width.cheapest,
        None if plan.budget is None else plan.budget.best,
    ]
    most = max([asked or 0, *(int(one.annotations_per_item) for one in best if one is not None)])
    if grounds.n_units is None or count is None or most <= count:
        return None
    return f"There are {count:,} annotators so far; {most:,} annotations per item need more of them."
