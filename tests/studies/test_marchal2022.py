"""The study of Marchal et al. (2022): data sets as described, measured as one by one, and verdicts that can fail."""

from __future__ import annotations

import math
from math import comb
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.support import some

from assent import Annotations
from studies.marchal2022 import run
from studies.marchal2022.judging import _negative, judge
from studies.marchal2022.numbers import NUMBERS, Number
from studies.marchal2022.simulating import (
    AGREEMENT,
    DOUBLE,
    MEASURES,
    SETTINGS,
    Cell,
    Design,
    Setting,
    draw_sets,
    measured,
)

pytestmark = pytest.mark.nightly

EQUAL, TEN, UNEVEN, ALIKE = SETTINGS


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda one: one.name)
@pytest.mark.parametrize("agreement", AGREEMENT)
@pytest.mark.parametrize("double", [0.0, 0.25, 1.0])
def test_data_sets_are_as_described(setting: Setting, agreement: float, double: float) -> None:
    data_sets = 60
    first, second = draw_sets(Design(setting, agreement, double), data_sets, np.random.default_rng(7))
    assert first.shape == second.shape == (data_sets, 100, len(setting.shares))
    meets = (first & second).any(axis=2)
    assert (meets.sum(axis=1) == round(100 * agreement)).all()
    for side in (first, second):
        sizes = side.sum(axis=2)
        assert set(np.unique(sizes)) <= {1, 2}
        spread = math.sqrt(double * (1 - double) / sizes.size)
        assert abs((sizes == 2).mean() - double) <= 4 * spread
    both = (first.sum(axis=2) == 2) & (second.sum(axis=2) == 2)
    assert abs(both.mean() - double**2) <= 4 * math.sqrt(double**2 * (1 - double**2) / both.size)


def test_single_labels_on_items_that_intersect_have_the_shares_of_the_categories() -> None:
    first, second = draw_sets(Design(UNEVEN, 0.9, 0.0), 100, np.random.default_rng(3))
    common = (first & second)[:, :90].reshape(-1, 5)
    assert common.sum(axis=1).tolist() == [1] * len(common)
    spread = np.sqrt(np.array(UNEVEN.shares) * (1 - np.array(UNEVEN.shares)) / len(common))
    assert (np.abs(common.mean(axis=0) - UNEVEN.shares) < 4 * spread).all()


def test_second_labels_are_drawn_by_shares_or_alike() -> None:
    """Given the common label A, the other labels are as frequent as their shares say, or all alike."""
    for setting, shares in ((UNEVEN, np.array(UNEVEN.shares[1:]) / 0.5), (ALIKE, np.full(4, 0.25))):
        first, second = draw_sets(Design(setting, 0.9, 1.0), 200, np.random.default_rng(5))
        common = first & second
        # Only where A alone is common is it certain which label came first.
        alone = common[..., 0] & (common.sum(axis=2) == 1)
        seconds = first[alone][:, 1:].mean(axis=0)
        # Both drew others, and not the same one: by Bayes each is as likely as its share times the others'.
        given = shares * (1 - shares)
        given /= given.sum()
        assert np.abs(seconds - given).max() < 4 * math.sqrt(0.25 / alone.sum())


def test_neither_coder_comes_first() -> None:
    first, second = draw_sets(Design(UNEVEN, 0.6, 0.5), 300, np.random.default_rng(9))
    shares = [side[:, 60:].reshape(-1, 5).mean(axis=0) for side in (first, second)]
    assert np.abs(shares[0] - shares[1]).max() < 4 * math.sqrt(2 * 0.25 / (300 * 40))


def test_both_give_two_labels_to_the_same_items_in_the_other_reading() -> None:
    first, second = draw_sets(Design(EQUAL, 0.9, 0.25, together=True), 20, np.random.default_rng(1))
    assert (first.sum(axis=2) == second.sum(axis=2)).all()


@pytest.mark.parametrize("design", [Design(EQUAL, 0.75, 0.5), Design(UNEVEN, 0.6, 1.0), Design(TEN, 0.9, 0.25)])
def test_all_data_sets_at_once_are_measured_as_each_alone(design: Design) -> None:
    cells = measured(design, 3, np.random.default_rng(4))
    first, second = draw_sets(design, 3, np.random.default_rng(4))
    for place in range(3):
        rows = [
            (str(item), who, ";".join(str(label + 1) for label in np.flatnonzero(side[place, item])))
            for item in range(100)
            for who, side in (("1", first), ("2", second))
        ]
        frame = pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row")
        data = Annotations.from_frame(frame, separator=";")
        for name, measure in some(MEASURES.items()):
            agreement = measure(data)
            cell = cells[name]
            found = (cell.observed[place], cell.expected[place], cell.adjusted[place])
            assert found == pytest.approx((agreement.observed, agreement.expected, agreement.value), abs=1e-12)


def limits(categories: int, agreement: float, double: float) -> dict[str, float]:
    """Observed agreement in the limit of many items: one label each, one and two, two and two."""
    one, mixed, two = (1 - double) ** 2, 2 * double * (1 - double), double**2
    same = 1 / (categories - 1)
    return {
        "soft-match": agreement,
        "augmented": agreement * (one + mixed / 2 + two * (1 + same) / 4),
        "boot-match": agreement,
        "boot-F1": agreement * (one + mixed * 2 / 3 + two * (1 + same) / 2),
        "boot-precision": agreement * (one + mixed * 3 / 4 + two * (1 + same) / 2),
        "boot-recall": agreement * (one + mixed * 3 / 4 + two * (1 + same) / 2),
    }


