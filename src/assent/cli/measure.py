"""`assent measure`: coefficients with intervals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from assent.cli.options import listed, takes_table

if TYPE_CHECKING:
    from assent.annotations import Annotations
    from assent.results import Agreement, Interval

__all__ = ["measure_command"]

#: What is measured when no measure is named; the first one is the one to quote.
DEFAULT_MEASURES = ("krippendorff-alpha", "fleiss-kappa", "percent-agreement")
HOW = "How to measure"
SURE = "How sure it is"


def _how(help: str, *names: str, panel: str = HOW, **settings: Any) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=panel, **settings)


@takes_table
def measure_command(
    data: Any,
    measure: Annotated[
        Optional[list[str]],
        _how(
            "Name of a coefficient (`assent measures` lists them). Repeatable.",
            "--measure",
            "-m",
            metavar="NAME",
            show_default=False,
        ),
    ] = None,
    scale: Annotated[
        Optional[str],
        _how(
            "Level of measurement: nominal unless given. It chooses the distance of Krippendorff's alpha and the weights of the others.",
            metavar="nominal|ordinal|interval|ratio",
            show_default=False,
        ),
    ] = None,
    weights: Annotated[
        Optional[str],
        _how(
            "Agreement weights, in place of those of the scale: identity, linear, quadratic, ordinal, radical, ratio, circular, "
            "bipolar, or a CSV file with a matrix of labels x labels.",
            metavar="NAME|FILE",
            show_default=False,
        ),
    ] = None,
    order: Annotated[
        Optional[str],
        _how("The labels from lowest to highest, for an ordered scale.", metavar="LOW,MID,HIGH", show_default=False),
    ] = None,
    scheme: Annotated[
        Optional[str],
        _how(
            "How spa weighs items: annotations-m1, flat, annotations, edges, inv-var, inv-var-class.",
            metavar="NAME",
            show_default=False,
        ),
    ] = None,
    ci: Annotated[
        str,
        _how(
            "How intervals are made. analytic is fast; bootstrap follows a skewed distribution and suits few items.",
            panel=SURE,
            metavar="analytic|jackknife|bootstrap|none",
        ),
    ] = "analytic",
    bootstrap: Annotated[str, _how("Kind of bootstrap interval.", panel=SURE, metavar="bca|percentile")] = "bca",
    level: Annotated[float, _how("Confidence level.", panel=SURE)] = 0.95,
    replicates: Annotated[int, _how("Bootstrap samples.", panel=SURE)] = 1000,
    seed: Annotated[
        int, _how("Seed of the bootstrap and of the permutation test: the same seed, the same digits.", panel=SURE)
    ] = 0,
    test: Annotated[
        bool,
        _how(
            "Also test 'no agreement beyond chance' by permuting the labels (as often as --replicates less one).",
            "--test",
            panel=SURE,
        ),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object, in full precision.")] = False,
    fail_under: Annotated[
        Optional[float],
        typer.Option(
            help="Exit with 1 if a measure named with --measure (or else Krippendorff's alpha) is below this.",
            metavar="X",
            show_default=False,
        ),
    ] = None,
    fail_on: Annotated[
        str,
        typer.Option(
            help="What --fail-under looks at: the value, or the lower end of its interval.", metavar="value|low"
        ),
    ] = "value",
) -> None:
    """Measure the agreement of annotators, with intervals.

    Without --measure it shows Krippendorff's alpha, Fleiss' kappa and percent agreement.

      assent measure labels.csv
      assent measure ratings.csv --scale ordinal --ci bootstrap --seed 1
      assent measure labels.csv -m fleiss-kappa --fail-under 0.7 --json
    """
    from assent.cli import show
    from assent.cli.progress import stage
    from assent.errors import choose
    from assent.measures import find

    choose("--ci", ci, ("analytic", "jackknife", "bootstrap", "none"))
    choose("--fail-on", fail_on, ("value", "low"))
    _check_level(level, fail_on, ci)
    chosen = [find(name) for name in measure or DEFAULT_MEASURES]
    if order is not None:
        data = data.ordered(listed(order))
    if measure is None and scale is not None:
        chosen = [one for one in chosen if scale in one.scales]
    settings: dict[str, Any] = {"scale": scale, "weights": _weights(weights, data)}
    results: list[tuple[Agreement, Interval | None, float | None]] = []
    for one in chosen:
        with stage(f"Measuring {one.title}"):
            own = {"scheme": scheme} if scheme is not None and "scheme" in one.choices else {}
            agreement = one(data, **settings, **own)
            interval = None
            if ci != "none":
                interval = agreement.confidence_interval(
                    level, method=ci, kind=bootstrap, replicates=replicates, seed=seed
                )
            p_value = agreement.permutation_test(permutations=max(1, replicates - 1), seed=seed) if test else None
            results.append((agreement, interval, p_value))
    if json:
        show.as_json(data, results)
    else:
        show.as_table(data, results, level)
    if fail_under is not None:
        gated = results if measure else results[:1]
        _gate(gated, fail_under, fail_on)


def _check_level(level: float, fail_on: str, ci: str) -> None:
    from assent.errors import OptionError

    if not 0 < level < 1:
        raise OptionError(f"--level is {level}; it must lie between 0 and 1, as 0.95 does.")
    if fail_on == "low" and ci == "none":
        raise OptionError("--fail-on low needs an interval, and --ci none makes none.")


def _weights(named: str | None, data: Annotations) -> Any:
    """Take weights by name, or read them from a file."""
    from pathlib import Path

    from assent.scales import WEIGHTS

    if named is None or named in WEIGHTS or not Path(named).exists():
        return named
    from assent.readers.weights import read_weights

    return read_weights(named, data.labels)


def _gate(results: list[tuple[Agreement, Interval | None, float | None]], target: float, look_at: str) -> None:
    """End with 1 if a number is below the target or is undefined."""
    failed = False
    for agreement, interval, _ in results:
        number = agreement.value if look_at == "value" or interval is None else interval.low
        if math.isnan(number) or number < target:
            failed = True
            found = "undefined" if math.isnan(number) else f"{number:.3f}"
            what = agreement.title if look_at == "value" else f"The lower end of the interval of {agreement.title}"
            typer.echo(f"assent: {what} is {found}, below the target of {target:g}.", err=True)
    if failed:
        raise typer.Exit(1)
