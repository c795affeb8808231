"""Charts of rankings: where each annotator puts each object."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assent.documents.charts import INK, PALETTE
from assent.reports.charts.parts import axis_names, inline, name_width

__all__ = ["rank_lines", "strength_lines"]


def rank_lines(
    objects: Sequence[str],
    annotators: Sequence[str],
    ranks: Sequence[Sequence[float | None]],
    *,
    marked: Sequence[str],
    width: int,
) -> Any | None:
    """Draw a line for each object from annotator to annotator; None without two annotators.

    Parameters
    ----------
    objects, annotators : sequence of str
    ranks : objects x annotators
        None where an object was not ranked.
    marked : sequence of str
        The most disputed objects, which are drawn in colour.
    width : int
        In pixels, with everything.
    """
    import altair as alt

    if len(annotators) < 2 or not objects:
        return None
    names, people = axis_names(objects, 24), axis_names(annotators, 16)
    rows: list[dict[str, Any]] = [
        {"object": name, "who": who, "rank": rank, "marked": str(objects[at] in marked)}
        for at, name in enumerate(names)
        for who, rank in zip(people, ranks[at], strict=True)
        if rank is not None
    ]
    right = name_width(names, 180)
    lowest = max(row["rank"] for row in rows)
    x = alt.X("who:N").scale(alt.Scale(domain=people, paddingOuter=0.05)).title(None)
    x = x.axis(alt.Axis(labelAngle=0 if len(people) < 7 else -45, ticks=False, domain=False))
    y = alt.Y("rank:Q").scale(alt.Scale(domain=[lowest + 0.8, 0.4], zero=False, nice=False)).title("rank")
    colour = alt.Color("marked:N", scale=alt.Scale(domain=["True", "False"], range=[PALETTE[1], INK]), legend=None)
    base = inline(rows).encode(x, y, colour, detail="object:N")
    lines = base.mark_line(strokeWidth=2, opacity=0.7)
    points = base.mark_point(filled=True, size=40, opacity=1)
    last = [
        max((row for row in rows if row["object"] == name), key=lambda row: people.index(row["who"]))
        for name in names
        if any(row["object"] == name for row in rows)
    ]
    said = inline(last).mark_text(align="left", dx=8).encode(x, y, alt.Text("object:N"))
    return alt.layer(lines, points, said, width=max(120, width - right - 60), height=max(160, 22 * len(objects)))


def strength_lines(rows: Sequence[tuple[str, float, float, float]], *, width: int) -> Any | None:
    """Draw strengths with their intervals: name, value, low and high of each object."""
    import altair as alt

    if not rows:
        return None
    names = axis_names([name for name, *_ in rows], 24)
    drawn = [
        {"object": name, "value": v, "low": low, "high": high}
        for name, (_, v, low, high) in zip(names, rows, strict=True)
    ]
    y = alt.Y("object:N").scale(alt.Scale(domain=names)).title(None).axis(alt.Axis(ticks=False, domain=False))
    base = inline(drawn)
    lines = base.mark_rule(strokeWidth=3).encode(alt.X("low:Q").title("strength (log odds)"), alt.X2("high:Q"), y)
    points = base.mark_point(filled=True, size=90, opacity=1).encode(alt.X("value:Q"), y)
    return alt.layer(lines, points, width=max(120, width - name_width(names, 200) - 40), height=alt.Step(24))
