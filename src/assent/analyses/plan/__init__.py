"""How much to annotate: items for a half-width, annotations per item, the split of a budget, the power to show a target."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from assent.analyses.interpretation import target as target_of
from assent.analyses.plan.answers import for_budget, for_half_width, for_power
from assent.analyses.plan.inputs import from_assumption, from_data
from assent.analyses.plan.notes import notes_of
from assent.analyses.plan.results import Design, ForBudget, ForHalfWidth, ForPower, Plan
from assent.analyses.recommend import recommend
from assent.analyses.thresholds import HALF_WIDTH
from assent.errors import OptionError
from assent.limits import PLANNED_LABELS
from assent.measures import find
from assent.measures._preparation import as_dataset

__all__ = ["Design", "ForBudget", "ForHalfWidth", "ForPower", "Plan", "plan"]

#: Shares that add up to 1 but for this have been rounded.
ROUNDED = 1e-6
#: What is planned unless another measure is named; of other kinds of data the one to quote.
DEFAULT = "krippendorff-alpha"


def plan(
    data: Any = None,
    *,
    half_width: float | None = None,
    budget: float | None = None,
    target: float | str | None = None,
    power: float = 0.8,
    annotations_per_item: int | None = None,
    agreement: float | None = None,
    kappa: float | None = None,
    shares: Sequence[float] | None = None,
    measure: str = DEFAULT,
    level: float = 0.95,
    item_cost: float = 0.0,
    order: Sequence[str] | None = None,
    **options: Any,
) -> Plan:
    """Plan how much to annotate, from data so far or from an assumption.

    Parameters
    ----------
    data : Annotations, or whatever they can be made from, optional
        A path, a DataFrame with the columns item, annotator and label, a 2-D array of items x annotators. Without data,
        `agreement` or `kappa`, and `shares`, say what to assume.
    half_width : float, optional
        How near the value shall be known: half the width of its interval. 0.1 if neither this nor `budget` nor `target` is given.
    budget : float, optional
        Annotations in all, to be split between items and annotations per item.
    target : float or str, optional
        A value to be shown to lie below the true one: a number, or a kind of task such as ``"standard"``.
    power : float
        How probable it shall be that the lower end of the interval lies above the target.
    annotations_per_item : int, optional
        As many as items have so far if not given; without data, the number that costs least.
    agreement : float, optional
        Assumed probability that two annotators give an item the same label.
    kappa : float, optional
        The same corrected for chance, as Fleiss' kappa and Krippendorff's alpha do; instead of `agreement`.
    shares : sequence of float, optional
        Assumed shares of the labels; they add up to 1.
    measure : str
        What to plan for.
    level : float
        Confidence level of the interval.
    item_cost : float
        Cost of an item beyond its annotations, in units of an annotation; costs say which design is cheapest.
    order : sequence of str, optional
        The labels from lowest to highest.
    **options
        scale, weights and the measure's own options.

    Returns
    -------
    Plan
        Its `half_width`, `budget` and `power` answer what was asked; print it for sentences.

    Examples
    --------
    >>> import assent
    >>> table = [["a", "a"], ["b", "b"], ["a", "b"], ["a", "a"], ["b", "b"]] * 20
    >>> made = assent.plan(table, half_width=0.1)
    >>> made.half_width.needed.n_items, made.half_width.more
    (246, 146)

    Nothing annotated yet:

    >>> made = assent.plan(agreement=0.8, shares=[0.7, 0.2, 0.1], half_width=0.05, annotations_per_item=3)
    >>> print(made.sentences[1])
    To know Krippendorff's alpha within ±0.05 you need about 640 items with 3 annotations each (1,920 annotations).
    """
    if half_width is None and budget is None and target is None:
        half_width = HALF_WIDTH
    _check_between(half_width, "half-width", "as 0.05 does")
    _check_between(level, "confidence level", "as 0.95 does")
    if not 0.5 <= power < 1:
        raise OptionError(f"The power is {power:g}; it must be at least 0.5 and below 1, as 0.8 is.")
    if annotations_per_item is not None and not 2 <= annotations_per_item <= 10**6:
        raise OptionError(
            f"The number of annotations per item is {annotations_per_item:,}; agreement needs 2 or more, and a million is enough."
        )
    if not 0 <= item_cost < math.inf:
        raise OptionError(f"The cost of an item is {item_cost:g}; it must be 0 or more annotations.")
    if budget is not None and not 0 < budget < math.inf:
        raise OptionError(f"The budget is {budget:g}; it must be a number of annotations, such as 3000.")
    aim = None if target is None else target_of(target).value
    found = find(measure)
    assumed: tuple[tuple[float, ...], float] | None = None
    if data is None:
        assumed = _assumption(agreement, kappa, shares)
        if order is not None:
            raise OptionError("An order of labels is for data: assumed shares stand in the order of their labels.")
        grounds = from_assumption(*assumed, found, options, level=level, item_cost=item_cost)
    else:
        if agreement is not None or kappa is not None or shares is not None:
            raise OptionError("Give data or an assumption (agreement or kappa, and shares), not both.")
        data = as_dataset(data)
        data = data if order is None else data.ordered(order)
        if measure == DEFAULT and found.kind not in data.kinds:
            found = find(recommend(data).quote)
        grounds = from_data(data, found, options, level=level, item_cost=item_cost)
    grounds.with_annotations(annotations_per_item)
    now = None if grounds.n_units is None else grounds.design(grounds.n_units, None)
    shown = grounds.shown(annotations_per_item)
    made = Plan(
        measure=found.name,
        title=grounds.agreement.title,
        options=grounds.agreement.options,
        value=grounds.agreement.value,
        level=level,
        unit=grounds.agreement.unit,
        now=now,
        agreement=None if assumed is None else _observed(*assumed),
        shares=None if assumed is None else assumed[0],
        item_cost=item_cost,
        per_item=() if now is None else tuple(grounds.design(now.n_units, k) for k in shown),
        known=None if grounds.spread is None else grounds.spread.known,
        half_width=None if half_width is None else for_half_width(grounds, half_width, annotations_per_item),
        budget=None if budget is None else for_budget(grounds, budget, annotations_per_item),
        power=None if aim is None else for_power(grounds, aim, power, annotations_per_item),
        notes=(),
        data=data,
    )
    return notes_of(made, grounds, annotations_per_item)


def _check_between(value: float | None, what: str, such: str) -> None:
    """Refuse a number that is not between 0 and 1."""
    if value is not None and not 0 < value < 1:
        raise OptionError(f"The {what} is {value:g}; it must lie between 0 and 1, {such}.")


def _assumption(
    agreement: float | None, kappa: float | None, shares: Sequence[float] | None
) -> tuple[tuple[float, ...], float]:
    """Check an assumption; return the shares and the agreement beyond chance."""
    if agreement is not None and kappa is not None:
        raise OptionError("The agreement and kappa say the same in two ways: assume one of them.")
    if (agreement is None and kappa is None) or shares is None:
        raise OptionError(
            "There is nothing to plan from: give data, or assume an agreement with `agreement` (or `kappa`) and the shares of the labels "
            "with `shares`, such as 0.8 and 0.7,0.2,0.1."
        )
    share = tuple(float(one) for one in shares)
    if len(share) < 2 or not all(0 < one < 1 for one in share):
        raise OptionError("The shares must be two or more numbers between 0 and 1, such as 0.7,0.2,0.1.")
    if len(share) > PLANNED_LABELS:
        raise OptionError(f"There are {len(share):,} shares; at most {PLANNED_LABELS} labels can be assumed.")
    if abs(sum(share) - 1) > ROUNDED:
        raise OptionError(f"The shares add up to {sum(share):g}: they must add up to 1.")
    chance = sum(one**2 for one in share)
    _check_between(agreement, "assumed agreement", "as 0.8 does")
    if agreement is not None and agreement < chance:
        raise OptionError(
            f"Two annotators who draw labels with these shares at random agree on {chance:.3f} of the items, and the assumed "
            f"agreement is {agreement:g}: assume more agreement, or other shares."
        )
    beyond = (agreement - chance) / (1.0 - chance) if agreement is not None else kappa
    if beyond is None or not 0 <= beyond < 1:
        raise OptionError(f"The assumed kappa is {beyond:g}; it must be at least 0 and below 1, as 0.6 is.")
    return share, beyond


def _observed(shares: Sequence[float], kappa: float) -> float:
    """Return the agreement that a kappa stands for."""
    chance = sum(one**2 for one in shares)
    return chance + kappa * (1.0 - chance)
