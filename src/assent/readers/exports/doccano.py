"""doccano: a zip or a folder with a file for each member of the project, and the single files of old versions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from assent.errors import UnreadableFile
from assent.readers.exports._offsets import Utf16, utf16_length
from assent.readers.exports.delimited_rows import Rows
from assent.readers.exports.first_look import Peek
from assent.readers.exports.gathering import Gathering, is_email, looks_like_free_text
from assent.readers.exports.json_records import Records
from assent.readers.exports.model import Export
from assent.readers.exports.options import ReadOptions
from assent.readers.exports.registry import reader
from assent.readers.exports.sources import Member, Source
from assent.readers.exports.texts import as_text
from assent.text import shown

__all__ = ["Doccano"]

_TEXT = ("text", "data", "filename")
_ENDINGS = (".jsonl", ".json", ".json1", ".csv", ".txt", "")


def _is_example(record: object) -> bool:
    if not isinstance(record, dict):
        return False
    if "doc_id" in record and "username" in record and ("labels" in record or "entities" in record):
        return True
    if not ("id" in record or "annotations" in record) or not any(key in record for key in _TEXT):
        return False
    notes = record.get("annotations")
    if isinstance(notes, list):
        return all(isinstance(n, dict) and "user" in n and "label" in n for n in notes) and (
            bool(notes) or "annotation_approver" in record or "meta" in record
        )
    lists = [record.get(key) for key in ("label", "entities", "cats", "labels")]
    return any(isinstance(v, list) for v in lists) and "tokens" not in record


def _is_table(peek: Peek) -> bool:
    return (
        peek.shape == "table"
        and "id" in peek.header
        and "label" in peek.header
        and any(k in peek.header for k in _TEXT)
    )


def _blank(member: Member) -> bool:
    return member.peek.shape in ("empty", "bytes")


@reader(name="doccano", title="doccano", rank=230)
class Doccano:
    """Examples with the labels of one member each, or of all members in old versions."""

    @staticmethod
    def recognises(source: Source) -> bool:
        """Return whether all members hold examples; a table only if there is one for each of several members."""
        members = [m for m in source.members[:20] if not _blank(m)]
        if not members or any(m.suffix not in _ENDINGS for m in members):
            return False
        if source.kind in ("zip", "folder", "files"):
            if any("/" in m.name for m in members) and len({m.name.rpartition("/")[0] for m in members}) > 1:
                return False
            if all(m.peek.start.lstrip().startswith("__label__") for m in members):
                return True
            if all(_is_table(m.peek) for m in members):
                return True
        return all(m.peek.objects and _is_example(m.peek.objects[0]) for m in members)

    @staticmethod
    def read(source: Source, options: ReadOptions) -> Export:
        """Return one question for each key that holds labels."""
        members = [m for m in source.members if not _blank(m)]
        if any(m.peek.start.lstrip().startswith("__label__") for m in members):
            raise UnreadableFile(
                f"{source.title} is doccano's fastText export, whose lines carry no ids; export JSONL instead."
            )
        merged = [m for m in members if m.stem == "all"]
        if merged and len(members) == len(merged):
            raise UnreadableFile(
                f"{merged[0].title} holds the labels of all members of a doccano project merged, so that nobody's labels can "
                "be told from another's; only projects whose members do not share annotations export a file for each."
            )
        # A member who confirmed nothing has a file without a line; else every file lists every example.
        examples = _Examples(Gathering(options), confirmed=any(m.peek.shape == "empty" for m in source.members))
        for member in members:
            if member in merged:
                examples.gathering.note(f"{member.title} holds the merged labels of all members and is left out.")
            elif member.stem == "unknown":
                examples.unlabelled(member)
            else:
                examples.file(member)
        return examples.finish()


def _records(member: Member) -> Iterator[dict[str, Any]]:
    if member.peek.shape == "table":
        rows = Rows(member)
        header = rows.header
        for row in rows:
            record: dict[str, Any] = dict(zip(header, row, strict=True))
            record["label"] = record["label"].split("#") if record.get("label") else []
            yield record
        return
    records = Records(member)
    for record in records:
        if not _is_example(record):
            raise UnreadableFile(
                f"What begins on {records.where()} is not an example of doccano; if the exports of two tools were put "
                "together, read them one by one."
            )
        yield record


class _Examples:
    """Takes the files one by one; what an empty list means shows only when all were read."""

    def __init__(self, gathering: Gathering, *, confirmed: bool) -> None:
        self.gathering = gathering
        self.confirmed = confirmed
        self.ids: dict[str, set[str]] = {}
        self.empties: dict[str, list[int]] = {}
        self.spans: set[str] = set()
        self.numbers = False
        self.tables = False
        self.padded = False
        self.generation = ""
        self.relations = 0
        self.several: Counter[str] = Counter()
        self.answers = 0
        self.text = ""
        self.wide: list[tuple[str, int, Utf16]] = []
        self.beyond = False

    def unlabelled(self, member: Member) -> None:
        self.gathering.leave_out("no-answer", sum(1 for _ in _records(member)), detail="examples that nobody labelled")

    def file(self, member: Member) -> None:
        g = self.gathering
        who = g.options.annotator_in(member.name) or member.stem
        self.tables = self.tables or member.peek.shape == "table"
        for record in _records(member):
            if "username" in record and "doc_id" in record:
                self.generation = "2018"
                self._example(record, as_text(record["username"]) or who, record.get("doc_id"))
            elif isinstance(record.get("annotations"), list) and not isinstance(record.get("label"), list):
                self.generation = "1.2 or older"
                self._old(record)
            else:
                self._example(record, who, record.get("id"))

    def _start(self, record: dict[str, Any], who: str, number: object) -> int:
        g = self.gathering
        item = as_text(number) or str(len(self.ids.setdefault(who, set())) + 1)
        unit = g.unit(item, who)
        self.ids.setdefault(who, set()).add(item)
        text = next((record[k] for k in _TEXT if type(record.get(k)) is str), None)
        self.text = text or ""
        if text is not None:
            g.text(item, text)
        return unit

    def _example(self, record: dict[str, Any], who: str, number: object) -> None:
        g = self.gathering
        unit = self._start(record, who, number)
        for key in ("label", "labels", "cats", "entities"):
            found = record.get(key)
            if type(found) is list:
                self._labels(key, unit, found)
        relations = record.get("relations")
        if type(relations) is list:
            self.relations += len(relations)
        for key in ("bbox", "segmentation"):
            if type(record.get(key)) is list and record[key]:
                g.leave_out("not-measured", len(record[key]), detail=key)

    def _labels(self, key: str, unit: int, found: list[Any]) -> None:
        g = self.gathering
        if not found:
            self.empties.setdefault(key, []).append(unit)
            return
        if type(found[0]) in (list, dict):
            self.spans.add(key)
            for span in found:
                self._span(key, unit, span)
            return
        texts = tuple(t for t in map(as_text, found) if t)
        if any(t != t.strip() for t in texts):
            self.padded = True
        if texts:
            g.answer(key, unit, texts)
            self.answers += 1
            if len(texts) > 1:
                self.several[key] += 1
        else:
            g.leave_out("unreadable", detail="label")

    def _span(self, key: str, unit: int, span: object) -> None:
        g = self.gathering
        if isinstance(span, dict):
            start, end, label = span.get("start_offset"), span.get("end_offset"), span.get("label")
        elif isinstance(span, list) and len(span) == 3:
            start, end, label = span
        else:
            start = end = label = None
        name = as_text(label)
        if type(start) is not int or type(end) is not int or name is None:
            g.leave_out("unreadable", detail="span")
            return
        length = g.lengths.get(g.items[unit])
        counting = Utf16.of(self.text) if self.generation else None
        if counting is not None and counting.differs and 0 <= start <= end <= utf16_length(self.text):
            # Versions of 2019 counted UTF-16 units; that shows where a span ends behind the text.
            self.beyond = self.beyond or end > len(self.text)
            self.wide.append((key, len(g.spans(key).parts), counting))
        elif length is not None and end > length:
            g.spans(key)
            g.leave_out("impossible-span", question=key)
            return
        g.span(key, unit, ((start, end),), name)

    def _old(self, record: dict[str, Any]) -> None:
        """Take an example of version 1.2 or older, with the labels of all members in it."""
        by: dict[str, list[dict[str, Any]]] = {}
        for label in record["annotations"]:
            who = as_text(label.get("user"))
            if who is None:
                self.gathering.leave_out("unreadable", detail="label without a user")
            else:
                by.setdefault(who, []).append(label)
        for who, labels in by.items():
            unit = self._start(record, who, record.get("id"))
            if any("start_offset" in one for one in labels):
                self._labels("entities", unit, list(labels))
            else:
                self.numbers = self.numbers or any(type(one.get("label")) is int for one in labels)
                self._labels("label", unit, [one.get("label") for one in labels])

    def _settle_offsets(self) -> None:
        """Convert the offsets of an old version if they count UTF-16 units, or say that they may."""
        g = self.gathering
        if not self.wide:
            return
        if not self.beyond:
            g.note(
                f"{len(self.wide):,} spans lie in texts with characters that UTF-16 counts twice, as versions of doccano of 2019 did; "
                "nothing in the file says so, and they were taken to count code points."
            )
            return
        for key, at, counting in self.wide:
            parts = g.spans(key).parts
            parts[at] = tuple((counting.code_point(begin), counting.code_point(end)) for begin, end in parts[at])
        g.note(
            f"{len(self.wide):,} spans had offsets in UTF-16 units, as versions of doccano of 2019 write them; they were converted to "
            "code points."
        )

    def finish(self) -> Export:
        g = self.gathering
        sets = list(self.ids.values())
        differ = self.confirmed or any(ids != sets[0] for ids in sets[1:])
        self._settle_offsets()
        self._nobody(confirmed=differ)
        for key, units in self.empties.items():
            self._empty(key, units, differ=differ)
        if self.relations:
            g.leave_out("not-measured", self.relations, detail="relations")
        for key, count in self.several.items():
            examples = "example carries" if count == 1 else "examples carry"
            g.note(f"{count:,} {examples} several labels, so labels are compared as sets.", question=key)
        if self.tables:
            g.note(
                "doccano's CSV joins labels with #"
                + (", and some labels seem to hold one themselves" if self.padded else "")
                + "; JSONL keeps them apart."
            )
        if self.numbers:
            g.note("This version of doccano writes labels as numbers; their names are not in the export.")
        for key, question in list(g.questions.items()):
            if key not in self.spans and hasattr(question, "value"):
                texts = [v[0] for v in question.value if isinstance(v, tuple) and v]
                if looks_like_free_text("", texts):
                    del g.questions[key]
                    g.leave_out("free-text", len(texts), detail=key)
        return g.export(f"doccano {self.generation}".strip(), asked_of_all=False)

    def _empty(self, key: str, units: list[int], *, differ: bool) -> None:
        """Say what empty lists are: nothing found, or nobody looked."""
        g = self.gathering
        spans = key in self.spans or (key == "entities" and key not in g.questions)
        said = g.options.empty
        nothing = said == "nothing" or (said is None and spans and differ)
        count = f"{len(units):,} empty {'list' if len(units) == 1 else 'lists'} of {key}"
        if nothing:
            for unit in units:
                if spans:
                    g.seen(key, unit)
                else:
                    g.question(key, "set")
                    g.answer(key, unit, ())
            why = "as was said" if said else "since the files list different examples, only confirmed ones"
            g.note(
                f"{count} {'counts' if len(units) == 1 else 'count'} as {'nothing found' if spans else 'no label chosen'} ({why})."
            )
            return
        if spans:
            g.spans(key)
        if key not in g.questions:
            g.question(key)
        g.leave_out("no-answer", len(units), detail="empty lists", question=key)
        g.note(
            f"{count} {'is' if len(units) == 1 else 'are'} taken as not annotated, since doccano writes every example for every member, opened or not; "
            f"`empty` nothing counts them as {'nothing found' if spans else 'no label chosen'}."
        )

    def _nobody(self, *, confirmed: bool) -> None:
        """Name the members who labelled nothing; those who confirmed documents without a span found nothing there."""
        g = self.gathering
        busy = {g.annotators[u] for q in g.questions.values() for u in q.unit}
        looked = {g.annotators[u] for key in self.spans for u in self.empties.get(key, ())} if confirmed else set()
        idle = [who for who in self.ids if who not in busy and (who not in looked or g.options.empty == "missing")]
        if not idle or g.options.empty == "nothing":
            return
        named = ", ".join(shown(who)[1:-1] for who in idle if not is_email(who)) or "A member"
        g.note(f"{named} labelled nothing and {'is' if len(idle) == 1 else 'are'} left out.")
        gone = set(idle)
        for key, units in self.empties.items():
            if key in self.spans:
                # Who labelled nothing at all most likely never opened a document.
                kept = [u for u in units if g.annotators[u] not in gone]
                g.leave_out("no-answer", len(units) - len(kept), detail="files without any label", question=key)
                self.empties[key] = kept
