"""Repeats by their definitions: every pair of labels is listed, every set of runs drawn."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import combinations, permutations

Row = tuple[str, str, float | str]
Distance = Callable[[float | str, float | str], float]


def other(x: float | str, y: float | str) -> float:
    """Return 1 for another label."""
    return float(x != y)


def half_squared(x: float | str, y: float | str) -> float:
    """Return half the squared difference of two numbers."""
    return (float(x) - float(y)) ** 2 / 2.0


def cells(rows: Sequence[Row]) -> dict[tuple[str, str], list[float | str]]:
    """Return the labels of each item and judge."""
    found: dict[tuple[str, str], list[float | str]] = defaultdict(list)
    for item, judge, label in rows:
        found[item, judge].append(label)
    return found


def flip_rate(rows: Sequence[Row], judge: str | None = None) -> float:
    """Mean over items and judges of the share of ordered pairs of runs that differ."""
    rates = []
    for (_, who), labels in cells(rows).items():
        if len(labels) > 1 and judge in (None, who):
            pairs = list(permutations(labels, 2))
            rates.append(sum(x != y for x, y in pairs) / len(pairs))
    return sum(rates) / len(rates)


def pair_means(rows: Sequence[Row], distance: Distance) -> dict[str, float | None]:
    """Mean distance of the four kinds of ordered pairs of labels."""
    sums: dict[str, float] = defaultdict(float)
    numbers: dict[str, int] = defaultdict(int)
    for (i, a, x), (k, b, y) in permutations(rows, 2):
        kind = {
            (True, True): "within",
            (True, False): "between_judges",
            (False, True): "same_judge_other_item",
            (False, False): "all_apart",
        }[i == k, a == b]
        sums[kind] += distance(x, y)
        numbers[kind] += 1
    kinds = ("within", "between_judges", "same_judge_other_item", "all_apart")
    return {kind: sums[kind] / numbers[kind] if numbers[kind] else None for kind in kinds}


def majority_change(labels: Sequence[float | str], k: int) -> float:
    """Share of pairs of disjoint sets of k runs whose majorities differ; a tie is settled by a fair draw."""
    places = range(len(labels))
    total, number = 0.0, 0
    for first in combinations(places, k):
        rest = [place for place in places if place not in first]
        for second in combinations(rest, k):
            mine, theirs = (_winners([labels[place] for place in some]) for some in (first, second))
            total += 1.0 - sum(share * theirs.get(label, 0.0) for label, share in mine.items())
            number += 1
    return total / number


def _winners(labels: Sequence[float | str]) -> dict[float | str, float]:
    counts = Counter(labels)
    most = [label for label, times in counts.items() if times == max(counts.values())]
    return dict.fromkeys(most, 1.0 / len(most))


def attenuation(
    rows: Sequence[Row], first: set[str], second: set[str], distance: Distance
) -> tuple[float, float, float]:
    """Agreement beyond chance of two sides, the product under the root of its ceiling, and distance expected by chance."""
    sides = [[row for row in rows if row[1] in side] for side in (first, second)]

    def mean(some: Sequence[Row], others: Sequence[Row], *, same_item: bool) -> float:
        found = [
            distance(x, y)
            for at, (i, _, x) in enumerate(some)
            for to, (k, _, y) in enumerate(others)
            if (i == k) == same_item and not (some is others and at == to)
        ]
        return sum(found) / len(found)

    gaps, expected = [], []
    for some, others in ((sides[0], sides[0]), (sides[1], sides[1]), (sides[0], sides[1])):
        by_chance = mean(some, others, same_item=False)
        gaps.append(by_chance - mean(some, others, same_item=True))
        expected.append(by_chance)
    return gaps[2] / expected[2], gaps[0] * gaps[1], expected[2]
