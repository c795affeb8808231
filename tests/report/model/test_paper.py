"""What goes into a paper: sentences that hold what reviewers ask for, tables and references that compile whatever the labels are."""

from __future__ import annotations

import re
import string
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from tests.documents.reading import WIDE_LATEX
from tests.report.model.studies import HOSTILE, KINDS, hostile_data, long_data

import assent
from assent.measures import find
from assent.references import REFERENCES
from assent.reports.bibtex import bibtex, entry, protected
from assent.reports.context import Measured
from assent.reports.wording import _interval, surnames


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    return assent.report(long_data(items=300), task="standard", seed=7).to_dict()


def test_the_sentences_hold_everything_that_reviewers_ask_for(report: dict[str, Any]) -> None:
    """Coefficient, variant and citation; items, annotators, annotations per item; missing data; interval, method and unit; program."""
    one, said = report["coefficients"]["measures"][0], report["how_to_report"]["methods"]
    data = report["data"]
    for wanted in (
        "Krippendorff's alpha",
        "nominal distance",
        "Krippendorff, 2011",
        f"{data['items']} items with",
        f"{data['annotations']:,} annotations",
        "4 annotators",
        "3 labels",
        f"({data['annotations'] / data['items']:.3g} per item on average, from 1 to 4)",
        "Not every annotator labelled every item",
        f"{data['pairable_items']} items with two or more",
        f"{data['items'] - data['pairable_items']} items with one annotation could not be compared",
        "95 % confidence interval",
        "tilted weights",
        f"of {one['ci']['units']} items",
        f"assent {assent.__version__}",
        "seed 7",
    ):
        assert wanted in said, wanted
    result = report["how_to_report"]["results"]
    for wanted in (
        f"Krippendorff's alpha was {one['value']:.2f}",
        f"95 % CI {one['ci']['low']:.2f} to {one['ci']['high']:.2f}",
        f"observed agreement {one['observed']:.2f}",
        f"expected by chance {one['expected']:.2f}",
        "on the scale of Krippendorff (2004)",
        "the target for a standard task, 0.70",
        "Gwet's AC1 was",
    ):
        assert wanted in result, wanted
    assert "not of annotators" in report["how_to_report"]["limitations"]
    assert report["how_to_report"]["plain"] == " ".join(
        report["how_to_report"][name] for name in ("methods", "results", "limitations")
    )


def test_tilted_weights_are_reported_with_their_works() -> None:
    said = assent.report(long_data(items=80), seed=5).to_dict()["how_to_report"]
    assert re.search(r"made with tilted weights \(Efron, 1981; .*\) of \d+ items and one pseudo-item", said["methods"])
    for key in ("efron1981", "diciccio1990", "agresti1998"):
        assert f"@article{{{key}," in said["bibtex"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            {"method": "bootstrap", "seed": 5},
            r"BCa; Efron, 1987\) bootstrap of \d+ items with 1,000 samples \(seed 5\)",
        ),
        ({"method": "jackknife"}, r"the jackknife over \d+ items"),
        ({"method": "analytic"}, r"the linearised standard error over \d+ items"),
    ],
)
def test_other_intervals_have_their_own_words(options: dict[str, Any], said: str) -> None:
    agreement = assent.krippendorff_alpha(long_data(items=80))
    assert re.search(said, _interval(Measured(agreement=agreement, interval=agreement.confidence_interval(**options))))


def test_what_was_left_out_is_reported() -> None:
    data = assent.read("examples/sentiment.csv")
    said = assent.report(data).to_dict()["how_to_report"]["methods"]
    assert 'Left out of the table: 7 missing labels ("NA").' in said


def test_no_label_is_missing_only_where_none_was_left_out() -> None:
    """An item that nobody labelled is none, and its labels are missing."""
    rows = [["a", "a"], ["b", "b"], ["a", "b"], [None, None]]
    said = assent.report(rows).to_dict()["how_to_report"]["methods"]
    assert "Every annotator labelled every item that was kept. Left out of the table: 2 missing labels." in said
    assert "no label was missing" in assent.report(rows[:3]).to_dict()["how_to_report"]["methods"]


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("ordinal", "ordinal distance"),
        ("interval", "form 2,1"),
        ("counts", "an unknown number of annotators"),
        ("example multi-label", "chance agreement worked out exactly"),
        ("example multi-label", "several labels being allowed"),
        ("example lecture", "Every annotator labelled every item: no label was missing."),
        ("clustered", "clusters (doc)"),
        ("one label", "The value is undefined; the values that it may have with one more item"),
    ],
)
def test_the_variant_is_named(kind: str, said: str) -> None:
    data, settings = KINDS[kind]()
    assert said in assent.report(data, **settings).to_dict()["how_to_report"]["methods"]


