"""Numbers as a person writes them, and signs that are true."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.explain.checking import check, ends
from tests.properties.tables import STABLE

from assent.analyses.explain.arithmetic import added, beyond_chance, figure, precisely, quotient, squared, weighted
from assent.analyses.explain.counting import rational
from assent.analyses.explain.formula import (
    Difference,
    Name,
    Number,
    Power,
    Product,
    Ratio,
    Sum,
    as_latex,
    as_text,
    chain,
    value_of,
)

KAPPA = Name("κ")


@pytest.mark.parametrize(
    ("number", "digits"),
    [
        (Fraction(7, 10), "0.70"),
        (Fraction(3), "3"),
        (Fraction(0), "0"),
        (Fraction(-1, 4), "-0.25"),
        (Fraction(3395, 10000), "0.3395"),
        (Fraction(13950, 40000), "0.34875"),  # five decimals are still short
        (Fraction(1, 400), "0.0025"),
        (Fraction(3, 500_000), "0.000006"),  # few digits that count
        (Fraction(123457, 1_000_000), "0.1235"),  # six decimals and six digits are not short
        (Fraction(1, 3), "0.3333"),
        (Fraction(2, 3), "0.6667"),
        (Fraction(-2, 3), "-0.6667"),
        (Fraction(1, 70_000), "0.0000143"),  # three digits that count
        (Fraction(99999999, 100000000), "1.0000"),
        (Fraction(10**12), "1000000000000"),
    ],
)
def test_a_number_is_short_and_exact_or_rounded(number: Fraction, digits: str) -> None:
    assert figure(number) == Number(digits)


def test_a_simple_fraction_stays_one() -> None:
    assert as_text(precisely(Fraction(5, 12))) == "5 / 12"
    assert as_text(precisely(Fraction(111, 251))) == "0.4422"
    assert as_text(precisely(Fraction(5, 4))) == "1.25"


def test_brackets_stand_where_they_are_needed_and_nowhere_else() -> None:
    one, two, three = (Number(digit) for digit in "123")
    assert as_text(Ratio(Sum((one, two)), three)) == "(1 + 2) / 3"
    assert as_text(Ratio(Sum((one,)), three)) == "1 / 3"
    assert as_text(Ratio(one, Product((two, three)))) == "1 / (2 × 3)"
    assert as_text(Product((Ratio(one, two), Ratio(two, three)))) == "1/2 × 2/3"
    assert as_text(Product((one, Difference(two, three)))) == "1 × (2 − 3)"
    assert as_text(Difference(one, Difference(two, three))) == "1 − (2 − 3)"
    assert as_text(Power(Difference(one, two))) == "(1 − 2)²"
    assert as_latex(Ratio(Sum((one, two)), Power(three))) == r"\frac{1 + 2}{3^2}"
    assert as_latex(Product((one, Sum((two, three))))) == r"1 \times (2 + 3)"
    assert as_latex(Name("π", of="50% & more")) == r"\pi(\text{50\% \& more})"


def test_a_sign_is_what_the_numbers_say() -> None:
    third = Fraction(1, 3)
    assert chain(KAPPA, Ratio(Number("1"), Number("3")), Number("0.3333"), exact=third).text == "κ = 1 / 3 ≈ 0.3333"
    assert chain(KAPPA, Number("0.3333"), exact=third).text == "κ ≈ 0.3333"
    # What says the same again is not said again.
    assert chain(KAPPA, Number("0.50"), Number("0.50"), exact=Fraction(1, 2)).text == "κ = 0.50"


def test_a_division_by_zero_has_no_value() -> None:
    assert value_of(Ratio(Number("0"), Number("0"))) is None
    assert beyond_chance(KAPPA, Fraction(1), Fraction(1)).text.endswith("= (1 − 1) / (1 − 1) = 0 / 0")
    assert quotient(Name("α"), Fraction(0), Fraction(0)).text.endswith("= 1 − 0/0")


def test_as_many_decimals_as_it_takes() -> None:
    """0.7168 - 0.3648 would be 0.3520, and the difference is 0.3519."""
    line = beyond_chance(Name("α"), Fraction(124, 173), Fraction(10856, 29756)).text
    assert line == "α = (Aₒ − Aₑ) / (1 − Aₑ) ≈ (0.71676 − 0.36483) / (1 − 0.36483) = 0.35193 / 0.63517 ≈ 0.5541"


def test_where_no_number_of_decimals_will_do_the_printed_difference_wins() -> None:
    """2/3 - 4/9 = 2/9: …667 less …444 is …223, and 2/9 rounds to …222."""
    line = beyond_chance(KAPPA, Fraction(2, 3), Fraction(4, 9)).text
    check(line)
    assert line.endswith("≈ 0.40")


shares = st.fractions(0, 1, max_denominator=10_000)


def test_the_smallest_shares_add_up_as_printed() -> None:
    """Three digits of each were all that was printed of parts this small, which did not add up: 0.116 + 0.814 to 0.931."""
    line = squared(Name("A", "e"), [1], 7, 92_705_068).text
    check(line)
    assert "0.0000000000000001164" in line


def test_a_small_difference_has_no_more_decimals_than_what_it_is_made_of() -> None:
    line = beyond_chance(Name("α"), Fraction(4, 15), Fraction(4, 15) - Fraction(202_124, 10**8)).text
    check(line)
    assert line.endswith("≈ (0.26667 − 0.26465) / (1 − 0.26465) = 0.00202 / 0.73535 ≈ 0.00275")


@STABLE
@given(observed=shares, expected=shares)
def test_agreement_beyond_chance_is_true_as_printed(observed: Fraction, expected: Fraction) -> None:
    line = beyond_chance(KAPPA, observed, expected).text
    check(line)
    if expected != 1:
        value = (observed - expected) / (1 - expected)
        shown = ends(line)
        assert shown is not None
        assert abs(shown - value) <= Fraction(1, 20_000)


@STABLE
@given(observed=shares, expected=st.fractions(Fraction(1, 1000), 1000, max_denominator=1000))
def test_one_less_a_quotient_is_true_as_printed(observed: Fraction, expected: Fraction) -> None:
    check(quotient(Name("α"), observed, expected).text)


@STABLE
@given(parts=st.lists(st.integers(0, 10**6), min_size=1, max_size=9), below=st.integers(1, 10**12))
def test_sums_are_true_as_printed(parts: list[int], below: int) -> None:
    check(added(Name("A", "e"), parts, below).text)
    check(squared(Name("A", "e"), parts, 0, below).text)
    check(squared(Name("A", "e"), parts, 7, below).text)


@STABLE
@given(
    terms=st.lists(st.tuples(st.fractions(0, 1, max_denominator=500), st.integers(1, 9999)), max_size=8),
    rest=st.fractions(0, 100, max_denominator=7),
    below=st.integers(1, 10**5),
)
def test_weighted_sums_are_true_as_printed(terms: list[tuple[Fraction, int]], rest: Fraction, below: int) -> None:
    check(weighted(Name("A", "o"), terms, rest, below).text)


@pytest.mark.parametrize("number", [0.0, 1.0, 1 - 1 / 3, 1 - (2 / 7) ** 2, 0.1 + 0.2, 1e-9, 123456.75])
def test_a_float_that_is_a_simple_fraction_becomes_one(number: float) -> None:
    assert float(rational(number)) == pytest.approx(number, rel=1e-13, abs=1e-13)
    assert rational(number).denominator <= 10_000 or number == 1e-9


@pytest.mark.parametrize("number", [2**0.5, 3.141592653589793, 1 - 0.5**0.5])
def test_a_float_that_is_none_stays_as_it_is(number: float) -> None:
    assert rational(number) == Fraction(number)
