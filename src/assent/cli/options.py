"""Options that commands take from elsewhere: how to read a table, and those that measures and methods have of their own."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, Optional, Protocol

import typer

from assent.cli.common import option
from assent.limits import OWNERS_NAMED
from assent.registry import Option

__all__ = ["agreement_weights_from", "listed", "takes_options_of", "takes_table"]

TABLE = "How to read the table"
SETS = "How to read several labels of an annotation"


# They are the same for all commands, so the help of a command names them on request.
_option = functools.partial(option, panel=TABLE, hidden=True)
_on_sets = functools.partial(_option, panel=SETS)


def _table_options(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE…",
            help="CSV, TSV, JSON, JSONL, Parquet or XLSX; several are read as one; - is standard input. How they "
            "are read is recognised; --help-all lists the options that say otherwise.",
            show_default=False,
        ),
    ],
    item: Annotated[Optional[str], _option("Column that says which item.", metavar="COLUMN")] = None,
    annotator: Annotated[Optional[str], _option("Column that says who annotated.", metavar="COLUMN")] = None,
    label: Annotated[Optional[str], _option("Column that holds the label.", metavar="COLUMN")] = None,
    annotators: Annotated[
        Optional[str], _option("Columns of a wide table that hold the annotators' labels.", metavar="A,B,C")
    ] = None,
    layout: Annotated[
        Optional[str],
        _option(
            "long: one row per annotation. wide: one row per item, one column per annotator. counts: items x labels. "
            "table: k x k confusion table of two annotators. Recognised if not given.",
            metavar="long|wide|counts|table",
        ),
    ] = None,
    transpose: Annotated[
        bool, _option("A wide table has one row per annotator and one column per item.", "--transpose")
    ] = False,
    cluster: Annotated[
        Optional[str],
        _option(
            "Column with larger units (documents, speakers) that were sampled as a whole; intervals then resample these.",
            metavar="COLUMN",
        ),
    ] = None,
    missing: Annotated[
        Optional[list[str]],
        _option(
            "A label text that means 'no label', besides an empty cell, NA, N/A, NaN and null. Repeatable.",
            metavar="TEXT",
        ),
    ] = None,
    not_missing: Annotated[
        Optional[list[str]], _option("Take NA, N/A, NaN or null as a label after all. Repeatable.", metavar="TEXT")
    ] = None,
    duplicates: Annotated[
        str,
        _option("What to do when an annotator labelled an item more than once.", metavar="error|first|last"),
    ] = "error",
    multilabel: Annotated[
        Optional[bool],
        _on_sets(
            "Whether several rows of an annotator for an item, or a cell such as A;B, are one annotation with several "
            "labels. Recognised if not given.",
            "--multilabel/--single-label",
        ),
    ] = None,
    separator: Annotated[
        Optional[str], _on_sets("What separates several labels in a cell, as ; does in A;B.", metavar="CHAR")
    ] = None,
    labels: Annotated[
        Optional[str], _on_sets("Columns with 0 and 1, one a label, in place of a label column.", metavar="A,B,C")
    ] = None,
    rank: Annotated[
        Optional[str],
        _on_sets("Column that ranks several labels of an annotation: 1, 2, … or primary, secondary.", metavar="COLUMN"),
    ] = None,
    ranked: Annotated[bool, _on_sets("The first of several labels in a cell is the primary one.", "--ranked")] = False,
    none: Annotated[
        Optional[list[str]],
        _on_sets(
            "A label text that means 'none of the labels': an annotation without a label, not a missing one. Repeatable.",
            metavar="TEXT",
        ),
    ] = None,
    delimiter: Annotated[Optional[str], _option("What separates the cells of a CSV file.", metavar="CHAR")] = None,
    decimal: Annotated[Optional[str], _option("Decimal mark of numeric labels.", metavar=".|,")] = None,
    encoding: Annotated[str, _option("Encoding of a text file, such as latin-1.", metavar="NAME")] = "utf-8",
    file_format: Annotated[
        Optional[str],
        _option("Format of the file, if its name does not say.", "--format", metavar="csv|tsv|json|jsonl|parquet|xlsx"),
    ] = None,
    sheet: Annotated[Optional[str], _option("Sheet of an XLSX file.", metavar="NAME")] = None,
    engine: Annotated[
        str,
        _option(
            "Who reads Parquet files and counts labels by item; with duckdb and spark the rows stay there.",
            metavar="polars|duckdb|spark",
        ),
    ] = "polars",
    master: Annotated[
        Optional[str],
        _option("Address of a Spark cluster; the running session, or this machine, if not given.", metavar="URL"),
    ] = None,
    columns: Sequence[str] = (),
) -> Any:
    # The type is Annotations; it is not named because typer evaluates the signature, and that must not import it.
    from assent.cli.progress import stage
    from assent.readers import read

    # A table that was opened before has a name of its own.
    names = ", ".join(str(getattr(file, "name", file)) for file in files)
    with stage(f"Reading {names}"):
        return read(
            *files,
            item=item,
            annotator=annotator,
            label=label,
            annotators=None if annotators is None else listed(annotators),
            layout=layout,  # type: ignore[arg-type]
            transpose=transpose,
            cluster=cluster,
            missing=missing or (),
            not_missing=not_missing or (),
            duplicates=duplicates,  # type: ignore[arg-type]
            multilabel=multilabel,
            separator=separator,
            labels=[] if labels is None else listed(labels),
            rank=rank,
            ranked=ranked,
            none=none or (),
            delimiter=delimiter,
            decimal=decimal,  # type: ignore[arg-type]
            encoding=encoding,
            format=file_format,  # type: ignore[arg-type]
            sheet=sheet,
            engine=engine,  # type: ignore[arg-type]
            master=master,
            columns=columns,
        )


def _help_all(context: typer.Context, wanted: bool) -> None:
    if wanted:
        for one in context.command.params:
            one.hidden = False  # type: ignore[attr-defined]
        typer.echo(context.get_help())
        raise typer.Exit


#: Of every command that takes a table.
_HELP_ALL = inspect.Parameter(
    "help_all",
    inspect.Parameter.KEYWORD_ONLY,
    default=False,
    annotation=Annotated[
        bool,
        option(
            "Also show the options that say how to read the table.",
            "--help-all",
            panel=None,
            is_eager=True,
            callback=_help_all,
        ),
    ],
)


class _HasOptions(Protocol):
    """A measure, or a method."""

    @property
    def name(self) -> str: ...

    @property
    def parameters(self) -> Mapping[str, Option]: ...


def takes_options_of(
    found: Callable[[], Mapping[str, _HasOptions]], *, panel: str
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options that measures or methods have of their own, from their signatures.

    Parameters
    ----------
    found : callable
        Returns all of them by name.
    panel : str
        Heading of these options in the help.
    """
    return functools.partial(_with_options, found=found, panel=panel)


