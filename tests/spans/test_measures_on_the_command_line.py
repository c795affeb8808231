"""Gamma and the other measures of spans on the command line: options, details, refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support import run

ROWS = """document,annotator,start,end,label
d1,ada,0,4,PER
d1,ada,9,15,LOC
d1,ben,0,4,PER
d1,ben,9,12,LOC
d2,ada,3,6,ORG
d2,ben,3,6,PER
d2,ben,12,19,LOC
d3,ada,1,8,PER
d3,ben,2,8,PER
"""
LENGTHS = "document,length\nd1,30\nd2,25\nd3,40\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "lengths.csv").write_text(LENGTHS)
    (tmp_path / "spans.csv").write_text(ROWS)
    return tmp_path / "spans.csv"


def asked(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    with pytest.raises(SystemExit) as end:
        run([*arguments])
    told = capsys.readouterr()
    assert end.value.code == code, told
    return told.err if code else told.out


def measured(capsys: pytest.CaptureFixture[str], table: Path, *arguments: str) -> dict[str, Any]:
    lengths = str(table.parent / "lengths.csv")
    text = asked(capsys, "measure", str(table), "--layout", "spans", "--lengths", lengths, "--json", *arguments)
    return {one["measure"]: one for one in json.loads(text)["measures"]}


def test_gamma_says_how_it_was_made(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--position-weight", "3", "--label-weight", "0.5", "--expected", "statistical", "--samples", "20")
    found = measured(capsys, table, "-m", "gamma", "-m", "gamma-cat", *options, "--seed", "7")
    gamma = found["gamma"]
    assert gamma["options"] == {
        "scale": None, "weights": "identity", "position_weight": 3.0, "label_weight": 0.5, "expected": "statistical",
        "shift": "mean", "samples": 20, "seed": 7,
    }  # fmt: skip
    assert set(gamma["details"]) == {"observed_disorder", "expected_disorder", "monte_carlo_error", "groups"}
    assert gamma["details"]["monte_carlo_error"] > 0
    assert gamma["value"] == pytest.approx(
        1 - gamma["details"]["observed_disorder"] / gamma["details"]["expected_disorder"]
    )
    assert gamma["interpretation"] is None
    assert any(
        "in 20 samples of each document (seed 7)" in note and "normal distributions" in note for note in gamma["notes"]
    )
    assert any("Drawing samples alone has a standard error of" in note for note in gamma["notes"])
    assert "gamma-cat" in found
    assert measured(capsys, table, "-m", "gamma", *options, "--seed", "7")["gamma"] == gamma
    assert measured(capsys, table, "-m", "gamma", *options, "--seed", "8")["gamma"]["value"] != gamma["value"]


def test_alphas_say_their_coverage(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = measured(capsys, table, "-m", "alpha-u", "-m", "alpha-cu", "-m", "alpha-ku")
    assert 0 < found["alpha-cu"]["details"]["coverage"] < 1
    assert found["alpha-ku"]["value"] is None
    assert (
        "Undefined for all labels together: choose one with `span_label`, or see the details for each."
        in found["alpha-ku"]["notes"]
    )
    assert {f"{what} of {label}" for what in ("alpha", "coverage") for label in ("LOC", "ORG", "PER")} == set(
        found["alpha-ku"]["details"]
    )
    one = measured(capsys, table, "-m", "alpha-ku", "--span-label", "PER")["alpha-ku"]
    assert one["value"] == found["alpha-ku"]["details"]["alpha of PER"]


def test_without_a_name_span_f1_is_quoted_beside_gamma(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert list(measured(capsys, table)) == ["span-f1", "gamma"]


def test_a_gamma_that_nobody_asked_for_and_cannot_be_computed_is_told(
    table: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assent.continua.candidates.MOST_TUPLES", 1)
    assert list(measured(capsys, table)) == ["span-f1"]
    text = asked(capsys, "measure", str(table), "--layout", "spans")
    assert "Gamma is not computed" in " ".join(text.split())
    told = asked(capsys, "measure", str(table), "--layout", "spans", "-m", "gamma", code=2)
    assert told.startswith("assent: Gamma is not computed: ")
    assert len(told.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ("-m", "alpha-u"),
            'the length of "d1", "d2" and "d3" is not known: give --texts or --lengths, or --length last-end',
        ),
        (("-m", "gamma", "--samples", "1"), "--samples is 1; it must be at least 2."),
        (("-m", "gamma", "--samples", "x"), '--samples is "x"; it must be at least 2.'),
        (("-m", "gamma", "--position-weight", "0"), "--position-weight is 0; it must be above 0."),
        (("-m", "gamma", "--expected", "guess"), '--expected is "guess", which is not one of shuffle, statistical'),
        (("-m", "pk", "--window", "0", "--length", "last-end"), "--window is 0; it must be at least 1."),
        (("-m", "alpha-ku", "--span-label", "X", "--length", "last-end"), 'There is no label "X"'),
    ],
)
def test_a_refusal_is_one_sentence(
    table: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], told: str
) -> None:
    text = asked(capsys, "measure", str(table), "--layout", "spans", *arguments, code=2)
    assert told in text
    assert len(text.splitlines()) == 1


def test_units_that_overlap_are_named(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table.write_text(ROWS + "d3,ada,5,9,LOC\n")
    told = asked(capsys, "measure", str(table), "--layout", "spans", "--length", "last-end", "-m", "alpha-u", code=2)
    assert '"ada" in "d3" from 5 to 9 (row 10); use gamma or span-f1' in told
    assert len(told.splitlines()) == 1
