"""Layouts of tables that hold other kinds of data than labels, one a module.

A function decorated with `layout` takes a table that has been opened and what was said of its columns, and returns a data set. It
is found here, or in a module that an installed package names under the entry point ``assent.layouts``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from assent.data import Dataset
from assent.errors import OptionError
from assent.readers.overrides import LAYOUTS, Overrides
from assent.readers.tables import Table
from assent.registry import Registry

__all__ = ["OTHER_LAYOUTS", "LayoutReader", "layout", "layout_names", "recognised_layout"]

LayoutReader: TypeAlias = Callable[[Table, Overrides], Dataset]
#: How tables of other kinds are read, by the name of the layout.
OTHER_LAYOUTS: Registry[LayoutReader] = Registry("layout", "assent.readers.kinds", "assent.layouts")
#: Which layout a table has of which a role was named, as `object` names a column of rankings.
_BY_ROLE: dict[str, str] = {}
#: Whether the columns of a table are those of a layout.
_BY_NAMES: dict[str, Callable[[Table], bool]] = {}


def layout(
    name: str, *, roles: Sequence[str] = (), named: Callable[[Table], bool] | None = None
) -> Callable[[LayoutReader], LayoutReader]:
    """Register how tables of a layout are read.

    Parameters
    ----------
    name : str
    roles : sequence of str
        Roles of columns that no other layout has: if one is named, the table has this layout.
    named : callable, optional
        From a table to whether its columns, by their names, can be nothing else.
    """

    def register(function: LayoutReader) -> LayoutReader:
        OTHER_LAYOUTS.add(name, function)
        _BY_ROLE.update(dict.fromkeys(roles, name))
        if named is not None:
            _BY_NAMES[name] = named
        return function

    return register


def recognised_layout(roles: Mapping[str, str], table: Table | None = None) -> str | None:
    """Return the layout that roles of columns, or their names in a table, are those of; None if there is none."""
    OTHER_LAYOUTS.all()
    said = dict.fromkeys(_BY_ROLE[role] for role in roles if role in _BY_ROLE)
    if len(said) > 1:
        raise OptionError(
            f"A table is one of {' or of '.join(said)}, and columns of both were named: leave those of one out."
        )
    return next(iter(said), None) or next(
        (name for name, fits in _BY_NAMES.items() if table is not None and fits(table)), None
    )


def layout_names() -> tuple[str, ...]:
    """Return every layout that can be asked for."""
    return (*LAYOUTS, *OTHER_LAYOUTS.all())
