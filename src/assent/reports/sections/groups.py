"""Subgroups of the annotations by a column: agreement of each, and how much they differ."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations
from typing import Any

from assent.analyses.difference import Difference, difference
from assent.analyses.findings.finding import holm
from assent.data import Annotations
from assent.errors import InputError, OptionError
from assent.measures.results import plain
from assent.reports.context import Measured, ReportContext, attempt
from assent.text import counted, shown

__all__ = ["groups_section"]

#: Groups that are measured, those with the most annotations.
MOST_GROUPS = 30
#: Up to so many groups every two are compared; of more, each with all others together alone.
MOST_PAIRED = 8
#: How often groups without a difference may be said to differ.
LEVEL = 0.05


def groups_section(ground: ReportContext, *, one_of_several: bool = False) -> dict[str, Any] | None:
    """Return agreement by group, each against the rest, and every two of a few groups; None if no column was named.

    Parameters
    ----------
    ground : ReportContext
    one_of_several : bool
        The data are one of several questions, which need not have several groups each.
    """
    column = ground.settings.by
    if column is None:
        return None
    data = ground.data
    found = data.groups(column)
    groups = [(value, name) for value, name, _ in found if name is not None]
    if len(groups) < 2 and one_of_several:
        return None
    if len(groups) < 2:
        only = "one value" if groups else "no value"
        raise OptionError(f"--by is {shown(column)}, a column with {only}: groups need two or more.")
    notes = []
    if len(groups) > MOST_GROUPS:
        notes.append(f"The {MOST_GROUPS} largest of {len(groups):,} groups are shown.")
    without = sum(rows for _, name, rows in found if name is None)
    if without:
        notes.append(f"{counted(without, 'annotation')} without a value of {shown(column)} are in no group.")
    paired = data.items_in_several(column)
    if paired:
        notes.append(
            f"{counted(paired, 'item')} {'has' if paired == 1 else 'have'} annotations in several groups; "
            "differences between groups are matched by item."
        )
    rows, measured = [], {}
    shown_groups = groups[:MOST_GROUPS]
    parts = data.split_by(column, [value for value, _ in shown_groups])
    for (_, name), (mine, others) in zip(shown_groups, parts, strict=True):
        row, agreement = _row(ground, name, mine, others, bool(paired))
        rows.append(row)
        if agreement is not None:
            measured[name] = agreement
    _correct([row for row in rows if row["rest"] is not None], lambda row: row["rest"])
    differences = _differences(ground, measured, bool(paired)) if len(measured) <= MOST_PAIRED else []
    _correct(differences, lambda row: row)
    quoted = ground.quoted.agreement
    rows.sort(key=lambda row: (row["value"] is None, row["value"]))
    notes.append(
        f"clear: below {LEVEL:g} after Holm's correction for all comparisons of a table, so that equal groups are called different "
        "in no more than 5 % of reports."
    )
    return {
        "column": column,
        "measure": quoted.measure,
        "title": quoted.title,
        "level": ground.settings.level,
        "rows": rows,
        "differences": differences,
        "notes": notes,
    }


def _row(
    ground: ReportContext, name: str, mine: Annotations, others: Annotations, paired: bool
) -> tuple[dict[str, Any], Measured | None]:
    """Measure a group, and how much it differs from all others together."""
    found = attempt(lambda: ground.measure(mine))
    value = None if found is None else plain(found.agreement.value)
    row: dict[str, Any] = {
        "group": name,
        "items": mine.items,
        "annotations": mine.annotations,
        "value": value,
        "observed": None if found is None else plain(found.agreement.observed),
        "low": None if found is None else plain(found.interval.low),
        "high": None if found is None else plain(found.interval.high),
        "method": None if found is None else found.interval.method,
        "rest": None,
        "notes": [] if found is None else [*found.agreement.notes, *found.interval.notes],
    }
    if found is None:
        row["notes"] = [mine.nothing_to_compare()]
        return row, None
    rest = attempt(lambda: ground.measure(others))
    if rest is not None and value is not None:
        gap = _compared(ground, found, rest, paired)
        row["rest"] = None if gap is None else {"value": plain(rest.agreement.value), **gap}
    return row, found


def _differences(ground: ReportContext, measured: dict[str, Measured], paired: bool) -> list[dict[str, Any]]:
    """Compare every two groups."""
    made = []
    for first, second in combinations(measured, 2):
        gap = _compared(ground, measured[first], measured[second], paired)
        if gap is not None:
            made.append({"first": first, "second": second, **gap})
    return made


def _compared(ground: ReportContext, first: Measured, second: Measured, paired: bool) -> dict[str, Any] | None:
    """Return how much two groups differ, and how likely that is if they do not."""
    gap = _difference(first, second, paired)
    if math.isnan(gap.value):
        return None
    interval = gap.confidence_interval(ground.settings.level)
    return {
        "difference": gap.value,
        "low": plain(interval.low),
        "high": plain(interval.high),
        "standard_error": plain(interval.standard_error),
        "p_value": plain(_p_value(gap.value, interval.standard_error, gap.sample.degrees)),
    }


def _difference(first: Measured, second: Measured, paired: bool) -> Difference:
    if paired:
        try:
            return difference(first.agreement, second.agreement)
        except InputError:
            # Measures that ask who gave which label are paired within one table alone.
            pass
    return difference(first.agreement, second.agreement, paired=False)


def _p_value(value: float, error: float, degrees: float) -> float:
    """Return how likely a difference so large is if there is none, by the t distribution."""
    if math.isnan(error) or error == 0 or degrees < 1:
        return math.nan
    from scipy.special import stdtr

    return float(2.0 * stdtr(degrees, -abs(value) / error))


def _correct(rows: list[dict[str, Any]], where: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Correct the p-values of a table for their number, and say which differences are clear."""
    known = [where(row) for row in rows]
    tested = [one for one in known if one["p_value"] is not None]
    for one in known:
        one["p_corrected"], one["clear"] = None, False
    for one, corrected in zip(tested, holm([one["p_value"] for one in tested]), strict=True):
        one["p_corrected"], one["clear"] = corrected, corrected <= LEVEL
