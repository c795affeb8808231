"""Gwet (2014), Handbook of Inter-Rater Reliability, with the digits of R irrCAC 1.0.

Standard errors. With N / (N - 1) times the sum of squared influences, the linearised standard error of
Fleiss' kappa, AC1 and Brennan-Prediger is Gwet's to every digit printed where every item has two or more
labels (distrib.6raters). It differs where an item has one label (cac.raw4raters), because there Gwet takes
the share of pairable items as known, and for alpha, where R irrCAC 1.0 has slips that are reproduced here
to explain the difference.
"""

from typing import Any

import pytest
from scipy import stats
from tests import reference
from tests.papers.oracle import Case, Table, annotations, load, table
from tests.papers.test_inference_by_reference import usable
from tests.reference.inference import (
    gwet_standard_error,
    irrcac_alpha_standard_error,
    jackknife_standard_error,
    linearised_standard_error,
)

import assent

COMPLETE = table("gwet_2014", "distrib6raters")
SINGLES = table("gwet_2014", "raw4raters")


def gwet_cases(quantity: str) -> list[Any]:
    """The published standard errors, or p-values."""
    return [pytest.param(case, id=str(case)) for case in load("gwet_2014") if case.quantity == quantity]


def published_standard_error(table: Table, measure: str) -> float:
    """What irrCAC computes, reproduced to all its digits."""
    if measure == "krippendorff-alpha":
        return irrcac_alpha_standard_error(table.rows, "dist" if table is COMPLETE else "raw")
    return gwet_standard_error(table.rows, measure)


@pytest.mark.parametrize("case", gwet_cases("standard-error"))
def test_published_standard_errors_are_understood(case: Case) -> None:
    case.check(published_standard_error(case.table, case.measure))


@pytest.mark.parametrize("case", gwet_cases("p"))
def test_published_p_values_are_understood(case: Case) -> None:
    """Two-sided, Student's t on one item less than were used: alpha leaves out the item with one label."""
    value = float(getattr(reference, case.measure.replace("-", "_"))(case.rows))
    freedom = 10 if case.measure == "krippendorff-alpha" else 11
    case.check(2 * stats.t.sf(value / published_standard_error(case.table, case.measure), freedom))


@pytest.mark.parametrize("measure", ["fleiss-kappa", "gwet-ac", "brennan-prediger"])
def test_linearised_is_gwets_on_complete_tables(measure: str) -> None:
    """To every digit with N - 1; with N the published 0.0812 would be 0.0784."""
    (case,) = [
        case
        for case in load("gwet_2014")
        if case.table is COMPLETE and case.measure == measure and case.quantity == "standard-error"
    ]
    coefficient = getattr(reference, measure.replace("-", "_"))
    case.check(linearised_standard_error(case.rows, coefficient, ddof=1))
    assert abs(linearised_standard_error(case.rows, coefficient, ddof=0) - case.value) > 0.002


def test_alpha_with_the_missing_factor() -> None:
    """irrCAC prints 0.08243228 for want of a factor 2; with it, it would print the linearised 0.08029077."""
    linearised = linearised_standard_error(COMPLETE.rows, reference.krippendorff_alpha)
    assert linearised == pytest.approx(0.08029077, abs=5e-9)
    assert irrcac_alpha_standard_error(COMPLETE.rows, "dist") == pytest.approx(0.08243228, abs=5e-9)


def test_single_labels_side_with_the_jackknife() -> None:
    """AC1 of cac.raw4raters: linearised 0.1247, jackknife 0.1252, Gwet 0.1430 (MATH.md, section 1)."""
    assert linearised_standard_error(SINGLES.rows, reference.gwet_ac) == pytest.approx(0.1247, abs=5e-5)
    assert jackknife_standard_error(SINGLES.rows, reference.gwet_ac) == pytest.approx(0.1252, abs=5e-5)


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=str(case)) for case in load("gwet_2014") if case.quantity == "standard-error"],
)
def test_standard_errors_of_assent(case: Case) -> None:
    """Gwet's where they must be the same; the finite differences of the reference always."""
    got = assent.all_measures()[case.measure](annotations(case.table), **case.options).standard_error(method="analytic")
    coefficient = getattr(reference, case.measure.replace("-", "_"))
    rows = usable(case.rows, case.measure, {})
    assert got == pytest.approx(linearised_standard_error(rows, coefficient), rel=1e-7)
    if case.table is COMPLETE and case.measure != "krippendorff-alpha":
        case.check(got)
    else:
        assert abs(got - case.value) > 100 * case.tolerance
