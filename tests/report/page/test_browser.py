"""The page in a real browser: what a reader sees, hears and can do."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

import pytest
from tests.report.page.conftest import violations
from tests.report.page.studies import REPORTS
from tests.support import every

SECTIONS = {
    "story": [
        "verdict",
        "data",
        "coefficients",
        "labels",
        "annotators",
        "items",
        "groups",
        "sparse",
        "advice",
        "reporting",
        "appendix",
    ],
    "multi-label": [
        "verdict",
        "data",
        "coefficients",
        "labels",
        "annotators",
        "items",
        "multilabel",
        "advice",
        "reporting",
        "appendix",
    ],
    "undefined": [
        "verdict",
        "data",
        "coefficients",
        "labels",
        "annotators",
        "items",
        "advice",
        "reporting",
        "appendix",
    ],
    "bare": ["verdict", "data", "coefficients", "items", "reporting", "appendix"],
}

Open = Callable[..., Any]
OPEN_ALL = "document.querySelectorAll('details').forEach(fold => { fold.open = true; })"


@pytest.mark.parametrize("name", SECTIONS)
def test_every_section_is_visible_in_its_order(opened: Open, name: str) -> None:
    page = opened(name).page
    headings = page.locator("main h2")
    assert [one.get_attribute("id") for one in headings.all()] == SECTIONS[name]
    for one in headings.all():
        assert one.is_visible()
    for takeaway in page.locator(".takeaway").all():
        assert takeaway.is_visible()
        assert takeaway.inner_text().strip().endswith(".")
    assert page.locator("h1").count() == 1


@pytest.mark.parametrize("name", every(3, REPORTS))
def test_it_says_nothing_and_asks_for_nothing(opened: Open, name: str) -> None:
    seen = opened(name)
    seen.page.wait_for_timeout(200)
    assert seen.messages == []
    assert [url for url in seen.requests if not url.startswith("file:")] == []
    assert len(seen.requests) == 1


@pytest.mark.parametrize("name", every(3, REPORTS))
def test_nothing_sticks_out_of_the_window(opened: Open, name: str) -> None:
    page = opened(name).page
    page.evaluate(OPEN_ALL)
    for width in (320, 390, 820, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_hostile_texts_are_shown_and_run_nowhere(opened: Open) -> None:
    seen = opened("hostile")
    page = seen.page
    page.wait_for_timeout(300)
    assert seen.messages == []
    assert page.locator("h1").inner_text() == '<script>alert(1)</script> "><img src=x onerror=alert(1)>'
    assert page.locator("script").count() == 1
    assert page.locator("img, iframe, object, embed, foreignObject, svg image, svg script").count() == 0
    assert page.locator("svg a").count() > 0
    assert page.locator("svg a:not([href='#table-items'])").count() == 0
    handlers = page.evaluate(
        "Array.from(document.querySelectorAll('*')).filter("
        "e => Array.from(e.attributes).some(a => a.name.startsWith('on') || a.name === 'style')).length"
    )
    assert handlers == 0
    assert "<script>alert(1)</script>" in page.locator("#table-items").inner_text()
    # What turns the direction of text, rings or hides is shown, not done.
    text = page.locator("main").inner_text()
    assert "safe\\u202eevil" in text
    assert "\u202e" not in text
    assert "bell\\x07 escape\\x1b[31m" in text
    # No template runs in a template.
    assert "{{ 7 * 7 }}{% raw %}" in page.locator("#table-annotators tbody th").all_inner_texts()


def test_markup_that_slipped_through_would_not_run(browser: Any, html: Callable[[str], str], tmp_path: Path) -> None:
    slipped = (
        "<script>window.ran = 1</script><img src=x onerror='window.ran = 2'><p style='color: red' id=styled>x</p>"
        "<style>#styled { font-size: 99px }</style><iframe src='https://example.org'></iframe>"
    )
    file = tmp_path / "slipped.html"
    file.write_text(html("bare").replace("<main>", f"<main>{slipped}"), encoding="utf-8")
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    page.wait_for_timeout(300)
    assert page.evaluate("window.ran") is None
    assert page.locator("#styled").evaluate("one => getComputedStyle(one).fontSize") == "16px"
    assert [url for url in asked if url.startswith("http")] == []
    page.close()


def test_markup_in_an_svg_is_text(opened: Open) -> None:
    page = opened("hostile").page
    texts = page.locator("#figure-label-shares .wide text").all_text_contents()
    assert "<script>alert(1)</script>" in texts
    assert "(empty)" in texts


def column(page: Any, table: str, place: int) -> list[str]:
    rows = page.locator(f"#{table} tbody tr:visible")
    return [rows.nth(i).locator("th, td").nth(place).inner_text() for i in range(rows.count())]


def test_a_click_on_a_heading_sorts(opened: Open) -> None:
    page = opened("story").page
    before = column(page, "table-annotators", 0)
    heads = page.locator("#table-annotators thead th")
    agreement = heads.filter(has_text="agreement").first
    place = [one.split("\n")[0] for one in heads.all_inner_texts()].index("agreement")
    agreement.get_by_role("button").click()
    assert agreement.get_attribute("aria-sort") == "descending"
    shown = [int(text.split()[0]) for text in column(page, "table-annotators", place)]
    assert shown == sorted(shown, reverse=True)
    agreement.get_by_role("button").click()
    assert agreement.get_attribute("aria-sort") == "ascending"
    shown = [int(text.split()[0]) for text in column(page, "table-annotators", place)]
    assert shown == sorted(shown)
    # A third click restores the order of the report, and so does another column for this one.
    agreement.get_by_role("button").click()
    assert agreement.get_attribute("aria-sort") == "none"
    assert column(page, "table-annotators", 0) == before
    heads.first.get_by_role("button").click()
    assert heads.first.get_attribute("aria-sort") == "ascending"
    assert column(page, "table-annotators", 0) == sorted(before)


def test_numbers_sort_by_their_value_and_what_is_missing_comes_last(opened: Open) -> None:
    page = opened("undefined").page
    value = page.locator("#table-coefficients thead th").nth(1)
    for _ in range(2):
        value.get_by_role("button").click()
        assert column(page, "table-coefficients", 1) == ["1.00", "–", "–", "–"]


def test_sorting_by_keyboard(opened: Open) -> None:
    page = opened("story").page
    button = page.locator("#table-items thead th").first.get_by_role("button")
    button.focus()
    page.keyboard.press("Enter")
    assert page.locator("#table-items thead th").first.get_attribute("aria-sort") == "ascending"


def test_a_long_table_shows_its_beginning_until_asked(opened: Open) -> None:
    page = opened("story").page
    rows = page.locator("#table-items tbody tr:visible")
    assert rows.count() == 20
    page.get_by_role("button", name="Show all 200 rows").click()
    assert rows.count() == 200


def test_a_filter_keeps_what_matches_every_word(opened: Open) -> None:
    page = opened("story").page
    box = page.locator("#table-items").get_by_role("searchbox")
    box.fill("ironic-no-such-word")
    assert page.locator("#table-items tbody tr:visible").count() == 0
    assert page.locator("#table-items [role=status]").inner_text() == "0 of 200 rows"
    box.fill("WONDERFUL egon")
    found = page.locator("#table-items tbody tr:visible")
    assert 0 < found.count() < 20
    for text in found.all_inner_texts():
        assert "wonderful" in text.lower()
        assert "egon" in text
    box.fill("")
    assert page.locator("#table-items tbody tr:visible").count() == 20
    assert page.locator("#table-items [role=status]").inner_text() == ""


def test_a_filter_takes_hostile_words_for_words(opened: Open) -> None:
    seen = opened("hostile")
    box = seen.page.locator("#table-items").get_by_role("searchbox")
    box.fill("<script>alert(1)</script> [(*+?")
    assert seen.page.locator("#table-items tbody tr:visible").count() == 0
    box.fill("<script>alert(1)</script>")
    assert seen.page.locator("#table-items tbody tr:visible").count() > 0
    assert seen.messages == []


def copy(page: Any, name: str) -> Any:
    """Press the button beside a text; return the box with both."""
    box = page.locator(".copyable").filter(has=page.locator(f"#{name}"))
    box.get_by_role("button", name="Copy").click()
    return box


def is_selected(page: Any, name: str) -> bool:
    """Return whether a text is selected as a whole."""
    selected: str = page.evaluate("window.getSelection().toString()")
    return selected.strip() == page.locator(f"#{name}").text_content()


def test_copy_puts_the_whole_text_into_the_clipboard(opened: Open) -> None:
    page = opened("story", permissions=["clipboard-read", "clipboard-write"]).page
    for name in ("copy-methods", "copy-latex-table", "copy-bibtex"):
        copy(page, name).get_by_text("Copied").wait_for()
        assert page.evaluate("navigator.clipboard.readText()") == page.locator(f"#{name}").text_content()


def test_without_a_clipboard_the_text_is_selected(opened: Open) -> None:
    page = opened("story").page
    page.evaluate(
        "() => { Object.defineProperty(navigator, 'clipboard', { value: undefined }); document.execCommand = () => false; }"
    )
    copy(page, "copy-results").get_by_text("Selected: press").wait_for()
    assert is_selected(page, "copy-results")


def test_a_refused_clipboard_falls_back(opened: Open) -> None:
    page = opened("story").page
    page.evaluate(
        "() => Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('no')) } })"
    )
    copy(page, "copy-results").locator("[role=status]:not(:empty)").wait_for()
    assert is_selected(page, "copy-results")


def test_everything_is_readable_without_javascript(opened: Open) -> None:
    seen = opened("story", java_script_enabled=False)
    page = seen.page
    # Nothing that would do nothing is there, and no row is hidden.
    assert page.locator("button, input").count() == 0
    assert page.locator("#table-items tbody tr:visible").count() == 200
    assert page.locator("main section:visible").count() == len(SECTIONS["story"])
    assert page.locator("figure svg:visible").count() > 8
    page.locator("#data ~ details summary").first.click()
    assert page.locator("#table-work").is_visible()
    assert seen.messages == []


@pytest.mark.parametrize(("width", "wide", "narrow"), [(1440, True, False), (390, False, True)])
def test_each_width_has_charts_made_for_it(opened: Open, width: int, wide: bool, narrow: bool) -> None:
    page = opened("story", width=width).page
    assert page.locator("#figure-verdict .wide").is_visible() is wide
    assert page.locator("#figure-verdict .narrow").is_visible() is narrow
    # Letters of a chart are not shrunk to what nobody can read.
    for svg in page.locator("figure svg:visible").all():
        box, natural = svg.bounding_box(), svg.evaluate("svg => svg.viewBox.baseVal.width")
        assert box["width"] / natural > 0.85


def test_contents_stay_beside_the_text_or_fold(opened: Open) -> None:
    wide = opened("story", width=1440).page
    assert wide.locator("nav.side").is_visible()
    assert not wide.locator("nav.folded").is_visible()
    wide.locator("nav.side").get_by_text("Items", exact=True).click()
    wide.locator("nav.side a[aria-current]:text-is('Items')").wait_for()
    assert wide.locator("#items").bounding_box()["y"] < 450
    assert wide.locator("nav.side").bounding_box()["y"] >= 0
    assert wide.locator("nav.side [aria-current]").count() == 1
    narrow = opened("story", width=390).page
    assert not narrow.locator("nav.side").is_visible()
    assert not narrow.locator("nav.folded a").first.is_visible()
    narrow.locator("nav.folded summary").click()
    assert narrow.locator("nav.folded a").first.is_visible()


def test_links_work_in_the_frame_of_a_notebook(browser: Any, html: Callable[[str], str], tmp_path: Path) -> None:
    file = tmp_path / "notebook.html"
    frame = f'<iframe srcdoc="{escape(html("story"), quote=True)}" width="1200" height="700"></iframe>'
    file.write_text(f"<!doctype html><title>notebook</title>{frame}", encoding="utf-8")
    page = browser.new_page(viewport={"width": 1300, "height": 900}, reduced_motion="reduce")
    page.goto(file.as_uri())
    inside = page.frames[1]
    inside.locator("nav.side").get_by_text("Items", exact=True).click()
    inside.wait_for_function("window.scrollY > 0")
    assert page.frames[1].locator("h1").inner_text() == "Tone of 400 support messages"
    assert inside.evaluate("window.scrollY") > 1000
    page.close()


def test_paper_has_the_first_rows_and_no_buttons(opened: Open) -> None:
    page = opened("story").page
    page.emulate_media(media="print")
    assert page.locator("#table-items tbody tr:visible").count() == 10
    assert page.get_by_text("The first 10 of 200 rows are printed.").is_visible()
    assert page.locator("details:not([open])").locator("visible=true").count() == 0
    assert page.locator("button.plain:visible, input:visible, nav:visible").count() == 0
    # Headings of columns are buttons, which stay.
    heads = ["item", "text", "labels", "n", "agreement"]
    assert page.locator("#table-items thead").inner_text().split() == heads
    for hidden in ("#table-pairs", "#appendix", "#copy-bibtex"):
        assert not page.locator(hidden).is_visible()
    assert page.locator("#copy-methods").is_visible()


def test_everything_is_printed_on_demand(opened: Open) -> None:
    page = opened("story").page
    page.evaluate("window.print = () => { window.printed = true; }")
    page.get_by_role("button", name="Print with all rows, folds and the appendix").click()
    assert page.evaluate("window.printed")
    page.emulate_media(media="print")
    assert page.locator("#table-items tbody tr:visible").count() == 200
    for there in ("#table-pairs", "#appendix", "#copy-bibtex"):
        assert page.locator(there).is_visible()
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    assert page.locator("#table-items tbody tr:visible").count() == 20
    assert not page.locator("#table-pairs").is_visible()


def test_the_story_is_printed_on_eight_pages(opened: Open) -> None:
    page = opened("story").page
    printed = page.pdf(prefer_css_page_size=True)
    assert 4 <= printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page ") <= 8


def test_heads_of_tables_repeat_and_headings_stay_with_what_follows(opened: Open) -> None:
    page = opened("story").page
    page.emulate_media(media="print")
    head = page.locator("#table-items thead").evaluate("one => getComputedStyle(one).display")
    assert head == "table-header-group"
    after = page.evaluate(
        "Array.from(document.querySelectorAll('main h2, main h3, main h4')).map(one => getComputedStyle(one).breakAfter)"
    )
    assert set(after) == {"avoid"}
    # The head of a table does not stand at the foot of a page without rows.
    first = page.evaluate(
        "Array.from(document.querySelectorAll('main tbody tr:nth-child(-n + 2)')).map(one => getComputedStyle(one).breakBefore)"
    )
    assert set(first) == {"avoid"}


def shown_rows(page: Any) -> int:
    rows: int = page.evaluate(
        "Array.from(document.querySelectorAll('#table-items tbody tr')).filter(row => !row.hidden).length"
    )
    return rows


@pytest.mark.parametrize("name", ["story", "hostile"])
def test_every_link_leads_to_as_many_items_as_it_says(opened: Open, name: str) -> None:
    page = opened(name).page
    page.evaluate(OPEN_ALL)
    page.locator("#table-items").get_by_role("button", name="Show all 200 rows").or_(page.locator("body")).first.click()
    links = page.locator("a[data-find]")
    told = page.evaluate("Array.from(document.querySelectorAll('a[data-find]')).map(one => one.dataset.said)")
    assert len(told) > 20
    found = page.evaluate(
        """() => Array.from(document.querySelectorAll('a[data-find]')).map(link => {
          link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
          const more = document.querySelector('#table-items > button.plain:not([hidden])');
          if (more) more.click();
          return Array.from(document.querySelectorAll('#table-items tbody tr')).filter(row => !row.hidden).length;
        })"""
    )
    assert [f"{many:,}" for many in found] == [one.split()[0] for one in told]
    assert links.first.get_attribute("href") == "#table-items"


def test_a_cell_leads_to_its_items_and_back(opened: Open) -> None:
    page = opened("story").page
    page.locator("#figure-confusions a[data-find]").first.click()
    status = page.locator("#table-items [role=status]").inner_text()
    assert "listed items that have both" in status
    assert page.evaluate("location.hash") == "#table-items"
    assert shown_rows(page) <= 20
    page.get_by_role("button", name="Show all items").click()
    assert page.locator("#table-items [role=status]").inner_text() == ""
    assert not page.get_by_role("button", name="Show all items").is_visible()


def test_an_annotator_leads_to_items_by_the_keyboard(opened: Open) -> None:
    page = opened("story").page
    page.locator("#table-annotators tbody a").first.focus()
    page.keyboard.press("Enter")
    assert "differs from most" in page.locator("#table-items [role=status]").inner_text()


def test_links_are_anchors_without_javascript(opened: Open) -> None:
    page = opened("story", java_script_enabled=False).page
    page.locator("#table-annotators tbody a").first.click()
    assert page.url.endswith("#table-items")
    assert page.locator("#table-items tbody tr:visible").count() == 200


def test_marks_say_what_they_show(opened: Open) -> None:
    page = opened("story").page
    said = page.locator("#figure-confusions title").all_text_contents()
    assert any(one.startswith("negative and neutral: ") and "%" in one for one in said)
    pairs = page.locator("#figure-annotator-pairs title").all_text_contents()
    assert len(pairs) == 10
    assert all(" and " in one and one.endswith(" items") for one in pairs)
    for figure in ("label-shares", "coefficients", "annotators", "items", "groups"):
        assert page.locator(f"#figure-{figure} .wide title").count() > 2


def test_long_texts_are_clamped_and_open(opened: Open) -> None:
    page = opened("hostile").page
    text = page.locator("#table-items .clamped").first
    lines = text.evaluate("one => one.clientHeight / parseFloat(getComputedStyle(one).lineHeight)")
    assert round(lines) == 3
    button = page.locator("#table-items button.more").first
    assert button.get_attribute("aria-expanded") == "false"
    button.click()
    assert button.get_attribute("aria-expanded") == "true"
    assert page.locator("#table-items .clamp").first.evaluate("one => one.scrollHeight <= one.clientHeight + 1")


def test_however_many_texts_are_measured_the_page_is_laid_out_a_few_times(opened: Open) -> None:
    page = opened("story").page
    assert page.locator(".clamp").count() == 200
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable")
    page.reload()
    counted = {one["name"]: one["value"] for one in devtools.send("Performance.getMetrics")["metrics"]}
    assert 0 < counted["LayoutCount"] < 50


@pytest.mark.nightly
def test_what_is_wider_than_the_window_says_so(opened: Open) -> None:
    page = opened("many-labels", width=390).page
    page.wait_for_timeout(100)
    boxes = page.evaluate(
        """Array.from(document.querySelectorAll('.scroll')).filter(box => !box.closest('details:not([open])') && box.offsetParent).map(box => [
          box.scrollWidth > box.clientWidth + 1, !!(box.nextElementSibling && box.nextElementSibling.matches('.hint:not([hidden])'))])"""
    )
    assert any(wider for wider, _ in boxes)
    assert all(wider == told for wider, told in boxes)


def test_a_caption_is_read_without_scrolling_its_table(opened: Open) -> None:
    page = opened("story", width=390).page
    ends = page.evaluate(
        """Array.from(document.querySelectorAll('caption')).filter(one => one.offsetParent && !one.closest('details:not([open])') && one.clientWidth > 1).map(one => {
          const text = document.createRange(); text.selectNodeContents(one); return text.getBoundingClientRect().right; })"""
    )
    assert len(ends) > 3
    assert max(ends) <= 390


def test_no_text_of_a_heat_map_sticks_out_of_it(opened: Open) -> None:
    page = opened("hostile").page
    for width in (390, 820, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        cut = page.evaluate(
            """Array.from(document.querySelectorAll('#figure-confusions text, #figure-annotator-pairs text')).filter(text => {
              const box = text.closest('.scroll'), there = text.getBoundingClientRect(), room = box.getBoundingClientRect();
              return there.left < room.left - box.scrollLeft - 1 || there.right > room.left - box.scrollLeft + box.scrollWidth + 1;
            }).length"""
        )
        assert cut == 0


def test_every_picture_has_a_name_and_every_scrolling_box_can_be_reached(opened: Open) -> None:
    page = opened("crowd", width=390).page
    for svg in page.locator("figure svg").all():
        assert svg.get_attribute("role") == ("group" if svg.locator("a").count() else "img")
        assert len(svg.get_attribute("aria-label")) > 20
    page.wait_for_timeout(100)
    unreachable = page.evaluate(
        "Array.from(document.querySelectorAll('.scroll')).filter("
        "box => box.scrollWidth > box.clientWidth + 1 && box.tabIndex !== 0).length"
    )
    assert unreachable == 0


def faults(page: Any, axe: str) -> list[str]:
    """Return what the checker of accessibility finds, whatever its weight."""
    # What can be scrolled is found out with the next frame.
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return [
        f"{one['id']} ({one['impact']}): {one['help']}: {one['nodes'][0]['html'][:200]}"
        for one in violations(page, axe)
    ]


#: Every page on a wide light screen and on a narrow dark one.
SCREENS = [(name, *screen) for name in REPORTS for screen in ((1440, "light"), (390, "dark"))]


@pytest.mark.parametrize(("name", "width", "scheme"), every(5, SCREENS))
def test_axe_finds_nothing(opened: Open, axe: str, name: str, width: int, scheme: str) -> None:
    page = opened(name, width=width, color_scheme=scheme).page
    page.evaluate(OPEN_ALL)
    assert faults(page, axe) == []


def test_axe_would_find_something(opened: Open, axe: str) -> None:
    page = opened("bare", bypass_csp=True).page
    page.evaluate("document.querySelector('h1').append(document.createElement('button'))")
    # Behind something drawn by a pseudo-element axe by itself would only say that it cannot tell.
    page.add_style_tag(
        content="h1 { color: #bbb; position: relative } h1::before { content: ''; position: absolute; inset: 0; background: #fff; z-index: -1 }"
    )
    found = faults(page, axe)
    assert any(one.startswith("button-name (critical)") for one in found)
    assert any(one.startswith("color-contrast (serious)") for one in found)
