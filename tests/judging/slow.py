"""Literal, slow versions of what compares a judge with people: loops over items."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np

Row = Sequence[str | None]


def kappa(
    one: Sequence[str | None], two: Sequence[str | None], agree: Callable[[str, str], float]
) -> tuple[float, int]:
    """Weighted kappa of two annotators on the items that both labelled, and how many these are."""
    pairs = [(a, b) for a, b in zip(one, two, strict=True) if a is not None and b is not None]
    if not pairs:
        return math.nan, 0
    n = len(pairs)
    observed = sum(agree(a, b) for a, b in pairs) / n
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    chance = sum(agree(a, b) * first[a] * second[b] for a in first for b in second) / n**2
    return ((observed - chance) / (1 - chance) if chance < 1 else math.nan), n


def mean_kappas(table: Sequence[Row], agree: Callable[[str, str], float], least: int = 10) -> tuple[float, float]:
    """Mean kappa of two people, and of a person and the judge, who stands last."""
    columns = list(zip(*table, strict=True))
    *people, judge = columns
    among = [kappa(a, b, agree) for a, b in combinations(people, 2)]
    beside = [kappa(a, judge, agree) for a in people]
    return tuple(  # type: ignore[return-value]
        float(np.mean([value for value, n in some if n >= least and not math.isnan(value)])) for some in (among, beside)
    )


def closer(table: Sequence[Row], score: Callable[[str, list[str]], float]) -> list[list[int]]:
    """Of each person (human closer, tie, judge closer), as the paper has it: a tie counts for both."""
    people = len(table[0]) - 1
    counts = [[0, 0, 0] for _ in range(people)]
    for row in table:
        judge, labels = row[-1], [label for label in row[:-1] if label is not None]
        if judge is None or len(labels) < 2:
            continue
        for person, own in enumerate(row[:-1]):
            if own is None:
                continue
            others = [label for i, label in enumerate(row[:-1]) if i != person and label is not None]
            its, theirs = score(judge, others), score(own, others)
            human, model = theirs >= its - 1e-12, its >= theirs - 1e-12
            counts[person][0 if human and not model else 2 if model and not human else 1] += 1
    return counts


def share_of_equal(label: str, others: list[str]) -> float:
    return sum(one == label for one in others) / len(others)


def minus_rmse(label: str, others: list[str]) -> float:
    return -math.sqrt(sum((float(one) - float(label)) ** 2 for one in others) / len(others))


def step_up(p_values: Sequence[float], q: float) -> int:
    """How many hypotheses Benjamini and Yekutieli's procedure rejects."""
    m = len(p_values)
    harmonic = sum(1 / r for r in range(1, m + 1))
    ranked = sorted(p_values)
    return max((r for r in range(1, m + 1) if ranked[r - 1] <= r * q / (m * harmonic)), default=0)
