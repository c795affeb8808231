"""`--json` is a contract: these keys, always; full precision; null with a reason where there is no number."""

from __future__ import annotations

import csv
import io
import math
import re
from typing import Any

import pytest
from tests.cli.conftest import Files, Program
from tests.support import label_measures, some

import assent as library

MEASURES = list(label_measures())
EVERY = [part for name in MEASURES for part in ("-m", name)]
#: The contract of the house plan.
DATA = {"items", "annotators", "annotations", "labels", "layout", "dropped"}
MEASURE = {
    "measure",
    "title",
    "value",
    "observed",
    "expected",
    "standard_error",
    "ci",
    "items",
    "annotators",
    "annotations",
    "options",
    "notes",
}
INTERVAL = {"low", "high", "level", "method"}


def keys(one: Any, path: str = "") -> set[str]:
    """The keys of an object and of the objects in it; what an option, a check or a list holds is its own affair."""
    found = set()
    for key, value in one.items():
        found.add(path + key)
        if isinstance(value, dict) and key not in ("options", "missingness"):
            found |= keys(value, f"{path}{key}.")
    return found


@pytest.mark.parametrize("ci", ["analytic", "jackknife", "bootstrap"])
def test_the_keys_of_the_contract_are_there(assent: Program, wide: str, ci: str) -> None:
    done = assent("measure", wide, "--json", "--ci", ci, "--replicates", "50")
    assert (done.code, done.err) == (0, "")
    assert list(done.json)[:2] == ["data", "measures"]
    assert set(done.json["data"]) >= DATA
    for one in done.json["measures"]:
        assert set(one) >= MEASURE
        assert set(one["ci"]) >= INTERVAL


@pytest.mark.parametrize("text", ["1,1,1\n2,1,1\n", "1,1,2\n", "1,1,1\n2,2,2\n3,1,2\n4,1,\n5,1,NA\n"])
def test_no_key_ever_vanishes(assent: Program, file: Files, wide: str, text: str) -> None:
    """Whatever the data and the measure, the keys are those of an ordinary run."""
    usual = assent("measure", wide, "--json", "-m", "fleiss-kappa").json
    here = assent("measure", file("odd.csv", "item,r1,r2\n" + text), "--json", *EVERY).json
    assert set(here) == set(usual)
    assert keys(here["data"]) == keys(usual["data"])
    for one in here["measures"]:
        assert keys(one) == keys(usual["measures"][0]), one["measure"]


def test_the_values_are_those_of_the_contract(assent: Program, wide: str) -> None:
    data = assent("measure", wide, "--json").json["data"]
    assert {key: data[key] for key in DATA} == {
        "items": 7,
        "annotators": 2,
        "annotations": 14,
        "labels": ["a", "b"],
        "layout": "wide",
        "dropped": [],
    }
    one = assent("measure", wide, "--json", "-m", "krippendorff-alpha").only
    assert (one["measure"], one["title"]) == ("krippendorff-alpha", "Krippendorff's alpha")
    assert (one["items"], one["annotators"], one["annotations"]) == (7, 2, 14)
    assert one["options"] == {"scale": "nominal", "weights": "identity", "distance": "nominal", "tree": None}
    # Of seven items few carry the second label; nothing else is worth a note here.
    assert all("another label than the most frequent one" in note for note in one["notes"])
    assert (one["ci"]["level"], one["ci"]["method"]) == (0.95, "etel")


def test_without_a_name_percent_agreement_stands_beside_what_is_corrected_for_chance(
    assent: Program, wide: str
) -> None:
    names = list(assent("measure", wide, "--json").measures)
    assert {"krippendorff-alpha", "percent-agreement"} <= set(names)
    assert library.all_measures()[names[0]].chance_corrected


