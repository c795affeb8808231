"""The alternative annotator test: could the judge stand in for a person? As published, and what makes it safe beside it.

References
----------
Calderon, N., Reichart, R. and Dror, R. (2025). The alternative annotator test for LLM-as-a-judge: how to statistically justify
replacing human annotators with LLMs. ACL 2025. https://arxiv.org/abs/2501.10970
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assent.analyses.judge.paired_tests import benjamini_yekutieli, t_p, tango_interval, tango_p
from assent.analyses.judge.pairs import spread
from assent.analyses.judge.panel import Items, gathered_units
from assent.analyses.judge.team import bounded, limited
from assent.inference.bootstrap import bootstrap_replicates
from assent.inference.sample import Sample
from assent.measures.results import Estimate, Interval
from assent.plain import plain
from assent.profiles import Array, Matrix, Multiplicities, Weighting, distinct_rows, units_left

__all__ = ["AlternativeTest", "HumanTest", "MeanDifference", "alternative_test", "differences", "test_of_patterns"]

#: The published settings: false discovery rate, items of a person, people of an item, share of people to win against.
FDR, MIN_ITEMS, MIN_HUMANS, ENOUGH = 0.05, 30, 2, 0.5
#: Numbers that are as good as the same, in shares of the range of a scale.
NEAR = 1e-9


@dataclass(frozen=True, kw_only=True)
class HumanTest:
    """One person held out, and who is closer to the others: the person or the judge.

    Parameters
    ----------
    annotator : str
    human_closer, tie, judge_closer : int
        Items of each kind.
    p, p_tango : float
        That the judge is worse by epsilon or more: t-test as published, and Tango's score test.
    p_cluster : float
        The same by a t-test with errors robust to clusters; NaN without clusters.
    win, win_tango : bool
        The hypothesis is rejected, at a false discovery rate over all people.
    win_cluster : bool or None
    low, high : float
        Tango's interval of the mean difference.
    """

    annotator: str
    human_closer: int
    tie: int
    judge_closer: int
    p: float
    p_tango: float
    p_cluster: float = math.nan
    win: bool
    win_tango: bool
    win_cluster: bool | None = None
    low: float
    high: float

    @property
    def n(self) -> int:
        """Items on which the person was held out."""
        return self.human_closer + self.tie + self.judge_closer

    @property
    def advantage(self) -> float:
        """Share of items on which the judge is at least as close."""
        return (self.judge_closer + self.tie) / self.n

    @property
    def difference(self) -> float:
        """Share of items on which the person is closer, less that on which the judge is."""
        return (self.human_closer - self.judge_closer) / self.n

    def to_dict(self) -> dict[str, Any]:
        """Return the test as plain values."""
        return {
            "annotator": self.annotator,
            "n": self.n,
            "human_closer": self.human_closer,
            "tie": self.tie,
            "judge_closer": self.judge_closer,
            "advantage": self.advantage,
            "difference": self.difference,
            "ci": {"low": plain(self.low), "high": plain(self.high), "method": "tango"},
            "p": plain(self.p),
            "win": self.win,
            "p_tango": plain(self.p_tango),
            "win_tango": self.win_tango,
            "p_cluster": plain(self.p_cluster),
            "win_cluster": self.win_cluster,
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class MeanDifference:
    """How much closer people are to the other people than the judge is: the alternative annotator test without steps.

    Parameters
    ----------
    estimate : Estimate or None
        Mean over people of the share of items where the person is closer, less that where the judge is.
    interval : Interval or None
    upper : float
        One-sided upper bound.
    epsilon : float
    tie_share : float
        Mean share of ties.
    """

    estimate: Estimate | None = field(default=None, repr=False)
    interval: Interval | None = None
    upper: float = math.nan
    lower: float = math.nan
    epsilon: float
    tie_share: float = math.nan
    reason: str = ""

    @property
    def value(self) -> float:
        """The mean difference."""
        return math.nan if self.estimate is None else self.estimate.value

    @property
    def noninferior(self) -> bool | None:
        """The judge is shown to be worse by less than epsilon."""
        return None if math.isnan(self.upper) else self.upper < self.epsilon

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        interval = self.interval
        return {
            "value": plain(self.value),
            "se": None if interval is None else plain(interval.standard_error),
            "ci": None if interval is None else interval.to_dict(),
            "upper": plain(self.upper),
            "epsilon": self.epsilon,
            "noninferior": self.noninferior,
            "tie_share": plain(self.tie_share),
            "reason": self.reason or None,
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class AlternativeTest:
    """The alternative annotator test of one judge.

    Parameters
    ----------
    epsilon : float
        How much worse than a person the judge may be for its lower price.
    score : {"agreement", "squared", "span-f1"}
        How closeness to the others is scored.
    humans : tuple of HumanTest
        Those with enough items.
    skipped : tuple of (str, int)
        The others, and how many items they have.
    stability : float
        Share of resamples of items (or clusters) that give the same verdict.
    passing : float
        Share of resamples that pass.
    score_gap : float
        Mean score of the judge less that of the people.
    n_items, n_dropped : int
        Items with two people or more and a label of the judge; all others.
    """

    epsilon: float
    score: str
    humans: tuple[HumanTest, ...]
    skipped: tuple[tuple[str, int], ...]
    stability: float
    passing: float
    replicates: int
    score_gap: float
    n_items: int
    n_dropped: int
    min_items: int
    clustered: bool = False

    @property
    def winning_rate(self) -> float:
        """Share of people whom the judge can stand in for, as published."""
        return _share([one.win for one in self.humans])

    @property
    def advantage(self) -> float:
        """Mean chance that the judge is at least as close as a person."""
        return float(np.mean([one.advantage for one in self.humans])) if self.humans else math.nan

    @property
    def passed(self) -> bool | None:
        """The published verdict; None if nobody could be tested."""
        return self.winning_rate >= ENOUGH if self.humans else None

    @property
    def tango_winning_rate(self) -> float:
        """The same by Tango's test."""
        return _share([one.win_tango for one in self.humans])

    @property
    def cluster_winning_rate(self) -> float:
        """The same with errors robust to clusters; NaN without clusters."""
        return _share([bool(one.win_cluster) for one in self.humans]) if self.clustered else math.nan

    @property
    def verdict(self) -> bool | None:
        """The verdict to go by: with clusters the one that allows for them."""
        return self.cluster_winning_rate >= ENOUGH if self.clustered and self.humans else self.passed

    def to_dict(self) -> dict[str, Any]:
        """Return the test as plain values."""
        known = bool(self.humans)
        return {
            "epsilon": self.epsilon,
            "score": self.score,
            "winning_rate": plain(self.winning_rate),
            "advantage": plain(self.advantage),
            "passed": self.passed,
            "stability": plain(self.stability),
            "passing_resamples": plain(self.passing),
            "replicates": self.replicates,
            "tango": {
                "winning_rate": plain(self.tango_winning_rate),
                "passed": self.tango_winning_rate >= ENOUGH if known else None,
            },
            "cluster": {
                "winning_rate": plain(self.cluster_winning_rate),
                "passed": self.verdict if self.clustered else None,
            },
            "score_gap": plain(self.score_gap),
            "humans": [one.to_dict() for one in self.humans],
            "skipped": dict(self.skipped),
            "min_items": self.min_items,
            "items": self.n_items,
            "items_dropped": self.n_dropped,
        }


