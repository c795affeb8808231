"""Values with their intervals, one below the other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assent.documents.charts import INK, PALETTE
from assent.reports.charts.parts import NARROW, STRONG, axis_names, cut_at, fixed, inline, name_width
from assent.text import number

__all__ = ["Row", "intervals"]


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of the chart.

    Parameters
    ----------
    name : str
    value, low, high : float or None
        None if undefined.
    strong : bool
        The one to look at.
    beside : float or None
        A second value to compare with, drawn as a tick.
    """

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    strong: bool = False
    beside: float | None = None


def intervals(
    rows: Sequence[Row],
    *,
    title: str,
    width: int,
    target: float | None = None,
    zero: bool = False,
    beside: str | None = None,
    share: bool = False,
) -> Any | None:
    """Draw values and intervals; None if no row has a value.

    Parameters
    ----------
    rows : sequence of Row
    title : str
        What the values are.
    width : int
        In pixels, with everything.
    target : float, optional
        A line to compare with.
    zero : bool
        They are differences: a line marks 0, and the axis goes no further than they do.
    beside : str, optional
        What the ticks are.
    share : bool
        They are shares: shown in percent.
    """
    import altair as alt

    if not any(row.value is not None for row in rows):
        return None
    small = width <= NARROW
    names = axis_names((row.name for row in rows), 18 if small else 34)
    left = name_width(names, 120 if small else 230)
    right = 44 if small else 150
    scale = alt.Scale(domain=_reach(rows, target, zero), nice=False, clamp=True)
    axis = alt.Axis(format=".0%" if share else ".1~f", tickCount=4 if small else 6)

    def x(field: str) -> Any:
        return alt.X(f"{field}:Q").scale(scale).axis(axis).title(title)

    y = alt.Y("name:N").sort(None).title(None)
    y = y.axis(
        alt.Axis(
            labelLimit=cut_at(names, left), ticks=False, domain=False, minExtent=left, maxExtent=left, labelPadding=6
        )
    )
    values = [
        {
            "name": name,
            "value": row.value,
            "low": row.low,
            "high": row.high,
            "beside": row.beside,
            "colour": PALETTE[1 if row.strong and beside else 0],
            "text": _text(row, small, share, zero),
        }
        for name, row in zip(names, rows, strict=True)
    ]
    colour = alt.Color("colour:N", scale=None)
    base = inline(values).encode(y)
    layers = []
    if zero or target is not None:
        at = inline([{"value": 0 if zero else target}])
        layers.append(at.mark_rule(color=INK, strokeDash=[5, 3], strokeWidth=1.5).encode(x("value")))
    layers.append(base.mark_rule(strokeWidth=3, opacity=1).encode(x("low"), alt.X2("high:Q"), colour))
    if beside:
        # A tick as an outline: it differs from the point by its form, not by its colour alone.
        layers.append(
            base.mark_point(shape="stroke", angle=90, size=260, strokeWidth=2, opacity=1, color=INK).encode(x("beside"))
        )
    layers.append(base.mark_point(filled=True, size=90, opacity=1).encode(x("value"), colour))
    for strong, ink, weight in ((False, INK, 400), (True, STRONG, 600)):
        some = [row for row, one in zip(values, rows, strict=True) if one.strong is strong]
        if some:
            layers.append(
                inline(some)
                .mark_text(align="left", color=ink, fontWeight=weight, dx=10)
                .encode(y, alt.Text("text:N"), fixed("x", width - left - right))
            )
    return alt.layer(*layers, width=width - left - right, height=alt.Step(20 if len(rows) > 25 else 26))


def _reach(rows: Sequence[Row], target: float | None, zero: bool) -> list[float]:
    """Return where the axis begins and ends: from 0 to 1 unless values go beyond, or are differences."""
    seen = [one for row in rows for one in (row.value, row.low, row.high, row.beside) if one is not None]
    seen += [0.0] if zero else [0.0, 1.0]
    seen += [] if target is None else [target]
    step = 20 if zero else 10
    low, high = math.floor(min(seen) * step) / step, math.ceil(max(seen) * step) / step
    return [max(low, -1.0), min(high, 1.0)] if low < high else [-1 / step, 1 / step]


def _text(row: Row, small: bool, share: bool, signed: bool) -> str:
    def shown(value: float) -> str:
        return f"{100 * value:.0f} %" if share else number(value, signed=signed)

    if row.value is None:
        return "–" if small else "undefined"
    if small or row.low is None or row.high is None:
        return shown(row.value)
    return f"{shown(row.value)}  ({shown(row.low)} to {shown(row.high)})"
