"""Coefficients with all that was asked of them, and what gates say of them."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal

from assent.analyses.gates import GateOutcome, GateSettings, missed, no_worse, not_lifted_by_runs, three_way
from assent.analyses.gates import gate as register_gate
from assent.analyses.interpretation import BENCHMARKS, Target, against_target, interpret, memberships
from assent.analyses.recommend import Recommendation
from assent.analyses.thresholds import reaches
from assent.documents.result import Result
from assent.errors import OptionError, choose
from assent.measures import find
from assent.records import Struct, plain

if TYPE_CHECKING:
    from assent.analyses.baseline import Against
    from assent.analyses.findings.finding import Finding
    from assent.analyses.missingness import Missingness
    from assent.data import Dataset
    from assent.documents.blocks import Document
    from assent.measures.results import Agreement, Interval

__all__ = ["Measured", "Measurement"]


class Measured(Struct, frozen=True, kw_only=True, eq=False):
    """A coefficient with all that was asked of it.

    Parameters
    ----------
    agreement : Agreement
    interval : Interval or None
        None if none was asked for.
    p_value : float or None
        Of the permutation test of "no agreement beyond chance", if it was asked for.
    by_label : tuple of (str, Measured) or None
        The same for each label against the rest, if that was asked for.
    missingness : Missingness or None
        For a measure that assumes that what is missing has nothing to do with agreement: a check of that.
    """

    agreement: Agreement
    interval: Interval | None = None
    p_value: float | None = None
    by_label: tuple[tuple[str, Measured], ...] | None = None
    missingness: Missingness | None = None

    @property
    def graded(self) -> bool:
        """Tell whether words such as "moderate" are customary for its values."""
        return self.agreement.chance_corrected and find(self.agreement.measure).graded

    @property
    def ends(self) -> tuple[float | None, float | None]:
        """The two ends of the interval, if there is one."""
        return (None, None) if self.interval is None else (self.interval.low, self.interval.high)

    @property
    def known_ends(self) -> tuple[float, float]:
        """The same, NaN if there is none."""
        return (math.nan, math.nan) if self.interval is None else (self.interval.low, self.interval.high)

    @property
    def _doubt(self) -> float:
        """The standard error, or that of the interval where it is less than half of it: an error of 0 is no knowledge."""
        if self.interval is None:
            return math.nan
        half = (self.interval.high - self.interval.low) / 2.0
        own, wide = self.interval.standard_error, half / NormalDist().inv_cdf((1.0 + self.interval.level) / 2.0)
        return wide if own < wide / 2.0 else own

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the number and of its interval must know."""
        return (*self.agreement.notes, *(() if self.interval is None else self.interval.notes))

    def to_dict(self, goal: Target | None = None) -> dict[str, Any]:
        """Return everything as plain values, with what the number is called and how it stands to a target."""
        spoken = None
        if self.graded and not math.isnan(self.agreement.value):
            error = self._doubt
            spoken = [
                {
                    **interpret(self.agreement.value, *self.ends, scale=scale).to_dict(),
                    "memberships": [one._asdict() for one in memberships(self.agreement.value, error, scale)],
                }
                for scale in BENCHMARKS
            ]
        apart = None
        if self.by_label is not None:
            apart = [{"label": label, **one.agreement.to_dict(one.interval)} for label, one in self.by_label]
        return {
            **self.agreement.to_dict(self.interval),
            "p_value": plain(self.p_value),
            "by_label": apart,
            "interpretation": spoken,
            "target": None if goal is None else against_target(self.agreement.value, *self.ends, goal).to_dict(),
            "missingness": plain(self.missingness),
        }


