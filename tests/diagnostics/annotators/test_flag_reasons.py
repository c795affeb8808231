"""Which labels were exchanged: the best relabelling, and none where labels are as they should be."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from tests.diagnostics.annotators.simulated import drawn, listing

from assent.analyses.annotators import flag_reasons as module
from assent.analyses.annotators.flag_reasons import swapped
from assent.analyses.annotators.table import AnnotatorTable


def relabelled(mapping: list[int], seed: int = 0, items: int = 300) -> AnnotatorTable:
    """A team whose first annotator gives label ``mapping[l]`` for l."""
    rng = np.random.default_rng(seed)
    who, said, _ = drawn(rng, annotators=5, items=items, each=4, shares=[1] * len(mapping), skill=0.9)
    return AnnotatorTable.of_listing(listing(who, np.where(who == 0, np.array(mapping)[said], said), 5, len(mapping)))


@pytest.mark.parametrize("mapping", [[1, 0, 2], [1, 2, 0], [2, 0, 1, 3], [0, 1, 3, 2]])
def test_the_labels_that_were_exchanged_are_named_and_putting_them_right_brings_agreement_back(
    mapping: list[int],
) -> None:
    team = relabelled(mapping)
    found = swapped(team, 0)
    assert found is not None
    assert dict(found.labels) == {given: meant for meant, given in enumerate(mapping) if given != meant}
    others = np.mean(team.score[team.annotator == 1])
    before = np.mean(team.score[team.annotator == 0])
    assert found.agreement > before + 0.3
    assert found.agreement > others - 0.05


def test_labels_that_are_right_are_left_as_they_are() -> None:
    team = relabelled([0, 1, 2, 3])
    assert all(swapped(team, one) is None for one in range(5))


def test_luck_is_not_taken_for_a_pattern() -> None:
    """With twenty labels and 30 items some relabelling always fits; on the items it was not learnt from it does not."""
    rng = np.random.default_rng(1)
    who, said, _ = drawn(rng, annotators=5, items=40, each=4, shares=[1] * 20, skill=0.9)
    said = np.where(who == 0, rng.integers(0, 20, who.shape), said)
    team = AnnotatorTable.of_listing(listing(who, said, 5, 20))
    found = swapped(team, 0)
    assert found is None or found.agreement < 0.25


def test_the_best_relabelling_is_the_best_of_all() -> None:
    table = np.random.default_rng(2).random((5, 5))
    best = max(permutations(range(5)), key=lambda one: table[range(5), one].sum())
    assert module._best(table).tolist() == list(best)
    assert module._best(np.zeros((3, 3))).tolist() == [0, 1, 2]


def test_of_many_labels_the_most_frequent_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "EXCHANGED_LABELS", 3)
    rng = np.random.default_rng(3)
    who, said, _ = drawn(rng, annotators=5, items=300, each=4, shares=[8, 8, 8, 1, 1], skill=0.9)
    said = np.where(who == 0, np.array([1, 0, 2, 3, 4])[said], said)
    found = swapped(AnnotatorTable.of_listing(listing(who, said, 5, 5)), 0)
    assert found is not None
    assert dict(found.labels) == {0: 1, 1: 0}
