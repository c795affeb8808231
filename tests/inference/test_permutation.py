"""The permutation test: its level, by enumeration of all ways to deal the labels."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pytest
from tests.support import some

import assent
from assent import Annotations
from assent.inference import permutation
from assent.inference.permutation import permutation_p_value
from assent.profiles import Counts, Ratings

#: Three items with 3, 2 and 1 annotations.
LABELS, OWNERS = "aaabbc", (0, 0, 0, 1, 1, 2)


class Deck:
    """Stands for profiles: deals a given series of hands."""

    def __init__(self, hands: list[float]) -> None:
        self.hands, self.at = hands, -1

    def shuffled(self, rng: np.random.Generator) -> Deck:
        self.at += 1
        return self


def counts_of(labels: Any) -> tuple[tuple[int, ...], ...]:
    """The count profile of each item when the labels are dealt in this order."""
    return tuple(
        tuple(
            sum(owner == item and label == name for owner, label in zip(OWNERS, labels, strict=True)) for name in "abc"
        )
        for item in range(3)
    )


def all_deals() -> Iterator[tuple[tuple[int, ...], ...]]:
    for deal in permutations(LABELS):
        yield counts_of(deal)


def agreement_of(table: tuple[tuple[int, ...], ...]) -> float:
    """Mean share of agreeing pairs of the two items that have pairs."""
    shares = [sum(c * (c - 1) for c in row) / (sum(row) * (sum(row) - 1)) for row in table if sum(row) > 1]
    return sum(shares) / len(shares)


def profiles() -> Counts:
    table = np.array(counts_of(LABELS))
    return Counts(counts=table, multiplicities=np.ones(3, dtype=np.int64), labels=("a", "b", "c"))


def test_the_data_are_one_of_the_permutations() -> None:
    """Two of four hands reach the value: (1 + 2) / (1 + 4). One that misses it by rounding alone reaches it."""
    hands = [0.1, 0.5, 0.9, 0.2]
    deck = Deck(hands)
    assert permutation_p_value(lambda one: hands[one.at], deck, 0.5, permutations=4, seed=0) == 3 / 5
    near = [0.5 - 1e-15, 0.5 - 1e-9]
    deck = Deck(near)
    assert permutation_p_value(lambda one: near[one.at], deck, 0.5, permutations=2, seed=0) == 2 / 3


@pytest.mark.parametrize(
    ("value", "reaching", "short"), [(5000.0, 1e-9, 1e-7), (1e-3, 5e-13, 5e-12), (-5000.0, 1e-9, 1e-7)]
)
def test_rounding_is_measured_by_the_value_or_by_1(value: float, reaching: float, short: float) -> None:
    hands = [value - reaching, value - short]
    assert permutation_p_value(lambda one: hands[one.at], Deck(hands), value, permutations=2, seed=0) == 2 / 3


def test_a_permutation_without_a_value_does_not_reach_it() -> None:
    hands = [math.nan, 0.4]
    assert permutation_p_value(lambda one: hands[one.at], Deck(hands), 0.5, permutations=2, seed=0) == 1 / 3


def test_over_all_deals_the_test_keeps_its_level_exactly() -> None:
    """If every deal is equally likely, P(p <= x) = x for every p-value x that there is: 720 deals, one by one."""
    values = [agreement_of(table) for table in all_deals()]
    p_values = [
        # The other 719 deals stand for the permutations; the data themselves are counted by the test.
        permutation_p_value(lambda deck: deck.hands[deck.at], Deck(rest), value, permutations=719, seed=0)
        for value, rest in {value: _without(values, value) for value in values}.items()
    ]
    share = Counter(values)
    by_value = dict(zip(dict.fromkeys(values), p_values, strict=True))
    for value, p in some(by_value.items()):
        reached = sum(times for other, times in share.items() if other >= value)
        assert p == pytest.approx(reached / 720)
        assert sum(share[other] for other, q in by_value.items() if q <= p) / 720 == pytest.approx(p)


def _without(values: list[float], value: float) -> list[float]:
    rest = list(values)
    rest.remove(value)
    return rest


def test_labels_are_dealt_as_often_in_each_way_as_enumeration_says() -> None:
    """6,000 deals of 60 distinct tables: chi-squared with 59 degrees of freedom, mean 59, standard deviation 11."""
    expected = Counter(all_deals())
    rng, start = np.random.default_rng(5), profiles()
    seen = Counter(tuple(tuple(row) for row in np.asarray(start.shuffled(rng).counts).tolist()) for _ in range(6000))
    assert set(seen) <= set(expected)
    chi_squared = sum((seen[table] - 6000 * n / 720) ** 2 / (6000 * n / 720) for table, n in expected.items())
    freedom = len(expected) - 1
    assert chi_squared < freedom + 5 * math.sqrt(2 * freedom)


def test_dealing_keeps_the_sizes_of_items_and_the_totals_of_labels() -> None:
    data = Annotations.from_array(
        [["a", "a", "b"], ["b", None, "c"], ["a", "a", None], ["c", "c", "c"], ["a", "b", "a"]]
    )
    rng = np.random.default_rng(0)
    for _ in range(20):
        dealt = data._counts.shuffled(rng)
        assert sorted(dealt.sizes) == sorted(np.repeat(data._counts.sizes, data._counts.multiplicities))
        totals = data._counts.multiplicities @ data._counts.counts
        assert (dealt.multiplicities @ dealt.counts == totals).all()


def test_who_said_what_is_dealt_within_each_annotator() -> None:
    """Two annotators of three items: 3! x 3! ways, each as likely."""
    data = Annotations.from_array([["a", "a"], ["b", "a"], ["c", "b"]])
    rng = np.random.default_rng(1)
    seen: Counter[Any] = Counter()
    for _ in range(4000):
        dealt: Ratings = data._ratings.shuffled(rng)
        table = np.full((3, 2), -1)
        table[dealt.profile, dealt.annotator] = dealt.label
        seen[tuple(map(tuple, table.tolist()))] += 1
    ways = Counter(
        tuple(zip(one, two, strict=True)) for one, two in product(permutations((0, 1, 2)), permutations((0, 0, 1)))
    )
    assert set(seen) == set(ways)
    chi_squared = sum((seen[table] - 4000 * n / 36) ** 2 / (4000 * n / 36) for table, n in ways.items())
    freedom = len(ways) - 1
    assert chi_squared < freedom + 5 * math.sqrt(2 * freedom)


def test_a_p_value_comes_near_that_of_the_enumeration() -> None:
    """Of 1,999 random permutations as many reach the value as the binomial distribution allows, within five sigma."""
    rows = [["a", "a", "a"], ["b", "b", None], ["c", None, None]]
    agreement = assent.percent_agreement(Annotations.from_array(rows))
    # Percent agreement leaves out the item with one annotation, and so its label.
    deals = [counts_of((*deal, "c")) for deal in permutations("aaabb")]
    exact = sum(agreement_of(table) >= agreement.value - 1e-12 for table in deals) / len(deals)
    p = agreement.permutation_test(permutations=1999, seed=2)
    assert exact == pytest.approx(1 / 10)
    assert p == pytest.approx(exact, abs=5 * math.sqrt(exact * (1 - exact) / 1999) + 1 / 2000)


def test_an_undefined_value_has_no_p_value_and_none_can_be_asked_for_without_permutations() -> None:
    undefined = assent.krippendorff_alpha([["a", "a"], ["a", "a"]])
    assert math.isnan(undefined.permutation_test())
    with pytest.raises(assent.OptionError, match="permutations is 0"):
        assent.krippendorff_alpha([["a", "a"], ["a", "b"]]).permutation_test(permutations=0)


def test_chance_of_sets_is_worked_out_once_for_all_permutations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Labels dealt anew among the items are used as often as before."""
    from assent.set_chance import agreement

    asked = []
    original = agreement._in_blocks
    monkeypatch.setattr(agreement, "_in_blocks", lambda *given: asked.append(given) or original(*given))
    agreement._kept.cache_clear()
    data = {
        "ann": [{"a"}, {"b", "c"}, {"a", "b", "c"}, {"c"}, {"a"}],
        "bob": [{"a", "c"}, {"b"}, {"c"}, {"c"}, {"b", "d"}],
    }
    found = assent.boot_f1(data).permutation_test(permutations=50, seed=1)
    assert 0 < found <= 1
    assert 1 <= len(asked) <= 2


