"""Logs of Inspect, the framework for evaluations: several scorers of one sample are its annotators.

A log is one JSON object, or an archive (``.eval``) of its head and a file for each sample; field and file names are those of its documentation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assent.errors import UnreadableFile
from assent.readers.exports.gathering import Gathering
from assent.readers.exports.json_records import Pairs, load
from assent.readers.exports.model import Export
from assent.readers.exports.options import ReadOptions
from assent.readers.exports.registry import reader
from assent.readers.exports.sources import Member, Source
from assent.readers.exports.texts import as_number, as_text

__all__ = ["InspectLogs"]


_HEAD, _SAMPLES = "header.json", "samples/"


def _is_head(member: Member) -> bool:
    first = member.peek.first
    return (
        member.peek.shape == "object"
        and {"version", "status", "eval"} <= first.keys()
        and isinstance(first["eval"], dict)
        and "task" in first["eval"]
    )


@reader(name="inspect", title="Inspect", rank=286)
class InspectLogs:
    """One log an evaluation: ``eval`` says of what, ``samples`` hold the scores."""

    @staticmethod
    def recognises(source: Source) -> bool:
        """Return whether each file begins with a version, a status and what was evaluated, or the head of an archive does."""
        heads = [m for m in source.members if m.name == _HEAD] or source.members[:5]
        return bool(heads) and all(map(_is_head, heads))

    @staticmethod
    def read(source: Source, options: ReadOptions) -> Export:
        """Return a question for each task: what each of its scorers says of a sample."""
        g = Gathering(options)
        for about, samples in _archive(source) if any(m.name == _HEAD for m in source) else map(_log, source.members):
            task, model = as_text(about.get("task")) or "scores", as_text(about.get("model")) or ""
            for sample in samples:
                _sample(g, task, model, sample)
        g.note("The scorers are the annotators; of several epochs each is an item of its own.")
        return g.export("Inspect log", asked_of_all=False)


def _log(member: Member) -> tuple[dict[str, Any], list[Any]]:
    """Return what was evaluated, and the samples, of a log in one file."""
    about: dict[str, Any] = {}
    samples: Any = None
    for key, value in Pairs(member):
        if key == "eval" and isinstance(value, dict):
            about = value
        elif key == "samples":
            samples = value
    if not isinstance(samples, list):
        raise UnreadableFile(
            f"{member.title} holds no samples: evaluate again with samples in the log, or convert it with `inspect log convert`."
        )
    return about, samples


def _archive(source: Source) -> Iterator[tuple[dict[str, Any], Iterator[Any]]]:
    """Yield what was evaluated, and the samples, of a log in an archive."""
    head = next(m for m in source if m.name == _HEAD).peek.first
    found = [m for m in source if m.name.startswith(_SAMPLES) and m.suffix == ".json"]
    if not found:
        raise UnreadableFile(f"{source.title} holds no samples: evaluate again with samples in the log.")
    yield head["eval"] if isinstance(head.get("eval"), dict) else {}, map(load, found)


def _sample(g: Gathering, task: str, model: str, sample: Any) -> None:
    scores = sample.get("scores") if isinstance(sample, dict) else None
    if not isinstance(scores, dict) or not scores:
        g.leave_out("no-answer", detail="sample without a score")
        return
    epoch = as_text(sample.get("epoch")) or "1"
    item = " / ".join(
        one for one in (model, as_text(sample.get("id")), "" if epoch == "1" else f"epoch {epoch}") if one
    )
    if isinstance(sample.get("input"), str):
        g.text(item, sample["input"])
    for scorer, score in scores.items():
        value = score.get("value") if isinstance(score, dict) else None
        parts = value if isinstance(value, dict) else {"": value}
        for part, one in parts.items():
            number = as_number(one)
            name = f"{task}: {part}" if part else f"{task} (numbers)" if number is not None else task
            text = number if number is not None else as_text(one)
            if text is None or text == "":
                g.leave_out("unreadable" if one not in (None, "") else "no-answer", detail=name)
                continue
            g.question(name, "number" if number is not None else None)
            g.answer(name, g.unit(item, scorer, scope=name), text)
