"""Columns of Parquet files and frames whose cells are no text: durations, bytes, lists of them."""

from __future__ import annotations

import datetime
import io
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import assent
from assent.errors import AssentError, InputError, UnreadableFile

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


@pytest.mark.parametrize("form", ["file", "frame"])
def test_bytes_that_are_no_text_far_below_leave_the_labels_as_they_are(form: str, tmp_path: Path) -> None:
    columns = {name: cells * 1_000 for name, cells in LABELS.items()} | {
        "item": [f"i{row // 2}" for row in range(6_000)]
    }
    columns["annotator"] = ["ana", "ben"] * 3_000
    table = given(columns | {"image": [None] * 5_999 + [b"\x89PNG\xff"]}, form, tmp_path)
    assert assent.read(table).n_items == 3_000


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


@pytest.mark.parametrize("form", ["file", "frame"])
@pytest.mark.parametrize("cells", [[[{"x": 1}]] * 4, [[["a"]]] * 4, [{"x": 1}] * 4], ids=["records", "lists", "record"])
@pytest.mark.parametrize(
    ("column", "options"),
    [
        ("field", {"questions": "field"}),
        ("document", {"item": "item,document"}),
        ("document", {"layout": "spans"}),
        ("start", {"layout": "spans"}),
        ("winner", {"layout": "preferences"}),
        ("object", {"object": "object", "rank": "rank"}),
        ("rank", {"object": "object", "rank": "rank"}),
        ("rank", {"layout": "rank-matrix"}),
        ("item", {"layout": "rank-matrix"}),
        ("run", {"cluster": "run"}),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_lists_in_a_column_that_is_asked_for_are_one_sentence(
    column: str, options: dict[str, Any], cells: list[Any], form: str, tmp_path: Path
) -> None:
    columns: dict[str, Any] = {
        "item": ["i1", "i2"] * 2, "annotator": ["a", "a", "b", "b"], "label": ["x", "y"] * 2, "document": ["d"] * 4, "start": [0, 3] * 2, "end": [2, 5] * 2,
        "left": ["a"] * 4, "right": ["b"] * 4, "winner": ["a"] * 4, "object": ["o", "p"] * 2, "rank": [1, 2] * 2, "run": [1] * 4, "field": ["f", "g"] * 2,
    }  # fmt: skip
    table = given(columns | {column: cells}, form, tmp_path)
    said = ""
    try:
        assent.read_all(table, **options) if "questions" in options else assent.read(table, **options)
    except AssentError as error:
        said = str(error)
    # A frame may be read without the column; nothing of it is ever told in the words of polars.
    assert said or form == "frame" or column == "document"
    assert "cast" not in said


def test_lists_that_name_items_are_not_taken_for_labels() -> None:
    frame = pl.DataFrame({"item": [["a", "b"], ["c", "d"]], "label": ["x", "y"]})
    with pytest.raises(AssentError, match="item"):
        assent.read(frame, annotator="label")
    assert assent.read(pl.DataFrame({"item": ["a", "b"], "label": [["x", "y"], ["x", "x"]]})).n_annotations == 4


@pytest.mark.parametrize("kind", [pl.Categorical, pl.Enum(["1", "2"]), pl.String, pl.Date, pl.Time, pl.Boolean])
@pytest.mark.parametrize("options", [{}, {"object": "object", "rank": "rank"}, {"layout": "rank-matrix"}])
def test_ranks_may_be_categories(kind: Any, options: dict[str, Any], tmp_path: Path) -> None:
    ranks = pl.Series(["1", "2", "2", "1"] * 2)
    ranks = ranks.cast(pl.Int64).cast(kind) if kind in (pl.Date, pl.Time, pl.Boolean) else ranks.cast(kind)
    columns = {
        "item": ["q"] * 4 + ["r"] * 4,
        "annotator": ["a", "a", "b", "b"] * 2,
        "object": ["o", "p"] * 4,
        "rank": ranks,
    }
    table = given(columns, "file", tmp_path)
    said = ""
    try:
        found = type(assent.read(table, **options)).__name__
    except AssentError as error:
        found, said = "", str(error)
    assert "cast" not in said
    if kind not in (pl.Date, pl.Time, pl.Boolean) and "layout" not in options:
        assert found == "Rankings"


#: Text in Latin-1, and what is no text in any encoding.
WRITTEN, PICTURE = [b"caf\xe9", b"b", b"b", b"caf\xe9"], [b"\x89PNG\x00", b"\x89PNG\x01"] * 2


@pytest.mark.parametrize("parquet", [True, False])
@pytest.mark.parametrize(
    ("columns", "options", "says"),
    [
        ({"label": WRITTEN, "category": list("abab")}, {}, 'column "label" .* or say which column holds the label with'),
        ({"label": PICTURE, "category": list("abab")}, {}, 'column "label" .* or say which column holds the label with'),
        ({"label": WRITTEN}, {"label": "label"}, 'column "label" holds bytes that are no UTF-8 text: decode them to text.$'),
        ({"label": WRITTEN, "category": list("abab")}, {"label": "category"}, ""),
        ({"label": list("abab"), "image": PICTURE}, {}, ""),
        ({"label": list("abab"), "comment": WRITTEN}, {}, ""),
    ],
)  # fmt: skip
def test_bytes_that_may_be_the_labels_are_refused(
    parquet: bool, columns: dict[str, Any], options: dict[str, Any], says: str
) -> None:
    frame = pl.DataFrame({"item": ["1", "1", "2", "2"], "annotator": ["x", "y"] * 2} | columns)
    refused_or_read(frame, parquet, options, says)


@pytest.mark.parametrize("parquet", [True, False])
@pytest.mark.parametrize(
    ("cells", "options", "says"),
    [
        ({"cem": WRITTEN}, {}, 'column "cem" .* or say which columns hold the labels of annotators with `annotators`'),
        ({"cem": WRITTEN}, {"annotators": ["ann", "bob"]}, ""),
        ({"comment": WRITTEN}, {}, ""),
        ({"scan": PICTURE}, {}, ""),
    ],
)
def test_bytes_that_may_be_those_of_an_annotator_are_refused(
    parquet: bool, cells: dict[str, Any], options: dict[str, Any], says: str
) -> None:
    frame = pl.DataFrame({"item": list("1234"), "ann": list("abab"), "bob": list("abba")} | cells)
    refused_or_read(frame, parquet, options, says)


#: A key such as a UUID, and a picture that is looked at.
KEYS, SCANS = [bytes([0xFF, i]) * 8 for i in range(4)], [b"\x89PNG\x00" + bytes([i]) * 200 for i in range(4)]


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ({"item": [KEYS[0], KEYS[0], KEYS[1], KEYS[1]]}, 'column "item" .* or say which column holds the item with'),
        ({"item": [KEYS[0], KEYS[0], KEYS[1], KEYS[1]], "text": list("ppqq")}, 'column "item" .* or say which'),
        ({"id": list("1122"), "image": [SCANS[0], SCANS[0], SCANS[1], SCANS[1]]}, ""),
    ],
)
def test_bytes_that_may_be_the_items_of_long_rows_are_refused(columns: dict[str, Any], says: str) -> None:
    frame = pl.DataFrame({**columns, "annotator": ["x", "y"] * 2, "label": list("abab")})
    refused_or_read(frame, True, {}, says)


