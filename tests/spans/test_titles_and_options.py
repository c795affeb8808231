"""What a measure of spans calls itself, and which options belong together."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import assent
from assent.errors import OptionError
from assent.measures._span_pairs import f1_of, f1_of_same
from assent.measures._span_preparation import _about_pairs

ROWS = [
    ("d1", "ann", 0, 4, "A"), ("d1", "ben", 0, 4, "A"), ("d1", "cid", 0, 5, "A"), ("d1", "ann", 5, 9, "B"), ("d1", "ben", 4, 9, "A"),
    ("d1", "cid", 5, 9, "B"),
]  # fmt: skip
DATA = lambda: assent.Spans.from_rows(ROWS, lengths={"d1": 12}, relations=[("r", 0, 3), ("r", 1, 4), ("r", 2, 5)])  # noqa: E731


@pytest.mark.parametrize(
    ("options", "title"),
    [
        ({}, "Span F1 (exact)"),
        ({"match": "overlap"}, "Span F1 (overlap)"),
        ({"match": "iou"}, "Span F1 (IoU 0.5)"),
        ({"match": "iou", "iou": 0.75}, "Span F1 (IoU 0.75)"),
        ({"average": "pooled"}, "Span F1 (exact, pooled)"),
        ({"span_label": "A"}, 'Span F1 of "A" (exact)'),
    ],
)
def test_a_title_says_how_spans_are_compared(options: dict[str, Any], title: str) -> None:
    assert assent.span_f1(DATA(), **options).title == title


def test_options_of_another_way_to_compare_are_refused() -> None:
    with pytest.raises(OptionError, match="`iou` is for `match` iou"):
        assent.span_f1(DATA(), iou=0.75)
    with pytest.raises(OptionError, match="`tokens` is for `match` token"):
        assent.span_f1(DATA(), tokens="characters")


def test_documents_without_spans_are_spoken_of_if_asked_for() -> None:
    assert not any("counts as 1" in note or "changes nothing" in note for note in assent.span_f1(DATA()).notes)
    assert any("changes nothing here" in note for note in assent.span_f1(DATA(), empty="1").notes)
    assert any("counts as 1" in note for note in assent.span_f1(DATA(), empty="1", average="documents").notes)


@pytest.mark.parametrize("measure", ["span-f1", "span-semeval", "relation-f1"])
def test_pairs_are_shown_unless_they_are_pooled(measure: str) -> None:
    compare = assent.all_measures()[measure]
    assert len(compare(DATA()).pairs) == 3
    assert not compare(DATA(), average="pooled").pairs


@pytest.mark.parametrize("measure", ["alpha-u", "alpha-u-1995"])
def test_alpha_of_units_says_of_which_label_it_is(measure: str) -> None:
    compare = assent.all_measures()[measure]
    whole, one = compare(DATA()).title, compare(DATA(), span_label="A").title
    assert one == f'{whole}, "A"'


def test_alpha_of_1995_is_for_one_document() -> None:
    assert assent.alpha_u_1995(DATA()).value < 1
    rows = [*ROWS, ("d2", "ann", 0, 3, "A"), ("d2", "ben", 0, 3, "A")]
    with pytest.raises(assent.AssentError, match="alpha-u-1995 is for one document, and there are 2"):
        assent.alpha_u_1995(assent.Spans.from_rows(rows, lengths={"d1": 12, "d2": 5}))


def segments(ends: dict[str, list[int]], length: int) -> assent.Spans:
    """Segments that fill a document, by where each annotator ends one."""
    rows = [
        ("d", who, begin, end, "s")
        for who, stops in ends.items()
        for begin, end in zip([0, *stops], [*stops, length], strict=True)
    ]
    return assent.Spans.from_rows(rows, lengths={"d": length})


@pytest.mark.parametrize(("length", "window"), [(60, 5), (54, 4), (12, 2), (90, 8)])
def test_a_window_is_half_a_mean_segment_and_two_at_least(length: int, window: int) -> None:
    """Six segments each: 60 / 6 / 2 = 5, 4.5 and 7.5 rounded to even numbers, 1 taken as 2."""
    ends = [length * at // 6 for at in range(1, 6)]
    data = segments({"ann": ends, "ben": [ends[0] + 1, *ends[1:]]}, length)
    for measure in (assent.window_diff, assent.pk):
        assert measure(data).value == measure(data, window=window).value
    assert assent.window_diff(data).value != assent.window_diff(data, window=window + 1).value


@pytest.mark.parametrize(("measure", "option"), [(assent.boundary_similarity, "near"), (assent.window_diff, "window")])
def test_a_window_is_a_whole_number_from_1_on(measure: Any, option: str) -> None:
    data = segments({"ann": [4, 8], "ben": [4, 9]}, 12)
    measure(data, **{option: 1})
    for wrong in (0, 1.5):
        with pytest.raises(assent.AssentError, match=option):
            measure(data, **{option: wrong})


@pytest.mark.parametrize("measure", [assent.boundary_similarity, assent.window_diff, assent.pk])
def test_three_who_segment_are_three_pairs(measure: Any) -> None:
    assert len(measure(segments({"ann": [4, 8], "ben": [4, 9], "cid": [5, 8]}, 12)).pairs) == 3


def test_precision_is_of_those_who_are_compared_with_the_reference() -> None:
    """Ann has four spans, Ben two of them and one more: 2/3 of Ben's are Ann's, 2/4 of Ann's are Ben's."""
    rows = [("d", "ann", at, at + 2, "A") for at in (0, 3, 6, 9)] + [("d", "ben", at, at + 2, "A") for at in (0, 3, 12)]
    data = assent.Spans.from_rows(rows, lengths={"d": 20})
    for reference, precision, recall in (("ann", 2 / 3, 2 / 4), ("ben", 2 / 4, 2 / 3)):
        found = assent.span_f1(data, reference=reference)
        assert found.value == pytest.approx(2 * 2 / (4 + 3))
        assert (found.details["precision"], found.details["recall"]) == pytest.approx((precision, recall))
    with pytest.raises(assent.AssentError, match="nobody"):
        assent.span_f1(data, reference="nobody")


def test_a_span_is_covered_by_one_of_the_reference_or_the_other_way_round() -> None:
    """Ann's only span covers two of three spans of Ben: 2/3 of his are covered, and all of hers."""
    rows = [("d", "ann", 0, 9, "A"), *(("d", "ben", at, at + 2, "A") for at in (0, 4, 20))]
    data = assent.Spans.from_rows(rows, lengths={"d": 30})
    for reference, precision, recall in (("ann", 2 / 3, 1), ("ben", 1, 2 / 3)):
        found = assent.span_f1(data, match="covered", reference=reference)
        assert found.value == pytest.approx(2 * 2 / 3 / (2 / 3 + 1))
        assert (found.details["precision"], found.details["recall"]) == pytest.approx((precision, recall))


