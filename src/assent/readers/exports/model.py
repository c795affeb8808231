"""What a reader of a tool's export hands over: questions with their answers, and what was left out and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import field

from assent.limits import QUESTIONS_DESCRIBED
from assent.records import Struct
from assent.text import escaped

__all__ = ["REASONS", "Answers", "Export", "Kind", "LeftOut", "Spans"]

#: What the answers to a question are. It is decided over the whole file: a multiple choice with one box ticked is a set.
Kind = Literal["label", "set", "number", "ranking", "text", "spans"]


#: The codes of `LeftOut`, as they are said of one and of several.
REASONS: Mapping[str, tuple[str, str]] = {
    "skipped": ("skipped", "skipped"),
    "draft": ("draft", "drafts"),
    "discarded": ("discarded", "discarded"),
    "rejected": ("rejected", "rejected"),
    "ignored": ("ignored", "ignored"),
    "unfinished": ("unfinished", "unfinished"),
    "duplicate": ("earlier duplicate", "earlier duplicates"),
    "no-answer": ("without an answer", "without an answer"),
    "free-text": ("free text", "free texts"),
    "model": ("answer of a model", "answers of models"),
    "gold": ("gold answer", "gold answers"),
    "survey-page": ("answer on a survey page", "answers on survey pages"),
    "impossible-span": ("impossible span", "impossible spans"),
    "unreadable": ("not readable", "not readable"),
    "not-measured": ("not measured", "not measured"),
}


class LeftOut(Struct, frozen=True, kw_only=True):
    """Rows that do not count, and why.

    Parameters
    ----------
    reason : str
        One of the codes that all readers share: skipped, draft, discarded, rejected, ignored, unfinished, duplicate,
        no-answer, free-text, model, gold, survey-page, impossible-span, unreadable, not-measured (relations, regions of
        images and the like).
    detail : str
        What the tool calls it, such as ``was_cancelled``; empty if there is nothing to add.
    """

    reason: str
    rows: int
    detail: str = ""

    def said(self) -> str:
        """Return it as a clause, such as ``3 skipped (was_cancelled)``.

        Examples
        --------
        >>> LeftOut(reason="duplicate", rows=1).said()
        '1 earlier duplicate'
        """
        one, many = REASONS.get(self.reason, (self.reason, self.reason))
        return f"{self.rows:,} {one if self.rows == 1 else many}{f' ({self.detail})' if self.detail else ''}"


class Answers(Struct, frozen=True, kw_only=True):
    """The answers to one question, one a row, in parallel lists.

    Parameters
    ----------
    name : str
        Of the question, as the tool has it.
    value : list
        label: str; set: tuple of str; number: str, as written; ranking: tuple of str, best first, a tuple in it
        for those that share a place; text: str.
    time : list of str or None
        When, as the tool writes it; None if it does not say.
    models : frozenset of str
        Annotators that are programs; they are among the rows only if they were asked for.
    gold : mapping of item to value
        What the tool marks as the right answer: curation, review, control tasks.
    order : tuple of str
        Labels in the order the tool gives them, if it does; else empty.
    notes : tuple of str
        What a reader of the number must know of this question.
    """

    name: str
    kind: Kind
    item: list[str]
    annotator: list[str]
    value: list[object]
    time: list[str | None] | None = None
    models: frozenset[str] = frozenset()
    gold: Mapping[str, object] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()


class Spans(Struct, frozen=True, kw_only=True):
    """The spans that answer one question, one a row, and who has seen which document.

    Offsets count code points of the document's text, end exclusive, whatever the tool counts.

    Parameters
    ----------
    name : str
    document, annotator : list of str
        Of each span.
    parts : list of tuple of (int, int)
        Begin and end of each part of the span; one part unless it is discontinuous.
    label : list of str
    seen : list of (str, str)
        Every (document, annotator) that was judged, with spans or without.
    texts : mapping of document to text
        As far as the export holds them.
    lengths : mapping of document to int
        In code points, as far as they are known.
    tokens : mapping of document to sequence of (int, int)
        Where each token begins and ends, if the export holds tokens.
    models, gold, left_out, notes
        As in `Answers`; gold maps a document to a tuple of (parts, label).
    offsets : str
        What the offsets count, if not code points.
    stacked : bool
        The tool lets an annotator mark the same place with the same label several times, and each of these counts.
    """

    name: str
    document: list[str]
    annotator: list[str]
    parts: list[tuple[tuple[int, int], ...]]
    label: list[str]
    seen: list[tuple[str, str]]
    texts: Mapping[str, str] = field(default_factory=dict)
    lengths: Mapping[str, int] = field(default_factory=dict)
    tokens: Mapping[str, Sequence[tuple[int, int]]] = field(default_factory=dict)
    models: frozenset[str] = frozenset()
    gold: Mapping[str, tuple[tuple[tuple[tuple[int, int], ...], str], ...]] = field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()
    offsets: str = "code points"
    stacked: bool = False

    kind: Kind = "spans"


class Export(Struct, frozen=True, kw_only=True):
    """Everything a reader took from an export.

    Parameters
    ----------
    format : str
        The tool and the form, such as ``Label Studio JSON``.
    questions : tuple of Answers or Spans
        In the order of the file.
    texts : mapping of item to str
        What the items say, as far as the export holds it.
    text_field : str
        What the tool calls that, where those who set up a project choose a name for it.
    names : mapping of annotator to str
        E-mail addresses and real names behind the annotators' ids; never shown unless asked for.
    left_out : tuple of LeftOut
        What belongs to no single question.
    notes : tuple of str
        What was recognised, and what one must know, a sentence each.
    """

    format: str
    questions: tuple[Answers | Spans, ...]
    texts: Mapping[str, str] = field(default_factory=dict)
    text_field: str = "text"
    names: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()

    def summary(self) -> str:
        """Return in one sentence what was recognised, with how much there is of it.

        Examples
        --------
        >>> tone = Answers(name="tone", kind="label", item=["1", "1"], annotator=["a", "b"], value=["x", "y"])
        >>> Export(format="Prodigy", questions=(tone,)).summary()
        'Read as Prodigy: one question, tone (labels; 2 answers, 1 item, 2 annotators).'
        """
        number = "one question," if len(self.questions) == 1 else f"{len(self.questions)} questions:"
        some = [_described(question) for question in self.questions[:QUESTIONS_DESCRIBED]]
        if len(self.questions) > QUESTIONS_DESCRIBED:
            some.append(f"and {len(self.questions) - QUESTIONS_DESCRIBED:,} more")
        # Names of questions come from the file and may hold anything.
        return escaped(f"Read as {self.format}: {number} {'; '.join(some) or 'nothing to compare'}.")

    def said(self) -> tuple[str, ...]:
        """Return what was read and what was left out, a sentence each: for the head of any result.

        Examples
        --------
        >>> tone = Answers(name="tone", kind="label", item=["1", "1"], annotator=["a", "b"], value=["x", "y"])
        >>> Export(format="Prodigy", questions=(tone,), left_out=(LeftOut(reason="ignored", rows=2),)).said()
        ('Read as Prodigy: one question, tone (labels; 2 answers, 1 item, 2 annotators).', 'Left out: 2 ignored.')
        """
        sentences = [self.summary()]
        if self.left_out:
            sentences.append(f"Left out: {', '.join(o.said() for o in self.left_out)}.")
        sentences.extend(
            f"Left out of {question.name}: {', '.join(o.said() for o in question.left_out)}."
            for question in self.questions
            if question.left_out
        )
        sentences.extend(self.notes)
        for question in self.questions:
            sentences.extend(f"{question.name}: {note}" for note in question.notes)
        return (sentences[0], *(escaped(sentence) for sentence in sentences[1:]))


_KINDS: Mapping[str, str] = {
    "label": "labels", "set": "sets of labels", "number": "numbers", "ranking": "rankings",
    "text": "free texts", "spans": "spans",
}  # fmt: skip


def _short(name: str, limit: int = 80) -> str:
    """Return a name that may be a whole question, as in a survey."""
    return name if len(name) <= limit else f"{name[: limit - 1]}…"


def _described(question: Answers | Spans) -> str:
    if isinstance(question, Spans):
        rows, items = len(question.label), len({document for document, _ in question.seen})
        annotators = len({annotator for _, annotator in question.seen})
        kind, of = "spans", "document"
    else:
        rows, items = len(question.value), len(set(question.item))
        annotators, kind, of = len(set(question.annotator)), "answer" if len(question.value) == 1 else "answers", "item"
    unit = "" if isinstance(question, Spans) else f" {kind}"
    return (
        f"{_short(question.name)} ({_KINDS[question.kind]}; {rows:,}{unit}, {items:,} {of}{'' if items == 1 else 's'}, "
        f"{annotators:,} annotator{'' if annotators == 1 else 's'})"
    )
