"""Dataclasses that cost nothing until they are used.

`dataclasses` writes and compiles up to six functions for each class. A measurement imports far more classes than it makes
anything of, and this alone was a fifth of its time. Here nothing is compiled but `__init__`, at the first call; the others
read the fields. The modules that a measurement imports take their `dataclass` from here; it does what that of the
standard library does, of which it takes the arguments that are used.
"""

from __future__ import annotations

import dataclasses
from functools import cache
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass

__all__ = ["dataclass"]


class _Made:
    """Stands for a value that is made anew for each instance."""

    def __repr__(self) -> str:
        return "<factory>"


_MADE = _Made()


def _dataclass(*, frozen: bool = False, kw_only: bool = False, eq: bool = True, repr: bool = True) -> Any:
    """Make a dataclass of a class."""

    def make(cls: type) -> type:
        own = vars(cls).copy()
        # One that inherits from a frozen class must say so; what that compiles is replaced below.
        inherits = any(one.__dataclass_params__.frozen for one in cls.__mro__[1:] if dataclasses.is_dataclass(one))  # type: ignore[attr-defined]
        dataclasses.dataclass(init=False, repr=False, eq=False, frozen=inherits, kw_only=kw_only)(cls)
        methods: dict[str, Any] = {"__init__": _Initialiser(cls, frozen)}
        methods |= {"__repr__": _described} if repr else {}
        methods |= {"__eq__": _is_equal, "__hash__": _hashed if frozen else None} if eq else {}
        for name, method in methods.items():
            if own.get(name) is None:
                setattr(cls, name, method)
        if frozen:
            cls.__setattr__, cls.__delattr__ = _refuse_to_set, _refuse_to_delete  # type: ignore[assignment]
        cls.__dataclass_params__ = _parameters(frozen, eq, repr)  # type: ignore[attr-defined]
        return cls

    return make


if not TYPE_CHECKING:
    dataclass = _dataclass


class _Initialiser:
    """Stands for the `__init__` of a class until it is called or looked at.

    Parameters
    ----------
    cls : type
    frozen : bool
    """

    def __init__(self, cls: type, frozen: bool) -> None:
        self.cls, self.frozen = cls, frozen

    def __get__(self, instance: object, owner: type) -> Any:
        """Write and compile it, put it into the class, and return it."""
        self.cls.__init__ = _initialiser(self.cls, self.frozen)  # type: ignore[misc]
        return getattr(owner if instance is None else instance, "__init__")  # noqa: B009


def _initialiser(cls: type, frozen: bool) -> Callable[..., None]:
    """Write the `__init__` of a class from its fields."""
    known: dict[str, Any] = {"__name__": cls.__module__, "_MADE": _MADE, "_set": object.__setattr__}
    plain: list[str] = []
    keyword: list[str] = []
    body: list[str] = []
    fields = dataclasses.fields(cls)
    for number, one in enumerate(fields):
        name, value = one.name, one.name
        default = "" if one.default is dataclasses.MISSING else f"=_default{number}"
        known[f"_default{number}"] = one.default
        if one.default_factory is not dataclasses.MISSING:
            known[f"_make{number}"] = one.default_factory
            default, value = "=_MADE", f"_make{number}() if {name} is _MADE else {name}"
        (keyword if one.kw_only else plain).append(name + default)
        body.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    parameters = ", ".join(["self", *plain, *(["*"] if keyword else []), *keyword])
    exec(f"def __init__({parameters}):\n " + "\n ".join(body or ["pass"]), known)
    made: Callable[..., None] = known["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    made.__annotations__ = {**{one.name: one.type for one in fields}, "return": None}
    return made


@cache
def _parameters(frozen: bool, eq: bool, repr: bool) -> Any:
    """Return what a dataclass with these arguments says of itself."""
    made: Any = dataclasses.dataclass(frozen=frozen, eq=eq, repr=repr)(type("", (), {"__doc__": "-"}))
    return made.__dataclass_params__


@cache
def _compared(cls: Any) -> Callable[[Any], Any]:
    """Return what reads the fields by which instances are compared."""
    names = [one.name for one in dataclasses.fields(cls) if one.compare]
    read: Callable[[Any], Any] = attrgetter(*names) if names else lambda _: ()
    return (lambda one: (read(one),)) if len(names) == 1 else read


@recursive_repr("...")
def _described(self: Any) -> str:
    fields = ", ".join(f"{one.name}={getattr(self, one.name)!r}" for one in dataclasses.fields(self) if one.repr)
    return f"{type(self).__qualname__}({fields})"


def _is_equal(self: Any, other: object) -> Any:
    if type(other) is not type(self):
        return NotImplemented
    kind: Any = type(self)
    read = _compared(kind)
    return read(self) == read(other)


def _hashed(self: Any) -> int:
    kind: Any = type(self)
    return hash(_compared(kind)(self))


def _refuse_to_set(self: Any, name: str, value: object) -> None:
    if "__dataclass_params__" in vars(type(self)) or name in self.__dataclass_fields__:
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
    object.__setattr__(self, name, value)


def _refuse_to_delete(self: Any, name: str) -> None:
    if "__dataclass_params__" in vars(type(self)) or name in self.__dataclass_fields__:
        raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
    object.__delattr__(self, name)
