"""A few lines of a result, for a pull request."""

from __future__ import annotations

from collections.abc import Sequence

from assent.documents.blocks import Block, Document, Notes, Prose, Table
from assent.documents.junit import _Outcome
from assent.text import visible

__all__ = ["summary_of"]

_WORDS = {"unclear": "not enough data to tell"}


def summary_of(document: Document, outcomes: Sequence[_Outcome]) -> Document:
    """Return what gates say, and the first paragraph and the first table of a document."""
    said = {one.outcome for one in outcomes}
    title = document.title
    if outcomes:
        word = "fail" if "fail" in said else _WORDS["unclear"] if "unclear" in said else "pass"
        title = f"{document.title}: {word}"
    blocks: list[Block] = []
    if outcomes:
        # A list, as sentences in the cells of a table would be cut.
        blocks.append(
            Notes([f"{visible(one.gate)}: {_WORDS.get(one.outcome, one.outcome)}. {one.sentence}" for one in outcomes])
        )
    first_prose = next((one for one in document.blocks if isinstance(one, Prose)), None)
    first_table = next((one for one in document.blocks if isinstance(one, Table)), None)
    blocks += [one for one in (first_prose, first_table) if one is not None]
    return Document(title=title, blocks=blocks, summary=document.summary)
