"""Label against label: the matrix by its definition, and the share of each pair in all disagreement."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.papers import oracle
from tests.properties.tables import LABELS, STABLE, Rows, annotations, large, tables

import assent
from assent import Annotations
from assent.analyses.labels.confusions import disputed_pairs
from assent.errors import NothingToCompare, UnsuitableData
from assent.limits import LABELS_IN_PAIRS


def slow(rows: Rows, labels: tuple[str, ...]) -> list[list[Fraction]]:
    """Every ordered pair of annotations of an item, one by one."""
    cells = {(one, other): Fraction(0) for one in labels for other in labels}
    for row in rows:
        given_labels = [label for label in row if label is not None]
        for one, other in permutations(given_labels, 2):
            cells[one, other] += Fraction(1, len(given_labels) - 1)
    return [[cells[one, other] for other in labels] for one in labels]


@given(tables())
@STABLE
def test_it_is_what_the_pairs_say(rows: Rows) -> None:
    data = annotations(rows)
    found = assent.coincidences(data)
    wanted = np.array(slow(rows, data.labels), dtype=np.float64)
    assert found.matrix() == pytest.approx(wanted, abs=1e-12)
    assert found.totals.tolist() == pytest.approx(wanted.sum(axis=1).tolist())
    assert found.n_annotations == round(wanted.sum())
    # What never agreed is 0, not nearly 0.
    assert (np.diag(found.matrix()) == 0).tolist() == [row[i] == 0 for i, row in enumerate(slow(rows, data.labels))]


def test_the_matrix_that_krippendorff_prints() -> None:
    """Krippendorff (2011), section C: the coincidence matrix of four observers and twelve units."""
    data = oracle.annotations(oracle.table("krippendorff_2011", "4x12"))
    third = 1 / 3
    printed = [
        [7, 4 * third, third, third, 0],
        [4 * third, 10, 4 * third, third, 0],
        [third, 4 * third, 8, third, 0],
        [third, third, third, 4, 0],
        [0, 0, 0, 0, 3],
    ]
    found = assent.coincidences(data)
    assert found.matrix() == pytest.approx(np.array(printed))
    assert found.totals.tolist() == [9, 13, 10, 5, 3]
    assert 1 - 39 * found.disagreement / (40**2 - found.totals @ found.totals) == pytest.approx(0.743, abs=5e-4)


@given(tables(), st.permutations(LABELS))
@STABLE
def test_other_names_move_rows_and_columns_and_nothing_else(rows: Rows, names: list[str]) -> None:
    renamed = dict(zip(LABELS, names, strict=True))
    moved = tuple(tuple(None if label is None else renamed[label] for label in row) for row in rows)
    before, after = assent.coincidences(annotations(rows)), assent.coincidences(annotations(moved))
    place = [after.labels.index(renamed[label]) for label in before.labels]
    assert after.matrix()[np.ix_(place, place)] == pytest.approx(before.matrix(), abs=1e-12)
    twice = assent.coincidences(annotations((*rows, *rows)))
    assert twice.matrix() == pytest.approx(2 * before.matrix(), abs=1e-12)
    assert twice.shares == pytest.approx(before.shares, nan_ok=True)


def test_specific_agreement_of_two_annotators_is_twice_both_over_all() -> None:
    """Cicchetti and Feinstein (1990): 2a / (2a + b + c) for one label, 2d / (2d + b + c) for the other."""
    data = Annotations.from_contingency([[40, 5], [3, 2]], labels=["no", "yes"])
    found = assent.coincidences(data)
    assert dict(zip(found.labels, found.specific_agreement, strict=True)) == pytest.approx(
        {"no": 80 / 88, "yes": 4 / 12}
    )


def test_labels_nobody_used_are_empty_rows() -> None:
    found = assent.coincidences([["b", "b"], ["b", "c"]], order=["a", "b", "c"])
    assert found.matrix().tolist() == [[0, 0, 0], [0, 2, 1], [0, 1, 0]]
    assert np.isnan(found.specific_agreement[0])
    assert found.specific_agreement[2] == 0.0


def test_shares_by_hand() -> None:
    rows = [["a", "a"], ["a", "b"], ["b", "a"], ["b", "c"], ["c", "c"], ["a", None]]
    pairs = disputed_pairs(rows)
    assert [(one.first, one.second, one.n_items, one.pairs) for one in pairs] == [
        ("a", "b", 2, 4.0),
        ("b", "c", 1, 2.0),
    ]
    assert [one.value for one in pairs] == pytest.approx([2 / 3, 1 / 3])
    # By chance: 4 a, 3 b and 3 c make 12 + 12 + 9 unordered pairs of different labels.
    assert [one.expected for one in pairs] == pytest.approx([12 / 33, 9 / 33])


@given(tables())
@STABLE
def test_shares_of_all_pairs_add_up_to_one(rows: Rows) -> None:
    pairs = disputed_pairs(annotations(rows), most=100)
    assert not pairs or sum(one.value for one in pairs) == pytest.approx(1.0)
    values = [one.value for one in pairs]
    assert values == sorted(values, reverse=True)


def test_the_standard_error_of_a_share_is_that_of_a_ratio() -> None:
    """A share is a ratio of two totals: its standard error in the textbook's form, from the items one by one."""
    rows = [row for row in large(items=120) if sum(label is not None for label in row) > 1]
    data = annotations(tuple(rows))
    best = disputed_pairs(data)[0]
    tops, bottoms = [], []
    for row in rows:
        labels = [label for label in row if label is not None]
        pairs = list(permutations(labels, 2))
        tops.append(sum({a, b} == {best.first, best.second} for a, b in pairs) / (len(labels) - 1))
        bottoms.append(sum(a != b for a, b in pairs) / (len(labels) - 1))
    top, bottom, number = np.array(tops), np.array(bottoms), len(rows)
    residual = top - top.sum() / bottom.sum() * bottom
    error = np.sqrt(number / (number - 1) * (residual**2).sum()) / bottom.sum()
    assert best.value == pytest.approx(top.sum() / bottom.sum())
    assert best.standard_error() == pytest.approx(error)
    interval = best.confidence_interval()
    assert interval.n_units == int((bottom > 0).sum())
    assert best.standard_error("bootstrap", replicates=2000) == pytest.approx(error, rel=0.1)
    assert best.to_dict(interval)["ci"]["low"] == interval.low


