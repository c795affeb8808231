"""docs/validation.md says what assent says now, and leaves no difference unexplained; no other package is needed for this."""

from collections import Counter
from pathlib import Path

import pytest
from benchmarks.validation.comparison import compare, read
from benchmarks.validation.data import TABLES, published
from benchmarks.validation.habits import REASONS, same
from benchmarks.validation.ours import agreement, quantity_of
from benchmarks.validation.page import page
from benchmarks.validation.predictions import predicted
from tests.support import some

DOCS = Path(__file__).parents[2] / "docs"
PACKAGES, QUESTIONS = read(DOCS / "validation.json")
ANSWERS = [(question, answer) for question in QUESTIONS for answer in question["answers"]]
NAMES = [data.id for data in TABLES]


def of_table(name):
    return [question for question in QUESTIONS if question["table"] == name]


def test_the_page_is_what_the_numbers_say():
    text = (DOCS / "validation.md").read_text(encoding="utf-8")
    assert text == page(PACKAGES, QUESTIONS), "run python benchmarks/validation.py --page"


@pytest.mark.parametrize("name", NAMES)
def test_our_numbers_are_what_assent_gives_now(name):
    results = {}
    for question in some(of_table(name)):
        key = str([question[part] for part in ("measure", "options", "category")])
        if key not in results:
            results[key] = agreement(name, question["measure"], question["options"], question["category"])
        got = quantity_of(results[key], question["quantity"])
        where = f"{name}: {key} {question['quantity']}"
        if question["ours"] is None:
            assert got != got, where
        else:
            assert got == pytest.approx(question["ours"], abs=1e-9), where


def test_nothing_different_is_called_equal():
    for question, answer in some(ANSWERS):
        equal = same(answer["number"], question["ours"], answer["decimals"], error=answer["error"])
        assert equal == answer["equal"], (question, answer)


def test_every_difference_has_a_reason():
    for question, answer in some(ANSWERS):
        assert answer["equal"] == (not answer["reasons"]), (question, answer)
        assert set(answer["reasons"]) <= set(REASONS)
        if answer["number"] is not None and question["ours"] is not None:
            assert answer["equal"] or answer["reproduced"], (question, answer)


def test_every_reason_explains_something():
    assert {reason for _, answer in ANSWERS for reason in answer["reasons"]} == set(REASONS)


@pytest.mark.parametrize("name", NAMES)
def test_the_reasons_still_bring_the_other_number_out(name):
    for question in some(of_table(name)):
        for answer in some(question["answers"]):
            # What an unstable sort does is up to the machine.
            if answer["reproduced"] and "alpha-triangle" not in answer["reasons"]:
                number = predicted({**question, **answer}, frozenset(answer["reasons"]))
                assert same(answer["number"], number, answer["decimals"]), (question, answer)


@pytest.mark.parametrize(
    ("measure", "options", "gwet", "ours", "jackknife"),
    [
        ("gwet-ac", {}, "0.1429", 0.1247, "0.1252"),
        ("fleiss-kappa", {"weights": "quadratic"}, "0.1460", 0.1164, "0.1345"),
    ],
)
def test_the_standard_errors_that_a_reason_quotes(measure, options, gwet, ours, jackknife):
    result = agreement("krippendorff_2011/4x12", measure, options)
    assert result.standard_error("analytic") == pytest.approx(ours, abs=5e-5)
    assert f"{result.standard_error('jackknife'):.4f}" == jackknife
    (theirs,) = {
        f"{answer['number']:.4f}"
        for question, answer in ANSWERS
        if (question["table"], question["measure"]) == ("krippendorff_2011/4x12", measure)
        and (question["options"], question["quantity"]) == (options, "standard-error")
        and answer["package"] == "irrCAC"
    }
    assert theirs == gwet
    for number in (gwet, f"{ours:.4f}", jackknife):
        assert number in REASONS["single-labels"]


def test_every_published_number_is_there():
    said = Counter((answer["package"], question["table"]) for question, answer in ANSWERS)
    for (package, table), times in some(Counter((one["package"], one["table"]) for one in published()).items()):
        assert said[package, table] == times


def test_a_difference_that_nobody_understands_shows():
    """Comparing must not take any number for explained."""
    wrong = next(one for one in published() if one["package"] == "R irrCAC" and one["quantity"] == "value")
    (question,) = compare([{**wrong, "number": 0.123}])
    (answer,) = question["answers"]
    assert not answer["equal"]
    assert answer["reasons"] == []
    assert "(?)" in page([], [question])
