"""Options are named in backticks: as code in documents, as flags where a command shows them, and never in a name of the data."""

from __future__ import annotations

import pytest

from assent.cli.output import with_flags
from assent.documents import Document, html, latex, markdown, terminal, told
from assent.documents.blocks import (
    Card,
    Cards,
    Code,
    Column,
    Facts,
    Headline,
    Notes,
    Prose,
    Section,
    Table,
    name,
    words,
)
from assent.text import shown

SENTENCE = f"The label {shown('`scale`')} is a name: set `fail_under`, or say `multilabel=False`; see `assent items`."


def test_code_in_every_medium() -> None:
    document = Document("A document", [Prose([SENTENCE])])
    assert (
        "<code>fail_under</code>, or say <code>multilabel=False</code>; see <code>assent items</code>"
        in html.render(document)
    )
    assert "`fail_under`, or say `multilabel=False`; see `assent items`" in markdown.render(document)
    assert r"\texttt{fail\_under}, or say \texttt{multilabel=False}; see \texttt{assent items}" in latex.render(
        document
    )
    assert "set `fail_under`, or say `multilabel=False`; see `assent items`" in terminal.render(document, width=200)
    for render in (html.render, markdown.render, latex.render):
        assert "x60scale" in render(document)
        assert "<code>scale" not in render(document)
        assert "scale`" not in render(document)
        assert "{scale}" not in render(document)


@pytest.mark.parametrize(
    ("said", "flagged"),
    [
        ("`rank`", "--rank"),
        ("`single`=", "--single="),
        ("`with_models`", "--with-models"),
        ("`ambiguity=True` or `ambiguity=False`", "--ambiguity or --one-true-label"),
        ("`multilabel` or `multilabel=False`", "--multilabel or --single-label"),
        ("`assent plan`", "`assent plan`"),
        (shown("`rank`"), shown("`rank`")),
        ("`` ` `A` `a b`", "`` ` `A` `a b`"),
    ],
)
def test_flags(said: str, flagged: str) -> None:
    assert with_flags(said) == flagged


def test_a_document_is_told_with_flags_but_for_what_comes_from_the_data() -> None:
    column, row = Column("see `rank`", meaning="As `rank` says."), [name("`rank`"), words("as `rank` says")]
    document = Document(
        "Title with `rank`",
        [
            Headline("By `rank`.", "Why", ["`rank`"], next="Set `rank`."),
            Section("s", "`rank`", "`rank`", [Notes(["`rank`"]), Facts([("a", "b", "`rank`")])]),
            Cards([Card("`rank`", ["`rank`"], data=True), Card("`rank`", [])]),
            Code("c", "`rank`", "`rank`"),
            Table("t", "`rank`", [Column("`rank`", data=True), column], [row], more="`rank`"),
        ],
        terms={"x": "`rank`"},
    )
    made = told(document, with_flags)
    headline, section, cards, code, table = made.blocks
    assert isinstance(headline, Headline)
    assert isinstance(section, Section)
    assert isinstance(cards, Cards)
    assert isinstance(code, Code)
    assert isinstance(table, Table)
    assert made.title == "Title with --rank"
    assert made.terms == {"x": "--rank"}
    assert headline.whole == "By --rank. Why: --rank."
    assert headline.next == "Set --rank."
    assert section.blocks == [Notes(["--rank"]), Facts([["a", "b", "--rank"]])]  # type: ignore[list-item]
    assert [(one.title, list(one.sentences)) for one in cards.cards] == [("`rank`", ["--rank"]), ("--rank", [])]
    assert (code.title, code.text) == ("--rank", "`rank`")
    assert [one.title for one in table.columns] == ["`rank`", "see --rank"]
    assert table.columns[1].meaning == "As --rank says."
    assert (table.caption, table.more, table.rows) == ("--rank", "--rank", [row])
