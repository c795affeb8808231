"""The picture of a sweep: the curve with its intervals, and the items by their values at both ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from assent.analyses.sweep.result import CLASSES, EQUAL, ONLY, PrimarySweep
from assent.documents.charts import PALETTE
from assent.measures.results import plain

if TYPE_CHECKING:
    import altair as alt

__all__ = ["draw"]

#: Different pairs of values beyond this many would make one blot; the most frequent are drawn.
MOST_DOTS = 2000
#: A colour for each class: calm for what is clear, warm for what needs a look.
COLOURS = dict(zip(CLASSES, (PALETTE[2], PALETTE[6], PALETTE[0], PALETTE[1]), strict=True))


def draw(sweep: PrimarySweep) -> alt.TopLevelMixin:
    """Draw augmented kappa against the weight of the primary label, and beside it every item."""
    import altair as alt

    # Without a class there is nothing to place.
    classified = sweep.unclassified < len(sweep.items)
    made: alt.TopLevelMixin = alt.hconcat(_curve(sweep), *([_dots(sweep)] if classified else []), spacing=50)
    return made


def _curve(sweep: PrimarySweep) -> Any:
    import altair as alt

    values = [
        {
            "p": one.primary,
            "value": plain(one.value),
            "low": None if one.interval is None else plain(one.interval.low),
            "high": None if one.interval is None else plain(one.interval.high),
        }
        for one in sweep.points
    ]
    base = alt.Chart(alt.InlineData(values=values)).encode(
        x=alt.X(
            "p:Q",
            title="weight p of the primary label",
            scale=alt.Scale(domain=[EQUAL, ONLY]),
            axis=alt.Axis(format=".2~f", labelFlush=False),
        )
    )
    y = alt.Y("value:Q", title="augmented kappa", scale=alt.Scale(zero=False))
    layers = [base.mark_line(point=alt.OverlayMarkDef(size=40)).encode(y=y)]
    subtitle = "0.5: all labels count alike; 1: primary labels alone"
    if any(one["low"] is not None for one in values):
        layers.insert(0, base.mark_area(opacity=0.2).encode(y=alt.Y("low:Q", title="augmented kappa"), y2="high:Q"))
        subtitle = f"band: {sweep.level * 100:g} % interval at each p; {subtitle}"
    return alt.layer(*layers).properties(
        width=330,
        height=300,
        title=alt.TitleParams("Agreement by the weight of primary labels", subtitle=subtitle, offset=12),
    )


def _dots(sweep: PrimarySweep) -> Any:
    import altair as alt

    names = list(CLASSES)
    dots, shown = _gathered(sweep)
    legend = {one.name: f"{one.name} ({one.items:,})" for one in sweep.classes}
    values: list[dict[str, Any]] = [
        {"equal": equal, "only": only, "items": times, "class": legend[names[kind]]}
        for equal, only, kind, times in dots
    ]
    left_out = len(sweep.items) - shown - sweep.unclassified
    more = f"; {left_out:,} items with rarer values are not shown" if left_out else ""
    most = max((times for *_, times in dots), default=1)
    reached = [0.0, 1.0, *(value for equal, only, _, _ in dots for value in (equal, only))]
    ends = [min(reached), max(reached)]
    scale = alt.Scale(domain=ends, padding=8)
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
                legend=alt.Legend(values=sorted({1, (most + 1) // 2, most}), format=",d"),
            ),
            color=alt.Color(
                "class:N",
                title="class (items)",
                scale=alt.Scale(domain=[legend[name] for name in names], range=[COLOURS[name] for name in names]),
            ),
        )
    )
    return alt.layer(_band(sweep, ends), circles).properties(
        width=300,
        height=300,
        title=alt.TitleParams(
            "Each item at both ends",
            subtitle=f"between the lines: constant, within {sweep.constant:g}{more}",
            offset=12,
        ),
    )


def _gathered(sweep: PrimarySweep) -> tuple[list[tuple[float, float, int, int]], int]:
    """Return the distinct values at both ends with their class and number of items, and how many items these are."""
    items = sweep.items
    times = np.bincount(items.profile, minlength=len(items.kind))
    seen = np.flatnonzero((items.kind >= 0) & (times > 0))
    table = np.stack([items.equal[seen], items.only[seen], items.kind[seen]], axis=1).round(2)
    distinct, place = np.unique(table, axis=0, return_inverse=True)
    number = np.bincount(place.ravel(), weights=times[seen], minlength=len(distinct)).astype(np.int64)
    kept = np.argsort(-number, kind="stable")[:MOST_DOTS]
    dots = [
        (float(equal), float(only), int(kind), int(count))
        for (equal, only, kind), count in zip(distinct[kept], number[kept], strict=True)
    ]
    return dots, int(number[kept].sum())


def _band(sweep: PrimarySweep, ends: list[float]) -> Any:
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
