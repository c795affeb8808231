"""Artstein & Poesio (2008), Inter-Coder Agreement for Computational Linguistics, pp. 558 and 568."""

from fractions import Fraction

import pytest
from tests.papers.oracle import annotations, table
from tests.reference import Number, cohen_kappa, fleiss_kappa, krippendorff_alpha

import assent

#: p. 568: mistaking a check for something else is half a mistake. In the order STAT, IReq, Chck.
WEIGHTS: list[list[Number]] = [
    [1, 0, Fraction(1, 2)],
    [0, 1, Fraction(1, 2)],
    [Fraction(1, 2), Fraction(1, 2), 1],
]


def test_weights_of_ones_own() -> None:
    """p. 568: weighted kappa 0.8163, weighted alpha 0.8156."""
    example = table("artstein_poesio_2008", "p568")
    kappa = cohen_kappa(example.rows, weights=WEIGHTS, labels=example.labels)
    alpha = krippendorff_alpha(example.rows, weights=WEIGHTS, labels=example.labels)
    assert float(kappa) == pytest.approx(0.8163, abs=5e-5)
    assert float(alpha) == pytest.approx(0.8156, abs=5e-5)


def test_weights_of_ones_own_in_assent() -> None:
    example = table("artstein_poesio_2008", "p568")
    matrix = [[float(w) for w in line] for line in WEIGHTS]
    expected = fleiss_kappa(example.rows, weights=WEIGHTS, labels=example.labels)
    got = assent.all_measures()["fleiss-kappa"](annotations(example), weights=matrix, order=["STAT", "IReq", "Chck"])
    assert got.value == pytest.approx(float(expected), abs=1e-12)
