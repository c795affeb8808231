"""A rate from a noisy judge: what people would have found had they judged all items.

Two families. Where people labelled a random sample of the items, prediction-powered inference corrects the judge's rate by its
mean error on that sample. Where the labelled items were chosen by their label, or come from another mix, only sensitivity and
specificity carry over, and Rogan and Gladen's correction applies.

References
----------
Angelopoulos, A. N., Bates, S., Fannjiang, C., Jordan, M. I. and Zrnic, T. (2023). Prediction-powered inference. Science 382, 669-674.
https://doi.org/10.1126/science.adi6000
Angelopoulos, A. N., Duchi, J. C. and Zrnic, T. (2023). PPI++: efficient prediction-powered inference. https://arxiv.org/abs/2311.01453
Rogan, W. J. and Gladen, B. (1978). Estimating prevalence from the results of a screening test. American Journal of Epidemiology
107(1), 71-76. https://doi.org/10.1093/oxfordjournals.aje.a112510
Lee, C. et al. (2025). How to correctly report LLM-as-a-judge evaluations. https://arxiv.org/abs/2511.21140
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

from assent.profiles import Array
from assent.records import Struct

__all__ = [
    "Correction",
    "allocation",
    "corrected_shares",
    "lee",
    "post_stratified",
    "prediction_powered",
    "rogan_gladen",
    "tuned_weight",
]


class Correction(Struct, frozen=True, kw_only=True):
    """A corrected rate with its standard error and interval; nothing is clipped unless the method does so itself."""

    method: str
    value: float
    standard_error: float = math.nan
    low: float = math.nan
    high: float = math.nan
    weight: float = math.nan
    reason: str = ""


def tuned_weight(human: Array, judge: Array, others: Array) -> float:
    """Return how much the judge should count, from 0 to 1, for the narrowest interval (PPI++).

    Parameters
    ----------
    human, judge : array (labelled,)
        What people and the judge gave the labelled items.
    others : array (unlabelled,)
        What the judge gave the others.
    """
    number, more = len(human), len(others)
    # The covariance divides by n, the pooled variance by n + N - 1, as ppi_py has them.
    variance = float(np.concatenate([judge, others]).var(ddof=1))
    if variance <= 0.0:
        return 0.0
    shared = float(((human - human.mean()) * (judge - judge.mean())).mean())
    return float(np.clip(shared / ((1.0 + number / more) * variance), 0.0, 1.0))


def prediction_powered(
    human: Array,
    judge: Array,
    others: Array,
    *,
    weight: float | None = None,
    level: float = 0.95,
    student: bool = False,
) -> Correction:
    """Return the mean that people would have found, from a random sample that they labelled.

    Parameters
    ----------
    human, judge, others : array
        As `tuned_weight` takes them.
    weight : float, optional
        How much the judge counts: 1 is plain prediction-powered inference, 0 leaves it out; tuned if not given.
    student : bool
        Take the quantile of the t distribution, for few labelled items.

    Examples
    --------
    >>> human, judge = np.array([1.0, 1, 0, 1]), np.array([1.0, 0, 0, 1])
    >>> round(prediction_powered(human, judge, np.array([1.0, 1, 0, 1, 0, 1]), weight=1.0).value, 3)
    0.917
    """
    human, judge, others = (np.asarray(one, dtype=np.float64) for one in (human, judge, others))
    chosen = tuned_weight(human, judge, others) if weight is None else weight
    rest = human - chosen * judge
    value = chosen * others.mean() + rest.mean()
    error = math.sqrt(chosen**2 * others.var() / len(others) + rest.var() / len(human))
    reach = NormalDist().inv_cdf(0.5 + level / 2.0)
    if student:
        from scipy.special import stdtrit

        reach = float(stdtrit(len(human) - 1, 0.5 + level / 2.0)) if len(human) > 1 else math.nan
    return Correction(
        method="ppi" if weight == 1.0 else "ppi++",
        value=float(value),
        standard_error=error,
        low=float(value - reach * error),
        high=float(value + reach * error),
        weight=float(chosen),
    )


def post_stratified(human: Array, judge: Array, others: Array) -> float:
    """Return the rate by the shares of right verdicts among the judge's positives and negatives, over all items.

    Parameters
    ----------
    human, judge : array (labelled,) of 0 and 1
    others : array (unlabelled,) of 0 and 1
    """
    human, judge, others = (np.asarray(one, dtype=np.float64) for one in (human, judge, others))
    positive = float(np.concatenate([judge, others]).mean())
    found = 0.0
    for verdict, share in ((1.0, positive), (0.0, 1.0 - positive)):
        there = judge == verdict
        if share > 0.0:
            found += share * (float(human[there].mean()) if there.any() else math.nan)
    return found


def rogan_gladen(
    rate: float,
    items: int,
    specificity: float,
    sensitivity: float,
    negatives: int,
    positives: int,
    *,
    level: float = 0.95,
) -> Correction:
    """Return the rate that a judge of known sensitivity and specificity must have seen.

    Parameters
    ----------
    rate : float
        Share of positive verdicts.
    items : int
        Of how many items.
    negatives, positives : int
        Labelled items that these come from.

    Examples
    --------
    >>> round(rogan_gladen(0.4, 1000, 0.7, 0.9, 200, 200).value, 4)
    0.1667
    """
    reason = _useless(specificity, sensitivity, negatives, positives)
    if reason:
        return Correction(method="rogan-gladen", value=math.nan, reason=reason)
    power = specificity + sensitivity - 1.0
    value = (rate + specificity - 1.0) / power
    variance = rate * (1.0 - rate) / items
    variance += (1.0 - value) ** 2 * specificity * (1.0 - specificity) / negatives
    variance += value**2 * sensitivity * (1.0 - sensitivity) / positives
    error = math.sqrt(variance) / power
    reach = NormalDist().inv_cdf(0.5 + level / 2.0) * error
    return Correction(method="rogan-gladen", value=value, standard_error=error, low=value - reach, high=value + reach)


def lee(
    rate: float,
    items: int,
    specificity: float,
    sensitivity: float,
    negatives: int,
    positives: int,
    *,
    level: float = 0.95,
) -> Correction:
    """Return the same with the interval of Lee et al. (2025), which adds a little to every count, and is clipped to 0 and 1."""
    plain = rogan_gladen(rate, items, specificity, sensitivity, negatives, positives, level=level)
    if plain.reason:
        return Correction(method="lee", value=math.nan, reason=plain.reason)
    z = NormalDist().inv_cdf(0.5 + level / 2.0)
    p, n = (items * rate + z * z / 2.0) / (items + z * z), items + z * z
    q0, m0 = (negatives * specificity + 1.0) / (negatives + 2.0), negatives + 2.0
    q1, m1 = (positives * sensitivity + 1.0) / (positives + 2.0), positives + 2.0
    power = q0 + q1 - 1.0
    if power <= 0.0:
        return Correction(method="lee", value=plain.value, standard_error=plain.standard_error, reason=_USELESS)
    value = (p + q0 - 1.0) / power
    shift = 2.0 * z * z * (-(1.0 - value) * q0 * (1.0 - q0) / m0 + value * q1 * (1.0 - q1) / m1)
    variance = p * (1.0 - p) / n + (1.0 - value) ** 2 * q0 * (1.0 - q0) / m0 + value**2 * q1 * (1.0 - q1) / m1
    error = math.sqrt(variance) / power
    low, high = (min(1.0, max(0.0, value + shift + sign * z * error)) for sign in (-1.0, 1.0))
    clipped = min(1.0, max(0.0, plain.value))
    return Correction(method="lee", value=clipped, standard_error=error, low=min(low, clipped), high=max(high, clipped))


_USELESS = (
    "Sensitivity and specificity add up to 1 or less: the judge tells positives from negatives no better than chance, so its rate says "
    "nothing about the people's."
)


def _useless(specificity: float, sensitivity: float, negatives: int, positives: int) -> str:
    if not positives or not negatives:
        which = "positive" if not positives else "negative"
        return f"No labelled item is {which}, so the judge's errors on such items are unknown."
    return _USELESS if specificity + sensitivity <= 1.0 else ""


def allocation(rate: float, specificity: float, sensitivity: float, labels: int, *, pilot: int = 10) -> tuple[int, int]:
    """Return how many negatives and positives to label, of so many labels, for the narrowest interval (Lee et al. 2025).

    Parameters
    ----------
    rate : float
        The judge's share of positive verdicts.
    specificity, sensitivity : float
        As a pilot of so many items of each kind gives them; few items say little, so they are drawn towards one half.

    Examples
    --------
    >>> allocation(0.4, 0.7, 0.9, 200)
    (136, 64)
    """
    missed, raised = ((pilot * (1.0 - known) + 1.0) / (pilot + 2.0) for known in (sensitivity, specificity))
    ratio = (1.0 / rate - 1.0) * math.sqrt(raised / missed)
    negatives = round(labels * ratio / (1.0 + ratio))
    return negatives, labels - negatives


def corrected_shares(shares: Array, confusion: Array) -> Array:
    """Return the shares of several labels that a judge must have seen: (labels,); NaN if the judge cannot tell labels apart.

    Parameters
    ----------
    shares : array (labels,)
        Of the judge's labels.
    confusion : array (labels, labels)
        Share of each of the judge's labels (columns) among items of a true label (rows).

    Examples
    --------
    >>> corrected_shares([0.4, 0.6], [[0.9, 0.1], [0.3, 0.7]]).round(3).tolist()
    [0.167, 0.833]
    """
    confusion = np.asarray(confusion, dtype=np.float64)
    if not np.isfinite(confusion).all() or np.linalg.cond(confusion) > 1e8:
        return np.full(len(confusion), np.nan)
    return np.asarray(np.linalg.solve(confusion.T, np.asarray(shares, dtype=np.float64)))
