"""From the export of a tool to data sets, one a question."""

from __future__ import annotations

import glob
import io
import json
import os
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import polars as pl
from msgspec import field
from msgspec.structs import replace

from assent.data import Annotations, Dropped, ExportOrigin, Question
from assent.errors import (
    AssentError,
    EmptyTable,
    OptionError,
    UnknownColumn,
    UnreadableFile,
    UnsuitableData,
    did_you_mean,
)
from assent.limits import MOST_ASKED, QUESTIONS_LISTED
from assent.readers.exports import Answers, Export, LeftOut, Reader, ReadOptions, Source, Spans, read_export, recognise
from assent.readers.exports.registry import readers
from assent.readers.sources import Origin, whole
from assent.readers.span_options import OFFSETS, SpanOptions
from assent.records import Struct
from assent.text import counted, escaped, shown

if TYPE_CHECKING:
    from assent.data import Rankings
    from assent.data import Spans as SpanData

__all__ = ["MEASURED", "ExportChoices", "OpenedExport", "RecognisedExport", "reason_of", "recognised_export"]

#: Kinds of answers that there are coefficients for.
MEASURED = ("label", "set", "number", "spans", "ranking")
#: Which of them is taken first, if none was named.
_ORDER = {"label": 0, "set": 1, "number": 1, "spans": 2, "ranking": 3}
#: What answers of the other kinds are called, and why they are not measured.
_UNMEASURED = {
    "text": ("free text", "which is no label"),
}
#: What is left out, in the words that are the same for all tools; other codes say it themselves.
_REASONS = {"duplicate": "earlier duplicate", "unreadable": "not readable"}
#: Files that are never the export of a tool.
_TABLES = (".parquet", ".pq", ".xlsx", ".xlsm", ".xls", ".zst", ".zstd")
_PARQUET, _ZSTD, _ZIP = b"PAR1", b"\x28\xb5\x2f\xfd", b"PK"


class _Bytes(io.BytesIO):
    """What was read of a stream, to be read again, with its name."""

    def __init__(self, data: bytes, name: str) -> None:
        super().__init__(data)
        self.name = name


class ExportChoices(Struct, frozen=True, kw_only=True):
    """What `assent.read` takes that bears on the answers of an export.

    Parameters
    ----------
    columns : sequence of str
        What to keep beside each answer: ``text``, ``time``.
    missing : collection of str
        Labels that mean "no label".
    none : collection of str
        Labels that mean "none of the labels", in sets.
    multilabel : bool, optional
        Whether answers are taken as sets of labels, whatever they are.
    decimal : str
        Decimal mark of numbers.
    names : bool
        Annotators are called by their names or addresses, where the export has them.
    spans : SpanOptions
        What was said about spans.
    """

    columns: Sequence[str] = ()
    missing: Collection[str] = ()
    none: Collection[str] = ()
    multilabel: bool | None = None
    decimal: str = "."
    names: bool = False
    spans: SpanOptions = field(default_factory=SpanOptions)


