"""Items, labels and the ceiling as documents: in every medium, with hostile names, and in the report's sections."""

from __future__ import annotations

import html
import io
import json
import re
import sys
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.cli.test_terminal import EVIL
from tests.support import every

import assent
from assent import Annotations
from assent.documents import Result, terminal
from assent.documents.blocks import Section
from assent.reports.context import ReportContext, Settings
from assent.reports.sections.ceiling import ceiling_section
from assent.reports.sections.items import items_section
from assent.reports.sections.labels import labels_section

SENTIMENT = "examples/sentiment.csv"
#: Markup of a page, of Markdown, of LaTeX and of a terminal.
MARKUP = ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "a|b *c* $x$", r"\input{x}", "[red]", "=1+1"]


def team(items: int = 40, annotators: int = 4, labels: str = "abcde", seed: int = 0) -> Annotations:
    rng = np.random.default_rng(seed)
    truth = rng.choice(list(labels), (items, 1))
    said = np.where(rng.random((items, annotators)) < 0.6, truth, rng.choice(list(labels), (items, annotators)))
    given = said.astype(object)
    given[rng.random((items, annotators)) < 0.1] = None
    return Annotations.from_array(given)


def hostile(evil: str) -> Annotations:
    rows = [
        {"item": f"{evil}{i}", "annotator": f"{evil}{who}", "label": f"{evil}{label}", "said": evil * 3}
        for i, labels in enumerate(["xxy", "xyy", "xyz", "zzz"])
        for who, label in enumerate(labels)
    ]
    return Annotations.from_frame(pl.DataFrame(rows), columns=["said"])


TABLES = {
    "sentiment": lambda: assent.read(SENTIMENT),
    "five labels": team,
    "two annotators": lambda: team(annotators=2, labels="ab"),
    "many labels": lambda: team(items=300, labels="".join(map(chr, range(0x4E00, 0x4E00 + 40)))),
    "one label": lambda: team(labels="a"),
    "counts": lambda: Annotations.from_counts([[3, 0], [1, 2], [2, 1], [0, 3]], labels=["yes", "no"]),
    "two": lambda: Annotations.from_contingency([[40, 5], [10, 45]], labels=["yes", "no"]),
}


def results(data: Annotations) -> list[Result]:
    """Every result of these data, and every section of a report, that they allow."""
    context = ReportContext(data, Settings())
    found: list[Result | None] = [assent.items(data), assent.labels(data), items_section(context)]
    found += [labels_section(context), ceiling_section(context)]
    if found[-1] is not None:
        found.append(assent.ceiling(data))
    return [one for one in found if one is not None]


@pytest.mark.parametrize("table", TABLES)
def test_every_result_is_a_document_in_every_medium(table: str) -> None:
    made = results(TABLES[table]())
    assert len(made) >= 4
    for one in made:
        assert json.loads(one.json()) == json.loads(json.dumps(one.to_dict()))
        for text in (one.text(), one.markdown(), one.latex(), one.html()):
            assert one.document().title in text
            assert not re.search(r"\bnan\b|\bNone\b", text)


@pytest.mark.parametrize("evil", every(2, [*EVIL, *MARKUP]))
def test_hostile_names_do_nothing(evil: str) -> None:
    data = hostile(evil)
    for one in [*results(data), assent.items(data, text="said")]:
        page = one.html()
        assert "<script>alert" not in page
        assert not re.search(r"<(img|b)[ >]", page)
        assert "\\input{" not in one.latex()
        assert not re.search("[^\\\\]<(script|img)", one.markdown())
        assert "\x1b" not in one.text() + one.markdown() + one.latex() + page
        json.dumps(one.to_dict(), allow_nan=False)


def test_a_notebook_shows_a_page_in_a_frame() -> None:
    shown = assent.items([["a", "<b>"], ["a", "a"]])._repr_html_()
    assert shown.startswith("<iframe")
    assert "&lt;b&gt;" in html.unescape(shown)


def test_printing_shows_what_the_command_shows() -> None:
    data = assent.read(SENTIMENT)
    assert "On 60 % of items everybody agrees; 24 items are disputed." in str(assent.items(data))
    assert "Krippendorff's alpha of all labels together: 0.554 (0.423 to 0.679)." in str(assent.labels(data))
    assert 'The best of them, "ana", reaches 77 %.' in str(assent.ceiling(data))


