"""Spans as sums over documents: what every measure of agreement on spans works on.

A measure of spans names a kind of `DocumentSums` as its profiles. `of` takes the spans and the measure's own options and returns a
row of numbers for each document; the measure itself is a small function of their sums. Bootstrap, jackknife and linearised standard
errors only count documents anew.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from msgspec.structs import replace

from assent.profiles import Array, Sums
from assent.records import cached_property

if TYPE_CHECKING:
    from assent.data.held_spans import HeldSpans
    from assent.data.spans import Spans

__all__ = ["BLOCKS", "DocumentSums", "blocks"]

#: A single document is cut into about so many blocks.
BLOCKS = 20


class DocumentSums(Sums, frozen=True, kw_only=True, eq=False):
    """Documents by numbers that are added up.

    Parameters
    ----------
    n_documents : int
        How many documents there are; fewer than rows if the rows are blocks of one.
    n_spans : int
        How many spans they hold.
    """

    n_documents: int
    n_spans: int

    @classmethod
    @abstractmethod
    def of(cls, data: Spans, **options: Any) -> Self:
        """Return the sums of documents that two or more annotators judged.

        Parameters
        ----------
        data : Spans
            Documents that two or more annotators judged; if there is only one of them, blocks of it.
        **options
            The measure's own options.
        """

    @classmethod
    def of_tallies(cls, held: HeldSpans, **options: Any) -> Self | None:
        """Return the sums of spans that live in an engine, as it counts them; None if they must come here to be compared."""
        return None

    @classmethod
    def blockable(cls, options: Mapping[str, Any]) -> bool:
        """Tell whether the sums of a document's blocks are those of the document, with these options of the measure."""
        return True

    @classmethod
    def of_blocks(cls, whole: Spans, cut: Spans, **options: Any) -> Self:
        """Return the sums of the blocks of one document, which is there as a whole, too."""
        return cls.of(cut, **options)

    def pseudo_document(self) -> tuple[Array, Array] | None:
        """Return what a usual document would add on which all agree, and one on which nobody does: (columns,) each.

        None if there is no such document; the jackknife then stands in for tilted weights.
        """
        return None

    @cached_property
    def pairable_items(self) -> int:
        """Number of documents that two or more annotators judged."""
        return self.n_documents

    @cached_property
    def pairable_annotations(self) -> int:
        """Number of spans in these."""
        return self.n_spans


def blocks(data: Spans, number: int = BLOCKS) -> Spans:
    """Cut a single document where no span is cut, into blocks of about as many spans each.

    Offsets in a block count from its beginning. Sums over blocks are those of the document where nothing is compared across a place that
    no span covers.

    Parameters
    ----------
    data : Spans
        Of one document.
    number : int
        How many blocks there should be; there are fewer if there are too few places to cut.

    Returns
    -------
    Spans
        The blocks in the place of documents; the same data if the document cannot be cut.
    """
    (name,) = data.documents
    count = len(data.start)
    if not count:
        return data
    reach = np.maximum.accumulate(data.end)
    places = 1 + np.flatnonzero(data.start[1:] >= reach[:-1])
    wanted = (np.arange(1, number) * count / number).round().astype(np.int64)
    near = places[np.minimum(np.searchsorted(places, wanted), len(places) - 1)] if len(places) else places
    first = np.unique([0, *near[near >= wanted[: len(near)]].tolist()])
    if len(first) < 2:
        return data
    # A block reaches from where its first span begins to where that of the next one does.
    begins = np.array([0, *data.start[first[1:]].tolist()], dtype=np.int64)
    length = data.lengths.get(name)
    last = int(reach[-1]) if length is None else length
    ends = [*begins[1:].tolist(), last]
    block = np.searchsorted(first, np.arange(count), side="right") - 1
    names = tuple(f"{name} [{begin:,}, {end:,})" for begin, end in zip(begins.tolist(), ends, strict=True))
    fragments = data.fragments
    if fragments is not None:
        moved = begins[block[fragments[:, 0]]][:, None]
        fragments = np.column_stack([fragments[:, 0], fragments[:, 1:] - moved])
    text = data.texts.get(name)
    judges = data.judged[:, 1]
    return replace(
        data,
        documents=names,
        document=block,
        start=data.start - begins[block],
        end=data.end - begins[block],
        fragments=fragments,
        judged=np.stack([np.repeat(np.arange(len(names)), len(judges)), np.tile(judges, len(names))], 1),
        lengths={}
        if length is None
        else {one: end - begin for one, begin, end in zip(names, begins.tolist(), ends, strict=True)},
        texts={}
        if text is None
        else {one: text[begin:end] for one, begin, end in zip(names, begins.tolist(), ends, strict=True)},
        unit="blocks of the document",
        blocks_of=name,
    )
