"""Parquet and XLSX: tables that bring their own columns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from assent.errors import EmptyTable, MissingDependency, OptionError, UnreadableFile, did_you_mean, shown
from assent.readers.sources import Source
from assent.readers.tables import Table, check_header, without_empty_rows

__all__ = ["read_parquet", "read_sheet"]


def read_parquet(sources: Sequence[Source]) -> Table:
    """Return the Parquet files of one name as one table that is not read yet, its columns typed as they are.

    Raises
    ------
    UnreadableFile
        If a file is broken or the files do not fit together.
    """
    name = sources[0].title + (f" and {len(sources) - 1} more" if len(sources) > 1 else "")
    paths = [source.path for source in sources if source.path is not None]
    try:
        if len(paths) == len(sources):
            frame = pl.scan_parquet(paths, glob=False, hive_partitioning=_partitioned(paths))
        else:
            frame = pl.scan_parquet([source.data for source in sources])
        schema = frame.collect_schema()
        empty = frame.head(1).collect().is_empty()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        problem = str(error).splitlines()[0].removeprefix("parquet: ")
        raise UnreadableFile(
            f"{name} is not a readable Parquet file ({shown(problem, 120)}); write it again."
        ) from None
    check_header(name, schema.names())
    if empty:
        raise EmptyTable(f"{name} has no rows; there must be at least one.")
    return Table(name, frame, nested=frozenset(column for column, kind in schema.items() if kind.is_nested()))


def _partitioned(paths: Sequence[Path]) -> bool:
    return any("=" in part for path in paths for part in path.parts[:-1])


def read_sheet(source: Source, sheet: str | None) -> Table:
    """Read one sheet of a workbook into a table of text; numbers as short as they can be written.

    Parameters
    ----------
    source
        An XLSX file.
    sheet
        Name of the sheet; the first one if None.

    Raises
    ------
    MissingDependency
        If fastexcel is not installed.
    UnreadableFile
        If it is not a workbook.
    OptionError
        If it has no sheet of that name.
    """
    try:
        import fastexcel
    except ImportError:
        raise MissingDependency(
            "XLSX files need the package fastexcel; install it with pip install 'assent[excel]'."
        ) from None
    name = source.title
    notes: tuple[str, ...] = ()
    try:
        book = fastexcel.read_excel(source.path or source.data)
        sheets = book.sheet_names
        if sheet is None:
            sheet = sheets[0]
            if len(sheets) > 1:
                notes = (f"Read the sheet {shown(sheet)}, the first of {len(sheets)} (say otherwise with --sheet).",)
        elif sheet not in sheets:
            raise OptionError(f"sheet is {shown(sheet)}, which {name} does not have; {did_you_mean(sheet, sheets)}")
        texts, numbers = (
            book.load_sheet(sheet, header_row=None, skip_rows=0, dtypes=kind).to_polars()
            for kind in ("string", "float")
        )
    except fastexcel.FastExcelError as error:
        problem = str(error).splitlines()[0]
        raise UnreadableFile(f"{name} is not a readable XLSX file ({shown(problem, 120)}); save it again.") from None
    cells = _exact(texts, numbers)
    cells = cells.select(column for column in cells if column.null_count() < cells.height)
    filled = cells.select(pl.any_horizontal(pl.all().is_not_null()).arg_true()).to_series() if cells.width else None
    if filled is None:
        raise EmptyTable(f"{name} has nothing in the sheet {shown(sheet)}; name another with --sheet.")
    first = int(filled[0])
    header = [cell or "" for cell in cells.row(first)]
    check_header(source.title, header)
    frame, dropped = without_empty_rows(cells[first + 1 :].rename(dict(zip(cells.columns, header, strict=True))))
    return Table(source.title, frame, notes=notes, dropped=dropped)


def _exact(texts: pl.DataFrame, numbers: pl.DataFrame) -> pl.DataFrame:
    # fastexcel writes a number with nine decimals; where that is another number, the number itself is written.
    columns = []
    for text in texts:
        number = numbers[text.name]
        rounded = text.cast(pl.Float64, strict=False) != number
        exact = pl.when(rounded).then(number.cast(pl.String)).otherwise(text)
        columns.append(pl.when(exact != "").then(exact).alias(text.name))
    return texts.select(columns)
