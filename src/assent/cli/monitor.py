"""`assent monitor`: agreement while annotation runs."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from assent.cli.common import json_option, option
from assent.cli.options import takes_table

if TYPE_CHECKING:
    from assent.analyses.monitor import Follower, Monitoring

__all__ = ["monitor_command"]

WATCH = "What to watch for"
FOLLOW = "A file that grows"
OUTPUT = "What to print, and when to fail"

#: Options that make sense while a file is followed.
FOLLOWED = frozenset(
    {
        *(
            "files",
            "item",
            "annotator",
            "label",
            "layout",
            "missing",
            "not_missing",
            "duplicates",
            "delimiter",
            "encoding",
        ),
        *("file_format", "time", "target", "level", "method", "window", "follow", "every", "idle", "html", "json"),
        "fail_under",
    }
)
#: Seconds between two lines about a file that is followed, where nobody watches a terminal.
QUIET = 5.0
#: Seconds between two drawings where somebody does.
REDRAW = 0.5


_option = functools.partial(option, panel=WATCH)


@takes_table(keeps=("time", "cluster"))
def _monitor(
    data: Any,
    time: Annotated[
        Optional[str],
        _option(
            "Column with the time of each annotation: ISO 8601 dates and times, or numbers. Without it the order of the file counts.",
            metavar="COLUMN",
        ),
    ] = None,
    target: Annotated[
        Optional[float],
        _option(
            "Say when agreement is settled to be below or above this share of items, such as 0.8. It is not corrected for chance.",
            metavar="X",
        ),
    ] = None,
    level: Annotated[float, _option("Confidence level of the sequence.", show_default=True, metavar="X")] = 0.95,
    method: Annotated[
        str,
        _option(
            "How the sequence is made: a mixture of fixed bets, which allows for drift, or bets that adapt.",
            metavar="mixture|betting",
            show_default=True,
        ),
    ] = "mixture",
    window: Annotated[
        int, _option("How many items the moving agreement looks back.", metavar="ITEMS", show_default=True)
    ] = 100,
    of: Annotated[
        Optional[int],
        _option(
            "How many items there are in all, if these are drawn from them at random: the sequence is then about all of them.",
            metavar="N",
        ),
    ] = None,
    follow: Annotated[
        bool,
        _option(
            "Go on reading while the file grows (CSV, TSV or JSONL, one row per annotation); Ctrl-C ends it.",
            "--follow",
            "-f",
            panel=FOLLOW,
        ),
    ] = False,
    every: Annotated[
        Optional[float],
        _option("Seconds between two looks at the file: 1 unless given.", panel=FOLLOW, metavar="SECONDS"),
    ] = None,
    idle: Annotated[
        Optional[float],
        _option("End when nothing new has come for so long; never unless given.", panel=FOLLOW, metavar="SECONDS"),
    ] = None,
    html: Annotated[Optional[str], _option("Write a page with everything in it.", panel=OUTPUT, metavar="FILE")] = None,
    json: Annotated[bool, json_option(panel=OUTPUT)] = False,
    fail_under: Annotated[
        Optional[float],
        _option(
            "The same as --target, and exit with 1 if in the end the whole sequence lies below it.",
            panel=OUTPUT,
            metavar="X",
        ),
    ] = None,
) -> None:
    """Read the file as it is."""
    from assent.analyses.monitor import monitor
    from assent.cli.progress import stage

    with stage("Following agreement"):
        result = monitor(
            data,
            time=time,
            target=_target(target, fail_under),
            level=level,
            method=method,
            window=window,
            of=of,
        )
    _report(result, html=html, json=json, fail_under=fail_under)


@functools.wraps(_monitor, assigned=("__module__",))
def monitor_command(**values: Any) -> None:
    """Watch agreement while annotation runs: how far it is, how sure that is, and whether it drifts.

    An item counts when it has its second annotation: 1 if the first two agree,
    else 0. The confidence sequence stays valid however often you look, and a
    plain interval does not.

      assent monitor labels.csv --time created_at --target 0.8
      assent monitor labels.csv --follow --fail-under 0.75 --html agreement.html
    """
    if values["follow"]:
        _follow(values)
        return
    for name in ("every", "idle"):
        if values[name] is not None:
            from assent.errors import OptionError

            raise OptionError(f"--{name} is for a file that grows: add --follow.")
    _monitor(**values)


def _target(target: float | None, fail_under: float | None) -> float | None:
    from assent.errors import OptionError

    if target is not None and fail_under is not None:
        raise OptionError("--target and --fail-under both say what to reach: give one of them.")
    return fail_under if target is None else target


def _follow(values: dict[str, Any]) -> None:
    """Follow a file until it ends, and report."""
    from assent.analyses.monitor import follow
    from assent.errors import OptionError

    files = values["files"]
    if not files or len(files) > 1 or files[0] == "-":
        raise OptionError("--follow follows one file: name it.")
    if values["layout"] not in (None, "long"):
        raise OptionError(f"--follow reads one row per annotation, so --layout {values['layout']} does not fit.")
    if values["duplicates"] == "last":
        raise OptionError(
            "--duplicates last does not fit a file that is followed: the first label has counted already."
        )
    for name, parameter in inspect.signature(monitor_command).parameters.items():
        if name not in (*FOLLOWED, "help_all") and values[name] != parameter.default:
            raise OptionError(f"--{name.replace('_', '-')} does not fit a file that is followed: leave it out.")
    kept = ("item", "annotator", "label", "time", "delimiter", "encoding", "level", "method", "window")
    with _watching(files[0]) as on_poll:
        result = follow(
            files[0],
            every=1.0 if values["every"] is None else values["every"],
            idle=values["idle"],
            on_poll=on_poll,
            format=values["file_format"],
            missing=values["missing"] or (),
            not_missing=values["not_missing"] or (),
            target=_target(values["target"], values["fail_under"]),
            **{name: values[name] for name in kept},
        )
    _report(result, html=values["html"], json=values["json"], fail_under=values["fail_under"])


@contextmanager
def _watching(name: str) -> Iterator[Callable[[Follower, bool], None]]:
    """Show on standard error how it goes: a chart that is redrawn for who watches a terminal, else a line now and then."""
    if not sys.stderr.isatty():
        yield _Lines().told
        return
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True, highlight=False)
    with Live(console=console, auto_refresh=False, transient=True) as live:
        yield _View(live, name).told


class _Lines:
    """Says what is new, one line at a time: at once what matters, the rest now and then."""

    def __init__(self) -> None:
        self._events = self._news = self._items = 0
        self._said: set[str] = set()
        self._last = float("-inf")

    def told(self, follower: Follower, news: bool) -> None:
        """Look at what a poll has brought."""
        import time

        for event in follower.events[self._events :]:
            _say(event)
        self._events = len(follower.events)
        due = time.monotonic() - self._last >= QUIET and follower.sequence.n_items > self._items
        if follower.news == self._news and not due:
            return
        from assent.analyses.monitor.document import news as told
        from assent.text import interval, number

        result = follower.result()
        for key, sentence in told(result).items():
            if key not in self._said:
                self._said.add(key)
                _say(sentence)
        ends = interval(result.low, result.high, digits=3)
        _say(f"{result.n_items:,} items, agreement {number(result.agreement, 3)} ({ends}).")
        self._news, self._items, self._last = follower.news, result.n_items, time.monotonic()


def _say(sentence: str) -> None:
    from assent.cli.output import with_flags
    from assent.text import for_terminal

    print(f"assent: {for_terminal(with_flags(sentence), 10_000)}", file=sys.stderr, flush=True)


class _View:
    """Redraws the chart when something is new, but not too often."""

    def __init__(self, live: Any, name: str) -> None:
        self._live, self._name = live, name
        self._last = float("-inf")
        self._stale = True

    def told(self, follower: Follower, news: bool) -> None:
        """Look at what a poll has brought."""
        import time

        self._stale = self._stale or news
        if not self._stale or time.monotonic() - self._last < REDRAW:
            return
        from rich.text import Text

        from assent.analyses.monitor.document import figure
        from assent.analyses.monitor.document import news as changes
        from assent.cli.output import with_flags
        from assent.documents import terminal, told
        from assent.documents.blocks import Document, Prose
        from assent.text import quoted

        result = follower.result()
        console = self._live.console
        stopped = result.stopped
        assert stopped is not None, "a follower says where it is"
        where = f"Following {quoted(self._name, 60)}: line {stopped.line:,}, byte {stopped.offset:,}. Ctrl-C ends it."
        said = Prose([result.sentences[0], *list(changes(result).values())[-4:], *stopped.events[-3:]])
        drawn = terminal.render(told(Document(where, [figure(result), said]), with_flags), width=console.width)
        drawn = drawn.translate(terminal.ASCII) if console.options.ascii_only else drawn
        self._live.update(Text(drawn), refresh=True)
        self._last, self._stale = time.monotonic(), False


def _report(result: Monitoring, *, html: str | None, json: bool, fail_under: float | None) -> None:
    """Print or write what was found, and end with 1 if agreement is below what it must reach."""
    from assent.atomic_files import write_whole
    from assent.cli.output import print_json, rendered, show
    from assent.cli.progress import stage
    from assent.text import digits_to_tell

    if html is not None:
        with stage("Drawing the page"):
            write_whole(html, rendered(result, "html"))
    if json:
        print_json(result.to_dict())
    else:
        show(result.document())
    if fail_under is not None and result.standing == "below":
        digits = digits_to_tell(result.high, lambda end: end < fail_under, 3)
        _say(f"Agreement is below {fail_under:g}: even the upper end of the sequence, {result.high:.{digits}f}, is.")
        raise typer.Exit(1)
