"""The alternative annotator test: as published, at its edges, and against a literal version."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from tests.judging import slow
from tests.judging.cases import annotations, expected, oracle, pipeline, team
from tests.support import examples, some

import assent
from assent.analyses.judge.paired_tests import benjamini_yekutieli, t_p, tango_interval, tango_p

#: Counts of the authors' data, which carry no licence and are read where they lie, beside a copy of the repository.
_PLACES = [Path(__file__).parents[up] / "shared/oracles/judges/alttest_counts_shared.json" for up in (3, 4)]
SHARED = next((one for one in _PLACES if one.exists()), _PLACES[0])


@pytest.mark.skipif(not SHARED.exists(), reason="the counts of the authors' data are not here")
def test_every_published_line_comes_out_of_the_counts() -> None:
    found = json.loads(SHARED.read_text())
    wanted: dict[str, dict[str, list[object]]] = {}
    for one in found["expected"]:
        wanted.setdefault(one["params"]["key"], {}).setdefault(one["coef"], []).append((one["value"], one["tol"]))
    lines = 0
    for case in some(found["inputs"]["comparisons"]):
        counts = np.array([[h["human_better"], h["tie"], h["llm_better"]] for h in case["humans"]]).T
        p_t, p_tango = (each(counts[0], counts[1], counts[2], case["epsilon"]) for each in (t_p, tango_p))
        n = counts.sum(axis=0)
        numbers = {
            "winning_rate": benjamini_yekutieli(p_t).mean(),
            "advantage_probability": ((counts[1] + counts[2]) / n).mean(),
            "mean_difference": ((counts[0] - counts[2]) / n).mean(),
        }
        for coefficient, value in numbers.items():
            for known, tolerance in wanted[case["key"]].get(coefficient, []):
                assert value == pytest.approx(known, abs=tolerance), (case["key"], coefficient)
        for coefficient, values in (("p_values_t", p_t), ("p_values_tango", p_tango)):
            for known, tolerance in wanted[case["key"]].get(coefficient, []):
                np.testing.assert_allclose(values, known, atol=tolerance)
        for known, _ in wanted[case["key"]].get("wins", []):
            assert benjamini_yekutieli(p_t).tolist() == known
        lines += 1
    assert lines == len(wanted) >= 28


def test_p_values_and_intervals_at_the_edges() -> None:
    cases = oracle("alttest_edge_cases")["inputs"]["cases"]
    for one in some(oracle("alttest_edge_cases")["expected"]):
        case = cases[one["params"]["case"]]
        counts = (case["human_better"], case["tie"], case["llm_better"])
        if one["coef"] == "tango_interval_95":
            found: object = [float(end) for end in tango_interval(*counts)]
        else:
            found = float({"p_t": t_p, "p_tango": tango_p}[one["coef"]](*counts, case["epsilon"]))
        assert found == pytest.approx(one["value"], abs=one["tol"]), one


def test_without_variance_and_on_the_margin_the_t_test_is_undefined_and_tango_is_not() -> None:
    assert math.isnan(float(t_p(40, 0, 0, 1.0)))
    assert float(t_p(0, 40, 0, 0.0)) != float(t_p(0, 40, 0, 0.1)) == 0.0
    low, high = tango_interval(0, 40, 0)
    assert float(high) == pytest.approx(-float(low)) == pytest.approx(1.959964**2 / (40 + 1.959964**2), rel=1e-5)


@settings(deadline=None)
@given(st.tuples(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60)), st.floats(0.01, 0.4))
def test_t_is_scipys(counts: tuple[int, int, int], epsilon: float) -> None:
    _human, _tie, _judge = counts
    values = np.repeat([1.0, 0.0, -1.0], counts)
    if len(values) < 2 or values.std() == 0:
        return
    assert float(t_p(*counts, epsilon)) == pytest.approx(stats.ttest_1samp(values, epsilon, alternative="less").pvalue)


@settings(deadline=None)
@given(st.lists(st.floats(0, 1) | st.just(math.nan), min_size=1, max_size=9))
def test_step_up_is_the_literal_one(p_values: list[float]) -> None:
    rejected = benjamini_yekutieli(np.array(p_values), 0.2)
    number = slow.step_up([2.0 if math.isnan(p) else p for p in p_values], 0.2)
    assert rejected.sum() == number
    assert all(
        p_values[i] <= p_values[j] or math.isnan(p_values[j])
        for i in np.flatnonzero(rejected)
        for j in np.flatnonzero(~rejected)
    )


@pytest.mark.parametrize("name", ["judge_pipeline_nominal", "judge_pipeline_numeric"])
def test_whole_comparisons(name: str) -> None:
    data, scale = pipeline(name), oracle(name)["inputs"]["scale"]
    for epsilon in (0.1, 0.2):
        found = assent.judge(data, judge="judge", scale=scale, epsilon=epsilon).judges[0]
        test = found.alt_test
        for method, p, rate in (("t", "p", test.winning_rate), ("tango", "p_tango", test.tango_winning_rate)):
            known = expected(name, "p_values", epsilon=epsilon, p_value=method)
            assert {one.annotator: getattr(one, p) for one in test.humans} == pytest.approx(known, abs=1e-9)
            assert rate == expected(name, "winning_rate", epsilon=epsilon, p_value=method)
        counts = {one.annotator: [one.human_closer, one.tie, one.judge_closer] for one in test.humans}
        assert counts == expected(name, "counts")
        assert list(counts) == expected(name, "tested_humans")
        assert test.to_dict()["skipped"] == expected(name, "skipped_humans")
        assert (test.n_items, test.n_dropped) == (expected(name, "items_kept"), expected(name, "items_dropped"))
        assert test.advantage == pytest.approx(expected(name, "advantage_probability"), abs=1e-12)
        assert test.score_gap == pytest.approx(expected(name, "mean_score_gap"), abs=1e-12)
        mean = found.mean_difference
        assert mean.value == pytest.approx(expected(name, "mean_difference"), abs=1e-12)
        assert mean.interval is not None
        assert mean.interval.standard_error == pytest.approx(expected(name, "mean_difference_se"), abs=1e-9)


@pytest.mark.parametrize(
    ("scale", "score"), [("nominal", slow.share_of_equal), ("interval", slow.minus_rmse), ("ordinal", slow.minus_rmse)]
)
@settings(max_examples=examples(15), deadline=None)
@given(seed=st.integers(0, 10_000), people=st.integers(2, 6), labels=st.integers(2, 5))
def test_who_is_closer_is_the_literal_comparison(
    scale: str, score: object, seed: int, people: int, labels: int
) -> None:
    table = team(seed, items=40, people=people, labels=labels)
    found = assent.judge(annotations(table), judge="j1", scale=scale, min_items=1, replicates=1).judges[0].alt_test
    counts = {one.annotator: [one.human_closer, one.tie, one.judge_closer] for one in found.humans}
    assert counts == {f"h{i + 1}": list(one) for i, one in enumerate(slow.closer(table, score)) if sum(one)}  # type: ignore[arg-type]


def test_a_crowd_is_counted_as_a_team_is() -> None:
    table = team(3, items=60, people=30, labels=4, gaps=0.8)
    found = assent.judge(annotations(table), judge="j1", min_items=1, replicates=1).judges[0].alt_test
    counts = {one.annotator: [one.human_closer, one.tie, one.judge_closer] for one in found.humans}
    assert counts == {
        f"h{i + 1}": list(one) for i, one in enumerate(slow.closer(table, slow.share_of_equal)) if sum(one)
    }


def test_ratings_that_are_not_whole_numbers_tie_where_they_do() -> None:
    # The mean of the others, 0.3, lies halfway between 0.1 and 0.5: neither is closer, whatever rounding says.
    table: list[list[str | None]] = [["0.1", "0.3", "0.3", "0.5"], ["0.1", "0.2", "0.4", "0.5"]] * 20
    found = assent.judge(annotations(table), judge="j1", scale="interval", replicates=1).judges[0].alt_test
    assert [(one.human_closer, one.tie, one.judge_closer) for one in found.humans[:1]] == [(0, 40, 0)]


def test_clusters_of_one_item_change_nothing_and_copies_do() -> None:
    table = team(5, items=60)
    plain = assent.judge(annotations(table), judge="j1").judges[0]
    single = assent.judge(annotations(table, clusters=[str(i) for i in range(60)]), judge="j1").judges[0]
    for one, two in zip(plain.alt_test.humans, single.alt_test.humans, strict=True):
        assert math.isnan(one.p_cluster)
        assert two.p_cluster == pytest.approx(one.p)
        assert two.win_cluster == one.win
    # Every item five times over, each time as one text: the errors are those of the texts.
    copied = assent.judge(annotations(table * 5, clusters=[str(i % 60) for i in range(300)]), judge="j1").judges[0]
    for one, two in zip(plain.alt_test.humans, copied.alt_test.humans, strict=True):
        assert two.p_cluster == pytest.approx(one.p)
        assert two.p <= one.p or one.p > 0.5
    assert plain.mean_difference.interval is not None
    assert copied.mean_difference.interval is not None
    assert copied.mean_difference.interval.standard_error == pytest.approx(
        plain.mean_difference.interval.standard_error
    )
    assert copied.team.interval is not None
    assert plain.team.interval is not None
    assert copied.team.interval.standard_error == pytest.approx(plain.team.interval.standard_error)


def test_stability_is_a_bootstrap_of_the_verdict() -> None:
    data = pipeline("judge_pipeline_nominal")
    found = assent.judge(data, judge="judge", replicates=2000, seed=1).judges[0].alt_test
    again = assent.judge(data, judge="judge", replicates=2000, seed=1).judges[0].alt_test
    assert found.stability == again.stability == found.passing
    rng = np.random.default_rng(7)
    table = _matrix(data)
    passed = 0
    for _ in range(400):
        drawn = [table[i] for i in rng.integers(0, len(table), len(table))]
        counts = np.array(slow.closer(drawn, slow.share_of_equal)[:3]).T
        passed += benjamini_yekutieli(t_p(counts[0], counts[1], counts[2], 0.1)).mean() >= 0.5
    # Two bootstraps of the same verdict, one of kept items and one of all: they differ by their own noise alone.
    assert found.stability == pytest.approx(passed / 400, abs=0.08)


def _matrix(data: assent.Annotations) -> list[list[str | None]]:
    listing = data.to_rows()
    assert listing.annotators is not None
    assert listing.annotator is not None
    order = [listing.annotators.index(name) for name in ("h1", "h2", "h3", "h4", "judge")]
    table: list[list[str | None]] = [[None] * 5 for _ in listing.items]
    for item, annotator, label in zip(listing.item, listing.annotator, listing.label, strict=True):
        table[item][order.index(annotator)] = listing.labels[label]
    return table


def test_a_judge_that_reads_nothing_stands_beside_every_judge() -> None:
    # One label in ten is rare enough to be ignored for free at epsilon 0.2.
    rng = np.random.default_rng(0)
    truth = rng.random(300) < 0.08
    table: list[list[str | None]] = [["y" if one else "n"] * 4 for one in truth]
    found = assent.judge(annotations(table), judge="j1", epsilon=0.2).judges[0]
    assert found.alt_test.passed
    assert found.constant.alt_test.passed
    assert found.constant.label == "n"
    assert found.constant.team.human_judge == 0.0
    assert found.constant.team.difference is not None
    assert found.constant.team.difference.value == pytest.approx(-found.team.human_human)
    assert set(found.to_dict()["constant_judge"]) >= {"team", "alt_test", "mean_difference"}
    (outcome,) = assent.judge(annotations(table), judge="j1", epsilon=0.2, gate=["alt-test"]).gates
    assert outcome.outcome == "unclear"
    assert "so does a judge that always answers" in outcome.sentence


def test_without_thirty_items_nobody_is_tested_and_the_mean_difference_stays() -> None:
    found = assent.judge(annotations(team(2, items=20)), judge="j1").judges[0]
    test = found.to_dict()["alt_test"]
    assert (test["winning_rate"], test["advantage"], test["passed"], test["stability"], test["humans"]) == (
        None,
        None,
        None,
        None,
        [],
    )
    assert set(test["skipped"]) == {"h1", "h2", "h3", "h4"}
    assert not math.isnan(found.mean_difference.value)
