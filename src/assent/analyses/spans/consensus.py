"""One set of spans for every document: what most annotators mark at each position, or whole spans that enough of them marked."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from msgspec.structs import replace

from assent.analyses.by_kind import answers
from assent.analyses.spans.known import Mark, SpanScore, scored
from assent.data import Spans, as_dataset
from assent.data.held_spans import HeldSpans
from assent.documents.blocks import (
    Block,
    Column,
    Document,
    between,
    coefficient,
    count,
    name,
    notes,
    share,
    table_of,
    words,
)
from assent.documents.result import Result
from assent.errors import NothingToCompare, OptionError, choose
from assent.limits import LISTED_ITEMS, SPAN_MAJORITIES
from assent.measures._span_pairs import merged
from assent.records import Struct, plain
from assent.text import counted

__all__ = ["ConsensusSpan", "SpanConsensus", "SpanScore", "span_consensus"]

METHODS = ("majority", "at-least")


class ConsensusSpan(Struct, frozen=True, kw_only=True):
    """A span of the consensus.

    Parameters
    ----------
    support : float
        Share of the annotators of the document who marked it; of a majority at positions the mean over its positions.
    fragments : tuple of (begin, end)
        Its parts, if there are several.
    """

    document: str
    start: int
    end: int
    label: str
    support: float
    fragments: tuple[tuple[int, int], ...] = ()

    @property
    def mark(self) -> Mark:
        """The span without its support."""
        return self.document, self.start, self.end, self.label, self.fragments

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "document": self.document,
            "start": self.start,
            "end": self.end,
            "label": self.label,
            "support": self.support,
            "fragments": [list(one) for one in self.fragments] or None,
        }


class SpanConsensus(Result, frozen=True, kw_only=True, eq=False):
    """The consensus of annotators who mark spans.

    Parameters
    ----------
    method : {"majority", "at-least"}
    least : int or None
        How many annotators must have marked a span; more than half of those who judged the document if None.
    tied : int
        Positions that exactly half of the annotators marked with a label, which is not enough.
    scores : tuple of SpanScore
        Against known spans, if there are any: ways to a consensus, then annotators.
    """

    data: Spans
    method: str
    least: int | None
    spans: tuple[ConsensusSpan, ...]
    tied: int = 0
    scores: tuple[SpanScore, ...] = ()
    notes: tuple[str, ...] = ()

    #: What a row of the table is.
    unit = "span"

    @property
    def items(self) -> tuple[ConsensusSpan, ...]:
        """The spans."""
        return self.spans

    def to_spans(self) -> Spans:
        """Return the consensus as data of one annotator, who has judged all documents."""
        return Spans.from_rows(
            [(one.document, CONSENSUS, one.start, one.end, one.label) for one in self.spans],
            judged=[(document, CONSENSUS) for document in self.data.documents],
            fragments={at: one.fragments for at, one in enumerate(self.spans) if one.fragments},
            lengths=self.data.lengths,
            offsets=self.data.offsets,
        )

    def table(self, *, soft: bool = False) -> dict[str, list[Any]]:
        """Return columns of a table of spans; a document without any has a row without start and end."""
        if soft:
            raise OptionError("The support of each span is in the table: leave out `soft`.")
        marked = {one.document for one in self.spans}
        rows: list[tuple[Any, ...]] = [
            (
                one.document,
                CONSENSUS,
                one.start,
                one.end,
                one.label,
                one.support,
                ";".join(f"{begin}-{end}" for begin, end in one.fragments) or None,
            )
            for one in self.spans
        ]
        rows += [(document, CONSENSUS, *[None] * 5) for document in self.data.documents if document not in marked]
        names = ("document", "annotator", "start", "end", "label", "support", "fragments")
        columns = dict(zip(names, map(list, zip(*sorted(rows, key=lambda row: row[0]), strict=True)), strict=True))
        if not any(columns["fragments"]):
            del columns["fragments"]
        return columns

    def to_dict(self, *, soft: bool = False) -> dict[str, Any]:
        """Return the spans and the scores as plain values."""
        return {
            "data": self.data.to_dict(),
            "method": self.method,
            "least": self.least,
            "spans": plain(self.spans),
            "tied_positions": self.tied,
            "gold": plain(self.scores) or None,
            "notes": list(self.notes),
        }

    def document(self) -> Document:
        """Return the first spans, and the scores."""
        left = len(self.spans) - LISTED_ITEMS
        blocks: list[Block] = [
            table_of(
                "consensus-spans",
                f"Consensus: {counted(len(self.spans), 'span')} in {counted(len(self.data.documents), 'document')}",
                self.spans[:LISTED_ITEMS],
                [
                    (Column("document", "name"), lambda one: name(one.document)),
                    (Column("start"), lambda one: count(one.start)),
                    (Column("end"), lambda one: count(one.end)),
                    (Column("label", "name"), lambda one: name(one.label)),
                    (
                        Column("support", meaning="Share of the annotators who marked it."),
                        lambda one: share(one.support),
                    ),
                ],
                more=f"{left:,} more spans are in the JSON." if left > 0 else "",
            )
        ]
        if self.scores:
            blocks.append(self._scores_table())
        return Document("Consensus", [*blocks, *notes(self.notes, self.data._reading_notes())])

    def _scores_table(self) -> Block:
        return table_of(
            "span-gold",
            "Against known spans",
            self.scores,
            [
                (Column("", "words"), lambda one: name(one.who) if one.annotator else words(one.who)),
                (Column("F1"), lambda one: coefficient(one.f1)),
                (Column("interval"), lambda one: between(one.low, one.high)),
                (Column("precision"), lambda one: coefficient(one.precision)),
                (Column("recall"), lambda one: coefficient(one.recall)),
                (Column("overlap F1"), lambda one: coefficient(one.overlap)),
            ],
        )


#: What the consensus is called in the column of annotators.
CONSENSUS = "consensus"


@answers("consensus", "spans")
def span_consensus(
    data: Spans | HeldSpans,
    *,
    method: str = "majority",
    least: int | None = None,
    gold: Any = None,
    level: float = 0.95,
) -> SpanConsensus:
    """Find one set of spans for every document.

    Parameters
    ----------
    method : {"majority", "at-least"}
        ``majority``: each label is decided at each position, by more than half of the annotators who judged the document; positions in
        a row are one span. ``at-least``: whole spans that enough annotators marked, with the same ends and label.
    least : int, optional
        For ``at-least``: how many must have marked it; more than half unless given.
    gold : path, Spans or name of an annotator, optional
        Known spans: everything is scored against them.
    level : float
        Confidence level.

    Examples
    --------
    >>> rows = [
    ...     ("d", "ada", 0, 4, "PER"),
    ...     ("d", "ben", 0, 4, "PER"),
    ...     ("d", "cem", 1, 6, "PER"),
    ...     ("d", "cem", 9, 11, "LOC"),
    ... ]
    >>> [(one.start, one.end, one.label) for one in span_consensus(Spans.from_rows(rows)).spans]
    [(0, 4, 'PER')]
    >>> [
    ...     (one.start, one.end, one.label)
    ...     for one in span_consensus(Spans.from_rows(rows), method="at-least", least=1).spans
    ... ]
    [(0, 4, 'PER'), (1, 6, 'PER'), (9, 11, 'LOC')]
    """
    choose("method", method, METHODS)
    if least is not None and method != "at-least":
        raise OptionError("`least` is for `method` at-least: add that, or leave it out.")
    if least is not None and least < 1:
        raise OptionError(f"`least` is {least}; it must be 1 or more.")
    here = data.bring() if isinstance(data, HeldSpans) else data
    known = None if gold is None else _known(gold, here)
    if isinstance(gold, str) and gold in here.annotators:
        here = here.without_annotators([gold])
    if not len(here.annotators):
        raise NothingToCompare("There is no annotator left to find a consensus of.")
    spans, tied = _positions(here) if method == "majority" else (_whole(here, least), 0)
    found = SpanConsensus(
        data=here, method=method, least=least, spans=tuple(spans), tied=tied, notes=_notes(here, method, least, tied)
    )
    if known is None:
        return found
    most = min(int(here.judges.max(initial=1)), SPAN_MAJORITIES)
    ways = {"majority at positions": _positions(here)[0], "more than half": _whole(here, None)}
    ways |= {f"at least {counted(many, 'annotator')}": _whole(here, many) for many in range(1, most + 1)}
    marks = {way: [one.mark for one in some] for way, some in ways.items()}
    scores, said = scored(here, marks, known, level)
    return replace(found, scores=tuple(scores), notes=(*found.notes, *said))


def _known(gold: Any, here: Spans) -> Spans:
    """Return known spans: an annotator's of the data, those in a file, or data of one annotator."""
    if isinstance(gold, str) and gold in here.annotators:
        return here.only_annotators([gold])
    if isinstance(gold, str | os.PathLike):
        from assent.readers.span_gold import read_known_spans

        return read_known_spans(gold)
    made = as_dataset(gold)
    if not isinstance(made, Spans) or len(made.annotators) != 1:
        raise OptionError("`gold` must be a file of spans, the name of an annotator, or the spans of one annotator.")
    return made


