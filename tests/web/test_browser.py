"""The page in a browser: every way through it with the mouse, by the keyboard and at the width of a phone."""

from __future__ import annotations

import csv
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from tests.report.page.conftest import violations
from tests.support import every

from assent.limits import WEB_INTERVALS_AT_ONCE
from assent.measures.results import Agreement
from assent.web.jobs import Busy, Workers

ROWS = "item,annotator,label,lang\n" + "".join(
    f"{i},{who},{'low' if (i + shift) % 7 < 3 else 'mid' if i % 2 else 'high'},{'de' if i % 3 else 'en'}\n"
    for i in range(40)
    for who, shift in (("ann", 0), ("bob", 0), ("cid", 1))
)


@dataclass
class Window:
    """A window of the browser, and what it said and asked for."""

    page: Any
    messages: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)

    def requested(self, url: str) -> None:
        """Keep what is asked for elsewhere."""
        if not url.startswith(("http://127.0.0.1", "data:", "blob:")):
            self.elsewhere.append(url)

    def ready(self) -> None:
        self.page.wait_for_selector("#document:not([aria-busy])", timeout=30_000)

    def adjudicate(self) -> None:
        """Go to the disputed items, and wait until one of them can be decided on."""
        self.page.click("text=Adjudicate")
        self.page.wait_for_url("**/adjudicate*")
        self.page.wait_for_selector("#labels .label")

    def begin(self, address: str, verb: str) -> None:
        """Begin a session with an example and open one page of it, without the report before it, which takes longest."""
        self.page.goto(address)
        asked = "async (root) => (await (await fetch(`${root}new?example=story`, { method: 'POST' })).json()).address"
        report = self.page.evaluate(asked, address)
        self.page.goto(urljoin(address, report.replace("/report", f"/{verb}")))

    def decide(self, address: str) -> None:
        """Begin with the disputed items of an example; `adjudicate` gets there from its report."""
        self.begin(address, "adjudicate")
        self.page.wait_for_selector("#labels .label")

    def example(self, address: str, name: str = "story") -> None:
        self.page.goto(address)
        self.page.click(f"[data-example={name}]")
        self.page.wait_for_url("**/report*")
        self.ready()


@pytest.fixture
def window(browser: Any, address: str) -> Iterator[Callable[..., Window]]:
    contexts = []
    made: list[Window] = []

    def open_it(width: int = 1280, **options: Any) -> Window:
        context = browser.new_context(viewport={"width": width, "height": 900}, reduced_motion="reduce", **options)
        contexts.append(context)
        context.set_default_timeout(10_000)
        seen = Window(context.new_page())
        seen.page.on("console", lambda message: seen.messages.append(message.text))
        seen.page.on("pageerror", lambda error: seen.messages.append(str(error)))
        seen.page.on("dialog", lambda dialog: (seen.messages.append(f"dialog {dialog.message}"), dialog.dismiss()))
        seen.page.on("request", lambda request: seen.requested(request.url))
        made.append(seen)
        return seen

    yield open_it
    for context in contexts:
        context.close()
    for one in made:
        # Nothing is loaded from elsewhere, and no rule of the page is broken.
        assert one.elsewhere == []
        assert [said for said in one.messages if "Failed to load resource" not in said] == []


def _drop(page: Any, name: str, content: str) -> None:
    page.evaluate(
        """([name, content]) => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([content], name));
            document.getElementById("drop").dispatchEvent(new DragEvent("drop", { bubbles: true, dataTransfer: transfer }));
        }""",
        [name, content],
    )


def test_drop_choose_paste_and_type(window: Callable[..., Window], address: str, tmp_path: Path) -> None:
    seen = window()
    page = seen.page
    page.goto(address)
    _drop(page, "dropped.csv", ROWS)
    page.wait_for_url("**/report")
    assert "dropped.csv" in page.inner_text(".file")
    value = page.inner_text("#number .big")

    file = tmp_path / "chosen.csv"
    file.write_text(ROWS, encoding="utf-8")
    page.goto(address)
    page.set_input_files("#file", [file])
    page.wait_for_url("**/report")
    assert page.inner_text("#number .big") == value

    page.goto(address)
    page.fill("#pasted", ROWS)
    page.click("text=Read it")
    page.wait_for_url("**/report")
    assert page.inner_text("#number .big") == value

    page.goto(address)
    page.fill("#label-0", "A & <b>")
    page.click("text=Measure it")
    page.wait_for_url("**/report?layout=table")
    seen.ready()
    assert page.inner_text("#number .big").startswith("0.40")
    assert "A & <b>" in page.inner_text("#document")


