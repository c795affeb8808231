"""Sentences that the page makes from numbers of the report."""

from __future__ import annotations

from collections.abc import Sequence

from assent.text import number, visible

__all__ = ["counted", "interval", "listed", "quoted"]

#: They keep the direction of a name from turning the words around it.
_ISOLATED = "\u2068{}\u2069"


def counted(many: int, noun: str, plural: str | None = None) -> str:
    """Show a number of things.

    Examples
    --------
    >>> counted(1, "item"), counted(1200, "item"), counted(2, "study", "studies")
    ('1 item', '1,200 items', '2 studies')
    """
    return f"{many:,} {noun if many == 1 else plural or noun + 's'}"


def quoted(text: object, limit: int = 40) -> str:
    """Show a name of the data within a sentence."""
    whole = visible(text)
    if not whole.strip():
        return "the empty text"
    return f"“{_ISOLATED.format(whole if len(whole) <= limit else whole[: limit - 1] + '…')}”"


def listed(texts: Sequence[str], most: int = 3) -> str:
    """Join a few of many texts.

    Examples
    --------
    >>> listed(["a", "b"]), listed(["a", "b", "c", "d", "e"])
    ('a and b', 'a, b, c and 2 more')
    """
    some = list(texts[:most]) if len(texts) > most + 1 else list(texts)
    if len(some) < len(texts):
        return f"{', '.join(some)} and {len(texts) - len(some):,} more"
    return " and ".join(filter(None, [", ".join(some[:-1]), *some[-1:]]))


def interval(low: float | None, high: float | None, level: float) -> str:
    """Show an interval in brackets; nothing if there is none."""
    if low is None or high is None:
        return ""
    return f" ({100 * level:g} % interval {number(low)} to {number(high)})"
