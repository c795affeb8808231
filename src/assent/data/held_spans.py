"""Spans that live in an engine, and what comes out of it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, ClassVar, Self

import numpy as np
import polars as pl
from msgspec.structs import replace

from assent.data.dataset import Dataset
from assent.data.messages import Dropped
from assent.data.spans import Spans, coded
from assent.engines.spans import BITS, SpanSource
from assent.errors import OptionError
from assent.matching import pairs_within
from assent.profiles import Array, Profiles
from assent.records import Struct, cached_property
from assent.text import counted, shown

__all__ = ["HeldSpans", "SpanTallies"]


class SpanTallies(Struct, frozen=True, kw_only=True, eq=False):
    """Equal spans of documents that two or more annotators judged, counted by who marked them.

    Parameters
    ----------
    data : Spans
        The documents, annotators and judgements, without a span.
    n_spans : int
        How many spans these documents have.
    marked : array (judgements,)
        How many different spans, or places, each judgement has.
    document, first, second, matched : array (matches,)
        How many spans of a document two annotators both marked.
    """

    data: Spans
    n_spans: int
    marked: Array
    document: Array
    first: Array
    second: Array
    matched: Array


class HeldSpans(Dataset, Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """Spans in a table of an engine such as DuckDB or Spark. Exact matches are counted there; for all else they come here.

    Parameters
    ----------
    bring : callable
        Brings all spans here.
    """

    _nouns: ClassVar[tuple[str, str]] = ("document", "span")
    _unclustered: ClassVar[str] = "documents"
    source: SpanSource
    bring: Callable[[], Spans]
    offsets: str = "code points"
    layout: str = "spans"
    unit: str = "documents"
    notes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """Spans."""
        return ("spans",)

    @property
    def local(self) -> bool:
        """The spans are not in this process."""
        return False

    @cached_property
    def _survey(self) -> Any:
        return self.source.survey()

    @cached_property
    def annotators(self) -> tuple[str, ...]:  # type: ignore[override]
        """Everybody who judged a document."""
        return tuple(name for name in self._survey.annotators if name not in self.left_out)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels in use."""
        return tuple(self._survey.labels)

    @cached_property
    def _every(self) -> tuple[pl.DataFrame, pl.DataFrame]:
        return self._counted(None, False)

    def _counted(self, label: str | None, places: bool) -> tuple[pl.DataFrame, pl.DataFrame]:
        judged, groups = self.source.tallies(self.annotators, label=label, places=places)
        return judged.filter(pl.col("annotator").is_in(self.annotators)), groups

    @property
    def n_annotations(self) -> int:  # type: ignore[override]
        """Number of spans."""
        return int(self._every[0]["marked"].sum())

    @property
    def n_items(self) -> int:
        """Number of documents that somebody has judged."""
        return self._every[0]["document"].n_unique()

    @property
    def dropped(self) -> tuple[Dropped, ...]:  # type: ignore[override]
        """What was left out."""
        survey = self._survey
        repeats = sum(survey.annotators[name] for name in self.annotators) - self.n_annotations
        found = (
            ("no document or no annotator", survey.without),
            ("span without a character", survey.empty),
            ("the same span again by the same annotator", repeats),
        )
        return tuple(Dropped(reason, rows) for reason, rows in found if rows)

    def tallies(self, *, label: str | None, places: bool) -> SpanTallies:
        """Count equal spans where they live.

        Parameters
        ----------
        label : str, optional
            The spans of this label only.
        places : bool
            Spans with another label in the same place are equal, too.
        """
        if label is not None and label not in self.labels:
            raise OptionError(f"There is no label {shown(label)} among {counted(len(self.labels), 'label')}.")
        judged, groups = self._every if label is None and not places else self._counted(label, places)
        judged = judged.filter(pl.len().over("document") >= 2)
        names, (document,) = coded(judged["document"])
        place = {name: at for at, name in enumerate(self.annotators)}
        who = judged["annotator"].replace_strict(place, return_dtype=pl.Int64).to_numpy()
        order = np.lexsort((who, document))
        none = np.empty(0, dtype=np.int64)
        skeleton = Spans(
            documents=names, annotators=self.annotators, labels=self.labels, document=none, annotator=none, start=none, end=none,
            label=none, judged=np.stack([document, who], 1)[order].reshape(-1, 2), offsets=self.offsets,
        )  # fmt: skip
        # Of one label, a place is a span.
        spans = judged if label is not None else self._every[0].filter(pl.len().over("document") >= 2)
        return SpanTallies(
            data=skeleton,
            n_spans=int(spans["marked"].sum()),
            marked=judged["marked"].to_numpy()[order],
            **_matches(groups, names, len(self.annotators)),
        )

    def profiles(self, form: type[Profiles], **options: Any) -> Profiles:
        """Return sums over documents, counted by the engine where it can."""
        made = getattr(form, "of_tallies", lambda held, **more: None)(self, **options)
        profiles: Profiles = self.bring().comparable().profiles(form, **options) if made is None else made
        return profiles

    def without_annotators(self, names: Collection[str]) -> Self:
        """Return the spans of all other annotators."""
        unknown = [name for name in names if name not in self.annotators]
        if unknown:
            raise OptionError(f"There is no annotator {shown(unknown[0])} to leave out.")
        bring, out = self.bring, (*self.left_out, *names)
        return replace(self, left_out=out, bring=lambda: bring().without_annotators(names))

    def describe(self) -> str:
        """Say in one line what the data are."""
        who = counted(len(self.annotators), "annotator")
        return f"{counted(self.n_items, 'document')}, {who}, {counted(self.n_annotations, 'span')}"

    def _nothing_to_compare(self) -> str:
        """Say why no two annotators can be compared."""
        return "No document was judged by two annotators, so there is nothing to compare."

    def to_dict(self) -> dict[str, Any]:
        """Return what the data are as plain values."""
        return self._facts(labels=list(self.labels), offsets=self.offsets)


def _matches(groups: pl.DataFrame, documents: tuple[str, ...], people: int) -> dict[str, Array]:
    """Return how many groups of a document each pair of annotators marked."""
    groups = groups.filter(pl.col("document").is_in(documents))
    document = groups["document"].cast(pl.Enum(documents)).to_physical().to_numpy().astype(np.int64)
    many = groups["groups"].to_numpy()
    bits = [groups[f"bits_{block}"].to_numpy() for block in range(-(-people // BITS))]
    present = (
        np.column_stack([(bits[who // BITS] >> (who % BITS)) & 1 for who in range(people)]) if people else many[:, None]
    )
    row, who = np.nonzero(present)
    # Annotators of one group stand in a row: pair each with those behind.
    sizes = np.bincount(row, minlength=len(document))
    one, two = pairs_within(sizes)
    return {
        "document": document[row[one]],
        "first": who[one],
        "second": who[two],
        "matched": many[row[one]].astype(np.float64),
    }
