"""Tests of two annotators' disagreements: against statsmodels, against enumeration, and by hand."""

from __future__ import annotations

from itertools import product
from math import comb

import numpy as np
import polars as pl
import pytest

from assent import Annotations, InputError, OptionError, cohen_kappa
from assent.analyses.findings.symmetry import Disagreements, bowker, cap, confusion, distance, stuart_maxwell
from assent.errors import UnsuitableData

SENTIMENT = [[35, 8, 2], [5, 10, 10], [0, 7, 23]]
THREE = [[30, 5, 5], [3, 20, 2], [2, 3, 30]]
#: Unaided distance vision of 7,477 women, right eye by left eye (Stuart 1953; Agresti, Categorical Data Analysis).
VISION = [[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]]
UNEVEN = [[12, 7, 3], [2, 15, 9], [1, 4, 20]]

# statsmodels 0.15.0, SquareTable(table, shift_zeros=False): symmetry() and homogeneity(), as (statistic, df, p).
STATSMODELS = {
    "sentiment": (SENTIMENT, (3.2217194570135748, 3, 0.3586872798317973), (2.6690391459074774, 2, 0.2632846341356152)),
    "three": (THREE, (1.9857142857142858, 3, 0.5753770463856298), (1.6793893129770987, 2, 0.43184236356347416)),
    "vision": (VISION, (19.106550215266772, 6, 0.003987419840428568), (11.95656962298254, 3, 0.007533425054800591)),
    "uneven": (UNEVEN, (5.700854700854701, 3, 0.1271068253832235), (5.258536585365851, 2, 0.07213122187694243)),
}


@pytest.mark.parametrize("name", STATSMODELS)
def test_both_tests_are_those_of_statsmodels(name: str) -> None:
    table, symmetry, homogeneity = STATSMODELS[name]
    for found, expected in (
        (bowker(table, method="chi-squared"), symmetry),
        (stuart_maxwell(table, method="chi-squared"), homogeneity),
    ):
        assert (found.statistic, found.degrees, found.p_value) == pytest.approx(expected, rel=1e-9)
        assert found.method == "chi-squared"


# statsmodels 0.15.0, mcnemar(table, exact=True).pvalue and mcnemar(table, exact=False, correction=False).statistic.
@pytest.mark.parametrize(
    ("table", "p_value", "statistic"),
    [
        ([[40, 18], [2, 40]], 0.0004024505615234375, 12.8),
        ([[20, 5], [10, 15]], 0.30175781249999994, 1.6666666666666667),
        ([[2, 3], [3, 92]], 1.0, 0.0),
        ([[80, 10], [5, 5]], 0.30175781249999994, 1.6666666666666667),
    ],
)
def test_with_two_labels_both_are_mcnemars_exact_test(table: list[list[int]], p_value: float, statistic: float) -> None:
    for test in (bowker, stuart_maxwell):
        found = test(table)
        assert (found.p_value, found.statistic) == pytest.approx((p_value, statistic))
        assert (found.degrees, found.method) == (1, "exact")


def enumerated(table: list[list[int]], statistic: str) -> float:
    """The exact p-value: all ways to turn the disagreements of a table of three labels around."""
    cells = np.array(table)
    pairs = [(0, 1), (0, 2), (1, 2)]
    sums = [int(cells[i, j] + cells[j, i]) for i, j in pairs]

    def value(forth: tuple[int, ...]) -> float:
        excess = np.array([2 * f - m for f, m in zip(forth, sums, strict=True)], dtype=float)
        if statistic == "bowker":
            return float(sum(d * d / m for d, m in zip(excess, sums, strict=True) if m))
        d = np.array([excess[0] + excess[1], excess[2] - excess[0]])
        covariance = np.array([[sums[0] + sums[1], -sums[0]], [-sums[0], sums[0] + sums[2]]], dtype=float)
        return float(d @ np.linalg.solve(covariance, d))

    observed = value(tuple(int(cells[i, j]) for i, j in pairs))
    total = 0.0
    for forth in product(*(range(m + 1) for m in sums)):
        if value(forth) >= observed - 1e-9:
            total += np.prod([comb(m, f) / 2**m for f, m in zip(forth, sums, strict=True)])
    return float(total)


@pytest.mark.parametrize("table", [[[5, 3, 0], [0, 5, 4], [2, 0, 5]], [[9, 6, 1], [1, 9, 5], [0, 1, 9]], SENTIMENT])
def test_a_sparse_table_is_simulated_and_agrees_with_enumeration(table: list[list[int]]) -> None:
    for test, name in ((bowker, "bowker"), (stuart_maxwell, "stuart-maxwell")):
        exact = enumerated(table, name)
        found = test(table, seed=3)
        assert found.method == "simulated"
        assert abs(found.p_value - exact) < 4 * np.sqrt(exact * (1 - exact) / 9999) + 1e-4


