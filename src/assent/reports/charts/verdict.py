"""The picture of the verdict: a value and its interval on a line with words and targets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from assent.analyses.thresholds import TASK_TARGETS
from assent.documents.charts import INK, PALETTE
from assent.reports.charts.parts import STRONG, fixed, inline
from assent.text import number

if TYPE_CHECKING:
    from assent.reports.sections.verdict import Band, VerdictSection

__all__ = ["verdict_chart"]

#: In pixels from above: the value as text, the line of the interval, and the end of the bands.
TEXT, LINE, HEIGHT = 25, 44, 92
#: A target this near the value, in pixels, would cross its text.
NEAR = 22
#: How far the line goes below 0 when nothing asks for more.
LEFT = -0.1


def verdict_chart(part: VerdictSection, width: int) -> Any | None:
    """Draw the verdict; None if there is no value.

    Parameters
    ----------
    part : VerdictSection
    width : int
        In pixels.
    """
    import altair as alt

    value, low, high = part.value, part.low, part.high
    if value is None:
        return None
    seen = [math.floor(10 * one) / 10 for one in (value, low) if one is not None]
    start = max(-1.0, min(LEFT, *seen))
    room = width - 24
    scale = alt.Scale(domain=[start, 1], nice=False, clamp=True)
    axis = alt.Axis(
        values=[i / 5 for i in range(math.ceil(start * 5), 6)],
        format=".1~f",
        grid=False,
        domain=False,
        ticks=False,
        labelPadding=6,
        labelFlush=False,
    )

    def x(field: str) -> Any:
        return alt.X(f"{field}:Q").scale(scale).axis(axis).title(None)

    point = inline([{"value": value, "low": low, "high": high, "text": number(value)}])
    layers = [*_bands(part.bands, x, room, start), *_targets(part, value, x, room, start)]
    if low is not None and high is not None:
        layers.append(
            point.mark_rule(strokeWidth=6, strokeCap="round", color=PALETTE[0], opacity=1).encode(
                x("low"), alt.X2("high:Q"), fixed("y", LINE)
            )
        )
    layers += [
        point.mark_point(filled=True, size=190, opacity=1, color=PALETTE[0]).encode(x("value"), fixed("y", LINE)),
        point.mark_text(fontSize=15, fontWeight=600, color=STRONG).encode(
            x("value"), alt.Text("text:N"), fixed("y", TEXT)
        ),
    ]
    return alt.layer(*layers, width=room, height=HEIGHT)


def _bands(bands: Sequence[Band], x: Any, room: float, start: float) -> list[Any]:
    """Draw the words as bands, cut where the line begins and ends."""
    import altair as alt

    seen: list[dict[str, Any]] = []
    for one in bands:
        low, high = max(one.low, start), min(one.high, 1)
        if low < high:
            word = one.word
            # "almost perfect" takes two lines where its band is narrow.
            broken = " " in word and 7 * len(word) > room * (high - low) / (1 - start)
            full = 0.06 if len(seen) % 2 else 0.14
            seen.append(
                {"low": low, "high": high, "middle": (low + high) / 2, "word": word, "broken": broken, "full": full}
            )
    if not seen:
        return []
    ground = inline(seen).mark_rect(color=INK)
    opacity = alt.FillOpacity("full:Q", scale=None)
    made = [ground.encode(x("low"), alt.X2("high:Q"), fixed("y", 0), fixed("y2", HEIGHT), fillOpacity=opacity)]
    for broken, place in ((False, HEIGHT - 11), (True, HEIGHT - 23)):
        some = [one for one in seen if one["broken"] is broken]
        if some:
            lines: dict[str, Any] = {"lineBreak": " ", "lineHeight": 13} if broken else {}
            words = inline(some).mark_text(fontSize=12, **lines)
            made.append(words.encode(x("middle"), alt.Text("word:N"), fixed("y", place)))
    return made


def _targets(part: VerdictSection, found: float, x: Any, room: float, start: float) -> list[Any]:
    """Draw a mark for every target with its name above; the chosen one is bold and goes down to the interval."""
    import altair as alt

    chosen = None if part.target is None else part.target.value
    known = [(one.value, name.replace("-", " ")) for name, one in TASK_TARGETS.items()]
    if chosen is not None and all(value != chosen for value, _ in known):
        known.append((chosen, "target"))
    rows: list[dict[str, Any]] = []
    free = [-math.inf, -math.inf, -math.inf]
    for i, (value, task) in enumerate(sorted(known)):
        text = f"{task} {value:.2f}" if value == chosen else task
        place, long = room * (value - start) / (1 - start), 6.4 * len(text) + 4
        # Names of two neighbours point away from each other; without room they stand a line higher.
        before = i % 2 == 0 and place > long
        left = place - long if before else min(place, room - long)
        line = next((n for n, end in enumerate(free) if left > end + 8), len(free) - 1)
        free[line] = left + long
        at = start + (place if before else left) * (1 - start) / room
        rows.append({"value": value, "text": text, "at": at, "before": before, "line": line})
    made = []
    for bold, ink, wide, weight in ((False, INK, 1, 400), (True, STRONG, 2, 600)):
        some = [row for row in rows if (row["value"] == chosen) is bold]
        if some:
            rule = inline(some).mark_rule(color=ink, strokeWidth=wide, strokeDash=[5, 3])
            near = bold and chosen is not None and abs(found - chosen) * room / (1 - start) < NEAR
            pieces = [(-6, TEXT - 11), (TEXT + 9, HEIGHT - 32)] if near else [(-6, HEIGHT - 32 if bold else 10)]
            made += [rule.encode(x("value"), fixed("y", top), fixed("y2", end)) for top, end in pieces]
        for line, before in sorted({(row["line"], row["before"]) for row in some}):
            names = inline([row for row in some if (row["line"], row["before"]) == (line, before)])
            text = names.mark_text(align="right" if before else "left", color=ink, fontSize=12, fontWeight=weight)
            made.append(text.encode(x("at"), alt.Text("text:N"), fixed("y", -14 - 16 * line)))
    return made
