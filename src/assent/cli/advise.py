"""`assent advise`: why annotators disagree, and what to do first."""

from __future__ import annotations

from typing import Annotated, Any, Optional

import typer

from assent.cli.common import json_option
from assent.cli.options import takes_table

__all__ = ["advise_command"]


@takes_table()
def advise_command(
    data: Any,
    target: Annotated[
        Optional[str],
        typer.Option(
            help="What the coefficient should reach: a number, or the kind of task (objective, standard, subjective, highly-subjective).",
            metavar="NUMBER|TASK",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the tests: the same seed, the same digits.")] = 0,
    json: Annotated[bool, json_option(panel=None)] = False,
) -> None:
    """Say why annotators disagree and what to do first.

    It decides between an unclear guideline for a label, training, a subjective task and an annotator, from the evidence in
    the table, and puts first what could win most agreement.

      assent advise labels.csv
      assent advise labels.csv --target subjective
    """
    from rich.console import Console
    from rich.text import Text

    from assent.analyses.advise import advise
    from assent.cli import show
    from assent.cli.progress import stage

    with stage("Looking for causes"):
        found = advise(data, seed=seed) if target is None else advise(data, target=_number(target), seed=seed)
    if json:
        show.print_json({"data": data.to_dict(), "advice": [one.to_dict() for one in found]})
        return
    console = Console(highlight=False)
    console.print(Text(show.describe(data)), soft_wrap=True)
    for number, one in enumerate(found, start=1):
        worth = "" if one.gain is None else f" (up to {one.gain:+.2f} of Krippendorff's alpha)"
        console.print()
        console.print(Text.assemble((f"{number}. {one.title}", "bold"), worth), soft_wrap=True)
        console.print(Text(one.sentence), soft_wrap=True)
        console.print(Text.assemble(("First: ", "bold"), one.first_step), soft_wrap=True)
    for note in data.notes:
        console.print(Text(f"· {note}"), soft_wrap=True)


def _number(text: str) -> float:
    from assent.analyses.interpretation import target as of_task

    try:
        return float(text)
    except ValueError:
        return of_task(text).value
