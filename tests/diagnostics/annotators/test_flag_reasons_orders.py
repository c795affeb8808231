"""Which label each label should be read as: every order tried, against the assignment that scipy finds."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from assent.analyses.annotators.flag_reasons import _best


@pytest.mark.parametrize("labels", [1, 2, 3, 4, 6, 7, 9])
@pytest.mark.parametrize("seed", range(8))
def test_the_best_reading_agrees_most(labels: int, seed: int) -> None:
    table = np.random.default_rng([labels, seed]).integers(0, 9, (labels, labels)).astype(float)
    rows, columns = linear_sum_assignment(table, maximize=True)
    found = _best(table)
    assert sorted(found.tolist()) == list(range(labels))
    assert table[np.arange(labels), found].sum() == table[rows, columns].sum()


def test_labels_stay_as_they_are_if_that_is_no_worse() -> None:
    assert _best(np.ones((4, 4))).tolist() == [0, 1, 2, 3]
    assert _best(np.zeros((3, 3))).tolist() == [0, 1, 2]
