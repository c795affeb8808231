"""`assent advise`: why annotators disagree, and what to do first."""

from __future__ import annotations

from typing import Annotated, Any, Optional

import typer

from assent.cli.common import json_option, option, order_option
from assent.cli.options import takes_table
from assent.option_texts import comma_separated

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
    scale: Annotated[
        Optional[str],
        option(
            "Level of measurement: nominal unless given. On a scale it is said who is stricter, and neighbours are not called mixed up.",
            panel=None,
            metavar="nominal|ordinal|interval|ratio",
        ),
    ] = None,
    order: Annotated[Optional[str], order_option(panel=None)] = None,
    seed: Annotated[int, typer.Option(help="Seed of the tests: the same seed, the same digits.", metavar="N")] = 0,
    json: Annotated[bool, json_option(panel=None)] = False,
) -> None:
    """Say what the disagreement looks like and what to do first.

    It describes the pattern (an annotator who differs, labels taken for each
    other, annotators who lean or are stricter, a label that dominates), names the
    causes that would look like it and what would tell them apart, and puts first
    what could win most agreement.

      assent advise labels.csv
      assent advise labels.csv --target subjective
    """
    from assent import advise
    from assent.cli.output import print_result
    from assent.cli.progress import stage

    with stage("Looking for causes"):
        found = advise(data, target=target, scale=scale, order=comma_separated(order), seed=seed)
    print_result(found, json=json)
