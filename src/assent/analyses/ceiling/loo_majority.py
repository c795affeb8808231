"""Annotations that are left out one at a time, and the majority of the others that each is compared with.

Where the others are tied, the score is what a fair draw among the tied labels gives on average: exactly that, nothing is drawn. It
follows from the label counts of the item. Let t be the largest count of an item with n annotations. If two or more labels have it, leaving
one of their annotations out takes its label from the top, and any other label was never there: nobody scores. If one label has it
alone and j labels have t - 1, each of its t annotations meets a majority of 1 + j labels: the item scores t / (1 + j) hits of n.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from assent.profiles import Array, Matrix, Ratings
from assent.records import cached_property

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["LeftOut", "macro_f1_of", "scores_by_annotator"]


class LeftOut:
    """The most frequent labels of profiles, and what they mean for annotations that are left out.

    Parameters
    ----------
    counts : matrix (profiles, labels)
        With three or more annotations each.
    """

    def __init__(self, counts: Matrix) -> None:
        from scipy.sparse import csr_array

        self.counts = csr_array(counts).astype(np.float64)
        self.counts.eliminate_zeros()
        self.profile = np.repeat(np.arange(self.counts.shape[0]), np.diff(self.counts.indptr))
        self.sizes = np.asarray(self.counts.sum(axis=1)).ravel()
        self.largest = np.maximum.reduceat(self.counts.data, self.counts.indptr[:-1])
        #: Cells with the largest count, and those with one less.
        self.top = self.counts.data == self.largest[self.profile]
        self.next = self.counts.data == self.largest[self.profile] - 1.0
        profiles = len(self.sizes)
        #: How many labels have the largest count, and how many one less: (profiles,).
        self.tops = np.bincount(self.profile[self.top], minlength=profiles).astype(np.float64)
        self.nexts = np.bincount(self.profile[self.next], minlength=profiles).astype(np.float64)
        self.alone = self.tops == 1

    def cells(self, values: Array) -> csr_array[Any, tuple[int, int]]:
        """Return a matrix with other values in the cells that are not 0: (profiles, labels)."""
        from scipy.sparse import csr_array

        return csr_array((values, self.counts.indices, self.counts.indptr), shape=self.counts.shape)

    @cached_property
    def credit(self) -> Array:
        """What an annotation with the most frequent label scores if it is left out, any other scores 0: (profiles,)."""
        return np.where(self.alone, 1.0 / (1.0 + self.nexts), 0.0)

    @cached_property
    def hits(self) -> csr_array[Any, tuple[int, int]]:
        """Hits of all annotations of a profile, by label: (profiles, labels)."""
        return self.cells(np.where(self.top, (self.largest * self.credit)[self.profile], 0.0))

    @cached_property
    def truth(self) -> csr_array[Any, tuple[int, int]]:
        """How often the consensus of the others is each label, over all annotations of a profile: (profiles, labels)."""
        shared = self.largest * self.credit
        alone = np.where(self.top, (shared + self.sizes - self.largest)[self.profile], 0.0)
        alone = np.where(self.next, shared[self.profile], alone)
        several = np.where(self.top, (self.sizes / self.tops)[self.profile], 0.0)
        return self.cells(np.where(self.alone[self.profile], alone, several))

    @cached_property
    def tied(self) -> Array:
        """Annotations of a profile for which the others are tied: (profiles,)."""
        alone = np.where(self.nexts > 0, self.largest, 0.0)
        several = np.where(self.tops > 2, self.sizes, self.sizes - self.tops * self.largest)
        return np.where(self.alone, alone, several)


def macro_f1_of(hits: Array, both: Array) -> Array:
    """Return the mean of 2 x hits / (given by either) over the labels that somebody gave: (...,)."""
    given = np.real(both) > 0
    each = np.where(given, 2.0 * hits / np.where(given, both, 1.0), 0.0)
    number = given.sum(-1)
    return np.asarray(each.sum(-1) / np.where(number > 0, number, np.nan))


def scores_by_annotator(ratings: Ratings) -> tuple[Array, Array]:
    """Score annotators against the majority of the others.

    Parameters
    ----------
    ratings : Ratings
        With three or more annotations each.

    Returns
    -------
    hits : array (annotations of all profiles,)
        What each annotation scores, between 0 and 1.
    macro_f1 : array (annotators,)
        NaN for an annotator who was not scored.
    """
    tops = LeftOut(ratings.counts)
    width = len(ratings.labels)
    known = np.sort(tops.profile[tops.top] * width + tops.counts.indices[tops.top])
    own = ratings.profile * width + ratings.label
    top = known[np.minimum(np.searchsorted(known, own), len(known) - 1)] == own
    hits = np.where(top, tops.credit[ratings.profile], 0.0)
    return hits, _macro_f1_by_annotator(ratings, tops, top, hits)


def _macro_f1_by_annotator(ratings: Ratings, tops: LeftOut, top: Array, hits: Array) -> Array:
    """Return the macro F1 of each annotator: (annotators,); NaN for one who was not scored."""
    from scipy.sparse import csr_array

    shape = (len(ratings.annotators), len(ratings.labels))
    times = np.asarray(ratings.multiplicities, dtype=np.float64)[ratings.profile]
    place, who = ratings.profile, ratings.annotator

    def summed(values: Array, columns: Array, width: int) -> csr_array[Any, tuple[int, int]]:
        return csr_array((values, (who, columns)), shape=(shape[0], width))

    def among(kept: Array, number: Array) -> csr_array[Any, tuple[int, int]]:
        return tops.cells(np.where(kept, 1.0 / np.maximum(number, 1.0)[tops.profile], 0.0))

    given = summed(times, ratings.label, shape[1])
    right = summed(times * hits, ratings.label, shape[1])
    alone = tops.alone[place]
    profiles = len(tops.sizes)
    # The others' majority is all labels at the top; with the top label alone left out it is that and those one below;
    # with one of several left out, the rest of them.
    truth = summed(np.where(top, 0.0, times), place, profiles) @ among(tops.top, tops.tops)
    truth = truth + summed(np.where(top & alone, times, 0.0), place, profiles) @ among(
        tops.top | tops.next, 1.0 + tops.nexts
    )
    one_of = np.where(top & ~alone, times, 0.0)
    truth = truth + summed(one_of, place, profiles) @ among(tops.top, tops.tops - 1.0)
    truth = truth - summed(one_of / np.maximum(tops.tops - 1.0, 1.0)[place], ratings.label, shape[1])
    both = csr_array(given + truth)
    both.eliminate_zeros()
    number = np.diff(both.indptr).astype(np.float64)
    inverse = both.copy()
    inverse.data = 1.0 / inverse.data
    total = np.asarray(right.multiply(inverse).sum(axis=1)).ravel()
    return 2.0 * total / np.where(number > 0, number, np.nan)
