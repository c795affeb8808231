"""The same annotations give the same report wherever they live, and their rows stay there."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.report.model.studies import long_rows

import assent
from assent.engines import Transfer, track_transfers
from assent.errors import UnsuitableData
from assent.limits import DISPUTED_ITEMS

FRAME = pl.DataFrame(long_rows(items=80), schema=["item", "annotator", "label", "group", "text"], orient="row")
#: Engines that keep their rows. One report on Spark is made every time, further ones every night.
ELSEWHERE = ["duckdb", pytest.param("pyspark", marks=pytest.mark.nightly)]
#: What is asked for, and of which table.
KINDS: dict[str, tuple[pl.DataFrame, dict[str, Any], dict[str, Any]]] = {
    "groups and texts": (FRAME, {}, {"by": "group", "text": "text", "task": "standard"}),
    "groups that share items": (
        FRAME.with_columns(group=pl.when(pl.col("annotator").is_in(["name 0", "name 1"])).then(pl.lit("u")).otherwise(pl.lit("v"))),
        {},
        {"by": "group"},
    ),
    "groups that are numbers, with gaps": (
        FRAME.with_columns(group=pl.col("group").replace_strict({"x": 7, "y": 8, "z": None}, return_dtype=pl.Int64)),
        {},
        {"by": "group"},
    ),
    "an ordinal scale": (
        FRAME.with_columns(label=pl.col("label").replace_strict({"a": 1, "b": 2, "c": 3})),
        {},
        {"scale": "ordinal", "text": "text", "by": "group"},
    ),
    "clusters": (
        FRAME.with_columns(doc=pl.col("item").str.slice(5, 1)), {"cluster": "doc"}, {"by": "group"}
    ),
    "sets": (
        FRAME.with_columns(label=pl.col("label") + pl.when(pl.col("item").hash(0) % 3 == 0).then(pl.lit(";d")).otherwise(pl.lit(""))),
        {"separator": ";"},
        {"by": "group"},
    ),
}  # fmt: skip


#: Spark takes seconds for each: the first has all that is asked of an engine, the others of DuckDB too.
ON_SPARK = ("groups and texts", "groups that share items", "an ordinal scale")


def content(native: Any, reading: dict[str, Any], settings: dict[str, Any]) -> dict[str, Any]:
    data = assent.Annotations.from_frame(native, columns=["group", "text"], **reading)
    made = assent.report(data, **settings).to_dict()
    del made["made"], made["appendix"]["seconds"]
    return made


@functools.cache
def content_here(kind: str) -> dict[str, Any]:
    frame, reading, settings = KINDS[kind]
    return content(frame, reading, settings)


@pytest.mark.parametrize(
    ("native", "kind"),
    [
        *(("duckdb", kind) for kind in KINDS),
        *((engine, kind) for engine in ("pandas", "pyarrow") for kind in ("groups and texts", "sets")),
        *(
            pytest.param(engine, kind, marks=pytest.mark.nightly)
            for engine in ("pandas", "pyarrow")
            for kind in KINDS
            if kind not in ("groups and texts", "sets")
        ),
        # The report of the program on Spark is looked at in the tests of its engines.
        *(pytest.param("pyspark", kind, marks=pytest.mark.nightly) for kind in ON_SPARK),
    ],
    indirect=["native"],
)
def test_the_report_is_the_same(native: Callable[[pl.DataFrame], Any], kind: str) -> None:
    frame, reading, settings = KINDS[kind]
    ours, theirs = content(native(frame), reading, settings), content_here(kind)
    assert ours["verdict"] == approximately(theirs["verdict"])
    for part in ours:
        assert ours[part] == approximately(theirs[part]), part


@pytest.mark.parametrize("native", ELSEWHERE, indirect=True)
def test_groups_may_be_days(native: Callable[[pl.DataFrame], Any]) -> None:
    """pandas is left out: it has times in place of days."""
    frame = FRAME.with_columns(group=pl.date(2024, 5, pl.col("item").str.slice(5).cast(pl.Int32) % 2 + 1))
    ours, theirs = content(native(frame), {}, {"by": "group"}), content(frame, {}, {"by": "group"})
    assert {row["group"] for row in ours["groups"]["rows"]} == {"2024-05-01", "2024-05-02"}
    assert ours["groups"] == approximately(theirs["groups"])


@pytest.mark.parametrize("native", ELSEWHERE, indirect=True)
def test_an_anonymous_report_numbers_the_items_as_they_are_shown(native: Callable[[pl.DataFrame], Any]) -> None:
    settings = {"by": "group", "anonymise": True}
    ours, theirs = content(native(FRAME), {}, settings), content(FRAME, {}, settings)
    shown = [row["item"] for row in ours["items"]["worst"]]
    assert shown == [str(i) for i in range(1, len(shown) + 1)]
    for one in (ours, theirs):
        one["items"]["worst"] = [{**row, "item": None} for row in one["items"]["worst"]]
    # Items that only their name would tell apart come in the order of other names.
    worst = [
        sorted(map(repr, one["items"].pop("worst"))) for one in (ours, theirs)
    ]  # fmt: skip
    assert worst[0] == worst[1]
    for part in ours:
        assert ours[part] == approximately(theirs[part]), part


@pytest.mark.parametrize("native", ELSEWHERE, indirect=True)
def test_nobody_is_named_in_an_anonymous_report(native: Callable[[pl.DataFrame], Any]) -> None:
    data = assent.Annotations.from_frame(native(FRAME), columns=["group", "text"])
    report = assent.report(data, by="group", text="text", anonymise=True)
    names = {str(name) for column in ("item", "annotator", "text") for name in FRAME[column].unique()}
    for text in (report.json(), report.markdown(), report.latex(), str(report), repr(report)):
        assert [name for name in names if name in text] == []
    named = FRAME.with_columns(group=pl.col("annotator"))
    with pytest.raises(assent.OptionError, match="are names of annotators"):
        assent.report(assent.Annotations.from_frame(native(named), columns=["group"]), by="group", anonymise=True)


def wide_table(items: int) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    who = rng.permuted(np.tile(np.arange(4), (items, 1)), axis=1)[:, :3].ravel()
    truth = np.repeat(rng.integers(0, 3, items), 3)
    label = np.where(rng.random(3 * items) < 0.7, truth, rng.integers(0, 3, 3 * items))
    number = np.repeat(np.arange(items), 3)
    columns = {"item": number, "annotator": who, "label": label, "group": number % 3, "text": number}
    return pl.DataFrame({name: [f"{name} {one}" for one in column.tolist()] for name, column in columns.items()})


@pytest.mark.parametrize(
    ("native", "settings"),
    [
        ("duckdb", {}),
        ("duckdb", {"scale": "ordinal"}),
        ("duckdb", {"anonymise": True}),
        ("duckdb", {"by": "group", "text": "text"}),
        pytest.param("pyspark", {"by": "group", "text": "text"}, marks=pytest.mark.nightly),
    ],
    indirect=["native"],
)
def test_what_leaves_an_engine_does_not_grow_with_the_items(
    native: Callable[[pl.DataFrame], Any], settings: dict[str, Any]
) -> None:
    left: list[list[Transfer]] = []
    for items in (3_000, 6_000):
        seen: list[Transfer] = []
        frame = wide_table(items)
        if settings.get("scale"):
            frame = frame.with_columns(pl.col("label").str.slice(6))
        data = assent.Annotations.from_frame(native(frame), columns=["group", "text"])
        with track_transfers(seen.append):
            assent.report(data, **settings)
        left.append([one for one in seen if not one.local])
    small, large = ([(one.question, one.rows) for one in some] for some in left)
    assert small == large
    # Four teams of three by three labels each are 108 kinds of items.
    assert max(rows for question, rows in large if question != "rows of disputed items") <= DISPUTED_ITEMS
    assert dict(large)["rows of disputed items"] == 3 * DISPUTED_ITEMS
    assert "annotations" not in dict(large)


@pytest.mark.parametrize("native", ELSEWHERE, indirect=True)
def test_all_items_are_written_by_the_engine_not_here(native: Callable[[pl.DataFrame], Any]) -> None:
    report = assent.report(assent.Annotations.from_frame(native(FRAME)))
    with pytest.raises(UnsuitableData, match="have the engine write them"):
        report.items  # noqa: B018


def approximately(value: Any) -> Any:
    """Compare numbers to the ninth digit: sums in another order differ in the last bits."""
    if isinstance(value, dict):
        return {key: approximately(one) for key, one in value.items()}
    if isinstance(value, list):
        return [approximately(one) for one in value]
    return pytest.approx(value, abs=1e-9) if isinstance(value, float) else value
