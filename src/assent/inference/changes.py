"""Has the mean of 0/1 values changed? A watch that seldom raises a false alarm, however long it goes on.

At every look two explanations of the values are compared: "the mean changed after value v", averaged over v and over
the means before and after, and "the mean has always been the same", averaged over that mean (Jeffreys' prior each time). While
nothing changes, the ratio of the two is a martingale that begins at 1, so the chance of its *ever* reaching 1 / alpha is
at most alpha (Ville's inequality). That is exact if the mean is averaged over its prior; for single means it was
measured, and is about a fifth of alpha (docs/monitoring.md).

References
----------
Robbins, H. (1970). Statistical methods related to the law of the iterated logarithm. Annals of Mathematical Statistics 41(5),
1397-1409. https://doi.org/10.1214/aoms/1177696786
Krichevsky, R. E. and Trofimov, V. K. (1981). The performance of universal encoding. IEEE Transactions on Information Theory
27(2), 199-207. https://doi.org/10.1109/TIT.1981.1056331
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import numpy as np

from assent.profiles import Array
from assent.records import Struct

__all__ = ["STEP", "Change", "ChangeWatch", "log_change_evidence", "split"]

#: Values between two looks; changes are sought after multiples of it. Where exactly is asked once there is a change.
STEP = 10
#: So many of the last steps are all tried as the moment of a change; further back every tenth, further still every hundredth.
_NEAR = 100
#: Prior weight of the moments: the j-th has j**-s - (j + 1)**-s, which falls slowly and sums to 1.
_SLOWNESS = 0.5


class Change(Struct, frozen=True):
    """A change of the mean.

    Parameters
    ----------
    after : int
        How many values came before it, as far as can be told.
    noticed : int
        How many values there were when it was noticed.
    """

    after: int
    noticed: int


class ChangeWatch:
    """Watches 0/1 values for changes of their mean; while nothing changes, the chance of an alarm, ever, is at most `alpha`.

    After an alarm the watch begins anew with the next value.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> watch = ChangeWatch(0.05)
    >>> watch.extend(rng.random(400) < 0.85)
    >>> watch.extend(rng.random(200) < 0.55)
    >>> watch.changes
    [Change(after=400, noticed=450)]
    """

    def __init__(self, alpha: float) -> None:
        self.changes: list[Change] = []
        self._alpha = alpha
        self._values = bytearray()
        self._begin(0)

    def _begin(self, at: int) -> None:
        self._start, self._looks = at, 0
        self._sums: Array = np.zeros(64, dtype=np.int64)

    def extend(self, values: Sequence[int] | Array) -> None:
        """Take more values and look as often as there are steps."""
        self._values += np.asarray(values, dtype=np.uint8).tobytes()
        while self._start + (self._looks + 1) * STEP <= len(self._values):
            if self._look() >= -math.log(self._alpha):
                self._notice()

    def _look(self) -> float:
        """Take the next step and return the evidence for a change then."""
        at = self._start + self._looks * STEP
        self._looks += 1
        if self._looks == len(self._sums):
            self._sums = np.concatenate([self._sums, np.zeros_like(self._sums)])
        self._sums[self._looks] = self._sums[self._looks - 1] + sum(self._values[at : at + STEP])
        return log_change_evidence(self._sums[: self._looks + 1])

    def _notice(self) -> None:
        """Keep a change that was found just now, and begin anew."""
        before = self.changes[-1].after if self.changes else 0
        noticed = self._start + self._looks * STEP
        after = before + split(np.frombuffer(bytes(self._values[before:noticed]), dtype=np.uint8))
        self.changes.append(Change(after=after, noticed=noticed))
        self._begin(noticed)


def log_change_evidence(sums: Array) -> float:
    """Return the logarithm of the evidence for a change of the mean at some step: a ratio of average likelihoods.

    Parameters
    ----------
    sums : array (steps + 1,) of integers
        Sums of the values up to each step, from 0.
    """
    now = len(sums) - 1
    values, total = now * STEP, int(sums[now])
    moments = _moments(now)
    explained = (
        _log_weight(moments)
        + _log_average_likelihood(sums[moments], moments * STEP)
        + _log_average_likelihood(total - sums[moments], values - moments * STEP)
    )
    not_yet = -_SLOWNESS * math.log(max(1, now)) + float(_log_average_likelihood(total, values))
    most = max(not_yet, float(explained.max(initial=-math.inf)))
    changed = most + math.log(math.exp(not_yet - most) + float(np.exp(explained - most).sum()))
    return changed - float(_log_average_likelihood(total, values))


def split(values: Array) -> int:
    """Return how many of the 0/1 values came before their mean changed, if it did: the most probable place."""
    sums, number = np.cumsum(values, dtype=np.int64), len(values)
    before = np.arange(1, number)
    fits = _log_average_likelihood(sums[:-1], before) + _log_average_likelihood(sums[-1] - sums[:-1], number - before)
    return int(before[np.argmax(fits)])


def _moments(now: int) -> Array:
    """Return the steps that are tried as the moment of a change: all of the last ones, and ever fewer further back.

    Leaving some out only makes the evidence smaller, so it may be done freely.
    """
    parts, stop, spacing = [], now, 1
    while stop > 1:
        start = max(1, now - _NEAR * spacing)
        first = -(-start // spacing) * spacing
        parts.append(np.arange(first, stop, spacing))
        stop, spacing = start, spacing * 10
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)


def _log_weight(moments: Array) -> Array:
    return np.asarray(np.log(moments**-_SLOWNESS - (moments + 1.0) ** -_SLOWNESS))


def _log_average_likelihood(ones: Array | int, number: Array | int) -> Array:
    """Return the log probability of 0/1 values averaged over their mean, by Jeffreys' prior: gamma functions of halves."""
    halves, wholes = _log_gammas(int(np.max(number, initial=1)).bit_length())
    return np.asarray(halves[ones] + halves[np.asarray(number) - ones] - wholes[number])


@cache
def _log_gammas(bits: int) -> tuple[Array, Array]:
    """Return log(gamma(k + 1/2) / gamma(1/2)) and log(k!) for numbers k of so many bits."""
    k = np.arange(2**bits - 1)
    return np.append(0.0, np.cumsum(np.log(k + 0.5))), np.append(0.0, np.cumsum(np.log(k + 1.0)))
