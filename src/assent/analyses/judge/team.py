"""Is the judge as close to the people as they are to each other? Mean kappas, their difference, and what it proves."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from assent.analyses.judge.pairs import InfluenceSample, PairKappas
from assent.analyses.judge.panel import Items, Panel
from assent.measures.results import Estimate, Interval, plain
from assent.profiles import Array, Multiplicities, Weighting, units_left

__all__ = ["People", "Team", "compared"]

#: Pairs of people whose kappas are worked out; of a larger crowd there is no mean over pairs.
MOST_PAIRS = 5000


@dataclass(frozen=True, kw_only=True, eq=False)
class Team:
    """A judge beside the people.

    Parameters
    ----------
    human_human, human_judge : float
        Mean kappa of two people, on all items; and of a person with the judge. NaN if undefined.
    difference : Estimate or None
        The second minus the first; None if one of them is undefined.
    interval : Interval or None
        Of the difference, two-sided.
    low, high : float
        One-sided bounds of the difference, each at the level of the interval.
    margin : float
        How much worse than a person the judge may be.
    margin_given : bool
        The margin is the user's, not the one suggested.
    p_noninferior, p_equivalent : float
    pairs_human, pairs_judge : int
        Pairs in the means.
    pairs_left_out : int
        Pairs that share too few items, or whose kappa is undefined.
    human_human_judged : float
        Mean kappa of two people on the items that the judge labelled.
    judge_interval : Interval or None
        Of the mean kappa of a person with the judge.
    by_person : tuple of (str, float, int)
        Kappa of each person with the judge, and the items that both labelled.
    reason : str
        Why there is no difference; empty if there is one.
    """

    human_human: float
    human_judge: float
    difference: Estimate | None = field(default=None, repr=False)
    interval: Interval | None = None
    low: float = math.nan
    high: float = math.nan
    margin: float
    margin_given: bool
    p_noninferior: float = math.nan
    p_equivalent: float = math.nan
    pairs_human: int
    pairs_judge: int
    pairs_left_out: int
    human_human_judged: float
    judge_interval: Interval | None = None
    by_person: tuple[tuple[str, float, int], ...] = ()
    average: str
    weights: str
    min_shared: int
    reason: str = ""

    @property
    def noninferior(self) -> bool | None:
        """The judge is shown to be at most the margin worse than a person; None if there is no difference to tell by."""
        return None if math.isnan(self.low) else self.low > -self.margin

    @property
    def inferior(self) -> bool | None:
        """The judge is shown to be worse than a person by more than the margin."""
        return None if math.isnan(self.high) else self.high < -self.margin

    @property
    def equivalent(self) -> bool | None:
        """The judge is shown to be neither worse nor better than a person by more than the margin."""
        return None if math.isnan(self.low) else self.low > -self.margin and self.high < self.margin

    @property
    def smallest_margin(self) -> float:
        """The smallest margin at which the judge would be shown not to be worse."""
        return max(0.0, -self.low) if not math.isnan(self.low) else math.nan

    @property
    def smallest_equivalence_margin(self) -> float:
        """The smallest margin at which the judge would be shown to be equivalent."""
        return max(abs(self.low), abs(self.high)) if not math.isnan(self.low) else math.nan

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain values."""
        interval = self.interval
        return {
            "human_human": plain(self.human_human),
            "human_judge": plain(self.human_judge),
            "human_judge_ci": None if self.judge_interval is None else self.judge_interval.to_dict(),
            "difference": None if self.difference is None else plain(self.difference.value),
            "standard_error": None if interval is None else plain(interval.standard_error),
            "ci": None if interval is None else interval.to_dict(),
            "one_sided": {"low": plain(self.low), "high": plain(self.high)},
            "margin": self.margin,
            "margin_given": self.margin_given,
            "noninferior": self.noninferior,
            "p_noninferior": plain(self.p_noninferior),
            "equivalent": self.equivalent,
            "p_equivalent": plain(self.p_equivalent),
            "smallest_margin": plain(self.smallest_margin),
            "smallest_equivalence_margin": plain(self.smallest_equivalence_margin),
            "human_human_on_judged_items": plain(self.human_human_judged),
            "humans": [
                {"annotator": name, "kappa": plain(value), "items": many} for name, value, many in self.by_person
            ],
            "pairs": {"human": self.pairs_human, "judge": self.pairs_judge, "left_out": self.pairs_left_out},
            "average": self.average,
            "weights": self.weights,
            "min_shared": self.min_shared,
            "reason": self.reason or None,
        }


@dataclass(frozen=True, eq=False)
class People:
    """How far people agree with each other: the same for every judge.

    Parameters
    ----------
    panel : Panel
    min_shared : int
        Pairs that share fewer items are left out.
    average : str
    """

    panel: Panel
    min_shared: int
    average: str

    def chosen(self, one: Array, two: Array, weights: Array) -> tuple[PairKappas, Array]:
        """Return the pairs that share enough items and have a kappa, and which of those given these are."""
        panel = self.panel
        pairs = PairKappas(one, two, panel.agree, len(panel.labels), self.average)
        values, number = pairs.kappas(Multiplicities(weights))
        kept = np.flatnonzero((number >= self.min_shared) & ~np.isnan(values))
        if len(kept) < len(values):
            pairs = PairKappas(one[:, kept], two[:, kept], panel.agree, len(panel.labels), self.average)
        return pairs, kept

    def among(self, codes: Array, weights: Array) -> tuple[PairKappas | None, int]:
        """Return the pairs of people who share enough items, and how many pairs there are at all."""
        many = codes.shape[1]
        every = np.array(list(combinations(range(many), 2)), dtype=np.int64).reshape(-1, 2)
        if not len(every) or len(every) > MOST_PAIRS:
            return None, len(every)
        pairs, kept = self.chosen(codes[:, every[:, 0]], codes[:, every[:, 1]], weights)
        return (pairs if len(kept) else None), len(every)


