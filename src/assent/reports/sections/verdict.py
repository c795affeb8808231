"""The verdict: the number to quote, what it means for this kind of task, what pulls it down, and what to do next."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from assent.analyses.annotators.flag_reasons import KINDS
from assent.analyses.interpretation import against_target, usual_scale
from assent.analyses.thresholds import BENCHMARKS, ROUNDING, TASK_TARGETS, Benchmark, Target
from assent.measures.results import plain
from assent.reports.context import Measured, ReportContext
from assent.text import counted, number, percent, shown
from assent.text import interval as interval_text
from assent.text import named as listed
from assent.text import value as value_text

__all__ = ["verdict_section"]

STATUS = {"clears": "above", "falls short": "below", "undecided": "unclear", "undefined": "undefined"}
#: Fewer items than this are worth a word in the verdict.
FEW_ITEMS = 30
#: Annotators who stand out that are named.
MOST_NAMED = 3


def verdict_section(
    ground: ReportContext,
    advice: Sequence[Mapping[str, Any]],
    plan: Mapping[str, Any] | None,
    groups: Mapping[str, Any] | None,
    annotators: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """Return the verdict in a sentence and in numbers."""
    quoted, target = ground.quoted, ground.settings.target
    agreement, interval = quoted.agreement, quoted.interval
    benchmark = BENCHMARKS[_scale(agreement.measure)]
    known = not math.isnan(agreement.value)
    status = None
    if target is not None or not known:
        goal = target or Target(value=0.0)
        status = STATUS[against_target(agreement.value, *_ends(quoted), goal).outcome]
    causes = _causes(ground, advice, groups, [] if annotators is None else annotators["rows"])
    return {
        "sentence": " ".join([_head(quoted, benchmark, status, target), *([_because(causes)] if causes else [])]),
        "causes": causes,
        "measure": agreement.measure,
        "title": agreement.title,
        "value": plain(agreement.value),
        "low": plain(interval.low),
        "high": plain(interval.high),
        "level": interval.level,
        "method": interval.method,
        "word": benchmark.word(agreement.value) if known else None,
        "scale": benchmark.source,
        "status": status,
        "task": None if target is None else target.name,
        "target": None if target is None else target.value,
        "targets": [{"task": name, "value": one.value, "examples": one.examples} for name, one in TASK_TARGETS.items()],
        "bands": _bands(benchmark),
        "next": _next(_standing(quoted, target), advice, plan),
    }


def _scale(measure: str) -> str:
    """Return the scale of words: Cicchetti's for an ICC; Landis and Koch's, which reads as plain English, for all others."""
    usual = usual_scale(measure)
    return usual if usual == "cicchetti" else "landis-koch"


def _bands(benchmark: Benchmark) -> list[dict[str, Any]]:
    levels = benchmark.levels
    return [
        {
            "word": one.word,
            "low": -1.0 if math.isinf(one.low) else one.low,
            "high": levels[i + 1].low if i + 1 < len(levels) else 1.0,
        }
        for i, one in enumerate(levels)
    ]


def _head(quoted: Measured, benchmark: Benchmark, status: str | None, target: Target | None) -> str:
    """Say the number, its interval, its word and how it stands to what the task asks for."""
    agreement, interval = quoted.agreement, quoted.interval
    value = agreement.value
    if math.isnan(value):
        why = next((note for note in agreement.notes if note.startswith("Undefined")), "")
        return f"There is no coefficient to quote: {agreement.title} is undefined. {why}".strip()
    low, high = _ends(quoted)
    sure = "no interval could be made"
    if not math.isnan(low):
        sure = f"{100 * interval.level:g} % interval {interval_text(low, high)}"
    only = f" on only {counted(agreement.items, 'item')}" if agreement.items < FEW_ITEMS else ""
    number = f"{agreement.title} is {value_text(value, low, high)}{only} ({sure})"
    return f"Agreement is {benchmark.word(value)}: {number}, {_against(low, high, status, target)}."


def _ends(quoted: Measured) -> tuple[float, float]:
    """Return the interval; one without any width, which a few items give by chance, says nothing."""
    low, high = quoted.interval.low, quoted.interval.high
    return (low, high) if high - low > ROUNDING else (math.nan, math.nan)


def _against(low: float, high: float, status: str | None, target: Target | None) -> str:
    """Say how an interval stands to the target, or to all of them if no task was named."""
    if target is not None:
        asks = "you ask for" if target.name is None else f"{a_task(target.name)} asks for"
        way = {"above": "above the", "below": "below the"}.get(status or "", "which may or may not reach the")
        return f"{way} {target.value:.2f} that {asks}"
    ranked = sorted(TASK_TARGETS.values(), key=lambda one: -one.value)
    reached = [one for one in ranked if not math.isnan(low) and low >= one.value]
    if not reached:
        least = ranked[-1]
        if high < least.value:
            return f"too little even for {a_task(least.name)} ({least.value:.2f})"
        return f"not surely enough even for {a_task(least.name)} ({least.value:.2f})"
    if reached[0] is ranked[0]:
        return f"enough even for {a_task(ranked[0].name)} ({ranked[0].value:.2f})"
    best, beyond = reached[0], ranked[ranked.index(reached[0]) - 1]
    sure = "not" if high < beyond.value else "not surely"
    return f"enough for {a_task(best.name)} ({best.value:.2f}), {sure} for {a_task(beyond.name, 'one')} ({beyond.value:.2f})"


def _causes(
    ground: ReportContext,
    advice: Sequence[Mapping[str, Any]],
    groups: Mapping[str, Any] | None,
    rows: Sequence[Mapping[str, Any]],
) -> list[str]:
    """Say in a clause each what pulls the number down: labels, annotators, groups of items."""
    made = []
    outliers = any(one["key"] == "annotator" for one in advice)
    # Who stands out comes first, since the others are judged without them.
    for one in sorted(advice, key=lambda one: one["key"] != "annotator"):
        evidence = one["evidence"]
        # On a scale it is neighbours that are mixed up, which costs little.
        if one["key"] == "guideline" and ground.settings.scale in (None, "nominal"):
            # The advice on labels leaves out annotators who stand out.
            whose = "the disagreement of the others" if outliers else "all disagreement"
            made.append(f"{listed(evidence['labels'])} are mixed up ({percent(evidence['share'])} of {whose})")
        elif one["key"] == "annotator":
            made.append(_who(evidence["annotators"], evidence["kinds"], rows))
        elif one["key"] == "training" and evidence.get("groups"):
            made.append(f"{len(evidence['groups'])} groups of annotators read the guideline differently")
        elif one["key"] == "training" and evidence.get("annotators") and "share_of_annotations" in evidence:
            made.append(f"{listed(evidence['annotators'])} lean towards some labels")
        elif one["key"] == "training" and "first_share" in evidence:
            made.append(_unequal_sets(evidence))
    return made + _weak_groups(groups)


def _who(names: Sequence[str], kinds: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> str:
    """Say who stands out, and how if it is one."""
    if len(names) > 1:
        return f"{listed(names, MOST_NAMED)} {_plural(KINDS[kinds[0]]) if len(set(kinds)) == 1 else 'stand out'}"
    shift = next((row["shift"] for row in rows if row["annotator"] == names[0]), None)
    if shift is not None and shift["clear"] and kinds[0] in ("swapped-labels", "low-agreement"):
        way = "higher" if shift["value"] > 0 else "lower"
        return f"{shown(names[0])} rates {abs(shift['value']):.1f} {shift['unit']} {way} than the others do"
    return f"{shown(names[0])} {KINDS.get(kinds[0], 'stands out')}"


def _plural(said: str) -> str:
    """Say of several what is said of one: agrees, agree."""
    verb, _, rest = said.partition(" ")
    return f"{verb.removesuffix('s')} {rest}"


def _unequal_sets(evidence: Mapping[str, Any]) -> str:
    """Say who gives several labels more often than whom."""
    first, second = ((evidence[name], evidence[f"{name}_share"]) for name in ("first", "second"))
    more, less = (first, second) if first[1] > second[1] else (second, first)
    return f"{shown(more[0])} gives several labels to {percent(more[1])} of the items, {shown(less[0])} to {percent(less[1])}"


def _weak_groups(groups: Mapping[str, Any] | None) -> list[str]:
    """Say which groups of items have clearly less agreement than the rest."""
    if groups is None:
        return []
    weak = [row for row in groups["rows"] if row["rest"] and row["rest"]["clear"] and row["rest"]["difference"] < 0]
    if not weak:
        return []
    if len(weak) == 1:
        row = weak[0]
        value, rest = number(row["value"]), number(row["rest"]["value"])
        return [
            f"agreement is low where {shown(groups['column'])} is {shown(row['group'])} ({value}, elsewhere {rest})"
        ]
    names = listed([row["group"] for row in weak], MOST_NAMED)
    return [f"agreement is low where {shown(groups['column'])} is one of {names}"]


def _because(causes: Sequence[str]) -> str:
    said = causes[0] if len(causes) == 1 else f"{'; '.join(causes[:-1])}; and {causes[-1]}"
    return f"What pulls it down: {said}."


def _standing(quoted: Measured, target: Target | None) -> str:
    """Return how the value stands to the target, or to that of a standard task if none was named."""
    goal = target or TASK_TARGETS["standard"]
    return STATUS[against_target(quoted.agreement.value, *_ends(quoted), goal).outcome]


def _next(status: str, advice: Sequence[Mapping[str, Any]], plan: Mapping[str, Any] | None) -> str:
    """Say the one thing to do next."""
    if status == "undefined":
        return "Check that the right column was read: with a single label there is nothing to tell apart."
    first = advice[0] if advice else None
    if first is not None and first["key"] not in ("none", "few-items"):
        if "first_share" in first["evidence"]:
            return "Settle with the annotators when a second label may be given; boot-precision and boot-recall show who gives too many."
        return str(first["first_step"])
    if status == "unclear" or (first is not None and first["key"] == "few-items"):
        if plan is not None and plan["power"] is not None and plan["power"]["needed"] is not None and plan["now"]:
            more = plan["power"]["needed"]["units"] - plan["now"]["units"]
            if more > 0:
                unit = "items" if plan["unit"] == "items" else "clusters"
                return f"Collect about {more:,} more {unit}, annotated as these are, to know whether the target is reached."
        if plan is not None and plan["more"]:
            unit = "items" if plan["unit"] == "items" else "clusters"
            return (
                f"Collect about {plan['more']:,} more {unit}, annotated as these are, to know the value within "
                f"±{plan['half_width']:g}."
            )
        return "Collect more items, annotated as these are: so few do not tell."
    if status == "below":
        return (
            "No single cause stands out: read the most disputed items with the annotators; if people can rightly differ on them, use "
            "fewer labels or ask for less."
        )
    return "No problem found: go on as you do, and measure again when the guideline, the team or the data change."


def a_task(name: str | None, noun: str = "task") -> str:
    """Name a kind of task in a sentence."""
    kind = (name or "").replace("-", " ")
    return f"{'an' if kind[:1] in 'aeiou' else 'a'} {kind} {noun}"
