"""Where two annotators differ: every span has at most one partner, and a class.

In stages, so that no order matters: spans that are identical; spans in the same place with another label, paired off in the order of
labels; of the rest, overlapping spans in the matching that has the greatest sum of [same label] + IoU (of several such, one with most
pairs, then most of the same label); what is left is one annotator's alone. So a first annotator's spans are those that are identical, differ in label, in boundary, in both, and those alone.
"""

from __future__ import annotations

import numpy as np

from assent.matching.one_to_one import heaviest
from assent.matching.overlapping import distinct, overlaps, pairs_within
from assent.profiles import Array
from assent.records import Struct

__all__ = ["CLASSES", "Aligned", "align"]

#: What a pair of aligned spans is; a span without a partner is "only" of its annotator.
CLASSES = ("identical", "label", "boundary", "both")


#: What decides between matchings of the same weight; sums of IoUs that differ, differ by more.
FOR_PAIRS, FOR_LABELS = 1e-9, 1e-11


class Aligned(Struct, frozen=True, kw_only=True, eq=False):
    """Pairs of spans by two annotators; the annotator of the first has the lower code. A span has one partner per other annotator.

    Parameters
    ----------
    first, second : array (pairs,)
        The spans.
    kind : array (pairs,)
        Place in `CLASSES`.
    """

    first: Array
    second: Array
    kind: Array


def align(
    document: Array,
    annotator: Array,
    start: Array,
    end: Array,
    label: Array,
    *,
    parts: tuple[Array, Array, Array] | None = None,
    shape: Array | None = None,
) -> Aligned:
    """Align the spans of every two annotators.

    Parameters
    ----------
    document, annotator, start, end, label : array (spans,)
        Codes and offsets, ordered by document, start, end (shape), label and annotator, without repeats.
    parts : three arrays (parts,), optional
        Which span, begin and end of each part, if some spans have several.
    shape : array (spans,), optional
        A number that spans with the same parts share.

    Examples
    --------
    >>> one = align(*np.array([[0, 0, 0], [1, 0, 0], [3, 3, 4], [6, 4, 6], [1, 0, 1]]))
    >>> one.first.tolist(), one.second.tolist(), [CLASSES[kind] for kind in one.kind]
    ([2], [0], ['boundary'])
    """
    count, people = len(start), int(annotator.max(initial=0)) + 1
    if parts is None:
        parts = (np.arange(count), start, end)
    columns = [document, start, end] + ([] if shape is None else [shape])
    new_place = _changes(columns)
    first, second = _oriented(*pairs_within(np.diff(np.append(np.flatnonzero(new_place), count))), annotator)
    same = label[first] == label[second]
    identical = first[same], second[same]
    taken = _Taken(people, annotator)
    taken.add(*identical)
    free = taken.free(first, second) & ~same
    place = np.cumsum(new_place) - 1
    labels = _in_order(first[free], second[free], place, annotator, people)
    taken.add(*labels)
    met = overlaps(document, annotator, parts)
    met = met.kept(taken.free(met.first, met.second))
    size = np.bincount(parts[0], weights=parts[2] - parts[1], minlength=count)
    iou = met.shared / (size[met.first] + size[met.second] - met.shared)
    match = label[met.first] == label[met.second]
    chosen = heaviest(*taken.sides(met.first, met.second), match + iou + FOR_PAIRS + FOR_LABELS * match)
    near = met.kept(chosen)
    kinds = np.concatenate([
        np.zeros(len(identical[0]), dtype=np.int64),
        np.ones(len(labels[0]), dtype=np.int64),
        np.where(match[chosen], 2, 3),
    ])  # fmt: skip
    return Aligned(
        first=np.concatenate([identical[0], labels[0], near.first]),
        second=np.concatenate([identical[1], labels[1], near.second]),
        kind=kinds,
    )


def _changes(columns: list[Array]) -> Array:
    """Tell the rows at which one of the columns changes."""
    changed = np.zeros(len(columns[0]), dtype=bool)
    changed[:1] = True
    for one in columns:
        changed[1:] |= one[1:] != one[:-1]
    return changed


def _oriented(one: Array, two: Array, annotator: Array) -> tuple[Array, Array]:
    """Return pairs of spans of different annotators, that of the lower code first."""
    apart = annotator[one] != annotator[two]
    one, two = one[apart], two[apart]
    swapped = annotator[one] > annotator[two]
    return np.where(swapped, two, one), np.where(swapped, one, two)


class _Taken:
    """Spans that have a partner already, for every other annotator."""

    def __init__(self, people: int, annotator: Array) -> None:
        self._people, self._annotator = people, annotator
        self._known: Array = np.empty(0, dtype=np.int64)

    def sides(self, first: Array, second: Array) -> tuple[Array, Array]:
        """Return each span together with the annotator it is compared with, as one number."""
        return (
            first * self._people + self._annotator[second],
            second * self._people + self._annotator[first],
        )

    def add(self, first: Array, second: Array) -> None:
        self._known = distinct(np.concatenate([self._known, *self.sides(first, second)]))

    def free(self, first: Array, second: Array) -> Array:
        free = np.ones(len(first), dtype=bool)
        for side in self.sides(first, second):
            place = np.minimum(np.searchsorted(self._known, side), max(0, len(self._known) - 1))
            free &= self._known[place] != side if len(self._known) else True
        return free


def _in_order(first: Array, second: Array, place: Array, annotator: Array, people: int) -> tuple[Array, Array]:
    """Pair off the spans of two annotators in one place: the first with the first, the second with the second."""
    pair = (place[first] * people + annotator[first]) * people + annotator[second]
    ranks = []
    for side in (first, second):
        # Rows stand in the order of labels.
        nodes, at = np.unique(np.stack([pair, side]), axis=1, return_inverse=True)
        begins = np.searchsorted(nodes[0], nodes[0])
        ranks.append((np.arange(nodes.shape[1]) - begins)[at.ravel()])
    equal = ranks[0] == ranks[1]
    return first[equal], second[equal]
