"""What measures of labels refuse, and what they say besides a number: each sentence where it belongs and nowhere else."""

from __future__ import annotations

import math
import warnings
from typing import Any

import polars as pl
import pytest

import assent
from assent import Annotations
from assent.errors import NothingToCompare, OptionError, UnsuitableData

ROWS = [["1", "1", "2"], ["2", "2", "2"], ["3", "1", "3"], ["1", "3", "1"]]
PAIRS = [["1", "1"], ["2", "1"], ["3", "3"], ["2", "2"]]
SETS = {"ann": [{"a"}, {"a", "b"}, {"c"}], "ben": [{"a", "b"}, {"b"}, {"c"}]}
TREE = {"a": "x", "b": "x", "c": "y"}


def table(rows: list[list[str | None]]) -> Annotations:
    return Annotations.from_triples(
        [(f"j{who}", str(item), one) for item, row in enumerate(rows) for who, one in enumerate(row) if one is not None]
    )


@pytest.mark.parametrize(
    ("measure", "data", "options", "error", "why"),
    [
        (assent.cohen_kappa, ROWS, {}, None, ""),
        (assent.lin_concordance, ROWS, {}, UnsuitableData, "is for 2 annotators and there are 3: use icc or krippendorff-alpha."),
        (assent.lin_concordance, PAIRS, {}, None, ""),
        (assent.icc, ROWS, {"scale": "nominal"}, UnsuitableData, "icc takes the scale interval, not nominal: choose another measure."),
        (assent.icc, ROWS, {"scale": "interval"}, None, ""),
        (assent.fleiss_kappa, SETS, {"weights": "linear"}, OptionError, "Sets of labels take no weights"),
        (assent.krippendorff_alpha, SETS, {"distance": "masi", "weights": "linear"}, OptionError, "weights"),
        (assent.krippendorff_alpha, SETS, {"distance": "masi"}, None, ""),
        (assent.krippendorff_alpha, PAIRS, {"distance": "levenshtein", "scale": "interval"}, OptionError, "goes with no scale and no weights"),
        (assent.krippendorff_alpha, PAIRS, {"distance": "levenshtein", "weights": "linear"}, OptionError, "goes with no scale and no weights"),
        (assent.krippendorff_alpha, PAIRS, {"distance": "levenshtein", "scale": "nominal"}, None, ""),
        (assent.krippendorff_alpha, [["a", "b"], ["c", "c"]], {"distance": "taxonomy", "tree": TREE}, None, ""),
        (assent.krippendorff_alpha, [["a", "b"], ["c", "c"]], {"distance": "levenshtein", "tree": TREE}, OptionError, "`tree` is for the `distance` taxonomy"),
        (assent.krippendorff_alpha, [["a", "b"], ["c", "c"]], {"tree": TREE}, OptionError, "`tree` is for the `distance` taxonomy"),
    ],
)  # fmt: skip
def test_what_does_not_go_together_is_refused(
    measure: Any, data: Any, options: dict[str, Any], error: type[Exception] | None, why: str
) -> None:
    data = table(data) if isinstance(data, list) else data
    if error is None:
        assert abs(measure(data, **options).value) <= 1.0
        return
    with pytest.raises(error, match=why):
        measure(data, **options)


@pytest.mark.parametrize(
    ("measure", "others"),
    [
        (assent.scott_pi, "fleiss-kappa, conger-kappa or krippendorff-alpha"),
        (assent.lin_concordance, "icc or krippendorff-alpha"),
    ],
)
def test_measures_of_two_annotators_name_those_that_take_more(measure: Any, others: str) -> None:
    with pytest.raises(UnsuitableData, match=f"is for 2 annotators and there are 3: use {others}"):
        measure(table(ROWS))


def test_measures_that_compare_for_equality_take_no_weights() -> None:
    found = [
        one
        for one in map(assent.measures.find, assent.all_measures())
        if one.kind == "labels" and one.scales == ("nominal",)
    ]
    assert found
    for measure in found:
        with pytest.raises(OptionError, match="compares labels for equality and takes no weights"):
            measure(table(PAIRS), weights="linear")


