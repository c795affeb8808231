"""Hayes & Krippendorff (2007), Answering the Call for a Standard Reliability Measure, p. 84."""

import pytest
from tests.papers.oracle import Case, assent_cases, check_assent, check_reference, reference_cases


@pytest.mark.parametrize("case", reference_cases("hayes_krippendorff_2007"))
def test_reference(case: Case) -> None:
    check_reference(case)


@pytest.mark.parametrize("case", assent_cases("hayes_krippendorff_2007"))
def test_assent(case: Case) -> None:
    check_assent(case)
