"""Distinct items and how often each occurs.

A coefficient sees an item only through its *profile*: how many annotations gave it each label, or who gave it which. Items
with the same profile are the same to it, so a table of a million items is a few hundred profiles and their
multiplicities. A measure reaches the multiplicities only through `Profiles.total`, which sums a term
over items. Inference asks its questions (what if other items had been drawn, one item had been left out, one counted a little
more) by other multiplicities, without knowing the measure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeAlias

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from assent.limits import DENSE_PROFILE_CELLS
from assent.records import Struct, cached_property

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from assent.label_sets import LabelSets

__all__ = [
    "Array",
    "Counts",
    "LabelProfiles",
    "Matrix",
    "Multiplicities",
    "Profiles",
    "Ratings",
    "RepeatedTerms",
    "Sums",
    "Terms",
    "Weighting",
    "distinct",
    "tabulated",
]

Array: TypeAlias = NDArray[Any]
#: A matrix of one row per profile; sparse when most of it would be zeros.
Matrix: TypeAlias = "Array | csr_array[Any, tuple[int, int]]"
#: What is summed over items, by profile.
Terms: TypeAlias = "Matrix | RepeatedTerms"

#: From so many cells on (16 MB) counts are also sparse if nearly all of them would be zeros.
SPARSE_CELLS, SPARSE_SHARE = 2_000_000, 0.05
#: Bits of a number that stands for a row of numbers.
ONE_KEY = 62
#: From more replicates on terms with gaps are written out.
FEW_REPLICATES = 8


class Weighting(Protocol):
    """How much each profile counts, in one or in many replicates at once."""

    def total(self, terms: Terms) -> Array:
        """Sum `terms` (profiles, or profiles x d) over items: (..., ) or (..., d)."""
        ...

    def total_varying(self, terms: Array) -> Array:
        """Sum `terms` (..., profiles) that differ by replicate over items: (..., )."""
        ...


class Multiplicities(Struct, frozen=True, eq=False):
    """Plain weights: how many items have each profile.

    Parameters
    ----------
    weights : array (profiles,) or (replicates, profiles)
    """

    weights: Array

    def total(self, terms: Terms) -> Array:
        """Sum `terms` over items."""
        # The method is the same product as the operator, in half the time where there is little to add up.
        added: Array = self.weights.dot(terms) if isinstance(terms, np.ndarray) else self.weights @ terms
        return added

    def total_varying(self, terms: Array) -> Array:
        """Sum `terms` that differ by replicate over items."""
        return (self.weights * terms).sum(-1)  # type: ignore[no-any-return]


class RepeatedTerms(Struct, frozen=True, eq=False, dict=True):
    """A matrix (profiles, pairs * columns) that is not written out: rows of a table by what one of each two annotators gave.

    It would hold the row of an annotator once for every other one. A row is nothing where one of the two gave nothing.

    Parameters
    ----------
    code : array (profiles, annotators)
        Which row of the table each annotator has, -1 where there is none.
    table : array (rows, columns)
    own, other : array (pairs,)
        Positions of the annotator whose rows they are, and of the other one.
    """

    code: Array
    table: Array
    own: Array
    other: Array
    #: Products with an array are those below.
    __array_ufunc__ = None

    @property
    def shape(self) -> tuple[int, int]:
        """Profiles, and pairs times columns."""
        return len(self.code), len(self.own) * self.table.shape[1]

    @cached_property
    def _there(self) -> Array:
        return np.asarray(self.code >= 0)

    def _of(self, annotator: int) -> Array:
        """Return the rows of an annotator: (profiles, columns)."""
        code = self.code[:, annotator]
        return self.table[code] if self._there[:, annotator].all() else np.where(code[:, None] >= 0, self.table[code], 0.0)  # fmt: skip

    @cached_property
    def _rows(self) -> Array | None:
        """Rows of all annotators, (profiles, annotators * columns), if everybody has one everywhere and they are not too many."""
        if self.code.size * self.table.shape[1] > SPARSE_CELLS or not self._there.all():
            return None
        return self.table[self.code].reshape(len(self.code), -1)

    def __rmatmul__(self, weights: Array) -> Array:
        """Sum over profiles that count `weights` (..., profiles): (..., pairs * columns)."""
        if self._rows is not None:
            each = (weights @ self._rows).reshape(*weights.shape[:-1], -1, self.table.shape[1])
            return np.asarray(each[..., self.own, :].reshape(*weights.shape[:-1], -1))
        made = np.empty((*weights.shape[:-1], len(self.own), self.table.shape[1]))
        everywhere = np.asarray(self._there.all(axis=0))
        if weights.ndim > 1 and len(weights) > FEW_REPLICATES and not everywhere.all():
            return np.asarray(weights @ self._written)
        for annotator in np.unique(self.own):
            rows = self._of(annotator)
            pairs = np.flatnonzero(self.own == annotator)
            whole = everywhere[self.other[pairs]]
            # Who gave something everywhere leaves nothing out.
            if whole.any():
                made[..., pairs[whole], :] = (weights @ rows)[..., None, :]
            for pair in pairs[~whole]:
                made[..., pair, :] = (weights * self._there[:, self.other[pair]]) @ rows
        return made.reshape(*weights.shape[:-1], -1)

    @cached_property
    def _written(self) -> csr_array[Any, tuple[int, int]]:
        """The matrix without its zeros: where there are gaps, many replicates take longer to look for them each time."""
        from scipy.sparse import csr_array, vstack

        step = max(1, SPARSE_CELLS // self.shape[1])
        return csr_array(vstack([csr_array(self[at : at + step]) for at in range(0, len(self.code), step)]))

    def __matmul__(self, slopes: Array) -> Array:
        """Sum over pairs and columns that count `slopes` (pairs * columns,): (profiles,)."""
        each = slopes.reshape(len(self.own), -1)
        if self._rows is not None:
            added = np.zeros((self.code.shape[1], each.shape[1]))
            np.add.at(added, self.own, each)
            return np.asarray(self._rows @ added.ravel())
        made = np.zeros(len(self.code))
        for annotator in np.unique(self.own):
            pairs = np.flatnonzero(self.own == annotator)
            made += ((self._of(annotator) @ each[pairs].T) * self._there[:, self.other[pairs]]).sum(axis=1)
        return made

    def __getitem__(self, rows: Any) -> Array:
        """Write out some rows: (rows, pairs * columns)."""
        code, there = self.code[rows], self._there[rows]
        both = there[:, self.own] & there[:, self.other]
        return np.where(both[..., None], self.table[code[:, self.own]], 0.0).reshape(len(code), -1)

    def toarray(self) -> Array:
        """Write out all rows."""
        return self[:]

    def taken(self, index: Array) -> RepeatedTerms:
        """Return other profiles, each one of these, or none where `index` is -1."""
        return replace(self, code=np.where(index[:, None] >= 0, self.code[index], -1))


class Profiles(Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """Distinct items, how often each occurs, and who adds up over them. What an item is made of, subclasses say.

    Parameters
    ----------
    multiplicities : array (profiles,) of integers
        How many items have each profile.
    units : matrix (units, profiles), optional
        How many items of each profile belong to each unit of resampling, such as a document. Without it
        every item is its own unit.
    weighting : Weighting, optional
        Who answers `total`; the multiplicities unless inference says otherwise.
    """

    multiplicities: Array
    units: Matrix | None = None
    weighting: Weighting | None = None

    @property
    def sizes(self) -> Array:
        """Annotations of each profile, two unless a subclass knows better: (profiles,)."""
        return np.full(len(self.multiplicities), 2.0)

    @cached_property
    def pairable(self) -> Array:
        """1.0 where a profile has two or more annotations to compare, else 0.0: (profiles,)."""
        return (self.sizes >= 2).astype(np.float64)

    @cached_property
    def all_pairable(self) -> bool:
        """True if every profile has two or more annotations to compare."""
        return bool(np.minimum.reduce(self.sizes, initial=2.0) >= 2.0)

    @cached_property
    def others(self) -> Array:
        """Annotations that each one of a profile is compared with, 1 where there are none: (profiles,)."""
        others = self.sizes - 1.0
        return others if self.all_pairable else np.maximum(others, 1.0)

    @cached_property
    def pairs(self) -> Array:
        """Ordered pairs of annotations of each profile, 1 where there are none: (profiles,)."""
        return np.maximum(self.sizes * (self.sizes - 1.0), 1.0)

    def total(self, terms: Terms, *, varying: bool = False) -> Array:
        """Sum `terms` over items.

        Parameters
        ----------
        terms : matrix (profiles,) or (profiles, d)
            What each profile contributes; or (..., profiles) if `varying`.
        varying : bool
            The terms were themselves computed from totals and so differ by replicate.

        Returns
        -------
        array (...,) or (..., d), with the replicates in front.
        """
        weighting = self.weighting
        if weighting is None:
            if not varying and isinstance(terms, np.ndarray):
                # The product of `Multiplicities`, of which most measures of a small table are made.
                added: Array = self.multiplicities.dot(terms)
                return added
            weighting = Multiplicities(self.multiplicities)
        return weighting.total_varying(np.asarray(terms)) if varying else weighting.total(terms)

    def weighted_by(self, weighting: Weighting) -> Self:
        """Return the same profiles, counted by `weighting`."""
        # What was worked out of the profiles before does not depend on how they are counted, and is kept; so is what copies work out.
        _ = self.kept_results
        made = replace(self, weighting=weighting)
        made.__dict__.update(self.__dict__)
        return made

    @cached_property
    def kept_results(self) -> dict[str, Any]:
        """What was worked out of the profiles, whoever counts them, under names: one table for all copies by `weighted_by`."""
        return {}

    @cached_property
    def n_items(self) -> int:
        """Number of items with a label."""
        # The sum of the method, in half the time where there is little to add up.
        return int(np.add.reduce(self.multiplicities))

    @cached_property
    def pairable_items(self) -> int:
        """Number of items with two or more annotations."""
        return self.n_items if self.all_pairable else int(self.multiplicities.dot(self.pairable))

    @cached_property
    def pairable_annotations(self) -> int:
        """Number of annotations of items that have two or more."""
        return int(self.multiplicities.dot(self.pairable_sizes))

    @cached_property
    def pairable_sizes(self) -> Array:
        """Annotations of each profile that can be compared, none of a profile that has but one: (profiles,)."""
        return self.sizes if self.all_pairable else self.sizes * self.pairable


class Sums(Profiles, frozen=True, kw_only=True, eq=False):
    """Items by numbers that are added up, such as spans matched and spans marked: sums, then a formula.

    Parameters
    ----------
    columns : tuple of str
        What is added up.
    terms : matrix (profiles, columns)
        What an item of each profile adds.
    annotators : array (profiles,), optional
        How many annotators each profile has; two if not given.
    """

    columns: tuple[str, ...]
    terms: Matrix
    annotators: Array | None = None

    @property
    def sizes(self) -> Array:
        """Annotations of each profile: (profiles,)."""
        return super().sizes if self.annotators is None else np.asarray(self.annotators, dtype=np.float64)

    @property
    def totals(self) -> Array:
        """The sum of every column over items: (..., columns)."""
        return self.total(self.terms)

    def __getitem__(self, column: str) -> Array:
        """Return the sum of one column over items: (...,)."""
        return np.asarray(self.totals[..., self.columns.index(column)])


class LabelProfiles(Profiles, frozen=True, kw_only=True, eq=False):
    """Items by the labels they were given.

    Parameters
    ----------
    labels : tuple of str
        The labels, in order.
    """

    labels: tuple[str, ...]


class Counts(LabelProfiles, frozen=True, kw_only=True, eq=False):
    """Items by how many annotations gave them each label.

    Parameters
    ----------
    counts : matrix (profiles, labels) of integers
        Distinct rows, in lexicographic order; none of them all zero.
    """

    counts: Matrix

    @cached_property
    def sizes(self) -> Array:
        """Annotations of each profile: (profiles,)."""
        if isinstance(self.counts, np.ndarray):
            added: Array = np.add.reduce(self.counts, 1, dtype=np.float64)
            return added
        return np.asarray(self.counts.sum(axis=1), dtype=np.float64).ravel()

    @property
    def pairable_counts(self) -> Matrix:
        """How many annotations that can be compared gave each profile each label, as fractions: (profiles, labels).

        Sums of whole numbers times how many items have them would go beyond what integers hold.
        """
        return self.counts.astype(np.float64) if self.all_pairable else scale_rows(self.counts, self.pairable)

    @cached_property
    def shares(self) -> Matrix:
        """Share of each label among the annotations of a profile: (profiles, labels)."""
        # Divided, not multiplied by one over the size: 49 * (1 / 49) is not 1.
        if isinstance(self.counts, np.ndarray):
            return np.asarray(self.counts / self.sizes[:, None])
        shares = self.counts.tocsr().astype(np.float64)
        shares.data /= np.repeat(self.sizes, np.diff(shares.indptr))
        return shares

    def comparable(self) -> Counts:
        """Return the profiles with two or more annotations alone."""
        return self if self.pairable_items == self.n_items else self.kept(self.pairable > 0)

    def kept(self, wanted: Array) -> Counts:
        """Return the profiles for which `wanted` is true."""
        kept = np.flatnonzero(wanted)
        units = units_left(self.units, kept)
        return replace(self, counts=self.counts[kept], multiplicities=self.multiplicities[kept], units=units)

    def regrouped(self, grouping: Sequence[int], labels: tuple[str, ...]) -> Counts:
        """Return the profiles in terms of other labels: label i becomes label `grouping[i]` of `labels`."""
        moved = regrouped_columns(self.counts, grouping, len(labels))
        distinct, inverse = distinct_rows(moved)
        multiplicities, units = _gathered(inverse, distinct.shape[0], self.multiplicities, self.units)
        return Counts(counts=distinct, multiplicities=multiplicities, units=units, labels=labels)

    def shuffled(self, rng: np.random.Generator) -> Counts:
        """Deal all labels anew to the items: as many annotations per item and of each label as before.

        This is what "no agreement beyond chance" means: which label an annotation carries has nothing to do
        with the item it is about.
        """
        sizes = np.repeat(self.sizes.astype(np.int64), self.multiplicities)
        totals = np.asarray(self.multiplicities @ self.counts).ravel()
        dealt = rng.permutation(np.repeat(np.arange(len(self.labels)), totals))
        owner = np.repeat(np.arange(len(sizes)), sizes)
        cells, counts = np.unique(owner * len(self.labels) + dealt, return_counts=True)
        rows, columns = np.divmod(cells, len(self.labels))
        matrix = from_cells(rows, columns, counts, (len(sizes), len(self.labels)))
        return replace(self, counts=matrix, multiplicities=np.ones(len(sizes), dtype=np.int64), units=None)


class Ratings(LabelProfiles, frozen=True, kw_only=True, eq=False):
    """Items by who gave them which label.

    The annotations of the profiles are listed one by one, so that a thousand annotators who each saw a few items need
    no table of items x annotators.

    Parameters
    ----------
    profile, annotator, label : array (annotations of all profiles,) of integers
        Which profile, whose annotation, which label; ordered by profile, then annotator.
    annotators : tuple of str
        Names of the annotators.
    origin : array (profiles,)
        Which of all profiles of the data each one is.
    sets : LabelSets, optional
        What the labels are made of, if each of them is a set of labels.
    """

    profile: Array
    annotator: Array
    label: Array
    annotators: tuple[str, ...]
    origin: Array
    sets: LabelSets | None = None

    @property
    def parts(self) -> LabelSets:
        """What the labels are made of, where each of them is a set."""
        assert self.sets is not None, "these labels are no sets"
        return self.sets

    @cached_property
    def sizes(self) -> Array:
        """Annotations of each profile: (profiles,)."""
        return np.bincount(self.profile, minlength=len(self.multiplicities)).astype(np.float64)

    @cached_property
    def counts(self) -> Matrix:
        """How many annotations gave each profile each label: (profiles, labels)."""
        return self._added(self.label, len(self.labels))

    @cached_property
    def chosen(self) -> Matrix:
        """1 where an annotator gave a label: (profiles, annotators * labels), label running fastest."""
        return self._added(self.annotator * len(self.labels) + self.label, len(self.annotators) * len(self.labels))

    def _added(self, columns: Array, width: int) -> Matrix:
        """Count cells (profile, column)."""
        cells, shape = self.profile * width + columns, (len(self.multiplicities), width)
        if shape[0] * width <= DENSE_PROFILE_CELLS and tabulated(shape[0] * width, len(cells)):
            return np.bincount(cells, minlength=shape[0] * width).reshape(shape)
        cells, counts = np.unique(cells, return_counts=True)
        return from_cells(*np.divmod(cells, width), counts, shape)

    def counted(self) -> Counts:
        """Return the items by how many annotations gave them each label."""
        distinct, inverse = distinct_rows(self.counts)
        rows: Array
        columns: Array
        if isinstance(distinct, np.ndarray):
            rows, columns = np.nonzero(distinct)
            values = distinct[rows, columns]
        else:
            (rows, columns), values = distinct.tocoo().coords, distinct.data
        # Dense or sparse by its own size, which is smaller.
        table = from_cells(rows, columns, values, (distinct.shape[0], len(self.labels)))
        multiplicities, units = _gathered(inverse, distinct.shape[0], self.multiplicities, self.units)
        return Counts(counts=table, multiplicities=multiplicities, units=units, labels=self.labels)

    def comparable(self) -> Ratings:
        """Return the profiles with two or more annotations alone."""
        return self if self.pairable_items == self.n_items else self.kept(self.pairable > 0)

    def complete(self) -> Ratings:
        """Return the profiles with a label of every annotator alone."""
        whole = self.sizes == len(self.annotators)
        return self if whole.all() else self.kept(whole)

    def kept(self, wanted: Array) -> Ratings:
        """Return the profiles for which `wanted` is true."""
        wanted = np.asarray(wanted, dtype=bool)
        rows, place = wanted[self.profile], np.cumsum(wanted) - 1
        units = units_left(self.units, np.flatnonzero(wanted))
        return replace(
            self,
            profile=place[self.profile[rows]],
            annotator=self.annotator[rows],
            label=self.label[rows],
            multiplicities=self.multiplicities[wanted],
            units=units,
            origin=self.origin[wanted],
        )

    def regrouped(self, grouping: Sequence[int], labels: tuple[str, ...]) -> Ratings:
        """Return the profiles in terms of other labels: label i becomes label `grouping[i]` of `labels`.

        Profiles that become the same are left apart: it changes nothing but the number of rows.
        """
        return replace(self, label=np.asarray(grouping, dtype=np.int64)[self.label], labels=labels)

    def shuffled(self, rng: np.random.Generator) -> Ratings:
        """Deal each annotator's labels anew to the items that annotator labelled; with units, in whole units.

        An annotator's labels of one unit stay together: the units, one after the other in a random order, are laid over the items in
        their order. What the labels of a document have in common is then no agreement.
        """
        if self.units is not None:
            return self._shuffled_units(rng)
        times = self.multiplicities[self.profile]
        starts = np.cumsum(self.multiplicities) - self.multiplicities
        first = np.repeat(starts[self.profile], times)
        within = np.arange(len(first)) - np.repeat(np.cumsum(times) - times, times)
        profile, annotator, label = first + within, np.repeat(self.annotator, times), np.repeat(self.label, times)
        # Sorting by annotator, with ties in random order, deals every annotator's labels in a random order.
        keys = rng.random(len(label))
        label = label[np.lexsort((keys, annotator))][np.argsort(np.argsort(annotator, kind="stable"), kind="stable")]
        return replace(
            self,
            profile=profile,
            annotator=annotator,
            label=label,
            multiplicities=np.ones(self.n_items, dtype=np.int64),
            units=None,
            origin=np.arange(self.n_items),
        )

    def _shuffled_units(self, rng: np.random.Generator) -> Ratings:
        from scipy.sparse import coo_array

        assert self.units is not None
        table = coo_array(self.units)
        unit, known = (np.repeat(part, table.data.astype(np.int64)) for part in table.coords)
        order = np.argsort(unit, kind="stable")
        unit, known = unit[order], known[order]
        sizes = self.sizes.astype(np.int64)
        first, each = (np.cumsum(sizes) - sizes)[known], sizes[known]
        place = np.repeat(first - (np.cumsum(each) - each), each) + np.arange(int(each.sum()))
        profile, annotator, label = np.repeat(np.arange(len(known)), each), self.annotator[place], self.label[place]
        # In the order of the units of each annotator, and of the same units shuffled.
        turn = rng.random((len(self.annotators), table.shape[0]))
        here = np.argsort(annotator, kind="stable")
        # Items of a unit stand in the order of their labels, which must not meet again.
        dealt = np.lexsort((rng.random(len(label)), turn[annotator, unit[profile]], annotator))
        shuffled = np.empty_like(label)
        shuffled[here] = label[dealt]
        return replace(
            self,
            profile=profile,
            annotator=annotator,
            label=shuffled,
            multiplicities=np.ones(len(known), dtype=np.int64),
            units=None,
            origin=np.arange(len(known)),
        )


def units_left(units: Matrix | None, kept: Array) -> Matrix | None:
    """Return the units of the profiles that are kept, without units that have none of them."""
    if units is None:
        return None
    left = units[:, kept]
    return left[np.flatnonzero(np.asarray(left.sum(axis=1)).ravel())]


def scale_rows(matrix: Matrix, factors: Array) -> Matrix:
    """Multiply each row of a dense or sparse matrix by its factor."""
    if isinstance(matrix, np.ndarray):
        return np.asarray(matrix * factors[:, None])
    from scipy.sparse import csr_array

    rows = csr_array(matrix)
    return csr_array(
        (rows.data * np.repeat(factors, np.diff(rows.indptr)), rows.indices, rows.indptr), shape=rows.shape
    )


def regrouped_columns(matrix: Matrix, grouping: Sequence[int], width: int) -> Matrix:
    """Add up columns that become the same one: column i becomes column `grouping[i]` of `width`."""
    target = np.asarray(grouping, dtype=np.int64)
    if isinstance(matrix, np.ndarray):
        # Columns of the same group are brought together and added: no table of columns x columns.
        order = np.argsort(target, kind="stable")
        used, starts = np.unique(target[order], return_index=True)
        moved = np.zeros((matrix.shape[0], width), dtype=matrix.dtype)
        moved[:, used] = np.add.reduceat(matrix[:, order], starts, axis=1)
        return moved
    from scipy.sparse import csr_array

    ones = np.ones(len(target), dtype=np.int64)
    merge = csr_array((ones, (np.arange(len(target)), target)), shape=(len(target), width))
    return (matrix @ merge).tocsr()


def squared(matrix: Matrix) -> Matrix:
    """Square each cell of a dense or sparse matrix."""
    return np.asarray(matrix**2) if isinstance(matrix, np.ndarray) else matrix.power(2)


def from_cells(
    rows: Array, columns: Array, values: Array, shape: tuple[int, int], dtype: type[np.generic] = np.int64
) -> Matrix:
    """Build a matrix, of counts if nothing is said, from its non-zero cells: dense if that is small, else sparse."""
    size = shape[0] * shape[1]
    if size <= SPARSE_CELLS or (size <= DENSE_PROFILE_CELLS and len(rows) >= SPARSE_SHARE * size):
        dense = np.zeros(shape, dtype=dtype)
        dense[rows, columns] = values
        return dense
    from scipy.sparse import csr_array

    return csr_array((values.astype(dtype), (rows, columns)), shape=shape)


def collapse(
    counts: Matrix, multiplicities: Array | None = None, units: Array | None = None
) -> tuple[Matrix, Array, Matrix | None]:
    """Merge equal rows of a count matrix.

    Parameters
    ----------
    counts : matrix (rows, labels)
    multiplicities : array (rows,), optional
        How many items each row stands for; one if not given.
    units : array (rows,) of integers, optional
        The unit of resampling each row belongs to.

    Returns
    -------
    profiles : matrix (profiles, labels)
        Distinct rows in lexicographic order, so that the same data give the same profiles on every engine.
    multiplicities : array (profiles,)
    membership : matrix (units, profiles) or None
        How many items of each profile belong to each unit.
    """
    if multiplicities is None:
        multiplicities = np.ones(counts.shape[0], dtype=np.int64)
    distinct, inverse = distinct_rows(counts)
    membership: Matrix | None = None
    if units is not None:
        from scipy.sparse import coo_array

        names, unit = np.unique(units, return_inverse=True)
        places = (unit.ravel(), np.arange(len(multiplicities)))
        membership = coo_array((multiplicities, places), shape=(len(names), len(multiplicities))).tocsr()
    return distinct, *_gathered(inverse, distinct.shape[0], multiplicities, membership)


def _gathered(
    inverse: Array, profiles: int, multiplicities: Array, units: Matrix | None
) -> tuple[Array, Matrix | None]:
    """Add up multiplicities and units of rows that became one profile."""
    weights = np.bincount(inverse, weights=multiplicities, minlength=profiles).astype(np.int64)
    if units is None:
        return weights, None
    from scipy.sparse import csr_array

    rows = np.arange(len(inverse))
    merge = csr_array((np.ones(len(rows), dtype=np.int64), (rows, inverse)), shape=(len(rows), profiles))
    membership = (csr_array(units) @ merge).tocsr()
    # In a fixed order, so that sums over a unit come out the same to the last bit on every engine.
    membership.sum_duplicates()
    return weights, membership


def distinct_rows(matrix: Matrix) -> tuple[Matrix, Array]:
    """Return the distinct rows of a matrix in a fixed order, and where each row went."""
    if isinstance(matrix, np.ndarray):
        if matrix.dtype.kind not in "iu" or not matrix.size or matrix.min() < 0:
            profiles, inverse = np.unique(matrix, axis=0, return_inverse=True)
            return profiles, inverse.ravel()
        first, inverse = _distinct_numbers(matrix)
        return matrix[first], inverse
    matrix = matrix.tocsr()
    matrix.sort_indices()
    cells = np.diff(matrix.indptr)
    inverse = np.empty(matrix.shape[0], dtype=np.int64)
    chosen: list[Array] = []
    known = 0
    # Rows of as many cells make a table: columns, then counts.
    by_cells = np.argsort(cells, kind="stable")
    # Where every count is the same they tell no two rows apart.
    told = (
        [matrix.indices, matrix.data]
        if len(matrix.data) and (matrix.data != matrix.data[0]).any()
        else [matrix.indices]
    )
    bounds = np.flatnonzero(np.diff(cells[by_cells], prepend=-1, append=-1))
    for rows in np.split(by_cells, bounds[1:-1]):
        at = matrix.indptr[rows].astype(np.int64)[:, None] + np.arange(cells[rows[0]]) if len(rows) else rows
        first, place = _distinct_numbers(np.hstack([one[at] for one in told]))
        inverse[rows] = place + known
        known += len(first)
        chosen.append(rows[first])
    return matrix[np.concatenate(chosen)], inverse


def _distinct_numbers(matrix: Array) -> tuple[Array, Array]:
    """Return where each distinct row of whole numbers, none below 0, first stands, in order, and where each row went."""
    if not matrix.size:
        return np.arange(min(1, len(matrix))), np.zeros(len(matrix), dtype=np.int64)
    if matrix.shape[1] == 1 and (matrix[1:] > matrix[:-1]).all():
        # They stand in order already, each once.
        return np.arange(len(matrix)), np.arange(len(matrix))
    largest, columns = int(matrix.max()), matrix.shape[1]
    if columns <= ONE_KEY and (space := (largest + 1) ** columns) <= 1 << ONE_KEY:
        # A row is the digits of one number.
        digits = np.array([(largest + 1) ** i for i in range(columns)][::-1])
        known, place = distinct(matrix.astype(np.int64, copy=False) @ digits, space)
        return _first_of_each(len(known), place), place
    # The bytes of big-endian numbers sort as the numbers do, and eight of them are one number, which is sorted much faster.
    kind = np.min_scalar_type(largest).newbyteorder(">")
    width = kind.itemsize * columns
    padded = np.zeros((len(matrix), -(-width // 8) * 8), dtype=np.uint8)
    padded[:, :width] = np.ascontiguousarray(matrix.astype(kind)).view(np.uint8)
    known, place = np.zeros(1), np.zeros(len(matrix), dtype=np.int64)
    for word in padded.view(">u8").T:
        if len(known) == len(matrix):
            # No two are the same: what comes later changes nothing.
            break
        found, rank = np.unique(word.astype(np.uint64), return_inverse=True)
        known, place = (found, rank) if len(known) == 1 else np.unique(place * len(found) + rank, return_inverse=True)
    return _first_of_each(len(known), place), place


def _first_of_each(number: int, place: Array) -> Array:
    """Return where each of so many numbers stands first."""
    first = np.empty(number, dtype=np.int64)
    # The last one that is written stays: from the end.
    first[place[::-1]] = np.arange(len(place))[::-1]
    return first


def tabulated(space: int, number: int) -> bool:
    """Return whether a table of all that could be there (`space`) is counted faster than a `number` of keys is sorted.

    Examples
    --------
    >>> tabulated(1_000, 0), tabulated(1_001, 0), tabulated(9_000, 1_000)
    (True, False, True)
    """
    return space <= 8 * number + 1000


def distinct(keys: Array, space: int) -> tuple[Array, Array]:
    """Return the distinct keys in order, and which of them each key is.

    Parameters
    ----------
    keys : array (keys,) of integers
    space : int
        They are below this. If it is not much larger than the number of keys, they need not be sorted.

    Returns
    -------
    found : array (distinct keys,); place : array (keys,)
    """
    if tabulated(space, len(keys)):
        there = np.bincount(keys, minlength=space) > 0
        return there.nonzero()[0], (there.cumsum() - 1)[keys]
    found, place = np.unique(keys, return_inverse=True)
    return found, place.ravel()
