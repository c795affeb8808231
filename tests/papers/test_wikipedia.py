"""The worked examples of Wikipedia's pages on Cohen's and Fleiss' kappa."""

import pytest
from tests.papers.oracle import Case, assent_cases, check_assent, check_reference, reference_cases


@pytest.mark.parametrize("case", reference_cases("wikipedia"))
def test_reference(case: Case) -> None:
    check_reference(case)


@pytest.mark.parametrize("case", assent_cases("wikipedia"))
def test_assent(case: Case) -> None:
    check_assent(case)