def mean_of(values: list[float]) -> Any:
    def mean(weighting: Any) -> Any:
        return weighting.total(np.array(values)) / weighting.total(np.ones(len(values)))

    return mean


@pytest.mark.parametrize("size", [1, 2])
def test_whole_units_are_dealt_to_two_groups(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All ways to choose one or two of five units, which have three profiles: as many as reach the difference are counted."""
    monkeypatch.setattr(permutation, "ENOUGH_REACHED", 10**9)
    rows = np.array([[3.0, 0.0, 1.0], [2.0, 1.0, 0.0], [0, 2.0, 1.0], [1.0, 1.0, 1.0], [0, 0, 4.0]])
    mine, others = rows[:size], rows[size:]
    mean = mean_of([0.0, 0.3, 1.0])

    def difference(chosen: tuple[int, ...]) -> float:
        one = rows[list(chosen)].sum(axis=0)
        two = rows.sum(axis=0) - one
        return abs(float(one @ [0.0, 0.3, 1.0] / one.sum() - two @ [0.0, 0.3, 1.0] / two.sum()))

    ways = [difference(chosen) for chosen in combinations(range(5), size)]
    exact = np.mean(np.array(ways) >= ways[0] - 1e-12)
    assert 0 < exact < 1
    found = permutation.membership_p_value(
        mean, mine.sum(axis=0), others.sum(axis=0), (mine, others), permutations=4000, seed=3
    )
    assert found == pytest.approx(exact, abs=5 * math.sqrt(exact * (1 - exact) / 4000) + 1 / 4000)


@pytest.mark.parametrize(
    ("permutations", "reached", "blocks"), [(1000, 100, [100]), (1000, 101, [100, 100]), (130, 500, [100, 30])]
)
def test_blocks_are_dealt_until_enough_have_reached_the_difference(
    permutations: int, reached: int, blocks: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Groups that do not differ at all: every deal reaches that."""
    monkeypatch.setattr(permutation, "ENOUGH_REACHED", reached)
    mean, asked = mean_of([0.0, 1.0]), []

    def noted(weighting: Any) -> Any:
        asked.append(len(weighting.weights))
        return mean(weighting)

    both = np.array([5.0, 5.0])
    assert permutation.membership_p_value(noted, both, both, permutations=permutations, seed=0) == 1.0
    assert asked == [1, 1, *(size for size in blocks for _ in range(2))]
