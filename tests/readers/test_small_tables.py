"""What polars is asked of a small table: it takes longer to understand a question than to look at so few rows."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np
import polars as pl
import pytest

import assent
from assent.data import constructors
from assent.engines import WideTable, wide
from assent.readers import column_facts, recognised, reshape
from assent.readers.tables import Table

ROWS = [f"i{i % 25:02},w{i // 25},{'abc'[(i * 7 + i // 25) % 3]}" for i in range(100)]
LONG = ("item,annotator,label\n" + "\n".join(ROWS) + "\n").encode()


def questions(work: Callable[[], Any]) -> int:
    """Count the queries that polars runs."""
    return _counted(work, lambda frame, event, what: event == "c_call" and what.__name__ == "collect")


def calls(work: Callable[[], Any]) -> int:
    """Count how often a function of the package is called, or a generator of it goes on."""
    return _counted(
        work, lambda frame, event, _: event == "call" and f"{os.sep}assent{os.sep}" in frame.f_code.co_filename
    )


def _counted(work: Callable[[], Any], wanted: Callable[[FrameType, str, Any], bool]) -> int:
    """Count events of work that was done before."""
    made = 0

    def count(frame: FrameType, event: str, what: Any) -> None:
        nonlocal made
        made += wanted(frame, event, what)

    for _ in range(3):
        work()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return made


ARRAY = np.random.default_rng(0).integers(0, 4, (25, 4))
NAMES = np.array(["negative", "neutral", "positive", "mixed"])[ARRAY]
GAPS = np.where(np.random.default_rng(1).random(ARRAY.shape) < 0.1, np.nan, ARRAY)
TRIPLES = [(f"w{j}", f"i{i}", str(NAMES[i, j])) for i in range(25) for j in range(4)]
FRAME = pl.DataFrame(TRIPLES, schema=["annotator", "item", "label"], orient="row")
ITEMS = [f"i{i}" for i in range(25)]
WIDE = pl.DataFrame({"item": ITEMS, **dict(zip(("ann", "bob", "cid", "dan"), NAMES.T.tolist(), strict=True))})
WIDE_FILE = WIDE.write_csv().encode()
#: What is measured, and how many calls it may take; a tenth more than it took when this was written.
MEASURED: dict[str, tuple[Callable[[], Any], int]] = {
    "file": (lambda: assent.krippendorff_alpha(assent.read(io.BytesIO(LONG))), 1650),
    "array": (lambda: assent.krippendorff_alpha(ARRAY), 112),
    "array with gaps": (lambda: assent.krippendorff_alpha(GAPS), 117),
    "array of text": (lambda: assent.krippendorff_alpha(NAMES), 112),
    "rows": (lambda: assent.krippendorff_alpha(ARRAY.tolist()), 120),
    "two lists": (lambda: assent.cohen_kappa(NAMES[:, 0].tolist(), NAMES[:, 1].tolist()), 453),
    "triples": (lambda: assent.krippendorff_alpha(TRIPLES), 1090),
    "table": (lambda: assent.krippendorff_alpha(FRAME), 198),
    "wide table": (lambda: assent.krippendorff_alpha(WIDE), 1720),
    "wide file": (lambda: assent.krippendorff_alpha(assent.read(io.BytesIO(WIDE_FILE))), 2190),
}


@pytest.mark.parametrize("what", MEASURED)
def test_a_small_table_is_measured_with_few_calls_and_without_a_query(what: str) -> None:
    work, most = MEASURED[what]
    assert questions(work) == 0
    assert 0.5 * most <= calls(work) <= most


def test_what_is_no_number_is_one_value_of_an_array() -> None:
    assert np.isnan(GAPS).sum() > 1
    cells = constructors._cells(GAPS)[2]
    assert isinstance(cells, wide.Coded)
    assert sorted(cells.values, key=str) == ["0", "1", "2", "3", None]


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


@pytest.mark.parametrize("nested", [frozenset(), frozenset({"b"})])
def test_the_sample_of_few_rows_is_that_of_many(monkeypatch: pytest.MonkeyPatch, nested: frozenset[str]) -> None:
    cells = ["x", None, "", " ", "\u2003", "\x1c", "\x85\t", "NA", "na", "x y"]
    table = Table(
        "t", pl.DataFrame({"a": cells, "b": cells[::-1], "": [None] * 10}, schema_overrides={"": pl.String}), nested
    )
    few = recognised.sample_of(table, {"NA", "?"})
    monkeypatch.setattr(recognised, "FEW", -1)
    many = recognised.sample_of(table, {"NA", "?"})
    assert few.equals(many)
    assert few.schema == many.schema
    assert few["a"].to_list() == ["x", None, None, None, None, "\x1c", None, None, "na", "x y"]
