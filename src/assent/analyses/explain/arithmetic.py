"""Fractions as a person writes them, and the few kinds of line that every explanation is made of.

All numbers are exact fractions until they are printed. A decimal that ends soon is printed as it is and follows an
equals sign; any other is rounded and follows ``≈``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from assent.analyses.explain.formula import (
    Difference,
    Expression,
    Formula,
    Name,
    Number,
    Power,
    Product,
    Ratio,
    Sum,
    chain,
    settled,
    value_of,
)

__all__ = [
    "EXPECTED",
    "OBSERVED",
    "ONE",
    "added",
    "beyond_chance",
    "figure",
    "over",
    "precisely",
    "quotient",
    "ratio",
    "rounded_to",
    "squared",
    "weighted",
    "whole",
]

OBSERVED, EXPECTED = Name("A", "o"), Name("A", "e")
ONE = Number("1")

#: Decimals of a rounded number.
PLACES = 4
#: Digits that count of a number which is too small for them.
COUNTING = 3
#: A common denominator beyond this is no help to a reader.
LARGEST_DENOMINATOR = 10_000_000
#: 5/12 says more than 0.4167, 111/251 does not.
LARGEST_FRACTION = 100


def exact_digits(number: Fraction) -> str | None:
    """Write a number in full if that is short: up to five decimals, or six with up to four digits that count."""
    for decimals in range(7):
        scaled = number * 10**decimals
        if scaled.denominator == 1:
            if decimals > PLACES + 1 and abs(scaled) >= 10**PLACES:
                return None
            # 0.5 is written 0.50, as money is.
            return _digits(number, max(decimals, 2) if decimals else 0)
    return None


def _digits(number: Fraction, decimals: int) -> str:
    """Round to `decimals`, halves away from zero."""
    scaled = int(abs(number) * 10**decimals + Fraction(1, 2))
    text = str(scaled).rjust(decimals + 1, "0")
    text = f"{text[: len(text) - decimals]}.{text[len(text) - decimals :]}" if decimals else text
    return f"-{text}" if number < 0 and scaled else text


def figure(number: Fraction | int, places: int = PLACES, *, counting: int | None = None) -> Number:
    """Write a number in full if that is short, else rounded to `places` decimals, or more for a small one.

    Parameters
    ----------
    counting : int, optional
        How many digits of a small number count; three of one with the usual decimals, and one more for each further place, unless given.

    Examples
    --------
    >>> figure(Fraction(35, 50)), figure(Fraction(1, 3)), figure(Fraction(1, 70_000))
    (Number(digits='0.70'), Number(digits='0.3333'), Number(digits='0.0000143'))
    """
    number = Fraction(number)
    short = exact_digits(number)
    if short is not None:
        return Number(short)
    decimals = places
    least = 10 ** ((counting or COUNTING + places - PLACES) - 1)
    while abs(number) * 10**decimals < least and decimals < 300:
        decimals += 1
    return Number(_digits(number, decimals))


def rounded_to(number: Fraction, decimals: int) -> tuple[str, Number]:
    """Round to some decimals, with the sign that says whether that changed the number."""
    rounded = Number(_digits(number, decimals))
    return "=" if Fraction(rounded.digits) == number else "≈", rounded


def whole(number: int) -> Number:
    """Write a whole number."""
    return Number(str(int(number)))


def precisely(number: Fraction | int, places: int = PLACES) -> Expression:
    """Write a number without rounding if that is short: as a decimal, else as a fraction."""
    number = Fraction(number)
    if exact_digits(number) is None and number.denominator <= LARGEST_FRACTION:
        return Ratio(whole(number.numerator), whole(number.denominator))
    return figure(number, places)


def ratio(left: Expression, above: Fraction | int, below: int, *before: Expression) -> Formula:
    """Write ``left = … = above / below = 0.123``."""
    value = Fraction(above) / below
    return chain(left, *before, *_as_fraction(Fraction(above), below), figure(value), exact=value)


def _as_fraction(above: Fraction, below: int) -> list[Expression]:
    """Write a quotient as one whole number over another, unless they are too long."""
    if above.denominator * below > LARGEST_DENOMINATOR:
        return []
    return [Ratio(whole(above.numerator), whole(above.denominator * below))]


def added(left: Expression, numerators: Sequence[int], denominator: int, *before: Expression) -> Formula:
    """Write a sum of fractions with a common denominator: as decimals if they are short, else over the denominator."""
    terms = [Fraction(one, denominator) for one in numerators]
    total = sum(terms, Fraction(0))
    if all(exact_digits(term) is not None for term in terms):
        return chain(left, *before, Sum(tuple(figure(term) for term in terms)), figure(total), exact=total)
    if denominator <= LARGEST_DENOMINATOR:
        above = Sum(tuple(whole(one) for one in numerators))
        return ratio(left, sum(numerators), denominator, *before, Ratio(above, whole(denominator)))
    return settled(
        lambda places: chain(
            left, *before, Sum(tuple(figure(term, places) for term in terms)), figure(total), exact=total
        )
    )


def squared(left: Expression, numerators: Sequence[int], rest: int, denominator: int) -> Formula:
    """Write a sum of squared shares; `rest` is the sum of squares of those that are not shown."""
    squares = [one**2 for one in numerators] + ([rest] if rest else [])
    shares = [Fraction(one, denominator) for one in numerators]
    others = Fraction(rest, denominator**2)
    first: list[Expression] = []
    if all(exact_digits(share) is not None for share in (*shares, others)):
        first.append(Sum((*(Power(figure(share)) for share in shares), *([figure(others)] if rest else []))))
    elif denominator**2 <= LARGEST_DENOMINATOR:
        above: list[Expression] = [Power(whole(one)) for one in numerators]
        above += [whole(rest)] if rest else []
        first.append(Ratio(Sum(tuple(above)), Power(whole(denominator))))
    return added(left, squares, denominator**2, *first)


def weighted(
    left: Expression,
    terms: Sequence[tuple[Fraction, Fraction | int]],
    rest: Fraction | int,
    below: int,
    shown_below: Expression | None = None,
) -> Formula:
    """Write ``left = (weight × amount + … + rest) / below = …``.

    Parameters
    ----------
    terms : sequence of (weight, amount)
    rest : Fraction
        Sum of the products that are not shown; 0 if all are.
    below : int
        Denominator; 1 for none.
    shown_below : Expression, optional
        How the denominator is written, if not as a number.
    """
    total = sum((weight * amount for weight, amount in terms), Fraction(0)) + rest

    def products(places: int) -> list[Expression]:
        found: list[Expression] = [
            Product((precisely(weight, places), precisely(amount, places))) for weight, amount in terms
        ]
        return found + ([precisely(rest, places)] if rest else [])

    return over(left, products, total, below, shown_below)


def over(
    left: Expression,
    terms: Callable[[int], Sequence[Expression]],
    total: Fraction,
    below: int,
    shown_below: Expression | None = None,
) -> Formula:
    """Write ``left = (term + …) / below = …``.

    Parameters
    ----------
    terms : callable
        From the decimals of a rounded number to the terms.
    total : Fraction
        What the terms add up to.
    below : int
        Denominator; 1 for none.
    shown_below : Expression, optional
        How the denominator is written, if not as a number.
    """
    value = total / below

    def build(places: int) -> Formula:
        above = Sum(tuple(terms(places)) or (whole(0),))
        first: Expression = above if below == 1 else Ratio(above, shown_below or whole(below))
        plain: list[Expression] = []
        # A sum of rounded terms does not give the plain fraction, so that is left out after one.
        if value_of(first) == value:
            plain = [precisely(total)] if below == 1 else _as_fraction(total, below)
        return chain(left, first, *plain, figure(value), exact=value)

    return settled(build)


def beyond_chance(symbol: Name, observed: Fraction, expected: Fraction) -> Formula:
    """Write ``(Aₒ - Aₑ) / (1 - Aₑ)`` with the numbers put in.

    Examples
    --------
    >>> beyond_chance(Name("κ"), Fraction(7, 10), Fraction(1, 2)).text
    'κ = (Aₒ − Aₑ) / (1 − Aₑ) = (0.70 − 0.50) / (1 − 0.50) = 0.20 / 0.50 = 0.40'
    """
    form = Ratio(Difference(OBSERVED, EXPECTED), Difference(ONE, EXPECTED))
    value = None if expected == 1 else (observed - expected) / (1 - expected)

    def build(places: int, *, as_printed: bool = False) -> Formula:
        # With more digits of a small difference than of what it is made of, the two would never be equal in print.
        high, low, above, below = (
            figure(one, places, counting=COUNTING) for one in (observed, expected, observed - expected, 1 - expected)
        )
        filled = Ratio(Difference(high, low), Difference(ONE, low))
        worked = Ratio(above, below)
        if as_printed:
            worked = Ratio(_difference(high, low), _difference(ONE, low))
        end = () if value is None else (figure(value),)
        return chain(symbol, form, filled, worked, *end, exact=value)

    # 2/3 - 4/9 is 0.2223 in print and rounds to 0.2222, whatever the number of decimals: then print wins.
    return settled(build, lambda places: build(places, as_printed=True))


def _difference(whole: Number, part: Number) -> Number:
    """Subtract printed numbers, to their last digit."""
    decimals = max(len(number.digits.partition(".")[2]) for number in (whole, part))
    return Number(_digits(Fraction(whole.digits) - Fraction(part.digits), decimals))


def quotient(symbol: Name, observed: Fraction, expected: Fraction) -> Formula:
    """Write ``1 - Dₒ / Dₑ`` with the numbers put in.

    Examples
    --------
    >>> quotient(Name("α"), Fraction(1, 2), Fraction(2)).text
    'α = 1 − Dₒ / Dₑ = 1 − 0.50 / 2 = 1 − 0.25 = 0.75'
    """
    form = Difference(ONE, Ratio(Name("D", "o"), Name("D", "e")))
    if expected == 0:
        return chain(symbol, form, Difference(ONE, Ratio(figure(observed), figure(expected))), exact=None)
    value = 1 - observed / expected

    def build(places: int) -> Formula:
        filled = Difference(ONE, Ratio(figure(observed, places), figure(expected, places)))
        # The ratio and the value end on the same digit, so that one less the other is right as printed.
        end = figure(value)
        part = figure(1 - value, max(PLACES, len(end.digits.partition(".")[2])))
        return chain(symbol, form, filled, Difference(ONE, part), end, exact=value)

    return settled(build)
