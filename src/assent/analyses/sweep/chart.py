"""The picture of a sweep: the curve with its intervals, and the items by their values at both ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from assent.analyses.sweep.classes import CLASSES, EQUAL, ONLY
from assent.documents.charts import NARROW, PALETTE
from assent.limits import SWEPT_DOTS
from assent.measures.results import plain

if TYPE_CHECKING:
    import altair as alt

    from assent.analyses.sweep.result import Sweep

__all__ = ["draw", "draw_curve", "draw_items"]

#: A colour for each class: calm for what is clear, warm for what needs a look.
COLOURS = dict(zip(CLASSES, (PALETTE[2], PALETTE[6], PALETTE[0], PALETTE[1]), strict=True))


def draw(sweep: Sweep) -> alt.TopLevelMixin:
    """Draw augmented kappa against the weight of the primary label, and beside it every item."""
    import altair as alt

    curve = draw_curve(sweep, 420).properties(height=300, title="Agreement by the weight of primary labels")
    # Without a class there is nothing to place.
    if sweep.unclassified == len(sweep.items):
        return alt.hconcat(curve)
    return alt.hconcat(curve, draw_items(sweep, 560).properties(title="Each item at both ends"), spacing=50)


def draw_curve(sweep: Sweep, width: int) -> Any:
    """Draw augmented kappa against the weight of the primary label."""
    import altair as alt

    values = [
        {"p": one.primary, "value": plain(one.value), "low": plain(one.ends[0]), "high": plain(one.ends[1])}
        for one in sweep.points
    ]
    base = alt.Chart(alt.InlineData(values=values)).encode(
        alt.X("p:Q")
        .title("weight p of the primary label")
        .scale(alt.Scale(domain=[EQUAL, ONLY]))
        .axis(alt.Axis(format=".2~f", tickCount=5, labelFlush=False))
    )

    def y(field: str) -> Any:
        axis = alt.Axis(format=".2~f", tickCount=5)
        return alt.Y(f"{field}:Q").title("augmented kappa").scale(alt.Scale(zero=False)).axis(axis)

    layers = [base.mark_line(color=PALETTE[0], point=alt.OverlayMarkDef(size=40, color=PALETTE[0])).encode(y("value"))]
    if any(one["low"] is not None for one in values):
        layers.insert(0, base.mark_area(fillOpacity=0.2, fill=PALETTE[0]).encode(y("low"), alt.Y2("high:Q")))
    return alt.layer(*layers, width=width - 70, height=240)


def draw_items(sweep: Sweep, width: int) -> Any:
    """Draw the items by their values at both ends of the sweep, coloured by their class."""
    import altair as alt

    class_names = list(CLASSES)
    dots, shown = _gathered(sweep)
    legend = {one.name: f"{one.name} ({one.n_items:,})" for one in sweep.classes}
    values: list[dict[str, Any]] = [
        {"equal": equal, "only": only, "items": times, "class": legend[class_names[kind]]}
        for equal, only, kind, times in dots
    ]
    left_out = len(sweep.items) - shown - sweep.unclassified
    most = max((times for *_, times in dots), default=1)
    reached = [0.0, 1.0, *(value for equal, only, _, _ in dots for value in (equal, only))]
    ends = [min(reached), max(reached)]
    scale = alt.Scale(domain=ends, padding=8)
    narrow = width <= NARROW
    # Beside a chart on a phone there is no room for a legend.
    where: dict[str, Any] = {"orient": "bottom", "columns": 1} if narrow else {}
    circles = (
        alt.Chart(alt.InlineData(values=values))
        .mark_circle(opacity=0.75)
        .encode(
            x=alt.X("equal:Q", title="value of an item at p = 0.5", scale=scale),
            y=alt.Y("only:Q", title="value of the item at p = 1", scale=scale),
            size=alt.Size(
                "items:Q",
                title="items",
                scale=alt.Scale(range=[20, 500]),
                legend=alt.Legend(values=sorted({1, (most + 1) // 2, most}), format=",d", **where),
            ),
            color=alt.Color(
                "class:N",
                title="class (items)",
                scale=alt.Scale(
                    domain=[legend[one] for one in class_names], range=[COLOURS[one] for one in class_names]
                ),
                legend=alt.Legend(**where),
            ),
        )
    )
    made = alt.layer(
        _band(sweep, ends),
        circles,
        width=width - 70 if narrow else min(width - 260, 400),
        height=260 if narrow else 300,
    )
    if not left_out:
        return made
    return made.properties(title=alt.TitleParams("", subtitle=f"{left_out:,} items with rarer values are not shown"))


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


def _band(sweep: Sweep, ends: list[float]) -> Any:
    """Draw the two lines between which a value counts as constant."""
    import altair as alt

    lines = []
    for shift, name in ((sweep.constant, "above"), (-sweep.constant, "below")):
        first, last = max(ends[0], ends[0] - shift), min(ends[1], ends[1] - shift)
        if first < last:
            lines += [{"equal": at, "only": at + shift, "line": name} for at in (first, last)]
    return (
        alt.Chart(alt.InlineData(values=lines))
        .mark_line(strokeWidth=1, strokeDash=[4, 4], color=PALETTE[6])
        .encode(x="equal:Q", y="only:Q", detail="line:N")
    )