def test_a_lever_changes_the_number_and_the_document_and_can_be_undone(
    window: Callable[..., Window], address: str
) -> None:
    seen = window()
    page = seen.page
    seen.example(address)
    page.uncheck("[data-annotator=egon]")
    page.wait_for_selector("#number >> text=Difference")
    assert "without=annotators%3Degon" in page.url
    assert "--without=annotators=egon" in page.inner_text("#line-1")
    seen.ready()
    assert "egon" not in page.inner_text("#document .verdict")
    kept = page.url
    page.go_back()
    page.wait_for_selector("#number >> text=Difference", state="detached")
    assert page.is_checked("[data-annotator=egon]")
    # Another window that is given the address sees the same state.
    other = window()
    other.page.goto(kept)
    assert not other.page.is_checked("[data-annotator=egon]")
    assert "Difference" in other.page.text_content("#number")


def test_labels_are_ordered_by_keyboard_and_mouse_merged_renamed_and_left_out(
    window: Callable[..., Window], address: str
) -> None:
    seen = window()
    page = seen.page
    page.goto(address)
    _drop(page, "labels.csv", ROWS)
    page.wait_for_url("**/report")
    names = lambda: page.eval_on_selector_all("#labels > li", "all => all.map(one => one.dataset.label)")  # noqa: E731
    assert names() == ["high", "low", "mid"]
    page.focus("[data-focus=grip-low]")
    page.keyboard.press("ArrowUp")
    page.wait_for_url("**order=low*")
    page.wait_for_function("() => document.activeElement.dataset.focus === 'grip-low'")
    assert names() == ["low", "high", "mid"]
    page.wait_for_selector("#number:not([aria-busy])")
    page.evaluate("document.querySelector('ol#labels').scrollIntoView({ block: 'center' })")
    page.drag_and_drop(
        "#labels > li[data-label=high] .grip", "#labels > li[data-label=mid]", target_position={"x": 30, "y": 28}
    )
    page.wait_for_url("**order=low%2Cmid%2Chigh*")
    page.select_option("#f-scale", "ordinal")
    page.wait_for_selector("#number >> text=Difference")
    assert "scale=ordinal" in page.url
    page.click("#reset")
    page.wait_for_url(re.compile(r"/report$"))
    page.wait_for_selector("#number:not([aria-busy])")
    page.fill("#labels > li[data-label=mid] .name", "low")
    page.keyboard.press("Tab")
    page.wait_for_url("**merge=low%2Cmid%3Dlow*")
    page.uncheck("#labels > li[data-label=high] .kept")
    page.wait_for_url("**without=labels%3Dhigh*")
    assert "refused" not in page.inner_html("#number") or "label" in page.text_content("#number")


@pytest.mark.nightly
def test_merged_labels_are_left_out_and_taken_back_together(window: Callable[..., Window], address: str) -> None:
    seen = window()
    page = seen.page
    seen.example(address)

    def label(name: str, part: str) -> Any:
        return page.locator(f"#labels > li[data-label={name}] {part}")

    label("question", ".name").fill("positive")
    label("question", ".name").press("Tab")
    page.wait_for_url("**merge=**")
    seen.ready()
    for step, gone in (("uncheck", True), ("check", False)):
        getattr(label("positive", ".kept"), step)()
        page.wait_for_url(lambda url, gone=gone: ("without=labels" in url) == gone)
        seen.ready()
        assert page.locator(".refused").count() == 0
        assert label("question", ".kept").is_checked() != gone
    # A label that was renamed can be left out as well, and a name with an equals sign is refused before it is asked for.
    label("neutral", ".name").fill("so=so")
    label("neutral", ".name").press("Tab")
    assert "equals sign" in page.inner_text("#message")
    assert label("neutral", ".name").input_value() == "neutral"
    label("neutral", ".name").fill("so so")
    label("neutral", ".name").press("Tab")
    page.wait_for_url("**so+so**")
    seen.ready()
    label("neutral", ".kept").uncheck()
    page.wait_for_url("**without=labels**")
    seen.ready()
    assert page.locator(".refused").count() == 0


