"""Labels of spans: how far annotators agree on each, and which are given to the same place."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from assent.analyses.by_kind import answers
from assent.analyses.spans.differences import ERRORS, Differences, class_share, differences
from assent.data import Spans
from assent.data.held_spans import HeldSpans
from assent.documents.blocks import (
    Block,
    Cell,
    Column,
    Document,
    Heading,
    Table,
    coefficient,
    count,
    crossed,
    joined,
    name,
    notes,
    table_of,
)
from assent.documents.result import Result
from assent.limits import LABELS_IN_MATRIX, LABELS_IN_REPORT_MATRIX, LABELS_LISTED, PAIRS_IN_REPORT
from assent.records import Record, plain
from assent.text import counted, shown, value

__all__ = ["ConfusedLabels", "SpanLabel", "SpanLabels", "span_labels"]


class SpanLabel(Record, frozen=True, kw_only=True):
    """One label.

    Parameters
    ----------
    n_spans, n_documents, n_annotators : int
        With it.
    f1 : float
        Exact, of the spans with this label, in the mean over pairs of annotators.
    classes : mapping of str to int
        How often each of `ERRORS` occurs when each of its spans is compared with each other annotator.
    """

    label: str
    n_spans: int
    n_documents: int
    n_annotators: int
    f1: float
    classes: Mapping[str, int]


class ConfusedLabels(Record, frozen=True, kw_only=True):
    """Two labels given to spans of two annotators that are aligned.

    Parameters
    ----------
    same_place : int
        Pairs of spans with the same ends.
    near : int
        Pairs of spans that overlap.
    """

    first: str
    second: str
    same_place: int
    near: int


class SpanLabels(Result, frozen=True, kw_only=True, eq=False):
    """The labels, the most frequent first, and which are confused.

    Parameters
    ----------
    confused : tuple of ConfusedLabels
        The most frequent confusion first.
    same_place : array (labels, labels) or None
        Pairs of spans with the same ends by their labels, each pair once: the label that comes first in `labels` is the row. None if
        there are too many labels.
    """

    labels: tuple[SpanLabel, ...]
    confused: tuple[ConfusedLabels, ...]
    same_place: Any
    differences: Differences
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return labels and confusions as plain values; the matrix of so many labels as can be read."""
        return {
            "labels": plain(self.labels),
            "confused": plain(self.confused),
            "same_place": None if self.same_place is None else self.same_place.tolist(),
            "overall": plain(self.differences.f1),
            "notes": list(self.notes),
        }

    def table(self) -> Table:
        """Return the table of the labels."""
        left = len(self.labels) - LABELS_LISTED
        heads = {"identical": "same", "label": "other label", "boundary": "other ends", "both": "both", "only": "alone"}
        return table_of(
            "span-labels",
            "Labels, the most frequent first",
            self.labels[:LABELS_LISTED],
            [
                (Column("label", "name"), lambda one: name(one.label)),
                (Column("F1"), lambda one: coefficient(one.f1)),
                (Column("spans"), lambda one: count(one.n_spans)),
                *((Column(heads[kind]), partial(class_share, kind)) for kind in ERRORS),
            ],
            more=f"{left:,} more labels are in the JSON." if left > 0 else "",
        )

    def confusions(self) -> list[Block]:
        """Return which labels are given to the same place: a matrix if there are few, and the pairs."""
        made: list[Block] = []
        if self.same_place is not None and 1 < len(self.labels) <= LABELS_IN_REPORT_MATRIX and self.same_place.any():
            heads = [name(one.label) for one in self.labels]
            # Each pair stands once, in the upper half.
            cells = [
                [count(many) if row <= column else Cell() for column, many in enumerate(line)]
                for row, line in enumerate(self.same_place.tolist())
            ]
            title = "Pairs of spans in the same place, by their two labels"
            made.append(Heading(title))
            made.append(
                crossed(table="same-place", caption=title, corner="label", rows=heads, columns=heads, cells=cells)
            )
        if self.confused:
            made.append(
                table_of(
                    "confused-labels",
                    "Labels that are given to the same span, the most frequent first",
                    self.confused[:PAIRS_IN_REPORT],
                    [
                        (Column("labels", "words"), lambda one: joined(one.first, "and", one.second)),
                        (Column("same place"), lambda one: count(one.same_place)),
                        (Column("overlapping"), lambda one: count(one.near)),
                    ],
                )
            )
        return made

    @property
    def takeaway(self) -> str:
        """Say which of several labels is agreed on least."""
        if len(self.labels) < 2:
            return ""
        last = min(self.labels, key=lambda one: (one.f1 != one.f1, one.f1))
        return f"{shown(last.label)} is agreed on least: F1 {value(last.f1)}."

    def blocks(self) -> list[Block]:
        """Return the labels, which are confused, and what must be known to read it."""
        return [self.table(), *self.confusions(), *notes(self.notes)]

    def document(self) -> Document:
        """Return the labels, and which are confused."""
        return Document("Labels", self.blocks())


