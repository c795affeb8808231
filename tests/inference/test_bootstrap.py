"""Resampling: the weights that are drawn, seeds, blocks, and samples in which a value is undefined."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import assent
from assent.inference import bootstrap
from assent.inference.bootstrap import bootstrap_replicates
from assent.inference.sample import Sample
from assent.profiles import Weighting

FEW_PROFILES = np.array([40, 25, 10, 5])
MANY_PROFILES = np.ones(12, dtype=np.int64)
UNITS = np.array([[10, 5, 0, 0], [20, 0, 5, 5], [10, 20, 5, 0]])


def drawn(multiplicities: Any, units: Any = None, *, replicates: int = 4000, seed: int = 0) -> Any:
    """The weights that a bootstrap draws: (replicates, profiles)."""
    seen = []

    def spy(weighting: Weighting) -> Any:
        weights = weighting.total(np.eye(len(multiplicities)))
        if weights.ndim == 2:  # not the data themselves
            seen.append(weights)
        return np.zeros(weights.shape[:-1])

    bootstrap_replicates(Sample(spy, multiplicities, units), replicates=replicates, seed=seed)
    return np.concatenate(seen)


@pytest.mark.parametrize("multiplicities", [FEW_PROFILES, MANY_PROFILES], ids=["few profiles", "many profiles"])
def test_every_sample_has_as_many_items_as_the_data(multiplicities: Any) -> None:
    weights = drawn(multiplicities)
    assert weights.shape == (4000, len(multiplicities))
    assert (weights.sum(1) == multiplicities.sum()).all()
    assert (weights >= 0).all()
    assert (weights == np.round(weights)).all()


@pytest.mark.parametrize("multiplicities", [FEW_PROFILES, MANY_PROFILES], ids=["few profiles", "many profiles"])
def test_the_weights_are_multinomial(multiplicities: Any) -> None:
    """Means n p, variances n p (1 - p), covariances -n p q: within five standard errors of 4,000 draws."""
    weights = drawn(multiplicities)
    n = multiplicities.sum()
    p = multiplicities / n
    variances = n * p * (1 - p)
    assert np.abs(weights.mean(0) - multiplicities).max() < 5 * math.sqrt(variances.max() / 4000)
    # The relative standard error of a variance of 4,000 nearly normal draws is sqrt(2 / 4,000) = 2.2 %.
    assert weights.var(0) == pytest.approx(variances, rel=0.15)
    expected = np.diag(n * p) - n * np.outer(p, p)
    assert np.cov(weights.T) == pytest.approx(expected, abs=5 * variances.max() / math.sqrt(4000))


def test_clusters_are_drawn_whole() -> None:
    weights = drawn(UNITS.sum(0), UNITS)
    times = np.linalg.lstsq(UNITS.T.astype(float), weights.T, rcond=None)[0].T
    assert times == pytest.approx(np.round(times), abs=1e-9)
    assert np.round(times).sum(1) == pytest.approx(3)
    assert times.mean(0) == pytest.approx([1, 1, 1], abs=5 * math.sqrt(2 / 3 / 4000))


@pytest.mark.parametrize("multiplicities", [FEW_PROFILES, MANY_PROFILES], ids=["few profiles", "many profiles"])
def test_a_seed_decides_every_draw(multiplicities: Any) -> None:
    first, again, other = (drawn(multiplicities, replicates=50, seed=seed) for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()


@pytest.mark.parametrize("units", [None, UNITS], ids=["items", "clusters"])
def test_blocks_change_no_digit(units: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = drawn(FEW_PROFILES, units, replicates=100)
    monkeypatch.setattr(bootstrap, "CHUNK", 12)
    assert (drawn(FEW_PROFILES, units, replicates=100) == whole).all()


def test_progress_is_told_how_many_are_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "CHUNK", 40)
    told: list[int] = []
    sample = Sample(lambda weighting: weighting.total(np.ones(4)), FEW_PROFILES)
    bootstrap_replicates(sample, replicates=25, seed=0, progress=told.append)
    assert told == [10, 10, 5]


def test_samples_with_an_undefined_value_are_counted_and_left_out() -> None:
    """A sample of four has items of one label alone with the probability (2 / 4)^4 for a and (1 / 4)^4 for b."""
    agreement = assent.krippendorff_alpha([["a", "a"], ["a", "a"], ["a", "b"], ["b", "b"]])
    replicates = agreement.bootstrap(replicates=500, seed=1)
    undefined = int(np.isnan(replicates).sum())
    assert undefined == pytest.approx(500 * (0.5**4 + 0.25**4), abs=5 * math.sqrt(500 * 0.066 * 0.934))
    interval = agreement.confidence_interval(method="bootstrap", kind="percentile", replicates=500, seed=1)
    assert interval.notes[0].startswith(f"The value is undefined in {undefined} of 500 bootstrap samples")
    defined = replicates[~np.isnan(replicates)]
    assert interval.standard_error == pytest.approx(defined.std(ddof=1))
    assert (interval.low, interval.high) == pytest.approx(tuple(np.quantile(defined, [0.025, 0.975])))
    # Where all have a value, nothing is said.
    plain = assent.percent_agreement([["a", "a"], ["a", "a"], ["a", "b"], ["b", "b"]])
    assert "undefined" not in " ".join(plain.confidence_interval(method="bootstrap", replicates=500, seed=1).notes)


@pytest.mark.parametrize("replicates", [1, 2])
def test_an_interval_that_too_few_samples_leave_undefined_says_why(replicates: int) -> None:
    interval = assent.percent_agreement([["a", "a"], ["a", "b"]]).confidence_interval(
        method="bootstrap", replicates=replicates
    )
    assert not math.isnan(interval.low) or interval.notes


def test_replicates_are_drawn_once() -> None:
    agreement = assent.percent_agreement([["a", "a"], ["a", "b"], ["b", "b"]])
    assert agreement.bootstrap(replicates=10, seed=3) is agreement.bootstrap(replicates=10, seed=3)
    assert agreement.bootstrap(replicates=10, seed=3) is not agreement.bootstrap(replicates=10, seed=4)
