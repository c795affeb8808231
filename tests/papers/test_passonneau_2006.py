"""Passonneau (2006), Measuring agreement on set-valued items (MASI): Jaccard's share times 1, 2/3, 1/3 or 0.

NLTK implements the same measure as a distance. Until its issue 3361 it rounded the thirds to 0.67 and 0.33, so that its
documentation printed 0.665 for {1, 2} and {1, 2, 3, 4}; the definition gives 2/3.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, combinations

import numpy as np
import pytest

from assent.profiles import Array
from assent.set_distances import jaccard, masi

#: Every set of up to four labels, the empty one too.
SETS = [frozenset(some) for some in chain.from_iterable(combinations(range(4), size) for size in range(5))]


def members(*sets: frozenset[int]) -> Array:
    return np.array([[c in labels for c in range(4)] for labels in sets])


def share(one: frozenset[int], two: frozenset[int]) -> Fraction:
    return Fraction(len(one & two), len(one | two)) if one | two else Fraction(1)


def monotonicity(one: frozenset[int], two: frozenset[int]) -> Fraction:
    if one == two:
        return Fraction(1)
    if one < two or two < one:
        return Fraction(2, 3)
    return Fraction(1, 3) if one & two else Fraction(0)


def rounded_distance(one: frozenset[int], two: frozenset[int]) -> float:
    """What NLTK gave with rounded thirds; it divides by zero for two empty sets."""
    return 1 - float(share(one, two)) * round(float(monotonicity(one, two)), 2)


def test_every_pair_of_sets() -> None:
    expected = [[share(one, two) * monotonicity(one, two) for two in SETS] for one in SETS]
    assert masi(members(*SETS)) == pytest.approx(np.array(expected, dtype=float), abs=1e-15)
    shares = [[share(one, two) for two in SETS] for one in SETS]
    assert jaccard(members(*SETS)).tolist() == [[float(value) for value in row] for row in shares]


@pytest.mark.parametrize(
    ("one", "two", "agreement"),
    [
        ({0, 1}, {0, 1}, Fraction(1)),
        ({0, 1}, {0, 1, 2}, Fraction(4, 9)),
        ({0, 1}, {0, 1, 2, 3}, Fraction(1, 3)),
        ({0, 1}, {1, 2}, Fraction(1, 9)),
        ({0, 1}, {2, 3}, Fraction(0)),
        (set(), {1}, Fraction(0)),
        (set(), set(), Fraction(1)),
    ],
)
def test_by_hand(one: set[int], two: set[int], agreement: Fraction) -> None:
    got = masi(members(frozenset(one), frozenset(two)))
    assert got[0, 1] == got[1, 0] == pytest.approx(float(agreement), abs=1e-15)


def test_rounded_thirds() -> None:
    """The documented 0.665, and how far rounding moves any pair of sets."""
    one, two = frozenset({1, 2}), frozenset({0, 1, 2, 3})
    assert rounded_distance(one, two) == pytest.approx(0.665)
    assert 1 - masi(members(one, two))[0, 1] == pytest.approx(2 / 3, abs=1e-15)
    exact = 1 - masi(members(*SETS))
    rounded = np.array([[rounded_distance(one, two) for two in SETS] for one in SETS])
    assert 0 < np.abs(exact - rounded).max() < 1 / 300
    identical_or_disjoint = np.isin(exact, [0.0, 1.0])
    assert np.array_equal(exact[identical_or_disjoint], rounded[identical_or_disjoint])


def test_agreement_weights() -> None:
    """Symmetric, between 0 and 1, 1 for the same set alone: what a matrix of weights must be."""
    for weights in (jaccard(members(*SETS)), masi(members(*SETS))):
        assert np.array_equal(weights, weights.T)
        assert weights.min() == 0
        assert np.array_equal(weights == 1, np.eye(len(SETS), dtype=bool))
