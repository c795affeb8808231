"""How far two orders of the same objects agree, many pairs of orders at once.

Every function takes positions of the first and of the second order, (pairs, objects) each, the first object with the smallest, NaN
where an object was not ranked; and returns a number a pair, NaN where it is undefined.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from assent.data.ranking_profiles import midranks, tied
from assent.profiles import Array

__all__ = [
    "Compare",
    "kendall",
    "midranks",
    "rbo_bounds",
    "rbo_by_chance",
    "spearman",
    "tau_ap_both_ways",
    "tau_ap_to_truth",
    "tied",
    "top_tau",
]

Compare: TypeAlias = Callable[[Array, Array], Array]
#: From so many objects on, tau-b is counted by sorting, one pair of orders after the other.
MANY_OBJECTS = 600


def _shared(x: Array, y: Array) -> tuple[Array, Array]:
    """Leave out objects that one of the two did not rank."""
    alone = np.isnan(x) | np.isnan(y)
    if not alone.any():
        return x, y
    return np.where(alone, np.nan, x), np.where(alone, np.nan, y)


def _over(part: Array, whole: Array) -> Array:
    """Divide; NaN where there is nothing below the line."""
    return np.asarray(np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), np.nan))


def spearman(x: Array, y: Array) -> Array:
    """Spearman's rho: the correlation of mid-ranks."""
    gaps = np.isnan(x).any() or np.isnan(y).any()
    x, y = _shared(x, y)
    if gaps:
        x, y = midranks(x), midranks(y)
    # Two that ranked no object in common have no mean, and no value.
    n = np.count_nonzero(~np.isnan(x), axis=-1, keepdims=True)
    x, y = (one - _over(np.nansum(one, -1, keepdims=True), n) for one in (x, y))
    return _over(np.nansum(x * y, -1), np.sqrt(np.nansum(x * x, -1) * np.nansum(y * y, -1)))


def _signs(values: Array) -> Array:
    """Return the sign of the difference of every two objects, 0 for a tie or a gap: (pairs, objects, objects)."""
    with np.errstate(invalid="ignore"):
        apart = values[:, :, None] - values[:, None, :]
        return (apart > 0).astype(np.int8) - (apart < 0).astype(np.int8)


def kendall(x: Array, y: Array) -> Array:
    """Kendall's tau-b."""
    x, y = _shared(x, y)
    n = x.shape[-1]
    if n > MANY_OBJECTS:
        from scipy.stats import kendalltau

        kept = ~np.isnan(x)
        return np.array([float(kendalltau(a[k], b[k]).statistic) for a, b, k in zip(x, y, kept, strict=True)])
    upper = np.triu_indices(n, 1)
    first, second = (_between(one, *upper) for one in (x, y))
    both = (first * second).sum(-1, dtype=np.int64)
    ones, twos = (np.count_nonzero(one, axis=-1) for one in (first, second))
    return _over(both, np.sqrt(ones * twos.astype(np.float64)))


def _between(values: Array, first: Array, second: Array) -> Array:
    """Return the signs of the differences of some pairs of objects: (pairs, pairs of objects)."""
    with np.errstate(invalid="ignore"):
        apart = values[:, first] - values[:, second]
    return (apart > 0).astype(np.int8) - (apart < 0).astype(np.int8)


def top_tau(x: Array, y: Array) -> Array:
    """Vigna's weighted tau: an exchange of objects at ranks r and s counts 1/r + 1/s, averaged over both orders."""
    x, y = _shared(x, y)
    n = x.shape[-1]
    one, two = _signs(x), _signs(y)
    agree = (one * two).sum(-1, dtype=np.int64)
    apart_x, apart_y = (np.abs(signs).sum(-1, dtype=np.int64) for signs in (one, two))
    made = []
    for major, minor in ((x, y), (y, x)):
        # Twice a mid-rank is a whole number, so that ties of the first order fall to the second.
        place = np.argsort(np.argsort(2 * major * (4 * n) + 2 * minor, axis=-1, kind="stable"), axis=-1)
        weight = np.where(np.isnan(x), 0.0, 1.0 / (place + 1.0))
        below = (weight * apart_x).sum(-1) * (weight * apart_y).sum(-1)
        made.append(_over((weight * agree).sum(-1), np.sqrt(below)))
    return np.asarray((made[0] + made[1]) / 2.0)


