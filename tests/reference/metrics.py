"""Krippendorff's squared differences (2011, Computing Krippendorff's Alpha-Reliability, pp. 5-6).

Each is written as printed: the ordinal one as the sum over all labels from one to the other, no mid-ranks.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from .tables import Label, Number


def nominal(a: Label, b: Label, labels: Sequence[Label], frequency: Mapping[Label, Number]) -> Number:
    """0 if equal, else 1."""
    return Fraction(a != b)


def ordinal(a: Label, b: Label, labels: Sequence[Label], frequency: Mapping[Label, Number]) -> Number:
    """(sum of the frequencies from a to b - half of a's and b's)^2; frequencies of pairable values."""
    low, high = sorted((labels.index(a), labels.index(b)))
    between: Number = Fraction(0)
    for label in labels[low : high + 1]:
        between = between + frequency[label]
    return (between - (frequency[a] + frequency[b]) / 2) ** 2


def interval(a: Label, b: Label, labels: Sequence[Label], frequency: Mapping[Label, Number]) -> Number:
    """(a - b)^2."""
    return (Fraction(a) - Fraction(b)) ** 2


def ratio(a: Label, b: Label, labels: Sequence[Label], frequency: Mapping[Label, Number]) -> Number:
    """((a - b) / (a + b))^2; 0 for equal values, also 0 and 0."""
    return Fraction(0) if a == b else ((Fraction(a) - Fraction(b)) / (Fraction(a) + Fraction(b))) ** 2


METRICS: dict[str, Callable[[Label, Label, Sequence[Label], Mapping[Label, Number]], Number]] = {
    "nominal": nominal,
    "ordinal": ordinal,
    "interval": interval,
    "ratio": ratio,
}
