"""Results as plain values, which JSON can hold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, overload

from msgspec import Struct

from assent.limits import REPR_ELEMENTS

__all__ = ["Brief", "Record", "plain"]


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


class Record(Struct, frozen=True):
    """Values by name, whose JSON is its fields."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain values, in their order; ``n_items`` is ``items`` there."""
        return {name.removeprefix("n_"): plain(getattr(self, name)) for name in self.__struct_fields__}


class Brief:
    """What shows a programmer only its short fields: a result may hold the data of millions of items."""

    __slots__ = ()
    __struct_fields__: ClassVar[tuple[str, ...]]

    def __repr__(self) -> str:
        """Show the fields that are numbers, texts, or a few of them."""
        fields = ((name, getattr(self, name)) for name in self.__struct_fields__ if name[0] != "_")
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in fields if _short(value))})"


def _short(value: Any) -> bool:
    if isinstance(value, Mapping):
        return _short(tuple(value.values()))
    if isinstance(value, list | tuple):
        return len(value) <= REPR_ELEMENTS and all(map(_short, value))
    return value is None or isinstance(value, str | int | float)
