"""What is known of documents beside the spans in them: lengths and texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
import polars as pl
from msgspec import field

from assent.errors import UnknownLayout, UnreadableFile
from assent.profiles import Array
from assent.readers import detect_by_names
from assent.readers.opening import open_tables
from assent.readers.tables import as_text, columns_shown, joined
from assent.records import Struct
from assent.text import counted, listed, shown

__all__ = ["Documents", "known_documents", "unit_ends"]

_LENGTH = ("length", "len", "n", "size", "characters", "chars", "tokens", "duration", "end")


class Documents(Struct, frozen=True, kw_only=True):
    """Lengths and texts of documents by name, and what was said about where they come from."""

    lengths: Mapping[str, float] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def known_documents(names: Iterable[str], *, lengths: str | None, texts: str | None, encoding: str) -> Documents:
    """Read lengths from a table and texts from a folder.

    Parameters
    ----------
    names : iterable of str
        The documents.
    lengths, texts : str, optional
        The table and the folder.
    """
    wanted = set(names)
    found: dict[str, float] = {}
    read: dict[str, str] = {}
    notes = []
    if lengths is not None:
        every = _lengths(lengths, encoding)
        found = {name: size for name, size in every.items() if name in wanted}
        notes += _lacking("length", wanted - found.keys(), len(wanted), lengths)
    if texts is not None:
        read = _texts(texts, wanted, encoding)
        notes += _lacking("text", wanted - read.keys(), len(wanted), texts)
    return Documents(lengths=found, texts=read, notes=tuple(notes))


def _lacking(what: str, names: set[str], every: int, where: str) -> list[str]:
    if not names:
        return []
    if len(names) == every:
        raise UnreadableFile(
            f"{shown(where, 120)} holds the {what} of none of the {counted(every, 'document')}: check their names."
        )
    many = counted(len(names), "document has", "documents have")
    return [f"{many} no {what} in {shown(where, 120)}: {listed([shown(one) for one in sorted(names)], 5)}."]


def _lengths(path: str, encoding: str) -> dict[str, float]:
    table = joined(open_tables([path], encoding=encoding))
    columns = table.columns
    documents = detect_by_names.find("item", columns)
    sizes = [name for name in columns if name.strip().casefold() in _LENGTH and name not in documents[:1]]
    if not documents or not sizes:
        raise UnknownLayout(f"{table.name} has the columns {columns_shown(columns)}; lengths need document and length.")
    kinds = table.frame.collect_schema()
    frame = table.frame.lazy().select(as_text(name, kinds[name]) for name in (documents[0], sizes[0])).collect()
    names, values = frame.to_series(0), frame.to_series(1).cast(pl.Float64, strict=False)
    wrong = (values.is_null() | (values < 0) | names.is_null()).arg_true().to_list()
    if wrong:
        rows = listed([str(1 + one) for one in wrong], 5)
        raise UnreadableFile(f"{table.name} has no name, or a length that is no number from 0 on, in row {rows}.")
    held: dict[str, float] = {}
    for name, value in zip(names, values, strict=True):
        if held.setdefault(name, value) != value:
            raise UnreadableFile(f"{table.name} gives the document {shown(name)} two lengths.")
    return held


def _texts(folder: str, wanted: set[str], encoding: str) -> dict[str, str]:
    path = Path(folder)
    if not path.is_dir():
        raise UnreadableFile(f"{shown(folder, 120)} is no folder: `texts` names one with a file for each document.")
    files = {one.relative_to(path).as_posix(): one for one in sorted(path.rglob("*")) if one.is_file()}
    by_name = _by_name(files, wanted)
    held = {}
    for name in sorted(wanted & by_name.keys()):
        try:
            # Line ends stay as they are: offsets count them.
            held[name] = by_name[name].read_bytes().decode(encoding)
        except (OSError, UnicodeError, LookupError) as error:
            why = f"is no {encoding}" if isinstance(error, UnicodeError) else "cannot be read"
            raise UnreadableFile(f"The text {shown(by_name[name], 120)} {why}: say its `encoding`.") from None
    return {name: text.removeprefix("\ufeff") for name, text in held.items()}


def _by_name(files: Mapping[str, Path], wanted: set[str]) -> dict[str, Path]:
    """Return the file of each document: that of its name, or else with .txt, or else with any ending; in any folder where it is the only one."""
    found: dict[tuple[str, int], list[Path]] = {}
    for name, one in files.items():
        bare, text = str(Path(name).with_suffix("")), Path(name).suffix == ".txt"
        for key, rank in ((name, 0), (bare, 1 if text else 2), (one.name, 3), (one.stem, 4 if text else 5)):
            found.setdefault((key, rank), []).append(one)
    chosen = {}
    for name in wanted:
        ranked = (found[name, rank] for rank in range(6) if (name, rank) in found)
        several = next(ranked, None)
        if several is None:
            continue
        if len(several) > 1:
            names = listed([shown(one, 120) for one in several], 3)
            raise UnreadableFile(f"{names} may be the text of {shown(name)}: leave one of them in the folder.")
        chosen[name] = several[0]
    return chosen


def unit_ends(text: str, offsets: str) -> Array:
    r"""Return where each character of a text begins, and where the last one ends, in the units that offsets count.

    Examples
    --------
    >>> unit_ends("a\N{GRINNING FACE}b", "utf-16").tolist(), unit_ends("aé", "bytes").tolist()
    ([0, 1, 3, 4], [0, 1, 3])
    """
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    if offsets == "utf-16":
        sizes = 1 + (codes > 0xFFFF)
    elif offsets == "bytes":
        sizes = 1 + (codes > 0x7F).astype(np.int64) + (codes > 0x7FF) + (codes > 0xFFFF)
    else:
        sizes = np.ones(len(codes), dtype=np.int64)
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
