"""Crowds: memory grows with the annotations, not with pairs of annotators or annotators times labels."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from tests.diagnostics.annotators.simulated import listing, ratings

from assent.analyses.annotators import table as module
from assent.analyses.annotators import tilted
from assent.analyses.annotators.agreement import with_consensus, with_others
from assent.analyses.annotators.annotator_clusters import annotator_clusters
from assent.analyses.annotators.flags import flags, lean
from assent.analyses.annotators.label_bias import label_bias
from assent.analyses.annotators.leave_one_out import _items, _left_out
from assent.analyses.annotators.pairs import partners
from assent.analyses.annotators.relative_agreement import relative_agreement
from assent.analyses.annotators.table import AnnotatorTable

#: Numbers of eight bytes that may be held at once for each annotation.
NUMBERS = 150


def crowd(annotators: int, items: int, labels: int, each: int = 3) -> Any:
    """Annotators who come and go: each item has some of them."""
    rng = np.random.default_rng(0)
    who = rng.integers(0, annotators // each, (items, each)) * each + np.arange(each)
    truth = rng.integers(0, labels, (items, 1))
    said = np.where(rng.random((items, each)) < 0.8, truth, rng.integers(0, labels, (items, each)))
    made = listing(who, said, annotators, 2)
    return type(made)(
        items=made.items,
        labels=tuple(f"l{i}" for i in range(labels)),
        annotators=made.annotators,
        item=made.item,
        label=made.label,
        annotator=made.annotator,
    )


def everything(made: Any) -> None:
    team = AnnotatorTable.of_listing(made)
    stand, uses = relative_agreement(team), label_bias(team)
    flags(team, stand, uses, with_others(team), fdr=0.05, margin=0.05, least=10)
    lean(uses, team, fdr=0.05, margin=0.05, least=10)
    with_consensus(team)
    partners(team)
    annotator_clusters(team)
    apart = ratings(made)
    for _ in _left_out(apart, _items(apart)):
        pass


def peak(made: Any) -> int:
    tracemalloc.start()
    try:
        everything(made)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.nightly
@pytest.mark.parametrize(("annotators", "items", "labels"), [(20_000, 40_000, 5), (20_000, 40_000, 2_000)])
def test_twenty_thousand_annotators_need_no_table_of_pairs(annotators: int, items: int, labels: int) -> None:
    """A table of annotators x annotators would be 3.2 GB, one of annotators x labels up to 320 MB."""
    made = crowd(annotators, items, labels)
    everything(crowd(300, 600, 3))
    assert peak(made) <= 8 * NUMBERS * len(made.item)


def test_memory_grows_with_the_annotations() -> None:
    everything(crowd(300, 600, 3))
    small, large = peak(crowd(2_000, 20_000, 5)), peak(crowd(8_000, 80_000, 5))
    assert large <= 4.5 * small


def test_blocks_hold_every_annotation_once_whatever_their_size(monkeypatch: pytest.MonkeyPatch) -> None:
    made = crowd(30, 200, 4)
    whole = (
        label_bias(AnnotatorTable.of_listing(made)),
        with_others(AnnotatorTable.of_listing(made)),
        relative_agreement(AnnotatorTable.of_listing(made)),
    )
    for chunk in (1, 100, 1000):
        monkeypatch.setattr(module, "MEETINGS_AT_ONCE", chunk)
        team = AnnotatorTable.of_listing(made)
        rows = [block.rows for block in team.blocks()]
        assert np.concatenate(rows).tolist() == list(range(len(team.item)))
        assert max(len(block.cell) for block in team.blocks()) <= max(chunk, 4 * team.shared.max())
        assert label_bias(team).p_value == pytest.approx(whole[0].p_value)
        assert with_others(team).standard_error == pytest.approx(whole[1].standard_error)
        assert relative_agreement(team).p_value == pytest.approx(whole[2].p_value)


def test_intervals_are_the_same_to_the_last_digit_whatever_is_weighed_together(monkeypatch: pytest.MonkeyPatch) -> None:
    made = crowd(30, 200, 4)
    whole = with_others(AnnotatorTable.of_listing(made))
    monkeypatch.setattr(module, "MEETINGS_AT_ONCE", 100)
    monkeypatch.setattr(module, "MEETINGS_KEPT", 0)
    for together in (1, 100, 1000):
        monkeypatch.setattr(tilted, "UNITS_AT_ONCE", together)
        found = with_others(AnnotatorTable.of_listing(made))
        for name in ("observed_low", "observed_high", "low", "high"):
            assert getattr(found, name).tolist() == getattr(whole, name).tolist()


def test_rounding_does_not_keep_the_search_for_an_interval_from_ending(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums of thousands of numbers never come as near as a few do: so many steps are enough for both."""
    for made in (crowd(30, 200, 4), crowd(9, 20_000, 4)):
        ends = []
        for steps in (8, 60):
            monkeypatch.setattr(tilted, "STEPS", steps)
            found = with_others(AnnotatorTable.of_listing(made))
            ends.append([getattr(found, name).tolist() for name in ("observed_low", "observed_high", "low", "high")])
        assert ends[0] == ends[1]


def test_annotations_that_agree_alike_are_weighed_together_for_observed_agreement(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    weighed = []
    original = tilted._Tilt.__init__

    def counting(self: Any, owner: Any, *others: Any) -> None:
        weighed.append(len(owner))
        original(self, owner, *others)

    monkeypatch.setattr(tilted._Tilt, "__init__", counting)
    made = crowd(30, 2_000, 4)
    with_others(AnnotatorTable.of_listing(made))
    observed, corrected = weighed
    # Of the two others on an item none, one or both agree.
    assert observed == 30 * 3
    assert corrected == len(made.item) == 6_000
