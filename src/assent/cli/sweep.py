"""`assent sweep`: what primary and secondary labels do to agreement."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Optional

import typer

from assent.cli.common import ci_option, json_option, option, output_option, spreadsheet_option
from assent.cli.options import takes_table
from assent.limits import INTERVAL_METHODS

__all__ = ["sweep_command"]

SWEEP = "What to sweep"
CLASSES = "When an item belongs to which class"
OUTPUT = "What to print or write"

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
    level: Annotated[float, _option("Confidence level.", show_default=True, metavar="X")] = 0.95,
    ci: Annotated[
        str,
        ci_option(panel=SWEEP),
    ] = INTERVAL_METHODS[0],
    replicates: Annotated[int, _option("Samples of the bootstrap.", metavar="N", show_default=True)] = 1000,
    seed: Annotated[int, _option("Seed of the bootstrap.", metavar="N", show_default=True)] = 0,
    high: Annotated[
        float,
        _option(
            "A constant value above this is high: what the paper calls usable.",
            metavar="X",
            panel=CLASSES,
            show_default=True,
        ),
    ] = 0.6,
    constant: Annotated[
        float,
        _option(
            "A value that differs by no more than this between p = 0.5 and p = 1 is constant.",
            metavar="X",
            panel=CLASSES,
            show_default=True,
        ),
    ] = 0.1,
    show: Annotated[
        int, _option("Items of each class to name on the terminal.", panel=OUTPUT, metavar="N", show_default=True)
    ] = 3,
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
    from assent import sweep
    from assent.cli.output import print_result, write_rows
    from assent.cli.progress import stage
    from assent.documents import charts
    from assent.errors import OptionError
    from assent.limits import TERMINAL
    from assent.text import counted, shown

    if for_spreadsheet and output is None:
        raise OptionError("--for-spreadsheet is about the file to write: name it with -o.")
    if chart is not None and not chart.lower().endswith(tuple(f".{ending}" for ending in charts.FORMATS)):
        raise OptionError(f"--chart is {shown(chart, 200)}: let its name end in .{', .'.join(charts.FORMATS)}.")
    with stage("Sweeping the weight of the primary label"):
        found = sweep(
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
            show=show,
        )
    if output is not None:
        columns = found.items.columns(nested=output.lower().endswith((".json", ".jsonl", ".ndjson")))
        write_rows(output, columns, counted(len(found.items), "item"), for_spreadsheet=for_spreadsheet)
    if chart is not None:
        with stage(f"Drawing {chart}"):
            charts.save(found.chart(), chart)
        typer.echo(f"Drew {shown(chart, 200)}.", err=True)
    print_result(found, json=json, rows=max(TERMINAL.rows, show * len(found.classes)))