def test_the_method_follows_the_counts() -> None:
    assert bowker(VISION).method == "chi-squared"
    assert bowker(SENTIMENT).method == "simulated"
    assert bowker(SENTIMENT).p_value == bowker(SENTIMENT).p_value
    assert bowker(SENTIMENT, seed=1).p_value != bowker(SENTIMENT, seed=2).p_value


def test_the_tests_keep_their_level_on_sparse_tables() -> None:
    """Three labels, twelve disagreements, neither annotator leans."""
    rng = np.random.default_rng(11)
    rejected = {"bowker": 0, "stuart-maxwell": 0}
    for _ in range(400):
        table = np.diag([10, 10, 10])
        for _ in range(12):
            table[tuple(rng.choice(3, size=2, replace=False))] += 1
        rejected["bowker"] += bowker(table, simulations=499).p_value <= 0.05
        rejected["stuart-maxwell"] += stuart_maxwell(table, simulations=499).p_value <= 0.05
    # Three standard errors above 5 % of 400.
    assert max(rejected.values()) <= 33


def test_unused_and_unconfused_labels_change_nothing() -> None:
    padded = np.zeros((6, 6), dtype=int)
    padded[np.ix_([0, 2, 5], [0, 2, 5])] = UNEVEN
    padded[3, 3] = 40
    for test in (bowker, stuart_maxwell):
        expected, found = test(UNEVEN, method="chi-squared"), test(padded, method="chi-squared")
        assert (found.statistic, found.degrees) == pytest.approx((expected.statistic, expected.degrees))


def test_labels_confused_in_separate_groups_are_tested_group_by_group() -> None:
    """a and b are confused, c and d are, and never across: the covariance has two directions without variance."""
    table = [[9, 8, 0, 0], [2, 9, 0, 0], [0, 0, 9, 1], [0, 0, 5, 9]]
    found = stuart_maxwell(table, method="chi-squared")
    assert found.degrees == 2
    assert found.statistic == pytest.approx(36 / 10 + 16 / 6)
    assert found.statistic == pytest.approx(bowker(table, method="chi-squared").statistic)


def test_without_disagreement_there_is_nothing_to_test() -> None:
    for test in (bowker, stuart_maxwell):
        found = test([[5, 0], [0, 5]])
        assert (found.statistic, found.degrees, found.p_value) == (0.0, 0, 1.0)


def test_a_circle_is_asymmetric_but_has_equal_shares() -> None:
    table = [[30, 15, 1], [1, 30, 15], [15, 1, 30]]
    assert bowker(table).p_value < 0.001
    assert stuart_maxwell(table).p_value == 1.0
    assert distance(*totals(table)) == 0.0


def test_clusters_of_one_item_are_items() -> None:
    table = np.array(UNEVEN)
    plain = Disagreements.of(table)
    rows = []
    for place, (forth, back) in enumerate(zip(plain.forth, plain.back, strict=True)):
        unit = np.eye(len(plain.forth))[place]
        rows += [unit] * int(forth) + [-unit] * int(back)
    clustered = Disagreements(plain.one, plain.other, plain.forth, plain.back, np.array(rows))
    for view in (plain.by_pair, plain.by_label):
        found = clustered.test(view, seed=1).p_value
        assert found == pytest.approx(plain.test(view, method="simulated").p_value, abs=0.015)


def test_disagreements_of_one_cluster_are_one_disagreement() -> None:
    """Ten times the same direction within one document says no more than one coin."""
    differ = Disagreements.of([[5, 10], [0, 5]])
    together = Disagreements(differ.one, differ.other, differ.forth, differ.back, np.array([[10.0], [0.0]]))
    assert differ.test(differ.by_pair).p_value == pytest.approx(2 / 2**10)
    assert together.test(together.by_pair).p_value == 1.0


@pytest.mark.parametrize(
    ("table", "value"),
    [
        # Row shares .58, .42, column shares .42, .58: (.84 - .4872) / (1 - .4872).
        ([[40, 18], [2, 40]], (0.84 - 0.4872) / 0.5128),
        ([[2, 3], [3, 92]], 1.0),
        ([[20, 5], [10, 15]], 0.8),
        ([[80, 10], [5, 5]], (0.95 - 0.78) / 0.22),
    ],
)
def test_the_largest_kappa_by_hand(table: list[list[int]], value: float) -> None:
    assert cap(*totals(table)) == pytest.approx(value)


