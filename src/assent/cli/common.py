"""Options that commands have in common, in the same words."""

from __future__ import annotations

from functools import partial
from typing import Any

import typer

__all__ = ["json_option", "option", "order_option", "output_option", "spreadsheet_option"]


def option(help: str, *names: str, panel: str | None, **settings: Any) -> Any:
    """Describe an option; the value it has unless it is given is shown on request alone."""
    return typer.Option(*names, help=help, rich_help_panel=panel, **{"show_default": False, **settings})


json_option = partial(option, "Print one JSON object, in full precision.", "--json")
order_option = partial(option, "The labels from lowest to highest, used or not.", metavar="LOW,MID,HIGH")
spreadsheet_option = partial(
    option,
    "Put an apostrophe before cells of the CSV or TSV file that a spreadsheet would run as a formula.",
    "--for-spreadsheet",
)


def output_option(help: str, *, panel: str) -> Any:
    """Describe the file that a table is written to."""
    return option(help, "--output", "-o", panel=panel, metavar="FILE")