class OpenedExport(Struct, frozen=True, kw_only=True):
    """An export that was recognised and read.

    Parameters
    ----------
    name : str
        Of the file, the folder or the files.
    """

    name: str
    reader: Reader
    export: Export

    @property
    def questions(self) -> tuple[Answers | Spans, ...]:
        """The questions that somebody answered."""
        return tuple(one for one in self.export.questions if (one.seen if isinstance(one, Spans) else one.value))

    @property
    def measurable(self) -> tuple[Answers | Spans, ...]:
        """The questions that there are coefficients for."""
        return tuple(one for one in self.questions if one.kind in MEASURED)

    def check_number(self) -> None:
        """Refuse to go through more questions than anybody asks."""
        if len(self.questions) > MOST_ASKED:
            raise UnsuitableData(
                f"{self._title} holds {len(self.questions):,} questions, too many to go through them all: name one with `question`, "
                f"such as {shown(self.questions[0].name)}."
            )

    def first(self) -> Answers | Spans:
        """Return the first question of labels; of sets or numbers if there is none, else of spans, else of rankings."""
        found = self.measurable
        if found:
            return min(found, key=lambda one: _ORDER[one.kind])
        others = self.questions
        if not others:
            raise EmptyTable(f"{self._title} holds no answer: there is nothing to measure.")
        raise self.refusal(others[0])

    def first_of_spans(self) -> Spans:
        """Return the first question of spans."""
        for one in self.questions:
            if isinstance(one, Spans):
                return one
        known = _listed([one.name for one in self.questions])
        raise UnsuitableData(f"{self._title} holds no spans: leave out `layout`. Its questions: {known}.")

    def named(self, name: str) -> Answers | Spans:
        """Return the question of that name."""
        for one in self.export.questions:
            if one.name == name:
                return one
        known = [one.name for one in self.questions]
        raise OptionError(f"{self._title} has no question {shown(name)}; {did_you_mean(name, known)}")

    def beside(self, name: str) -> list[str]:
        """Return what can be kept beside the answers to the question of that name."""
        return _beside(self.named(name), self.export)

    def refusal(self, question: Answers | Spans) -> UnsuitableData:
        """Return why a question cannot be measured, and which can."""
        what, why = _UNMEASURED[question.kind]
        many = len(question.label) if isinstance(question, Spans) else len(question.value)
        who = len({a for _, a in question.seen} if isinstance(question, Spans) else set(question.annotator))
        how_many = f"{many:,} by {counted(who, 'annotator')}"
        others = [one.name for one in self.measurable]
        if others:
            remedy = f"name another question with `question`: {_listed(others)}."
        else:
            remedy = f"{self._title} holds no question that can be measured."
        return UnsuitableData(f"The question {shown(question.name)} holds {what} ({how_many}), {why}; {remedy}")

    def one(self, choices: ExportChoices, question: str | None = None) -> Annotations | SpanData | Rankings:
        """Return the answers to one question, or to the first of labels; refuse those that have no coefficients."""
        taken = self.first() if question is None else self.named(question)
        if taken.kind not in MEASURED:
            raise self.refusal(taken)
        made = self.dataset(taken, choices)
        if question is None and len(self.questions) > 1:
            made = replace(made, notes=(made.notes[0], self._taken(taken), *made.notes[1:]))
        return made

    def all(self, choices: ExportChoices) -> dict[str, Annotations | SpanData | Rankings]:
        """Return the answers to every question that there are coefficients for."""
        self.check_number()
        if not self.measurable:
            self.first()
        return {one.name: self.dataset(one, choices) for one in self.measurable}

    def measured(self, choices: ExportChoices) -> dict[str, Annotations | SpanData | Rankings]:
        """Return the answers to every question that has coefficients, with a note on those that have none."""
        self.check_number()
        self.first()
        apart = [one.name for one in self.questions if one.kind not in MEASURED]
        made: dict[str, Annotations | SpanData | Rankings] = {}
        for one in self.measurable:
            try:
                data = self.dataset(one, choices)
            except EmptyTable:
                # All answers are among the texts that were said to mean "no label".
                continue
            more = (f"Not measured, since there are no coefficients for these: {_listed(apart)}.",) if apart else ()
            made[one.name] = replace(data, notes=(*data.notes, *more))
        if not made:
            raise EmptyTable(f"{self._title} holds no answer: there is nothing to measure.")
        return made

    def dataset(self, question: Answers | Spans, choices: ExportChoices) -> Annotations | SpanData | Rankings:
        """Return the answers to a question."""
        _check_columns(choices.columns, question, self.export)
        try:
            if isinstance(question, Spans):
                return self._spans(question, choices)
            if question.kind == "ranking":
                return self._rankings(question, choices)
            return self._labels(question, choices)
        except UnicodeEncodeError:
            raise UnreadableFile(
                f"{self._title} holds half a character (a lone surrogate) in an item, an annotator, a label or a text, "
                "as cutting a text in the middle of one leaves it; take it out."
            ) from None

    def _rankings(self, question: Answers, choices: ExportChoices) -> Rankings:
        """Return orders of objects: the objects of an item may be others than those of the next."""
        called = self._called(question.annotator, choices)
        rows = [
            (item, called.get(who, who), thing, place)
            for item, who, order in zip(question.item, question.annotator, question.value, strict=True)
            for thing, place in _places(order).items()
        ]
        from assent.data import Rankings

        made = Rankings.from_rows(rows)
        notes = (*self._notes(question), *made.notes)
        origin = self._origin(question, called)
        return replace(made, notes=notes, dropped=self._dropped(question), layout=self.reader.name, export=origin)

    def _labels(self, question: Answers, choices: ExportChoices) -> Annotations:
        called = self._called(question.annotator, choices)
        columns: dict[str, Sequence[object]] = {
            "item": question.item,
            "annotator": [called.get(name, name) for name in question.annotator] if called else question.annotator,
        }
        for name in choices.columns:
            known = self.export.texts
            columns[name] = [known.get(item) for item in question.item] if name == "text" else question.time or ()
        several = question.kind == "set"
        columns["label"] = _sets_as_text(question.value, choices) if several else question.value
        frame = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))
        made = Annotations.from_frame(
            frame,
            missing=() if several else choices.missing,
            # A tool's export has settled duplicates already; answers that stand twice in one unit are left.
            duplicates="last",
            layout=self.reader.name,
            decimal=choices.decimal,
            notes=self._notes(question),
            dropped=self._dropped(question),
            columns=list(dict.fromkeys(choices.columns)),
            parse=_text_as_set if several else None,
        )
        if several and choices.multilabel is False:
            made = replace(made, _sets=None)
        if not several and choices.multilabel:
            made = made._as_sets()
        if question.kind == "number" and question.order and set(question.order) >= set(made.single_labels):
            made = made.ordered(question.order)
        return replace(made, _export=self._origin(question, called))

    def _spans(self, question: Spans, choices: ExportChoices) -> SpanData:
        from assent.readers.kinds.spans import SpanRows, made_spans

        called = self._called([name for _, name in question.seen], choices)
        hulls = np.asarray(
            [(min(begin for begin, _ in parts), max(end for _, end in parts)) for parts in question.parts],
            dtype=np.int64,
        ).reshape(-1, 2)
        options = choices.spans
        if options.offsets != "codepoints" and OFFSETS[options.offsets] != question.offsets:
            raise OptionError(
                f"The offsets of this export count {question.offsets}, and `offsets` cannot change that: leave it out."
            )
        rows = SpanRows(
            row=np.arange(1, len(hulls) + 1),
            document=pl.Series(question.document, dtype=pl.String),
            annotator=pl.Series([called.get(name, name) for name in question.annotator], dtype=pl.String),
            start=hulls[:, 0],
            end=hulls[:, 1],
            label=pl.Series(question.label, dtype=pl.String),
            judged=(
                pl.Series([document for document, _ in question.seen], dtype=pl.String),
                pl.Series([called.get(name, name) for _, name in question.seen], dtype=pl.String),
            ),
            fragments={at: parts for at, parts in enumerate(question.parts) if len(parts) > 1},
        )
        made = made_spans(
            rows,
            options,
            name=self._title,
            texts=question.texts,
            lengths=question.lengths,
            tokens=question.tokens,
            dropped=self._dropped(question),
            notes=self._notes(question),
            layout=self.reader.name,
            export=self._origin(question, called),
            stacked=question.stacked,
        )
        if question.offsets != made.offsets:
            made = replace(made, offsets=question.offsets)
        # Texts are kept where they were asked for.
        return made if "text" in choices.columns or options.texts is not None else replace(made, texts={})

    def _called(self, annotators: Sequence[str], choices: ExportChoices) -> dict[str, str]:
        """Return the names behind ids, if they were asked for and tell the annotators apart."""
        if not choices.names:
            return {}
        called = {name: self.export.names.get(name, name) for name in dict.fromkeys(annotators)}
        return called if len(set(called.values())) == len(called) else {}

    def _origin(self, question: Answers | Spans, called: dict[str, str]) -> ExportOrigin:
        return ExportOrigin(
            format=self.export.format,
            question=question.name,
            questions=self.listed(),
            models=tuple(sorted(called.get(name, name) for name in question.models)),
            gold=dict(question.gold),
            texts=self.export.texts,
            text_field=self.export.text_field,
        )

    def listed(self) -> tuple[Question, ...]:
        """Return every question with its kind and how many answers it has."""
        return tuple(
            Question(
                name=one.name,
                kind=one.kind,
                n_annotations=len(one.label) if isinstance(one, Spans) else len(one.value),
            )
            for one in self.export.questions
        )

    @property
    def _title(self) -> str:
        return f"{shown(self.name, 120)} ({escaped(self.export.format)})"

    def _taken(self, question: Answers | Spans) -> str:
        others = [one.name for one in self.measurable if one is not question]
        apart = [one.name for one in self.questions if one.kind not in MEASURED]
        said = f"No question was named: this is {shown(question.name)}"
        if others:
            said += f"; `question` names another: {_listed(others)}"
        if apart:
            said += f"; not measured: {_listed(apart)}"
        return f"{said}."

    def _notes(self, question: Answers | Spans) -> tuple[str, ...]:
        about = (*self.export.notes, *question.notes)
        if question.gold:
            items = counted(len(question.gold), "document" if isinstance(question, Spans) else "item")
            use = (
                ""
                if isinstance(question, Spans)
                else "; `assent consensus` with `gold` export scores methods against them"
            )
            about = (*about, f"The export holds right answers (gold) to {items}{use}.")
        if question.models:
            models = _listed(sorted(question.models))
            about = (
                *about,
                f"{counted(len(question.models), 'annotator among these is a program', 'annotators among these are programs')}: {models}.",
            )
        return (self.export.summary(), *(escaped(sentence) for sentence in about))

    def _dropped(self, question: Answers | Spans) -> tuple[Dropped, ...]:
        return tuple(Dropped(reason_of(one), one.rows) for one in (*self.export.left_out, *question.left_out))


