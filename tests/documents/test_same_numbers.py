"""One number is the same text on a terminal, on a page, in Markdown and in LaTeX."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from tests.documents.reading import latex_cells, markdown_html, read_html

from assent.documents import Document, html, latex, markdown, terminal
from assent.documents.blocks import Cell, Column, Table, between, coefficient, count, number, share, words
from assent.text import probability

FLOATS = st.one_of(st.none(), st.floats(-1, 1), st.floats(allow_nan=True, allow_infinity=True))
SHARES = st.one_of(st.none(), st.floats(-1, 1))
CELLS = st.one_of(
    st.builds(coefficient, FLOATS, tone=st.sampled_from(["", "warning", "strong"])),
    st.builds(number, FLOATS, st.integers(0, 4), signed=st.booleans()),
    st.builds(share, SHARES),
    st.builds(count, st.one_of(FLOATS, st.integers(0, 10**9))),
    st.builds(between, st.floats(-1, 1), st.floats(-1, 1), signed=st.booleans()),
    st.builds(between, SHARES, SHARES, percents=st.just(True)),
    st.floats(0, 1).map(lambda p: Cell(text=probability(p))),
)


@given(st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=8), st.booleans())
def test_the_text_of_a_number_is_the_same_everywhere(rows: list[list[Cell]], total: bool) -> None:
    lines = [[words(f"row{i}"), *row] for i, row in enumerate(rows)]
    table = Table("t", "T", [Column("Row", "words"), Column("A"), Column("B"), Column("C")], lines, total=total)
    document = Document("D", [table])
    expected = [[cell.text for cell in line] for line in lines]
    assert read_html(html.render(document)).cells[1:] == expected
    assert read_html(markdown_html(markdown.render(document))).cells[1:] == expected
    assert latex_cells(latex.render(document)) == expected
    shown = terminal.render(document, width=200).splitlines()
    assert [re.split(" {2,}", line.strip()) for line in shown if line.startswith(" row")] == expected
