"""What commands that judge have in common: options of gates, files for a pipeline, and exit codes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import typer

from assent.cli.common import option

if TYPE_CHECKING:
    from assent.analyses.gates import GateOutcome
    from assent.documents import Result

__all__ = [
    "baseline_option",
    "check_outputs",
    "finish",
    "gate_option",
    "junit_option",
    "margin_option",
    "summary_option",
]

gate_option = partial(
    option,
    "Judge by intervals. kappa: it reaches --fail-under. no-worse: not below what came before by more than --margin. Exit 0 (pass), 1 (fail), 3 "
    "(too few data). Repeatable.",
    "--gate",
    metavar="NAME",
    completes=("kappa", "no-worse"),
)
margin_option = partial(option, "How much worse is still no worse.", "--margin", metavar="X", show_default=True)
baseline_option = partial(
    option,
    "JSON of an earlier run, to compare with.",
    "--baseline",
    metavar="FILE",
)
summary_option = partial(
    option,
    "Write a summary in Markdown; - prints it.",
    "--summary",
    metavar="FILE|-",
)
junit_option = partial(option, "Write outcomes as JUnit XML.", "--junit", metavar="FILE")


def finish(
    result: Result,
    outcomes: Sequence[GateOutcome],
    *,
    files: Sequence[str],
    json: bool,
    summary: str | None,
    junit: str | None,
    show: Callable[[], None] | None = None,
) -> None:
    """Write and print what was asked for, say what does not hold, and end with the exit code of the outcomes.

    Parameters
    ----------
    outcomes : sequence of GateOutcome
        With those of `fail_under`.
    files : sequence of str
        What was judged.
    summary, junit : str or None
        Files to write.
    show : callable, optional
        Prints the result for a person; as any other if not given.
    """
    from assent.analyses.gates import exit_code
    from assent.cli import output

    if summary is not None:
        from assent import documents
        from assent.documents.summary import summary_of

        short = documents.told(summary_of(result.document(), outcomes), output.with_flags)
        _write(summary, documents.rendered(short, "markdown"))
    if junit is not None:
        from assent.documents.junit import junit_xml

        _write(junit, junit_xml(outcomes, suite=", ".join(map(str, files)) or "assent"))
    if json:
        output.print_json(result.to_dict())
    elif summary != "-" and junit != "-":
        (show or partial(output.show, result))()
    for one in outcomes:
        if one.outcome != "pass":
            typer.echo(f"assent: {output.with_flags(one.sentence)}", err=True)
    code = exit_code(outcomes)
    if code:
        raise typer.Exit(code)


def check_outputs(*, json: bool, summary: str | None, junit: str | None) -> None:
    """Refuse two outputs on one stream, and one that cannot be written, before anything is worked out."""
    from assent.errors import OptionError

    if [json, summary == "-", junit == "-"].count(True) > 1:
        raise OptionError(
            "--json, --summary - and --junit - each print on standard output: give one of them, and a file to the others."
        )
    for path in (summary, junit):
        if path is not None and path != "-":
            from assent.atomic_files import check_place

            check_place(path)


def _write(path: str, content: str) -> None:
    if path == "-":
        print(content, end="")
        return
    from assent.atomic_files import write_whole

    write_whole(path, content)
