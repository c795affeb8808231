"""Sums over the meetings of every two annotators, against loops, in each way to store and to compare them."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from assent import Annotations
from assent.measures import meetings
from assent.measures.meetings import Meetings

#: Sets of five annotators, some of whom skipped items; two items are alike.
ROWS: list[list[str | None]] = [
    ["a;b", "a", None, "c", "b"], ["a", "a;b", "c", None, None], ["a", "a;b", "c", None, None], [None, "b", "b;c", "a", "a;c"],
    ["c", None, "c", "a;b;c", None], ["b", "b", None, None, "a"],
]  # fmt: skip
LIMITS = [
    {}, {"MOST_MEET": 0.0}, {"MOST_MEET": 2.0}, {"SPARSE_CELLS": 0}, {"SPARSE_CELLS": 0, "MOST_MEET": 2.0}, {"MEETINGS_KEPT": 0},
    {"MEETINGS_KEPT": 7}, {"MEETINGS_KEPT": 0, "MOST_MEET": 0.0},
]  # fmt: skip


def given() -> Any:
    found = {
        "item": [str(i) for i, row in enumerate(ROWS) for one in row if one],
        "annotator": [f"j{k}" for row in ROWS for k, one in enumerate(row) if one],
        "label": [one for row in ROWS for one in row if one],
    }
    import polars as pl

    return Annotations.from_frame(pl.DataFrame(found), separator=";")._as_sets()


@pytest.mark.parametrize("limits", LIMITS)
def test_sums_of_meetings_are_those_of_loops(limits: dict[str, float], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in limits.items():
        monkeypatch.setattr(meetings, name, value)
    data = given()
    items = data._ratings
    found = Meetings.of(items)
    sets = ["".join(sorted(data._sets.labels[one] for one in members)) for members in data._sets.members]
    place = [[sets.index("".join(sorted(one.split(";")))) if one else -1 for one in row] for row in ROWS]
    pairs = [(first, second) for first, second in combinations(range(5), 2)]
    assert list(zip(found.first.tolist(), found.second.tolist(), strict=True)) == pairs
    met = [[(row[a], row[b]) for row in place if row[a] >= 0 and row[b] >= 0] for a, b in pairs]
    assert found.number.tolist() == [len(one) for one in met]

    table = np.arange(4.0 * len(sets)).reshape(len(sets), 4)
    table[table % 3 == 0] = 0.0
    for side in (0, 1):
        known = [sum((table[both[side]] for both in one), np.zeros(4)) for one in met]
        for name in ("", f"by {side}", f"by {side}"):
            assert found.total_by_set(table, side, name).tolist() == pytest.approx(np.array(known))
            assert found.total_of(table, found.sides[side], name and f"{name}, each") == pytest.approx(np.array(known))

    def apart(one: Any, two: Any) -> Any:
        return 10.0 * one + two

    for width in (1, 3, 10**9):
        known_sums = [sum(10.0 * a + b for a, b in one) for one in met]
        assert found.total(found.for_each(apart, width)).tolist() == pytest.approx(known_sums)
        known_sums = [sum(10.0 * b + a for a, b in one) for one in met]
        turned = found.for_each(apart, width, found.sides[::-1])
        assert found.total(turned.copy).tolist() == pytest.approx(known_sums)
