"""What changed between two data sets on the same items: the shares of labels, the majorities, and single items."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from assent.analyses.estimates import Quantity, mean_quantity
from assent.data import Annotations, Dataset
from assent.data.long_rows import LongRows
from assent.engines import Rows
from assent.limits import CHANGES_LISTED, LABELS_COMPARED
from assent.measures.results import Interval
from assent.profiles import Array
from assent.records import Record, Struct, plain

__all__ = ["Changes", "ItemChange", "LabelChange", "Transition", "changes_between"]


class LabelChange(Struct, frozen=True, kw_only=True, eq=False):
    """How much more or less a label is given; each shared item counts once.

    Parameters
    ----------
    first, second : float
        Mean share of the label in an item.
    change : Quantity
        Second less first.
    """

    label: str
    first: float
    second: float
    change: Quantity

    def to_dict(self) -> dict[str, Any]:
        """Return the change as plain values."""
        held = self.change.to_dict()
        return {
            "label": self.label,
            "first": self.first,
            "second": self.second,
            "difference": held["value"],
            "ci": held["ci"],
        }


class Transition(Record, frozen=True, kw_only=True):
    """Items whose most frequent label became another."""

    first: str
    second: str
    n_items: int


class ItemChange(Record, frozen=True, kw_only=True):
    """An item whose labels changed.

    Parameters
    ----------
    distance : float
        Share of the labels that would have to be others: 0 if they are shared out alike, 1 if none is the same.
    first, second : mapping of str to int
        How many gave each label.
    """

    item: str
    distance: float
    first: Mapping[str, int]
    second: Mapping[str, int]


class Changes(Struct, frozen=True, kw_only=True, eq=False):
    """What changed on the items that both data sets hold.

    Parameters
    ----------
    n_shared, n_changed : int
        Items that both hold, and those whose labels are shared out otherwise.
    n_majority : int
        Items that have one most frequent label in both; `transitions` are about these.
    labels : tuple of LabelChange
        The largest change first.
    transitions : tuple of Transition
        The most frequent first.
    items : tuple of ItemChange
        The largest change first.
    """

    n_shared: int
    n_changed: int
    n_majority: int
    labels: tuple[LabelChange, ...]
    transitions: tuple[Transition, ...]
    items: tuple[ItemChange, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "shared_items": self.n_shared,
            "changed_items": self.n_changed,
            "items_with_a_majority": self.n_majority,
            "labels": plain(self.labels),
            "transitions": plain(self.transitions),
            "items": plain(self.items),
        }


def changes_between(first: Dataset, second: Dataset, *, level: float, ci: str) -> Changes | None:
    """Return what changed on shared items; None if there are none, or the kind of data has no list of changes."""
    found = _CHANGES.get(first.kind) if first.kind == second.kind else None
    return None if found is None else found(first, second, level=level, ci=ci)


def _of_labels(first: Annotations, second: Annotations, *, level: float, ci: str) -> Changes | None:
    """Return what changed on shared items; None if there are none, or their names are not known."""
    from scipy.sparse import csr_array

    if "table" in (first.layout, second.layout) or first.annotators is None or second.annotators is None:
        return None
    rows = [one.to_rows() for one in (first, second)]
    place = {name: at for at, name in enumerate(rows[0].items)}
    shared = [(place[name], at) for at, name in enumerate(rows[1].items) if name in place]
    if not shared:
        return None
    labels = tuple(dict.fromkeys([*rows[0].labels, *rows[1].labels]))
    here, there = (np.array(some) for some in zip(*shared, strict=True))
    sides = [_counts(rows[0], labels)[here], _counts(rows[1], labels)[there]]
    shares = [csr_array(one.multiply(1.0 / np.asarray(one.sum(axis=1)).reshape(-1, 1))) for one in sides]
    moved = csr_array(shares[1] - shares[0])
    distance = np.round(np.asarray(abs(moved).sum(axis=1)).ravel() / 2.0, 12)
    names = [rows[0].items[at] for at in here]
    order = np.lexsort((np.arange(len(names)), -distance))
    listed = [at for at in order[:CHANGES_LISTED] if distance[at] > 0]
    top = [_top(one) for one in sides]
    settled = np.flatnonzero((top[0] >= 0) & (top[1] >= 0))
    pairs, times = np.unique(top[0][settled] * len(labels) + top[1][settled], return_counts=True)
    crossed = [
        (int(pair) // len(labels), int(pair) % len(labels), int(n)) for pair, n in zip(pairs, times, strict=True)
    ]
    return Changes(
        n_shared=len(names),
        n_changed=int(np.count_nonzero(distance)),
        n_majority=len(settled),
        labels=_label_changes(labels, shares, _clusters(first, here), first.unit, level=level, ci=ci),
        transitions=tuple(
            Transition(first=labels[a], second=labels[b], n_items=n)
            for a, b, n in sorted(crossed, key=lambda one: -one[2])
            if a != b
        )[:CHANGES_LISTED],
        items=tuple(
            ItemChange(
                item=names[at],
                distance=float(distance[at]),
                first=_named(sides[0], at, labels),
                second=_named(sides[1], at, labels),
            )
            for at in listed
        ),
    )


#: What changed, by the kind of data.
_CHANGES: dict[str, Callable[..., Changes | None]] = {"labels": _of_labels}


def _counts(rows: LongRows, labels: Sequence[str]) -> Any:
    """Return how often each item has each label: sparse (items, labels)."""
    from scipy.sparse import csr_array

    place = np.array([labels.index(name) for name in rows.labels])
    cells = (np.ones(len(rows.item)), (rows.item, place[rows.label]))
    made = csr_array(cells, shape=(len(rows.items), len(labels)))
    made.sum_duplicates()
    return made


def _top(counts: Any) -> Array:
    """Return the most frequent label of each item; -1 where two are as frequent."""
    found = np.full(counts.shape[0], -1, dtype=np.int64)
    row = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    order = np.lexsort((-counts.data, row))
    start = counts.indptr[:-1]
    best, held = counts.data[order], counts.indices[order]
    second = np.minimum(start + 1, len(best) - 1)
    tied = (np.diff(counts.indptr) > 1) & (best[second] == best[start])
    found[~tied] = held[start][~tied]
    return found


def _named(counts: Any, at: int, labels: Sequence[str]) -> dict[str, int]:
    cells = slice(counts.indptr[at], counts.indptr[at + 1])
    pairs = sorted(zip(counts.indices[cells], counts.data[cells], strict=True), key=lambda one: (-one[1], one[0]))
    return {labels[int(label)]: int(times) for label, times in pairs}


def _clusters(data: Annotations, items: Array) -> Array | None:
    """Return the unit of resampling of each shared item; None if these are the items."""
    if not isinstance(data._source, Rows) or not data._source.clustered:
        return None
    _, item, _, _, cluster = data._source.listed_with_clusters(data._source_labels, data.annotators or ())
    assert cluster is not None
    return np.asarray(cluster[np.unique(item, return_index=True)[1]][items].astype(str))


def _label_changes(
    labels: Sequence[str], shares: Sequence[Any], cluster: Array | None, unit: str, *, level: float, ci: str
) -> tuple[LabelChange, ...]:
    """Return the labels by how much their share changed, with intervals over items."""
    means = [np.asarray(one.mean(axis=0)).ravel() for one in shares]
    order = np.argsort(-np.abs(means[1] - means[0]), kind="stable")[:LABELS_COMPARED]
    ones = np.ones(shares[0].shape[0])
    made = []
    for at in order:
        moved = np.asarray((shares[1][:, [at]] - shares[0][:, [at]]).toarray()).ravel()

        one = mean_quantity(moved, ones, cluster, unit, bounded=False)

        def sure(estimate: Any) -> Interval | None:
            return None if ci == "none" else estimate.confidence_interval(level, method="analytic")

        made.append(
            LabelChange(label=labels[at], first=float(means[0][at]), second=float(means[1][at]), change=one.sure(sure))
        )
    return tuple(one for one in made if not math.isnan(one.change.value))