def reason_of(left: LeftOut) -> str:
    """Return why rows were left out, in the words that are the same for all tools.

    Examples
    --------
    >>> reason_of(LeftOut(reason="skipped", rows=3, detail="was_cancelled"))
    'skipped (was_cancelled)'
    """
    said = _REASONS.get(left.reason, left.reason.replace("-", " "))
    return escaped(f"{said} ({left.detail})" if left.detail else said)


def _places(order: Any) -> dict[str, float]:
    """Return the place of each thing in an order; those that share a place stand in it as a tuple."""
    places: dict[str, float] = {}
    for entry in order:
        before = float(len(places) + 1)
        for thing in (entry,) if isinstance(entry, str) else entry:
            places.setdefault(thing, before)
    return places


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - QUESTIONS_LISTED:,} more" if len(names) > QUESTIONS_LISTED else ""
    return ", ".join(shown(name) for name in names[:QUESTIONS_LISTED]) + more


def _beside(question: Answers | Spans, export: Export) -> list[str]:
    """Return what can be kept beside the answers to a question."""
    there = ["text"] if export.texts or (isinstance(question, Spans) and question.texts) else []
    return [*there, *(["time"] if isinstance(question, Answers) and question.time is not None else [])]


def _check_columns(columns: Sequence[str], question: Answers | Spans, export: Export) -> None:
    there = _beside(question, export)
    for name in columns:
        if name not in there:
            has = f"it has {' and '.join(there)}" if there else "it has neither texts nor times"
            raise UnknownColumn(f"This export of a tool has no {shown(name)} to keep beside the answers; {has}.")


