"""Explanations of rankings: every line is right as printed, and the last number is the one that measuring gives."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from tests.explain.checking import check, ends, formulas

import assent
from assent.analyses.explain import explain
from assent.examples import example

#: Twenty random lists: objects x annotators, with ties.
TIED = [np.random.default_rng(seed).integers(1, 5, (6, 3)).tolist() for seed in range(20)]


def several(tables: list[list[list[int]]]) -> assent.Rankings:
    rows = [
        (f"list {at}", f"annotator {j}", f"object {i}", rank)
        for at, table in enumerate(tables)
        for i, row in enumerate(table)
        for j, rank in enumerate(row)
    ]
    return assent.Rankings.from_rows(rows)


@pytest.mark.parametrize("measure", ["kendall-w", "mean-spearman", "mean-kendall"])
@pytest.mark.parametrize("seed", range(8))
def test_one_list_and_several_without_ties(measure: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    m, n = int(rng.integers(2, 7)), int(rng.integers(3, 12))
    tables = [np.array([rng.permutation(n) + 1 for _ in range(m)]).T.tolist() for _ in range(1 + 11 * (seed % 2))]
    data = assent.Rankings.from_matrix(tables[0]) if len(tables) == 1 else several(tables)
    found = explain(data, measure)
    lines = formulas(found)
    for line in lines:
        check(line)
    assert float(ends(lines[-1]) or 0) == pytest.approx(assent.all_measures()[measure](data).value, abs=6e-5)
    assert "as measured" not in found.text()


@pytest.mark.parametrize("table", TIED)
def test_kendall_w_allows_for_ties(table: list[list[int]]) -> None:
    data = assent.Rankings.from_matrix(table)
    lines = formulas(explain(data, "kendall-w"))
    for line in lines:
        check(line)
    assert float(ends(lines[-1]) or 0) == pytest.approx(assent.kendall_w(data).value, abs=6e-5)


def test_the_first_list_is_worked_out_and_the_others_are_averaged() -> None:
    found = explain(example("rankings").data(), "kendall-w")
    assert [step.heading for step in found.steps] == [
        "Ranks",
        "How far the sums are apart",
        "The share of what is possible",
        "Mean over lists",
    ]
    assert formulas(found)[1:] == [
        "S = (10 − 12)² + (5 − 12)² + (9 − 12)² + (17 − 12)² + (19 − 12)² = 136",
        "W(prompt-01) = 12 × 136 / (4² × (125 − 5)) = 1632 / 1920 = 0.85",
        "W = 15.225 / 20 = 0.76125",
    ]


def test_correlations_of_the_first_list() -> None:
    data = example("rankings").data()
    spearman, kendall = (explain(data, name) for name in ("mean-spearman", "mean-kendall"))
    assert formulas(spearman)[0] == "ρ(ines, jon) = 1 − 6 × 2 / (5 × (5² − 1)) = 1 − 12/120 = 0.90"
    assert formulas(kendall)[0] == "τ(ines, jon) = (9 − 1) / 10 = 8 / 10 = 0.80"


def test_a_term_below_0_is_subtracted() -> None:
    data = assent.Rankings.from_matrix([[3, 2, 3], [1, 3, 1], [2, 1, 2]])
    found = explain(data, "mean-kendall")
    assert formulas(found)[-1] == "τ ≈ (−0.3333 + 1 − 0.3333) / 3 ≈ 0.1111"
    assert r"\frac{-0.3333 + 1 - 0.3333}{3}" in found.latex()
    assert r"\tau" in found.latex()


def test_what_has_roots_or_gaps_is_shown_as_measured() -> None:
    tied = assent.Rankings.from_matrix([[1, 1], [2, 3], [2, 2]])
    gaps = assent.Rankings.from_matrix([[1, 1, 2], [2, 2, 1], [3, 3, None], [4, 4, 3]])
    for data, name in ((tied, "mean-spearman"), (tied, "mean-kendall"), (gaps, "kendall-w"), (gaps, "mean-spearman")):
        assert "These numbers are as measured" in explain(data, name).text(), name
    alike = assent.Rankings.from_matrix([[1, 1], [1, 1], [1, 1]])
    assert "undefined" in explain(alike, "kendall-w").text()


def test_ties_of_many_objects_are_counted_without_comparing_each_with_all_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared: list[int] = []
    same = Fraction.__eq__
    monkeypatch.setattr(Fraction, "__eq__", lambda one, other: compared.append(1) or same(one, other))
    rng = np.random.default_rng(1)
    table = np.array([rng.permutation(600) // 2 + 1 for _ in range(3)]).T
    data = assent.Rankings.from_matrix(table.tolist())
    assert ends(formulas(explain(data, "kendall-w"))[-1])
    assert len(compared) < 20 * table.size
