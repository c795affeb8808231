"""Labels that may be one label spelled in two ways: asked, never decided."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.tables import STABLE

from assent.analyses.labels.spellings import _one_letter_apart, similar_labels
from assent.limits import LABELS_ALIKE


def asked(*labels: str, many: int = 100, few: int = 3) -> list[tuple[str, str, str]]:
    """What is asked of labels of which the first is frequent."""
    counts = {label: many if i == 0 else few for i, label in enumerate(labels)}
    return [(one.first, one.second, one.differ) for one in similar_labels(counts)]


@pytest.mark.parametrize("slip", ["positve", "positivee", "positibe", "postiive", "Positve", " positve"])
def test_one_letter_apart(slip: str) -> None:
    assert asked("positive", slip) == [("positive", slip, "one letter")]


@pytest.mark.parametrize(
    "pair",
    [
        ("positive", "negative"),
        ("cat", "car"),
        ("class1", "class2"),
        ("class1", "class12"),
        ("agree", "disagree"),
        ("A+", "A-"),
        ("+", "-"),
        ("1", "-1"),
        ("v1.1", "v11"),
        ("posive", "positive"),
        ("not sure", "sure"),
        ("", "a"),
    ],
)
def test_different_labels_are_not_asked_about(pair: tuple[str, str]) -> None:
    assert asked(*pair) == []


@pytest.mark.parametrize(
    ("pair", "differ"),
    [
        (("toxic", "Toxic"), "case or blanks"),
        (("not toxic", "nottoxic"), "case or blanks"),
        (("toxic", "tox\u00a0ic"), "case or blanks"),
        (("non-toxic", "non_toxic"), "punctuation or accents"),
        (("non-toxic", "nontoxic"), "punctuation or accents"),
        (("café", "cafe\u0301"), "punctuation or accents"),
        (("café", "cafe"), "punctuation or accents"),
        (("toxic", "tox\u200bic"), "punctuation or accents"),
        (("1", "1.0"), "how a number is written"),
        (("0.5", ".50"), "how a number is written"),
    ],
)
def test_what_they_differ_in_is_said(pair: tuple[str, str], differ: str) -> None:
    assert asked(*pair) == [(*pair, differ)]
    # However often both are used.
    assert asked(*pair, few=100) == [(*pair, differ)]


def test_two_frequent_labels_one_letter_apart_are_two_labels() -> None:
    assert asked("moral", "mortal", few=3) == [("moral", "mortal", "one letter")]
    assert asked("moral", "mortal", few=50) == []


def test_a_label_of_the_vocabulary_that_nobody_used_may_be_the_right_spelling() -> None:
    assert asked("positve", "positive", few=0) == [("positve", "positive", "one letter")]


def test_many_spellings_are_compared_with_the_most_frequent() -> None:
    assert asked("Yes", "yes", "YES", "yes ") == [
        ("Yes", "YES", "case or blanks"),
        ("Yes", "yes", "case or blanks"),
        ("Yes", "yes ", "case or blanks"),
    ]


def distance_is_one(one: str, other: str) -> bool:
    """Try every slip there is."""
    letters = "abc1-"
    made = {one[:i] + one[i + 1 :] for i in range(len(one)) if one[i].isalpha()}
    made |= {one[:i] + c + one[i:] for i in range(len(one) + 1) for c in letters if c.isalpha()}
    made |= {one[:i] + c + one[i + 1 :] for i in range(len(one)) for c in letters if c.isalpha() and one[i].isalpha()}
    made |= {one[:i] + one[i + 1] + one[i] + one[i + 2 :] for i in range(len(one) - 1) if one[i : i + 2].isalpha()}
    return other in made - {one}


@given(st.lists(st.text("abc1-", min_size=4, max_size=6), min_size=2, max_size=12, unique=True))
@STABLE
def test_it_finds_exactly_what_trying_every_slip_finds(texts: list[str]) -> None:
    places = range(len(texts))
    wanted = [(i, j) for i, j in product(places, places) if i < j and distance_is_one(texts[i], texts[j])]
    assert _one_letter_apart(texts) == wanted


def test_codes_that_are_all_near_each_other_are_no_slips_and_cost_nothing() -> None:
    """Ten thousand labels that differ in their last letter would make fifty million pairs."""
    labels = {f"aaaa{chr(0x4E00 + i)}": i + 1 for i in range(10_000)}
    assert similar_labels(labels) == ()
    assert LABELS_ALIKE < 100
    assert similar_labels({f"label {i}": i for i in range(10_000)}) == ()


def test_a_text_of_ten_thousand_characters_is_no_label_that_somebody_typed() -> None:
    assert asked("x" * 10_000, "x" * 9_999) == []
