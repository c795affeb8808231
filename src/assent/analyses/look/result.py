"""What a look at files shows."""

from __future__ import annotations

from typing import Any

from assent.analyses.labels.spellings import Alike
from assent.data import Dropped
from assent.documents import Document, Result
from assent.records import Record, Struct, plain

__all__ = ["Alternative", "ColumnSeen", "Look", "QuestionSeen"]


class ColumnSeen(Record, frozen=True, kw_only=True):
    """A column of a table.

    Parameters
    ----------
    role : str
        What it would be read as: item, annotator, label, cluster, annotators' labels, count of a label, gold, or not used.
    distinct : int or None
        Different values in the first rows; None if they were not counted.
    examples : tuple of str
        The first of them.
    """

    name: str
    role: str
    distinct: int | None = None
    examples: tuple[str, ...] = ()


class QuestionSeen(Struct, frozen=True, kw_only=True):
    """A question, with the labels that it would be answered with.

    Parameters
    ----------
    name : str
        Empty if the table has one question without a name.
    kind : str
        label, set, number, ranking, text or spans.
    n_annotators : int or None
        None if the table does not say who annotated.
    labels : tuple of (str, int)
        Labels and how often each was given, the most frequent first; not all of them if there are many.
    similar : tuple of Alike
        Labels that may be one label, spelled in two ways.
    missing : tuple of str
        Labels that usually mean "no label".
    numeric : bool
        All labels are numbers.
    order : tuple of str
        The labels from low to high if they are words of a usual scale, such as "agree" and "disagree"; else nothing.
    refused : str or None
        Why it could not be measured.
    """

    name: str
    kind: str
    n_items: int
    n_annotators: int | None
    n_annotations: int
    labels: tuple[tuple[str, int], ...] = ()
    n_labels: int = 0
    similar: tuple[Alike, ...] = ()
    missing: tuple[str, ...] = ()
    numeric: bool = False
    order: tuple[str, ...] = ()
    refused: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "name": self.name,
            "kind": self.kind,
            "items": self.n_items,
            "annotators": self.n_annotators,
            "annotations": self.n_annotations,
            "labels": [{"label": label, "annotations": many} for label, many in self.labels],
            "n_labels": self.n_labels,
            "similar": plain(self.similar),
            "missing": list(self.missing),
            "numeric": self.numeric,
            "order": list(self.order),
            "refused": self.refused,
        }


class Alternative(Record, frozen=True, kw_only=True):
    """A command to copy, and what it is for."""

    command: str
    purpose: str


class Look(Result, frozen=True, kw_only=True):
    """How files would be read, and why; what is in them; and which options change that.

    Parameters
    ----------
    name : str
        Of the file or files.
    format : str
        Such as ``csv`` or ``Label Studio JSON``.
    layout : str or None
        long, wide, counts, table, or the name of a tool; None if it could not be told.
    columns : tuple of ColumnSeen
        Of a table.
    n_columns : int
    questions : tuple of QuestionSeen
    header : tuple of str
    rows : tuple of tuple of str
        The first rows, cut short.
    dropped : tuple of Dropped
        What would be left out.
    notes : tuple of str
        What was recognised, and what looks odd.
    refused : str or None
        Why nothing could be measured, and what to do; None if something could.
    commands : tuple of Alternative
        The first is this reading, spelled out.
    """

    name: str
    format: str
    layout: str | None
    columns: tuple[ColumnSeen, ...] = ()
    n_columns: int = 0
    questions: tuple[QuestionSeen, ...] = ()
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    dropped: tuple[Dropped, ...] = ()
    notes: tuple[str, ...] = ()
    refused: str | None = None
    commands: tuple[Alternative, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "name": self.name,
            "format": self.format,
            "layout": self.layout,
            "refused": self.refused,
            "columns": plain(self.columns),
            "n_columns": self.n_columns,
            "questions": plain(self.questions),
            "header": list(self.header),
            "rows": [list(row) for row in self.rows],
            "dropped": [{"reason": one.reason, "rows": one.rows} for one in self.dropped],
            "notes": list(self.notes),
            "commands": plain(self.commands),
        }

    def document(self) -> Document:
        """Return what a person reads of it."""
        from assent.analyses.look.document import document_of

        return document_of(self)
