"""Krippendorff (2011), Computing Krippendorff's Alpha-Reliability."""

import pytest
from tests.papers.oracle import Case, assent_cases, check_assent, check_reference, reference_cases


@pytest.mark.parametrize("case", reference_cases("krippendorff_2011"))
def test_reference(case: Case) -> None:
    check_reference(case)


@pytest.mark.parametrize("case", assent_cases("krippendorff_2011"))
def test_assent(case: Case) -> None:
    check_assent(case)
