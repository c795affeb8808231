"""Parquet and XLSX: tables that bring their own columns."""

from __future__ import annotations

import io
import logging

import polars as pl

from assent.data.reading_notes import ReadingNote
from assent.errors import EmptyTable, MissingDependency, OptionError, UnreadableFile, did_you_mean
from assent.readers.parquet_checks import parquet_fault
from assent.readers.sources import Source
from assent.readers.tables import Table, checked_header, with_cells_of_text, without_empty_rows, without_unnamed
from assent.text import listed, shown

__all__ = ["read_parquet", "read_sheet", "unreadable_parquet"]


def read_parquet(source: Source) -> Table:
    """Return a Parquet file as a table that is not read yet, its columns typed as they are.

    Raises
    ------
    UnreadableFile
        If the file is broken.
    """
    fault = parquet_fault(source.view())
    if fault is not None:
        raise UnreadableFile(f"{source.title} is not a readable Parquet file ({fault}); write it again.")
    # A directory such as annotator=ann holds a column that its files do not have.
    partitioned = source.path is not None and any("=" in part for part in source.path.parts[:-1])
    try:
        frame = pl.scan_parquet(source.path or source.data, glob=False, hive_partitioning=partitioned)
        schema = frame.collect_schema()
        nested = frozenset(name for name, kind in schema.items() if kind.is_nested())
        return with_cells_of_text(Table(source.title, frame, nested=nested))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise unreadable_parquet(source.title, error) from None


def unreadable_parquet(name: str, error: BaseException) -> UnreadableFile:
    """Return the error for a Parquet file that is broken."""
    problem = str(error).splitlines()[0].removeprefix("parquet: ")
    # Where the reader of the file breaks down, it tells of its own code and not of the file.
    told = "" if isinstance(error, pl.exceptions.PanicException) else f" ({shown(problem, 120)})"
    return UnreadableFile(f"{name} is not a readable Parquet file{told}; write it again.")


def read_sheet(source: Source, sheet: str | None, skip_rows: int = 0) -> Table:
    """Read one sheet of a workbook into a table of text; numbers as short as they can be written.

    Parameters
    ----------
    source
        An XLSX file.
    sheet
        Name of the sheet; the first one if None.
    skip_rows
        Rows above the names of the columns.

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
            "XLSX files need the package fastexcel, which comes with assent; install it with pip install fastexcel."
        ) from None
    from assent.readers.workbook_checks import workbook_fault

    fault = workbook_fault(source.path or io.BytesIO(source.data))
    if fault is not None:
        raise UnreadableFile(f"{source.title} {fault}")
    # Without a handler Python prints what the reader of workbooks logs.
    logging.getLogger("calamine").addHandler(logging.NullHandler())
    name = source.title
    notes: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    try:
        book = fastexcel.read_excel(source.path or source.data)
        sheets = book.sheet_names
        if not sheets:
            raise UnreadableFile(f"{name} is a workbook without a sheet; save it again.")
        if sheet is None:
            sheet = sheets[0]
            if len(sheets) > 1:
                others = tuple(sheets[1:])
                notes = (ReadingNote(f"Read the sheet {shown(sheet)}, the first of {len(sheets)}", "`sheet`"),)
        elif sheet not in sheets:
            raise OptionError(f"`sheet` is {shown(sheet)}, which {name} does not have; {did_you_mean(sheet, sheets)}")
        texts, numbers = (
            book.load_sheet(sheet, header_row=None, skip_rows=skip_rows, dtypes=kind).to_polars()
            for kind in ("string", "float")
        )
    except fastexcel.FastExcelError as error:
        problem = str(error).splitlines()[0]
        raise UnreadableFile(f"{name} is not a readable XLSX file ({shown(problem, 120)}); save it again.") from None
    cells = _exact(texts, numbers)
    cells = cells.select(column for column in cells if column.null_count() < cells.height)
    filled = cells.select(pl.any_horizontal(pl.all().is_not_null()).arg_true()).to_series() if cells.width else None
    if filled is None:
        raise EmptyTable(f"{name} has nothing in the sheet {shown(sheet)}; name another with `sheet`.")
    first = int(filled[0])
    header = checked_header(source.title, [cell or "" for cell in cells.row(first)])
    frame = cells[first + 1 :].rename(dict(zip(cells.columns, header, strict=True)))
    frame, dropped = without_empty_rows(source.title, without_unnamed(source.title, frame))
    if notes and frame.width < 2:
        raise UnreadableFile(
            f"{name} has no table in its first sheet, {shown(sheet)}; name another with `sheet`: {listed([shown(one) for one in others], 8)}.",
            candidates=[{"sheet": one} for one in others[:3]],
        )
    return Table(source.title, frame, notes=notes, dropped=dropped, sheets=others)


def _exact(texts: pl.DataFrame, numbers: pl.DataFrame) -> pl.DataFrame:
    # fastexcel writes a number with nine decimals; where that is another number, the number itself is written.
    columns = []
    for text in texts:
        number = numbers[text.name]
        rounded = text.cast(pl.Float64, strict=False) != number
        exact = pl.when(rounded).then(number.cast(pl.String)).otherwise(text)
        columns.append(pl.when(exact != "").then(exact).alias(text.name))
    return texts.select(columns)
