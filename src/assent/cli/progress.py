"""Progress on standard error, where a person is watching."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["stage"]


@contextmanager
def stage(what: str) -> Iterator[None]:
    """Show that something is under way until it is done; silent where standard error is not a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    shown = escape(what if len(what) <= 60 else what[:59] + "…")
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        bar.add_task(shown, total=None)
        yield
