"""A few rows in this process are counted one by one, and give what an engine gives."""

from __future__ import annotations

from unittest import mock

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assent
from assent.engines import Rows, few, track_transfers
from assent.errors import AssentError

CELLS = {
    "texts": st.sampled_from(["a", "b", "c", "", " ", "NA", "?", None]),
    "whole numbers": st.sampled_from([1, 2, 10, -3, None]),
    "fractions": st.sampled_from([0.5, 1.0, -0.0, 0.0, float("nan"), None]),
    "truth values": st.sampled_from([True, False, None]),
}
WHO = st.sampled_from(["x", "y", "z", None])
ITEMS = st.sampled_from([0, 1, 2, 3, 4, 5, None])


def told(frame, **options) -> list:
    """Return all that is known of a table, or why it is refused."""
    seen: list = []
    try:
        with track_transfers(seen.append):
            data = assent.Annotations.from_frame(frame, **options)
            counts, ratings = data._counts, data._ratings
    except AssentError as error:
        return [type(error), str(error)]
    listing = data.to_rows()
    return [
        data.to_dict(), data.annotators, np.asarray(counts.counts).tolist(), counts.multiplicities.tolist(),
        counts.counts.dtype, counts.multiplicities.dtype,
        ratings.profile.tolist(), ratings.annotator.tolist(), ratings.label.tolist(), ratings.multiplicities.tolist(),
        listing.items, listing.item.tolist(), listing.label.tolist(), listing.annotator.tolist(),
        # To an engine nothing and no number are two kinds of gaps.
        [(one.question, one.rows if one.question != "labels" else None, one.engine, one.local) for one in seen],
    ]  # fmt: skip


def both(frame, **options) -> tuple[list, list]:
    """Return what a table gives if its rows are counted one by one, and by its engine."""
    quick = told(frame, **options)
    with mock.patch.object(few, "FEW", -1):
        return quick, told(frame, **options)


@pytest.mark.parametrize("engine", ["polars", "pandas", "pyarrow"])
@settings(deadline=None)
@given(st.data())
def test_few_rows_give_what_the_engine_gives(engine, data):
    labels = CELLS[data.draw(st.sampled_from(sorted(CELLS)))]
    rows = data.draw(st.lists(st.tuples(ITEMS, WHO, labels), min_size=1, max_size=20))
    columns = dict(zip(("item", "annotator", "label"), zip(*rows, strict=True), strict=True))
    frame = pl.DataFrame(columns, strict=False)
    native = {"polars": lambda: frame, "pandas": frame.to_pandas, "pyarrow": frame.to_arrow}[engine]()
    quick, slow = both(native, missing=["?"], duplicates=data.draw(st.sampled_from(["error", "first"])))
    assert quick == slow


def test_rows_are_counted_one_by_one_up_to_a_number(monkeypatch):
    frame = pl.DataFrame({"item": [1, 1, 2, 2], "annotator": ["x", "y", "x", "y"], "label": ["a", "a", "b", "a"]})
    monkeypatch.setattr(few, "FEW", 4)
    assert assent.Annotations.from_frame(frame)._source._few is not None
    monkeypatch.setattr(few, "FEW", 3)
    assert assent.Annotations.from_frame(frame)._source._few is None
    assert assent.Annotations.from_frame(frame.lazy())._source._few is None


@pytest.mark.parametrize(
    "item",
    [
        pl.Series([1, 2, 3, 4], dtype=pl.Datetime("ns")),
        pl.Series(["a", "a", "b", "b"], dtype=pl.Categorical),
        pl.Series([[1], [1], [2], [2]]),
    ],
)
def test_values_that_python_may_compare_otherwise_are_left_to_the_engine(item):
    """Two times that are a nanosecond apart are one time in Python."""
    frame = pl.DataFrame({"item": item, "annotator": ["x", "y", "x", "y"], "label": ["a", "a", "b", "a"]})
    quick, slow = both(frame)
    assert quick == slow
    rows = Rows(frame, item="item", annotator="annotator", label="label", cluster=None, missing=())
    assert rows._few is None


@pytest.mark.parametrize("options", [{"label": "tone"}, {"annotator": "item"}, {"columns": ["time"]}])
def test_columns_that_cannot_be_taken_are_refused_alike(options):
    frame = pl.DataFrame({"item": [1, 1], "annotator": ["x", "y"], "label": ["a", "b"]})
    quick, slow = both(frame, **options)
    assert quick == slow
    assert issubclass(quick[0], AssentError)


def test_clusters_are_counted_by_the_engine():
    frame = pl.DataFrame(
        {"item": [1, 1, 2, 2], "annotator": ["x", "y"] * 2, "label": ["a", "a", "b", "a"], "text": [1, 1, 2, 2]}
    )
    quick, slow = both(frame, cluster="text")
    assert quick == slow
    assert assent.Annotations.from_frame(frame, cluster="text")._counts.units is not None
