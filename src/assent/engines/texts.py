"""Values of an engine as text."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from assent.errors import InputError
from assent.text import shown

__all__ = ["column_texts", "is_gap", "object_texts", "remember", "spelled_alike", "text_of"]


def text_of(value: Any) -> str | None:
    """Return a label as text; None if it is missing.

    Text stays as it is. A typed number is written as short as it can be (1, not 1.0): a column of whole numbers
    turns into floats as soon as one is missing, and that must not rename labels.
    """
    if value is None or type(value) is str:
        return value
    if type(value) is int:
        return str(value)
    if isinstance(value, (float, np.floating)):
        number = float(value)
        if number.is_integer() and -1e16 < number < 1e16:
            return str(int(number))
        return repr(number) if number == number else None
    if is_gap(value):
        return None
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bytes | list | tuple | set | frozenset | dict | np.ndarray):
        raise InputError(
            f"A label is {shown(value)}, a {type(value).__name__}: each annotation must hold one label, "
            "as text, a number or true/false."
        )
    return str(value)


def spelled_alike(kinds: Collection[type]) -> bool:
    """Return whether values of these types that are equal are the same text: None beside one plain type, as True is 1."""
    plain = set(kinds) - {type(None)}
    return len(plain) <= 1 and plain <= {bool, int, float, str}


def is_gap(value: Any) -> bool:
    """Return whether a value stands for none: pandas' NA and NaT, NumPy's NaT, a number that is none."""
    kind = type(value)
    if kind.__name__ in ("NAType", "NaTType") and kind.__module__.startswith("pandas"):
        return True
    if isinstance(value, np.datetime64 | np.timedelta64):
        return bool(np.isnat(value))
    return kind.__name__ == "Decimal" and bool(value.is_nan())


def column_texts(column: Any) -> list[str | None]:
    """Return a column of a polars table as text, None where a cell is empty."""
    values = column.to_list()
    if all(value is None or isinstance(value, str) for value in values):
        return list(values)
    plain = (bool, int, float, str)
    return [text_of(value) if value is None or isinstance(value, plain) else str(value) for value in values]


def object_texts(values: Sequence[Any]) -> list[str | None]:
    """Turn a column of mixed Python objects into text; different objects must stay different."""
    first: dict[str, Any] = {}
    texts = []
    for value in values:
        text = None if value is None or is_gap(value) or value != value else text_of(value)
        if text is not None:
            remember(first, text, value, "label")
        texts.append(text)
    return texts


def remember(known: dict[str, Any], text: str, value: Any, what: str) -> None:
    """Keep the value behind a text; refuse two different values that would read the same."""
    before = known.setdefault(text, value)
    if before is not value and (type(before) is not type(value) or before != value):
        raise InputError(
            f"The {what} {shown(text)} occurs as {type(before).__name__} and as {type(value).__name__}: "
            "write it in one way."
        )
