"""What to do next: the cause of disagreement that the evidence points to, and what settling it could win.

Disagreement has four usual causes: the guideline is unclear about a label, annotators were trained to read it differently, the task is
subjective, or an annotator does not do the work. Each leaves a trace of its own. An annotator who does not do the work agrees less
with everybody on the same items. Two readings show as groups who agree among themselves, or as annotators who use labels
in other shares than the others do on the same items. An unclear label shows as two labels that are mixed up more often than
their frequency explains, by everybody. What is left when none of these is there, and agreement is still low, is the
task itself. Annotators are looked at first, and those who do not do the work are left out before the others are judged:
one of them makes labels look unclear that are not.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from assent.analyses.advice import CAUSES, COMPATIBLE, Advice, Cause
from assent.analyses.annotators import AnnotatorReport, diagnosis
from assent.analyses.findings.finding import Finding, plain
from assent.analyses.findings.label_sets import set_findings
from assent.analyses.findings.search import findings
from assent.analyses.interpretation import target as target_of
from assent.analyses.labels.confusions import DisputedPair, disputed_pairs
from assent.data import Annotations, as_annotations
from assent.errors import NothingToCompare, OptionError, UnsuitableData
from assent.measures import krippendorff_alpha
from assent.scales import Identity
from assent.text import counted, named, number, percent, shown

__all__ = ["CAUSES", "Advice", "Cause", "advise"]

#: Two labels must make this share of the disagreement ...
SHARE = 0.15
#: ... and this many times what their frequency explains.
BEYOND = 1.25
#: So many standard errors beyond what a hard label explains: 3 % of teams with one hard label are said to mix up a pair.
SURELY = 2.0
#: What could be won must be this much, in units of the coefficient.
WORTH = 0.02
#: A task of the usual kind should reach this.
TARGET = 0.7
#: So many annotators must lean for it to be a matter of training.
LEANING = 0.25


def advise(
    data: Any,
    *,
    target: float | str = TARGET,
    annotators: AnnotatorReport | None = None,
    level: float = 0.05,
    seed: int = 0,
) -> Advice:
    """Say why annotators disagree and what to do first, what could win most coming first.

    Parameters
    ----------
    data : Annotations, or whatever they can be made from
    target : float or str
        The coefficient that this kind of task should reach: a number, or a kind of task such as ``"subjective"``.
    annotators : AnnotatorReport, optional
        What is known of the annotators, if it was worked out before.
    level : float
        How often data without any trouble may be said to have some.
    seed : int

    Returns
    -------
    Advice
        A sequence of causes, each with evidence and a first step; print it to read it.

    Examples
    --------
    Everybody mixes up b and c:

    >>> import assent
    >>> either = [["b", "b", "c"], ["b", "c", "b"], ["c", "b", "b"], ["c", "c", "b"], ["c", "b", "c"], ["b", "c", "c"]]
    >>> table = [["a", "a", "a"], ["d", "d", "d"], *either] * 20
    >>> [(one.key, one.evidence["labels"]) for one in assent.advise(table)]
    [('guideline', ['b', 'c'])]
    """
    data = as_annotations(data)
    aim = target_of(target).value
    if not aim:
        raise OptionError("The target is 0; it must lie above, as 0.7 does.")
    if data._counts.pairable_items == 0:
        raise NothingToCompare(data._nothing_to_compare())
    return Advice(causes=_CAUSES[data.kind](data, aim, annotators, level, seed), data=data)


def _about_labels(
    data: Annotations, aim: float, known: AnnotatorReport | None, level: float, seed: int
) -> tuple[Cause, ...]:
    """Look for the cause among annotators first, then among labels."""
    known = known if known is not None else _team(data, level, seed)
    made: list[Cause] = []
    left = data
    if known is not None:
        outliers, left = _outliers(data, known)
        made += outliers
    alpha = krippendorff_alpha(left).value
    if not math.isnan(alpha):
        training = _training(left, alpha, known, level, seed)
        made += training
        # Labels that each of two groups keeps apart in its own way are not unclear: the groups read them differently.
        explained = {label for one in training for label in one.evidence["labels"]}
        made += [one for one in _guideline(left, alpha) if not set(one.evidence["labels"]) <= explained]
    if not made:
        made += _the_rest(left, aim)
    made.sort(key=lambda one: -math.inf if one.gain is None else one.gain, reverse=True)
    return tuple(made)


def _made(key: str, sentence: str, first_step: str, gain: float | None, evidence: Mapping[str, Any]) -> Cause:
    worth = None if gain is None or math.isnan(gain) else float(gain)
    compatible, decides = COMPATIBLE.get(key, ((), ""))
    return Cause(
        key=key,
        title=CAUSES[key],
        sentence=sentence,
        first_step=first_step,
        gain=worth,
        evidence=plain(evidence),
        compatible=compatible,
        decides=decides,
    )


def _team(data: Annotations, level: float, seed: int) -> AnnotatorReport | None:
    try:
        return diagnosis.annotators(data, fdr=level, seed=seed)
    except (UnsuitableData, NothingToCompare):
        return None


def _outliers(data: Annotations, known: AnnotatorReport) -> tuple[list[Cause], Annotations]:
    """Report annotators who differ and pull the value down, and return the annotations without them."""
    # A group that reads differently is a pattern of its own.
    flagged = [one for one in known.order.tolist() if known.flagged[one] and known.kinds[one] != "other-school"]
    if not flagged or len(flagged) > len(known) - 2:
        return [], data
    names = [known.annotators[one] for one in flagged]
    try:
        left = data.without_annotators(names)
        before, after = krippendorff_alpha(data).value, krippendorff_alpha(left).value
    except (UnsuitableData, NothingToCompare):
        return [], data
    gain = after - before
    # Who differs without pulling the value down explains nothing.
    if not gain >= WORTH:
        return [], data
    worst = flagged[0]
    more = "" if len(flagged) == 1 else f" {counted(len(flagged) - 1, 'other')} too: {named(names[1:])}."
    observation, _ = known.observation(worst) or ("", "")
    sentence = (
        f"{observation}{more} Without {'this annotator' if len(flagged) == 1 else 'them'} Krippendorff's alpha would be "
        f"{number(after)} in place of {number(before)}."
    )
    step = f"Go through some of {shown(names[0])}'s items with them before anything else: they may be right."
    evidence = {
        "annotators": names,
        "kinds": [known.kinds[one] for one in flagged],
        "value": before,
        "without": after,
    }
    return [_made("annotator", sentence, step, gain, evidence)], left


def _guideline(data: Annotations, alpha: float) -> list[Cause]:
    """Report the two labels that are taken for each other more than either is taken for the rest."""
    if len(data.labels) < 3:
        return []
    for pair in disputed_pairs(data, most=3):
        gain = pair.value * (1.0 - alpha)
        if pair.value >= SHARE and gain >= WORTH and _together(pair):
            return [_mixed_up(data, pair, alpha, gain)]
    return []


def _together(pair: DisputedPair) -> bool:
    """Tell whether two labels are surely mixed up, and not one of them hard; with too few labels, beyond their frequency."""
    if math.isnan(pair.score):
        return pair.confidence_interval().low > BEYOND * pair.expected
    return pair.score > SURELY and pair.value >= BEYOND * pair.independent


def _mixed_up(data: Annotations, pair: DisputedPair, alpha: float, gain: float) -> Cause:
    first, second = shown(pair.first), shown(pair.second)
    interval = pair.confidence_interval()
    merged = krippendorff_alpha(data.merged({pair.first: pair.second})).value
    explains = (
        f"their frequency explains {percent(pair.expected)} (with so few labels in dispute, it may be one of them that is hard)"
        if math.isnan(pair.score)
        else f"how hard either is explains {percent(pair.independent)}"
    )
    sentence = (
        f"{first} and {second} are taken for each other: they make {percent(pair.value)} of all disagreement (between {percent(interval.low)} and "
        f"{percent(interval.high)}), on {counted(pair.n_items, 'item')}, where {explains}. If they never "
        f"were, Krippendorff's alpha would be {number(alpha + gain)} in place of {number(alpha)}; taken as one label, "
        f"{number(merged)}."
    )
    step = (
        f"Read some of the {counted(pair.n_items, 'item')} that have both {first} and {second}, write down where the one ends and the other begins, "
        "with examples of both, and have these items annotated again."
    )
    evidence = {
        "labels": [pair.first, pair.second],
        "share": pair.value,
        "low": interval.low,
        "high": interval.high,
        "expected_share": pair.expected,
        "independent_share": pair.independent,
        "items": pair.n_items,
        "value": alpha,
        "resolved": alpha + gain,
        "merged": merged,
    }
    return _made("guideline", sentence, step, gain, evidence)


def _training(data: Annotations, alpha: float, known: AnnotatorReport | None, level: float, seed: int) -> list[Cause]:
    """Report annotators who read differently: groups, many who lean, or two of whom one leans."""
    if known is not None and known.clusters is not None:
        found = known.clusters
        whole = krippendorff_alpha(data)
        within = float(np.average(found.within, weights=[len(group) for group in found.groups]))
        gain = max(0.0, (within - whole.observed) / (1.0 - whole.expected))
        groups = [[known.annotators[i] for i in group] for group in found.groups]
        step = (
            f"Bring the groups together ({named(groups[0])} on one side, {named(groups[1])} on the other), let them decide some disputed items "
            "aloud, and put what they settle on into the guideline."
        )
        evidence = {
            "groups": groups,
            "within": list(found.within),
            "between": found.between,
            "p_value": found.p_value,
            "labels": [] if found.differ is None else [known.labels[i] for i in found.differ[:2]],
        }
        return [_made("training", known.clusters_sentence() or "", step, gain, evidence)]
    if known is not None and len(known) > 2:
        return _leaning(data, alpha, known)
    worst = next(
        (one for one in findings(data, level=level, seed=seed) if one.key in ("asymmetric-disagreement", "bias")), None
    )
    return [] if worst is None else [_two_who_lean(worst, alpha)]


def _leaning(data: Annotations, alpha: float, known: AnnotatorReport) -> list[Cause]:
    """Report that many annotators use labels in other shares than the others do on the same items."""
    kept = set(data.annotators or ())
    who = [int(one) for one in np.unique(known.label_bias.annotator[known.leans]) if known.annotators[int(one)] in kept]
    judged = sum(known.annotators[i] in kept for i in np.flatnonzero(known.judged))
    if not judged or len(who) < max(2, math.ceil(LEANING * judged)):
        return []
    distance, work = [], []
    for one in who:
        uses = known.label_bias.of(one)
        distance.append(float(np.abs(known.label_bias.share[uses] - known.label_bias.others[uses]).sum() / 2))
        work.append(float(known.given[one]))
    # To lean by a share d is to differ on that share of one's annotations at least.
    whole = krippendorff_alpha(data)
    share = float(np.dot(distance, work) / known.given.sum())
    gain = min(1.0 - alpha, share / (1.0 - whole.expected))
    if gain < WORTH:
        return []
    worst = who[int(np.argmax(distance))]
    names = [known.annotators[i] for i in sorted(who, key=lambda i: -distance[who.index(i)])]
    sentence = (
        f"{len(who)} of {judged} annotators use the labels in other shares than the others do on the same items: "
        f"{shown(known.annotators[worst])} leans most ({known.leaning(worst)})."
    )
    step = f"Have {named(names)} and the others label the same twenty items, compare, and settle what counts as each label before they go on."
    leans = known.leans & np.isin(known.label_bias.annotator, who)
    labels = [known.labels[int(i)] for i in np.unique(known.label_bias.label[leans])]
    evidence = {"annotators": names, "judged": judged, "share_of_annotations": share, "labels": labels}
    return [_made("training", sentence, step, gain, evidence)]


def _two_who_lean(worst: Finding, alpha: float) -> Cause:
    gain = min(1.0 - alpha, float(worst.evidence["bias_index"]))
    labels = [worst.evidence[name] for name in ("label", "first_label", "second_label") if name in worst.evidence]
    return _made("training", worst.observation, worst.first_step, gain, {**worst.evidence, "labels": labels})


def _the_rest(data: Annotations, target: float) -> list[Cause]:
    """Say that the task is subjective, that there are too few items, or that nothing is wrong."""
    agreement = krippendorff_alpha(data)
    interval = agreement.confidence_interval()
    evidence: dict[str, Any] = {
        "value": agreement.value,
        "low": interval.low,
        "high": interval.high,
        "target": target,
        "items": agreement.n_items,
    }
    if math.isnan(agreement.value):
        sentence = "All annotations carry one label, so there is no disagreement to explain."
        return [_made("none", sentence, "Check that the right column was read.", None, evidence)]
    said = f"Krippendorff's alpha is {number(agreement.value)} ({number(interval.low)} to {number(interval.high)})"
    if agreement.value >= target:
        sentence = f"{said}, and no annotator, no label and no group of annotators stands out."
        return [
            _made(
                "none",
                sentence,
                "Go on as you do; measure again when the guideline, the team or the data change.",
                None,
                evidence,
            )
        ]
    if math.isnan(interval.low) or interval.high >= target:
        sentence = f"{said}: it may well reach {target:g}, and {counted(agreement.n_items, 'item')} are too few to find a cause."
        return [
            _made(
                "few-items", sentence, "Have more items annotated twice; `assent plan` says how many.", None, evidence
            )
        ]
    items = data._comparable_counts
    pairs = np.asarray(Identity().pairs(items.counts) / items.pairs)
    disputed = float(items.multiplicities[pairs < 1].sum() / items.n_items)
    evidence["disputed_items"] = disputed
    two = " With two labels a subjective task cannot be told from an unclear guideline." if len(data.labels) < 3 else ""
    sentence = (
        f"{said}, below {target:g}, but no annotator stands out, no two labels are taken for each other more than either is hard, and nobody leans: "
        f"{percent(disputed)} of the items are disputed, evenly among all.{two}"
    )
    step = (
        "Read the most disputed items (`assent items`), and have some items labelled twice by the same people: if they agree with themselves and can rightly "
        "differ from each other, keep all labels of an item (soft labels) or set a lower target; collecting more of the same will not raise agreement."
    )
    return [_made("subjective", sentence, step, None, evidence)]


def _about_sets(
    data: Annotations, aim: float, known: AnnotatorReport | None, level: float, seed: int
) -> tuple[Cause, ...]:
    """Turn what misleads about sets of labels into advice."""
    made = [
        _made("training", one.observation, one.first_step, None, one.evidence)
        for one in set_findings(data, level=level)
        if one.key in ("many-labels", "uneven-sets")
    ]
    if not made:
        step = "Look at the disputed items (`assent items`) and at boot-precision and boot-recall of each pair of annotators."
        made.append(
            _made("none", "Annotators give several labels equally often, and nobody gives very many.", step, None, {})
        )
    return tuple(made)


#: How causes are looked for, by the kind of data.
_CAUSES = {"labels": _about_labels, "label-sets": _about_sets}
