"""Gates: does a number hold up against what was asked of it? Three answers: it does, it does not, there are too few data to tell.

A gate is a function from a result and settings to outcomes, registered for its name and for the kind of result that it judges. A
pipeline goes on (exit code 0), stops (1), or asks for more data (3).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar

from msgspec.structs import replace

from assent.analyses.thresholds import reaches
from assent.errors import OptionError, choose
from assent.records import Struct, plain
from assent.text import chosen, digits_to_tell, number
from assent.text import interval as shown_interval

__all__ = [
    "EXIT_CODES",
    "MARGIN",
    "GateOutcome",
    "GateSettings",
    "exit_code",
    "gate",
    "gate_names",
    "gates_asked",
    "judged",
    "missed",
    "no_worse",
    "not_lifted_by_runs",
    "three_way",
]

Outcome = Literal["pass", "fail", "unclear"]
#: What a program ends with.
EXIT_CODES: dict[Outcome, int] = {"pass": 0, "fail": 1, "unclear": 3}
#: How much worse is still no worse, in units of the coefficient, unless it is said.
MARGIN = 0.05


class GateSettings(Struct, frozen=True, kw_only=True):
    """What is asked for.

    Parameters
    ----------
    least : float, optional
        What a coefficient should reach.
    margin : float
        How much worse is still no worse.
    """

    least: float | None = None
    margin: float = MARGIN

    def __post_init__(self) -> None:
        if not 0 <= self.margin < math.inf:
            raise OptionError(f"`margin` is {self.margin:g}; it must be 0 or more, as 0.05 is.")
        if self.least is not None and not self.least <= 1:
            raise OptionError(
                f"`fail_under` is {self.least:g}; a coefficient is 1 at most, so give a number such as 0.7."
            )


class GateOutcome(Struct, frozen=True, kw_only=True):
    """What a gate says of one number.

    Parameters
    ----------
    gate : str
        Name of the gate.
    title : str
        What was judged.
    outcome : {"pass", "fail", "unclear"}
    sentence : str
        Why, in a sentence.
    value, low, high, threshold : float
        NaN if undefined.
    """

    gate: str
    title: str
    outcome: Outcome
    sentence: str
    value: float = math.nan
    low: float = math.nan
    high: float = math.nan
    threshold: float = math.nan

    def to_dict(self) -> dict[str, Any]:
        """Return the outcome as plain values."""
        numbers = {name: plain(getattr(self, name)) for name in ("value", "low", "high", "threshold")}
        return {
            "gate": self.gate,
            "title": self.title,
            "outcome": self.outcome,
            "exit_code": EXIT_CODES[self.outcome],
            "sentence": self.sentence,
            **numbers,
        }


Judge = Callable[[Any, GateSettings], Sequence[GateOutcome]]
Registered = TypeVar("Registered", bound=Judge)
#: Gates by name and by the class of result that they judge.
_GATES: dict[tuple[str, type], Judge] = {}


def gate(name: str, result: type) -> Callable[[Registered], Registered]:
    """Register a gate for results of a class.

    Parameters
    ----------
    name : str
        As it is named on the command line.
    result : type
        A subclass of `assent.documents.Result`.
    """

    def register(function: Registered) -> Registered:
        _GATES[name, result] = function
        return function

    return register


def gate_names(result: type) -> list[str]:
    """Return the names of the gates that judge results of a class."""
    return sorted(name for name, kind in _GATES if issubclass(result, kind))


def gates_asked(gate: str | Sequence[str], least: float | None) -> list[str]:
    """Return the names of the gates that were asked for; a number to reach asks for the one that holds coefficients against it.

    Examples
    --------
    >>> gates_asked("noninferior", None), gates_asked((), 0.6)
    (['noninferior'], ['kappa'])
    """
    names = [gate] if isinstance(gate, str) else list(gate)
    return names if least is None or "kappa" in names else [*names, "kappa"]


def judged(result: Any, names: Sequence[str], settings: GateSettings) -> tuple[GateOutcome, ...]:
    """Judge a result by the gates of these names.

    Raises
    ------
    OptionError
        If there is no such gate for such a result.
    """
    found: list[GateOutcome] = []
    for name in dict.fromkeys(names):
        choose("gate", name, gate_names(type(result)))
        (function,) = [one for (known, kind), one in _GATES.items() if known == name and isinstance(result, kind)][:1]
        found += function(result, settings)
    return tuple(found)


def not_lifted_by_runs(outcomes: Sequence[GateOutcome], annotators: Sequence[str]) -> tuple[GateOutcome, ...]:
    """Let nothing pass that runs of a judge among the annotators may have lifted."""
    from assent.data.judge_names import LIFTED_BY_RUNS, mixes_runs

    if not mixes_runs(annotators):
        return tuple(outcomes)
    return tuple(
        replace(one, outcome="unclear", sentence=f"{one.sentence} {LIFTED_BY_RUNS}") if one.outcome == "pass" else one
        for one in outcomes
    )


def exit_code(outcomes: Sequence[GateOutcome]) -> int:
    """Return what a program ends with: the worst of the outcomes; what fails is worse than what is unclear."""
    said = {one.outcome for one in outcomes}
    return next((EXIT_CODES[one] for one in ("fail", "unclear") if one in said), 0)


def missed(what: str, value: float, least: float) -> str:
    """Say that a number is below what it should reach, or undefined.

    Examples
    --------
    >>> missed("Kappa", 0.6998, 0.7)
    'Kappa is 0.6998, below the target of 0.7.'
    """
    digits = digits_to_tell(value, lambda known: reaches(known, least), 3)
    found = "undefined" if math.isnan(value) else f"{value:.{digits}f}"
    return f"{what} is {found}, below the target of {least:g}."


def three_way(
    *, gate: str, title: str, what: str, value: float, low: float, high: float, threshold: float
) -> GateOutcome:
    """Hold an interval against a threshold: all of it reaches it, none of it does, or it cannot be told.

    Parameters
    ----------
    gate, title : str
        Name of the gate, and what is judged.
    what : str
        What the number is, at the beginning of a sentence: "Cohen's kappa".

    Examples
    --------
    >>> three_way(gate="kappa", title="t", what="Kappa", value=0.7, low=0.5, high=0.8, threshold=0.6).sentence
    'Kappa is 0.70 (0.50 to 0.80): too few data to tell whether it reaches 0.60.'
    """
    digits = max(digits_to_tell(end, lambda known: known >= threshold) for end in (low, high))
    found = f"{what} is {number(value, digits)} ({shown_interval(low, high, digits=digits)})"
    wanted = chosen(threshold)
    outcome: Outcome
    if math.isnan(value) or math.isnan(low) or math.isnan(high):
        outcome, said = (
            "unclear",
            f"{what} or its interval is undefined: too few data to tell whether it reaches {wanted}.",
        )
    elif low >= threshold:
        outcome, said = "pass", f"{found}: all of the interval reaches {wanted}."
    elif high < threshold:
        outcome, said = "fail", f"{found}: all of the interval is below {wanted}."
    else:
        outcome, said = "unclear", f"{found}: too few data to tell whether it reaches {wanted}."
    return GateOutcome(
        gate=gate, title=title, outcome=outcome, sentence=said, value=value, low=low, high=high, threshold=threshold
    )


def no_worse(result: Any, settings: GateSettings) -> list[GateOutcome]:
    """Judge whether the numbers of a result are no worse than in an earlier one, its `against`, but for the margin."""
    if not result.against:
        raise OptionError("The `gate` no-worse compares with an earlier result: give it with `baseline`.")
    return [
        three_way(
            gate="no-worse",
            title=f"{one.title} against the baseline",
            what=f"The difference of {one.title} to the baseline",
            value=one.difference,
            low=one.low,
            high=one.high,
            threshold=-settings.margin,
        )
        for one in result.against
    ]
