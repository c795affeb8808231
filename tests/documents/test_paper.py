"""Documents in Markdown and LaTeX: whatever the data say is shown and means nothing."""

from __future__ import annotations

import re

import pytest
from tests.documents.reading import LATEX, WIDE_LATEX, latex_text, markdown_html, read_html
from tests.documents.samples import HOSTILE, every_block, numbers_table

from assent.documents import Document, latex, markdown
from assent.documents.blocks import Cards, Code, Facts, Formulas, Notes, Prose, Terms
from assent.text import for_latex, for_terminal, visible

EMPTY = Document("Empty", [Notes([]), Facts([]), Terms([]), Cards([]), Formulas([]), Prose([]), Code("c", "", "")])
#: Commands that the renderer itself writes.
OURS = {
    *("\\section", "\\subsection", "\\subsubsection", "\\paragraph", "\\textbf", "\\item", "\\begin", "\\end", "\\\\"),
    *("\\toprule", "\\midrule", "\\bottomrule", "\\endhead", "\\endfoot", "\\noindent", "\\texttt", "\\usepackage"),
    *("\\kappa", "\\frac", "\\text", "\\ensuremath", "\\char"),
    *WIDE_LATEX,
}


def tags(html: str) -> list[str]:
    return re.findall(r"<(/?\w+)", html)


@pytest.mark.parametrize("text", [text for text in HOSTILE if text])
def test_markdown_is_made_of_the_same_parts_whatever_it_says(text: str) -> None:
    written = markdown.render(every_block(text, figure=False))
    written.encode("utf-8")
    html = markdown_html(written)
    # A text of lines becomes as many paragraphs where it is to be copied.
    lines = [line for line in f"One line: {text}".replace("\r\n", "\n").split("\n") if line.strip()]
    usual = tags(markdown_html(markdown.render(every_block("positive", figure=False))))
    extra = len(lines) - 1
    found = tags(html)
    assert len(found) - len(usual) == 2 * extra
    assert sorted(set(found)) == sorted(set(usual))
    if not extra:
        assert found == usual
    shown = "".join(read_html(html).texts)
    assert re.sub("[\n\t\u200c\u200d]", "", shown).isprintable()
    assert visible(text[:40].partition("\n")[0].strip()) in shown


def test_neighbouring_lists_stay_apart() -> None:
    written = markdown.render(Document("", [Notes(["a", "b"]), Notes(["c"]), Notes(["d"])]))
    assert tags(markdown_html(written)).count("ul") == 3
    assert "<p>" not in markdown_html(written)


def test_a_fence_is_longer_than_any_run_of_backticks_and_keeps_empty_lines() -> None:
    text = "a ```` b\n\n\n- c\n\n- d\n```"
    html = markdown_html(markdown.render(Document("", [Code("c", "C", text)])))
    assert f"<pre><code>{text}\n</code></pre>" in html


def test_what_is_empty_leaves_nothing() -> None:
    assert markdown.render(EMPTY) == "# Empty\n\n```\n\n```\n"
    assert latex.render(EMPTY).count(r"\begin") == 1


def test_a_table_has_its_caption_and_what_columns_mean() -> None:
    for render in (markdown.render, latex.render):
        shown = render(Document("", [numbers_table(rows=100, total=True)]))
        assert "How far each annotator agrees" in shown
        assert "Agreement: How far the annotator agrees with the others." in shown
        assert "76 more rows are left out here." in shown
        assert "3,003" in shown


@pytest.mark.parametrize("text", HOSTILE)
def test_latex_is_told_nothing_but_characters(text: str) -> None:
    written = latex.render(every_block(text, figure=False))
    written.encode("utf-8")
    outside = re.sub(r"\\begin\{verbatim\}\n.*?\n\\end\{verbatim\}", "", written, flags=re.DOTALL)
    # What the file needs is said in comments at its head.
    outside = re.sub(r"\A(%.*\n)+", "", outside)
    allowed = {*OURS, *(f"\\{c}" for c in "&%$#_{}/"), *(re.match(r"\\[A-Za-z]+", one)[0] for one in LATEX)}  # type: ignore[index]
    commands = set(re.findall(r"\\(?:[A-Za-z]+|.)", outside, flags=re.DOTALL))
    others = {one for one in commands - allowed if not re.fullmatch(r"\\(alpha|geq|leq|pi|rho|cdot|times|pm)", one)}
    assert not others
    # Every environment is closed where it was opened.
    opened: list[str] = []
    for what, which in re.findall(r"\\(begin|end)\{(\w+\*?)\}", outside):
        if what == "begin":
            opened.append(which)
        else:
            assert opened.pop() == which
    assert not opened
    braces = re.findall(r"[{}]", re.sub(r"\\.", "", outside, flags=re.DOTALL))
    assert braces.count("{") == braces.count("}")
    assert all(line.replace("\u200c", "").replace("\u200d", "").isprintable() for line in written.split("\n"))


@pytest.mark.parametrize("text", [text for text in HOSTILE if "\u200c" not in text and "\N{WOMAN}" not in text])
def test_latex_shows_the_text(text: str) -> None:
    assert latex_text(for_latex(text)) == for_terminal(text)
