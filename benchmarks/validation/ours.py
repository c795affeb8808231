"""What assent says to the questions that were put to other packages."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import Any

import assent
from assent import Agreement, Annotations

from .data import TABLES, DataSet

__all__ = ["BY_ID", "agreement", "data_of", "ours", "quantity_of", "rounded"]

BY_ID: dict[str, DataSet] = {data.id: data for data in TABLES}
#: Numbers are kept to this many decimals, which is the same on every machine.
DECIMALS = 12


@cache
def data_of(table: str) -> Annotations:
    """Read a table."""
    return Annotations.from_array([list(row) for row in BY_ID[table].rows])


def agreement(
    table: str,
    measure: str,
    options: Mapping[str, str],
    category: object = None,
    *,
    data: Annotations | None = None,
) -> Agreement:
    """Measure a table, or `data` in its place."""
    known = BY_ID[table]
    settings: dict[str, Any] = dict(options)
    if (known.declared or (known.ordered and not known.numeric)) and "order" not in settings:
        settings["order"] = [str(label) for label in known.labels]
    data = data_of(table) if data is None else data
    if category is None:
        return assent.all_measures()[measure](data, **settings)
    return assent.all_measures()[measure].by_label(data, **settings)[str(category)]


def quantity_of(result: Agreement, quantity: str) -> float:
    """Take the value, the analytic standard error or an end of the analytic 95 % interval."""
    if quantity in ("value", "observed", "expected"):
        return float(getattr(result, quantity))
    interval = result.confidence_interval(0.95, method="analytic")
    # What packages print is compared before it is cut to the range of the coefficient.
    low, high = interval.uncut or (interval.low, interval.high)
    return {"standard-error": interval.standard_error, "low": low, "high": high}[quantity]


def ours(question: Mapping[str, Any]) -> tuple[float | None, str | None]:
    """Answer a question: a number, or None and the reason there is none.

    Parameters
    ----------
    question : mapping
        table, measure, options, category and quantity.
    """
    try:
        result = agreement(question["table"], question["measure"], question["options"], question["category"])
        number = quantity_of(result, question["quantity"])
    except assent.AssentError as problem:
        return None, str(problem)
    if math.isfinite(number):
        return rounded(number), None
    return None, next((note for note in result.notes if note.startswith("Undefined")), "undefined")


def rounded(number: float) -> float:
    """Drop the digits that depend on the machine."""
    return round(number, DECIMALS) + 0.0