@pytest.mark.parametrize("parquet", [True, False])
@pytest.mark.parametrize(
    "columns",
    [
        {"id": KEYS},
        {"item_id": KEYS, "text": ["one", "two", "three", "four"]},
        {"filename": ["1.png", "2.png", "3.png", "4.png"], "image": SCANS},
        {"id": list("1234"), "image": KEYS},
        # Each of them another text in Latin-1: a key, not a label.
        {"id": [f"ä{i}".encode("latin-1") for i in range(4)]},
        {"id": list("1234"), "signature": [f"ä{i}".encode("latin-1") for i in range(4)]},
    ],
)
def test_rows_of_a_wide_table_are_items_whose_bytes_are_left_out(parquet: bool, columns: dict[str, Any]) -> None:
    frame = pl.DataFrame({**columns, "ann": list("abab"), "bob": list("abaa")})
    refused_or_read(frame, parquet, {}, "")


def refused_or_read(frame: pl.DataFrame, parquet: bool, options: dict[str, Any], says: str) -> None:
    source: Any = frame
    if parquet:
        source = io.BytesIO()
        frame.write_parquet(source)
        source.seek(0)
    if says:
        with pytest.raises(InputError, match=says):
            assent.read(source, **options)
    else:
        assert assent.read(source, **options).labels == ("a", "b")


@pytest.mark.parametrize("role", ["item", "annotator", "label"])
def test_a_time_beyond_all_years_is_said_to_be(role: str) -> None:
    """Times that were written in another unit are in the year 50,000."""
    rows = {"item": ["1", "1", "2", "2"], "annotator": ["x", "y"] * 2, "label": list("abab")}
    frame = pl.DataFrame(rows | {role: pl.Series([2**62, 2**62 + 1] * 2).cast(pl.Datetime("us"))})
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    for source in (frame, io.BytesIO(buffer.getvalue())):
        with pytest.raises(
            UnreadableFile, match="has a time of the year 148108, and years go from 1 to 9999: check the unit"
        ):
            assent.read(source, item="item", annotator="annotator", label="label")