def _share(wins: list[bool]) -> float:
    return sum(wins) / len(wins) if wins else math.nan


def differences(items: Items, values: Array | None) -> Array:
    """Return who is closer to the other people: 1 the person, -1 the judge, 0 neither: (profiles, people).

    Closed forms, so that no item is compared with every label: for shares of equal labels the sign of the difference of two counts; for
    squared distances on which side of the midpoint between person and judge the mean of the others lies.

    Parameters
    ----------
    items : Items
        With two people or more each and a label of the judge; what stands where a person gave no label means nothing.
    values : array (labels,), optional
        The labels as numbers, for squared distances.
    """
    person, judge = items.people, items.judge[:, None]
    if values is None:
        # The others who gave the person's label, and those who gave the judge's: the person is among neither where they differ.
        gap = items.same - 1 - items.same_as_judge[:, None]
        return np.where(person == judge, 0, np.sign(gap)).astype(np.int64)
    x, f = np.where(items.valid, values[person], 0.0), values[judge]
    others = x.sum(axis=1)[:, None] - x
    number = items.sizes[:, None] - 1.0
    beyond = number * (f + x) - 2.0 * others
    reach = NEAR * float(np.ptp(values)) if len(values) else 0.0
    beyond = np.where(np.abs(beyond) <= reach * number, 0.0, beyond)
    return np.where(person == judge, 0, np.sign(f - x) * np.sign(beyond)).astype(np.int64)


