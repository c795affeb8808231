"""Prodigy: the lines that ``prodigy db-out`` writes."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any
from urllib.parse import unquote

from assent.errors import UnreadableFile
from assent.readers.exports.gathering import Gathering
from assent.readers.exports.json_records import Records
from assent.readers.exports.model import Export
from assent.readers.exports.options import ReadOptions
from assent.readers.exports.registry import reader
from assent.readers.exports.sources import Member, Source
from assent.readers.exports.texts import as_text
from assent.text import shown

__all__ = ["Prodigy"]

_TIME = re.compile(r"(?:.*-)?\d{4}-\d{2}-\d{2}_\d{2}-\d{2}-\d{2}")
_MANUAL = frozenset({"spans_manual", "ner_manual", "spans", "pos_manual"})
_CHOICE, _SPANS = "choice", "spans"


def _is_line(record: object) -> bool:
    return isinstance(record, dict) and "_input_hash" in record and "_task_hash" in record and "answer" in record


@reader(name="prodigy", title="Prodigy", rank=210)
class Prodigy:
    """One line for each answer of each annotator."""

    @staticmethod
    def recognises(source: Source) -> bool:
        """Return whether the first members hold lines with Prodigy's hashes and an answer."""
        members = [m for m in source.members[:5] if m.peek.shape not in ("empty", "bytes")]
        return bool(members) and all(m.peek.records and _is_line(m.peek.records[0]) for m in members)

    @staticmethod
    def read(source: Source, options: ReadOptions) -> Export:
        """Return the questions: choice, spans, and one for each label of binary decisions."""
        lines = _Lines(Gathering(options), several=len(source.members) > 1)
        for member in source.members:
            lines.begin(member)
            records = Records(member)
            for record in records:
                if not _is_line(record):
                    raise UnreadableFile(
                        f"What begins on {records.where()} is not a line of Prodigy (no _input_hash, _task_hash and "
                        "answer); if the exports of two tools were put together, read them one by one."
                    )
                lines.add(record)
        return lines.finish()


