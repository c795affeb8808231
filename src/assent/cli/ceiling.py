"""`assent ceiling`: how an annotator scores against the others, and so what a model is compared with."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Optional

from assent.cli.common import ci_option, json_option, option
from assent.cli.options import takes_table
from assent.limits import INTERVAL_METHODS

__all__ = ["ceiling_command"]

SURE = "How sure it is"
OUTPUT = "What to print"


_sure = partial(option, panel=SURE, show_default=True)


@takes_table()
def ceiling_command(
    data: Any,
    scale: Annotated[
        Optional[str],
        option(
            "Level of measurement: nominal unless given. On a scale the distance to the mean of the others is scored, too.",
            panel=SURE,
            metavar="nominal|ordinal|interval|ratio",
        ),
    ] = None,
    ci: Annotated[
        str,
        ci_option(panel=SURE),
    ] = INTERVAL_METHODS[0],
    level: Annotated[float, _sure("Confidence level.", metavar="X")] = 0.95,
    replicates: Annotated[int, _sure("Bootstrap samples.", metavar="N")] = 1000,
    seed: Annotated[int, _sure("Seed of the bootstrap.", metavar="N")] = 0,
    json: Annotated[bool, json_option(panel=OUTPUT)] = False,
) -> None:
    """Score annotators against the consensus of the others: the human ceiling that models are compared with.

    Each annotation is left out in turn and compared with the majority of the
    others, on items with three or more annotations. Where the others are tied,
    the score is the exact mean of a fair draw.

      assent ceiling labels.csv
    """
    from assent import ceiling
    from assent.cli.output import print_result
    from assent.cli.progress import stage
    from assent.errors import OptionError, choose

    choose("ci", ci, (*INTERVAL_METHODS, "none"))
    if not 0 < level < 1:
        raise OptionError(f"--level is {level}; it must lie between 0 and 1, as 0.95 does.")
    with stage("Scoring annotators"):
        found = ceiling(data, scale=scale, ci=ci, level=level, replicates=replicates, seed=seed)
    print_result(found, json=json)
