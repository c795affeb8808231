"""SageMaker Ground Truth: the output folder of a labelling job, and manifests of custom jobs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from assent.errors import AssentError, UnreadableFile
from assent.readers.exports.gathering import Gathering, looks_like_free_text
from assent.readers.exports.json_records import Records, load, loads
from assent.readers.exports.model import Export
from assent.readers.exports.mturk import crowd_answer
from assent.readers.exports.options import ReadOptions
from assent.readers.exports.registry import reader
from assent.readers.exports.sources import Member, Source
from assent.readers.exports.texts import as_text

__all__ = ["SageMaker"]

_RESPONSE = re.compile(r"(?:^|/)worker-response/iteration-(\d+)/([^/]+)/[^/]+\.json$")
_MANIFEST = re.compile(r"(?:^|/)output\.manifest$")
_ALL = "annotationsFromAllWorkers"


def _is_response(record: object) -> bool:
    if not isinstance(record, dict) or not isinstance(record.get("answers"), list):
        return False
    return all(isinstance(a, dict) and "answerContent" in a and "workerId" in a for a in record["answers"])


def _is_line(record: object) -> bool:
    if not isinstance(record, dict):
        return False
    return any(
        isinstance(v, dict)
        and k.endswith("-metadata")
        and isinstance(v.get("type"), str)
        and v["type"].startswith("groundtruth/")
        for k, v in record.items()
    ) or bool(list(_everybody(record)))


def _everybody(record: dict[str, Any]) -> Iterator[list[Any]]:
    """Yield the lists of all workers' answers in a line of a custom job's manifest."""
    for found in (record, *(v for v in record.values() if isinstance(v, dict))):
        if isinstance(found.get(_ALL), list):
            yield found[_ALL]


@reader(name="sagemaker", title="SageMaker Ground Truth", rank=40)
class SageMaker:
    """One file for each object, with the answers of several workers."""

    @staticmethod
    def recognises(source: Source) -> bool:
        """Return whether there are worker responses, or lines of a manifest."""
        if any(_RESPONSE.search(m.name) for m in source.members):
            return True
        members = [m for m in source.members[:3] if m.peek.shape not in ("empty", "bytes")]
        return bool(members) and all(
            m.peek.objects and (_is_response(m.peek.objects[0]) or _is_line(m.peek.objects[0])) for m in members
        )

    @staticmethod
    def read(source: Source, options: ReadOptions) -> Export:
        """Return one question for each crowd element."""
        job = _Job(Gathering(options))
        responses = [(m, match) for m in source.members if (match := _RESPONSE.search(m.name))]
        for member, match in responses:
            job.response(member, match.group(2))
        for member in source.members:
            if _RESPONSE.search(member.name):
                continue
            first = member.peek.first
            if _is_response(first):
                job.response(member, member.name.split("/")[-2] if "/" in member.name else member.stem)
            elif _MANIFEST.search(member.name) or _is_line(first):
                job.manifest(member)
        return job.finish(source.title)


class _Job:
    """Takes the files of a job one by one."""

    def __init__(self, gathering: Gathering) -> None:
        self.gathering = gathering
        self.consolidated: dict[str, str] = {}
        self.lines = 0

    def response(self, member: Member, item: str) -> None:
        record = load(member)
        if not _is_response(record):
            raise UnreadableFile(f"{member.title} does not hold the answers of workers; leave it out.")
        for answer in record["answers"]:
            self._answer(item, answer["workerId"], answer["answerContent"], answer.get("submissionTime"))

    def _answer(self, item: str, worker: object, content: object, when: object) -> None:
        g = self.gathering
        who = as_text(worker)
        if not who or not isinstance(content, dict):
            g.leave_out("unreadable", detail="answer without a worker or content")
            return
        unit = g.unit(item, who, when if isinstance(when, str) else None)
        for element, value in content.items():
            crowd_answer(g, element, unit, value)

    def manifest(self, member: Member) -> None:
        g = self.gathering
        for number, record in enumerate(Records(member)):
            if not isinstance(record, dict):
                raise UnreadableFile(f"Line {number + 1} of {member.title} is not an object; export it again.")
            everybody = list(_everybody(record))
            for answers in everybody:
                for answer in answers:
                    self._custom(str(number), answer)
            if everybody:
                continue
            self.lines += 1
            for key, about in record.items():
                if key.endswith("-metadata") and isinstance(about, dict):
                    name = as_text(about.get("class-name"))
                    if name is not None:
                        self.consolidated[str(number)] = name
            text = record.get("source")
            if isinstance(text, str):
                g.text(str(number), text)

    def _custom(self, item: str, answer: object) -> None:
        g = self.gathering
        if not isinstance(answer, dict):
            g.leave_out("unreadable", detail="answer")
            return
        data = answer.get("annotationData")
        content = data.get("content") if isinstance(data, dict) else None
        if isinstance(content, str):
            try:
                content = loads(content, "content")
            except AssentError:
                content = None
        self._answer(item, answer.get("workerId"), content, answer.get("submissionTime"))

    def finish(self, title: str) -> Export:
        g = self.gathering
        if not g.items:
            raise UnreadableFile(
                f"{title} holds consolidated labels, not the answers of workers; name the folder of the job, which holds "
                "annotations/worker-response."
            )
        for name, question in list(g.questions.items()):
            texts = [one for one in getattr(question, "value", ()) if isinstance(one, str)]
            if texts and looks_like_free_text(name, texts):
                del g.questions[name]
                g.leave_out("free-text", len(texts), detail=name)
        if self.lines:
            g.leave_out("gold", self.lines, detail="consolidated labels")
            g.note("output.manifest holds the consolidated labels and their confidence: no annotator.")
            names = [n for n, q in g.questions.items() if hasattr(q, "value")]
            if len(names) == 1:
                g.question(names[0]).gold.update(self.consolidated)
        g.note("Worker ids are personal data: a report should not show them unless asked.")
        return g.export("SageMaker Ground Truth")
