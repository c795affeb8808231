"""What is said of a judge, sentence by sentence, in the order of the questions."""

from __future__ import annotations

import math
from collections.abc import Sequence

from assent.analyses.judge.alternative_result import AlternativeTest
from assent.analyses.judge.favour import Favour, SeatSwap
from assent.analyses.judge.jury import Jury
from assent.analyses.judge.leaning import JudgeSeverity, Leaning
from assent.analyses.judge.result import JudgeComparison, JudgeVerdict
from assent.analyses.judge.soft import SoftLabels
from assent.analyses.judge.success import SuccessRate
from assent.analyses.judge.team import Team
from assent.text import counted, escaped, interval, level, named, number, percent, percent_interval, probability, quoted

__all__ = ["closeness", "errors", "favoured", "jury", "leanings", "rate", "repeats", "seats", "soft", "stand_in"]

#: A verdict that holds in fewer resamples than this could well have been another.
STEADY = 0.9
#: What a column of favours is about.
_WHAT = {"seat": "what is shown first", "longer": "what is longer", "own": "what it wrote itself"}


def rounded_up(margin: float) -> float:
    """Return a margin with three digits that is large enough."""
    return margin if math.isnan(margin) else math.ceil(margin * 1000) / 1000


def closeness(one: JudgeVerdict, sure: float) -> str:
    """Say whether a judge is as close to the people as they are to each other, and what is proven."""
    team, name = one.team, quoted(one.judge)
    if team.difference is None or team.interval is None:
        ends = team.judge_interval
        known = "" if ends is None else f" ({level(sure)} interval {interval(ends.low, ends.high)})"
        alone = (
            ""
            if math.isnan(team.human_judge)
            else f"The {team.coefficient} of {name} with people is {number(team.human_judge)}{known}. "
        )
        return f"{alone}{team.reason}"
    gap, margin = team.difference.value, team.margin
    how = "about as much as" if abs(gap) <= margin else "less than" if gap < 0 else "more than"
    said = (
        f"{name} agrees with people {how} they agree with each other: {team.coefficient} {number(team.human_judge)} against {number(team.human_human)}, "
        f"difference {number(gap, 3)} ({level(sure)} interval {interval(team.interval.low, team.interval.high, digits=3)})."
    )
    own = (
        ""
        if team.margin_given
        else f" ({number(margin)} is a suggestion: say your own with `margin` of `assent judge`)"
    )
    if team.noninferior and one.constant.team.noninferior:
        return (
            f"{said} It is shown not to be worse than a person by {number(margin)} or more, but so is a judge that always answers "
            f"{quoted(one.constant.label)}: people agree too little with each other for that to say anything{own}."
        )
    if team.noninferior and not team.shown and team.on_judged is not None:
        return f"{said} {_on_own_items(team, team.on_judged, margin, sure)}{own}."
    if team.equivalent and (team.on_judged is None or team.on_judged.equivalent):
        return f"{said} Within the margin of {number(margin)} it is shown to be equivalent to a person{own}."
    if team.noninferior:
        return f"{said} It is shown not to be worse than a person by {number(margin)} or more{own}."
    if team.inferior:
        return f"{said} It is shown to be worse than a person by more than the margin of {number(margin)}{own}."
    return (
        f"{said} That it is not worse than a person by {number(margin)} or more is not shown{own}. It would be with a margin of "
        f"{number(rounded_up(team.smallest_margin), 3)}."
    )


def _on_own_items(team: Team, own: Team, margin: float, sure: float) -> str:
    """Say what a judge that skipped items is worth on its own."""
    if own.difference is None or own.interval is None:
        return "On the items that it labelled people cannot be compared with each other, so nothing is shown"
    gap = (
        f"On the items that it labelled people agree to {number(own.human_human)}, and the difference is {number(own.difference.value, 3)} ({level(sure)} interval "
        f"{interval(own.interval.low, own.interval.high, digits=3)})"
    )
    if own.inferior:
        return f"{gap}: there it is shown to be worse than a person by more than the margin of {number(margin)}"
    return f"{gap}: there it is not shown that it is not worse than a person by {number(margin)} or more"


