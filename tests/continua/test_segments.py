"""Costs of turning boundaries into others, against a plain table of all prefixes."""

import numpy as np
import pytest

from assent.continua.segments import edit_cost


def _plain(first: list[int], second: list[int]) -> float:
    table = [[0.0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i in range(len(first) + 1):
        for j in range(len(second) + 1):
            ways = [table[i - 1][j] + 1] if i else []
            ways += [table[i][j - 1] + 1] if j else []
            ways += [table[i - 1][j - 1] + abs(first[i - 1] - second[j - 1]) / 2] if i and j else []
            table[i][j] = min(ways, default=0.0)
    return table[-1][-1]


def test_it_is_the_least_cost() -> None:
    rng = np.random.default_rng(5)
    for _ in range(400):
        one, two = (np.flatnonzero(rng.random(40) < share) for share in rng.random(2) * 0.7)
        assert edit_cost(one, two) == pytest.approx(_plain(one.tolist(), two.tolist()), abs=1e-12)
        assert edit_cost(one, two) == pytest.approx(edit_cost(two, one), abs=1e-12)