def _positions(data: Spans) -> tuple[list[ConsensusSpan], int]:
    """Return stretches that more than half of the annotators marked with a label, and how many positions just half did."""
    labels = max(1, len(data.labels))
    people = max(1, len(data.annotators))
    span, begin, end = data.parts
    owner = (data.document[span] * labels + data.label[span]) * people + data.annotator[span]
    owner, begin, end = merged(owner, begin, end)
    group = owner // people
    # At each place where somebody begins or ends: how many mark what follows.
    where = np.concatenate([group, group])
    place = np.concatenate([begin, end])
    step = np.repeat([1, -1], len(begin))
    order = np.lexsort((place, where))
    where, place = where[order], place[order]
    marking = np.cumsum(step[order])
    last = np.ones(len(where), dtype=bool)
    last[:-1] = (where[1:] != where[:-1]) | (place[1:] != place[:-1])
    where, place, marking = where[last], place[last], marking[last]
    width = np.diff(place, append=place[-1:] if len(place) else 0)
    same = np.zeros(len(where), dtype=bool)
    same[:-1] = where[1:] == where[:-1]
    width = np.where(same, width, 0)
    judges = data.judges[where // labels]
    tied = int(width[(2 * marking == judges) & (width > 0)].sum())
    won = (2 * marking > judges) & (width > 0)
    # Stretches that follow each other without a gap are one span.
    begins = won.copy()
    begins[1:] &= ~won[:-1]
    firsts = np.flatnonzero(begins)
    number = np.cumsum(begins) - 1
    covered = np.bincount(number[won], width[won], minlength=len(firsts))
    votes = np.bincount(number[won], (width * marking / np.maximum(judges, 1))[won], minlength=len(firsts))
    made = [
        ConsensusSpan(
            document=data.documents[where[at] // labels],
            start=int(place[at]),
            end=int(place[at] + covered[one]),
            label=data.labels[where[at] % labels],
            support=float(votes[one] / covered[one]),
        )
        for one, at in enumerate(firsts.tolist())
    ]
    return sorted(made, key=lambda one: (one.document, one.start, one.end, one.label)), tied


def _whole(data: Spans, least: int | None) -> list[ConsensusSpan]:
    """Return spans that enough annotators marked."""
    same: dict[tuple[str, tuple[tuple[int, int], ...], str], int] = {}
    for document, _, parts, label in data.rows():
        same[document, tuple(parts), label] = same.get((document, tuple(parts), label), 0) + 1
    judges = dict(zip(data.documents, data.judges.tolist(), strict=True))
    made = [
        ConsensusSpan(
            document=document,
            start=parts[0][0],
            end=parts[-1][1],
            label=label,
            support=many / judges[document],
            fragments=parts if len(parts) > 1 else (),
        )
        for (document, parts, label), many in same.items()
        if (2 * many > judges[document] if least is None else many >= least)
    ]
    return sorted(made, key=lambda one: (one.document, one.start, one.end, one.label))


def _notes(data: Spans, method: str, least: int | None, tied: int) -> tuple[str, ...]:
    if method == "at-least":
        enough = (
            "more than half of the annotators of a document"
            if least is None
            else f"at least {counted(least, 'annotator')}"
        )
        return (f"A span is in the consensus if {enough} marked it, with the same ends and label.",)
    said = [
        "Each label is decided at each position by more than half of the annotators who judged the document; positions in a row are one span, "
        "so neighbours of one label are joined."
    ]
    if tied:
        said.append(
            f"{counted(tied, 'position')} that exactly half of the annotators marked {'is' if tied == 1 else 'are'} in no span."
        )
    return tuple(said)
