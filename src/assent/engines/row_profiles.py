"""Who gave which label, of a crowd whose rows are here: hardly two items are alike, so they are listed and compared, not counted."""

from __future__ import annotations

import numpy as np

from assent.engines.profiling import DIGIT_COLUMNS, PackedCounts
from assent.limits import MOST_COLLAPSED
from assent.profiles import Array, distinct_rows

__all__ = ["MOST_COLLAPSED", "listed_profiles"]


def listed_profiles(
    item: Array, annotator: Array, label: Array, *, items: int, annotators: int, labels: int
) -> tuple[Array, Array, Array, Array]:
    """Collapse listed annotations to who gave which label: the same profiles in the same order as an engine makes.

    Parameters
    ----------
    item, annotator, label : array (annotations,)
        By position; no annotator has an item twice.
    items, annotators, labels : int
        How many there are.

    Returns
    -------
    profile, annotator, label : array (annotations of all profiles,)
    multiplicities : array (profiles,)

    Examples
    --------
    >>> import numpy as np
    >>> item, annotator, label = np.array([[0, 0, 1, 2, 2], [0, 1, 1, 1, 0], [0, 1, 1, 1, 0]])
    >>> found = listed_profiles(item, annotator, label, items=3, annotators=2, labels=2)
    >>> [part.tolist() for part in found]
    [[0, 1, 1], [1, 0, 1], [1, 0, 1], [1, 2]]
    """
    from scipy.sparse import csr_array

    width = annotators * labels
    within, ones = annotator * labels + label, np.ones(len(item), dtype=np.int64)
    if items * width < 2**63:
        # One number a row, in order: that is how a sparse matrix lays its rows out.
        cells = np.sort(item * width + within)
        starts = np.searchsorted(cells, np.arange(items + 1) * width)
        chosen = csr_array((ones, cells % width, starts), shape=(items, width))
    else:
        chosen = csr_array((ones, (item, within)), shape=(items, width))
    digits = PackedCounts(count=annotators, largest=labels)
    if digits.columns > DIGIT_COLUMNS:
        listed, kind = distinct_rows(chosen)
    else:
        # An engine sorts few annotators by the numbers that spell their labels.
        column, place = np.divmod(annotator, digits.per_column)
        spelled = np.zeros((items, digits.columns), dtype=np.int64)
        np.add.at(spelled, (item, column), (label + 1) << (digits.bits * place))
        kinds, kind = distinct_rows(spelled)
        shown = np.empty(len(kinds), dtype=np.int64)
        shown[kind] = np.arange(items)
        listed = chosen[shown]
    multiplicities = np.bincount(kind, minlength=listed.shape[0])
    listed = csr_array(listed)
    listed.sort_indices()
    profile = np.repeat(np.arange(listed.shape[0]), np.diff(listed.indptr))
    return profile, *np.divmod(listed.indices.astype(np.int64), labels), multiplicities
