"""Shrout & Fleiss (1979), Intraclass Correlations: Uses in Assessing Rater Reliability."""

import math

import pytest

import assent
from assent.errors import UnsuitableData
from assent.examples import example


@pytest.mark.parametrize(
    ("form", "low", "high"),
    [
        ("1,1", -0.133, 0.72), ("2,1", 0.019, 0.76), ("3,1", 0.342, 0.95),
        ("1,k", -0.884, 0.91), ("2,k", 0.071, 0.93), ("3,k", 0.676, 0.99),
    ],
)  # fmt: skip
def test_intervals_by_the_f_distribution(form: str, low: float, high: float) -> None:
    """Intervals as R's package psych gives them for this table, written from memory of its help on ICC: not yet held against a run of R."""
    interval = assent.icc(example("shrout-fleiss").data(), form=form).confidence_interval(method="analytic")
    assert (round(interval.low, 3), round(interval.high, 2)) == (low, high)


@pytest.mark.parametrize("form", ["1,1", "2,1", "3,1", "1,k", "2,k", "3,k"])
def test_intervals_do_not_depend_on_the_unit_of_the_numbers(form: str) -> None:
    rows = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    ends = [
        assent.icc([[factor * x for x in row] for row in rows], form=form).confidence_interval(method="analytic")
        for factor in (1, 10, 1e-7, 1e7)
    ]
    for one in ends[1:]:
        assert (one.low, one.high) == pytest.approx((ends[0].low, ends[0].high), rel=1e-9)


@pytest.mark.parametrize("factor", [1e-7, 1.0, 1e7])
def test_what_rounding_leaves_of_a_sum_of_squares_is_nothing(factor: float) -> None:
    """Mean squares of 1/2 between items, 0 between annotators, 3/2 of the rest: (1/2 - 3/2) / (1/2 + 3/2 + 2 * (0 - 3/2) / 3)."""
    rows = [[0.1 * factor, 0.2 * factor], [0.2 * factor, 0.3 * factor], [0.3 * factor, 0.1 * factor]]
    assert assent.icc(rows, form="2,1").value == pytest.approx(-1.0, rel=1e-12)
    assert assent.icc([[factor, factor]] * 3 + [[2 * factor, 2 * factor]] * 3).value == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize("factor", [1e-9, 1.0, 1e9])
def test_items_that_do_not_differ_leave_no_variance_but_that_of_annotators(factor: float) -> None:
    """All variance lies between annotators, whatever rounding leaves of the rest: nothing over nothing, or over that of annotators."""
    for first in range(1, 20):
        rows = [[factor * first / 7, factor * 10 / 7, factor * 29 / 7]] * (first + 1)
        for form in ("3,1", "3,k", "1,k"):
            assert math.isnan(assent.icc(rows, form=form).value)
        assert assent.icc(rows, form="1,1").value == pytest.approx(-0.5, rel=1e-12)
        for form in ("2,1", "2,k"):
            assert assent.icc(rows, form=form).value == 0.0


def test_an_end_that_no_mean_of_annotators_has_is_none() -> None:
    """The lower end for one annotator is -0.58, below -1 / 2."""
    rows = [[1, 2, 3], [3, 0, 0], [3, 3, 0], [1, 3, 1]]
    assert assent.icc(rows, form="2,1").confidence_interval(method="analytic").low == pytest.approx(-0.584, abs=1e-3)
    none = assent.icc(rows, form="2,k").confidence_interval(method="analytic")
    assert math.isnan(none.low)
    assert math.isnan(none.high)
    assert none.notes[-1].startswith(
        "No interval by the F distribution: that of a single annotator reaches -1 / (k - 1)"
    )


def test_ends_for_the_mean_of_annotators_are_those_for_one_by_spearman_and_brown() -> None:
    """The lower end for one annotator is -0.261: between -1 / 2 and -1 / 4."""
    rows = [[1, 1, 2], [5, 3, 4], [2, 2, 4], [5, 1, 1]]
    one, mean = (assent.icc(rows, form=form).confidence_interval(method="analytic") for form in ("2,1", "2,k"))
    assert one.low == pytest.approx(-0.261, abs=1e-3)
    expected = [3 * end / (1 + 2 * end) for end in (one.low, one.high)]
    assert mean.uncut == pytest.approx(expected, rel=1e-12)
    assert (mean.low, mean.high) == pytest.approx((-1.0, expected[1]))
    assert any(
        note.startswith("An interval by the F distribution would end at -1.638 and 0.962") for note in mean.notes
    )


@pytest.mark.parametrize("form", ["2,1", "2,k"])
def test_degrees_of_freedom_near_none_leave_no_interval(form: str) -> None:
    """By Satterthwaite's formula there are 0.0098 degrees of freedom, with quantiles that no float holds."""
    none = assent.icc([[4, 1], [3, 2], [5, 1], [2, 3]], form=form).confidence_interval(method="analytic")
    assert math.isnan(none.low)
    assert none.notes[-1] == "No interval by the F distribution: the labels leave too little variance to compare with."


def test_weights_are_refused() -> None:
    with pytest.raises(UnsuitableData, match="weights"):
        assent.icc([["1", "2"], ["2", "2"], ["3", "1"]], weights="linear")
