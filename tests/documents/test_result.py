"""What every result can do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.documents.samples import HOSTILE, Sample

from assent.errors import OptionError


@pytest.mark.parametrize("text", HOSTILE)
def test_json_is_what_it_was_and_does_nothing_to_a_terminal(text: str) -> None:
    written = Sample(text_=text).json()
    written.encode("utf-8")
    assert json.loads(written) == {"label": text, "value": 0.5, "undefined": None}
    assert not any(c in written for c in "\x1b\x9b\u202e\u2066\0\u2028\x85")


@pytest.mark.parametrize(
    ("name", "begin"),
    [
        ("r.html", "<!doctype html>"),
        ("r.md", "# positive"),
        ("r.tex", "% Compile"),
        ("r.JSON", "{"),
        ("r.txt", "positive"),
    ],
)
def test_a_result_is_written_as_the_name_says(tmp_path: Path, name: str, begin: str) -> None:
    Sample().save(tmp_path / name)
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(begin)


def test_a_name_that_says_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"r\.docx.*\.html, \.md, \.tex, \.json or \.txt"):
        Sample().save(tmp_path / "r.docx")
    assert not list(tmp_path.iterdir())


def test_a_result_shows_itself() -> None:
    made = Sample(text_='"><script>alert(1)</script>')
    assert str(made) == made.text().rstrip("\n")
    assert "<script" not in made._repr_html_()
    assert made.figures() == {}
