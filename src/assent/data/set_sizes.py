"""How many labels the annotations hold, where they may hold several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from assent.profiles import Array, Matrix
from assent.records import Struct

if TYPE_CHECKING:
    from assent.data.annotations import Annotations

__all__ = ["SetShare", "multilabel", "of_single_labels", "set_shares"]


class SetShare(Struct, frozen=True, kw_only=True):
    """How many annotations of an annotator hold several labels.

    Parameters
    ----------
    annotations, several : int
        All of them, and those with two or more labels.
    share : float
        The latter of the former.
    mean_labels : float
        Labels per annotation.
    """

    annotator: str
    n_annotations: int
    several: int
    share: float
    mean_labels: float


def of_single_labels(data: Annotations, values: Matrix) -> Array:
    """Turn numbers of whole annotations into those of single labels; see `Annotations._of_single_labels`."""
    # Without sets nothing is multiplied: of many labels that would be a table of all pairs.
    if data._sets is None:
        return values if isinstance(values, np.ndarray) else np.asarray(values.toarray())
    return np.asarray(values @ data._sets.membership)


def set_shares(data: Annotations) -> tuple[SetShare, ...]:
    """Return for each annotator how many annotations hold several labels; nothing if there are no sets."""
    if data._sets is None or data.annotators is None:
        return ()
    ratings = data._ratings
    times = ratings.multiplicities[ratings.profile]
    size = data._sets.sizes[ratings.label]
    count = len(data.annotators)
    given, several, labels = (
        np.bincount(ratings.annotator, weights=times * wanted, minlength=count)
        for wanted in (np.ones(len(size)), size > 1, size)
    )
    return tuple(
        SetShare(
            annotator=name,
            n_annotations=int(given[i]),
            several=int(several[i]),
            share=float(several[i] / given[i]),
            mean_labels=float(labels[i] / given[i]),
        )
        for i, name in enumerate(data.annotators)
    )


def multilabel(data: Annotations) -> dict[str, Any] | None:
    """Return how many labels annotations hold, as plain values; None if they hold one each."""
    if data._sets is None:
        return None
    times = np.asarray(data._counts.multiplicities @ data._counts.counts).ravel()
    several, empty = (int(times[wanted].sum()) for wanted in (data._sets.sizes > 1, data._sets.sizes == 0))
    return {
        "sets": int(np.count_nonzero(times)),
        "ranked": data._sets.ranked,
        "several": several,
        "empty": empty,
        "mean_labels": float(times @ data._sets.sizes) / data.n_annotations,
        "by_annotator": [
            {"annotator": one.annotator, "annotations": one.n_annotations, "several": one.several, "share": one.share}
            for one in set_shares(data)
        ],
    }
