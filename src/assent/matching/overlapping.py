"""Spans of different annotators that share a character."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from assent.limits import PARTS_AT_ONCE
from assent.profiles import Array
from assent.records import Struct

__all__ = ["Overlaps", "distinct", "laid_end_to_end", "overlaps", "pairs_within"]


class Overlaps(Struct, frozen=True, kw_only=True, eq=False):
    """Pairs of spans of two annotators that meet; the annotator of the first has the lower code.

    Parameters
    ----------
    first, second : array (pairs,)
        The spans.
    shared : array (pairs,)
        Characters that both cover.
    """

    first: Array
    second: Array
    shared: Array

    def kept(self, wanted: Array) -> Overlaps:
        """Return the pairs for which `wanted` is true."""
        return Overlaps(first=self.first[wanted], second=self.second[wanted], shared=self.shared[wanted])


def distinct(numbers: Array) -> Array:
    """Return the different numbers, in order; for millions of them sorting is faster than what numpy does."""
    ordered = np.sort(numbers)
    return ordered[np.append(True, ordered[1:] != ordered[:-1])] if len(ordered) else ordered


def pairs_within(sizes: Array) -> tuple[Array, Array]:
    """Return all pairs of rows that stand in the same run, the earlier row first: (pairs,) each.

    Examples
    --------
    >>> [one.tolist() for one in pairs_within(np.array([3, 1, 2]))]
    [[0, 0, 1, 4], [1, 2, 2, 5]]
    """
    ends = np.repeat(np.cumsum(sizes), sizes)
    rows = np.arange(len(ends))
    return _following(rows, ends - rows - 1)


def _following(rows: Array, counts: Array) -> tuple[Array, Array]:
    """Pair each row with as many rows after it as are said."""
    first = np.repeat(rows, counts)
    within = np.arange(len(first)) - np.repeat(np.cumsum(counts) - counts, counts)
    return first, first + 1 + within


def laid_end_to_end(document: Array, start: Array, end: Array) -> tuple[Array, Array]:
    """Return offsets on one line that holds all documents, so that nothing of two documents meets."""
    if not len(start):
        return start, end
    # A line may begin anywhere.
    least = int(start.min())
    start, end = start - least, end - least
    documents, far = int(document.max()) + 1, int(end.max()) + 1
    if documents * far >= 2**62:
        # Which spans meet depends on the order of their ends alone.
        places, ranks = np.unique(np.concatenate([start, end]), return_inverse=True)
        start, end, far = ranks[: len(start)], ranks[len(start) :], len(places) + 1
    return document * far + start, document * far + end


def overlaps(document: Array, annotator: Array, parts: tuple[Array, Array, Array]) -> Overlaps:
    """Find the spans of different annotators that share a character.

    Parameters
    ----------
    document, annotator : array (spans,)
    parts : three arrays (parts,)
        Which span, begin and end of every part of every span.
    """
    span, begin, end = parts
    from_, to = laid_end_to_end(document[span], begin, end)
    order = np.argsort(from_, kind="stable")
    span, begin, end, from_, to = (one[order] for one in (span, begin, end, from_, to))
    counts = np.searchsorted(from_, to) - np.arange(len(span)) - 1
    # A part of no length, or one that begins where another does, reaches nobody before itself.
    counts = np.maximum(counts, 0)
    found: list[tuple[Array, Array, Array]] = []
    bounds = np.searchsorted(np.cumsum(counts), np.arange(0, int(counts.sum()), PARTS_AT_ONCE), side="right")
    for low, high in pairwise([*bounds.tolist(), len(span)]):
        rows = np.arange(low, high)
        one, two = _following(rows, counts[low:high])
        apart = annotator[span[one]] != annotator[span[two]]
        one, two = one[apart], two[apart]
        found.append((span[one], span[two], np.minimum(end[one], end[two]) - begin[two]))
    if not found:
        none = np.empty(0, dtype=np.int64)
        return Overlaps(first=none, second=none, shared=none)
    one, two, shared = (np.concatenate(some) for some in zip(*found, strict=True))
    swapped = annotator[one] > annotator[two]
    first, second = np.where(swapped, two, one), np.where(swapped, one, two)
    if len(span) == len(document):
        return Overlaps(first=first, second=second, shared=shared)
    # Spans of several parts may meet in several places.
    pair, place = np.unique(first * len(document) + second, return_inverse=True)
    first, second = np.divmod(pair, len(document))
    return Overlaps(first=first, second=second, shared=np.bincount(place.ravel(), weights=shared).astype(np.int64))
