"""Formulas with the numbers put in, which know what they are worth.

A formula is a chain such as ``Aₒ = (20 + 15) / 50 = 35 / 50 = 0.70``. Its signs are not written by hand: two links
are joined by ``=`` if the numbers *as printed* give the same value and by ``≈`` if they do not, so no formula can claim
an equality that a reader with a pencil would find false.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from assent.records import Struct
from assent.text import for_latex, for_terminal

__all__ = [
    "Difference",
    "Expression",
    "Formula",
    "Name",
    "Number",
    "Power",
    "Product",
    "Ratio",
    "Sum",
    "Words",
    "chain",
    "settled",
    "value_of",
]


class Number(Struct, frozen=True):
    """A number as it is printed."""

    digits: str


class Name(Struct, frozen=True):
    """A quantity: a symbol, perhaps with an index below it and with what it is about, as in ``P(both yes)``."""

    symbol: str
    below: str = ""
    of: str | None = None


class Words(Struct, frozen=True):
    """A quantity that has no symbol."""

    words: str


class Sum(Struct, frozen=True):
    """Terms that are added."""

    terms: tuple[Expression, ...]


class Difference(Struct, frozen=True):
    """One thing less another."""

    whole: Expression
    part: Expression


class Product(Struct, frozen=True):
    """Factors that are multiplied."""

    factors: tuple[Expression, ...]


class Ratio(Struct, frozen=True):
    """One thing divided by another."""

    above: Expression
    below: Expression


class Power(Struct, frozen=True):
    """The square of a number."""

    base: Expression


Expression: TypeAlias = "Number | Name | Words | Sum | Difference | Product | Ratio | Power"

_BELOW = {"o": "ₒ", "e": "ₑ", "1": "₁", "2": "₂"}
_SYMBOLS = {"κ": r"\kappa", "π": r"\pi", "α": r"\alpha", "ρ": r"\rho", "τ": r"\tau", "δ": r"\delta", "≈": r"\approx"}


def value_of(expression: Expression) -> Fraction | None:
    """Return what the printed numbers give; None where there is a symbol or a division by 0."""
    match expression:
        case Number(digits):
            return Fraction(digits)
        case Sum(terms):
            added = [value_of(term) for term in terms]
            return None if None in added else sum((term for term in added if term is not None), Fraction(0))
        case Difference(whole, part):
            left, right = value_of(whole), value_of(part)
            return None if left is None or right is None else left - right
        case Product(factors):
            product = Fraction(1)
            for factor in map(value_of, factors):
                if factor is None:
                    return None
                product *= factor
            return product
        case Ratio(above, below):
            left, right = value_of(above), value_of(below)
            return None if left is None or not right else left / right
        case Power(base):
            value = value_of(base)
            return None if value is None else value**2
        case _:
            return None


def as_text(expression: Expression, *, inside: bool = False) -> str:
    """Write an expression on one line; a fraction of whole numbers `inside` a larger one has no blanks."""
    match expression:
        case Number(digits):
            return digits.replace("-", "−")
        case Name(symbol, below, of):
            return symbol + "".join(_BELOW[c] for c in below) + ("" if of is None else f"({for_terminal(of)})")
        case Words(words):
            return for_terminal(words)
        case Sum(terms):
            return _added([as_text(term, inside=True) for term in terms], "−")
        case Difference(whole, part):
            return f"{as_text(whole, inside=True)} − {_wrapped(part, Sum, Difference)}"
        case Product(factors):
            return " × ".join(_wrapped(factor, Sum, Difference) for factor in factors)
        case Ratio(above, below):
            slash = "/" if inside and _is_whole(above) and _is_whole(below) else " / "
            return _wrapped(above, Sum, Difference) + slash + _wrapped(below, Sum, Difference, Product, Ratio)
        case Power(base):
            return f"{_wrapped(base, Sum, Difference, Product, Ratio)}²"


def _added(terms: Sequence[str], minus: str) -> str:
    """Join terms by plus signs, and those below 0 by a minus sign."""
    first, *others = terms
    return first + "".join(f" {minus} {one[1:]}" if one.startswith(minus) else f" + {one}" for one in others)


def _is_whole(expression: Expression) -> bool:
    return isinstance(expression, Number) and "." not in expression.digits


def _wrapped(expression: Expression, *kinds: type[object]) -> str:
    """Write a part of an expression, in brackets if it is of one of the `kinds` and has more than one part itself."""
    text = as_text(expression, inside=True)
    many = not (isinstance(expression, Sum) and len(expression.terms) == 1)
    many = many and not (isinstance(expression, Product) and len(expression.factors) == 1)
    return f"({text})" if isinstance(expression, kinds) and many else text


def as_latex(expression: Expression) -> str:
    """Write an expression in LaTeX's mathematics, for the package amsmath."""
    match expression:
        case Number(digits):
            return digits
        case Name(symbol, below, of):
            sign = _SYMBOLS.get(symbol, symbol if len(symbol) == 1 else rf"\mathrm{{{symbol}}}")
            return sign + (f"_{{{below}}}" if below else "") + ("" if of is None else rf"(\text{{{for_latex(of)}}})")
        case Words(words):
            return rf"\text{{{for_latex(words)}}}"
        case Sum(terms):
            return _added([as_latex(term) for term in terms], "-")
        case Difference(whole, part):
            return f"{as_latex(whole)} - {_bracketed(part)}"
        case Product(factors):
            return r" \times ".join(map(_bracketed, factors))
        case Ratio(above, below):
            return rf"\frac{{{as_latex(above)}}}{{{as_latex(below)}}}"
        case Power(base):
            return f"{_bracketed(base) if isinstance(base, Number | Name) else f'({as_latex(base)})'}^2"


