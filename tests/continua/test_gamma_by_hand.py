"""Gamma and gamma-cat of made-up sums, worked out by hand, and what is said about them."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import assent
from assent import Spans
from assent.continua import chance
from assent.measures._gamma_sums import GammaSums


def of_sums(measure: Any, **sums: float) -> Any:
    return measure.function(SimpleNamespace(sums=lambda: sums))


def test_gamma_and_the_error_of_drawing() -> None:
    """1 - 6 / 20; the error of a mean of 20 that is off by 3 moves 6 / 20 by 6 / 20**2 * 3."""
    made = of_sums(assent.gamma, cost=6.0, chance=20.0, units=10.0, mean_units=4.0, chance_variance=9.0, groups=7.0)
    assert (made.observed, made.expected) == pytest.approx((0.4, -1.0))
    assert made.drawing_error == pytest.approx(0.045)
    assert dict(made.details) == pytest.approx(
        {"observed_disorder": 1.5, "expected_disorder": 5.0, "monte_carlo_error": 0.045, "groups": 7.0}
    )


CAT = {
    "apart": 3.0,
    "weight": 10.0,
    "chance_apart": 4.0,
    "chance_weight": 8.0,
    "covariance": 1.0,
    "weight_variance": 2.0,
}


def test_gamma_cat_and_the_error_of_drawing() -> None:
    """A ratio of 4 / 8 whose parts vary by 4 and 2 and together by 1 has the variance (4 - 2 * 1 / 2 + 2 / 4) / 8**2."""
    made = of_sums(assent.gamma_cat, **CAT, apart_variance=4.0)
    assert (made.observed, made.expected) == pytest.approx((0.7, 0.5))
    error = 0.3 / 0.5**2 * math.sqrt(4.0 - 1.0 + 0.5) / 8.0
    assert made.drawing_error == pytest.approx(error)
    assert dict(made.details) == pytest.approx(
        {"observed_disorder": 0.3, "expected_disorder": 0.5, "monte_carlo_error": error}
    )


def test_a_variance_that_rounding_leaves_below_nothing_is_none() -> None:
    assert of_sums(assent.gamma_cat, **CAT, apart_variance=0.0).drawing_error == 0.0


ROWS = [("d1", "ada", 0, 4, "X"), ("d1", "ben", 1, 4, "X"), ("d2", "ada", 2, 6, "Y"), ("d2", "ben", 2, 6, "X")]


@pytest.mark.parametrize(
    ("lengths", "where"),
    [
        ({"d1": 20, "d2": 20}, "round the document;"),
        ({"d1": 20}, "round the document, or where its length is not known from the first span to the last;"),
        ({}, "round the part from the first span to the last, as lengths are not known;"),
    ],
)
def test_where_spans_are_moved_is_said(lengths: dict[str, int], where: str) -> None:
    notes = " ".join(assent.gamma(Spans.from_rows(ROWS, lengths=lengths), samples=3, seed=5).notes)
    assert where in notes
    assert "in 3 samples of each document (seed 5)" in notes
    assert "several parts" not in notes


def test_spans_in_parts_count_as_one() -> None:
    data = Spans.from_rows(ROWS, fragments={0: [(0, 1), (2, 4)]})
    notes = assent.gamma_cat(data, samples=2).notes
    assert "Spans in several parts count from their first part to their last." in notes


#: Three spans each in the same places, one of them with another label.
THREE = [
    ("d", who, 10 * at, 10 * at + 4, label)
    for who, labels in (("ada", "XXY"), ("ben", "XYY"))
    for at, label in enumerate(labels)
]


def drawing(monkeypatch: pytest.MonkeyPatch, **samples: list[float]) -> None:
    """Have these be what is found in samples of every document."""
    monkeypatch.setattr(
        chance,
        "draw_disorder",
        lambda units, *_: chance.Drawn(**{name: np.tile(one, (units.continua, 1)) for name, one in samples.items()}),
    )


def test_errors_of_drawing_are_those_of_means_of_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """One pair of three differs in its label, which costs 1 at most. A mean of 1, 2, 3 has the variance 1 / 3, and counts for three units."""
    disorder, apart, weight = [1.0, 2.0, 3.0], [1.0, 2.0, 0.0], [2.0, 4.0, 3.0]
    drawing(monkeypatch, disorder=disorder, apart=apart, weight=weight)
    data = Spans.from_rows(THREE, lengths={"d": 60})
    found = assent.gamma(data, samples=3)
    cost = 3 * found.details["observed_disorder"]
    assert found.value == pytest.approx(1 - cost / (3 * 2))
    assert found.details["monte_carlo_error"] == pytest.approx(cost / (3 * 2) ** 2 * math.sqrt(3**2 / 3))
    # The error of a ratio of means is that of the mean of what is left of its upper part.
    cat = assent.gamma_cat(data, samples=3)
    left = [1.0 - 2.0 / 3, 2.0 - 4.0 / 3, 0.0 - 3.0 / 3]
    error = math.sqrt(sum(one**2 for one in left) / 2 / 3) / 3
    assert cat.value == pytest.approx(1 - (1 / 3) / (1 / 3))
    assert cat.details["monte_carlo_error"] == pytest.approx((1 / 3) / (1 / 3) ** 2 * error)


@pytest.mark.parametrize(("apart", "weight", "share"), [(0.25, 0.5, 0.5), (0.0, 0.0, 0.0), (1.0, 4.0, 0.25)])
def test_labels_of_the_pseudo_document_differ_as_they_do_by_chance(
    apart: float, weight: float, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three pairs weigh 3."""
    drawing(monkeypatch, disorder=[1.0] * 2, apart=[apart] * 2, weight=[weight] * 2)
    options = {
        "expected": "shuffle",
        "shift": "mean",
        "position_weight": 1.0,
        "label_weight": 1.0,
        "samples": 2,
        "seed": 0,
    }
    sums = GammaSums.of(Spans.from_rows(THREE, lengths={"d": 60}), **options)
    made = sums.pseudo_document()
    assert made is not None
    assert [row[sums.parts["apart"]] for row in made] == [0.0, pytest.approx(3 * share)]


