"""Options that commands take from elsewhere: how to read a table, and those that measures and methods have of their own."""

from __future__ import annotations

import functools
import importlib
import inspect
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, Optional, Protocol

import typer

from assent.cli.common import LAST_WORDS, option
from assent.cli.completion import declared, needs_values
from assent.cli.table_options import reading_options, table_options
from assent.limits import OWNERS_NAMED
from assent.option_texts import comma_separated
from assent.registry import Option

__all__ = [
    "OWN",
    "agreement_weights_from",
    "asks_for_sets",
    "keep_sources",
    "take_source",
    "takes_files",
    "takes_options_of",
    "takes_table",
]

#: Options that name a file to read.
_READ = ("files", "gold", "baseline", "weights", "tree", "tokens", "lengths", "relations", "unlabelled")
#: Options that name a file to write.
_WRITTEN = ("output", "markdown", "latex", "items", "summary", "junit", "chart", "html")
#: Endings of documents, which are not read as labels.
_PAGES = (".html", ".htm", ".md", ".markdown", ".tex")
#: Heading of the options that single coefficients have.
OWN = "Options of single coefficients"


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
            "Also show how to say what the table holds, and the options of single coefficients or methods.",
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


#: Who has options: the module that finds all of them, its function, and what a shell reads instead.
_OWNERS = {
    "measure": ("assent.measures", "all_measures", "measures"),
    "method": ("assent.analyses.consensus", "all_methods", "analyses/consensus/methods"),
}


