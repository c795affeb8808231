"""AltTest: ``{annotator: {item: value}}``, people in one file and models in another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import islice
from typing import Any

from assent.errors import UnreadableFile
from assent.readers import detect_by_names
from assent.readers.exports.first_look import Peek
from assent.readers.exports.gathering import Gathering, looks_like_free_text
from assent.readers.exports.json_records import load_object
from assent.readers.exports.model import Export
from assent.readers.exports.options import ReadOptions
from assent.readers.exports.registry import reader
from assent.readers.exports.sources import Member, Source
from assent.readers.exports.texts import as_text
from assent.text import shown

__all__ = ["AltTest"]

_MODELS = re.compile(r"(?:^|[^a-z])(?:llms?|models?|judges?|predictions?)(?:$|[^a-z])", re.IGNORECASE)
_ANSWER = "annotation"
_KEYS = 300
"""How many keys of an object are looked at."""
_FEW = 100
"""So many labels at most that a first look shows are expected to be all."""


def _fits(peek: Peek) -> bool:
    """Return whether an object of objects of scalars can be labels: keys overlap, labels repeat."""
    if peek.shape != "object" or len(peek.first) < 2:
        return False
    tables = [dict(islice(t.items(), _KEYS)) if isinstance(t, dict) else {} for t in peek.first.values()][:_KEYS]
    if not all(tables):
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
    if _is_a_table(peek.first, tables):
        return False
    texts = [str(v) for v in values]
    distinct = len(set(texts))
    # Settings differ from key to key and hardly ever repeat; labels do, whatever the item.
    if distinct > max(2, len(texts) // 3) or looks_like_free_text("", texts):
        return False
    kinds = {k: {type(t[k]) for t in tables if k in t} for k in seen}
    if len({kind for found in kinds.values() for kind in found} - {int, float}) > 1:
        return False
    # The labels of one item are also those of others.
    words = {k: {str(as_text(t[k])) for t in tables if k in t} for k in seen}
    counts = Counter(word for found in words.values() for word in found)
    return sum(any(counts[w] > 1 for w in found) for found in words.values()) >= 0.5 * len(words)


def _is_a_table(named: Iterable[str], tables: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether these are the columns of a table, with rows that are counted from 0 or with columns that are no annotators."""
    if all(list(t) == [str(i) for i in range(len(t))] for t in tables):
        return True
    return any(
        detect_by_names.is_other(name) or detect_by_names.names_a_decision(name) or detect_by_names.named(name, "item")
        for name in islice(named, _KEYS)
    )


def _is_one_model(member: Member, items: Set[str]) -> bool:
    """Return whether a file holds the labels of one model, most of them of items that people have labelled."""
    found = list(member.peek.first.values())
    if member.peek.shape != "object" or len(found) != 1 or not isinstance(found[0], dict) or not found[0]:
        return False
    shared = sum(key in items for key in found[0])
    return _MODELS.search(member.stem) is not None and shared >= 0.5 * min(len(found[0]), len(items))


@reader(name="alttest", title="AltTest", rank=400)
class AltTest:
    """An object of annotators, each with the labels of items."""

    @staticmethod
    def recognises(source: Source) -> float:
        """Return half a certainty at most: many settings files are objects of objects, too."""
        members = [m for m in source.members[:5] if m.peek.shape not in ("empty", "bytes")]
        fitting = [m for m in members if _fits(m.peek)]
        # One model, in a file beside that of the people, is enough.
        rest = [m for m in members if m not in fitting]
        items = {key for m in fitting for table in m.peek.first.values() for key in table} if rest else set[str]()
        return 0.5 if fitting and all(_is_one_model(m, items) for m in rest) else 0.0

    @staticmethod
    def read(source: Source, options: ReadOptions) -> Export:
        """Return the one question."""
        g = Gathering(options)
        g.question(_ANSWER)
        # Keys of an object are all different.
        g.unrepeated = len(source.members) == 1
        files = {m: _MODELS.search(m.stem) is not None for m in source.members}
        # A file of models alone is what was asked for.
        alone = all(files.values())
        values: list[Any] = []
        sides: set[bool] = set()
        for member, models in files.items():
            tables = load_object(member, _labels(member.peek))
            for key, table in tables.items():
                if not isinstance(table, dict):
                    raise UnreadableFile(f"{shown(key)} of {member.title} is not an object of labels; leave it out.")
            outer = len(tables) <= max(map(len, tables.values()), default=0)
            outer = outer or len(tables) <= len(set[str]().union(*tables.values()))
            sides.add(outer)
            if models and not alone and not options.with_models:
                rows = sum(len(t) for t in tables.values())
                g.leave_out("model", rows, detail=shown(member.name)[1:-1])
                g.note(f"{shown(member.name)[1:-1]} holds models: not mixed with people unless asked (`with_models`).")
                continue
            for key, table in tables.items():
                if models:
                    g.models.update([key] if outer else table)
                g.units(list(table), key) if outer else g.units(key, list(table))
                values.extend(table.values())
        for outer in sides:
            side, rest = ("outer", "inner") if outer else ("inner", "outer")
            g.note(
                f"The {side} keys were taken for the annotators and the {rest} ones, of which there are more, for the items."
            )
        _answers(g, values)
        return g.export("AltTest JSON")


def _labels(peek: Peek) -> list[str]:
    """Return the labels that a first look shows, if they are texts and few."""
    tables = (table for table in peek.first.values() if isinstance(table, dict))
    found = {text for table in tables for text in table.values() if isinstance(text, str)}
    return sorted(found) if len(found) <= _FEW else []


def _answers(g: Gathering, values: list[Any]) -> None:
    """Add the answers, one for each unit there is."""
    units = range(len(values))
    try:
        distinct = set(values)
    except TypeError:  # a list or an object
        distinct = set()
    if distinct and "" not in distinct and set(map(type, distinct)) == {str}:
        g.answers(_ANSWER, units, values)
        return
    if len(distinct) > 2 and set(map(type, values)) <= {int, float}:
        g.question(_ANSWER, "number")
    g.mixed(_ANSWER, values)
    for unit, value in zip(units, values, strict=True):
        text = as_text(value)
        if text:
            g.answer(_ANSWER, unit, text)
        elif value not in (None, ""):
            g.leave_out("unreadable", detail="label")
