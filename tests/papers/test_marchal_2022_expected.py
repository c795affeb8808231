"""Marchal, Scholman, Yung & Demberg (2022), Establishing annotation quality in multi-label annotations: expected agreement.

The paper finds chance agreement by simulation and prints two digits; here it is exact. What it prints for the whole of
Section 5 is the mean over data sets of 100 items, whose label distributions are estimated from these items.
"""

from __future__ import annotations

import numpy as np
import pytest

from assent.profiles import Array
from assent.set_chance import expected_match, expected_overlap, overlap, simulate

SINGLE, DOUBLE = np.array([0.0, 1.0]), np.array([0.0, 0.0, 1.0])
#: Half a unit of the second digit.
PRINTED = 0.005


def alike(labels: int) -> Array:
    return np.full(labels, 1 / labels)


def match(labels: int, sizes: Array) -> float:
    return float(expected_match(alike(labels), alike(labels), sizes, sizes))


@pytest.mark.parametrize(("labels", "sizes", "printed"), [(5, SINGLE, 0.20), (5, DOUBLE, 0.70), (10, DOUBLE, 0.38)])
def test_expected_match_of_section_5(labels: int, sizes: Array, printed: float) -> None:
    assert match(labels, sizes) == pytest.approx(printed, abs=PRINTED)


def test_expected_match_of_pairs_counts_pairs() -> None:
    """Two pairs miss each other as often as the second is one of the pairs of what the first left."""
    assert match(5, DOUBLE) == pytest.approx(1 - 3 / 10, abs=1e-15)
    assert match(10, DOUBLE) == pytest.approx(1 - 28 / 45, abs=1e-15)


@pytest.mark.parametrize(("labels", "printed"), [(5, 0.17), (10, 0.60)])
def test_adjusted_agreement_of_double_labels(labels: int, printed: float) -> None:
    """Section 5.1: 75 % intersection agreement when every item has two labels."""
    chance = match(labels, DOUBLE)
    assert (0.75 - chance) / (1 - chance) == pytest.approx(printed, abs=PRINTED)


@pytest.mark.parametrize(("agreement", "printed"), [(0.60, 0.50), (0.75, 0.69), (0.90, 0.87)])
def test_adjusted_agreement_without_double_labels(agreement: float, printed: float) -> None:
    """Section 5: data sets of 100 items and five labels, as the paper draws them."""
    chance = estimated(labels=5, agreement=agreement)
    assert np.mean((agreement - chance) / (1 - chance)) == pytest.approx(printed, abs=PRINTED)


def test_ten_labels_that_are_alike() -> None:
    """Section 5.1 prints 0.11, not 0.10: items they agree on pull the annotators' estimated distributions together."""
    levels = np.array([0.60, 0.75, 0.90])
    chance = np.array([estimated(labels=10, agreement=agreement) for agreement in levels])
    error = chance.std(axis=1) / np.sqrt(chance.shape[1])
    assert (np.abs(chance.mean(axis=1) - (0.1 + (levels - 0.1) / 100)) < 4 * error).all()
    assert chance.mean() == pytest.approx(0.11, abs=PRINTED)


def estimated(*, labels: int, agreement: float, data_sets: int = 2000) -> Array:
    """Expected match in data sets of 100 items with one label each: (data sets,)."""
    rng = np.random.default_rng(2022)
    first = rng.integers(labels, size=(data_sets, 100))
    other = (first + rng.integers(1, labels, size=first.shape)) % labels
    second = np.where(np.arange(100) < 100 * agreement, first, other)
    p, q = ((given[:, :, None] == np.arange(labels)).mean(axis=1) for given in (first, second))
    return expected_match(p, q, SINGLE, SINGLE)


def test_expected_agreement_rises_with_double_labels() -> None:
    """Figure 1: match and F1 by chance, for none, a quarter, half, three quarters and all of the items."""
    shares = [np.array([0, 1 - double, double]) for double in (0, 0.25, 0.5, 0.75, 1)]
    matches = [expected_match(alike(5), alike(5), sizes, sizes) for sizes in shares]
    f1 = [expected_overlap(alike(5), alike(5), sizes, sizes).f1 for sizes in shares]
    assert (np.diff(matches) > 0).all()
    assert (np.diff(f1) > 0).all()
    assert (f1[0], f1[-1]) == pytest.approx((0.2, 0.4), abs=1e-15)


def test_table_1() -> None:
    """Precision and recall stand in the table as if the first coder were the reference.

    The text calls the common share of the first coder's labels precision, and so does Table 2, where the coder with
    fewer double labels has the higher precision. We follow these.
    """
    common, first, second = np.array([[1, 1, 2], [1, 2, 2], [2, 2, 2]])
    scores = overlap(common, first, second)
    assert scores.precision == pytest.approx(np.array([1, 0.5, 1]))
    assert scores.recall == pytest.approx(np.array([0.5, 0.5, 1]))
    assert scores.f1 == pytest.approx(np.array([0.67, 0.5, 1]), abs=PRINTED)


def test_case_study_has_more_precision_than_recall() -> None:
    """Section 6: 11.4 % of the first and 65.5 % of the second coder's items have two labels, out of 19.

    The label distributions are not printed. Whatever they are, a simulation of 884 items must give the exact values.
    """
    rng = np.random.default_rng(884)
    p, q = rng.dirichlet(np.full(19, 0.5), 2)
    sizes_p, sizes_q = np.array([0, 0.886, 0.114]), np.array([0, 0.345, 0.655])
    exact = [expected_match(p, q, sizes_p, sizes_q), *expected_overlap(p, q, sizes_p, sizes_q)]
    means, errors = simulate(p, q, sizes_p, sizes_q, items=884, simulations=100, rng=rng)
    assert (np.abs(np.array(means) - exact) <= 4 * np.array(errors)).all()
    assert exact[1] > exact[3] > exact[2]