def stand_in(one: JudgeVerdict, unit: str, sure: float) -> list[str]:
    """Say how the alternative annotator test ended, and beside it what a judge that reads nothing does."""
    test, mean, constant = one.alt_test, one.mean_difference, one.constant
    said = []
    if test.passed is None:
        said.append(
            f"The alternative annotator test holds out people with {test.min_items} items or more on which others and {quoted(one.judge)} have labels: "
            "there are none."
        )
    else:
        said.append(_passed(one.judge, test, constant.alt_test, constant.label))
        if test.clustered:
            said.append(_clustered(test, constant.alt_test, constant.label, unit))
        shaky = ": on other items it could well have been the other one" if test.stability < STEADY else ""
        said.append(f"This verdict holds in {percent(test.stability)} of resamples{shaky}.")
        tango = sum(one.win_tango for one in test.humans)
        if tango != sum(one.win for one in test.humans):
            said.append(
                f"By Tango's score test, which keeps its level with many ties, it is {tango} of {len(test.humans)}."
            )
    if mean.interval is not None:
        idle = constant.mean_difference
        proven = {True: "shown to be below epsilon", False: "not shown to be below epsilon", None: "of unknown error"}
        also = f"as that of always {quoted(constant.label)} is" if mean.noninferior and idle.noninferior else ""
        beside = f"always {quoted(constant.label)} has {number(idle.value, 3)}"
        said.append(
            f"The mean difference (share of items where the person is closer to the others, less that where the judge is) is "
            f"{number(mean.value, 3)} ({level(sure)} interval {interval(mean.interval.low, mean.interval.high, digits=3)}), {proven[mean.noninferior]}"
            f"{', ' + also if also else ''}; {beside}. {percent(mean.tie_share)} are ties."
        )
    return said


def _passed(judge: str, test: AlternativeTest, baseline: AlternativeTest, label: str) -> str:
    """Say the published verdict; that a constant judge passes as well stands in the same sentence."""
    wins = sum(one.win for one in test.humans)
    score = f"{wins} of {len(test.humans)} people at epsilon {number(test.epsilon)}, winning rate {number(test.winning_rate)}, advantage {number(test.advantage)}"
    theirs = f"winning rate {number(baseline.winning_rate)}, advantage {number(baseline.advantage)}"
    if test.passed and baseline.passed:
        return (
            f"{quoted(judge)} passes the alternative annotator test ({score}), but so does a judge that always answers {quoted(label)} ({theirs}): on "
            "these data the test cannot tell."
        )
    if test.passed:
        return f"{quoted(judge)} passes the alternative annotator test ({score}); a judge that always answers {quoted(label)} does not ({theirs})."
    also = "does" if baseline.passed else "does not either"
    return (
        f"{quoted(judge)} does not pass the alternative annotator test ({score}), which does not show that it is worse; a judge that always answers "
        f"{quoted(label)} {also} ({theirs})."
    )


def _clustered(test: AlternativeTest, baseline: AlternativeTest, label: str, unit: str) -> str:
    wins = sum(bool(one.win_cluster) for one in test.humans)
    also = f", but so does always {quoted(label)}" if test.verdict and baseline.verdict else ""
    passes = "passes" if test.verdict else "does not pass"
    return f"Items of one {escaped(unit)} are not independent: with errors that allow for that it is {wins} of {len(test.humans)}, and it {passes}{also}."


