"""`assent judge`: models beside people."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Optional

from assent.cli.common import json_option, option, order_option, output_option
from assent.cli.gates import baseline_option, check_outputs, finish, junit_option, summary_option
from assent.cli.options import takes_files
from assent.option_texts import comma_separated

__all__ = ["judge_command"]

HOW = "How to compare"
RATE = "The rate that people would have found"
LEAN = "What the judge may favour"
SURE = "How sure it is"
OUTPUT = "What to print, and when to fail"

_how = partial(option, panel=HOW)
_rate = partial(option, panel=RATE)
_lean = partial(option, panel=LEAN)
_sure = partial(option, panel=SURE, show_default=True)


@takes_files
def judge_command(
    data: Any,
    judge: Annotated[
        Optional[list[str]],
        _how(
            "Annotator who is a judge. Repeatable; the models of an export if not given.",
            "--judge",
            "-j",
            metavar="NAME",
            completes="annotator",
        ),
    ] = None,
    judge_column: Annotated[
        Optional[str], _how("Column that says which rows are a judge's (judge, model, true, 1).", metavar="COLUMN")
    ] = None,
    run: Annotated[
        Optional[str],
        _how(
            "Column that tells runs of a judge apart: the first is compared with people, all of them say how far it repeats itself.",
            metavar="COLUMN",
        ),
    ] = None,
    scale: Annotated[
        Optional[str],
        _how(
            "Scale of the labels: nominal unless given. On the others kappa is weighted and closeness is squared distance.",
            metavar="nominal|ordinal|interval|ratio",
        ),
    ] = None,
    order: Annotated[Optional[str], order_option(panel=HOW)] = None,
    margin: Annotated[
        Optional[float],
        _how(
            "How much less than people with each other a judge may agree with people, in kappa: 0.05 unless given.",
            metavar="X",
        ),
    ] = None,
    epsilon: Annotated[
        float,
        _how(
            "Of the alternative annotator test: 0.2 beside experts, 0.15 beside trained people, 0.1 beside a crowd.",
            metavar="X",
            show_default=True,
        ),
    ] = 0.1,
    closeness: Annotated[
        Optional[str],
        _how("How closeness to the others is scored in that test, if not by the scale.", metavar="agreement|squared"),
    ] = None,
    reference: Annotated[
        Optional[str], _how("What errors are counted against: majority unless given.", metavar="majority|gold")
    ] = None,
    gold: Annotated[
        Optional[str],
        _how("File of known labels, for --reference gold; those that the data hold if not given.", metavar="FILE"),
    ] = None,
    gold_column: Annotated[
        Optional[str], _how("Column of the table that holds the known label of the item.", metavar="COLUMN")
    ] = None,
    average: Annotated[
        str, _how("Pairs of annotators count alike, or by the items they share.", metavar="plain|overlap")
    ] = "plain",
    match: Annotated[
        Optional[str],
        _how("Of spans: when two count as the same, as for span-f1; exact unless given.", metavar="RULE"),
    ] = None,
    min_items: Annotated[int, _how("People with fewer items are not held out.", metavar="N", show_default=True)] = 30,
    positive: Annotated[Optional[str], _rate("Label whose rate is estimated.", metavar="LABEL")] = None,
    unlabelled: Annotated[
        Optional[str], _rate("File with the judge's verdicts on items that people did not label.", metavar="FILE")
    ] = None,
    sample: Annotated[
        str,
        _rate(
            "How the items that people labelled were chosen: at random, by their label, or told from the judge's rates (auto).",
            metavar="auto|random|by-label",
        ),
    ] = "auto",
    seat: Annotated[
        Optional[str], _lean("Column that names the label of what was shown first.", metavar="COLUMN")
    ] = None,
    longer: Annotated[Optional[str], _lean("Column that names the label of what is longer.", metavar="COLUMN")] = None,
    own: Annotated[
        Optional[str], _lean("Column that names the label of what the judge itself wrote.", metavar="COLUMN")
    ] = None,
    swapped: Annotated[
        Optional[str],
        _lean(
            "Annotator who holds the judge's verdicts (first, second, tie) with the seats swapped.",
            metavar="NAME",
            completes="annotator",
        ),
    ] = None,
    ci: Annotated[str, _sure("How intervals are made.", metavar="analytic|jackknife|bootstrap")] = "analytic",
    level: Annotated[float, _sure("Confidence level, of intervals and of one-sided claims.", metavar="X")] = 0.95,
    replicates: Annotated[int, _sure("Resamples.", metavar="N")] = 1000,
    seed: Annotated[int, _sure("Seed of the resamples.", metavar="N")] = 0,
    gate: Annotated[
        Optional[list[str]],
        option(
            "What must hold. noninferior: it is not worse than a person, but for --margin. alt-test: it passes, and a constant judge does not. "
            "kappa: all of the interval reaches --fail-under. no-worse: it is not below --baseline, but for --margin. Ends with 0 (pass), 1 "
            "(fail) or 3 (not enough data to tell). Repeatable.",
            panel=OUTPUT,
            metavar="NAME",
            completes=("noninferior", "alt-test", "kappa", "no-worse"),
        ),
    ] = None,
    fail_under: Annotated[
        Optional[float],
        option("What the mean kappa of a judge with people must reach, for --gate kappa.", panel=OUTPUT, metavar="X"),
    ] = None,
    baseline: Annotated[Optional[str], baseline_option(panel=OUTPUT)] = None,
    summary: Annotated[Optional[str], summary_option(panel=OUTPUT)] = None,
    junit: Annotated[Optional[str], junit_option(panel=OUTPUT)] = None,
    output: Annotated[
        Optional[str], output_option("Write it to a file: .html, .md, .tex, .json or .txt.", panel=OUTPUT)
    ] = None,
    json: Annotated[bool, json_option(panel=OUTPUT)] = False,
) -> None:
    """Compare a judge, such as a language model, with the people who labelled the same items.

    Is it as close to them as they are to each other? Could it stand in for one of
    them? Where does it err and lean? Beside it is a judge that always gives the
    commonest label: what that one reaches, too, says nothing.

      assent judge labels.csv --judge gpt-4o
      assent judge ratings.csv -j gpt-4o -j claude --scale interval --cluster text
      assent judge labels.csv -j gpt-4o --positive pass --unlabelled rest.csv
      assent judge labels.csv -j gpt-4o --margin 0.1 --gate noninferior
      assent judge spans.csv -j gpt-4o --match overlap
    """
    import assent
    from assent.analyses.judge.compare import read_judged
    from assent.cli.output import written
    from assent.cli.progress import stage

    check_outputs(json=json, summary=summary, junit=junit)
    files, how = data
    columns = [one for one in (judge_column, gold_column, seat, longer, own) if one is not None]
    reading = {**how, "columns": columns}
    with stage(f"Reading {', '.join(map(str, files))}"):
        read = list(files) if run is not None else read_judged(files, reading)
    with stage("Comparing judges with people"):
        result = assent.judge(
            read,
            judge=judge or (),
            judge_column=judge_column,
            run=run,
            scale=scale,
            order=comma_separated(order),
            margin=margin,
            epsilon=epsilon,
            closeness=closeness,
            reference=reference or ("majority" if gold is None else "gold"),
            gold=gold,
            gold_column=gold_column,
            positive=positive,
            unlabelled=unlabelled,
            sample=sample,
            seat=seat,
            longer=longer,
            own=own,
            swapped=swapped,
            average=average,
            min_items=min_items,
            ci=ci,
            level=level,
            replicates=replicates,
            seed=seed,
            baseline=baseline,
            gate=gate or (),
            fail_under=fail_under,
            match=match,
            **(reading if run is not None else {}),
        )
    quiet = written(result, output)
    finish(result, result.gates, files=files, json=json, summary=summary, junit=junit, show=quiet)
