"""The labels: which are agreed on, which are confused, and which merges are worth a thought."""

from __future__ import annotations

from typing import Any

import numpy as np

from assent.analyses.labels.spellings import similar_labels
from assent.analyses.labels.summary import LabelRow, LabelSummary, label_summary
from assent.measures import krippendorff_alpha
from assent.measures.results import plain
from assent.reports.context import ReportContext, attempt

__all__ = ["labels_section"]

#: Labels in the matrix, the most frequent ones.
MOST_IN_MATRIX = 25
#: Labels with a row of their own, the most frequent ones.
MOST_ROWS = 100
#: Disputed pairs and merges.
MOST_PAIRS = 10


def labels_section(ground: ReportContext) -> dict[str, Any]:
    """Return agreement label by label, the pairs that are confused, and what merging them would do."""
    if ground.data.sets is not None:
        return _of_sets(ground)
    settings = ground.settings
    found = label_summary(
        ground.data, scale=settings.scale, most=MOST_PAIRS, confidence_level=settings.level, interval="analytic"
    )
    rows = sorted(found.rows, key=lambda row: -row.annotations)
    merges = [] if found.merges is None else [one.to_dict() for one in found.merges.merges[:MOST_PAIRS]]
    notes = [*found.notes, *(found.merges.notes if found.merges is not None else ())]
    if len(rows) > MOST_ROWS:
        notes.append(f"The {MOST_ROWS} most frequent of {len(rows):,} labels are listed.")
    return {
        "matrix": _matrix(found),
        "by_label": [_row(row) for row in rows[:MOST_ROWS]],
        "disputed": [_flat(pair.to_dict(interval)) for pair, interval in found.pairs],
        "merges": merges,
        "path": None if found.merges is None or found.merges.path is None else [s.to_dict() for s in found.merges.path],
        "spellings": [one.to_dict() for one in found.alike],
        "unused": list(found.unused),
        "measure": found.overall.measure,
        "title": found.overall.title,
        "overall": found.overall.to_dict(found.interval)["value"],
        "notes": list(dict.fromkeys(notes)),
    }


def _row(row: LabelRow) -> dict[str, Any]:
    """Return what is known of a label, with what its coefficient is made of."""
    agreement = row.agreement
    return {
        **_flat(row.to_dict()),
        "observed": None if agreement is None else plain(agreement.observed),
        "expected": None if agreement is None else plain(agreement.expected),
    }


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Give the interval of a row as two numbers beside it."""
    ends = row["ci"] or {"low": None, "high": None}
    return {**row, "low": ends["low"], "high": ends["high"]}


def _matrix(found: LabelSummary) -> dict[str, Any] | None:
    """Return the confusion of two annotators, or the coincidences of more, for the most frequent labels in their order."""
    often = np.argsort(-found.coincidences.totals, kind="stable")[:MOST_IN_MATRIX]
    kept = np.sort(often)
    labels = [found.coincidences.labels[i] for i in kept.tolist()]
    if found.annotators is not None and found.confusion is not None:
        first, second = found.annotators
        cells, totals = found.confusion[np.ix_(kept, kept)], found.confusion.sum(axis=1)
        named = {"kind": "confusion", "rows": first, "columns": second}
    else:
        cells, totals = found.coincidences.sparse()[kept][:, kept].toarray(), found.coincidences.totals
        named = {
            "kind": "coincidence",
            "rows": "label of one annotation",
            "columns": "label of another annotation of the same item",
        }
    # What a row adds up to with the labels that are not shown, so that a share of it is one of all annotations.
    return {"labels": labels, "counts": cells.tolist(), "totals": totals[kept].tolist(), **named}


def _of_sets(ground: ReportContext) -> dict[str, Any]:
    """Return agreement on each single label of sets: given or not."""
    data, level = ground.data.without_ranks(), ground.settings.level
    assert data.sets is not None
    times = np.asarray(data.counts.multiplicities @ data.counts.counts).ravel() @ data.sets.membership
    order = np.argsort(-times, kind="stable")
    rows = []
    for i in order[:MOST_ROWS].tolist():
        label = data.single_labels[i]
        row = {"label": label, "annotations": int(times[i]), "share": float(times[i] / data.annotations)}
        measured = attempt(lambda label=label: krippendorff_alpha(data.binarize(label))) if times[i] else None  # type: ignore[misc]
        known = None if measured is None else measured.to_dict(measured.confidence_interval(level))
        ends = (known and known["ci"]) or {"low": None, "high": None}
        row |= {"value": known and known["value"], "low": ends["low"], "high": ends["high"]}
        row |= {"observed": known and known["observed"], "expected": known and known["expected"]}
        row["notes"] = known["notes"] if known else []
        rows.append(row)
    used = {label: int(times[i]) for i, label in enumerate(data.single_labels)}
    notes = ["Agreement on a label is whether it was given or not, whatever else was given beside it."]
    if len(order) > MOST_ROWS:
        notes.append(f"The {MOST_ROWS} most frequent of {len(order):,} labels are listed.")
    return {
        "matrix": None,
        "by_label": rows,
        "disputed": [],
        "merges": [],
        "path": None,
        "spellings": [one.to_dict() for one in similar_labels(used)],
        "unused": [label for label, number in used.items() if not number],
        "measure": "krippendorff-alpha",
        "title": "Krippendorff's alpha",
        "overall": None,
        "notes": notes,
    }
