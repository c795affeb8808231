"""Amazon Mechanical Turk: the results of a batch as CSV; Turkle writes the same."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

from assent.errors import AssentError, UnreadableFile
from assent.readers.exports._columns import looks_like_choices, split_choices
from assent.readers.exports.delimited_rows import Rows
from assent.readers.exports.gathering import Gathering, looks_like_free_text
from assent.readers.exports.json_records import loads
from assent.readers.exports.model import Export
from assent.readers.exports.options import ReadOptions
from assent.readers.exports.registry import reader
from assent.readers.exports.sources import Source
from assent.readers.exports.texts import as_number, as_text
from assent.text import shown

__all__ = ["MTurk", "crowd_answer"]

_NEEDED = ("HITId", "AssignmentId", "WorkerId")
_BUTTON = re.compile(r"(?:^|[^a-z])(?:submit|button|submitbutton)(?:$|[^a-z])", re.IGNORECASE)
_TASK = "taskAnswers"
#: What stands behind the name of a crowd element in a column.
_PARTS = ("label", "labels", "entities")
_TRUTH = {"true": True, "false": False}


@reader(name="mturk", title="MTurk", rank=300)
class MTurk:
    """One row an assignment: a worker's answers to one HIT, which may hold several items."""

    @staticmethod
    def recognises(source: Source) -> bool:
        """Return whether the tables have the ids of HITs, assignments and workers, and answers."""
        return bool(source.members) and all(
            m.peek.shape == "table"
            and all(name in m.peek.header for name in _NEEDED)
            and any(name.startswith("Answer.") for name in m.peek.header)
            for m in source.members[:5]
        )

    @staticmethod
    def read(source: Source, options: ReadOptions) -> Export:
        """Return one question for each field of the form."""
        found = _Assignments(Gathering(options))
        for member in source.members:
            rows = Rows(member)
            missing = [name for name in _NEEDED if name not in rows.header]
            if missing:
                raise UnreadableFile(f"{member.title} has no column {missing[0]}; it is not a batch result of MTurk.")
            if options.item is not None and options.item not in rows.header:
                raise UnreadableFile(f"{member.title} has no column {shown(options.item)}; name another with `item`.")
            found.begin(rows.header)
            for row in rows:
                found.add(row)
        return found.finish()


