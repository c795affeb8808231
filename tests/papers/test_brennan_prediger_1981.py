"""Brennan & Prediger (1981), Coefficient Kappa: Some Uses, Misuses, and Alternatives, pp. 689 and 691."""

import pytest
from tests.papers.oracle import Case, assent_cases, check_assent, check_reference, reference_cases


@pytest.mark.parametrize("case", reference_cases("brennan_prediger_1981"))
def test_reference(case: Case) -> None:
    check_reference(case)


@pytest.mark.parametrize("case", assent_cases("brennan_prediger_1981"))
def test_assent(case: Case) -> None:
    check_assent(case)
