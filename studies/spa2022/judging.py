"""What the paper claims, and what our numbers say to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from assent.measures.spa import SCHEMES
from assent.profiles import Array
from assent.text import percent, shown
from studies import StudyFinding
from studies.spa2022.arrivals import Arrivals, constant_variance, whole_variance
from studies.spa2022.paper import TABLE_1
from studies.spa2022.weights import ANNOTATIONS, ClassWeights, normalised, weights

__all__ = ["judge_own", "judge_simulated", "judge_weights", "like_paper", "per_item"]

#: How much more standard deviation than the best scheme's counts as near it: over the curve, and at a single point of it.
NEAR, NEAR_AT_A_POINT = 0.05, 0.10
#: How much more of it the worst scheme may have for the choice to have little effect.
LITTLE = 0.10
#: Up to this share of its annotations a data set is called sparse.
SPARSE = 0.5
#: How much alike the standard deviations of two designs must be to be similar.
SIMILAR = 0.10
#: How large a bias may be in its standard errors; about 100 of them are looked at.
LARGEST_Z = 3.5
#: How well our sums of Table 1 must correlate with the paper's.
LIKE_PAPER = 0.8
#: Inverse variances and edges may differ by rounding alone.
ROUNDING = 1e-12

M1, FLAT = SCHEMES.index("annotations-m1"), SCHEMES.index("flat")
PAPER_M1 = "annotations_m1 works well for all four data sets."


@dataclass(frozen=True)
class Case:
    """Something measured on a data set: its value, standard error, and where that was."""

    value: float
    error: float
    where: str

    def within(self, limit: float) -> bool | None:
        """Tell whether it is within a limit; None if the limit is nearer than two standard errors."""
        return None if abs(self.value - limit) < 2 * self.error else self.value < limit

    @property
    def excess(self) -> str:
        """By how many percent the value exceeds 1."""
        return f"{100 * (self.value - 1):.1f} % (± {200 * self.error:.1f})"


def judge_weights(error: float, sampled: ClassWeights) -> list[StudyFinding]:
    """Judge what the paper says of the weights, section 6.1."""
    low, high = (float(normalised(weights(scheme, ANNOTATIONS)).sum()) for scheme in ("edges", "annotations"))
    outside = int(((sampled.area < low - ROUNDING) | (sampled.area > high + ROUNDING)).sum())
    entropy, lean = rank_correlation(sampled.area, sampled.entropy), rank_correlation(sampled.area, sampled.lean)
    chance = 2.0 / np.sqrt(len(sampled.area) - 1)
    return [
        StudyFinding(
            statement="inv-var weights are those of edges, whatever the number of labels.",
            paper="They seem not to depend on the number of labels and to be almost identical to edges; why could not be shown.",
            ours=f"They differ by at most {error:.0e} for 2 to 10 labels and 2 to 50 annotations, which is rounding.",
            holds=error < ROUNDING,
            why="Proved above, and checked to a relative 1e-12. So inv-var and edges are one scheme.",
        ),
        StudyFinding(
            statement="inv-var-class lies between annotations and edges.",
            paper="It appears to range from the number of annotations to the number of edges.",
            ours=f"Of {len(sampled.area):,} random label distributions {outside:,} have a weight curve outside.",
            holds=outside == 0,
            why="Proved above, and checked by the sum under the curve.",
        ),
        StudyFinding(
            statement="The weights of inv-var-class go with the entropy of the labels, but not strictly.",
            paper="There is some relationship between the sum under the weight curve and entropy; they do not directly correspond.",
            ours=f"The rank correlation of that sum is {entropy:.2f} with entropy and {lean:.2f} with the lean ρ.",
            holds=bool(chance < abs(entropy) < 0.95),
            why="Holds if the correlation with entropy is beyond chance and below 0.95 in size. What decides is the lean.",
        ),
    ]


def judge_simulated(arrivals: Sequence[Arrivals]) -> list[StudyFinding]:
    """Judge what the paper says of its four data sets on those we simulated."""
    return [
        _unbiased(arrivals),
        _falls(arrivals),
        _more_per_item(arrivals),
        _like_pairs(arrivals),
        _near_best(arrivals),
        _near_best_everywhere(arrivals),
        _little_effect(arrivals),
        _none_is_best(arrivals),
        _like_table_1(arrivals),
    ]


def judge_own(arrivals: Sequence[Arrivals]) -> list[StudyFinding]:
    """Judge the recommendation of the paper on data of the user."""
    return [_near_best(arrivals, "On your data, ")]


def per_item(one: Arrivals) -> list[int]:
    """Return numbers of annotations per item that at least half of the comparable items have."""
    times, sizes = one.items.times, one.items.sizes
    comparable = times[sizes > 1].sum()
    return [count for count in (2, 3, 4, 6, 9) if times[sizes >= count].sum() >= comparable / 2]


def like_paper(one: Arrivals) -> Case:
    """Return the correlation of a data set's sums over the curve with the paper's, over the five different schemes.

    Its error is that of a bootstrap over rounds.
    """
    schemes = [s for s, scheme in enumerate(SCHEMES) if scheme != "inv-var"]
    paper = np.array([TABLE_1[one.items.name][SCHEMES[s]] for s in schemes])
    draws = np.random.default_rng(one.rounds).multinomial(one.rounds, np.full(one.rounds, 1 / one.rounds), size=200)
    found = [
        float(np.corrcoef(sums, paper)[0, 1]) for sums in [one.sums.mean(0)[schemes], *(draws @ one.sums[:, schemes])]
    ]
    return Case(found[0], float(np.std(found[1:])), _named(one))


def rank_correlation(first: Array, second: Array) -> float:
    """Return Spearman's correlation of two arrays without ties."""
    ranks = np.array([np.argsort(np.argsort(values)) for values in (first, second)])
    return float(np.corrcoef(ranks)[0, 1])


