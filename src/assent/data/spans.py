"""Spans that annotators marked in documents."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
import polars as pl
from msgspec import field
from msgspec.structs import replace

from assent.data.dataset import Dataset
from assent.data.export_origin import ExportOrigin
from assent.data.messages import Dropped
from assent.data.span_links import Attribute, Relations, attributes_at
from assent.errors import InputError, OptionError, UnsuitableData, did_you_mean
from assent.matching import distinct
from assent.profiles import Array, Matrix, Profiles
from assent.records import Struct, cached_property
from assent.text import counted, listed, shown

__all__ = ["Part", "Spans", "by_span", "coded"]

#: Begin and end of a part of a span.
Part = tuple[int, int]


class Spans(Dataset, Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """Who marked which part of which document as what, and who has judged which document.

    Each column is an array with a row for each span, ordered by document, start, end, parts, label and annotator, so that the order of
    the rows of a file never matters. `Spans.from_rows` makes one from names.

    Parameters
    ----------
    documents, annotators, labels : tuple of str
        Names, sorted; the codes in the columns are places in these.
    document, annotator, label : array (spans,) of integers
    start, end : array (spans,) of integers
        Offsets in the document, the end exclusive; from the first to the last part of a discontinuous span.
    fragments : array (parts, 3) of integers, optional
        Span, begin and end of each part of the spans that have several parts.
    judged : array (judgements, 2) of integers
        Codes of every document and annotator who judged it, whether they found something there or not, in order.
    relations : Relations, optional
        Between two spans of one annotator.
    attributes : mapping of str to Attribute
        What spans have beside their label.
    texts : mapping of str to str
        Texts of documents, if they were asked for and are known.
    tokens : mapping of str to sequence of (int, int)
        Where each token begins and ends, by document, if the source has tokens.
    lengths : mapping of str to int
        Of the documents in the unit of the offsets, as far as they are known.
    offsets : str
        What offsets count: code points, tokens, …
    layout : str
        Shape of the file they came in.
    blocks_of : str
        Name of the one document that was cut into these, if they are blocks of it.
    stacked : bool
        An annotator may have the same span several times, and each of them counts.
    _rows : array (spans,) or None
        Row of the table that each stands in, from 1, for messages; None if there is no table.

    Examples
    --------
    >>> data = Spans.from_rows(
    ...     [("d1", "ada", 0, 4, "PER"), ("d1", "ben", 0, 4, "ORG")],
    ...     judged=[("d1", "ada"), ("d1", "ben"), ("d2", "ada")],
    ... )
    >>> data.n_items, data.annotators, data.n_annotations, data.labels
    (2, ('ada', 'ben'), 2, ('ORG', 'PER'))
    """

    _nouns: ClassVar[tuple[str, str]] = ("document", "span")
    _unclustered: ClassVar[str] = "documents"
    documents: tuple[str, ...]
    annotators: tuple[str, ...]
    labels: tuple[str, ...]
    document: Array
    annotator: Array
    start: Array
    end: Array
    label: Array
    judged: Array
    fragments: Array | None = None
    relations: Relations | None = None
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    lengths: Mapping[str, int] = field(default_factory=dict)
    tokens: Mapping[str, Sequence[tuple[int, int]]] = field(default_factory=dict)
    offsets: str = "code points"
    layout: str = "spans"
    unit: str = "documents"
    blocks_of: str = ""
    dropped: tuple[Dropped, ...] = ()
    notes: tuple[str, ...] = ()
    export: ExportOrigin | None = None
    stacked: bool = False
    _rows: Array | None = None

    @classmethod
    def from_rows(
        cls,
        rows: Sequence[tuple[str, str, int, int, str]],
        *,
        judged: Sequence[tuple[str, str]] = (),
        fragments: Mapping[int, Sequence[Part]] | None = None,
        relations: Sequence[tuple[str, int, int]] | None = None,
        attributes: Mapping[str, Sequence[str | None]] | None = None,
        **about: Any,
    ) -> Self:
        """Return the spans in rows of document, annotator, start, end and label.

        Parameters
        ----------
        rows : sequence of (document, annotator, start, end, label)
        judged : sequence of (document, annotator)
            Who judged which document; whoever marked a span there is added.
        fragments : mapping of int to sequence of (begin, end), optional
            By row, the parts of a span that has several.
        relations : sequence of (type, row of the head, row of the tail), optional
        attributes : mapping of str to sequence of str or None, optional
            By name, the value of each row.
        **about
            Further fields, such as `texts` and `lengths`.
        """
        columns: list[Sequence[Any]] = [*zip(*rows, strict=True)] or [()] * 5
        wrong = [at for at, row in enumerate(rows) if row[2] >= row[3]]
        if wrong:
            told = listed([f"row {at} ({rows[at][2]} to {rows[at][3]})" for at in wrong], 5)
            raise InputError(f"These are no spans: {told}; each must end behind its start.")
        return cls.from_columns(
            pl.Series("document", columns[0], pl.String),
            pl.Series("annotator", columns[1], pl.String),
            np.asarray(columns[2], dtype=np.int64),
            np.asarray(columns[3], dtype=np.int64),
            pl.Series("label", columns[4], pl.String),
            judged=(
                pl.Series([one for one, _ in judged], dtype=pl.String),
                pl.Series([one for _, one in judged], dtype=pl.String),
            ),
            fragments=fragments,
            relations=None if relations is None else Relations.of(relations),
            attributes={name: Attribute.of(texts) for name, texts in (attributes or {}).items()},
            **about,
        )

    @classmethod
    def from_columns(
        cls,
        document: pl.Series,
        annotator: pl.Series,
        start: Array,
        end: Array,
        label: pl.Series,
        *,
        judged: tuple[pl.Series, pl.Series],
        fragments: Mapping[int, Sequence[Part]] | None = None,
        relations: Relations | None = None,
        attributes: Mapping[str, Attribute] | None = None,
        dropped: Sequence[Dropped] = (),
        stacked: bool = False,
        rows: Array | None = None,
        **about: Any,
    ) -> Self:
        """Return the spans in columns of names and offsets; exact repeats by one annotator are left out and counted unless `stacked`.

        `rows` says which row of a table each stands in, from 1.
        """
        documents, codes_of = coded(document, judged[0])
        annotators, who = coded(annotator, judged[1])
        labels, (what,) = coded(label)
        parts, shape = _shapes(len(start), fragments or {})
        if stacked:
            shape = _told_apart(shape, codes_of[0], who[0], start, end, what)
        order = _in_order(codes_of[0], start, end - start, shape, what, who[0])
        columns = [codes_of[0], who[0], start, end, what, shape]
        columns = [np.asarray(one, dtype=np.int64)[order] for one in columns]
        same = np.zeros(len(order), dtype=bool)
        if len(order):
            same[1:] = np.logical_and.reduce([one[1:] == one[:-1] for one in columns])
        kept = np.flatnonzero(~same)
        columns = [one[kept] for one in columns[:5]]
        pairs = np.concatenate([np.stack([codes_of[0], who[0]], 1), np.stack([codes_of[1], who[1]], 1)])
        repeats = int(same.sum())
        # A span that was given again stands where it stood first.
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.cumsum(~same) - 1
        return cls(
            documents=documents,
            annotators=annotators,
            labels=labels,
            document=columns[0],
            annotator=columns[1],
            start=columns[2],
            end=columns[3],
            label=columns[4],
            judged=_distinct_pairs(pairs, len(annotators)),
            fragments=_moved(parts, order[kept]),
            relations=None if relations is None else relations.moved(place),
            attributes=attributes_at(attributes or {}, order[kept]),
            dropped=(*dropped, *([Dropped("the same span again by the same annotator", repeats)] if repeats else [])),
            stacked=stacked,
            _rows=None if rows is None else rows[order[kept]],
            **about,
        )

    @property
    def kinds(self) -> tuple[str, ...]:
        """Spans."""
        return ("spans",)

    @property
    def n_annotations(self) -> int:  # type: ignore[override]
        """Number of spans."""
        return len(self.start)

    @property
    def n_items(self) -> int:
        """Number of documents that somebody has judged."""
        return len(self.documents)

    @property
    def gold(self) -> Mapping[str, Any]:
        """What the tool marks as right, by document."""
        return {} if self.export is None else self.export.gold

    @cached_property
    def judges(self) -> Array:
        """How many annotators judged each document: (documents,)."""
        return np.bincount(self.judged[:, 0], minlength=len(self.documents))

    @cached_property
    def parts(self) -> tuple[Array, Array, Array]:
        """Every part of every span: which span, begin and end, in the order of spans: (parts,) each."""
        every = np.arange(len(self.start))
        if self.fragments is None:
            return every, self.start, self.end
        whole = np.setdiff1d(every, self.fragments[:, 0])
        span = np.concatenate([whole, self.fragments[:, 0]])
        begin = np.concatenate([self.start[whole], self.fragments[:, 1]])
        end = np.concatenate([self.end[whole], self.fragments[:, 2]])
        order = np.lexsort((begin, span))
        return span[order], begin[order], end[order]

    @cached_property
    def shape(self) -> Array:
        """0 for a span in one part, else a number that spans with the same parts share: (spans,).

        Where spans may be stacked, the second of several that are the same counts as another shape, so that it is compared with the
        second one of others.
        """
        return self._shape(self.label)

    @cached_property
    def unlabelled_shape(self) -> Array:
        """As `shape`, where labels are ignored: of stacked spans, the second one in the same place is compared with the second one there."""
        return self._shape()

    def _shape(self, *same: Array) -> Array:
        shape = _shapes(len(self.start), {} if self.fragments is None else by_span(self.fragments))[1]
        if not self.stacked:
            return shape
        return _told_apart(shape, self.document, self.annotator, self.start, self.end, *same)

    def rows(self) -> Iterator[tuple[str, str, tuple[Part, ...], str]]:
        """Return document, annotator, parts and label of one span after the other."""
        several = {} if self.fragments is None else by_span(self.fragments)
        columns = (self.document, self.annotator, self.start, self.end, self.label)
        for at, (document, who, start, end, label) in enumerate(zip(*(one.tolist() for one in columns), strict=True)):
            yield self.documents[document], self.annotators[who], several.get(at, ((start, end),)), self.labels[label]

    def profiles(self, form: type[Profiles], **options: Any) -> Profiles:
        """Return sums over documents: `form` is a kind of `assent.data.span_sums.DocumentSums`, which makes them.

        Parameters
        ----------
        form : type
        **options
            The measure's own options.
        """
        make = getattr(form, "of", None)
        if make is None:
            raise UnsuitableData(f"Spans have no {form.__name__.lower()}: they become sums over documents.")
        made: Profiles = make(self, **options)
        return made

    def kept(self, spans: Array, *, documents: Array | None = None, annotators: Array | None = None) -> Self:
        """Return some of the spans, and the judgements on some documents or by some annotators.

        Parameters
        ----------
        spans : array (spans,) of bool
        documents : array (documents,) of bool, optional
            Others are gone, with their judgements and spans.
        annotators : array (annotators,) of bool, optional
            The same.
        """
        documents = np.ones(len(self.documents), dtype=bool) if documents is None else documents
        annotators = np.ones(len(self.annotators), dtype=bool) if annotators is None else annotators
        there = documents[self.judged[:, 0]] & annotators[self.judged[:, 1]]
        # A document that nobody is left to judge is none.
        documents = documents & (np.bincount(self.judged[there, 0], minlength=len(documents)) > 0)
        rows = np.flatnonzero(spans & documents[self.document] & annotators[self.annotator])
        place, person = np.cumsum(documents) - 1, np.cumsum(annotators) - 1
        names = tuple(name for name, keep in zip(self.documents, documents.tolist(), strict=True) if keep)
        used, label = np.unique(self.label[rows], return_inverse=True)
        moved = np.full(len(self.start), -1, dtype=np.int64)
        moved[rows] = np.arange(len(rows))
        return replace(
            self,
            documents=names,
            annotators=tuple(name for name, keep in zip(self.annotators, annotators.tolist(), strict=True) if keep),
            labels=tuple(self.labels[one] for one in used),
            document=place[self.document[rows]],
            annotator=person[self.annotator[rows]],
            start=self.start[rows],
            end=self.end[rows],
            label=label.ravel(),
            judged=np.stack([place[self.judged[there, 0]], person[self.judged[there, 1]]], 1),
            fragments=_moved(self.fragments, rows),
            relations=None if self.relations is None else self.relations.moved(moved),
            attributes=attributes_at(self.attributes, rows),
            _rows=None if self._rows is None else self._rows[rows],
        )

    def _pairing(self, other: Any, mine: Profiles, theirs: Profiles) -> tuple[Array, Array, Array, Matrix | None]:
        """Match the documents of two data sets by name: their sums have a row for each document that two annotators judged."""
        if self._same_source(other) or not isinstance(other, Spans):
            return super()._pairing(other, mine, theirs)
        names = [one.comparable().documents for one in (self, other)]
        if any(len(one) != len(sums.multiplicities) for one, sums in zip(names, (mine, theirs), strict=True)):
            raise InputError(
                "The only document of a data set was cut into blocks, which cannot be matched: compare them unpaired."
            )
        places = [{name: at for at, name in enumerate(one)} for one in names]
        every = sorted({*names[0], *names[1]})
        first, second = (np.array([one.get(name, -1) for name in every], dtype=np.int64) for one in places)
        return first, second, np.ones(len(every), dtype=np.int64), None

    def comparable(self) -> Self:
        """Return the documents that two or more annotators judged."""
        if (self.judges >= 2).all():
            return self
        return self.kept(np.ones(len(self.start), dtype=bool), documents=self.judges >= 2)

    def only_label(self, name: str) -> Self:
        """Return the spans of one label; documents without it stay, as judged."""
        if name not in self.labels:
            raise OptionError(
                f"There is no label {shown(name)} in documents that two annotators judged; {did_you_mean(name, self.labels)}"
            )
        return self.kept(self.label == self.labels.index(name))

    def without_annotators(self, names: Collection[str]) -> Self:
        """Return the spans of all other annotators, and what these have judged."""
        unknown = [name for name in names if name not in self.annotators]
        if unknown:
            raise OptionError(f"There is no annotator {shown(unknown[0])} to leave out.")
        left = np.array([name not in names for name in self.annotators], dtype=bool)
        return self.kept(np.ones(len(self.start), dtype=bool), annotators=left)

    def describe(self) -> str:
        """Say in one line what the data are."""
        who = counted(len(self.annotators), "annotator")
        return f"{counted(self.n_items, 'document')}, {who}, {counted(self.n_annotations, 'span')}"

    @property
    def _comparable(self) -> bool:
        """True if two annotators judged some document."""
        return bool((self.judges >= 2).any())

    def _label_counts(self) -> dict[str, int]:
        """Return how many spans have each label."""
        many = np.bincount(self.label, minlength=len(self.labels))
        return dict(zip(self.labels, many.tolist(), strict=True))

    def _nothing_to_compare(self) -> str:
        """Say why no two annotators can be compared."""
        if len(self.annotators) == 1:
            return f"All spans are by one annotator, {shown(self.annotators[0])}, so there is nobody to compare with."
        return "No document was judged by two annotators, so there is nothing to compare."

    def to_dict(self) -> dict[str, Any]:
        """Return what the data are as plain values."""
        made = self._facts(labels=list(self.labels), offsets=self.offsets)
        return made if self.export is None else {**made, **self.export.to_dict()}


def coded(*columns: pl.Series) -> tuple[tuple[str, ...], list[Array]]:
    """Return the distinct names in some columns, sorted, and each column as places in these."""
    every = pl.concat([one.cast(pl.String).rename("") for one in columns]).unique().sort()
    names = tuple(every.to_list())
    kind = pl.Enum(every)
    return names, [one.cast(kind).to_physical().to_numpy().astype(np.int64) for one in columns]


def _in_order(*columns: Array) -> Array:
    """Return the order of rows by the first column, then the next: by one number each, where that fits."""
    widths = [int(one.max(initial=0)) + 1 for one in columns]
    if math.prod(widths) >= 2**63 or any(one.min(initial=0) < 0 for one in columns):
        return np.lexsort(columns[::-1])
    key = np.zeros(len(columns[0]), dtype=np.int64)
    for one, width in zip(columns, widths, strict=True):
        key = key * width + one
    return np.argsort(key, kind="stable")


def _distinct_pairs(pairs: Array, width: int) -> Array:
    return np.stack(np.divmod(distinct(pairs[:, 0] * width + pairs[:, 1]), max(1, width)), 1)


def by_span(fragments: Array) -> dict[int, tuple[Part, ...]]:
    """Return the parts of spans that have several, by span."""
    found: dict[int, tuple[Part, ...]] = {}
    for span, begin, end in fragments.tolist():
        found[span] = (*found.get(span, ()), (begin, end))
    return found


def _shapes(count: int, fragments: Mapping[int, Sequence[Part]]) -> tuple[Array | None, Array]:
    """Return the parts of spans that have several (parts, 3), and a number for each distinct list of parts (spans,)."""
    shape = np.zeros(count, dtype=np.int64)
    several = {row: joined for row, parts in fragments.items() if len(joined := _joined(parts)) > 1}
    if not several:
        return None, shape
    places = {parts: at for at, parts in enumerate(sorted(set(several.values())), start=1)}
    for row, parts in several.items():
        shape[row] = places[parts]
    rows = [(row, begin, end) for row, parts in sorted(several.items()) for begin, end in parts]
    return np.asarray(rows, dtype=np.int64), shape


def _told_apart(shape: Array, *columns: Array) -> Array:
    """Return other numbers for the second, third, … of spans that are the same in all columns."""
    columns = (shape, *columns)
    order = np.lexsort(columns)
    ordered = [np.asarray(one)[order] for one in columns]
    new = np.ones(len(order), dtype=bool)
    new[1:] = np.logical_or.reduce([one[1:] != one[:-1] for one in ordered])
    place = np.arange(len(order))
    copy = np.empty(len(order), dtype=np.int64)
    copy[order] = place - np.maximum.accumulate(np.where(new, place, 0))
    return shape + (int(shape.max(initial=0)) + 1) * copy


def _joined(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Return parts in order, those that touch or overlap as one."""
    made: list[Part] = []
    for begin, end in sorted(parts):
        if made and begin <= made[-1][1]:
            made[-1] = (made[-1][0], max(end, made[-1][1]))
        else:
            made.append((begin, end))
    return tuple(made)


def _moved(fragments: Array | None, rows: Array) -> Array | None:
    """Return the parts of the spans that stay, whose rows are now in this order."""
    if fragments is None:
        return None
    place = np.full(max(int(fragments[:, 0].max()), int(rows.max(initial=-1))) + 1, -1, dtype=np.int64)
    place[rows] = np.arange(len(rows))
    moved = np.column_stack([place[fragments[:, 0]], fragments[:, 1:]])
    moved = moved[moved[:, 0] >= 0]
    return moved[np.lexsort((moved[:, 1], moved[:, 0]))] if len(moved) else None
