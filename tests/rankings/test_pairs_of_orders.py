"""Two orders with gaps, ties and few or many objects, against slow versions on the objects that both rank."""

from __future__ import annotations

import math
from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest
from scipy.stats import weightedtau
from tests.reference import orders

from assent.measures import _orders
from assent.measures._orders import kendall, midranks, rbo_bounds, spearman, tau_ap_both_ways, tau_ap_to_truth, top_tau

GAP = math.nan
#: Gaps in the first order alone, in the second alone, in both, in none; ties in either; two objects; one in common.
PAIRS = [
    ([1, 2, 3, 4, GAP], [2, 1, 2, 5, 3]),
    ([1, 2, 2, 4, 5], [2, GAP, 1, 5, 3]),
    ([3, GAP, 1, 2, 2, 6], [GAP, 1, 2, 2, 5, 4]),
    ([1, 2, 3, 4, 5, 6, 7], [2, 1, 4, 4, 3, 7, 6]),
    ([1, 1, 2, 2, 3], [3, 2, 2, 1, 1]),
    ([1, 2], [1, 2]),
    ([2, 1, GAP], [1, 2, 3]),
    ([1, GAP, GAP], [1, 2, 3]),
    ([2, 2, 2], [1, 2, 3]),
]


def shared(x: list[float], y: list[float]) -> tuple[list[float], list[float]]:
    both = [(a, b) for a, b in zip(x, y, strict=True) if not math.isnan(a + b)]
    return [a for a, _ in both], [b for _, b in both]


def ranked(values: list[float]) -> Any:
    return midranks(np.array([values], dtype=float))


def slow_weighted_tau(x: list[float], y: list[float]) -> float:
    """scipy takes the larger number for the better."""
    if len(set(x)) < 2 or len(set(y)) < 2:
        return math.nan
    return float(weightedtau([-a for a in x], [-b for b in y]).statistic)


def slow_tau_ap(truth: list[float], estimate: list[float], ties: str) -> float:
    """Yilmaz and others' AP correlation; b: only what stands strictly above, a: the mean over ways to break ties, half for ties of the truth."""
    places = range(len(truth))
    if ties == "b":
        above = [[j for j in places if estimate[j] < estimate[i]] for i in places]
        shares = [
            sum(truth[j] < truth[i] for j in over) / len(over) for i, over in zip(places, above, strict=True) if over
        ]
        return 2 * sum(shares) / len(shares) - 1 if shares else math.nan
    if len(truth) < 2:
        return math.nan
    made = []
    for way in permutations(places):
        if all(estimate[a] <= estimate[b] for a, b in pairwise(way)):
            right = [
                sum((truth[j] < truth[way[i]]) + (truth[j] == truth[way[i]]) / 2 for j in way[:i]) / i
                for i in range(1, len(way))
            ]
            made.append(2 * sum(right) / len(right) - 1)
    return sum(made) / len(made)


@pytest.mark.parametrize(("x", "y"), PAIRS)
def test_two_orders_are_compared_on_what_both_rank(x: list[float], y: list[float]) -> None:
    one, two = shared(x, y)
    first, second = ranked(x), ranked(y)
    for made, known in (
        (spearman, orders.rho(one, two) if one else GAP),
        (kendall, orders.tau_b(one, two)),
        (top_tau, slow_weighted_tau(one, two)),
        (tau_ap_both_ways, (slow_tau_ap(one, two, "b") + slow_tau_ap(two, one, "b")) / 2),
        (lambda a, b: tau_ap_to_truth(a, b, ties="b"), slow_tau_ap(one, two, "b")),
        (lambda a, b: tau_ap_to_truth(a, b, ties="a"), slow_tau_ap(one, two, "a")),
    ):
        for given in ((first, second), (np.repeat(first, 3, axis=0), np.repeat(second, 3, axis=0))):
            assert made(*given) == pytest.approx([known] * len(given[0]), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize(("x", "y"), PAIRS)
def test_tau_of_many_objects_is_that_of_few(x: list[float], y: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    known = kendall(ranked(x), ranked(y))
    monkeypatch.setattr(_orders, "MANY_OBJECTS", 1)
    if not math.isnan(known[0]):
        assert kendall(ranked(x), ranked(y)) == pytest.approx(known, abs=1e-12)


@pytest.mark.parametrize("ties", ["a", "b", "w"])
def test_the_overlap_with_a_ranking_of_nothing_is_undefined(ties: str) -> None:
    nothing, something = np.full((1, 3), np.nan), np.array([[1.0, 2.0, 3.0]])
    for pair in ((nothing, something), (something, nothing)):
        assert np.isnan(rbo_bounds(*pair, p=0.9, ties=ties)).all()
