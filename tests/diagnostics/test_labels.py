"""Agreement label by label: closed forms against the general machinery."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from tests.properties.tables import large

import assent
from assent import Annotations
from assent.analyses.findings.finding import holm
from assent.analyses.findings.weak_labels import comparable_labels, label_agreement, overall_error
from assent.records import plain
from assent.text import named, percent, probability
from assent.text import number as two_digits


def data(cluster: str | None = None) -> Annotations:
    """Items with two to four annotations, in clusters of eight if asked for."""
    rows = []
    for i, row in enumerate(large(items=160)):
        given = [(j, label) for j, label in enumerate(row) if label is not None]
        rows += [(i, j, label, i // 8) for j, label in given if len(given) > 1]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label", "document"], orient="row")
    return Annotations.from_frame(frame, cluster=cluster)


@pytest.mark.parametrize("cluster", [None, "document"])
def test_values_and_errors_are_those_of_the_measures(cluster: str | None) -> None:
    table = data(cluster)
    found = label_agreement(table._comparable_counts, np.arange(len(table.labels)))
    overall = assent.krippendorff_alpha(table)
    assert found.overall == pytest.approx(overall.value)
    assert overall_error(table._comparable_counts) == pytest.approx(overall.standard_error())
    for i, label in enumerate(table.labels):
        one = assent.krippendorff_alpha(table._binarize(label))
        gap = assent.difference(one, overall)
        assert found.value[i] == pytest.approx(one.value)
        assert found.standard_error[i] == pytest.approx(one.standard_error())
        assert found.gap[i] == pytest.approx(gap.value)
        assert found.gap_error[i] == pytest.approx(gap.standard_error())


def test_items_with_a_label_are_counted() -> None:
    table = Annotations.from_array([["a", "a", "b"], ["a", "b", "b"], ["c", "c", "c"], ["a", "c", "c"]])
    found = label_agreement(table._comparable_counts, np.arange(3))
    assert found.annotations.tolist() == [4, 3, 5]
    assert found.items.tolist() == [3, 2, 2]
    assert found.agreed.tolist() == [1, 1, 2]


def test_a_sparse_matrix_gives_the_same() -> None:
    from msgspec.structs import replace
    from scipy.sparse import csr_array

    counts = data()._comparable_counts
    dense = label_agreement(counts, np.array([0, 2]))
    sparse = label_agreement(replace(counts, counts=csr_array(counts.counts)), np.array([0, 2]))
    for name in ("value", "standard_error", "gap", "gap_error", "annotations", "items", "agreed"):
        assert getattr(sparse, name) == pytest.approx(getattr(dense, name))


def test_no_table_of_all_items_and_labels_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    from msgspec.structs import replace
    from scipy.sparse import coo_array, csr_array

    counts = data()._comparable_counts
    wide = replace(counts, counts=csr_array(counts.counts))

    def refuse(*_: object) -> None:
        raise AssertionError("a sparse table was filled up")

    for kind in (csr_array, coo_array):
        monkeypatch.setattr(kind, "toarray", refuse)
        monkeypatch.setattr(kind, "todense", refuse)
    label_agreement(wide, np.arange(len(counts.labels)))
    overall_error(wide)


def test_two_labels_are_not_compared_and_rare_ones_neither() -> None:
    two = Annotations.from_array([["a", "b"]] * 30)
    assert comparable_labels(two._comparable_counts)[0].tolist() == []
    rare = Annotations.from_array([["a", "b"]] * 30 + [["c", "a"]] * 9 + [["d", "b"]] * 10)
    assert comparable_labels(rare._comparable_counts)[0].tolist() == [0, 1, 3]


def test_only_the_most_frequent_labels_are_compared() -> None:
    rows = [[f"l{i:03}", f"l{i:03}"] for i in range(130) for _ in range(5 + (i >= 40))]
    chosen, left_out = comparable_labels(Annotations.from_array(rows)._comparable_counts)
    assert (len(chosen), left_out) == (100, 30)
    assert set(range(40, 130)) <= set(chosen.tolist())


def test_a_gap_on_many_items_needs_no_scipy_and_agrees_with_it() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, size=8000)[:, None]
    labels = np.where(rng.random((8000, 2)) < 0.2, rng.integers(0, 3, size=(8000, 2)), truth)
    found = label_agreement(Annotations.from_array(labels)._comparable_counts, np.arange(3))
    assert (found.degrees > 1000).all()
    from scipy.special import stdtr

    pooled = np.sqrt(np.mean(found.gap_error**2 * found.annotations) / found.annotations)
    expected = stdtr(found.degrees, found.gap / np.maximum(found.gap_error, pooled))
    assert found.p_values() == pytest.approx(expected, abs=1e-4)


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_numbers_in_sentences() -> None:
    assert [percent(share) for share in (0.0, 0.004, 0.125, 0.5, 0.996, 0.99999, 1.0)] == [
        "0 %",
        "0.4 %",
        "12 %",
        "50 %",
        "99.6 %",
        "99.9 %",
        "100 %",
    ]
    assert (two_digits(-0.001), two_digits(0.456)) == ("0.00", "0.46")
    assert (probability(0.0004), probability(1e-9)) == ("p = 0.0004", "p < 0.0001")
    assert [named(list("abcde")[:n]) for n in (1, 2, 3, 5)] == [
        '"a"',
        '"a" and "b"',
        '"a", "b" and "c"',
        '"a", "b", "c" and 2 more',
    ]
    mixed = {"a": np.float64(1.5), "b": [np.int64(2), float("nan")], "c": np.array([1, 2])}
    assert plain(mixed) == {"a": 1.5, "b": [2, None], "c": [1, 2]}


def test_items_with_one_annotation_are_said_once() -> None:
    said = assent.labels([["a", "a"], ["b", "b"], ["a", "b"], ["a", None]]).text()
    assert said.count("nothing to compare") == 1
    assert "The shares of labels also count 1 item with one annotation, which agreement leaves out." in said