def compared(
    people: People, items: Items, *, margin: float, margin_given: bool, level: float, ci: str, replicates: int, seed: int
) -> Team:
    """Compare a judge with the people.

    Parameters
    ----------
    people : People
    items : Items
        All items, with the labels of the people and of the judge.
    margin : float
    level : float
        Confidence level, of the interval and of either one-sided bound.
    ci : str
        How the interval is made, as `Estimate.confidence_interval` takes it.
    """
    panel = people.panel
    # An item that neither two people nor a person and the judge labelled says nothing here.
    items = items.kept((items.sizes + (items.judge >= 0) >= 2) & (items.sizes >= 1))
    weights = np.asarray(items.weights, dtype=np.float64)
    counted = Multiplicities(weights)
    human, every = people.among(items.people, weights)
    beside = np.broadcast_to(items.judge[:, None], items.people.shape)
    with_judge, kept = people.chosen(items.people, beside, weights)
    judged = items.judge >= 0
    on_judged, _ = people.among(items.people[judged], weights[judged])
    between = float(human.mean(counted)) if human is not None else math.nan
    with_each = float(with_judge.mean(counted)) if len(kept) else math.nan
    values, numbers = PairKappas(items.people, beside, panel.agree, len(panel.labels)).kappas(counted)
    found: dict[str, Any] = {
        "human_human": between,
        "human_judge": with_each,
        "margin": margin,
        "margin_given": margin_given,
        "pairs_human": 0 if human is None else human.one.shape[1],
        "pairs_judge": len(kept),
        "pairs_left_out": every + len(panel.people) - len(kept) - (0 if human is None else human.one.shape[1]),
        "human_human_judged": math.nan if on_judged is None else float(on_judged.mean(Multiplicities(weights[judged]))),
        "by_person": tuple(
            (name, float(value), int(many)) for name, value, many in zip(panel.people, values, numbers, strict=True)
        ),
        "average": people.average,
        "weights": panel.agree.name,
        "min_shared": people.min_shared,
    }
    settings: dict[str, Any] = {"method": ci, "replicates": replicates, "seed": seed}
    if len(kept):
        known = with_judge.influences(counted)
        rows = np.flatnonzero(judged)
        alone = Estimate(
            value=with_each,
            sample=InfluenceSample(
                PairKappas(items.people[rows][:, kept], beside[rows][:, kept], panel.agree, len(panel.labels), people.average).mean,
                items.weights[rows],
                units_left(items.units, rows),
                known=known[rows],
            ),
            unit=panel.unit,
        )
        found["judge_interval"] = alone.confidence_interval(level, **settings)
    if human is None or not len(kept):
        return Team(**found, reason=_reason(people, every, human is None))
    pairs = human

    def statistic(weighting: Weighting) -> Array:
        return np.asarray(with_judge.mean(weighting) - pairs.mean(weighting))

    sample = InfluenceSample(statistic, items.weights, items.units, known=known - pairs.influences(counted))
    estimate = Estimate(value=with_each - between, sample=sample, unit=panel.unit)
    interval = estimate.confidence_interval(level, **settings)
    # The ends of an interval with twice the error are one-sided bounds.
    bounds = estimate.confidence_interval(2.0 * level - 1.0, **settings)
    worse, better = _p_values(estimate.value, interval.standard_error, sample.degrees, margin)
    return Team(
        **found,
        difference=estimate,
        interval=interval,
        low=bounds.low,
        high=bounds.high,
        p_noninferior=worse,
        p_equivalent=max(worse, better),
    )


def _p_values(value: float, error: float, degrees: int, margin: float) -> tuple[float, float]:
    """Return the p-values of "worse by the margin or more" and "better by the margin or more"."""
    if math.isnan(error) or degrees < 1:
        return math.nan, math.nan
    if error == 0.0:
        return float(value <= -margin), float(value >= margin)
    from scipy.special import stdtr

    return float(stdtr(degrees, -(value + margin) / error)), float(stdtr(degrees, (value - margin) / error))


def _reason(people: People, every: int, nobody: bool) -> str:
    """Say why there is no difference."""
    panel = people.panel
    if len(panel.people) == 1:
        return (
            "There is one person only, so nobody knows how far people agree with each other: the kappa of that person and the judge "
            "stands alone."
        )
    if every > MOST_PAIRS:
        return f"There are {every:,} pairs of people, more than {MOST_PAIRS:,}: no mean over pairs was taken."
    who = "two people" if nobody else "a person and the judge"
    return (
        f"No kappa of {who} is defined on {people.min_shared} items or more that both labelled: too few items are shared, or all of them "
        "have one label."
    )

