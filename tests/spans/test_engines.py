"""Exact F1 where the spans live: the same numbers on every engine, and nothing but counts comes out."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.cli.conftest import Program
from tests.reference import spans as slow
from tests.spans.test_brute_force import random_marks, spans_of

import assent
from assent.data.held_spans import HeldSpans
from assent.engines import track_transfers
from assent.errors import NothingToCompare


def frame_of(marks: slow.Marks) -> pl.DataFrame:
    rows: list[tuple[Any, ...]] = []
    for document, here in marks.items():
        for who, some in here.items():
            rows += [(document, who, *span) for span in some] or [(document, who, None, None, None)]
    schema = {"document": pl.String, "annotator": pl.String, "start": pl.Int64, "end": pl.Int64, "label": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row")


def relation(frame: pl.DataFrame) -> Any:
    duckdb = pytest.importorskip("duckdb")
    return duckdb.connect().from_arrow(frame.to_arrow())


@functools.cache
def here_and_there(seed: int) -> tuple[assent.Spans, HeldSpans]:
    marks = random_marks(np.random.default_rng(seed), documents=6)
    data = assent.read(relation(frame_of(marks)))
    assert isinstance(data, HeldSpans)
    return spans_of(marks), data


@pytest.mark.parametrize("match", ["exact", "boundary"])
@pytest.mark.parametrize("average", ["pairs", "pooled", "documents"])
def test_duckdb_counts_what_is_counted_here(match: str, average: str) -> None:
    for seed in range(12):
        spans, data = here_and_there(seed)
        here = assent.span_f1(spans, match=match, average=average)
        there = assent.span_f1(data, match=match, average=average)
        assert there.value == pytest.approx(here.value, abs=1e-15, nan_ok=True)
        assert there.standard_error("jackknife") == pytest.approx(
            here.standard_error("jackknife"), abs=1e-15, nan_ok=True
        )
        assert (there.n_items, there.n_annotations) == (here.n_items, here.n_annotations)
        assert [one.to_dict() for one in there.pairs] == [one.to_dict() for one in here.pairs]
        assert data.describe() == spans.describe()


def test_one_label_repeats_and_more_annotators_than_bits() -> None:
    rng = np.random.default_rng(1)
    people = [f"p{n:03}" for n in range(130)]
    rows = [
        (f"d{rng.integers(4)}", who, int(at), int(at) + 2, str(rng.choice(["A", "B"])))
        for who in people for at in rng.integers(0, 8, 6)
    ]  # fmt: skip
    frame = pl.DataFrame([*rows, *rows[:50]], schema=["document", "annotator", "start", "end", "label"], orient="row")
    here, there = assent.Spans.from_rows([*rows, *rows[:50]]), assent.read(relation(frame))
    assert {one.reason: one.rows for one in there.dropped} == {one.reason: one.rows for one in here.dropped}
    for options in ({}, {"average": "pooled"}, {"span_label": "A"}):
        assert assent.span_f1(there, **options).value == pytest.approx(assent.span_f1(here, **options).value, abs=1e-14)


def test_what_cannot_be_counted_there_comes_here() -> None:
    marks = random_marks(np.random.default_rng(3), documents=5)
    data = assent.read(relation(frame_of(marks)))
    seen: list[Any] = []
    with track_transfers(seen.append):
        assent.span_f1(data)
    assert "annotations" not in {one.question for one in seen}
    with track_transfers(seen.append):
        value = assent.span_f1(data, match="overlap").value
    assert "annotations" in {one.question for one in seen}
    assert value == assent.span_f1(spans_of(marks), match="overlap").value
    assert assent.span_f1(data.without_annotators(["cem"])).value == pytest.approx(
        assent.span_f1(spans_of(marks).without_annotators(["cem"])).value
    )


def test_wrong_rows_are_counted() -> None:
    frame = pl.DataFrame(
        {"document": ["d", "d"], "annotator": ["a", "b"], "start": [4, -1], "end": [2, 3], "label": ["A", "A"]}
    )
    with pytest.raises(assent.InputError, match="2 rows cannot be spans"):
        assent.span_f1(assent.read(relation(frame), layout="spans"))
    with pytest.raises(assent.InputError, match="1 row cannot be spans"):
        assent.span_f1(assent.read(relation(frame.with_columns(start=pl.Series([1, -1]))), layout="spans"))


def test_parquet_on_the_command_line(assent: Program, tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    marks = random_marks(np.random.default_rng(5), documents=6)
    frame_of(marks).write_parquet(tmp_path / "spans.parquet")
    path = str(tmp_path / "spans.parquet")
    plain = assent("measure", path, "-m", "span-f1", "--json")
    there = assent("measure", path, "-m", "span-f1", "--engine", "duckdb", "--json")
    assert there.only["value"] == plain.only["value"]
    assert there.only["ci"] == plain.only["ci"]
    assert there.json["data"]["annotations"] == plain.json["data"]["annotations"]


def test_without_a_name_nothing_comes_here(assent: Program, tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    frame_of(random_marks(np.random.default_rng(5), documents=6)).write_parquet(tmp_path / "spans.parquet")
    done = assent("measure", str(tmp_path / "spans.parquet"), "--engine", "duckdb", "--json")
    assert (done.code, done.err) == (0, "")
    assert done.json["chosen"]["measures"] == ["span-f1"]
    assert any("Gamma would bring here" in reason for reason in done.json["chosen"]["reasons"])


@pytest.mark.parametrize("options", [{}, {"match": "boundary"}, {"average": "documents"}, {"empty": "1"}])
def test_what_is_counted_there_comes_with_the_same_notes(options: dict[str, str]) -> None:
    marks = random_marks(np.random.default_rng(2), documents=6)
    notes = assent.span_f1(assent.read(relation(frame_of(marks))), **options).notes
    assert any("1 document was judged by one annotator" in note for note in notes)
    assert notes == assent.span_f1(spans_of(marks), **options).notes


def test_documents_of_one_annotator_each_are_refused_there_too() -> None:
    marks: slow.Marks = {"d1": {"ann": [(0, 4, "A")]}, "d2": {"ben": [(0, 4, "A")]}}
    for data in (assent.read(relation(frame_of(marks))), spans_of(marks)):
        with pytest.raises(NothingToCompare, match="No document"):
            assent.span_f1(data)
