"""The program `assent`: its commands, and what becomes of errors."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from assent.cli.measure import measure_command
from assent.cli.measures import measures_command
from assent.errors import AssentError

__all__ = ["app", "run"]

BELOW_TARGET, BAD_INPUT, INTERRUPTED = 1, 2, 130

app = typer.Typer(
    name="assent",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _version(wanted: bool) -> None:
    if wanted:
        from assent import __version__

        typer.echo(f"assent {__version__}")
        raise typer.Exit


@app.callback(epilog="Exit codes: 0 done, 1 below --fail-under, 2 bad input or usage.")
def _assent(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Measure how far annotators agree, and how sure that is.

    Give it a table of labels as you have it: one row per annotation (item, annotator, label), one row per item with a
    column per annotator, counts of labels per item, or a confusion table of two annotators.

      assent measure labels.csv
    """


app.command("measure")(measure_command)
app.command("measures")(measures_command)


def run(arguments: list[str] | None = None) -> None:
    """Run the program; every error is one sentence on standard error and an exit code, never a traceback."""
    try:
        app(arguments)
    except AssentError as error:
        _complain(str(error))
        sys.exit(BAD_INPUT)
    except KeyboardInterrupt:
        _complain("interrupted.")
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output has gone, as in `assent … | head`: nothing is wrong.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except MemoryError:
        _complain("the data do not fit into memory: use fewer columns or rows, or an engine such as DuckDB or Spark.")
        sys.exit(BAD_INPUT)
    except Exception as error:
        if os.environ.get("ASSENT_DEBUG"):
            raise
        _complain(
            f"a defect in assent, {type(error).__name__}: {error} (set ASSENT_DEBUG=1 to see where, and please report it)."
        )
        sys.exit(BAD_INPUT)


def _complain(message: str) -> None:
    print(f"assent: {message}", file=sys.stderr)
