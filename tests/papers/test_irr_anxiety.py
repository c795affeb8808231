"""The data set anxiety of R irr 0.84.1: ordinal scores of three raters."""

import pytest
from tests.papers.oracle import annotations, table

import assent


@pytest.mark.parametrize(
    ("form", "low", "high"), [("1,1", -0.07745, 0.48434), ("2,1", -0.03891, 0.49357), ("3,1", -0.04626, 0.52226)]
)
def test_intervals_are_those_of_irr(form: str, low: float, high: float) -> None:
    """The mean square of errors is far from 1 here, as it is not in the table of Shrout and Fleiss."""
    data = annotations(table("irr_anxiety", "anxiety"))
    interval = assent.icc(data, form=form).confidence_interval(method="analytic")
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=5.1e-6)
