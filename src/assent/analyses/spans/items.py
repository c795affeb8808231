"""Documents in which spans are marked, the most disputed first."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from msgspec.structs import replace

from assent.analyses.by_kind import answers
from assent.analyses.items.tools import ToolItem, ToolItems, tool_text
from assent.analyses.recommend import gamma_takes_long
from assent.analyses.spans.boundaries import Boundaries, boundaries
from assent.analyses.spans.differences import ERRORS, MEANS, Differences, differences
from assent.analyses.spans.marking import marked_documents
from assent.atomic_files import write_whole
from assent.data import Spans
from assent.data.held_spans import HeldSpans
from assent.documents.blocks import (
    Block,
    Cell,
    Column,
    Document,
    Heading,
    Prose,
    Table,
    coefficient,
    count,
    name,
    notes,
    table_of,
)
from assent.documents.result import Result
from assent.errors import OptionError, UnsuitableData, did_you_mean
from assent.limits import DOCUMENTS_MARKED, LISTED_ITEMS, MOST_NAMED_IN_TABLE, SPANS_ALIGNED
from assent.profiles import Array
from assent.records import Struct, cached_property, plain
from assent.text import counted, shown

__all__ = ["SpanItem", "SpanItems", "span_items"]

#: Samples of chance for gamma of a document.
SAMPLES = 30


class SpanItem(Struct, frozen=True, kw_only=True):
    """One document.

    Parameters
    ----------
    spans : mapping of str to int
        By annotator who judged it.
    f1 : float
        Exact, in the mean over pairs of annotators; NaN if nobody marked anything.
    gamma : float
        Of the document by itself; NaN if nobody marked anything, or where aligning all documents would take long.
    classes : mapping of str to int
        How often each of `ERRORS` occurs when every span is compared with every other annotator.
    """

    item: str
    spans: Mapping[str, int]
    f1: float
    gamma: float = math.nan
    classes: Mapping[str, int]

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "item": self.item,
            "annotators": len(self.spans),
            "spans": dict(self.spans),
            "f1": plain(self.f1),
            "gamma": plain(self.gamma),
            "comparisons": sum(self.classes.values()),
            "classes": dict(self.classes),
        }


class SpanItems(Result, frozen=True, kw_only=True, eq=False, dict=True):
    """The documents, the most disputed first, and what becomes of spans in all of them.

    Parameters
    ----------
    n_matching : int
        Documents that were asked for, before the first of them were taken.
    """

    items: tuple[SpanItem, ...]
    differences: Differences
    n_matching: int
    notes: tuple[str, ...] = ()

    @property
    def aligned(self) -> bool:
        """Whether gamma was computed."""
        return any(not math.isnan(one.gamma) for one in self.items)

    @cached_property
    def boundaries(self) -> Boundaries:
        """How far apart spans with other ends begin and end."""
        return boundaries(self.differences)

    def to_dict(self) -> dict[str, Any]:
        """Return all documents as plain values."""
        return {
            "items": plain(self.items),
            "total": len(self.differences.data.documents),
            "matching": self.n_matching,
            "differences": self.differences.to_dict(),
            "boundaries": self.boundaries.to_dict(),
            "notes": list(self.notes),
        }

    def head(self, number: int) -> SpanItems:
        """Return the first documents alone; what is said of all stays."""
        return replace(self, items=self.items[:number])

    def __len__(self) -> int:
        return len(self.items)

    def disputed(self) -> SpanItems:
        """Return the same with those documents alone in which annotators differ."""
        kept = tuple(one for one in self.items if one.f1 < 1)
        return replace(self, items=kept, n_matching=len(kept))

    def to_tool(self, tool: str, path: str | os.PathLike[str] | None = None) -> str:
        """Return the documents in the form that an annotation tool imports, and write them if there is a path.

        Parameters
        ----------
        tool : {"label-studio", "prodigy", "doccano", "csv"}
        path : path, optional
            The file is written whole or not at all.

        Returns
        -------
        str
            What the file holds. Where the text of a document is not known its name stands in its place.
        """
        known, origin = self._texts, self.differences.data.export
        rows = [
            ToolItem(text=known.get(one.item, one.item), item=one.item, agreement=plain(one.f1), votes=one.spans)
            for one in self.items
        ]
        field = "text" if origin is None else origin.text_field
        content = tool_text(ToolItems(rows=rows, votes="spans", text_field=field), tool)
        if path is not None:
            write_whole(path, content)
        return content

    @property
    def texts_known(self) -> bool:
        """Whether the text of every document that is looked at is known."""
        return all(one.item in self._texts for one in self.items)

    @property
    def _texts(self) -> Mapping[str, str]:
        data = self.differences.data
        return {**({} if data.export is None else data.export.texts), **data.texts}

    def table(self, rows: int = LISTED_ITEMS) -> Table:
        """Return the table of the first documents."""
        left = self.n_matching - min(rows, len(self.items))

        def marked(one: SpanItem) -> Cell:
            total, few = sum(one.spans.values()), len(one.spans) <= MOST_NAMED_IN_TABLE
            return Cell(text=", ".join(map(str, one.spans.values())) if few else f"{total:,}", sort=total)

        return table_of(
            "disputed-documents",
            "Documents, the lowest F1 first",
            self.items[:rows],
            [
                (Column("document", "name"), lambda one: name(one.item)),
                (Column("F1"), lambda one: coefficient(one.f1)),
                (Column("gamma"), lambda one: coefficient(one.gamma)) if self.aligned else None,
                (Column("spans", meaning="By annotator, in the order of their names."), marked),
                *((_column(kind), partial(_counted, kind)) for kind in ERRORS),
            ],
            more=f"{left:,} more documents are in the JSON." if left > 0 else "",
        )

    def document(self) -> Document:
        """Return what becomes of spans, and the table of the documents."""
        told = [Prose([advice])] if (advice := self.differences.advice()) else []
        blocks = [self.table(), *self.shown(), self.differences.table(), *self.boundaries.blocks(), *notes(self.notes)]
        return Document("Items", [*told, *blocks])

    def shown(self, *, texts: bool = True) -> list[Block]:
        """Return the first documents on which annotators differ, as each of them marked it; offsets where there is no text."""
        names = [one.item for one in self.items[:DOCUMENTS_MARKED] if one.f1 < 1]
        if not names:
            return []
        known = texts and any(name in self.differences.data.texts for name in names)
        said = (
            "Each line is one annotator's; the label stands at the end of what they marked. Only the text near a difference is shown."
            if known
            else "Offsets of what each annotator marked, with the label, from the first difference on; … stands for what is left out."
        )
        marked = marked_documents(self.differences, names, texts=texts)
        return [Heading("As each annotator marked it"), Prose([said]), *marked]


def _counted(kind: str, one: SpanItem) -> Cell:
    return count(one.classes[kind])


def _column(kind: str) -> Column:
    short = {"identical": "same", "boundary": "ends", "only": "alone"}.get(kind, kind)
    return Column(short, meaning=f"{MEANS[kind].capitalize()}.")


@answers("items", "spans")
def span_items(
    data: Spans | HeldSpans,
    *,
    has_label: str | None = None,
    label_pair: tuple[str, str] | None = None,
    from_annotator: str | Sequence[str] = (),
) -> SpanItems:
    """Return what becomes of the spans of each document, the most disputed document first.

    Parameters
    ----------
    has_label : str, optional
        Only documents in which a span has this label; with `from_annotator`, by each of these.
    label_pair : tuple of two str, optional
        Only documents in which one annotator's span has the one label and another's in its place the other.
    from_annotator : str or sequence of str
        Only documents that each of these judged.

    Examples
    --------
    >>> rows = [
    ...     ("d1", "ada", 0, 4, "PER"),
    ...     ("d1", "ben", 0, 4, "PER"),
    ...     ("d2", "ada", 0, 4, "PER"),
    ...     ("d2", "ben", 0, 4, "ORG"),
    ... ]
    >>> [(one.item, one.f1, one.classes["label"]) for one in span_items(Spans.from_rows(rows)).items]
    [('d2', 0.0, 2), ('d1', 1.0, 0)]
    """
    found = differences(data)
    here = found.data
    number, people = len(here.documents), len(here.annotators)
    classes = found.counts(here.document, number)
    scores = found.f1_of_documents
    near, note = _gammas(here)
    many = np.bincount(here.document * people + here.annotator, minlength=number * people)
    spans: list[dict[str, int]] = [{} for _ in range(number)]
    for document, who in here.judged.tolist():
        spans[document][here.annotators[who]] = int(many[document * people + who])
    rows = [
        SpanItem(item=one, spans=some, f1=score, gamma=near, classes=dict(zip(ERRORS, these, strict=True)))
        for one, some, score, near, these in zip(
            here.documents, spans, scores.tolist(), near.tolist(), classes.tolist(), strict=True
        )
    ]
    everything = rows
    kept = _chosen(
        found, has_label, label_pair, [from_annotator] if isinstance(from_annotator, str) else from_annotator
    )
    rows = [one for one, stays in zip(rows, kept.tolist(), strict=True) if stays]
    rows.sort(key=lambda one: (math.isnan(one.f1), one.f1, -sum(one.classes.values()), one.item))
    return SpanItems(
        items=tuple(rows), differences=found, n_matching=len(rows), notes=(*_notes(data, everything), *note)
    )


def _chosen(found: Differences, label: str | None, pair: tuple[str, str] | None, people: Sequence[str]) -> Array:
    """Mark the documents that are asked for: (documents,)."""
    data = found.data
    known = {"label": data.labels, "annotator": data.annotators}

    def code(option: str, kind: str, name: str) -> int:
        if name not in known[kind]:
            raise OptionError(f"`{option}`: there is no {kind} {shown(name)}; {did_you_mean(name, known[kind])}")
        return known[kind].index(name)

    def with_spans(spans: Array) -> Array:
        return np.bincount(data.document[spans], minlength=len(data.documents)) > 0

    kept = np.ones(len(data.documents), dtype=bool)
    for one in people:
        who = code("from_annotator", "annotator", one)
        judged = data.judged[data.judged[:, 1] == who, 0]
        kept &= np.bincount(judged, minlength=len(kept)) > 0
        if label is not None:
            kept &= with_spans((data.label == code("has_label", "label", label)) & (data.annotator == who))
    if label is not None:
        kept &= with_spans(data.label == code("has_label", "label", label))
    if pair is not None:
        codes = np.sort([[code("label_pair", "label", name)] for name in pair], 0)
        labels = np.stack([data.label[found.aligned.first], data.label[found.aligned.second]])
        kept &= with_spans(found.aligned.first[(np.sort(labels, 0) == codes).all(0)])
    return kept


def _gammas(data: Spans) -> tuple[Array, list[str]]:
    """Return gamma of each document by itself, and what must be said of it: (documents,)."""
    from assent.measures._gamma_sums import GammaSums
    from assent.measures.gamma import gamma

    none = np.full(len(data.documents), math.nan)
    if gamma_takes_long(data, SPANS_ALIGNED / 5):
        return none, [
            f"Gamma would take long for {counted(data.n_annotations, 'span')}: `assent measure -m gamma` gives that of all documents."
        ]
    options = {**{name: one.default for name, one in gamma.parameters.items()}, "samples": SAMPLES}
    try:
        sums = GammaSums.of(data, **options)
    except UnsuitableData:
        return none, ["Gamma of documents could not be computed exactly."]
    cost, chance = (np.asarray(sums.terms)[:, sums.parts[name]] for name in ("cost", "chance"))
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.where(chance > 0, 1.0 - cost / chance, math.nan)
    return values, [
        f"Gamma of a document by itself, with {options['samples']} samples of chance: short documents leave few places to be wrong."
    ]


def _notes(data: Spans | HeldSpans, rows: list[SpanItem]) -> tuple[str, ...]:
    said = [
        "Every span is compared with each other annotator who judged the document, from both sides; classes add up."
    ]
    alone, empty = data.n_items - len(rows), sum(math.isnan(one.f1) for one in rows)
    if alone:
        said.append(f"{counted(alone, 'document')} judged by one annotator alone: there is nobody to compare with.")
    if empty:
        said.append(f"{counted(empty, 'document')} in which nobody marked anything: F1 is undefined there.")
    return tuple(said)