def test_columns_are_chosen_from_menus(window: Callable[..., Window], address: str) -> None:
    seen = window()
    page = seen.page
    page.goto(address)
    _drop(page, "labels.csv", ROWS)
    page.wait_for_url("**/report")
    before = page.inner_text("#number .big")
    page.select_option("#f-label", "lang")
    page.wait_for_function("before => document.querySelector('#number .big').textContent !== before", arg=before)
    assert "label=lang" in page.url
    page.select_option("#f-measure", "fleiss-kappa")
    page.wait_for_selector("#number >> text=Fleiss")
    assert "--measure=fleiss-kappa" in page.inner_text("#line-2")


def _centred(chart: Any) -> None:
    chart.scroll_into_view_if_needed()
    chart.locator("svg").wait_for()
    # Charts above it are drawn while one scrolls, and push it down.
    for _ in range(3):
        chart.evaluate("one => one.scrollIntoView({ block: 'center' })")
        chart.page.wait_for_timeout(250)


def test_charts_are_drawn_have_numbers_and_lead_to_items(window: Callable[..., Window], address: str) -> None:
    seen = window()
    page = seen.page
    seen.example(address)
    chart = page.locator("[data-figure=confusions]")
    _centred(chart)
    cell = chart.locator(".mark-rect path").nth(1)
    cell.hover()
    page.wait_for_selector(".tip:not([hidden])")
    assert re.search(r"\d", page.inner_text(".tip"))
    cell.click()
    page.wait_for_url("**/items?**")
    seen.ready()
    assert re.search("label_pair=|has_label=", page.url)
    assert "message-" in page.inner_text("#document")
    page.go_back()
    page.wait_for_url("**/report?**")
    seen.ready()
    # Names in tables lead there as well.
    links = page.eval_on_selector_all(
        "#document a.find, #document a.to-items", "all => all.map((one) => one.getAttribute('href'))"
    )
    assert any("/items?" in link and "label_pair=" in link for link in links)
    bars = page.locator("[data-figure=items]")
    _centred(bars)
    box = bars.locator("svg").bounding_box()
    page.mouse.move(box["x"] + 30, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.4, box["y"] + 140, steps=5)
    page.mouse.up()
    page.wait_for_url("**min_agreement=*max_agreement=**")
    seen.ready()
    # A name in a table leads to items, too.
    page.goto(page.url.split("?")[0].replace("/items", "/annotators"))
    seen.ready()
    page.click("#document a.to-items >> nth=0")
    page.wait_for_url("**from_annotator=**")


def test_decisions_by_keyboard_survive_a_reload(window: Callable[..., Window], address: str, tmp_path: Path) -> None:
    seen = window()
    page = seen.page
    seen.example(address)
    seen.adjudicate()
    first = page.inner_text("#item h2")
    page.keyboard.press("2")
    page.wait_for_function("first => document.querySelector('#item h2').textContent !== first", arg=first)
    page.click(".label >> nth=0")
    page.wait_for_function("() => document.getElementById('standing').textContent.includes('2 decided')")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("u")
    page.wait_for_function("() => document.getElementById('standing').textContent.includes('1 decided')")
    page.reload()
    page.wait_for_function("() => document.getElementById('standing').textContent.includes('1 decided')")
    with page.expect_download() as download:
        page.click("text=Download the decisions")
    saved = tmp_path / "decisions.csv"
    download.value.save_as(saved)
    with saved.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["item"], row["label"]) for row in rows] == [(first, "neutral")]


@pytest.mark.nightly
def test_names_in_charts_can_be_read_on_a_dark_ground(window: Callable[..., Window], address: str) -> None:
    seen = window(color_scheme="dark")
    page = seen.page
    seen.example(address)
    chart = page.locator("[data-figure=labels]")
    _centred(chart)
    chart.locator("svg text").first.wait_for()
    inks = chart.locator("svg text").evaluate_all("all => all.map((one) => getComputedStyle(one).fill)")
    soft = page.evaluate("getComputedStyle(document.querySelector('#document figcaption')).color")
    assert set(inks) == {soft}


