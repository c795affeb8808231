"""Labels are what the user wrote: kept apart, kept whole, whatever they look like."""

from __future__ import annotations

from itertools import combinations

import polars as pl
import pytest
from tests.properties.tables import measured, near, nominal_measures, numbers
from tests.support import some

import assent
from assent import Annotations, Measure

HOSTILE = {
    "hashes that collide": ["Aa", "BB", "AaAa", "BBBB", "AaBB"],
    "one number written in many ways": ["1", "1.0", "01", "1.00", "+1", "1e0", "１"],
    "case": ["a", "A", "ß", "ss", "SS", "ẞ"],
    "blanks": ["x", " x", "x ", "x\u00a0", "x\t", "\u200bx", "x\n"],
    "letters composed and decomposed": ["é", "e\u0301", "e"],
    "emoji": ["🙂", "🙃", "👩‍👩‍👧", "👩‍👩‍👦", "🏳️‍🌈", "👍", "👍🏽"],
    "ten thousand characters": ["x" * 10_000, "x" * 9_999, "x" * 9_999 + "y", "y" + "x" * 9_999],
    "missing values as text": ["NaN", "nan", "None", "null", "NULL", "NA", "N/A", "#", "-", "undefined", "inf"],
    "SQL": ["'; DROP TABLE labels; --", "' OR '1'='1", "%", "_", "1; SELECT 1", '"', "''", "\\'"],
    "formulas": ["=1+1", "=SUM(A1:A9)", "+1+1", "-1+1", "@SUM(1)", "=cmd|' /C calc'!A0"],
    "null bytes": ["a\0b", "a\0c", "a", "\0", "\0\0"],
    "control characters": ["\x1b[31mred\x1b[0m", "red", "\x07", "\u202eabc", "abc", "\ufeffabc"],
    "separators and quotes": ["a,b", "a;b", "a\tb", 'a"b', "a|b", "a\nb", "a\r\nb"],
    "truth": ["True", "true", "TRUE", "False", "0", "1"],
}
every_kind = pytest.mark.parametrize("labels", HOSTILE.values(), ids=HOSTILE)


@every_kind
def test_any_two_of_them_are_two_labels(labels: list[str]) -> None:
    for one, other in some(combinations(labels, 2)):
        data = Annotations.from_array([[one, other], [one, one], [other, other]])
        assert set(data.labels) == {one, other}
        assert assent.percent_agreement(data).value == pytest.approx(2 / 3)


@every_kind
def test_they_come_back_as_they_were_written(labels: list[str]) -> None:
    data = Annotations.from_array([[label, label] for label in labels])
    assert sorted(data.labels) == sorted(labels)
    assert data.n_annotations == 2 * len(labels)
    assert assent.fleiss_kappa(data).value == 1.0


@nominal_measures
@every_kind
def test_a_measure_sees_them_as_it_sees_plain_labels(measure: Measure, labels: list[str]) -> None:
    plain = [f"label {i}" for i in range(len(labels))]
    tables = [
        tuple((names[i], names[(i * j) % len(names)]) for j in (0, 1, 2, 3) for i in range(len(names)))
        for names in (labels, plain)
    ]
    for case, (hostile, tame) in measured(measure, *tables):
        if case.nominal:
            assert numbers(hostile) == near(numbers(tame)), case.id


@every_kind
def test_items_and_annotators_are_kept_apart_too(labels: list[str]) -> None:
    rows = [(item, annotator, "x") for item in labels for annotator in labels]
    data = Annotations.from_frame(pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row"))
    assert data.n_items == len(labels)
    assert sorted(data.annotators or ()) == sorted(labels)
    assert data.n_annotations == len(labels) ** 2


def test_labels_that_look_alike_are_pointed_out_and_kept_apart() -> None:
    data = Annotations.from_array([["a", "A"], ["x", " x"], ["1", "1.0"], ["b", "c"]])
    assert data.labels == (" x", "1", "1.0", "A", "a", "b", "c", "x")
    notes = " ".join(data.notes)
    assert 'differ only by case or blanks are kept apart: " x", "x"; "A", "a".' in notes
    assert 'differ only in how a number is written are kept apart: "1", "1.0".' in notes


def test_notes_show_control_characters_escaped_and_long_labels_shortened() -> None:
    data = Annotations.from_array([["\x1b[31mA", "\x1b[31ma"], ["x" * 10_000, "X" * 10_000]])
    notes = " ".join(data.notes)
    assert "\x1b" not in notes
    assert r"\x1b[31mA" in notes
    assert len(notes) < 300


def test_a_missing_label_is_not_a_label() -> None:
    data = Annotations.from_array([["a", None, "a"], ["b", float("nan"), "b"], [None, None, "a"]])
    assert data.labels == ("a", "b")
    assert data.n_annotations == 5
    assert [(one.reason, one.rows) for one in data.dropped] == [("missing label", 4)]
    assert any("1 annotator has no label" in note for note in data.notes)


def test_numbers_and_their_texts_are_not_mixed_up() -> None:
    """A typed whole number is written without a fraction, because a gap would turn its column into floats."""
    assert Annotations.from_array([[1, 2.0], [1.0, 2.5]]).labels == ("1", "2", "2.5")
    with pytest.raises(assent.InputError, match='The label "1" occurs as'):
        Annotations.from_frame(
            pl.DataFrame({"item": ["i", "i"], "annotator": ["a", "b"], "label": pl.Series([1, "1"], dtype=pl.Object)})
        )


@pytest.mark.parametrize("label", [["a", "b"], ("a", "b"), {"a", "b"}])
def test_several_labels_of_an_annotation_are_a_set(label: object) -> None:
    data = Annotations.from_array([[label, "a"], ["a", "a"]])
    assert data.to_dict()["labels"] == ["a", "b"]
    assert data.to_dict()["multilabel"]["several"] == 1


@pytest.mark.parametrize("label", [{"a": 1}, b"a"])
def test_a_label_of_several_values_is_refused(label: object) -> None:
    with pytest.raises(assent.InputError, match="each annotation must hold one label"):
        Annotations.from_array([[label, "a"], ["a", "a"]])
