"""A judge that ranks objects, or prefers one of two, beside people."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace

from assent.analyses.by_kind import answers
from assent.analyses.gates import MARGIN, GateSettings, gates_asked, judged
from assent.analyses.judge.alternative import MIN_ITEMS, test_of_patterns
from assent.analyses.judge.alternative_result import AlternativeTest, MeanDifference
from assent.analyses.judge.panel import chosen_judges
from assent.analyses.judge.result import Baseline, JudgeComparison, JudgeVerdict
from assent.analyses.judge.team import Team, bounded, claims
from assent.data.preferences import Preferences
from assent.data.ranking_profiles import midranks
from assent.data.rankings import Rankings
from assent.errors import OptionError, TooMany
from assent.inference.sample import Sample
from assent.limits import ORDERS_HELD
from assent.measures._lists import pair_values
from assent.measures._orders import spearman
from assent.measures.results import Estimate
from assent.profiles import Array, Multiplicities, Weighting
from assent.records import Struct

__all__ = ["judge_orders"]

#: How much the coefficients change with the share of items that are otherwise, at most.
ROOM = 2.0
#: Closeness that is as good as the same.
NEAR = 1e-12


class Closeness(Struct, frozen=True, kw_only=True, eq=False):
    """How close every two annotators are on each item.

    Parameters
    ----------
    scores : array (items, annotators, annotators)
        NaN where one of the two has nothing.
    ties : array (items, annotators) or None
        1.0 where an annotator prefers neither, for preferences; then closeness is corrected for chance.
    """

    scores: Array
    ties: Array | None = None

    def means(self, first: Array, second: Array) -> Any:
        """Return a function from weights of items to the coefficient of each of some pairs: (…, pairs)."""
        near = self.scores[:, first, second]
        there = ~np.isnan(near)
        tied = np.zeros_like(near) if self.ties is None else (self.ties[:, first] + self.ties[:, second]) / 2.0
        terms = np.concatenate([np.where(there, near, 0.0), np.where(there, tied, 0.0), there], axis=1)
        pairs = len(first)

        def values(weighting: Weighting) -> Array:
            totals = weighting.total(terms)
            with np.errstate(divide="ignore", invalid="ignore"):
                observed = totals[..., :pairs] / totals[..., 2 * pairs :]
                if self.ties is None:
                    return np.asarray(observed)
                share = totals[..., pairs : 2 * pairs] / totals[..., 2 * pairs :]
                chance = share**2 + (1.0 - share) ** 2 / 2.0
                return np.asarray((observed - chance) / (1.0 - chance))

        return values


def _of_rankings(data: Rankings, judge: int) -> tuple[Closeness, str]:
    """Compare rankings; the last annotator is one who always gives the mean order of the people, whatever the list."""
    many = len(data.annotators)
    place = data.position / np.maximum(_sizes(data), 1)
    person = data.annotator_code != judge
    seen = np.bincount(data.object_code[person], minlength=len(data.objects))
    mean = np.bincount(data.object_code[person], place[person], minlength=len(data.objects)) / np.maximum(seen, 1)
    scores = np.full((data.n_items, many + 1, many + 1), np.nan)
    for block in data.blocks:
        always = midranks(mean[block.objects])[:, None, :]
        positions = np.concatenate([block.positions, always], axis=1)
        codes = np.concatenate([block.annotators, np.full((len(block.lists), 1), many)], axis=1)
        first, second = np.triu_indices(positions.shape[1], 1)
        values, _ = pair_values(positions, spearman, cells=4 * positions.shape[2])
        rows = np.broadcast_to(block.lists[:, None], values.shape)
        scores[rows, codes[:, first], codes[:, second]] = values
        scores[rows, codes[:, second], codes[:, first]] = values
    return Closeness(scores=scores), "the same order"


def _sizes(data: Rankings) -> Array:
    """How many objects the ranking of each row has."""
    key = data.list_code * len(data.annotators) + data.annotator_code
    return np.asarray(np.bincount(key)[key])


def _of_preferences(data: Preferences, judge: int) -> tuple[Closeness, str]:
    """Compare preferences; the last annotator is one who always takes the seat that people take more often, on the pairs of the judge."""
    pair, who, choice = data.verdicts
    many = len(data.annotators)
    votes = np.full((data.n_items, many + 1), np.nan)
    votes[pair, who] = choice
    people = data.annotator_code != judge
    left = int((data.choice * data.seat)[people].sum() >= 0)
    # Where the judge saw a pair in both seats the constant judge contradicts itself: a tie.
    code = np.unique(data.pair_code, return_inverse=True)[1]
    mine = data.annotator_code == judge
    seats = np.bincount(code[mine], data.seat[mine], minlength=data.n_items)
    asked = np.bincount(code[mine], minlength=data.n_items) > 0
    votes[:, many] = np.where(asked, np.sign(seats) * (1 if left else -1), np.nan)
    near = (votes[:, :, None] == votes[:, None, :]).astype(np.float64)
    absent = np.isnan(votes)
    near[absent[:, :, None] | absent[:, None, :]] = np.nan
    near[:, np.arange(many + 1), np.arange(many + 1)] = np.nan
    return Closeness(scores=near, ties=(votes == 0).astype(np.float64)), "left" if left else "right"


@answers("judge", "rankings", "preferences")
def judge_orders(
    data: Rankings | Preferences,
    *,
    judge: str | Sequence[str] = (),
    margin: float | None = None,
    epsilon: float = 0.1,
    min_items: int = MIN_ITEMS,
    ci: str = "analytic",
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    gate: str | Sequence[str] = (),
    fail_under: float | None = None,
) -> JudgeComparison:
    """Compare judges that rank or prefer with the people who did so on the same lists or pairs.

    Agreement is the mean rank correlation, or the coefficient of preferences, of every two annotators; closeness in the alternative annotator
    test is the mean rank correlation with the others in a list, or the share of them with the same preference.

    Examples
    --------
    >>> from assent import Preferences
    >>> votes = [(who, f"a{i}", f"b{i}", f"a{i}") for i in range(40) for who in ("ada", "ben", "gpt")]
    >>> found = judge_orders(Preferences.from_rows(votes), judge="gpt").judges[0]
    >>> found.team.human_human, found.team.human_judge, found.constant.label
    (1.0, 1.0, 'left')
    """
    names = chosen_judges(data, [judge] if isinstance(judge, str) else list(judge), None)
    people = tuple(one for one in data.annotators if one not in names)
    if not people:
        raise OptionError("Every annotator is a judge: there must be people to compare them with.")
    if data.n_items * (len(people) + 2) ** 2 > ORDERS_HELD:
        raise TooMany(f"{data.describe()}: more than can be compared two by two; take a sample.")
    sure: dict[str, Any] = {"level": level, "ci": ci, "replicates": replicates, "seed": seed}
    chosen = MARGIN if margin is None else margin
    found = []
    for name in names:
        some = data.only_annotators([*people, name])
        code = some.annotators.index(name)
        closeness, always = _of_rankings(some, code) if isinstance(some, Rankings) else _of_preferences(some, code)
        others = np.array([some.annotators.index(one) for one in people])
        own, idle = (
            _beside(closeness, others, one, people, data, chosen, margin is not None, epsilon, min_items, sure)
            for one in (code, len(some.annotators))
        )
        asked = (~np.isnan(closeness.scores[:, others, code])).any(axis=1)
        missing = (~np.isnan(closeness.scores[:, others][:, :, others])).any(axis=(1, 2)) & ~asked
        found.append(
            JudgeVerdict(
                judge=name,
                n_items=int(asked.sum()),
                n_missing=int(missing.sum()),
                n_humans=len(people),
                team=own[0],
                alt_test=own[1],
                mean_difference=own[2],
                constant=Baseline(
                    label=always, team=idle[0], alt_test=idle[1], mean_difference=idle[2], accuracy=math.nan
                ),
            )
        )
    result = JudgeComparison(
        data=data,
        people=people,
        judges=tuple(found),
        jury=None,
        options={
            "scale": None,
            "weights": "identity",
            "score": found[0].alt_test.score,
            "margin": chosen,
            "epsilon": epsilon,
            "cluster": None,
            "average": "plain",
            **sure,
        },
        notes=_notes(data),
    )
    settings = GateSettings(least=fail_under, margin=chosen)
    return replace(result, gates=judged(result, gates_asked(gate, fail_under), settings))


def _notes(data: Rankings | Preferences) -> tuple[str, ...]:
    if isinstance(data, Preferences):
        return ("The judge that reads nothing takes the seat that people choose more often.",)
    lists = len(np.unique(data.list_code * len(data.objects) + data.object_code))
    if lists > len(data.objects):
        return ("The judge that reads nothing puts objects in the mean order of the people over all lists.",)
    return (
        "Every object is in one list alone, so the judge that reads nothing, which puts objects in the mean order of the people, has read what they say: "
        "it is no bar to pass.",
    )


def _beside(
    closeness: Closeness,
    others: Array,
    judge: int,
    names: tuple[str, ...],
    data: Rankings | Preferences,
    margin: float,
    margin_given: bool,
    epsilon: float,
    min_items: int,
    sure: dict[str, Any],
) -> tuple[Team, AlternativeTest, MeanDifference]:
    """Compare one judge, or the constant one, with the people."""
    items = len(closeness.scores)
    one, two = (others[side] for side in np.triu_indices(len(others), 1))
    among = closeness.means(one, two)
    beside = closeness.means(others, np.full(len(others), judge))
    weights = np.ones(items, dtype=np.int64)
    method: dict[str, Any] = {"method": sure["ci"], "replicates": sure["replicates"], "seed": sure["seed"]}

    def estimate(of: Any) -> Estimate:
        return Estimate(value=float(of(Multiplicities(weights))), sample=Sample(of, weights), unit="items")

    each = beside(Multiplicities(weights))
    shared = (~np.isnan(closeness.scores[:, others, judge])).sum(axis=0)
    pairs = among(Multiplicities(weights))
    known: dict[str, Any] = {
        "human_human": float(_mean(pairs)),
        "human_judge": float(_mean(each)),
        "margin": margin,
        "margin_given": margin_given,
        "pairs_human": int((~np.isnan(pairs)).sum()),
        "pairs_judge": int((~np.isnan(each)).sum()),
        "pairs_left_out": int(np.isnan(pairs).sum() + np.isnan(each).sum()),
        "human_human_judged": math.nan,
        "agreement": (math.nan, math.nan),
        "by_person": tuple(
            (name, float(value), int(many)) for name, value, many in zip(names, each, shared, strict=True)
        ),
        "average": "plain",
        "weights": "identity",
        "min_shared": 1,
        "coefficient": "mean rank correlation" if closeness.ties is None else "coefficient of preferences",
    }
    alone = estimate(lambda weighting: _mean(beside(weighting)))
    if not math.isnan(alone.value) and items > 1:
        known["judge_interval"] = bounded(alone, sure["level"], ROOM, **method)[0]
    test, mean = _tested(closeness, others, judge, names, epsilon, min_items, sure)
    gap = estimate(lambda weighting: _mean(beside(weighting)) - _mean(among(weighting)))
    if math.isnan(gap.value):
        few = (
            "There is one person only" if len(others) < 2 else "No two people, or no person and the judge, share enough"
        )
        return Team(**known, reason=f"{few}, so there is nothing to compare the judge with."), test, mean
    return claims(known, gap, ROOM, level=sure["level"], **method), test, mean


def _mean(values: Array) -> Array:
    """Mean over pairs that have a value: (…,)."""
    there = ~np.isnan(values)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(there, values, 0.0).sum(-1) / there.sum(-1))


def _tested(
    closeness: Closeness,
    others: Array,
    judge: int,
    names: tuple[str, ...],
    epsilon: float,
    min_items: int,
    sure: dict[str, Any],
) -> tuple[AlternativeTest, MeanDifference]:
    """Hold out one person at a time, and see who is closer to the others on each item."""
    people = closeness.scores[:, others][:, :, others]
    its = closeness.scores[:, others, judge]
    both = ~np.isnan(people)
    # The judge is compared with the same others as the person is.
    with np.errstate(invalid="ignore", divide="ignore"):
        own = np.where(both, people, 0.0).sum(2) / both.sum(2)
        judged_by = both & ~np.isnan(its)[:, None, :]
        theirs = np.where(judged_by, np.nan_to_num(its)[:, None, :], 0.0).sum(2) / judged_by.sum(2)
    apart = own - theirs
    valid = ~np.isnan(apart)
    signs = np.where(np.abs(np.where(valid, apart, 0.0)) < NEAR, 0, np.sign(np.where(valid, apart, 0.0)))
    patterns = np.where(valid, 2 + signs, 0).astype(np.int64)
    gaps = [-float(apart[valid[:, at], at].mean()) for at in range(len(others)) if valid[:, at].any()]
    return test_of_patterns(
        patterns,
        np.ones(len(patterns), dtype=np.int64),
        None,
        names,
        every=len(patterns),
        gap=float(np.mean(gaps)) if gaps else math.nan,
        score="rank correlation" if closeness.ties is None else "agreement",
        epsilon=epsilon,
        unit="items",
        min_items=min_items,
        **sure,
    )
