"""What tables of crowds and forms share: choices joined in one cell, columns that ask the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

__all__ = ["is_number", "looks_like_choices", "same_question", "split_choices"]

_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")


def is_number(text: str) -> bool:
    """Return whether a text is a plain decimal number."""
    return _NUMBER.fullmatch(text) is not None


def split_choices(text: str, mark: str) -> tuple[str, ...]:
    """Return the parts of a text.

    Examples
    --------
    >>> split_choices("price|service", "|")
    ('price', 'service')
    """
    return tuple(part for part in (p.strip() for p in text.split(mark)) if part)


def looks_like_choices(values: Iterable[str], mark: str) -> bool:
    """Return whether texts are several choices joined with a mark: the parts recur in other combinations.

    Examples
    --------
    >>> looks_like_choices(["price|service", "price", "service|quality", "quality"], "|")
    True
    >>> looks_like_choices(["well, hello", "yes", "no"], ", ")
    False
    """
    whole = Counter(v for v in values if v)
    if not any(mark in v for v in whole):
        return False
    parts: Counter[str] = Counter()
    for value in whole:
        parts.update(set(split_choices(value, mark)))
    joined = {part for value in whole if mark in value for part in split_choices(value, mark)}
    return len(parts) < len(whole) + 2 and all(parts[part] > 1 for part in joined)


def same_question(columns: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Return the columns in groups that use the same answers.

    Examples
    --------
    >>> same_question({"a": ["no"], "b": ["yes"], "c": ["1", "5"], "d": ["no", "yes"]})
    [['a', 'b', 'd'], ['c']]
    """
    groups = [(words, [name]) for name, values in columns.items() if (words := {v for v in values if v})]
    before = 0
    # Two columns that have no answer in common may both have some in common with a later one.
    while before != len(groups):
        before, groups = len(groups), _gathered(groups)
    return [[name for name in columns if name in names] for _, names in groups]


def _gathered(columns: Iterable[tuple[set[str], list[str]]]) -> list[tuple[set[str], list[str]]]:
    groups: list[tuple[set[str], list[str]]] = []
    for words, names in columns:
        best = max(groups, key=lambda g: len(g[0] & words) / len(words), default=None)
        numbers = all(is_number(w) for w in words)
        if best is not None and (
            len(best[0] & words) >= 0.5 * len(words) or (numbers and all(is_number(w) for w in best[0]))
        ):
            best[0].update(words)
            best[1].extend(names)
        else:
            groups.append((set(words), list(names)))
    return groups
