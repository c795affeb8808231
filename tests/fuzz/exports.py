"""Exports of annotation tools as files, folders and archives, with parts spoilt, missing, renamed, twice or where none may be."""

from __future__ import annotations

import functools
import io
import random
import warnings
import zipfile
from pathlib import Path

from tests.readers.exports.fuzzing import files_of, spoiled_file

__all__ = ["EXPORTS", "export_of"]

_HERE = Path(__file__).parents[1] / "readers" / "exports" / "cases"
#: Folders of exports; of a folder no more than this is taken.
EXPORTS = sorted(path.name for path in _HERE.iterdir() if path.is_dir())
_FILES, _BYTES = 12, 400_000
#: Small ones that are written here: orders of PrefLib, logs of judges, forms.
SMALL = {
    "orders.soc": "# FILE NAME: a.soc\n# TITLE: t\n# DATA TYPE: soc\n# NUMBER ALTERNATIVES: 3\n# NUMBER VOTERS: 3\n# NUMBER UNIQUE ORDERS: 2\n# ALTERNATIVE NAME 1: a\n# ALTERNATIVE NAME 2: b\n# ALTERNATIVE NAME 3: c\n2: 1,2,3\n1: 3,{1,2}\n",
    "scores.json": '[{"id": "s1", "timestamp": "2026-03-01T10:00:00Z", "name": "ok", "value": 1, "stringValue": "pass", "dataType": "CATEGORICAL", "source": "ANNOTATION", "authorUserId": "u", "traceId": "t1"}, '
    '{"id": "s2", "timestamp": "2026-03-01T10:00:00Z", "name": "ok", "value": 0, "stringValue": "fail", "dataType": "CATEGORICAL", "source": "EVAL", "authorUserId": null, "traceId": "t1"}]',
    "feedback.json": '[{"id": "f1", "run_id": "r1", "key": "ok", "score": 1, "value": null, "comment": null, "feedback_source": {"type": "api", "user_id": "u"}, "created_at": "2026-03-01T10:00:00"}]',
    "form.csv": "Timestamp,Username,Is it rude? [Text 1],Is it rude? [Text 2]\n2026/03/01 10:00:00,a@x.example,yes,no\n2026/03/01 10:01:00,b@x.example,yes,yes\n",
    "survey.csv": 'StartDate,EndDate,Status,ResponseId,Q1,Q2\nStart,End,Type,Response ID,Rude?,Kind?\n"{""ImportId"":""startDate""}","{""ImportId"":""endDate""}","{""ImportId"":""status""}","{""ImportId"":""_recordId""}","{""ImportId"":""QID1""}","{""ImportId"":""QID2""}"\n2026,2026,0,R_1,yes,no\n2026,2026,0,R_2,yes,yes\n',
    "doc.conll": "-DOCSTART- O\n\nAda B-PER\nmet O\nGrace B-PER\n\nIn O\nParis B-LOC\n",
    "a.tsv": "#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.Span|label\n\n\n#Text=Ada met Grace.\n1-1\t0-3\tAda\tPER\t\n1-2\t4-7\tmet\t_\t\n1-3\t8-13\tGrace\tPER[1]\t\n",
    "d/a.ann": "T1\tPER 0 3\tAda\nT2\tPER 8 13;14 15\tGrace .\nR1\tknows Arg1:T1 Arg2:T2\nA1\tSure T1\n",
    "d/a.txt": "Ada met Grace .\n",
    "cas.json": '{"%TYPES": {}, "%VIEWS": {"_InitialView": {"%SOFA": 1, "%MEMBERS": [2]}}, "%FEATURE_STRUCTURES": [{"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaString": "Ada met Grace."}, {"%ID": 2, "%TYPE": "custom.Span", "@sofa": 1, "begin": 0, "end": 3, "label": "PER"}]}',
}
#: Names that no part of an export has.
_NAMES = ("../up.json", "/etc/passwd", "C:\\a.json", "a\\b.json", "a\x00b", ".hidden", "e\u0301\U0001f642.json", "x" * 200, "README.md", "con.csv", "a//b", "-o", " ")  # fmt: skip


