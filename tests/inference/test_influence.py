"""The influence of an item: against closed forms and against differences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array, issparse

import assent
from assent.errors import OptionError
from assent.inference import derivatives
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


def of_totals_after_varying_terms(weighting: Weighting) -> Any:
    """More totals than there are profiles, some of them asked for after terms that vary."""
    number = weighting.total(np.ones(7))
    shares = weighting.total(TABLE) / number[..., None]
    varying = weighting.total_varying(np.exp(-(shares @ TABLE.T)))
    return varying * weighting.total(TABLE**2).sum(-1) / number**2


STATISTICS = [mean, correlation_like, of_varying_terms, of_sparse_terms, of_totals_after_varying_terms]
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


#: More profiles than totals, so that totals are moved; the last three are as many items as nothing.
MANY = np.concatenate([WEIGHTS, WEIGHTS[::-1], np.zeros(3)]) + 0.0


def of_many(statistic: Statistic, table: Any) -> Statistic:
    """The same statistic of other profiles, which are mixtures of the seven."""

    @dataclass(frozen=True)
    class Mixed:
        inner: Any

        def total(self, terms: Any) -> Any:
            return self.inner.total(csr_array(table @ terms) if issparse(terms) else table @ terms)

        def total_varying(self, terms: Any) -> Any:
            return self.inner.total_varying(terms @ table.T)

    return lambda weighting: statistic(Mixed(weighting))


@every_statistic
@pytest.mark.parametrize("held", [1, 8, 20, 40, 10**6])
@pytest.mark.parametrize("many", [False, True])
def test_it_is_the_same_in_small_blocks(
    statistic: Statistic, held: int, many: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Totals or weights are moved one after the other, so many numbers at a time."""
    weights = MANY if many else WEIGHTS
    whole = of_many(statistic, RNG.dirichlet(np.ones(7), len(MANY))) if many else statistic
    known = differences(whole, weights)
    monkeypatch.setattr(derivatives, "FEW_PROFILES", 0)
    monkeypatch.setattr(derivatives, "CHUNK", held)
    assert influence(whole, weights) == pytest.approx(known, abs=1e-10)


@pytest.mark.parametrize(
    ("most", "many", "refused"), [(8, True, False), (7, True, True), (7, False, False), (6, False, True)]
)
def test_more_totals_than_can_be_moved_are_refused(
    most: int, many: bool, refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight totals of 17 profiles are 8 x 8 numbers; seven totals of seven profiles are 7 x 7."""
    table = RNG.random((17 if many else 7, 8 if many else 7))
    weights = np.ones(len(table))
    monkeypatch.setattr(derivatives, "FEW_PROFILES", 0)
    monkeypatch.setattr(derivatives, "MOST_TOTALS", most)
    statistic: Statistic = lambda weighting: weighting.total(table).prod(-1)  # noqa: E731
    if refused:
        with pytest.raises(OptionError, match=r"more than [67]: use the bootstrap"):
            influence(statistic, weights)
    else:
        assert influence(statistic, weights) == pytest.approx(differences(statistic, weights), rel=1e-8)


@pytest.mark.parametrize("held", [1, 30, 100, 10**6])
@pytest.mark.parametrize("average", ["plain", "overlap"])
def test_pairs_are_moved_together_in_small_blocks(held: int, average: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann and Dan never meet, so that their pair counts for nothing."""
    rng = np.random.default_rng(5)
    rows = [
        [None if at == missing else "xyz"[rng.integers(0, 3)] for at in range(4)]
        for missing in (0, 3)
        for _ in range(20)
    ]
    sample = assent.cohen_kappa(rows, average=average).sample
    assert isinstance(sample.statistic, derivatives.PartedStatistic)
    known = differences(sample.statistic, sample.base)
    monkeypatch.setattr(derivatives, "FEW_PROFILES", 0)
    monkeypatch.setattr(derivatives, "CHUNK", held)
    assert influence(sample.statistic, sample.base) == pytest.approx(known, abs=1e-9)


def test_pairs_that_are_moved_together_may_have_any_number_of_totals(monkeypatch: pytest.MonkeyPatch) -> None:
    sample = assent.cohen_kappa([["x", "x", "y"], ["y", "y", "y"], ["x", "y", "x"], ["x", "x", "x"]]).sample
    known = differences(sample.statistic, sample.base)
    monkeypatch.setattr(derivatives, "FEW_PROFILES", 0)
    monkeypatch.setattr(derivatives, "MOST_TOTALS", 1)
    assert influence(sample.statistic, sample.base) == pytest.approx(known, abs=1e-9)


def test_the_weights_of_few_profiles_are_moved_at_once_unless_that_is_ruled_out() -> None:
    """At once or total by total, it is the same derivative."""
    asked: list[str] = []

    def whole(weighting: Weighting) -> Any:
        asked.append(type(weighting).__name__)
        return mean(weighting)

    for options, ways in (({}, {"_Nudged"}), ({"at_once": False}, {"_Stepper"})):
        asked.clear()
        statistic = derivatives.PartedStatistic(whole, lambda weighting: (whole(weighting), None)[1], **options)
        assert influence(statistic, WEIGHTS) == pytest.approx(differences(mean, WEIGHTS), abs=1e-10)
        assert {*asked} - {"Recorder"} == ways


def test_parts_whose_totals_do_not_come_in_blocks_are_moved_total_by_total(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two parts, and a total that is one number for both, or three."""
    monkeypatch.setattr(derivatives, "FEW_PROFILES", 0)
    table = np.tile(TABLE[:, :2], (3, 1))
    for shared in (np.ones(21), RNG.random((21, 3))):

        def parts(weighting: Weighting, shared: Any = shared) -> Any:
            values, both = weighting.total(table), weighting.total(shared)
            scale = both[..., None] if shared.ndim == 1 else both.prod(-1)[..., None]
            return values**2 / scale, values

        def whole(weighting: Weighting, parts: Any = parts) -> Any:
            values, weight = parts(weighting)
            return (values * weight).sum(-1) / weight.sum(-1)

        statistic = derivatives.PartedStatistic(whole, parts)
        weights = np.arange(1.0, 22.0)
        assert influence(statistic, weights) == pytest.approx(differences(whole, weights), rel=1e-8)


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
