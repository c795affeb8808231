"""The table every reference takes, the pair of numbers it gives back, and small conversions."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import nan
from typing import TypeAlias

Label: TypeAlias = int | float | str | Fraction
Rows: TypeAlias = Sequence[Sequence[Label | None]]
Number: TypeAlias = Fraction | float  # int where whole; Fraction unless a float came in


@dataclass(frozen=True)
class Components:
    """Observed and expected agreement; the value is what is observed beyond the expected, unless there is a coefficient."""

    observed: Number | None
    expected: Number | None = Fraction(0)
    coefficient: Number | None = None

    @property
    def value(self) -> Number | None:
        """The coefficient, or (observed - expected) / (1 - expected), or None where that is undefined."""
        if self.coefficient is not None:
            return self.coefficient
        if self.observed is None or self.expected is None or self.expected == 1:
            return None
        return (self.observed - self.expected) / (1 - self.expected)

    def __float__(self) -> float:
        """The value; NaN where it is undefined."""
        return nan if self.value is None else float(self.value)


UNDEFINED = Components(None, None)


def given(row: Sequence[Label | None]) -> list[Label]:
    """The labels an item received."""
    return [label for label in row if label is not None]


def multiplicities(rows: Rows, times: Sequence[Number] | None) -> list[Number]:
    """How often each row counts."""
    return [Fraction(1)] * len(rows) if times is None else list(times)


def vocabulary(rows: Rows, labels: Sequence[Label] | None = None) -> list[Label]:
    """The labels in order: as stated, else sorted (numbers by size, text alphabetically)."""
    if labels is not None:
        return list(labels)
    found = {label for row in rows for label in given(row)}
    if any(isinstance(label, str) for label in found):
        return sorted(found, key=str)
    return sorted(found, key=lambda number: Fraction(number))


def from_contingency(table: Sequence[Sequence[int]], labels: Sequence[Label]) -> list[list[Label | None]]:
    """One row per item of a k x k table: its row is the first annotator's label, its column the second's."""
    return [[labels[i], labels[j]] for i, line in enumerate(table) for j, n in enumerate(line) for _ in range(n)]


def from_counts(counts: Sequence[Sequence[int]], labels: Sequence[Label]) -> list[list[Label | None]]:
    """One row per item from items x labels counts; who gave which label is lost, short rows end in None."""
    width = max(sum(line) for line in counts)
    rows: list[list[Label | None]] = []
    for line in counts:
        row: list[Label | None] = [labels[c] for c, n in enumerate(line) for _ in range(n)]
        rows.append(row + [None] * (width - len(row)))
    return rows


def binarised(rows: Rows, label: Label) -> list[list[Label | None]]:
    """This label (1) against all others (0)."""
    return [[None if given_label is None else int(given_label == label) for given_label in row] for row in rows]
