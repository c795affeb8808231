"""Sharpening and CrowdTruth against slow references, and by hand."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given
from tests.consensus import slow
from tests.consensus.data import STABLE, Row, annotations, probabilities, scores, simulated, tables

import assent

ROUNDING = 1e-9


def assert_rows(found: assent.Consensus, wanted: dict[str, dict[str, float]], tolerance: float) -> None:
    """Probabilities are the slow ones; they are undefined exactly where nobody of any weight annotated."""
    mine = probabilities(found)
    assert mine.keys() == wanted.keys()
    for item, values in wanted.items():
        if any(values.values()):
            assert mine[item] == pytest.approx(values, abs=tolerance), item
        else:
            assert np.isnan(list(mine[item].values())).all(), item


def assert_scores(mine: dict[str, float], wanted: dict[str, float], defined: set[str], tolerance: float) -> None:
    """Scores are the slow ones where one is defined, and undefined everywhere else."""
    assert mine.keys() == wanted.keys()
    assert {name for name, value in mine.items() if not np.isnan(value)} == defined
    for name in defined:
        assert mine[name] == pytest.approx(wanted[name], abs=tolerance), name


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("iterations", [1, 2, 12])
def test_sharpening_is_the_slow_one(seed: int, iterations: int) -> None:
    rows, _ = simulated(25, 4, 7, 3, seed, ragged=True)
    found = assent.consensus(annotations(rows), "sharpening", max_iterations=iterations, tolerance=0)
    shared = [(item, who, {label: 1.0}) for item, who, label in rows]
    weight, _, group = slow.sharpening(shared, found.labels, iterations)
    assert scores(found, "weight") == pytest.approx(weight, abs=ROUNDING)
    assert_rows(found, group, ROUNDING)


@given(tables())
@STABLE
def test_sharpening_is_the_slow_one_on_any_table(rows: list[Row]) -> None:
    found = assent.consensus(annotations(rows), "sharpening", max_iterations=8, tolerance=0)
    shared = [(item, who, {label: 1.0}) for item, who, label in rows]
    weight, _, group = slow.sharpening(shared, found.labels, 8)
    assert scores(found, "weight") == pytest.approx(weight, abs=1e-7)
    assert_rows(found, group, 1e-7)


def test_agreement_that_is_that_of_chance_but_for_rounding_is_no_weight() -> None:
    """The one who can be judged gave a third of "a" and "c" as the others did: a kappa of 0, of which rounding made 1e-16, and that a weight of 1."""
    rows = [("i3", "w1", "a"), ("i3", "w2", "a"), ("i3", "w3", "c"), ("i6", "w0", "b"), ("i6", "w1", "c")]
    found = assent.consensus(annotations(rows), "sharpening", tolerance=0, max_iterations=8)
    assert scores(found, "weight") == dict.fromkeys(["w0", "w1", "w2", "w3"], 0.0)
    assert any("No annotator agrees with the others beyond chance" in note for note in found.notes)


def test_sharpening_of_shares_by_primary_and_secondary_labels() -> None:
    """Annotations of two labels are shared out: p for the primary one, 1 - p for the other (Rosenberg and Binkowski)."""
    import polars as pl

    cells = {
        "v": ["a;b", "b;a", "b", "c", "c;b"],
        "w": ["a", "b;a", "b", "c", "b;c"],
        "x": ["a;b;c", "a;b", "b", "c;b", "c"],
        "y": ["c", "a", "c", "b", "a;c"],
    }
    frame = pl.DataFrame(
        [
            {"item": f"m{i}", "annotator": who, "label": text}
            for who, texts in cells.items()
            for i, text in enumerate(texts)
        ]
    )
    data = assent.Annotations.from_frame(frame, separator=";", ranked=True)
    for primary in (None, 0.6, 1.0):
        options = {} if primary is None else {"primary": primary}
        found = assent.consensus(data, "sharpening", tolerance=0, max_iterations=9, **options)
        shared = []
        for who, texts in cells.items():
            for i, text in enumerate(texts):
                names = text.split(";")
                rest = len(names) - 1
                p = 1.0 if not rest else 1 / len(names) if primary is None else primary
                parts = [p, *[(1 - p) / max(1, rest)] * rest]
                shared.append((f"m{i}", who, dict(zip(names, parts, strict=True))))
        weight, sharpness, group = slow.sharpening(shared, ["a", "b", "c"], 9)
        assert found.labels == ("a", "b", "c")
        assert scores(found, "weight") == pytest.approx(weight, abs=ROUNDING)
        for item, values in probabilities(found).items():
            assert values == pytest.approx(group[item], abs=ROUNDING)
        assert dict(zip(found.items, found.item_scores["weight"], strict=True)).keys() == sharpness.keys()


def test_primary_is_checked() -> None:
    with pytest.raises(assent.OptionError, match=r"`primary` is 0\.4; it must lie between 0\.5 and 1"):
        assent.consensus([["a", "b"]], "sharpening", primary=0.4)
    with pytest.raises(assent.OptionError, match="`primary` needs annotations that rank their labels"):
        assent.consensus([["a", "b"]], "sharpening", primary=0.6)


def test_weights_of_annotators_by_hand() -> None:
    """Two who always agree have kappa 1; one who gives a label for everything agrees no more than by chance."""
    table = [["a", "a", "a"], ["b", "b", "a"], ["a", "a", "a"], ["b", "b", "a"]]
    found = assent.consensus(table, "sharpening")
    assert found.annotator_scores["weight"] == pytest.approx([1, 1, 0], abs=1e-6)
    assert found.decided == ["a", "b", "a", "b"]
    assert found.item_scores["weight"] == pytest.approx([1, 1, 1, 1], abs=1e-6)
    assert found.converged


def test_nobody_who_agrees_leaves_no_label() -> None:
    found = assent.consensus([["a", "b"], ["b", "c"], ["c", "a"]], "sharpening")
    assert found.decided == [None, None, None]
    assert np.isnan(found.confidence).all()
    assert not found.tied.any()
    assert found.converged
    assert (
        "No annotator agrees with the others beyond chance: all weights are 0, and no item gets a label." in found.notes
    )


def test_who_cannot_be_judged_gets_the_mean_weight_and_it_is_said() -> None:
    rows = [(str(i), who, "ab"[i % 2]) for i in range(6) for who in "vw"] + [("0", "new", "b")]
    found = assent.consensus(annotations(rows), "sharpening")
    weight, kappa = scores(found, "weight"), scores(found, "kappa")
    assert weight["new"] == pytest.approx((weight["v"] + weight["w"]) / 2)
    assert np.isnan(kappa["new"])
    assert any(note.startswith("1 annotator cannot be judged") for note in found.notes)


def test_items_on_which_all_disagree_judge_nobody() -> None:
    """Two annotators who share every item out between two labels leave items of weight 0: nothing is known of either."""
    found = assent.consensus([["a", "b"], ["b", "a"], ["a", "b"]], "sharpening")
    assert found.item_scores["weight"].tolist() == [0, 0, 0]
    assert found.annotator_scores["weight"].tolist() == [1, 1]
    assert found.tied.all()
    assert "No annotator can be judged by the others: all count the same." in found.notes


def test_one_label_for_everything_is_no_reason_to_weigh_anybody_down() -> None:
    found = assent.consensus([["a", "a"], ["a", "a"]], "sharpening")
    assert found.decided == ["a", "a"]
    assert found.annotator_scores["weight"].tolist() == [1, 1]
    assert "No annotator can be judged by the others: all count the same." in found.notes


def test_sharpening_says_when_it_has_not_converged() -> None:
    rows, _ = simulated(25, 4, 7, 3, 1)
    assert assent.consensus(annotations(rows), "sharpening", max_iterations=2).converged is False


def assert_crowdtruth(found: assent.Consensus, rows: list[Row], iterations: int, tolerance: float) -> None:
    """All scores are the slow ones; those of whoever, and of whatever, is on no item with two annotations are undefined."""
    units, workers, labels, shares = slow.crowdtruth(rows, iterations)
    shared = [row for row in rows if sum(one[0] == row[0] for one in rows) > 1]
    items, who, given = ({row[place] for row in shared} for place in range(3))
    quality = dict(zip(found.items, map(float, found.item_scores["quality"]), strict=True))
    assert_scores(quality, units, items, tolerance)
    assert_scores(scores(found, "quality"), workers, who, tolerance)
    of_labels = dict(zip(found.labels, map(float, found.label_scores["quality"]), strict=True))
    assert_scores(of_labels, labels, given, tolerance)
    assert_rows(found, shares, tolerance)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("iterations", [1, 2, 10])
def test_crowdtruth_is_the_slow_one(seed: int, iterations: int) -> None:
    rows, _ = simulated(20, 4, 6, 3, seed, ragged=True)
    found = assent.consensus(annotations(rows), "crowdtruth", max_iterations=iterations, tolerance=0)
    assert_crowdtruth(found, rows, iterations, ROUNDING)


@given(tables())
@STABLE
def test_crowdtruth_is_the_slow_one_on_any_table(rows: list[Row]) -> None:
    found = assent.consensus(annotations(rows), "crowdtruth", max_iterations=5, tolerance=0)
    assert_crowdtruth(found, rows, 5, 1e-6)


def test_crowdtruth_in_blocks_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, _ = simulated(40, 4, 9, 3, 2)
    whole = assent.consensus(annotations(rows), "crowdtruth")
    # The package calls the method by the name of its module.
    monkeypatch.setattr(sys.modules["assent.analyses.consensus.methods.crowdtruth"], "MEETINGS", 7)
    parts = assent.consensus(annotations(rows), "crowdtruth")
    assert parts.label_scores["quality"] == pytest.approx(whole.label_scores["quality"], abs=1e-12)


def test_full_agreement_has_quality_1() -> None:
    found = assent.consensus([["a", "a", "a"], ["b", "b", "b"], ["a", "a", None]], "crowdtruth")
    assert found.item_scores["quality"] == pytest.approx([1, 1, 1])
    assert found.annotator_scores["quality"] == pytest.approx([1, 1, 1])
    assert found.label_scores["quality"] == pytest.approx([1, 1])
    assert found.converged
