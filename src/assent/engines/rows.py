"""Long rows of annotations in some engine, and what can be asked of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import copy
from typing import Any

import narwhals as nw
import numpy as np

from assent.engines.collect import collected, tuples
from assent.engines.columns import absent, counted, is_local, lookup, selected, whole
from assent.engines.few import FewRows, few_rows
from assent.engines.hashes import has_hashes, one_item_in
from assent.engines.profiling import Source, count_profiles, joint_profiles, rating_profiles
from assent.engines.sorting import DuplicateCheck, LocalSums, item_sums, labelled_once
from assent.engines.survey import Survey, given, surveyed
from assent.engines.texts import text_of
from assent.errors import InputError
from assent.limits import MOST_ANNOTATIONS, MOST_COLLAPSED
from assent.profiles import Array, Matrix
from assent.records import cached_property

__all__ = ["Rows"]


class Rows:
    """Long rows of annotations in some engine.

    Parameters
    ----------
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
        self._roles, self._further = roles, columns or {}
        self.columns = {name: f"column_{i}" for i, name in enumerate(columns)} if columns else {}
        self._native = native
        self._missing = frozenset(missing)
        self._check_pairs = check_pairs
        self._called: Mapping[str, str] = {}
        #: Profiles that were made of these rows, and a sample of them, kept by whoever asked for them.
        self.collapsed: dict[str, Any] = {}
        self.clustered = cluster is not None

    @cached_property
    def _frame(self) -> nw.LazyFrame[Any]:
        """The columns that matter, by our names."""
        return selected(
            self._table(), self._roles, dict(zip(self.columns.values(), self._further.values(), strict=True))
        )

    def _table(self) -> Any:
        """Return the table, one row for each annotation."""
        return self._native

    @cached_property
    def _few(self) -> FewRows | None:
        """The rows themselves, if they are so few that they are counted here."""
        return few_rows(self._native, self._roles, self._further.values(), lambda: self._frame)

    @property
    def local(self) -> bool:
        """True if the rows are in this process, so that looking at them one by one moves no data."""
        return is_local(self._frame)

    @cached_property
    def survey(self) -> Survey:
        """Which labels and annotators there are, and what is missing: two passes."""
        found = self._surveyed()
        return found.renamed(self._called) if self._called else found

    def _surveyed(self) -> Survey:
        """Look at the rows, in which annotators have the names of the table."""
        if self._few is not None:
            return self._few.surveyed(self._missing, pairs=self._check_pairs and not self._few.hashed)
        # Engines with a hash function have a cheaper way to look for repeated pairs, which `duplicates` takes.
        twice = self._check_pairs and not has_hashes(self._frame)
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
        if self._once.sure:
            return None
        from assent.engines.pairs import repeated_pairs

        among = self._labelled if self._once.among is None else self._once.among
        return repeated_pairs(among, self.survey.repeated)

    @cached_property
    def _once(self) -> DuplicateCheck:
        """Whether it is clear at a glance that nobody labelled an item twice."""
        if not self._check_pairs or self.survey.repeated is not None:
            return DuplicateCheck(sure=False)
        if self._few is not None:
            return self._few.labelled_once(self.survey)
        if self._labelled.implementation.is_polars():
            return labelled_once(
                self._labelled, [value for value, _ in self.survey.annotators], self.survey.n_annotations
            )
        from assent.engines.pairs import hashes_differ

        return DuplicateCheck(sure=hashes_differ(self._labelled, "item", "annotator"))

    def repeated_labels(self) -> tuple[int, str, str, str] | None:
        """Look for annotators who gave an item the same label twice: how many rows too many, and one case."""
        from assent.engines.pairs import repeated_labels

        return repeated_labels(self._labelled)

    def without_duplicates(self, keep: str) -> Rows:
        """Return rows with the first or the last of several labels that an annotator gave an item."""
        if not self.local:
            raise InputError(
                f"Rows of a {self._frame.implementation.name.lower()} table have no order, so there is no {keep} one of "
                "duplicates: remove them in the table, or read it from a file."
            )
        rows: Any = self._labelled.collect()
        return self._like(rows.unique(["item", "annotator"], keep=keep, maintain_order=True))

    def without_annotators(self, names: Collection[str]) -> Rows:
        """Return the rows of all other annotators."""
        left = {value: 1 for value, text in self.survey.annotators if text in names}
        return self._like(self._labelled.filter(lookup(nw.col("annotator"), left, 0) == 0))

    def without_labels(self, names: Collection[str]) -> Rows:
        """Return the rows with all other labels."""
        left = {value: 1 for value, text in self.survey.labels if text in names}
        return self._like(self._labelled.filter(lookup(nw.col("label"), left, 0) == 0))

    def of_items(self, names: Collection[str], *, keep: bool) -> Rows:
        """Return the rows of the items of these names, or of all others."""
        text = nw.col("item").cast(nw.String).is_in(list(names))
        return self._like(self._labelled.filter(text if keep else ~text))

    def rename_annotators(self, names: Mapping[str, str]) -> Rows:
        """Return the same rows with other names for the annotators, of whom every one with a label must get one."""
        made = copy(self)
        # From the names of the table, whatever they are called by now.
        before = self._called or {name: name for name in names}
        made._called = {text: names[name] for text, name in before.items() if name in names}
        made.__dict__["survey"] = self.survey.renamed(names)
        # How often each label was given does not depend on what annotators are called.
        made.collapsed = {kind: kept for kind, kept in self.collapsed.items() if kind == "counts"}
        return made

    def numbered(self, items: Mapping[str, int] | None = None) -> Rows:
        """Return the same rows, which must be here, with numbers for items: in the order of the table unless given by name."""
        from assent.engines.listing import with_numbered_items

        numbered = with_numbered_items(self._labelled, self.survey.n_annotations, items)
        made = self._like(numbered, self.survey.of_labelled())
        # Profiles do not name items; a sample does.
        made.collapsed.update({kind: kept for kind, kept in self.collapsed.items() if kind in ("counts", "ratings")})
        return made

    def item_names(self) -> list[str]:
        """Return the names of all items with a label, in the order of the table; the rows must be here."""
        from assent.engines.listing import item_names

        return item_names(self._labelled, self.survey.n_annotations)

    def one_item_in(self, number: int) -> Rows | None:
        """Bring the rows of about one item in so many here, drawn by a hash; None if the engine has no hash function."""
        some = one_item_in(self._labelled, number)
        if some is None:
            return None
        return self._like(collected(some, some.collect_schema().names(), "a sample of items"))

    def _like(self, frame: Any, survey: Survey | None = None) -> Rows:
        """Return other rows with the same columns, all of them labelled and none of them twice, and what is known of them."""
        made = Rows(
            nw.to_native(frame, pass_through=True),
            item="item",
            annotator="annotator",
            label="label",
            cluster="cluster" if self.clustered else None,
            missing=(),
            columns=self.columns,
            check_pairs=False,
        )
        made._called = self._called
        if survey is not None:
            made.__dict__["survey"] = survey
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
        from assent.engines.sets import gathered

        frame, spelled = gathered(
            self._labelled, self.survey.labels, ranks, clustered=self.clustered, columns=list(self.columns.values())
        )
        return self._like(frame), spelled

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
        """Bring every annotation over, one by one.

        Returns
        -------
        items : list of str
            In the order of their first row.
        item, annotator, label : array (annotations,)
            Positions among `items`, `annotators` and `labels`.
        columns : list of list of str or None
            The further columns named in `columns`, as text.
        """
        kept = [self.columns[name] for name in columns]
        from assent.engines.listing import listed_annotations

        return listed_annotations(self._labelled, self.survey, labels, annotators, kept)

    def listed_with_clusters(
        self, labels: Sequence[str], annotators: Sequence[str]
    ) -> tuple[list[str], Array, Array, Array, Array | None]:
        """Bring every annotation over, with the unit of resampling it belongs to; None if these are the items."""
        from assent.engines.listing import listed_annotations

        kept = ["cluster"] if self.clustered else []
        names, item, annotator, label, columns = listed_annotations(
            self._labelled, self.survey, labels, annotators, kept
        )
        return names, item, annotator, label, np.array(columns[0], dtype=object) if columns else None

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
        if crowd and self.local and self.survey.n_annotations <= MOST_ANNOTATIONS:
            from assent.engines.listing import numbered_annotations
            from assent.engines.row_profiles import listed_profiles

            items, item, annotator, label = numbered_annotations(self._labelled, self.survey, labels, annotators)
            sizes = {"items": items, "annotators": len(annotators), "labels": len(labels)}
            return *listed_profiles(item, annotator, label, **sizes), None
        return rating_profiles(self._source, labels, annotators)

    @property
    def _source(self) -> Source:
        """These rows, as those see them who collapse items."""
        return Source(frame=lambda: self._labelled, survey=self.survey, clustered=self.clustered, here=self._summed)

    def _summed(self, here: LocalSums) -> tuple[Array, Array] | None:
        """Add up what the rows of each item hold, if these are in this process; else the engine will do it."""
        if not self.clustered and self._few is not None:
            return self._few.summed(self.survey, here)
        if self.clustered or not self._frame.implementation.is_polars():
            return None
        return item_sums(self._labelled, here, self._once.n_items, self.survey.n_annotations)

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
        from assent.engines.items import disputed, rows_of_items

        return self._like(rows_of_items(self._labelled, disputed(self._items(names), number)))

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
        from assent.engines.items import first_items, rows_of_items

        found = first_items(self._labelled, self.survey, labels, kinds, number)
        return None if found is None else self._like(rows_of_items(self._labelled, found))

    def groups(self, column: str) -> list[tuple[Any, str | None, int]]:
        """Return the values of a column that was kept, as the engine holds them and as text, and how many rows have each.

        A value that says nothing, or is empty, has no text.
        """
        from assent.engines import groups

        return groups.groups(self._labelled, self.columns[column])

    def split_by(self, column: str, values: Sequence[Any]) -> Iterator[tuple[Rows, Rows]]:
        """Return for each of some values of a column that was kept the rows with it, and all others: two passes for all."""
        from assent.engines import groups

        for part, others in groups.split_by(self._labelled, self.survey, self.columns[column], values):
            yield self._like(part.frame, part.survey), self._like(others.frame, others.survey)

    def items_in_several(self, column: str) -> int:
        """Count the items that have several values in a column that was kept, gaps and empty texts apart: one pass."""
        from assent.engines import groups

        return groups.items_in_several(self._labelled, self.columns[column])

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
        from assent.engines.items import write

        write(table, path)

    def _items(self, names: Mapping[str, str] | None) -> nw.LazyFrame[Any]:
        """Return what is known of each item, as the engine will work it out."""
        renamed = None if names is None else {value: names[text] for value, text in self.survey.labels}
        from assent.engines.items import item_table

        return item_table(self._labelled, renamed)
