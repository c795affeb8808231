"""Tails without scipy are held against scipy, and where that loses digits against sums of whole numbers and closed forms."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from assent.inference.tails import _stirling, binomial_tail, chi_squared_tail, f_quantile, t_tail

DEGREES = (1, 1.3, 2, 3, 3.7, 5, 9.5, 19, 99, 333, 999.5, 10_000, 80_000)
PROBABILITIES = (1e-6, 0.005, 0.025, 0.05, 0.1, 0.5, 0.9, 0.95, 0.975, 0.995, 0.9995, 1 - 1e-6)


@pytest.mark.parametrize("first", DEGREES)
@pytest.mark.parametrize("second", [*DEGREES, 320_000])
def test_quantiles_of_f(first, second):
    for probability in PROBABILITIES:
        # The median of as many degrees above as below, of which scipy has but ten digits.
        known = 1.0 if first == second and probability == 0.5 else special.fdtri(first, second, probability)
        assert f_quantile(probability, first, second) == pytest.approx(known, rel=1e-12)


@given(st.floats(1e-4, 1 - 1e-4), st.floats(1, 1e5), st.floats(1, 1e5))
def test_a_quantile_of_f_has_its_share_below_it(probability, first, second):
    assert special.fdtr(first, second, f_quantile(probability, first, second)) == pytest.approx(probability, rel=1e-9)


@pytest.mark.parametrize("second", [2, 10.5, 1_000, 1e6, 4e6])
def test_quantiles_of_f_with_two_degrees_have_a_closed_form(second):
    for probability in PROBABILITIES:
        known = second / 2 * math.expm1(-2 / second * math.log1p(-probability))
        assert f_quantile(probability, 2, second) == pytest.approx(known, rel=1e-13)


def test_quantiles_of_f_that_no_float_holds():
    """With 2 and 0.0107 degrees of freedom 97.5 % lie below 1e297, with 0.01 below 1e318."""
    for second in (0.02, 0.0107):
        known = second / 2 * math.expm1(2 / second * math.log(40))
        assert f_quantile(0.975, 2, second) == pytest.approx(known, rel=1e-11)
        assert f_quantile(0.025, second, 2) == pytest.approx(1 / known, rel=1e-11)
    assert f_quantile(0.975, 2, 0.01) == math.inf
    assert f_quantile(0.025, 0.01, 2) == 0.0


def test_quantiles_of_f_that_do_not_exist():
    for arguments in (
        (0.0, 3, 4),
        (1.0, 3, 4),
        (0.9, 0, 4),
        (0.9, 3, math.nan),
        (0.9, math.inf, 3),
        (0.9, 3, 0),
        (0.9, 3, math.inf),
    ):
        assert math.isnan(f_quantile(*arguments))


@pytest.mark.parametrize("degrees", [1, 2, 3, 4.5, 7, 19, 50, 333, 1_000, 100_000])
def test_tails_of_t(degrees):
    for value in (-50, -20, -8, -3, -2, -1, -0.3, -1e-3, 0, 1e-5, 0.5, 1, 2, 4, 9, 40):
        assert t_tail(value, degrees) == pytest.approx(special.stdtr(degrees, value), rel=1e-12, abs=1e-300)
    assert (t_tail(-math.inf, degrees), t_tail(math.inf, degrees)) == (0.0, 1.0)


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 5, 10, 11, 28, 45, 105, 435])
def test_tails_of_chi_squared(degrees):
    for value in (0, 1e-3, 0.1, 0.5, 1, 2, 3.84, 10, 20, 50, 100, 400, 1_000):
        assert chi_squared_tail(value, degrees) == pytest.approx(special.chdtrc(degrees, value), rel=1e-12)


@pytest.mark.parametrize("trials", [1, 2, 3, 5, 10, 24, 100, 1_001])
def test_tails_of_coins_are_sums_of_whole_numbers(trials):
    for successes in {0, 1, trials // 10, trials // 3, trials // 2, trials // 2 + 1, trials}:
        exact = Fraction(sum(math.comb(trials, one) for one in range(successes + 1)), 2**trials)
        assert binomial_tail(successes, trials) == pytest.approx(float(exact), rel=1e-13)


def test_half_of_two_million_coins():
    # One half, and half of the middle term, by Stirling's formula.
    n = 2_000_000
    middle = math.sqrt(2 / (math.pi * n)) * (1 - 1 / (4 * n))
    assert binomial_tail(n // 2, n) == pytest.approx(0.5 + middle / 2, rel=1e-13)


@pytest.mark.parametrize("n", [1, 2, 5, 15, 16, 17, 20, 40, 100])
def test_what_stirling_leaves_of_a_factorial(n):
    """With forty digits; from 16 on it is a series, whose next term would be 691 / 360360 / n**11."""
    with localcontext() as context:
        context.prec = 40
        twice_pi = 2 * Decimal("3.14159265358979323846264338327950288419717")
        known = Decimal(math.factorial(n)).ln() - (n + Decimal("0.5")) * Decimal(n).ln() + n - twice_pi.ln() / 2
    assert _stirling(float(n)) == pytest.approx(float(known), rel=0, abs=3e-16 if n >= 16 else 1e-13)
