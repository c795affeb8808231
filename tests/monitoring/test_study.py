"""The study of peeking: plain intervals break their 5 %, the sequence keeps it."""

from __future__ import annotations

import numpy as np
import pytest

from assent.inference.betting import mixture_interval
from studies import find_study
from studies.peeking import FIRST_LOOK, METHODS, misses

pytestmark = pytest.mark.nightly


@pytest.fixture(scope="module")
def result():
    return find_study("peeking").run(quick=True)


def test_all_claims_hold(result):
    assert [finding.holds for finding in result.findings] == [True, True, True]


def test_errors_of_peeking_only_add_up(result):
    columns = result.table("ever-wrong").columns
    numbers = np.array([values for name, values in columns.items() if name.endswith("items")])
    assert (np.diff(numbers, axis=0) >= 0).all()
    once = result.table("one-look").columns
    for name in columns:
        if name.endswith("items"):
            assert all(ever >= one for ever, one in zip(columns[name], once[name], strict=True))


def test_the_same_seed_the_same_digits(result):
    again = find_study("peeking").run(quick=True)
    assert again.to_dict() == result.to_dict()
    other = find_study("peeking").run(quick=True, seed=2)
    assert other.to_dict()["tables"] != result.to_dict()["tables"]


def test_a_miss_is_an_interval_without_the_mean():
    """Against the intervals themselves, made in other ways."""
    from scipy.stats import norm

    mean, rng = 0.8, np.random.default_rng(1)
    values = (rng.random((3, 200)) < mean).astype(np.uint8)
    found = misses(values, mean)
    assert tuple(found) == METHODS
    z = norm.ppf(0.975)
    for stream, row in enumerate(values):
        for number in (FIRST_LOOK, 57, 200):
            total = int(row[:number].sum())
            share = total / number
            half = z * np.sqrt(share * (1 - share) / number)
            assert found["Wald"][stream, number - 1] == (not share - half <= mean <= share + half)
            centre = (total + z**2 / 2) / (number + z**2)
            reach = z / (number + z**2) * np.sqrt(number * share * (1 - share) + z**2 / 4)
            assert found["Wilson"][stream, number - 1] == (not centre - reach <= mean <= centre + reach)
            low, high = mixture_interval(total, number)
            assert found["sequence (mixture)"][stream, number - 1] == (not low <= mean <= high)


def test_large_changes_are_noticed_and_soon(result):
    columns = result.table("drift").columns
    rows = list(zip(*columns.values(), strict=True))
    assert [row[3] for row in rows[:3]] == [None, None, None]
    by_change = {row[:2]: row for row in rows}
    assert by_change["0.9", "0.6"][3] > 0.8
    assert by_change["0.9", "0.6"][4] < by_change["0.82", "0.64"][4]


def test_progress_is_told(result):
    told = []
    find_study("peeking").run(quick=True, progress=lambda done, what: told.append((done, what)))
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert all(0 <= done <= 1 for done, _ in told)
    assert "agreement of 0.95" in " ".join(what for _, what in told)
    assert "drift from" in told[-1][1]


def test_the_chart_can_be_drawn(result, tmp_path):
    from assent.documents.charts import svg

    assert svg(result.charts["ever-wrong"]).startswith("<svg")
