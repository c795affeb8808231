"""Where spans that are aligned begin and end: by how much annotators differ, in what, and what trimming would change."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from assent.analyses.spans.differences import Differences
from assent.data import Spans
from assent.data.spans import by_span
from assent.documents.blocks import Block, Column, coefficient, count, notes, number, table_of, words
from assent.limits import SPANS_TRIMMED
from assent.measures import find
from assent.profiles import Array
from assent.records import Struct, plain
from assent.text import counted, percent

__all__ = ["Boundaries", "boundaries"]

#: Differences of offsets that are counted together: the least of each group.
BINS = (0, 1, 2, 3, 4, 8, 16)
#: Words that annotators leave out or take along at the beginning of a span, in a few languages.
DETERMINERS = frozenset([
    "a", "an", "the", "this", "that", "these", "those", "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "le", "la", "les",
    "l", "un", "une", "el", "los", "las", "una", "il", "lo", "gli", "i", "uno", "de", "het", "een", "o", "os", "as", "um", "uma",
])  # fmt: skip
SPACE, PUNCTUATION, DETERMINER, WORD, MORE = "white space", "punctuation", "a determiner", "one word", "several words"


class Boundaries(Struct, frozen=True, kw_only=True):
    """How far aligned spans with other ends are apart.

    Parameters
    ----------
    n_pairs : int
        Pairs of spans that overlap and have other ends.
    start, end : mapping of str to int
        How many of them begin, or end, so many offsets apart.
    one_end : int
        Those that differ in one end only.
    one_offset : int
        Those that differ in one end, by one.
    edges : mapping of str to int
        What it is that one annotator has and the other has not, for each end that differs, where texts are known.
    trimmed : mapping of str to float
        Exact F1 after spans have been trimmed, where texts are known.
    f1 : float
        Exact F1 as it is.
    """

    n_pairs: int
    start: Mapping[str, int]
    end: Mapping[str, int]
    one_end: int
    one_offset: int
    edges: Mapping[str, int]
    trimmed: Mapping[str, float]
    f1: float

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "pairs": self.n_pairs,
            "start": dict(self.start),
            "end": dict(self.end),
            "one_end": self.one_end,
            "one_offset": self.one_offset,
            "edges": dict(self.edges) or None,
            "trimmed": {what: plain(value) for what, value in self.trimmed.items()} or None,
        }

    def blocks(self) -> list[Block]:
        """Return the tables of differences, and what they say."""
        if not self.n_pairs:
            return []
        made: list[Block] = [
            table_of(
                "span-offsets",
                f"How far apart {counted(self.n_pairs, 'pair of spans', 'pairs of spans')} with other ends begin and end",
                self.start,
                [
                    (Column("offsets apart", "words"), words),
                    (Column("begin"), lambda one: count(self.start[one])),
                    (Column("end"), lambda one: count(self.end[one])),
                ],
            )
        ]
        if self.edges:
            made.append(
                table_of(
                    "span-edges",
                    "What one annotator has at an end and the other has not",
                    self.edges,
                    [(Column("difference", "words"), words), (Column("ends"), lambda one: count(self.edges[one]))],
                )
            )
        if self.trimmed:
            made.append(
                table_of(
                    "span-trimming",
                    f"What trimming would change: F1 is {coefficient(self.f1).text}",
                    self.trimmed,
                    [
                        (Column("without, at the ends", "words"), words),
                        (Column("F1"), lambda one: coefficient(self.trimmed[one])),
                        (Column("change"), lambda one: number(self.trimmed[one] - self.f1, 3, signed=True)),
                    ],
                )
            )
        one = f"{percent(self.one_end / self.n_pairs)} differ in one end only, {percent(self.one_offset / self.n_pairs)} by a single offset."
        unknown = (
            "" if self.edges else "With `texts` it can be said what they differ in, and what trimming would change."
        )
        return [*made, *notes([one, unknown])]


def boundaries(found: Differences) -> Boundaries:
    """Return how far apart aligned spans begin and end.

    Examples
    --------
    >>> from assent.analyses.spans.differences import differences
    >>> rows = [("d", "ada", 0, 7, "A"), ("d", "ben", 4, 7, "A")]
    >>> made = boundaries(differences(Spans.from_rows(rows, texts={"d": "the cat sat"})))
    >>> made.start["4 to 7"], made.edges["a determiner"], made.trimmed["white space, punctuation, determiners"]
    (1, 1, 1.0)
    """
    data, pairs = found.data, found.aligned
    near = pairs.kind >= 2
    one, two = pairs.first[near], pairs.second[near]
    begins, ends = np.abs(data.start[one] - data.start[two]), np.abs(data.end[one] - data.end[two])
    texts = data.texts if data.offsets == "code points" else {}
    return Boundaries(
        n_pairs=len(one),
        start=_binned(begins),
        end=_binned(ends),
        one_end=int(((begins > 0) != (ends > 0)).sum()),
        one_offset=int((begins + ends == 1).sum()),
        edges=_edges(data, texts, one, two),
        trimmed=_trimmed(data, texts) if len(one) else {},
        f1=found.f1,
    )


def _binned(apart: Array) -> dict[str, int]:
    many = np.bincount(np.searchsorted(BINS, apart, side="right") - 1, minlength=len(BINS)).tolist()
    return {_bin(at): each for at, each in enumerate(many)}


def _bin(at: int) -> str:
    if at == len(BINS) - 1:
        return f"{BINS[at]} or more"
    return str(BINS[at]) if BINS[at + 1] == BINS[at] + 1 else f"{BINS[at]} to {BINS[at + 1] - 1}"


def _edges(data: Spans, texts: Mapping[str, str], first: Array, second: Array) -> dict[str, int]:
    """Count what stands between the ends of two spans."""
    found: Counter[str] = Counter()
    if not texts:
        return {}
    names = [data.documents[at] for at in data.document[first].tolist()]
    for side in (data.start, data.end):
        for document, low, high in zip(
            names,
            np.minimum(side[first], side[second]).tolist(),
            np.maximum(side[first], side[second]).tolist(),
            strict=True,
        ):
            if low < high and document in texts:
                found[_what(texts[document][low:high])] += 1
    return {what: found[what] for what in (SPACE, PUNCTUATION, DETERMINER, WORD, MORE) if found[what]}


def _what(text: str) -> str:
    kept = text.strip()
    if not kept:
        return SPACE
    bare = "".join(sign if _letter(sign) else " " for sign in kept).split()
    if not bare:
        return PUNCTUATION
    if len(bare) == 1:
        return DETERMINER if bare[0].casefold() in DETERMINERS else WORD
    return MORE


def _letter(sign: str) -> bool:
    """Tell letters, digits and marks from punctuation, symbols and blanks."""
    return unicodedata.category(sign)[0] in "LNM"


def _trimmed(data: Spans, texts: Mapping[str, str]) -> dict[str, float]:
    """Return exact F1 after ends have been trimmed in one way after the other."""
    if not texts or len(data.start) > SPANS_TRIMMED:
        return {}
    ways: dict[str, Callable[[str, int, int], tuple[int, int]]] = {
        "white space": lambda text, start, end: _stripped(text, start, end, str.isspace),
        "white space, punctuation": _without_signs,
        "white space, punctuation, determiners": _without_determiner,
    }
    return {what: _f1_after(data, texts, way) for what, way in ways.items()}


def _f1_after(data: Spans, texts: Mapping[str, str], way: Callable[[str, int, int], tuple[int, int]]) -> float:
    several = {} if data.fragments is None else by_span(data.fragments)
    rows = []
    for at, (document, who, parts, label) in enumerate(data.rows()):
        start, end = parts[0][0], parts[-1][1]
        if document in texts and at not in several:
            low, high = way(texts[document], start, end)
            # What is nothing but blanks and signs stays as it is.
            start, end = (low, high) if low < high else (start, end)
        rows.append((document, who, start, end, label))
    judged = [(data.documents[document], data.annotators[who]) for document, who in data.judged.tolist()]
    return float(find("span-f1")(Spans.from_rows(rows, judged=judged, fragments=several)).value)


def _stripped(text: str, start: int, end: int, out: Callable[[str], bool]) -> tuple[int, int]:
    while start < end and out(text[start]):
        start += 1
    while start < end and out(text[end - 1]):
        end -= 1
    return start, end


def _without_signs(text: str, start: int, end: int) -> tuple[int, int]:
    return _stripped(text, start, end, lambda sign: not _letter(sign))


def _without_determiner(text: str, start: int, end: int) -> tuple[int, int]:
    start, end = _without_signs(text, start, end)
    word = text[start:end].split(maxsplit=1)
    if len(word) == 2 and word[0].casefold() in DETERMINERS:
        start, end = _without_signs(text, start + len(word[0]), end)
    return start, end
