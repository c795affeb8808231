"""What is more than a measure can compare is refused, and what is as much as that is not."""

from __future__ import annotations

import math
from types import ModuleType

import numpy as np
import pytest
from tests import reference

import assent
from assent.errors import UnsuitableData
from assent.measures import conger, multilabel, paired
from assent.profiles import Multiplicities

THREE = [["a", "a", "b"], ["b", "b", "b"], ["a", "c", "a"], ["c", "c", None]]


@pytest.mark.parametrize(
    ("module", "limit", "measure", "most", "says"),
    [
        (conger, "MOST_SHARES", "conger-kappa", 9, "3 annotators and 3 labels"),
        (paired, "PAIRS_COMPARED", "cohen-kappa", 3, "3 annotators and so 3 pairs"),
    ],
)
def test_a_limit_is_what_can_be_compared(
    module: ModuleType, limit: str, measure: str, most: int, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, limit, most)
    assert math.isfinite(assent.all_measures()[measure](THREE).value)
    monkeypatch.setattr(module, limit, most - 1)
    with pytest.raises(UnsuitableData, match=says):
        assent.all_measures()[measure](THREE)


def test_annotators_who_never_meet_cannot_be_compared() -> None:
    with pytest.raises(assent.AssentError, match=r"[Nn]o (two annotators|item)"):
        assent.cohen_kappa([["a", None], [None, "b"], ["b", None]])


def test_no_label_has_no_place_on_a_scale() -> None:
    for options in ({"scale": "ordinal"}, {"weights": "linear"}):
        with pytest.raises(assent.AssentError, match="incomplete=category takes no scale and no weights"):
            assent.cohen_kappa([["1", "2"], ["2", None], ["3", "1"]], incomplete="category", **options)


def test_pairs_are_shown_if_there_are_two_or_more() -> None:
    assert not assent.cohen_kappa([row[:2] for row in THREE]).pairs
    assert len(assent.cohen_kappa(THREE).pairs) == 3
    assert len(assent.cohen_kappa([["a", "b", None], ["b", "b", "b"], ["a", None, "a"], [None, "b", None]]).pairs) == 3
    without_one = [["a", "b", None], ["b", "b", None], ["a", None, "a"], ["b", None, "b"]]
    assert len(assent.cohen_kappa(without_one).pairs) == 2


def test_who_labelled_one_item_or_none_of_a_sample_counts_for_what_he_is() -> None:
    """Cid labelled the last item alone: in a sample without it he is not there."""
    rows = [["a", "a", None], ["b", "b", None], ["a", "b", None], ["b", "b", "a"]]
    agreement = assent.conger_kappa(rows)
    assert agreement.value == pytest.approx(float(reference.conger_kappa(rows).value), rel=1e-12)
    found = agreement.sample.statistic(Multiplicities(1.0 - np.eye(4)))
    known = [float(reference.conger_kappa(rows, times=[int(at != out) for at in range(4)]).value) for out in range(4)]
    assert sorted(found.tolist()) == pytest.approx(sorted(known), rel=1e-12)


def test_sets_are_compared_whole_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    data = {"ann": [{"a"}, {"a", "b"}, {"b"}], "ben": [{"a"}, {"b"}, {"b"}]}
    monkeypatch.setattr(multilabel, "LABELS_IN_PAIRS", 3)
    assert math.isfinite(assent.boot_f1(data, expected="permute").value)
    monkeypatch.setattr(multilabel, "LABELS_IN_PAIRS", 2)
    assert math.isfinite(assent.boot_f1(data).value)
    with pytest.raises(UnsuitableData, match="3 distinct sets, and permute compares each with each"):
        assent.boot_f1(data, expected="permute")


def test_precision_is_what_of_the_others_labels_the_reference_has() -> None:
    """Of Ben's a and b Ann has a, and Ben has all that Ann has."""
    data = {"ann": [{"a"}, {"c"}], "ben": [{"a", "b"}, {"c"}]}
    for which, other, precision, recall in (("first", "second", 0.75, 1.0), ("second", "first", 1.0, 0.75)):
        for measure, known in ((assent.boot_precision, precision), (assent.boot_recall, recall)):
            found = measure(data, reference=which)
            assert found.observed == known
            assert any(
                f"the {which} annotator (the other way round with `reference` {other})" in note for note in found.notes
            )


def test_sets_match_if_they_share_a_label_or_have_none() -> None:
    data = {"ann": [{"a"}, {"a"}, {"a"}, set(), set()], "ben": [{"a", "b"}, {"b"}, {"a"}, {"b"}, set()]}
    assert assent.boot_match(data).observed == 3 / 5
