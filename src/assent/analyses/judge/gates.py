"""Gates: what a judge must reach, with three outcomes: it does, it does not, or the data cannot tell."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assent.errors import OptionError, choose
from assent.text import number, percent, quoted

if TYPE_CHECKING:
    from assent.analyses.judge.result import Verdict

__all__ = ["GATES", "GateOutcome", "gate"]

GATES = ("noninferior", "alt-test", "kappa")


@dataclass(frozen=True, kw_only=True)
class GateOutcome:
    """Whether a judge passes a gate.

    Parameters
    ----------
    judge, gate : str
    outcome : {"pass", "fail", "unclear"}
    sentence : str
        Why.
    """

    judge: str
    gate: str
    outcome: str
    sentence: str

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return dict(vars(self))


def gate(one: Verdict, name: str, fail_under: float | None) -> GateOutcome:
    """Decide a gate for one judge."""
    choose("gate", name, GATES)
    outcome, sentence = {"noninferior": _noninferior, "alt-test": _alt_test, "kappa": _kappa}[name](one, fail_under)
    return GateOutcome(judge=one.judge, gate=name, outcome=outcome, sentence=f"{quoted(one.judge)}: {sentence}")


def _noninferior(one: Verdict, fail_under: float | None) -> tuple[str, str]:
    team = one.team
    if team.noninferior is None:
        return "unclear", f"there is no difference to the people to tell by. {team.reason}"
    bounds = f"one-sided bounds {number(team.low, 3)} and {number(team.high, 3)}, margin {number(team.margin, 3)}"
    if team.noninferior:
        return (
            "pass",
            f"it is shown to agree with people as they do with each other, less the margin at most ({bounds}).",
        )
    if team.inferior:
        return "fail", f"it is shown to agree less with people than they do, by more than the margin ({bounds})."
    return "unclear", f"too little data to tell whether it is worse than a person by more than the margin ({bounds})."


def _alt_test(one: Verdict, fail_under: float | None) -> tuple[str, str]:
    test, mean, constant = one.alt_test, one.mean_difference, one.constant
    if test.verdict is None:
        return (
            "unclear",
            f"nobody labelled {test.min_items} items beside others, so the alternative annotator test could test nobody.",
        )
    rate = percent(test.cluster_winning_rate if test.clustered else test.winning_rate)
    if test.verdict and constant.alt_test.verdict:
        return (
            "unclear",
            f"it passes the alternative annotator test (winning rate {rate}), but so does a judge that always answers "
            f"{quoted(constant.label)}: the test cannot tell.",
        )
    if test.verdict:
        return (
            "pass",
            f"it passes the alternative annotator test (winning rate {rate}), which a constant judge does not.",
        )
    if mean.lower > test.epsilon:
        return (
            "fail",
            f"it does not pass the alternative annotator test (winning rate {rate}) and is shown to be worse by more than epsilon.",
        )
    return (
        "unclear",
        f"it does not pass the alternative annotator test (winning rate {rate}), but is not shown to be worse either.",
    )


def _kappa(one: Verdict, fail_under: float | None) -> tuple[str, str]:
    if fail_under is None:
        raise OptionError("The gate kappa needs a target: give it with `fail_under`.")
    value, low, high = one.kappa
    if math.isnan(low):
        return "unclear", "its mean kappa with people is undefined."
    said = f"mean kappa with people {number(value, 3)} ({number(low, 3)} to {number(high, 3)}), target {number(fail_under, 3)}"
    return ("pass" if low >= fail_under else "fail" if high < fail_under else "unclear"), f"{said}."
