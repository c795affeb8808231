"""What a row of small numbers is spelled as must fit the integers of every engine."""

from __future__ import annotations

import pytest
from tests.engines.test_sorting import table
from tests.support import on_engines

import assent


@pytest.mark.parametrize(("native", "sizes"), on_engines([(8, 9), (5, 60), (16, 3)], [(5, 60)]), indirect=["native"])
def test_sums_beyond_32_bits_are_added_up_by_every_engine(native, sizes):
    annotators, labels = sizes
    """Eight annotators and nine labels fill 32 bits to the last: DuckDB and Spark refuse integers that are too short."""
    frame = table(60, annotators, labels)
    here, there = assent.conger_kappa(frame), assent.conger_kappa(native(frame))
    assert (here.value, here.standard_error()) == (there.value, there.standard_error())
