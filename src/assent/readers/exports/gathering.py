"""What all readers do with what they find: count it, settle duplicates, decide kinds, hide addresses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

from msgspec import field

from assent.errors import DuplicateAnnotations, EmptyTable
from assent.readers.exports.model import Answers, Export, Kind, LeftOut, Spans
from assent.readers.exports.options import ReadOptions
from assent.readers.exports.texts import as_number, as_text
from assent.records import Struct
from assent.text import escaped, shown

__all__ = ["Gathering", "Question", "is_email", "is_later", "looks_like_free_text", "utf16_offsets"]

_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_FREE = re.compile(
    r"(?:^|[^a-z])(?:comments?|remarks?|feedback|notes?|explanations?|explain|reasons?|rationales?|justifications?|"
    r"suggestions?|kommentar|commentaires?|comentarios?|free_?text|free_?response|text_?box)(?:[^a-z]+optional)?[^a-z]*$"
)

#: No text is so long.
_FARTHEST = 2**40

Parts = tuple[tuple[int, int], ...]


def is_email(text: str) -> bool:
    """Return whether a text is an e-mail address or holds one.

    Examples
    --------
    >>> is_email("ada@annotators.example"), is_email("Ada <ada@annotators.example>"), is_email("ada")
    (True, True, False)
    """
    return "@" in text and _EMAIL.search(text) is not None


def looks_like_free_text(name: str, values: Iterable[str]) -> bool:
    """Return whether answers are sentences rather than labels, going by the question's name and by the answers.

    Examples
    --------
    >>> looks_like_free_text("comment", ["none"] * 9), looks_like_free_text("tone", ["formal", "casual"] * 9)
    (True, False)
    >>> looks_like_free_text("finalComment", ["fine"]), looks_like_free_text("comment_tone", ["harsh"])
    (True, False)
    """
    values = list(values)
    if _FREE.search(re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()) and not _are_labels(values):
        return True
    if not values:
        return False
    distinct = set(values)
    words = sum(len(v.split()) > 3 for v in distinct) / len(distinct)
    if max(map(len, distinct)) > 500:
        return True
    if 4 <= len(values) == len(distinct) and words == 1:
        return True
    # Sentences hardly ever repeat; labels of several words do.
    return len(values) >= 8 and len(distinct) > 0.6 * len(values) and (words > 0.5 or max(map(len, distinct)) > 80)


def _are_labels(values: Sequence[str]) -> bool:
    """Return whether answers are a few words that come again and again, though the question is called "reason" or the like."""
    times = Counter(values)
    return (
        len(values) >= 8
        and 2 <= len(times) <= len(values) / 4
        and min(times.values()) > 1
        and max(times.values()) <= 0.6 * len(values)
        and all(len(value.split()) <= 3 for value in times)
    )


def utf16_offsets(text: str) -> list[int]:
    """Return for each code point of a text, and for its end, where it begins when UTF-16 units are counted.

    Examples
    --------
    >>> utf16_offsets("a😀b")
    [0, 1, 3, 4]
    """
    offsets, at = [], 0
    for character in text:
        offsets.append(at)
        at += 2 if character > "\uffff" else 1
    offsets.append(at)
    return offsets


class Question(Struct):
    """A question with its answers, each of a unit."""

    name: str
    kind: Kind | None = None
    #: A range as long as every unit has an answer: numbers of rows would be as many objects.
    unit: list[int] | range = field(default_factory=lambda: range(0))
    value: list[object] = field(default_factory=list)
    gold: dict[str, object] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    left_out: Counter[tuple[str, str]] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    scope: str = ""

    def numbers(self) -> list[int]:
        """Return the units as a list to which others are added."""
        if type(self.unit) is range:
            self.unit = list(self.unit)
        return self.unit

    def extend(self, units: Iterable[int], values: Iterable[object]) -> None:
        """Add an answer for each of several units."""
        before = self.unit
        if type(units) is range and type(before) is range and units.start == before.stop:
            self.unit = range(before.start, units.stop)
        else:
            self.numbers().extend(units)
        self.value.extend(values)


class _SpanQuestion(Struct):
    name: str
    unit: list[int] = field(default_factory=list)
    parts: list[Parts] = field(default_factory=list)
    label: list[str] = field(default_factory=list)
    seen: dict[int, None] = field(default_factory=dict)
    everything: bool = False
    gold: dict[str, tuple[tuple[Parts, str], ...]] = field(default_factory=dict)
    left_out: Counter[tuple[str, str]] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    scope: str = ""


class Gathering:
    """Collects what a reader finds and makes an `Export` of it.

    A *unit* is what one annotator did with one item at one time, with answers to several questions or to none. Of two
    units of one annotator and one item only one counts, whole, so that answers of two times are never mixed.
    """

    def __init__(self, options: ReadOptions) -> None:
        self.options = options
        self.questions: dict[str, Question | _SpanQuestion] = {}
        self.items: list[str] = []
        self.annotators: list[str] = []
        self.times: list[str | float | None] = []
        self.scopes: dict[int, str] = {}
        self.texts: dict[str, str] = {}
        self.lengths: dict[str, int] = {}
        self._room = options.keep_texts
        self.notes: list[str] = []
        self.models: set[str] = set()
        self.names: dict[str, str] = {}
        #: Units of annotators whose answers the tool marks as right ones, too.
        self.right: set[int] = set()
        #: The reader knows that no annotator judged an item twice.
        self.unrepeated = False
        #: Units that the tool itself changed or took back later.
        self.withdrawn: set[int] = set()
        self._superseded: set[int] = set()
        self._settled = 0
        self._left_out: Counter[tuple[str, str]] = Counter()

    # --- collecting -------------------------------------------------------------------------------------------------

    def unit(self, item: str, annotator: str, when: str | float | None = None, *, scope: str = "") -> int:
        """Return the number of a new unit; of several of one annotator and item (and scope) only one will count."""
        items = self.items
        items.append(item)
        self.annotators.append(annotator)
        self.times.append(when)
        number = len(items) - 1
        if scope:
            self.scopes[number] = scope
        return number

    def rows(self, items: Sequence[str], annotators: Sequence[str], times: Sequence[str | float | None]) -> range:
        """Return the numbers of new units, one a row."""
        first = len(self.items)
        self.items.extend(items)
        self.annotators.extend(annotators)
        self.times.extend(times)
        return range(first, len(self.items))

    def units(self, item: str | Sequence[str], annotator: str | Sequence[str]) -> range:
        """Return the numbers of new units of one item and several annotators, or the other way round."""
        first = len(self.items)
        if isinstance(item, str):
            self.annotators.extend(annotator)
            self.items.extend([item] * (len(self.annotators) - first))
        else:
            self.items.extend(item)
            self.annotators.extend([str(annotator)] * len(item))
        count = len(self.items) - first
        self.times.extend([None] * count)
        return range(first, first + count)

    def answers(self, name: str, units: Iterable[int], values: Iterable[object]) -> None:
        """Add an answer for each of several units."""
        self.question(name).extend(units, values)

    def withdraw(self, unit: int) -> None:
        """Let a unit not count, as it was changed or taken back later; the reader counts it."""
        self.withdrawn.add(unit)
        self._settled = -1

    @property
    def superseded(self) -> set[int]:
        """The units that do not count: the same annotator judged the same item again, or they were withdrawn."""
        if self._settled != len(self.items) and not self.unrepeated:
            self._settled = len(self.items)
            scopes, pairs = self.scopes, zip(self.items, self.annotators, strict=True)
            # Files without duplicates, by far the most, are not gone through one by one.
            if scopes:
                keys: list[tuple[str, ...]] = [(i, a, scopes.get(n, "")) for n, (i, a) in enumerate(pairs)]
                repeated = len(set(keys)) < len(keys)
            elif repeated := self._repeats():
                keys = list(pairs)
            self._superseded = self.withdrawn | (self._settle(keys) if repeated else set())
        return self._superseded

    def _repeats(self) -> bool:
        """Return whether an annotator judged an item twice."""
        of: dict[str, list[str]] = {annotator: [] for annotator in set(self.annotators)}
        for item, annotator in zip(self.items, self.annotators, strict=True):
            of[annotator].append(item)
        return any(len(set(items)) < len(items) for items in of.values())

    def _settle(self, keys: Sequence[tuple[str, ...]]) -> set[int]:
        known: dict[tuple[str, ...], int] = {}
        superseded: set[int] = set()
        last = self.options.duplicates == "last"
        for number, key in enumerate(keys):
            if number in self.withdrawn:
                continue
            other = known.setdefault(key, number)
            if other == number:
                continue
            if self.options.duplicates == "error":
                raise DuplicateAnnotations(
                    f"An annotator answered item {shown(key[0])} more than once; "
                    "say which answer counts with `duplicates` first or `duplicates` last."
                )
            later = not is_later(self.times[other], self.times[number])
            superseded.add(other if later == last else number)
            if later == last:
                known[key] = number
        return superseded

    def question(self, name: str, kind: Kind | None = None, *, scope: str = "") -> Question:
        """Return the question of that name, made at the first call; `kind` says what its answers are whatever they hold."""
        found = self.questions.get(name)
        if not isinstance(found, Question):
            if found is not None:
                return self.question(f"{name} (answers)", kind, scope=scope)
            found = self.questions[name] = Question(name, kind, scope=scope)
        elif kind is not None:
            found.kind = kind
        return found

    def answer(self, name: str, unit: int, value: object) -> None:
        """Add an answer: a text, or a tuple of texts for a choice that may hold several or a ranking."""
        question = self.questions.get(name)
        if type(question) is not Question:
            question = self.question(name)
        (question.numbers() if type(question.unit) is range else question.unit).append(unit)
        question.value.append(value)

    def spans(self, name: str, *, scope: str = "") -> _SpanQuestion:
        """Return the span question of that name, made at the first call."""
        found = self.questions.get(name)
        if not isinstance(found, _SpanQuestion):
            if found is not None:
                return self.spans(f"{name} (spans)", scope=scope)
            found = self.questions[name] = _SpanQuestion(name, scope=scope)
        return found

    def span(self, name: str, unit: int, parts: Parts, label: str) -> None:
        """Add a span; the document counts as seen."""
        question = self.questions.get(name)
        if type(question) is not _SpanQuestion:
            question = self.spans(name)
        if len(parts) == 1:
            begin, end = parts[0]
            wrong = begin < 0 or end < begin or end > _FARTHEST
        else:
            wrong = not parts or any(b < 0 or e < b or e > _FARTHEST for b, e in parts)
        if wrong:
            question.left_out["impossible-span", ""] += 1
            return
        question.unit.append(unit)
        question.parts.append(parts)
        question.label.append(label)
        question.seen[unit] = None

    def seen(self, name: str, unit: int) -> None:
        """Say that a document was judged, with spans or without."""
        self.spans(name).seen[unit] = None

    def all_seen(self, name: str) -> None:
        """Say that every unit was asked for spans, so that a unit without any found nothing."""
        self.spans(name).everything = True

    def text(self, item: str, text: str) -> None:
        """Keep the text of an item, as long as there is room."""
        if item not in self.lengths:
            self.lengths[item] = len(text)
            self._room -= len(text)
            if self._room >= 0:
                self.texts[item] = text

    def keep(self, texts: Mapping[str, str]) -> None:
        """Keep the texts of several items, as long as there is room."""
        lengths = dict(zip(texts, map(len, texts.values()), strict=True))
        room = self._room - sum(lengths.values())
        if room >= 0 and self.lengths.keys().isdisjoint(lengths):
            self.lengths.update(lengths)
            self.texts.update(texts)
            self._room = room
            return
        for item, text in texts.items():
            self.text(item, text)

    def leave_out(self, reason: str, rows: int = 1, *, detail: str = "", question: str | None = None) -> None:
        """Count rows that are left out of the export, or of one question."""
        counter = self._left_out if question is None else self.questions[question].left_out
        if rows:
            counter[reason, detail] += rows

    def note(self, text: str, *, question: str | None = None) -> None:
        """Add a sentence, once."""
        notes = self.notes if question is None else self.questions[question].notes
        if text not in notes:
            notes.append(text)

    def mixed(self, name: str, values: Iterable[object]) -> None:
        """Say where one label stands as a text, as a number and as true or false, such as "1" and 1."""
        kinds: dict[str, set[type]] = {}
        for kind, value in {(type(v), v) for v in values if isinstance(v, str | int | float)}:
            text = as_text(value)
            if text is not None:
                kinds.setdefault(text, set()).add(float if kind is int else kind)
        clashing = sorted(text for text, found in kinds.items() if len(found) > 1)
        if clashing:
            listed = ", ".join(shown(text) for text in clashing[:5])
            self.note(
                f"{listed} stands both as a text and as a number or truth value; taken as one label.", question=name
            )

    # --- handing over -----------------------------------------------------------------------------------------------

    def aliases(self) -> dict[str, str]:
        """Return what each annotator is called: an e-mail address becomes A1, A2, … unless names were asked for."""
        order = dict.fromkeys(self.annotators)
        if self.options.names:
            return {name: name for name in order}
        taken = {name for name in order if not is_email(name)}
        called, number = {}, 0
        for name in order:
            if name in taken:
                called[name] = name
                continue
            number += 1
            while f"A{number}" in taken:
                number += 1
            called[name] = f"A{number}"
        return called

    def surviving(self, scope: str = "") -> int:
        """Return how many units of people count, in one scope or in all."""
        if not scope and not self.models:
            return len(self.items) - len(self.superseded)
        return len(self.unanswered(scope, set()))

    def unanswered(self, scope: str, answered: set[int]) -> list[int]:
        """Return the units of people that count and are not among those `answered`."""
        superseded, models, scopes = self.superseded, self.models, self.scopes
        return [
            n
            for n, annotator in enumerate(self.annotators)
            if n not in answered
            and n not in superseded
            and annotator not in models
            and (not scope or scopes.get(n, "") == scope)
        ]

    def export(self, format: str, *, asked_of_all: bool = True, empty: bool = False) -> Export:
        """Return the export.

        Parameters
        ----------
        asked_of_all : bool
            Every unit was asked every question, so that a unit without an answer is counted as such.
        empty : bool
            An export without any question is fine.
        """
        if not self.questions and not empty:
            raise EmptyTable(f"The export ({format}) holds no answer that can be compared{self._why()}.")
        aliases = self.aliases()
        self._left_out["duplicate", "same annotator, same item"] += len(self.superseded - self.withdrawn)
        questions: list[Answers | Spans] = []
        for question in self.questions.values():
            if isinstance(question, _SpanQuestion):
                questions.append(self._spans(question, aliases))
            else:
                questions.append(self._answers(question, aliases, asked_of_all))
        emails = {alias: name for name, alias in aliases.items() if alias != name}
        if emails:
            first, last = next(iter(emails)), list(emails)[-1]
            self.note(
                f"{len(emails)} annotator{' is' if first == last else 's are'} known by e-mail address and shown as "
                f"{first if first == last else f'{first} to {last}'}; `names` shows the addresses."
            )
        return Export(
            format=format,
            questions=tuple(questions),
            texts=self.texts,
            names={**{aliases.get(k, k): v for k, v in self.names.items()}, **emails},
            left_out=_left_out(self._left_out),
            notes=tuple(self.notes),
        )

    def _why(self) -> str:
        left = ", ".join(o.said() for o in _left_out(self._left_out))
        return f" (left out: {escaped(left)})" if left else ""

    def _answers(self, question: Question, aliases: Mapping[str, str], asked_of_all: bool) -> Answers:
        unit: Sequence[int] = question.unit
        value = question.value
        if self.superseded:
            kept = [n for n, u in enumerate(unit) if u not in self.superseded]
            unit, value = [unit[n] for n in kept], [value[n] for n in kept]
        kind, value = _kind(question, value)
        items, annotators, times = self.items, self.annotators, self.times
        every = range(len(items))
        whole = len(unit) == len(items) and (unit == every if type(unit) is range else unit == list(every))
        if asked_of_all and (not whole or self.models):
            of_people = {u for u in unit if annotators[u] not in self.models} if self.models else set(unit)
            without = self.surviving(question.scope) - len(of_people)
            if without > 0 and kind == "set" and self.options.empty == "nothing":
                missing = self.unanswered(question.scope, of_people)
                unit, value = [*unit, *missing], [*value, *([()] * len(missing))]
                whole = False
            elif without > 0:
                question.left_out["no-answer", ""] += without
        timed = times.count(None) < len(times)
        if whole:
            item, names = items[:], annotators[:]
        else:
            item, names = [items[u] for u in unit], [annotators[u] for u in unit]
        if self.right:
            question.gold.update({items[u]: v for u, v in zip(unit, value, strict=True) if u in self.right})
        if any(alias != name for name, alias in aliases.items()):
            names = [aliases[name] for name in names]
        return Answers(
            name=question.name,
            kind=kind,
            item=item,
            annotator=names,
            value=value,
            time=_times(times, unit) if timed else None,
            models=frozenset(aliases[m] for m in self.models if m in aliases).intersection(
                names if self.models else ()
            ),
            gold=question.gold,
            order=question.order,
            left_out=_left_out(question.left_out),
            notes=tuple(question.notes),
        )

    def _spans(self, question: _SpanQuestion, aliases: Mapping[str, str]) -> Spans:
        dead = self.superseded
        if question.everything:
            scope = question.scope
            # A model that never marked a span was not asked for any.
            idle = self.models.difference(self.annotators[u] for u in question.unit)
            seen = [
                u
                for u, annotator in enumerate(self.annotators)
                if u not in dead and annotator not in idle and (not scope or self.scopes.get(u, "") == scope)
            ]
        else:
            seen = [u for u in question.seen if u not in dead]
        kept = [n for n, u in enumerate(question.unit) if u not in dead]
        if self.options.empty == "missing":
            found = {question.unit[n] for n in kept}
            question.left_out["no-answer", "documents without a span"] += sum(u not in found for u in seen)
            seen = [u for u in seen if u in found]
        for right in self.right.intersection(seen):
            question.gold[self.items[right]] = tuple(
                (question.parts[n], question.label[n]) for n in kept if question.unit[n] == right
            )
        documents = dict.fromkeys(self.items[u] for u in seen)
        texts = {d: self.texts[d] for d in documents if d in self.texts}
        names = [aliases[self.annotators[u]] for u in seen]
        return Spans(
            name=question.name,
            document=[self.items[question.unit[n]] for n in kept],
            annotator=[aliases[self.annotators[question.unit[n]]] for n in kept],
            parts=[question.parts[n] for n in kept],
            label=[question.label[n] for n in kept],
            seen=[(self.items[u], name) for u, name in zip(seen, names, strict=True)],
            texts=texts,
            lengths={d: self.lengths[d] for d in documents if d in self.lengths},
            models=frozenset(aliases[m] for m in self.models if m in aliases) & frozenset(names),
            gold=question.gold,
            left_out=_left_out(question.left_out),
            notes=tuple(question.notes),
        )


def is_later(one: str | float | None, other: str | float | None) -> bool:
    """Return whether a time comes after another, as far as the two can be compared.

    Examples
    --------
    >>> is_later("2026-01-01T12:00:00Z", "2026-01-01T12:00:00+01:00"), is_later(None, 3.0)
    (True, False)
    """
    now, before = _moment(one), _moment(other)
    if isinstance(before, str) != isinstance(now, str) or before is None or now is None:
        return False
    return now > before  # type: ignore[operator]


def _moment(when: str | float | None) -> str | float | None:
    """Return a time that can be compared: texts with a date as seconds, whatever their fractions and time zones.

    Examples
    --------
    >>> _moment("2026-01-01T12:00:00.5Z") < _moment("2026-01-01T10:00:01-02:00")
    True
    """
    if not isinstance(when, str):
        return when
    try:
        found = datetime.fromisoformat(when.strip())
    except ValueError:
        return when
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def _times(times: Sequence[str | float | None], unit: Sequence[int]) -> list[str | None]:
    if set(map(type, times)) <= {str, type(None)}:
        return list(times) if unit == range(len(times)) else [times[u] for u in unit]  # type: ignore[misc, arg-type]
    return [when if isinstance(when, str) else as_number(when) for when in (times[u] for u in unit)]


def _left_out(counts: Counter[tuple[str, str]]) -> tuple[LeftOut, ...]:
    return tuple(LeftOut(reason=r, rows=n, detail=d) for (r, d), n in counts.items() if n)


def _kind(question: Question, value: list[object]) -> tuple[Kind, list[object]]:
    """Decide what the answers are, over all of them; choices that may hold several but never do are labels."""
    kind = question.kind
    if kind not in (None, "label", "set"):
        return kind, value
    # There are few different answers, so each is looked at once.
    distinct = set(value)
    if kind != "set" and set(map(type, distinct)) <= {str}:
        return "label", value
    single = kind == "label" or all(type(v) is str or len(v) == 1 for v in distinct)  # type: ignore[arg-type]
    if kind != "set" and single:
        labels = {v: v if type(v) is str else v[0] if v else "" for v in distinct}  # type: ignore[index]
        return "label", [labels[v] for v in value]
    sets = {v: tuple(sorted(set(v))) if type(v) is tuple else (v,) for v in distinct}
    return "set", [sets[v] for v in value]
