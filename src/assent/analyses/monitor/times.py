"""Times as people write them: ISO 8601 dates and times, or numbers such as seconds."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import datetime

from assent.text import shown

__all__ = ["BadTime", "in_order_of"]

_WHOLE = re.compile(r"[+-]?\d{1,300}")


class BadTime(Exception):
    """A text that is not a time.

    Parameters
    ----------
    place : int
        Which of the texts.
    reason : str
        A clause that says what is wrong with it.
    """

    def __init__(self, place: int, reason: str) -> None:
        super().__init__(reason)
        self.place = place


def in_order_of(texts: Sequence[str | None]) -> list[int]:
    """Return the places of the texts from the earliest to the latest; equal times stay in their order.

    All must be numbers, or all ISO 8601 dates and times; of these, all or none may have a time zone.

    Raises
    ------
    BadTime
        If one is neither.

    Examples
    --------
    >>> in_order_of(["2024-05-02", "2024-05-01T12:00", "2024-05-01"])
    [2, 1, 0]
    >>> in_order_of(["10", "9.5", "9.5"])
    [1, 2, 0]
    """
    times = _numbers(texts)
    if times is not None:
        return sorted(range(len(texts)), key=times.__getitem__)
    dates = [_date(place, text) for place, text in enumerate(texts)]
    zoned = [date.tzinfo is not None for date in dates]
    if len(set(zoned)) > 1:
        place = zoned.index(not zoned[0])
        has = "has a time zone" if zoned[place] else "has no time zone"
        raise BadTime(place, f"{has} and others are the other way round: give all of them one, or none")
    return sorted(range(len(texts)), key=dates.__getitem__)


def _numbers(texts: Sequence[str | None]) -> list[float] | None:
    """Return all texts as numbers, whole ones exactly; None if one of them is no number."""
    found: list[float] = []
    for text in texts:
        try:
            number = int(text or "") if _WHOLE.fullmatch(text or "") else float(text or "")
        except ValueError:
            return None
        if not math.isfinite(number):
            return None
        found.append(number)
    return found


def _date(place: int, text: str | None) -> datetime:
    if text is None:
        raise BadTime(place, "has no time: fill it in")
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError:
        raise BadTime(
            place, f"has the time {shown(text)}: times are ISO 8601, as 2024-05-01T12:30 is, or all are numbers"
        ) from None
