"""The charts of monitoring."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assent.analyses.monitor.drift import AnnotatorDrift
from assent.analyses.monitor.plot import shown_range
from assent.analyses.monitor.result import Monitoring
from assent.documents.charts import PALETTE, Chart, concat, layer, mark
from assent.documents.charts import number as shows
from assent.limits import DRAWN_TRENDS
from assent.text import display_name, level, number

__all__ = ["annotator_chart", "chart", "ranked"]

#: Pixels beside the field: the axis to the left of it, the name of the target to the right.
AXIS, BESIDE = 60, 70
#: A small chart is about as wide.
SMALL = 260


def chart(result: Monitoring, width: int) -> Chart | None:
    """Draw agreement so far within its sequence, and the moving agreement; None without any item."""
    if not result.n_items:
        return None
    field = width - AXIS - (0 if result.target is None else BESIDE)
    upwards = {"domain": shown_range(result), "clamp": True, "nice": False}
    points = [
        {**one, "tip": f"item {one['items']:,}: {number(one['agreement'])}"} for one in result.trajectory.to_dict()
    ]
    across = shows("items", title="items with two annotations", scale={"nice": False, "domainMin": 1})
    band = {"x": across, "y": shows("low", title="agreement", scale=upwards), "y2": {"field": "high"}}
    upper = layer(
        mark("area", result.trajectory.to_dict(), band, opacity=0.25, color=PALETTE[0]),
        mark("line", points, {"x": across, "y": shows("agreement")}, color=PALETTE[0]),
        *_target(result, field),
        *_changes(result),
        *_alerts(result),
        width=field,
        height=280,
        title=f"Agreement so far, with its {level(result.level)} sequence",
    )
    if not any(point["recent"] is not None for point in points):
        return upper
    moving = {"x": across, "y": shows("recent", title="agreement", scale=upwards)}
    lower = layer(
        mark("line", points, moving, color=PALETTE[1]),
        *_target(result, field),
        *_changes(result),
        width=field,
        height=160,
        title=f"Agreement of the last {result.window:,} items",
    )
    return concat([upper, lower], columns=1, resolve={"scale": {"x": "shared"}})


def _target(result: Monitoring, field: int) -> list[dict[str, Any]]:
    if result.target is None:
        return []
    rows, y = [{"target": result.target}], {"y": shows("target")}
    return [
        mark("rule", rows, y, strokeDash=[6, 4]),
        mark("text", rows, y, align="left", x=field + 6, text=f"target {result.target:g}"),
    ]


def _alerts(result: Monitoring) -> list[dict[str, Any]]:
    """Mark the alerts on the line."""
    drawn = []
    for one in result.alerts:
        rows = [{"items": one.n_items, "agreement": one.agreement}]
        place = {"x": shows("items"), "y": shows("agreement")}
        drawn.append(mark("point", rows, place, size=90, filled=True, opacity=1, color=PALETTE[1]))
        said = f"{'fell below' if one.kind == 'below' else 'cleared'}: item {one.n_items:,}"
        # Towards the side with more room, below the line, where changes are not written.
        right = 2 * one.n_items > result.n_items
        drawn.append(
            mark("text", rows, place, align="right" if right else "left", dx=-8 if right else 8, dy=14, text=said)
        )
    return drawn


def _changes(result: Monitoring) -> list[dict[str, Any]]:
    drawn = []
    for one in result.shifts:
        rows, place = [{"items": one.after + 1}], {"x": shows("items")}
        drawn.append(mark("rule", rows, place, color=PALETTE[3], strokeWidth=1.5))
        said = f"from {number(one.before)} to {number(one.since)}"
        right = 2 * one.after > result.n_items
        drawn.append(
            mark("text", rows, place, align="right" if right else "left", dx=-5 if right else 5, y=12, text=said)
        )
    return drawn


def annotator_chart(result: Monitoring, width: int) -> Chart | None:
    """Draw the moving agreement of annotators, those that changed first; None if nobody has enough items."""
    moving = [one for one in ranked(result) if len(one.moving) > 1][:DRAWN_TRENDS]
    if len(result.annotators) < 3 or not moving:
        return None
    columns = max(1, width // SMALL)
    few = {"tickCount": 3}
    place = {
        "x": shows("items", title=None, scale={"domain": [1, result.n_items], "nice": False}, axis=few),
        "y": shows("recent", title=None, scale={"domain": [0, 1]}, axis=few),
    }
    charts = []
    for one in moving:
        points = [{"items": items, "recent": share} for items, share in zip(one.places, one.moving, strict=True)]
        title = {"text": display_name(one.annotator, 40), "fontSize": 12, "limit": 180}
        line = mark("line", points, place, color=PALETTE[1 if one.shifts else 0])
        charts.append(layer(line, width=width // columns - AXIS - 20, height=100, title=title))
    return concat(charts, columns=columns)


def ranked(result: Monitoring) -> Sequence[AnnotatorDrift]:
    """Return the annotators, those that changed first, then by their number of items."""
    return sorted(result.annotators, key=lambda one: (not one.shifts, -one.n_items))