def test_the_reference_is_the_second_of_each_pair() -> None:
    for reference, pairs in (("ann", ["ben", "cid"]), ("ben", ["ann", "cid"]), ("cid", ["ann", "ben"])):
        found = assent.span_f1(DATA(), reference=reference)
        assert sorted((pair.first, pair.second) for pair in found.pairs) == [(one, reference) for one in pairs]


def test_pairs_say_how_many_documents_both_judged() -> None:
    judged = {"d1": ("ann", "ben", "cid"), "d2": ("ann", "ben"), "d3": ("ann", "ben"), "d4": ("ben", "cid")}
    rows = [(name, who, 0, 4, "A") for name, people in judged.items() for who in people]
    found = assent.span_f1(assent.Spans.from_rows(rows))
    assert [(pair.first, pair.second, pair.n_items) for pair in found.pairs] == [
        ("ann", "ben", 3),
        ("ann", "cid", 1),
        ("ben", "cid", 2),
    ]


def test_whose_spans_are_missed_is_said_unless_there_is_a_reference() -> None:
    for reference, said in ((None, True), ("ann", False)):
        notes = assent.span_semeval(DATA(), reference=reference).notes
        assert any(note.startswith("Without a `reference`") for note in notes) == said


def test_those_who_are_no_reference_are_not_compared_with_each_other() -> None:
    rows = [
        ("d", who, at, at + 2, "A")
        for who, places in (("ann", (0, 3)), ("ben", (0, 6)), ("cid", (0, 6)))
        for at in places
    ]
    data = assent.Spans.from_rows(rows, lengths={"d": 20})
    assert assent.span_f1(data).value == pytest.approx((0.5 + 0.5 + 1.0) / 3)
    for reference, value in (("ann", 0.5), ("ben", 0.75), ("cid", 0.75)):
        found = assent.span_f1(data, reference=reference)
        assert found.value == pytest.approx(value)
        assert len(found.pairs) == 2


