"""Agreement of annotators with themselves."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from tests.support import some

import assent
from assent import InputError, OptionError, self_consistency
from assent.analyses.annotators.repeats import both_passes
from assent.data.long_rows import LongRows
from assent.errors import DuplicateAnnotations


def listed(rows: list[tuple[str, str, str, str | None]]) -> LongRows:
    """A listing of (item, annotator, label, pass) rows."""
    items, annotators, labels = (list(dict.fromkeys(row[i] for row in rows)) for i in range(3))
    return LongRows(
        items=items,
        labels=tuple(labels),
        annotators=tuple(annotators),
        item=np.array([items.index(row[0]) for row in rows]),
        annotator=np.array([annotators.index(row[1]) for row in rows]),
        label=np.array([labels.index(row[2]) for row in rows]),
        columns={"pass": [row[3] for row in rows]},
    )


def drawn(seed: int) -> list[tuple[str, str, str, str | None]]:
    rng = np.random.default_rng(seed)
    rows: list[tuple[str, str, str, str | None]] = []
    for annotator in "xyz":
        for item in range(40):
            label = "abc"[rng.integers(3)]
            for number in range(int(rng.integers(1, 4))):
                said = label if rng.random() < 0.7 else "abc"[rng.integers(3)]
                rows.append((str(item), annotator, said, str(number + 1)))
    return [rows[i] for i in rng.permutation(len(rows))]


def slowly(rows: Any, annotator: str) -> tuple[int, float, float]:
    """Items seen again, share of later labels like the first, and the same by chance."""
    seen: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for item, who, label, number in rows:
        if who == annotator:
            seen[item].append((float(number), label))
    again = [[label for _, label in sorted(labels)] for labels in seen.values() if len(labels) > 1]
    observed = np.mean([np.mean([label == labels[0] for label in labels[1:]]) for labels in again])
    expected = sum(
        np.mean([labels[0] == one for labels in again])
        * np.mean([np.mean([label == one for label in labels[1:]]) for labels in again])
        for one in "abc"
    )
    return len(again), float(observed), float(expected)


def test_it_is_what_loops_give() -> None:
    rows = drawn(0)
    found = self_consistency(listed(rows), "pass")
    for place, annotator in some(enumerate(found.annotators)):
        items, observed, expected = slowly(rows, annotator)
        assert found.items[place] == items
        assert found.observed[place] == pytest.approx(observed)
        assert found.expected[place] == pytest.approx(expected)
        assert found.value[place] == pytest.approx((observed - expected) / (1 - expected))
        assert 0 < found.low[place] < observed < found.high[place] < 1


def test_who_saw_nothing_again_has_no_number() -> None:
    found = self_consistency(listed([("i", "x", "a", "1"), ("i", "x", "a", "2"), ("i", "y", "a", "1")]), "pass")
    assert found.items.tolist() == [1, 0]
    assert found.observed[0] == 1
    assert np.isnan([found.observed[1], found.low[0], found.low[1], found.value[0]]).all()


def test_times_tell_passes_apart_as_numbers_do() -> None:
    rows = [("i", "x", "a", "2024-05-01"), ("i", "x", "b", "2024-06-01"), ("j", "x", "a", "2024-05-02")]
    assert self_consistency(listed(rows), "pass").observed.tolist() == [0.0]


def test_what_does_not_say_which_came_first_is_refused() -> None:
    with pytest.raises(DuplicateAnnotations, match='Item "i" has two labels by "x" with the same "pass"'):
        self_consistency(listed([("i", "x", "a", "1"), ("i", "x", "b", "1")]), "pass")
    with pytest.raises(InputError, match='column "pass" is empty in some rows'):
        self_consistency(listed([("i", "x", "a", "1"), ("i", "x", "b", None)]), "pass")
    with pytest.raises(OptionError, match='column "when" was not kept'):
        self_consistency(listed([("i", "x", "a", "1")]), "when")


def passes(tmp_path: Any, text: str) -> tuple[LongRows, LongRows]:
    path = tmp_path / "labels.csv"
    path.write_text("item,annotator,label,pass\n" + text)
    first, last = (assent.read(path, duplicates=which, columns=["pass"]).to_rows("pass") for which in ("first", "last"))
    return first, last


def test_two_readings_of_a_table_bring_the_passes_together(tmp_path: Any) -> None:
    text = "i,x,a,1\ni,y,a,1\nj,x,b,1\nj,y,b,1\ni,x,b,2\nj,y,b,2\ni,x,a,3\n"
    both = both_passes(*passes(tmp_path, text), "pass")
    found = self_consistency(both, "pass")
    by_name = dict(zip(found.annotators, zip(found.items.tolist(), found.observed.tolist(), strict=True), strict=True))
    # Of the three labels that x gave i, the first and the last are compared.
    assert by_name == {"x": (1, 1.0), "y": (1, 1.0)}


def test_rows_out_of_order_and_doubled_rows_are_said(tmp_path: Any) -> None:
    with pytest.raises(InputError, match='Item "i" by "x" has a lower "pass" further down'):
        both_passes(*passes(tmp_path, "i,x,a,2\ni,x,b,1\ni,y,b,1\n"), "pass")
    both = both_passes(*passes(tmp_path, "i,x,a,1\ni,x,b,1\ni,y,b,1\n"), "pass")
    with pytest.raises(DuplicateAnnotations, match="with the same"):
        self_consistency(both, "pass")
    # The same row twice is one label, not a repeat.
    same = both_passes(*passes(tmp_path, "i,x,a,1\ni,x,a,1\ni,y,b,1\n"), "pass")
    assert self_consistency(same, "pass").items.tolist() == [0, 0]
