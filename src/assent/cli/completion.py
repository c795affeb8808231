"""What a shell completes: names of commands, options and their values, without importing what computes."""

from __future__ import annotations

import ast
import csv
import functools
import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from assent.records import Struct

__all__ = ["NAMES", "Declared", "completer", "declared", "insert", "measures", "needs_values", "unfinished"]

_HOME = Path(__file__).parents[1]
#: Characters of a table that are read for names of columns and annotators.
_HEAD = 65_536
#: What no shell takes for something else, in any alphabet.
_PLAIN = re.compile(r"[\w@%+=:./-]+")
#: Columns of annotators in most long tables.
_WHO = ("annotator", "annotator_id", "rater", "coder", "worker", "worker_id", "judge", "user", "model")


def unfinished() -> list[str] | None:
    """Return the words after the program's name that a shell asks to complete, the last of them unfinished; None if none asks."""
    given = os.environ
    if "_ASSENT_COMPLETE" not in given:
        return None
    if "COMP_CWORD" in given:
        words = given.get("COMP_WORDS", "").split()
        last = int(given["COMP_CWORD"]) if given["COMP_CWORD"].isdecimal() else len(words)
        return [*words, ""][1 : last + 1]
    text = given.get("_TYPER_COMPLETE_ARGS", "")
    open_ = text[-1:].isspace() or given.get("_TYPER_COMPLETE_WORD_TO_COMPLETE") == ""
    return [*text.split(), *([""] if open_ else [])][1:]


def insert(position: int, word: str, *, replaced: int = 0) -> None:
    """Tell typer, which reads the environment, of a word that the user did not type; the program's name is word 0."""
    given = os.environ
    name = "COMP_WORDS" if "COMP_CWORD" in given else "_TYPER_COMPLETE_ARGS"
    text = given.get(name, "")
    words = text.split()
    words[position : position + replaced] = [word]
    given[name] = " ".join(words) + (" " if text[-1:].isspace() else "")
    if "COMP_CWORD" in given:
        given["COMP_CWORD"] = str(int(given["COMP_CWORD"]) + 1 - replaced)


class Declared(Struct, frozen=True):
    """A measure or a method, as its source declares it."""

    aliases: tuple[str, ...]
    options: tuple[str, ...]


@functools.cache
def declared(folder: str, decorator: str) -> Mapping[str, Declared]:
    """Return what the modules of a folder register by name, from their source: importing them takes ten times as long."""
    found: dict[str, Declared] = {}
    for path in sorted((_HOME / folder).glob("[!_]*.py")):
        text = path.read_text(encoding="utf-8")
        functions = ast.parse(text).body if f"\n@{decorator}(" in text else ()
        for node in (one for one in functions if isinstance(one, ast.FunctionDef)):
            for call in node.decorator_list:
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == decorator:
                    named = {one.arg: one.value for one in call.keywords}
                    found[node.name.replace("_", "-")] = Declared(
                        tuple(ast.literal_eval(named["aliases"])) if "aliases" in named else (),
                        tuple(one.arg for one in node.args.kwonlyargs),
                    )
    return found


def measures() -> list[str]:
    """Return the names of all coefficients, and those they are also known by."""
    found = declared("measures", "measure")
    return [*found, *(alias for one in found.values() for alias in one.aliases)]


def _methods() -> list[str]:
    return list(declared("analyses/consensus/methods", "method"))


def _names_in(folder: str, called: str) -> list[str]:
    """Return the name that each call of a function or a class gives in the modules of a folder."""
    calls = (
        node
        for path in sorted((_HOME / folder).glob("[!_]*.py"))
        if f"{called}(" in (text := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == called
    )
    named = (one.value for call in calls for one in call.keywords if one.arg == "name")
    return [ast.literal_eval(one) for one in named if isinstance(one, ast.Constant)]


def _tasks() -> list[str]:
    from assent.analyses.thresholds import TASK_TARGETS

    return list(TASK_TARGETS)


def _distances() -> list[str]:
    from assent.label_distances import NAMED

    return ["nominal", "jaccard", "masi", *NAMED, "taxonomy"]


#: What completes the values of options that are not in their descriptions.
NAMES: Mapping[str, Callable[[], Sequence[str]]] = {
    "measure": measures,
    "method": _methods,
    "example": functools.partial(_names_in, "examples", "Example"),
    "format": lambda: ["csv", "tsv", "json", "jsonl", "parquet", "xlsx", *_names_in("readers/exports", "reader")],
    "task": _tasks,
    "weights": lambda: ["identity", "linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar"],
    "distance": _distances,
}


def completer(names: str | Sequence[str]) -> Callable[..., list[str]]:
    """Return what completes the value of an option.

    Parameters
    ----------
    names : str or sequence of str
        The values, or whose they are: "measure", "method", "example", "format", "task", "weights", "distance", "column" or "annotator".
    """

    def complete(incomplete: str) -> list[str]:
        if names in ("column", "annotator"):
            before, comma, last = incomplete.rpartition(",")
            known = _of_table(annotators=names == "annotator")
            left = [one for one in known if one not in before.split(",") and _PLAIN.fullmatch(one)]
            return [before + comma + one for one in left if one.startswith(last)]
        known = NAMES[names]() if isinstance(names, str) else names
        return [one for one in known if one.startswith(incomplete)]

    return complete


def _of_table(*, annotators: bool) -> Sequence[str]:
    """Return the names of the columns of the table that was named, or of the annotators in its first rows, if there is a column of them."""
    path = next((one for one in unfinished() or () if one.endswith((".csv", ".tsv", ".txt"))), "")
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            lines = file.read(_HEAD).splitlines()
        header, *rows = csv.reader(lines, delimiter=max(",;\t|", key=lines[0].count))
    except (OSError, ValueError, IndexError, csv.Error):
        return ()
    place = next((i for i, name in enumerate(header) if name.casefold() in _WHO), None) if annotators else None
    # The last row may have been cut off.
    return header if place is None else sorted({row[place] for row in rows[:-1] if len(row) == len(header)})


def needs_values(known: Sequence[str]) -> bool:
    """Tell whether the options of single measures or methods must be known with their values: not if a shell asks for another word.

    Parameters
    ----------
    known : sequence of str
        Options that the command has whatever the measure.
    """
    words = unfinished()
    if words is None:
        return True
    before = words[-2] if len(words) > 1 else ""
    return before.startswith("--") and before[2:].replace("-", "_") not in (*known, "format")
