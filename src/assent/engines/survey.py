"""A first look at the rows: which labels and annotators there are, what is missing, who labelled an item twice."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import narwhals as nw
from msgspec.structs import replace

from assent.engines.collect import tuples
from assent.engines.columns import absent, flag, lookup, whole
from assent.engines.texts import remember, text_of
from assent.records import Struct

__all__ = ["Seen", "Survey", "by_text", "given", "surveyed"]

#: What a cell that looks empty may hold.
BLANKS = " \t\r\n\u00a0\u2007\u202f\u3000"


class Survey(Struct, frozen=True, kw_only=True):
    """What a first look at the rows shows.

    Parameters
    ----------
    labels : list of (value, text)
        Every label in use as the engine holds it and as text, in the order of the texts.
    annotators : list of (value, text)
    label_rows : mapping of text to int
        Annotations with each label.
    annotator_rows : mapping of text to int
        Annotations of each annotator; 0 for one whose labels are all missing.
    missing : mapping of text or None to int
        Rows without a label, by what stood in its place (None: nothing).
    no_labels : list
        Values that stand in place of a label, as the engine holds them.
    without_item, without_annotator : int
        Rows that do not say which item, or which annotator.
    repeated : tuple of two int, or None
        How many (item, annotator) pairs have several annotations, and how many they have; None if it was not looked for.
    """

    labels: list[tuple[Any, str]]
    annotators: list[tuple[Any, str]]
    label_rows: Mapping[str, int]
    annotator_rows: Mapping[str, int]
    missing: Mapping[str | None, int]
    no_labels: list[Any]
    without_item: int
    without_annotator: int
    repeated: tuple[int, int] | None

    @property
    def n_annotations(self) -> int:
        """Rows with an item, an annotator and a label."""
        return sum(self.label_rows.values())

    def renamed(self, names: Mapping[str, str]) -> Survey:
        """Return the survey of the same rows if annotators are called by other names; those without a label have none."""
        known = [(value, names[text]) for value, text in self.annotators if text in names]
        rows = {names[text]: count for text, count in self.annotator_rows.items() if text in names}
        return replace(self, annotators=known, annotator_rows=rows)

    def of_labelled(self) -> Survey:
        """Return the survey of the labelled rows alone, none of them twice."""
        return replace(self, missing={}, no_labels=[], without_item=0, without_annotator=0, repeated=None)

    def of_part(self, label_rows: Mapping[str, int], annotator_rows: Mapping[str, int]) -> Survey:
        """Return the survey of some of the labelled rows, of which so many have each label and each annotator."""
        return replace(
            self.of_labelled(),
            labels=[(value, text) for value, text in self.labels if label_rows.get(text)],
            annotators=[(value, text) for value, text in self.annotators if annotator_rows.get(text)],
            label_rows={text: rows for text, rows in label_rows.items() if rows},
            annotator_rows={text: rows for text, rows in annotator_rows.items() if rows},
        )


class Seen:
    """Labels that were seen so far, and what stood in their place.

    Parameters
    ----------
    missing : collection of str
        Label texts that mean that there is no label.
    """

    def __init__(self, missing: Collection[str]) -> None:
        self._missing = missing
        self._values: dict[str, Any] = {}
        self.label_rows: dict[str, int] = {}
        self.gaps: dict[str | None, int] = {}
        self.no_labels: dict[Any, None] = {}

    def add(self, found: Iterable[tuple[Any, int]]) -> list[str | None]:
        """Add what stood in place of a label, and in how many rows; return the labels as texts, None for what is none."""
        missing, values, label_rows = self._missing, self._values, self.label_rows
        texts: list[str | None] = []
        for label, rows in found:
            text = label if type(label) is str else text_of(label)
            if text is not None and text not in missing and (text == "" or text.strip(BLANKS)):
                if values.setdefault(text, label) is not label:
                    remember(values, text, label, "label")
                label_rows[text] = label_rows.get(text, 0) + rows
                texts.append(text)
                continue
            # Cells of blanks are one kind of gap, however many blanks they hold.
            gap = text if text is None or text in missing else " "
            self.gaps[gap] = self.gaps.get(gap, 0) + rows
            self.no_labels |= {} if text is None else {label: None}
            texts.append(None)
        return texts

    @property
    def labels(self) -> list[tuple[Any, str]]:
        """Every label as the engine holds it and as text, in the order of the texts."""
        return by_text(self._values)

    def survey(
        self,
        annotators: list[tuple[Any, str]],
        annotator_rows: Mapping[str, int],
        *,
        without_item: int,
        without_annotator: int,
        repeated: tuple[int, int] | None,
    ) -> Survey:
        """Return the survey of rows with these labels; annotators are given as the engine holds them and as text, in the order of the texts."""
        return Survey(
            labels=self.labels,
            annotators=annotators,
            label_rows=self.label_rows,
            annotator_rows=annotator_rows,
            missing=self.gaps,
            no_labels=list(self.no_labels),
            without_item=without_item,
            without_annotator=without_annotator,
            repeated=repeated,
        )


def by_text(found: Mapping[str, Any]) -> list[tuple[Any, str]]:
    """Return what was found under texts as (value, text), in the order of the texts."""
    return [(found[text], text) for text in sorted(found)]


def surveyed(frame: nw.LazyFrame[Any], missing: Collection[str], *, pairs: bool) -> Survey:
    """Look at rows: two passes, from which as many rows come out as there are labels and annotators.

    Parameters
    ----------
    frame : LazyFrame
        With the columns item, annotator and label.
    missing : collection of str
        Label texts that mean that there is no label.
    pairs : bool
        Also look for annotators who labelled an item more than once.
    """
    no_item, no_annotator = absent(frame, "item"), absent(frame, "annotator")
    by_label = (
        frame.with_columns(gap=flag(no_item), lone=flag(no_annotator & ~no_item))
        .group_by("label")
        .agg(nw.len().alias("rows"), nw.col("gap").sum(), nw.col("lone").sum())
        .with_columns(*whole("rows", "gap", "lone"))
    )
    seen = Seen(missing)
    found = tuples(by_label, ["label", "rows", "gap", "lone"], "labels")
    without_item, without_annotator = (sum(one[place] for one in found) for place in (2, 3))
    seen.add((label, rows - gap - lone) for label, rows, gap, lone in found if rows > gap + lone)
    if without_item or without_annotator:
        frame = frame.filter(~no_item, ~no_annotator)
    annotators, annotator_rows, repeated = _annotators(frame, seen.no_labels, gaps=bool(seen.gaps), pairs=pairs)
    return seen.survey(
        by_text(annotators),
        annotator_rows,
        without_item=without_item,
        without_annotator=without_annotator,
        repeated=repeated,
    )


def given(frame: nw.LazyFrame[Any], no_labels: Collection[Any]) -> nw.Expr:
    """Return 1 where there is a label, 0 where it is missing."""
    return (
        nw.when(absent(frame, "label"))
        .then(nw.lit(0))
        .otherwise(lookup(nw.col("label"), dict.fromkeys(no_labels, 0), 1))
    )


def _annotators(
    frame: nw.LazyFrame[Any], no_labels: Collection[Any], *, gaps: bool, pairs: bool
) -> tuple[dict[str, Any], dict[str, int], tuple[int, int] | None]:
    """Count the annotations of each annotator and, on the way, items that an annotator labelled more than once."""
    marked = frame
    if gaps or pairs:
        marked = frame.with_columns(given=given(frame, no_labels) if gaps else nw.lit(1))
    sums = ["given", "pairs", "again"] if pairs else ["given"]
    if pairs:
        marked = marked.group_by("item", "annotator").agg(nw.col("given").sum()).with_columns(*whole("given"))
        often = nw.col("given") > 1
        marked = marked.with_columns(pairs=flag(often), again=nw.when(often).then(nw.col("given")).otherwise(nw.lit(0)))
    # Where every row has a label and none is counted twice, they need only be counted.
    added = [nw.col(name).sum() for name in sums] if gaps or pairs else [nw.len().alias("given")]
    by_annotator = marked.group_by("annotator").agg(*added).with_columns(*whole(*sums))
    annotators: dict[str, Any] = {}
    rows: dict[str, int] = {}
    twice = [0, 0]
    for annotator, count, *more in tuples(by_annotator, ["annotator", *sums], "annotators"):
        name = str(text_of(annotator))
        remember(annotators, name, annotator, "annotator")
        rows[name] = rows.get(name, 0) + count
        if pairs:
            twice = [twice[0] + more[0], twice[1] + more[1]]
    return annotators, rows, (twice[0], twice[1]) if pairs else None
