"""JSON_MIN, CSV and TSV of Label Studio: one row an annotation, task data and answers side by side.

The file does not say which columns are answers. A value in the form of an answer is one (spans, ratings, several choices);
of the others, task data are the same for all annotators of a task.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain, islice
from operator import itemgetter, ne
from typing import Any

from msgspec import field

from assent.errors import AssentError, UnreadableFile
from assent.readers.exports._label_studio_values import Regions, add_value
from assent.readers.exports.delimited_rows import Rows
from assent.readers.exports.gathering import Gathering, Question, looks_like_free_text
from assent.readers.exports.json_records import Records, loads
from assent.readers.exports.model import Export
from assent.readers.exports.options import ReadOptions
from assent.readers.exports.sources import Member
from assent.readers.exports.texts import as_text
from assent.text import shown

__all__ = ["read_minimal"]

_FIXED = frozenset({"annotator", "annotation_id", "created_at", "updated_at", "lead_time", "id", "agreement"})
_LONG = 200
_CONTROLS = {"selected": "pairwise", "text": "textarea"}
_WRAPPED = ("rating", "number", "taxonomy", "selected", "ranker", "choices", "text")


class _Column(Question):
    """What stands under one key, in all rows; a unit is a row."""

    after_id: bool = False
    shaped: int = 0
    #: The text of each task, as long as all of its rows hold the same; the rows themselves hold nothing as yet.
    same: dict[str, str] | None = field(default_factory=dict)
    varies: bool = False

    def by_row(self, tasks: Sequence[str]) -> None:
        """Hold from now on what stands in each row."""
        if self.same is not None:
            kept = {task: text if len(text) <= _LONG else _Data(text) for task, text in self.same.items()}
            self.value = [kept[tasks[row]] for row in self.unit]
            self.same = None


class _Data:
    """A value that is no label, told apart only from others."""

    __slots__ = ("mark",)

    def __init__(self, value: object) -> None:
        self.mark = hash(repr(value))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Data) and other.mark == self.mark

    def __hash__(self) -> int:
        return self.mark


_ABSENT = object()
_BATCH = 500
"""So many rows are taken at once, column by column."""
_ADDED = _Data("added")
"""Stands for an answer that was added where it was found."""


def read_minimal(members: Sequence[Member], options: ReadOptions) -> Export:
    """Return the questions of rows that hold task data and answers."""
    g = Gathering(options)
    found = _Minimal(g)
    for member in members:
        found.tables = found.tables or member.peek.shape == "table"
        for some, after_id in _batches(member):
            found.add(some, after_id)
    columns, tasks = found.columns, g.items[:]
    if "text" in columns:
        g.keep(columns["text"].same or {})
    data = [key for key, column in columns.items() if not _measure(g, column, tasks)]
    g.questions = {k: g.questions[k] for k in dict.fromkeys([*columns, *g.questions]) if k in g.questions}
    if found.repeated:
        g.leave_out("duplicate", found.repeated, detail="the same annotation in several rows")
    if found.without:
        g.leave_out("no-answer", found.without, detail="task without annotations")
    if data:
        listed = ", ".join(shown(k) for k in data[:8]) + (", …" if len(data) > 8 else "")
        g.note(f"Taken for task data, not for answers: {listed}.")
    if found.tables:
        g.note("This form does not say which columns are answers; the JSON export does and should be preferred.")
    found.regions.finish()
    _lonely(g)
    return g.export("Label Studio CSV" if found.tables else "Label Studio JSON_MIN")


class _Minimal:
    """Takes rows in batches, column by column."""

    def __init__(self, gathering: Gathering) -> None:
        self.gathering = gathering
        self.regions = Regions(gathering)
        self.columns: dict[str, _Column] = {}
        self.tables = False
        self.known: set[object] = set()
        self.repeated = self.without = 0

    def add(self, columns: dict[str, list[Any]], after_id: Set[str]) -> None:
        """Take the columns of some rows, `_ABSENT` where a row has no such key; and which keys come after the id of the task."""
        g = self.gathering
        columns, annotators = self._of_annotators(columns)
        if not annotators:
            return
        first, many = len(g.items), len(annotators)
        items = _as_texts(columns.get("id") or [None] * many)
        named = [item or str(first + n + 1) for n, item in enumerate(items)] if not all(items) else items
        times = columns.get("created_at") or [None] * many
        if set(map(type, times)) != {str}:
            times = [w if isinstance(w, str | int | float) else None for w in times]
        units = g.rows(named, annotators, times)  # type: ignore[arg-type]
        data = {key: values for key, values in columns.items() if key not in _FIXED}
        for key, values in data.items():
            column = self.columns.get(key)
            if column is None:
                column = self.columns[key] = _Column(key, after_id=key in after_id)
            self._take(column, values, units, data)
        texts = self.columns.get("text") if self.regions.key is None else None
        if texts is not None and texts.same is not None:
            return  # they are kept in the end
        # The first row of each task.
        places = dict(zip(reversed(named), range(many - 1, -1, -1), strict=True))
        for item, n in places.items():
            if item not in g.lengths:
                self.regions.begin(str(item), _row(data, n))

    def _of_annotators(self, columns: dict[str, list[Any]]) -> tuple[dict[str, list[Any]], list[str]]:
        """Return the rows that somebody annotated, each annotation once, and who did."""
        who = _as_texts(columns["annotator"])
        if not all(who):
            self.without += sum(not one for one in who)
            columns = _chosen(columns, [n for n, one in enumerate(who) if one])
            who = [one for one in who if one]
        told = numbers = columns["annotation_id"]
        if set(map(type, numbers)) != {int}:
            numbers = [n if isinstance(n, int | str) and n != "" else None for n in numbers]
            told = [n for n in numbers if n is not None]
        new = set(told)
        if len(new) == len(told) and self.known.isdisjoint(new):
            self.known |= new
            return columns, who  # type: ignore[return-value]
        kept = []
        for place, number in enumerate(numbers):
            if number is not None and number in self.known:
                self.repeated += 1
                continue
            if number is not None:
                self.known.add(number)
            kept.append(place)
        return _chosen(columns, kept), [str(who[n]) for n in kept]

    def _take(self, column: _Column, values: list[Any], units: range, data: Mapping[str, list[Any]]) -> None:
        """Take what stands under one key in some rows."""
        g = self.gathering
        kinds = set(map(type, values))
        if kinds == {str}:
            if column.same is not None:
                first = map(column.same.setdefault, g.items[units.start :], values)
                if not any(map(ne, first, values)):
                    column.extend(units, ())
                    return
                column.varies = True
                column.by_row(g.items)
            if max(map(len, values)) <= _LONG:
                column.extend(units, values)
                return
        column.by_row(g.items)
        there = [n for n, value in enumerate(values) if value is not _ABSENT]
        column.extend([units[n] for n in there], ())
        for n in there:
            value = values[n]
            if value is None or (type(value) is str and len(value) <= _LONG):
                column.value.append(value)
                continue
            column.value.append(_told(g, column, units[n], value))
            if type(value) is list and value and type(value[0]) is dict and _is_span(value[0]):
                self.regions.begin(g.items[units[n]], _row(data, n))
                _spans(g, self.regions, column.name, units[n], value)


def _row(columns: Mapping[str, list[Any]], n: int) -> dict[str, Any]:
    return {key: value for key, values in columns.items() if (value := values[n]) is not _ABSENT}


def _chosen(columns: Mapping[str, list[Any]], rows: Sequence[int]) -> dict[str, list[Any]]:
    return {key: [values[n] for n in rows] for key, values in columns.items()}


def _as_texts(values: list[Any]) -> list[str | None]:
    kinds = set(map(type, values))
    if kinds == {str}:
        return values
    if kinds == {int}:
        # The same few come again and again; texts that are one object are compared faster.
        distinct = set(values)
        try:
            texts: dict[int, str | None] = dict(zip(distinct, map(str, distinct), strict=True))
        except ValueError:  # more digits than Python writes
            texts = {value: as_text(value) for value in distinct}
        return list(map(texts.__getitem__, values))
    return list(map(as_text, values))


def _answers_after_id(kinds: Iterable[tuple[str, ...]]) -> set[str]:
    """Return the keys between the id and the annotator: JSON_MIN writes the task's data, its id, the answers, then the annotator."""
    found: set[str] = set()
    for keys in kinds:
        if "id" in keys:
            found.update(keys[keys.index("id") + 1 : keys.index("annotator")])
    return found


