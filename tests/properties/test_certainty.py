"""How sure a number is: intervals hold the estimate, shrink with the data, and three ways to make them agree."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from tests.properties.tables import (
    FEW,
    MEASURES,
    Rows,
    annotations,
    every_measure,
    fitting,
    large,
    measured,
    near,
    tables,
)
from tests.properties.test_invariance import FINITE_SAMPLE, GAPPY
from tests.support import every

import assent
from assent import Measure

METHODS = ("analytic", "jackknife", "bootstrap")


@every_measure
@FEW
@given(rows=tables(least=2))
@example(rows=(("7.5", "7.5"), ("7.5", "7.5"), ("2", "7.5"), ("7.5", "2")))  # worse than chance
@example(rows=(("1", "1"), ("2", "2"), ("4", "4")))
def test_an_interval_holds_the_estimate(measure: Measure, rows: Rows) -> None:
    for case, agreement in measured(measure, rows):
        for method in ("analytic", "jackknife"):
            interval = agreement.confidence_interval(method=method)
            if math.isnan(interval.low):
                assert math.isnan(interval.high), (case.id, method)
                assert interval.notes, (case.id, method)
            else:
                assert interval.low <= agreement.value <= interval.high, (case.id, method)


@every_measure
@pytest.mark.parametrize("kind", ["bca", "percentile"])
@FEW
@given(rows=tables(least=2))
def test_a_bootstrap_interval_misses_the_estimate_only_if_nearly_all_samples_do(
    measure: Measure, kind: str, rows: Rows
) -> None:
    """With few items a coefficient may be biased so much that an estimate lies in the tail of its own replicates."""
    for case, agreement in measured(measure, rows):
        interval = agreement.confidence_interval(0.9, method="bootstrap", kind=kind, replicates=200)
        if math.isnan(interval.low):
            assert interval.notes, case.id
            continue
        assert interval.low <= interval.high, case.id
        drawn = agreement.bootstrap(replicates=200)
        drawn = drawn[~np.isnan(drawn)]
        below, not_above = np.mean(drawn < agreement.value - 1e-9), np.mean(drawn <= agreement.value + 1e-9)
        if below <= 0.95 and not_above >= 0.05:
            assert interval.low - 1e-9 <= agreement.value <= interval.high + 1e-9, case.id


@every_measure
@pytest.mark.parametrize("method", METHODS)
def test_with_many_items_every_interval_holds_the_estimate_and_is_narrow(measure: Measure, method: str) -> None:
    for case, agreement in measured(measure, large()):
        interval = agreement.confidence_interval(method=method, replicates=200)
        assert interval.low < agreement.value < interval.high, case.id
        assert interval.high - interval.low < 0.5, case.id


@every_measure
@pytest.mark.parametrize("rows", [GAPPY, large(items=20, seed=7)], ids=["few items", "some items"])
def test_copies_of_the_data_shrink_the_analytic_standard_error_by_the_root_of_their_number(
    measure: Measure, rows: Rows
) -> None:
    """k copies of N items: sum of squared influences / k, times kN / (kN - 1) for N / (N - 1).

    That is exact where the number of items has no say of its own; else it holds in the limit.
    """
    for case, (once, few, many) in measured(measure, rows, rows * 40, rows * 160):
        one, four = few.standard_error(), many.standard_error()
        # Beyond the root there are finite-sample terms, which k copies make k times smaller.
        assert 2 * four == pytest.approx(one, rel=1 / 40), case.id
        if measure.name not in FINITE_SAMPLE and not measure.krippendorff:
            n = once.sample.unit_count
            assert one == pytest.approx(once.standard_error() * math.sqrt((n - 1) / (40 * n - 1)), rel=1e-9), case.id


@every_measure
def test_every_interval_shrinks_with_the_number_of_items(measure: Measure) -> None:
    """A quarter of the items, twice the width; the first items of one table, so within the spread of a spread."""
    sizes = [large(items=items, gaps=0.1) for items in (60, 240)]
    for case, found in measured(measure, *sizes):
        for method in METHODS:
            few, many = (one.confidence_interval(method=method, replicates=300) for one in found)
            assert 1.3 < (few.high - few.low) / (many.high - many.low) < 3.3, (case.id, method)


@every_measure
def test_three_ways_to_a_standard_error_agree_on_a_large_table(measure: Measure) -> None:
    for case, agreement in measured(measure, large(items=800, gaps=0.2)):
        analytic = agreement.standard_error("analytic")
        assert analytic > 0, case.id
        # The jackknife differs by terms of the order 1 / n; some measures use only 200 of these items.
        assert agreement.standard_error("jackknife") == pytest.approx(analytic, rel=0.05), case.id
        # A standard deviation of 1,000 draws has a relative standard error of 1 / sqrt(2,000) = 2.2 %; five of them.
        drawn = agreement.standard_error("bootstrap", replicates=1000)
        assert drawn == pytest.approx(analytic, rel=0.11), case.id


@every_measure
def test_the_same_seed_gives_the_same_digits_and_another_seed_others(measure: Measure) -> None:
    table = large(items=40)
    for case, one in measured(measure, table):
        # Replicates are kept, so the same digits must come from an agreement that has none yet.
        again = measure(fitting(measure, table), **case.options)
        for kind in ("bca", "percentile"):
            options = {"method": "bootstrap", "kind": kind, "replicates": 100}
            first, second = one.confidence_interval(seed=1, **options), again.confidence_interval(seed=1, **options)
            other = one.confidence_interval(seed=2, **options)
            assert (first.low, first.high) == (second.low, second.high), case.id
            assert (first.low, first.high) != (other.low, other.high), case.id
            assert (first.seed, other.seed, first.replicates) == (1, 2, 100), case.id
        p_values = [agreement.permutation_test(permutations=19, seed=1) for agreement in (one, again)]
        assert p_values[0] == p_values[1], case.id


@pytest.mark.nightly
@pytest.mark.parametrize("measure", every(3, MEASURES), ids=[measure.name for measure in MEASURES])
def test_p_values_are_even_without_agreement(measure: Measure) -> None:
    """Labels that have nothing to do with items: P(p <= x) is at most x, and not much less.

    60 tables: the mean of an even p-value has the standard error 0.29 / 7.7 = 0.037, the share below 0.25 one of 0.056;
    four of them. Ties of a coarse statistic only make p-values larger.
    """
    p_values = []
    for seed in range(60):
        rows = large(items=12, annotators=3, gaps=0.1, agreeing=0, seed=seed)
        _, agreement = next(measured(measure, rows))
        p_values.append(agreement.permutation_test(permutations=19, seed=seed))
    assert min(p_values) >= 1 / 20
    assert 0.5 - 0.15 < np.mean(p_values) < 0.5 + 0.15 + 0.05
    assert 0.25 - 0.22 < np.mean(np.array(p_values) <= 0.25) < 0.25 + 0.22


@every_measure
def test_p_values_are_as_small_as_can_be_with_agreement(measure: Measure) -> None:
    for case, agreement in measured(measure, large(items=40, agreeing=0.8)):
        assert agreement.permutation_test(permutations=99) == 1 / 100, case.id


@every_measure
@FEW
@given(rows=tables(least=3))
def test_a_measure_does_not_differ_from_itself(measure: Measure, rows: Rows) -> None:
    for case, agreement in measured(measure, rows):
        gap = assent.difference(agreement, agreement)
        if math.isnan(agreement.value):
            assert math.isnan(gap.value), case.id
            continue
        assert gap.value == 0, case.id
        for method in METHODS:
            error = gap.standard_error(method, replicates=20)
            assert math.isnan(error) or error == pytest.approx(0, abs=1e-15), (case.id, method)


@every_measure
def test_a_difference_is_the_difference_and_its_sign_turns(measure: Measure) -> None:
    table = large(items=50)
    for case, agreement in measured(measure, table):
        other = assent.percent_agreement(annotations(fitting(measure, table)))
        gap, turned = assent.difference(agreement, other), assent.difference(other, agreement)
        assert gap.value == agreement.value - other.value == -turned.value, case.id
        for method in METHODS:
            errors = [one.standard_error(method, replicates=50) for one in (gap, turned)]
            assert errors[0] == near(errors[1]), (case.id, method)
        interval = gap.confidence_interval(method="analytic")
        assert interval.low < gap.value < interval.high or gap.standard_error() < 1e-12, case.id


@every_measure
def test_a_difference_of_independent_data_has_the_standard_errors_added_in_squares(measure: Measure) -> None:
    """In the limit of many items: a joint sample of both data sets may hold a few more items of one of them."""
    first, second = large(items=600, seed=1), large(items=600, seed=2, agreeing=0.8)
    for case, (one, two) in measured(measure, first, second):
        gap = assent.difference(one, two, paired=False)
        expected = math.hypot(one.standard_error(), two.standard_error())
        assert gap.standard_error() == pytest.approx(expected, rel=0.01), case.id


@every_measure
def test_a_difference_of_paired_data_knows_that_the_items_are_the_same(measure: Measure) -> None:
    """The same table twice, once with one label changed: the two differ by that item alone."""
    table = large(items=200, gaps=0)
    changed = (tuple("2" if label == "1" else "1" for label in table[0]), *table[1:])
    for case, (one, two) in measured(measure, table, changed):
        gap = assent.difference(one, two)
        assert gap.shared == 200, case.id
        assert gap.standard_error() < one.standard_error() / 3, case.id
