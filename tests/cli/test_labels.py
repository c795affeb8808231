"""`assent labels`: the labels, one by one and two by two."""

from __future__ import annotations

import pytest
from tests.cli.conftest import Files, Program
from tests.cli.test_terminal import EVIL, harmless, quoted

import assent as library
from assent.errors import OptionError

TABLE = (
    "item,ana,ben\n"
    + "1,a,a\n2,a,b\n3,b,a\n4,c,c\n5,b,b\n6,c,b\n"
    + "".join(f"{i},a,a\n{i + 10},c,c\n" for i in range(7, 14))
)


@pytest.fixture
def table(file: Files) -> str:
    return file("labels.csv", TABLE)


def test_json_has_it_all(assent: Program, table: str) -> None:
    content = assent("labels", table, "--json").json
    data = library.read(table)
    assert [row["label"] for row in content["labels"]] == ["a", "b", "c"]
    assert content["labels"][0]["value"] == library.krippendorff_alpha.by_label(data)["a"].value
    assert content["overall"]["value"] == library.krippendorff_alpha(data).value
    assert content["coincidences"]["matrix"] == library.coincidences(data).matrix().tolist()
    assert content["confusion"]["matrix"] == [[8, 1, 0], [1, 1, 0], [0, 1, 8]]
    assert (content["confusion"]["first"], content["confusion"]["second"]) == ("ana", "ben")
    assert [(one["first"], one["second"]) for one in content["disputed"]] == [("a", "b"), ("b", "c")]
    best = content["merges"]["merges"][0]
    assert (best["first"], best["second"]) == ("a", "b")
    assert content["merges"]["value"] == content["overall"]["value"]
    assert content["rare"] == ["b"]
    assert content["unused"] == []


def test_the_terminal_shows_it(assent: Program, table: str) -> None:
    done = assent("labels", table)
    assert done.code == 0
    for part in (
        "a or b",
        "a + b",
        "bits lost",
        "Coincidences",
        "Confusion",
        'rows are the labels of "ana"',
        "Krippendorff's alpha",
    ):
        assert part in done.out
    assert "95 % interval" in done.out
    assert "95 % interval" not in assent("labels", table, "--ci", "none").out


def test_unused_labels_and_two_spellings_are_asked_about(assent: Program, file: Files) -> None:
    path = file(
        "typo.csv", "item,x,y\n" + "".join(f"{i},positive,positive\n" for i in range(20)) + "20,positve,negative\n"
    )
    done = assent("labels", path, "--order", "negative,positive,positve,mixed")
    (line,) = (line for line in done.out.splitlines() if line.split()[:3] == ["positve", "1", "positive"])
    assert line.split() == ["positve", "1", "positive", "40", "one", "letter"]
    assert "meant to be?" in done.out
    assert '1 label was never given: "mixed".' in done.out
    content = assent("labels", path, "--order", "negative,positive,positve,mixed", "--json").json
    assert content["alike"][0]["second"] == "positve"
    assert content["unused"] == ["mixed"]


def test_a_pair_of_annotators_can_be_named(assent: Program, file: Files) -> None:
    path = file("three.csv", "item,x,y,z\n1,a,a,b\n2,b,b,b\n3,a,b,b\n")
    assert assent("labels", path, "--json").json["confusion"] is None
    named = assent("labels", path, "--between", "z,x", "--json").json["confusion"]
    assert named == {"first": "z", "second": "x", "labels": ["a", "b"], "matrix": [[0, 0], [2, 1]]}


def test_every_option_reaches_the_numbers(assent: Program, table: str, numbers: str) -> None:
    kappa = assent("labels", table, "-m", "fleiss-kappa", "--json").json
    assert kappa["overall"]["measure"] == kappa["merges"]["measure"] == "fleiss-kappa"
    assert len(assent("labels", table, "--top", "1", "--json").json["disputed"]) == 1
    drawn = assent(
        "labels", table, "--ci", "bootstrap", "--replicates", "20", "--seed", "3", "--level", "0.9", "--json"
    ).json
    ci = drawn["overall"]["ci"]
    assert (ci["method"], ci["replicates"], ci["seed"], ci["level"]) == ("bootstrap", 20, 3, 0.9)
    scaled = assent("labels", numbers, "--scale", "interval", "--json").json
    assert scaled["merges"] is None


@pytest.mark.parametrize("evil", EVIL)
def test_labels_and_annotators_are_harmless_on_a_terminal(assent: Program, file: Files, evil: str) -> None:
    path = file(
        "evil.csv", f"item,{quoted(evil)},y\n1,{quoted(evil)},a\n2,a,a\n3,{quoted(evil)},{quoted(evil.upper())}\n"
    )
    done = assent("labels", path, "--layout", "wide", "--item", "item", "--single-label")
    assert done.code == 0, done.err
    assert harmless(done.out + done.err)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--ci", "exact"], "--ci is"),
        (["--level", "95"], "--level is 95"),
        (["--top", "0"], "--top is 0"),
        (["--between", "ana"], "--between takes two"),
        (["--between", "ana,eve"], 'There is no annotator "eve"'),
        (["--measure", "kapa"], "There is no measure"),
        (["--measure", "icc"], "icc takes"),
        (["--order", "a,b"], "order leaves out"),
        (["--scale", "ordinal"], "give it with --order"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(
    assent: Program, table: str, options: list[str], message: str
) -> None:
    done = assent("labels", table, *options)
    assert done.code == 2
    assert message in done.err
    assert done.out == ""
    assert done.err.count("\n") == 1


def test_one_label_and_single_annotations_are_said(assent: Program, file: Files) -> None:
    same = assent("labels", file("same.csv", "item,x,y\n1,a,a\n2,a,a\n"))
    assert same.code == 0
    assert "undefined" in same.out
    assert "One label is in use" in same.out
    alone = assent("labels", file("alone.csv", "item,annotator,label\n1,x,a\n2,y,b\n"))
    assert alone.code == 2
    assert "nothing to compare" in alone.err


def test_between_takes_two_annotators_whoever_asks(file: Files, assent: Program) -> None:
    path = file("wide.csv", "item,a,b\n1,x,y\n2,x,x\n3,y,y\n")
    for who in ("a", "a,b,a"):
        done = assent("labels", path, "--between", who)
        assert (done.code, done.err) == (2, "assent: --between takes two annotators, as in --between ana,ben.\n")
    with pytest.raises(OptionError, match="`between` takes two annotators"):
        library.labels(path, between=["a"])
