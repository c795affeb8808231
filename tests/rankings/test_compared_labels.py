"""Labels that are compared by a distance, each pair once, against loops over pairs."""

from __future__ import annotations

import math
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

import assent
from assent.data.distance_labels import with_distance
from assent.errors import InputError
from assent.measures import _by_distance
from assent.measures._by_distance import Compared, SampledDistances, to_others
from assent.profiles import Multiplicities

LABELS = [1.0, 4.0, 6.0]


def uneven(first: float, second: float) -> float:
    """Farther upwards than downwards."""
    return abs(second - first) * (2.0 if second > first else 1.0)


def compared(both_ways: bool) -> Compared:
    made = Compared(LABELS, uneven, lambda at: ("The label", str(LABELS[at])))
    made.both_ways = both_ways
    return made


def test_a_pair_is_compared_once_in_the_order_of_the_labels_or_both_ways() -> None:
    for both, factor in ((False, 2.0), (True, 1.5)):
        made = compared(both)
        for first in range(3):
            for second in range(3):
                assert made(first, second) == factor * abs(LABELS[first] - LABELS[second])
        assert len(made.known) == 3
    assert not Compared(LABELS, uneven, lambda at: ("", "")).both_ways


def test_the_mean_distance_to_the_others_of_an_item() -> None:
    """Items of three, one and two annotations, in no order."""
    item, label = np.array([2, 0, 2, 1, 0, 2]), np.array([0, 1, 0, 2, 2, 2])
    made = compared(True)
    known = [
        np.mean([made(int(label[i]), int(label[j])) for j in range(6) if j != i and item[j] == item[i]])
        if (item == item[i]).sum() > 1
        else math.nan
        for i in range(6)
    ]
    assert to_others(made, item, label) == pytest.approx(np.array(known), nan_ok=True)


@pytest.mark.parametrize("sparse", [False, True])
def test_agreement_of_all_pairs_is_estimated_from_those_that_were_drawn(sparse: bool) -> None:
    """A drawn pair counts by how often its labels are given now, compared with then; an annotation agrees with itself."""
    near = [0.2, 0.5, 0.9]
    made = SampledDistances(
        within=np.zeros(2), used=np.array([0, 2]), base=np.array([4.0, 5.0]), first=np.array([0, 1, 0]), second=np.array([1, 0, 0]),
        near=np.array(near), largest=1.0, name="x",
    )  # fmt: skip
    table: Any = np.array([[1, 0, 2], [0, 1, 1]])
    features = made.features(csr_array(table) if sparse else table)
    dense = features if isinstance(features, np.ndarray) else features.toarray()
    assert dense.tolist() == [[1, 2, 3], [0, 1, 2]]
    first, second = np.array([2.0, 3.0, 6.0]), np.array([4.0, 1.0, 7.0])
    weights = [2 / 4 * 1 / 5, 3 / 5 * 4 / 4, 2 / 4 * 4 / 4]
    mean = sum(w * n for w, n in zip(weights, near, strict=True)) / sum(weights)
    assert made.between(first, second) == pytest.approx(6 + 6 * (7 - 1) * mean)
    assert made.between(first[None], second[None]) == pytest.approx([6 + 6 * (7 - 1) * mean])
    assert made.given(first) == (made, pytest.approx(first))
    with pytest.raises(InputError, match="only a sample was compared"):
        made.of(first, second)


def test_a_distance_that_is_not_the_same_both_ways_is_the_mean_of_both() -> None:
    rows = [["1", "4"], ["4", "4"], ["6", "1"], ["1", "1"]]
    found = assent.krippendorff_alpha(rows, distance="tests.rankings.test_compared_labels:uneven_of_texts")
    even = assent.krippendorff_alpha(rows, distance="tests.rankings.test_compared_labels:even_of_texts")
    assert found.value == pytest.approx(even.value, rel=1e-12)
    assert any("is not the same both ways" in note for note in found.notes)
    assert not any("is not the same both ways" in note for note in even.notes)


