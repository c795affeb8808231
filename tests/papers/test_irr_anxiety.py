"""The data set anxiety of R irr 0.84.1: ordinal scores of three raters."""

import pytest
from tests.papers.oracle import Case, assent_cases, check_assent, check_reference, reference_cases


@pytest.mark.parametrize("case", reference_cases("irr_anxiety"))
def test_reference(case: Case) -> None:
    check_reference(case)


@pytest.mark.parametrize("case", assent_cases("irr_anxiety"))
def test_assent(case: Case) -> None:
    check_assent(case)
