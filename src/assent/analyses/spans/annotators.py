"""Annotators who mark spans: how far each agrees with the others, and how they differ. Described, nobody is judged."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from assent.analyses.by_kind import answers
from assent.analyses.spans.differences import ERRORS, Differences, class_share, differences, mean_known
from assent.data import Spans
from assent.data.held_spans import HeldSpans
from assent.documents.blocks import Block, Column, Document, Table, coefficient, count, name, notes, share, table_of
from assent.documents.result import Result
from assent.limits import ANNOTATORS_LISTED, LABELS_OF_AN_ANNOTATOR
from assent.profiles import Array
from assent.records import Record, plain
from assent.text import counted, percent, shown, value

__all__ = ["SpanAnnotator", "SpanAnnotators", "span_annotators"]

#: Fewer spans than this say little about whether someone cuts them long or short, or what they miss.
FEW_SPANS = 10


class SpanAnnotator(Record, frozen=True, kw_only=True):
    """One annotator, compared with the others on the documents they share.

    Parameters
    ----------
    n_documents, n_spans : int
        Judged, and marked there.
    f1 : float
        Exact, in the mean over the other annotators; NaN if none marked anything.
    classes : mapping of str to int
        How often each of `ERRORS` occurs when each of their spans is compared with each other annotator.
    longer, shorter : int
        Of the spans that have other ends than another's, those that cover more, and those that cover less.
    length : float
        Median length of their spans; NaN if there are none.
    silent, silent_alone : int
        Documents in which they marked nothing; and those of them in which another did.
    missed, missable : int
        Comparisons of the others' spans with this annotator: those that this annotator has nothing for, and all.
    missed_labels : mapping of str to tuple of two int
        The same by label, the most missed first.
    """

    annotator: str
    n_documents: int
    n_spans: int
    f1: float
    classes: Mapping[str, int]
    longer: int
    shorter: int
    length: float
    silent: int
    silent_alone: int
    missed: int
    missable: int
    missed_labels: Mapping[str, tuple[int, int]]

    @property
    def missed_share(self) -> float:
        """Share of the others' spans that this annotator has nothing for."""
        return self.missed / self.missable if self.missable else math.nan

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            **super().to_dict(),
            "missed_share": plain(self.missed_share),
            "missed_labels": [
                {"label": label, "missed": missed, "of": of} for label, (missed, of) in self.missed_labels.items()
            ],
        }


class SpanAnnotators(Result, frozen=True, kw_only=True, eq=False):
    """The annotators, the one who agrees least with the others first."""

    annotators: tuple[SpanAnnotator, ...]
    differences: Differences
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return all annotators as plain values."""
        return {
            "annotators": plain(self.annotators),
            "overall": plain(self.differences.f1),
            "notes": list(self.notes),
        }

    def table(self) -> Table:
        """Return how far each annotator agrees with the others, and how they mark."""
        left = len(self.annotators) - ANNOTATORS_LISTED
        return table_of(
            "span-annotators",
            "Mean exact F1 with the others, lowest first",
            self.annotators[:ANNOTATORS_LISTED],
            [
                (Column("annotator", "name"), lambda one: name(one.annotator)),
                (Column("F1"), lambda one: coefficient(one.f1)),
                (Column("documents"), lambda one: count(one.n_documents)),
                (Column("silent", meaning="Documents in which they marked nothing."), lambda one: count(one.silent)),
                (Column("spans"), lambda one: count(one.n_spans)),
                (
                    Column("missed", meaning="Share of the others' spans that they have nothing for."),
                    lambda one: share(one.missed_share),
                ),
                (Column("longer", meaning="Spans that cover more than another's."), lambda one: count(one.longer)),
                (Column("shorter", meaning="Spans that cover less."), lambda one: count(one.shorter)),
            ],
            more=f"{left:,} more annotators are in the JSON." if left > 0 else "",
        )

    def classes_table(self) -> Table:
        """Return what becomes of each annotator's spans."""
        heads = {"identical": "same", "label": "other label", "boundary": "other ends", "both": "both", "only": "alone"}
        return table_of(
            "span-annotator-classes",
            "What becomes of their spans, compared with the others",
            self.annotators[:ANNOTATORS_LISTED],
            [
                (Column("annotator", "name"), lambda one: name(one.annotator)),
                *((Column(heads[kind]), partial(class_share, kind)) for kind in ERRORS),
            ],
        )

    @property
    def takeaway(self) -> str:
        """Say who agrees least with the others."""
        first = self.annotators[0]
        return f"{shown(first.annotator)} agrees least with the others: mean F1 {value(first.f1)}."

    def blocks(self) -> list[Block]:
        """Return both tables, and what must be known to read them."""
        return [self.table(), self.classes_table(), *notes(self.notes)]

    def document(self) -> Document:
        """Return both tables."""
        return Document("Annotators", self.blocks())