def _batches(member: Member) -> Iterator[tuple[dict[str, list[Any]], Set[str]]]:
    """Yield columns of some rows after others, and the keys that come after the id of the task where the order of keys tells it."""
    if member.peek.shape == "table":
        rows = Rows(member)
        lines = iter(rows)
        while some := list(islice(lines, _BATCH)):
            cells = zip(rows.header, zip(*some, strict=True), strict=True)
            yield {key: _cells(column) for key, column in cells if not key.startswith("_data_")}, frozenset()
        return
    for batch in Records(member, small=True).batches(_BATCH):
        if set(map(type, batch)) != {dict}:
            _refuse(member)
        keys = tuple(batch[0])
        # As many keys as the first row has, and each of its own: the same keys.
        if set(map(len, batch)) == {len(keys)} and len(keys) > 1:
            try:
                found = zip(*map(itemgetter(*keys), batch), strict=True)
                columns = dict(zip(keys, map(list, found), strict=True))
            except KeyError:
                columns = {}
        else:
            columns = {}
        kinds = {keys: None} if columns else dict.fromkeys(map(tuple, batch))
        if not all("annotation_id" in keys and "annotator" in keys for keys in kinds):
            _refuse(member)
        if not columns:
            every = dict.fromkeys(chain.from_iterable(kinds))
            columns = {key: [row.get(key, _ABSENT) for row in batch] for key in every}
        yield columns, _answers_after_id(kinds)


def _cells(column: Sequence[str]) -> list[Any]:
    """Return the cells of a column, lists and objects as such."""
    begin = {cell[:1] for cell in column}
    if begin.isdisjoint(("", "[", "{")):
        return list(column)
    return [(_cell(cell) if cell[0] in "[{" else cell) if cell else _ABSENT for cell in column]


