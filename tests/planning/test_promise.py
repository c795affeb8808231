"""A plan keeps its promise: simulated pilots plan, what they plan is drawn, and its interval is as wide as planned.

The same simulation at its full size is benchmarks/planning.py, and its tables are in docs/planning.md.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.support import every

import assent

PILOTS = 40
DATA_SETS = 400
ROWS = range(31)
PAGE = Path(__file__).parents[2] / "docs" / "planning.md"


def test_every_row_is_checked(simulation: Any) -> None:
    assert len(simulation.PROMISES) == len(ROWS)
    measures = {promise.measure for promise in simulation.PROMISES}
    assert {"krippendorff-alpha", "percent-agreement", "gwet-ac", "spa"} <= measures


@pytest.mark.parametrize("row", every(6, ROWS))
def test_the_half_width_is_the_one_that_was_planned(simulation: Any, row: int) -> None:
    promise = simulation.PROMISES[row]
    kept = simulation.achieved(promise, PILOTS, seed=11)
    assert kept.failed == 0
    middle = promise.middle(kept.ratios)
    # What more annotations than the pilot has would tell is a model's guess.
    guess = "two annotations, " in promise.title
    assert abs(middle - 1) < (0.15 if guess else 0.10), (promise.title, middle)
    # The range of the number of units holds the true one as often as it says, within four errors of so few pilots.
    assert kept.within >= 0.95 - 4 * (0.95 * 0.05 / PILOTS) ** 0.5, (promise.title, kept.within)


@pytest.mark.nightly
@pytest.mark.parametrize("row", range(0, 25, 3))
def test_the_power_is_the_one_that_was_planned(simulation: Any, row: int) -> None:
    proof = simulation.POWERS[row]
    units, power = simulation.power_achieved(proof, DATA_SETS, seed=12)
    error = (0.8 * 0.2 / DATA_SETS) ** 0.5
    assert power > proof.power - 0.05 - 2 * error, (proof.title, power)
    # Of some 60 items six disagree: one more or less moves the lower end past the target or not, and power goes up in steps.
    step = 0.05 if proof.measure == simulation.PERCENT and units < 100 else 0.0
    assert power < proof.power + 0.05 + 2 * error + step, (proof.title, power)


def test_an_assumption_that_is_true_keeps_its_promise() -> None:
    """Items drawn from the Dirichlet distribution that is assumed, which no pilot has seen."""
    shares, kappa, rng = (0.6, 0.3, 0.1), 0.55, np.random.default_rng(13)
    for measure, per_item in (("krippendorff-alpha", 2), ("gwet-ac", 4), ("percent-agreement", 5)):
        made = assent.plan(kappa=kappa, shares=shares, half_width=0.04, annotations_per_item=per_item, measure=measure)
        items = made.half_width.needed.n_items
        reached, values = [], []
        for _ in range(40):
            chances = rng.dirichlet(np.array(shares) * (1 - kappa) / kappa, size=items)
            data = assent.Annotations.from_counts(rng.multinomial(per_item, chances), labels=["1", "2", "3"])
            agreement = assent.all_measures()[measure](data)
            interval = agreement.confidence_interval()
            reached.append((interval.high - interval.low) / 2 / 0.04)
            values.append(agreement.value)
        assert np.mean(reached) == pytest.approx(1.0, abs=0.02)
        assert np.mean(values) == pytest.approx(made.value, abs=0.01)


def test_the_page_says_what_the_simulation_gave(simulation: Any) -> None:
    """The tables of the page are those of this simulation: a row for each promise and each power."""
    text = PAGE.read_text(encoding="utf-8")
    for name, rows in (("half-widths", simulation.PROMISES), ("power", simulation.POWERS)):
        part = text.split(f"<!-- {name}: begin -->")[1].split(f"<!-- {name}: end -->")[0]
        titles = [line.split("|")[1].strip() for line in part.splitlines() if line.startswith("|")][2:]
        assert titles == [row.title for row in rows]
