"""Judges that labelled items several times, beside people."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import assent
from assent.analyses.judge.soft import distances
from assent.data import judge_names
from assent.errors import DuplicateAnnotations, UnknownColumn


def frame(seed: int = 0, *, people: int = 3, runs: int = 4, items: int = 60) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, items)
    rows = []
    for item, one in enumerate(truth):
        for name, run, wrong, kind in [
            *((f"h{person}", 0, 0.15, "person") for person in range(people)),
            *(("gpt", run, 0.2, "model") for run in range(runs)),
        ]:
            rows += [(f"i{item}", name, run, "yn"[int(one ^ (rng.random() < wrong))], kind)]
    return pl.DataFrame(rows, schema=["item", "annotator", "run", "label", "kind"], orient="row")


def test_the_first_run_is_compared_and_all_of_them_say_how_far_it_repeats_itself() -> None:
    table = frame()
    found = assent.judge(table, judge="gpt", run="run", replicates=50).judges[0]
    first = assent.judge(table.filter(pl.col("run") == 0), judge="gpt", replicates=50).judges[0]
    assert found.team.human_judge == pytest.approx(first.team.human_judge)
    assert found.alt_test.to_dict() == first.alt_test.to_dict()
    assert found.errors is not None
    whole = assent.repeat(table, run="run")
    assert found.repeats is not None
    assert found.repeats.flip_rate.value == pytest.approx(whole.judges[0].flip_rate.value)
    assert found.ceiling is not None
    assert found.ceiling.ceiling.value == pytest.approx(whole.ceilings[0].ceiling.value)
    plain = found.to_dict()
    assert plain["repeat"]["flip_rate"]["value"] == found.repeats.flip_rate.value
    assert plain["ceiling"]["ceiling"]["value"] == found.ceiling.ceiling.value
    assert first.to_dict()["repeat"] is first.to_dict()["ceiling"] is None
    assert any("has 4 runs" in note for note in found.notes)


def test_soft_labels_are_shares_over_the_runs() -> None:
    table = frame(3)
    found = assent.judge(table, judge="gpt", run="run", replicates=1).judges[0].soft
    assert found is not None
    counts: dict[str, list[Any]] = {"people": [], "judge": []}
    for item in table["item"].unique(maintain_order=True):
        some = table.filter(pl.col("item") == item)
        for who, kept in (("people", some["annotator"] != "gpt"), ("judge", some["annotator"] == "gpt")):
            labels = some.filter(kept)["label"].to_list()
            counts[who].append([labels.count(one) for one in "yn"])
    judge = np.array(counts["judge"])
    wanted = distances(np.array(counts["people"]), judge / judge.sum(axis=1, keepdims=True))
    assert found.squared_unbiased == pytest.approx(wanted["squared_unbiased"].mean())
    assert found.manhattan == pytest.approx(wanted["manhattan"].mean())
    assert found.jsd_bits == pytest.approx(wanted["jsd_bits"].mean())
    assert found.cross_entropy == pytest.approx(wanted["cross_entropy"].mean())


def test_one_judge_with_runs_and_one_without() -> None:
    table = frame(1)
    other = table.filter((pl.col("annotator") == "gpt") & (pl.col("run") == 0)).with_columns(annotator=pl.lit("claude"))
    both = pl.concat([table, other])
    gpt, claude = assent.judge(both, judge=["gpt", "claude"], run="run", replicates=20).judges
    assert claude.repeats is None
    assert claude.soft is not None
    alone = assent.judge(table, judge="gpt", run="run", replicates=20).judges[0]
    assert gpt.ceiling is not None
    assert alone.ceiling is not None
    # People set the ceiling, not the other judge.
    assert gpt.ceiling.ceiling.value == pytest.approx(alone.ceiling.ceiling.value)
    marked = assent.judge(both, judge_column="kind", run="run", replicates=20, columns=["kind"])
    assert [one.judge for one in marked.judges] == ["claude", "gpt"]
    assert "annotators" not in marked.to_dict()["data"] or marked.to_dict()["data"]["annotators"] == 5


def test_what_a_reader_is_told() -> None:
    told = assent.judge(frame(1), judge="gpt", run="run", replicates=20).text()
    assert "Does it repeat itself?" in told
    assert "change on a second run" in told
    assert "cannot exceed" in told
    with pytest.raises(DuplicateAnnotations, match="`run` in `assent judge`"):
        assent.judge(frame(1).drop("run"), judge="gpt")
    with pytest.raises(UnknownColumn, match='"nope"'):
        assent.judge(frame(1), judge="gpt", run="nope")


def test_identical_runs_are_asked_about() -> None:
    table = frame(2)
    first = table.filter((pl.col("annotator") == "gpt") & (pl.col("run") == 0))
    copies = pl.concat(
        [table.filter(pl.col("annotator") != "gpt"), *(first.with_columns(run=pl.lit(k, pl.Int64)) for k in range(3))]
    )
    found = assent.judge(copies, judge="gpt", run="run", replicates=1)
    assert "were the answers cached?" in found.text()


def _columns() -> assent.Annotations:
    """Two people and three runs of one judge, each a column, in which the judge differs from the people."""
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 2, 120)
    own = np.where(rng.random(120) < 0.35, 1 - truth, truth)
    columns = [np.where(rng.random(120) < 0.1, 1 - one, one) for one in (truth, truth, own, own, own)]
    return assent.Annotations.from_array(
        np.column_stack(columns).astype(str), annotators=["ann", "bob", "gpt_run1", "gpt_run2", "gpt_run3"]
    )


def test_columns_called_like_runs_of_the_judge_are_not_people() -> None:
    data = _columns()
    alone = assent.judge(data.only_annotators(["ann", "bob", "gpt_run1"]), judge="gpt_run1").judges[0]
    for name in ("gpt", "gpt_run1"):
        found = assent.judge(data, judge=name)
        (one,) = found.judges
        assert (one.judge, found.people) == (name, ("ann", "bob"))
        assert one.team.human_judge == alone.team.human_judge
        assert one.repeats is not None
        assert one.repeats.flip_rate.value == assent.repeat(data).flip_rate.value
        assert one.ceiling is not None
        assert any('"gpt_run1"' in note for note in one.notes)
    second = assent.judge(data, judge="gpt_run2").judges[0]
    by_itself = assent.judge(data.only_annotators(["ann", "bob", "gpt_run2"]), judge="gpt_run2").judges[0]
    assert second.team.human_judge == by_itself.team.human_judge


def test_runs_among_the_people_let_no_gate_pass() -> None:
    data = _columns()
    found = assent.judge(data, judge="bob", fail_under=0.1, gate=["kappa"])
    assert [one.outcome for one in found.gates] == ["unclear"]
    assert "keep one run" in found.gates[0].sentence


def test_a_report_is_about_the_people_and_not_about_runs_of_the_judge() -> None:
    data = _columns()
    for name in ("gpt", "gpt_run1"):
        assert assent.report(data, judge=name).to_dict()["data"]["annotators"] == 2
    assert assent.report(data, judge="gpt", anonymise=True).to_dict()["data"]["annotators"] == 2


def test_every_word_for_a_run_is_looked_for() -> None:
    for word in judge_names._WORDS.split("|"):
        names = [f"gpt_{word}_1", f"gpt_{word}_2"]
        assert list(judge_names.runs_by_name([*names, "ann"])) == names
    assert judge_names.runs_by_name([f"w{i}" for i in range(1000)]) == {}
