"""Qualtrics: a survey's responses as CSV."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assent.errors import AssentError, UnreadableFile
from assent.readers.exports._sheets import Sheet
from assent.readers.exports.delimited_rows import Rows
from assent.readers.exports.gathering import Gathering
from assent.readers.exports.json_records import loads
from assent.readers.exports.model import Export
from assent.readers.exports.options import ReadOptions
from assent.readers.exports.registry import reader
from assent.readers.exports.sources import Member, Source

__all__ = ["Qualtrics"]

_QUESTION = re.compile(r"(?:\d+_)?QID\d")
#: Clicks and times of a page, the text beside "other", the order in which things were shown.
_ASIDE = re.compile(r"_(?:First Click|Last Click|Page Submit|Click Count|TEXT|DO(?:_\d+)?|Browser|Version|Resolution)$")
_FIELDS = frozenset({
    "startdate", "enddate", "status", "ipaddress", "progress", "duration", "finished", "recordeddate", "responseid", "recipientlastname",
    "recipientfirstname", "recipientemail", "externalreference", "externaldatareference", "locationlatitude", "locationlongitude",
    "distributionchannel", "userlanguage",
})  # fmt: skip
_PREVIEWS = frozenset({"survey preview", "1", "survey test", "2"})


def _is_import_row(row: Sequence[str]) -> bool:
    filled = [cell for cell in row if cell]
    return bool(filled) and all(cell.lstrip().startswith("{") and "ImportId" in cell for cell in filled)


def _import_id(cell: str) -> str:
    try:
        found = loads(cell, "a header")
    except AssentError:
        return ""
    value = found.get("ImportId") if isinstance(found, dict) else None
    return value if isinstance(value, str) else ""


@reader(name="qualtrics", title="Qualtrics", rank=330)
class Qualtrics:
    """Three rows of headers, then one row a response."""

    @staticmethod
    def recognises(source: Source) -> bool:
        """Return whether the third row holds nothing but import ids."""
        return bool(source.members) and all(
            m.peek.shape == "table" and len(m.peek.rows) >= 2 and _is_import_row(m.peek.rows[1])
            for m in source.members[:5]
        )

    @staticmethod
    def read(source: Source, options: ReadOptions) -> Export:
        """Return one question for each block of columns with the same answers."""
        sheet = Sheet(Gathering(options), separator=",")
        for member in source.members:
            _read(member, sheet)
        return sheet.finish("Qualtrics survey")


def _read(member: Member, sheet: Sheet) -> None:
    g = sheet.gathering
    rows = Rows(member)
    lines = iter(rows)
    texts, ids = next(lines, []), next(lines, [])
    if not _is_import_row(ids):
        raise UnreadableFile(
            f"{member.title} has no row of import ids below its headers; export it from Qualtrics again."
        )
    asked = [n for n, cell in enumerate(ids) if _QUESTION.match(_import_id(cell))]
    if not asked:
        # Ids of their own: what is not a field of every survey is a question.
        asked = [n for n, name in enumerate(rows.header) if name.strip().lower().split(" ")[0] not in _FIELDS]
    sheet.columns([(n, rows.header[n], texts[n]) for n in asked if not _ASIDE.search(rows.header[n])])
    at = {name.lower(): n for n, name in enumerate(rows.header)}
    who, status, finished = at.get("responseid"), at.get("status"), at.get("finished")
    for number, row in enumerate(lines, 1):
        if status is not None and row[status].strip().lower() in _PREVIEWS:
            g.leave_out("discarded", detail="Status Survey Preview")
        elif finished is not None and row[finished].strip().lower() in ("false", "0"):
            g.leave_out("unfinished", detail="Finished False")
        else:
            sheet.response(row, row[who] if who is not None and row[who] else f"response {number}")
