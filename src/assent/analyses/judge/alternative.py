"""The alternative annotator test: could the judge stand in for a person? As published, and what makes it safe beside it.

References
----------
Calderon, N., Reichart, R. and Dror, R. (2025). The alternative annotator test for LLM-as-a-judge: how to statistically justify
replacing human annotators with LLMs. ACL 2025. https://arxiv.org/abs/2501.10970
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from assent.analyses.judge.alternative_result import ENOUGH, AlternativeTest, HumanTest, MeanDifference
from assent.analyses.judge.paired_tests import benjamini_yekutieli, t_p, tango_interval, tango_p
from assent.analyses.judge.pairs import spread
from assent.analyses.judge.panel import Items, gathered_units
from assent.analyses.judge.team import bounded, limited
from assent.inference.bootstrap import bootstrap_replicates
from assent.inference.sample import Sample
from assent.measures.results import Estimate
from assent.profiles import Array, Matrix, Multiplicities, Weighting, distinct_rows, units_left

__all__ = ["alternative_test", "differences", "test_of_patterns"]

#: The published settings: false discovery rate, items of a person, people of an item.
FDR, MIN_ITEMS, MIN_HUMANS = 0.05, 30, 2
#: Numbers that are as good as the same, in shares of the range of a scale.
NEAR = 1e-9


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