class Measurement(Result, frozen=True, kw_only=True, eq=False):
    """Coefficients of some data; the first one is the one to quote.

    Parameters
    ----------
    data : Dataset
    measures : tuple of Measured
    chosen : Recommendation or None
        Why these measures; None if they were named.
    findings : tuple of Finding or None
        What makes the number say less than it seems to; None if it was not looked for.
    goal : Target or None
        What agreement should reach.
    level : float
        Confidence level of the intervals.
    beside : tuple of str
        What the number would be if the labels were read in another way.
    against : tuple of Against
        How the numbers differ from those of an earlier result.
    gates : tuple of GateOutcome
        What gates say.
    words : str or None
        A scale of words beside the one that is usual for the coefficient.
    """

    data: Dataset
    measures: tuple[Measured, ...]
    chosen: Recommendation | None = None
    findings: tuple[Finding, ...] | None = None
    goal: Target | None = None
    level: float = 0.95
    beside: tuple[str, ...] = ()
    against: tuple[Against, ...] = ()
    gates: tuple[GateOutcome, ...] = ()
    words: str | None = None

    @property
    def judged(self) -> tuple[Measured, ...]:
        """The coefficients that gates look at: those that were named, or else the one to quote."""
        return self.measures[:1] if self.chosen else self.measures

    @property
    def quoted(self) -> Agreement:
        """The coefficient to quote."""
        return self.measures[0].agreement

    @property
    def value(self) -> float:
        """The value of the coefficient to quote; NaN if it is undefined."""
        return self.quoted.value

    @property
    def observed(self) -> float:
        """The observed agreement of the coefficient to quote."""
        return self.quoted.observed

    @property
    def expected(self) -> float:
        """The agreement that the coefficient to quote expects by chance."""
        return self.quoted.expected

    def __float__(self) -> float:
        return self.value

    def __lt__(self, other: Any) -> bool:
        return bool(self.quoted < other)

    def __le__(self, other: Any) -> bool:
        return bool(self.quoted <= other)

    def __gt__(self, other: Any) -> bool:
        return bool(self.quoted > other)

    def __ge__(self, other: Any) -> bool:
        return bool(self.quoted >= other)

    def outcomes(self, look_at: Literal["value", "low"] = "value") -> tuple[GateOutcome, ...]:
        """Return what gates say, and what the goal says of each number, or of the lower end of its interval, unless a gate says it."""
        if self.goal is None or any(one.gate == "kappa" for one in self.gates):
            return self.gates
        choose("fail_on", look_at, ("value", "low"))
        made = [_against_goal(one, self.goal, look_at) for one in self.judged]
        return (*not_lifted_by_runs(made, self.data.annotators or ()), *self.gates)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, in the shape the command line prints as JSON."""
        return {
            "data": self.data.to_dict(),
            "measures": [one.to_dict(self.goal) for one in self.measures],
            "chosen": plain(self.chosen),
            "findings": plain(self.findings),
            "beside": list(self.beside),
            "baseline": plain(self.against) or None,
            "gates": plain(self.gates),
        }

    def document(self) -> Document:
        """Return the coefficients as a table, and what one must know to read it."""
        from assent.analyses.measure.document import document_of

        return document_of(self)


def _against_goal(one: Measured, goal: Target, look_at: Literal["value", "low"]) -> GateOutcome:
    """Judge whether a number, or the lower end of its interval, reaches a goal; what is undefined does not."""
    low, high = one.known_ends
    title, at_low = one.agreement.title, look_at == "low" and one.interval is not None
    reached = low if at_low else one.agreement.value
    passes = reaches(reached, goal.value)
    what = f"The lower end of the interval of {title}" if at_low else title
    return GateOutcome(
        gate="fail-under",
        title=title,
        outcome="pass" if passes else "fail",
        sentence=f"{title} reaches the target of {goal.value:g}." if passes else missed(what, reached, goal.value),
        value=one.agreement.value,
        low=low,
        high=high,
        threshold=goal.value,
    )


@register_gate("kappa", Measurement)
def _high_enough(result: Measurement, settings: GateSettings) -> list[GateOutcome]:
    """Judge whether the numbers reach what was asked for."""
    if settings.least is None:
        raise OptionError(
            "The `gate` kappa holds a coefficient against a number: give it with `fail_under` or `target`."
        )
    return [
        three_way(
            gate="kappa",
            title=one.agreement.title,
            what=one.agreement.title,
            value=one.agreement.value,
            low=one.known_ends[0],
            high=one.known_ends[1],
            threshold=settings.least,
        )
        for one in result.judged
    ]


register_gate("no-worse", Measurement)(no_worse)
