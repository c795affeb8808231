"""Kappa of pairs of annotators as a function of the weights of items, and what each item does to it."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from assent.inference.sample import Sample
from assent.limits import LABELS_IN_PAIR_TABLE
from assent.measures.components import chance_corrected
from assent.measures.paired import averaged
from assent.profiles import Array, Matrix, Multiplicities, Weighting, from_cells
from assent.records import Struct, cached_property
from assent.scales import AgreementWeights, Identity, Scores

__all__ = ["InfluenceSample", "PairKappas", "spread"]


class Base(Struct, frozen=True, eq=False, dict=True):
    """Pairs with the weights of the data: (pairs,) each, and the features of the label shares of either side."""

    number: Array
    observed: Array
    expected: Array
    first: Array
    second: Array

    @cached_property
    def values(self) -> Array:
        """The kappas; NaN where they are undefined."""
        return chance_corrected(self.observed, self.expected)

    def only(self, kept: Array) -> Base:
        """Return some of the pairs."""
        return Base(*(one[kept] for one in (self.number, self.observed, self.expected, self.first, self.second)))


class PairKappas(Struct, frozen=True, eq=False, dict=True):
    """Some pairs of annotators: their kappas, and the mean of these.

    Parameters
    ----------
    one, two : array (profiles, pairs)
        Their labels; -1 where there is none.
    weights : array (profiles,)
        How many items have each profile.
    average : str
        ``plain`` or ``overlap``: pairs count alike, or by the items that both labelled.
    """

    one: Array
    two: Array
    weights: Array
    agree: AgreementWeights
    n_labels: int
    average: str = "plain"

    def only(self, kept: Array) -> PairKappas:
        """Return some of the pairs; what was counted is kept."""
        made = replace(self, one=self.one[:, kept], two=self.two[:, kept])
        made.__dict__["base"] = self.base.only(kept)
        return made

    def rows(self, rows: Array, weights: Array) -> PairKappas:
        """Return the same pairs on other profiles: `rows` says which of these each is."""
        return replace(self, one=self.one[rows], two=self.two[rows], weights=weights)

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
    def base(self) -> Base:
        """What the pairs are made of, with the weights of the data."""
        if self.n_labels > LABELS_IN_PAIR_TABLE:
            return Base(*self._parts(Multiplicities(np.asarray(self.weights, dtype=np.float64))))
        width = self.n_labels + 1
        tables = np.empty((self.one.shape[1], self.n_labels, self.n_labels))
        for pair in range(len(tables)):
            cells = (self.one[:, pair] + 1).astype(np.int64) * width + self.two[:, pair] + 1
            counted = np.bincount(cells, weights=self.weights, minlength=width * width)
            tables[pair] = counted.reshape(width, width)[1:, 1:]
        number = tables.sum(axis=(1, 2))
        with np.errstate(divide="ignore", invalid="ignore"):
            observed = np.tensordot(tables, self._matrix, 2) / number
            first, second = (self._shares(tables.sum(axis=axis) / number[:, None]) for axis in (2, 1))
        return Base(number, observed, self.agree.between(first, second), first, second)

    @cached_property
    def _matrix(self) -> Array:
        """The agreement of each two labels: (labels, labels)."""
        every = np.arange(self.n_labels)
        return self.agree.of(every[:, None], every[None, :])

    def _shares(self, shares: Array) -> Array:
        """Turn label shares (…, labels) into features."""
        if isinstance(self.agree, Identity):
            return shares
        flat = np.asarray(self.agree.features(shares.reshape(-1, shares.shape[-1])))
        return flat.reshape(*shares.shape[:-1], -1)

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
        cells = columns * self.n_labels + side[rows, columns]
        return from_cells(rows, cells, np.ones(len(rows)), (profiles, pairs * self.n_labels))

    @cached_property
    def _label_features(self) -> Array:
        """Features of a share of one label alone: (labels, features)."""
        if isinstance(self.agree, Scores):
            scores = self.agree.scores
            return np.stack([np.ones_like(scores), scores, scores**2], axis=-1)
        return np.asarray(self.agree.features(np.eye(self.n_labels)))

    def _parts(self, weighting: Weighting) -> tuple[Array, Array, Array, Array, Array]:
        """Return the items that both labelled, observed and expected agreement, (…, pairs) each, and the features of both sides."""
        pairs = self.one.shape[1]
        number = weighting.total(self.both.astype(np.float64))
        with np.errstate(divide="ignore", invalid="ignore"):
            observed = weighting.total(self.near) / number
            sides = []
            for terms in self._terms:
                totals = weighting.total(terms)
                share = totals.reshape(*totals.shape[:-1], pairs, -1) / number[..., None]
                sides.append(share if isinstance(self.agree, Scores) else self._shares(share))
        first, second = sides
        return number, observed, self.agree.between(first, second), first, second

    def mean(self, weighting: Weighting | None = None) -> Array:
        """Return the mean kappa of the pairs that have one, with other weights than those of the data if given: (…,)."""
        if weighting is None:
            number, values = self.base.number, self.base.values
        else:
            number, observed, expected, *_ = self._parts(weighting)
            values = chance_corrected(observed, expected)
        weight = np.where(np.isnan(values), 0.0, number if self.average == "overlap" else np.ones_like(number))
        with np.errstate(divide="ignore", invalid="ignore"):
            return averaged(values, weight)

    @property
    def mean_agreement(self) -> float:
        """The mean agreement of the pairs without regard to chance; NaN without pairs."""
        weight = self.base.number if self.average == "overlap" else np.ones_like(self.base.number)
        return float(self.base.observed @ weight / weight.sum()) if len(weight) else float("nan")

    @cached_property
    def influences(self) -> Array:
        """The derivative of the mean kappa in the weight of an item of each profile: (profiles,).

        Of kappa = (o - e) / (1 - e) it is do / (1 - e) - de (1 - o) / (1 - e)²; expected agreement is bilinear in the two shares.
        """
        base, values = self.base, self.base.values
        defined = np.flatnonzero(~np.isnan(values))
        weight = base.number if self.average == "overlap" else np.ones_like(base.number)
        total = weight[defined].sum()
        mean = float((values * weight)[defined].sum() / total)
        found = np.zeros(len(self.one))
        every = np.arange(self.n_labels)
        for pair in defined.tolist():
            more = (values[pair] - mean) / total if self.average == "overlap" else 0.0
            share = weight[pair] / total / base.number[pair]
            if self.n_labels > LABELS_IN_PAIR_TABLE:
                rows = np.flatnonzero(self.both[:, pair])
                x, y = self.one[rows, pair], self.two[rows, pair]
                found[rows] += share * self._change(pair, self.near[rows, pair], x, y) + more
            else:
                # The last row and column are for a label that is not there: -1 finds them.
                table = np.zeros((self.n_labels + 1, self.n_labels + 1))
                table[:-1, :-1] = share * self._change(pair, self._matrix, every[:, None], every[None, :]) + more
                found += table[self.one[:, pair], self.two[:, pair]]
        return found

    def _change(self, pair: int, near: Array, x: Array, y: Array) -> Array:
        """Return what an item with these labels does to the kappa of a pair, times the items of the pair."""
        base = self.base
        observed, expected = base.observed[pair], base.expected[pair]
        chance = self._against(base.second[pair])[x] + self._against(base.first[pair])[y] - 2.0 * expected
        return np.asarray((near - observed) / (1.0 - expected) - chance * (1.0 - observed) / (1.0 - expected) ** 2)

    def _against(self, features: Array) -> Array:
        """Return the agreement of each label with shares that have these features: (labels,)."""
        return features if isinstance(self.agree, Identity) else self.agree.between(self._label_features, features)


class InfluenceSample(Sample, frozen=True, eq=False):
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
    return np.asarray(np.sqrt(number / (number - 1.0) * np.tensordot(each, centred**2, 1)))
