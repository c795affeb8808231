"""What to do next: the cause of disagreement that the evidence points to, and what settling it could win.

Disagreement leaves patterns, and a pattern is compatible with more than one cause: agreement alone cannot tell care from clarity from
subjectivity. One annotator may agree less with everybody on the same items. Two readings show as groups who agree among themselves, or as
annotators who use labels in other shares than the others do on the same items. An unclear line shows as two labels that are mixed up, by
everybody, more often than either is hard. What is left when none of these is there, and agreement is still low, is disagreement that is spread
evenly. Annotators are looked at first, and those who differ are left out before labels are judged: one of them makes labels look
unclear that are not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace

from assent.analyses.advice import CAUSES, COMPATIBLE, Advice, Cause
from assent.analyses.annotators import AnnotatorReport, diagnosis
from assent.analyses.findings.finding import Finding
from assent.analyses.findings.label_sets import set_findings
from assent.analyses.findings.search import dominant_label, findings
from assent.analyses.interpretation import target as target_of
from assent.analyses.labels.confusions import DisputedPair, disputed_pairs
from assent.analyses.measure import Measured, compared_as_names
from assent.analyses.nearness import compared_as
from assent.analyses.recommend import recommend
from assent.data import Annotations, as_annotations
from assent.errors import NothingToCompare, OptionError, UnsuitableData, choose
from assent.measures import find
from assent.measures.results import Agreement
from assent.records import Struct, cached_property, plain
from assent.scales import SCALES, Identity
from assent.text import counted, named, number, percent, shown
from assent.text import interval as ends
from assent.text import value as shown_value

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
    scale: str | None = None,
    order: Sequence[str] | None = None,
    annotators: AnnotatorReport | None = None,
    quoted: Measured | None = None,
    level: float = 0.05,
    seed: int = 0,
) -> Advice:
    """Say why annotators disagree and what to do first, what could win most coming first.

    Parameters
    ----------
    data : Annotations, or whatever they can be made from
    target : float or str
        The coefficient that this kind of task should reach: a number, or a kind of task such as ``"subjective"``.
    scale : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement. On a scale everything is on the scale: neighbours are not said to be mixed up, and who is stricter is.
    order : sequence of str, optional
        The labels from lowest to highest.
    annotators : AnnotatorReport, optional
        What is known of the annotators, if it was worked out before.
    quoted : Measured, optional
        The coefficient to quote with its interval, if it was measured before; else the one that fits the data.
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
    if order is not None:
        data = data.ordered(order)
    aim = target_of(target).value
    if not aim:
        raise OptionError("The target is 0; it must lie above, as 0.7 does.")
    named_scale = scale is not None
    scale = choose("scale", scale or "nominal", SCALES)
    if data._counts.pairable_items == 0:
        raise NothingToCompare(data._nothing_to_compare())
    case = _Case(data, scale, aim, annotators, level, seed, quoted)
    causes = [replace(one, measure=case.quoted.agreement.title) for one in _CAUSES[data.kind](case)]
    return Advice(
        causes=tuple(causes), data=data, notes=() if named_scale else compared_as_names(data, case.quoted.agreement)
    )


class _Case(Struct, frozen=True, eq=False, dict=True):
    """The data, what is asked, and what is measured once: one coefficient for everything that is said."""

    data: Annotations
    scale: str
    aim: float
    annotators: AnnotatorReport | None
    level: float
    seed: int
    measured: Measured | None

    @cached_property
    def quoted(self) -> Measured:
        """The coefficient to quote, with its interval."""
        if self.measured is not None:
            return self.measured
        agreement = self.of(self.data)
        return Measured(agreement=agreement, interval=agreement.confidence_interval())

    @cached_property
    def _choice(self) -> tuple[str, Mapping[str, Any]]:
        if self.measured is not None:
            name = self.measured.agreement.measure
            return name, {"distance": "masi"} if name == "krippendorff-alpha" and self.data.kind == "label-sets" else {}
        choice = recommend(self.data, scale=self.scale)
        return choice.quote, choice.options.get(choice.quote, {})

    def of(self, data: Annotations) -> Agreement:
        """Measure some of the data as all are measured."""
        name, options = self._choice
        return find(name)(data, scale=None if self.scale == "nominal" else self.scale, **options)

    @cached_property
    def team(self) -> AnnotatorReport | None:
        """What is known of the annotators; None if nobody can be compared."""
        if self.annotators is not None:
            return self.annotators
        try:
            return diagnosis.annotators(self.data, scale=self.scale, fdr=self.level, seed=self.seed)
        except (UnsuitableData, NothingToCompare):
            return None


