"""Whether somebody is farther from a team than its members are from each other.

People who do the work are not all alike. How unlike they are, the team itself shows: what its members differ by beyond what the choice of
items makes. Somebody who differs is held against that, as one more member drawn from the same people would be.
"""

from __future__ import annotations

import numpy as np

from assent.profiles import Array

__all__ = ["beyond_spread"]

#: With fewer members to go by nothing is known of how unlike they are.
LEAST_MEMBERS = 2
#: The t distribution with more degrees of freedom is the normal one.
MOST_DEGREES = 1e9


def beyond_spread(value: Array, noise: Array, members: Array) -> Array:
    """Return how often one more member of the team would be as low as each annotator: (annotators,); 0 if the members are too few to tell.

    The spread of the members is what their values vary by beyond the noise, by the method of moments; a value that is foretold from it has a t distribution,
    with the degrees of freedom of Satterthwaite. That is rough where few members happen to look alike: of those drawn from people whose spread is three times the noise,
    6 % are said to be below 0.05 and 2.5 % below 0.01 with four members, 11 and 7 % with two; without a spread, and with many members, as many as should be.

    Parameters
    ----------
    value : array (annotators,)
    noise : array (annotators,)
        Variance of each value that comes from the choice of items.
    members : array (annotators,) of bool
        Who is taken for a member.

    References
    ----------
    Satterthwaite, F. E. (1946). An approximate distribution of estimates of variance components. Biometrics Bulletin 2(6), 110-114.
    https://doi.org/10.2307/3002019

    Examples
    --------
    >>> value, members = np.array([-0.4, 0.1, 0.0, -0.1]), np.array([False, True, True, True])
    >>> [float(beyond_spread(value, noise, members)[0].round(4)) for noise in (np.full(4, 0.01), np.zeros(4))]
    [0.0003, 0.0371]
    """
    from scipy.special import stdtr

    known = value[members]
    count = len(known)
    if count < LEAST_MEMBERS:
        return np.zeros(len(value))
    mean, together = float(known.mean()), float(noise[members].sum())
    spread = max(0.0, (float(((known - mean) ** 2).sum()) - together * (1.0 - 1.0 / count)) / (count - 1))
    unknown = spread * (1.0 + 1.0 / count)
    variance = unknown + noise + together / count**2
    room = np.where(variance > 0, variance, 1.0)
    degrees = np.minimum(room**2 * (count - 1) / max(unknown**2, room.min() ** 2 * count / MOST_DEGREES), MOST_DEGREES)
    return np.where(variance > 0, stdtr(degrees, (value - mean) / np.sqrt(room)), np.where(value < mean, 0.0, 1.0))
