"""A comparison as blocks of a document."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from assent.documents.blocks import (
    Block,
    Cell,
    Column,
    Document,
    Prose,
    Table,
    between,
    coefficient,
    count,
    name,
    names,
    notes,
    number,
    share,
    table_of,
    words,
)
from assent.limits import CHANGES_SHOWN
from assent.text import DASH, counted, escaped, level, percent, probability, quoted, value
from assent.text import interval as shown_interval
from assent.text import number as shown_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assent.analyses.compare.changes import Changes
    from assent.analyses.compare.result import Compared, Comparison, Gap, Side

__all__ = ["document_of", "takeaway"]


def document_of(found: Comparison) -> Document:
    """Return the numbers, their differences, and what changed."""
    blocks: list[Block] = [Prose([takeaway(found)], strong=True)]
    for one in found.measures:
        blocks += [_values(one, found.level), *([_differences(one, found.level)] if len(one.sides) > 2 else [])]
    if found.changes is not None:
        blocks += _changes(found.changes, found)
    return Document(
        title="Comparison",
        summary="; ".join(
            f"{quoted(title)}: {data.describe()}" for title, data in zip(found.names, found.data, strict=True)
        ),
        blocks=[*blocks, *notes(found.notes, _notes(found))],
    )


def takeaway(found: Comparison) -> str:
    """Say how much the first coefficient differs, and whether that is chance."""
    one = found.quoted
    if len(one.sides) == 2:
        return _difference(one, one.gaps[0])
    clear = [gap for gap in one.gaps if gap.clear]
    if not clear:
        return f"No two of {len(one.sides)} data sets clearly differ in {one.title} ({counted(len(one.gaps), 'comparison')}, after Holm's correction)."
    largest = max(clear, key=lambda gap: abs(gap.value))
    return (
        f"{len(clear)} of {counted(len(one.gaps), 'comparison')} of {one.title} {'is' if len(clear) == 1 else 'are'} clear after Holm's correction; the "
        f"largest: {_difference(one, largest)}"
    )


def _difference(one: Compared, gap: Gap) -> str:
    first, second = (next(side for side in one.sides if side.name == title) for title in (gap.first, gap.second))
    if math.isnan(gap.value):
        return (
            f"{one.title} is undefined for {quoted(gap.first)} or {quoted(gap.second)}, so the two cannot be compared."
        )
    told = f"{one.title} is {value(second.agreement.value)} for {quoted(gap.second)} and {value(first.agreement.value)} for {quoted(gap.first)}"
    if gap.interval is None or math.isnan(gap.interval.low):
        return f"{told}, a difference of {shown_number(gap.value, signed=True)}."
    ends = shown_interval(gap.interval.low, gap.interval.high, digits=2, signed=True)
    chance = f", {probability(gap.p_corrected)}" if not math.isnan(gap.p_corrected) else ""
    sure = f"({level(gap.interval.level)} interval {ends}{chance})"
    if gap.clear:
        return f"{told}: a clear difference of {shown_number(gap.value, signed=True)} {sure}."
    return f"{told}: the difference of {shown_number(gap.value, signed=True)} is not clear {sure}."


def _values(one: Compared, confidence: float) -> Table:
    def ends(side: Side) -> Cell:
        return Cell(DASH) if side.interval is None else between(side.interval.low, side.interval.high, digits=3)

    return table_of(
        f"compare-{one.measure}",
        one.title,
        one.sides,
        [
            (Column("data set", "name"), lambda side: name(side.name)),
            (Column("value"), lambda side: coefficient(side.agreement.value, tone="strong")),
            (Column(f"{level(confidence)} interval", term="interval"), ends),
            (Column("observed"), lambda side: coefficient(side.agreement.observed)),
            (Column("items"), lambda side: count(side.agreement.n_items)),
            (Column("annotators"), lambda side: count(side.agreement.n_annotators)),
        ],
    )


def _differences(one: Compared, confidence: float) -> Table:
    def ends(gap: Gap) -> Cell:
        if gap.interval is None:
            return Cell(DASH)
        return between(gap.interval.low, gap.interval.high, digits=3, signed=True)

    return table_of(
        f"differences-{one.measure}",
        f"{one.title}: every two data sets",
        one.gaps,
        [
            (Column("data set", "name"), lambda gap: name(gap.second)),
            (Column("less", "name"), lambda gap: name(gap.first)),
            (Column("difference"), lambda gap: number(gap.value, 3, signed=True)),
            (Column(f"{level(confidence)} interval", term="interval"), ends),
            (
                Column("p", meaning="After Holm's correction for all differences of the table."),
                lambda gap: words(probability(gap.p_corrected).removeprefix("p = ").removeprefix("p ")),
            ),
            (
                Column("clear", "words"),
                lambda gap: words("yes" if gap.clear else "no", tone="strong" if gap.clear else ""),
            ),
            (Column("shared items", optional=True), lambda gap: count(gap.n_shared)),
        ],
    )


def _changes(changes: Changes, found: Comparison) -> list[Block]:
    first, second = found.names
    told = f"The labels of {changes.n_changed:,} of {counted(changes.n_shared, 'shared item')} are shared out otherwise ({percent(changes.n_changed / changes.n_shared)})"
    moved = sum(one.n_items for one in changes.transitions)
    if changes.n_majority:
        told += f"; the most frequent label became another on {moved:,} of {changes.n_majority:,} that have one in both"
    blocks: list[Block] = [Prose([f"{told}."])]
    blocks.append(
        table_of(
            "compare-labels",
            "How often each label is given, on shared items",
            changes.labels[:CHANGES_SHOWN],
            [
                (Column("label", "name"), lambda one: name(one.label)),
                (Column(first, data=True), lambda one: share(one.first)),
                (Column(second, data=True), lambda one: share(one.second)),
                (
                    Column(f"{level(found.level)} interval of the difference"),
                    lambda one: (
                        Cell(DASH)
                        if one.change.interval is None
                        else between(one.change.interval.low, one.change.interval.high, percents=True)
                    ),
                ),
            ],
        )
    )
    if changes.transitions:
        blocks.append(
            table_of(
                "compare-transitions",
                "Most frequent labels that became others",
                changes.transitions[:CHANGES_SHOWN],
                [
                    (Column("from", "name"), lambda one: name(one.first)),
                    (Column("to", "name"), lambda one: name(one.second)),
                    (Column("items"), lambda one: count(one.n_items)),
                ],
            )
        )
    if changes.items:
        left = changes.n_changed - min(CHANGES_SHOWN, len(changes.items))
        blocks.append(
            table_of(
                "compare-items",
                "Items that changed most",
                changes.items[:CHANGES_SHOWN],
                [
                    (Column("item", "name"), lambda one: name(one.item)),
                    (
                        Column("changed", meaning="Share of the labels that would have to be others."),
                        lambda one: share(one.distance),
                    ),
                    (Column(first, "name", data=True), lambda one: _labels(one.first)),
                    (Column(second, "name", data=True), lambda one: _labels(one.second)),
                ],
                more=f"{left:,} more changed." if left > 0 else "",
            )
        )
    return blocks


def _labels(held: Mapping[str, int]) -> Cell:
    return names([(label, f"× {times}") for label, times in list(held.items())[:5]])


def _notes(found: Comparison) -> list[str]:
    """Say how intervals were made, and what each data set is."""
    told = [f"Gate {one.gate}: {one.outcome}. {one.sentence}" for one in found.gates]
    intervals = [side.interval for one in found.measures for side in one.sides if side.interval is not None]
    if intervals:
        told.append(f"Intervals and tests: {intervals[0].method}, over {escaped(intervals[0].unit)}.")
    by_set: dict[str, list[str]] = {title: [] for title in found.names}
    for one in found.measures:
        for side in one.sides:
            by_set[side.name] += (*side.agreement.notes, *(side.interval.notes if side.interval else ()))
    for title, data in zip(found.names, found.data, strict=True):
        by_set[title] += data._reading_notes()
    # What is to be said of all of them is said once.
    common = [note for note in by_set[found.names[0]] if all(note in some for some in by_set.values())]
    apart = [f"{quoted(title)}: {note}" for title, some in by_set.items() for note in some if note not in common]
    return [*told, *common, *apart]
