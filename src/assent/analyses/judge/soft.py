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
from typing import Any

import numpy as np
from msgspec.structs import replace

from assent.analyses.judge.pairs import spread
from assent.analyses.judge.panel import Items
from assent.inference.intervals import normal_interval
from assent.limits import LABELS_IN_MATRIX
from assent.profiles import Array
from assent.records import Struct, cached_property, plain

__all__ = ["SoftLabels", "distances", "soft_shares", "soft_verdicts"]

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


class SoftLabels(Struct, frozen=True, kw_only=True):
    """A judge's distribution beside the people's, over items with two people or more.

    Parameters
    ----------
    squared_unbiased, low, high : float
        Mean squared distance from what ever more people would say, with interval.
    squared_person, squared_panel : float
        The same of one more person, and of a second panel of as many people.
    manhattan : float
        Mean Manhattan distance from the people there are.
    half_judge, half_panel : float
        From one half of the people, mean over all halves: of the judge, and of the other half. NaN without items of four people.
    cross_entropy, jsd_bits : float
        Of distributions; NaN for verdicts, which give all other labels no chance.
    n_impossible : int
        Items where the judge gives no chance to a label that somebody gave.
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
    cross_entropy: float = math.nan
    jsd_bits: float = math.nan
    n_impossible: int

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
            "jsd_bits": plain(self.jsd_bits),
            "impossible": self.n_impossible,
        }


def soft_verdicts(items: Items, *, level: float) -> SoftLabels | None:
    """Score verdicts as distributions that are sure of one label; None where no item has two people and a verdict.

    With shares p of the people and a verdict f, the squared distance is Σp² - 2 p_f + 1 and the Manhattan distance 2 - 2 p_f.
    """
    items = items.kept((items.sizes >= 2) & (items.judge >= 0))
    if not len(items.weights):
        return None
    share = items.same_as_judge / items.sizes
    people = _People(items)
    manhattan = 2.0 - 2.0 * share
    # The distance from a verdict is linear in the shares: halves of the people have the same mean as all.
    return _scored(people, people.squares - 2.0 * share + 1.0, manhattan, manhattan, share < 1.0, level)


def soft_shares(items: Items, predicted: Array, *, level: float) -> SoftLabels | None:
    """Score a judge's distributions; None where no item has two people.

    Parameters
    ----------
    predicted : array (profiles, labels)
    """
    rows = items.sizes >= 2
    if not rows.any() or predicted.shape[1] > LABELS_IN_MATRIX:
        return None
    items, predicted = items.kept(rows), predicted[rows]
    counts = np.zeros(predicted.shape)
    r, c = np.nonzero(items.valid)
    np.add.at(counts, (r, items.people[r, c]), 1.0)
    found = distances(counts, predicted)
    impossible = np.asarray(((counts > 0) & (predicted <= 0)).any(axis=1))
    made = _scored(
        _People(items), found["squared"], found["manhattan"], _from_halves(counts, predicted), impossible, level
    )
    total = float(items.weights.sum())
    entropy, bits = (float(items.weights @ found[name]) / total for name in ("cross_entropy", "jsd_bits"))
    return replace(made, cross_entropy=entropy, jsd_bits=bits)


class _People(Struct, frozen=True, eq=False, dict=True):
    """How the people of an item spread over the labels, by how many gave each person's label."""

    items: Items

    @property
    def sizes(self) -> Array:
        return np.asarray(self.items.sizes, dtype=np.float64)

    @cached_property
    def squares(self) -> Array:
        """Sum of the squared shares: (profiles,)."""
        return np.asarray(self.items.same.sum(axis=1) / self.sizes**2)

    @cached_property
    def spare(self) -> Array:
        """The squared distance of a panel of this size from what ever more people would say, without bias: (profiles,)."""
        return np.asarray((1.0 - self.squares) / (self.sizes - 1.0))

    @cached_property
    def halves(self) -> Array:
        """Manhattan distance of two halves of the people, mean over all of them; NaN below four people: (profiles,)."""
        found = np.full(len(self.sizes), np.nan)
        for size in np.unique(self.items.sizes[self.items.sizes >= 4]):
            rows = np.flatnonzero(self.items.sizes == size)
            chance, mine, others = _split(int(size))
            # Of each label, a share for each person who gave it.
            each = np.array([0.0, *((chance * np.abs(mine - others)).sum(axis=1)[1:] / np.arange(1, size + 1))])
            found[rows] = each[self.items.same[rows]].sum(axis=1)
        return found


def _split(size: int) -> tuple[Array, Array, Array]:
    """Deal people into halves: how likely so many of those who gave a label are in the first, and the shares of both halves.

    Returns
    -------
    chance : array (votes for a label, votes of the first half); hypergeometric
    mine, others : array (1, votes of the first half), (votes for a label, votes of the first half)
    """
    half = size // 2
    chance = np.array(
        [
            [math.comb(votes, k) * math.comb(size - votes, half - k) / math.comb(size, half) for k in range(half + 1)]
            for votes in range(size + 1)
        ]
    )
    inside = np.arange(half + 1)[None, :]
    return chance, inside / half, (np.arange(size + 1)[:, None] - inside) / (size - half)


def _from_halves(counts: Array, predicted: Array) -> Array:
    """Return the Manhattan distance of distributions from half of the people, mean over all halves: (items,)."""
    sizes = counts.sum(axis=1).astype(np.int64)
    found = np.full(len(counts), np.nan)
    for size in np.unique(sizes[sizes >= 4]):
        rows = np.flatnonzero(sizes == size)
        chance, mine, _ = _split(int(size))
        likely = chance[counts[rows].astype(np.int64)]
        found[rows] = (likely * np.abs(mine - predicted[rows][..., None])).sum(axis=(1, 2))
    return found


def _scored(
    people: _People, squared: Array, manhattan: Array, halved: Array, impossible: Array, level: float
) -> SoftLabels:
    """Take means over items."""
    items = people.items
    weights, total = items.weights, float(items.weights.sum())
    unbiased = squared - people.spare
    value = float(weights @ unbiased) / total
    error = float(spread((unbiased - value) / total, weights, items.units))
    degrees = (int(total) if items.units is None else items.units.shape[0]) - 1
    low, high = normal_interval(value, error, level, degrees)
    four = np.flatnonzero(items.sizes >= 4)
    many = float(weights[four].sum())
    judge, panel = (float(weights[four] @ one[four]) / many if many else math.nan for one in (halved, people.halves))
    return SoftLabels(
        n_items=int(total),
        squared_unbiased=value,
        low=low,
        high=high,
        # A vote is as far off as a panel of n people is, n times over.
        squared_person=float(weights @ (people.spare * people.sizes)) / total,
        squared_panel=float(weights @ people.spare) / total,
        manhattan=float(weights @ manhattan) / total,
        half_judge=judge,
        half_panel=panel,
        n_impossible=int(weights[impossible].sum()),
    )