def test_the_largest_kappa_is_reached_when_all_that_can_agree_does() -> None:
    rng = np.random.default_rng(2)
    for _ in range(50):
        table = rng.integers(0, 9, size=(3, 3)) + np.diag([1, 1, 1])
        rows, columns = table.sum(axis=1), table.sum(axis=0)
        best = np.diag(np.minimum(rows, columns))
        # What is left over of the rows goes wherever the columns have room.
        while best.sum() < table.sum():
            best[int(np.argmax(rows - best.sum(axis=1))), int(np.argmax(columns - best.sum(axis=0)))] += 1
        kappa = cohen_kappa(Annotations.from_contingency(best, labels=list("abc"))).value
        assert cap(rows, columns) == pytest.approx(kappa)
        assert cohen_kappa(Annotations.from_contingency(table, labels=list("abc"))).value <= kappa + 1e-12


def totals(table: object) -> tuple[np.ndarray, np.ndarray]:
    cells = np.asarray(table)
    return cells.sum(axis=1), cells.sum(axis=0)


def test_distance_of_label_shares_by_hand() -> None:
    assert distance(*totals([[80, 10], [5, 5]])) == pytest.approx(0.05)
    assert distance(*totals([[40, 18], [2, 40]])) == pytest.approx(0.16)
    # Row totals 45, 25, 30, column totals 40, 25, 35.
    assert distance(*totals(SENTIMENT)) == pytest.approx(0.05)
    for index in (distance, cap):
        assert np.isnan(index(*totals([[0, 0], [0, 0]])))
    assert np.isnan(cap(*totals([[7, 0], [0, 0]])))


@pytest.mark.parametrize("table", [[[1, 2, 3], [4, 5, 6]], [1, 2], [[1, -2], [3, 4]], [[1, np.nan], [3, 4]], [["a"]]])
def test_what_is_no_table_is_refused(table: object) -> None:
    for function in (bowker, stuart_maxwell):
        with pytest.raises(InputError, match="table"):
            function(table)


def test_options_are_checked() -> None:
    with pytest.raises(OptionError, match="method"):
        bowker(SENTIMENT, method="exact-ish")
    with pytest.raises(OptionError, match="simulations"):
        bowker(SENTIMENT, simulations=0)
    labels = 501
    ring = np.eye(labels, k=1) + np.eye(labels)
    with pytest.raises(UnsuitableData, match="merge the rarest"):
        stuart_maxwell(ring)


def test_a_confusion_table_of_any_two_annotators() -> None:
    rows = [["a", "b", "a"], ["a", "a", None], ["b", "b", "a"], [None, "b", "b"], ["c", "a", "a"]]
    data = Annotations.from_array(rows, annotators=["Ann", "Bob", "Cid"])
    assert confusion(data, "Ann", "Bob").tolist() == [[1, 1, 0], [0, 1, 0], [1, 0, 0]]
    assert confusion(data, "Bob", "Ann").tolist() == [[1, 0, 1], [1, 1, 0], [0, 0, 0]]
    assert confusion(data, "Ann", "Cid").tolist() == [[1, 0, 0], [1, 0, 0], [1, 0, 0]]
    assert confusion(data, "Bob", "Cid").sum() == 4
    ordered = data.ordered(["c", "b", "a"])
    assert confusion(ordered, "Ann", "Bob").tolist() == [[0, 0, 1], [0, 1, 0], [0, 1, 1]]


def test_a_contingency_table_comes_back() -> None:
    data = Annotations.from_contingency(VISION, labels=["1", "2", "3", "4"], annotators=("right", "left"))
    assert confusion(data, "right", "left").tolist() == VISION


def test_annotators_are_named_in_errors() -> None:
    data = Annotations.from_array([["a", "a"], ["b", "a"]], annotators=["Ann", "Bob"])
    with pytest.raises(OptionError, match='did you mean "Ann"'):
        confusion(data, "Anne", "Bob")
    with pytest.raises(OptionError, match="two different"):
        confusion(data, "Ann", "Ann")
    with pytest.raises(UnsuitableData, match="not who"):
        confusion(Annotations.from_counts([[2, 0], [1, 1]], labels=["a", "b"]), "1", "2")


def test_a_table_of_too_many_labels_is_refused() -> None:
    labels = [f"l{i}" for i in range(5001)]
    frame = pl.DataFrame(
        {"item": [*range(5001)] * 2, "annotator": ["x"] * 5001 + ["y"] * 5001, "label": labels + labels}
    )
    with pytest.raises(UnsuitableData, match="5,001 labels"):
        confusion(Annotations.from_frame(frame), "x", "y")
