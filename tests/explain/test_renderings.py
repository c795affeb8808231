"""Text, Markdown, LaTeX and the page say the same; none of them lets a label do anything."""

from __future__ import annotations

import json
import re
import unicodedata
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt
from rich.cells import cell_len as width
from tests.documents.reading import WIDE_LATEX
from tests.explain.checking import ANY_SCALE
from tests.explain.test_escape import HOSTILE, LATEX, balanced, commands
from tests.support import every

import assent
from assent.analyses.explain import Explanation, explain

#: Labels that a file can hold, each different from the others.
LABELS = [text for text in HOSTILE if text.strip() and "\ud800" not in text]
#: What the LaTeX of an explanation is made of besides characters.
FRAME = {
    *("\\section", "\\subsection", "\\item", "\\textbf", "\\begin", "\\end", "\\toprule", "\\endhead", "\\endfoot"),
    *("\\midrule", "\\bottomrule", "\\\\", "\\frac", "\\text", "\\mathrm", "\\texttt"),
    *WIDE_LATEX,
}
#: What the comment before it names, for whoever reads it into a document.
HEAD = {"\\usepackage", "\\setmainfont"}


def hostile(name: str, labels: list[str]) -> Explanation:
    rows = [[label, label] for label in labels] + [[labels[0], labels[-1]], [labels[1], labels[0]]]
    data = assent.Annotations.from_array(rows, annotators=["\x1b[1m<b>|ann_1\n", "\\write18{rm}%"])
    return explain(data, name)


GROUPS = [LABELS[i : i + 4] for i in range(0, len(LABELS) - 1, 4)] + [LABELS]


@pytest.mark.parametrize("name", ANY_SCALE)
@pytest.mark.parametrize("labels", every(2, GROUPS), ids=range(len(GROUPS)))
def test_hostile_labels(name: str, labels: list[str]) -> None:
    labels = labels if len(labels) > 1 else [*labels, "other"]
    explanation = hostile(name, labels)
    text = explanation.text()
    assert all(line.isprintable() for line in text.split("\n"))
    latex = explanation.latex()
    head, _, body = latex.partition("\n\n")
    assert all(line.startswith("% ") for line in head.split("\n"))
    assert commands(head) <= HEAD
    assert not set("\r\x0b\x0c\x1c\x85\u2028") & set(head)
    assert commands(body) <= LATEX | FRAME
    assert balanced(latex)
    assert "\n\n\\end{align*}" not in latex
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(explanation.markdown())
    # Names of options are code; names of the data are not.
    html = re.sub(
        "<code>[a-z_]*</code>",
        lambda found: "" if found[0][6:-7] in ("missing", "item", "annotators") else found[0],
        html,
    )
    tags = set(re.findall(r"<(/?\w+)", html))
    assert tags <= {
        *("h1", "/h1", "h2", "/h2", "p", "/p", "ul", "/ul", "li", "/li", "strong", "/strong"),
        *("table", "/table", "thead", "/thead", "tbody", "/tbody", "tr", "/tr", "th", "/th", "td", "/td"),
    }
    json.dumps(explanation.to_dict(), allow_nan=False)
    found = Page(explanation.html())
    assert not found.tags & {"img", "b", "a", "iframe"}
    assert found.scripts == 1
    assert "<iframe srcdoc=" in explanation._repr_html_()


