"""`assent repeat`: how far a judge repeats itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Files, Program
from tests.cli.test_terminal import EVIL, harmless, quoted

import assent as toolkit

LABELS = ["yyy", "nnn", "yny", "yyy", "nny", "nnn"]


@pytest.fixture
def table(file: Files) -> str:
    rows = [f"{i},gpt,{run},{label}\n" for i, labels in enumerate(LABELS) for run, label in enumerate(labels)]
    return file("runs.csv", "item,annotator,run,label\n" + "".join(rows))


def test_the_keys_of_the_contract(assent: Program, table: str) -> None:
    done = assent("repeat", table, "--run", "run", "--json")
    assert done.code == 0
    content = done.json
    assert content["flip_rate"]["value"] == pytest.approx(2 * (2 / 3) / 6)
    assert content["flip_rate"]["ci"]["low"] < content["flip_rate"]["value"] < content["flip_rate"]["ci"]["high"]
    assert set(content["components"]) == {"item", "judge", "item_judge", "run"}
    assert content["components"]["judge"] is None
    assert content["components"]["run"] == pytest.approx(2 * (2 / 3) / 6)
    assert content["data"]["items"] == 6
    assert [flip["item"] for flip in content["flips"]] == ["2", "4"]
    assert assent("repeat", table, "--run", "run", "--json", "--ci", "none").json["flip_rate"]["ci"] is None


def test_the_terminal_says_it_in_a_sentence(assent: Program, table: str) -> None:
    out = assent("repeat", table, "--run", "run").out
    assert (
        "22 % of labels change on a second run of an item by “gpt”" in out
        or '22 % of labels change on a second run of an item by "gpt"' in out
    )
    assert "half of all changes come from 1 item of 6" in out


def test_another_command_says_which_command(assent: Program, table: str) -> None:
    done = assent("measure", table)
    assert (done.code, done.out) == (2, "")
    assert "`assent repeat`, with --run run" in done.err


def test_runs_as_columns_are_noticed_by_measure_and_look(assent: Program, file: Files) -> None:
    rows = "".join(f"{i},{','.join(labels)},{labels[0]}\n" for i, labels in enumerate(LABELS * 3))
    wide = file("wide.csv", "item,run1,run2,run3,ann\n" + rows)
    columns = ["--annotators", "run1,run2,run3,ann"]
    for command in ("measure", "look"):
        assert "look like 3 runs of one judge" in " ".join(assent(command, wide, *columns).out.split())
    assert assent("repeat", wide, *columns, "--json").json["judges"][0]["runs"] == 3


def test_columns_that_are_runs_are_the_data(assent: Program, file: Files) -> None:
    rows = "".join(f"{i},{','.join(labels)},{labels[0]}\n" for i, labels in enumerate(LABELS * 3))
    wide = file("wide.csv", "item,first,second,third,ann\n" + rows)
    found = assent("repeat", wide, "--runs", "first,second", "--json").json
    assert (found["data"]["annotators"], found["data"]["annotations"]) == (1, 36)
    assert found == toolkit.repeat(wide, runs=["first", "second"]).to_dict()
    sure = assent("repeat", wide, "--runs", "first,second", "--ci", "bootstrap", "--bootstrap", "percentile", "--json")
    assert sure.json["flip_rate"]["ci"]["kind"] == "percentile"


def test_a_judge_is_left_out_with_all_its_runs(assent: Program, file: Files) -> None:
    rows = "".join(
        f"{i},{who},{run},{label}\n"
        for i, labels in enumerate(LABELS)
        for run, label in enumerate(labels)
        for who in ("gpt", "ann")
    )
    path = file("both.csv", "item,annotator,run,label\n" + rows)
    for options in (["--without", "annotators=ann"], ["--only", "annotators=gpt"]):
        found = assent("repeat", path, "--run", "run", *options, "--json").json
        assert [one["judge"] for one in found["judges"]] == ["gpt"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--run", "pass"], '--run names the column "pass"'),
        (["--run", "run", "--scale", "cardinal"], "--scale is"),
        (["--run", "run", "--level", "2"], "--level is 2"),
        (["--run", "run", "--ci", "exact"], "--ci is"),
    ],
)
def test_bad_options_are_refused(assent: Program, table: str, options: list[str], told: str) -> None:
    done = assent("repeat", table, *options)
    assert done.code == 2
    assert told in done.err
    assert len(done.err.splitlines()) == 1


def test_hostile_names_do_no_harm(assent: Program, file: Files) -> None:
    rows = "".join(
        f"{quoted(evil)},{quoted(EVIL[0])},{run},{quoted(evil + label)}\n"
        for evil in EVIL
        for run, label in enumerate("aba")
    )
    done = assent("repeat", file("evil.csv", "item,annotator,run,label\n" + rows), "--run", "run", "--single-label")
    assert done.code == 0
    assert harmless(done.out)


def test_repeats_are_written_to_a_file_with_their_charts(assent: Program, table: str, tmp_path: Path) -> None:
    page = tmp_path / "runs.html"
    done = assent("repeat", table, "--run", "run", "-o", str(page))
    assert (done.code, done.out) == (0, "")
    assert "<svg" in page.read_text(encoding="utf-8")


def test_judges_between_whom_chance_gives_no_disagreement_have_no_kappa(file: Files, assent: Program) -> None:
    rows = "i0,j0,0,pass i0,j0,1,pass i0,j0,2,pass i1,j0,0,fail i1,j1,0,pass i1,j1,1,pass".replace(" ", "\n")
    path = file("runs.csv", f"item,judge,run,verdict\n{rows}\n")
    done = assent("repeat", path, "--run", "run", "--annotator", "judge", "--label", "verdict", "--json")
    assert done.code == 0
    assert done.json["ceilings"][0]["kappa"]["value"] is None


def test_files_of_items_and_labels_are_a_run_each(assent: Program, file: Files) -> None:
    files = [
        file(f"run{run}.csv", "item,label\n" + "".join(f"{i},{labels[run]}\n" for i, labels in enumerate(LABELS)))
        for run in range(3)
    ]
    content = assent("repeat", *files, "--json").json
    assert content["flip_rate"]["value"] == pytest.approx(2 * (2 / 3) / 6)
    assert [(one["judge"], one["runs"]) for one in content["judges"]] == [("judge", 3)]
    assert 'annotator = "run, by file"' in content["data"]["notes"][0]
    # One file alone has no runs, and what a column says comes first.
    assert assent("repeat", files[0]).code == 2
    named = [file(f"of{run}.csv", f"item,judge,label\n0,gpt,{label}\n1,gpt,y\n") for run, label in enumerate("yn")]
    assert [one["judge"] for one in assent("repeat", *named, "--json").json["judges"]] == ["gpt"]


@pytest.mark.parametrize("asked", [("repeat", "runs"), ("ceiling", "fleiss")])
def test_what_a_number_is_is_said_whole_on_a_narrow_terminal(
    assent: Program, monkeypatch: pytest.MonkeyPatch, asked: tuple[str, str]
) -> None:
    command, example = asked
    monkeypatch.setenv("COLUMNS", "80")
    said = assent(command, "--example", example, "--ci", "none").out
    assert "what it is" in said
    assert "…" not in said
