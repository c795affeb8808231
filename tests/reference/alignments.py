"""Best alignments the long way: every partition of the units into tuples."""

from __future__ import annotations

from functools import cache
from itertools import combinations

Unit = tuple[int, float, float, str]


def unlike(one: Unit, other: Unit, position: float, label: float) -> float:
    apart = abs(one[1] - other[1]) + abs(one[2] - other[2])
    return position * (apart / (one[2] - one[1] + other[2] - other[1])) ** 2 + label * (one[3] != other[3])


def least_cost(units: list[Unit], annotators: int, position: float = 1.0, label: float = 1.0) -> float:
    """The least sum over tuples of the mean dissimilarity of all pairs of annotators; a pair with a gap counts 1."""
    pairs = annotators * (annotators - 1) / 2

    def cost(members: tuple[int, ...]) -> float:
        real = list(combinations(members, 2))
        return (pairs - len(real) + sum(unlike(units[i], units[j], position, label) for i, j in real)) / pairs

    @cache
    def best(left: frozenset[int]) -> float:
        if not left:
            return 0.0
        first = min(left)
        others = [i for i in left if i != first and units[i][0] != units[first][0]]
        found = cost((first,)) + best(left - {first})
        for size in range(1, annotators):
            for more in combinations(others, size):
                if len({units[i][0] for i in more}) == size:
                    members = (first, *more)
                    found = min(found, cost(members) + best(left - set(members)))
        return found

    return best(frozenset(range(len(units))))
