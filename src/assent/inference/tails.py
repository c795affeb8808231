"""Tails of the t, F, chi-squared and binomial distributions, without scipy, which takes longer to import than a small table to be measured.

All but the chi-squared follow from one function, the incomplete beta function. Tests hold them against scipy.

References
----------
Abramowitz, M. and Stegun, I. A. (1964). Handbook of mathematical functions, 26.4.4, 26.4.5, 26.5.24, 26.5.27, 26.5.28.
DiDonato, A. R. and Morris, A. H. (1992). Algorithm 708: significant digit computation of the incomplete beta function ratios. ACM
Transactions on Mathematical Software 18(3), 360-373.
Loader, C. (2000). Fast and accurate computation of binomial probabilities.
"""

from __future__ import annotations

import math
from statistics import NormalDist

__all__ = ["binomial_tail", "chi_squared_tail", "f_quantile", "t_tail"]

#: A fraction, a series or an iteration ends where a further step changes nothing that a float could show.
_NOTHING = 1e-16
_MOST_STEPS = 100_000
#: The outcomes of so few coins are counted, which leaves no error at all.
_COUNTED = 500
#: Logarithms of odds beyond this are those of odds that no float holds.
_LARGEST = 700.0


def t_tail(value: float, degrees: float) -> float:
    """Return how likely a t below `value` is.

    Examples
    --------
    >>> round(t_tail(-2.0, 10), 4)
    0.0367
    """
    square = value * value
    if square == 0.0:
        return 0.5
    if math.isinf(square):
        return 0.0 if value < 0 else 1.0
    beyond, _ = _beta_tails(degrees / 2.0, 0.5, degrees / (degrees + square), square / (degrees + square))
    return beyond / 2.0 if value < 0 else 1.0 - beyond / 2.0


def binomial_tail(successes: int, trials: int) -> float:
    """Return how likely so many or fewer heads of fair coins are.

    Examples
    --------
    >>> binomial_tail(1, 4)
    0.3125
    """
    if successes >= trials:
        return 1.0
    if trials <= _COUNTED:
        return float(sum(math.comb(trials, heads) for heads in range(successes + 1)) / 2**trials)
    return _beta_tails(trials - successes, successes + 1.0, 0.5, 0.5)[0]


def chi_squared_tail(value: float, degrees: int) -> float:
    """Return how likely a sum of so many squares above `value` is, for a whole number of degrees of freedom.

    Examples
    --------
    >>> round(chi_squared_tail(3.84, 1), 3)
    0.05
    """
    half = value / 2.0
    total = math.erfc(math.sqrt(half)) if degrees % 2 else 0.0
    # Terms of a Poisson distribution, by logarithms: their first may be too small for a float where later ones are not.
    start = 0.5 if degrees % 2 else 0.0
    return total + sum(
        math.exp(power * math.log(half) - half - math.lgamma(power + 1.0)) if half else float(power == 0.0)
        for power in (start + i for i in range(degrees // 2))
    )


def f_quantile(probability: float, first: float, second: float) -> float:
    """Return the F below which a share of its distribution lies.

    Parameters
    ----------
    probability : float
    first, second : float
        Degrees of freedom, of the numerator and the denominator.

    Examples
    --------
    >>> round(f_quantile(0.95, 3, 20), 3)
    3.098
    """
    if not (0.0 < probability < 1.0 and 0.0 < first < math.inf and 0.0 < second < math.inf):
        return math.nan
    a, b = first / 2.0, second / 2.0
    # The logarithm of the odds of the beta is nearly normal; Newton's steps with the curvature (Halley's) do the rest.
    spread = math.sqrt(1.0 / a + 1.0 / b)
    odds = math.log(a / b) + NormalDist().inv_cdf(probability) * spread
    low, high, step = -math.inf, math.inf, math.inf
    # The error after a step is of the order of its cube.
    while abs(step) > 1e-6 * spread:
        if abs(odds) > _LARGEST:
            return math.inf if odds > 0.0 else 0.0
        share, rest = 1.0 / (1.0 + math.exp(-odds)), 1.0 / (1.0 + math.exp(odds))
        below, above = _beta_tails(a, b, share, rest)
        gap = below - probability if probability < 0.5 else (1.0 - probability) - above
        low, high = (low, odds) if gap > 0.0 else (odds, high)
        newton = gap / max(_beta_terms(a, b, share, rest), 1e-300)
        step = newton / max(0.5, 1.0 - newton * (a * rest - b * share) / 2.0)
        step = max(-3.0 * spread, min(3.0 * spread, step))
        if not low <= odds - step <= high:
            step = odds - (low + high) / 2.0
        odds -= step
    return second / first * math.exp(odds)


def _beta_tails(a: float, b: float, share: float, rest: float) -> tuple[float, float]:
    """Return the incomplete beta function at `share`, and what is missing to 1; `rest` is 1 - `share`, with all its digits."""
    if a * rest >= b * share:
        below = _beta_terms(a, b, share, rest) * _fraction(a, b, share, rest)
        return below, 1.0 - below
    above = _beta_terms(b, a, rest, share) * _fraction(b, a, rest, share)
    return 1.0 - above, above


def _fraction(a: float, b: float, share: float, rest: float) -> float:
    """Return the continued fraction of the incomplete beta function below its mean, front to back as Lentz does it."""
    gap = a * rest - b * share
    value = front = a / (a + 1.0) * (gap + 1.0)
    back = 0.0
    for n in range(1, _MOST_STEPS):
        odd = a + 2.0 * n - 1.0
        over = n * (b - n) * share
        part = over * share * (a + n - 1.0) * (a + b + n - 1.0) / odd**2
        plus = n + over / odd + (a + n) / (odd + 2.0) * (gap + 1.0 + n * (1.0 + rest))
        front = plus + part / front
        back = 1.0 / (plus + part * back)
        change = front * back
        value *= change
        if abs(change - 1.0) <= _NOTHING:
            break
    return 1.0 / value


def _beta_terms(a: float, b: float, share: float, rest: float) -> float:
    """Return share ** a * rest ** b over the beta function of a and b, to nearly all digits however large they are."""
    both = a + b
    # How much more than expected, with the digits that the difference of the two would lose.
    more = a * rest - b * share
    exponent = _stirling(both) - _stirling(a) - _stirling(b)
    exponent -= _deviance(a, both * share, more) + _deviance(b, both * rest, -more)
    return math.sqrt(a * b / (2.0 * math.pi * both)) * math.exp(exponent)


def _stirling(value: float) -> float:
    """Return what Stirling's formula leaves of log(value!)."""
    if value < 16.0:
        return math.lgamma(value + 1.0) - (value + 0.5) * math.log(value) + value - 0.5 * math.log(2.0 * math.pi)
    square = value * value
    return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square) / square) / square) / value


def _deviance(seen: float, expected: float, gap: float) -> float:
    """Return seen * log(seen / expected) - gap, which is small where the gap, seen - expected, is."""
    if not expected:
        return math.inf
    ratio = gap / (seen + expected)
    if abs(ratio) > 0.1:
        return seen * math.log(seen / expected) - gap
    # 2 * seen * (ratio**3 / 3 + ratio**5 / 5 + …) besides; eight terms of a ratio of a tenth are all that a float can show.
    square = ratio * ratio
    series = sum(square**power / (2.0 * power + 1.0) for power in range(8, 0, -1))
    return gap * ratio + 2.0 * seen * ratio * series
