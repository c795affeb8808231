"""Values by name, of which every result, profile and setting of the package is made; and what JSON can hold of them.

A record is a `msgspec.Struct`, which is made in C: a command that starts makes more than a hundred of them, and those of the standard
library are compiled one by one.
"""

from __future__ import annotations

import functools
import inspect
import math
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, overload

import msgspec
from msgspec import NODEFAULT

from assent.limits import REPR_ELEMENTS

__all__ = ["Brief", "Record", "Struct", "cached_property", "plain"]

if TYPE_CHECKING or sys.version_info >= (3, 12):
    cached_property = functools.cached_property
else:

    class cached_property(functools.cached_property):  # noqa: N801
        """That of Python 3.12: without the lock that earlier ones take, for all objects of a class, whenever one works out a value."""

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            """Return what was worked out before, or work it out."""
            if instance is None:
                return self
            held = instance.__dict__
            if self.attrname not in held:
                held[self.attrname] = self.func(instance)
            return held[self.attrname]


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


class _Type(msgspec.StructMeta):
    """Tells what a record takes, types as they are written: names that only type checkers import cannot be looked up."""

    @property
    def __signature__(self) -> inspect.Signature:
        types = {name: one for base in reversed(self.__mro__) for name, one in inspect.get_annotations(base).items()}
        fields = self.__struct_fields__
        missing = (inspect.Parameter.empty,) * (len(fields) - len(self.__struct_defaults__))
        return inspect.Signature(
            [
                inspect.Parameter(
                    name,
                    inspect.Parameter.POSITIONAL_OR_KEYWORD
                    if name in self.__match_args__
                    else inspect.Parameter.KEYWORD_ONLY,
                    default=inspect.Parameter.empty if default is NODEFAULT else default,
                    annotation=types[name],
                )
                for name, default in zip(fields, (*missing, *self.__struct_defaults__), strict=True)
            ]
        )


if TYPE_CHECKING:
    # A base of frozen records is not frozen itself, which type checkers allow to the library alone.
    from msgspec import Struct
else:

    class Struct(msgspec.Struct, metaclass=_Type):
        """The base of all records: fields are annotations of the class, options such as `frozen` and `kw_only` stand in its head."""


class Record(Struct, frozen=True):
    """A record whose JSON is its fields."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain values, in their order; ``n_items`` is ``items`` there."""
        return {name.removeprefix("n_"): plain(getattr(self, name)) for name in self.__struct_fields__}


class Brief:
    """A record that shows a programmer its short fields alone: it may hold the data of millions of items."""

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
