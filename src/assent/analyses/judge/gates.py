"""Gates of judges: not worse than a person, the alternative annotator test, a kappa to reach, no worse than before."""

from __future__ import annotations

import math

from msgspec.structs import replace

from assent.analyses.gates import GateOutcome, GateSettings, Outcome, gate, no_worse, three_way
from assent.analyses.judge.result import JudgeComparison, JudgeVerdict
from assent.errors import OptionError
from assent.text import number, percent, quoted

__all__: list[str] = []


@gate("noninferior", JudgeComparison)
def _noninferior(result: JudgeComparison, settings: GateSettings) -> list[GateOutcome]:
    """Judge whether each judge agrees with people as they do with each other, less the margin at most."""
    return [_not_worse(one) for one in result.judges]


def _not_worse(one: JudgeVerdict) -> GateOutcome:
    team = one.team
    outcome: Outcome = "pass" if team.shown else "fail" if team.refuted else "unclear"
    idle = bool(team.noninferior and one.constant.team.noninferior)
    outcome = "unclear" if idle else outcome
    bounds = f"one-sided bounds {number(team.low, 3)} and {number(team.high, 3)}, margin {number(team.margin, 3)}"
    said = {
        "pass": f"{quoted(one.judge)} is shown to agree with people as they do with each other, less the margin at most ({bounds}).",
        "fail": f"{quoted(one.judge)} is shown to agree with people less than they do with each other, by more than the margin ({bounds}).",
        "unclear": f"There are too few data to tell whether {quoted(one.judge)} is worse than a person by more than the margin ({bounds}).",
    }
    own = team.on_judged
    if own is not None and team.noninferior and not team.shown:
        worse = "it is shown to be worse" if own.inferior else "that is not shown"
        said["fail"] = said["unclear"] = (
            f"{quoted(one.judge)} is shown not to be worse than people on all items, but on those that it labelled {worse} (one-sided bounds "
            f"{number(own.low, 3)} and {number(own.high, 3)}, margin {number(team.margin, 3)})."
        )
    if idle:
        said["unclear"] = (
            f"{quoted(one.judge)} is shown not to be worse than a person, but so is a judge that always answers {quoted(one.constant.label)}: people "
            f"agree too little with each other to tell ({bounds})."
        )
    value = math.nan if team.difference is None else team.difference.value
    return GateOutcome(
        gate="noninferior",
        title=f"{one.judge} beside people",
        outcome=outcome,
        sentence=team.reason if team.difference is None else said[outcome],
        value=value,
        low=team.low,
        high=team.high,
        threshold=-team.margin,
    )


@gate("alt-test", JudgeComparison)
def _alternative(result: JudgeComparison, settings: GateSettings) -> list[GateOutcome]:
    """Judge whether each judge passes the alternative annotator test where one that reads nothing does not."""
    made = []
    for one in result.judges:
        outcome, said = _stands_in(one)
        test = one.alt_test
        rate = test.cluster_winning_rate if test.clustered else test.winning_rate
        made.append(
            GateOutcome(
                gate="alt-test",
                title=f"{one.judge}, alternative annotator test",
                outcome=outcome,
                sentence=f"{quoted(one.judge)} {said}",
                value=rate,
                threshold=0.5,
            )
        )
    return made


def _stands_in(one: JudgeVerdict) -> tuple[Outcome, str]:
    test, mean, constant = one.alt_test, one.mean_difference, one.constant
    if test.verdict is None:
        return "unclear", f"could not be tested: nobody has {test.min_items} items beside others and the judge."
    rate = percent(test.cluster_winning_rate if test.clustered else test.winning_rate)
    if test.verdict and constant.alt_test.verdict:
        return (
            "unclear",
            f"passes the alternative annotator test (winning rate {rate}), but so does a judge that always answers {quoted(constant.label)}: "
            "the test cannot tell.",
        )
    if test.verdict:
        return "pass", f"passes the alternative annotator test (winning rate {rate}), which a constant judge does not."
    if mean.lower > test.epsilon:
        return (
            "fail",
            f"does not pass the alternative annotator test (winning rate {rate}) and is shown to be worse by more than epsilon.",
        )
    return (
        "unclear",
        f"does not pass the alternative annotator test (winning rate {rate}), but is not shown to be worse by epsilon either.",
    )


def _called(one: JudgeVerdict) -> str:
    """Return what agreement is measured by, as the beginning of a title."""
    name = one.team.coefficient
    return f"Mean {name}" if name == "kappa" else name[:1].upper() + name[1:]


@gate("kappa", JudgeComparison)
def _high_enough(result: JudgeComparison, settings: GateSettings) -> list[GateOutcome]:
    """Judge whether the mean kappa of each judge with people reaches what was asked for."""
    if settings.least is None:
        raise OptionError("The `gate` kappa holds a coefficient against a number: give it with `fail_under`.")
    made = [
        three_way(
            gate="kappa",
            title=f"{_called(one)} of {one.judge} with people",
            what=f"The {_called(one).lower()} of {quoted(one.judge)} with people",
            value=one.kappa[0],
            low=one.kappa[1],
            high=one.kappa[2],
            threshold=settings.least,
        )
        for one in result.judges
    ]
    return [
        _beyond_constant(found, one, "So does", ": ask for more.", outcome="unclear")
        if one.constant.team.human_judge >= settings.least
        else found
        for one, found in zip(result.judges, made, strict=True)
    ]


@gate("no-worse", JudgeComparison)
def _as_before(result: JudgeComparison, settings: GateSettings) -> list[GateOutcome]:
    """Judge whether each judge agrees with people no less than in an earlier result, but for the margin."""
    made = []
    for one, then, found in zip(result.judges, result.against, no_worse(result, settings), strict=True):
        idle = one.constant.team.human_judge
        if idle >= then.baseline - settings.margin:
            # Where the earlier judge was worth nothing, a better one passes still.
            better = one.kappa[1] > idle
            end = ", which this one is better than." if better else "."
            found = _beyond_constant(found, one, "So would that of", end, outcome="pass" if better else "unclear")
        made.append(found)
    return made


def _beyond_constant(found: GateOutcome, one: JudgeVerdict, told: str, end: str, *, outcome: Outcome) -> GateOutcome:
    """Say of what passes that a judge who reads nothing passes as well, and what then becomes of it."""
    if found.outcome != "pass":
        return found
    idle = f"{told} a judge that always answers {quoted(one.constant.label)}{end}"
    return replace(found, outcome=outcome, sentence=f"{found.sentence} {idle}")
