"""Items written by the engine: the same as worked out here, and no item comes here on the way."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engines.test_parity import TABLES
from tests.support import on_engines

import assent
from assent import Annotations
from assent.engines import items as item_tables
from assent.engines import text_of, track_transfers
from assent.errors import InputError, OptionError, UnsuitableData

COLUMNS = ["item", "annotations", "distinct_labels", "agreement", "entropy", "majority", "margin"]


def written(data: Annotations, folder, name: str = "items", **options) -> dict[str, dict]:
    """Have the engine write the items, and read them back by name."""
    seen = []
    with track_transfers(seen.append):
        data.write_items(str(folder / name), **options)
    assert seen == [], "something left the engine"
    table = pl.read_parquet(folder / name / "*.parquet")
    assert table.columns == COLUMNS
    return {text_of(row["item"]): row for row in table.iter_rows(named=True)}


def compare(found: dict[str, dict], data: Annotations) -> None:
    """Compare with what is worked out here."""
    expected = {row.item: row.to_dict() for row in assent.items(data).rows()}
    assert found.keys() == expected.keys()
    for name, row in expected.items():
        other = found[name]
        assert other["annotations"] == row["annotations"]
        assert other["distinct_labels"] == len(row["counts"])
        assert other["agreement"] == row["agreement"]
        assert other["margin"] == row["margin"]
        # Engines add up logarithms in an order of their own.
        assert other["entropy"] == pytest.approx(row["entropy"], abs=1e-12)
        assert math.copysign(1, other["entropy"]) == 1
        assert text_of(other["majority"]) == row["majority"]


@pytest.mark.parametrize(
    ("native", "table"),
    on_engines(["hostile labels", "whole numbers", "fractions", "booleans", "many labels"], ["hostile labels"]),
    indirect=["native"],
)
def test_every_engine_writes_what_is_worked_out_here(native, table, tmp_path):
    frame = TABLES[table]
    compare(written(Annotations.from_frame(native(frame)), tmp_path), Annotations.from_frame(frame))


def test_merged_labels_are_merged_before_they_are_compared(native, tmp_path):
    frame = TABLES["text"]
    groups = {"x": "xy", "y": "xy"}
    compare(
        written(Annotations.from_frame(native(frame)).merged(groups), tmp_path), Annotations.from_frame(frame).merged(groups)
    )  # fmt: skip


@pytest.mark.nightly_on_spark
@pytest.mark.parametrize("native", ["polars-lazy", "duckdb", "pyspark"], indirect=True)
def test_more_labels_than_a_chain_of_comparisons_takes_are_merged_as_well(native, tmp_path):
    frame = TABLES["many labels"]
    groups = {f"label {i}": f"group {i % 3}" for i in range(400) if f"label {i}" in set(frame["label"])}
    compare(
        written(Annotations.from_frame(native(frame)).merged(groups), tmp_path), Annotations.from_frame(frame).merged(groups)
    )  # fmt: skip


@pytest.mark.nightly_on_spark
@pytest.mark.parametrize("native", ["polars-lazy", "duckdb", "pyspark"], indirect=True)
def test_sets_of_labels_are_compared_as_wholes(native, tmp_path):
    rows = [("1", "a", "x"), ("1", "a", "y"), ("1", "b", "y"), ("1", "b", "x"), ("2", "a", "x"), ("2", "b", "y")]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row")
    found = written(Annotations.from_frame(native(frame), multilabel=True), tmp_path)
    assert found["1"]["majority"] == "x;y"
    compare(found, Annotations.from_frame(frame, multilabel=True))


@pytest.mark.nightly_on_spark
@pytest.mark.parametrize("native", ["polars-lazy", "duckdb", "pyspark"], indirect=True)
def test_items_can_be_left_out(native, tmp_path):
    data = Annotations.from_frame(native(TABLES["text"]))
    all_of_them = written(data, tmp_path, "all")
    some = written(data, tmp_path, "some", min_annotations=3, max_agreement=0.4)
    assert 0 < len(some) < len(all_of_them)
    assert some == {
        name: row
        for name, row in all_of_them.items()
        if row["annotations"] >= 3 and row["agreement"] is not None and row["agreement"] <= 0.4
    }


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4), st.sampled_from("abcd")), min_size=1, max_size=40))
def test_every_number_is_what_counting_by_hand_gives(rows):
    kept = {(item, who): label for item, who, label in rows}
    frame = pl.DataFrame(
        [(item, who, label) for (item, who), label in kept.items()],
        schema=["item", "annotator", "label"],
        orient="row",
    )
    data = Annotations.from_frame(frame.lazy())
    items: dict[int, list[str]] = {}
    for (item, _), label in kept.items():
        items.setdefault(item, []).append(label)
    table = data._source._items(None).collect().to_native()
    assert table.height == len(items)
    for row in table.iter_rows(named=True):
        labels = items[row["item"]]
        pairs = [one == two for one, two in combinations(labels, 2)]
        times = sorted(Counter(labels).values(), reverse=True)
        first, second = times[0], (times[1] if len(times) > 1 else 0)
        assert row["annotations"] == len(labels)
        assert row["distinct_labels"] == len(times)
        assert row["agreement"] == (sum(pairs) / len(pairs) if pairs else None)
        assert row["margin"] == pytest.approx((first - second) / len(labels), abs=1e-15)
        assert row["majority"] == (None if first == second else Counter(labels).most_common(1)[0][0])
        shares = [one / len(labels) for one in times]
        assert row["entropy"] == pytest.approx(-sum(one * math.log2(one) for one in shares), abs=1e-12)


@pytest.mark.parametrize("native", ["polars-lazy", "duckdb", "pyspark"], indirect=True)
def test_the_most_disputed_items_are_looked_up_by_the_engine(native):
    frame = TABLES["hostile labels"]
    data = Annotations.from_frame(native(frame))
    seen = []
    with track_transfers(seen.append):
        found = assent.items(data._most_disputed(7))
    assert max(one.rows for one in seen) <= 7 * 5
    expected = assent.items(Annotations.from_frame(frame)).head(7)
    assert list(found.rows()) == list(expected.rows())


@pytest.mark.parametrize("native", ["polars", "polars-lazy", "duckdb", "ibis"], indirect=True)
def test_a_file_or_a_folder_as_the_name_says_whole_or_not_at_all(native, tmp_path, monkeypatch):
    data = Annotations.from_frame(native(TABLES["text"]))
    path = tmp_path / "items.parquet"
    path.write_text("before")
    data.write_items(path)
    assert pl.read_parquet(path).height == data.n_items
    data.write_items(tmp_path / "folder")
    assert [one.name for one in (tmp_path / "folder").iterdir()] == ["part-0.parquet"]
    before = path.read_bytes()

    def full(items, place):
        place.write_bytes(b"half of it")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(item_tables, "_sink", full)
    for name in ("items.parquet", "another"):
        with pytest.raises(InputError, match="cannot be written: No space left on device"):
            data.write_items(tmp_path / name)
    assert path.read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["folder", "items.parquet"]


@pytest.mark.nightly_on_spark
@pytest.mark.parametrize("native", ["polars-lazy", "duckdb", "pyspark"], indirect=True)
def test_what_cannot_be_written_is_refused_in_one_sentence(native, tmp_path):
    data = Annotations.from_frame(native(TABLES["text"]))
    (tmp_path / "there").mkdir()
    with pytest.raises(InputError, match="There is already"):
        data.write_items(tmp_path / "there")
    with pytest.raises(OptionError, match="largest agreement is 2"):
        data.write_items(tmp_path / "new", max_agreement=2)
    with pytest.raises(OptionError, match="number of items is 0"):
        data._most_disputed(0)


def test_a_folder_to_write_into_must_be_there(tmp_path):
    data = Annotations.from_frame(TABLES["text"])
    with pytest.raises(InputError, match="There is no folder"):
        data.write_items(tmp_path / "no" / "items.parquet")
    (tmp_path / "folder.parquet").mkdir()
    with pytest.raises(InputError, match="is a folder"):
        data.write_items(tmp_path / "folder.parquet")


def test_a_table_that_does_not_name_its_items_has_none_to_write(tmp_path):
    data = Annotations.from_counts([[2, 0], [1, 1]], labels=["a", "b"])
    with pytest.raises(UnsuitableData, match="does not name its items"):
        data.write_items(tmp_path / "items")