@pytest.mark.nightly
def test_the_page_is_printed_whole(window: Callable[..., Window], address: str) -> None:
    seen = window()
    page = seen.page
    seen.example(address)
    # Charts that nobody has looked at are drawn when there is time.
    page.wait_for_function(
        "() => document.querySelectorAll('#document .chart').length === document.querySelectorAll('#document .chart svg').length"
    )
    printed = page.pdf(prefer_css_page_size=True)
    assert 4 <= printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page ") <= 9
    page.set_viewport_size({"width": 680, "height": 900})
    page.emulate_media(media="print")
    # Nothing lies over the text, and no chart is wider than the paper.
    assert page.evaluate("getComputedStyle(document.getElementById('number')).position") == "static"
    wide = page.eval_on_selector_all("#document .chart svg", "all => Math.max(...all.map((one) => one.getBoundingClientRect().right))")  # fmt: skip
    assert wide <= 681


def test_a_slip_of_a_key_is_taken_back(window: Callable[..., Window], address: str) -> None:
    seen = window()
    page = seen.page
    seen.decide(address)
    first = page.inner_text("#item h2")
    page.keyboard.press("u")
    assert "; 0 decided" in page.inner_text("#standing")
    page.keyboard.press("2")
    page.wait_for_function("first => document.querySelector('#item h2').textContent !== first", arg=first)
    # The item that is shown now is not decided: the last decision is meant, and its item comes back.
    page.keyboard.press("u")
    page.wait_for_function("() => document.getElementById('standing').textContent.includes('; 0 decided')")
    assert page.inner_text("#item h2") == first


LONG = "Dr. Maria-Magdalena von Hohenlohe-Langenburg"
ALIKE = "item,annotator,label\n" + "".join(
    f"{i},{LONG} {who},{LONG} {(i + (who == 2 and i % 5 == 0)) % 3}\n" for i in range(40) for who in range(3)
)


def test_names_that_begin_alike_are_told_apart_and_found(window: Callable[..., Window], address: str) -> None:
    seen = window()
    page = seen.page
    page.goto(address)
    page.fill("#pasted", ALIKE)
    page.click("text=Read it")
    page.wait_for_url("**/report")
    seen.ready()
    page.locator("#figure-confusions").scroll_into_view_if_needed()
    page.wait_for_selector("#figure-confusions .wide svg, #figure-confusions svg")
    named = [one for one in page.eval_on_selector_all("#figure-confusions text", "all => all.map((one) => one.textContent)") if "…" in one]  # fmt: skip
    assert {one[-1] for one in named} == {"0", "1", "2"}
    # A cell of the diagonal is about one label, though its row and its column are cut at two places.
    assert page.evaluate(
        """async ([row, column, root]) => {
            const links = await import(root + "/static/links.js");
            return new URL(links.itemsOf([row, column])).searchParams.get("has_label");
        }""",
        [f"{LONG[:9]}…Langenburg 1", f"{LONG[:5]}…burg 1", page.get_attribute("body", "data-root")],
    ) == f"{LONG} 1"  # fmt: skip


@pytest.mark.nightly
def test_sentences_lead_to_controls_and_pages(window: Callable[..., Window], address: str) -> None:
    seen = window(width=390)
    page = seen.page
    seen.example(address)
    # On a phone the form is folded until something in it is asked for.
    page.click("#document .notes a >> text=annotator")
    assert page.evaluate("document.activeElement.id") == "f-annotator"
    assert "``" not in page.inner_text("#form")
    page.select_option("#f-scale", "ordinal")
    page.click("#number .refused a >> text=the list of labels")
    assert page.evaluate("document.activeElement.className") == "grip"
    page.click("#reset")
    seen.ready()
    page.uncheck("[data-annotator=egon]")
    page.uncheck("[data-annotator=dalia]")
    page.uncheck("[data-annotator=chen]")
    page.wait_for_selector("#number .unlike")
    page.click("#number .unlike a")
    assert page.evaluate("document.activeElement.id") == "f-measure"


