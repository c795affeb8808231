"""Fleiss (1971), Measuring Nominal Scale Agreement Among Many Raters."""

from fractions import Fraction
from math import sqrt

from tests.papers.oracle import load
from tests.reference import binarised, fleiss_kappa
from tests.reference.coefficients import prevalence


def test_z_under_no_agreement() -> None:
    """The variance of kappa without agreement of Fleiss, Nee & Landis (1979): R irr prints z = 17.65183."""
    (case,) = [case for case in load("fleiss_1971") if case.quantity == "z0"]
    share = prevalence(case.rows, case.table.labels, [Fraction(1)] * len(case.rows)) or {}
    items, annotators = len(case.rows), len(case.rows[0])
    spread = sum(p * (1 - p) for p in share.values())
    skew = sum(p * (1 - p) * (1 - 2 * p) for p in share.values())
    variance = 2 * (spread**2 - skew) / (spread**2 * items * annotators * (annotators - 1))
    case.check(float(fleiss_kappa(case.rows)) / sqrt(variance))


def test_what_fleiss_prints_per_label() -> None:
    """Fleiss prints .248, .245, .517, .470, .565: the exact ones, as in R irr, differ by up to .003."""
    rows = load("fleiss_1971")[0].table.rows
    exact = [float(fleiss_kappa(binarised(rows, label))) for label in range(1, 6)]
    printed = [0.248, 0.245, 0.517, 0.470, 0.565]
    assert [round(value, 3) for value in exact] == [0.245, 0.245, 0.520, 0.471, 0.566]
    assert max(abs(a - b) for a, b in zip(exact, printed, strict=True)) < 0.0035
