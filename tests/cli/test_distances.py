"""Labels that a distance compares, on the command line."""

from __future__ import annotations

import json

import pytest
from tests.cli.conftest import Files, Program
from tests.rankings.test_distances import BOXES, OF_BOXES, OF_TEXTS, TEXTS, TREE

from assent.label_distances import read_tree


def test_trees_in_files(file: Files, assent: Program) -> None:
    flat = file("tree.csv", "child,parent\n" + "".join(f"{child},{parent}\n" for child, parent in TREE.items()))
    nested = file("tree.json", json.dumps({"thing": {"animal": ["cat", "dog"], "car": None}}))
    assert dict(read_tree(flat)) == dict(read_tree(nested)) == TREE
    table = file("t.csv", "item,annotator,label\n1,x,cat\n1,y,dog\n2,x,car\n2,y,car\n3,x,cat\n3,y,cat\n")
    done = assent("measure", table, "-m", "krippendorff-alpha", "--distance", "taxonomy", "--tree", flat, "--json")
    assert (done.code, done.err) == (0, "")
    plain = assent("measure", table, "-m", "krippendorff-alpha", "--json").only["value"]
    assert done.only["value"] > plain
    for text, why in (
        ("child,parent\na,b,c\n", "line 2"),
        ("child,parent\na,b\na,c\n", "line 3"),
        ("{", "broken JSON"),
    ):
        bad = assent(
            "measure", table, "-m", "krippendorff-alpha", "--distance", "taxonomy", "--tree", file("bad.csv", text)
        )
        assert (bad.code, bad.out) == (2, "")
        assert why in bad.err


def test_texts_and_boxes_on_the_command_line(assent: Program, file: Files) -> None:
    rows = [(i, f"j{k}", text) for i, item in enumerate(TEXTS) for k, text in enumerate(item)]
    table = file(
        "texts.jsonl", "".join(json.dumps({"item": i, "annotator": who, "label": text}) + "\n" for i, who, text in rows)
    )
    done = assent("measure", table, "-m", "krippendorff-alpha", "--distance", "levenshtein", "--json")
    assert done.only["value"] == pytest.approx(OF_TEXTS["levenshtein"][0])
    assert done.only["details"]["sigma"] == pytest.approx(0.8)
    boxes = [(i, f"j{k}", json.dumps(one)) for i, item in enumerate(BOXES) for k, one in enumerate(item)]
    table = file("boxes.csv", "item,annotator,label\n" + "".join(f'{i},{who},"{text}"\n' for i, who, text in boxes))
    done = assent("measure", table, "-m", "krippendorff-alpha", "--distance", "boxes", "--label", "label", "--json")
    assert (done.code, done.err) == (0, "")
    assert done.only["value"] == pytest.approx(OF_BOXES["boxes"][0])
    rows = [
        {"item": i, "annotator": f"j{k}", "label": one} for i, item in enumerate(BOXES) for k, one in enumerate(item)
    ]
    records = file("boxes.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    other = assent("measure", records, "-m", "krippendorff-alpha", "--distance", "boxes", "--label", "label", "--json")
    assert other.only["value"] == done.only["value"]


def test_settings_beside_the_data_import_nothing(assent: Program, file: Files) -> None:
    table = file("t.csv", "item,annotator,label\n1,x,a\n1,y,b\n2,x,a\n2,y,a\n")
    file("assent.toml", 'distance = "os:system"\n')
    done = assent("measure", table)
    assert (done.code, done.out) == (2, "")
    assert "no option of reading" in done.err


QUESTIONS = (
    "item,annotator,answer,question\n1,ann,a cat sat,what sat?\n1,bob,the cat sat,what sat?\n2,ann,dogs bark,who barks?\n"
    '2,bob,"dogs bark, loudly",who barks?\n3,ann,rain,weather?\n3,bob,sun,weather?\n'
)


def test_items_annotators_and_report_by_distance(assent: Program, file: Files) -> None:
    table = file("answers.csv", QUESTIONS)
    how = (table, "--label", "answer", "--distance", "token-jaccard", "--json")
    alpha = assent("measure", *how, "-m", "krippendorff-alpha").only
    items = assent("items", *how, "--text", "question", "--top", "1").json
    assert [(one["item"], one["text"], one["distance"]) for one in items["items"]] == [("3", "weather?", 1.0)]
    assert (items["total"], items["alpha"]) == (3, alpha["value"])
    people = assent("annotators", *how).json
    assert people["overall"] == alpha["value"]
    assert people["expected_distance"] == items["expected_distance"] == alpha["details"]["expected_distance"]
    report = assent("report", *how, "--text", "question").json
    assert (report["verdict"]["value"], report["verdict"]["title"]) == (alpha["value"], alpha["title"])
    shown = assent("items", *how[:-1], "--who")
    assert '"dogs bark, loudly" (bob)' in shown.out


def test_bad_labels_and_options_that_do_not_go_with_a_distance(assent: Program, file: Files) -> None:
    boxes = file("boxes.csv", 'item,annotator,label\n1,ann,"[[0,0,1,1]]"\n1,bob,"[[3,3,1,1]]"\n')
    for command in ("items", "annotators", "report"):
        bad = assent(command, boxes, "--label", "label", "--distance", "boxes")
        assert (bad.code, bad.out) == (2, "")
        assert "line 3" in bad.err
        assert "negative side" in bad.err
        for options, why in (
            (("--distance", "masi"), "--distance masi"),
            (("--tree", "tree.csv"), "--distance taxonomy"),
            (("--distance", "boxes", "--order", "a,b"), "--order"),
        ):
            bad = assent(command, boxes, "--label", "label", *options)
            assert (bad.code, bad.out) == (2, "")
            assert why in bad.err
