"""Errors of a judge against a reference: the majority of the people, or known labels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from msgspec import field

from assent.analyses.consensus.gold import wilson_interval
from assent.analyses.judge.pairs import spread
from assent.analyses.judge.panel import Items
from assent.data import Annotations
from assent.limits import LABELS_IN_MATRIX
from assent.profiles import Array, Matrix, units_left
from assent.records import Record, Struct, plain

__all__ = [
    "LabelErrors",
    "ReferenceErrors",
    "ShareEstimate",
    "Truth",
    "errors_against",
    "truth_of_gold",
    "truth_of_majority",
]


class ShareEstimate(Struct, frozen=True, kw_only=True):
    """A share with its interval.

    Parameters
    ----------
    value : float
        NaN if there is nothing to take a share of.
    n : int
        Of how many items.
    """

    value: float
    n: int
    low: float = math.nan
    high: float = math.nan

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {"value": plain(self.value), "n": self.n, "ci": {"low": plain(self.low), "high": plain(self.high)}}


class LabelErrors(Struct, frozen=True, kw_only=True):
    """Errors of a judge about one label.

    Parameters
    ----------
    n_reference, n_judge : int
        Items with the label, by the reference and by the judge.
    recall : ShareEstimate
        Of the items with the label those that the judge finds: its sensitivity.
    specificity : ShareEstimate
        Of the items without the label those that the judge leaves without it.
    precision : ShareEstimate
        Of the items to which the judge gives the label those that have it.
    """

    label: str
    n_reference: int
    n_judge: int
    recall: ShareEstimate
    specificity: ShareEstimate
    precision: ShareEstimate
    f1: float

    def to_dict(self) -> dict[str, Any]:
        """Return them as plain values."""
        return {
            "label": self.label,
            "reference": self.n_reference,
            "judge": self.n_judge,
            "sensitivity": self.recall.to_dict(),
            "recall": self.recall.to_dict(),
            "specificity": self.specificity.to_dict(),
            "precision": self.precision.to_dict(),
            "f1": plain(self.f1),
        }


class ReferenceErrors(Record, frozen=True, kw_only=True, eq=False):
    """A judge against a reference.

    Parameters
    ----------
    reference : {"majority", "gold"}
    n_items : int
        Items with a label of the reference and of the judge.
    n_tied : int
        Items left out because the people are tied.
    confusion : array (labels, labels) or None
        Rows are the reference, columns the judge; None for more labels than a table holds.
    """

    reference: str
    n_items: int
    n_tied: int
    accuracy: ShareEstimate
    labels: tuple[str, ...]
    confusion: Array | None
    by_label: tuple[LabelErrors, ...] = ()
    notes: tuple[str, ...] = ()


class Truth(Struct, frozen=True, kw_only=True, eq=False):
    """What a judge is held against: (items,) each.

    Parameters
    ----------
    truth, judge : array (profiles,)
        Positions of labels; -1 where there is none.
    weights : array (profiles,)
    units : matrix (units, profiles), optional
    kind : {"majority", "gold"}
    alone : array
        The judge's labels of items that neither the reference nor a person labelled, one by one.
    """

    truth: Array
    judge: Array
    weights: Array
    units: Matrix | None = None
    labels: tuple[str, ...]
    kind: str
    n_tied: int = 0
    alone: Array = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    notes: tuple[str, ...] = ()

    def both(self) -> tuple[Array, Array, Array, Matrix | None]:
        """Return the profiles with both labels: reference, judge, how many items, units."""
        rows = np.flatnonzero((self.truth >= 0) & (self.judge >= 0))
        return self.truth[rows], self.judge[rows], self.weights[rows], units_left(self.units, rows)


def truth_of_majority(items: Items, labels: tuple[str, ...]) -> Truth:
    """Take the majority of the people as the truth; items on which they are tied have none."""
    tied = (items.sizes > 0) & (items.majority < 0) & (items.judge >= 0)
    alone = (items.sizes == 0) & (items.judge >= 0)
    return Truth(
        truth=items.majority,
        judge=items.judge,
        weights=items.weights,
        units=items.units,
        labels=labels,
        kind="majority",
        n_tied=int(items.weights[tied].sum()),
        alone=np.repeat(items.judge[alone], items.weights[alone]),
    )


def truth_of_gold(
    data: Annotations, judge: str, people: tuple[str, ...], gold: dict[str, str], labels: tuple[str, ...]
) -> Truth:
    """Take known labels as the truth, item by item.

    Parameters
    ----------
    labels : tuple of str
        Labels of the panel; verdicts with other labels count as missing.
    """
    listing = data.to_rows()
    assert listing.annotators is not None, "a judge has a name"
    every = (*labels, *sorted(set(gold.values()) - set(labels)))
    place = {label: i for i, label in enumerate(every)}
    known = np.array([place[gold[name]] if name in gold else -1 for name in listing.items], dtype=np.int64)
    verdict = np.full(len(listing.items), -1, dtype=np.int64)
    own = np.flatnonzero(listing.annotator == listing.annotators.index(judge))
    code = np.array([labels.index(label) if label in labels else -1 for label in listing.labels], dtype=np.int64)
    verdict[listing.item[own]] = code[listing.label[own]]
    asked = np.zeros(len(listing.items), dtype=bool)
    asked[listing.item[np.isin(listing.annotator, [listing.annotators.index(name) for name in people])]] = True  # type: ignore[arg-type]
    notes = []
    unknown = len(set(gold) - set(listing.items))
    if unknown:
        notes.append(f"{unknown:,} items with a known label are not among the data: left out.")
    if data.unit != "items":
        notes.append("Intervals of errors against known labels are over items, not clusters.")
    return Truth(
        truth=known,
        judge=verdict,
        weights=np.ones(len(known), dtype=np.int64),
        labels=every,
        kind="gold",
        alone=verdict[(verdict >= 0) & (known < 0) & ~asked],
        notes=tuple(notes),
    )


def errors_against(found: Truth, *, level: float) -> ReferenceErrors | None:
    """Return the errors of a judge; None if no item has a label of the reference and of the judge."""
    truth, judge, weights, units = found.both()
    if not len(truth):
        return None
    right = _share(truth == judge, np.ones(len(truth), dtype=bool), weights, units, level)
    few = len(found.labels) <= LABELS_IN_MATRIX
    cells = len(found.labels)
    table = np.bincount(truth * cells + judge, weights=weights, minlength=cells * cells) if few else None
    by_label = []
    for label in np.union1d(truth, judge) if few else ():
        real, given = truth == label, judge == label
        recall = _share(given, real, weights, units, level)
        precision = _share(real, given, weights, units, level)
        hits = float(weights @ (real & given))
        by_label.append(
            LabelErrors(
                label=found.labels[label],
                n_reference=recall.n,
                n_judge=precision.n,
                recall=recall,
                specificity=_share(~given, ~real, weights, units, level),
                precision=precision,
                f1=2.0 * hits / (recall.n + precision.n),
            )
        )
    return ReferenceErrors(
        reference=found.kind,
        n_items=right.n,
        n_tied=found.n_tied,
        accuracy=right,
        labels=found.labels,
        confusion=None if table is None else table.reshape(cells, cells).astype(np.int64),
        by_label=tuple(by_label),
        notes=found.notes,
    )


def _share(hit: Array, among: Array, weights: Array, units: Matrix | None, level: float) -> ShareEstimate:
    """Return a share of items with Wilson's interval; with clusters, of as many items as they are worth."""
    rows = np.flatnonzero(among)
    number = int(weights[rows].sum())
    if not number:
        return ShareEstimate(value=math.nan, n=0)
    value = float(weights[rows] @ hit[rows]) / number
    worth = float(number)
    clusters = units_left(units, rows)
    if clusters is not None and 0.0 < value < 1.0:
        error = float(spread((hit[rows] - value) / number, weights[rows], clusters))
        worth = value * (1.0 - value) / error**2 if error > 0.0 else worth
    low, high = wilson_interval(value * worth, worth, level)
    return ShareEstimate(value=value, n=number, low=low, high=high)