def test_f1_is_undefined_where_nobody_marked_anything_and_0_where_one_did() -> None:
    """Half a span of one matched with half of another is a half; 3 of 4 matched, of the other 2 of 5: 2 * 3/4 * 2/5 / (3/4 + 2/5)."""
    matched, back, first, second = np.array(
        [[0, 0, 0.5, 3, 0.1], [0, 0, 0.5, 2, 0.1], [0, 1, 1, 4, 0.2], [0, 0, 1, 5, 0.3]]
    )
    known = [np.nan, 0.0, 0.5, 2 * 3 / 4 * 2 / 5 / (3 / 4 + 2 / 5), 2 * 1 / 2 * 1 / 3 / (1 / 2 + 1 / 3)]
    assert f1_of(matched, back, first, second) == pytest.approx(np.array(known), nan_ok=True)
    assert f1_of_same(matched, first, second) == pytest.approx(
        np.array([np.nan, 0.0, 0.5, 6 / 9, 0.2 / 0.5]), nan_ok=True
    )


LONG = "Long spans weigh more than short ones"
SHORT = "Short documents count as much as long ones"


@pytest.mark.parametrize(
    ("options", "said"), [({}, []), ({"match": "character"}, [LONG]), ({"average": "documents"}, [SHORT])]
)
def test_what_an_option_brings_with_it_is_said_with_that_option(options: dict[str, str], said: list[str]) -> None:
    notes = assent.span_f1(DATA(), **options).notes
    assert [one for one in (LONG, SHORT) if any(note.startswith(one) for note in notes)] == said


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([0.5], []),
        ([math.nan, math.nan], []),
        ([0.5, 0.7], ["The mean of 2 pairs of annotators, whose standard deviation is 0.10."]),
        (
            [0.5, math.nan, 0.7],
            ["The mean of 2 pairs of annotators, whose standard deviation is 0.10; 1 pair without any span left out."],
        ),
        (
            [0.5, math.nan],
            ["The mean of 1 pair of annotators, whose standard deviation is 0.00; 1 pair without any span left out."],
        ),
    ],
)
def test_a_mean_over_pairs_is_told_with_its_spread(values: list[float], said: list[str]) -> None:
    assert _about_pairs(np.array(values)) == said


def test_why_spans_have_no_value() -> None:
    """Nobody marked anything; or two marked spans that do not meet, so that no labels can be compared."""
    judged = [("d1", "ann"), ("d1", "ben"), ("d2", "ann"), ("d2", "ben")]
    nothing = assent.span_f1(assent.Spans.from_rows([], judged=judged))
    assert nothing.undefined == "Undefined: nobody marked anything that could be compared."
    apart = [("d1", "ann", 0, 4, "A"), ("d1", "ben", 5, 9, "A")]
    found = assent.span_label_kappa(assent.Spans.from_rows(apart, judged=judged))
    assert found.undefined.startswith("Undefined: what was marked leaves nothing to agree on beyond chance")
