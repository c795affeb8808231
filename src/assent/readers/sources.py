"""Where the bytes come from: a path, a pattern, standard input, an open file, a compressed file."""

from __future__ import annotations

import codecs
import difflib
import glob
import gzip
import io
import lzma
import mmap
import os
import re
import struct
import sys
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

import polars as pl

from assent.errors import OptionError, UnreadableFile
from assent.records import Struct
from assent.text import shown

__all__ = ["BROKEN", "HEAD", "Origin", "Source", "check_there", "decoded", "invalid_byte", "open_sources", "whole"]

HEAD = 256 * 1024
"""How many bytes of a file are looked at before it is read."""

FREE, RATIO = 64 << 20, 200
"""Bytes that may be packed as tightly as they like, and how many times smaller the packed form of more may be."""

#: What Python raises on archives and packed files that are broken: one list for all that open one. An offset below 0 is a ValueError, one
#: beyond the machine an OverflowError, an unknown method a NotImplementedError, a password a RuntimeError.
BROKEN = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, LookupError, OSError, OverflowError, RuntimeError, ValueError,
)  # fmt: skip

_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
#: The mark of UTF-32 begins with that of UTF-16.
_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}

_UNNAMED = ("standard input", "the open file")

Origin: TypeAlias = "str | os.PathLike[str] | BinaryIO"


