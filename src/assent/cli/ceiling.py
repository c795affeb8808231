"""`assent ceiling`: how an annotator scores against the others, and so what a model is compared with."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from assent.cli.common import json_option, option
from assent.cli.options import takes_table

if TYPE_CHECKING:
    from assent.data import Annotations

__all__ = ["ceiling_command"]

SURE = "How sure it is"
OUTPUT = "What to print"
#: Annotators on the terminal; all are in the JSON.
MOST_ANNOTATORS = 15


_sure = partial(option, panel=SURE, show_default=True)


@takes_table()
def ceiling_command(
    data: Any,
    ci: Annotated[
        str,
        _sure("How intervals are made.", metavar="analytic|jackknife|bootstrap|none"),
    ] = "analytic",
    level: Annotated[float, _sure("Confidence level.")] = 0.95,
    replicates: Annotated[int, _sure("Bootstrap samples.")] = 1000,
    seed: Annotated[int, _sure("Seed of the bootstrap.")] = 0,
    json: Annotated[bool, json_option(panel=OUTPUT)] = False,
) -> None:
    """Score annotators against the consensus of the others: the human ceiling that models are compared with.

    Each annotation is left out in turn and compared with the majority of the
    others, on items with three or more annotations. Where the others are tied,
    the score is the exact mean of a fair draw.

      assent ceiling labels.csv
    """
    from assent.analyses.ceiling import human_ceiling
    from assent.cli.progress import stage
    from assent.cli.show import print_json
    from assent.errors import OptionError, choose

    choose("--ci", ci, ("analytic", "jackknife", "bootstrap", "none"))
    if not 0 < level < 1:
        raise OptionError(f"--level is {level}; it must lie between 0 and 1, as 0.95 does.")
    options: dict[str, Any] = {"replicates": replicates, "seed": seed} if ci == "bootstrap" else {}
    with stage("Scoring annotators"):
        found = human_ceiling(data)
        content = found.to_dict(confidence_level=level, interval=None if ci == "none" else ci, **options)
    if json:
        print_json({"data": data.to_dict(), **content})
    else:
        _show(data, content, level)


def _show(data: Annotations, content: dict[str, Any], level: float) -> None:
    """Print everything for a person."""
    from rich.text import Text

    from assent.cli.layout import grid, open_console, print_notes
    from assent.cli.show import describe
    from assent.text import escaped, shown

    console = open_console()
    console.print(Text(describe(data)), soft_wrap=True)
    titles = {
        "accuracy": "accuracy",
        "macro_f1": "macro F1",
        "majority_share": "limit: share of the majority label",
    }
    heading = [f"{level * 100:g} % interval"]
    scores = [[title, *_cells(content[key])] for key, title in titles.items()]
    console.print(Text(f"An annotator against the majority of the others, on {content['items']:,} items"))
    console.print(grid(["score", "value", *heading], scores, left=("score",), width=console.width))
    everyone = content["annotators"] or []
    if everyone:
        rows = [
            [shown(one["annotator"], 30), f"{one['items']:,}", *_cells(one["accuracy"]), _number(one["macro_f1"])]
            for one in everyone[:MOST_ANNOTATORS]
        ]
        console.print(
            grid(
                ["annotator", "items", "accuracy", *heading, "macro F1"],
                rows,
                left=("annotator",),
                cut=("annotator",),
                width=console.width,
            )
        )
    if len(everyone) > MOST_ANNOTATORS:
        console.print(Text(f"… and {len(everyone) - MOST_ANNOTATORS:,} more annotators (--json has all)"))
    notes = list(content["notes"])
    for key in titles:
        notes += content[key]["notes"]
    interval = content["accuracy"]["ci"]
    if interval is not None:
        notes.append(f"Intervals: {interval['method']}, over {escaped(interval['unit'])}.")
    print_notes(console, data, notes)


def _cells(score: dict[str, Any]) -> list[str]:
    """Show a score and its interval."""
    interval = score["ci"]
    known = interval is not None and interval["low"] is not None
    return [_number(score["value"]), f"{interval['low']:.3f} to {interval['high']:.3f}" if known else "—"]


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"
