"""One set of spans for every document: against a loop over positions, and against known spans."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.cli.conftest import SPANS, Files, Program
from tests.spans.test_differences import random_data

import assent as library
from assent.errors import InputError, OptionError

ROWS = [
    ("d1", "ada", 0, 4, "PER"), ("d1", "ben", 0, 4, "PER"), ("d1", "cem", 1, 6, "PER"), ("d1", "cem", 9, 11, "LOC"),
    ("d2", "ada", 3, 6, "ORG"), ("d2", "ben", 3, 6, "ORG"),
]  # fmt: skip
JUDGED = [(document, who) for document in ("d1", "d2", "d3") for who in ("ada", "ben", "cem")]


def by_hand(data: library.Spans) -> set[tuple[str, int, int, str]]:
    found = set()
    judges = dict(zip(data.documents, data.judges.tolist(), strict=True))
    marks = [*data.rows()]
    for document in data.documents:
        for label in data.labels:
            won = []
            for at in range(200):
                says = {
                    who
                    for where, who, parts, what in marks
                    if where == document and what == label and any(begin <= at < end for begin, end in parts)
                }
                won.append(2 * len(says) > judges[document])
            for yes, run in groupby(enumerate(won), key=lambda one: one[1]):
                places = [at for at, _ in run]
                if yes:
                    found.add((document, places[0], places[-1] + 1, label))
    return found


@given(st.integers(0, 10_000))
def test_positions_by_hand(seed: int) -> None:
    data = random_data(seed)[1]
    assume(data.annotators)
    found = library.consensus(data)
    assert {(one.document, one.start, one.end, one.label) for one in found.spans} == by_hand(data)
    assert all(0.5 < one.support <= 1 for one in found.spans)


@given(st.integers(0, 10_000), st.integers(1, 4))
def test_whole_spans_by_hand(seed: int, least: int) -> None:
    marks, data = random_data(seed)
    assume(data.annotators)
    found = library.consensus(data, "at-least", least=least)
    votes = Counter((document, *span) for document, by in marks.items() for spans in by.values() for span in set(spans))
    wanted = {span for span, many in votes.items() if many >= least}
    assert {(one.document, one.start, one.end, one.label) for one in found.spans} == wanted


def test_known_spans(tmp_path: Path) -> None:
    data = library.Spans.from_rows(ROWS, judged=JUDGED)
    path = tmp_path / "gold.csv"
    path.write_text("document,start,end,label\nd1,0,4,PER\nd1,9,11,LOC\nd2,,,\nd9,1,2,PER\n")
    found = library.consensus(data, gold=path)
    first = found.scores[0]
    # Of the consensus 0-4 PER is known, 3-6 ORG is not; of the known 9-11 LOC is not found.
    assert (first.who, first.f1, first.precision, first.recall) == ("majority at positions", 0.5, 0.5, 0.5)
    assert {one.who: one.f1 for one in found.scores if one.annotator} == {"ada": 0.5, "ben": 0.5, "cem": 0.5}
    assert any("1 document without known spans" in one for one in found.notes)
    assert any("not among the data" in one for one in found.notes)
    as_annotator = library.consensus(data, gold="cem")
    assert as_annotator.data.annotators == ("ada", "ben")
    assert all(one.who != "cem" for one in as_annotator.scores)


def test_the_consensus_is_data_again(tmp_path: Path) -> None:
    data = library.Spans.from_rows(ROWS, judged=JUDGED)
    found = library.consensus(data, "at-least")
    both = found.to_spans()
    assert both.annotators == ("consensus",)
    assert both.documents == data.documents
    assert library.consensus(data, gold=both).scores[1].f1 == 1


def test_refusals(tmp_path: Path) -> None:
    data = library.Spans.from_rows(ROWS, judged=JUDGED)
    with pytest.raises(OptionError, match="not one of majority, at-least"):
        library.consensus(data, "mace")
    with pytest.raises(OptionError, match="`least` is for `method` at-least"):
        library.consensus(data, least=2)
    with pytest.raises(OptionError, match="`ties` does not fit spans"):
        library.consensus(data, ties="random")
    path = tmp_path / "two.csv"
    path.write_text("document,annotator,start,end,label\nd1,x,0,4,PER\nd1,y,0,4,PER\n")
    with pytest.raises(InputError, match="known spans must be one annotator's"):
        library.consensus(data, gold=path)


def test_on_the_command_line(assent: Program, file: Files, tmp_path: Path) -> None:
    path = file("spans.csv", SPANS)
    out = tmp_path / "consensus.csv"
    assent("consensus", path, "--method", "at-least", "--least", "1", "-o", str(out))
    again = library.read(str(out))
    assert isinstance(again, library.Spans)
    assert again.annotators == ("consensus",)
    made = assent("consensus", path, "--json").json
    assert set(made) == {"data", "method", "least", "spans", "tied_positions", "gold", "notes"}
