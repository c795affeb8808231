"""`assent sweep`: primary and secondary labels on the command line."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path

import polars as pl
import pytest
from tests.cli.conftest import Files, Program

import assent as library

CELLS = """message,annotator,label
1,ann,question
1,bob,question
2,ann,question;answer
2,bob,answer;question
3,ann,answer;chat
3,bob,answer
4,ann,chat
4,bob,plan
5,ann,plan;chat
5,bob,plan;chat
6,ann,chat
6,bob,chat
"""
ROWS = """message,annotator,label,rank
1,ann,question,1
1,bob,question,1
2,ann,answer,2
2,ann,question,1
2,bob,answer,1
2,bob,question,2
3,ann,answer,1
3,ann,chat,2
3,bob,answer,1
4,ann,chat,1
4,bob,plan,1
5,ann,plan,1
5,ann,chat,2
5,bob,plan,1
5,bob,chat,2
6,ann,chat,1
6,bob,chat,1
"""


@pytest.fixture
def cells(file: Files) -> str:
    return file("cells.csv", CELLS)


def test_the_curve_the_classes_and_their_members(assent: Program, cells: str) -> None:
    done = assent("sweep", cells, "--ranked", "--points", "3", "--ci", "none")
    assert (done.code, done.err) == (0, "")
    sweep = library.sweep(library.read(cells, ranked=True), points=3)
    printed = done.out.splitlines()
    for point in sweep.points:
        assert any(line.split()[:2] == [f"{point.primary:g}", f"{point.value:.3f}"] for line in printed)
        assert any(line.split()[0] == f"{point.primary:g}" and line.endswith("o") for line in printed)
    assert any(line.split()[:2] == ["constant-high", "2"] for line in printed)
    assert any(line.split()[:2] == ["higher-at-0.5", "1"] for line in printed)
    member = next(line for line in printed if "ann: question > answer" in line)
    assert " ".join(member.split()) == "2 0.33 → −0.29 ann: question > answer, bob: answer > question"
    assert "higher-at-0.5: Primary and secondary label are swapped" in done.out
    assert "· 4 of 6 items have a primary label with a value above 0.6 at p = 1." in printed
    assert any(line.startswith("· 1 item of higher-at-1 has the same labels in the same order") for line in printed)


def test_json_is_one_object(assent: Program, cells: str) -> None:
    done = assent("sweep", cells, "--ranked", "--json", "--step", "0.25", "--high", "0.5", "--constant", "0.05")
    assert list(done.json) == ["data", "sweep"]
    data = library.read(cells, ranked=True)
    sweep = library.sweep(data, step=0.25, high=0.5, constant=0.05)
    assert done.json == json.loads(json.dumps(sweep.to_dict()))
    assert done.json["data"]["multilabel"]["ranked"] is True
    assert [one["primary"] for one in done.json["sweep"]["points"]] == [0.5, 0.75, 1.0]


def test_ranks_may_stand_in_a_column(assent: Program, file: Files, cells: str) -> None:
    by_column = assent("sweep", file("rows.csv", ROWS), "--rank", "rank", "--json").json["sweep"]
    by_cell = assent("sweep", cells, "--ranked", "--json").json["sweep"]
    assert by_column["classes"] == by_cell["classes"]
    for one, two in zip(by_column["points"], by_cell["points"], strict=True):
        # Sets are counted in another order, which is rounding.
        assert one["value"] == pytest.approx(two["value"], rel=1e-12)
        assert one["ci"]["low"] == pytest.approx(two["ci"]["low"], rel=1e-12)


def test_intervals_by_name(assent: Program, cells: str) -> None:
    done = assent("sweep", cells, "--ranked", "--json", "--ci", "bootstrap", "--replicates", "30", "--seed", "2")
    ci = done.json["sweep"]["points"][0]["ci"]
    assert (ci["method"], ci["replicates"], ci["seed"]) == ("bootstrap", 30, 2)
    plain = assent("sweep", cells, "--ranked", "--json", "--average", "plain", "--level", "0.8").json["sweep"]
    assert (plain["average"], plain["level"], plain["points"][0]["ci"]["level"]) == ("plain", 0.8, 0.8)


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_all_items_go_to_a_file(assent: Program, cells: str, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"classes.{ending}"
    done = assent("sweep", cells, "--ranked", "-o", str(path))
    assert done.code == 0
    assert done.err == f'Wrote 6 items to "{path}".\n'
    if ending == "csv":
        rows = list(csv.DictReader(io.StringIO(path.read_text())))
        labels = [json.loads(row["labels"]) for row in rows]
    elif ending == "jsonl":
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        labels = [row["labels"] for row in rows]
    else:
        rows = pl.read_parquet(path).to_dicts()
        labels = [json.loads(row["labels"]) for row in rows]
    assert [row["item"] for row in rows] == ["1", "2", "3", "4", "5", "6"]
    assert [row["class"] for row in rows] == [
        "constant-high",
        "higher-at-0.5",
        "higher-at-1",
        "constant-low",
        "higher-at-1",
        "constant-high",
    ]
    assert labels[1] == {"ann": ["question", "answer"], "bob": ["answer", "question"]}
    assert math.isclose(float(rows[0]["value_at_1"]), 1)


@pytest.mark.parametrize("ending", ["svg", "png", "pdf", "SVG"])
def test_a_chart(assent: Program, cells: str, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"sweep.{ending}"
    done = assent("sweep", cells, "--ranked", "--chart", str(path))
    assert (done.code, done.err) == (0, f'Drew "{path}".\n')
    start = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}[ending.lower()]
    assert path.read_bytes().startswith(start)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ([], "but the table does not say which one is primary: name the rank column with --rank, or say with --ranked"),
        (["--single-label"], "but every annotation here is one label"),
        (["--ranked", "--points", "1"], "a sweep has from 2 to 501 points"),
        (["--ranked", "--points", "3", "--step", "0.1"], "give one of them"),
        (["--ranked", "--step", "0.7"], "it must lie between 0.001 and 0.5"),
        (["--ranked", "--constant", "-1"], "must not be negative"),
        (["--ranked", "--high", "2"], "must lie between -1 and 1"),
        (["--ranked", "--ci", "normal"], "which is not one of etel, analytic, jackknife, bootstrap, none"),
        (["--ranked", "--level", "95"], "must lie between 0 and 1"),
        (["--ranked", "--chart", "sweep.gif"], "let its name end in .svg, .png, .pdf"),
        (["--ranked", "-o", "classes.txt"], "does not say its format"),
        (["--ranked", "--for-spreadsheet"], "name it with -o"),
        (["--ranked", "--show", "-1"], "show is -1; it must not be negative"),
        (["--rank", "order"], "the table does not have"),
    ],
    ids=" ".join,
)
def test_what_cannot_be_is_one_sentence(assent: Program, cells: str, options: list[str], complaint: str) -> None:
    done = assent("sweep", cells, *options)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("assent: ")
    assert complaint in done.err
    assert done.err.count("\n") == 1


def test_names_from_a_file_do_nothing(assent: Program, file: Files, tmp_path: Path) -> None:
    """Escapes, markup and formulas in items, annotators and labels are shown, not done."""
    rows = [
        ("=1+1", "\x1b[31mann", "[bold]a;b"),
        ("=1+1", "bob", "b;[bold]a"),
        ("[red]2", "\x1b[31mann", "b"),
        ("[red]2", "bob", "b"),
        ("3\x07", "\x1b[31mann", "[bold]a"),
        ("3\x07", "bob", "c"),
    ]
    path = file("hostile.csv", "item,annotator,label\n" + "".join(f"{','.join(row)}\n" for row in rows))
    out = tmp_path / "out.csv"
    done = assent("sweep", path, "--ranked", "-o", str(out), "--for-spreadsheet")
    assert done.code == 0
    assert "\x1b" not in done.out
    assert "\x07" not in done.out
    assert "[bold]a > b" in done.out
    assert "[red]2" in done.out
    assert out.read_text().splitlines()[1].startswith("'=1+1,")
    assert "\x1b" not in assent("sweep", path, "--ranked", "--chart", str(tmp_path / "x.svg")).out


def test_few_members_are_named_and_the_others_counted(assent: Program, file: Files) -> None:
    rows = "".join(f"{i},{who},{'abc'[i % 3]}\n" for i in range(30) for who in ("x", "y"))
    path = file("many.csv", "item,annotator,label\n" + rows + "30,x,a;b\n30,y,a\n")
    shown = assent("sweep", path, "--ranked", "--show", "2").out.splitlines()
    assert sum("x: " in line for line in shown) == 3
    assert "· And 28 more items." in shown
    none = assent("sweep", path, "--ranked", "--show", "0").out
    assert "x: " not in none
    assert "more item" not in none
    assert "constant-high: Clear cases" in none
    many = assent("sweep", path, "--ranked", "--show", "25").out.splitlines()
    assert sum("x: " in line for line in many) == 26


def test_more_annotators_than_fit_a_line(assent: Program, file: Files) -> None:
    rows = "".join(f"{i},r{k},{'ab'[i]};{'ba'[i]}\n" for i in range(2) for k in range(7))
    done = assent("sweep", file("team.csv", "item,annotator,label\n" + rows), "--ranked")
    assert done.code == 0
    assert "3 more" in done.out


def test_an_undefined_sweep_is_said(assent: Program, file: Files) -> None:
    path = file("flat.csv", "item,annotator,label\n1,x,a;b\n1,y,a\n2,x,a\n2,y,a;c\n")
    done = assent("sweep", path, "--ranked", "--points", "2")
    assert done.code == 0
    assert any(line.split()[:2] == ["1", "–"] for line in done.out.splitlines())
    assert "Agreement is undefined at one end of the sweep" in done.out
    assert assent("sweep", path, "--ranked", "--json").json["sweep"]["points"][-1]["value"] is None
