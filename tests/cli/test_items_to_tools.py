"""`assent items --to TOOL`: what is written is what the tool takes, and what it would give back is read again."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Files, Program
from tests.cli.test_same_number import GIVEN, TEXTS, tasks

from assent.analyses.items.tools import TOOLS

DISPUTED = {f"{i + 1}": TEXTS[i] for i, row in enumerate(GIVEN) if len(set(row)) > 1}


@pytest.fixture
def export(file: Files) -> str:
    return file("export.json", json.dumps(tasks()))


def label_studio(content: str) -> str:
    """Return what the tool exports of tasks that two people annotated."""
    return json.dumps([
        {"id": 500 + i, **task, "annotations": [
            {"id": 2 * i + j, "completed_by": j, "was_cancelled": False, "created_at": "2026-03-02T10:00:00Z",
             "result": [{"from_name": "tone", "to_name": "text", "type": "choices", "value": {"choices": ["pos"]}}]}
            for j in (1, 2)]}
        for i, task in enumerate(json.loads(content))
    ])  # fmt: skip


def prodigy(content: str) -> str:
    return "".join(
        json.dumps(json.loads(line) | {"_input_hash": i, "_task_hash": i, "_view_id": "choice", "answer": "accept", "accept": ["pos"], "_annotator_id": f"again-{who}",
                                       "config": {"choice_style": "single"}}) + "\n"
        for who in ("ana", "ben") for i, line in enumerate(content.splitlines())
    )  # fmt: skip


READ_BACK: dict[str, tuple[str, Callable[[str], str]]] = {
    "label-studio": ("again.json", label_studio),
    "prodigy": ("again.jsonl", prodigy),
}


def items_in(tool: str, content: str) -> dict[str, str]:
    """Return the text of each item that a file for a tool holds."""
    if tool == "csv":
        return {row["item"]: row["text"] for row in csv.DictReader(io.StringIO(content))}
    if tool == "label-studio":
        return {one["data"]["item"]: one["data"]["text"] for one in json.loads(content)}
    rows = [json.loads(line) for line in content.splitlines()]
    return {row["meta"]["item"] if tool == "prodigy" else row["item"]: row["text"] for row in rows}


@pytest.mark.parametrize("tool", TOOLS)
def test_the_disputed_items_are_written_with_their_texts(
    tool: str, assent: Program, export: str, tmp_path: Path
) -> None:
    path = tmp_path / "again"
    done = assent("items", export, "--to", tool, "-o", str(path))
    assert (done.code, done.out) == (0, "")
    assert f"Wrote {len(DISPUTED)} items" in done.err
    assert items_in(tool, path.read_text("utf-8")) == DISPUTED
    assert assent("items", export, "--to", tool).out == path.read_text("utf-8")


@pytest.mark.parametrize("tool", READ_BACK)
def test_what_the_tool_gives_back_is_read(tool: str, assent: Program, export: str, file: Files) -> None:
    name, annotated = READ_BACK[tool]
    again = file(name, annotated(assent("items", export, "--to", tool).out))
    found = assent("measure", again, "--measure", "percent-agreement", "--json").json
    assert (found["data"]["items"], found["data"]["annotators"], found["data"]["labels"]) == (len(DISPUTED), 2, ["pos"])


def test_doccano_members_files_are_read(assent: Program, export: str, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in assent("items", export, "--to", "doccano").out.splitlines()]
    for who in ("ana", "ben"):
        labelled = [json.dumps({"id": i, **line, "label": ["pos"]}) for i, line in enumerate(lines)]
        (tmp_path / "out").mkdir(exist_ok=True)
        (tmp_path / "out" / f"{who}.jsonl").write_text("\n".join(labelled) + "\n")
    found = assent("measure", str(tmp_path / "out"), "--measure", "percent-agreement", "--json").json
    assert (found["data"]["items"], found["data"]["annotators"]) == (len(DISPUTED), 2)


def test_filters_say_which_items(assent: Program, export: str) -> None:
    def count(*options: str) -> int:
        return len(items_in("doccano", assent("items", export, "--to", "doccano", *options).out))

    assert count("--max-agreement", "1") == 20
    assert count("--top", "3") == 3
    assert count("--only", "5") == 1


def test_a_cell_of_the_table_is_never_a_formula(assent: Program, file: Files) -> None:
    table = file("evil.csv", "item,annotator,label,said\n=1+1,x,@a,=cmd()\n=1+1,y,-b,=cmd()\n")
    content = assent("items", table, "--text", "said", "--to", "csv").out
    cells = [cell for row in csv.reader(io.StringIO(content)) for cell in row]
    assert {"'=1+1", "'=cmd()"} <= set(cells)
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]


def test_without_texts_names_stand_in_their_place(assent: Program, file: Files) -> None:
    done = assent("items", file("t.csv", "item,annotator,label\nfirst one,x,a\nfirst one,y,b\n"), "--to", "prodigy")
    assert json.loads(done.out)["text"] == "first one"
    assert "--text" in done.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--to", "brat"], "brat"),
        (["--to", "csv", "--json"], "--json"),
        (["--to", "csv", "-o", "no/such/folder/x.csv"], "folder"),
    ],
)
def test_what_is_refused(options: list[str], said: str, assent: Program, export: str) -> None:
    done = assent("items", export, *options)
    assert done.code == 2
    assert said in done.err
    assert done.out == ""


def test_nothing_disputed_is_said(assent: Program, file: Files, tmp_path: Path) -> None:
    path = tmp_path / "none.json"
    done = assent(
        "items", file("t.csv", "item,annotator,label\n1,x,a\n1,y,a\n"), "--to", "label-studio", "-o", str(path)
    )
    assert done.code == 2
    assert "nobody disagrees" in done.err
    assert not path.exists()


def test_hostile_texts_stay_what_they_are(assent: Program, file: Files) -> None:
    evil: list[Any] = ["a\nb", '"q"', "\u202e", "=1", "<script>"]
    rows = "".join(json.dumps({"item": text, "annotator": who, "label": who}) + "\n" for text in evil for who in "xy")
    for tool in ("label-studio", "prodigy", "doccano"):
        assert set(items_in(tool, assent("items", file("t.jsonl", rows), "--to", tool).out).values()) == set(evil)


def spans_export(field: str) -> str:
    """Return tasks in which two people marked the same, or not; the text stands under a key of the project's own."""

    def annotation(number: int, who: int, *labels: str) -> dict[str, Any]:
        return {"id": number, "completed_by": who, "was_cancelled": False, "result": [
            {"from_name": "ner", "to_name": "t", "type": "labels",
             "value": {"start": 4, "end": 7, "text": "lid", "labels": [label]}} for label in labels]}  # fmt: skip

    return json.dumps([
        {"id": 1, "data": {field: "The lid."}, "annotations": [annotation(1, 1, "PART"), annotation(2, 2, "PART")]},
        {"id": 2, "data": {field: "The lid!"}, "annotations": [annotation(3, 1, "PART"), annotation(4, 2)]},
    ])  # fmt: skip


@pytest.mark.parametrize("tool", TOOLS)
def test_documents_with_disputed_spans_are_written(tool: str, assent: Program, file: Files, tmp_path: Path) -> None:
    path = tmp_path / "again"
    done = assent("items", file("export.json", spans_export("text")), "--to", tool, "-o", str(path))
    assert (done.code, done.out) == (0, "")
    assert items_in(tool, path.read_text("utf-8")) == {"2": "The lid!"}
    assert "Wrote 1 item" in done.err


def test_label_studio_gets_the_text_under_the_key_of_the_project(assent: Program, file: Files) -> None:
    found = json.loads(assent("items", file("export.json", spans_export("body")), "--to", "label-studio").out)
    assert [one["data"] for one in found] == [{"item": "2", "body": "The lid!"}]


def test_prodigy_is_told_that_several_labels_may_be_chosen(assent: Program, file: Files) -> None:
    table = file("t.csv", "item,annotator,label\n1,x,a\n1,y,a;b\n2,x,a\n2,y,a\n")
    lines = assent("items", table, "--separator", ";", "--to", "prodigy").out.splitlines()
    assert [json.loads(line)["config"] for line in lines] == [{"choice_style": "multiple"}]
