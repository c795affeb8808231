"""Results as plain values, which JSON can hold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, overload

__all__ = ["Record", "plain"]


@overload
def plain(value: float) -> float | None: ...
@overload
def plain(value: Any) -> Any: ...
def plain(value: Any) -> Any:
    """Return a value as JSON can hold it: a number that is not finite is None, an array or tuple a list, a result its `to_dict`.

    Examples
    --------
    >>> plain({"value": float("nan"), "labels": ("a", "b")})
    {'value': None, 'labels': ['a', 'b']}
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    return value.to_dict() if hasattr(value, "to_dict") else value


class Record:
    """A dataclass whose JSON is its fields."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain values, in their order; ``n_items`` is ``items`` there."""
        return {one.name.removeprefix("n_"): plain(getattr(self, one.name)) for one in fields(self)}  # type: ignore[arg-type]
