"""Equal rows and equal keys are put together in order, by whatever way is fast for them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

import assent
from assent import profiles
from assent.analyses.annotators.table import added_up
from assent.engines.profiling import PackedCounts


@settings(deadline=None)
@given(st.integers(1, 30), st.integers(1, 20), st.sampled_from([1, 2, 255, 2**16, 2**40, 2**62]), st.integers(0, 10**6))
def test_distinct_rows_are_those_of_python_in_lexicographic_order(
    rows: int, columns: int, largest: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    few = rng.integers(0, largest, (max(1, rows // 3), columns), endpoint=True)
    matrix = few[rng.integers(0, len(few), rows)]
    expected = sorted(set(map(tuple, matrix.tolist())))
    found, place = profiles.distinct_rows(matrix)
    assert [tuple(row) for row in np.asarray(found).tolist()] == expected
    assert place.tolist() == [expected.index(tuple(row)) for row in matrix.tolist()]
    sparse, place = profiles.distinct_rows(csr_array(matrix))
    assert np.array_equal(sparse.toarray()[place], matrix)
    assert sparse.shape[0] == len(expected)


def test_rows_that_differ_at_once_are_not_compared_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight columns of a byte are one number to be sorted; once no two rows are the same, the rest decides nothing."""
    matrix = np.random.default_rng(0).integers(0, 256, (50, 800))
    original, sorted_so = np.unique, []
    monkeypatch.setattr(profiles.np, "unique", lambda *given, **more: sorted_so.append(1) or original(*given, **more))
    found, _ = profiles.distinct_rows(matrix)
    assert np.asarray(found).tolist() == sorted(matrix.tolist())
    assert len(sorted_so) == 1


def test_numbers_in_order_are_not_sorted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiles.np, "unique", None)
    found, times, _ = profiles.collapse(np.array([[2], [5], [9]]), np.array([1, 2, 3]))
    assert (np.asarray(found).tolist(), times.tolist()) == ([[2], [5], [9]], [1, 2, 3])


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 3)), min_size=1, max_size=40), st.booleans())
def test_numbers_are_added_up_by_key(pairs: list[tuple[int, int]], in_order: bool) -> None:
    pairs = sorted(pairs) if in_order else pairs
    expected: dict[int, int] = {}
    for key, value in pairs:
        expected[key] = expected.get(key, 0) + value
    for sign in (1, -1):
        keys, sums = added_up(np.array([key for key, _ in pairs]), sign * np.array([one for _, one in pairs]), 41)
        assert dict(zip(keys.tolist(), sums.tolist(), strict=True)) == {
            key: sign * one for key, one in expected.items()
        }
        assert keys.tolist() == sorted(expected)


def test_keys_in_order_need_no_table_of_what_they_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(np, "bincount", None)
    keys, sums = added_up(np.array([3, 3, 7]), np.array([2, 1, 4]), 8)
    assert (keys.tolist(), sums.tolist()) == ([3, 7], [3, 4])


@pytest.mark.parametrize(("count", "largest"), [(1, 1), (4, 960), (7, 3), (70, 5)])
def test_digits_are_read_as_they_were_spelled(count: int, largest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    digits = PackedCounts(count=count, largest=largest)
    table = np.random.default_rng(count).integers(0, largest, (23, count), endpoint=True)
    sums = table @ digits.ones()
    assert digits.read(sums).tolist() == table.tolist()
    for chunk in (4_000_000, 3 * count):
        monkeypatch.setattr("assent.engines.profiling.CHUNK", chunk)
        row, position, value = digits.cells(sums)
        assert (row.tolist(), position.tolist()) == tuple(one.tolist() for one in table.nonzero())
        assert value.tolist() == table[table > 0].tolist()


def test_items_of_which_all_are_complete_are_not_copied() -> None:
    whole = assent.Annotations.from_array([[1, 2], [2, 2]])._ratings
    assert whole.complete() is whole
    part = assent.Annotations.from_array([[1, 2], [2, None]])._ratings
    assert part.complete().n_items == 1
