"""A report as files, as text and in a notebook."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest

import assent

TABLE = [["<b>a</b>", "<b>a</b>"], ["b", "b"], ["<b>a</b>", "b"], ["b", "b"]] * 10


def same(one: str, other: str) -> bool:
    """Compare two texts; the program that draws charts numbers its clips on from chart to chart."""
    return re.sub(r"clip\d+", "clip", one) == re.sub(r"clip\d+", "clip", other)


@pytest.fixture(scope="module")
def report() -> assent.Report:
    return assent.report(TABLE, title="<i>Tone</i>")


@pytest.mark.parametrize(
    ("name", "kind"), [("r.md", "markdown"), ("r.tex", "tex"), ("r.json", "json"), ("r.HTML", "html")]
)
def test_the_ending_says_what_is_saved(report: assent.Report, tmp_path: Path, name: str, kind: str) -> None:
    report.save(tmp_path / name)
    assert same((tmp_path / name).read_text(encoding="utf-8"), report.rendered(kind))


def test_an_unknown_ending_is_refused_and_nothing_written(report: assent.Report, tmp_path: Path) -> None:
    with pytest.raises(assent.OptionError, match=r"let its name end in \.html, \.md, \.tex, \.json or \.txt"):
        report.save(tmp_path / "r.docx")
    assert not list(tmp_path.iterdir())


def test_json_is_the_dict(report: assent.Report) -> None:
    assert json.loads(report.json()) == report.to_dict()


def test_a_notebook_shows_the_page_in_a_frame(report: assent.Report) -> None:
    shown = report._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    inside = shown.partition('srcdoc="')[2].partition('"')[0]
    assert same(html.unescape(inside), report.html())
    assert "<i>Tone</i>" not in html.unescape(inside), "the title is text, not markup"


def test_it_prints_as_its_verdict(report: assent.Report) -> None:
    assert str(report).startswith("Agreement is ")
    assert repr(report) == str(report)
