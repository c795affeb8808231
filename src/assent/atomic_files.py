"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assent.errors import InputError, OptionError
from assent.text import shown

if TYPE_CHECKING:
    import polars as pl

__all__ = ["TABLE_FORMATS", "check_place", "table_content", "table_text", "write_all", "write_table", "write_whole"]

#: Formats of tables by the ending of the file's name.
TABLE_FORMATS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".parquet": "parquet",
}
#: A spreadsheet takes a cell that begins with one of these for a formula and runs it.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
#: Values that a CSV file writes in a way of ours.
_NESTED = (bool, list, tuple, dict)
_TRUTH = {True: "true", False: "false"}


def check_place(path: str | os.PathLike[str]) -> None:
    """Refuse a place where no file can be written: a folder, or one that is in no folder."""
    target = Path(path)
    # Unlike the methods of a path, the functions of os.path take a name that is too long for one that is not there.
    if os.path.isdir(target):
        raise InputError(f"{shown(str(target), 200)} is a folder: give the name of a file to write.")
    if not os.path.isdir(target.parent):
        raise InputError(
            f"There is no folder {shown(str(target.parent), 200)} to write {shown(target.name)} into: make it first."
        )


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file under a temporary name and move it into place, so that nobody ever sees half of it.

    Parameters
    ----------
    path : path
        Its folder must exist; a file that is there is replaced.
    content : str or bytes
        Text is written as UTF-8.
    """
    write_all({os.fspath(path): content})


def write_all(files: Mapping[str, str | bytes], folder: str | None = None) -> None:
    """Write several files, all of them or none: what a disk has no room for shows before the first is moved into place.

    Parameters
    ----------
    files : mapping of str to str or bytes
        The content of each, by its path, as in `write_whole`.
    folder : str, optional
        One that is made if it is not there, and does not stay if nothing is written.
    """
    drafts: list[tuple[Path, Path, str]] = []
    new = [] if folder is None else _made_folders(Path(folder))
    try:
        for path, content in files.items():
            check_place(path)
            data, target = content.encode("utf-8") if isinstance(content, str) else content, _followed(path)
            with _told(path):
                if os.path.exists(target) and not os.path.isfile(target):
                    # A device such as /dev/stdout cannot be replaced, only written to.
                    target.write_bytes(data)
                    continue
                draft = target.with_name(f".{target.name[:80]}.{secrets.token_hex(4)}.part")
                drafts.append((draft, target, path))
                with open(draft, "xb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                if os.path.exists(target):
                    os.chmod(draft, target.stat().st_mode)
        for draft, target, path in drafts:
            with _told(path):
                os.replace(draft, target)
    finally:
        # A folder that takes no file gives none away, either; what it refused first is the reason to tell.
        for draft, _, _ in drafts:
            with contextlib.suppress(OSError):
                draft.unlink()
        # One that holds a file stays.
        for one in new:
            with contextlib.suppress(OSError):
                one.rmdir()


def _followed(path: str) -> Path:
    """Return the file that a link leads to, or the path itself."""
    try:
        return Path(path).resolve()
    except RuntimeError:
        raise InputError(f"{shown(path)} is a link that leads back to itself; write it somewhere else.") from None


@contextlib.contextmanager
def _told(path: str) -> Iterator[None]:
    """Say in a sentence which file the system refuses to write."""
    try:
        yield
    except BrokenPipeError:
        # Whoever read a pipe has read enough: the program ends as at any other.
        raise
    except OSError as error:
        raise InputError(
            f"{shown(path, 200)} cannot be written: {error.strerror or error}; write it somewhere else."
        ) from None


def _made_folders(folder: Path) -> list[Path]:
    """Make a folder and those that it is in, and return which were not there, the innermost first."""
    try:
        new = [one for one in (folder, *folder.parents) if not one.exists()]
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RecursionError) as error:
        why = "too many folders in each other" if isinstance(error, RecursionError) else error.strerror or error
        raise InputError(f"The folder {shown(str(folder), 200)} cannot be made: {why}.") from None
    return new


def write_table(
    path: str | os.PathLike[str], columns: Mapping[str, Sequence[Any]], *, for_spreadsheet: bool = False
) -> None:
    """Write columns as CSV, TSV, JSON, JSON lines or Parquet, as the ending of the name says.

    Parameters
    ----------
    path : path
    columns : mapping of str to sequence
        All of one length; None is an empty cell.
    for_spreadsheet : bool
        Put an apostrophe before cells of a CSV or TSV file that a spreadsheet would take for a formula. The cells are then no
        longer what the user wrote, so it is done on request alone.
    """
    write_whole(path, table_content(path, columns, for_spreadsheet=for_spreadsheet))


def table_content(
    path: str | os.PathLike[str], columns: Mapping[str, Sequence[Any]], *, for_spreadsheet: bool = False
) -> str | bytes:
    """Return what `write_table` writes."""
    suffix = Path(path).suffix.lower()
    if suffix not in TABLE_FORMATS:
        endings = ", ".join(TABLE_FORMATS)
        raise OptionError(f"{shown(str(path))} does not say its format: let its name end in one of {endings}.")
    format = TABLE_FORMATS[suffix]
    if for_spreadsheet and format not in ("csv", "tsv"):
        raise OptionError(f"Cells are escaped for spreadsheets in CSV and TSV files alone, not in {format}.")
    if format == "parquet":
        import polars as pl

        buffer = io.BytesIO()
        pl.DataFrame(dict(columns), strict=False).write_parquet(buffer)
        return buffer.getvalue()
    return table_text(columns, format, for_spreadsheet=for_spreadsheet)


def table_text(columns: Mapping[str, Sequence[Any]], format: str, *, for_spreadsheet: bool = False) -> str:
    """Return columns as the text of a CSV, TSV, JSON or JSON-lines file."""
    names = list(columns)
    if format in ("json", "jsonl"):
        encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
        records = [encode(dict(zip(names, row, strict=True))) for row in zip(*columns.values(), strict=True)]
        return "".join(f"{one}\n" for one in records) if format == "jsonl" else "[\n" + ",\n".join(records) + "\n]\n"
    safe = _for_spreadsheet if for_spreadsheet else _cell
    changed = (str, *_NESTED) if for_spreadsheet else _NESTED
    separator = "\t" if format == "tsv" else ","
    text = _Lines()
    writer = csv.writer(text, delimiter=separator, lineterminator="\r\n")
    writer.writerow([safe(name) for name in names])
    # A column of a million numbers is written as it is: only kinds of values that may change are looked at one by one.
    cells: list[tuple[Sequence[Any], set[type]]] = []
    for column in columns.values():
        kinds = set(map(type, column))
        if kinds != {bool} and any(issubclass(kind, changed) for kind in kinds):
            column = list(map(safe, column))
            kinds = set(map(type, column))
        cells.append((column, kinds - {type(None)}))
    quick = _quickly(cells, separator)
    if quick is not None:
        return text.getvalue() + quick
    plain = (map(_TRUTH.__getitem__, column) if kinds == {bool} else column for column, kinds in cells)
    writer.writerows(zip(*plain, strict=True))
    return text.getvalue()


class _Lines(io.StringIO):
    """Lines that end in a line feed; to the writer of CSV they also end in a carriage return, so that it quotes cells with one."""

    def write(self, line: str) -> int:
        return super().write(line.removesuffix("\r\n") + "\n")


def _quickly(cells: Sequence[tuple[Sequence[Any], set[type]]], separator: str) -> str | None:
    """Return rows as the csv module writes them, but by polars, in a fifth of the time; None where the two might differ."""
    if len(cells) < 2 or any(len(column) != len(cells[0][0]) for column, _ in cells):
        return None
    import polars as pl

    dtypes = {str: pl.String, float: pl.Float64, int: pl.Int64, bool: pl.Boolean}
    columns = []
    for number, (values, kinds) in enumerate(cells):
        if len(kinds) > 1 or not kinds <= dtypes.keys():
            return None
        try:
            column = pl.Series(str(number), values, dtype=dtypes[next(iter(kinds))] if kinds else pl.String)
        except (OverflowError, TypeError, UnicodeError):
            # A number of more than 64 bits, or half of a surrogate pair.
            return None
        if column.dtype == pl.String:
            # Carriage returns are quoted by some versions of Python.
            if column.str.contains("\r", literal=True).any():
                return None
            column = column.replace("", None)
        columns.append(_spelled(column) if column.dtype == pl.Float64 else column)
    return pl.DataFrame(columns).write_csv(include_header=False, separator=separator, quote_style="necessary")


def _spelled(numbers: pl.Series) -> pl.Series:
    """Spell floats as Python does: polars has no other digits, but begins elsewhere to write an exponent."""
    import polars as pl

    size = numbers.abs()
    odd = ~(((size >= 1e-4) & (size < 1e16)) | (size == 0)).fill_null(True)
    texts = numbers.cast(pl.String)
    where = odd.arg_true()
    return texts.scatter(where, [repr(one) for one in numbers.gather(where)]) if len(where) else texts


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return _TRUTH[value]
    if isinstance(value, _NESTED):
        return json.dumps(value, ensure_ascii=False)
    return value


def _for_spreadsheet(value: Any) -> Any:
    cell = _cell(value)
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
