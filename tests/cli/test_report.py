"""`assent report`: files whole or not at all, one object on standard output, one sentence when something is wrong."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Files, Program

HEADER = "item,annotator,label,lang,sentence\n"
ROWS = "".join(
    f"s{i},{who},{'pos' if (i + (who == 'cem' and i % 3 == 0)) % 2 else 'neg'},{'de' if i % 4 else 'en'},sentence {i}\n"
    for i in range(60)
    for who in ("ana", "ben", "cem")
)


@pytest.fixture
def labels(file: Files) -> str:
    return file("labels.csv", HEADER + ROWS)


def test_a_page_is_written_and_the_verdict_printed(assent: Program, labels: str, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    done = assent("report", labels, "-o", str(page), "--task", "standard", "--by", "lang", "--text", "sentence")
    assert done.code == 0
    assert done.out.startswith("By Krippendorff's limits agreement is ")
    assert "\nNext: " in done.out
    assert done.err == f'Wrote "{page}".\n'
    text = page.read_text(encoding="utf-8")
    assert text.lower().startswith("<!doctype html>")
    assert "sentence 3" in text


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("r.md", "# Agreement report"),
        ("r.tex", "% Compile it as it is"),
        ("r.json", '{\n  "assent"'),
        ("R.MD", "# Agreement"),
    ],
)
def test_the_ending_says_what_is_written(assent: Program, labels: str, tmp_path: Path, name: str, begins: str) -> None:
    assert assent("report", labels, "-o", str(tmp_path / name)).code == 0
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(begins)


def test_one_object_on_standard_output(assent: Program, labels: str) -> None:
    done = assent("report", labels, "--json", "--by", "lang")
    content = done.json
    assert content["verdict"]["measure"] == "krippendorff-alpha"
    assert content["groups"]["column"] == "lang"
    assert done.err == ""


def test_the_object_is_that_of_the_library(assent: Program, labels: str) -> None:
    import assent as library

    mine = assent(
        "report", labels, "--json", "--task", "standard", "--by", "lang", "--text", "sentence", "--seed", "4"
    ).json
    data = library.read(labels, columns=["sentence", "lang"])
    theirs = library.report(data, task="standard", by="lang", text="sentence", seed=4).to_dict()
    for one in (mine, theirs):
        del one["made"], one["appendix"]["seconds"], one["appendix"]["command"]
    assert mine == json.loads(json.dumps(theirs))


@pytest.mark.parametrize(("flag", "begins"), [("--markdown", "# Agreement report"), ("--latex", "% Needs")])
def test_text_can_be_printed_or_written(assent: Program, labels: str, tmp_path: Path, flag: str, begins: str) -> None:
    printed = assent("report", labels, flag)
    assert printed.out.startswith(begins)
    assert printed.err == ""
    path = tmp_path / ("out.md" if flag == "--markdown" else "out.tex")
    assert assent("report", labels, "-o", str(path)).code == 0
    # The run time is not in the text, so the two are the same; a file of LaTeX has a preamble and an end besides.
    written = path.read_text(encoding="utf-8")
    head, body = printed.out.split("\n", 1)
    assert written == printed.out if flag == "--markdown" else (head in written and body in written)


def test_every_item_is_written_on_request(assent: Program, labels: str, tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    done = assent("report", labels, "--items", str(path))
    assert done.code == 0
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 61
    assert lines[0].startswith("item,annotations,agreement")


def test_every_chart_is_written_in_three_formats(assent: Program, labels: str, tmp_path: Path) -> None:
    folder = tmp_path / "figures" / "deep"
    done = assent("report", labels, "--figures", str(folder))
    assert done.code == 0
    names = sorted(path.name for path in folder.iterdir())
    stems = {name.rpartition(".")[0] for name in names}
    assert len(stems) >= 5
    assert names == sorted(f"{stem}.{ending}" for stem in stems for ending in ("pdf", "png", "svg"))
    assert done.err == f'Wrote {len(names)} pictures into "{folder}".\n'
    assert (folder / f"{sorted(stems)[0]}.png").read_bytes().startswith(b"\x89PNG")
    assert (folder / f"{sorted(stems)[0]}.pdf").read_bytes().startswith(b"%PDF")


def test_anonymous_output_names_nobody(assent: Program, file: Files, tmp_path: Path) -> None:
    labels = file("ana-ben.csv", HEADER.replace("lang", "doc") + ROWS)
    items = tmp_path / "items.json"
    done = assent(
        "report",
        labels,
        "--json",
        "--anonymise",
        "--text",
        "sentence",
        "--cluster",
        "doc",
        "--items",
        str(items),
        "--title",
        "T",
    )
    shown = done.out + items.read_text(encoding="utf-8")
    for name in ("ana", "ben", "cem", "sentence 1", '"s1"', "labels.csv"):
        assert not re.search(rf"\b{name}\b", shown), name
    assert done.json["coefficients"]["measures"][0]["ci"]["unit"] == "doc"
    assert done.json["data"]["per_annotator"]["shown"][0]["annotator"] == "A1"


def test_no_text_leaves_texts_out(assent: Program, labels: str) -> None:
    done = assent("report", "--example", "story", "--json", "--no-text")
    assert not done.json["items"]["text"]
    done = assent("report", labels, "--json", "--text", "sentence", "--no-text")
    assert "sentence 1" not in done.out


@pytest.mark.parametrize("name", ["lecture", "perfect", "ordinal-bias"])
def test_examples_need_no_file(assent: Program, name: str) -> None:
    from assent.examples import EXAMPLES

    done = assent("report", "--example", name, "--json")
    assert done.json["title"] == EXAMPLES[name].title
    assert done.json["appendix"]["settings"]["task"] == EXAMPLES[name].settings["task"]


def test_settings_of_an_example_can_be_overruled(assent: Program) -> None:
    content = assent("report", "--example", "lecture", "--json", "--task", "0.3", "--title", "mine").json
    assert (content["title"], content["verdict"]["target"], content["verdict"]["task"]) == ("mine", 0.3, None)


def test_an_order_of_labels_is_taken(assent: Program, numbers: str) -> None:
    content = assent("report", numbers, "--json", "--scale", "ordinal", "--order", "1,2,3,4,5,6").json
    assert content["data"]["labels"] == ["1", "2", "3", "4", "5", "6"]
    assert content["labels"]["unused"] == ["6"]


QUESTIONS = "item,annotator,label,field\n" + "".join(
    f"{i},{who},{label},{field}\n"
    for field, labels in (("tone", "xy"), ("topic", "pq"))
    for i in range(12)
    for who, label in (("a", labels[i % 2]), ("b", labels[(i + (i == 3)) % 2]))
)


def test_questions_in_rows(assent: Program, file: Files, tmp_path: Path) -> None:
    table = file("questions.csv", QUESTIONS)
    content = assent("report", table, "--questions", "field", "--json").json
    assert [one["name"] for one in content["questions"]] == ["tone", "topic"]
    assert content["questions"][1]["report"]["data"]["labels"] == ["p", "q"]
    ordered = assent("report", table, "--questions", "field", "--markdown", "--title", "Both")
    assert ordered.out.startswith("# Both\n")


def test_questions_in_columns(assent: Program, file: Files) -> None:
    table = file("wide.csv", "item,annotator,tone,topic\n1,a,x,p\n1,b,x,q\n2,a,y,q\n2,b,y,q\n3,a,x,q\n3,b,y,p\n")
    content = assent("report", table, "--question-columns", "tone,topic", "--json").json
    assert [one["report"]["data"]["labels"] for one in content["questions"]] == [["x", "y"], ["p", "q"]]


def test_questions_come_from_any_format_and_delimiter(assent: Program, file: Files) -> None:
    table = file("questions.txt", QUESTIONS.replace(",", "\t"))
    content = assent("report", table, "--questions", "field", "--json", "--format", "tsv").json
    assert len(content["questions"]) == 2
    latin = file("latin.csv", QUESTIONS.replace("tone", "Tön").replace(",", ";").encode("latin-1"))
    content = assent(
        "report", latin, "--questions", "field", "--json", "--encoding", "latin-1", "--delimiter", ";"
    ).json
    assert content["questions"][0]["name"] == "Tön"


def test_the_gate(assent: Program, labels: str, file: Files) -> None:
    assert assent("report", labels, "--json", "--fail-under", "0.2").code == 0
    failed = assent("report", labels, "--json", "--fail-under", "0.99")
    assert failed.code == 1
    assert re.fullmatch(r"assent: Krippendorff's alpha is 0\.\d{3}, below the target of 0\.99\.\n", failed.err)
    table = file("questions.csv", QUESTIONS)
    failed = assent("report", table, "--questions", "field", "--json", "--fail-under", "0.99")
    assert failed.err.count('on "t') == 2
    one_label = file("same.csv", "item,a,b\n1,x,x\n2,x,x\n")
    failed = assent("report", one_label, "--json", "--fail-under", "0.1")
    assert (failed.code, "is undefined, below" in failed.err) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "No file was given: name one, or an example with --example."),
        (("{labels}", "-o", "r.pdf"), '"r.pdf" does not say what to write'),
        (("{labels}", "-o", "-"), "-o names a file; to print, use --json, --markdown or --latex."),
        (("{labels}", "--json", "--markdown"), "--markdown and --json both print: choose one."),
        (("{labels}", "--latex", "--markdown"), "--markdown and --latex both print: choose one."),
        (("{labels}", "--items", "items.txt"), '"items.txt" does not say its format'),
        (("{labels}", "--items", "{labels}"), "the file with the labels: it would be overwritten."),
        (("{labels}", "-o", "r.json", "--items", "./r.json"), "--output and --items name the same file"),
        (("{labels}", "-o", "/no/such/folder/r.md"), 'There is no folder "/no/such/folder"'),
        (("nothing.csv", "--json"), 'There is no file "nothing.csv"; check the name.'),
        (("{labels}", "--example", "story", "--json"), "--example brings its own data: leave out the file."),
        (
            ("--example", "storm", "--json"),
            'There is no example "storm" (did you mean "story"?): choose one of lecture, ',
        ),
        (("--example", "story", "--questions", "kind", "--json"), "There is one question in it"),
        (("--example", "story", "--item", "x", "--json"), 'names the column "x"'),
        (("{labels}", "--json", "--task", "easy"), "neither a number between 0 and 1 nor a kind of task"),
        (("{labels}", "--json", "--scale", "big"), 'scale is "big", which is not one of nominal, ordinal'),
        (("{labels}", "--json", "--by", "language"), 'There is no column "language" to keep; did you mean'),
        (
            ("{labels}", "--json", "--text", "sentense"),
            'There is no column "sentense" to keep; did you mean "sentence"?',
        ),
        (("{labels}", "--json", "--level", "95"), "The confidence level is 95.0"),
        (("{labels}", "--json", "--questions", "item", "--question-columns", "a,b"), "give one of them"),
        (("{labels}", "--json", "--question-columns", "label,lang", "--label", "label"), "leave out --label"),
        (("{labels}", "--json", "--questions", "lang", "--items", "i.csv"), "--items lists the items of one question"),
        (("{labels}", "--json", "--questions", "lang", "--engine", "duckdb"), "is read by polars"),
        (("{labels}", "--json", "--questions", "field"), 'There is no column "field" to keep'),
    ],
)
def test_what_cannot_be_is_one_sentence(assent: Program, labels: str, arguments: tuple[str, ...], message: str) -> None:
    done = assent("report", *(one.format(labels=labels) for one in arguments))
    assert done.code == 2
    assert message in done.err
    assert done.err.startswith("assent: ")
    assert done.err.count("\n") == 1
    assert done.out == ""


def test_trouble_with_one_question_names_it(assent: Program, file: Files) -> None:
    table = file("questions.csv", QUESTIONS + "1,a,y,tone\n")
    done = assent("report", table, "--questions", "field", "--json")
    assert done.code == 2
    assert done.err.startswith('assent: On the question "tone": 2 rows are 1 (item, annotator) pairs')


@pytest.mark.parametrize(
    "content",
    ["item,annotator,label\n", "item,annotator,label\n1,a,x\n2,b,y\n", "", "item,annotator,label\n1,a,\n1,b,NA\n"],
)
def test_broken_input_writes_nothing(assent: Program, file: Files, tmp_path: Path, content: str) -> None:
    table, page = file("broken.csv", content), tmp_path / "report.md"
    page.write_text("the report of last week")
    done = assent("report", table, "-o", str(page), "--items", str(tmp_path / "items.csv"))
    assert done.code == 2
    assert page.read_text() == "the report of last week"
    assert not (tmp_path / "items.csv").exists()
    assert not list(tmp_path.glob(".*.part"))


def test_nothing_is_written_before_everything_is_made(
    assent: Program, labels: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A chart that cannot be drawn must not leave half of the files."""
    from assent.documents import Document, latex

    def broken(document: Document) -> str:
        raise RuntimeError("no chart today")

    monkeypatch.setattr(latex, "render", broken)
    done = assent("report", labels, "-o", str(tmp_path / "r.md"), "--latex")
    assert done.code == 2
    assert "a defect in assent, RuntimeError: no chart today" in done.err
    assert not (tmp_path / "r.md").exists()


