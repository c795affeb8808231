"""Labels and names as texts: their order, and which of them look alike. None of them is ever changed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, wraps
from typing import Any, TypeVar

from assent.engines import text_of
from assent.errors import OptionError
from assent.scales import numbers
from assent.text import shown

__all__ = ["distinct_texts", "in_order", "look_alikes", "number_of", "of_few", "without_blanks_and_case"]

#: Without one of these no label is a number.
_DIGIT = re.compile(r"\d")
#: What is remembered of texts with so few letters is never much.
FEW_LETTERS = 1_000
T = TypeVar("T")


def of_few(function: Callable[..., T]) -> Callable[..., T]:
    """Remember what a function says of a few short texts: a program often measures data sets with the same labels and annotators."""
    remembered = lru_cache(maxsize=32)(function)

    @wraps(function)
    def known(*texts: tuple[str, ...] | str) -> T:
        few = len("".join(map("".join, texts))) <= FEW_LETTERS
        return remembered(*texts) if few else function(*texts)

    return known


def in_order(texts: Iterable[str], decimal: str = ".") -> tuple[str, ...]:
    """Sort by value if all are numbers, else by code point: the same on every machine."""
    names = sorted(texts)
    values = numbers(names, decimal)
    if values is None or values == sorted(values):
        return tuple(names)
    return tuple(name for _, name in sorted(zip(values, names, strict=True)))


def look_alikes(labels: Sequence[str]) -> list[str]:
    """Say which labels differ only by case or blanks, or are one number written in several ways."""
    notes = []
    known: Sequence[float | None] | None = numbers(labels)
    # Where no letter of any label has another case and none is a blank, a label is compared as it is.
    plain = without_blanks_and_case(text := "".join(labels)) == text
    if known is None and _DIGIT.search(text) is not None:
        known = [number_of(label) for label in labels]
    keys: Sequence[str | float | None]
    for keys, how in (
        (labels if plain else [without_blanks_and_case(label) for label in labels], "only by case or blanks"),
        (known or (), "only in how a number is written"),
    ):
        if len(set(keys)) == len(keys):
            continue
        groups: dict[Any, list[str]] = {}
        for key, label in zip(keys, labels, strict=True):
            if key is not None:
                groups.setdefault(key, []).append(label)
        alike = [group for group in groups.values() if len(group) > 1]
        if alike:
            some = "; ".join(", ".join(shown(label, 20) for label in group[:4]) for group in alike[:3])
            notes.append(f"Labels that differ {how} are kept apart: {some}{'; …' if len(alike) > 3 else ''}.")
    return notes


def without_blanks_and_case(label: str) -> str:
    """Return a label as it is compared where case and blanks do not count."""
    return "".join(label.split()).casefold()


def number_of(label: str) -> float | None:
    """Return the number that a label is; None if it is none."""
    value = numbers([label])
    return None if value is None else value[0]


def distinct_texts(labels: Sequence[Any]) -> list[str]:
    """Return the labels as text and refuse one that is named twice."""
    texts = [str(text_of(label)) for label in labels]
    twice = next((text for text in texts if texts.count(text) > 1), None) if len(set(texts)) < len(texts) else None
    if twice is not None:
        raise OptionError(f"The label {shown(twice)} is named twice.")
    return texts
