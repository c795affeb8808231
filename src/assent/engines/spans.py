"""Spans counted where they live: who judged what, how many spans there are, and which of them several annotators marked alike.

Equal spans of a document are one group; the annotators who marked it are the bits of a number, which is a sum. So all that exact F1 needs
is groups of groups and sums, which every engine can do, and as many rows come out as there are documents and sets of annotators in them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import narwhals as nw

from assent.engines.collect import collected, listed, tuples
from assent.engines.columns import flag, lookup, whole
from assent.errors import InputError, TooMany
from assent.limits import ANNOTATORS_COMPARED
from assent.records import Struct
from assent.text import counted

if TYPE_CHECKING:
    import polars as pl

__all__ = ["SpanSource", "SpanSurvey"]

#: Annotators whose bits fit into a whole number.
BITS = 60
_ROLES = ("document", "annotator", "start", "end", "label")


class SpanSurvey(Struct, frozen=True, kw_only=True):
    """What a first look at spans shows.

    Parameters
    ----------
    annotators, labels : mapping of str to int
        How many spans each has; 0 for an annotator who marked nothing.
    empty : int
        Spans without a character.
    without : int
        Rows that do not say which document, or which annotator.
    """

    rows: int
    annotators: Mapping[str, int]
    labels: Mapping[str, int]
    empty: int
    without: int


class SpanSource(Struct, frozen=True, eq=False):
    """Spans in a table of an engine.

    Parameters
    ----------
    frame : LazyFrame
        With the columns document, annotator, start, end and label.
    """

    frame: nw.LazyFrame[Any]

    @classmethod
    def of(cls, native: Any, columns: Mapping[str, str], unnamed: str) -> SpanSource:
        """Take the columns of a table; without one of labels, all spans are called `unnamed`."""
        frame = nw.from_native(native).lazy()
        chosen = [
            (nw.col(columns[role]) if role in columns else nw.lit(unnamed))
            .cast(nw.Int64 if role in ("start", "end") else nw.String)
            .alias(role)
            for role in _ROLES
        ]
        return cls(frame.select(*chosen))

    def survey(self) -> SpanSurvey:
        """Look at all rows; refuse those that cannot be spans, by their number."""
        there = ~nw.col("document").is_null() & ~nw.col("annotator").is_null()
        start, end = nw.col("start"), nw.col("end")
        half = start.is_null() != end.is_null()
        wrong = there & ~start.is_null() & ~end.is_null() & ((start < 0) | (end < start) | nw.col("label").is_null())
        counts = self.frame.select(
            flag(there).sum().alias("rows"),
            flag(~there).sum().alias("without"),
            flag(there & (half | wrong)).sum().alias("wrong"),
            flag(there & (start == end)).sum().alias("empty"),
        ).with_columns(*whole("rows", "without", "wrong", "empty"))
        ((rows, without, bad, empty),) = tuples(counts, ["rows", "without", "wrong", "empty"], "spans")
        if bad:
            raise InputError(
                f"{counted(bad, 'row')} cannot be spans: an offset is missing or below 0, an end comes before its start, or there is no label; "
                "correct these rows, or remove them."
            )
        named = self.frame.filter(there)
        marks = flag(nw.col("end") > nw.col("start")).sum().alias("marks")
        found = {}
        for role in ("annotator", "label"):
            table = named.group_by(role).agg(marks).with_columns(*whole("marks"))
            found[role] = dict(
                sorted((name, many) for name, many in tuples(table, [role, "marks"], f"{role}s") if name is not None)
            )
        return SpanSurvey(
            rows=int(rows or 0),
            annotators=found["annotator"],
            labels={name: many for name, many in found["label"].items() if many},
            empty=int(empty or 0),
            without=int(without or 0),
        )

    def tallies(
        self, annotators: Sequence[str], *, label: str | None, places: bool
    ) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Count spans, and equal spans by who marked them.

        Parameters
        ----------
        annotators : sequence of str
            The place of each is their bit.
        label : str, optional
            Count the spans of this label only.
        places : bool
            Spans with another label in the same place are equal, too.

        Returns
        -------
        DataFrame
            document, annotator, marked (distinct spans) and rows of each judgement.
        DataFrame
            document, bits_0, bits_1, … and groups: how many groups of equal spans these annotators marked, and nobody else.
        """
        if len(annotators) > ANNOTATORS_COMPARED * ANNOTATORS_COMPARED:
            raise TooMany(f"{len(annotators):,} annotators are too many to be compared two by two in an engine.")
        there = ~nw.col("document").is_null() & ~nw.col("annotator").is_null()
        marked = nw.col("end") > nw.col("start")
        if label is not None:
            marked = marked & (nw.col("label") == nw.lit(label))
        key = ["document", "start", "end", *([] if places else ["label"])]
        rows = self.frame.filter(there).with_columns(flag(marked).alias("is_span"))
        distinct = rows.group_by(*key, "annotator", "is_span").agg(nw.len().alias("rows"))
        judged = (
            distinct.group_by("document", "annotator")
            .agg(nw.col("is_span").sum().alias("marked"), nw.col("rows").sum())
            .with_columns(*whole("marked", "rows"))
        )
        names = [f"bits_{at}" for at in range(-(-len(annotators) // BITS))]
        bits = [
            lookup(nw.col("annotator"), {name: 2**at for at, name in enumerate(annotators[BITS * block : BITS * (block + 1)])}, 0)
            for block in range(len(names))
        ]  # fmt: skip
        groups = (
            distinct.filter(nw.col("is_span") == 1)
            .with_columns(*(one.alias(name) for one, name in zip(bits, names, strict=True)))
            .group_by(*key)
            .agg(*(nw.col(name).sum() for name in names))
            .with_columns(*whole(*names))
            .group_by("document", *names)
            .agg(nw.len().alias("groups"))
            .with_columns(*whole("groups"))
        )
        return (
            collected(judged, ["document", "annotator", "marked", "rows"], "judgements"),
            collected(groups, ["document", *names, "groups"], "groups of equal spans"),
        )

    def here(self, rows: int) -> pl.DataFrame:
        """Bring all spans here, one by one."""
        return listed(self.frame, list(_ROLES), rows)
