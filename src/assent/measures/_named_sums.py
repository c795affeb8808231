"""Sums over documents by name, some of them one number, some one for each label."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from assent.data.span_sums import DocumentSums
from assent.errors import UnsuitableData
from assent.profiles import Array
from assent.text import listed, named, shown

if TYPE_CHECKING:
    from assent.data import Spans

__all__ = ["NamedSums", "known_lengths", "spans_named"]


class NamedSums(DocumentSums, frozen=True, kw_only=True, eq=False):
    """Documents by numbers that are added up, by name.

    Parameters
    ----------
    parts : mapping of str to slice or int
        The columns of each name.
    labels : tuple of str
        What the numbers of a name with several stand for.
    """

    parts: Mapping[str, slice | int]
    labels: tuple[str, ...] = ()

    def apart_by_chance(self) -> Mapping[str, Array]:
        """Return the columns of what annotators disagree on, and what all documents would have there by chance; empty if there is no saying."""
        return {}

    def pseudo_document(self) -> tuple[Array, Array] | None:
        """Return a document of the usual size on which all agree, and one on which they agree as by chance.

        A document holds many spans: one on which nobody agrees even by chance is not what is to be allowed for.
        """
        # Where no length was compared, chance has nothing to say either.
        with np.errstate(invalid="ignore"):
            apart = self.apart_by_chance()
        if not apart or np.isnan(sum(map(np.sum, apart.values()))):
            return None
        agreeing = np.asarray(self.terms.mean(axis=0)).ravel()
        by_chance = agreeing.copy()
        for name, amount in apart.items():
            agreeing[self.parts[name]] = 0.0
            by_chance[self.parts[name]] = amount / len(self.multiplicities)
        return agreeing, by_chance

    @classmethod
    def by_name(cls, data: Spans, columns: Mapping[str, Array], labels: tuple[str, ...] = (), **more: Any) -> Self:
        """Make the sums of what there is of each document: (documents,) or (documents, several) each."""
        parts: dict[str, slice | int] = {}
        names: list[str] = []
        for name, column in columns.items():
            first = len(names)
            parts[name] = first if column.ndim == 1 else slice(first, first + column.shape[1])
            names += [name] if column.ndim == 1 else [f"{name} {at}" for at in range(column.shape[1])]
        return cls(
            multiplicities=np.ones(len(data.documents), dtype=np.int64),
            columns=tuple(names),
            terms=np.column_stack(list(columns.values())).astype(np.float64),
            annotators=data.judges,
            n_documents=1 if data.blocks_of else len(data.documents),
            n_spans=len(data.start),
            parts=parts,
            labels=labels,
            **more,
        )

    def sums(self) -> dict[str, Array]:
        """Return the sums over documents by name: (...,) or (..., several) each."""
        totals = self.totals
        return {name: totals[..., part] for name, part in self.parts.items()}


def known_lengths(data: Spans, measure: str) -> Array:
    """Return the lengths of all documents; raises UnsuitableData where one is not known, or a span reaches beyond."""
    unknown = [name for name in data.documents if name not in data.lengths]
    if unknown:
        whose = [data.blocks_of] if data.blocks_of else unknown
        raise UnsuitableData(
            f"{measure} needs to know how long documents are, and the length of {named(whose)} is not known: give `texts` or "
            "`lengths`, or `length` last-end to take the last end of a span."
        )
    lengths = np.array([data.lengths[name] for name in data.documents], dtype=np.int64)
    beyond = np.flatnonzero((data.start < 0) | (data.end > lengths[data.document]))
    if len(beyond):
        raise UnsuitableData(f"{measure} takes no span that reaches beyond its document: {spans_named(data, beyond)}.")
    return lengths


def spans_named(data: Spans, rows: Array) -> str:
    """Name some spans by annotator, document and place, and by their row in the table if there is one."""
    # Offsets in a block count from its beginning.
    begins = np.zeros(len(data.documents), dtype=np.int64)
    if data.blocks_of:
        begins[1:] = np.cumsum([data.lengths[name] for name in data.documents[:-1]])
    said = []
    for at in rows.tolist():
        document = data.document[at]
        place = [f"{one[at] + begins[document]:,}" for one in (data.start, data.end)]
        name = data.blocks_of or data.documents[document]
        row = "" if data._rows is None else f" (row {data._rows[at]:,})"
        said.append(f"{shown(data.annotators[data.annotator[at]])} in {shown(name)} from {' to '.join(place)}{row}")
    return listed(said)
