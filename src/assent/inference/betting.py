"""Confidence sequences: intervals for a mean of 0/1 values that stay right however often one looks.

Somebody bets against the claim "the mean is m" at fair odds. If the claim is true, the capital is a martingale that begins at
1, and the chance that it *ever* reaches 1 / (1 - level) is at most 1 - level (Ville's inequality). The means whose
opponents have not become that rich form an interval, and all these intervals together hold the mean with the
confidence level, whenever one looks and stops.

Two ways to bet:

* `mixture`: the stake is split once over a fixed set of tilts, small and large, up and down. Nothing but the number
  of values and their sum decides the interval. It holds the *mean of the conditional means so far*, so it needs neither
  independence nor a mean that stays the same.
* `HedgedCapital`: the hedged capital process of Waudby-Smith and Ramdas, whose bets are adapted to the values seen before.
  It is for a mean that stays the same.

References
----------
Waudby-Smith, I. and Ramdas, A. (2024). Estimating means of bounded random variables by betting. Journal of the Royal Statistical
Society B 86(1), 1-27. https://doi.org/10.1093/jrsssb/qkad009
Howard, S. R., Ramdas, A., McAuliffe, J. and Sekhon, J. (2021). Time-uniform, nonparametric, nonasymptotic confidence sequences.
Annals of Statistics 49(2), 1055-1080. https://doi.org/10.1214/20-AOS1991
"""

from __future__ import annotations

import math

import numpy as np

from assent.errors import choose
from assent.profiles import Array

__all__ = [
    "GRID",
    "METHODS",
    "TILTS",
    "TILT_SHARES",
    "HedgedCapital",
    "confidence_sequence",
    "log_capital",
    "mixture_interval",
]

#: How to bet, the default first.
METHODS = ("mixture", "betting")

_POWERS = np.arange(-8.0, 4.0)
#: Tilts of the odds: a factor of exp(tilt) for a 1 against a 0. Small ones pay after many values, large ones after few.
TILTS: Array = np.concatenate([-(2.0**_POWERS), 2.0**_POWERS])
#: What is staked on each tilt: a bell over their logarithms, so that the intervals are narrowest at some hundred values.
TILT_SHARES: Array = np.tile(np.exp(-((_POWERS + 1.5) ** 2) / 8.0), 2)
TILT_SHARES /= TILT_SHARES.sum()

#: Halvings of [0, 1]: what is left is less than 1e-12.
_HALVINGS = 40
#: Claims that the hedged capital process follows; its intervals are wider by up to one step of this grid at either end.
GRID: Array = np.arange(1, 1000) / 1000
#: No bet of the hedged capital process risks more than this share of the capital.
_MOST_AT_RISK = 0.5
#: Values taken in one go, to bound memory.
_BLOCK = 2048


def log_capital(total: Array | float, values: Array | float, mean: Array | float) -> Array:
    """Return the logarithm of the capital that a mixture of tilts has won against a claimed mean.

    For values whose mean is `mean` given all values before, the capital is a martingale with expectation 1 if they are 0 or 1,
    and a supermartingale if they lie anywhere between. If the conditional means m_1, m_2, … differ, it is at their
    average never more than such a martingale: log(1 - m + m exp(tilt)) is concave in m.

    Parameters
    ----------
    total : array (...)
        Sum of the values so far.
    values : array (...)
        How many there are.
    mean : array (...)
        The claim, from 0 to 1.

    Examples
    --------
    >>> bool(log_capital(90, 100, 0.8) < np.log(20) < log_capital(95, 100, 0.8))
    True
    """
    total, values, mean = (np.asarray(one, dtype=np.float64)[..., None] for one in (total, values, mean))
    won = TILTS * total - values * np.log1p(mean * np.expm1(TILTS)) + np.log(TILT_SHARES)
    most = won.max(axis=-1, keepdims=True)
    return np.asarray(np.log(np.exp(won - most).sum(axis=-1)) + most[..., 0])


def mixture_interval(total: Array | float, values: Array | float, level: float = 0.95) -> tuple[Array, Array]:
    """Return the means against which a mixture of tilts has not won: the confidence sequence at the given points.

    The capital is convex in the claimed mean, so these means are one interval, found by halving on either side of the average.

    Parameters
    ----------
    total, values : array (...)
        Sum and number of the values so far, at one or many points of the sequence; at least one value each.

    Returns
    -------
    low, high : array (...)

    Examples
    --------
    >>> low, high = mixture_interval(np.array([16, 160, 1600]), np.array([20, 200, 2000]))
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.44, 0.701, 0.77], [0.982, 0.881, 0.828])
    """
    total, values = np.asarray(total, dtype=np.float64), np.asarray(values, dtype=np.float64)
    enough = -math.log(1.0 - level)
    average = total / values
    ends = []
    for outermost in (0.0, 1.0):
        inside, outside = average.copy(), np.full_like(average, outermost)
        within = log_capital(total, values, outside) < enough
        for _ in range(_HALVINGS):
            middle = (inside + outside) / 2.0
            kept = log_capital(total, values, middle) < enough
            inside, outside = np.where(kept, middle, inside), np.where(kept, outside, middle)
        # The outer of the two, so that rounding never makes the interval too narrow.
        ends.append(np.where(within, outermost, outside))
    return ends[0], ends[1]


