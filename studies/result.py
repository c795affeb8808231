"""What a study returns: what was found, tables beside the paper's, claims that hold or not, and charts."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assent.errors import InputError, choose
from assent.text import shown

if TYPE_CHECKING:
    from assent.documents.charts import Drawable

__all__ = ["Progress", "StudyFinding", "StudyResult", "StudyTable", "make_folder", "part", "settings"]

#: Told the share of the work that is done, from 0 to 1, and what is under way.
Progress = Callable[[float, str], None]

#: Tables and charts become files, so their names are plain.
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True, kw_only=True)
class StudyTable:
    """A table of a study, with our numbers beside the paper's.

    Parameters
    ----------
    name : str
        Name of its file: small letters, digits and hyphens.
    caption : str
        What it shows, in plain text.
    columns : mapping of str to sequence
        All of one length; text, numbers, True or False, and None where there is no number.
    decimals : int, optional
        Digits after the point of every number that is not whole; four significant digits if not given. In files and in
        `StudyResult.to_dict` numbers keep all their digits.
    printed : bool
        Show it on a terminal and in the report; a long table of the points of a curve is for files and programs alone.
    """

    name: str
    caption: str
    columns: Mapping[str, Sequence[Any]]
    decimals: int | None = None
    printed: bool = True

    def __post_init__(self) -> None:
        _check_name(self.name)
        if len({len(values) for values in self.columns.values()}) > 1:
            raise ValueError(f"The columns of the table {self.name} differ in length.")

    def to_dict(self) -> dict[str, Any]:
        """Return the table as plain values."""
        from assent.records import plain

        return {"name": self.name, "caption": self.caption, "columns": plain(self.columns)}


@dataclass(frozen=True, kw_only=True)
class StudyFinding:
    """A claim of the paper, and whether our numbers bear it out.

    Parameters
    ----------
    statement : str
        What is claimed.
    paper : str
        What the paper reports.
    ours : str
        What our numbers show.
    holds : bool or None
        Decided by the numbers; None if they cannot decide.
    why : str
        The criterion by which it was decided, and the reason if one is known.
    """

    statement: str
    paper: str
    ours: str
    holds: bool | None
    why: str

    @property
    def verdict(self) -> str:
        """Whether it holds, in words."""
        return {True: "holds", False: "does not hold", None: "not decided"}[self.holds]

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as plain values."""
        return {**vars(self), "verdict": self.verdict}


@dataclass(frozen=True, kw_only=True)
class StudyResult:
    """What a study found.

    Parameters
    ----------
    name, title : str
    sentences : sequence of str
        What was done and found, in plain text; a sentence or a paragraph each.
    findings : sequence of StudyFinding
    tables : sequence of StudyTable
    charts : mapping of str to Altair chart
        By the name of their file; a chart has its title in itself.
    settings : mapping
        What it takes to get the same digits again: see `settings`.
    """

    name: str
    title: str
    sentences: Sequence[str]
    findings: Sequence[StudyFinding] = ()
    tables: Sequence[StudyTable] = ()
    charts: Mapping[str, Drawable] = field(default_factory=dict)
    settings: Mapping[str, Any]

    def __post_init__(self) -> None:
        for name in self.charts:
            _check_name(name)

    def table(self, name: str) -> StudyTable:
        """Return a table by its name."""
        by_name = {table.name: table for table in self.tables}
        return by_name[choose("table", name, by_name)]

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the drawings as plain values, fit for JSON."""
        from assent.records import plain

        return {
            "study": self.name,
            "title": self.title,
            "sentences": list(self.sentences),
            "findings": [one.to_dict() for one in self.findings],
            "tables": [one.to_dict() for one in self.tables],
            "charts": list(self.charts),
            "settings": plain(self.settings),
        }

    def text(self) -> str:
        """Return what was found as lines for a terminal."""
        from studies.showing import as_text

        return as_text(self)

    def markdown(self, *, pictures: str | None = None) -> str:
        """Return what was found in Markdown.

        Parameters
        ----------
        pictures : {"svg", "png", "pdf"}, optional
            Show the charts from files of this format beside the text, named as the charts are.
        """
        from studies.showing import as_markdown

        return as_markdown(self, pictures=pictures)

    def save(self, folder: str | os.PathLike[str], *, format: str = "svg") -> list[Path]:
        """Write a report (``report.md``), every table as CSV and every chart into a folder, and return their paths.

        Parameters
        ----------
        folder : path
            Made if it is not there. Files with these names are replaced.
        format : {"svg", "png", "pdf"}
            Format of the charts.
        """
        from assent.atomic_files import write_table, write_whole
        from assent.documents import charts

        choose("format", format, charts.FORMATS)
        target = make_folder(folder)
        written = []
        for table in self.tables:
            # Names in a table may come from a file somebody else wrote.
            write_table(target / f"{table.name}.csv", table.to_dict()["columns"], for_spreadsheet=True)
            written.append(target / f"{table.name}.csv")
        for name, chart in self.charts.items():
            charts.save(chart, target / f"{name}.{format}")
            written.append(target / f"{name}.{format}")
        # The report comes last: where it is, all it shows is there too.
        write_whole(target / "report.md", self.markdown(pictures=format))
        return [target / "report.md", *written]


def settings(*, seed: int, quick: bool, **own: Any) -> dict[str, Any]:
    """Return what it takes to get the same digits again: seed, size, a study's own options, versions."""
    import numpy as np

    from assent._version import __version__

    versions = {"assent": __version__, "numpy": np.__version__, "python": platform.python_version()}
    return {"seed": seed, "quick": quick, **own, "versions": versions}


def part(progress: Progress | None, start: float, end: float) -> Progress:
    """Return a progress whose 0 to 1 is the stretch from `start` to `end` of the whole.

    Examples
    --------
    >>> second_half = part(lambda done, what: print(f"{done:.0%} {what}"), 0.5, 1.0)
    >>> second_half(0.2, "drawing")
    60% drawing
    """
    if progress is None:
        return lambda done, what: None
    return lambda done, what: progress(start + (end - start) * done, what)


def make_folder(folder: str | os.PathLike[str]) -> Path:
    """Make a folder if it is not there, or raise an error; a long study asks before it begins."""
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = "there is a file of this name" if target.exists() else error.strerror or error
        raise InputError(f"The folder {shown(str(folder))} cannot be made: {reason}.") from None
    return target


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{shown(name)} cannot be the name of a table or chart: small letters, digits and hyphens.")
