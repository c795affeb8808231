"""A table as it was read, before anybody has said what its columns mean."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import polars as pl
import polars.selectors as cs
from msgspec import field
from msgspec.structs import replace

from assent.data import Dropped
from assent.errors import OptionError, UnknownColumn, UnreadableFile, did_you_mean
from assent.records import Struct
from assent.text import shown

__all__ = [
    "ANNOTATOR",
    "SAMPLE",
    "BadRow",
    "Bytes",
    "Table",
    "as_text",
    "by_file_name",
    "check_flat",
    "checked_header",
    "column",
    "columns_shown",
    "further",
    "joined",
    "readable",
    "skipping",
    "too_long",
    "with_cells_of_text",
    "with_joint_columns",
    "without_empty_rows",
    "without_unnamed",
]


_UNNAMED = "\x00column "
#: Rows of which it is told what a table is.
SAMPLE = 5_000
#: Fewer rows do not show what a column holds.
_ENOUGH = 5
#: Cells that show whether bytes may be text in another encoding, and what no text holds in any encoding of single bytes.
_LOOKED_AT, _CONTROLS = 20, re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
#: Column that says whose file a row is from.
ANNOTATOR = "annotator"


class BadRow(ValueError):
    """A row that cannot be read, and why: what stands after "line 3", as in "has 2 cells and not 3"."""


class Bytes(Struct, frozen=True, kw_only=True):
    """What the first cells of a column of bytes are like that are no text."""

    written: bool
    """They may be text in another encoding."""
    repeated: bool
    """Some are the same, as labels are and keys are not."""
    longest: int


class Table(Struct, frozen=True):
    """Columns of text, null where a cell was empty; typed columns if the format has types."""

    name: str
    frame: pl.DataFrame | pl.LazyFrame
    nested: frozenset[str] = frozenset()
    """Columns with lists or records in their cells."""
    delimiter: str | None = None
    notes: tuple[str, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    file: str = ""
    """Name of the file without its folder and its ending."""
    first_line: int | None = None
    """Line of the file that holds the first row, if each row is one line."""
    sheets: tuple[str, ...] = ()
    """Of a workbook whose sheet was not named: the other sheets."""
    bytes: Mapping[str, Bytes] = field(default_factory=dict)
    """Columns of bytes that are no text, which were left out."""

    def place(self, row: int) -> str:
        """Say where a row stands, counted from 0: its line in the file, or its number."""
        known = self.first_line is not None and not any(one.reason == "empty row" for one in self.dropped)
        return f"line {row + (self.first_line or 0):,}" if known else f"row {row + 1:,}"

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self.frame.columns if isinstance(self.frame, pl.DataFrame) else self.frame.collect_schema().names()


def column(name: str) -> pl.Expr:
    """Return the column of exactly this name: polars takes "*" and "^a$" for patterns."""
    return cs.by_name(name).as_expr()


def check_flat(name: str, kind: pl.DataType) -> None:
    """Refuse a column with lists or objects, which is to be read as a text or a number."""
    if kind.is_nested():
        raise UnreadableFile(
            f"The column {shown(name)} has lists or objects in its cells; each cell must hold one value."
        )


def as_text(name: str, kind: pl.DataType) -> pl.Expr:
    """Return a column as text, whole numbers without decimals: they are floats only where one is missing."""
    check_flat(name, kind)
    text = column(name).cast(pl.String)
    if not kind.is_float():
        return text
    whole = (column(name) == column(name).round()) & (column(name).abs() < 1e15)
    return pl.when(whole).then(column(name).cast(pl.Int64, strict=False).cast(pl.String)).otherwise(text).alias(name)


def with_cells_of_text(table: Table) -> Table:
    """Return a typed table whose cells all have a text: durations are seconds, and columns of bytes, such as images, are left out and named.

    Times are told apart down to microseconds, as in Python.
    """
    kinds = table.frame.collect_schema()
    changed: list[pl.Expr] = []
    left_out: list[str] = []
    held_bytes: dict[str, Bytes] = {}
    for name, kind in kinds.items():
        if kind == pl.Duration:
            changed.append(column(name).dt.total_microseconds() / 1e6)
        elif kind == pl.Time:
            changed.append(column(name).cast(pl.Int64).floordiv(1000).mul(1000).cast(pl.Time))
        elif isinstance(kind, pl.Datetime) and kind.time_unit == "ns":
            changed.append(column(name).dt.cast_time_unit("us"))
        inner = kind.inner if isinstance(kind, pl.List | pl.Array) else None
        if kind == pl.Binary:
            text = column(name).cast(pl.String)
            try:
                # Some programs write texts without saying that they are no bytes.
                held = table.frame.lazy().select(text)
                (held if isinstance(table.frame, pl.DataFrame) else held.head(SAMPLE)).collect()
                changed.append(text)
            except pl.exceptions.PolarsError:
                left_out.append(name)
                held_bytes[name] = _look_of(_first_cells(table.frame, name))
        elif inner in (pl.Binary, pl.Duration):
            left_out.append(name)
    if not changed and not left_out:
        return table
    notes = (
        (f"Left out because bytes and lists of durations are no text: {columns_shown(left_out)}.",) if left_out else ()
    )
    frame = table.frame.with_columns(changed).drop(left_out)
    return replace(
        table, frame=frame, nested=table.nested - {*left_out}, notes=(*table.notes, *notes), bytes=held_bytes
    )


def _first_cells(frame: pl.DataFrame | pl.LazyFrame, name: str) -> list[bytes]:
    """Return the first cells of a column of bytes that hold something."""
    return frame.lazy().select(column(name)).drop_nulls().head(_LOOKED_AT).collect().to_series().to_list()


def _look_of(cells: Sequence[bytes]) -> Bytes:
    """Return what some cells of bytes are like."""
    return Bytes(
        written=not any(map(_CONTROLS.search, cells)),
        repeated=len(set(cells)) < len(cells),
        longest=max(map(len, cells), default=0),
    )


def too_long(title: str, name: str, most: int) -> UnreadableFile:
    """Return the error for a cell that no label, name or text is: each is looked at by many patterns, which would take minutes and gigabytes."""
    return UnreadableFile(
        f"{title} has a cell of more than {most >> 20} MB in the column {shown(name)}; a table holds a label or a text in each."
    )


def columns_shown(names: Sequence[str], most: int = 8) -> str:
    """Return the names for a message, the first and last of them if there are many."""
    if len(names) > most:
        return f"{len(names)} columns from {shown(names[0])} to {shown(names[-1])}"
    return ", ".join(shown(name) if name else "the column without a name" for name in names)


def further(names: Sequence[str], columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns to keep beside the annotations, each once; refuse one that is not there."""
    for name in names:
        if name not in columns:
            raise UnknownColumn(f"There is no column {shown(name)} to keep; {did_you_mean(name, columns)}")
    return tuple(dict.fromkeys(names))


