"""Krippendorff (1980), Content Analysis, pp. 133 and 139."""

import pytest
from tests.papers.oracle import Case, assent_cases, check_assent, check_reference, reference_cases


@pytest.mark.parametrize("case", reference_cases("krippendorff_1980"))
def test_reference(case: Case) -> None:
    check_reference(case)


@pytest.mark.parametrize("case", assent_cases("krippendorff_1980"))
def test_assent(case: Case) -> None:
    check_assent(case)
