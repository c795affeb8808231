"""Annotations as votes: who gave which item what, grouped by item and label."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from assent.data.long_rows import LongRows
from assent.label_sets import EMPTY, LabelSets
from assent.profiles import Array
from assent.records import Struct, cached_property

__all__ = ["Votes"]


class Votes(Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """Annotations, and the labels they hold, as positions.

    An annotation that holds one label is one entry of weight 1; one that holds several is shared out among as many entries.
    A cell is an item together with a label that somebody gave it.

    Parameters
    ----------
    n_items, n_annotators, n_labels : int
        How many there are; 0 annotators if the table does not say who annotated.
    item, annotator : array (annotations,)
    entry : array (entries,)
        The annotation that an entry belongs to.
    label, weight : array (entries,)
    names : tuple of str
        The labels by name.
    ordered : bool
        The labels stand in an order that was given: from lowest to highest.
    known : array (items,) or None
        The label of items that are known, which a method may learn from; -1 for all others.
    """

    n_items: int
    n_annotators: int
    n_labels: int
    item: Array
    annotator: Array
    entry: Array
    label: Array
    weight: Array
    names: tuple[str, ...]
    ordered: bool = False
    known: Array | None = None

    @classmethod
    def of(cls, listing: LongRows, sets: LabelSets | None = None, *, primary: float | None = None) -> Votes:
        """Take annotations one by one.

        Parameters
        ----------
        sets : LabelSets, optional
            What the labels of the listing are made of, if they are to be taken apart.
        primary : float, optional
            What the primary label of a set gets, the others sharing the rest; all share equally if it is not given.
        """
        count = len(listing.item)
        annotator = np.zeros(count, dtype=np.int64) if listing.annotator is None else listing.annotator
        entry, label, weight, names = np.arange(count), listing.label, np.ones(count), listing.labels
        if sets is not None:
            # The empty set is a label like any other: to give none of the labels is to say something.
            empty = any(not one for one in sets.members)
            names = (*sets.labels, EMPTY) if empty else sets.labels
            held = [np.array(one or (len(sets.labels),), dtype=np.int64) for one in sets.members]
            sizes = np.array([len(one) for one in held], dtype=np.int64)
            shares = [_shares(len(one), primary) for one in held]
            starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
            times = sizes[listing.label]
            entry = np.repeat(np.arange(count), times)
            within = np.arange(len(entry)) - np.repeat(np.cumsum(times) - times, times)
            place = starts[listing.label][entry] + within
            label, weight = np.concatenate(held)[place], np.concatenate(shares)[place]
        return cls(
            n_items=len(listing.items),
            n_annotators=len(listing.annotators or ()),
            n_labels=len(names),
            item=listing.item,
            annotator=annotator,
            entry=entry,
            label=label,
            weight=weight,
            names=tuple(names),
        )

    def in_use(self) -> tuple[Votes, Array]:
        """Return the same without labels that nobody gave anything, and the positions of the others."""
        used, label = _numbered(self.label, self.n_labels)
        if len(used) == self.n_labels:
            return self, used
        known = self.known
        if known is not None:
            place = np.full(self.n_labels + 1, -1)
            place[used] = np.arange(len(used))
            known = place[known]
        names = tuple(self.names[i] for i in used)
        return replace(self, n_labels=len(used), label=label, names=names, known=known), used

    def settled(self, posterior: Array) -> Array:
        """Put certainty where the label of an item is known: (labels, items), changed in place."""
        if self.known is not None:
            items = np.flatnonzero(self.known >= 0)
            posterior[:, items] = 0.0
            posterior[self.known[items], items] = 1.0
        return posterior

    @cached_property
    def _cells(self) -> tuple[Array, Array]:
        return _numbered(self.item[self.entry] * self.n_labels + self.label, self.n_items * self.n_labels)

    @cached_property
    def _pairs(self) -> tuple[Array, Array]:
        return _numbered(self.annotator[self.entry] * self.n_labels + self.label, self.n_annotators * self.n_labels)

    @property
    def pair(self) -> Array:
        """The pair of annotator and label of each entry: (entries,). Pairs that do not occur have no number."""
        return self._pairs[1]

    @cached_property
    def pair_annotator(self) -> Array:
        """The annotator of each pair, ascending: (pairs,)."""
        return self._pairs[0] // self.n_labels

    @cached_property
    def pair_label(self) -> Array:
        """The label of each pair, ascending within an annotator: (pairs,)."""
        return self._pairs[0] % self.n_labels

    @cached_property
    def pair_starts(self) -> Array:
        """The first pair of each annotator, and the number of pairs at the end: (annotators + 1,)."""
        return np.searchsorted(self.pair_annotator, np.arange(self.n_annotators + 1))

    @property
    def cell(self) -> Array:
        """The cell of each entry: (entries,)."""
        return self._cells[1]

    @cached_property
    def cell_item(self) -> Array:
        """The item of each cell, ascending: (cells,)."""
        return self._cells[0] // self.n_labels

    @cached_property
    def cell_label(self) -> Array:
        """The label of each cell, ascending within an item: (cells,)."""
        return self._cells[0] % self.n_labels

    @cached_property
    def starts(self) -> Array:
        """The first cell of each item, and the number of cells at the end: (items + 1,)."""
        return np.searchsorted(self.cell_item, np.arange(self.n_items + 1))

    @cached_property
    def sizes(self) -> Array:
        """Annotations of each item: (items,)."""
        return np.bincount(self.item, minlength=self.n_items)

    @cached_property
    def given(self) -> Array:
        """Annotations of each annotator: (annotators,)."""
        return np.bincount(self.annotator, minlength=self.n_annotators)

    @cached_property
    def shared(self) -> Array:
        """Annotations of each annotator on items that somebody else annotated, too: (annotators,)."""
        others = (self.sizes[self.item] > 1).astype(np.float64)
        return self.per_annotator(others).astype(np.int64)

    @cached_property
    def votes(self) -> Array:
        """Annotations that hold the label of each cell: (cells,)."""
        return np.bincount(self.cell, minlength=len(self.cell_item))

    def per_cell(self, values: Array) -> Array:
        """Add up values of entries by cell."""
        return np.bincount(self.cell, weights=values, minlength=len(self.cell_item))

    def per_item(self, values: Array) -> Array:
        """Add up values of annotations by item."""
        return np.bincount(self.item, weights=values, minlength=self.n_items)

    def per_annotator(self, values: Array) -> Array:
        """Add up values of annotations by annotator."""
        return np.bincount(self.annotator, weights=values, minlength=self.n_annotators)

    def cell_sums(self, values: Array) -> Array:
        """Add up values of cells by item; every item has a cell."""
        return np.asarray(np.add.reduceat(values, self.starts[:-1]))

    def cell_tops(self, values: Array) -> Array:
        """Take the largest value of the cells of each item."""
        return np.asarray(np.maximum.reduceat(values, self.starts[:-1]))


def _numbered(keys: Array, size: int) -> tuple[Array, Array]:
    """Return the distinct keys, ascending, and the place of each key among them; keys are below `size`."""
    if size > 4 * len(keys) + 1_000_000:
        distinct, place = np.unique(keys, return_inverse=True)
        return distinct, place
    # A table of all possible keys is much faster than sorting, if it is not much larger than what is sorted.
    there = np.zeros(size, dtype=bool)
    there[keys] = True
    return np.flatnonzero(there), (np.cumsum(there) - 1)[keys]


def _shares(size: int, primary: float | None) -> Array:
    """Share an annotation out among its labels, the first of which is the primary one."""
    if size == 1 or primary is None:
        return np.full(size, 1.0 / size)
    return np.array([primary, *[(1.0 - primary) / (size - 1)] * (size - 1)])
