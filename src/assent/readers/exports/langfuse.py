"""Langfuse: its scores as CSV, JSON or JSON lines, from the page, the API or the scheduled export.

Field names are those of its documentation; no file of a real project was at hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assent.errors import UnreadableFile
from assent.readers.exports.delimited_rows import Rows
from assent.readers.exports.gathering import Gathering
from assent.readers.exports.json_records import Records
from assent.readers.exports.model import Export
from assent.readers.exports.options import ReadOptions
from assent.readers.exports.registry import reader
from assent.readers.exports.sources import Member, Source
from assent.readers.exports.texts import as_number, as_text

__all__ = ["Langfuse"]

#: What a field is called by the page and the API, and in scheduled exports.
_FIELDS = {
    "trace": ("traceId", "trace_id"),
    "observation": ("observationId", "observation_id"),
    "text": ("stringValue", "string_value"),
    "type": ("dataType", "data_type"),
    "author": ("authorUserId", "author_user_id"),
}
_NEEDED = ("trace", "text", "type")


def _fits(keys: Mapping[str, Any] | tuple[str, ...]) -> bool:
    return all(name in keys for name in ("name", "value", "source")) and all(
        any(name in keys for name in _FIELDS[field]) for field in _NEEDED
    )


def _records(member: Member) -> Iterator[dict[str, Any]]:
    if member.peek.shape == "table":
        rows = Rows(member)
        for row in rows:
            yield dict(zip(rows.header, row, strict=True))
        return
    for record in Records(member):
        # The API puts the scores of a page into one object.
        held = record.get("data") if isinstance(record, dict) and not _fits(record) else [record]
        for one in held if isinstance(held, list) else [held]:
            if not isinstance(one, dict) or not _fits(one):
                raise UnreadableFile(f"{member.title} holds something else than scores of Langfuse; leave it out.")
            yield one


@reader(name="langfuse", title="Langfuse", rank=285)
class Langfuse:
    """One score a row: the name is the question, the trace the item."""

    @staticmethod
    def recognises(source: Source) -> bool:
        """Return whether the columns, or the keys of the first records, are those of scores."""

        def fits(member: Member) -> bool:
            peek = member.peek
            if peek.shape == "table":
                return _fits(peek.header)
            page = peek.first.get("data")
            first = page[0] if isinstance(page, list) and page and isinstance(page[0], dict) else peek.first
            return _fits(first)

        return bool(source.members) and all(map(fits, source.members[:5]))

    @staticmethod
    def read(source: Source, options: ReadOptions) -> Export:
        """Return a question for each name of a score."""
        g = Gathering(options)
        numbers: set[str] = set()
        for member in source.members:
            for record in _records(member):
                found = {
                    field: next((record[n] for n in names if n in record), None) for field, names in _FIELDS.items()
                }
                trace, name = as_text(found["trace"]), as_text(record["name"])
                if not trace or not name:
                    g.leave_out("no-item", detail="score without a trace")
                    continue
                item = " / ".join(one for one in (trace, as_text(found["observation"])) if one)
                origin = as_text(record["source"]) or "unknown"
                annotator = as_text(found["author"]) or origin
                if origin == "EVAL":
                    annotator = origin
                    g.models.add(annotator)
                text = as_text(found["text"])
                number = as_number(record["value"]) or as_text(record["value"])
                value = text or number
                if not value:
                    g.leave_out("no-answer", detail=name)
                    continue
                if found["type"] == "NUMERIC":
                    numbers.add(name)
                unit = g.unit(item, annotator, as_text(record.get("timestamp")), scope=name)
                g.question(name, scope=name)
                g.answer(name, unit, value)
        for name in numbers:
            g.question(name, "number")
        if "EVAL" in g.models:
            g.note(
                "Scores of evaluators do not say which one gave them: they are one annotator, EVAL, which is a model."
            )
        return g.export("Langfuse scores", asked_of_all=False)
