"""The page and the charts of monitoring."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from assent.analyses.monitor.drift import AnnotatorDrift
from assent.analyses.monitor.result import Monitoring
from assent.text import escaped

if TYPE_CHECKING:
    import altair

__all__ = ["annotator_chart", "chart", "monitoring_page"]

WIDTH = 680
#: More annotators than this are in the table, not in the chart: those that changed come first, then those with the most items.
MOST_ANNOTATORS = 12
#: More annotators than this are in the JSON alone.
MOST_ROWS = 200


def chart(result: Monitoring) -> altair.TopLevelMixin:
    """Draw agreement so far within its sequence, and the moving agreement."""
    import altair as alt

    from assent.analyses.monitor.plot import shown_range
    from assent.documents.charts import PALETTE

    upwards = alt.Scale(domain=shown_range(result), clamp=True, nice=False)
    points = result.trajectory.to_dict()
    across = alt.X("items:Q").title("items with two annotations").scale(alt.Scale(nice=False, domainMin=1))
    base = alt.Chart(alt.InlineData(values=points)).properties(width=WIDTH)
    band = base.mark_area(opacity=0.25, color=PALETTE[0]).encode(
        across, alt.Y("low:Q").title("agreement").scale(upwards), alt.Y2("high:Q")
    )
    line = base.mark_line(color=PALETTE[0]).encode(across, alt.Y("agreement:Q"))
    upper = alt.layer(band, line, *_target(result), *_marks(result)).properties(
        height=280, title=f"Agreement so far, with its {result.level * 100:g} % confidence sequence"
    )
    if not any(point["recent"] is not None for point in points):
        return cast("altair.TopLevelMixin", upper)
    moving = base.mark_line(color=PALETTE[1]).encode(across, alt.Y("recent:Q").title("agreement").scale(upwards))
    lower = alt.layer(moving, *_target(result), *_changes(result)).properties(
        height=160, title=f"Agreement of the last {result.window:,} items"
    )
    return cast("altair.TopLevelMixin", alt.vconcat(upper, lower).resolve_scale(x="shared"))


def _target(result: Monitoring) -> list[Any]:
    import altair as alt

    if result.target is None:
        return []
    base = alt.Chart(alt.InlineData(values=[{"target": result.target}])).encode(alt.Y("target:Q"))
    rule = base.mark_rule(strokeDash=[6, 4])
    text = base.mark_text(align="left", x=WIDTH + 6, text=f"target {result.target:g}")
    return [rule, text]


def _marks(result: Monitoring) -> list[Any]:
    """Mark the alerts on the line, and the changes."""
    import altair as alt

    from assent.documents.charts import PALETTE

    drawn = _changes(result)
    if result.alerts:
        names = {"below": "fell below the target", "above": "cleared the target"}
        values = [
            {"items": one.items, "agreement": one.agreement, "text": f"{names[one.kind]}: item {one.items:,}"}
            for one in result.alerts
        ]
        base = alt.Chart(alt.InlineData(values=values)).encode(alt.X("items:Q"), alt.Y("agreement:Q"))
        drawn.append(base.mark_point(size=90, filled=True, opacity=1, color=PALETTE[1]))
        drawn.append(base.mark_text(align="left", dx=8, dy=-12).encode(alt.Text("text:N")))
    return drawn


def _changes(result: Monitoring) -> list[Any]:
    import altair as alt

    from assent.documents.charts import PALETTE

    if not result.shifts:
        return []
    data = alt.InlineData(
        values=[{"items": one.after + 1, "text": f"from {one.before:.2f} to {one.since:.2f}"} for one in result.shifts]
    )
    base = alt.Chart(data).encode(alt.X("items:Q"))
    return [
        base.mark_rule(color=PALETTE[3], strokeWidth=1.5),
        base.mark_text(align="left", dx=5, y=12).encode(alt.Text("text:N")),
    ]


def annotator_chart(result: Monitoring) -> altair.TopLevelMixin | None:
    """Draw the moving agreement of annotators, those that changed first; None if nobody has enough items."""
    import altair as alt

    from assent.documents.charts import PALETTE

    moving = [one for one in ranked(result) if len(one.moving) > 1][:MOST_ANNOTATORS]
    if len(result.annotators) < 3 or not moving:
        return None
    across = alt.X("items:Q").title(None).scale(alt.Scale(domain=[1, result.items], nice=False))
    across = across.axis(alt.Axis(tickCount=3))
    upwards = alt.Y("recent:Q").title(None).scale(alt.Scale(domain=[0, 1])).axis(alt.Axis(tickCount=3))
    charts = []
    for one in moving:
        points = [{"items": items, "recent": share} for items, share in zip(one.places, one.moving, strict=True)]
        line = alt.Chart(alt.InlineData(values=points)).mark_line(color=PALETTE[1 if one.shifts else 0])
        # The renderer cannot take control characters.
        title = alt.TitleParams(escaped(one.annotator[:40]), fontSize=12, limit=180)
        charts.append(line.encode(across, upwards).properties(width=185, height=100, title=title))
    return alt.concat(*charts, columns=3)


def ranked(result: Monitoring) -> Sequence[AnnotatorDrift]:
    """Return the annotators, those that changed first, then by their number of items."""
    return sorted(result.annotators, key=lambda one: (not one.shifts, -one.items))


def monitoring_page(result: Monitoring) -> str:
    """Return a page with the charts, what was found, and every annotator."""
    from markupsafe import Markup

    from assent.analyses.monitor.sentences import about_drift, at, sentences
    from assent.documents.charts import svg
    from assent.documents.pages import page

    people = annotator_chart(result)
    rows = ranked(result)
    return page(
        "monitor.html",
        result=result,
        level=f"{result.level * 100:g} %",
        sentences=sentences(result),
        about_drift=about_drift(result),
        at=at,
        escaped=escaped,
        # SVG of our own making: what comes from the data is escaped in it.
        chart=Markup(svg(result.chart())) if result.items else None,
        annotator_chart=None if people is None else Markup(svg(people)),
        annotators=rows[:MOST_ROWS],
        more=len(rows) - len(rows[:MOST_ROWS]),
        notes=[*result.data["notes"], *result.notes],
        dropped=result.data["dropped"],
    )
