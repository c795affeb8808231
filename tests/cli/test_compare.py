"""`assent compare`, gates and files for a pipeline."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.cli.conftest import Files, Program
from tests.cli.test_terminal import EVIL, harmless, quoted

GOOD = ["a,a", "b,b", "a,a", "b,b", "a,b"] * 20
BAD = ["a,a", "b,a", "a,b", "b,b", "a,b"] * 20


def rows(labels: list[str], header: str = "item,x,y") -> str:
    return f"{header}\n" + "".join(f"{i},{row}\n" for i, row in enumerate(labels))


@pytest.fixture
def before(file: Files) -> str:
    return file("before.csv", rows(GOOD))


@pytest.fixture
def after(file: Files) -> str:
    return file("after.csv", rows(BAD))


def test_the_json_has_both_numbers_and_their_difference(assent: Program, before: str, after: str) -> None:
    content = assent("compare", before, after, "--json").json
    assert [one["name"] for one in content["data"]] == ["before.csv", "after.csv"]
    (one,) = content["measures"]
    first, second = (side["value"] for side in one["values"])
    (gap,) = one["differences"]
    assert gap["difference"] == pytest.approx(second - first)
    assert gap["ci"]["low"] < gap["difference"] < gap["ci"]["high"] < 0
    assert gap["paired"]
    assert gap["clear"]
    assert content["changes"]["changed_items"] == 40
    assert content["changes"]["transitions"] == []


def test_the_terminal_says_it_in_a_sentence(assent: Program, before: str, after: str) -> None:
    out = assent("compare", before, after).out
    assert "a clear difference of −0.77" in out
    assert "40 of 100 shared items" in out
    assert "(to change this, give --unpaired)" in " ".join(out.split())


def test_items_must_be_matched_if_that_is_asked_for(assent: Program, file: Files) -> None:
    one = file("one.csv", "item,a,b\n1,x,y\n2,x,x\n3,y,y\n")
    two = file("two.csv", "item,a,b\n4,x,y\n5,x,x\n6,y,y\n")
    assert assent("compare", one, two).code == 0
    done = assent("compare", one, two, "--paired")
    assert done.code == 2
    assert "share no item" in done.err


@pytest.mark.parametrize(("order", "code"), [(("before", "after"), 1), (("after", "before"), 0)])
def test_worse_than_before_fails(assent: Program, before: str, after: str, order: tuple[str, str], code: int) -> None:
    files = {"before": before, "after": after}
    done = assent("compare", *(files[one] for one in order), "--gate", "no-worse")
    assert done.code == code
    assert bool(done.err) == bool(code)


def test_too_few_data_end_with_3(assent: Program, file: Files) -> None:
    first, second = file("a.csv", rows(GOOD[:10])), file("b.csv", rows(GOOD[:10]))
    done = assent("compare", first, second, "--gate", "no-worse", "--margin", "0.01")
    assert done.code == 3
    assert "too few data to tell" in done.err
    assert assent("measure", first, "--gate", "kappa", "--fail-under", "0.6").code == 3


def test_choices_of_annotators(assent: Program, file: Files) -> None:
    path = file("three.csv", rows([f"{a},{b.split(',')[1]}" for a, b in zip(GOOD, BAD, strict=True)], "item,x,y,z"))
    content = assent("compare", path, "--group", "old=x,y", "--group", "x,z", "--json").json
    assert [one["name"] for one in content["data"]] == ["old", "x + z"]
    done = assent("compare", path, "--group", "x,y", "--group", "x,w")
    assert done.code == 2
    assert '"w"' in done.err


def test_summary_and_junit_are_written(assent: Program, before: str, after: str, tmp_path: Path) -> None:
    summary, junit = tmp_path / "summary.md", tmp_path / "junit.xml"
    done = assent(
        "compare", before, after, "--gate", "no-worse", "--summary", str(summary), "--junit", str(junit), "--json"
    )
    assert done.code == 1
    assert done.json["gates"][0]["outcome"] == "fail"
    assert summary.read_text().startswith("# Comparison: fail\n")
    assert "\n- no-worse: fail. The difference of Cohen's kappa is −0.77" in summary.read_text()
    assert ElementTree.parse(junit).find("testsuite/testcase/failure") is not None


def test_a_summary_can_be_printed_in_place_of_the_tables(assent: Program, before: str) -> None:
    done = assent("measure", before, "--fail-under", "0.9", "--summary", "-")
    assert done.code == 1
    assert done.out.startswith("# Agreement: fail\n")
    assert "fail-under" in done.out
    assert assent("measure", before, "--json", "--summary", "-").code == 2


def test_files_are_written_whole_or_not_at_all(assent: Program, before: str, tmp_path: Path) -> None:
    done = assent("measure", before, "--summary", str(tmp_path / "nowhere" / "summary.md"))
    assert (done.code, done.out) == (2, "")
    assert "There is no folder" in done.err
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize("flag", ["--summary", "--junit"])
def test_nothing_is_written_where_a_summary_cannot_be(
    assent: Program, before: str, after: str, tmp_path: Path, flag: str
) -> None:
    page = tmp_path / "page.html"
    for place, why in ((tmp_path, "is a folder"), (tmp_path / "none" / "x.md", "There is no folder")):
        done = assent("compare", before, after, "-o", str(page), flag, str(place))
        assert (done.code, done.out) == (2, "")
        assert why in done.err
        assert not page.exists()


def test_junit_of_fail_under_alone(assent: Program, before: str, tmp_path: Path) -> None:
    path = tmp_path / "junit.xml"
    assert assent("measure", before, "-m", "cohen-kappa", "--fail-under", "0.5", "--junit", str(path)).code == 0
    (case,) = ElementTree.parse(path).iter("testcase")
    assert (case.get("classname"), case.get("name")) == ("assent.fail-under", "Cohen's kappa")
    assert [(part.tag, part.text) for part in case] == [("system-out", "Cohen's kappa reaches the target of 0.5.")]


def test_last_weeks_number(assent: Program, before: str, after: str, tmp_path: Path) -> None:
    last = tmp_path / "last.json"
    last.write_text(assent("measure", before, "--json").out)
    done = assent("measure", after, "--baseline", str(last), "--gate", "no-worse")
    assert done.code == 1
    assert "the baseline was 0.62" in " ".join(done.out.split())
    assert assent("measure", after, "--gate", "no-worse").code == 2
    assert assent("measure", after, "--baseline", before).code == 2


def test_hostile_names_do_no_harm(assent: Program, file: Files, tmp_path: Path) -> None:
    text = "item,annotator,label\n" + "".join(
        f"{quoted(item)},{quoted(who)},{label}\n"
        for item in EVIL
        for who, label in ((EVIL[0], "a"), (EVIL[1], "b"), (EVIL[4], "a"))
    )
    path = file("evil.csv", text)
    groups = ["--group", f"{EVIL[0]},{EVIL[1]}", "--group", f"{EVIL[0]},{EVIL[4]}"]
    done = assent(
        "compare",
        path,
        *groups,
        "--gate",
        "no-worse",
        "--summary",
        str(tmp_path / "s.md"),
        "--junit",
        str(tmp_path / "j.xml"),
    )
    assert done.code in (0, 1, 3)
    assert harmless(done.out + done.err)
    assert harmless((tmp_path / "s.md").read_text())
    assert ElementTree.parse(tmp_path / "j.xml").getroot().tag == "testsuites"


def test_a_comparison_is_written_to_a_file(assent: Program, before: str, after: str, tmp_path: Path) -> None:
    page = tmp_path / "compared.html"
    done = assent("compare", before, after, "-o", str(page))
    assert (done.code, done.out) == (0, "")
    assert "<h1" in page.read_text(encoding="utf-8")
    assert assent("compare", before, after, "-o", str(tmp_path / "compared.pdf")).code == 2


def test_data_sets_without_a_common_label_are_told(assent: Program, before: str, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text("item,ann,bob\n" + "".join(f"i{i},{i % 2},{i % 3 % 2}\n" for i in range(30)))
    assert "have no label in common" in " ".join(assent("compare", before, str(other)).out.split())
