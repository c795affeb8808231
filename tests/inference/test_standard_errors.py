"""Standard errors of statistics whose standard error is known, over items and over clusters."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import polars as pl
import pytest
from scipy.sparse import csr_array
from tests.support import label_measures

import assent
from assent import Annotations
from assent.inference import linear
from assent.inference.bootstrap import bootstrap_replicates
from assent.inference.linear import analytic_standard_error, jackknife_standard_error, skewness
from assent.inference.sample import Sample
from assent.measures import numbers
from assent.profiles import Weighting

X = np.array([0.0, 1.0, 2.5, 4.0, 9.0])
WEIGHTS = np.array([3, 1, 2, 5, 1])
ITEMS = np.repeat(X, WEIGHTS)
#: Five clusters of these items: (clusters, profiles).
CLUSTERS = np.array([[1, 0, 1, 2, 0], [0, 1, 0, 0, 1], [2, 0, 0, 0, 0], [0, 0, 1, 1, 0], [0, 0, 0, 2, 0]])


def mean(weighting: Weighting) -> Any:
    return weighting.total(X) / weighting.total(np.ones(len(X)))


def variance(weighting: Weighting) -> Any:
    return weighting.total(X**2) / weighting.total(np.ones(len(X))) - mean(weighting) ** 2


def by_hand(statistic: Any, unit_rows: Any) -> float:
    """The jackknife: leave out one unit after the other, each a row of weights."""
    from assent.profiles import Multiplicities

    values = [float(statistic(Multiplicities(unit_rows.sum(0) - row))) for row in unit_rows]
    n = len(values)
    return math.sqrt((n - 1) / n * sum((value - sum(values) / n) ** 2 for value in values))


def value(sample: Sample) -> float:
    """The statistic of the data as they are."""
    from assent.profiles import Multiplicities

    return float(sample.statistic(Multiplicities(sample.multiplicities)))


def test_the_standard_error_of_a_mean_is_that_of_a_mean() -> None:
    sample = Sample(mean, WEIGHTS)
    classical = ITEMS.std(ddof=1) / math.sqrt(len(ITEMS))
    assert analytic_standard_error(sample) == pytest.approx(classical, rel=1e-14)
    assert value(sample) == ITEMS.mean()
    values, weights = sample.influences
    assert weights @ values == pytest.approx(0.0, abs=1e-14)
    assert (sample.unit_count, sample.degrees) == (12, 11)


def test_the_jackknife_of_a_mean_is_its_analytic_standard_error() -> None:
    sample = Sample(mean, WEIGHTS)
    assert jackknife_standard_error(sample) == pytest.approx(analytic_standard_error(sample), rel=1e-14)


@pytest.mark.parametrize("statistic", [mean, variance], ids=lambda one: one.__name__)
def test_the_jackknife_leaves_out_each_item_once(statistic: Any) -> None:
    each = np.repeat(np.eye(len(X)), WEIGHTS, axis=0)
    assert jackknife_standard_error(Sample(statistic, WEIGHTS)) == pytest.approx(by_hand(statistic, each), rel=1e-13)


@pytest.mark.parametrize("statistic", [mean, variance], ids=lambda one: one.__name__)
@pytest.mark.parametrize("units", [CLUSTERS, csr_array(CLUSTERS)], ids=["dense", "sparse"])
def test_the_jackknife_over_clusters_leaves_out_each_cluster_once(statistic: Any, units: Any) -> None:
    sample = Sample(statistic, WEIGHTS, units)
    assert jackknife_standard_error(sample) == pytest.approx(by_hand(statistic, CLUSTERS), rel=1e-13)


def test_the_bootstrap_of_a_mean_has_its_standard_error_without_the_small_sample_factor() -> None:
    drawn = bootstrap_replicates(Sample(mean, WEIGHTS), replicates=20_000, seed=4)
    # The standard deviation of 20,000 draws has a relative standard error of 0.5 %; four of them.
    assert drawn.std() == pytest.approx(ITEMS.std() / math.sqrt(len(ITEMS)), rel=0.02)
    assert drawn.mean() == pytest.approx(ITEMS.mean(), abs=4 * drawn.std() / math.sqrt(20_000))


def test_clusters_are_units_a_cluster_counts_as_one() -> None:
    """The same as a sample in which every cluster is one item that brings the totals of the cluster."""
    sums, sizes = CLUSTERS @ X, CLUSTERS.sum(1).astype(float)
    clustered = Sample(mean, WEIGHTS, CLUSTERS)
    collapsed = Sample(lambda weighting: weighting.total(sums) / weighting.total(sizes), np.ones(5, dtype=int))
    assert value(clustered) == pytest.approx(value(collapsed), rel=1e-15)
    assert clustered.degrees == collapsed.degrees == 4
    for error in (analytic_standard_error, jackknife_standard_error):
        assert error(clustered) == pytest.approx(error(collapsed), rel=1e-13)
    spread = [bootstrap_replicates(one, replicates=20_000, seed=1).std() for one in (clustered, collapsed)]
    assert spread[0] == pytest.approx(spread[1], rel=0.03)  # two standard deviations of 0.5 % each


def test_the_analytic_standard_error_over_clusters_by_hand() -> None:
    """G / (G - 1) * sum over clusters of (sum - mean * size)^2, over the square of the number of items."""
    gaps = CLUSTERS @ X - ITEMS.mean() * CLUSTERS.sum(1)
    expected = math.sqrt(5 / 4 * (gaps**2).sum()) / len(ITEMS)
    assert analytic_standard_error(Sample(mean, WEIGHTS, CLUSTERS)) == pytest.approx(expected, rel=1e-14)


def test_clusters_of_one_item_are_items() -> None:
    each = np.repeat(np.eye(len(X), dtype=int), WEIGHTS, axis=0)
    for error in (analytic_standard_error, jackknife_standard_error):
        assert error(Sample(variance, WEIGHTS, each)) == pytest.approx(error(Sample(variance, WEIGHTS)), rel=1e-13)


@pytest.mark.parametrize("held", [1, 6, 11])
def test_blocks_change_nothing(held: int, monkeypatch: pytest.MonkeyPatch) -> None:
    samples = [Sample(variance, WEIGHTS), Sample(variance, WEIGHTS, CLUSTERS)]
    whole = [jackknife_standard_error(sample) for sample in samples]
    monkeypatch.setattr(linear, "CHUNK", held)
    assert [jackknife_standard_error(sample) for sample in samples] == pytest.approx(whole, rel=1e-14)


def test_one_unit_has_no_standard_error() -> None:
    for sample in (
        Sample(mean, np.array([1, 0, 0, 0, 0])),
        Sample(mean, WEIGHTS, WEIGHTS[None]),
        Sample(mean, WEIGHTS, informative=np.array([0.0, 1.0, 0.0, 0.0, 0.0])),
    ):
        assert sample.degrees == 0
        assert math.isnan(analytic_standard_error(sample))
        assert math.isnan(jackknife_standard_error(sample))


def test_degrees_of_freedom_count_units_that_show_agreement_or_disagreement() -> None:
    """The fourth profile occurs five times, and in three of the clusters."""
    shows = np.array([0.0, 0.0, 0.0, 1.0, 0.0])
    assert Sample(mean, WEIGHTS, informative=shows).degrees == 5 - 1
    assert Sample(mean, WEIGHTS, CLUSTERS, informative=shows).degrees == 3 - 1
    assert Sample(mean, WEIGHTS, csr_array(CLUSTERS), informative=shows).degrees == 3 - 1


def test_the_jackknife_is_undefined_if_the_value_without_some_unit_is() -> None:
    undefined_without_nine = Sample(lambda w: np.where(w.total((X == 9.0) * 1.0) == 0, np.nan, mean(w)), WEIGHTS)
    assert math.isnan(jackknife_standard_error(undefined_without_nine))


def docs(rows: list[tuple[str, ...]], documents: str) -> Annotations:
    """Items in clusters, named by one letter each."""
    cells = [
        (f"item {i}", f"who {a}", label, documents[i]) for i, row in enumerate(rows) for a, label in enumerate(row)
    ]
    frame = pl.DataFrame(cells, schema=["item", "annotator", "label", "doc"], orient="row")
    return Annotations.from_frame(frame, cluster="doc")


PAIRS = [tuple(pair) for pair in ("aa", "bb", "ab", "aa", "bb", "ba", "aa", "ab", "bb", "aa")]


def test_percent_agreement_over_clusters_is_the_ratio_estimator() -> None:
    agreement = assent.percent_agreement(docs(PAIRS, "AAABBCCCCD"))
    agree = np.array([one == two for one, two in PAIRS], dtype=float)
    gaps = [sum(agree[i] - agree.mean() for i, doc in enumerate("AAABBCCCCD") if doc == name) for name in "ABCD"]
    assert agreement.unit == "doc"
    assert agreement.standard_error() == pytest.approx(math.sqrt(4 / 3 * np.square(gaps).sum()) / 10, rel=1e-13)
    assert agreement.confidence_interval().unit == "doc"


@pytest.mark.parametrize("name", label_measures())
def test_an_item_and_its_copies_in_one_cluster_tell_no_more_than_the_item(name: str) -> None:
    """Spans of one document are not independent: three copies of everything, clustered, leave the spread as it was."""
    numbers = {"a": "1", "b": "2"}
    rows = [tuple(numbers[label] for label in pair) for pair in PAIRS]
    once, copied = (docs(rows * times, "ABCDEFGHIJ" * times) for times in (1, 3))
    if name in ("krippendorff-alpha", "icc", "spa-kappa", "van-oest"):
        pytest.skip("its value depends on the number of items")
    for method in ("analytic", "jackknife"):
        error = assent.all_measures()[name](copied).standard_error(method)
        assert error == pytest.approx(assent.all_measures()[name](once).standard_error(method), rel=1e-12), method


def test_one_cluster_or_one_item_has_no_interval_and_says_so() -> None:
    for data, unit in ((docs(PAIRS, "A" * 10), "doc"), (Annotations.from_array([["a", "b"]]), "items")):
        for method in ("analytic", "jackknife", "bootstrap"):
            interval = assent.percent_agreement(data).confidence_interval(method=method)
            assert math.isnan(interval.low)
            assert math.isnan(interval.high)
            assert math.isnan(interval.standard_error)
            (note,) = interval.notes
            assert note.startswith("No interval: one unit")
            assert unit in note


def test_a_jackknife_that_cannot_be_made_says_so() -> None:
    """Without the one item labelled b, alpha is undefined."""
    agreement = assent.krippendorff_alpha([["a", "a"], ["a", "a"], ["b", "b"]])
    assert agreement.value == 1
    interval = agreement.confidence_interval(method="jackknife")
    assert math.isnan(interval.low)
    assert interval.notes == ("No interval: without one of the units the value is undefined.",)


@pytest.mark.parametrize("method", ["analytic", "jackknife", "bootstrap"])
def test_where_all_agree_the_lower_end_is_what_so_many_items_can_miss(method: str) -> None:
    """If a share q of items disagreed, N items would show none with probability (1 - q)**N: 2.5 % at the lower end."""
    interval = assent.percent_agreement([["a", "a"], ["b", "b"]] * 10).confidence_interval(method=method)
    assert interval.low**20 == pytest.approx(0.025)
    assert interval.high == 1.0
    assert "exact binomial bound" in interval.notes[-1]
    kappa = assent.cohen_kappa([["a", "a"], ["b", "b"]] * 10).confidence_interval(method=method)
    assert kappa.low == pytest.approx((interval.low - 0.5) / 0.5)


def test_an_interval_without_width_says_that_it_proves_nothing() -> None:
    """An annotator who always says the same has a kappa of 0, whatever items are drawn."""
    kappa = assent.cohen_kappa([["a", "a"], ["b", "a"]] * 10)
    assert kappa.standard_error() == pytest.approx(0, abs=1e-12)
    for method in ("analytic", "jackknife", "bootstrap"):
        interval = kappa.confidence_interval(method=method)
        tilted = kappa.confidence_interval(method="etel")
        assert (interval.low, interval.high, interval.method) == (tilted.low, tilted.high, "etel")
        assert interval.low < -0.1 < 0.1 < interval.high
        assert "no width" in interval.notes[0]


def test_a_difference_between_clustered_data_sets_counts_clusters() -> None:
    """All items of a document changed alike: there are as many independent differences as documents."""
    changed = [("a", "a") if i < 3 else ("a", "b") if i > 6 else pair for i, pair in enumerate(PAIRS)]
    one, two = docs(PAIRS, "AAABBCCCCD"), docs(changed, "AAABBCCCCD")
    gap = assent.difference(assent.percent_agreement(one), assent.percent_agreement(two))
    agree = [np.array([x == y for x, y in rows], dtype=float) for rows in (PAIRS, changed)]
    apart = agree[0] - agree[1]
    gaps = [sum(apart[i] - apart.mean() for i, doc in enumerate("AAABBCCCCD") if doc == name) for name in "ABCD"]
    assert gap.value == pytest.approx(apart.mean())
    assert gap.unit == "doc"
    assert gap.standard_error() == pytest.approx(math.sqrt(4 / 3 * np.square(gaps).sum()) / 10, rel=1e-12)


def test_skewness_of_small_influences() -> None:
    """Two units below the mean and one twice as far above it: a third central moment of 1 / root 6, however small they are."""
    sample = SimpleNamespace(influences=(np.array([0.0, 0.0, 0.1]), np.ones(3)), unit_count=3)
    assert skewness(cast("Sample", sample)) == pytest.approx(1 / 6**0.5)
    sample.influences = (np.zeros(3), np.ones(3))
    assert skewness(cast("Sample", sample)) == 0.0


def test_numbers_are_put_into_a_table_once_for_a_value_and_its_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    values = numbers._values
    monkeypatch.setattr(numbers, "_values", lambda items, agree: made.append(1) or values(items, agree))
    data = assent.Annotations.from_array([["9", "2", "5"], ["6", "1", "3"], ["8", "4", "6"], ["7", "1", "2"]])
    found = assent.icc(data)
    low, high = found.confidence_interval(method="analytic").low, found.confidence_interval(method="analytic").high
    assert low < found.value < high
    assert len(made) == 1
    # Other scores are another table.
    assert assent.icc(data.ordered(["1", "2", "3", "4", "5", "6", "7", "8", "9"])).value == pytest.approx(found.value)
    assert len(made) == 2


def test_two_units_have_a_jackknife() -> None:
    """Of one item that agrees and one that does not: values 0 and 1 without either."""
    assert assent.percent_agreement([["a", "a"], ["a", "b"]]).standard_error("jackknife") == pytest.approx(0.5)


@pytest.mark.parametrize("held", [1, 6, 11, 10**6])
def test_terms_that_vary_are_left_out_with_their_item(held: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The squares about the mean are those about the mean without the item."""

    def about_the_mean(weighting: Weighting) -> Any:
        squares = (X - mean(weighting)[..., None]) ** 2
        return weighting.total_varying(squares) / weighting.total(np.ones(len(X)))

    monkeypatch.setattr(linear, "CHUNK", held)
    sample = Sample(about_the_mean, WEIGHTS)
    assert jackknife_standard_error(sample) == pytest.approx(
        jackknife_standard_error(Sample(variance, WEIGHTS)), rel=1e-12
    )