def by_file_name(table: Table, pattern: str) -> Table:
    """Return the table with a column that says who annotated, from the name of its file.

    Parameters
    ----------
    pattern : str
        Regular expression whose first group, or which as a whole, finds the annotator in the name.
    """
    try:
        found = re.search(pattern, table.file)
    except re.error as error:
        raise OptionError(f"`annotator_from_name` is not a regular expression: {error}.") from None
    if found is None:
        raise OptionError(f"`annotator_from_name` finds nobody in the name of {table.name}: check the expression.")
    who = (found[1] if found.re.groups else found[0]) or table.file
    if ANNOTATOR in table.columns:
        raise OptionError(f"{table.name} has a column {shown(ANNOTATOR)} already: leave out `annotator_from_name`.")
    return replace(table, frame=table.frame.with_columns(pl.lit(who).alias(ANNOTATOR)))


def with_joint_columns(table: Table, names: Sequence[str | None]) -> Table:
    """Return the table with one more column for each name such as "doc,sentence" that means several columns together."""
    known = set(table.columns)
    for name in names:
        parts = [] if name is None or name in known else [part.strip() for part in name.split(",")]
        if len(parts) < 2 or not known.issuperset(parts) or name is None:
            continue
        kinds = table.frame.collect_schema()
        texts = [as_text(part, kinds[part]) for part in parts]
        table = replace(table, frame=table.frame.with_columns(pl.concat_str(texts, separator=" / ").alias(name)))
        known.add(name)
    return table