def uneven_of_texts(first: str, second: str) -> float:
    return uneven(float(first), float(second)) / 15


def even_of_texts(first: str, second: str) -> float:
    return 1.5 * abs(float(first) - float(second)) / 15


def number_line(first: str, second: str) -> float:
    """Up to 8: the largest distance is the one that counts as no agreement."""
    return abs(float(first) - float(second))


#: Labels that repeat within an item, items that repeat, two to four annotations.
ROWS = [
    ["1", "1", "4", "4"], ["1", "1", "4", "4"], ["6", "6", "6", None], ["9", "6", None, None], ["9", "6", None, None], ["1", "4", "1", None],
    ["9", "9", "9", "1"],
]  # fmt: skip


def slow_distances() -> dict[str, float]:
    """Pairs of annotations one by one, within an item and between different ones."""
    given = [[float(one) for one in row if one is not None] for row in ROWS]
    labels = [(item, one) for item, row in enumerate(given) for one in row]
    within = [abs(a - b) for row in given for i, a in enumerate(row) for j, b in enumerate(row) if i < j]
    across = [abs(a - b) for i, (p, a) in enumerate(labels) for j, (q, b) in enumerate(labels) if i < j and p != q]
    every = [abs(a - b) for i, (_, a) in enumerate(labels) for j, (_, b) in enumerate(labels) if i < j]
    by_items = sum(
        sum(abs(a - b) for i, a in enumerate(row) for j, b in enumerate(row) if i != j) / (len(row) - 1)
        for row in given
    ) / len(labels)
    mean, cross = sum(every) / len(every), sum(across) / len(across)
    return {
        "alpha": 1 - by_items / mean,
        "alpha_cross_item": 1 - by_items / cross,
        "observed_distance": sum(within) / len(within),
        "expected_distance": mean,
        "expected_distance_cross_item": cross,
        "sigma": sum(sum(b < a for b in across) / len(across) < 0.05 for a in within) / len(within),
        "ks": max(
            sum(a <= x for a in within) / len(within) - sum(b <= x for b in across) / len(across)
            for x in {*within, *across}
        ),
        "monte_carlo_error": 0.0,
    }


def test_alpha_and_what_comes_with_it_is_that_of_all_pairs() -> None:
    found = assent.krippendorff_alpha(ROWS, distance="tests.rankings.test_compared_labels:number_line")
    known = slow_distances()
    assert found.value == pytest.approx(known.pop("alpha"), rel=1e-12)
    assert {name: found.details[name] for name in known} == pytest.approx(known, rel=1e-12)


@pytest.mark.parametrize("sampled", [False, True])
@pytest.mark.parametrize(("distance", "unit", "largest"), [("number_line", 1.0, 8.0), ("even_of_texts", 0.1, 1.0)])
def test_no_agreement_is_the_largest_distance_or_1(
    distance: str, unit: float, largest: float, sampled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_by_distance, "DISTANCES_COMPUTED", 0 if sampled else 6)
    found = assent.krippendorff_alpha(ROWS, distance=f"tests.rankings.test_compared_labels:{distance}")
    known = slow_distances()
    observed = (1 - known["alpha"]) * known["expected_distance"] * unit
    assert found.observed == pytest.approx(1 - observed / largest, rel=1e-12)
    assert found.expected == pytest.approx(1 - found.details["expected_distance"] / largest, rel=1e-12)


