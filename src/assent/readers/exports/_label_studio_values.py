"""The values of Label Studio's controls, and where its regions lie."""

from __future__ import annotations

from collections import Counter
from typing import Any

from assent.readers.exports.gathering import Gathering, utf16_offsets
from assent.readers.exports.texts import as_number, as_text

__all__ = ["Regions", "answer", "paths", "rankings"]

_SPANS = frozenset({"labels", "hypertextlabels"})
_BUCKET = "\0"
"""Stands between a control and one of its buckets until it is known whether there are several."""


class Regions:
    """Spans of the text of one task after the other; checks their offsets against the text they quote.

    Label Studio counted UTF-16 units until 2022 and counts code points since; which of the two it was shows where the
    quoted text lies.
    """

    def __init__(self, gathering: Gathering) -> None:
        self.gathering = gathering
        self.item = ""
        self.data: dict[str, Any] = {}
        self.key: str | None = None
        self.fields: set[str] = set()
        #: Fields of which spans quote.
        self.quoted: set[str] = set()
        self.converted = 0
        self.elsewhere = 0
        self.plain = 0
        #: Spans that quote what stands at their place in both ways of counting: the question, which span, the other place.
        self.doubtful: list[tuple[str, int, tuple[int, int]]] = []
        self._offsets: tuple[str, dict[int, int] | None] | None = None

    def begin(self, item: str, data: dict[str, Any]) -> None:
        """Take up a task."""
        self.item, self.data = item, data
        key = self._field()
        if key is not None:
            self.gathering.text(item, data[key])
            self.fields.add(key)

    def _field(self) -> str | None:
        """Return the key of the text of a task: that of which spans quote, or "text", or the first one."""
        for key in (self.key, "text"):
            if key is not None and type(self.data.get(key)) is str:
                return key
        return next((key for key, value in self.data.items() if type(value) is str), None)

    @property
    def text_field(self) -> str:
        """What the text of every task is called; "text" if there are several names."""
        names = {self.key} if self.key is not None else self.fields
        return str(next(iter(names))) if len(names) == 1 else "text"

    @staticmethod
    def ids_of(result: list[Any]) -> frozenset[str]:
        """Return the ids of the regions among the results of an annotation."""
        return frozenset(
            r["id"]
            for r in result
            if type(r) is dict
            and type(r.get("id")) is str
            and type(r.get("type")) is str
            and r["type"].endswith("labels")
        )

    def add(self, name: str, unit: int, value: dict[str, Any], kind: str) -> None:
        """Add a region of a text, once for each of its labels."""
        g = self.gathering
        where = value.get("globalOffsets")
        if not isinstance(where, dict):
            where = value
        start, end = where.get("start"), where.get("end")
        labels = value.get(kind, value.get("labels"))
        if type(start) is not int or type(end) is not int or "channel" in value:
            g.leave_out("not-measured", detail=f"regions of {kind} that are not offsets in a text")
            return
        begin, end, other = self._placed(start, end, value.get("text"))
        for label in labels if isinstance(labels, list) and labels else [""]:
            text = as_text(label)
            if text is None:
                g.leave_out("unreadable", detail="label")
                continue
            g.span(name, unit, ((begin, end),), text)
            if other is not None and end >= begin >= 0:
                self.doubtful.append((name, len(g.spans(name).parts) - 1, other))

    def _placed(self, start: int, end: int, quoted: object) -> tuple[int, int, tuple[int, int] | None]:
        """Return where a span lies, and where else its quotation stands if UTF-16 units are counted."""
        if type(quoted) is not str or not quoted:
            return start, end, None
        field = self._field()
        text = None if field is None else self.data[field]
        if field is not None and text is not None and text[start:end] == quoted:
            self.quoted.add(field)
            return start, end, self._elsewhere(text, start, end, quoted)
        texts = [text] if text is not None else []
        others = [(k, v) for k, v in self.data.items() if type(v) is str and v is not text]
        for key, other in others:
            if other[start:end] == quoted:
                self.key = key
                self.quoted.add(key)
                self._keep(other)
                return start, end, None
            texts.append(other)
        for other in texts:
            units = self._units(other)
            if units is None or start not in units or end not in units:
                continue
            begin, stop = units[start], units[end]
            if other[begin:stop] == quoted:
                self.converted += 1
                return begin, stop, None
        if texts:
            self.elsewhere += 1
        return start, end, None

    def _elsewhere(self, text: str, start: int, end: int, quoted: str) -> tuple[int, int] | None:
        """Return the place of a quotation in UTF-16 units if it stands there, too; a span that does not counts code points."""
        units = self._units(text)
        if units is None or (units.get(start), units.get(end)) == (start, end):
            return None
        if start in units and end in units and text[units[start] : units[end]] == quoted:
            return units[start], units[end]
        self.plain += 1
        return None

    def _keep(self, text: str) -> None:
        g = self.gathering
        if self.item in g.texts:
            g.texts[self.item] = text
        g.lengths[self.item] = len(text)

    def _units(self, text: str) -> dict[int, int] | None:
        if text.isascii():
            return None
        if self._offsets is None or self._offsets[0] != text:
            wide = max(text) > "\uffff"
            self._offsets = (
                text,
                {unit: point for point, unit in enumerate(utf16_offsets(text))} if wide else None,
            )
        return self._offsets[1]

    def finish(self) -> None:
        """Say what was found of the offsets."""
        g = self.gathering
        _name_buckets(g)
        for question in list(g.questions):
            if hasattr(g.questions[question], "parts"):
                g.all_seen(question)
        if self.doubtful and self.converted and not self.plain:
            # All others that tell count UTF-16 units.
            for name, at, place in self.doubtful:
                g.spans(name).parts[at] = (place,)
            self.converted += len(self.doubtful)
        if self.converted:
            g.note(
                f"{self.converted:,} spans had offsets in UTF-16 units, as old versions of Label Studio write them; they "
                "were converted to code points by the text they quote."
            )
        if self.elsewhere:
            g.note(
                f"{self.elsewhere:,} spans quote a text that does not lie at their offsets, in either way of counting; "
                "they are kept where the export puts them."
            )


