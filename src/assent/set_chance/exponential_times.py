"""Drawing different labels one after the other, by exponential times.

**Times.** Let label c arrive once, after an exponential time of rate p_c. The first m to arrive are m labels
drawn one after the other without putting back. By time t the labels have arrived independently of each other, c with
probability 1 - exp(-p_c t), so what is asked of a set becomes a product over labels and an integral over time.

**One set.** Label c is drawn j-th if it arrives at t and j - 1 others have arrived before::

    P(c is j-th) = ∫ p_c exp(-p_c t) P(j - 1 of the others have arrived by t) dt

**Two sets.** Let D(m, n) be the probability that sets of m and of n labels, drawn with p and with q, have none in common.
Let g_A(t) be the probability that by t the labels of A have arrived and no others, h_B(s) the same for q. Then the second
difference of D is a sum over all disjoint sets A of m and B of n labels::

    D(m, n) - D(m+1, n) - D(m, n+1) + D(m+1, n+1) = Σ ∫∫ g_A(t) h_B(s) [p(B) q(A) - Σ p_c q_c] dt ds

where p(B) stands for a next draw from B, q(A) for one from A, and the last sum, over c in neither set, for the same
next draw by both. A label is in A, in B or in neither: a factor of three terms. All sizes at once are the coefficients
of the product over labels, and nearly all that is added up is positive.

**How exactly.** In t = exp(x - exp(-x)) integrands vanish on both sides faster than any exponential; there the plain sum
over equidistant x is the rule that converges fastest. Given the order of the draws, the time of the j-th arrival is a sum of j
exponential times; their rates are the shares of the labels left and lie between `slowest` and 1. Its density is a
divided difference of exp(-λt) in these rates. So is the error made, and by the integral form of divided differences
it is, whatever p is, at most the largest one made on gamma densities of shape j with rates from `slowest` to 1. There
it is about 2 |Γ(j + iω) / Γ(j)|, ω = 2π / step (in t = exp(x) to first order exactly so), and this chooses the step.

Everything is smooth in p and takes complex numbers, whose imaginary parts carry derivatives, and replicates along
leading axes. Real parts alone choose the times to look at, which changes no value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from math import inf, log, log1p, pi, prod

import numpy as np

from assent.profiles import Array
from assent.set_chance.subsets import Draws, listing, pairs_listed, sets_listed

__all__ = ["arrivals", "blocks", "disjoint", "inclusion", "slowest", "times_and_weights", "to_rates"]

#: Numbers held at once: 4 MB, so that a block stays near the processor.
BLOCK = 500_000
#: A step so small that its square is nothing beside 1.
STEP = 1e-40
#: What the quadrature may be wrong by, and what it may leave out on either side.
PRECISION = 1e-14
#: A derivative of more numbers is not kept.
LARGEST_KEPT = 20_000


def inclusion(p: Array, largest: int) -> Array:
    """Return how likely each label is in a set of each size.

    Parameters
    ----------
    p : array (..., labels)
        How often each label is used. Only ratios matter; labels of 0 are never drawn.
    largest : int
        The largest size of interest.

    Returns
    -------
    array (..., largest + 1, labels)
        Row m belongs to sets of m labels and adds up to m. If fewer labels than that can be drawn, the set is all
        of them.

    Notes
    -----
    Cost grows with labels x largest²: 200 labels and sets of up to 10 take a few milliseconds. Memory is bounded by
    blocks of replicates.

    Examples
    --------
    >>> inclusion(np.array([0.5, 0.3, 0.2]), 3).round(3)
    array([[0.   , 0.   , 0.   ],
           [0.5  , 0.3  , 0.2  ],
           [0.839, 0.675, 0.486],
           [1.   , 1.   , 1.   ]])
    """
    rates = to_rates(p)
    flat = rates.reshape(prod(rates.shape[:-1]), rates.shape[-1])
    drawn = _by_points(flat, _inclusion, (largest,)) if largest > 2 else _inclusion(flat, largest)
    return drawn.reshape(*rates.shape[:-1], *drawn.shape[1:])


def _inclusion(rates: Array, largest: int) -> Array:
    """Return `inclusion` of shares: (replicates, largest + 1, labels)."""
    labels = rates.shape[1]
    drawn = np.zeros((len(rates), largest + 1, labels), dtype=rates.dtype)
    if largest <= 2:
        drawn[:, 1:] = np.stack([rates, _second(rates)], axis=1)[:, :largest]
    elif sets_listed(labels, largest - 1):
        for rows in blocks(len(rates), 4 * len(listing(labels, largest - 1).members)):
            drawn[rows] = np.moveaxis(Draws(rates[rows], largest - 1).included(largest), -1, 0)
        return drawn
    else:
        times, weights = times_and_weights(largest, slowest(rates, largest))
        for rows in blocks(len(rates), 3 * labels * largest * len(times)):
            drawn[rows, 1:] = _places(rates[rows], largest, times, weights)
    return np.cumsum(drawn, axis=1)


def disjoint(p: Array, q: Array, largest_p: int, largest_q: int) -> Array:
    """Return how likely two sets have no label in common, for all their sizes.

    Parameters
    ----------
    p, q : array (..., labels)
        How often each annotator uses each label. Only ratios matter; labels of 0 are never drawn.
    largest_p, largest_q : int
        The largest sizes of interest.

    Returns
    -------
    array (..., largest_p + 1, largest_q + 1)
        Cell (m, n) belongs to sets of m and of n labels. If fewer labels than that can be drawn, the set is all
        of them.

    Notes
    -----
    Cost grows with labels x largest_p x largest_q: 200 labels and sets of up to 10 take about half a second. While no
    set is larger than 2, or all sets of one annotator are single labels, sums over pairs of labels are enough, a
    thousand times faster. Memory is bounded by blocks of times.

    Examples
    --------
    Two sets of 2 out of 5 labels that are all alike:

    >>> alike = np.full(5, 0.2)
    >>> round(float(1 - disjoint(alike, alike, 2, 2)[2, 2]), 12)
    0.7
    """
    p, q = np.broadcast_arrays(to_rates(p), to_rates(q))
    flat_p, flat_q = (rates.reshape(prod(rates.shape[:-1]), rates.shape[-1]) for rates in (p, q))
    if max(largest_p, largest_q) <= 2 or min(largest_p, largest_q) <= 1:
        apart = _apart_by_overlap(flat_p, flat_q, largest_p, largest_q)
    else:
        both = np.concatenate([flat_p, flat_q], axis=1)
        apart = _by_points(both, _apart_each, (largest_p, largest_q))
    return apart.reshape(*p.shape[:-1], largest_p + 1, largest_q + 1)


def blocks(count: int, numbers_each: int) -> Iterator[slice]:
    """Cut `count` rows into blocks that hold no more numbers than BLOCK, one row at least."""
    step = max(1, BLOCK // max(1, numbers_each))
    for start in range(0, count, step):
        yield slice(start, min(start + step, count))


def to_rates(p: Array) -> Array:
    """Scale each row to a sum of 1; a row of zeros stays."""
    p = np.asarray(p)
    total = p.sum(axis=-1, keepdims=True)
    return np.asarray(p / np.where(total == 0, 1.0, total))


def _others(labels: int) -> Array:
    """Return a matrix that sums over all labels but one; subtracting one from the total would cancel."""
    return 1.0 - np.eye(labels)


def _odds(rates: Array) -> Array:
    """Return the share of each label over that of all others."""
    rest = rates @ _others(rates.shape[-1])
    return np.asarray(rates / np.where(rest == 0, 1.0, rest))


def _second(rates: Array) -> Array:
    """Return how likely each label is drawn second: (replicates, labels)."""
    return np.asarray(rates * (_odds(rates) @ _others(rates.shape[-1])))


def _pairs(rates: Array) -> Array:
    """Return how likely each two labels make up a set of two: (replicates, labels, labels)."""
    ordered = _odds(rates)[:, :, None] * rates[:, None, :]
    return np.asarray((ordered + np.swapaxes(ordered, 1, 2)) * _others(rates.shape[-1]))


def _apart_by_overlap(p: Array, q: Array, largest_p: int, largest_q: int) -> Array:
    """Return `disjoint` where at most two labels can be common: one less the mean of their number, plus that of pairs."""
    apart = 1.0 - inclusion(p, largest_p) @ np.swapaxes(inclusion(q, largest_q), 1, 2)
    if largest_p == largest_q == 2:
        for rows in blocks(len(p), 4 * p.shape[1] ** 2):
            apart[rows, 2, 2] += 0.5 * (_pairs(p[rows]) * _pairs(q[rows])).sum(axis=(1, 2))
    return np.asarray(apart)


def slowest(rates: Array, draws: int) -> float:
    """Return the least share of labels that can be left before one of the first `draws` draws."""
    heaviest_first = -np.sort(-rates.real, axis=-1)
    left = np.cumsum(heaviest_first[..., ::-1], axis=-1)[..., ::-1][..., :draws]
    return float(left.min(initial=1.0, where=left > 0))


def times_and_weights(draws: int, slowest: float) -> tuple[Array, Array]:
    """Choose the times at which to look at `draws` labels that arrive, and their weights in an integral over time."""
    # A derivative looks one draw further.
    step = _step(draws + 1)
    # No label arrives before the first time. By Chernoff's bound so many arrivals are not awaited longer than to the last.
    last = log((4.0 * (draws + 1) - log(PRECISION)) / slowest)
    x = np.arange(-3.5, last + step, step)
    times = np.exp(x - np.exp(-x))
    return times, step * times * (1.0 + np.exp(-x))


@lru_cache
def _step(shape: int) -> float:
    """Return how far apart times may be in x to integrate gamma densities up to this shape."""
    frequency, error = 1.0, inf
    while error > log(PRECISION):
        frequency += 0.25
        # log of 2 |Γ(shape + iω) / Γ(shape)|, by |Γ(1 + iω)|² = πω / sinh(πω) and Γ(z + 1) = z Γ(z).
        growth = sum(log1p((frequency / k) ** 2) for k in range(1, shape))
        error = log(2.0) + 0.5 * (log(2.0 * pi * frequency) - pi * frequency + growth)
    return 2.0 * pi / frequency


def arrivals(rates: Array, times: Array) -> tuple[Array, Array]:
    """Return how likely each label is still to arrive, and has arrived: (labels, replicates, times) each."""
    waiting = np.exp(-rates.T[:, :, None] * times)
    return waiting, 1.0 - waiting


def _places(rates: Array, largest: int, times: Array, weights: Array) -> Array:
    """Return how likely each label is drawn first, second, …: (replicates, largest, labels)."""
    waiting, arrived = arrivals(rates, times)
    labels = len(waiting)
    # How many of the labels before, and after, each one have arrived.
    before, after = np.zeros((2, labels, largest, *waiting.shape[1:]), dtype=waiting.dtype)
    before[0, 0] = after[-1, 0] = 1.0
    for c in range(1, labels):
        d = labels - c
        before[c], after[d - 1] = waiting[c - 1] * before[c - 1], waiting[d] * after[d]
        before[c, 1:] += arrived[c - 1] * before[c - 1, :-1]
        after[d - 1, 1:] += arrived[d] * after[d, :-1]
    arrives = waiting * rates.T[:, :, None]
    places = np.empty((len(rates), largest, labels), dtype=waiting.dtype)
    for j in range(largest):
        others = sum(before[:, i] * after[:, j - i] for i in range(j + 1))
        places[:, j] = ((arrives * others) @ weights).T
    return places


def _by_points(rates: Array, evaluate: Callable[..., Array], sizes: tuple[int, ...]) -> Array:
    """Evaluate a function of shares for many replicates.

    Replicates that differ in their imaginary parts alone are steps from one point in many directions: the derivative in
    each label is worked out once and carried to all of them, and kept for the next who ask.
    """
    few = rates.shape[1] ** 2 * prod(size + 1 for size in sizes) <= LARGEST_KEPT
    if not np.iscomplexobj(rates):
        # Several measures ask for the same.
        kept = few and len(rates) == 1
        return _kept_value(rates.tobytes(), evaluate, sizes).copy() if kept else evaluate(rates, *sizes)
    if (rates.real == rates.real[:1]).all():
        points, place = rates.real[:1], np.zeros(len(rates), dtype=np.int64)
    else:
        points, place = np.unique(rates.real, axis=0, return_inverse=True)
    if len(points) * rates.shape[1] > len(rates):
        # Steps from so many points in so few directions are taken one by one.
        steps, place = np.unique(rates, axis=0, return_inverse=True)
        return evaluate(steps, *sizes)[place.ravel()]
    derivative = _kept_derivative if few else _derivative
    made: Array | None = None
    for i, point in enumerate(points):
        rows = np.flatnonzero(place.ravel() == i)
        value, slope = derivative(point.tobytes(), evaluate, sizes)
        if made is None:
            made = np.empty((len(rates), *value.shape), dtype=complex)
        made[rows] = value + 1j * np.tensordot(rates[rows].imag, slope, axes=1)
    return evaluate(rates, *sizes) if made is None else made


def _derivative(point: bytes, evaluate: Callable[..., Array], sizes: tuple[int, ...]) -> tuple[Array, Array]:
    """Return the value of a function at a point, and its derivative in each label."""
    base = np.frombuffer(point)
    moved = evaluate(base + STEP * 1j * np.eye(len(base)), *sizes)
    return moved[0].real, moved.imag / STEP


@lru_cache(maxsize=4_096)
def _kept_value(point: bytes, evaluate: Callable[..., Array], sizes: tuple[int, ...]) -> Array:
    """Return the value of a function at a point, as for one replicate."""
    return evaluate(np.frombuffer(point)[None], *sizes)


_kept_derivative = lru_cache(maxsize=4_096)(_derivative)


def _apart_each(rates: Array, largest_p: int, largest_q: int) -> Array:
    """Return `disjoint` for sets of any size, of the shares of both side by side: (replicates, largest_p + 1, largest_q + 1)."""
    labels, largest = rates.shape[1] // 2, max(largest_p, largest_q)
    if not pairs_listed(labels, largest):
        return np.stack([_apart(row[:labels], row[labels:], largest_p, largest_q) for row in rates])
    apart = np.empty((len(rates), largest_p + 1, largest_q + 1), dtype=rates.dtype)
    sets = listing(labels, largest)
    size = sets.members.sum(axis=1)[:, None, None]
    for rows in blocks(len(rates), 4 * len(sets.members) * (largest + 1)):
        first, second = (Draws(rates[rows, side], largest) for side in (slice(labels), slice(labels, None)))
        one, two = (
            np.where(size == draws.drawn[: most + 1], draws.made[:, None], 0.0)
            for draws, most in ((first, largest_p), (second, largest_q))
        )
        apart[rows] = np.einsum("jmr,jnr->rmn", one, sets.apart(two))
    return apart


def _apart(p: Array, q: Array, largest_p: int, largest_q: int) -> Array:
    """Return `disjoint` for sets of any size and one replicate: (largest_p + 1, largest_q + 1)."""
    times_p, weights_p = times_and_weights(largest_p, slowest(p, largest_p))
    times_q, weights_q = times_and_weights(largest_q, slowest(q, largest_q))
    waiting_p, arrived_p = arrivals(p[None], times_p)
    waiting_q, arrived_q = arrivals(q[None], times_q)
    apart = np.ones((largest_p + 1, largest_q + 1), dtype=np.result_type(p, q))
    for rows in blocks(len(times_p), 8 * largest_p * largest_q * len(times_q)):
        # Sums over disjoint A and B, by their sizes: of g h at [0, 0], with the factor q(A) at [0, 1], with p(B) at
        # [1, 0], with the bracket at [1, 1]. Each label joins A, B or neither.
        sums = np.zeros((2, 2, *apart[1:, 1:].shape, rows.stop - rows.start, len(times_q)), dtype=apart.dtype)
        sums[0, 0, 0, 0] = 1.0
        for c in np.flatnonzero((p != 0) | (q != 0)):
            waiting, arrived = waiting_p[c].T[rows], arrived_p[c].T[rows]
            in_p, in_q, in_none = arrived * waiting_q[c], waiting * arrived_q[c], waiting * waiting_q[c]
            grown = in_none * sums
            grown[1, 1] -= p[c] * q[c] * in_none * sums[0, 0]
            grown[:, :, 1:] += in_p * sums[:, :, :-1]
            grown[:, 1, 1:] += q[c] * in_p * sums[:, 0, :-1]
            grown[:, :, :, 1:] += in_q * sums[:, :, :, :-1]
            grown[1, :, :, 1:] += p[c] * in_q * sums[0, :, :, :-1]
            sums = grown
        second = (sums[1, 1] @ weights_q) @ weights_p[rows]
        apart[1:, 1:] += np.cumsum(np.cumsum(second, axis=0), axis=1)
    return apart