class _Assignments:
    """Takes assignments one by one."""

    def __init__(self, gathering: Gathering) -> None:
        self.gathering = gathering
        self.values: dict[str, list[tuple[int, Any]]] = {}
        self.fields: list[tuple[int, str, str | None]] = []
        self.at: dict[str, int] = {}
        self.numbers: tuple[str, ...] = ()
        self.inputs: frozenset[str] = frozenset()
        self.several = self.whole = False
        self.asked: dict[str, str] = {}
        self.texts: dict[str | None, int | None] = {}

    def begin(self, header: list[str]) -> None:
        """Take the columns of another file."""
        self.at = {name: n for n, name in enumerate(header)}
        inputs = [name.removeprefix("Input.") for name in header if name.startswith("Input.")]
        answers = [(n, name.removeprefix("Answer.")) for n, name in enumerate(header) if name.startswith("Answer.")]
        # Several items in a HIT: Input.text_1 … Input.text_5 with Answer.label_1 … Answer.label_5.
        of_inputs = {m.group(1) for m in (re.search(r"[_.-]?(\d+)$", name) for name in inputs) if m}
        of_answers = {m.group(1) for m in (re.search(r"[_.-]?(\d+)(?:\.|$)", name) for _, name in answers) if m}
        several = of_inputs & of_answers
        self.numbers = tuple(sorted(several, key=int)) if len(several) > 1 else ()
        self.inputs = frozenset(of_inputs)
        self.several = bool(self.numbers) or (len(of_inputs) > 1 and any(name == _TASK for _, name in answers))
        self.fields = []
        for n, name in answers:
            match = re.search(r"[_.-]?(\d+)(?=\.|$)", name)
            if match and match.group(1) in self.numbers:
                self.fields.append((n, name[: match.start()] + name[match.end() :], match.group(1)))
            else:
                self.fields.append((n, name, None))
        self.whole = not self.numbers and any(name != _TASK for _, name, _ in self.fields)
        self.texts = {number: _text_column(header, number) for number in (None, *of_inputs)}

    def _cell(self, row: list[str], name: str) -> str:
        at = self.at.get(name)
        return row[at] if at is not None else ""

    def add(self, row: list[str]) -> None:
        g = self.gathering
        hit, worker = self._cell(row, "HITId"), self._cell(row, "WorkerId")
        if not hit or not worker:
            if any(row):
                g.leave_out("unreadable", detail="without HITId or WorkerId")
            return
        if self._cell(row, "AssignmentStatus").strip().lower() == "rejected" and not g.options.keep_rejected:
            g.leave_out("rejected", detail="AssignmentStatus")
            return
        of = self._cell(row, g.options.item) if g.options.item is not None else hit
        if not of:
            g.leave_out("unreadable", detail=f"without {g.options.item}")
            return
        units: dict[str | None, int] = {}

        def unit(number: str | None) -> int:
            if number not in units:
                item = of if number is None else f"{of}-{number}"
                units[number] = g.unit(item, worker, None, scope=self._scope(number) if self.several else "")
                at = self.texts.get(number)
                if at is not None and item not in g.lengths:
                    g.text(item, row[at].replace("&#44;", ",").replace("&#34;", '"'))
            return units[number]

        if self.whole:
            unit(None)
        boxes: dict[tuple[str, str | None], dict[str, bool]] = defaultdict(dict)
        for at, name, number in self.fields:
            cell = row[at]
            if name == _TASK:
                self._task(cell, unit)
                continue
            option = ""
            if "." in name:
                truth = _TRUTH.get(cell.lower())
                head, _, option = name.rpartition(".")
                if truth is not None:
                    boxes[head, number][option] = truth
                    continue
                if option in _PARTS:
                    name = head
            pairs = self._pairs(name, number) if self.several else self.values.setdefault(name, [])
            if cell and cell != "{}":
                pairs.append((unit(number), _part(option, cell) if option in _PARTS and cell[0] == "[" else cell))
            else:
                unit(number)
        for (name, number), chosen in boxes.items():
            self._pairs(name, number).append((unit(number), tuple(o for o, ticked in chosen.items() if ticked)))

    def _scope(self, number: str | None) -> str:
        return "HIT" if number is None else "item"

    def _pairs(self, name: str, number: str | None) -> list[tuple[int, Any]]:
        """Return the answers to a question that is asked of a HIT, or of each of its items."""
        if self.several:
            self.asked[name] = self._scope(number)
        return self.values.setdefault(name, [])

    def _task(self, cell: str, unit: Any) -> None:
        """Take the answers that are JSON in one cell."""
        try:
            found = loads(cell, "taskAnswers") if cell else []
        except AssentError:
            self.gathering.leave_out("unreadable", detail=_TASK)
            return
        fields = [
            pair
            for one in (found if isinstance(found, list) else [found])
            if isinstance(one, dict)
            for pair in one.items()
        ]
        ends = {name: match for name, _ in fields if (match := re.search(r"[_.-]?(\d+)$", name))}
        # As in columns: q_1 … q_5 of Input.text_1 … Input.text_5.
        numbers = self.inputs.intersection(match.group(1) for match in ends.values())
        if not fields:
            unit(None)
        for name, value in fields:
            match = ends.get(name)
            if match and len(numbers) > 1 and match.group(1) in numbers:
                number, question = match.group(1), name[: match.start()]
            else:
                number, question = None, name
            self._pairs(question, number).append((unit(number), value))

    def finish(self) -> Export:
        g = self.gathering
        free: list[str] = []
        constant: list[str] = []
        for name, pairs in self.values.items():
            texts = [v for _, v in pairs if isinstance(v, str)]
            if _BUTTON.search(name) and len(set(texts)) <= 1:
                constant.append(name)
            elif texts and looks_like_free_text(name, texts):
                free.append(name)
            else:
                self._question(name, pairs, texts)
        if free:
            g.note(f"{', '.join(free)}: looks like free text, which is not compared.")
        if constant:
            g.note(f"{', '.join(constant)}: constant, as a button is; not compared.")
        g.note("Worker ids are personal data: a report should not show them unless asked.")
        return g.export("MTurk batch results")

    def _question(self, name: str, pairs: list[tuple[int, Any]], texts: list[str]) -> None:
        of_spans = any(isinstance(value, dict) and "entities" in value for _, value in pairs)
        begin = self.gathering.spans if of_spans else self.gathering.question
        begin(name, scope=self.asked.get(name, ""))
        # Check boxes of one name arrive as one text, joined with |.
        joined = looks_like_choices(texts, "|")
        for unit, value in pairs:
            if isinstance(value, str):
                if value:
                    self.gathering.answer(name, unit, split_choices(value, "|") if joined else value)
            else:
                crowd_answer(self.gathering, name, unit, value)


def _part(option: str, cell: str) -> Any:
    """Return what a crowd element answers in a column of its own, such as the entities in ``Answer.names.entities``."""
    try:
        return {option: loads(cell, "a cell")}
    except AssentError:
        return cell


def _text_column(header: list[str], number: str | None) -> int | None:
    """Return where the text of a HIT stands, or of one of its items: in a column that is called so, else in the first input."""
    end = "" if number is None else rf"[_.-]?{number}"
    for pattern in (rf"Input\.(?:text|sentence|document|content){end}", rf"Input\..*{end}"):
        found = next((n for n, name in enumerate(header) if re.fullmatch(pattern, name)), None)
        if found is not None:
            return found
    return None


def crowd_answer(g: Gathering, name: str, unit: int, value: Any) -> None:
    """Add what a crowd element of Amazon's forms answers: a label, labels, boxes, entities, a number or a text."""
    if isinstance(value, tuple):
        if value:
            g.answer(name, unit, value)
        return
    if isinstance(value, dict):
        if "label" in value or "labels" in value:
            label = value.get("label", value.get("labels"))
            if isinstance(label, list):
                texts = tuple(t for t in map(as_text, label) if t)
                if texts:
                    g.answer(name, unit, texts)
            elif as_text(label):
                g.answer(name, unit, (as_text(label),))
        elif isinstance(value.get("entities"), list):
            g.seen(name, unit)
            for span in value["entities"]:
                start, end = (
                    (span.get("startOffset"), span.get("endOffset")) if isinstance(span, dict) else (None, None)
                )
                if type(start) is int and type(end) is int:
                    g.span(name, unit, ((start, end),), as_text(span.get("label")) or "")
                else:
                    g.leave_out("unreadable", detail="entity")
        elif value and all(type(v) is bool for v in value.values()):
            chosen = tuple(option for option, ticked in value.items() if ticked)
            if chosen:
                g.answer(name, unit, chosen)
        elif value:
            g.leave_out("not-measured", detail=name)
        return
    number = as_number(value)
    if number is not None:
        g.answer(name, unit, number)
        return
    text = as_text(value)
    if text:
        g.answer(name, unit, text)
    elif value:
        g.leave_out("not-measured", detail=name)