def checked_header(name: str, header: Sequence[str]) -> list[str]:
    """Refuse a header that names a column twice, and give every unnamed column but the first a name for now."""
    twice = [heading for heading, times in Counter(header).items() if times > 1 and heading]
    if twice:
        raise UnreadableFile(
            f"{name} has more than one column named {columns_shown(twice)}; "
            "its first line must hold a different name for each column (lines above the names are left out with `skip_rows`)."
        )
    return [heading if heading or i == 1 else f"{_UNNAMED}{i}" for i, heading in enumerate(header, start=1)]


def without_unnamed(name: str, frame: pl.DataFrame) -> pl.DataFrame:
    """Return the frame without unnamed columns, as separators at the end of lines make; refuse one that holds something."""
    unnamed = [heading for heading in frame.columns if heading.startswith(_UNNAMED)]
    for heading in unnamed:
        if frame[heading].null_count() < frame.height:
            told, remedies = skipping(_names_below(frame, len(unnamed)))
            raise UnreadableFile(
                f"{name} has no name for column {heading.removeprefix(_UNNAMED)} of {frame.width}; "
                f"its first line must name every column that holds something ({told}).",
                candidates=remedies,
            )
    return frame.drop(unnamed) if unnamed else frame


def skipping(above: int | None, line: int | None = None) -> tuple[str, list[dict[str, str]]]:
    """Say how rows above the names are left out, and how many if that is known; return it as options, too.

    Parameters
    ----------
    above : int, optional
        How many rows stand above the names; a cell of one may hold line ends.
    line : int, optional
        The line of the names, if it is known; else the row is named.
    """
    if above is None:
        return "lines above the names are left out with `skip_rows`", []
    where = f"row {above + 1}" if line is None else f"line {line}"
    told = f"if {where} holds the names, leave out {'that' if above == 1 else 'those'} above with `skip_rows` {above}"
    return told, [{"skip_rows": str(above)}]


def _names_below(frame: pl.DataFrame, unnamed: int) -> int | None:
    """Return how many lines stand above the names, where most names are missing and a row has a text for each."""
    rows = frame.head(20).rows() if 2 * unnamed >= frame.width else []
    for above, row in enumerate(rows, start=1):
        if len(set(row)) == len(row) and all(isinstance(cell, str) and cell.strip() for cell in row):
            return above
    return None


def without_empty_rows(name: str, frame: pl.DataFrame) -> tuple[pl.DataFrame, tuple[Dropped, ...]]:
    """Return the frame without rows that hold nothing, and how many there were; refuse one below which another table begins."""
    if not frame.width or not frame.to_series(0).null_count():
        return frame, ()
    empty = frame.select(pl.all_horizontal(pl.all().is_null())).to_series()
    if not empty.any():
        return frame, ()
    _refuse_another_table(name, frame, empty)
    return frame.filter(~empty), (Dropped("empty row", int(empty.sum())),)


