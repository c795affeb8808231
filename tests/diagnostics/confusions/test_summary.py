"""All about the labels in one object: each number is the one its own function gives."""

from __future__ import annotations

import json
import math
import tracemalloc
from itertools import permutations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from tests.diagnostics.confusions.test_coincidences import many_labels
from tests.properties.tables import STABLE, Rows, annotations, large, tables
from tests.support import some

import assent
from assent import Annotations, OptionError
from assent.analyses.findings.symmetry import confusion
from assent.analyses.labels.confusions import disputed_pairs
from assent.analyses.labels.merges import label_merges
from assent.errors import NothingToCompare, UnsuitableData
from assent.limits import MEASURED_LABELS

ROWS = [["a", "a", "b"], ["a", "b", "b"], ["c", "c", "c"], ["a", "c", None], ["b", None, None]]


def test_prevalence_counts_all_annotations_and_agreement_those_that_can_be_compared() -> None:
    found = assent.labels(ROWS)
    assert [(row.label, row.n_annotations, row.n_items) for row in found.rows] == [
        ("a", 4, 3),
        ("b", 4, 3),
        ("c", 4, 2),
    ]
    assert [row.share for row in found.rows] == pytest.approx([1 / 3] * 3)
    # Pairs with an a: aa twice and ab four times of the first two items, each counted half; ac once, counted whole.
    assert [row.specific for row in found.rows] == pytest.approx([1 / 4, 1 / 3, 3 / 4])
    assert (found.rows[0].confused_with, found.rows[0].confused_share) == ("b", pytest.approx(2 / 3))
    assert (found.rows[2].confused_with, found.rows[2].confused_share) == ("a", 1.0)


@pytest.mark.parametrize("measure", ["krippendorff-alpha", "gwet-ac", "cohen-kappa"])
def test_the_coefficient_of_a_label_is_that_against_the_rest(measure: str) -> None:
    data = annotations(large(items=150, gaps=0.1))
    found = assent.labels(data, measure=measure)
    by_label = assent.all_measures()[measure].by_label(data)
    for row in found.rows:
        assert row.agreement is not None
        assert row.interval is not None
        wanted = by_label[row.label]
        assert row.agreement.value == wanted.value
        assert (row.interval.low, row.interval.high) == pytest.approx(
            (wanted.confidence_interval().low, wanted.confidence_interval().high)
        )
    assert found.overall.value == assent.all_measures()[measure](data).value


@given(tables())
@STABLE
def test_specific_agreement_is_the_mean_over_annotations_of_the_others_who_agree(rows: Rows) -> None:
    data = annotations(rows)
    found = assent.labels(data, ci=None)
    for row in some(found.rows):
        shares = []
        for item in rows:
            labels = [label for label in item if label is not None]
            for own, *others in {(i, *(j for j in range(len(labels)) if j != i)) for i in range(len(labels))}:
                if labels[own] == row.label and others:
                    shares.append(sum(labels[j] == row.label for j in others) / len(others))
        if shares:
            assert row.specific == pytest.approx(sum(shares) / len(shares))
        else:
            assert math.isnan(row.specific)


def test_the_standard_error_of_specific_agreement_is_that_of_a_ratio() -> None:
    rows = [row for row in large(items=150) if sum(label is not None for label in row) > 1]
    found = assent.labels(annotations(tuple(rows)))
    row = found.rows[1]
    both, own = [], []
    for item in rows:
        labels = [label for label in item if label is not None]
        pairs = list(permutations(labels, 2))
        both.append(sum(a == b == row.label for a, b in pairs) / (len(labels) - 1))
        own.append(labels.count(row.label))
    residual = [x - sum(both) / sum(own) * y for x, y in zip(both, own, strict=True)]
    number = len(rows)
    assert row.specific_interval is not None
    assert row.specific_interval.standard_error == pytest.approx(
        math.sqrt(number / (number - 1) * sum(r**2 for r in residual)) / sum(own)
    )


def test_the_confusion_matrix_is_that_of_the_two_or_of_the_named() -> None:
    two = Annotations.from_contingency([[20, 5], [10, 15]], labels=["no", "yes"], annotators=("ana", "ben"))
    found = assent.labels(two)
    assert found.annotators == ("ana", "ben")
    assert found.confusion is not None
    assert found.confusion.tolist() == [[20, 5], [10, 15]]
    three = Annotations.from_array(ROWS, annotators=["x", "y", "z"])
    assert assent.labels(three).confusion is None
    named = assent.labels(three, between=("z", "x"))
    assert named.confusion is not None
    assert named.confusion.tolist() == confusion(three, "z", "x").tolist()
    with pytest.raises(OptionError, match='There is no annotator "w"'):
        assent.labels(three, between=("w", "x"))


def test_labels_nobody_used_rare_ones_and_two_spellings_are_named() -> None:
    rows = [["good", "good"]] * 20 + [["bad", "bad"]] * 15 + [["goood", "good"]]
    found = assent.labels(rows, order=["bad", "good", "goood", "ugly"])
    assert found.unused == ("ugly",)
    assert found.rare == ("goood",)
    assert [(one.first, one.second) for one in found.alike] == [("good", "goood")]
    unused = found.rows[3]
    assert (unused.n_annotations, unused.agreement, unused.confused_with) == (0, None, None)
    assert math.isnan(unused.specific)
    # Nothing was changed.
    assert found.coincidences.labels == ("bad", "good", "goood", "ugly")


def test_one_label_or_no_disagreement_is_said() -> None:
    one = assent.labels([["a", "a"], ["a", "a"]])
    assert math.isnan(one.overall.value)
    assert one.pairs == ()
    assert any("no label is confused" in note for note in one.notes)
    assert one.rows[0].specific == 1.0
    assert json.loads(json.dumps(one.to_dict(), allow_nan=False))["labels"][0]["value"] is None
    with pytest.raises(NothingToCompare):
        assent.labels([["a", None], [None, "b"]])


