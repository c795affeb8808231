"""The only file that talks to a dataframe engine.

Long rows (item, annotator, label) stay where they live: in pandas, polars, pyarrow, DuckDB, Spark or Ibis. Only
aggregates come out: which labels and annotators there are, and the distinct profiles of items with their
multiplicities. The aggregates are integers and are put in a fixed order, so that the same rows give the
same profiles, bit for bit, on every engine.

How items become profiles. Each row carries an integer that says which label it holds (and, for ratings, whose it is) as
a digit in a positional number; the sum over an item's rows spells its profile. Grouping by item, then by that sum,
needs nothing but sums and counts, which every engine can do. With so many labels or annotators that the digits
would not fit, the sum is a random fingerprint instead, and one item of each kind is looked up to read its profile.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import narwhals as nw
import numpy as np

from assent.errors import InputError, UnknownColumn, did_you_mean, shown
from assent.profiles import Array, Matrix, collapse, from_cells

__all__ = ["Rows", "Survey", "text_of"]

#: Bits of a signed 64-bit integer that a sum may fill.
BITS = 62
#: More columns of digits than this, and a fingerprint is used instead.
DIGIT_COLUMNS = 24
#: More columns of digits than this, and sets of labels are not spelled out: about 1,400 labels without ranks.
SET_COLUMNS = 24
#: Up to so many choices a chain of comparisons is faster than a look-up table.
CHAIN = 48


def text_of(value: Any) -> str | None:
    """Return a label as text; None if it is missing.

    Text stays as it is. A typed number is written as short as it can be (1, not 1.0): a column of whole numbers
    turns into floats as soon as one is missing, and that must not rename labels.
    """
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, float | np.floating):
        number = float(value)
        if math.isnan(number):
            return None
        return str(int(number)) if number.is_integer() and abs(number) < 1e16 else repr(number)
    if isinstance(value, bytes | list | tuple | set | frozenset | dict | np.ndarray):
        raise InputError(
            f"A label is {shown(value)}, a {type(value).__name__}: each annotation must hold one label, "
            "as text, a number or true/false."
        )
    return str(value)


@dataclass(frozen=True, kw_only=True)
class Survey:
    """What a first look at the rows shows.

    Parameters
    ----------
    labels : list of (value, text)
        Every label in use as the engine holds it and as text, in no order.
    annotators : list of (value, text)
    label_rows : mapping of text to int
        Annotations with each label.
    annotator_rows : mapping of text to int
        Annotations of each annotator; 0 for one whose labels are all missing.
    missing : mapping of text or None to int
        Rows without a label, by what stood in its place (None: nothing).
    without_item, without_annotator : int
        Rows that do not say which item, or which annotator.
    """

    labels: list[tuple[Any, str]]
    annotators: list[tuple[Any, str]]
    label_rows: Mapping[str, int]
    annotator_rows: Mapping[str, int]
    missing: Mapping[str | None, int]
    without_item: int
    without_annotator: int


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
    ) -> None:
        roles = {"item": item, "annotator": annotator, "label": label}
        if cluster is not None:
            roles["cluster"] = cluster
        if rank is not None:
            roles["rank"] = rank
        self.columns = {name: f"column_{i}" for i, name in enumerate(columns or {})}
        self._frame = _select(native, roles, dict(zip(self.columns.values(), (columns or {}).values(), strict=True)))
        self._missing = frozenset(missing)
        self.clustered = cluster is not None

    @property
    def local(self) -> bool:
        """True if the rows are in this process, so that looking at them one by one moves no data."""
        kind = self._frame.implementation
        return bool(kind.is_polars() or kind.is_pandas_like() or kind.is_pyarrow())

    @cached_property
    def survey(self) -> Survey:
        """Which labels and annotators there are, and what is missing: one pass."""
        gap = nw.when(nw.col("item").is_null()).then(nw.lit(1)).otherwise(nw.lit(0))
        seen = (
            self._frame.with_columns(gap=gap)
            .group_by("annotator", "label")
            .agg(nw.len().alias("rows"), nw.col("gap").sum())
            .with_columns(nw.col("rows").cast(nw.Int64), nw.col("gap").cast(nw.Int64))
        )
        labels: dict[str, Any] = {}
        annotators: dict[str, Any] = {}
        label_rows: dict[str, int] = {}
        annotator_rows: dict[str, int] = {}
        missing: dict[str | None, int] = {}
        without_item = without_annotator = 0
        for annotator, label, rows, gaps in _collect(seen, ["annotator", "label", "rows", "gap"]):
            without_item += gaps
            rows -= gaps
            if not rows:
                continue
            name = text_of(annotator)
            if name is None:
                without_annotator += rows
                continue
            _remember(annotators, name, annotator, "annotator")
            annotator_rows.setdefault(name, 0)
            text = text_of(label)
            if text is None or text in self._missing:
                missing[text] = missing.get(text, 0) + rows
                continue
            _remember(labels, text, label, "label")
            label_rows[text] = label_rows.get(text, 0) + rows
            annotator_rows[name] += rows
        return Survey(
            labels=[(value, text) for text, value in labels.items()],
            annotators=[(value, text) for text, value in annotators.items()],
            label_rows=label_rows,
            annotator_rows=annotator_rows,
            missing=missing,
            without_item=without_item,
            without_annotator=without_annotator,
        )

    @cached_property
    def _labelled(self) -> nw.LazyFrame[Any]:
        """The rows that say which item, which annotator and which label."""
        survey = self.survey
        frame = self._frame
        if survey.without_item:
            frame = frame.filter(~nw.col("item").is_null())
        if survey.without_annotator:
            # A NaN is no annotator either; it is what pandas makes of a gap in a column of numbers.
            known = _lookup(nw.col("annotator"), {value: 1 for value, _ in survey.annotators}, 0)
            frame = frame.filter(known == 1)
        if survey.missing:
            frame = frame.filter(_lookup(nw.col("label"), {value: 1 for value, _ in survey.labels}, 0) == 1)
        return frame

    def item_count(self) -> int:
        """Items in the table, with or without a label: one pass."""
        distinct = self._frame.filter(~nw.col("item").is_null()).select("item").unique()
        return int(_collect(distinct.select(nw.len().cast(nw.Int64).alias("n")), ["n"])[0][0])

    def duplicates(self) -> tuple[int, int, str, str] | None:
        """Look for annotators who labelled an item more than once.

        Returns
        -------
        None if there are none, else how many (item, annotator) pairs, how many rows they have, and one of them.
        """
        if _surely_unique(self._labelled):
            return None
        pairs = _counted(self._labelled.group_by("item", "annotator"), "n")
        repeated = pairs.filter(nw.col("n") > 1)
        total = repeated.select(nw.len().cast(nw.Int64).alias("pairs"), nw.col("n").sum().cast(nw.Int64).alias("rows"))
        count, rows = _collect(total, ["pairs", "rows"])[0]
        if not count:
            return None
        item, annotator = _collect(
            repeated.select("item", "annotator").sort("item", "annotator").head(1), ["item", "annotator"]
        )[0]
        return int(count), int(rows), str(text_of(item)), str(text_of(annotator))

    def without_duplicates(self, keep: str) -> Rows:
        """Return rows with the first or the last of several labels that an annotator gave an item."""
        native = nw.to_native(self._labelled)
        eager = nw.from_native(native).lazy().collect()
        if (
            self._frame.implementation.is_polars()
            or eager.implementation.is_pandas_like()
            or eager.implementation.is_pyarrow()
        ):
            kept = eager.unique(["item", "annotator"], keep=keep, maintain_order=True)
            return self._like(kept.to_native())
        raise InputError(
            f"Rows of a {self._frame.implementation.name.lower()} table have no order, so there is no {keep} one of "
            "duplicates: remove them in the table, or read it from a file."
        )

    def without_annotators(self, names: Collection[str]) -> Rows:
        """Return the rows of all other annotators."""
        left = {value: 1 for value, text in self.survey.annotators if text in names}
        return self._like(nw.to_native(self._labelled.filter(_lookup(nw.col("annotator"), left, 0) == 0)))

    def _like(self, native: Any) -> Rows:
        cluster = "cluster" if self.clustered else None
        return Rows(
            native,
            item="item",
            annotator="annotator",
            label="label",
            cluster=cluster,
            missing=self._missing,
            columns=self.columns,
        )

    def gathered(self, ranks: Mapping[Any, int] | None = None) -> tuple[Rows, Callable[[str], list[tuple[int, str]]]]:
        """Gather the rows of each item and annotator into one annotation: two passes.

        Each label is a digit of a positional number, and the digit holds its rank (1 if there are no ranks), so that a sum
        spells the whole set. The sum, as text, is the label of the gathered rows.

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
        known = self.survey.labels
        digits = _Digits(count=len(known), largest=max((ranks or {None: 1}).values()))
        if digits.columns > SET_COLUMNS:
            raise InputError(f"There are {len(known):,} different labels, too many for annotations of several labels.")
        place = nw.lit(1) if ranks is None else _lookup(nw.col("rank"), ranks, 0)
        spelled = [column * place for column in digits.spell(nw.col("label"), [value for value, _ in known])]
        names = _numbered(spelled)
        keys = ["item", "annotator", *(["cluster"] if self.clustered else [])]
        rows = self._labelled.with_columns(*_named(spelled))
        if rows.implementation.is_polars():
            import polars as pl

            # Where rows have an order, so have the annotations they are gathered into.
            ordered = rows.to_native().group_by(keys, maintain_order=True)
            together = ordered.agg(pl.col(names).sum(), pl.col(list(self.columns.values())).min())
            grouped: nw.LazyFrame[Any] = nw.from_native(together)
        else:
            kept = [nw.col(name).min() for name in self.columns.values()]
            grouped = rows.group_by(*keys).agg(*(nw.col(name).sum() for name in names), *kept)
        texts = [nw.col(name).cast(nw.Int64).cast(nw.String) for name in names]
        whole = texts[0] if len(texts) == 1 else nw.concat_str(texts, separator="|")
        frame = grouped.select(*keys, *self.columns.values(), label=whole)

        def decode(text: str) -> list[tuple[int, str]]:
            found = digits.read(np.array([[int(part) for part in text.split("|")]], dtype=np.int64))[0]
            return [(int(rank), known[i][1]) for i, rank in enumerate(found) if rank]

        return self._like(nw.to_native(frame)), decode

    def values_of(self, role: str) -> dict[str | None, tuple[Any, int]]:
        """Return what stands in a column of labelled rows, as text: the value itself and how many rows have it."""
        seen = _collect(_counted(self._labelled.group_by(role), "rows"), [role, "rows"])
        return {text_of(value): (value, rows) for value, rows in seen}

    def repeated_labels(self) -> tuple[int, str, str, str] | None:
        """Look for annotators who gave an item the same label twice: how many rows too many, and one case."""
        if _surely_unique(self._labelled, "label"):
            return None
        keys = ["item", "annotator", "label"]
        repeated = _counted(self._labelled.group_by(*keys), "n").filter(nw.col("n") > 1)
        extra = repeated.select((nw.col("n") - 1).sum().cast(nw.Int64).alias("rows"))
        first = _collect(repeated.select(*keys).sort(*keys).head(1), keys)
        if not first:
            return None
        item, annotator, label = (str(text_of(value)) for value in first[0])
        return int(_collect(extra, ["rows"])[0][0]), item, annotator, label

    def where(self, label: str) -> tuple[str, str]:
        """Return the item and the annotator of one annotation with this label."""
        value = next(value for value, text in self.survey.labels if text == label)
        rows = self._labelled.filter(nw.col("label") == nw.lit(value)).select("item", "annotator")
        item, annotator = _collect(rows.sort("item", "annotator").head(1), ["item", "annotator"])[0]
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
        frame = self._labelled.select(*dict.fromkeys(kept))
        lazy = frame.implementation.is_polars()
        table: Any = frame.to_native().collect() if lazy else frame.collect(backend="polars").to_native()
        names = table["item"].unique(maintain_order=True)
        texts = [str(text_of(value)) for value in names.to_list()]
        by_text = {"label": dict(zip(labels, range(len(labels)), strict=True)), "annotator": {}}
        by_text["annotator"] = dict(zip(annotators, range(len(annotators)), strict=True))
        places = {"item": (names, np.arange(len(names)))}
        for role, known in (("annotator", self.survey.annotators), ("label", self.survey.labels)):
            used = [(value, by_text[role][text]) for value, text in known if text in by_text[role]]
            places[role] = (
                pl.Series(role, [value for value, _ in used], dtype=table[role].dtype),
                np.array([place for _, place in used], dtype=np.int64),
            )
        item, annotator, label = (
            table[role].replace_strict(old, pl.Series(new, dtype=pl.Int64), return_dtype=pl.Int64).to_numpy()
            for role, (old, new) in places.items()
        )
        return texts, item, annotator, label, [_column_texts(table[self.columns[name]]) for name in columns]

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
        digits, keys = self._label_digits(labels)
        if digits.columns <= DIGIT_COLUMNS:
            sums, items, units = self._sums(digits.spell(nw.col("label"), keys))
            return collapse(digits.read(sums), items, units)
        rng = np.random.default_rng(len(labels))
        prints = [
            _lookup(nw.col("label"), dict(zip(keys, rng.integers(0, 1 << 44, len(keys)).tolist(), strict=True)), 0)
            for _ in range(2)
        ]
        kinds, items, units, rows = self._representatives(prints)
        position = {key: i for i, key in enumerate(keys)}
        cells, times = np.unique([kind * len(labels) + position[label] for kind, _, label in rows], return_counts=True)
        counts = from_cells(*np.divmod(cells, len(labels)), times, (kinds, len(labels)))
        return collapse(counts, items, units)

    def _label_digits(self, labels: Sequence[str]) -> tuple[_Digits, list[Any]]:
        """Spell label counts: an annotator labels an item once at most, so no digit exceeds their number."""
        values = {text: value for value, text in self.survey.labels}
        keys = [values.get(text, _UNUSED) for text in labels]
        return _Digits(count=len(keys), largest=len(self.survey.annotators)), keys

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
        values = {text: value for value, text in self.survey.labels}
        position = {values[text]: i for i, text in enumerate(labels) if text in values}
        names = {text: value for value, text in self.survey.annotators}
        seats = {names[text]: i for i, text in enumerate(annotators)}
        digits = _Digits(count=len(annotators), largest=len(labels))
        if digits.columns <= DIGIT_COLUMNS:
            code = _lookup(nw.col("label"), {value: i + 1 for value, i in position.items()}, 0)
            spelled = [code * place for place in digits.spell(nw.col("annotator"), list(seats))]
            sums, items, units = self._sums(spelled)
            # The sums are as good as what they spell, and narrower: they are sorted and merged in its place.
            distinct, multiplicities, membership = collapse(sums, items, units)
            profile, annotator, label = digits.cells(np.asarray(distinct))
            return profile, annotator, label - 1, multiplicities, membership
        prime = (1 << 31) - 1
        rng = np.random.default_rng(len(seats))
        prints = []
        for _ in range(2):
            by_label = dict(zip(position, rng.integers(1, prime, len(position)).tolist(), strict=True))
            by_annotator = dict(zip(seats, rng.integers(1, prime, len(seats)).tolist(), strict=True))
            product = _lookup(nw.col("label"), by_label, 0) * _lookup(nw.col("annotator"), by_annotator, 0)
            prints.append(product % prime)
        kinds, items, units, rows = self._representatives(prints)
        cells = np.array([(kind, seats[who], position[label]) for kind, who, label in rows], dtype=np.int64).reshape(
            -1, 3
        )
        from scipy.sparse import csr_array

        shape = (kinds, len(annotators) * len(labels))
        chosen = csr_array(
            (np.ones(len(cells), np.int64), (cells[:, 0], cells[:, 1] * len(labels) + cells[:, 2])), shape=shape
        )
        listed, multiplicities, membership = collapse(chosen, items, units)
        profile, column = listed.nonzero()
        order = np.lexsort((column, profile))
        annotator, label = np.divmod(column[order].astype(np.int64), len(labels))
        return profile[order].astype(np.int64), annotator, label, multiplicities, membership

    def _sums(self, columns: Sequence[nw.Expr]) -> tuple[Array, Array, Array | None]:
        """Add up integer columns by item and count the items with the same sums: one pass."""
        names = _numbered(columns)
        return _counted_sums(self._labelled.with_columns(*_named(columns)), names, clustered=self.clustered)

    def _representatives(
        self, prints: Sequence[nw.Expr]
    ) -> tuple[int, Array, Array | None, list[tuple[int, Any, Any]]]:
        """Count items by fingerprint and fetch the rows of one item of each kind: two passes."""
        names = _numbered(prints)
        grouped, keys = _by_item(self._labelled.with_columns(*_named(prints)), names, clustered=self.clustered)
        kinds = _counted(grouped.group_by(*names, *keys), "items", nw.col("item").min().alias("shown"))
        found = _collect(kinds, ["shown", "items", *keys])
        place = {row[0]: i for i, row in enumerate(found)}
        chosen = kinds.select(nw.col("shown").alias("item")).join(self._labelled, on="item", how="inner")
        rows = [
            (place[item], annotator, label)
            for item, annotator, label in _collect(chosen, ["item", "annotator", "label"])
        ]
        units = _units([row[1:] for row in found])
        return len(found), np.array([row[1] for row in found], dtype=np.int64), units, rows

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
        (here, keys), (there, other_keys) = self._label_digits(labels), other._label_digits(other_labels)
        if here.columns + there.columns > DIGIT_COLUMNS:
            raise InputError(
                f"There are more labels than can be compared item by item ({len(keys)} and {len(other_keys)})."
            )
        label, zero = nw.col("label"), nw.lit(0)
        mine = [*here.spell(label, keys), *[zero] * there.columns]
        theirs = [*[zero] * here.columns, *there.spell(label, other_keys)]
        clustered = self.clustered and other.clustered
        kept = ["item", "cluster"] if clustered else ["item"]
        stacked = nw.concat(
            [self._labelled.select(*kept, *_named(mine)), other._labelled.select(*kept, *_named(theirs))]
        )
        sums, items, units = _counted_sums(stacked, _numbered(mine), clustered=clustered)
        both = np.hstack([here.read(sums[:, : here.columns]), there.read(sums[:, here.columns :])])
        joint, items, membership = collapse(both, items, units)
        return joint[:, : len(keys)], joint[:, len(keys) :], items, membership


