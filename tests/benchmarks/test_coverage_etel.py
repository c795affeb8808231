"""Intervals by tilted weights hold the true value about as often as they say, in a few seeded data sets."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from tests.support import some

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

import coverage_etel

DATA_SETS = 150


@pytest.fixture(autouse=True)
def _tilted_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage_etel, "METHODS", {"etel": {"method": "etel"}})


@pytest.mark.parametrize(
    ("shares", "kappa", "size"),
    [((0.5, 0.5), 0.6, 20), ((0.95, 0.05), 0.3, 20), ((0.95, 0.05), 0.6, 50), ((0.99, 0.01), 0.6, 50)],
)
def test_two_labels(shares: tuple[float, float], kappa: float, size: int) -> None:
    """At 95:5 the analytic interval holds the true value in a third of such data sets."""
    population = coverage_etel.two_annotators("two labels", shares, kappa)
    measured = {name: population.measured[name] for name in (coverage_etel.ALPHA, coverage_etel.PERCENT)}
    small = coverage_etel.Population(title="two labels", draw=population.draw, measured=measured, sizes=(size,))
    for (name, _), tally in some(coverage_etel.run(small, DATA_SETS, 1).items()):
        assert tally.missing[0] == tally.beyond[0] == 0
        # Four simulation errors below 95 %.
        assert tally.held[0] / DATA_SETS >= 0.88, name


def test_documents() -> None:
    population = coverage_etel.documents(0.95, 0.55)
    small = coverage_etel.Population(title="documents", draw=population.draw, measured=population.measured, sizes=(25,))
    for tally in some(coverage_etel.run(small, DATA_SETS, 1).values()):
        assert tally.held[0] / DATA_SETS >= 0.88


@pytest.mark.nightly
def test_the_populations_have_the_values_that_they_are_said_to_have() -> None:
    """In a large data set every measure is near its true value."""
    for population in some(coverage_etel.populations()):
        if "values" in population.title or "10 annotators" in population.title:
            continue
        (data,) = population.draw(4000, 1, np.random.default_rng(5))
        for name, (statistic, truth) in some(population.measured.items()):
            found = statistic(data)
            assert found.value == pytest.approx(truth, abs=5 * found.standard_error() + 1e-3), (population.title, name)
