"""Agreement as a function of the weight of the primary label, in closed form.

A set of labels is shared out linearly in the weight p of its primary label: ``(1 - p) * W(0) + p * W(1)``. So the agreement of
two annotators on an item, and the agreement they would reach by chance, are quadratic in p. Three numbers each hold
all there is to know, and any p is then a sum of three terms.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assent.inference.sample import Sample
from assent.measures.components import chance_corrected
from assent.measures.paired import SharedItems, averaged
from assent.profiles import Array, Ratings
from assent.records import Struct, cached_property

__all__ = ["Curves", "KnownInfluences", "PairCurve"]

#: Influences of all items that add up to less than this are rounding.
ROUNDING = 1e-13


class PairCurve(Struct, frozen=True, eq=False):
    """Two annotators, and their agreement as a polynomial in the weight of the primary label.

    Parameters
    ----------
    rows : array (profiles that both labelled,) of integers
    number : float
        Items that both labelled.
    observed : array (profiles that both labelled, 3)
        Coefficients of their agreement on each profile.
    expected : array (3,)
        Coefficients of the agreement expected by chance.
    codes : tuple of two arrays (profiles that both labelled,) of integers
        Which set each of them gave.
    crossed : tuple of two arrays (sets, 3)
        Coefficients of how far each set agrees by chance with the other annotator: the first one's sets with the second's
        mean shares, and the other way round.
    """

    rows: Array
    number: float
    observed: Array
    expected: Array
    codes: tuple[Array, Array]
    crossed: tuple[Array, Array]

    def influence(self, basis: Array, weights: Array) -> tuple[float, Array]:
        """Return the coefficient of this pair and its derivative in the weight of each of its profiles."""
        seen, chance = self.observed @ basis, float(self.expected @ basis)
        mean = float(weights[self.rows] @ seen) / self.number
        value = float(chance_corrected(np.asarray(mean), chance))
        if np.isnan(value):
            return value, np.zeros(len(seen))
        toward_chance = sum((crossed @ basis)[code] for crossed, code in zip(self.crossed, self.codes, strict=True))
        more_chance = (toward_chance - 2.0 * chance) / self.number
        return value, ((seen - mean) / self.number - more_chance * (1.0 - value)) / (1.0 - chance)


class Curves(Struct, frozen=True, eq=False, dict=True):
    """Augmented kappa of every two annotators, of all of them and of every profile, for any weight of the primary label.

    Parameters
    ----------
    items : Ratings
        Profiles of ranked sets with two or more annotations.
    average : {"overlap", "plain"}
        How pairs of annotators are averaged.
    """

    items: Ratings
    average: str = "overlap"

    @cached_property
    def pairs(self) -> tuple[PairCurve, ...]:
        """The polynomials of every two annotators."""
        return tuple(self._pairs())

    def _pairs(self) -> Iterator[PairCurve]:
        shared, times = SharedItems.of(self.items), self.items.multiplicities.astype(np.float64)
        # What a set is shared out to if the primary label counts for nothing, and if it counts for everything.
        ends = self.items.parts.weights(0.0), self.items.parts.weights(1.0)
        for place in range(len(shared.first)):
            rows = np.flatnonzero(shared.both[:, place])
            codes = shared.one[rows, place], shared.two[rows, place]
            number = float(times[rows].sum())
            one, two = (
                tuple(np.bincount(code, weights=times[rows], minlength=len(ends[0])) @ end / number for end in ends)
                for code in codes
            )
            yield PairCurve(
                rows=rows,
                number=number,
                observed=_quadratic(*(end[codes[0]] for end in ends), *(end[codes[1]] for end in ends)),
                expected=_quadratic(*one, *two),
                codes=codes,
                crossed=(_quadratic(*ends, *two), _quadratic(*ends, *one)),
            )

    def values(self, primary: float) -> Array:
        """Return the coefficient of every two annotators: (pairs,)."""
        basis, times = _basis(primary), self.items.multiplicities
        observed = np.array([times[one.rows] @ (one.observed @ basis) / one.number for one in self.pairs])
        return chance_corrected(observed, np.array([one.expected @ basis for one in self.pairs]))

    def value(self, primary: float) -> float:
        """Return augmented kappa: the mean over pairs of annotators, without those whose value is undefined."""
        values, number = self.values(primary), np.array([one.number for one in self.pairs])
        with np.errstate(invalid="ignore"):
            return float(averaged(values, self._weight(values, number)))

    def _weight(self, values: Array, number: Array) -> Array:
        return np.where(np.isnan(values), 0.0, number if self.average == "overlap" else 1.0)

    def influence(self, primary: float) -> Array:
        """Return the derivative of augmented kappa in the weight of an item of each profile: (profiles,)."""
        basis, times = _basis(primary), self.items.multiplicities.astype(np.float64)
        found = [(one, *one.influence(basis, times)) for one in self.pairs]
        found = [(one, value, moved) for one, value, moved in found if not np.isnan(value)]
        if not found:
            return np.full(len(times), np.nan)
        total = np.zeros(len(times))
        if self.average == "plain":
            for one, _, moved in found:
                total[one.rows] += moved / len(found)
        else:
            number = sum(one.number for one, _, _ in found)
            mean = sum(one.number * value for one, value, _ in found) / number
            for one, value, moved in found:
                # An item more also gives its pairs of annotators more weight in the mean.
                total[one.rows] += (one.number * moved + value - mean) / number
        # An item without influence must have none: an interval without width is told by that.
        return np.where(np.abs(total) * self.items.n_items < ROUNDING, 0.0, total)

    def of_profiles(self, primary: float) -> tuple[Array, Array]:
        """Return agreement and augmented kappa of each profile, averaged over its pairs of annotators: (profiles,) each.

        A pair whose expected agreement is complete has no coefficient and is left out; NaN if that leaves none.
        """
        basis = _basis(primary)
        agreement, value, pairs, defined = np.zeros((4, len(self.items.multiplicities)))
        for one in self.pairs:
            seen = one.observed @ basis
            beyond = chance_corrected(seen, float(one.expected @ basis))
            known = ~np.isnan(beyond)
            agreement[one.rows] += seen
            pairs[one.rows] += 1.0
            value[one.rows] += np.where(known, beyond, 0.0)
            defined[one.rows] += known
        with np.errstate(invalid="ignore"):
            return agreement / pairs, value / defined

    @cached_property
    def pair_counts(self) -> Array:
        """Pairs of annotators of each profile: (profiles,)."""
        return np.bincount(np.concatenate([one.rows for one in self.pairs]), minlength=len(self.items.multiplicities))


class KnownInfluences(Sample, frozen=True, eq=False):
    """A sample whose influences are known in closed form and need not be found by moving weights.

    Parameters
    ----------
    per_profile : array (profiles,)
    """

    per_profile: Array | None = None

    @cached_property
    def influences(self) -> tuple[Array, Array]:
        """Influence of each (kind of) unit on the statistic, and how many units have it: (units,) each."""
        assert self.per_profile is not None
        if self.units is None:
            return self.per_profile, np.asarray(self.multiplicities, dtype=np.float64)
        return np.asarray(self.units @ self.per_profile), np.ones(self.unit_count)


def _quadratic(one_at_0: Array, one_at_1: Array, two_at_0: Array, two_at_1: Array) -> Array:
    """Return the coefficients of the agreement of shares that are linear in p: (..., 3)."""
    return np.stack(
        [
            (one_at_0 * two_at_0).sum(-1),
            (one_at_0 * two_at_1).sum(-1) + (one_at_1 * two_at_0).sum(-1),
            (one_at_1 * two_at_1).sum(-1),
        ],
        axis=-1,
    )


def _basis(primary: float) -> Array:
    """Return what the three coefficients are multiplied by: (3,)."""
    return np.array([(1.0 - primary) ** 2, primary * (1.0 - primary), primary**2])
