"""Spans that annotators marked in documents."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

from assent.data.dataset import Dataset
from assent.data.export_origin import ExportOrigin
from assent.data.messages import Dropped
from assent.errors import OptionError, UnsuitableData
from assent.profiles import Profiles
from assent.text import counted, shown

__all__ = ["Spans"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Spans(Dataset):
    """Who marked which part of which document as what, and who has seen which document.

    The first four columns have a row for each span. Offsets count code points of the document's text; the end is exclusive.

    Parameters
    ----------
    document, annotator : tuple of str
        Of each span.
    parts : tuple of tuple of (int, int)
        Begin and end of each part of the span; one part unless it is discontinuous.
    label : tuple of str
    seen : tuple of (str, str)
        Every document and annotator who judged it, whether they found something there or not.
    texts : mapping of str to str
        Texts of documents, if they were asked for and are known.
    lengths : mapping of str to int
        Of the documents in code points, as far as they are known.
    layout : str
        Shape of the file they came in.

    Examples
    --------
    >>> data = Spans(
    ...     document=("d1", "d1"),
    ...     annotator=("ada", "ben"),
    ...     parts=(((0, 4),), ((0, 4),)),
    ...     label=("PER", "ORG"),
    ...     seen=(("d1", "ada"), ("d1", "ben"), ("d2", "ada")),
    ... )
    >>> data.n_items, data.annotators, data.n_annotations, data.labels
    (2, ('ada', 'ben'), 2, ('ORG', 'PER'))
    """

    document: tuple[str, ...]
    annotator: tuple[str, ...]
    parts: tuple[tuple[tuple[int, int], ...], ...]
    label: tuple[str, ...]
    seen: tuple[tuple[str, str], ...]
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)
    lengths: Mapping[str, int] = field(default_factory=dict, repr=False)
    layout: str = "spans"
    unit: str = "items"
    dropped: tuple[Dropped, ...] = ()
    notes: tuple[str, ...] = ()
    export: ExportOrigin | None = field(default=None, repr=False)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Spans."""
        return ("spans",)

    @cached_property
    def annotators(self) -> tuple[str, ...]:  # type: ignore[override]
        """Everybody who has seen a document."""
        return tuple(sorted({name for _, name in self.seen}))

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels in use."""
        return tuple(sorted(set(self.label)))

    @property
    def n_annotations(self) -> int:  # type: ignore[override]
        """Number of spans."""
        return len(self.label)

    @cached_property
    def n_items(self) -> int:
        """Number of documents that somebody has seen."""
        return len({document for document, _ in self.seen})

    @property
    def gold(self) -> Mapping[str, Any]:
        """What the tool marks as right, by document."""
        return {} if self.export is None else self.export.gold

    def profiles(self, form: type[Profiles], **options: Any) -> Profiles:
        """Refuse: no measure takes spans yet."""
        raise UnsuitableData(f"Spans have no {form.__name__.lower()}: no coefficient for them is there yet.")

    def without_annotators(self, names: Collection[str]) -> Self:
        """Return the spans of all other annotators, and what these have seen."""
        unknown = [name for name in names if name not in self.annotators]
        if unknown:
            raise OptionError(f"There is no annotator {shown(unknown[0])} to leave out.")
        kept = [i for i, name in enumerate(self.annotator) if name not in names]
        return replace(
            self,
            document=tuple(self.document[i] for i in kept),
            annotator=tuple(self.annotator[i] for i in kept),
            parts=tuple(self.parts[i] for i in kept),
            label=tuple(self.label[i] for i in kept),
            seen=tuple(pair for pair in self.seen if pair[1] not in names),
        )

    def describe(self) -> str:
        """Say in one line what the data are."""
        who = counted(len(self.annotators), "annotator")
        return f"{counted(self.n_items, 'document')}, {who}, {counted(self.n_annotations, 'span')}"

    def to_dict(self) -> dict[str, Any]:
        """Return what the data are as plain values."""
        return {
            "kind": self.kind,
            "items": self.n_items,
            "annotators": len(self.annotators),
            "annotations": self.n_annotations,
            "labels": list(self.labels),
            "layout": self.layout,
            "dropped": [{"reason": one.reason, "rows": one.rows} for one in self.dropped],
            "notes": list(self.notes),
            **({} if self.export is None else self.export.to_dict()),
        }
