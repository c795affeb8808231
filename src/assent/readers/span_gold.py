"""Known spans from a file of their own: one annotator's, who need not be named."""

from __future__ import annotations

import os

import polars as pl
from msgspec.structs import replace

from assent.data import Spans
from assent.errors import InputError
from assent.readers import detect_by_names
from assent.readers.kinds.spans import _read
from assent.readers.opening import open_tables
from assent.readers.overrides import Overrides
from assent.readers.tables import joined
from assent.text import named, shown

__all__ = ["GOLD", "read_known_spans"]

#: What the annotator of known spans is called where the file does not say.
GOLD = "gold"


def read_known_spans(path: str | os.PathLike[str]) -> Spans:
    """Read known spans: rows of document, start, end and label, with or without a column of one annotator."""
    table = joined(open_tables([os.fspath(path)]))
    if not detect_by_names.find("annotator", table.columns):
        who = next(name for name in ("annotator", "annotator_", "annotator__") if name not in table.columns)
        table = replace(table, frame=table.frame.lazy().with_columns(pl.lit(GOLD).alias(who)).collect())
        found = _read(table, Overrides(annotator=who))
    else:
        found = _read(table, Overrides())
    if len(found.annotators) != 1:
        raise InputError(
            f"{shown(os.fspath(path), 120)} holds the spans of {named(list(found.annotators))}: known spans must be one annotator's."
        )
    return found
