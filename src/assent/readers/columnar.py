"""Parquet and XLSX: tables that bring their own columns."""

from __future__ import annotations

import io
import logging
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import polars as pl

from assent.data.reading_notes import ReadingNote
from assent.errors import EmptyTable, MissingDependency, OptionError, UnreadableFile, did_you_mean
from assent.limits import LONGEST_LINE, SAMPLE_TEXTS
from assent.readers.parquet_checks import Pages, parquet_pages
from assent.readers.sources import Source
from assent.readers.tables import (
    SAMPLE,
    Table,
    checked_header,
    column,
    too_long,
    with_cells_of_text,
    without_empty_rows,
    without_unnamed,
)
from assent.text import listed, shown

if TYPE_CHECKING:
    from polars._typing import PolarsDataType

__all__ = ["read_parquet", "read_sheet", "unreadable_parquet"]


def read_parquet(source: Source) -> Table:
    """Return a Parquet file as a table that is not read yet, its columns typed as they are.

    Raises
    ------
    UnreadableFile
        If the file is broken.
    EmptyTable
        If it has no columns.
    """
    pages = parquet_pages(source.view())
    if pages.fault is not None:
        raise UnreadableFile(f"{source.title} is not a readable Parquet file ({pages.fault}); write it again.")
    # A directory such as annotator=ann holds a column that its files do not have.
    partitioned = source.path is not None and any("=" in part for part in source.path.parts[:-1])
    try:
        frame = pl.scan_parquet(source.path or source.data, glob=False, hive_partitioning=partitioned)
        schema = frame.collect_schema()
        if not schema:
            raise EmptyTable(f"{source.title} has no columns: there is nothing to measure.")
        nested = frozenset(name for name, kind in schema.items() if kind.is_nested())
        table = with_cells_of_text(Table(source.title, frame, nested=nested))
        _check_texts(table, pages)
        return table
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise unreadable_parquet(source.title, error) from None


def _check_texts(table: Table, pages: Pages) -> None:
    """Refuse texts that are too long for any cell, or too much to hold in the first rows; they are measured only where they may be."""
    frame = table.frame.lazy()
    if pages.longest > LONGEST_LINE:
        for name, longest in _totals(frame, pl.Expr.max).items():
            if longest > LONGEST_LINE:
                raise too_long(table.name, name, LONGEST_LINE)
    if pages.named > SAMPLE_TEXTS and sum(_totals(frame.head(SAMPLE), pl.Expr.sum).values()) > SAMPLE_TEXTS:
        raise UnreadableFile(
            f"{table.name} repeats its texts in so many cells that they are too much to hold; leave out the column that holds them."
        )


def _totals(frame: pl.LazyFrame, total: Callable[[pl.Expr], pl.Expr]) -> dict[str, int]:
    """Return the longest text or the length of all texts of each column, in bytes."""
    schema = frame.collect_schema()
    asked = {
        f"{place} {part}": (name, total(length.cast(pl.UInt64)))
        for place, (name, kind) in enumerate(schema.items())
        for part, length in enumerate(_lengths(column(name), kind))
    }
    found = frame.select(one.alias(key) for key, (_, one) in asked.items()).collect(engine="streaming")
    totals = dict.fromkeys(schema, 0)
    for key, (name, _) in asked.items():
        totals[name] += found[key].item() or 0
    return totals


def _lengths(cells: pl.Expr, kind: PolarsDataType) -> Iterator[pl.Expr]:
    """Yield the bytes of each text in a column, also of those in lists and records."""
    if kind == pl.String:
        yield cells.str.len_bytes()
    elif isinstance(kind, pl.Categorical | pl.Enum):
        yield cells.cat.len_bytes()
    elif isinstance(kind, pl.List | pl.Array):
        yield from _lengths(cells.explode(), kind.inner)
    elif isinstance(kind, pl.Struct):
        for field in kind.fields:
            yield from _lengths(cells.struct.field(field.name), field.dtype)


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
    except fastexcel.InvalidParametersError:
        # Names and kinds are ours: only the rows to skip can be wrong.
        raise _skipped_all(name, sheet, skip_rows) from None
    except fastexcel.FastExcelError as error:
        problem = str(error).splitlines()[0]
        raise UnreadableFile(f"{name} is not a readable XLSX file ({shown(problem, 120)}); save it again.") from None
    cells = _exact(texts, numbers)
    cells = cells.select(column for column in cells if column.null_count() < cells.height)
    filled = cells.select(pl.any_horizontal(pl.all().is_not_null()).arg_true()).to_series() if cells.width else None
    if filled is None and skip_rows:
        raise _skipped_all(name, sheet, skip_rows)
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


def _skipped_all(name: str, sheet: str | None, rows: int) -> EmptyTable:
    """Return the error for a sheet that ends above its names."""
    return EmptyTable(
        f"{name} has fewer than {rows:,} rows to skip and a row of names in the sheet {shown(sheet)}: skip fewer."
    )


def _exact(texts: pl.DataFrame, numbers: pl.DataFrame) -> pl.DataFrame:
    # fastexcel writes a number with nine decimals; where that is another number, the number itself is written.
    columns = []
    for text in texts:
        number = numbers[text.name]
        rounded = text.cast(pl.Float64, strict=False) != number
        exact = pl.when(rounded).then(number.cast(pl.String)).otherwise(text)
        columns.append(pl.when(exact != "").then(exact).alias(text.name))
    return texts.select(columns)
