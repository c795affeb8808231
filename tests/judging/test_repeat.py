"""Repeats against published-style tables with known answers, and against a slow reference that lists every pair."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reference import repeats as slow

import assent
from assent.analyses.repeat.stability import (
    beta_majority_change,
    fitted_majority_change,
    majority_change,
    runs_for_reliability,
    spearman_brown,
)
from assent.errors import DuplicateAnnotations, NothingToCompare, OptionError, UnknownColumn, UnsuitableData

ORACLES = Path(__file__).parents[1] / "oracles" / "judges"


def oracle(name: str) -> tuple[list[dict[str, Any]], dict[tuple[str, str], tuple[float, float]]]:
    held = json.loads((ORACLES / f"{name}.json").read_text())
    rows = [dict(zip(held["columns"], row, strict=True)) for row in held["rows"]]
    expected = {(one["coef"], json.dumps(one["params"])): (one["value"], one["tol"]) for one in held["expected"]}
    return rows, expected


def of_oracle(found: dict[str, Any], coef: str, params: dict[str, Any]) -> float:
    """What the JSON calls a number of the oracle."""
    judges = {one["judge"]: one for one in found["judges"]}
    (pair,) = found["ceilings"][:1]
    if coef == "majority_change":
        (one,) = [one for one in judges[params["judge"]]["majority"] if one["runs"] == params["runs"]]
        assert one["model"] is None
        return one["change"]
    return {
        "flip_rate": lambda: judges[params["judge"]]["flip_rate"]["value"],
        "any_change_share": lambda: judges[params["judge"]]["ever_changed"],
        "alpha_over_runs": lambda: judges[params["judge"]]["alpha"]["value"],
        **{
            f"disagreement_{name}": lambda name=name: found["disagreement"][name]["value"]
            for name in found["disagreement"]
        },
        **{f"var_{name}": lambda name=name: found["components"][name] for name in found["components"]},
        "attenuation_kappa": lambda: pair["kappa"]["value"],
        "attenuation_ceiling": lambda: pair["ceiling"]["value"],
        "attenuation_corrected": lambda: pair["corrected"]["value"],
        "attenuation_kappa_jj": lambda: pair["first_self"]["value"],
        "attenuation_kappa_hh": lambda: pair["second_self"]["value"],
    }[coef]()


def test_two_judges_with_unequal_runs() -> None:
    rows, expected = oracle("repeat_binary")
    found = assent.repeat(rows, run="run").to_dict()
    for (coef, params), (value, tolerance) in expected.items():
        assert of_oracle(found, coef, json.loads(params)) == pytest.approx(value, abs=max(tolerance, 1e-12)), coef


def test_components_are_those_of_the_analysis_of_variance() -> None:
    rows, expected = oracle("repeat_components")
    for scale in ("nominal", "interval"):
        found = assent.repeat(rows, run="run", scale=scale).to_dict()["components"]
        for name in found:
            value, tolerance = expected[f"var_{name}", json.dumps({"scale": scale})]
            assert found[name] == pytest.approx(value, abs=tolerance)


def test_formulas_of_majorities_and_of_mean_scores() -> None:
    _, expected = oracle("repeat_components")
    for (coef, params), (value, tolerance) in expected.items():
        given_ = json.loads(params)
        if coef == "majority_change_beta":
            assert beta_majority_change(given_["a"], given_["b"], given_["runs"]) == pytest.approx(value, abs=tolerance)
        elif coef == "spearman_brown":
            assert spearman_brown(given_["reliability"], given_["runs"]) == pytest.approx(value, abs=tolerance)
        elif coef == "runs_needed":
            assert runs_for_reliability(given_["reliability"], given_["target"]) == pytest.approx(value, abs=tolerance)


@pytest.mark.parametrize(("a", "b"), [(0.3, 0.5), (1.0, 1.0), (4.0, 2.0)])
def test_a_beta_distribution_is_found_again_from_its_mean_and_flip_rate(a: float, b: float) -> None:
    flips = beta_majority_change(a, b, 1)
    for k in (1, 3, 5, 7):
        assert fitted_majority_change(a / (a + b), flips, k) == pytest.approx(beta_majority_change(a, b, k), rel=1e-9)


def test_items_that_are_all_alike_have_a_binomial_majority() -> None:
    p = 0.947
    q = sum(math.comb(3, i) * p**i * (1 - p) ** (3 - i) for i in (2, 3))
    assert fitted_majority_change(p, 2 * p * (1 - p), 3) == pytest.approx(2 * q * (1 - q), rel=1e-6)
    assert fitted_majority_change(0.4, 0.0, 3) == 0.0


LABELS = st.lists(st.integers(0, 3), min_size=2, max_size=7)


@given(LABELS, st.integers(1, 3))
def test_majorities_are_those_of_all_disjoint_sets_of_runs(labels: list[int], k: int) -> None:
    if len(labels) < 2 * k:
        return
    counts = tuple(np.bincount(labels).tolist())
    assert majority_change(counts, k) == pytest.approx(slow.majority_change(labels, k), abs=1e-12)


def test_a_majority_that_would_take_too_long_is_not_given() -> None:
    assert majority_change(tuple([1] * 40), 9) is None


@st.composite
def tables(draw: st.DrawFn) -> list[tuple[str, str, str, int]]:
    """Rows of item, judge, run and label, of which some judges may have one run, and some cells none."""
    judges = draw(st.integers(1, 3))
    runs = [draw(st.integers(1, 3)) for _ in range(judges)]
    runs[0] = max(runs[0], 2)
    rows = []
    for item in range(draw(st.integers(2, 6))):
        for judge in range(judges):
            least = 2 if item == judge == 0 else 0
            rows += [
                (f"i{item}", f"j{judge}", f"r{run}", draw(st.integers(1, 4)))
                for run in range(draw(st.integers(least, runs[judge])))
            ]
    return rows


@given(tables())
def test_every_number_is_that_of_the_reference(rows: list[tuple[str, str, str, int]]) -> None:
    frame = pl.DataFrame(rows, schema=["item", "annotator", "run", "label"], orient="row")
    triples = [(item, judge, label) for item, judge, _, label in rows]
    for scale, distance in (("nominal", slow.other), ("interval", slow.half_squared)):
        found = assent.repeat(frame, run="run", scale=scale, ci="none")
        assert found.flip_rate.value == pytest.approx(slow.flip_rate(triples), abs=1e-12)
        for one in found.judges:
            assert one.flip_rate.value == pytest.approx(slow.flip_rate(triples, one.judge), abs=1e-12)
        wanted = slow.pair_means(triples, distance)
        for name, value in wanted.items():
            if value is None:
                assert math.isnan(found.disagreement[name].value)
            else:
                assert found.disagreement[name].value == pytest.approx(value, abs=1e-10)
        once = set(found.once)
        for pair in found.ceilings:
            try:
                kappa, under_root, by_chance = slow.attenuation(
                    triples, {pair.first}, once if pair.people else {pair.second}, distance
                )
            except ZeroDivisionError:
                assert not math.isfinite(pair.ceiling.value)
                continue
            assert pair.kappa.value == pytest.approx(kappa, abs=1e-9)
            if under_root >= 1e-12:
                assert pair.ceiling.value == pytest.approx(math.sqrt(under_root) / by_chance, abs=1e-6)


def simulated(items: int = 60, runs: int = 4, seed: int = 1) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    chance = rng.beta(0.6, 0.6, items)
    labels = rng.random((items, runs)) < chance[:, None]
    return pl.DataFrame(
        {
            "item": np.repeat([f"t{i}" for i in range(items)], runs),
            "judge": ["gpt"] * (items * runs),
            "run": np.tile(np.arange(runs), items),
            "verdict": np.where(labels.ravel(), "pass", "fail"),
            "document": np.repeat(np.arange(items) // 5, runs),
        }
    )


def test_every_way_to_give_the_runs_gives_the_same(tmp_path: Path) -> None:
    long = simulated()
    wanted = assent.repeat(long, run="run")
    wide = long.pivot(on="run", index="item", values="verdict").rename({str(i): f"gpt_run_{i}" for i in range(4)})
    files = []
    for run in range(4):
        part = long.filter(pl.col("run") == run).select("item", "judge", "verdict")
        files.append(tmp_path / f"run{run}.csv")
        part.write_csv(files[-1])
    others = {
        "without the column, in the order of rows": assent.repeat(long.drop("run", "document")),
        "columns named alike": assent.repeat(wide),
        "columns that are named": assent.repeat(
            wide.rename({f"gpt_run_{i}": "abcd"[i] for i in range(4)}), runs=list("abcd")
        ),
        "files": assent.repeat(files),
        "one judge, who is not named": assent.repeat(long.select("item", "run", "verdict"), run="run"),
        "annotators": assent.repeat(assent.read(wide)),
    }
    for how, found in others.items():
        assert found.flip_rate.value == wanted.flip_rate.value, how
        assert found.flip_rate.interval == wanted.flip_rate.interval, how
        assert {name: one.value for name, one in found.components.items() if one.value == one.value} == pytest.approx(
            {name: one.value for name, one in wanted.components.items() if one.value == one.value}
        ), how
        assert sorted(flip.item for flip in found.flips) == sorted(flip.item for flip in wanted.flips), how
    assert others["columns named alike"].judges[0].judge == "gpt"


def test_clusters_are_drawn_as_a_whole() -> None:
    frame = simulated()
    by_item = assent.repeat(frame, run="run").flip_rate
    by_document = assent.repeat(frame, run="run", cluster="document").flip_rate
    assert by_document.value == by_item.value
    assert by_item.interval is not None
    assert by_document.interval is not None
    assert (by_document.interval.unit, by_document.interval.n_units) == ("document", 12)
    assert by_document.interval.low != by_item.interval.low


@pytest.mark.parametrize("method", ["etel", "analytic", "jackknife", "bootstrap"])
def test_every_number_has_an_interval(method: str) -> None:
    found = assent.repeat(simulated(), run="run", ci=method, replicates=200)
    judge = found.judges[0]
    quantities = [found.flip_rate, judge.flip_rate, found.components["item"], found.components["run"]]
    quantities += [one.quantity for one in judge.majority if one.quantity is not None]
    for one in quantities:
        assert one.interval is not None
        assert one.interval.low <= one.value <= one.interval.high
    assert judge.interval is not None


def test_nothing_ever_changed_has_an_interval_that_allows_for_luck() -> None:
    frame = simulated().with_columns(verdict=pl.lit("pass"), judge=pl.lit("gpt"))
    frame = frame.with_columns(
        verdict=pl.when(pl.col("item") == "t0").then(pl.lit("fail")).otherwise(pl.col("verdict"))
    )
    found = assent.repeat(frame, run="run")
    assert found.flip_rate.value == 0.0
    assert found.flip_rate.interval is not None
    assert 0.0 == found.flip_rate.interval.low < found.flip_rate.interval.high < 0.15
    assert any("cached" in note for note in found.notes)
    few = assent.repeat(frame.filter(pl.col("item").is_in([f"t{i}" for i in range(40)])), run="run")
    assert not any("cached" in note for note in few.notes)


def test_one_run_that_copies_another_is_noticed() -> None:
    frame = simulated(items=200)
    second = frame.filter(pl.col("run") == 1).select("item", copied="verdict")
    copied = frame.join(second, on="item").with_columns(
        verdict=pl.when(pl.col("run") == 2).then(pl.col("copied")).otherwise(pl.col("verdict"))
    )
    assert any("copied or cached" in note for note in assent.repeat(copied, run="run").notes)
    assert not any("copied" in note for note in assent.repeat(frame, run="run").notes)


def test_what_could_not_be_parsed_is_missing_and_counted() -> None:
    frame = simulated().with_columns(verdict=pl.when(pl.col("item") == "t3").then(None).otherwise(pl.col("verdict")))
    found = assent.repeat(frame, run="run")
    assert found.n_items == 59
    assert found.notes[0].startswith("4 runs of an item have no label")


def test_trouble_is_told_in_a_sentence() -> None:
    frame = simulated(items=6)
    with pytest.raises(UnknownColumn, match='`run` names the column "pass"'):
        assent.repeat(frame, run="pass")
    with pytest.raises(NothingToCompare, match="no repeats"):
        assent.repeat([["a", "a"], ["b", "a"]])
    with pytest.raises(DuplicateAnnotations):
        assent.repeat(pl.concat([frame, frame]), run="run")
    with pytest.raises(OptionError, match="read already"):
        assent.repeat(
            assent.read(
                frame.filter(pl.col("run") < 1).with_columns(judge=pl.col("item").hash() % 2),
                annotator="judge",
                item="item",
                label="verdict",
            ),
            run="run",
        )
    with pytest.raises(UnsuitableData, match="interval scale needs labels that are numbers"):
        assent.repeat(frame, run="run", scale="interval")
    with pytest.raises(OptionError, match="give one of them"):
        assent.repeat(frame, run="run", runs=["a", "b"])


def test_repeats_in_any_other_command_are_recognised() -> None:
    with pytest.raises(DuplicateAnnotations, match="`assent repeat`, with `run` run"):
        assent.read(simulated(items=6).drop("document"))
    with pytest.raises(DuplicateAnnotations, match="`assent repeat`"):
        assent.read(simulated(items=6).drop("document", "run"))


def test_runs_that_are_given_as_columns_are_noticed() -> None:
    long = simulated()
    wide = long.pivot(on="run", index="item", values="verdict").rename({str(i): f"gpt_run_{i}" for i in range(4)})
    noted = assent.read(wide).notes
    assert any("runs of one judge" in note and "`assent repeat`" in note for note in noted)
    assert not any(
        "runs of" in note for note in assent.read(wide.rename({f"gpt_run_{i}": f"ann{i}" for i in range(4)})).notes
    )


def test_the_ceiling_of_people_takes_their_agreement_with_each_other() -> None:
    frame = simulated(items=80)
    rng = np.random.default_rng(3)
    truth = frame.filter(pl.col("run") == 0).select("item", "verdict")
    people = pl.concat(
        truth.with_columns(
            judge=pl.lit(name),
            run=pl.lit(0, dtype=pl.Int64),
            verdict=pl.when(pl.Series(rng.random(80) < 0.15)).then(pl.lit("fail")).otherwise(pl.col("verdict")),
        )
        for name in ("ann", "bob", "cleo")
    ).select("item", "judge", "run", "verdict")
    both = pl.concat([frame.select("item", "judge", "run", "verdict"), people])
    found = assent.repeat(both, run="run")
    (pair,) = found.ceilings
    triples = [(row[0], row[1], row[3]) for row in both.rows()]
    kappa, under_root, by_chance = slow.attenuation(triples, {"gpt"}, {"ann", "bob", "cleo"}, slow.other)
    assert (pair.second, pair.people) == ("people", True)
    assert pair.kappa.value == pytest.approx(kappa, abs=1e-12)
    assert pair.ceiling.value == pytest.approx(math.sqrt(under_root) / by_chance, abs=1e-12)
    assert found.once == ("ann", "bob", "cleo")


def test_all_renderings_hold_the_figures(tmp_path: Path) -> None:
    found = assent.repeat(simulated(), run="run")
    assert "of labels change on a second run" in found.text()
    for ending in ("html", "md", "tex", "json", "txt"):
        found.save(tmp_path / f"repeat.{ending}")
    assert {"flips", "stability"} <= set(found.figures())


def test_people_beside_the_columns_of_runs_are_annotators_too() -> None:
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 2, 40)
    columns = ["ann", "bob", "gpt_run1", "gpt_run2", "gpt_run3"]
    table = {name: [str(one ^ int(rng.random() < 0.2)) for one in truth] for name in columns}
    data = assent.read({"item": [f"i{i}" for i in range(40)], **table})
    assert data.annotators == tuple(columns)
    assert any("look like 3 runs of one judge" in note for note in data.notes)
    found = assent.repeat({"item": [f"i{i}" for i in range(40)], **table})
    assert [one.judge for one in found.judges] == ["gpt"]
    assert found.once == ("ann", "bob")


@pytest.mark.parametrize(
    "text", ["ERROR: 429", '{"verdict": ', "parse_error", "I am sorry, I cannot help with that request."]
)
def test_an_answer_that_is_no_verdict_is_missing_and_counted(text: str) -> None:
    labels = [["y", "y", "n"], ["n", "n", "n"], ["y", "y", "y"], ["n", "y", "n"]] * 5
    rows = [
        {"item": i, "annotator": "gpt", "run": run, "label": one}
        for i, some in enumerate(labels)
        for run, one in enumerate([*some, text if i % 4 == 0 else some[0]])
    ]
    found = assent.repeat(rows, run="run")
    kept = assent.repeat([row for row in rows if row["label"] != text], run="run")
    assert found.flip_rate.value == kept.flip_rate.value
    assert found.notes[0].startswith("5 answers are no verdict and left out as missing: ")
    assert [(one.reason[:10], one.rows) for one in found.data.dropped] == [("no verdict", 5)]
    # What a person says, too, or an order has, is a label.
    people = [{"item": i, "annotator": who, "run": 0, "label": text} for i in range(20) for who in ("ann", "bob")]
    assert not any("no verdict" in note for note in assent.repeat(rows + people, run="run").notes)
    assert not any("no verdict" in note for note in assent.repeat(rows, run="run", order=["y", "n", text]).notes)


def test_words_that_may_be_verdicts_stay_and_numbers_are_wanted_on_a_scale() -> None:
    def of(*labels: str, scale: str = "nominal") -> assent.Repeatability:
        rows = [
            {"item": i, "annotator": "gpt", "run": run, "label": labels[(i + run * (i % 3)) % len(labels)]}
            for i in range(30)
            for run in range(3)
        ]
        return assent.repeat(rows, run="run", scale=scale)

    assert not of("passed", "failed").data.dropped
    assert not any("verdict" in note for note in of("passed", "failed", "refused").notes)
    told = of("yes", "no", "yes", "no", "ERROR").notes
    assert (
        told[0] == '"ERROR" counts as a verdict here: what says that there is none is to be left out, with `missing`.'
    )
    # Labels that are all pieces of JSON are meant.
    assert not of('{"a": 1}', '{"a": 2}').data.dropped
    assert "left out as missing" in of("1", "2", "3", "4", "5", "good", scale="interval").notes[0]


def test_a_majority_of_one_run_is_not_told_twice() -> None:
    rows = [
        {"item": item, "annotator": who, "run": run, "label": "abc"[(item + run * (item % 4 == 0)) % 3]}
        for item in range(12)
        for who in ("ann", "bob")
        for run in (1, 2)
    ]
    told = assent.repeat(rows, run="run").text()
    assert "How far each judge repeats itself" in told
    assert "majorities of so many runs" not in told
    assert "These runs are too few to tell" in told
