"""The charts: which there are, what they are called, and that everybody can read them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from msgspec.structs import replace
from tests.report.page.studies import REPORTS, SCRIPT, changed, crowd, hostile, of_example, questions, undefined
from tests.support import some

from assent.documents import charts
from assent.documents.charts import INK, NARROW, PALETTE, WIDE, render, svg
from assent.documents.embedding import ATTRIBUTES, ELEMENTS, embedded
from assent.reports import report
from assent.reports.charts import bars
from assent.reports.charts.heat import Cell, heat_map
from assent.reports.charts.intervals import Row, intervals
from assent.reports.charts.parts import (
    CELL,
    NEGATIVE,
    ON_CELL,
    SHADES,
    STRONG,
    axis_names,
    cut_at,
    name_width,
    shade,
)
from assent.reports.charts.verdict import verdict_chart

#: Ground and ink of the page in both colour schemes, as in its style.
LIGHT, DARK = ("#ffffff", "#1b1f23"), ("#14171a", "#e6e8ea")


def test_charts_by_name() -> None:
    assert list(of_example("story").figures()) == [
        "verdict",
        "annotations-per-item",
        "coverage",
        "label-shares",
        "labels-by-annotator",
        "coefficients",
        "labels",
        "confusions",
        "annotators",
        "annotator-pairs",
        "items",
        "groups",
        "group-differences",
        "schemes",
    ]
    assert {"sweep", "sweep-classes"} <= of_example("multi-label").figures().keys()
    assert "verdict" not in undefined().figures()


def test_charts_of_questions_have_names_fit_for_files() -> None:
    names = list(questions().figures())
    assert names[0] == "questions"
    assert {"question-1-is-it-true-verdict", "question-2-script-alert-1-script-items"} <= set(names)
    assert all(re.fullmatch("[a-z0-9-]+", name) for name in names)
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("format", ["svg", "png", "pdf"])
def test_charts_render_for_papers(format: str) -> None:
    start = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}[format]
    for name in ("verdict", "confusions", "coverage"):
        assert render(of_example("story").figures()[name], format).startswith(start)


@pytest.mark.parametrize("report", ["story", "hostile", "crowd"])
def test_charts_are_as_wide_as_the_page(report: str) -> None:
    for drawing in some(REPORTS[report]().document().figures().values()):
        for width in (WIDE, NARROW):
            chart = drawing.draw(width)
            if chart is not None and drawing.twice:
                found = ElementTree.fromstring(svg(chart.properties(padding=2)))
                assert float(found.attrib["width"]) <= width + 12, drawing.name


def test_names_that_are_alike_after_cutting_stay_apart() -> None:
    names = axis_names(["a" * 30, "a" * 31, "a" * 30 + "b", "x", "x (2)", "x"], limit=10)
    assert len(set(names)) == 6
    assert names[:2] == ["aaaaaaaaa…", "aaaaaaaaa… (2)"]


def test_labels_reach_no_expression_and_no_field_name() -> None:
    for name, chart in some(hostile().figures().items()):
        spec = chart.to_dict()
        # The data stand in `values` and in domains; take them away, and nothing of them is left.
        left = json.dumps(_without_data(spec))
        assert "alert" not in left, name


def _without_data(part: object) -> object:
    if isinstance(part, dict):
        skipped = {"values", "datasets", "domain", "title"}
        return {key: _without_data(value) for key, value in part.items() if key not in skipped}
    return [_without_data(one) for one in part] if isinstance(part, list) else part


def test_a_heat_map_says_every_number() -> None:
    chart = of_example("story").figures()["confusions"]
    counts = of_example("story").to_dict()["labels"]["matrix"]["counts"]
    texts = [text.text for text in ElementTree.fromstring(svg(chart)).iter("{http://www.w3.org/2000/svg}text")]
    for line in some(counts):
        for cell in some(line):
            assert any(text == f"{100 * cell / sum(line):.0f} %" for text in texts)


def test_the_coverage_of_a_crowd_is_cut_to_what_can_be_read() -> None:
    text = svg(of_example("sparse-crowd").figures()["coverage"])
    assert float(ElementTree.fromstring(text).attrib["height"]) < 700
    # Three thousand who have four items each make no pattern.
    assert "coverage" not in crowd().figures()


def test_there_is_no_picture_of_what_everybody_did() -> None:
    assert "coverage" not in of_example("perfect").figures()
    assert "annotations-per-item" not in of_example("perfect").figures()


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def mixed(colour: str, ground: str, full: float) -> str:
    parts = [full * int(colour[i : i + 2], 16) + (1 - full) * int(ground[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(part):02x}" for part in parts)


@pytest.mark.parametrize("colour", [CELL, NEGATIVE])
@pytest.mark.parametrize(("ground", "ink"), [LIGHT, DARK])
def test_numbers_can_be_read_on_every_shade(colour: str, ground: str, ink: str) -> None:
    for start, full in some(SHADES):
        _, used = shade(start if colour == CELL else -start)
        cell = mixed(colour, ground, full)
        # The page turns the strong ink of charts into its own.
        assert contrast(ink if used == STRONG else ON_CELL, cell) >= 4.5


@pytest.mark.parametrize(
    ("ground", "marks"),
    [("#ffffff", ("#0072b2", "#d55e00", "#5a6169")), ("#14171a", ("#4ba3dc", "#f08a3c", "#a3abb3"))],
)
def test_marks_stand_out_from_the_page(ground: str, marks: tuple[str, ...]) -> None:
    for mark in marks:
        assert contrast(mark, ground) >= 3
    assert contrast(marks[-1], ground) >= 4.5


def test_the_style_has_the_colours_that_were_checked() -> None:
    from importlib.resources import files

    style = files("assent.documents").joinpath("templates/style.css").read_text("utf-8").lower()
    for pair in ("#ffffff, #14171a", "#1b1f23, #e6e8ea", "#0072b2, #4ba3dc", "#d55e00, #f08a3c", "#5a6169, #a3abb3"):
        assert f"light-dark({pair})" in style
    for colour in (STRONG, PALETTE[0].lower(), PALETTE[1].lower()):
        assert f'[fill="{colour}"]' in style


HOSTILE_SVG = f"""<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="10" height="10"
 viewBox="0 0 10 10" onload="alert(1)" style="color:red" class="marks"><style>* {{ fill: red }}</style><script>alert(1)</script>