def _bracketed(expression: Expression) -> str:
    latex = as_latex(expression)
    return f"({latex})" if isinstance(expression, Sum | Difference) else latex


class Formula(Struct, frozen=True):
    """A chain of expressions that are the same, or nearly so.

    Parameters
    ----------
    left : Expression
        What is computed.
    links : tuple of (str, Expression)
        A sign, ``=`` or ``≈``, and what follows it.
    """

    left: Expression
    links: tuple[tuple[str, Expression], ...]

    @property
    def text(self) -> str:
        """The formula on one line."""
        return " ".join(self.pieces)

    @property
    def pieces(self) -> list[str]:
        """The formula on one line, cut before each sign."""
        return [as_text(self.left), *(f"{sign} {as_text(link)}" for sign, link in self.links)]

    @property
    def latex_pieces(self) -> list[str]:
        """The formula in LaTeX, cut before each sign."""
        return [as_latex(self.left), *(f"{_SYMBOLS.get(sign, sign)} {as_latex(link)}" for sign, link in self.links)]

    @property
    def tight(self) -> bool:
        """True if every printed number follows from the printed numbers before it, to its last digit."""
        numeric = [link for _, link in self.links if value_of(link) is not None]
        return all(_follows(one, two) for one, two in pairwise(numeric))

    def to_dict(self) -> dict[str, str]:
        """Return the formula as plain text and as LaTeX."""
        return {"text": self.text, "latex": " ".join(self.latex_pieces)}


def _follows(before: Expression, after: Expression) -> bool:
    """Tell whether `after` is what a reader gets who works out `before`."""
    one, two = value_of(before), value_of(after)
    if one is None or two is None or one == two:
        return one == two
    if isinstance(before, Difference) and isinstance(after, Difference):
        return before.whole == after.whole and _follows(before.part, after.part)
    if not isinstance(after, Number):
        return False
    # 0.0666 / 0.5333 is not quite 0.125, though it rounds to it: four decimals at least must be right.
    unit = Fraction(1, 10 ** max(4, len(after.digits.partition(".")[2])))
    # Halves are rounded away from zero, as at school.
    return abs(one - two) < unit / 2 or (abs(two) - abs(one) == unit / 2 and one * two > 0)


def chain(left: Expression, *links: Expression, exact: Fraction | None) -> Formula:
    """Join expressions by the signs that are true of them.

    Parameters
    ----------
    left : Expression
        What is computed.
    *links : Expression
        Ever simpler forms of it; one that says the same as the one before is left out.
    exact : Fraction or None
        What `left` is; None if it is undefined.

    Examples
    --------
    >>> third = Ratio(Number("1"), Number("3"))
    >>> chain(Name("A", "o"), third, Number("0.3333"), exact=Fraction(1, 3)).text
    'Aₒ = 1 / 3 ≈ 0.3333'
    """
    signed: list[tuple[str, Expression]] = []
    known = exact
    for link in links:
        if signed and as_text(signed[-1][1]) == as_text(link):
            continue
        worth = value_of(link)
        signed.append(("=" if worth is None or worth == known else "≈", link))
        known = known if worth is None else worth
    return Formula(left, tuple(signed))


def settled(*builds: Callable[[int], Formula]) -> Formula:
    """Print as many decimals as it takes for the printed numbers to follow from each other.

    Rounded numbers seldom add up: 0.4167 - 0.3333 is 0.0834, but 5/12 - 1/3 rounds to 0.0833.

    Parameters
    ----------
    *builds : callable
        From a number of decimals to a formula; the second is asked if no number of decimals will do for the first.
    """
    for build in builds:
        for places in range(4, 13):
            formula = build(places)
            if formula.tight:
                return formula
    return builds[0](4)
