"""Le-Wi-Di, the shared task on learning with disagreement: JSON of 2023 and 2025."""

from __future__ import annotations

from itertools import chain, repeat
from operator import itemgetter
from typing import Any

from assent.errors import UnreadableFile
from assent.readers.exports._columns import is_number
from assent.readers.exports.decoding import Pairs, as_text
from assent.readers.exports.gathering import Gathering
from assent.readers.exports.model import Export
from assent.readers.exports.options import ReadOptions
from assent.readers.exports.registry import reader
from assent.readers.exports.sources import Source

__all__ = ["LeWiDi"]

_OTHER = "other annotations"


#: What is taken column by column.
_ALIKE = itemgetter("annotations", "annotators", "annotation task", "text", "other_info", "soft_label")
#: Different lists of annotators or labels that are kept.
_REMEMBERED = 10_000


def _is_item(value: object) -> bool:
    return (
        isinstance(value, dict)
        and "annotations" in value
        and "annotators" in value
        and ("number of annotations" in value or "soft_label" in value)
    )


@reader(name="lewidi", title="Le-Wi-Di", rank=280)
class LeWiDi:
    """An object of items, each with its annotations and annotators."""

    @staticmethod
    def recognises(source: Source) -> bool:
        """Return whether the first values have annotations, annotators and a soft label or a number of annotations."""
        return bool(source.members) and all(
            m.peek.shape == "object" and m.peek.first and all(_is_item(v) for v in list(m.peek.first.values())[:5])
            for m in source.members[:5]
        )

    @staticmethod
    def read(source: Source, options: ReadOptions) -> Export:
        """Return the annotation task and what stands under other annotations."""
        found = _Items(Gathering(options))
        for member in source.members:
            for some in Pairs(member).batches():
                if found.add_alike(some):
                    continue
                for key, value in some.items():
                    if not _is_item(value):
                        raise UnreadableFile(
                            f"Item {key[:40]!r} of {member.title} has no annotations and annotators; leave it out."
                        )
                    found.add(key, value)
        return found.finish()


def _texts(value: object) -> list[str] | None:
    if isinstance(value, str):
        parts = value.split(",")
        return [part.strip() for part in parts] if value.strip() != value or " " in value else parts if value else []
    if isinstance(value, list):
        texts = [as_text(v) for v in value]
        return [t for t in texts if t is not None] if None not in texts else None
    return None


class _Items:
    """Takes items one by one."""

    def __init__(self, gathering: Gathering) -> None:
        self.gathering = gathering
        self._known: dict[str, list[str]] = {}
        self._items: set[str] = set()
        self._repeated = False

    def _texts(self, value: object) -> list[str] | None:
        """Take a list of texts apart; the same few texts come again and again."""
        if type(value) is not str:
            return _texts(value)
        found = self._known.get(value)
        if found is None:
            found = _texts(value) or []
            if len(self._known) < _REMEMBERED:
                self._known[value] = found
        return found

    def add_alike(self, records: dict[str, Any]) -> bool:
        """Take items of one question, column by column; return whether they could be."""
        if set(map(type, records.values())) != {dict} or not self._items.isdisjoint(records):
            return False
        try:
            columns = list(zip(*map(_ALIKE, records.values()), strict=True))
        except KeyError:
            return False
        given, who, names, texts, others, _ = columns
        if any(set(map(type, column)) != {str} for column in (given, who, names, texts)) or len(set(names)) > 1:
            return False
        if not names[0] or any(type(one) is not dict or _OTHER in one for one in others):
            return False
        # The same few lists come again and again.
        apart = {text: _texts(text) or [] for text in {*given, *who}}
        for labels, annotators in ((apart[one], apart[other]) for one, other in set(zip(given, who, strict=True))):
            if (
                len(labels) != len(annotators)
                or len(set(annotators)) < len(annotators)
                or "" in labels
                or "nan" in labels
            ):
                return False
        of = list(map(apart.__getitem__, who))
        items = list(chain.from_iterable(map(repeat, records, map(len, of))))
        by = list(chain.from_iterable(of))
        values = chain.from_iterable(map(apart.__getitem__, given))
        self.gathering.answers(names[0], self.gathering.rows(items, by, [None] * len(items)), values)
        self.gathering.keep(dict(zip(records, texts, strict=True)))
        self._items.update(records)
        return True

    def add(self, item: str, record: dict[str, Any]) -> None:
        g = self.gathering
        name = as_text(record.get("annotation task")) or "annotations"
        values, about = record["annotations"], record.get("other_info")
        asked = {name: values}
        others = about.get(_OTHER) if about and isinstance(about, dict) else None
        if isinstance(others, dict):
            asked = {**others, name: values} if name in others else {name: values, **others}
        if not isinstance(values, dict):
            names = self._texts(record["annotators"])
            if names is None:
                g.leave_out("unreadable", detail="annotators")
                return
            # An annotator who is named twice would be a duplicate, which is settled later.
            self._repeated = self._repeated or item in self._items or len(set(names)) < len(names)
            numbers = g.units(item, names)
            for question, found in asked.items():
                self._listed(question, numbers, found)
        else:
            self._repeated = self._repeated or item in self._items
            units: dict[str, int] = {}
            for question, found in asked.items():
                self._named(question, item, found, units)
        self._items.add(item)
        text = record.get("text")
        if isinstance(text, str):
            g.text(item, text)

    def _listed(self, name: str, units: range, found: object) -> None:
        """Take the labels of 2023: in the order of the annotators."""
        g = self.gathering
        g.question(name)
        labels = self._texts(found)
        if labels is None or len(labels) != len(units):
            g.leave_out("unreadable", detail="annotations and annotators do not match")
        elif "" in labels or "nan" in labels:
            for unit, label in zip(units, labels, strict=True):
                if label and label != "nan":
                    g.answer(name, unit, label)
        else:
            g.answers(name, units, labels)

    def _named(self, name: str, item: str, found: object, units: dict[str, int]) -> None:
        """Take the labels of 2025: by annotator; several labels of one annotator are joined with commas."""
        g = self.gathering
        g.question(name)
        if not isinstance(found, dict):
            g.leave_out("unreadable", detail="annotations and annotators do not match")
            return
        for who, value in found.items():
            labels = _texts(value) if isinstance(value, str | list) else [t for t in [as_text(value)] if t]
            unit = units.get(who)
            if unit is None:
                unit = units[who] = g.unit(item, who)
            kept = tuple(label for label in labels or () if label and label != "nan")
            if kept:
                g.answer(name, unit, kept)

    def finish(self) -> Export:
        g = self.gathering
        g.unrepeated = not self._repeated
        for name, question in g.questions.items():
            distinct = set(getattr(question, "value", ()))
            single = {v if isinstance(v, str) else v[0] for v in distinct if isinstance(v, str) or len(v) == 1}
            if len(single) == len(distinct) > 2 and all(is_number(v) for v in single):
                found = g.question(name, "number")
                found.value = [v if isinstance(v, str) else v[0] for v in found.value]  # type: ignore[index]
        g.note("soft_label and hard_label are derived from the annotations: no annotators.")
        return g.export("Le-Wi-Di JSON")
