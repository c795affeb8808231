"""Documents as annotators marked them, a line each: the text around what they differ in, or offsets alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from assent.analyses.spans.differences import Differences
from assent.documents.blocks import Marked, MarkedPiece
from assent.limits import CHARACTERS_AROUND, LONGEST_TEXT, MARKS_LISTED, MOST_NAMED
from assent.text import number

__all__ = ["marked_documents"]

GAP = " … "

#: Begin, end and label of a mark.
Mark = tuple[int, int, int]


def marked_documents(found: Differences, names: Sequence[str], *, texts: bool = True) -> list[Marked]:
    """Return some documents with what each annotator marked in them.

    Parameters
    ----------
    names : sequence of str
        Of the documents.
    texts : bool
        Texts are shown where they are known; else offsets are.

    Examples
    --------
    >>> from assent.analyses.spans.differences import differences
    >>> from assent.data import Spans
    >>> rows = [("d", "ada", 0, 7, "A"), ("d", "ben", 4, 7, "A")]
    >>> found = differences(Spans.from_rows(rows, texts={"d": "the cat sat"}))
    >>> marked_documents(found, ["d"])[0].told()
    [('ada', '[the cat|A] sat'), ('ben', 'the [cat|A] sat')]
    >>> marked_documents(found, ["d"], texts=False)[0].told()
    [('ada', '0–7 A'), ('ben', '4–7 A')]
    """
    data = found.data
    disputed = found.of_spans[:, 1:].sum(1) > 0
    known = data.texts if texts and data.offsets == "code points" else {}
    place = {name: at for at, name in enumerate(data.documents)}
    span, begin, end = data.parts
    made = []
    for name in names:
        at = place[name]
        low, high = np.searchsorted(data.document, [at, at + 1])
        first, last = np.searchsorted(span, [low, high])
        judges = data.judged[data.judged[:, 0] == at, 1].tolist()[:MOST_NAMED]
        marks: dict[int, list[Mark]] = {who: [] for who in judges}
        around: list[tuple[int, int]] = []
        for one, start, stop in zip(
            span[first:last].tolist(), begin[first:last].tolist(), end[first:last].tolist(), strict=True
        ):
            who = int(data.annotator[one])
            if who in marks:
                marks[who].append((start, stop, int(data.label[one])))
            if disputed[one]:
                around.append((start, stop))
        text = known.get(name)
        if text is None:
            low, high = _listed(marks.values(), around)
            lines = [(who, _offsets(some, low, high, data.labels)) for who, some in marks.items()]
        else:
            windows = _windows(around, len(text))
            lines = [(who, _pieces(text, some, windows, data.labels)) for who, some in marks.items()]
        told = number(float(found.f1_of_documents[at]), 3)
        made.append(Marked(name, f"F1 {told}", [(data.annotators[who], pieces) for who, pieces in lines]))
    return made


def _listed(marks: Iterable[Sequence[Mark]], around: Sequence[tuple[int, int]]) -> tuple[float, float]:
    """Return where the spans that are listed start: from the first difference on, up to so many of each annotator."""
    low = min((start for start, _ in around), default=0)
    later = [sorted(start for start, *_ in some if start >= low) for some in marks]
    return low, min((some[MARKS_LISTED] for some in later if len(some) > MARKS_LISTED), default=float("inf"))


def _offsets(marks: Sequence[Mark], low: float, high: float, labels: Sequence[str]) -> list[MarkedPiece]:
    told = [f"{start}–{end} {labels[label]}" for start, end, label in sorted(marks) if low <= start < high]
    before, after = (any(one) for one in ([start < low for start, *_ in marks], [start >= high for start, *_ in marks]))
    gap = GAP.strip()
    return [MarkedPiece("; ".join([*([gap] if before else []), *told, *([gap] if after else [])]) or "–")]


def _windows(around: Sequence[tuple[int, int]], length: int) -> list[tuple[int, int]]:
    """Return which parts of a text to show: those near a difference, up to so many characters."""
    made: list[tuple[int, int]] = []
    for start, end in sorted(around) or [(0, 0)]:
        low, high = max(0, start - CHARACTERS_AROUND), min(length, end + CHARACTERS_AROUND)
        if made and low <= made[-1][1] + len(GAP):
            made[-1] = (made[-1][0], max(high, made[-1][1]))
        else:
            made.append((low, high))
    left, kept = LONGEST_TEXT, []
    for low, high in made:
        if left <= 0:
            break
        kept.append((low, min(high, low + left)))
        left -= high - low
    return kept


def _pieces(
    text: str, marks: Sequence[Mark], windows: Sequence[tuple[int, int]], labels: Sequence[str]
) -> list[MarkedPiece]:
    """Cut a text where a mark begins or ends; a mark that leaves the part that is shown ends with it."""
    made: list[MarkedPiece] = []
    for low, high in windows:
        if low > 0:
            made.append(MarkedPiece(GAP if made else GAP.lstrip()))
        here = [(max(start, low), min(end, high), label) for start, end, label in marks if start < high and end > low]
        cuts = sorted({low, high, *(at for start, end, _ in here for at in (start, end))})
        for begin, end in pairwise(cuts):
            within = [one for one in here if one[0] < end and one[1] > begin]
            # What began last ends first, so that brackets of nested marks match.
            ending = sorted((one for one in within if one[1] == end), key=lambda one: (-one[0], one[2]))
            made.append(
                MarkedPiece(
                    # A line end or a tab is a blank here: each text is one line.
                    "".join(" " if sign.isspace() else sign for sign in text[begin:end]),
                    sorted({label for *_, label in within}),
                    sum(one[0] == begin for one in within),
                    [labels[label] for *_, label in ending],
                )
            )
    if windows and windows[-1][1] < len(text):
        made.append(MarkedPiece(GAP.rstrip()))
    return made
