"""From standard errors and replicates to intervals, against numbers worked out by hand."""

from __future__ import annotations

import math
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr, ndtri, stdtrit

import assent
from assent.inference.intervals import (
    _skewed,
    _t_quantile,
    bca_interval,
    normal_interval,
    percentile_interval,
    skewed_interval,
)

REPLICATES = np.arange(1.0, 101.0)


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 5, 10, 24, 25, 7.5, 999, 1000, 1001, 1500, 3000, 10_000, 10**6, 10**9])
@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95, 0.99, 0.999])
def test_the_t_quantile_is_that_of_scipy(degrees: float, level: float) -> None:
    """Up to 1,000 degrees it is a sum of cosines, and scipy's own between whole numbers; beyond, an expansion."""
    probability = (1 + level) / 2
    known = float(stdtrit(degrees, probability))
    assert _t_quantile(probability, degrees) == pytest.approx(known, rel=1e-12)
    assert _t_quantile(1 - probability, degrees) == pytest.approx(-known, rel=1e-12)


def test_small_tables_are_measured_without_scipy() -> None:
    """It takes as long to import as all the rest."""
    code = "import sys, assent; assent.krippendorff_alpha([['a', 'a'], ['a', 'b'], ['b', 'b']] * 4).confidence_interval(); print('scipy.special' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_the_t_quantile_does_not_jump_where_the_expansion_begins() -> None:
    """A degree more makes about z^3 / (4 n^2) less: 2.4e-6 at 95 %."""
    steps = np.diff([_t_quantile(0.975, degrees) for degrees in (999, 1000, 1001, 1002)])
    assert steps == pytest.approx([-2.38e-6] * 3, rel=0.02)


def test_a_normal_interval_reaches_as_many_standard_errors_as_t_says() -> None:
    """Student's table: 2.228 for 10 degrees at 95 %."""
    low, high = normal_interval(0.5, 0.1, 0.95, 10)
    assert (low, high) == pytest.approx((0.5 - 0.2228, 0.5 + 0.2228), abs=2e-5)


@pytest.mark.parametrize(("error", "degrees"), [(math.nan, 10), (math.inf, 10), (0.1, 0), (0.1, -1)])
def test_without_a_standard_error_there_is_no_interval(error: float, degrees: int) -> None:
    assert all(math.isnan(end) for end in normal_interval(0.5, error, 0.95, degrees))


@pytest.mark.parametrize("method", ["analytic", "jackknife"])
def test_what_reaches_beyond_the_values_that_there_are_is_cut_and_said(method: str) -> None:
    """Two of three agree: 2/3 plus and minus 4.303 times 1/3, that is -0.768 and 2.101."""
    agreement = assent.percent_agreement([["a", "a"], ["a", "a"], ["a", "b"]])
    interval = agreement.confidence_interval(method=method)
    assert (interval.low, interval.high) == (0.0, 1.0)
    assert interval.uncut == pytest.approx((2 / 3 - 4.302653 / 3, 2 / 3 + 4.302653 / 3), abs=1e-6)
    assert any(note.startswith("A symmetric interval would end at -0.768 and 2.101:") for note in interval.notes)
    assert interval.standard_error == pytest.approx(1 / 3)
    low, high = normal_interval(agreement.value, interval.standard_error, 0.95, 2)
    assert interval.uncut == pytest.approx((low, high))


def test_percentiles_by_hand() -> None:
    """Linear between order statistics: position 99 * 0.05 = 4.95 of 1 .. 100."""
    assert percentile_interval(REPLICATES, 0.9) == pytest.approx((5.95, 95.05))
    assert percentile_interval(REPLICATES[::-1], 0.5) == pytest.approx((25.75, 75.25))
    assert percentile_interval(np.array([2.0]), 0.9) == (2.0, 2.0)


def test_bca_by_hand() -> None:
    """40 of 100 replicates are below 40.5: z0 = -0.253347. Influences -1, -1, -1, 3: a = 24 / (6 * 12^1.5) = 0.096225.

    With z = -+1.644854: alpha = Phi(z0 + (z0 + z) / (1 - a (z0 + z))) = 0.031557 and 0.912021, and the quantiles
    of 1 .. 100 are 1 + 99 alpha.
    """
    low, high = bca_interval(REPLICATES, 40.5, np.array([-1.0, 3.0]), np.array([3.0, 1.0]), 0.9)
    assert (low, high) == pytest.approx((4.1241, 91.2901), abs=1e-3)
    z0, a = ndtri(0.4), 24 / (6 * 12**1.5)
    ends = [z0 + (z0 + z) / (1 - a * (z0 + z)) for z in (ndtri(0.05), ndtri(0.95))]
    assert (low, high) == pytest.approx(tuple(1 + 99 * ndtr(end) for end in ends), rel=1e-12)


def test_bca_without_bias_and_skewness_is_percentile() -> None:
    symmetric = np.array([-2.0, -1.0, 1.0, 2.0])
    assert bca_interval(REPLICATES, 50.5, symmetric, np.ones(4), 0.9) == pytest.approx(
        percentile_interval(REPLICATES, 0.9), rel=1e-12
    )


def test_bca_counts_ties_half() -> None:
    """Half of the replicates equal the value, a quarter lie on either side: no bias."""
    coarse = np.repeat([0.0, 0.5, 1.0], [25, 50, 25])
    assert bca_interval(coarse, 0.5, np.array([-1.0, 1.0]), np.ones(2), 0.9) == percentile_interval(coarse, 0.9)