def test_random_pairs_come_near_all_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Within five times the Monte Carlo error, which is that of a mean of so many pairs; what lies within items is exact."""
    monkeypatch.setattr(_by_distance, "DISTANCES_SAMPLED", 4_000)
    known = slow_distances()
    for most in (6, 5):
        # Four labels are six pairs.
        monkeypatch.setattr(_by_distance, "DISTANCES_COMPUTED", most)
        found = assent.krippendorff_alpha(ROWS, distance="tests.rankings.test_compared_labels:number_line")
        assert any("too many distinct labels" in note for note in found.notes) == (most == 5)
    error = found.details["monte_carlo_error"]
    assert 0 < error < 0.02
    assert found.value == pytest.approx(known["alpha"], abs=5 * error)
    assert found.details["observed_distance"] == pytest.approx(known["observed_distance"], rel=1e-12)
    for name in ("alpha_cross_item", "expected_distance", "expected_distance_cross_item"):
        assert found.details[name] == pytest.approx(known[name], rel=0.06)
    assert found.details["ks"] == pytest.approx(known["ks"], abs=0.05)


class Drawn:
    """A generator of random numbers that draws each number there is once."""

    def integers(self, low: int, high: int, size: int) -> Any:
        assert high - low == size
        return np.arange(low, high)


def drawn(
    rows: list[list[str | None]],
    number: int,
    monkeypatch: pytest.MonkeyPatch,
) -> SampledDistances:
    """Distances of the pairs of annotations that are drawn with the seed 0."""
    items = assent.Annotations.from_array(rows)._comparable_counts
    made = Compared(items.labels, number_line, lambda at: ("The label", items.labels[at]))
    monkeypatch.setattr(_by_distance, "DISTANCES_SAMPLED", number)
    with monkeypatch.context() as patched:
        patched.setattr(np.random, "default_rng", {0: Drawn()}.__getitem__)
        return _by_distance._sampled(made, items)


def test_if_every_pair_is_drawn_nothing_is_left_to_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """22 annotations are 22 x 21 ordered pairs."""
    found = drawn(ROWS, 22 * 21, monkeypatch)
    known = {name: value for name, value in slow_distances().items() if name not in ("alpha", "monte_carlo_error")}
    assert {name: found.details[name] for name in known} == pytest.approx(known, rel=1e-12)
    assert found.largest == 8.0


def test_every_two_annotations_are_drawn_with_the_same_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that stand side by side no more often than others, and none with itself."""
    rows = [["1", "2", None], ["3", "4", "5"], ["6", "7", None], ["8", "9", None]]
    found = drawn(rows, 9 * 8, monkeypatch)
    assert sorted(zip(found.first, found.second, strict=True)) == list(permutations(range(9), 2))


def test_the_jackknife_leaves_out_one_item_after_the_other_with_the_pairs_that_were_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_by_distance, "DISTANCES_COMPUTED", 0)
    found = assent.krippendorff_alpha(ROWS, distance="tests.rankings.test_compared_labels:number_line")
    weights = found.sample.multiplicities
    left = [
        float(found.sample.statistic(Multiplicities(weights - one)))
        for one, times in zip(np.eye(len(weights)), weights, strict=True)
        for _ in range(times)
    ]
    assert len(left) == len(ROWS)
    known = math.sqrt(6 / 7 * sum((one - np.mean(left)) ** 2 for one in left))
    assert found.standard_error("jackknife") == pytest.approx(known, rel=1e-9)


def nowhere(first: str, second: str) -> float:
    return 0.0


def test_random_pairs_that_are_all_the_same_leave_alpha_undefined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_by_distance, "DISTANCES_COMPUTED", 0)
    found = assent.krippendorff_alpha(ROWS, distance="tests.rankings.test_compared_labels:nowhere")
    assert math.isnan(found.value)
    assert math.isnan(found.details["monte_carlo_error"])
    assert not any("nan" in note for note in found.notes)


def test_data_with_a_distance_keep_what_it_compared_but_not_for_another() -> None:
    data = with_distance([["1", "40"], ["300", "300"]], "levenshtein")
    own = _by_distance.compared_labels(data, "levenshtein")
    assert _by_distance.compared_labels(data, "levenshtein") is own
    other = _by_distance.compared_labels(data, "tests.rankings.test_compared_labels:number_line")
    assert {other(a, b) for a in range(3) for b in range(a)} == {39.0, 260.0, 299.0}


