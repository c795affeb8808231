"""How probable each label is for each item."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from assent.errors import InputError
from assent.limits import DENSE_PROFILE_CELLS
from assent.profiles import Array
from assent.records import Struct

if TYPE_CHECKING:
    from assent.analyses.consensus.votes import Votes

__all__ = ["TIE", "Best", "Cells", "Probabilities"]

#: Probabilities are taken as equal if they differ by less than this share of the larger: sums in another order do.
TIE = 1e-9


class Best(Struct, frozen=True):
    """The most probable label of each item.

    Parameters
    ----------
    label : array (items,)
        Its position; -1 if several are equally probable, or if nothing is known.
    probability : array (items,)
        Of the most probable label or labels; NaN if nothing is known.
    tied : array (items,) of bool
        Several labels are equally probable.
    """

    label: Array
    probability: Array
    tied: Array


class Cells(Struct, frozen=True, kw_only=True, eq=False):
    """A table of items x labels that holds the labels that somebody gave the item, and no other.

    Parameters
    ----------
    values, label : array (cells,)
        What is in each cell, and which label it is of; the cells of an item stand together.
    starts : array (items + 1,)
        Where the cells of each item begin, and where the last one's end.
    """

    values: Array
    label: Array
    starts: Array
    n_labels: int

    @property
    def shape(self) -> tuple[int, int]:
        """Items and labels."""
        return len(self.starts) - 1, self.n_labels

    @property
    def item(self) -> Array:
        """Which item each cell is of: (cells,)."""
        return np.repeat(np.arange(self.shape[0]), np.diff(self.starts))


class Probabilities(Struct, frozen=True, kw_only=True, eq=False):
    """Probabilities of labels, (items, labels), without a table where most of it would be alike.

    Parameters
    ----------
    given : array (items, labels) or Cells
        A row, or cells, of zeros say that nothing is known.
    elsewhere : array (items,), optional
        Times the prior of a label: its probability where nobody gave it to the item. 0 if not given.
    prior : array (labels,), optional
        How frequent the labels are.
    """

    given: Array | Cells
    elsewhere: Array | None = None
    prior: Array | None = None

    @classmethod
    def of_cells(
        cls, votes: Votes, cells: Array, elsewhere: Array | None = None, prior: Array | None = None
    ) -> Probabilities:
        """Take the probabilities of the cells of votes: (cells,)."""
        given = Cells(values=cells, label=votes.cell_label, starts=votes.starts, n_labels=votes.n_labels)
        return cls(given=given, elsewhere=elsewhere, prior=prior)

    @property
    def shape(self) -> tuple[int, int]:
        """Items and labels."""
        return (int(self.given.shape[0]), int(self.given.shape[1]))

    @property
    def largest_elsewhere(self) -> Array:
        """No label that nobody gave an item is more probable than this: (items,)."""
        if self.elsewhere is None or self.prior is None:
            return np.zeros(self.shape[0])
        return self.elsewhere * float(self.prior.max())

    def best(self) -> Best:
        """Return the most probable label of each item, unless several are."""
        if isinstance(self.given, np.ndarray):
            top = self.given.max(axis=1)
            near = self.given >= (top * (1.0 - TIE))[:, None]
            several = near.sum(axis=1)
            label = np.where(several == 1, near.argmax(axis=1), -1)
            return Best(label, top, several > 1)
        values, starts = self.given.values, self.given.starts[:-1]
        top = np.maximum.reduceat(values, starts)
        near = (values >= top[self.given.item] * (1.0 - TIE)) & (values > 0)
        several = np.add.reduceat(near.astype(np.int64), starts)
        label = np.where(several == 1, np.add.reduceat(np.where(near, self.given.label, 0), starts), -1)
        tied = several > 1
        # Annotators who are usually wrong make a label probable that nobody gave: rare, so one by one.
        rivals = self.largest_elsewhere
        for i in np.flatnonzero((rivals > 0) & (rivals >= top * (1.0 - TIE))):
            whole = self.row(int(i))
            top[i] = whole.max()
            equal = np.flatnonzero(whole >= top[i] * (1.0 - TIE))
            label[i], tied[i] = (int(equal[0]), False) if len(equal) == 1 else (-1, True)
        return Best(label, np.where(top > 0, top, np.nan), tied)

    def row(self, item: int) -> Array:
        """Return the probabilities of one item: (labels,); zeros if nothing is known."""
        if isinstance(self.given, np.ndarray):
            return np.asarray(self.given[item])
        whole = np.zeros(self.shape[1])
        if self.elsewhere is not None and self.prior is not None:
            whole += self.elsewhere[item] * self.prior
        cells = slice(self.given.starts[item], self.given.starts[item + 1])
        whole[self.given.label[cells]] = self.given.values[cells]
        return whole

    def equal(self, item: int) -> list[int]:
        """Return the labels of an item that are as probable as any."""
        whole = self.row(item)
        top = whole.max()
        return np.flatnonzero(whole >= top * (1.0 - TIE)).tolist() if top > 0 else []

    def equal_of(self, items: Array) -> list[list[int]]:
        """Return the labels that are as probable as any for each of some items."""
        if isinstance(self.given, np.ndarray):
            rows = self.given[items]
            top = rows.max(axis=1, initial=0.0, keepdims=True)
            place, label = np.nonzero((rows >= top * (1.0 - TIE)) & (top > 0))
        elif self.elsewhere is None:
            width = np.diff(self.given.starts)[items]
            first = np.cumsum(width) - width
            cell = np.repeat(self.given.starts[items] - first, width) + np.arange(int(width.sum()))
            place, values = np.repeat(np.arange(len(items)), width), self.given.values[cell]
            top = np.maximum.reduceat(values, first) if len(first) else values
            near = (values >= top[place] * (1.0 - TIE)) & (values > 0)
            place, label = place[near], self.given.label[cell[near]]
        else:
            return [self.equal(int(item)) for item in items]
        bounds, labels = np.searchsorted(place, np.arange(len(items) + 1)).tolist(), label.tolist()
        return [labels[low:high] for low, high in pairwise(bounds)]

    def dense(self) -> Array:
        """Return the whole table, (items, labels): rows add up to 1, and are NaN where nothing is known."""
        items, labels = self.shape
        if items * labels > DENSE_PROFILE_CELLS:
            size = items * labels * 8 / 1e9
            raise InputError(
                f"A table of {items:,} items x {labels:,} labels would need {size:,.0f} GB: leave the probabilities of all "
                "labels out, or merge labels first."
            )
        if isinstance(self.given, np.ndarray):
            return self.given
        whole = np.zeros((items, labels))
        if self.elsewhere is not None and self.prior is not None:
            whole += self.elsewhere[:, None] * self.prior
        whole[self.given.item, self.given.label] = self.given.values
        whole[~(self.best().probability > 0)] = np.nan
        return whole
