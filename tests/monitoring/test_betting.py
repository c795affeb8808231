"""Confidence sequences keep their promise: exactly where all sequences can be listed, and in simulations with bounds."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from assent.errors import OptionError
from assent.inference.betting import (
    GRID,
    TILT_SHARES,
    TILTS,
    HedgedCapital,
    confidence_sequence,
    log_capital,
    mixture_interval,
)

MEANS = [0.05, 0.3, 0.5, 0.8, 0.97]


def all_sequences(length):
    return np.array(list(itertools.product([0, 1], repeat=length)))


def probability(sequences, mean):
    ones = sequences.sum(axis=1)
    return mean**ones * (1 - mean) ** (sequences.shape[1] - ones)


# ---- the mixture of tilts


@pytest.mark.parametrize("mean", MEANS)
@pytest.mark.parametrize("length", [1, 5, 12])
def test_the_expected_capital_of_the_mixture_is_1(mean, length):
    sequences = all_sequences(length)
    capital = np.exp(log_capital(sequences.sum(axis=1), length, mean))
    assert probability(sequences, mean) @ capital == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("mean", MEANS)
def test_the_capital_of_the_mixture_is_a_martingale_at_every_step(mean):
    """Given any beginning, the expectation after one more value is what it was before."""
    for number in range(1, 12):
        total = np.arange(number + 1)
        before = np.exp(log_capital(total, number, mean))
        after = mean * np.exp(log_capital(total + 1, number + 1, mean))
        after += (1 - mean) * np.exp(log_capital(total, number + 1, mean))
        np.testing.assert_allclose(after, before, rtol=1e-12)


def test_the_shares_of_the_tilts_are_a_stake_of_1_with_both_directions_alike():
    assert TILT_SHARES.sum() == pytest.approx(1)
    np.testing.assert_array_equal(np.sort(TILTS), np.sort(-TILTS))
    assert TILT_SHARES[TILTS > 0].sum() == pytest.approx(0.5)


DRIFTS = {
    "falls": lambda past: 0.9 - 0.06 * len(past),
    "jumps": lambda past: 0.95 if len(past) < 5 else 0.2,
    "answers": lambda past: 0.9 if sum(past[-2:]) < 2 else 0.3,
    "provokes": lambda past: 0.1 + 0.8 * (sum(past) / len(past) if past else 0.5),
}


@pytest.mark.parametrize("drift", DRIFTS)
@pytest.mark.parametrize("length", [3, 8, 11])
def test_under_drift_the_capital_at_the_mean_of_the_conditional_means_is_at_most_1(drift, length):
    """Exactly, over all sequences, even if what comes depends on what came."""
    expected = 0.0
    for sequence in itertools.product([0, 1], repeat=length):
        means = [DRIFTS[drift](sequence[:i]) for i in range(length)]
        chance = math.prod(m if x else 1 - m for m, x in zip(means, sequence, strict=True))
        expected += chance * float(np.exp(log_capital(sum(sequence), length, float(np.mean(means)))))
    assert expected <= 1 + 1e-12


@pytest.mark.parametrize("length", [2, 7])
def test_values_between_0_and_1_only_make_the_capital_smaller(length):
    chances = {0.0: 0.2, 0.5: 0.5, 1.0: 0.3}
    mean = sum(value * chance for value, chance in chances.items())
    expected = sum(
        math.prod(chances[x] for x in sequence) * float(np.exp(log_capital(sum(sequence), length, mean)))
        for sequence in itertools.product(chances, repeat=length)
    )
    assert expected < 1


@pytest.mark.parametrize("mean", MEANS)
def test_the_chance_of_ever_missing_the_mean_is_below_the_level_exactly(mean):
    """The capital depends on the sum alone, so all 2**600 sequences are 600 x 600 states: no simulation is needed."""
    alive, wrong = np.array([1.0]), 0.0
    for number in range(1, 601):
        alive = np.append(alive * (1 - mean), 0) + np.append(0, alive * mean)
        refuted = log_capital(np.arange(number + 1), number, mean) >= math.log(20)
        wrong += alive[refuted].sum()
        alive = np.where(refuted, 0, alive)
    assert 0.001 < wrong <= 0.05
    assert wrong + alive.sum() == pytest.approx(1)


@given(st.integers(1, 3000), st.floats(0, 1), st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_the_interval_is_what_a_fine_grid_of_claims_says(number, share, level):
    total = round(number * share)
    low, high = (float(end) for end in mixture_interval(total, number, level))
    claims = np.linspace(0, 1, 2001)
    kept = claims[log_capital(total, number, claims) < -math.log(1 - level)]
    assert low <= total / number <= high
    if len(kept):
        assert kept[0] - 1 / 2000 - 1e-9 <= low <= kept[0] + 1e-9
        assert kept[-1] - 1e-9 <= high <= kept[-1] + 1 / 2000 + 1e-9
        # They are one interval: nothing between two claims that stand is refuted.
        assert len(kept) == np.searchsorted(claims, kept[-1]) - np.searchsorted(claims, kept[0]) + 1
    # The ends themselves are refuted, unless there is nothing beyond them.
    for end in {low, high} - {0.0, 1.0}:
        assert log_capital(total, number, end) >= -math.log(1 - level) - 1e-9


@given(st.integers(1, 5000), st.floats(0, 1))
def test_agreeing_and_disagreeing_are_mirror_images(number, share):
    total = round(number * share)
    low, high = mixture_interval(total, number)
    mirrored_low, mirrored_high = mixture_interval(number - total, number)
    assert (float(1 - mirrored_high), float(1 - mirrored_low)) == pytest.approx((float(low), float(high)), abs=1e-9)


def test_many_points_at_once_are_the_points_one_by_one():
    totals, numbers = np.array([3, 70, 150]), np.array([5, 100, 150])
    low, high = mixture_interval(totals, numbers)
    for place in range(3):
        one = mixture_interval(totals[place], numbers[place])
        assert (low[place], high[place]) == one


# ---- the hedged capital process


def slow_hedged_capital(values, mean, alpha):
    """By the letter of Waudby-Smith and Ramdas (2024), one value after the other: capital of either half."""
    up = down = 1.0
    total, squares = 0.0, 0.0
    for t, x in enumerate(values, start=1):
        variance = (0.25 + squares) / t
        bet = math.sqrt(2 * math.log(2 / alpha) / (variance * t * math.log(t + 1)))
        up *= 1 + min(bet, 0.5 / mean) * (x - mean)
        down *= 1 - min(bet, 0.5 / (1 - mean)) * (x - mean)
        total += x
        squares += (x - (0.5 + total) / (t + 1)) ** 2
    return up, down


@pytest.mark.parametrize("mean", MEANS)
def test_the_hedged_capital_is_that_of_the_paper_step_by_step(mean):
    values = np.random.default_rng(3).random(200)
    game = HedgedCapital(0.9, np.array([mean]))
    game.play(values)
    up, down = slow_hedged_capital(values, mean, 0.1)
    assert math.exp(game.log_up[0]) == pytest.approx(up, rel=1e-9)
    assert math.exp(game.log_down[0]) == pytest.approx(down, rel=1e-9)


@pytest.mark.parametrize("mean", MEANS)
@pytest.mark.parametrize("length", [1, 4, 10])
def test_the_expected_capital_of_either_half_is_1(mean, length):
    sequences = all_sequences(length)
    up = down = richer = 0.0
    for sequence, chance in zip(sequences, probability(sequences, mean), strict=True):
        game = HedgedCapital(0.95, np.array([mean]))
        game.play(sequence)
        one, other = math.exp(game.log_up[0]), math.exp(game.log_down[0])
        up, down, richer = up + chance * one, down + chance * other, richer + chance * max(one, other) / 2
    assert up == pytest.approx(1, abs=1e-12)
    assert down == pytest.approx(1, abs=1e-12)
    # What is compared with the threshold is half of the richer one: never more than the hedged sum.
    assert richer <= 1


@given(st.lists(st.integers(0, 1), min_size=1, max_size=300), st.lists(st.integers(1, 60), max_size=10))
def test_values_in_pieces_are_the_values_in_one(values, sizes):
    values = np.array(values)
    whole = HedgedCapital(0.95).play(values)
    low: list[float] = []
    high: list[float] = []
    game, at = HedgedCapital(0.95), 0
    for size in [*sizes, len(values)]:
        piece = values[at : at + size]
        at += size
        if len(piece):
            ends = game.play(piece)
            low, high = [*low, *ends[0]], [*high, *ends[1]]
    np.testing.assert_array_equal(low, whole[0])
    np.testing.assert_array_equal(high, whole[1])


def test_the_hedged_interval_is_where_the_capital_is_small():
    values = (np.random.default_rng(8).random(400) < 0.8).astype(int)
    game = HedgedCapital(0.95)
    low, high = game.play(values)
    refuted = np.maximum(game.log_up, game.log_down) + math.log(0.5) >= math.log(20)
    kept = GRID[~refuted]
    step = 1 / 1000
    assert low[-1] == pytest.approx(kept[0] - step)
    assert high[-1] == pytest.approx(kept[-1] + step)
    assert len(kept) == round((kept[-1] - kept[0]) / step) + 1


def test_if_the_mean_changes_the_hedged_capital_is_wrong_and_the_mixture_is_not():
    values = np.repeat([1, 0], 4000)
    low, _ = HedgedCapital(0.95).play(values)
    assert low[-1] > 0.5
    low, high = mixture_interval(values.sum(), len(values))
    assert low < 0.5 < high


def test_if_every_claim_is_refuted_nothing_is_left():
    low, high = HedgedCapital(0.95, np.array([0.2, 0.3])).play(np.ones(50))
    assert (low[0], high[0]) == (0, 1)
    assert np.isnan(low[-1])
    assert np.isnan(high[-1])


# ---- both, by simulation


@pytest.mark.parametrize("method", ["mixture", "betting"])
@pytest.mark.parametrize("mean", [0.5, 0.8, 0.95])
def test_few_streams_are_ever_wrong(method, mean):
    rng = np.random.default_rng(20)
    streams, wrong = 400, 0
    for _ in range(streams):
        values = (rng.random(400) < mean).astype(int)
        if method == "mixture":
            wrong += bool((log_capital(np.cumsum(values), np.arange(1, 401), mean) >= math.log(20)).any())
        else:
            wrong += bool(np.isnan(HedgedCapital(0.95, np.array([mean])).play(values)[0]).any())
    assert wrong <= binom.ppf(0.999, streams, 0.05)


def test_a_mean_that_drifts_is_covered_on_average_so_far():
    rng = np.random.default_rng(21)
    streams, length, wrong = 400, 600, 0
    for _ in range(streams):
        walk = np.clip(0.7 + np.cumsum(rng.normal(0, 0.02, length)), 0.02, 0.98)
        values = rng.random(length) < walk
        number = np.arange(1, length + 1)
        wrong += bool((log_capital(np.cumsum(values), number, np.cumsum(walk) / number) >= math.log(20)).any())
    assert wrong <= binom.ppf(0.999, streams, 0.05)


@pytest.mark.parametrize("mean", [0.65, 0.8, 0.9])
def test_the_mixture_is_the_narrower_of_the_two_beyond_some_hundred_items(mean):
    values = (np.random.default_rng(22).random(4000) < mean).astype(int)
    widths = {}
    for method in ("mixture", "betting"):
        low, high = confidence_sequence(values, method=method)
        widths[method] = high - low
    for items in (500, 1000, 4000):
        assert widths["mixture"][items - 1] < widths["betting"][items - 1]
    # It shrinks as it should, and is never narrower than a plain interval, which promises less.
    plain = 2 * 1.96 * np.sqrt(mean * (1 - mean) / 4000)
    assert plain < widths["mixture"][-1] < 2 * plain


def test_a_running_intersection_only_narrows():
    values = (np.random.default_rng(23).random(500) < 0.8).astype(int)
    for method in ("mixture", "betting"):
        low, high = confidence_sequence(values, method=method)
        inner_low, inner_high = confidence_sequence(values, method=method, running=True)
        assert (np.diff(inner_low) >= 0).all()
        assert (np.diff(inner_high) <= 0).all()
        assert (inner_low >= low).all()
        assert (inner_high <= high).all()


def test_an_unknown_method_is_refused():
    with pytest.raises(OptionError, match="mixture, betting"):
        confidence_sequence(np.ones(3), method="wald")


def test_unless_asked_otherwise_999_claims_are_followed_at_95_percent():
    values = np.array([1, 1, 0, 1, 1, 1, 1, 0, 1, 1] * 4, dtype=float)
    claims = np.array([k / 1000 for k in range(1, 1000)])
    assert HedgedCapital().means.tolist() == pytest.approx(claims.tolist(), rel=1e-12)
    for found, known in zip(HedgedCapital().play(values), HedgedCapital(0.95, claims).play(values), strict=True):
        assert found.tolist() == known.tolist()
