"""Charts render without a network, and whatever comes from data is text in them and in pages."""

from __future__ import annotations

import re

import altair as alt
import pytest

from assent.documents import charts, html
from assent.documents.blocks import Document
from assent.errors import OptionError

HOSTILE = ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "a & b", "]]>"]


def chart():
    values = [{"name": name, "n": i} for i, name in enumerate(HOSTILE)]
    return alt.Chart(alt.Data(values=values)).mark_bar().encode(x="n:Q", y="name:N")


def test_texts_are_escaped_in_a_chart():
    svg = charts.svg(chart())
    assert "<script" not in svg
    assert "<img" not in svg
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in svg
    assert not re.search(r'(href|src)="(?!#)', svg)


@pytest.mark.parametrize("character", ["\x1b", "\x07", "\x08", "\x00", "\ufffe", "\ud800", "\u202e"])
def test_characters_that_no_chart_can_show_are_escaped(character):
    values = [{"name": f"a{character}b", "n": 1}]
    drawn = alt.Chart(alt.Data(values=values), title=f"t{character}").mark_bar().encode(x="n:Q", y="name:N")
    svg = charts.svg(drawn)
    assert character not in svg
    assert "<svg" in svg


@pytest.mark.parametrize(("ending", "start"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_charts_are_saved_in_every_format(tmp_path, ending, start):
    charts.save(chart(), tmp_path / f"chart.{ending}")
    assert (tmp_path / f"chart.{ending}").read_bytes().startswith(start)


def test_another_format_is_refused(tmp_path):
    with pytest.raises(OptionError, match="the formats are svg, png, pdf"):
        charts.save(chart(), tmp_path / "chart.bmp")


def test_a_page_allows_its_own_style_and_script_alone():
    text = html.render(Document("Nothing"))
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    assert policy.startswith("default-src &#39;none&#39;")
    assert "unsafe" not in policy
    assert policy.count("sha256-") == 2
    assert "http" not in text.replace("http-equiv", "")
