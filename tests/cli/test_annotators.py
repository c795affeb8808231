"""`assent annotators`: who is the problem, on the command line."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.cli.conftest import Files, Program

import assent as library


def crowd(*, items: int = 240, annotators: int = 6, each: int = 3, clicks: str | None = "w4") -> str:
    """A long table of good annotators, one of whom clicks; with a time, a pass and a document."""
    rng = np.random.default_rng(7)
    lines = ["item,annotator,label,at,seen,document"]
    for item in range(items):
        truth = rng.integers(3)
        for place in rng.permutation(annotators)[:each]:
            name = f"w{place}"
            right = rng.random() < 0.85 and name != clicks
            said = "abc"[truth if right else rng.integers(3)]
            lines.append(f"i{item},{name},{said},2024-03-{1 + item // 10:02},1,d{item // 8}")
    return "\n".join(lines) + "\n"


@pytest.fixture
def labels(file: Files) -> str:
    return file("labels.csv", crowd())


def test_who_clicks_is_on_top_with_the_reason_in_words(assent: Program, labels: str) -> None:
    done = assent("annotators", labels)
    assert (done.code, done.err) == (0, "")
    lines = [line.strip() for line in done.out.splitlines()]
    assert lines[1].startswith("240 items, 6 annotators, 720 annotations, 3 labels (")
    assert lines[2].startswith('1 of 6 annotators judged stands out: "w4". Krippendorff\'s alpha of all is 0.')
    rows = [line for line in lines if line.startswith("w")]
    assert rows[0].startswith("w4 ")
    assert ["hardly" in row for row in rows] == [True] + [False] * 5
    reason = next(line for line in lines if line.startswith("! "))
    assert reason.startswith('! w4 (hardly beyond chance): "w4" agrees with the others on ')
    assert "more than chance alone would make it" in reason
    assert any(line.startswith("· Read as long") for line in lines)


def test_nobody_stands_out_in_an_honest_team(assent: Program, file: Files) -> None:
    done = assent("annotators", file("labels.csv", crowd(clicks=None)))
    assert "Nobody stands out among 6 annotators judged." in done.out
    assert "!" not in done.out


def test_json_is_one_object_with_everything(assent: Program, labels: str) -> None:
    found = assent("annotators", labels, "--json").json
    assert list(found) == ["data", "team", "settings", "annotators", "pairs", "schools", "notes"]
    assert found["data"]["annotators"] == 6
    assert [row["annotator"] for row in found["annotators"] if row["flagged"]] == ["w4"]
    report = library.annotators(labels)
    assert found["annotators"] == json.loads(json.dumps(list(report.rows())))
    assert found["team"]["value"] == library.krippendorff_alpha(labels).value


def test_a_crowd_is_the_same_json_one_annotator_a_line(
    assent: Program, labels: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = assent("annotators", labels, "--json")
    monkeypatch.setattr("assent.analyses.annotators.result.CROWD", 5)
    lines = assent("annotators", labels, "--json")
    assert lines.json == whole.json
    assert list(lines.json) == list(whole.json)
    assert sum(line.startswith('    {"annotator": ') for line in lines.out.splitlines()) == 6


def test_the_table_is_written_in_every_format(assent: Program, labels: str, tmp_path: Path) -> None:
    for name in ("out.csv", "out.jsonl", "out.parquet"):
        done = assent("annotators", labels, "-o", str(tmp_path / name))
        assert (done.code, done.out) == (0, "")
        assert done.err.startswith("Wrote 6 annotators to ")
    with open(tmp_path / "out.csv", newline="") as text:
        rows = list(csv.DictReader(text))
    assert (rows[0]["annotator"], rows[0]["flagged"], rows[0]["kind"]) == ("w4", "true", "chance")
    assert pl.read_parquet(tmp_path / "out.parquet")["annotator"].to_list() == [row["annotator"] for row in rows]
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 6


def test_formulas_are_escaped_for_spreadsheets_on_request(assent: Program, file: Files, tmp_path: Path) -> None:
    hostile = file("hostile.csv", crowd().replace("w4", "=cmd|'/c calc'!A0"))
    plain, safe = tmp_path / "plain.csv", tmp_path / "safe.csv"
    assent("annotators", hostile, "-o", str(plain))
    assent("annotators", hostile, "-o", str(safe), "--for-spreadsheet")
    assert "\n=cmd" in plain.read_text()
    assert "\n=cmd" not in safe.read_text()
    assert "\n'=cmd" in safe.read_text()


def test_names_and_labels_from_a_file_are_escaped(assent: Program, file: Files) -> None:
    hostile = crowd().replace("w4", "[red]\x1b[31mw4").replace(",a,", ",\x1b]0;x\x07,")
    done = assent("annotators", file("hostile.csv", hostile), "--pairs")
    assert done.code == 0
    assert "\x1b" not in done.out
    assert "\x07" not in done.out
    assert r"[red]\x1b[31mw4" in done.out


def test_every_two_annotators_with_n(assent: Program, labels: str, file: Files) -> None:
    out = assent("annotators", labels, "--pairs").out
    assert "Every two annotators: agreement below the diagonal, shared items above it" in out
    pairs = {frozenset((pair.first, pair.second)): pair for pair in library.cohen_kappa(labels).pairs}
    row = next(line.split() for line in out.splitlines() if line.strip().startswith("1 w4"))
    second = next(line.split()[1] for line in out.splitlines() if line.strip().startswith("2 w"))
    assert row[3] == str(pairs[frozenset(("w4", second))].n_items)
    many = assent("annotators", file("many.csv", crowd(annotators=14)), "--pairs").out
    assert "Every two annotators who share items, lowest agreement first (91 pairs)" in many
    assert "Every two" not in assent("annotators", labels).out


def test_time_is_read_and_bad_times_are_said(assent: Program, labels: str) -> None:
    done = assent("annotators", labels, "--time", "at", "--json").json
    assert all(row["trend"]["items"] > 0 for row in done["annotators"])
    assert "Nobody gets better or worse with time" in assent("annotators", labels, "--time", "at").out
    bad = assent("annotators", labels, "--time", "document")
    assert (bad.code, bad.out) == (2, "")
    assert '"document" holds "d0", which is neither a number nor a time' in bad.err
    absent = assent("annotators", labels, "--time", "when")
    assert absent.code == 2
    assert '"when"' in absent.err


def test_who_tires_is_said(assent: Program, file: Files) -> None:
    rng = np.random.default_rng(3)
    lines = ["item,annotator,label,at"]
    for item in range(900):
        truth = rng.integers(3)
        for place in rng.permutation(5)[:3]:
            skill = 0.9 - (item / 900 if place == 2 else 0)
            lines.append(f"{item},w{place},{'abc'[truth if rng.random() < skill else rng.integers(3)]},{item}")
    out = assent("annotators", file("tired.csv", "\n".join(lines) + "\n"), "--time", "at").out
    assert '"w2" falls behind with time: ' in out
    assert "gets better with time" not in out


def test_passes_are_compared_and_the_first_one_counts(assent: Program, file: Files) -> None:
    text = crowd(clicks=None)
    first = text.splitlines()[1:]
    again = [line.replace(",1,d", ",2,d") for line in first if line.split(",")[1] == "w0"][:30]
    again[:6] = [",".join([*line.split(",")[:2], "other", *line.split(",")[3:]]) for line in again[:6]]
    path = file("again.csv", text + "\n".join(again) + "\n")
    found = assent("annotators", path, "--repeat", "seen", "--json").json
    by_name = {row["annotator"]: row for row in found["annotators"]}
    assert by_name["w0"]["consistency"]["items"] == 30
    assert by_name["w0"]["consistency"]["agreement"] == pytest.approx(0.8)
    assert by_name["w1"]["consistency"]["items"] == 0
    assert by_name["w1"]["consistency"]["agreement"] is None
    # The repeats are no annotations of their own.
    once = assent("annotators", file("once.csv", text), "--json").json
    assert found["team"]["value"] == once["team"]["value"]
    assert "80 %" in assent("annotators", path, "--repeat", "seen").out
    # Without the option the table is refused, as everywhere.
    refused = assent("annotators", path)
    assert refused.code == 2
    assert "occur more than once" in refused.err


def test_repeats_that_cannot_be_told_apart_are_refused(assent: Program, file: Files) -> None:
    path = file("twice.csv", "item,annotator,label,seen\ni,x,a,1\ni,x,b,1\ni,y,a,1\nj,x,a,1\nj,y,a,1\n")
    done = assent("annotators", path, "--repeat", "seen")
    assert (done.code, done.out) == (2, "")
    assert 'has two labels by "x" with the same "seen"' in done.err
    both = assent("annotators", path, "--repeat", "seen", "--duplicates", "last")
    assert both.err == "assent: --repeat says which of several labels came first: leave out --duplicates.\n"
    piped = assent("annotators", "-", "--repeat", "seen", stdin=b"item,annotator,label,seen\n")
    assert piped.code == 2
    assert "standard input can be read once" in piped.err


def test_clusters_and_measures_are_taken(assent: Program, labels: str) -> None:
    found = assent("annotators", labels, "--cluster", "document", "-m", "gwet-ac", "--json").json
    assert found["team"]["measure"] == "gwet-ac"
    assert [row["annotator"] for row in found["annotators"] if row["flagged"]] == ["w4"]


def test_so_many_are_shown_and_the_rest_is_counted(assent: Program, labels: str) -> None:
    out = assent("annotators", labels, "--top", "2").out
    assert "· 4 more annotators, none of them flagged." in out
    assert out.endswith("· See more with --top, --json or -o FILE.\n")
    assert sum(line.strip().startswith("w") for line in out.splitlines()) == 2
    assert "See more" not in assent("annotators", labels).out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--top", "0"], "--top is 0; it must be 1 or more."),
        (["--for-spreadsheet"], "--for-spreadsheet is about the file to write: name it with -o."),
        (["--fdr", "2"], "fdr is 2; it must lie between 0 and 1."),
        (["-m", "cohen-kappa"], "cohen-kappa asks who gave which label"),
        (["-o", "table.txt"], "does not say its format"),
    ],
)
def test_bad_options_are_one_sentence(assent: Program, labels: str, arguments: list[str], message: str) -> None:
    done = assent("annotators", labels, *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_a_table_of_counts_and_a_lone_annotator_are_refused(assent: Program, file: Files) -> None:
    counts = assent("annotators", file("counts.csv", "item,yes,no\n1,2,1\n2,3,0\n3,1,2\n"), "--layout", "counts")
    assert counts.code == 2
    assert "no annotators to compare" in counts.err
    lone = assent("annotators", file("lone.csv", "item,annotator,label\n1,x,a\n2,x,b\n"))
    assert lone.code == 2
    assert "agreement needs two" in lone.err


def test_two_annotators_in_a_confusion_table(assent: Program, file: Files) -> None:
    done = assent("annotators", file("table.csv", ",pos,neg\npos,40,18\nneg,2,40\n"))
    assert done.code == 0
    assert "Nobody can be judged" in done.out
    assert "A third, on some of the items, would tell." in done.out
