"""Average likelihoods against their definition, and which values have a say when a change is noticed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assent.inference.changes import STEP, ChangeWatch, _log_average_likelihood, split


def log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def likelihood(ones: int, number: int) -> float:
    """Log probability of 0/1 values averaged over Jeffreys' prior: a ratio of beta functions."""
    return log_beta(ones + 0.5, number - ones + 0.5) - log_beta(0.5, 0.5)


@pytest.mark.parametrize("number", [0, 1, 2, 3, 7, 8, 100, 127, 128])
def test_average_likelihoods_are_ratios_of_beta_functions(number: int) -> None:
    ones = np.arange(number + 1)
    known = [likelihood(int(one), number) for one in ones]
    assert _log_average_likelihood(ones, number).tolist() == pytest.approx(known, rel=1e-11, abs=1e-12)


def test_the_first_value_may_be_the_only_one_before_a_change() -> None:
    watch = ChangeWatch(0.05)
    watch._values, watch._looks = bytearray([1, *[0] * (2 * STEP - 1)]), 2
    watch._notice()
    assert [(one.after, one.noticed) for one in watch.changes] == [(1, 2 * STEP)]


def test_a_change_is_noticed_with_the_last_value_of_its_step() -> None:
    rng = np.random.default_rng(1)
    values = np.concatenate([rng.random(400) < 0.85, rng.random(200) < 0.55])
    for number, noticed in ((449, []), (450, [450]), (451, [450])):
        watch = ChangeWatch(0.05)
        watch.extend(values[:number])
        assert [one.noticed for one in watch.changes] == noticed


@pytest.mark.parametrize(("values", "before"), [([0, 0, 1], 2), ([1, 1, 0], 2), ([0, 1, 1], 1), ([0, 0, 0, 1, 1], 3)])
def test_the_last_value_has_a_say_in_where_a_change_was(values: list[int], before: int) -> None:
    """One 0 has probability 1/2 and two 3/8, a 0 and a 1 have 1/8: 0, 0 | 1 is three times as probable as 0 | 0, 1."""
    assert split(np.array(values)) == before
    known = [
        likelihood(sum(values[:at]), at) + likelihood(sum(values[at:]), len(values) - at)
        for at in range(1, len(values))
    ]
    assert max(known) == known[before - 1]
