"""What a plan stands on: data so far, or an assumption."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace

from assent.analyses.plan.pairs import PairTable, kernel
from assent.analyses.plan.precision import Precision, precision_of
from assent.analyses.plan.results import Design
from assent.analyses.plan.spread import Spread, assumed_spread, observed_spread
from assent.errors import OptionError, UnsuitableData
from assent.limits import PLANNED_LABELS, PLANNED_PER_ITEM, PLANNED_ROWS
from assent.measures import Measure
from assent.measures.results import FEW_CLUSTERS, Agreement
from assent.profiles import Counts
from assent.records import Struct

__all__ = ["PlanInputs", "from_assumption", "from_data"]

#: With fewer items than this intervals are too narrow too often (docs/intervals.md).
FEW_ITEMS = 50


class PlanInputs(Struct, frozen=True, kw_only=True, eq=False):
    """What one unit tells, as things are and with other numbers of annotations per item.

    Parameters
    ----------
    agreement : Agreement
        The measure of the data, or of the assumption.
    precision : Precision
        Of the present design; of two annotations per item for an assumption.
    spread : Spread or None
        How it depends on the annotations per item; None if these cannot be varied.
    fixed : str or None
        Why they cannot.
    n_units : int or None
        Units so far; None for an assumption.
    sizes : tuple of float
        Numbers of annotations that items have so far, each once.
    per_item, items_per_unit : float
        Annotations per item and items per unit so far; means where they differ.
    """

    agreement: Agreement
    precision: Precision
    spread: Spread | None
    fixed: str | None
    level: float
    item_cost: float
    n_units: int | None
    sizes: tuple[float, ...]
    per_item: float
    items_per_unit: float

    @property
    def even(self) -> bool:
        """All items so far have the same number of annotations."""
        return len(self.sizes) == 1

    def with_annotations(self, per_item: int | None) -> Precision:
        """Return what one unit tells with so many annotations per item; None stands for the present design."""
        if per_item is None or (self.even and per_item == self.per_item):
            return self.precision
        if self.spread is None:
            raise OptionError(f"{per_item} annotations per item cannot be planned: {self.fixed}")
        return replace(self.precision, variance=self.spread.variance(per_item))

    def beyond_data(self, per_item: int) -> bool:
        """Tell whether a model, not the data, says what so many annotations per item tell."""
        if self.spread is None or (self.even and per_item == self.per_item):
            return False
        return self.spread.known < 4 and per_item > self.spread.known

    def design(self, units: int, per_item: int | None) -> Design:
        """Describe so many units with so many annotations per item."""
        items = units if self.items_per_unit == 1 else max(1, round(units * self.items_per_unit))
        each = self.per_item if per_item is None else float(per_item)
        return Design(
            annotations_per_item=each,
            even=self.even or per_item is not None,
            n_units=units,
            n_items=items,
            n_annotations=round(items * each),
            cost=round(items * each) + items * self.item_cost,
            half_width=self.with_annotations(per_item).half_width(units, self.level),
        )

    def affordable(self, budget: float, per_item: int) -> int:
        """Return how many units a budget buys."""
        return int(budget / ((per_item + self.item_cost) * self.items_per_unit) + 1e-9)

    @property
    def every(self) -> range:
        """All numbers of annotations per item among which the best is looked for; empty if they cannot be varied."""
        return range(2, PLANNED_PER_ITEM + 1) if self.spread is not None else range(0)

    @property
    def least_units(self) -> int:
        """Of fewer units intervals fail."""
        return FEW_ITEMS if self.agreement.unit == "items" else FEW_CLUSTERS

    def best(self, designs: Iterable[Design], by: Callable[[Design], float]) -> Design | None:
        """Return the design with the least of something; of so few units that intervals fail only if there is no other."""
        return min(designs, key=lambda one: (one.n_units < self.least_units, by(one)), default=None)

    def shown(self, *also: int | None) -> list[int]:
        """Return the numbers of annotations per item that have a row of their own: a few, those so far and some asked for."""
        if self.spread is None:
            return []
        so_far = int(self.per_item) if self.even else None
        return sorted({*range(2, PLANNED_ROWS + 1), *(k for k in (so_far, *also) if k is not None)})


def from_data(
    data: Any, measure: Measure, settings: Mapping[str, Any], *, level: float, item_cost: float
) -> PlanInputs:
    """Take the data so far."""
    agreement = measure(data, **settings)
    if agreement.unit in ("annotators", "objects") and measure.kind != "labels":
        raise UnsuitableData(
            "There is one list, and a plan says how many more to collect: give several, with a column that tells them apart (`item`)."
        )
    precision = precision_of(agreement, level)
    items = agreement.profiles.comparable() if isinstance(agreement.profiles, Counts) else agreement.profiles
    sizes = tuple(np.unique(items.sizes[items.pairable > 0]).tolist())
    units = agreement.sample.degrees + 1
    per_item = agreement.n_annotations / agreement.n_items
    fixed = _fixed(measure, len(getattr(data, "labels", ())))
    spread = None
    if fixed is None and isinstance(items, Counts):
        pairs = PairTable.observed(items)
        # The labels are those of the comparison: without the ranks of sets, in the order asked for.
        table = kernel(measure(pairs.annotations(agreement.data), **settings))
        spread = observed_spread(table, items, assumed_spread(table, pairs))
        if len(sizes) == 1:
            spread = spread.calibrated(precision.variance, int(sizes[0]))
    return PlanInputs(
        agreement=agreement,
        precision=precision,
        spread=spread,
        fixed=fixed,
        level=level,
        item_cost=item_cost,
        n_units=units,
        sizes=sizes,
        per_item=per_item,
        items_per_unit=agreement.n_items / units,
    )


def from_assumption(
    shares: Sequence[float],
    kappa: float,
    measure: Measure,
    settings: Mapping[str, Any],
    *,
    level: float,
    item_cost: float,
) -> PlanInputs:
    """Take an assumed agreement of two annotators and assumed shares of the labels."""
    pairs = PairTable.assumed(shares, kappa)
    agreement = measure(pairs.annotations(), **settings)
    precision = precision_of(agreement, level)
    fixed = _fixed(measure, len(shares))
    spread = None
    if fixed is None:
        spread = assumed_spread(kernel(agreement), pairs).calibrated(precision.variance, 2)
    return PlanInputs(
        agreement=agreement,
        precision=precision,
        spread=spread,
        fixed=fixed,
        level=level,
        item_cost=item_cost,
        n_units=None,
        sizes=(2.0,),
        per_item=2.0,
        items_per_unit=1.0,
    )


def _fixed(measure: Measure, labels: int) -> str | None:
    """Say why the number of annotations per item cannot be varied; None if it can."""
    if measure.kind != "labels":
        return f"{measure.name} is about {measure.kind}, and the plan adds items like those so far."
    if measure.profiles is not Counts:
        return f"{measure.name} depends on who gives which label; plan with krippendorff-alpha, which does not."
    if measure.n_annotators is not None:
        return f"{measure.name} is for {measure.n_annotators} annotators; plan with krippendorff-alpha, which takes any number."
    if labels > PLANNED_LABELS:
        return (
            f"there are {labels:,} distinct labels, and how they agree in pairs is worked out for {PLANNED_LABELS} at most; "
            "group or round them."
        )
    return None