def tau_ap_to_truth(truth: Array, estimate: Array, *, ties: str) -> Array:
    """Return the AP correlation of an order with one that is taken as true.

    Parameters
    ----------
    truth, estimate : array (pairs, objects)
    ties : {"b", "a"}
        b: an object is compared with those that stand strictly above its tie. a: the mean over all ways to break ties.
    """
    truth, estimate = _shared(truth, estimate)
    with np.errstate(invalid="ignore"):
        apart = truth[:, :, None] - truth[:, None, :]
        above = estimate[:, None, :] < estimate[:, :, None]
    right = (apart > 0).astype(np.float64)
    if ties == "b":
        number = above.sum(-1)
        share = (right * above).sum(-1) / np.maximum(number, 1)
        return 2.0 * _over(share.sum(-1), (number > 0).sum(-1)) - 1.0
    right += np.where(apart == 0, 0.5, 0.0)
    first, last = tied(estimate)
    here = ~np.isnan(estimate)
    begin, end = (np.where(here, one, 1.0).astype(np.int64) for one in (first, last))
    size = end - begin + 1
    harmonic = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, truth.shape[-1] + 1))])
    # Sums of 1/(r - 1) and of (r - begin)/(r - 1) over the ranks r that the tie takes up, but for rank 1.
    inverse = harmonic[end - 1] - harmonic[np.maximum(begin - 2, 0)]
    among = end - np.maximum(begin, 2) + 1 - (begin - 1) * inverse
    # Of every two in the tie one rightly stands above the other half of the time.
    share = ((right * above).sum(-1) * inverse + among / 2.0) / size
    return 2.0 * _over(np.where(here, share, 0.0).sum(-1), here.sum(-1) - 1.0) - 1.0


def tau_ap_both_ways(x: Array, y: Array) -> Array:
    """Return the AP correlation with ties b, the mean of either order as the truth: what both put above is counted once."""
    x, y = _shared(x, y)
    with np.errstate(invalid="ignore"):
        first, second = (one[:, None, :] < one[:, :, None] for one in (x, y))
    both = (first & second).sum(-1)
    made = []
    for above in (first, second):
        number = above.sum(-1)
        made.append(2.0 * _over((both / np.maximum(number, 1)).sum(-1), (number > 0).sum(-1)) - 1.0)
    return np.asarray((made[0] + made[1]) / 2.0)


def rbo_bounds(x: Array, y: Array, *, p: float, ties: str) -> Array:
    """Return rank-biased overlap, extrapolated, at least and at most: (pairs, 3).

    Parameters
    ----------
    x, y : array (pairs, objects)
        NaN where an object is not in a ranking; rankings may have different objects and lengths.
    p : float
        Persistence: how likely one looks at the next rank.
    ties : {"a", "b", "w"}
        a: a tie is ignorance, the mean over all ways to break it. b: the same, scaled so that a ranking agrees with itself. w: tied
        objects stand at the same rank.
    """
    n = x.shape[1]
    lengths = np.stack([(~np.isnan(one)).sum(-1) for one in (x, y)])
    turned = (lengths[0] > lengths[1])[:, None]
    short, long = np.where(turned, y, x), np.where(turned, x, y)
    s, far = lengths.min(0)[:, None], lengths.max(0)[:, None]
    depth = np.arange(1, n + 1)
    seen = _seen(short, long, depth, ties)
    whole = depth.astype(np.float64)
    sizes = [np.where(depth <= end, one, whole) for end, one in zip((s, far), seen.sizes, strict=True)]
    below = (sizes[0] + sizes[1]) / 2.0 if ties == "w" else np.sqrt(sizes[0] * sizes[1]) if ties == "b" else whole
    agreement = seen.overlap / below
    beyond = np.maximum(depth - s, 0)
    settled = np.minimum(seen.settled, beyond)
    best = settled + (beyond - settled) * seen.partly
    at = np.take_along_axis
    level, common = at(agreement, np.maximum(s - 1, 0), 1), at(seen.overlap, np.maximum(far - 1, 0), 1)
    guessed = (seen.overlap + level * beyond * seen.usual) / below
    weight = np.where(depth <= far, (1.0 - p) * p ** (depth - 1.0), 0.0)
    extrapolated = (weight * guessed).sum(-1) + p ** far[:, 0] * at(guessed, np.maximum(far - 1, 0), 1)[:, 0]
    tail = -np.log1p(-p) - np.where(depth <= far, p**depth / depth, 0.0).sum(-1)
    lowest = (weight * agreement).sum(-1) + common[:, 0] * (1.0 - p) / p * tail
    # Beyond what was seen, every further rank can bring two objects that both have, until all are common.
    full = far + s - common
    unseen = (depth > far) & (depth <= full)
    more = np.where(unseen, (1.0 - p) * p ** (depth - 1.0) * (2.0 * depth - far - s + common) / depth, 0.0)
    most = (weight * (seen.overlap + best) / below).sum(-1) + more.sum(-1) + p ** full[:, 0]
    return np.asarray(np.where(s > 0, np.stack([extrapolated, lowest, most], axis=-1), np.nan))


