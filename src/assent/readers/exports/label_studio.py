"""Label Studio: JSON (plain exports, snapshots, storage files), JSON_MIN, CSV and TSV."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from assent.errors import UnreadableFile
from assent.readers.exports._label_studio_tables import read_minimal
from assent.readers.exports._label_studio_values import Regions, answer
from assent.readers.exports.first_look import Peek
from assent.readers.exports.gathering import Gathering, is_later
from assent.readers.exports.json_records import Records
from assent.readers.exports.model import Export
from assent.readers.exports.options import ReadOptions
from assent.readers.exports.registry import reader
from assent.readers.exports.sources import Member, Source
from assent.readers.exports.texts import as_text

__all__ = ["LabelStudio"]

_FIXED = ("annotator", "annotation_id", "created_at", "updated_at", "lead_time")


def _is_task(record: object) -> bool:
    if not isinstance(record, dict) or not isinstance(record.get("data"), dict):
        return False
    done = record.get("annotations", record.get("completions"))
    if not isinstance(done, list):
        return False
    # COCO and others have annotations, too, but no results in them.
    return all(isinstance(a, dict) and ("result" in a or "was_cancelled" in a or "skipped" in a) for a in done[:3])


def _is_stored(record: object) -> bool:
    return (
        isinstance(record, dict)
        and isinstance(record.get("result"), list)
        and isinstance(record.get("task"), dict)
        and isinstance(record["task"].get("data"), dict)
        and "completed_by" in record
    )


def _form(peek: Peek) -> str | None:
    """Return which of the tool's forms a member has."""
    if peek.shape == "table":
        return "table" if all(name in peek.header for name in _FIXED) else None
    for record in peek.objects:
        if _is_task(record):
            return "tasks"
        if _is_stored(record):
            return "stored"
        if all(name in record for name in _FIXED):
            return "minimal"
    return None


@reader(name="label-studio", title="Label Studio", rank=200)
class LabelStudio:
    """Tasks with the annotations of several people in each."""

    @staticmethod
    def recognises(source: Source) -> bool:
        """Return whether the first members hold tasks, stored annotations or the rows of JSON_MIN."""
        members = [m for m in source.members[:5] if m.peek.shape not in ("empty", "bytes")]
        return bool(members) and all(_form(m.peek) for m in members)

    @staticmethod
    def read(source: Source, options: ReadOptions) -> Export:
        """Return the questions, one for each control of the labelling interface."""
        members = [m for m in source.members if m.peek.shape not in ("empty", "bytes")]
        forms = {_form(m.peek) for m in members}
        if forms <= {"minimal", "table"} and forms:
            return read_minimal(members, options)
        if None in forms or not forms <= {"tasks", "stored"}:
            wrong = next((m for m in members if _form(m.peek) not in ("tasks", "stored")), None)
            named = wrong.title if wrong else source.title
            raise UnreadableFile(f"{named} is not a JSON export of Label Studio as the others are; read it by itself.")
        gathering = Gathering(options)
        tasks = _Tasks(gathering, several=len(members) > 1 or "stored" in forms)
        for member in members:
            for record, where in _records(member):
                tasks.add(record, where)
        return tasks.finish("Label Studio storage" if forms == {"stored"} else "Label Studio JSON")


def _records(member: Member) -> Iterator[tuple[dict[str, Any], Records]]:
    records = Records(member)
    for record in records:
        if _is_task(record):
            yield record, records
        elif _is_stored(record):
            task = record["task"]
            yield {"id": task.get("id"), "data": task["data"], "annotations": [record]}, records
        else:
            raise UnreadableFile(
                f"What begins on {records.where()} is not a task of Label Studio; if the exports of two tools were put "
                "together, read them one by one."
            )


