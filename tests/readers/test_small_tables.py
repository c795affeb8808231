"""What polars is asked of a small table: it takes longer to understand a question than to look at so few rows."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np
import polars as pl
import pytest

import assent
from assent.engines import WideTable, wide
from assent.readers import column_facts, reshape

ROWS = [f"i{i % 25:02},w{i // 25},{'abc'[(i * 7 + i // 25) % 3]}" for i in range(100)]
LONG = ("item,annotator,label\n" + "\n".join(ROWS) + "\n").encode()


def questions(work: Callable[[], Any]) -> int:
    """Count the queries that polars runs."""
    asked = 0

    def count(frame: FrameType, event: str, what: Any) -> None:
        nonlocal asked
        if event == "c_call" and what.__name__ == "collect":
            asked += 1

    work()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return asked


def test_a_small_file_is_read_and_measured_with_few_queries() -> None:
    asked = questions(lambda: assent.krippendorff_alpha(assent.read(io.BytesIO(LONG))).value)
    # Reading, a sample, two passes for labels and annotators, two over the rows; the others are conversions of a column.
    assert 4 <= asked <= 16


def test_a_small_array_is_counted_without_a_query() -> None:
    array = np.random.default_rng(0).integers(0, 3, (25, 4))
    # One query turns the numbers into texts.
    assert questions(lambda: assent.krippendorff_alpha(array).value) <= 1


@pytest.mark.parametrize("rows", [2, 25, 100])
def test_few_rows_are_counted_as_polars_counts_them(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    array = np.random.default_rng(rows).integers(0, 2, (rows, 3)).astype(object)
    array[0, 0] = None
    plain = assent.Annotations.from_array(array)
    monkeypatch.setattr(wide, "FEW", 1)
    monkeypatch.setattr(wide, "MOST_DIFFERENT", 1.0)
    asked = assent.Annotations.from_array(array)
    for data in (plain, asked):
        assert isinstance(data._source._native, WideTable)
    assert plain._counts.counts.tolist() == asked._counts.counts.tolist()
    assert plain._counts.multiplicities.tolist() == asked._counts.multiplicities.tolist()
    assert plain.to_dict() == asked.to_dict()


def test_rows_of_a_sample_are_compared_alike_in_small_and_large_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    import polars as pl

    rng = np.random.default_rng(1)
    sample = pl.DataFrame(
        {name: [None if value == 0 else f"t{value}" for value in rng.integers(0, 9, 60)] for name in "abc"}
    )
    for columns in (("a",), ("a", "b"), ("a", "b", "c")):
        plain = column_facts.filled_rows(sample, *columns)
        with monkeypatch.context() as patch:
            patch.setattr(column_facts, "_FEW", 1)
            assert column_facts.filled_rows(sample, *columns) == plain
        assert plain[1] < plain[0] < 60 or columns == ("a", "b", "c")


def test_ranks_of_all_items_are_written_out_only_where_there_may_be_some(monkeypatch):
    """A table of a million items with five labels holds no ranks, and no text is made for each item to find that out."""
    made: list[int] = []
    monkeypatch.setattr(reshape, "range", lambda *ends: made.append(1) or range(*ends), raising=False)
    labels = pl.DataFrame({"ann": ["x", "y"] * 50, "bob": ["x", "x"] * 50})
    assert not reshape._hold_ranks(labels, ["ann", "bob"], transposed=False)
    assert made == []
    ranks = pl.DataFrame({"ann": [1, 2, 3, 4], "bob": [4, 3, 2, 1]})
    assert reshape._hold_ranks(ranks, ["ann", "bob"], transposed=False)
    assert made == [1]
