"""Where an export lies: a file, a folder, a zip, a compressed file or several files, opened under limits.

Nothing is ever written to disk. An archive is read member by member, in memory or as a stream.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import stat
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, BinaryIO, TypeAlias, cast

from msgspec import field
from msgspec.structs import replace

from assent.errors import OptionError, UnreadableFile
from assent.readers.sources import BROKEN
from assent.records import Struct, cached_property
from assent.text import shown

if TYPE_CHECKING:
    from assent.readers.exports.first_look import Peek

__all__ = ["Limits", "Member", "Origin", "Source"]

Origin: TypeAlias = "str | os.PathLike[str] | BinaryIO"

_ZIP, _GZIP = b"PK\x03\x04", b"\x1f\x8b"
_EMPTY_ZIP = b"PK\x05\x06"


class Limits(Struct, frozen=True, kw_only=True):
    """How much of an archive is read before it is taken for a bomb.

    Parameters
    ----------
    member, total : int
        Bytes, once unpacked.
    members : int
        Files in an archive or a folder.
    ratio : int
        How many times smaller the packed form of a member may be; asked only of members beyond `free` bytes.
    free : int
        Bytes that may be packed as tightly as they like.
    """

    member: int = 4 << 30
    total: int = 16 << 30
    members: int = 200_000
    ratio: int = 200
    free: int = 8 << 20


class Member(Struct, frozen=True, dict=True):
    """One file of an export.

    Parameters
    ----------
    name : str
        Path within the export, with ``/``; a name ending in ``.gz`` has lost that ending.
    size : int
        Bytes as stored.
    depth : int
        In how many archives it lies.
    """

    name: str
    size: int
    _open: Callable[[], BinaryIO]
    _title: str
    limits: Limits = field(default_factory=Limits)
    encoding: str = "utf-8"
    depth: int = 0

    @property
    def title(self) -> str:
        """The name for a message."""
        return self._title

    @property
    def stem(self) -> str:
        """The last part of the name without its ending.

        A user name may hold dots (``ada.lovelace.jsonl``), so that only the last ending goes.
        """
        return PurePosixPath(self.name).stem

    @property
    def suffix(self) -> str:
        """The ending of the name in lower case, with its dot."""
        return PurePosixPath(self.name).suffix.lower()

    def open(self) -> BinaryIO:
        """Return the bytes as a stream, unpacked, that stops with a sentence at the limits."""
        try:
            raw = self._open()
            buffered = raw if hasattr(raw, "peek") else io.BufferedReader(cast(io.RawIOBase, raw))
            packed = buffered.peek(2)[:2] == _GZIP
            unpacked = cast(BinaryIO, gzip.GzipFile(fileobj=buffered)) if packed else buffered
        except BROKEN as error:
            raise _unreadable(self.title, error) from None
        guarded = _Guarded(unpacked, buffered, self, packed=packed or self.depth > 0)
        return cast(BinaryIO, io.BufferedReader(guarded, 1 << 16))

    def content(self) -> bytes:
        """Return all bytes."""
        with self.open() as file:
            return file.read()

    def head(self, size: int = 4096) -> bytes:
        """Return the first bytes."""
        with self.open() as file:
            return file.read(size)

    @cached_property
    def peek(self) -> Peek:
        """What a first look shows: the first JSON records, or the header of a table."""
        from assent.readers.exports.first_look import look

        return look(self)

    def opened(self) -> Source:
        """Return the zip that this member is; a zip in a zip in a zip is refused."""
        if self.depth > 1:
            raise UnreadableFile(
                f"{self.title} is a zip in a zip in a zip, which is not opened; unpack the outer ones."
            )
        return Source._of_zip(
            io.BytesIO(self.content()), self.name, self.limits, self.encoding, depth=self.depth + 1, title=self.title
        )


class _Guarded(io.RawIOBase):
    """Bytes of a member, counted; errors of packing become sentences."""

    def __init__(self, raw: BinaryIO, file: BinaryIO, member: Member, *, packed: bool) -> None:
        self._raw, self._file, self._member, self._packed, self._read = raw, file, member, packed, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer).cast("B")  # type: ignore[arg-type]
        try:
            read = self._raw.readinto(view)  # type: ignore[attr-defined]
        except BROKEN as error:
            raise _unreadable(self._member.title, error) from None
        self._read += read
        if self._packed:
            limits, size = self._member.limits, max(self._member.size, 1)
            if self._read > limits.member:
                raise UnreadableFile(
                    f"{self._member.title} unpacks to more than {limits.member:,} bytes; unpack it and name the file."
                )
            if self._read > limits.free and self._read > limits.ratio * size:
                raise UnreadableFile(
                    f"{self._member.title} unpacks to more than {limits.ratio} times its size, as only an archive made to "
                    "fill memory does; unpack it and name the file if it is meant."
                )
        return int(read)

    def close(self) -> None:
        if not self.closed:
            self._raw.close()
            self._file.close()  # a gzip file leaves the one it reads open
        super().close()


class Source(Struct, frozen=True):
    """An export with its members, by name.

    Make one with `Source.of`.
    """

    name: str
    kind: str
    members: tuple[Member, ...]
    title: str

    @classmethod
    def of(cls, *origins: Origin, limits: Limits | None = None, encoding: str = "utf-8") -> Source:
        """Return the export at a path, in an open file, or in several of them.

        Raises
        ------
        UnreadableFile
            If there is none, it cannot be opened, or an archive holds what no export does.
        """
        limits = limits or Limits()
        if not origins:
            raise OptionError("No file was named; name an export.")
        found = [cls._one(origin, limits, encoding) for origin in origins]
        if len(found) == 1:
            return found[0]
        # Two folders may hold files of the same name; of folders that were named together the names tell these apart.
        members = tuple(
            replace(m, name=f"{one.name}/{m.name}") if one.kind == "folder" else m for one in found for m in one.members
        )
        _check_members(len(members), "the files", limits)
        return cls(f"{len(found)} files", "files", members, f"{len(found)} files")

    @classmethod
    def of_bytes(cls, name: str, data: bytes, *, limits: Limits | None = None, encoding: str = "utf-8") -> Source:
        """Return the export that `data` are."""
        limits = limits or Limits()
        if data[:4] in (_ZIP, _EMPTY_ZIP):
            return cls._of_zip(io.BytesIO(data), name, limits, encoding)
        member = _member(name, len(data), lambda: cast(BinaryIO, io.BytesIO(data)), shown(name, 120), limits, encoding)
        return cls(name, "file", (member,), shown(name, 120))

    @classmethod
    def _one(cls, origin: Origin, limits: Limits, encoding: str) -> Source:
        if hasattr(origin, "read"):
            return cls.of_bytes(
                str(getattr(origin, "name", "the open file")), origin.read(), limits=limits, encoding=encoding
            )
        try:
            path = Path(os.fspath(origin))
        except TypeError:
            raise OptionError(
                f"A source is {shown(type(origin).__name__)}; it must be a path or an open file."
            ) from None
        title = shown(path, 120)
        try:
            if path.is_dir():
                return cls._of_folder(path, limits, encoding)
            with path.open("rb") as file:
                start = file.read(4)
        except (OSError, ValueError) as error:
            raise _unreadable(title, error) from None
        if start in (_ZIP, _EMPTY_ZIP):
            return cls._of_zip(path, path.name, limits, encoding, title=title)
        return cls(path.name, "file", (_file(path, path.name, title, limits, encoding),), title)

    @classmethod
    def _of_folder(cls, root: Path, limits: Limits, encoding: str) -> Source:
        members: list[Member] = []
        home = root.resolve()
        for folder, folders, files in os.walk(root):
            folders[:] = sorted(name for name in folders if not _hidden(name))
            for name in sorted(files):
                path = Path(folder, name)
                relative = path.relative_to(root).as_posix()
                if _skipped(relative):
                    continue
                if path.is_symlink() and not path.resolve().is_relative_to(home):
                    raise UnreadableFile(
                        f"{shown(path, 120)} is a link that leads out of the folder; put the file itself there, or name it."
                    )
                if not path.is_file():
                    continue
                members.append(_file(path, relative, shown(path, 120), limits, encoding))
                _check_members(len(members), shown(root, 120), limits)
        return cls(root.name, "folder", tuple(members), shown(root, 120))._alone()

    def _alone(self) -> Source:
        """Return the zip that is all this folder or zip holds, else the folder or zip itself."""
        if len(self.members) != 1 or self.members[0].suffix != ".zip":
            return self
        return self.members[0].opened()

    @classmethod
    def _of_zip(
        cls,
        file: Path | BinaryIO,
        name: str,
        limits: Limits,
        encoding: str,
        *,
        depth: int = 1,
        title: str | None = None,
    ) -> Source:
        title = title or shown(name, 120)
        try:
            archive = zipfile.ZipFile(file)
            infos = archive.infolist()
        except BROKEN as error:
            raise _unreadable(title, error, " a zip archive that is") from None
        _check_members(len(infos), title, limits)
        members: list[Member] = []
        total = 0
        names: set[str] = set()
        above = _top([info.filename for info in infos])
        for info in infos:
            inner = _safe_name(info, title)
            if info.is_dir() or _skipped(inner.removeprefix(above)):
                continue
            where = f"{shown(inner, 120)} in {title}"
            if inner in names:
                raise UnreadableFile(f"{title} holds two files named {shown(inner, 120)}; pack it again.")
            names.add(inner)
            if info.flag_bits & 1:
                raise UnreadableFile(f"{where} is encrypted; unpack it with its password and name the folder.")
            if info.file_size > limits.member:
                raise UnreadableFile(
                    f"{where} unpacks to more than {limits.member:,} bytes; unpack it and name the file."
                )
            total += info.file_size
            if total > limits.total:
                raise UnreadableFile(
                    f"{title} unpacks to more than {limits.total:,} bytes; unpack it and name the folder."
                )
            if info.file_size > limits.free and info.file_size > limits.ratio * max(info.compress_size, 1):
                raise UnreadableFile(
                    f"{where} unpacks to more than {limits.ratio} times its size, as only an archive made to fill memory "
                    "does; unpack it and name the file if it is meant."
                )
            members.append(_member(inner, info.compress_size, _opener(archive, info), where, limits, encoding, depth))
        return cls(name, "zip", tuple(members), title)._alone()

    def named(self, *suffixes: str) -> list[Member]:
        """Return the members whose names end in one of the `suffixes`, in any case."""
        return [m for m in self.members if m.name.lower().endswith(suffixes)]

    def __iter__(self) -> Iterator[Member]:
        return iter(self.members)


def _opener(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Callable[[], BinaryIO]:
    return lambda: cast(BinaryIO, archive.open(info))


def _member(
    name: str,
    size: int,
    opener: Callable[[], BinaryIO],
    title: str,
    limits: Limits,
    encoding: str,
    depth: int = 0,
) -> Member:
    plain = name[:-3] if name.lower().endswith(".gz") else name
    return Member(plain, size, opener, title, limits, encoding, depth)


def _file(path: Path, name: str, title: str, limits: Limits, encoding: str) -> Member:
    return _member(name, path.stat().st_size, lambda: path.open("rb"), title, limits, encoding)


#: Before 2.0.8 INCEpTION wrote names with a slash before them; nothing is unpacked to where they seem to lead.
_INCEPTION = re.compile(r"/(?:annotation|curation|source)(?:_ser)?/|/log/|/(?:exportedproject\d*\.json|event\.log)$")


#: What people put beside data to describe them; in a folder further down a .txt may be a document.
_ABOUT = re.compile(
    r"(?:.*/)?(?:readme|licen[cs]e|changelog)(?:\.(?:md|rst|html))?|(?:readme|licen[cs]e)\.txt", re.IGNORECASE
)


def _hidden(name: str) -> bool:
    return name.startswith(".") or name == "__MACOSX"


def _top(names: list[str]) -> str:
    """Return the one folder that all files of an archive lie in, with its slash, or nothing."""
    parted = [name.partition("/")[:2] for name in names]
    tops = {folder + slash for folder, slash in parted if not _hidden(folder)}
    top = next(iter(tops), "")
    return top if len(tops) == 1 and top.endswith("/") else ""


def _skipped(path: str) -> bool:
    return any(map(_hidden, path.split("/"))) or _ABOUT.fullmatch(path) is not None


def _safe_name(info: zipfile.ZipInfo, title: str) -> str:
    name = info.orig_filename
    own = _INCEPTION.match(name) is not None
    name = name[1:] if own else name
    if not name:
        raise UnreadableFile(f"{title} holds a file without a name; pack the folder again.")
    parts = name.split("/")
    if name.startswith("/") or ".." in parts or "\\" in name or "\0" in name or (len(name) > 1 and name[1] == ":"):
        raise UnreadableFile(
            f"{title} holds a file named {shown(name, 80)}, which would lie outside of it; pack the folder again."
        )
    if stat.S_ISLNK(info.external_attr >> 16):
        raise UnreadableFile(f"{shown(name, 80)} in {title} is a link; pack the file itself.")
    return info.filename[1:] if own else info.filename


def _check_members(count: int, title: str, limits: Limits) -> None:
    if count > limits.members:
        raise UnreadableFile(f"{title} holds more than {limits.members:,} files; name those to read.")


def _unreadable(title: str, error: Exception, what: str = "") -> UnreadableFile:
    if isinstance(error, FileNotFoundError):
        return UnreadableFile(f"{title} does not exist; check the name.")
    if isinstance(error, OSError) and error.strerror:
        return UnreadableFile(f"{title} cannot be opened: {error.strerror.lower()}.")
    if isinstance(error, NotImplementedError):
        return UnreadableFile(f"{title} is packed in a way that cannot be read here; unpack it and name the folder.")
    return UnreadableFile(f"{title} is{what} broken or not complete; export or copy it again.")
