"""`assent labels`: which labels are agreed on, which are confused, and what merging them would do."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Optional

from assent.cli.common import json_option, option
from assent.cli.options import listed, takes_table

if TYPE_CHECKING:
    from assent.analyses.labels.merges import Merges
    from assent.analyses.labels.summary import LabelSummary
    from assent.data import Annotations

__all__ = ["labels_command"]

HOW = "How to measure"
SURE = "How sure it is"
OUTPUT = "What to print"
#: Labels on the terminal; all are in the JSON.
MOST_LABELS = 30
#: Up to so many labels, matrices are drawn on the terminal.
MOST_IN_MATRIX = 8
#: Questions about spellings on the terminal.
MOST_ALIKE = 10


_how = partial(option, panel=HOW)


@takes_table()
def labels_command(
    data: Any,
    measure: Annotated[
        str,
        _how("Name of a coefficient for nominal labels.", "--measure", "-m", metavar="NAME", show_default=True),
    ] = "krippendorff-alpha",
    scale: Annotated[
        Optional[str],
        _how(
            "Level of measurement of the overall coefficient; on an ordinal scale only neighbouring labels are merged.",
            metavar="nominal|ordinal|interval|ratio",
        ),
    ] = None,
    order: Annotated[
        Optional[str],
        _how("The labels from lowest to highest, used or not: those nobody used are listed.", metavar="LOW,MID,HIGH"),
    ] = None,
    between: Annotated[
        Optional[str],
        _how("Two annotators whose confusion matrix to show; the two there are, if there are two.", metavar="A,B"),
    ] = None,
    top: Annotated[int, _how("Disputed pairs of labels and merges to list.", metavar="N", show_default=True)] = 10,
    ci: Annotated[
        str,
        _how(
            "How intervals are made.",
            panel=SURE,
            metavar="analytic|jackknife|bootstrap|none",
            show_default=True,
        ),
    ] = "analytic",
    level: Annotated[float, _how("Confidence level.", panel=SURE, show_default=True)] = 0.95,
    replicates: Annotated[int, _how("Bootstrap samples.", panel=SURE, show_default=True)] = 1000,
    seed: Annotated[int, _how("Seed of the bootstrap.", panel=SURE, show_default=True)] = 0,
    json: Annotated[bool, json_option(panel=OUTPUT)] = False,
) -> None:
    """Look at the labels: agreement on each, which are confused, what merging two would gain and lose.

    assent labels labels.csv
    assent labels labels.csv --between ana,ben
    assent labels ratings.csv --scale ordinal --order low,mid,high
    """
    from assent.analyses.labels.summary import label_summary
    from assent.cli.progress import stage
    from assent.cli.show import print_json
    from assent.errors import OptionError, choose

    choose("--ci", ci, ("analytic", "jackknife", "bootstrap", "none"))
    if not 0 < level < 1:
        raise OptionError(f"--level is {level}; it must lie between 0 and 1, as 0.95 does.")
    if top < 1:
        raise OptionError(f"--top is {top}; it must be 1 or more.")
    who = None if between is None else listed(between)
    if who is not None and len(who) != 2:
        raise OptionError("--between takes two annotators, as in --between ana,ben.")
    if order is not None:
        data = data.ordered(listed(order))
    options: dict[str, Any] = {"replicates": replicates, "seed": seed} if ci == "bootstrap" else {}
    with stage("Looking at the labels"):
        found = label_summary(
            data,
            measure=measure,
            scale=scale,
            between=None if who is None else (who[0], who[1]),
            most=top,
            interval=None if ci == "none" else ci,
            confidence_level=level,
            **options,
        )
    if json:
        print_json({"data": data.to_dict(), **found.to_dict()})
    else:
        _show(data, found, level)


def _show(data: Annotations, found: LabelSummary, level: float) -> None:
    """Print everything for a person."""
    from rich.text import Text

    from assent.cli.layout import grid, interval_cell, label_cell, open_console, print_notes, share_cell
    from assent.cli.show import describe, number
    from assent.text import escaped, shown

    console = open_console()
    console.print(Text(describe(data)), soft_wrap=True)
    ends = "" if found.interval is None else f" ({interval_cell(found.interval)})"
    console.print(Text(f"{found.overall.title} of all labels together: {number(found.overall.value)}{ends}"))
    certain = found.interval is not None
    between = [f"{level * 100:g} % interval"] if certain else []
    rows = []
    for row in found.rows[:MOST_LABELS]:
        value = "—" if row.agreement is None else number(row.agreement.value)
        cells = [label_cell(row.label), f"{row.annotations:,}", share_cell(row.share), value]
        cells += [interval_cell(row.interval)] if certain else []
        cells += [share_cell(row.specific)]
        whom = (
            "—" if row.confused_with is None else f"{label_cell(row.confused_with)} ({share_cell(row.confused_share)})"
        )
        rows.append([*cells, whom])
    headings = ["label", "n", "share", "value", *between, "specific", "confused with"]
    console.print(
        grid(headings, rows, left=("label", "confused with"), cut=("label", "confused with"), width=console.width)
    )
    if len(found.rows) > MOST_LABELS:
        console.print(Text(f"… and {len(found.rows) - MOST_LABELS:,} more labels (--json has all)"))
    if found.pairs:
        console.print(Text("Where they disagree: pairs of labels by their share of all disagreement"))
        lines = [
            [
                f"{label_cell(pair.first)} or {label_cell(pair.second)}",
                share_cell(pair.value),
                *([interval_cell(interval, percent=True)] if certain else []),
                share_cell(pair.expected),
                f"{pair.items:,}",
            ]
            for pair, interval in found.pairs
        ]
        console.print(
            grid(
                ["labels", "share", *between, "by chance", "items"],
                lines,
                left=("labels",),
                cut=("labels",),
                width=console.width,
            )
        )
    if found.merges is not None and found.merges.merges:
        _show_merges(console, found.merges, between)
    if len(found.coincidences.labels) <= MOST_IN_MATRIX:
        console.print(Text("Coincidences: pairs of annotations of one item, every annotation counted once"))
        console.print(_matrix(found.coincidences.labels, found.coincidences.matrix(), "{:,.4g}", console.width))
        if found.confusion is not None and found.annotators is not None:
            first, second = map(shown, found.annotators)
            console.print(Text(f"Confusion: rows are the labels of {first}, columns those of {second}"), soft_wrap=True)
            console.print(_matrix(found.coincidences.labels, found.confusion, "{:,}", console.width))
    for one in found.alike[:MOST_ALIKE]:
        question = (
            f"? Is {shown(one.second)} ({one.second_annotations:,} times) meant to be {shown(one.first)} "
            f"({one.first_annotations:,} times)? They differ in {one.differ}."
        )
        console.print(Text(question), soft_wrap=True)
    notes = [
        f"value: {found.overall.title} of the label against all others. specific: where one annotation has the label, the share of the "
        "item's other annotations that have it too.",
        *found.notes,
    ]
    if len(found.alike) > MOST_ALIKE:
        notes.insert(0, f"{len(found.alike) - MOST_ALIKE:,} more labels may be spelled in two ways (--json has all).")
    if found.unused:
        some = ", ".join(shown(label, 20) for label in found.unused[:10]) + (", …" if len(found.unused) > 10 else "")
        notes.insert(0, f"Nobody used {some}.")
    notes += found.overall.notes
    if found.merges is not None:
        notes += found.merges.notes
    if found.interval is not None:
        notes.append(f"Intervals: {found.interval.method}, over {escaped(found.interval.unit)}.")
        notes += found.interval.notes
    print_notes(console, data, notes)


def _show_merges(console: Any, found: Merges, between: Sequence[str]) -> None:
    """Print what merging two labels would do, and where a walk from merge to merge would lead."""
    from rich.text import Text

    from assent.cli.layout import grid, interval_cell, label_cell, share_cell
    from assent.cli.show import number

    console.print(
        Text(
            f"What merging two labels would do ({found.title} is {number(found.value)}, labels say {found.entropy:.2f} bits)"
        )
    )
    lines = [
        [
            f"{label_cell(one.first)} + {label_cell(one.second)}",
            number(one.value),
            f"{one.gain:+.3f}{' *' if one.clear else ''}",
            *([interval_cell(one.interval, form="+.3f")] if between else []),
            f"{one.entropy_lost:.2f}",
            share_cell(one.entropy_share),
        ]
        for one in found.merges
    ]
    headings = ["labels", "value", "gain", *between, "bits lost", "of all"]
    console.print(grid(headings, lines, left=("labels", "gain"), cut=("labels",), width=console.width))
    if any(one.clear for one in found.merges):
        console.print(Text("* a gain beyond doubt, even as the best of all merges that were tried"))
    if found.path and len(found.path) > 1:
        steps = "; ".join(
            f"{step.labels} labels {number(step.value)} ({share_cell(step.entropy_share)} of the bits left)"
            for step in found.path[-6:]
        )
        console.print(Text(f"Merging on, the best each time: {steps}."), soft_wrap=True)


def _matrix(labels: Sequence[str], cells: Any, form: str, width: int) -> Any:
    """Build a square table."""
    from assent.cli.layout import grid
    from assent.text import for_terminal

    names = [for_terminal(label, 12) for label in labels]
    rows = [[name, *(form.format(cell) for cell in row)] for name, row in zip(names, cells.tolist(), strict=True)]
    return grid(["", *names], rows, left=("",), width=width)
