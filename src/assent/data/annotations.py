"""What annotations are and what can be asked of them; the files beside this one have the answers."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from assent.data import cleaning, constructors, messages, relabel, set_sizes, subsets, to_profiles
from assent.data.dataset import Dataset
from assent.data.export_origin import ExportOrigin
from assent.data.messages import Dropped
from assent.data.set_sizes import SetShare
from assent.engines import Rows, rows_of
from assent.engines.frames import category_order, is_frame
from assent.errors import OptionError, UnsuitableData, choose
from assent.label_sets import LabelSets, Parse, split_cell
from assent.profiles import Array, Counts, Matrix, Profiles, Ratings
from assent.records import Struct, cached_property

if TYPE_CHECKING:
    from assent.data.count_source import CountSource
    from assent.data.long_rows import LongRows

__all__ = ["Annotations"]


class Annotations(Dataset, Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """Who gave which item which label. Immutable; make one with the `from_…` methods or `assent.read`.

    Parameters
    ----------
    labels : tuple of str
        The labels in use, as they were written: by value if all are numbers, else by code point, or in the order given by the
        user or by a confusion table.
    annotators : tuple of str or None
        In the same kind of order; None if the table does not say who annotated.
    n_annotations : int
        Labels given.
    layout : str
        Shape of the table they came in: long, wide, counts or table; or the name of the tool whose export it was.
    dropped : tuple of Dropped
        What was left out.
    notes : tuple of str
        What was recognised and what looks odd.
    _decimal : str
        Decimal mark of numeric labels.
    _order_given : bool
        The order of the labels is the user's.
    unit : str
        What a new sample would draw anew: items, or the name of the cluster column.
    _source : Rows or counts
        Where the annotations live.
    _written, _grouping : tuple
        The labels as they stand in the source, and which of `labels` each of them is taken as.
    _sets : LabelSets or None
        What the `labels` are made of if an annotation may hold several labels; each of `labels` is then a whole set.
    _export : ExportOrigin or None
        Which question of which tool's export these are; None if they come from a table.
    _locate : callable or None
        From a label as it was written to where it stands first in a file.
    _known : callable or None
        Looks up what was decided on each item, if a column of the table holds that.
    """

    labels: tuple[str, ...]
    annotators: tuple[str, ...] | None
    n_annotations: int
    layout: str = "long"
    dropped: tuple[Dropped, ...] = ()
    notes: tuple[str, ...] = ()
    _decimal: str = "."
    _order_given: bool = False
    unit: str = "items"
    _source: Rows | CountSource
    _written: tuple[str, ...] | None = None
    _grouping: tuple[int, ...] | None = None
    _sets: LabelSets | None = None
    _export: ExportOrigin | None = None
    _locate: Callable[[str], str | None] | None = None
    _known: Callable[[], Mapping[str, str]] | None = None

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
        layout : str
            Shape of the table that the rows were in before.
        decimal : {".", ","}
            Decimal mark of labels that are numbers written as text.
        notes, dropped : sequence of str, sequence of Dropped
            What its reader says of the table, and left out of it.
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
        >>> data.labels, data.annotators, data.n_items
        (('x', 'y'), ('a', 'b'), 2)
        """
        choose("duplicates", duplicates, ("error", "first", "last"))
        multilabel = multilabel or rank is not None
        rows = rows_of(
            frame,
            item=item,
            annotator=annotator,
            label=label,
            cluster=cluster,
            missing=missing,
            columns=dict(columns) if isinstance(columns, Mapping) else {name: name for name in columns},
            rank=rank,
            check_pairs=not multilabel,
        )
        parse = parse if separator is None else split_cell(separator, none)
        if multilabel and parse is not None:
            raise OptionError(
                "Several labels stand in one cell or in several rows, not both: give separator or multilabel."
            )
        made = constructors.of_rows(
            cls,
            rows,
            parse=parse,
            multilabel=multilabel,
            ranked_rows=rank is not None,
            ranked=ranked,
            none=none,
            duplicates=duplicates,
            layout=layout,
            decimal=decimal,
            unit="items" if cluster is None else cluster,
            dropped=dropped,
            notes=notes,
        )
        order = None if made._sets is not None else category_order(frame, [label])
        return made if order is None or not set(made.labels) <= set(order) else made.ordered(order)

    @classmethod
    def from_triples(cls, triples: Iterable[Sequence[Any]], *, duplicates: str = "error") -> Annotations:
        """Take (annotator, item, label) triples, as NLTK's AnnotationTask does.

        Examples
        --------
        >>> data = Annotations.from_triples(
        ...     [("c1", "1", "v1"), ("c2", "1", "v2"), ("c1", "2", "v1"), ("c2", "2", "v1")]
        ... )
        >>> data.n_annotations
        4
        """
        return constructors.of_triples(cls, triples, duplicates=duplicates)

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
        array : array, nested sequence or DataFrame (items, annotators)
            None, NaN, pandas' NA and masked cells are missing. The columns of a DataFrame are the annotators, by name.
        annotators : sequence of str, optional
            Names of the columns; 1, 2, … if not given.

        Examples
        --------
        >>> Annotations.from_array([["a", "a"], ["b", None], ["a", "b"]]).n_annotations
        5
        """
        if is_frame(array):
            from assent.data.coerce import of_wide_frame

            return of_wide_frame(array, missing=missing, notes=notes)
        return constructors.of_array(cls, array, annotators=annotators, missing=missing, notes=notes)

    @classmethod
    def from_counts(
        cls, counts: Any, *, labels: Sequence[str], notes: Sequence[str] = (), dropped: Sequence[Dropped] = ()
    ) -> Annotations:
        """Take a table of items x labels that says how many annotators gave each item each label.

        Examples
        --------
        >>> data = Annotations.from_counts([[3, 0], [1, 2]], labels=["yes", "no"])
        >>> data.labels, data.n_items, data.n_annotations
        (('no', 'yes'), 2, 6)
        """
        return constructors.of_counts(cls, counts, labels=labels, notes=notes, dropped=dropped)

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
        >>> data.n_items, data.n_annotations
        (50, 100)
        """
        return constructors.of_contingency(cls, table, labels=labels, annotators=annotators, notes=notes)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Labels; or sets of labels, which the measures of labels take as well."""
        return ("labels",) if self._sets is None else ("label-sets", "labels")

    def profiles(self, form: type[Profiles], **options: Any) -> Counts | Ratings:
        """Return the items by how many gave each label (`Counts`) or by who gave which (`Ratings`)."""
        return self._ratings if form is Ratings else self._counts

    @property
    def gold(self) -> Mapping[str, Any]:
        """The right answers by item that the export of a tool or a column of the table holds; empty if there are none."""
        known: Mapping[str, Any] = {} if self._known is None else self._known()
        known = known if self._export is None else self._export.gold
        if self._grouping is None:
            return known
        # Labels that were renamed or merged are known by their new names.
        names = {text: self.labels[i] for text, i in zip(self._source_labels, self._grouping, strict=True)}
        return {item: names.get(one, one) if isinstance(one, str) else one for item, one in known.items()}

    @property
    def single_labels(self) -> tuple[str, ...]:
        """The labels, one by one even if annotations hold several."""
        return self.labels if self._sets is None else self._sets.labels

    @property
    def _parts(self) -> LabelSets:
        """What the labels are made of: each of itself alone if annotations do not hold several."""
        sets = self._as_sets()._sets
        assert sets is not None
        return sets

    @property
    def _ranked(self) -> bool:
        """Annotations hold several labels, of which the first is the primary one."""
        return self._sets is not None and self._sets.ranked

    def _of_single_labels(self, values: Matrix) -> Array:
        """Turn numbers of whole annotations, (…, labels), into those of the single labels that they hold."""
        return set_sizes.of_single_labels(self, values)

    def _about_sets(self, *sentences: str) -> list[str]:
        """Return what is to be said of annotations that hold several labels; nothing if these do not."""
        return [] if self._sets is None else list(sentences)

    def _check_single(self, why: str) -> None:
        """Refuse annotations that hold several labels, and say why."""
        if self._sets is not None:
            raise UnsuitableData(f"These annotations are sets of labels, {why}")

    @property
    def _source_labels(self) -> tuple[str, ...]:
        """The labels in use in their own order, before any order or grouping of the user's."""
        return self.labels if self._written is None else self._written

    @property
    def local(self) -> bool:
        """True if the annotations are in this process; False if they live in an engine such as DuckDB or Spark."""
        return not isinstance(self._source, Rows) or self._source.local

    @property
    def n_items(self) -> int:
        """Items with a label."""
        # Whoever has counted or listed them knows.
        kept = self._source.collapsed
        known: Counts | Ratings | None = kept.get("counts") or kept.get("ratings")
        if known is None and "n_items" in kept:
            return int(kept["n_items"])
        return (known or self._counts).n_items

    @cached_property
    def _counts(self) -> Counts:
        """Items by how many annotations gave them each label, equal ones together."""
        return to_profiles.counts(self)

    @cached_property
    def _comparable_counts(self) -> Counts:
        """The same without items that have one annotation."""
        return self._counts.comparable()

    @cached_property
    def _ratings(self) -> Ratings:
        """Items by who gave them which label, equal ones together."""
        return to_profiles.ratings(self)

    @cached_property
    def _comparable_ratings(self) -> Ratings:
        """The same without items that have one annotation."""
        return self._ratings.comparable()

    @property
    def _matched_by_name(self) -> bool:
        """True if items of two data sets can be matched by their names: sets of labels are not, nor tables without names."""
        return self._sets is None and self.annotators is not None

    @property
    def _comparable(self) -> bool:
        """True if some item has two annotations."""
        return bool(self._comparable_counts.n_items)

    def _label_counts(self) -> dict[str, int]:
        """Return how often each label was given, one by one even if annotations hold several."""
        many = self._of_single_labels(self._counts.multiplicities @ self._counts.counts)
        return {label: int(n) for label, n in zip(self.single_labels, many, strict=True) if n}

    def _single_items(self, profiles: Profiles) -> int:
        """Count the items with one annotation."""
        return self._counts.n_items - self._counts.pairable_items

    def _same_source(self, other: Any) -> bool:
        """Tell whether two data sets are views of the same annotations."""
        return isinstance(other, Annotations) and self._source is other._source

    def _pairing(self, other: Any, mine: Profiles, theirs: Profiles) -> tuple[Array, Array, Array, Matrix | None]:
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
        return to_profiles.pairing(self, other, mine, theirs)

    def ordered(self, order: Sequence[str]) -> Annotations:
        """Return the same annotations with the labels in a given order, lowest first.

        Labels that nobody used may be among them; every label in use must be.
        """
        return relabel.ordered(self, order)

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
        return relabel.merged(self, groups)

    def _binarize(self, label: str) -> Annotations:
        """Return the same annotations with `label` against all other labels taken as one."""
        return relabel.binarize(self, label)

    def _as_sets(self) -> Annotations:
        """Return the same annotations as sets of labels, of one label each if they are not sets already."""
        return relabel.as_sets(self)

    def _without_ranks(self) -> Annotations:
        """Return the same annotations without saying which label of a set is the primary one."""
        return relabel.without_ranks(self)

    def set_shares(self) -> tuple[SetShare, ...]:
        """Return for each annotator how many annotations hold several labels; nothing if there are no sets."""
        return set_sizes.set_shares(self)

    def to_rows(self, *columns: str) -> LongRows:
        """Return every annotation one by one, in the order of the table, with further columns that were kept.

        Unlike everything else here it brings all rows into memory.

        Examples
        --------
        >>> listing = Annotations.from_array([["a", "b"], ["b", None]]).to_rows()
        >>> listing.items, listing.item.tolist(), listing.label.tolist()
        (['1', '2'], [0, 0, 1], [0, 1, 1])
        """
        return subsets.to_rows(self, columns)

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
        assent.items : the same and more, for as many items as fit into memory.

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
        subsets.write_items(self, path, min_annotations=min_annotations, max_agreement=max_agreement)

    def _most_disputed(self, number: int) -> Annotations:
        """Return the annotations of the items with the least agreement, which the engine looks up; they are brought here.

        Of items that agree equally, those with more annotations come first, then those with the higher entropy, then by name:
        numbers by value, before all other names by code point.

        Examples
        --------
        >>> data = Annotations.from_array([["a", "a", "b"], ["b", "b", "b"], ["a", "b", "c"]])
        >>> data._most_disputed(2).n_items
        2
        """
        return subsets.most_disputed(self, number)

    def _first_items(self, ranks: Array, number: int) -> Annotations | None:
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
        >>> import numpy as np
        >>> data = Annotations.from_array([["a", "a", "b"], ["b", "b", "b"], ["a", "b", "c"]])
        >>> data._counts.counts.tolist()
        [[0, 3, 0], [1, 1, 1], [2, 1, 0]]
        >>> first = data._first_items(np.array([-1, 0, 1]), 2)
        >>> first.n_items, first.to_rows().items
        (2, ['1', '3'])
        """
        return subsets.first_items(self, ranks, number)

    def _groups(self, column: str) -> list[tuple[Any, str | None, int]]:
        """Return the values of a column that was kept, as they are and as text, and how many annotations have each.

        The text is None where there is no value. The most frequent come first, then by name.

        Examples
        --------
        >>> import polars as pl
        >>> frame = pl.DataFrame(
        ...     {"item": [1, 2, 3], "annotator": ["a", "b", "a"], "label": ["x", "x", "y"], "batch": [7, 7, None]}
        ... )
        >>> Annotations.from_frame(frame, columns=["batch"])._groups("batch")
        [(7, '7', 2), (None, None, 1)]
        """
        return subsets.groups(self, column)

    def _sample_items(self) -> Annotations:
        """Return these annotations or, if they are too many to look at who gave which label, a sample of their items.

        Of up to 20 million annotations, and of a team whose items are of few kinds, it is all of them. Else the engine draws about four
        million annotations, whole items, by a hash of their names; the last of the notes then says so.
        """
        return subsets.sample_items(self)

    def _items_in_several(self, column: str) -> int:
        """Count the items whose annotations have several values in a column that was kept."""
        return subsets.items_in_several(self, column)

    def _split_by(self, column: str, values: Sequence[Any]) -> Iterator[tuple[Annotations, Annotations]]:
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
        >>> [(part, others)] = Annotations.from_frame(frame, columns=["batch"])._split_by("batch", [7])
        >>> part.labels, part.annotators, others.labels, others.n_items
        (('x',), ('a', 'b'), ('y',), 1)
        """
        return subsets.split_by(self, column, values)

    def without_annotators(self, names: Collection[str]) -> Annotations:
        """Return the annotations of all other annotators; the labels stay, whether one of them still uses them or not.

        Examples
        --------
        >>> data = Annotations.from_array([["a", "a", "b"], ["b", "b", "a"]], annotators=["x", "y", "z"])
        >>> data.without_annotators(["z"]).n_annotations
        4
        """
        return subsets.without_annotators(self, names)

    def without_labels(self, labels: Collection[str]) -> Annotations:
        """Return the annotations with other labels; those with these are left out, and counted.

        Examples
        --------
        >>> Annotations.from_array([["a", "b"], ["b", "?"], ["a", "?"]]).without_labels(["?"]).n_annotations
        4
        """
        return cleaning.without(self, "labels", list(labels))

    def only_items(self, names: Collection[str]) -> Annotations:
        """Return the annotations of the items of these names."""
        return subsets.of_items(self, names, keep=True)

    def without_items(self, names: Collection[str]) -> Annotations:
        """Return the annotations of all other items."""
        return subsets.of_items(self, names, keep=False)

    def rename_labels(self, names: Mapping[str, str]) -> Annotations:
        """Return the same annotations with other names for some labels; two labels never become one (see `merged`)."""
        return cleaning.renamed(self, names)

    def ignore_case(self) -> Annotations:
        """Return the same annotations with labels as one that differ only by case or blanks around them.

        Examples
        --------
        >>> Annotations.from_array([["yes", "Yes"], ["no", "yes "]]).ignore_case().labels
        ('no', 'yes')
        """
        return cleaning.ignoring_case(self)

    def rename_annotators(self, names: Mapping[str, str]) -> Annotations:
        """Return the same annotations with other names for the annotators; notes, which may hold the old ones, are left out."""
        return subsets.rename_annotators(self, names)

    def describe(self) -> str:
        """Say in one line what the data are, and in another how many annotations hold several labels."""
        return f"{super().describe()}, {messages.labels_in_use(self)}"

    def _nothing_to_compare(self) -> str:
        """Say why no two annotations can be compared."""
        return messages.nothing_to_compare(self)

    def to_dict(self) -> dict[str, Any]:
        """Return what the data are as plain values, in the shape the command line prints as JSON."""
        return {
            "items": self.n_items,
            "annotators": self.n_annotators,
            "annotations": self.n_annotations,
            "labels": list(self.single_labels),
            "layout": self.layout,
            "multilabel": set_sizes.multilabel(self),
            "dropped": [{"reason": one.reason, "rows": one.rows} for one in self.dropped],
            "notes": list(self.notes),
            **({} if self._export is None else self._export.to_dict()),
        }
