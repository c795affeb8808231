"""Labelbox: NDJSON of the export v2 and JSON of the export v1."""

from __future__ import annotations

from typing import Any

from assent.errors import UnreadableFile
from assent.readers.exports.gathering import Gathering, utf16_offsets
from assent.readers.exports.json_records import Records
from assent.readers.exports.model import Export
from assent.readers.exports.options import ReadOptions
from assent.readers.exports.registry import reader
from assent.readers.exports.sources import Source
from assent.readers.exports.texts import as_text

__all__ = ["Labelbox"]

_ENTITIES = "entities"


def _form(record: object) -> str | None:
    if not isinstance(record, dict):
        return None
    if isinstance(record.get("data_row"), dict) and isinstance(record.get("projects"), dict):
        return "v2"
    if "Labeled Data" in record and "Label" in record:
        return "v1"
    return None


@reader(name="labelbox", title="Labelbox", rank=260)
class Labelbox:
    """Data rows with the labels of several people."""

    @staticmethod
    def recognises(source: Source) -> bool:
        """Return whether the records are data rows with projects, or labelled data."""
        members = [m for m in source.members[:5] if m.peek.shape not in ("empty", "bytes")]
        return bool(members) and all(m.peek.objects and _form(m.peek.objects[0]) for m in members)

    @staticmethod
    def read(source: Source, options: ReadOptions) -> Export:
        """Return entities and one question for each classification."""
        rows = _DataRows(Gathering(options))
        forms = set()
        for member in source.members:
            records = Records(member)
            for record in records:
                form = _form(record)
                if form is None:
                    raise UnreadableFile(
                        f"What begins on {records.where()} is not a data row of Labelbox; if the exports of two tools were "
                        "put together, read them one by one."
                    )
                forms.add(form)
                rows.add(record) if form == "v2" else rows.add_first(record)
        return rows.finish(f"Labelbox export {' and '.join(sorted(forms))}")


