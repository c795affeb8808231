"""Files that were once read with a meaningless number and exit code 0: each is read rightly or refused."""

from __future__ import annotations

import io
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import assent
from assent.errors import AssentError, InputError

S = ("positive", "negative", "neutral")
#: Item, annotator and label of twelve tasks and three people.
ROWS = [(i, who, S[(i * i + (i % 4 == who)) % 3]) for i in range(12) for who in range(3)]


def alpha(rows: list[tuple[Any, Any, str]]) -> float:
    """Nominal alpha by its definition."""
    units: dict[Any, list[str]] = {}
    for item, _, label in rows:
        units.setdefault(item, []).append(label)
    values = [label for held in units.values() for label in held]
    observed = sum(sum(a != b for a in held for b in held) / (len(held) - 1) for held in units.values()) / len(values)
    expected = sum(a != b for a in values for b in values) / (len(values) * (len(values) - 1))
    return 1 - observed / expected


def label_studio() -> list[dict[str, Any]]:
    return [
        {
            "id": i, "data": {"text": f"t{i}"}, "predictions": [], "drafts": [], "meta": {}, "inner_id": i, "project": 3, "total_annotations": 3,
            "annotations": [
                {"id": 3 * i + who, "completed_by": who, "was_cancelled": False, "created_at": "2026-01-01", "lead_time": 2.5,
                 "result": [{"from_name": "tone", "to_name": "text", "type": "choices", "value": {"choices": [label]}}]}
                for j, who, label in ROWS if j == i
            ],
        }
        for i in range(12)
    ]  # fmt: skip


def minimal() -> list[dict[str, Any]]:
    return [
        {"text": f"t{i}", "id": i, "tone": label, "annotator": who, "annotation_id": 100 + n, "created_at": "2026-01-01", "updated_at": "2026-01-01", "lead_time": 1.5 + n}
        for n, (i, who, label) in enumerate(ROWS)
    ]  # fmt: skip


def test_a_label_studio_export_in_all_its_forms(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(label_studio()))
    (tmp_path / "min.json").write_text(json.dumps(minimal()))
    pl.DataFrame(minimal()).write_csv(tmp_path / "b.csv")
    for name in ("a.json", "min.json", "b.csv"):
        data = assent.read(tmp_path / name)
        assert (data.n_items, data.n_annotators) == (12, 3)
        assert assent.krippendorff_alpha(data).value == pytest.approx(alpha(ROWS))


def test_a_number_beside_pass_and_fail() -> None:
    rows = [
        {
            "prompt": f"p{i}",
            "judge": f"m{who}",
            "verdict": "pass" if (i + who) % 3 else "fail",
            "score": (7 * i + who) % 10,
        }
        for i in range(12)
        for who in range(3)
    ]
    with pytest.raises(AssentError, match="verdict"):
        assent.read(io.BytesIO("\n".join(map(json.dumps, rows)).encode()))


def test_an_adjudicator_is_no_further_annotator() -> None:
    lines = ["id,text,ann,ben,cleo,dora,Final label"]
    rows = []
    for i in range(12):
        given = [S[(i * i + (i % 5 == who)) % 3] for who in range(4)]
        rows += [(i, who, label) for who, label in enumerate(given)]
        lines.append(f"{i},text {i},{','.join(given)},{given[0]}")
    data = assent.read(io.BytesIO("\n".join(lines).encode()))
    assert data.annotators == ("ann", "ben", "cleo", "dora")
    assert assent.krippendorff_alpha(data).value == pytest.approx(alpha(rows))


def test_frames_in_from_array() -> None:
    frame = pd.DataFrame({"ann": ["x", "y", "x", "y"], "ben": ["x", "y", "y", "y"]})
    expected = alpha([(i, who, label) for who in ("ann", "ben") for i, label in enumerate(frame[who])])
    for one in (frame, pl.from_pandas(frame)):
        made = assent.Annotations.from_array(one)
        assert (made.n_items, made.n_annotators) == (4, 2)
        assert assent.krippendorff_alpha(made).value == pytest.approx(expected)


def test_two_lists_in_a_list_are_not_two_items() -> None:
    human, judge = ["x", "y"] * 150, ["x", "x"] * 150
    with pytest.raises(InputError, match="argument of their own"):
        assent.krippendorff_alpha([human, judge])
    assert assent.krippendorff_alpha(human, judge).n_items == 300


def test_counts_with_unequal_sums() -> None:
    counts = [(3, 0, 1), (0, 4, 0), (1, 1, 0), (5, 0, 0), (0, 2, 3), (4, 1, 0), (0, 0, 3), (2, 0, 0)]
    text = "Units,agree,disagree,unsure\n" + "".join(
        f"{i + 1},{','.join(map(str, row))}\n" for i, row in enumerate(counts)
    )
    data = assent.read(io.BytesIO(text.encode()))
    assert data.layout == "counts"
    assert data.labels == ("agree", "disagree", "unsure")
    rows = [
        (i, (label, n), label)
        for i, row in enumerate(counts)
        for label, many in zip("adu", row, strict=True)
        for n in range(many)
    ]
    assert assent.krippendorff_alpha(data).value == pytest.approx(alpha(rows))


