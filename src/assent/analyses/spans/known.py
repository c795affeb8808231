"""Spans of a consensus, and of annotators, against known ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assent.data import Spans
from assent.errors import NothingToCompare
from assent.measures.span_scores import span_f1
from assent.records import Record
from assent.text import counted

__all__ = ["Mark", "SpanScore", "scored"]

#: Document, start, end, label, and the parts of a span that has several.
Mark = tuple[str, int, int, str, tuple[tuple[int, int], ...]]


class SpanScore(Record, frozen=True, kw_only=True):
    """How far some spans are the known ones.

    Parameters
    ----------
    who : str
        An annotator, or a way to a consensus.
    f1, precision, recall, overlap : float
        Exact, and F1 by overlap; NaN if undefined.
    low, high : float
        Interval of exact F1 over documents; NaN if there is none.
    """

    who: str
    annotator: bool
    f1: float
    precision: float
    recall: float
    overlap: float
    low: float
    high: float
    n_documents: int


def scored(
    data: Spans, ways: Mapping[str, Sequence[Mark]], known: Spans, level: float
) -> tuple[list[SpanScore], list[str]]:
    """Score ways to a consensus and every annotator against known spans.

    Parameters
    ----------
    ways : mapping of str to sequence of (document, start, end, label, parts)
    known : Spans
        Of one annotator.

    Returns
    -------
    scores : list of SpanScore
    notes : list of str
    """
    held = set(data.documents)
    shared = [document for document in known.documents if document in held]
    if not shared:
        raise NothingToCompare("The known spans are of none of the documents: check their names.")
    scores = [_score(way, marks, shared, known, level) for way, marks in ways.items()]
    by_annotator: dict[str, list[Mark]] = {who: [] for who in data.annotators}
    for document, who, parts, label in data.rows():
        by_annotator[who].append((document, parts[0][0], parts[-1][1], label, parts if len(parts) > 1 else ()))
    judged: dict[str, list[str]] = {who: [] for who in data.annotators}
    for at, who in data.judged.tolist():
        judged[data.annotators[who]].append(data.documents[at])
    people = [
        _score(who, marks, on, known, level, annotator=True)
        for who, marks in by_annotator.items()
        if (on := [one for one in judged[who] if one in set(shared)])
    ]
    people.sort(key=lambda one: (-one.f1 if one.f1 == one.f1 else 1.0, one.who))
    said = [
        f"Scored on {counted(len(shared), 'document')} with known spans; intervals are over documents. Offsets count {data.offsets}."
    ]
    if len(shared) < len(data.documents):
        said.append(f"{counted(len(data.documents) - len(shared), 'document')} without known spans: not scored.")
    beyond = len(known.documents) - len(shared)
    if beyond:
        said.append(
            f"{counted(beyond, 'document')} of the known spans {'is' if beyond == 1 else 'are'} not among the data."
        )
    return [*scores, *people], said


def _score(
    who: str, marks: Sequence[Mark], documents: Sequence[str], known: Spans, level: float, *, annotator: bool = False
) -> SpanScore:
    """Score some spans against the known ones in some documents."""
    mine, gold = "a", "b"
    wanted = set(documents)
    rows = [
        (document, mine, start, end, label, parts) for document, start, end, label, parts in marks if document in wanted
    ]
    for document, _, parts, label in known.rows():
        if document in wanted:
            rows.append((document, gold, parts[0][0], parts[-1][1], label, parts if len(parts) > 1 else ()))
    both = Spans.from_rows(
        [row[:5] for row in rows],
        judged=[(document, side) for document in documents for side in (mine, gold)],
        fragments={at: row[5] for at, row in enumerate(rows) if row[5]},
    )
    exact = span_f1(both, reference=gold)
    interval = exact.confidence_interval(level)
    return SpanScore(
        who=who,
        annotator=annotator,
        f1=exact.value,
        precision=float(exact.details["precision"]),
        recall=float(exact.details["recall"]),
        overlap=span_f1(both, match="overlap", reference=gold).value,
        low=interval.low,
        high=interval.high,
        n_documents=len(documents),
    )
