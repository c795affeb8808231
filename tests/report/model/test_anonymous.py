"""An anonymous report: no name of an annotator or an item is anywhere in it, and every number stays what it was."""

from __future__ import annotations

from collections import Counter
from typing import Any

import polars as pl
import pytest
from tests.report.model.studies import clustered_data, long_data, long_rows, read

import assent
from assent.examples import EXAMPLES

ROWS = long_rows()
NAMES = {row[0] for row in ROWS} | {row[1] for row in ROWS} | {row[4] for row in ROWS}


def leaks(report: assent.Report, names: set[str], *, page: bool = False) -> list[tuple[str, str]]:
    """Find names in all renderings; the page, which takes a second to draw, on request."""
    texts = {"json": report.json(), "markdown": report.markdown(), "latex": report.latex(), "text": str(report)}
    texts |= {"html": report.html()} if page else {}
    return [(kind, name) for kind, text in texts.items() for name in names if name in text]


def test_no_name_is_in_any_rendering() -> None:
    report = assent.report(long_data(), by="group", text="text", anonymise=True, command="assent report name 0.csv")
    assert leaks(report, NAMES, page=True) == []
    assert leaks(assent.report(long_data(), by="group", text="text"), NAMES) != [], "the search would find them"
    content = report.to_dict()
    assert content["appendix"]["command"] is None
    assert content["appendix"]["settings"]["text"] is None
    assert all(row["text"] is None for row in content["items"]["worst"])


def test_annotators_are_numbered_by_their_annotations() -> None:
    content = assent.report(long_data(), anonymise=True).to_dict()
    work = Counter(row[1] for row in ROWS).most_common()
    shown = content["data"]["per_annotator"]["shown"]
    assert [(row["annotator"], row["annotations"]) for row in shown] == [
        (f"A{i}", n) for i, (_, n) in enumerate(work, start=1)
    ]


def test_items_are_numbered_in_the_order_of_the_table() -> None:
    report = assent.report(long_data(), anonymise=True)
    named = assent.report(long_data())
    number = {name: str(i) for i, name in enumerate(dict.fromkeys(row[0] for row in ROWS), start=1)}
    mine = {row["item"]: row["counts"] for row in report.to_dict()["items"]["worst"]}
    theirs = {number[row["item"]]: row["counts"] for row in named.to_dict()["items"]["worst"]}
    assert mine == theirs
    assert report.items is not None
    assert set(report.items.columns()["item"]) == set(number.values()), "the table of all items is anonymous, too"


def test_numbers_stay_what_they_were() -> None:
    data = long_data(items=300)
    report, named = (assent.report(data, by="group", anonymise=hidden).to_dict() for hidden in (True, False))
    for section in ("coefficients", "labels", "groups", "plan", "sparse"):
        for mine, theirs in zip(numbers(report[section]), numbers(named[section]), strict=True):
            assert mine == pytest.approx(theirs, abs=1e-12)
    assert report["annotators"]["flagged"] == named["annotators"]["flagged"]


def numbers(value: Any) -> list[float]:
    """All numbers in a section, in order; those beside names of annotators, which come in another order, left out."""
    if isinstance(value, dict):
        return [n for key, one in value.items() if key not in ("pairs", "evidence", "sentences") for n in numbers(one)]
    if isinstance(value, list):
        return [n for one in value for n in numbers(one)]
    return [float(value)] if isinstance(value, int | float) else []


def test_notes_on_reading_do_not_name_annotators() -> None:
    data = read("text,ana,ben,cem\n1,x,x,y\n2,y,y,y\n3,x,y,x\n4,x,x,x\n", columns=["text"])
    assert any("ana" in note for note in data.notes), "the note would give them away"
    report = assent.report(data, anonymise=True)
    assert leaks(report, {'"ana"', '"ben"', '"cem"', "ana,", ">ana<"}) == []
    assert report.to_dict()["data"]["notes"] == []