def _refuse(member: Member) -> None:
    """Say which record is no row of this form."""
    records = Records(member, small=True)
    for record in records:
        if not isinstance(record, dict) or "annotation_id" not in record or "annotator" not in record:
            raise UnreadableFile(
                f"What begins on {records.where()} is not a row of Label Studio's JSON_MIN; if the exports of two tools "
                "were put together, read them one by one."
            )


def _cell(text: str) -> Any:
    """Return the list or the object in a cell, or its text if it is none."""
    try:
        return loads(text, "a cell")
    except AssentError:
        return text


def _told(g: Gathering, column: _Column, unit: int, value: Any) -> object:
    """Add a value in the form of an answer; return what is remembered of the others: what they are, if that is short."""
    kind = type(value)
    if kind is list and value and type(value[0]) is dict:
        if _is_span(value[0]):
            column.shaped += 1
            return _ADDED
        for part in value:
            key = _wrapped(part) if type(part) is dict else None
            if key is not None:
                add_value(g, column.name, _CONTROLS.get(key, key), part[key], unit, part)
                column.shaped += 1
        if _wrapped(value[0]):
            return _ADDED
    elif kind is dict and type(value.get("choices")) is list:
        add_value(g, column.name, "choices", value["choices"], unit, value)
        column.shaped += 1
        return _ADDED
    elif kind in (int, float, bool):
        return value
    return _Data(value)


def _is_span(value: dict[str, Any]) -> bool:
    return ("start" in value and "end" in value) or "globalOffsets" in value or "x" in value


def _wrapped(value: dict[str, Any]) -> str | None:
    for key in _WRAPPED:
        if key in value:
            return key
    return None


def _spans(g: Gathering, regions: Regions, name: str, unit: int, values: list[Any]) -> None:
    for value in values:
        if type(value) is not dict:
            g.leave_out("unreadable", detail="span")
            continue
        kind = next((k for k in value if type(k) is str and k.endswith("labels")), None)
        if kind in ("labels", "hypertextlabels"):
            regions.add(name, unit, value, kind)
        elif kind is not None or _wrapped(value) is None or "x" in value:
            g.leave_out("not-measured", detail=f"{name}: {kind or 'regions'}")
        else:
            g.leave_out("not-measured", detail=f"{name}: answers per region")


def _measure(g: Gathering, column: _Column, tasks: list[str]) -> bool:
    """Add the answers under a key; return whether there were any."""
    name = column.name
    if column.shaped:
        column.by_row(tasks)
        return _shaped(g, column)
    if not column.unit or (column.same is None and str not in set(map(type, column.value))):
        return False
    of_rows = tasks if len(column.unit) == len(tasks) else [tasks[row] for row in column.unit]
    # Data are there in every row of a task, and the same in all of them.
    varies = column.varies
    if column.same is None and not varies:
        by_task = dict(zip(of_rows, column.value, strict=True))
        varies = any(map(ne, map(by_task.__getitem__, of_rows), column.value))
    if not varies and len(of_rows) < len(tasks):
        rows_of, found = Counter(tasks), Counter(of_rows)
        varies = any(rows_of[task] != count for task, count in found.items())
    if not varies and not column.after_id:
        return False
    column.by_row(tasks)
    values = column.value
    kinds = set(map(type, values))
    labels: list[Any] = values if kinds == {str} else [v for v in values if type(v) is str]
    if not varies and len(set(labels)) > max(2, len(set(of_rows)) // 2):
        return False
    if looks_like_free_text(name, labels):
        g.leave_out("free-text", len(labels), detail=name)
        return True
    # Where an annotator left a control open that is named like a data key, the data show through.
    data = {value: _may_be_data(value) for value in set(values)}
    shining = 0
    if any(data.values()):
        tasks_of = Counter(map(itemgetter(1), set(zip(of_rows, values, strict=True))))
        data = {value: told and (type(value) is not str or tasks_of[value] == 1) for value, told in data.items()}
        for row, value in zip(column.unit, values, strict=True):
            if data[value]:
                shining += value is not None
            else:
                g.answer(name, row, value)
    else:
        g.answers(name, column.unit, values)
    if shining and name in g.questions:
        g.note(
            f"{shining:,} values are task data that show through where the answer was left open; they are not counted.",
            question=name,
        )
    return True


def _may_be_data(value: object) -> bool:
    """Return whether a value is none that somebody chose: no text, or a long one."""
    return type(value) is not str or len(value) > 60 or len(value.split()) > 5


def _shaped(g: Gathering, column: _Column) -> bool:
    """Add the single choices under a key whose other answers have a form of their own."""
    for row, value in zip(column.unit, column.value, strict=True):
        if type(value) is str and value:
            g.answer(column.name, row, (value,))
    return True


def _lonely(g: Gathering) -> None:
    times = Counter(g.items)
    if len(g.superseded):
        times = Counter(item for item, _ in set(zip(g.items, g.annotators, strict=True)))
    alone = list(times.values()).count(1)
    if alone:
        g.note(f"{alone:,} task{' was' if alone == 1 else 's were'} annotated by one annotator only.")