def _sets_as_text(values: Sequence[object], choices: ExportChoices) -> list[str | None]:
    """Write sets as JSON, which takes any label; None where all that was chosen means "no label"."""
    missing, none = set(choices.missing), set(choices.none)
    texts: dict[object, str | None] = {}
    for value in set(values):
        labels = cast("tuple[str, ...]", value)
        left = [label for label in labels if label not in missing]
        chosen = [label for label in left if label not in none]
        texts[value] = None if labels and not left else json.dumps(chosen, ensure_ascii=False)
    return [texts[value] for value in values]


def _text_as_set(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text))


class RecognisedExport(Struct, frozen=True, kw_only=True):
    """Files that are the export of a tool, before they are read."""

    source: Source
    reader: Reader
    options: ReadOptions

    def read(self) -> OpenedExport:
        """Read all of it."""
        try:
            export = read_export(self.source, options=self.options, format=self.reader.name)
        except AssentError as error:
            if self.reader.title in str(error):
                raise
            raise type(error)(f"Read as {self.reader.title}: {error}") from None
        return OpenedExport(name=self.source.name, reader=self.reader, export=export)


def recognised_export(
    origins: Sequence[Origin], *, options: ReadOptions, format: str | None = None
) -> tuple[RecognisedExport | None, list[Origin]]:
    """Tell whether files are the export of a tool.

    Parameters
    ----------
    format : str, optional
        Name of a reader, if it is not to be recognised.

    Returns
    -------
    RecognisedExport or None
        None if it is of no known tool.
    list of path or open binary file
        The same files: those that can be read once only have been, and are here to be read again.
    """
    found = [_again(origin) for origin in origins]
    if not found or any(one is None for one in found):
        return None, list(origins)
    again = [cast("Origin", one) for one in found]
    paths = [path for one in again for path in _expanded(one)]
    heads = [_head(path) for path in paths]
    archive = any(head.startswith(_ZIP) or head == b"folder" for head in heads)
    if format is None and (any(map(_is_table, paths, heads)) or (len(paths) == 1 and _is_plain(paths[0], heads[0]))):
        return None, _rewound(again)
    try:
        source = Source.of(*paths, encoding=options.encoding)
        reader = recognise(source) if format is None else next(one for one in readers() if one.name == format)
    except AssentError:
        # What is wrong with a plain file is said by the reader of tables, which knows more of them.
        if archive or format is not None:
            raise
        return None, _rewound(again)
    if reader is None:
        return None, _rewound(again)
    return RecognisedExport(source=source, reader=reader, options=options), again


