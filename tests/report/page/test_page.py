"""The page as text: what it holds, what it does not, and how large it is."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pytest
from msgspec.structs import replace
from tests.report.page.studies import REPORTS, changed, of_example, questions, undefined
from tests.support import some

import assent.documents.charts
from assent.documents.html import prose

Html = Callable[[str], str]
#: Elements without an end.
VOID = {"meta", "input", "br", "img", "link", "hr"}


class Elements(HTMLParser):
    """Every element with its attributes, and whether all of them are closed in their order."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {key: given or "" for key, given in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {key: given or "" for key, given in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("report", REPORTS)
def test_elements_are_closed_ids_differ_and_links_lead_somewhere(html: Html, report: str) -> None:
    parsed = Elements(html(report))
    assert parsed.open == []
    ids = Counter(attributes["id"] for _, attributes in parsed.found if "id" in attributes)
    assert [one for one, times in ids.items() if times > 1] == []
    for tag, attributes in parsed.found:
        for key in ("aria-labelledby", "aria-describedby"):
            assert set(attributes.get(key, "").split()) <= ids.keys()
        if tag == "a":
            assert attributes["href"].startswith("#")
            assert attributes["href"][1:] in ids


@pytest.mark.parametrize("report", REPORTS)
def test_nothing_is_fetched_styled_in_place_or_handled_in_place(html: Html, report: str) -> None:
    for tag, attributes in some(Elements(html(report)).found):
        assert tag not in ("img", "link", "iframe", "object", "embed", "base", "form", "image", "foreignobject", "use")
        assert not any(key.startswith("on") or key in ("style", "src", "srcset", "xlink:href") for key in attributes)
        assert not any("url(" in given and not given.startswith("url(#") for given in attributes.values())


@pytest.mark.parametrize("report", REPORTS)
def test_the_policy_allows_one_style_and_one_script(html: Html, report: str) -> None:
    text = html(report)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert "default-src &#39;none&#39;" in policy[1]
    assert "unsafe" not in policy[1]
    tags = Counter(tag for tag, _ in Elements(text).found)
    assert tags["script"] == tags["style"] == 1


@pytest.mark.parametrize("report", REPORTS)
def test_headings_leave_out_no_level(html: Html, report: str) -> None:
    levels = [int(tag[1]) for tag, _ in Elements(html(report)).found if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


@pytest.mark.parametrize("report", REPORTS)
def test_tables_have_headings_for_every_cell(html: Html, report: str) -> None:
    for table in some(re.findall(r"<table.*?</table>", html(report), re.S)):
        head, *rows = re.findall(r"<tr[ >].*?</tr>", table, re.S)
        assert "<caption>" in table
        columns = head.count('scope="col"')
        assert columns == len(re.findall("<th|<td", head))
        for row in some(rows):
            assert row.count('scope="row"') == 1
            assert len(re.findall("<th|<td", row)) == columns


@pytest.mark.parametrize("report", REPORTS)
def test_every_chart_is_small_and_named(html: Html, report: str) -> None:
    charts = re.findall(r"<svg.*?</svg>", html(report), re.S)
    assert charts or report == "undefined"
    for chart in charts:
        assert len(chart.encode()) < 100_000
        assert chart.startswith("<svg")
        assert re.search('role="(img|group)"', chart[:400])
        assert "aria-label=" in chart[:400]


@pytest.mark.parametrize("report", REPORTS)
def test_a_page_is_small(html: Html, report: str) -> None:
    assert len(html(report).encode()) < 600_000


def test_the_page_of_a_hundred_thousand_items_is_below_two_megabytes() -> None:
    """All that grows with the items is cut in the report; here it has all it can have, with texts as long as they can be."""
    made = of_example("story")
    data, labels, items = (made.sections[name] for name in ("data", "labels", "items"))
    given = [(f"an annotator with a name {i}", f"a label of some length {i}") for i in range(30)]
    row = replace(
        items.worst[0], text="w" * 600 + "…", item="i" * 200, given=given, counts={name: 1 for _, name in given}
    )
    names = [f"label {i} " * 8 for i in range(100)]
    matrix = replace(
        labels.matrix, labels=names[:25], counts=np.full((25, 25), 1234.5), totals=np.full(25, 25 * 1234.5)
    )
    blocks = [[(i * j) % 7 / 6 for i in range(60)] for j in range(60)]
    coverage = data.coverage._replace(annotators=[f"a{i}" for i in range(60)], blocks=blocks)
    text = changed(
        made,
        data=replace(data, coverage=coverage),
        labels=replace(labels, rows=tuple(replace(labels.rows[0], label=one) for one in names), matrix=matrix),
        items=replace(items, worst=(row,) * 200),
    ).html()
    assert len(text.encode()) < 2_000_000
    for chart in re.findall(r"<svg.*?</svg>", text, re.S):
        assert len(chart.encode()) < 100_000


def test_each_chart_is_rendered_twice_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    render = assent.documents.charts.render
    monkeypatch.setattr(
        assent.documents.charts, "render", lambda *given, **more: (calls.append(1), render(*given, **more))[1]
    )
    made = of_example("story")
    made.html()
    assert 0 < len(calls) <= 2 * len(made.document().figures())


def plain(text: str) -> str:
    """Return what a reader sees of a page, without charts, in one line."""
    text = re.sub(r"<(style|script|svg|head).*?</\1>", "", text, flags=re.S)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text)).replace("\u00a0", " ")


