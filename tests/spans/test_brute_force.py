"""Agreement on small random documents, against sets and every matching; and what must not change it."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reference import spans as slow
from tests.support import every, searched

import assent
from assent.matching import CLASSES, align

RULES = ("exact", "boundary", "overlap", "overlap-any", "covered", "iou", "soft", "character")
PEOPLE = ("ann", "bob", "cem")


def random_marks(rng: np.random.Generator, *, documents: int = 3, people: int = 3, most: int = 4) -> slow.Marks:
    """Random documents of 14 positions; spans nest and overlap, some annotators mark nothing, some judge nothing."""
    marks: slow.Marks = {}
    for document in range(documents):
        here = marks[f"d{document}"] = {}
        for who in PEOPLE[:people]:
            if rng.random() < 0.15:
                continue
            starts = rng.integers(0, 12, rng.integers(0, most + 1))
            here[who] = {(int(at), int(min(14, at + rng.integers(1, 6))), str(rng.choice(["X", "Y"]))) for at in starts}
    return marks


def spans_of(marks: slow.Marks) -> assent.Spans:
    rows = [(document, who, *span) for document, here in marks.items() for who, some in here.items() for span in some]
    judged = [(document, who) for document, here in marks.items() for who in here]
    return assent.Spans.from_rows(rows, judged=judged)


def value_of(data: assent.Spans, **options: Any) -> float | None:
    value = assent.span_f1(data, **options).value
    return None if math.isnan(value) else value


@pytest.mark.parametrize("match", RULES)
@pytest.mark.parametrize("average", every(2, ["pairs", "pooled", "documents"]))
def test_f1_is_that_of_sets_and_all_matchings(match: str, average: str) -> None:
    checked = 0
    for seed in range(80):
        rng = np.random.default_rng([seed, RULES.index(match)])
        marks = random_marks(rng, documents=int(rng.integers(2, 4)), people=int(rng.integers(2, 4)))
        data = spans_of(marks)
        if (data.judges >= 2).sum() == 0:
            continue
        theta = float(rng.choice([0.25, 0.5, 0.6, 1.0])) if match == "iou" else 0.5
        empty = str(rng.choice(["skip", "1"]))
        wanted = slow.span_f1(marks, match, average, theta, empty)
        found = value_of(data, match=match, average=average, iou=theta, empty=empty)
        # One document is its own mean over documents; nobody marked anything in it, and it is still undefined.
        if average == "documents" and empty == "1" and (data.judges >= 2).sum() == 1:
            continue
        assert found == pytest.approx(wanted, abs=1e-12), (seed, marks)
        checked += wanted is not None
    assert checked > 50


def test_classes_are_those_of_the_stages_and_add_up() -> None:
    for seed in range(1500):
        rng = np.random.default_rng(seed)
        marks = random_marks(rng, documents=1, people=2)
        here = marks["d0"]
        searched(len(here) == 2)
        if len(here) < 2:
            continue
        data = spans_of(marks)
        found = align(data.document, data.annotator, data.start, data.end, data.label)
        many = np.bincount(data.annotator, minlength=2)
        made = dict(zip(CLASSES, np.bincount(found.kind, minlength=4).tolist(), strict=True))
        made |= {"only_a": int(many[0]) - len(found.kind), "only_b": int(many[1]) - len(found.kind)}
        wanted = slow.classes(here["ann"], here["bob"])
        assert made == wanted, (seed, here)
        assert len(set(found.first.tolist())) == len(found.first)
        assert len(set(found.second.tolist())) == len(found.second)


def test_several_annotators_are_aligned_two_by_two() -> None:
    for seed in range(200):
        data = spans_of(random_marks(np.random.default_rng(seed), documents=2))
        found = align(data.document, data.annotator, data.start, data.end, data.label)
        who = data.annotator
        for one, two in ((0, 1), (0, 2), (1, 2)):
            some = data.only_annotators([data.annotators[at] for at in (one, two) if at < len(data.annotators)])
            searched(len(some.annotators) == 2)
            if len(some.annotators) < 2:
                continue
            alone = align(some.document, some.annotator, some.start, some.end, some.label)
            here = found.kind[(who[found.first] == one) & (who[found.second] == two)]
            assert np.bincount(here, minlength=4).tolist() == np.bincount(alone.kind, minlength=4).tolist()


@given(
    seed=st.integers(0, 10_000),
    match=st.sampled_from(RULES),
    moved=st.integers(-(10**9), 10**9),
    average=st.sampled_from(["pairs", "pooled", "documents"]),
)
def test_offsets_names_and_order_of_rows_do_not_matter(seed: int, match: str, moved: int, average: str) -> None:
    rng = np.random.default_rng(seed)
    marks = random_marks(rng)
    data = spans_of(marks)
    if (data.judges >= 2).sum() == 0:
        return
    if match == "covered" and average == "pooled":
        # Precision and recall change places with the names, and the pooled F1 of several pairs is not symmetric.
        average = "pairs"
    value = value_of(data, match=match, average=average)
    names = {"ann": "zoe", "bob": "ann", "cem": "bob"}
    rows = [
        (f"new {7 - int(document[1:])}", names[who], span[0] + moved, span[1] + moved, {"X": "b", "Y": "a"}[span[2]])
        for document, here in marks.items()
        for who, some in here.items()
        for span in some
    ]
    rng.shuffle(rows)
    rows = [(*row[:2], int(row[2]), int(row[3]), row[4]) for row in rows]
    judged = [(f"new {7 - int(document[1:])}", names[who]) for document, here in marks.items() for who in here]
    other = assent.Spans.from_rows(rows, judged=judged[::-1])
    assert value_of(other, match=match, average=average) == pytest.approx(value, abs=1e-12)


@given(seed=st.integers(0, 10_000), match=st.sampled_from(RULES))
def test_blocks_of_a_document_add_up_to_it(seed: int, match: str) -> None:
    rng = np.random.default_rng(seed)
    rows = []
    for who in PEOPLE:
        starts = np.sort(rng.integers(0, 400, 30))
        rows += [("d", who, int(at), int(at + rng.integers(1, 9)), str(rng.choice(["X", "Y"]))) for at in starts]
    value = value_of(assent.Spans.from_rows(rows), match=match)
    # Beside a document in which nobody marked anything it is not cut.
    whole = value_of(assent.Spans.from_rows(rows, judged=[("e", who) for who in PEOPLE]), match=match)
    assert value == pytest.approx(whole, abs=1e-12)


@pytest.mark.parametrize("match", ["exact", "boundary"])
def test_spans_that_are_stacked_match_as_often_as_both_gave_them(match: str) -> None:
    """Two documents in which spans of different ends begin at the same places, some of them more than once."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        rows = [
            (str(rng.choice(["d", "e"])), who, at := int(rng.integers(2)), at + int(rng.integers(1, 3)), str(rng.choice(["X", "Y"])))
            for who in ("ann", "bob")
            for _ in range(12)
        ]  # fmt: skip
        ann, bob = (
            Counter((where, *place, label if match == "exact" else "") for where, one, *place, label in rows if one == who)
            for who in ("ann", "bob")
        )  # fmt: skip
        data = assent.Spans.from_rows(
            rows, judged=[(where, who) for where in "de" for who in ("ann", "bob")], stacked=True
        )
        assert value_of(data, match=match) == pytest.approx((ann & bob).total() / 12, abs=1e-12)


