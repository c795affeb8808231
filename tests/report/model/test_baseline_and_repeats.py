"""The sections on an earlier result and on runs of one judge."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import assent
from assent.errors import OptionError, UnreadableFile


def runs(items: int = 60) -> pl.DataFrame:
    rng = np.random.default_rng(2)
    chance = rng.beta(0.5, 0.5, items)
    columns = {f"gpt_run_{i}": np.where(rng.random(items) < chance, "yes", "no") for i in range(3)}
    return pl.DataFrame({"item": np.arange(items), **columns, "doc": np.arange(items) // 4})


def test_runs_of_one_judge_have_a_section() -> None:
    data = assent.read(runs(), item="item", annotators=[f"gpt_run_{i}" for i in range(3)])
    made = assent.report(data)
    found = made.to_dict()["repeats"]
    assert found["flip_rate"] == assent.repeat(data).to_dict()["flip_rate"]
    assert "Runs of one judge" in made.text()
    assert {"flips", "stability"} <= set(made.figures())
    assert "gpt" in made.html()


def test_clusters_of_data_that_were_read_are_known() -> None:
    data = assent.read(runs(), item="item", cluster="doc", annotators=[f"gpt_run_{i}" for i in range(3)])
    found = assent.report(data).to_dict()["repeats"]
    assert (found["flip_rate"]["ci"]["unit"], found["flip_rate"]["ci"]["units"]) == ("doc", 15)


def test_people_have_no_such_section() -> None:
    assert assent.report(assent.read("examples/sentiment.csv")).to_dict()["repeats"] is None


def test_the_number_to_quote_is_held_against_an_earlier_report(tmp_path: Path) -> None:
    data = assent.read("examples/sentiment.csv")
    earlier = tmp_path / "earlier.json"
    assent.report(data).save(earlier)
    made = assent.report(data, baseline=earlier)
    found = made.to_dict()["baseline"]
    assert found["difference"] == 0.0
    assert found["ci"]["low"] < 0 < found["ci"]["high"]
    assert "the baseline was" in made.text()
    assert assent.report(data).to_dict()["baseline"] is None


def test_a_baseline_of_several_questions_is_refused(tmp_path: Path) -> None:
    data = assent.read("examples/sentiment.csv")
    with pytest.raises(OptionError, match="several questions"):
        assent.report({"a": data, "b": data}, baseline=tmp_path / "x.json")
    with pytest.raises(UnreadableFile, match="cannot be read"):
        assent.report(data, baseline=tmp_path / "x.json")