def errors(one: JudgeVerdict) -> str:
    """Say how often a judge is right, beside the constant judge, and on which label it errs most."""
    found = one.errors
    if found is None:
        return "No item has a reference label and one of the judge."
    what = "the majority of the people" if found.reference == "majority" else "the known labels"
    right = found.accuracy
    said = f"Against {what} {quoted(one.judge)} is right on {percent(right.value)} of {counted(found.n_items, 'item')} ({percent_interval(right.low, right.high)})"
    label = one.constant.label
    idle = one.constant.accuracy
    if found.reference != "majority":
        idle = next((some.n_reference / found.n_items for some in found.by_label if some.label == label), math.nan)
    if not math.isnan(idle):
        said += f"; always {quoted(label)} is right on {percent(idle)}"
    known = [label for label in found.by_label if label.recall.n]
    worst = min(known, key=lambda label: label.recall.value, default=None)
    if worst is not None and worst.recall.value < 1.0:
        said += f". It misses {quoted(worst.label)} most: it finds {percent(worst.recall.value)} of {counted(worst.recall.n, 'such item')}"
    return f"{said}."


def leanings(one: JudgeVerdict, found: Leaning | None, use: JudgeSeverity | None, sure: float) -> list[str]:
    """Say which labels a judge gives more or less often than people, and how it uses a scale."""
    said = []
    if found is not None:
        clear = [lean for lean in found.by_label if lean.sure]
        if not clear:
            said.append(f"{quoted(one.judge)} gives no label clearly more or less often than people do.")
        for lean in clear[:3]:
            more = "more" if lean.difference > 0 else "less"
            said.append(
                f"{quoted(one.judge)} gives {quoted(lean.label)} {more} often than people: {percent(lean.judge)} against {percent(lean.humans)} (difference "
                f"{interval(lean.low, lean.high, digits=3)}, for all labels at once)."
            )
    if use is not None:
        high = "higher" if use.mean_difference > 0 else "lower"
        clear_ = "" if use.low > 0 or use.high < 0 else ", which may be chance"
        said.append(
            f"Its ratings are {number(abs(use.mean_difference))} {high} than people's on average ({level(sure)} interval of the difference "
            f"{interval(use.low, use.high, digits=3)}{clear_}) and spread {number(use.scale)} times as far; Lin's concordance is {number(use.concordance, 3)} "
            f"(correlation {number(use.pearson, 3)} times bias correction {number(use.accuracy, 3)})."
        )
    return said


def favoured(found: Favour, judge: str, sure: float) -> str:
    """Say whether a judge favours a seat, length, or itself."""
    if math.isnan(found.difference):
        return f"No item of judge and people says {_WHAT[found.what]}."
    clear = "a leaning" if found.low > 0 or found.high < 0 else "no clear leaning"
    return (
        f"{quoted(judge)} chooses {_WHAT[found.what]} on {percent(found.judge)} of {counted(found.n_items, 'item')}, people on {percent(found.humans)}: "
        f"{number(found.difference, 3, signed=True)} ({level(sure)} interval {interval(found.low, found.high, digits=3)}), {clear}."
    )


def seats(found: SeatSwap, judge: str) -> str:
    """Say what swapping the seats does."""
    return (
        f"With the seats swapped, {quoted(judge)} stays with the same object in {percent(found.consistency)} of {counted(found.n, 'pair')}; the first seat wins "
        f"twice in {found.first_twice}, the second in {found.second_twice} ({probability(found.p)})."
    )


def rate(found: SuccessRate, judge: str) -> list[str]:
    """Say which rate people would have found."""
    chosen, scored = found.chosen, found.positive is None
    what = "a mean rating of" if scored else f"{quoted(found.positive)} on"
    shown = number if scored else percent
    if chosen.reason:
        return [f"The rate that people would have found cannot be told from the judge: {chosen.reason}", *found.notes]
    ends = (
        interval(chosen.low, chosen.high) if scored else percent_interval(max(0.0, chosen.low), min(1.0, chosen.high))
    )
    names = {
        "ppi": "prediction-powered",
        "ppi++": "PPI++",
        "lee": "Rogan and Gladen, interval of Lee et al.",
        "either": "Rogan and Gladen, with an interval that holds the prediction-powered one as well",
    }
    said = (
        f"On the {counted(found.n_unlabelled, 'item')} that only {quoted(judge)} looked at, people would have found {what} {shown(chosen.value)} "
        f"({level(found.level)} interval {ends}; {names[chosen.method]}, from {counted(found.n_labelled, 'labelled item')}); the judge itself says "
        f"{shown(found.judge_rate)}."
    )
    return [said, *found.notes]


