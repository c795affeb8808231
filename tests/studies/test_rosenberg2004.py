"""The study of Rosenberg & Binkowski (2004): the example, corpora of known kinds, and what the sweep finds in them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import assent
from assent.analyses.sweep import CLASSES
from studies.rosenberg2004 import ANNOTATORS, COMBINATIONS, KINDS, LABELS, TABLE_2, TABLE_3, draw_corpus, run

pytestmark = pytest.mark.nightly


@pytest.fixture(scope="module")
def result() -> Any:
    return run(seed=2, quick=True)


def test_the_example_is_that_of_the_paper(result: Any) -> None:
    columns = result.table("example").columns
    cells = [list(row) for row in zip(*(columns[label] for label in "abcd"), strict=True)]
    assert cells[:5] == [list(row) for row in TABLE_2]
    assert cells[5] == [1, 2.4, 1.6, 0]
    assert cells[6] == list(TABLE_3)


@pytest.mark.parametrize("p", [0.5, 0.6, 0.75, 0.9, 1.0])
def test_the_formulas_are_what_the_combinations_give(result: Any, p: float) -> None:
    columns = result.table("combinations").columns
    for value, formula in zip(columns[f"p = {p:g}"], columns["agreement"], strict=True):
        plain = formula.replace("²", "**2").replace("2 p (", "2 * p * (").replace("p (1", "p * (1")
        assert value == pytest.approx(eval(plain, {"p": p}), abs=1e-15)
    assert len(columns["labels"]) == len(COMBINATIONS) == 10


def test_a_corpus_holds_what_its_kinds_say() -> None:
    data, kinds = draw_corpus(np.random.default_rng(6))
    assert Counter(kinds) == {kind: number for kind, (number, _) in KINDS.items()}
    assert data.annotators == ANNOTATORS
    assert set(data.single_labels) == set(LABELS)
    items = assent.sweep(data, points=2, ci="none").items
    for place, name in enumerate(items.names):
        given = [tuple(labels) for labels in items.labels(place).values()]
        kind = kinds[int(name)]
        if kind == "clear":
            assert len(set(given)) == 1
            assert len(given[0]) == 1
        elif kind == "secondary at will":
            assert len({labels[0] for labels in given}) == 1
        elif kind == "swapped":
            assert len({frozenset(labels) for labels in given}) == 1
            assert {len(labels) for labels in given} == {2}


def test_the_sweep_finds_what_was_put_in(result: Any) -> None:
    columns = result.table("classes").columns
    assert columns["messages"] == [8 * number for number, _ in KINDS.values()]
    rows = [[columns[name][i] for name in CLASSES] for i in range(4)]
    assert [sum(row) for row in rows] == columns["messages"]
    clear, disputed, wilful, swapped = rows
    assert clear == [736, 0, 0, 0]
    assert disputed[1] > 0.7 * sum(disputed)
    # Nobody gives a secondary label in 0.3³ of the messages of the third kind; all rank alike in a quarter of the fourth.
    assert wilful[0] + wilful[2] == sum(wilful)
    assert abs(wilful[0] / sum(wilful) - 0.027) < 4 * (0.027 * 0.973 / sum(wilful)) ** 0.5
    assert swapped[2] + swapped[3] == sum(swapped)
    assert abs(swapped[2] / sum(swapped) - 0.25) < 4 * (0.25 * 0.75 / sum(swapped)) ** 0.5


def test_verdicts(result: Any) -> None:
    holds = {one.statement: one.holds for one in result.findings}
    assert [statement for statement, held in holds.items() if not held] == [
        "A higher value at p = 1 shows that secondary labels are used inconsistently."
    ]
    assert len(holds) == 7


def test_the_sweep_is_shown_beside_the_papers_numbers(result: Any) -> None:
    columns = result.table("sweep").columns
    assert (columns["p"][0], columns["p"][-1]) == (0.5, 1.0)
    assert [one for one in columns["paper"] if one is not None] == [0.281, 0.299]
    assert all(
        low < value < high for low, value, high in zip(columns["low"], columns["kappa"], columns["high"], strict=True)
    )
    assert set(result.charts) == {"sweep", "combinations"}
