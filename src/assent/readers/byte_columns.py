"""Columns of bytes that are no text: left out, unless they may be what is to be measured."""

from __future__ import annotations

from assent.errors import InputError
from assent.readers import detect_by_names
from assent.readers.detected import Detected
from assent.readers.overrides import Overrides
from assent.readers.tables import Table
from assent.text import shown

__all__ = ["check_guessed", "check_said"]

ROLES = ("item", "annotator", "label")
#: Bytes of the longest key that tells items apart, such as a UUID or a hash; what is longer is the item itself, such as a picture.
LONGEST_KEY = 64


def check_said(table: Table, said: Overrides) -> None:
    """Refuse a column of bytes that was said to be something, or that is called as what nothing was said of."""
    for name in table.bytes:
        if name in said.columns:
            raise InputError(f"The column {shown(name)} holds bytes that are no UTF-8 text: decode them to text.")
    if said.annotators is not None or said.layout not in (None, "long"):
        return
    names, unsaid = [*table.columns, *table.bytes], [role for role in ROLES if getattr(said, role) is None]
    first = {role: found[0] for role in unsaid if (found := detect_by_names.find(role, names))}
    # Each row of a wide table is an item, whatever it is called.
    long = said.layout == "long" or len(first) == len(unsaid)
    for role, name in first.items():
        if name in table.bytes and (role != "item" or (long and table.bytes[name].longest <= LONGEST_KEY)):
            raise _may_be(name, role)


def check_guessed(table: Table, said: Overrides, found: Detected) -> None:
    """Refuse to leave out what looks like a text in another encoding where every column may be an annotator."""
    if found.layout != "wide" or said.annotators is not None:
        return
    for name, look in table.bytes.items():
        if look.written and look.repeated and not detect_by_names.is_other(name):
            raise _may_be(name, "annotators")


def _may_be(name: str, role: str) -> InputError:
    which = "columns hold the labels of annotators" if role == "annotators" else f"column holds the {role}"
    return InputError(
        f"The column {shown(name)} holds bytes that are no UTF-8 text: decode them to text, or say which {which} with `{role}`."
    )
