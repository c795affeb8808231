"""A report on spans: its sections, the verdict without customary words, and documents as annotators marked them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.conftest import Files, Program, assent, file  # noqa: F401

import assent as library
from assent.analyses.spans import differences, marked_documents

TEXT = "The <b>cat</b> sat on a mat, \u202eand the dog " + "slept on and on, " * 60 + "until Dr. Smith came."
ROWS = [
    ("d1", "ann", 0, 14, "<i>A</i>"), ("d1", "ben", 4, 14, "<i>A</i>"), ("d1", "ann", len(TEXT) - 15, len(TEXT) - 6, "B"),
    ("d2", "ann", 0, 4, "B"), ("d2", "ben", 0, 4, "B"), ("d3", "ann", 0, 4, "B"), ("d3", "ben", 0, 4, "<i>A</i>"),
]  # fmt: skip


def data(**more: Any) -> library.Spans:
    return library.Spans.from_rows(ROWS, texts={"d1": TEXT, "d2": "word word", "d3": "שלום עולם"}, **more)


def test_sections_and_verdict() -> None:
    found = library.report(data()).to_dict()
    assert found["verdict"]["word"] is None
    assert found["verdict"]["bands"] == []
    assert found["verdict"]["measure"] == "span-f1"
    assert found["verdict"]["causes"][0].endswith(")")
    assert found["differences"]["classes"] == {"identical": 2, "label": 2, "boundary": 2, "both": 0, "only": 1}
    assert sum(found["differences"]["costs"].values()) == pytest.approx(1 - found["verdict"]["value"])
    assert found["differences"]["boundaries"]["edges"] == {"a determiner": 1}
    assert [one["label"] for one in found["labels"]["labels"]] == ["B", "<i>A</i>"]
    assert {one["annotator"] for one in found["annotators"]["annotators"]} == {"ann", "ben"}
    assert found["items"]["total"] == 3


def test_the_verdict_says_which_question_each_number_answers() -> None:
    said = library.report(data()).to_dict()["verdict"]["sentence"]
    assert said.startswith(
        "Span F1 (exact), how many spans two annotators both marked, with the same ends and label, is 0.29"
    )
    assert "Gamma, how near their spans lie to each other, beyond chance, where ends are vague, is 0." in said


def test_no_word_is_customary() -> None:
    made = library.report(data())
    page = made.markdown()
    assert "Agreement is" not in page.split("## Data")[0]
    assert "which is called" not in page
    assert "not customary" in page
    assert "landis1977" not in page
    assert "benjamini1995" not in page


def test_texts_are_escaped_and_folded_around_differences() -> None:
    page = library.report(data()).html()
    shown = page[page.index('<div class="marked">') : page.index('id="reporting"')]
    assert "<b>" not in shown
    assert "<i>" not in shown
    assert "&lt;b&gt;cat&lt;/b&gt;" in shown
    assert "\u202e" not in shown
    assert r"\u202e" in shown
    assert 'dir="auto"' in shown
    assert "Smith" in shown
    # Nobody differs on what lies between.
    assert shown.count("slept on and on") < 20
    assert re.search(r'<mark class="m1 ">.*?<bdi class="as">B</bdi></mark>', shown)


def test_offsets_alone() -> None:
    for made in (library.report(data(), show_texts=False), library.report(library.Spans.from_rows(ROWS))):
        for page in (made.html(), made.markdown(), made.latex()):
            assert "Smith" not in page
        assert "0–14" in made.markdown()


def test_offsets_of_many_spans_are_folded() -> None:
    rows = [
        ("d", who, 10 * at, 10 * at + 5 + (at > 40 and who == "ben"), "A")
        for at in range(100)
        for who in ("ann", "ben")
    ]
    (shown,) = marked_documents(differences(library.Spans.from_rows(rows)), ["d"])
    (_, told), (_, other) = shown.told()
    assert told.startswith("…; 410–415 A; 420–425 A; ")
    assert told.endswith("; 600–605 A; …")
    assert other.startswith("…; 410–416 A; ")


def test_no_text_on_the_command_line(assent: Program, file: Files, tmp_path: Path) -> None:  # noqa: F811
    rows = "".join(f"{document},{who},{start},{end},X\n" for document, who, start, end, _ in ROWS)
    path = file("spans.csv", f"document,annotator,start,end,label\n{rows}")
    (tmp_path / "texts").mkdir()
    for document in ("d1", "d2", "d3"):
        text = TEXT.replace("\u202e", " ") if document == "d1" else "word word"
        (tmp_path / "texts" / f"{document}.txt").write_text(text, encoding="utf-8")
    texts = str(tmp_path / "texts")
    assert "Smith" in assent("report", path, "--texts", texts, "--markdown").out
    plain = assent("report", path, "--texts", texts, "--markdown", "--no-text")
    assert plain.code == 0
    assert "Smith" not in plain.out


MARKS = st.lists(st.tuples(st.integers(0, 200), st.integers(1, 30), st.sampled_from("AB")), max_size=6)


@given(MARKS, MARKS, st.integers(231, 400))
def test_what_is_shown_is_the_text_with_brackets(
    ann: list[tuple[int, int, str]], ben: list[tuple[int, int, str]], length: int
) -> None:
    text = "".join(chr(ord("a") + at % 26) for at in range(length))
    rows = [("d", who, at, at + many, label) for who, some in (("ann", ann), ("ben", ben)) for at, many, label in some]
    made = library.Spans.from_rows(rows, judged=[("d", "ann"), ("d", "ben")], texts={"d": text})
    found = differences(made)
    (shown,) = marked_documents(found, ["d"])
    bare = {"".join(one.text for one in pieces) for _, pieces in shown.lines}
    # Everybody sees the same text, whatever they marked.
    assert len(bare) == 1
    for part in bare.pop().split("…"):
        assert part.strip() in text
    for who, told in shown.told():
        assert told.count("[") == told.count("]")
        for at, many, label in ann if who == "ann" else ben:
            here = (made.start == at) & (made.end == at + many) & (made.label == made.labels.index(label))
            if found.of_spans[here & (made.annotator == made.annotators.index(who)), 0].sum() == 0:
                pieces = next(some for name, some in shown.lines if name == who)
                assert any(label in one.closes for one in pieces)