def alternative_test(
    items: Items,
    names: tuple[str, ...],
    values: Array | None,
    *,
    epsilon: float,
    level: float,
    ci: str,
    replicates: int,
    seed: int,
    unit: str,
    min_items: int = MIN_ITEMS,
) -> tuple[AlternativeTest, MeanDifference]:
    """Run the alternative annotator test of a judge.

    Parameters
    ----------
    items : Items
        All items, with the labels of the people and of the judge.
    names : tuple of str
        The people.
    values : array (labels,), optional
        The labels as numbers, for squared distances; shares of equal labels without it.
    """
    every = int(items.weights.sum())
    items = items.kept((items.sizes >= MIN_HUMANS) & (items.judge >= 0))
    gap = _score_gap(items, values, min_items)
    patterns, weights, units = _patterns(items, values)
    return test_of_patterns(
        patterns,
        weights,
        units,
        names,
        every=every,
        gap=gap,
        score="agreement" if values is None else "squared",
        epsilon=epsilon,
        level=level,
        ci=ci,
        replicates=replicates,
        seed=seed,
        unit=unit,
        min_items=min_items,
    )


def test_of_patterns(
    patterns: Array,
    weights: Array,
    units: Matrix | None,
    names: tuple[str, ...],
    *,
    every: int,
    gap: float,
    score: str,
    epsilon: float,
    level: float,
    ci: str,
    replicates: int,
    seed: int,
    unit: str,
    min_items: int,
) -> tuple[AlternativeTest, MeanDifference]:
    """Run the test on who is closer to the other people.

    Parameters
    ----------
    patterns : array (profiles, people) of integers
        3 if the person is closer, 2 if neither is, 1 if the judge is; 0 where the person was not held out.
    weights : array (profiles,)
        Items of each profile.
    units : matrix (units, profiles) or None
    names : tuple of str
        The people.
    every : int
        Items there are, whether somebody was held out on them or not.
    gap : float
        Mean score of the judge less that of the people.
    score : str
        How closeness is scored.
    """
    valid, apart = patterns > 0, patterns - 2
    number = weights @ valid
    tested = np.flatnonzero(number >= min_items)
    counts = np.stack([weights @ (patterns[:, tested] == kind) for kind in (3, 2, 1)])
    stability, passing = _stability(patterns[:, tested], weights, units, epsilon, replicates, seed)
    test = AlternativeTest(
        epsilon=epsilon,
        score=score,
        humans=_tests([names[i] for i in tested], counts, patterns[:, tested], weights, units, epsilon, level),
        skipped=tuple((names[i], int(number[i])) for i in range(len(names)) if number[i] < min_items),
        stability=stability,
        passing=passing,
        replicates=replicates,
        score_gap=gap,
        n_items=int(weights.sum()),
        n_dropped=every - int(weights.sum()),
        min_items=min_items,
        clustered=units is not None,
    )
    # Without anybody to test, the mean difference of those there are is still worth something.
    chosen = tested if len(tested) else np.flatnonzero(number > 0)
    return test, _mean_difference(
        valid[:, chosen], apart[:, chosen], weights, units, epsilon, level, ci, replicates, seed, unit
    )


def _patterns(items: Items, values: Array | None) -> tuple[Array, Array, Matrix | None]:
    """Return the distinct rows of who is closer: 0 no label, 1 the judge, 2 a tie, 3 the person; how many, and their units."""
    codes = np.where(items.valid, differences(items, values) + 2, 0)
    if not len(codes):
        return codes, items.weights, None
    patterns, place = distinct_rows(codes)
    weights = np.bincount(place, weights=items.weights, minlength=len(patterns)).astype(np.int64)
    return np.asarray(patterns), weights, gathered_units(items.units, place, len(patterns))


def _tests(
    names: list[str],
    counts: Array,
    patterns: Array,
    weights: Array,
    units: Matrix | None,
    epsilon: float,
    level: float,
) -> tuple[HumanTest, ...]:
    if not names:
        return ()
    human, tie, judge = counts
    plain_p, tango = t_p(human, tie, judge, epsilon), tango_p(human, tie, judge, epsilon)
    low, high = tango_interval(human, tie, judge, level)
    wins, wins_tango = benjamini_yekutieli(plain_p, FDR), benjamini_yekutieli(tango, FDR)
    robust = np.full(len(names), np.nan)
    if units is not None:
        robust = np.array([_clustered_p(patterns[:, i], weights, units, epsilon) for i in range(len(names))])
    wins_robust = benjamini_yekutieli(robust, FDR)
    return tuple(
        HumanTest(
            annotator=name,
            human_closer=int(human[i]),
            tie=int(tie[i]),
            judge_closer=int(judge[i]),
            p=float(plain_p[i]),
            p_tango=float(tango[i]),
            p_cluster=float(robust[i]),
            win=bool(wins[i]),
            win_tango=bool(wins_tango[i]),
            win_cluster=None if units is None else bool(wins_robust[i]),
            low=float(low[i]),
            high=float(high[i]),
        )
        for i, name in enumerate(names)
    )