def test_a_decision_that_was_taken_back_while_the_server_was_away_stays_so(
    window: Callable[..., Window], address: str
) -> None:
    seen = window()
    page = seen.page
    seen.decide(address)
    with page.expect_response("**/decide"):
        page.keyboard.press("1")
    page.wait_for_function("() => document.getElementById('standing').textContent.includes('1 decided')")
    page.route("**/decide", lambda route: route.abort())
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("u")
    page.wait_for_function("() => document.getElementById('message').textContent.includes('does not answer')")
    page.unroute("**/decide")
    with page.expect_response("**/decide") as sent:
        page.reload()
    assert sent.value.json()["decided"] == 0
    page.wait_for_function("() => document.getElementById('standing').textContent.includes('; 0 decided')")


def test_two_windows_of_one_browser_do_not_undo_each_other(window: Callable[..., Window], address: str) -> None:
    seen = window()
    page = seen.page
    seen.decide(address)
    with page.expect_response("**/decide"):
        page.keyboard.press("1")
    other = page.context.new_page()
    other.goto(re.sub(r"at=\d+", "at=1", page.url))
    other.wait_for_selector(".label[aria-pressed=true]")
    with other.expect_response("**/decide"):
        other.keyboard.press("u")
    # The first window hears of it, and what it decides next does not bring the decision back.
    page.wait_for_function("() => document.getElementById('standing').textContent.includes('; 0 decided')")
    with page.expect_response("**/decide"):
        page.keyboard.press("2")
    page.reload()
    page.wait_for_function("() => document.getElementById('standing').textContent.includes('; 1 decided')")


def test_what_could_not_be_sent_is_sent_with_the_next_decision(window: Callable[..., Window], address: str) -> None:
    seen = window()
    page = seen.page
    seen.decide(address)
    page.route("**/decide", lambda route: route.abort())
    page.keyboard.press("1")
    page.wait_for_function("() => document.getElementById('message').textContent.includes('does not answer')")
    page.unroute("**/decide")
    with page.expect_response("**/decide") as sent:
        page.keyboard.press("1")
    assert sent.value.json()["decided"] == 2


@pytest.mark.nightly
def test_from_items_behind_a_mark_the_way_leads_on(window: Callable[..., Window], address: str) -> None:
    seen = window()
    page = seen.page
    seen.example(address)
    page.click("#document th a:visible >> text=neutral >> nth=0")
    page.wait_for_url("**/items?**has_label**")
    seen.ready()
    page.click("#navigation >> text=Report")
    page.wait_for_url(lambda url: "/report" in url and "has_label" not in url)
    seen.ready()
    assert page.locator(".refused").count() == 0


@pytest.mark.nightly
def test_a_span_leads_to_the_documents_with_its_label(window: Callable[..., Window], address: str) -> None:
    seen = window()
    page = seen.page
    seen.example(address, "spans")
    start = page.url
    page.locator(".marked mark.leads", has_text="Acme Works").first.click(position={"x": 4, "y": 6})
    page.wait_for_url("**/items?**has_label=ORG**")
    assert "from_annotator=ada" in page.url
    seen.ready()
    shown = page.locator(".marked")
    assert shown.count() > 0
    assert all("ORG" in text for text in shown.all_inner_texts())
    # The same by the keyboard.
    page.goto(start)
    seen.ready()
    page.locator(".marked mark a").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/items?**has_label=PER**")


@pytest.mark.nightly
def test_long_texts_are_clamped_on_the_page(window: Callable[..., Window], address: str) -> None:
    seen = window()
    page = seen.page
    page.goto(address)
    rows = "".join(
        f"{i},{who},{'ab'[(i + n) % 2]},{'many words ' * 90}\n" for i in range(12) for n, who in enumerate("xyz")
    )
    page.fill("#pasted", f"item,annotator,label,text\n{rows}")
    page.click("text=Read it")
    page.wait_for_url("**/report*")
    page.select_option("#f-text", "text")
    for path in ("report", "items"):
        page.goto(re.sub(r"/report(\?.*)?$", f"/{path}?text=text", page.url))
        seen.ready()
        assert page.locator("#document .clamped").count() >= 10


def test_sliders_move_the_coefficients(window: Callable[..., Window], address: str) -> None:
    page = window().page
    page.goto(f"{address}teach")
    page.wait_for_selector("#curve svg")
    before = page.inner_text("#lesson .values")
    page.focus("#s-prevalence")
    for _ in range(30):
        page.keyboard.press("ArrowRight")
    page.wait_for_function("before => document.querySelector('#lesson .values').innerText !== before", arg=before)
    page.wait_for_function("() => document.querySelector('#lesson').innerText.includes('64')")
    assert "prevalence=80" in page.url


