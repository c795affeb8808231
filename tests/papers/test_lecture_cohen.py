"""Zhao (2026), a lecture on inter-annotator agreement: every table it works out, misprints corrected."""

import pytest
from tests.papers.oracle import Case, assent_cases, check_assent, check_reference, reference_cases


@pytest.mark.parametrize("case", reference_cases("lecture_cohen"))
def test_reference(case: Case) -> None:
    check_reference(case)


@pytest.mark.parametrize("case", assent_cases("lecture_cohen"))
def test_assent(case: Case) -> None:
    check_assent(case)
