"""A slow reference for intervals by tilted weights: differences for derivatives, halving for the tilt, one item at a time."""

from collections.abc import Sequence
from itertools import combinations, permutations
from math import exp, log, sqrt

from scipy.stats import t as student

from .inference import Coefficient
from .tables import Label, Rows, given, vocabulary

Item = Sequence[Label | None]


def pseudo_item(rows: Rows, labels: Sequence[Label], *, enough: int = 10) -> list[tuple[Item, float]]:
    """Rows that together are one item: half of it agrees, half does not."""
    pairable = [row for row in rows if len(given(row)) >= 2]
    lengths = [len(given(row)) for row in pairable]
    size = max(lengths, key=lambda length: (lengths.count(length), length))
    groups = [[place for place, label in enumerate(row) if label is not None] for row in pairable]
    groups = [group for group in groups if len(group) == size]
    parts: list[tuple[Item, float]] = []
    for group in groups:
        each = 0.5 / len(groups) / len(labels)
        parts += [(_row(len(rows[0]), group, [label] * size), each) for label in labels]
    weights = dict.fromkeys(permutations(labels, 2), 0.0)
    disagreeing = [row for row in pairable if len(set(given(row))) > 1]
    for row in disagreeing:
        apart = [pair for pair in permutations(given(row), 2) if pair[0] != pair[1]]
        for pair in apart:
            weights[pair] += 1 / len(apart)
    if len(disagreeing) < enough:
        weights = {pair: weight + 1 / len(weights) for pair, weight in weights.items()}
    ways = list(combinations(range(size), size // 2))
    share = 0.5 / len(groups) / len(ways) / sum(weights.values())
    for group in groups:
        for (one, other), weight in weights.items():
            for way in ways:
                split = [one if place in way else other for place in range(size)]
                if weight > 0:
                    parts.append((_row(len(rows[0]), group, split), share * weight))
    return parts


def _row(width: int, group: Sequence[int], labels: Sequence[Label]) -> Item:
    row: list[Label | None] = [None] * width
    for annotator, label in zip(group, labels, strict=True):
        row[annotator] = label
    return row


def etel_interval(
    rows: Rows, coefficient: Coefficient, *, level: float = 0.95, labels: Sequence[Label] | None = None
) -> tuple[float, float]:
    """The values at the two tilts where twice the log-likelihood ratio is t squared, extended to hold the value."""
    labels = vocabulary(rows) if labels is None else labels
    counted: dict[tuple[Label | None, ...], float] = {}
    for row, weight in [*((row, 1.0) for row in rows), *pseudo_item(rows, labels)]:
        counted[tuple(row)] = counted.get(tuple(row), 0.0) + weight
    every, base = list(counted), list(counted.values())
    total = sum(base)

    def value(times: Sequence[float]) -> float:
        return float(coefficient(every, labels=labels, times=times))

    def slope(i: int, step: float = 1e-3) -> float:
        def at(change: float) -> float:
            return value([*base[:i], base[i] + change, *base[i + 1 :]])

        return (8 * (at(step) - at(-step)) - at(2 * step) + at(-2 * step)) / (12 * step)

    slopes = [slope(i) for i in range(len(every))]
    mean = sum(w * u for w, u in zip(base, slopes, strict=True)) / total
    spread = sqrt(sum(w * (u - mean) ** 2 for w, u in zip(base, slopes, strict=True)) / total)
    standard = [(u - mean) / spread for u in slopes]

    def tilted(tilt: float) -> list[float]:
        grown = [w * exp(tilt * u) for w, u in zip(base, standard, strict=True)]
        return [total * one / sum(grown) for one in grown]

    def deviance(tilt: float) -> float:
        return 2 * sum(w * log(w / new) for w, new in zip(base, tilted(tilt), strict=True))

    units = sum(len(given(row)) >= 2 for row in rows)
    enough = float(student.ppf((1 + level) / 2, units - 1)) ** 2
    ends = []
    for sign in (-1.0, 1.0):
        inside, outside = 0.0, 1.0
        while deviance(sign * outside) < enough:
            outside *= 2
        for _ in range(200):
            middle = (inside + outside) / 2
            inside, outside = (middle, outside) if deviance(sign * middle) < enough else (inside, middle)
        ends.append(value(tilted(sign * inside)))
    found = float(coefficient(rows, labels=labels))
    # NaN, an undefined value, is larger and smaller than nothing.
    return min([*ends, found] if found == found else ends), max([*ends, found] if found == found else ends)
