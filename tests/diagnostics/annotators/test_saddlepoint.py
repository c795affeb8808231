"""Tail probabilities against the distribution itself, worked out term by term."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from assent.analyses.annotators.saddlepoint import lower_tail


def of_chances(chances: Any, values: Any) -> Any:
    """P(sum of yes-or-no chances less its mean <= value), approximated."""
    chances = np.asarray(chances)
    mean = chances.sum()

    def cumulants(point: Any) -> tuple[Any, Any, Any]:
        tilted = chances * np.exp(point)[:, None]
        hit = tilted / (1 - chances + tilted)
        height = np.log(1 - chances + tilted).sum(axis=1) - point * mean
        return height, hit.sum(axis=1) - mean, (hit * (1 - hit)).sum(axis=1)

    values = np.asarray(values, dtype=float)
    return lower_tail(
        cumulants,
        values - mean,
        span=1.0,
        lowest=np.full(len(values), -mean),
        log_chance=np.full(len(values), np.log1p(-chances).sum()),
    )


def exactly(chances: Any) -> Any:
    """The cumulative distribution of the number of hits, by convolution."""
    mass = np.ones(1)
    for chance in chances:
        mass = np.convolve(mass, [1 - chance, chance])
    return np.cumsum(mass)


@pytest.mark.parametrize("number", [1, 2, 3, 5, 10, 40, 200])
def test_a_sum_of_unequal_chances_is_right_to_a_tenth_of_the_probability_far_into_the_tail(number: int) -> None:
    rng = np.random.default_rng(number)
    for _ in range(10):
        chances = rng.choice([0.2, 1 / 3, 0.4, 0.5, 2 / 3, 0.75], number)
        below = np.arange(0, int(np.ceil(chances.sum())))
        assert of_chances(chances, below) == pytest.approx(exactly(chances)[below], rel=0.1)


def test_the_lowest_value_is_exact() -> None:
    chances = [0.3, 0.5, 0.2, 0.9]
    assert of_chances(chances, [0]) == pytest.approx([0.7 * 0.5 * 0.8 * 0.1], rel=1e-12)


def test_a_normal_sum_is_exact() -> None:
    values = np.array([-6.0, -3.0, -0.5, -0.01, 0.0, 1.0])

    def cumulants(point: Any) -> tuple[Any, Any, Any]:
        return point**2 * 2.0, point * 4.0, np.full(len(point), 4.0)

    nothing = np.full(len(values), -np.inf)
    found = lower_tail(cumulants, values, lowest=nothing, log_chance=np.zeros(len(values)))
    assert found == pytest.approx(norm.cdf(values / 2.0), rel=1e-9)


def test_what_cannot_vary_is_no_surprise() -> None:
    found = lower_tail(
        lambda point: (0.0 * point, 0.0 * point, 0.0 * point), np.zeros(2), lowest=np.zeros(2), log_chance=np.zeros(2)
    )
    assert found.tolist() == [1.0, 1.0]


def test_probabilities_rise_with_the_value_and_stay_between_0_and_1() -> None:
    chances = np.random.default_rng(0).uniform(0.05, 0.95, 300)
    found = of_chances(chances, np.arange(301))
    assert (np.diff(found) >= -1e-12).all()
    assert found.min() > 0
    assert found.max() <= 1