@pytest.mark.parametrize("text", [".", "nan", "None", "<NA>", "-99", "   "])
def test_texts_that_mean_nothing_are_told(text: str) -> None:
    lines = ["item,a,b", *(f"{i},{'12'[i % 2]},{'12'[i // 2 % 2]}" for i in range(12)), f"12,1,{text}", f"13,{text},2"]
    data = assent.read(io.BytesIO("\n".join(lines).encode()))
    said = any(text in note and "usually mean that there is none" in note for note in data.notes)
    assert said or text not in data.labels


@pytest.mark.parametrize("gap", [pd.NA, pd.NaT, None, float("nan"), np.datetime64("NaT", "ns")])
def test_gaps_of_pandas_are_no_labels(gap: Any) -> None:
    from_rows = assent.Annotations.from_array([["x", gap], ["x", "x"], ["y", "x"]])
    from_triples = assent.Annotations.from_triples([("a", 1, "x"), ("b", 1, gap), ("a", 2, "x"), ("b", 2, "y")])
    of_frame = assent.read(pd.DataFrame({"item": [1, 2, 3], "a": ["x", gap, "y"], "b": ["x", "x", "y"]}))
    for data, expected in ((from_rows, 5), (from_triples, 3), (of_frame, 5)):
        assert data.n_annotations == expected
        assert set(data.labels) <= {"x", "y"}


def test_who_is_called_gold_among_annotators_is_left_out_unless_named(tmp_path):
    path = tmp_path / "long.csv"
    names = ("ann", "bob", "gold_standard")
    path.write_text("item,annotator,label\n" + "".join(f"{i},{who},{'xy'[i % 2]}\n" for i in range(6) for who in names))
    data = assent.read(path)
    assert data.annotators == ("ann", "bob")
    assert [(one.reason, one.rows) for one in data.dropped] == [('gold (annotator "gold_standard")', 6)]
    assert any("take it for one with `only` annotators=ann,bob,gold_standard" in note for note in data.notes)
    assert assent.read(path, only={"annotators": list(names)}).n_annotators == 3
    assert assent.read(path, without={"annotators": ["bob"]}).annotators == ("ann", "gold_standard")
    two = tmp_path / "two.csv"
    two.write_text("item,annotator,label\n" + "".join(f"{i},{who},x\n" for i in range(6) for who in ("model", "gold")))
    assert assent.read(two).n_annotators == 2


def test_rankings_of_an_export_are_among_all_questions(tmp_path):
    path = tmp_path / "records.jsonl"
    rows = [
        {"id": str(i), "tone.responses": ["x", "y"], "order.responses": [["a", "b", "c"], ["b", "a", "c"]], "_server_id": str(i)}
        | {f"{q}.responses.{what}": held for q in ("tone", "order") for what, held in (("users", ["u", "v"]), ("status", ["submitted"] * 2))}
        for i in range(4)
    ]  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = assent.read_all(path)
    assert [(name, type(one).__name__) for name, one in found.items()] == [
        ("tone", "Annotations"),
        ("order", "Rankings"),
    ]
    assert assent.kendall_w(found["order"]).value == pytest.approx(0.75)


def test_a_missing_file_is_said_before_what_was_said_about_it():
    with pytest.raises(AssentError, match="There is no file"):
        assent.read("nowhere.jsonl", question="tone")


def test_items_are_told_by_their_names_where_what_they_are_about_is_a_sentence(tmp_path: Path) -> None:
    """Two items ask the same, and are two: their sentence is not what tells them apart."""
    path = tmp_path / "asked.csv"
    path.write_text(
        "id,question,ann1,ann2\n1,What is it?,a,a\n2,Who was it?,b,b\n3,What is it?,a,b\n4,How far is it?,b,a\n"
    )
    data = assent.read(path)
    assert (data.n_items, data.n_annotations) == (4, 8)
    assert any('item = "id"' in note for note in data.notes)
    # A column of names without blanks stays what it was.
    path.write_text("index,task,ann1,ann2\n1,t1,a,a\n2,t2,b,b\n3,t3,a,b\n4,t4,b,a\n")
    assert any('item = "task"' in note for note in assent.read(path).notes)


@pytest.mark.parametrize("large", ["1e400", "-1e400", "1e308"])
def test_numbers_too_large_to_be_added_up_are_looked_at(tmp_path, large):
    rows = [{"item": f"i{at}", "ada": at % 3, "ben": large if at == 4 else at % 2, "mean": at % 4} for at in range(12)]
    path = tmp_path / "table.json"
    path.write_text(json.dumps(rows))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert assent.look(path)
