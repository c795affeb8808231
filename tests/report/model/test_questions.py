"""Several questions: a report each, and an overview that begins with the weakest."""

from __future__ import annotations

import io
import json
from typing import Any

import polars as pl
import pytest
from tests.report.model.studies import long_data
from tests.report.model.test_paper import check_latex, entries
from tests.report.model.test_shape import SHAPE, check

import assent
from assent.readers.questions import label_columns, rows_by_question

GOOD = [["a", "a"], ["b", "b"]] * 60
POOR = [["a", "a"], ["b", "b"], ["a", "b"], ["b", "a"]] * 30


@pytest.fixture(scope="module")
def report() -> assent.Report:
    return assent.report({"tone": GOOD, "topic": POOR, "team": long_data()}, task="standard", title="Three questions")


def test_each_question_has_a_report_of_its_own(report: assent.Report) -> None:
    content = report.to_dict()
    assert [one["name"] for one in content["questions"]] == ["tone", "topic", "team"]
    for one in content["questions"]:
        check(one["report"])
        assert one["verdict"] == one["report"]["verdict"]
        assert one["report"]["title"] == one["name"]
    alone = assent.report(POOR, task="standard", title="topic").to_dict()
    mine = content["questions"][1]["report"]
    for part in ("coefficients", "labels", "items", "verdict", "advice"):
        assert mine[part] == alone[part]


def test_the_whole_has_the_same_keys(report: assent.Report) -> None:
    content = report.to_dict()
    assert list(content) == list(SHAPE)
    json.dumps(content, allow_nan=False)
    assert content["title"] == "Three questions"
    for part in ("data", "coefficients", "labels", "annotators", "items"):
        assert content[part] is None, "each question has its own"
    assert {"settings", "versions", "seed", "seconds", "definitions", "command"} <= set(content["appendix"])


def test_the_verdict_is_on_the_weakest(report: assent.Report) -> None:
    verdict = report.to_dict()["verdict"]
    assert verdict["question"] == "topic"
    assert verdict["status"] == "below"
    assert verdict["sentence"].startswith('3 questions: agreement is lowest on "topic" (Cohen\'s kappa 0.00')
    assert 'highest on "tone" (Cohen\'s kappa 1.00' in verdict["sentence"]
    assert "of the 0.70 that the task asks for, 1 are above, 2 below and 0 not clearly either" in verdict["sentence"]
    assert verdict["next"].startswith('Begin with "topic". ')


def test_the_overview_is_a_table_for_a_paper(report: assent.Report) -> None:
    how = report.to_dict()["how_to_report"]
    rows = how["markdown_table"].strip().splitlines()
    assert [row.split("|")[1].strip() for row in rows[2:]] == ["tone", "topic", "team"]
    check_latex(how["latex_table"])
    assert {"cohen1960", "krippendorff2011", "assent"} <= set(entries(how["bibtex"]))
    assert how["methods"].count("Inter-annotator agreement was measured") == 3


def test_the_renderings_have_a_part_for_each(report: assent.Report) -> None:
    text = report.markdown()
    headings = [line for line in text.splitlines() if line.startswith(("# ", "## "))]
    chapters = ["## tone", "## topic", "## team"]
    assert headings == ["# Three questions", "## Questions", *chapters, "## How to report it", "## Appendix"]
    check_latex(report.latex())


def test_questions_without_anything_to_compare_are_named() -> None:
    report = assent.report({"tone": GOOD, "never": [["a", None], [None, "b"]]})
    content = report.to_dict()
    assert [one["name"] for one in content["questions"]] == ["tone"]
    assert 'Nothing could be compared on "never".' in content["verdict"]["sentence"]
    assert content["appendix"]["skipped"][0]["name"] == "never"
    with pytest.raises(assent.InputError, match="None of 1 questions can be measured: No item has two annotations"):
        assent.report({"never": [["a", None], [None, "b"]]})
    with pytest.raises(assent.OptionError, match="no question to report on"):
        assent.report({})


def test_a_question_need_not_have_several_groups() -> None:
    both = long_data()
    listing = both.to_rows("group")
    keep = [i for i, group in enumerate(listing.columns["group"]) if group == "x"]
    frame = pl.DataFrame(
        {
            "item": [listing.items[listing.item[i]] for i in keep],
            "annotator": [both.annotators[listing.annotator[i]] for i in keep],
            "label": [both.labels[listing.label[i]] for i in keep],
            "group": ["x"] * len(keep),
        }
    )
    alone = assent.Annotations.from_frame(frame, columns=["group"])
    first, second = assent.report({"both": both, "alone": alone}, by="group").to_dict()["questions"]
    assert first["report"]["groups"] is not None
    assert second["report"]["groups"] is None


def table(text: str) -> io.BytesIO:
    return io.BytesIO(text.encode())


ROWS = "item,annotator,label,field\n1,a,x,tone\n1,b,x,tone\n2,a,y,tone\n1,a,p,topic\n1,b,q,topic\n9,b,q,\n"


def test_rows_are_split_by_their_question() -> None:
    tables = rows_by_question(table(ROWS), question="field")
    assert {name: one.frame.height for name, one in tables.items()} == {"tone": 3, "topic": 2}
    assert all(one.columns == ["item", "annotator", "label"] for one in tables.values())
    data = assent.read(tables["tone"])
    assert (data.n_items, data.n_annotations, data.labels) == (2, 3, ("x", "y"))
    assert '1 row has no value of "field" and belongs to no question.' in data.notes


def test_label_columns_are_questions() -> None:
    tables = label_columns(table("item,annotator,tone,topic\n1,a,x,p\n1,b,x,q\n"), columns=["tone", "topic"])
    data = {name: assent.read(one, label=name) for name, one in tables.items()}
    assert {name: one.labels for name, one in data.items()} == {"tone": ("x",), "topic": ("p", "q")}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: rows_by_question(table(ROWS), question="fields"),
            'There is no column "fields" to keep; did you mean "field"?',
        ),
        (lambda: rows_by_question(table("item,q\n1,a\n2,a\n"), question="q"), 'has one value, "a"'),
        (lambda: rows_by_question(table("item,q\n1,\n2,\n"), question="q"), "has no value"),
        (
            lambda: rows_by_question(table("q\n" + "\n".join(map(str, range(99)))), question="q"),
            "has 99 values, and 60 are the most",
        ),
        (lambda: label_columns(table(ROWS), columns=["label"]), "need two or more label columns"),
        (lambda: label_columns(table(ROWS), columns=["label", "lable"]), "There is no column"),
    ],
)
def test_what_are_no_questions_is_refused(call: Any, message: str) -> None:
    with pytest.raises(assent.AssentError) as error:
        call()
    assert message in str(error.value)


def test_a_mapping_of_annotators_is_one_table() -> None:
    import pandas as pd

    ann, bob = ["x", "y", "x", "y"], ["x", "y", "y", "y"]
    tables: tuple[dict[str, Any], ...] = (
        {"ann": ann, "bob": bob},
        {"ann": pd.Series(ann), "bob": pd.Series(bob)},
        {"ann": dict(enumerate(ann)), "bob": dict(enumerate(bob))},
        {"ann": [{one} for one in ann], "bob": [{one} for one in bob]},
    )
    for table in tables:
        told = assent.report(table).to_dict()
        assert told["data"]["annotators"] == 2
        assert told["questions"] is None
    several = assent.report(
        {"tone": {"ann": ann, "bob": bob}, "care": [list(pair) for pair in zip(ann, bob, strict=True)]}
    )
    assert [one["name"] for one in several.to_dict()["questions"]] == ["tone", "care"]