@answers("annotators", "spans")
def span_annotators(data: Spans | HeldSpans) -> SpanAnnotators:
    """Return how far each annotator's spans agree with those of the others, and how they differ.

    Examples
    --------
    >>> rows = [("d", "ada", 0, 4, "A"), ("d", "ben", 0, 4, "A"), ("d", "ada", 5, 9, "A"), ("d", "ben", 5, 12, "A")]
    >>> first = span_annotators(Spans.from_rows(rows)).annotators[0]
    >>> first.annotator, first.f1, first.longer, first.shorter
    ('ada', 0.5, 0, 1)
    """
    found = differences(data)
    here, people = found.data, len(found.data.annotators)
    classes = found.counts(here.annotator, people).tolist()
    one, two, sums = found.pairs
    with np.errstate(invalid="ignore"):
        pair_f1 = sums[:, 0] / sums.sum(1)
    longer, shorter = _sizes(found)
    missed, missable = _missed(found)
    spans = np.bincount(here.document * people + here.annotator, minlength=len(here.documents) * people)
    document, who = here.judged.T
    quiet = spans[document * people + who] == 0
    any_there = np.bincount(here.document, minlength=len(here.documents)) > 0
    judged, silent, alone = (
        np.bincount(who[rows], minlength=people)
        for rows in (np.ones(len(who), dtype=bool), quiet, quiet & any_there[document])
    )
    rows = []
    for at, annotator in enumerate(here.annotators):
        if not judged[at]:
            continue
        mine = here.annotator == at
        order = np.lexsort((-missable[at], -missed[at]))[:LABELS_OF_AN_ANNOTATOR]
        rows.append(
            SpanAnnotator(
                annotator=annotator,
                n_documents=int(judged[at]),
                n_spans=int(mine.sum()),
                f1=mean_known(pair_f1[(one == at) | (two == at)]),
                classes=dict(zip(ERRORS, classes[at], strict=True)),
                longer=int(longer[at]),
                shorter=int(shorter[at]),
                length=float(np.median(_lengths(here)[mine])) if mine.any() else math.nan,
                silent=int(silent[at]),
                silent_alone=int(alone[at]),
                missed=int(missed[at].sum()),
                missable=int(missable[at].sum()),
                missed_labels={
                    here.labels[label]: (int(missed[at, label]), int(missable[at, label]))
                    for label in order.tolist()
                    if missed[at, label]
                },
            )
        )
    rows.sort(key=lambda one: (math.isnan(one.f1), one.f1, one.annotator))
    return SpanAnnotators(annotators=tuple(rows), differences=found, notes=tuple(_notes(rows)))


def _lengths(data: Spans) -> Array:
    """Return how much each span covers: (spans,)."""
    span, begin, end = data.parts
    return np.bincount(span, weights=end - begin, minlength=len(data.start))


def _sizes(found: Differences) -> tuple[Array, Array]:
    """Return of how many spans with other ends each annotator covers more, and less: (annotators,) each."""
    pairs, who, people = found.aligned, found.data.annotator, len(found.data.annotators)
    near = pairs.kind >= 2
    one, two = pairs.first[near], pairs.second[near]
    more = _lengths(found.data)[one] - _lengths(found.data)[two]
    wins = np.where(more > 0, who[one], who[two])[more != 0]
    loses = np.where(more > 0, who[two], who[one])[more != 0]
    return np.bincount(wins, minlength=people), np.bincount(loses, minlength=people)


def _missed(found: Differences) -> tuple[Array, Array]:
    """Return how many spans of others each annotator has nothing for, and how many there are: (annotators, labels) each."""
    from scipy.sparse import csr_array

    data = found.data
    people, labels, documents = len(data.annotators), max(1, len(data.labels)), len(data.documents)
    judged = csr_array((np.ones(len(data.judged)), (data.judged[:, 1], data.judged[:, 0])), shape=(people, documents))
    marked = csr_array((np.ones(len(data.label)), (data.document, data.label)), shape=(documents, labels))
    own = np.bincount(data.annotator * labels + data.label, minlength=people * labels).reshape(people, labels)
    others = np.asarray((judged @ marked).todense()) - own
    pairs = found.aligned
    met = sum(
        np.bincount(data.annotator[mine] * labels + data.label[theirs], minlength=people * labels)
        for mine, theirs in ((pairs.first, pairs.second), (pairs.second, pairs.first))
    )
    return others - np.reshape(met, (people, labels)), others


def _notes(rows: list[SpanAnnotator]) -> list[str]:
    """Say in words how annotators differ from the others."""
    said = []
    for one in rows[:ANNOTATORS_LISTED]:
        uneven = one.longer + one.shorter
        if uneven >= FEW_SPANS and max(one.longer, one.shorter) >= 2 * min(one.longer, one.shorter):
            way = "longer" if one.longer > one.shorter else "shorter"
            many = max(one.longer, one.shorter)
            said.append(
                f"{shown(one.annotator)} cuts {way} than the others: {many:,} of {uneven:,} spans whose ends differ."
            )
        if one.silent_alone and 2 * one.silent_alone >= one.n_documents:
            where = f"{one.silent_alone:,} of {counted(one.n_documents, 'document')}"
            said.append(f"{shown(one.annotator)} marked nothing in {where} in which others did.")
        if one.missable >= FEW_SPANS and one.missed_share >= 0.5:
            label = next(iter(one.missed_labels))
            said.append(
                f"{shown(one.annotator)} has nothing for {percent(one.missed_share)} of what the others marked, most often {shown(label)}."
            )
    said.append("This says how annotators differ, not who is right.")
    return said
