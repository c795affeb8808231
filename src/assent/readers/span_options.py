"""What can be said about spans in a table or in the export of a tool."""

from __future__ import annotations

import os

from assent.errors import UnreadableFile, choose
from assent.records import Struct
from assent.text import shown

__all__ = ["LENGTHS", "OFFSETS", "SpanOptions"]

#: What offsets can count, and what that is called in a sentence.
OFFSETS = {
    "codepoints": "code points",
    "utf-16": "UTF-16 units",
    "bytes": "bytes of UTF-8",
    "tokens": "tokens",
}
#: Where lengths of documents can come from that nobody gave.
LENGTHS = ("last-end",)


class SpanOptions(Struct, frozen=True, kw_only=True):
    """What `assent.read` takes that is about spans.

    Parameters
    ----------
    start, end : str, optional
        Columns.
    lengths : str, optional
        Table of document and length.
    texts : str, optional
        Folder with a text for each document.
    length : {"last-end"}, optional
        What a document's length is that nobody gave.
    offsets : {"codepoints", "utf-16", "bytes", "tokens"}
    trim : bool
        White space at the edges of spans is taken away.
    relations : str, optional
        Table of relations between spans.
    attributes : tuple of str
        Columns of attributes of spans.
    encoding : str
        Of the texts and tables.
    """

    start: str | None = None
    end: str | None = None
    lengths: str | None = None
    texts: str | None = None
    length: str | None = None
    offsets: str = "codepoints"
    trim: bool = False
    relations: str | None = None
    attributes: tuple[str, ...] = ()
    encoding: str = "utf-8"

    def __post_init__(self) -> None:
        choose("offsets", self.offsets, OFFSETS)
        if self.length is not None:
            choose("length", self.length, LENGTHS)
        if self.lengths is not None and not os.path.exists(self.lengths):
            raise UnreadableFile(f"`lengths` is {shown(self.lengths, 120)}, which is not there; it must be a table.")
        if self.relations is not None and not os.path.exists(self.relations):
            raise UnreadableFile(
                f"`relations` is {shown(self.relations, 120)}, which is not there; it must be a table."
            )
        if self.texts is not None and not os.path.isdir(self.texts):
            raise UnreadableFile(
                f"`texts` is {shown(self.texts, 120)}, which is no folder; it must hold one file for each document."
            )
