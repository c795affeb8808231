"""Columns of Parquet files and frames whose cells are no text: durations, bytes, lists of them."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import assent
from assent.errors import InputError, UnreadableFile

LABELS = {
    "item": ["i1", "i2", "i3"] * 2,
    "annotator": ["ana"] * 3 + ["ben"] * 3,
    "label": ["yes", "no", "yes", "yes", "no", "no"],
}
SECOND = datetime.timedelta(seconds=1)
ASIDE = {
    "duration": [SECOND] * 6,
    "image": [b"\x89PNG\xff"] * 6,
    "durations": [[SECOND]] * 6,
    "images": [[b"\xff"]] * 6,
    "record": [{"bytes": b"\xff", "took": SECOND}] * 6,
    "nothing": pl.Series([None] * 6, dtype=pl.Null),
    "money": pl.Series(["1.50"] * 6).cast(pl.Decimal(10, 2)),
    "time": [datetime.time(1)] * 6,
}


def given(columns: dict[str, Any], form: str, folder: Path) -> Any:
    frame = pl.DataFrame(columns)
    if form == "frame":
        return frame
    if form == "pandas":
        return pytest.importorskip("pandas").DataFrame({name: list(cells) for name, cells in columns.items()})
    frame.write_parquet(folder / "labels.parquet")
    return folder / "labels.parquet"


@pytest.mark.parametrize("form", ["file", "frame", "pandas"])
@pytest.mark.parametrize("name", ASIDE)
def test_what_stands_beside_the_labels_does_not_make_a_table_unreadable(name: str, form: str, tmp_path: Path) -> None:
    table = given(LABELS | {name: ASIDE[name]}, form, tmp_path)
    if form == "pandas" and name in ("image", "images"):
        with pytest.raises(InputError, match="bytes"):
            assent.read(table, item="item", annotator="annotator", label="label")
        return
    data = assent.read(table, item="item", annotator="annotator", label="label")
    assert (data.n_items, data.n_annotations, data.labels) == (3, 6, ("no", "yes"))
    if form != "pandas":
        said = [note for note in data.notes if "Left out because bytes" in note]
        assert [name in note for note in said] == [True] * (name in ("image", "durations", "images"))


@pytest.mark.parametrize("form", ["file", "frame"])
def test_durations_are_seconds_and_bytes_that_are_texts_are_texts(form: str, tmp_path: Path) -> None:
    label = [label.encode() for label in LABELS["label"]]
    table = given(LABELS | {"label": label, "took": [1.5 * SECOND] * 6}, form, tmp_path)
    assert assent.read(table).labels == ("no", "yes")
    assert assent.read(table, item="item", annotator="annotator", label="took").labels == ("1.5",)


@pytest.mark.parametrize("layout", ["counts", "table"])
def test_lists_are_no_counts(layout: Any, tmp_path: Path) -> None:
    table = given({"item": ["a", "b"], "a": [[{"x": 1}]] * 2, "b": [1, 2]}, "file", tmp_path)
    with pytest.raises(UnreadableFile, match='has lists or objects in the column "a"'):
        assent.read(table, layout=layout)


@pytest.mark.parametrize("kind", [pl.Time, pl.Datetime("ns"), pl.Datetime("ns", "UTC")])
@pytest.mark.parametrize("form", ["file", "frame"])
def test_times_that_differ_by_a_nanosecond_are_one_label(kind: Any, form: str, tmp_path: Path) -> None:
    label = pl.Series([1, 2, 5_000, 1, 5_001, 5_000]).cast(kind)
    data = assent.read(
        given(LABELS | {"label": label}, form, tmp_path), item="item", annotator="annotator", label="label"
    )
    assert len(data.labels) == len(set(data.to_rows().label)) == 2