class Page(HTMLParser):
    """What a browser would find in a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.scripts = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        if tag != "a" or not dict(attrs).get("href", "").startswith("#"):
            self.tags.add(tag)
        assert not [name for name, _ in attrs if name.startswith("on")]


@pytest.mark.parametrize("name", ANY_SCALE)
def test_latex_of_plain_labels_is_ascii(name: str) -> None:
    """So that every engine can set it."""
    rows = [["1", "1"], ["2", "2"], ["1", "3"], ["3", "2"], ["2", "2"]]
    for options in ({}, {"scale": "interval"}, {"weights": "linear"}):
        explanation = explain(rows, name, **options)
        assert explanation.latex().isascii()


def test_latex_environments_match() -> None:
    latex = explain([["a", "a"], ["b", "b"], ["a", "b"]], "cohen-kappa").latex()
    opened = re.findall(r"\\begin\{(\w+\*?)\}", latex)
    assert sorted(opened) == sorted(re.findall(r"\\end\{(\w+\*?)\}", latex))
    assert opened == ["longtable", "align*", "align*", "align*"]
    assert r"A_{o} &= \frac{1 + 1}{3} = \frac{2}{3} \approx 0.6667" in latex
    assert r"a & 1 & 1 & 2 \\" in latex


def test_every_row_of_a_latex_table_has_as_many_cells_as_columns() -> None:
    latex = hostile("cohen-kappa", ["a&b", "c\\\\d", "e"]).latex()
    columns = re.search(r"\\begin\{longtable\}\{(\w+)\}", latex)
    assert columns is not None
    rows = re.findall(r"^(.*) \\\\$", latex.split("\\toprule")[1].split("\\end{longtable}")[0], flags=re.MULTILINE)
    assert len(rows) == 5
    assert {len(re.findall(r"(?<!\\)&", row)) + 1 for row in rows} == {len(columns[1])}


def test_columns_of_the_text_are_aligned_whatever_the_letters() -> None:
    labels = ["日本語", "é", "e\u0301e", "🙂🙂", "plain"]
    rows = [[label, label] for label in labels] + [[labels[0], labels[1]]]
    text = explain(rows, "cohen-kappa").text()
    table = [line for line in text.splitlines() if re.match(r"^ \S.*\d$", line) and "=" not in line]
    assert len(table) == 6
    assert len({width(line) for line in table}) == 1
    assert width("日本語") == 6
    assert width("e\u0301") == 1
    assert unicodedata.combining("\u0301")


def test_a_wide_table_has_shorter_headings_that_still_differ() -> None:
    labels = [f"a rather long label {i}" for i in range(8)]
    text = explain([[label, label] for label in labels], "cohen-kappa").text()
    heading = next(line for line in text.splitlines() if "…" in line)
    assert len(set(heading.split())) >= 9
    alike = [f"{'a' * 20}{i}{'b' * 20}" for i in range(8)]
    assert explain([[label, label] for label in alike], "cohen-kappa").text()


def test_a_long_formula_is_broken_at_its_signs() -> None:
    rows = [[str(i), str(i)] for i in range(8) for _ in range(100 + i)]
    explanation = explain(rows, "fleiss-kappa")
    broken = [line for line in explanation.text().splitlines() if re.match(r"^\s+[=≈] ", line)]
    assert len(broken) >= 2
    assert re.search(r"\\\\\n&= ", explanation.latex())


def test_markdown() -> None:
    table = assent.Annotations.from_contingency([[20, 5], [10, 15]], labels=["pos", "neg"])
    shown = explain(table, "cohen-kappa", order=["pos", "neg"]).markdown()
    assert shown.startswith("# Cohen's kappa\n\n## Step 1: Observed agreement\n\n")
    assert "|  | pos | neg | total |\n|:---|---:|---:|---:|\n| pos | 20 | 5 | 25 |\n" in shown
    assert "| **total** | **30** | **20** | **50** |\n\n- Aₒ = (20 + 15) / 50 = 35 / 50 = 0.70\n" in shown
    assert shown.endswith("(Landis &amp; Koch 1977).**\n")


def test_what_is_left_out_is_said_in_all_of_them() -> None:
    explanation = explain([["a", "a"], ["b", None], ["a", "b"]], "cohen-kappa")
    for shown in (explanation.text(), explanation.markdown(), explanation.latex(), explanation.html()):
        assert "1 item has one annotation" in shown
        assert "Left out: 1 missing label." in shown
