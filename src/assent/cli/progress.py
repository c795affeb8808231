"""Progress on standard error, where a person is watching and has begun to wait."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["bar", "stage"]

#: Seconds before anything is shown: what is done by then needs no bar, and one that comes and goes flickers.
PATIENCE = 1.0
#: Characters of what is under way.
LONGEST = 60


@contextmanager
def stage(what: str) -> Iterator[None]:
    """Show that something is under way until it is done; silent where standard error is not a terminal."""
    with bar(what, total=None):
        yield


@contextmanager
def bar(what: str = "", *, total: float | None = 1.0) -> Iterator[Callable[[float, str], None]]:
    """Show how far something is, once it takes longer than `PATIENCE`; silent where standard error is not a terminal.

    Parameters
    ----------
    what : str
        What is under way.
    total : float, optional
        What is done in the end; None if that cannot be said.

    Yields
    ------
    callable
        From what is done and what is under way now to None.
    """
    if not sys.stderr.isatty():
        yield lambda done, what: None
        return
    state = {"completed": 0.0, "description": what}
    finished = threading.Event()
    watcher = threading.Thread(target=_show, args=(state, total, finished), daemon=True)
    watcher.start()
    try:
        yield lambda done, what: state.update(completed=done, description=what)
    finally:
        finished.set()
        watcher.join()


def _show(state: dict[str, float | str], total: float | None, finished: threading.Event) -> None:
    """Wait, then draw the state ten times a second until it is finished."""
    if finished.wait(PATIENCE):
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, ProgressColumn, SpinnerColumn, TextColumn, TimeElapsedColumn

    from assent.text import escaped

    first: ProgressColumn = SpinnerColumn() if total is None else TextColumn("{task.percentage:>3.0f} %")
    columns = (first, TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as drawn:
        task = drawn.add_task("", total=total)
        while True:
            what = escaped(str(state["description"]))
            short = what if len(what) <= LONGEST else what[: LONGEST - 1] + "…"
            drawn.update(task, completed=float(state["completed"]), description=escape(short))
            if finished.wait(0.1):
                return
