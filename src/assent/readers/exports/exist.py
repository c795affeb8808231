"""Parallel lists: records with a list of annotators and, beside it, lists of their answers, as EXIST and others have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

from assent.errors import UnreadableFile
from assent.readers.exports.first_look import Peek
from assent.readers.exports.gathering import Gathering, looks_like_free_text
from assent.readers.exports.json_records import Pairs, Records
from assent.readers.exports.model import Export
from assent.readers.exports.options import ReadOptions
from assent.readers.exports.registry import reader
from assent.readers.exports.sources import Member, Source
from assent.readers.exports.texts import as_text
from assent.text import named

__all__ = ["ParallelLists"]

_WHO = ("annotators", "annotator_ids", "workers", "worker_ids", "annotator_id", "worker_id", "raters", "rater_ids")
_PEOPLE = re.compile(
    r"_(?:annotators?|workers?|raters?)$|^(?:annotators?|workers?|raters?)_|"
    r"^(?:gender|sex|age|ethnicit|race|country|countries|nationalit|study_level|education|native|language|political)"
)
_ID = re.compile(r"^(?:id|id_.*|.*_id|uid|item|index)$", re.IGNORECASE)
#: Of answers hardly more than this share of the records does not fit the list of annotators.
_BROKEN = 0.1


def _who(record: dict[str, Any]) -> str | None:
    for key in _WHO:
        names = record.get(key)
        if names and isinstance(names, list):
            return key
    return None


@lru_cache(maxsize=1000)
def _undescribing(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Return the keys that do not name the annotators, nor say something about them."""
    return tuple(key for key in keys if key not in _WHO and _PEOPLE.search(key) is None)


def _questions(record: dict[str, Any], who: str) -> tuple[list[str], list[str]]:
    """Return the keys of lists that do not describe the annotators: of those as long as the list of annotators, and of all."""
    length = len(record[who])
    lists = [key for key in _undescribing(tuple(record)) if type(record[key]) is list]
    return [key for key in lists if len(record[key]) == length], lists


def _records(peek: Peek) -> list[dict[str, Any]]:
    if peek.shape == "object" and _who(peek.first) is None:
        return [v for v in list(peek.first.values())[:5] if isinstance(v, dict)]
    return list(peek.objects)


def _fits(peek: Peek) -> bool:
    records = _records(peek)
    if not records:
        return False
    shared: set[str] | None = None
    for record in records:
        who = _who(record)
        if who is None or not all(as_text(a) is not None for a in record[who]):
            return False
        found = set(_questions(record, who)[0])
        shared = found if shared is None else shared & found
    return bool(shared)


@reader(name="parallel-lists", title="parallel lists (EXIST, Hugging Face)", rank=225)
class ParallelLists:
    """Records in which the n-th answer of each list is the n-th annotator's."""

    @staticmethod
    def recognises(source: Source) -> bool:
        """Return whether every record has annotators and other lists of the same length."""
        members = [m for m in source.members[:5] if m.peek.shape not in ("empty", "bytes")]
        return bool(members) and all(_fits(m.peek) for m in members)

    @staticmethod
    def read(source: Source, options: ReadOptions) -> Export:
        """Return one question for each list."""
        lists = _Lists(Gathering(options))
        for member in source.members:
            for key, record, who in _each(member):
                lists.add(key, record, who)
        return lists.finish()


def _each(member: Member) -> Iterator[tuple[str | None, dict[str, Any], str | None]]:
    """Yield the key of each record, the record, and under which key the annotators stand; None if there are none."""
    if member.peek.shape == "object" and _who(member.peek.first) is None:
        for key, record in chain.from_iterable(some.items() for some in Pairs(member).batches()):
            if not isinstance(record, dict):
                raise UnreadableFile(f"Item {key[:40]!r} of {member.title} is not an object; leave it out.")
            who = _who(record)
            if who is None and not _is_open(record):
                raise UnreadableFile(f"Item {key[:40]!r} of {member.title} has no list of annotators; leave it out.")
            yield key, record, who
        return
    records = Records(member, small=True)
    for record in records:
        if not isinstance(record, dict):
            raise UnreadableFile(f"What begins on {records.where()} is not an object; leave it out.")
        who = _who(record)
        if who is None and not _is_open(record):
            raise UnreadableFile(f"The record on {records.where()} has no list of annotators; leave it out.")
        yield None, record, who


def _is_open(record: dict[str, Any]) -> bool:
    """Return whether a list of annotators is there: an empty one, as nobody annotated it."""
    return any(isinstance(record.get(key), list) for key in _WHO)


