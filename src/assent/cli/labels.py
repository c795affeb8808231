"""`assent labels`: which labels are agreed on, which are confused, and what merging them would do."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Optional

from assent.cli.common import ci_option, json_option, option
from assent.cli.options import takes_table
from assent.limits import INTERVAL_METHODS
from assent.option_texts import comma_separated

__all__ = ["labels_command"]

HOW = "How to measure"
SURE = "How sure it is"
OUTPUT = "What to print"

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
        ci_option(panel=SURE),
    ] = INTERVAL_METHODS[0],
    level: Annotated[float, _how("Confidence level.", panel=SURE, show_default=True, metavar="X")] = 0.95,
    replicates: Annotated[int, _how("Bootstrap samples.", panel=SURE, show_default=True, metavar="N")] = 1000,
    seed: Annotated[int, _how("Seed of the bootstrap.", panel=SURE, show_default=True, metavar="N")] = 0,
    json: Annotated[bool, json_option(panel=OUTPUT)] = False,
) -> None:
    """Look at the labels: agreement on each, which are confused, what merging two would gain and lose.

    assent labels labels.csv
    assent labels labels.csv --between ana,ben
    assent labels ratings.csv --scale ordinal --order low,mid,high
    """
    from assent import labels
    from assent.cli.output import print_result
    from assent.cli.progress import stage
    from assent.errors import OptionError, choose
    from assent.limits import TERMINAL

    choose("ci", ci, (*INTERVAL_METHODS, "none"))
    if not 0 < level < 1:
        raise OptionError(f"--level is {level}; it must lie between 0 and 1, as 0.95 does.")
    if top < 1:
        raise OptionError(f"--top is {top}; it must be 1 or more.")
    with stage("Looking at the labels"):
        found = labels(
            data,
            measure=measure,
            scale=scale,
            order=comma_separated(order),
            between=comma_separated(between),
            top=top,
            ci=ci,
            level=level,
            replicates=replicates,
            seed=seed,
        )
    print_result(found, json=json, rows=max(top, TERMINAL.rows))