def test_an_undefined_value_is_reported_as_such() -> None:
    said = assent.report([["a", "a"]] * 4).to_dict()["how_to_report"]["results"]
    assert said.startswith("Cohen's kappa was undefined (observed agreement 1.00).")


def entries(text: str) -> dict[str, dict[str, str]]:
    """Read BibTeX as a program would: entries by key, fields by name; an unbalanced brace is an error."""
    found: dict[str, dict[str, str]] = {}
    place = 0
    while (start := text.find("@", place)) >= 0:
        head = re.compile(r"@(\w+)\{(\w+),\s*").match(text, start)
        assert head, text[start : start + 40]
        place, fields = head.end(), {"entry": head[1]}
        while text[place] != "}":
            name = re.compile(r"(\w+) = \{").match(text, place)
            assert name, text[place : place + 40]
            place, depth, begin = name.end(), 1, name.end()
            while depth:
                if text[place] == "\\":
                    place += 2
                    continue
                depth += {"{": 1, "}": -1}.get(text[place], 0)
                place += 1
            fields[name[1]] = text[begin : place - 1]
            place = re.compile(r",?\s*").match(text, place).end()  # type: ignore[union-attr]
        found[head[2]] = fields
        place += 1
    return found


@pytest.mark.parametrize("key", REFERENCES)
def test_every_reference_makes_an_entry(key: str) -> None:
    work = REFERENCES[key]
    (found,) = entries(entry(key, work)).values()
    assert found["year"] == str(work.year)
    assert found["author"].count(" and ") == len(surnames(work.authors)) - 1
    assert found["title"].startswith("{")
    needed = {
        "article": {"journal", "volume", "pages"},
        "inproceedings": {"booktitle", "pages"},
        "book": {"publisher"},
        "techreport": {"institution"},
        "misc": {"archiveprefix"},
    }
    assert needed[found["entry"]] <= set(found), found
    assert re.fullmatch(r"\d+--\d+", found.get("pages", "1--2"))
    if work.link.startswith("https://doi.org/"):
        assert work.link.endswith(found["doi"])
    assert entry(key, work).isascii()


def test_authors_are_told_apart() -> None:
    assert surnames(REFERENCES["deraadt2019"].authors) == [
        "De Raadt, A.",
        "Warrens, M. J.",
        "Bosker, R. J.",
        "Kiers, H. A. L.",
    ]
    assert surnames("Cohen, J.") == ["Cohen, J."]


@pytest.mark.parametrize("kind", ["long", "example multi-label", "interval", "example sparse-crowd"])
def test_every_method_that_was_used_is_cited(kind: str) -> None:
    data, settings = KINDS[kind]()
    report = assent.report(data, **settings).to_dict()
    found = entries(report["how_to_report"]["bibtex"])
    for one in report["coefficients"]["measures"]:
        assert set(find(one["measure"]).references) <= set(found)
    assert found["assent"]["note"] == f"Version {assent.__version__}"
    assert ("holm1979" in found) == (
        report["groups"] is not None or any(one["tested"] for one in report["coefficients"]["findings"])
    )
    scale = {
        "Landis & Koch 1977": "landis1977",
        "Cicchetti 1994": "cicchetti1994",
        "McBride 2005": "mcbride2005",
        "Krippendorff 2004": "krippendorff2004",
    }[report["verdict"]["scale"]]
    assert scale in found


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cs",)), max_size=40))
def test_any_text_can_stand_in_an_entry(text: str) -> None:
    kept = protected(text)
    (found,) = entries(f"@misc{{key,\n  note = {{{kept}}}\n}}").values()
    assert found["note"] == kept
    assert not re.search(r"(?<!\\)[&%$#_]", kept)


def test_an_entry_keeps_accents_as_tex() -> None:
    assert (
        protected("Nørregaard, Müller, Çelik, Ångström") == r"N{\o}rregaard, M{\"u}ller, {\c C}elik, {\AA}ngstr{\"o}m"
    )
    assert bibtex(["cohen1960", "cohen1960"]).count("@article") == 1


#: What TeX takes as more than a character.
_SPECIAL = re.compile(r"(?<!\\)[&%$#_^~]")


