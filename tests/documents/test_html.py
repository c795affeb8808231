"""Documents as pages: whatever the data say is shown and nothing of it runs."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest
from tests.documents.reading import read_html
from tests.documents.samples import HOSTILE, every_block, numbers_table
from tests.support import every

from assent.documents import Document, html
from assent.documents.blocks import Column, Find, Table, count, name, names, words
from assent.text import display_name, visible


@pytest.mark.parametrize("text", [text for text in HOSTILE if text])
def test_a_page_is_made_of_the_same_tags_whatever_it_says(text: str) -> None:
    page = html.render(every_block(text, figure=False))
    page.encode("utf-8")
    read, plain = read_html(page), read_html(html.render(every_block("positive", figure=False)))
    assert [tag for tag, _ in read.tags] == [tag for tag, _ in plain.tags]
    for (_, attributes), (_, usual) in zip(read.tags, plain.tags, strict=True):
        # How wide a cell is depends on its text.
        assert attributes.keys() - {"class"} == usual.keys() - {"class"}
        assert not any(key.startswith("on") or key == "style" for key in attributes)
    # Outside of the texts to copy, nothing is there that cannot be seen.
    shown = "".join(read.texts)
    assert re.sub("[\n\t\u00a0\u200c\u200d\u2068\u2069]", "", shown).isprintable()
    assert visible(text[:300].partition("\n")[0]) in shown
    assert display_name(text, 200) in {cell for row in read.cells for cell in row}


def test_an_empty_name_is_called_so() -> None:
    cells = read_html(html.render(every_block("", figure=False))).cells
    assert sum(row[0] == "(empty)" for row in cells) == 3


def test_ids_are_unique_and_links_lead_somewhere() -> None:
    tags = read_html(html.render(every_block())).tags
    ids = [attributes["id"] for _, attributes in tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = {attributes["href"] for tag, attributes in tags if tag == "a"}
    assert links <= {f"#{one}" for one in ids}
    named_by = {one for _, attributes in tags for one in (attributes.get("aria-labelledby") or "").split()}
    assert named_by <= set(ids)


def test_a_total_stands_at_the_foot_and_long_tables_are_cut() -> None:
    begin = time.perf_counter()
    page = html.render(Document("Many", [numbers_table(rows=10_000, total=True)]))
    assert time.perf_counter() - begin < 3
    assert "9,801 more rows are left out here." in page
    body, foot = page.partition("<tfoot>")[::2]
    assert body.count('scope="row"') == 199
    assert foot.count('scope="row"') == 1
    assert "3,003" in foot


def test_numbers_are_sorted_by_their_values() -> None:
    rows = [[words("a"), count(1_234_567)], [words("b"), count(1_234_568)], [words("c"), count(None)]]
    tags = read_html(html.render(Document("", [Table("t", "", [Column("A", "words"), Column("B")], rows)]))).tags
    assert [attributes.get("data-sort") for tag, attributes in tags if tag == "td"] == ["1234567", "1234568", None]


def test_a_cell_with_many_names_is_cut() -> None:
    table = Table(
        "t", "", [Column("A", "name"), Column("B", "text")], [[name("x"), names([(i, "") for i in range(500)])]]
    )
    page = html.render(Document("", [table]))
    assert "488 more" in page
    assert page.count("<li>") == 12


@pytest.mark.parametrize("text", every(3, [*HOSTILE[:6], "\u202eabc", "שלום", "x" * 10_000]))
def test_in_a_browser_nothing_runs_or_is_fetched_or_overflows(browser: Any, text: str, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(html.render(every_block(text, figure=text == HOSTILE[0])), encoding="utf-8")
    said: list[str] = []
    page = browser.new_page(reduced_motion="reduce")
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: said.append(request.url))
    for width in (390, 820, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(file.as_uri())
        page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true; })")
        assert page.evaluate("[window.innerWidth, document.documentElement.scrollWidth <= window.innerWidth]") == [
            width,
            True,
        ]
    page.close()
    assert set(said) == {file.as_uri()}


def test_in_a_browser_a_total_stays_last(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(html.render(Document("Sums", [numbers_table(total=True)])), encoding="utf-8")
    page = browser.new_page()
    page.goto(file.as_uri())
    page.get_by_role("button", name="Items").click()
    first = [row.split("\t")[0] for row in page.locator("tbody tr, tfoot tr").all_inner_texts()]
    assert first == ["annotator 2", "annotator 1", "annotator 0", "All"]
    page.close()


def test_rows_are_looked_for_among_those_that_hold_the_name(monkeypatch):
    """A crowd of a thousand is looked for in some hundred rows of a few names each: not every one in every row."""
    rows = [[(f"w{i}", "a"), (f"w{i + 1}", "b"), (f"w{i + 2}", "b")] for i in range(0, 300, 3)] + [
        [("w1", "a"), ("w1", "a")],
        [],
    ]
    finder = html._Finder("t", rows, {"a": 0, "b": 1}, {f"w{i}": i for i in range(300)})
    finds = [Find(annotators=(f"w{i}",)) for i in range(1000)]
    finds += [Find(annotators=("w0", "w1")), Find(labels=("a", "b")), Find(labels=("c",)), Find()]
    expected = [sum(one.fits(row) for row in rows) for one in finds]
    looked = []
    original = Find.fits
    monkeypatch.setattr(Find, "fits", lambda self, row: looked.append(row) or original(self, row))
    links = [finder.link(one) for one in finds]
    assert [0 if link is None else int(link.said.split()[0]) for link in links] == expected
    assert len(looked) <= sum(map(len, rows)) + 3 * len(rows)