def test_it_begins_with_the_verdict_and_says_what_to_do(html: Html) -> None:
    content = of_example("story").to_dict()["verdict"]
    seen = plain(html("story")).replace("&#34;", '"').replace("&#39;", "'")
    sentence = content["sentence"].split(" What pulls it down")[0]
    assert seen.index(f"Verdict {sentence}") < seen.index(f"Next: {content['next']}") < seen.index("Data 1,555")
    assert sentence in seen
    for cause in content["causes"]:
        assert cause in seen


def test_commands_are_set_as_commands_and_nothing_else_is() -> None:
    told = prose("See `assent items` <b>, `assent <i>`, `x` and 95 %.")
    assert told == "See <code>assent items</code> &lt;b&gt;, `assent &lt;i&gt;`, <code>x</code> and 95\u00a0%."


def test_numbers_on_the_page_are_those_of_the_report(html: Html) -> None:
    content = of_example("story").to_dict()
    text = html("story")
    table = re.search(r'<div class="table[^"]*" id="table-coefficients">.*?</table>', text, re.S)
    assert table is not None
    for one in content["coefficients"]["measures"]:
        assert one["title"].replace("'", "&#39;") in table[0]
        assert f">{one['value']:.2f}</td>" in table[0]
        assert f">{one['ci']['low']:.2f} to {one['ci']['high']:.2f}</td>" in table[0]
    for one in content["annotators"]["rows"]:
        assert re.search(
            rf"<bdi>{one['annotator']}</bdi></th>.*?>{100 * one['agreement']['value']:.0f} %</td>", text, re.S
        )
    for one in content["items"]["worst"]:
        assert f"<bdi>{one['item']}</bdi>" in text


def test_nothing_heavy_is_imported_before_a_page_is_made() -> None:
    code = (
        "import sys, assent.reports, assent.documents.html; "
        "print([name for name in ('altair', 'vl_convert', 'jinja2', 'markupsafe') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_columns_mean_comes_from_the_report(html: Html) -> None:
    known = {one["name"]: one["text"] for one in of_example("story").to_dict()["appendix"]["definitions"]}
    text = html("story")
    for term in ("observed agreement", "interval", "specific agreement", "agreement of an annotator"):
        assert f'<abbr title="{known[term]}">'.replace("'", "&#39;") in text


def test_no_control_character_is_on_a_page(html: Html) -> None:
    text = html("hostile")
    assert re.findall("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\ufeff]", text) == []
    text.encode("utf-8")


def test_without_a_value_there_is_no_picture_but_a_verdict() -> None:
    text = undefined().html()
    assert 'id="figure-verdict"' not in text
    assert "There is no coefficient to quote" in text
    assert "No value" in text


def test_questions_have_a_chapter_each_between_overview_and_appendix() -> None:
    text = questions().html()
    ids = re.findall(r'<h2 id="([^"]*)"', text)
    assert ids == ["verdict", "questions", "q1-title", "q2-title", "q3-title", "reporting", "appendix"]
    assert text.count('href="#q2-title"') == 3
