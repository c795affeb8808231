"""The picture of a sweep: the curve with its intervals, and the items by their values at both ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from assent.analyses.sweep.classes import CLASSES, EQUAL, ONLY
from assent.documents.charts import NARROW, PALETTE, Chart, concat, layer, mark, nominal, number
from assent.limits import SWEPT_DOTS
from assent.records import plain
from assent.text import counted, interval
from assent.text import number as written

if TYPE_CHECKING:
    from assent.analyses.sweep.result import Sweep

__all__ = ["draw", "draw_curve", "draw_items"]

#: Lines between which a value counts as constant.
BAND: dict[str, Any] = {"strokeWidth": 1, "strokeDash": [4, 4], "color": PALETTE[6]}
#: A colour for each class: calm for what is clear, warm for what needs a look.
COLOURS = dict(zip(CLASSES, (PALETTE[2], PALETTE[6], PALETTE[0], PALETTE[1]), strict=True))


def draw(sweep: Sweep) -> Chart:
    """Draw augmented kappa against the weight of the primary label, and beside it every item."""
    curve = draw_curve(sweep, 420).properties(height=300, title="Agreement by the weight of primary labels")
    # Without a class there is nothing to place.
    if sweep.unclassified == len(sweep.items):
        return concat([curve])
    return concat([curve, draw_items(sweep, 560).properties(title="Each item at both ends")], spacing=50)


def draw_curve(sweep: Sweep, width: int) -> Chart:
    """Draw augmented kappa against the weight of the primary label."""
    values = [
        {
            "p": one.primary,
            "value": plain(one.value),
            "low": plain(one.ends[0]),
            "high": plain(one.ends[1]),
            "tip": f"p = {one.primary:.2f}: {written(one.value)} ({interval(*one.ends)})",
        }
        for one in sweep.points
    ]
    x = number(
        "p",
        title="weight p of the primary label",
        scale={"domain": [EQUAL, ONLY]},
        axis={"format": ".2~f", "tickCount": 5, "labelFlush": False},
    )

    def y(field: str) -> dict[str, Any]:
        axis = {"format": ".2~f", "tickCount": 5}
        return number(field, title="augmented kappa", scale={"zero": False}, axis=axis)

    place = {"x": x, "y": y("value")}
    layers = [mark("line", values, place, color=PALETTE[0]), mark("circle", values, place, size=40, color=PALETTE[0])]
    if any(one["low"] is not None for one in values):
        band = {"x": x, "y": y("low"), "y2": {"field": "high"}}
        layers.insert(0, mark("area", values, band, fillOpacity=0.2, fill=PALETTE[0], aria=False))
    return layer(*layers, width=width - 70, height=240)


def draw_items(sweep: Sweep, width: int) -> Chart:
    """Draw the items by their values at both ends of the sweep, coloured by their class."""
    class_names = list(CLASSES)
    dots, shown = _gathered(sweep)
    legend = {one.name: f"{one.name} ({one.n_items:,})" for one in sweep.classes}
    values: list[dict[str, Any]] = [
        {
            "equal": equal,
            "only": only,
            "items": times,
            "class": legend[class_names[kind]],
            "tip": f"{class_names[kind]}: {counted(times, 'item')}, {written(equal)} at p = 0.5, {written(only)} at p = 1",
        }
        for equal, only, kind, times in dots
    ]
    left_out = len(sweep.items) - shown - sweep.unclassified
    most = max((times for *_, times in dots), default=1)
    reached = [0.0, 1.0, *(value for equal, only, _, _ in dots for value in (equal, only))]
    ends = [min(reached), max(reached)]
    scale = {"domain": ends, "padding": 8}
    narrow = width <= NARROW
    # Beside a chart on a phone there is no room for a legend.
    where: dict[str, Any] = {"orient": "bottom", "columns": 1} if narrow else {}
    sizes = {"values": sorted({1, (most + 1) // 2, most}), "format": ",d", **where}
    colours = {"domain": [legend[one] for one in class_names], "range": [COLOURS[one] for one in class_names]}
    place = {
        "x": number("equal", title="value of an item at p = 0.5", scale=scale),
        "y": number("only", title="value of the item at p = 1", scale=scale),
    }
    circles = place | {
        "size": number("items", title="items", scale={"range": [20, 500]}, legend=sizes),
        "color": nominal("class", title="class (items)", scale=colours, legend=where),
    }
    made = layer(
        mark("line", _band(sweep, ends), place | {"detail": nominal("line")}, **BAND),
        mark("circle", values, circles, opacity=0.75),
        width=width - 70 if narrow else min(width - 260, 400),
        height=260 if narrow else 300,
    )
    if not left_out:
        return made
    return made.properties(title={"text": "", "subtitle": f"{left_out:,} items with rarer values are not shown"})


def _gathered(sweep: Sweep) -> tuple[list[tuple[float, float, int, int]], int]:
    """Return the distinct values at both ends with their class and number of items, and how many items these are."""
    items = sweep.items
    times = np.bincount(items.profile, minlength=len(items.kind))
    seen = np.flatnonzero((items.kind >= 0) & (times > 0))
    table = np.stack([items.equal[seen], items.only[seen], items.kind[seen]], axis=1).round(2)
    distinct, place = np.unique(table, axis=0, return_inverse=True)
    number = np.bincount(place.ravel(), weights=times[seen], minlength=len(distinct)).astype(np.int64)
    kept = np.argsort(-number, kind="stable")[:SWEPT_DOTS]
    dots = [
        (float(equal), float(only), int(kind), int(count))
        for (equal, only, kind), count in zip(distinct[kept], number[kept], strict=True)
    ]
    return dots, int(number[kept].sum())


def _band(sweep: Sweep, ends: list[float]) -> list[dict[str, Any]]:
    """Return the two lines between which a value counts as constant."""
    lines: list[dict[str, Any]] = []
    for shift, name in ((sweep.constant, "above"), (-sweep.constant, "below")):
        first, last = max(ends[0], ends[0] - shift), min(ends[1], ends[1] - shift)
        if first < last:
            lines += [{"equal": at, "only": at + shift, "line": name} for at in (first, last)]
    return lines
