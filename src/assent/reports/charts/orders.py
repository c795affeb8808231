"""Charts of rankings: where each annotator puts each object."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assent.documents.charts import INK, PALETTE, layer, mark, nominal, number
from assent.reports.charts.parts import axis_names, name_width
from assent.text import visible

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
    ranks : objects x annotators
        None where an object was not ranked.
    marked : sequence of str
        The most disputed objects, which are drawn in colour.
    width : int
        In pixels, with everything.
    """
    if len(annotators) < 2 or not objects:
        return None
    names, people = axis_names(objects, 24), axis_names(annotators, 16)
    rows: list[dict[str, Any]] = [
        {
            "object": name,
            "who": who,
            "rank": rank,
            "marked": str(objects[at] in marked),
            "tip": f"{visible(objects[at])}: rank {rank:g} by {visible(person)}",
        }
        for at, name in enumerate(names)
        for who, person, rank in zip(people, annotators, ranks[at], strict=True)
        if rank is not None
    ]
    right = name_width(names, 180)
    lowest = max(row["rank"] for row in rows)
    below = {"labelAngle": 0 if len(people) < 7 else -45, "ticks": False, "domain": False}
    across = {
        "x": nominal("who", scale={"domain": people, "paddingOuter": 0.05}, title=None, axis=below),
        "y": number("rank", scale={"domain": [lowest + 0.8, 0.4], "zero": False, "nice": False}, title="rank"),
    }
    colours = {"domain": ["True", "False"], "range": [PALETTE[1], INK]}
    lines = across | {"color": nominal("marked", scale=colours, legend=None), "detail": nominal("object")}
    last = [
        max((row for row in rows if row["object"] == name), key=lambda row: people.index(row["who"]))
        for name in names
        if any(row["object"] == name for row in rows)
    ]
    return layer(
        mark("line", [{**row, "tip": visible(row["object"])} for row in rows], lines, strokeWidth=2, opacity=0.7),
        mark("point", rows, lines, filled=True, size=40, opacity=1),
        mark("text", last, across | {"text": nominal("object")}, align="left", dx=8),
        width=max(120, width - right - 60),
        height=max(160, 22 * len(objects)),
    )


def strength_lines(rows: Sequence[tuple[str, float, float, float]], *, width: int) -> Any | None:
    """Draw strengths with their intervals: name, value, low and high of each object."""
    if not rows:
        return None
    names = axis_names([name for name, *_ in rows], 24)
    drawn = [
        {
            "object": name,
            "value": v,
            "low": low,
            "high": high,
            "tip": f"{visible(whole)}: {v:.2f} ({low:.2f} to {high:.2f})",
        }
        for name, (whole, v, low, high) in zip(names, rows, strict=True)
    ]
    y = nominal("object", scale={"domain": names}, title=None, axis={"ticks": False, "domain": False})
    room = max(120, width - name_width(names, 200) - 40)
    axis = {"format": ".2~f", "tickCount": max(4, room // 90)}
    ends = {"x": number("low", title="strength (log odds)", axis=axis), "x2": {"field": "high"}, "y": y}
    return layer(
        mark("rule", drawn, ends, strokeWidth=3),
        mark("point", drawn, {"x": number("value", axis=axis), "y": y}, filled=True, size=90, opacity=1),
        width=room,
        height={"step": 24},
    )