def _numbered(columns: Sequence[nw.Expr]) -> list[str]:
    return [f"sum_{i}" for i in range(len(columns))]


def _named(columns: Sequence[nw.Expr]) -> list[nw.Expr]:
    """Give integer columns names that no other column has."""
    return [column.cast(nw.Int64).alias(name) for column, name in zip(columns, _numbered(columns), strict=True)]


def _counted_sums(
    frame: nw.LazyFrame[Any], names: Sequence[str], *, clustered: bool
) -> tuple[Array, Array, Array | None]:
    """Add up the columns `names` by item and count the items with the same sums (and cluster)."""
    found = None if clustered else _by_hash(frame, names)
    if found is None:
        grouped, keys = _by_item(frame, names, clustered=clustered)
        found = _collect(_counted(grouped.group_by(*names, *keys), "items"), [*names, "items", *keys])
    table = np.array([row[: len(names) + 1] for row in found], dtype=np.int64).reshape(len(found), len(names) + 1)
    return table[:, :-1], table[:, -1], _units([row[len(names) :] for row in found])


def _by_hash(frame: nw.LazyFrame[Any], names: Sequence[str]) -> list[tuple[Any, ...]] | None:
    """Do the same in polars by a hash of the item, which is much faster than by its text.

    A second hash of 64 bits watches over the first: if two items share one, None is returned and texts decide.
    """
    if not frame.implementation.is_polars():
        return None
    import polars as pl

    item = pl.col("item")
    hashed = frame.to_native().select(item.hash(1), item.hash(2).alias("watch"), *names)
    sums = [pl.col(name).sum() for name in names]
    watch = [pl.col("watch").min().alias("low"), pl.col("watch").max().alias("high")]
    grouped = hashed.group_by("item").agg(*sums, *watch)
    shared = (pl.col("low") != pl.col("high")).sum().alias("shared")
    kinds = grouped.group_by(names).agg(pl.len().cast(pl.Int64).alias("items"), shared)
    found = kinds.collect(engine="streaming")
    return None if found["shared"].sum() else found.drop("shared").rows()


