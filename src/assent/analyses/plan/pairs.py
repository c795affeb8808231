"""Two annotations of an item: what all items together say about them, and how a measure looks at them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from assent.data import Annotations
from assent.data.count_source import CountSource
from assent.measures.results import Agreement
from assent.profiles import Array, Counts, scale_rows
from assent.records import Struct

__all__ = ["PairTable", "kernel"]

#: Stands for infinitely many items: a small-sample correction is beyond the digits of a float.
WHOLE = 1e12


class PairTable(Struct, frozen=True, eq=False):
    """How probable each pair of labels is for two annotations of an item.

    Parameters
    ----------
    chances : array (labels, labels)
        Symmetric; adds up to 1.
    """

    chances: Array

    @classmethod
    def observed(cls, items: Counts) -> PairTable:
        """Count all pairs of annotations within items; every item counts the same."""
        weights = items.multiplicities * items.pairable / items.pairs
        together = scale_rows(items.counts, weights).T @ items.counts
        dense = together if isinstance(together, np.ndarray) else together.toarray()
        pairs = dense - np.diag(np.asarray(weights @ items.counts).ravel())
        return cls(pairs / pairs.sum())

    @classmethod
    def assumed(cls, shares: Sequence[float], kappa: float) -> PairTable:
        """Take two annotations that are the same one with probability `kappa` and else are drawn from the shares."""
        share = np.asarray(shares, dtype=np.float64)
        return cls(kappa * np.diag(share) + (1.0 - kappa) * np.outer(share, share))

    @property
    def shares(self) -> Array:
        """Share of each label: (labels,)."""
        return np.asarray(self.chances.sum(axis=1))

    def annotations(self, like: Annotations | None = None) -> Annotations:
        """Return a huge data set of two annotators with these pairs, in the labels of another data set."""
        count = len(self.chances)
        ratings = np.indices((count, count)).reshape(2, -1).T
        rows = np.arange(len(ratings))
        counts = np.zeros((len(ratings), count), dtype=np.int64)
        for column in ratings.T:
            np.add.at(counts, (rows, column), 1)
        items = np.rint(WHOLE * self.chances.ravel()).astype(np.int64)
        source = CountSource(counts, items, ratings)
        if like is None:
            names = tuple(str(i + 1) for i in range(count))
            return Annotations(labels=names, annotators=("1", "2"), n_annotations=int(2 * items.sum()), _source=source)
        return replace(
            like,
            annotators=("1", "2"),
            n_annotations=int(2 * items.sum()),
            unit="items",
            _source=source,
            _written=None,
            _grouping=None,
        )


def kernel(whole: Agreement) -> Array:
    """Return the influence of an item with two annotations on a measure of all items, by its labels: (labels, labels).

    `whole` is the measure of a `PairTable`'s annotations. The influence of an item with more annotations is the mean over its
    pairs: observed agreement is such a mean, and the shares of labels, which chance comes from, are too.
    """
    counts = np.asarray(whole.profiles.counts)
    values, times = whole.sample.influences
    first = (counts > 0).argmax(axis=1)
    second = counts.shape[1] - 1 - (counts[:, ::-1] > 0).argmax(axis=1)
    table = np.zeros((counts.shape[1],) * 2)
    table[first, second] = table[second, first] = values * times.sum()
    return table