@pytest.mark.nightly
def test_a_chart_that_is_wider_than_a_phone_says_so_and_is_reached_by_the_keyboard(
    window: Callable[..., Window], address: str
) -> None:
    seen = window(390)
    page = seen.page
    page.goto(address)
    names = [f"annotator {place}" for place in range(14)]
    rows = "".join(f"{i},{who},{(i * i + at * (i % 5 == 0)) % 3}\n" for i in range(30) for at, who in enumerate(names))
    _drop(page, "many.csv", f"item,annotator,label\n{rows}")
    page.wait_for_url("**/report")
    seen.ready()
    box = page.locator("#figure-annotator-pairs .scroll")
    box.scroll_into_view_if_needed()
    page.wait_for_selector("#figure-annotator-pairs .scroll[tabindex='0'] + .hint:not([hidden])")
    assert box.evaluate("one => { one.scrollLeft = 1000; return one.scrollLeft }") > 0


@pytest.mark.parametrize("width", every(2, [390, 820]))
def test_nothing_is_wider_than_the_window(window: Callable[..., Window], address: str, width: int) -> None:
    seen = window(width, color_scheme="dark")
    page = seen.page
    page.goto(address)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    seen.example(address)
    page.click("#controls > summary")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.uncheck("[data-annotator=egon]")
    page.wait_for_selector("#number >> text=Difference")
    report = page.url
    for path in ("items", "adjudicate", "compare"):
        page.goto(report.replace("/report", f"/{path}"))
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_on_a_phone_menus_the_open_page_and_the_number_are_in_sight(
    window: Callable[..., Window], address: str
) -> None:
    seen = window(390)
    page = seen.page
    seen.begin(address, "plan")
    seen.ready()
    within = "selector => (box => box.left >= 0 && box.right <= innerWidth)(document.querySelector(selector).getBoundingClientRect())"
    assert page.evaluate(within, "#navigation [aria-current]")
    for menu in ("#navigation .menu", "#command .menu"):
        page.click(f"{menu} > summary")
        assert page.evaluate(within, f"{menu} > ul")
        page.keyboard.press("Escape")
    # The number is there before the document is, and lets nothing shine through.
    page.route("**/document*", lambda route: None)
    page.click("#controls > summary")
    page.uncheck("[data-annotator=egon]")
    page.wait_for_selector("#number:not([aria-busy]) >> text=Difference")
    assert page.evaluate("getComputedStyle(document.getElementById('number')).opacity") == "1"


def test_two_users_see_their_own_data(window: Callable[..., Window], address: str) -> None:
    first, second = window(), window()
    for seen, name in ((first, "one"), (second, "two")):
        seen.page.goto(address)
        _drop(seen.page, f"{name}.csv", ROWS.replace("ann", name))
        seen.page.wait_for_url("**/report")
    first.page.uncheck("[data-annotator=one]")
    first.page.wait_for_selector("#number >> text=Difference")
    second.page.reload()
    assert "Difference" not in second.page.text_content("#number")
    assert "two" in second.page.inner_text("#annotators")
    assert "one" not in second.page.inner_text("#annotators")


def test_hostile_labels_do_nothing(window: Callable[..., Window], address: str) -> None:
    seen = window()
    page = seen.page
    page.goto(address)
    bad = "<img src=x onerror=alert(1)>"
    _drop(page, f"{bad}.csv", ROWS.replace("mid", bad).replace("bob", "</script><script>alert(2)</script>"))
    page.wait_for_url("**/report")
    seen.ready()
    page.click("text=Items")
    seen.ready()
    assert page.locator("img[src=x]").count() == 0
    assert bad in page.inner_text("#document")


@pytest.mark.parametrize("scheme", every(2, ["light", "dark"]))
def test_nothing_stands_in_the_way_of_anybody(
    window: Callable[..., Window], address: str, axe: str, scheme: str
) -> None:
    seen = window(color_scheme=scheme, bypass_csp=True)
    page = seen.page

    def check() -> None:
        told = [
            (one["id"], one["nodes"][0]["html"][:200])
            for one in violations(page, axe)
            if one["impact"] in ("serious", "critical", "moderate")
        ]
        assert told == []

    page.goto(address)
    check()
    seen.example(address, "lecture")
    check()
    report = page.url
    for path in ("explain", "items"):
        page.goto(report.replace("/report", f"/{path}"))
        seen.ready()
        check()
    page.goto(report.replace("/report", "/adjudicate"))
    page.wait_for_selector(".label")
    check()
    page.goto(f"{address}teach")
    page.wait_for_selector("#curve svg")
    check()