def _refuse_another_table(name: str, frame: pl.DataFrame, empty: pl.Series) -> None:
    """Refuse rows below an empty one whose first is no row of this table: nothing in it occurs above, though columns repeat themselves."""
    first = int(empty.arg_max() or 0)
    above, below = frame[:first], frame[first:].filter(~empty[first:])
    if above.height < _ENOUGH or below.is_empty():
        return
    cells = {column: text for column, text in zip(below.columns, below.row(0), strict=True) if text is not None}
    repeating = [column for column in cells if 2 * above[column].n_unique() <= above.height]
    if len(repeating) > 1 and not any((above[column] == cells[column]).any() for column in cells):
        raise UnreadableFile(
            f"{name} has an empty row below which another table seems to begin, with {columns_shown([str(text) for text in cells.values()])}: "
            "put what stands below the empty row into a file of its own, or delete that row if the rows belong together."
        )


def joined(tables: Sequence[Table]) -> Table:
    """Return several tables with the same columns as one, in the order given.

    Raises
    ------
    UnknownColumn
        If the columns differ, naming those that do.
    OptionError
        If there is no table.
    """
    if not tables:
        raise OptionError("sources is empty; name at least one file.")
    first = tables[0]
    if len(tables) == 1:
        return first
    columns = first.columns
    for table in tables[1:]:
        lacking = [name for name in columns if name not in set(table.columns)]
        extra = [name for name in table.columns if name not in set(columns)]
        if lacking or extra:
            clauses = [f"lacks {columns_shown(lacking)}"] * bool(lacking) + [f"also has {columns_shown(extra)}"] * bool(
                extra
            )
            raise UnknownColumn(
                f"{table.name} {' and '.join(clauses)} compared with {first.name}; "
                "files that are read together must have the same columns."
            )
    nested = frozenset[str]().union(*(table.nested for table in tables))
    return Table(
        name=f"{first.name} and {len(tables) - 1} more",
        frame=_stacked([table.frame.select(map(column, columns)) for table in tables], nested),
        nested=nested,
        bytes={name: look for table in tables for name, look in table.bytes.items()},
        delimiter=first.delimiter,
        notes=tuple(dict.fromkeys(note for table in tables for note in table.notes)),
        dropped=tuple(
            replace(why, rows=rows)
            for why, rows in sum(
                (Counter({replace(d, rows=0): d.rows}) for t in tables for d in t.dropped), Counter()
            ).items()
        ),
    )


def _stacked(frames: list[pl.DataFrame | pl.LazyFrame], nested: frozenset[str]) -> pl.DataFrame | pl.LazyFrame:
    if all(isinstance(frame, pl.DataFrame) for frame in frames):
        eager = [frame for frame in frames if isinstance(frame, pl.DataFrame)]
        if len({tuple(frame.dtypes) for frame in eager}) == 1:
            return pl.concat(eager, rechunk=False)
    lazy = [frame.lazy() for frame in frames]
    schemas = [frame.collect_schema() for frame in lazy]
    text = []
    for name in schemas[0]:
        kinds = {schema[name] for schema in schemas}
        # A column of numbers here and of text there can only be text; numbers of two kinds stay numbers.
        if len(kinds) > 1 and name not in nested and not all(kind.is_numeric() for kind in kinds):
            text.append(name)
    return pl.concat(
        [
            frame.with_columns(as_text(name, schema[name]) for name in text)
            for frame, schema in zip(lazy, schemas, strict=True)
        ],
        how="vertical_relaxed",
    )


@contextmanager
def readable(table: Table) -> Iterator[None]:
    """Say it in a sentence if a Parquet file, which is read only when it is needed, turns out to be broken in the middle, or a time to be none."""
    try:
        yield
    except ValueError as error:
        # To Python there are no other years than those from 1 to 9999.
        if type(error) is not ValueError or not re.fullmatch(r"year -?\d+ is out of range", str(error)):
            raise
        raise UnreadableFile(
            f"{table.name} has a time of the {str(error).split(' is ')[0]}, and years go from 1 to 9999: check the unit that it was written in."
        ) from None
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        if isinstance(table.frame, pl.DataFrame):
            raise
        from assent.readers.columnar import unreadable_parquet

        raise unreadable_parquet(table.name, error) from None