def _unbiased(arrivals: Sequence[Arrivals]) -> StudyFinding:
    even = [one for one in arrivals if _same_number(one)]
    cases = []
    for one in even:
        error = np.sqrt(one.variance / one.rounds)
        cases += _cases(one, np.abs(one.bias / error).max(1), np.zeros(len(one.shares)), one.shares <= SPARSE)
    worst = _largest(cases)
    return StudyFinding(
        statement="SPA of the annotations that are there estimates the agreement of complete data without bias.",
        paper="Shown by theory, if missingness has nothing to do with agreement.",
        ours=f"The mean over rounds is at most {worst.value:.1f} of its standard errors from the agreement of the complete data, "
        f"on {worst.where}.",
        holds=worst.value < LARGEST_Z,
        why=f"Holds if that is below {LARGEST_Z} for every scheme and up to half of the annotations, on the data sets whose items "
        "have the same number of annotations. Where numbers differ, items with more are by chance not quite like the others.",
    )


def _falls(arrivals: Sequence[Arrivals]) -> StudyFinding:
    rising = [
        f"{_named(one)} at {percent(one.shares[point + 1])}"
        for one in arrivals
        for point in np.flatnonzero(np.diff(one.variance[:, FLAT]) > 0)
    ]
    return StudyFinding(
        statement="The variance falls as annotations are added.",
        paper="The variance of the estimate decreases with more annotations.",
        ours=f"It rises on {', '.join(rising)}." if rising else "It falls at every step on every data set.",
        holds=not rising,
        why="Holds if the variance with flat weights is lower at every larger share of the annotations.",
    )


def _more_per_item(arrivals: Sequence[Arrivals]) -> StudyFinding:
    lowest = []
    always = True
    for one in arrivals:
        most = max(per_item(one))
        variance = whole_variance(one.items, most) * np.arange(2, most + 1)
        best = int(variance.argmin()) + 2
        always &= bool((np.diff(variance) < 0).all())
        if best < most:
            lowest.append(f"{_named(one)} {best}")
    return StudyFinding(
        statement="For the same number of annotations, more per item means less variance.",
        paper="The variance decreases with more annotations-per-sample.",
        ours=f"On {len(lowest)} of {len(arrivals)} data sets the variance is lowest below the most annotations per item that half of "
        f"the items have: {', '.join(lowest)}."
        if lowest
        else "On every data set the most annotations per item have the lowest variance.",
        holds=always,
        why="Holds if every step to more annotations per item lowers the variance, few items of many being annotated; these variances are "
        "exact. More annotations per item are fewer items, and that costs where items differ in how far people agree on them.",
    )