def _about_labels(case: _Case) -> Sequence[Cause]:
    """Look for the cause among annotators first, then among labels."""
    made, left = _outliers(case)
    value = case.of(left).value
    if not math.isnan(value):
        training = _severity(case, value) or _training(case, left, value)
        made += training
        # Labels that each of two groups keeps apart in its own way are not unclear: the groups read them differently.
        explained = {label for one in training for label in one.evidence["labels"]}
        made += [one for one in _guideline(case, left, value) if not set(one.evidence["labels"]) <= explained]
    if not made:
        made += _the_rest(case)
    made.sort(key=lambda one: -math.inf if one.gain is None else one.gain, reverse=True)
    return made


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


def _outliers(case: _Case) -> tuple[list[Cause], Annotations]:
    """Report annotators who differ and pull the value down, and return the annotations without them."""
    known, data = case.team, case.data
    if known is None:
        return [], data
    # A group that reads differently is a pattern of its own.
    flagged = [one for one in known.order.tolist() if known.flagged[one] and known.kinds[one] != "other-school"]
    if not flagged or len(flagged) > len(known) - 2:
        return [], data
    names = [known.annotators[one] for one in flagged]
    try:
        left = data.without_annotators(names)
        before, after = case.quoted.agreement.value, case.of(left).value
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
        f"{observation}{more} Without {'this annotator' if len(flagged) == 1 else 'them'} {case.quoted.agreement.title} would be "
        f"{number(after)} in place of {number(before)}."
    )
    step = f"Go through some of {shown(names[0])}'s items with them before anything else: they may be right."
    if known.kinds[worst] == "swapped-labels":
        step = f"Check with {shown(names[0])} the buttons or codes they used: if labels were exchanged, they can be put right."
    evidence = {
        "annotators": names,
        "kinds": [known.kinds[one] for one in flagged],
        "value": before,
        "without": after,
    }
    return [_made("annotator", sentence, step, gain, evidence)], left


def _severity(case: _Case, value: float) -> list[Cause]:
    """Report that annotators are stricter or more lenient than the others, on a scale."""
    found, known = (None, None) if case.team is None else (case.team.severity, case.team)
    if found is None or known is None:
        return []
    clear = found.foremost
    gain = (1.0 - value) * found.explains
    if not clear or gain < WORTH:
        return []
    said = [f"{shown(known.annotators[one])} {found.said(one)}" for one in clear[:2]]
    more = "" if len(clear) <= 2 else f" ({counted(len(clear) - 2, 'other')} less so)"
    sentence = (
        f"{' and '.join(said)} than the others on the same items{more}. That explains {percent(found.explains)} of the squared distances between annotators: were all as strict, "
        f"{case.quoted.agreement.title} would be about {number(value + gain)} in place of {number(value)}."
    )
    names = [known.annotators[one] for one in clear]
    step = f"Have {named(names[:3])} and the others rate the same twenty items aloud, and put an example of each step into the guideline."
    evidence = {
        "annotators": names,
        "shifts": [float(found.mean[one]) for one in clear],
        "unit": found.unit,
        "explains": found.explains,
        "labels": [],
    }
    return [_made("severity", sentence, step, gain, evidence)]


def _guideline(case: _Case, left: Annotations, value: float) -> list[Cause]:
    """Report the two labels that are taken for each other more than either is taken for the rest."""
    # On a scale neighbours agree in part, and what is left of disagreement is mostly theirs.
    if len(left.labels) < 3 or case.scale != "nominal":
        return []
    for pair in disputed_pairs(left, most=3):
        gain = pair.value * (1.0 - value)
        if pair.value >= SHARE and gain >= WORTH and _together(pair):
            return [_mixed_up(case, left, pair, value, gain)]
    return []