def soft(found: SoftLabels, judge: str) -> str:
    """Say how far a judge is from the people's distribution, and what a second panel would reach."""
    said = (
        f"{judge[:1].upper()}{judge[1:]} are {number(found.squared_unbiased, 3)} ({interval(found.low, found.high, digits=3)}) from the label shares of all people "
        f"(squared distance, freed of how many were asked); one more person is {number(found.squared_person, 3)} from them, a second panel of as many people "
        f"{number(found.squared_panel, 3)}."
    )
    if not math.isnan(found.half_panel):
        said += f" In Manhattan distance they are {number(found.half_judge)} from half of the people, where the other half is {number(found.half_panel)}."
    return said


def repeats(one: JudgeVerdict) -> list[str]:
    """Say how far a judge repeats itself, and what that leaves of agreement with people."""
    if one.repeats is None:
        return []
    rate, said = one.repeats.flip_rate, []
    if rate.value == 0:
        said.append(
            f"No verdict of {quoted(one.judge)} changed from run to run ({counted(rate.n_items, 'item')}): were the answers cached?"
        )
    else:
        sure = (
            ""
            if rate.interval is None
            else f" ({level(rate.interval.level)} interval {percent_interval(rate.interval.low, rate.interval.high)})"
        )
        three = next((some for some in one.repeats.majority if some.n_runs == 3), None)
        more = (
            "" if three is None else f"; a majority of three runs would change on {percent(three.change)} of the items"
        )
        said.append(f"{percent(rate.value)} of the verdicts of {quoted(one.judge)} change on a second run{sure}{more}.")
    if one.ceiling is not None and not math.isnan(one.ceiling.ceiling.value):
        top = one.ceiling
        beyond = ": more than it by sampling error" if top.corrected.value > 1 else ""
        said.append(
            f"With so much noise on both sides the kappa of one run with one person cannot exceed {number(top.ceiling.value)}; it is {number(top.kappa.value)}, "
            f"{percent(top.corrected.value)} of that{beyond}."
        )
    return said


def _clearly(beaten: Sequence[str], others: int) -> str:
    """Say whether the best judge is clearly the best."""
    if not beaten:
        return "but not clearly closer than any other judge"
    if len(beaten) == others:
        return "clearly closer than every other judge"
    return f"clearly closer than {named(beaten)}, not than the others"


def jury(found: JudgeComparison, made: Jury) -> list[str]:
    """Say which judge is closest to the people, and what the judges together are worth."""
    best, *others = made.judges
    if math.isnan(best.kappa):
        return [
            f"{counted(made.n_items, 'item')} {'has' if made.n_items == 1 else 'have'} labels of all judges: too few to say which is closest to the people."
        ]
    clear = {(one.first, one.second) for one in made.pairs if one.p_holm < 1.0 - found.options["level"]}
    beaten = [one.judge for one in others if (best.judge, one.judge) in clear or (one.judge, best.judge) in clear]
    said = [
        f"On the {counted(made.n_items, 'item')} that all judges labelled, {quoted(best.judge)} is closest to the people (kappa {number(best.kappa, 3)}), "
        f"{_clearly(beaten, len(others))} (Holm's correction)."
    ]
    if not math.isnan(made.effective):
        said.append(
            f"Their errors correlate by {number(made.error_correlation)} on average: a jury of these {len(made.judges)} is worth "
            f"{number(made.effective, 1)} judges with independent errors."
        )
    return said
