"""Reading explanations back: every printed line of arithmetic is worked out again, with nothing but its text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

import assent
from assent.analyses.explain import EXPLAINED, Explanation

#: Measures that take every scale.
ANY_SCALE = tuple(name for name in EXPLAINED if len(assent.all_measures()[name].scales) > 1)
#: Symbols that stand for numbers; a part that holds one of these cannot be worked out.
SYMBOLS = re.compile(r"[A-Za-zκπαδρτₒₑ]")
NUMBER = re.compile(r"\d+(?:\.\d+)?")


def lines(explanation: Explanation) -> list[str]:
    """The lines of the text, without indentation."""
    return [line.strip() for line in explanation.text().splitlines()]


def rows(explanation: Explanation, step: int = 0) -> list[list[str]]:
    """The cells of the table of a step, as written."""
    table = explanation.steps[step].table
    assert table is not None
    return [[cell.text for cell in row] for row in table.rows]


def formulas(explanation: Explanation) -> list[str]:
    """Every formula on one line."""
    return [formula.text for step in explanation.steps for formula in step.formulas]


def worth(text: str) -> Fraction | None:
    """What a part of a formula is worth by the rules of arithmetic; None if it holds a symbol or divides by 0."""
    if SYMBOLS.search(text):
        return None
    python = NUMBER.sub(lambda found: f'Fraction("{found[0]}")', text)
    python = python.replace("×", "*").replace("−", "-").replace("²", "**2")
    assert re.fullmatch(r'[\s()+*/\-0-9.Fraction"]*', python), text
    try:
        value = eval(python, {"Fraction": Fraction})
    except ZeroDivisionError:
        return None
    return Fraction(value)


def links(formula: str) -> Iterator[tuple[str, str, str]]:
    """The (part, sign, part) of a formula, left to right."""
    pieces = re.split(r" (=|≈) ", formula)
    for i in range(0, len(pieces) - 2, 2):
        yield pieces[i], pieces[i + 1], pieces[i + 2]


def decimals(text: str) -> int:
    """Decimals of the number that the text is."""
    return len(text.partition(".")[2])


def check(formula: str) -> None:
    """Fail if a printed equality is false, or a printed approximation is off by more than its last digit."""
    for before, sign, after in links(formula):
        one, two = worth(before), worth(after)
        if one is None or two is None:
            continue
        if sign == "=":
            assert one == two, formula
        elif NUMBER.fullmatch(after.removeprefix("1 − ").lstrip("−")):
            assert one != two, f"needlessly ≈: {formula}"
            unit = Fraction(1, 10 ** decimals(after))
            assert abs(one - two) <= unit / 2, formula
        else:
            raise AssertionError(f"≈ before an expression that is worked out from another: {formula}")


def ends(formula: str) -> Fraction | None:
    """The number that a formula ends with."""
    return worth(re.split(r" [=≈] ", formula)[-1])
