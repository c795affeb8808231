"""`python -m studies`: the papers' experiments, run again."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Optional

import typer

__all__ = ["program", "study_command"]


def program(wanted: str | None = None) -> typer.Typer:
    """Make the program, whatever is wanted of it: it has one command."""
    made = typer.Typer(
        add_completion=False,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    made.command()(study_command)
    return made


def study_command(
    name: Annotated[
        Optional[str],
        typer.Argument(metavar="NAME", help="Which study; without a name they are listed.", show_default=False),
    ] = None,
    output: Annotated[
        Optional[str],
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            help="Folder for report.md, the tables as CSV and the figures; made if it is not there.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(metavar="N", help="Decides every random draw: the same seed, the same digits.")
    ] = 1,
    quick: Annotated[
        bool, typer.Option("--quick", help="The same experiment, made small: seconds, and rougher numbers.")
    ] = False,
    data: Annotated[
        Optional[list[str]],
        typer.Option(
            metavar="FILE",
            help="Run the experiment on a table of yours too, if the study takes one. Repeatable.",
            show_default=False,
        ),
    ] = None,
    picture_format: Annotated[
        Optional[str],
        typer.Option(
            "--format", metavar="svg|png|pdf", help="Format of the figures: svg unless given.", show_default=False
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Run an experiment of a paper again, and see which of its findings hold.

    A study prints its tables beside the paper's and says of each finding whether
    it holds, by which numbers. Progress goes to standard error.

      python -m studies
      python -m studies spa2022 --quick
      python -m studies spa2022 --data labels.csv -o spa2022
    """
    from assent.cli.output import print_json
    from assent.documents.charts import FORMATS
    from assent.errors import OptionError, choose
    from studies import STUDIES, find_study
    from studies.result import make_folder

    if name is None:
        if output is not None or data or picture_format is not None:
            raise OptionError(f"Say which study to run: {', '.join(STUDIES)}.")
        _list(json)
        return
    study = find_study(name)
    if picture_format is not None:
        if output is None:
            raise OptionError("--format is for figures, which are written into a folder: name it with -o DIR.")
        choose("format", picture_format, FORMATS)
    options: dict[str, Any] = {"seed": seed, "quick": quick}
    if data:
        if "data" not in study.options:
            raise OptionError(f"The study {study.name} takes no data of yours: leave out --data.")
        options["data"] = data
    if output is not None:
        make_folder(output)
    with _bar(study.name) as progress:
        result = study.run(progress=progress, **options)
        files = []
        if output is not None:
            progress(1.0, "writing")
            files = result.save(output, format=picture_format or "svg")
    if json:
        print_json({**result.to_dict(), "files": [str(path) for path in files]})
        return
    _print(result.text())
    if files:
        from assent.text import shown

        print(f"Wrote {len(files)} files into {shown(output, 200)}; report.md shows them all.", file=sys.stderr)


def _list(json: bool) -> None:
    """Print the studies there are."""
    from assent.cli.output import print_json
    from assent.references import REFERENCES
    from studies import STUDIES

    if json:
        print_json(
            {
                "studies": [
                    {
                        "study": one.name,
                        "title": one.title,
                        "reference": REFERENCES[one.reference].text if one.reference else None,
                    }
                    for one in STUDIES.values()
                ]
            }
        )
        return
    widest = max(map(len, STUDIES))
    for one in STUDIES.values():
        paper = f"\n{' ' * widest}  {REFERENCES[one.reference].short}" if one.reference else ""
        _print(f"{one.name:{widest}}  {one.title}{paper}\n")


@contextmanager
def _bar(name: str) -> Iterator[Callable[[float, str], None]]:
    """Show how far a study is on standard error; silent where that is not a terminal."""
    if not sys.stderr.isatty():
        yield lambda done, what: None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(escape(name), total=1.0)
        yield lambda done, what: bar.update(task, completed=done, description=escape(f"{name}: {what}"[:60]))


def _print(text: str) -> None:
    """Print in UTF-8 whatever the terminal speaks: the tables are not ASCII."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    from assent.cli.app import run

    run(name="python -m studies", make=program)
