"""Agreement of pairs of label sets, and what chance would make of it.

Two empty sets agree fully; an empty set and another one do not agree at all. The second annotator is the reference:
precision is the common share of the first one's labels, recall that of the second one's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import NamedTuple, TypeVar

import numpy as np

from assent.profiles import Array
from assent.set_chance.race import blocks, disjoint, inclusion

__all__ = ["Overlap", "SetAgreement", "expected_match", "expected_overlap", "overlap", "simulate", "whole_sets"]


class Overlap(NamedTuple):
    """How much of the sets is common to both: of the first, of the second, of both."""

    precision: Array
    recall: Array
    f1: Array


class SetAgreement(NamedTuple):
    """Agreement of sets: whether they have a label in common, and how much of them is common."""

    match: Array
    precision: Array
    recall: Array
    f1: Array


def overlap(common: Array, first: Array, second: Array) -> Overlap:
    """Compare sets by their sizes and how many labels they have in common.

    Parameters
    ----------
    common, first, second : array
        Labels in both sets, in the first and in the second; they broadcast.

    Returns
    -------
    Overlap
        Precision `common / first`, recall `common / second` and their harmonic mean.

    Examples
    --------
    {A} and {A, B}:

    >>> [round(float(score), 2) for score in overlap(1, 1, 2)]
    [1.0, 0.5, 0.67]
    """
    first, second = np.asarray(first), np.asarray(second)
    empty = first + second == 0
    return Overlap(
        precision=common / np.maximum(first, 1) + empty,
        recall=common / np.maximum(second, 1) + empty,
        f1=2.0 * common / np.maximum(first + second, 1) + empty,
    )


Chance = TypeVar("Chance")
#: So many answers are kept: those of all pairs of a dozen annotators.
CHANCES_KEPT = 256


def _remembered(
    chance: Callable[[Array, Array, Array, Array], Chance],
) -> Callable[[Array, Array, Array, Array], Chance]:
    """Keep the answers for single replicates: labels dealt anew among items are used as often, and ask the same again."""

    @lru_cache(maxsize=CHANCES_KEPT)
    def kept(*parts: bytes) -> Chance:
        p, q, sizes_p, sizes_q = (np.frombuffer(part) for part in parts)
        return chance(p, q, sizes_p, sizes_q)

    @wraps(chance)
    def asked(p: Array, q: Array, sizes_p: Array, sizes_q: Array) -> Chance:
        given = [np.asarray(one) for one in (p, q, sizes_p, sizes_q)]
        if all(one.ndim == 1 and one.dtype == np.float64 for one in given):
            return kept(*(one.tobytes() for one in given))
        return chance(p, q, sizes_p, sizes_q)

    return asked


@_remembered
def expected_overlap(p: Array, q: Array, sizes_p: Array, sizes_q: Array) -> Overlap:
    """Return the precision, recall and F1 of sets drawn by chance.

    Parameters
    ----------
    p, q : array (..., labels)
        How often each annotator uses each label.
    sizes_p, sizes_q : array (..., largest + 1)
        Share of sets of each size, from the empty set on, among those of each annotator. No set is larger than the
        number of labels its annotator uses.

    Returns
    -------
    Overlap of arrays (...)

    Examples
    --------
    >>> alike = np.full(5, 0.2)
    >>> [round(float(score), 3) for score in expected_overlap(alike, alike, np.array([0, 1]), np.array([0, 0.5, 0.5]))]
    [0.3, 0.2, 0.233]
    """
    sizes_p, sizes_q = _trimmed(sizes_p), _trimmed(sizes_q)
    first, second = np.arange(sizes_p.shape[-1]), np.arange(sizes_q.shape[-1])
    # Whether one annotator draws a label has nothing to do with whether the other does.
    common = inclusion(p, len(first) - 1) @ np.swapaxes(inclusion(q, len(second) - 1), -1, -2)
    return Overlap(*(_averaged(score, sizes_p, sizes_q) for score in overlap(common, first[:, None], second)))


@_remembered
def expected_match(p: Array, q: Array, sizes_p: Array, sizes_q: Array) -> Array:
    """Return how likely sets drawn by chance have a label in common, or are both empty.

    Parameters
    ----------
    p, q : array (..., labels)
        How often each annotator uses each label.
    sizes_p, sizes_q : array (..., largest + 1)
        Share of sets of each size, from the empty set on, among those of each annotator.

    Returns
    -------
    array (...)

    Examples
    --------
    >>> alike = np.full(10, 0.1)
    >>> round(float(expected_match(alike, alike, np.array([0, 0, 1]), np.array([0, 0, 1]))), 2)
    0.38
    """
    sizes_p, sizes_q = _trimmed(sizes_p), _trimmed(sizes_q)
    match = 1.0 - disjoint(p, q, sizes_p.shape[-1] - 1, sizes_q.shape[-1] - 1)
    match[..., 0, 0] = 1.0
    return _averaged(match, sizes_p, sizes_q)


def simulate(
    p: Array,
    q: Array,
    sizes_p: Array,
    sizes_q: Array,
    *,
    items: int,
    simulations: int,
    rng: np.random.Generator,
) -> tuple[SetAgreement, SetAgreement]:
    """Draw whole data sets by chance, as Marchal et al. do, and average their agreement.

    Parameters
    ----------
    p, q : array (labels,)
        How often each annotator uses each label.
    sizes_p, sizes_q : array (largest + 1,)
        Share of sets of each size, from the empty set on, among those of each annotator.
    items : int
        Items of a data set.
    simulations : int
        Data sets to draw, two or more.
    rng : Generator
        Where chance comes from.

    Returns
    -------
    means, standard errors : SetAgreement of numbers
        Over the data sets.
    """
    scores = np.zeros((4, simulations))
    for rows in blocks(items * simulations, 3 * np.asarray(p).shape[-1]):
        count = rows.stop - rows.start
        first, second = _drawn_sets(p, sizes_p, count, rng), _drawn_sets(q, sizes_q, count, rng)
        sizes = first.sum(axis=1), second.sum(axis=1)
        common = (first & second).sum(axis=1)
        match = (common > 0) | (sizes[0] + sizes[1] == 0)
        data_set = np.arange(rows.start, rows.stop) // items
        for total, score in zip(scores, (match, *overlap(common, *sizes)), strict=True):
            total += np.bincount(data_set, weights=score, minlength=simulations)
    scores /= items
    return SetAgreement(*scores.mean(axis=1)), SetAgreement(*scores.std(axis=1, ddof=1) / np.sqrt(simulations))


def whole_sets(members: Array, shares_p: Array, shares_q: Array) -> SetAgreement:
    """Return the agreement of sets dealt anew as they are: every set of one annotator meets every set of the other.

    Parameters
    ----------
    members : array (sets, labels) of bool
        The distinct sets that occur.
    shares_p, shares_q : array (..., sets)
        Share of each of them among those of each annotator.

    Returns
    -------
    SetAgreement of arrays (...)

    Notes
    -----
    Cost grows with sets² x labels; memory is bounded by blocks of sets.

    Examples
    --------
    The first annotator says {A} or {A, B} by turns, the second always {B}.

    >>> sets = np.array([[True, False], [True, True], [False, True]])
    >>> [float(score) for score in whole_sets(sets, np.array([0.5, 0.5, 0]), np.array([0, 0, 1]))]
    [0.5, 0.25, 0.5, 0.3333333333333333]
    """
    members, shares_p, shares_q = np.asarray(members, dtype=np.float64), np.asarray(shares_p), np.asarray(shares_q)
    sizes = members.sum(axis=1)
    totals: list[Array] = [np.asarray(0.0)] * 4
    for rows in blocks(len(members), 6 * len(members)):
        common = members[rows] @ members.T
        first = sizes[rows, None]
        match = (common > 0) | (first + sizes == 0)
        for i, score in enumerate((match, *overlap(common, first, sizes))):
            totals[i] = totals[i] + (shares_p[..., rows] * (shares_q @ score.T)).sum(axis=-1)
    return SetAgreement(*totals)


def _drawn_sets(p: Array, sizes: Array, count: int, rng: np.random.Generator) -> Array:
    """Draw sets by a race: (count, labels) of bool."""
    labels = np.flatnonzero(p)
    size = np.minimum(rng.choice(len(sizes), size=count, p=sizes), len(labels))
    rings = rng.standard_exponential((count, len(labels))) / np.asarray(p)[labels]
    # The last to be drawn; a time before all rings stands for the empty set.
    last = np.sort(np.insert(rings, 0, -1.0, axis=1), axis=1)[np.arange(count), size]
    members = np.zeros((count, len(p)), dtype=bool)
    members[:, labels] = rings <= last[:, None]
    return members


def _trimmed(sizes: Array) -> Array:
    """Leave out sizes beyond the largest that occurs."""
    sizes = np.asarray(sizes)
    occurs = np.flatnonzero(sizes.reshape(-1, sizes.shape[-1]).any(axis=0))
    return sizes[..., : occurs.max(initial=0) + 1]


def _averaged(scores: Array, sizes_p: Array, sizes_q: Array) -> Array:
    """Average scores (..., sizes, sizes) over the sizes of both sets."""
    return np.asarray((np.asarray(sizes_p)[..., None, :] @ scores @ np.asarray(sizes_q)[..., None])[..., 0, 0])
