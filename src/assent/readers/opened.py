"""Files that were opened: the export of a tool or tables, and the data sets that are in them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from assent.data import Dataset
from assent.errors import (
    EmptyTable,
    InputError,
    OptionError,
    choose,
    did_you_mean,
)
from assent.readers.formats import FORMATS
from assent.readers.from_exports import OpenedExport, RecognisedExport, recognised_export
from assent.readers.objects import object_table
from assent.readers.settings import with_settings
from assent.readers.sources import Origin, check_there
from assent.readers.tables import SAMPLE, Table
from assent.records import Struct
from assent.text import listed, shown

if TYPE_CHECKING:
    pass
from assent.readers.reading import Reading
from assent.readers.recognised import RecognisedTable, recognised_table

__all__ = ["Opened", "held_table", "look_for_export", "open_data", "opened_export"]


class Opened(Struct, frozen=True, kw_only=True):
    """Files that were opened and recognised, of which nothing has been counted yet.

    Parameters
    ----------
    export : OpenedExport or None
        None if it is a table.
    tables : mapping of str to callable
        Of a table: what each question is called, and how to recognise the layout of its rows.
    note : str
        What settings beside the files said, if there are some.
    """

    reading: Reading
    export: OpenedExport | None = None
    tables: Mapping[str, Callable[[], RecognisedTable]] | None = None
    note: str = ""

    def one(self) -> Any:
        """Return the question that was named, or the first, whatever kind of data it is."""
        return self._told(self._one())

    @property
    def question(self) -> str:
        """The question that was named, or the first; empty for a table that holds one, without a name."""
        if self.reading.question is not None:
            return self.reading.question
        if self.export is None:
            return next(iter(self.tables or {}), "")
        first = self.export.first_of_spans if self.reading.layout == "spans" else self.export.first
        return first().name

    def _told(self, data: Any) -> Any:
        return replace(data, notes=(*data.notes, self.note)) if self.note else data

    def _one(self) -> Any:
        if self.export is not None:
            question = self.question if self.reading.layout == "spans" else self.reading.question
            return self.reading.cleaned(self.export.one(self.reading.choices(), question))
        assert self.tables is not None
        wanted = self.reading.question
        if wanted is not None and wanted not in self.tables:
            raise OptionError(f"There is no question {shown(wanted)}; {did_you_mean(wanted, self.tables)}")
        name = next(iter(self.tables)) if wanted is None else wanted
        data = self.reading.cleaned(self.tables[name]().annotations())
        if wanted is None and len(self.tables) > 1:
            others = listed([shown(one) for one in self.tables if one != name], 8)
            note = f"No question was named: this is {shown(name)}; `question` names another: {others}."
            data = replace(data, notes=(*data.notes, note))
        return data

    def all(self) -> dict[str, Dataset]:
        """Return every question by its name."""
        return {name: self._told(one) for name, one in self._all().items()}

    def _all(self) -> dict[str, Dataset]:
        if self.export is not None:
            return {name: self.reading.cleaned(one) for name, one in self.export.all(self.reading.choices()).items()}
        assert self.tables is not None
        if list(self.tables) == [""]:
            found = self.tables[""]()
            return {found.label: self.reading.cleaned(found.annotations())}
        made: dict[str, Dataset] = {}
        for name, recognised in self.tables.items():
            try:
                made[name] = self.reading.cleaned(recognised().annotations())
            except EmptyTable:
                # Nobody answered this question.
                continue
            except InputError as error:
                raise type(error)(f"On the question {shown(name)}: {error}") from None
        if not made:
            raise EmptyTable("None of the questions has an answer: check which column holds the labels.")
        return made


#: Files that hold a table, whatever is in it.
_TABULAR = (".csv", ".tsv", ".parquet", ".pq", ".xlsx", ".xlsm", ".xls", ".csv.gz", ".tsv.gz")


#: How the columns begin that hold what MTurk and Toloka showed.
_INPUTS = ("Input.", "INPUT:")


def look_for_export(
    sources: Sequence[Origin | Table | OpenedExport], reading: Reading
) -> tuple[RecognisedExport | None, list[Origin | Table]]:
    """Tell whether files are the export of a tool, unless something was said that only a table has; and return them."""
    left = [origin for origin in sources if not isinstance(origin, OpenedExport)]
    if reading.format is not None and reading.format not in FORMATS:
        from assent.readers.exports import readers

        choose("format", reading.format, (*FORMATS, *(one.name for one in readers())))
    said_table = reading.says_table and not (
        # Spans are in exports, too; what ends as a table does is one.
        reading.layout == "spans"
        and not replace(reading, layout=None).says_table
        and all(isinstance(one, str | os.PathLike) and not str(one).lower().endswith(_TABULAR) for one in left)
    )
    if reading.item is not None and reading.item.startswith(_INPUTS):
        # Which column of a crowd's table names the items is all that was said: it is still that tool's.
        said_table = replace(reading, item=None).says_table
    if said_table or not left or any(isinstance(one, Table) for one in left):
        return None, left
    files = [one for one in left if not isinstance(one, Table)]
    found, again = recognised_export(files, options=reading.read_options(), format=reading.format)
    return found, [*again]


def opened_export(
    sources: Sequence[Origin | Table | OpenedExport], reading: Reading
) -> tuple[OpenedExport | None, list[Origin | Table]]:
    """Read files as the export of a tool if they are one; else return them."""
    opened = next((one for one in sources if isinstance(one, OpenedExport)), None)
    if opened is not None:
        return opened, []
    found, left = look_for_export(sources, reading)
    return None if found is None else found.read(), left


def open_data(sources: Sequence[Any], reading: Reading) -> Opened:
    """Open files and say what they are: the export of a tool, or tables."""
    reading, note = with_settings(sources, reading)
    return replace(_opened(sources, reading), note=note)


def _opened(sources: Sequence[Any], reading: Reading) -> Opened:
    held = held_table(sources)
    if held is not None:
        reading.check_table()
        table, rows = held
        kept = partial(recognised_table, [table], reading, elsewhere=rows, held=sources[0])
        return Opened(reading=reading, tables={"": kept})
    opened, left = opened_export(sources, reading)
    if opened is not None:
        return Opened(reading=reading, export=opened)
    tables = [origin for origin in left if isinstance(origin, Table)]
    files = [origin for origin in left if not isinstance(origin, Table)]
    if reading.engine == "polars":
        # Another engine may know addresses that are no files here.
        check_there(files)
    reading.check_table()
    if reading.questions is None and not reading.question_columns:
        # A table that was opened before, such as the rows of one of several questions, is not opened again.
        return Opened(reading=reading, tables={"": partial(recognised_table, [*tables, *files], reading)})
    if reading.engine != "polars":
        raise OptionError("A file with several questions is read by polars: leave out `engine`.")
    from assent.readers.questions import label_columns, rows_by_question

    names = {name: getattr(reading, name) for name in ("format", "delimiter", "encoding", "sheet")}
    if reading.questions is not None:
        split = rows_by_question(*files, question=reading.questions, **names)
        return Opened(
            reading=reading, tables={name: partial(recognised_table, [one], reading) for name, one in split.items()}
        )
    split = label_columns(*files, columns=reading.question_columns, **names)
    return Opened(
        reading=reading,
        tables={
            name: partial(recognised_table, [one], replace(reading, question_columns=(), label=name))
            for name, one in split.items()
        },
    )


def held_table(sources: Sequence[Any]) -> tuple[Table, Any] | None:
    """Return the table that a program holds, if it is one rather than files."""
    known = (str, os.PathLike, Table, OpenedExport)
    given = [one for one in sources if not isinstance(one, known) and not hasattr(one, "read")]
    if not given:
        return None
    if len(sources) > 1:
        raise InputError("A table that is no file is read alone: join it with the others first.")

    return object_table(given[0], SAMPLE)
