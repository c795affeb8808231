"""Two orders with gaps, ties and few or many objects, against slow versions on the objects that both rank."""

from __future__ import annotations

import math
from itertools import combinations, pairwise, permutations, product
from typing import Any

import numpy as np
import pytest
from scipy.stats import weightedtau
from tests.reference import orders
from tests.support import every

from assent.measures import _orders
from assent.measures._orders import kendall, midranks, rbo_bounds, spearman, tau_ap_both_ways, tau_ap_to_truth, top_tau

GAP = math.nan
#: Gaps in the first order alone, in the second alone, in both, in none; ties in either; two objects; one in common.
PAIRS = [
    ([1, 2, 3, 4, GAP], [2, 1, 2, 5, 3]),
    ([1, 2, 2, 4, 5], [2, GAP, 1, 5, 3]),
    ([3, GAP, 1, 2, 2, 6], [GAP, 1, 2, 2, 5, 4]),
    ([1, 2, 3, 4, 5, 6, 7], [2, 1, 4, 4, 3, 7, 6]),
    ([1, 1, 2, 2, 3], [3, 2, 2, 1, 1]),
    ([1, 2], [1, 2]),
    ([2, 1, GAP], [1, 2, 3]),
    ([1, GAP, GAP], [1, 2, 3]),
    ([2, 2, 2], [1, 2, 3]),
]


def shared(x: list[float], y: list[float]) -> tuple[list[float], list[float]]:
    both = [(a, b) for a, b in zip(x, y, strict=True) if not math.isnan(a + b)]
    return [a for a, _ in both], [b for _, b in both]


def ranked(values: list[float]) -> Any:
    return midranks(np.array([values], dtype=float))


def slow_weighted_tau(x: list[float], y: list[float]) -> float:
    """scipy takes the larger number for the better."""
    if len(set(x)) < 2 or len(set(y)) < 2:
        return math.nan
    return float(weightedtau([-a for a in x], [-b for b in y]).statistic)


def slow_tau_ap(truth: list[float], estimate: list[float], ties: str) -> float:
    """Yilmaz and others' AP correlation; b: only what stands strictly above, a: the mean over ways to break ties, half for ties of the truth."""
    places = range(len(truth))
    if ties == "b":
        above = [[j for j in places if estimate[j] < estimate[i]] for i in places]
        shares = [
            sum(truth[j] < truth[i] for j in over) / len(over) for i, over in zip(places, above, strict=True) if over
        ]
        return 2 * sum(shares) / len(shares) - 1 if shares else math.nan
    if len(truth) < 2:
        return math.nan
    made = []
    for way in permutations(places):
        if all(estimate[a] <= estimate[b] for a, b in pairwise(way)):
            right = [
                sum((truth[j] < truth[way[i]]) + (truth[j] == truth[way[i]]) / 2 for j in way[:i]) / i
                for i in range(1, len(way))
            ]
            made.append(2 * sum(right) / len(right) - 1)
    return sum(made) / len(made)


