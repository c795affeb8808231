"""Cleaning on the command line: said, counted, and nothing changed that was not named."""

from __future__ import annotations

import pytest
from tests.cli.conftest import Files, Program

LABELS = "item,annotator,label\n1,x,Yes\n1,y,yes\n2,x,no\n2,y,no\n3,x,maybe\n3,y,no\n4,x,yes\n4,y,yes\n4,z,no\n"


def counted(assent: Program, file: Files, *options: str) -> dict[str, object]:
    done = assent("measure", file("labels.csv", LABELS), "-m", "percent-agreement", "--json", *options)
    assert (done.code, done.err) == (0, "")
    return {**done.json["data"], "value": done.only["value"]}


def test_labels_are_renamed_and_merged(assent: Program, file: Files) -> None:
    assert counted(assent, file)["labels"] == ["Yes", "maybe", "no", "yes"]
    assert counted(assent, file, "--rename", "maybe=unsure")["labels"] == ["Yes", "no", "unsure", "yes"]
    merged = counted(assent, file, "--merge", "maybe,no=not sure", "--merge", "Yes,yes=yes")
    assert merged["labels"] == ["not sure", "yes"]
    # The third item is agreed on then; on the fourth one pair of three agrees.
    assert merged["value"] == pytest.approx((1 + 1 + 1 + 1 / 3) / 4)


def test_case_is_ignored_on_request_and_that_is_said(assent: Program, file: Files) -> None:
    found = counted(assent, file, "--ignore-case")
    assert found["labels"] == ["maybe", "no", "yes"]
    assert any("taken as one" in note for note in found["notes"])  # type: ignore[attr-defined]


def test_some_annotators_labels_or_items(assent: Program, file: Files) -> None:
    assert counted(assent, file, "--without", "annotators=z")["annotations"] == 8
    assert counted(assent, file, "--only", "annotators=x,y")["annotations"] == 8
    assert counted(assent, file, "--without", "items=4")["items"] == 3


def test_what_is_not_there_is_refused(assent: Program, file: Files) -> None:
    path = file("labels.csv", LABELS)
    for options in (
        ("--rename", "nope=x"),
        ("--rename", "Yes=yes"),
        ("--without", "annotators=nobody"),
        ("--merge", "x"),
        ("--only", "rows=1"),
    ):
        done = assent("measure", path, *options)
        assert (done.code, done.out) == (2, ""), options
        assert done.err.startswith("assent: ")
        assert done.err.count("\n") == 1


def test_lines_above_the_header_are_skipped(assent: Program, file: Files) -> None:
    done = assent("measure", file("titled.csv", "A study of 2024\n" + LABELS), "--skip-rows", "1", "--json")
    assert done.json["data"]["items"] == 4
