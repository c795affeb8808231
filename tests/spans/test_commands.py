"""Measures of spans on the command line: their own options, with the values of the library."""

import json
import shlex
from pathlib import Path

import pytest
from tests.cli.conftest import SPANS, Files, Program

import assent as library

OPTIONS = [
    ("gamma", "--position-weight", "3", 3.0),
    ("gamma", "--label-weight", "2", 2.0),
    ("gamma", "--samples", "7", 7),
    ("gamma", "--expected", "statistical", "statistical"),
    ("gamma", "--shift", "half", "half"),
    ("gamma-cat", "--label-weight", "0.5", 0.5),
    ("boundary-similarity", "--near", "3", 3),
    ("window-diff", "--window", "4", 4),
    ("pk", "--window", "5", 5),
    ("position-alpha", "--said", "marked", "marked"),
    ("position-kappa", "--span-label", "A", "A"),
]


@pytest.mark.parametrize(("name", "option", "text", "value"), OPTIONS)
def test_their_own_options(
    assent: Program,
    file: Files,
    name: str,
    option: str,
    text: str,
    value: object,
) -> None:
    path = file("spans.csv", SPANS)
    one = assent("measure", path, "-m", name, option, text, "--ci", "none", "--json").only
    own = option[2:].replace("-", "_")
    assert one["options"][own] == value
    assert one["value"] == pytest.approx(library.all_measures()[name](path, **{own: value}).value, abs=1e-12)
    assert one["value"] is not None


def test_the_other_command_of_a_look_has_no_options_of_spans(assent: Program, file: Files, tmp_path: Path) -> None:
    (tmp_path / "lengths.csv").write_text("document,length\nd1,30\nd2,30\nd3,30\nd4,30\n", "utf-8")
    path = file("spans.csv", SPANS)
    found = assent("look", path, "--lengths", str(tmp_path / "lengths.csv"), "--json").json
    spans, labels = (shlex.split(one["command"]) for one in found["commands"])
    assert "--lengths" in spans
    assert "--lengths" not in labels


def test_gamma_has_no_words(assent: Program, file: Files) -> None:
    path = file("spans.csv", SPANS)
    assert "Landis" not in assent("explain", path, "-m", "gamma").out


def test_a_report_speaks_of_documents_and_spans_and_marks_no_targets_of_kappas() -> None:
    rows = [(f"d{i}", who, 0, 4 + (who == "b" and i % 2), "X") for i in range(6) for who in "ab"]
    report = library.report(library.Spans.from_rows(rows))
    assert "on only 6 documents" in report.to_dict()["verdict"]["sentence"]
    text = report.markdown()
    assert "12 spans of 6 documents by 2 annotators" in text
    chart = next(one for name, one in report.figures().items() if name == "verdict")
    assert "subjective" not in json.dumps(chart.to_dict())
