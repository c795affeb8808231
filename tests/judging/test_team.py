"""Is the judge as close to the people as they are to each other?"""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import brentq
from tests.judging import slow
from tests.judging.cases import annotations, expected, oracle, pipeline, team
from tests.support import examples

import assent
from assent.inference.derivatives import influence


def same(a: str, b: str) -> float:
    return float(a == b)


def quadratic(span: float) -> object:
    return lambda a, b: 1.0 - ((float(a) - float(b)) / span) ** 2


def largest_room(table: list[list[str | None]]) -> float:
    """1 over 1 less the largest expected agreement of two annotators."""
    rooms = []
    for one, two in combinations(zip(*table, strict=True), 2):
        both = [(a, b) for a, b in zip(one, two, strict=True) if a is not None and b is not None]
        first, second = Counter(a for a, _ in both), Counter(b for _, b in both)
        rooms.append(1 / (1 - sum(first[x] * second[x] for x in first) / len(both) ** 2))
    return max(rooms)


def test_mean_kappas_of_a_whole_comparison() -> None:
    known = expected("judge_pipeline_nominal", "mean_pairwise_kappa")
    found = assent.judge(pipeline("judge_pipeline_nominal"), judge="judge").judges[0].team
    assert found.human_human == pytest.approx(known["human_human"], abs=1e-9)
    assert found.human_judge == pytest.approx(known["human_judge"], abs=1e-9)
    assert found.difference is not None
    assert found.difference.value == pytest.approx(known["difference"], abs=1e-9)
    plain = expected("judge_pipeline_nominal", "mean_pairwise_agreement")
    assert found.to_dict()["agreement"] == pytest.approx(plain, abs=1e-9)


@settings(max_examples=examples(20), deadline=None)
@given(
    seed=st.integers(0, 10_000),
    people=st.integers(2, 5),
    labels=st.integers(2, 5),
    scale=st.sampled_from(["nominal", "interval"]),
)
def test_mean_kappas_are_the_literal_ones_on_any_table(seed: int, people: int, labels: int, scale: str) -> None:
    table = team(seed, people=people, labels=labels)
    numbers = [float(label) for row in table for label in row if label is not None]
    agree = same if scale == "nominal" else quadratic(max(numbers) - min(numbers))
    found = assent.judge(annotations(table), judge="j1", scale=scale, replicates=1).judges[0].team
    assert (found.human_human, found.human_judge) == pytest.approx(slow.mean_kappas(table, agree))  # type: ignore[arg-type]


@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval", "ratio"])
@pytest.mark.parametrize("average", ["plain", "overlap"])
def test_influences_are_derivatives(scale: str, average: str) -> None:
    found = assent.judge(annotations(team(1)), judge="j1", scale=scale, average=average, replicates=1).judges[0].team
    assert found.difference is not None
    sample = found.difference.sample
    np.testing.assert_allclose(sample.influences[0], influence(sample.statistic, sample.multiplicities), atol=1e-14)


def test_the_standard_error_is_that_of_the_jackknife_and_the_bootstrap() -> None:
    found = assent.judge(annotations(team(4, items=400)), judge="j1", replicates=1).judges[0].team.difference
    assert found is not None
    assert found.standard_error() == pytest.approx(found.standard_error("jackknife"), rel=0.03)
    assert found.standard_error() == pytest.approx(found.standard_error("bootstrap"), rel=0.08)


@pytest.mark.parametrize("margin", [0.0, 0.02, 0.1, 0.3])
def test_claims_follow_from_one_sided_bounds(margin: float) -> None:
    found = assent.judge(annotations(team(6, items=200)), judge="j1", margin=margin, replicates=1).judges[0].team
    assert found.difference is not None
    assert found.interval is not None
    # With one pseudo-item that moves kappa as far as can be: 1 / (1 - chance) over the number of items.
    degrees = found.difference.sample.degrees
    error = math.hypot(found.interval.standard_error, largest_room(team(6, items=200)) / (degrees + 1))
    values, number = found.difference.sample.influences
    centred = values - number @ values / number.sum()
    skew = float(number @ centred**3) / float(number @ centred**2) ** 1.5

    reach = float(stats.t.ppf(0.95, degrees))
    # Johnson's modified t: the quantile less skewness / 6 (1 + 2 quantile²).
    low, high = (end - skew / 6 * (1 + 2 * end**2) for end in (reach, -reach))
    value = found.difference.value
    assert (found.low, found.high) == pytest.approx((value - low * error, value - high * error))
    assert found.noninferior == (found.smallest_margin < margin)
    assert found.equivalent == (found.smallest_equivalence_margin < margin)
    assert found.noninferior == (found.p_noninferior < 0.05)
    assert found.equivalent == (found.p_equivalent < 0.05)
    at = brentq(lambda end: end - skew / 6 * (1 + 2 * end**2) - (value + margin) / error, -8, 12)
    assert found.p_noninferior == pytest.approx(stats.t.sf(at, degrees))


