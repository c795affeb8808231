"""All about the labels: how often each is given and agreed on, which are confused, and which may be one and the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from assent.analyses.by_kind import answer
from assent.analyses.findings.symmetry import confusion
from assent.analyses.labels.confusions import Coincidences, DisputedPair, column, comparable, disputed_pairs, of_counts
from assent.analyses.labels.merges import Merges, label_merges
from assent.analyses.labels.spellings import Alike, similar_labels
from assent.analyses.measure.steps import compared_as_names
from assent.data import Annotations, as_annotations
from assent.data.relabel import against_rest
from assent.documents import Document, Result
from assent.errors import OptionError, choose
from assent.inference.pseudo import padded_counts
from assent.inference.sample import Sample
from assent.limits import INTERVAL_METHODS, LABELS_IN_MATRIX, MEASURED_LABELS, MERGES_WITH_INTERVAL
from assent.measures import find
from assent.measures.results import DEFAULT_METHOD, Agreement, Estimate, Interval, Share
from assent.profiles import Array, Counts, Weighting
from assent.records import Struct, plain
from assent.scales import SCALES
from assent.text import counted

if TYPE_CHECKING:
    from assent.analyses.spans.labels import SpanLabels

__all__ = ["LabelRow", "LabelSummary", "labels"]

#: A label given less often than this can hardly be known.
RARE = 10


class LabelRow(Struct, frozen=True, kw_only=True):
    """One label.

    Parameters
    ----------
    n_annotations : int
        How often it was given.
    share : float
        Its prevalence: that as a share of all annotations.
    n_items : int
        Items that have it.
    agreement : Agreement or None
        The coefficient of this label against all others taken as one; None if it was not worked out.
    specific : float
        Where one annotation of an item has the label, the share of the other annotations that have it too; NaN if none of its
        items has another annotation.
    confused_with : str or None
        The label that stands beside it most often where annotators disagree.
    confused_share : float or None
        The share of its disagreement that is with that one.
    """

    label: str
    n_annotations: int
    share: float
    n_items: int
    agreement: Agreement | None
    interval: Interval | None
    specific: float
    specific_interval: Interval | None
    confused_with: str | None
    confused_share: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the label as plain values."""
        of_label = None if self.agreement is None else self.agreement.to_dict(self.interval)
        return {
            "label": self.label,
            "annotations": self.n_annotations,
            "share": self.share,
            "items": self.n_items,
            "value": None if of_label is None else of_label["value"],
            "ci": None if of_label is None else of_label["ci"],
            "specific_agreement": plain(self.specific),
            "specific_ci": plain(self.specific_interval),
            "confused_with": self.confused_with,
            "confused_share": self.confused_share,
            "notes": [] if of_label is None else of_label["notes"],
        }