@pytest.mark.parametrize("ci", ["analytic", "jackknife", "bootstrap"])
def test_numbers_have_full_precision(assent: Program, numbers: str, ci: str) -> None:
    done = assent("measure", numbers, "--json", *EVERY, "--ci", ci, "--replicates", "50", "--seed", "3")
    assert list(done.measures) == MEASURES
    for name, one in done.measures.items():
        agreement = library.all_measures()[name](numbers)
        interval = agreement.confidence_interval(method=ci, replicates=50, seed=3)
        for key in ("value", "observed", "expected"):
            number = getattr(agreement, key)
            assert one[key] == (None if math.isnan(number) else number), name
        assert one["standard_error"] == interval.standard_error, name
        assert (one["ci"]["low"], one["ci"]["high"]) == (interval.low, interval.high), name
        assert one["standard_error"] != round(one["standard_error"], 9), name


def test_without_an_interval_the_keys_are_still_there(assent: Program, wide: str) -> None:
    usual = assent("measure", wide, "--json").json
    done = assent("measure", wide, "--json", "--ci", "none")
    assert set(done.json) == set(usual)
    for one in done.measures.values():
        assert set(one) == set(usual["measures"][0])
        assert one["ci"] is None
        assert one["standard_error"] is None
        assert one["value"] is not None


def test_one_label_for_everything_is_null_with_a_note_or_1(assent: Program, file: Files) -> None:
    path = file("one.csv", "item,r1,r2\n1,1,1\n2,1,1\n3,1,1\n")
    for name, one in some(assent("measure", path, "--json", *EVERY).measures.items()):
        if library.all_measures()[name].chance_corrected:
            # One more item could make it nearly anything: an interval without a value.
            assert one["value"] is None, name
            assert one["ci"]["low"] < one["ci"]["high"], name
            assert any(note.startswith("The value is undefined; the interval holds") for note in one["notes"]), name
    for name, one in some(assent("measure", path, "--json", *EVERY, "--ci", "analytic").measures.items()):
        if library.all_measures()[name].chance_corrected:
            assert one["value"] is None, name
            assert one["standard_error"] is None, name
            assert (one["ci"]["low"], one["ci"]["high"]) == (None, None), name
            assert any(re.search("Undefined.*agreed? on everything", note) for note in one["notes"]), name
            assert any(note.startswith("No interval") for note in one["notes"]), name
        else:
            assert one["value"] == 1.0, name


@pytest.mark.parametrize(
    "rows",
    ["1,1,2\n", "1,1,2\n2,2,1\n", "1,1,1\n2,2,2\n3,4,4\n", "1,1,2\n2,1,2\n3,1,2\n", "1,1,1\n2,1,1\n3,1,2\n"],
    ids=["one item", "two that contradict each other", "all in agreement", "all apart", "one that differs"],
)
@pytest.mark.parametrize("ci", ["analytic", "jackknife", "bootstrap"])
def test_every_null_has_a_reason_and_no_number_is_infinite(assent: Program, file: Files, rows: str, ci: str) -> None:
    path = file("few.csv", "item,r1,r2\n" + rows)
    done = assent("measure", path, "--json", *EVERY, "--ci", ci, "--replicates", "20")
    assert (done.code, done.err) == (0, "")
    for name, one in done.measures.items():  # NaN and Infinity are refused
        if one["value"] is None or one["ci"]["low"] is None or one["standard_error"] is None:
            assert one["notes"], name
        if one["ci"]["low"] is not None:
            assert one["ci"]["low"] <= one["ci"]["high"], name
            assert one["ci"]["low"] <= one["value"] <= one["ci"]["high"] or ci == "bootstrap", name


def test_an_interval_from_too_few_samples_is_null_with_a_note(assent: Program, wide: str) -> None:
    one = assent("measure", wide, "--json", "-m", "spa", "--ci", "bootstrap", "--replicates", "1").only
    assert one["ci"]["low"] is not None or one["notes"]


def test_one_item_has_a_value_and_says_why_it_has_no_interval(assent: Program, file: Files) -> None:
    one = assent("measure", file("one.csv", "item,r1,r2\n1,a,b\n"), "--json", "-m", "percent-agreement").only
    assert one["value"] == 0.0
    assert one["ci"]["low"] is one["ci"]["high"] is one["standard_error"] is None
    assert any("one unit" in note for note in one["notes"])