@pytest.mark.parametrize(("x", "y"), PAIRS)
def test_two_orders_are_compared_on_what_both_rank(x: list[float], y: list[float]) -> None:
    one, two = shared(x, y)
    first, second = ranked(x), ranked(y)
    for made, known in (
        (spearman, orders.rho(one, two) if one else GAP),
        (kendall, orders.tau_b(one, two)),
        (top_tau, slow_weighted_tau(one, two)),
        (tau_ap_both_ways, (slow_tau_ap(one, two, "b") + slow_tau_ap(two, one, "b")) / 2),
        (lambda a, b: tau_ap_to_truth(a, b, ties="b"), slow_tau_ap(one, two, "b")),
        (lambda a, b: tau_ap_to_truth(a, b, ties="a"), slow_tau_ap(one, two, "a")),
    ):
        for given in ((first, second), (np.repeat(first, 3, axis=0), np.repeat(second, 3, axis=0))):
            assert made(*given) == pytest.approx([known] * len(given[0]), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize(("x", "y"), PAIRS)
def test_tau_of_many_objects_is_that_of_few(x: list[float], y: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    known = kendall(ranked(x), ranked(y))
    monkeypatch.setattr(_orders, "MANY_OBJECTS", 1)
    if not math.isnan(known[0]):
        assert kendall(ranked(x), ranked(y)) == pytest.approx(known, abs=1e-12)


@pytest.mark.parametrize("ties", ["a", "b", "w"])
def test_the_overlap_with_a_ranking_of_nothing_is_undefined(ties: str) -> None:
    nothing, something = np.full((1, 3), np.nan), np.array([[1.0, 2.0, 3.0]])
    for pair in ((nothing, something), (something, nothing)):
        assert np.isnan(rbo_bounds(*pair, p=0.9, ties=ties)).all()


def overlap(x: list[str], y: list[str], p: float) -> float:
    """Rank-biased overlap by its definition; the lists are so long that what comes after them weighs nothing."""
    return (1 - p) * sum(p ** (d - 1) * len({*x[:d]} & {*y[:d]}) / d for d in range(1, len(x) + 1))


def continued(x: list[str], y: list[str], *, alike: bool, to: int = 120) -> tuple[list[str], list[str]]:
    """Go on with two lists: with objects that nothing else has, or with what brings both together as soon as can be."""
    short, long = sorted(([*x], [*y]), key=len)
    for d in range(len(short) + 1, to + 1):
        theirs = [one for one in long[:d] if one not in short]
        mine = [one for one in short if one not in long]
        grows = d > len(long)
        if not alike:
            chosen = (f"s{d}", f"l{d}")
        elif not theirs and grows and not mine:
            chosen = (f"b{d}", f"b{d}")
        else:
            chosen = (theirs[0] if theirs else f"s{d}", mine[0] if mine else f"l{d}")
        short.append(chosen[0])
        if grows:
            long.append(chosen[1])
    return short, long


LISTS = [
    ("abcde", "abcde"), ("abcde", "edcba"), ("abc", "abd"), ("ab", "bacde"), ("abcdef", "fgh"), ("a", "bcdea"), ("abc", "def"), ("abcd", "ae"),
]  # fmt: skip


def places(order: str, names: str) -> list[float]:
    return [order.index(one) + 1.0 if one in order else GAP for one in names]


@pytest.mark.parametrize("ties", ["a", "b", "w"])
def test_an_overlap_lies_between_what_the_rest_of_the_lists_could_make_of_it(ties: str) -> None:
    """Without ties the three ways to count them are one; all pairs of lists at once, and turned round."""
    names = "abcdefgh"
    for p in (0.6, 0.8):
        x, y = (np.array([places(pair[side], names) for pair in LISTS]) for side in (0, 1))
        found = rbo_bounds(x, y, p=p, ties=ties)
        assert rbo_bounds(y, x, p=p, ties=ties) == pytest.approx(found, rel=1e-12)
        for (one, two), (extrapolated, least, most) in zip(LISTS, found, strict=True):
            assert extrapolated == pytest.approx(orders.rbo_ext_without_ties(one, two, p), rel=1e-12, abs=1e-12)
            for bound, alike in ((least, False), (most, True)):
                assert bound == pytest.approx(overlap(*continued([*one], [*two], alike=alike), p), rel=1e-9, abs=1e-9)


def test_the_overlap_of_tied_rankings_is_that_of_its_authors() -> None:
    """Corsi and Urbano (2024), README of sigir2024-rbo, p = 0.95: red, (blue green), yellow, pink; (blue red), white, (yellow black purple), green."""
    names = ["red", "blue", "green", "yellow", "pink", "white", "black", "purple"]
    x = dict(zip(names, [1, 2.5, 2.5, 4, 5], strict=False))
    y = {"blue": 1.5, "red": 1.5, "white": 3, "yellow": 5, "black": 5, "purple": 5, "green": 7}
    one, two = (np.array([[order.get(name, GAP) for name in names]] * 2) for order in (x, y))
    for ties, known in {
        "a": [0.6922853, 0.3310519, 0.8930692],
        "w": [0.7068257, 0.3429684, 0.9049857],
        "b": [0.7207131, 0.3509163, 0.9129336],
    }.items():
        for pair in ((one, two), (two, one)):
            assert rbo_bounds(*pair, p=0.95, ties=ties) == pytest.approx(np.array([known] * 2), abs=6e-8)


#: Ties as one word; the shorter ends before, in, or behind a tie of the longer.
TIED = [
    (["a"], ["a", "bc"]), (["ab"], ["a", "b", "cd"]), (["a"], ["a", "b", "cde"]), (["b", "a"], ["ab", "c", "de"]), (["ab"], ["a", "bc", "d"]),
    (["b"], ["acb", "d"]), (["ab", "c"], ["d", "ae", "f"]), (["a", "bc"], ["cb", "a"]), (["ab", "c", "d"], ["cdab", "f"]), (["ab"], ["ab", "c"]),
]  # fmt: skip


def ways(order: list[str]) -> list[list[str]]:
    """Break the ties of an order in every way."""
    return [[one for group in way for one in group] for way in product(*(permutations(group) for group in order))]


def common(some: list[list[str]], others: list[list[str]], depth: int) -> float:
    """The mean of what two orders have in common among their first, over the ways to break ties."""
    return float(np.mean([len({*x[:depth]} & {*y[:depth]}) for x in some for y in others]))


def overlap_of_tied(short: list[str], long: list[str], p: float, ties: str) -> list[float]:
    """Corsi and Urbano's overlap, extrapolated, at least and at most, over all ways to break ties and to go on with the shorter ranking."""
    some, others = ways(short), ways(long)
    s, far = len(some[0]), len(others[0])
    free = sorted({*others[0]} - {*some[0]})
    depths = range(1, 80)

    def agreement(depth: int, overlap: float) -> float:
        if ties == "a":
            return overlap / depth
        own = [common(one, one, depth) if depth <= len(one[0]) else depth for one in (some, others)]
        return overlap / math.sqrt(own[0] * own[1])

    def summed(agreements: list[float]) -> float:
        return (1 - p) * sum(p**at * one for at, one in enumerate(agreements))

    def gone_on(more: list[str], *, alike: bool) -> float:
        lists = [continued([*x, *more], y, alike=alike, to=80) for x in some for y in others]
        return summed(
            [agreement(depth, float(np.mean([common([x], [y], depth) for x, y in lists]))) for depth in depths]
        )

    level, guessed = agreement(s, common(some, others, s)), []
    for depth in range(1, far + 1):
        seen = [x for x in free if any(x in y[:depth] for y in others)]
        drawn = combinations(seen, max(0, depth - s))
        more = np.mean([sum(common([[x]], [y[:depth]], depth) for x in some_of for y in others) for some_of in drawn])
        guessed.append(agreement(depth, common(some, others, depth) + level * float(more) / len(others)))
    return [
        summed(guessed) + p**far * guessed[-1],
        gone_on([], alike=False),
        max(gone_on([*more], alike=True) for more in permutations(free, far - s)),
    ]


@pytest.mark.parametrize("ties", every(2, ["a", "b"]))
def test_an_overlap_of_ties_is_the_mean_over_ways_to_break_them(ties: str) -> None:
    """All pairs of rankings at once, turned round, and each alone: of some only one ranking has ties."""
    names, p = "abcdef", 0.6
    one, two = (
        midranks(
            np.array(
                [
                    [next((n for n, group in enumerate(pair[side]) if one in group), GAP) for one in names]
                    for pair in TIED
                ]
            )
        )
        for side in (0, 1)
    )
    known = np.array([overlap_of_tied(*pair, p, ties) for pair in TIED])
    for given in ((one, two), (two, one)):
        assert rbo_bounds(*given, p=p, ties=ties) == pytest.approx(known, abs=1e-12)
    for at in range(len(TIED)):
        alone = rbo_bounds(one[[at]], two[[at]], p=p, ties=ties)
        assert alone == pytest.approx(known[[at]], abs=1e-12)
