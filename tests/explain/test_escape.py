"""Labels are written by strangers: shown as they are, they do nothing."""

from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt

from assent.text import for_latex, for_markdown, for_terminal

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "a|b",
    "100%_$",
    "\\input{x}",
    "\\\\",
    "\x1b[31mred\x1b[0m",
    "\x9b31m",
    "line\nbreak\r\n| a | b |\n\n# heading",
    "tab\tnul\0",
    "next\x85line\u2028separator",
    "\u202eabc",
    "\ud800",
    "`code`",
    "```",
    "**bold** *it* __b__ _i_ ~~s~~",
    "[link](javascript:alert(1))",
    "![image](http://x/y.png)",
    "&lt;b&gt; &#60;",
    "- item",
    "+ item",
    "1. item",
    "1) item",
    "# heading",
    "> quote",
    "===",
    "---",
    "    code",
    "[x]",
    "*",
    "$x^2$",
    "~^{}#&%_$\\",
    "\"quoted\" `` '' -- ---",
    "{",
    "}",
    "\\end{tabular}",
    "]",
    "",
    " ",
    "x" * 10_000,
    "é日本語🙂",
]

#: What LaTeX may be told in the place of a character.
LATEX = {
    *(f"\\{c}" for c in "&%$#_{}"),
    "\\textbackslash",
    "\\textasciitilde",
    "\\textasciicircum",
    "\\textless",
    "\\textgreater",
    "\\textbar",
    "\\textvisiblespace",
    "\\ldots",
    "\\textendash",
    "\\textemdash",
    "\\/",
    "\\char",
    "\\ensuremath",
    *("\\times", "\\approx", "\\alpha", "\\delta", "\\kappa", "\\pi"),
}


def commands(latex: str) -> set[str]:
    """Every control sequence in a piece of LaTeX."""
    return set(re.findall(r"\\(?:[A-Za-z]+|.)", latex, flags=re.DOTALL))


def balanced(latex: str) -> bool:
    """Whether the braces of a piece of LaTeX match."""
    depth = 0
    for brace in re.findall(r"[{}]", re.sub(r"\\.", "", latex)):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0


@pytest.mark.parametrize("text", HOSTILE)
def test_a_terminal_sees_one_short_line_of_printable_characters(text: str) -> None:
    shown = for_terminal(text)
    assert shown.isprintable()
    assert len(text) <= 48 or len(for_terminal(text)) == 48
    assert "\x1b" not in shown
    assert "\n" not in shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain label", "plain label"),
        ("\x1b[31m", r"\x1b[31m"),
        ("a\nb", r"a\nb"),
        (" x ", "␣x␣"),
        (" ", "␣"),
        ("\u202eabc", r"\u202eabc"),
        ("é日本語🙂", "é日本語🙂"),
    ],
)
def test_for_a_terminal(text: str, shown: str) -> None:
    assert for_terminal(text) == shown


def test_of_a_long_text_both_ends_are_kept() -> None:
    one, two = (for_terminal(f"http://example.org/a/common/prefix/{end}", limit=20) for end in ("yes", "no"))
    assert len(one) == len(two) == 20
    assert one != two
    assert "…" in one
    assert for_terminal("x" * 48) == "x" * 48
    assert [len(for_terminal("y" * 100, limit=limit)) for limit in (2, 3, 4, 5, 10)] == [2, 3, 4, 5, 10]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("place", ["{}", "before {} after", "| h | i |\n|---|---|\n| {} | 1 |", "- {}", "**{}**"])
def test_markdown_shows_the_text_and_nothing_else(text: str, place: str) -> None:
    """A real reader of Markdown, with HTML and tables allowed, finds plain text."""
    if not text and place == "**{}**":
        return  # nothing to make bold
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    html = reader.render(place.format(for_markdown(text)))
    plain = reader.render(place.format("plain"))
    # The same tags in the same order as around a word that means nothing; an item without a text has no paragraph.
    assert re.findall(r"<(/?\w+)", html) == [tag for tag in re.findall(r"<(/?\w+)", plain) if text or place != "{}"]
    content = re.sub(r"<[^>]*>", "\n", html)
    for entity, character in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&")):
        content = content.replace(entity, character)
    assert for_terminal(text) in content


def test_a_table_keeps_its_columns() -> None:
    reader = MarkdownIt("commonmark").enable("table")
    html = reader.render(f"| h | i |\n|---|---|\n| {for_markdown('a|b')} | {for_markdown(chr(92) + '|')} |")
    assert "<td>a|b</td>" in html
    assert "<td>\\|</td>" in html


@pytest.mark.parametrize("text", HOSTILE)
def test_latex_is_told_nothing_but_characters(text: str) -> None:
    latex = for_latex(text)
    assert commands(latex) <= LATEX
    assert balanced(latex)
    assert "\n" not in latex
    # None of the characters that mean something to TeX is left bare; nor is one that would be an option after \\.
    bare = re.sub(r"\\(?:[A-Za-z]+(?:\{\})?|.)", "", latex).replace("{[}", "").replace("{*}", "").replace("{}", "")
    bare = re.sub(r"\{(?:\^2|_[oe12]|)\}", "", bare)
    assert not set(bare) & set("\\{}&%$#_^~")
    assert not latex.lstrip().startswith(("[", "*"))


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("plain, well-known label's", "plain, well-known label's"),
        ("100%_$", r"100\%\_\$"),
        ("\\input{x}", r"\textbackslash{}input\{x\}"),
        ("a&b#c~d^e", r"a\&b\#c\textasciitilde{}d\textasciicircum{}e"),
        ("a--b", r"a-\/-b"),
        ("κ ≈ 1", r"\ensuremath{\kappa} \ensuremath{\approx} 1"),
        (" x", r"\textvisiblespace{}x"),
    ],
)
def test_for_latex(text: str, latex: str) -> None:
    assert for_latex(text) == latex