def test_items_of_one_annotation_and_incomplete_items_are_counted() -> None:
    gaps: list[list[str | None]] = [
        ["1", "1", "2"],
        ["2", "2", "3"],
        ["1", None, "1"],
        ["2", None, None],
        [None, "3", None],
    ]
    notes = assent.icc(table(gaps)).notes
    assert "2 items have one annotation, which there is nothing to compare with." in notes
    assert "Intraclass correlation uses items that all annotators labelled: 1 other is left out." in notes
    assert "It is a ratio of variances: there is no observed and no expected agreement to show." in notes
    notes = assent.icc(table(gaps[:2])).notes
    assert not any("one annotation" in note or "left out" in note for note in notes)
    notes = assent.krippendorff_alpha(table(gaps)).notes
    assert "2 items have one annotation, which there is nothing to compare with." in notes
    assert not any("ratio of variances" in note or "all annotators labelled" in note for note in notes)
    notes = assent.gwet_ac(table(gaps)).notes
    assert (
        "2 items have one annotation, which there is nothing to compare with (their labels still count towards chance agreement)."
        in notes
    )


def test_a_coefficient_of_two_says_that_it_is_a_mean_where_there_are_more() -> None:
    three = [["1", "1", "2"], ["2", "2", "2"], ["1", "2", "1"], ["1", "1", "1"]]
    (told,) = (note for note in assent.cohen_kappa(table(three)).notes if "mean over pairs" in note)
    assert told.endswith("a pair counts by the items that both labelled (all alike with `average` plain).")
    (plain,) = (note for note in assent.cohen_kappa(table(three), average="plain").notes if "mean over pairs" in note)
    assert plain == "It is the mean over pairs of annotators, which all count alike."
    assert not any("mean over pairs" in note for note in assent.cohen_kappa(table([row[:2] for row in three])).notes)
    assert not any("mean over pairs" in note for note in assent.conger_kappa(table(three)).notes)


def test_items_that_nobody_labelled_together_are_refused() -> None:
    with pytest.raises(NothingToCompare):
        assent.krippendorff_alpha(table([["1", None], [None, "2"]]))
    with pytest.raises(NothingToCompare, match="No item was labelled by all 3 annotators, and icc needs such items"):
        assent.icc(table([["1", "2", None], [None, "2", "1"]]))


def test_pairs_without_a_value_are_counted() -> None:
    """The first two annotators gave one label only; with a fourth of the same kind three pairs have no value."""
    rows = [["1", "1", "2"], ["1", "1", "1"], ["1", "1", "2"]]
    one = assent.cohen_kappa(table(rows)).notes
    assert "1 pair of annotators has an undefined value (all one label) and is left out of the mean." in one
    more = assent.cohen_kappa(table([[*row, "1"] for row in rows])).notes
    assert "3 pairs of annotators have an undefined value (all one label) and are left out of the mean." in more
    for data in ([["1", "2", "2"], ["2", "1", "2"], ["1", "1", "1"]], [["1", "1", "1"]] * 3):
        assert not any("undefined value" in note for note in assent.cohen_kappa(table(data)).notes)


def test_why_numbers_have_no_value() -> None:
    found = assent.lin_concordance(table([["1", "1"], ["1", "1"]]))
    assert 'every annotation is "1"' in found.undefined
    rows: list[list[str | None]] = [["1", "2"], ["1", "2"]]
    assert assent.icc(table(rows), form="3,1").undefined.startswith("Undefined: the labels do not vary enough")


def test_options_name_the_scale_unless_weights_were_given() -> None:
    assert assent.krippendorff_alpha(table(PAIRS), scale="ordinal").options["scale"] == "ordinal"
    assert assent.krippendorff_alpha(table(PAIRS)).options["scale"] == "nominal"
    assert assent.cohen_kappa(table(PAIRS), weights="linear").options["scale"] is None


def test_one_label_has_no_chance_and_raises_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert math.isnan(assent.gwet_ac(table([["1", "1"], ["1", "1"]])).value)


def test_names_follow_the_weights() -> None:
    assert assent.gwet_ac(table(PAIRS)).title == "Gwet's AC1"
    assert assent.gwet_ac(table(PAIRS), weights="linear").title.startswith("Gwet's AC2")


@pytest.mark.parametrize("name", ["measure", "measures"])
def test_measures_are_written_behind_the_data(name):
    with pytest.raises(OptionError, match=r"behind the data, without a name: measure\(data, '[a-z-]+'\)"):
        assent.measure([[1, 2, 1, 2], [1, 2, 2, 2]], **{name: ["cohen-kappa"]})


def test_items_without_a_cluster_are_counted() -> None:
    frame = {
        "item": ["1", "1", "2", "2"],
        "annotator": ["a", "b"] * 2,
        "label": ["x", "y", "x", "x"],
        "text": ["t", "t", None, None],
    }
    data = assent.Annotations.from_frame(pl.DataFrame(frame), cluster="text")
    with pytest.raises(assent.InputError, match=r"^1 item has no cluster: fill the gaps"):
        assent.krippendorff_alpha(data)