class LabelSummary(Result, frozen=True, kw_only=True, eq=False):
    """All about the labels of some data.

    Parameters
    ----------
    data : Annotations
        What it is about, the labels in their order.
    overall : Agreement
        The coefficient of all labels together.
    interval : Interval or None
    rows : tuple of LabelRow
        One a label, in the order of the labels.
    coincidences : Coincidences
    pairs : tuple of (DisputedPair, Interval or None)
        Labels that annotators disagree between, the largest share of all disagreement first.
    merges : Merges or None
        What merging two labels would do; None on a scale of numbers.
    annotators : tuple of two str, or None
        Whose confusion matrix it is.
    confusion : array (labels, labels) or None
        How often the first of the two gave one label (rows) and the second another (columns).
    unused, rare : tuple of str
        Labels nobody gave, and those given fewer than ten times.
    alike : tuple of Alike
        Labels that may be one label spelled in two ways.
    notes : tuple of str
    """

    data: Annotations
    overall: Agreement
    interval: Interval | None
    rows: tuple[LabelRow, ...]
    coincidences: Coincidences
    pairs: tuple[tuple[DisputedPair, Interval | None], ...]
    merges: Merges | None
    annotators: tuple[str, str] | None
    confusion: Array | None
    unused: tuple[str, ...]
    rare: tuple[str, ...]
    alike: tuple[Alike, ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, in the shape the command line prints as JSON."""
        names = list(self.coincidences.labels)
        shown = len(names) <= LABELS_IN_MATRIX
        confused = None
        if self.annotators is not None and self.confusion is not None and shown:
            first, second = self.annotators
            confused = {"first": first, "second": second, "labels": names, "matrix": self.confusion.tolist()}
        return {
            "data": self.data.to_dict(),
            "overall": self.overall.to_dict(self.interval),
            "labels": plain(self.rows),
            "disputed": [pair.to_dict(interval) for pair, interval in self.pairs],
            "merges": plain(self.merges),
            "coincidences": {"labels": names, "matrix": self.coincidences.matrix().tolist()} if shown else None,
            "confusion": confused,
            "unused": list(self.unused),
            "rare": list(self.rare),
            "alike": plain(self.alike),
            "notes": list(self.notes),
        }

    def document(self) -> Document:
        """Return the labels one by one and two by two, what merging them would do, and what may be one label."""
        from assent.analyses.labels.document import document_of

        return document_of(self)


def labels(
    data: Any,
    *,
    measure: str = "krippendorff-alpha",
    scale: str | None = None,
    order: Sequence[str] | None = None,
    between: Sequence[str] | None = None,
    top: int = 10,
    ci: str | None = DEFAULT_METHOD,
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
) -> LabelSummary | SpanLabels:
    """Say of every label how often it is given and how far annotators agree on it, and which are confused, spelt alike or could be merged.

    Parameters
    ----------
    data : Annotations, or whatever they can be made from
    measure : str
        Name of a coefficient for nominal labels.
    scale : {"nominal", "ordinal", "interval", "ratio"}, optional
        Of the overall coefficient and of merges. A label against the rest is always nominal.
    order : sequence of str, optional
        The labels in the order to show them, from lowest to highest; labels that nobody used may be among them.
    between : sequence of two str, optional
        The annotators whose confusion matrix is wanted; the two there are, if there are two.
    top : int
        At most so many disputed pairs and merges.
    ci : {"etel", "analytic", "jackknife", "bootstrap", "none"} or None
        How intervals are made.
    level : float
        Confidence level.
    replicates, seed : int
        Of the bootstrap.

    Examples
    --------
    >>> import assent
    >>> table = [["a", "a"], ["a", "b"], ["b", "a"], ["b", "b"], ["c", "c"]]
    >>> found = assent.labels(table)
    >>> [(row.label, row.n_annotations, round(row.agreement.value, 2), row.specific) for row in found.rows]
    [('a', 4, 0.25, 0.5), ('b', 4, 0.25, 0.5), ('c', 2, 1.0, 1.0)]
    """
    other = answer("labels", data, always=False)
    if other is not None:
        return other  # type: ignore[return-value]
    data = as_annotations(data)
    if order is not None:
        data = data.ordered(order)
    named_scale = scale is not None
    scale = choose("scale", scale or "nominal", SCALES)
    method = None if ci is None or choose("ci", ci, (*INTERVAL_METHODS, "none")) == "none" else ci
    if top < 0:
        raise OptionError(f"The number of pairs to show is {top}; it must not be negative.")
    if between is not None and len(between) != 2:
        raise OptionError("`between` takes two annotators, as in `between` ana,ben.")
    ways: dict[str, Any] = {"replicates": replicates, "seed": seed} if method == "bootstrap" else {}
    wanted = find(measure)
    items = comparable(data)
    found = of_counts(items)

    def certainty(estimate: Estimate) -> Interval | None:
        return None if method is None else estimate.confidence_interval(level, method=method, **ways)

    overall = wanted(data, scale=scale)
    totals = np.asarray(data._counts.multiplicities @ data._counts.counts).ravel().astype(np.int64)
    measured = np.flatnonzero(totals)
    measured = measured[np.argsort(-totals[measured], kind="stable")][:MEASURED_LABELS]
    by_label = dict(zip(measured.tolist(), map(wanted, against_rest(data, measured)), strict=True))
    merges = None
    if scale in ("nominal", "ordinal"):
        merges = label_merges(
            data,
            measure=measure,
            scale=scale,
            most=top,
            intervals=0 if method is None else MERGES_WITH_INTERVAL,
            confidence_level=level,
            method=method or DEFAULT_METHOD,
            **ways,
        )
    who = None if between is None else (between[0], between[1])
    if who is None and data.annotators is not None and len(data.annotators) == 2:
        who = (data.annotators[0], data.annotators[1])
    unused = tuple(data.labels[int(i)] for i in np.flatnonzero(totals == 0))
    rare = tuple(data.labels[int(i)] for i in np.flatnonzero((totals > 0) & (totals < RARE)))
    return LabelSummary(
        data=data,
        overall=overall,
        interval=certainty(overall),
        rows=_rows(data, found, totals, by_label, certainty),
        coincidences=found,
        pairs=tuple((pair, certainty(pair)) for pair in disputed_pairs(data, most=top)),
        merges=merges,
        annotators=who,
        confusion=None if who is None or len(data.labels) > LABELS_IN_MATRIX else confusion(data, *who),
        unused=unused,
        rare=rare,
        alike=similar_labels(dict(zip(data.labels, totals.tolist(), strict=True))),
        notes=(
            *(() if named_scale else compared_as_names(data, overall)),
            *_notes(data, found, scale, unused, rare),
        ),
    )


def _rows(
    data: Annotations,
    found: Coincidences,
    totals: Array,
    by_label: dict[int, Agreement],
    certainty: Callable[[Estimate], Interval | None],
) -> tuple[LabelRow, ...]:
    counts = data._counts
    given = counts.counts > 0
    with_label = np.asarray(counts.multiplicities @ given).ravel().astype(np.int64)
    partner, partner_share = _partners(found)
    specific = found.specific_agreement
    rows = []
    for i, label in enumerate(data.labels):
        agreement = by_label.get(i)
        compared = None if agreement is None or not found.totals[i] else _specific(agreement.data, float(specific[i]))
        rows.append(
            LabelRow(
                label=label,
                n_annotations=int(totals[i]),
                share=float(totals[i] / totals.sum()),
                n_items=int(with_label[i]),
                agreement=agreement,
                interval=None if agreement is None else certainty(agreement),
                specific=float(specific[i]),
                specific_interval=None if compared is None else certainty(compared),
                confused_with=None if partner[i] < 0 else data.labels[int(partner[i])],
                confused_share=None if partner[i] < 0 else float(partner_share[i]),
            )
        )
    return tuple(rows)


def _specific(data: Annotations, value: float) -> Share:
    """Return the specific agreement on a label as a statistic of items, in annotations of that label against the rest."""
    items = data._comparable_counts
    carrying = (column(items, 0) > 0).astype(np.float64)
    return Share(
        value=value,
        sample=Sample(_specific_of(items), items.multiplicities, items.units, carrying),
        unit=data.unit,
        padded=lambda: padded_counts(items, _specific_of),
    )


def _specific_of(items: Counts) -> Callable[[Weighting], Array]:
    own = column(items, 0)
    agreed = own * (own - 1.0) / (items.sizes - 1.0)

    def statistic(weighting: Weighting) -> Array:
        # A replicate without the label has no agreement on it: 0 / 0, which is NaN.
        with np.errstate(invalid="ignore"):
            return np.asarray(weighting.total(agreed) / weighting.total(own))

    return statistic


def _partners(found: Coincidences) -> tuple[Array, Array]:
    """Return the label that each is confused with most, -1 if with none, and the share of its disagreement: (labels,) each."""
    mine = np.concatenate([found.first, found.second])
    theirs = np.concatenate([found.second, found.first])
    together = np.concatenate([found.together, found.together])
    order = np.lexsort((theirs, -np.round(together, 9), mine))
    labels, first = np.unique(mine[order], return_index=True)
    partner, share = np.full(len(found.labels), -1), np.full(len(found.labels), np.nan)
    partner[labels] = theirs[order][first]
    all_of_it = np.bincount(mine, weights=together, minlength=len(found.labels))
    share[labels] = together[order][first] / all_of_it[labels]
    return partner, share


def _notes(
    data: Annotations, found: Coincidences, scale: str, unused: Sequence[str], rare: Sequence[str]
) -> tuple[str, ...]:
    """Say what a reader of the summary must know."""
    notes = []
    single = data._counts.n_items - data._counts.pairable_items
    if single:
        notes.append(
            f"The shares of labels also count {counted(single, 'item')} with one annotation, which agreement leaves out."
        )
    in_use = len(data.labels) - len(unused)
    if in_use > MEASURED_LABELS:
        notes.append(
            f"The {MEASURED_LABELS} most frequent of {in_use:,} labels have a coefficient of their own; the others have none."
        )
    if len(data.labels) > LABELS_IN_MATRIX:
        notes.append(
            f"Matrices are listed for up to {LABELS_IN_MATRIX} labels, and there are {len(data.labels):,}: see disputed pairs."
        )
    if not found.disagreement:
        notes.append("No two annotations of an item differ: no label is confused with another.")
    if rare:
        given = counted(len(rare), "label was", "labels were")
        which = "it" if len(rare) == 1 else "them"
        notes.append(f"{given} given fewer than {RARE} times: little can be known about agreement on {which}.")
    if scale != "nominal":
        notes.append("Agreement on a label is that of this label against all others, near or far.")
    if scale in ("interval", "ratio"):
        notes.append("On a scale of numbers labels are not merged but rounded, so merges are not worked out.")
    return tuple(notes)
