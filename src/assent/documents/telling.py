"""A document in other words: every sentence of it is put as the place where it is shown puts it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from assent.documents.blocks import Card, Code, Column, Formulas, Table
from assent.records import Struct

__all__ = ["told"]

Shown = TypeVar("Shown", bound=Struct)


def told(block: Shown, say: Callable[[str], str]) -> Shown:
    """Return a document, or a block of it, with each of its sentences put by `say`; what comes from the data stays.

    Examples
    --------
    >>> from assent.documents.blocks import Card, Cards
    >>> told(Cards([Card("an x", ["See x."], data=True)]), lambda sentence: sentence.replace("x", "y")).cards
    [Card(title='an x', sentences=['See y.'], tone='info', mark='', data=True)]
    """
    kept = _kept(block)
    put = {name: _put(getattr(block, name), say) for name in block.__struct_fields__ if name not in kept}
    return replace(block, **put)


def _kept(block: object) -> tuple[str, ...]:
    """Return which parts of a block are no sentences of ours."""
    if isinstance(block, Table):
        return ("rows",)
    if isinstance(block, Card | Column):
        return ("title",) if block.data else ()
    if isinstance(block, Code):
        return ("text",) if block.code else ()
    return ("formulas",) if isinstance(block, Formulas) else ()


def _put(value: Any, say: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return say(value)
    if isinstance(value, Mapping):
        return {key: _put(one, say) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_put(one, say) for one in value]
    return told(value, say) if isinstance(value, Struct) else value
