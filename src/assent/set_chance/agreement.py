"""Agreement of pairs of label sets, and what chance would make of it.

Two empty sets agree fully; an empty set and another one do not agree at all. The second annotator is the reference:
precision is the common share of the first one's labels, recall that of the second one's.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from math import prod
from typing import NamedTuple

import numpy as np

from assent.profiles import Array
from assent.set_chance.exponential_times import blocks, disjoint, inclusion, to_rates
from assent.set_chance.subsets import Draws, listing, pairs_listed, sets_listed
from assent.set_chance.time_slopes import apart_slopes

__all__ = [
    "Overlap",
    "SetAgreement",
    "expected_match",
    "expected_overlap",
    "expected_score",
    "overlap",
    "simulate",
    "whole_sets",
]


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


#: So many answers are kept.
CHANCES_KEPT = 64
#: No more numbers are kept of a question: those of all pairs of some thirty annotators.
LARGEST_KEPT = 50_000


def expected_score(score: str, p: Array, q: Array, sizes_p: Array, sizes_q: Array) -> Array:
    """Return what one score of sets drawn by chance is expected to be.

    Parameters
    ----------
    score : {"match", "precision", "recall", "f1"}
    p, q : array (..., labels)
        How often each annotator uses each label.
    sizes_p, sizes_q : array (..., largest + 1)
        Share of sets of each size, from the empty set on, among those of each annotator. No set is larger than the
        number of labels its annotator uses.

    Returns
    -------
    array (...)

    Notes
    -----
    Imaginary parts are steps: the derivative is worked out once for each point that they start from, and takes about as long as the value.

    Examples
    --------
    >>> alike = np.full(10, 0.1)
    >>> round(float(expected_score("match", alike, alike, np.array([0, 0, 1]), np.array([0, 0, 1]))), 2)
    0.38
    """
    parts = [np.asarray(one) for one in (p, q, sizes_p, sizes_q)]
    parts[2:] = [_trimmed(one) for one in parts[2:]]
    shape = np.broadcast_shapes(*(one.shape[:-1] for one in parts))
    largest = max(one.shape[-1] - 1 for one in parts[2:])
    labels = parts[0].shape[-1]
    if not (pairs_listed(labels, largest) if score == "match" else sets_listed(labels, largest - 1)):
        return _by_integrals(score, *parts)
    parts = [np.broadcast_to(one, (*shape, one.shape[-1])) for one in parts]
    if not any(map(np.iscomplexobj, parts)):
        return _answer(score, parts, slopes=False)[0].reshape(shape)
    points = [np.ascontiguousarray(one.real) for one in parts]
    if len(shape) and all((one == one[:1]).all() for one in points):
        points = [one[:1] for one in points]
    value, *slopes = _answer(score, points, slopes=True)
    made = value.reshape(points[0].shape[:-1]).astype(complex)
    for one, point, slope in zip(parts, points, slopes, strict=True):
        made = made + 1j * (one.imag * slope.reshape(point.shape)).sum(axis=-1)
    return np.asarray(made)


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
    return Overlap(*(expected_score(score, p, q, sizes_p, sizes_q) for score in Overlap._fields))


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
    return expected_score("match", p, q, sizes_p, sizes_q)


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
    """Draw sets by exponential times: (count, labels) of bool."""
    labels = np.flatnonzero(p)
    size = np.minimum(rng.choice(len(sizes), size=count, p=sizes), len(labels))
    times = rng.standard_exponential((count, len(labels))) / np.asarray(p)[labels]
    # The last to be drawn; a time before all others stands for the empty set.
    last = np.sort(np.insert(times, 0, -1.0, axis=1), axis=1)[np.arange(count), size]
    members = np.zeros((count, len(p)), dtype=bool)
    members[:, labels] = times <= last[:, None]
    return members


def _by_integrals(score: str, p: Array, q: Array, sizes_p: Array, sizes_q: Array) -> Array:
    """Return an expected score where sets are too many to be listed, pair by pair: (...)."""
    if p.ndim > 2:
        parts = [np.broadcast_to(one, (*p.shape[:-1], one.shape[-1])) for one in (p, q, sizes_p, sizes_q)]
        each = [_by_integrals(score, *(one[..., i, :] for one in parts)) for i in range(p.shape[-2])]
        return np.stack(each, axis=-1)
    first, second = np.arange(sizes_p.shape[-1]), np.arange(sizes_q.shape[-1])
    if score == "match" and min(len(first), len(second)) > 2 and any(map(np.iscomplexobj, (p, q, sizes_p, sizes_q))):
        parts = [np.atleast_2d(one) for one in (p, q, sizes_p, sizes_q)]
        parts = [np.broadcast_to(one, (max(map(len, parts)), one.shape[1])) for one in parts]
        if all((one.real == one.real[:1]).all() for one in parts):
            value, *slopes = _match_by_integrals(*(np.ascontiguousarray(one[0].real) for one in parts))
            moved = sum(one.imag @ slope for one, slope in zip(parts, slopes, strict=True))
            return np.asarray((value + 1j * moved).reshape(np.broadcast_shapes(p.shape[:-1], sizes_p.shape[:-1])))
    if score == "match":
        scores = 1.0 - disjoint(p, q, len(first) - 1, len(second) - 1)
        scores[..., 0, 0] = 1.0
    else:
        # Whether one annotator draws a label has nothing to do with whether the other does.
        common = inclusion(p, len(first) - 1) @ np.swapaxes(inclusion(q, len(second) - 1), -1, -2)
        scores = getattr(overlap(common, first[:, None], second), score)
    return _averaged(scores, sizes_p, sizes_q)


def _match_by_integrals(p: Array, q: Array, sizes_p: Array, sizes_q: Array) -> tuple[Array, ...]:
    """Return how likely sets of one pair of annotators match, and its slopes in all that is given."""
    match = 1.0 - disjoint(p, q, len(sizes_p) - 1, len(sizes_q) - 1)
    match[0, 0] = 1.0
    by_size = match @ sizes_q, sizes_p @ match
    owed = -np.outer(sizes_p, sizes_q)
    owed[0, 0] = 0.0
    by_label = apart_slopes(to_rates(p), to_rates(q), owed)
    in_labels = [_of_uses(used[None], slope[None])[0] for used, slope in zip((p, q), by_label, strict=True)]
    return np.asarray(sizes_p @ by_size[0]), *in_labels, *by_size


def _answer(score: str, parts: Sequence[Array], *, slopes: bool) -> tuple[Array, ...]:
    """Return an expected score for each row of (..., numbers), and if wanted its slopes; what is asked again is kept."""
    rows = [np.asarray(one, dtype=np.float64).reshape(prod(one.shape[:-1]), one.shape[-1]) for one in parts]
    if sum(one.size for one in rows) > LARGEST_KEPT:
        return _in_blocks(score, rows, slopes)
    return _kept(score, tuple(one.shape for one in rows), slopes, *(one.tobytes() for one in rows))


@lru_cache(maxsize=CHANCES_KEPT)
def _kept(score: str, shapes: tuple[tuple[int, int], ...], slopes: bool, *parts: bytes) -> tuple[Array, ...]:
    """Keep answers: labels dealt anew among items are used as often, and ask the same again."""
    rows = [np.frombuffer(part).reshape(shape) for part, shape in zip(parts, shapes, strict=True)]
    return _in_blocks(score, rows, slopes)


def _in_blocks(score: str, rows: list[Array], slopes: bool) -> tuple[Array, ...]:
    """Look at no more rows at a time than memory is to be taken for."""
    p, q, *sizes = rows
    largest = max(one.shape[1] - 1 for one in sizes)
    evaluate = _match if score == "match" else partial(_common, score)
    # Inclusion takes one draw less to be known.
    followed = largest if score == "match" else max(0, largest - 1)
    made = []
    for block in blocks(len(p), len(listing(p.shape[1], followed).members) // 2):
        draws = [Draws(to_rates(one[block]), followed) for one in (p, q)]
        asked = [np.pad(one[block], ((0, 0), (0, largest + 1 - one.shape[1]))).T for one in sizes]
        value, *found = evaluate(draws, asked, slopes=slopes)
        for i, used in enumerate((p[block], q[block])):
            if slopes:
                found[i] = _of_uses(used, found[i])
                found[i + 2] = found[i + 2][: sizes[i].shape[1]].T
        made.append((value, *found))
    return tuple(np.concatenate(one) for one in zip(*made, strict=True))


def _of_uses(used: Array, by_share: Array) -> Array:
    """Carry slopes in the shares of labels to how often each label is used: (replicates, labels)."""
    total = used.sum(axis=1, keepdims=True)
    centred = by_share - (by_share * to_rates(used)).sum(axis=1, keepdims=True)
    return np.asarray(centred / np.where(total == 0, 1.0, total))


def _match(draws: Sequence[Draws], asked: Sequence[Array], *, slopes: bool) -> tuple[Array, ...]:
    """Return how likely sets have a label in common or are both empty, and its slopes in shares of labels and sizes."""
    sets = draws[0].sets
    sizes = [sets.spread(one.sizes(shares)) for one, shares in zip(draws, asked, strict=True)]
    given = [one.made * size for one, size in zip(draws, sizes, strict=True)]
    # For each set of one annotator, how likely the other's has a label in common with it.
    meets = [
        shares.sum(axis=0) - sets.apart(one)
        for one, shares in zip(given[not slopes :], asked[not slopes :], strict=True)
    ]
    value = (given[0] * meets[-1]).sum(axis=0) + asked[0][0] * asked[1][0]
    if not slopes:
        return (value,)
    in_labels, in_sizes = [], []
    for i, one in enumerate(draws):
        in_labels.append(one.slopes(meets[1 - i] * sizes[i]))
        by_size = one.asked(sets.by_size(meets[1 - i] * one.made))
        by_size[0] += asked[1 - i][0]
        in_sizes.append(by_size)
    return value, *in_labels, *in_sizes


def _common(score: str, draws: Sequence[Draws], asked: Sequence[Array], *, slopes: bool) -> tuple[Array, ...]:
    """Return how much of two sets is common to both, and its slopes in shares of labels and sizes."""
    size = np.arange(len(asked[0]))
    # Whether one annotator draws a label has nothing to do with whether the other does.
    held = [one.included(len(size) - 1) for one in draws]
    weight = getattr(overlap(np.ones(()), size[:, None], size), score)
    weight[0] = weight[:, 0] = 0.0
    common = weight[..., None] * np.einsum("mcr,ncr->mnr", *held)
    common[0, 0] = 1.0
    value = np.einsum("mnr,mr,nr->r", common, *asked)
    if not slopes:
        return (value,)
    in_labels, in_sizes = [], []
    for i, one in enumerate(draws):
        across, beside = (weight, common) if i == 0 else (weight.T, common.swapaxes(0, 1))
        owed = asked[i][:, None] * np.einsum("mn,nr,ncr->mcr", across, asked[1 - i], held[1 - i])
        in_labels.append(one.slopes_of_included(owed))
        in_sizes.append(np.einsum("mnr,nr->mr", beside, asked[1 - i]))
    return value, *in_labels, *in_sizes


def _trimmed(sizes: Array) -> Array:
    """Leave out sizes beyond the largest that occurs."""
    sizes = np.asarray(sizes)
    occurs = np.flatnonzero(sizes.reshape(-1, sizes.shape[-1]).any(axis=0))
    return sizes[..., : occurs.max(initial=0) + 1]


def _averaged(scores: Array, sizes_p: Array, sizes_q: Array) -> Array:
    """Average scores (..., sizes, sizes) over the sizes of both sets."""
    return np.asarray((np.asarray(sizes_p)[..., None, :] @ scores @ np.asarray(sizes_q)[..., None])[..., 0, 0])
