"""Layouts of tables that hold other kinds of data than labels, one a module.

A function decorated with `layout` takes a table that has been opened and what was said of its columns, and returns a data set. It
is found here, or in a module that an installed package names under the entry point ``assent.layouts``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from assent.data import Dataset
from assent.readers.layouts import LAYOUTS, Overrides
from assent.readers.tables import Table
from assent.registry import Registry

__all__ = ["OTHER_LAYOUTS", "LayoutReader", "layout", "layout_names"]

LayoutReader: TypeAlias = Callable[[Table, Overrides], Dataset]
#: How tables of other kinds are read, by the name of the layout.
OTHER_LAYOUTS: Registry[LayoutReader] = Registry("layout", "assent.readers.kinds", "assent.layouts")


def layout(name: str) -> Callable[[LayoutReader], LayoutReader]:
    """Register how tables of a layout are read."""

    def register(function: LayoutReader) -> LayoutReader:
        OTHER_LAYOUTS.add(name, function)
        return function

    return register


def layout_names() -> tuple[str, ...]:
    """Return every layout that can be asked for."""
    return (*LAYOUTS, *OTHER_LAYOUTS.all())
