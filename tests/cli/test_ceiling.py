"""`assent ceiling`: annotators against the consensus of the others."""

from __future__ import annotations

import pytest
from tests.cli.conftest import Files, Program
from tests.cli.test_terminal import EVIL, harmless, quoted

ROWS = ["a,a,a", "a,b,b", "b,b,b", "a,b,"] * 5


@pytest.fixture
def table(file: Files) -> str:
    return file("three.csv", "item,x,y,z\n" + "".join(f"{i},{row}\n" for i, row in enumerate(ROWS)))


def test_json_has_scores_intervals_and_annotators(assent: Program, table: str) -> None:
    content = assent("ceiling", table, "--json").json
    assert content["accuracy"]["value"] == pytest.approx((1 + 1 / 3 + 1) / 3)
    assert content["accuracy"]["ci"]["low"] < content["accuracy"]["value"] < content["accuracy"]["ci"]["high"]
    assert (content["items"], content["items_left_out"], content["labels"]) == (15, 5, 2)
    assert [one["annotator"] for one in content["annotators"]] == ["y", "z", "x"]
    assert content["best"]["annotator"] == "y"
    assert "It can be passed" in content["notes"][0]


def test_the_terminal_says_what_it_is_and_is_not(assent: Program, table: str) -> None:
    done = assent("ceiling", table)
    for part in (
        "accuracy",
        "macro F1",
        "on 15 items",
        "can score higher",
        "5 items have fewer than 3",
        "Intervals: tilted weights (etel)",
    ):
        assert part in done.out
    assert "Intervals" not in assent("ceiling", table, "--ci", "none").out


def test_counts_do_not_say_who(assent: Program, file: Files) -> None:
    path = file("counts.csv", "item,yes,no\n1,3,0\n2,1,2\n3,0,3\n")
    done = assent("ceiling", path, "--layout", "counts", "--json")
    assert (done.json["annotators"], done.json["best"]) == (None, None)
    assert assent("ceiling", path, "--layout", "counts").code == 0


def test_two_annotators_have_no_others_to_agree(assent: Program, wide: str) -> None:
    done = assent("ceiling", wide)
    assert done.code == 2
    assert "No item has 3 annotations" in done.err


def test_the_bootstrap_and_clusters(assent: Program, file: Files) -> None:
    rows = "".join(f"{i},{i // 2},{row}\n" for i, row in enumerate(ROWS))
    path = file("clusters.csv", "item,document,x,y,z\n" + rows)
    content = assent(
        "ceiling", path, "--cluster", "document", "--ci", "bootstrap", "--replicates", "50", "--seed", "1", "--json"
    ).json
    assert content["accuracy"]["ci"]["unit"] == "document"
    assert content["accuracy"]["ci"]["replicates"] == 50


@pytest.mark.parametrize("evil", EVIL)
def test_names_are_harmless_on_a_terminal(assent: Program, file: Files, evil: str) -> None:
    path = file("evil.csv", f"item,{quoted(evil)},y,z\n1,{quoted(evil)},a,a\n2,b,b,b\n")
    done = assent("ceiling", path, "--layout", "wide", "--item", "item", "--single-label")
    assert done.code == 0, done.err
    assert harmless(done.out + done.err)


@pytest.mark.parametrize(("options", "message"), [(["--ci", "x"], "--ci is"), (["--level", "2"], "--level is 2")])
def test_what_cannot_be_is_refused(assent: Program, table: str, options: list[str], message: str) -> None:
    done = assent("ceiling", table, *options)
    assert done.code == 2
    assert message in done.err
