"""Assurance: power on average over what a pilot leaves open, and three words for how a target stands."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest

import assent
from assent.analyses.plan.precision import Precision


def test_assurance_is_the_mean_of_power_over_the_values_that_the_pilot_leaves_open() -> None:
    plain = Precision(value=0.7, variance=0.25, wobble=0.4, lean=-0.5)
    rng = np.random.default_rng(1)
    for units in (50, 400, 3000):
        values = rng.normal(0.7, 0.04, 20_000)
        mean = np.mean(
            [Precision(value=v, variance=0.25, wobble=0.4, lean=-0.5).power(units, 0.62, 0.95) for v in values[:4000]]
        )
        doubtful = Precision(value=0.7, variance=0.25, wobble=0.4, lean=-0.5, doubt=0.04)
        assert doubtful.power(units, 0.62, 0.95) == pytest.approx(mean, abs=0.02)
    assert doubtful.most_power(0.62) == pytest.approx(NormalDist().cdf(2.0))
    assert plain.most_power(0.62) == 1.0
    assert plain.most_power(0.72) == 0.0


def test_no_number_of_units_is_more_sure_than_the_pilot() -> None:
    doubtful = Precision(value=0.7, variance=0.25, wobble=0.0, lean=0.0, doubt=0.05)
    assert doubtful.units_for_power(0.8, 0.67, 0.95) is None
    units = doubtful.units_for_power(0.8, 0.6, 0.95)
    assert units is not None
    assert doubtful.power(units, 0.6, 0.95) >= 0.8 > doubtful.power(units - 1, 0.6, 0.95)
    assert units > (
        Precision(value=0.7, variance=0.25, wobble=0.0, lean=0.0).units_for_power(0.8, 0.6, 0.95) or math.inf
    )


ROWS = [
    ["a", "a", "a"],
    ["b", "b", "b"],
    ["a", "a", "b"],
    ["b", "b", "b"],
    ["a", "a", "a"],
    ["b", "a", "b"],
    ["c", "c", "c"],
]


@pytest.mark.parametrize(("target", "status"), [(0.3, "above"), (0.65, "unclear"), (0.9, "below")])
def test_three_words(target: float, status: str) -> None:
    found = assent.plan(ROWS * 20, target=target).power
    assert found is not None
    assert found.status == status
    assert found.to_dict()["status"] == status


def test_the_plan_says_what_the_pilot_leaves_open() -> None:
    open_ = assent.plan(ROWS * 4, target=0.65)
    assert open_.power is not None
    assert open_.power.assured is None
    assert "annotate a part and plan again" in open_.sentences[-1]
    sure = assent.plan(ROWS * 60, target=0.6)
    assert sure.power is not None
    assert sure.power.assured is not None
    assert sure.power.needed is not None
    assert sure.power.assured.n_items > sure.power.needed.n_items
    assert "sure on average over the values" in sure.sentences[-1]
    assumed = assent.plan(kappa=0.7, shares=[0.5, 0.5], target=0.6).power
    assert assumed is not None
    assert (assumed.assured, assumed.most, assumed.status) == (None, None, None)