@pytest.mark.parametrize("setting", [EQUAL, TEN], ids=lambda one: one.name)
@pytest.mark.parametrize("double", DOUBLE)
def test_means_are_those_of_arithmetic(setting: Setting, double: float) -> None:
    """Observed agreement exactly; expected agreement of equal categories up to what 100 items add to chance."""
    count = len(setting.shares)
    cells = measured(Design(setting, 0.75, double), 100, np.random.default_rng([1, count, round(4 * double)]))
    for name, limit in limits(count, 0.75, double).items():
        assert abs(cells[name].mean("observed") - limit) <= 4 * cells[name].error("observed") + 1e-12
    sizes = {1: 1 - double, 2: double}
    chance = sum(sizes[m] * sizes[n] * (1 - comb(count - m, n) / comb(count, n)) for m in (1, 2) for n in (1, 2))
    assert 0 <= cells["boot-match"].mean("expected") - chance < 0.01
    assert 0 <= cells["augmented"].mean("expected") - 1 / count < 0.01


# What it says


@pytest.fixture(scope="module")
def result() -> Any:
    return run(seed=3, quick=True)


def test_every_number_of_the_text_stands_beside_ours(result: Any) -> None:
    columns = result.table("numbers").columns
    assert columns["paper"] == [0.50, 0.69, 0.87, 0.21, 0.49, 0.20, 0.70, 0.11, 0.38, 0.67, 0.17, 0.60]
    for ours, paper, difference in zip(columns["ours"], columns["paper"], columns["difference"], strict=True):
        assert difference == pytest.approx(ours - paper)
    assert columns["agrees"] == [paper != 0.49 for paper in columns["paper"]]
    odd = columns["paper"].index(0.49)
    assert 0.58 < columns["ours"][odd] < 0.64
    assert (columns["measure"][odd], columns["agreement"][odd], columns["double labels"][odd]) == (
        "augmented",
        "90%",
        "25%",
    )


def test_all_cells_are_in_the_table(result: Any) -> None:
    columns = result.table("all").columns
    assert len(columns["measure"]) == (len(SETTINGS) * 15 + 1) * 6
    assert sum(columns["together"]) == 6
    assert set(result.charts) == {"figure-1", "ten-categories", "uneven-categories", "uneven-alike"}


def test_verdicts_of_the_full_size() -> None:
    """Those that do not depend on the seed: the numbers are many standard errors from the line."""
    findings = {one.statement: one.holds for one in run(seed=1).findings}
    assert len(findings) == 20
    assert [statement for statement, holds in findings.items() if holds is False] == [
        "Augmented kappa stays low where coders agree more.",
        "Augmented kappa is 0.49 for 90% intersection agreement and a quarter of double labels.",
        "Boot-F1 is higher than augmented kappa.",
        "From 5 to 10 categories adjusted agreement rises by 5 points.",
        "With uneven categories double labels cost boot-match less.",
    ]


def test_verdicts_turn_with_the_numbers() -> None:
    """Numbers made up so that nothing the paper says is true."""

    def flat(value: float) -> Cell:
        return Cell(*(np.array([value - 1e-3, value + 1e-3]) for _ in range(3)))

    designs = [Design(setting, a, d) for setting in SETTINGS for a in AGREEMENT for d in DOUBLE]
    wrong = {
        design: {
            name: flat(0.9 - 0.3 * design.double * (-1 if name == "soft-match" else 1) + 0.01 * place)
            for place, name in enumerate(MEASURES)
        }
        for design in designs
    }
    held = [one.statement for one in judge(wrong, wrong[designs[0]]) if one.holds]
    # Made-up numbers do not know of settings, and falling observed agreement is falling F1.
    assert not any(number.agrees(wrong) for number in NUMBERS)
    assert len(held) < 4, held


@pytest.mark.parametrize(
    ("values", "errors", "verdict"),
    [([-1, -2], [0.1, 0.1], True), ([-1, 1], [0.1, 0.1], False), ([-1, -0.1], [0.1, 0.1], None), ([0.1], [0.1], None)],
)
def test_a_verdict_is_open_where_the_simulation_cannot_tell(
    values: list[float], errors: list[float], verdict: Any
) -> None:
    assert _negative(np.array(values), np.array(errors)) is verdict


def test_a_number_agrees_within_rounding_and_error_and_no_further() -> None:
    design = Design(EQUAL, 0.6, 0.0)
    number = Number(0.50, "boot-match", "adjusted", (design,))
    for apart, agrees in ((0.0049, True), (0.0051, False), (-0.0049, True), (-0.0051, False)):
        exact = Cell(*(np.full(100, 0.50 + apart) for _ in range(3)))
        assert number.agrees({design: {"boot-match": exact}}) is agrees
    rough = Cell(*(np.tile([0.51, 0.53], 50) for _ in range(3)))
    assert not number.agrees({design: {"boot-match": rough}})
    rougher = Cell(*(np.tile([0.42, 0.62], 50) for _ in range(3)))
    assert number.agrees({design: {"boot-match": rougher}})
