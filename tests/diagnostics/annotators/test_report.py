"""Everything about annotators in one report: who is flagged, as what, and what is said of those who cannot be judged."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.diagnostics.annotators.simulated import annotations, drawn, gaps
from tests.support import examples

import assent
from assent import Annotations, AnnotatorReport, OptionError
from assent.errors import NothingToCompare, UnsuitableData

Trouble = Callable[[Any, Any, np.random.Generator], Any]


def clicks(said: Any, mine: Any, rng: np.random.Generator) -> Any:
    return np.where(mine, rng.integers(0, 4, said.shape), said)


def one_label(said: Any, mine: Any, rng: np.random.Generator) -> Any:
    return np.where(mine, 0, said)


def swaps(said: Any, mine: Any, rng: np.random.Generator) -> Any:
    return np.where(mine, np.array([1, 0, 2, 3])[said], said)


def turns(said: Any, mine: Any, rng: np.random.Generator) -> Any:
    return np.where(mine, (said + 1) % 4, said)


def careless(said: Any, mine: Any, rng: np.random.Generator) -> Any:
    return np.where(mine & (rng.random(said.shape) < 0.6), rng.integers(0, 4, said.shape), said)


def troubled(
    trouble: Trouble | None, *, each: int, items: int = 300, annotators: int = 8, seed: int = 0
) -> AnnotatorReport:
    """A report on a team of good annotators, one of whom, w5, is trouble."""
    rng = np.random.default_rng(seed)
    who, said, _ = drawn(rng, annotators=annotators, items=items, each=each, shares=[4, 3, 2, 1], skill=0.85)
    if trouble is not None:
        said = trouble(said, who == 5, rng)
    return assent.annotators(annotations(who, said, annotators, 4))


@pytest.mark.parametrize("each", [8, 3, 2])
@pytest.mark.parametrize(
    ("trouble", "kind"),
    [
        (clicks, "chance"),
        (one_label, "one-label"),
        (swaps, "swapped-labels"),
        (turns, "swapped-labels"),
        (careless, "low-agreement"),
    ],
    ids=["clicks", "one label", "swaps", "turns", "careless"],
)
def test_trouble_is_found_and_called_what_it_is(trouble: Trouble, kind: str, each: int) -> None:
    report = troubled(trouble, each=each, items=300 if each == 8 else 900)
    worst = next(report.rows())
    assert (worst["annotator"], worst["flagged"], worst["kind"]) == ("w5", True, kind)
    assert [row["annotator"] for row in report.rows() if row["flagged"]] == ["w5"]
    assert worst["reason"].startswith('"w5" ')
    assert "First " in worst["reason"]
    # Without them the others agree better.
    assert worst["without"]["difference"] > 0


def test_the_reason_names_the_labels_that_were_exchanged() -> None:
    assert '"a" and "b" were exchanged' in str(next(troubled(swaps, each=8).rows())["reason"])
    turned = str(next(troubled(turns, each=8).rows())["reason"])
    assert '"b" stood for "a"' in turned


def test_who_always_gives_the_most_frequent_label_is_found_though_they_agree_as_well_as_anybody() -> None:
    rng = np.random.default_rng(1)
    who, said, _ = drawn(rng, annotators=6, items=400, each=4, shares=[9, 1], skill=0.8)
    said = np.where(who == 2, 0, said)
    report = assent.annotators(annotations(who, said, 6, 2))
    row = next(report.rows())
    assert (row["annotator"], row["kind"]) == ("w2", "one-label")
    assert row["others"]["difference"] > -0.05
    assert row["leans"] == ["a", "b"]


def test_who_seldom_leaves_the_most_frequent_label_but_knows_when_is_no_clicker() -> None:
    """They lean, and are said to; but they agree with the others beyond chance where they do use another label."""
    rng = np.random.default_rng(1)
    who, said, _ = drawn(rng, annotators=6, items=1500, each=4, shares=[9, 1], skill=0.85)
    said = np.where((who == 2) & (rng.random(who.shape) < 0.7), 0, said)
    rows = {row["annotator"]: row for row in assent.annotators(annotations(who, said, 6, 2)).rows()}
    assert rows["w2"]["labels"][0]["share"] > 0.95 or rows["w2"]["labels"][1]["share"] > 0.95
    assert rows["w2"]["leans"]
    assert rows["w2"]["kind"] != "one-label"


def test_nobody_is_flagged_in_an_honest_team() -> None:
    flagged = sum(bool(troubled(None, each=3, seed=seed).flagged.any()) for seed in range(60))
    assert flagged <= 60 * 0.05 + 3 * np.sqrt(60 * 0.05 * 0.95)


def test_a_difference_below_the_margin_is_no_discovery_however_sure() -> None:
    rng = np.random.default_rng(2)
    skill = [0.9] * 7 + [0.86]
    who, said, _ = drawn(rng, annotators=8, items=6000, each=8, shares=[1, 1, 1], skill=skill)
    data = annotations(who, said, 8, 3)
    assert not assent.annotators(data).flagged.any()
    assert not assent.annotators(data, margin=0.01).flagged.any()
    assert assent.annotators(data, margin=0.01, otherwise=0.0).flagged.tolist() == [False] * 7 + [True]


def test_one_of_a_minority_that_reads_otherwise_is_called_that() -> None:
    rng = np.random.default_rng(3)
    who, said, truth = drawn(rng, annotators=9, items=300, each=9, shares=[1, 1, 1], skill=0.9)
    disputed = (rng.random(300) < 0.4)[:, None]
    said = np.where(disputed & (who >= 7) & (rng.random(who.shape) < 0.9), (truth[:, None] + 1) % 3, said)
    report = assent.annotators(annotations(who, said, 9, 3))
    assert report.clusters is not None
    rows = {row["annotator"]: row for row in report.rows()}
    assert {name for name, row in rows.items() if row["kind"] == "other-school"} == {"w7", "w8"}
    assert "with 1 annotator who read as they do" in rows["w7"]["reason"]
    assert (rows["w7"]["school"], rows["w0"]["school"]) == (1, 0)
    sentence = report.clusters_sentence()
    assert sentence is not None
    assert '"w7" and "w8"' in sentence
    assert report.to_dict()["schools"]["sentence"] == sentence


def test_two_annotators_are_not_judged_and_that_is_said() -> None:
    report = assent.annotators([["a", "a"], ["a", "b"], ["b", "b"]] * 10)
    assert not report.judged.any()
    assert "nothing says which one is right" in " ".join(report.notes)
    for row in report.rows():
        assert (
            row["notes"][0]
            == "Not judged by agreement: of two annotators who disagree, nothing says which one is right."
        )
        assert row["notes"][1].startswith("Without this annotator the coefficient is undefined")
        assert row["others"]["p_corrected"] is None


def test_of_two_annotators_the_one_who_gives_one_label_is_found() -> None:
    rng = np.random.default_rng(4)
    report = assent.annotators([["ab"[rng.integers(2)], "a"] for _ in range(60)])
    assert [(row["annotator"], row["kind"]) for row in report.rows() if row["flagged"]] == [("2", "one-label")]


def test_one_item_one_label_and_nothing_shared_are_stated_not_guessed() -> None:
    rows: list[list[str | None]] = [["a", "a", "a", None, None] for _ in range(20)]
    rows += [["a", None, None, "a", None], [None, None, None, None, "b"]]
    report = assent.annotators(rows)
    found = {row["annotator"]: row for row in report.rows()}
    assert found["5"]["notes"] == ["Shares no item with anybody: there is nothing to compare."]
    assert found["5"]["agreement"]["value"] is None
    assert (found["5"]["annotations"], found["5"]["items"], found["5"]["partners"]) == (1, 0, 0)
    assert found["4"]["notes"][0] == "Not judged by agreement: 1 shared item, fewer than 10."
    assert found["4"]["notes"][1].startswith("No interval: one shared item")
    assert found["1"]["coefficient"]["value"] is None
    assert any("one and the same label" in note for note in found["1"]["notes"])
    assert found["1"]["others"]["p_value"] == 1.0
    assert not report.flagged.any()
    assert any(note.startswith("1 item has one annotation") for note in report.notes)
    assert any("2 annotators of 5 were not judged" in note for note in report.notes)


def test_a_partner_with_nobody_else_is_no_yardstick() -> None:
    rows = [["a", "b", None, None], [None, None, "a", "a"], ["b", "b", None, None]] * 15
    found = {row["annotator"]: row for row in assent.annotators(rows).rows()}
    assert found["1"]["notes"][0].startswith("Not judged by agreement: of 30 shared items 0 say who is to blame")


def test_the_worst_come_first_and_those_not_judged_last() -> None:
    report = troubled(clicks, each=3)
    rows = list(report.rows())
    differences = [row["others"]["difference"] for row in rows]
    assert differences == sorted(differences)
    assert [row["annotator"] for row in report.rows(3)] == [row["annotator"] for row in rows[:3]]
    assert len(report) == len(rows) == 8


def test_it_is_plain_values_whose_keys_never_vanish() -> None:
    whole, small = troubled(clicks, each=3).to_dict(), assent.annotators([["a", "a"], ["b", "b"]]).to_dict()
    assert json.loads(json.dumps(whole, allow_nan=False)) == whole
    assert list(whole) == list(small) == ["data", "team", "settings", "annotators", "pairs", "schools", "notes"]
    assert list(whole["annotators"][0]) == list(small["annotators"][0])
    assert whole["team"]["flagged"] == 1
    assert len(whole["pairs"]) == 28


def test_the_table_has_one_row_an_annotator() -> None:
    report = troubled(swaps, each=3)
    columns = report.columns()
    assert {len(column) for column in columns.values()} == {8}
    assert columns["annotator"][0] == "w5"
    assert columns["kind"][0] == "swapped-labels"
    assert all(not isinstance(cell, list | dict) for column in columns.values() for cell in column)


def test_a_trend_and_a_scale_are_taken_along() -> None:
    rng = np.random.default_rng(5)
    who, said, _ = drawn(rng, annotators=4, items=200, each=4, shares=[1, 1, 1])
    frame = pl.DataFrame(
        {
            "item": np.repeat(np.arange(200), 4),
            "annotator": [f"w{i}" for i in who.ravel()],
            "label": said.ravel() + 1,
            "at": [f"2024-01-{1 + i // 30:02}T{i % 24:02}:00" for i in np.repeat(np.arange(200), 4)],
            "document": np.repeat(np.arange(200) // 5, 4),
        }
    )
    ordinal = assent.annotators(Annotations.from_frame(frame, columns=["at"]), time="at", scale="ordinal")
    assert ordinal.without.agreement.options["scale"] == "ordinal"
    plain = assent.annotators(Annotations.from_frame(frame, columns=["at"]), time="at")
    data = Annotations.from_frame(frame, columns=["at"], cluster="document")
    clustered = assent.annotators(data, time="at")
    for one, other in zip(sorted(plain.rows(), key=str), sorted(clustered.rows(), key=str), strict=True):
        assert one["trend"] == other["trend"]
        assert one["agreement"]["value"] == pytest.approx(other["agreement"]["value"])
    assert any("cluster" in note for note in clustered.notes)


def test_a_table_of_counts_has_no_annotators() -> None:
    data = Annotations.from_counts([[3, 0], [1, 2]], labels=["yes", "no"])
    with pytest.raises(UnsuitableData, match="not who, so there are no annotators to compare"):
        assent.annotators(data)


def test_nothing_shared_at_all_is_an_error() -> None:
    with pytest.raises(NothingToCompare, match="No item has two annotations"):
        assent.annotators([["a", None], [None, "b"]])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fdr": 0.0}, "fdr is 0; it must lie between 0 and 1"),
        ({"level": 1.0}, "level is 1; it must lie between 0 and 1"),
        ({"margin": -0.1}, "`margin` is -0.1"),
        ({"least": 0}, "least is 0"),
        ({"seed": -1}, "`seed` is -1; it must not be negative"),
        ({"measure": "cohen-kappa"}, "cohen-kappa asks who"),
        ({"measure": "no-such"}, "There is no measure"),
        ({"time": "when"}, 'column "when" was not kept'),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        assent.annotators([["a", "a"], ["a", "b"]], **options)


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 6), st.integers(2, 4))
def test_nothing_depends_on_order_or_names_and_copies_change_no_mean(seed: int, annotators: int, labels: int) -> None:
    rng = np.random.default_rng(seed)
    rows = gaps(rng, 25, annotators, labels)
    renamed = [[None if label is None else f"L{label}" for label in rows[i]] for i in rng.permutation(25)]
    try:
        report = assent.annotators(rows)
    except assent.InputError:
        return
    other, twice = assent.annotators(renamed), assent.annotators([*rows, *rows])
    assert other.relative.p_value == pytest.approx(report.relative.p_value, rel=1e-6, nan_ok=True)
    assert other.agreement.value == pytest.approx(report.agreement.value, nan_ok=True)
    assert other.without.values == pytest.approx(report.without.values, nan_ok=True)
    assert twice.agreement.observed == pytest.approx(report.agreement.observed, nan_ok=True)
    assert twice.agreement.value == pytest.approx(report.agreement.value, nan_ok=True)
    same = twice.relative.items == 2 * report.relative.items
    assert twice.relative.difference[same] == pytest.approx(report.relative.difference[same], nan_ok=True)
    lonely = assent.annotators([*rows, ["a", *[None] * (annotators - 1)]])
    assert lonely.relative.p_value == pytest.approx(report.relative.p_value, nan_ok=True)
    assert lonely.agreement.value == pytest.approx(report.agreement.value, nan_ok=True)


def _ratings(low: int = 0) -> list[list[str]]:
    """Three annotators who rate 60 items on five points; the third may be lower."""
    rng = np.random.default_rng(8)
    seen = rng.integers(1, 6, (60, 1)) + rng.choice([-1, 0, 0, 1], (60, 3)) - np.array([0, 0, low])
    return np.clip(seen, 1, 5).astype(str).tolist()


@pytest.mark.parametrize("ask", [assent.annotators, assent.labels])
def test_ratings_that_were_compared_as_names_are_said_to_be(ask: Any) -> None:
    """Who rates a step lower was said to differ, and nothing said that steps had been taken as names."""
    said = [note for note in ask(_ratings(1)).notes if "were compared as names" in note]
    assert len(said) == 1
    alpha = assent.krippendorff_alpha(_ratings(1), scale="ordinal")
    assert f"would be {alpha:.2f}, not {assent.krippendorff_alpha(_ratings(1)):.2f}" in said[0]
    for rows, scale in (
        (_ratings(1), "ordinal"),
        (_ratings(1), "nominal"),
        ([["a", "a", "b"], ["b", "b", "b"]] * 20, None),
    ):
        assert not [note for note in ask(rows, scale=scale).notes if "compared as names" in note]
