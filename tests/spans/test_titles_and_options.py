"""What a measure of spans calls itself, and which options belong together."""

from __future__ import annotations

from typing import Any

import pytest

import assent
from assent.errors import OptionError

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
