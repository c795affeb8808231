"""Tokens of documents, and which of them annotators touched."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from assent.errors import UnknownColumn, UnreadableFile, UnsuitableData
from assent.profiles import Array
from assent.text import listed, shown

if TYPE_CHECKING:
    from assent.data import Spans

__all__ = ["WHITESPACE", "token_counts"]

#: Tokens are what stands between blanks.
WHITESPACE = "whitespace"
_TOKEN = re.compile(r"\S+")
_COLUMNS = ("document", "start", "end")


def token_counts(data: Spans, tokens: str) -> tuple[Array, Array, Array, Array]:
    """Count how often each annotator touched each token with each label.

    A token counts when one of its characters is touched, once for each span that touches it.

    Parameters
    ----------
    tokens : str
        ``whitespace``, unless the source of the data has tokens, or a table with the columns document, start and end.

    Returns
    -------
    document, annotator, thing, times : array (counts,)
        A thing is a token with a label.
    """
    span, begin, end = data.parts
    if data.offsets == "tokens":
        owner = data.document[span] * int(end.max(initial=0))
        first, last = owner + begin, owner + end
    else:
        token_document, token_start, token_end = _tokens(data, tokens)
        far = int(max(end.max(initial=0), token_end.max(initial=0)))
        owner = data.document[span] * far
        first = np.searchsorted(token_document * far + token_end, owner + begin, side="right")
        last = np.searchsorted(token_document * far + token_start, owner + end, side="left")
    many = last - first
    row = np.repeat(span, many)
    token = np.repeat(first, many) + np.arange(len(row)) - np.repeat(np.cumsum(many) - many, many)
    # Two parts of a span that touch one token touch it once.
    if len(span) > len(data.start):
        token, row = np.unique(np.stack([token, row]), axis=1)
    labels, people = len(data.labels), len(data.annotators)
    key, place, times = np.unique(
        (token * labels + data.label[row]) * people + data.annotator[row], return_index=True, return_counts=True
    )
    thing, who = np.divmod(key, people)
    return data.document[row[place]], who, thing, times


def _tokens(data: Spans, tokens: str) -> tuple[Array, Array, Array]:
    """Return document, start and end of every token, in order: (tokens,) each."""
    if tokens != WHITESPACE:
        return _from_file(data, tokens)
    lacking = [name for name in data.documents if name not in data.texts and name not in data.tokens]
    if lacking:
        names = listed([shown(name) for name in lacking], 3)
        raise UnsuitableData(
            f"To count tokens the texts of all documents must be known, and that of {names} is not: give them with `texts`, "
            "or the tokens with `tokens`."
        )
    found = [
        (at, *place)
        for at, name in enumerate(data.documents)
        for place in data.tokens.get(name) or map(re.Match.span, _TOKEN.finditer(data.texts[name]))
    ]
    rows = np.asarray(found, dtype=np.int64).reshape(-1, 3)
    return rows[:, 0], rows[:, 1], rows[:, 2]


def _from_file(data: Spans, name: str) -> tuple[Array, Array, Array]:
    path = Path(name)
    if not path.is_file():
        raise UnreadableFile(f"`tokens` is {shown(name)}, which is no file; it must be {WHITESPACE} or a table.")
    # What needs no tokens, such as the help of `measure`, need not wait for it.
    import polars as pl

    try:
        separator = "\t" if path.suffix.lower() == ".tsv" else ","
        frame = pl.read_csv(path, infer_schema=False, separator=separator)
    except (pl.exceptions.PolarsError, OSError):
        raise UnreadableFile(
            f"The tokens in {shown(name)} cannot be read as a table: they need a row of {', '.join(_COLUMNS)} each."
        ) from None
    lacking = [one for one in _COLUMNS if one not in frame.columns]
    if lacking:
        raise UnknownColumn(
            f"The tokens in {shown(name)} have no column {listed(lacking, 3)}: they need {listed(_COLUMNS, 3)}."
        )
    places = {one: at for at, one in enumerate(data.documents)}
    frame = frame.filter(pl.col("document").is_in(list(places)))
    kept = frame.select(
        pl.col("document").replace_strict(places, return_dtype=pl.Int64),
        pl.col("start").cast(pl.Int64, strict=False),
        pl.col("end").cast(pl.Int64, strict=False),
    ).sort("document", "start")
    if kept.null_count().sum_horizontal()[0]:
        raise UnreadableFile(f"The tokens in {shown(name)} have a start or an end that is no whole number.")
    document, start, end = (kept[one].to_numpy() for one in _COLUMNS)
    overlapping = (document[1:] == document[:-1]) & (start[1:] < end[:-1])
    if overlapping.any() or (end <= start).any():
        raise UnreadableFile(f"The tokens in {shown(name)} overlap, or end before they start.")
    return document, start, end