class HedgedCapital:
    """The hedged capital process of Waudby-Smith and Ramdas (2024, section 4.2), with predictable plug-in bets.

    Half of the capital bets that the mean is larger than claimed, half that it is smaller. The stakes come from the
    variance of the values *before* the one that is bet on. The capital that is compared with 1 / (1 - level) is the richer half
    (the paper's maximum), which is monotone on either side, so that the means not refuted are one interval.

    Parameters
    ----------
    means : array (means,)
        The claims that are followed, rising, between 0 and 1.
    pool : int, optional
        The values are drawn without replacement from so many, and the claims are about the mean of all of these (section 5 of the
        paper): given those before, the mean of the next value is that of what is left.
    """

    def __init__(self, level: float = 0.95, means: Array = GRID, *, pool: int | None = None) -> None:
        self.means = means
        self.pool = pool
        self.log_up: Array = np.zeros(len(self.means))
        self.log_down: Array = np.zeros(len(self.means))
        self._alpha = 1.0 - level
        self._values, self._total, self._squares = 0, 0.0, 0.0

    def play(self, values: Array) -> tuple[Array, Array]:
        """Bet on more values and return the interval after each.

        Parameters
        ----------
        values : array (n,)
            From 0 to 1.

        Returns
        -------
        low, high : array (n,)
            NaN where every claim has been refuted: then no single mean explains the values.
        """
        ends = [self._play(np.asarray(values[at : at + _BLOCK], float)) for at in range(0, len(values), _BLOCK)]
        low = np.concatenate([np.empty(0), *(one for one, _ in ends)])
        return low, np.concatenate([np.empty(0), *(one for _, one in ends)])

    def _left(self, values: Array) -> Array:
        """Return the mean of the next value under each claim: (values, means), or (means,) if values are no part of a pool."""
        if self.pool is None:
            return self.means
        before = self._total + np.cumsum(values) - values
        drawn = self._values + np.arange(len(values))
        left = np.maximum(self.pool - drawn, 1)[:, None]
        return np.asarray((self.pool * self.means - before[:, None]) / left)

    def _play(self, values: Array) -> tuple[Array, Array]:
        means = self._left(values)
        # A claim that what is left cannot meet is refuted for good.
        low, high = means < -1e-9, means > 1.0 + 1e-9
        means = np.clip(means, 1e-12, 1.0 - 1e-12)
        stakes, gains = self._stakes(values)[:, None], values[:, None] - means
        at_risk = np.minimum(stakes, _MOST_AT_RISK / means)
        rising = self.log_up + np.cumsum(np.where(low, np.inf, np.log1p(at_risk * gains)), axis=0)
        at_risk = np.minimum(stakes, _MOST_AT_RISK / (1.0 - means))
        falling = self.log_down + np.cumsum(np.where(high, np.inf, np.log1p(-at_risk * gains)), axis=0)
        self.log_up, self.log_down = rising[-1], falling[-1]
        enough = math.log(2.0 / self._alpha)
        # Claims are refuted from 0 upwards and from 1 downwards; the true end lies within one step of the grid.
        refuted_low, refuted_high = (rising >= enough).sum(axis=1), (falling >= enough).sum(axis=1)
        with_ends = np.concatenate([[0.0], self.means, [1.0]])
        low, high = with_ends[refuted_low], with_ends[len(self.means) + 1 - refuted_high]
        nothing_left = refuted_low + refuted_high >= len(self.means)
        return np.where(nothing_left, np.nan, low), np.where(nothing_left, np.nan, high)

    def _stakes(self, values: Array) -> Array:
        """Return the stake on each value, from the variance of those before it: (n,)."""
        number = self._values + np.arange(1, len(values) + 1)
        totals = self._total + np.cumsum(values)
        squares = self._squares + np.cumsum((values - (0.5 + totals) / (number + 1.0)) ** 2)
        before = np.concatenate([[self._squares], squares[:-1]])
        variance = (0.25 + before) / number
        self._values, self._total, self._squares = int(number[-1]), float(totals[-1]), float(squares[-1])
        return np.asarray(np.sqrt(2.0 * math.log(2.0 / self._alpha) / (variance * number * np.log(number + 1.0))))


def confidence_sequence(
    values: Array, *, level: float = 0.95, method: str = METHODS[0], running: bool = False
) -> tuple[Array, Array]:
    """Return an interval after every value, all of them right together with the confidence level.

    Parameters
    ----------
    values : array (n,)
        From 0 to 1, in the order in which they came.
    method : {"mixture", "betting"}
        ``mixture`` is narrower beyond about a hundred values and allows for a mean that changes: it then holds the mean of
        the conditional means so far. ``betting`` is the hedged capital process.
    running : bool
        Intersect each interval with all before it. This narrows them, and is right only if the mean never changes.

    Returns
    -------
    low, high : array (n,)

    Examples
    --------
    >>> low, high = confidence_sequence(np.tile([1, 1, 1, 0], 100))
    >>> float(low[-1].round(3)), float(high[-1].round(3))
    (0.677, 0.815)
    """
    choose("method", method, METHODS)
    values = np.asarray(values, dtype=np.float64)
    if method == "betting":
        low, high = HedgedCapital(level).play(values)
    else:
        number = np.arange(1, len(values) + 1)
        low, high = mixture_interval(np.cumsum(values), number, level)
    if running:
        low, high = np.maximum.accumulate(low), np.minimum.accumulate(high)
    return low, high
