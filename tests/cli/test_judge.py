"""`assent judge`: a model beside people, on the command line."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from tests.cli.conftest import Files, Program
from tests.cli.test_terminal import EVIL, harmless, quoted
from tests.judging.cases import expected, oracle


@pytest.fixture
def ratings(file: Files) -> str:
    rows = oracle("judge_pipeline_numeric")["inputs"]["rows"]
    return file("ratings.csv", "item,annotator,label\n" + "".join(f"{i},{a},{x}\n" for i, a, x in rows))


def rows(seed: int = 4, *, passing: float = 0.7, texts: int = 40, failing: bool = False) -> list[tuple[str, ...]]:
    """Draw three people and two judges on items of some texts."""
    rng = random.Random(seed)
    made = []
    for text in range(texts):
        for part in range(4):
            item, truth = f"t{text}__q{part}", "pass" if rng.random() < passing else "fail"
            for who, sight in (("ann", 0.9), ("bob", 0.9), ("cleo", 0.9), ("gpt-4o", 0.9), ("claude", 0.7)):
                label = truth if rng.random() < sight else rng.choice(["pass", "fail"])
                if failing and who == "gpt-4o" and part == 0:
                    label = "ERROR: no JSON found"
                kind = "model" if who in ("gpt-4o", "claude") else "human"
                made.append((item, who, label, f"t{text}", kind))
    return made


def csv(some: list[tuple[str, ...]], head: str = "item,annotator,label,text,kind") -> str:
    return head + "\n" + "".join(",".join(row) + "\n" for row in some)


@pytest.fixture
def table(file: Files) -> str:
    return file("labels.csv", csv(rows()))


def test_json_has_the_contract(assent: Program, ratings: str) -> None:
    done = assent("judge", ratings, "--judge", "judge", "--scale", "interval", "--epsilon", "0.2", "--json")
    assert done.code == 0
    (one,) = done.json["judges"]
    assert set(done.json) >= {"data", "judges"}
    assert set(one["team"]) >= {
        "human_human",
        "human_judge",
        "difference",
        "ci",
        "margin",
        "noninferior",
        "smallest_margin",
    }
    assert set(one["alt_test"]) >= {"winning_rate", "advantage", "passed", "stability", "humans", "skipped"}
    assert {"value", "ci"} <= set(one["mean_difference"])
    for key in ("team", "alt_test", "mean_difference"):
        assert set(one["constant_judge"][key]) == set(one[key])
    name = "judge_pipeline_numeric"
    found = {human["annotator"]: human["p"] for human in one["alt_test"]["humans"]}
    assert found == pytest.approx(expected(name, "p_values", epsilon=0.2, p_value="t"), abs=1e-9)
    assert one["alt_test"]["score"] == "squared"
    assert one["alt_test"]["skipped"] == expected(name, "skipped_humans")
    assert one["mean_difference"]["value"] == pytest.approx(expected(name, "mean_difference"))


def test_judges_may_be_named_or_marked_by_a_column(assent: Program, table: str) -> None:
    named = assent("judge", table, "-j", "gpt-4o", "-j", "claude", "--json").json
    marked = assent("judge", table, "--judge-column", "kind", "--json").json
    assert {one["judge"] for one in marked["judges"]} == {"gpt-4o", "claude"}
    assert marked["people"] == named["people"] == ["ann", "bob", "cleo"]
    teams = [{one["judge"]: one["team"]["human_judge"] for one in some["judges"]} for some in (named, marked)]
    assert teams[0] == teams[1]
    assert named["jury"]["items"] == 160


def test_judges_are_known_from_an_export(assent: Program, tmp_path: Path) -> None:
    some = rows()
    people: dict[str, dict[str, str]] = {}
    models: dict[str, dict[str, str]] = {}
    for item, who, label, _, kind in some:
        (models if kind == "model" else people).setdefault(who, {})[item] = label
    for name, content in (("humans.json", people), ("llm_annotations.json", models)):
        (tmp_path / name).write_text(json.dumps(content))
    done = assent("judge", str(tmp_path / "humans.json"), str(tmp_path / "llm_annotations.json"), "--json")
    assert done.code == 0, done.err
    assert {one["judge"] for one in done.json["judges"]} == {"gpt-4o", "claude"}
    assert done.json["people"] == ["ann", "bob", "cleo"]


def test_the_terminal_answers_in_the_order_of_the_questions(assent: Program, table: str) -> None:
    done = assent("judge", table, "--judge", "gpt-4o", "--judge", "claude", "--cluster", "text")
    parts = (
        "they agree with each other: kappa",
        'always "pass"',
        "alternative annotator test",
        "Items of one text are not independent",
        "This verdict holds in",
        "mean difference",
        "Where does it err?",
        "Where does it lean?",
        "Soft labels",
        "The judges beside each other",
        "Claims (not worse, equivalent) are one-sided",
    )
    places = [done.out.find(part) for part in parts]
    assert -1 not in places
    assert places == sorted(places)


def test_nothing_passes_that_a_constant_judge_passes_without_that_being_said(assent: Program, file: Files) -> None:
    done = assent("judge", file("rare.csv", csv(rows(passing=0.96))), "--judge", "gpt-4o", "--epsilon", "0.2")
    sentences = [line for line in done.out.splitlines() if " passes" in line or "constant passes" in line]
    assert sentences
    assert all(
        "so does" in line or "constant passes too" in line or line.strip().startswith('always "pass"')
        for line in sentences
    )
    assert (
        assent(
            "judge", file("rare.csv", csv(rows(passing=0.96))), "-j", "gpt-4o", "--epsilon", "0.2", "--gate", "alt-test"
        ).code
        == 3
    )


def test_verdicts_that_are_none_are_missing_and_counted(assent: Program, file: Files) -> None:
    path = file("failing.csv", csv(rows(failing=True)))
    one = assent("judge", path, "--judge", "gpt-4o", "--json").json["judges"][0]
    assert (one["items"], one["items_missing"]) == (120, 40)
    assert any("40 verdicts of the judge are none and count as missing" in note for note in one["notes"])
    assert any("labelled 120 of the 160 items" in note for note in one["notes"])
    assert one["errors"]["labels"] == ["fail", "pass"]


def test_verdicts_that_are_no_numbers_are_missing_on_a_scale(assent: Program, ratings: str) -> None:
    text = Path(ratings).read_text().replace("i03,judge,4", "i03,judge,four")
    assert "four" in text
    Path(ratings).write_text(text)
    one = assent("judge", ratings, "--judge", "judge", "--scale", "interval", "--json").json["judges"][0]
    assert one["items_missing"] == 3
    assert any('"four"' in note for note in one["notes"])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--judge", "gtp-4o"], 'There is no annotator "gtp-4o" to take as the judge; the annotators are "ann", "bob"'),
        (
            [],
            'with --judge-column; the annotators are "ann", "bob", "claude", "cleo" and "gpt-4o" ("claude" and "gpt-4o" are named like one).',
        ),
        (["-j", "gpt-4o", "--epsilon", "2"], "--epsilon is 2.0; it must lie between 0 and 1"),
        (["-j", "gpt-4o", "--margin", "-1"], "--margin is -1.0; it must not be negative"),
        (["-j", "gpt-4o", "--level", "0.4"], "--level is 0.4; it must lie between 0.5 and 1"),
        (["-j", "gpt-4o", "--scale", "interval"], "labels"),
        (["-j", "gpt-4o", "--gate", "kappa"], "give it with --fail-under"),
        (["-j", "gpt-4o", "--gate", "all"], '--gate is "all", which is not one of'),
        (["-j", "gpt-4o", "--reference", "gold"], "the data hold no known labels: give a file of them with --gold"),
        (["-j", "gpt-4o", "--positive", "passed"], 'which is no label: did you mean "pass"?'),
        (["--judge-column", "text"], "some rows must be marked as a judge's"),
        (["--judge-column", "nothing"], '"nothing"'),
        (["-j", "gpt-4o", "--unlabelled", "no-such-file.csv", "--positive", "pass"], "no-such-file.csv"),
        (["-j", "ann", "-j", "bob", "-j", "cleo", "-j", "gpt-4o", "-j", "claude"], "All annotators are judges"),
        (["-j", "gpt-4o", "--json", "--summary", "-"], "each print on standard output"),
    ],
)
def test_trouble_is_one_sentence(assent: Program, table: str, options: list[str], said: str) -> None:
    done = assent("judge", table, *options)
    assert done.code == 2
    assert done.out == ""
    assert said in done.err
    assert done.err.count("\n") == 1


def test_counts_have_no_judge(assent: Program, file: Files) -> None:
    done = assent("judge", file("counts.csv", "yes,no\n3,1\n2,2\n4,0\n1,3\n"), "--layout", "counts", "--judge", "x")
    assert done.code == 2
    assert "does not say who gave which label" in done.err


def test_a_judge_among_the_people_is_noticed(assent: Program, file: Files) -> None:
    some = rows()
    copied = [(item, "dora", label, text, "human") for item, who, label, text, _ in some if who == "gpt-4o"]
    done = assent("judge", file("copied.csv", csv(some + copied)), "--judge", "gpt-4o", "--json").json
    assert any('"claude" is counted among the people, but named like a model' in note for note in done["notes"])
    assert any('"dora" and "gpt-4o" gave nearly the same labels' in note for note in done["judges"][0]["notes"])
    gated = assent(
        "judge", file("copied.csv", csv(some + copied)), "-j", "gpt-4o", "-j", "claude", "--fail-under", "0.1"
    )
    assert gated.code == 0
    first, second = (line for line in gated.out.splitlines() if "Gate kappa: pass" in line)
    assert '"dora" and "gpt-4o" gave nearly the same labels' in first
    assert "dora" not in second


def test_items_that_look_like_parts_of_texts_are_noticed(assent: Program, table: str) -> None:
    assert any(
        "parts of 40 larger units" in one for one in assent("judge", table, "-j", "gpt-4o", "--json").json["notes"]
    )
    clustered = assent("judge", table, "-j", "gpt-4o", "--cluster", "text", "--json").json
    assert not any("larger units" in one for one in clustered["notes"])
    assert clustered["judges"][0]["team"]["ci"]["units"] == 40


def test_one_person_alone(assent: Program, file: Files) -> None:
    few = [row for row in rows() if row[1] in ("ann", "gpt-4o")]
    done = assent("judge", file("one.csv", csv(few)), "--judge", "gpt-4o")
    assert done.code == 0
    assert "There is one person only" in done.out
    one = assent("judge", file("one.csv", csv(few)), "--judge", "gpt-4o", "--json").json["judges"][0]
    assert one["team"]["human_human"] is one["team"]["difference"] is one["alt_test"]["winning_rate"] is None
    assert one["team"]["human_judge"] is not None


def test_the_rate_of_another_file(assent: Program, table: str, file: Files) -> None:
    rng = random.Random(1)
    verdicts = ["pass" if rng.random() < 0.66 else "fail" for _ in range(200)]
    long = file(
        "rest.csv", "item,annotator,label\n" + "".join(f"u{i},gpt-4o,{one}\n" for i, one in enumerate(verdicts))
    )
    bare = file("bare.csv", "item,label\n" + "".join(f"u{i},{one}\n" for i, one in enumerate(verdicts)))
    rates = [
        assent("judge", table, "-j", "gpt-4o", "--positive", "pass", "--unlabelled", path, "--json").json["judges"][0][
            "rate"
        ]
        for path in (long, bare)
    ]
    assert rates[0] == rates[1]
    assert rates[0]["unlabelled"] == 200
    assert rates[0]["judge_rate"] == verdicts.count("pass") / 200
    assert rates[0]["ci"]["low"] < rates[0]["estimate"] < rates[0]["ci"]["high"]
    overlapping = file(
        "again.csv", "item,label\nt0__q0,pass\n" + "".join(f"u{i},{one}\n" for i, one in enumerate(verdicts))
    )
    again = assent("judge", table, "-j", "gpt-4o", "--positive", "pass", "--unlabelled", overlapping, "--json").json[
        "judges"
    ][0]
    assert again["rate"]["unlabelled"] == 200
    assert any("1 item of the unlabelled ones" in note for note in again["rate"]["notes"])


def test_gates_end_with_their_codes(assent: Program, table: str, tmp_path: Path) -> None:
    codes = {
        ("--gate", "noninferior", "--margin", "0.3"): 0,
        ("--gate", "noninferior", "--margin", "0.01", "--without", "annotators=claude"): 3,
        ("--fail-under", "0.3"): 0,
        ("--fail-under", "0.99"): 1,
    }
    for options, code in codes.items():
        assert assent("judge", table, "-j", "gpt-4o", *options).code == code, options
    assert assent("judge", table, "-j", "gpt-4o", "-j", "claude", "--gate", "noninferior", "--margin", "0.03").code == 1
    earlier = tmp_path / "last.json"
    earlier.write_text(assent("judge", table, "-j", "gpt-4o", "--json").out)
    done = assent(
        "judge", table, "-j", "gpt-4o", "--baseline", str(earlier), "--gate", "no-worse", "--margin", "0.5", "--json"
    )
    assert done.code == 0
    assert done.json["baseline"][0]["difference"] == 0
    assert [one["outcome"] for one in done.json["gates"]] == ["pass"]


def test_files_in_every_format(assent: Program, table: str, tmp_path: Path) -> None:
    for ending, part in (
        (".html", "<svg"),
        (".md", "| judge |"),
        (".tex", "\\toprule"),
        (".json", '"alt_test"'),
        (".txt", "agrees"),
    ):
        path = tmp_path / f"judge{ending}"
        done = assent("judge", table, "-j", "gpt-4o", "-o", str(path))
        assert (done.code, done.out) == (0, "")
        assert part in path.read_text()


def test_hostile_names_stay_harmless(assent: Program, file: Files) -> None:
    mean = dict(zip(("ann", "bob", "cleo", "claude", "pass", "fail"), EVIL, strict=False))
    evil: list[tuple[str, ...]] = [
        (quoted(a), quoted(mean.get(b, b)), quoted(mean.get(c, c)), d, e) for a, b, c, d, e in rows(texts=10)
    ]
    path = file("evil.csv", csv(evil))
    done = assent("judge", path, "--judge", "gpt-4o", "--gate", "alt-test")
    assert done.code in (0, 1, 3)
    assert harmless(done.out + done.err)
