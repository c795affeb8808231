"""The answers of other programs on the same annotations (tests/oracles/consensus, with their versions)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.consensus.data import annotations, probabilities, scores
from tests.support import some

import assent

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "consensus" / "programs.json").read_text("utf-8"))
TABLES = [pytest.param(one, id=one["id"]) for one in ORACLE["tables"]]


def data_of(table: dict[str, Any]) -> assent.Annotations:
    return annotations([(item, who, label) for item, who, label in table["annotations"]])


def assert_same(found: assent.Consensus, wanted: dict[str, dict[str, float]], tolerance: float) -> None:
    mine = probabilities(found)
    assert mine.keys() == wanted.keys()
    for item, values in wanted.items():
        for label, value in values.items():
            assert mine[item][label] == pytest.approx(value, abs=tolerance), (item, label)


def test_it_says_where_it_is_from() -> None:
    assert "crowd-kit 1.4.2" in ORACLE["source"]
    assert "crowdtruth 2.1" in ORACLE["source"]


@pytest.mark.parametrize("table", TABLES)
def test_majority_is_that_of_crowd_kit(table: dict[str, Any]) -> None:
    assert_same(assent.consensus(data_of(table)), table["answers"]["majority"], 1e-12)


@pytest.mark.parametrize("method", ["dawid-skene", "one-coin"])
@pytest.mark.parametrize("table", TABLES)
def test_models_are_those_of_crowd_kit_after_as_many_rounds(table: dict[str, Any], method: str) -> None:
    for answer in some(table["answers"][method]):
        found = assent.consensus(data_of(table), method, max_iterations=answer["rounds"], tolerance=0)
        assert_same(found, answer["probabilities"], 1e-8)


@pytest.mark.parametrize("table", TABLES)
def test_dawid_skene_converges_to_where_crowd_kit_does(table: dict[str, Any]) -> None:
    last = table["answers"]["dawid-skene"][-1]
    found = assent.consensus(data_of(table), "dawid-skene", tolerance=1e-12, max_iterations=5000)
    assert found.converged
    assert_same(found, last["probabilities"], 1e-6)


@pytest.mark.parametrize("table", TABLES)
def test_mace_converges_to_where_crowd_kit_does(table: dict[str, Any]) -> None:
    for answer in some(table["answers"]["mace"]):
        options = {} if answer["smoothing"] is None else {"smoothing": answer["smoothing"]}
        found = assent.consensus(
            data_of(table),
            "mace",
            estimation=answer["estimation"],
            restarts=1,
            tolerance=1e-12,
            max_iterations=5000,
            **options,
        )
        assert_same(found, answer["probabilities"], 1e-6)


@pytest.mark.parametrize("table", TABLES)
def test_crowdtruth_is_that_of_its_authors(table: dict[str, Any]) -> None:
    """Their program ends when no score changes by 0.001 or more."""
    found = assent.consensus(data_of(table), "crowdtruth", tolerance=0.001 - 1e-12)
    answer = table["answers"]["crowdtruth"]
    quality = dict(zip(found.items, found.item_scores["quality"], strict=True))
    for item, value in answer["units"].items():
        # An item with one annotation has no agreement: theirs is 0.
        assert quality[item] == pytest.approx(value, abs=1e-6) or (quality[item] != quality[item] and value == 0)
    assert scores(found, "quality") == pytest.approx(answer["workers"], abs=1e-6)
    labels = dict(zip(found.labels, found.label_scores["quality"], strict=True))
    assert labels == pytest.approx(answer["labels"], abs=1e-6)
    assert_same(found, answer["probabilities"], 1e-6)
