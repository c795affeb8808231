"""What charts of the report share: widths, names fit for an axis, numbers, and the shades of heat maps."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assent.documents.charts import NARROW, WIDE
from assent.text import shortened, visible

__all__ = [
    "CELL",
    "FEW",
    "NARROW",
    "NEGATIVE",
    "ON_CELL",
    "SHADES",
    "STRONG",
    "WIDE",
    "axis_names",
    "cut_at",
    "ends",
    "fixed",
    "level_width",
    "name_width",
    "shade",
]

#: Ink of what must be read first; a page in dark colours turns it light.
STRONG = "#1b1f23"
#: Colours of cells with a value of 0 and more, and of those below; text on the fullest shade of either.
CELL, NEGATIVE, ON_CELL = "#0069a8", "#b84f00", "#ffffff"
#: Where a shade begins, and how full it is. Between the last two no ink would be read on a light and on a dark page.
SHADES = ((0.0, 0.08), (0.1, 0.18), (0.25, 0.3), (0.4, 0.43), (0.55, 0.56), (0.7, 0.7), (0.85, 1.0))

#: Cells that rest on fewer than so many are so many shades paler.
FEW = ((10, 4), (30, 2))

#: They take half the room of others.
_SLIM = "iljtfI.,:;'|![]() "


def axis_names(texts: Iterable[object], limit: int = 28) -> list[str]:
    """Return texts fit for an axis: short, visible, and different from each other, since an axis joins what is alike.

    Examples
    --------
    >>> axis_names(["no idea at all", "no idea, sorry", ""], limit=8)
    ['no id…ll', 'no id…ry', '(empty)']
    """
    made: list[str] = []
    seen: dict[str, int] = {}
    wholes = [visible(text) if str(text).strip() else "(empty)" for text in texts]
    heads = [one if len(one) <= limit else f"{one[: limit - 1].rstrip()}…" for one in wholes]
    ends_too = [shortened(one, limit) for one in wholes]
    alike, apart = Counter(heads), Counter(ends_too)
    for head, both in zip(heads, ends_too, strict=True):
        # What begins alike is told apart by its end, if it can be.
        short = both if alike[head] > 1 and apart[both] == 1 else head
        seen[short] = times = seen.get(short, 0) + 1
        name = short if times == 1 else f"{short} ({times})"
        while name in made:
            times += 1
            name = f"{short} ({times})"
        seen[short] = times
        made.append(name)
    return made


def name_width(names: Sequence[str], most: int) -> int:
    """Return how many pixels the longest of some names takes at 12 pixels, `most` at most."""
    return min(most, max((sum(_advance(c) for c in name) for name in names), default=0) + 12)


def level_width(names: Iterable[str]) -> int:
    """Return how many pixels the longest of some names takes that stand level beside each other.

    Examples
    --------
    >>> level_width(["neutral", "中立"]), level_width(["中立", "否定的"])
    (49, 39)
    """
    return max((sum(13 if _wide(c) else 7 for c in name) for name in names), default=0)


def cut_at(names: Sequence[str], width: int) -> int:
    """Return the width at which an axis cuts names short: 0, nowhere, if none can be so wide.

    To cut names the renderer has to measure each of them, which takes longer than to draw them.

    Examples
    --------
    >>> cut_at(["neutral", "worker 12"], 76), cut_at(["WWWWWWWWW"], 76), cut_at(["übel"], 76)
    (0, 76, 76)
    """
    return width if any(sum(map(_widest, name)) > width for name in names) else 0


def _advance(c: str) -> int:
    """Return the width of a character: guessed, since the fonts of a reader are not known."""
    return 13 if _wide(c) else 4 if c in _SLIM else 8


def _wide(c: str) -> bool:
    """Tell whether a character is as wide as it is high, as those of Chinese, Japanese and Korean are."""
    return unicodedata.east_asian_width(c) in "WF"


def _widest(c: str) -> float:
    """Return what a character takes at 12 pixels in the widest of usual fonts; beyond ASCII nobody knows."""
    if not c.isascii():
        return math.inf
    return 5 if c in _SLIM else 8 if c.isdigit() or (c.islower() and c not in "mw") or c in "-_" else 12


def ends(row: Mapping[str, Any]) -> tuple[float | None, float | None]:
    """Return the ends of the interval of a row, which has them itself or under `ci`."""
    holder = row if "low" in row else (row.get("ci") or {})
    low, high = holder.get("low"), holder.get("high")
    return (None, None) if low is None or high is None else (low, high)


def shade(value: float, rests_on: float | None = None) -> tuple[float, str]:
    """Return how full a cell is, and the ink that is read on it.

    Parameters
    ----------
    value : float
        Between -1 and 1.
    rests_on : float, optional
        On how many items or annotations; a cell that rests on few is paler.

    Examples
    --------
    >>> [shade(0.9, many)[0] for many in (None, 100, 20, 5)]
    [1.0, 1.0, 0.56, 0.3]
    """
    place = max(place for place, (start, _) in enumerate(SHADES) if abs(value) >= start)
    if rests_on is not None:
        place = max(0, place - next((steps for below, steps in FEW if rests_on < below), 0))
    fullness = SHADES[place][1]
    return (0.0 if value == 0 else fullness), (ON_CELL if fullness == 1 else STRONG)


def fixed(pixels: float) -> dict[str, float]:
    """Return a channel that puts marks at a place of the view."""
    return {"value": pixels}