def takes_options_of(
    owners: str, *, panel: str, hidden: bool = False
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options that measures or methods have of their own, from their signatures.

    Parameters
    ----------
    owners : {"measure", "method"}
    panel : str
        Heading of these options in the help.
    hidden : bool
        They are shown by --help-all alone.
    """
    return functools.partial(_with_options, owners=owners, panel=panel, hidden=hidden)


def _described(found: Mapping[str, _HasOptions], known: Collection[str], *, panel: str, hidden: bool) -> dict[str, Any]:
    """Return the options by name that the command does not know, with those who have them and all of their values."""
    from assent.text import listed as joined

    owned: dict[str, tuple[Option, list[str]]] = {}
    words: dict[str, list[str]] = {}
    for owner in found.values():
        for name, own in owner.parameters.items():
            if name not in known:
                owned.setdefault(name, (own, []))[1].append(owner.name)
                words[name] = list(dict.fromkeys([*words.get(name, []), *own.values]))
    return {
        name: option(
            f"{own.takes.help} For {joined(owners, OWNERS_NAMED)}.",
            _flag(name),
            panel=panel,
            metavar=own.takes.metavar or "|".join(words[name]),
            hidden=hidden,
            completes="distance" if name == "distance" else words[name] if own.choices else (),
        )
        for name, (own, owners) in owned.items()
    }


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _with_options(command: Callable[..., None], *, owners: str, panel: str, hidden: bool) -> Callable[..., None]:
    theirs = inspect.signature(command, eval_str=True)
    plain = [one for one in theirs.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
    tables = inspect.signature(table_options).parameters
    known = {one.name for one in plain}
    module, function, folder = _OWNERS[owners]
    shared: dict[str, tuple[str, ...]] = {}
    described: dict[str, Any] = {}
    if needs_values([*known, *tables]):
        found: Mapping[str, _HasOptions] = getattr(importlib.import_module(module), function)()
        shared = {name: own.choices for one in found.values() for name, own in one.parameters.items() if name in tables}
        described = _described(found, {*known, *tables}, panel=panel, hidden=hidden)
    else:
        names = {name: None for one in declared(folder, owners).values() for name in one.options}
        described = {
            name: option("", _flag(name), panel=panel, hidden=hidden) for name in names if name not in {*known, *tables}
        }
    more = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[Optional[str], one])
        for name, one in described.items()
    ]

    @functools.wraps(command)
    def run(*given: Any, **values: Any) -> None:
        command(*given, **values)

    keyword = [one if one.name == "data" else one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in plain]
    run.__signature__ = theirs.replace(parameters=[*keyword, *more])  # type: ignore[attr-defined]
    run.shared = shared  # type: ignore[attr-defined]
    return run


def takes_table(
    *,
    keeps: Sequence[str] = (),
    optional: bool = False,
    sets: Callable[[Mapping[str, Any]], bool | None] | None = None,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options that say how to read a table; it gets the annotations as its first argument.

    Parameters
    ----------
    keeps : sequence of str
        Options of the command that name columns to be kept beside the annotations, such as ``text``.
    optional : bool
        The command also runs without a file; it then gets None.
    sets : callable, optional
        From the command's options to whether these need annotations of several labels, or of one; the table is then read so
        unless it is said otherwise, or recognised if it is None.
    """
    return functools.partial(_with_table, keeps=keeps, optional=optional, sets=sets)


def keep_sources(given: Mapping[str, Any]) -> None:
    """Refuse to write to a file that is read: what it holds would be gone."""
    written = {name: given[name] for name in _WRITTEN if isinstance(given.get(name), str) and given[name] != "-"}
    if not written:
        return
    from glob import glob

    from assent.errors import InputError
    from assent.text import shown

    read = [(name, one) for name in _READ for one in _named_files(given.get(name))]
    for to, path in written.items():
        place = os.path.realpath(path)
        for name, pattern in read:
            for source in map(os.path.realpath, [pattern, *glob(pattern)]):
                # Of a folder, every file may be read but what a report was written to before.
                inside = place.startswith(source + os.sep) and not place.lower().endswith(_PAGES)
                if place == source or (inside and os.path.isfile(place)):
                    what = "the file with the labels" if name == "files" else f"the file of --{name}"
                    raise InputError(f"--{to} is {shown(path, 200)}, {what}: it would be overwritten.")


def _named_files(value: Any) -> list[str]:
    """Return the files that an option names: one, or several."""
    return [value] if isinstance(value, str) else [one for one in value or () if isinstance(one, str)]


def take_source(table: dict[str, Any], options: dict[str, Any], *, optional: bool = False) -> None:
    """Put the file of an example, or a table of numbers, in place of files.

    Parameters
    ----------
    table : dict
        What is read and how, by the names of options; it is changed.
    options : dict
        The other options of the command. What an example sets is put there where nothing is said; it is changed.
    optional : bool
        The command also runs without a file.
    """
    from assent.errors import OptionError

    ways = [name for name in ("files", "example", "table") if table[name]]
    if len(ways) > 1:
        brings = ways[-1]
        raise OptionError(
            f"--{brings} brings its own data: leave out {'the file' if ways[0] == 'files' else '--example'}."
        )
    # A name of nothing, as an unset variable gives, would be the folder one is in.
    if (not ways and not optional) or "" in (table["files"] or ()):
        raise OptionError("No file was given: name one, or an example with --example.")
    if table["example"]:
        _take_example(table, options)
    elif table["table"]:
        _take_table(table)
    table["example"] = table["table"] = None


def _take_example(table: dict[str, Any], options: dict[str, Any]) -> None:
    from assent.examples import example

    found = example(table["example"])
    table["files"] = [found.file()]
    for name, value in found.reading.items():
        if not table[name]:
            table[name] = value
    for name, value in {"title": found.title, **found.settings, **found.options}.items():
        if options.get(name, value) is None and not (name == "scale" and options.get("weights")):
            options[name] = value
    LAST_WORDS.append(f"Example {found.name}: {found.described}")


def _take_table(table: dict[str, Any]) -> None:
    from assent.examples import numbers_table

    names = comma_separated(table["labels"])
    table["files"] = [numbers_table(table["table"], labels=names, counts=table["layout"] == "counts")]
    table["layout"], table["labels"] = table["layout"] or "table", None


def takes_files(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the files and how to read them, as its first argument, without reading them."""
    shared = dict(inspect.signature(table_options, eval_str=True).parameters)
    del shared["columns"]
    own = [one for name, one in inspect.signature(command, eval_str=True).parameters.items() if name != "data"]

    @functools.wraps(command)
    def run(**values: Any) -> None:
        del values["help_all"]
        table = {name: values.pop(name) for name in shared}
        keep_sources({**table, **values})
        take_source(table, values)
        _give_back(command, table, values, shared)
        if table["multilabel"] is None and "distance" in values:
            table["multilabel"] = asks_for_sets(values)
        command((table["files"], reading_options(table)), **values)

    files, *how = shared.values()
    parameters = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in [files, *own, _HELP_ALL, *how]]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _give_back(
    command: Callable[..., None],
    table: dict[str, Any],
    values: dict[str, Any],
    known: Mapping[str, inspect.Parameter],
) -> None:
    """Hand an option that tables and measures have, as --empty is, to the one that knows its value; both are changed."""
    for name, choices in getattr(command, "shared", {}).items():
        if table[name] in choices:
            values[name], table[name] = table[name], known[name].default


def asks_for_sets(options: Mapping[str, Any]) -> bool | None:
    """Tell whether a measure was named that compares sets of labels, or one that takes a label whole; None if neither was."""
    from assent.measures import find

    distance, named = options.get("distance"), options.get("measure") or ()
    if distance in ("jaccard", "masi") or any(
        find(name).label_sets for name in ([named] if isinstance(named, str) else named)
    ):
        return True
    # A text with a comma, or a list of boxes, is one label.
    return None if distance in (None, "nominal", "taxonomy") else False


def _with_table(
    command: Callable[..., None],
    *,
    keeps: Sequence[str],
    optional: bool,
    sets: Callable[[Mapping[str, Any]], bool | None] | None,
) -> Callable[..., None]:
    theirs = inspect.signature(command, eval_str=True)
    own = [parameter for name, parameter in theirs.parameters.items() if name != "data"]
    # What a command shows in its own help, it is given as well.
    both = {one.name for one in own}
    shared = {
        name: one
        for name, one in inspect.signature(table_options, eval_str=True).parameters.items()
        if name != "columns" and name not in both
    }

    @functools.wraps(command)
    def run(**values: Any) -> None:
        del values["help_all"]
        table = {name: values.pop(name) for name in shared}
        keep_sources({**table, **values})
        take_source(table, values, optional=optional)
        if optional and not table["files"]:
            _check_unused(table, shared)
            command(None, **values)
            return
        _give_back(command, table, values, shared)
        if table["multilabel"] is None and sets is not None:
            table["multilabel"] = sets(values)
        named = {**table, **values}
        kept = [named[name] for name in keeps if named[name] is not None]
        data = table_options(**table, columns=kept)
        with _told_of_rows(data):
            command(data, **values)

    # The files come first, then what the command is about, then how to read the table.
    files, *how = shared.values()
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
            flag = named if isinstance(named, str) else _flag(name)
            raise OptionError(f"{flag} says how to read a table, and no file was given.")


def agreement_weights_from(named: str | None, labels: Sequence[str]) -> Any:
    """Take agreement weights by name, or read them from a file."""
    import os

    from assent.scales import WEIGHTS

    if named is None or named in WEIGHTS or not (os.path.exists(named) or os.path.splitext(named)[1]):
        return named
    from assent.readers.weights import read_weights

    return read_weights(named, labels)
