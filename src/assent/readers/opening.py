"""From files to tables, whatever their format, before anybody has said what the columns mean."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from pathlib import PurePath

import polars as pl
import polars.selectors as cs
from msgspec.structs import replace

from assent.errors import EmptyTable, OptionError, UnreadableFile
from assent.limits import LONGEST_LINE
from assent.readers.delimited import read_delimited
from assent.readers.formats import Format, format_of, is_preflib
from assent.readers.sources import Origin, Source, decoded, open_sources
from assent.readers.tables import Table, too_long

__all__ = ["open_tables"]

_END = re.compile(rb"\r\n?|\n")
#: A quoted cell behind one of the usual separators, or the end of a line. What was matched is not tried again, which would take memory for each character.
_QUOTED_OR_END = re.compile(rb'(?:^|(?<=[,;\t|\r\n]))"[^"]*+(?:""[^"]*+)*+"|\r\n?|\n')


def open_tables(
    origins: Sequence[Origin],
    *,
    format: Format | None = None,
    delimiter: str | None = None,
    encoding: str = "utf-8",
    sheet: str | None = None,
    skip_rows: int = 0,
) -> list[Table]:
    """Open files, one table each; the options are those of `assent.read`."""
    tables = []
    for source in [found for origin in origins for found in open_sources(origin)]:
        try:
            table = _opened(
                source, said=format, delimiter=delimiter, encoding=encoding, sheet=sheet, skip_rows=skip_rows
            )
            _check_cells(table, source.title)
            tables.append(replace(table, file=re.sub(r"(\.\w{1,8}){1,2}$", "", PurePath(source.name).name)))
        except OSError as error:
            raise UnreadableFile(
                f"{source.title} cannot be read: {(error.strerror or 'it broke off').lower()}."
            ) from None
    return tables


def _opened(
    source: Source, *, said: Format | None, delimiter: str | None, encoding: str, sheet: str | None, skip_rows: int
) -> Table:
    """Read a file as a table, before anybody has said what its columns mean."""
    if said is None and is_preflib(source):
        from assent.readers.preflib import read_preflib

        return read_preflib(source, encoding=encoding)
    kind = format_of(source, said)
    if sheet is not None and kind != "xlsx":
        raise OptionError(f"`sheet` does not fit the {kind} file {source.title}; it is for XLSX.")
    if delimiter is not None and kind not in {"csv", "tsv"}:
        raise OptionError(f"`delimiter` does not fit the {kind} file {source.title}; it is for CSV and TSV.")
    if skip_rows and kind not in {"csv", "tsv", "xlsx"}:
        raise OptionError(f"`skip_rows` does not fit the {kind} file {source.title}; it is for CSV, TSV and XLSX.")
    if kind == "parquet":
        from assent.readers.columnar import read_parquet

        return read_parquet(source)
    if kind == "xlsx":
        from assent.readers.columnar import read_sheet

        return read_sheet(source, sheet, skip_rows)
    if kind in {"json", "jsonl"}:
        from assent.readers.records import read_records

        return read_records(source, encoding=encoding, lines=None if said is None else kind == "jsonl")
    lines = 0
    if skip_rows:
        source, lines = _without_rows(decoded(source, encoding), skip_rows)
        encoding = "utf-8"
    tab = "\t" if kind == "tsv" else None
    table = read_delimited(source, delimiter=delimiter or (tab if said else None), encoding=encoding, prefer=tab)
    return replace(table, first_line=2 + lines)


def _check_cells(table: Table, title: str) -> None:
    """Refuse a cell that is too long; a Parquet file, which is read only when it is needed, has been looked at."""
    frame = table.frame
    if not isinstance(frame, pl.DataFrame) or frame.estimated_size() <= LONGEST_LINE:
        return
    for name, longest in frame.select(cs.string().str.len_bytes().max()).row(0, named=True).items():
        if (longest or 0) > LONGEST_LINE:
            raise too_long(title, name, LONGEST_LINE)


def _without_rows(source: Source, number: int) -> tuple[Source, int]:
    """Return the text without its first rows, and how many lines those are: a quoted cell may hold line ends."""
    content = source.content()
    found = (match for match in _QUOTED_OR_END.finditer(content) if match[0][:1] != b'"')
    end = next(islice(found, number - 1, None), None)
    if end is None:
        raise EmptyTable(f"{source.title} has fewer than {number:,} lines to skip and a line of names: skip fewer.")
    above = content[: end.end()]
    return replace(source, path=None, data=content[end.end() :]), len(_END.findall(above))