def _together(pair: DisputedPair) -> bool:
    """Tell whether two labels are surely mixed up, and not one of them hard; with too few labels, beyond their frequency."""
    if math.isnan(pair.score):
        return pair.confidence_interval().low > BEYOND * pair.expected
    return pair.score > SURELY and pair.value >= BEYOND * pair.independent


def _mixed_up(case: _Case, left: Annotations, pair: DisputedPair, value: float, gain: float) -> Cause:
    first, second = shown(pair.first), shown(pair.second)
    interval = pair.confidence_interval()
    merged = case.of(left.merged({pair.first: pair.second})).value
    title, whose, ends = (
        case.quoted.agreement.title,
        "all disagreement",
        f"{percent(interval.low)} to {percent(interval.high)}",
    )
    if left is not case.data:
        # Every number says whom it is about: the value in question is not the one that the report begins with.
        kept = set(left.annotators or ())
        without = f"without {named([one for one in case.data.annotators or () if one not in kept])}"
        title, whose = f"{title} {without}", f"the disagreement {without}"
        # One number for one thing: the share of all disagreement is said as in the table of labels.
        every = {(one.first, one.second): one.value for one in disputed_pairs(case.data, most=len(left.labels) ** 2)}
        share = every.get((pair.first, pair.second), math.nan)
        ends += "" if math.isnan(share) else f"; {percent(share)} of that of all"
    explains = (
        f"their frequency explains {percent(pair.expected)} (with so few labels in dispute, it may be one of them that is hard)"
        if math.isnan(pair.score)
        else f"how hard either is explains {percent(pair.independent)}"
    )
    sentence = (
        f"{first} and {second} are taken for each other: they make {percent(pair.value)} of {whose} ({ends}), "
        f"on {counted(pair.n_items, 'item')}, where {explains}. If they never "
        f"were, {title} would be {number(value + gain)} in place of {number(value)}; taken as one label, "
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
        "value": value,
        "resolved": value + gain,
        "merged": merged,
    }
    return _made("guideline", sentence, step, gain, evidence)


def _training(case: _Case, data: Annotations, value: float) -> list[Cause]:
    """Report annotators who read differently: groups, many who lean, or two of whom one leans."""
    known = case.team
    if known is not None and known.clusters is not None:
        found = known.clusters
        whole = case.of(data)
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
    if case.scale != "nominal":
        return []
    if known is not None and len(known) > 2:
        return _leaning(case, data, value, known)
    found_here = findings(data, level=case.level, seed=case.seed)
    worst = next((one for one in found_here if one.key in ("asymmetric-disagreement", "bias")), None)
    return [] if worst is None else [_two_who_lean(worst, value)]


def _leaning(case: _Case, data: Annotations, value: float, known: AnnotatorReport) -> list[Cause]:
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
    whole = case.of(data)
    share = float(np.dot(distance, work) / known.given.sum())
    gain = min(1.0 - value, share / (1.0 - whole.expected))
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


def _two_who_lean(worst: Finding, value: float) -> Cause:
    gain = min(1.0 - value, float(worst.evidence["bias_index"]))
    labels = [worst.evidence[name] for name in ("label", "first_label", "second_label") if name in worst.evidence]
    return _made("training", worst.observation, worst.first_step, gain, {**worst.evidence, "labels": labels})