def test_bca_of_a_value_that_is_a_replicate() -> None:
    """39 of 100 replicates are below 40 and one is equal to it: z0 = -0.266; without skewness alpha = Phi(2 z0 + z)."""
    found = bca_interval(REPLICATES, 40.0, np.array([-1.0, 1.0]), np.ones(2), 0.9)
    known = tuple(1 + 99 * ndtr(2 * ndtri(0.395) + ndtri(tail)) for tail in (0.05, 0.95))
    assert found == pytest.approx(known, rel=1e-12)


def test_bca_weighs_influences_by_the_number_of_items_that_have_them() -> None:
    spelled = bca_interval(REPLICATES, 45.0, np.array([-1.0, -1.0, -1.0, 3.0]), np.ones(4), 0.95)
    assert bca_interval(REPLICATES, 45.0, np.array([-1.0, 3.0]), np.array([3.0, 1.0]), 0.95) == pytest.approx(spelled)


def test_the_acceleration_is_of_influences_about_their_mean() -> None:
    """Alpha's influences do not add up to 0: what they add up to is no skewness."""
    centred, moved = np.array([-1.0, 3.0]), np.array([-0.5, 3.5])
    weights = np.array([3.0, 1.0])
    assert bca_interval(REPLICATES, 45.0, moved, weights, 0.9) == pytest.approx(
        bca_interval(REPLICATES, 45.0, centred, weights, 0.9), rel=1e-12
    )


@pytest.mark.parametrize("value", [0.0, 101.0])
def test_bca_falls_back_to_percentiles_where_its_bias_is_infinite(value: float) -> None:
    assert bca_interval(REPLICATES, value, np.array([-1.0, 3.0]), np.ones(2), 0.9) == percentile_interval(
        REPLICATES, 0.9
    )


@pytest.mark.parametrize("level", [0.5, 0.9, 0.99, 0.9999, 0.9999999])
@pytest.mark.parametrize("below", [1, 20, 50, 80, 99])
@pytest.mark.parametrize("one", [-30.0, 30.0])
def test_bca_ends_are_in_order_at_every_level(level: float, below: int, one: float) -> None:
    """A single extreme item is as skewed as influences can be; its acceleration is 1 / 6."""
    influences = np.array([-one / 29, one])
    low, high = bca_interval(REPLICATES, below + 0.5, influences, np.array([29.0, 1.0]), level)
    assert REPLICATES[0] <= low <= high <= REPLICATES[-1]


def test_a_higher_level_gives_a_wider_interval() -> None:
    agreement = assent.krippendorff_alpha([["a", "a"], ["b", "b"], ["a", "b"], ["c", "c"], ["a", "a"], ["b", "c"]])
    for options in (
        {},
        {"method": "jackknife"},
        {"method": "bootstrap"},
        {"method": "bootstrap", "kind": "percentile"},
    ):
        narrow, wide = (agreement.confidence_interval(level, **options) for level in (0.8, 0.99))
        assert wide.low < narrow.low < agreement.value < narrow.high <= wide.high


@pytest.mark.parametrize("level", [0, 1, -0.1, 95, math.nan])
def test_a_level_outside_0_and_1_is_refused(level: float) -> None:
    with pytest.raises(assent.OptionError, match="must lie between 0 and 1"):
        assent.percent_agreement([["a", "a"], ["a", "b"]]).confidence_interval(level)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "bootstrp"}, r'`method` is "bootstrp".*did you mean bootstrap\?'),
        ({"method": "bootstrap", "kind": "basic"}, '`kind` is "basic", which is not one of bca, percentile'),
        ({"method": "bootstrap", "replicates": 0}, "`replicates` is 0"),
        ({"method": "bootstrap", "seed": -1}, "`seed` is -1"),
    ],
)
def test_an_impossible_option_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(assent.OptionError, match=message):
        assent.percent_agreement([["a", "a"], ["a", "b"]]).confidence_interval(**options)


@pytest.mark.parametrize("skew", [-0.5, -0.3, 0.3, 0.5])
def test_where_the_parabola_would_turn_back_there_is_no_jump(skew: float) -> None:
    turn = 1.5 / skew
    below, above = (_skewed(turn * (1 + step), skew) for step in (-1e-9, 1e-9))
    assert below == pytest.approx(above, abs=1e-7)


def test_a_skewness_beyond_a_half_is_taken_as_a_half() -> None:
    half = skewed_interval(0.0, 1.0, 0.5, 0.95, 100)
    assert skewed_interval(0.0, 1.0, 3.0, 0.95, 100) == half
    assert skewed_interval(0.0, 1.0, -3.0, 0.95, 100) == tuple(-end for end in reversed(half))
    assert skewed_interval(0.0, 1.0, 0.49, 0.95, 100) != half


@pytest.mark.parametrize(
    "interval", [normal_interval, lambda value, error, *how: skewed_interval(value, error, 0.0, *how)]
)
def test_one_degree_of_freedom_is_enough_and_an_error_is_needed(interval: Any) -> None:
    """Student's table: 12.706 for one degree at 95 %."""
    assert interval(0.5, 0.1, 0.95, 1) == pytest.approx((0.5 - 1.27062, 0.5 + 1.27062), abs=1e-5)
    for error, degrees in ((math.nan, 10), (math.inf, 10), (0.1, 0)):
        assert all(math.isnan(end) for end in interval(0.5, error, 0.95, degrees))
