"""Majority, intersection, ties, and everything that is stated rather than guessed."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from tests.consensus.data import METHODS, Row, annotations

import assent
from assent.errors import InputError, UnsuitableData


def test_a_majority_by_hand() -> None:
    table = [["a", "a", "b"], ["b", "b", "b"], ["a", "b", None], ["c", None, None]]
    found = assent.consensus(table)
    assert found.method == "majority"
    assert found.decided == ["a", "b", None, "c"]
    assert found.confidence.tolist() == [2 / 3, 1.0, 0.5, 1.0]
    assert found.tied.tolist() == [False, False, True, False]
    assert found.tied_labels(2) == ["a", "b"]
    assert found.votes.tolist()[:2] == [2, 3]
    assert found.annotator_scores["matched"].tolist() == [1.0, 1.0, 0.5]
    assert found.converged is found.iterations is found.log_likelihood is None
    assert found.notes == (
        "1 item is tied and has no label; the column tied says between which labels.",
        "1 item with one annotation: nothing confirms its label.",
    )
    assert found.n_undecided == 1
    assert "Majority: 3 of 4 items have a label, 1 is tied.\n" in str(found)


def test_a_tie_of_several_items_is_counted() -> None:
    found = assent.consensus([["a", "b"], ["b", "a"], ["a", "a"]])
    assert found.notes == ("2 items are tied and have no label; the column tied says between which labels.",)


def test_ties_are_drawn_by_lot_on_request_alone_and_the_seed_is_stated() -> None:
    table = [["a", "b"]] * 40 + [["a", "a"]] * 3
    drawn = assent.consensus(table, ties="random", seed=5)
    assert drawn.n_undecided == 0
    assert {*drawn.decided[:40]} == {"a", "b"}
    assert drawn.tied.sum() == 40
    assert drawn.confidence[0] == 0.5
    assert drawn.options == {"ties": "random", "seed": 5}
    assert drawn.notes == ("40 tied items got one of the tied labels at random (seed 5).",)
    assert drawn.decided == assent.consensus(table, ties="random", seed=5).decided
    assert drawn.decided != assent.consensus(table, ties="random", seed=6).decided


def test_an_intersection_by_hand() -> None:
    table = [["a", "a", "a"], ["a", "a", "b"], ["c", None, None], ["b", "b", None]]
    found = assent.consensus(table, "intersection")
    assert found.decided == ["a", None, None, "b"]
    assert found.confidence.tolist()[0] == 1.0
    assert found.table()["confidence"] == [1.0, None, None, 1.0]
    assert not found.tied.any()
    assert "1 item has no label, because there is none that all of their annotators gave." in found.notes
    assert "1 item with one annotation: there is no intersection, and so no label." in found.notes


def test_an_intersection_of_sets_is_the_table_of_marchal_et_al() -> None:
    """Their Table 1: A with A;B gives A, A;B with B;C gives B, A;B twice leaves both."""
    cells = {"c1": ["A", "A;B", "A;B", "A", "[]"], "c2": ["A;B", "B;C", "A;B", "C", "[]"]}
    frame = pl.DataFrame(
        [
            {"item": str(i), "annotator": who, "label": text}
            for who, texts in cells.items()
            for i, text in enumerate(texts, start=1)
        ]
    )
    data = assent.Annotations.from_frame(frame, separator=";")
    found = assent.consensus(data, "intersection")
    assert found.labels == ("A", "B", "C", "[]")
    assert found.decided == ["A", "B", None, None, "[]"]
    assert found.tied_labels(2) == ["A", "B"]
    assert found.confidence.tolist()[:3] == [1.0, 1.0, 0.5]
    assert found.tied.tolist() == [False, False, True, False, False]
    votes = assent.consensus(data, "majority")
    assert votes.labels == data.labels
    assert any(
        "each whole set counts as one label (intersection, sharpening take sets apart)" in one for one in votes.notes
    )


@pytest.mark.parametrize("method", METHODS)
def test_all_of_one_label_is_stated(method: str) -> None:
    found = assent.consensus([["a", "a"], ["a", "a"]], method)
    assert found.decided == ["a", "a"]
    assert found.confidence == pytest.approx([1.0, 1.0])
    assert 'Every annotation is "a": there is nothing to decide.' in found.notes


@pytest.mark.parametrize("method", METHODS)
def test_a_single_annotation_is_stated(method: str) -> None:
    found = assent.consensus([["a", None], ["b", "b"]], method)
    assert any(note.startswith("1 item with one annotation: nothing confirms its label.") for note in found.notes)


def test_annotators_with_one_annotation_or_no_shared_item_are_stated() -> None:
    rows: list[Row] = [
        ("1", "a", "x"),
        ("1", "b", "x"),
        ("2", "a", "y"),
        ("2", "b", "y"),
        ("3", "new", "x"),
        ("4", "a", "x"),
    ]
    found = assent.consensus(annotations(rows), "one-coin")
    assert "1 annotator with one annotation: what is said of them rests on it alone." in found.notes
    assert "1 annotator without an item that somebody else annotated: nothing can be said of them." in found.notes


def test_items_that_nobody_annotated_are_counted() -> None:
    table = [["a", "a"], [None, None], ["b", "b"], [None, None]]
    found = assent.consensus(table)
    assert len(found.items) == 2
    assert "2 items of the table have no annotation and are not in the result." in found.notes
    counts = assent.Annotations.from_counts([[2, 0], [0, 0]], labels=["a", "b"])
    assert "1 item of the table has no annotation and is not in the result." in assent.consensus(counts).notes


def test_counts_have_a_majority_but_nobody_to_judge() -> None:
    counts = assent.Annotations.from_counts([[2, 1], [0, 3], [1, 1]], labels=["a", "b"])
    found = assent.consensus(counts)
    assert found.decided == ["a", "b", None]
    assert found.annotators is None
    assert found.to_dict()["consensus"]["annotators"] is None
    with pytest.raises(UnsuitableData, match="Dawid-Skene judges annotators, and the table does not say who annotated"):
        assent.consensus(counts, "dawid-skene")


def test_confusions_are_dawid_and_skenes_alone() -> None:
    table = [["a", "a"], ["b", "b"]]
    with pytest.raises(assent.OptionError, match="Majority estimates no confusion of labels: use dawid-skene"):
        assent.consensus(table).confusion("1")
    with pytest.raises(assent.OptionError, match='There is no annotator "9"'):
        assent.consensus(table, "dawid-skene").confusion("9")


def test_many_tied_labels_are_not_all_named() -> None:
    rows: list[Row] = [("1", f"w{i}", f"L{i}") for i in range(30)]
    found = assent.consensus(annotations(rows))
    assert len(found.tied_labels(0)) == 30
    assert len(found.table()["tied"][0]) == 20


def test_a_table_of_probabilities_that_is_too_large_is_refused() -> None:
    import numpy as np
    from scipy.sparse import csr_array

    from assent.analyses.consensus.probabilities import Probabilities

    sparse = csr_array((np.ones(1), ([0], [0])), shape=(1_000_000, 10_000))
    with pytest.raises(InputError, match=r"1,000,000 items x 10,000 labels would need 80 GB"):
        Probabilities(given=sparse).dense()


@pytest.mark.parametrize("method", ["majority", "one-coin", "dawid-skene"])
def test_tied_labels_of_all_items_are_those_of_each(method: str) -> None:
    table = [["a", "b"], ["b", "a"], ["a", "a"], ["c", None], ["b", "c"], ["a", "b"]]
    found = assent.consensus(table, method)
    each = [found.probabilities.equal(item) for item in range(6)]
    assert found.probabilities.equal_of(np.arange(6)) == each
    assert found.probabilities.equal_of(np.array([4, 0])) == [each[4], each[0]]
    assert found.probabilities.equal_of(np.array([], dtype=np.int64)) == []
    assert found.table()["tied"] == [found.tied_labels(item) or None for item in range(6)]