def _the_rest(case: _Case) -> list[Cause]:
    """Say that a dominant label misleads, that disagreement is spread evenly, that there are too few items, or that nothing is wrong."""
    agreement, interval, data = case.quoted.agreement, case.quoted.interval, case.data
    assert interval is not None
    target = case.aim
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
    said = f"{agreement.title} is {shown_value(agreement.value, interval.low, interval.high)} ({ends(interval.low, interval.high)})"
    if agreement.value >= target:
        sure = interval.low >= target
        doubt = "" if sure else f", which may or may not be above {target:g}"
        sentence = f"{said}{doubt}, and no annotator, no label and no group of annotators pulls it down clearly."
        step = (
            "Go on as you do; measure again when the guideline, the team or the data change."
            if sure
            else f"Have more items annotated in the same way, to know whether {target:g} is reached; `assent plan` says how many."
        )
        return [_made("none", sentence, step, None, evidence)]
    dominant = dominant_label(data, agreement, interval) if data.kind == "labels" and case.scale == "nominal" else None
    few = math.isnan(interval.low) or interval.high >= target
    if dominant is not None and not few:
        return [_made("prevalence", dominant.observation, dominant.first_step, None, {**dominant.evidence, **evidence})]
    if few:
        sentence = f"{said}: it may well reach {target:g}, and {counted(agreement.n_items, 'item')} are too few to find a cause."
        if dominant is not None:
            sentence += (
                f" {shown(dominant.evidence['label'])} makes up {percent(dominant.evidence['share'])} of all labels."
            )
        step = "Have more items annotated twice; `assent plan` says how many."
        return [_made("few-items", sentence, step, None, evidence)]
    items = compared_as(data)._comparable_counts
    pairs = np.asarray(Identity().pairs(items.counts) / items.pairs)
    disputed = float(items.multiplicities[pairs < 1].sum() / items.n_items)
    evidence["disputed_items"] = disputed
    two = " With two labels a subjective task cannot be told from an unclear guideline." if len(data.labels) < 3 else ""
    nobody = "nobody rates clearly higher or lower than the others" if case.scale != "nominal" else _NOBODY[data.kind]
    if case.scale == "nominal" and data.kind == "labels":
        nobody += f", and {_who_leans(case.team)}"
    unsure = 0 if case.team is None else int(np.count_nonzero(case.team.unsure))
    surely = f"no annotator surely differs (of {unsure:,} it is not sure yet)" if unsure else "no annotator stands out"
    sentence = (
        f"{said}, below {target:g}, but {surely}, and {nobody}: {percent(disputed)} of the items are disputed.{two}"
    )
    step = (
        "Read the most disputed items (`assent items`), and have some items labelled twice by the same people: if they agree with themselves and can rightly "
        "differ from each other, keep all labels of an item (soft labels) or set a lower target; collecting more of the same will not raise agreement."
    )
    return [_made("subjective", sentence, step, None, evidence)]


def _who_leans(known: AnnotatorReport | None) -> str:
    """Say who uses labels in other shares than the others do: too few annotators, or too little, to be a cause."""
    who = [] if known is None else [int(one) for one in np.unique(known.label_bias.annotator[known.leans])]
    if known is None or not who:
        return "nobody leans"
    uses = [known.label_bias.of(one) for one in who]
    far = [np.abs(known.label_bias.share[one] - known.label_bias.others[one]).sum() for one in uses]
    worst = who[int(np.argmax(far))]
    where = f"({known.leaning(worst)})"
    if len(who) == 1:
        return f"only {shown(known.annotators[worst])} leans {where}"
    return f"the leanings of {counted(len(who), 'annotator')} do not explain it, of whom {shown(known.annotators[worst])} leans most {where}"


#: What was looked for and not found, by kind of data.
_NOBODY = {
    "labels": "no two labels are taken for each other more than either is hard",
    "label-sets": "nobody gives several labels much more often than the others",
}


def _about_sets(case: _Case) -> Sequence[Cause]:
    """Look among annotators first, then at who gives more labels than others."""
    made, _ = _outliers(case)
    made += [
        _made("training", one.observation, one.first_step, None, {**one.evidence, "labels": []})
        for one in set_findings(case.data, level=case.level)
        # Many labels of everybody are no disagreement.
        if one.key == "uneven-sets" or (one.key == "many-labels" and case.quoted.agreement.value < case.aim)
    ]
    return made or _the_rest(case)


#: How causes are looked for, by the kind of data.
_CAUSES: Mapping[str, Callable[[_Case], Sequence[Cause]]] = {"labels": _about_labels, "label-sets": _about_sets}
