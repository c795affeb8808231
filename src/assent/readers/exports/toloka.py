"""Toloka: the assignments of a pool as TSV."""

from __future__ import annotations

from collections import Counter

from assent.errors import AssentError, UnreadableFile
from assent.readers.exports.delimited_rows import Rows
from assent.readers.exports.gathering import Gathering, looks_like_free_text
from assent.readers.exports.json_records import loads
from assent.readers.exports.model import Export
from assent.readers.exports.options import ReadOptions
from assent.readers.exports.registry import reader
from assent.readers.exports.sources import Source
from assent.readers.exports.texts import as_text
from assent.text import shown

__all__ = ["Toloka"]

_WORKER, _STATUS = "ASSIGNMENT:worker_id", "ASSIGNMENT:status"
_REASONS = {"REJECTED": "rejected", "SKIPPED": "skipped", "EXPIRED": "unfinished", "ACTIVE": "unfinished"}


@reader(name="toloka", title="Toloka", rank=310)
class Toloka:
    """One row a task of an assignment."""

    @staticmethod
    def recognises(source: Source) -> bool:
        """Return whether the tables have workers and outputs."""
        return bool(source.members) and all(
            _WORKER in m.peek.header and any(name.startswith("OUTPUT:") for name in m.peek.header)
            for m in source.members[:5]
        )

    @staticmethod
    def read(source: Source, options: ReadOptions) -> Export:
        """Return one question for each output field."""
        found = _Tasks(Gathering(options))
        for member in source.members:
            rows = Rows(member)
            found.begin(rows.header)
            for row in rows:
                found.add(row)
            found.end()
        return found.finish()


class _Tasks:
    """Takes rows one by one; of old files, those of an assignment wait for the row that names the worker."""

    def __init__(self, gathering: Gathering) -> None:
        self.gathering = gathering
        self.values: dict[str, list[tuple[int, str]]] = {}
        self.gold: dict[str, dict[str, str]] = {}
        self.waiting: list[list[str]] = []
        self.items: dict[tuple[str, ...], str] = {}
        self.at: dict[str, int] = {}
        self.inputs: list[int] = []
        self.outputs: list[tuple[int, str]] = []
        self.goldens: list[tuple[int, str]] = []

    def begin(self, header: list[str]) -> None:
        if _WORKER not in header or not any(name.startswith("OUTPUT:") for name in header):
            raise UnreadableFile(f"A table has no {_WORKER} or no OUTPUT column; it is not of Toloka's assignments.")
        item = self.gathering.options.item
        if item is not None and item not in header:
            raise UnreadableFile(f"A table has no column {shown(item)}; name another with `item`.")
        self.at = {name: n for n, name in enumerate(header)}
        self.inputs = [n for n, name in enumerate(header) if name.startswith("INPUT:")]
        self.outputs = [(n, name[7:]) for n, name in enumerate(header) if name.startswith("OUTPUT:")]
        for _, name in self.outputs:
            self.values.setdefault(name, [])
        self.goldens = [(n, name[7:]) for n, name in enumerate(header) if name.startswith("GOLDEN:")]

    def _cell(self, row: list[str], name: str) -> str:
        at = self.at.get(name)
        return row[at].strip() if at is not None else ""

    def add(self, row: list[str]) -> None:
        worker = row[self.at[_WORKER]]
        asked = row[self.outputs[0][0]] or any(row[n] for n in self.inputs) or any(row[n] for n, _ in self.outputs)
        if worker and asked:
            self._task(row, row)
        elif worker:
            for waiting in self.waiting:
                self._task(waiting, row)
            self.waiting = []
        elif asked:
            self.waiting.append(row)

    def end(self) -> None:
        if self.waiting:
            self.gathering.leave_out("unreadable", len(self.waiting), detail="no ASSIGNMENT:worker_id")
            self.waiting = []

    def _item(self, row: list[str]) -> str:
        at = self.at.get(self.gathering.options.item or "INPUT:id")
        if at is not None and row[at]:
            return row[at].strip()
        inputs = tuple(row[n] for n in self.inputs)
        if len(inputs) == 1 and inputs[0]:
            return inputs[0]
        task = self._cell(row, "ASSIGNMENT:task_id")
        return self.items.setdefault(inputs, task or str(len(self.items) + 1)) if any(inputs) else task

    def _task(self, row: list[str], about: list[str]) -> None:
        g = self.gathering
        status = self._cell(about, _STATUS).upper()
        reason = _REASONS.get(status)
        if reason and not (reason == "rejected" and g.options.keep_rejected):
            g.leave_out(reason, detail=f"{_STATUS} {status}")
            return
        item = self._item(row)
        if not item:
            g.leave_out("unreadable", detail="no INPUT")
            return
        when = self._cell(about, "ASSIGNMENT:submitted") or self._cell(about, "ASSIGNMENT:started") or None
        unit = g.unit(item, about[self.at[_WORKER]].strip(), when)
        if item not in g.lengths:
            g.text(item, self._cell(row, "INPUT:text"))
        for n, name in self.outputs:
            if row[n]:
                self.values[name].append((unit, row[n]))
        for n, name in self.goldens:
            if row[n]:
                self.gold.setdefault(name, {})[item] = row[n]

    def finish(self) -> Export:
        g = self.gathering
        free = []
        for name, pairs in self.values.items():
            if looks_like_free_text(name, [v for _, v in pairs]):
                free.append(name)
                continue
            if not pairs:
                continue
            if any(v.startswith("[") for _, v in pairs):
                # Nothing ticked is no answer, unless it is said to be one.
                told = [(u, _value(v)) for u, v in pairs]
                g.answers(name, [u for u, v in told if v != ()], [v for _, v in told if v != ()])
            else:
                g.answers(name, [u for u, _ in pairs], [v for _, v in pairs])
            for item, value in self.gold.get(name, {}).items():
                g.question(name).gold[item] = _value(value)
        controls = Counter(item for known in self.gold.values() for item in known)
        if controls:
            g.note(
                f"{len(controls):,} control task{' has' if len(controls) == 1 else 's have'} a known answer (GOLDEN), "
                "offered as gold; people's answers to them are kept."
            )
        if free:
            g.note(f"{', '.join(free)}: looks like free text, which is not compared.")
        g.note("Worker ids are personal data: a report should not show them unless asked.")
        return g.export("Toloka assignments")


def _value(text: str) -> object:
    if text.startswith("["):
        try:
            found = loads(text, "a cell")
        except AssentError:
            return text
        if isinstance(found, list):
            texts = tuple(t for t in map(as_text, found) if t is not None)
            if len(texts) == len(found):
                return texts
    return text