class _Tasks:
    """Takes tasks one by one."""

    def __init__(self, gathering: Gathering, *, several: bool) -> None:
        self.gathering = gathering
        self.several = several
        self.regions = Regions(gathering)
        #: The task of each annotation, by number; and those that have their number in common with one of another task.
        self.known: dict[int | str, str | None] = {}
        self.shared: set[tuple[str | None, int | str]] = set()
        #: When each annotation was changed, and its unit unless it was skipped, where several files may repeat it.
        self.states: dict[tuple[str | None, int | str], tuple[str, int | None]] = {}
        self.repeated = 0
        self.cancelled = 0
        self.listed = 0
        self.nameless = 0
        self.number = 0
        self.empty: list[int] = []

    def add(self, task: dict[str, Any], where: Records) -> None:
        g = self.gathering
        self.number += 1
        named = as_text(task.get("id"))
        item = named or str(self.number)
        data = task["data"]
        self.regions.begin(item, data)
        done: list[Any] = task["annotations"] if "annotations" in task else task["completions"]
        for annotation in done:
            if type(annotation) is not dict:
                g.leave_out("unreadable", detail="not an annotation")
                continue
            self._annotation(item, annotation, named)
        drafts = task.get("drafts")
        if drafts:
            g.leave_out("draft", len(drafts) if isinstance(drafts, list | dict) else 1)
        predictions = task.get("predictions")
        if predictions and isinstance(predictions, list):
            for prediction in predictions:
                self._prediction(item, prediction)

    def _annotation(self, item: str, annotation: dict[str, Any], task: str | None) -> None:
        g = self.gathering
        skipped = annotation.get("was_cancelled") is True or annotation.get("skipped") is True
        annotator = None if skipped else self._who(annotation.get("completed_by"))
        if annotator is None and not skipped:
            self.nameless += 1
            return
        number = annotation.get("id")
        key = (task, number) if type(number) is int or type(number) is str else None
        if key is not None and not self._is_new(key, annotation, skipped=skipped):
            return
        unit = None
        if annotator is None:
            g.leave_out("skipped", detail="was_cancelled")
        else:
            when = annotation.get("created_at")
            unit = g.unit(item, annotator, when if isinstance(when, str | int | float) else None)
            if annotation.get("ground_truth") is True:
                g.right.add(unit)
            result = annotation.get("result")
            if type(result) is list and result:
                self._results(result, unit)
            else:
                self.empty.append(unit)
        if key is not None and self.several:
            self.states[key] = as_text(annotation.get("updated_at")) or "", unit

    def _is_new(self, key: tuple[str | None, int | str], annotation: dict[str, Any], *, skipped: bool) -> bool:
        """Return whether an annotation was not met before, or is a later state of one, which then counts no longer."""
        task, number = key
        # Storage files repeat a task, with all its annotations, at every change.
        if number not in self.known:
            self.known[number] = task
            return True
        if self.known[number] != task and key not in self.shared:
            self.shared.add(key)
            return True
        self.repeated += 1
        before, unit = self.states.get(key, ("", None))
        if not before or not is_later(as_text(annotation.get("updated_at")) or "", before):
            return False
        if unit is None:
            self.gathering.leave_out("skipped", -1, detail="was_cancelled")
        else:
            self.gathering.withdraw(unit)
            self.cancelled += skipped
        return True

    def _results(self, result: list[Any], unit: int) -> None:
        regions = self.regions
        with_regions = len(result) > 1 and regions.ids_of(result)
        for found in result:
            if type(found) is not dict:
                continue
            answer(self.gathering, regions, found, unit, with_regions)

    def _who(self, by: object) -> str | None:
        if type(by) is int:
            return str(by)
        if isinstance(by, dict):
            who = as_text(by.get("id")) or as_text(by.get("email"))
            if who:
                parts = (as_text(by.get(k)) for k in ("first_name", "last_name", "email"))
                name = " ".join(p for p in parts if p)
                if name and name != who:
                    self.gathering.names.setdefault(who, name)
            return who
        return as_text(by) or None

    def _prediction(self, item: str, prediction: object) -> None:
        g = self.gathering
        if not isinstance(prediction, dict):
            self.listed += 1
            return
        model = as_text(prediction.get("model_version")) or "model"
        result = prediction.get("result")
        if not g.options.with_models or not isinstance(result, list):
            g.leave_out("model", detail="predictions")
            return
        g.models.add(model)
        self._results(result, g.unit(item, model, scope="predictions"))

    def finish(self, format: str) -> Export:
        g = self.gathering
        if self.listed:
            g.leave_out("model", self.listed, detail="predictions listed by id only")
            g.note(
                f"{self.listed:,} predictions are listed by id only, so that no model can be read; export a snapshot "
                "with predictions included."
            )
        if self.repeated:
            g.leave_out("duplicate", self.repeated, detail="the same annotation in several files")
        if self.nameless:
            g.leave_out("unreadable", self.nameless, detail="completed_by is missing")
        if self.cancelled:
            were = "annotation was" if self.cancelled == 1 else "annotations were"
            g.note(
                f"{self.cancelled:,} {were} skipped in a later file: what an earlier one holds of it does not count."
            )
        empty = len(set(self.empty) - g.superseded)
        if empty:
            were = "annotation holds" if empty == 1 else "annotations hold"
            g.note(f"{empty:,} submitted {were} no answer at all.")
        if again := len(g.superseded - g.withdrawn):
            rule = "earlier" if g.options.duplicates == "first" else "later"
            g.note(
                f"{again:,} annotation{' was' if again == 1 else 's were'} of a task that the same "
                f"annotator annotated again: the {rule} one counts (`duplicates` first or last)."
            )
        right = len(g.right - g.superseded)
        if right:
            g.note(
                f"{right:,} {'annotation is' if right == 1 else 'annotations are'} marked as ground truth: offered as gold, and "
                f"{'its annotator' if right == 1 else 'their annotators'} counted like the others."
            )
        self.regions.finish()
        return replace(g.export(format), text_field=self.regions.text_field)