def _by_item(frame: nw.LazyFrame[Any], names: Sequence[str], *, clustered: bool) -> tuple[nw.LazyFrame[Any], list[str]]:
    """Group rows by item, adding up the columns `names`; with the item's cluster if there is one."""
    sums = [nw.col(name).sum() for name in names]
    if not clustered:
        grouped = frame.group_by("item").agg(*sums)
        return grouped.with_columns(*(nw.col(name).cast(nw.Int64) for name in names)), []
    # An item in two clusters would be drawn twice; the count of such items comes along with the sums.
    both = [nw.col("cluster").min().alias("unit"), nw.col("cluster").max().alias("other_unit")]
    grouped = frame.group_by("item").agg(*sums, *both)
    torn = nw.when(nw.col("unit") != nw.col("other_unit")).then(nw.lit(1)).otherwise(nw.lit(0))
    whole = grouped.with_columns(torn.alias("torn"), *(nw.col(name).cast(nw.Int64) for name in names))
    return whole, ["torn", "unit"]


@dataclass(frozen=True)
class _Digits:
    """A row of small numbers spelled as digits of a few 64-bit integers, so that sums add them all at once.

    Parameters
    ----------
    count : int
        How many numbers.
    largest : int
        The largest that one of them can become.
    """

    count: int
    largest: int

    @property
    def bits(self) -> int:
        """Bits of one digit."""
        return max(1, self.largest.bit_length())

    @property
    def per_column(self) -> int:
        """Digits that fit one integer."""
        return BITS // self.bits

    @property
    def columns(self) -> int:
        """Integers that are needed."""
        return math.ceil(self.count / self.per_column)

    def spell(self, column: nw.Expr, keys: Sequence[Any]) -> list[nw.Expr]:
        """Return one expression per integer: 1 in the digit of the key that `column` holds, else 0."""
        size = self.per_column
        return [
            _lookup(column, {key: 1 << (self.bits * i) for i, key in enumerate(keys[first : first + size])}, 0)
            for first in range(0, self.count, size)
        ]

    def read(self, sums: Array) -> Array:
        """Return the digits, (rows, count), of integers, (rows, columns)."""
        shifts = np.arange(self.per_column, dtype=np.int64) * self.bits
        digits = (sums[:, :, None] >> shifts) & ((1 << self.bits) - 1)
        return np.ascontiguousarray(digits.reshape(len(sums), -1)[:, : self.count])

    def cells(self, sums: Array) -> tuple[Array, Array, Array]:
        """Return the digits that are not 0 as rows, positions and values, without a table of all of them."""
        found = []
        step = max(1, 4_000_000 // max(1, self.count))
        for start in range(0, len(sums), step):
            block = self.read(sums[start : start + step])
            row, position = np.nonzero(block)
            found.append((row + start, position, block[row, position]))
        rows, positions, values = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return rows, positions, values


#: Stands for a label of the vocabulary that no row holds.
_UNUSED = object()


def _column_texts(column: Any) -> list[str | None]:
    """Return a column of a polars table as text, None where a cell is empty."""
    values = column.to_list()
    if all(value is None or isinstance(value, str) for value in values):
        return list(values)
    plain = (bool, int, float, str)
    return [text_of(value) if value is None or isinstance(value, plain) else str(value) for value in values]


def _select(native: Any, roles: Mapping[str, str], further: Mapping[str, str]) -> nw.LazyFrame[Any]:
    """Take the columns that matter and give them our names."""
    try:
        frame = nw.from_native(native)
    except TypeError:
        raise InputError(
            f"A {type(native).__name__} is not a table: give a path, a DataFrame (pandas, polars, pyarrow, DuckDB, "
            "Spark, Ibis), triples or a 2-D array."
        ) from None
    if not isinstance(frame, nw.DataFrame | nw.LazyFrame):
        raise InputError(f"A {type(native).__name__} is not a table of rows and columns.")
    schema = frame.collect_schema()
    for role, name in roles.items():
        if name not in schema:
            raise UnknownColumn(f"There is no {role} column {shown(name)}: {did_you_mean(name, schema.names())}")
    if len(set(roles.values())) < len(roles):
        raise UnknownColumn("Item, annotator and label must be different columns.")
    for name in further.values():
        if name not in schema:
            raise UnknownColumn(f"There is no column {shown(name)}: {did_you_mean(name, schema.names())}")
    chosen: list[Any] = [nw.col(name).alias(role) for role, name in further.items()]
    for role, name in roles.items():
        dtype = schema[name]
        column = nw.col(name)
        if isinstance(dtype, nw.Categorical | nw.Enum):
            column = column.cast(nw.String)
        elif dtype == nw.Object and isinstance(frame, nw.DataFrame):
            texts = _texts(frame[name].to_list())
            series = nw.new_series(role, texts, nw.String, backend=frame.implementation)
            chosen.append(series)
            continue
        elif isinstance(dtype, nw.List | nw.Struct | nw.Array):
            raise InputError(f"The {role} column {shown(name)} holds {dtype} values: it must hold text or numbers.")
        chosen.append(column.alias(role))
    selected: nw.LazyFrame[Any] = frame.select(*chosen).lazy()
    return selected


def _texts(values: Sequence[Any]) -> list[str | None]:
    """Turn a column of mixed Python objects into text; different objects must stay different."""
    first: dict[str, Any] = {}
    texts = []
    for value in values:
        text = None if value is None or value != value else text_of(value)
        if text is not None:
            _remember(first, text, value, "label")
        texts.append(text)
    return texts


def _remember(known: dict[str, Any], text: str, value: Any, what: str) -> None:
    """Keep the value behind a text; refuse two different values that would read the same."""
    before = known.setdefault(text, value)
    if before is not value and (type(before) is not type(value) or before != value):
        raise InputError(
            f"The {what} {shown(text)} occurs as {type(before).__name__} and as {type(value).__name__}: "
            "write it in one way."
        )


def _lookup(column: nw.Expr, table: Mapping[Any, int], otherwise: int) -> nw.Expr:
    """Replace values by integers, by whatever way is fast for so many of them."""
    values = [value for value in table if value is not _UNUSED]
    if len(values) <= CHAIN:
        result: nw.Expr = nw.lit(otherwise)
        for value in values:
            result = nw.when(column == nw.lit(value)).then(nw.lit(table[value])).otherwise(result)
        return result
    return column.replace_strict(values, [table[value] for value in values], default=otherwise, return_dtype=nw.Int64)


def _counted(groups: Any, name: str, *more: nw.Expr) -> nw.LazyFrame[Any]:
    """Count the rows of each group as `name`; engines differ in the type of a count, so it is cast afterwards."""
    counted: nw.LazyFrame[Any] = groups.agg(nw.len().alias(name), *more).with_columns(nw.col(name).cast(nw.Int64))
    return counted


def _collect(frame: nw.LazyFrame[Any], columns: Sequence[str]) -> list[tuple[Any, ...]]:
    """Bring a small aggregate over as Python values."""
    chosen = frame.select(*columns)
    if chosen.implementation.is_polars():
        # In pieces: as fast as the whole at once, and data larger than memory pass through.
        return list(chosen.to_native().collect(engine="streaming").rows())
    return chosen.collect(backend="polars").rows()


def _surely_unique(frame: nw.LazyFrame[Any], *more: str) -> bool:
    """Find out cheaply whether no (item, annotator) pair, or with `more` columns, can occur twice.

    Only polars has a quick way: as many hashes as rows. Fewer may be a collision and decide nothing.
    """
    if not frame.implementation.is_polars():
        return False
    import polars as pl

    pair = pl.col("item").hash(1) ^ pl.col("annotator").hash(2).mul(0x9E3779B97F4A7C15 >> 8)
    for place, name in enumerate(more, start=3):
        pair = pair ^ pl.col(name).hash(place).mul(0xC2B2AE3D27D4EB4F >> (8 + place))
    hashes = frame.to_native().select(pair.alias("pair")).collect(engine="streaming").to_series()
    ordered = hashes.sort()
    return not bool((ordered == ordered.shift(1)).any())


def _units(found: Sequence[Sequence[Any]]) -> Array | None:
    """Give the clusters of profiles numbers, in the order of their texts, from rows of (items, torn, cluster)."""
    if not found or len(found[0]) == 1:
        return None
    torn = sum(items for items, torn, _ in found if torn)
    if torn:
        raise InputError(f"{torn:,} items stand in more than one cluster: an item must belong to one.")
    texts = [text_of(cluster) or "" for _, _, cluster in found]
    homeless = sum(items for (items, _, _), text in zip(found, texts, strict=True) if not text)
    if homeless:
        raise InputError(f"{homeless:,} items have no cluster: fill the gaps of the cluster column, or leave it out.")
    order = {text: i for i, text in enumerate(sorted(set(texts)))}
    return np.array([order[text] for text in texts], dtype=np.int64)
