"""Explanations of span F1 and u-alpha: the numbers on the board are those that measuring gives."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from tests.cli.conftest import Files, Program, assent, file  # noqa: F401
from tests.spans.test_differences import random_data

import assent as library
from assent.errors import OptionError

ROWS = [
    ("d1", "ada", 0, 4, "PER"), ("d1", "ada", 9, 15, "LOC"), ("d1", "ben", 0, 4, "PER"), ("d1", "ben", 9, 12, "LOC"),
    ("d2", "ada", 3, 6, "ORG"), ("d2", "ben", 3, 6, "PER"), ("d2", "ben", 12, 19, "LOC"),
]  # fmt: skip
DATA = library.Spans.from_rows(ROWS, lengths={"d1": 20, "d2": 20})


def last_number(text: str) -> float:
    return float(re.split("[=≈]", text)[-1].strip().replace("−", "-"))


@pytest.mark.parametrize("average", ["pairs", "pooled", "documents"])
@pytest.mark.parametrize("match", ["exact", "boundary", "overlap", "iou", "soft", "covered", "character"])
@pytest.mark.parametrize("seed", range(4))
def test_f1_on_the_board_is_the_measured_one(seed: int, match: str, average: str) -> None:
    data = random_data(seed)[1]
    found = library.explain(data, "span-f1", match=match, average=average)
    assert found.value == pytest.approx(library.span_f1(data, match=match, average=average).value, nan_ok=True)
    lines = [one.text for step in found.steps for one in step.formulas]
    assert last_number(lines[-1]) == pytest.approx(found.value, abs=6e-5)


def test_it_shows_what_differs_with_offsets_and_labels() -> None:
    found = library.explain(DATA)
    assert [step.heading for step in found.steps] == ["Spans that match", "F1 of two annotators", "Where they differ"]
    assert found.steps[1].formulas[0].text == "F1 = 2 × 1 / (3 + 4) = 2 / 7 ≈ 0.2857"
    assert found.to_dict()["explanation"]["steps"][2]["table"]["rows"] == [
        ["d1", "ada, ben", "other ends", "9–15 LOC", "9–12 LOC"],
        ["d2", "ada, ben", "other label", "3–6 ORG", "3–6 PER"],
        ["d2", "ada, ben", "not marked by the other", "–", "12–19 LOC"],
    ]


def test_u_alpha_on_the_board() -> None:
    found = library.explain(DATA, "alpha-u")
    measured = library.alpha_u(DATA)
    assert found.value == measured.value
    observed, expected, value = (step.formulas[-1].text for step in found.steps)
    # Apart: 3 of LOC against nothing, 3 of ORG against PER, 7 of LOC against nothing, twice each.
    assert observed == "Dₒ = 26"
    assert "80 × (80² − (" in expected
    lengths = [80 - 13 - 17, 16, 3, 11]
    units = [4, 6, 4, 3, 3, 3, 7]
    by_hand = Fraction(80 * (80**2 - sum(one**2 for one in lengths)), 80**2 - sum(one**2 for one in units) - lengths[0])
    assert last_number(expected) == pytest.approx(float(by_hand), abs=6e-5)
    assert float(1 - 26 / by_hand) == pytest.approx(measured.value)
    assert last_number(value) == pytest.approx(measured.value, abs=6e-5)


def test_what_is_not_worked_out_is_shown_as_measured() -> None:
    found = library.explain(DATA, "position-alpha")
    assert "These numbers are as measured" in found.text()
    both = library.explain(DATA, "span-f1", "alpha-u")
    assert [one.measure for one in both.explanations] == ["span-f1", "alpha-u"]


def test_what_cannot_be_explained() -> None:
    with pytest.raises(OptionError, match="`span_label`"):
        library.explain(DATA, label_against_rest="PER")


def test_on_the_command_line(assent: Program, file: Files) -> None:  # noqa: F811
    text = "document,annotator,start,end,label\n" + "".join(",".join(map(str, row)) + "\n" for row in ROWS)
    path = file("spans.csv", text)
    done = assent("explain", path, "--match", "overlap", "--span-label", "LOC", "--json")
    assert done.json["explanation"]["value"] == pytest.approx(2 / 3)
    assert "F1 = 2 × 1 / (3 + 4)" in assent("explain", path).out
