"""Numbers as they are said: two digits, and more where two would hide how wide an interval is."""

from __future__ import annotations

import math

__all__ = ["interval_text", "value_text"]

FEWEST_DIGITS, MOST_DIGITS = 2, 4


def value_text(value: float | None, low: float | None = None, high: float | None = None) -> str:
    """Show a coefficient with as many digits as its interval has.

    Examples
    --------
    >>> value_text(0.5591, 0.48, 0.62), value_text(0.5591, 0.5581, 0.5602), value_text(None)
    ('0.56', '0.559', '—')
    """
    if value is None or math.isnan(value):
        return "—"
    return _fixed(value, _digits(low, high))


def interval_text(low: float | None, high: float | None) -> str:
    """Show an interval.

    Examples
    --------
    >>> interval_text(0.48, 0.62), interval_text(0.5581, 0.5602), interval_text(None, None)
    ('0.48 to 0.62', '0.558 to 0.560', '—')
    """
    if low is None or high is None or math.isnan(low) or math.isnan(high):
        return "—"
    digits = _digits(low, high)
    return f"{_fixed(low, digits)} to {_fixed(high, digits)}"


def _digits(low: float | None, high: float | None) -> int:
    """Return how many digits it takes to tell the two ends apart."""
    if low is None or high is None or math.isnan(low) or math.isnan(high):
        return FEWEST_DIGITS
    enough = (n for n in range(FEWEST_DIGITS, MOST_DIGITS) if _fixed(low, n) != _fixed(high, n))
    return next(enough, FEWEST_DIGITS if high == low else MOST_DIGITS)


def _fixed(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if not float(text) else text
