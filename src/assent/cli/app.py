"""The program `assent`: its commands, and what becomes of errors."""

from __future__ import annotations

import ast
import contextlib
import importlib
import io
import os
import pkgutil
import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Annotated, Any, NoReturn

import typer

from assent.cli import INTERRUPTS
from assent.cli.common import LAST_WORDS
from assent.cli.completion import insert, measures, unfinished
from assent.errors import AssentError
from assent.text import LONGEST, escaped, shortened, shown

__all__ = ["COMMANDS", "program", "run"]

BAD_INPUT, INTERRUPTED = 2, 130

#: Every command, in the order of the help: `measure` is `measure_command` of `assent.cli.measure`, and so on.
COMMANDS = (
    "look", "report", "measure", "explain", "advise", "items", "annotators", "labels", "ceiling", "judge", "repeat", "compare", "consensus", "sweep", "plan", "monitor", "measures", "serve",
)  # fmt: skip


#: What is said of the program as a whole, or of all of its commands.
_ABOUT_ALL = ("-h", "--help", "-V", "--version")
#: What takes the name of a shell, or finds out which one it is.
_COMPLETION = ("--install-completion", "--show-completion")
#: Options in place of a file.
_IN_PLACE = ("--example", "--table")
#: Commands that read no table: all of their help is always shown.
_SHORT_HELP = ("measures", "serve")


