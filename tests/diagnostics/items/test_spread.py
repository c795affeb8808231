"""How agreement is spread over items, and the most disputed of them, without a look at every item."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.tables import STABLE, Rows, annotations, tables
from tests.support import on_engines

import assent
from assent import Annotations
from assent.analyses.items.agreement import disputed_items, item_spread
from assent.engines import items as item_tables
from assent.engines import track_transfers


def compare(data: Annotations, number: int, **options: Any) -> None:
    """Compare with what a look at every item gives."""
    every = assent.items(data, **options)
    spread = item_spread(data, scale=options.get("scale"))
    known = every.agreement[~np.isnan(every.agreement)]
    assert (spread.total, spread.single) == (len(every.names), int(np.count_nonzero(every.annotations < 2)))
    assert spread.full == int(np.count_nonzero(known == 1.0))
    assert spread.mean == pytest.approx(known.mean() if len(known) else np.nan, abs=1e-12, nan_ok=True)
    assert spread.histogram(7).tolist() == every.histogram(7).tolist()
    assert spread.notes == every.notes
    _, worst = disputed_items(data, spread, number)
    expected = every.filtered(min_annotations=2).head(number)
    assert list(worst.rows()) == list(expected.rows())


@given(tables(), st.integers(1, 12))
@STABLE
def test_it_is_what_a_look_at_every_item_gives(rows: Rows, number: int) -> None:
    data = annotations(rows)
    compare(data, number)
    compare(data.merged({data.labels[0]: data.labels[-1]}), number)


@given(tables(), st.integers(1, 12))
@STABLE
def test_so_it_is_on_a_scale(rows: Rows, number: int) -> None:
    data = annotations(rows)
    compare(data.ordered(sorted(data.labels, reverse=True)), number, scale="ordinal")


@pytest.mark.parametrize("limit", ["MOST_LOOKED_UP", "DIGIT_COLUMNS"])
@pytest.mark.parametrize("scale", [None, "ordinal"])
def test_so_it_is_where_kinds_of_items_are_too_many_to_look_up(
    limit: str, scale: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(item_tables, limit, 0)
    rng = np.random.default_rng(1)
    data = Annotations.from_array(rng.integers(1, 5, size=(60, 4)))
    compare(data, 10, scale=scale)


def test_an_engine_that_knows_no_scale_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    import duckdb

    monkeypatch.setattr(item_tables, "MOST_LOOKED_UP", 0)
    rng = np.random.default_rng(1)
    frame = pl.DataFrame(
        {"item": np.repeat(np.arange(40), 3), "annotator": np.tile([0, 1, 2], 40), "label": rng.integers(1, 5, 120)}
    )
    data = Annotations.from_frame(duckdb.from_arrow(frame.to_arrow()))
    spread = item_spread(data, scale="ordinal")
    _, worst = disputed_items(data, spread, 5)
    assert "by how many labels are equal" in worst.notes[0]
    assert len(worst) == 5


def test_a_table_of_counts_has_a_spread_too() -> None:
    compare(Annotations.from_counts([[3, 0], [1, 2], [2, 2], [1, 0]] * 3, labels=["y", "n"]), 4)
    compare(Annotations.from_contingency([[3, 1], [2, 4]], labels=["y", "n"]), 4)


def test_items_with_one_annotation_have_no_disputes() -> None:
    data = Annotations.from_array([["a", None], [None, "b"], ["a", None]])
    spread = item_spread(data)
    assert (spread.total, spread.single, spread.full) == (3, 3, 0)
    assert np.isnan(spread.mean)
    _, worst = disputed_items(data, spread, 5)
    assert len(worst) == 0


#: In the order they must come in: numbers by value, then all else by code point.
NAMES = ["-3", "0.5", "2", "10", "1e3", "2000", "1e999x", "A", "Z9", "a10", "a2", "b", "é", "٣"]


@pytest.mark.nightly_on_spark
@pytest.mark.parametrize(("native", "number"), on_engines([3, 7, len(NAMES)], [len(NAMES)]), indirect=["native"])
def test_names_come_in_one_order_on_every_engine(native: Any, number: int) -> None:
    rows = [(name, who, label) for name in reversed(NAMES) for who, label in (("x", "p"), ("y", "q"))]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row")
    here, there = Annotations.from_frame(frame), Annotations.from_frame(native(frame))
    assert list(assent.items(here).columns()["item"]) == NAMES
    seen = []
    with track_transfers(seen.append):
        _, worst = disputed_items(there, item_spread(there), number)
    assert worst.columns()["item"] == NAMES[:number]
    assert sorted(assent.items(there._most_disputed(number)).columns()["item"]) == sorted(NAMES[:number])
    assert not [one for one in seen if one.question == "annotations" and not one.local]


def test_only_texts_of_disputed_items_are_brought_along() -> None:
    rows = [(i, who, "xy"[i % 2 == 0 and who == "b"], f"text {i}", None) for i in range(30) for who in "ab"]
    rows[0] = (0, "a", "x", "another text", None)
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label", "text", "rest"], orient="row")
    data = Annotations.from_frame(frame, columns=["text", "rest"])
    _, worst = disputed_items(data, item_spread(data), 4, text="text")
    assert [row.text for row in worst.rows()] == ["another text", "text 2", "text 4", "text 6"]
    assert worst.notes == ("1 item with different texts in different rows: the first is shown.",)
