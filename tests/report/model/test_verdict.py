"""The verdict: the number, how it stands to what is asked for, and what to do next."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from tests.report.model.studies import long_data

import assent


def verdict(data: Any, **settings: Any) -> dict[str, Any]:
    return assent.report(data, **settings).to_dict()["verdict"]


SAME = [["a", "a"], ["b", "b"], ["c", "c"]]
APART = [["a", "b"], ["b", "c"], ["c", "a"], ["b", "a"], ["c", "b"], ["a", "c"]]
GOOD, MIDDLING, POOR = SAME * 100 + APART * 2, SAME * 40 + APART * 6, SAME * 30 + APART * 20


@pytest.mark.parametrize(
    ("data", "task", "status", "said"),
    [
        (GOOD, "objective", "above", "above the 0.80 that an objective task asks for."),
        (MIDDLING, "objective", "below", "below the 0.80 that an objective task asks for."),
        (MIDDLING, "standard", "unclear", "which may or may not reach the 0.70 that a standard task asks for."),
        (MIDDLING, "subjective", "above", "above the 0.50 that a subjective task asks for."),
        (POOR, "highly-subjective", "below", "below the 0.40 that a highly subjective task asks for."),
        (POOR, 0.1, "unclear", "which may or may not reach the 0.10 that you ask for."),
    ],
)
def test_how_it_stands_to_what_is_asked_for(data: Any, task: Any, status: str, said: str) -> None:
    found = verdict(data, task=task)
    assert found["status"] == status
    assert found["sentence"].endswith(said)
    value, low, high = (f"{found[name]:.2f}" for name in ("value", "low", "high"))
    assert f"Cohen's kappa is {value} (95 % interval {low} to {high})" in found["sentence"]
    assert found["sentence"].startswith(f"Agreement is {found['word']}: ")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (GOOD, "enough even for an objective task (0.80)."),
        (MIDDLING, "enough for a subjective task (0.50), not surely for a standard one (0.70)."),
        (POOR, "too little even for a highly subjective task (0.40)."),
        ([["a", "b"], ["a", "a"]], "not surely enough even for a highly subjective task (0.40)."),
    ],
)
def test_without_a_task_all_kinds_are_named_that_it_would_do_for(data: Any, said: str) -> None:
    found = verdict(data)
    assert found["sentence"].endswith(said)
    assert (found["status"], found["task"], found["target"]) == (None, None, None)
    assert [one["task"] for one in found["targets"]] == ["objective", "standard", "subjective", "highly-subjective"]


def test_an_interval_across_most_of_the_words_allows_none_of_them() -> None:
    few = verdict([["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"], ["a", "a"]])
    assert few["sentence"].startswith(
        "Agreement may be anything from poor to almost perfect: Cohen's kappa is 0.62 on only 5 items ("
    )
    assert few["word"] == "substantial"


def test_agreement_that_is_enough_is_not_called_free_of_problems_where_it_leans() -> None:
    """Of 80 items on which the two differ, one always gave the higher label."""
    rows = [["a", "a", "a"]] * 900 + [["b", "b", "b"]] * 900 + [["a", "a", "b"]] * 80
    report = assent.report(rows, task="standard").to_dict()
    assert "asymmetric-disagreement" in [one["key"] for one in report["coefficients"]["findings"]]
    assert report["verdict"]["next"].startswith(
        "Agreement is enough, but disagreement has a direction. Go through the 80 items with"
    )


def test_a_note_on_all_coefficients_is_said_once() -> None:
    text = assent.report([["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"], ["a", "a"]]).markdown()
    assert text.count("carry another label than the most frequent one") == 1


def test_bands_cover_the_line_without_a_gap() -> None:
    bands = verdict(GOOD)["bands"]
    assert (bands[0]["low"], bands[-1]["high"]) == (-1.0, 1.0)
    assert all(one["high"] == other["low"] for one, other in pairwise(bands))
    assert [one["word"] for one in bands] == ["poor", "slight", "fair", "moderate", "substantial", "almost perfect"]


def test_an_icc_is_read_on_the_scale_that_is_usual_for_it() -> None:
    found = verdict([[1, 2, 1], [4, 4, 5], [9, 8, 9], [5, 5, 5], [2, 3, 2]] * 10, scale="interval")
    assert (found["measure"], found["scale"], found["word"]) == ("icc", "Cicchetti 1994", "excellent")


def test_one_label_has_no_number_and_says_why() -> None:
    found = verdict([["a", "a"]] * 5, task="standard")
    assert (found["value"], found["word"], found["status"]) == (None, None, "undefined")
    # What the value may be with one more item: next to nothing is known.
    assert found["high"] - found["low"] > 0.9
    assert found["sentence"].startswith("There is no coefficient to quote: Cohen's kappa is undefined.")
    assert "right column" in found["next"]


def test_few_items_are_said_to_be_few_and_an_interval_has_a_width() -> None:
    found = verdict([["a", "b"], ["a", "a"]])
    assert "on only 2 items (95 % interval 0.00 to 1.00)" in found["sentence"]
    assert found["next"] == "Collect more items, annotated as these are: so few do not tell."


def test_next_is_the_first_step_of_the_first_advice() -> None:
    report = assent.report(long_data(items=200), task="standard").to_dict()
    assert report["advice"][0]["key"] == "annotator"
    assert report["verdict"]["next"] == report["advice"][0]["first_step"]
    assert '"name 3" agrees hardly more than chance' in report["verdict"]["sentence"]


def test_next_is_a_number_of_items_where_the_interval_straddles_the_target() -> None:
    report = assent.report(MIDDLING, task=0.64).to_dict()
    assert report["verdict"]["status"] == "unclear"
    assert report["advice"][0]["key"] in ("none", "few-items")
    needed = assent.plan(MIDDLING, target=0.64, measure="cohen-kappa").power
    found = re.fullmatch(
        r"Collect about ([\d,]+) more items, .* whether the target is reached\.", report["verdict"]["next"]
    )
    assert found
    assert int(found[1].replace(",", "")) == needed.needed.n_units - len(MIDDLING)


def test_next_says_that_nothing_is_wrong_only_if_nothing_is() -> None:
    assert verdict(GOOD, task="objective")["next"].startswith("No problem found")
    assert not verdict(POOR)["next"].startswith("No problem found")
    assert not verdict(MIDDLING, task="objective")["next"].startswith("No problem found")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"task": "easy"}, "neither a number between 0 and 1 nor a kind of task"),
        ({"task": 1.5}, "must lie between 0 and 1"),
        ({"scale": "cardinal"}, '`scale` is "cardinal"'),
        ({"level": 1.0}, "confidence level is 1.0"),
        ({"seed": -1}, "`seed` is -1"),
        ({"text": "sentence"}, 'text is "sentence", a column that was not kept'),
        ({"by": "language"}, 'by is "language", a column that was not kept'),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(assent.OptionError, match=re.escape(message)):
        assent.report(GOOD, **settings)


def test_nothing_to_compare_is_the_same_sentence_as_everywhere() -> None:
    with pytest.raises(assent.InputError, match="No item has two annotations"):
        assent.report([["a", None], [None, "b"]])