def test_a_confusion_table_has_names_of_annotators_too() -> None:
    data = assent.Annotations.from_contingency(
        [[9, 2], [3, 8]], labels=["x", "y"], annotators=("Anastasia", "Benedikt")
    )
    report = assent.report(data, anonymise=True)
    assert leaks(report, {"Anastasia", "Benedikt"}) == []
    assert report.to_dict()["labels"]["matrix"]["rows"] == "A1"


def test_sets_of_labels_stay_sets() -> None:
    one = EXAMPLES["multi-label"]
    report, named = (assent.report(one.data(), anonymise=hidden, ambiguity=True) for hidden in (True, False))
    assert leaks(report, {"hana", "idris", "text-0"}) == []
    mine, theirs = (content.to_dict()["coefficients"]["measures"] for content in (report, named))
    assert [m["value"] for m in mine] == pytest.approx([t["value"] for t in theirs], abs=1e-12)
    assert report.to_dict()["multilabel"]["sweep"] is not None, "ranks are kept"


def test_clusters_are_kept_for_the_intervals() -> None:
    report, named = (assent.report(clustered_data(), anonymise=hidden).to_dict() for hidden in (True, False))
    assert report["coefficients"]["measures"][0]["ci"] == pytest.approx(
        named["coefficients"]["measures"][0]["ci"], abs=1e-9
    )


def test_clusters_need_not_be_kept_beside_the_annotations() -> None:
    rows = [
        (f"doc {i // 5}", "uv"[i % 2], i, who, "xy"[(i + (who == "q" and i % 7 == 0)) % 2])
        for i in range(100)
        for who in "pqr"
    ]
    frame = pl.DataFrame(rows, schema=["doc", "side", "item", "annotator", "label"], orient="row")
    data = assent.Annotations.from_frame(frame, cluster="doc", columns=["side"])
    report, named = (assent.report(data, by="side", anonymise=hidden).to_dict() for hidden in (True, False))
    kept = assent.report(clustered_data(), by="side").to_dict()
    for section in ("coefficients", "groups"):
        assert numbers(report[section]) == pytest.approx(numbers(named[section]), abs=1e-9)
        assert numbers(report[section]) == pytest.approx(numbers(kept[section]), abs=1e-9)
    assert "doc 1" not in str(report)


def test_the_order_of_labels_is_kept() -> None:
    data = EXAMPLES["ordinal-bias"].data()
    report, named = (assent.report(data, scale="ordinal", anonymise=hidden).to_dict() for hidden in (True, False))
    assert report["verdict"]["value"] == pytest.approx(named["verdict"]["value"], abs=1e-12)
    assert report["data"]["labels"] == ["1", "2", "3", "4", "5"]


def test_groups_that_are_annotators_are_refused() -> None:
    rows = [(item, who, label, who, text) for item, who, label, _, text in ROWS]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label", "group", "text"], orient="row")
    data = assent.Annotations.from_frame(frame, columns=["group"])
    with pytest.raises(assent.OptionError, match="are names of annotators"):
        assent.report(data, by="group", anonymise=True)


def test_names_are_the_same_in_all_questions() -> None:
    first = read("item,annotator,label\n1,zoe,x\n1,yan,x\n2,zoe,y\n2,yan,x\n3,zoe,y\n")
    second = read("item,annotator,label\n3,zoe,x\n3,yan,x\n2,zoe,y\n2,yan,x\n2,xia,x\n3,xia,y\n1,xia,y\n1,yan,x\n")
    report = assent.report({"a": first, "b": second}, anonymise=True)
    assert leaks(report, {"zoe", "yan", "xia"}) == []
    one, other = (question["report"] for question in report.to_dict()["questions"])
    # zoe gave 5 labels and yan 5, xia 3; of equals the first in the first question's order comes first.
    assert {row["annotator"]: row["annotations"] for row in one["data"]["per_annotator"]["shown"]} == {"A1": 2, "A2": 3}
    assert {row["annotator"]: row["annotations"] for row in other["data"]["per_annotator"]["shown"]} == {
        "A1": 3,
        "A2": 2,
        "A3": 3,
    }
    assert {row["item"] for row in one["items"]["worst"]} == {"1", "2"}
    assert {row["item"]: row["annotations"] for row in other["items"]["worst"]} == {"3": 3, "2": 3, "1": 2}
