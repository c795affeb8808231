"""The test behind a flag, against the distribution it stands for, and on teams of honest annotators."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.diagnostics.annotators.simulated import drawn, gaps, listing, team
from tests.support import every, some

from assent import Annotations
from assent.analyses.annotators import relative_agreement as module
from assent.analyses.annotators.relative_agreement import relative_agreement
from assent.analyses.annotators.table import AnnotatorTable


def stands(labels: list[str], one: int) -> float:
    """Agreement of an annotation with the others less the agreement among them, pair by pair."""
    rest = [label for j, label in enumerate(labels) if j != one]
    own = np.mean([label == labels[one] for label in rest])
    return float(own - np.mean([a == b for a, b in combinations(rest, 2)]))


def exact(rows: Any, one: int) -> tuple[float, float]:
    """The mean relative agreement of an annotator, and how likely a sum as low is if any label of an item may be theirs."""
    chances, total, items = {0: 1.0}, 0, 0
    for row in rows:
        there = [j for j, label in enumerate(row) if label is not None]
        if one not in there or len(there) < 3:
            continue
        labels = [row[j] for j in there]
        values = [round(60 * stands(labels, place)) for place in range(len(labels))]
        assert values == pytest.approx([60 * stands(labels, place) for place in range(len(labels))])
        total += values[there.index(one)]
        items += 1
        longer: dict[int, float] = {}
        for before, chance in chances.items():
            for value in values:
                longer[before + value] = longer.get(before + value, 0.0) + chance / len(values)
        chances = longer
    return total / items / 60, sum(chance for value, chance in chances.items() if value <= total)


@pytest.mark.parametrize(("annotators", "labels", "share"), [(3, 2, 1.0), (4, 3, 1.0), (5, 4, 0.8), (6, 2, 0.7)])
def test_the_p_value_is_the_share_of_all_ways_to_seat_the_annotators(
    annotators: int, labels: int, share: float
) -> None:
    rng = np.random.default_rng(annotators)
    rows = gaps(rng, 40, annotators, labels, share)
    rows = [row for row in rows if sum(label is not None for label in row) > 2]
    # One of them clicks, so that there is a tail to look at.
    rows = [[*row[:-1], None if row[-1] is None else "abcd"[int(rng.integers(labels))]] for row in rows]
    found = relative_agreement(team(rows))
    for one in some(range(annotators)):
        difference, chance = exact(rows, one)
        assert found.difference[one] == pytest.approx(difference, abs=1e-12)
        if chance < 0.3:
            assert found.p_value[one] == pytest.approx(chance, rel=0.1)
        else:
            assert found.p_value[one] > 0.2


def among_others(rows: Any, one: int) -> float:
    """Mean over an annotator's items of: the share of the pairs of others who agree with each other."""
    shares = []
    for row in rows:
        others = [label for j, label in enumerate(row) if label is not None and j != one]
        if row[one] is not None:
            shares.append(np.mean([a == b for a, b in combinations(others, 2)]))
    return float(np.mean(shares))


def test_own_and_others_are_what_they_are_called() -> None:
    rows = gaps(np.random.default_rng(0), 50, 5, 3, share=0.9)
    rows = [row for row in rows if sum(label is not None for label in row) > 2]
    found, members = relative_agreement(team(rows)), team(rows)
    assert found.own == pytest.approx(members.sums(members.score) / members.shared)
    assert found.others == pytest.approx([among_others(rows, one) for one in range(5)])
    assert found.items.tolist() == members.shared.tolist()
    assert found.by_partner.tolist() == [0] * 5


def by_partner(rows: Any, one: int) -> float:
    """Mean over an annotator's items with two annotations of: agree or not, less the partner's agreement with third ones."""
    differences = []
    for row in rows:
        there = [j for j, label in enumerate(row) if label is not None]
        if one not in there:
            continue
        partner = next(j for j in there if j != one)
        elsewhere = [
            len({label for label in other if label is not None}) == 1
            for other in rows
            if other[partner] is not None and other[one] is None
        ]
        differences.append((row[there[0]] == row[there[1]]) - np.mean(elsewhere))
    return float(np.mean(differences))


def test_on_items_with_two_annotations_the_partner_is_the_yardstick() -> None:
    who, said, _ = drawn(np.random.default_rng(3), annotators=4, items=80, each=2, shares=[1, 1, 1])
    rows = [[None] * 4 for _ in range(80)]
    for i in range(80):
        for place in range(2):
            rows[i][who[i, place]] = "abc"[said[i, place]]  # type: ignore[call-overload]
    found = relative_agreement(AnnotatorTable.of_listing(listing(who, said, 4, 3)))
    assert found.difference == pytest.approx([by_partner(rows, one) for one in range(4)])
    assert found.by_partner.tolist() == found.items.tolist() == np.bincount(who.ravel()).tolist()