@functools.cache
def _files(name: str) -> tuple[tuple[str, bytes], ...]:
    found: list[tuple[str, bytes]] = []
    home, size = _HERE / name, 0
    for path in files_of(home, "."):
        size += path.stat().st_size
        if len(found) < _FILES and size < _BYTES:
            found.append((path.relative_to(home).as_posix(), path.read_bytes()))
    return tuple(found)


def export_of(dice: random.Random, *, tame: bool = False) -> tuple[str, dict[str, bytes]]:
    """Return what is named on the command line, and all files by name: one file, a folder or an archive."""
    if dice.random() < 0.3:
        chosen = dice.sample(list(SMALL), dice.choice((1, 1, 2)))
        who = dice.choice(("", "ana/"))
        parts = {f"{who}{name}": SMALL[name].encode() for name in chosen}
        parts |= {f"ben/{name}": SMALL[name].encode() for name in chosen if who}
    else:
        parts = dict(_files(dice.choice(EXPORTS)))
    if not tame:
        parts = {name: _spoilt(name, content, dice) for name, content in parts.items() if dice.random() < 0.95}
        for name in list(parts):
            if dice.random() < 0.1:
                parts[dice.choice(_NAMES)] = parts.pop(name) if dice.random() < 0.5 else parts[name]
    form = dice.choice(("file", "folder", "zip", "zip"))
    if form == "file" or not parts:
        name = dice.choice(list(parts) or ["export.json"])
        # A file keeps the end of its name, by which a reader may know it.
        return f"export.{Path(name).name[-12:]}".replace("\x00", ""), {
            f"export.{Path(name).name[-12:]}".replace("\x00", ""): parts.get(name, b"")
        }
    if form == "folder" and any(map(_may_be, parts)):
        return "export", {f"export/{name}": content for name, content in parts.items() if _may_be(name)}
    packed = _packed(parts, dice, tame=tame)
    if not tame and dice.random() < 0.1:
        packed = _packed({"inner.zip": packed}, dice)
    return "export.zip", {"export.zip": packed if tame else _spoilt_archive(packed, dice)}


def _may_be(name: str) -> bool:
    return not {"..", "", " "}.intersection(name.split("/")) and "\x00" not in name and len(name) < 200


def _spoilt(name: str, content: bytes, dice: random.Random) -> bytes:
    if not content or dice.random() < 0.6:
        return content
    try:
        return spoiled_file(name, content, dice)
    except (ValueError, IndexError):
        # No JSON and no table: a byte of it is changed.
        at = dice.randrange(len(content))
        return content[:at] + bytes([dice.randrange(256)]) + content[at + dice.randrange(2) :]


def _packed(parts: dict[str, bytes], dice: random.Random, *, tame: bool = False) -> bytes:
    out = io.BytesIO()
    method = dice.choice((zipfile.ZIP_DEFLATED,) if tame else (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA))  # fmt: skip
    with zipfile.ZipFile(out, "w", method) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, content in parts.items():
            for _ in range(2 if not tame and dice.random() < 0.02 else 1):
                one = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
                one.external_attr = 0o120777 << 16 if not tame and dice.random() < 0.01 else 0
                archive.writestr(one, content, method)
    return out.getvalue()


def _spoilt_archive(packed: bytes, dice: random.Random) -> bytes:
    """Return an archive in whose list of contents a number is another: flags, methods, sizes, places, lengths of names."""
    spoilt = bytearray(packed)
    contents = max(packed.rfind(b"PK\x01\x02"), 0)
    for _ in range(dice.choice((0, 0, 0, 1, 1, 3))):
        at = contents + dice.choice((8, 10, 16, 20, 24, 28, 30, 42, *range(46)))
        if at + 4 <= len(spoilt):
            spoilt[at : at + dice.choice((1, 2, 4))] = b"\xff\xff\xff\x7f"[: dice.choice((1, 2, 4))]
    return bytes(spoilt)