@answers("labels", "spans")
def span_labels(data: Spans | HeldSpans) -> SpanLabels:
    """Return how far annotators agree on spans of each label, and which labels they give to the same place.

    Examples
    --------
    >>> rows = [("d", "ada", 0, 4, "A"), ("d", "ben", 0, 4, "A"), ("d", "ada", 5, 9, "A"), ("d", "ben", 5, 9, "B")]
    >>> found = span_labels(Spans.from_rows(rows))
    >>> [(one.label, one.n_spans, round(one.f1, 3)) for one in found.labels]
    [('A', 3, 0.667), ('B', 1, 0.0)]
    >>> found.confused[0].to_dict()
    {'first': 'A', 'second': 'B', 'same_place': 1, 'near': 0}
    """
    found = differences(data)
    here, number = found.data, len(found.data.labels)
    spans = np.bincount(here.label, minlength=number)
    order = np.argsort(-spans, kind="stable")
    place = np.argsort(order, kind="stable")
    classes = found.counts(here.label, number)
    documents, people = (_distinct(here.label, of, number) for of in (here.document, here.annotator))
    scores = _f1_of_labels(found)
    pairs, label = found.aligned, place[here.label]
    low, high = (way(label[pairs.first], label[pairs.second]) for way in (np.minimum, np.maximum))
    same, near = (_sparse(low[rows], high[rows], (number, number)) for rows in (pairs.kind <= 1, pairs.kind == 3))
    names = [here.labels[at] for at in order.tolist()]
    confused = [
        ConfusedLabels(first=names[a], second=names[b], same_place=int(same[a, b]), near=int(near[a, b]))
        for a, b in zip(*((same + near).nonzero()), strict=True)
        if a != b
    ]
    confused.sort(key=lambda one: (-one.same_place, -one.near, one.first, one.second))
    rows = tuple(
        SpanLabel(
            label=here.labels[at],
            n_spans=int(spans[at]),
            n_documents=int(documents[at]),
            n_annotators=int(people[at]),
            f1=float(scores[at]),
            classes=dict(zip(ERRORS, classes[at].tolist(), strict=True)),
        )
        for at in order.tolist()
    )
    return SpanLabels(
        labels=rows,
        confused=tuple(confused),
        same_place=same.toarray().astype(np.int64) if number <= LABELS_IN_MATRIX else None,
        differences=found,
        notes=_notes(found, rows, confused),
    )


def _distinct(label: Any, of: Any, number: int) -> Any:
    """Return how many different things there are of each label."""
    return np.bincount(np.unique(np.stack([label, of]), axis=1)[0], minlength=number)


def _f1_of_labels(found: Differences) -> Any:
    """Return exact F1 of each label, in the mean over pairs of annotators who gave it: (labels,)."""
    data, pairs = found.data, found.aligned
    people, number = len(data.annotators), len(data.labels)
    one, two, _ = found.pairs
    key = one * people + two
    exact = pairs.kind == 0
    first, second = pairs.first[exact], pairs.second[exact]
    pair = np.searchsorted(key, data.annotator[first] * people + data.annotator[second])
    matched = np.bincount(data.label[first] * len(key) + pair, minlength=number * len(key)).reshape(number, len(key))
    # What each of two annotators marked in the documents that both judged: pairs x judgements, judgements x labels.
    rows = found.compared
    judged = data.judged[:, 0] * people + data.judged[:, 1]
    row_pair = np.searchsorted(key, rows.first * people + rows.second)
    sides = [np.searchsorted(judged, rows.document * people + who) for who in (rows.first, rows.second)]
    at = np.searchsorted(judged, data.document * people + data.annotator)
    shared = _sparse(np.tile(row_pair, 2), np.concatenate(sides), (len(key), len(judged)))
    marked = (shared @ _sparse(at, data.label, (len(judged), number))).toarray().T
    some = marked > 0
    score = np.where(some, 2.0 * matched / np.where(some, marked, 1.0), 0.0)
    many = some.sum(1)
    return np.where(many > 0, score.sum(1) / np.maximum(many, 1), np.nan)


def _sparse(row: Any, column: Any, shape: tuple[int, int]) -> Any:
    """Count how often each cell is named."""
    from scipy.sparse import csr_array

    return csr_array((np.ones(len(row)), (row, column)), shape=shape)


def _notes(found: Differences, rows: tuple[SpanLabel, ...], confused: list[ConfusedLabels]) -> tuple[str, ...]:
    totals = found.totals
    places = (totals["identical"] + totals["label"]) // 2
    said = []
    if places:
        said.append(
            f"Of {counted(places, 'pair of spans', 'pairs of spans')} in the same place, {totals['label'] // 2:,} have different labels."
        )
    if confused:
        one = confused[0]
        said.append(f"Most often confused: {shown(one.first)} and {shown(one.second)}.")
    if len(rows) == 1:
        said.append("There is one label: annotators cannot differ in naming.")
    return tuple(said)