def _again(origin: Origin) -> Origin | None:
    """Return what can be read more than once; None if it cannot be read at all, which the reader of tables says."""
    try:
        if hasattr(origin, "read"):
            data: Any = origin.read()
            data = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else bytes(data)
            return cast("Origin", _Bytes(data, str(getattr(origin, "name", "the open file"))))
        text = os.fspath(origin)
        if text == "-":
            return cast("Origin", _Bytes(sys.stdin.buffer.read(), "standard input"))
        path = Path(text)
        if not path.exists():
            return text if glob.has_magic(text) and glob.glob(text, recursive=True) else None
        # A pipe, as in <(command), is read once.
        if not path.is_file() and not path.is_dir():
            return cast("Origin", _Bytes(whole(path), str(path)))
        return origin
    except (OSError, ValueError, TypeError):
        return None


def _expanded(origin: Origin) -> list[Origin]:
    if hasattr(origin, "read"):
        return [origin]
    text = os.fspath(origin)
    if Path(text).exists():
        return [origin]
    return [*sorted(glob.glob(text, recursive=True))]


#: Of a file, to tell what it is: the third line of a form may come late.
FIRST_BYTES = 1 << 16


def _head(origin: Origin) -> bytes:
    """Return the first bytes; "folder" for one."""
    if isinstance(origin, _Bytes):
        return origin.getvalue()[:FIRST_BYTES]
    path = Path(os.fspath(origin))  # type: ignore[arg-type]
    if path.is_dir():
        return b"folder"
    try:
        with path.open("rb") as file:
            return file.read(FIRST_BYTES)
    except OSError:
        return b""


def _is_table(origin: Origin, head: bytes) -> bool:
    """Tell a file that no tool exports, so that nobody needs to look at it."""
    name = origin.name if isinstance(origin, _Bytes) else os.fspath(origin)  # type: ignore[arg-type]
    if str(name).lower().endswith(_TABLES) or head.startswith((_PARQUET, _ZSTD)) or not head:
        return True
    if head == b"folder":
        return any(True for _ in Path(str(name)).rglob("*.parquet"))
    return head.startswith(_ZIP) and b"xl/" in head


#: What stands in the first lines of every delimited file that a tool exports, in small letters.
MARKS = (
    "annotation_id", "hitid", "assignment:", "instance_id", "importid", ".responses", "doc", "collection", "timestamp", "zeitstempel",
    "horodateur", "marca temporal", "carimbo de data/hora", "tijdstempel", "informazioni cronologiche", "tidsstempel", "aikaleima",
    "sygnatura czasowa",
)  # fmt: skip


def _is_plain(origin: Origin, head: bytes) -> bool:
    """Tell a delimited file that is no export by its first lines, without loading the readers of all tools."""
    name = origin.name if isinstance(origin, _Bytes) else os.fspath(origin)  # type: ignore[arg-type]
    if (
        not str(name).lower().endswith((".csv", ".tsv"))
        or head.lstrip()[:1] in (b"{", b"[", b"<", b"#")
        or b"\0" in head
    ):
        return False
    start = head.decode("utf-8", "replace").lower()
    return not any(mark in start for mark in MARKS)


def _rewound(origins: list[Origin]) -> list[Origin]:
    for one in origins:
        if isinstance(one, _Bytes):
            one.seek(0)
    return origins