def _like_pairs(arrivals: Sequence[Arrivals]) -> StudyFinding:
    cases = []
    for one in arrivals:
        exact = constant_variance(one.items, 2, one.usable / 2)
        here = (one.in_pairs > 0.5) & (one.shares <= SPARSE) & np.isfinite(exact)
        ratios = (one.squares[:, here, FLAT] / exact[here]).mean(1)
        root = float(np.sqrt(ratios.mean()))
        cases.append(Case(1 + abs(root - 1), float(ratios.std(ddof=1) / np.sqrt(one.rounds) / 2 / root), _named(one)))
    worst = _largest(cases)
    return StudyFinding(
        statement="Annotations anywhere are about as good as the same number in pairs.",
        paper="The sparse agreement has similar variance to the 2-annotation curve.",
        ours=f"Their standard deviations differ by at most {worst.excess}, on {worst.where}.",
        holds=worst.within(1 + SIMILAR),
        why=f"Holds if they are within {percent(SIMILAR)} on every data set, on average over the points where up to half of the annotations "
        "are there and most items that can be compared have two.",
    )


def _near_best(arrivals: Sequence[Arrivals], whose: str = "") -> StudyFinding:
    worst = _largest(_over_the_curve(arrivals, M1))
    others = ", ".join(
        f"{scheme} {percent(_largest(_over_the_curve(arrivals, s)).value - 1)}"
        for s, scheme in enumerate(SCHEMES)
        if s != M1
    )
    return StudyFinding(
        statement=f"{whose}annotations-m1 is never far from the best scheme over the whole curve.",
        paper=PAPER_M1,
        ours=f"Its standard deviation is at most {worst.excess} above that of the best scheme, on {worst.where}. Others at their "
        f"worst: {others}.",
        holds=worst.within(1 + NEAR),
        why=f"Holds if the root of its variance summed over the curve, the paper's own summary, is within {percent(NEAR)} of the best "
        "scheme's on every data set; not decided if that is nearer to the limit than two simulation errors.",
    )


def _near_best_everywhere(arrivals: Sequence[Arrivals]) -> StudyFinding:
    def worst_of(scheme: int, most: float) -> Case:
        cases = []
        for one in arrivals:
            ratio, error = one.against_best
            cases += _cases(one, ratio[:, scheme], error[:, scheme], one.shares <= most)
        return _largest(cases)

    worst, beyond = worst_of(M1, SPARSE), worst_of(M1, 1.0)
    others = ", ".join(
        f"{scheme} {percent(worst_of(s, SPARSE).value - 1)}" for s, scheme in enumerate(SCHEMES) if s != M1
    )
    return StudyFinding(
        statement="annotations-m1 is never far from the best scheme at any point while data are sparse.",
        paper=PAPER_M1,
        ours=f"With up to half of the annotations its standard deviation is at most {worst.excess} above that of the best scheme, on "
        f"{worst.where}. Others at their worst: {others}. With more, it is up to {percent(beyond.value - 1)} above.",
        holds=worst.within(1 + NEAR_AT_A_POINT),
        why=f"Holds if it is within {percent(NEAR_AT_A_POINT)} of the best scheme on every data set and at every share up to half of the "
        "annotations; not decided if that is nearer to the limit than two simulation errors.",
    )


