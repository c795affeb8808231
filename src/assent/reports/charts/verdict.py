"""The picture of the verdict: a value and its interval on a line with words and targets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from assent.analyses.thresholds import TASK_TARGETS
from assent.documents.charts import INK, PALETTE, layer, mark, nominal, number
from assent.reports.charts.parts import STRONG, fixed
from assent.text import interval
from assent.text import number as written

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
    width : int
        In pixels.
    """
    value, low, high = part.value, part.low, part.high
    if value is None:
        return None
    seen = [math.floor(10 * one) / 10 for one in (value, low) if one is not None]
    start = max(-1.0, min(LEFT, *seen))
    room = width - 24
    scale = {"domain": [start, 1], "nice": False, "clamp": True}
    axis = {
        "values": [i / 5 for i in range(math.ceil(start * 5), 6)],
        "format": ".1~f",
        "grid": False,
        "domain": False,
        "ticks": False,
        "labelPadding": 6,
        "labelFlush": False,
    }

    def x(field: str) -> dict[str, Any]:
        return number(field, scale=scale, axis=axis, title=None)

    sure = "" if low is None or high is None else f", {interval(low, high)}"
    tip = f"{part.quoted.agreement.title}: {written(value)}{sure}"
    point = [{"value": value, "low": low, "high": high, "text": written(value), "tip": tip}]
    layers = [*_bands(part.bands, x, room, start), *_targets(part, value, x, room, start)]
    if sure:
        line: dict[str, Any] = {"strokeWidth": 6, "strokeCap": "round", "color": PALETTE[0], "opacity": 1}
        layers.append(mark("rule", point, {"x": x("low"), "x2": {"field": "high"}, "y": fixed(LINE)}, **line))
    bold: dict[str, Any] = {"fontSize": 15, "fontWeight": 600, "color": STRONG}
    dot: dict[str, Any] = {"filled": True, "size": 190, "opacity": 1, "color": PALETTE[0]}
    layers += [
        mark("point", point, {"x": x("value"), "y": fixed(LINE)}, **dot),
        mark("text", point, {"x": x("value"), "y": fixed(TEXT), "text": nominal("text")}, **bold),
    ]
    return layer(*layers, width=room, height=HEIGHT)


def _bands(bands: Sequence[Band], x: Any, room: float, start: float) -> list[dict[str, Any]]:
    """Draw the words as bands, cut where the line begins and ends."""
    seen: list[dict[str, Any]] = []
    free = -math.inf
    for one in bands:
        low, high = max(one.low, start), min(one.high, 1)
        if low < high:
            word = one.word
            # "almost perfect" takes two lines where its band is narrow; a word that would touch the one before stands higher.
            narrow = 7 * len(word) > room * (high - low) / (1 - start)
            middle, half = room * ((low + high) / 2 - start) / (1 - start), 3.4 * len(word)
            lines = 2 if narrow and " " in word else int(middle - half < free)
            free = middle + half if lines == 0 else free
            full = 0.06 if len(seen) % 2 else 0.14
            seen.append(
                {"low": low, "high": high, "middle": (low + high) / 2, "word": word, "lines": lines, "full": full}
            )
    if not seen:
        return []
    band = {"x": x("low"), "x2": {"field": "high"}, "y": fixed(0), "y2": fixed(HEIGHT)}
    made = [mark("rect", seen, band | {"fillOpacity": number("full", scale=None)}, color=INK)]
    for lines, place in ((0, HEIGHT - 11), (1, HEIGHT - 24), (2, HEIGHT - 23)):
        some = [one for one in seen if one["lines"] == lines]
        if some:
            broken: dict[str, Any] = {"lineBreak": " ", "lineHeight": 13} if lines == 2 else {}
            word_at = {"x": x("middle"), "y": fixed(place), "text": nominal("word")}
            made.append(mark("text", some, word_at, fontSize=12, **broken))
    return made


def _targets(part: VerdictSection, found: float, x: Any, room: float, start: float) -> list[dict[str, Any]]:
    """Draw a mark for every target with its name above; the chosen one is bold and goes down to the interval."""
    chosen = None if part.target is None else part.target.value
    # What kinds of tasks commonly ask for is about coefficients that have words.
    known = [
        (one.value, name.replace("-", " ")) for name, one in TASK_TARGETS.items() if part.bands or one.value == chosen
    ]
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
        tip = f"target for {task} work: {value:.2f}"
        rows.append({"value": value, "text": text, "at": at, "before": before, "line": line, "tip": tip})
    made = []
    for bold, ink, wide, weight in ((False, INK, 1, 400), (True, STRONG, 2, 600)):
        some = [row for row in rows if (row["value"] == chosen) is bold]
        if some:
            look: dict[str, Any] = {"color": ink, "strokeWidth": wide, "strokeDash": [5, 3]}
            near = bold and chosen is not None and abs(found - chosen) * room / (1 - start) < NEAR
            pieces = [(-6, TEXT - 11), (TEXT + 9, HEIGHT - 32)] if near else [(-6, HEIGHT - 32 if bold else 10)]
            made += [
                mark("rule", some, {"x": x("value"), "y": fixed(top), "y2": fixed(end)}, **look) for top, end in pieces
            ]
        for line, before in sorted({(row["line"], row["before"]) for row in some}):
            names = [row for row in some if (row["line"], row["before"]) == (line, before)]
            name_at = {"x": x("at"), "y": fixed(-14 - 16 * line), "text": nominal("text")}
            letters: dict[str, Any] = {"align": "right" if before else "left", "color": ink, "fontWeight": weight}
            made.append(mark("text", names, name_at, fontSize=12, **letters))
    return made