def _clustered_p(pattern: Array, weights: Array, units: Matrix, epsilon: float) -> float:
    """Return the p-value of a t-test whose error lets items of a cluster depend on each other."""
    from scipy.special import stdtr

    rows = np.flatnonzero(pattern > 0)
    clusters = units_left(units, rows)
    assert clusters is not None
    number = float(weights[rows].sum())
    mean = float(weights[rows] @ (pattern[rows] - 2)) / number
    error = float(spread((pattern[rows] - 2 - mean) / number, weights[rows], clusters))
    if not error > 0.0:
        return math.nan if clusters.shape[0] < 2 or mean == epsilon else float(mean > epsilon)
    return float(stdtr(clusters.shape[0] - 1, (mean - epsilon) / error))


def _stability(
    patterns: Array, weights: Array, units: Matrix | None, epsilon: float, replicates: int, seed: int
) -> tuple[float, float]:
    """Return the share of resamples with the verdict of the data, and the share that passes."""
    if not patterns.shape[1] or not replicates:
        return math.nan, math.nan
    kinds = np.hstack([patterns == kind for kind in (3, 2, 1)]).astype(np.float64)
    many = patterns.shape[1]

    def passes(weighting: Weighting) -> Array:
        totals = weighting.total(kinds)
        p_values = t_p(totals[..., :many], totals[..., many : 2 * many], totals[..., 2 * many :], epsilon)
        return np.asarray(benjamini_yekutieli(p_values, FDR).mean(axis=-1) >= ENOUGH, dtype=np.float64)

    passing = float(bootstrap_replicates(Sample(passes, weights, units), replicates=replicates, seed=seed).mean())
    return (passing if passes(Multiplicities(weights)) else 1.0 - passing), passing


def _mean_difference(
    valid: Array,
    apart: Array,
    weights: Array,
    units: Matrix | None,
    epsilon: float,
    level: float,
    ci: str,
    replicates: int,
    seed: int,
    unit: str,
) -> MeanDifference:
    rows = np.flatnonzero(valid.any(axis=1))
    if not len(rows):
        return MeanDifference(
            epsilon=epsilon, reason="No item has labels of two people and of the judge, so nobody can be held out."
        )
    valid, apart = valid[rows], np.where(valid, apart, 0)[rows]
    weights, units = weights[rows], units_left(units, rows)
    many = valid.shape[1]
    terms = np.hstack([apart, valid]).astype(np.float64)

    def statistic(weighting: Weighting) -> Array:
        totals = weighting.total(terms)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray((totals[..., :many] / totals[..., many:]).mean(-1))

    value = float(statistic(Multiplicities(weights)))
    ties = (weights @ (valid & (apart == 0))) / (weights @ valid)
    estimate = Estimate(value=value, sample=Sample(statistic, weights, units), unit=unit)
    settings: dict[str, Any] = {"method": ci, "replicates": replicates, "seed": seed}
    interval, lower, upper = bounded(estimate, level, 1.0, **settings)
    return MeanDifference(
        estimate=estimate,
        interval=limited(interval, -1.0, 1.0),
        upper=upper,
        lower=lower,
        epsilon=epsilon,
        tie_share=float(ties.mean()),
    )


def _score_gap(items: Items, values: Array | None, min_items: int) -> float:
    """Return the mean score of the judge less that of a person, against the others: shares, or minus the root of the mean square."""
    number = items.sizes[:, None] - 1.0
    with np.errstate(divide="ignore", invalid="ignore"):
        if values is None:
            agreeing = items.same_as_judge[:, None] - (items.people == items.judge[:, None])
            gap = (agreeing - (items.same - 1)) / number
        else:
            x = np.where(items.valid, values[items.people], 0.0)
            f = values[items.judge][:, None]
            others, squares = x.sum(axis=1)[:, None] - x, (x**2).sum(axis=1)[:, None] - x**2
            own, its = (np.sqrt(np.maximum(y**2 + (squares - 2.0 * y * others) / number, 0.0)) for y in (x, f))
            gap = own - its
        each = items.weights @ items.valid
        sums = items.weights @ np.where(items.valid, gap, 0.0)
        tested = each >= min_items if (each >= min_items).any() else each > 0
        return float((sums[tested] / each[tested]).mean()) if tested.any() else math.nan
