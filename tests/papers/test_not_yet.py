"""Oracles of measures that do not exist yet are listed by name, and the list must shrink."""

import pytest
from tests.papers.oracle import NOT_YET, load, names, registered


@pytest.mark.parametrize("name", sorted(NOT_YET))
def test_not_yet_is_not_registered(name: str) -> None:
    assert name not in registered(), f"{name} exists now: take it out of NOT_YET in papers/oracle.py"


def test_every_oracle_has_a_measure_or_is_listed() -> None:
    wanted = {case.measure for name in names() for case in load(name)}
    assert wanted - registered() == NOT_YET


@pytest.mark.parametrize("name", names())
def test_every_table_says_where_it_is_from(name: str) -> None:
    for case in load(name):
        assert case.source
        assert case.basis in ("published", "exact")
        assert len({len(row) for row in case.table.rows}) == 1
        assert {label for row in case.table.rows for label in row} - {None} <= set(case.table.labels)
