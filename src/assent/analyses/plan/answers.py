"""The answers of a plan: items for a half-width, the split of a budget, items that show a target."""

from __future__ import annotations

from msgspec.structs import replace

from assent.analyses.plan.inputs import PlanInputs
from assent.analyses.plan.results import Design, ForBudget, ForHalfWidth, ForPower
from assent.errors import OptionError
from assent.measures.results import Interval

__all__ = ["for_budget", "for_half_width", "for_power"]

#: By how much the items of a model were off, up or down, in populations that it does not describe (docs/planning.md).
MODEL_DOUBT = 1.25


def for_half_width(grounds: PlanInputs, half_width: float, asked: int | None) -> ForHalfWidth:
    """Find the units that make the interval narrow enough."""

    def needed(k: int | None) -> Design:
        return grounds.design(grounds.with_annotations(k).units_for(half_width, grounds.level), k)

    cheapest = grounds.best(map(needed, grounds.every), lambda one: one.cost)
    k = asked
    if k is None and grounds.n_units is None and cheapest is not None:
        k = int(cheapest.annotations_per_item)
    main, low, high, more = needed(k), None, None, None
    if grounds.n_units is not None:
        factor = grounds.precision.uncertainty(grounds.n_units, grounds.level)
        if k is not None and grounds.beyond_data(k):
            factor *= MODEL_DOUBT
        here = grounds.with_annotations(k)
        low, high = (here.times(change).units_for(half_width, grounds.level) for change in (1.0 / factor, factor))
        if k is None or (grounds.even and k == grounds.per_item):
            more = max(0, main.n_units - grounds.n_units)
    best = None if cheapest is None else int(cheapest.annotations_per_item)
    choices = tuple(map(needed, grounds.shown(asked, best)))
    return ForHalfWidth(
        half_width=half_width, needed=main, low=low, high=high, more=more, choices=choices, cheapest=cheapest
    )


def for_budget(grounds: PlanInputs, budget: float, asked: int | None) -> ForBudget:
    """Find the split of a budget that makes the interval narrowest."""
    if grounds.spread is None:
        raise OptionError(f"A budget cannot be split: {grounds.fixed}")

    def bought(k: int) -> Design | None:
        units = grounds.affordable(budget, k)
        return grounds.design(units, k) if units >= 2 else None

    every = (one for one in map(bought, grounds.every) if one is not None)
    best = grounds.best(every, lambda one: one.half_width)
    if best is None:
        units = "items" if grounds.agreement.unit == "items" else "clusters"
        raise OptionError(
            f"A budget of {budget:,.10g} annotations is too small: an interval needs two {units} with 2 annotations per item at least."
        )
    choices = map(bought, grounds.shown(asked, int(best.annotations_per_item)))
    return ForBudget(
        budget=budget,
        asked=None if asked is None else bought(asked),
        choices=tuple(one for one in choices if one is not None),
        best=best,
    )


def for_power(grounds: PlanInputs, target: float, power: float, asked: int | None) -> ForPower:
    """Find the units that show that the value is above a target."""

    def needed(k: int | None) -> Design | None:
        units = grounds.with_annotations(k).units_for_power(power, target, grounds.level)
        return None if units is None else grounds.design(units, k)

    choices = tuple(one for one in map(needed, grounds.shown(asked)) if one is not None)
    k = asked
    if k is None and grounds.n_units is None and grounds.spread is not None:
        best = grounds.best((one for one in map(needed, grounds.every) if one is not None), lambda one: one.cost)
        k = None if best is None else int(best.annotations_per_item)
    low = high = now = most = status = assured = None
    if grounds.n_units is not None:
        here, reach = grounds.with_annotations(k), grounds.precision.half_width(grounds.n_units, grounds.level)
        low, high = (here.moved(shift).units_for_power(power, target, grounds.level) for shift in (reach, -reach))
        now = grounds.precision.power(grounds.n_units, target, grounds.level)
        open_ = replace(here, doubt=grounds.precision.standard_error(grounds.n_units))
        most, enough = open_.most_power(target), open_.units_for_power(power, target, grounds.level)
        assured = None if enough is None else grounds.design(enough, k)
        status = _status(grounds.agreement.confidence_interval(grounds.level), target)
    return ForPower(
        target=target,
        power=power,
        needed=needed(k),
        low=low,
        high=high,
        now=now,
        choices=choices,
        assured=assured,
        most=most,
        status=status,
    )


def _status(interval: Interval, target: float) -> str:
    """Say in one of three words how an interval stands to a target."""
    return "above" if interval.low > target else "below" if interval.high < target else "unclear"
