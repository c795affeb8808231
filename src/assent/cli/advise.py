"""`assent advise`: why annotators disagree, and what to do first."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from assent.cli.common import json_option
from assent.cli.options import takes_table

__all__ = ["advise_command"]


@takes_table()
def advise_command(
    data: Any,
    target: Annotated[
        str,
        typer.Option(
            help="What the coefficient should reach: a number, or the kind of task (objective, standard, subjective, highly-subjective).",
            metavar="NUMBER|TASK",
            show_default=True,
        ),
    ] = "0.7",
    seed: Annotated[int, typer.Option(help="Seed of the tests: the same seed, the same digits.")] = 0,
    json: Annotated[bool, json_option(panel=None)] = False,
) -> None:
    """Say why annotators disagree and what to do first.

    It decides between an unclear guideline for a label, training, a subjective task and an annotator, from the evidence in
    the table, and puts first what could win most agreement.

      assent advise labels.csv
      assent advise labels.csv --target subjective
    """
    from assent import advise
    from assent.cli.output import print_json, show
    from assent.cli.progress import stage

    with stage("Looking for causes"):
        found = advise(data, target=target, seed=seed)
    if json:
        print_json(found.to_dict())
    else:
        show(found.document())
