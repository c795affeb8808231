"""What `assent report` writes: checked before anything is computed, made before anything is written."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assent.reports import Report

__all__ = ["check_ours", "check_outputs", "rendered", "usual_output"]

#: Formats of every chart that is written into a folder.
PICTURES = ("svg", "png", "pdf")
#: Endings that stand behind the ending of a format.
PACKED = (".gz", ".zip", ".bz2", ".xz", ".zst")

#: What a page of ours has in its first bytes, and how many of them are looked at.
GENERATOR, HEAD = b'<meta name="generator" content="assent">', 4096


def check_outputs(outputs: Mapping[str, str | None], *, json: bool, figures: str | None) -> None:
    """Refuse outputs that cannot be, before anything is computed."""
    from pathlib import Path

    from assent.atomic_files import TABLE_FORMATS, check_place
    from assent.documents.result import format_of
    from assent.errors import OptionError
    from assent.text import shown

    named = {flag: path for flag, path in outputs.items() if path is not None}
    on_screen = [flag for flag, path in named.items() if path == "-"]
    if len(on_screen) + json > 1:
        raise OptionError(f"{on_screen[0]} and {'--json' if json else on_screen[1]} both print: choose one.")
    if outputs["--output"] is not None:
        if outputs["--output"] == "-":
            raise OptionError("-o names a file; to print, use --json, --markdown or --latex.")
        format_of(outputs["--output"])
    table = outputs["--items"]
    if table is not None and Path(table).suffix.lower() not in TABLE_FORMATS:
        raise OptionError(
            f"{shown(table, 200)} does not say its format: let its name end in one of {', '.join(TABLE_FORMATS)}."
        )
    for path in named.values():
        if path != "-":
            check_place(path)
    places: dict[str, str] = {}
    for flag, path in named.items():
        if path == "-":
            continue
        place = os.path.realpath(path)
        if place in places:
            raise OptionError(f"{places[place]} and {flag} name the same file, {shown(path, 200)}.")
        places[place] = flag
    if figures is not None:
        _check_folder(figures, places)


def _check_folder(folder: str, places: Mapping[str, str]) -> None:
    """Refuse a folder for pictures where a file is, or is to be."""
    from pathlib import Path

    from assent.errors import InputError, OptionError
    from assent.text import shown

    if os.path.realpath(folder) in places:
        raise OptionError(f"{places[os.path.realpath(folder)]} and --figures have the same name, {shown(folder, 200)}.")
    for place in (Path(folder), *Path(folder).parents):
        if os.path.exists(place):
            if not os.path.isdir(place):
                raise InputError(
                    f"The folder {shown(folder, 200)} cannot be made: {shown(str(place), 200)} is a file; name another folder."
                )
            return


def usual_output(given: Sequence[str]) -> str:
    """Return where a report goes unless it is said: beside the file it is about, or into the current folder.

    Examples
    --------
    >>> (
    ...     usual_output(["data/labels.csv.gz"]),
    ...     usual_output(["story"]),
    ...     usual_output(["labels.2024.csv"]),
    ...     usual_output(["-"]),
    ... )
    ('data/labels-report.html', 'story-report.html', 'labels.2024-report.html', 'report.html')
    """
    from pathlib import Path

    if given[0] == "-":
        return "report.html"
    source = Path(os.path.normpath(given[0]))
    name = source.stem if source.suffix.lower() in PACKED else source.name
    # What ends in a digit is a part of the name, such as the version or the year of a folder.
    stem, dot, ending = name.rpartition(".")
    return str(source.with_name(f"{stem if stem and dot and ending.isalpha() else name}-report.html"))


def check_ours(path: str) -> None:
    """Refuse a file that nobody named and that is there already, unless it is an earlier report."""
    from assent.errors import InputError
    from assent.text import shown

    if not os.path.isfile(path):
        return
    with open(path, "rb") as file:
        ours = GENERATOR in file.read(HEAD)
    if not ours:
        raise InputError(
            f"The report would be written to {shown(path, 200)}, which is there already and is no report of assent: "
            "name the file to write with -o."
        )


def rendered(report: Report, outputs: Mapping[str, str | None], figures: str | None) -> dict[str, str | bytes]:
    """Make everything that was asked for; nothing is written before all of it is there.

    Returns
    -------
    dict of str to str or bytes
        What goes into each file; "-" is a text to print.
    """
    from assent.atomic_files import table_content
    from assent.cli.output import rendered as as_written
    from assent.documents.result import format_of

    wanted: dict[str, str] = {}
    for flag, format in (("--output", ""), ("--markdown", "markdown"), ("--latex", "latex")):
        path = outputs[flag]
        if path is not None:
            wanted[path] = format or format_of(path)
    made: dict[str, str | bytes] = {path: as_written(report, format) for path, format in wanted.items()}
    table = outputs["--items"]
    if table is not None and report.items is not None:
        nested = table.lower().endswith((".json", ".jsonl", ".ndjson"))
        made[table] = table_content(table, report.items.columns(nested=nested))
    if figures is not None:
        made |= _drawn(report, figures)
    return made


def _drawn(report: Report, folder: str) -> dict[str, bytes]:
    """Draw every chart."""
    from pathlib import Path

    from assent.documents.charts import render

    return {
        str(Path(folder) / f"{name}.{format}"): render(chart, format)
        for name, chart in report.figures().items()
        for format in PICTURES
    }