def test_of_two_annotators_neither_is_judged() -> None:
    found = relative_agreement(team([["a", "b"], ["a", "a"]] * 20))
    assert found.items.tolist() == [0, 0]
    assert np.isnan(found.p_value).all()


@pytest.mark.parametrize(
    ("annotators", "items", "each", "shares"),
    every(
        3,
        [
            (3, 60, 3, [1, 1]),
            (6, 100, 3, [8, 1, 1]),
            (10, 150, 2, [5, 3, 2]),
            (4, 90, 2, [1, 1]),
            (25, 200, 4, [1] * 6),
        ],
    ),
)
def test_annotators_alike_have_p_values_as_they_should(
    annotators: int, items: int, each: int, shares: list[float]
) -> None:
    """Small ones are no more frequent than their size says; the bounds are three standard errors of the simulation."""
    rng = np.random.default_rng(11)
    found = []
    for _ in range(max(40, 2500 // annotators)):
        who, said, _ = drawn(rng, annotators=annotators, items=items, each=each, shares=shares)
        found.append(relative_agreement(AnnotatorTable.of_listing(listing(who, said, annotators, len(shares)))).p_value)
    p_values = np.concatenate(found)
    for level in (0.2, 0.05, 0.01):
        slack = 3 * np.sqrt(level * (1 - level) / len(p_values))
        assert (p_values <= level).mean() <= level + slack


def test_hard_items_are_nobodys_fault() -> None:
    """An annotator who gets only hard items, on which all disagree, is not below the others."""
    rng = np.random.default_rng(4)
    low = []
    for _ in range(100):
        items = 120
        hard = np.arange(items) < 40
        who = np.where(hard[:, None], [[0, 1, 2]], [[1, 2, 3]])
        truth = rng.integers(0, 3, (items, 1))
        said = np.where(
            rng.random((items, 3)) < np.where(hard, 0.2, 0.9)[:, None], truth, rng.integers(0, 3, (items, 3))
        )
        low.append(relative_agreement(AnnotatorTable.of_listing(listing(who, said, 4, 3))).p_value[0])
    assert np.mean(np.array(low) <= 0.05) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 100)


def test_clusters_that_go_together_make_the_test_more_careful() -> None:
    """Every item eight times over, in one cluster, says no more than the items once."""
    rng = np.random.default_rng(8)
    who, said, _ = drawn(rng, annotators=6, items=60, each=4, shares=[1, 1, 1])
    cells = [
        (8 * i + copy, f"w{who[i, j]}", "abc"[said[i, j]], i) for i in range(60) for copy in range(8) for j in range(4)
    ]
    frame = pl.DataFrame(cells, schema=["item", "annotator", "label", "document"], orient="row")
    data = Annotations.from_frame(frame, cluster="document")
    once = relative_agreement(AnnotatorTable.of_listing(listing(who, said, 6, 3)))
    careful, blind = (
        relative_agreement(AnnotatorTable.of(data)),
        relative_agreement(AnnotatorTable.of_listing(data.to_rows())),
    )
    assert careful.difference == pytest.approx(once.difference)
    assert 4 < careful.inflation < 16
    assert blind.inflation == once.inflation == 1
    worst = int(np.argmin(once.p_value))
    assert blind.p_value[worst] < careful.p_value[worst]
    assert careful.p_value[worst] == pytest.approx(once.p_value[worst], abs=0.1)


def test_many_sizes_of_items_have_no_common_step_and_still_work(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = gaps(np.random.default_rng(1), 60, 8, 3)
    before = relative_agreement(team(rows)).p_value
    monkeypatch.setattr(module, "LARGEST", 1)
    after = relative_agreement(team(rows)).p_value
    # Without steps the tail is that of a smooth sum: less, by up to half of a step.
    assert (after <= before + 1e-12).all()
    assert after == pytest.approx(before, abs=0.05)


def test_a_crowd_leaves_out_what_hardly_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    who, said, _ = drawn(np.random.default_rng(2), annotators=60, items=900, each=2, shares=[1, 1, 1])
    members = AnnotatorTable.of_listing(listing(who, said, 60, 3))
    before = relative_agreement(members).p_value
    monkeypatch.setattr(module, "DENSE_ANNOTATORS", 10)
    assert relative_agreement(members).p_value == pytest.approx(before, abs=0.02)
