"""What a reader of a tool's export hands over: questions with their answers, and what was left out and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["Answers", "Export", "Kind", "LeftOut", "Spans"]

#: What the answers to a question are. It is decided over the whole file: a multiple choice with one box ticked is a set.
Kind = Literal["label", "set", "number", "ranking", "preference", "text", "spans"]


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """Rows that do not count, and why.

    Parameters
    ----------
    reason : str
        One of the codes that all readers share: skipped, draft, discarded, rejected, ignored, unfinished, duplicate,
        no-answer, free-text, model, gold, survey-page, impossible-span, unreadable.
    rows : int
    detail : str
        What the tool calls it, such as ``was_cancelled``; empty if there is nothing to add.
    """

    reason: str
    rows: int
    detail: str = ""


@dataclass(frozen=True, kw_only=True)
class Answers:
    """The answers to one question, one a row, in parallel lists.

    Parameters
    ----------
    name : str
        Of the question, as the tool has it.
    kind : str
    item, annotator : list of str
    value : list
        label: str; set: tuple of str; number: str, as written; ranking: tuple of str, best first; preference: str (the
        winner); text: str.
    time : list of str or None
        When, as the tool writes it; None if it does not say.
    models : frozenset of str
        Annotators that are programs; they are among the rows only if they were asked for.
    gold : mapping of item to value
        What the tool marks as the right answer: curation, review, control tasks.
    order : tuple of str
        Labels in the order the tool gives them, if it does; else empty.
    left_out : tuple of LeftOut
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


@dataclass(frozen=True, kw_only=True)
class Spans:
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
    models, gold, left_out, notes
        As in `Answers`; gold maps a document to a tuple of (parts, label).
    """

    name: str
    document: list[str]
    annotator: list[str]
    parts: list[tuple[tuple[int, int], ...]]
    label: list[str]
    seen: list[tuple[str, str]]
    texts: Mapping[str, str] = field(default_factory=dict)
    lengths: Mapping[str, int] = field(default_factory=dict)
    models: frozenset[str] = frozenset()
    gold: Mapping[str, tuple[tuple[tuple[tuple[int, int], ...], str], ...]] = field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()

    kind: Kind = "spans"


@dataclass(frozen=True, kw_only=True)
class Export:
    """Everything a reader took from an export.

    Parameters
    ----------
    format : str
        The tool and the form, such as ``Label Studio JSON``.
    questions : tuple of Answers or Spans
        In the order of the file.
    texts : mapping of item to str
        What the items say, as far as the export holds it.
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
    names: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()
