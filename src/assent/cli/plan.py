"""`assent plan`: how much to annotate."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Optional

from assent.cli.common import json_option, option, order_option
from assent.cli.options import OWN, agreement_weights_from, asks_for_sets, takes_options_of, takes_table
from assent.option_texts import comma_separated

__all__ = ["plan_command"]

GOAL = "What to plan for"
ASSUMED = "What to assume, if nothing is annotated yet"
HOW = "How to measure"
OUTPUT = "What to print"


_goal = partial(option, panel=GOAL)


@takes_table(optional=True, sets=asks_for_sets)
@takes_options_of("measure", panel=OWN, hidden=True)
def plan_command(
    data: Any,
    half_width: Annotated[
        Optional[float],
        _goal("Know the value within plus and minus this: half the width of its interval.", metavar="X"),
    ] = None,
    budget: Annotated[
        Optional[float],
        _goal("Annotations in all: how to split them between items and annotations per item.", metavar="N"),
    ] = None,
    target: Annotated[
        Optional[str],
        _goal(
            "Show that the value is above this number, or above that of a kind of task: objective (0.80), standard (0.70), "
            "subjective (0.50), highly-subjective (0.40).",
            metavar="X|TASK",
        ),
    ] = None,
    power: Annotated[
        float,
        _goal(
            "How probable it shall be that --target is shown, if the value is what it seems.",
            metavar="P",
            show_default=True,
        ),
    ] = 0.8,
    annotations_per_item: Annotated[
        Optional[int],
        _goal(
            "As many annotations for each item. Else as many as so far; without a file, the cheapest number.",
            metavar="K",
        ),
    ] = None,
    item_cost: Annotated[
        float,
        _goal(
            "Cost of an item beyond its annotations, in annotations: 2 means two annotations more.",
            metavar="X",
            show_default=True,
        ),
    ] = 0.0,
    agreement: Annotated[
        Optional[float],
        _goal(
            "Probability that two annotators give an item the same label (percent agreement, not corrected for chance).",
            panel=ASSUMED,
            metavar="P",
        ),
    ] = None,
    kappa: Annotated[
        Optional[float],
        _goal("The same corrected for chance, in place of --agreement.", panel=ASSUMED, metavar="K"),
    ] = None,
    shares: Annotated[
        Optional[str], _goal("Shares of the labels, which add up to 1.", panel=ASSUMED, metavar="0.7,0.2,0.1")
    ] = None,
    measure: Annotated[
        str,
        _goal(
            "Name of a coefficient (`assent measures` lists them).",
            "--measure",
            "-m",
            panel=HOW,
            metavar="NAME",
            show_default=True,
        ),
    ] = "krippendorff-alpha",
    scale: Annotated[
        Optional[str],
        _goal("Level of measurement: nominal unless given.", panel=HOW, metavar="nominal|ordinal|interval|ratio"),
    ] = None,
    weights: Annotated[
        Optional[str],
        _goal(
            "Agreement weights, in place of those of the scale: a name such as linear or quadratic, or a CSV file with a "
            "matrix of labels x labels.",
            panel=HOW,
            metavar="NAME|FILE",
            completes="weights",
        ),
    ] = None,
    order: Annotated[Optional[str], order_option(panel=HOW)] = None,
    level: Annotated[float, _goal("Confidence level.", panel=HOW, show_default=True, metavar="X")] = 0.95,
    json: Annotated[bool, json_option(panel=OUTPUT)] = False,
    **options: Any,
) -> None:
    """Plan how much to annotate: how many items, how many annotations for each.

    From the data so far, or without a file from an assumption. Unless told
    otherwise: to know the value within plus and minus 0.1.

      assent plan labels.csv --half-width 0.05
      assent plan labels.csv --budget 3000 --item-cost 1
      assent plan labels.csv --target 0.7 --power 0.9
      assent plan --agreement 0.8 --shares 0.7,0.2,0.1 --half-width 0.05
    """
    from assent import plan
    from assent.cli.output import print_result
    from assent.cli.progress import stage

    names = tuple(str(i + 1) for i in range(len(comma_separated(shares)))) if shares else ()
    given = {
        **options,
        "scale": scale,
        "weights": agreement_weights_from(weights, names if data is None else getattr(data, "labels", ())),
    }
    with stage("Planning"):
        made = plan(
            data,
            half_width=half_width,
            budget=budget,
            target=target,
            power=power,
            annotations_per_item=annotations_per_item,
            agreement=agreement,
            kappa=kappa,
            shares=None if shares is None else _numbers(shares),
            measure=measure,
            level=level,
            item_cost=item_cost,
            order=comma_separated(order),
            **{name: value for name, value in given.items() if value is not None},
        )
    print_result(made, json=json)


def _numbers(text: str) -> list[float]:
    """Read the shares of labels."""
    from assent.errors import OptionError
    from assent.text import shown

    try:
        return [float(one) for one in comma_separated(text)]
    except ValueError:
        raise OptionError(
            f"--shares is {shown(text)}; it must be numbers with commas between, as 0.7,0.2,0.1."
        ) from None
