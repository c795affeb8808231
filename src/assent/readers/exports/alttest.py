"""AltTest: ``{annotator: {item: value}}``, people in one file and models in another."""

from __future__ import annotations

import re
from typing import Any

from assent.errors import UnreadableFile, shown
from assent.readers.exports.decoding import Pairs, Peek, as_number, as_text
from assent.readers.exports.gathering import Gathering, looks_like_free_text
from assent.readers.exports.model import Export
from assent.readers.exports.options import ReadOptions
from assent.readers.exports.registry import reader
from assent.readers.exports.sources import Source

__all__ = ["AltTest"]

_MODELS = re.compile(r"(?:^|[^a-z])(?:llms?|models?|judges?|predictions?)(?:$|[^a-z])", re.IGNORECASE)
_ANSWER = "annotation"


def _fits(peek: Peek) -> bool:
    """Return whether an object of objects of scalars can be labels: keys overlap, labels repeat."""
    if peek.shape != "object" or len(peek.first) < 2:
        return False
    tables = list(peek.first.values())
    if not all(isinstance(t, dict) and t for t in tables):
        return False
    values = [as_text(v) for t in tables for v in t.values()]
    if any(v is None for v in values):
        return False
    seen: dict[str, int] = {}
    for table in tables:
        for key in table:
            seen[key] = seen.get(key, 0) + 1
    shared = sum(n > 1 for n in seen.values())
    if shared < 2 or shared < 0.3 * len(seen):
        return False
    texts = [str(v) for v in values]
    distinct = len(set(texts))
    # Settings differ from key to key and hardly ever repeat; labels do, whatever the item.
    if distinct > max(2, len(texts) // 3) or looks_like_free_text("", texts):
        return False
    kinds = {k: {type(t[k]) for t in tables if k in t} for k in seen}
    if len({kind for found in kinds.values() for kind in found} - {int, float}) > 1:
        return False
    words: dict[str, set[str]] = {k: {str(as_text(t[k])) for t in tables if k in t} for k in seen}
    everywhere = sum(
        len(w & set().union(*(o for k2, o in words.items() if k2 != k))) > 0 for k, w in list(words.items())[:50]
    )
    return everywhere >= 0.5 * min(len(words), 50)


@reader(name="alttest", title="AltTest", rank=400)
class AltTest:
    """An object of annotators, each with the labels of items."""

    @staticmethod
    def recognises(source: Source) -> float:
        """Return half a certainty at most: many settings files are objects of objects, too."""
        members = [m for m in source.members[:5] if m.peek.shape not in ("empty", "bytes")]
        return 0.5 if members and all(_fits(m.peek) for m in members) else 0.0

    @staticmethod
    def read(source: Source, options: ReadOptions) -> Export:
        """Return the one question."""
        g = Gathering(options)
        g.question(_ANSWER)
        files = {m: _MODELS.search(m.stem) is not None for m in source.members}
        # A file of models alone is what was asked for.
        alone = all(files.values())
        raw: list[tuple[int, Any]] = []
        sides: set[bool] = set()
        for member, models in files.items():
            tables: dict[str, dict[str, Any]] = {}
            for key, table in Pairs(member):
                if not isinstance(table, dict):
                    raise UnreadableFile(f"{shown(key)} of {member.title} is not an object of labels; leave it out.")
                tables[key] = table
            inner = dict.fromkeys(k for t in tables.values() for k in t)
            outer = len(tables) <= len(inner)
            sides.add(outer)
            if models and not alone and not options.with_models:
                rows = sum(len(t) for t in tables.values())
                g.leave_out("model", rows, detail=shown(member.name)[1:-1])
                g.note(f"{shown(member.name)[1:-1]} holds models: not mixed with people unless asked (--with-models).")
                continue
            for key, table in tables.items():
                for other, value in table.items():
                    who, item = (key, other) if outer else (other, key)
                    if models:
                        g.models.add(who)
                    if value is not None:
                        raw.append((g.unit(item, who), value))
        for outer in sides:
            side, rest = ("outer", "inner") if outer else ("inner", "outer")
            g.note(
                f"The {side} keys were taken for the annotators and the {rest} ones, of which there are more, for the items."
            )
        _answers(g, raw)
        return g.export("AltTest JSON")


def _answers(g: Gathering, raw: list[tuple[int, Any]]) -> None:
    numbers = bool(raw) and all(as_number(v) is not None for _, v in raw)
    if numbers and len({as_number(v) for _, v in raw}) > 2:
        g.question(_ANSWER, "number")
    for unit, value in raw:
        text = as_text(value)
        if text is None or text == "":
            g.leave_out("unreadable", detail="label")
        else:
            g.answer(_ANSWER, unit, text)