<a xlink:href="https://example.org"><text>link</text></a><image href="https://example.org/x.png"/>
<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><img src="x" onerror="alert(1)"/></body></foreignObject>
<use href="#x"/><animate attributeName="href" to="javascript:alert(1)"/><clipPath id="c"><rect width="5" height="5"/></clipPath>
<g clip-path="url(#c)" fill="url(https://example.org/#x)"><text font-family="x" fill="{INK}" transform="translate(1,2)">{SCRIPT.replace("<", "&lt;")}</text></g></svg>"""


def test_only_what_draws_is_embedded() -> None:
    made = str(embedded(HOSTILE_SVG, name="q1-x", title='a "title" <b>'))
    found = ElementTree.fromstring(made)
    assert {one.tag for one in found.iter()} <= ELEMENTS
    told = {"role", "aria-label", "focusable"}
    assert {key for one in found.iter() for key in one.attrib} <= ATTRIBUTES | told
    assert "https:" not in made
    assert "alert(1)&lt;/script&gt;" in made
    assert found.attrib["aria-label"] == 'a "title" <b>'
    assert "<b>" not in made


def test_ids_of_charts_are_told_apart() -> None:
    made = str(embedded(HOSTILE_SVG, name="q1-x", title="t"))
    assert 'id="q1-x-c"' in made
    assert "url(#q1-x-c)" in made


def test_ink_follows_the_page() -> None:
    made = str(embedded(HOSTILE_SVG, name="n", title="t"))
    assert 'fill="currentColor"' in made
    assert INK not in made


def _svg(inner: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><g class="marks">{inner}</g></svg>'


def test_neighbours_that_look_alike_become_one_path() -> None:
    made = str(
        embedded(
            _svg('<path d="M0,0h1" fill="red"/><path d="M2,0h1" fill="red"/><path d="M4,0h1" fill="blue"/>'),
            name="n",
            title="t",
        )
    )
    assert made.count("<path") == 2
    assert 'd="M0,0h1M2,0h1"' in made


def test_what_all_say_is_said_once() -> None:
    made = str(
        embedded(
            _svg(
                '<text fill="red" opacity="1" transform="translate(1.04,2)">a</text><text fill="red" transform="translate(3,2)">b</text>'
            ),
            name="n",
            title="t",
        )
    )
    assert made.count('fill="red"') == 1
    assert '<text x="1" y="2">a</text>' in made
    assert "opacity" not in made


def test_lines_of_a_text_stay_where_they_are() -> None:
    inner = '<text transform="translate(5,6)"><tspan>almost</tspan><tspan x="0" dy="13">perfect</tspan></text><text transform="rotate(3) translate(1,2)">x</text>'
    made = str(embedded(_svg(inner), name="n", title="t"))
    assert '<text transform="translate(5,6)"><tspan>almost</tspan><tspan x="0" dy="13">perfect</tspan></text>' in made
    assert 'transform="rotate(3) translate(1,2)"' in made


def test_embedding_saves_most_of_the_bytes() -> None:
    for chart in some(of_example("sparse-crowd").figures().values()):
        whole = svg(chart)
        assert len(str(embedded(whole, name="n", title="t"))) < 0.7 * len(whole)


def test_embedded_texts_are_those_of_the_chart() -> None:
    for chart in some(hostile().figures().values()):
        whole = svg(chart)
        before = texts(ElementTree.fromstring(whole), "{http://www.w3.org/2000/svg}text")
        assert texts(ElementTree.fromstring(str(embedded(whole, name="n", title="t"))), "text") == before


def texts(picture: ElementTree.Element, tag: str) -> list[str]:
    return [text for one in picture.iter(tag) if (text := "".join(one.itertext()))]


def test_each_picture_is_drawn_once_and_small_however_many_annotators_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[str] = []
    draw = charts.drawn
    monkeypatch.setattr(charts, "drawn", lambda spec: drawn.append(json.dumps(spec)) or draw(spec))
    report = crowd()
    page = report.html()
    made = report.figures()
    twice = sum(one.twice for name, one in report.document().figures().items() if name in made)
    assert len(drawn) == len(made) + twice == len(re.findall('role="(?:img|group)" aria-label="[^"]+" focusable', page))
    assert len(set(drawn)) >= len(made)
    # As many rows as a reader can take in, whatever the report holds.
    assert max(map(len, drawn)) < 40_000
    assert sum(map(len, drawn)) < 200_000


def test_names_are_measured_to_be_cut_only_if_they_may_be_too_long() -> None:
    def limits(names: list[str]) -> set[int]:
        chart = bars.shares([(name, 1.0, "1") for name in names], title="items", width=WIDE)
        return set(map(int, re.findall(r'"labelLimit": (\d+)', json.dumps(chart.to_dict()))))

    assert limits(["neutral", "positive", "no. 12"]) == {0}
    assert limits(["neutral", "W" * 30]).isdisjoint({0})
    assert limits(["neutral", "女" * 30]).isdisjoint({0})
    assert limits(["a" * 34]).isdisjoint({0})


@pytest.mark.parametrize("font", ["DejaVu Sans", "Liberation Sans", "sans-serif"])
def test_names_that_are_not_cut_have_room(font: str) -> None:
    import vl_convert

    letters = "abcdefghijklnopqrstuvxyz0123456789.,-_ "
    assert {cut_at([one * 10], name_width([one * 10], 230)) for one in letters.strip()} == {0}
    for one in letters.strip():
        spec = {"data": {"values": [{"t": one * 10}]}, "mark": "text", "encoding": {"text": {"field": "t"}}}
        spec |= {"config": {"font": font, "text": {"fontSize": 12}}, "padding": 0, "width": 1, "height": 1}
        found = re.search(r'width="([\d.]+)"', vl_convert.vegalite_to_svg(spec))
        assert found
        assert float(found[1]) <= name_width([one * 10], 230) + 2


def test_a_chart_is_made_without_classes_of_a_schema() -> None:
    """To make specifications by Altair took longer than to draw them."""
    code = (
        "import sys; from assent.examples import example; from assent.reports import report; chosen = example('story'); "
        "assert report(chosen.data(), **chosen.settings).html(); print([one for one in ('altair', 'jsonschema', 'scipy.optimize', 'assent.analyses.judge', 'assent.analyses.repeat') if one in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_drawing_leaves_the_report_as_it_is() -> None:
    report = of_example("story")
    before = report.json()
    report.html()
    assert report.json() == before


@pytest.mark.parametrize(("labels", "blank"), [(14, 0), (15, 15 * 14)])
def test_zeros_of_a_large_heat_map_are_blank(labels: int, blank: int) -> None:
    report = of_example("story")
    part = report.sections["labels"]
    matrix = replace(
        part.matrix, labels=[f"l{i}" for i in range(labels)], counts=np.eye(labels), totals=np.ones(labels)
    )
    report = changed(report, labels=replace(part, matrix=matrix))
    chart = report.figures()["confusions"]
    spec = chart.to_dict()
    rows = max(map(len, spec["datasets"].values()))
    drawn = svg(chart)
    assert rows == labels * labels
    # A text for each cell that has one, and the names of rows and columns.
    assert drawn.count("</text>") == labels * labels - blank + 2 * labels
    assert ("A blank cell is a 0." in report.html()) is bool(blank)


def test_words_of_a_scale_do_not_run_into_each_other() -> None:
    # Two items: the line goes down to -0.4, and bands are narrow.
    part = report([["yes", "yes", "no"], ["no", "no", "no"]]).verdict
    assert part.low is not None
    assert part.low < -0.3
    drawn = verdict_chart(part, NARROW).to_dict()
    start, end = drawn["layer"][0]["encoding"]["x"]["scale"]["domain"]
    words = [
        (one["encoding"]["y"]["value"], row["middle"], row["word"])
        for one in drawn["layer"]
        if one["encoding"].get("text", {}).get("field") == "word"
        for row in drawn["datasets"][one["data"]["name"]]
    ]
    assert {word for _, _, word in words} == {"unreliable", "tentative", "reliable"}
    for one in {line for line, *_ in words}:
        ends = [
            (place * drawn["width"] - 3.2 * len(word), place * drawn["width"] + 3.2 * len(word))
            for line, middle, word in words
            if line == one
            for place in ((middle - start) / (end - start),)
        ]
        assert all(before[1] < after[0] for before, after in pairwise(sorted(ends)))


def test_numbers_beside_intervals_have_room_for_their_sign() -> None:
    drawn = intervals([Row(name="a", value=0.38, low=0.24, high=0.49)], title="difference", width=NARROW, zero=True)
    left = drawn.to_dict()["layer"][-1]["encoding"]["y"]["axis"]["minExtent"]
    # Five letters of at most 7.2 pixels, 10 beside the plot.
    assert NARROW - left - drawn.to_dict()["width"] >= 10 + 5 * 7.2


def test_names_of_coefficients_are_whole_on_a_phone() -> None:
    name = "Krippendorff's alpha (MASI)"
    drawn = intervals([Row(name=name, value=0.5)], title="value", width=NARROW).to_dict()
    shown = drawn["layer"][-1]
    assert drawn["datasets"][shown["data"]["name"]][0]["name"] == name
    assert shown["encoding"]["y"]["axis"]["labelLimit"] >= name_width([name], 1000) - 10


def test_names_of_a_label_and_an_annotator_are_whole_on_every_axis() -> None:
    drawn = heat_map(["Bernhard von Hohenstein", "b"], ["Bernhard von Hohenstein", "b"], [[Cell(0.5, ".5")] * 2] * 2, size=(24, 18)).to_dict()  # fmt: skip
    assert "…" not in json.dumps(drawn, ensure_ascii=False)
    shown = bars.shares([("technical follow-up", 0.1, "10 %")], title="share", width=NARROW).to_dict()
    assert "…" not in json.dumps(shown, ensure_ascii=False)
