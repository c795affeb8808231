"""What hangs on spans: relations between two of them, and attributes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

import numpy as np

from assent.profiles import Array
from assent.records import Struct

__all__ = ["Attribute", "Relations", "attributes_at"]


class Relations(Struct, frozen=True, kw_only=True, eq=False):
    """Relations between two spans of one annotator in one document.

    Parameters
    ----------
    type : array (relations,)
        Codes.
    head, tail : array (relations,)
        Rows of the spans.
    """

    types: tuple[str, ...]
    type: Array
    head: Array
    tail: Array

    @classmethod
    def of(cls, rows: Sequence[tuple[str, int, int]]) -> Self:
        """Make relations of rows of type, head and tail."""
        types = tuple(sorted({name for name, _, _ in rows}))
        code = {name: at for at, name in enumerate(types)}
        columns = np.array([(code[name], head, tail) for name, head, tail in rows], dtype=np.int64).reshape(-1, 3)
        return cls(types=types, type=columns[:, 0], head=columns[:, 1], tail=columns[:, 2])

    def moved(self, place: Array) -> Self:
        """Return the relations of spans that are now in other rows; those of spans that are gone (-1) are gone."""
        head, tail = place[self.head], place[self.tail]
        kept = (head >= 0) & (tail >= 0)
        rows = np.unique(np.stack([self.type[kept], head[kept], tail[kept]]), axis=1)
        return type(self)(types=self.types, type=rows[0], head=rows[1], tail=rows[2])


class Attribute(Struct, frozen=True, kw_only=True, eq=False):
    """What spans have beside their label.

    Parameters
    ----------
    code : array (spans,)
        Places in `values`; -1 where a span has none.
    """

    values: tuple[str, ...]
    code: Array

    @classmethod
    def of(cls, texts: Sequence[str | None]) -> Self:
        """Make an attribute of the values of spans; None or an empty text is none."""
        values = tuple(sorted({text for text in texts if text}))
        place = {text: at for at, text in enumerate(values)}
        return cls(values=values, code=np.array([place[text] if text else -1 for text in texts], dtype=np.int64))


def attributes_at(attributes: Mapping[str, Attribute], rows: Array) -> dict[str, Attribute]:
    """Return the attributes of some spans."""
    return {name: Attribute(values=one.values, code=one.code[rows]) for name, one in attributes.items()}
