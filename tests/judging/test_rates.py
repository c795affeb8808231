"""Rates from a noisy judge."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.judging.cases import expected, oracle
from tests.support import some

import assent
from assent.analyses.judge.rates import (
    allocation,
    corrected_shares,
    lee,
    post_stratified,
    prediction_powered,
    rogan_gladen,
)

NAMES = {
    "binary": ("human", "judge_on_human_items", "judge_on_other_items"),
    "score": ("human_score", "judge_score_on_human_items", "judge_score_on_other_items"),
}


def inputs(kind: str) -> list[np.ndarray[Any, Any]]:
    given = oracle("success_rate")["inputs"]
    return [np.array(given[name], dtype=float) for name in NAMES[kind]]


def test_prediction_powered_inference_is_that_of_ppi_py() -> None:
    for one in some(case for case in oracle("success_rate")["expected"] if case["coef"].startswith("ppi")):
        found = prediction_powered(*inputs(one["params"]["data"]), weight=one["params"].get("lam"))
        value = {"ppi_estimate": found.value, "ppi_interval_95": [found.low, found.high], "ppi_lambda": found.weight}
        assert value[one["coef"]] == pytest.approx(one["value"], abs=one["tol"]), one


def test_corrections_by_sensitivity_and_specificity() -> None:
    human, judge, others = inputs("binary")
    sensitivity, specificity = judge[human == 1].mean(), 1 - judge[human == 0].mean()
    assert sensitivity == expected("success_rate", "sensitivity")
    assert specificity == expected("success_rate", "specificity")
    errors = (others.mean(), len(others), specificity, sensitivity, int((human == 0).sum()), int((human == 1).sum()))
    plain = rogan_gladen(*errors)
    assert plain.value == pytest.approx(expected("success_rate", "rogan_gladen"), abs=1e-12)
    assert plain.standard_error == pytest.approx(expected("success_rate", "rogan_gladen_se"), abs=1e-12)
    found = lee(*errors)
    assert [found.low, found.high] == pytest.approx(expected("success_rate", "lee_interval_95"), abs=1e-10)
    assert post_stratified(human, judge, others) == pytest.approx(
        expected("success_rate", "post_stratified"), abs=1e-12
    )


def test_lee_and_their_readme() -> None:
    given = oracle("lee_readme")["inputs"]
    found = lee(given["p"], given["n"], given["q0"], given["q1"], given["m0"], given["m1"])
    assert found.value == pytest.approx(expected("lee_readme", "theta"), abs=1e-12)
    assert [found.low, found.high] == pytest.approx(expected("lee_readme", "interval_95"), abs=1e-10)
    best = allocation(given["p"], given["q0"], given["q1"], 200, pilot=10)
    assert list(best) == expected("lee_readme", "allocation_m200_pilot10")


def test_shares_of_several_labels() -> None:
    given = oracle("multiclass_correction")["inputs"]
    found = corrected_shares(given["judge_share"], given["confusion_truth_by_judge"])
    assert found == pytest.approx(expected("multiclass_correction", "corrected_share"), abs=1e-12)
    assert np.isnan(corrected_shares([0.5, 0.5], [[0.6, 0.4], [0.6, 0.4]])).all()


def test_a_tuned_weight_with_the_slope_of_the_sample_is_post_stratification() -> None:
    human, judge, others = inputs("binary")
    slope = np.cov(human, judge, ddof=0)[0, 1] / judge.var()
    weight = slope * len(others) / (len(human) + len(others))
    found = prediction_powered(human, judge, others, weight=weight)
    assert found.value == pytest.approx(post_stratified(human, judge, others))


def frame(
    human: np.ndarray[Any, Any], judge: np.ndarray[Any, Any], others: np.ndarray[Any, Any] | None = None
) -> pl.DataFrame:
    words = {1.0: "pass", 0.0: "fail"}
    rows = [
        (f"i{i}", name, words[one]) for name, side in (("ann", human), ("gpt", judge)) for i, one in enumerate(side)
    ]
    rows += [(f"o{i}", "gpt", words[one]) for i, one in enumerate([] if others is None else others)]
    return pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row")


def test_the_rate_of_a_judge_on_items_of_the_same_table_and_of_another() -> None:
    human, judge, others = inputs("binary")
    data = assent.Annotations.from_frame(frame(human, judge, others))
    inside = assent.judge(data, judge="gpt", positive="pass", sample="random", replicates=1).judges[0].rate
    labelled = assent.Annotations.from_frame(frame(human, judge))
    given = {f"o{i}": "pass" if one else "fail" for i, one in enumerate(others)}
    outside = (
        assent.judge(labelled, judge="gpt", positive="pass", unlabelled=given, sample="random", replicates=1)
        .judges[0]
        .rate
    )
    assert inside is not None
    assert outside is not None
    for name, one in inside.methods.items():
        assert (one.value, one.low) == pytest.approx(
            (outside.methods[name].value, outside.methods[name].low), nan_ok=True
        )
    assert inside.methods["ppi"].value == pytest.approx(expected("success_rate", "ppi_estimate", data="binary", lam=1))
    assert inside.methods["ppi++"].value == pytest.approx(
        expected("success_rate", "ppi_estimate", data="binary", lam=None)
    )
    assert inside.methods["lee"].low == pytest.approx(expected("success_rate", "lee_interval_95")[0])
    assert inside.judge_rate == pytest.approx(expected("success_rate", "judge_rate"))
    assert (inside.n_labelled, inside.n_positive, inside.n_unlabelled) == (60, 48, 400)
    # Of sixty labels twelve are negatives: the judge keeps its full weight, with quantiles of t.
    assert inside.chosen.method == "ppi"
    assert inside.sample == "random"
    table = {label: made for label, _, made in inside.shares}
    assert table["pass"] == pytest.approx(post_stratified(human, judge, others)) == pytest.approx(1 - table["fail"])


def test_labels_chosen_by_label_are_noticed_or_said() -> None:
    rng = np.random.default_rng(1)

    def verdicts(truth):
        return np.where(truth == 1, rng.random(len(truth)) < 0.9, rng.random(len(truth)) < 0.2).astype(float)

    human, rest = np.repeat([0.0, 1.0], 100), (rng.random(2000) < 0.9).astype(float)
    data = assent.Annotations.from_frame(frame(human, verdicts(human), verdicts(rest)))
    found = assent.judge(data, judge="gpt", positive="pass", replicates=1).judges[0].rate
    assert found is not None
    assert found.sample == "by-label"
    assert found.chosen.method == "lee"
    assert found.chosen.low < rest.mean() < found.chosen.high
    assert (
        not found.methods["ppi"].low < rest.mean() < found.methods["ppi"].high
        or found.methods["ppi++"].high < rest.mean()
    )
    assert "no random sample" in " ".join(found.notes)
    said = assent.judge(data, judge="gpt", positive="pass", sample="random", replicates=1).judges[0].rate
    assert said is not None
    assert said.chosen.method == "ppi++"
    assert "seldom does that" in " ".join(said.notes)
    shares = {label: made for label, _, made in found.shares}
    assert shares["pass"] == pytest.approx(found.methods["rogan-gladen"].value)


@pytest.mark.parametrize(
    ("human", "judge", "why"),
    [
        ([0.0] * 20, [0.0, 1.0] * 10, "No labelled item is positive"),
        ([1.0] * 20, [0.0, 1.0] * 10, "No labelled item is negative"),
        ([0.0, 1.0] * 10, [1.0, 0.0] * 10, "no better than chance"),
    ],
)
def test_what_cannot_be_corrected_is_told(human: list[float], judge: list[float], why: str) -> None:
    data = assent.Annotations.from_frame(frame(np.array(human), np.array(judge), np.array([1.0, 0.0] * 20)))
    found = assent.judge(data, judge="gpt", positive="pass", sample="by-label", replicates=1).judges[0].rate
    assert found is not None
    plain = found.to_dict()
    assert plain["estimate"] is None
    assert why in plain["reason"]
    assert plain["methods"]["ppi"]["estimate"] is not None


def test_the_mean_rating_that_people_would_have_given() -> None:
    human, judge, others = inputs("score")
    rows = [(f"i{i}", name, str(one)) for name, side in (("ann", human), ("gpt", judge)) for i, one in enumerate(side)]
    data = assent.Annotations.from_frame(pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row"))
    # Among them are ratings that stand nowhere else, and a verdict that is none.
    given = {f"o{i}": str(one) for i, one in enumerate(others)}
    found = assent.judge(
        data, judge="gpt", scale="interval", unlabelled={**given, "bad": "good, I think"}, replicates=1
    )
    rate = found.judges[0].rate
    assert rate is not None
    assert rate.positive is None
    assert rate.n_unlabelled == len(others)
    known = expected("success_rate", "ppi_estimate", data="score", lam=1)
    assert rate.chosen.value == pytest.approx(known)
    assert rate.chosen.method == "ppi"
    assert rate.methods["ppi++"].value == pytest.approx(
        expected("success_rate", "ppi_estimate", data="score", lam=None)
    )
    assert "1 verdict on the unlabelled items" in " ".join(rate.notes)


def test_a_positive_label_that_nobody_gave_is_refused() -> None:
    data = assent.Annotations.from_frame(frame(np.array([1.0, 0.0]), np.array([1.0, 0.0]), np.array([1.0])))
    with pytest.raises(assent.OptionError, match='"pas", which is no label: did you mean "pass"'):
        assent.judge(data, judge="gpt", positive="pas")


def test_an_item_of_the_data_that_is_unlabelled_as_well_counts_once() -> None:
    human, judge, others = inputs("binary")
    data = assent.Annotations.from_frame(frame(human, judge, others))
    inside = assent.judge(data, judge="gpt", positive="pass", replicates=1).judges[0].rate
    again = data.only_annotators(["gpt"])
    both = assent.judge(data, judge="gpt", positive="pass", unlabelled=again, replicates=1).judges[0].rate
    assert inside is not None
    assert both is not None
    assert (
        (both.n_unlabelled, both.chosen.value) == (inside.n_unlabelled, inside.chosen.value) == (400, both.chosen.value)
    )
    assert f"{len(others)} items of the unlabelled ones are among the data as well and count once." in both.notes
    assert f"{len(human)} items of the unlabelled ones have labels of people as well" in " ".join(both.notes)


@pytest.mark.parametrize("text", ['{"verdict": "pa', "ERROR: timeout", "I am sorry, but I cannot answer that."])
def test_what_is_no_verdict_among_the_data_is_none_among_unlabelled_items(text: str) -> None:
    human, judge, others = inputs("binary")
    data = assent.Annotations.from_frame(frame(human, judge))
    given = {f"o{i}": "pass" if one else "fail" for i, one in enumerate(others)} | {f"x{i}": text for i in range(50)}
    found = assent.judge(data, judge="gpt", positive="pass", unlabelled=given, replicates=1).judges[0].rate
    assert found is not None
    assert found.judge_rate == pytest.approx(expected("success_rate", "judge_rate"))
    assert "50 verdicts on the unlabelled items are none" in " ".join(found.notes)


def test_an_answer_that_was_no_verdict_may_be_given_again() -> None:
    human, judge, _ = inputs("binary")
    rows = [*frame(human, judge).rows(), ("o1", "gpt", "ERROR: 429"), ("o2", "gpt", "pass")]
    data = assent.Annotations.from_frame(pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row"))
    given = {"o1": "fail", "o2": "pass"}
    found = assent.judge(data, judge="gpt", positive="pass", unlabelled=given, replicates=1).judges[0].rate
    assert found is not None
    assert (found.n_unlabelled, found.judge_rate) == (2, 0.5)


def test_with_known_labels_only_what_nobody_labelled_is_unlabelled() -> None:
    human, judge, others = inputs("binary")
    data = assent.Annotations.from_frame(frame(human, judge, others))
    truth = {f"i{i}": "pass" if one else "fail" for i, one in enumerate(human)}
    # The labels of some items on which the judge stands alone are known.
    rows = data.to_rows().items
    more = dict.fromkeys([one for one in rows if one not in truth][:100], "pass")
    found = assent.judge(data, judge="gpt", positive="pass", gold=truth | more, reference="gold", replicates=1).judges[
        0
    ]
    assert found.rate is not None
    assert (found.rate.n_labelled, found.rate.n_unlabelled) == (160, 300)
    assert not any("was not estimated" in note for note in found.notes)


def test_a_verdict_that_is_no_step_of_a_scale_is_missing() -> None:
    human = ["low", "mid", "high"] * 10
    rows = [(f"i{i}", name, one) for name in ("ann", "gpt") for i, one in enumerate(human)]
    data = assent.Annotations.from_frame(pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row"))
    how = {"judge": "gpt", "scale": "ordinal", "order": ["low", "mid", "high"], "replicates": 1}
    given = {"a": "low", "b": "mid"}
    rate, other = (assent.judge(data, unlabelled=some, **how).judges[0].rate for some in (given, given | {"c": "huge"}))
    assert rate is not None
    assert other is not None
    assert rate.judge_rate == other.judge_rate == 1.5
    assert "1 verdict on the unlabelled items are no label of the scale" in " ".join(other.notes)


def test_what_says_how_a_rate_is_estimated_needs_a_rate() -> None:
    data = assent.Annotations.from_frame(frame(np.array([1.0, 0.0]), np.array([1.0, 0.0])))
    with pytest.raises(assent.OptionError, match="`unlabelled` is for the rate of a label"):
        assent.judge(data, judge="gpt", unlabelled={"x": "pass"})
    with pytest.raises(assent.OptionError, match="`sample` by-label is about the rate of a label"):
        assent.judge(data, judge="gpt", sample="by-label")


def test_unlabelled_items_may_have_the_columns_of_the_table(tmp_path: Path) -> None:
    table, rest = tmp_path / "labels.csv", tmp_path / "rest.csv"
    table.write_text("item,ann,bob,gpt\n" + "i1,pass,pass,pass\ni2,fail,fail,fail\ni3,pass,fail,pass\n")
    rest.write_text("item,ann,bob,gpt\nu1,,,pass\nu2,,,fail\nu3,,,pass\n")
    found = assent.judge(str(table), judge="gpt", positive="pass", unlabelled=str(rest), replicates=1).judges[0].rate
    assert found is not None
    assert (found.n_unlabelled, found.judge_rate) == (3, pytest.approx(2 / 3))