def test_sets_of_labels_are_refused() -> None:
    sets = Annotations.from_array([["a", "b"], ["b", "b"], ["a", "a"]])._as_sets()
    for function in (assent.labels, label_merges, assent.coincidences, assent.ceiling):
        with pytest.raises(UnsuitableData, match="sets of labels"):
            function(sets)
    assert any("agree as far as they share labels" in note for note in assent.items(sets).notes)


def test_on_a_scale() -> None:
    data = annotations(large(items=80))
    ordinal = assent.labels(data, scale="ordinal")
    assert ordinal.overall.value == assent.krippendorff_alpha(data, scale="ordinal").value
    assert ordinal.merges is not None
    assert ordinal.merges.scale == "ordinal"
    interval = assent.labels(data, scale="interval")
    assert interval.merges is None
    assert any("not merged but rounded" in note for note in interval.notes)
    assert interval.to_dict()["merges"] is None


def test_intervals_as_asked_for() -> None:
    data = annotations(large(items=60))
    none = assent.labels(data, ci=None).to_dict()
    assert none["overall"]["ci"] is None
    assert all(row["ci"] is None and row["specific_ci"] is None for row in none["labels"])
    assert all(pair["ci"] is None for pair in none["disputed"])
    drawn = assent.labels(data, ci="bootstrap", replicates=30, seed=4, level=0.8).to_dict()
    assert drawn["labels"][0]["ci"]["replicates"] == 30
    assert drawn["disputed"][0]["ci"]["seed"] == 4
    assert drawn["merges"]["merges"][0]["ci"]["level"] == 0.8
    with pytest.raises(OptionError, match="must not be negative"):
        assent.labels(data, top=-1)


def test_many_labels_are_looked_at_in_part_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0
    original = Annotations._binarize

    def counting(self: Annotations, label: str) -> Annotations:
        nonlocal calls
        calls += 1
        return original(self, label)

    monkeypatch.setattr(Annotations, "_binarize", counting)
    found = assent.labels(many_labels(600), ci=None)
    assert calls == MEASURED_LABELS
    assert sum(row.agreement is not None for row in found.rows) == MEASURED_LABELS
    assert any(f"{MEASURED_LABELS} most frequent of 600" in note for note in found.notes)
    content = found.to_dict()
    assert (content["coincidences"], content["confusion"]) == (None, None)
    assert len(content["labels"]) == 600


@pytest.mark.parametrize("cluster", [None, "document"])
def test_specific_agreement_varies_as_all_items_one_by_one_say(cluster: str | None) -> None:
    rows = []
    for i, row in enumerate(large(items=120, gaps=0.2)):
        rows += [(i, j, label, i // 6) for j, label in enumerate(row) if label is not None]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label", "document"], orient="row")
    data = Annotations.from_frame(frame, cluster=cluster)
    found = assent.labels(data)
    for row in some(found.rows):
        counts = frame.group_by("item", "document").agg(pl.len(), own=(pl.col("label") == row.label).sum())
        counts = counts.filter(pl.col("len") > 1).with_columns(pl.col("len", "own").cast(pl.Int64))
        agreed = counts["own"] * (counts["own"] - 1) / (counts["len"] - 1)
        # The influence of an item on a ratio of sums.
        influence = (agreed - row.specific * counts["own"]) / counts["own"].sum()
        if cluster:
            influence = pl.DataFrame({"at": counts["document"], "by": influence}).group_by("at").agg(pl.sum("by"))["by"]
        units = len(influence)
        error = math.sqrt(units / (units - 1) * ((influence - influence.mean()) ** 2).sum())
        assert row.specific_interval is not None
        assert row.specific_interval.standard_error == pytest.approx(error, rel=1e-10)


def test_items_are_told_apart_by_two_numbers_for_each_label_however_many_there_are() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 300, (1_500, 1))
    said = np.where(rng.random((1_500, 4)) < 0.6, truth, rng.integers(0, 300, (1_500, 4))).astype(object)
    said[rng.random((1_500, 4)) < 0.2] = None
    data = Annotations.from_array(said)
    found = assent.labels(data, top=0)
    sizes = len(set(data._counts.sizes.tolist()))
    assert len(data._counts.multiplicities) > 1_000
    for row in found.rows:
        if row.agreement is not None:
            most = int(row.agreement.profiles.counts[:, 0].max())
            assert len(row.agreement.profiles.multiplicities) <= (most + 1) * sizes
            general = assent.krippendorff_alpha(data._binarize(row.label))
            assert row.agreement.value == pytest.approx(general.value, rel=1e-13)
            assert row.agreement.standard_error() == pytest.approx(general.standard_error(), rel=1e-11)


def test_an_item_with_very_many_annotations_takes_no_room() -> None:
    data = Annotations.from_counts([[10**9, 1], [2, 10**9], [3, 0]], labels=["a", "b"])
    tracemalloc.start()
    try:
        row = assent.labels(data).rows[0]
        assert tracemalloc.get_traced_memory()[1] < 100_000_000
    finally:
        tracemalloc.stop()
    assert row.agreement is not None
    assert row.agreement.value == pytest.approx(assent.krippendorff_alpha(data).value)


def test_coincidences_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from assent.analyses.labels import confusions

    asked = []
    count = confusions._counted
    monkeypatch.setattr(confusions, "_counted", lambda items: asked.append(items) or count(items))
    data = Annotations.from_array(ROWS)
    assent.labels(data)
    disputed_pairs(data)
    assert len(asked) == 1
