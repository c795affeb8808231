"""Files with several labels per annotation on the command line."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from tests.cli.conftest import Files, Program

import assent as library

#: Table 1 of Marchal et al. (2022).
CELLS = b"item,c1,c2\n1,A,A;B\n2,A;B,B;C\n3,A;B,A;B\n"
ROWS = b"item,annotator,label,rank\n1,c1,A,1\n1,c2,B,2\n1,c2,A,1\n2,c1,A,1\n2,c1,B,2\n2,c2,B,1\n2,c2,C,2\n3,c1,A,1\n3,c1,B,2\n3,c2,A,1\n3,c2,B,2\n"
OBSERVED = {
    "soft-match": 1.0,
    "augmented-kappa": 1.25 / 3,
    "boot-match": 1.0,
    "boot-recall": 2.5 / 3,
    "boot-precision": 2 / 3,
    "boot-f1": (2 / 3 + 0.5 + 1) / 3,
}


def test_the_measures_of_sets_are_run_and_explained(assent: Program, file: Files) -> None:
    done = assent("measure", file("t.csv", CELLS), "--json")
    assert {name: one["observed"] for name, one in done.measures.items() if name in OBSERVED} == pytest.approx(OBSERVED)
    assert done.json["data"]["labels"] == ["A", "B", "C"]
    assert done.json["data"]["multilabel"]["several"] == 5
    text = assent("measure", file("t.csv", CELLS)).out
    assert '5 annotations (83 %) hold several labels: "c2" 100 % and "c1" 67 %' in text


@pytest.mark.parametrize("name", OBSERVED)
def test_a_named_measure_of_sets_reads_repeated_rows_as_sets(assent: Program, file: Files, name: str) -> None:
    done = assent("measure", file("t.csv", ROWS), "--json", "--measure", name)
    assert done.only["observed"] == pytest.approx(OBSERVED[name])


def test_repeated_rows_need_to_be_said_for_other_measures(assent: Program, file: Files) -> None:
    assert "--multilabel" in assent("measure", file("t.csv", ROWS), "-m", "fleiss-kappa").err
    done = assent("measure", file("t.csv", ROWS), "-m", "fleiss-kappa", "--multilabel", "--json")
    assert any("Each whole set of labels counts as one label" in note for note in done.only["notes"])
    whole = assent("measure", file("c.csv", CELLS), "-m", "fleiss-kappa", "--single-label", "--json")
    assert whole.only["value"] == pytest.approx(done.only["value"])
    assert whole.json["data"]["multilabel"] is None


def test_ranks(assent: Program, file: Files) -> None:
    by_column = assent(
        "measure", file("t.csv", ROWS), "-m", "augmented-kappa", "--primary", "0.6", "--rank", "rank", "--json"
    )
    by_order = assent(
        "measure", file("c.csv", CELLS), "-m", "augmented-kappa", "--primary", "0.6", "--ranked", "--json"
    )
    assert by_column.only["value"] == by_order.only["value"]
    # .6 for A, then A .6 B .4 against B .6 C .4, then the same twice.
    assert by_column.only["observed"] == pytest.approx((0.6 + 0.24 + 0.52) / 3)
    assert by_column.only["options"]["primary"] == 0.6
    assert assent("measure", file("c.csv", CELLS), "-m", "augmented-kappa", "--primary", "0.6").code == 2
    wrong = assent("measure", file("c.csv", CELLS), "-m", "augmented-kappa", "--primary", "0.4", "--ranked")
    assert (wrong.code, wrong.out) == (2, "")
    assert "must lie between 0.5 and 1" in wrong.err


def test_what_several_labels_mean_decides_what_to_quote(assent: Program, file: Files) -> None:
    rows = b"item,a,b\n1,A,A;B\n2,B,B\n3,C,C;D\n4,D,A\n5,E,E\n6,B,B\n7,C,C\n8,A,A\n"
    for option, quote in (("--ambiguity", "boot-match"), ("--one-true-label", "augmented-kappa")):
        assert assent("measure", file("t.csv", rows), option, "--json").json["chosen"]["quote"] == quote
    assert assent("measure", file("t.csv", rows), "--json").json["chosen"]["quote"] == "boot-match"


def test_a_separator_the_empty_set_and_columns_of_labels(assent: Program, file: Files) -> None:
    plus = file("p.csv", b"item,c1,c2\n1,A,A+B\n2,A+B,-\n3,-,-\n")
    one = assent("measure", plus, "--separator", "+", "--none", "-", "-m", "boot-f1", "--json")
    columns = file("i.csv", b"doc,who,A,B\n1,c1,1,0\n1,c2,1,1\n2,c1,1,1\n2,c2,0,0\n3,c1,0,0\n3,c2,0,0\n")
    two = assent(
        "measure", columns, "--labels", "A,B", "--item", "doc", "--annotator", "who", "-m", "boot-f1", "--json"
    )
    assert one.only["observed"] == two.only["observed"] == pytest.approx((2 / 3 + 0 + 1) / 3)
    assert one.json["data"]["multilabel"]["empty"] == 3


def test_chance_can_be_simulated(assent: Program, file: Files) -> None:
    path = file("t.csv", CELLS)
    exact = assent("measure", path, "-m", "boot-f1", "--json").only
    options = ("--expected", "simulate", "--simulations", "500", "--seed", "3")
    simulated = assent("measure", path, "-m", "boot-f1", *options, "--json").only
    assert simulated["expected"] == library.boot_f1(path, expected="simulate", simulations=500, seed=3).expected
    assert simulated["expected"] == pytest.approx(exact["expected"], abs=0.05)
    assert simulated["expected"] != exact["expected"]
    assert any("simulated" in note for note in simulated["notes"])


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_an_engine_reads_parquet(assent: Program, tmp_path: Path, engine: str) -> None:
    for part in range(3):
        frame = pl.DataFrame(
            {"item": [part, part, part + 10, part + 10], "annotator": list("abab"), "label": list("xxxy")}
        )
        frame.write_parquet(tmp_path / f"part-{part}.parquet")
    pattern = str(tmp_path / "*.parquet")
    one = assent("measure", pattern, "--engine", engine, "-m", "krippendorff-alpha", "--json").only
    assert one["value"] == library.krippendorff_alpha(pattern).value
    assert one["items"] == 6


def test_engines_that_cannot_be_used_are_refused(assent: Program, file: Files, tmp_path: Path) -> None:
    csv = file("t.csv", b"item,annotator,label\n1,a,x\n1,b,x\n")
    assert "reads Parquet files" in assent("measure", csv, "--engine", "duckdb").err
    assert "add --engine spark" in assent("measure", csv, "--master", "local[1]").err
    assert "did you mean" in assent("measure", csv, "--engine", "duckdbb").err
    pl.DataFrame({"item": [1, 2], "r1": ["x", "y"], "r2": ["x", "x"]}).write_parquet(tmp_path / "w.parquet")
    assert "leave --engine out" in assent("measure", str(tmp_path / "w.parquet"), "--engine", "duckdb").err


#: Everybody says of every item that none of the labels fits.
NONE_FITS = "item,annotator,label\n" + "".join(f"i{i},{name},x\n" for i in range(20) for name in "ab")
CHOSEN = tuple(
    name
    for name, one in library.all_measures().items()
    if one.kind == "labels" and (one.label_sets or "nominal" in one.scales)
)


@pytest.mark.parametrize("ci", ["etel", "analytic", "jackknife", "bootstrap"])
def test_nothing_but_empty_sets(assent: Program, file: Files, ci: str) -> None:
    named = [part for name in CHOSEN for part in ("-m", name)]
    done = assent("measure", file("t.csv", NONE_FITS), "--separator", ";", "--none", "x", "--json", "--ci", ci, *named)
    assert set(done.measures) == set(CHOSEN)
    for name, one in done.measures.items():
        assert one["observed"] == 1.0
        if name in ("percent-agreement", "spa"):
            assert one["value"] == 1.0
        else:
            assert one["value"] is None
            assert any('every annotation is "[]"' in note for note in one["notes"])
        if ci == "etel":
            assert one["ci"]["low"] < one["ci"]["high"] <= 1.0


def test_empty_sets_are_told_in_words(assent: Program, file: Files) -> None:
    text = assent("measure", file("t.csv", NONE_FITS), "--separator", ";", "--none", "x").out
    assert "no labels, each annotation is an empty set; 0 annotations (0 %) hold several labels" in text
    assert "alpha would be undefined" in text
