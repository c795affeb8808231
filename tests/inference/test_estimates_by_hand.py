"""Standard errors, widths and notes of estimates whose sample is made up, worked out by hand."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats

import assent
from assent import Annotations
from assent.errors import OptionError
from assent.measures.results import Estimate, Share, _counted
from assent.profiles import Ratings


def estimate(
    value: float = 0.5, degrees: int = 9, units: Any = None, made: type[Estimate] = Estimate, **more: Any
) -> Any:
    sample: Any = SimpleNamespace(degrees=degrees, units=units)
    return made(value=value, sample=sample, **more)


def test_an_estimate_is_compared_as_its_value() -> None:
    one, other = estimate(0.5), estimate(0.75)
    assert one == 0.5
    assert one != 0.4
    assert one != other
    assert one == one
    assert one < other
    assert one <= 0.5 <= one
    assert not one < 0.5
    assert not one > 0.5
    assert one >= np.float64(0.5)
    assert other > one
    assert not one >= other
    assert (f"{one:.2f}", float(one)) == ("0.50", 0.5)
    with pytest.raises(TypeError):
        assert one < "x"


def drawn(values: list[float], **more: Any) -> Any:
    made = estimate(**more)
    made._drawn[len(values), 0] = np.array(values)
    return made


def test_the_standard_error_of_a_bootstrap_is_that_of_its_defined_samples() -> None:
    values = [0.25, 0.5, math.nan, 1.0]
    known = float(np.std([0.25, 0.5, 1.0], ddof=1))
    assert drawn(values).standard_error("bootstrap", replicates=4) == pytest.approx(known)
    assert drawn(values, drawing_error=0.3).standard_error("bootstrap", replicates=4) == pytest.approx(
        math.sqrt(known**2 + 0.3**2)
    )
    assert math.isnan(drawn([0.25, math.nan]).standard_error("bootstrap", replicates=2))
    assert drawn([0.25, 0.75]).standard_error("bootstrap", replicates=2) == pytest.approx(math.sqrt(0.125))
    assert math.isnan(drawn(values, value=math.nan).standard_error("bootstrap", replicates=4))
    assert math.isnan(drawn(values, degrees=0).standard_error("bootstrap", replicates=4))


def test_one_defined_sample_leaves_no_interval() -> None:
    found = drawn([0.25, math.nan, math.nan]).confidence_interval(method="bootstrap", kind="percentile", replicates=3)
    assert math.isnan(found.low)
    assert (
        "The value is undefined in 2 of 3 bootstrap samples (all one label); the interval rests on the others."
        in found.notes
    )
    assert "No interval: 1 defined bootstrap sample(s) are too few to see a spread." in found.notes
    found = drawn([0.25, 0.75]).confidence_interval(0.5, method="bootstrap", kind="percentile", replicates=2)
    assert (found.low, found.high) == pytest.approx((0.375, 0.625))
    assert found.notes == ()
    assert (found.replicates, found.seed, found.kind, found.n_units, found.method) == (
        2,
        0,
        "percentile",
        10,
        "bootstrap",
    )


@pytest.mark.parametrize(
    ("options", "why"), [({"replicates": 0}, "needs at least 1"), ({"seed": -1}, "not be negative")]
)
def test_a_bootstrap_needs_samples_and_a_seed(options: dict[str, int], why: str) -> None:
    with pytest.raises(OptionError, match=why):
        estimate().bootstrap(**options)


def test_samples_are_drawn_once() -> None:
    found = assent.krippendorff_alpha([["a", "a"], ["b", "a"], ["b", "b"], ["a", "b"]])
    once = found.bootstrap(replicates=1, seed=0)
    assert once.shape == (1,)
    assert found.bootstrap(replicates=1, seed=0) is once
    assert found.bootstrap(replicates=1, seed=1) is not once


def test_numbers_that_were_drawn_make_an_interval_wider() -> None:
    """The distance of each end and that of the drawing, t times its error, are the sides of a right angle."""
    own = stats.t.ppf(0.95, 9) * 0.1
    low, high = estimate(drawing_error=0.1)._widened(0.2, 0.6, 0.9)
    assert (low, high) == pytest.approx((0.5 - math.hypot(0.3, own), 0.5 + math.hypot(0.1, own)))
    assert estimate()._widened(0.2, 0.6, 0.9) == (0.2, 0.6)


@pytest.mark.parametrize(
    ("degrees", "least", "said"),
    [
        (0, 2, "No interval: one unit (items) is not enough to see how much agreement varies."),
        (1, 2, ""),
        (1, 3, "No interval: 2 units (items) are not enough to see how much agreement varies."),
        (2, 3, ""),
    ],
)
def test_too_few_units_have_no_interval(degrees: int, least: int, said: str) -> None:
    assert estimate(degrees=degrees, least_units=least)._few_units == said


@pytest.mark.parametrize(("degrees", "said"), [(18, 19), (19, 0)])
def test_few_clusters_are_said_to_be_few(degrees: int, said: int) -> None:
    notes = estimate(degrees=degrees, units=object(), unit="document")._too_few()
    known = f"The interval rests on {said} clusters (document): with fewer than 20 it is too narrow more often than it should be."
    assert notes == ([known] if said else [])
    assert estimate(degrees=degrees)._too_few() == []


def test_values_that_there_are() -> None:
    assert estimate().span == (-math.inf, math.inf)
    assert estimate(made=Share).span == (0.0, 1.0)


def two_labels(others: int) -> Annotations:
    rows = [["a", "b"]] * others + [["a", "a"]] * 20
    return Annotations.from_triples([(f"j{k}", str(i), one) for i, row in enumerate(rows) for k, one in enumerate(row)])


@pytest.mark.parametrize(("others", "said"), [(1, "1 item carries another"), (4, "4 items carry another"), (5, "")])
def test_few_items_beside_the_most_frequent_label_are_said_to_be_few(others: int, said: str) -> None:
    notes = " ".join(assent.krippendorff_alpha(two_labels(others)).confidence_interval().notes)
    assert (said in notes) if said else "another label than the most frequent" not in notes


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_disagreement_that_was_missed_by_luck(level: float) -> None:
    """Ten items on which two agree: as many show no disagreement with probability (1 - level) / 2 if p**10 is that."""
    rows = [["a", "a"]] * 4 + [["b", "b"]] * 6
    data = Annotations.from_triples([(f"j{k}", str(i), one) for i, row in enumerate(rows) for k, one in enumerate(row)])
    share = ((1 - level) / 2) ** (1 / 10)
    for measure, expected in ((assent.cohen_kappa, 0.52), (assent.percent_agreement, 0.0)):
        found = measure(data).confidence_interval(level, method="analytic")
        assert (found.low, found.high, found.exact) == (pytest.approx((share - expected) / (1 - expected)), 1.0, True)
        assert any("as 10 items can miss by luck" in note for note in found.notes)


def test_a_correlation_that_was_missed_by_luck_would_be_the_opposite_order() -> None:
    found = assent.mean_spearman(
        assent.Rankings.from_rows(
            [(topic, who, str(at), at) for topic in "abcdefgh" for who in "pq" for at in range(4)]
        )
    ).confidence_interval(0.9, method="analytic")
    share = 0.05 ** (1 / 8)
    assert (found.low, found.high) == pytest.approx((share - (1 - share), 1.0))


def test_labels_that_were_dealt_are_counted_for_items_with_enough_of_them() -> None:
    rows = [["a", "a", "b"], ["a", None, "b"], ["b", None, None]]
    found = [(f"j{k}", str(i), one) for i, row in enumerate(rows) for k, one in enumerate(row) if one is not None]
    dealt = Annotations.from_triples(found)._ratings
    assert isinstance(dealt, Ratings)
    for least, sizes in ((1, [1, 2, 3]), (2, [2, 3]), (3, [3])):
        assert sorted(_counted(least)(dealt).sizes.tolist()) == sizes


@pytest.mark.parametrize(("others", "off"), [(1, True), (9, False)])
def test_a_symmetric_interval_of_a_skewed_value_is_said_to_be_off(others: int, off: bool) -> None:
    """Of n items p disagree: the skewness of their share is (1 - 2p) / sqrt(n * p * (1 - p)), 0.93 of 1 in 21 and 0.15 of 9 in 29."""
    share, items = others / (others + 20), others + 20
    assert ((1 - 2 * share) / math.sqrt(items * share * (1 - share)) > 0.2) == off
    notes = assent.percent_agreement(two_labels(others)).confidence_interval(method="analytic").notes
    known = "A few items decide much of this value, so a symmetric interval is off: use tilted weights (`ci` etel)."
    assert (known in notes) == off
