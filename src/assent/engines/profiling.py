"""From rows to profiles: how many annotations gave an item each label, and who gave it which."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np

from assent.engines.columns import UNUSED, lookup, named, numbered
from assent.engines.distinct_profiles import counted_sums, one_of_each, positions
from assent.engines.hashes import PRIME, scattered
from assent.engines.sorting import LocalSums
from assent.engines.survey import Survey
from assent.errors import InputError
from assent.profiles import SPARSE_CELLS, Array, Matrix, collapse, from_cells
from assent.records import Struct

__all__ = ["BITS", "PackedCounts", "Source", "count_profiles", "joint_profiles", "rating_profiles"]

#: More columns of digits than this, and a fingerprint is used instead.
DIGIT_COLUMNS = 24
#: What can be done where there are too many kinds of items by who gave which label, and by label counts.
COUNTS_INSTEAD = "ask a measure that works on label counts, such as krippendorff-alpha"
FEWER_LABELS = "merge rare labels there"
#: Bits of a signed 64-bit integer that a sum may fill.
BITS = 62
#: Numbers held at once while digits are read: 32 MB.
CHUNK = 4_000_000
#: So often a fingerprint that two kinds of items turn out to share is replaced by another.
ATTEMPTS = 3


class PackedCounts(Struct, frozen=True):
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
            lookup(column, {key: 1 << (self.bits * i) for i, key in enumerate(keys[first : first + size])}, 0)
            for first in range(0, self.count, size)
        ]

    def ones(self) -> Array:
        """Return what 1 in each digit is in each integer: (count, columns)."""
        at = np.arange(self.count)
        found = np.zeros((self.count, self.columns), dtype=np.int64)
        found[at, at // self.per_column] = np.left_shift(np.int64(1), self.bits * (at % self.per_column))
        return found

    def read(self, sums: Array) -> Array:
        """Return the digits, (rows, count), of integers, (rows, columns)."""
        shifts = np.arange(min(self.per_column, self.count), dtype=np.int64) * self.bits
        # Rows run fastest: there are more of them than digits.
        digits = (sums.T[:, None, :] >> shifts[:, None]) & ((1 << self.bits) - 1)
        return np.ascontiguousarray(digits.reshape(-1, len(sums))[: self.count].T)

    def cells(self, sums: Array) -> tuple[Array, Array, Array]:
        """Return the digits that are not 0 as rows, positions and values, without a table of all of them."""
        found = []
        step = max(1, CHUNK // max(1, self.count))
        for start in range(0, max(1, len(sums)), step):
            block = self.read(sums[start : start + step]).ravel()
            at = np.flatnonzero(block)
            row, values = at // self.count, block[at]
            at -= row * self.count
            row += start
            found.append((row, at, values))
        if len(found) == 1:
            return found[0]
        rows, positions, values = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return rows, positions, values


class Source(Struct, frozen=True, kw_only=True):
    """Rows whose items are to be collapsed.

    Parameters
    ----------
    frame : callable
        Returns the rows, with an item, an annotator and a label; they need not be made before they are asked for.
    survey : Survey
        Which labels and annotators there are.
    clustered : bool
        There is a cluster column.
    here : callable
        Adds up what the rows of each item hold, if that can be done in this process: returns the sums and how many items
        have them, or None.
    """

    frame: Callable[[], nw.LazyFrame[Any]]
    survey: Survey
    clustered: bool
    here: Callable[[LocalSums], tuple[Array, Array] | None]

    def sums(self, here: LocalSums, spelled: Callable[[], list[nw.Expr]]) -> tuple[Array, Array, Array | None]:
        """Add up integers by item: in this process if that can be done, else as expressions in the engine."""
        found = self.here(here)
        if found is not None:
            return *found, None
        instead = COUNTS_INSTEAD if "annotator" in here.values else FEWER_LABELS
        return counted_sums(self.frame(), spelled(), clustered=self.clustered, instead=instead)


def count_profiles(source: Source, labels: Sequence[str]) -> tuple[Matrix, Array, Matrix | None]:
    """Collapse items to how many annotations gave them each label.

    Parameters
    ----------
    labels : sequence of str
        Texts of the labels, in the order of the columns.

    Returns
    -------
    counts : matrix (profiles, labels); multiplicities : array (profiles,); units : matrix (units, profiles) or None
    """
    digits, keys = _label_digits(source.survey, labels)
    if digits.columns <= DIGIT_COLUMNS:
        here = LocalSums({"label": keys}, digits.ones())
        sums, items, units = source.sums(here, lambda: digits.spell(nw.col("label"), keys))
        few = len(sums) * digits.count <= SPARSE_CELLS
        counts = digits.read(sums) if few else from_cells(*digits.cells(sums), (len(sums), digits.count))
        return collapse(counts, items, units)
    seats = {"label": {key: i for i, key in enumerate(keys) if key is not UNUSED}}
    items, units, kind, at = _fingerprinted(source, seats)
    cells, times = np.unique(kind * len(labels) + at["label"], return_counts=True)
    return collapse(from_cells(*np.divmod(cells, len(labels)), times, (len(items), len(labels))), items, units)


def rating_profiles(
    source: Source, labels: Sequence[str], annotators: Sequence[str]
) -> tuple[Array, Array, Array, Array, Matrix | None]:
    """Collapse items to who gave them which label.

    The parameters are those of `count_profiles`, with the names of the annotators in their order.

    Returns
    -------
    profile, annotator, label : array (annotations of all profiles,)
        Every annotation of one item of each kind, by position.
    multiplicities : array (profiles,)
    units : matrix (units, profiles) or None
    """
    survey = source.survey
    values = {text: value for value, text in survey.labels}
    position = {values[text]: i for i, text in enumerate(labels) if text in values}
    names = {text: value for value, text in survey.annotators}
    seats = {names[text]: i for i, text in enumerate(annotators)}
    digits = PackedCounts(count=len(annotators), largest=len(labels))
    if digits.columns <= DIGIT_COLUMNS:
        codes = np.array([i + 1 for i in position.values()], dtype=np.int64)
        adds = digits.ones()[:, None, :] * codes[None, :, None]
        here = LocalSums({"annotator": list(seats), "label": list(position)}, adds)

        def spelled() -> list[nw.Expr]:
            code = lookup(nw.col("label"), {value: i + 1 for value, i in position.items()}, 0)
            return [code * place for place in digits.spell(nw.col("annotator"), list(seats))]

        sums, items, units = source.sums(here, spelled)
        # The sums are as good as what they spell, and narrower: they are sorted and merged in its place.
        distinct, multiplicities, membership = collapse(sums, items, units)
        profile, annotator, label = digits.cells(np.asarray(distinct))
        return profile, annotator, label - 1, multiplicities, membership
    items, units, kind, at = _fingerprinted(source, {"label": position, "annotator": seats})
    from scipy.sparse import csr_array

    column = at["annotator"] * len(labels) + at["label"]
    chosen = csr_array((np.ones(len(kind), np.int64), (kind, column)), shape=(len(items), len(seats) * len(labels)))
    listed, multiplicities, membership = collapse(chosen, items, units)
    assert not isinstance(listed, np.ndarray)
    profile = np.repeat(np.arange(listed.shape[0]), np.diff(listed.indptr))
    annotator, label = np.divmod(listed.indices.astype(np.int64), len(labels))
    return profile, annotator, label, multiplicities, membership


def joint_profiles(
    mine: tuple[nw.LazyFrame[Any], Survey, Sequence[str]],
    theirs: tuple[nw.LazyFrame[Any], Survey, Sequence[str]],
    *,
    clustered: bool,
) -> tuple[Matrix, Matrix, Array, Matrix | None]:
    """Collapse the items of two tables together: counts here, counts there, how many items, and units.

    Parameters
    ----------
    mine, theirs : tuple of LazyFrame, Survey and sequence of str
        Rows, what is known of them, and the labels in their order.
    clustered : bool
        Both have a cluster column.
    """
    (here, keys), (there, other_keys) = (_label_digits(survey, labels) for _, survey, labels in (mine, theirs))
    if here.columns + there.columns > DIGIT_COLUMNS:
        raise InputError(
            f"There are more labels than can be compared item by item ({len(keys)} and {len(other_keys)})."
        )
    label, zero = nw.col("label"), nw.lit(0)
    first = [*here.spell(label, keys), *[zero] * there.columns]
    second = [*[zero] * here.columns, *there.spell(label, other_keys)]
    kept = ["item", "cluster"] if clustered else ["item"]
    stacked = nw.concat([mine[0].select(*kept, *named(first)), theirs[0].select(*kept, *named(second))])
    sums, items, units = counted_sums(
        stacked, [nw.col(name) for name in numbered(first)], clustered=clustered, instead=FEWER_LABELS
    )
    both = np.hstack([here.read(sums[:, : here.columns]), there.read(sums[:, here.columns :])])
    joint, items, membership = collapse(both, items, units)
    return joint[:, : len(keys)], joint[:, len(keys) :], items, membership


def _label_digits(survey: Survey, labels: Sequence[str]) -> tuple[PackedCounts, list[Any]]:
    """Spell label counts: an annotator labels an item once at most, so no digit exceeds their number."""
    values = {text: value for value, text in survey.labels}
    keys = [values.get(text, UNUSED) for text in labels]
    return PackedCounts(count=len(keys), largest=len(survey.annotators)), keys


def _fingerprinted(
    source: Source, seats: Mapping[str, Mapping[Any, int]]
) -> tuple[Array, Array | None, Array, dict[str, Array]]:
    """Tell kinds of items apart by fingerprints of the columns that `seats` names.

    Two kinds that share a fingerprint would be taken for one. Then the annotations would no longer add up to what the
    survey counted, label by label and annotator by annotator; this is checked, and other fingerprints are tried.

    Returns
    -------
    items : array (kinds,)
    units : array (kinds,) or None
    kind : array (annotations of all kinds,)
    at : mapping of str to array (annotations of all kinds,)
        Positions of the annotations' values in each column.
    """
    frame, survey = source.frame(), source.survey
    rows_of = {
        "label": {value: survey.label_rows[text] for value, text in survey.labels},
        "annotator": {value: survey.annotator_rows[text] for value, text in survey.annotators},
    }
    expected = {role: {place: rows_of[role][value] for value, place in known.items()} for role, known in seats.items()}
    instead = COUNTS_INSTEAD if "annotator" in seats else FEWER_LABELS
    for seed in range(ATTEMPTS):
        hashed, numbers = scattered(frame, {role: list(known) for role, known in seats.items()}, seed)
        if "annotator" in numbers:
            prints = [one * other % PRIME for one, other in zip(numbers["label"], numbers["annotator"], strict=True)]
        else:
            prints = numbers["label"]
        items, units, rows = one_of_each(
            hashed, prints, clustered=source.clustered, annotations=survey.n_annotations, instead=instead
        )
        kind = rows["kind"].to_numpy().astype(np.int64)
        at = {role: positions(rows[role], list(known), list(known.values())) for role, known in seats.items()}
        if all(_adds_up(at[role], items[kind], known) for role, known in expected.items()):
            return items, units, kind, at
    raise InputError("Some items cannot be told apart by this engine: read the table with another one.")


def _adds_up(places: Array, weights: Array, expected: Mapping[int, int]) -> bool:
    """Return whether the weights at each place add up to what is expected there."""
    sums = np.bincount(places, weights=weights, minlength=max(expected, default=0) + 1)
    return bool(np.array_equal(sums[list(expected)], list(expected.values())))
