"""Annotations: the one data model. Who gave which item which label, checked, counted and never changed."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from assent.engines import Rows, rows_of, text_of
from assent.errors import (
    DuplicateAnnotations,
    EmptyTable,
    InputError,
    OptionError,
    UnsuitableData,
    choose,
    shown,
)
from assent.gathering import gathered
from assent.label_sets import LabelSets, Parse, split_cell
from assent.listing import Listing
from assent.profiles import Array, Counts, Matrix, Profiles, Ratings, distinct_rows, regrouped_columns
from assent.scales import numbers
from assent.tally import Tally, whole_numbers
from assent.vocabulary import distinct_texts, in_order, look_alikes

__all__ = ["Annotations", "Dropped", "as_annotations"]


@dataclass(frozen=True)
class Dropped:
    """Rows that were left out, and why."""

    reason: str
    rows: int


@dataclass(frozen=True, kw_only=True)
class SetShare:
    """How many annotations of an annotator hold several labels.

    Parameters
    ----------
    annotator : str
    annotations, several : int
        All of them, and those with two or more labels.
    share : float
        The latter of the former.
    mean_labels : float
        Labels per annotation.
    """

    annotator: str
    annotations: int
    several: int
    share: float
    mean_labels: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Annotations:
    """Who gave which item which label. Immutable; make one with the `from_…` methods or `assent.read`.

    Parameters
    ----------
    labels : tuple of str
        The labels in use, as they were written: by value if all are numbers, else by code point, or in the order given by the
        user or by a confusion table.
    annotators : tuple of str or None
        In the same kind of order; None if the table does not say who annotated.
    annotations : int
        Labels given.
    layout : str
        Shape of the table they came in: long, wide, counts or table.
    dropped : tuple of Dropped
        What was left out.
    notes : tuple of str
        What was recognised and what looks odd.
    decimal : str
        Decimal mark of numeric labels.
    order_given : bool
        The order of the labels is the user's.
    unit : str
        What a new sample would draw anew: items, or the name of the cluster column.
    source : Rows or counts
        Where the annotations live.
    written, grouping : tuple
        The labels as they stand in the source, and which of `labels` each of them is taken as.
    sets : LabelSets or None
        What the `labels` are made of if an annotation may hold several labels; each of `labels` is then a whole set.
    """

    labels: tuple[str, ...]
    annotators: tuple[str, ...] | None
    annotations: int
    layout: str = "long"
    dropped: tuple[Dropped, ...] = ()
    notes: tuple[str, ...] = ()
    decimal: str = "."
    order_given: bool = False
    unit: str = "items"
    source: Rows | Tally = field(repr=False)
    written: tuple[str, ...] | None = field(default=None, repr=False)
    grouping: tuple[int, ...] | None = field(default=None, repr=False)
    sets: LabelSets | None = field(default=None, repr=False)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        item: str = "item",
        annotator: str = "annotator",
        label: str = "label",
        cluster: str | None = None,
        missing: Collection[str] = (),
        duplicates: str = "error",
        layout: str = "long",
        decimal: str = ".",
        notes: Sequence[str] = (),
        dropped: Sequence[Dropped] = (),
        columns: Sequence[str] | Mapping[str, str] = (),
        multilabel: bool = False,
        separator: str | None = None,
        parse: Parse | None = None,
        rank: str | None = None,
        ranked: bool = False,
        none: Collection[str] = (),
    ) -> Annotations:
        """Take a long table: one row an annotation.

        Parameters
        ----------
        frame : DataFrame of pandas, polars, pyarrow, DuckDB, Spark or Ibis
            It is read where it lives; only aggregates are fetched.
        item, annotator, label : str
            Names of the columns. Nulls are missing; so is NaN in a column of numbers.
        cluster : str, optional
            Column with larger units, such as documents, that were sampled as a whole.
        missing : collection of str
            Label texts that mean "no label".
        duplicates : {"error", "first", "last"}
            What to do when an annotator labelled an item more than once.
        decimal : {".", ","}
            Decimal mark of labels that are numbers written as text.
        columns : sequence of str, or mapping of str to str
            Further columns to keep beside each annotation, such as a time or the text of the item, for `listing`. A mapping
            says what to call them.
        multilabel : bool
            Several rows of an annotator for an item are one annotation that holds several labels.
        separator : str, optional
            What stands between several labels in a cell, as ``;`` does in ``A;B``.
        parse : callable, optional
            From the text of a cell to its labels, where a separator does not do.
        rank : str, optional
            Column that says which of several rows holds the primary label (1, 2, … or primary, secondary).
        ranked : bool
            The order of the labels in a cell is their rank: the first one is primary.
        none : collection of str
            Label texts that mean "none of the labels": the empty set, which is an annotation, not a missing one.

        Examples
        --------
        >>> import polars as pl
        >>> frame = pl.DataFrame(
        ...     {"item": [1, 1, 2, 2], "annotator": ["a", "b", "a", "b"], "label": ["x", "x", "x", "y"]}
        ... )
        >>> data = Annotations.from_frame(frame)
        >>> data.labels, data.annotators, data.items
        (('x', 'y'), ('a', 'b'), 2)
        """
        choose("duplicates", duplicates, ("error", "first", "last"))
        further = dict(columns) if isinstance(columns, Mapping) else {name: name for name in columns}
        multilabel = multilabel or rank is not None
        rows = rows_of(
            frame,
            item=item,
            annotator=annotator,
            label=label,
            cluster=cluster,
            missing=missing,
            columns=further,
            rank=rank,
            check_pairs=not multilabel,
        )
        parse = parse if separator is None else split_cell(separator, none)
        if multilabel and parse is not None:
            raise OptionError(
                "Several labels stand in one cell or in several rows, not both: give separator or multilabel."
            )
        dropped, notes, survey = list(dropped), list(notes), rows.survey
        if multilabel and survey.label_rows:
            rows, parse = gathered(rows, none, ranked=rank is not None)
            ranked = rank is not None
        else:
            repeated = rows.duplicates() if survey.label_rows else None
            if repeated is not None:
                pairs, count, some_item, some_annotator = repeated
                if duplicates == "error":
                    raise DuplicateAnnotations(_duplicates_message(pairs, count, some_item, some_annotator, rows))
                rows = rows.without_duplicates(duplicates)
                dropped.append(Dropped(f"duplicate (item, annotator), {duplicates} one kept", count - pairs))
        dropped = [*_dropped(survey), *dropped]
        if not survey.label_rows:
            raise EmptyTable(_empty_message(dropped))
        silent = [name for name, count in survey.annotator_rows.items() if not count]
        if silent:
            noun = "annotator has" if len(silent) == 1 else "annotators have"
            notes.append(f"{len(silent):,} {noun} no label: {', '.join(shown(name) for name in sorted(silent)[:5])}.")
        # Labels that stood only in duplicates which were not kept are not in use.
        made = cls(
            labels=in_order(rows.survey.label_rows, decimal),
            annotators=in_order(name for name, count in rows.survey.annotator_rows.items() if count),
            annotations=sum(rows.survey.label_rows.values()),
            layout=layout,
            dropped=tuple(dropped),
            decimal=decimal,
            unit="items" if cluster is None else cluster,
            source=rows,
        )
        if parse is not None:
            names = [parse(text) for text in made.labels]
            made = made._made_of(names, in_order({one for some in names for one in some}, decimal), ranked=ranked)
            # Where nobody has a second row for an item, there are no sets, only labels.
            if multilabel and not ranked and made.sets is not None and (made.sets.sizes == 1).all():
                made = replace(made, labels=tuple(label for (label,) in made.sets.names()), sets=None)
        return replace(made, notes=(*notes, *look_alikes(made.single_labels)))

    @classmethod
    def from_triples(cls, triples: Iterable[Sequence[Any]], *, duplicates: str = "error") -> Annotations:
        """Take (annotator, item, label) triples, as NLTK's AnnotationTask does.

        Examples
        --------
        >>> data = Annotations.from_triples(
        ...     [("c1", "1", "v1"), ("c2", "1", "v2"), ("c1", "2", "v1"), ("c2", "2", "v1")]
        ... )
        >>> data.annotations
        4
        """
        import polars as pl

        columns: tuple[list[Any], list[Any], list[str | None]] = ([], [], [])
        for position, triple in enumerate(triples, start=1):
            if isinstance(triple, str) or len(triple) != 3:
                raise InputError(f"Triple {position} is {shown(triple)}: it must be (annotator, item, label).")
            for column, value in zip(columns, triple, strict=True):
                column.append(text_of(value))
        frame = pl.DataFrame(dict(zip(("annotator", "item", "label"), columns, strict=True)), schema_overrides=_TEXT)
        return cls.from_frame(frame, duplicates=duplicates, layout="long")

    @classmethod
    def from_array(
        cls,
        array: Any,
        *,
        annotators: Sequence[str] | None = None,
        missing: Collection[str] = (),
        notes: Sequence[str] = (),
    ) -> Annotations:
        """Take a 2-D array or list of rows: one row an item, one column an annotator.

        Parameters
        ----------
        array : array or nested sequence (items, annotators)
            None, NaN and masked cells are missing.
        annotators : sequence of str, optional
            Names of the columns; 1, 2, … if not given.

        Examples
        --------
        >>> Annotations.from_array([["a", "a"], ["b", None], ["a", "b"]]).annotations
        5
        """
        import polars as pl

        if isinstance(array, np.ma.MaskedArray):
            hidden = np.ma.getmaskarray(array)
            array = np.asarray(np.ma.getdata(array), dtype=object)
            array = np.where(hidden, np.array(None, dtype=object), array)
        rows = array if isinstance(array, np.ndarray) else [list(row) for row in array]
        width = (
            (rows.shape[1] if rows.ndim == 2 else -1)
            if isinstance(rows, np.ndarray)
            else max(map(len, rows), default=0)
        )
        if width < 0:
            raise InputError(f"The array has {np.ndim(rows)} dimension(s): it must have two, items x annotators.")
        ragged = (
            None if isinstance(rows, np.ndarray) else next((i for i, row in enumerate(rows) if len(row) != width), None)
        )
        if ragged is not None:
            raise InputError(
                f"Row {ragged} has {len(rows[ragged])} cells and another row {width}: fill gaps with None."
            )
        names = [str(i + 1) for i in range(width)] if annotators is None else list(map(str, annotators))
        if len(names) != width or len(set(names)) < width:
            raise OptionError(f"annotators has {len(set(names))} different names for {width} columns.")
        labels = [text_of(value) for row in rows for value in (row.tolist() if isinstance(row, np.ndarray) else row)]
        items = np.repeat(np.arange(1, len(rows) + 1), width)
        frame = pl.DataFrame(
            {"item": items, "annotator": names * len(rows), "label": labels},
            schema_overrides={"annotator": pl.String, "label": pl.String},
        )
        return cls.from_frame(frame, missing=missing, layout="wide", notes=notes)

    @classmethod
    def from_counts(
        cls, counts: Any, *, labels: Sequence[str], notes: Sequence[str] = (), dropped: Sequence[Dropped] = ()
    ) -> Annotations:
        """Take a table of items x labels that says how many annotators gave each item each label.

        Examples
        --------
        >>> data = Annotations.from_counts([[3, 0], [1, 2]], labels=["yes", "no"])
        >>> data.labels, data.items, data.annotations
        (('no', 'yes'), 2, 6)
        """
        table = whole_numbers(counts, "counts", len(labels))
        texts = distinct_texts(labels)
        order = [texts.index(text) for text in in_order(texts)]
        table = table[:, order]
        empty = int((table.sum(axis=1) == 0).sum())
        dropped = list(dropped)
        if empty:
            dropped.append(Dropped("item without a label", empty))
            table = table[table.sum(axis=1) > 0]
        if not len(table):
            raise EmptyTable("The table of counts holds no annotation: there must be a count above 0.")
        who = "The table says how many annotators gave each label, not who, so there are no annotators to compare."
        return cls(
            labels=tuple(texts[i] for i in order),
            annotators=None,
            annotations=int(table.sum()),
            layout="counts",
            dropped=tuple(dropped),
            notes=(*notes, who),
            source=Tally(table, np.ones(len(table), dtype=np.int64)),
        )

    @classmethod
    def from_contingency(
        cls,
        table: Any,
        *,
        labels: Sequence[str],
        annotators: tuple[str, str] = ("row", "column"),
        notes: Sequence[str] = (),
    ) -> Annotations:
        """Take a k x k table: how often the first annotator (rows) gave one label and the second (columns) another.

        Examples
        --------
        >>> data = Annotations.from_contingency([[20, 5], [10, 15]], labels=["pos", "neg"])
        >>> data.items, data.annotations
        (50, 100)
        """
        cells = whole_numbers(table, "table", len(labels))
        if cells.shape[0] != cells.shape[1]:
            raise InputError(f"The table is {cells.shape[0]} x {cells.shape[1]}: two annotators need a square one.")
        texts = distinct_texts(labels)
        # Names stay in the order of the table, as it was drawn up; numbers go by value, which scales rely on.
        order = [texts.index(text) for text in (texts if numbers(texts) is None else in_order(texts))]
        cells = cells[np.ix_(order, order)]
        first, second = np.nonzero(cells)
        if not len(first):
            raise EmptyTable("The table holds no item: there must be a count above 0.")
        items = cells[first, second]
        ratings = np.stack([first, second], axis=1)
        counts = np.zeros((len(items), len(texts)), dtype=np.int64)
        np.add.at(counts, (np.arange(len(items)), first), 1)
        np.add.at(counts, (np.arange(len(items)), second), 1)
        return cls(
            labels=tuple(texts[i] for i in order),
            annotators=tuple(annotators),
            annotations=int(2 * items.sum()),
            layout="table",
            notes=tuple(notes),
            source=Tally(counts, items, ratings),
        )

    @property
    def annotator_count(self) -> int | None:
        """Number of annotators with a label; None if the table does not say who annotated."""
        return None if self.annotators is None else len(self.annotators)

    @property
    def local(self) -> bool:
        """True if the annotations are in this process; False if they live in an engine such as DuckDB or Spark."""
        return not isinstance(self.source, Rows) or self.source.local

    @cached_property
    def counts(self) -> Counts:
        """Items by how many annotations gave them each label, equal ones together."""
        base: Counts = self._collapsed("counts", self._base_counts)
        return base if self.grouping is None else base.regrouped(self.grouping, self.labels)

    @cached_property
    def comparable_counts(self) -> Counts:
        """The same without items that have one annotation."""
        return self.counts.comparable()

    @cached_property
    def ratings(self) -> Ratings:
        """Items by who gave them which label, equal ones together."""
        base: Ratings = self._collapsed("ratings", self._base_ratings)
        named = base if self.grouping is None else base.regrouped(self.grouping, self.labels)
        return named if self.sets is None else replace(named, sets=self.sets)

    @cached_property
    def comparable_ratings(self) -> Ratings:
        """The same without items that have one annotation."""
        return self.ratings.comparable()

    def _collapsed(self, kind: str, collapse_items: Callable[[], Any]) -> Any:
        """Collapse the items once for all orders and groupings of the labels."""
        kept = self.source.__dict__.setdefault("collapsed", {})
        if kind not in kept:
            kept[kind] = collapse_items()
        return kept[kind]

    def _base_counts(self) -> Counts:
        labels = self.source_labels
        counts, multiplicities, units = self.source.count_profiles(labels)
        return Counts(counts=counts, multiplicities=multiplicities, units=units, labels=labels)

    def _base_ratings(self) -> Ratings:
        if self.annotators is None:
            raise UnsuitableData(
                "The table says how many annotators gave each label, not who: use a measure that does not ask who, "
                "such as fleiss-kappa, krippendorff-alpha or gwet-ac."
            )
        labels = self.source_labels
        profile, annotator, label, multiplicities, units = self.source.rating_profiles(labels, self.annotators)
        return Ratings(
            profile=profile,
            annotator=annotator,
            label=label,
            multiplicities=multiplicities,
            units=units,
            labels=labels,
            annotators=self.annotators,
            origin=np.arange(len(multiplicities)),
        )

    @property
    def single_labels(self) -> tuple[str, ...]:
        """The labels, one by one even if annotations hold several."""
        return self.labels if self.sets is None else self.sets.labels

    def as_sets(self) -> Annotations:
        """Return the same annotations as sets of labels, of one label each if they are not sets already."""
        if self.sets is not None:
            return self
        single = tuple((i,) for i in range(len(self.labels)))
        return replace(self, sets=LabelSets(self.labels, single, ranked=True))

    def without_ranks(self) -> Annotations:
        """Return the same annotations without saying which label of a set is the primary one."""
        if self.sets is None or not self.sets.ranked:
            return self
        return self._made_of(self.sets.names(), self.sets.labels, ranked=False)

    def _made_of(self, names: Sequence[tuple[str, ...]], labels: Sequence[str], *, ranked: bool) -> Annotations:
        """Return the same annotations, each of `labels` a set of names; sets that are the same become one label."""
        sets, grouping = LabelSets.of(names, labels, ranked=ranked).distinct()
        return replace(self._regrouped(grouping, sets.texts(), order_given=self.order_given), sets=sets)

    @property
    def source_labels(self) -> tuple[str, ...]:
        """The labels in use in their own order, before any order or grouping of the user's."""
        return self.labels if self.written is None else self.written

    @property
    def items(self) -> int:
        """Items with a label."""
        return self.counts.items

    def listing(self, *columns: str) -> Listing:
        """Return every annotation one by one, in the order of the table, with further columns that were kept.

        Unlike everything else here it brings all rows into memory.

        Examples
        --------
        >>> listing = Annotations.from_array([["a", "b"], ["b", None]]).listing()
        >>> listing.items, listing.item.tolist(), listing.label.tolist()
        (['1', '2'], [0, 0, 1], [0, 1, 1])
        """
        kept = self.source.columns if isinstance(self.source, Rows) else {}
        for name in columns:
            if name not in kept:
                raise OptionError(f"The column {shown(name)} was not kept: name it in columns when the table is read.")
        found = self.source.listed(self.source_labels, self.annotators or (), columns)
        items, item, annotator, label, values = found
        if self.grouping is not None:
            label = np.asarray(self.grouping, dtype=np.int64)[label]
        return Listing(
            items=items,
            labels=self.labels,
            annotators=self.annotators,
            item=item,
            label=label,
            annotator=None if self.annotators is None else annotator,
            columns=dict(zip(columns, values, strict=True)),
        )

    def write_items(
        self, path: str | os.PathLike[str], *, min_annotations: int = 1, max_agreement: float | None = None
    ) -> None:
        """Write how far the annotators agree on each item as Parquet, worked out and written by the engine itself.

        No item comes here, so there may be any number of them. The columns are item, annotations, distinct_labels, agreement
        (share of pairs of annotations with the same label; null for one annotation), entropy (in bits), majority (null for a
        tie) and margin (share of the most frequent label less that of the second). Items are in no order.

        Parameters
        ----------
        path : path
            Spark writes a folder; DuckDB and polars write a file if the name ends in ``.parquet``, else a folder. A folder that is
            there already is refused, a file is replaced.
        min_annotations : int
            Items with fewer are left out.
        max_agreement : float, optional
            Items with more agreement, or with one annotation, are left out.

        See Also
        --------
        assent.item_agreement : the same and more, for as many items as fit into memory.

        Examples
        --------
        >>> import tempfile, pathlib, polars as pl
        >>> data = Annotations.from_array([["a", "a", "b"], ["b", "b", "b"]])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder) / "items.parquet"
        ...     data.write_items(path)
        ...     pl.read_parquet(path).sort("item").select("item", "agreement", "majority").rows()
        [(1, 0.3333333333333333, 'a'), (2, 1.0, 'b')]
        """
        if max_agreement is not None and not 0.0 <= max_agreement <= 1.0:
            raise OptionError(f"The largest agreement is {max_agreement:g}; agreement lies between 0 and 1.")
        rows, names = self._named_rows()
        rows.write_items(path, names, min_annotations=min_annotations, max_agreement=max_agreement)

    def most_disputed(self, number: int) -> Annotations:
        """Return the annotations of the items with the least agreement, which the engine looks up; they are brought here.

        Of items that agree equally, those with more annotations come first, then those with the higher entropy, then by name:
        numbers by value, before all other names by code point.

        Examples
        --------
        >>> data = Annotations.from_array([["a", "a", "b"], ["b", "b", "b"], ["a", "b", "c"]])
        >>> data.most_disputed(2).items
        2
        """
        if number < 1:
            raise OptionError(f"The number of items is {number}; it must be 1 or more.")
        rows, names = self._named_rows()
        some = rows.disputed(number, names)
        return replace(self, source=some, annotations=some.survey.annotations)

    def first_items(self, ranks: Array, number: int) -> Annotations | None:
        """Return the annotations of the items that come first by the rank of their profile, then by name.

        Parameters
        ----------
        ranks : array (profiles,) of integers
            Of each profile of `counts`: 0 comes first; items with a rank below 0 are left out.
        number : int
            How many items.

        Returns
        -------
        Annotations that are here, wherever these live; None if there are too many labels or profiles to look items up by them.

        Examples
        --------
        >>> data = Annotations.from_array([["a", "a", "b"], ["b", "b", "b"], ["a", "b", "c"]])
        >>> data.counts.counts.tolist()
        [[0, 3, 0], [1, 1, 1], [2, 1, 0]]
        >>> first = data.first_items(np.array([-1, 0, 1]), 2)
        >>> first.items, first.listing().items
        (2, ['1', '3'])
        """
        rows, _ = self._named_rows()
        base: Counts = self._collapsed("counts", self._base_counts)
        given = ranks if base is self.counts else ranks[_positions(_regrouped_columns(base.counts, self), self.counts)]
        some = rows.first_items(self.source_labels, (base.counts, base.multiplicities, given), number)
        return None if some is None else replace(self, source=some, annotations=some.survey.annotations)

    def groups(self, column: str) -> list[tuple[Any, str | None, int]]:
        """Return the values of a column that was kept, as they are and as text, and how many annotations have each.

        The text is None where there is no value. The most frequent come first, then by name.

        Examples
        --------
        >>> import polars as pl
        >>> frame = pl.DataFrame(
        ...     {"item": [1, 2, 3], "annotator": ["a", "b", "a"], "label": ["x", "x", "y"], "batch": [7, 7, None]}
        ... )
        >>> Annotations.from_frame(frame, columns=["batch"]).groups("batch")
        [(7, '7', 2), (None, None, 1)]
        """
        found = self._keeping(column).group_rows(column)
        return sorted(found, key=lambda one: (-one[2], one[1] or ""))

    def items_in_several(self, column: str) -> int:
        """Count the items whose annotations have several values in a column that was kept."""
        return self._keeping(column).items_in_several(column)

    def parts(self, column: str, values: Sequence[Any]) -> Iterator[tuple[Annotations, Annotations]]:
        """Return for each of some values of a column that was kept the annotations with it, and all others.

        Each is a data set of its own: labels that none of its annotations has are left out, unless their order was given.

        Parameters
        ----------
        column : str
        values : sequence
            As `groups` returns them.

        Examples
        --------
        >>> import polars as pl
        >>> frame = pl.DataFrame(
        ...     {"item": [1, 1, 2], "annotator": ["a", "b", "a"], "label": ["x", "x", "y"], "batch": [7, 7, 8]}
        ... )
        >>> [(part, others)] = Annotations.from_frame(frame, columns=["batch"]).parts("batch", [7])
        >>> part.labels, part.annotators, others.labels, others.items
        (('x',), ('a', 'b'), ('y',), 1)
        """
        for mine, others in self._keeping(column).parts(column, values):
            yield self._among(mine), self._among(others)

    def _among(self, rows: Rows) -> Annotations:
        """Return some of the annotations."""
        survey = rows.survey
        left = tuple(name for name in self.annotators or () if name in survey.annotator_rows)
        annotators = None if self.annotators is None else left
        made = replace(self, source=rows, annotators=annotators, annotations=survey.annotations, dropped=(), notes=())
        return made if self.order_given else made._without_unused()

    def _without_unused(self) -> Annotations:
        """Return the same annotations without labels that none of them has."""
        assert isinstance(self.source, Rows)
        given = range(len(self.labels)) if self.grouping is None else self.grouping
        used = {
            text: i for text, i in zip(self.source_labels, given, strict=True) if text in self.source.survey.label_rows
        }
        kept = sorted(set(used.values()))
        place = {i: k for k, i in enumerate(kept)}
        left = replace(
            self,
            labels=tuple(self.labels[i] for i in kept),
            written=tuple(used),
            grouping=tuple(place[i] for i in used.values()),
            sets=None,
        )
        if self.sets is not None:
            names = [self.sets.names()[i] for i in kept]
            single = in_order({one for some in names for one in some}, self.decimal)
            return left._made_of(names, single, ranked=self.sets.ranked)
        labels = in_order(left.labels, self.decimal)
        return left._regrouped([labels.index(label) for label in left.labels], labels, order_given=False)

    def called(self, names: Mapping[str, str]) -> Annotations:
        """Return the same annotations with other names for the annotators; notes, which may hold the old ones, are left out."""
        if self.annotators is None:
            return replace(self, notes=())
        if not isinstance(self.source, Rows):
            return replace(self, annotators=tuple(names[name] for name in self.annotators), notes=())
        annotators = in_order(names[name] for name in self.annotators)
        return replace(self, annotators=annotators, source=self.source.called(names), notes=())

    def _keeping(self, column: str) -> Rows:
        """Return the rows; refuse a column that was not kept beside them."""
        if not isinstance(self.source, Rows) or column not in self.source.columns:
            raise OptionError(f"The column {shown(column)} was not kept: name it in columns when the table is read.")
        return self.source

    def _named_rows(self) -> tuple[Rows, dict[str, str] | None]:
        """Return the rows, and what their labels are taken as if that is not themselves."""
        if not isinstance(self.source, Rows):
            raise UnsuitableData("This table does not name its items, so they cannot be looked up one by one.")
        if self.grouping is None:
            return self.source, None
        names = {text: self.labels[i] for text, i in zip(self.source_labels, self.grouping, strict=True)}
        return self.source, None if all(text == name for text, name in names.items()) else names

    def ordered(self, order: Sequence[str]) -> Annotations:
        """Return the same annotations with the labels in a given order, lowest first.

        Labels that nobody used may be among them; every label in use must be.
        """
        order = list(map(str, order))
        distinct_texts(order)
        absent = [label for label in self.single_labels if label not in set(order)]
        if absent:
            raise OptionError(
                f"order leaves out {', '.join(shown(label) for label in absent[:5])}: it must name every label in use."
            )
        if self.sets is not None:
            return replace(self._made_of(self.sets.names(), order, ranked=self.sets.ranked), order_given=True)
        return self._regrouped([order.index(label) for label in self.labels], tuple(order), order_given=True)

    def merged(self, groups: Mapping[str, str]) -> Annotations:
        """Return the same annotations with some labels taken as one.

        Parameters
        ----------
        groups : mapping of str to str
            New label of each label that gets one; the others stay.

        Examples
        --------
        >>> data = Annotations.from_array([["cat", "dog"], ["dog", "car"]])
        >>> data.merged({"cat": "animal", "dog": "animal"}).labels
        ('animal', 'car')
        """
        unknown = [label for label in groups if label not in set(self.single_labels)]
        if unknown:
            raise OptionError(f"There is no label {shown(unknown[0])} to merge.")
        named = [groups.get(label, label) for label in self.single_labels]
        labels = tuple(dict.fromkeys(named)) if self.order_given else in_order(set(named), self.decimal)
        if self.sets is not None:
            # Labels of one set that become the same are one label of it, at the rank of the first.
            left = [tuple(dict.fromkeys(groups.get(one, one) for one in names)) for names in self.sets.names()]
            return self._made_of(left, labels, ranked=self.sets.ranked)
        return self._regrouped([labels.index(name) for name in named], labels, order_given=self.order_given)

    def without_annotators(self, names: Collection[str]) -> Annotations:
        """Return the annotations of all other annotators; the labels stay, whether one of them still uses them or not.

        Examples
        --------
        >>> data = Annotations.from_array([["a", "a", "b"], ["b", "b", "a"]], annotators=["x", "y", "z"])
        >>> data.without_annotators(["z"]).annotations
        4
        """
        known = self.annotators
        if known is None or not isinstance(self.source, Rows):
            raise UnsuitableData(
                "The table does not list annotations one by one, so none of an annotator can be left out."
            )
        unknown = [name for name in names if name not in set(known)]
        if unknown:
            raise OptionError(f"There is no annotator {shown(unknown[0])} to leave out.")
        rows = self.source.without_annotators(set(names))
        if not rows.survey.label_rows:
            raise EmptyTable("No annotation is left without these annotators.")
        left = tuple(name for name in known if name not in set(names))
        annotations = sum(rows.survey.label_rows.values())
        return replace(self, annotators=left, annotations=annotations, source=rows)

    def one_against_rest(self, label: str) -> Annotations:
        """Return the same annotations with `label` against all other labels taken as one."""
        if label not in self.single_labels:
            raise OptionError(f"There is no label {shown(label)}.")
        if self.sets is not None:
            held = self.sets.membership[:, self.sets.labels.index(label)]
            return self._regrouped([0 if one else 1 for one in held], (label, f"not {label}"), order_given=False)
        grouping = [0 if one == label else 1 for one in self.labels]
        return self._regrouped(grouping, (label, "any other label"), order_given=False)

    def _regrouped(self, grouping: Sequence[int], labels: tuple[str, ...], *, order_given: bool) -> Annotations:
        """Return the same annotations in terms of other labels."""
        before = range(len(self.labels)) if self.grouping is None else self.grouping
        return replace(
            self,
            labels=labels,
            order_given=order_given,
            written=self.source_labels,
            grouping=tuple(grouping[i] for i in before),
            sets=None,
        )

    def pairing(
        self, other: Annotations, mine: Profiles, theirs: Profiles
    ) -> tuple[Array, Array, Array, Matrix | None]:
        """Match the items of two data sets by name.

        Parameters
        ----------
        other : Annotations
            Another data set on some of the same items, or the same one.
        mine, theirs : Counts or Ratings
            Profiles of the two, in which the items are looked up.

        Returns
        -------
        first, second : array (joint profiles,)
            Position of the items' profile in `mine` and in `theirs`; -1 where it is not there.
        items : array (joint profiles,)
            How many items have this pair of profiles.
        units : matrix (units, joint profiles) or None
        """
        units: Matrix | None = None
        who_said_what = isinstance(mine, Ratings) or isinstance(theirs, Ratings)
        if self.source is other.source:
            kind, collapse_items = ("ratings", self._base_ratings) if who_said_what else ("counts", self._base_counts)
            base: Counts | Ratings = self._collapsed(kind, collapse_items)
            here, there = (_regrouped_columns(base.counts, data) for data in (self, other))
            items, units = base.multiplicities, base.units
        elif who_said_what:
            raise InputError(
                "Measures that ask who gave which label are compared between data sets as independent samples only: "
                "compare them unpaired, or choose a measure such as krippendorff-alpha."
            )
        elif isinstance(self.source, Rows) and isinstance(other.source, Rows):
            here, there, items, units = self.source.pairing(other.source, self.source_labels, other.source_labels)
            here, there = _regrouped_columns(here, self), _regrouped_columns(there, other)
        else:
            raise InputError(
                "A table of counts does not name its items, so two of them cannot be paired: compare them unpaired."
            )
        return _positions(here, mine), _positions(there, theirs), items, units

    def nothing_to_compare(self) -> str:
        """Say why no two annotations can be compared."""
        if self.annotator_count == 1:
            return (
                f"Only one annotator, {shown((self.annotators or ('',))[0])}, gave labels: agreement needs two; "
                "check which column holds the annotators."
            )
        return (
            f"No item has two annotations ({self.items:,} items, {self.annotations:,} annotations), so there is nothing "
            "to compare: check which column holds the items."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return what the data are as plain values, in the shape the command line prints as JSON."""
        return {
            "items": self.items,
            "annotators": self.annotator_count,
            "annotations": self.annotations,
            "labels": list(self.single_labels),
            "layout": self.layout,
            "multilabel": None if self.sets is None else self._multilabel(),
            "dropped": [{"reason": one.reason, "rows": one.rows} for one in self.dropped],
            "notes": list(self.notes),
        }

    def _multilabel(self) -> dict[str, Any]:
        """Return how many labels annotations hold, as plain values."""
        assert self.sets is not None
        times = np.asarray(self.counts.multiplicities @ self.counts.counts).ravel()
        several, empty = (int(times[wanted].sum()) for wanted in (self.sets.sizes > 1, self.sets.sizes == 0))
        return {
            "sets": int(np.count_nonzero(times)),
            "ranked": self.sets.ranked,
            "several": several,
            "empty": empty,
            "mean_labels": float(times @ self.sets.sizes) / self.annotations,
            "by_annotator": [
                {"annotator": one.annotator, "annotations": one.annotations, "several": one.several, "share": one.share}
                for one in self.set_shares()
            ],
        }

    def set_shares(self) -> tuple[SetShare, ...]:
        """Return for each annotator how many annotations hold several labels; nothing if there are no sets."""
        if self.sets is None or self.annotators is None:
            return ()
        ratings = self.ratings
        times = ratings.multiplicities[ratings.profile]
        size = self.sets.sizes[ratings.label]
        count = len(self.annotators)
        given, several, labels = (
            np.bincount(ratings.annotator, weights=times * wanted, minlength=count)
            for wanted in (np.ones(len(size)), size > 1, size)
        )
        return tuple(
            SetShare(
                annotator=name,
                annotations=int(given[i]),
                several=int(several[i]),
                share=float(several[i] / given[i]),
                mean_labels=float(labels[i] / given[i]),
            )
            for i, name in enumerate(self.annotators)
        )


def as_annotations(data: Any) -> Annotations:
    """Make annotations of whatever a user may hold: a path, a DataFrame, triples or a 2-D array."""
    if isinstance(data, Annotations):
        return data
    if isinstance(data, str | os.PathLike):
        from assent.readers import read

        return read(data)
    if isinstance(data, np.ndarray):
        return Annotations.from_array(data)
    if isinstance(data, list | tuple):
        if any(isinstance(row, Mapping) for row in data):
            return _from_records(data)
        if data and all(isinstance(row, tuple) and len(row) == 3 for row in data):
            raise InputError(
                "Rows of three could be triples or items: use Annotations.from_triples or Annotations.from_array."
            )
        return Annotations.from_array(data)
    return Annotations.from_frame(data)


def _from_records(records: Sequence[Any]) -> Annotations:
    """Take a list of mappings: long rows with the keys item, annotator and label."""
    import polars as pl

    lacking = next((i for i, row in enumerate(records) if not isinstance(row, Mapping) or not set(row) >= _ROLES), None)
    if lacking is not None:
        raise InputError(
            f"Record {lacking + 1} is {shown(records[lacking])}: each must have the keys item, annotator and label; for one row per "
            "item use Annotations.from_array."
        )
    columns = {role: [text_of(row[role]) for row in records] for role in sorted(_ROLES)}
    return Annotations.from_frame(pl.DataFrame(columns, schema_overrides=_TEXT))


def _dropped(survey: Any) -> list[Dropped]:
    """List what a survey found that cannot be used."""
    found = []
    if survey.without_item:
        found.append(Dropped("no item", survey.without_item))
    if survey.without_annotator:
        found.append(Dropped("no annotator", survey.without_annotator))
    for text, rows in sorted(survey.missing.items(), key=lambda pair: pair[0] or ""):
        found.append(Dropped("missing label" if text is None else f"missing label ({shown(text)})", rows))
    return found


def _duplicates_message(pairs: int, rows: int, item: str, annotator: str, table: Rows) -> str:
    """Say how many duplicates there are, show one, and guess at the cause."""
    what = f"{rows:,} rows are {pairs:,} (item, annotator) pairs that occur more than once"
    if table.item_count() == 1:
        return f"All rows have the same item, {shown(item)}, and {what}: check which column holds the items."
    return (
        f"{what[0].upper()}{what[1:]}, as item {shown(item)} with annotator {shown(annotator)} does: "
        "keep one of each with --duplicates first or last, take them as one annotation with several labels with --multilabel, or "
        "check which columns hold items and annotators."
    )


def _empty_message(dropped: Sequence[Dropped]) -> str:
    """Say why there is no annotation."""
    if not dropped:
        return "The table has no rows: there is nothing to measure."
    reasons = ", ".join(f"{one.rows:,} {one.reason}" for one in dropped)
    return f"No row of the table has an item, an annotator and a label ({reasons})."


def _regrouped_columns(counts: Matrix, data: Annotations) -> Matrix:
    """Return label counts in terms of the labels of `data`."""
    return counts if data.grouping is None else regrouped_columns(counts, data.grouping, len(data.labels))


def _positions(rows: Matrix, profiles: Profiles) -> Array:
    """Find rows of counts, or all ratings in their order, among profiles; -1 for one that is not there."""
    if isinstance(profiles, Ratings):
        found = np.full(rows.shape[0], -1, dtype=np.int64)
        found[profiles.origin] = np.arange(len(profiles.origin))
        return found
    assert isinstance(profiles, Counts)
    known = profiles.counts
    if isinstance(known, np.ndarray) and isinstance(rows, np.ndarray):
        stacked: Matrix = np.vstack([known, rows])
    else:
        from scipy.sparse import csr_array, vstack

        stacked = vstack([csr_array(known), csr_array(rows)]).tocsr()
    kinds, kind = distinct_rows(stacked)
    place = np.full(kinds.shape[0], -1, dtype=np.int64)
    place[kind[: known.shape[0]]] = np.arange(known.shape[0])
    return place[kind[known.shape[0] :]]


_TEXT: Any = {"annotator": str, "item": str, "label": str}
_ROLES = set(_TEXT)
