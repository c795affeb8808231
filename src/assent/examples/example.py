"""What an example is: a table with a story, in the form of a file."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import field

from assent.readers import read
from assent.records import Struct

__all__ = ["Example", "Row", "Table", "TableFile"]

Row: TypeAlias = tuple[str, ...]
#: The names of the columns, and the rows.
Table: TypeAlias = tuple[Row, list[Row]]
#: Settings of a report that name columns to be kept.
_KEPT = ("text", "by")


class TableFile(io.BytesIO):
    """A CSV file that is not on a disk; it has a name, as a file has, and what to write for it on the command line."""

    def __init__(self, table: Table, name: str, given: Sequence[str] = ()) -> None:
        columns, rows = table
        written = io.StringIO(newline="")
        csv.writer(written, lineterminator="\n").writerows([columns, *rows])
        super().__init__(written.getvalue().encode("utf-8"))
        self.name = name
        self.given = tuple(given) or (name,)

    def __str__(self) -> str:
        return str(self.name)


class Example(Struct, frozen=True, kw_only=True):
    """Data with a story.

    Parameters
    ----------
    name : str
        As on the command line.
    title : str
        What a report on it is called.
    story : str
        What is in it, and what a report should find.
    make : callable
        From a seed to the table. A published table is the same for all seeds.
    source : str
        Where it was published; empty if it is made up.
    settings : mapping
        How a report on it is made, unless it is said: task, scale, text, by.
    options : mapping
        What other commands are told besides, unless it is said: order, judge, run.
    reading : mapping
        How it is read.
    """

    name: str
    title: str
    story: str
    make: Callable[[int], Table]
    source: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    reading: Mapping[str, Any] = field(default_factory=dict)

    def file(self, seed: int = 0) -> TableFile:
        """Return the example as a CSV file. The same seed gives the same file."""
        return TableFile(self.make(seed), f"{self.name}.csv", ("--example", self.name))

    def data(self, seed: int = 0) -> Any:
        """Return what `assent.read` makes of the file."""
        columns = [self.settings[name] for name in _KEPT if name in self.settings]
        data = read(self.file(seed), columns=columns, **self.reading)
        return data.ordered(self.options["order"].split(",")) if "order" in self.options else data

    @property
    def described(self) -> str:
        """The title, the story and the source, in one line."""
        return f"{self.title}. {self.story}" + (f" Source: {self.source}" if self.source else "")
