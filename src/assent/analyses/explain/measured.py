"""A coefficient that is not worked out on the board: what it is, what was measured, and the last step."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from assent.analyses.explain.arithmetic import EXPECTED, OBSERVED, figure
from assent.analyses.explain.formula import Formula, Name, chain
from assent.analyses.explain.model import Step
from assent.analyses.explain.parts import Derivation, last_step_of
from assent.measures import Measure
from assent.measures.results import Agreement

__all__ = ["as_measured"]

NOT_BY_HAND = "These numbers are as measured: the sums behind them are not written out here."


def as_measured(measure: Measure, agreement: Agreement, symbol: Name) -> Derivation:
    """Explain any coefficient by its definition and the numbers that it was computed from."""
    first = Step(heading="What is computed", sentences=(measure.summary, *_definition(measure)))
    observed, expected, value = (_exact(one) for one in (agreement.observed, agreement.expected, agreement.value))
    terms = [] if not agreement.chance_corrected else [_said(OBSERVED, observed), _said(EXPECTED, expected)]
    shown = tuple(one for one in terms if one is not None)
    usual = observed is not None and expected is not None and expected != 1 and agreement.chance_corrected
    if (
        usual
        and observed is not None
        and expected is not None
        and _close((observed - expected) / (1 - expected), value)
    ):
        second = Step(heading="Observed and expected agreement", sentences=(NOT_BY_HAND,), formulas=shown)
        last, _ = last_step_of(symbol, observed, expected)
        return Derivation(steps=(first, second, last), value=value, symbol=symbol)
    own = _said(symbol, value)
    sentences = [NOT_BY_HAND] + (["It is undefined here; the notes say why."] if value is None else [])
    second = Step(heading="The value", sentences=tuple(sentences), formulas=(*shown, *([own] if own else [])))
    return Derivation(steps=(first, second), value=value, symbol=symbol)


def _definition(measure: Measure) -> tuple[str, ...]:
    """Return what a docstring says before its first heading, after the summary, as sentences that mark options as all others do."""

    def said(code: re.Match[str]) -> str:
        plain = code[1].replace('"', "")
        return f"`{plain}`" if plain.partition("=")[0] in measure.parameters else plain

    body = re.split(r"\n\n[^\n]+\n-{3,}", measure.text)[0]
    # Pages of the documentation are not beside what is explained.
    body = re.sub(r" \(\[[^]]+\]\([^)]+\)\)|\[([^]]+)\]\([^)]+\)", r"\1", body)
    return tuple(re.sub("``(.+?)``", said, " ".join(part.split())) for part in body.split("\n\n")[1:])


def _exact(number: float) -> Fraction | None:
    return Fraction(number) if math.isfinite(number) else None


def _said(name: Name, number: Fraction | None) -> Formula | None:
    return None if number is None else chain(name, figure(number), exact=number)


def _close(one: Fraction, other: Fraction | None) -> bool:
    return other is not None and abs(one - other) <= Fraction(1, 10**9)
