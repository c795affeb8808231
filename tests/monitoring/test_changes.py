"""The watch for changes: what its evidence is worth, how seldom it is wrong, and what it finds."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import betaln
from scipy.stats import binom
from tests.support import every

from assent.inference import changes
from assent.inference.changes import STEP, Change, ChangeWatch, log_change_evidence, split


def average_likelihood(ones, number):
    """By the beta function, in place of tables of gamma functions."""
    return betaln(ones + 0.5, number - ones + 0.5) - betaln(0.5, 0.5)


def slow_evidence(sums):
    """All moments, none left out, as plain numbers."""
    now, total = len(sums) - 1, sums[-1]
    changed = 0.0
    for moment in range(1, now):
        weight = moment**-0.5 - (moment + 1) ** -0.5
        fit = average_likelihood(sums[moment], moment * STEP)
        fit += average_likelihood(total - sums[moment], (now - moment) * STEP)
        changed += weight * math.exp(fit - average_likelihood(total, now * STEP))
    return changed + now**-0.5


@pytest.mark.parametrize("steps", [1, 2, 3, 4])
def test_the_expected_evidence_is_1_if_nothing_changes_whatever_the_mean_by_its_prior(steps):
    """The evidence depends on the sums by step alone, so all sequences can be listed."""
    expected = whole = 0.0
    for ones in itertools.product(range(STEP + 1), repeat=steps):
        chance = math.prod(math.comb(STEP, k) for k in ones) * math.exp(average_likelihood(sum(ones), steps * STEP))
        whole += chance
        expected += chance * math.exp(log_change_evidence(np.append(0, np.cumsum(ones))))
    assert whole == pytest.approx(1, abs=1e-9)
    assert expected == pytest.approx(1, abs=1e-9)


@given(st.lists(st.integers(0, STEP), min_size=1, max_size=90))
def test_the_evidence_is_that_of_all_moments(ones):
    sums = np.append(0, np.cumsum(ones))
    assert log_change_evidence(sums) == pytest.approx(math.log(slow_evidence(sums.tolist())), abs=1e-8)


def test_leaving_out_old_moments_only_makes_the_evidence_smaller():
    rng = np.random.default_rng(4)
    ones = np.append(rng.binomial(STEP, 0.9, 777), rng.binomial(STEP, 0.5, 1223))
    sums = np.append(0, np.cumsum(ones))
    fast = log_change_evidence(sums)
    assert 20 < fast < math.inf
    # In logarithms, for the numbers are too large for the slow one.
    moments = np.arange(1, 2000)
    fits = average_likelihood(sums[moments], moments * STEP)
    fits += average_likelihood(sums[-1] - sums[moments], (2000 - moments) * STEP)
    fits += np.log(moments**-0.5 - (moments + 1.0) ** -0.5) - average_likelihood(sums[-1], 2000 * STEP)
    assert 0.9 * np.logaddexp.reduce(fits) < fast <= np.logaddexp.reduce(fits) + 1e-6


@pytest.mark.parametrize("mean", every(3, [0.8, 0.5, 0.95]))
def test_false_alarms_are_rare(mean):
    rng = np.random.default_rng(30)
    streams, alarms = 200, 0
    for _ in range(streams):
        watch = ChangeWatch(0.05)
        watch.extend(rng.random(1000) < mean)
        alarms += bool(watch.changes)
    assert alarms <= binom.ppf(0.999, streams, 0.05)


@pytest.mark.parametrize(("before", "since"), [(0.85, 0.55), (0.5, 0.85), (0.95, 0.75)])
def test_a_change_is_found_about_where_it_is(before, since):
    rng = np.random.default_rng(31)
    found = []
    for _ in range(40):
        watch = ChangeWatch(0.05)
        watch.extend(np.append(rng.random(500) < before, rng.random(400) < since))
        found += [watch.changes[0]] if watch.changes else []
    assert len(found) >= 36
    assert np.median([abs(one.after - 500) for one in found]) <= 15
    assert np.median([one.noticed - 500 for one in found]) <= 150


def test_after_an_alarm_it_goes_on():
    rng = np.random.default_rng(32)
    watch = ChangeWatch(0.05)
    watch.extend(np.concatenate([rng.random(400) < 0.9, rng.random(400) < 0.5, rng.random(400) < 0.9]))
    assert [abs(one.after - at) < 30 for one, at in zip(watch.changes, (400, 800), strict=True)] == [True, True]


@given(st.lists(st.integers(1, 150), min_size=1, max_size=12))
def test_values_in_pieces_are_the_values_in_one(sizes):
    rng = np.random.default_rng(33)
    values = np.append(rng.random(200) < 0.95, rng.random(300) < 0.4)
    whole = ChangeWatch(0.05)
    whole.extend(values)
    pieces, at = ChangeWatch(0.05), 0
    for size in [*sizes, len(values)]:
        pieces.extend(values[at : at + size])
        at += size
    assert whole.changes == pieces.changes
    assert whole.changes


def test_the_most_probable_split_by_trying_all():
    rng = np.random.default_rng(34)
    for _ in range(20):
        values = (rng.random(60) < np.where(np.arange(60) < 25, 0.9, 0.3)).astype(int)
        fits = [
            average_likelihood(values[:at].sum(), at) + average_likelihood(values[at:].sum(), 60 - at)
            for at in range(1, 60)
        ]
        assert split(values) == 1 + int(np.argmax(fits))


def test_a_constant_stream_raises_no_alarm():
    for value in (0, 1):
        watch = ChangeWatch(0.05)
        watch.extend([value] * 3000)
        assert watch.changes == []


def test_a_change_says_where_and_when():
    watch = ChangeWatch(0.05)
    watch.extend([1] * 100 + [0] * 100)
    assert watch.changes == [Change(after=100, noticed=110)]


def test_a_look_costs_little_however_long_the_stream_is():
    """Moments that are tried at one look: a hundred, and ninety more for every tenfold of steps."""
    assert [len(changes._moments(10**power)) for power in range(1, 8)] == [9, 99, 189, 279, 369, 459, 549]
