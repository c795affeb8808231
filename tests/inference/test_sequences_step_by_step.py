"""Confidence sequences and the watch for changes, value by value from their definitions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import betaln

from assent.inference import betting, changes
from assent.inference.betting import HedgedCapital, log_capital
from assent.inference.changes import STEP, log_change_evidence, split

MEANS = np.arange(1, 50) / 50


def hedged(values: list[float], level: float, pool: int | None) -> list[tuple[float, float]]:
    """Waudby-Smith and Ramdas (2024), 4.2 and 5: predictable plug-in stakes, half the capital on either side, half of it at risk at most."""
    alpha = 1 - level
    up, down = dict.fromkeys(MEANS, 0.0), dict.fromkeys(MEANS, 0.0)
    total, squares = 0.0, 0.0
    ends = []
    for t, x in enumerate(values, start=1):
        variance = (0.25 + squares) / t
        stake = math.sqrt(2 * math.log(2 / alpha) / (variance * t * math.log(t + 1)))
        for m in MEANS:
            now = m if pool is None else (pool * m - total) / (pool - t + 1)
            if now < -1e-9:
                up[m] = math.inf
            if now > 1 + 1e-9:
                down[m] = math.inf
            now = min(max(now, 1e-12), 1 - 1e-12)
            up[m] += math.log1p(min(stake, 0.5 / now) * (x - now))
            down[m] += math.log1p(-min(stake, 0.5 / (1 - now)) * (x - now))
        total += x
        squares += (x - (0.5 + total) / (t + 1)) ** 2
        enough = math.log(2 / alpha)
        low = max([0.0, *(m for m in MEANS if up[m] >= enough)])
        high = min([1.0, *(m for m in MEANS if down[m] >= enough)])
        refuted = sum(one >= enough for one in up.values()) + sum(one >= enough for one in down.values())
        ends.append((math.nan, math.nan) if refuted >= len(MEANS) else (low, high))
    return ends


@pytest.mark.parametrize("pool", [None, 60, 200])
@pytest.mark.parametrize("mean", [0.05, 0.5, 0.9])
def test_hedged_capital_is_that_of_its_definition(
    pool: int | None, mean: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one go, in two, and in blocks of seven."""
    rng = np.random.default_rng(int(100 * mean))
    values = (rng.random(60) < mean).astype(float) if pool else rng.beta(4 * mean, 4 * (1 - mean), 60)
    known = np.array(hedged(values.tolist(), 0.9, pool)).T
    whole = HedgedCapital(0.9, MEANS, pool=pool).play(values)
    assert np.array(whole) == pytest.approx(known, nan_ok=True)
    game = HedgedCapital(0.9, MEANS, pool=pool)
    parts = [game.play(values[:25]), game.play(values[25:])]
    assert np.concatenate(parts, axis=1) == pytest.approx(known, nan_ok=True)
    monkeypatch.setattr(betting, "_BLOCK", 7)
    assert np.array(HedgedCapital(0.9, MEANS, pool=pool).play(values)) == pytest.approx(known, nan_ok=True)


def test_values_that_no_mean_explains_leave_nothing() -> None:
    """After 200 zeros all claims from 0.02 on are refuted."""
    values = [0.0] * 200
    known = np.array(hedged(values, 0.5, None)).T
    assert np.isnan(known[:, -1]).all()
    assert not np.isnan(known[:, 20]).any()
    assert np.array(HedgedCapital(0.5, MEANS).play(np.array(values))) == pytest.approx(known, nan_ok=True)


def test_the_capital_of_a_mixture_is_the_mean_of_its_bets() -> None:
    """A bet of tilt t has won exp(t * sum) over (1 - m + m exp(t)) to the number of values."""
    powers = [2.0**power for power in range(-8, 4)]
    shares = [math.exp(-((power + 1.5) ** 2) / 8) for power in range(-8, 4)]
    for total, number, mean in ((3, 10, 0.5), (9, 10, 0.2), (0, 4, 0.9)):
        won = sum(
            share
            / (2 * sum(shares))
            * math.exp(sign * tilt * total)
            / (1 - mean + mean * math.exp(sign * tilt)) ** number
            for tilt, share in zip(powers, shares, strict=True)
            for sign in (-1, 1)
        )
        assert float(log_capital(total, number, mean)) == pytest.approx(math.log(won), rel=1e-10)


def likelihood(ones: int, number: int) -> float:
    """0/1 values averaged over their mean, with Jeffreys' prior."""
    return math.exp(betaln(ones + 0.5, number - ones + 0.5) - betaln(0.5, 0.5))


@pytest.mark.parametrize("steps", [1, 2, 5, 30])
def test_evidence_of_a_change_is_a_ratio_of_average_likelihoods(steps: int) -> None:
    """The j-th step weighs j**-1/2 - (j + 1)**-1/2; what is left is for a change that is yet to come."""
    rng = np.random.default_rng(steps)
    sums = np.concatenate([[0], np.cumsum(rng.integers(0, STEP + 1, steps))])
    total, number = int(sums[-1]), steps * STEP
    changed = steps**-0.5 * likelihood(total, number)
    for j in range(1, steps):
        before = int(sums[j])
        changed += (
            (j**-0.5 - (j + 1) ** -0.5) * likelihood(before, j * STEP) * likelihood(total - before, number - j * STEP)
        )
    assert log_change_evidence(sums) == pytest.approx(math.log(changed / likelihood(total, number)), abs=1e-10)


def test_a_change_lies_where_both_sides_are_most_likely() -> None:
    rng = np.random.default_rng(4)
    values = np.concatenate([rng.random(17) < 0.9, rng.random(14) < 0.3]).astype(int)
    fits = [
        likelihood(int(values[:at].sum()), at) * likelihood(int(values[at:].sum()), len(values) - at)
        for at in range(1, len(values))
    ]
    assert split(values) == 1 + int(np.argmax(fits))


def test_steps_far_back_are_tried_more_and_more_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of the last three, every tenth of the thirty before the end, every hundredth of the rest."""
    monkeypatch.setattr(changes, "_NEAR", 3)
    assert sorted(changes._moments(250).tolist()) == [100, 200, 220, 230, 240, 247, 248, 249]
    assert sorted(changes._moments(3).tolist()) == [1, 2]
    assert changes._moments(1).tolist() == []
