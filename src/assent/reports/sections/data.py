"""What the data are: how many, who annotated what, and which labels."""

from __future__ import annotations

from typing import Any

import numpy as np

from assent.data import Annotations
from assent.engines import Rows
from assent.profiles import Array
from assent.reports.context import ReportContext

__all__ = ["data_section"]

#: Annotators that are listed, busiest first.
MOST_LISTED = 50
#: Annotators and blocks of items in the picture of who annotated what.
MOST_COVERED, MOST_BLOCKS = 60, 60
#: Labels that are listed.
MOST_LABELS = 40
#: Annotators and labels in the picture of who gives which label.
MOST_ANNOTATORS, MOST_COMPARED = 30, 20


def data_section(ground: ReportContext) -> dict[str, Any]:
    """Return how many items, annotators, annotations and labels there are, and how they are spread."""
    data = ground.data
    counts = data.counts
    sizes, where = np.unique(counts.sizes.astype(np.int64), return_inverse=True)
    items = np.bincount(where, weights=counts.multiplicities).astype(np.int64)
    who = data.annotator_count
    given = _label_totals(ground)
    order = np.argsort(-given, kind="stable")
    listed = order[:MOST_LABELS]
    labels = data.single_labels
    return {
        **data.to_dict(),
        "notes": [*data.notes, *(ground.who.notes[-1:] if ground.who is not data else ())],
        "pairable_items": counts.pairable_items,
        "pairable_annotations": counts.pairable_annotations,
        "density": None if not who else data.annotations / (data.items * who),
        "annotations_per_item": data.annotations / data.items,
        "per_item": [{"annotations": int(n), "items": int(k)} for n, k in zip(sizes, items, strict=True)],
        "per_annotator": _per_annotator(ground),
        "coverage": _coverage(ground),
        "label_shares": [
            {"label": labels[i], "annotations": int(given[i]), "share": float(given[i] / data.annotations)}
            for i in listed.tolist()
        ],
        "labels_more": len(labels) - len(listed),
        "label_by_annotator": _label_by_annotator(ground, order),
        "unit": data.unit,
    }


def _label_totals(ground: ReportContext) -> Array:
    """Count the annotations with each single label: (labels,)."""
    counts, sets = ground.data.counts, ground.data.sets
    times = np.asarray(counts.multiplicities @ counts.counts).ravel()
    return np.asarray(times if sets is None else times @ sets.membership, dtype=np.int64)


def _work(data: Annotations) -> tuple[Array, Array]:
    """Return the annotations of each annotator, and the annotators by these, busiest first."""
    ratings = data.ratings
    times = ratings.multiplicities[ratings.profile]
    work = np.bincount(ratings.annotator, weights=times, minlength=len(ratings.annotators)).astype(np.int64)
    return work, np.argsort(-work, kind="stable")


def _per_annotator(ground: ReportContext) -> dict[str, Any]:
    if ground.data.annotators is None:
        return {"shown": [], "more": 0, "quantiles": None}
    names = ground.data.annotators
    if ground.who is ground.data:
        work, order = _work(ground.data)
    else:
        assert isinstance(ground.data.source, Rows)
        work = np.array([ground.data.source.survey.annotator_rows[name] for name in names])
        order = np.argsort(-work, kind="stable")
    return {
        "shown": [
            {"annotator": names[i], "annotations": int(work[i]), "share": float(work[i] / ground.data.annotations)}
            for i in order[:MOST_LISTED].tolist()
        ],
        "more": max(0, len(names) - MOST_LISTED),
        "quantiles": np.quantile(work, [0.0, 0.25, 0.5, 0.75, 1.0]).tolist(),
    }


def _coverage(ground: ReportContext) -> dict[str, Any] | None:
    """Return which share of each block of items each annotator labelled; items with the same annotators stand together."""
    if ground.who.annotators is None:
        return None
    ratings = ground.who.ratings
    _, order = _work(ground.who)
    shown = order[:MOST_COVERED]
    rank = np.full(len(order), -1)
    rank[shown] = np.arange(len(shown))
    here = np.flatnonzero(rank[ratings.annotator] >= 0)
    # Each kind of item spells who labelled it in bits, the busiest annotator first.
    place = (63 - rank[ratings.annotator[here]]).astype(np.uint64)
    bits = np.zeros(len(ratings.multiplicities), dtype=np.uint64)
    np.bitwise_or.at(bits, ratings.profile[here], np.left_shift(np.uint64(1), place))
    # Of all bits the busiest come first.
    teams, team = np.unique(~bits, return_inverse=True)
    ends = np.cumsum(np.bincount(team.ravel(), weights=ratings.multiplicities)).astype(np.int64)
    items = int(ends[-1])
    per_block = -(-items // MOST_BLOCKS)
    # A piece is what a team did of a block: it ends where one of them does.
    cuts = np.unique(np.concatenate([ends, np.arange(per_block, items, per_block)]))
    length = np.diff(cuts, prepend=0)
    block = (cuts - 1) // per_block
    did = ~teams[np.searchsorted(ends, cuts)]
    size = np.bincount(block, weights=length)
    shares = [
        np.bincount(block, weights=length * ((did >> np.uint64(63 - i)) & np.uint64(1))) / size
        for i in range(len(shown))
    ]
    return {
        "annotators": [ground.who.annotators[i] for i in shown.tolist()],
        "blocks": [one.tolist() for one in shares],
        "items_per_block": per_block,
        "more": len(order) - len(shown),
    }


def _label_by_annotator(ground: ReportContext, labels: Array) -> dict[str, Any] | None:
    """Return which share of each annotator's annotations has each label."""
    data = ground.who
    if data.annotators is None:
        return None
    ratings = data.ratings
    work, order = _work(data)
    who, what = order[:MOST_ANNOTATORS], labels[:MOST_COMPARED]
    width = len(data.labels)
    rank = np.full(len(order), -1)
    rank[who] = np.arange(len(who))
    here = np.flatnonzero(rank[ratings.annotator] >= 0)
    cells = rank[ratings.annotator[here]] * width + ratings.label[here]
    times = ratings.multiplicities[ratings.profile[here]]
    given = np.bincount(cells, weights=times, minlength=len(who) * width).reshape(len(who), width)
    if data.sets is not None:
        given = given @ data.sets.membership
    return {
        "annotators": [data.annotators[i] for i in who.tolist()],
        "labels": [data.single_labels[i] for i in what.tolist()],
        "shares": (given[:, what] / work[who][:, None]).tolist(),
    }
