"""`assent sweep`: what primary and secondary labels do to agreement."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from assent.cli.common import json_option, option, output_option, spreadsheet_option
from assent.cli.options import takes_table

if TYPE_CHECKING:
    from assent.analyses.sweep import PrimarySweep, SweepPoint
    from assent.data import Annotations

__all__ = ["sweep_command"]

SWEEP = "What to sweep"
CLASSES = "When an item belongs to which class"
OUTPUT = "What to print or write"
#: Items of each class on the terminal, unless it is said otherwise.
SHOWN = 3
#: Annotators of an item on the terminal.
MOST_ANNOTATORS = 4
#: Characters from the lowest to the highest end of an interval.
WIDTH = 34


_option = partial(option, panel=SWEEP)


@takes_table(sets=lambda options: True)
def sweep_command(
    data: Any,
    points: Annotated[
        Optional[int], _option("Weights of the primary label from 0.5 to 1; 11 unless given.", metavar="N")
    ] = None,
    step: Annotated[Optional[float], _option("Or the step between two of them.", metavar="X")] = None,
    average: Annotated[
        str,
        _option(
            "How pairs of more than two annotators are averaged: by the items they share, or all alike.",
            metavar="overlap|plain",
            show_default=True,
        ),
    ] = "overlap",
    level: Annotated[float, _option("Confidence level.", show_default=True)] = 0.95,
    ci: Annotated[
        str,
        _option("How intervals are made.", "--ci", metavar="analytic|jackknife|bootstrap|none", show_default=True),
    ] = "analytic",
    replicates: Annotated[int, _option("Samples of the bootstrap.", metavar="N", show_default=True)] = 1000,
    seed: Annotated[int, _option("Seed of the bootstrap.", metavar="N", show_default=True)] = 0,
    high: Annotated[
        float,
        _option("A constant value above this is high: what the paper calls usable.", panel=CLASSES, show_default=True),
    ] = 0.6,
    constant: Annotated[
        float,
        _option(
            "A value that differs by no more than this between p = 0.5 and p = 1 is constant.",
            panel=CLASSES,
            show_default=True,
        ),
    ] = 0.1,
    show: Annotated[
        int, _option("Items of each class to name on the terminal.", panel=OUTPUT, metavar="N", show_default=True)
    ] = SHOWN,
    output: Annotated[
        Optional[str],
        output_option(
            "Write all items with their class: CSV, TSV, JSON, JSONL or Parquet, as the name ends.",
            panel=OUTPUT,
        ),
    ] = None,
    for_spreadsheet: Annotated[bool, spreadsheet_option(panel=OUTPUT)] = False,
    chart: Annotated[
        Optional[str],
        _option("Draw the sweep and the items: SVG, PNG or PDF, as the name ends.", panel=OUTPUT, metavar="FILE"),
    ] = None,
    json: Annotated[bool, json_option(panel=OUTPUT)] = False,
) -> None:
    """Show what primary and secondary labels do to agreement, and sort items by it.

    The primary label of an annotation counts p, the others share 1 - p. At p = 1
    secondary labels are ignored; at p = 0.5 a pair of labels counts alike. Items
    whose agreement is high, low, higher at p = 1 or higher at p = 0.5 each say
    something else about the guidelines.

      assent sweep emails.csv --ranked
      assent sweep emails.csv --rank rank -o classes.csv --chart sweep.svg
    """
    from assent.analyses.sweep import primary_sweep
    from assent.cli.progress import stage
    from assent.cli.show import print_json
    from assent.documents.charts import FORMATS
    from assent.errors import OptionError
    from assent.text import shown

    if show < 0:
        raise OptionError(f"--show is {show}; it must not be negative.")
    if for_spreadsheet and output is None:
        raise OptionError("--for-spreadsheet is about the file to write: name it with -o.")
    if chart is not None and not chart.lower().endswith(tuple(f".{ending}" for ending in FORMATS)):
        raise OptionError(f"--chart is {shown(chart, 200)}: let its name end in .{', .'.join(FORMATS)}.")
    with stage("Sweeping the weight of the primary label"):
        found = primary_sweep(
            data,
            points=points,
            step=step,
            high=high,
            constant=constant,
            average=average,
            level=level,
            ci=ci,
            replicates=replicates,
            seed=seed,
        )
    if output is not None:
        _write(found, output, for_spreadsheet=for_spreadsheet)
    if chart is not None:
        from assent.documents.charts import save

        with stage(f"Drawing {chart}"):
            save(found.chart(), chart)
        typer.echo(f"Drew {shown(chart, 200)}.", err=True)
    if json:
        print_json({"data": data.to_dict(), "sweep": found.to_dict()})
    else:
        _show(data, found, show)


def _write(sweep: PrimarySweep, path: str, *, for_spreadsheet: bool) -> None:
    """Write the items to a file and say so."""
    from assent.atomic_files import write_table
    from assent.text import counted, shown

    columns = sweep.items.columns(nested=path.lower().endswith((".json", ".jsonl", ".ndjson")))
    write_table(path, columns, for_spreadsheet=for_spreadsheet)
    typer.echo(f"Wrote {counted(len(sweep.items), 'item')} to {shown(path, 200)}.", err=True)


def _show(data: Annotations, sweep: PrimarySweep, most: int) -> None:
    """Print the curve, the classes and some members of each."""
    from rich.text import Text

    from assent.cli.layout import grid, interval_cell, open_console, print_notes, share_cell
    from assent.cli.show import describe, number

    console = open_console()
    console.print(Text(describe(data)), soft_wrap=True)
    with_intervals = sweep.points[0].interval is not None
    drawn = _drawn(sweep.points, ascii_only=console.options.ascii_only)
    headings = ["p", "augmented kappa", *([f"{sweep.level * 100:g} % interval"] if with_intervals else []), ""]
    rows = [
        [f"{one.primary:g}", number(one.value), *([interval_cell(one.interval)] if with_intervals else []), bar]
        for one, bar in zip(sweep.points, drawn, strict=True)
    ]
    console.print(grid(headings, rows, left=("p", ""), width=console.width))
    console.print(Text(sweep.sentence), soft_wrap=True)
    what = "agreement on an item is"
    rows = [[one.name, f"{one.items:,}", share_cell(one.share), one.title] for one in sweep.classes]
    console.print(grid(["class", "items", "share", what], rows, left=("class", what), width=console.width))
    for one in sweep.classes:
        if not one.items:
            continue
        console.print(Text.assemble((f"{one.name}: ", "bold"), one.meaning), soft_wrap=True)
        places = sweep.items.places(one.name)
        for place in places[:most].tolist():
            console.print(Text(f"  {_member(sweep, place)}"), soft_wrap=True)
        if most and one.items > most:
            console.print(Text(f"  … and {one.items - most:,} more (--show, --json or -o FILE)"))
    total = len(sweep.items)
    print_notes(
        console,
        data,
        [
            *(
                ["Beside an item stand its values at p = 0.5 → p = 1, then what each annotator gave it."]
                if most
                else []
            ),
            f"{sweep.usable:,} of {total:,} items have a primary label with a value above {sweep.high:g} at p = 1.",
            f"Constant is a change of at most {sweep.constant:g} between p = 0.5 and p = 1 (--constant); high is above "
            f"{sweep.high:g} (--high).",
            *sweep.notes,
        ],
    )


def _member(sweep: PrimarySweep, place: int) -> str:
    """Describe an item: its values at both ends, and what each annotator gave it."""
    from assent.text import for_terminal, shown

    items = sweep.items
    given = [
        f"{for_terminal(who, 16)}: {', '.join(for_terminal(label, 24) for label in labels) or 'none'}"
        for who, labels in items.labels(place).items()
    ]
    more = [f"and {len(given) - MOST_ANNOTATORS:,} more"] if len(given) > MOST_ANNOTATORS else []
    equal, only = (float(values[items.profile[place]]) for values in (items.equal, items.only))
    return f"{shown(items.names[place], 30)} {equal:.2f} → {only:.2f}  {'; '.join([*given[:MOST_ANNOTATORS], *more])}"


def _drawn(points: Sequence[SweepPoint], *, ascii_only: bool) -> list[str]:
    """Draw each value as a dot on the stretch of its interval."""
    ends = [
        (one.value, one.value)
        if one.interval is None or math.isnan(one.interval.low)
        else (min(one.interval.low, one.value), max(one.interval.high, one.value))
        for one in points
    ]
    known = [end for pair in ends for end in pair if not math.isnan(end)]
    if not known or min(known) == max(known):
        return ["" for _ in points]
    first, reach = min(known), max(known) - min(known)
    line, dot = ("-", "o") if ascii_only else ("─", "●")
    drawn = []
    for one, (low, high) in zip(points, ends, strict=True):
        if math.isnan(one.value):
            drawn.append("")
            continue
        start, at, end = (round((WIDTH - 1) * (place - first) / reach) for place in (low, one.value, high))
        drawn.append(" " * start + line * (at - start) + dot + line * (end - at))
    return drawn
