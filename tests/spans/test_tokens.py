"""Tokens that spans touch, against loops over characters, and files of tokens that are refused."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import assent
from assent import Spans
from assent.errors import InputError, UnknownColumn, UnreadableFile, UnsuitableData
from assent.measures._span_tokens import token_counts

#: The first document ends with blanks, behind the last token of all; the longest token is in the second.
TEXTS = {"d1": "ab   ", "d2": "c d", "d3": "e f"}
ROWS = [
    ("d1", "ada", 0, 5, "X"), ("d1", "ada", 1, 2, "Y"), ("d1", "ben", 2, 4, "X"),
    ("d2", "ada", 0, 1, "Y"), ("d2", "ben", 0, 3, "Y"), ("d2", "ben", 2, 3, "Y"), ("d2", "cleo", 2, 3, "X"),
    ("d3", "ada", 1, 2, "X"), ("d3", "cleo", 0, 3, "X"), ("d3", "ben", 0, 1, "Y"),
]  # fmt: skip
TOKENS = {"d1": [(0, 2)], "d2": [(0, 1), (2, 3)], "d3": [(0, 1), (2, 3)]}


def touched(
    rows: list[tuple[str, str, int, int, str]], tokens: dict[str, list[tuple[int, int]]]
) -> dict[tuple[str, str, str, int], int]:
    """How often each annotator touched each token of a document with each label."""
    return Counter(
        (document, who, label, at)
        for document, who, begin, end, label in rows
        for at, (first, last) in enumerate(tokens[document])
        if set(range(begin, end)) & set(range(first, last))
    )


def counted(data: Spans, tokens: str, first: dict[str, int]) -> dict[tuple[str, str, str, int], int]:
    """The same as it is counted; a token has the number of the first of its document and how many come before it there."""
    found = {}
    for document, who, thing, times in zip(*token_counts(data, tokens), strict=True):
        token, label = divmod(int(thing), len(data.labels))
        name = data.documents[document]
        found[name, data.annotators[who], data.labels[label], token - first[name]] = int(times)
    return found


def table(path: Path, rows: list[tuple[object, ...]], columns: str = "document,start,end") -> str:
    separator = "\t" if path.suffix == ".tsv" else ","
    lines = [columns.replace(",", separator), *(separator.join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def test_tokens_between_blanks_are_touched_as_loops_over_characters_say(tmp_path: Path) -> None:
    known = touched(ROWS, TOKENS)
    assert known["d2", "ben", "Y", 1] == 2
    numbers = {"d1": 0, "d2": 1, "d3": 3}
    data = Spans.from_rows(ROWS, texts=TEXTS)
    assert counted(data, "whitespace", numbers) == known
    # A table may name other documents, too, and need not be in order.
    rows = [("d9", 0, 50), *((name, *token) for name in ("d3", "d1", "d2") for token in TOKENS[name])]
    for path in (tmp_path / "tokens.csv", tmp_path / "tokens.tsv"):
        assert counted(Spans.from_rows(ROWS), table(path, rows), numbers) == known


def test_offsets_that_count_tokens_are_tokens() -> None:
    rows = [("d1", "ada", 0, 3, "X"), ("d1", "ben", 1, 3, "Y"), ("d2", "ada", 0, 1, "X"), ("d2", "ben", 0, 2, "X")]
    data = Spans.from_rows(rows, offsets="tokens")
    tokens = {name: [(at, at + 1) for at in range(3)] for name in ("d1", "d2")}
    assert counted(data, "whitespace", {"d1": 0, "d2": 3}) == touched(rows, tokens)


def test_parts_of_a_span_touch_a_token_once() -> None:
    """Of "abcdef gh" the span 0-2 and 3-8 touches both tokens once, and so does the span 0-9."""
    rows = [("d", "ada", 0, 8, "X"), ("d", "ben", 0, 9, "X")]
    data = Spans.from_rows(rows, fragments={0: [(0, 2), (3, 8)]}, texts={"d": "abcdef gh"})
    assert counted(data, "whitespace", {"d": 0}) == {("d", who, "X", at): 1 for who in ("ada", "ben") for at in (0, 1)}
    assert assent.span_f1(data, match="token").value == 1.0


def test_f1_of_tokens_counts_each_as_often_as_both_touch_it() -> None:
    """ada: ab twice with X, c with Y; ben: ab and c with X, c with Y. Alike: ab once with X, c with Y."""
    rows = [("d1", "ada", 0, 1, "X"), ("d1", "ada", 1, 2, "X"), ("d1", "ada", 3, 4, "Y")]
    data = Spans.from_rows([*rows, ("d1", "ben", 0, 4, "X"), ("d1", "ben", 3, 4, "Y")], texts={"d1": "ab c"})
    assert assent.span_f1(data, match="token").value == pytest.approx(2 * 2 / (3 + 3))


def test_texts_that_are_not_known_are_named() -> None:
    rows = [(f"d{at}", who, 0, 1, "X") for at in range(1, 7) for who in ("ada", "ben")]
    with pytest.raises(UnsuitableData, match='that of "d2", "d3", "d4" and 2 more is not: give them with `texts`'):
        assent.span_f1(Spans.from_rows(rows, texts={"d1": "a"}), match="token")


@pytest.mark.parametrize(
    ("rows", "columns", "error", "why"),
    [
        ([("1", 0, 3), ("1", 2, 4)], "document,start,end", UnreadableFile, "overlap, or end before they start"),
        ([("1", 0, 2), ("1", 5, 9), ("1", 8, 12)], "document,start,end", UnreadableFile, "overlap"),
        ([("1", 0, 2), ("2", 0, 2), ("2", 1, 3)], "document,start,end", UnreadableFile, "overlap"),
        ([("1", 0, 2), ("1", 3, 3), ("1", 4, 5)], "document,start,end", UnreadableFile, "overlap"),
        ([("1", 0, 2), ("1", 5, 4)], "document,start,end", UnreadableFile, "overlap"),
        ([("1", 0, "x")], "document,start,end", UnreadableFile, "no whole number"),
        ([("1", 0, 2)], "document,begin,end", UnknownColumn, "have no column start: they need document, start and end"),
        ([("1", 0, 2, 3)], "document,start,end", UnreadableFile, "cannot be read as a table"),
    ],
)
def test_tokens_that_are_none_are_refused(
    rows: list[tuple[object, ...]], columns: str, error: type[InputError], why: str, tmp_path: Path
) -> None:
    data = Spans.from_rows([("1", "ada", 0, 2, "X"), ("1", "ben", 0, 2, "X"), ("2", "ben", 0, 2, "X")])
    with pytest.raises(error, match=why):
        token_counts(data, table(tmp_path / "tokens.csv", rows, columns))


def test_tokens_may_touch_and_documents_may_be_numbers(tmp_path: Path) -> None:
    rows = [("1", "ada", 0, 4, "X"), ("2", "ben", 1, 2, "X")]
    tokens = {"1": [(0, 2), (2, 4)], "2": [(0, 3)]}
    path = table(tmp_path / "tokens.csv", [(name, *one) for name, some in tokens.items() for one in some])
    assert counted(Spans.from_rows(rows), path, {"1": 0, "2": 2}) == touched(rows, tokens)


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="which is no file; it must be whitespace or a table"):
        token_counts(Spans.from_rows([("1", "ada", 0, 2, "X")]), str(tmp_path / "none.csv"))
