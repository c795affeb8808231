"""Intervals for a claim about other annotators: what would agreement be if others like these had annotated.

An interval over items asks what these annotators would say about other items. The annotators are a sample too. How much the value
depends on them is seen when each in turn is left out; what items and annotators add to its variance is added up.

References
----------
Gwet, K. L. (2014). Handbook of inter-rater reliability (4th ed.), chapter 5. Advanced Analytics.
Owen, A. B. (2007). The pigeonhole bootstrap. Annals of Applied Statistics 1(2), 386-411. https://doi.org/10.1214/07-AOAS122
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from msgspec.structs import replace

from assent.data import Dataset
from assent.errors import InputError, OptionError, UnsuitableData
from assent.inference.intervals import _t_quantile
from assent.limits import ANNOTATORS_LEFT_OUT
from assent.measures import Measure
from assent.measures.results import Agreement, Interval
from assent.profiles import Array, Counts
from assent.text import shown

__all__ = ["UNITS", "over_annotators", "without_each_annotator"]

#: What a new sample would draw anew, the default first.
UNITS = ("items", "annotators")
#: With fewer annotators than this, how much they differ is hardly known.
FEW_ANNOTATORS = 5


def without_each_annotator(data: Dataset, measure: Measure, options: Mapping[str, Any]) -> Array:
    """Return the value without each annotator: (annotators,), NaN where it is undefined.

    Parameters
    ----------
    options : mapping
        What the measure is called with.
    """
    from assent.analyses.annotators.leave_one_out import without_each

    names = data.annotators
    if names is None:
        raise UnsuitableData(
            "The data do not say who annotated what, so nothing is known of other annotators: `generalise` to items."
        )
    if len(names) < 3:
        raise UnsuitableData(
            f"`generalise` annotators needs three annotators or more, and there are {len(names)}: without one of two there is no "
            "agreement to compare with. `generalise` to items, and say that the interval is about these two."
        )
    plain = data.kind == "labels" and options.get("distance", "nominal") == "nominal"
    if plain and measure.profiles is Counts and measure.n_annotators is None and not measure.complete:
        return without_each(data, measure, **options).values  # type: ignore[arg-type]
    if len(names) > ANNOTATORS_LEFT_OUT:
        raise OptionError(
            f"`generalise` annotators measures {measure.name} without each annotator, up to {ANNOTATORS_LEFT_OUT} of them, and there are "
            f"{len(names):,}: use krippendorff-alpha, which takes any number."
        )
    values = []
    for name in names:
        try:
            values.append(measure(data.without_annotators([name]), **options).value)
        except InputError:
            values.append(math.nan)
    return np.array(values)


def over_annotators(agreement: Agreement, interval: Interval, values: Array) -> Interval:
    """Widen an interval over items to one over items and annotators.

    The variance is that of items, V, plus that of annotators, ``(m - 1) / m * sum((values - mean)**2)`` for m annotators; degrees
    of freedom are those of Satterthwaite. Either side of the interval is widened by itself.

    Parameters
    ----------
    interval : Interval
        Over items.
    values : array (annotators,)
        The value without each annotator.
    """
    unit = f"{interval.unit} and annotators"
    if math.isnan(interval.low) or math.isnan(agreement.value):
        return replace(interval, unit=unit)
    count = len(values)
    if np.isnan(values).any():
        names = agreement.data.annotators
        alone = shown(names[int(np.flatnonzero(np.isnan(values))[0])])
        why = f"No interval over annotators: without {alone} the value is undefined."
        return replace(interval, low=math.nan, high=math.nan, unit=unit, notes=(*interval.notes, why))
    spread = (count - 1) / count * float(((values - values.mean()) ** 2).sum())
    tail = (1.0 + interval.level) / 2.0
    own = _t_quantile(tail, agreement.sample.degrees)
    arms = [(agreement.value - interval.low) / own, (interval.high - agreement.value) / own]
    items = ((interval.high - interval.low) / 2.0 / own) ** 2
    degrees = (items + spread) ** 2 / (items**2 / agreement.sample.degrees + spread**2 / (count - 1))
    reach = _t_quantile(tail, degrees)
    low, high = (sign * reach * math.sqrt(arm**2 + spread) for sign, arm in zip((-1, 1), arms, strict=True))
    least, most = agreement.span
    notes = [*interval.notes, "The interval is about other items and other annotators like these."]
    if count < FEW_ANNOTATORS:
        notes.append(
            f"How much annotators differ is seen on {count} of them: with fewer than {FEW_ANNOTATORS} the interval is rough, and often too wide."
        )
    return replace(
        interval,
        low=max(least, agreement.value + low),
        high=min(most, agreement.value + high),
        standard_error=math.sqrt(interval.standard_error**2 + spread),
        unit=unit,
        notes=tuple(notes),
        exact=False,
    )
