"""Every span against every other annotator who judged the document: what became of it, in counts that add up.

A span is compared with each other annotator once, and has one class in that comparison. So classes add up to comparisons, over
documents, annotators or labels alike, and the share that is identical is F1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from assent.data import Spans
from assent.data.held_spans import HeldSpans
from assent.documents.blocks import Cell, Column, Table, count, share, table_of, words
from assent.errors import NothingToCompare
from assent.matching import CLASSES, Aligned, align
from assent.measures._span_pairs import Compared, f1_of_same
from assent.profiles import Array
from assent.records import Struct, cached_property, plain
from assent.text import percent

__all__ = ["ERRORS", "MEANS", "STEPS", "Differences", "brought", "class_share", "differences", "mean_known"]

#: What becomes of a span compared with another annotator.
ERRORS = (*CLASSES, "only")
#: What each class is called in a table.
MEANS = {
    "identical": "identical",
    "label": "other label",
    "boundary": "other ends",
    "both": "other label and ends",
    "only": "not marked by the other",
}
#: Parts of marking a span, and which share of each class they cost.
STEPS: Mapping[str, Mapping[str, float]] = {
    "finding": {"only": 1.0},
    "cutting": {"boundary": 1.0, "both": 0.5},
    "naming": {"label": 1.0, "both": 0.5},
}
_ADVICE = {
    "finding": "Finding spans costs most: say in the guideline what is to be marked and what is not, with examples of both.",
    "cutting": "Cutting spans costs most: say in the guideline where a span begins and ends (determiners, punctuation, titles).",
    "naming": "Naming spans costs most: say in the guideline how the labels that are confused are told apart.",
}


def brought(data: Spans | HeldSpans) -> Spans:
    """Return spans that are here, of documents that two or more annotators judged."""
    here = (data.bring() if isinstance(data, HeldSpans) else data).comparable()
    if not len(here.documents):
        raise NothingToCompare(data._nothing_to_compare())
    return here


def class_share(kind: str, one: Any) -> Cell:
    """Return the share of a class among all comparisons of an annotator or a label."""
    total = sum(one.classes.values())
    return share(one.classes[kind] / total if total else math.nan)


def mean_known(values: Array) -> float:
    """Return the mean of the numbers that are not NaN; NaN if there is none."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")


