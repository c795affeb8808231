"""How likely a sum of many small chances is to come out so low: for many sums at once, far into the tail.

A normal approximation is off where it matters here, in the tails of few and skewed terms. The saddlepoint
approximation of Lugannani and Rice is right to a few percent of the probability itself, even at one in a million.

References
----------
Lugannani, R. and Rice, S. (1980). Saddle point approximation for the distribution of the sum of independent random variables.
Advances in Applied Probability 12(2), 475-490. https://doi.org/10.2307/1426607
Daniels, H. E. (1987). Tail probability approximations. International Statistical Review 55(1), 37-48.
https://doi.org/10.2307/1403269
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assent.profiles import Array

__all__ = ["Cumulants", "lower_tail"]

#: From t (sums,) to the cumulant generating function of each sum and its first two derivatives there: (sums,) each.
Cumulants = Callable[[Array], tuple[Array, Array, Array]]

#: Nearer to the mean than so many standard deviations the approximation is 0 / 0, and the normal one is as good.
NEAR = 0.05
#: Steps of the search for the saddlepoint; seven or so are enough.
STEPS = 100
#: A sum this near to the lowest it can be, in standard deviations, is at the lowest.
LOWEST = 1e-9
#: How near to the value the tilted mean must come, in standard deviations.
EXACT = 1e-9


def lower_tail(
    cumulants: Cumulants, value: Array, *, span: Array | float = 0.0, lowest: Array, log_chance: Array
) -> Array:
    """Return the probability that each sum, of mean 0, is at most `value`: (sums,).

    Parameters
    ----------
    value : array (sums,)
    span : array (sums,) or float
        The sum moves in steps of this size; 0 if it moves freely.
    lowest : array (sums,)
        The least the sum can be; minus infinity if there is no such limit.
    log_chance : array (sums,)
        Logarithm of the probability of that.

    Returns
    -------
    array (sums,)
        1 for a sum that cannot vary. Above the mean, where nobody asks for digits, it is the normal approximation.
    """
    from scipy.special import ndtr

    value = np.asarray(value, dtype=np.float64)
    span = np.broadcast_to(np.asarray(span, dtype=np.float64), value.shape)
    spread = np.sqrt(cumulants(np.zeros(len(value)))[2])
    free = spread > 0
    unit = np.where(free, spread, 1.0)
    chance = np.where(free, ndtr((value + span / 2.0) / unit), 1.0)
    bottom = free & (value <= lowest + LOWEST * unit)
    search = free & ~bottom & (value < -NEAR * unit)
    if search.any():
        point, height, curve = _saddlepoint(cumulants, value, unit, search)
        chance = np.where(search, _lugannani_rice(point, value, height, curve, span), chance)
    return np.where(bottom, np.exp(log_chance), np.clip(chance, 0.0, 1.0))


def _saddlepoint(cumulants: Cumulants, value: Array, unit: Array, search: Array) -> tuple[Array, Array, Array]:
    """Find where the tilted mean is `value`, below 0, by Newton's steps kept within brackets."""
    low, high = np.full(len(value), -np.inf), np.zeros(len(value))
    point = np.where(search, value / unit**2, 0.0)
    for _ in range(STEPS):
        height, slope, curve = cumulants(point)
        gap = slope - value
        low, high = np.where(gap < 0, point, low), np.where(gap > 0, point, high)
        done = ~search | (np.abs(gap) <= EXACT * unit)
        if done.all():
            break
        with np.errstate(divide="ignore", invalid="ignore"):
            newton = point - gap / curve
            middle = np.where(np.isfinite(low), (low + high) / 2.0, 2.0 * point)
        # A step of more than twice the way so far comes from a curve that is nearly flat, and leads nowhere.
        inside = (newton > low) & (newton < high) & (newton > 3.0 * point - 2.0 / unit)
        point = np.where(done, point, np.where(inside, newton, middle))
    return point, height, curve


def _lugannani_rice(point: Array, value: Array, height: Array, curve: Array, span: Array) -> Array:
    """Turn saddlepoints into probabilities of at most `value`."""
    from scipy.special import ndtr

    depth = np.sqrt(np.maximum(2.0 * (point * value - height), 0.0))
    steps = span * point
    # Where the sum moves in steps, the tail includes the one it ends on.
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = np.where(steps == 0, point, np.expm1(steps) / np.where(span == 0, 1.0, span)) * np.sqrt(curve)
        root = -depth
        density = np.exp(-(root**2) / 2.0) / np.sqrt(2.0 * np.pi)
        return np.asarray(ndtr(root) + density * (1.0 / root - 1.0 / slope))