class _Seen(NamedTuple):
    """What is among the first d ranks of two rankings, for each d: (pairs, depths) each.

    `overlap` is what both have, `sizes` how much each has (of squares, if a tie counts by shares). Of the objects that only the
    longer has, `settled` is how many are there for certain, `partly` the share of those that a tie leaves open, and `usual` the mean.
    """

    overlap: Array
    sizes: tuple[Array, Array]
    settled: Array
    partly: Array
    usual: Array


def _seen(short: Array, long: Array, depth: Array, ties: str) -> _Seen:
    """Look at the first ranks of two rankings."""
    ends = tied(short), tied(long)
    if ties == "w" or all(((first == last) | np.isnan(first)).all() for first, last in ends):
        # Every object is among the first d or not, so that counting is enough. Where the shorter has ended, the longer has as many others.
        first, second = (first for first, _ in ends)
        overlap = _counted(np.maximum(first, second))
        whole = np.ones_like(overlap)
        return _Seen(overlap, (_counted(first), _counted(second)), np.zeros_like(overlap), whole, whole)
    inside = [_inside(*pair, depth) for pair in ends]
    overlap = np.einsum("pdn,pdn->pd", *inside)
    # An unseen object of the shorter ranking can only be one that the longer has and the shorter has not, tied or not.
    free = np.where(np.isnan(short)[:, None, :], inside[1], 0.0)
    return _Seen(
        overlap,
        ((inside[0] ** 2).sum(-1), (inside[1] ** 2).sum(-1)),
        (free >= 1.0).sum(-1),
        np.where(free < 1.0, free, 0.0).max(-1),
        free.sum(-1) / np.maximum((free > 0).sum(-1), 1),
    )


def _counted(ranks: Array) -> Array:
    """Count the ranks up to each depth: (pairs, depths)."""
    number, n = ranks.shape
    here = ~np.isnan(ranks)
    at = (np.arange(number)[:, None] * n + np.where(here, ranks, 1.0).astype(np.int64) - 1)[here]
    return np.cumsum(np.bincount(at, minlength=number * n).reshape(number, n), axis=1).astype(np.float64)


def _inside(first: Array, last: Array, depth: Array) -> Array:
    """Return how far each object is among the first d ranks: (pairs, depths, objects)."""
    share = (depth[None, :, None] - first[:, None, :] + 1.0) / (last - first + 1.0)[:, None, :]
    return np.nan_to_num(np.clip(share, 0.0, 1.0))


def rbo_by_chance(n: Array, p: float) -> Array:
    """Return the extrapolated overlap that random orders of the same n objects have on average.

    Examples
    --------
    >>> round(float(rbo_by_chance(np.array(10), 0.9)), 2)
    0.65
    """
    depth = np.arange(1, int(n.max()) + 1)
    sums = np.cumsum(depth * p ** (depth - 1.0))
    return np.asarray((1.0 - p) / n * sums[n - 1] + p**n)
