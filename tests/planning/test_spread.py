"""What k annotations per item buy: closed forms against the listing of everything that can happen."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.planning import slow

import assent
from assent.analyses.plan import spread as module
from assent.analyses.plan.pairs import PairTable, kernel
from assent.analyses.plan.spread import Spread, _pair_sums, assumed_spread, observed_spread
from assent.data.count_source import CountSource
from assent.measures.spa import agreement_variance
from assent.profiles import Counts

CLASSES = np.array([0.5, 0.2, 0.3])
GIVEN = np.array([[0.8, 0.15, 0.05], [0.1, 0.85, 0.05], [0.3, 0.3, 0.4]])
MIXTURE = slow.mixture(CLASSES, GIVEN)
SHARES, KAPPA = (0.5, 0.3, 0.2), 0.6
ITEMS = 10**9


def some_kernel(seed: int = 0, labels: int = 3) -> Any:
    table = np.random.default_rng(seed).normal(size=(labels, labels))
    return table + table.T


def counts_of(table: Any, items: Any, labels: int = 3) -> Counts:
    names = tuple(str(i + 1) for i in range(labels))
    return Counts(counts=np.asarray(table), multiplicities=np.asarray(items, dtype=np.int64), labels=names)


def centred(table: Any, pairs: Any) -> Any:
    return table - (table * pairs).sum()


@pytest.mark.parametrize("annotations", [4, 5])
def test_items_with_four_annotations_tell_the_variance_for_any_number(annotations: int) -> None:
    pairs = slow.pair_table(3, MIXTURE)
    table = centred(some_kernel(), pairs)
    counts, chances = slow.profiles(3, MIXTURE, annotations)
    items = counts_of(counts, np.rint(ITEMS * chances))
    found = observed_spread(table, items, assumed_spread(table, PairTable(pairs)))
    assert found.known == 4
    for k in (2, 3, 4, 5, 6):
        assert found.variance(k) == pytest.approx(slow.variance(table, MIXTURE, k), rel=1e-6)


def test_items_of_different_numbers_tell_it_as_well() -> None:
    pairs = slow.pair_table(3, MIXTURE)
    table = centred(some_kernel(1), pairs)
    every = [slow.profiles(3, MIXTURE, k) for k in (2, 3, 4)]
    counts = np.vstack([counts for counts, _ in every])
    items = counts_of(counts, np.rint(ITEMS * np.concatenate([chances for _, chances in every])))
    found = observed_spread(table, items, assumed_spread(table, PairTable(pairs)))
    for k in (2, 3, 5):
        assert found.variance(k) == pytest.approx(slow.variance(table, MIXTURE, k), rel=1e-6)


@pytest.mark.parametrize("kappa", [0.05, 0.6, 0.95])
def test_the_model_is_the_urn(kappa: float) -> None:
    chance = slow.urn(SHARES, kappa)
    pairs = slow.pair_table(3, chance)
    np.testing.assert_allclose(pairs, PairTable.assumed(SHARES, kappa).chances, atol=1e-12)
    table = some_kernel(2)
    found = assumed_spread(table, PairTable(pairs))
    for k in (2, 3, 4, 5):
        assert found.variance(k) == pytest.approx(slow.variance(table, chance, k), rel=1e-9)


def test_the_model_follows_the_weights_of_the_measure() -> None:
    """Annotations of neighbouring labels have less in common as names than as ranks."""
    neighbours = np.array([[0.7, 0.25, 0.05], [0.2, 0.6, 0.2], [0.05, 0.25, 0.7]])
    pairs = PairTable(slow.pair_table(3, slow.mixture(np.array(SHARES), neighbours)))
    data = pairs.annotations()
    for weights in ("identity", "linear", "quadratic"):
        agreement = assent.fleiss_kappa(data, weights=weights)
        table = kernel(agreement)
        found = assumed_spread(table, pairs)
        chance = slow.urn(pairs.shares.tolist(), agreement.value)
        for k in (2, 3, 4):
            assert found.variance(k) == pytest.approx(slow.variance(table, chance, k), rel=1e-6)


def test_without_agreement_beyond_chance_the_model_draws_independently() -> None:
    chance = slow.mixture(np.array([1.0]), np.array([SHARES]))
    found = assumed_spread(some_kernel(3), PairTable.assumed(SHARES, 0.0))
    assert found.apart == pytest.approx(0.0, abs=1e-12)
    for k in (2, 3, 4):
        assert found.variance(k) == pytest.approx(slow.variance(some_kernel(3), chance, k), rel=1e-9)


@pytest.mark.parametrize("share", [(0.5, 0.5), (0.7, 0.2, 0.1), (0.25, 0.25, 0.25, 0.25)])
def test_items_that_are_all_alike_have_the_variance_of_spa(share: tuple[float, ...]) -> None:
    """Nørregaard and Derczynski's variance of an item's agreement, for labels drawn independently."""
    p = np.array(share)
    found = assumed_spread(np.eye(len(p)), PairTable.assumed(share, 0.0))
    for k in (2, 3, 4, 7, 20):
        assert found.variance(k) == pytest.approx(
            float(agreement_variance(np.array([k]), (p**2).sum(), (p**3).sum())[0]), rel=1e-9
        )


def test_what_too_few_items_say_keeps_the_proportions_of_the_model() -> None:
    pairs = PairTable.assumed(SHARES, KAPPA)
    table = centred(np.eye(3), pairs.chances)
    model = assumed_spread(table, pairs)
    counts, chances = slow.profiles(3, slow.urn(SHARES, KAPPA), 2)
    found = observed_spread(table, counts_of(counts, np.rint(ITEMS * chances)), model)
    assert found.known == 2
    for k in (2, 3, 6):
        assert found.variance(k) == pytest.approx(model.variance(k), rel=1e-6)
    # As many items with three annotations as are enough are listened to; one fewer is not.
    more = np.vstack([counts, [[3, 0, 0]]])
    for extra, known in ((module.ENOUGH - 1, 2), (module.ENOUGH, 3)):
        items = counts_of(more, [*np.rint(ITEMS * chances), extra])
        assert observed_spread(table, items, model).known == known


@settings(derandomize=True, database=None)
@given(st.lists(st.integers(0, 2), min_size=2, max_size=6), st.integers(0, 1000))
def test_sums_over_pairs_of_pairs(labels: list[int], seed: int) -> None:
    table = some_kernel(seed)
    counts = [[labels.count(c) for c in range(3)]]
    once, same, sharing, apart = (float(one[0]) for one in _pair_sums(table, counts_of(counts, [1])))
    places = range(len(labels))

    def h(i: int, j: int) -> float:
        return float(table[labels[i], labels[j]])

    expected = [
        sum(h(i, j) for i, j in itertools.permutations(places, 2)),
        sum(h(i, j) ** 2 for i, j in itertools.permutations(places, 2)),
        sum(h(i, j) * h(i, k) for i, j, k in itertools.permutations(places, 3)),
        sum(h(i, j) * h(k, m) for i, j, k, m in itertools.permutations(places, 4)),
    ]
    np.testing.assert_allclose([once, same, sharing, apart], expected, atol=1e-9)


def test_more_annotations_never_tell_less() -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        counts = np.unique(rng.multinomial(4, rng.dirichlet([1, 1, 1]), size=12), axis=0)
        items = counts_of(counts, rng.integers(1, 40, size=len(counts)))
        pairs = PairTable.observed(items)
        table = centred(some_kernel(seed), pairs.chances)
        found = observed_spread(table, items, assumed_spread(table, pairs))
        assert found.same >= found.sharing >= found.apart >= 0
        variances = [found.variance(k) for k in range(2, 12)]
        assert all(later <= earlier + 1e-12 for earlier, later in itertools.pairwise(variances))


def test_pairs_are_counted_item_by_item() -> None:
    items = counts_of([[2, 0, 0], [1, 1, 1]], [3, 1])
    np.testing.assert_allclose(PairTable.observed(items).chances * 4 * 6, [[18, 1, 1], [1, 0, 1], [1, 1, 0]])


COUNTED = [one for one in assent.all_measures().values() if one.profiles is Counts and one.n_annotators is None]
SCALED = [(one, scale) for one in COUNTED for scale in one.scales]


@pytest.mark.parametrize(("measure", "scale"), SCALED, ids=[f"{one.name} {scale}" for one, scale in SCALED])
def test_the_influence_of_an_item_is_the_mean_over_its_pairs(measure: assent.Measure, scale: str) -> None:
    """What planning rests on holds for every registered measure that looks at counts, on every scale."""
    rng = np.random.default_rng(5)
    counts = np.unique(rng.multinomial(5, [0.4, 0.3, 0.2, 0.1], size=30), axis=0)
    # So many items that corrections for few of them vanish.
    items = rng.integers(1, 20, size=len(counts)) * 10**7
    labels = ("1", "2", "4", "7")
    given = int((items * 5).sum())
    data = assent.Annotations(labels=labels, annotators=None, n_annotations=given, _source=CountSource(counts, items))
    agreement = measure(data, scale=scale)
    pairs = PairTable.observed(agreement.profiles)
    table = kernel(measure(pairs.annotations(data), scale=scale))
    values, times = agreement.sample.influences
    means = [
        slow.mean_over_pairs(table, np.repeat(np.arange(4), row).tolist())
        for row in np.asarray(agreement.profiles.counts)
    ]
    np.testing.assert_allclose(means, values * times.sum(), atol=1e-6)


def test_a_spread_can_be_made_to_fit_what_was_measured() -> None:
    spread = Spread(same=0.2, sharing=0.1, apart=0.05, known=4).calibrated(0.5, 3)
    assert spread.variance(3) == pytest.approx(0.5)
    assert spread.variance(2) / spread.variance(3) == pytest.approx(0.2 / ((2 * 0.2 + 4 * 0.1) / 6))


def test_items_of_a_cluster_vary_together_whatever_their_annotations() -> None:
    """All that can happen to clusters of two items of the same latent class."""
    pairs = slow.pair_table(3, MIXTURE)
    table = centred(some_kernel(4), pairs)
    counts, chances = slow.profiles(3, slow.mixture([1.0], GIVEN[:1]), 4)
    given = np.array([[slow.mixture([1.0], [p])(np.repeat([0, 1, 2], row)) for row in counts] for p in GIVEN])
    ways = chances / given[0]
    given = given * ways
    first, second = np.divmod(np.arange(len(counts) ** 2), len(counts))
    joint = (CLASSES[:, None] * given[:, first] * given[:, second]).sum(axis=0)
    often = np.rint(200_000 * joint).astype(int)
    units = np.zeros((often.sum(), len(counts)))
    rows = np.arange(often.sum())
    np.add.at(units, (rows, np.repeat(first, often)), 1)
    np.add.at(units, (rows, np.repeat(second, often)), 1)
    items = Counts(counts=counts, multiplicities=units.sum(axis=0).astype(int), labels=("1", "2", "3"), units=units)
    found = observed_spread(table, items, assumed_spread(table, PairTable(pairs)))
    assert found.items_per_unit == 2
    for k in (2, 3):
        within = sum(c * slow.variance(table, slow.mixture([1.0], [p]), k) for c, p in zip(CLASSES, GIVEN, strict=True))
        means = np.array([float(p @ table @ p) for p in GIVEN])
        between = float(CLASSES @ means**2) - float(CLASSES @ means) ** 2
        # The mean of two items of one class.
        assert found.variance(k) == pytest.approx(between + within / 2, rel=0.01)
