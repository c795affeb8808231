"""Long rows of annotations in some engine, and what can be asked of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Any

import narwhals as nw

from assent.engines.columns import absent, counted, flag, is_local, lookup, selected, whole
from assent.engines.crowds import MOST_COLLAPSED, listed_profiles
from assent.engines.door import MOST_ANNOTATIONS, collected, listed, tuples
from assent.engines.items import disputed, first_items, item_table, write
from assent.engines.kinds import positions
from assent.engines.pairs import hashes_differ, repeated_labels, repeated_pairs
from assent.engines.profiling import Source, count_profiles, joint_profiles, rating_profiles
from assent.engines.sets import gathered
from assent.engines.sorting import Here, Once, item_sums, labelled_once
from assent.engines.survey import Survey, given, surveyed
from assent.engines.texts import column_texts, text_of
from assent.errors import InputError
from assent.profiles import Array, Matrix

__all__ = ["Rows"]


class Rows:
    """Long rows of annotations in some engine.

    Parameters
    ----------
    native : DataFrame or LazyFrame of any engine that narwhals takes
    item, annotator, label : str
        Names of the columns.
    cluster : str, optional
        Name of a column with units of resampling, such as documents.
    missing : collection of str
        Label texts that mean that there is no label.
    columns : mapping of str to str
        Further columns to keep beside each annotation: what they are called, and their names in the table.
    rank : str, optional
        Name of a column that says which of an annotator's labels of an item is the primary one.
    check_pairs : bool
        Look for annotators who labelled an item more than once; not needed where that is meant, or known not to be.
    """

    def __init__(
        self,
        native: Any,
        *,
        item: str,
        annotator: str,
        label: str,
        cluster: str | None,
        missing: Collection[str],
        columns: Mapping[str, str] | None = None,
        rank: str | None = None,
        check_pairs: bool = True,
    ) -> None:
        roles = {"item": item, "annotator": annotator, "label": label}
        if cluster is not None:
            roles["cluster"] = cluster
        if rank is not None:
            roles["rank"] = rank
        self.columns = {name: f"column_{i}" for i, name in enumerate(columns or {})}
        self._frame = selected(native, roles, dict(zip(self.columns.values(), (columns or {}).values(), strict=True)))
        self._missing = frozenset(missing)
        self._check_pairs = check_pairs
        self._called: Mapping[str, str] = {}
        self.clustered = cluster is not None

    @property
    def local(self) -> bool:
        """True if the rows are in this process, so that looking at them one by one moves no data."""
        return is_local(self._frame)

    @cached_property
    def survey(self) -> Survey:
        """Which labels and annotators there are, and what is missing: two passes."""
        return self._renamed(self._surveyed())

    def _surveyed(self) -> Survey:
        """Look at the rows, in which annotators have the names of the table."""
        # Engines with a hash function have a cheaper way to look for repeated pairs, which `duplicates` takes.
        kind = self._frame.implementation
        hashes = kind.is_polars() or kind.is_duckdb() or kind.is_pyspark() or kind.is_pyspark_connect()
        twice = self._check_pairs and not hashes
        return surveyed(self._frame, self._missing, pairs=twice)

    def _renamed(self, survey: Survey) -> Survey:
        """Give the annotators the names they are called by; those without a label have none."""
        if not self._called:
            return survey
        names = self._called
        known = [(value, names[text]) for value, text in survey.annotators if text in names]
        rows = {names[text]: count for text, count in survey.annotator_rows.items() if text in names}
        return replace(survey, annotators=known, annotator_rows=rows)

    @cached_property
    def _labelled(self) -> nw.LazyFrame[Any]:
        """The rows that say which item, which annotator and which label."""
        survey, frame = self.survey, self._frame
        if survey.without_item:
            frame = frame.filter(~absent(frame, "item"))
        if survey.without_annotator:
            frame = frame.filter(~absent(frame, "annotator"))
        if survey.missing:
            frame = frame.filter(given(frame, survey.no_labels) == 1)
        return frame

    def item_count(self) -> int:
        """Items in the table, with or without a label: one pass."""
        distinct = self._frame.filter(~absent(self._frame, "item")).select("item").unique()
        return int(tuples(distinct.select(nw.len().alias("n")).select(*whole("n")), ["n"], "items")[0][0])

    def duplicates(self) -> tuple[int, int, str, str] | None:
        """Look for annotators who labelled an item more than once.

        Returns
        -------
        None if there are none, else how many (item, annotator) pairs, how many rows they have, and one of them.
        """
        if self._once.sure:
            return None
        return repeated_pairs(self._labelled, self.survey.repeated)

    @cached_property
    def _once(self) -> Once:
        """Whether it is clear at a glance that nobody labelled an item twice."""
        if not self._check_pairs or self.survey.repeated is not None:
            return Once(sure=False)
        if self._labelled.implementation.is_polars():
            return labelled_once(
                self._labelled, [value for value, _ in self.survey.annotators], self.survey.annotations
            )
        return Once(sure=bool(hashes_differ(self._labelled, "item", "annotator")))

    def repeated_labels(self) -> tuple[int, str, str, str] | None:
        """Look for annotators who gave an item the same label twice: how many rows too many, and one case."""
        return repeated_labels(self._labelled)

    def without_duplicates(self, keep: str) -> Rows:
        """Return rows with the first or the last of several labels that an annotator gave an item."""
        if not self.local:
            raise InputError(
                f"Rows of a {self._frame.implementation.name.lower()} table have no order, so there is no {keep} one of "
                "duplicates: remove them in the table, or read it from a file."
            )
        rows: Any = self._labelled.collect()
        return self._like(rows.unique(["item", "annotator"], keep=keep, maintain_order=True).to_native())

    def without_annotators(self, names: Collection[str]) -> Rows:
        """Return the rows of all other annotators."""
        left = {value: 1 for value, text in self.survey.annotators if text in names}
        return self._like(nw.to_native(self._labelled.filter(lookup(nw.col("annotator"), left, 0) == 0)))

    def called(self, names: Mapping[str, str]) -> Rows:
        """Return the same rows with other names for the annotators, of whom every one with a label must get one."""
        made = copy(self)
        made._called = dict(names)
        made.__dict__["survey"] = made._renamed(self.survey)
        # How often each label was given does not depend on what annotators are called.
        kept = self.__dict__.get("collapsed", {})
        made.__dict__["collapsed"] = {"counts": kept["counts"]} if "counts" in kept else {}
        return made

    def numbered(self, items: Mapping[str, int] | None = None) -> Rows:
        """Return the same rows, which must be here, with numbers for items: in the order of the table unless given by name."""
        import polars as pl

        table = listed(self._labelled, self._labelled.collect_schema().names(), self.survey.annotations)
        names = table["item"].unique(maintain_order=True)
        numbers = range(1, len(names) + 1) if items is None else [items[str(text_of(one))] for one in names.to_list()]
        item = table["item"].replace_strict(names, pl.Series(numbers, dtype=pl.Int64), return_dtype=pl.Int64)
        made = self._like(table.with_columns(item=item))
        # Nothing but names has changed.
        kept = self.__dict__.get("collapsed", {})
        made.__dict__.update(survey=replace(self.survey, **_COMPLETE), collapsed=dict(kept))
        return made

    def item_names(self) -> list[str]:
        """Return the names of all items with a label, in the order of the table; the rows must be here."""
        table = listed(self._labelled, ["item"], self.survey.annotations)
        return [str(text_of(value)) for value in table["item"].unique(maintain_order=True).to_list()]

    def _like(self, native: Any) -> Rows:
        """Return other rows with the same columns, all of them labelled and none of them twice."""
        made = Rows(
            native,
            item="item",
            annotator="annotator",
            label="label",
            cluster="cluster" if self.clustered else None,
            missing=(),
            columns=self.columns,
            check_pairs=False,
        )
        made._called = self._called
        return made

    def gathered(self, ranks: Mapping[Any, int] | None = None) -> tuple[Rows, Callable[[str], list[tuple[int, str]]]]:
        """Gather the rows of each item and annotator into one annotation.

        Parameters
        ----------
        ranks : mapping of value to int, optional
            Ranks by what stands in the rank column.

        Returns
        -------
        rows : Rows
        spelled : callable
            From a label of these rows to the ranks and texts of the labels it stands for.
        """
        frame, spelled = gathered(
            self._labelled, self.survey.labels, ranks, clustered=self.clustered, columns=list(self.columns.values())
        )
        return self._like(nw.to_native(frame)), spelled

    def values_of(self, role: str) -> dict[str | None, tuple[Any, int]]:
        """Return what stands in a column of labelled rows, as text: the value itself and how many rows have it."""
        seen = tuples(counted(self._labelled.group_by(role), "rows"), [role, "rows"], f"{role}s")
        return {text_of(value): (value, rows) for value, rows in seen}

    def where(self, label: str) -> tuple[str, str]:
        """Return the item and the annotator of one annotation with this label."""
        value = next(value for value, text in self.survey.labels if text == label)
        rows = self._labelled.filter(nw.col("label") == nw.lit(value)).select("item", "annotator")
        keys = ["item", "annotator"]
        item, annotator = tuples(rows.sort(*keys).head(1), keys, "an annotation")[0]
        return str(text_of(item)), str(text_of(annotator))

    def listed(
        self, labels: Sequence[str], annotators: Sequence[str], columns: Sequence[str]
    ) -> tuple[list[str], Array, Array, Array, list[list[str | None]]]:
        """Bring every annotation over: the one door through which rows, not aggregates, come out.

        Returns
        -------
        items : list of str
            In the order of their first row.
        item, annotator, label : array (annotations,)
            Positions among `items`, `annotators` and `labels`.
        columns : list of list of str or None
            The further columns named in `columns`, as text.
        """
        import polars as pl

        kept = ["item", "annotator", "label", *(self.columns[name] for name in columns)]
        table = listed(self._labelled, list(dict.fromkeys(kept)), self.survey.annotations)
        names = table["item"].unique(maintain_order=True)
        texts = [str(text_of(value)) for value in names.to_list()]
        known = {"annotator": (annotators, self.survey.annotators), "label": (labels, self.survey.labels)}
        at = {}
        for role, (order, values) in known.items():
            seats = {text: i for i, text in enumerate(order)}
            used = [(value, seats[text]) for value, text in values if text in seats]
            at[role] = positions(table[role], [value for value, _ in used], [seat for _, seat in used])
        places = pl.Series(range(len(names)), dtype=pl.Int64)
        item = table["item"].replace_strict(names, places, return_dtype=pl.Int64).to_numpy()
        further = [column_texts(table[self.columns[name]]) for name in columns]
        return texts, item, at["annotator"], at["label"], further

    def count_profiles(self, labels: Sequence[str]) -> tuple[Matrix, Array, Matrix | None]:
        """Collapse items to how many annotations gave them each label.

        Parameters
        ----------
        labels : sequence of str
            Texts of the labels, in the order of the columns.

        Returns
        -------
        counts : matrix (profiles, labels); multiplicities : array (profiles,); units : matrix (units, profiles) or None
        """
        return count_profiles(self._source, labels)

    def rating_profiles(
        self, labels: Sequence[str], annotators: Sequence[str]
    ) -> tuple[Array, Array, Array, Array, Matrix | None]:
        """Collapse items to who gave them which label.

        A crowd whose rows are in this process is listed and compared here, which is quicker and gives the same.

        Returns
        -------
        profile, annotator, label : array (annotations of all profiles,)
            Every annotation of one item of each kind, by position.
        multiplicities : array (profiles,)
        units : matrix (units, profiles) or None
        """
        crowd = len(annotators) > MOST_COLLAPSED and not self.clustered
        if crowd and self.local and self.survey.annotations <= MOST_ANNOTATIONS:
            items, item, annotator, label, _ = self.listed(labels, annotators, ())
            sizes = {"items": len(items), "annotators": len(annotators), "labels": len(labels)}
            return *listed_profiles(item, annotator, label, **sizes), None
        return rating_profiles(self._source, labels, annotators)

    @property
    def _source(self) -> Source:
        """These rows, as those see them who collapse items."""
        return Source(frame=lambda: self._labelled, survey=self.survey, clustered=self.clustered, here=self._summed)

    def _summed(self, here: Here) -> tuple[Array, Array] | None:
        """Add up what the rows of each item hold, if these are in this process; else the engine will do it."""
        if self.clustered or not self._frame.implementation.is_polars():
            return None
        return item_sums(self._labelled, here, self._once.items, self.survey.annotations)

    def pairing(
        self, other: Rows, labels: Sequence[str], other_labels: Sequence[str]
    ) -> tuple[Matrix, Matrix, Array, Matrix | None]:
        """Collapse the items of two tables together: counts here, counts there, how many items, and units.

        Items are matched by name; one that only one table has gets a row of zeros in the other.
        """
        if self._frame.implementation is not other._frame.implementation:
            raise InputError(
                "The two data sets live in different engines: bring them into the same one to compare them."
            )
        mine, theirs = (self._labelled, self.survey, labels), (other._labelled, other.survey, other_labels)
        return joint_profiles(mine, theirs, clustered=self.clustered and other.clustered)

    def disputed(self, number: int, names: Mapping[str, str] | None) -> Rows:
        """Return the rows of the items on which the annotators agree least, and bring them here.

        Parameters
        ----------
        number : int
            How many items.
        names : mapping of str to str, optional
            What labels are taken as; themselves if not given.
        """
        return self._brought(disputed(self._items(names), number))

    def first_items(self, labels: Sequence[str], kinds: tuple[Matrix, Array, Array], number: int) -> Rows | None:
        """Return the rows of the items whose kinds come first, and bring them here.

        Parameters
        ----------
        labels : sequence of str
            Texts of the labels, in the order of the columns of the counts.
        kinds : tuple of matrix (kinds, labels), array (kinds,) and array (kinds,)
            Label counts of each kind of item, how many items are of it, and its rank: 0 comes first, and below 0 is not wanted. Of
            kinds of the same rank items come by name.
        number : int
            How many items.

        Returns
        -------
        Rows, or None if so many labels or kinds cannot be looked up in this way.
        """
        found = first_items(self._labelled, self.survey, labels, kinds, number)
        return None if found is None else self._brought(found)

    def _brought(self, items: nw.LazyFrame[Any]) -> Rows:
        """Bring the rows of some items here."""
        found = [row[0] for row in tuples(items, ["item"], "disputed items")]
        rows = self._labelled.filter(nw.col("item").is_in(found))
        return self._like(collected(rows, rows.collect_schema().names(), "rows of disputed items", in_order=True))

    def group_rows(self, column: str) -> list[tuple[Any, str | None, int]]:
        """Return the values of a column that was kept, as the engine holds them and as text, and how many rows have each.

        A value that says nothing, or is empty, has no text.
        """
        role = self.columns[column]
        found = collected(counted(self._labelled.group_by(role), "rows"), [role, "rows"], "groups")
        texts = [text or None for text in column_texts(found[role])]
        return list(zip(found[role].to_list(), texts, found["rows"].to_list(), strict=True))

    def parts(self, column: str, values: Sequence[Any]) -> Iterator[tuple[Rows, Rows]]:
        """Return for each of some values of a column that was kept the rows with it, and all others: two passes for all."""
        role, whole_survey = self.columns[column], self.survey
        known = {"label": whole_survey.labels, "annotator": whole_survey.annotators}
        found: dict[str, dict[Any, dict[str, int]]] = {one: {value: {} for value in values} for one in known}
        grouped = self._labelled.filter(nw.col(role).is_in(list(values)))
        for one, names in known.items():
            texts = dict(names)
            for value, what, rows in tuples(
                counted(grouped.group_by(role, one), "rows"), [role, one, "rows"], f"{one}s"
            ):
                found[one][value][texts[what]] = rows
        for value in values:
            here = nw.col(role) == nw.lit(value)
            apart = here, ~here | absent(self._labelled, role)
            mine, others = (self._like(nw.to_native(self._labelled.filter(some))) for some in apart)
            mine.__dict__["survey"] = _part_of(whole_survey, found["label"][value], found["annotator"][value])
            rest = (
                {text: rows - found[one][value].get(text, 0) for text, rows in all_of_them.items()}
                for one, all_of_them in (("label", whole_survey.label_rows), ("annotator", whole_survey.annotator_rows))
            )
            others.__dict__["survey"] = _part_of(whole_survey, *rest)
            yield mine, others

    def items_in_several(self, column: str) -> int:
        """Count the items that have several values in a column that was kept, gaps and empty texts apart: one pass."""
        role = self.columns[column]
        rows = self._labelled.filter(~absent(self._labelled, role))
        if rows.collect_schema()[role] == nw.String:
            rows = rows.filter(nw.col(role) != nw.lit(""))
        ends = rows.group_by("item").agg(nw.col(role).min().alias("low"), nw.col(role).max().alias("high"))
        torn = ends.with_columns(torn=flag(nw.col("low") != nw.col("high"))).select(nw.col("torn").sum())
        return int(tuples(torn.select(*whole("torn")), ["torn"], "items in several groups")[0][0] or 0)

    def write_items(
        self,
        path: str | os.PathLike[str],
        names: Mapping[str, str] | None,
        *,
        min_annotations: int,
        max_agreement: float | None,
    ) -> None:
        """Have the engine write how far the annotators agree on each item; see `assent.Annotations.write_items`."""
        table = self._items(names)
        if min_annotations > 1:
            table = table.filter(nw.col("annotations") >= min_annotations)
        if max_agreement is not None:
            table = table.filter(nw.col("agreement") <= max_agreement)
        write(table, path)

    def _items(self, names: Mapping[str, str] | None) -> nw.LazyFrame[Any]:
        """Return what is known of each item, as the engine will work it out."""
        renamed = None if names is None else {value: names[text] for value, text in self.survey.labels}
        return item_table(self._labelled, renamed)


def _part_of(survey: Survey, label_rows: Mapping[str, int], annotator_rows: Mapping[str, int]) -> Survey:
    """Return the survey of some of the rows, all of which are labelled."""
    return replace(
        survey,
        labels=[(value, text) for value, text in survey.labels if label_rows.get(text)],
        annotators=[(value, text) for value, text in survey.annotators if annotator_rows.get(text)],
        label_rows={text: rows for text, rows in label_rows.items() if rows},
        annotator_rows={text: rows for text, rows in annotator_rows.items() if rows},
        **_COMPLETE,
    )


#: What a survey says of rows that are all labelled.
_COMPLETE: dict[str, Any] = {
    "missing": {},
    "no_labels": [],
    "without_item": 0,
    "without_annotator": 0,
    "repeated": None,
}
