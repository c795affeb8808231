"""How probable each label is for each item."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assent.errors import InputError
from assent.profiles import DENSE_CELLS, Array

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from assent.consensus.ballots import Ballots

__all__ = ["TIE", "Best", "Probabilities"]

#: Probabilities are taken as equal if they differ by less than this share of the larger: sums in another order do.
TIE = 1e-9


@dataclass(frozen=True)
class Best:
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


@dataclass(frozen=True, kw_only=True, eq=False)
class Probabilities:
    """Probabilities of labels, (items, labels), without a table where most of it would be alike.

    Parameters
    ----------
    given : array (items, labels) or sparse matrix
        A sparse one holds the labels that somebody gave the item, and all of these; a row of zeros says that nothing is known.
    elsewhere : array (items,), optional
        Times the prior of a label: its probability where nobody gave it to the item. 0 if not given.
    prior : array (labels,), optional
        How frequent the labels are.
    """

    given: Array | csr_array[Any, tuple[int, int]]
    elsewhere: Array | None = None
    prior: Array | None = None

    @classmethod
    def of_cells(
        cls, ballots: Ballots, cells: Array, elsewhere: Array | None = None, prior: Array | None = None
    ) -> Probabilities:
        """Take the probabilities of the cells of ballots: (cells,)."""
        from scipy.sparse import csr_array

        given = csr_array((cells, ballots.cell_label, ballots.starts), shape=(ballots.items, ballots.labels))
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
        starts, row = self.given.indptr[:-1], np.repeat(np.arange(self.shape[0]), np.diff(self.given.indptr))
        top = np.maximum.reduceat(self.given.data, starts)
        near = (self.given.data >= top[row] * (1.0 - TIE)) & (self.given.data > 0)
        several = np.add.reduceat(near.astype(np.int64), starts)
        label = np.where(several == 1, np.add.reduceat(np.where(near, self.given.indices, 0), starts), -1)
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
        cells = slice(self.given.indptr[item], self.given.indptr[item + 1])
        whole[self.given.indices[cells]] = self.given.data[cells]
        return whole

    def equal(self, item: int) -> list[int]:
        """Return the labels of an item that are as probable as any."""
        whole = self.row(item)
        top = whole.max()
        return np.flatnonzero(whole >= top * (1.0 - TIE)).tolist() if top > 0 else []

    def dense(self) -> Array:
        """Return the whole table, (items, labels): rows add up to 1, and are NaN where nothing is known."""
        items, labels = self.shape
        if items * labels > DENSE_CELLS:
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
        row = np.repeat(np.arange(items), np.diff(self.given.indptr))
        whole[row, self.given.indices] = self.given.data
        whole[~(self.best().probability > 0)] = np.nan
        return whole