def test_parts_of_a_span() -> None:
    rows = [("d", "ann", 0, 9, "X"), ("d", "bob", 0, 9, "X"), ("e", "ann", 0, 9, "X"), ("e", "bob", 0, 9, "X")]
    data = assent.Spans.from_rows(rows, fragments={0: [(0, 3), (6, 9)], 1: [(6, 9), (0, 3)], 2: [(0, 3), (6, 9)]})
    assert value_of(data, average="documents") == 0.5
    assert value_of(data, match="boundary", average="documents") == 0.5
    assert value_of(data, match="overlap") == 1.0
    assert value_of(data, match="soft") == pytest.approx((1 + 6 / 9) / 2)
    assert value_of(data, match="character") == pytest.approx(2 * (6 + 6) / (12 + 15))
    assert [parts for *_, parts, _ in data.rows()] == [((0, 3), (6, 9)), ((0, 3), (6, 9)), ((0, 9),), ((0, 3), (6, 9))]


def test_a_gap_between_parts_is_not_covered() -> None:
    rows = [("d", "ann", 0, 9, "X"), ("d", "bob", 4, 5, "X"), ("e", "ann", 0, 1, "X"), ("e", "bob", 0, 1, "X")]
    data = assent.Spans.from_rows(rows, fragments={0: [(0, 3), (6, 9)]})
    assert value_of(data, match="overlap") == pytest.approx(2 / 4)
