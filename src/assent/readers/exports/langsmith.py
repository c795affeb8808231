"""LangSmith: feedback on runs as JSON or JSON lines, as its API and its Python client return it.

Field names are those of its documentation; no file of a real project was at hand.
"""

from __future__ import annotations

from typing import Any

from assent.errors import UnreadableFile
from assent.readers.exports.gathering import Gathering
from assent.readers.exports.json_records import Records
from assent.readers.exports.model import Export
from assent.readers.exports.options import ReadOptions
from assent.readers.exports.registry import reader
from assent.readers.exports.sources import Source
from assent.readers.exports.texts import as_number, as_text

__all__ = ["LangSmith"]

_NEEDED = ("run_id", "key", "score", "value", "feedback_source")
#: Kinds of sources that are programs; people give feedback in the app or through the API.
_PROGRAMS = ("model", "auto_eval")


def _fits(record: object) -> bool:
    return isinstance(record, dict) and all(name in record for name in _NEEDED)


@reader(name="langsmith", title="LangSmith", rank=287)
class LangSmith:
    """One piece of feedback a record: the key is the question, the run the item."""

    @staticmethod
    def recognises(source: Source) -> bool:
        """Return whether the first records are feedback on runs."""
        return bool(source.members) and all(
            m.peek.objects and all(map(_fits, m.peek.objects)) for m in source.members[:5]
        )

    @staticmethod
    def read(source: Source, options: ReadOptions) -> Export:
        """Return a question for each key."""
        g = Gathering(options)
        texts: dict[str, bool] = {}
        for member in source.members:
            records = Records(member)
            for record in records:
                if not _fits(record):
                    raise UnreadableFile(
                        f"What begins on {records.where()} is not feedback of LangSmith; if the exports of two tools were put "
                        "together, read them one by one."
                    )
                _feedback(g, record, texts)
        for name, any_text in texts.items():
            if not any_text:
                g.question(name, "number")
        if g.models:
            g.note(
                "Feedback of evaluators does not say which one gave it: those of one kind (model, auto_eval) are one annotator, a model."
            )
        return g.export("LangSmith feedback", asked_of_all=False)


def _feedback(g: Gathering, record: dict[str, Any], texts: dict[str, bool]) -> None:
    item, name = as_text(record["run_id"]), as_text(record["key"])
    if not item or not name:
        g.leave_out("unreadable", detail="feedback without a run or a key")
        return
    about = record["feedback_source"] if isinstance(record["feedback_source"], dict) else {}
    kind = as_text(about.get("type")) or "unknown"
    program = kind in _PROGRAMS
    annotator = kind if program else as_text(about.get("user_id")) or kind
    # What was chosen stands in the value; the score beside it is its number.
    told = record["value"] if as_text(record["value"]) else record["score"]
    number = as_number(told)
    text = number if number is not None else as_text(told)
    if not text:
        g.leave_out("not-measured" if record["value"] else "no-answer", detail=name)
        return
    if program:
        g.models.add(annotator)
    texts[name] = texts.get(name, False) or number is None
    g.question(name, scope=name)
    g.answer(name, g.unit(item, annotator, as_text(record.get("modified_at")), scope=name), text)