def _with_options(
    command: Callable[..., None], *, found: Callable[[], Mapping[str, _HasOptions]], panel: str
) -> Callable[..., None]:
    from assent.text import listed as joined

    theirs = inspect.signature(command, eval_str=True)
    plain = [one for one in theirs.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
    owned: dict[str, tuple[Option, list[str]]] = {}
    for owner in found().values():
        for name, own in owner.parameters.items():
            if name not in {one.name for one in plain}:
                owned.setdefault(name, (own, []))[1].append(owner.name)
    more = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[
                Optional[str],
                option(
                    f"{own.takes.help} For {joined(owners, OWNERS_NAMED)}.",
                    f"--{name.replace('_', '-')}",
                    panel=panel,
                    metavar=own.takes.metavar or "|".join(own.values),
                ),
            ],
        )
        for name, (own, owners) in owned.items()
    ]

    @functools.wraps(command)
    def run(*given: Any, **values: Any) -> None:
        command(*given, **values)

    keyword = [one if one.name == "data" else one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in plain]
    run.__signature__ = theirs.replace(parameters=[*keyword, *more])  # type: ignore[attr-defined]
    return run


def takes_table(
    *,
    keeps: Sequence[str] = (),
    optional: bool = False,
    sets: Callable[[Mapping[str, Any]], bool] | None = None,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options that say how to read a table; it gets the annotations as its first argument.

    Parameters
    ----------
    keeps : sequence of str
        Options of the command that name columns to be kept beside the annotations, such as ``text``.
    optional : bool
        The command also runs without a file; it then gets None.
    sets : callable, optional
        From the command's options to whether these need annotations of several labels; the table is then read so
        unless it is said otherwise.
    """
    return functools.partial(_with_table, keeps=keeps, optional=optional, sets=sets)


def _with_table(
    command: Callable[..., None],
    *,
    keeps: Sequence[str],
    optional: bool,
    sets: Callable[[Mapping[str, Any]], bool] | None,
) -> Callable[..., None]:
    shared = dict(inspect.signature(_table_options, eval_str=True).parameters)
    del shared["columns"]
    theirs = inspect.signature(command, eval_str=True)
    own = [parameter for name, parameter in theirs.parameters.items() if name != "data"]

    @functools.wraps(command)
    def run(**values: Any) -> None:
        del values["help_all"]
        table = {name: values.pop(name) for name in shared}
        if optional and not table["files"]:
            _check_unused(table, shared)
            command(None, **values)
            return
        if table["multilabel"] is None and sets is not None and sets(values):
            table["multilabel"] = True
        kept = [values[name] for name in keeps if values[name] is not None]
        data = _table_options(**table, columns=kept)
        with _told_of_rows(data):
            command(data, **values)

    # The files come first, then what the command is about, then how to read the table.
    files, *how = shared.values()
    files = files.replace(default=None) if optional else files
    parameters = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in [files, *own, _HELP_ALL, *how]]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


@contextmanager
def _told_of_rows(data: Any) -> Iterator[None]:
    """Say so, once, if a command brings annotations here one by one from an engine where they live."""
    if data.local:
        yield
        return
    from assent.engines import Transfer, track_transfers

    said: set[int] = set()

    def say(passage: Transfer) -> None:
        if passage.question == "annotations" and not passage.local and not said:
            said.add(passage.rows)
            typer.echo(f"Bringing {passage.rows:,} annotations here from {passage.engine}, one by one.", err=True)

    with track_transfers(say):
        yield


def _check_unused(given: Mapping[str, Any], known: Mapping[str, inspect.Parameter]) -> None:
    """Refuse options that say how to read a table where there is none."""
    from assent.errors import OptionError

    for name, parameter in known.items():
        if name != "files" and given[name] and given[name] != parameter.default:
            # Typer keeps the first name that an annotation gives as its default.
            named = parameter.annotation.__metadata__[0].default
            flag = named if isinstance(named, str) else f"--{name.replace('_', '-')}"
            raise OptionError(f"{flag} says how to read a table, and no file was given.")


def listed(text: str) -> list[str]:
    """Split a comma-separated option; a label that holds a comma is quoted as in a CSV file."""
    import csv

    return next(csv.reader([text], skipinitialspace=True), [])


def agreement_weights_from(named: str | None, labels: Sequence[str]) -> Any:
    """Take agreement weights by name, or read them from a file."""
    import os

    from assent.scales import WEIGHTS

    if named is None or named in WEIGHTS or not os.path.exists(named):
        return named
    from assent.readers.weights import read_weights

    return read_weights(named, labels)
