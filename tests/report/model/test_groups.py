"""Subgroups: each is measured as if it were alone, and differences are those of independent samples of items."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.report.model.studies import clustered_data, long_data, long_rows
from tests.support import some

import assent
from assent.analyses.findings.finding import holm
from assent.analyses.group_tests import group_p_value
from assent.examples import EXAMPLES
from assent.reports.context import ReportContext, Settings
from assent.reports.sections.groups import groups_section


def annotations(rows: list[Any], **options: Any) -> assent.Annotations:
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label", "group", "text"], orient="row")
    return assent.Annotations.from_frame(frame, columns=["group", "text"], **options)


@pytest.fixture(scope="module")
def part() -> dict[str, Any]:
    return assent.report(long_data(items=900), by="group").to_dict()["groups"]


ROWS = long_rows(items=900)
GROUPS = {name: annotations([row for row in ROWS if row[3] == name]) for name in "xyz"}
REST = {name: annotations([row for row in ROWS if row[3] != name]) for name in "xyz"}


def test_a_group_is_measured_as_if_it_were_alone(part: dict[str, Any]) -> None:
    assert part["column"] == "group"
    assert {row["group"] for row in part["rows"]} == {"x", "y", "z"}
    for row in part["rows"]:
        alone = assent.krippendorff_alpha(GROUPS[row["group"]])
        interval = alone.confidence_interval()
        assert row["value"] == pytest.approx(alone.value, abs=1e-12)
        assert (row["low"], row["high"]) == pytest.approx((interval.low, interval.high), abs=1e-12)
        assert row["items"] == GROUPS[row["group"]].n_items


def test_groups_come_with_the_lowest_first(part: dict[str, Any]) -> None:
    values = [row["value"] for row in part["rows"]]
    assert values == sorted(values)


def test_the_rest_is_everything_else(part: dict[str, Any]) -> None:
    for row in some(part["rows"]):
        mine, others = (assent.krippendorff_alpha(data[row["group"]]) for data in (GROUPS, REST))
        assert row["rest"]["value"] == pytest.approx(others.value, abs=1e-12)
        assert row["rest"]["difference"] == pytest.approx(mine.value - others.value, abs=1e-12)


def test_a_difference_has_the_error_of_two_independent_samples(part: dict[str, Any]) -> None:
    assert len(part["differences"]) == 3
    for row in part["differences"]:
        first, second = (assent.krippendorff_alpha(GROUPS[row[side]]) for side in ("first", "second"))
        error = math.hypot(first.standard_error(), second.standard_error())
        assert row["difference"] == pytest.approx(first.value - second.value, abs=1e-12)
        # The pooled formula centres over both samples, so it differs in the third digit.
        assert row["standard_error"] == pytest.approx(error, rel=5e-3)
        assert row["low"] < row["difference"] < row["high"]
        # Items dealt to the groups anew: for 900 items much what the normal distribution says, up to the draws.
        normal = math.erfc(abs(row["difference"]) / row["standard_error"] / math.sqrt(2))
        assert row["p_value"] == pytest.approx(normal, abs=0.15)
        assert row["p_value"] == group_p_value(first, second, paired=False, seed=0)


def test_differences_are_corrected_by_holm(part: dict[str, Any]) -> None:
    assert [row["p_corrected"] for row in part["differences"]] == holm([row["p_value"] for row in part["differences"]])
    assert all(row["clear"] == (row["p_corrected"] <= 0.05) for row in part["differences"])
    rest = sorted((row["rest"] for row in part["rows"]), key=lambda one: one["p_value"])
    assert [one["p_corrected"] for one in rest] == holm([one["p_value"] for one in rest])


@pytest.mark.nightly
def test_equal_groups_are_seldom_said_to_differ() -> None:
    """Of 60 data sets without a difference some 3 may claim one; 9 or more would be an accident of one in a thousand."""
    claimed, spared = 0, 0
    for seed in range(60):
        found = groups_section(ReportContext(long_data(items=120, seed=seed), Settings(by="group")))
        assert found is not None
        rest = [one.gap for one in found.groups if one.gap is not None]
        assert all(one.clear == (one.p_corrected <= 0.05) for one in rest)
        claimed += any(one.clear for one in rest)
        spared += any(one.p_value <= 0.05 and not one.clear for one in rest)
    assert claimed < 9
    assert spared, "some would be claimed without the correction"


def test_the_ambiguous_kind_of_the_story_is_found() -> None:
    one = EXAMPLES["story"]
    found = assent.report(one.data(), by="kind").to_dict()
    weakest = found["groups"]["rows"][0]
    assert weakest["group"] == "ironic"
    assert weakest["rest"]["clear"]
    assert 'where "kind" is "ironic"' in found["verdict"]["sentence"]


def test_items_in_several_groups_are_matched() -> None:
    """The group of an annotation need not be that of the item, as with the native language of the annotator."""
    rows = [
        (item, who, label, "uv"[who in ("name 0", "name 1")], text)
        for item, who, label, _, text in long_rows(items=150, gaps=0.0)
    ]
    data = annotations(rows)
    found = assent.report(data, by="group").to_dict()["groups"]
    assert "150 items have annotations in several groups" in found["notes"][0]
    first, second = (
        annotations([row for row in rows if row[3] == name])
        for name in (found["differences"][0]["first"], found["differences"][0]["second"])
    )
    # Both groups are pairs of annotators, so kappa would be quoted of each alone; the report quotes what it quotes of all.
    expected = assent.difference(assent.krippendorff_alpha(first), assent.krippendorff_alpha(second))
    assert found["differences"][0]["standard_error"] == pytest.approx(expected.standard_error(), rel=1e-6)


def test_groups_without_anything_to_compare_are_listed_with_the_reason() -> None:
    rows = [*long_rows(items=60), ("lone 1", "name 0", "a", "w", ""), ("lone 2", "name 1", "a", "w", "")]
    found = assent.report(annotations(rows), by="group").to_dict()["groups"]
    lone = found["rows"][-1]
    assert (lone["group"], lone["value"], lone["rest"]) == ("w", None, None)
    assert "nothing to compare" in lone["notes"][0]


def test_annotations_without_a_group_are_counted() -> None:
    rows = [
        (item, who, label, None if item in ("item 0", "item 1") else group, text)
        for item, who, label, group, text in ROWS
    ]
    gone = sum(row[3] is None for row in rows)
    found = assent.report(annotations(rows), by="group").to_dict()["groups"]
    assert f'{gone} annotations without a value of "group" are in no group.' in found["notes"]
    assert {row["group"] for row in found["rows"]} == {"x", "y", "z"}


def test_many_groups_are_compared_with_the_rest_alone() -> None:
    rows = [
        (item, who, label, f"g{int(item.split()[1]) % 40}", text) for item, who, label, _, text in long_rows(items=400)
    ]
    found = assent.report(annotations(rows), by="group").to_dict()["groups"]
    assert len(found["rows"]) == 30
    assert found["differences"] == []
    assert any("30 largest of 40 groups" in note for note in found["notes"])


def test_clusters_stay_together_in_groups() -> None:
    data = clustered_data()
    found = assent.report(data, by="side").to_dict()["groups"]
    assert not any("not over clusters" in note for note in found["notes"])
    row = next(row for row in found["rows"] if row["group"] == "u")
    listing = data.to_rows("doc", "side")
    frame = pl.DataFrame(
        {
            "item": [listing.items[i] for i in listing.item.tolist()],
            "annotator": [data.annotators[i] for i in listing.annotator.tolist()],
            "label": [data.labels[i] for i in listing.label.tolist()],
            "doc": listing.columns["doc"],
            "side": listing.columns["side"],
        }
    ).filter(pl.col("side") == "u")
    alone = assent.krippendorff_alpha(assent.Annotations.from_frame(frame, cluster="doc"))
    interval = alone.confidence_interval()
    assert interval.unit == "doc"
    assert row["low"] == pytest.approx(interval.low, abs=1e-12)


def test_sets_of_labels_have_groups_too() -> None:
    one = EXAMPLES["multi-label"].data()
    listing = one.to_rows()
    frame = pl.DataFrame(
        {
            "item": [listing.items[i] for i in listing.item.tolist()],
            "annotator": [one.annotators[i] for i in listing.annotator.tolist()],
            "label": [one.labels[i] for i in listing.label.tolist()],
            "half": np.where(listing.item < 120, "first", "second"),
        }
    )
    data = assent.Annotations.from_frame(frame, separator=";", ranked=True, columns=["half"])
    found = assent.report(data, by="half").to_dict()["groups"]
    for row in some(found["rows"]):
        mine = assent.Annotations.from_frame(frame.filter(pl.col("half") == row["group"]), separator=";", ranked=True)
        assert row["value"] == pytest.approx(assent.boot_match(mine).value, abs=1e-12)


@pytest.mark.parametrize(("values", "said"), [(["same"], "one value"), ([None], "no value")])
def test_a_column_with_one_value_makes_no_groups(values: list[Any], said: str) -> None:
    rows = [(*row[:3], values[0], row[4]) for row in long_rows()]
    frame = pl.DataFrame(
        rows, schema={"item": str, "annotator": str, "label": str, "group": str, "text": str}, orient="row"
    )
    data = assent.Annotations.from_frame(frame, columns=["group"])
    with pytest.raises(assent.OptionError, match=f"a column with {said}: groups need two or more"):
        assent.report(data, by="group")


def test_two_groups_are_one_comparison_wherever_it_is_shown() -> None:
    """Each was compared with the rest, and both with each other: three p-values of one difference, one of them clear and two not."""
    rng = np.random.default_rng(4)
    rows = []
    for group, items, known in (("a", 60, 0.9), ("b", 20, 0.7)):
        truth = rng.integers(0, 2, items)
        rows += [
            (f"{group}{i}", f"w{j}", "xy"[truth[i] if rng.random() < known else rng.integers(0, 2)], group)
            for i in range(items)
            for j in range(3)
        ]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label", "group"], orient="row")
    made = assent.report(assent.read(frame, columns=["group"]), by="group").to_dict()["groups"]
    (pair,) = made["differences"]
    by_name = {row["group"]: row["rest"] for row in made["rows"]}
    for key in ("p_value", "p_corrected", "clear", "standard_error"):
        assert by_name["a"][key] == by_name["b"][key] == pair[key]
    assert by_name["a"]["difference"] == pair["difference"] == -by_name["b"]["difference"]
    assert (by_name["b"]["low"], by_name["b"]["high"]) == (-pair["high"], -pair["low"])
    assert pair["p_corrected"] == pair["p_value"]
