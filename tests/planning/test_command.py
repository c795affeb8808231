"""`assent plan` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer.main
from tests.cli.conftest import Files, Program, assent, file  # noqa: F401

import assent as library
from assent.cli.app import program

ROWS = ["a,a,a", "b,b,b", "a,a,b", "b,b,b", "a,a,a", "b,a,b", "c,c,c"]


@pytest.fixture
def labels(file: Files) -> str:  # noqa: F811
    return file("labels.csv", "item,r1,r2,r3\n" + "".join(f"{i},{ROWS[i % 7]}\n" for i in range(140)))


def test_the_contract(assent: Program, labels: str) -> None:  # noqa: F811
    done = assent("plan", labels, "--half-width", "0.05", "--json")
    assert list(done.json) == ["data", "plan"]
    assert done.json["data"] == library.read(labels).to_dict()
    made = library.plan(labels, half_width=0.05)
    assert done.json == json.loads(json.dumps(made.to_dict()))
    assert done.err == ""


def test_sentences_a_table_and_notes(assent: Program, labels: str) -> None:  # noqa: F811
    done = assent("plan", labels, "--half-width", "0.05", "--budget", "3000", "--target", "0.6")
    assert (done.code, done.err) == (0, "")
    made = library.plan(labels, half_width=0.05, budget=3000, target=0.6)
    for text in (*made.sentences, *made.notes):
        assert text in done.out
    for caption in ("What the 140 items so far", "within ±0.05", "Ways to show", "Ways to spend a budget of 3,000"):
        assert caption in done.out
    for one in made.half_width.choices:
        assert f"{one.n_items:,}" in done.out
    # How the table was read is said, as everywhere.
    assert "· Read as wide" in done.out


def test_every_option_reaches_the_plan(assent: Program, labels: str) -> None:  # noqa: F811
    arguments = {
        "--half-width": "0.04",
        "--budget": "2000",
        "--target": "standard",
        "--power": "0.9",
        "--annotations-per-item": "4",
        "--item-cost": "1.5",
        "--measure": "fleiss-kappa",
        "--scale": "ordinal",
        "--weights": "linear",
        "--order": "a,b,c",
        "--level": "0.9",
    }
    done = assent("plan", labels, "--json", *(part for pair in arguments.items() for part in pair))
    made = library.plan(
        labels,
        half_width=0.04,
        budget=2000,
        target="standard",
        power=0.9,
        annotations_per_item=4,
        item_cost=1.5,
        measure="fleiss-kappa",
        scale="ordinal",
        weights="linear",
        order=["a", "b", "c"],
        level=0.9,
    )
    assert done.json == json.loads(json.dumps(made.to_dict()))
    matrix = "label,a,b,c\na,1,0.5,0\nb,0.5,1,0.5\nc,0,0.5,1\n"
    path = Path(labels).with_name("weights.csv")
    path.write_text(matrix)
    own = assent("plan", labels, "--json", "--half-width", "0.05", "-m", "gwet-ac", "--weights", str(path)).json["plan"]
    assert own["options"]["weights"] == "custom"
    assumed = assent("plan", "--json", "--half-width", "0.05", "--agreement", "0.8", "--shares", "0.7,0.2,0.1").json
    assert assumed["data"] is None
    assert assumed["plan"]["shares"] == [0.7, 0.2, 0.1]
    assert assumed["plan"]["agreement"] == pytest.approx(0.8)
    by_kappa = assent("plan", "--json", "--half-width", "0.05", "--kappa", "0.5", "--shares", "0.5,0.5").json["plan"]
    assert by_kappa["value"] == pytest.approx(0.5)


def test_every_option_of_its_own_is_tested_here() -> None:
    plan, explain = (typer.main.get_command(program(name)) for name in ("plan", "explain"))
    shared = {option for one in explain.commands["explain"].params for option in one.opts}  # type: ignore[attr-defined]
    own = {option for one in plan.commands["plan"].params for option in one.opts if option[0] == "-"} - shared  # type: ignore[attr-defined]
    tested = Path(__file__).read_text()
    assert "--half-width" in own
    assert sorted(option for option in own if f'"{option}"' not in tested) == []


def test_few_items_with_three_annotations_are_not_said_to_have_two(assent: Program, tmp_path: Path) -> None:  # noqa: F811
    path = tmp_path / "labels.csv"
    path.write_text("item,x,y,z\n" + "".join(f"{i},{'ab'[i % 2]},a,{'ab'[i % 3 == 0]}\n" for i in range(12)))
    said = assent("plan", str(path)).out
    assert "Fewer than 50 items have more than two annotations" in " ".join(said.split())


def test_an_assumption_needs_no_file(assent: Program) -> None:  # noqa: F811
    done = assent("plan", "--agreement", "0.8", "--shares", "0.7,0.2,0.1", "--half-width", "0.05")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[1].startswith("Assumed: two annotators agree on 80 % of the items")
    assert "you need about 640 items with 3 annotations each" in done.out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (
            ["--half-width", "0.05"],
            "There is nothing to plan from: give data, or assume an agreement with --agreement (or --kappa) and",
        ),
        (["--half-width", "0.05", "--item", "id"], "--item says how to read a table, and no file was given."),
        (["--half-width", "0.05", "--format", "csv"], "--format says how to read a table, and no file was given."),
        (["--kappa", "0.5", "--shares", "0.5;0.5", "--half-width", "0.1"], '--shares is "0.5;0.5"; it must be numbers'),
        (["--kappa", "0.5", "--shares", "0.5,0.4", "--half-width", "0.1"], "The shares add up to 0.9"),
        (["no-such-file.csv", "--half-width", "0.1"], "There is no file"),
        (["--half-width", "narrow"], "Invalid value for '--half-width'"),
    ],
)
def test_what_cannot_be_planned_is_one_sentence(assent: Program, arguments: list[str], complaint: str) -> None:  # noqa: F811
    done = assent("plan", *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"assent: {complaint}")
    assert done.err.count("\n") == 1


def test_a_file_alone_is_planned_for_a_usual_half_width(assent: Program, labels: str) -> None:  # noqa: F811
    alone, asked = (assent("plan", labels, "--json", *more) for more in ((), ("--half-width", "0.1")))
    assert (alone.code, alone.out) == (0, asked.out)


def test_names_from_a_file_cannot_speak_to_the_terminal(assent: Program, file: Files) -> None:  # noqa: F811
    rows = "".join(
        f"{i},{who},{label},d{i % 9}\n"
        for i in range(60)
        for who, label in zip("xyz", ROWS[i % 7].split(","), strict=True)
    )
    path = file("hostile.csv", f"item,annotator,label,do\x1b[31mc\n{rows}")
    done = assent("plan", path, "--cluster", "do\x1b[31mc", "--half-width", "0.05", "--budget", "900")
    assert done.code == 0, done.err
    assert "\x1b" not in done.out
    assert "do\\x1b[31mc" in done.out
    single = "".join(f"{i},{who},{label},d\n" for i in range(9) for who, label in zip("xy", "ab", strict=True))
    alone = file("alone.csv", f"item,annotator,label,do\x1b[31mc\n{single}")
    done = assent("plan", alone, "--cluster", "do\x1b[31mc", "--half-width", "0.05")
    assert (done.code, done.out) == (2, "")
    assert "\x1b" not in done.err


def test_help_teaches_with_examples(assent: Program) -> None:  # noqa: F811
    done = assent("plan", "--help")
    assert done.code == 0
    assert "assent plan labels.csv --half-width 0.05" in done.out
    assert "assent plan --agreement 0.8 --shares 0.7,0.2,0.1 --half-width 0.05" in done.out
