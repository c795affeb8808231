"""`assent measure`: coefficients with intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from assent.cli.common import json_option, option, order_option
from assent.cli.options import agreement_weights_from, listed, takes_table

if TYPE_CHECKING:
    from assent.cli.show import Measured
    from assent.diagnostics import Missingness
    from assent.interpretation import Target
    from assent.measures import Measure

__all__ = ["measure_command"]

HOW = "How to measure"
SURE = "How sure it is"
OUTPUT = "What to print, and when to fail"


_how = partial(option, panel=HOW)


def _asks_for_sets(options: Mapping[str, Any]) -> bool:
    """Tell whether a measure was named that compares sets of labels: the table is then one of sets."""
    from assent.measures import find

    return options["distance"] in ("jaccard", "masi") or any(find(name).label_sets for name in options["measure"] or ())


@takes_table(sets=_asks_for_sets)
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
        ),
    ] = None,
    order: Annotated[Optional[str], order_option(panel=HOW)] = None,
    by_label: Annotated[bool, _how("Also measure each label against all the others.", "--by-label")] = False,
    scheme: Annotated[
        Optional[str],
        _how(
            "How spa and spa-kappa weigh items: annotations-m1, flat, annotations, edges, inv-var or inv-var-class.",
            metavar="NAME",
        ),
    ] = None,
    shares: Annotated[
        Optional[str],
        _how(
            "Shares of the labels for --scheme inv-var-class, in their order; estimated if not given.",
            metavar="0.5,0.3,0.2",
        ),
    ] = None,
    chance: Annotated[
        Optional[str],
        _how("Which pairs spa-kappa takes for chance: cross-item (different items), or naive.", metavar="NAME"),
    ] = None,
    average: Annotated[
        Optional[str],
        _how("How cohen-kappa averages pairs of annotators: by overlap, or plain (Light's kappa).", metavar="NAME"),
    ] = None,
    incomplete: Annotated[
        Optional[str],
        _how(
            "What cohen-kappa does with items that one of two annotators left out: listwise, available or category.",
            metavar="NAME",
        ),
    ] = None,
    form: Annotated[
        Optional[str], _how("Form of the icc, after Shrout and Fleiss: 1,1 2,1 3,1 1,k 2,k or 3,k.", metavar="FORM")
    ] = None,
    prior: Annotated[
        Optional[str],
        _how("What van-oest assumes of the labels beforehand: uniform, jeffreys or none.", metavar="NAME"),
    ] = None,
    distance: Annotated[
        Optional[str],
        _how(
            "How krippendorff-alpha tells sets of labels apart: nominal (same or not), jaccard or masi (by what they share).",
            metavar="nominal|jaccard|masi",
        ),
    ] = None,
    primary: Annotated[
        Optional[float],
        _how(
            "What augmented-kappa gives the primary label, 0.5 to 1; all labels share equally if not given.",
            metavar="P",
        ),
    ] = None,
    expected: Annotated[
        Optional[str],
        _how(
            "Chance agreement of the boot- measures: exact, simulated as in the paper, or by permuting whole sets.",
            metavar="exact|simulate|permute",
        ),
    ] = None,
    simulations: Annotated[
        Optional[int], _how("How many data sets --expected simulate draws; 1000 if not given.", metavar="N")
    ] = None,
    reference: Annotated[
        Optional[str],
        _how("Who is the reference of boot-precision and boot-recall, in the order of names.", metavar="first|second"),
    ] = None,
    ambiguity: Annotated[
        Optional[bool],
        _how(
            "What several labels of an annotation mean: they can all be true, or they are doubt about one true label. It "
            "decides which measure to quote.",
            "--ambiguity/--one-true-label",
        ),
    ] = None,
    ci: Annotated[
        str,
        _how(
            "How intervals are made. analytic is fast; bootstrap follows a skewed distribution and suits few items; etel suits few "
            "items, rare labels and values near 1, and needs no seed.",
            panel=SURE,
            metavar="analytic|jackknife|bootstrap|etel|none",
            show_default=True,
        ),
    ] = "analytic",
    bootstrap: Annotated[
        str, _how("Kind of bootstrap interval.", panel=SURE, metavar="bca|percentile", show_default=True)
    ] = "bca",
    level: Annotated[float, _how("Confidence level.", panel=SURE, show_default=True)] = 0.95,
    replicates: Annotated[int, _how("Bootstrap samples.", panel=SURE, show_default=True)] = 1000,
    seed: Annotated[
        int,
        _how(
            "Seed of the bootstrap and of the permutation test: the same seed, the same digits.",
            panel=SURE,
            show_default=True,
        ),
    ] = 0,
    test: Annotated[
        bool,
        _how(
            "Also test 'no agreement beyond chance' by permuting the labels (as often as --replicates less one).",
            "--test",
            panel=SURE,
        ),
    ] = False,
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
        ),
    ] = "value",
) -> None:
    """Measure the agreement of annotators, with intervals.

    Without --measure it runs what fits the data, says why, and which number to quote.

      assent measure labels.csv
      assent measure ratings.csv --scale ordinal --ci bootstrap --seed 1
      assent measure labels.csv -m fleiss-kappa --fail-under 0.7 --json
    """
    from assent.choosing import choose_measures
    from assent.cli import show
    from assent.cli.progress import stage
    from assent.errors import OptionError, choose
    from assent.measures import find

    choose("--ci", ci, ("analytic", "jackknife", "bootstrap", "etel", "none"))
    choose("--fail-on", fail_on, ("value", "low"))
    if not 0 < level < 1:
        raise OptionError(f"--level is {level}; it must lie between 0 and 1, as 0.95 does.")
    if scale is not None:
        choose("--scale", scale, ("nominal", "ordinal", "interval", "ratio"))
    if replicates < (2 if test else 1):
        raise OptionError(f"--replicates is {replicates}; 1000 is usual, and a test needs at least 2.")
    if fail_on == "low" and ci == "none":
        raise OptionError("--fail-on low needs an interval, and --ci none makes none.")
    goal = _goal(fail_under, target)
    if order is not None:
        data = data.ordered(listed(order))
    with stage("Counting labels by item"):
        choice = None
        if not measure:
            choice = choose_measures(data, scale=scale, weighted=weights is not None, ambiguity=ambiguity)
    chosen = [find(name) for name in (choice.measures if choice else measure or ())]
    settings: dict[str, Any] = {"scale": scale, "weights": agreement_weights_from(weights, data.labels)}
    own = {
        "scheme": scheme,
        "shares": shares,
        "chance": chance,
        "average": average,
        "incomplete": incomplete,
        "form": form,
        "prior": prior,
        "distance": distance,
        "primary": primary,
        "expected": expected,
        "simulations": simulations,
        "reference": reference,
    }
    given: dict[str, Any] = {name: value for name, value in own.items() if value is not None}
    _check_own_options(chosen, given)
    if expected == "simulate":
        given["seed"] = seed
    found = None
    if choice is not None and weights is None:
        from assent.diagnostics import findings

        with stage("Looking for what misleads"):
            found = findings(data, scale=scale)
    how: dict[str, Any] = {"method": ci, "kind": bootstrap, "replicates": replicates, "seed": seed}
    results: list[Measured] = []
    for one in chosen:
        with stage(f"Measuring {one.title}"):
            mine = {**(choice.options.get(one.name, {}) if choice else {}), **given}
            mine = {name: value for name, value in mine.items() if name in one.options}
            agreement = one(data, **settings, **mine)
            interval = None if ci == "none" else agreement.confidence_interval(level, **how)
            p_value = agreement.permutation_test(permutations=max(1, replicates - 1), seed=seed) if test else None
            parts = None
            if by_label and "nominal" in one.scales and not one.label_sets:
                apart = one.by_label(data, **{k: v for k, v in mine.items() if k != "distance"}).items()
                parts = [(name, a, None if ci == "none" else a.confidence_interval(level, **how)) for name, a in apart]
            gaps = _gaps(data, seed) if one.name in ("spa", "spa-kappa") else None
            results.append(show.Measured(agreement, interval, p_value, parts, gaps))
    if json:
        show.as_json(data, results, choice, goal, found)
    else:
        show.as_table(data, results, choice, goal, found, level)
    if goal is not None:
        _gate(results[:1] if choice else results, goal, fail_on)


def _gaps(data: Any, seed: int) -> Missingness:
    """Check whether how often items were annotated has to do with agreement."""
    from assent.diagnostics import missingness

    return missingness(data, seed=seed)


def _goal(fail_under: float | None, task: str | None) -> Target | None:
    """Take the number to reach from either option."""
    from assent.errors import OptionError
    from assent.interpretation import Target, target

    if fail_under is not None and task is not None:
        raise OptionError("--fail-under and --target both say what to reach: give one of them.")
    if task is not None:
        return target(task)
    if fail_under is not None and not fail_under <= 1:
        raise OptionError(f"--fail-under is {fail_under:g}; a coefficient is 1 at most, so give a number such as 0.7.")
    return None if fail_under is None else Target(value=fail_under)


def _check_own_options(chosen: Sequence[Measure], given: dict[str, Any]) -> None:
    """Refuse an option that no measure at hand has."""
    from assent.errors import OptionError
    from assent.measures import all_measures

    for name in given:
        if not any(name in one.options for one in chosen):
            owners = [one.name for one in all_measures().values() if name in one.options]
            raise OptionError(f"--{name} is an option of {', '.join(owners)}: add --measure {owners[0]}.")


def _gate(results: Sequence[Measured], goal: Target, look_at: str) -> None:
    """End with 1 if a number is below the goal or is undefined."""
    failed = False
    for one in results:
        number = one.agreement.value if look_at == "value" or one.interval is None else one.interval.low
        if math.isnan(number) or number < goal.value:
            failed = True
            found = "undefined" if math.isnan(number) else f"{number:.3f}"
            what = (
                one.agreement.title if look_at == "value" else f"The lower end of the interval of {one.agreement.title}"
            )
            typer.echo(f"assent: {what} is {found}, below the target of {goal.value:g}.", err=True)
    if failed:
        raise typer.Exit(1)
