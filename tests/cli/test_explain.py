"""`assent explain`: the board on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Files, Program

import assent as library
from assent.analyses.explain import EXPLAINED, explain
from assent.cli.output import with_flags
from assent.documents import latex, markdown, told


@pytest.fixture
def sentiment(file: Files) -> str:
    rows = ["pos,pos"] * 20 + ["pos,neg"] * 5 + ["neg,pos"] * 10 + ["neg,neg"] * 15
    return file("sentiment.csv", "item,r1,r2\n" + "".join(f"{i},{row}\n" for i, row in enumerate(rows)))


def test_the_computation_with_the_numbers_put_in(assent: Program, sentiment: str) -> None:
    done = assent("explain", sentiment, "--measure", "cohen-kappa", "--order", "pos,neg")
    assert (done.code, done.err) == (0, "")
    printed = [line.strip() for line in done.out.splitlines()]
    for line in (
        "Aₒ = (20 + 15) / 50 = 35 / 50 = 0.70",
        "Aₑ = 0.30 + 0.20 = 0.50",
        "κ = (Aₒ − Aₑ) / (1 − Aₑ) = (0.70 − 0.50) / (1 − 0.50) = 0.20 / 0.50 = 0.40",
    ):
        assert line in printed
    # How the table was read is said, as everywhere.
    assert printed[-1].startswith("· Read as wide")


@pytest.mark.parametrize("name", sorted(set(EXPLAINED) - {"icc", "lin-concordance"}))
def test_every_measure_that_can_be_explained_is(assent: Program, sentiment: str, name: str) -> None:
    done = assent("explain", sentiment, "-m", name, "--json")
    assert done.json["explanation"]["value"] == library.all_measures()[name](sentiment).value


def test_json_is_one_object(assent: Program, sentiment: str) -> None:
    done = assent("explain", sentiment, "-m", "cohen-kappa", "--json")
    assert list(done.json) == ["data", "explanation"]
    assert done.json == json.loads(json.dumps(explain(sentiment, "cohen-kappa").to_dict()))


def test_markdown_and_latex(assent: Program, sentiment: str) -> None:
    explanation = explain(sentiment, "fleiss-kappa")
    document = told(explanation.document(), with_flags)
    assert assent("explain", sentiment, "-m", "fleiss-kappa", "--markdown").out == markdown.render(document)
    printed = assent("explain", sentiment, "-m", "fleiss-kappa", "--latex").out
    assert printed == latex.render(document)
    # The command line names options by their flags, Python by their names.
    assert r"(to change this, give -\/-item" in printed
    assert r"(to change this, give \texttt{item}" in explanation.latex()
    done = assent("explain", sentiment, "-m", "fleiss-kappa", "--latex", "--json")
    assert (done.code, done.out) == (2, "")
    assert done.err == "assent: --markdown, --latex and --json each say what to print: give one of them.\n"


@pytest.mark.parametrize(
    ("name", "start"), [("k.html", "<!doctype html>"), ("k.md", "# Fleiss"), ("k.tex", "% Compile it as it is")]
)
def test_it_is_written_to_a_file_as_its_name_says(
    assent: Program, sentiment: str, tmp_path: Path, name: str, start: str
) -> None:
    path = tmp_path / name
    done = assent("explain", sentiment, "-m", "fleiss-kappa", "-o", str(path))
    assert (done.code, done.out, done.err) == (0, "", f'Wrote "{path}".\n')
    assert path.read_text().startswith(start)


def test_a_file_whose_name_says_nothing_is_refused(assent: Program, sentiment: str, tmp_path: Path) -> None:
    path = tmp_path / "kappa"
    done = assent("explain", sentiment, "-m", "fleiss-kappa", "-o", str(path))
    assert (done.code, done.out, path.exists()) == (2, "", False)
    assert "let its name end in .html" in done.err


def test_one_label_against_the_rest(assent: Program, numbers: str) -> None:
    done = assent("explain", numbers, "-m", "cohen-kappa", "--label-against-rest", "2", "--json")
    assert done.json["explanation"]["value"] == library.cohen_kappa.by_label(numbers)["2"].value
    assert done.json["explanation"]["steps"][0]["step"] == 0
    missing = assent("explain", numbers, "-m", "cohen-kappa", "--label-against-rest", "nine")
    assert (missing.code, missing.err) == (2, 'assent: There is no label "nine".\n')


def test_scales_weights_and_own_options(assent: Program, file: Files, numbers: str) -> None:
    def value(*options: str) -> float:
        return float(assent("explain", numbers, "-m", "cohen-kappa", "--json", *options).json["explanation"]["value"])

    assert value("--scale", "ordinal") == library.cohen_kappa(numbers, scale="ordinal").value
    assert value("--weights", "linear") == library.cohen_kappa(numbers, weights="linear").value
    assert value("--average", "plain") == library.cohen_kappa(numbers, average="plain").value
    assert value("--incomplete", "available") == library.cohen_kappa(numbers, incomplete="available").value
    labels = library.read(numbers).labels
    matrix = [[1.0 if i == j else 0.25 for j in range(len(labels))] for i in range(len(labels))]
    text = "," + ",".join(labels) + "\n"
    text += "".join(f"{label},{','.join(map(str, row))}\n" for label, row in zip(labels, matrix, strict=True))
    assert value("--weights", file("weights.csv", text)) == library.cohen_kappa(numbers, weights=matrix).value


def test_without_a_measure_it_explains_the_usual_one(assent: Program, sentiment: str, file: Files) -> None:
    many, two = file("many.csv", "item,a,b,c\n1,x,x,y\n2,x,y,y\n3,y,y,y\n"), sentiment
    for table, measure in ((many, "krippendorff-alpha"), (two, "cohen-kappa")):
        alone, asked = (assent("explain", table, "--json", *more) for more in ((), ("-m", measure)))
        assert (alone.code, alone.out) == (0, asked.out)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("span-f1", "span-f1 is about spans, and the data are labels: "),
        ("kohen-kappa", 'There is no measure "kohen-kappa": did you mean "cohen-kappa"?'),
    ],
)
def test_a_measure_that_cannot_be_explained(assent: Program, sentiment: str, name: str, complaint: str) -> None:
    done = assent("explain", sentiment, "-m", name)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"assent: {complaint}")
    assert done.err.count("\n") == 1


def test_labels_cannot_speak_to_the_terminal(assent: Program, file: Files) -> None:
    path = file("hostile.csv", "item,r1,r2\n1,\x1b[31mred,\x1b[31mred\n2,\x1b]0;title\x07,b\n3,b,b\n")
    for how in ([], ["--markdown"], ["--latex"]):
        done = assent("explain", path, "-m", "cohen-kappa", *how)
        assert done.code == 0
        assert "\x1b" not in done.out
        assert "\x07" not in done.out


def test_help_teaches_with_examples(assent: Program) -> None:
    done = assent("explain", "--help")
    assert done.code == 0
    assert "assent explain labels.csv --measure cohen-kappa" in done.out
    assert "--label-against-rest yes --latex" in done.out


def test_a_page_on_an_example_says_its_source(assent: Program, tmp_path: Path) -> None:
    for command, name in (("explain", "page.html"), ("explain", "page.md"), ("report", "report.html")):
        path = tmp_path / name
        assert assent(command, "--example", "paradox1", "-o", str(path)).code == 0
        assert "Source: Feinstein and Cicchetti (1990)" in path.read_text(encoding="utf-8")
    assert "--expected=exact computes" in assent("explain", "--example", "multi-label", "-m", "boot-match").out
