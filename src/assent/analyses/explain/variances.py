"""Coefficients of numbers on the board: the intraclass correlation and Lin's concordance."""

from __future__ import annotations

from fractions import Fraction

from assent.analyses.explain.arithmetic import figure, quotient, whole
from assent.analyses.explain.counting import rational
from assent.analyses.explain.formula import (
    Difference,
    Expression,
    Formula,
    Name,
    Power,
    Product,
    Ratio,
    Sum,
    chain,
    settled,
)
from assent.analyses.explain.model import Step, table_of_texts
from assent.analyses.explain.parts import Derivation, Inputs
from assent.profiles import Ratings
from assent.scales import Scores

__all__ = ["icc", "lin"]

ROWS, JUDGES, ERROR, WITHIN = Name("BMS"), Name("JMS"), Name("EMS"), Name("WMS")


def _numbers(inputs: Inputs) -> tuple[list[list[Fraction]], list[int]]:
    """Return the numbers of each kind of item, one for each annotator, and how many items are of it."""
    ratings: Ratings = inputs.agreement.profiles
    assert isinstance(inputs.agree, Scores)
    scores = [rational(float(one)) for one in inputs.agree.scores]
    table = [[Fraction(0)] * len(ratings.annotators) for _ in range(len(ratings.multiplicities))]
    cells = zip(ratings.profile.tolist(), ratings.annotator.tolist(), ratings.label.tolist(), strict=True)
    for profile, annotator, label in cells:
        table[profile][annotator] = scores[label]
    return table, [int(one) for one in ratings.multiplicities]


def icc(inputs: Inputs) -> Derivation:
    """Explain a form of the intraclass correlation by the analysis of variance."""
    table, times = _numbers(inputs)
    n, k = sum(times), len(table[0])
    columns = [sum((m * row[j] for row, m in zip(table, times, strict=True)), Fraction(0)) for j in range(k)]
    grand = sum(columns, Fraction(0)) ** 2 / Fraction(n * k)
    between = (
        sum((m * sum(row, Fraction(0)) ** 2 for row, m in zip(table, times, strict=True)), Fraction(0)) / k - grand
    )
    judges = sum((one**2 for one in columns), Fraction(0)) / n - grand
    squares = sum((m * one**2 for row, m in zip(table, times, strict=True) for one in row), Fraction(0)) - grand
    error, within = squares - between - judges, squares - between
    if n < 2:
        undefined = "With one item there is no variance between items, so ICC is undefined."
        return Derivation(steps=(Step(heading="Variance", sentences=(undefined,)),), value=None, symbol=inputs.symbol)
    sources = [
        ("items (BMS)", between, n - 1),
        ("annotators (JMS)", judges, k - 1),
        ("rest (EMS)", error, (n - 1) * (k - 1)),
        ("within items (WMS)", within, n * (k - 1)),
    ]
    mean = {
        name: amount / degrees
        for (_, amount, degrees), name in zip(sources, (ROWS, JUDGES, ERROR, WITHIN), strict=True)
    }
    rows = [(what, figure(amount).digits, str(df), figure(amount / df).digits) for what, amount, df in sources]
    first = Step(
        heading="Where the variance comes from",
        sentences=(
            f"The squared deviations of all numbers from their mean are taken apart: {n:,} items, {k} annotators. A sum of squares over "
            "its degrees of freedom is a mean square. Within items is annotators and rest together.",
        ),
        table=table_of_texts(("variance of", "sum of squares", "degrees of freedom", "mean square"), rows),
    )
    form = str(inputs.agreement.options["form"])
    above, below, why = _form(form, n, k)
    top, bottom = (_worth(one, mean) for one in (above, below))
    value = top / bottom if bottom > 0 else None

    def build(places: int) -> Formula:
        numbers = Ratio(*(_filled(one, mean, places) for one in (above, below)))
        end = () if value is None else (figure(value),)
        return chain(inputs.symbol, Ratio(above, below), numbers, *end, exact=value)

    said = (why,) if value is not None else (why, "The variance below the line is 0, so ICC is undefined.")
    last = Step(heading=f"ICC({form})", sentences=said, formulas=(settled(build),))
    return Derivation(steps=(first, last), value=value, symbol=inputs.symbol)


