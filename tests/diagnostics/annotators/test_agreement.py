"""Agreement of one annotator with the others, against loops over every pair, and against known coefficients."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.diagnostics.annotators.simulated import gaps, team
from tests.reference.etel import etel_interval
from tests.support import some

import assent
from assent import Annotations
from assent.analyses.annotators.agreement import wilson, with_consensus, with_others
from assent.analyses.annotators.table import AnnotatorTable
from assent.analyses.nearness import near

TABLES = [
    gaps(np.random.default_rng(seed), 30, annotators, labels)
    for seed, (annotators, labels) in enumerate([(2, 2), (3, 3), (5, 4), (8, 2)])
]


def slow(rows: Any, one: int) -> tuple[float, float]:
    """Observed and expected agreement of an annotator with the others, pair by pair."""
    scores, own, others = [], Counter[str](), Counter[str]()
    for row in rows:
        rest = [label for j, label in enumerate(row) if j != one and label is not None]
        if row[one] is None or not rest:
            continue
        scores.append(np.mean([label == row[one] for label in rest]))
        own[row[one]] += 1
        for label in rest:
            others[label] += 1 / len(rest)
    expected = sum(own[label] * others[label] for label in own) / len(scores) ** 2
    return float(np.mean(scores)), expected


@pytest.mark.parametrize("rows", TABLES, ids=lambda rows: f"{len(rows[0])} annotators")
def test_observed_and_expected_are_what_loops_give(rows: Any) -> None:
    found = with_others(team(rows))
    for one in some(range(len(rows[0]))):
        observed, expected = slow(rows, one)
        assert found.observed[one] == pytest.approx(observed, rel=1e-12)
        assert found.expected[one] == pytest.approx(expected, rel=1e-12)
        assert found.value[one] == pytest.approx((observed - expected) / (1 - expected), rel=1e-12)


def test_with_two_annotators_it_is_cohens_kappa_with_its_standard_error() -> None:
    data = Annotations.from_contingency([[20, 5], [10, 15]], labels=["pos", "neg"])
    found = with_others(AnnotatorTable.of_listing(data.to_rows()))
    kappa = assent.cohen_kappa(data)
    assert found.value == pytest.approx([kappa.value] * 2)
    assert found.standard_error == pytest.approx([kappa.standard_error()] * 2)


@pytest.mark.parametrize(
    ("table", "scale"),
    [
        ([[20, 5], [10, 15]], None),
        ([[19, 1], [0, 0]], None),
        ([[80, 10], [10, 0]], None),
        ([[4, 1, 0], [1, 3, 1], [0, 0, 5]], None),
        ([[9, 1, 0], [4, 8, 3], [0, 1, 5]], "ordinal"),
    ],
)
def test_of_two_annotators_the_intervals_are_those_of_kappa_and_percent_agreement(
    table: list[list[int]], scale: str | None
) -> None:
    """One disagreement in twenty had an interval from -4.2."""
    data = Annotations.from_contingency(table, labels=["1", "2", "3"][: len(table)])
    found = with_others(AnnotatorTable.of(data, near(data, scale)))
    measures = (assent.percent_agreement, assent.cohen_kappa)
    percent, kappa = (one(data, scale=scale).confidence_interval() for one in measures)
    for who in (0, 1):
        assert (found.low[who], found.high[who]) == pytest.approx((kappa.low, kappa.high), rel=1e-9)
        ends = (found.observed_low[who], found.observed_high[who])
        assert ends == pytest.approx((percent.low, percent.high), rel=1e-9)


@pytest.mark.parametrize("annotators", [3, 4])
def test_of_a_team_the_interval_is_that_of_a_slow_reference(annotators: int) -> None:
    draw = np.random.default_rng(annotators)
    same = draw.random((14, annotators)) < 0.7
    rows = np.where(same, draw.choice(list("abc"), (14, 1)), draw.choice(list("abc"), (14, annotators))).tolist()

    def kappa(rows: Any, *, labels: Any, times: Any = None) -> float:
        times = np.ones(len(rows)) if times is None else np.asarray(times)
        shares = times / times.sum()
        agree = shares @ [np.mean([label == row[0] for label in row[1:]]) for row in rows]
        expected = sum(
            (shares @ [row[0] == label for row in rows])
            * (shares @ [np.mean([x == label for x in row[1:]]) for row in rows])
            for label in labels
        )
        return float((agree - expected) / (1 - expected))

    found = with_others(team(rows))
    assert (found.low[0], found.high[0]) == pytest.approx(etel_interval(rows, kappa), abs=1e-7)


def test_on_complete_data_it_is_schoutens_kappa_of_one_with_the_rest() -> None:
    """Observed and expected agreement are the means over all pairs that the annotator is in."""
    rows = gaps(np.random.default_rng(5), 60, 4, 3, share=1.0)
    found = with_others(team(rows))
    pairs = assent.cohen_kappa(rows).pairs
    for one in range(4):
        mine = [pair for pair in pairs if str(one + 1) in (pair.first, pair.second)]
        observed, expected = np.mean([pair.observed for pair in mine]), np.mean([pair.expected for pair in mine])
        assert found.value[one] == pytest.approx((observed - expected) / (1 - expected))


def weighted_value(rows: Any, one: int, weights: Any) -> float:
    """The coefficient of an annotator with the others if items count unequally."""
    number = observed = 0.0
    own, others = Counter[str](), Counter[str]()
    for row, weight in zip(rows, weights, strict=True):
        rest = [label for j, label in enumerate(row) if j != one and label is not None]
        number += weight
        observed += weight * float(np.mean([label == row[one] for label in rest]))
        own[row[one]] += weight
        for label in rest:
            others[label] += weight / len(rest)
    expected = sum(own[label] * others[label] for label in own) / number**2
    return float((observed / number - expected) / (1 - expected))


@pytest.mark.parametrize("rows", TABLES, ids=lambda rows: f"{len(rows[0])} annotators")
def test_the_standard_error_is_the_spread_of_what_each_item_does_to_the_value(rows: Any) -> None:
    found = with_others(team(rows))
    for one in some(range(len(rows[0]))):
        mine = [row for row in rows if row[one] is not None and sum(label is not None for label in row) > 1]
        step, number = 1e-5, len(mine)
        slopes = []
        for i in range(number):
            ends = [weighted_value(mine, one, np.ones(number) + sign * step * np.eye(number)[i]) for sign in (1, -1)]
            slopes.append((ends[0] - ends[1]) / (2 * step))
        error = np.sqrt(number / (number - 1) * np.sum(np.square(slopes)))
        assert found.standard_error[one] == pytest.approx(error, rel=1e-6)


def test_clusters_widen_the_interval_as_copies_should() -> None:
    """Every item four times over, in one cluster: as sure as the items once."""
    rows = gaps(np.random.default_rng(2), 40, 4, 3)
    once = with_others(team(rows))
    cells = [
        (4 * i + copy, j, label, i)
        for i, row in enumerate(rows)
        for copy in range(4)
        for j, label in enumerate(row)
        if label is not None
    ]
    frame = pl.DataFrame(cells, schema=["item", "annotator", "label", "document"], orient="row")
    data = Annotations.from_frame(frame, cluster="document")
    clustered = with_others(AnnotatorTable.of(data))
    assert clustered.value == pytest.approx(once.value)
    assert clustered.standard_error == pytest.approx(once.standard_error)
    assert (clustered.low, clustered.high) == (pytest.approx(once.low), pytest.approx(once.high))
    assert clustered.units.tolist() == once.units.tolist()
    blind = with_others(AnnotatorTable.of_listing(data.to_rows()))
    assert blind.standard_error == pytest.approx(once.standard_error / 2, rel=0.05)


def consensus(rows: Any, one: int) -> tuple[int, int, int]:
    """How often an annotator agrees with the majority of the others, of how many, and how often these are tied."""
    agree = items = ties = 0
    for row in rows:
        rest = Counter(label for j, label in enumerate(row) if j != one and label is not None)
        if row[one] is None or not rest:
            continue
        top = max(rest.values())
        best = [label for label, times in rest.items() if times == top]
        ties += len(best) > 1
        items += len(best) == 1
        agree += best == [row[one]]
    return agree, items, ties


@pytest.mark.parametrize("rows", TABLES, ids=lambda rows: f"{len(rows[0])} annotators")
def test_the_consensus_is_the_majority_of_the_others(rows: Any) -> None:
    found = with_consensus(team(rows))
    for one in some(range(len(rows[0]))):
        agree, items, ties = consensus(rows, one)
        assert (found.items[one], found.ties[one]) == (items, ties)
        assert found.agreement[one] == pytest.approx(agree / items)
        assert found.low[one] < found.agreement[one] < found.high[one] or found.agreement[one] in (0, 1)


def test_full_agreement_has_a_lower_end_below_1() -> None:
    found = with_others(team([["a", "a", "a"], ["b", "b", "b"]] * 10))
    assert found.observed.tolist() == [1.0] * 3
    assert np.ptp(found.observed_low) < 1e-12
    assert 0.8 < found.observed_low[0] < 0.9
    assert 0.6 < found.low[0] < 0.8
    assert found.observed_high.tolist() == found.high.tolist() == [1.0] * 3


def test_one_shared_item_has_no_interval_and_none_has_no_number() -> None:
    found = with_others(
        team([["a", "a", None, None], ["b", None, "a", None], [None, None, "a", "b"], ["a", None, None, None]])
    )
    assert found.observed.tolist() == [0.5, 1.0, 0.0, 0.0]
    assert np.isnan(found.low[[1, 3]]).all()
    assert np.isnan(found.observed_low[[1, 3]]).all()
    alone = with_others(team([["a", "a", None], ["b", "a", None], [None, None, "a"]]))
    assert np.isnan([alone.observed[2], alone.expected[2], alone.value[2], alone.low[2]]).all()


def test_one_label_for_everything_leaves_agreement_beyond_chance_undefined() -> None:
    found = with_others(team([["a", "a"]] * 12))
    assert found.observed.tolist() == [1.0, 1.0]
    assert np.isnan(found.value).all()
    assert np.isnan(found.low).all()


def test_wilsons_interval_is_that_of_yes_and_no_answers() -> None:
    """Wilson's interval for 8 of 10 at 95 %: 0.490 to 0.943 (Newcombe 1998 gives the formula; the numbers are worked by hand)."""
    share, z = np.array([0.8]), np.array([1.959964])
    low, high = wilson(share, np.sqrt(share * (1 - share) / 10), np.array([10]), z)
    assert (low[0], high[0]) == pytest.approx((0.4902, 0.9433), abs=1e-4)


def test_nothing_depends_on_the_order_of_rows_or_the_names_of_labels() -> None:
    rng = np.random.default_rng(9)
    rows = gaps(rng, 40, 5, 4)
    found = with_others(team(rows))
    renamed = [[None if label is None else {"a": "z", "b": "y"}.get(label, label) for label in row] for row in rows]
    other = with_others(team([renamed[i] for i in rng.permutation(40)]))
    for name in ("observed", "expected", "value", "standard_error", "low", "high", "observed_low"):
        assert getattr(other, name) == pytest.approx(getattr(found, name), rel=1e-10)
