"""What a method for a consensus gives: a label for every item, and how sure it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import field

from assent.analyses.consensus.gold import GoldComparison, GoldScore, score
from assent.analyses.consensus.probabilities import Probabilities
from assent.documents import Result
from assent.errors import OptionError
from assent.limits import TIED_LISTED
from assent.profiles import Array
from assent.records import cached_property
from assent.text import shown

if TYPE_CHECKING:
    from assent.data import Annotations
    from assent.documents import Document

__all__ = ["Consensus"]


class Consensus(Result, frozen=True, kw_only=True, eq=False, dict=True):
    """One label for every item, with how sure it is, and a probability for every label.

    Parameters
    ----------
    data : Annotations
        What it is the consensus of.
    method, title : str
        Name of the method, as on the command line and in a sentence.
    options : mapping
        Settings it ran with.
    items, labels : sequence of str
        Their names.
    annotators : tuple of str or None
        None if the table does not say who annotated.
    label : array (items,)
        Position of the label in `labels`; -1 if the item has none, because of a tie or because nothing is known.
    confidence : array (items,)
        Probability of the label, or of each of the tied ones; NaN if nothing is known. What it is the probability of depends on
        the method: for majority it is the share of the votes.
    tied : array (items,) of bool
        Several labels are equally probable.
    annotations, votes : array (items,)
        Annotations of the item, and those that hold its label.
    probabilities : Probabilities
        Of every label of every item; ``probabilities.dense()`` is a table.
    item_scores, annotator_scores, label_scores : mapping of str to array
        Further numbers, by what they are called; NaN where one is undefined.
    converged : bool or None
        None if the method does not iterate.
    iterations : int or None
    log_likelihood : float or None
        Of the annotations under the model; None if the method has no model.
    trace : tuple of float
        What was maximised, after each iteration: the log-likelihood unless the options change it.
    details : mapping
        Parameters of the model.
    notes : tuple of str
        What a reader must know.
    gold : GoldComparison or None
        How every method stands to known labels, if there are any.
    """

    data: Annotations
    method: str
    title: str
    options: Mapping[str, Any]
    items: Sequence[str]
    labels: tuple[str, ...]
    annotators: tuple[str, ...] | None
    label: Array
    confidence: Array
    tied: Array
    annotations: Array
    votes: Array
    probabilities: Probabilities
    item_scores: Mapping[str, Array] = field(default_factory=dict)
    annotator_scores: Mapping[str, Array] = field(default_factory=dict)
    label_scores: Mapping[str, Array] = field(default_factory=dict)
    converged: bool | None = None
    iterations: int | None = None
    log_likelihood: float | None = None
    trace: tuple[float, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    gold: GoldComparison | None = None

    @cached_property
    def decided(self) -> list[str | None]:
        """The label of each item by name; None if it has none."""
        names = np.array([*self.labels, None], dtype=object)
        return list(names[self.label])

    @property
    def n_undecided(self) -> int:
        """How many items have no label."""
        return int((self.label < 0).sum())

    @property
    def n_tied(self) -> int:
        """How many items are tied, whether or not one of the labels was drawn at random."""
        return int(self.tied.sum())

    @property
    def scores(self) -> tuple[GoldScore, ...]:
        """Every method against known labels, the most accurate first; empty if there are none."""
        return () if self.gold is None else self.gold.scores

    def tied_labels(self, item: int) -> list[str]:
        """Return the labels that are tied for the item at this position; none if there is no tie."""
        return [self.labels[i] for i in self.probabilities.equal(item)] if self.tied[item] else []

    def confusion(self, annotator: str) -> Array:
        """Return how probable each answer of an annotator is for each true label, by Dawid and Skene's model.

        Returns
        -------
        array (labels, labels)
            Row: the true label; NaN if nobody gave it to any item. Column: the label that the annotator gives.
        """
        if "error" not in self.details:
            raise OptionError(f"{self.title} estimates no confusion of labels: use dawid-skene.")
        names = self.annotators or ()
        if annotator not in names:
            raise OptionError(f"There is no annotator {shown(annotator)}.")
        mine = self.details["pair_annotator"] == names.index(annotator)
        used, error = self.details["pair_label"][mine], self.details["error"][mine].T
        whole = np.zeros((len(self.labels), len(self.labels)))
        # What smoothing leaves for labels that the annotator never gave is shared equally among them.
        whole += np.maximum(1.0 - error.sum(axis=1), 0.0)[:, None] / max(1, len(self.labels) - len(used))
        whole[:, used] = error
        return whole

    def score(self, gold: Mapping[str, str], *, level: float = 0.95) -> GoldScore:
        """Compare the labels with known ones.

        Parameters
        ----------
        gold : mapping of str to str
            True label by item. Items that the data do not have are counted and left out.
        level : float
            Confidence level of the interval.
        """
        return score(
            self.method,
            self.items,
            self.decided,
            self.labels,
            gold,
            level=level,
            confidence=self.confidence.tolist(),
        )

    def table(self, *, soft: bool = False, chosen: Array | None = None) -> dict[str, list[Any]]:
        """Return one row an item, as columns of plain values.

        Parameters
        ----------
        soft : bool
            Also a column for each label with its probability, called ``p_`` and the label.
        chosen : array of int, optional
            Positions of the items to be returned; all if not given.
        """
        which: Array | slice = slice(None) if chosen is None else chosen
        names = np.array([*self.labels, None], dtype=object)
        label, tied = self.label[which], self.tied[which]
        between: list[list[str] | None] = [None] * len(tied)
        places = np.flatnonzero(tied)
        for place, equal in zip(
            places.tolist(), self.probabilities.equal_of(places if chosen is None else chosen[places]), strict=True
        ):
            between[place] = [self.labels[i] for i in equal[:TIED_LISTED]] or None
        columns: dict[str, list[Any]] = {
            "item": list(self.items) if chosen is None else [self.items[i] for i in chosen.tolist()],
            "label": names[label].tolist(),
            "confidence": _plain(self.confidence[which]),
            "annotations": self.annotations[which].tolist(),
            "votes": _plain(np.where(label < 0, np.nan, self.votes[which]), whole=True),
            "tie": tied.tolist(),
            "tied": between,
            **{name: _plain(values[which]) for name, values in self.item_scores.items()},
        }
        if soft:
            dense = self.probabilities.dense()
            columns |= {f"p_{name}": _plain(dense[which, i]) for i, name in enumerate(self.labels)}
        return columns

    def label_rows(self) -> list[dict[str, Any]]:
        """Return how many items got each label, and what else is known of it, as plain values."""
        counts = np.bincount(self.label[self.label >= 0], minlength=len(self.labels))
        return _records({"label": list(self.labels), "items": counts.tolist(), **_plain_columns(self.label_scores)})

    def annotator_rows(self) -> list[dict[str, Any]] | None:
        """Return what is known of each annotator as plain values; None if the table does not say who annotated."""
        if self.annotators is None:
            return None
        return _records({"annotator": list(self.annotators), **_plain_columns(self.annotator_scores)})

    def item_rows(self, chosen: Array | None = None, *, soft: bool = False) -> list[dict[str, Any]]:
        """Return what is known of each item, or of those at the chosen positions, as plain values."""
        rows = _records(self.table(chosen=chosen))
        dense = self.probabilities.dense() if soft else None
        for place, row in enumerate(rows):
            values = None if dense is None else dense[place if chosen is None else chosen[place]].tolist()
            known = values is not None and values[0] == values[0]
            row["probabilities"] = dict(zip(self.labels, values or (), strict=True)) if known else None
        return rows

    def to_dict(self, *, soft: bool = False) -> dict[str, Any]:
        """Return everything as plain values, in the shape the command line prints as JSON.

        Parameters
        ----------
        soft : bool
            Also the probability of every label of every item.
        """
        found = {
            "method": self.method,
            "title": self.title,
            "options": dict(self.options),
            "converged": self.converged,
            "iterations": self.iterations,
            "log_likelihood": self.log_likelihood,
            "trace": list(self.trace),
            "decided": len(self.items) - self.n_undecided,
            "tied": self.n_tied,
            "items": self.item_rows(soft=soft),
            "annotators": self.annotator_rows(),
            "labels": self.label_rows(),
            "notes": list(self.notes),
            "gold": None if self.gold is None else self.gold.to_dict(),
        }
        return {"data": self.data.to_dict(), "consensus": found}

    def document(self) -> Document:
        """Return how it went, labels, annotators, the least certain items, and scores against known labels."""
        from assent.analyses.consensus.tables import document

        return document(self)


def _plain(values: Array, *, whole: bool = False) -> list[Any]:
    """Turn numbers into plain ones, NaN into None."""
    if values.dtype.kind in "biu":
        return list(values.tolist())
    known = ~np.isnan(values)
    if known.all():
        return list((values.astype(np.int64) if whole else values).tolist())
    found = np.where(known, values, 0)
    texts = (found.astype(np.int64) if whole else found).astype(object)
    texts[~known] = None
    return list(texts.tolist())


def _plain_columns(columns: Mapping[str, Array]) -> dict[str, list[Any]]:
    return {name: _plain(np.asarray(values)) for name, values in columns.items()}


def _records(columns: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Turn columns into rows."""
    names = list(columns)
    return [dict(zip(names, row, strict=True)) for row in zip(*columns.values(), strict=True)]
