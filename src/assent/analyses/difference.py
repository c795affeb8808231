"""How much two agreements differ, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from assent.errors import InputError
from assent.inference.derivatives import KnownInfluence
from assent.inference.pseudo import padded_units
from assent.inference.sample import PaddedSample, Sample
from assent.measures.results import Agreement, Estimate, Interval, error_and_ci
from assent.profiles import Array, Matrix, Multiplicities, RepeatedTerms, Terms, Weighting, units_left
from assent.records import Struct, cached_property, plain
from assent.text import number

__all__ = ["Difference", "difference"]


class Difference(Estimate, frozen=True, kw_only=True, eq=False):
    """How much two agreements differ, with standard error and interval of the difference.

    Parameters
    ----------
    value : float
        First minus second.
    first, second : Agreement
    shared : int or None
        Items that both data sets hold; None for two measures of the same data.
    """

    first: Agreement
    second: Agreement
    shared: int | None = None

    def to_dict(self, interval: Interval | None = None) -> dict[str, Any]:
        """Return the difference as plain values."""
        return {
            "difference": plain(self.value),
            **error_and_ci(interval),
            "shared_items": self.shared,
            "first": self.first.to_dict(),
            "second": self.second.to_dict(),
        }

    def __str__(self) -> str:
        """Show the difference with its interval."""
        found = self.confidence_interval()
        return f"{self.first.title} less {self.second.title}: {number(self.value, 3)}, {found}"


class _Rows(Struct, frozen=True, eq=False, dict=True):
    """Which profile of one data set each joint profile of two is; -1 where it has none.

    Parameters
    ----------
    index : array (joint profiles,)
    """

    index: Array

    @cached_property
    def same(self) -> bool:
        """Whether the joint profiles are those of the data set, in their order."""
        return bool(np.array_equal(self.index, np.arange(len(self.index))))

    @cached_property
    def _there(self) -> Array:
        return self.index >= 0

    def of(self, terms: Terms) -> Terms:
        """Return the terms of the joint profiles; an item that the data set does not have adds nothing to its totals."""
        if self.same and terms.shape[0] == len(self.index):
            return terms
        if isinstance(terms, RepeatedTerms):
            return terms.taken(self.index)
        if isinstance(terms, np.ndarray):
            return np.where(self._there.reshape(-1, *[1] * (terms.ndim - 1)), terms[self.index], 0.0)
        from scipy.sparse import csr_array

        # Counts of many labels are mostly zeros, which are not written out.
        places = np.flatnonzero(self._there)
        shape = (len(self.index), terms.shape[0])
        ones = np.ones(len(places))
        return csr_array((ones, (places, self.index[places])), shape=shape) @ terms

    def varying(self, terms: Array) -> Array:
        """Return terms that differ by replicate."""
        return np.where(self._there, terms[..., self.index], 0.0)

    def counted(self, weights: Array, profiles: int) -> Array:
        """Add up weights of joint profiles, (..., joint profiles), over those that are one profile of the data set: (..., profiles)."""
        if self.same and weights.shape[-1] == profiles:
            return weights
        there, each = self.index[self._there], weights[..., self._there].reshape(-1, int(self._there.sum()))
        made = np.stack([np.bincount(there, weights=one, minlength=profiles) for one in each])
        return made.reshape(*weights.shape[:-1], profiles)


class _Side(Struct, frozen=True, eq=False):
    """The weighting of one data set, seen from the joint profiles of two."""

    joint: Weighting
    rows: _Rows

    def total(self, terms: Terms) -> Array:
        return self.joint.total(self.rows.of(terms))

    def total_varying(self, terms: Array) -> Array:
        return self.joint.total_varying(self.rows.varying(terms))


def _gap(samples: Sequence[Sample | PaddedSample], places: Sequence[Array]) -> KnownInfluence:
    """Return the statistic of one sample less that of another, as a function of the weights of their joint profiles.

    Parameters
    ----------
    places : sequence of two arrays (joint profiles,)
        Which profile of each sample the joint ones are; -1 where it has none.
    """
    sides = list(zip(samples, map(_Rows, places), strict=True))

    def side(weighting: Weighting, sample: Sample | PaddedSample, rows: _Rows) -> Weighting:
        if isinstance(weighting, Multiplicities):
            return Multiplicities(rows.counted(weighting.weights, len(sample.base)))
        return _Side(weighting, rows)

    def value(weighting: Weighting) -> Array:
        left, right = (one.statistic(side(weighting, one, rows)) for one, rows in sides)
        return np.asarray(left - right)

    def slopes(weights: Array) -> Array:
        left, right = (np.asarray(rows.of(one.slopes_at(rows.counted(weights, len(one.base))))) for one, rows in sides)
        return np.asarray(left - right)

    return KnownInfluence(value, slopes)


def difference(first: Agreement, second: Agreement, *, paired: bool = True) -> Difference:
    """Return how much two agreements differ, with the standard error and the interval of the difference.

    Parameters
    ----------
    first, second : Agreement
        Two measures of one data set, or measures of two data sets.
    paired : bool
        The two data sets are about the same items, matched by name; items that only one of them has still count for
        that one. If False, they are taken as independent samples of items.

    Returns
    -------
    Difference
        First minus second.

    Examples
    --------
    >>> import assent
    >>> data = assent.Annotations.from_array([["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"]])
    >>> gap = assent.difference(assent.percent_agreement(data), assent.krippendorff_alpha(data))
    >>> round(gap.value, 3), round(gap.standard_error(), 3)
    (0.217, 0.228)
    """
    same_data = first.data._same_source(second.data)
    units = None
    if paired or same_data:
        in_first, in_second, multiplicities, units = first.data._pairing(second.data, first.profiles, second.profiles)
    else:
        one, two = (np.arange(len(side.profiles.multiplicities)) for side in (first, second))
        in_first = np.concatenate([one, np.full(len(two), -1)])
        in_second = np.concatenate([np.full(len(one), -1), two])
        multiplicities = np.concatenate([first.profiles.multiplicities, second.profiles.multiplicities])
        if first.sample.units is not None and second.sample.units is not None:
            from scipy.sparse import block_diag

            units = block_diag((first.sample.units, second.sample.units)).tocsr()
    # An item that neither measure looks at says nothing about the difference.
    seen = (in_first >= 0) | (in_second >= 0)
    in_first, in_second, multiplicities = in_first[seen], in_second[seen], multiplicities[seen]
    units = units_left(units, np.flatnonzero(seen))
    both = (in_first >= 0) & (in_second >= 0)
    if paired and not both.any():
        raise InputError("The two data sets share no item: check the item columns, or compare them with paired=False.")

    statistic = _gap((first.sample, second.sample), (in_first, in_second))

    def padded() -> PaddedSample:
        assert first.padded is not None
        assert second.padded is not None
        sides = first.padded(), second.padded()
        known = [len(one.profiles.multiplicities) for one in (first, second)]
        return _padded(sides, known, (in_first, in_second), multiplicities, units, together=same_data)

    return Difference(
        value=first.value - second.value,
        first=first,
        second=second,
        shared=None if same_data else int(multiplicities[both].sum()),
        sample=Sample(
            statistic, multiplicities, units, np.maximum(_pairable(first, in_first), _pairable(second, in_second))
        ),
        unit=first.unit,
        padded=None if first.padded is None or second.padded is None else padded,
    )


def _padded(
    sides: Sequence[PaddedSample],
    known: Sequence[int],
    places: tuple[Array, Array],
    multiplicities: Array,
    units: Matrix | None,
    *,
    together: bool,
) -> PaddedSample:
    """Join two samples with a pseudo-item each.

    Two data sets have a pseudo-item of their own each, which the other does not hold, so that both agreeing on everything does not prove
    that they are alike. Two measures of one data set see the same pseudo-item if it has the same parts for both.
    """
    parts = [one.weights[start:] for one, start in zip(sides, known, strict=True)]
    new = [start + np.arange(len(part)) for start, part in zip(known, parts, strict=True)]
    if together and np.array_equal(parts[0], parts[1]):
        indices, added = new, parts[0]
    else:
        absent = [np.full(len(part), -1) for part in parts]
        indices = [np.concatenate([new[0], absent[1]]), np.concatenate([absent[0], new[1]])]
        added = np.concatenate(parts)
    statistic = _gap(sides, [np.concatenate([place, more]) for place, more in zip(places, indices, strict=True)])
    weights = np.concatenate([np.asarray(multiplicities, dtype=np.float64), added])
    if units is None:
        return PaddedSample(statistic, weights)
    size = float(multiplicities.sum()) / units.shape[0]
    unit_weights = np.concatenate([np.ones(units.shape[0]), added / size])
    return PaddedSample(statistic, weights, padded_units(units, len(added), size), unit_weights)


def _pairable(side: Agreement, index: Array) -> Array:
    """1.0 for joint profiles that have a pair of annotations in this data set."""
    return np.asarray(np.where(index >= 0, side.profiles.pairable[index], 0.0))
