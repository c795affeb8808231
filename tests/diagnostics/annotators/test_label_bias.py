"""Use of labels against the others on the same items: known tests of two annotators, and every way to seat more."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest
from tests.diagnostics.annotators.simulated import drawn, gaps, listing, team
from tests.support import some

from assent import Annotations
from assent.analyses.annotators.flags import lean
from assent.analyses.annotators.label_bias import label_bias
from assent.analyses.annotators.table import AnnotatorTable


def test_with_two_annotators_and_two_labels_it_is_mcnemars_exact_test_to_a_few_percent() -> None:
    """Of 20 disagreements 18 go one way: p = 2 * P(Bin(20, 1/2) <= 2) = 0.000402."""
    data = Annotations.from_contingency([[40, 18], [2, 40]], labels=["pos", "neg"])
    found = label_bias(AnnotatorTable.of_listing(data.to_rows()))
    exact = binomtest(18, 20).pvalue
    assert exact == pytest.approx(0.000402, abs=1e-6)
    assert found.p_value == pytest.approx([exact] * 4, rel=0.05)
    assert found.share.tolist() == pytest.approx([0.58, 0.42, 0.42, 0.58])
    assert found.others.tolist() == pytest.approx([0.42, 0.58, 0.58, 0.42])


def seated(rows: Any, one: int, label: str) -> tuple[int, float, float, float]:
    """How often an annotator gives a label, the shares, and the two-sided p-value from every way to seat the annotators."""
    mass, times, others, items = np.ones(1), 0, 0.0, 0
    for row in rows:
        there = [said for said in row if said is not None]
        if row[one] is None or len(there) < 2:
            continue
        items += 1
        times += row[one] == label
        others += (there.count(label) - (row[one] == label)) / (len(there) - 1)
        chance = there.count(label) / len(there)
        mass = np.convolve(mass, [1 - chance, chance])
    tail = min(mass[: times + 1].sum(), mass[times:].sum())
    return times, times / items, others / items, min(1.0, 2 * float(tail))


@pytest.mark.parametrize(("annotators", "labels"), [(2, 3), (3, 3), (5, 4), (7, 2)])
def test_shares_and_p_values_are_those_of_every_way_to_seat_the_annotators(annotators: int, labels: int) -> None:
    rng = np.random.default_rng(annotators)
    rows = gaps(rng, 40, annotators, labels)
    # The last one says "a" twice as often as they should.
    rows = [[*row[:-1], None if row[-1] is None else ("a" if rng.random() < 0.5 else row[-1])] for row in rows]
    members = team(rows)
    found = label_bias(members)
    for place in some(range(len(found.label))):
        one, label = int(found.annotator[place]), members.labels[int(found.label[place])]
        times, share, others, p_value = seated(rows, one, label)
        assert found.times[place] == times
        assert (found.share[place], found.others[place]) == pytest.approx((share, others))
        if p_value < 0.5:
            assert found.p_value[place] == pytest.approx(p_value, rel=0.12)
        else:
            assert found.p_value[place] > 0.35


def test_shares_of_an_annotator_add_up() -> None:
    members = team(gaps(np.random.default_rng(0), 50, 5, 4))
    found = label_bias(members)
    for one in range(5):
        assert found.share[found.of(one)].sum() == pytest.approx(1)
        assert found.others[found.of(one)].sum() == pytest.approx(1)
        assert found.times[found.of(one)].sum() == members.shared[one]


def test_all_agree_and_nobody_leans() -> None:
    found = label_bias(team([["a", "a"], ["b", "b"]] * 10))
    assert (found.p_value == 1).all()


def test_an_annotator_without_shared_items_has_no_labels_here() -> None:
    found = label_bias(team([["a", "a", None], ["b", "a", None], [None, None, "c"]]))
    assert found.of(2) == slice(len(found.label), len(found.label))


def test_teams_alike_seldom_have_anyone_lean() -> None:
    rng = np.random.default_rng(5)
    alarms = 0
    for _ in range(200):
        who, said, _ = drawn(rng, annotators=8, items=120, each=4, shares=[5, 3, 2])
        members = AnnotatorTable.of_listing(listing(who, said, 8, 3))
        _, leans = lean(label_bias(members), members, fdr=0.05, margin=0.0, least=10)
        alarms += leans.any()
    assert alarms <= 200 * 0.05 + 3 * np.sqrt(200 * 0.05 * 0.95)


def test_who_leans_is_found_with_the_label_they_lean_to() -> None:
    rng = np.random.default_rng(6)
    who, said, _ = drawn(rng, annotators=8, items=300, each=4, shares=[5, 3, 2])
    said = np.where((who == 3) & (rng.random(who.shape) < 0.3), 2, said)
    members = AnnotatorTable.of_listing(listing(who, said, 8, 3))
    found = label_bias(members)
    _, leans = lean(found, members, fdr=0.05, margin=0.05, least=10)
    assert set(found.annotator[leans].tolist()) == {3}
    assert 2 in found.label[leans]
    assert found.share[leans & (found.label == 2)] > found.others[leans & (found.label == 2)]