#: 0.3 to eleven digits, as a difference of large numbers leaves it.
NEARLY = (1e6 + 0.3) - 1e6


@pytest.mark.parametrize(
    ("values", "weights", "far", "close"),
    [
        # What is the same but for rounding beside the largest distance, within items or between them, is not farther.
        ([0.0, NEARLY], [0.0, 1.0], [0.3, 1e6], 1.0),
        ([0.0, NEARLY, 1e6], [0.0, 1.0, 1.0], [0.3], 0.5),
        # One of 20 is no less than 5 %, one of 21 is.
        ([0.0, 2.0], [0.0, 1.0], [1.0] + [3.0] * 19, 0.0),
        ([0.0, 2.0], [0.0, 1.0], [1.0] + [3.0] * 20, 1.0),
        ([0.0], [1.0], [0.0], 1.0),
    ],
)
def test_a_distance_is_close_if_fewer_than_a_twentieth_between_items_are_smaller(
    values: list[float], weights: list[float], far: list[float], close: float
) -> None:
    found, _ = _by_distance._closeness(np.array(values), np.array(weights), np.array(far), np.ones(len(far)))
    assert found == close


def test_ks_is_the_most_by_which_distances_within_items_are_ahead() -> None:
    """Of those within items 3 of 4 are 1 or less, of those between items 1 of 4; up to 2 it is all against 3 of 4."""
    values, weights, far = (
        np.array([0.0, 1.0, 1.0, 2.0]),
        np.array([1.0, 1.0, 1.0, 1.0]),
        np.array([1.0, 2.0, 2.0, 3.0]),
    )
    assert _by_distance._closeness(values, weights, far, np.ones(4))[1] == 0.5
    assert _by_distance._closeness(values[:1], weights[:1], far, np.ones(4))[1] == 1.0


def test_two_labels_are_compared_both_ways_if_these_differ() -> None:
    """6 / 15 upwards and 3 / 15 downwards, in one item of three."""
    rows = [["1", "4"], ["4", "4"], ["1", "1"]]
    found = assent.krippendorff_alpha(rows, distance="tests.rankings.test_compared_labels:uneven_of_texts")
    assert any("is not the same both ways" in note for note in found.notes)
    assert found.details["observed_distance"] == pytest.approx((6 + 3) / 2 / 15 / 3, rel=1e-12)


def test_labels_that_occur_once_are_compared_with_those_of_other_items() -> None:
    """5 and 8 from 1, 2 and 5 from 4."""
    found = assent.krippendorff_alpha(
        [["1", "4"], ["6", "9"]], distance="tests.rankings.test_compared_labels:number_line"
    )
    assert found.details["expected_distance_cross_item"] == pytest.approx((5 + 8 + 2 + 5) / 4, rel=1e-12)


def test_a_set_of_nothing_is_1_from_any_other() -> None:
    data = {"ann": [set(), {"1"}, {"1"}, set()], "ben": [{"4"}, set(), {"1"}, set()]}
    found = assent.krippendorff_alpha(data, distance="tests.rankings.test_compared_labels:number_line")
    assert found.details["observed_distance"] == pytest.approx(2 / 4, rel=1e-12)


def test_a_distance_of_sets_is_that_of_the_nearest_members() -> None:
    """Of {1, 6} and {4}: from 1 to 4 and from 6 to 4 on average, and from 4 to the nearer of both."""
    data = {"ann": [{"1", "6"}, {"1"}, {"4"}], "ben": [{"4"}, {"1"}, {"1", "4"}]}
    found = assent.krippendorff_alpha(data, distance="tests.rankings.test_compared_labels:number_line")
    first, third = ((3 + 2) / 2 + 2) / 2, (0 + (3 + 0) / 2) / 2
    assert found.details["observed_distance"] == pytest.approx((first + 0 + third) / 3, rel=1e-12)
