"""Agreement weights as in Gwet (2014), Handbook of Inter-Rater Reliability, 4th ed., chapter 3.

Weight 1 is full agreement. Numeric labels are used by their value, text labels by their position 1..q; the
ordinal weights use positions always. (Not to be mixed up with Krippendorff's metrics: see metrics.py.)
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import comb, pi, sin, sqrt
from typing import TypeAlias

from .tables import Label, Number

Weights: TypeAlias = Mapping[tuple[Label, Label], Number]


def identity(values: Sequence[Fraction]) -> list[list[Number]]:
    """1 on the diagonal, else 0."""
    return [[Fraction(a == b) for b in values] for a in values]


def linear(values: Sequence[Fraction]) -> list[list[Number]]:
    """1 - |a - b| / range."""
    span = max(values) - min(values)
    return [[1 - abs(a - b) / span for b in values] for a in values]


def quadratic(values: Sequence[Fraction]) -> list[list[Number]]:
    """1 - (a - b)^2 / range^2."""
    span = max(values) - min(values)
    return [[1 - (a - b) ** 2 / span**2 for b in values] for a in values]


def ordinal(values: Sequence[Fraction]) -> list[list[Number]]:
    """1 - M_kl / max M with M_kl = C(max(k, l) - min(k, l) + 1, 2), k and l positions."""
    q = len(values)
    return [[1 - Fraction(comb(abs(k - j) + 1, 2), comb(q, 2)) for j in range(q)] for k in range(q)]


def radical(values: Sequence[Fraction]) -> list[list[Number]]:
    """1 - sqrt|a - b| / sqrt(range): not rational."""
    span = max(values) - min(values)
    return [[1 - sqrt(abs(a - b)) / sqrt(span) for b in values] for a in values]


def ratio(values: Sequence[Fraction]) -> list[list[Number]]:
    """1 - ((a - b) / (a + b))^2 / ((max - min) / (max + min))^2; equal values agree, also 0 and 0."""
    top, bottom = max(values), min(values)
    largest = ((top - bottom) / (top + bottom)) ** 2
    return [[Fraction(1) if a == b else 1 - ((a - b) / (a + b)) ** 2 / largest for b in values] for a in values]


def circular(values: Sequence[Fraction]) -> list[list[Number]]:
    """1 - d / max d with d = sin^2(pi (a - b) / (range + 1)): not rational."""
    circle = max(values) - min(values) + 1
    return _scaled([[sin(pi * float((a - b) / circle)) ** 2 for b in values] for a in values])


def bipolar(values: Sequence[Fraction]) -> list[list[Number]]:
    """1 - d / max d with d = (a - b)^2 / ((a + b - 2 min)(2 max - a - b)), 0 on the diagonal."""
    top, bottom = max(values), min(values)
    return _scaled(
        [
            [Fraction(0) if a == b else (a - b) ** 2 / ((a + b - 2 * bottom) * (2 * top - a - b)) for b in values]
            for a in values
        ]
    )


def _scaled(distances: Sequence[Sequence[Number]]) -> list[list[Number]]:
    largest = max(max(line) for line in distances)
    return [[1 - d / largest for d in line] for line in distances]


FAMILIES: dict[str, Callable[[Sequence[Fraction]], list[list[Number]]]] = {
    "identity": identity,
    "linear": linear,
    "quadratic": quadratic,
    "ordinal": ordinal,
    "radical": radical,
    "ratio": ratio,
    "circular": circular,
    "bipolar": bipolar,
}


def agreement_weights(weights: str | Sequence[Sequence[Number]], labels: Sequence[Label]) -> Weights:
    """The weight of every pair of labels, from a family's name or a q x q matrix in the labels' order."""
    if isinstance(weights, str):
        matrix: Sequence[Sequence[Number]] = [[Fraction(1)]]  # one label: it agrees with itself
        if len(labels) > 1:
            matrix = FAMILIES[weights](positions(labels))
    else:
        matrix = [[Fraction(w) for w in line] for line in weights]
    return {(a, b): matrix[i][j] for i, a in enumerate(labels) for j, b in enumerate(labels)}


def positions(labels: Sequence[Label]) -> list[Fraction]:
    """Numeric labels as they are, others as 1..q."""
    if any(isinstance(label, str) for label in labels):
        return [Fraction(k + 1) for k in range(len(labels))]
    return [Fraction(label) for label in labels]
