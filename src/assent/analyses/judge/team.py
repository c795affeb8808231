"""Is the judge as close to the people as they are to each other? Mean kappas, their difference, and what it proves."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from msgspec.structs import replace

from assent.analyses.judge.pairs import InfluenceSample, PairKappas
from assent.analyses.judge.panel import Items, Panel
from assent.inference.intervals import skewed_interval, unskewed
from assent.inference.linear import skewness
from assent.limits import PAIRS_OF_PEOPLE
from assent.measures.results import Estimate, Interval, error_and_ci
from assent.profiles import Array, Weighting, units_left
from assent.records import Struct, cached_property, plain

__all__ = ["People", "Team", "bounded", "claims", "compared", "limited"]

#: A standard error below this is what rounding left of none.
NO_ERROR = 1e-12


class Team(Struct, frozen=True, kw_only=True, eq=False):
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
    pairs_human, pairs_judge : int
        Pairs in the means.
    pairs_left_out : int
        Pairs that share too few items, or whose kappa is undefined.
    human_human_judged : float
        Mean kappa of two people on the items that the judge labelled.
    agreement : (float, float)
        The same two means of agreement without regard to chance: of two people, and of a person with the judge.
    judge_interval : Interval or None
        Of the mean kappa of a person with the judge.
    by_person : tuple of (str, float, int)
        Kappa of each person with the judge, and the items that both labelled.
    reason : str
        Why there is no difference; empty if there is one.
    on_judged : Team or None
        The same on the items that the judge labelled alone; None if it labelled all. A judge that skips what is hard is not to be held against
        people on what is hard.
    """

    human_human: float
    human_judge: float
    difference: Estimate | None = None
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
    agreement: tuple[float, float]
    judge_interval: Interval | None = None
    by_person: tuple[tuple[str, float, int], ...] = ()
    average: str
    weights: str
    min_shared: int
    coefficient: str = "kappa"
    reason: str = ""
    on_judged: Team | None = None

    @property
    def noninferior(self) -> bool | None:
        """The judge is shown to be at most the margin worse than a person; None if there is no difference to tell by."""
        return None if math.isnan(self.low) else self.low > -self.margin

    @property
    def inferior(self) -> bool | None:
        """The judge is shown to be worse than a person by more than the margin."""
        return None if math.isnan(self.high) else self.high < -self.margin

    @property
    def shown(self) -> bool:
        """The judge is shown not to be worse than a person, on all items and on its own."""
        return bool(self.noninferior) and (self.on_judged is None or bool(self.on_judged.noninferior))

    @property
    def refuted(self) -> bool:
        """The judge is shown to be worse than a person, on all items or on its own."""
        return bool(self.inferior) or (self.on_judged is not None and bool(self.on_judged.inferior))

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
        return {
            "human_human": plain(self.human_human),
            "human_judge": plain(self.human_judge),
            "human_judge_ci": plain(self.judge_interval),
            "difference": None if self.difference is None else plain(self.difference.value),
            **error_and_ci(self.interval),
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
            "agreement": {
                "human_human": plain(self.agreement[0]),
                "human_judge": plain(self.agreement[1]),
                "difference": plain(self.agreement[1] - self.agreement[0]),
            },
            "humans": [
                {"annotator": name, "kappa": plain(value), "items": many} for name, value, many in self.by_person
            ],
            "pairs": {"human": self.pairs_human, "judge": self.pairs_judge, "left_out": self.pairs_left_out},
            "average": self.average,
            "weights": self.weights,
            "min_shared": self.min_shared,
            "coefficient": self.coefficient,
            "on_judged_items": None if self.on_judged is None else self.on_judged._difference(),
            "reason": self.reason or None,
        }

    def _difference(self) -> dict[str, Any]:
        """Return the difference and what it proves as plain values."""
        kept = {
            "human_human",
            "human_judge",
            "difference",
            "standard_error",
            "ci",
            "one_sided",
            "noninferior",
            "p_noninferior",
        }
        kept |= {"equivalent", "smallest_margin", "reason"}
        return {name: value for name, value in self.to_dict().items() if name in kept}


