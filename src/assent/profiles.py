"""Distinct items and how often each occurs.

A coefficient sees an item only through its *profile*: how many annotations gave it each label. Items
with the same profile are the same to it, so a table of a million items is a few hundred profiles and their
multiplicities. A measure reaches the multiplicities through one door, `Counts.total`, which sums a term
over items. Whoever stands behind that door can therefore ask every question of inference (what if other items
had been drawn, one item had been left out, one counted a little more) without knowing the measure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["Array", "Counts", "Matrix", "Multiplicities", "Weighting"]

Array: TypeAlias = NDArray[Any]
#: A matrix of one row per profile; sparse when most of it would be zeros.
Matrix: TypeAlias = "Array | csr_array[Any, tuple[int, int]]"

#: More cells than this (400 MB of integers), and counts are kept as a sparse matrix.
DENSE_CELLS = 50_000_000


class Weighting(Protocol):
    """How much each profile counts, in one or in many replicates at once."""

    def total(self, terms: Matrix) -> Array:
        """Sum `terms` (profiles, or profiles x d) over items: (..., ) or (..., d)."""
        ...

    def total_varying(self, terms: Array) -> Array:
        """Sum `terms` (..., profiles) that differ by replicate over items: (..., )."""
        ...


@dataclass(frozen=True, eq=False)
class Multiplicities:
    """Plain weights: how many items have each profile.

    Parameters
    ----------
    weights : array (profiles,) or (replicates, profiles)
    """

    weights: Array

    def total(self, terms: Matrix) -> Array:
        """Sum `terms` over items."""
        return np.asarray(self.weights @ terms)

    def total_varying(self, terms: Array) -> Array:
        """Sum `terms` that differ by replicate over items."""
        return np.asarray((self.weights * terms).sum(-1))


@dataclass(frozen=True, eq=False, kw_only=True)
class Counts:
    """Items by how many annotations gave them each label.

    Parameters
    ----------
    counts : matrix (profiles, labels) of integers
        Distinct rows, in lexicographic order; none of them all zero.
    multiplicities : array (profiles,) of integers
        How many items have each profile.
    labels : sequence of str
        The label of each column.
    units : matrix (units, profiles), optional
        How many items of each profile belong to each unit of resampling, such as a document. Without it
        every item is its own unit.
    weighting : Weighting, optional
        Who answers `total`; the multiplicities unless inference says otherwise.
    """

    counts: Matrix
    multiplicities: Array
    labels: Sequence[str]
    units: Matrix | None = None
    weighting: Weighting | None = None

    @cached_property
    def sizes(self) -> Array:
        """Annotations of each profile: (profiles,)."""
        return np.asarray(self.counts.sum(axis=1), dtype=np.float64).ravel()

    @cached_property
    def pairable(self) -> Array:
        """1.0 where a profile has two or more annotations to compare, else 0.0: (profiles,)."""
        return (self.sizes >= 2).astype(np.float64)

    @cached_property
    def shares(self) -> Matrix:
        """Share of each label among the annotations of a profile: (profiles, labels)."""
        return scale_rows(self.counts, 1.0 / self.sizes)

    @property
    def pairs(self) -> Array:
        """Ordered pairs of annotations of each profile, 1 where there are none: (profiles,)."""
        return np.where(self.pairable > 0, self.sizes * (self.sizes - 1.0), 1.0)

    def total(self, terms: Matrix, *, varying: bool = False) -> Array:
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
        weighting = self.weighting or Multiplicities(self.multiplicities)
        if varying:
            return weighting.total_varying(np.asarray(terms))
        return weighting.total(terms)

    def weighted_by(self, weighting: Weighting) -> Counts:
        """Return the same profiles, counted by `weighting`."""
        return replace(self, weighting=weighting)

    @cached_property
    def items(self) -> int:
        """Number of items with a label."""
        return int(self.multiplicities.sum())

    @cached_property
    def pairable_items(self) -> int:
        """Number of items with two or more annotations."""
        return int(self.multiplicities[self.pairable > 0].sum())

    @cached_property
    def pairable_annotations(self) -> int:
        """Number of annotations of items that have two or more."""
        return int((self.multiplicities * self.sizes)[self.pairable > 0].sum())

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


def scale_rows(matrix: Matrix, factors: Array) -> Matrix:
    """Multiply each row of a dense or sparse matrix by its factor."""
    if isinstance(matrix, np.ndarray):
        return np.asarray(matrix * factors[:, None])
    from scipy.sparse import diags_array

    return (diags_array(factors) @ matrix).tocsr()


def from_cells(rows: Array, columns: Array, counts: Array, shape: tuple[int, int]) -> Matrix:
    """Build a count matrix from its non-zero cells: dense if that is small, else sparse."""
    if shape[0] * shape[1] <= DENSE_CELLS:
        dense = np.zeros(shape, dtype=np.int64)
        dense[rows, columns] = counts
        return dense
    from scipy.sparse import csr_array

    return csr_array((counts.astype(np.int64), (rows, columns)), shape=shape)


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
    rows = counts.shape[0]
    if multiplicities is None:
        multiplicities = np.ones(rows, dtype=np.int64)
    profiles, inverse = _distinct_rows(counts) if isinstance(counts, np.ndarray) else _distinct_sparse_rows(counts)
    weights = np.bincount(inverse, weights=multiplicities, minlength=profiles.shape[0]).astype(np.int64)
    if units is None:
        return profiles, weights, None
    names, unit = np.unique(units, return_inverse=True)
    from scipy.sparse import coo_array

    shape = (len(names), profiles.shape[0])
    return profiles, weights, coo_array((multiplicities, (unit.ravel(), inverse)), shape=shape).tocsr()


def _distinct_rows(matrix: Array) -> tuple[Matrix, Array]:
    """Return the distinct rows of a matrix in lexicographic order, and where each row went."""
    profiles, inverse = np.unique(matrix, axis=0, return_inverse=True)
    return profiles, inverse.ravel()


def _distinct_sparse_rows(matrix: csr_array[Any, tuple[int, int]]) -> tuple[Matrix, Array]:
    """Return the distinct rows of a sparse matrix in a fixed order, and where each row went."""
    matrix = matrix.tocsr()
    matrix.sort_indices()
    keys: dict[tuple[tuple[int, ...], tuple[int, ...]], list[int]] = {}
    bounds, columns, values = matrix.indptr.tolist(), matrix.indices.tolist(), matrix.data.tolist()
    for row in range(matrix.shape[0]):
        low, high = bounds[row], bounds[row + 1]
        keys.setdefault((tuple(columns[low:high]), tuple(values[low:high])), []).append(row)
    inverse = np.empty(matrix.shape[0], dtype=np.int64)
    ordered = sorted(keys)
    for position, key in enumerate(ordered):
        inverse[keys[key]] = position
    return matrix[[keys[key][0] for key in ordered]], inverse
