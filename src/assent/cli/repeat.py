"""`assent repeat`: how far a judge repeats itself."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Optional

from assent.cli.common import bootstrap_option, json_option, option, order_option, output_option
from assent.cli.options import takes_files
from assent.option_texts import comma_separated

__all__ = ["repeat_command"]

RUNS = "Which rows or columns are runs"
SURE = "How sure it is"
OUTPUT = "What to print"

_runs = partial(option, panel=RUNS)
_sure = partial(option, panel=SURE, show_default=True)


@takes_files
def repeat_command(
    data: Any,
    run: Annotated[
        Optional[str],
        _runs(
            "Column that tells runs apart. Without it several rows of a judge for an item are runs in the order of the table, and so are "
            "several files.",
            metavar="COLUMN",
        ),
    ] = None,
    runs: Annotated[
        Optional[str],
        _runs(
            "Columns of a wide table that are runs of one judge; run1, run2, … are found without it.", metavar="A,B,C"
        ),
    ] = None,
    scale: Annotated[
        Optional[str],
        _runs("Level of measurement: nominal unless given.", metavar="nominal|ordinal|interval|ratio"),
    ] = None,
    order: Annotated[Optional[str], order_option(panel=RUNS)] = None,
    ci: Annotated[str, _sure("How intervals are made.", metavar="etel|analytic|jackknife|bootstrap|none")] = "etel",
    level: Annotated[float, _sure("Confidence level.", metavar="X")] = 0.95,
    bootstrap: Annotated[str, bootstrap_option(panel=SURE)] = "bca",
    replicates: Annotated[int, _sure("Bootstrap samples.", metavar="N")] = 1000,
    seed: Annotated[int, _sure("Seed of the bootstrap.", metavar="N")] = 0,
    output: Annotated[
        Optional[str], output_option("Write it to a file: .html, .md, .tex, .json or .txt.", panel=OUTPUT)
    ] = None,
    json: Annotated[bool, json_option(panel=OUTPUT)] = False,
) -> None:
    """Say how far a judge, person or model, repeats itself on the same items.

    How often a label changes on a second run, on which items, how stable a
    majority of several runs is, where the variance comes from, and how far
    two judges can agree at all with so much noise.

      assent repeat verdicts.csv --run run
      assent repeat run1.csv run2.csv run3.csv
    """
    from assent import repeat
    from assent.cli.output import print_json, show, written
    from assent.cli.progress import stage

    files, reading = data
    with stage(f"Comparing runs in {', '.join(map(str, files))}"):
        found = repeat(
            list(files),
            run=run,
            runs=comma_separated(runs),
            scale=scale,
            order=comma_separated(order),
            ci=ci,
            bootstrap=bootstrap,
            level=level,
            replicates=replicates,
            seed=seed,
            **reading,
        )
    quiet = written(found, output)
    if json:
        print_json(found.to_dict())
    else:
        (quiet or partial(show, found))()