@pytest.mark.nightly
def test_where_nothing_can_be_decided_nothing_asks_for_a_decision(window: Callable[..., Window], address: str) -> None:
    seen = window()
    seen.example(address, "spans")
    seen.page.click("text=Adjudicate")
    seen.page.wait_for_selector("#main .refused")
    assert "these are spans: see Items" in seen.page.inner_text("#main")
    assert seen.page.locator("#main button, #main select").count() == 0


def test_a_refusal_is_said_once_and_leads_to_the_control(window: Callable[..., Window], address: str) -> None:
    seen = window()
    page = seen.page
    page.goto(address)
    _drop(page, "runs.csv", "item,annotator,run,label\n" + "".join(f"{i},gpt,{r},{'ab'[(i * r) % 2]}\n" for i in range(9) for r in (1, 2)))  # fmt: skip
    page.wait_for_url("**/report")
    seen.ready()
    assert page.locator(".refused").count() == 1
    page.click(".refused a >> text=Repeat")
    page.wait_for_url("**/repeat")
    seen.ready()
    assert page.locator(".refused").count() == 0
    seen.example(address)
    page.click("#navigation >> text=Judge")
    page.wait_for_url("**/judge?**")
    seen.ready()
    page.click(".refused a >> text=judge")
    assert page.evaluate("document.activeElement.id") == "f-judge"
    page.keyboard.type("egon")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.wait_for_selector("#document h2 >> text=Could it stand in for a person?")


@pytest.mark.nightly
def test_an_interval_that_takes_long_is_filled_in_and_can_be_asked_for_again(
    window: Callable[..., Window], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = window()
    page = seen.page
    seen.example(address)
    held, real = threading.Event(), Agreement.confidence_interval

    def slow(self: Agreement, *given: Any, **options: Any) -> Any:
        assert held.wait(30)
        return real(self, *given, **options)

    def busy(self: Workers, work: Any) -> Any:
        if self._at_once == WEB_INTERVALS_AT_ONCE:
            raise Busy("Too much is being worked out.")
        return submit(self, work)

    # A page that is opened: the number is there before its interval.
    monkeypatch.setattr(Agreement, "confidence_interval", slow)
    page.goto(page.url.split("?")[0] + "?ci=jackknife")
    waiting = page.locator("#number .waits")
    assert waiting.last.inner_text() == "its interval is being worked out"
    held.set()
    waiting.first.wait_for(state="detached")
    assert "jackknife" in page.inner_text("#number")
    seen.ready()
    # No place for an interval: the number stays, and the interval can be asked for.
    submit = Workers.submit
    monkeypatch.setattr(Workers, "submit", busy)
    page.uncheck("[data-annotator=egon]")
    page.wait_for_selector("text=its interval could not be worked out")
    assert page.inner_text("#message") == "Too much is being worked out."
    seen.ready()
    monkeypatch.undo()
    page.click("text=Work it out")
    waiting.first.wait_for(state="detached")
    assert page.locator("#number .between").count() == 3
    assert page.locator("#message").is_hidden()


def test_the_question_that_is_shown_leads_to_its_control(window: Callable[..., Window], address: str) -> None:
    seen = window(400)
    page = seen.page
    page.goto(address)
    page.set_input_files("#file", [Path(__file__).parents[1] / "readers/exports/cases/label-studio-2/export.json"])
    page.wait_for_url("**/report")
    seen.ready()
    assert page.inner_text("#number .question") == "The question is tone, one of 2."
    page.click("#number .question a")
    page.wait_for_function("() => document.activeElement.id === 'f-question'")
    # The number that stays in sight leaves room for the form.
    assert page.is_hidden("#number .question")
    page.select_option("#f-question", "ner")
    page.wait_for_function("() => document.querySelector('#number .question').textContent.includes('ner, one of 2')")
