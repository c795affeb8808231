"""Exports written from the descriptions of the formats alone, with the values of an independent few lines.

`further_exports.json` holds files as they would be on a disk and what must come out of each question: other orders of fields, other
versions, skipped, cancelled, rejected and repeated work, predictions, curation, offsets in UTF-16, archives with what a Mac puts in.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

import assent

CASES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("further_exports.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_what_comes_out(case: dict[str, Any], tmp_path: Path) -> None:
    if "needs" in case:
        pytest.importorskip(case["needs"])
    for name, content in case["files"].items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content["text"].encode() if "text" in content else base64.b64decode(content["base64"]))
    paths = [tmp_path / name for name in case["open"]]
    for asked in case["questions"]:
        data = assent.read(*paths, **({} if asked["question"] is None else {"question": asked["question"]}))
        if asked["kind"] == "span":
            found = assent.span_f1(data).value
        elif asked["kind"] == "set":
            found = assent.krippendorff_alpha(data, distance="jaccard").value
        else:
            found = assent.krippendorff_alpha(data, scale="nominal").value
        assert data.n_annotators == asked["annotators"]
        assert data.n_annotations == asked["annotations"]
        assert found == pytest.approx(asked["value"], abs=1e-9)
        assert not any("@" in note for note in data.notes)
        for reason, n in case.get("left_out", {}).items():
            assert any(reason in why.reason and why.rows == n for why in data.dropped), (reason, data.dropped)


def test_every_format_is_there() -> None:
    formats = {case["name"].split()[0] for case in CASES}
    assert formats >= {
        "ls", "doccano", "prodigy", "brat", "argilla", "potato", "mturk", "toloka", "sagemaker", "labelbox", "lewidi", "exist",
        "alttest", "qualtrics", "google", "conll", "inception",
    }  # fmt: skip


def test_stacked_annotations_each_count() -> None:
    rows = [
        ("d", "ann", 0, 4, "X"),
        ("d", "ann", 0, 4, "X"),
        ("d", "ben", 0, 4, "X"),
        ("d", "ben", 0, 4, "X"),
        ("d", "ben", 0, 4, "X"),
    ]
    stacked = assent.Spans.from_rows(rows, stacked=True)
    assert stacked.n_annotations == 5
    assert assent.span_f1(stacked).value == pytest.approx(2 * 2 / 5)
    assert assent.Spans.from_rows(rows).n_annotations == 2
    # Shuffled rows, and spans of others beside them, change nothing.
    more = assent.Spans.from_rows([*rows[::-1], ("d", "cleo", 0, 4, "Y"), ("d", "cleo", 5, 9, "X")], stacked=True)
    assert more.n_annotations == 7
    pairs = {(one["first"], one["second"]): one["value"] for one in assent.span_f1(more).to_dict()["pairs"]}
    assert pairs["ann", "ben"] == pytest.approx(2 * 2 / 5)


def test_stacked_annotations_each_count_where_labels_are_ignored() -> None:
    rows = [("d", "ann", 0, 4, label) for label in "XY"] + [("d", "ben", 0, 4, label) for label in "XXY"]
    rows += [("d", who, 5, 9, label) for who, label in (("ann", "Z"), ("ben", "V"))]
    # Three spans of ann's and four of ben's; two and one have a partner in the same place.
    assert assent.span_f1(assent.Spans.from_rows(rows, stacked=True), match="boundary").value == pytest.approx(
        2 * 3 / 7
    )
    assert assent.span_f1(assent.Spans.from_rows(rows), match="boundary").value == 1.0
