"""Cohen (1960), A Coefficient of Agreement for Nominal Scales, pp. 37 and 45."""

import pytest
from tests.papers.oracle import Case, assent_cases, check_assent, check_reference, reference_cases


@pytest.mark.parametrize("case", reference_cases("cohen_1960"))
def test_reference(case: Case) -> None:
    check_reference(case)


@pytest.mark.parametrize("case", assent_cases("cohen_1960"))
def test_assent(case: Case) -> None:
    check_assent(case)