def _form(form: str, n: int, k: int) -> tuple[Expression, Expression, str]:
    """Return what stands above and below the line, and what the form is about."""
    model, unit = form.split(",")
    noise = WITHIN if model == "1" else ERROR
    above = Difference(ROWS, noise)
    leaning = Difference(JUDGES, ERROR)
    if unit == "1":
        terms: list[Expression] = [ROWS, Product((whole(k - 1), noise))]
        terms += [Ratio(Product((whole(k), leaning)), whole(n))] if model == "2" else []
    else:
        terms = [ROWS, *([Ratio(leaning, whole(n))] if model == "2" else [])]
    who = {
        "1": "Annotators are drawn anew for each item: all variance within items is noise.",
        "2": "Annotators are drawn from many: that they lean differently counts as disagreement.",
        "3": "These annotators alone are of interest: that they lean differently does not count.",
    }[model]
    what = "It is about one label." if unit == "1" else "It is about the mean of all annotators' labels."
    return above, terms[0] if len(terms) == 1 else Sum(tuple(terms)), f"{who} {what}"


def _filled(one: Expression, mean: dict[Name, Fraction], places: int = 4) -> Expression:
    """Put numbers in the place of names."""
    match one:
        case Name():
            return figure(mean[one], places)
        case Sum(terms):
            return Sum(tuple(_filled(term, mean, places) for term in terms))
        case Difference(whole_, part):
            return Difference(_filled(whole_, mean, places), _filled(part, mean, places))
        case Product(factors):
            return Product(tuple(_filled(factor, mean, places) for factor in factors))
        case Ratio(above, below):
            return Ratio(_filled(above, mean, places), _filled(below, mean, places))
        case _:
            return one


def _worth(one: Expression, mean: dict[Name, Fraction]) -> Fraction:
    """Return what an expression is worth, exactly."""
    match one:
        case Name():
            return mean[one]
        case Sum(terms):
            return sum((_worth(term, mean) for term in terms), Fraction(0))
        case Difference(whole_, part):
            return _worth(whole_, mean) - _worth(part, mean)
        case Product(factors):
            product = Fraction(1)
            for factor in factors:
                product *= _worth(factor, mean)
            return product
        case Ratio(above, below):
            return _worth(above, mean) / _worth(below, mean)
        case _:
            return Fraction(one.digits)  # type: ignore[union-attr]


def lin(inputs: Inputs) -> Derivation:
    """Explain Lin's concordance."""
    table, times = _numbers(inputs)
    n = sum(times)

    def mean(values: list[Fraction]) -> Fraction:
        return sum((m * one for one, m in zip(values, times, strict=True)), Fraction(0)) / n

    first, second = ([row[j] for row in table] for j in (0, 1))
    one, two = mean(first), mean(second)
    spread_one, spread_two = mean([x**2 for x in first]) - one**2, mean([x**2 for x in second]) - two**2
    observed = mean([(x - y) ** 2 for x, y in zip(first, second, strict=True)])
    expected = spread_one + spread_two + (one - two) ** 2
    formulas = [
        chain(Name("D", "o"), figure(observed), exact=observed),
        settled(
            lambda places: chain(
                Name("D", "e"),
                Sum((figure(spread_one, places), figure(spread_two, places), Power(figure(abs(one - two), places)))),
                figure(expected),
                exact=expected,
            )
        ),
    ]
    step = Step(
        heading="Squared differences",
        sentences=(
            f"Dₒ is the mean squared difference of the two numbers of an item, over {n:,} items. Dₑ is what it would be if the two "
            "annotators kept their numbers and gave them to items at random: the variance of the first, that of the second, and the "
            "difference of their means squared.",
        ),
        formulas=tuple(formulas),
    )
    value = None if expected == 0 else 1 - observed / expected
    said = ["It is 1 if both always give the same number, and 0 if they are as far apart as by chance."]
    said += ["All numbers are the same: the division by 0 has no result, so it is undefined."] if value is None else []
    last = Step(heading="Concordance", sentences=tuple(said), formulas=(quotient(inputs.symbol, observed, expected),))
    return Derivation(steps=(step, last), value=value, symbol=inputs.symbol)
