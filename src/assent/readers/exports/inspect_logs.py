"""Logs of Inspect, the framework for evaluations: several scorers of one sample are its annotators."""

from __future__ import annotations

from typing import Any

from assent.errors import UnreadableFile
from assent.readers.exports.gathering import Gathering
from assent.readers.exports.json_records import Pairs
from assent.readers.exports.model import Export
from assent.readers.exports.options import ReadOptions
from assent.readers.exports.registry import reader
from assent.readers.exports.sources import Source
from assent.readers.exports.texts import as_number, as_text

__all__ = ["InspectLogs"]


@reader(name="inspect", title="Inspect", rank=286)
class InspectLogs:
    """One JSON object an evaluation: ``eval`` says of what, ``samples`` hold the scores."""

    @staticmethod
    def recognises(source: Source) -> bool:
        """Return whether each file begins with a version, a status and what was evaluated."""
        return bool(source.members) and all(
            m.peek.shape == "object" and {"version", "status", "eval"} <= m.peek.first.keys()
            and isinstance(m.peek.first["eval"], dict) and "task" in m.peek.first["eval"]
            for m in source.members[:5]
        )  # fmt: skip

    @staticmethod
    def read(source: Source, options: ReadOptions) -> Export:
        """Return a question for each task: what each of its scorers says of a sample."""
        g = Gathering(options)
        for member in source.members:
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
            task, model = as_text(about.get("task")) or "scores", as_text(about.get("model")) or ""
            for sample in samples:
                _sample(g, task, model, sample)
        g.note("The scorers are the annotators; of several epochs each is an item of its own.")
        return g.export("Inspect log", asked_of_all=False)


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