def test_sections_of_the_report_have_their_charts() -> None:
    data = team()
    context = ReportContext(data, Settings())
    sections = {"items": items_section(context), "labels": labels_section(context), "ceiling": ceiling_section(context)}
    charts = {"items": {"items"}, "labels": {"labels", "confusions"}, "ceiling": set()}
    for name, one in sections.items():
        assert one is not None
        (block,) = one.document().blocks
        assert isinstance(block, Section)
        assert block.name == name
        assert block.takeaway
        assert one.figures().keys() == charts[name]
    two = labels_section(ReportContext(team(annotators=2, labels="ab"), Settings()))
    # Of two labels each is the rest of the other: there is nothing to draw.
    assert two.figures().keys() == {"confusions"}
    assert two.matrix is not None
    assert two.matrix.kind == "confusion"


def test_a_chart_of_items_counts_what_the_numbers_say() -> None:
    section = items_section(ReportContext(team(), Settings()))
    spec: dict[str, Any] = section.figures()["items"].to_dict()
    (drawn,) = spec["datasets"].values()
    wanted = [one["items"] for one in section.to_dict()["histogram"]]
    assert [row["count"] for row in drawn] == wanted
    assert sum(wanted) == section.spread.total - section.spread.single


def test_bars_are_left_out_on_a_terminal_that_cannot_show_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def shown(encoding: str) -> str:
        written = io.BytesIO()
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding=encoding, errors="backslashreplace"))
        terminal.show(assent.items(team()).document())
        sys.stdout.flush()
        return written.getvalue().decode(encoding)

    assert "█" in shown("utf-8")
    assert "u2588" not in shown("ascii")
    assert "everybody agrees" in shown("ascii")


def test_the_mean_of_items_is_percent_agreement() -> None:
    """Two ways to the agreement of items: item by item here, and in the measures from profiles."""
    for seed in range(5):
        data = team(seed=seed)
        found = assent.items(data)
        assert found.mean_agreement == pytest.approx(assent.percent_agreement(data).value, abs=1e-12)
        known = found.weighted_agreement
        assert known is None
        order = sorted(data.labels)
        scaled = assent.items(data, scale="ordinal", order=order)
        assert scaled.weighted_agreement is not None
        wanted = assent.percent_agreement(data.ordered(order), scale="ordinal").value
        assert np.nanmean(scaled.weighted_agreement) == pytest.approx(wanted, abs=1e-12)


def test_options_of_the_verb_are_those_of_the_table() -> None:
    data = team()
    every = assent.items(data)
    assert [row.item for row in assent.items(data, sort="entropy", top=3).rows()] == [
        row.item for row in every.sorted_by("entropy").head(3).rows()
    ]
    some = assent.items(data, min_annotations=4, max_agreement=0.5, label_pair=("a", "b"), top=1)
    wanted = every.filtered(min_annotations=4, max_agreement=0.5, label_pair=("a", "b"))
    assert (some.n_matching, some.n_items, len(some)) == (2, 40, 1)
    assert len(wanted) == 2
    assert some.to_dict()["matching"] == len(wanted)
    assert f"{len(wanted) - 1} more item not listed." in some.text()
    assert assent.items(data, only=["3"]).to_dict()["items"][0]["item"] == "3"
    with pytest.raises(assent.OptionError, match="`sort` is"):
        assent.items(data, sort="worst")


def test_an_engine_looks_up_the_first_items_and_no_others_come_here() -> None:
    import duckdb

    from assent.engines import track_transfers

    rows = [(i, who, "xy"[(i * who) % 3 == 1]) for i in range(200) for who in range(3)]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row")
    here, there = Annotations.from_frame(frame), Annotations.from_frame(duckdb.from_arrow(frame.to_arrow()))
    seen: list[Any] = []
    with track_transfers(seen.append):
        found = assent.items(there, top=7)
        content = found.to_dict()
    assert not [one for one in seen if one.question == "annotations" and not one.local and one.rows > 21]
    wanted = assent.items(here, top=7).to_dict()
    assert content["items"] == wanted["items"]
    assert (content["total"], content["matching"]) == (wanted["total"], wanted["matching"]) == (200, 200)
    assert content["mean_agreement"] == pytest.approx(wanted["mean_agreement"], abs=1e-12)
    assert "These are the first of 200 items" in found.text()
    assert "Agreement of 200 items" in found.text()


def test_labels_that_are_agreed_on_alike_are_not_said_to_be_highest_and_lowest() -> None:
    rows = [["a", "a"], ["b", "b"], ["c", "c"]] * 4
    text = str(assent.labels(rows))
    assert "Agreement is 1.00 on each of 3 labels." in text
    assert "highest" not in text
    assert "lowest" not in text