def check_latex(text: str) -> None:
    """Braces and environments balance, and nothing stands alone that TeX would take as a command of a file's."""
    inside = re.sub(r"\\begin\{verbatim\}.*?\\end\{verbatim\}", "", text, flags=re.DOTALL)
    inside = re.sub(r"\A(%.*\n)+", "", inside)
    plain = inside.replace(r"\\", "").replace(r"\{", "").replace(r"\}", "")
    assert plain.count("{") == plain.count("}")
    stack = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", inside):
        if kind == "begin":
            stack.append(name)
        else:
            assert stack.pop() == name
    assert not stack
    known = {
        "begin", "end", "section", "subsection", "subsubsection", "textbf", "item", "toprule", "midrule", "bottomrule", "endhead",
        "endfoot", "caption", "label", "centering", "textbackslash", "textasciitilde", "textasciicircum", "textless", "textgreater",
        "textbar", "char", "textvisiblespace", "textendash", "textemdash", "ldots", "ensuremath", "times", "approx", "alpha", "kappa", "pi", "delta",
        "pm", "paragraph", "texttt", "noindent", *(one[1:] for one in WIDE_LATEX),
    }  # fmt: skip
    assert set(re.findall(r"\\([a-zA-Z]+)", inside)) <= known
    for line in inside.splitlines():
        cells = line.replace(r"\&", "")
        if not re.search(r"(?<!\\)&", cells):
            assert not _SPECIAL.search(re.sub(r"\\ensuremath\{[^}]*\}", "", line)), line


def test_latex_of_hostile_labels_is_text_and_no_command() -> None:
    report = assent.report(hostile_data(), by="group", text="text", title=HOSTILE[3])
    check_latex(report.latex())
    content = report.to_dict()
    check_latex(content["how_to_report"]["latex_table"])
    assert r"\textbackslash{}input\{/etc/passwd\}" in report.latex()
    widths = {
        line.count(" & ") for line in content["how_to_report"]["latex_table"].splitlines() if line.endswith(r"\\")
    }
    assert widths == {5}


def test_markdown_of_hostile_labels_is_text_and_no_markup() -> None:
    """A strict reader of Markdown with HTML and tables finds no tag, no link, no image and no emphasis but ours."""
    report = assent.report(hostile_data(), by="group", text="text", title=HOSTILE[0])
    text = report.markdown()
    reader = MarkdownIt("commonmark", {"html": True}).enable("table")
    kinds = {child.type for token in reader.parse(text) for child in [token, *(token.children or ())]}
    assert not kinds & {"html_inline", "html_block", "link_open", "image", "em_open", "code_inline", "code_block"}
    tables = [token for token in reader.parse(text) if token.type == "tr_open"]
    assert len(tables) > 50
    shown = reader.render(text)
    assert "<script" not in shown
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown
    strong = [line for line in text.splitlines() if line.startswith("**")]
    assert len(strong) == 1, "only the verdict is strong"


def test_the_tables_have_a_row_for_each_measure(report: dict[str, Any]) -> None:
    measures = report["coefficients"]["measures"]
    markdown = report["how_to_report"]["markdown_table"].strip().splitlines()
    assert len(markdown) == 2 + len(measures)
    for line, one in zip(markdown[2:], measures, strict=True):
        assert one["title"] in line
        assert f"{one['value']:.2f}" in line
    latex = report["how_to_report"]["latex_table"]
    assert all(
        rule in latex for rule in (r"\toprule", r"\midrule", r"\bottomrule", r"\caption", r"\label{tab:agreement}")
    )


def test_definitions_name_every_measure_and_part(report: dict[str, Any]) -> None:
    names = {one["name"] for one in report["appendix"]["definitions"]}
    assert {one["title"] for one in report["coefficients"]["measures"]} <= names
    assert {
        "observed agreement",
        "expected agreement",
        "interval",
        "density",
        "SPA",
        "human ceiling",
        "stands out",
    } <= names
    assert all(one["text"].rstrip()[-1] in string.punctuation for one in report["appendix"]["definitions"])


def test_the_appendix_says_how_it_was_made(report: dict[str, Any]) -> None:
    part = report["appendix"]
    assert part["settings"]["task"] == "standard"
    assert part["settings"]["target"] == 0.7
    assert part["seed"] == 7
    assert part["versions"]["assent"] == assent.__version__
    assert {"python", "numpy", "scipy", "polars"} <= set(part["versions"])
    assert part["seconds"] > 0