def program(wanted: str | None = None) -> typer.Typer:
    """Make the program with the command that is wanted, or with all of them: what does not run need not be imported."""
    asked = unfinished()
    made = typer.Typer(
        name="assent",
        no_args_is_help=True,
        add_completion=wanted not in COMMANDS or asked is not None,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    if wanted is not None and wanted.partition("=")[0] in _COMPLETION:
        _complete_at_once()
    made.callback(
        epilog="Exit codes: 0 done, 1 below --fail-under or a gate, 2 bad input or usage, 3 not enough data for a gate to tell."
    )(_assent)
    one = wanted in COMMANDS
    listed = not one and wanted is not None and (wanted in _ABOUT_ALL or not wanted.startswith("-"))
    for name in (str(wanted),) if one else COMMANDS:
        if listed or (asked is not None and not one):
            made.command(name, help=_summary(name))(_nothing)
        else:
            made.command(name)(_function(name))
    for name, what in _first_words(asked[0]).items() if asked is not None and len(asked) == 1 else ():
        made.command(name, help=what)(_nothing)
    return made


def _function(name: str) -> Callable[..., None]:
    """Return the function of a command."""
    made: Callable[..., None] = getattr(importlib.import_module(f"assent.cli.{name}"), f"{name}_command")
    return made


def _complete_at_once() -> None:
    """Let typer's script for zsh complete when zsh first reads it, too: the first Tab in a terminal would do nothing.

    And have it call a shell by its name: to Python the name that was typed is `Shells.bash`.
    """
    from typer import _completion_shared as typers

    setattr(typers.Shells, "__str__", lambda shell: shell.value)  # noqa: B010
    begun = '\nif [[ $zsh_eval_context[-1] == loadautofunc ]]; then %(complete_func)s "$@"; fi\n'
    typers._completion_scripts["zsh"] = typers.COMPLETION_SCRIPT_ZSH + begun


def _first_words(begun: str) -> dict[str, str]:
    """Return what else a command line may begin with, once a letter is typed: a file, a coefficient, help."""
    if not begun or begun.startswith("-"):
        return {}
    files = [name for name in os.listdir() if os.path.isfile(name) and not any(map(str.isspace, name))]
    known = {"help": "Help of a command.", "version": "The version."} | dict.fromkeys(measures(), "Measure it.")
    known |= dict.fromkeys(files, "A short report on it.")
    return {name: what for name, what in sorted(known.items()) if name.startswith(begun) and name not in COMMANDS}


def _summary(name: str) -> str:
    """Return what a command says of itself, from its source: what only lists it need not import what it works with."""
    source = ast.parse(pkgutil.get_data("assent.cli", f"{name}.py") or b"")
    command = next(one for one in source.body if isinstance(one, ast.FunctionDef) and one.name == f"{name}_command")
    return ast.get_docstring(command) or ""


def _nothing() -> None:
    """Stand for a command in a list of all."""


def _version(wanted: bool) -> None:
    if wanted:
        from assent import __version__

        typer.echo(f"assent {__version__}")
        raise typer.Exit


def _assent(
    version: Annotated[
        bool, typer.Option("--version", "-V", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Measure how far annotators agree, and how sure that is.

    Give it a table of labels as you have it: one row per annotation (item,
    annotator, label), one row per item with a column per annotator, counts of
    labels per item, or a confusion table of two annotators.

      assent labels.csv             how far they agree, and what to do
      assent look labels.csv        how the file is read
      assent report labels.csv      everything, as a page beside the file
      assent measure labels.csv     the coefficients
      assent --example story        no file at hand: an example
    """


# Newer versions of typer bring a click of their own, so its errors are found by the family they belong to.
_UsageError = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")


def run(
    arguments: list[str] | None = None,
    *,
    name: str = "assent",
    make: Callable[[str | None], typer.Typer] = program,
) -> None:
    """Run a program; every error is one sentence on standard error and an exit code, never a traceback.

    Parameters
    ----------
    arguments : list of str, optional
        Those of the process if not given.
    name : str
        What the program is called in its help.
    make : callable
        From the first argument to the program.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that knows ASCII alone gets escapes in place of what it cannot show.
            stream.reconfigure(errors="backslashreplace")
    try:
        sys.exit(_run(arguments, name, make))
    except AssentError as error:
        from assent.cli.output import with_flags

        _end(with_flags(str(error)), BAD_INPUT)
    except _UsageError as error:  # type: ignore[misc]
        _end(_usage(error, sys.argv[1:] if arguments is None else arguments), BAD_INPUT)
    except KeyboardInterrupt:
        _end("interrupted.", INTERRUPTED)
    except MemoryError:
        _end(
            "the data do not fit into memory: use fewer columns or rows, or an engine such as DuckDB or Spark.",
            BAD_INPUT,
        )
    except OSError as error:
        # What a file lacks is told where it is read or written; the rest is what the system refuses, such as a full disk.
        about = "" if error.filename is None else f"{shown(error.filename, 200)}: "
        _end(f"the system refused to go on: {about}{escaped(error.strerror or error)[:300]}.", BAD_INPUT)
    except Exception as error:
        if os.environ.get("ASSENT_DEBUG"):
            raise
        what = escaped(error)[:300]
        _end(
            f"a defect in assent, {type(error).__name__}: {what} (set ASSENT_DEBUG=1 to see where, and please report it).",
            BAD_INPUT,
        )


def _run(arguments: list[str] | None, name: str, make: Callable[[str | None], typer.Typer]) -> int:
    """Run a command and return its exit code."""
    asked = unfinished() if make is program else None
    try:
        LAST_WORDS.clear()
        given = sys.argv[1:] if arguments is None else arguments
        if asked:
            given = _completed(asked)
        elif make is program:
            given = _meant(given)
            if given and given[0].partition("=")[0] in _COMPLETION and (len(given) > 1 or "=" in given[0]):
                # Typer takes the name of a shell where it does not look for the one that runs.
                os.environ["_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION"] = "1"
        made = make(given[0] if given else "--help")
        given = [] if asked else given
        code = made(given, prog_name=name, standalone_mode=False) or 0
        if code == INTERRUPTED:
            # Typer takes Ctrl-C for an end like any other.
            raise KeyboardInterrupt
        sys.stdout.flush()
        for said in LAST_WORDS:
            typer.echo(said, err=True)
        return int(code)
    except (SystemExit, BrokenPipeError) as end:
        if asked is not None and isinstance(end, SystemExit):
            # A shell is told by the code whether there is a word to complete: fish completes files if there is none.
            raise
        # The reader of our output has gone, as in `assent … | head` (typer and rich leave in that case, and in no
        # other): nothing is wrong, and what is still to be written has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _meant(given: list[str]) -> list[str]:
    """Put what people type into the words of the program: a file alone is a short report on it, a coefficient is measured.

    Examples
    --------
    >>> _meant(["labels.csv", "--scale", "ordinal"]), _meant(["help", "plan"]), _meant(["version"]), _meant(["measure"])
    (['report', '--brief', 'labels.csv', '--scale', 'ordinal'], ['plan', '--help'], ['--version'], ['measure'])
    >>> _meant(["--json", "labels.csv"]), _meant(["--json", "measure", "labels.csv"])
    (['report', '--brief', '--json', 'labels.csv'], ['--json', 'measure', 'labels.csv'])
    >>> _meant(["--example", "judge"]), _meant(["--label", "labels", "labels.csv"])
    (['report', '--brief', '--example', 'judge'], ['report', '--brief', '--label', 'labels', 'labels.csv'])
    """
    if not given:
        return given
    first = given[0]
    if first in _SHORT_HELP:
        return ["--help" if one == "--help-all" else one for one in given]
    if first in COMMANDS or first.partition("=")[0] in (*_ABOUT_ALL, *_COMPLETION):
        return given
    if first.startswith("-") and first != "-":
        # An option before the data, unless it stands before a command.
        return (
            ["report", "--brief", *given] if _command_after(given) is None and any(map(_names_data, given)) else given
        )
    if first == "help":
        known = (one for one in given[1:2] if one not in ("help", "version"))
        return [*("measure" if _is_measure(one) else one for one in known), "--help"]
    if first == "version":
        return ["--version"]
    if _names_data(first):
        return ["report", "--brief", *given]
    named = _is_measure(first) or first.casefold() == "weighted-kappa"
    return ["measure", "--measure", first, *given[1:]] if named else given


def _command_after(given: list[str]) -> str | None:
    """Return the command that stands behind options, if one does: a column or an example may be called like one."""
    commands = [one for one in given if one in COMMANDS]
    if not commands or given[0] in COMMANDS:
        return next(iter(commands), None)
    taking = {name for one in _command("report").params if not getattr(one, "is_flag", True) for name in one.opts}
    words = (one for one, before in zip(given, ["", *given], strict=False) if before not in taking)
    return next((one for one in words if one in COMMANDS), None)


def _command(name: str) -> Any:
    """Return a command by itself, which knows its options."""
    made = typer.Typer(add_completion=False)
    made.command(name)(_function(name))
    return typer.main.get_command(made)


def _names_data(word: str) -> bool:
    """Tell whether a word of a command line is a file, or an option in place of one."""
    if word.startswith("-") and word != "-":
        return word.partition("=")[0] in _IN_PLACE
    return word == "-" or os.path.sep in word or "." in word or os.path.exists(word)


def _completed(asked: list[str]) -> list[str]:
    """Put what a shell asks about into the words of the program, for typer as well."""
    first, *rest = asked
    before = asked[:1] if first in COMMANDS or not first.startswith("-") else asked[:-1]
    if first.partition("=")[0] in _IN_PLACE or (rest and any(map(os.path.isfile, before))):
        insert(1, "report")
        return ["report", *asked]
    if rest and first not in COMMANDS and first in measures():
        insert(1, "measure", replaced=1)
        return ["measure", *rest]
    return asked if rest else []


def _is_measure(name: str) -> bool:
    """Tell whether a coefficient is called so."""
    from assent.measures.registry import find

    try:
        return bool(find(name))
    except AssentError:
        return False


def _usage(error: Any, arguments: Sequence[str]) -> str:
    """Turn an error of the command-line parser into one sentence that says where help is."""
    context = error.ctx
    if type(error).__name__ == "NoArgsIsHelpError":
        return f"no command was given; see {context.command_path} --help."
    begun = _command_after(_meant(list(arguments))) or ""
    command = f"assent {begun}".rstrip() if context is None else context.command_path
    message = str(error.format_message())
    # The parser repeats what was given, whole: as it is, or as Python would write it.
    given = {part for one in arguments for part in (one, one.partition("=")[0], one.partition("=")[2])}
    for one in sorted(given, key=len, reverse=True):
        for said in (one, repr(one)[1:-1]) if len(one) > LONGEST else ():
            message = message.replace(said, shortened(said))
    message = escaped(" ".join(message.split())).rstrip(".")
    for kind, what in (("float", "a number"), ("int", "a whole number")):
        message = message.replace(f"is not a valid {kind}", f"is not {what}")
    if message.startswith("No such option") and begun and context is not None and context.parent is None:
        flag, wanted = arguments[0].partition("=")[0], _command(begun)
        if any(flag in (*one.opts, *one.secondary_opts) for one in wanted.params):
            flag = shortened(escaped(flag))
            return f"{flag} stands before the command: put it after {begun}, as in `assent {begun} FILE {flag}`."
        try:
            wanted.make_context(begun, [flag], parent=context)
        except _UsageError as unknown:  # type: ignore[misc]
            return _usage(unknown, arguments)
    if message.startswith("No such command") and "?" not in message and arguments:
        wanted = next((one for one in arguments if one != "help"), "help")
        near = get_close_matches(wanted, [*COMMANDS, "help", "version", *measures()], n=1)
        message += f". Did you mean '{near[0]}'?" if near else ""
    return f"{message} See {command} --help." if message.endswith("?") else f"{message}; see {command} --help."


def _end(message: str, code: int) -> NoReturn:
    if INTERRUPTS:
        message, code = "interrupted.", INTERRUPTED
    # Where it cannot be said, the exit code still is.
    with contextlib.suppress(OSError):
        print(f"assent: {message}", file=sys.stderr, flush=True)
    sys.exit(code)
