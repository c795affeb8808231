"""Every annotation, one by one: for questions about single items, annotators and moments, which profiles have forgotten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import field

from assent.profiles import Array
from assent.records import Struct, cached_property

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["LongRows"]


class LongRows(Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """Annotations in the order of their table, as positions in lists of names.

    Parameters
    ----------
    items : sequence of str
        Names of the items with a label, in the order in which they first occur.
    annotators : tuple of str or None
        None if the table does not say who annotated.
    item, label : array (annotations,) of integers
        Positions in `items` and `labels`.
    annotator : array (annotations,) of integers or None
        Positions in `annotators`.
    columns : mapping of str to list
        Further columns that were asked for, by name: one value an annotation, as text; None where a cell is empty.
    """

    items: Sequence[str]
    labels: tuple[str, ...]
    annotators: tuple[str, ...] | None
    item: Array
    label: Array
    annotator: Array | None
    columns: Mapping[str, Sequence[str | None]] = field(default_factory=dict)

    @cached_property
    def sizes(self) -> Array:
        """Annotations of each item: (items,)."""
        return np.bincount(self.item, minlength=len(self.items))

    @cached_property
    def counts(self) -> csr_array[Any, tuple[int, int]]:
        """How many annotations gave each item each label: sparse (items, labels)."""
        from scipy.sparse import csr_array

        cells = (np.ones(len(self.item), dtype=np.int64), (self.item, self.label))
        return csr_array(cells, shape=(len(self.items), len(self.labels)))