@pytest.mark.parametrize("measure", [assent.gamma, assent.gamma_cat])
@pytest.mark.parametrize(
    ("option", "taken", "refused"),
    [
        ("position_weight", [0.001, 0.5], [0, -1]),
        ("label_weight", [0, 0.5], [-0.1]),
        ("samples", [2], [1, 2.5]),
        ("seed", [0], [-1, 0.5]),
    ],
)
def test_numbers_that_an_option_takes(measure: Any, option: str, taken: list[float], refused: list[float]) -> None:
    data = Spans.from_rows(ROWS)
    for one in taken:
        assert measure(data, **{"samples": 2, option: one}).options[option] == one
    for one in refused:
        with pytest.raises(assent.OptionError, match=f"`{option}` is"):
            measure(data, **{option: one})


@pytest.mark.parametrize("measure", [assent.gamma, assent.gamma_cat])
def test_unless_told_otherwise_places_and_labels_count_1_and_there_are_100_samples(measure: Any) -> None:
    notes = " ".join(measure(Spans.from_rows(ROWS)).notes)
    assert "in 100 samples of each document (seed 0)" in notes
    assert "A difference of places counts 1, of labels 1:" in notes


@pytest.mark.parametrize(("name", "called"), [("gamma", False), ("gamma-cat", False), ("span-label-alpha", True)])
def test_there_is_no_word_for_a_gamma(name: str, called: bool) -> None:
    found = assent.measure(Spans.from_rows(THREE, lengths={"d": 60}), name, ci="none")
    assert math.isfinite(found.value)
    assert ("is called" in found.text()) == called
