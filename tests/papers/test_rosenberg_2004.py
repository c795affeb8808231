"""Rosenberg & Binkowski (2004), Augmenting the kappa statistic: Tables 1 to 3, and what the text says of p."""

from __future__ import annotations

import polars as pl
import pytest

import assent
from assent import Annotations
from assent.label_sets import LabelSets

#: Table 1, page 2: the labels of annotator A, the primary one first.
TABLE_1 = {"Msg1": "a,b", "Msg2": "b,a", "Msg3": "b", "Msg4": "c", "Msg5": "c,b"}
#: Table 2, page 3: the matrix of A for p = 0.6, labels a to d; its last row is the total.
TABLE_2 = [[0.6, 0.4, 0, 0], [0.4, 0.6, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0.4, 0.6, 0]]
TOTAL = [1, 2.4, 1.6, 0]
#: Table 3, page 3: the relative frequencies.
TABLE_3 = {"a": 0.2, "b": 0.48, "c": 0.32, "d": 0}


def together(other: dict[str, str]) -> Annotations:
    """Table 1 and a second annotator."""
    rows = [(message, who, given[message]) for message in TABLE_1 for who, given in (("A", TABLE_1), ("B", other))]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row")
    return Annotations.from_frame(frame, separator=",", ranked=True)


def test_table_2_is_the_annotation_matrix() -> None:
    sets = LabelSets.of([tuple(one.split(",")) for one in TABLE_1.values()], "abcd", ranked=True)
    # The last column is the empty set, which nobody gave.
    matrix = sets.weights(0.6)
    assert matrix[:, :4].tolist() == TABLE_2
    assert matrix.sum(axis=0).tolist() == [*TOTAL, 0]


@pytest.mark.parametrize("label", TABLE_3)
def test_table_3_is_the_agreement_expected_with_somebody_who_always_says_the_label(label: str) -> None:
    agreement = assent.augmented_kappa(together(dict.fromkeys(TABLE_1, label)), primary=0.6)
    assert agreement.expected == TABLE_3[label]
    column = [row["abcd".index(label)] for row in TABLE_2]
    assert agreement.observed == pytest.approx(sum(column) / 5, abs=1e-16)


def test_the_whole_computation_by_hand() -> None:
    """Sections 5.1 to 5.3 with B = a,b / a,b / b / b / c for p = 0.6."""
    agreement = assent.augmented_kappa(
        together({"Msg1": "a,b", "Msg2": "a,b", "Msg3": "b", "Msg4": "b", "Msg5": "c"}), primary=0.6
    )
    # Cells of Ag: .36 + .16, .24 + .24, 1, 0, .6; frequencies of B: .24, .56, .2.
    assert agreement.observed == pytest.approx((0.52 + 0.48 + 1 + 0 + 0.6) / 5, abs=1e-15)
    expected = 0.2 * 0.24 + 0.48 * 0.56 + 0.32 * 0.2
    assert agreement.expected == pytest.approx(expected, abs=1e-15)
    assert agreement.value == pytest.approx((0.52 - expected) / (1 - expected), abs=1e-15)


def test_p_of_one_ignores_secondary_labels_and_a_half_counts_them_alike() -> None:
    other = {"Msg1": "b,a", "Msg2": "b,c", "Msg3": "b", "Msg4": "a,c", "Msg5": "c,b"}
    data = together(other)
    primary = Annotations.from_array([[TABLE_1[one][0], other[one][0]] for one in TABLE_1])
    assert assent.augmented_kappa(data, primary=1).value == pytest.approx(assent.cohen_kappa(primary).value, abs=1e-15)
    assert assent.augmented_kappa(data, primary=0.5).value == assent.augmented_kappa(data).value


def test_the_four_classes_are_all_messages() -> None:
    """92 + 183 + 58 + 47 = 380 (section 6); the 150 with κ' > 0.6 are as many as classes 1 and 3 have."""
    sizes = {"constant-high": 92, "constant-low": 183, "higher-at-1": 58, "higher-at-0.5": 47}
    assert sum(sizes.values()) == 380
    assert sizes["constant-high"] + sizes["higher-at-1"] == 150
    from studies.rosenberg2004 import KINDS

    assert {name: number for number, name in KINDS.values()} == sizes
