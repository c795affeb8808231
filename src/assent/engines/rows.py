"""Long rows of annotations in some engine, and what can be asked of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

import narwhals as nw

from assent.engines.columns import absent, counted, is_local, lookup, selected, whole
from assent.engines.door import listed, tuples
from assent.engines.items import disputed, item_table, write
from assent.engines.kinds import positions
from assent.engines.pairs import repeated_labels, repeated_pairs
from assent.engines.profiling import count_profiles, joint_profiles, rating_profiles
from assent.engines.sets import gathered
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
        self.clustered = cluster is not None

    @property
    def local(self) -> bool:
        """True if the rows are in this process, so that looking at them one by one moves no data."""
        return is_local(self._frame)

    @cached_property
    def survey(self) -> Survey:
        """Which labels and annotators there are, and what is missing: two passes."""
        # polars has a quicker way to look for repeated pairs, which `duplicates` takes.
        twice = self._check_pairs and not self._frame.implementation.is_polars()
        return surveyed(self._frame, self._missing, pairs=twice)

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
        return repeated_pairs(self._labelled, self.survey.repeated)

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

    def _like(self, native: Any) -> Rows:
        """Return other rows with the same columns, all of them labelled and none of them twice."""
        return Rows(
            native,
            item="item",
            annotator="annotator",
            label="label",
            cluster="cluster" if self.clustered else None,
            missing=(),
            columns=self.columns,
            check_pairs=False,
        )

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
        return count_profiles(self._labelled, self.survey, labels, clustered=self.clustered)

    def rating_profiles(
        self, labels: Sequence[str], annotators: Sequence[str]
    ) -> tuple[Array, Array, Array, Array, Matrix | None]:
        """Collapse items to who gave them which label.

        Returns
        -------
        profile, annotator, label : array (annotations of all profiles,)
            Every annotation of one item of each kind, by position.
        multiplicities : array (profiles,)
        units : matrix (units, profiles) or None
        """
        return rating_profiles(self._labelled, self.survey, labels, annotators, clustered=self.clustered)

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
        """Return the rows of the items on which the annotators agree least; only the names of these come here.

        Parameters
        ----------
        number : int
            How many items.
        names : mapping of str to str, optional
            What labels are taken as; themselves if not given.
        """
        worst = disputed(self._items(names), number)
        found = [row[0] for row in tuples(worst, ["item"], "disputed items")]
        return self._like(nw.to_native(self._labelled.filter(nw.col("item").is_in(found))))

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
