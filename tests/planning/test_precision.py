"""How sure a value gets: half-widths, units needed, power, and how well these are known themselves."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from scipy.stats import t as student
from tests.support import label_measures

import assent
from assent.analyses.plan.precision import Precision, precision_of
from assent.profiles import Multiplicities

ROWS = [
    ["1", "1", "2"],
    ["2", "2", "2"],
    ["1", "1", "1"],
    ["3", "2", "3"],
    ["1", "1", "1"],
    ["3", "3", "3"],
    ["2", "1", "2"],
]
BETTER = [["1", "1", "1"], ["2", "2", "2"], ["3", "3", "3"], ["1", "2", "1"]]
TABLE = ROWS * 6 + BETTER * 5
DOCUMENTS = [i // 3 for i in range(len(TABLE))]


def clustered() -> assent.Annotations:
    import polars as pl

    rows = [
        (i, f"r{j}", label, d)
        for i, (row, d) in enumerate(zip(TABLE, DOCUMENTS, strict=True))
        for j, label in enumerate(row)
    ]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label", "document"], orient="row")
    return assent.Annotations.from_frame(frame, cluster="document")


def log_error(sample: Any, units: Any, times: Any) -> float:
    """Logarithm of the standard error when kinds of units count so often, from differences, one profile at a time."""
    weights, step = times @ units, 1e-5

    def value(at: Any) -> float:
        return float(sample.statistic(Multiplicities(at)))

    moves = np.eye(len(weights)) * step
    influences = np.array([(value(weights + move) - value(weights - move)) / (2 * step) for move in moves])
    return math.log(times.sum() * (times @ (units @ influences) ** 2)) / 2


@pytest.mark.parametrize("clusters", [False, True])
@pytest.mark.parametrize("name", ["percent-agreement", "krippendorff-alpha", "gwet-ac", "conger-kappa"])
def test_how_much_the_error_varies_is_found_by_counting_each_unit_a_little_more(name: str, clusters: bool) -> None:
    agreement = assent.all_measures()[name](clustered() if clusters else TABLE)
    sample = agreement.sample
    values, times = sample.influences
    units = sample.units.toarray() if clusters else np.eye(len(values))
    step = 1e-3
    change = np.array(
        [
            (log_error(sample, units, times + step * one) - log_error(sample, units, times - step * one)) / (2 * step)
            for one in np.eye(len(values))
        ]
    )
    change -= times @ change / times.sum()
    wobble = math.sqrt(times @ change**2)
    lean = (times @ (change * values)) / wobble / math.sqrt(times @ values**2)
    precision = precision_of(agreement, 0.95)
    assert precision.wobble == pytest.approx(math.sqrt(times.sum()) * wobble, rel=1e-3)
    assert precision.lean == pytest.approx(lean, abs=1e-3)


@pytest.mark.parametrize("agreeing", [55, 70, 95])
def test_two_annotations_are_a_coin(agreeing: int) -> None:
    """Percent agreement of two annotators is a share p: its variance is p (1 - p), and that of the variance is known."""
    p = agreeing / 100
    agreement = assent.percent_agreement([["a", "a"]] * agreeing + [["a", "b"]] * (100 - agreeing))
    precision = precision_of(agreement, 0.95)
    assert precision.variance == pytest.approx(p * (1 - p) * 100 / 99)
    assert precision.wobble == pytest.approx(abs(1 - 2 * p) / (2 * math.sqrt(p * (1 - p))), rel=1e-6)
    # The more coins fall the same way, the less they vary.
    assert precision.lean == pytest.approx(-1.0)


NUMBERS = [[int(x) for x in row] for row in TABLE]


@pytest.mark.parametrize("measure", label_measures().values(), ids=lambda one: one.name)
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_the_half_width_now_is_that_of_the_interval(measure: assent.Measure, level: float) -> None:
    table = [row[: measure.n_annotators] for row in NUMBERS]
    try:
        agreement = measure(table)
    except assent.InputError as error:
        pytest.skip(str(error))
    interval = agreement.confidence_interval(level)
    precision = precision_of(agreement, level)
    units = agreement.sample.degrees + 1
    assert precision.half_width(units, level) == pytest.approx((interval.high - interval.low) / 2)
    assert precision.standard_error(units) == pytest.approx(interval.standard_error)


def test_the_units_are_the_fewest_that_are_enough() -> None:
    precision = Precision(value=0.6, variance=0.4, wobble=0.5, lean=-0.3)
    for half_width in (0.5, 0.2, 0.05, 0.011, 0.0004):
        units = precision.units_for(half_width, 0.95)
        assert precision.half_width(units, 0.95) <= half_width < precision.half_width(units - 1, 0.95)
        by_hand = student.ppf(0.975, units - 1) * math.sqrt(0.4 / units)
        assert precision.half_width(units, 0.95) == pytest.approx(by_hand)
    for power in (0.5, 0.8, 0.99):
        units = precision.units_for_power(power, 0.5, 0.95)
        assert units is not None
        assert precision.power(units, 0.5, 0.95) >= power > precision.power(units - 1, 0.5, 0.95)


def test_power_with_a_known_error_is_the_textbook_one() -> None:
    precision = Precision(value=0.7, variance=0.25, wobble=0.0, lean=0.0)
    units = precision.units_for_power(0.8, 0.65, 0.95)
    normal = NormalDist()
    assert units == pytest.approx((normal.inv_cdf(0.975) + normal.inv_cdf(0.8)) ** 2 * 0.25 / 0.05**2, rel=0.005)
    assert precision.units_for_power(0.8, 0.7, 0.95) is None
    assert precision.units_for_power(0.8, 0.75, 0.95) is None


def test_power_is_the_share_of_samples_whose_lower_end_is_above_the_target() -> None:
    """Where value and error go together, the two of them are drawn together."""
    precision = Precision(value=0.9, variance=0.09, wobble=0.8, lean=-0.7)
    units, rng = 120, np.random.default_rng(3)
    first, second = rng.standard_normal((2, 200_000))
    value = 0.9 + math.sqrt(0.09 / units) * first
    error = math.sqrt(0.09 / units) * (1 + 0.8 / math.sqrt(units) * (-0.7 * first + math.sqrt(1 - 0.49) * second))
    low = value - student.ppf(0.975, units - 1) * error
    assert precision.power(units, 0.82, 0.95) == pytest.approx(np.mean(low > 0.82), abs=0.004)


def test_four_times_the_data_halve_the_interval_and_the_doubt() -> None:
    once, often = (precision_of(assent.krippendorff_alpha(TABLE * times), 0.95) for times in (25, 100))
    assert often.variance == pytest.approx(once.variance, rel=1e-3)
    assert once.half_width(400, 0.95) / often.half_width(1600, 0.95) == pytest.approx(2, rel=0.01)
    assert math.log(once.uncertainty(400, 0.95)) / math.log(often.uncertainty(1600, 0.95)) == pytest.approx(2, rel=0.01)


def test_doubt_does_not_vanish_where_the_variance_is_at_its_largest() -> None:
    half = precision_of(assent.percent_agreement([["a", "a"], ["a", "b"]] * 2), 0.95)
    assert half.wobble == pytest.approx(0.0, abs=1e-6)
    assert half.uncertainty(4, 0.95) > 2


def test_a_value_that_does_not_vary_plans_nothing() -> None:
    for table, reason in (
        ([["a", "a"], ["b", "b"]], "1.00 on every unit"),
        ([["a", "a"], ["a", "a"]], "undefined for these labels"),
        ([["a", "b"]], "one unit"),
    ):
        with pytest.raises(assent.InputError, match=reason):
            precision_of(assent.krippendorff_alpha(table), 0.95)


def test_an_interval_by_tilted_weights_nears_that_of_t_with_more_units() -> None:
    agreement = assent.icc(NUMBERS)
    precision = precision_of(agreement, 0.95)
    units, interval = agreement.sample.degrees + 1, agreement.confidence_interval()
    assert precision.stretch != 1.0
    assert precision.reach_below(units, 0.95) == pytest.approx(agreement.value - interval.low)
    for times in (1, 4, 100):
        plain = replace(precision, stretch=1.0, below=1.0)
        ratio = precision.half_width(times * units, 0.95) / plain.half_width(times * units, 0.95)
        assert ratio - 1 == pytest.approx((precision.stretch - 1) / times)
        below = precision.reach_below(times * units, 0.95) / plain.reach_below(times * units, 0.95)
        assert below - 1 == pytest.approx((precision.below - 1) / times**0.5)
