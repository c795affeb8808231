"""The numbers of the paper's text (sections 5 and 5.1), and which of ours they are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from studies.marchal2022.simulating import AGREEMENT, DOUBLE, SETTINGS, Cell, Design, Setting

__all__ = [
    "ALIKE",
    "EQUAL",
    "ERRORS",
    "FIVE_CATEGORIES",
    "HIGH_ALL_DOUBLE",
    "MEDIUM_ALL_DOUBLE",
    "NO_DOUBLE",
    "NUMBERS",
    "QUARTER_DOUBLE",
    "ROUNDING",
    "SOFT_MATCH",
    "TEN",
    "TEN_CATEGORIES",
    "UNEVEN",
    "Drift",
    "Number",
    "Results",
    "Table",
]

EQUAL, TEN, UNEVEN, ALIKE = SETTINGS
LOW, MEDIUM, HIGH = AGREEMENT
NONE, QUARTER, *_, ALL = DOUBLE
#: The paper rounds to two digits.
ROUNDING = 0.005
#: Data sets of each kind in the paper.
PAPER_DATA_SETS = 100
#: How many standard errors, of their simulation and of ours, two numbers may be apart.
ERRORS = 3.0

Results: TypeAlias = Mapping[Design, Mapping[str, Cell]]
#: A change from no double labels to all, and its standard error, at each level of agreement.
Drift: TypeAlias = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Number:
    """A number of the paper, and which of ours it is: the mean over some cells.

    Parameters
    ----------
    paper : float
    measure, part : str
    designs : tuple of Design
    """

    paper: float
    measure: str
    part: str
    designs: tuple[Design, ...]

    @property
    def categories(self) -> int:
        """How many categories there are."""
        return len(self.designs[0].setting.shares)

    @property
    def agreement(self) -> str:
        """Which intersection agreement."""
        levels = {design.agreement for design in self.designs}
        return f"{levels.pop():.0%}" if len(levels) == 1 else "all"

    @property
    def double(self) -> str:
        """Which share of double labels."""
        shares = {design.double for design in self.designs}
        return f"{shares.pop():.0%}" if len(shares) == 1 else "all"

    def ours(self, results: Results) -> tuple[float, float]:
        """Return our number and its standard error."""
        cells = [results[design][self.measure] for design in self.designs]
        errors = [cell.error(self.part) for cell in cells]
        return float(np.mean([cell.mean(self.part) for cell in cells])), math.hypot(*errors) / len(errors)

    def agrees(self, results: Results) -> bool:
        """Return whether the two are as near as rounding and both simulations' errors allow."""
        ours, error = self.ours(results)
        data_sets = len(results[self.designs[0]][self.measure].observed)
        theirs = error * math.sqrt(data_sets / PAPER_DATA_SETS)
        return abs(ours - self.paper) <= ROUNDING + ERRORS * math.hypot(error, theirs)


def _number(
    paper: float, measure: str, part: str, setting: Setting, agreement: Sequence[float], double: Sequence[float]
) -> Number:
    return Number(paper, measure, part, tuple(Design(setting, a, d) for a in agreement for d in double))


NO_DOUBLE = tuple(
    _number(paper, "boot-match", "adjusted", EQUAL, (a,), (NONE,))
    for a, paper in zip(AGREEMENT, (0.50, 0.69, 0.87), strict=True)
)
SOFT_MATCH = _number(0.21, "soft-match", "expected", EQUAL, AGREEMENT, DOUBLE)
QUARTER_DOUBLE = _number(0.49, "augmented", "adjusted", EQUAL, (HIGH,), (QUARTER,))
FIVE_CATEGORIES = tuple(
    _number(n, "boot-match", "expected", EQUAL, AGREEMENT, (d,)) for n, d in ((0.20, NONE), (0.70, ALL))
)
TEN_CATEGORIES = tuple(
    _number(n, "boot-match", "expected", TEN, AGREEMENT, (d,)) for n, d in ((0.11, NONE), (0.38, ALL))
)
HIGH_ALL_DOUBLE = _number(0.67, "boot-match", "adjusted", EQUAL, (HIGH,), (ALL,))
MEDIUM_ALL_DOUBLE = tuple(
    _number(n, "boot-match", "adjusted", setting, (MEDIUM,), (ALL,)) for n, setting in ((0.17, EQUAL), (0.60, TEN))
)
#: Every number that the text states for the simulations.
NUMBERS = (
    *NO_DOUBLE,
    SOFT_MATCH,
    QUARTER_DOUBLE,
    *FIVE_CATEGORIES,
    *TEN_CATEGORIES,
    HIGH_ALL_DOUBLE,
    *MEDIUM_ALL_DOUBLE,
)


@dataclass(frozen=True)
class Table:
    """Means over data sets, by agreement and share of double labels."""

    results: Results

    def __call__(self, setting: Setting, measure: str, part: str) -> np.ndarray:
        """Return the means of a part: (agreement, double)."""
        cells = [[self.results[Design(setting, a, d)][measure].mean(part) for d in DOUBLE] for a in AGREEMENT]
        return np.array(cells)

    def error(self, setting: Setting, measure: str, part: str) -> np.ndarray:
        """Return their standard errors: (agreement, double)."""
        cells = [[self.results[Design(setting, a, d)][measure].error(part) for d in DOUBLE] for a in AGREEMENT]
        return np.array(cells)

    def drift(self, setting: Setting, measure: str, part: str) -> Drift:
        """Return by how much a part changes from no double labels to all, and its error: (agreement,) each."""
        mean, error = self(setting, measure, part), self.error(setting, measure, part)
        return mean[:, -1] - mean[:, 0], np.hypot(error[:, -1], error[:, 0])