class Source(Struct, frozen=True):
    """A named run of bytes, on disk (`path`) or in memory (`data`)."""

    name: str
    path: Path | None = None
    data: bytes = b""
    suffix: str = ""

    @property
    def title(self) -> str:
        """The name for a message."""
        return self.name if self.name in _UNNAMED else shown(self.name, 120)

    @property
    def size(self) -> int:
        """The number of bytes."""
        return self.path.stat().st_size if self.path else len(self.data)

    def head(self, size: int = HEAD) -> bytes:
        """Return the first `size` bytes."""
        if self.path is None:
            return self.data[:size]
        with self.path.open("rb") as file:
            return file.read(size)

    def content(self) -> bytes:
        """Return all bytes."""
        return self.data if self.path is None else self.path.read_bytes()

    def view(self) -> mmap.mmap | bytes:
        """Return all bytes without copying them; both kinds have ``find``."""
        if self.path is None or self.size == 0:
            return self.data
        with self.path.open("rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def text(self, *, newline: str, start: int = 0) -> io.TextIOWrapper:
        """Return the UTF-8 text from byte `start` as an open file whose lines end in `newline`."""
        raw = io.BytesIO(self.data) if self.path is None else self.path.open("rb")
        raw.seek(start)
        return io.TextIOWrapper(raw, "utf-8-sig", newline=newline)


def open_sources(origin: Origin) -> list[Source]:
    """Return the source or, for a pattern or a directory of Parquet files, the sources of `origin`.

    Raises
    ------
    UnreadableFile
        If there is no such file or it cannot be opened; the message offers a file with a similar name.
    """
    if hasattr(origin, "read"):
        return [_from_stream(origin, str(getattr(origin, "name", _UNNAMED[1])))]
    try:
        text = os.fspath(origin)
    except TypeError:
        raise OptionError(f"A source is {shown(type(origin).__name__)}; it must be a path or an open file.") from None
    if text == "-":
        return [_from_stream(sys.stdin.buffer, _UNNAMED[0])]
    try:
        return [_from_path(path) for path in _expand(text)]
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UnreadableFile(f"{shown(text, 120)} cannot be opened: {reason.lower()}.") from None


def check_there(origins: Iterable[Origin]) -> None:
    """Refuse the name of a file that does not exist, or that is named twice, before anything else is said about it."""
    known: set[str] = set()
    for one in origins:
        if not isinstance(one, str | os.PathLike) or str(one) == "-":
            continue
        if not os.path.exists(one):
            open_sources(one)
        elif (place := os.path.realpath(one)) in known:
            raise OptionError(f"{shown(str(one), 120)} is named twice: name each file once.")
        else:
            known.add(place)


#: Endings of tables that people keep in a folder.
_TABLES = (".csv", ".tsv", ".json", ".jsonl", ".xlsx")


def _expand(text: str) -> list[Path]:
    path = Path(text)
    if path.is_dir():
        # Spark and its kin leave _SUCCESS, .crc and _temporary beside the data.
        found = [p for p in sorted(path.rglob("*.parquet")) if not any(_hidden(q) for q in p.relative_to(path).parts)]
        if not found:
            tables = sorted(one for one in path.iterdir() if one.suffix.lower() in _TABLES)
            example = f", such as {shown(str(tables[0]), 120)}" if tables else ""
            raise UnreadableFile(
                f"{shown(text, 120)} is a folder, which is read if it holds Parquet files or the export of an annotation tool: "
                f"name the files to read{example}."
            )
        return found
    if path.exists():
        return [path]
    if glob.has_magic(text):
        matches = [Path(match) for match in sorted(glob.glob(text, recursive=True))]
        if matches:
            return matches
        raise UnreadableFile(f"No file matches {shown(text, 120)}; check the pattern.")
    if "://" in text:
        raise UnreadableFile(f"{shown(text, 120)} is an address, and files are read from disk; download it first.")
    raise UnreadableFile(f"There is no file {shown(text, 120)}{_sibling(path)}")


def _hidden(part: str) -> bool:
    return part.startswith((".", "_"))


def _sibling(path: Path) -> str:
    try:
        names = sorted(p.name for p in path.parent.iterdir() if p.is_file())
    except OSError:
        return f"; there is no directory {shown(path.parent, 120)} either."
    near = difflib.get_close_matches(path.name, names, n=1, cutoff=0.6)
    return f"; did you mean {shown(path.parent / near[0], 120)}?" if near else "; check the name."


def _from_stream(stream: Any, name: str) -> Source:
    try:
        data = stream.read()
    except (OSError, ValueError) as error:
        raise UnreadableFile(f"{name} cannot be read: {error}.") from None
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    suffix = Path(name).suffix.lower()
    return _unpacked(Source(name, data=bytes(data), suffix=suffix), suffix)


def _from_path(path: Path) -> Source:
    suffixes = [suffix.lower() for suffix in path.suffixes]
    packed = bool(suffixes) and suffixes[-1] in {".gz", ".zst", ".zstd"}
    suffix = "".join(suffixes[-2:-1] if packed else suffixes[-1:])
    # polars can neither read a pipe twice, as in <(command), nor open a file whose name is not UTF-8.
    in_memory = not path.is_file() or str(path) != str(path).encode(errors="replace").decode()
    source = Source(str(path), data=whole(path), suffix=suffix) if in_memory else Source(str(path), path, suffix=suffix)
    return _unpacked(source, suffix)


def whole(path: Path) -> bytes:
    """Return all bytes of a file that may be a pipe; a device such as /dev/zero never ends, unless somebody types there."""
    with path.open("rb") as file:
        if not path.is_char_device() or file.isatty():
            return file.read()
        data = file.read(HEAD + 1)
    if len(data) > HEAD:
        raise UnreadableFile(f"{shown(path, 120)} is a device and not a file: name a file, or - for standard input.")
    return data


def _unpacked(source: Source, suffix: str) -> Source:
    head = source.head(4)
    if head.startswith(_GZIP):
        try:
            return Source(source.name, data=_gunzipped(source), suffix=suffix)
        except BROKEN:
            raise UnreadableFile(f"{source.title} is a broken gzip file; make it again.") from None
    if head == _ZSTD:
        return Source(source.name, data=_zstd(source), suffix=suffix)
    return source


def _gunzipped(source: Source) -> bytes:
    """Unpack, and stop at what only a file made to fill memory unpacks to."""
    most = max(FREE, RATIO * source.size)
    raw: Any = io.BytesIO(source.data) if source.path is None else source.path.open("rb")
    with raw, gzip.GzipFile(fileobj=raw) as packed:
        data = packed.read(most + 1)
    if len(data) > most:
        raise UnreadableFile(
            f"{source.title} unpacks to more than {RATIO} times its size, as only a file made to fill memory does; unpack it and name "
            "the file if it is meant."
        )
    return data


def _zstd(source: Source) -> bytes:
    # polars decompresses what it reads: two control characters as separators make the file one cell.
    try:
        cells = pl.read_csv(
            source.path or source.data, has_header=False, eol_char="\x1e", separator="\x1f", quote_char=None,
            infer_schema=False, glob=False,
        )  # fmt: skip
    except pl.exceptions.NoDataError:
        return b""
    except (pl.exceptions.PolarsError, OSError):
        raise UnreadableFile(
            f"{source.title} cannot be decompressed as UTF-8 text; unpack it with zstd -d first."
        ) from None
    return "\x1e".join(cell or "" for cell in cells.to_series()).encode()


def decoded(source: Source, encoding: str) -> Source:
    """Return `source` as UTF-8: itself, if it is that already.

    Raises
    ------
    OptionError
        If there is no such encoding.
    UnreadableFile
        If the bytes are not text in that encoding.
    """
    try:
        codec = codecs.lookup(encoding).name
        "".encode(codec)
    except (LookupError, ValueError):
        raise OptionError(
            f"`encoding` is {shown(encoding)}, which is not known; try utf-8, latin-1 or cp1252."
        ) from None
    head = source.head()
    if codec in {"utf-8", "utf-8-sig"}:
        marked = next((name for mark, name in _MARKS.items() if head.startswith(mark)), None)
        if marked is None:
            _refuse_binary(source, head)
            return source
        codec = marked
    try:
        text = source.content().decode(codec)
    except UnicodeError as error:
        at = f" at byte {error.start}" if isinstance(error, UnicodeDecodeError) else ""
        raise UnreadableFile(f"{source.title} is not {codec} text{at}; name its encoding with `encoding`.") from None
    try:
        return Source(source.name, data=text.removeprefix("\ufeff").encode(), suffix=source.suffix)
    except UnicodeEncodeError:
        raise UnreadableFile(
            f"{source.title} read as {codec} holds half of a surrogate pair, which is no character; name its encoding with `encoding`."
        ) from None


def _refuse_binary(source: Source, head: bytes) -> None:
    if head.count(0) * 3 > len(head) > 1:
        raise UnreadableFile(
            f"{source.title} is full of null bytes, so it is not UTF-8 text; "
            "if it is UTF-16 say so with `encoding` utf-16-le or utf-16-be."
        )
    try:
        # The last character of the head may be cut in two.
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError as error:
        controls = sum(head.count(byte) for byte in range(32) if byte not in b"\t\n\r")
        if controls * 50 > len(head):
            raise UnreadableFile(
                f"{source.title} holds binary data, not a table; assent reads CSV, TSV, JSON, JSONL, Parquet and XLSX."
            ) from None
        raise _not_utf8(source, error.start, head) from None


def invalid_byte(source: Source) -> UnreadableFile | None:
    """Return the error for the first byte of `source` that is not UTF-8, if there is one."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    content = source.view()
    for start in range(0, len(content) + 1, 1 << 20):
        chunk = content[start : start + (1 << 20)]
        kept = len(decoder.getstate()[0])
        try:
            decoder.decode(chunk, final=start + len(chunk) >= len(content))
        except UnicodeDecodeError as error:
            return _not_utf8(source, start - kept + error.start, content)
    return None


def _not_utf8(source: Source, position: int, content: bytes | mmap.mmap) -> UnreadableFile:
    line = content[:position].count(b"\n") + 1
    likely = _encodings(bytes(content[position : position + HEAD]))
    return UnreadableFile(
        f"{source.title} is not UTF-8: byte {position} (line {line}) is 0x{content[position]:02X}; "
        f"say `encoding` {' or '.join(likely)} if it comes from an older program.",
        candidates=[{"encoding": name} for name in likely],
    )


def _encodings(some: bytes) -> list[str]:
    """Return the likeliest encodings of text that is not UTF-8: letters with accents stand alone, those of other scripts in words."""
    runs = [len(run) for run in re.findall(rb"[\x80-\xff]+", some)]
    if sum(runs) < 2 * len(runs):
        return ["latin-1"]
    return [name for name in ("gb18030", "shift_jis", "cp1251") if _decodes(some, name)] or ["latin-1"]


def _decodes(some: bytes, encoding: str) -> bool:
    try:
        # The last character may be cut off.
        codecs.getincrementaldecoder(encoding)().decode(some)
    except UnicodeDecodeError:
        return False
    return True
