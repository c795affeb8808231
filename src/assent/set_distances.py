"""How near two sets of labels are: Jaccard, MASI, and F1.

All of them compare every two of the distinct sets that occur and give a matrix of agreement weights, 1 for sets that are the
same and 0 for sets that have nothing in common. Two empty sets are the same.
"""

from __future__ import annotations

import numpy as np

from assent.profiles import Array

__all__ = ["jaccard", "masi", "shared"]


def jaccard(members: Array) -> Array:
    """Return the share of labels common to both sets among those in either.

    Parameters
    ----------
    members : array (sets, labels) of bool
        Which labels each set holds.

    Returns
    -------
    array (sets, sets)

    Examples
    --------
    {A, B} and {A, B, C}:

    >>> jaccard(np.array([[True, True, False], [True, True, True]])).round(3)
    array([[1.   , 0.667],
           [0.667, 1.   ]])
    """
    common, sizes = _common(members)
    return _share(common, sizes, common)


def masi(members: Array) -> Array:
    """Return Passonneau's measure of agreement on set-valued items: Jaccard's share times monotonicity.

    Monotonicity is 1 for sets that are the same, 2/3 if one holds the other, 1/3 if each has labels of its own beside common
    ones, 0 if there are none.

    Parameters
    ----------
    members : array (sets, labels) of bool
        Which labels each set holds.

    Returns
    -------
    array (sets, sets)

    Notes
    -----
    Thirds are exact. NLTK rounded them to 0.67 and 0.33 until its issue 3361; its older values differ in the third digit.

    References
    ----------
    Passonneau, R. (2006). Measuring agreement on set-valued items (MASI) for semantic and pragmatic annotation.
    LREC 2006. https://aclanthology.org/L06-1392

    Examples
    --------
    {A, B} and {A, B, C}: 2/3 of 2/3.

    >>> masi(np.array([[True, True, False], [True, True, True]])).round(3)
    array([[1.   , 0.444],
           [0.444, 1.   ]])
    """
    common, sizes = _common(members)
    # How many of the two sets hold nothing but common labels, and one more: thirds of monotonicity.
    thirds = 1.0 + (common == sizes) + (common == sizes[:, None])
    return _share(common * thirds / 3.0, sizes, common)


def shared(members: Array) -> Array:
    """Return F1 of every two sets: labels in common as a share of the mean number of labels of the two.

    Parameters
    ----------
    members : array (sets, labels) of bool
        Which labels each set holds.

    Returns
    -------
    array (sets, sets)

    Examples
    --------
    {A, B} and {A, B, C}: 2 of 2.5.

    >>> shared(np.array([[True, True, False], [True, True, True]]))
    array([[1. , 0.8],
           [0.8, 1. ]])
    """
    common, sizes = _common(members)
    both = sizes[:, None] + sizes
    return np.where(both == 0, 1.0, 2.0 * common / np.where(both == 0, 1.0, both))


def _common(members: Array) -> tuple[Array, Array]:
    """Return how many labels each two sets have in common, and how many each has."""
    inside = np.asarray(members, dtype=np.float64)
    return inside @ inside.T, inside.sum(axis=1)


def _share(part: Array, sizes: Array, common: Array) -> Array:
    """Divide by the number of labels in either set; two empty sets agree fully."""
    either = sizes[:, None] + sizes - common
    return np.where(either == 0, 1.0, part / np.where(either == 0, 1.0, either))
