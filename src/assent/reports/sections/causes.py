"""The verdict on annotations with labels: what pulls agreement down, and what to do next."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from assent.analyses.advice import Cause
from assent.analyses.annotators.flag_reasons import KINDS, OF_SEVERAL
from assent.analyses.findings.finding import Finding
from assent.analyses.plan import Plan
from assent.analyses.plan.wording import noun
from assent.analyses.thresholds import BENCHMARKS, TASK_TARGETS
from assent.reports.context import Measured, ReportContext
from assent.reports.sections.advice import AdviceSection, PlanSection
from assent.reports.sections.coefficients import CoefficientsSection
from assent.reports.sections.groups import GroupsSection
from assent.reports.sections.verdict import VerdictSection, standing
from assent.text import named, number, percent, shown

__all__ = ["label_verdict_section"]

#: Ratings that were compared as names lose so much by it that what is said of names may be a matter of a step.
MATTERS = 0.1


def label_verdict_section(context: ReportContext) -> VerdictSection:
    """Return the verdict, with the causes that other sections found."""
    target = context.settings.target
    advised, planned = context.sections.get("advice"), context.sections.get("plan")
    advice = advised.advice.causes if isinstance(advised, AdviceSection) else ()
    plan = planned.plan if isinstance(planned, PlanSection) else None
    status = standing(context.quoted, target or TASK_TARGETS["standard"])
    misleads, first = _misleads(context, few=any(one.key == "few-items" for one in advice))
    if context.models is not None:
        misleads = " ".join(filter(None, [context.models.sentence, misleads]))
        first = f"Name {'it' if len(context.models.models) == 1 else 'them'} with `judge`: the report is then on the people, with the models beside them."
    steps = context.as_steps
    return VerdictSection(
        quoted=context.quoted,
        target=target,
        # Of ratings that were compared as names, who is apart and what is mixed up may be a matter of a step.
        causes=[] if steps is not None and steps.raises >= MATTERS else _causes(context, advice),
        next=first or _next(status, advice, plan, _found(context)),
        misleads=misleads,
        beside=_beside(context),
        also=None if context.settings.words is None else BENCHMARKS[context.settings.words],
    )


def _beside(context: ReportContext) -> Measured | None:
    """Return alpha with MASI beside a measure of label sets that few readers know; None if it is the one to quote."""
    if context.data.kind != "label-sets" or context.quoted.agreement.measure == "krippendorff-alpha":
        return None
    return next((one for one in context.measured if one.agreement.measure == "krippendorff-alpha"), None)


def _found(context: ReportContext) -> Sequence[Finding]:
    """Return what was found that makes the coefficients mislead."""
    section = context.sections.get("coefficients")
    return section.findings if isinstance(section, CoefficientsSection) else ()


def _misleads(context: ReportContext, *, few: bool) -> tuple[str, str]:
    """Say what would mislead whoever reads the number alone, and what to do about it, which too few items do not say: a sentence each, or nothing."""
    found, agreement = _found(context), context.quoted.agreement
    dominant = next((one for one in found if one.key == "prevalence"), None)
    if dominant is not None and not math.isnan(agreement.value):
        known = dominant.evidence["coefficients"]
        title, value = agreement.title, number(agreement.value)
        return (
            f"One label dominates, {shown(dominant.evidence['label'])} with {percent(dominant.evidence['share'])}: {title} of {value} with "
            f"{percent(dominant.evidence['observed'])} agreement does not mean what it seems to; Gwet's AC1 is {number(known['gwet-ac'])}.",
            "" if few else dominant.first_step,
        )
    steps = context.as_steps
    if steps is not None:
        title, value = agreement.title, number(agreement.value)
        return (
            f"{steps.sentence}, {title} would be {number(steps.value)}, not {value}.",
            f"If their order means something, set {steps.say}: near labels then agree in part.",
        )
    return "", ""


def _causes(context: ReportContext, advice: Sequence[Cause]) -> list[str]:
    """Say in a clause each what pulls the number down: labels, annotators, groups of items."""
    made = []
    outliers = any(one.key == "annotator" for one in advice)
    # Who stands out comes first, since the others are judged without them.
    for one in sorted(advice, key=lambda one: one.key != "annotator"):
        evidence = one.evidence
        # On a scale it is neighbours that are mixed up, which costs little.
        if one.key == "guideline" and context.settings.scale in (None, "nominal"):
            # The advice on labels leaves out annotators who stand out.
            whose = "the disagreement of the others" if outliers else "all disagreement"
            made.append(
                f"{named(evidence['labels'])} are taken for each other ({percent(evidence['share'])} of {whose})"
            )
        elif one.key == "annotator":
            made.append(_who(context, evidence["annotators"], evidence["kinds"]))
        elif one.key == "training" and evidence.get("groups"):
            made.append(f"{len(evidence['groups'])} groups of annotators read the guideline differently")
        elif one.key == "training" and evidence.get("annotators") and "share_of_annotations" in evidence:
            made.append(f"{named(evidence['annotators'])} lean towards some labels")
        elif one.key == "severity":
            way = "higher" if evidence["shifts"][0] > 0 else "lower"
            made.append(
                f"{shown(evidence['annotators'][0])} rates {number(abs(evidence['shifts'][0]), 1)} {evidence['unit']} {way} than the others do"
            )
        elif one.key == "training" and "first_share" in evidence:
            made.append(_unequal_sets(evidence))
    groups = context.sections.get("groups")
    return made + (_weak_groups(groups) if isinstance(groups, GroupsSection) else [])


def _who(context: ReportContext, names: Sequence[str], kinds: Sequence[str]) -> str:
    """Say who stands out, and how if it is one."""
    if len(names) > 1:
        return f"{named(names)} {OF_SEVERAL[kinds[0]] if len(set(kinds)) == 1 else 'stand out'}"
    team = context.team
    if team is not None and team.severity is not None and kinds[0] in ("swapped-labels", "low-agreement", "chance"):
        one = team.annotators.index(names[0])
        if team.severity.known(one) and team.severity.clear(one):
            return f"{shown(names[0])} {team.severity.said(one)} than the others do"
    return f"{shown(names[0])} {KINDS.get(kinds[0], 'stands out')}"


def _unequal_sets(evidence: Mapping[str, Any]) -> str:
    """Say who gives several labels more often than whom."""
    first, second = ((evidence[name], evidence[f"{name}_share"]) for name in ("first", "second"))
    more, less = (first, second) if first[1] > second[1] else (second, first)
    return f"{shown(more[0])} gives several labels to {percent(more[1])} of the items, {shown(less[0])} to {percent(less[1])}"


def _weak_groups(groups: GroupsSection) -> list[str]:
    """Say which groups of items have clearly less agreement than the rest."""
    weak, column = groups.weak, shown(groups.column)
    if not weak:
        return []
    if len(weak) == 1 and weak[0].rest is not None:
        value, rest = number(weak[0].value), number(weak[0].rest.agreement.value)
        return [f"agreement is low where {column} is {shown(weak[0].group)} ({value}, elsewhere {rest})"]
    return [f"agreement is low where {column} is one of {named([one.group for one in weak])}"]


def _next(status: str, advice: Sequence[Cause], plan: Plan | None, found: Sequence[Finding]) -> str:
    """Say the one thing to do next."""
    if status == "undefined":
        return "Check that the right column was read: the labels that can be compared are all the same."
    first = advice[0] if advice else None
    if first is not None and first.key not in ("none", "few-items"):
        if "first_share" in first.evidence:
            return "Settle with the annotators when a second label may be given; boot-precision and boot-recall show who gives too many."
        return first.first_step
    if status == "unclear" or (first is not None and first.key == "few-items"):
        return _more_items(plan)
    if status == "below":
        return (
            "No single cause stands out: read the most disputed items with the annotators; if people can rightly differ on them, use "
            "fewer labels or ask for less."
        )
    warned = next((one for one in found if one.severity == "warning" and one.first_step), None)
    if warned is not None:
        return f"Agreement is enough, but {warned.title[:1].lower()}{warned.title[1:]}. {warned.first_step}"
    return "No problem found: go on as you do, and measure again when the guideline, the team or the data change."


def _more_items(plan: Plan | None) -> str:
    """Say how many more items it takes, if that can be planned."""
    if plan is not None:
        unit = f"{noun(plan)}s"
        if plan.power is not None and plan.power.needed is not None and plan.now is not None:
            more = plan.power.needed.n_units - plan.now.n_units
            if more > 0:
                return f"Collect about {more:,} more {unit}, annotated as these are, to know whether the target is reached."
        if plan.half_width is not None and plan.half_width.more:
            return (
                f"Collect about {plan.half_width.more:,} more {unit}, annotated as these are, to know the value within "
                f"±{plan.half_width.half_width:g}."
            )
    return "Collect more items, annotated as these are: so few do not tell."
