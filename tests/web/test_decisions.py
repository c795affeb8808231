"""Decisions: kept as soon as they are made, written whole, found again."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import shutil
from pathlib import Path

import pytest
from tests.web.conftest import TOKEN, Client

import assent
from assent.errors import AssentError, InputError
from assent.web.app import Page, application
from assent.web.states import State

FILE = "examples/sentiment.csv"


def _opened(path: Path | None = None) -> tuple[Client, str]:
    page = Page([FILE], None if path is None else str(path))
    assert page.first is not None
    page.decisions.own(page.first)
    return Client(page, application(page, TOKEN)), f"/s/{page.first.name}"


def _decide(client: Client, place: str, *given: tuple[str, str]) -> dict[str, object]:
    said = {"decisions": [{"item": item, "label": label} for item, label in given]}
    answer = client.post(f"{place}/decide", json.dumps(said))
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_disputed_items_come_with_who_said_what() -> None:
    client, place = _opened()
    found = client.get(f"{place}/adjudicate/items").json()
    disputed = assent.items(assent.read(FILE)).disputed()
    assert [one["item"] for one in found["items"]] == [row.item for row in disputed.rows()]
    first = found["items"][0]
    assert sorted(label for _, label in first["given"]) == sorted(
        label for label, times in first["counts"] for _ in range(times)
    )
    assert found["written"] is None
    client.page.close()


def test_each_decision_is_written_whole_and_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "decided.csv"
    client, place = _opened(path)
    _decide(client, place, ("review-02", "neutral"))
    assert path.read_text("utf-8").splitlines()[1].startswith("review-02,neutral,")
    _decide(client, place, ("review-43", 'a "label", quoted\n=cmd'), ("review-02", "negative"))
    with path.open(encoding="utf-8", newline="") as file:
        rows = {row["item"]: row["label"] for row in csv.DictReader(file)}
    assert rows == {"review-43": 'a "label", quoted\n=cmd', "review-02": "negative"}
    client.page.close()
    # Another server goes on where this one was, and an empty label takes a decision back.
    client, place = _opened(path)
    assert len(client.get(f"{place}/adjudicate/items").json()["decided"]) == 2
    assert _decide(client, place, ("review-43", "")) == {"decided": 1, "written": str(path)}
    assert os.listdir(tmp_path) == ["decided.csv"]
    assert client.get(f"{place}/decisions.csv").text == path.read_text("utf-8")
    client.page.close()


def test_decisions_are_labels_that_a_consensus_is_scored_by(tmp_path: Path) -> None:
    path = tmp_path / "decided.csv"
    client, place = _opened(path)
    _decide(client, place, ("review-02", "neutral"), ("review-43", "positive"))
    assert assent.consensus(assent.read(FILE), gold=str(path)).to_dict()["consensus"]["gold"]["items"] == 2
    client.page.close()


def test_what_cannot_be_written_is_said_and_not_taken_as_saved(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    client, place = _opened(folder / "decided.csv")
    shutil.rmtree(folder)
    answer = client.post(f"{place}/decide", json.dumps({"decisions": [{"item": "review-02", "label": "neutral"}]}))
    assert answer.status_code == 400
    assert "no folder" in answer.json()["error"]
    assert client.get(f"{place}/adjudicate/items").json()["decided"] == []
    client.page.close()


@pytest.mark.parametrize("said", ["[" * 100_000, "", "[]", "{}", '{"decisions": 3}', '{"decisions": [3]}', '{"decisions": [{"item": 1, "label": "x"}]}', json.dumps({"decisions": [{"item": "x" * 20_000, "label": "y"}]})])  # fmt: skip
def test_what_is_no_decision_is_refused(said: str) -> None:
    client, place = _opened()
    assert client.post(f"{place}/decide", said).status_code == 400
    client.page.close()


def test_another_file_is_not_taken_for_decisions(tmp_path: Path) -> None:
    path = tmp_path / "notes.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="holds no decisions"):
        Page([FILE], str(path))


def test_decisions_of_one_session_are_not_those_of_another(tmp_path: Path) -> None:
    path = tmp_path / "decided.csv"
    client, place = _opened(path)
    _decide(client, place, ("review-02", "neutral"))
    other = client.file(Path(FILE).read_bytes())
    assert client.get(f"{other}/adjudicate/items").json()["decided"] == []
    assert _decide(client, other, ("review-43", "positive"))["written"] is None
    assert "review-43" not in path.read_text("utf-8")
    client.page.close()


def test_files_of_one_name_in_two_folders_have_decisions_of_their_own(tmp_path: Path) -> None:
    keys = set()
    for folder in ("one", "two"):
        file = tmp_path / folder / "labels.csv"
        file.parent.mkdir()
        file.write_text("item,ann,bob\n1,x,y\n2,x,x\n", encoding="utf-8")
        with contextlib.chdir(file.parent):
            page = Page(["labels.csv"])
            assert page.first is not None
            keys.add(page.decisions.disputed(page.first, State())["key"])
            page.close()
    assert len(keys) == 2


def test_what_was_taken_back_is_told_to_a_window_that_still_has_it() -> None:
    client, place = _opened()
    _decide(client, place, ("review-02", "neutral"))
    assert _decide(client, place, ("review-02", ""))["decided"] == 0
    (told,) = client.get(f"{place}/adjudicate/items").json()["decided"]
    assert (told["item"], told["label"]) == ("review-02", "")
    assert told["decided"]
    assert client.get(f"{place}/decisions.csv").text.splitlines() == ["item,label,decided"]
    client.page.close()


def test_two_servers_that_write_one_file_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "decided.csv"
    (one, here), (two, there) = _opened(path), _opened(path)
    _decide(one, here, ("review-02", "neutral"), ("review-05", "negative"))
    _decide(two, there, ("review-43", "positive"))
    _decide(one, here, ("review-05", ""))
    _decide(two, there, ("review-07", "neutral"))
    with path.open(encoding="utf-8", newline="") as file:
        rows = {row["item"]: row["label"] for row in csv.DictReader(file)}
    assert rows == {"review-02": "neutral", "review-43": "positive", "review-07": "neutral"}
    told = one.get(f"{here}/adjudicate/items").json()["decided"]
    assert {row["item"] for row in told if row["label"]} == set(rows)
    one.page.close()
    two.page.close()


@pytest.mark.parametrize("held", ["item,annotator,label\n1,ann,x\n", "item,text\n", "item,label,confidence\n1,x,0.5\n"])
def test_data_are_not_overwritten_by_decisions(tmp_path: Path, held: str) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(held, encoding="utf-8")
    with pytest.raises(InputError, match="holds no decisions"):
        Page([FILE], str(path))
    assert path.read_text("utf-8") == held


def test_the_data_themselves_are_no_file_of_decisions(tmp_path: Path) -> None:
    path = tmp_path / "ann.csv"
    path.write_text("item,label\n1,x\n", encoding="utf-8")
    with pytest.raises(AssentError, match="holds the data"):
        assent.serve(path, decisions=tmp_path / "." / "ann.csv", browser=False)
    assert path.read_text("utf-8") == "item,label\n1,x\n"


def test_spans_are_not_decided_and_that_is_said(client: Client) -> None:
    place = client.example("spans")
    told = client.get(f"{place}/adjudicate/items")
    assert told.status_code == 400, (told.status_code, told.text)
    assert "these are spans: see" in told.json()["error"]
