"""`assent measure`: coefficients with intervals."""

from __future__ import annotations

import functools
from typing import Annotated, Any, Optional

from assent.cli.common import bootstrap_option, ci_option, json_option, option, order_option
from assent.cli.gates import (
    baseline_option,
    check_outputs,
    finish,
    gate_option,
    junit_option,
    margin_option,
    summary_option,
)
from assent.cli.options import OWN, agreement_weights_from, asks_for_sets, takes_options_of, takes_table
from assent.limits import INTERVAL_METHODS
from assent.option_texts import comma_separated

__all__ = ["measure_command"]

HOW = "How to measure"
SETS = "Annotations with several labels"
SURE = "How sure it is"
OUTPUT = "What to print, and when to fail"


_how = functools.partial(option, panel=HOW)


@takes_table(sets=asks_for_sets)
@takes_options_of("measure", panel=OWN, hidden=True)
def measure_command(
    data: Any,
    measure: Annotated[
        Optional[list[str]],
        _how("Name of a coefficient (`assent measures` lists them). Repeatable.", "--measure", "-m", metavar="NAME"),
    ] = None,
    scale: Annotated[
        Optional[str],
        _how(
            "Level of measurement: nominal unless given. It chooses the distance of Krippendorff's alpha and the weights "
            "of the others.",
            metavar="nominal|ordinal|interval|ratio",
        ),
    ] = None,
    weights: Annotated[
        Optional[str],
        _how(
            "Agreement weights, in place of those of the scale: identity, linear, quadratic, ordinal, radical, ratio, "
            "circular, bipolar, or a CSV file with a matrix of labels x labels.",
            metavar="NAME|FILE",
            completes="weights",
        ),
    ] = None,
    order: Annotated[Optional[str], order_option(panel=HOW)] = None,
    by_label: Annotated[bool, _how("Also measure each label against all the others.", "--by-label")] = False,
    ambiguity: Annotated[
        Optional[bool],
        _how(
            "They can all be true, or they are doubt about one true label: it decides which measure to quote.",
            "--ambiguity/--one-true-label",
            panel=SETS,
            hidden=True,
        ),
    ] = None,
    ci: Annotated[
        str,
        ci_option(panel=SURE),
    ] = INTERVAL_METHODS[0],
    bootstrap: Annotated[str, bootstrap_option(panel=SURE)] = "bca",
    level: Annotated[float, _how("Confidence level.", panel=SURE, show_default=True, metavar="X")] = 0.95,
    replicates: Annotated[int, _how("Bootstrap samples.", panel=SURE, show_default=True, metavar="N")] = 1000,
    seed: Annotated[
        int,
        _how(
            "Seed of what is drawn: the same seed, the same digits.",
            panel=SURE,
            metavar="N",
            show_default=True,
        ),
    ] = 0,
    test: Annotated[
        bool,
        _how(
            "Also test 'no agreement beyond chance' by permuting labels, --replicates less one times.",
            "--test",
            panel=SURE,
        ),
    ] = False,
    generalise: Annotated[
        str,
        _how(
            "Intervals are about other items, or about other annotators too.",
            panel=SURE,
            metavar="items|annotators",
            show_default=True,
            hidden=True,
        ),
    ] = "items",
    json: Annotated[bool, json_option(panel=OUTPUT)] = False,
    fail_under: Annotated[
        Optional[float],
        _how(
            "Exit with 1 if a measure named with --measure (or else the one to quote) is below this.",
            panel=OUTPUT,
            metavar="X",
        ),
    ] = None,
    target: Annotated[
        Optional[str],
        _how(
            "The same by kind of task: objective (0.80), standard (0.70), subjective (0.50), highly-subjective (0.40).",
            panel=OUTPUT,
            metavar="TASK",
        ),
    ] = None,
    fail_on: Annotated[
        str,
        _how(
            "What --fail-under looks at: the value, or the lower end of its interval.",
            panel=OUTPUT,
            metavar="value|low",
            show_default=True,
            hidden=True,
        ),
    ] = "value",
    words: Annotated[
        Optional[str],
        _how(
            "A second scale of words beside the one that is usual for the coefficient (Krippendorff's for alpha, Landis and Koch's for kappas).",
            panel=OUTPUT,
            metavar="landis-koch|krippendorff|fleiss|cicchetti|mcbride",
            hidden=True,
        ),
    ] = None,
    baseline: Annotated[Optional[str], baseline_option(panel=OUTPUT)] = None,
    gate: Annotated[Optional[list[str]], gate_option(panel=OUTPUT)] = None,
    margin: Annotated[float, margin_option(panel=OUTPUT)] = 0.05,
    summary: Annotated[Optional[str], summary_option(panel=OUTPUT)] = None,
    junit: Annotated[Optional[str], junit_option(panel=OUTPUT)] = None,
    **options: Any,
) -> None:
    """Measure the agreement of annotators, with intervals.

    Without --measure it runs what fits the data, says why, and which number to quote.

      assent measure labels.csv
      assent measure ratings.csv --scale ordinal --ci bootstrap --seed 1
      assent measure labels.csv -m fleiss-kappa --fail-under 0.7 --json
      assent measure labels.csv --baseline last.json --gate no-worse
      assent measure spans.csv -m span-f1 --match overlap
    """
    from assent.analyses.measure import measure as measured
    from assent.cli.progress import stage
    from assent.errors import OptionError, choose

    check_outputs(json=json, summary=summary, junit=junit)
    choose("fail_on", fail_on, ("value", "low"))
    if fail_on == "low" and ci == "none":
        raise OptionError("`fail_on` low needs an interval, and `ci` none makes none.")
    result = measured(
        data,
        *(measure or ()),
        scale=scale,
        weights=agreement_weights_from(weights, getattr(data, "labels", ())),
        order=comma_separated(order),
        by_label=by_label,
        ambiguity=ambiguity,
        ci=ci,
        bootstrap=bootstrap,
        level=level,
        replicates=replicates,
        seed=seed,
        test=test,
        generalise=generalise,
        fail_under=fail_under,
        target=target,
        baseline=baseline,
        gate=gate or (),
        margin=margin,
        words=words,
        stage=stage,
        **{name: value for name, value in options.items() if value is not None},
    )
    outcomes = result.outcomes(fail_on)  # type: ignore[arg-type]
    finish(result, outcomes, files=[result.data.describe()], json=json, summary=summary, junit=junit)
