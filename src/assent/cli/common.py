"""Options that commands have in common, in the same words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import typer

from assent.cli.completion import completer, unfinished
from assent.limits import INTERVAL_METHODS
from assent.option_texts import DISTANCE_HELP, TREE_HELP

__all__ = [
    "LAST_WORDS",
    "bootstrap_option",
    "distance_option",
    "json_option",
    "option",
    "order_option",
    "output_option",
    "spreadsheet_option",
    "tree_option",
]


#: What is said on standard error once a command is done, such as which example it was; of one that fails only the reason is said.
LAST_WORDS: list[str] = []

#: Names that an option can be are put into its description if they take more columns than this.
WIDEST = 18


def option(
    help: str,
    *names: str,
    panel: str | None,
    metavar: str | None = None,
    completes: str | Sequence[str] = (),
    hidden: bool = False,
    **settings: Any,
) -> Any:
    """Describe an option; the value it has unless it is given is shown on request alone.

    A list of names as the `metavar`, such as ``"first|second"``, stands beside the option if it is short, so that there is room for
    the description, and at its end if it is long and not told there. A shell completes these names, or what `completes` says.
    """
    completes = completes or _completed(names, metavar or "")
    if completes:
        settings["autocompletion"] = completer(completes)
    # What the help shows on request a shell completes from the first letter on.
    asked = unfinished()
    hidden = hidden and (not asked or asked[-1] in ("-", "--"))
    if metavar is not None and "|" in metavar and len(metavar) > WIDEST:
        *most, last = choices = metavar.split("|")
        told = all(one in help for one in choices)
        help, metavar = help if told else f"{help} One of {', '.join(most)} and {last}.", "NAME"
    return typer.Option(
        *names,
        help=help,
        rich_help_panel=panel,
        metavar=metavar,
        hidden=hidden,
        **{"show_default": False, **settings},
    )


def _completed(names: Sequence[str], metavar: str) -> str | Sequence[str]:
    """Return what a shell completes as the value of an option, by what stands for it; nothing for numbers, texts and files.

    Examples
    --------
    >>> _completed(["--ci"], "etel|none"), _completed([], "TASK|X"), _completed([], "A,B,C"), _completed([], "N")
    (['etel', 'none'], 'task', 'column', ())
    """
    known = {"TASK": "task", "COLUMN": "column", "A,B,C": "column", "A,B": "column"}
    choices = metavar.split("|")
    if "--measure" in names:
        return "measure"
    found = next((known[one] for one in choices if one in known), ())
    return found or ([one for one in choices if one.islower()] if len(choices) > 1 else ())


json_option = partial(option, "Print one JSON object, in full precision.", "--json")
order_option = partial(option, "The labels from lowest to highest, used or not.", metavar="LOW,MID,HIGH")
bootstrap_option = partial(
    option, "Kind of bootstrap interval.", metavar="bca|percentile", show_default=True, hidden=True
)
spreadsheet_option = partial(
    option,
    "Put an apostrophe before cells of the CSV or TSV file that a spreadsheet would run as a formula.",
    "--for-spreadsheet",
)


def ci_option(*, panel: str) -> Any:
    """Return the option that says how intervals are made; its default is the first of `INTERVAL_METHODS`."""
    return option(
        "How intervals are made; etel suits few items and rare labels, the others are usual.",
        "--ci",
        panel=panel,
        metavar="|".join([*INTERVAL_METHODS, "none"]),
        show_default=True,
    )


def output_option(help: str, *, panel: str) -> Any:
    """Describe the file that a table is written to."""
    return option(help, "--output", "-o", panel=panel, metavar="FILE")


#: Of commands that compare labels by a distance, without the name of a coefficient.
distance_option = partial(
    option, f"How labels are told apart that are more than names: {DISTANCE_HELP}", metavar="NAME", completes="distance"
)
tree_option = partial(option, TREE_HELP, metavar="FILE")
