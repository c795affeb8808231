"""With known labels a method's confidence is held against its accuracy."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assent.analyses.consensus.gold import GoldComparison, score


def test_the_mean_confidence_is_over_items_with_a_known_label_and_a_label() -> None:
    found = score(
        "m",
        ["1", "2", "3", "4"],
        ["a", "b", None, "a"],
        ["a", "b"],
        {"1": "a", "2": "a", "3": "b"},
        confidence=[0.9, 0.7, 0.2, 0.1],
    )
    assert found.confidence == pytest.approx(0.8)
    assert found.to_dict()["confidence"] == pytest.approx(0.8)
    assert math.isnan(score("m", ["1"], ["a"], ["a"], {"1": "a"}).confidence)
    assert score("m", ["1"], ["a"], ["a"], {"1": "a"}).to_dict()["confidence"] is None


@pytest.mark.parametrize(("sure", "said"), [(0.97, True), (0.8, False), (0.5, False)])
def test_who_is_surer_than_right_is_said_to_be(sure: float, said: bool) -> None:
    """77 of 100 right at a confidence of 0.97, as Dawid and Skene's method had with annotators who err together."""
    items = [str(i) for i in range(100)]
    right = np.arange(100) < 77
    found = score(
        "dawid-skene",
        items,
        ["a" if one else "b" for one in right],
        ["a", "b"],
        dict.fromkeys(items, "a"),
        confidence=[sure] * 100,
    )
    assert found.overconfident is said
    notes = GoldComparison(scores=(found,), n_items=100, n_unknown_items=0, unknown_labels=()).notes
    assert any("sure of its labels to 97 % on average and right on 77 %" in note for note in notes) is said