class _Lines:
    """Takes lines one by one."""

    def __init__(self, gathering: Gathering, *, several: bool) -> None:
        self.gathering = gathering
        self.several = several
        self.stem = self.dataset = ""
        self.multiple = False
        self.bare: list[int] = []
        self.blocks: list[int] = []
        self.unknown: Counter[str] = Counter()
        self.reviewed: list[dict[str, Any]] = []
        self.sessions: set[str] = set()

    def begin(self, member: Member) -> None:
        self.dataset = member.stem
        self.stem = self.gathering.options.annotator_in(member.name) or member.stem

    def add(self, record: dict[str, Any]) -> None:
        g = self.gathering
        view = as_text(record.get("_view_id"))
        if view == "review" or ("versions" in record and "sessions" in record):
            g.leave_out("gold", detail="review")
            self.reviewed.append(record)
            return
        answer = record["answer"]
        if answer == "ignore":
            g.leave_out("ignored")
            return
        if answer != "accept" and answer != "reject":
            self.unknown[shown(answer, 20)] += 1
            return
        item = as_text(record["_input_hash"])
        if item is None:
            g.leave_out("unreadable", detail="_input_hash")
            return
        accept = record.get("accept")
        chosen = type(accept) is list or view == "choice" or type(record.get("options")) is list
        spans = record.get("spans")
        manual = view in _MANUAL or (type(spans) is list and not record.get("_is_binary") and "label" not in record)
        if not chosen and not manual:
            self._binary(record, item, view)
            return
        if answer == "reject" and not g.options.keep_rejected:
            g.leave_out("rejected")
            return
        unit = g.unit(item, self._who(record), self._when(record))
        text = record.get("text")
        if type(text) is str:
            g.text(item, text)
        if chosen:
            self._chosen(record, unit, accept)
        if manual:
            self._spans(unit, spans, text)
        elif view == "blocks":
            self.blocks.append(unit)
        if type(record.get("relations")) is list and record["relations"]:
            g.leave_out("not-measured", len(record["relations"]), detail="relations")

    def _chosen(self, record: dict[str, Any], unit: int, accept: object) -> None:
        g = self.gathering
        config = record.get("config")
        if type(config) is dict and config.get("choice_style") == "multiple":
            self.multiple = True
        ids = tuple(t for t in map(as_text, accept) if t is not None) if isinstance(accept, list) else ()
        if len(ids) > 1:
            self.multiple = True
        if ids:
            g.answer(_CHOICE, unit, ids)
        else:
            g.question(_CHOICE)
            self.bare.append(unit)

    def _spans(self, unit: int, spans: object, text: object) -> None:
        g = self.gathering
        g.seen(_SPANS, unit)
        if type(spans) is not list:
            return
        length = len(text) if type(text) is str else None
        for span in spans:
            start, end = (span.get("start"), span.get("end")) if type(span) is dict else (None, None)
            if type(start) is not int or type(end) is not int:
                g.leave_out("not-measured", detail="regions that are not offsets in a text")
            elif length is not None and end > length:
                g.leave_out("impossible-span", question=_SPANS)
            else:
                g.span(_SPANS, unit, ((start, end),), as_text(span.get("label")) or "")

    def _binary(self, record: dict[str, Any], item: str, view: object) -> None:
        """Add a decision about one label, or about one span that was suggested."""
        g = self.gathering
        label, spans = as_text(record.get("label")), record.get("spans")
        if label is None and type(spans) is list and len(spans) == 1 and type(spans[0]) is dict:
            label = as_text(spans[0].get("label"))
            item = f"{item}:{as_text(spans[0].get('start'))}-{as_text(spans[0].get('end'))}"
        if label is None or label == "":
            free = "user_input" in record or "field_id" in record
            g.leave_out("free-text" if free else "not-measured", detail=shown(view) if view else "no label")
            return
        g.question(label, "label", scope=label)
        unit = g.unit(item, self._who(record), self._when(record), scope=label)
        g.answer(label, unit, record["answer"])
        if type(record.get("text")) is str:
            g.text(item, record["text"])

    def _who(self, record: dict[str, Any]) -> str:
        who = as_text(record.get("_annotator_id")) or as_text(record.get("_session_id")) or ""
        if not who:
            return self.stem
        if _TIME.fullmatch(who):
            if self.several:
                return self.stem
            self.sessions.add(who)
        if self.several:
            # A name is that of the dataset and of the person, who may have worked on several.
            who = who.removeprefix(f"{self.dataset}-") or who
        return unquote(who).strip() if "%" in who else who

    @staticmethod
    def _when(record: dict[str, Any]) -> float | None:
        when = record.get("_timestamp")
        return float(when) if isinstance(when, int | float) and abs(when) < 1e15 else None

    def finish(self) -> Export:
        g = self.gathering
        if self.multiple and _CHOICE in g.questions:
            g.question(_CHOICE, "set")
            for unit in self.bare if g.options.empty != "missing" else ():
                g.answer(_CHOICE, unit, ())
        if _SPANS in g.questions:
            # An interface of several blocks asks for spans of every text, if it does of one.
            for unit in self.blocks:
                g.seen(_SPANS, unit)
        for answer, rows in self.unknown.items():
            g.leave_out("unreadable", rows, detail=f"answer {answer}")
        self._gold()
        if self.sessions:
            shared = Counter(dict.fromkeys(g.items, 0))
            for item in {(i, a) for i, a in zip(g.items, g.annotators, strict=True)}:
                shared[item[0]] += 1
            if all(n < 2 for n in shared.values()):
                g.note(
                    "The annotators are times of sessions, and no item was seen in two of them: one person in two sessions "
                    "looks like two annotators; use named sessions (?session=name), or one file for each annotator."
                )
        views = {"choice": _CHOICE in g.questions, "spans": _SPANS in g.questions}
        detail = ", ".join(name for name, there in views.items() if there) or "binary"
        return g.export(f"Prodigy ({detail})")

    def _gold(self) -> None:
        g = self.gathering
        for record in self.reviewed:
            item, accept = as_text(record.get("_input_hash")), record.get("accept")
            if item is None or record.get("answer") != "accept":
                continue
            if isinstance(accept, list) and accept and _CHOICE in g.questions:
                ids = tuple(sorted(t for t in map(as_text, accept) if t is not None))
                g.question(_CHOICE).gold[item] = ids if self.multiple else next(iter(ids), "")
            spans = record.get("spans")
            if isinstance(spans, list) and _SPANS in g.questions:
                found = [
                    (((s["start"], s["end"]),), as_text(s.get("label")) or "")
                    for s in spans
                    if isinstance(s, dict) and type(s.get("start")) is int and type(s.get("end")) is int
                ]
                g.spans(_SPANS).gold[item] = tuple(found)
