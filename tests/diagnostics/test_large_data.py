"""Crowds and large vocabularies: what is quadratic is not done, and that is said."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.reference.coefficients import largest_kappa

import assent
from assent import Annotations
from assent.analyses.findings.finding import Finding
from assent.analyses.findings.search import findings


def only(data: Any, key: str) -> Finding:
    """The finding of this kind; there must be one."""
    [one] = [one for one in findings(data) if one.key == key]
    return one


def crowd(items: int, annotators: int, labels: int) -> Annotations:
    """Three annotations an item, by annotators who come and go."""
    rng = np.random.default_rng(7)
    truth = np.repeat(rng.integers(0, labels, size=items), 3)
    chosen = np.where(rng.random(3 * items) < 0.3, rng.integers(0, labels, size=3 * items), truth)
    who = (np.repeat(np.arange(items), 3) + np.tile([0, 1, 2], items)) % annotators
    frame = pl.DataFrame({"item": np.repeat(np.arange(items), 3), "annotator": who, "label": chosen})
    return Annotations.from_frame(frame)


def test_many_annotators_and_labels_are_looked_at_in_part_and_that_is_said() -> None:
    data = crowd(12_000, 10_000, 10_000)
    found = findings(data)
    assert [one.key for one in found] == ["rare-label", "unchecked"]
    assert found[1].severity == "info"
    assert "200 of 10,000 annotators" in found[1].sentence
    evidence = found[1].evidence
    assert (evidence["pairs_compared"], evidence["labels_compared"]) == (0, 100)
    totals = np.asarray(data._counts.multiplicities @ data._counts.counts).ravel()
    assert evidence["labels_left_out"] == max(0, np.count_nonzero(totals >= 10) - 100)
    assert found[0].evidence["labels_rare"] >= np.count_nonzero((totals > 0) & (totals < 10))
    assert len(found[0].evidence["labels"]) <= 100


def test_at_most_45_pairs_are_compared_those_with_the_most_in_common() -> None:
    found = only(crowd(4000, 60, 3), "unchecked")
    # Neighbours in the ring of 60 share two items in three, next neighbours one in three.
    assert found.evidence["pairs_compared"] == 45
    assert found.evidence["pairs_left_out"] == 75
    assert "75 others were not" in found.sentence


def test_annotators_who_share_hardly_an_item_are_not_compared() -> None:
    data = Annotations.from_array([["a", "a", None], ["b", None, "b"], [None, "a", "b"]] * 3)
    assert (
        only(data, "unchecked").sentence
        == "No two of the 3 annotators share 10 items, so none were compared with each other."
    )


def test_more_labels_than_a_table_holds_are_taken_as_one() -> None:
    """Forty labels, of which the ten rarest are one in a comparison of two annotators; kappa is that of all."""
    cells = np.diag([*[20] * 30, *[6] * 10])
    cells[0, 1], cells[1, 0] = 40, 2
    cells[38, 39] = 6
    data = Annotations.from_contingency(cells, labels=[f"l{i:02}" for i in range(40)])
    evidence = only(data, "asymmetric-disagreement").evidence
    assert (evidence["first_label"], evidence["second_label"]) == ("l00", "l01")
    assert evidence["kappa"] == pytest.approx(assent.cohen_kappa(data).value)
    assert evidence["kappa_max"] == pytest.approx(largest_kappa(cells))


def test_the_interval_of_many_labels_is_that_of_few() -> None:
    """Beyond 500 labels the interval comes from a formula of its own."""
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 600, size=5)[:, None]
    rows = np.where(rng.random((5, 3)) < 0.4, rng.integers(0, 600, size=(5, 3)), truth)
    data = Annotations.from_array(rows).ordered([str(i) for i in range(600)])
    evidence = only(data, "wide-interval").evidence
    interval = assent.krippendorff_alpha(data).confidence_interval(method="analytic")
    assert (evidence["low"], evidence["high"]) == pytest.approx((interval.low, interval.high))
