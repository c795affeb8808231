"""Which format a source has: its first bytes say so, else its name, else the shape of its text."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from assent.errors import UnreadableFile, choose
from assent.readers.sources import Source

__all__ = ["ENGINES", "FORMATS", "PREFLIB", "Format", "format_of", "is_preflib"]

Format: TypeAlias = Literal["csv", "tsv", "json", "jsonl", "parquet", "xlsx"]
FORMATS: tuple[Format, ...] = ("csv", "tsv", "json", "jsonl", "parquet", "xlsx")

#: What can read a file.
ENGINES = ("polars", "duckdb", "spark")

_SUFFIXES: dict[str, Format] = {
    ".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl",
    ".parquet": "parquet", ".pq": "parquet", ".xlsx": "xlsx", ".xlsm": "xlsx",
}  # fmt: skip

PREFLIB = (".soc", ".soi", ".toc", ".toi")

_UNZIP = "unpack it and read the file inside"
_UNTAR = "unpack it and read the file inside; the export of a tool may be a folder or a zip, and a table a .gz"
_FILL = "put the files in, and give it again"
_SAVE = "save it as .xlsx or .csv"
_EXPORT = "export the labels as CSV"
_FOREIGN: tuple[tuple[bytes, str, str], ...] = (
    (b"%PDF-", "a PDF document", _EXPORT),
    (b"\x89PNG", "a PNG image", _EXPORT),
    (b"\xff\xd8\xff", "a JPEG image", _EXPORT),
    (b"GIF8", "a GIF image", _EXPORT),
    (b"\xd0\xcf\x11\xe0", "an old Office file (.xls)", _SAVE),
    (b"PK\x05\x06", "a zip archive with nothing in it", _FILL),
    (b"7z\xbc\xaf", "a 7z archive", _UNZIP),
    (b"Rar!\x1a", "a RAR archive", _UNZIP),
    (b"BZh", "a bzip2 file", _UNZIP),
    (b"\xfd7zXZ", "an xz file", _UNZIP),
    (b"SQLite format 3\x00", "an SQLite database", _EXPORT),
    (b"ARROW1", "an Arrow (Feather) file", "write it as Parquet"),
    (b"\x93NUMPY", "a NumPy array file", "give the array to the library instead"),
    (b"$FL2", "an SPSS file (.sav)", "save it as .csv"),
    (b"$FL3", "an SPSS file (.zsav)", "save it as .csv"),
    (b"<stata_dta>", "a Stata file (.dta)", "write it with export delimited"),
    (b"RDX", "an R data file", "write it with write.csv()"),
    (b"\x7fELF", "a program", _EXPORT),
    (b"<!DOCTYPE", "a web page", "download the file itself"),
    (b"<!doctype", "a web page", "download the file itself"),
    (b"<html", "a web page", "download the file itself"),
    (b"<?xml", "an XML file", _EXPORT),
)
# An opening that only JSON has: a CSV header may begin with a bracket, too.
_JSON = re.compile(rb'(?:\xef\xbb\xbf)?\s*(?:\{\s*["}]|\[\s*[\[\]{"\d])')


def is_preflib(source: Source) -> bool:
    """Tell whether a source is a file of PrefLib, by the ending of its name or by the first lines of the current format."""
    head = source.head(4096)
    return source.suffix in PREFLIB or (
        head.startswith(b"# ") and b"# NUMBER ALTERNATIVES:" in head and b"# ALTERNATIVE NAME 1:" in head
    )


def format_of(source: Source, said: str | None) -> Format:
    """Return the format of `source`; what was `said` always wins.

    Raises
    ------
    UnreadableFile
        If the content is known to be something else, or is not what the file's name says.
    """
    if said is not None:
        choose("format", said, FORMATS)
        return said  # type: ignore[return-value]
    head = source.head(64 * 1024)
    name = source.title
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(b"PK\x03\x04"):
        if b"xl/" in head or source.suffix in {".xlsx", ".xlsm"}:
            return "xlsx"
        raise UnreadableFile(f"{name} is a zip archive, not a table; {_UNZIP}.")
    for magic, kind, remedy in _FOREIGN:
        if head.startswith(magic):
            raise UnreadableFile(f"{name} is {kind}, not a table; {remedy}.")
    if head[257:262] == b"ustar":
        raise UnreadableFile(f"{name} is a tar archive, not a table; {_UNTAR}.")
    if head and source.suffix in {".tar", ".tgz"} and not head.strip(b"\0"):
        raise UnreadableFile(f"{name} is a tar archive with nothing in it, not a table; {_FILL}.")
    named = _SUFFIXES.get(source.suffix)
    if named in {"parquet", "xlsx"}:
        kind = "a Parquet file" if named == "parquet" else "an XLSX file"
        remedy = "say what it is with `format`" if head else "it is empty"
        raise UnreadableFile(f"{name} is not {kind} in spite of its name; {remedy}.")
    if named is not None:
        return named
    return "json" if _JSON.match(head) else "csv"
