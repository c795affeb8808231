"""Slopes of the integrals of two sets: what a number owes to each share, by going back through the labels.

The integrals of `assent.set_chance.exponential_times` multiply one factor per label. Going back through the same factors gives the derivative
in the shares of all labels for a few times the price of the value, where a step in each share would take twice as many values as there
are labels.
"""

from __future__ import annotations

import numpy as np

from assent.profiles import Array
from assent.set_chance.exponential_times import arrivals, blocks, slowest, times_and_weights

__all__ = ["apart_slopes"]


def apart_slopes(p: Array, q: Array, owed: Array) -> tuple[Array, Array]:
    """Carry the derivative of a number in each cell of `disjoint` to that in each share.

    Parameters
    ----------
    p, q : array (labels,)
        Shares that add up to 1.
    owed : array (largest_p + 1, largest_q + 1)

    Returns
    -------
    array (labels,), array (labels,)
        In the shares of either annotator.
    """
    largest_p, largest_q = owed.shape[0] - 1, owed.shape[1] - 1
    times_p, weights_p = times_and_weights(largest_p, slowest(p, largest_p))
    times_q, weights_q = times_and_weights(largest_q, slowest(q, largest_q))
    waiting_p, waiting_q = arrivals(p[None], times_p)[0], arrivals(q[None], times_q)[0]
    # What a second difference owes is what all sums that it enters owe.
    each = np.cumsum(np.cumsum(owed[:0:-1, :0:-1], axis=0), axis=1)[::-1, ::-1]
    slopes_p, slopes_q = np.zeros((2, len(p)))
    for rows in blocks(len(times_p), len(p) * largest_p * largest_q * len(times_q) // 2):
        sums = np.zeros((2, 2, largest_p, largest_q, rows.stop - rows.start, len(times_q)))
        sums[0, 0, 0, 0] = 1.0
        kept = []
        factors = []
        for c in range(len(p)):
            e, f = waiting_p[c].T[rows], waiting_q[c]
            in_p, in_q, in_none = (1.0 - e) * f, e * (1.0 - f), e * f
            kept.append(sums)
            factors.append((e, f, in_p, in_q, in_none))
            grown = in_none * sums
            grown[1, 1] -= p[c] * q[c] * in_none * sums[0, 0]
            grown[:, :, 1:] += in_p * sums[:, :, :-1]
            grown[:, 1, 1:] += q[c] * in_p * sums[:, 0, :-1]
            grown[:, :, :, 1:] += in_q * sums[:, :, :, :-1]
            grown[1, :, :, 1:] += p[c] * in_q * sums[0, :, :, :-1]
            sums = grown
        back = np.zeros_like(sums)
        back[1, 1] = each[:, :, None, None] * weights_p[rows, None] * weights_q
        for c in range(len(p) - 1, -1, -1):
            (e, f, in_p, in_q, in_none), before = factors[c], kept.pop()
            both = np.einsum("mnts,mnts->ts", back[1, 1], before[0, 0])
            with_q = np.einsum("imnts,imnts->ts", back[:, 1, 1:], before[:, 0, :-1])
            with_p = np.einsum("imnts,imnts->ts", back[1, :, :, 1:], before[0, :, :, :-1])
            by_none = np.einsum("ijmnts,ijmnts->ts", back, before) - p[c] * q[c] * both
            by_p = np.einsum("ijmnts,ijmnts->ts", back[:, :, 1:], before[:, :, :-1]) + q[c] * with_q
            by_q = np.einsum("ijmnts,ijmnts->ts", back[:, :, :, 1:], before[:, :, :, :-1]) + p[c] * with_p
            by_e = f * (by_none - by_p) + (1.0 - f) * by_q
            by_f = e * (by_none - by_q) + (1.0 - e) * by_p
            slopes_p[c] += (in_q * with_p - q[c] * in_none * both - by_e * e * times_p[rows, None]).sum()
            slopes_q[c] += (in_p * with_q - p[c] * in_none * both - by_f * f * times_q).sum()
            earlier = in_none * back
            earlier[0, 0] -= p[c] * q[c] * in_none * back[1, 1]
            earlier[:, :, :-1] += in_p * back[:, :, 1:]
            earlier[:, 0, :-1] += q[c] * in_p * back[:, 1, 1:]
            earlier[:, :, :, :-1] += in_q * back[:, :, :, 1:]
            earlier[0, :, :, :-1] += p[c] * in_q * back[1, :, :, 1:]
            back = earlier
    return slopes_p, slopes_q
