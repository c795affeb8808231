"""Repeats as blocks of a document."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from assent.analyses.repeat.charts import flips_figure, stability_figure
from assent.documents.blocks import (
    Block,
    Cell,
    Column,
    Document,
    Heading,
    Prose,
    Table,
    between,
    coefficient,
    count,
    name,
    names,
    notes,
    share,
    table_of,
    words,
)
from assent.limits import FLIPS_SHOWN
from assent.text import DASH, counted, escaped, interval_method, level, percent, percent_interval, quoted, value

if TYPE_CHECKING:
    from assent.analyses.estimates import Quantity
    from assent.analyses.repeat.result import JudgeRepeats, Majority, NoiseCeiling, Repeatability

__all__ = ["document_of", "repeat_blocks", "takeaway"]

#: What the components are, in words.
_COMPONENTS = {
    "item": ("items", "How different items are, whoever labels them."),
    "judge": ("judges", "How differently judges use labels on the whole."),
    "item_judge": ("item x judge", "What a judge makes of an item time and again: more runs do not help."),
    "run": ("run", "What changes when a judge sees an item again: more runs average it out."),
}

_UNKNOWN = "These runs are too few to tell: majorities of three are compared where a judge has six runs of an item, or gives two labels."


def document_of(found: Repeatability) -> Document:
    """Return how often labels change, where, and what that leaves of agreement."""
    return Document(
        title="Repeats",
        summary=f"{counted(found.n_items, 'item')}, {counted(len(found.judges) + len(found.once), 'judge')}, "
        f"{counted(found.n_labels, 'label')} in all runs",
        blocks=[
            Prose([takeaway(found)], strong=True),
            *repeat_blocks(found),
            *notes(found.data._reading_notes(), _notes(found)),
        ],
    )


def takeaway(found: Repeatability) -> str:
    """Say how often a label changes, and how much of that comes from a few items."""
    rate = found.flip_rate
    whose = f" by {quoted(found.judges[0].judge)}" if len(found.judges) == 1 else " by the same judge"
    if not found.n_flips:
        return f"No label changed from run to run: {counted(rate.n_items, 'item')}, at least two runs each{whose}."
    told = f"{percent(rate.value)} of labels change on a second run of an item{whose}"
    if rate.interval is not None and not math.isnan(rate.interval.low):
        told += f" ({level(rate.interval.level)} interval {percent_interval(rate.interval.low, rate.interval.high)})"
    half = counted(found.half_of_flips, "item")
    return f"{told}; half of all changes come from {half} of {rate.n_items:,}."


def repeat_blocks(found: Repeatability) -> list[Block]:
    """Return the judges, the stability of majorities, the components, the ceilings and the items that changed."""
    heading = _heading(found)
    blocks: list[Block] = [
        _judges(found, heading),
        flips_figure(found),
        Heading("Is a majority of several runs stable?"),
    ]
    # A majority of one run is the label of that run, which the first table tells of.
    several = [_majority(one, heading, at) for at, one in enumerate(found.judges) if len(one.majority) > 1]
    blocks += [*several, stability_figure(found)] if several else [Prose([_UNKNOWN])]
    blocks.append(_components(found, heading))
    if found.reliability:
        blocks.append(_reliability(found))
    blocks += [_ceiling(found, heading)] if found.ceilings else []
    blocks += [_flips(found)] if found.flips else []
    return blocks


def _heading(found: Repeatability) -> str:
    interval = found.flip_rate.interval
    return "interval" if interval is None else f"{level(interval.level)} interval"


def _judges(found: Repeatability, heading: str) -> Table:
    def alpha(one: JudgeRepeats) -> Cell:
        return Cell(DASH) if one.interval is None else between(one.interval.low, one.interval.high, digits=3)

    return table_of(
        "repeat-judges",
        "How far each judge repeats itself",
        found.judges,
        [
            (Column("judge", "name"), lambda one: name(one.judge)),
            (Column("items"), lambda one: count(one.flip_rate.n_items)),
            (Column("runs"), lambda one: count(one.n_runs)),
            (
                Column("flip rate", meaning="Chance that two runs of an item differ, each item counting once."),
                lambda one: share(one.flip_rate.value),
            ),
            (Column(heading, term="interval"), lambda one: _interval(one.flip_rate, percents=True)),
            (Column("alpha", meaning="Krippendorff's alpha over runs."), lambda one: coefficient(one.alpha.value)),
            (Column(f"{heading} of alpha", optional=True), alpha),
        ],
    )


def _majority(judge: JudgeRepeats, heading: str, at: int) -> Table:
    def how(one: Majority) -> Cell:
        return words("from the runs" if one.quantity is not None else "by a beta-binomial model", tone="")

    return table_of(
        f"repeat-majority-{at}",
        f"How often two majorities of so many runs of {quoted(judge.judge)} differ",
        judge.majority,
        [
            (Column("majority of", "words"), lambda one: words(counted(one.n_runs, "run"))),
            (Column("differs"), lambda one: share(one.change)),
            (
                Column(heading),
                lambda one: Cell(DASH) if one.quantity is None else _interval(one.quantity, percents=True),
            ),
            (Column("items"), lambda one: Cell(DASH) if one.quantity is None else count(one.quantity.n_items)),
            (Column("how it is known", "words"), how),
        ],
    )


def _components(found: Repeatability, heading: str) -> Table:
    total = sum(one.value for one in found.components.values() if not math.isnan(one.value))
    rows = [(key, one) for key, one in found.components.items() if not math.isnan(one.value)]
    return table_of(
        "repeat-components",
        "Where the variance comes from",
        rows,
        [
            (Column("component", "words"), lambda row: words(_COMPONENTS[row[0]][0])),
            (Column("variance"), lambda row: coefficient(row[1].value)),
            (Column(heading, term="interval"), lambda row: _interval(row[1])),
            (Column("share"), lambda row: share(row[1].value / total if total > 0 else None)),
            (Column("what it is", "words"), lambda row: words(_COMPONENTS[row[0]][1])),
        ],
    )


def _reliability(found: Repeatability) -> Table:
    return table_of(
        "repeat-reliability",
        "How reliable a mean score is (of scores, not of verdicts)",
        found.reliability,
        [
            (Column("mean of", "words"), lambda one: words(counted(one[0], "run"))),
            (
                Column(
                    "reliability", meaning="Share of the variance of such a mean, by one judge, that is between items."
                ),
                lambda one: coefficient(one[1]),
            ),
        ],
    )


def _ceiling(found: Repeatability, heading: str) -> Table:
    def second(one: NoiseCeiling) -> Cell:
        return words("people") if one.people else name(one.second)

    return table_of(
        "repeat-ceiling",
        "How far two can agree at all if each agrees with itself no more than this",
        found.ceilings,
        [
            (Column("judge", "name"), lambda one: name(one.first)),
            (Column("with", "name"), second),
            (
                Column("kappa", meaning="Agreement beyond chance of one run of each."),
                lambda one: coefficient(one.kappa.value),
            ),
            (
                Column("ceiling", meaning="The highest kappa that the noise of both leaves possible."),
                lambda one: coefficient(one.ceiling.value),
            ),
            (Column(heading, term="interval", optional=True), lambda one: _interval(one.ceiling)),
            (
                Column(
                    "kappa / ceiling",
                    meaning="Agreement of what both would say on average; above 1 by sampling error alone.",
                ),
                lambda one: coefficient(one.corrected.value),
            ),
        ],
    )


def _flips(found: Repeatability) -> Table:
    shown = found.flips[:FLIPS_SHOWN]
    left = found.n_flips - len(shown)
    several = len(found.judges) > 1
    return table_of(
        "repeat-flips",
        "What changed from run to run, the most unstable first",
        shown,
        [
            (Column("item", "name"), lambda one: name(one.item)),
            (Column("judge", "name"), lambda one: name(one.judge)) if several else None,
            (Column("flip rate"), lambda one: share(one.flip_rate)),
            (
                Column("labels", "name"),
                lambda one: names([(label, f"x {times}") for label, times in list(one.labels.items())[:5]]),
            ),
        ],
        more=f"{left:,} more changed." if left > 0 else "",
    )


def _interval(one: Quantity, *, percents: bool = False) -> Cell:
    if one.interval is None or math.isnan(one.interval.low):
        return Cell(DASH)
    return between(one.interval.low, one.interval.high, digits=None if percents else 3, percents=percents)


def _notes(found: Repeatability) -> list[str]:
    """Say what the numbers are and are not, and how intervals were made."""
    told = list(found.notes)
    if any(one.quantity is None for judge in found.judges for one in judge.majority):
        told.append(
            "A majority of more than half the runs is known by a model alone: chances that follow a beta distribution over items. "
            "Items that are settled beside items that are a toss-up do not follow it: look at how the flip rates are spread."
        )
    over = [one for one in found.ceilings if one.corrected.value > 1]
    if over:
        told.append(
            f"The agreement of {quoted(over[0].first)} with {quoted(over[0].second)} is above its ceiling "
            f"({value(over[0].corrected.value)} times): that is sampling error, not a better judge."
        )
    if any(math.isnan(one.ceiling.value) for one in found.ceilings):
        told.append("No ceiling is given where a judge agrees with itself no more than chance would have it.")
    changed = max(found.judges, key=lambda one: one.n_runs)
    if found.n_flips:
        told.append(
            f"{percent(changed.ever_changed)} of the items of {quoted(changed.judge)} changed at least once in {counted(changed.n_runs, 'run')}. "
            "That share grows with the number of runs, so compare flip rates between studies, not this."
        )
    interval = found.flip_rate.interval
    if interval is not None:
        told.append(
            f"Intervals: {interval_method(interval.method)}, over {escaped(interval.unit)} with all their runs."
        )
        told += interval.notes
    return told