def test_clusters_are_drawn_as_a_whole() -> None:
    rows = [(i, j, label, i // 6) for i, row in enumerate(large(items=120)) for j, label in enumerate(row) if label]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label", "document"], orient="row")
    plain, clustered = Annotations.from_frame(frame), Annotations.from_frame(frame, cluster="document")
    one, other = disputed_pairs(plain)[0], disputed_pairs(clustered)[0]
    assert one.value == other.value
    assert one.standard_error() != other.standard_error()
    assert other.confidence_interval().n_units == 20
    assert other.confidence_interval().unit == "document"


def test_no_disagreement_has_no_shares() -> None:
    found = assent.coincidences([["a", "a"], ["b", "b"]])
    assert found.disagreement == 0
    assert found.shares.tolist() == []
    assert disputed_pairs([["a", "a"], ["b", "b"]]) == ()
    one = assent.coincidences([["a", "a"], ["a", "a"]])
    assert one.matrix().tolist() == [[4]]
    with pytest.raises(NothingToCompare, match="No item has two annotations"):
        assent.coincidences(Annotations.from_triples([("x", "1", "a"), ("y", "2", "b")]))


def many_labels(number: int) -> Annotations:
    names = np.arange(number)
    columns: dict[str, Any] = {"item": np.repeat(names, 2), "annotator": np.tile(["x", "y"], number)}
    return Annotations.from_frame(pl.DataFrame({**columns, "label": np.stack([names, (names + 1) % number]).T.ravel()}))


def test_ten_thousand_labels_make_no_table_of_a_hundred_million_cells() -> None:
    found = assent.coincidences(many_labels(10_000))
    assert len(found.first) == 10_000
    assert found.sparse().nnz == 20_000
    with pytest.raises(UnsuitableData, match=f"up to {LABELS_IN_PAIRS:,}"):
        found.matrix()
    assert len(disputed_pairs(many_labels(10_000), most=3)) == 3