def test_hostile_names_do_not_reach_the_terminal(assent: Program, file: Files) -> None:
    bad = "\x1b[31m"
    rows = "".join(
        f'{i},"{who}","{label}"\n'
        for i in range(40)
        for who, label in ((f"{bad}a", "xy"[i % 2]), ("b", "xy"[i % 2]), ("c", "xy"[i % 3 % 2]))
    )
    done = assent("report", file("bad.csv", "item,annotator,label\n" + rows), "--markdown")
    assert "\x1b" not in done.out + done.err
    assert "\\x1b" in done.out


def test_the_command_line_is_in_the_appendix(labels: str) -> None:
    program = str(Path(sys.executable).with_name("assent"))
    run = subprocess.run([program, "report", labels, "--json"], capture_output=True, text=True, check=True)
    assert json.loads(run.stdout)["appendix"]["command"] == f"assent report {labels} --json"


def test_progress_is_a_bar_for_people(assent: Program, labels: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every section moves the bar, forward only; nothing is drawn where nobody watches."""
    from contextlib import contextmanager

    import assent.cli.progress as progress

    seen: list[tuple[float, str]] = []

    @contextmanager
    def bar(what: str = "", **how: object):  # type: ignore[no-untyped-def]
        yield lambda done, what: seen.append((done, what))

    monkeypatch.setattr(progress, "bar", bar)
    assent("report", labels, "--markdown")
    shares = [done for done, _ in seen]
    assert shares == sorted(shares)
    assert 0 <= shares[0] < shares[-1] <= 1
    assert len({what for _, what in seen}) == len(seen) >= 10


def test_a_table_in_an_engine_is_reported_and_its_items_are_left_there(assent: Program, tmp_path: Path) -> None:
    import polars as pl

    path = tmp_path / "rows.parquet"
    rows = [(i, who, "xy"[(i + (who == "b" and i % 3 == 0)) % 2]) for i in range(30) for who in "abc"]
    pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row").write_parquet(path)
    here, there = (assent("report", str(path), "--json", *more) for more in ((), ("--engine", "duckdb")))
    assert (there.code, there.err) == (0, "")
    for part in ("verdict", "items", "advice", "plan"):
        assert there.json[part] == here.json[part]
    done = assent("report", str(path), "--engine", "duckdb", "--json", "--items", str(tmp_path / "items.csv"))
    assert (done.code, done.out) == (2, "")
    assert "have the engine write its own with assent items --engine" in done.err


def test_pictures_are_refused_where_a_file_is_before_anything_is_written(
    assent: Program, labels: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("weights.csv").write_text("a,b\n", encoding="utf-8")
    before = sorted(os.listdir())
    for folder in ("weights.csv", "weights.csv/deep/er"):
        done = assent("report", labels, "-o", "page.html", "--figures", folder)
        assert (done.code, done.out) == (2, "")
        assert done.err.endswith('"weights.csv" is a file; name another folder.\n'), done.err
    done = assent("report", labels, "-o", "page.html", "--figures", "./page.html")
    assert (done.code, done.out) == (2, "")
    assert "--output and --figures have the same name" in done.err
    assert sorted(os.listdir()) == before


def test_too_many_folders_in_each_other_are_refused_in_one_sentence(
    assent: Program, labels: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = assent("report", labels, "--figures", "a/" * 1990)
    assert done.code == 2
    assert done.err.endswith("cannot be made: too many folders in each other.\n")
    assert list(tmp_path.glob("a")) == []
