"""A few lines of a result, for a pull request."""

from __future__ import annotations

from collections.abc import Sequence

from assent.documents.blocks import Block, Column, Document, Prose, Table, table_of, words
from assent.documents.junit import _Outcome
from assent.text import visible

__all__ = ["summary_of"]


def summary_of(document: Document, outcomes: Sequence[_Outcome]) -> Document:
    """Return what gates say, and the first paragraph and the first table of a document."""
    said = {one.outcome for one in outcomes}
    title = document.title
    if outcomes:
        word = "fail" if "fail" in said else "not enough data to tell" if "unclear" in said else "pass"
        title = f"{document.title}: {word}"
    blocks: list[Block] = []
    if outcomes:
        blocks.append(
            table_of(
                "gates",
                "Gates",
                outcomes,
                [
                    (Column("gate", "words"), lambda one: words(visible(one.gate))),
                    (
                        Column("outcome", "words"),
                        lambda one: words("not enough data to tell" if one.outcome == "unclear" else one.outcome),
                    ),
                    (Column("why", "text"), lambda one: words(one.sentence)),
                ],
            )
        )
    first_prose = next((one for one in document.blocks if isinstance(one, Prose)), None)
    first_table = next((one for one in document.blocks if isinstance(one, Table)), None)
    blocks += [one for one in (first_prose, first_table) if one is not None]
    return Document(title=title, blocks=blocks, summary=document.summary)
