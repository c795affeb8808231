"""The influence of an item: against closed forms and against differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from assent.inference import linear
from assent.inference.derivatives import Statistic, influence
from assent.profiles import Multiplicities, Weighting

RNG = np.random.default_rng(3)
X, Y = RNG.normal(size=7), RNG.normal(size=7)
TABLE = RNG.random((7, 3))
WEIGHTS = np.array([1, 4, 2, 1, 7, 3, 2])
N = WEIGHTS.sum()


def mean(weighting: Weighting) -> Any:
    return weighting.total(X) / weighting.total(np.ones(7))


def correlation_like(weighting: Weighting) -> Any:
    """A smooth function of many totals, some of them vectors."""
    number = weighting.total(np.ones(7))
    shares = weighting.total(TABLE) / number[..., None]
    return (shares**2).sum(-1) / np.sqrt(1 + (weighting.total(X * Y) / number) ** 2)


def of_varying_terms(weighting: Weighting) -> Any:
    """The terms of the second sum depend on the first: a weighted mean whose weights are estimated."""
    number = weighting.total(np.ones(7))
    shares = weighting.total(TABLE) / number[..., None]
    terms = np.exp(-(shares @ TABLE.T))
    return weighting.total_varying(terms * X) / weighting.total_varying(terms)


def of_sparse_terms(weighting: Weighting) -> Any:
    shares = weighting.total(csr_array(TABLE)) / weighting.total(np.ones(7))[..., None]
    return (shares**3).sum(-1)


STATISTICS = [mean, correlation_like, of_varying_terms, of_sparse_terms]
every_statistic = pytest.mark.parametrize("statistic", STATISTICS, ids=lambda one: one.__name__)


def differences(statistic: Statistic, weights: Any, step: float = 1e-3) -> Any:
    """Five-point differences, exact to the fourth power of the step."""

    def at(times: int) -> Any:
        return statistic(Multiplicities(weights + times * step * np.eye(len(weights))))

    return (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * step)


def test_the_influence_on_a_mean_is_the_distance_from_it_over_the_number_of_items() -> None:
    average = WEIGHTS @ X / N
    assert influence(mean, WEIGHTS) == pytest.approx((X - average) / N, abs=1e-16)


def test_the_influence_on_a_total_is_the_term_itself() -> None:
    assert influence(lambda weighting: weighting.total(X), WEIGHTS) == pytest.approx(X, abs=0)


def test_the_influence_on_a_ratio_is_that_of_the_delta_method() -> None:
    """d(A / B) = (a - A / B * b) / B."""
    upper, lower = np.exp(X), np.exp(Y)
    ratio = (WEIGHTS @ upper) / (WEIGHTS @ lower)
    found = influence(lambda weighting: weighting.total(upper) / weighting.total(lower), WEIGHTS)
    assert found == pytest.approx((upper - ratio * lower) / (WEIGHTS @ lower), rel=1e-13)


def test_the_influence_on_a_product_of_shares_follows_the_product_rule() -> None:
    first, second, third = TABLE.T
    totals = WEIGHTS @ TABLE
    found = influence(lambda weighting: weighting.total(TABLE).prod(-1), WEIGHTS)
    by_hand = first * totals[1] * totals[2] + totals[0] * second * totals[2] + totals[0] * totals[1] * third
    assert found == pytest.approx(by_hand, rel=1e-13)


@every_statistic
def test_it_is_the_derivative(statistic: Statistic) -> None:
    # The truncation error of the differences is of the order 1e-12 here, their rounding error of 1e-13.
    assert influence(statistic, WEIGHTS) == pytest.approx(differences(statistic, WEIGHTS), abs=1e-10)


@every_statistic
def test_influences_on_a_function_of_shares_add_up_to_nothing(statistic: Statistic) -> None:
    """All weights twice, nothing changed: Euler's theorem for functions of degree 0."""
    assert WEIGHTS @ influence(statistic, WEIGHTS) == pytest.approx(0, abs=1e-15)


@every_statistic
@pytest.mark.parametrize("held", [1, 8, 20])
def test_it_is_the_same_in_small_blocks(statistic: Statistic, held: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = influence(statistic, WEIGHTS)
    monkeypatch.setattr(linear, "CHUNK", held)
    # A smaller matrix product may add up in another order.
    assert influence(statistic, WEIGHTS) == pytest.approx(whole, rel=1e-13)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e9])
def test_there_is_no_step_that_could_be_too_large_or_too_small(scale: float) -> None:
    found = influence(lambda weighting: np.sqrt(weighting.total(scale * X**2)), WEIGHTS)
    assert found == pytest.approx(np.sqrt(scale) * X**2 / (2 * np.sqrt(WEIGHTS @ X**2)), rel=1e-13)


def test_one_profile_is_enough() -> None:
    statistic: Callable[[Weighting], Any] = lambda weighting: np.log(weighting.total(np.array([2.0])))  # noqa: E731
    assert influence(statistic, np.array([5])) == pytest.approx([0.2], rel=1e-15)


@every_statistic
def test_several_ways_to_weigh_the_items_are_those_one_by_one(
    statistic: Callable[[Weighting], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    ways = np.stack([WEIGHTS, WEIGHTS[::-1], np.where(WEIGHTS > 2, WEIGHTS, 0.5)])
    alone = np.stack([influence(statistic, one) for one in ways])
    assert influence(statistic, ways) == pytest.approx(alone, abs=1e-15)
    monkeypatch.setattr("assent.inference.derivatives.FEW_PROFILES", 0)
    assert influence(statistic, ways) == pytest.approx(alone, abs=1e-15)


def test_a_statistic_that_nothing_moves_has_no_influence() -> None:
    assert influence(lambda weighting: np.asarray(0.5), np.stack([WEIGHTS, WEIGHTS])) == pytest.approx(np.zeros((2, 7)))
