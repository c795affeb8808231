"""Counts and shares as bars, lying for names and standing for numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assent.documents.charts import PALETTE, layer, mark, nominal, number, ordinal
from assent.reports.charts.parts import NARROW, axis_names, cut_at, level_width, name_width
from assent.text import visible

__all__ = ["columns", "shares"]


def shares(rows: Sequence[tuple[str, float, str]], *, title: str, width: int) -> Any | None:
    """Draw a lying bar for each name, with a text at its end; None without rows.

    Parameters
    ----------
    rows : sequence of (name, value, text)
    width : int
        In pixels, with everything.
    """
    if not rows:
        return None
    small = width <= NARROW
    names = axis_names((name for name, _, _ in rows), 24 if small else 34)
    left = name_width(names, 160 if small else 230)
    right = 12 + 7 * max(len(text) for _, _, text in rows)
    most = max(value for _, value, _ in rows) or 1
    values = [
        {"name": name, "value": value, "text": text, "tip": f"{visible(whole)}: {text}"}
        for name, (whole, value, text) in zip(names, rows, strict=True)
    ]
    axis = {
        "labelLimit": cut_at(names, left),
        "ticks": False,
        "domain": False,
        "minExtent": left,
        "maxExtent": left,
        "labelPadding": 6,
    }
    x = number("value", scale={"domain": [0, most], "nice": False}, axis=None, title=title)
    y = nominal("name", sort=None, title=None, axis=axis)
    return layer(
        mark("bar", values, {"x": x, "y": y}, color=PALETTE[0], cornerRadiusEnd=2),
        mark("text", values, {"x": x, "y": y, "text": nominal("text")}, align="left", dx=6),
        width=width - left - right,
        height={"step": 20 if len(rows) > 25 else 24},
    )


def columns(
    rows: Sequence[Mapping[str, Any]], *, title: str, up: str, width: int, strong: str | None = None
) -> Any | None:
    """Draw a standing bar for each of some ranges, with its count above; None without rows.

    Parameters
    ----------
    rows : sequence of mappings
        `name` and `count`, in order.
    title, up : str
        What the ranges are, and what is counted.
    width : int
        In pixels, with everything.
    strong : str, optional
        Name of the range in another colour.
    """
    if not rows:
        return None
    room = width - 20
    step = min(72, room // len(rows))
    size = 11 if step >= 26 else 9
    values = [
        {
            "name": str(row["name"]),
            "count": row["count"],
            "text": _count(row["count"], step),
            "colour": PALETTE[1 if row["name"] == strong else 0],
            "tip": f"{row['name']}: {row['count']:,} {up}",
        }
        for row in rows
    ]
    axis = {
        "labelAngle": 0 if _fits(values, step) else -60,
        "ticks": False,
        "labelFontSize": size + 1,
        "labelOverlap": False,
    }
    x = ordinal("name", sort=None, title=title, scale={"paddingInner": 0.12, "paddingOuter": 0.1}, axis=axis)
    y = number("count", axis=None, title=up)
    return layer(
        mark("bar", values, {"x": x, "y": y, "color": nominal("colour", scale=None)}, cornerRadiusEnd=2),
        mark("text", values, {"x": x, "y": y, "text": nominal("text")}, dy=-8, fontSize=size),
        width=step * len(rows),
        height=150,
    )


def _fits(values: Sequence[Mapping[str, Any]], step: float) -> bool:
    return level_width(value["name"] for value in values) <= step


def _count(count: int, step: float) -> str:
    """Show a count in the room there is: 12,345 or 12k."""
    text = f"{count:,}"
    if 7 * len(text) <= step or count < 1000:
        return text
    return f"{count / 1000:.0f}k" if count < 999_500 else f"{count / 1e6:.1f}M"
