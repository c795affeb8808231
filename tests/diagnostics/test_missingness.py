"""Whether what is missing has to do with agreement: the check keeps its level, sees what is there, and says what it does."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from tests.support import every

import assent
from assent import Annotations
from assent.analyses.findings.search import findings
from assent.analyses.missingness import _annotators, _studentised, missingness
from assent.engines import track_transfers


def crowd(rng, items, *, skill, sizes, annotators=30):
    """A crowd: `skill(i, n)` is how often an annotation of item i, one of n, is right."""
    rows = []
    for i in range(items):
        n = int(rng.choice(sizes))
        truth = int(rng.integers(3))
        for who in rng.choice(annotators, n, replace=False):
            right = rng.random() < skill(i, n)
            rows.append((i, f"w{who}", truth if right else int(rng.integers(3))))
    return Annotations.from_frame(pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row"))


def test_groups_are_means_over_items():
    data = Annotations.from_array(
        [["a", "a", None, None], ["a", "b", None, None], ["b", "b", "b", "a"], ["a", None, None, None]] * 3
    )
    check = missingness(data)
    assert [(g.low, g.high, g.count, g.agreement) for g in check.by_annotations.groups] == [
        (2, 2, 6, 0.5),
        (4, 4, 3, 0.5),
    ]
    assert check.by_scheme["flat"] == assent.spa(data, scheme="flat").value
    # Annotators 3 and 4 gave three labels each: the third agrees with two of three others, the fourth with none.
    fewest = check.by_workload.groups[0]
    assert (fewest.low, fewest.high, fewest.count) == (3, 3, 2)
    assert fewest.agreement == pytest.approx(1 / 3)


def test_the_statistic_is_that_of_a_robust_regression():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=50), rng.normal(size=50)
    x -= x.mean()
    slope = (x @ y) / (x @ x)
    left = y - y.mean() - slope * x
    robust = math.sqrt(((x * left) ** 2).sum()) / (x @ x)
    assert float(_studentised(x, y)) == pytest.approx(slope / robust)


def test_points_that_occur_several_times_count_so_often():
    rng = np.random.default_rng(8)
    x, y, times = rng.normal(size=20), rng.normal(size=20), rng.integers(1, 6, size=20)
    x -= times @ x / times.sum()
    assert _studentised(x, y, times) == pytest.approx(_studentised(np.repeat(x, times), np.repeat(y, times)))


def test_workload_is_that_of_a_loop_over_the_rows():
    """The same items many times over: kinds of items stand for all of them."""
    rng = np.random.default_rng(9)
    few = rng.choice(["a", "b", None], size=(7, 6), p=[0.5, 0.3, 0.2]).tolist()
    table = [few[i] for i in rng.integers(0, 7, size=90)]
    work, agreed = np.zeros(6), np.zeros(6)
    for row in table:
        given = [j for j, label in enumerate(row) if label is not None]
        for j in given if len(given) > 1 else ():
            work[j] += 1
            agreed[j] += sum(row[k] == row[j] for k in given if k != j) / (len(given) - 1)
    found_work, found_agreement = _annotators(Annotations.from_array(table)._comparable_ratings)
    assert found_work.tolist() == work.tolist()
    assert found_agreement == pytest.approx(agreed / work)


@pytest.mark.parametrize("native", ["pandas", "duckdb", "pyspark"], indirect=True)
def test_the_check_is_the_same_wherever_annotations_live(native):
    rng = np.random.default_rng(10)
    rows = [
        (i, f"w{who}", int(rng.integers(3)))
        for i in range(80)
        for who in rng.choice(12, int(rng.integers(2, 5)), replace=False)
    ]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row")
    seen = []
    with track_transfers(seen.append):
        there = missingness(Annotations.from_frame(native(frame)))
    assert there.to_dict() == missingness(Annotations.from_frame(frame)).to_dict()
    assert there.by_workload.method is not None
    assert "annotations" not in [one.question for one in seen]


@pytest.mark.nightly
def test_the_level_is_kept_although_few_annotations_vary_more():
    """Skewed numbers of annotations and items of different difficulty, but no link: 5 % of 300 checks, and no more."""
    rng = np.random.default_rng(1)
    low = 0
    for _ in range(300):
        difficulty = rng.beta(4, 1, 60)
        data = crowd(rng, 60, skill=lambda i, n, d=difficulty: d[i], sizes=[2, 2, 2, 2, 3, 8])
        low += missingness(data, permutations=199, seed=int(rng.integers(1 << 30))).by_annotations.p_value <= 0.05
    # 27 of 300 are exceeded in one of a thousand such runs.
    assert low <= 27


@pytest.mark.parametrize("thin", [1, 2, 4, 8])
def test_a_few_items_with_another_number_of_annotations_show_nothing(thin):
    counts = [[1, 1]] * thin + [[3, 0]] * 2400 + [[2, 1]] * 99
    data = Annotations.from_counts(counts, labels=["a", "b"])
    check = missingness(data)
    assert check.by_annotations.groups[0].count == thin
    assert math.isnan(check.by_annotations.p_value)
    assert f"too few items have another number of annotations than most (they count as {thin}," in check.sentences[0]
    assert "broken" not in str(check)
    assert "missingness" not in [one.key for one in findings(data)]


def test_a_group_that_is_large_enough_is_tested():
    data = Annotations.from_counts([[1, 1]] * 14 + [[3, 0]] * 300 + [[2, 1]] * 12, labels=["a", "b"])
    assert missingness(data).by_annotations.p_value <= 0.01
    # Half and half: every item carries the slope.
    even = Annotations.from_counts([[1, 1], [3, 0]] * 6, labels=["a", "b"])
    assert missingness(even).by_annotations.p_value <= 0.01


def false_alarms(thin, skill, size, others, runs):
    """How many of some data sets without a link, with `thin` items of `size` annotations beside others of three, have a p-value of 0.05 or less."""
    rng = np.random.default_rng(11)
    low = 0
    for _ in range(runs):
        sizes = [size] * thin + [3] * others
        counts = [np.bincount(np.where(rng.random(n) < skill, 0, rng.integers(0, 3, n)), minlength=3) for n in sizes]
        data = Annotations.from_counts(counts, labels=["a", "b", "c"])
        found = missingness(data, permutations=99, seed=int(rng.integers(1 << 30))).by_annotations.p_value
        assert not math.isnan(found)
        low += found <= 0.05
    return low


@pytest.mark.nightly
@pytest.mark.parametrize(("skill", "size"), every(3, [(0.6, 2), (0.85, 2), (0.85, 5)]))
def test_the_level_is_kept_with_the_thinnest_group_that_is_tested(skill, size):
    # 20 of 200 are exceeded in one of a thousand such runs.
    assert false_alarms(13, skill, size, 200, 200) <= 20


@pytest.mark.nightly
def test_without_the_rule_two_items_would_break_the_level(monkeypatch):
    monkeypatch.setattr("assent.analyses.missingness.FEWEST_APART", 0)
    # 13 of 100 are exceeded in one of two thousand runs of a test that keeps its level.
    assert false_alarms(2, 0.6, 2, 400, 100) > 13


def test_hard_items_with_more_annotations_are_found_and_what_it_does_is_said():
    rng = np.random.default_rng(2)
    data = crowd(rng, 300, skill=lambda i, n: 0.95 if n == 2 else 0.5, sizes=[2, 5])
    check = missingness(data)
    assert check.by_annotations.p_value <= 0.005
    assert check.by_annotations.slope < -0.2
    assert check.by_scheme["edges"] < check.by_scheme["annotations-m1"] < check.by_scheme["flat"]
    assert "too low for the items at large" in check.sentences[0]
    keys = [one.key for one in findings(data)]
    assert "missingness" in keys


def test_items_at_random_raise_no_finding():
    rng = np.random.default_rng(3)
    data = crowd(rng, 300, skill=lambda i, n: 0.8, sizes=[2, 5])
    assert "missingness" not in [one.key for one in findings(data)]
    assert "no sign that how often" in missingness(data).sentences[0]


def test_workload_that_goes_with_agreement_is_found():
    rng = np.random.default_rng(4)
    rows = []
    for i in range(600):
        truth = int(rng.integers(4))
        team = {int(40 * rng.random() ** 2) for _ in range(3)}
        rows += [(i, who, truth if rng.random() < 0.95 - who / 60 else int(rng.integers(4))) for who in team]
    data = Annotations.from_frame(pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row"))
    check = missingness(data)
    assert check.by_workload.slope > 0.1
    assert check.by_workload.p_value <= 0.01
    assert "those who did more agree more" in check.sentences[1]


def test_large_tables_use_the_normal_distribution_and_agree_with_permutations():
    rng = np.random.default_rng(5)
    counts = rng.multinomial(1, [0.6, 0.4], size=6000) + rng.multinomial(1, [0.5, 0.5], size=6000)
    counts[:2000] += rng.multinomial(1, [0.5, 0.5], size=2000)
    large = missingness(Annotations.from_counts(counts, labels=["a", "b"]))
    small = missingness(Annotations.from_counts(counts[1500:3000], labels=["a", "b"]), permutations=1999)
    assert large.by_annotations.method == "normal"
    assert small.by_annotations.method == "permutation"
    x, y = small.by_annotations, missingness(Annotations.from_counts(counts[1500:3000], labels=["a", "b"]), seed=9)
    assert x.p_value == pytest.approx(y.by_annotations.p_value, abs=0.05)


@pytest.mark.parametrize(
    ("table", "note"),
    [
        ([["a", "a"], ["a", "b"]] * 10, "all items have the same number of annotations"),
        ([["a", "a", None], ["a", "b", "a"]], "only 2 items"),
        ([["a", "a", None], ["b", "b", "b"]] * 10, "agreement is the same for all items"),
    ],
)
def test_what_cannot_be_checked_is_said(table, note):
    check = missingness(Annotations.from_array(table))
    assert math.isnan(check.by_annotations.p_value)
    assert note in check.sentences[0]
    assert check.to_dict()["by_annotations"]["p_value"] is None


def test_counts_do_not_say_who_annotated():
    check = missingness(Annotations.from_counts([[2, 0], [1, 2]] * 10, labels=["a", "b"]))
    assert check.by_workload.note == "the table does not say who annotated."


def test_the_same_seed_gives_the_same_digits():
    data = crowd(np.random.default_rng(6), 50, skill=lambda i, n: 0.8, sizes=[2, 4])
    assert missingness(data, seed=3).to_dict() == missingness(data, seed=3).to_dict()