class _Lists:
    """Takes records one by one."""

    def __init__(self, gathering: Gathering) -> None:
        self.gathering = gathering
        self.values: dict[str, tuple[list[int], list[Any]]] = {}
        self.number = 0
        self.unfit: dict[str, int] = {}
        self.groups: dict[str, str] = {}
        self.met: set[tuple[str, ...]] = set()
        self.items: set[str] = set()
        self.repeated = False

    def add(self, key: str | None, record: dict[str, Any], who: str | None) -> None:
        g = self.gathering
        self.number += 1
        if who is None:
            return
        item = key if key is not None else self._item(record)
        self.repeated = self.repeated or item in self.items
        self.items.add(item)
        names = record[who]
        if set(map(type, names)) != {str} or "" in names:
            names = [as_text(a) or "" for a in names]
        self._join(tuple(names))
        units: Sequence[int | None]
        if "" in names:  # noqa: SIM108 - two ways, two lines
            units = [g.unit(item, name) if name else None for name in names]
        else:
            units = g.units(item, names)
        asked, lists = _questions(record, who)
        for question in asked:
            found = self.values.setdefault(question, ([], []))
            if isinstance(units, range):
                found[0].extend(units)
                found[1].extend(record[question])
            else:
                for unit, value in zip(units, record[question], strict=True):
                    if unit is not None:
                        found[0].append(unit)
                        found[1].append(value)
        if len(asked) < max(len(self.values), len(lists)):
            for question in {*self.values, *lists} - set(asked):
                if record.get(question) is not None:
                    self.unfit[question] = self.unfit.get(question, 0) + 1
        for key in ("text", "tweet", "sentence", "comment"):
            text = record.get(key)
            if isinstance(text, str):
                g.text(item, text)
                break

    def _item(self, record: dict[str, Any]) -> str:
        named = next((t for k in record if _ID.match(k) and k not in _WHO and (t := as_text(record[k]))), None)
        return named or str(self.number)

    def _join(self, names: tuple[str, ...]) -> None:
        """Remember who met whom."""
        if names in self.met:
            return
        self.met.add(names)
        self.repeated = self.repeated or len(set(names)) < len(names)
        roots = [self._root(n) for n in names if n]
        for root in roots[1:]:
            self.groups[self._root(root)] = self._root(roots[0])

    def _root(self, name: str) -> str:
        parent = self.groups.setdefault(name, name)
        while parent != name:
            name, parent = parent, self.groups.setdefault(parent, parent)
        return name

    def finish(self) -> Export:
        g = self.gathering
        g.unrepeated = not self.repeated
        # A list that is as long as the annotators' by chance, as one of words may be, is no list of their answers; a few broken records are.
        chance = {name for name, count in self.unfit.items() if count > _BROKEN * self.number} & self.values.keys()
        if chance == self.values.keys():
            chance = set()
        if chance:
            g.note(
                f"Not taken for answers, since they are not always as long as the list of annotators: {named(sorted(chance))}."
            )
        for name in chance:
            del self.values[name]
        for name, (units, values) in self.values.items():
            self._question(name, units, values)
        for name, count in self.unfit.items():
            if name in g.questions:
                g.leave_out("unreadable", count, detail="records whose lists do not match", question=name)
        apart = len({self._root(n) for n in self.groups})
        if apart > 1:
            g.note(f"{apart} groups of annotators never met: no item has answers from two of them.")
        return g.export("parallel lists of annotators and answers")

    def _question(self, name: str, units: list[int], values: list[Any]) -> None:
        g = self.gathering
        kinds = set(map(type, values))
        if list in kinds:
            g.question(name, "set")
            nothing = g.options.empty == "nothing"
            for unit, value in zip(units, values, strict=True):
                if type(value) is list:
                    texts = tuple([v if type(v) is str else as_text(v) or "" for v in value])
                    if texts or nothing:
                        g.answer(name, unit, texts)
            return
        if dict in kinds:
            g.leave_out("not-measured", len(values), detail=name)
            return
        numbers = kinds <= {int, float} and len(set(values)) > 2
        raw = values
        if kinds != {str} or "" in values:
            told = [(u, t) for u, t in ((u, as_text(v)) for u, v in zip(units, values, strict=True)) if t]
            units, values = [u for u, _ in told], [t for _, t in told]
        if not values:
            return
        if not numbers and looks_like_free_text(name, values):
            g.leave_out("free-text", len(values), detail=name)
            return
        g.question(name, "number" if numbers else "label")
        g.answers(name, units, values)
        if len(kinds) > 1:
            g.mixed(name, raw)