def answer(
    g: Gathering, regions: Regions, found: dict[str, Any], unit: int, with_regions: frozenset[str] | bool
) -> None:
    """Add one result of an annotation: the answer of one control."""
    kind, name, value = found.get("type"), found.get("from_name"), found.get("value")
    if type(name) is not str or type(kind) is not str or type(value) is not dict:
        g.leave_out(
            "not-measured" if kind == "relation" else "unreadable", detail="relation" if kind == "relation" else ""
        )
        return
    if kind in _SPANS and "original_length" not in found:
        regions.add(name, unit, value, kind)
        return
    if "start" in value or "x" in value or (with_regions and found.get("id") in with_regions):  # type: ignore[operator]
        what = "per region" if kind in ("choices", "rating", "number", "taxonomy", "textarea", "pairwise") else kind
        g.leave_out("not-measured", detail=f"{name}: answers {what}" if what == "per region" else f"{name}: {kind}")
        return
    add_value(g, name, kind, value.get("selected") if kind == "pairwise" else value.get(kind), unit, value)


def add_value(g: Gathering, name: str, kind: str, raw: Any, unit: int, value: dict[str, Any]) -> None:
    """Add an answer that is about the whole task."""
    if kind == "choices":
        if type(raw) is list and raw:
            # Of nested choices each is a path.
            texts = tuple(raw) if set(map(type, raw)) == {str} else paths(raw)
            if texts:
                g.answer(name, unit, texts)
        elif type(raw) is str and raw:
            g.answer(name, unit, (raw,))
    elif kind in ("rating", "number"):
        number = as_number(raw)
        if number is not None:
            if name not in g.questions:
                g.question(name, "number")
            g.answer(name, unit, number)
    elif kind == "taxonomy":
        found = paths(raw)
        if found:
            g.answer(name, unit, found)
    elif kind == "pairwise":
        text = as_text(raw)
        if text:
            g.question(name, "label")
            g.answer(name, unit, text)
    elif kind == "ranker":
        for bucket, order in rankings(raw):
            question = f"{name}{_BUCKET}{bucket}"
            g.question(question, "ranking")
            g.answer(question, unit, order)
    elif kind == "textarea":
        g.leave_out("free-text", detail=name)
    else:
        g.leave_out("not-measured", detail=f"{name}: {kind}")


def paths(raw: object) -> tuple[str, ...]:
    """Return the paths of a taxonomy, a text each.

    Examples
    --------
    >>> paths([["Animal", "Bird"], ["Plant"]])
    ('Animal / Bird', 'Plant')
    """
    if not isinstance(raw, list):
        return ()
    found = []
    for path in raw:
        parts = [as_text(p) for p in path] if isinstance(path, list) else [as_text(path)]
        text = " / ".join(p for p in parts if p)
        if text:
            found.append(text)
    return tuple(found)


def rankings(raw: object) -> list[tuple[str, tuple[str, ...]]]:
    """Return the rankings in the buckets of a ranker; several buckets are several questions.

    Examples
    --------
    >>> rankings({"rank": ["b", "a"], "_": ["c"]})
    [('rank', ('b', 'a'))]
    """
    if isinstance(raw, list):
        raw = {"": raw}
    if not isinstance(raw, dict):
        return []
    filled = [
        (bucket, tuple(t for t in map(as_text, ids) if t is not None))
        for bucket, ids in raw.items()
        # What lies in no bucket yet was put into no order.
        if bucket != "_" and isinstance(ids, list)
    ]
    return [(bucket, order) for bucket, order in filled if order]


def _name_buckets(g: Gathering) -> None:
    """Call a ranking by its control, and by its bucket where there are several in the export."""
    controls = Counter(name.partition(_BUCKET)[0] for name in g.questions if _BUCKET in name)
    named = {}
    for key, question in g.questions.items():
        control, _, bucket = key.partition(_BUCKET)
        if control in controls and _BUCKET in key:
            question.name = control if controls[control] == 1 else f"{control}.{bucket}"
        named[question.name] = question
    g.questions = named
