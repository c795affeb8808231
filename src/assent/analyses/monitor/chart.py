"""The charts of monitoring."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from assent.analyses.monitor.drift import AnnotatorDrift
from assent.analyses.monitor.plot import shown_range
from assent.analyses.monitor.result import Monitoring
from assent.limits import DRAWN_TRENDS
from assent.text import display_name, level, number

if TYPE_CHECKING:
    import altair

__all__ = ["annotator_chart", "chart", "ranked"]

#: Pixels beside the field: the axis to the left of it, the name of the target to the right.
AXIS, BESIDE = 60, 70
#: A small chart is about as wide.
SMALL = 260


def chart(result: Monitoring, width: int) -> altair.TopLevelMixin | None:
    """Draw agreement so far within its sequence, and the moving agreement; None without any item."""
    import altair as alt

    from assent.documents.charts import PALETTE

    if not result.n_items:
        return None
    field = width - AXIS - (0 if result.target is None else BESIDE)
    upwards = alt.Scale(domain=shown_range(result), clamp=True, nice=False)
    points = result.trajectory.to_dict()
    across = alt.X("items:Q").title("items with two annotations").scale(alt.Scale(nice=False, domainMin=1))
    base = alt.Chart(alt.InlineData(values=points)).properties(width=field)
    band = base.mark_area(opacity=0.25, color=PALETTE[0]).encode(
        across, alt.Y("low:Q").title("agreement").scale(upwards), alt.Y2("high:Q")
    )
    line = base.mark_line(color=PALETTE[0]).encode(across, alt.Y("agreement:Q"))
    upper = alt.layer(band, line, *_target(result, field), *_changes(result), *_alerts(result)).properties(
        height=280, title=f"Agreement so far, with its {level(result.level)} sequence"
    )
    if not any(point["recent"] is not None for point in points):
        return cast("altair.TopLevelMixin", upper)
    moving = base.mark_line(color=PALETTE[1]).encode(across, alt.Y("recent:Q").title("agreement").scale(upwards))
    lower = alt.layer(moving, *_target(result, field), *_changes(result)).properties(
        height=160, title=f"Agreement of the last {result.window:,} items"
    )
    return cast("altair.TopLevelMixin", alt.vconcat(upper, lower).resolve_scale(x="shared"))


def _target(result: Monitoring, field: int) -> list[Any]:
    import altair as alt

    if result.target is None:
        return []
    base = alt.Chart(alt.InlineData(values=[{"target": result.target}])).encode(alt.Y("target:Q"))
    rule = base.mark_rule(strokeDash=[6, 4])
    text = base.mark_text(align="left", x=field + 6, text=f"target {result.target:g}")
    return [rule, text]


def _alerts(result: Monitoring) -> list[Any]:
    """Mark the alerts on the line."""
    import altair as alt

    from assent.documents.charts import PALETTE

    if not result.alerts:
        return []
    drawn = []
    for one in result.alerts:
        value = {"items": one.n_items, "agreement": one.agreement}
        base = alt.Chart(alt.InlineData(values=[value])).encode(alt.X("items:Q"), alt.Y("agreement:Q"))
        drawn.append(base.mark_point(size=90, filled=True, opacity=1, color=PALETTE[1]))
        said = f"{'fell below' if one.kind == 'below' else 'cleared'}: item {one.n_items:,}"
        # Towards the side with more room, below the line, where changes are not written.
        right = 2 * one.n_items > result.n_items
        drawn.append(base.mark_text(align="right" if right else "left", dx=-8 if right else 8, dy=14, text=said))
    return drawn


def _changes(result: Monitoring) -> list[Any]:
    import altair as alt

    from assent.documents.charts import PALETTE

    if not result.shifts:
        return []
    drawn = []
    for one in result.shifts:
        base = alt.Chart(alt.InlineData(values=[{"items": one.after + 1}])).encode(alt.X("items:Q"))
        drawn.append(base.mark_rule(color=PALETTE[3], strokeWidth=1.5))
        said = f"from {number(one.before)} to {number(one.since)}"
        right = 2 * one.after > result.n_items
        drawn.append(base.mark_text(align="right" if right else "left", dx=-5 if right else 5, y=12, text=said))
    return drawn


def annotator_chart(result: Monitoring, width: int) -> altair.TopLevelMixin | None:
    """Draw the moving agreement of annotators, those that changed first; None if nobody has enough items."""
    import altair as alt

    from assent.documents.charts import PALETTE

    moving = [one for one in ranked(result) if len(one.moving) > 1][:DRAWN_TRENDS]
    if len(result.annotators) < 3 or not moving:
        return None
    columns = max(1, width // SMALL)
    across = alt.X("items:Q").title(None).scale(alt.Scale(domain=[1, result.n_items], nice=False))
    across = across.axis(alt.Axis(tickCount=3))
    upwards = alt.Y("recent:Q").title(None).scale(alt.Scale(domain=[0, 1])).axis(alt.Axis(tickCount=3))
    charts = []
    for one in moving:
        points = [{"items": items, "recent": share} for items, share in zip(one.places, one.moving, strict=True)]
        line = alt.Chart(alt.InlineData(values=points)).mark_line(color=PALETTE[1 if one.shifts else 0])
        title = alt.TitleParams(display_name(one.annotator, 40), fontSize=12, limit=180)
        room = width // columns - AXIS - 20
        charts.append(line.encode(across, upwards).properties(width=room, height=100, title=title))
    return alt.concat(*charts, columns=columns)


def ranked(result: Monitoring) -> Sequence[AnnotatorDrift]:
    """Return the annotators, those that changed first, then by their number of items."""
    return sorted(result.annotators, key=lambda one: (not one.shifts, -one.n_items))
