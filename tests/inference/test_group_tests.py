"""Groups are told apart by dealing items anew: against all ways to deal a few items, and on honest groups."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import polars as pl
import pytest

import assent
from assent import Annotations
from assent.analyses.group_tests import group_p_value
from assent.inference.permutation import membership_p_value, swapping_p_value
from assent.profiles import Array, Weighting

TERMS = np.array([0.0, 1.0, 3.0, 4.0])


def mean(weighting: Weighting) -> Array:
    return np.asarray(weighting.total(TERMS) / weighting.total(np.ones(4)))


def test_membership_is_that_of_all_ways_to_deal() -> None:
    first, second = np.array([0, 1, 2, 1]), np.array([3, 1, 1, 0])
    items = np.repeat(TERMS, first + second)
    gap = abs(TERMS @ first / 4 - TERMS @ second / 5)
    ways = [set(one) for one in combinations(range(9), 4)]
    reached = 0
    for one in ways:
        mine = [items[i] for i in range(9) if i in one]
        others = [items[i] for i in range(9) if i not in one]
        reached += abs(np.mean(mine) - np.mean(others)) >= gap - 1e-9
    found = membership_p_value(mean, first, second, permutations=20_000, seed=1)
    assert reached / len(ways) == pytest.approx(12 / 126)
    assert found == pytest.approx(reached / len(ways), abs=0.05)
    # Stopped early where many ways reach the difference, it is rough; a rare difference is looked at to the end.
    far = membership_p_value(mean, np.array([0, 0, 0, 6]), np.array([6, 0, 0, 0]), permutations=5000, seed=1)
    assert far == pytest.approx(2 / 924, abs=0.002)


def test_whole_units_are_dealt() -> None:
    """Two units of ten alike items each in either group: of six ways to deal the units two are as extreme."""
    units = np.array([[0, 0, 0, 10], [0, 0, 0, 10]]), np.array([[10, 0, 0, 0], [10, 0, 0, 0]])
    found = membership_p_value(mean, np.array([0, 0, 0, 20]), np.array([20, 0, 0, 0]), units, permutations=5000, seed=1)
    assert found == pytest.approx(2 / 6, abs=0.12)
    assert membership_p_value(mean, units[0].sum(0), units[1].sum(0), permutations=5000, seed=1) < 0.001


def test_swapping_is_that_of_all_signs() -> None:
    one, two = np.array([3, 3, 2, 1, 3]), np.array([0, 1, 1, 2, 2])
    eye = np.eye(4)
    differences = TERMS[one] - TERMS[two]
    signs = [abs(np.mean(differences * sign)) for sign in product([-1, 1], repeat=5)]
    exact = np.mean([each >= abs(differences.mean()) - 1e-9 for each in signs])
    found = swapping_p_value(mean, eye[one], eye[two], np.ones(5), permutations=5000, seed=2)
    assert found == pytest.approx(exact, abs=0.1)
    whole = swapping_p_value(mean, eye[one], eye[two], np.ones(5), np.ones((1, 5)), permutations=5000, seed=2)
    assert whole > 0.9


def test_whole_units_are_swapped_or_not() -> None:
    """Six units of two items each, each of which differs by one: of 64 ways to swap them two are as extreme."""
    one, two = np.ones(12, int), np.zeros(12, int)
    units = np.kron(np.eye(6), np.ones(2))
    found = swapping_p_value(mean, np.eye(4)[one], np.eye(4)[two], np.ones(12), units, permutations=5000, seed=2)
    assert found == pytest.approx(2 / 64, abs=0.03)


def team(items: int, knows: float, rng: np.random.Generator, labels: int = 2) -> Annotations:
    truth, other = rng.integers(0, labels, (items, 1)), rng.integers(0, labels, (items, 3))
    return Annotations.from_array(np.where(rng.random((items, 3)) < knows, truth, other).astype(str).tolist())


@pytest.mark.parametrize("name", ["krippendorff-alpha", "conger-kappa"])
def test_equal_groups_of_300_and_30_are_seldom_called_different(name: str) -> None:
    """By the t distribution 25 to 38 of 100 such pairs were: a small group that agrees has no standard error."""
    measure, rng = assent.all_measures()[name], np.random.default_rng(5)
    called = sum(
        (group_p_value(measure(team(300, 0.97, rng)), measure(team(30, 0.97, rng)), paired=False, seed=1) or 1) <= 0.05
        for _ in range(100)
    )
    assert called <= 11
    found = sum(
        (group_p_value(measure(team(300, 0.95, rng)), measure(team(60, 0.7, rng)), paired=False, seed=1) or 1) <= 0.05
        for _ in range(20)
    )
    assert found >= 18


def test_groups_of_annotators_of_the_same_items_are_matched() -> None:
    rng = np.random.default_rng(6)
    truth = rng.integers(0, 2, (150, 1))
    rows = np.where(rng.random((150, 4)) < [0.95, 0.95, 0.6, 0.6], truth, rng.integers(0, 2, (150, 4)))
    parts = [
        Annotations.from_frame(
            pl.DataFrame(
                {
                    "item": np.repeat(np.arange(150), 2),
                    "annotator": [f"{who}" for who in columns] * 150,
                    "label": rows[:, columns].ravel().astype(str),
                }
            )
        )
        for columns in ([0, 1], [2, 3])
    ]
    first, second = (assent.krippendorff_alpha(one) for one in parts)
    assert group_p_value(first, second, paired=True, seed=1) == pytest.approx(0.001)
    assert (group_p_value(first, first, paired=True, seed=1) or 0) == 1.0


def test_measures_that_cannot_be_dealt_say_so() -> None:
    one = assent.krippendorff_alpha([["a", "a"], ["b", "a"]])
    two = assent.krippendorff_alpha([["a", "a"], ["c", "a"]])
    assert group_p_value(one, two, paired=False, seed=1) is None