class _DataRows:
    """Takes data rows one by one; questions are kept apart by project until it is known that there is only one."""

    def __init__(self, gathering: Gathering) -> None:
        self.gathering = gathering
        self.projects: dict[str, str] = {}
        self.text: str | None = None
        self.exclusive = 0
        self.converted = 0
        self.elsewhere = 0

    def add(self, record: dict[str, Any]) -> None:
        g = self.gathering
        row = record["data_row"]
        item = as_text(row.get("id")) or as_text(row.get("global_key"))
        if item is None:
            g.leave_out("unreadable", detail="data row without id")
            return
        self._text(item, row.get("row_data"))
        for number, project in record["projects"].items():
            if not isinstance(project, dict):
                continue
            self.projects.setdefault(number, as_text(project.get("name")) or number)
            labels = project.get("labels")
            for label in _list(labels):
                if isinstance(label, dict):
                    self._label(item, number, label)

    def _text(self, item: str, data: object) -> None:
        self.text = (
            data if isinstance(data, str) and not data.startswith(("http://", "https://", "gs://", "s3://")) else None
        )
        if self.text is not None:
            self.gathering.text(item, self.text)

    def _label(self, item: str, project: str, label: dict[str, Any]) -> None:
        g = self.gathering
        about, done = label.get("label_details"), label.get("performance_details")
        about = about if isinstance(about, dict) else {}
        if isinstance(done, dict) and done.get("skipped") is True:
            g.leave_out("skipped")
            return
        who = as_text(about.get("created_by"))
        if not who:
            g.leave_out("unreadable", detail="label without created_by")
            return
        when = about.get("created_at")
        unit = g.unit(item, who, when if isinstance(when, str) else None, scope=project)
        found = label.get("annotations")
        found = found if isinstance(found, dict) else {}
        objects, classes = found.get("objects"), found.get("classifications")
        for entity in _list(objects):
            if isinstance(entity, dict):
                where = entity.get("location")
                kind = as_text(entity.get("annotation_kind")) or "object"
                self._entity(project, unit, entity.get("name"), where if kind == "TextEntity" else None, kind)
                inner = entity.get("classifications")
                if isinstance(inner, list) and inner:
                    g.leave_out("not-measured", len(inner), detail="answers per entity")
        for one in _list(classes):
            if isinstance(one, dict):
                self._classification(project, unit, one)
        relations = found.get("relationships")
        if isinstance(relations, list) and relations:
            g.leave_out("not-measured", len(relations), detail="relationships")

    def _entity(self, project: str, unit: int, name: object, where: object, kind: str) -> None:
        g = self.gathering
        question = f"{project}\0{_ENTITIES}"
        label = as_text(name)
        start, end = (where.get("start"), where.get("end")) if isinstance(where, dict) else (None, None)
        if label is None or type(start) is not int or type(end) is not int:
            g.leave_out("not-measured", detail=kind)
            return
        g.spans(question, scope=project)
        # The last character belongs to the entity: "research suggests" is 112 to 128.
        begin, stop = start, end + 1
        token = where.get("token") if isinstance(where, dict) else None
        if isinstance(token, str) and self.text is not None and self.text[begin:stop] != token:
            begin, stop = self._placed(start, end, token)
        g.span(question, unit, ((begin, stop),), label)

    def _placed(self, start: int, end: int, token: str) -> tuple[int, int]:
        text = self.text or ""
        if text[start:end] == token:
            self.exclusive += 1
            return start, end
        units = {unit: point for point, unit in enumerate(utf16_offsets(text))}
        if start in units and end + 1 in units and text[units[start] : units[end + 1]] == token:
            self.converted += 1
            return units[start], units[end + 1]
        self.elsewhere += 1
        return start, end + 1

    def _classification(self, project: str, unit: int, one: dict[str, Any]) -> None:
        g = self.gathering
        name = as_text(one.get("name")) or as_text(one.get("title")) or as_text(one.get("value"))
        if name is None:
            g.leave_out("unreadable", detail="classification without a name")
            return
        question = f"{project}\0{name}"
        radio, checks = one.get("radio_answer"), one.get("checklist_answers")
        if isinstance(radio, dict):
            label = _name(radio)
            if label is not None:
                g.question(question, scope=project)
                g.answer(question, unit, label)
            for inner in _list(radio.get("classifications")):
                if isinstance(inner, dict):
                    self._classification(project, unit, inner)
        elif isinstance(checks, list):
            labels = tuple(n for n in (_name(a) for a in checks if isinstance(a, dict)) if n is not None)
            inner = sum(len(_list(a.get("classifications"))) for a in checks if isinstance(a, dict))
            if inner:
                g.leave_out("not-measured", inner, detail=f"{name}: answers about one of several choices")
            g.question(question, "set", scope=project)
            if labels or g.options.empty == "nothing":
                g.answer(question, unit, labels)
        elif "text_answer" in one:
            g.leave_out("free-text", detail=name)
        else:
            g.leave_out("not-measured", detail=name)

    def add_first(self, record: dict[str, Any]) -> None:
        """Take a record of the export v1: one label of one person."""
        g = self.gathering
        item = next((t for t in (as_text(record.get(k)) for k in ("DataRow ID", "External ID", "ID")) if t), None)
        who = as_text(record.get("Created By"))
        if record.get("Skipped") is True or record.get("Label") == "Skip":
            g.leave_out("skipped")
            return
        if item is None or not who:
            g.leave_out("unreadable", detail="no DataRow ID or Created By")
            return
        project = as_text(record.get("Project Name")) or ""
        self.projects.setdefault(project, project)
        self._text(item, record.get("Labeled Data"))
        when = record.get("Created At")
        unit = g.unit(item, who, when if isinstance(when, str) else None, scope=project)
        label = record.get("Label")
        label = label if isinstance(label, dict) else {}
        for entity in _list(label.get("objects")):
            if isinstance(entity, dict):
                data = entity.get("data")
                where = data.get("location") if isinstance(data, dict) else entity.get("location")
                self._entity(project, unit, entity.get("title", entity.get("name")), where, "object")
        for one in _list(label.get("classifications")):
            if isinstance(one, dict):
                self._first_classification(project, unit, one)

    def _first_classification(self, project: str, unit: int, one: dict[str, Any]) -> None:
        changed = dict(one)
        if isinstance(one.get("answer"), dict):
            changed["radio_answer"] = one["answer"]
        elif isinstance(one.get("answers"), list):
            changed["checklist_answers"] = one["answers"]
        elif "answer" in one:
            changed["text_answer"] = {}
        changed["name"] = one.get("title", one.get("name"))
        self._classification(project, unit, changed)

    def finish(self, format: str) -> Export:
        g = self.gathering
        several = len({q.partition("\0")[0] for q in g.questions}) > 1
        renamed = {}
        for key, question in g.questions.items():
            project, _, name = key.partition("\0")
            question.name = f"{self.projects.get(project, project)}: {name}" if several else name
            renamed[question.name if question.name not in renamed else key] = question
        g.questions = renamed
        for name, question in g.questions.items():
            if hasattr(question, "parts"):
                g.all_seen(name)
        for count, what in (
            (self.exclusive, "end before their last character, as Labelbox's do not: they were read so"),
            (self.converted, "had offsets in UTF-16 units; they were converted by the text they quote"),
            (
                self.elsewhere,
                "quote a text that does not lie at their offsets; they are kept where the export puts them",
            ),
        ):
            if count:
                g.note(f"{count:,} entities {what}.")
        return g.export(format)


def _name(answer: dict[str, Any]) -> str | None:
    return next((t for t in (as_text(answer.get(k)) for k in ("name", "title", "value")) if t), None)


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
