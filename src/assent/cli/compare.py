"""`assent compare`: how much agreement differs between data sets, and what changed."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Optional

from assent.cli.common import bootstrap_option, json_option, option, order_option, output_option
from assent.cli.gates import check_outputs, finish, gate_option, junit_option, margin_option, summary_option
from assent.cli.options import OWN, takes_files, takes_options_of
from assent.option_texts import comma_separated, named_groups

__all__ = ["compare_command"]

WHAT = "What to compare"
SURE = "How sure it is"
OUTPUT = "What to print or write, and when to fail"

_what = partial(option, panel=WHAT)
_sure = partial(option, panel=SURE, show_default=True)


@takes_files
@takes_options_of("measure", panel=OWN, hidden=True)
def compare_command(
    data: Any,
    group: Annotated[
        Optional[list[str]],
        _what(
            "A choice of annotators of one file, with a name of its own if that is given. Repeatable: --group ann,gpt-4 --group ann,gpt-5.",
            metavar="[NAME=]A,B",
        ),
    ] = None,
    by: Annotated[
        Optional[str], _what("Column of one file whose values (batches, guidelines) are compared.", metavar="COLUMN")
    ] = None,
    measure: Annotated[
        Optional[list[str]],
        _what(
            "Name of a coefficient; what fits all data sets if not given. Repeatable.",
            "--measure",
            "-m",
            metavar="NAME",
        ),
    ] = None,
    paired: Annotated[
        Optional[bool],
        _what(
            "Match items by their names, or take the data sets as independent samples even if items have the same names; matched where "
            "they share items unless given.",
            "--paired/--unpaired",
        ),
    ] = None,
    scale: Annotated[
        Optional[str],
        _what("Level of measurement: nominal unless given.", metavar="nominal|ordinal|interval|ratio"),
    ] = None,
    weights: Annotated[
        Optional[str],
        _what("Agreement weights by name, in place of those of the scale.", metavar="NAME", completes="weights"),
    ] = None,
    order: Annotated[Optional[str], order_option(panel=WHAT)] = None,
    ci: Annotated[
        str, _sure("How intervals and tests are made.", metavar="etel|analytic|jackknife|bootstrap|none")
    ] = "etel",
    level: Annotated[float, _sure("Confidence level.", metavar="X")] = 0.95,
    bootstrap: Annotated[str, bootstrap_option(panel=SURE)] = "bca",
    replicates: Annotated[int, _sure("Bootstrap samples.", metavar="N")] = 1000,
    seed: Annotated[int, _sure("Seed of the bootstrap.", metavar="N")] = 0,
    json: Annotated[bool, json_option(panel=OUTPUT)] = False,
    gate: Annotated[Optional[list[str]], gate_option(panel=OUTPUT)] = None,
    fail_under: Annotated[
        Optional[float], option("What the last data set must reach, for --gate kappa.", panel=OUTPUT, metavar="X")
    ] = None,
    margin: Annotated[float, margin_option(panel=OUTPUT)] = 0.05,
    output: Annotated[
        Optional[str], output_option("Write it to a file: .html, .md, .tex, .json or .txt.", panel=OUTPUT)
    ] = None,
    summary: Annotated[Optional[str], summary_option(panel=OUTPUT)] = None,
    junit: Annotated[Optional[str], junit_option(panel=OUTPUT)] = None,
    **options: Any,
) -> None:
    """Compare data sets: two files, two choices of annotators, two batches, before and after.

    Items with the same name are matched, so that the difference is paired; data
    sets without shared items are independent samples. More than two are compared
    two by two, with Holm's correction.

      assent compare before.csv after.csv
      assent compare labels.csv --group ann,gpt-4 --group ann,gpt-5
      assent compare labels.csv --by guideline
    """
    from assent import compare
    from assent.cli.output import written
    from assent.cli.progress import stage

    check_outputs(json=json, summary=summary, junit=junit)
    files, reading = data
    with stage(f"Comparing {', '.join(map(str, files))}"):
        found = compare(
            *files,
            groups=None if not group else named_groups(group),
            by=by,
            measures=measure or (),
            paired=paired,
            scale=scale,
            weights=weights,
            order=comma_separated(order),
            ci=ci,
            bootstrap=bootstrap,
            level=level,
            replicates=replicates,
            seed=seed,
            gate=gate or (),
            fail_under=fail_under,
            margin=margin,
            options={name: value for name, value in options.items() if value is not None},
            **reading,
        )
    finish(found, found.gates, files=files, json=json, summary=summary, junit=junit, show=written(found, output))