def test_of_one_person_there_is_a_kappa_and_no_difference() -> None:
    table = [row[:1] + row[-1:] for row in team(1, gaps=0.0)]
    found = assent.judge(annotations(table), judge="j1").judges[0]
    assert found.team.difference is None
    assert "one person only" in found.team.reason
    assert found.team.human_judge == pytest.approx(
        slow.kappa([row[0] for row in table], [row[1] for row in table], same)[0]
    )
    plain = found.to_dict()
    assert plain["team"]["difference"] is plain["team"]["ci"] is plain["team"]["noninferior"] is None
    assert plain["mean_difference"]["value"] is None
    assert plain["alt_test"]["passed"] is None


def test_pairs_with_few_items_are_left_out_and_counted() -> None:
    table = [[*row[:3], row[3] if i < 8 else None, row[4]] for i, row in enumerate(team(2, gaps=0.0))]
    found = assent.judge(annotations(table), judge="j1").judges[0].team
    assert (found.pairs_human, found.pairs_judge, found.pairs_left_out) == (3, 3, 4)
    assert (found.human_human, found.human_judge) == pytest.approx(slow.mean_kappas(table, same))


def test_a_judge_who_gives_one_label_is_at_zero() -> None:
    table = [[*row[:-1], "1"] for row in team(2)]
    found = assent.judge(annotations(table), judge="j1").judges[0].team
    assert found.human_judge == 0.0
    assert found.difference is not None
    assert found.difference.value == pytest.approx(-found.human_human)


def test_a_judge_better_than_people_and_worse_ones_are_told_apart() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 400)
    noisy = lambda share: np.where(rng.random(400) < share, truth, 1 - truth).astype(str)  # noqa: E731
    table = np.stack([noisy(0.8), noisy(0.8), noisy(0.8), noisy(0.95)], axis=1).tolist()
    better = assent.judge(annotations(table), judge="j1").judges[0].team
    assert better.noninferior
    assert better.low > 0
    assert better.smallest_margin == 0.0
    assert not better.equivalent
    worse = assent.judge(annotations([[a, b, d, c] for a, b, c, d in table]), judge="j1").judges[0].team
    assert worse.noninferior is not None
    assert worse.difference is not None
    assert worse.difference.value < 0
    guesses = assent.judge(
        annotations([[a, b, d, str(i % 2)] for i, (a, b, _, d) in enumerate(table)]), judge="j1", gate=["noninferior"]
    )
    assert guesses.judges[0].team.inferior
    assert [one.outcome for one in guesses.gates] == ["fail"]


def test_labels_may_be_called_and_ordered_otherwise() -> None:
    table = team(9)
    renamed = [[None if one is None else {"0": "x", "1": "a", "2": "m"}[one] for one in row] for row in reversed(table)]
    one = assent.judge(annotations(table), judge="j1", replicates=1).judges[0]
    two = assent.judge(annotations(renamed), judge="j1", replicates=1).judges[0]
    assert one.team.interval is not None
    assert two.team.interval is not None
    assert (one.team.human_human, one.team.interval.low, one.mean_difference.value) == pytest.approx(
        (two.team.human_human, two.team.interval.low, two.mean_difference.value)
    )


@pytest.mark.parametrize("name", ["judge_pipeline_nominal", "judge_pipeline_numeric"])
def test_what_the_judge_does_to_the_pool(name: str) -> None:
    scale = oracle(name)["inputs"]["scale"]
    found = assent.judge(pipeline(name), judge="judge", scale=scale, replicates=1).judges[0].pool.to_dict()
    assert found["alpha_humans"] == pytest.approx(expected(name, "alpha_humans"), abs=1e-9)
    assert found["alpha_with_judge"] == pytest.approx(expected(name, "alpha_humans_and_judge"), abs=1e-9)
    assert found["difference"] == pytest.approx(expected(name, "alpha_difference"), abs=1e-9)
    assert found["substituted"] == pytest.approx(expected(name, "alpha_substituted_by_human"), abs=1e-9)
    assert found["substituted_mean"] == pytest.approx(expected(name, "alpha_substituted_mean_difference"), abs=1e-9)


