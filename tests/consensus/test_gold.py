"""Scores against known labels."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.consensus import slow
from tests.consensus.data import STABLE, Row, annotations, tables

import assent
from assent.analyses.consensus import wilson_interval
from assent.errors import InputError


def test_a_score_by_hand() -> None:
    rows: list[Row] = [(i, w, c) for i, c in zip("12345", "aabbc", strict=True) for w in "vw"]
    rows += [("6", "v", "a"), ("6", "w", "b")]
    gold = {"1": "a", "2": "b", "3": "b", "4": "b", "5": "d", "6": "a", "99": "a"}
    found = assent.consensus(annotations(rows)).score(gold)
    assert (found.n_items, found.n_decided, found.n_correct) == (6, 5, 3)
    assert found.accuracy == 0.5
    # a: 1 right of 2 known and 2 given; b: 2 of 3 and 2; c: given once, never right; d: known once, never given.
    assert found.macro_f1 == pytest.approx((2 / 4 + 4 / 5 + 0 + 0) / 4)
    assert found.n_unknown_items == 1
    assert found.unknown_labels == ("d",)
    assert found.low < 0.5 < found.high
    assert found.to_dict()["ci"]["method"] == "wilson"


@given(rows=tables(), labels=st.lists(st.sampled_from("abcd"), min_size=7, max_size=7))
@STABLE
def test_scores_are_the_slow_ones(rows: list[Row], labels: list[str]) -> None:
    consensus = assent.consensus(annotations(rows))
    gold = {f"i{n}": label for n, label in enumerate(labels)}
    found = consensus.score(gold)
    accuracy, f1 = slow.accuracy_and_f1(gold, dict(zip(consensus.items, consensus.decided, strict=True)))
    assert found.accuracy == pytest.approx(accuracy)
    assert found.macro_f1 == pytest.approx(f1)


def test_wilsons_interval_is_the_published_one() -> None:
    """Newcombe (1998), Table I, method 3: 81 of 263, 15 of 148, 0 of 20 and 1 of 29."""
    published = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for (correct, items), ends in published.items():
        assert wilson_interval(correct, items) == pytest.approx(ends, abs=5e-5)


@given(st.integers(1, 200), st.data())
@STABLE
def test_wilsons_ends_are_the_shares_that_a_test_just_does_not_reject(items: int, data: st.DataObject) -> None:
    correct = data.draw(st.integers(0, items))
    for end in wilson_interval(correct, items):
        if 0 < end < 1:
            z = (correct / items - end) / math.sqrt(end * (1 - end) / items)
            assert abs(z) == pytest.approx(1.959963985, rel=1e-6)


def test_gold_of_other_items_is_refused() -> None:
    with pytest.raises(InputError, match="None of the 1 items with a known label is among the 2 items of the data"):
        assent.consensus([["a", "a"], ["b", "b"]]).score({"x": "a"})


def test_the_level_is_checked() -> None:
    with pytest.raises(assent.OptionError, match="`level` is 95"):
        assent.consensus([["a", "a"]]).score({"1": "a"}, level=95)
