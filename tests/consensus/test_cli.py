"""`assent consensus` as a program: what it prints, writes and refuses."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import polars as pl
import pytest
from tests.cli.conftest import Files, Program, file  # noqa: F401
from tests.cli.conftest import assent as program  # noqa: F401
from tests.consensus.data import METHODS, simulated

from assent.analyses.consensus import all_methods

LONG = "item,annotator,label,source\n" + "".join(
    f"{i},{who},{label},web\n"
    for i, labels in enumerate(["aab", "bbb", "aaa", "ab", "c", "bba"], start=1)
    for who, label in zip("xyz", labels, strict=False)
)


@pytest.fixture
def labels(file: Files) -> str:  # noqa: F811
    return file("labels.csv", LONG)


@pytest.mark.parametrize("method", METHODS)
def test_json_is_one_object_of_a_fixed_shape(program: Program, labels: str, method: str) -> None:  # noqa: F811
    found = program("consensus", labels, "--method", method, "--json").json
    assert found.keys() == {"data", "consensus"}
    assert found["data"]["items"] == 6
    consensus = found["consensus"]
    assert consensus.keys() == {
        "method", "title", "options", "converged", "iterations", "log_likelihood", "trace", "decided", "tied", "items",
        "annotators", "labels", "gold", "notes",
    }  # fmt: skip
    assert consensus["method"] == method
    assert consensus["gold"] is None
    first = consensus["items"][0]
    assert first.keys() >= {"item", "label", "confidence", "annotations", "votes", "tie", "tied", "probabilities"}
    assert first["probabilities"] is None
    assert [row["item"] for row in consensus["items"]] == ["1", "2", "3", "4", "5", "6"]
    assert [row["label"] for row in consensus["labels"]] == ["a", "b", "c"]
    assert [row["annotator"] for row in consensus["annotators"]] == ["x", "y", "z"]
    iterates = "max_iterations" in all_methods()[method].parameters
    assert (consensus["converged"] is not None) == iterates
    assert (consensus["iterations"] is not None) == iterates
    assert (consensus["log_likelihood"] is not None) == (
        method in ("dawid-skene", "pooled-dawid-skene", "one-coin", "mace")
    )


def test_majority_states_the_tie(program: Program, labels: str) -> None:  # noqa: F811
    rows = program("consensus", labels, "--json", "--soft").json["consensus"]["items"]
    assert [row["label"] for row in rows] == ["a", "b", "a", None, "c", "b"]
    assert rows[3]["tie"] is True
    assert rows[3]["tied"] == ["a", "b"]
    assert rows[3]["confidence"] == 0.5
    assert rows[3]["votes"] is None
    assert rows[3]["probabilities"] == {"a": 0.5, "b": 0.5, "c": 0.0}
    assert rows[0]["tied"] is None
    done = program("consensus", labels)
    assert "Majority: 5 of 6 items have a label, 1 is tied." in done.out
    assert "a, b (tie)" in done.out
    assert "· 1 item is tied and has no label" in done.out


def test_lots_are_drawn_with_a_stated_seed(program: Program, labels: str) -> None:  # noqa: F811
    consensus = program("consensus", labels, "--ties", "random", "--seed", "3", "--json").json["consensus"]
    assert consensus["items"][3]["label"] in ("a", "b")
    assert consensus["items"][3]["tie"] is True
    assert consensus["options"]["seed"] == 3
    assert any("at random (seed 3)" in note for note in consensus["notes"])


@pytest.mark.parametrize("ending", ["csv", "tsv", "json", "jsonl", "parquet"])
def test_files_are_ready_for_training(program: Program, labels: str, tmp_path: Path, ending: str) -> None:  # noqa: F811
    path = tmp_path / f"out.{ending}"
    done = program("consensus", labels, "-m", "dawid-skene", "--soft", "-o", str(path))
    assert done.code == 0
    assert done.err == f'Wrote 6 items to "{path}".\n'
    if ending in ("csv", "tsv"):
        rows = list(csv.DictReader(path.read_text().splitlines(), delimiter="\t" if ending == "tsv" else ","))
    elif ending == "parquet":
        rows = pl.read_parquet(path).to_dicts()
    else:
        text = path.read_text()
        rows = json.loads(text) if ending == "json" else [json.loads(line) for line in text.splitlines()]
    assert list(rows[0]) == ["item", "label", "confidence", "annotations", "votes", "tie", "tied", "p_a", "p_b", "p_c"]
    assert [row["item"] for row in rows] == ["1", "2", "3", "4", "5", "6"]
    for row in rows:
        chances = [float(row[f"p_{label}"]) for label in "abc"]
        assert sum(chances) == pytest.approx(1)
        assert float(row["confidence"]) == max(chances)
        # Item 4 is tied: one a and one b of two annotators who are equally good.
        assert (row["label"] or None) == (None if row["item"] == "4" else "abc"[chances.index(max(chances))])
        assert str(row["tie"]).lower() == ("true" if row["item"] == "4" else "false")


def test_a_file_of_ties_has_empty_labels(program: Program, labels: str, tmp_path: Path) -> None:  # noqa: F811
    path = tmp_path / "out.csv"
    program("consensus", labels, "-o", str(path))
    assert path.read_text().splitlines()[4] == '4,,0.5,2,,true,"[""a"", ""b""]"'
    table = pl.read_csv(path)
    assert table["label"].null_count() == 1


def test_formulas_are_escaped_on_request(program: Program, file: Files, tmp_path: Path) -> None:  # noqa: F811
    bad = file("bad.csv", "item,annotator,label\n=1+1,x,a\n=1+1,y,a\n")
    path = tmp_path / "out.csv"
    program("consensus", bad, "-o", str(path))
    assert path.read_text().splitlines()[1].startswith("=1+1,a,")
    program("consensus", bad, "-o", str(path), "--for-spreadsheet")
    assert path.read_text().splitlines()[1].startswith("'=1+1,a,")


def test_nothing_from_the_data_reaches_the_terminal_raw(program: Program, file: Files) -> None:  # noqa: F811
    bad = file("bad.csv", "item,annotator,label\n\x1b[31mi,[red]x,[bold]a\n\x1b[31mi,y,\x1b]0;b\n")
    done = program("consensus", bad)
    assert "\x1b" not in done.out
    assert "[bold]a" in done.out


def test_gold_scores_every_method(program: Program, file: Files) -> None:  # noqa: F811
    rows, gold = simulated(60, 4, 8, 3, 1)
    data = file("data.csv", "item,annotator,label\n" + "".join(f"{i},{w},{c}\n" for i, w, c in rows))
    # A label that nobody gave, an item that is not there, and one without a known label.
    known = {**dict(list(gold.items())[:40]), "i000": "L9", "nobody": "L1", "i059": "NA"}
    path = file("gold.csv", "item,label\n" + "".join(f"{i},{c}\n" for i, c in known.items()))
    found = program("consensus", data, "-m", "one-coin", "--gold", path, "--json").json["consensus"]
    scored = found["gold"]
    assert scored["items"] == 40
    assert scored["unknown_items"] == 1
    assert scored["unknown_labels"] == ["L9"]
    assert scored["missing"] == 1
    assert {row["method"] for row in scored["methods"]} == set(METHODS)
    by_name = {row["method"]: row for row in scored["methods"]}
    right = sum(row["label"] == known.get(row["item"]) for row in found["items"] if row["item"] != "i059")
    assert by_name["one-coin"]["correct"] == right
    assert by_name["one-coin"]["accuracy"] == right / 40
    assert by_name["majority"]["decided"] <= 40
    assert [row["accuracy"] for row in scored["methods"]] == sorted(
        (r["accuracy"] for r in scored["methods"]), reverse=True
    )
    for row in scored["methods"]:
        assert row["ci"]["low"] <= row["accuracy"] <= row["ci"]["high"]
        assert 0 <= row["macro_f1"] <= 1
    text = program("consensus", data, "--gold", path).out
    assert "Methods against known labels" in text
    assert "1 of the items with a known label is not among the data: left out." in text
    assert 'Nobody gave these known labels, so no method can find them: "L9".' in text
    assert "1 item is listed without a known label: left out." in text


def test_gold_may_stand_in_a_column(program: Program, file: Files) -> None:  # noqa: F811
    text = "item,annotator,label,gold\n1,x,a,a\n1,y,a,a\n2,x,b,a\n2,y,b,\n3,x,a,\n3,y,a,\n"
    found = program("consensus", file("data.csv", text), "--gold-column", "gold", "--json").json["consensus"]["gold"]
    assert found["items"] == 2
    assert found["missing"] == 1
    assert {row["method"]: row["accuracy"] for row in found["methods"]}["majority"] == 0.5


def test_gold_from_other_formats(program: Program, labels: str, tmp_path: Path) -> None:  # noqa: F811
    table = pl.DataFrame({"id": [1, 2, 3], "true_label": ["a", "b", "b"], "note": ["", "x", ""]})
    table.write_parquet(tmp_path / "gold.parquet")
    table.write_ndjson(tmp_path / "gold.jsonl")
    for name in ("gold.parquet", "gold.jsonl"):
        found = program("consensus", labels, "--gold", str(tmp_path / name), "--json").json["consensus"]["gold"]
        assert found["items"] == 3
        assert {row["method"]: row["correct"] for row in found["methods"]}["majority"] == 2


def test_gold_that_the_data_hold_beside_a_folder_called_data(
    program: Program,  # noqa: F811
    file: Files,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    labels = file("labels.csv", "item,ann,bob,cem,Final label\n1,x,x,y,x\n2,y,y,y,y\n3,x,y,x,y\n4,y,x,x,\n")
    (tmp_path / "data").mkdir()
    monkeypatch.chdir(tmp_path)
    found = program("consensus", labels, "--gold", "data", "--json").json["consensus"]["gold"]
    assert {row["method"]: row["correct"] for row in found["methods"]}["majority"] == 2
    (tmp_path / "data").rmdir()
    (tmp_path / "data").write_text("item,label\n1,y\n")
    assert program("consensus", labels, "--gold", "data", "--json").json["consensus"]["gold"]["items"] == 1


def test_a_method_that_cannot_run_is_said_and_the_others_are_scored(program: Program, file: Files) -> None:  # noqa: F811
    counts = file("counts.csv", "item,a,b\n1,3,0\n2,1,2\n3,0,3\n")
    gold = file("gold.csv", "item,label\n1,a\n2,b\n")
    found = program("consensus", counts, "--layout", "counts", "--gold", gold, "--json").json["consensus"]["gold"]
    counting = {name for name, one in all_methods().items() if not one.asks_who}
    assert {"majority", "intersection"} <= counting
    assert {row["method"] for row in found["methods"]} == counting
    assert any(note.startswith("mace was not scored: MACE judges annotators") for note in found["notes"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--method", "mayority"], 'There is no consensus method "mayority": did you mean "majority"?'),
        (["--tolerance", "0.1"], "majority has no option --tolerance: it is an option of "),
        (["--method", "mace", "--estimation", "x"], '--estimation is "x", which is not one of variational, em'),
        (["--ties", "first"], '--ties is "first", which is not one of none, random'),
        (["--soft"], "--soft is about the file to write or the JSON to print"),
        (["--for-spreadsheet"], "--for-spreadsheet is about the file to write"),
        (["-o", "out.xyz"], '"out.xyz" does not say its format'),
        (["--gold", "a.csv", "--gold-column", "source"], "--gold and --gold-column both say where known labels are"),
        (["--gold", "nowhere.csv"], "nowhere.csv"),
        (["--gold-column", "gold"], 'no column "gold"'),
        (["--level", "95", "--gold", "a.csv"], "--level is 95.0; it must lie between 0 and 1"),
        (
            ["--method", "sharpening", "--primary", "0.7"],
            "--primary needs annotations that rank their labels: say how with --rank or --ranked",
        ),
        (["--seed", "-1"], "--seed is -1; it must not be negative"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(program: Program, labels: str, arguments: list[str], message: str) -> None:  # noqa: F811
    done = program("consensus", labels, *arguments)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("assent: ")
    assert done.err.count("\n") == 1
    assert message in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("item,label\n1,a\n1,b\n", 'The item "1" has two known labels, "a" and "b": it can have one.'),
        ("item,label\n77,a\n", "None of the 1 items with a known label is among the 6 items of the data"),
        ("item,label\n1,\n", "There is no known label to compare with"),
        ('[{"item": "1", "label": ["a", "b"]}]', "must have a column of items and one of known labels"),
        ("item\n1\n", "must have a column of items and one of known labels"),
        ("one,two,three\n1,a,b\n", "must have a column of items and one of known labels"),
    ],
)
def test_bad_gold_is_one_sentence(program: Program, labels: str, file: Files, content: str, message: str) -> None:  # noqa: F811
    done = program("consensus", labels, "--gold", file("gold.csv", content))
    assert done.code == 2
    assert message in done.err
    assert done.err.count("\n") == 1
