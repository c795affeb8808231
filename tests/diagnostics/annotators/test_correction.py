"""Corrections for many tests against other implementations of them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import false_discovery_control

from assent.analyses.annotators.correction import benjamini_hochberg, holm_by_group
from assent.analyses.findings.finding import holm


@pytest.mark.parametrize("number", [1, 2, 7, 100])
def test_false_discoveries_are_controlled_as_scipy_does(number: int) -> None:
    p_values = np.random.default_rng(number).random(number) ** 3
    assert benjamini_hochberg(p_values) == pytest.approx(false_discovery_control(p_values))


def test_a_test_that_was_not_made_counts_for_nothing() -> None:
    p_values = np.array([0.01, np.nan, 0.2, np.nan])
    assert benjamini_hochberg(p_values)[[0, 2]] == pytest.approx(false_discovery_control([0.01, 0.2]))
    assert np.isnan(benjamini_hochberg(np.full(3, np.nan))).all()
    assert len(benjamini_hochberg(np.zeros(0))) == 0


def test_groups_are_corrected_each_by_itself() -> None:
    rng = np.random.default_rng(1)
    group = rng.integers(0, 20, 200)
    p_values = np.where(rng.random(200) < 0.3, 1e-12 * rng.random(200), rng.random(200))
    found = holm_by_group(p_values, group)
    for one in range(20):
        assert found[group == one] == pytest.approx(holm(p_values[group == one].tolist()), rel=1e-15)
    assert len(holm_by_group(np.zeros(0), np.zeros(0, dtype=int))) == 0