def test_a_complete_design_turns_score_gaps_into_differences_of_agreement() -> None:
    # mean over people and items of s(judge) - s(person) is the mean agreement with the judge less that among people.
    table = team(8, gaps=0.0, people=5)
    found = assent.judge(annotations(table), judge="j1", replicates=1).judges[0]
    columns = list(zip(*table, strict=True))
    among = np.mean(
        [np.mean([a == b for a, b in zip(columns[i], columns[j], strict=True)]) for i in range(5) for j in range(i)]
    )
    beside = np.mean([np.mean([a == b for a, b in zip(columns[i], columns[5], strict=True)]) for i in range(5)])
    assert found.alt_test.score_gap == pytest.approx(beside - among)
    assert not math.isnan(found.team.human_human)


def test_ratings_with_hundreds_of_values_are_counted_by_their_moments() -> None:
    rng = np.random.default_rng(0)
    truth = rng.normal(3, 1, 150)
    table = [[f"{x:.3f}" for x in one + rng.normal(0, 0.5, 4)] for one in truth]
    numbers = [float(x) for row in table for x in row]
    found = assent.judge(annotations(table), judge="j1", scale="interval", replicates=1).judges[0].team  # type: ignore[arg-type]
    known = slow.mean_kappas(table, quadratic(max(numbers) - min(numbers)))  # type: ignore[arg-type]
    assert (found.human_human, found.human_judge) == pytest.approx(known)
    assert found.difference is not None
    sample = found.difference.sample
    np.testing.assert_allclose(sample.influences[0], influence(sample.statistic, sample.multiplicities), atol=1e-13)


def test_a_judge_who_never_differs_is_bounded_by_what_the_items_can_miss() -> None:
    table: list[list[str | None]] = [[label] * 4 for label in "ab" * 60]
    found = assent.judge(annotations(table), judge="j1").judges[0]
    assert found.team.interval is not None
    # A share of 1 - 0.05 ** (1 / 120) of the items could differ without one of 120 doing so; kappa loses twice that.
    assert found.team.low == pytest.approx(-2 * (1 - 0.05 ** (1 / 120)))
    assert found.team.smallest_margin == pytest.approx(-found.team.low)
    assert found.team.interval.low < found.team.low < 0 == found.team.difference
    assert found.team.noninferior == (found.team.p_noninferior < 0.05)
    assert found.mean_difference.upper == pytest.approx(1 - 0.05 ** (1 / 120))
    few = assent.judge(annotations(table[:20]), judge="j1").judges[0]
    assert few.team.noninferior is False
    assert few.mean_difference.noninferior is False


def test_where_people_hardly_agree_a_constant_judge_is_no_worse_and_that_is_said() -> None:
    rng = np.random.default_rng(0)
    table = rng.choice(["a", "b"], (3000, 4)).tolist()
    found = assent.judge(annotations(table), judge="j1", margin=0.1, gate=["noninferior"])
    assert found.judges[0].team.noninferior
    assert found.judges[0].constant.team.noninferior
    assert found.gates[0].outcome == "unclear"
    assert "but so is a judge that always answers" in found.text()


def test_no_kappa_is_above_one_and_no_share_beyond_all() -> None:
    rows = [["a", "a", "a", "a"], ["b", "b", "b", "b"]] * 30
    data = assent.Annotations.from_array(rows, annotators=["ann", "bob", "gpt", "claude"])
    found = assent.judge(data, judge=["gpt", "claude"], fail_under=0.8)
    (one, _), jury = found.judges, found.jury
    assert one.team.judge_interval is not None
    assert one.team.judge_interval.low < one.team.judge_interval.high == 1.0
    assert "1.00 (0.88 to 1.00)" in found.gates[0].sentence
    assert jury is not None
    assert all(row.high <= 1.0 for row in jury.judges)
    # A judge that is always wrong, beside people who never are.
    wrong = [["a", "a", "a", "b"], ["b", "b", "b", "a"]] * 20
    worst = (
        assent.judge(assent.Annotations.from_array(wrong, annotators=["ann", "bob", "cleo", "gpt"]), judge="gpt")
        .judges[0]
        .mean_difference
    )
    assert worst.interval is not None
    assert worst.value == worst.interval.high == 1.0