class Differences(Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """Spans aligned between every two annotators.

    Parameters
    ----------
    data : Spans
        Documents that two or more annotators judged.
    of_spans : array (spans, 5)
        With how many other annotators each span is identical, differs in label, in ends, in both, or is missing.
    """

    data: Spans
    aligned: Aligned
    of_spans: Array

    def counts(self, by: Array, groups: int) -> Array:
        """Return how often each class occurs in each group of spans: (groups, 5)."""
        return np.stack([np.bincount(by, one, minlength=groups) for one in self.of_spans.T], 1).astype(np.int64)

    @cached_property
    def totals(self) -> dict[str, int]:
        """How often each class occurs."""
        return dict(zip(ERRORS, self.of_spans.sum(0).tolist(), strict=True))

    @cached_property
    def compared(self) -> Compared:
        """Every two annotators of every document."""
        return Compared.of(self.data)

    @cached_property
    def of_rows(self) -> Array:
        """Classes for every document and two annotators, from both sides: (rows, 5)."""
        found = self.aligned
        pairs = [
            2.0 * self.compared.added(found.first[found.kind == kind], found.second[found.kind == kind])
            for kind in range(len(CLASSES))
        ]
        marked = sum(self.compared.marked(self.data.document, self.data.annotator))
        return np.stack([*pairs, marked - sum(pairs)], 1)

    @cached_property
    def pairs(self) -> tuple[Array, Array, Array]:
        """Every two annotators who share a document: codes of both (pairs,), and classes from both sides (pairs, 5)."""
        people = len(self.data.annotators)
        known, at = np.unique(self.compared.first * people + self.compared.second, return_inverse=True)
        sums = np.stack([np.bincount(at.ravel(), one, minlength=len(known)) for one in self.of_rows.T], 1)
        return known // people, known % people, sums

    @cached_property
    def shares(self) -> dict[str, float]:
        """Share of each class in the mean over pairs of annotators; that of identical spans is F1, and they add up to 1."""
        sums = self.pairs[2]
        marked = sums.sum(1)
        if not marked.any():
            return dict.fromkeys(ERRORS, float("nan"))
        means = (sums[marked > 0] / marked[marked > 0, None]).mean(0)
        return dict(zip(ERRORS, means.tolist(), strict=True))

    @property
    def f1(self) -> float:
        """Exact F1, in the mean over pairs of annotators."""
        return self.shares["identical"]

    @cached_property
    def f1_of_documents(self) -> Array:
        """Exact F1 of each document by itself, in the mean over its pairs of annotators: (documents,)."""
        rows, number = self.of_rows, len(self.data.documents)
        marked = rows.sum(1)
        value = f1_of_same(rows[:, 0] / 2.0, marked, np.zeros(len(marked)))
        known = ~np.isnan(value)
        many = np.bincount(self.compared.document[known], minlength=number)
        total = np.bincount(self.compared.document[known], value[known], minlength=number)
        return np.where(many > 0, total / np.maximum(many, 1), np.nan)

    @cached_property
    def costs(self) -> dict[str, float]:
        """What finding, cutting and naming cost: they add up to 1 - F1; spans that differ in both are shared by the last two."""
        return {step: sum(self.shares[one] * part for one, part in of.items()) for step, of in STEPS.items()}

    @property
    def costliest(self) -> str | None:
        """What costs most; None if nothing does."""
        step = max(self.costs, key=lambda one: (np.nan_to_num(self.costs[one]), one))
        return step if self.costs[step] > 0 else None

    def step(self) -> str:
        """Say what to do about what costs most; empty if annotators agree on every span."""
        return "" if self.costliest is None else _ADVICE[self.costliest]

    def advice(self) -> str:
        """Say what costs most, and what to do about it; empty if annotators agree on every span."""
        if self.costliest is None:
            return ""
        cost = sum(self.costs.values())
        parts = sorted(self.costs.items(), key=lambda one: -one[1])
        said = ", ".join(f"{step} {percent(part / cost)}" for step, part in parts)
        return f"{self.step()} Of what F1 lacks, {said}."

    def table(self) -> Table:
        """Return the table of classes."""
        return table_of(
            "span-differences",
            "What becomes of a span when it is compared with another annotator",
            ERRORS,
            [
                (Column("the span is", "words"), lambda one: words(MEANS[one])),
                (Column("comparisons"), lambda one: count(self.totals[one])),
                (
                    Column("share", meaning="Mean over pairs of annotators; that of identical spans is F1."),
                    lambda one: share(self.shares[one]),
                ),
            ],
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the classes as plain values."""
        return {
            "comparisons": sum(self.totals.values()),
            "classes": self.totals,
            "shares": {one: plain(part) for one, part in self.shares.items()},
            "f1": plain(self.f1),
            "costs": {one: plain(part) for one, part in self.costs.items()},
            "costliest": self.costliest,
            "pairs": self._pairs_to_dict(),
        }

    def _pairs_to_dict(self) -> list[dict[str, Any]]:
        """Return what becomes of the spans of every two annotators: pairs of spans by class, and spans of one of them alone."""
        first, second, sums = self.pairs
        people = len(self.data.annotators)
        codes = first * people + second
        at = np.searchsorted(codes, self.compared.first * people + self.compared.second)
        marked = [
            np.bincount(at, one, minlength=len(codes))
            for one in self.compared.marked(self.data.document, self.data.annotator)
        ]
        aligned = sums[:, : len(CLASSES)] / 2.0
        alone = [one - aligned.sum(1) for one in marked]
        return [
            {
                "first": self.data.annotators[one],
                "second": self.data.annotators[two],
                **{kind: int(many) for kind, many in zip(CLASSES, aligned[row], strict=True)},
                "only_first": int(alone[0][row]),
                "only_second": int(alone[1][row]),
            }
            for row, (one, two) in enumerate(zip(first.tolist(), second.tolist(), strict=True))
        ]


def differences(data: Spans | HeldSpans) -> Differences:
    """Align the spans of every two annotators.

    Examples
    --------
    >>> found = differences(
    ...     Spans.from_rows(
    ...         [
    ...             ("d", "ada", 0, 4, "PER"),
    ...             ("d", "ben", 0, 4, "PER"),
    ...             ("d", "ada", 9, 15, "LOC"),
    ...             ("d", "ben", 9, 12, "LOC"),
    ...             ("d", "ben", 20, 22, "ORG"),
    ...         ]
    ...     )
    ... )
    >>> found.totals
    {'identical': 2, 'label': 0, 'boundary': 2, 'both': 0, 'only': 1}
    >>> found.costs
    {'finding': 0.2, 'cutting': 0.4, 'naming': 0.0}
    """
    here = brought(data)
    found = align(here.document, here.annotator, here.start, here.end, here.label, parts=here.parts, shape=here.shape)
    count = len(here.start)
    kinds = [
        sum(np.bincount(side[found.kind == kind], minlength=count) for side in (found.first, found.second))
        for kind in range(len(CLASSES))
    ]
    alone = here.judges[here.document] - 1 - sum(kinds)
    return Differences(data=here, aligned=found, of_spans=np.stack([*kinds, alone], 1))
