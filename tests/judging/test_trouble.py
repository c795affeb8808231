"""What a judge is not to get away with: skipping what is hard, answers that are no verdict, people who are models."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import assent


def skipping(seed: int = 1) -> assent.Annotations:
    """Three people who agree on the easy half of the items, and a worse judge that has the easy half alone."""
    rng = np.random.default_rng(seed)
    truth, hard = rng.integers(0, 2, 300), np.arange(300) % 2 == 1

    def said(wrong: object) -> np.ndarray:
        return np.where(rng.random(300) < wrong, rng.integers(0, 2, 300), truth).astype(object)

    people = [said(np.where(hard, 0.9, 0.05)) for _ in range(3)]
    judge = np.where(hard, None, said(0.2))
    return assent.Annotations.from_array(np.column_stack([*people, judge]), annotators=["ann", "bob", "cleo", "gpt"])


def test_a_judge_that_skips_what_is_hard_is_compared_with_people_on_its_items() -> None:
    data = skipping()
    found = assent.judge(data, judge="gpt", gate=["noninferior"])
    team = found.judges[0].team
    assert team.noninferior
    easy = assent.Annotations.from_array(
        [row for row in _rows(data) if row[3] is not None], annotators=["ann", "bob", "cleo", "gpt"]
    )
    alone = assent.judge(easy, judge="gpt").judges[0].team
    own = team.on_judged
    assert own is not None
    assert (own.human_human, own.human_judge, own.low) == pytest.approx(
        (alone.human_human, alone.human_judge, alone.low)
    )
    assert own.inferior
    assert [one.outcome for one in found.gates] == ["fail"]
    assert "on those that it labelled it is shown to be worse" in found.gates[0].sentence
    assert "On the items that it labelled" in found.text()
    held = found.to_dict()["judges"][0]["team"]["on_judged_items"]
    assert held["human_human"] == pytest.approx(team.human_human_judged)
    assert alone.on_judged is None


def _rows(data: assent.Annotations) -> list[list[str | None]]:
    listing = data.to_rows()
    assert listing.annotator is not None
    assert listing.annotators is not None
    made: list[list[str | None]] = [[None] * 4 for _ in listing.items]
    for item, who, label in zip(listing.item, listing.annotator, listing.label, strict=True):
        made[item][["ann", "bob", "cleo", "gpt"].index(listing.annotators[who])] = listing.labels[label]
    return made


@pytest.mark.parametrize(
    ("said", "missing"),
    [
        ("ERROR: no JSON", True),
        ("I cannot answer that question.", True),
        ("Sure! The verdict is: pass", True),
        ('{"verdict":', True),
        ("```json", True),
        ("partial", False),
        ("not quite sure", False),
    ],
)
def test_the_text_of_an_answer_is_no_verdict(said: str, missing: bool) -> None:
    rows = [["pass", "pass", "pass"], ["fail", "fail", "fail"]] * 20 + [["pass", "fail", said]]
    one = assent.judge(assent.Annotations.from_array(rows, annotators=["ann", "bob", "gpt"]), judge="gpt").judges[0]
    assert one.n_missing == int(missing)
    assert any("count as missing" in note for note in one.notes) is missing


def test_people_without_an_item_beside_the_judge_are_listed() -> None:
    rows = [["a", "b", None, "a"], ["b", "b", None, "b"]] * 20 + [[None, None, "a", None]]
    data = assent.Annotations.from_array(rows, annotators=["ann", "bob", "cleo", "gpt"])
    assert dict(assent.judge(data, judge="gpt").judges[0].alt_test.skipped) == {"cleo": 0}


def table(items: int = 120) -> list[list[str]]:
    rng = np.random.default_rng(1)
    truth = rng.choice(["no", "yes"], items)
    return np.column_stack(
        [np.where(rng.random(items) < 0.15, rng.choice(["no", "yes"], items), truth) for _ in range(3)]
    ).tolist()


def test_a_kappa_that_a_constant_judge_reaches_lets_nobody_pass() -> None:
    data = assent.Annotations.from_array(table(), annotators=["ann", "bob", "gpt"])
    (idle,) = assent.judge(data, judge="gpt", fail_under=0.0, gate=["kappa"]).gates
    assert idle.outcome == "unclear"
    assert "always answers" in idle.sentence
    assert assent.judge(data, judge="gpt", fail_under=0.3, gate=["kappa"]).gates[0].outcome == "pass"


def test_a_person_named_like_a_model_is_named_where_something_passes() -> None:
    data = assent.Annotations.from_array(table(), annotators=["ann", "claude", "gpt"])
    (one,) = assent.judge(data, judge="gpt", fail_under=0.3, gate=["kappa"]).gates
    assert one.outcome == "pass"
    assert '"claude" is counted among the people' in one.sentence


def test_a_baseline_of_the_judge_under_another_name(tmp_path: Path) -> None:
    data = assent.Annotations.from_array(table(), annotators=["ann", "bob", "gpt-4"])
    (tmp_path / "last.json").write_text(json.dumps(assent.judge(data, judge="gpt-4").to_dict()))
    later = assent.Annotations.from_array(table(), annotators=["ann", "bob", "gpt-5"])
    now = assent.judge(later, judge="gpt-5", baseline=tmp_path / "last.json")
    assert now.against[0].difference == 0
    assert now.against[0].note == 'The baseline is that of "gpt-4".'


def test_known_labels_in_a_column_of_the_table(tmp_path: Path) -> None:
    rows = [f"q{i},{one[0]},{','.join(one)}" for i, one in enumerate(table())]
    (tmp_path / "t.csv").write_text("item,gold,ann,bob,gpt-4o\n" + "\n".join(rows))
    data = assent.read(tmp_path / "t.csv", columns=["gold"])
    errors = assent.judge(data, judge="gpt-4o", gold_column="gold").judges[0].errors
    assert errors is not None
    assert errors.reference == "gold"
    assert errors.accuracy.value == np.mean([one[0] == one[2] for one in table()])


def test_models_beside_people_are_columns_of_one_table(tmp_path: Path) -> None:
    rows = [f"q{i},{','.join(one)},{one[0]},{one[2]}" for i, one in enumerate(table())]
    (tmp_path / "t.csv").write_text("item,ann,bob,cleo,gpt-4o,claude\n" + "\n".join(rows))
    assert assent.judge(tmp_path / "t.csv", judge=["gpt-4o", "claude"]).people == ("ann", "bob", "cleo")


def test_too_few_common_items_name_no_best_judge() -> None:
    rows = [["a", "a", "a", None], ["b", "b", None, "b"]] * 20
    found = assent.judge(
        assent.Annotations.from_array(rows, annotators=["ann", "bob", "gpt", "claude"]), judge=["gpt", "claude"]
    )
    assert "closest to the people (" not in found.text()


def test_what_a_gate_says_is_the_text_of_its_case() -> None:
    from assent.documents.junit import junit_xml

    data = assent.Annotations.from_array(table(), annotators=["ann", "bob", "gpt"])
    found = assent.judge(data, judge="gpt", fail_under=0.3, margin=0.0, gate=["kappa", "noninferior"])
    cases = ElementTree.fromstring(junit_xml(found.gates, suite="t")).findall(".//testcase")
    assert [case[0].text for case in cases] == [one.sentence for one in found.gates]


def test_no_worse_than_a_judge_that_was_worth_nothing_is_no_pass(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 2, 2000)

    def rows(right: float) -> assent.Annotations:
        sides = [np.where(rng.random(2000) < some, truth, 1 - truth) for some in (0.9, 0.9, right)]
        return assent.Annotations.from_array(np.column_stack(sides).astype(str), annotators=["ann", "bob", "gpt"])

    guessing, able = rows(0.5), rows(0.9)
    wanted = [
        (guessing, guessing, "unclear", "So would that of a judge that always answers"),
        (guessing, able, "pass", ", which this one is better than."),
        (able, able, "pass", "all of the interval reaches −0.10."),
        (able, guessing, "fail", "all of the interval is below −0.10."),
    ]
    for before, now, outcome, said in wanted:
        path = tmp_path / "before.json"
        path.write_text(assent.judge(before, judge="gpt", replicates=10).json())
        (one,) = assent.judge(now, judge="gpt", baseline=path, gate="no-worse", margin=0.1, replicates=10).gates
        assert (one.outcome, said in one.sentence) == (outcome, True), one.sentence


@pytest.mark.parametrize("least", [0, -1])
def test_nobody_without_items_is_held_out(least: int) -> None:
    with pytest.raises(assent.OptionError, match=f"`min_items` is {least}; it must be 1 or more"):
        assent.judge(skipping(), judge="gpt", min_items=least)