def test_what_is_dropped_is_counted_by_reason(assent: Program, file: Files) -> None:
    text = "item,annotator,label\n1,x,a\n1,y,a\n1,z,\n2,x,b\n2,y,NA\n2,z,b\n,x,a\n3,,a\n3,x,n/a\n3,y,null\n"
    data = assent("measure", file("gaps.csv", text), "--json").json["data"]
    assert {one["reason"]: one["rows"] for one in data["dropped"]} == {
        "no item": 1,
        "no annotator": 1,
        "missing label": 1,
        'missing label ("NA")': 1,
        'missing label ("null")': 1,
    }
    assert data["labels"] == ["a", "b", "n/a"]  # not one of the words for a missing label
    assert (data["items"], data["annotations"]) == (3, 5)


def test_counts_do_not_say_who_annotated(assent: Program, file: Files) -> None:
    done = assent("measure", file("counts.csv", "item,yes,no\n1,3,0\n2,1,2\n3,0,3\n"), "--json")
    assert done.json["data"]["annotators"] is None
    assert done.json["data"]["layout"] == "counts"
    assert {one["annotators"] for one in done.measures.values()} == {None}


HOSTILE = [
    "Aa",
    "BB",
    "1",
    "1.0",
    "01",
    "a",
    "A",
    " x",
    "x",
    "🙂",
    "👩‍👩‍👧",
    "x" * 10_000,
    "None",
    "#",
    "-",
    "'; DROP TABLE t; --",
    "=1+1",
    "a\0b",
    "a\0c",
    "\x1b[31mred",
    "two\nlines",
    'a "quoted" one',
    "a,b",
    "é",
    "e\u0301",
    "\u202eabc",
]


def test_labels_are_printed_as_they_were_written(assent: Program, file: Files) -> None:
    text = io.StringIO()
    csv.writer(text).writerows(
        [["item", "annotator", "label"]] + [[str(i), who, label] for i, label in enumerate(HOSTILE) for who in "xy"]
    )
    done = assent("measure", file("hostile.csv", text.getvalue()), "--json", "-m", "fleiss-kappa")
    assert sorted(done.json["data"]["labels"]) == sorted(HOSTILE)
    assert done.only["value"] == 1.0
    assert done.only["items"] == len(HOSTILE)


def test_the_words_for_a_missing_label_can_be_labels(assent: Program, file: Files) -> None:
    path = file("words.csv", "item,r1,r2\n1,NaN,NA\n2,null,N/A\n3,nan,NaN\n")
    words = [part for word in ("NaN", "NA", "null", "N/A") for part in ("--not-missing", word)]
    assert assent("measure", path, "--json", *words).json["data"]["labels"] == ["N/A", "NA", "NaN", "nan", "null"]


def test_a_p_value_is_there_when_asked_for(assent: Program, wide: str) -> None:
    assert assent("measure", wide, "--json", "-m", "spa").only["p_value"] is None
    one = assent("measure", wide, "--json", "-m", "spa", "--test", "--replicates", "100", "--seed", "4").only
    assert one["p_value"] == library.spa(wide).permutation_test(permutations=99, seed=4)


def test_measures_lists_all_of_them_as_one_object(assent: Program) -> None:
    done = assent("measures", "--json")
    assert (done.code, done.err) == (0, "")
    assert list(done.json) == ["measures"]
    assert [one["measure"] for one in done.json["measures"]] == list(library.all_measures())
    for one in done.json["measures"]:
        assert set(one) >= {"measure", "title", "summary", "scales", "references"}


def test_nothing_but_the_object_is_printed(assent: Program, wide: str) -> None:
    done = assent("measure", wide, "--json")
    assert re.fullmatch(r"\{.*\}\n", done.out, re.DOTALL)
    assert done.out.count("\n{") == 0