class People(Struct, frozen=True, eq=False, dict=True):
    """How far people agree with each other: the same for every judge.

    Parameters
    ----------
    min_shared : int
        Pairs that share fewer items are left out.
    """

    panel: Panel
    min_shared: int
    average: str

    def chosen(self, pairs: PairKappas) -> tuple[PairKappas, Array]:
        """Return the pairs that share enough items and have a kappa, and which of those given these are."""
        base = pairs.base
        kept = np.flatnonzero((base.number >= self.min_shared) & ~np.isnan(base.values))
        return (pairs if len(kept) == len(base.number) else pairs.only(kept)), kept

    def beside(self, items: Items) -> PairKappas:
        """Return every person with the judge."""
        panel = self.panel
        judge = np.broadcast_to(items.judge[:, None], items.people.shape)
        return PairKappas(items.people, judge, items.weights, panel.agree, len(panel.labels), self.average)

    @cached_property
    def every(self) -> Array:
        """All pairs of people: (pairs, 2)."""
        many = len(self.panel.people)
        return np.array(list(combinations(range(many), 2)), dtype=np.int64).reshape(-1, 2)

    @cached_property
    def _patterns(self) -> PairKappas | None:
        """All pairs of people, on the patterns of their labels; None for none, or too many."""
        if not len(self.every) or len(self.every) > PAIRS_OF_PEOPLE:
            return None
        panel = self.panel
        patterns, place = panel.patterns
        weights = np.bincount(place, weights=panel.weights, minlength=len(patterns))
        one, two = (patterns[:, side] for side in self.every.T)
        return PairKappas(one, two, weights, panel.agree, len(panel.labels), self.average)

    @cached_property
    def among(self) -> PairKappas | None:
        """The pairs of people who share enough items; None if there are none."""
        pairs = None if self._patterns is None else self.chosen(self._patterns)[0]
        return None if pairs is None or not pairs.one.shape[1] else pairs

    def on_items_of(self, items: Items) -> float:
        """Return the mean kappa of two people on the items that a judge labelled."""
        if self._patterns is None or self.among is None:
            return math.nan
        judged = items.judge >= 0
        if judged.all():
            return float(self.among.mean())
        weights = np.bincount(items.pattern[judged], weights=items.weights[judged], minlength=len(self._patterns.one))
        pairs, kept = self.chosen(self._patterns.rows(np.arange(len(weights)), weights))
        return float(pairs.mean()) if len(kept) else math.nan


def compared(
    people: People,
    items: Items,
    *,
    margin: float,
    margin_given: bool,
    level: float,
    ci: str,
    replicates: int,
    seed: int,
) -> Team:
    """Compare a judge with the people.

    Parameters
    ----------
    items : Items
        All items, with the labels of the people and of the judge.
    level : float
        Confidence level, of the interval and of either one-sided bound.
    ci : str
        How the interval is made, as `Estimate.confidence_interval` takes it.
    """
    panel = people.panel
    # An item that neither two people nor a person and the judge labelled says nothing here.
    items = items.kept((items.sizes + (items.judge >= 0) >= 2) & (items.sizes >= 1))
    human, everybody = people.among, people.beside(items)
    with_judge, kept = people.chosen(everybody)
    between = float(human.mean()) if human is not None else math.nan
    with_each = float(with_judge.mean()) if len(kept) else math.nan
    many = 0 if human is None else human.one.shape[1]
    each = zip(panel.people, everybody.base.values, everybody.base.number, strict=True)
    found: dict[str, Any] = {
        "human_human": between,
        "human_judge": with_each,
        "margin": margin,
        "margin_given": margin_given,
        "pairs_human": many,
        "pairs_judge": len(kept),
        "pairs_left_out": len(people.every) + len(panel.people) - len(kept) - many,
        "human_human_judged": people.on_items_of(items),
        "agreement": (math.nan if human is None else human.mean_agreement, with_judge.mean_agreement),
        "by_person": tuple((name, float(value), int(number)) for name, value, number in each),
        "average": people.average,
        "weights": panel.agree.name,
        "min_shared": people.min_shared,
    }
    settings: dict[str, Any] = {"method": ci, "replicates": replicates, "seed": seed}
    if len(kept):
        rows = np.flatnonzero(items.judge >= 0)
        alone = Estimate(
            value=with_each,
            sample=InfluenceSample(
                lambda weighting: with_judge.rows(rows, items.weights[rows]).mean(weighting),
                items.weights[rows],
                units_left(items.units, rows),
                known=with_judge.influences[rows],
            ),
            unit=panel.unit,
        )
        found["judge_interval"] = limited(bounded(alone, level, _room(with_judge), **settings)[0], -math.inf, 1.0)
    if human is None or not len(kept):
        return Team(**found, reason=_reason(people, human is None))
    pairs: list[PairKappas] = []

    def statistic(weighting: Weighting) -> Array:
        # Only resampling asks for it, so the pairs of people are laid out for these items then.
        if not pairs:
            pairs.append(human.rows(items.pattern, items.weights))
        return np.asarray(with_judge.mean(weighting) - pairs[0].mean(weighting))

    known = with_judge.influences - human.influences[items.pattern]
    sample = InfluenceSample(statistic, items.weights, items.units, known=known)
    estimate = Estimate(value=with_each - between, sample=sample, unit=panel.unit)
    return claims(found, estimate, max(_room(with_judge), _room(human)), level=level, **settings)


