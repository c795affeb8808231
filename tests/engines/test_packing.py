"""What a row of small numbers is spelled as must fit the integers of every engine."""

from __future__ import annotations

import pytest
from tests.engines.test_sorting import table

import assent


@pytest.mark.parametrize(("annotators", "labels"), [(8, 9), (5, 60), (16, 3)])
def test_sums_beyond_32_bits_are_added_up_by_every_engine(native, annotators, labels):
    """Eight annotators and nine labels fill 32 bits to the last: DuckDB and Spark refuse integers that are too short."""
    frame = table(60, annotators, labels)
    here, there = assent.conger_kappa(frame), assent.conger_kappa(native(frame))
    assert (here.value, here.standard_error()) == (there.value, there.standard_error())
