"""Argilla 1 and 2: records with responses, nested or flat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain
from typing import Any

from assent.errors import UnreadableFile
from assent.readers.exports.gathering import Gathering, looks_like_free_text
from assent.readers.exports.json_records import Records
from assent.readers.exports.model import Export
from assent.readers.exports.options import ReadOptions
from assent.readers.exports.registry import reader
from assent.readers.exports.sources import Source
from assent.readers.exports.texts import as_number, as_text
from assent.text import shown

__all__ = ["Argilla"]

_RESPONSES, _USERS, _STATUS = ".responses", ".responses.users", ".responses.status"


def _form(record: object) -> str | None:
    if not isinstance(record, dict):
        return None
    if isinstance(record.get("fields"), dict) and isinstance(record.get("responses"), dict):
        return "nested"
    if any(key.endswith(_USERS) for key in record):
        return "flat"
    if "external_id" in record or "metadata" in record:
        asked = [key for key in record if f"{key}-suggestion" in record]
        if asked and all(_first_responses(record[key]) is not None for key in asked):
            return "first"
    return None


def _first_responses(value: object) -> list[dict[str, Any]] | None:
    """Return the responses of version 1, whether a list of objects or an object of lists."""
    if value is None:
        return []
    if isinstance(value, dict) and "user_id" in value and "value" in value:
        lists = [v for v in value.values() if isinstance(v, list)]
        length = max(map(len, lists), default=0)
        return [
            {k: v[n] if isinstance(v, list) and n < len(v) else None for k, v in value.items()} for n in range(length)
        ]
    if isinstance(value, list) and all(isinstance(r, dict) and "value" in r and "user_id" in r for r in value):
        return value
    return None


@reader(name="argilla", title="Argilla", rank=240)
class Argilla:
    """Records with the responses of several users to several questions."""

    @staticmethod
    def recognises(source: Source) -> bool:
        """Return whether the records hold responses; also the table that prints arrays, which is then refused."""
        members = [m for m in source.members[:5] if m.peek.shape not in ("empty", "bytes")]
        if not members:
            return False
        if all(any(name.endswith(_USERS) for name in m.peek.header) for m in members):
            return True
        return all(m.peek.objects and _form(m.peek.objects[0]) for m in members)

    @staticmethod
    def read(source: Source, options: ReadOptions) -> Export:
        """Return the questions of the dataset."""
        found = _Responses(Gathering(options))
        for member in source.members:
            if member.peek.shape in ("empty", "bytes"):
                continue
            if member.peek.shape == "table":
                raise UnreadableFile(
                    f"{member.title} is a CSV of Argilla's records, in which lists are printed and cannot be read back; "
                    "export with to_json, or to_datasets().to_json()."
                )
            records = Records(member)
            for record in records:
                form = _form(record)
                if form is None:
                    raise UnreadableFile(
                        f"What begins on {records.where()} is not a record of Argilla; if the exports of two tools were put "
                        "together, read them one by one."
                    )
                found.add(record, form)
        return found.finish()


class _Responses:
    """Takes records one by one; kinds are decided when all values are known."""

    def __init__(self, gathering: Gathering) -> None:
        self.gathering = gathering
        self.values: dict[str, tuple[list[int], list[Any]]] = {}
        self.suggested: dict[str, list[tuple[str, str, Any]]] = {}
        self.forms: Counter[str] = Counter()
        self.number = 0

    def add(self, record: dict[str, Any], form: str) -> None:
        self.forms[form] += 1
        self.number += 1
        item = as_text(record.get("external_id")) or as_text(record.get("id")) or str(self.number)
        fields = record["fields"] if form == "nested" else record
        text = fields.get("text")
        if type(text) is not str and form == "nested":
            text = next((v for v in fields.values() if type(v) is str), None)
        if type(text) is str:
            self.gathering.text(item, text)
        people = _People(self, item)
        if form == "nested":
            self._nested(record, item, people)
        elif form == "flat":
            self._flat(record, item, people)
        else:
            self._first(record, item, people)
        people.count()

    def _nested(self, record: dict[str, Any], item: str, people: _People) -> None:
        for question, responses in record["responses"].items():
            for response in responses if isinstance(responses, list) else ():
                if isinstance(response, dict):
                    people.add(question, response.get("user_id"), response.get("value"), response.get("status"))
        suggestions = record.get("suggestions")
        for question, suggestion in suggestions.items() if isinstance(suggestions, dict) else ():
            if isinstance(suggestion, dict):
                self._suggest(question, item, suggestion.get("agent"), suggestion.get("value"))

    def _flat(self, record: dict[str, Any], item: str, people: _People) -> None:
        for key, users in record.items():
            if not key.endswith(_USERS):
                continue
            question = key[: -len(_USERS)]
            values, status = record.get(question + _RESPONSES), record.get(question + _STATUS)
            about = [record.get(f"{question}.suggestion.{k}", "") for k in ("agent", "score")]
            # A ClassLabel has a number for "no suggestion", too; only what is said about it shows that there is none.
            if f"{question}.suggestion" in record and about != [None, None]:
                self._suggest(question, item, about[0], record[f"{question}.suggestion"])
            if not isinstance(users, list) or not isinstance(values, list) or len(users) != len(values):
                if users or values:
                    self.gathering.leave_out("unreadable", detail=f"{question}: responses and users do not match")
                else:
                    self.values.setdefault(question, ([], []))
                continue
            known = status if isinstance(status, list) and len(status) == len(users) else [None] * len(users)
            people.add_all(question, users, values, known)

    def _first(self, record: dict[str, Any], item: str, people: _People) -> None:
        for question in [key for key in record if f"{key}-suggestion" in record]:
            for response in _first_responses(record[question]) or ():
                people.add(question, response.get("user_id"), response.get("value"), response.get("status"))
            about = record.get(f"{question}-suggestion-metadata")
            agent = about.get("agent") if isinstance(about, dict) else None
            self._suggest(question, item, agent, record[f"{question}-suggestion"])

    def _suggest(self, question: str, item: str, agent: object, value: Any) -> None:
        if value is not None:
            self.suggested.setdefault(question, []).append((item, as_text(agent) or "suggestion", value))

    def finish(self) -> Export:
        g = self.gathering
        kinds: dict[str, str] = {}
        for question, (units, values) in self.values.items():
            kinds[question] = self._question(question, units, values)
        for question, suggestions in self.suggested.items():
            self._models(question, suggestions, kinds.get(question, ""))
        if self.forms["nested"]:
            g.note(
                "This export does not say which responses are drafts or discarded: all are counted; the flat one "
                "(to_list(flatten=True), to_datasets) does."
            )
        forms = [f for f, _ in self.forms.most_common()]
        names = {"nested": "Argilla 2, nested", "flat": "Argilla 2, flat", "first": "Argilla 1"}
        return g.export(names[forms[0]] if forms else "Argilla")

    def _question(self, name: str, units: list[int], values: list[Any]) -> str:
        """Add the answers to one question; return what they are."""
        g = self.gathering
        types = set(map(type, values))
        if list in types or dict in types:
            return self._lists(name, units, values)
        if types and types <= {int, float}:
            g.question(name, "number")
            for unit, value in zip(units, values, strict=True):
                number = as_number(value)
                if number is not None:
                    g.answer(name, unit, number)
            return "number"
        raw = values
        if types != {str} or "" in values:
            told = [(u, t) for u, t in ((u, as_text(v)) for u, v in zip(units, values, strict=True)) if t]
            units, values = [u for u, _ in told], [t for _, t in told]
        if looks_like_free_text(name, values):
            g.leave_out("free-text", len(values), detail=name)
            return "text"
        if values:
            g.question(name, "label")
            g.answers(name, units, values)
            if len(types) > 1:
                g.mixed(name, raw)
        return "label"

    def _lists(self, name: str, units: list[int], values: list[Any]) -> str:
        """Add answers that are spans, rankings or several labels."""
        g = self.gathering
        lists = [v for v in values if isinstance(v, list)]
        objects = [v for v in values if isinstance(v, dict)]
        plain = not objects and set(map(type, chain.from_iterable(lists))) == {str}
        if not plain:
            if any("start" in v for v in objects) or any(
                isinstance(x, dict) and "start" in x for v in lists for x in v
            ):
                return self._spans(name, units, values)
            if any(_ranking(v) for v in [*objects, *(v for v in lists if v and isinstance(v[0], dict))]):
                g.question(name, "ranking")
                for unit, value in zip(units, values, strict=True):
                    order = _ranking(value)
                    if order:
                        g.answer(name, unit, order)
                return "ranking"
        ranked = bool(lists) and _permutations(lists)
        g.question(name, "ranking" if ranked else "set")
        nothing = g.options.empty == "nothing"
        for unit, value in zip(units, values, strict=True):
            if type(value) is list:
                texts = tuple(value) if plain else tuple(t for t in map(as_text, value) if t is not None)
                if texts or (nothing and not value):
                    g.answer(name, unit, texts)
        if ranked:
            g.note("every answer orders the same entries, so they are read as rankings.", question=name)
        return "ranking" if ranked else "set"

    def _spans(self, name: str, units: list[int], values: list[Any]) -> str:
        g = self.gathering
        for unit, value in zip(units, values, strict=True):
            g.seen(name, unit)
            for span in _span_list(value):
                start, end = span.get("start"), span.get("end")
                if type(start) is int and type(end) is int:
                    g.span(name, unit, ((start, end),), as_text(span.get("label")) or "")
                else:
                    g.leave_out("unreadable", detail="span")
        return "spans"

    def _models(self, name: str, suggestions: list[tuple[str, str, Any]], kind: str) -> None:
        g = self.gathering
        agents = ", ".join(dict.fromkeys(shown(agent)[1:-1] for _, agent, _ in suggestions))
        encoded = kind in ("label", "set") and all(as_number(v) is not None for _, _, v in suggestions)
        if encoded:
            g.note(
                f"{name}.suggestion is stored as numbers (ClassLabel) while responses are texts: the model cannot be "
                "compared with people from this file; export with to_json or to_list."
            )
        if not g.options.with_models or encoded or kind not in ("label", "set", "number", "ranking", "spans"):
            g.leave_out("model", len(suggestions), detail=f"suggestions of {agents}")
            return
        for item, agent, value in suggestions:
            g.models.add(agent)
            unit = g.unit(item, agent, scope=f"suggestion of {name}")
            if kind == "spans":
                self._spans(name, [unit], [value])
            elif kind == "ranking":
                g.answer(name, unit, _ranking(value))
            elif kind == "set":
                chosen = value if isinstance(value, list) else [value]
                g.answer(name, unit, tuple(t for t in map(as_text, chosen) if t is not None))
            else:
                text = as_number(value) if kind == "number" else as_text(value)
                if text:
                    g.answer(name, unit, text)


class _People:
    """The responses to one record: a draft of three answers is one draft."""

    def __init__(self, responses: _Responses, item: str) -> None:
        self.responses = responses
        self.item = item
        self.units: dict[str, int] = {}
        self.left: dict[str, str] = {}

    def add(self, question: str, user: object, value: Any, status: object) -> None:
        who = as_text(user)
        g = self.responses.gathering
        pairs = self.responses.values.setdefault(question, ([], []))
        if who is None or who == "":
            g.leave_out("unreadable", detail="response without a user")
            return
        if status is not None and status != "submitted":
            self.left[who] = str(status) if status in ("draft", "discarded") else "unfinished"
            return
        unit = self.units.get(who)
        if unit is None:
            unit = self.units[who] = g.unit(self.item, who)
        if value is not None:
            pairs[0].append(unit)
            pairs[1].append(value)

    def add_all(self, question: str, users: list[Any], values: list[Any], status: list[Any]) -> None:
        pairs = self.responses.values.setdefault(question, ([], []))
        if (
            status.count("submitted") == len(status) > 0
            and set(map(type, users)) == {str}
            and None not in values
            and "" not in users
        ):
            if not self.units and len(set(users)) == len(users):
                self.units = dict(zip(users, self.responses.gathering.units(self.item, users), strict=True))
            if all(map(self.units.__contains__, users)):
                pairs[0].extend(map(self.units.__getitem__, users))
                pairs[1].extend(values)
                return
        for user, value, state in zip(users, values, status, strict=True):
            self.add(question, user, value, state)

    def count(self) -> None:
        for reason in self.left.values():
            self.responses.gathering.leave_out(reason)


def _span_list(value: object) -> list[dict[str, Any]]:
    if isinstance(value, list):
        return [s for s in value if isinstance(s, dict)]
    if isinstance(value, dict) and isinstance(value.get("start"), list):
        length = min(len(v) for v in value.values() if isinstance(v, list))
        return [{k: v[n] for k, v in value.items() if isinstance(v, list)} for n in range(length)]
    return []


def _ranking(value: object) -> tuple[str | tuple[str, ...], ...]:
    """Return the entries in order: ``{rank: […], value: […]}`` or a list of ``{rank, value}``; those of one rank together."""
    pairs: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, dict) and isinstance(value.get("rank"), list) and isinstance(value.get("value"), list):
        pairs = zip(value["rank"], value["value"], strict=False)
    elif isinstance(value, list):
        if value and not isinstance(value[0], dict):
            return tuple(t for t in map(as_text, value) if t is not None)
        pairs = [(v.get("rank"), v.get("value")) for v in value if isinstance(v, dict)]
    ranks: dict[float, list[str]] = {}
    for rank, entry in pairs:
        text = as_text(entry)
        if type(rank) in (int, float) and text is not None:
            ranks.setdefault(rank, []).append(text)
    return tuple(ranks[rank][0] if len(ranks[rank]) == 1 else tuple(ranks[rank]) for rank in sorted(ranks))


def _permutations(lists: list[list[Any]]) -> bool:
    """Return whether all lists hold the same entries, in different orders."""
    if len(set(map(len, lists))) > 1:
        return False
    texts = [tuple(map(as_text, v)) for v in lists]
    first = texts[0]
    if len(first) < 2 or len(set(first)) < len(first) or None in first:
        return False
    entries = sorted(t for t in first if t is not None)
    return all(len(t) == len(first) and sorted(str(x) for x in t) == entries for t in texts) and len(set(texts)) > 1