def claims(found: Mapping[str, Any], estimate: Estimate, room: float, *, level: float, **settings: Any) -> Team:
    """Say what is proven of a judge by the difference of its agreement with people and theirs with each other.

    Parameters
    ----------
    found : mapping
        What else is known of it: the other fields of a Team.
    estimate : Estimate
        The difference.
    room : float
        How much it changes with the share of items that are otherwise, at most.
    """
    interval, low, high = bounded(estimate, level, room, **settings)
    error, skew = interval.standard_error, 0.0
    if interval.method == "analytic":
        skew = skewness(estimate.sample)
        error = padded_error(estimate, error, room) if error >= NO_ERROR else error
    worse, better = _p_values(estimate.value, error, skew, estimate.sample.degrees, found["margin"], room)
    return Team(
        **found,
        difference=estimate,
        interval=interval,
        low=low,
        high=high,
        p_noninferior=worse,
        p_equivalent=max(worse, better),
    )


def _room(pairs: PairKappas) -> float:
    """Return how much a kappa changes with the share of items in disagreement, at most."""
    return 1.0 / (1.0 - float(pairs.base.expected.max()))


def bounded(estimate: Estimate, level: float, room: float, **settings: Any) -> tuple[Interval, float, float]:
    """Return the interval of an estimate, and bounds each of which holds at the level: the ends of an interval with twice the error.

    An analytic interval allows for one pseudo-item that is half for and half against the judge, and for how lopsided the estimate is: with few items
    (or texts, of which a judge may get all wrong), it holds the truth more often (docs/judges.md). Where nothing varies between items there is no error to go by; the ends then allow for
    what so many items can miss by luck.

    Parameters
    ----------
    room : float
        How much the estimate changes with the share of items that are otherwise, at most.
    """
    found = estimate.confidence_interval(level, **settings)
    units = estimate.sample.degrees + 1
    if math.isnan(estimate.value) or units < 2:
        return found, math.nan, math.nan
    if not math.isnan(found.low):
        twice = 2.0 * level - 1.0
        if found.method == "analytic":
            error = padded_error(estimate, found.standard_error, room)
            ends = partial(skewed_interval, estimate.value, error, skewness(estimate.sample), degrees=units - 1)
            low, high = ends(level)
            # That a symmetric interval would be off need not be said of one that is not.
            return replace(found, low=low, high=high, notes=()), *ends(twice)
        made = estimate.confidence_interval(twice, **settings)
        return found, made.low, made.high
    both, one = (room * (1.0 - math.pow(error, 1.0 / units)) for error in ((1.0 - level) / 2.0, 1.0 - level))
    note = f"Nothing varies between {units:,} {estimate.unit}: the ends allow for what so many can miss by luck (exact binomial bound)."
    made = replace(found, low=estimate.value - both, high=estimate.value + both, notes=(note,), exact=True)
    return made, estimate.value - one, estimate.value + one


def limited(interval: Interval, low: float, high: float) -> Interval:
    """Return an interval without what a number cannot be: no kappa is above 1."""
    return replace(interval, low=max(interval.low, low), high=min(interval.high, high))


def padded_error(estimate: Estimate, error: float, room: float) -> float:
    """Return a standard error with one pseudo-item more, half of which is as far above the estimate as can be and half below.

    With clusters it is of a size between an item and a cluster: their geometric mean.
    """
    items, units = float(estimate.sample.multiplicities.sum()), estimate.sample.unit_count
    return math.hypot(error, room / math.sqrt(items * units))


def _p_values(value: float, error: float, skew: float, degrees: int, margin: float, room: float) -> tuple[float, float]:
    """Return the p-values of "worse by the margin or more" and "better by the margin or more"."""
    if math.isnan(error) or degrees < 1:
        return math.nan, math.nan
    if error < NO_ERROR:
        worse, better = (min(1.0, max(0.0, 1.0 - (margin + sign * value) / room)) for sign in (1.0, -1.0))
        return math.pow(worse, degrees + 1), math.pow(better, degrees + 1)
    from scipy.special import stdtr

    worse, better = (unskewed((value + sign * margin) / error, skew) for sign in (1.0, -1.0))
    return float(stdtr(degrees, -worse)), float(stdtr(degrees, better))


def _reason(people: People, nobody: bool) -> str:
    """Say why there is no difference."""
    every = len(people.every)
    if len(people.panel.people) == 1:
        return (
            "There is one person only, so nobody knows how far people agree with each other: the kappa of that person and the judge "
            "stands alone."
        )
    if every > PAIRS_OF_PEOPLE:
        return f"There are {every:,} pairs of people, more than {PAIRS_OF_PEOPLE:,}: no mean over pairs was taken."
    who = "two people" if nobody else "a person and the judge"
    return (
        f"No kappa of {who} is defined on {people.min_shared} items or more that both labelled: too few items are shared, or all of them "
        "have one label."
    )
