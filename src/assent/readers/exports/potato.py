"""Potato: the folder of a running project (versions 1 and 2), the exported table and lines of version 2."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import Any

from assent.errors import AssentError, UnreadableFile
from assent.readers.exports._columns import is_number
from assent.readers.exports.decoding import Records, Rows, as_text, load, loads
from assent.readers.exports.gathering import Gathering, Question
from assent.readers.exports.model import Export
from assent.readers.exports.options import ReadOptions
from assent.readers.exports.registry import reader
from assent.readers.exports.sources import Member, Source

__all__ = ["Potato"]

_STATE, _OLD = "user_state.json", "annotated_instances"
_LABELS, _SPANS = "instance_id_to_label_to_value", "instance_id_to_span_to_value"
_PAGES = "phase_to_page_to_label_to_value"
_SURVEY = re.compile(
    r"(?:consent|instructions?|poststudy|prestudy|demographics?|survey|end)[^/]*\.html?$|^(?:pre|post)study_"
)
_BY_VALUE = frozenset({"slider", "number", "select-one", "select_one", "select"})
_FREE = frozenset({"free_response", "text_box", "text"})


@lru_cache(maxsize=100_000)
def _is_survey(item: str) -> bool:
    return _SURVEY.search(item) is not None


def _are_surveys(items: Collection[str]) -> bool:
    """Return whether some of several items are pages of a survey."""
    joined = "\n".join(items)
    return (".htm" in joined or "study_" in joined) and any(map(_is_survey, items))


def _form(member: Member) -> str | None:
    base = member.name.rpartition("/")[2]
    if base == _STATE:
        return "state"
    peek = member.peek
    if peek.shape == "object" and _LABELS in peek.first:
        return "state"
    if peek.shape == "table":
        header = peek.header
        if {"user", "instance_id"} <= set(header) and ("displayed_text" in header or any(":::" in h for h in header)):
            return "old table"
        if "instance_id" in header and "user_id" in header and any("." in h for h in header):
            return "table"
        return None
    first = peek.first
    if "label_annotations" in first and "displayed_text" in first:
        return "old lines"
    if "instance_id" in first and "user_id" in first and ("labels" in first or "spans" in first):
        return "lines"
    return None


@reader(name="potato", title="Potato", rank=30)
class Potato:
    """Answers by schema, one file an annotator or one table for all."""

    @staticmethod
    def recognises(source: Source) -> bool:
        """Return whether a folder holds states of users, or a file the lines or the table of an export."""
        if source.kind in ("folder", "zip", "files"):
            names = [m.name.rpartition("/")[2] for m in source.members]
            if _STATE in names or any(n.startswith(_OLD) for n in names):
                return True
        members = [m for m in source.members[:5] if m.peek.shape not in ("empty", "bytes")]
        return bool(members) and all(_form(m) for m in members)

    @staticmethod
    def read(source: Source, options: ReadOptions) -> Export:
        """Return one question for each schema."""
        forms = [(m, _form(m)) for m in source.members if m.suffix in (".json", ".jsonl", ".csv", ".tsv", "")]
        states = [m for m, form in forms if form == "state"]
        answers = _Answers(Gathering(options))
        if states:
            for member in states:
                answers.state(member)
            return answers.finish("Potato 2")
        own = [m for m, form in forms if form == "old lines" and "/" in m.name]
        if own:
            for member in own:
                answers.old_lines(member)
            return answers.finish("Potato 1")
        tables = [(m, form) for m, form in forms if form in ("table", "lines", "old table")]
        if not tables:
            raise UnreadableFile(
                f"{source.title} holds the answers of a Potato 1 project without saying who gave them; name the folder with "
                "one folder for each user, or annotated_instances.tsv."
            )
        for member, form in tables:
            if form == "lines":
                answers.lines(member)
            else:
                answers.table(member, ":::" if form == "old table" else ".")
        return answers.finish("Potato 1" if tables[0][1] == "old table" else "Potato 2 export")


def _pairs(found: object) -> Iterator[tuple[str, str, Any, dict[str, Any]]]:
    """Yield schema, name, value and everything else: ``[[{schema, name}, value], …]`` or ``{schema: {name: value}}``."""
    if isinstance(found, list):
        for pair in found:
            if isinstance(pair, list) and pair and isinstance(pair[0], dict):
                about, value = pair[0], pair[1] if len(pair) > 1 else None
            elif isinstance(pair, dict):
                about, value = pair, pair.get("value", True)
            else:
                continue
            schema, name = about.get("schema"), about.get("name")
            if type(schema) is str and type(name) is str:
                yield schema, name, value, about
            elif as_text(schema) is not None and as_text(name) is not None:
                yield str(as_text(schema)), str(as_text(name)), value, about
    elif isinstance(found, dict):
        for schema, names in found.items():
            if isinstance(names, dict):
                for name, value in names.items():
                    yield schema, name, value, {}
            elif isinstance(names, list):
                for name in names:
                    text = as_text(name)
                    if text is not None:
                        yield schema, text, True, {}
            else:
                text = as_text(names)
                if text is not None:
                    yield schema, text, True, {}


_BATCH = 2_000
#: Cells of boxes that were not ticked.
_UNTICKED = frozenset({"", "false", "False"})


class _Answers:
    """Takes the files of users one by one."""

    def __init__(self, gathering: Gathering) -> None:
        self.gathering = gathering
        self.chosen: dict[str, Question] = {}
        self.valued: set[str] = set()
        self.idle = 0
        self.clicks: dict[int, dict[str, str]] = {}

    def state(self, member: Member) -> None:
        g = self.gathering
        state = load(member)
        if not isinstance(state, dict):
            raise UnreadableFile(f"{member.title} is not the state of a Potato user; leave it out.")
        who = g.options.annotator_in(member.name) or as_text(state.get("user_id")) or _folder(member)
        pages = state.get(_PAGES)
        for of_phase in pages.values() if isinstance(pages, dict) else ():
            for found in of_phase.values() if isinstance(of_phase, dict) else ():
                g.leave_out("survey-page", sum(1 for _ in _pairs(found)))
        labels, spans = state.get(_LABELS), state.get(_SPANS)
        labels = labels if isinstance(labels, dict) else {}
        spans = spans if isinstance(spans, dict) else {}
        behaviour = state.get("instance_id_to_behavioral_data")
        before = len(g.items)
        for item in dict.fromkeys([*labels, *spans]):
            done = behaviour.get(item) if isinstance(behaviour, dict) else None
            self._item(who, item, labels.get(item), spans.get(item), done)
        if len(g.items) == before:
            self.idle += 1

    def _item(self, who: str, item: str, labels: object, spans: object, done: object = None) -> None:
        g = self.gathering
        if _is_survey(item):
            g.leave_out("survey-page")
            return
        found = list(_pairs(labels)) if labels else []
        marked = list(_spans(spans)) if spans else []
        if not found and not marked:
            return
        unit = g.unit(item, who)
        by_schema: dict[str, list[str]] = {}
        for schema, name, value, _ in found:
            self._answer(schema, name, value, by_schema)
        for schema, names in by_schema.items():
            if names:
                self._chosen(schema).extend((unit,), (tuple(names),))
        if isinstance(done, dict) and isinstance(done.get("annotation_changes"), list):
            last = self.clicks.setdefault(unit, {})
            for change in done["annotation_changes"]:
                if isinstance(change, dict) and change.get("action") not in ("deselect", "remove", "delete"):
                    schema_, name_ = as_text(change.get("schema_name")), as_text(change.get("label_name"))
                    if schema_ is not None and name_ is not None:
                        last[schema_] = name_
        for schema, label, parts in marked:
            g.span(schema, unit, parts, label)

    def _answer(self, schema: str, name: str, value: Any, into: dict[str, list[str]]) -> None:
        """Put an answer where it belongs; it is the name of what was clicked unless only the value can say it."""
        text = value if type(value) is str else as_text(value)
        if value is False or text is None or text in ("", "false", "False"):
            return
        # A choice may be called "text" or "number"; then what stands beside it only says that it was ticked.
        ticked = value is True or text in ("true", "True", name) or (name == "text" and text.isdecimal())
        if name in _FREE and not ticked:
            self.gathering.leave_out("free-text", detail=schema if name != "free_response" else f"{schema}.{name}")
            return
        if name in _BY_VALUE and not ticked:
            self.valued.add(schema)
            into.setdefault(schema, []).append(text)
        else:
            into.setdefault(schema, []).append(name)

    def old_lines(self, member: Member) -> None:
        who = self.gathering.options.annotator_in(member.name) or _folder(member)
        records = Records(member)
        for record in records:
            if not isinstance(record, dict) or not isinstance(record.get("label_annotations"), dict):
                raise UnreadableFile(f"What begins on {records.where()} is not an answer of Potato 1; leave it out.")
            item = as_text(record.get("id"))
            if item is None:
                self.gathering.leave_out("unreadable", detail="no id")
                continue
            self._item(who, item, record["label_annotations"], record.get("span_annotations"))
            self._text(item, record.get("displayed_text"))

    def lines(self, member: Member) -> None:
        records = Records(member)
        for record in records:
            if not isinstance(record, dict) or "instance_id" not in record or "user_id" not in record:
                raise UnreadableFile(
                    f"What begins on {records.where()} is not a line of Potato's export; leave it out."
                )
            item, who = as_text(record["instance_id"]), as_text(record["user_id"])
            if item is None or who is None:
                self.gathering.leave_out("unreadable", detail="no instance_id or user_id")
                continue
            self._item(who, item, record.get("labels"), record.get("spans"))
            links = record.get("links")
            if isinstance(links, list | dict) and links:
                self.gathering.leave_out("not-measured", len(links), detail="links")

    def table(self, member: Member, mark: str) -> None:
        rows = Rows(member)
        user = "user" if mark == ":::" else "user_id"
        if user not in rows.header or "instance_id" not in rows.header:
            raise UnreadableFile(f"{member.title} has no columns {user} and instance_id; it is not a table of Potato.")
        who, item = rows.header.index(user), rows.header.index("instance_id")
        columns = [(n, *name.partition(mark)[::2]) for n, name in enumerate(rows.header) if mark in name]
        text = rows.header.index("displayed_text") if "displayed_text" in rows.header else None
        simple = not any(name == "_spans" or name in _FREE or name in _BY_VALUE for _, _, name in columns)
        for batch in rows.batches(_BATCH):
            if not simple or not self._ticked(batch, who, item, columns):
                self._rows(batch, who, item, columns)
            for row in batch if text is not None else ():
                self._text(row[item], row[text])  # type: ignore[index]

    def _ticked(self, batch: list[list[str]], who: int, item: int, columns: list[tuple[int, str, str]]) -> bool:
        """Take rows of answers that are ticked, column by column; return whether they were."""
        g = self.gathering
        cells = list(zip(*batch, strict=True))
        items = set(cells[item])
        if "" in cells[who] or "" in items or _are_surveys(items):
            return False
        by_schema: dict[str, list[tuple[int, str]]] = {}
        for n, schema, name in columns:
            by_schema.setdefault(schema, []).append((n, name))
        found: dict[str, list[tuple[str, ...]]] = {}
        full: set[str] = set()
        for schema, places in by_schema.items():
            held = list(zip(*(cells[n] for n, _ in places), strict=True))
            # There are few ways to tick the boxes of a question.
            known = {
                one: tuple(name for (_, name), cell in zip(places, one, strict=True) if cell not in _UNTICKED)
                for one in set(held)
            }
            found[schema] = list(map(known.__getitem__, held))
            if all(known.values()):
                full.add(schema)
        count = len(batch)
        if full:
            kept: Sequence[int] = range(count)
        else:
            answered = list(map(any, zip(*found.values(), strict=True)))
            filled = [any(row[n] for n, _, _ in columns) for row in batch]
            if filled != answered and not all(filled):
                # A row whose only cells say false was looked at; one without any was not.
                return False
            kept = [n for n, one in enumerate(filled) if one]
        whole = len(kept) == count
        of_rows, by = (cells[n] if whole else [cells[n][k] for k in kept] for n in (item, who))
        units = g.rows(of_rows, by, [None] * len(kept))
        for schema, names in found.items():
            given = names if whole else [names[n] for n in kept]
            if schema in full:
                self._chosen(schema).extend(units, given)
            else:
                ticked = [unit for unit, one in zip(units, given, strict=True) if one]
                self._chosen(schema).extend(ticked, filter(None, given))
        return True

    def _chosen(self, schema: str) -> Question:
        found = self.chosen.get(schema)
        if found is None:
            found = self.chosen[schema] = Question(schema)
        return found

    def _rows(self, batch: list[list[str]], who: int, item: int, columns: list[tuple[int, str, str]]) -> None:
        """Take rows one by one."""
        g = self.gathering
        for row in batch:
            if not row[who] or not row[item]:
                g.leave_out("unreadable", detail="no user or instance_id")
                continue
            labels: dict[str, dict[str, str]] = {}
            spans: list[Any] = []
            for n, schema, name in columns:
                if not row[n]:
                    continue
                if name == "_spans":
                    spans.extend(_of_cell(row[n], schema))
                else:
                    labels.setdefault(schema, {})[name] = row[n]
            self._item(row[who], row[item], labels, spans)

    def _text(self, item: str, text: object) -> None:
        if isinstance(text, str) and text and not _is_survey(item):
            self.gathering.text(item, text)

    def finish(self, format: str) -> Export:
        g = self.gathering
        if self.idle:
            were = "annotator was" if self.idle == 1 else "annotators were"
            g.leave_out("no-answer", self.idle, detail="annotators without any answer")
            g.note(f"{self.idle} {were} left without any answer, as one who only logged in is.")
        for schema, chosen in self.chosen.items():
            self._schema(schema, chosen.unit, chosen.value)  # type: ignore[arg-type]
        for name, question in g.questions.items():
            if hasattr(question, "parts"):
                if g.options.empty == "nothing":
                    g.all_seen(name)
                else:
                    g.note(
                        "Potato does not record documents without spans: only those with spans count as seen; "
                        "`empty` nothing takes all that an annotator answered.",
                        question=name,
                    )
        return g.export(format)

    def _schema(self, schema: str, units: Sequence[int], answers: list[tuple[str, ...]]) -> None:
        g = self.gathering
        if not answers:
            return
        distinct = Counter(answers)
        several = sum(count for names, count in distinct.items() if len(names) > 1)
        names = {name for found in distinct for name in found}
        if not several and all(is_number(n) for n in names) and (len(names) > 2 or schema in self.valued):
            g.question(schema, "number")
            g.answers(schema, units, [found[0] for found in answers])
            return
        # Versions up to 2.7.1 kept every label that was clicked of a single choice.
        slips = several and len(answers) >= 10 and several <= 0.1 * len(answers)
        if slips:
            answers = [
                found if len(found) == 1 else (self._last(unit, schema, found),)
                for unit, found in zip(units, answers, strict=True)
            ]
        g.answers(schema, units, answers)
        if slips:
            g.note(
                f"{several:,} answers hold several labels where all others hold one, as versions up to 2.7.1 wrote "
                "single choices that were changed: the last one counts.",
                question=schema,
            )

    def _last(self, unit: int, schema: str, found: tuple[str, ...]) -> str:
        last = self.clicks.get(unit, {}).get(schema)
        return last if last in found else found[-1]


def _folder(member: Member) -> str:
    parts = member.name.split("/")
    return parts[-2] if len(parts) > 1 else member.stem


def _of_cell(cell: str, schema: str) -> list[Any]:
    try:
        found = loads(cell, "a cell")
    except AssentError:
        return []
    spans = found if isinstance(found, list) else [found]
    return [{"schema": schema, **span} for span in spans if isinstance(span, dict)]


def _spans(found: object) -> Iterator[tuple[str, str, tuple[tuple[int, int], ...]]]:
    if isinstance(found, dict):
        found = [
            {"schema": schema, **span}
            for schema, spans in found.items()
            if isinstance(spans, list)
            for span in spans
            if isinstance(span, dict)
        ]
    for pair in found if isinstance(found, list) else ():
        about = pair[0] if isinstance(pair, list) and pair else pair
        if not isinstance(about, dict):
            continue
        label = next((t for t in (as_text(about.get(k)) for k in ("name", "annotation", "label")) if t), None)
        parts = [(about.get("start"), about.get("end"))]
        further = about.get("additional_parts")
        for part in further if isinstance(further, list) else ():
            if isinstance(part, dict):
                parts.append((part.get("start"), part.get("end")))
            elif isinstance(part, list) and len(part) == 2:
                parts.append((part[0], part[1]))
        kept = tuple((b, e) for b, e in parts if type(b) is int and type(e) is int)
        if label is not None and len(kept) == len(parts):
            yield as_text(about.get("schema")) or "spans", label, tuple(sorted(kept))
