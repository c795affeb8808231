"""One hard label is no pair of labels that are taken for each other."""

from __future__ import annotations

import math

import numpy as np
import pytest

import assent
from assent import Annotations
from assent.analyses.labels.confusions import coincidences, disputed_pairs

TEAMS = 30


def one_hard_label(rng: np.random.Generator) -> Annotations:
    """The first label is known in 60 % of its items, the others in 97 %; what is not known is any label."""
    truth, other = (rng.choice(4, size, p=[0.35, 0.25, 0.2, 0.2]) for size in ((300, 1), (300, 3)))
    known = rng.random((300, 3)) < np.where(truth == 0, 0.6, 0.97)
    return Annotations.from_array(np.where(known, truth, other).astype(str).tolist())


def a_confused_pair(rng: np.random.Generator) -> Annotations:
    """A quarter of the first two labels is exchanged; a tenth of all labels is any label."""
    truth, other = rng.integers(0, 4, (300, 1)), rng.integers(0, 4, (300, 3))
    said = np.where(rng.random((300, 3)) < 0.9, truth, other)
    return Annotations.from_array(
        np.where((rng.random((300, 3)) < 0.25) & (said < 2), 1 - said, said).astype(str).tolist()
    )


def test_one_hard_label_is_not_called_a_pair() -> None:
    """By their frequencies it was in 40 of 40 teams."""
    rng = np.random.default_rng(1)
    called = sum(any(one.key == "guideline" for one in assent.advise(one_hard_label(rng))) for _ in range(TEAMS))
    assert called <= 5


def test_a_confused_pair_is_found() -> None:
    rng = np.random.default_rng(2)
    found = 0
    for _ in range(TEAMS):
        first = assent.advise(a_confused_pair(rng))[0]
        found += first.key == "guideline" and first.evidence["labels"] == ["0", "1"]
    assert found >= 26


def test_products_are_what_is_expected() -> None:
    """Disagreement that is a product of two numbers has a ratio of 1, whichever pair is looked at; one cell more has its own."""
    root = np.array([5.0, 3.0, 2.0, 4.0, 1.0])
    rows = [["abcde"[i], "abcde"[j]] for i in range(5) for j in range(i + 1, 5) for _ in range(int(root[i] * root[j]))]
    found = coincidences([*rows, *[[one, one] for one in "abcde"] * 20])
    for place in range(len(found.first)):
        expected, score = found.if_independent(place)
        assert expected == pytest.approx(found.together[place], rel=1e-6)
        assert score == pytest.approx(0, abs=1e-6)
    more = disputed_pairs([*rows, *[["d", "e"]] * 36, *[[one, one] for one in "abcde"] * 20], most=1)[0]
    assert (more.first, more.second) == ("d", "e")
    assert more.independent == pytest.approx(4 / sum(root[i] * root[j] for i in range(5) for j in range(i + 1, 5)))
    assert more.score == pytest.approx(math.log(10) / math.sqrt(1 / 40 + 1 / 40 + 1 / 10 + 1 / 31), rel=1e-6)


def test_three_labels_do_not_tell() -> None:
    pair = disputed_pairs([["a", "b"], ["b", "c"], ["a", "c"], ["a", "b"], ["a", "a"]], most=1)[0]
    assert math.isnan(pair.independent)
    assert pair.to_dict()["independent_share"] is None
