"""Values with their intervals, one below the other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import assent.text as written
from assent.documents.charts import INK, PALETTE, layer, mark, nominal, number
from assent.records import Struct
from assent.reports.charts.parts import NARROW, STRONG, axis_names, cut_at, fixed, name_width
from assent.text import visible

__all__ = ["Row", "intervals", "tip_of"]


class Row(Struct, frozen=True, kw_only=True):
    """One line of the chart.

    Parameters
    ----------
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
    if not any(row.value is not None for row in rows):
        return None
    small = width <= NARROW
    names = axis_names((row.name for row in rows), 22 if small else 34)
    left = name_width(names, 136 if small else 230)
    right = 44 if small else 150
    scale = {"domain": _reach(rows, target, zero), "nice": False, "clamp": True}
    axis = {"format": ".0%" if share else ".1~f", "tickCount": 4 if small else 6}

    def x(field: str) -> dict[str, Any]:
        return number(field, scale=scale, axis=axis, title=title)

    side = {
        "labelLimit": cut_at(names, left),
        "ticks": False,
        "domain": False,
        "minExtent": left,
        "maxExtent": left,
        "labelPadding": 6,
    }
    y = nominal("name", sort=None, title=None, axis=side)
    values = [
        {
            "name": name,
            "value": row.value,
            "low": row.low,
            "high": row.high,
            "beside": row.beside,
            "colour": PALETTE[1 if row.strong and beside else 0],
            "text": _text(row, small, share, zero),
            "tip": tip_of(row, beside, share=share, signed=zero),
        }
        for name, row in zip(names, rows, strict=True)
    ]
    colour = nominal("colour", scale=None)
    layers = []
    if zero or target is not None:
        at = [{"value": 0 if zero else target}]
        layers.append(mark("rule", at, {"x": x("value")}, color=INK, strokeDash=[5, 3], strokeWidth=1.5))
    ends = {"y": y, "x": x("low"), "x2": {"field": "high"}, "color": colour}
    layers.append(mark("rule", values, ends, strokeWidth=3, opacity=1))
    if beside:
        # A tick as an outline: it differs from the point by its form, not by its colour alone.
        tick = {"shape": "stroke", "angle": 90, "size": 260, "strokeWidth": 2, "opacity": 1, "color": INK}
        layers.append(mark("point", values, {"y": y, "x": x("beside")}, **tick))
    layers.append(mark("point", values, {"y": y, "x": x("value"), "color": colour}, filled=True, size=90, opacity=1))
    for strong, ink, weight in ((False, INK, 400), (True, STRONG, 600)):
        some = [row for row, one in zip(values, rows, strict=True) if one.strong is strong]
        if some:
            place = {"y": y, "x": fixed(width - left - right), "text": nominal("text")}
            layers.append(mark("text", some, place, align="left", color=ink, fontWeight=weight, dx=10))
    return layer(*layers, width=width - left - right, height={"step": 20 if len(rows) > 25 else 26})


def tip_of(row: Row, beside: str | None = None, *, share: bool = False, signed: bool = False) -> str:
    """Say all that a line shows, whatever room there is for its text."""
    said = f"{visible(row.name)}: {_text(row, False, share, signed)}"
    return said if beside is None or row.beside is None else f"{said}; {beside} {_shown(row.beside, share, signed)}"


def _reach(rows: Sequence[Row], target: float | None, zero: bool) -> list[float]:
    """Return where the axis begins and ends: from 0 to 1 unless values go beyond, or are differences."""
    seen = [one for row in rows for one in (row.value, row.low, row.high, row.beside) if one is not None]
    seen += [0.0] if zero else [0.0, 1.0]
    seen += [] if target is None else [target]
    step = 20 if zero else 10
    low, high = math.floor(min(seen) * step) / step, math.ceil(max(seen) * step) / step
    return [max(low, -1.0), min(high, 1.0)] if low < high else [-1 / step, 1 / step]


def _text(row: Row, small: bool, share: bool, signed: bool) -> str:
    if row.value is None:
        return "–" if small else "undefined"
    shown = _shown(row.value, share, signed)
    if small or row.low is None or row.high is None:
        return shown
    return f"{shown}  ({_shown(row.low, share, signed)} to {_shown(row.high, share, signed)})"


def _shown(value: float, share: bool, signed: bool) -> str:
    return f"{100 * value:.0f} %" if share else written.number(value, signed=signed)
