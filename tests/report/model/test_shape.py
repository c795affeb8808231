"""The one object: every key that other programs read is there, whatever the data are, and all of it is JSON."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from tests.report.model.studies import KINDS, long_data
from tests.report.page.studies import of_example

import assent

#: What a report holds. None where a section may be missing; [] where rows have these keys.
ENDS = {"low", "high"}
SHAPE: dict[str, Any] = {
    "assent": str, "title": str, "made": str, "kind": str,
    "verdict": {"sentence", "measure", "title", "value", "low", "high", "level", "word", "scale", "status", "task", "target", "targets", "bands", "next"},
    "data": {
        "items", "annotators", "annotations", "labels", "layout", "multilabel", "dropped", "notes", "pairable_items", "density",
        "per_item", "per_annotator", "coverage", "label_shares", "labels_more", "label_by_annotator",
    },
    "coefficients": {"measures", "quote", "reasons", "findings"},
    "labels": {"matrix", "by_label", "disputed", "merges", "spellings", "unused", "notes"},
    "annotators": {"rows", "total", "flagged", "judged", "pairs", "schools", "notes"},
    "items": {"histogram", "worst", "total", "single", "text", "notes"},
    "multilabel": {"measures", "set_sizes", "sweep", "findings"},
    "sparse": {"schemes", "missingness", "notes"},
    "advice": list, "plan": {"sentence", "half_width", "choices"}, "ceiling": {"accuracy", "macro_f1", "majority_share"},
    "groups": {"column", "rows", "differences", "notes"},
    "judges": {"judges", "people", "jury", "options", "notes"},
    "repeats": {"flip_rate", "components", "judges", "majority", "flips"},
    "baseline": {"measure", "value", "baseline", "difference", "ci", "sentence"},
    "questions": None,
    "how_to_report": {"methods", "results", "latex_table", "markdown_table", "bibtex", "plain"},
    "appendix": {"settings", "versions", "seed", "seconds", "definitions", "command"},
}  # fmt: skip
OPTIONAL = {
    "annotators", "judges", "multilabel", "sparse", "plan", "ceiling", "groups", "repeats", "baseline", "questions",
}  # fmt: skip
ROWS: dict[tuple[str, str], set[str]] = {
    ("verdict", "targets"): {"task", "value"},
    ("verdict", "bands"): {"word", *ENDS},
    ("data", "per_item"): {"annotations", "items"},
    ("data", "label_shares"): {"label", "annotations", "share"},
    ("coefficients", "measures"): {
        "measure", "title", "value", "observed", "expected", "standard_error", "ci", "items", "annotators", "annotations", "options",
        "pairs", "notes", "p_value", "by_label", "interpretation", "target", "missingness",
    },
    ("coefficients", "findings"): {"key", "severity", "title", "sentence", "evidence", "tested"},
    ("labels", "by_label"): {"label", "share", "annotations", "value", "observed", "expected", *ENDS},
    ("labels", "disputed"): {"first", "second", "share", *ENDS},
    ("labels", "merges"): {"first", "second", "value", "gain", "clear", "entropy_lost"},
    ("annotators", "rows"): {"annotator", "flagged", "kind", "reason", "judged", "annotations", "agreement", "others", "without", "leans"},
    ("items", "histogram"): {"items", *ENDS},
    ("items", "worst"): {"item", "annotations", "agreement", "entropy", "counts", "majority", "tied", "margin", "text"},
    ("multilabel", "set_sizes"): {"annotator", "mean_labels", "share_several"},
    ("sparse", "schemes"): {"scheme", "value", *ENDS},
    ("groups", "rows"): {"group", "items", "value", *ENDS},
    ("groups", "differences"): {"first", "second", "difference", *ENDS},
    ("plan", "choices"): {"annotations_per_item", "items", "annotations", "half_width"},
    ("appendix", "definitions"): {"name", "text"},
}  # fmt: skip


@pytest.fixture(scope="module", params=list(KINDS))
def made(request: pytest.FixtureRequest) -> assent.Report:
    data, settings = KINDS[request.param]()
    return assent.report(data, **settings)


@pytest.fixture(scope="module")
def report(made: assent.Report) -> dict[str, Any]:
    return made.to_dict()


def check(report: dict[str, Any]) -> None:
    assert list(report) == list(SHAPE), "in the order of the page"
    for name, wanted in SHAPE.items():
        found = report[name]
        if found is None:
            assert name in OPTIONAL, f"{name} is missing"
        elif isinstance(wanted, set):
            assert wanted <= set(found), f"{name} lacks {wanted - set(found)}"
        elif wanted is not None:
            assert isinstance(found, wanted), name
    for (section, part), keys in ROWS.items():
        for row in (report[section] or {}).get(part) or ():
            assert keys <= set(row), f"{section}.{part} lacks {keys - set(row)}"
    for row in report["advice"]:
        assert set(row) == {
            "key",
            "title",
            "sentence",
            "first_step",
            "gain",
            "evidence",
            "compatible",
            "decides",
            "measure",
        }


def test_every_key_is_there(report: dict[str, Any]) -> None:
    check(report)


def test_it_is_json_without_nan(report: dict[str, Any]) -> None:
    text = json.dumps(report, allow_nan=False)
    assert json.loads(text) == report, "what is written is what is read: no tuples, no numpy numbers, text keys"


def test_lists_stay_short(report: dict[str, Any]) -> None:
    data, labels, annotators = report["data"], report["labels"], report["annotators"]
    assert len(data["per_annotator"]["shown"]) <= 50
    assert len(data["label_shares"]) <= 40
    if data["coverage"] is not None:
        assert len(data["coverage"]["annotators"]) <= 60
        assert all(len(row) <= 60 for row in data["coverage"]["blocks"])
    if data["label_by_annotator"] is not None:
        assert len(data["label_by_annotator"]["annotators"]) <= 30
        assert len(data["label_by_annotator"]["labels"]) <= 20
    assert labels["matrix"] is None or len(labels["matrix"]["labels"]) <= 25
    assert len(labels["merges"]) <= 10
    assert len(report["items"]["worst"]) <= 200
    if annotators is not None:
        assert len(annotators["rows"]) <= 200
        assert annotators["pairs"] is None or len(annotators["pairs"]["annotators"]) <= 40


def test_matrices_are_square_and_shares_are_shares(report: dict[str, Any]) -> None:
    data = report["data"]
    if data["coverage"] is not None:
        assert len(data["coverage"]["blocks"]) == len(data["coverage"]["annotators"])
        assert all(0 <= cell <= 1 for row in data["coverage"]["blocks"] for cell in row)
    matrix = report["labels"]["matrix"]
    if matrix is not None:
        assert matrix["kind"] in ("confusion", "coincidence")
        assert all(len(row) == len(matrix["labels"]) == len(matrix["counts"]) for row in matrix["counts"])
        assert len(matrix["totals"]) == len(matrix["labels"])
    pairs = (report["annotators"] or {}).get("pairs")
    if pairs is not None:
        names = pairs["annotators"]
        for table in (pairs["values"], pairs["items"]):
            assert [len(row) for row in table] == [len(names)] * len(names)
            assert table == [list(column) for column in zip(*table, strict=True)], "symmetric"
    assert (
        math.isclose(sum(row["share"] for row in data["label_shares"]), 1) or data["multilabel"] or data["labels_more"]
    )


def test_the_renderings_hold_together(made: assent.Report) -> None:
    for text in (made.markdown(), made.latex(), made.json(), made.text(), str(made), repr(made)):
        assert text
        assert "\x1b" not in text, "no escape of a terminal comes through"
        assert "nan" not in text.split(), "no number is missing without being said so"


def test_the_same_seed_gives_the_same_report() -> None:
    def made(seed: int) -> dict[str, Any]:
        content = assent.report(long_data(items=90), by="group", text="text", seed=seed).to_dict()
        del content["made"], content["appendix"]["seconds"]
        return content

    assert made(1) == made(1)
    # Intervals need no draws; what is tested by dealing items anew does.
    assert made(1)["coefficients"]["measures"][0]["ci"] == made(2)["coefficients"]["measures"][0]["ci"]
    assert made(1)["groups"] != made(2)["groups"]


def test_a_report_cannot_be_changed_from_outside() -> None:
    report = assent.report([["a", "b"], ["a", "a"], ["b", "b"]])
    report.to_dict()["verdict"]["sentence"] = "all is well"
    assert "all is well" not in str(report)
    with pytest.raises(AttributeError):
        report.title = "mine"  # type: ignore[misc]


def test_steps_of_a_scale_stand_in_their_order() -> None:
    made = of_example("ordinal-bias").to_dict()
    steps = ["1", "2", "3", "4", "5"]
    assert [one["label"] for one in made["labels"]["by_label"]] == steps
    assert made["labels"]["matrix"]["labels"] == steps
    assert [one["label"] for one in made["data"]["label_shares"]] == steps


def test_a_perfect_study_has_no_disputed_items() -> None:
    document = of_example("perfect").sections["items"].document()
    assert "most disputed" not in str(document)
    assert "agreed on by everybody" in str(document)
