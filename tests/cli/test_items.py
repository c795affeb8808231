"""`assent items`: what it prints, what it writes, and what it refuses."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.cli.conftest import Files, Program
from tests.cli.test_terminal import EVIL, harmless, quoted

TEXTS = (
    "item,annotator,label,said\n1,x,a,same\n1,y,a,same\n2,x,a,split\n2,y,b,split\n3,x,b,three\n3,y,b,three\n3,z,a,three\n"
    "4,x,b,alone\n5,x,,nobody\n"
)


def read_csv(path: str, delimiter: str = ",") -> list[dict[str, Any]]:
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


@pytest.fixture
def texts(file: Files) -> str:
    return file("texts.csv", TEXTS)


def test_json_has_every_item_the_most_disputed_first(assent: Program, texts: str) -> None:
    content = assent("items", texts, "--json").json
    assert [row["item"] for row in content["items"]] == ["2", "3", "1", "4"]
    assert content["items"][0] == {
        "item": "2",
        "annotations": 2,
        "agreement": 0.0,
        "weighted_agreement": None,
        "spread": None,
        "entropy": 1.0,
        "counts": {"a": 1, "b": 1},
        "majority": None,
        "tied": ["a", "b"],
        "margin": 0.0,
        "text": None,
    }
    assert content["items"][3]["agreement"] is None
    assert (content["total"], content["matching"], content["sort"]) == (4, 4, "disagreement")
    assert content["data"]["annotations"] == 8
    assert "1 item has no label at all and cannot be shown." in content["notes"]


def test_the_text_stands_beside_it_only_if_asked_for(assent: Program, texts: str) -> None:
    assert "split" not in assent("items", texts).out
    assert "split" in assent("items", texts, "--text", "said").out
    content = assent("items", texts, "--text", "said", "--json").json
    assert [row["text"] for row in content["items"]] == ["split", "three", "same", "alone"]
    done = assent("items", texts, "--text", "sad")
    assert done.code == 2
    assert "said" in done.err


def test_filters_and_orders(assent: Program, texts: str) -> None:
    def names(*options: str) -> list[str]:
        return [row["item"] for row in assent("items", texts, "--json", *options).json["items"]]

    assert names("--sort", "item") == ["1", "2", "3", "4"]
    assert names("--sort", "annotations")[0] == "3"
    assert names("--min-annotations", "3") == ["3"]
    assert names("--max-agreement", "0.5") == ["2", "3"]
    assert names("--label-pair", "a,b") == ["2", "3"]
    assert names("--only", "4", "--only", "1") == ["1", "4"]
    assert names("--top", "1") == ["2"]
    assert names("--max-agreement", "0.5", "--min-annotations", "5") == []


def test_a_scale_adds_spread_and_weighted_agreement(assent: Program, numbers: str) -> None:
    content = assent("items", numbers, "--scale", "interval", "--json").json
    assert content["items"][0]["spread"] == 1.0
    assert 0 < content["items"][0]["weighted_agreement"] < 1
    assert "spread" in assent("items", numbers, "--scale", "interval").out


def test_the_terminal_shows_the_worst_and_says_how_many_more(assent: Program, texts: str) -> None:
    done = assent("items", texts, "--top", "2")
    assert "2 more items" in done.out
    assert "--top" in done.out
    assert "On 33 % of items everybody agrees; 2 items are disputed." in done.out
    assert "Agreement of 3 items, from 0 to 1: |█  █     █|  1 below 0.1." in done.out
    assert "a (1), b (1)" in done.out
    assert "tie" in done.out
    none = assent("items", texts, "--min-annotations", "9")
    assert none.code == 0
    assert "0 items; the agreement of none of them is known" in none.out


@pytest.mark.parametrize("suffix", ["csv", "tsv", "json", "jsonl", "parquet"])
def test_a_file_holds_what_the_json_holds(assent: Program, texts: str, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"out.{suffix}"
    done = assent("items", texts, "--text", "said", "-o", str(path))
    assert (done.code, done.out) == (0, "")
    assert done.err == f'Wrote 4 items to "{path}".\n'
    wanted = assent("items", texts, "--text", "said", "--json").json["items"]
    if suffix in ("csv", "tsv"):
        rows = read_csv(str(path), "\t" if suffix == "tsv" else ",")
        rows = [{key: None if value == "" else value for key, value in row.items()} for row in rows]
    elif suffix == "parquet":
        rows = pl.read_parquet(path).to_dicts()
    else:
        text = path.read_text()
        rows = json.loads(text) if suffix == "json" else [json.loads(line) for line in text.splitlines()]
    assert [row["item"] for row in rows] == ["2", "3", "1", "4"]
    for row, one in zip(rows, wanted, strict=True):
        counts, tied = row["counts"], row["tied"]
        assert (json.loads(counts) if isinstance(counts, str) else counts) == one["counts"]
        assert (json.loads(tied) if isinstance(tied, str) else tied) == one["tied"]
        assert row["majority"] == one["majority"]
        assert row["text"] == one["text"]
        assert (None if row["agreement"] is None else float(row["agreement"])) == one["agreement"]
        assert float(row["entropy"]) == one["entropy"]
        assert int(row["annotations"]) == one["annotations"]


def test_formulas_are_escaped_on_request_alone(assent: Program, file: Files, tmp_path: Path) -> None:
    path = file("evil.csv", 'item,annotator,label,said\n=1+1,x,"=cmd|a",@x\n=1+1,y,"=cmd|a",@x\n+2,x,b,-y\n+2,y,b,-y\n')
    plain, safe = str(tmp_path / "plain.csv"), str(tmp_path / "safe.csv")
    assert assent("items", path, "--text", "said", "-o", plain).code == 0
    assert assent("items", path, "--text", "said", "-o", safe, "--for-spreadsheet").code == 0
    before = [(row["item"], row["majority"], row["text"]) for row in read_csv(plain)]
    after = [(row["item"], row["majority"], row["text"]) for row in read_csv(safe)]
    assert before == [("+2", "b", "-y"), ("=1+1", "=cmd|a", "@x")]
    assert after == [("'+2", "b", "'-y"), ("'=1+1", "'=cmd|a", "'@x")]


@pytest.mark.parametrize("evil", EVIL)
def test_names_labels_and_texts_are_harmless_on_a_terminal(assent: Program, file: Files, evil: str) -> None:
    rows = "".join(f"{quoted(evil)},{who},{quoted(evil + who)},{quoted(evil + ' text')}\n" for who in "xy")
    path = file("evil.csv", "item,annotator,label,said\n" + rows)
    done = assent("items", path, "--text", "said", "--single-label")
    assert done.code == 0
    assert harmless(done.out + done.err)
    content = assent("items", path, "--text", "said", "--single-label", "--json").json
    assert content["items"][0]["item"] == evil
    assert content["items"][0]["text"] == evil + " text"
    wrong = assent("items", path, "--single-label", "--only", evil + "?")
    assert wrong.code == 2
    assert harmless(wrong.err)


def test_markup_is_text(assent: Program, file: Files) -> None:
    path = file("markup.csv", "item,annotator,label,said\n[red]1,x,[bold]a,[link=x]y\n[red]1,y,[/bold]b,[link=x]y\n")
    done = assent("items", path, "--text", "said")
    assert "[red]1" in done.out
    assert "[link=x]y" in done.out


def test_a_very_long_text_is_cut(assent: Program, file: Files) -> None:
    path = file("long.csv", f"item,annotator,label,said\n1,x,a,{'y' * 100_000}\n1,z,b,{'y' * 100_000}\n")
    lines = [line for line in assent("items", path, "--text", "said").out.splitlines() if "yyyy" in line]
    assert len(lines) == 1
    assert len(lines[0]) < 200


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--sort", "worst"], "--sort is"),
        (["--top", "0"], "--top is 0"),
        (["--label-pair", "a"], "--label-pair takes two labels"),
        (["--label-pair", "a,c"], 'There is no label "c"'),
        (["--only", "9"], 'There is no item "9"'),
        (["--for-spreadsheet"], "name it with -o"),
        (["-o", "out.docx"], "does not say its format"),
        (["-o", "/nowhere/out.csv"], "There is no folder"),
        (["-o", "out.parquet", "--for-spreadsheet"], "CSV and TSV files alone"),
        (["--scale", "ordinal"], "give it with --order"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(
    assent: Program, texts: str, options: list[str], message: str
) -> None:
    done = assent("items", texts, *options)
    assert done.code == 2
    assert message in done.err
    assert done.out == ""
    assert done.err.count("\n") == 1


def test_a_table_of_counts_has_no_text(assent: Program, file: Files) -> None:
    path = file("counts.csv", "item,yes,no,said\n1,3,0,a\n2,1,2,b\n")
    done = assent("items", path, "--layout", "counts", "--text", "said")
    assert done.code == 2
    assert '"said" has no place' in done.err


@pytest.mark.parametrize(
    ("options", "left"),
    [
        (("--has-label", "b"), ["2", "3", "4"]),
        (("--from-annotator", "y"), ["2", "3", "1"]),
        (("--from-annotator", "x,z"), ["3"]),
        (("--from-annotator", "x", "--has-label", "b"), ["3", "4"]),
        (("--from-annotator", "x,y", "--has-label", "a"), ["1"]),
        (("--by", "said", "--group", "three"), ["3"]),
        (("--min-agreement", "0.2"), ["3", "1"]),
        (("--min-agreement", "0.2", "--max-agreement", "0.5"), ["3"]),
    ],
)
def test_items_are_chosen_by_what_was_said_of_them(
    assent: Program, texts: str, options: tuple[str, ...], left: list[str]
) -> None:
    found = assent("items", texts, *options, "--json").json
    assert [row["item"] for row in found["items"]] == left
    assert found["matching"] == len(left)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--has-label", "c"), 'There is no label "c"'),
        (("--from-annotator", "nobody"), 'There is no annotator "nobody"'),
        (("--group", "three"), "--by"),
        (("--min-agreement", "2"), "agreement lies between 0 and 1"),
    ],
)
def test_what_nobody_said_is_refused(assent: Program, texts: str, options: tuple[str, ...], sentence: str) -> None:
    run = assent("items", texts, *options)
    assert run.code == 2
    assert sentence in run.err


def test_who_gave_which_label_is_said_on_request(assent: Program, texts: str) -> None:
    assert "a (x), b (y)" in assent("items", texts, "--who").out
    assert "a (x)" not in assent("items", texts).out
