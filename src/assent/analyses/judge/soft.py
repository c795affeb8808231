"""Soft labels: how far a judge's distribution over the labels is from the people's, whatever the number of people.

Most distances grow with the noise of few people: with three of them even a perfect judge is far off. The squared distance can be
freed of that exactly; for the others a second panel of people, scored in the same way, says what could be reached.

References
----------
Uma, A. N. et al. (2021). Learning from disagreement: a survey. Journal of Artificial Intelligence Research 72, 1385-1470.
https://doi.org/10.1613/jair.1.12752
Rizzi, G., Leonardelli, E., Poesio, M., Uma, A., Pavlovic, M., Paun, S., Rosso, P. and Fersini, E. (2024). Soft metrics for evaluation with
disagreements: an assessment. NLPerspectives 2024.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from assent.analyses.judge.pairs import spread
from assent.analyses.judge.panel import Items
from assent.inference.intervals import normal_interval
from assent.limits import LABELS_IN_MATRIX
from assent.measures.results import plain
from assent.profiles import Array, Matrix, units_left

__all__ = ["SoftLabels", "distances", "soft_labels"]

#: A probability of 0 for a label that somebody gave is taken as this.
FLOOR = 1e-12


def distances(counts: Array, predicted: Array) -> dict[str, Array]:
    """Return how far a judge's distribution is from the people's, by several distances: (items,) each.

    Parameters
    ----------
    counts : array (items, labels)
        How many people gave each label; one or more an item.
    predicted : array (items, labels)
        The judge's probabilities.

    Returns
    -------
    mapping of str to array
        ``cross_entropy`` (natural logarithm), ``manhattan``, ``total_variation``, ``euclidean``, ``squared``, ``jsd_bits``,
        ``entropy_human``, ``entropy_judge``, and ``squared_unbiased``, which does not depend on the number of people and is NaN for
        one person.

    Examples
    --------
    >>> found = distances([[3, 2, 0]], [[0.5, 0.4, 0.1]])
    >>> found["manhattan"].round(3).tolist(), found["squared_unbiased"].round(3).tolist()
    ([0.2], [-0.1])
    """
    counts, predicted = np.asarray(counts, dtype=np.float64), np.asarray(predicted, dtype=np.float64)
    sizes = counts.sum(axis=1)
    shares = counts / sizes[:, None]
    apart = shares - predicted
    squared = (apart**2).sum(axis=1)
    middle = (shares + predicted) / 2.0
    with np.errstate(divide="ignore", invalid="ignore"):
        noise = (1.0 - (shares**2).sum(axis=1)) / (sizes - 1.0)
        unbiased = np.where(sizes > 1, squared - noise, np.nan)
    own, its = _entropy(shares), _entropy(predicted)
    manhattan = np.abs(apart).sum(axis=1)
    return {
        "cross_entropy": -(shares * np.log(np.maximum(predicted, FLOOR))).sum(axis=1),
        "manhattan": manhattan,
        "total_variation": manhattan / 2.0,
        "euclidean": np.sqrt(squared),
        "squared": squared,
        "jsd_bits": np.maximum(_entropy(middle) - (own + its) / 2.0, 0.0) / math.log(2.0),
        "entropy_human": own,
        "entropy_judge": its,
        "squared_unbiased": unbiased,
    }


def _entropy(shares: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(-np.where(shares > 0, shares * np.log(shares), 0.0).sum(axis=1))


@dataclass(frozen=True, kw_only=True)
class SoftLabels:
    """A judge's distribution beside the people's, over items with two people or more.

    Parameters
    ----------
    n_items : int
    squared_unbiased, low, high : float
        Mean squared distance from what ever more people would say, with interval.
    squared_person : float
        The same of one more person: what a single vote scores.
    manhattan : float
        Mean Manhattan distance from the people there are.
    half_judge, half_panel : float
        From one half of the people, mean over all halves: of the judge, and of the other half. NaN without items of four people.
    cross_entropy : float
    n_impossible : int
        Items where the judge gives no chance to a label that somebody gave.
    jsd_bits : float
    """

    n_items: int
    squared_unbiased: float
    low: float
    high: float
    squared_person: float
    squared_panel: float
    manhattan: float
    half_judge: float
    half_panel: float
    cross_entropy: float
    n_impossible: int
    jsd_bits: float

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "items": self.n_items,
            "squared_unbiased": plain(self.squared_unbiased),
            "ci": {"low": plain(self.low), "high": plain(self.high)},
            "squared_of_one_person": plain(self.squared_person),
            "squared_of_a_second_panel": plain(self.squared_panel),
            "manhattan": plain(self.manhattan),
            "manhattan_to_half_of_the_people": plain(self.half_judge),
            "manhattan_of_the_other_half": plain(self.half_panel),
            "cross_entropy": plain(self.cross_entropy),
            "impossible": self.n_impossible,
            "jsd_bits": plain(self.jsd_bits),
        }


def soft_labels(items: Items, predicted: Array, labels: int, *, level: float) -> SoftLabels | None:
    """Score a judge's distributions against the people's; None where no item has two people, or with very many labels.

    Parameters
    ----------
    items : Items
    predicted : array (profiles, labels)
        Probabilities; a row of NaN where the judge says nothing.
    labels : int
    """
    rows = np.flatnonzero((items.sizes >= 2) & np.isfinite(predicted).all(axis=1))
    if not len(rows) or labels > LABELS_IN_MATRIX:
        return None
    weights, units = items.weights[rows], units_left(items.units, rows)
    counts = np.zeros((len(rows), labels))
    r, c = np.nonzero(items.valid[rows])
    np.add.at(counts, (r, items.people[rows][r, c]), 1.0)
    given = predicted[rows]
    found = distances(counts, given)
    total = float(weights.sum())

    def mean(values: Array) -> float:
        return float(weights @ values) / total

    value = mean(found["squared_unbiased"])
    low, high = _interval(found["squared_unbiased"], value, weights, units, level)
    sizes = counts.sum(axis=1)
    spare = (1.0 - ((counts / sizes[:, None]) ** 2).sum(axis=1)) / (sizes - 1.0)
    four = np.flatnonzero(sizes >= 4)
    halves = _halves(counts[four], given[four]) if len(four) else (np.array([]), np.array([]))
    many = float(weights[four].sum())
    judge, panel = (float(weights[four] @ one) / many if many else math.nan for one in halves)
    return SoftLabels(
        n_items=int(total),
        squared_unbiased=value,
        low=low,
        high=high,
        # A vote differs from the tendency by 1 - Σp², a panel of n by one n-th of that; both without bias from the people there are.
        squared_person=mean(spare * sizes),
        squared_panel=mean(spare),
        manhattan=mean(found["manhattan"]),
        half_judge=judge,
        half_panel=panel,
        cross_entropy=mean(found["cross_entropy"]),
        n_impossible=int(weights[((counts > 0) & (given <= 0)).any(axis=1)].sum()),
        jsd_bits=mean(found["jsd_bits"]),
    )


def _interval(values: Array, mean: float, weights: Array, units: Matrix | None, level: float) -> tuple[float, float]:
    """Return the interval of a mean over items."""
    error = float(spread((values - mean) / weights.sum(), weights, units))
    degrees = (int(weights.sum()) if units is None else units.shape[0]) - 1
    return normal_interval(mean, error, level, degrees)


def _halves(counts: Array, predicted: Array) -> tuple[Array, Array]:
    """Return the Manhattan distance from half of the people, mean over all halves: of the judge, and of the other half.

    How many of those who gave a label are in a half is hypergeometric, so nothing is drawn.
    """
    from scipy.stats import hypergeom

    sizes = counts.sum(axis=1).astype(np.int64)
    judge, panel = np.zeros(len(counts)), np.zeros(len(counts))
    for size in np.unique(sizes):
        rows = np.flatnonzero(sizes == size)
        half = int(size) // 2
        inside = np.arange(half + 1)
        # (votes for a label, votes of the half for it)
        chance = np.array([hypergeom.pmf(inside, size, votes, half) for votes in range(int(size) + 1)])
        votes = counts[rows].astype(np.int64)
        likely = chance[votes]
        share = inside / half
        others = (votes[..., None] - inside) / (size - half)
        panel[rows] = (likely * np.abs(share - others)).sum(axis=(1, 2))
        judge[rows] = (likely * np.abs(share - predicted[rows][..., None])).sum(axis=(1, 2))
    return judge, panel
