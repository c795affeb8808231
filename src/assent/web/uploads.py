"""Files as a browser hands them over; a zip of plain tables is these tables."""

from __future__ import annotations

import io
import zipfile
from pathlib import PurePosixPath

from assent.errors import InputError
from assent.limits import WEB_FILES, WEB_UPLOAD
from assent.readers.sources import BROKEN
from assent.text import amount, shown, visible
from assent.web.sessions import Upload

__all__ = ["safe_name", "uploads_of"]

#: Tables that a zip may hold; anything else is for the readers of tools' exports, which take a zip as it is.
TABLES = (".csv", ".tsv", ".xlsx", ".parquet")


def safe_name(said: str) -> str:
    """Return the name of a file that is sent: never a path of ours, but folders within an export stay.

    Examples
    --------
    >>> safe_name("../../etc/passwd"), safe_name("a/b.ann"), safe_name("")
    ('etc/passwd', 'a/b.ann', 'pasted.csv')
    """
    parts = [visible(part) for part in said.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    return "/".join(parts)[-200:] or "pasted.csv"


def uploads_of(name: str, content: bytes) -> list[Upload]:
    """Return what was sent as files: a zip that holds nothing but tables is unpacked, under limits."""
    whole = [Upload(name, content)]
    if not content.startswith(b"PK\x03\x04") or not name.lower().endswith(".zip"):
        return whole
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = [
                one for one in archive.infolist() if not one.filename.endswith("/") and not _hidden(one.filename)
            ]
            if not members or not all(one.filename.lower().endswith(TABLES) for one in members):
                return whole
            if len(members) > WEB_FILES or sum(one.file_size for one in members) > WEB_UPLOAD:
                raise InputError(
                    f"{shown(name)} unpacks to more than {WEB_FILES} files or {amount(WEB_UPLOAD >> 20)} MB: send its tables one by one."
                )
            return [Upload(safe_name(one.filename), _read(archive, one)) for one in members]
    except BROKEN:
        return whole


def _read(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """Read no more than what a member says it holds."""
    with archive.open(member) as file:
        return file.read(member.file_size)


def _hidden(name: str) -> bool:
    return any(part.startswith((".", "__")) for part in PurePosixPath(name).parts)
