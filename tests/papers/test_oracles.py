"""Every number of every oracle is that of the slow reference and of assent, and every oracle says where it is from."""

import pytest
from tests.papers.oracle import KNOWN_AS, Case, cases, check_assent, check_reference, load, names
from tests.support import some

import assent


@pytest.mark.parametrize("case", cases())
def test_reference(case: Case) -> None:
    check_reference(case)


@pytest.mark.parametrize("case", cases())
def test_assent(case: Case) -> None:
    check_assent(case)


def test_every_oracle_has_a_measure() -> None:
    wanted = {case.measure for name in names() for case in load(name)}
    assert {KNOWN_AS.get(name, (name,))[0] for name in wanted} <= set(assent.all_measures())


@pytest.mark.parametrize("name", names())
def test_every_table_says_where_it_is_from(name: str) -> None:
    for case in some(load(name)):
        assert case.source
        assert case.basis in ("published", "exact")
        assert len({len(row) for row in case.table.rows}) == 1
        assert {label for row in case.table.rows for label in row} - {None} <= set(case.table.labels)