def _little_effect(arrivals: Sequence[Arrivals]) -> StudyFinding:
    apart = []
    for one in arrivals:
        ratio, error = one.against(one.best)
        worst = int(ratio.argmax())
        root = float(np.sqrt(ratio[worst]))
        apart.append(Case(root, float(error[worst]) / 2 / root, _named(one)))
    ranked = sorted(apart, key=lambda case: case.value)
    middle = ranked[(len(ranked) - 1) // 2 : len(ranked) // 2 + 1]
    typical = Case(
        float(np.mean([case.value for case in middle])),
        float(np.mean([case.error for case in middle])),
        "the median data set",
    )
    most = ranked[-1]
    return StudyFinding(
        statement="The choice of scheme in general has little effect.",
        paper="The weighing schemes in general have relatively little effect on the variance.",
        ours=f"Over the curve the worst scheme's standard deviation is {typical.excess} above the best scheme's on the median "
        f"data set, and {most.excess} on {most.where}, where it is most.",
        holds=typical.within(1 + LITTLE),
        why=f"Holds if it is within {percent(LITTLE)} on the median data set.",
    )


def _none_is_best(arrivals: Sequence[Arrivals]) -> StudyFinding:
    beaten = set()
    wins = dict.fromkeys(SCHEMES, 0)
    for one in arrivals:
        wins[SCHEMES[one.best]] += 1
        ratio, error = one.against(one.best)
        beaten |= {scheme for s, scheme in enumerate(SCHEMES) if ratio[s] - 1 > 2 * error[s] > 0}
    paper = ", ".join(f"{min(row, key=lambda scheme: row[scheme])} on {name}" for name, row in TABLE_1.items())
    ours = ", ".join(f"{scheme} on {count}" for scheme, count in wins.items() if count)
    return StudyFinding(
        statement="No scheme is best for every data set.",
        paper=f"In Table 1 the lowest are {paper}.",
        ours=f"Of {len(arrivals)} data sets the lowest are {ours}.",
        holds=len(beaten) == len(SCHEMES),
        why="Holds if every scheme is beaten on some data set by more than two simulation errors. The more items differ in how far "
        "people agree on them, the less do further annotations of an item tell, and the flatter are the best weights.",
    )


def _like_table_1(arrivals: Sequence[Arrivals]) -> StudyFinding:
    nearest = [_largest([like_paper(one) for one in arrivals if one.items.name == name]) for name in TABLE_1]
    verdicts = {case.within(LIKE_PAPER) for case in nearest}
    said = ", ".join(f"{case.value:.2f} (± {2 * case.error:.2f}) on {case.where}" for case in nearest)
    return StudyFinding(
        statement="How the schemes compare in Table 1 comes out on data sets of the same shape.",
        paper="Table 1: the schemes compare differently on each data set.",
        ours=f"At the level of agreement where ours is most like it, the correlation of our sums with the paper's is {said}.",
        holds=False if True in verdicts else None if None in verdicts else True,
        why=f"Holds if it is above {LIKE_PAPER} on every data set at one of the levels of agreement. Five numbers that have nothing in "
        "common reach that once in 20 times, and on all four data sets about once in 2,000. It suggests how far the paper's annotators "
        "agreed, which the paper does not say.",
    )


def _same_number(one: Arrivals) -> bool:
    """Tell whether nearly all items have the same number of annotations."""
    items = np.bincount(one.items.sizes, weights=one.items.times)
    return bool(items.max() >= 0.99 * items.sum())


def _over_the_curve(arrivals: Iterable[Arrivals], scheme: int) -> list[Case]:
    """Return how many times larger the standard deviation over the curve is than that of the best scheme."""
    cases = []
    for one in arrivals:
        ratio, error = (part[scheme] for part in one.against(one.best))
        cases.append(Case(float(np.sqrt(ratio)), float(error / 2 / np.sqrt(ratio)), _named(one)))
    return cases


def _cases(one: Arrivals, values: Array, errors: Array, here: Array) -> list[Case]:
    """Name the values of some of a data set's points."""
    return [
        Case(float(value), float(error), f"{_named(one)} with {percent(share)} of the annotations")
        for value, error, share in zip(values[here], errors[here], one.shares[here], strict=True)
    ]


def _largest(cases: Sequence[Case]) -> Case:
    return max(cases, key=lambda case: case.value)


def _named(one: Arrivals) -> str:
    return shown(one.items.name) if one.items.alpha is None else f"{one.items.name} (α = {one.items.alpha:g})"
