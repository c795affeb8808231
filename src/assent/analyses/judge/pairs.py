"""Kappa of pairs of annotators as a function of the weights of items, and what each item does to it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assent.inference import Sample
from assent.measures.components import chance_corrected
from assent.measures.paired import averaged
from assent.profiles import Array, Matrix, Weighting, from_cells
from assent.scales import AgreementWeights, Identity, Scores

__all__ = ["InfluenceSample", "PairKappas", "spread"]


@dataclass(frozen=True, eq=False)
class PairKappas:
    """Some pairs of annotators: their kappas, and the mean of these.

    Parameters
    ----------
    one, two : array (profiles, pairs)
        Their labels; -1 where there is none.
    agree : AgreementWeights
    labels : int
    average : str
        ``plain`` or ``overlap``: pairs count alike, or by the items that both labelled.
    """

    one: Array
    two: Array
    agree: AgreementWeights
    labels: int
    average: str = "plain"

    @cached_property
    def both(self) -> Array:
        """True where both labelled the item: (profiles, pairs)."""
        return (self.one >= 0) & (self.two >= 0)

    @cached_property
    def near(self) -> Array:
        """How far the two agree on an item that both labelled: (profiles, pairs)."""
        near = self.agree.of(np.maximum(self.one, 0), np.maximum(self.two, 0))
        return np.asarray(np.where(self.both, near, 0.0))

    @cached_property
    def _terms(self) -> tuple[Matrix, Matrix]:
        """What is added up for the label shares of either side: (profiles, pairs * features)."""
        return self._of(self.one), self._of(self.two)

    def _of(self, side: Array) -> Matrix:
        profiles, pairs = side.shape
        if isinstance(self.agree, Scores):
            # Three moments say all; with thousands of distinct values a column for each would not fit.
            cells = np.where(self.both[..., None], self._label_features[np.maximum(side, 0)], 0.0)
            return cells.reshape(profiles, -1)
        rows, columns = np.nonzero(self.both)
        cells = columns * self.labels + side[rows, columns]
        return from_cells(rows, cells, np.ones(len(rows)), (profiles, pairs * self.labels))

    @cached_property
    def _label_features(self) -> Array:
        """Features of a share of one label alone: (labels, features)."""
        if isinstance(self.agree, Scores):
            scores = self.agree.scores
            return np.stack([np.ones_like(scores), scores, scores**2], axis=-1)
        return np.asarray(self.agree.features(np.eye(self.labels)))

    def _features(self, totals: Array, number: Array) -> Array:
        """Turn totals (…, pairs * features) into features of shares (…, pairs, features)."""
        pairs = self.one.shape[1]
        shares = totals.reshape(*totals.shape[:-1], pairs, -1) / number[..., None]
        if isinstance(self.agree, Scores | Identity):
            return np.asarray(shares)
        flat = np.asarray(self.agree.features(shares.reshape(-1, shares.shape[-1])))
        return flat.reshape(*shares.shape[:-1], -1)

    def parts(self, weighting: Weighting) -> tuple[Array, Array, Array, tuple[Array, Array]]:
        """Return the items that both labelled, observed and expected agreement, (…, pairs) each, and the features of both sides."""
        number = weighting.total(self.both.astype(np.float64))
        with np.errstate(divide="ignore", invalid="ignore"):
            observed = weighting.total(self.near) / number
            first, second = (self._features(weighting.total(terms), number) for terms in self._terms)
        return number, observed, self.agree.between(first, second), (first, second)

    def kappas(self, weighting: Weighting) -> tuple[Array, Array]:
        """Return the kappa of each pair, NaN where it is undefined, and how many items both labelled: (…, pairs) each."""
        number, observed, expected, _ = self.parts(weighting)
        return chance_corrected(observed, expected), number

    def mean(self, weighting: Weighting) -> Array:
        """Return the mean kappa of the pairs that have one: (…,)."""
        values, number = self.kappas(weighting)
        weight = np.where(np.isnan(values), 0.0, number if self.average == "overlap" else np.ones_like(number))
        with np.errstate(divide="ignore", invalid="ignore"):
            return averaged(values, weight)

    def influences(self, weighting: Weighting) -> Array:
        """Return the derivative of the mean kappa in the weight of an item of each profile: (profiles,).

        Of kappa = (o - e) / (1 - e) it is do / (1 - e) - de (1 - o) / (1 - e)²; expected agreement is bilinear in the two shares.
        """
        number, observed, expected, (first, second) = self.parts(weighting)
        values = chance_corrected(observed, expected)
        defined = ~np.isnan(values)
        weight = np.where(defined, number if self.average == "overlap" else 1.0, 0.0)
        room = np.where(defined, 1.0 - expected, 1.0)
        total = weight.sum()
        found = np.zeros(len(self.one))
        mean = float(np.where(defined, values * weight, 0.0).sum() / total)
        for pair in np.flatnonzero(defined):
            rows = np.flatnonzero(self.both[:, pair])
            x, y = self.one[rows, pair], self.two[rows, pair]
            chance = self._against(second[pair])[x] + self._against(first[pair])[y] - 2.0 * expected[pair]
            change = (self.near[rows, pair] - observed[pair]) / room[pair]
            change -= chance * (1.0 - observed[pair]) / room[pair] ** 2
            found[rows] += weight[pair] / total * change / number[pair]
            if self.average == "overlap":
                found[rows] += (values[pair] - mean) / total
        return found

    def _against(self, features: Array) -> Array:
        """Return the agreement of each label with shares that have these features: (labels,)."""
        return features if isinstance(self.agree, Identity) else self.agree.between(self._label_features, features)


@dataclass(frozen=True, eq=False)
class InfluenceSample(Sample):
    """A sample whose influences are known, so that no derivative need be taken: (profiles,)."""

    known: Array | None = None

    @cached_property
    def influences(self) -> tuple[Array, Array]:
        """Influence of each (kind of) unit on the statistic, and how many units have it: (units,) each."""
        assert self.known is not None
        if self.units is None:
            return self.known, np.asarray(self.multiplicities, dtype=np.float64)
        return np.asarray(self.units @ self.known), np.ones(self.unit_count)


def spread(influences: Array, weights: Array, units: Matrix | None) -> Array:
    """Return linearised standard errors of statistics with these influences: (…,).

    Parameters
    ----------
    influences : array (profiles, …)
    weights : array (profiles,)
        How many items have each profile.
    units : matrix (units, profiles), optional
    """
    if units is None:
        values, each = influences, np.asarray(weights, dtype=np.float64)
    else:
        values, each = np.asarray(units @ influences), np.ones(units.shape[0])
    number = each.sum()
    if number < 2:
        return np.full(influences.shape[1:], np.nan)
    centred = values - np.tensordot(each, values, 1) / number
    return np.sqrt(number / (number - 1.0) * np.tensordot(each, centred**2, 1))
