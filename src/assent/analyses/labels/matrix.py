"""Labels against labels as a table to show: the confusions of two annotators, or the coincidences of more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from assent.profiles import Array

if TYPE_CHECKING:
    from assent.analyses.labels.summary import LabelSummary
from assent.records import Record

__all__ = ["LabelMatrix", "coincidence_matrix", "confusion_matrix"]


class LabelMatrix(Record, frozen=True, kw_only=True, eq=False):
    """How often labels were given to the same items.

    Parameters
    ----------
    labels : tuple of str
        Those that are shown, in their order.
    counts : array (labels, labels)
    totals : array (labels,)
        What a row adds up to with the labels that are not shown, so that a share of it is one of all annotations.
    kind : {"confusion", "coincidence"}
        Of two annotators, or of all pairs of annotations.
    rows, columns : str
        What the rows and the columns are: the two annotators, or what stands there.
    """

    labels: tuple[str, ...]
    counts: Array
    totals: Array
    kind: Literal["confusion", "coincidence"]
    rows: str
    columns: str


def confusion_matrix(found: LabelSummary, most: int) -> LabelMatrix | None:
    """Return the confusions of two annotators for the most frequent labels; None if they are not known."""
    if found.annotators is None or found.confusion is None:
        return None
    first, second = found.annotators
    kept, labels = _frequent(found, most)
    return LabelMatrix(
        kind="confusion",
        rows=first,
        columns=second,
        labels=labels,
        counts=found.confusion[np.ix_(kept, kept)],
        totals=found.confusion.sum(axis=1)[kept],
    )


def coincidence_matrix(found: LabelSummary, most: int) -> LabelMatrix:
    """Return the coincidences of the most frequent labels."""
    kept, labels = _frequent(found, most)
    return LabelMatrix(
        kind="coincidence",
        rows="label of one annotation",
        columns="label of another annotation of the same item",
        labels=labels,
        counts=found.coincidences.sparse()[kept][:, kept].toarray(),
        totals=found.coincidences.totals[kept],
    )


def _frequent(found: LabelSummary, most: int) -> tuple[Array, tuple[str, ...]]:
    """Return the most frequent labels in their order: positions and names."""
    kept = np.sort(np.argsort(-found.coincidences.totals, kind="stable")[:most])
    return kept, tuple(found.coincidences.labels[i] for i in kept.tolist())
